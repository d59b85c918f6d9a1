/*
 * words.c - builds argument vectors and starts programs with them.
 *
 * No shell sees a word, so nothing in a file name, a command or an option has a special meaning:
 *
 *	perf  record  -F  997  -o  /proc/71/fd/5  --  grep  -r  a;b  .
 */
#include "words.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/shell_word.h"

void words_init(struct words *w)
{
	*w = (struct words){0};
	w->v = mem_grow(w->v, &w->cap, 1, sizeof *w->v);
	w->v[0] = NULL;
}

void words_deinit(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct words){0};
}

static void words_take(struct words *w, char *word)
{
	mem_push(w->v, w->n, w->cap, word);
	if (w->n == w->cap)
		w->v = mem_grow(w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n] = NULL;
}

void words_add(struct words *w, const char *word)
{
	words_take(w, mem_strdup(word));
}

void words_addf(struct words *w, const char *fmt, ...)
{
	struct buf text;
	va_list ap;
	buf_init(&text);
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	words_take(w, buf_take(&text));
}

/* Reads a quoted part, from after its opening quote to after its closing one; NULL: it is not closed. */
static const char *take_quoted(struct buf *word, const char *p, char quote)
{
	for (; *p && *p != quote; p++) {
		bool is_escape = quote == '"' && *p == '\\' && p[1] && strchr("\"\\$`", p[1]);
		p += is_escape;
		buf_addc(word, *p);
	}
	return *p ? p + 1 : NULL;
}

bool words_split(struct words *w, const char *text, struct err *err)
{
	static const char blanks[] = " \t\n";
	const char *p = text + strspn(text, blanks);
	struct buf word;
	while (*p) {
		buf_init(&word);
		while (p && *p && !strchr(blanks, *p)) {
			char c = *p++;
			if (c == '\'' || c == '"')
				p = take_quoted(&word, p, c);
			else
				buf_addc(&word, c == '\\' && *p ? *p++ : c);
		}
		if (!p) {
			buf_deinit(&word);
			return fail(err, "a quotation is not closed in: %s", text);
		}
		words_take(w, buf_take(&word));
		p += strspn(p, blanks);
	}
	return true;
}

void words_say(const struct words *w)
{
	struct buf line;
	buf_init(&line);
	for (size_t i = 0; i < w->n; i++) {
		buf_adds(&line, i ? " " : "+ ");
		shell_word_add(&line, w->v[i]);
	}
	err_print(buf_str(&line));
	buf_deinit(&line);
}

bool words_spawn(const struct words *w, const struct streams *s, pid_t *child, struct err *err)
{
	int e = child_start((const char *const *)w->v, s, child);
	return e == 0 || fail(err, "cannot start '%s': %s", w->v[0], strerror(e));
}

static bool is_executable(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool words_find_program(const char *name, char *path)
{
	const char *dirs = getenv("PATH");
	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_executable(name);
	for (const char *p = dirs ? dirs : "/usr/bin:/bin";; p++) {
		size_t n = strcspn(p, ":");
		int len = snprintf(path, PATH_MAX, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
		if (len > 0 && len < PATH_MAX && is_executable(path))
			return true;
		p += n;
		if (!*p)
			return false;
	}
}

bool words_is_program(const char *name)
{
	char path[PATH_MAX];
	return words_find_program(name, path);
}
