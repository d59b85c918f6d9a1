/*
 * post_process.c - what may follow a recording: a filter for its folded stacks, and the desktop's viewer for the
 * result.
 *
 *	view -> folded stacks -> unnamed file -> CMD -> unnamed file -> the loader
 *
 * Files at both ends prevent a deadlock: a filter may read everything before it writes a line, or stop reading
 * halfway.
 */
#include "record.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/family.h"
#include "base/scratch.h"
#include "base/temporary.h"
#include "base/write_all.h"
#include "record/ending.h"
#include "record/guard.h"
#include "record/words.h"

struct stacks {
	int fd;
	int error; /* errno; 0: they have been written so far */
};

/* A flametop_write. */
static int put(void *arg, const void *bytes, size_t n)
{
	struct stacks *s = arg;
	s->error = write_all(s->fd, bytes, n) == n ? 0 : errno;
	return s->error;
}

static bool write_folded(int fd, struct flametop_profile *p, struct flametop_view *v, struct err *err)
{
	struct stacks s = {fd, 0};
	int status = flametop_view_export(v, "folded", put, &s);
	if (status == FLAMETOP_OK && lseek(fd, 0, SEEK_SET) == 0)
		return true;
	if (status != FLAMETOP_OK && !s.error)
		return fail(err, "%s", flametop_profile_error(p));
	errno = s.error ? s.error : errno;
	return fail_errno(err, "temporary file");
}

static bool split(struct words *w, const char *command, struct err *err)
{
	words_init(w);
	return words_split(w, command, err) && (w->n > 0 || fail(err, "--post-process: there is no command"));
}

bool record_check_filter(const char *command, struct err *err)
{
	struct words w;
	bool is_good = split(&w, command, err);
	if (is_good && !words_is_program(w.v[0]))
		is_good = fail(err, "--post-process: %s: command not found", w.v[0]);
	words_deinit(&w);
	return is_good;
}

struct filtering {
	pid_t pid;
	struct family family; /* what it has started */
	struct guard guard;   /* ends the filter if we are gone */
};

static bool end_filter(void *arg, enum ending_step step, bool is_typed)
{
	static const int signals[] = {[ENDING_ASKED] = SIGINT, [ENDING_TOLD] = SIGTERM, [ENDING_KILLED] = SIGKILL};
	struct filtering *f = arg;
	bool has_signal = step < sizeof signals / sizeof *signals && signals[step];
	guard_recall(&f->guard, &f->family);
	family_look(&f->family, f->pid, true);
	if (has_signal && !is_typed)
		kill(f->pid, signals[step]);
	return step != ENDING_STRIPPED;
}

/* Passes signals on to the filter: if they ended us, the recording would be lost. */
static int wait_for_filter(struct filtering *f)
{
	struct ending e = {0};
	int status;
	ending_wait(&e, f->pid, &status,
	            &(struct ending_wait){"the program of --post-process", end_filter, f, 0, NULL, NULL});
	if (e.step > ENDING_RUNS)
		family_end(&f->family, &(struct family_ending){.patience = 1000}, NULL);
	return status;
}

static bool run_filter(const char *command, int in, int out, struct err *err)
{
	struct words w;
	struct filtering f = {0};
	int slot, status = 0;
	bool is_good = split(&w, command, err) &&
	               guard_spawn(&f.guard, &f.family, &w, &(struct streams){in, out, STREAM_SAME, false, NULL},
	                           &f.pid, &slot, err);
	words_deinit(&w);
	if (is_good) {
		status = wait_for_filter(&f);
		guard_end(&f.guard);
		temporary_forget(slot);
	}
	family_deinit(&f.family);
	if (!is_good)
		return false;
	if (WIFSIGNALED(status))
		return fail(err, "--post-process: '%s' was killed by signal %d", command, WTERMSIG(status));
	return status == 0 || fail(err, "--post-process: '%s' failed with status %d", command, WEXITSTATUS(status));
}

int record_post_process(const char *command, struct flametop_profile *p, struct flametop_view *v, struct err *err)
{
	int in = scratch_open(err);
	int out = in < 0 ? -1 : scratch_open(err);
	bool is_good = out >= 0 && write_folded(in, p, v, err) && run_filter(command, in, out, err);
	if (is_good && lseek(out, 0, SEEK_SET) != 0)
		is_good = fail_errno(err, "temporary file");
	if (in >= 0)
		close(in);
	if (is_good || out < 0)
		return out;
	close(out);
	return -1;
}

bool record_open(const char *path, struct err *err)
{
	static const char *const openers[] = {"xdg-open", "open", "wslview"};
	struct words w;
	pid_t child = 0;
	bool is_good = false;
	words_init(&w);
	for (size_t i = 0; i < sizeof openers / sizeof *openers && w.n == 0; i++)
		if (words_is_program(openers[i]))
			words_add(&w, openers[i]);
	/* Openers do not know "--", and take a name that begins with a scheme for a URL. */
	words_addf(&w, "%s%s", path[0] == '/' ? "" : "./", path);
	if (w.n == 1)
		fail(err, "--open: there is no xdg-open here to open %s", path);
	else
		is_good =
			words_spawn(&w, &(struct streams){STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL}, &child, err);
	words_deinit(&w);
	/* Some openers stay until the file is closed; a failure shows soon. */
	for (unsigned i = 0; is_good && i < 200; i++) {
		int status;
		if (waitpid(child, &status, WNOHANG) == child)
			return status == 0 || fail(err, "--open: cannot open %s", path);
		nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	return is_good;
}
