/*
 * recipe.c - owns, copies and compares the lists of a recipe.
 */
#include "recipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FILTER_NAME(kind, option, arg, help, words, brief) [FILTER_##kind] = {option, words, brief},
const struct filter_name filter_names[N_FILTER_KINDS] = {FILTERS(FILTER_NAME)};

void recipe_init(struct recipe *r)
{
	*r = (struct recipe){0};
}

void recipe_deinit(struct recipe *r)
{
	for (size_t i = 0; i < r->n_filters; i++)
		free(r->filters[i].pattern);
	free(r->filters);
	free(r->below);
	recipe_drop_splits(r);
	*r = (struct recipe){0};
}

void recipe_copy(struct recipe *dst, const struct recipe *src)
{
	*dst = *src;
	dst->filters = src->n_filters ? mem_alloc(src->n_filters * sizeof *dst->filters) : NULL;
	dst->cap_filters = src->n_filters;
	for (size_t i = 0; i < src->n_filters; i++) {
		dst->filters[i] = src->filters[i];
		dst->filters[i].pattern = mem_strdup(src->filters[i].pattern);
	}
	for (unsigned i = 0; i < src->n_splits; i++)
		dst->splits[i].label = mem_strdup(src->splits[i].label);
	dst->below = NULL;
	recipe_set_below(dst, src->below, src->n_below);
}

void recipe_set_below(struct recipe *r, const uint32_t *syms, size_t n)
{
	uint32_t *copy = n ? mem_alloc(n * sizeof *copy) : NULL;
	if (n)
		memcpy(copy, syms, n * sizeof *copy);
	free(r->below);
	r->below = copy;
	r->n_below = n;
}

static bool are_same_filters(const struct recipe *a, const struct recipe *b)
{
	for (size_t i = 0; i < a->n_filters && i < b->n_filters; i++) {
		const struct filter *f = &a->filters[i], *g = &b->filters[i];
		const char *pattern = f->pattern ? f->pattern : "", *other = g->pattern ? g->pattern : "";
		if (f->kind != g->kind || f->mode != g->mode || strcmp(pattern, other) != 0)
			return false;
	}
	return a->n_filters == b->n_filters;
}

static bool is_same_split(const struct split *s, enum split_key key, const char *label)
{
	return s->key == key && strcmp(s->label ? s->label : "", label ? label : "") == 0;
}

static bool are_same_splits(const struct recipe *a, const struct recipe *b)
{
	for (unsigned i = 0; i < a->n_splits && i < b->n_splits; i++)
		if (!is_same_split(&a->splits[i], b->splits[i].key, b->splits[i].label))
			return false;
	return a->n_splits == b->n_splits;
}

static bool are_same_paths(const struct recipe *a, const struct recipe *b)
{
	return a->n_below == b->n_below &&
	       (!a->n_below || memcmp(a->below, b->below, a->n_below * sizeof *a->below) == 0);
}

static bool are_same_charts(const struct recipe *a, const struct recipe *b)
{
	return a->chart == b->chart && a->axis == b->axis && a->cut_from == b->cut_from && a->cut_to == b->cut_to &&
	       a->timed == b->timed;
}

static bool are_same_frames(const struct recipe *a, const struct recipe *b)
{
	return a->group == b->group && a->frames == b->frames && a->apart == b->apart;
}

bool recipe_is_same(const struct recipe *a, const struct recipe *b)
{
	return a->series == b->series && a->base_series == b->base_series && a->pid == b->pid && a->tid == b->tid &&
	       a->comm == b->comm && a->from == b->from && a->to == b->to && a->last == b->last &&
	       a->half_life == b->half_life && a->reverse == b->reverse && are_same_charts(a, b) &&
	       a->sort == b->sort && a->quantity == b->quantity && a->strip_hex == b->strip_hex &&
	       a->swap_sides == b->swap_sides && a->leaves_base == b->leaves_base &&
	       a->most_callers == b->most_callers && are_same_frames(a, b) && are_same_splits(a, b) &&
	       are_same_filters(a, b) && are_same_paths(a, b);
}

void recipe_add_filter(struct recipe *r, enum filter_kind kind, enum match_mode mode, const char *pattern)
{
	mem_push(r->filters, r->n_filters, r->cap_filters,
	         ((struct filter){.kind = kind, .mode = mode, .pattern = mem_strdup(pattern)}));
}

void recipe_drop_filter(struct recipe *r, size_t index)
{
	free(r->filters[index].pattern);
	r->n_filters--;
	memmove(&r->filters[index], &r->filters[index + 1], (r->n_filters - index) * sizeof *r->filters);
}

bool recipe_chooses_tags(const struct recipe *r)
{
	for (size_t i = 0; i < r->n_filters; i++)
		if (filter_is_of_tags(r->filters[i].kind))
			return true;
	return false;
}

bool recipe_add_split(struct recipe *r, enum split_key key, const char *label)
{
	for (unsigned i = 0; i < r->n_splits; i++)
		if (is_same_split(&r->splits[i], key, label))
			return true;
	if (r->n_splits == RECIPE_SPLITS)
		return false;
	r->splits[r->n_splits++] = (struct split){key, mem_strdup(label)};
	return true;
}

void recipe_drop_splits(struct recipe *r)
{
	for (unsigned i = 0; i < r->n_splits; i++)
		free(r->splits[i].label);
	r->n_splits = 0;
}

bool recipe_chooses_times(const struct recipe *r)
{
	return r->from || r->to || r->last || r->half_life;
}

bool recipe_has_callers(const struct recipe *r)
{
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].kind == FILTER_CALLERS)
			return true;
	return false;
}

bool recipe_reverses(const struct recipe *r)
{
	return r->reverse || recipe_has_callers(r);
}

bool recipe_keeps_stacks(const struct recipe *r, bool has_languages)
{
	bool chooses_frames = r->frames && has_languages;
	return !r->reverse && !r->chart && !r->n_splits && !r->strip_hex && !r->n_filters && !r->group &&
	       !chooses_frames && !r->pid && !r->tid && !r->comm && !r->from && !r->to && !r->cut_to && !r->last &&
	       !r->half_life && !r->timed;
}
