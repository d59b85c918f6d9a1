/*
 * feeder.c - cuts blocks of bytes at line ends, feeds them, and maintains a live profile after each piece.
 */
#include "collapse/load/feeder.h"

#include <string.h>
#include <time.h>

#include "base/find.h"
#include "base/mem.h"

#define FEEDER_PAD 64u          /* readable bytes after a piece, see collapse.h */
#define RECORD_MAX (256u << 20) /* bytes of a line or record */

/* Samples that came before a view asked for times get the time at which it asked. */
static size_t first_to_stamp(const struct feeder *f, const struct load_wish *wish, size_t before)
{
	const struct profile *p = f->sink.profile;
	return p->log[0].time || !wish->is_there || !p->n_files ? before : p->files[p->n_files - 1].first[0];
}

/* The size of log 0 before a piece is fed. */
struct mark {
	size_t n;
	uint64_t samples;
};

static struct mark mark_of(const struct feeder *f)
{
	const struct sample_log *log = &f->sink.profile->log[0];
	return (struct mark){log->n, log->samples};
}

static uint64_t clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Does the view use the arrival times of samples? */
static bool wants_times(const struct feeder *f)
{
	const struct collapse_options *o = f->sink.options;
	const struct load_wish wish = shared_wish(f->shared);
	return f->is_live && (o->window || o->half_life || wish.window || wish.half_life);
}

/* Handles the samples added since `before`. The lock is held. */
static void look_after(struct feeder *f, struct mark before)
{
	struct profile *p = f->sink.profile;
	struct load_wish wish = shared_wish(f->shared);
	atomic_fetch_add_explicit(&f->shared->samples, p->log[0].samples - before.samples, memory_order_relaxed);
	atomic_store_explicit(&f->shared->lost, p->lacks[0].lost, memory_order_relaxed);
	if (!f->is_live)
		return;
	if (wish.is_there)
		retain_widen(&f->retention, wish.window, wish.half_life);
	if (wants_times(f) && p->log[0].samples > before.samples && !p->log[0].time)
		f->is_stamping = true;
	if (f->is_stamping && retain_unstamp(p, before.n))
		f->is_stamping = false;
	if (f->is_stamping)
		retain_stamp(p, first_to_stamp(f, &wish, before.n), clock_now());
	retain_recent(p, &f->retention);
}

static void show_held(struct feeder *f, const struct feeder *by)
{
	shared_lock(f->lock);
	f->lock->feeder = by;
	shared_unlock(f->lock);
}

bool feeder_start(struct feeder *f, struct err *err)
{
	f->cap = 2 * BLOCK;
	f->buf = mem_zalloc(f->cap + FEEDER_PAD, 1);
	if (!f->sink.profile->log[0].n && !f->sink.profile->log[1].n)
		f->sink.profile->decimals = f->format->decimals;
	f->sink.profile->is_sorted = false;
	f->sink.profile->report.things = f->format->is_text_stream ? "elements" : NULL; /* a line may have many */
	profile_bound_begin(f->sink.profile);
	f->state = f->format->start(&f->sink, err);
	if (f->lock)
		show_held(f, f->state && f->format->preview ? f : NULL);
	return f->state;
}

/* false: the input makes too many frames, or has its tables read too often. What was read of it is good. */
static bool is_within_bound(const struct feeder *f, struct err *err)
{
	const struct profile_bound *b = &f->sink.profile->bound;
	const unsigned tables = WALKED_PER_FRAME * WALK_BYTES;
	if (b->is_reached && profile_bound_is_of_tables(f->sink.profile))
		return fail(err,
		            "%ju bytes have more than %ju bytes of tables read again: 64 million, and %u for each byte",
		            (uintmax_t)b->bytes, (uintmax_t)b->most * tables, FRAMES_PER_BYTE * tables);
	return !b->is_reached || fail(err, "%ju bytes make more than %ju frames: a million, and %u for each byte",
	                              (uintmax_t)b->bytes, (uintmax_t)b->most, FRAMES_PER_BYTE);
}

static bool feed_whole(struct feeder *f, char *text, size_t len, struct err *err)
{
	char saved = text[len];
	struct mark before;
	bool ok;
	if (!len)
		return true;
	text[len] = '\n';
	if (f->lock)
		shared_lock(f->lock);
	before = mark_of(f);
	profile_bound_grow(f->sink.profile, len);
	f->sink.arrival = f->format->preview && wants_times(f) ? clock_now() : 0;
	ok = collapse_feed(f->format, f->state, &f->sink, text, len, err) && is_within_bound(f, err);
	look_after(f, before);
	if (f->lock)
		shared_unlock(f->lock);
	text[len] = saved;
	shared_wake(f->shared);
	return ok;
}

/* Length of the part of text[0..len) that can be fed; the first `old` bytes contain no newline. */
static size_t feedable(const struct feeder *f, const char *text, size_t old, size_t len)
{
	const char *nl;
	if (f->format->is_text_stream)
		return len;
	nl = find_last(text + old, '\n', len - old);
	return nl ? (size_t)(nl - text) + 1 : 0;
}

static void skip_long_record(struct feeder *f, const char *text, size_t len)
{
	if (!f->is_skipping)
		sink_skip(&f->sink, "line longer than 256 MiB (expected a record of a sensible length)", f->sink.line + 1,
		          text, len < 40 ? len : 40);
	f->is_skipping = true;
}

char *feeder_room(struct feeder *f, size_t n)
{
	if (f->carry + n > f->cap) {
		f->buf = mem_grow(f->buf, &f->cap, f->carry + n + FEEDER_PAD, 1);
		f->cap -= FEEDER_PAD;
		memset(f->buf + f->carry, 0, f->cap - f->carry + FEEDER_PAD);
	}
	return f->buf + f->carry;
}

bool feeder_take(struct feeder *f, size_t n, struct err *err)
{
	size_t len = f->carry + n, start = 0, old = f->carry, part;
	bool ok;
	if (f->is_skipping) {
		const char *nl = memchr(f->buf, '\n', len);
		f->carry = 0;
		if (!nl)
			return true;
		f->is_skipping = false;
		f->sink.line++;
		start = (size_t)(nl - f->buf) + 1;
		old = 0;
	}
	part = feedable(f, f->buf + start, old, len - start);
	ok = feed_whole(f, f->buf + start, part, err);
	f->carry = len - start - part;
	if (start + part)
		memmove(f->buf, f->buf + start + part, f->carry);
	if (f->carry > RECORD_MAX) {
		skip_long_record(f, f->buf, f->carry);
		f->carry = 0;
	}
	return ok;
}

bool feeder_finish(struct feeder *f, bool ok, struct err *err)
{
	struct err second = {""};
	struct mark before;
	bool is_open = ok && f->carry && !f->is_skipping;
	if (is_open)
		ok = feed_whole(f, f->buf, f->carry, err);
	if (f->lock)
		shared_lock(f->lock);
	if (is_open && f->format->tells_open_end)
		collapse_note_open_end(&f->sink, f->sink.line);
	before = mark_of(f);
	if (f->lock) { /* samples that were held back are now decided */
		f->lock->feeder = NULL;
		atomic_store(&f->lock->held, 0);
	}
	/* Of an input that makes too many frames, what came before is good. */
	if (f->state)
		ok = f->format->finish(f->state, ok || f->sink.profile->bound.is_reached, ok ? err : &second) && ok;
	ok = ok && is_within_bound(f, err);
	profile_bound_end(f->sink.profile);
	look_after(f, before);
	if (f->lock)
		shared_unlock(f->lock);
	free(f->buf);
	return ok;
}

bool feeder_read(struct feeder *f, struct input *in, struct err *err)
{
	for (;;) {
		ssize_t n = input_read(in, feeder_room(f, BLOCK), BLOCK, err);
		if (n <= 0)
			return n == 0;
		if (atomic_load(&f->shared->stop))
			return true;
		shared_count(f->shared, input_consumed(in));
		if (!feeder_take(f, (size_t)n, err))
			return false;
	}
}

void feeder_init_profile(struct profile *part, const struct profile *whole)
{
	profile_init(part);
	part->join = whole->join;
	if (whole->bare_unit) {
		const struct symbol *unit = &whole->symtab.symbols[whole->bare_unit];
		part->bare_unit = symtab_intern(&part->symtab, unit->name, unit->len);
	}
	part->most_ordered = whole->most_ordered;
}
