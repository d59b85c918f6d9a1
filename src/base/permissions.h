/*
 * permissions.h - owner, group, mode and ACL for a file that takes the place of another.
 *
 * If something cannot be kept, access narrows: the new file is never open to a user whom the old one shut out.
 */
#ifndef BASE_PERMISSIONS_H
#define BASE_PERMISSIONS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Copies them from the file at `path` (not a link), whose stat is `old`, to fd. false: the mode cannot be set;
 * errno is set.
 */
bool permissions_copy(int fd, const char *path, const struct stat *old);
/* The same from an open file, for one that is made from it: without the rights that the umask takes. */
bool permissions_copy_from(int fd, int from);

#endif
