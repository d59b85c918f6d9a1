/*
 * frames.c - the stack being read.
 */
#include "collapse/text/frames.h"

#include <stdlib.h>
#include <string.h>

void frames_deinit(struct frames *f)
{
	free(f->syms);
	free(f->sites);
	*f = (struct frames){0};
}

void frames_push_text(struct frames *f, struct sink *sink, struct slice name)
{
	frames_push(f, sink_frame(sink, name.s, name.n));
}

void frames_push_at(struct frames *f, struct sink *sink, struct slice name, struct slice place)
{
	frames_push(f, sink_source(sink, sink_frame(sink, name.s, name.n), place.s, place.n, 0));
	frames_set_place(f, sink, place);
}

void frames_push_elided(struct frames *f, struct sink *sink, const char *why)
{
	frames_push(f, sink_frame(sink, ELIDED, strlen(ELIDED)));
	sink_info(sink, why, 0, NULL, 0);
}

void frames_push_lost(struct frames *f, struct sink *sink, uint64_t number, struct slice line)
{
	frames_push(f, sink_frame(sink, ELIDED, strlen(ELIDED)));
	sink_warn(sink, "a stack that lacks frames ('[elided]'): their numbers are missing", number, line.s, line.n);
}

/* Sets the site of the frame pushed last: its number + 1. */
static void set_site(struct frames *f, uint32_t site)
{
	if (f->n_sites >= f->n)
		f->n_sites = f->n - 1; /* of stacks before */
	while (f->n_sites + 1 < f->n)
		mem_push(f->sites, f->n_sites, f->cap_sites, 0);
	mem_push(f->sites, f->n_sites, f->cap_sites, site);
}

/* "a.c:12" -> 12, and the file; 0: no line. A column may follow. */
static uint32_t split_place(struct slice place, struct slice *file)
{
	uint64_t line;
	*file = slice_head(place, symbol_path_length(place.s, place.n));
	if (!file->n || file->n == place.n)
		return 0;
	struct slice rest = slice_from(place, file->n + 1);
	return slice_u64(slice_take_digits(&rest), &line) && line <= UINT32_MAX ? (uint32_t)line : 0;
}

void frames_set_place(struct frames *f, struct sink *sink, struct slice place)
{
	struct slice file;
	uint32_t line = sink->options->wants_sites && place.n ? split_place(place, &file) : 0;
	if (!line)
		return;
	const struct site site = {.sym = f->syms[f->n - 1], .file = sink_file(sink, file.s, file.n), .line = line};
	set_site(f, profile_site(sink->profile, &site) + 1);
}

void frames_push_site(struct frames *f, struct sink *sink, const struct site *site)
{
	frames_push(f, site->sym);
	if (sink->options->wants_sites)
		set_site(f, profile_site(sink->profile, site) + 1);
}

void frames_push_of(struct frames *f, const struct frames *from, size_t i)
{
	frames_push(f, from->syms[i]);
	if (i < from->n_sites && from->sites[i])
		set_site(f, from->sites[i]);
}

static void turn(uint32_t *list, size_t n)
{
	for (size_t i = 0, j = n; i + 1 < j; i++) {
		uint32_t last = list[--j];
		list[j] = list[i];
		list[i] = last;
	}
}

void frames_reverse(struct frames *f)
{
	turn(f->syms, f->n);
	if (f->n_sites > f->n)
		f->n_sites = f->n;
	while (f->n_sites > 0 && f->n_sites < f->n)
		mem_push(f->sites, f->n_sites, f->cap_sites, 0);
	turn(f->sites, f->n_sites);
}

uint32_t frames_site(const struct frames *f, struct sink *sink)
{
	uint32_t node = NO_SITE;
	for (size_t i = 0; i < f->n_sites && i < f->n; i++)
		if (f->sites[i])
			node = profile_site_node(sink->profile, node, f->sites[i] - 1);
	return node;
}

void frames_finish(struct frames *f, struct sink *sink)
{
	if (!f->n)
		frames_push(f, sink_sym(sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	frames_reverse(f);
}

void frames_emit_reversed(struct frames *f, struct sink *sink, uint64_t weight)
{
	frames_emit_reversed_of(f, sink, weight, 0);
}

void frames_emit_reversed_of(struct frames *f, struct sink *sink, uint64_t weight, uint32_t task)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU, .task = task};
	frames_finish(f, sink);
	s.site = frames_site(f, sink);
	sink_stack(sink, f->syms, f->n, &s);
	f->n = f->n_sites = 0;
}
