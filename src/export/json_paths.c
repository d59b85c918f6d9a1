/*
 * json_paths.c - the heaviest stacks of a view: where samples ended.
 *
 * In a flame chart one stack is many frames; they are merged first. Stacks of the same weight come by name, so that
 * the order of siblings does not matter.
 */
#include "base/sort.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/number.h"
#include "json_text.h"
#include "model/cut.h"

#define USUAL_PATHS 10u
/* Of a path; those between its ends are counted. */
#define MOST_FRAMES 64u
#define BRIEF_FRAMES 12u

struct path {
	uint32_t node;  /* where it ends */
	uint32_t place; /* among all nodes, by name */
	uint64_t weight;
};

/* The weight of stacks that end in a frame; in a caller tree, whose outermost frame it is. */
static uint64_t ends_in(const struct tree *t, uint32_t i)
{
	if (!t->is_reversed)
		return tree_own(t, i);
	return tree_bare(t, i) - (t->cut && tree_first_child(t, i) == NO_NODE ? tree_going_on(t, 0, i) : 0);
}

/* The first frame of the same stack, for each frame of a chart. The caller frees it. */
static uint32_t *merge_chart(const struct tree *t, struct progress *progress)
{
	struct idmap known = {.slots = NULL};
	uint32_t *same = mem_alloc(t->n * sizeof *same);
	same[NODE_ALL] = NODE_ALL;
	for (uint32_t i = 1; i < t->n; i++) {
		same[i] = i;
		if (!progress_step(progress, 0))
			continue;
		uint64_t key = (uint64_t)same[t->parent[i]] << 32 | t->sym[i];
		if (!idmap_find(&known, key, &same[i]))
			idmap_add(&known, key, i);
	}
	idmap_deinit(&known);
	return same;
}

/* Numbers the nodes in the order of a tree: parents first. items are its nodes, sorted by parent. */
static void number_nodes(uint32_t *place, const struct tree *t, const struct sort_item *items, size_t n)
{
	size_t *first = mem_alloc(t->n * sizeof *first);
	uint32_t *waiting = mem_alloc(t->n * sizeof *waiting), n_waiting = 0, next = 0;
	memset(first, 0xff, t->n * sizeof *first);
	for (size_t i = n; i-- > 0;)
		first[items[i].key >> 32] = i;
	waiting[n_waiting++] = NODE_ALL;
	while (n_waiting) {
		uint32_t node = waiting[--n_waiting];
		size_t begin = first[node], end = begin;
		place[node] = next++;
		while (end < n && items[end].key >> 32 == node)
			end++;
		while (end > begin)
			waiting[n_waiting++] = items[--end].value;
	}
	free(waiting);
	free(first);
}

/* The place of each node in a tree whose siblings are by name; NULL: they are. The caller frees it. */
static uint32_t *places_by_name(const struct json *j, const uint32_t *same)
{
	const struct tree *t = &j->view->tree;
	const struct symtab *names = &j->view->profile->symtab;
	struct progress *progress = j->options->progress;
	if (!t->is_chart && j->view->recipe.sort == SORT_NAME)
		return NULL;
	uint32_t *place = mem_zalloc(t->n, sizeof *place), *rank = mem_alloc((size_t)names->n * 2 * sizeof *rank);
	struct sort_item *items = mem_alloc((size_t)t->n * 2 * sizeof *items);
	size_t n = 0;
	bool goes_on = symtab_rank_until(names, rank, rank + names->n, progress);
	for (uint32_t i = 1; i < t->n && goes_on; i++) {
		uint32_t parent = same ? same[t->parent[i]] : t->parent[i];
		if (!same || same[i] == i)
			items[n++] = (struct sort_item){(uint64_t)parent << 32 | rank[t->sym[i]], i, i};
	}
	if (goes_on && sort_items_until(items, n, items + t->n, progress))
		number_nodes(place, t, items, n);
	free(items);
	free(rank);
	return place;
}

/* Is the frame one that the paths may end in? In a sandwich they go through its function: until is its end. */
static bool is_wanted(const struct json *j, uint32_t i, uint32_t *until)
{
	const struct view *v = j->view;
	if (i == NODE_ALL || tree_is_gap(&v->tree, i))
		return false;
	if (v->shown.view != SHOWN_SANDWICH)
		return true;
	if (i >= *until && v->tree.sym[i] == v->shown.function)
		*until = v->tree.end[i];
	return i < *until;
}

static struct path *collect(struct json *j, size_t *n)
{
	const struct tree *t = &j->view->tree;
	uint32_t zoom = j->view->zoom, *same = t->is_chart ? merge_chart(t, j->options->progress) : NULL;
	uint32_t until = 0, *place = places_by_name(j, same);
	uint64_t *weight = mem_zalloc(t->end[zoom] - zoom, sizeof *weight);
	struct path *paths = NULL;
	size_t cap = 0;
	*n = 0;
	for (uint32_t i = zoom; i < t->end[zoom] && export_goes_on(j->options); i++) {
		uint32_t at = same && same[i] >= zoom ? same[i] : i;
		if (is_wanted(j, i, &until))
			weight[at - zoom] += ends_in(t, i);
	}
	for (uint32_t i = zoom; i < t->end[zoom] && export_goes_on(j->options); i++)
		if (weight[i - zoom])
			mem_push(paths, *n, cap, ((struct path){i, place ? place[i] : i, weight[i - zoom]}));
	free(place);
	free(weight);
	free(same);
	return paths;
}

static int compare(const void *a, const void *b, void *arg)
{
	(void)arg;
	const struct path *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The names from the root on, whichever way the tree was merged. */
static void add_frames(struct json *j, uint32_t node, uint32_t *syms)
{
	const struct tree *t = &j->view->tree;
	struct buf *out = &j->paths.text;
	size_t n = tree_path(t, node, syms, t->depth), most = j->is_brief ? BRIEF_FRAMES : MOST_FRAMES;
	size_t outer = most / 3;
	json_key(out, "frames");
	buf_addc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (n > most && i == outer) {
			i += n - most;
			buf_addf(out, ",{\"left_out\":%zu}", n - most);
		}
		json_add_name(j, out, syms[t->is_reversed ? n - 1 - i : i]);
	}
	buf_addc(out, ']');
}

bool json_make_paths(struct json *j)
{
	struct json_items *items = &j->paths;
	size_t n, most = j->options->top ? j->options->top : USUAL_PATHS;
	if (j->view->shown.view == SHOWN_LINES)
		return true;
	struct path *paths = collect(j, &n);
	uint32_t *syms = mem_alloc(((size_t)j->view->tree.depth + 1) * sizeof *syms);
	if (n)
		sort_by_until(paths, n, sizeof *paths, compare, NULL, j->options->progress);
	for (size_t i = 0; i < n && export_goes_on(j->options); i++) {
		items->all++;
		items->weight += paths[i].weight;
		if (i >= most)
			continue;
		buf_adds(&items->text, i ? ",\n{" : "\n{");
		json_add_weight(j, &items->text, "weight", paths[i].weight);
		buf_adds(&items->text, ",\"pct\":");
		number_add_percent(&items->text, paths[i].weight, j->whole, 2);
		add_frames(j, paths[i].node, syms);
		buf_addc(&items->text, '}');
		json_end_item(items, paths[i].weight);
	}
	free(syms);
	free(paths);
	return export_goes_on(j->options);
}
