/*
 * below_root.c - goes from name to name, and takes the text of each link in its place.
 */
#include "base/below_root.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define LINKS_MOST 40 /* as in Linux */
#define NO_FILE " (a link that leads to itself)"

struct walk {
	struct buf *out;
	size_t top;      /* length of the root */
	char *rest, *at; /* what is still to be resolved, which begins at `at` */
	unsigned links;
	bool is_gone; /* what is in `out` does not exist */
};

static size_t root_length(const char *root)
{
	size_t n = strlen(root);
	while (n > 0 && root[n - 1] == '/')
		n--;
	return n;
}

static void go_up(struct walk *w)
{
	while (w->out->len > w->top && w->out->data[--w->out->len] != '/')
		;
	w->is_gone = false;
}

/* Goes on with the text of the link that is at the end of `out`. */
static void follow(struct walk *w, const char *target)
{
	struct buf rest;
	buf_init(&rest);
	buf_addf(&rest, "%s/%s", target, w->at);
	free(w->rest);
	w->rest = w->at = buf_take(&rest);
	go_up(w);
	if (*target == '/')
		w->out->len = w->top;
}

/* false: too many links. */
static bool go_down(struct walk *w, const char *name, size_t n)
{
	char target[PATH_MAX];
	buf_addc(w->out, '/');
	buf_add(w->out, name, n);
	if (w->is_gone)
		return true;
	ssize_t got = readlink(buf_str(w->out), target, sizeof target - 1);
	if (got < 0) {
		w->is_gone = errno != EINVAL;
		return true;
	}
	if (w->links++ == LINKS_MOST)
		return false;
	target[got] = '\0';
	follow(w, target);
	return true;
}

/* false: too many links, or nothing is left. */
static bool step(struct walk *w)
{
	const char *name = w->at + strspn(w->at, "/");
	size_t n = strcspn(name, "/");
	w->at = (char *)(uintptr_t)name + n;
	if (n == 2 && memcmp(name, "..", 2) == 0)
		go_up(w);
	else if (n > 0 && !(n == 1 && *name == '.') && !go_down(w, name, n)) {
		buf_adds(w->out, NO_FILE);
		return false;
	}
	return n > 0;
}

void below_root_add(const char *root, const char *name, struct buf *out)
{
	if (!*root) {
		buf_adds(out, name);
		return;
	}
	size_t n = root_length(root);
	buf_add(out, root, n);
	struct walk w = {.out = out, .top = out->len, .rest = mem_strdup(name)};
	w.at = w.rest;
	while (step(&w))
		;
	free(w.rest);
}

char *below_root(const char *root, const char *name)
{
	struct buf path;
	buf_init(&path);
	below_root_add(root, name, &path);
	return buf_take(&path);
}

const char *below_root_name(const char *root, const char *path)
{
	size_t n = root_length(root);
	return *root && strncmp(path, root, n) == 0 && path[n] == '/' ? path + n : NULL;
}
