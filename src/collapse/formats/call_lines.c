/*
 * call_lines.c - splits the costs of a function's lines among its paths (see call_lines.h).
 */
#include "call_lines.h"

#include <string.h>

#define MOST_SPLITS ((uint64_t)1 << 22) /* of all functions and events */
#define MOST_LINES (1u << 20)           /* of a function: each takes a hundred bytes */
#define SPLITS_OF_ONE 64u               /* a function in one event takes at most such a part of those left */

void call_lines_init(struct call_lines *c, struct call_graph *g, struct sink *sink, const uint32_t *syms)
{
	*c = (struct call_lines){.graph = g, .sink = sink, .syms = syms, .splits = MOST_SPLITS};
	c->first = mem_zalloc(g->n_functions + 1, sizeof *c->first);
	c->list = mem_alloc(g->n_lines * sizeof *c->list);
	c->costs = mem_alloc(g->n_lines * sizeof *c->costs);
	for (size_t i = 0; i < g->n_lines; i++)
		c->first[g->lines[i].function]++;
	offsets_add(c->first, g->n_functions);
	for (size_t i = 0; i < g->n_lines; i++)
		c->list[c->first[g->lines[i].function]++] = (uint32_t)i;
	offsets_restore(c->first, g->n_functions);
}

void call_lines_deinit(struct call_lines *c)
{
	free(c->first);
	free(c->list);
	free(c->costs);
}

void call_lines_take(struct call_lines *c, size_t event)
{
	costs_take(&c->graph->at, c->graph->n_lines, event, c->costs);
}

static void choose_heavy(struct line_split *s, size_t n_paths)
{
	uint64_t most = s->lines->splits / SPLITS_OF_ONE, needed = (uint64_t)s->n * n_paths, n_heavy = most / s->n;
	s->heavy = needed <= most ? 0 : n_heavy ? s->sum.weight / n_heavy + 1 : UINT64_MAX;
	s->lines->splits -= lesser(needed, most);
}

void line_split_init(struct line_split *s, struct call_lines *c, const struct line_sum *sum, size_t n_paths)
{
	uint32_t f = sum->function, from = c->first[f];
	*s = (struct line_split){.lines = c, .sum = *sum, .n = c->first[f + 1] - from};
	if (s->n > MOST_LINES) {
		sink_warn(c->sink, "a function with more than a million lines, which are left out", 0, NULL, 0);
		s->n = 0;
	}
	if (!s->n)
		return;
	choose_heavy(s, n_paths);
	s->left = mem_alloc(s->n * sizeof *s->left);
	s->sites = mem_alloc(s->n * sizeof *s->sites);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct graph_line *line = &c->graph->lines[c->list[from + i]];
		const struct site site = {.sym = c->syms[f], .file = line->file, .line = line->line};
		s->left[i] = c->costs[c->list[from + i]];
		s->sites[i] = line->line ? profile_site_child(c->sink->profile, NO_SITE, &site) : NO_SITE;
	}
}

void line_split_deinit(struct line_split *s)
{
	free(s->left);
	free(s->sites);
}

static void add_sample(const struct line_split *s, uint32_t path, uint32_t site, uint64_t weight)
{
	const struct call_lines *c = s->lines;
	struct sample sample = {.time = NO_TIME, .cpu = NO_CPU, .series = s->sum.series, .site = site};
	sample.task = c->graph->functions[s->sum.function].key.task;
	if (__builtin_mul_overflow(weight, s->sum.factor, &sample.weight))
		sample.weight = UINT64_MAX;
	if (weight)
		profile_add(c->sink->profile, c->sink->options->side, path, &sample);
}

static void add_line(struct line_split *s, uint32_t path, uint32_t i, uint64_t part)
{
	s->left[i] -= part;
	add_sample(s, path, s->sites[i], part);
}

/* Adds a part of each line to a path; returns what is in no line. `all`: the weight that no path had before. */
static uint64_t add_parts(struct line_split *s, uint32_t path, uint64_t weight, uint64_t all)
{
	__extension__ unsigned __int128 before = 0;
	uint64_t given = 0, rest = weight;
	for (uint32_t i = s->first; i < s->n && all; i++) {
		before += s->left[i];
		uint64_t upto = before > all ? weight : (uint64_t)(before * weight / all);
		uint64_t part = lesser(lesser(upto - given, s->left[i]), rest);
		given = upto;
		rest -= part;
		add_line(s, path, i, part);
	}
	return rest;
}

/* The same from the lines with cost left, one after the other. */
static uint64_t add_next(struct line_split *s, uint32_t path, uint64_t weight)
{
	while (weight && s->first < s->n) {
		uint32_t i = s->first;
		uint64_t part = lesser(weight, s->left[i]);
		weight -= part;
		add_line(s, path, i, part);
		s->first += s->left[i] == 0;
	}
	return weight;
}

void line_split_add(struct line_split *s, uint32_t path, uint64_t weight)
{
	uint64_t all = s->sum.weight, rest = weight;
	s->sum.weight -= weight;
	if (weight)
		rest = weight >= s->heavy ? add_parts(s, path, weight, all) : add_next(s, path, weight);
	add_sample(s, path, NO_SITE, rest);
}
