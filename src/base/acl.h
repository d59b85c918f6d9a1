/*
 * acl.h - access control lists of files, where the system has those of POSIX's draft.
 *
 * In a file with an ACL the group bits of the mode are the ACL's mask: the upper limit for every entry but those of
 * the owner and of others. Without the ACL, these bits would open the file to the group, so the new bits come from
 * the group's entries.
 */
#ifndef BASE_ACL_H
#define BASE_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct acl_bytes;

struct acl {
	struct acl_bytes *bytes; /* owned; NULL: there is none */
	size_t n;                /* number of entries */
};

/* Reads that of the path, or if it is NULL of `fd`. false: there may be one, but it cannot be read. */
bool acl_read(struct acl *, const char *path, int fd);
void acl_deinit(struct acl *);

/*
 * Gives fd the ACL and returns the mode that goes with it. keeps_group false: the file's group is another now, so
 * the new group and others get only what both of the old ones had, and the new group no more than each entry for a
 * group allows: rights of several groups add up.
 */
mode_t acl_keep(int fd, struct acl *, mode_t mode, bool keeps_group);
/* Drops an ACL that fd inherited from its directory; if that fails, no group bits means the ACL lets no one in. */
mode_t acl_drop(int fd, mode_t mode, bool keeps_group);

#endif
