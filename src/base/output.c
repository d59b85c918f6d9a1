/*
 * output.c - a file that appears only when it is complete.
 *
 *	out.svg -> /data/out.svg      the target, symbolic links followed as far as open(2) would
 *	/data/(no name)               written to; the system removes it if we are killed
 *	/data/.flametop-PID-TIME      its name for a moment, then renamed over the target
 *
 * A file system that cannot make nameless files gets a named temporary from the start; if a signal ends the
 * process, temporary.h removes it. Other targets (a device, a pipe, standard output) cannot be replaced and are
 * written in place.
 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file_lock.h"
#include "base/mem.h"
#include "base/nameless_file.h"
#include "base/number.h"
#include "base/path_end.h"
#include "base/permissions.h"
#include "base/process.h"
#include "base/swap_names.h"
#include "base/temporary.h"
#include "base/write_all.h"

#define BUFFER_SIZE ((size_t)64 << 10)
#define NAMES_TRIED 100
#define PIECE ((size_t)1 << 20) /* written between two looks at whether to stop */

struct output {
	int fd;
	output_sink *sink; /* NULL: fd is written to */
	void *sink_arg;
	int like;      /* a new file gets the permissions of this one; -1: those that the umask allows */
	bool is_ascii; /* see output_keep_ascii() */
	bool is_in_place;
	bool is_borrowed;  /* standard output and the like: stays open */
	bool is_anonymous; /* has no name yet */
	bool lacks_place;  /* the target's directory refuses new files */
	int error;         /* errno of the first failed write; 0: none */
	struct progress *progress;
	char *name; /* as the user gave it, for messages */
	char *target;
	char *temporary;              /* named file to remove on failure; NULL: none */
	int slot;                     /* of the temporary, see temporary.h */
	atomic_uint_fast64_t written; /* bytes */
	size_t held;
	char held_bytes[];
};

/*
 * A unique name beside the target. Machines that share the directory may have equal process numbers, but hardly in
 * the same nanosecond.
 */
static char *temporary_name(const char *target)
{
	struct buf name;
	struct timespec now;
	buf_init(&name);
	clock_gettime(CLOCK_REALTIME, &now);
	buf_addf(&name, ".flametop-%ld-%lld%09ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
	char *path = path_beside(target, buf_str(&name));
	buf_deinit(&name);
	return path;
}

/* The name is registered for removal before the file exists. */
static void choose_temporary(struct output *out)
{
	out->temporary = temporary_name(out->target);
	out->slot = temporary_register(out->temporary);
}

static void forget_temporary(struct output *out)
{
	temporary_forget(out->slot);
	free(out->temporary);
	out->temporary = NULL;
	out->slot = -1;
}

/* Makes the file under a new name, retrying with others. Keeps errno. */
static bool try_names(struct output *out, bool (*make)(struct output *, mode_t), mode_t mode)
{
	for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
		temporary_hold();
		choose_temporary(out);
		bool is_made = make(out, mode);
		temporary_release();
		if (is_made)
			return true;
		int error = errno;
		forget_temporary(out);
		errno = error;
		if (error != EEXIST)
			return false;
	}
	return false;
}

/* "3" of "/dev/fd/3"; NULL: it is no such path. */
static const char *descriptor_number(const char *path)
{
	static const char *const places[] = {"/dev/fd/", "/proc/self/fd/"};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return path + strlen(places[i]);
	return NULL;
}

int output_descriptor(const char *path)
{
	const char *number = descriptor_number(path);
	uint64_t fd = 0;
	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (!number || !number_u64(number, strlen(number), &fd) || fd > INT_MAX)
		return -1;
	int flags = fcntl((int)fd, F_GETFL);
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? (int)fd : -1;
}

bool output_names_terminal(const char *path)
{
	struct stat st;
	int fd = output_descriptor(path);
	if (fd >= 0)
		return isatty(fd);
	if (stat(path, &st) != 0 || !S_ISCHR(st.st_mode))
		return false;
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	bool is_terminal = fd >= 0 && isatty(fd);
	if (fd >= 0)
		close(fd);
	return is_terminal;
}

bool output_is_terminal(const struct output *out)
{
	return !out->sink && isatty(out->fd);
}

bool output_has_failed(const struct output *out)
{
	return out->error != 0;
}

static bool open_in_place(struct output *out, const char *path, int flags)
{
	out->is_in_place = true;
	out->fd = output_descriptor(path);
	out->is_borrowed = out->fd >= 0;
	if (out->is_borrowed)
		return true;
	process_ignore_broken_pipes(); /* a reader that leaves a named pipe is an error with a name */
	out->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | flags);
	return out->fd >= 0;
}

/*
 * A new file gets the mode that the umask allows; one with permissions of another gets 0600 until it has them.
 */
static bool open_anonymous(struct output *out, mode_t mode)
{
	char *directory = path_beside(out->target, ".");
	out->fd = nameless_file_open(directory, mode);
	free(directory);
	out->is_anonymous = out->fd >= 0;
	return out->is_anonymous;
}

static bool make_named(struct output *out, mode_t mode)
{
	out->fd = open(out->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode);
	return out->fd >= 0;
}

static bool open_temporary(struct output *out, const struct stat *old)
{
	mode_t mode = old || out->like >= 0 ? 0600 : 0666;
	/* rename() would replace a write-protected target, which its user meant to keep. */
	if (old && faccessat(AT_FDCWD, out->target, W_OK, AT_EACCESS) != 0)
		return false;
	out->lacks_place = !open_anonymous(out, mode) && !try_names(out, make_named, mode);
	if (out->lacks_place)
		return false;
	if (old)
		return permissions_copy(out->fd, out->target, old);
	return out->like < 0 || permissions_copy_from(out->fd, out->like);
}

static bool open_place(struct output *out, struct path_end *place)
{
	if (place->kind == PATH_END_DESCRIPTOR)
		return open_in_place(out, place->path, 0);
	if (place->kind == PATH_END_OTHER)
		return open_in_place(out, place->path, O_NOFOLLOW);
	out->target = place->path;
	place->path = NULL;
	return open_temporary(out, place->kind == PATH_END_FILE ? &place->st : NULL);
}

static bool open_target(struct output *out, const char *path)
{
	struct path_end place;
	if (output_descriptor(path) >= 0 || descriptor_number(path))
		return open_in_place(out, path, 0);
	bool is_good = path_end_find(&place, path) && open_place(out, &place);
	int error = errno;
	free(place.path);
	errno = error;
	return is_good;
}

/* The target itself may be writable: if only its directory refuses, the message says so. */
static bool fail_to_open(const struct output *out, struct err *err)
{
	static const char where[] = "its directory takes no new files";
	if (!out->lacks_place || (errno != EACCES && errno != EPERM && errno != ENOENT))
		return fail_errno(err, "%s: cannot write", out->name);
	if (errno == ENOENT) /* from /proc, though the directory exists */
		return fail(err, "%s: cannot write: %s", out->name, where);
	return fail_errno(err, "%s: cannot write: %s", out->name, where);
}

struct output *output_open(const char *path, struct err *err)
{
	return output_open_like(path, -1, err);
}

struct output *output_open_like(const char *path, int like, struct err *err)
{
	struct output *out = mem_alloc(sizeof *out + BUFFER_SIZE);
	*out = (struct output){
		.fd = -1, .like = like, .slot = -1, .name = mem_strdup(strcmp(path, "-") == 0 ? "standard output" : path)};
	if (open_target(out, path))
		return out;
	fail_to_open(out, err);
	output_abandon(out);
	return NULL;
}

struct output *output_open_sink(const char *name, output_sink *sink, void *arg)
{
	struct output *out = mem_alloc(sizeof *out + BUFFER_SIZE);
	*out = (struct output){.fd = -1,
	                       .like = -1,
	                       .slot = -1,
	                       .sink = sink,
	                       .sink_arg = arg,
	                       .is_in_place = true,
	                       .name = mem_strdup(name)};
	return out;
}

bool output_check(const char *path, struct err *err)
{
	struct stat st;
	bool is_file = stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
	if (!is_file || output_descriptor(path) >= 0 || descriptor_number(path))
		return true;
	struct output *out = output_open(path, err);
	bool is_good = out;
	output_abandon(out);
	return is_good;
}

bool output_check_place(const char *path, struct err *err)
{
	struct path_end place;
	bool is_good = path_end_find(&place, path);
	if (!is_good)
		fail_errno(err, "%s: cannot write", path);
	free(place.path);
	return is_good;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static bool wait_writable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

void output_follow(struct output *out, struct progress *progress)
{
	out->progress = progress;
}

static bool is_cancelled(struct output *out)
{
	if (out->error == 0 && !progress_step(out->progress, 0))
		out->error = ECANCELED;
	return out->error != 0;
}

static bool write_out(struct output *out, const char *bytes, size_t n)
{
	if (out->sink && n > 0 && out->error == 0) {
		out->error = out->sink(out->sink_arg, bytes, n);
		atomic_fetch_add_explicit(&out->written, n, memory_order_relaxed);
		return out->error == 0;
	}
	while (n > 0 && !is_cancelled(out)) {
		size_t piece = n < PIECE ? n : PIECE, done = write_all(out->fd, bytes, piece);
		bytes += done;
		n -= done;
		atomic_fetch_add_explicit(&out->written, done, memory_order_relaxed);
		if (done < piece && !((errno == EAGAIN || errno == EWOULDBLOCK) && wait_writable(out->fd)))
			out->error = errno;
	}
	return out->error == 0;
}

static bool flush_held(struct output *out)
{
	size_t n = out->held;
	out->held = 0;
	return write_out(out, out->held_bytes, n);
}

static bool hold(struct output *out, const void *bytes, size_t n)
{
	if (is_cancelled(out))
		return false;
	if (n > BUFFER_SIZE - out->held && !flush_held(out))
		return false;
	if (n >= BUFFER_SIZE)
		return write_out(out, bytes, n);
	if (n > 0)
		memcpy(out->held_bytes + out->held, bytes, n);
	out->held += n;
	return true;
}

/* A character's first byte becomes '?', and the others go, wherever the pieces end. */
static bool hold_ascii(struct output *out, const char *bytes, size_t n)
{
	const char *end = bytes + n;
	bool is_good = true;
	while (is_good && bytes < end) {
		size_t plain = 0;
		while (bytes + plain < end && (unsigned char)bytes[plain] < 0x80)
			plain++;
		is_good = hold(out, bytes, plain);
		bytes += plain;
		for (; is_good && bytes < end && (unsigned char)*bytes >= 0x80; bytes++)
			is_good = (unsigned char)*bytes < 0xC0 || hold(out, "?", 1);
	}
	return is_good;
}

bool output_write(struct output *out, const void *bytes, size_t n)
{
	return out->is_ascii ? hold_ascii(out, bytes, n) : hold(out, bytes, n);
}

void output_keep_ascii(struct output *out)
{
	out->is_ascii = true;
}

bool output_flush_buf(struct output *out, struct buf *b)
{
	bool is_written = output_write(out, b->data, b->len);
	b->len = 0;
	return is_written;
}

const atomic_uint_fast64_t *output_bytes(const struct output *out)
{
	return &out->written;
}

static bool make_link(struct output *out, mode_t mode)
{
	(void)mode;
	return nameless_file_link(out->fd, out->temporary);
}

static bool close_descriptor(struct output *out)
{
	int fd = out->fd;
	out->fd = -1;
	return fd < 0 || out->is_borrowed || close(fd) == 0;
}

static bool put_in_place(struct output *out)
{
	if (out->is_anonymous && !try_names(out, make_link, 0))
		return false;
	/* Some file systems report a full disk only here. */
	if (!close_descriptor(out))
		return false;
	if (out->is_in_place)
		return true;
	if (rename(out->temporary, out->target) != 0)
		return false;
	forget_temporary(out);
	return true;
}

bool output_commit(struct output *out, struct err *err)
{
	bool is_done = !is_cancelled(out) && flush_held(out) && !is_cancelled(out) && put_in_place(out);
	if (!is_done) {
		if (out->error != 0)
			errno = out->error;
		fail_errno(err, "%s: cannot write", out->name);
	}
	output_abandon(out);
	return is_done;
}

void output_abandon(struct output *out)
{
	if (!out)
		return;
	close_descriptor(out);
	if (out->temporary)
		unlink(out->temporary);
	forget_temporary(out);
	free(out->target);
	free(out->name);
	free(out);
}

/* ---- files that grow in place -------------------------------------------------------------------------------- */

static bool is_told_to_end(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t pending;
	sigpending(&pending);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigismember(&pending, signals[i]))
			return true;
	return false;
}

/* The reader of a pipe may come later. */
static int open_other(const char *path, int flags)
{
	static const struct timespec pause = {0, 20000000};
	int fd;
	process_ignore_broken_pipes(); /* a reader that leaves is an error with a name */
	while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags)) < 0 && errno == ENXIO) {
		nanosleep(&pause, NULL);
		if (is_told_to_end()) {
			errno = EINTR;
			break;
		}
	}
	return fd;
}

static void close_keeping(int fd, int error)
{
	if (fd >= 0)
		close(fd);
	errno = error;
}

void output_end_growing(int fd)
{
	file_unlock(fd); /* not by close(): a guardian has the descriptor, too */
}

/*
 * Two recordings may begin at the same time, or one while the other runs. From the look at what is there until the
 * new file has its name, the directory is locked; as long as a file grows, it is locked itself.
 */
static void wait_for_others(struct growing *g)
{
	g->order = file_lock_directory_of(g->path, is_told_to_end);
}

static void let_others_go(struct growing *g)
{
	if (g->order >= 0) {
		file_unlock(g->order);
		close(g->order);
	}
	g->order = -1;
}

/* For a directory that does not let us replace the file: opens it if it is empty and ours, and makes it private. */
static int open_empty(const char *path)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	if (fd < 0 ||
	    (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 && fchmod(fd, 0600) == 0 && file_lock(fd)))
		return fd;
	close_keeping(fd, errno);
	return -1;
}

/*
 * The names of what was there, until the recording has begun:
 *
 *	r, r.old -> r.old, r             two files exchange their names
 *	r, r.old -> r.old, .flametop-*   where that is not possible
 *	r        -> r.old                there is no r.old
 *
 * A signal that ends the process gives the names back (temporary.h); signals wait while files are renamed.
 */
static void put_back(void *arg)
{
	struct growing *g = arg;
	if (g->how == GROWING_SWAPPED)
		swap_names(g->path, g->old);
	else if (g->how == GROWING_MOVED)
		(void)!rename(g->old, g->path);
	if (g->is_aside)
		(void)!rename(g->aside, g->old);
	g->how = GROWING_AS_BEFORE;
	g->is_aside = false;
}

static bool move_without_swap(struct growing *g)
{
	g->aside = temporary_name(g->path);
	g->is_aside = rename(g->old, g->aside) == 0;
	if (!g->is_aside && errno != ENOENT)
		return false;
	g->how = rename(g->path, g->old) == 0 ? GROWING_MOVED : GROWING_AS_BEFORE;
	int error = errno;
	if (g->how == GROWING_AS_BEFORE)
		put_back(g);
	errno = error;
	return g->how == GROWING_MOVED;
}

static bool move_former(struct growing *g)
{
	struct stat st;
	bool has_old = lstat(g->old, &st) == 0;
	if (!has_old && errno != ENOENT)
		return false;
	errno = EISDIR;
	if (has_old && S_ISDIR(st.st_mode))
		return false;
	if (has_old && swap_names(g->path, g->old))
		g->how = GROWING_SWAPPED;
	else if (!has_old || errno == ENOSYS || errno == EINVAL)
		move_without_swap(g);
	return g->how != GROWING_AS_BEFORE;
}

static void hold_signals(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static bool keep_former(struct growing *g)
{
	sigset_t before;
	g->slot = temporary_register_call(put_back, g);
	hold_signals(&before);
	bool is_moved = move_former(g);
	int error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return is_moved;
}

/* The new file gets its name when it is settled: until then, it has none, or a temporary one. */
static int make_new(struct growing *g)
{
	struct output *out = mem_alloc(sizeof *out);
	*out = (struct output){.fd = -1, .is_borrowed = true, .like = -1, .slot = -1, .target = mem_strdup(g->path)};
	if (open_anonymous(out, 0600) || try_names(out, make_named, 0600)) {
		file_lock(out->fd);
		g->made = out;
		return out->fd;
	}
	int error = errno;
	output_abandon(out);
	errno = error;
	return -1;
}

static int open_new(struct growing *g, const char *path, struct err *err)
{
	struct stat st;
	struct buf old = {0};
	buf_addf(&old, "%s.old", path);
	g->path = mem_strdup(path);
	g->old = buf_take(&old);
	wait_for_others(g);
	bool is_taken = file_is_locked(g->path);
	if (is_taken || file_is_locked(g->old)) {
		fail(err, "%s: cannot write: another recording is being written to %s", g->path,
		     is_taken ? g->path : g->old);
		return -1;
	}
	bool is_there = lstat(g->path, &st) == 0, is_empty = is_there && st.st_size == 0;
	if (is_there && !is_empty && !keep_former(g)) {
		fail_errno(err, "%s: cannot write: the file that is there cannot be renamed to %s.old", g->path, g->path);
		return -1;
	}
	g->replaces = is_empty || g->how == GROWING_SWAPPED;
	int fd = make_new(g);
	if (fd < 0 && is_empty)
		fd = open_empty(g->path);
	if (fd < 0)
		fail_errno(err, "%s: cannot write", g->path);
	return fd;
}

static int open_growing(struct growing *g, const char *path, struct err *err)
{
	struct path_end place;
	int fd = -1;
	bool is_found = path_end_find(&place, path);
	if (is_found && (place.kind == PATH_END_FREE || place.kind == PATH_END_FILE))
		fd = open_new(g, place.path, err);
	else if (!is_found || (fd = open_other(place.path, place.kind == PATH_END_OTHER ? O_NOFOLLOW : O_TRUNC)) < 0)
		fail_errno(err, "%s: cannot write", path);
	free(place.path);
	return fd;
}

int output_open_growing(const char *path, struct growing *g, struct err *err)
{
	*g = (struct growing){.slot = -1, .order = -1};
	int fd = open_growing(g, path, err);
	if (fd < 0)
		output_drop_growing(g);
	return fd;
}

/* Another name than its own is needed only where there is a file. One that has come meanwhile is not replaced. */
static bool put_new(const struct growing *g)
{
	struct output *out = g->made;
	struct stat st;
	if (out->is_anonymous && nameless_file_link(out->fd, out->target))
		return true;
	if (!g->replaces && lstat(out->target, &st) == 0) {
		errno = EEXIST;
		return false;
	}
	return put_in_place(out);
}

/* For an empty file that cannot be replaced. */
static bool take_empty(const struct growing *g, int to)
{
	int error = errno, fd = g->how == GROWING_AS_BEFORE ? open_empty(g->path) : -1;
	bool is_taken = fd >= 0 && descriptor_copy(fd, to);
	close_keeping(fd, error);
	return is_taken;
}

bool output_settle_growing(struct growing *g, int fd, struct err *err)
{
	sigset_t before;
	hold_signals(&before);
	bool is_settled = !g->made || put_new(g) || take_empty(g, fd) || fail_errno(err, "%s: cannot write", g->path);
	if (is_settled && g->is_aside)
		unlink(g->aside);
	if (is_settled)
		g->how = GROWING_AS_BEFORE;
	g->is_aside = g->is_aside && !is_settled;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	output_drop_growing(g);
	return is_settled;
}

void output_drop_growing(struct growing *g)
{
	sigset_t before;
	hold_signals(&before);
	put_back(g);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	let_others_go(g);
	temporary_forget(g->slot);
	output_abandon(g->made);
	free(g->path);
	free(g->old);
	free(g->aside);
	*g = (struct growing){.slot = -1, .order = -1};
}
