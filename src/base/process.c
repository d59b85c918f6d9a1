/*
 * process.c - what the program does to its process as a whole: see process.h.
 *
 * Out of memory, the program ends here and allocates nothing: write(2) sends the message, and _exit() skips
 * handlers that might allocate. If several threads run out at once, the first one exits and the others wait.
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/signals.h"
#include "base/status.h"
#include "base/temporary.h"
#include "base/utf8.h"

/* belongs to the process, like the allocator's own state */
static _Atomic(void (*)(void)) exhausted_hook;
static atomic_flag is_exhausted = ATOMIC_FLAG_INIT;

void mem_on_exhausted(void (*hook)(void))
{
	atomic_store(&exhausted_hook, hook);
}

_Noreturn void mem_exhausted(void)
{
	static const char message[] = "flametop: out of memory\n";
	while (atomic_flag_test_and_set(&is_exhausted))
		pause();
	void (*hook)(void) = atomic_load(&exhausted_hook);
	if (hook)
		hook();
	temporary_remove_all();
	ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
	(void)written; /* a failed write to stderr has nowhere to go */
	_exit(1);
}

void process_say(const char *text, size_t n)
{
	struct buf line;
	buf_init(&line);
	buf_adds(&line, "flametop: ");
	utf8_clean(&line, text, n, utf8_locale_mode());
	buf_addc(&line, '\n');
	status_clear();
	/* In one write: other processes may print to the same terminal. */
	fwrite(line.data, 1, line.len, stderr);
	fflush(stderr);
	buf_deinit(&line);
}

mode_t process_umask(void)
{
	mode_t mask = umask(0777);
	umask(mask);
	return mask;
}

void process_ignore_broken_pipes(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* ---- what children inherit ----------------------------------------------------------------------------------- */

static sigset_t ignored; /* all zero until child_inherit(): none */

void child_hold_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* reading or writing it still fails */
}

void child_inherit(void)
{
	static const int normal[] = {SIGCHLD, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ};
	struct sigaction found;
	sigset_t none;
	sigemptyset(&ignored);
	for (int sig = 1; sig < SIGNALS_END; sig++)
		if (sigaction(sig, NULL, &found) == 0 && !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN)
			sigaddset(&ignored, sig);
	for (size_t i = 0; i < sizeof normal / sizeof *normal; i++)
		signal(normal[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

bool child_is_ignored(int sig)
{
	return sigismember(&ignored, sig) == 1;
}
