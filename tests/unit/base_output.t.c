/*
 * Writing: a file appears complete or not at all.
 */
#include "tests/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nameless_file.h"
#include "base/output.h"
#include "base/platform.h"

#define STRANGER 65534

static char dir[] = "/tmp/flametop-output-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[4][300];
	static unsigned turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
	return path[turn];
}

static const char *content(const char *path)
{
	static char text[1000];
	FILE *f = fopen(path, "rb");
	if (f == NULL)
		return NULL;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

static int files_in(const char *path)
{
	int n = 0;
	DIR *d = opendir(path);
	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n - 2;
}

static void empty(const char *path)
{
	struct dirent *e;
	DIR *d = opendir(path);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

static bool write_text(const char *path, const char *text, struct err *err)
{
	struct output *out = output_open(path, err);
	if (out == NULL)
		return false;
	output_write(out, text, strlen(text));
	return output_commit(out, err);
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static void test_new_file(void)
{
	struct err err = {""};
	const char *path = path_of("new");
	struct output *out = output_open(path, &err);
	ok(out != NULL, "an output can be opened");
	ok(output_write(out, "one ", 4) && output_write(out, "", 0), "and written to");
	struct buf b;
	buf_init(&b);
	buf_adds(&b, "two");
	ok(output_flush_buf(out, &b), "a buffer can be written");
	is_int(b.len, 0, "and is empty then");
	ok(access(path, F_OK) != 0, "the file is not there before it is complete");
	ok(output_commit(out, &err), "the output can be completed");
	is_str(content(path), "one two", "then it has the new contents");
	is_int(mode_of(path), 0666 & ~022, "and the permissions that the umask leaves");
	is_int(files_in(dir), 1, "and is alone");
	unlink(path);
	buf_deinit(&b);
}

static void test_large(void)
{
	struct err err = {""};
	struct output *out = output_open(path_of("large"), &err);
	char *block = mem_alloc(100000);
	for (size_t i = 0; i < 100000; i++)
		block[i] = (char)('a' + i % 26);
	size_t total = 0;
	for (size_t n = 1; n < 100000; n = n * 3 + 1) {
		output_write(out, block, n);
		output_write(out, block + n, 7);
		total += n + 7;
	}
	ok(output_commit(out, &err), "pieces of every size are written");
	struct stat st;
	ok(stat(path_of("large"), &st) == 0 && st.st_size == (off_t)total, "and all of them arrive");
	free(block);
	unlink(path_of("large"));
}

static void test_replacing(void)
{
	struct err err = {""};
	const char *path = path_of("old");
	put(path, "old");
	chmod(path, 0640);
	struct output *out = output_open(path, &err);
	output_write(out, "new", 3);
	is_str(content(path), "old", "the old file is untouched while the new one is written");
	output_abandon(out);
	is_str(content(path), "old", "and when that is abandoned");
	is_int(files_in(dir), 1, "which leaves nothing behind");
	ok(write_text(path, "newer", &err), "it can be replaced");
	is_str(content(path), "newer", "by the new one");
	is_int(mode_of(path), 0640, "which has the old one's permissions");
	is_int(files_in(dir), 1, "and leaves nothing behind");
	output_abandon(NULL);
	unlink(path);
}

static void test_links(void)
{
	struct err err = {""};
	mkdir(path_of("sub"), 0700);
	put(path_of("sub/target"), "old");
	if (symlink("sub/target", path_of("link")) != 0 || symlink("link", path_of("link2")) != 0 ||
	    symlink("sub/absent", path_of("dangling")) != 0 || symlink("circle", path_of("circle")) != 0)
		bail_out("no symbolic links here");
	struct stat st;
	ok(write_text(path_of("link2"), "through", &err), "a symbolic link can be written to");
	is_str(content(path_of("sub/target")), "through", "its target is replaced");
	ok(lstat(path_of("link"), &st) == 0 && S_ISLNK(st.st_mode), "and it stays a link");
	ok(write_text(path_of("dangling"), "born", &err), "a link may point to a missing file");
	is_str(content(path_of("sub/absent")), "born", "which is made");
	ok(!write_text(path_of("circle"), "x", &err) && strstr(err.text, "symbolic links") != NULL,
	   "a cycle of links is reported");
	is_int(files_in(path_of("sub")), 2, "nothing else is left");
	static const char *const names[] = {"sub/target", "sub/absent", "link", "link2", "dangling", "circle"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(path_of(names[i]));
	rmdir(path_of("sub"));
}

static void test_errors(void)
{
	struct err err = {""};
	char expected[400];
	ok(!write_text(path_of("absent/file"), "x", &err), "a directory that is not there is an error");
	snprintf(expected, sizeof expected, "%s: cannot write: No such file or directory", path_of("absent/file"));
	is_str(err.text, expected, "and the message says so");
	ok(!write_text(dir, "x", &err) && strstr(err.text, "Is a directory") != NULL, "a directory cannot be written");
	ok(!write_text("", "x", &err), "nor can a file without a name");
	ok(!write_text(path_of("absent/"), "x", &err), "nor one that ends in a slash");
	is_int(files_in(dir), 0, "nothing is left behind");
	if (access("/dev/full", W_OK) != 0) {
		skip("no /dev/full");
		return;
	}
	ok(!write_text("/dev/full", "x", &err), "a full disk is an error");
	is_str(err.text, "/dev/full: cannot write: No space left on device", "and the message says so");
	struct output *out = output_open("/dev/full", &err);
	char block[1000] = {0};
	bool is_written = true;
	for (int i = 0; i < 200; i++)
		is_written &= output_write(out, block, sizeof block);
	ok(!is_written, "a failed write is reported");
	ok(!output_commit(out, &err), "and remembered");
}

/* A limit on the file's size acts like a full disk. */
static void test_disk_full(void)
{
	struct err err = {""};
	put(path_of("old"), "old");
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		struct rlimit limit = {100000, 100000};
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		struct output *out = output_open(path_of("old"), &err);
		char block[1000] = {0};
		for (int i = 0; i < 200; i++)
			output_write(out, block, sizeof block);
		_exit(output_commit(out, &err) ? 0 : strstr(err.text, "File too large") != NULL ? 7 : 8);
	}
	int status;
	waitpid(child, &status, 0);
	is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 7, "a disk that fills up on the way is an error");
	is_str(content(path_of("old")), "old", "the old file is untouched");
	is_int(files_in(dir), 1, "and nothing is left behind");
	unlink(path_of("old"));
}

static void test_killed(void)
{
	struct err err = {""};
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		struct output *out = output_open(path_of("killed"), &err);
		char block[100000] = {0};
		output_write(out, block, sizeof block);
		kill(getpid(), SIGKILL);
	}
	int status;
	waitpid(child, &status, 0);
	ok(access(path_of("killed"), F_OK) != 0, "a process that is killed leaves no half of a file");
	int anonymous = nameless_file_open(dir, 0600);
	if (anonymous >= 0)
		is_int(files_in(dir), 0, "nor a temporary one");
	else
		skip("there are no files without names here");
	close(anonymous);
	empty(dir);
}

/* In a process that is another user's as a whole: before 2.33, faccessat() of glibc asks for the real user. */
static bool is_refused(void)
{
	struct err err = {""};
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) != 0)
			_exit(2);
		_exit(write_text(path_of("mine"), "yours", &err) || !strstr(err.text, "Permission denied"));
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_protected(void)
{
	put(path_of("mine"), "mine");
	chmod(path_of("mine"), 0444);
	chmod(dir, 0777);
	ok(is_refused(), "a file that may not be written is not replaced either");
	chmod(dir, 0700);
	is_str(content(path_of("mine")), "mine", "and keeps its contents");
	unlink(path_of("mine"));
}

/* The target is not to blame: it exists, and may be written. */
static void test_directory_without_room(void)
{
	struct err err = {""};
	bool is_root = geteuid() == 0;
	mkdir(path_of("sub"), 0700);
	put(path_of("sub/mine"), "mine");
	chmod(path_of("sub/mine"), 0666);
	chmod(path_of("sub"), 0555);
	if (is_root && (chmod(dir, 0777) != 0 || seteuid(STRANGER) != 0))
		bail_out("cannot become another user");
	ok(!write_text(path_of("sub/mine"), "yours", &err), "a file is not replaced where no new file can be made");
	ok(strstr(err.text, "cannot write: its directory takes no new files: Permission denied") != NULL,
	   "and the message says where");
	ok(!write_text(path_of("sub/new"), "yours", &err), "nor can a new one be made");
	if (is_root && (seteuid(0) != 0 || chmod(dir, 0700) != 0))
		bail_out("cannot become root again");
	is_str(content(path_of("sub/mine")), "mine", "the old one keeps its contents");
	chmod(path_of("sub"), 0700);
	unlink(path_of("sub/mine"));
	rmdir(path_of("sub"));
	if (access("/proc/self", F_OK) != 0) {
		skip("no /proc");
		return;
	}
	ok(!write_text("/proc/flametop.svg", "x", &err), "/proc takes no files");
	ok(strstr(err.text, "cannot write: its directory takes no new files") != NULL, "and the message says so");
	ok(strstr(err.text, "No such file") == NULL, "rather than that something is missing");
}

static void test_check(void)
{
	struct err err = {""};
	put(path_of("old"), "old");
	ok(output_check(path_of("old"), &err), "a file can be written");
	is_str(content(path_of("old")), "old", "and asking changes nothing");
	ok(output_check(path_of("new"), &err), "so can a new one");
	is_int(files_in(dir), 1, "which is not made by that");
	ok(!output_check(path_of("no/such"), &err) && strstr(err.text, "cannot write: No such file") != NULL,
	   "one in no directory cannot");
	ok(!output_check(dir, &err), "nor can a directory");
	ok(output_check("-", &err) && output_check("/dev/null", &err), "streams and devices are taken as they are");
	if (mkfifo(path_of("fifo"), 0600) != 0)
		bail_out("no pipes");
	ok(output_check(path_of("fifo"), &err), "and a pipe without waiting for its reader");
	unlink(path_of("fifo"));
	unlink(path_of("old"));
}

static void test_in_place(void)
{
	struct err err = {""};
	ok(write_text("/dev/null", "x", &err), "a device is written in place");
	int ends[2], saved = dup(STDOUT_FILENO);
	char text[20] = "";
	if (mkfifo(path_of("fifo"), 0600) != 0 || pipe(ends) != 0)
		bail_out("no pipes");
	int reader = open(path_of("fifo"), O_RDONLY | O_NONBLOCK);
	ok(write_text(path_of("fifo"), "piped", &err), "so is a named pipe");
	ssize_t n = read(reader, text, sizeof text);
	is_mem(text, (size_t)n, "piped", 5, "and its reader gets it");
	close(reader);
	unlink(path_of("fifo"));
	if (symlink("/dev/stdout", path_of("linked")) != 0)
		bail_out("cannot make a link");
	char *linked = mem_strdup(path_of("linked"));
	const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", linked};
	/* Without Linux, where links of /proc lead to is not known. */
	for (size_t i = 0; i < sizeof names / sizeof *names - !ON_LINUX; i++) {
		fflush(stdout);
		dup2(ends[1], STDOUT_FILENO);
		bool is_written = write_text(names[i], "standard", &err);
		bool is_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
		dup2(saved, STDOUT_FILENO);
		ok(is_written && is_open, "%s is standard output and stays open", names[i]);
		n = read(ends[0], text, sizeof text);
		is_mem(text, (size_t)n, "standard", 8, "and gets the output");
	}
	close(saved);
	close(ends[0]);
	close(ends[1]);
	unlink(linked);
	free(linked);
}

/* What others append to the same open file stays. */
static void test_descriptor(void)
{
	struct err err;
	char name[32], text[32] = "";
	int fd = open(path_of("log"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	bool is_written = write(fd, "first ", 6) == 6 && write_text(name, "ours", &err) && write(fd, " last", 5) == 5;
	ssize_t n = pread(fd, text, sizeof text, 0);
	ok(is_written, "a descriptor can be a target");
	is_mem(text, (size_t)n, "first ours last", 15, "and keeps its position and what is before");
	close(fd);
	unlink(path_of("log"));
}

/* --- files of another user in a shared directory --- */

static void plant_link(const char *name, const char *to)
{
	if (symlink(to, path_of(name)) != 0 || lchown(path_of(name), STRANGER, STRANGER) != 0)
		bail_out("cannot plant a link");
}

static void refuses(const char *name, const char *victim, const char *what)
{
	struct err err = {""};
	char before[100];
	snprintf(before, sizeof before, "%s", victim ? content(path_of(victim)) : "");
	bool is_refused = !write_text(path_of(name), "ours", &err) && strstr(err.text, "Permission denied") != NULL;
	ok(is_refused && !output_check(path_of(name), &err), "%s is not written to", what);
	ok(!output_check_place(path_of(name), &err), "nor is another program asked to");
	if (victim)
		is_str(content(path_of(victim)), before, "and nothing becomes of the target");
}

static void follows(const char *name, const char *what)
{
	struct err err = {""};
	put(path_of("victim"), "old");
	ok(write_text(path_of(name), "ours", &err), "%s is followed", what);
	is_str(content(path_of("victim")), "ours", "to its target");
	put(path_of("victim"), "old");
}

static void test_planted_links(void)
{
	plant_link("open/link", "../victim");
	plant_link("open/dangling", "../unborn");
	plant_link("open/inside", "..");
	if (symlink("open/link", path_of("mine")) != 0 || symlink("../victim", path_of("open/own")) != 0)
		bail_out("no symbolic links here");
	refuses("open/link", "victim", "a link of another user in a sticky directory");
	refuses("mine", "victim", "a link of our own to such a link");
	refuses("open/dangling", NULL, "such a link to a missing file");
	ok(access(path_of("unborn"), F_OK) != 0, "and nothing is made");
	follows("open/own", "a link of our own in there");
	follows("open/inside/victim", "another user's link to a directory, as by the kernel,");
	chmod(path_of("open"), 0777);
	follows("open/link", "another user's link in a directory that is not sticky");
	chmod(path_of("open"), 01755);
	follows("open/link", "one where only we could have put it");
	chmod(path_of("open"), 01777);
	if (chown(path_of("open"), STRANGER, STRANGER) != 0)
		bail_out("cannot give a directory away");
	follows("open/link", "a link of the directory's owner");
	if (chown(path_of("open"), 0, 0) != 0)
		bail_out("cannot take a directory back");
}

static void test_planted_files(void)
{
	put(path_of("open/file"), "old");
	if (mkfifo(path_of("open/fifo"), 0666) != 0 || chown(path_of("open/fifo"), STRANGER, STRANGER) != 0 ||
	    chown(path_of("open/file"), STRANGER, STRANGER) != 0)
		bail_out("cannot give files away");
	refuses("open/file", "open/file", "a file of another user in a sticky directory");
	int reader = open(path_of("open/fifo"), O_RDONLY | O_NONBLOCK);
	struct err err = {""};
	ok(!write_text(path_of("open/fifo"), "x", &err), "nor is another user's pipe");
	close(reader);
	put(path_of("open/own file"), "old");
	ok(output_check_place(path_of("open/own file"), &err) && output_check_place(path_of("open/new"), &err) &&
	       output_check_place(dir, &err),
	   "all other places are for other programs to judge");
	ok(write_text(path_of("open/own file"), "new", &err), "a file of our own in there can be written");
}

static void test_planted(void)
{
	static const char *const names[] = {"open/link", "open/dangling", "open/inside", "open/own", "open/file",
	                                    "open/fifo", "open/own file", "mine",        "victim"};
	if (geteuid() != 0) {
		skip("only root can make files of another user");
		return;
	}
	mkdir(path_of("open"), 0700);
	chmod(path_of("open"), 01777);
	put(path_of("victim"), "old");
	test_planted_links();
	test_planted_files();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(path_of(names[i]));
	rmdir(path_of("open"));
}

/* A link in /proc names a file, which may have been replaced or removed. */
static void test_descriptor_links(void)
{
	struct err err = {""};
	char link[64], text[20] = "";
	int fd = open(path_of("gone"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	unlink(path_of("gone"));
	snprintf(link, sizeof link, "/proc/thread-self/fd/%d", fd);
	if (!ON_LINUX || fd < 0 || access(link, F_OK) != 0 || symlink(link, path_of("to fd")) != 0) {
		skip("no /proc, or not known as such");
		close(fd);
		return;
	}
	ok(write_text(path_of("to fd"), "in place", &err), "a link to an open file is written to");
	is_int(pread(fd, text, sizeof text, 0), 8, "the file gets it");
	is_str(text, "in place", "as it is");
	is_int(files_in(dir), 1, "and no other file is made");
	close(fd);
	unlink(path_of("to fd"));
}

/* --- recordings --- */

static int growing_fd;

static bool begins(const char *name, struct growing *g, struct err *err)
{
	growing_fd = output_open_growing(path_of(name), g, err);
	return growing_fd >= 0;
}

static void settles(struct growing *g, const char *name)
{
	struct err err = {""};
	ok(output_settle_growing(g, growing_fd, &err), "%s", name);
	is_int(write(growing_fd, "new", 3), 3, "and can be written to");
	close(growing_fd);
}

static void drops(struct growing *g)
{
	output_drop_growing(g);
	close(growing_fd);
}

static void test_growing(void)
{
	struct err err = {""};
	struct growing g;
	put(path_of("r"), "first");
	chmod(path_of("r"), 0644);
	put(path_of("r.old"), "zeroth");
	ok(begins("r", &g, &err), "a recording can begin where another one is");
	drops(&g);
	is_str(content(path_of("r")), "first", "if it does not, that one is still there");
	is_str(content(path_of("r.old")), "zeroth", "and so is the one before");
	is_int(files_in(dir), 2, "and nothing else");
	ok(begins("r", &g, &err), "the next one can");
	settles(&g, "it gets its name");
	is_str(content(path_of("r")), "new", "if it does, it has the name");
	is_str(content(path_of("r.old")), "first", "and the one before has the name with .old");
	is_int(mode_of(path_of("r")), 0600, "only its owner can read it");
	is_int(files_in(dir), 2, "nothing else is left");
	unlink(path_of("r"));
	ok(begins("r", &g, &err), "one can begin where only a recording with .old is");
	drops(&g);
	is_str(content(path_of("r.old")), "first", "which keeps its name");
	put(path_of("r"), "");
	ok(begins("r", &g, &err), "an empty file is no recording");
	drops(&g);
	is_str(content(path_of("r")), "", "and stays");
	is_str(content(path_of("r.old")), "first", "as does the one with .old");
	ok(begins("r", &g, &err), "it is replaced");
	settles(&g, "it gets its name");
	is_str(content(path_of("r")), "new", "by the recording");
	is_str(content(path_of("r.old")), "first", "and never has the name with .old");
	is_int(files_in(dir), 2, "nothing is left of it");
	unlink(path_of("r"));
	unlink(path_of("r.old"));
}

static void keeps(const char *name, const char *why)
{
	struct err err = {""};
	struct growing g;
	int n = files_in(dir);
	ok(!begins(name, &g, &err), "a recording that cannot be renamed is not replaced: %s", why);
	ok(strstr(err.text, "cannot be renamed to") && strstr(err.text, why), "and the message says so");
	is_str(content(path_of(name)), "first", "it keeps its bytes");
	is_int(files_in(dir), n, "and there is no other file");
}

static bool is_second_refused(const char *name, const char *why)
{
	struct err err = {""};
	struct growing g;
	int fd = output_open_growing(path_of(name), &g, &err);
	if (fd < 0)
		return strstr(err.text, why);
	output_drop_growing(&g);
	close(fd);
	return false;
}

/* While one grows, nobody else takes its name, or renames it. */
static void test_growing_twice(void)
{
	struct err err = {""};
	struct growing g;
	begins("r", &g, &err);
	ok(output_settle_growing(&g, growing_fd, &err), "a recording grows");
	ok(is_second_refused("r", "another recording is being written to "), "another one under its name is refused");
	ok(!is_second_refused("other", ""), "but not one beside it");
	rename(path_of("r"), path_of("r.old"));
	put(path_of("r"), "second");
	ok(is_second_refused("r", "r.old"), "nor is it replaced if it has been renamed to the name with .old");
	is_str(content(path_of("r")), "second", "what is there stays");
	output_end_growing(growing_fd);
	ok(!is_second_refused("r", ""), "once it is complete, a new one can begin");
	close(growing_fd);
	unlink(path_of("r"));
	unlink(path_of("r.old"));
	ok(begins("r", &g, &err), "one begins without a file there");
	put(path_of("r"), "foreign");
	ok(!output_settle_growing(&g, growing_fd, &err), "a file that has come meanwhile is not replaced: %s",
	   err.text);
	is_str(content(path_of("r")), "foreign", "it stays");
	close(growing_fd);
	unlink(path_of("r"));
}

static void test_growing_refused(void)
{
	char name[254];
	put(path_of("r"), "first");
	if (mkdir(path_of("r.old"), 0700) != 0)
		bail_out("cannot make a directory");
	keeps("r", "Is a directory");
	rmdir(path_of("r.old"));
	unlink(path_of("r"));
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	put(path_of(name), "first");
	keeps(name, "File name too long");
	unlink(path_of(name));
}

/* Ends a process that has opened a recording: by the signal, or by exit() with 0. */
static void ends_early(int sig)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		struct err err = {""};
		struct growing g;
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		begins("r", &g, &err);
		if (sig)
			raise(sig);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	is_str(content(path_of("r")), "first", "signal %d: a recording that did not begin gives the name back", sig);
	is_int(files_in(dir), access(path_of("r.old"), F_OK) == 0 ? 2 : 1, "and leaves no other file");
}

static void test_growing_dies(void)
{
	static const int signals[] = {SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, 0};
	put(path_of("r"), "first");
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		ends_early(signals[i]);
	is_int(access(path_of("r.old"), F_OK), -1, "nothing has the name with .old");
	put(path_of("r.old"), "zeroth");
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		ends_early(signals[i]);
	is_str(content(path_of("r.old")), "zeroth", "and what has it keeps it");
	unlink(path_of("r"));
	unlink(path_of("r.old"));
}

static void as_stranger(void (*test)(void))
{
	fflush(stdout);
	if (seteuid(STRANGER) != 0)
		bail_out("cannot become another user");
	test();
	if (seteuid(0) != 0)
		bail_out("cannot become root again");
}

static void in_a_full_directory(void)
{
	struct err err = {""};
	struct growing g;
	keeps("full/r", "Permission denied");
	ok(begins("full/empty", &g, &err), "an empty file in a directory that takes no new ones takes a recording");
	settles(&g, "it gets its name");
	is_int(mode_of(path_of("full/empty")), 0600, "for its owner only");
	ok(!begins("full/foreign", &g, &err), "but not one of another user");
	is_str(content(path_of("full/foreign")), "", "which stays empty");
}

static void in_a_sticky_directory(void)
{
	keeps("open/r", "Operation not permitted");
}

static void test_growing_of_others(void)
{
	static const char *const names[] = {"full/r", "full/empty", "full/foreign", "open/r", "open/r.old"};
	static const char *const contents[] = {"first", "", "", "first", "of root"};
	if (geteuid() != 0) {
		skip("only root can make files of another user");
		return;
	}
	chmod(dir, 0755);
	mkdir(path_of("full"), 0755);
	mkdir(path_of("open"), 0700);
	chmod(path_of("open"), 01777);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		put(path_of(names[i]), contents[i]);
		bool is_roots = strstr(names[i], "foreign") || strstr(names[i], ".old");
		if (chmod(path_of(names[i]), 0666) != 0 || (!is_roots && chown(path_of(names[i]), STRANGER, STRANGER) != 0))
			bail_out("cannot give a file away");
	}
	as_stranger(in_a_full_directory);
	as_stranger(in_a_sticky_directory);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(path_of(names[i]));
	rmdir(path_of("full"));
	rmdir(path_of("open"));
}

int main(void)
{
	umask(022);
	if (mkdtemp(dir) == NULL)
		bail_out("cannot make a directory");
	test_new_file();
	test_large();
	test_replacing();
	test_links();
	test_errors();
	test_disk_full();
	test_killed();
	test_protected();
	test_directory_without_room();
	test_check();
	test_in_place();
	test_planted();
	test_descriptor();
	test_descriptor_links();
	test_growing();
	test_growing_twice();
	test_growing_refused();
	test_growing_dies();
	test_growing_of_others();
	is_int(files_in(dir), 0, "all tests clean up");
	rmdir(dir);
	return done_testing();
}
