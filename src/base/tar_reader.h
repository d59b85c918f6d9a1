/*
 * tar_reader.h - takes a tar archive apart, without a file system: bytes go in, members come out.
 *
 * It reads ustar, pax and GNU names and sizes. Only regular files come out as members. Sizes bound nothing here:
 * the hooks decide how much they take.
 */
#ifndef BASE_TAR_READER_H
#define BASE_TAR_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define TAR_BLOCK 512u
#define TAR_NAME_MAX 4095u /* bytes of a member's name */

/* Each returns false, with err, to end the reading. */
struct tar_hooks {
	bool (*begin)(void *arg, const char *name, uint64_t size, struct err *err); /* the name is as in the archive */
	bool (*data)(void *arg, const void *bytes, size_t n, struct err *err);
	bool (*end)(void *arg, struct err *err); /* all bytes of the member have come */
	bool (*bad_name)(void *arg, const char *name,
	                 struct err *err); /* a file with a longer name, or with a NUL in it */
	bool (*other)(void *arg, const char *name, struct err *err); /* a link or a device; not for directories */
};

struct tar_reader;

/* The hooks must outlive the reader. */
struct tar_reader *tar_reader_new(const struct tar_hooks *, void *arg);
void tar_reader_free(struct tar_reader *);

/*
 * Takes the next bytes, cut anywhere. false with err: a header is damaged, a file is sparse, or a hook said so.
 * What follows the end of the archive is ignored.
 */
bool tar_reader_feed(struct tar_reader *, const void *bytes, size_t n, struct err *err);
/* Has the mark come that ends an archive? */
bool tar_reader_is_at_end(const struct tar_reader *);

/* Is this the first block of an archive? Writes the name of its first member. */
bool tar_is(const void *bytes, size_t n, char name[TAR_NAME_MAX + 1]);

#endif
