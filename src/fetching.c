/*
 * fetching.c - connects addresses among the inputs with the loader.
 */
#include "fetching.h"

#include <string.h>

#include "base/output.h"
#include "base/status.h"
#include "session.h"
#include "sources/source.h"

bool fetching_begin(struct options *o, bool *is_usage, struct err *err)
{
	*is_usage = true;
	if (!options_take_sources(o, err))
		return false;
	*is_usage = false;
	if (!o->quiet)
		options_say_idle_sources(o);
	if (o->sources.n == 0)
		return true;
	/* What is fetched once may not come again. */
	return (!o->source.save || output_check(o->source.save, err)) && sources_ready(&o->sources, err);
}

static int fetch(void *source, const atomic_bool *stop, struct err *err)
{
	return source_fetch(source, stop, err);
}

/* Unless the user asks for more, the last answer alone. Answers begin more than this apart. */
static void show_newest(struct options *o, unsigned seconds)
{
	if (!o->recipe.last && !o->recipe.half_life)
		o->collapse.window = o->recipe.last = seconds * UINT64_C(1000000000);
}

void fetching_connect(struct load_input *in, struct options *o)
{
	struct source *s = source_find(&o->sources, in->path);
	if (!s)
		return;
	struct load_fetcher *f = arena_alloc(&o->arena, sizeof *f);
	unsigned seconds = source_seconds(s), every = o->source.every;
	bool is_state = seconds == 0;
	*f = (struct load_fetcher){s, fetch, every, is_state, !is_state && !every && !o->source.save};
	in->fetcher = f;
	if (every && !is_state)
		show_newest(o, every > seconds ? every : seconds);
}

/* ---- a list of profiles -------------------------------------------------------------------------------------- */

struct chooser {
	struct options *options;
	struct load_input *input;
	struct source *source;
	char **names; /* in the options' arena, as all here */
};

static void choose(void *arg, size_t index)
{
	struct chooser *c = arg;
	source_choose(c->source, c->names[index]);
	c->input->path = c->options->files[0] = source_name(c->source);
	fetching_connect(c->input, c->options);
}

static const char *meaning(const char *name)
{
	static const char *const words[][2] = {
		{"allocs", "all memory that was ever allocated"},
		{"block", "waits for locks and channels"},
		{"goroutine", "what goroutines do now"},
		{"heap", "memory in use"},
		{"mutex", "who holds locks for which others wait"},
		{"profile", "CPU time, sampled for a while"},
		{"threadcreate", "who has created threads"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i][0]) == 0)
			return words[i][1];
	return "";
}

/* "heap          memory in use (12)" */
static const char *describe(struct options *o, const struct endpoint *e)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "%-14s%s", e->name, meaning(e->name));
	if (e->count)
		buf_addf(&text, " (%llu)", (unsigned long long)e->count);
	const char *kept = arena_bytes(&o->arena, text.data, text.len);
	buf_deinit(&text);
	return kept;
}

static void offer(struct options *o, struct session *s, struct chooser *c, const struct endpoints *e)
{
	const char **lines = arena_alloc(&o->arena, e->n * sizeof *lines);
	c->names = arena_alloc(&o->arena, e->n * sizeof *c->names);
	for (size_t i = 0; i < e->n; i++) {
		c->names[i] = arena_bytes(&o->arena, e->v[i].name, strlen(e->v[i].name));
		lines[i] = describe(o, &e->v[i]);
	}
	s->choices = lines;
	s->n_choices = e->n;
	s->choices_of = c->input->path;
	s->choose = choose;
	s->chooser = c;
}

bool fetching_prepare_choice(struct options *o, struct session *s, struct load_input *in, size_t n, struct err *err)
{
	struct endpoints e = {NULL};
	struct source *source = n == 1 ? source_find(&o->sources, in->path) : NULL;
	if (!source || source_kind(source) != ENDPOINT_LIST || o->is_script || options_ask_for_file(o))
		return true;
	if (!o->quiet)
		status_begin();
	bool is_there = source_list(source, &e, err);
	status_end();
	if (!is_there)
		return false;
	struct chooser *c = arena_alloc(&o->arena, sizeof *c);
	*c = (struct chooser){o, in, source, NULL};
	offer(o, s, c, &e);
	endpoints_deinit(&e);
	return true;
}
