/*
 * process.c - in the place of base/process.c: notes go to the caller of the library, whose process stays as it is.
 */
#include "base/process.h"

#include <string.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/utf8.h"
#include "lib/alone/run.h"

void process_say(const char *text, size_t n)
{
	struct run *r = run_now();
	struct buf line;
	if (!r || !r->guard->note)
		return;
	buf_init(&line);
	utf8_clean(&line, text, n, UTF8_CLEAN_UTF8);
	r->guard->note(r->guard->note_arg, buf_str(&line));
	buf_deinit(&line);
}

mode_t process_umask(void)
{
	return 077;
}

/* Calls that write block the signal in their thread: guard_block_sigpipe(). */
void process_ignore_broken_pipes(void) {}

bool child_is_ignored(int sig)
{
	(void)sig;
	return false;
}
