/*
 * model_layout - checks boxes against the rules for every tree: rows tile, edges follow the formula, nothing is
 * lost. Trees are random, in widths so small that most frames are too thin.
 */
#include "tests/tap.h"

#include "model/layout.h"
#include "stacks.h"

static uint64_t position(const struct layout *l, uint32_t node)
{
	return l->use_base ? l->tree->base[node] : l->tree->pos[node];
}

static uint32_t formula(const struct layout *l, uint64_t value)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t start = position(l, l->zoom), total = position(l, l->tree->end[l->zoom]) - start;

	return (uint32_t)((wide)(value - start) * l->width / total);
}

static bool is_fat(const struct layout *l, uint32_t node)
{
	uint64_t total = position(l, l->tree->end[l->zoom]) - position(l, l->zoom);

	return (position(l, l->tree->end[node]) - position(l, node)) * l->width >= total;
}

/* Boxes of one row are disjoint, in order, and inside of their parents' boxes. */
static bool rows_tile(const struct layout *l)
{
	for (size_t r = 1; r < l->rows; r++) {
		for (size_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
			const struct box *b = &l->boxes[i], *up = &l->boxes[l->row_start[r - 1] + b->parent];
			if (l->row_start[r - 1] + b->parent >= l->row_start[r] || box_is_aggregate(up))
				return false;
			if (b->end <= b->col || b->col < up->col || b->end > up->end)
				return false;
			if (l->tree->parent[b->node] != up->node || l->tree->parent[b->last] != up->node || b->last < b->node)
				return false;
			if (b->first > b->node || b->final < b->last || l->tree->parent[b->first] != up->node ||
			    l->tree->parent[b->final] != up->node)
				return false;
			if (i > l->row_start[r] && (b[-1].end > b->col || l->tree->end[b[-1].final] > b->first))
				return false;
			if (b->x0 != position(l, b->node) || b->x1 != position(l, l->tree->end[b->last]))
				return false;
		}
	}
	return true;
}

/* Each generation may lend a cell to a neighbour, which moves the frames on it. */
static bool edges_are_close(const struct layout *l)
{
	for (size_t r = 0; r < l->rows; r++) {
		for (size_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
			const struct box *b = &l->boxes[i];
			if (labs((long)b->col - formula(l, b->x0)) > (long)r ||
			    labs((long)b->end - formula(l, b->x1)) > (long)r)
				return false;
		}
	}
	return true;
}

/* If every child is wide enough and the parent has its own cells, no edge is moved. */
static bool fat_families_are_exact(const struct layout *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct box *b = &l->boxes[i];
		if (box_is_aggregate(b) || b->col != formula(l, b->x0) || b->end != formula(l, b->x1))
			continue;
		bool all_fat = true;
		for (uint32_t c = tree_first_child(l->tree, b->node); c != NO_NODE; c = tree_next_sibling(l->tree, c))
			all_fat = all_fat && is_fat(l, c);
		for (uint32_t c = tree_first_child(l->tree, b->node); all_fat && c != NO_NODE;
		     c = tree_next_sibling(l->tree, c)) {
			size_t at = layout_find(l, c);
			if (at == SIZE_MAX || l->boxes[at].node != c)
				return false;
			if (l->boxes[at].col != formula(l, l->boxes[at].x0) || l->boxes[at].end != formula(l, l->boxes[at].x1))
				return false;
		}
	}
	return true;
}

/* Every frame with weight is in a box of its row, in an aggregate, or below an aggregate. */
static bool nothing_is_lost(const struct layout *l)
{
	const struct tree *t = l->tree;

	for (uint32_t i = l->zoom; i < t->end[l->zoom]; i++) {
		if (position(l, i) == position(l, t->end[i]))
			continue;
		size_t at = layout_find(l, i);
		if (at == SIZE_MAX)
			return false;
		const struct box *b = &l->boxes[at];
		if (i < b->first || i >= t->end[b->final])
			return false;
		if (i >= b->node && i < t->end[b->last] && !box_is_aggregate(b) && b->node != i)
			return false;
		/* Frames within an edge are less than a cell, or there was only one cell for all of them. */
		if ((i < b->node || i >= t->end[b->last]) && is_fat(l, i) && b->end - b->col > 1)
			return false;
	}
	return true;
}

/* A single thin frame shares its box only with weightless ones; a wide one joins only if there is one cell. */
static bool aggregates_are_needed(const struct layout *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct box *b = &l->boxes[i];
		bool has_fat = false;
		if (!box_is_aggregate(b))
			continue;
		for (uint32_t c = b->node; c <= b->last; c = l->tree->end[c])
			has_fat = has_fat || is_fat(l, c);
		if (has_fat && b->end - b->col > 1)
			return false;
		if (position(l, b->node) == position(l, l->tree->end[b->node]) ||
		    position(l, b->last) == position(l, l->tree->end[b->last]))
			return false; /* begins or ends with a weightless frame */
	}
	return true;
}

static bool columns_find_boxes(const struct layout *l)
{
	for (size_t r = 0; r < l->rows; r++) {
		for (uint32_t col = 0; col < l->width; col++) {
			size_t naive = SIZE_MAX;
			for (size_t i = l->row_start[r]; i < l->row_start[r + 1]; i++)
				if (l->boxes[i].col <= col && col < l->boxes[i].end)
					naive = i;
			if (layout_at(l, r, col) != naive)
				return false;
		}
	}
	return layout_at(l, l->rows, 0) == SIZE_MAX;
}

static bool eighths_are_free(const struct layout *l)
{
	for (size_t r = 0; r < l->rows; r++) {
		for (size_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
			const struct box *b = &l->boxes[i];
			if (b->eighths > 7 || (b->eighths && layout_at(l, r, b->end) != SIZE_MAX))
				return false;
			if (b->eighths && b->end >= l->width)
				return false;
		}
	}
	return true;
}

static void test_by_chance(void)
{
	static const uint32_t widths[] = {1, 2, 3, 7, 13, 40};
	bool tile = true, close_ = true, fat = true, kept = true, needed = true, found = true, is_free = true;
	struct layout l;
	struct tree t;

	layout_init(&l);
	for (uint64_t seed = 1; seed <= 300; seed++) {
		uint64_t dice = seed;
		tree_by_chance(&t, seed, 2 + chance(&dice, 120), 20 + chance(&dice, 75), 1 + chance(&dice, 40),
		               seed % 3 == 0);
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			uint32_t zoom = seed % 2 ? NODE_ALL : chance(&dice, t.n);
			l.use_base = seed % 3 == 0 && seed % 2;
			layout_make(&l, &t, zoom, widths[w], 0, 0);
			if (position(&l, t.end[zoom]) == position(&l, zoom)) {
				tile = tile && l.rows == 1;
				continue;
			}
			tile = tile && rows_tile(&l);
			close_ = close_ && edges_are_close(&l);
			fat = fat && fat_families_are_exact(&l);
			kept = kept && nothing_is_lost(&l);
			needed = needed && aggregates_are_needed(&l);
			found = found && columns_find_boxes(&l);
			is_free = is_free && eighths_are_free(&l);
		}
		tree_deinit(&t);
	}
	layout_deinit(&l);
	ok(tile, "boxes of a row are disjoint and inside of their parents");
	ok(close_, "an edge is at most one borrowed cell for each generation away from the formula");
	ok(fat, "frames that need no help stand exactly at their edges");
	ok(kept, "every frame is in a box, or below an aggregate");
	ok(needed, "frames that are wide enough stand for themselves unless there is one cell for all");
	ok(found, "a column finds the box that covers it");
	ok(is_free, "fine edges reach into free cells only");
}

static void test_huge_values(void)
{
	struct tree t;
	struct layout l;

	tree_room(&t, 4, false);
	memcpy(t.parent, (uint32_t[]){0, 0, 0, 0}, 4 * sizeof *t.parent);
	memcpy(t.pos, (uint64_t[]){0, UINT64_C(1) << 62, UINT64_C(1) << 62, UINT64_C(1) << 62, 0}, 5 * sizeof *t.pos);
	tree_finish(&t);
	layout_init(&l);
	layout_make(&l, &t, NODE_ALL, 300, 0, 0);
	is_int(l.n, 4, "weights near 2^64 are laid out");
	is_int(l.boxes[2].col, 100, "and stand where they belong");
	is_int(l.boxes[3].end, 300, "to the last column");
	layout_deinit(&l);
	tree_deinit(&t);
}

/* a 1 of 10 | many thin ones | b: in 10 columns */
static void test_smallest_value(void)
{
	struct tree t;
	struct layout l;

	tree_room(&t, 5, false);
	memcpy(t.parent, (uint32_t[]){0, 0, 0, 0, 0}, 5 * sizeof *t.parent);
	memcpy(t.pos, (uint64_t[]){0, 60, 3, 7, 30, 0}, 6 * sizeof *t.pos);
	tree_finish(&t);
	layout_init(&l);
	layout_make(&l, &t, NODE_ALL, 10, 5, 0);
	struct tree_light light = {0};
	tree_add_light(&t, NODE_ALL, 5, &light);
	is_int(light.narrow, 1, "frames below the smallest value are counted");
	is_int(layout_find(&l, 2), 0, "and are found in their parent");
	ok(layout_find(&l, 3) != 0, "the others are drawn");
	layout_make(&l, &t, NODE_ALL, 10, 0, 0);
	light = (struct tree_light){0};
	tree_add_light(&t, NODE_ALL, 0, &light);
	is_int(light.narrow, 0, "nothing is left out unless asked for");
	size_t at = layout_find(&l, 2);
	ok(box_is_aggregate(&l.boxes[at]) && l.boxes[at].node == 2 && l.boxes[at].last == 3,
	   "thin neighbours share a box");
	layout_make(&l, &t, NODE_ALL, 10, 0, 1);
	is_int(l.rows, 1, "rows can be limited");
	ok(layout_find(&l, 4) == 0, "a frame below the last row is found in its nearest drawn ancestor");
	layout_make(&l, &t, 1, 10, 0, 0);
	ok(layout_find(&l, 2) == SIZE_MAX, "a frame outside of the zoom is nowhere");
	layout_deinit(&l);
	tree_deinit(&t);
}

static void test_million_siblings(void)
{
	struct tree t;
	struct layout l;

	tree_by_chance(&t, 3, 1000001, 100, 1000, false);
	layout_init(&l);
	layout_make(&l, &t, NODE_ALL, 200, 0, 0);
	double start = tap_seconds();
	for (int i = 0; i < 100; i++)
		layout_make(&l, &t, NODE_ALL, 200, 0, 0);
	double each = (tap_seconds() - start) / 100;
	diag("a million thin siblings: %.1f us", each * 1e6);
	is_int(l.n, 2, "a million thin siblings are one box");
	is_int(l.boxes[1].last, tree_child_at(&t, NODE_ALL, t.pos[t.n] - 1), "down to the last one with weight");
	ok(each < 0.005, "and cost no walk over them");
	/* One wide frame in the middle separates them. */
	uint64_t *pos = t.pos;
	for (uint32_t i = 500001; i <= t.n; i++)
		pos[i] += pos[500000];
	layout_make(&l, &t, NODE_ALL, 200, 0, 0);
	is_int(l.n, 4, "a wide one among them stands for itself");
	is_int(l.boxes[2].node, 500000, "exactly that one");
	tree_deinit(&t);
	layout_deinit(&l);
}

static void test_million_deep(void)
{
	struct tree t;
	struct layout l;

	tree_by_chance(&t, 3, 1000000, 0, 10, false);
	layout_init(&l);
	double start = tap_seconds();
	layout_make(&l, &t, NODE_ALL, 200, 0, 0);
	diag("a million frames deep: %.1f ms", (tap_seconds() - start) * 1e3);
	ok(l.rows > 900000, "a stack of a million frames has its rows");
	start = tap_seconds();
	layout_make(&l, &t, NODE_ALL, 200, 0, 60);
	ok(tap_seconds() - start < 0.005, "a screen of it costs a screen");
	is_int(l.rows, 60, "with as many rows as asked for");
	/* Thin siblings of the deep stack: climbing out of it must not be repeated. */
	tree_deinit(&t);
	tree_by_chance(&t, 4, 1000000, 3, 10, false);
	start = tap_seconds();
	layout_make(&l, &t, NODE_ALL, 100, 0, 0);
	diag("deep with branches: %.1f ms, %zu rows", (tap_seconds() - start) * 1e3, l.rows);
	ok(tap_seconds() - start < 2, "nor do branches cost the depth below them");
	layout_deinit(&l);
	tree_deinit(&t);
}

int main(void)
{
	test_by_chance();
	test_huge_values();
	test_smallest_value();
	test_million_siblings();
	test_million_deep();
	return done_testing();
}
