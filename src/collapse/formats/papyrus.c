/*
 * papyrus.c - parses profiles of Papyrus, the script language of Skyrim and Fallout 4 (Debug.StartStackProfiling(),
 * Debug.StartScriptProfiling()).
 *
 *	Stack_3185 log opened (PC)
 *	50002:START:3185
 *	50018:PUSH:3185:3:exampleQuest (24021278):quest..update
 *	50020:QUEUE_PUSH:3185:4: (00018A56):Form.??.GetFormID
 *	50035:PUSH:3185:4: (00018A56):Form..GetFormID
 *	50051:POP:3185:4: (00018A56):Form..GetFormID
 *	50068:POP:3185:3:exampleQuest (24021278):quest..update
 *	Log closed
 *
 *	quest..update 34000
 *	quest..update;Form..GetFormID 16000
 *
 * Fields: milliseconds, event, stack, height of the stack, object, and function. Stacks run side by side, as
 * threads do. Times become microseconds. A call may wait in a queue; until it runs, the time is its caller's.
 */
#include "collapse/formats.h"
#include "collapse/text/line_format.h"
#include "collapse/text/timeline.h"

#include "base/idmap.h"

#define NANOSECONDS 3 /* decimals of a microsecond */
#define MILLISECOND INT64_C(1000000)
#define LATEST (UINT64_C(1) << 40) /* ms */

/* A stack of the script machine. */
struct script_stack {
	uint64_t id;
	size_t first, n; /* its events, in order of stacks */
};

struct papyrus {
	struct sink *sink;
	struct timeline timeline;
	struct script_stack *stacks;
	size_t n_stacks, cap_stacks;
	struct idmap numbers; /* of stacks, by id */
};

/* ---- lines ---- */

struct papyrus_event {
	uint64_t time, stack;
	struct slice kind, function;
};

/* "50018:PUSH:3185:3:exampleQuest (24021278):quest..update"; an object may be missing, and have any name. */
static bool take_event(struct slice line, struct papyrus_event *e)
{
	struct slice time = slice_take_until(&line, ':');
	e->kind = slice_take_until(&line, ':');
	struct slice stack = slice_take_until(&line, ':'), height = slice_take_until(&line, ':');
	size_t colon = slice_find_last(line, ':');
	if (!slice_u64(time, &e->time) || !slice_u64(stack, &e->stack) || !height.n || !slice_is_digits(height) ||
	    colon == SIZE_MAX)
		return false;
	e->function = slice_from(line, colon + 1);
	return e->function.n > 0;
}

static uint32_t stack_number(struct papyrus *p, uint64_t id)
{
	uint32_t number = (uint32_t)p->n_stacks;
	if (idmap_find(&p->numbers, id, &number))
		return number;
	idmap_add(&p->numbers, id, number);
	mem_push(p->stacks, p->n_stacks, p->cap_stacks, ((struct script_stack){.id = id}));
	return number;
}

static void keep_event(struct papyrus *p, const struct papyrus_event *e)
{
	uint32_t number = stack_number(p, e->stack);
	p->stacks[number].n++;
	timeline_add(&p->timeline, &(struct trace_event){
								   .start = (int64_t)e->time * MILLISECOND,
								   .length = slice_is(e->kind, "PUSH") ? LENGTH_BEGIN : LENGTH_END,
								   .name = sink_frame(p->sink, e->function.s, e->function.n),
								   .thread = number & INT32_MAX,
							   });
}

/* ---- logs ---- */

/* The events of the first stack, then of the second, and so on, in file order. */
static uint32_t *order_by_stack(struct papyrus *p)
{
	size_t first = 0;
	uint32_t *order = mem_alloc((p->timeline.n_events + 1) * sizeof *order);
	for (size_t i = 0; i < p->n_stacks; i++) {
		p->stacks[i].first = first;
		first += p->stacks[i].n;
		p->stacks[i].n = 0;
	}
	for (size_t i = 0; i < p->timeline.n_events; i++) {
		struct script_stack *s = &p->stacks[p->timeline.events[i].thread];
		order[s->first + s->n++] = (uint32_t)i;
	}
	return order;
}

static void emit_all(struct papyrus *p)
{
	struct profile *profile = p->sink->profile;
	uint32_t comm = sink_sym(p->sink, "stack", strlen("stack"));
	uint32_t *order = order_by_stack(p);
	profile_series(profile, sink_sym(p->sink, "time", strlen("time")), sink_sym(p->sink, "us", 2));
	for (size_t i = 0; i < p->n_stacks; i++) {
		const struct script_stack *s = &p->stacks[i];
		uint32_t task = profile_task(profile, comm, -1, s->id <= INT64_MAX ? (int64_t)s->id : -1);
		timeline_emit(&p->timeline, order + s->first, s->n, task, PATH_ROOT, 0);
	}
	free(order);
}

static void free_log(struct papyrus *p)
{
	timeline_deinit(&p->timeline);
	idmap_deinit(&p->numbers);
	free(p->stacks);
}

/* Logs of one file add up: each has its own clock and stacks. */
static void end_log(struct papyrus *p)
{
	if (!p->n_stacks)
		return;
	emit_all(p);
	free_log(p);
	*p = (struct papyrus){.sink = p->sink};
	timeline_init(&p->timeline, p->sink);
}

/* "50002:START:3185": says nothing about calls. */
static bool is_chatter(struct slice line)
{
	struct slice rest = line;
	slice_take_until(&rest, ':');
	return !line.n || slice_starts(rest, "START:") || slice_starts(rest, "STOP:") ||
	       slice_starts(rest, "QUEUE_PUSH:") || slice_starts(rest, "QUEUE_POP:");
}

static bool is_border(struct slice line)
{
	return slice_is(line, "Log closed") || slice_has(line, " log opened (");
}

static void papyrus_line(struct papyrus *p, struct slice line, uint64_t number)
{
	struct papyrus_event e;
	if (is_chatter(line))
		return;
	if (is_border(line))
		end_log(p);
	else if (take_event(line, &e) && (slice_is(e.kind, "PUSH") || slice_is(e.kind, "POP")) && e.time < LATEST)
		keep_event(p, &e);
	else
		sink_skip(p->sink, "bad event (expected 'TIME:PUSH:STACK:HEIGHT:OBJECT:FUNCTION')", number, line.s, line.n);
}

static void papyrus_end(struct papyrus *p, bool is_whole)
{
	if (is_whole)
		emit_all(p);
	free_log(p);
}

LINE_FORMAT(papyrus)

static void *papyrus_begin(struct sink *sink, struct err *err)
{
	struct papyrus *p = papyrus_start(sink, err);
	timeline_init(&p->timeline, sink);
	return p;
}

/* "Stack_3185 log opened (PC)", "Script_quest log opened (PC)" */
static bool is_heading(struct slice line)
{
	return (slice_starts(line, "Stack_") || slice_starts(line, "Script_")) && slice_has(line, " log opened (");
}

static bool is_mine(struct slice line)
{
	struct papyrus_event e;
	return is_heading(line) ||
	       (take_event(line, &e) &&
	        (slice_is(e.kind, "PUSH") || slice_is(e.kind, "QUEUE_PUSH") || slice_is(e.kind, "POP")));
}

static enum sniff papyrus_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Stack_N log opened'", why);
}

const struct collapse_format format_papyrus = {
	.name = "papyrus",
	.help = "profiles of Papyrus scripts (Skyrim, Fallout 4): Debug.StartStackProfiling()",
	.waits_for_end = true,
	.sniff = papyrus_sniff,
	.start = papyrus_begin,
	.feed = papyrus_feed,
	.finish = papyrus_finish,
	.decimals = NANOSECONDS,
	.has_spans = true,
	.tells_open_end = true,
};
