/*
 * debug_links.c - looks at the files that binutils would open.
 *
 * For /usr/bin/x with a link to NAME they try, whatever the build id:
 *
 *	/usr/bin/NAME, /usr/bin/.debug/NAME, /usr/lib/debug/usr/bin/NAME, /usr/lib/debug/usr/usr/bin/NAME
 *	.build-id/ab/cdef.debug, .debug/.build-id/..., /usr/lib/debug/.build-id/...
 */
#include "symbols/debug_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/regular.h"
#include "symbols/elf_file.h"

#define LINK_MAX ((size_t)64 << 10)
#define MOST_LEVELS 2 /* from a program to its debug file, and on to what that shares */

static const char *const debug_roots[] = {"/usr/lib/debug", "/usr/lib/debug/usr", "/usr/local/lib/debug"};

static bool look_at(const char *path, int level, struct err *err);

/* What is missing, or may not be read, does no harm. */
static bool is_harmless(const char *path, int level, struct err *err)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return true;
	errno = 0;
	int fd = regular_open(path, NULL, err);
	if (fd < 0)
		return errno == EACCES;
	close(fd);
	return level == MOST_LEVELS || look_at(path, level, err);
}

static bool are_harmless(const char *root, const char *directory, const char *name, int level, struct err *err)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s%s", root, directory, name);
	bool ok = is_harmless(buf_str(&path), level, err);
	buf_deinit(&path);
	return ok;
}

/* Binutils take the directory as it is given, and without links. */
static bool follow(const char *directory, const char *real, const char *name, int level, struct err *err)
{
	bool ok = are_harmless("", directory, name, level, err) && are_harmless(directory, ".debug/", name, level, err);
	for (size_t i = 0; ok && i < sizeof debug_roots / sizeof *debug_roots; i++)
		ok = are_harmless(debug_roots[i], real, name, level, err) &&
		     are_harmless(debug_roots[i], "/", name, level, err);
	return ok && (*name != '/' || is_harmless(name, level, err));
}

static bool follow_from(const char *path, const char *name, int level, struct err *err)
{
	struct buf directory, real;
	const char *slash = strrchr(path, '/');
	buf_init(&directory);
	buf_init(&real);
	buf_add(&directory, path, slash ? (size_t)(slash + 1 - path) : 0);
	char *resolved = realpath(slash ? buf_str(&directory) : ".", NULL);
	buf_addf(&real, "%s/", resolved ? resolved : "");
	bool ok = follow(buf_str(&directory), buf_str(&real), name, level, err);
	free(resolved);
	buf_deinit(&directory);
	buf_deinit(&real);
	return ok;
}

static bool follow_build_id(const struct elf_file *elf, int level, struct err *err)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n = elf_build_id(elf, id);
	struct buf name;
	bool ok = true;
	buf_init(&name);
	for (size_t i = 0; i < n; i++)
		buf_addf(&name, i ? "%02x" : ".build-id/%02x/", id[i]);
	buf_adds(&name, ".debug");
	if (n > 1) {
		ok = are_harmless("", "", buf_str(&name), level, err) &&
		     are_harmless("", ".debug/", buf_str(&name), level, err);
		for (size_t i = 0; ok && i < sizeof debug_roots / sizeof *debug_roots; i++)
			ok = are_harmless(debug_roots[i], "/", buf_str(&name), level, err);
	}
	buf_deinit(&name);
	return ok;
}

/* The section begins with a name. One that is there, but too large or packed, is no compiler's. */
static bool follow_section(const struct elf_file *elf, const char *path, const char *section, bool has_slashes,
                           int level, struct err *err)
{
	size_t n;
	const struct elf_section *link = elf_section_named(elf, section);
	if (!link || !link->size)
		return true;
	unsigned char *bytes = elf_section_bytes(elf, link, LINK_MAX, &n);
	const char *name = (const char *)bytes;
	bool ok = name && (has_slashes || !strchr(name, '/'))
	              ? follow_from(path, name, level, err)
	              : fail(err, "%s: its %s is no name of a file beside it", path, section);
	free(bytes);
	return ok;
}

static bool look_at(const char *path, int level, struct err *err)
{
	struct elf_file elf;
	if (!elf_file_open(&elf, path, err)) /* binutils know other formats, with links of the same names */
		return false;
	bool ok = follow_section(&elf, path, ".gnu_debuglink", false, level + 1, err) &&
	          follow_section(&elf, path, ".gnu_debugaltlink", true, level + 1, err) &&
	          follow_build_id(&elf, level + 1, err);
	elf_file_close(&elf);
	return ok;
}

bool debug_links_are_fine(const char *path, struct err *err)
{
	return look_at(path, 0, err);
}
