/*
 * written.c - writes a recording to a file or a pipe.
 *
 *	file   header, rounds ..., facts; the header anew, since it says where the facts are
 *	pipe   header, events and facts as records, rounds ...
 */
#include "record/sampler/written.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/scratch.h"

/* A pipe takes bytes in their order only, and no more than its reader wants. */
static bool prepare_pipe(struct written *w, struct err *err)
{
	int flags = fcntl(w->fd, F_GETFL);
	if (isatty(w->fd))
		return fail(err, "a terminal shows no recording (name a file with -o, or pipe it into flametop)");
	w->is_changed = !(flags & O_NONBLOCK) && fcntl(w->fd, F_SETFL, flags | O_NONBLOCK) == 0;
	return true;
}

/* Has the disk room for the beginning of the file? It is empty again then. */
static bool has_room(struct written *w, struct err *err)
{
	static const char page[4096];
	ssize_t n = pwrite(w->fd, page, sizeof page, 0);
	int error = n < 0 ? errno : ENOSPC;
	if (ftruncate(w->fd, 0) == 0 && n == (ssize_t)sizeof page)
		return true;
	written_drop(w);
	errno = error;
	return fail_errno(err, "%s", w->path);
}

/* "-" asks for the layout of a pipe, and is what a program reads from; any other file is written as it can be. */
bool written_open(struct written *w, const char *path, struct err *err)
{
	struct stat st;
	w->path = path;
	w->growing = (struct growing){.slot = -1, .order = -1};
	w->fd = output_descriptor(path);
	w->is_borrowed = w->fd >= 0;
	if (!w->is_borrowed)
		w->fd = output_open_growing(path, &w->growing, err);
	if (w->fd < 0)
		return false;
	if (fstat(w->fd, &st) != 0)
		return fail_errno(err, "%s", path);
	w->is_pipe = strcmp(path, "-") == 0 || !S_ISREG(st.st_mode);
	if (w->is_pipe)
		return prepare_pipe(w, err);
	return w->is_borrowed || has_room(w, err);
}

void written_begin(struct written *w, const struct records_facts *facts)
{
	struct buf header;
	w->facts = *facts;
	buf_init(&header);
	if (w->is_pipe) {
		records_begin_pipe(&header, facts->events, facts->n_events);
		records_add_facts(&header, facts);
	} else {
		records_begin_file(&header, facts->events, facts->n_events);
		size_t before = header.len;
		records_add_names(&header, facts->events, facts->n_events);
		w->n_data = header.len - before;
	}
	backlog_add(&w->backlog, &header);
	buf_deinit(&header);
}

void written_round(struct written *w, struct buf *round)
{
	bool has_records = round->len > 0;
	if (has_records || w->has_waiting)
		records_add_round(round);
	w->has_waiting = has_records;
	w->n_data += round->len;
	backlog_add(&w->backlog, round);
}

/*
 * Has another program cut the file off? What is written from then on would have a hole before it, and may belong to
 * that program.
 */
static bool is_whole(struct written *w)
{
	struct stat st;
	if (!w->is_pipe && !w->backlog.error && fstat(w->fd, &st) == 0 && st.st_size < lseek(w->fd, 0, SEEK_CUR))
		w->backlog.error = BACKLOG_CUT;
	return !w->backlog.error;
}

void written_flush(struct written *w)
{
	if (w->backlog.first && is_whole(w))
		backlog_write(&w->backlog, w->fd, NULL);
}

void written_size(struct written *w)
{
	uint64_t n = w->n_data - w->backlog.held;
	if (!w->is_pipe && w->n_data > w->backlog.held && is_whole(w))
		(void)!pwrite(w->fd, &n, sizeof n, RECORDS_PLACE_OF_SIZE);
}

static const char *advice(int error)
{
	return error == ENOSPC || error == EDQUOT ? WRITTEN_ADVICE : error == EFBIG ? WRITTEN_LIMIT_ADVICE : "";
}

/* `flametop record` passes on a file without a name: the place of its like can be chosen. */
static bool fail_scratch(const struct written *w, const char *name, struct err *err)
{
	char reason[128];
	return fail(err, "%s: %s%s", name, err_reason(w->backlog.error, reason, sizeof reason),
	            advice(w->backlog.error));
}

static bool fail_output(const struct written *w, struct err *err)
{
	struct buf scratch;
	buf_init(&scratch);
	bool is_scratch = !w->is_pipe && w->backlog.error > 0 && scratch_add_name(&scratch, w->fd);
	if (is_scratch)
		fail_scratch(w, buf_str(&scratch), err);
	buf_deinit(&scratch);
	if (is_scratch)
		return false;
	const char *name = strcmp(w->path, "-") == 0 ? "standard output" : w->path;
	if (w->backlog.error == BACKLOG_STUCK)
		return fail(err, "%s: its reader takes nothing, so the end of the recording is missing", name);
	if (w->backlog.error == BACKLOG_CUT)
		return fail(err, "%s: another program cut the file off, so the recording is lost", name);
	errno = w->backlog.error;
	return fail_errno(err, "%s", name);
}

/* Is the recording still to be found? Whoever may write to its directory may remove or rename it. */
static bool has_name(const struct written *w, struct err *err)
{
	struct stat ours, named = {0};
	if (w->is_pipe || w->is_borrowed || fstat(w->fd, &ours) != 0)
		return true;
	bool is_there = stat(w->path, &named) == 0;
	if (is_there ? named.st_dev == ours.st_dev && named.st_ino == ours.st_ino : errno != ENOENT && errno != ENOTDIR)
		return true;
	return ours.st_nlink
	           ? fail(err, "%s: the recording was renamed while it was made: this is not its name now", w->path)
	           : fail(err, "%s: the recording was removed while it was made, and is lost", w->path);
}

bool written_end(struct written *w, backlog_patience *patience, struct err *err)
{
	struct buf header, end;
	buf_init(&header);
	buf_init(&end);
	if (!w->n_data) { /* a file without records counts as one that was cut off */
		w->has_waiting = true;
		written_round(w, &end);
	}
	if (w->is_pipe) {
		records_end_pipe(&end);
		backlog_add(&w->backlog, &end);
	}
	bool is_written = is_whole(w) && backlog_write(&w->backlog, w->fd, patience);
	if (!w->is_pipe && is_written) {
		records_end_file(&header, &end, w->n_data, &w->facts);
		backlog_add(&w->backlog, &end);
		is_written = backlog_write(&w->backlog, w->fd, patience) && is_whole(w) &&
		             pwrite(w->fd, header.data, header.len, 0) == (ssize_t)header.len;
		w->backlog.error = w->backlog.error ? w->backlog.error : is_written ? 0 : errno;
	}
	buf_deinit(&header);
	buf_deinit(&end);
	if (w->is_pipe && w->backlog.error == EPIPE) /* a reader that leaves has seen enough */
		return true;
	return is_written ? has_name(w, err) : fail_output(w, err);
}

void written_deinit(struct written *w)
{
	if (w->is_changed)
		fcntl(w->fd, F_SETFL, fcntl(w->fd, F_GETFL) & ~O_NONBLOCK);
	if (w->fd >= 0 && !w->is_borrowed) {
		output_end_growing(w->fd);
		close(w->fd);
	}
	backlog_deinit(&w->backlog);
}

bool written_settle(struct written *w, struct err *err)
{
	return output_settle_growing(&w->growing, w->fd, err);
}

void written_drop(struct written *w)
{
	output_drop_growing(&w->growing);
}
