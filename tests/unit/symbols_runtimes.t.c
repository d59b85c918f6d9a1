/*
 * Runtimes that compile functions, by the names of their files, and their versions.
 */
#include "symbols/runtimes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

static void is_runtime(const char *path, const char *name)
{
	const struct runtime *r = runtime_of(path);
	is_str(r ? r->name : NULL, name, "%s is %s", path, name ? name : "none");
}

static void test_names(void)
{
	is_runtime("/usr/bin/node", "Node");
	is_runtime("/usr/bin/nodejs", "Node");
	is_runtime("/usr/lib/x86_64-linux-gnu/libnode.so.108", "Node");
	is_runtime("/usr/bin/node_exporter", NULL);
	is_runtime("/opt/node/bin/nodemon", NULL);
	is_runtime("/opt/node/bin/tool", NULL);
	is_runtime("/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so", "Java");
	is_runtime("/usr/lib/jvm/java-17-openjdk-amd64/lib/libjava.so", NULL);
	is_runtime("/usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1/libcoreclr.so", ".NET");
	is_runtime("/usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1/libcoreclrtraceptprovider.so", NULL);
	is_runtime("/usr/bin/ruby3.1", "Ruby");
	is_runtime("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2", "Ruby");
	is_runtime("/usr/lib/erlang/erts-13.1.5/bin/beam.smp", "Erlang");
	is_runtime("/usr/lib/x86_64-linux-gnu/libluajit-5.1.so.2.1.0", "LuaJIT");
	is_runtime("/usr/sbin/php-fpm8.2", "PHP");
	is_runtime("/usr/bin/phpize", NULL);
	is_runtime("//anon", NULL);
	is_runtime("[vdso]", NULL);
	is_runtime("", NULL);
	for (const struct runtime *r = runtimes; r->name; r++)
		ok(r->how && r->files[0], "%s has a name and advice", r->name);
	is_str(runtimes[RUNTIME_JAVA].name, "Java", "the numbers fit");
}

static void named(int which, const char *path, const char *file, const char *name)
{
	struct buf b;
	buf_init(&b);
	runtime_add_name(&b, &runtimes[which], path, file);
	is_str(buf_str(&b), name, "%s: %s", path, name);
	buf_deinit(&b);
}

static void test_paths(void)
{
	named(RUNTIME_JAVA, "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so", NULL, "Java 17");
	named(RUNTIME_JAVA, "/usr/lib/jvm/java-1.8.0-openjdk/jre/lib/libjvm.so", NULL, "Java 8");
	named(RUNTIME_JAVA, "/opt/java/lib/server/libjvm.so", NULL, "Java");
	named(RUNTIME_JAVA, "/opt/java-/java-999999999999999999/libjvm.so", NULL, "Java");
	named(RUNTIME_DOTNET, "/usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1/libcoreclr.so", NULL, ".NET 8");
	named(RUNTIME_NODE, "/opt/node-v20.11.1-linux-x64/bin/node", NULL, "Node 20");
	named(RUNTIME_RUBY, "/usr/lib/libruby-3.1.so.3.1.2", NULL, "Ruby 3.1");
	named(RUNTIME_PHP, "/usr/bin/php8.2", NULL, "PHP 8.2");
	named(RUNTIME_PHP, "/usr/bin/php8", NULL, "PHP 8");
	named(RUNTIME_ERLANG, "/usr/lib/erlang/erts-13.1.5/bin/beam.smp", NULL, "Erlang");
	named(RUNTIME_NODE, "/usr/bin/node", "/nowhere/node", "Node");
	named(RUNTIME_NODE, "/usr/bin/node", "/dev/zero", "Node");
}

/* The version lies across the pieces in which a file is read. */
static void test_contents(void)
{
	char path[] = "/tmp/runtime-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		bail_out("no file");
	fputs("node-version node-v", f);
	fseek(f, (256 << 10) - 64 - 5, SEEK_SET);
	fputs("node-v20.11.1.tar.gz", f);
	fseek(f, (256 << 10) * 2 - 64 - 10, SEEK_SET);
	fputs("JRE (21.0.1+12)", f);
	fclose(f);
	named(RUNTIME_NODE, "/usr/bin/node", path, "Node 20");
	named(RUNTIME_JAVA, "/opt/java-17/libjvm.so", path, "Java 21");
	named(RUNTIME_PHP, "/usr/bin/php8.2", path, "PHP 8.2");
	unlink(path);
}

int main(void)
{
	test_names();
	test_paths();
	test_contents();
	ok(runtime_is_memory("//anon") && runtime_is_memory("[anon:v8]") && runtime_is_memory("/dev/zero (deleted)") &&
	       runtime_is_memory("/memfd:doublemapper (deleted)"),
	   "memory that programs fill with code");
	ok(!runtime_is_memory("/usr/bin/node") && !runtime_is_memory("[vdso]") && !runtime_is_memory("[heap]"),
	   "files and other memory are not");
	return done_testing();
}
