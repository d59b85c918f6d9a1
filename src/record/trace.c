/*
 * trace.c - where dtrace and xctrace record, and how that becomes input.
 *
 *	dtrace -o DIRECTORY/recording                                              |  an open file without a name
 *	xctrace record --output DIRECTORY/recording.trace  |  xctrace export       |  the same
 *
 * Neither writes into an unnamed file: xctrace makes a directory, and dtrace may run as root, through sudo. So they
 * get a private directory, which goes away as soon as the samples are in an unnamed file. From there on they are
 * read, or kept, as those of perf are.
 */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/temporary_tree.h"
#include "record/record.h"
#include "record/tracer.h"

bool record_begin_trace(struct recording *r, struct err *err)
{
	static const char name[] = "recording";
	struct buf path;
	r->tree = temporary_tree_new(err);
	if (!r->tree)
		return false;
	buf_init(&path);
	buf_addf(&path, "%s/%s%s", temporary_tree_path(r->tree), name, r->with == WITH_XCTRACE ? ".trace" : "");
	r->data_path = buf_take(&path);
	if (r->with == WITH_XCTRACE)
		return true;
	int fd = temporary_tree_create(r->tree, name, err); /* so that it goes away with the directory */
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
	(void)st, (void)flag, (void)at;
	remove(path);
	return 0;
}

void record_end_trace(struct recording *r)
{
	if (r->tree && r->with == WITH_XCTRACE && r->data < 0)
		nftw(r->data_path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	temporary_tree_remove(r->tree);
	r->tree = NULL;
}

static bool end_export(void *arg, enum ending_step step, bool is_typed)
{
	const pid_t *child = arg;
	if (step == ENDING_KILLED)
		kill(*child, SIGKILL);
	else if (step != ENDING_LOST && step != ENDING_STRIPPED && !is_typed)
		kill(*child, step == ENDING_ASKED ? SIGINT : SIGTERM);
	return step != ENDING_STRIPPED;
}

/* Writes the samples into the file. */
static bool export_trace(struct recording *r, int out, struct err *err)
{
	struct ending e = {0};
	struct words w;
	pid_t child;
	int status;
	words_init(&w);
	tracer_export_words(&w, r->data_path);
	if (r->options->record.verbose)
		words_say(&w);
	bool is_started = words_spawn(&w, &(struct streams){STREAM_NONE, out, STREAM_SAME, false, NULL}, &child, err);
	words_deinit(&w);
	if (!is_started)
		return false;
	guard_watch(&r->guard, child, 0);
	ending_wait(&e, child, &status, &(struct ending_wait){"xctrace export", end_export, &child, 0, NULL, NULL});
	guard_watch(&r->guard, 0, 0);
	if (WIFSIGNALED(status))
		return fail(err, "xctrace export was ended by signal %d", WTERMSIG(status));
	return status == 0 || fail(err, "xctrace export failed with status %d", WEXITSTATUS(status));
}

bool record_take_trace(struct recording *r, struct err *err)
{
	struct buf path;
	bool is_good;
	int fd;
	if (r->with == WITH_XCTRACE) {
		fd = scratch_open(err);
		is_good = fd >= 0 && export_trace(r, fd, err);
	} else {
		fd = open(r->data_path, O_RDONLY | O_CLOEXEC);
		is_good = fd >= 0 || fail_errno(err, "%s", r->data_path);
	}
	record_end_trace(r);
	r->data = fd;
	if (!is_good)
		return false;
	buf_init(&path);
	scratch_add_path(&path, fd);
	free(r->data_path);
	r->data_path = buf_take(&path);
	return true;
}
