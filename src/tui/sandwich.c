/*
 * sandwich.c - one function in the middle, everybody who calls it above, everything it calls below.
 *
 *	      |  net_rx  | timer |        callers grow up, nearest first
 *	      |   do_softirq     |
 *	   == |  tcp_send        | ==     the function
 *	      |  copy | checksum |        callees grow down
 *
 * Both halves are trees of their own, woven out of the view's tree. Only the outermost frames of the function take part:
 * a call of itself would count twice otherwise. Enter puts another function into the middle, Backspace the one before.
 */
#include "tui/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tui/canvas.h"

/* A tree that grows in any order: children by (parent, symbol). */
struct loom {
	uint32_t *sym, *parent;
	uint64_t *self[2];
	bool *is_lit; /* a search matches in what was not woven beyond it */
	uint32_t n;
	size_t cap;
	uint32_t *slots; /* node + 1, 0: free; n_slots a power of two */
	size_t n_slots;
};

static void loom_init(struct loom *l)
{
	*l = (struct loom){.n_slots = 1024};
	l->slots = mem_zalloc(l->n_slots, sizeof *l->slots);
}

static void loom_deinit(struct loom *l)
{
	free(l->sym);
	free(l->parent);
	free(l->self[0]);
	free(l->self[1]);
	free(l->is_lit);
	free(l->slots);
}

static size_t loom_slot(const struct loom *l, uint32_t parent, uint32_t sym)
{
	uint64_t key = (uint64_t)parent << 32 | sym;
	size_t i = hash_mix(key ^ hash_seed[0], hash_seed[1] | 1) & (l->n_slots - 1);
	while (l->slots[i] && (l->parent[l->slots[i] - 1] != parent || l->sym[l->slots[i] - 1] != sym))
		i = (i + 1) & (l->n_slots - 1);
	return i;
}

static void loom_rehash(struct loom *l)
{
	free(l->slots);
	l->n_slots *= 2;
	l->slots = mem_zalloc(l->n_slots, sizeof *l->slots);
	for (uint32_t i = 0; i < l->n; i++)
		l->slots[loom_slot(l, l->parent[i], l->sym[i])] = i + 1;
}

static void loom_grow(struct loom *l)
{
	l->cap = l->cap ? l->cap * 2 : 256;
	l->sym = mem_realloc(l->sym, l->cap, sizeof *l->sym);
	l->parent = mem_realloc(l->parent, l->cap, sizeof *l->parent);
	for (int i = 0; i < 2; i++)
		l->self[i] = mem_realloc(l->self[i], l->cap, sizeof *l->self[i]);
	l->is_lit = mem_realloc(l->is_lit, l->cap, sizeof *l->is_lit);
}

/* The root is its own parent, as in a tree. */
static uint32_t loom_child(struct loom *l, uint32_t parent, uint32_t sym)
{
	if (l->n > 0) {
		size_t i = loom_slot(l, parent, sym);
		if (l->slots[i] && l->slots[i] != 1)
			return l->slots[i] - 1;
	}
	if (l->n == l->cap)
		loom_grow(l);
	uint32_t node = l->n++;
	l->sym[node] = sym;
	l->parent[node] = parent;
	l->self[0][node] = l->self[1][node] = 0;
	l->is_lit[node] = false;
	if ((size_t)l->n * 2 > l->n_slots)
		loom_rehash(l);
	else if (node > 0)
		l->slots[loom_slot(l, parent, sym)] = node + 1;
	return node;
}

static void loom_add(struct loom *l, uint32_t node, const struct tree *t, uint64_t now, uint64_t before)
{
	l->self[0][node] += now;
	if (t->base)
		l->self[1][node] += before;
}

/* ---- from the loom to a tree ------------------------------------------------------------------------------------ */

struct order {
	const struct loom *loom;
	const struct symbol *symbols;
	const uint64_t *total; /* NULL: by name */
};

static int compare_siblings(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (o->total && o->total[x] != o->total[y])
		return o->total[x] < o->total[y] ? 1 : -1;
	return strcmp(o->symbols[o->loom->sym[x]].name, o->symbols[o->loom->sym[y]].name);
}

/* Children of each node side by side in `list`, those of i at [from[i], from[i + 1]); both are the caller's. */
static uint32_t *list_children(const struct loom *l, struct order *o, uint32_t **from)
{
	uint32_t *list = mem_alloc(l->n * sizeof *list), *start = mem_zalloc((size_t)l->n + 2, sizeof *start);
	for (uint32_t i = 1; i < l->n; i++)
		start[l->parent[i] + 2]++;
	for (uint32_t i = 2; i < l->n + 2; i++)
		start[i] += start[i - 1];
	for (uint32_t i = 1; i < l->n; i++)
		list[start[l->parent[i] + 1]++] = i;
	for (uint32_t i = 0; i < l->n; i++)
		qsort_r(list + start[i], start[i + 1] - start[i], sizeof *list, compare_siblings, o);
	*from = start;
	return list;
}

static uint64_t *totals(const struct loom *l)
{
	uint64_t *total = mem_alloc(l->n * sizeof *total);
	memcpy(total, l->self[0], l->n * sizeof *total);
	for (uint32_t i = l->n; i-- > 1;)
		total[l->parent[i]] += total[i];
	return total;
}

static void alloc_tree(struct tree *t, uint32_t n, bool has_base)
{
	tree_deinit(t);
	*t = (struct tree){.n = n};
	t->sym = mem_alloc(n * sizeof *t->sym);
	t->parent = mem_alloc(n * sizeof *t->parent);
	t->end = mem_alloc(n * sizeof *t->end);
	t->pos = mem_zalloc((size_t)n + 1, sizeof *t->pos);
	t->base = has_base ? mem_zalloc((size_t)n + 1, sizeof *t->base) : NULL;
}

/* Depth first without recursion: `at` holds the next child to visit for every node on the way. */
static void loom_to_tree(const struct loom *l, struct sandwich *s, enum sandwich_half half,
                         const struct symbol *symbols, bool by_weight, bool has_base)
{
	struct tree *t = &s->trees[half];
	uint64_t *total = totals(l);
	struct order o = {l, symbols, by_weight ? total : NULL};
	uint32_t *from, *list = list_children(l, &o, &from);
	uint32_t *place = mem_alloc(l->n * sizeof *place), *at = mem_alloc(l->n * sizeof *at);
	uint32_t n = 0, node = 0, depth = 0;
	alloc_tree(t, l->n, has_base);
	bool *is_lit = s->is_lit[half] = mem_realloc(s->is_lit[half], l->n, sizeof *is_lit);
	memcpy(at, from, l->n * sizeof *at);
	for (bool is_new = true;;) {
		if (is_new) {
			place[node] = n;
			t->sym[n] = l->sym[node];
			is_lit[n] = l->is_lit[node];
			t->parent[n] = node ? place[l->parent[node]] : 0;
			t->pos[n + 1] = t->pos[n] + l->self[0][node];
			if (t->base)
				t->base[n + 1] = t->base[n] + l->self[1][node];
			t->depth = depth > t->depth ? depth : t->depth;
			n++;
		}
		is_new = at[node] < from[node + 1];
		if (is_new) {
			node = list[at[node]++];
			depth++;
			continue;
		}
		t->end[place[node]] = n;
		if (node == 0)
			break;
		node = l->parent[node];
		depth--;
	}
	free(total);
	free(list);
	free(from);
	free(place);
	free(at);
}

/* ---- weaving ---------------------------------------------------------------------------------------------------- */

/*
 * A function may have half of a large tree below it, of which little can be seen. So a frame is woven only if it is wide
 * enough to be drawn with something beyond it, row after row from the middle: each holds its strands, the frames of the
 * view's tree that make it up, and hands them on to its children. What is narrower keeps its weight as its own.
 */
struct strand {
	uint32_t at;   /* frame of the view's tree */
	uint32_t next; /* of the same loom's frame; NO_STRAND: the last */
	uint64_t weight[2];
};
#define NO_STRAND UINT32_MAX

struct weaver {
	const struct view *view;
	enum sandwich_half half;
	bool is_below; /* towards the leaves of the view's tree */
	struct loom loom;
	uint32_t *first; /* by frame of the loom: strand */
	size_t cap_first, n_first;
	struct strand *strands;
	size_t n, cap;
};

static void add_strand(struct weaver *w, uint32_t node, uint32_t at, uint64_t now, uint64_t before)
{
	while (w->n_first < w->loom.n)
		mem_push(w->first, w->n_first, w->cap_first, NO_STRAND);
	uint32_t first = w->first[node];
	/* On their ways to the root many strands soon meet. */
	if (!w->is_below && first != NO_STRAND && w->strands[first].at == at) {
		w->strands[first].weight[0] += now;
		w->strands[first].weight[1] += before;
		return;
	}
	if (w->n >= NO_STRAND)
		mem_exhausted();
	w->first[node] = (uint32_t)w->n;
	mem_push(w->strands, w->n, w->cap, ((struct strand){at, first, {now, before}}));
}

static void weave_below(struct weaver *w, uint32_t node, uint32_t at)
{
	const struct tree *t = &w->view->tree;
	loom_add(&w->loom, node, t, tree_own(t, at), tree_base_self(t, at));
	for (uint32_t i = tree_first_child(t, at); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i)) /* a chart's gap is its parent's own time */
			add_strand(w, loom_child(&w->loom, node, t->sym[i]), i, tree_total(t, i), tree_base_total(t, i));
}

static void weave_above(struct weaver *w, uint32_t node, const struct strand *s)
{
	const struct tree *t = &w->view->tree;
	uint32_t parent = t->parent[s->at];
	if (parent == NODE_ALL)
		loom_add(&w->loom, node, t, s->weight[0], s->weight[1]);
	else
		add_strand(w, loom_child(&w->loom, node, t->sym[parent]), parent, s->weight[0], s->weight[1]);
}

/* Does the search match beyond this frame, where nothing was woven? */
static bool has_hit_beyond(const struct weaver *w, uint32_t at)
{
	const struct view *v = w->view;
	if (v->search.pattern == NULL)
		return false;
	if (w->is_below)
		return view_has_hit_within(v, at, at);
	for (uint32_t i = v->tree.parent[at]; i != NODE_ALL; i = v->tree.parent[i])
		if (view_is_hit(v, i))
			return true;
	return false;
}

static void weave_frame(struct weaver *w, uint32_t node, uint64_t least)
{
	const struct tree *t = &w->view->tree;
	uint64_t sum[2] = {0, 0};
	for (uint32_t i = w->first[node]; i != NO_STRAND; i = w->strands[i].next)
		for (int side = 0; side < 2; side++)
			sum[side] += w->strands[i].weight[side];
	if (node > 0 && sum[0] < least && sum[1] < least) {
		loom_add(&w->loom, node, t, sum[0], sum[1]);
		for (uint32_t i = w->first[node]; i != NO_STRAND && !w->loom.is_lit[node]; i = w->strands[i].next)
			w->loom.is_lit[node] = has_hit_beyond(w, w->strands[i].at);
		return;
	}
	for (uint32_t i = w->first[node], next; i != NO_STRAND; i = next) {
		struct strand s = w->strands[i]; /* adding some moves them */
		next = s.next;
		if (w->is_below)
			weave_below(w, node, s.at);
		else
			weave_above(w, node, &s);
	}
}

#define STRETCH 64u

/* Is the symbol among so many? Without an end on the way, several are compared at once. */
static bool occurs(const uint32_t *syms, uint32_t symbol)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < STRETCH; i++)
		found |= syms[i] == symbol;
	return found;
}

/* The outermost frames of the function: the one look at the whole tree, once for both halves and for every search. */
static void find_frames(struct app *app)
{
	struct sandwich *s = &app->sandwich;
	const struct tree *t = &app->view.tree;
	if (s->frames_symbol == s->symbol && s->frames_tree == app->tree_stamp)
		return;
	s->n_frames = 0;
	for (uint32_t i = 1; i < t->n; i++) {
		while (t->n - i > STRETCH && !occurs(t->sym + i, s->symbol))
			i += STRETCH;
		if (t->sym[i] != s->symbol)
			continue;
		mem_push(s->frames, s->n_frames, s->cap_frames, i);
		i = t->end[i] - 1;
	}
	s->frames_symbol = s->symbol;
	s->frames_tree = app->tree_stamp;
}

static void begin_weaving(struct weaver *w, const struct sandwich *s)
{
	const struct tree *t = &w->view->tree;
	loom_child(&w->loom, 0, s->symbol);
	for (size_t i = 0; i < s->n_frames; i++)
		add_strand(w, 0, s->frames[i], tree_total(t, s->frames[i]), tree_base_total(t, s->frames[i]));
}

static void weave(struct app *app, enum sandwich_half half, int cols)
{
	struct sandwich *s = &app->sandwich;
	const struct tree *t = &app->view.tree;
	/* A tree merged from the leaves has the callers below and the callees above. */
	struct weaver w = {.view = &app->view, .half = half, .is_below = (half == HALF_CALLEES) != t->is_reversed};
	uint64_t sum = 0;
	loom_init(&w.loom);
	begin_weaving(&w, s);
	for (size_t i = 0; i < w.n; i++)
		sum += w.strands[i].weight[0] > w.strands[i].weight[1] ? w.strands[i].weight[0] : w.strands[i].weight[1];
	/* A frame narrower than a cell may still have one to itself, at the edge of two. */
	uint64_t least = sum / ((uint64_t)(cols > 0 ? cols : 1) * 8);
	for (uint32_t node = 0; node < w.n_first; node++)
		weave_frame(&w, node, least > 0 ? least : 1);
	loom_to_tree(&w.loom, s, half, app->profile->symtab.symbols, app->view.recipe.sort == SORT_WEIGHT,
	             t->base != NULL);
	loom_deinit(&w.loom);
	free(w.first);
	free(w.strands);
}

/* ---- the view --------------------------------------------------------------------------------------------------- */

void sandwich_init(struct sandwich *s)
{
	*s = (struct sandwich){.symbol = UINT32_MAX, .frames_symbol = UINT32_MAX, .half = HALF_CALLEES};
	for (int i = 0; i < 2; i++) {
		tree_init(&s->trees[i]);
		layout_init(&s->layouts[i]);
	}
}

void sandwich_deinit(struct sandwich *s)
{
	for (int i = 0; i < 2; i++) {
		tree_deinit(&s->trees[i]);
		layout_deinit(&s->layouts[i]);
		free(s->is_lit[i]);
	}
	free(s->past);
	free(s->frames);
	free(s->search);
}

void sandwich_forget(struct sandwich *s)
{
	s->stamp = 0;
}

static void put_in_the_middle(struct app *app, uint32_t symbol)
{
	struct sandwich *s = &app->sandwich;
	s->symbol = symbol;
	s->cursor = 0;
	s->half = HALF_CALLEES;
	s->scroll[0] = s->scroll[1] = 0;
	s->stamp = 0;
	app->dirty |= DIRTY_SCREEN;
}

void sandwich_set(struct app *app, uint32_t symbol)
{
	struct sandwich *s = &app->sandwich;
	if (s->symbol != UINT32_MAX)
		mem_push(s->past, s->n_past, s->cap_past, s->symbol);
	put_in_the_middle(app, symbol);
}

void sandwich_set_heaviest(struct app *app)
{
	const struct facts *f = &app->facts;
	const struct name_sum *best = NULL;
	for (size_t i = 0; i < f->n_sums; i++) {
		const struct name_sum *s = &f->sums[i];
		if (s->sym != 0 && (best == NULL || s->self > best->self || (s->self == best->self && s->sym < best->sym)))
			best = s;
	}
	if (best == NULL || best->sym >= app->profile->symtab.n)
		return;
	put_in_the_middle(app, best->sym);
	state_say(app, "no function was selected: this one has most self weight (2 lists them all)");
}

bool sandwich_back(struct app *app)
{
	struct sandwich *s = &app->sandwich;
	if (s->n_past == 0)
		return false;
	put_in_the_middle(app, s->past[--s->n_past]);
	return true;
}

static bool has_function(const struct app *app)
{
	return app->sandwich.symbol < app->profile->symtab.n;
}

/* The function's own row belongs to the callees; the callers' half begins above it. */
static void place_halves(struct sandwich *s, struct rect area)
{
	int depth = (int)(s->trees[HALF_CALLERS].depth < 10000 ? s->trees[HALF_CALLERS].depth : 10000);
	int below = (int)(s->trees[HALF_CALLEES].depth < 10000 ? s->trees[HALF_CALLEES].depth : 10000) + 1;
	int above = depth < area.rows / 2 ? depth : area.rows / 2;
	if (below < area.rows - above && depth > above)
		above = depth < area.rows - below ? depth : area.rows - below;
	s->areas[HALF_CALLERS] = area;
	s->areas[HALF_CALLERS].rows = above;
	s->areas[HALF_CALLEES] = area;
	s->areas[HALF_CALLEES].row += above;
	s->areas[HALF_CALLEES].rows -= above;
}

/* Row 0 of the callers' layout, the function, is scrolled out: it stands in the other half. */
static size_t first_row(enum sandwich_half half)
{
	return half == HALF_CALLERS ? 1 : 0;
}

/* A stack may be far deeper than what anybody scrolls to here. */
#define SANDWICH_ROWS 5000u

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The cursor stays on its frame, as far as that is still there. */
static void weave_again(struct app *app, int cols)
{
	struct sandwich *s = &app->sandwich;
	const struct tree *t = &s->trees[s->half];
	size_t n = s->cursor < t->n ? tree_depth(t, s->cursor) : 0;
	uint32_t *path = mem_alloc((n ? n : 1) * sizeof *path);
	if (n > 0)
		tree_path(t, s->cursor, path, n);
	find_frames(app);
	weave(app, HALF_CALLERS, cols);
	weave(app, HALF_CALLEES, cols);
	free(s->search);
	s->search = mem_strdup(app->view.search.pattern);
	s->cols = cols;
	s->cursor = tree_find_path(&s->trees[s->half], path, n, NULL);
	free(path);
}

static void sandwich_prepare(struct app *app, struct rect area)
{
	struct sandwich *s = &app->sandwich;
	if (s->cols != area.cols || !is_same(s->search, app->view.search.pattern))
		s->stamp = 0;
	if (!has_function(app) || (s->stamp == app->stamp && s->areas[0].cols == area.cols &&
	                           s->areas[0].row == area.row && s->areas[0].rows + s->areas[1].rows == area.rows))
		return;
	uint64_t least = 0;
	if (s->stamp == 0)
		weave_again(app, area.cols);
	place_halves(s, area);
	if (app->view.min_share > 0)
		least = (uint64_t)(app->view.min_share / 100 * (double)view_total(&app->view));
	for (int i = 0; i < 2; i++)
		layout_make(&s->layouts[i], &s->trees[i], NODE_ALL, (uint32_t)(area.cols > 0 ? area.cols : 1), least,
		            SANDWICH_ROWS);
	s->stamp = app->stamp;
}

static size_t selected_box(const struct sandwich *s, enum sandwich_half half)
{
	const struct layout *l = &s->layouts[half];
	if (s->half != half || l->n == 0)
		return NO_BOX;
	return layout_find(l, s->cursor);
}

static struct canvas half_canvas(struct app *app, enum sandwich_half half)
{
	struct sandwich *s = &app->sandwich;
	return (struct canvas){
		.layout = &s->layouts[half],
		.view = &app->view,
		.theme = &app->theme,
		.area = s->areas[half],
		.scroll = s->scroll[half] + first_row(half),
		.grows_up = half == HALF_CALLERS,
		.selected = selected_box(s, half),
		.whole = view_total(&app->view),
		.diff_max = app->view.diff == DIFF_OFF ? 0 : app->facts.diff_max,
		.basis = &app->facts.basis,
		.is_negated = app->options->export_.negate,
		.is_lit = s->is_lit[half],
	};
}

static void sandwich_paint(struct app *app, struct rect area)
{
	if (!has_function(app)) {
		grid_str(&app->grid, area.row + area.rows / 2, area.col + 2, area.cols - 2, app->theme.dim, "no functions");
		return;
	}
	for (int i = 0; i < 2; i++) {
		struct canvas c = half_canvas(app, (enum sandwich_half)i);
		canvas_paint(&app->grid, &c);
	}
}

static void keep_visible(struct sandwich *s)
{
	enum sandwich_half half = s->half;
	size_t box = selected_box(s, half), height = (size_t)s->areas[half].rows;
	if (box == NO_BOX || height == 0)
		return;
	size_t row = canvas_row_of(&s->layouts[half], box);
	size_t at = row >= first_row(half) ? row - first_row(half) : 0;
	if (at < s->scroll[half])
		s->scroll[half] = at;
	if (at >= s->scroll[half] + height)
		s->scroll[half] = at - height + 1;
}

static void choose(struct app *app, enum sandwich_half half, size_t box)
{
	struct sandwich *s = &app->sandwich;
	if (box == NO_BOX)
		return;
	s->half = half;
	s->cursor = s->layouts[half].boxes[box].node;
	/* The function itself is one frame, drawn once. */
	if (s->cursor == 0)
		s->half = HALF_CALLEES;
	keep_visible(s);
}

/* To the widest box of the next row away from the middle; false: there is none. */
static void go_outwards(struct app *app, enum sandwich_half half, size_t box)
{
	const struct layout *l = &app->sandwich.layouts[half];
	size_t first, end, best;
	canvas_children(l, box, &first, &end);
	best = first;
	for (size_t i = first + 1; i < end; i++)
		if (l->boxes[i].x1 - l->boxes[i].x0 > l->boxes[best].x1 - l->boxes[best].x0)
			best = i;
	if (first < end)
		choose(app, half, best);
}

/* Frames too small to be drawn stand for the function itself: their row is the first one. */
static void go_vertically(struct app *app, enum sandwich_half towards)
{
	struct sandwich *s = &app->sandwich;
	const struct layout *l = &s->layouts[s->half];
	size_t box = selected_box(s, s->half);
	if (box == NO_BOX)
		return;
	size_t row = canvas_row_of(l, box);
	if (row == 0) {
		s->cursor = 0;
		if (s->layouts[towards].rows > 1)
			go_outwards(app, towards, 0);
	} else if (s->half == towards) {
		go_outwards(app, towards, box);
	} else {
		choose(app, s->half, l->row_start[row - 1] + l->boxes[box].parent);
	}
}

static void go_sideways(struct app *app, int by, bool is_far)
{
	struct sandwich *s = &app->sandwich;
	const struct layout *l = &s->layouts[s->half];
	size_t box = selected_box(s, s->half);
	if (box == NO_BOX)
		return;
	size_t row = canvas_row_of(l, box), first = l->row_start[row], last = l->row_start[row + 1] - 1;
	if (by < 0)
		choose(app, s->half, is_far ? first : box > first ? box - 1 : box);
	else
		choose(app, s->half, is_far ? last : box < last ? box + 1 : box);
}

static void scroll_half(struct sandwich *s, enum sandwich_half half, long by)
{
	size_t rows = s->layouts[half].rows, height = (size_t)s->areas[half].rows + first_row(half);
	long last = rows > height ? (long)(rows - height) : 0, to = (long)s->scroll[half] + by;
	s->scroll[half] = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static void repeat(struct app *app, enum sandwich_half towards, int n)
{
	while (n-- > 0)
		go_vertically(app, towards);
}

static void sandwich_move(struct app *app, enum motion m)
{
	struct sandwich *s = &app->sandwich;
	int page = s->areas[s->half].rows > 1 ? s->areas[s->half].rows - 1 : 1;
	if (!has_function(app))
		return;
	switch (m) {
	case MOVE_UP:
		go_vertically(app, HALF_CALLERS);
		break;
	case MOVE_DOWN:
		go_vertically(app, HALF_CALLEES);
		break;
	case MOVE_LEFT:
		go_sideways(app, -1, false);
		break;
	case MOVE_RIGHT:
		go_sideways(app, 1, false);
		break;
	case MOVE_FIRST:
		go_sideways(app, -1, true);
		break;
	case MOVE_LAST:
		go_sideways(app, 1, true);
		break;
	case MOVE_PARENT:
		if (s->cursor != 0)
			go_vertically(app, s->half == HALF_CALLERS ? HALF_CALLEES : HALF_CALLERS);
		break;
	case MOVE_TOP:
		repeat(app, HALF_CALLERS, (int)SANDWICH_ROWS * 2);
		break;
	case MOVE_BOTTOM:
		repeat(app, HALF_CALLEES, (int)SANDWICH_ROWS * 2);
		break;
	case MOVE_PAGE_UP:
		repeat(app, HALF_CALLERS, page);
		break;
	case MOVE_PAGE_DOWN:
		repeat(app, HALF_CALLEES, page);
		break;
	case MOVE_HALF_UP:
		repeat(app, HALF_CALLERS, (page + 1) / 2);
		break;
	case MOVE_HALF_DOWN:
		repeat(app, HALF_CALLEES, (page + 1) / 2);
		break;
	case MOVE_WHEEL_UP:
		scroll_half(s, s->half, s->half == HALF_CALLERS ? 3 : -3);
		break;
	case MOVE_WHEEL_DOWN:
		scroll_half(s, s->half, s->half == HALF_CALLERS ? -3 : 3);
		break;
	}
}

static uint32_t sandwich_symbol(const struct app *app)
{
	const struct sandwich *s = &app->sandwich;
	if (!has_function(app))
		return UINT32_MAX;
	if (s->stamp == 0 || s->cursor >= s->trees[s->half].n)
		return s->symbol;
	return s->trees[s->half].sym[s->cursor];
}

static void sandwich_enter(struct app *app)
{
	uint32_t symbol = sandwich_symbol(app);
	if (symbol != UINT32_MAX && symbol != app->sandwich.symbol)
		sandwich_set(app, symbol);
}

static void sandwich_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	(void)area;
	if (!has_function(app))
		return;
	for (int i = 0; i < 2; i++) {
		struct canvas c = half_canvas(app, (enum sandwich_half)i);
		size_t layout_row;
		if (!canvas_row_at(&c, row, &layout_row))
			continue;
		size_t box = layout_at(c.layout, layout_row, (uint32_t)(col - c.area.col));
		if (box == SIZE_MAX)
			continue;
		choose(app, (enum sandwich_half)i, box);
		if (is_double)
			sandwich_enter(app);
		return;
	}
}

static uint32_t sandwich_node(const struct app *app)
{
	(void)app;
	return NO_NODE;
}

static void sandwich_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct sandwich *s = &app->sandwich;
	size_t above = s->layouts[HALF_CALLERS].rows, below = s->layouts[HALF_CALLEES].rows;
	size_t shown = (size_t)(s->areas[0].rows + s->areas[1].rows);
	*all = has_function(app) ? (above > 0 ? above - 1 : 0) + below : 0;
	*first = *all ? 1 : 0;
	*last = shown < *all ? shown : *all;
}

const struct pane sandwich_pane = {
	.name = "sandwich",
	.prepare = sandwich_prepare,
	.paint = sandwich_paint,
	.move = sandwich_move,
	.enter = sandwich_enter,
	.click = sandwich_click,
	.symbol = sandwich_symbol,
	.node = sandwich_node,
	.rows = sandwich_rows,
};
