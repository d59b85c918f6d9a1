/*
 * perf_native_stack.h - the stack of a sample while it is put together, the innermost frame first.
 *
 * The place of a sample is what a stack becomes in the profile.
 */
#ifndef COLLAPSE_PERF_NATIVE_STACK_H
#define COLLAPSE_PERF_NATIVE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/sites.h"

/* The path of a sample in the profile, its node of profile.sites, its task and its labels. */
struct sample_place {
	uint32_t path, site, task, tags; /* path: NO_PATH: it is left out */
};

/* Zeroed is empty. */
struct perf_native_stack {
	uint32_t *frames; /* symbols */
	size_t n, cap;
	struct site *sites; /* of some of them */
	size_t n_sites, cap_sites;
	uint32_t *places; /* by frame, of the first n_places: place of its site plus one; 0: it has none */
	size_t n_places, cap_places;
};

static inline void perf_native_stack_deinit(struct perf_native_stack *s)
{
	free(s->frames);
	free(s->sites);
	free(s->places);
}

static inline void perf_native_stack_clear(struct perf_native_stack *s)
{
	s->n = s->n_sites = s->n_places = 0;
}

static inline void perf_native_stack_push(struct perf_native_stack *s, uint32_t sym)
{
	mem_push(s->frames, s->n, s->cap, sym);
}

/* The site of the frame that is pushed next; NULL: it has none. */
static inline void perf_native_stack_site(struct perf_native_stack *s, const struct site *site)
{
	if (site)
		mem_push(s->sites, s->n_sites, s->cap_sites, *site);
	mem_push(s->places, s->n_places, s->cap_places, site ? (uint32_t)s->n_sites : 0);
}

/* Turns the frames around: a profile has the root first. */
static inline void perf_native_stack_turn(struct perf_native_stack *s)
{
	for (size_t i = 0; i < s->n / 2; i++) {
		uint32_t swap = s->frames[i];
		s->frames[i] = s->frames[s->n - 1 - i];
		s->frames[s->n - 1 - i] = swap;
	}
}

#endif
