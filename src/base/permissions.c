/*
 * permissions.c - owner, group, mode and ACL for a file that takes the place of another.
 *
 * Only root can give files away, and only a member of a group can give it a file, so owner and group are kept
 * independently. If the group cannot be kept, the new group gets the rights that both the old group and others had:
 *
 *	rw-rw-r-- alice:team  ->  rw-r--r-- alice:users
 *
 * If the owner cannot be kept, group and others get no right that the old owner did not have.
 */
#include "base/permissions.h"

#include <unistd.h>

#include "base/acl.h"
#include "base/process.h"

#define GROUP_AND_OTHERS 077u

static bool copy(int fd, const char *path, int from, const struct stat *old, mode_t allowed)
{
	struct acl acl = {0};
	mode_t mode = old->st_mode & 07777;
	bool keeps_group = fchown(fd, (uid_t)-1, old->st_gid) == 0;
	bool keeps_owner = fchown(fd, old->st_uid, (gid_t)-1) == 0;
	if (!keeps_group || !keeps_owner)
		mode &= 0777;
	if (!acl_read(&acl, path, from))
		mode &= ~GROUP_AND_OTHERS;
	mode = acl.bytes ? acl_keep(fd, &acl, mode, keeps_group) : acl_drop(fd, mode, keeps_group);
	acl_deinit(&acl);
	if (!keeps_owner) /* the old one may be in the group now, or one of the others */
		mode &= 0700u | (mode >> 6 & 7u) << 3 | (mode >> 6 & 7u);
	return fchmod(fd, mode & allowed) == 0;
}

bool permissions_copy(int fd, const char *path, const struct stat *old)
{
	return copy(fd, path, -1, old, 07777);
}

bool permissions_copy_from(int fd, int from)
{
	struct stat old;
	return fstat(from, &old) == 0 && copy(fd, NULL, from, &old, 0666 & ~process_umask());
}
