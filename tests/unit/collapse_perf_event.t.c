/*
 * Event lines: a line recognised by its beginning and end must give the same result as a parsed one.
 */
#include "tests/tap.h"

#include <stdlib.h>

#include "collapse/perf/perf_event.h"
#include "collapse/perf/perf_order.h"
#include "model/profile.h"

#define ROUNDS 20000

static const char *const tasks[] = {
	"app 12/12",       "app 12/13",      "DOM Worker 3 4/5",   "a.out 7/7",       "kworker/0:1 33/33",
	":-1 -1/-1",       "app 1234567/89", "            java 9", "java 5048",       "[lock] 8/8",
	"my app[1] 11/12", "x 1/1",          "12 13 14 15/16",     "swapper     0/0", "V8 Worker [2] 913/915",
	"ab 12.5 6/7",     "name: 1/2",
};
static const char *const middles[] = {
	" [000] 1.500000: ",
	" [001]  4794564.109216:   ",
	"   72.176760: ",
	" [12] 18446744073.709551: ",
	" [000] ",
	" 1.5: ",
	" [4294967295] 1.5: ",
	" [000] 1.1234567890: ",
	" 1.12: ",
	" 1.123: ",
	" 1.1234: ",
	" 1.12345: ",
	" 1.1234567: ",
	" 1.12345678: ",
	" 1.123456789: ",
	" [x] 1.5: ",
	" [3] 99999999999.5: ",
};
static const char *const periods[] = {"250000 ", "1   ",  "", "18446744073709551615 ", "99999999999999999999 ",
                                      "12 34 ",  "3dnow "};
static const char *const events[] = {
	"cycles:\n",
	"cycles:u: \n",
	"cpu-clock:ppp: \n",
	"sched:sched_switch: prev_comm=x\n",
	"\n",
	"cycles: 55d0 main (/bin/x)\n",
};

#define PICK(list, seed) (list)[(seed) % (sizeof(list) / sizeof *(list))]

/* A copy with the padding that may be read. */
static char *with_padding(const struct buf *line)
{
	char *text = calloc(line->len + 1 + 64, 1);

	if (!text)
		abort();
	memcpy(text, line->data, line->len);
	text[line->len] = '\n';
	return text;
}

static bool parse(struct perf_event *e, const char *text, size_t len)
{
	struct slice rest;

	if (!perf_event_task(e, slice_rtrim((struct slice){text, len}), &rest))
		return false;
	rest = perf_event_parse(e, rest);
	if (!rest.n)
		perf_event_learn(e, text, len);
	return true;
}

static bool same_text(struct slice a, struct slice b)
{
	return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

static bool same(const struct perf_event *a, const struct perf_event *b)
{
	return same_text(a->comm, b->comm) && same_text(a->id, b->id) && a->has_pid == b->has_pid && a->pid == b->pid &&
	       a->tid == b->tid && a->time == b->time && a->cpu == b->cpu && a->has_period == b->has_period &&
	       a->weight == b->weight &&
	       same_text((struct slice){a->name.data, a->name.len}, (struct slice){b->name.data, b->name.len});
}

/* Mostly the same few lines, so that the caches hit; sometimes any other. */
static void make_line(struct buf *line, unsigned seed)
{
	unsigned few = seed % 8 ? 3 : 1000;

	line->len = 0;
	buf_adds(line, PICK(tasks, seed / 8 % few));
	buf_adds(line, PICK(middles, seed / 100 % few));
	buf_adds(line, PICK(periods, seed / 1000 % few));
	buf_adds(line, PICK(events, seed / 7777 % few));
}

static void test_memory(void)
{
	struct perf_event remembers, fresh;
	struct buf line;
	unsigned seed = 1;
	size_t known = 0, wrong = 0;

	buf_init(&line);
	perf_event_init(&remembers);
	for (int i = 0; i < ROUNDS; i++) {
		char *text;
		size_t len;

		seed = seed * 1664525 + 1013904223;
		make_line(&line, seed >> 4);
		text = with_padding(&line);
		perf_event_init(&fresh);
		len = perf_event_again(&remembers, text);
		if (len) {
			known++;
			if (len != line.len || !parse(&fresh, text, len) || !same(&remembers, &fresh)) {
				diag("not as parsed: %s", text);
				wrong++;
			}
		} else {
			parse(&remembers, text, line.len);
		}
		perf_event_deinit(&fresh);
		free(text);
	}
	is_int(wrong, 0, "the cached result equals the parsed one");
	ok(known > ROUNDS / 20, "memory is of use: it knew %zu of %d lines", known, ROUNDS);
	ok(known < ROUNDS, "and does not know everything");
	perf_event_deinit(&remembers);
	buf_deinit(&line);
}

static void test_times(void)
{
	static const struct {
		const char *line;
		uint64_t time;
	} cases[] = {
		{"app 1/1 1.5: 7 cycles:", 1500000000},       {"app 1/1 [000] 1.000000001: 7 cycles:", 1000000001},
		{"app 1/1 1.25 : 7 cycles:", 1250000000},     {"app 1/1 12: 7 cycles:", NO_TIME},
		{"app 1/1 1.1234567890: 7 cycles:", NO_TIME},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct perf_event e;
		struct buf line;
		buf_init(&line);
		buf_adds(&line, cases[i].line);
		char *text = with_padding(&line);
		perf_event_init(&e);
		parse(&e, text, line.len);
		ok(e.time == cases[i].time, "the time of '%s' is %ju (got %ju)", cases[i].line, (uintmax_t)cases[i].time,
		   (uintmax_t)e.time);
		perf_event_deinit(&e);
		free(text);
		buf_deinit(&line);
	}
}

static void place_is(const char *list, const char *name, uint32_t place, const char *what)
{
	struct perf_order order;
	perf_order_init(&order);
	perf_order_add_list(&order, list);
	is_int(perf_order_place(&order, slice_of(name)), place, "%s", what);
	perf_order_deinit(&order);
}

static void test_places(void)
{
	static const char list[] = "cpu-clock:u, {cycles,cpu/event=0x3c,umask=1/}:S,sched:sched_switch,r1a8";

	place_is(list, "cpu-clock:u", 0, "a modifier that says where an event counts is part of its name");
	place_is(list, "cycles:u", 1, "perf may have added it");
	place_is(list, "cycles", 1, "the braces of a group are not part of an event's name");
	place_is(list, "cpu/event=0x3c,umask=1/", 2, "a comma between slashes separates no events");
	place_is(list, "sched:sched_switch", 3, "a tracepoint has a colon in its name");
	place_is(list, "r1a8", 4, "the last event has its place");
	place_is(list, "cpu", 5, "part of a name is not the event");
	place_is("", "cycles", 0, "an empty list has no places");
	place_is(NULL, "cycles", 0, "without a list all events have one place");
}

static void name_is(const char *line, const char *name, const char *base)
{
	struct perf_event e;
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "app 1/1 1.5: 7 %s:", line);
	char *padded = with_padding(&text);
	perf_event_init(&e);
	parse(&e, padded, text.len);
	struct slice got = {e.name.data, e.name.len};
	ok(same_text(got, slice_of(name)), "the event line '%s' is of %s", line, name);
	ok(same_text(perf_event_base(got), slice_of(base)), "which counts %s", base);
	perf_event_deinit(&e);
	free(padded);
	buf_deinit(&text);
}

static void wants(const char *wanted, const char *line, bool is_it)
{
	struct perf_event e;
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "app 1/1 1.5: 7 %s:", line);
	char *padded = with_padding(&text);
	perf_event_init(&e);
	perf_event_want(&e, wanted);
	parse(&e, padded, text.len);
	ok(perf_event_is_wanted(&e) == is_it, "%s %s '%s'", wanted ? wanted : "no choice",
	   is_it ? "includes" : "leaves out", line);
	perf_event_deinit(&e);
	free(padded);
	buf_deinit(&text);
}

/* Modifiers that exclude make another event; those that ask for precision do not. */
static void test_modifiers(void)
{
	name_is("cycles", "cycles", "cycles");
	name_is("cycles:ppp", "cycles", "cycles");
	name_is("cycles:P", "cycles", "cycles");
	name_is("cycles:upp", "cycles:u", "cycles");
	name_is("cycles:ku", "cycles:uk", "cycles");
	name_is("cpu/event=0x3c/u", "cpu/event=0x3c/u", "cpu/event=0x3c/u");
	name_is("sched:sched_switch", "sched:sched_switch", "sched:sched_switch");
	name_is("probe:up", "probe:up", "probe:up");
	name_is("probe_libc:pub", "probe_libc:pub", "probe_libc:pub");
	wants(NULL, "cycles:u", true);
	wants("cycles", "cycles:u", true);
	wants("cycles", "cycles-ct", false);
	wants("cycles:u", "cycles:uppp", true);
	wants("cycles:uP", "cycles:u", true);
	wants("cycles:u", "cycles", false);
	wants("cycles:u", "cycles:k", false);
	wants("probe:up", "probe:pub", false);
	wants("sched:sched_switch", "sched:sched_switch", true);
}

int main(void)
{
	test_times();
	test_modifiers();
	test_places();
	test_memory();
	return done_testing();
}
