/*
 * samples.c - what was read: events, threads, and the log of samples with their stacks.
 */
#include "lib/inside.h"
#include "lib/lib.h"

/* NULL: there is nothing to look at. */
static const struct profile *read_by(const struct flametop_profile *p)
{
	return p && p->state == PROFILE_LOADED && !p->is_broken ? &p->profile : NULL;
}

static const char *raw_name(const struct profile *p, uint32_t sym)
{
	return p->symtab.symbols[sym].name;
}

const char *flametop_profile_format(const struct flametop_profile *p)
{
	const struct profile *of = read_by(p);
	return of ? of->format : NULL;
}

unsigned flametop_profile_decimals(const struct flametop_profile *p)
{
	const struct profile *of = read_by(p);
	return of ? of->decimals : 0;
}

size_t flametop_profile_events(const struct flametop_profile *p)
{
	const struct profile *of = read_by(p);
	return of ? of->n_series : 0;
}

size_t flametop_profile_threads(const struct flametop_profile *p)
{
	const struct profile *of = read_by(p);
	return of ? of->n_tasks : 0;
}

size_t flametop_profile_samples(const struct flametop_profile *p, enum flametop_side side)
{
	const struct profile *of = read_by(p);
	return of && (side == FLAMETOP_NEW || side == FLAMETOP_BASELINE) ? of->log[side].n : 0;
}

struct get_call {
	struct call c;
	enum flametop_side side;
	size_t i;
	void *to;
};

static bool is_there(struct get_call *a, size_t n, const char *what)
{
	return call_is_loaded(&a->c) && call_has_place(&a->c, a->to) && call_is_below(&a->c, a->i, n, what);
}

static const char *shown_name(struct flametop_profile *p, uint32_t sym)
{
	return display_name(&p->display, sym)->text;
}

static void get_event(struct call *c)
{
	struct get_call *a = (struct get_call *)c;
	const struct profile *p = &c->profile->profile;
	if (!is_there(a, p->n_series, "event"))
		return;
	const struct series *s = &p->series[a->i];
	struct flametop_event e = {.name = s->name ? shown_name(c->profile, s->name) : profile_event_name(p, a->i),
	                           .unit = s->unit ? shown_name(c->profile, s->unit) : "samples",
	                           .total = {s->total[0], s->total[1]},
	                           .samples = s->samples};
	call_give(c, a->to, &e, sizeof e);
}

int flametop_profile_event(struct flametop_profile *p, size_t i, struct flametop_event *event)
{
	struct get_call a = {{.profile = p}, FLAMETOP_NEW, i, event};
	return call_run(&a.c, get_event);
}

static void get_thread(struct call *c)
{
	struct get_call *a = (struct get_call *)c;
	const struct profile *p = &c->profile->profile;
	if (!is_there(a, p->n_tasks, "thread"))
		return;
	const struct task *t = &p->tasks[a->i];
	bool is_known = a->i > 0;
	struct flametop_thread thread = {.name = is_known ? shown_name(c->profile, t->comm) : "unknown",
	                                 .pid = is_known ? t->pid : -1,
	                                 .tid = is_known ? t->tid : -1};
	call_give(c, a->to, &thread, sizeof thread);
}

int flametop_profile_thread(struct flametop_profile *p, size_t i, struct flametop_thread *thread)
{
	struct get_call a = {{.profile = p}, FLAMETOP_NEW, i, thread};
	return call_run(&a.c, get_thread);
}

static void get_sample(struct call *c)
{
	struct get_call *a = (struct get_call *)c;
	bool is_side = a->side == FLAMETOP_NEW || a->side == FLAMETOP_BASELINE;
	const struct sample_log *log = &c->profile->profile.log[is_side ? a->side : 0];
	size_t i = a->i;
	if (!is_there(a, is_side ? log->n : 0, "sample"))
		return;
	struct flametop_sample s = {.weight = log->weight[i],
	                            .count = log_count(log, i),
	                            .time = log_time(log, i),
	                            .event = log_series(log, i),
	                            .thread = log_task(log, i),
	                            .cpu = log_cpu(log, i),
	                            .stack = log->path[i]};
	call_give(c, a->to, &s, sizeof s);
}

int flametop_profile_sample(struct flametop_profile *p, enum flametop_side side, size_t i,
                            struct flametop_sample *sample)
{
	struct get_call a = {{.profile = p}, side, i, sample};
	return call_run(&a.c, get_sample);
}

size_t flametop_profile_stack(const struct flametop_profile *p, uint32_t stack, const char **names, size_t most)
{
	const struct profile *of = read_by(p);
	if (!of || stack >= of->n_paths)
		return 0;
	size_t depth = profile_depth(of, stack);
	for (size_t i = depth; i > 0; i--, stack = of->parent[stack])
		if (i <= most)
			names[i - 1] = raw_name(of, of->sym[stack]);
	return depth;
}

/* ---- for the program ----------------------------------------------------------------------------------------- */

void inside_count_shallow(const struct profile *p, uint64_t *all, uint64_t *shallow)
{
	const struct sample_log *log = &p->log[0];
	*all = *shallow = 0;
	for (size_t i = 0; i < log->n; i++) {
		uint32_t path = log->path[i];
		if (symtab_kind(&p->symtab, p->sym[path]) == KIND_KERNEL)
			continue;
		*all += log_count(log, i);
		*shallow += profile_depth(p, path) <= 2 ? log_count(log, i) : 0;
	}
}
