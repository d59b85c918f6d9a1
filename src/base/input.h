/*
 * input.h - bytes from a file or a pipe, decompressed by magic (gzip, zstd, xz), not by name. UTF-16 becomes UTF-8.
 *
 * Truncated or corrupt compressed data: input_read() delivers everything before the fault, then fails.
 * Decompression is streaming and its memory is bounded (windows of at most 128 MiB).
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "err.h"

struct input;

/* path "-" is standard input. Messages call it path ("stdin" for "-"). A directory is an error. */
struct input *input_open(const char *path, struct err *err); /* NULL: failed */
/*
 * For a file that goes with the profiles and is read whole. Pipes and devices, which could block for ever, are
 * errors, except /dev/null and a pipe that the shell opened (/dev/fd/63).
 */
struct input *input_open_whole(const char *path, struct err *err);
/* Takes over fd and closes it with the input. */
struct input *input_fd(int fd, const char *name, struct err *err);
void input_close(struct input *);

/* Up to n bytes; 0 at the end; -1 on failure. Retries EINTR; a short read is not the end. */
ssize_t input_read(struct input *, void *bytes, size_t n, struct err *err);
/* The same at an offset, for several threads at once; only if input_is_plain_file(). */
ssize_t input_pread(const struct input *, void *bytes, size_t n, uint64_t offset, struct err *err);

/*
 * Appends all that is left, bounded as by input_bound(). false with err: it cannot be read, or is more than `most`
 * bytes.
 */
bool input_read_all(struct input *, size_t most, struct buf *out, struct err *err);
/* The same with the file that input_open_whole() opens. */
bool input_read_file(const char *path, size_t most, struct buf *out, struct err *err);

/*
 * For readers that keep much of their input: from now on, compressed input fails once it expands to more than 256
 * MiB and more than 200 times its size.
 */
void input_bound(struct input *);
/* The rule, for streams that are unpacked elsewhere: bytes that came out of so many. */
#define INPUT_BOMB "more than 256 MiB, and more than 200 times its size, come out of it"
static inline bool input_is_bomb(uint64_t made, uint64_t taken)
{
	return made > UINT64_C(256) << 20 && made / 200 > taken;
}

const char *input_name(const struct input *);
bool input_is_plain_file(const struct input *); /* regular, not compressed: size known, input_pread() works */
uint64_t input_size(const struct input *);      /* bytes on disk (compressed size if compressed); 0: unknown */
uint64_t input_consumed(const struct input *);  /* bytes taken from the file or pipe so far, for a progress bar */
/* The underlying descriptor, for poll(). */
int input_descriptor(const struct input *);

#endif
