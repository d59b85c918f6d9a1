/*
 * chrome_profiles.c - joins the pieces of CPU profiles in traces.
 *
 * The members of an event come in any order, mostly the data before the name. So everything that looks like a
 * profile is read as one, and the end of the event decides whether it is.
 */
#include "collapse/formats/chrome_profiles.h"

#include "base/sort.h"

/* In a list of its own, as there may be very many profiles of one piece. */
struct piece {
	struct piece *next;
	int64_t time;
	size_t number;
	struct v8_profile v8;
};

struct chrome_profile {
	uint32_t thread;
	bool has_thread; /* from its first event, not only from a chunk */
	int64_t begin;   /* microseconds */
	uint64_t length;
	size_t number;
	bool is_dropped;
	struct piece *pieces; /* the last one first */
	size_t n;
	struct v8_profile *whole; /* once all pieces are joined; NULL: there are none */
};

void chrome_profiles_init(struct chrome_profiles *c, struct sink *sink)
{
	c->sink = sink;
	v8_reader_init(&c->reader, sink, &c->piece);
}

static void free_pieces(struct chrome_profile *p)
{
	while (p->pieces) {
		struct piece *next = p->pieces->next;
		v8_profile_deinit(&p->pieces->v8);
		free(p->pieces);
		p->pieces = next;
	}
	p->n = 0;
}

void chrome_profiles_deinit(struct chrome_profiles *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free_pieces(&c->v[i]);
		if (c->v[i].whole)
			v8_profile_deinit(c->v[i].whole);
		free(c->v[i].whole);
	}
	free(c->v);
	idmap_deinit(&c->ids);
	v8_reader_deinit(&c->reader);
	v8_profile_deinit(&c->piece);
}

void chrome_profiles_read(struct chrome_profiles *c, struct json *json, enum json_token t, uint32_t base)
{
	c->has_read = true;
	v8_reader_take(&c->reader, json, t, base);
}

/*
 * Finds a profile. Its id is unique within a process; without one, a thread has one profile. Equal hashes count as
 * equal ids.
 */
static struct chrome_profile *find(struct chrome_profiles *c, const struct chrome_profile_event *e)
{
	struct slice id = e->id.n ? e->id : e->tid;
	uint64_t key = hash_keys(hash_bytes(e->pid.s, e->pid.n), hash_bytes(id.s, id.n) + (e->id.n ? 1 : 2));
	uint32_t at;
	if (!idmap_find(&c->ids, key, &at)) {
		at = (uint32_t)c->n;
		idmap_add(&c->ids, key, at);
		mem_push(c->v, c->n, c->cap, ((struct chrome_profile){.thread = e->thread, .number = at}));
	}
	return &c->v[at];
}

bool chrome_profiles_want(struct chrome_profiles *c, struct slice name)
{
	if (c->n < UINT32_MAX &&
	    (slice_is(name, "ProfileChunk") || slice_is(name, "Profile") || slice_is(name, "CpuProfile")))
		return true;
	if (c->has_read)
		v8_profile_deinit(&c->piece);
	c->has_read = false;
	return false;
}

void chrome_profiles_take(struct chrome_profiles *c, const struct chrome_profile_event *e)
{
	struct chrome_profile *p = find(c, e);
	if (!slice_is(e->name, "ProfileChunk") && !p->has_thread) {
		p->thread = e->thread;
		p->has_thread = true;
	}
	if (c->has_read) {
		struct piece *piece = mem_alloc(sizeof *piece);
		*piece = (struct piece){p->pieces, e->time, p->n++, c->piece};
		p->pieces = piece;
	}
	c->piece = (struct v8_profile){0};
	c->has_read = false;
}

/* --- at the end --- */

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void put_together(struct chrome_profile *p)
{
	if (!p->n)
		return;
	struct piece **sorted = mem_alloc(p->n * sizeof(struct piece *)), *piece = p->pieces;
	for (size_t i = 0; i < p->n; i++, piece = piece->next)
		sorted[i] = piece;
	sort_array(sorted, p->n, sizeof *sorted, compare_pieces);
	p->whole = mem_alloc(sizeof *p->whole);
	*p->whole = sorted[0]->v8;
	sorted[0]->v8 = (struct v8_profile){0};
	for (size_t i = 1; i < p->n; i++)
		v8_profile_append(p->whole, &sorted[i]->v8);
	free(sorted);
	free_pieces(p);
	p->begin = p->whole->start_time;
	p->length = v8_profile_length(p->whole);
}

static int compare_profiles(const void *a, const void *b)
{
	const struct chrome_profile *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool overlap(const struct chrome_profile *first, const struct chrome_profile *second)
{
	return first->thread == second->thread && (uint64_t)second->begin - (uint64_t)first->begin < first->length;
}

/*
 * Drops profiles of no length, and overlapping ones of a thread: two at once would count the time twice. In order
 * of thread and time.
 */
static void drop_overlapping(struct chrome_profiles *c)
{
	static const char overlapping[] =
		"CPU profiles that overlap a longer one of the same thread are left out (their "
		"time would count twice)";
	static const char short_ones[] = "CPU profiles without two samples at different times are left out";
	struct chrome_profile *kept = NULL;
	for (size_t i = 0; i < c->n; i++) {
		struct chrome_profile *p = &c->v[i], *dropped = NULL;
		if (!p->length) {
			p->is_dropped = true;
			sink_warn(c->sink, short_ones, 0, NULL, 0);
		} else if (kept && overlap(kept, p)) {
			dropped = p->length > kept->length ? kept : p;
		}
		if (dropped) {
			dropped->is_dropped = true;
			sink_warn(c->sink, overlapping, 0, NULL, 0);
		}
		if (!p->is_dropped)
			kept = p;
	}
}

void chrome_profiles_emit(struct chrome_profiles *c, chrome_profile_target *target_of, void *arg)
{
	for (size_t i = 0; i < c->n; i++)
		put_together(&c->v[i]);
	if (c->n)
		sort_array(c->v, c->n, sizeof *c->v, compare_profiles);
	drop_overlapping(c);
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].is_dropped)
			continue;
		struct v8_target target = target_of(arg, c->v[i].thread);
		v8_profile_emit_samples(c->v[i].whole, &target);
	}
}
