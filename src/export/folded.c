/*
 * folded.c - one line for each stack in which samples end:
 *
 *	main;parse 7
 *	main;parse;read 12          with a baseline: main;parse;read 10 12
 *	main-loop 3
 *
 * Lines are sorted by the bytes of the stack's text, as the classic collapsers sort them. Siblings sort by name,
 * but '-' sorts before ';', so "main-loop" belongs between "main" and "main;parse". Hence a node counts as two
 * items among its siblings: its own line (at rank[name]) and the lines below (at ends[name], the rank of the name
 * followed by ';'). The walk over the siblings goes by rank; subtrees wait on a stack until the next sibling is
 * past their place. Waiting names are prefixes of each other, so the last one to wait leaves first. Thus nothing is
 * sorted again, and nothing recurses.
 *
 * A flame chart keeps its own order. The output reads back as the same stacks: if a name would be misread (it holds
 * a line break, say, or ends like a count), the first line announces that names are escaped (base/escape.h);
 * otherwise there is no such line, and names are written unchanged. Profiles of perf contain two oddities so often
 * that they alone do not cause escapes, unless two frames would become one: a ';' in a name becomes ':', as in
 * every collapser, and a last name of only blanks stays, although it reads back as empty. If the text looks like a
 * compressed file or another format, a first line names the format. Output to a terminal is cleaned.
 *
 * In a deep profile most nodes are an only child without a line. The walk skips these at once; a last child takes
 * over its parent's level, and a subtree that is due does not wait.
 */
#include "base/sort.h"
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "folded_head.h"
#include "folded_names.h"
#include "folded_scale.h"
#include "model/cut.h"
#include "model/through.h"

#define FLUSH_BYTES ((size_t)256 << 10)

/* A node whose children are being written. */
struct folded_level {
	uint32_t next;   /* next child; or index into kids if those had to be sorted */
	uint32_t stop;   /* end of the range of next */
	size_t waiting;  /* length of the waiting stack when the node was entered */
	size_t path_len; /* bytes of path before the node's children */
	size_t kids;     /* length of kids when the node was entered */
};

struct folded {
	const struct view *view;
	const struct tree *tree;
	const struct symbol *symbols;
	struct output *out;
	struct buf text; /* lines to be written */
	struct buf path; /* "a;b;" of the present node */
	double factor;
	double base_scale[2];      /* baseline counts are multiplied by [0] / [1]; 0: unscaled */
	struct folded_scale scale; /* scales by base_scale */
	bool is_counting;          /* counts go to the scale; no lines are written */
	uint64_t counted;          /* sum of the profile's own counts, as written */
	bool waits_empty;          /* the line of stacks without a frame is still due */
	uint32_t *rank, *ends;     /* NULL if siblings are already in the order of lines */
	bool is_sorted;            /* they are: by name, or in chart order */
	bool has_base;             /* two columns */
	bool is_part;              /* the tree has only some of the view's stacks */
	/*
	 * Also write samples of weight 0: profilers may write such stacks, and a collapser must write them, too. As
	 * leaves they are nodes of their own; inside a longer stack the tree marks them.
	 */
	bool has_weightless;
	bool is_for_terminal;
	bool is_clear;   /* the format is clear: from the first line, or from the check */
	bool has_failed; /* writing failed, or it was cancelled */
	struct progress *progress;
	bool (*reads_as_folded)(const char *text, size_t len, bool is_all);
	uint8_t *needs; /* by symbol: ESCAPE_... */
	size_t n_blank; /* number of names that are only blanks */
	bool is_of_perf;
	struct written_name *written; /* by symbol: its escaped text; without text: the name itself */
	uint32_t *waiting;
	size_t n_waiting, cap_waiting;
	uint32_t *kids;
	size_t n_kids, cap_kids;
	struct folded_level *levels;
	size_t n_levels, cap_levels;
};

static bool goes_on_writing(struct folded *f)
{
	f->has_failed |= !progress_step(f->progress, 0);
	return !f->has_failed;
}

/* --- one line --- */

static uint64_t scaled(const struct folded *f, uint64_t v)
{
	return weight_times(v, f->factor);
}

static uint64_t base_count(struct folded *f, uint64_t v)
{
	return f->base_scale[1] > 0 ? folded_scale_next(&f->scale, v) : scaled(f, v);
}

static inline void add_name(const struct folded *f, struct buf *out, uint32_t sym)
{
	const struct symbol *s = &f->symbols[sym];
	if (f->written && f->written[sym].text)
		buf_add(out, f->written[sym].text, f->written[sym].len);
	else
		buf_add(out, s->name, s->len);
}

/* Do stacks continue from here in rows that the tree leaves out? */
static bool goes_on(const struct folded *f, uint32_t node)
{
	size_t first, end;
	return f->tree->cut && f->tree->end[node] == node + 1 && tree_tails(f->tree, node, &first, &end);
}

/* A node has a line if samples end in it: it has self weight, or no other reason to exist. */
static bool has_line(const struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	if (goes_on(f, node))
		return tree_self(t, node) > tree_going_on(t, 0, node) ||
		       (f->has_base && tree_base_self(t, node) > tree_going_on(t, 1, node));
	if (tree_self(t, node) || (f->has_base && tree_base_self(t, node)))
		return true;
	if (!f->has_base && tree_base_total(t, node))
		return false;
	if (f->has_weightless && tree_is_weightless_end(t, node))
		return true;
	return t->end[node] == node + 1 && node != NODE_ALL;
}

/* Before the first lines are written: if they would read as another format, writes a line that names this one. */
static void make_clear(struct folded *f, bool is_all)
{
	if (f->is_clear || !f->text.len)
		return;
	f->is_clear = true;
	memset(buf_reserve(&f->text, 64), 0, 64);
	if (f->reads_as_folded && !f->reads_as_folded(f->text.data, f->text.len, is_all))
		output_write(f->out, FOLDED_ANNOUNCED "\n", strlen(FOLDED_ANNOUNCED "\n"));
}

/* Writes the lines. A terminal gets cleaned text; files and pipes get the bytes unchanged. */
static void flush_text(struct folded *f, bool is_all)
{
	struct buf safe;
	make_clear(f, is_all);
	if (!f->is_for_terminal) {
		f->has_failed |= !output_flush_buf(f->out, &f->text);
		return;
	}
	buf_init(&safe);
	for (size_t at = 0; at < f->text.len;) {
		const char *line = f->text.data + at;
		size_t n = (size_t)((const char *)memchr(line, '\n', f->text.len - at) - line);
		utf8_clean(&safe, line, n, UTF8_CLEAN_UTF8);
		buf_addc(&safe, '\n');
		at += n + 1;
	}
	f->text.len = 0;
	f->has_failed |= !output_flush_buf(f->out, &safe);
	buf_deinit(&safe);
}

/* Ends the line after the names; sides: before, now. */
static void end_line(struct folded *f, const uint64_t *sides)
{
	unsigned decimals = f->view->profile->decimals;
	bool is_swapped = view_is_swapped(f->view);
	if (f->is_counting) {
		folded_scale_add(&f->scale, sides[is_swapped]);
		weight_add(&f->counted, scaled(f, sides[!is_swapped]));
		f->text.len = 0;
		return;
	}
	if (f->has_base) {
		buf_addc(&f->text, ' ');
		number_add_fixed(&f->text, base_count(f, sides[is_swapped]), decimals);
	}
	buf_addc(&f->text, ' ');
	number_add_fixed(&f->text, scaled(f, sides[!is_swapped]), decimals);
	buf_addc(&f->text, '\n');
	if (f->text.len >= FLUSH_BYTES)
		flush_text(f, false);
}

static void add_line(struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	uint64_t sides[2] = {tree_base_self(t, node), tree_self(t, node)};
	if (goes_on(f, node)) {
		sides[0] -= tree_going_on(t, 1, node);
		sides[1] -= tree_going_on(t, 0, node);
	}

	/* A gap of a chart is its parent's own time: the path without its last ';'. */
	if (tree_is_gap(t, node))
		buf_add(&f->text, f->path.data, f->path.len ? f->path.len - 1 : 0);
	else if (node != NODE_ALL)
		buf_add(&f->text, f->path.data, f->path.len);
	if (node == NODE_ALL || (tree_is_gap(t, node) && !f->path.len))
		buf_adds(&f->text, FOLDED_EMPTY);
	else if (!tree_is_gap(t, node))
		add_name(f, &f->text, t->sym[node]);
	end_line(f, sides);
}

/*
 * Places the line of stacks without a frame, which has a name in the output, in the sort order. Call it before the
 * line of a node, or the lines below it, are written.
 */
static void place_empty(struct folded *f, uint32_t node, bool is_below)
{
	const char *name = f->symbols[f->tree->sym[node]].name;
	size_t len = f->symbols[f->tree->sym[node]].len, n = len < strlen(FOLDED_EMPTY) ? len : strlen(FOLDED_EMPTY);
	int order = memcmp(name, FOLDED_EMPTY, n);
	if (f->tree->parent[node] != NODE_ALL || order < 0)
		return;
	if (order == 0 && len < strlen(FOLDED_EMPTY) && (!is_below || ';' < FOLDED_EMPTY[len]))
		return;
	f->waits_empty = false;
	add_line(f, NODE_ALL);
}

/* has_line() for a stack that is partly left out of the tree. */
static bool has_whole_line(const struct folded *f, const struct cut_walk *w)
{
	if (w->weight[0] || (f->has_base && w->weight[1]))
		return true;
	return w->is_leaf && (f->has_base || !w->weight[1]);
}

/* Names after a path, each with a ';', and the end offset of each. */
struct tail_text {
	struct buf text;
	size_t *ends;
	size_t cap;
};

/*
 * Appends the names that this stack shares with later ones, just once: as many stacks may continue from a frame as
 * they are deep.
 */
static void keep_shared(const struct folded *f, struct tail_text *t, const struct cut_walk *w)
{
	t->text.len = w->n_same ? t->ends[w->n_same - 1] : 0;
	t->ends = mem_grow(t->ends, &t->cap, w->n_next + 1, sizeof *t->ends);
	for (size_t i = w->n_same; i < w->n_next; i++) {
		add_name(f, &t->text, w->syms[i]);
		buf_addc(&t->text, ';');
		t->ends[i] = t->text.len;
	}
}

static void add_left_out(struct folded *f, const struct tail_text *t, const struct cut_walk *w)
{
	uint64_t sides[2] = {w->weight[1], w->weight[0]};
	buf_add(&f->text, f->path.data, f->path.len);
	buf_add(&f->text, t->text.data, t->text.len);
	for (size_t i = w->n_next; i < w->n; i++) {
		if (i > w->n_next)
			buf_addc(&f->text, ';');
		add_name(f, &f->text, w->syms[i]);
	}
	end_line(f, sides);
}

/* Writes the rows that the tree leaves out above the node, whose path is in f->path. */
static void write_left_out(struct folded *f, uint32_t node)
{
	struct tail_text t = {.ends = NULL};
	struct cut_walk w;
	buf_init(&t.text);
	cut_walk_begin(&w, f->tree, node, f->rank, f->ends);
	while (goes_on_writing(f) && cut_walk_next(&w)) {
		keep_shared(f, &t, &w);
		if (has_whole_line(f, &w))
			add_left_out(f, &t, &w);
	}
	cut_walk_end(&w);
	free(t.ends);
	buf_deinit(&t.text);
}

/* --- order --- */

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct folded *f = arg;
	uint32_t x = f->rank[f->tree->sym[*(const uint32_t *)a]], y = f->rank[f->tree->sym[*(const uint32_t *)b]];
	return x < y ? -1 : x > y;
}

static void enter(struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	struct folded_level l = {
		.next = node + 1,
		.stop = t->end[node],
		.waiting = f->n_waiting,
		.path_len = f->path.len,
		.kids = f->n_kids,
	};
	if (!f->is_sorted) {
		for (uint32_t i = node + 1; i < t->end[node]; i = t->end[i])
			mem_push(f->kids, f->n_kids, f->cap_kids, i);
		if (f->n_kids > l.kids)
			sort_by_until(f->kids + l.kids, f->n_kids - l.kids, sizeof *f->kids, by_rank, f, f->progress);
		l.next = (uint32_t)l.kids;
		l.stop = (uint32_t)f->n_kids;
	}
	mem_push(f->levels, f->n_levels, f->cap_levels, l);
}

/* The next child, without taking it; NO_NODE: none. */
static uint32_t peek(const struct folded *f, const struct folded_level *l)
{
	if (l->next >= l->stop)
		return NO_NODE;
	return f->is_sorted ? l->next : f->kids[l->next];
}

/* Must the lines below `waiting` be written before the next sibling? */
static bool is_due(const struct folded *f, uint32_t waiting, uint32_t next)
{
	const uint32_t *sym = f->tree->sym;
	if (next == NO_NODE || f->tree->is_chart)
		return true;
	if (f->ends)
		return f->ends[sym[waiting]] < f->rank[sym[next]];
	return symbol_ends_before(&f->symbols[sym[waiting]], &f->symbols[sym[next]]);
}

/* Enters the children of a node. Skips only children that have no line; they need no level. */
static void go_below(struct folded *f, uint32_t node)
{
	const uint32_t *end = f->tree->end;
	if (f->waits_empty)
		place_empty(f, node, true);
	for (;; node++) {
		add_name(f, &f->path, f->tree->sym[node]);
		buf_addc(&f->path, ';');
		if (end[node] == node + 1 || end[node + 1] != end[node] || end[node] == node + 2 || has_line(f, node + 1))
			break;
	}
	if (goes_on(f, node))
		write_left_out(f, node);
	enter(f, node);
}

/* Continues the top level after the line of its next child. */
static void pass_child(struct folded *f, struct folded_level *l, uint32_t child)
{
	uint32_t next;
	l->next = f->is_sorted ? f->tree->end[child] : l->next + 1;
	if (f->tree->end[child] == child + 1 && !goes_on(f, child))
		return;
	next = peek(f, l);
	if (f->n_waiting > l->waiting || !is_due(f, child, next)) {
		mem_push(f->waiting, f->n_waiting, f->cap_waiting, child);
		return;
	}
	if (next == NO_NODE) {
		f->n_kids = l->kids;
		f->n_levels--;
	}
	go_below(f, child);
}

/* Writes everything below the node, whose path is in f->path. */
static void write_below(struct folded *f, uint32_t node)
{
	if (goes_on(f, node))
		write_left_out(f, node);
	enter(f, node);
	while (f->n_levels && goes_on_writing(f)) {
		struct folded_level *l = &f->levels[f->n_levels - 1];
		uint32_t child = peek(f, l);
		f->path.len = l->path_len;
		if (f->n_waiting > l->waiting && is_due(f, f->waiting[f->n_waiting - 1], child)) {
			go_below(f, f->waiting[--f->n_waiting]);
			continue;
		}
		if (child == NO_NODE) {
			f->n_kids = l->kids;
			f->n_levels--;
			continue;
		}
		if (has_line(f, child)) {
			if (f->waits_empty)
				place_empty(f, child, false);
			add_line(f, child);
		}
		pass_child(f, l, child);
	}
}

/* --- names --- */

/*
 * Would a frame of only blanks merge with another frame when read back? With its children, or with a sibling like
 * it.
 */
static bool is_other_without(const struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	return f->n_blank > 1 || t->end[node] > node + 1 || tree_find_child(t, t->parent[node], 0) != NO_NODE;
}

/* Would the name be misread at this node's place in the lines? */
static bool is_odd_here(const struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	unsigned needs = f->needs[t->sym[node]], here = ESCAPE_ANYWHERE;
	bool is_first = t->parent[node] == NODE_ALL, is_last;
	if (!needs || tree_is_gap(t, node))
		return false;
	is_last = t->is_chart || has_line(f, node);
	here |= f->is_of_perf ? 0 : ESCAPE_SEMICOLON;
	if (needs & ESCAPE_BLANK && is_last)
		here |= !f->is_of_perf || is_other_without(f, node) ? ESCAPE_BLANK : 0;
	here |= is_first ? ESCAPE_FIRST : 0;
	here |= is_last ? ESCAPE_LAST : 0;
	here |= is_last && !f->has_base ? ESCAPE_COUNT : 0;
	here |= is_first && is_last ? ESCAPE_ALONE : 0;
	return needs & here;
}

/* The same for names in rows left out: none of them begins a line; those without a caller end one. */
static bool has_odd_names_left_out(const struct folded *f)
{
	const struct tree *whole = f->tree->cut ? &f->tree->cut->whole : NULL;
	unsigned inside = ESCAPE_ANYWHERE | (f->is_of_perf ? 0 : ESCAPE_SEMICOLON), last = inside | ESCAPE_LAST;
	last |= f->has_base ? 0 : ESCAPE_COUNT;
	last |= !f->is_of_perf || f->n_blank > 1 ? ESCAPE_BLANK : 0;
	for (uint32_t node = 1; whole && node < whole->n; node++)
		if (f->needs[whole->sym[node]] & (whole->parent[node] == NODE_ALL ? last : inside))
			return true;
	return false;
}

static bool has_odd_names(struct folded *f, unsigned needs, uint32_t zoom)
{
	const struct tree *t = f->tree;
	if (!needs)
		return false;
	for (uint32_t up = zoom; up != NODE_ALL; up = t->parent[up])
		if (is_odd_here(f, up))
			return true;
	for (uint32_t node = zoom + 1; node < t->end[zoom] && goes_on_writing(f); node++)
		if (is_odd_here(f, node))
			return true;
	return has_odd_names_left_out(f);
}

/* Replaces ';' by ':' in names. false: two names would become one. */
static bool turn_semicolons(struct folded *f, const struct symtab *t)
{
	bool *is_frame = folded_frame_names(f->tree, t), is_good = true;
	struct symtab turned;
	f->written = mem_zalloc(t->n, sizeof *f->written);
	symtab_init(&turned);
	for (size_t i = 0; i < t->n && is_good && goes_on_writing(f); i++) {
		size_t len = t->symbols[i].len, before = turned.n;
		uint32_t same;
		if (!is_frame[i] || !(f->needs[i] & ESCAPE_SEMICOLON))
			continue;
		f->written[i] = (struct written_name){folded_without_semicolons(&t->symbols[i]), len};
		symtab_intern(&turned, f->written[i].text, len);
		same = symtab_find(t, f->written[i].text, len);
		is_good = turned.n > before && (same == NO_SYMBOL || !is_frame[same]);
	}
	symtab_deinit(&turned);
	free(is_frame);
	return is_good;
}

/* Finds the escapes that the profile's names need. Every profile has the empty name, but few of its stacks do. */
static unsigned look_at_names(struct folded *f, const struct symtab *t)
{
	unsigned needs = tree_find_child(f->tree, NODE_ALL, 0) != NO_NODE ? ESCAPE_ALONE : 0;
	f->needs = mem_zalloc(t->n, sizeof *f->needs);
	for (size_t i = 0; i < t->n && goes_on_writing(f); i++) {
		f->needs[i] = (uint8_t)escape_needs(t->symbols[i].name, t->symbols[i].len);
		needs |= i ? f->needs[i] : 0;
		f->n_blank += (f->needs[i] & ESCAPE_BLANK) && !symtab_is_variant(t, (uint32_t)i);
	}
	return needs;
}

/* Escapes all names or none, so that a name looks the same in all lines. */
static void escape_names(struct folded *f, const struct symtab *t)
{
	folded_free_written(f->written, t->n);
	f->written = mem_zalloc(t->n, sizeof *f->written);
	for (size_t i = 0; i < t->n && goes_on_writing(f); i++) {
		const struct symbol *s = &t->symbols[i];
		struct buf name;
		if (!f->needs[i] && !memchr(s->name, '\\', s->len))
			continue;
		buf_init(&name);
		escape_add(&name, s->name, s->len, true);
		f->written[i].len = name.len;
		f->written[i].text = buf_take(&name);
	}
	buf_adds(&f->text, FOLDED_ESCAPED "\n");
	f->is_clear = true;
}

/* Will there be a line of stacks without frames? */
static bool has_empty_stacks(const struct folded *f, uint32_t zoom)
{
	const struct tree *t = f->tree;
	if (zoom != NODE_ALL || has_line(f, NODE_ALL))
		return zoom == NODE_ALL;
	for (uint32_t node = 1; node < t->n; node = t->end[node])
		if (tree_is_gap(t, node))
			return true;
	return false;
}

static void choose_names(struct folded *f, const struct symtab *t, uint32_t zoom)
{
	unsigned needs = look_at_names(f, t);
	if (f->has_failed)
		return;
	if (has_odd_names(f, needs, zoom) || has_empty_stacks(f, zoom) ||
	    (needs & ESCAPE_SEMICOLON && !turn_semicolons(f, t)))
		escape_names(f, t);
}

/* --- all of it --- */

static void begin_path(struct folded *f, uint32_t node)
{
	uint32_t depth = tree_depth(f->tree, node);
	uint32_t *syms = mem_alloc(((size_t)depth + 1) * sizeof *syms);
	tree_path(f->tree, node, syms, depth);
	for (uint32_t i = 0; i + 1 < depth; i++) {
		add_name(f, &f->path, syms[i]);
		buf_addc(&f->path, ';');
	}
	free(syms);
}

static void write_lines(struct folded *f)
{
	uint32_t zoom = f->view->zoom;
	f->path.len = 0;
	begin_path(f, zoom);
	f->waits_empty = zoom == NODE_ALL && has_line(f, zoom) && !f->tree->is_chart;
	if (has_line(f, zoom) && !f->waits_empty)
		add_line(f, zoom);
	if (zoom != NODE_ALL) {
		add_name(f, &f->path, f->tree->sym[zoom]);
		buf_addc(&f->path, ';');
	}
	write_below(f, zoom);
	if (f->waits_empty)
		add_line(f, NODE_ALL);
}

/* Sums the lines first: the baseline must add up to the profile's total, below a zoom to its share of it. */
static void count_lines(struct folded *f)
{
	uint64_t total;
	f->is_counting = true;
	write_lines(f);
	f->is_counting = false;
	total = f->view->zoom == NODE_ALL && !f->is_part
	            ? f->counted
	            : weight_from(round((double)f->scale.sum * f->base_scale[0] / f->base_scale[1] * f->factor));
	if (!f->has_failed)
		folded_scale_begin(&f->scale, total, f->progress);
}

static void add_head(struct folded *f, bool is_file)
{
	const struct view *v = f->view;
	if (is_file || v->profile->so_far.is_part)
		folded_head_add_so_far(&f->text, v, &f->is_clear);
	if (!is_file)
		return;
	folded_head_add_missing(&f->text, v, &f->is_clear);
	folded_head_add_unit(&f->text, v, f->factor);
}

/* false: cancelled. */
static bool rank_names(struct folded *f, const struct symtab *t)
{
	if (f->is_sorted && !f->tree->cut)
		return true;
	f->rank = mem_alloc(t->n * sizeof *f->rank);
	f->ends = mem_alloc(t->n * sizeof *f->ends);
	return symtab_rank_until(t, f->rank, f->ends, f->progress);
}

static void write_all_lines(struct folded *f, const struct symtab *t, const struct export_options *o)
{
	if (!rank_names(f, t))
		return;
	if (f->base_scale[1] > 0)
		count_lines(f);
	choose_names(f, t, f->view->zoom);
	if (!goes_on_writing(f))
		return;
	add_head(f, o->is_file);
	write_lines(f);
	flush_text(f, true);
}

static void folded_deinit(struct folded *f, const struct symtab *t)
{
	folded_free_written(f->written, t->n);
	folded_scale_deinit(&f->scale);
	free(f->needs);
	free(f->rank);
	free(f->ends);
	free(f->waiting);
	free(f->kids);
	free(f->levels);
	buf_deinit(&f->path);
	buf_deinit(&f->text);
}

/* Writes the stacks of a view, which may be a part of `whole`. */
static void write_stacks(const struct view *v, const struct view *whole, const struct export_options *o,
                         struct output *out)
{
	struct symtab marked;
	const struct symtab *t = view_file_names(v, &marked);
	struct folded f = {
		.view = v,
		.tree = &v->tree,
		.symbols = t->symbols,
		.out = out,
		.is_for_terminal = o->is_terminal,
		.reads_as_folded = o->reads_as_folded,
		.is_of_perf = folded_is_of_perf(v->profile),
		.factor = o->factor != 0 ? o->factor : 1,
		.is_part = v != whole,
		.progress = o->progress,
	};
	buf_init(&f.text);
	buf_init(&f.path);
	f.has_base = view_is_diff(v);
	if (f.has_base)
		folded_scale_sides(whole, f.base_scale);
	if (v->is_as_difffolded && f.factor == 1)
		memcpy(f.scale.cut, f.base_scale, sizeof f.scale.cut);
	f.is_sorted = v->tree.is_chart || (v->recipe.sort == SORT_NAME && t != &marked);
	f.has_weightless = recipe_keeps_stacks(&v->recipe, v->profile->symtab.has_languages);
	write_all_lines(&f, t, o);
	if (o->loss)
		*o->loss = f.scale.loss;
	folded_deinit(&f, t);
	symtab_deinit(&marked);
}

/* Of a sandwich, the whole stacks through its function: read back, they make the same sandwich. */
static void write_through(const struct view *v, const struct export_options *o, struct output *out)
{
	struct view part = *v; /* a shallow copy */
	tree_init(&part.tree);
	part.zoom = NODE_ALL;
	part.recipe.sort = SORT_WEIGHT; /* the order of the tree is not that of the lines */
	if (through_make(&part.tree, &v->tree, &v->profile->symtab, v->shown.function, false, o->progress))
		write_stacks(&part, v, o, out);
	view_return_names(v, &part);
	tree_deinit(&part.tree);
}

static bool folded_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	(void)err; /* a failed write shows when the output is committed */
	if (v->shown.view == SHOWN_SANDWICH)
		write_through(v, o, out);
	else
		write_stacks(v, v, o, out);
	return true;
}

const struct export_kind export_folded = {
	.name = "folded",
	.bit = EXPORT_FOLDED,
	.help = "one line for each stack, 'frame;frame;frame count', sorted",
	.holds = EXPORT_HOLDS(FLAME) | EXPORT_HOLDS(SANDWICH),
	.write = folded_write,
};
