/*
 * input.c - bytes from a file or a pipe, decompressed by their magic.
 *
 *	descriptor --read--> raw bytes --decompress--> caller        compressed
 *	descriptor ----------------------------read--> caller        plain, after the bytes read for the magic
 *
 * A regular file is checked for a magic when it is opened: a plain one can be loaded by several threads. A pipe is
 * checked at the first read, with as few bytes as possible: the first line of a live profile must not wait for the
 * second.
 */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/decompress.h"
#include "base/mem.h"

#define RAW_SIZE ((size_t)256 << 10)
#define PIECE ((size_t)64 << 10)

struct input {
	int fd;
	bool is_borrowed; /* standard input: stays open */
	bool is_regular;
	bool was_looked_at; /* its magic is known */
	bool has_ended;     /* the descriptor has no more bytes */
	char *name;
	uint64_t start;                    /* of a regular file: offset of the descriptor when we got it */
	uint64_t size;                     /* from start; 0: unknown */
	struct decompressor *decompressor; /* NULL: plain */
	bool is_done;                      /* the decompressor has no more bytes */
	bool is_bounded;                   /* see input_bound() */
	uint64_t made;                     /* bytes from the decompressor */
	bool has_failed;                   /* every further read reports `fault` */
	struct err fault;
	unsigned char *raw; /* read, but not yet handed on; NULL for plain regular files */
	size_t raw_at, raw_end;
	atomic_uint_fast64_t *consumed; /* on the heap: input_pread() counts for a const input, from several threads */
};

static bool read_failed(const struct input *in, struct err *err)
{
	return fail_errno(err, "%s: cannot read", in->name);
}

/* An inherited descriptor may be non-blocking. */
static bool wait_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

/* read(), repeated until it succeeds, ends or fails. */
static void keep_fault(struct input *in, const struct err *fault)
{
	in->has_failed = true;
	in->fault = *fault;
}

/* What has failed fails again: a socket tells an error only once. */
static ssize_t read_some(struct input *in, void *bytes, size_t n, struct err *err)
{
	ssize_t got;
	if (in->has_failed)
		return fail(err, "%s", in->fault.text), -1;
	if (in->has_ended)
		return 0;
	while ((got = read(in->fd, bytes, n)) < 0) {
		if (errno == EINTR || ((errno == EAGAIN || errno == EWOULDBLOCK) && wait_readable(in->fd)))
			continue;
		struct err fault;
		read_failed(in, &fault);
		keep_fault(in, &fault);
		return fail(err, "%s", fault.text), -1;
	}
	in->has_ended = got == 0;
	atomic_fetch_add(in->consumed, (uint64_t)got);
	return got;
}

static void use_codec(struct input *in, const struct codec *codec)
{
	if (!codec)
		return;
	in->decompressor = decompressor_new(codec);
	if (!in->raw)
		in->raw = mem_alloc(RAW_SIZE);
}

/* Regular files: the descriptor stays where it is. The first input_read() reports a fault again. */
static void look_at_file(struct input *in)
{
	unsigned char magic[CODEC_MAGIC_MAX];
	size_t n = 0;
	ssize_t got;
	/* Some file systems return fewer bytes than asked for before the end. */
	while (n < sizeof magic && (got = input_pread(in, magic + n, sizeof magic - n, n, NULL)) > 0)
		n += (size_t)got;
	atomic_store(in->consumed, 0);
	in->was_looked_at = true;
	if (n > 0)
		use_codec(in, codec_by_magic(magic, n, NULL));
}

static bool look_at_pipe(struct input *in, struct err *err)
{
	bool is_undecided = true;
	if (!in->raw)
		in->raw = mem_alloc(RAW_SIZE);
	while (is_undecided && !in->has_ended) {
		ssize_t n = read_some(in, in->raw + in->raw_end, RAW_SIZE - in->raw_end, err);
		if (n < 0)
			return false;
		in->raw_end += (size_t)n;
		use_codec(in, codec_by_magic(in->raw, in->raw_end, &is_undecided));
	}
	in->was_looked_at = true;
	return true;
}

/* Offset and size of a regular file. Files in /proc claim size 0; that counts as unknown. */
static bool measure(struct input *in, struct err *err)
{
	struct stat st;
	if (fstat(in->fd, &st) != 0)
		return read_failed(in, err);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return read_failed(in, err);
	}
	off_t start = S_ISREG(st.st_mode) ? lseek(in->fd, 0, SEEK_CUR) : -1;
	if (start < 0 || start >= st.st_size)
		return true;
	in->is_regular = true;
	in->start = (uint64_t)start;
	in->size = (uint64_t)(st.st_size - start);
#ifdef POSIX_FADV_SEQUENTIAL
	posix_fadvise(in->fd, start, 0, POSIX_FADV_SEQUENTIAL);
#endif
	return true;
}

static struct input *take(int fd, bool is_borrowed, const char *name, struct err *err)
{
	struct input *in = mem_zalloc(1, sizeof *in);
	in->fd = fd;
	in->is_borrowed = is_borrowed;
	in->name = mem_strdup(name);
	in->consumed = mem_alloc(sizeof *in->consumed);
	atomic_init(in->consumed, 0);
	if (!measure(in, err)) {
		input_close(in);
		return NULL;
	}
	if (in->is_regular)
		look_at_file(in);
	return in;
}

struct input *input_open(const char *path, struct err *err)
{
	int fd;
	if (strcmp(path, "-") == 0)
		return take(STDIN_FILENO, true, "stdin", err);
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		fail_errno(err, "%s: cannot open", path);
		return NULL;
	}
	return take(fd, false, path, err);
}

static bool is_inherited(const char *path)
{
	return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/self/fd/", 14) == 0;
}

static bool is_whole(int fd)
{
	struct stat st, null;
	if (fstat(fd, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return true; /* a directory gets its own error later */
	return S_ISCHR(st.st_mode) && stat("/dev/null", &null) == 0 && st.st_rdev == null.st_rdev;
}

struct input *input_open_whole(const char *path, struct err *err)
{
	int fd;
	if (is_inherited(path))
		return input_open(path, err);
	/* Checks the open file, not the path, which may change in between; does not wait for a writer. */
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		fail_errno(err, "%s: cannot open", path);
		return NULL;
	}
	if (is_whole(fd))
		return take(fd, false, path, err);
	fail(err, "%s: not a regular file", path);
	close(fd);
	return NULL;
}

struct input *input_fd(int fd, const char *name, struct err *err)
{
	return take(fd, false, name, err);
}

void input_close(struct input *in)
{
	if (!in)
		return;
	decompressor_free(in->decompressor);
	if (!in->is_borrowed)
		close(in->fd);
	free(in->raw);
	free(in->consumed);
	free(in->name);
	free(in);
}

static ssize_t read_plain(struct input *in, void *bytes, size_t n, struct err *err)
{
	size_t held = in->raw_end - in->raw_at;
	if (held == 0)
		return read_some(in, bytes, n, err);
	if (n > held)
		n = held;
	memcpy(bytes, in->raw + in->raw_at, n);
	in->raw_at += n;
	return (ssize_t)n;
}

/* Decodes the buffered bytes once. Keeps a fault for the next read: the *made bytes before it are good. */
static void decode_held(struct input *in, void *bytes, size_t n, size_t *made)
{
	struct compressed from = {in->raw + in->raw_at, in->raw_end - in->raw_at, in->has_ended};
	struct err why = {""}, fault;
	enum decompress_status status = decompress(in->decompressor, &from, bytes, n, made, &why);
	in->raw_at = in->raw_end - from.n;
	if (status == DECOMPRESS_BAD) {
		fail(&fault, "%s: %s", in->name, why.text);
		keep_fault(in, &fault);
	}
	in->is_done = status == DECOMPRESS_END;
}

/* Against bombs: a megabyte of gzip can become a gigabyte, one of zstd thirty. */
static void check_bound(struct input *in)
{
	struct err fault;
	if (!in->is_bounded || in->has_failed || !input_is_bomb(in->made, input_consumed(in)))
		return;
	fail(&fault, "%s: " INPUT_BOMB " (unpack it first if that is right)", in->name);
	keep_fault(in, &fault);
}

static ssize_t read_compressed(struct input *in, void *bytes, size_t n)
{
	struct err fault;
	size_t made = 0;
	check_bound(in);
	while (made == 0 && !in->is_done && !in->has_failed) {
		decode_held(in, bytes, n, &made);
		if (made > 0 || in->is_done || in->has_failed || in->raw_at < in->raw_end)
			continue;
		ssize_t got = read_some(in, in->raw, RAW_SIZE, &fault);
		in->raw_at = 0;
		in->raw_end = got > 0 ? (size_t)got : 0;
		if (got < 0)
			keep_fault(in, &fault);
	}
	in->made += made;
	return made > 0 ? (ssize_t)made : in->has_failed ? -1 : 0;
}

ssize_t input_read(struct input *in, void *bytes, size_t n, struct err *err)
{
	if (n == 0)
		return 0;
	if (!in->was_looked_at && !look_at_pipe(in, err))
		return -1;
	if (!in->decompressor)
		return read_plain(in, bytes, n, err);
	ssize_t got = read_compressed(in, bytes, n);
	if (got < 0)
		fail(err, "%s", in->fault.text);
	return got;
}

ssize_t input_pread(const struct input *in, void *bytes, size_t n, uint64_t offset, struct err *err)
{
	ssize_t got;
	if (offset > (uint64_t)INT64_MAX - in->start)
		return 0;
	do
		got = pread(in->fd, bytes, n, (off_t)(in->start + offset));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		read_failed(in, err);
	else
		atomic_fetch_add(in->consumed, (uint64_t)got);
	return got;
}

void input_bound(struct input *in)
{
	in->is_bounded = true;
}

static bool fail_size(const struct input *in, size_t most, struct err *err)
{
	bool is_large = most >= 1u << 20;
	return fail(err, "%s: more than %zu %s", in->name, most >> (is_large ? 20 : 10), is_large ? "MiB" : "KiB");
}

bool input_read_all(struct input *in, size_t most, struct buf *out, struct err *err)
{
	size_t start = out->len;
	ssize_t n;
	input_bound(in);
	while ((n = input_read(in, buf_reserve(out, PIECE), PIECE, err)) > 0) {
		out->len += (size_t)n;
		if (out->len - start > most)
			return fail_size(in, most, err);
	}
	return n == 0;
}

bool input_read_file(const char *path, size_t most, struct buf *out, struct err *err)
{
	struct input *in = input_open_whole(path, err);
	bool is_read = in && input_read_all(in, most, out, err);
	input_close(in);
	return is_read;
}

const char *input_name(const struct input *in)
{
	return in->name;
}

bool input_is_plain_file(const struct input *in)
{
	return in->is_regular && !in->decompressor;
}

uint64_t input_size(const struct input *in)
{
	return in->size;
}

uint64_t input_consumed(const struct input *in)
{
	return atomic_load(in->consumed);
}

int input_descriptor(const struct input *in)
{
	return in->fd;
}
