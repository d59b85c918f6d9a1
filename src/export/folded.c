/*
 * folded.c - one line for each stack that was on top:
 *
 *	main;parse 7
 *	main;parse;read 12          with a baseline: main;parse;read 10 12
 *	main-loop 3
 *
 * Lines are sorted by the bytes of the stack's text, as the classic collapsers do. Siblings are sorted by name,
 * which is almost the same, but not quite: '-' sorts before ';', so "main-loop" belongs between "main" and
 * "main;parse". Hence a node is two items among its siblings, its own line (at rank[name]) and what is below (at
 * ends[name], the rank of the name followed by ';'). While the siblings are walked by rank, subtrees wait on a
 * stack until the next sibling is past their place; names that wait are prefixes of each other, so the last one to
 * wait is the first to go. Nothing is sorted again, and nothing recurses.
 *
 * A flame chart is written in its own order. Names that hold a ';' or a line break would be read back as something
 * else; these characters are replaced, and so is the blank of a "# " that begins a line, which would be a comment. All
 * other bytes are written as they are, unless it is a terminal that gets them.
 *
 * Most nodes of a deep profile are the only child of their parent and have no line. They are passed at once, a child that
 * nothing follows takes its parent's level, and one whose subtree is due at once does not wait.
 */
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"

#define FLUSH_BYTES ((size_t)256 << 10)

/* A node whose children are being written. */
struct folded_level {
	uint32_t next;       /* next child; or index into kids, when these had to be sorted */
	uint32_t stop;       /* where next ends */
	size_t waiting;      /* length of the waiting stack when the node was entered */
	size_t path_len;     /* bytes of path before the node's children */
	size_t kids;         /* length of kids when the node was entered */
};

struct folded {
	const struct view *view;
	const struct tree *tree;
	const struct symbol *symbols;
	struct output *out;
	struct buf text; /* lines not written yet */
	struct buf path; /* "a;b;", the present node's */
	double factor;
	uint32_t *rank, *ends; /* NULL where siblings stand as they are to be written */
	bool is_sorted;        /* they do: by name, or in the order of a chart */
	bool has_base;         /* two columns */
	bool has_weightless;   /* samples of weight 0 are written, too */
	bool is_for_terminal;
	char **clean; /* by symbol: the name to write instead; NULL array or entry: the name itself */
	uint32_t *waiting;
	size_t n_waiting, cap_waiting;
	uint32_t *kids;
	size_t n_kids, cap_kids;
	struct folded_level *levels;
	size_t n_levels, cap_levels;
};

/* --- one line --- */

static uint64_t scaled(const struct folded *f, uint64_t v)
{
	double exact;

	if (f->factor == 1)
		return v;
	exact = round((double)v * f->factor);
	return exact < 0x1p64 ? (uint64_t)exact : UINT64_MAX;
}

static void add_name(const struct folded *f, struct buf *out, uint32_t sym)
{
	const struct symbol *s = &f->symbols[sym];

	buf_add(out, f->clean && f->clean[sym] ? f->clean[sym] : s->name, s->len);
}

/* A node has a line if samples end in it: it has self weight, or it is there for nothing else. */
static bool has_line(const struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;

	if (tree_self(t, node) || (f->has_base && tree_base_self(t, node)))
		return true;
	if (!f->has_base && tree_base_total(t, node))
		return false;
	if (f->has_weightless && tree_is_weightless_end(t, node))
		return true;
	return t->end[node] == node + 1 && node != NODE_ALL;
}

/* What a terminal gets is cleaned like everything else that is shown; what is kept or read on stays as it is. */
static void flush_text(struct folded *f)
{
	struct buf safe;
	if (!f->is_for_terminal) {
		output_flush_buf(f->out, &f->text);
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
	output_flush_buf(f->out, &safe);
	buf_deinit(&safe);
}

/* A line that begins with "# " is no stack: "# top" becomes "#_top", "#" alone "#_". */
static void keep_from_comment(struct buf *text, size_t start)
{
	if (text->len == start + 1)
		buf_addc(text, '_');
	else if (text->data[start + 1] == ' ')
		text->data[start + 1] = '_';
}

static void add_line(struct folded *f, uint32_t node)
{
	const struct tree *t = f->tree;
	unsigned decimals = f->view->profile->decimals;
	size_t start = f->text.len;
	uint64_t sides[2] = {tree_base_self(t, node), tree_self(t, node)};
	bool is_swapped = f->view->recipe.swap_sides;

	/* A gap of a chart is its parent's own time: the path without its last ';'. */
	if (tree_is_gap(t, node))
		buf_add(&f->text, f->path.data, f->path.len ? f->path.len - 1 : 0);
	else
		buf_add(&f->text, f->path.data, f->path.len);
	if (node == NODE_ALL || (tree_is_gap(t, node) && !f->path.len))
		buf_adds(&f->text, "(empty)");
	else
		add_name(f, &f->text, t->sym[node]);
	if (f->text.len > start && f->text.data[start] == '#')
		keep_from_comment(&f->text, start);
	if (f->has_base) {
		buf_addc(&f->text, ' ');
		number_add_fixed(&f->text, scaled(f, sides[is_swapped]), decimals);
	}
	buf_addc(&f->text, ' ');
	number_add_fixed(&f->text, scaled(f, sides[!is_swapped]), decimals);
	buf_addc(&f->text, '\n');
	if (f->text.len >= FLUSH_BYTES)
		flush_text(f);
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
			qsort_r(f->kids + l.kids, f->n_kids - l.kids, sizeof *f->kids, by_rank, f);
		l.next = (uint32_t)l.kids;
		l.stop = (uint32_t)f->n_kids;
	}
	mem_push(f->levels, f->n_levels, f->cap_levels, l);
}

/* The child that comes next, without taking it; NO_NODE: no more. */
static uint32_t peek(const struct folded *f, const struct folded_level *l)
{
	if (l->next >= l->stop)
		return NO_NODE;
	return f->is_sorted ? l->next : f->kids[l->next];
}

/* Is what stands below `waiting` to be written before the sibling that comes next? */
static bool is_due(const struct folded *f, uint32_t waiting, uint32_t next)
{
	const uint32_t *sym = f->tree->sym;

	if (next == NO_NODE || f->tree->is_chart)
		return true;
	if (f->ends)
		return f->ends[sym[waiting]] < f->rank[sym[next]];
	return symbol_ends_before(&f->symbols[sym[waiting]], &f->symbols[sym[next]]);
}

/* Begins with what stands below a node. On the way down only children that have no line need no level. */
static void go_below(struct folded *f, uint32_t node)
{
	const uint32_t *end = f->tree->end;

	for (;; node++) {
		add_name(f, &f->path, f->tree->sym[node]);
		buf_addc(&f->path, ';');
		if (end[node + 1] != end[node] || end[node] == node + 2 || has_line(f, node + 1))
			break;
	}
	enter(f, node);
}

/* Goes on with the level on top, whose next child has had its line. */
static void pass_child(struct folded *f, struct folded_level *l, uint32_t child)
{
	uint32_t next;

	l->next = f->is_sorted ? f->tree->end[child] : l->next + 1;
	if (f->tree->end[child] == child + 1)
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

/* Writes everything below the node whose path stands in f->path. */
static void write_below(struct folded *f, uint32_t node)
{
	enter(f, node);
	while (f->n_levels) {
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
		if (has_line(f, child))
			add_line(f, child);
		pass_child(f, l, child);
	}
}

/* --- names --- */

static bool must_clean(const struct symbol *s)
{
	return memchr(s->name, ';', s->len) || memchr(s->name, '\n', s->len) || memchr(s->name, '\r', s->len);
}

static void clean_names(struct folded *f, const struct symtab *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!must_clean(&t->symbols[i]))
			continue;
		if (!f->clean)
			f->clean = mem_zalloc(t->n, sizeof *f->clean);
		char *c = f->clean[i] = mem_strndup(t->symbols[i].name, t->symbols[i].len);
		for (size_t k = 0; k < t->symbols[i].len; k++)
			c[k] = c[k] == ';' ? ':' : c[k] == '\n' || c[k] == '\r' ? ' ' : c[k];
	}
}

static void free_names(struct folded *f, const struct symtab *t)
{
	for (size_t i = 0; f->clean && i < t->n; i++)
		free(f->clean[i]);
	free(f->clean);
}

/* --- samples of weight 0 --- */

/*
 * Profilers may write stacks of weight 0, and a collapser has to write them, too. As leaves they show; of one in the middle
 * of a longer stack the tree knows. Where stacks were changed or chosen, nobody asks for what weighs nothing.
 */
static bool has_same_stacks(const struct recipe *r)
{
	return !r->reverse && !r->chart && !r->n_splits && !r->strip_hex && !r->n_filters && !r->pid && !r->tid &&
	       !r->comm && !r->from && !r->to && !r->last && !r->half_life;
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

static bool folded_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	const struct symtab *t = &v->profile->symtab;
	struct folded f = {
		.view = v,
		.tree = &v->tree,
		.symbols = t->symbols,
		.out = out,
		.is_for_terminal = o->is_terminal,
		.factor = o->factor != 0 ? o->factor : 1,
	};

	(void)err; /* writing fails when the output is committed */
	buf_init(&f.text);
	buf_init(&f.path);
	f.has_base = v->tree.base && v->diff != DIFF_OFF;
	f.is_sorted = v->tree.is_chart || v->recipe.sort == SORT_NAME;
	if (!f.is_sorted) {
		f.rank = mem_alloc(t->n * sizeof *f.rank);
		f.ends = mem_alloc(t->n * sizeof *f.ends);
		symtab_rank(t, f.rank, f.ends);
	}
	clean_names(&f, t);
	f.has_weightless = has_same_stacks(&v->recipe);
	begin_path(&f, v->zoom);
	if (has_line(&f, v->zoom))
		add_line(&f, v->zoom);
	if (v->zoom != NODE_ALL) {
		add_name(&f, &f.path, v->tree.sym[v->zoom]);
		buf_addc(&f.path, ';');
	}
	write_below(&f, v->zoom);
	flush_text(&f);
	free_names(&f, t);
	free(f.rank);
	free(f.ends);
	free(f.waiting);
	free(f.kids);
	free(f.levels);
	buf_deinit(&f.path);
	buf_deinit(&f.text);
	return true;
}

const struct export_kind export_folded = {
	.name = "folded",
	.suffix = ".folded",
	.help = "one line for each stack, 'frame;frame;frame count', sorted",
	.write = folded_write,
};
