/*
 * source_text.c - finds a source file, and its lines.
 */
#include "base/source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/regular.h"

/* Does an absolute path lie in /proc, /sys or /dev? "." and ".." count as in its text. */
static bool is_name_of_kernel(const char *path)
{
	static const char *const roots[] = {"proc", "sys", "dev"};
	const char *first = "";
	size_t depth = 0, n_first = 0, n;
	if (*path != '/')
		return false;
	for (; *(path += strspn(path, "/")); path += n) {
		n = strcspn(path, "/");
		if (n == 1 && *path == '.')
			continue;
		if (n == 2 && memcmp(path, "..", 2) == 0) {
			depth -= depth > 0;
			continue;
		}
		if (depth++ == 0) {
			first = path;
			n_first = n;
		}
	}
	for (size_t i = 0; depth && i < sizeof roots / sizeof *roots; i++)
		if (n_first == strlen(roots[i]) && memcmp(first, roots[i], n_first) == 0)
			return true;
	return false;
}

/* Does an open file lie there, by whichever name? */
static bool is_there(int fd)
{
	char link[32], path[16];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	return is_name_of_kernel(path);
}

static void find_lines(struct source_text *t)
{
	size_t cap = 0;
	const char *at = t->bytes, *end = t->bytes + t->len;
	while (at < end && t->n_lines < SOURCE_MOST_LINES) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		mem_push(t->lines, t->n_lines, cap, (size_t)(at - t->bytes));
		at = newline ? newline + 1 : end;
	}
	size_t n = t->n_lines;
	mem_push(t->lines, n, cap, (size_t)(at - t->bytes));
}

static struct source_text *new_text(const char *name, const char *bytes, size_t n)
{
	struct source_text *t = mem_zalloc(1, sizeof *t);
	t->path = mem_strdup(name);
	t->bytes = mem_strndup(bytes, n);
	t->len = n;
	find_lines(t);
	return t;
}

struct source_text *source_text_copy(const char *name, const char *bytes, size_t n)
{
	return n <= SOURCE_MOST ? new_text(name, bytes, n) : NULL;
}

static struct source_text *read_text(int fd, const char *path, const struct stat *st, struct err *err)
{
	struct buf bytes;
	buf_init(&bytes);
	if (!regular_read_all(fd, SOURCE_MOST, &bytes, err)) {
		buf_deinit(&bytes);
		return NULL;
	}
	struct source_text *t = new_text(path, bytes.data ? bytes.data : "", bytes.len);
	t->modified = st->st_mtime;
	buf_deinit(&bytes);
	return t;
}

struct source_text *source_text_open_path(const char *path, struct err *err)
{
	struct stat st;
	struct source_text *t = NULL;
	/* regular_open() refuses the kernel's own files; names below /proc lead to what other processes have open. */
	bool is_refused = is_name_of_kernel(path);
	int fd = is_refused ? -1 : regular_open(path, &st, err);
	if (is_refused || (fd >= 0 && is_there(fd)))
		fail(err, "%s: not a source file", path);
	else if (fd >= 0)
		t = read_text(fd, path, &st, err);
	if (fd >= 0)
		close(fd);
	return t;
}

/* Tries DIR/name, then DIR and shorter and shorter ends of the name. */
static struct source_text *open_below(const char *directory, const char *name)
{
	struct source_text *t = NULL;
	struct buf path;
	struct err ignored;
	buf_init(&path);
	for (const char *rest = name; rest && *rest && !t; rest = strchr(rest, '/')) {
		rest += strspn(rest, "/");
		path.len = 0;
		buf_addf(&path, "%s%s%s", directory, *directory ? "/" : "", rest);
		if (*rest && strncmp(rest, "../", 3) != 0 && !strstr(rest, "/../"))
			t = source_text_open_path(buf_str(&path), &ignored);
	}
	buf_deinit(&path);
	return t;
}

struct source_text *source_text_open(const struct source_places *places, const char *name, struct err *err)
{
	struct source_text *t = NULL;
	struct buf path;
	if (!name || !*name) {
		fail(err, "the file is unknown");
		return NULL;
	}
	buf_init(&path);
	if (strncmp(name, "file:///", 8) == 0)
		name += 7;
	if (*name == '/') {
		file_places_add(&places->files, name, &path);
		t = source_text_open_path(buf_str(&path), err);
	} else {
		fail(err, "%s: not found here", name);
	}
	for (const char *const *d = places->directories; d && *d && !t; d++)
		t = open_below(*d, name);
	if (!t)
		t = open_below("", name);
	buf_deinit(&path);
	return t;
}

void source_text_free(struct source_text *t)
{
	if (!t)
		return;
	free(t->path);
	free(t->bytes);
	free(t->lines);
	free(t);
}

const char *source_text_line(const struct source_text *t, uint32_t number, size_t *len)
{
	if (number == 0 || number > t->n_lines)
		return NULL;
	size_t from = t->lines[number - 1], end = t->lines[number];
	while (end > from && (t->bytes[end - 1] == '\n' || t->bytes[end - 1] == '\r'))
		end--;
	*len = end - from < SOURCE_MOST_COLUMNS ? end - from : SOURCE_MOST_COLUMNS;
	return t->bytes + from;
}
