/*
 * permissions.h - owner, group, mode and ACL for a file that takes the place of another.
 *
 * What cannot be kept lets nobody in: the new file is never open to anyone whom the old one shut out.
 */
#ifndef BASE_PERMISSIONS_H
#define BASE_PERMISSIONS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * From the file at `path`, which is no link and of which `old` is known, to fd. false with errno: the mode cannot
 * be set.
 */
bool permissions_copy(int fd, const char *path, const struct stat *old);

#endif
