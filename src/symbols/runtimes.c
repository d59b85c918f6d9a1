/*
 * runtimes.c - runtimes that compile functions while they run, and how each is made to write their names.
 *
 * The version stands in the file itself, as "node-v20.11.1.tar.gz" or "JRE (17.0.15+6)", and often in its path.
 */
#include "symbols/runtimes.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/find.h"
#include "base/mem.h"
#include "base/regular.h"

#define PIECE ((size_t)256 << 10)
#define MOST ((size_t)256 << 20)
#define OVERLAP ((size_t)64) /* of two pieces: a mark and the version after it */

const struct runtime runtimes[] = {
	[RUNTIME_NODE] = {"Node",
                      "start it with --perf-basic-prof --interpreted-frames-native-stack",
                      {"node", "nodejs", "libnode"},
                      "/node-v",
                      "node-v",
                      1},
	[RUNTIME_JAVA] = {"Java",
                      "record it with --enable-perfmap (Java 17 or newer), and start it with "
                      "-XX:+PreserveFramePointer",
                      {"libjvm.so"},
                      "/java-",
                      "JRE (",
                      1},
	[RUNTIME_DOTNET] =
		{".NET",
         "start it with DOTNET_PerfMapEnabled=1, or record it with --enable-perfmap (.NET 8 or newer)",
         {"libcoreclr.so"},
         "/Microsoft.NETCore.App/",
         "@(#)Version ",
         1},
	[RUNTIME_RUBY] = {"Ruby",
                      "start it with --yjit-perf (Ruby 3.3 or newer)",
                      {"ruby", "libruby"},
                      "/libruby-",
                      "site_ruby/",
                      2},
	[RUNTIME_ERLANG] =
		{"Erlang", "start it with +JPperf true (OTP 24 or newer)", {"beam", "beam.smp"}, NULL, NULL, 0},
	[RUNTIME_LUAJIT] = {"LuaJIT",
                        "only one built with LUAJIT_USE_PERFTOOLS writes it",
                        {"luajit", "libluajit"},
                        "/luajit-",
                        "LuaJIT ",
                        2},
	[RUNTIME_PHP] =
		{"PHP", "start it with -d opcache.jit_debug=16", {"php", "libphp"}, "/php", "X-Powered-By: PHP/", 2},
	[N_RUNTIMES] = {NULL, NULL, {NULL}, NULL, NULL, 0},
};

/* "node" and "node-20", but not "node_exporter"; "libnode.so.115". */
static bool is_named(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(name, prefix, n) == 0 && !isalpha((unsigned char)name[n]) && name[n] != '_';
}

const struct runtime *runtime_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (const struct runtime *r = runtimes; r->name; r++)
		for (size_t i = 0; r->files[i]; i++)
			if (is_named(name, r->files[i]))
				return r;
	return NULL;
}

bool runtime_is_memory(const char *name)
{
	static const char *const starts[] = {"//anon", "[anon", "/anon_hugepage", "/memfd:", "/dev/zero", "/SYSV"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/* ---- versions ------------------------------------------------------------------------------------------------ */

/* Appends " 20" from "20.11.1", or " 3.3" with two parts. Java 8 calls itself 1.8. false: no version is there. */
static bool take_version(struct buf *out, const char *text, size_t n, int parts)
{
	size_t len = 0;
	if (parts == 1 && n > 2 && text[0] == '1' && text[1] == '.') {
		text += 2;
		n -= 2;
	}
	for (; len < n && (isdigit((unsigned char)text[len]) || (text[len] == '.' && len && parts > 1)); len++)
		parts -= text[len] == '.';
	if (!len || len == n || len > 8 || !isdigit((unsigned char)text[len - 1]))
		return false;
	buf_addc(out, ' ');
	buf_add(out, text, len);
	return true;
}

static bool find_version(struct buf *out, const char *text, size_t n, const char *mark, int parts)
{
	size_t n_mark = strlen(mark);
	const char *end = text + n, *p = text;
	while ((p = find_bytes(p, (size_t)(end - p), mark, n_mark))) {
		p += n_mark;
		if (take_version(out, p, (size_t)(end - p), parts))
			return true;
	}
	return false;
}

static bool find_in_file(struct buf *out, const struct runtime *r, const char *path)
{
	struct stat st;
	int fd = regular_open(path, &st, NULL);
	size_t size = fd < 0 || st.st_size < 0 ? 0 : (uint64_t)st.st_size < MOST ? (size_t)st.st_size : MOST;
	char *piece = mem_alloc(PIECE);
	bool is_found = false;
	for (size_t at = 0; !is_found && at < size; at += PIECE - OVERLAP) {
		size_t n = size - at < PIECE ? size - at : PIECE;
		if (!regular_read(fd, at, piece, n))
			break;
		is_found = find_version(out, piece, n, r->in_contents, r->parts);
	}
	free(piece);
	if (fd >= 0)
		close(fd);
	return is_found;
}

void runtime_add_name(struct buf *out, const struct runtime *r, const char *path, const char *file)
{
	buf_adds(out, r->name);
	if (r->in_contents && file && find_in_file(out, r, file))
		return;
	if (r->in_path)
		find_version(out, path, strlen(path) + 1, r->in_path, r->parts);
}
