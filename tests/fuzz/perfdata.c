/*
 * perfdata.c - reads any bytes as a recording of perf. The first byte says how they are cut and whether features
 * are read from the end; either way the same samples must come out, and everything that a sample points to must
 * exist.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "perfdata/perfdata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 2000u /* samples: a few bytes can unpack to millions */

struct fuzzed {
	struct perfdata *p;
	const uint8_t *data;
	size_t size;
	uint64_t sum, samples;
};

static void add(struct fuzzed *f, uint64_t v)
{
	f->sum = hash_mix(f->sum ^ v, 0x9e3779b97f4a7c15u) + 1;
}

static void take_sample(void *arg, const struct perfdata_sample *s)
{
	struct fuzzed *f = arg;
	const struct perfdata_event *event = perfdata_event(f->p, s->event);
	if (f->samples++ > MOST)
		return;
	add(f, s->time);
	add(f, s->period + event->config + (s->comm ? strlen(s->comm) : 0));
	for (size_t i = 0; i < s->n_chain; i++) {
		const struct perfdata_map *map = perfdata_map_at(s->process, s->chain[i]);
		add(f, s->chain[i]);
		if (map && (map->start > s->chain[i] || s->chain[i] >= map->end))
			abort();
		if (map)
			add(f, strlen(perfdata_file(f->p, map->file)->name) + map->pgoff);
	}
	for (size_t i = 0; i < s->n_branches; i++)
		add(f, s->branches[i].from ^ s->branches[i].flags);
	for (size_t i = 0; s->regs && i < (size_t)__builtin_popcountll(s->regs_mask); i++)
		add(f, s->regs[i]);
	if (s->n_stack)
		add(f, s->stack[s->n_stack - 1]);
	if (s->n_raw)
		add(f, s->raw[s->n_raw - 1]);
}

static bool read_at(void *arg, uint64_t offset, void *into, size_t n)
{
	const struct fuzzed *f = arg;
	if (offset > f->size || n > f->size - offset)
		return false;
	memcpy(into, f->data + offset, n);
	return true;
}

static void run(struct fuzzed *f, const uint8_t *data, size_t size, size_t step, bool has_features)
{
	static const struct perfdata_hooks hooks = {.sample = take_sample};
	struct err err;
	*f = (struct fuzzed){.data = data, .size = size};
	f->p = perfdata_new(&hooks, f);
	bool good = !has_features || perfdata_read_features(f->p, read_at, f, &err);
	for (size_t i = 0; good && i < size && f->samples < MOST; i += step)
		good = perfdata_feed(f->p, data + i, size - i < step ? size - i : step, &err);
	perfdata_finish(f->p, true, &err);
	perfdata_free(f->p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzzed whole, pieces;
	if (size < 2)
		return 0;
	run(&whole, data + 1, size - 1, size, data[0] & 1);
	run(&pieces, data + 1, size - 1, 1 + data[0] / 2u, data[0] & 1);
	if (whole.samples < MOST && (whole.samples != pieces.samples || whole.sum != pieces.sum))
		abort();
	return 0;
}
