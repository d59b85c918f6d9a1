/*
 * pick_labels.c - sums the weight of each label, and turns a label into a filter and back.
 *
 * A filter that a choice made has the pattern that tags_add_pattern() writes. So a choice can be told from a filter
 * that was typed, also after the command of `C` made it anew.
 */
#include "tui/pick_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "tui/app.h"

/* A label in the list. */
struct row {
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
	const struct row *x = a, *y = b;
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
static uint64_t *weigh_sets(const struct app *app)
{
	const struct sample_log *log = &app->profile->log[0];
	uint64_t *weights = mem_zalloc(tags_count_sets(app->profile->tags), sizeof *weights);
	for (size_t i = 0; i < log->n; i++)
		if (log_is_of(log, i, app->view.recipe.series))
			weight_add(&weights[log_tags(log, i)], log->weight[i]);
	return weights;
}

/* All labels of the profile; the caller frees the array. */
static struct row *list_labels(const struct app *app, size_t *n)
{
	const struct tags *t = app->profile->tags;
	uint64_t *weights = weigh_sets(app);
	struct row *rows;
	*n = tags_count(t);
	rows = mem_zalloc(*n + 1, sizeof *rows);
	for (uint32_t i = 1; i <= *n; i++) {
		struct tag tag = tags_at(t, i);
		rows[i - 1] = (struct row){t->names.symbols[tag.key], tag, i, 0};
	}
	for (uint32_t set = 1; set < tags_count_sets(t); set++)
		for (size_t i = 0; i < tags_size(t, set); i++)
			weight_add(&rows[tags_member(t, set, i) - 1].weight, weights[set]);
	free(weights);
	sort_array(rows, *n, sizeof *rows, by_key_and_weight);
	return rows;
}

static void add_clean(struct app *app, struct buf *out, const struct buf *text)
{
	out->len = 0;
	utf8_clean(out, text->data ? text->data : "", text->len, app_clean_mode(app));
}

void pick_labels_add(struct app *app, uint64_t id)
{
	struct buf text, clean;
	size_t n;
	if (!app->profile->tags)
		return;
	struct row *rows = list_labels(app, &n);
	buf_init(&text);
	buf_init(&clean);
	for (size_t i = 0; i < n; i++) {
		text.len = 0;
		if (!i || compare_texts(&rows[i - 1].key, &rows[i].key) != 0) {
			buf_adds(&text, "by label ");
			buf_add(&text, rows[i].key.name, rows[i].key.len);
			add_clean(app, &clean, &text);
			list_heading(&app->list, buf_str(&clean));
			text.len = 0;
		}
		buf_add(&text, rows[i].key.name, rows[i].key.len);
		buf_addc(&text, '=');
		tags_add_value(app->profile->tags, &rows[i].tag, &text);
		add_clean(app, &clean, &text);
		list_add(&app->list, buf_str(&clean), rows[i].weight, id + rows[i].number);
	}
	buf_deinit(&text);
	buf_deinit(&clean);
	free(rows);
}

/* Is this filter a choice? Then *n becomes the length of its key. */
static bool is_choice(const struct filter *f, size_t *n)
{
	const char *equals = f->kind == FILTER_TAGFOCUS ? strchr(f->pattern, '=') : NULL;
	if (!equals || strncmp(equals + 1, MATCH_NAME, strlen(MATCH_NAME)) != 0)
		return false;
	*n = (size_t)(equals - f->pattern);
	return true;
}

/* Drops choices of this key; NULL: of any. */
static void drop_choices(struct app *app, const char *key, size_t len)
{
	struct recipe *r = &app->view.recipe;
	size_t n;
	for (size_t i = r->n_filters; i-- > 0;) {
		if (!is_choice(&r->filters[i], &n) || (key && (n != len || memcmp(key, r->filters[i].pattern, n) != 0)))
			continue;
		recipe_drop_filter(r, i);
		app->dirty |= DIRTY_TREE;
	}
}

void pick_labels_drop(struct app *app)
{
	drop_choices(app, NULL, 0);
}

void pick_labels_choose(struct app *app, uint32_t tag)
{
	const struct tags *t = app->profile->tags;
	struct tag chosen = tags_at(t, tag);
	struct buf pattern;
	buf_init(&pattern);
	tags_add_pattern(t, &chosen, &pattern);
	const char *text = buf_str(&pattern);
	drop_choices(app, text, (size_t)(strchr(text, '=') - text));
	recipe_add_filter(&app->view.recipe, FILTER_TAGFOCUS, MATCH_REGEX, text);
	app->dirty |= DIRTY_TREE;
	buf_deinit(&pattern);
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

uint32_t pick_labels_now(const struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	size_t n;
	for (size_t i = r->n_filters; i-- > 0 && app->profile->tags;)
		if (is_choice(&r->filters[i], &n))
			return find_label(app->profile->tags, r->filters[i].pattern);
	return 0;
}
