/*
 * perf_packed.c - unpacks recordings into a file, as perf reads them in random order.
 */
#include "collapse/perf/perf_packed.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/input.h"
#include "base/scratch.h"
#include "base/write_all.h"
#include "perfdata/header.h"

#define BLOCK (1u << 16)

/* Standard input is opened again, so that its reading position stays. */
static const char *file_of(const char *path)
{
	return strcmp(path, "-") == 0 ? "/proc/self/fd/0" : path;
}

static struct input *open_packed(const char *path, struct err *err)
{
	struct stat st;
	struct input *in = NULL;
	if (stat(file_of(path), &st) != 0 || !S_ISREG(st.st_mode))
		fail(err, "no file");
	else
		in = input_open(file_of(path), err);
	if (!in || !input_is_plain_file(in))
		return in;
	input_close(in);
	fail(err, "not compressed");
	return NULL;
}

bool perf_packed_is(const char *path)
{
	char magic[8];
	size_t n = 0;
	ssize_t got = 1;
	struct input *in = open_packed(path, NULL);
	while (in && n < sizeof magic && (got = input_read(in, magic + n, sizeof magic - n, NULL)) > 0)
		n += (size_t)got;
	if (in)
		input_close(in);
	return perfdata_header_has_magic(magic, n);
}

/* The tables after a recording's data take kilobytes to megabytes. Anything further out is no part of it. */
#define MOST_TABLES ((uint64_t)64 << 20)

/* The length by the header (perf_header.c); UINT64_MAX: the recording came through a pipe, or was cut short. */
static uint64_t length_of(const char *header, size_t n)
{
	struct perfdata_header h;
	struct err unused;
	bool is_known =
		n >= HEADER_FILE_SIZE && perfdata_header_parse(&h, header, &unused) && !h.is_pipe && h.data_size;
	return is_known && h.data_size <= UINT64_MAX / 4 ? h.data + h.data_size + MOST_TABLES : UINT64_MAX;
}

/* Bytes that may be written: a small file can unpack to more than the file system holds. */
static uint64_t room_for(int fd)
{
	struct statvfs fs;
	return fstatvfs(fd, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize / 2 : UINT64_MAX;
}

static bool copy_all(struct input *in, int fd, const atomic_bool *stop, struct err *err)
{
	uint64_t done = 0, length = 0, room = room_for(fd);
	char block[BLOCK];
	ssize_t n;
	while ((n = input_read(in, block, sizeof block, err)) > 0) {
		length = done ? length : length_of(block, (size_t)n);
		if (done >= length)
			return true;
		if (done + (uint64_t)n > room)
			return fail(err,
			            "unpacked, the recording takes more than half of the free space for temporary files (name "
			            "another directory in TMPDIR, or unpack it first)");
		if (atomic_load(stop))
			return false;
		if (write_all(fd, block, (size_t)n) < (size_t)n)
			return fail_errno(err, "temporary file for the unpacked recording");
		done += (uint64_t)n;
	}
	return n == 0;
}

int perf_packed_unpack(const char *path, const atomic_bool *stop, struct err *err)
{
	struct input *in = open_packed(path, err);
	int fd = in ? scratch_open(err) : -1;
	if (fd >= 0 && !copy_all(in, fd, stop, err)) {
		close(fd);
		fd = -1;
	}
	if (in)
		input_close(in);
	return fd;
}
