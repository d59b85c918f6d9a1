/*
 * perf_names.c - names perf's tasks, functions and events.
 */
#include "collapse/perf/perf_names.h"

#include <string.h>

#include "collapse/perf/perf_event.h"

#define NS 1000000000u

void perf_root_name(struct buf *name, const struct collapse_options *o, struct slice comm, struct slice id)
{
	size_t slash = slice_find_byte(id, '/');
	name->len = 0;
	if (comm.n > SHARED_MOST && (o->pid || o->tid)) /* the kernel's have 15 bytes; many threads may share one */
		comm.n = SHARED_MOST;
	for (size_t i = 0; i < comm.n; i++)
		buf_addc(name, comm.s[i] == ' ' ? '_' : comm.s[i]);
	if (!o->pid && !o->tid)
		return;
	buf_addc(name, '-');
	slash == SIZE_MAX ? buf_addc(name, '?') : buf_add(name, id.s, slash);
	if (o->tid) {
		buf_adds(name, id.n ? "/" : "/?");
		id = slash == SIZE_MAX ? id : slice_from(id, slash + 1);
		buf_add(name, id.s, id.n);
	}
}

/* Of `perf record --off-cpu`. */
static bool is_off_cpu_time(struct slice event)
{
	return slice_is(event, EVENT_OFF_CPU_TIME);
}

static bool is_clock(struct slice event)
{
	return slice_starts(event, "cpu-clock") || slice_starts(event, "task-clock");
}

/*
 * The unit of a period: nanoseconds for clocks, bytes if the name ends in it, else the event itself. 0: only
 * samples are counted.
 */
static uint32_t unit_of(struct sink *sink, struct slice event, bool has_period)
{
	if (!has_period)
		return 0;
	if (is_clock(event) || is_off_cpu_time(event))
		return sink_sym(sink, "ns", 2);
	event = perf_event_base(event);
	if (slice_ends(event, "-bytes"))
		return sink_sym(sink, "bytes", 5);
	return sink_sym(sink, event.s, event.n);
}

#define MOST_COMPARED 2000u /* events; more than a user names */

/* A baseline that was recorded elsewhere may count cycles:u, by other rights, where the profile counts cycles. */
static struct slice name_in(const struct profile *p, struct slice event, unsigned side)
{
	struct slice found = event, mine = perf_event_base(event);
	size_t n = 0;
	if (side == 0 || p->n_series > MOST_COMPARED ||
	    profile_has_series(p, symtab_find(&p->symtab, event.s, event.n)))
		return event;
	for (size_t i = 0; i < p->n_series; i++) {
		const struct symbol *s = &p->symtab.symbols[p->series[i].name];
		struct slice name = {s->name, s->len};
		if (name.n < mine.n || memcmp(name.s, mine.s, mine.n) != 0 || perf_event_base(name).n != mine.n)
			continue;
		found = name;
		n++;
	}
	return n == 1 ? found : event;
}

/* Which of these letters an event's modifiers have, as bits; those of `usual` if they have none. */
static unsigned letters_of(struct slice modifiers, const char *letters, unsigned usual)
{
	unsigned found = 0;
	for (unsigned i = 0; letters[i]; i++)
		found |= slice_find_byte(modifiers, letters[i]) != SIZE_MAX ? 1u << i : 0;
	return found ? found : usual;
}

/* Is anything counted by both: at one level, on the host or in its guests? perf leaves guests out unless asked. */
static bool is_shared(struct slice a, struct slice b)
{
	static const char levels[] = "ukh", machines[] = "HG";
	return (letters_of(a, levels, ~0u) & letters_of(b, levels, ~0u)) &&
	       (letters_of(a, machines, 1) & letters_of(b, machines, 1));
}

/* "cycles" and "cycles:u", "cpu-clock" and "task-clock"; not "cycles:u" and "cycles:k". */
static bool count_the_same(struct slice a, struct slice b)
{
	struct slice of_a = perf_event_base(a), of_b = perf_event_base(b);
	bool are_alike = slice_same(of_a, of_b) || (is_clock(a) && is_clock(b));
	return are_alike && is_shared(slice_from(a, of_a.n), slice_from(b, of_b.n));
}

/* Tells which events count what the new one counts: they do not add up. */
static void find_overlap(struct profile *p, uint32_t series)
{
	const struct symbol *mine = &p->symtab.symbols[p->series[series].name];
	for (uint32_t i = 0; i < series && series < MOST_COMPARED; i++) {
		const struct symbol *other = &p->symtab.symbols[p->series[i].name];
		if (count_the_same((struct slice){mine->name, mine->len}, (struct slice){other->name, other->len}))
			profile_overlap(p, series, i);
	}
}

uint32_t perf_series(struct sink *sink, struct slice event, bool has_period, const struct perf_order *order)
{
	struct profile *p = sink->profile;
	size_t known = p->n_series;
	event = name_in(p, event, sink->options->side);
	uint32_t i = profile_series(p, sink_sym(sink, event.n ? event.s : "", event.n),
	                            event.n ? unit_of(sink, event, has_period) : 0);
	if (p->n_series > known)
		profile_rank_series(p, i, perf_order_place(order, event));
	if (p->n_series > known)
		find_overlap(p, i);
	p->series[i].is_off_cpu |= has_period && is_off_cpu_time(event);
	p->series[i].is_sampled |= !p->series[i].is_off_cpu;
	return i;
}

uint64_t perf_begin(struct slice event, uint64_t time, uint64_t weight)
{
	if (!is_off_cpu_time(event) || time == NO_TIME)
		return time;
	if (time >= TIMES_MADE_UP / NS * NS) /* perf script prints no more than microseconds */
		return NO_TIME;
	return time > weight ? time - weight : time;
}

struct slice perf_symbol_name(struct sink *sink, const char *name, struct buf *demangled)
{
	demangled->len = 0;
	if (!name)
		return slice_of("[unknown]");
	if (sink_demangle(sink, name, demangled))
		return (struct slice){demangled->data, demangled->len};
	return slice_of(name);
}

const char *perf_usual_name(const struct perfdata_event *e)
{
	static const char *const hardware[] = {
		"cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
		"branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
	static const char *const software[] = {"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	                                       "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	                                       "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};
	if (e->name)
		return e->name;
	if (e->type == EVENT_HARDWARE && e->config < sizeof hardware / sizeof *hardware)
		return hardware[e->config];
	if (e->type == EVENT_SOFTWARE && e->config < sizeof software / sizeof *software)
		return software[e->config];
	return e->type == EVENT_TRACEPOINT ? "tracepoint" : "event";
}
