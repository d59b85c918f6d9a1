/*
 * prefetch.c - keeps, for each thread, from which parts of memory its stacks were read.
 *
 * The parts of a thread are sorted by address, and those that are close to each other are one. One that a few
 * stacks did not need is dropped: to read it in vain so often costs as much as to read it alone once. All are
 * dropped now and then, since parts that became one only grow.
 *
 * A walk ends with a look at whether the thread has moved (memory_renew()). What that needs is read twice by the
 * same call, the second time after all else, so that the look covers all that the walk was served. If the walk had
 * to read more, another call reads it.
 */
#include "languages/prefetch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define THREADS_KEPT 256u /* a power of two; threads that share a place take it from each other */
#define PARTS_MOST 512u   /* of a thread */
#define PART_MOST 4096u   /* bytes; longer reads are not repeated */
#define COPY_MOST ((size_t)64 << 10)
#define GAP_MOST 512u /* bytes between two parts that become one; less than a page, so that they can be read, too */
#define UNUSED_MOST 5u   /* stacks */
#define STACKS_MOST 512u /* until all parts of a thread are dropped */
#define NOT_READ UINT32_MAX

enum phase { PHASE_WALK, PHASE_RENEWED, PHASES, PHASE_OVER = PHASES };

struct part {
	uint64_t address;
	uint32_t n;
	uint32_t at[PHASES]; /* of its bytes in the copy, as they are for this phase, or NOT_READ */
	uint8_t phases, unused;
	bool is_used;
};

struct thread {
	pid_t tid;
	uint32_t n_stacks;
	struct part *parts;
	size_t n, cap;
};

struct prefetch {
	memory_read_fn *read;
	memory_read_all_fn *read_all;
	void *arg;
	enum phase phase;
	struct thread *thread;        /* whose stack is read; NULL: none yet */
	struct part news[PARTS_MOST]; /* that were read for this stack, but not ahead */
	size_t n_news;
	bool is_renewed; /* what was read ahead for PHASE_RENEWED is newer than all else */
	struct thread threads[THREADS_KEPT];
	struct memory_range ranges[PHASES * PARTS_MOST];
	unsigned char copy[COPY_MOST];
};

struct prefetch *prefetch_new(memory_read_fn *read, memory_read_all_fn *read_all, void *arg)
{
	struct prefetch *a = mem_zalloc(1, sizeof *a);
	a->read = read;
	a->read_all = read_all;
	a->arg = arg;
	return a;
}

void prefetch_free(struct prefetch *a)
{
	for (size_t i = 0; a && i < THREADS_KEPT; i++)
		free(a->threads[i].parts);
	free(a);
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

/* How many parts begin up to this address. */
static size_t count_up_to(const struct thread *t, uint64_t address)
{
	size_t low = 0, high = t->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->parts[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct thread *t, const struct part *p)
{
	size_t i = count_up_to(t, p->address);
	if (t->n == PARTS_MOST)
		return;
	if (t->n == t->cap)
		t->parts = mem_grow(t->parts, &t->cap, t->n + 1, sizeof *t->parts);
	memmove(t->parts + i + 1, t->parts + i, (t->n - i) * sizeof *t->parts);
	t->parts[i] = *p;
	t->n++;
}

/* Makes one part of two, of which the first one begins first. false: they are apart, or too long. */
static bool join(struct part *a, const struct part *b)
{
	uint64_t end = a->address + a->n, end_b = b->address + b->n;
	end = end > end_b ? end : end_b;
	if (b->address > a->address + a->n + GAP_MOST || end - a->address > PART_MOST)
		return false;
	a->n = (uint32_t)(end - a->address);
	a->phases |= b->phases;
	a->unused = a->unused < b->unused ? a->unused : b->unused;
	return true;
}

/* Takes what the last stack of the thread needed, and drops what some did not. */
static void learn(struct prefetch *a, struct thread *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < a->n_news; i++)
		insert(t, &a->news[i]);
	a->n_news = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct part p = t->parts[i];
		p.unused = p.is_used ? 0 : (uint8_t)(p.unused + 1);
		p.is_used = false;
		p.at[PHASE_WALK] = p.at[PHASE_RENEWED] = NOT_READ;
		if (p.unused <= UNUSED_MOST && (!kept || !join(&t->parts[kept - 1], &p)))
			t->parts[kept++] = p;
	}
	t->n = kept;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct part *p, enum phase phase, size_t at)
{
	return p->phases & 1u << phase && at + p->n <= COPY_MOST;
}

/* Lists what is needed in this phase. Returns the end of its bytes in the copy. */
static size_t list_parts(struct prefetch *a, enum phase phase, size_t *n, size_t at)
{
	for (size_t i = 0; i < a->thread->n; i++) {
		const struct part *p = &a->thread->parts[i];
		if (!is_wanted(p, phase, at))
			continue;
		a->ranges[(*n)++] = (struct memory_range){p->address, p->n};
		at += p->n;
	}
	return at;
}

/* Marks the parts that have been read: those in the first n_read bytes. The next one could not be read. */
static size_t take(struct prefetch *a, enum phase phase, size_t at, size_t n_read)
{
	for (size_t i = 0; i < a->thread->n && at <= n_read; i++) {
		struct part *p = &a->thread->parts[i];
		if (!is_wanted(p, phase, at))
			continue;
		if (at + p->n <= n_read)
			p->at[phase] = (uint32_t)at;
		else
			p->unused = UNUSED_MOST; /* so that it is not in the way again */
		at += p->n;
	}
	return at;
}

/* Reads what is needed in this phase and in later ones, in their order. */
static void read_parts(struct prefetch *a)
{
	size_t n = 0, end = 0, at = 0;
	for (enum phase phase = a->phase; phase < PHASES; phase++)
		end = list_parts(a, phase, &n, end);
	size_t n_read = n > 1 ? a->read_all(a->arg, a->ranges, n, a->copy) : 0;
	for (enum phase phase = a->phase; phase < PHASES && n > 1; phase++)
		at = take(a, phase, at, n_read);
	a->is_renewed = n > 1 && n_read == end;
}

void prefetch_begin(struct prefetch *a, pid_t tid)
{
	struct thread *t = &a->threads[(uint32_t)tid % THREADS_KEPT];
	if (a->thread)
		learn(a, a->thread);
	if (t->tid != tid || t->n_stacks++ == STACKS_MOST)
		t->n = t->n_stacks = 0;
	t->tid = tid;
	a->thread = t;
	a->phase = PHASE_WALK;
	read_parts(a);
}

void prefetch_renew(void *arg)
{
	struct prefetch *a = arg;
	a->phase = a->phase == PHASE_WALK ? PHASE_RENEWED : PHASE_OVER;
	if (a->phase == PHASE_OVER || a->is_renewed)
		return;
	for (size_t i = 0; i < a->thread->n; i++)
		a->thread->parts[i].at[PHASE_RENEWED] = NOT_READ;
	read_parts(a);
}

/* The part that has all of these bytes, if it was read ahead. */
static struct part *find(const struct prefetch *a, uint64_t address, size_t n)
{
	size_t i = a->phase < PHASES ? count_up_to(a->thread, address) : 0;
	struct part *p = i ? &a->thread->parts[i - 1] : NULL;
	return p && p->at[a->phase] != NOT_READ && p->n >= n && address - p->address <= p->n - n ? p : NULL;
}

bool prefetch_read(void *arg, uint64_t address, void *into, size_t n)
{
	struct prefetch *a = arg;
	struct part *p = find(a, address, n);
	if (p) {
		memcpy(into, a->copy + p->at[a->phase] + (address - p->address), n);
		p->is_used = true;
		return true;
	}
	a->is_renewed = false;
	if (!a->read(a->arg, address, into, n))
		return false;
	if (n && n <= PART_MOST && a->phase != PHASE_OVER && a->n_news < PARTS_MOST)
		a->news[a->n_news++] =
			(struct part){address, (uint32_t)n, {NOT_READ, NOT_READ}, (uint8_t)(1u << a->phase), 0, true};
	return true;
}
