/*
 * temporary_tree.h - a private directory of files, which goes away with the process, however it ends.
 *
 * It is in TMPDIR, else in /var/tmp or /tmp, and only this user can look into it. temporary.h says which ends of
 * the process remove it; SIGKILL leaves it in place.
 */
#ifndef BASE_TEMPORARY_TREE_H
#define BASE_TEMPORARY_TREE_H

#include <stddef.h>

#include "err.h"

struct temporary_tree;

struct temporary_tree *temporary_tree_new(struct err *err); /* NULL: failed */
/* Removes all of it. NULL is fine. */
void temporary_tree_remove(struct temporary_tree *);
/* Leaves it for the rest of the process, whose end removes it. */
void temporary_tree_keep(struct temporary_tree *);

const char *temporary_tree_path(const struct temporary_tree *);   /* without a slash at its end */
size_t temporary_tree_directories(const struct temporary_tree *); /* how many were created in it */
/*
 * Creates a file, and the directories on the way to it, and returns its descriptor, which the caller closes. -1
 * with err: there is one of that name, or it cannot be made. The name is relative, and must not have "." or ".." in
 * it.
 */
int temporary_tree_create(struct temporary_tree *, const char *name, struct err *err);

#endif
