/*
 * output.h - a file that appears only when it is complete.
 *
 * Data go to a temporary file next to the target; output_commit() renames it over the target. On any earlier
 * failure output_abandon() removes it and leaves the old target untouched. "-" is standard output; it, devices and
 * pipes are written in place. An existing target keeps its permissions (permissions.h); a symbolic link is
 * followed, unless another user put it into a directory that everyone may write to.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "err.h"
#include "progress.h"

struct output;

struct output *output_open(const char *path, struct err *err); /* NULL: failed */
/* Gets the bytes of an output, n > 0 of them. Returns 0, or an errno, after which there are no more. */
typedef int output_sink(void *arg, const void *bytes, size_t n);
/* Writes to a function instead of a file; `name` is for messages. */
struct output *output_open_sink(const char *name, output_sink *, void *arg);
/* As output_open(), but a new file is only for those who may read the file on the descriptor `like`. */
struct output *output_open_like(const char *path, int like, struct err *err);
/*
 * The descriptor that "-", /dev/stdout or /dev/fd/3 means; -1: none that may be written to. Opening such a name
 * anew would lose the position.
 */
int output_descriptor(const char *path);
/* Does the path lead to a terminal? */
bool output_names_terminal(const char *path);
bool output_is_terminal(const struct output *);
/*
 * From now on, all writes and output_commit() fail once this is cancelled: the old target stays. NULL: nothing
 * cancels.
 */
void output_follow(struct output *, struct progress *);
/* Has a write failed? output_commit() says why. */
bool output_has_failed(const struct output *);
/* Would output_open() succeed? Changes nothing. Devices and pipes, which opening would disturb, always pass. */
bool output_check(const char *path, struct err *err);
/*
 * For a file that another program will write: fails if another user has planted something at this path. Checks no
 * permissions of its own.
 */
bool output_check_place(const char *path, struct err *err);
/* What output_open_growing() has done, for one of the functions below, which free this. It must not be moved. */
struct growing {
	char *path, *old;    /* after all links, and PATH.old; NULL: there is nothing to undo */
	struct output *made; /* the new file, without its name; NULL: it grows in a file that was there */
	enum { GROWING_AS_BEFORE, GROWING_SWAPPED, GROWING_MOVED } how;
	bool replaces; /* what has the name now, as far as we know */
	bool is_aside;
	char *aside; /* present path of the former PATH.old */
	int slot;    /* see temporary.h */
	int order;   /* the directory, locked, so that others that begin there wait; -1: not open */
};
/*
 * Opens a file that grows in place, such as a recording, for its owner only. A file that is there and not empty is
 * renamed to PATH.old; a PATH.old has the name PATH meanwhile. Neither may still be growing: whoever writes such a
 * file has it locked (flock()), until output_end_growing(). Returns a descriptor, -1 with err: not possible, and
 * everything is as before. A named pipe waits for its reader, until a signal to end arrives, even a blocked one.
 * Until output_settle_growing(), a signal that ends the process, exit() and lack of memory undo all.
 */
int output_open_growing(const char *path, struct growing *, struct err *err);
/*
 * The new file is of use: it gets its name, and what it replaces goes. Call it before the first byte is written to
 * fd, which must be open. false with err: not possible, and everything is as before.
 */
bool output_settle_growing(struct growing *, int fd, struct err *err);
/* The file has grown up: others may rename it now. The descriptor stays open. */
void output_end_growing(int fd);
/* The new file is of no use: it goes, and what has been renamed gets its name back. */
void output_drop_growing(struct growing *);
/* Buffers. output_commit() reports a failed write, so callers may ignore the result. */
bool output_write(struct output *, const void *bytes, size_t n);
/*
 * From now on, each character of UTF-8 beyond ASCII becomes '?': a terminal of another encoding may take its bytes
 * for control characters.
 */
void output_keep_ascii(struct output *);
/* Writes what buf holds and empties it. */
bool output_flush_buf(struct output *, struct buf *);
/* The bytes written so far, for a thread that watches. */
const atomic_uint_fast64_t *output_bytes(const struct output *);
bool output_commit(struct output *, struct err *err); /* frees the output either way */
void output_abandon(struct output *);                 /* frees the output */

#endif
