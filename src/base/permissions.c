/*
 * permissions.c - owner, group, mode and ACL for a file that takes the place of another.
 *
 * Only root can give files away, and only a member of a group can give it a file, so owner and group are kept
 * independently. If the group cannot be kept, the new group gets the rights that both the old group and others had:
 *
 *	rw-rw-r-- alice:team  ->  rw-r--r-- alice:users
 *
 * If the owner cannot be kept, group and others get no right that the old owner did not have.
 *
 * In a file with an ACL the group bits of the mode are the ACL's mask: the upper limit for every entry but those of
 * the owner and of others. Without the ACL, these bits would open the file to the group, so the new bits come from
 * the group's entries.
 */
#include "base/permissions.h"

#include <endian.h>
#include <errno.h>
#include <linux/limits.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"

#define ACL_NAME "system.posix_acl_access"
#define GROUP_AND_OTHERS 077u

struct acl {
	struct posix_acl_xattr_header *bytes; /* NULL: there is none */
	size_t n;                             /* number of entries */
};

static bool has_no_acl(int error)
{
	return error == ENODATA || error == EOPNOTSUPP || error == ENOSYS;
}

/* From the path, or if it is NULL from `fd`. false: there may be an ACL, but it cannot be read. */
static bool acl_read(struct acl *acl, const char *path, int fd)
{
	acl->bytes = mem_alloc(XATTR_SIZE_MAX);
	ssize_t n = path ? lgetxattr(path, ACL_NAME, acl->bytes, XATTR_SIZE_MAX)
	                 : fgetxattr(fd, ACL_NAME, acl->bytes, XATTR_SIZE_MAX);
	int error = errno;
	bool is_known = n >= (ssize_t)sizeof *acl->bytes && le32toh(acl->bytes->a_version) == POSIX_ACL_XATTR_VERSION;
	if (is_known) {
		acl->n = ((size_t)n - sizeof *acl->bytes) / sizeof(struct posix_acl_xattr_entry);
		return true;
	}
	free(acl->bytes);
	acl->bytes = NULL;
	return n < 0 && has_no_acl(error);
}

static struct posix_acl_xattr_entry *acl_entry(const struct acl *acl, size_t i)
{
	return (struct posix_acl_xattr_entry *)(acl->bytes + 1) + i;
}

static unsigned tag_of(const struct posix_acl_xattr_entry *e)
{
	return le16toh(e->e_tag);
}

/* The rights in an entry that occurs at most once. */
static unsigned allowed_to(const struct acl *acl, unsigned tag)
{
	for (size_t i = 0; i < acl->n; i++)
		if (tag_of(acl_entry(acl, i)) == tag)
			return le16toh(acl_entry(acl, i)->e_perm) & 7u;
	return 7;
}

/*
 * The mode of a file that loses its ACL: no wider for group and others than any named entry, whose users join them.
 */
static mode_t mode_without(const struct acl *acl, mode_t mode)
{
	unsigned mask = allowed_to(acl, ACL_MASK), group = allowed_to(acl, ACL_GROUP_OBJ) & mask, others = mode & 7u;
	for (size_t i = 0; i < acl->n; i++) {
		const struct posix_acl_xattr_entry *e = acl_entry(acl, i);
		if (tag_of(e) != ACL_USER && tag_of(e) != ACL_GROUP)
			continue;
		group &= le16toh(e->e_perm) & mask;
		others &= le16toh(e->e_perm) & mask;
	}
	return (mode & ~GROUP_AND_OTHERS) | group << 3 | others;
}

/* For a file whose group changes: the old group's members now count as others, so both entries get `allowed`. */
static void set_group_and_others(struct acl *acl, unsigned allowed)
{
	for (size_t i = 0; i < acl->n; i++)
		if (tag_of(acl_entry(acl, i)) == ACL_GROUP_OBJ || tag_of(acl_entry(acl, i)) == ACL_OTHER)
			acl_entry(acl, i)->e_perm = htole16((uint16_t)allowed);
}

static bool acl_write(const struct acl *acl, int fd)
{
	return fsetxattr(fd, ACL_NAME, acl->bytes, sizeof *acl->bytes + acl->n * sizeof(struct posix_acl_xattr_entry),
	                 0) == 0;
}

/* Gives fd the ACL and returns the mode that goes with it. */
static mode_t keep_acl(int fd, struct acl *acl, mode_t mode, bool keeps_group)
{
	mode_t bare = mode_without(acl, mode);
	if (!keeps_group) {
		unsigned both = allowed_to(acl, ACL_GROUP_OBJ) & allowed_to(acl, ACL_MASK) & mode;
		set_group_and_others(acl, both);
		mode = (mode & ~07u) | both;
		both = bare >> 3 & bare & 7u;
		bare = (bare & ~GROUP_AND_OTHERS) | both << 3 | both;
	}
	return acl_write(acl, fd) ? mode : bare;
}

/* Drops an ACL that fd inherited from its directory; if that fails, no group bits means the ACL lets no one in. */
static mode_t keep_no_acl(int fd, mode_t mode, bool keeps_group)
{
	unsigned group = mode >> 3 & 7u, others = mode & 7u;
	if (!keeps_group)
		group = others = group & others;
	if (fremovexattr(fd, ACL_NAME) != 0 && !has_no_acl(errno))
		group = 0;
	return (mode & ~GROUP_AND_OTHERS) | group << 3 | others;
}

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
	mode = acl.bytes ? keep_acl(fd, &acl, mode, keeps_group) : keep_no_acl(fd, mode, keeps_group);
	free(acl.bytes);
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
	mode_t mask = umask(0777);
	umask(mask);
	return fstat(from, &old) == 0 && copy(fd, NULL, from, &old, 0666 & ~mask);
}
