/*
 * dump.c - shortens the copy of the stack in a sample.
 *
 *	id ip tid time cpu period | n, chain | size, raw | abi, registers | size, stack ....... unused | filled
 */
#include "record/sampler/dump.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "perfdata/event.h"
#include "record/sampler/records.h"

struct words {
	uint64_t *v; /* of the sample, after its header */
	size_t n, at;
};

static bool take(struct words *w, uint64_t *value)
{
	if (w->at >= w->n)
		return false;
	*value = w->v[w->at++];
	return true;
}

static bool skip(struct words *w, uint64_t n)
{
	if (n > w->n - w->at)
		return false;
	w->at += (size_t)n;
	return true;
}

static bool skip_chain(struct words *w, const struct abi_attr *a)
{
	uint64_t n;
	return !(a->sample_type & FIELD_CALLCHAIN) || (take(w, &n) && skip(w, n));
}

/* A size of four bytes; with it, the raw data are whole words. */
static bool skip_raw(struct words *w, const struct abi_attr *a)
{
	uint64_t first;
	uint32_t size;
	if (!(a->sample_type & FIELD_RAW))
		return true;
	if (!take(w, &first))
		return false;
	memcpy(&size, &first, sizeof size);
	return size % 8 == 4 && skip(w, size / 8);
}

/* Without registers (abi 0), as in threads of the kernel, there are none. */
static bool skip_registers(struct words *w, const struct abi_attr *a)
{
	uint64_t abi;
	return !(a->sample_type & FIELD_REGS_USER) ||
	       (take(w, &abi) && (abi == 0 || skip(w, (uint64_t)__builtin_popcountll(a->regs_user))));
}

static bool skip_copy(struct words *w, const struct abi_attr *a)
{
	uint64_t size;
	return !(a->sample_type & FIELD_STACK_USER) ||
	       (take(w, &size) && (size == 0 || (size % 8 == 0 && skip(w, size / 8) && skip(w, 1))));
}

bool dump_cut(struct abi_record *r, const struct abi_attr *a)
{
	struct words w = {.v = (uint64_t *)(void *)(r + 1), .n = (r->size - sizeof *r) / 8};
	if (!skip(&w, RECORDS_WORD_OF_CHAIN) || !skip_chain(&w, a) || !skip_raw(&w, a) || !skip_registers(&w, a) ||
	    !skip_copy(&w, a))
		return false;
	r->size = (uint16_t)(sizeof *r + w.at * 8);
	return true;
}

void dump_shorten(struct abi_record *r, const struct abi_attr *a)
{
	struct words w = {.v = (uint64_t *)(void *)(r + 1), .n = (r->size - sizeof *r) / 8};
	uint64_t size;
	if (!(a->sample_type & FIELD_STACK_USER) || !skip(&w, RECORDS_WORD_OF_CHAIN) || !skip_chain(&w, a) ||
	    !skip_raw(&w, a) || !skip_registers(&w, a) || !take(&w, &size) || size == 0 || size % 8)
		return;
	size_t at_size = w.at - 1, at_bytes = w.at;
	if (!skip(&w, size / 8) || w.at + 1 != w.n || w.v[w.at] > size)
		return;
	uint64_t filled = w.v[w.at], kept = (filled + 7) / 8;
	w.v[at_size] = kept * 8;
	if (kept) /* else the size is the last field */
		w.v[at_bytes + kept] = filled;
	r->size = (uint16_t)(sizeof *r + (at_bytes + kept + (kept > 0)) * 8);
}
