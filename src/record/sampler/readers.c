/*
 * readers.c - reads the stacks of interpreters, one thread for each processor.
 *
 * A reader looks at the records in its ring, but leaves them there: the thread that writes the recording drains it,
 * up to what the reader has seen. Both meet at the time of the sample.
 *
 * Each reader has a counter of its own that counts nothing. It writes to the same ring, and so wakes up with it;
 * the counters of the targets would end with their threads.
 *
 * A process can hold back its memory, and with it the reader, for ever. Such a reader is left behind by the thread
 * that writes: another one takes its place, and goes on with its ring and its queue. The gate keeps the one that
 * was left from touching them, should it come back.
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
#include "record/sampler/errand.h"
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
	size_t place;      /* of its ring */
	int cpu, fd, stop; /* fd: the counter that counts nothing; stop: becomes readable at the end */
	int call;          /* becomes readable if there are records, see readers_call() */
	struct ring *ring;
	uint64_t seen; /* bytes of the ring; others may drain it up to here */
	struct queue *queue;
	struct pending_list pending;
	struct pending now;             /* the sample whose stack is being read */
	struct interpreters_reader own; /* own.item: of it, or of the sample before; empty: it has none */
	uint64_t second;                /* the present one */
	uint32_t n_stacks;              /* that were read in it */
	struct pending bell;            /* the last one that rang; tid 0: none is new */
	unsigned n_bells;               /* since `paced` */
	uint64_t paced;                 /* ns */
	bool is_resting;                /* its bells are off */
	pthread_mutex_t gate;           /* for ring->done and the queue, as long as */
	bool is_left;                   /* is not true: then both are another one's */
	int32_t walks;                  /* the process whose memory it reads, */
	uint64_t since;                 /* since then, ns; 0: it reads none */
	uint64_t late;                  /* stacks of samples in the ring before this place are gone */
	uint32_t n_lost;                /* items of stacks that found no room; read by the thread that takes them */
	uint32_t n_told;                /* of these are in the recording; changed by that thread */
};

struct readers {
	struct interpreters *interpreters;
	const struct counters *counters;
	struct reader **v;
	size_t n;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t n_ready;
	int stop;
	struct buf item;
};

/* ---- a reader ------------------------------------------------------------------------------------------------ */

static uint64_t monotonic(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

static bool put_in_queue(struct reader *r, const struct buf *item)
{
	if (!item)
		return queue_has_room(r->queue, ROOM_OF_FUNCTION);
	const struct queue_head head = {(uint32_t)item->len, r->now.tid, r->now.time};
	bool is_put = queue_put(r->queue, &head, item->data);
	if (!is_put && !item_is_function(item->data, item->len))
		__atomic_add_fetch(&r->n_lost, 1, __ATOMIC_RELAXED);
	return is_put;
}

static bool put(void *arg, const struct buf *item)
{
	struct reader *r = arg;
	pthread_mutex_lock(&r->gate);
	bool is_put = !r->is_left && put_in_queue(r, item);
	pthread_mutex_unlock(&r->gate);
	return is_put;
}

/* Others may drain the ring up to what was seen. false: another reader has taken the place of this one. */
static bool tell_seen(struct reader *r)
{
	pthread_mutex_lock(&r->gate);
	bool is_left = r->is_left;
	if (!is_left)
		__atomic_store_n(&r->ring->done, r->seen, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&r->gate);
	return !is_left;
}

static void walk(struct reader *r)
{
	__atomic_store_n(&r->walks, r->now.pid, __ATOMIC_RELAXED);
	__atomic_store_n(&r->since, monotonic(), __ATOMIC_RELEASE);
	interpreters_walk(r->all->interpreters, r->now.pid, r->now.tid, &r->own);
	__atomic_store_n(&r->since, 0, __ATOMIC_RELEASE);
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

static enum item_lack lack_of(const struct reader *r)
{
	uint64_t id;
	ring_peek(r->ring, r->now.at + sizeof(struct abi_record), &id, sizeof id);
	return counters_are_waking(r->all->counters, id) ? LACK_WAKER : LACK_SKIPPED;
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
		walk(r);
		return;
	}
	if (choice != PENDING_SAME)
		item_add_lack(&r->own.item, lack_of(r));
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
	if (r->pending.v[i].at < r->late)
		return PENDING_GONE;
	if (!r->all->counters->has_bells)
		return pending_choose(&r->pending, i);
	return pending_is_last(&r->pending, i, &r->bell) ? PENDING_READ : PENDING_GONE;
}

/* false: another reader has taken the place of this one, which touches nothing any more. */
static bool work(struct reader *r)
{
	do {
		uint64_t told = r->seen;
		look(r);
		for (size_t i = 0; i < r->pending.n; i++) {
			r->now = r->pending.v[i];
			take_sample(r, choose(r, i));
			if (__atomic_load_n(&r->is_left, __ATOMIC_ACQUIRE))
				return false;
		}
		r->bell.tid = 0;
		if (r->seen != told && !tell_seen(r))
			return false;
	} while (r->pending.n);
	return true;
}

/*
 * Too many bells are switched off for a while. The first call that ends after that has its stack read, so all calls
 * that take longer have.
 */
static void pace(struct reader *r)
{
	uint64_t now = monotonic();
	bool is_over = now - r->paced >= LOOK_MS * (NS_PER_SECOND / 1000), needs_rest = r->n_bells >= BELLS_MOST;
	if (r->is_resting ? !is_over : !is_over && !needs_rest)
		return;
	if (r->is_resting || needs_rest) {
		r->is_resting = !r->is_resting;
		counters_let_ring(r->all->counters, r->place, !r->is_resting);
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
		if (!work(r))
			return NULL;
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
	int fd = counter_open(&e, &(struct counter_target){0, counters_cpu(c, place), -1});
	if (fd >= 0 && ioctl(fd, ABI_IOCTL_SET_OUTPUT, c->leaders[place]) == 0)
		return fd;
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

/* errno says why it has not started. */
static void begin(struct reader *r)
{
	r->ring->is_watched = true;
	errno = pthread_create(&r->thread, NULL, run, r);
	r->is_started = errno == 0;
	r->ring->is_watched = r->is_started;
}

/* false: it is not possible; errno says why. */
static bool reader_start(struct readers *all, struct counters *c, size_t place)
{
	struct reader *r = all->v[place];
	r->fd = open_bell(c, place);
	r->call = eventfd(0, EFD_CLOEXEC);
	if (r->fd < 0 || r->call < 0)
		return false;
	r->queue = mem_zalloc(1, sizeof *r->queue);
	queue_init(r->queue, QUEUE_SIZE);
	r->seen = r->ring->done = r->ring->page->tail;
	begin(r);
	if (r->is_started)
		c->polls[place].fd = -1;
	return r->is_started;
}

static void wait_until_ready(struct readers *all, size_t n)
{
	pthread_mutex_lock(&all->lock);
	while (all->n_ready < n)
		pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
}

static struct reader *reader_new(struct readers *all, size_t place)
{
	struct reader *r = mem_zalloc(1, sizeof *r);
	const struct counters *c = all->counters;
	r->all = all;
	r->place = place;
	r->cpu = counters_cpu(c, place);
	r->stop = all->stop;
	r->ring = &c->rings[place];
	r->attr = &c->events[0].attr;
	r->own.put = put;
	r->own.arg = r;
	buf_init(&r->own.item);
	pthread_mutex_init(&r->gate, NULL);
	return r;
}

static struct readers *readers_new(const struct counters *c, struct interpreters *interpreters)
{
	struct readers *all = mem_zalloc(1, sizeof *all);
	all->interpreters = interpreters;
	all->counters = c;
	all->stop = eventfd(0, EFD_CLOEXEC);
	all->n = c->n_rings;
	all->v = mem_zalloc(all->n, sizeof *all->v);
	for (size_t i = 0; i < all->n; i++) {
		all->v[i] = reader_new(all, i);
		all->v[i]->fd = all->v[i]->call = -1;
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
			fail_errno(err, "nothing reads them on processor %d", counters_cpu(c, i));
	}
	wait_until_ready(all, n);
	if (n)
		return all;
	readers_free(all);
	return NULL;
}

/* ---- readers that are held up -------------------------------------------------------------------------------- */

/* The reader may come back at any time, so it is not freed: the end of the process ends it. */
static void leave(struct reader *r)
{
	pthread_mutex_lock(&r->gate);
	__atomic_store_n(&r->is_left, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&r->gate);
	pthread_detach(r->thread);
	r->is_started = false;
	r->ring->is_watched = false;
}

/* Another one takes over what it has. Meanwhile the threads of the samples in the ring have gone on. */
static struct reader *replace(struct reader *old)
{
	struct reader *r = reader_new(old->all, old->place);
	leave(old);
	r->fd = old->fd;
	r->call = old->call;
	r->queue = old->queue;
	r->n_lost = old->n_lost;
	r->n_told = old->n_told;
	r->seen = old->ring->done;
	r->late = __atomic_load_n(&r->ring->page->head, __ATOMIC_ACQUIRE);
	old->all->v[old->place] = r;
	return r;
}

static pid_t held_by(const struct reader *r, uint64_t now)
{
	uint64_t since = __atomic_load_n(&r->since, __ATOMIC_ACQUIRE);
	bool is_held = r->is_started && since && now > since + ERRAND_MS * (NS_PER_SECOND / 1000);
	return is_held ? __atomic_load_n(&r->walks, __ATOMIC_RELAXED) : 0;
}

pid_t readers_held(struct readers *all, struct buf *trouble)
{
	uint64_t now = monotonic();
	for (size_t i = 0; i < all->n; i++) {
		pid_t pid = held_by(all->v[i], now);
		if (!pid)
			continue;
		interpreters_hold(all->interpreters, pid, trouble);
		begin(replace(all->v[i]));
		return pid;
	}
	return 0;
}

/* Waits for the thread. Returns the process that holds it up for a while; else 0: it has ended. */
static pid_t join(const struct reader *r, struct timespec *until)
{
	while (pthread_timedjoin_np(r->thread, NULL, until) != 0) {
		if (__atomic_load_n(&r->since, __ATOMIC_ACQUIRE))
			return __atomic_load_n(&r->walks, __ATOMIC_RELAXED);
		until->tv_sec++; /* it has not had the time yet */
	}
	return 0;
}

pid_t readers_stop(struct readers *all, struct buf *trouble)
{
	uint64_t one = 1;
	struct timespec until;
	pid_t held = 0;
	if (all->stop >= 0)
		(void)!write(all->stop, &one, sizeof one);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ERRAND_MS / 1000 + 1;
	for (size_t i = 0; i < all->n; i++) {
		struct reader *r = all->v[i];
		if (!r->is_started)
			continue;
		pid_t pid = join(r, &until);
		if (pid) {
			held = pid;
			interpreters_hold(all->interpreters, pid, trouble);
			replace(r);
		}
		r->is_started = false;
		r->ring->is_watched = false;
	}
	return held;
}

void readers_call(struct readers *all, size_t place)
{
	uint64_t one = 1;
	if (all->v[place]->is_started)
		(void)!write(all->v[place]->call, &one, sizeof one);
}

static void reader_free(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	if (r->call >= 0)
		close(r->call);
	if (r->queue)
		queue_deinit(r->queue);
	free(r->queue);
	buf_deinit(&r->own.item);
	pending_deinit(&r->pending);
	pthread_mutex_destroy(&r->gate);
	free(r);
}

void readers_free(struct readers *all)
{
	if (!all)
		return;
	struct buf unused;
	buf_init(&unused);
	readers_stop(all, &unused);
	buf_deinit(&unused);
	for (size_t i = 0; i < all->n; i++)
		reader_free(all->v[i]);
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
		const struct reader *r = all->v[i];
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
	struct queue *q = all->v[place]->queue;
	struct queue_head head;
	if (!q || sample->size < sizeof *sample + 6 * sizeof(uint64_t))
		return;
	const struct records_language of = record_of(sample, id);
	tell_lost(all->v[place], &of, &all->item, out);
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
