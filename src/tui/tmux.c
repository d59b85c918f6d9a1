/*
 * tmux.c - runs `tmux load-buffer -w -` with the text as its standard input.
 *
 * tmux reports through its exit status whether it has the text; an escape sequence has no answer. Option -w, which
 * also sends the text to the clipboard of the terminal around tmux, exists since tmux 3.2; older ones refuse it.
 * The input is a file without a name: writing to it never waits for the reader, as writing to a pipe would.
 */
#include "tui/tmux.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/scratch.h"
#include "base/write_all.h"

#define PATIENCE 500 /* milliseconds for each try; tmux takes five to ten */

bool tmux_is_around(void)
{
	const char *tmux = getenv("TMUX");
	return tmux && *tmux;
}

static bool run(const char *const argv[], int in)
{
	pid_t child;
	int status;
	const struct streams streams = {in, STREAM_NONE, STREAM_NONE, true, NULL};
	if (lseek(in, 0, SEEK_SET) != 0 || child_start(argv, &streams, &child) != 0)
		return false;
	if (child_has_ended(child, &status, PATIENCE))
		return status == 0;
	kill(child, SIGKILL);
	child_has_ended(child, &status, PATIENCE);
	return false;
}

enum tmux_result tmux_put(const char *text, size_t len)
{
	static const char *const with_terminal[] = {"tmux", "load-buffer", "-w", "-", NULL};
	static const char *const alone[] = {"tmux", "load-buffer", "-", NULL};
	enum tmux_result result = TMUX_FAILED;
	int file = scratch_open(NULL);
	if (file < 0)
		return TMUX_FAILED;
	if (write_all(file, text, len) == len)
		result = run(with_terminal, file) ? TMUX_AND_TERMINAL : run(alone, file) ? TMUX_BUFFER : TMUX_FAILED;
	close(file);
	return result;
}
