/*
 * build.c - runs the command of --build before a recording.
 *
 * The user types a command line, so the shell runs it, as make runs its recipes: sh -c 'make -s'. What it prints
 * goes to standard error, since standard output may be the profile; the program's input is not its own. Ctrl-C
 * reaches it from the terminal, any other signal from us, and we end after it, so that it can put away what it has
 * half made.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/family.h"
#include "base/temporary.h"
#include "record/ending.h"
#include "record/guard.h"
#include "record/record.h"
#include "record/words.h"

struct build {
	pid_t shell;
	struct family family; /* what it has started */
	struct guard guard;   /* ends all of it if we are gone */
};

static void look(void *arg)
{
	struct build *b = arg;
	family_look(&b->family, b->shell, false);
}

static bool end(void *arg, enum ending_step step, bool is_typed)
{
	struct build *b = arg;
	family_look(&b->family, b->shell, true);
	if (step == ENDING_ASKED || step == ENDING_TOLD) {
		if (!is_typed)
			kill(b->shell, step == ENDING_ASKED ? SIGINT : SIGTERM);
		if (!is_typed && step == ENDING_ASKED) /* a shell waits for its program, as if that had been asked, too */
			family_signal(&b->family, SIGINT);
	} else if (step == ENDING_KILLED) {
		kill(b->shell, SIGKILL);
	}
	return step != ENDING_STRIPPED;
}

static bool start(struct build *b, const struct options *o, int *slot, struct err *err)
{
	struct words w;
	words_init(&w);
	words_add(&w, "sh");
	words_add(&w, "-c");
	words_add(&w, o->record.build);
	if (o->verbose)
		words_say(&w);
	bool is_started =
		guard_spawn(&b->guard, &b->family, &w,
	                &(struct streams){STREAM_NONE, STDERR_FILENO, STREAM_SAME, false, NULL}, &b->shell, slot, err);
	words_deinit(&w);
	return is_started;
}

/* As a shell tells it. A build that was told to end has not succeeded, whatever it says. */
static int status_of(int status, bool is_interrupted)
{
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return is_interrupted && WEXITSTATUS(status) == 0 ? 128 + SIGINT : WEXITSTATUS(status);
}

static void say(int status)
{
	if (WIFSIGNALED(status))
		err_printf("the build was ended by signal %d (%s); nothing was recorded", WTERMSIG(status),
		           strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		err_printf("the build failed with status %d; nothing was recorded", WEXITSTATUS(status));
	else
		err_print("the build was interrupted; nothing was recorded");
}

int record_build(const struct options *o)
{
	struct build b = {0};
	struct ending e = {0};
	struct err err;
	int status, slot;
	if (!o->record.build)
		return 0;
	if (!start(&b, o, &slot, &err)) {
		err_print(err.text);
		return 1;
	}
	ending_wait(&e, b.shell, &status, &(struct ending_wait){"the build", end, &b, 0, look, NULL});
	temporary_forget(slot);
	if (e.step != ENDING_RUNS)
		family_end(&b.family, &(struct family_ending){.patience = 1000}, NULL);
	guard_end(&b.guard);
	family_deinit(&b.family);
	int result = status_of(status, e.step != ENDING_RUNS);
	if (result)
		say(status);
	return result;
}
