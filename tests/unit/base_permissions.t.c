/*
 * Replacing a file gives nobody new rights: owner, group and ACL entries are each kept if possible, and one that
 * cannot be kept gives nothing to others.
 */
#include "tests/tap.h"

#include <endian.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/output.h"
#include "base/platform.h"

/* Replaces the C library's function: a file system that takes no ACL. */
static bool is_refused;
int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	if (!is_refused)
		return (int)syscall(SYS_fsetxattr, fd, name, value, size, flags);
	errno = EPERM;
	return -1;
}

#define ACCESS "system.posix_acl_access"
#define DEFAULT "system.posix_acl_default"
#define WRITER 65534
#define TEAM 60
#define OTHERS 61

static char dir[] = "/tmp/flametop-permissions-XXXXXX";
static char path[100];

static void put(uid_t owner, gid_t group, mode_t mode)
{
	unlink(path);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	if (fd < 0 || fchown(fd, owner, group) != 0 || fchmod(fd, mode) != 0 || close(fd) != 0)
		bail_out("cannot make %s", path);
}

static int replace(void)
{
	struct err err = {""};
	struct output *out = output_open(path, &err);
	output_write(out, "new", out ? 3 : 0);
	return out && output_commit(out, &err) ? 0 : 1;
}

/* Acts as another user, whose group is OTHERS, and who is in `group`, too. */
static bool replace_as_writer(gid_t group)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (setgroups(1, &group) != 0 || setgid(OTHERS) != 0 || setuid(WRITER) != 0)
			_exit(2);
		_exit(replace());
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static struct stat look(void)
{
	struct stat st = {0};
	if (stat(path, &st) != 0)
		bail_out("%s is gone", path);
	return st;
}

static void test_group(void)
{
	static const struct {
		mode_t before, after;
	} modes[] = {{0660, 0600}, {0640, 0600}, {0664, 0644}, {0606, 0600}, {0646, 0644}, {02770, 0700}};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		put(WRITER, TEAM, modes[i].before);
		ok(replace_as_writer(OTHERS), "a file of a group that cannot be kept is replaced");
		is_int(look().st_gid, OTHERS, "by one of the writer's group");
		is_int(look().st_mode & 07777, modes[i].after, "and %04o gives nothing to it that others did not have",
		       modes[i].before);
	}
	put(0, TEAM, 0664);
	ok(replace_as_writer(TEAM), "a file of another owner is replaced by a member of its group");
	is_int(look().st_uid, WRITER, "who owns it then");
	is_int(look().st_gid, TEAM, "it keeps its group");
	is_int(look().st_mode & 07777, 0664, "and its rights");
	put(1, TEAM, 0066);
	ok(replace_as_writer(TEAM), "one that shuts its owner out is replaced, too");
	is_int(look().st_mode & 07777, 0, "and lets nobody in, for the old owner may be among the group and others");
	put(WRITER, TEAM, 0660);
	is_int(replace(), 0, "root replaces a file");
	is_int(look().st_uid, WRITER, "which keeps its owner");
	is_int(look().st_gid, TEAM, "and its group");
}

/* user::rw- user:1:rw- user:2:--- group::GROUP mask::rw- other::OTHER */
static bool set_acl(const char *file, const char *name, uint16_t group, uint16_t other)
{
	struct {
		uint16_t tag, allowed;
		uint32_t id;
	} entries[] = {{1, 6, UINT32_MAX},     {2, 6, 1},           {2, 0, 2},
	               {4, group, UINT32_MAX}, {16, 6, UINT32_MAX}, {32, other, UINT32_MAX}};
	char bytes[4 + sizeof entries] = {2};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		entries[i].tag = htole16(entries[i].tag);
		entries[i].allowed = htole16(entries[i].allowed);
		entries[i].id = htole32(entries[i].id);
	}
	memcpy(bytes + 4, entries, sizeof entries);
	return ON_LINUX && setxattr(file, name, bytes, sizeof bytes, 0) == 0;
}

/* Rights in the n-th entry of the file's ACL; -1: there is none. */
static int allowed(size_t n)
{
	unsigned char bytes[500];
	ssize_t len = getxattr(path, ACCESS, bytes, sizeof bytes);
	return len > (ssize_t)(4 + 8 * n) ? bytes[4 + 8 * n + 2] : -1;
}

static void test_acl(void)
{
	put(WRITER, TEAM, 0600);
	if (!set_acl(path, ACCESS, 0, 0)) {
		skip("no ACLs here");
		return;
	}
	is_int(replace(), 0, "root replaces a file that has an ACL");
	is_int(allowed(1), 6, "whom the ACL lets in is let in");
	is_int(allowed(3), 0, "the group that it does not let in is not");
	is_int(look().st_mode & 07777, 0660, "the permissions look as before");
	is_int(look().st_gid, TEAM, "the group is the same");
	put(WRITER, TEAM, 0600);
	set_acl(path, ACCESS, 6, 4);
	ok(replace_as_writer(OTHERS), "its owner replaces it without being in its group");
	is_int(allowed(1), 6, "the ACL is kept");
	is_int(allowed(3), 4, "the writer's group gets the rights common to the old group and others");
	is_int(allowed(5), 4, "and so may others");
	put(WRITER, TEAM, 0600);
	set_acl(path, ACCESS, 0, 4);
	ok(replace_as_writer(OTHERS), "the same where the group is shut out");
	is_int(allowed(3), 0, "then the writer's group is");
	is_int(allowed(5), 0, "and all other users, for the old group is among them");
}

/* user::rw- group::rw- group:ID:ALLOWED mask::rw- other::rw- */
static bool set_group_acl(uint32_t id, uint16_t rights)
{
	const struct {
		uint16_t tag, allowed;
		uint32_t id;
	} entries[] = {{htole16(1), htole16(6), UINT32_MAX},
	               {htole16(4), htole16(6), UINT32_MAX},
	               {htole16(8), htole16(rights), htole32(id)},
	               {htole16(16), htole16(6), UINT32_MAX},
	               {htole16(32), htole16(6), UINT32_MAX}};
	char bytes[4 + sizeof entries] = {2};
	memcpy(bytes + 4, entries, sizeof entries);
	return ON_LINUX && setxattr(path, ACCESS, bytes, sizeof bytes, 0) == 0;
}

/* Whoever is in two groups has the rights of both, so the new group must not open what another entry closes. */
static void test_named_groups(void)
{
	static const struct {
		uint32_t id;
		uint16_t rights;
		const char *who;
	} cases[] = {{OTHERS, 0, "the writer's group"},
	             {OTHERS, 4, "the writer's group from writing"},
	             {OTHERS + 1, 0, "a third group, whose members may be in it"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(WRITER, TEAM, 0600);
		if (!set_group_acl(cases[i].id, cases[i].rights)) {
			skip("no ACLs here");
			return;
		}
		ok(replace_as_writer(OTHERS), "an entry shuts out %s", cases[i].who);
		is_int(allowed(1), cases[i].rights, "so does that of the file's group");
		is_int(allowed(2), cases[i].rights, "the entry stays");
		is_int(allowed(4), 6, "others have what they had");
	}
	put(WRITER, TEAM, 0600);
	set_group_acl(OTHERS, 0);
	ok(replace_as_writer(TEAM), "where the group is kept");
	is_int(allowed(1), 6, "it keeps its rights");
}

static void test_lost_acl(void)
{
	static const struct {
		uint16_t group, others;
		bool is_root;
		mode_t after;
	} cases[] = {{0, 0, true, 0600}, {6, 0, true, 0600}, {6, 4, true, 0600}, {6, 4, false, 0600}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(WRITER, TEAM, 0600);
		if (!set_acl(path, ACCESS, cases[i].group, cases[i].others)) {
			skip("no ACLs here");
			return;
		}
		is_refused = true;
		ok(cases[i].is_root ? replace() == 0 : replace_as_writer(OTHERS),
		   "a file is replaced, its ACL cannot be kept");
		is_refused = false;
		is_int(look().st_mode & 07777, cases[i].after, "whom the ACL shuts out is shut out still");
	}
}

static void test_inherited_acl(void)
{
	put(WRITER, TEAM, 0660);
	if (!set_acl(dir, DEFAULT, 6, 0)) {
		skip("no ACLs here");
		return;
	}
	is_int(replace(), 0, "a file without an ACL is replaced where new files get one");
	is_int(allowed(1), -1, "the new file has none");
	is_int(look().st_mode & 07777, 0660, "and the same permissions");
	removexattr(dir, DEFAULT);
}

/* A file made from the one at `path`; that name stands for it from then on. */
static void make_from(void)
{
	static char made[sizeof path + 8];
	struct err err = {""};
	int fd = open(path, O_RDONLY);
	snprintf(made, sizeof made, "%s.made", path);
	struct output *out = output_open_like(made, fd, &err);
	close(fd);
	if (!out || !output_commit(out, &err) || rename(made, path) != 0)
		bail_out("%s", err.text);
}

static void test_made(void)
{
	put(WRITER, TEAM, 0640);
	make_from();
	ok(look().st_uid == WRITER && look().st_gid == TEAM,
	   "a file that is made from another has its owner and group");
	is_int(look().st_mode & 07777, 0640, "and its mode");
	put(WRITER, TEAM, 0755);
	umask(027);
	make_from();
	umask(0);
	is_int(look().st_mode & 07777, 0640, "without what the umask takes, and never to be executed");
	put(WRITER, TEAM, 0600);
	if (!set_acl(path, ACCESS, 0, 0)) {
		skip("no ACLs here");
		return;
	}
	make_from();
	is_int(allowed(1), 6, "whom the other's ACL lets in is let in");
	is_int(allowed(3), 0, "its group is not, whatever the mode looks like");
	put(WRITER, TEAM, 0600);
	set_acl(dir, DEFAULT, 6, 6);
	make_from();
	removexattr(dir, DEFAULT);
	is_int(allowed(1), -1, "a directory that gives ACLs gives it none");
	is_int(look().st_mode & 07777, 0600, "and its mode lets in its owner alone");
}

int main(void)
{
	umask(0);
	if (geteuid() != 0)
		skip_all("only root can make files of another user");
	if (mkdtemp(dir) == NULL || chmod(dir, 0777) != 0)
		bail_out("cannot make a directory");
	snprintf(path, sizeof path, "%s/file", dir);
	test_group();
	test_acl();
	test_named_groups();
	test_lost_acl();
	test_inherited_acl();
	test_made();
	unlink(path);
	is_int(rmdir(dir), 0, "nothing is left");
	return done_testing();
}
