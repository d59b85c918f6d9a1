/*
 * pick_labels.c - lists labels, and turns a label into a filter and back.
 *
 * A filter that a choice made has the pattern that tags_add_pattern() writes. So a choice can be told from a filter
 * that was typed, also after the command of `C` made it anew.
 */
#include "tui/pick_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/app.h"

static void add_clean(struct app *app, struct buf *out, const struct buf *text)
{
	out->len = 0;
	utf8_clean(out, text->data ? text->data : "", text->len, app_clean_mode(app));
}

static void add_lighter(struct app *app, size_t n, const struct buf *label)
{
	struct buf text;
	size_t key = (size_t)(strchr(label->data, '=') - label->data);
	if (n == 0)
		return;
	buf_init(&text);
	buf_addf(&text, "and %zu lighter ones (--tagfocus=%.*s=VALUE shows one)", n, (int)key, label->data);
	list_heading(&app->list, buf_str(&text));
	buf_deinit(&text);
}

static void add_key(struct app *app, const struct symbol *key)
{
	struct buf text, clean;
	buf_init(&text);
	buf_init(&clean);
	buf_adds(&text, "by label ");
	buf_add(&text, key->name, key->len);
	add_clean(app, &clean, &text);
	list_heading(&app->list, buf_str(&clean));
	buf_deinit(&text);
	buf_deinit(&clean);
}

void pick_labels_add(struct app *app, const struct pick_lines *lines, uint64_t id)
{
	const struct tags *t = app->profile->tags;
	struct buf text, clean;
	buf_init(&text);
	buf_init(&clean);
	for (size_t i = 0; i < lines->n_labels; i++) {
		const struct pick_label *l = &lines->labels[i];
		struct tag tag = tags_at(t, l->number);
		const struct symbol *key = &t->names.symbols[tag.key];
		if (l->is_first)
			add_key(app, key);
		text.len = 0;
		buf_add(&text, key->name, key->len);
		buf_addc(&text, '=');
		tags_add_value(t, &tag, &text);
		add_clean(app, &clean, &text);
		list_add(&app->list, buf_str(&clean), l->weight, id + l->number);
		add_lighter(app, l->n_lighter, &clean);
	}
	if (lines->n_others) {
		text.len = 0;
		buf_addf(&text, "and %zu labels of other keys (--tagfocus=KEY=VALUE shows one)", lines->n_others);
		list_heading(&app->list, buf_str(&text));
	}
	buf_deinit(&text);
	buf_deinit(&clean);
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

char *pick_labels_now(const struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	size_t n;
	for (size_t i = r->n_filters; i-- > 0 && app->profile->tags;)
		if (is_choice(&r->filters[i], &n))
			return mem_strdup(r->filters[i].pattern);
	return NULL;
}
