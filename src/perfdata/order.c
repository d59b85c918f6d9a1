/*
 * order.c - sorts records by time.
 *
 * perf empties the processors' buffers in turn and then writes FINISHED_ROUND. Records that a processor makes
 * meanwhile come in the next round, and may be older than another processor's records in this round. But all
 * records older than the youngest of the round before have then been written:
 *
 *	cpu 0: 1 4 | cpu 1: 2 3 | ROUND   youngest: 4, nothing is complete yet
 *	cpu 0: 7   | cpu 1: 5 6 | ROUND   1 2 3 4 are complete, youngest: 7
 *
 * A record waits for two rounds at most, so each is looked at three times at most. Copies of records lie in chunks,
 * which are reused once all of their records are gone. A record of a time far ahead would hold its chunk, so once
 * chunks are half empty, the records that still wait are moved together.
 */
#include "perfdata/order.h"

#include "base/mem.h"
#include "base/sort.h"

#define CHUNK ((size_t)256 << 10)
#define FEW_CHUNKS 16u /* that may be half empty */

struct chunk {
	struct chunk *next; /* of the free ones */
	size_t used;        /* bytes of `data` */
	size_t records;     /* that still wait in it */
	_Alignas(16) unsigned char data[CHUNK];
};

struct waiting {
	uint64_t time;
	struct chunk *chunk;
	struct perfdata_record record;
};

struct perfdata_order {
	perfdata_take *take;
	void *arg;
	struct waiting *waiting; /* in order of arrival */
	size_t n, cap;
	struct sort_item *items; /* twice as many as ever waited: the second half is scratch */
	size_t cap_items;
	struct chunk *current, *free;
	size_t n_held; /* chunks, but for `current` */
	size_t bytes, most;
	uint64_t youngest, limit; /* of all so far; the youngest before the last round's end */
	uint64_t handed_on;       /* the youngest time handed on */
	uint64_t late;
	bool has_limit;
};

struct perfdata_order *perfdata_order_new(size_t most, perfdata_take *take, void *arg)
{
	struct perfdata_order *o = mem_zalloc(1, sizeof *o);
	o->take = take;
	o->arg = arg;
	o->most = most;
	return o;
}

static void free_chunks(struct perfdata_order *o)
{
	for (size_t i = 0; i < o->n; i++) {
		if (--o->waiting[i].chunk->records == 0 && o->waiting[i].chunk != o->current)
			free(o->waiting[i].chunk);
	}
	free(o->current);
	while (o->free) {
		struct chunk *next = o->free->next;
		free(o->free);
		o->free = next;
	}
}

void perfdata_order_free(struct perfdata_order *o)
{
	if (!o)
		return;
	free_chunks(o);
	free(o->waiting);
	free(o->items);
	free(o);
}

uint64_t perfdata_order_late(const struct perfdata_order *o)
{
	return o->late;
}

/* Room for n bytes, at an address divisible by 8. */
static unsigned char *room(struct perfdata_order *o, size_t n)
{
	struct chunk *c = o->current;
	size_t aligned = (n + 7) & ~(size_t)7;
	if (!c || CHUNK - c->used < aligned) {
		c = o->free ? o->free : mem_alloc(sizeof *c);
		o->free = o->free ? c->next : NULL;
		o->n_held += o->current != NULL;
		c->used = c->records = 0;
		o->current = c;
	}
	unsigned char *at = c->data + c->used;
	c->used += aligned;
	c->records++;
	o->bytes += aligned;
	return at;
}

/* Emptied chunks are kept; their number never exceeds the most that were in use at once. */
static void leave(struct perfdata_order *o, const struct waiting *w)
{
	struct chunk *c = w->chunk;
	o->bytes -= (w->record.body.n + 7) & ~(size_t)7;
	if (--c->records)
		return;
	if (c == o->current) {
		c->used = 0;
		return;
	}
	o->n_held--;
	c->next = o->free;
	o->free = c;
}

static void hand_on(struct perfdata_order *o, struct waiting *w)
{
	struct err ignored;
	o->late += w->time < o->handed_on;
	o->handed_on = w->time > o->handed_on ? w->time : o->handed_on;
	o->take(o->arg, &w->record, &ignored);
	leave(o, w);
}

/* Sorts the indices of records no younger than `limit`, oldest first; returns how many. */
static size_t sort_ready(struct perfdata_order *o, uint64_t limit)
{
	size_t ready = 0;
	if (o->cap_items < 2 * o->n)
		o->items = mem_grow(o->items, &o->cap_items, 2 * o->n, sizeof *o->items);
	for (size_t i = 0; i < o->n; i++) {
		if (o->waiting[i].time <= limit)
			o->items[ready++] = (struct sort_item){o->waiting[i].time, (uint32_t)i, (uint32_t)i};
	}
	sort_items(o->items, ready, o->items + ready);
	return ready;
}

static bool is_half_empty(const struct perfdata_order *o)
{
	return o->n_held > FEW_CHUNKS && (o->n_held - FEW_CHUNKS) * CHUNK > o->bytes + o->bytes / 2;
}

/* Moves the waiting records into as few chunks as they need. Chunks become free in the same order. */
static void compact(struct perfdata_order *o)
{
	if (o->current && o->current->records) {
		o->current = NULL;
		o->n_held++;
	}
	for (size_t i = 0; i < o->n; i++) {
		struct waiting *w = &o->waiting[i], old = *w;
		unsigned char *copy = room(o, old.record.body.n);
		if (old.record.body.n)
			memcpy(copy, old.record.body.at, old.record.body.n);
		w->record.body.at = copy;
		w->chunk = o->current;
		leave(o, &old);
	}
}

/* Bytes that the waiting records take, with the empty parts of their chunks and what sorts them. */
static size_t memory_of(const struct perfdata_order *o)
{
	size_t chunks = o->n_held * CHUNK;
	return (chunks > o->bytes ? chunks : o->bytes) + o->n * (sizeof *o->waiting + 2 * sizeof *o->items);
}

/* Hands on the first n sorted records and closes the gaps among the waiting ones. */
static void hand_on_first(struct perfdata_order *o, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		hand_on(o, &o->waiting[o->items[i].value]);
		o->waiting[o->items[i].value].chunk = NULL;
	}
	for (size_t i = 0; i < o->n; i++) {
		if (o->waiting[i].chunk)
			o->waiting[kept++] = o->waiting[i];
	}
	o->n = kept;
	if (is_half_empty(o))
		compact(o);
}

void perfdata_order_see(struct perfdata_order *o, uint64_t time)
{
	o->youngest = time > o->youngest ? time : o->youngest;
}

void perfdata_order_add(struct perfdata_order *o, uint64_t time, const struct perfdata_record *record)
{
	struct waiting w = {.time = time, .record = *record};
	unsigned char *copy;
	if (memory_of(o) >= o->most && o->n)
		hand_on_first(o, (sort_ready(o, UINT64_MAX) + 1) / 2);
	copy = room(o, record->body.n);
	if (record->body.n)
		memcpy(copy, record->body.at, record->body.n);
	w.record.body.at = copy;
	w.chunk = o->current;
	mem_push(o->waiting, o->n, o->cap, w);
	perfdata_order_see(o, time);
}

void perfdata_order_round(struct perfdata_order *o)
{
	if (o->has_limit && o->n)
		hand_on_first(o, sort_ready(o, o->limit));
	o->limit = o->youngest;
	o->has_limit = true;
}

void perfdata_order_flush(struct perfdata_order *o)
{
	hand_on_first(o, sort_ready(o, UINT64_MAX));
}
