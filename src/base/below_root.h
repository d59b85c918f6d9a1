/*
 * below_root.h - finds a file in a copy of a machine's files.
 *
 * Its links, absolute or not, lead to where they lead on that machine, and ".." no further up than its root, as
 * after chroot(2). They are resolved once, so that programs which get the path follow none on this machine.
 */
#ifndef BASE_BELOW_ROOT_H
#define BASE_BELOW_ROOT_H

#include "base/buf.h"

/*
 * Appends the path on this machine of the file `name` of the machine whose files are below root; the file need not
 * exist. A name that leads through more than 40 links becomes one that does not exist. A root of "" is "/", for
 * which the name is left as it is.
 */
void below_root_add(const char *root, const char *name, struct buf *out);
/* The same; the caller frees it. */
char *below_root(const char *root, const char *name);
/* The part of a path that is below the root, "/..." ; NULL: it is not below it, or the root is "". */
const char *below_root_name(const char *root, const char *path);

#endif
