/*
 * readers.c - reads the stacks of interpreters, one thread for each processor.
 *
 * A reader looks at the records in its ring, but leaves them there: the thread that writes the recording drains it,
 * up to what the reader has seen. Both meet at the time of the sample.
 *
 * Each reader has a counter of its own that counts nothing. It writes to the same ring, and so wakes up with it;
 * the counters of the targets would end with their threads.
 */
#include "record/sampler/readers.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/event.h"
#include "perfdata/records.h"
#include "record/sampler/pending.h"
#include "record/sampler/queue.h"
#include "record/sampler/records.h"

#define QUEUE_SIZE ((size_t)2 << 20)
#define ROOM_OF_FUNCTION ((size_t)16 << 10) /* its texts at their longest, and what describes them */
#define PRIORITY 10
#define STACKS_PER_SECOND 4000u /* of a processor, so that frequent events cannot stop the target for good */
#define LOOK_MS 8               /* between looks at samples that wake nobody, and without bells at a time */
#define BELLS_MOST 20           /* in that time */
#define NS_PER_SECOND UINT64_C(1000000000)

struct reader {
	struct readers *all;
	const struct abi_attr *attr; /* of its samples */
	pthread_t thread;
	bool is_started, is_pinned, is_first;
	int cpu, fd, stop; /* fd: the counter that counts nothing; stop: becomes readable at the end */
	int call;          /* becomes readable if there are records, see readers_call() */
	struct ring *ring;
	uint64_t seen; /* bytes of the ring; others may drain it up to here */
	struct queue queue;
	struct pending_list pending;
	struct pending now;             /* the sample whose stack is being read */
	struct interpreters_reader own; /* own.item: of it, or of the sample before; empty: it has none */
	uint64_t second;                /* the present one */
	uint32_t n_stacks;              /* that were read in it */
	struct pending bell;            /* the last one that rang; tid 0: none is new */
	unsigned n_bells;               /* since `paced` */
	uint64_t paced;                 /* ns */
	bool is_resting;                /* its bells are off */
	uint32_t n_lost;                /* items of stacks that found no room; read by the thread that takes them */
	uint32_t n_told;                /* of these are in the recording; changed by that thread */
};

struct readers {
	struct interpreters *interpreters;
	const struct counters *counters;
	struct reader *v;
	size_t n;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t n_ready;
	int stop;
	struct buf item;
};

/* ---- a reader ------------------------------------------------------------------------------------------------ */

static bool put(void *arg, const struct buf *item)
{
	struct reader *r = arg;
	if (!item)
		return queue_has_room(&r->queue, ROOM_OF_FUNCTION);
	const struct queue_head head = {(uint32_t)item->len, r->now.tid, r->now.time};
	bool is_put = queue_put(&r->queue, &head, item->data);
	if (!is_put && !item_is_function(item->data, item->len))
		__atomic_add_fetch(&r->n_lost, 1, __ATOMIC_RELAXED);
	return is_put;
}

static bool may_read(struct reader *r)
{
	uint64_t second = r->now.time / NS_PER_SECOND;
	r->n_stacks = second == r->second ? r->n_stacks + 1 : 1;
	r->second = second;
	return r->n_stacks <= STACKS_PER_SECOND;
}

/* Reads the registers in the present sample, which is still in the ring, if it has all of them. */
static void read_registers(struct reader *r)
{
	const size_t word = sizeof(uint64_t);
	struct memory_registers *to = &r->own.registers;
	uint64_t at = r->now.at, n_chain = 0, abi;
	struct abi_record header;
	ring_peek(r->ring, at, &header, sizeof header);
	uint64_t end = at + header.size, n = (uint64_t)__builtin_popcountll(r->attr->regs_user);
	at += sizeof header + RECORDS_WORD_OF_CHAIN * word;
	to->mask = 0;
	if (!(r->attr->sample_type & FIELD_REGS_USER) || r->attr->sample_type & FIELD_RAW || n > MEMORY_REGISTERS ||
	    at + word > end)
		return;
	ring_peek(r->ring, at, &n_chain, word);
	if (n_chain > header.size / word || at + (2 + n_chain + n) * word > end)
		return;
	at += (1 + n_chain) * word;
	ring_peek(r->ring, at, &abi, word);
	ring_peek(r->ring, at + word, to->values, n * word);
	to->mask = abi ? r->attr->regs_user : 0;
	to->is_late = !r->is_first;
}

/* Puts what there is of the stack of the present sample. */
static void take_sample(struct reader *r, enum pending_choice choice)
{
	if (choice != PENDING_SAME)
		r->own.item.len = 0;
	if (!interpreters_has(r->all->interpreters, r->now.pid))
		return;
	if (choice == PENDING_READ && may_read(r)) {
		read_registers(r);
		interpreters_walk(r->all->interpreters, r->now.pid, r->now.tid, &r->own);
		return;
	}
	if (choice != PENDING_SAME)
		item_add_lack(&r->own.item, LACK_SKIPPED);
	if (r->own.item.len)
		put(r, &r->own.item);
}

/* Lists the samples that are new in the ring. */
static void look(struct reader *r)
{
	struct {
		struct abi_record header;
		uint64_t id, ip;
		int32_t pid, tid;
		uint64_t time;
	} s;
	uint64_t head = __atomic_load_n(&r->ring->page->head, __ATOMIC_ACQUIRE), at = r->seen;
	pending_clear(&r->pending);
	while (head - at >= sizeof s.header) {
		ring_peek(r->ring, at, &s.header, sizeof s.header);
		if (s.header.size < sizeof s.header || s.header.size > head - at)
			at = head - s.header.size; /* the ring is broken, as the thread that drains it will find */
		else if (s.header.type == RECORD_SAMPLE && s.header.size >= sizeof s) {
			ring_peek(r->ring, at, &s, sizeof s);
			const struct pending new = {s.pid, s.tid, s.time, at};
			bool is_bell = counters_are_bell(r->all->counters, s.id);
			r->n_bells += is_bell;
			if (is_bell)
				r->bell = new;
			else if (counters_have_stack(r->all->counters, s.id))
				pending_add(&r->pending, &new);
		}
		at += s.header.size;
	}
	r->seen = at; /* not told to others before the stacks are in the queue */
}

static enum pending_choice choose(const struct reader *r, size_t i)
{
	if (!r->all->counters->has_bells)
		return pending_choose(&r->pending, i);
	return pending_is_last(&r->pending, i, &r->bell) ? PENDING_READ : PENDING_GONE;
}

static void work(struct reader *r)
{
	uint64_t told = r->seen;
	do {
		look(r);
		for (size_t i = 0; i < r->pending.n; i++) {
			r->now = r->pending.v[i];
			take_sample(r, choose(r, i));
		}
		r->bell.tid = 0;
		if (r->seen != told)
			__atomic_store_n(&r->ring->done, r->seen, __ATOMIC_RELEASE);
		told = r->seen;
	} while (r->pending.n);
}

/*
 * Too many bells are switched off for a while. The first call that ends after that has its stack read, so all calls
 * that take longer have.
 */
static void pace(struct reader *r)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	uint64_t now = (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
	bool is_over = now - r->paced >= LOOK_MS * (NS_PER_SECOND / 1000), needs_rest = r->n_bells >= BELLS_MOST;
	if (r->is_resting ? !is_over : !is_over && !needs_rest)
		return;
	if (r->is_resting || needs_rest) {
		r->is_resting = !r->is_resting;
		counters_let_ring(r->all->counters, (size_t)(r - r->all->v), !r->is_resting);
	}
	r->n_bells = 0;
	r->paced = now;
}

/* Goes to its processor, and before all others there. */
static void settle(struct reader *r)
{
	cpu_set_t *set = CPU_ALLOC((size_t)r->cpu + 1);
	size_t size = CPU_ALLOC_SIZE((size_t)r->cpu + 1);
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)r->cpu, size, set);
	r->is_pinned = sched_setaffinity(0, size, set) == 0;
	r->is_first = r->is_pinned && sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){PRIORITY}) == 0;
	CPU_FREE(set);
}

static void *run(void *arg)
{
	struct reader *r = arg;
	struct pollfd polls[] = {
		{.fd = r->fd, .events = POLLIN}, {.fd = r->stop, .events = POLLIN}, {.fd = r->call, .events = POLLIN}};
	uint64_t n_calls;
	settle(r);
	pthread_mutex_lock(&r->all->lock);
	r->all->n_ready++;
	pthread_cond_signal(&r->all->changed);
	pthread_mutex_unlock(&r->all->lock);
	while (!polls[1].revents) {
		bool is_woken = poll(polls, 3, r->all->counters->has_bells ? LOOK_MS : -1) >= 0 || errno == EINTR;
		if (polls[2].revents && read(r->call, &n_calls, sizeof n_calls) < 0)
			polls[2].fd = -1;
		work(r);
		if (!is_woken)
			break;
		if (r->all->counters->has_bells)
			pace(r);
		if (polls[0].revents & ~POLLIN)
			polls[0].fd = -1;
	}
	work(r);
	return NULL;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

/* Opens the counter that counts nothing, and lets it write to the ring. */
static int open_bell(const struct counters *c, size_t place)
{
	struct counter_event e = {.attr = c->events[0].attr};
	e.attr.type = ABI_SOFTWARE;
	e.attr.config = ABI_DUMMY;
	e.attr.flags &=
		~(ABI_FREQ | ABI_INHERIT | ABI_DISABLED | ABI_ENABLE_ON_EXEC | ABI_MMAP | ABI_MMAP2 | ABI_COMM | ABI_TASK |
	      ABI_KSYMBOL | ABI_BPF | ABI_CONTEXT_SWITCH | ABI_MMAP_DATA | ABI_PRECISE_MOST | ABI_COMM_EXEC);
	e.attr.period = 0;
	e.is_tried = true;
	int fd = counter_open(&e, &(struct counter_target){0, c->cpus.v[place], -1});
	if (fd >= 0 && ioctl(fd, ABI_IOCTL_SET_OUTPUT, c->leaders[place]) == 0)
		return fd;
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

/* false: it is not possible; errno says why. */
static bool reader_start(struct readers *all, struct counters *c, size_t place)
{
	struct reader *r = &all->v[place];
	r->fd = open_bell(c, place);
	r->call = eventfd(0, EFD_CLOEXEC);
	if (r->fd < 0 || r->call < 0)
		return false;
	queue_init(&r->queue, QUEUE_SIZE);
	r->seen = r->ring->done = r->ring->page->tail;
	r->ring->is_watched = true;
	errno = pthread_create(&r->thread, NULL, run, r);
	r->is_started = errno == 0;
	if (r->is_started)
		c->polls[place].fd = -1;
	else
		r->ring->is_watched = false;
	return r->is_started;
}

static void wait_until_ready(struct readers *all, size_t n)
{
	pthread_mutex_lock(&all->lock);
	while (all->n_ready < n)
		pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
}

static struct readers *readers_new(const struct counters *c, struct interpreters *interpreters)
{
	struct readers *all = mem_zalloc(1, sizeof *all);
	all->interpreters = interpreters;
	all->counters = c;
	all->stop = eventfd(0, EFD_CLOEXEC);
	all->n = c->cpus.n;
	all->v = mem_zalloc(all->n, sizeof *all->v);
	for (size_t i = 0; i < all->n; i++) {
		struct reader *r = &all->v[i];
		r->all = all;
		r->cpu = c->cpus.v[i];
		r->fd = r->call = -1;
		r->stop = all->stop;
		r->ring = &c->rings[i];
		r->attr = &c->events[0].attr;
		r->own.put = put;
		r->own.arg = r;
		buf_init(&r->own.item);
	}
	buf_init(&all->item);
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->changed, NULL);
	return all;
}

struct readers *readers_start(struct counters *c, struct interpreters *interpreters, struct err *err)
{
	struct readers *all = readers_new(c, interpreters);
	size_t n = 0;
	err->text[0] = '\0';
	if (all->stop < 0)
		fail_errno(err, "their readers could not be ended");
	for (size_t i = 0; i < all->n && all->stop >= 0; i++) {
		if (c->leaders[i] < 0)
			continue;
		if (reader_start(all, c, i))
			n++;
		else
			fail_errno(err, "nothing reads them on processor %d", c->cpus.v[i]);
	}
	wait_until_ready(all, n);
	if (n)
		return all;
	readers_free(all);
	return NULL;
}

void readers_stop(struct readers *all)
{
	uint64_t one = 1;
	if (all->stop >= 0)
		(void)!write(all->stop, &one, sizeof one);
	for (size_t i = 0; i < all->n; i++) {
		struct reader *r = &all->v[i];
		if (!r->is_started)
			continue;
		pthread_join(r->thread, NULL);
		r->is_started = false;
		r->ring->is_watched = false;
	}
}

void readers_call(struct readers *all, size_t place)
{
	uint64_t one = 1;
	if (all->v[place].is_started)
		(void)!write(all->v[place].call, &one, sizeof one);
}

void readers_free(struct readers *all)
{
	if (!all)
		return;
	readers_stop(all);
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].fd >= 0)
			close(all->v[i].fd);
		if (all->v[i].call >= 0)
			close(all->v[i].call);
		queue_deinit(&all->v[i].queue);
		buf_deinit(&all->v[i].own.item);
		pending_deinit(&all->v[i].pending);
	}
	if (all->stop >= 0)
		close(all->stop);
	pthread_cond_destroy(&all->changed);
	pthread_mutex_destroy(&all->lock);
	buf_deinit(&all->item);
	free(all->v);
	free(all);
}

enum item_how readers_how(const struct readers *all)
{
	enum item_how worst = HOW_STOPPED;
	for (size_t i = 0; i < all->n; i++) {
		const struct reader *r = &all->v[i];
		enum item_how how = !r->is_pinned ? HOW_RUNNING : !r->is_first ? HOW_LATE : HOW_STOPPED;
		worst = r->is_started && how > worst ? how : worst;
	}
	return worst;
}

/* ---- taking -------------------------------------------------------------------------------------------------- */

static struct records_language record_of(const struct abi_record *sample, uint64_t id)
{
	struct records_language l = {.id = id};
	const uint64_t *words = (const uint64_t *)(const void *)(sample + 1);
	memcpy(&l.pid, words + 2, sizeof l.pid);
	memcpy(&l.tid, (const char *)(words + 2) + 4, sizeof l.tid);
	l.time = words[3];
	return l;
}

/* Stacks that found no room are ones for which there was no time. */
static void tell_lost(struct reader *r, const struct records_language *of, struct buf *item, struct buf *out)
{
	uint32_t n = __atomic_load_n(&r->n_lost, __ATOMIC_RELAXED);
	struct records_language l = *of;
	for (; r->n_told != n; r->n_told++) {
		item->len = 0;
		item_add_lack(item, LACK_SKIPPED);
		l.item = item->data;
		l.n = item->len;
		records_add_language(out, &l);
	}
	item->len = 0;
}

void readers_take(struct readers *all, size_t place, const struct abi_record *sample, uint64_t id, struct buf *out)
{
	struct queue *q = &all->v[place].queue;
	struct queue_head head;
	if (!q->bytes || sample->size < sizeof *sample + 6 * sizeof(uint64_t))
		return;
	const struct records_language of = record_of(sample, id);
	tell_lost(&all->v[place], &of, &all->item, out);
	while (queue_peek(q, &head) && head.time <= of.time) {
		struct records_language l = of;
		buf_reserve(&all->item, head.n);
		queue_take(q, all->item.data);
		bool is_function = item_is_function(all->item.data, head.n);
		l.item = all->item.data;
		l.n = head.n;
		if (is_function)
			l.time = 0; /* it is in stacks of other processors, too */
		if (is_function || (head.tid == of.tid && head.time == of.time))
			records_add_language(out, &l);
	}
}
