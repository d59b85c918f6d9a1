/*
 * stacks.h - profiles, trees and views for tests, in a readable notation:
 *
 *	struct view v;
 *	view_of(&v, &profile, "main;read 3\n" "main;write 4\n", NULL);
 *
 * and random trees, the same ones for the same seed.
 */
#ifndef TESTS_UNIT_STACKS_H
#define TESTS_UNIT_STACKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "export/export.h"
#include "model/profile.h"
#include "model/tree.h"
#include "model/tree_sums.h"
#include "model/view.h"

#define STACKS_FN __attribute__((unused)) static

/* Adds lines "a;b;c 5" to one side of the profile. */
STACKS_FN void stacks_add(struct profile *p, unsigned side, const char *text)
{
	uint32_t series = profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);

	while (*text) {
		const char *line_end = text + strcspn(text, "\n"), *count = line_end;
		uint32_t path = PATH_ROOT;
		while (count > text && count[-1] != ' ')
			count--;
		for (const char *s = text, *end = count > text ? count - 1 : text; s < end;) {
			size_t len = 0;
			while (s + len < end && s[len] != ';')
				len++;
			path = profile_child(p, path, symtab_intern(&p->symtab, s, len));
			s += len + 1;
		}
		profile_add(p, side, path,
		            &(struct sample){
						.weight = strtoull(count, NULL, 10), .series = series, .time = NO_TIME, .cpu = NO_CPU});
		text = *line_end ? line_end + 1 : line_end;
	}
}

/* A folded view of these stacks; base may be NULL. view_deinit() and profile_deinit() are the caller's. */
STACKS_FN void view_of(struct view *v, struct profile *p, const char *stacks, const char *base)
{
	profile_init(p);
	stacks_add(p, 0, stacks);
	if (base)
		stacks_add(p, 1, base);
	view_init(v, p, UTF8_CLEAN_UTF8, true);
	if (!view_update(v, DIRTY_TREE, NULL, NULL))
		abort();
}

/* The node of a path of raw names; NO_NODE if there is none. */
STACKS_FN uint32_t node_at(const struct view *v, const char *path)
{
	uint32_t node = NODE_ALL;

	while (*path && node != NO_NODE) {
		size_t len = strcspn(path, ";");
		uint32_t sym = symtab_find(&v->profile->symtab, path, len);
		node = sym == UINT32_MAX ? NO_NODE : tree_find_child(&v->tree, node, sym);
		path += len + (path[len] == ';');
	}
	return node;
}

/* The path of a node, for comparing; free() it. */
STACKS_FN char *path_at(const struct view *v, uint32_t node)
{
	struct buf b;

	buf_init(&b);
	view_add_path(v, node, &b);
	return buf_take(&b);
}

/* The text of an export; free() it. NULL: it failed. */
STACKS_FN char *export_text_of(const struct export_kind *kind, const struct view *v, const struct export_options *o)
{
	char path[] = "/tmp/flametop-test-XXXXXX";
	int fd = mkstemp(path);
	struct buf text;
	struct err err;
	bool good = fd >= 0 && export_to(path, kind, v, o, &err);
	struct input *in = good ? input_open(path, &err) : NULL; /* some kinds are compressed */

	if (fd >= 0)
		close(fd);
	buf_init(&text);
	for (ssize_t n = 1; in && n > 0;) {
		n = input_read(in, buf_reserve(&text, 4096), 4096, &err);
		text.len += n > 0 ? (size_t)n : 0;
	}
	if (in)
		input_close(in);
	unlink(path);
	for (size_t i = 0; i < text.len; i++)
		text.data[i] = text.data[i] ? text.data[i] : '\n';
	return good ? buf_take(&text) : NULL;
}

/* --- random trees --- */

STACKS_FN uint32_t chance(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

STACKS_FN void tree_room(struct tree *t, uint32_t n, bool has_base)
{
	tree_init(t);
	t->sym = mem_realloc(t->sym, n, sizeof *t->sym);
	t->parent = mem_realloc(t->parent, n, sizeof *t->parent);
	t->end = mem_realloc(t->end, n, sizeof *t->end);
	t->pos = mem_realloc(t->pos, (size_t)n + 1, sizeof *t->pos);
	t->base = has_base ? mem_zalloc((size_t)n + 1, sizeof *t->base) : NULL;
	t->n = n;
}

/* Turns self weights in pos[0, n) into positions, and computes the ends and the depth. */
STACKS_FN void tree_finish(struct tree *t)
{
	uint32_t *depth = mem_zalloc(t->n, sizeof *depth);
	for (uint32_t i = 1; i < t->n; i++) {
		depth[i] = depth[t->parent[i]] + 1;
		t->depth = depth[i] > t->depth ? depth[i] : t->depth;
	}
	free(depth);
	for (uint32_t i = 0; i < t->n; i++)
		t->end[i] = i + 1;
	for (uint32_t i = t->n - 1; i > 0; i--)
		if (t->end[t->parent[i]] < t->end[i])
			t->end[t->parent[i]] = t->end[i];
	for (int side = 0; side < 2; side++) {
		uint64_t *pos = side ? t->base : t->pos, sum = 0;
		for (uint32_t i = 0; pos && i <= t->n; i++) {
			uint64_t self = i < t->n ? pos[i] : 0;
			pos[i] = sum;
			sum += self;
		}
	}
}

/* n nodes; siblings get ascending symbols. wide: percentage of nodes that are no child of the previous one. */
STACKS_FN void tree_by_chance(struct tree *t, uint64_t seed, uint32_t n, uint32_t wide, uint32_t most_self,
                              bool has_base)
{
	tree_room(t, n, has_base);
	for (uint32_t i = 1; i < n; i++) {
		uint32_t parent = i - 1;
		while (parent && chance(&seed, 100) < wide)
			parent = t->parent[parent];
		t->parent[i] = parent;
		t->sym[i] = i; /* different from all others */
		t->pos[i] = chance(&seed, 3) ? chance(&seed, most_self) : 0;
		if (has_base)
			t->base[i] = chance(&seed, 2) ? chance(&seed, most_self) : 0;
	}
	t->pos[0] = chance(&seed, 2) ? chance(&seed, most_self) : 0;
	tree_finish(t);
}

#endif
