/*
 * loading.h - makes profiles out of text, for tests.
 */
#ifndef TESTS_LOADING_H
#define TESTS_LOADING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "collapse/load/load.h"
#include "export/export.h"
#include "model/fold.h"
#include "model/origin.h"

/* Reads text as an input; *p is initialised here. The caller deinits it in any case. */
__attribute__((unused)) static bool load_bytes(struct profile *p, const struct collapse_options *o,
                                               const char *text, size_t len, struct err *err)
{
	struct load_input in = {.path = "input", .fd = memfd_create("input", 0), .side = o->side};

	err->text[0] = '\0';
	profile_init(p);
	if (in.fd < 0 || write(in.fd, text, len) != (ssize_t)len || lseek(in.fd, 0, SEEK_SET) != 0)
		return false;
	return load_all(p, &in, 1, o, err);
}

__attribute__((unused)) static bool load_as(struct profile *p, const char *format, const char *text)
{
	struct collapse_options o = {.format = format, .jobs = 1};
	struct err err;

	return load_bytes(p, &o, text, strlen(text), &err);
}

/* The tree as text: one node a line, "depth name self/total [base self]", in preorder; the caller frees it. */
__attribute__((unused)) static char *tree_text(const struct profile *p, const struct tree *t)
{
	struct buf out;

	buf_init(&out);
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t depth = 0;

		for (uint32_t up = i; up; up = t->parent[up])
			depth++;
		buf_addf(&out, "%u %s %llu/%llu", depth, tree_is_gap(t, i) ? "(gap)" : p->symtab.symbols[t->sym[i]].name,
		         (unsigned long long)tree_self(t, i), (unsigned long long)tree_total(t, i));
		if (t->base)
			buf_addf(&out, " %llu", (unsigned long long)tree_base_self(t, i));
		buf_addc(&out, '\n');
	}
	return buf_take(&out);
}

/* A recipe's tree as tree_text() writes it; the caller frees it. NULL: the fold failed, or made no tree. */
__attribute__((unused)) static char *fold_text(struct profile *p, struct recipe *r, struct err *err)
{
	struct err unwanted = {""};
	struct tree t;
	char *text;

	if (!err)
		err = &unwanted;
	if (!fold(p, r, &t, NULL, err))
		return NULL;
	text = tree_check(&t, err->text, sizeof err->text) ? tree_text(p, &t) : NULL;
	tree_deinit(&t);
	return text;
}

/* "file:line" of a symbol's source, "" if unknown; until the next call. */
__attribute__((unused)) static const char *place_of_symbol(const struct symtab *t, uint32_t sym)
{
	static char text[200];
	struct buf place;
	buf_init(&place);
	origin_add_place(t, sym, &place);
	snprintf(text, sizeof text, "%s", buf_str(&place));
	buf_deinit(&place);
	return text;
}

#endif
