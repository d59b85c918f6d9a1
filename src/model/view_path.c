/*
 * view_path.c - frames as text: --zoom=PATH and its like.
 *
 *	main;parse;lex            names from the root, escaped (escape.h), as in folded stacks; or names as shown
 *	main;parse;lex;@12300.5   the one of these frames that holds this position, in units of weight as files have
 *	                          them: in a flame chart, and while a search for modules keeps functions of one name
 *	                          apart
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "cut.h"
#include "ways.h"

static void add_names(const struct view *v, struct buf *out, const uint32_t *syms, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct symbol *s = &v->profile->symtab.symbols[syms[i]];
		if (i)
			buf_addc(out, ';');
		escape_add(out, s->name, s->len, false);
	}
}

void view_add_path(const struct view *v, uint32_t node, struct buf *out)
{
	size_t n = tree_depth(&v->tree, node);
	uint32_t *syms = mem_alloc((n ? n : 1) * sizeof *syms);
	tree_path(&v->tree, node, syms, n);
	add_names(v, out, syms, n);
	free(syms);
}

/* A path being looked for: its text, without the position, if it has one. */
struct wanted {
	const char *path;
	size_t len;
	bool has_position;
	uint64_t position; /* as those of the tree */
};

/* A name that is a position must be written with an escape. */
#define POSITION_MARK '@'

/* May frames of one path be several? */
static bool has_twins(const struct view *v)
{
	return v->tree.is_chart || v->recipe.apart;
}

/* The profile's weights may have decimals, which depend on its counts and on --factor. */
static bool read_position(const struct view *v, const char *text, uint64_t *position)
{
	unsigned decimals = v->profile->decimals;
	uint64_t whole;
	uint32_t millionths;
	if (!number_count(text, strlen(text), &whole, &millionths))
		return false;
	*position = u64_sum(with_decimals(whole, 0, decimals), with_decimals(millionths, 6, decimals));
	return true;
}

static void add_position(const struct view *v, uint64_t position, struct buf *out)
{
	buf_addc(out, POSITION_MARK);
	number_add_fixed(out, position, v->profile->decimals);
}

/* A frame without weight at the end begins there. */
static bool lies_past_end(const struct view *v, const struct wanted *w, uint32_t node)
{
	uint64_t end = v->tree.pos[v->tree.n];
	return w->has_position && (w->position > end || (w->position == end && tree_total(&v->tree, node) > 0));
}

static struct wanted read_wanted(const struct view *v, const char *path)
{
	struct wanted w = {.path = path, .len = strlen(path)};
	const char *semicolon = strrchr(path, ';'), *last = semicolon ? semicolon + 1 : path;
	if (!has_twins(v) || *last != POSITION_MARK || !read_position(v, last + 1, &w.position))
		return w;
	w.has_position = true;
	w.len = semicolon ? (size_t)(semicolon - path) : 0;
	return w;
}

static uint32_t child_of_symbol(const struct view *v, const struct wanted *w, uint32_t parent, uint32_t sym)
{
	return w->has_position ? tree_find_child_near(&v->tree, v->tree.pos, parent, sym, w->position)
	                       : tree_find_child(&v->tree, parent, sym);
}

/* In a tree of modules and the like, a task of that name has a symbol of its own. */
static uint32_t child_task(const struct view *v, const struct wanted *w, uint32_t parent, uint32_t sym)
{
	const struct tree *t = &v->tree;
	const struct symtab *table = &v->profile->symtab;
	for (uint32_t i = parent + 1; i < t->end[parent]; i = t->end[i]) {
		uint32_t task = t->sym[i];
		if (task < table->n_plain && table->plain[task] == sym && symtab_is_task(table, task))
			return child_of_symbol(v, w, parent, task);
	}
	return NO_NODE;
}

static uint32_t child_of_name(const struct view *v, const struct wanted *w, uint32_t parent, const char *name,
                              size_t len)
{
	uint32_t sym = symtab_find(&v->profile->symtab, name, len);
	if (sym == NO_SYMBOL)
		return NO_NODE;
	uint32_t child = child_of_symbol(v, w, parent, sym);
	return child == NO_NODE && v->tree.group != BY_FUNCTION ? child_task(v, w, parent, sym) : child;
}

/* The child whose name has this escaped form in a path. */
static uint32_t child_escaped(const struct view *v, const struct wanted *w, uint32_t parent, const char *text,
                              size_t len)
{
	struct buf name;
	uint32_t child;
	buf_init(&name);
	escape_undo(&name, text, len);
	child = child_of_name(v, w, parent, buf_str(&name), name.len);
	buf_deinit(&name);
	return child;
}

/* The child by its raw name, else by its displayed name, which people see and type. */
static uint32_t child_named(const struct view *v, const struct wanted *w, uint32_t parent, const char *name,
                            size_t len)
{
	const struct tree *t = &v->tree;
	uint32_t child = child_escaped(v, w, parent, name, len);
	if (child == NO_NODE)
		child = child_of_name(v, w, parent, name, len);
	if (child != NO_NODE)
		return child;
	for (uint32_t i = parent + 1; i < t->end[parent]; i = t->end[i]) {
		const struct display_name *d = view_name(v, i);
		if (d->len == len && memcmp(d->text, name, len) == 0 && !tree_is_gap(t, i))
			return i;
	}
	return NO_NODE;
}

/* Finds the deepest node on the path. true: it is the whole path. */
static bool find_names(const struct view *v, const struct wanted *w, uint32_t *node)
{
	const char *end = w->path + w->len;
	bool is_there = true;
	struct ways ways;
	ways_init(&ways, &v->tree);
	for (const char *p = w->path, *next; p < end && is_there; p = next < end ? next + 1 : end) {
		next = memchr(p, ';', (size_t)(end - p));
		next = next ? next : end;
		for (size_t i = 0; i < ways.n; i++) {
			uint32_t child = child_named(v, w, ways.now[i], p, (size_t)(next - p));
			if (child != NO_NODE)
				w->has_position ? ways_add_one(&ways, child) : ways_add(&ways, child);
		}
		is_there = ways_advance(&ways);
	}
	*node = ways_heaviest(&ways);
	ways_deinit(&ways);
	return is_there;
}

/* Also a path that begins with the root, as on the screen. */
static bool find_wanted(const struct view *v, struct wanted *w, uint32_t *node)
{
	uint32_t other;
	bool found = find_names(v, w, node);
	if (found || w->len < 3 || memcmp(w->path, "all", 3) != 0 || (w->len > 3 && w->path[3] != ';'))
		return found;
	w->path += w->len > 3 ? 4 : 3;
	w->len -= w->len > 3 ? 4 : 3;
	found = find_names(v, w, &other);
	if (found || *node == NODE_ALL)
		*node = other;
	return found;
}

bool view_find_path(const struct view *v, const char *path, uint32_t *node)
{
	struct wanted w = read_wanted(v, path);
	bool found = find_wanted(v, &w, node);
	if (!found || !lies_past_end(v, &w, *node))
		return found;
	*node = NODE_ALL;
	return false;
}

/* A last name that reads as a mark gets an escape. */
static void escape_mark(struct buf *out, size_t from)
{
	const char *path = buf_str(out) + from, *semicolon = strrchr(path, ';');
	size_t last = semicolon ? from + (size_t)(semicolon - path) + 1 : from;
	if (last >= out->len || out->data[last] != POSITION_MARK)
		return;
	char *name = mem_strdup(out->data + last + 1);
	out->len = last;
	buf_addf(out, "\\x%02x%s", POSITION_MARK, name);
	free(name);
}

bool view_add_place(const struct view *v, uint32_t node, struct buf *out)
{
	size_t from = out->len;
	uint32_t found;
	view_add_path(v, node, out);
	escape_mark(out, from);
	if (view_find_path(v, buf_str(out) + from, &found) && found == node)
		return true;
	if (has_twins(v)) {
		buf_adds(out, out->len > from ? ";" : "");
		add_position(v, v->tree.pos[node], out);
	}
	return view_find_path(v, buf_str(out) + from, &found) && found == node;
}

const struct symtab *view_file_names(const struct view *v, struct symtab *copy)
{
	const struct symtab *t = &v->profile->symtab;
	*copy = (struct symtab){0};
	if (v->tree.group == BY_FUNCTION || !symtab_has_marked(t))
		return t;
	symtab_copy_marked(copy, t);
	return copy;
}

/* In a tree of modules and the like, a name with its mark: "db (process)" is not the module db. */
void view_add_function(const struct view *v, uint32_t sym, struct buf *out)
{
	add_names(v, out, &sym, 1);
	if (v->tree.group != BY_FUNCTION && symtab_is_marked(&v->profile->symtab, sym))
		buf_adds(out, TASK_MARK);
}

static bool is_in_tree(const struct tree *t, uint32_t sym)
{
	bool is_there = false;
	for (uint32_t i = 0; i < t->n && !is_there; i++)
		is_there = t->sym[i] == sym;
	return is_there;
}

/* If only a process has the name, that is meant. */
static uint32_t task_or_label(const struct view *v, uint32_t sym)
{
	const struct symtab *t = &v->profile->symtab;
	if (v->tree.group == BY_FUNCTION || is_in_tree(&v->tree, sym))
		return sym;
	for (uint32_t i = 0; i < t->n_plain; i++)
		if (t->plain[i] == sym && symtab_is_task(t, i) && is_in_tree(&v->tree, i))
			return i;
	return sym;
}

/* The symbol whose name has this form in a path, escaped or raw. NO_SYMBOL: none. */
static uint32_t symbol_escaped(const struct symtab *t, const char *text, size_t len)
{
	struct buf name;
	buf_init(&name);
	escape_undo(&name, text, len);
	uint32_t sym = symtab_find(t, buf_str(&name), name.len);
	buf_deinit(&name);
	return sym != NO_SYMBOL ? sym : symtab_find(t, text, len);
}

static bool is_shown_as(const struct view *v, uint32_t sym, const char *text, size_t len)
{
	const struct display_name *d = display_name((struct display *)&v->display, sym); /* only fills a cache */
	return d->len == len && memcmp(d->text, text, len) == 0;
}

/* Frames come first: others may have the name without being in a stack. */
uint32_t view_find_function(const struct view *v, const char *text, size_t len)
{
	const struct symtab *t = &v->profile->symtab;
	uint32_t sym = symbol_escaped(t, text, len);
	bool is_frame = sym != NO_SYMBOL && (t->symbols[sym].is_frame || v->tree.group != BY_FUNCTION);
	for (uint32_t i = 0; i < t->n && !is_frame; i++) {
		if ((sym != NO_SYMBOL && !t->symbols[i].is_frame) || !is_shown_as(v, i, text, len))
			continue;
		sym = i;
		is_frame = t->symbols[i].is_frame;
	}
	return sym == NO_SYMBOL ? sym : task_or_label(v, sym);
}

static void set_below_by_name(struct view *v, const char *path)
{
	uint32_t *syms = NULL;
	size_t n = 0, cap = 0;
	if (strncmp(path, "all;", 4) == 0 && symtab_find(&v->profile->symtab, "all", 3) == NO_SYMBOL)
		path += 4;
	for (const char *end; *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ";");
		uint32_t sym = symbol_escaped(&v->profile->symtab, path, (size_t)(end - path));
		if (sym == NO_SYMBOL)
			break;
		mem_push(syms, n, cap, sym);
	}
	recipe_set_below(&v->recipe, syms, n);
	free(syms);
}

bool view_wants_path(struct view *v, const char *path)
{
	const struct cut *cut = v->tree.cut;
	const struct recipe *r = &v->recipe;
	if (!cut)
		return false;
	set_below_by_name(v, path);
	if (r->n_below == cut->n_below &&
	    (!r->n_below || memcmp(r->below, cut->below, r->n_below * sizeof *r->below) == 0))
		return false;
	v->zoom = v->cursor = NODE_ALL;
	v->n_back = 0;
	return true;
}

bool view_zoom_path(struct view *v, const char *path)
{
	uint32_t node;
	bool found = view_find_path(v, path, &node);
	view_zoom(v, node);
	v->cursor = node;
	return found;
}

void view_add_shown_path(const struct view *v, struct buf *out)
{
	const struct shown *s = &v->shown;
	if (!s->is_among_callers)
		view_add_function(v, s->function, out);
	for (size_t i = 0; i < s->n_path; i++) {
		if (i > 0 || !s->is_among_callers)
			buf_addc(out, ';');
		view_add_function(v, s->path[s->is_among_callers ? s->n_path - 1 - i : i], out);
	}
	if (s->is_among_callers) {
		buf_addc(out, ';');
		view_add_function(v, s->function, out);
	}
}
