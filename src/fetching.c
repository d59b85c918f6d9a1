/*
 * fetching.c - connects addresses among the inputs with the loader.
 */
#include "fetching.h"

#include <sys/resource.h>

#include "base/output.h"
#include "base/status.h"
#include "sources/source.h"

void fetching_forbid_core(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_CORE, &limit) != 0)
		return;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_CORE, &limit);
}

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
	if (!o->record.is_record || o->record.perfdata) /* else a recorded command would inherit it */
		fetching_forbid_core();
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
	in->format = source_format(s);
	if (every && !is_state)
		show_newest(o, every > seconds ? every : seconds);
}
