/*
 * debug_file.c - where the debug information and copies of an ELF file are.
 *
 * For /usr/bin/x with the build id abcdef..., in this order:
 *
 *	/usr/lib/debug/.build-id/ab/cdef....debug           of the same build id
 *	~/.debug/.build-id/ab/cdef.../debug                 perf's copies, likewise; with --symfs=DIR first DIR/.debug
 *	/usr/bin/NAME, /usr/bin/.debug/NAME,                NAME from .gnu_debuglink, of its checksum or build id
 *	/usr/lib/debug/usr/bin/NAME, /usr/lib/debug/bin/NAME
 *	a debuginfod server                                 by build id, only if asked to
 */
#include "symbols/debug_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/descriptor.h"
#include "base/mem.h"

#define LINK_MAX 4096u

static char *joined(const char *a, const char *b)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s", a, b);
	return buf_take(&path);
}

void debug_paths_init(struct debug_paths *p, const char *root, const char *const *debug, const char *cache)
{
	const char *home = getenv("HOME");
	size_t cap = 0;
	*p = (struct debug_paths){.root = mem_strdup(root ? root : ""), .sums = debug_sums_new()};
	p->are_below_root = !debug;
	if (!debug)
		mem_push(p->debug, p->n, cap, mem_strdup("/usr/lib/debug"));
	for (size_t i = 0; debug && debug[i]; i++)
		mem_push(p->debug, p->n, cap, mem_strdup(debug[i]));
	if (cache)
		p->cache = *cache ? mem_strdup(cache) : NULL;
	else if (home && *home == '/')
		p->cache = joined(home, "/.debug");
}

void debug_paths_deinit(struct debug_paths *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->debug[i]);
	free(p->debug);
	free(p->cache);
	free(p->root);
	debug_sums_free(p->sums);
}

static void add_build_id(struct buf *path, const char *directory, const uint8_t *id, size_t n)
{
	buf_addf(path, "%s/.build-id/%02x/", directory, id[0]);
	for (size_t i = 1; i < n; i++)
		buf_addf(path, "%02x", id[i]);
}

/* Takes ownership of path; NULL: nothing is there. */
static char *if_there(char *path)
{
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *debug_cache_path(const struct debug_paths *p, const uint8_t *build_id, size_t n, const char *name)
{
	struct buf end;
	char *path = NULL;
	if (n < 2)
		return NULL;
	buf_init(&end);
	add_build_id(&end, "", build_id, n);
	buf_addf(&end, "/%s", name);
	if (*p->root) {
		char *below = joined("/.debug", buf_str(&end));
		path = if_there(below_root(p->root, below));
		free(below);
	}
	if (!path && p->cache)
		path = if_there(joined(p->cache, buf_str(&end)));
	buf_deinit(&end);
	return path;
}

char *debug_path(const struct debug_paths *p, size_t i, const char *name)
{
	char *path = joined(p->debug[i], name), *found = below_root(p->are_below_root ? p->root : "", path);
	free(path);
	return found;
}

char *debug_build_id_path(const struct debug_paths *p, size_t i, const uint8_t *build_id, size_t n)
{
	struct buf name;
	if (i >= p->n || n < 2)
		return NULL;
	buf_init(&name);
	add_build_id(&name, "", build_id, n);
	buf_adds(&name, ".debug");
	char *path = debug_path(p, i, buf_str(&name));
	buf_deinit(&name);
	return path;
}

/* Most files that are sought are not here. One that is here must not be missing in silence. */
static bool open_debug(const struct debug_paths *p, const char *path, struct elf_file *debug)
{
	struct err err = {""};
	errno = 0;
	if (elf_file_open(debug, path, &err))
		return true;
	if (p->report && descriptor_is_lacking(errno))
		report_add(p->report, NOTE_WARN,
		           "functions may have no names or other ones, as debug information is not read", NULL, 0, err.text,
		           strlen(err.text));
	return false;
}

/* Do both files have the build id? */
static bool is_of_build_id(const struct elf_file *debug, const uint8_t *id, size_t n)
{
	uint8_t other[BUILD_ID_MAX];
	return build_id_is_same(id, n, other, elf_build_id(debug, other));
}

/* Takes ownership of path. */
static char *try_build_id(const struct debug_paths *p, char *path, const uint8_t *id, size_t n,
                          struct elf_file *debug)
{
	if (path && open_debug(p, path, debug)) {
		if (is_of_build_id(debug, id, n))
			return path;
		elf_file_close(debug);
	}
	free(path);
	return NULL;
}

static char *by_build_id(const struct debug_paths *p, const uint8_t *id, size_t n, struct elf_file *debug)
{
	char *path = NULL;
	for (size_t i = 0; !path && i < p->n; i++)
		path = try_build_id(p, debug_build_id_path(p, i, id, n), id, n, debug);
	return path ? path : try_build_id(p, debug_cache_path(p, id, n, "debug"), id, n, debug);
}

struct link {
	const char *name;
	uint32_t checksum;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
};

static bool has_checksum(const struct debug_paths *p, const char *path, const struct elf_file *debug,
                         uint32_t wanted)
{
	static const char why[] = "checksums of debug files are read up to 4 GiB in all";
	bool was_full = debug_sums_are_full(p->sums);
	uint32_t sum;
	if (debug_sums_get(p->sums, debug, &sum))
		return sum == wanted;
	if (p->report && !was_full && debug_sums_are_full(p->sums))
		report_add(p->report, NOTE_WARN, why, path, 0, NULL, 0);
	return false;
}

/* A build id is as good as a checksum over hundreds of megabytes. Takes ownership of path. */
static char *try_link(const struct debug_paths *p, char *path, const struct link *link, struct elf_file *debug)
{
	if (open_debug(p, path, debug)) {
		uint8_t id[BUILD_ID_MAX];
		size_t n = elf_build_id(debug, id);
		bool has_ids = n > 0 && link->n_id > 0;
		if (has_ids ? build_id_is_same(id, n, link->id, link->n_id) : has_checksum(p, path, debug, link->checksum))
			return path;
		elf_file_close(debug);
	}
	free(path);
	return NULL;
}

/* Below the root, the path of a file is resolved there. */
static char *resolved(const struct debug_paths *p, struct buf *path)
{
	const char *name = below_root_name(p->root, buf_str(path));
	char *found = name ? below_root(p->root, name) : mem_strdup(buf_str(path));
	buf_deinit(path);
	return found;
}

static char *beside(const struct debug_paths *p, const char *directory, size_t len, const char *between,
                    const char *name)
{
	struct buf path;
	buf_init(&path);
	buf_add(&path, directory, len);
	buf_addf(&path, "%s%s", between, name);
	return resolved(p, &path);
}

/* In debug directory number i. */
static char *in_debug(const struct debug_paths *p, size_t i, const char *before, const char *directory, size_t len,
                      const char *name)
{
	struct buf path;
	buf_init(&path);
	buf_adds(&path, before);
	buf_add(&path, directory, len);
	buf_addf(&path, "/%s", name);
	char *found = debug_path(p, i, buf_str(&path));
	buf_deinit(&path);
	return found;
}

/* /bin is /usr/bin on many machines. */
static char *by_directory(const struct debug_paths *p, const struct link *link, const char *directory, size_t len,
                          struct elf_file *debug)
{
	bool has_usr = len > 4 && strncmp(directory, "/usr/", 5) == 0;
	const char *other = has_usr ? directory + 4 : directory;
	char *found = NULL;
	for (size_t i = 0; !found && i < p->n; i++) {
		found = try_link(p, in_debug(p, i, "", directory, len, link->name), link, debug);
		if (!found)
			found = try_link(
				p, in_debug(p, i, has_usr ? "" : "/usr", other, len - (size_t)(other - directory), link->name),
				link, debug);
	}
	return found;
}

/* `path` is the file with the link. */
static char *by_link(const struct debug_paths *p, const struct link *link, const char *path, struct elf_file *debug)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = slash ? (size_t)(slash - path) : 1;
	path = slash ? path : ".";
	char *found =
		strcmp(name, link->name) != 0 ? try_link(p, beside(p, path, len, "/", link->name), link, debug) : NULL;
	if (!found)
		found = try_link(p, beside(p, path, len, "/.debug/", link->name), link, debug);
	const char *recorded = p->are_below_root ? below_root_name(p->root, path) : NULL;
	if (!found && recorded)
		found = by_directory(p, link, recorded, len - (size_t)(recorded - path), debug);
	return found ? found : by_directory(p, link, path, len, debug);
}

/* {name, NUL, padding to 4, u32}; false: damaged. */
static bool read_link(const struct elf_file *elf, const unsigned char *bytes, size_t n, struct link *link)
{
	size_t len = strnlen((const char *)bytes, n), at = (len + 4) & ~(size_t)3;
	if (len == 0 || at + 4 > n || memchr(bytes, '/', len))
		return false;
	link->name = (const char *)bytes;
	link->checksum = elf_u32(elf, bytes + at);
	return true;
}

static bool lacks_something(const struct debug_paths *p, const struct elf_file *elf)
{
	return !elf_debug_section(elf, ".debug_info") && (p->wants_lines || !elf_section_named(elf, ".symtab"));
}

char *debug_file_open(const struct debug_paths *p, const struct elf_file *elf, const char *path,
                      struct elf_file *debug)
{
	struct link link;
	size_t n;
	link.n_id = elf_build_id(elf, link.id);
	char *found = link.n_id > 0 ? by_build_id(p, link.id, link.n_id, debug) : NULL;
	if (found)
		return found;
	unsigned char *bytes = elf_section_bytes(elf, elf_section_named(elf, ".gnu_debuglink"), LINK_MAX, &n);
	if (bytes && read_link(elf, bytes, n, &link))
		found = by_link(p, &link, path, debug);
	free(bytes);
	if (!found && p->remote && link.n_id > 0 && lacks_something(p, elf))
		found = try_build_id(p, debuginfod_fetch(p->remote, DEBUGINFOD_DEBUG, link.id, link.n_id, path), link.id,
		                     link.n_id, debug);
	return found;
}

/* {name, NUL, build id}; false: damaged. */
static bool read_alt_link(struct debug_alt *alt, const unsigned char *bytes, size_t n)
{
	size_t len = strnlen((const char *)bytes, n);
	if (len == 0 || len + 2 >= n)
		return false;
	alt->n_build_id = n - len - 1 < BUILD_ID_MAX ? n - len - 1 : BUILD_ID_MAX;
	memcpy(alt->build_id, bytes + len + 1, alt->n_build_id);
	alt->name = mem_strdup((const char *)bytes);
	return true;
}

/* The link's own name, below the root, or beside the file with the link. */
static char *named_alt(const struct debug_paths *p, const char *name, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (*name == '/')
		return below_root(p->root, name);
	return beside(p, path, slash ? (size_t)(slash - path) : 0, slash ? "/" : "", name);
}

void debug_alt_find(struct debug_alt *alt, const struct debug_paths *p, const struct elf_file *elf,
                    const char *path)
{
	struct elf_file file;
	size_t n;
	unsigned char *bytes = elf_section_bytes(elf, elf_section_named(elf, ".gnu_debugaltlink"), LINK_MAX, &n);
	*alt = (struct debug_alt){0};
	if (bytes && read_alt_link(alt, bytes, n)) {
		alt->path = by_build_id(p, alt->build_id, alt->n_build_id, &file);
		if (!alt->path)
			alt->path = try_build_id(p, named_alt(p, alt->name, path), alt->build_id, alt->n_build_id, &file);
		if (alt->path)
			elf_file_close(&file);
	}
	free(bytes);
}

void debug_alt_deinit(struct debug_alt *alt)
{
	free(alt->name);
	free(alt->path);
}
