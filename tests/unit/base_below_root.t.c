/* Files below a root: links and ".." lead to where they lead for who has that root, never out of it. */
#include "base/below_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

static char dir[] = "/tmp/flametop-below-XXXXXX";

static void path_in(const char *name, char path[300])
{
	snprintf(path, 300, "%s%s", dir, name);
}

static void make_directory(const char *name)
{
	char path[300];
	path_in(name, path);
	if (mkdir(path, 0700) != 0)
		bail_out("no directory can be made in /tmp");
}

static void link_to(const char *target, const char *name)
{
	char path[300];
	path_in(name, path);
	if (symlink(target, path) != 0)
		bail_out("no link can be made in /tmp");
}

static void leads_to(const char *name, const char *expected)
{
	char *path = below_root(dir, name);
	is_str(strncmp(path, dir, strlen(dir)) == 0 ? path + strlen(dir) : path, expected, "%s leads to %s", name,
	       expected);
	free(path);
}

static void test_links(void)
{
	leads_to("/usr/lib/x.so.1.0", "/usr/lib/x.so.1.0");
	leads_to("//usr/./lib//x.so.1.0/", "/usr/lib/x.so.1.0");
	leads_to("/usr/lib/absolute", "/usr/lib/x.so.1.0");
	leads_to("/usr/lib/relative", "/usr/lib/x.so.1.0");
	leads_to("/lib/absolute", "/usr/lib/x.so.1.0");
	leads_to("/lib64/relative", "/usr/lib/x.so.1.0");
	leads_to("/lib64/../x", "/usr/x");
	leads_to("/usr/lib/out", "/etc/x");
	leads_to("/usr/lib/root/usr/lib", "/usr/lib");
	leads_to("/usr/lib/beyond", "/gone/x");
	leads_to("/../../etc/x", "/etc/x");
	leads_to("/usr/../../..", "");
	leads_to("/gone/../usr/lib/absolute", "/usr/lib/x.so.1.0");
	leads_to("/gone/a/b", "/gone/a/b");
	leads_to("relative", "/relative");
	leads_to("", "");
}

static void test_loops(void)
{
	char name[40], before[40];
	leads_to("/loop/x", "/loop (a link that leads to itself)");
	leads_to("/loop2", "/loop2 (a link that leads to itself)");
	for (int i = 1; i <= 41; i++) {
		snprintf(name, sizeof name, "/chain%d", i);
		snprintf(before, sizeof before, i == 1 ? "/usr" : "/chain%d", i - 1);
		link_to(before, name);
	}
	leads_to("/chain40", "/usr");
	leads_to("/chain41", "/chain1 (a link that leads to itself)");
}

static void test_roots(void)
{
	char root[300];
	char *path = below_root("", "/usr/../x");
	is_str(path, "/usr/../x", "without a root, a name is as it is");
	free(path);
	snprintf(root, sizeof root, "%s//", dir);
	path = below_root(root, "/lib/absolute");
	ok(strcmp(path + strlen(dir), "/usr/lib/x.so.1.0") == 0, "a root with slashes at its end");
	is_str(below_root_name(root, path), "/usr/lib/x.so.1.0", "the name is found in the path");
	free(path);
	is_str(below_root_name("/a", "/a/b"), "/b", "it begins with a slash");
	ok(!below_root_name("/a", "/ab/c") && !below_root_name("/a", "/b") && !below_root_name("", "/a"),
	   "other paths are not below the root");
}

int main(void)
{
	char command[100];
	if (!mkdtemp(dir))
		bail_out("no directory can be made in /tmp");
	make_directory("/usr");
	make_directory("/usr/lib");
	link_to("/usr/lib/x.so.1.0", "/usr/lib/absolute");
	link_to("x.so.1.0", "/usr/lib/relative");
	link_to("../../../../../etc/x", "/usr/lib/out");
	link_to("/", "/usr/lib/root");
	link_to("/gone/y/../x", "/usr/lib/beyond");
	link_to("/usr/lib", "/lib");
	link_to("usr/./lib", "/lib64");
	link_to("/loop2", "/loop");
	link_to("loop", "/loop2");
	test_links();
	test_loops();
	test_roots();
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command) == 0 ? done_testing() : 1;
}
