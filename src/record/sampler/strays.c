/*
 * strays.c - finds the event of a sample by the ring that it came in.
 */
#include "record/sampler/strays.h"

#include <string.h>
#include <time.h>

#include "base/err.h"
#include "perfdata/records.h"
#include "perfdata/sample.h"
#include "record/sampler/dump.h"
#include "record/sampler/records.h"

#define STRAYS_LEAST ((RECORDS_WORD_OF_CHAIN + 1) * 8) /* bytes */

#define DISORDER 1000000 /* ns */

static const struct counter_event *shared_of(const struct counters *c, size_t set)
{
	for (size_t i = 0; i < c->n_events; i++)
		if (c->events[i].set == set && c->events[i].n_ids && counter_shares_samples(&c->events[i]))
			return &c->events[i];
	return NULL;
}

static bool has_user_callers(const struct abi_record *r)
{
	const uint64_t *words = (const uint64_t *)(const void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8, chain = RECORDS_WORD_OF_CHAIN;
	for (size_t i = chain + 1; i < n && i <= chain + words[chain]; i++)
		if (words[i] == CHAIN_USER)
			return true;
	return false;
}

/* Empties all after the first fields. The record has room for more than its size (ring_take). */
static void drop_callers(struct abi_record *r, const struct abi_attr *a)
{
	uint64_t *words = (uint64_t *)(void *)(r + 1);
	size_t n = RECORDS_WORD_OF_CHAIN;
	const uint64_t fields[] = {FIELD_CALLCHAIN, FIELD_REGS_USER, FIELD_STACK_USER};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (a->sample_type & fields[i])
			words[n++] = 0;
	r->size = (uint16_t)(sizeof *r + n * 8);
}

/*
 * The kernel fills in what the other recorder wants: callers or none, and a larger or smaller copy of the stack,
 * which the size of the record allows for. perf may ask for no id, so ours alone does not tell.
 */
static void mend_fields(struct counters *c, const struct abi_attr *a, bool is_known, struct abi_record *r)
{
	uint16_t size = r->size;
	bool is_whole = dump_cut(r, a);
	if (is_known && is_whole && r->size == size)
		return;
	c->strays.n++;
	c->strays.n_with_callers += is_whole && (a->flags & ABI_EXCLUDE_CHAIN_USER || has_user_callers(r));
	if (!is_whole)
		drop_callers(r, a);
}

static uint64_t *time_of(struct abi_record *r)
{
	uint64_t *words = (uint64_t *)(void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8;
	if (r->type == RECORD_SAMPLE)
		return n > RECORDS_WORD_OF_TIME ? &words[RECORDS_WORD_OF_TIME] : NULL;
	return n >= RECORDS_TRAILER ? &words[n - RECORDS_TRAILER + 1] : NULL;
}

static bool is_to_come(const struct abi_attr *a, uint64_t time)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return a->flags & ABI_USE_CLOCK && time > (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The records of a ring are in order, or nearly. A sample that is not has the time of another clock. */
static void mend_time(struct counters *c, size_t place, const struct abi_attr *a, uint64_t *time)
{
	uint64_t last = c->times[place].own;
	c->times[place].shared = *time;
	c->strays.has_clock_ahead |= is_to_come(a, *time);
	if (!last || (*time + DISORDER >= last && !c->strays.has_clock_ahead))
		return;
	*time = last;
	c->strays.n_mended++;
}

/* The sample's first fields are there. false: it is none of those that others may have spoiled. */
static bool mend(struct counters *c, size_t place, struct abi_record *r)
{
	uint32_t owner = 0, set = (uint32_t)(place / c->cpus.n);
	const struct counter_event *e = shared_of(c, set);
	bool is_known = idmap_find(&c->owners, records_id(r), &owner);
	if (!e || (is_known && c->events[owner].set == set && e != &c->events[owner]))
		return false;
	const struct abi_attr *a = c->allocators ? &c->recorded : &e->attr;
	mend_fields(c, a, is_known, r);
	mend_time(c, place, a, time_of(r));
	if (!is_known || e != &c->events[owner])
		memcpy(r + 1, &e->ids[0], sizeof e->ids[0]);
	return true;
}

void strays_mend(struct counters *c, size_t place, struct abi_record *r)
{
	bool is_sample = r->type == RECORD_SAMPLE;
	if (is_sample && r->size >= sizeof *r + STRAYS_LEAST && mend(c, place, r))
		return;
	const uint64_t *time = time_of(r);
	if (!time)
		return;
	c->times[place].own = *time;
	c->strays.has_clock_ahead |= c->times[place].shared > *time + DISORDER;
}

#define CAUSE "another recorder counts the same in these threads with another"
#define REMEDY "and this kernel fills in one sample for both (record one after the other)"

void strays_tell(const struct counters *c)
{
	unsigned long long n = c->strays.n;
	if (n && !c->strays.n_with_callers)
		err_printf("%llu samples lack callers: " CAUSE " --call-graph, " REMEDY, n);
	else if (c->strays.n_mended)
		err_printf("%llu samples have rough times, and no functions of interpreters: " CAUSE " clock, " REMEDY,
		           (unsigned long long)c->strays.n_mended);
}
