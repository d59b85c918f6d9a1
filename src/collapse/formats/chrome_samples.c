/*
 * chrome_samples.c - turns frames that refer to their callers into paths, each of them once.
 */
#include "collapse/formats/chrome_samples.h"
#include "base/sort.h"
#include "collapse/text/frames.h"

struct chrome_sample {
	int64_t time;
	uint64_t frame; /* id */
	uint32_t thread, number;
};

struct chrome_frame {
	uint64_t parent; /* id */
	uint32_t name;
	uint32_t path, root; /* the path below that root; NO_PATH: not made yet */
	bool has_parent, is_open;
};

/* Ids are numbers, quoted or not; anything else is hashed. */
static uint64_t id_of(struct slice text)
{
	uint64_t id;
	return number_u64(text.s, text.n, &id) ? id : hash_bytes(text.s, text.n);
}

void chrome_samples_deinit(struct chrome_samples *c)
{
	free(c->samples);
	free(c->frames);
	idmap_deinit(&c->ids);
	frames_deinit(&c->stack);
}

void chrome_samples_frame(struct chrome_samples *c, struct slice id, struct slice parent, uint32_t name)
{
	struct chrome_frame f = {.name = name, .path = NO_PATH, .has_parent = parent.n > 0};
	f.parent = f.has_parent ? id_of(parent) : 0;
	if (c->n_frames < UINT32_MAX && idmap_add(&c->ids, id_of(id), (uint32_t)c->n_frames))
		mem_push(c->frames, c->n_frames, c->cap_frames, f);
}

void chrome_samples_add(struct chrome_samples *c, int64_t time, uint32_t thread, struct slice frame)
{
	struct chrome_sample s = {time, id_of(frame), thread, (uint32_t)c->n};
	if (c->n < UINT32_MAX)
		mem_push(c->samples, c->n, c->cap, s);
}

static int compare_samples(const void *a, const void *b)
{
	const struct chrome_sample *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Pushes the frame and those callers that have no path yet. false: one is missing, or calls itself. */
static bool push_callers(struct chrome_samples *c, uint64_t id, uint32_t root, uint32_t *path)
{
	bool has_more = true;
	*path = root;
	for (uint32_t at; has_more;) {
		if (!idmap_find(&c->ids, id, &at) || c->frames[at].is_open)
			return false;
		struct chrome_frame *f = &c->frames[at];
		if (f->path != NO_PATH && f->root == root) {
			*path = f->path;
			return true;
		}
		f->is_open = true;
		frames_push(&c->stack, at);
		has_more = f->has_parent;
		id = f->parent;
	}
	return true;
}

/* The path of a frame. false: it belongs to no tree; this is remembered. */
static bool find_path(struct chrome_samples *c, struct profile *p, uint64_t id, uint32_t root, uint32_t *path)
{
	c->stack.n = 0;
	if (p->bound.is_reached) {
		*path = profile_lost(p);
		return true;
	}
	bool is_good = push_callers(c, id, root, path);
	while (c->stack.n) {
		struct chrome_frame *f = &c->frames[c->stack.syms[--c->stack.n]];
		if (!is_good)
			continue;
		*path = f->path = profile_child(p, *path, f->name);
		f->root = root;
		f->is_open = false;
	}
	return is_good;
}

#define MUCH 100u /* one in so many */

/* A sample lasts until the next one of its thread. */
static void say_last(struct sink *sink, uint64_t n, uint64_t all)
{
	if (n)
		report_add_times(&sink->profile->report, n * MUCH >= all ? NOTE_WARN : NOTE_INFO,
		                 "last sample of a thread, whose time is unknown (it is left out)", NULL, 0, n);
}

void chrome_samples_emit(struct chrome_samples *c, struct sink *sink, const struct chrome_owner *owners,
                         uint32_t series)
{
	uint32_t path;
	uint64_t n_last = 0;
	if (c->n)
		sort_array(c->samples, c->n, sizeof *c->samples, compare_samples);
	int64_t zero = 0;
	for (size_t i = 0; i < c->n; i++)
		zero = c->samples[i].time < zero ? c->samples[i].time : zero;
	for (size_t i = 0; i < c->n; i++) {
		const struct chrome_sample *s = &c->samples[i];
		bool is_last = i + 1 == c->n || s[1].thread != s->thread;
		if (!find_path(c, sink->profile, s->frame, owners[s->thread].root, &path)) {
			sink_skip(sink, "sample of an unknown frame, or of one that calls itself", 0, NULL, 0);
			continue;
		}
		struct sample sample = {.cpu = NO_CPU, .task = owners[s->thread].task, .series = series};
		sample.weight = is_last ? 0 : (uint64_t)(s[1].time - s->time);
		sample.time = (uint64_t)(s->time - zero);
		if (sample.weight)
			profile_add(sink->profile, sink->options->side, path, &sample);
		else if (is_last)
			n_last++;
	}
	say_last(sink, n_last, c->n);
}
