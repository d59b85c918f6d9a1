/*
 * pick_make.c - sums the weight of each thread, process, name and label, and chooses the heaviest.
 *
 * A profile can have a million threads, and a user reads at most the heaviest thousands. pick_make() sorts small
 * items, once by what joins them and once by weight, and makes rows only of those that are listed.
 */
#include "tui/pick_make.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

/* ---- threads ------------------------------------------------------------------------------------------------- */

/* The weight of each task in the series shown. */
static uint64_t *weigh_tasks(const struct pick_order *o)
{
	const struct profile *p = o->profile;
	const struct sample_log *log = &p->log[0];
	uint64_t *weights = mem_zalloc(p->n_tasks ? p->n_tasks : 1, sizeof *weights);
	for (size_t i = 0; i < log->n; i++)
		if (log_is_of(log, i, o->series))
			weight_add(&weights[log_task(log, i)], log->weight[i]);
	return weights;
}

static uint64_t task_key(const struct task *t, enum pick_kind kind)
{
	return kind == PICK_COMM ? t->comm : kind == PICK_PID ? (uint64_t)t->pid : (uint64_t)t->tid;
}

static bool has_key(const struct task *t, enum pick_kind kind)
{
	return kind == PICK_COMM ? t->comm != 0 : kind == PICK_PID ? t->pid > 0 : t->tid > 0;
}

static bool is_picked(const struct pick_order *o, const struct task *t, enum pick_kind kind)
{
	if (kind == PICK_TID)
		return o->tid && t->tid == o->tid;
	if (kind == PICK_PID)
		return o->pid && t->pid == o->pid;
	return o->comm && t->comm == o->comm;
}

/* Joins tasks with equal keys, which follow each other in `items`. Returns how many are left, by key. */
static size_t join(struct pick_row *rows, const struct sort_item *items, size_t n, const uint64_t *weights)
{
	size_t out = 0;
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && items[i].key == items[i - 1].key) {
			weight_add(&rows[out - 1].weight, weights[items[i].value]);
			rows[out - 1].n++;
		} else {
			rows[out++] = (struct pick_row){weights[items[i].value], items[i].value, 1};
		}
	}
	return out;
}

/* Chooses from `n` rows in the order of their keys; sorts `items`, which has room for them. */
static void choose(struct pick_group *g, const struct pick_order *o, enum pick_kind kind,
                   const struct pick_row *rows, size_t n, struct sort_item *items, struct sort_item *scratch)
{
	size_t most = n < o->most ? n : o->most;
	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){~rows[i].weight, (uint32_t)i, (uint32_t)i};
	sort_items(items, n, scratch);
	g->rows = mem_alloc((most + 2) * sizeof *g->rows);
	for (size_t i = 0; i < n; i++) {
		const struct pick_row *r = &rows[items[i].value];
		if (i < most || (g->n <= most && is_picked(o, &o->profile->tasks[r->task], kind)))
			g->rows[g->n++] = *r;
	}
	g->n_lighter = n - g->n;
}

static void make_group(struct pick_group *g, const struct pick_order *o, enum pick_kind kind,
                       const uint64_t *weights)
{
	const struct profile *p = o->profile;
	struct sort_item *items = mem_alloc((p->n_tasks + 1) * sizeof *items);
	struct sort_item *scratch = mem_alloc((p->n_tasks + 1) * sizeof *scratch);
	struct pick_row *rows = mem_alloc((p->n_tasks + 1) * sizeof *rows);
	size_t n = 0;
	for (size_t i = 1; i < p->n_tasks; i++)
		if (has_key(&p->tasks[i], kind))
			items[n++] = (struct sort_item){task_key(&p->tasks[i], kind), (uint32_t)i, (uint32_t)i};
	sort_items(items, n, scratch);
	n = join(rows, items, n, weights);
	choose(g, o, kind, rows, n, items, scratch);
	free(rows);
	free(items);
	free(scratch);
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

struct label_row {
	struct symbol key;
	struct tag tag;
	uint32_t number;
	uint64_t weight;
};

static int compare_texts(const struct symbol *a, const struct symbol *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len;
	int order = n ? memcmp(a->name, b->name, n) : 0;
	return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* By key, then the heaviest first, then small numbers before large ones. */
static int by_key_and_weight(const void *a, const void *b)
{
	const struct label_row *x = a, *y = b;
	int order = compare_texts(&x->key, &y->key);
	if (order)
		return order;
	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (x->tag.number != y->tag.number)
		return x->tag.number < y->tag.number ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The weight of each set of labels in the series shown. */
static uint64_t *weigh_sets(const struct pick_order *o)
{
	const struct sample_log *log = &o->profile->log[0];
	uint64_t *weights = mem_zalloc(tags_count_sets(o->profile->tags), sizeof *weights);
	for (size_t i = 0; i < log->n; i++)
		if (log_is_of(log, i, o->series))
			weight_add(&weights[log_tags(log, i)], log->weight[i]);
	return weights;
}

/* All labels of the profile; the caller frees the array. */
static struct label_row *list_labels(const struct pick_order *o, size_t n)
{
	const struct tags *t = o->profile->tags;
	uint64_t *weights = weigh_sets(o);
	struct label_row *rows = mem_zalloc(n + 1, sizeof *rows);
	for (uint32_t i = 1; i <= n; i++) {
		struct tag tag = tags_at(t, i);
		rows[i - 1] = (struct label_row){t->names.symbols[tag.key], tag, i, 0};
	}
	for (uint32_t set = 1; set < tags_count_sets(t); set++)
		for (size_t i = 0; i < tags_size(t, set); i++)
			weight_add(&rows[tags_member(t, set, i) - 1].weight, weights[set]);
	free(weights);
	sort_array(rows, n, sizeof *rows, by_key_and_weight);
	return rows;
}

/* The label that this pattern was made of; 0: none. */
static uint32_t find_label(const struct tags *t, const char *pattern)
{
	uint32_t found = 0;
	struct buf text;
	buf_init(&text);
	for (uint32_t i = 1; i <= tags_count(t) && !found; i++) {
		struct tag tag = tags_at(t, i);
		text.len = 0;
		tags_add_pattern(t, &tag, &text);
		found = strcmp(buf_str(&text), pattern) == 0 ? i : 0;
	}
	buf_deinit(&text);
	return found;
}

static bool begins_key(const struct label_row *rows, size_t i)
{
	return i == 0 || compare_texts(&rows[i - 1].key, &rows[i].key) != 0;
}

/* How many labels of each key are listed. */
static size_t share_of_keys(const struct label_row *rows, size_t n, size_t most)
{
	size_t keys = 0;
	for (size_t i = 0; i < n; i++)
		keys += begins_key(rows, i);
	return keys && most > keys ? most / keys : 1;
}

/* Lists a label. What was left out of its key stands behind the last one of that. */
static void list_label(struct pick_lines *l, size_t *cap, const struct label_row *row, bool is_first)
{
	struct pick_label label = {row->weight, row->number, is_first, 0};
	if (!is_first) {
		label.n_lighter = l->labels[l->n_labels - 1].n_lighter;
		l->labels[l->n_labels - 1].n_lighter = 0;
	}
	mem_push(l->labels, l->n_labels, *cap, label);
}

static void make_labels(struct pick_lines *l, const struct pick_order *o)
{
	size_t n = tags_count(o->profile->tags), cap = 0, of_key = 0;
	struct label_row *rows = list_labels(o, n);
	size_t most = share_of_keys(rows, n, o->most);
	bool has_key = false; /* one of this key is listed */
	l->label_now = o->label ? find_label(o->profile->tags, o->label) : 0;
	for (size_t i = 0; i < n; i++) {
		if (begins_key(rows, i)) {
			of_key = 0;
			has_key = false;
		}
		bool is_listed = (of_key++ < most && l->n_labels < o->most) || rows[i].number == l->label_now;
		if (is_listed)
			list_label(l, &cap, &rows[i], !has_key);
		else if (has_key)
			l->labels[l->n_labels - 1].n_lighter++;
		else
			l->n_others++;
		has_key |= is_listed;
	}
	free(rows);
}

void pick_make(struct pick_lines *l, const struct pick_order *o, struct progress *progress)
{
	*l = (struct pick_lines){.labels = NULL};
	if (progress)
		atomic_store(&progress->all, N_PICK_KINDS + 2u);
	uint64_t *weights = weigh_tasks(o);
	for (enum pick_kind kind = 0; kind < N_PICK_KINDS && progress_step(progress, 1); kind++)
		make_group(&l->groups[kind], o, kind, weights);
	free(weights);
	if (o->profile->tags && progress_step(progress, 1))
		make_labels(l, o);
}

void pick_lines_deinit(struct pick_lines *l)
{
	for (enum pick_kind kind = 0; kind < N_PICK_KINDS; kind++)
		free(l->groups[kind].rows);
	free(l->labels);
	*l = (struct pick_lines){.labels = NULL};
}
