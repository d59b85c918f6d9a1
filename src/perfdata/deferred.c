/*
 * deferred.c - joins samples with the callers that come later.
 *
 * All samples that wait are in one list, and those of a thread in its queue, both in order of arrival: the oldest
 * of all is the first in its queue.
 */
#include "perfdata/deferred.h"

#include "base/mem.h"

/* A copy of a record's body. The counters of a group have a sample each. */
struct deferred_body {
	size_t n_samples, bytes;
	uint64_t words[];
};

struct deferred {
	struct deferred *before, *after; /* of all */
	struct deferred *next;           /* in the queue */
	struct perfdata_sample sample;
	struct deferred_body *body;
};

void perfdata_deferred_init(struct perfdata_deferred *d, size_t most,
                            void (*take)(void *arg, const struct perfdata_sample *, enum perfdata_callers),
                            void *arg)
{
	*d = (struct perfdata_deferred){.take = take, .arg = arg, .most = most};
}

static void drop(struct perfdata_deferred *d, struct deferred *w)
{
	d->bytes -= sizeof *w;
	if (--w->body->n_samples == 0) {
		d->bytes -= w->body->bytes;
		d->body = d->body == w->body ? NULL : d->body;
		free(w->body);
	}
	free(w);
}

void perfdata_deferred_deinit(struct perfdata_deferred *d)
{
	while (d->all.first) {
		struct deferred *w = d->all.first;
		d->all.first = w->after;
		drop(d, w);
	}
	free(d->chain);
	free(d->queues);
	idmap_deinit(&d->queue_of);
}

/* NULL: no sample of the thread has waited yet. */
static struct deferred_list *queue_of(const struct perfdata_deferred *d, int32_t tid)
{
	uint32_t queue;
	return idmap_find(&d->queue_of, (uint32_t)tid, &queue) ? &d->queues[queue] : NULL;
}

static struct deferred_list *make_queue(struct perfdata_deferred *d, int32_t tid)
{
	if (idmap_add(&d->queue_of, (uint32_t)tid, (uint32_t)d->n_queues))
		mem_push(d->queues, d->n_queues, d->cap_queues, ((struct deferred_list){NULL, NULL}));
	return queue_of(d, tid);
}

void perfdata_deferred_new_record(struct perfdata_deferred *d)
{
	d->body = NULL;
}

static struct deferred_body *body_of(struct perfdata_deferred *d, struct perfdata_bytes body)
{
	size_t bytes = sizeof(struct deferred_body) + body.n;
	if (!d->body) {
		d->body = mem_alloc(bytes);
		*d->body = (struct deferred_body){.bytes = bytes};
		memcpy(d->body->words, body.at, body.n);
		d->bytes += bytes;
	}
	d->body->n_samples++;
	return d->body;
}

/* `at` in a body at `from`: the same place in the copy. */
static const void *moved(const struct deferred *w, const unsigned char *from, const void *at)
{
	return at ? (const unsigned char *)w->body->words + ((const unsigned char *)at - from) : NULL;
}

static struct deferred *copy_of(struct perfdata_deferred *d, const struct perfdata_sample *s,
                                struct perfdata_bytes body)
{
	struct deferred *w = mem_alloc(sizeof *w);
	d->bytes += sizeof *w;
	w->body = body_of(d, body);
	w->sample = *s;
	w->sample.n_chain -= 2;
	w->sample.chain = moved(w, body.at, s->chain);
	w->sample.branches = moved(w, body.at, s->branches);
	w->sample.regs = moved(w, body.at, s->regs);
	w->sample.stack = moved(w, body.at, s->stack);
	w->sample.raw = moved(w, body.at, s->raw);
	w->sample.n_readings = 0;
	return w;
}

static uint64_t cookie_of(const struct deferred *w)
{
	return w->sample.chain[w->sample.n_chain + 1];
}

/* Takes out the first sample of a queue. */
static struct deferred *take_out(struct perfdata_deferred *d, struct deferred_list *queue)
{
	struct deferred *w = queue->first;
	queue->first = w->next;
	queue->last = w->next ? queue->last : NULL;
	*(w->before ? &w->before->after : &d->all.first) = w->after;
	*(w->after ? &w->after->before : &d->all.last) = w->before;
	return w;
}

static void hand_on(struct perfdata_deferred *d, struct deferred *w, enum perfdata_callers callers)
{
	d->take(d->arg, &w->sample, callers);
	drop(d, w);
}

static void hand_on_oldest(struct perfdata_deferred *d, enum perfdata_callers callers)
{
	hand_on(d, take_out(d, queue_of(d, d->all.first->sample.tid)), callers);
}

void perfdata_deferred_add(struct perfdata_deferred *d, const struct perfdata_sample *s, struct perfdata_bytes body)
{
	struct deferred *w = copy_of(d, s, body);
	struct deferred_list *queue = make_queue(d, s->tid);
	while (d->all.first && d->bytes > d->most)
		hand_on_oldest(d, CALLERS_TOO_MANY);
	w->next = w->after = NULL;
	w->before = d->all.last;
	*(d->all.last ? &d->all.last->after : &d->all.first) = w;
	*(queue->first ? &queue->last->next : &queue->first) = w;
	d->all.last = queue->last = w;
}

/* Puts the callers on the chain of the sample. They begin with CHAIN_USER, as the kernel writes them. */
static void join(struct perfdata_deferred *d, struct perfdata_sample *s, struct perfdata_bytes callers)
{
	size_t n = s->n_chain;
	if (n + 1 + callers.n / 8 > d->cap_chain)
		d->chain = mem_grow(d->chain, &d->cap_chain, n + 1 + callers.n / 8, sizeof *d->chain);
	if (n)
		memcpy(d->chain, s->chain, n * sizeof *d->chain);
	d->chain[n++] = CHAIN_USER;
	while (callers.n >= 8) {
		uint64_t address = bytes_u64(&callers);
		if (address != CHAIN_USER || d->chain[n - 1] != CHAIN_USER)
			d->chain[n++] = address;
	}
	s->chain = d->chain;
	s->n_chain = n;
}

/* Hands on all samples of the thread, with or without callers (NULL: none). */
static void end_thread(struct perfdata_deferred *d, int32_t tid, uint64_t cookie,
                       const struct perfdata_bytes *callers)
{
	struct deferred_list *queue = queue_of(d, tid);
	while (queue && queue->first) {
		struct deferred *w = take_out(d, queue);
		bool is_met = callers && cookie_of(w) == cookie;
		if (is_met)
			join(d, &w->sample, *callers);
		hand_on(d, w, is_met ? CALLERS_CAME : CALLERS_MISSING);
	}
}

void perfdata_deferred_meet(struct perfdata_deferred *d, int32_t tid, uint64_t cookie,
                            struct perfdata_bytes callers)
{
	end_thread(d, tid, cookie, &callers);
}

void perfdata_deferred_end(struct perfdata_deferred *d, int32_t tid)
{
	end_thread(d, tid, 0, NULL);
}

void perfdata_deferred_flush(struct perfdata_deferred *d)
{
	while (d->all.first)
		hand_on_oldest(d, CALLERS_MISSING);
}
