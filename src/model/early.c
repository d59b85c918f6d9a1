/*
 * early.c - parts stacks as turn.c does, but only those in wide frames, a row at a time.
 *
 * The first row is a sum by the leaves of all stacks. Of each wide frame of a row, the stacks climb to their next
 * frames, which makes the next row: stacks of light frames stay where they are, so every row has fewer.
 *
 *	row 1   write |-----------|   read |----|   open |   close |
 *	row 2   flush |------|  log |                  the stacks of open and close wait: no cell shows their callers
 *
 * The rows make a small trie, which arrange.c turns into a tree.
 */
#include "early.h"

#include <stdlib.h>
#include <string.h>

#include "arrange.h"
#include "base/fetch.h"
#include "base/mem.h"

/* A frame with less than this part of all weight is light: less than a cell on most screens. */
#define CELLS 512u
/* Steps of stacks after which no further row is begun: about a tenth of a second. */
#define MOST_STEPS 6000000u

struct frame {
	uint32_t parent, sym;
	uint64_t weight[2]; /* of the stacks that stand here or have ended here */
	uint64_t age;       /* as in a trie */
	uint32_t n, first;  /* its stacks, if it is wide: [first, first + n) of the row's */
	uint8_t is_used;
};

struct stack {
	uint32_t path; /* of the trie: where it ends */
	uint32_t at;   /* the path of its last frame so far */
	uint32_t frame;
};

struct early {
	const struct trie *from;
	struct frame *frames; /* 0 is the root; parents come before children */
	size_t n, cap;
	struct stack *stacks, *other; /* those of wide frames in this row, by frame, and of the next row */
	size_t n_stacks, steps;
	uint32_t *frame_of; /* by symbol, while children of one frame are made; 0: none yet */
	uint64_t least[2];
};

static bool is_wide(const struct early *e, const struct frame *f)
{
	return f->weight[0] >= e->least[0] || (e->from->weight[1] && f->weight[1] >= e->least[1]);
}

static void add_stack(const struct early *e, struct frame *f, uint32_t path)
{
	const struct trie *from = e->from;
	f->weight[0] += from->weight[0][path];
	if (from->weight[1])
		f->weight[1] += from->weight[1][path];
	if (from->age && from->age[path] > f->age)
		f->age = from->age[path];
	f->is_used |= from->is_used[path];
	f->n++;
}

/* The stack climbs to a frame of this name on `parent`. Returns the frame. */
static uint32_t climb(struct early *e, uint32_t parent, uint32_t sym, uint32_t path)
{
	uint32_t f = e->frame_of[sym];
	if (!f) {
		f = e->frame_of[sym] = (uint32_t)e->n;
		mem_push(e->frames, e->n, e->cap, ((struct frame){.parent = parent, .sym = sym}));
	}
	add_stack(e, &e->frames[f], path);
	return f;
}

/* Gives the wide ones among the frames from `first` on their places among the stacks, from `at` on. */
static size_t place_wide(struct early *e, size_t first, size_t at)
{
	for (struct frame *f = e->frames + first; f < e->frames + e->n; f++) {
		e->frame_of[f->sym] = 0;
		f->first = (uint32_t)at;
		f->n = is_wide(e, f) ? f->n : 0;
		at += f->n;
		f->n = 0;
	}
	return at;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static void put(struct early *e, struct stack *row, struct stack s)
{
	struct frame *f = &e->frames[s.frame];
	if (is_wide(e, f))
		row[f->first + f->n++] = s;
}

/* false: cancelled. */
static bool first_row(struct early *e)
{
	const struct trie *from = e->from;
	uint32_t *frame = mem_alloc(from->n * sizeof *frame), n = 0;
	for (uint32_t i = 1; i < from->n && !TRIE_STOPS(from, i); i++)
		if (from->is_used[i])
			frame[n++] = climb(e, 0, from->sym[i], i);
	if (from->is_used[PATH_ROOT])
		add_stack(e, &e->frames[0], PATH_ROOT);
	e->n_stacks = place_wide(e, 1, 0);
	e->stacks = mem_alloc((e->n_stacks + 1) * sizeof *e->stacks);
	e->other = mem_alloc((e->n_stacks + 1) * sizeof *e->other);
	n = 0;
	for (uint32_t i = 1; i < from->n && !TRIE_STOPS(from, i); i++)
		if (from->is_used[i])
			put(e, e->stacks, (struct stack){i, i, frame[n++]});
	free(frame);
	return !trie_is_stopped(from);
}

/* Takes the frame's weight away: it is that of the stacks that end here, and of the frames above. */
static void enter(struct early *e, uint32_t f)
{
	e->frames[f].weight[0] = e->frames[f].weight[1] = e->frames[f].age = 0;
	e->frames[f].is_used = 0;
}

#define STACKS_AHEAD 16 /* from a stack that climbs to the one whose memory is fetched */

/* Memory answers slowly: what a stack needs is fetched when those before it climb. */
static void fetch_ahead(const struct early *e, size_t k)
{
	const struct trie *from = e->from;
	if (k + STACKS_AHEAD < e->n_stacks) {
		fetch_line(&from->parent[e->stacks[k + STACKS_AHEAD].at]);
		fetch_line(&from->weight[0][e->stacks[k + STACKS_AHEAD].path]);
		fetch_line(&from->sym[from->parent[e->stacks[k + STACKS_AHEAD / 2].at]]);
	}
}

/* The stacks [begin, end) of a frame climb; *n of the next row's stacks are in their places. */
static void climb_all(struct early *e, size_t begin, size_t end, size_t *n)
{
	const struct trie *from = e->from;
	uint32_t f = e->stacks[begin].frame;
	size_t first = e->n;
	enter(e, f);
	for (size_t k = begin; k < end; k++) {
		struct stack *s = &e->stacks[k];
		fetch_ahead(e, k);
		s->at = from->parent[s->at];
		if (s->at == PATH_ROOT)
			add_stack(e, &e->frames[f], s->path);
		else
			s->frame = climb(e, f, from->sym[s->at], s->path);
	}
	*n = place_wide(e, first, *n);
	for (size_t k = begin; k < end; k++)
		if (e->stacks[k].at != PATH_ROOT)
			put(e, e->other, e->stacks[k]);
}

static void next_row(struct early *e)
{
	struct stack *row = e->other;
	size_t n = 0, end;
	for (size_t begin = 0; begin < e->n_stacks; begin = end) {
		for (end = begin + 1; end < e->n_stacks && e->stacks[end].frame == e->stacks[begin].frame;)
			end++;
		climb_all(e, begin, end, &n);
	}
	e->steps += e->n_stacks;
	e->other = e->stacks;
	e->stacks = row;
	e->n_stacks = n;
}

/* ---- the tree ------------------------------------------------------------------------------------------------ */

static void make_trie(const struct early *e, struct trie *to)
{
	uint32_t n = (uint32_t)e->n, *parent = mem_alloc(n * sizeof *parent), *sym = mem_alloc(n * sizeof *sym);
	trie_init_from(to, n, parent, sym, e->from);
	for (uint32_t i = 0; i < n; i++) {
		const struct frame *f = &e->frames[i];
		parent[i] = f->parent;
		sym[i] = f->sym;
		to->weight[0][i] = f->weight[0];
		if (to->weight[1])
			to->weight[1][i] = f->weight[1];
		trie_add_age(to, i, f->age);
		to->is_used[i] = f->is_used;
	}
}

static bool make_tree(const struct early *e, const struct folding *w, struct tree *t)
{
	struct folding rows = {.profile = w->profile, .recipe = w->recipe, .has_base = w->has_base};
	make_trie(e, &rows.trie);
	rows.trie.progress = NULL; /* it would count these few frames as all of the fold */
	bool is_made = arrange(&rows, t, NULL);
	trie_deinit(&rows.trie);
	return is_made;
}

/* false: there is none. */
static bool add_up_weights(struct early *e)
{
	uint64_t sum[2] = {0, 0};
	for (unsigned side = 0; side < 2 && e->from->weight[side]; side++)
		for (uint32_t i = 0; i < e->from->n; i++)
			sum[side] += e->from->weight[side][i];
	for (unsigned side = 0; side < 2; side++)
		e->least[side] = sum[side] / CELLS + 1;
	return sum[0] || sum[1];
}

bool early_callers(const struct folding *w, struct tree *t)
{
	struct early e = {.from = &w->trie};
	if (!add_up_weights(&e))
		return false;
	mem_push(e.frames, e.n, e.cap, ((struct frame){.parent = 0}));
	e.frame_of = mem_zalloc(w->profile->symtab.n + 1, sizeof *e.frame_of);
	bool goes_on = first_row(&e);
	while (goes_on && e.n_stacks && e.steps < MOST_STEPS) {
		next_row(&e);
		goes_on = progress_step(w->progress, 0);
	}
	free(e.frame_of);
	free(e.stacks);
	free(e.other);
	goes_on = goes_on && make_tree(&e, w, t);
	free(e.frames);
	return goes_on;
}
