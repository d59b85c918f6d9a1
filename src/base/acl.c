/*
 * acl.c - an ACL is read and written as the extended attribute in which Linux keeps it; the numbers are its
 * interface.
 *
 * macOS and the BSDs have other interfaces, and there no file inherits rights that its mode denies: only modes
 * count.
 */
#include "base/acl.h"

#include <stdlib.h>

#include "base/platform.h"

#define GROUP_AND_OTHERS 077u

static mode_t without_group(mode_t mode, bool keeps_group, bool is_shut)
{
	unsigned group = mode >> 3 & 7u, others = mode & 7u;
	if (!keeps_group)
		group = others = group & others;
	if (is_shut)
		group = 0;
	return (mode & ~GROUP_AND_OTHERS) | group << 3 | others;
}

void acl_deinit(struct acl *acl)
{
	free(acl->bytes);
	*acl = (struct acl){NULL, 0};
}

#if ON_LINUX

#include <errno.h>
#include <stdint.h>
#include <sys/xattr.h>

#include "base/byte_order.h"
#include "base/mem.h"

#define ACL_NAME "system.posix_acl_access"
#define MOST_BYTES 65536
#define VERSION 2

/* Little-endian, as are the entries, which follow it. */
struct acl_bytes {
	uint32_t version;
};

struct acl_entry {
	uint16_t tag, rights;
	uint32_t id;
};

enum { ACL_USER = 2, ACL_GROUP_OBJ = 4, ACL_GROUP = 8, ACL_MASK = 16, ACL_OTHER = 32 }; /* tag */

static bool has_no_acl(int error)
{
	return error == ENODATA || error == EOPNOTSUPP || error == ENOSYS;
}

bool acl_read(struct acl *acl, const char *path, int fd)
{
	acl->bytes = mem_alloc(MOST_BYTES);
	ssize_t n =
		path ? lgetxattr(path, ACL_NAME, acl->bytes, MOST_BYTES) : fgetxattr(fd, ACL_NAME, acl->bytes, MOST_BYTES);
	int error = errno;
	bool is_known = n >= (ssize_t)sizeof *acl->bytes && little32(acl->bytes->version) == VERSION;
	if (is_known) {
		acl->n = ((size_t)n - sizeof *acl->bytes) / sizeof(struct acl_entry);
		return true;
	}
	free(acl->bytes);
	acl->bytes = NULL;
	return n < 0 && has_no_acl(error);
}

static struct acl_entry *acl_entry(const struct acl *acl, size_t i)
{
	return (struct acl_entry *)(acl->bytes + 1) + i;
}

static unsigned tag_of(const struct acl_entry *e)
{
	return little16(e->tag);
}

/* The rights in an entry that occurs at most once. */
static unsigned allowed_to(const struct acl *acl, unsigned tag)
{
	for (size_t i = 0; i < acl->n; i++)
		if (tag_of(acl_entry(acl, i)) == tag)
			return little16(acl_entry(acl, i)->rights) & 7u;
	return 7;
}

/*
 * The mode of a file that loses its ACL: no wider for group and others than any named entry, whose users join them.
 */
static mode_t mode_without(const struct acl *acl, mode_t mode)
{
	unsigned mask = allowed_to(acl, ACL_MASK), group = allowed_to(acl, ACL_GROUP_OBJ) & mask, others = mode & 7u;
	for (size_t i = 0; i < acl->n; i++) {
		const struct acl_entry *e = acl_entry(acl, i);
		if (tag_of(e) != ACL_USER && tag_of(e) != ACL_GROUP)
			continue;
		group &= little16(e->rights) & mask;
		others &= little16(e->rights) & mask;
	}
	return (mode & ~GROUP_AND_OTHERS) | group << 3 | others;
}

static void set_rights(struct acl *acl, unsigned tag, unsigned rights)
{
	for (size_t i = 0; i < acl->n; i++)
		if (tag_of(acl_entry(acl, i)) == tag)
			acl_entry(acl, i)->rights = little16((uint16_t)rights);
}

/* What every entry of a named group allows. */
static unsigned allowed_to_groups(const struct acl *acl)
{
	unsigned rights = 7;
	for (size_t i = 0; i < acl->n; i++)
		if (tag_of(acl_entry(acl, i)) == ACL_GROUP)
			rights &= little16(acl_entry(acl, i)->rights);
	return rights;
}

static bool acl_write(const struct acl *acl, int fd)
{
	return fsetxattr(fd, ACL_NAME, acl->bytes, sizeof *acl->bytes + acl->n * sizeof(struct acl_entry), 0) == 0;
}

mode_t acl_keep(int fd, struct acl *acl, mode_t mode, bool keeps_group)
{
	mode_t bare = mode_without(acl, mode);
	if (!keeps_group) {
		unsigned both = allowed_to(acl, ACL_GROUP_OBJ) & allowed_to(acl, ACL_MASK) & mode;
		/* Members of the old group are others now; those of the new one may be in a group that has an entry. */
		set_rights(acl, ACL_OTHER, both);
		set_rights(acl, ACL_GROUP_OBJ, both & allowed_to_groups(acl));
		mode = (mode & ~07u) | both;
		both = bare >> 3 & bare & 7u;
		bare = (bare & ~GROUP_AND_OTHERS) | both << 3 | both;
	}
	return acl_write(acl, fd) ? mode : bare;
}

mode_t acl_drop(int fd, mode_t mode, bool keeps_group)
{
	return without_group(mode, keeps_group, fremovexattr(fd, ACL_NAME) != 0 && !has_no_acl(errno));
}

#else

bool acl_read(struct acl *acl, const char *path, int fd)
{
	(void)path;
	(void)fd;
	*acl = (struct acl){NULL, 0};
	return true;
}

mode_t acl_keep(int fd, struct acl *acl, mode_t mode, bool keeps_group)
{
	(void)acl;
	return acl_drop(fd, mode, keeps_group);
}

mode_t acl_drop(int fd, mode_t mode, bool keeps_group)
{
	(void)fd;
	return without_group(mode, keeps_group, false);
}

#endif
