/*
 * chart.c - a flame chart: reads the log again and adds each sample at the right edge of a tree.
 *
 * The first trie and its map give the filtered path of each sample. Frames that a sample shares with the one before
 * stay open. If a frame gains self weight after one of its children was closed, the tree needs room for it after
 * that child: a gap (tree.h).
 *
 * If samples have times and the axis is time, threads follow each other as lanes, each by time (threads.h). After
 * idle time all frames of a lane are closed, so that each frame covers one uninterrupted span.
 */
#include "chart.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "callers.h"
#include "selection.h"
#include "threads.h"
#include "tree_build.h"

/* A tree and its right edge. */
struct chart {
	struct tree *tree;
	size_t cap, cap_parent, cap_pos, cap_time, cap_until, cap_open, cap_lanes, cap_origin;
	uint64_t base;       /* ns: the profile's start, if samples have times */
	uint64_t now;        /* time of the current sample, ns after base */
	uint64_t end;        /* with lanes: when the current sample ends, ns after base */
	uint32_t *open;      /* nodes from "all" to the frame on top */
	uint32_t *open_path; /* their paths in the trie */
	uint32_t depth;      /* of the frame on top */
	uint32_t opened;     /* frames since the last check for cancellation */
	uint64_t most;       /* nodes; beyond that, stacks are shown without their frames */
	uint32_t *chain;     /* scratch of add_stack() */
	size_t cap_chain;
	uint32_t gap;       /* the last node if it is a gap, else 0 */
	uint32_t *nameless; /* frames with an empty name */
	size_t n_nameless, cap_nameless;
};

static uint32_t add_node(struct chart *c, uint32_t parent, uint32_t sym, uint32_t origin)
{
	struct tree *t = c->tree;
	uint32_t node = t->n;
	if (node >= UINT32_MAX - 2)
		mem_exhausted();
	mem_push(t->sym, t->n, c->cap, sym);
	t->parent = mem_grow(t->parent, &c->cap_parent, t->n, sizeof *t->parent);
	t->pos = mem_grow(t->pos, &c->cap_pos, (size_t)t->n + 1, sizeof *t->pos);
	if (t->origin) {
		t->origin = mem_grow(t->origin, &c->cap_origin, t->n, sizeof *t->origin);
		t->origin[node] = origin;
	}
	t->parent[node] = parent;
	t->pos[node] = 0;
	if (t->time) {
		t->time = mem_grow(t->time, &c->cap_time, t->n, sizeof *t->time);
		t->time[node] = c->now;
	}
	if (t->until) {
		t->until = mem_grow(t->until, &c->cap_until, t->n, sizeof *t->until);
		t->until[node] = c->end;
	}
	return node;
}

static void open_frame(struct chart *c, const struct trie *s, uint32_t path)
{
	uint32_t sym = s->sym[path], node = add_node(c, c->open[c->depth], sym, s->origin ? s->origin[path] : sym);
	c->gap = 0;
	if (sym == 0)
		mem_push(c->nameless, c->n_nameless, c->cap_nameless, node);
	c->depth++;
	c->opened++;
	if (c->depth + 1 >= c->cap_open) {
		c->open = mem_grow(c->open, &c->cap_open, c->depth + 2, sizeof *c->open);
		c->open_path = mem_realloc(c->open_path, c->cap_open, sizeof *c->open_path);
	}
	c->open[c->depth] = node;
	c->open_path[c->depth] = path;
	if (c->depth > c->tree->depth)
		c->tree->depth = c->depth;
}

/* Closes the frames above this depth, at a time. */
static void close_frames(struct chart *c, uint32_t depth, uint64_t end)
{
	for (uint32_t i = depth + 1; c->tree->until && i <= c->depth; i++)
		c->tree->until[c->open[i]] = end;
	c->depth = depth;
}

/*
 * Adds one sample: closes the frames it does not share with the one before, opens the rest, adds its weight on top.
 */
static void add_stack(struct chart *c, const struct trie *s, const uint32_t *depth, uint32_t path, uint64_t weight)
{
	struct tree *t = c->tree;
	uint32_t n = 0, up = t->n <= c->most ? path : PATH_ROOT, top;
	while (depth[up] > c->depth || c->open_path[depth[up]] != up) {
		if (n == c->cap_chain)
			c->chain = mem_grow(c->chain, &c->cap_chain, n + 1u, sizeof *c->chain);
		c->chain[n++] = up;
		up = s->parent[up];
	}
	close_frames(c, depth[up], c->now);
	while (n--)
		open_frame(c, s, c->chain[n]);
	top = c->open[c->depth];
	bool is_last =
		top == t->n - 1 && !(t->until && top == NODE_ALL); /* weight on no frame belongs to a lane, too */
	if (is_last || (!weight && !t->until)) {
		weight_add(&t->pos[top], weight);
	} else if (c->gap && t->parent[c->gap] == top) {
		weight_add(&t->pos[t->n - 1], weight); /* extends the gap */
		if (t->until)
			t->until[c->gap] = c->end;
	} else {
		c->gap = add_node(c, top, 0, 0); /* moves t->pos */
		t->pos[c->gap] = weight;
	}
}

/* A sample without a time takes that of the one before. */
static void move_on(struct chart *c, const struct sample_log *log, size_t i)
{
	struct tree *t = c->tree;
	uint64_t time = log_time(log, i);
	if (!t->time)
		return;
	if (time != NO_TIME && time >= c->base)
		c->now = time - c->base;
	if (t->n == 1 && t->pos[0] == 0)
		t->time[0] = c->now;
	if (c->now > t->time_end)
		t->time_end = c->now;
}

static void mark_nameless(const struct chart *c)
{
	struct tree *t = c->tree;
	if (c->n_nameless > 0)
		t->nameless = mem_zalloc(t->n / 64 + 1, sizeof *t->nameless);
	for (size_t i = 0; i < c->n_nameless; i++)
		t->nameless[c->nameless[i] / 64] |= UINT64_C(1) << c->nameless[i] % 64;
}

static void chart_init(struct chart *c, struct tree *t, const struct folding *w)
{
	const struct profile *p = w->profile;
	bool has_origins = w->trie.origin;
	uint64_t first, last;
	*c = (struct chart){.tree = t, .cap = 1, .cap_parent = 1, .cap_pos = 2};
	c->most = profile_bound_of_views(p);
	tree_build(t, 1, false);
	t->is_chart = true;
	if (has_origins)
		t->origin = mem_grow(NULL, &c->cap_origin, 1, sizeof *t->origin);
	if (has_origins)
		t->origin[0] = 0;
	t->sym[0] = t->parent[0] = 0;
	t->pos[0] = 0;
	c->open = mem_grow(NULL, &c->cap_open, 64, sizeof *c->open);
	c->open_path = mem_alloc(c->cap_open * sizeof *c->open_path);
	c->open[0] = c->open_path[0] = 0;
	if (selection_has_times(p, w->recipe) && profile_time_range(p, &first, &last)) {
		c->base = profile_time_base(p, first);
		t->time = mem_grow(NULL, &c->cap_time, 1, sizeof *t->time);
		t->time[0] = 0;
	}
}

static void chart_deinit(struct chart *c)
{
	free(c->nameless);
	free(c->open);
	free(c->open_path);
	free(c->chain);
}

static bool goes_on(struct folding *w, struct chart *c, size_t i)
{
	if (EVERY(i) && !folding_goes_on(w, 0x10000))
		return false;
	if (c->opened <= 0x10000) /* few deep stacks can open many frames */
		return true;
	c->opened = 0;
	return folding_goes_on(w, 0);
}

static uint64_t weight_of(const struct folding *w, size_t i)
{
	return w->faded ? w->faded[i] : folding_weight(w, i);
}

/* Adds the selected samples in log order. */
static bool replay(struct folding *w, struct chart *c, const uint32_t *depth)
{
	const struct sample_log *log = &w->profile->log[0];
	struct selection selection;
	bool ok = !trie_is_stopped(&w->trie); /* after a cancellation, depths are incomplete */
	ok = selection_init(&selection, w->profile, w->recipe, w->progress) && ok;
	for (size_t i = 0; i < log->n && ok; i++) {
		ok = goes_on(w, c, i);
		if (!log_is_of(log, i, w->recipe->series) || !selection_has(&selection, log, i))
			continue;
		uint32_t path = folding_path(w, i);
		if (path == DROPPED)
			continue;
		move_on(c, log, i);
		add_stack(c, &w->trie, depth, path, weight_of(w, i));
		if (w->tail_of)
			callers_add_to_chart(w, folding_first_path(w, i), c->open[c->depth], weight_of(w, i));
	}
	selection_deinit(&selection);
	return ok;
}

/* ---- lanes --------------------------------------------------------------------------------------------------- */

/* What adding the samples of a lane needs. */
struct filling {
	struct folding *folding;
	struct chart *chart;
	const uint32_t *depth;
	struct threads threads;
	struct selection selection;
	uint64_t end; /* of the sample before, ns after base; UINT64_MAX: none */
};

static void add_sample(struct filling *f, size_t lane, size_t place)
{
	struct folding *w = f->folding;
	struct chart *c = f->chart;
	uint32_t i = f->threads.order[place], path = folding_path(w, i);
	if (path == DROPPED)
		return;
	c->now = threads_begin(&f->threads, place) - c->base;
	c->end = threads_end(&f->threads, lane, place) - c->base;
	if (c->now != f->end) { /* idle in between */
		close_frames(c, 0, f->end);
		c->gap = 0;
	}
	uint64_t weight = weight_of(w, i);
	add_stack(c, &w->trie, f->depth, path, weight);
	if (w->tail_of)
		callers_add_to_chart(w, folding_first_path(w, i), c->open[c->depth], weight);
	f->end = c->end;
}

static bool add_lane(struct filling *f, size_t lane)
{
	const struct threads *l = &f->threads;
	struct chart *c = f->chart;
	struct tree *t = c->tree;
	uint32_t deepest = t->depth;
	struct lane new = {.task = l->task[lane], .first = t->n};
	bool ok = true;
	c->gap = t->depth = 0;
	f->end = UINT64_MAX;
	for (size_t k = l->start[lane]; k < l->start[lane + 1] && ok; k++) {
		ok = goes_on(f->folding, c, k);
		if (!folding_leaves_out(f->folding, l->order[k]))
			new.samples += log_count(&f->folding->profile->log[0], l->order[k]);
		add_sample(f, lane, k);
	}
	close_frames(c, 0, f->end);
	new.depth = t->depth ? t->depth : 1;
	t->depth = t->depth > deepest ? t->depth : deepest;
	if (t->n > new.first)
		mem_push(t->lanes, t->n_lanes, c->cap_lanes, new);
	return ok;
}

static bool add_lanes(struct folding *w, struct chart *c, const uint32_t *depth)
{
	struct filling f = {.folding = w, .chart = c, .depth = depth};
	struct tree *t = c->tree;
	if (trie_is_stopped(&w->trie) || !threads_make(&f.threads, w))
		return false;
	bool ok = selection_init(&f.selection, w->profile, w->recipe, w->progress);
	t->until = mem_grow(NULL, &c->cap_until, 1, sizeof *t->until);
	t->time[0] = f.threads.from > c->base ? f.threads.from - c->base : 0;
	t->until[0] = t->time_end = f.threads.to > c->base ? f.threads.to - c->base : 0; /* without samples */
	for (size_t lane = 0; lane < f.threads.n_lanes && ok; lane++)
		ok = add_lane(&f, lane);
	selection_deinit(&f.selection);
	threads_deinit(&f.threads);
	return ok;
}

bool chart_make(struct folding *w, struct tree *t)
{
	uint32_t *depth = trie_depths(&w->trie);
	struct chart c;
	bool ok;
	chart_init(&c, t, w);
	ok = t->time && selection_has_time_axis(w->profile, w->recipe) ? add_lanes(w, &c, depth) : replay(w, &c, depth);
	mark_nameless(&c);
	w->is_shortened |= t->n > c.most;
	chart_deinit(&c);
	free(depth);
	t->end = mem_realloc(t->end, t->n, sizeof *t->end);
	tree_build_fit(t->pos, t->n);
	tree_build_positions(t->pos, t->n);
	tree_build_ends(t, w->progress);
	if (!ok)
		tree_deinit(t);
	return ok;
}
