/*
 * perf_sched.c - computes time off the CPU from the scheduler's tracepoints in the output of perf script.
 *
 *	memsqld 27235/27301 708189.500000: sched:sched_switch: prev_comm=memsqld prev_pid=27301 ... ==> next_comm=...
 *		ffffffff815ad64d __schedule ([kernel.kallsyms])
 *		          c60849 Queue::Pop(unsigned long) (/home/a/memsqld)
 *
 *	swapper     0/0     708189.600078: sched:sched_stat_sleep: comm=memsqld pid=27301 delay=100078421 [ns]
 *		ffffffff81094a2b enqueue_entity ([kernel.kallsyms])
 *
 *	memsqld;Queue::Pop(unsigned long);__schedule 100078
 *
 * A thread leaves the CPU in sched_switch, whose stack is kept under the thread's number. When the thread is woken,
 * sched_stat_sleep or sched_stat_blocked reports the delay, which goes to the kept stack. The stack is then
 * forgotten, because the kernel may report the same sleep twice. --wake-stack appends the waker, from the leaf back
 * to its name, so that the tower reads as one story. The result is in microseconds.
 *
 * A thread that left the CPU without frames keeps its name alone. A line of something else between an event and its
 * frames is counted, and does not end the event.
 *
 * Delays are nanoseconds. Truncating each one would lose up to a microsecond per sleep, so every path carries its
 * remainder to its next sleep.
 */
#include "collapse/formats.h"

#include <assert.h>

#include "base/buf.h"
#include "base/idmap.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

enum event { NO_EVENT, OTHER_EVENT, SWITCH_EVENT, WAKE_EVENT };

/* The stack with which a thread left the CPU. */
struct sleeper {
	uint32_t *syms; /* root first; n 0: without frames */
	size_t n, cap;
	bool is_asleep; /* and no delay was reported since */
};

struct sched {
	struct sink *sink;
	enum event event; /* the event that the next frames belong to */
	struct frames frames;
	struct sleeper *sleepers;
	size_t n_sleepers, cap_sleepers;
	struct idmap pids; /* index into sleepers */
	int64_t pid;       /* the sleeper of the current event */
	uint64_t delay;    /* ns */
	uint64_t time;     /* ns on perf's clock, NO_TIME: none */
	struct buf comm, waker;
	uint16_t *carried; /* for each path: nanoseconds left over below a microsecond */
	size_t n_carried, cap_carried;
	uint64_t sleeps; /* number of wake events */
};

/* ---- sleepers ---- */

/* NULL: not seen falling asleep. Valid until the next one is added. */
static struct sleeper *find_sleeper(const struct sched *s, int64_t pid)
{
	uint32_t i;
	return idmap_find(&s->pids, (uint64_t)pid, &i) ? &s->sleepers[i] : NULL;
}

static struct sleeper *add_sleeper(struct sched *s, int64_t pid)
{
	struct sleeper none = {0};
	idmap_add(&s->pids, (uint64_t)pid, (uint32_t)s->n_sleepers);
	assert(s->n_sleepers <= s->cap_sleepers && (s->sleepers || !s->cap_sleepers));
	mem_push(s->sleepers, s->n_sleepers, s->cap_sleepers, none);
	return &s->sleepers[s->n_sleepers - 1];
}

static void remember_stack(struct sched *s)
{
	struct sleeper *sleeper = find_sleeper(s, s->pid);
	if (!sleeper)
		sleeper = add_sleeper(s, s->pid);
	frames_reverse(&s->frames);
	sleeper->n = 0;
	sleeper->is_asleep = true;
	for (size_t i = 0; i < s->frames.n; i++)
		mem_push(sleeper->syms, sleeper->n, sleeper->cap, s->frames.syms[i]);
}

static void forget_sleepers(struct sched *s)
{
	for (size_t i = 0; i < s->n_sleepers; i++)
		free(s->sleepers[i].syms);
	free(s->sleepers);
	idmap_deinit(&s->pids);
}

/* ---- from a sleep to a sample ---- */

/* The whole microseconds in the delay and the path's remainder. */
static uint64_t carry(struct sched *s, uint32_t path, uint64_t delay)
{
	while (s->n_carried <= path)
		mem_push(s->carried, s->n_carried, s->cap_carried, 0);
	uint64_t rest = delay % 1000 + s->carried[path];
	s->carried[path] = (uint16_t)(rest % 1000);
	return delay / 1000 + rest / 1000;
}

static void add_sleep(struct sched *s)
{
	struct sleeper *sleeper = find_sleeper(s, s->pid);
	struct profile *profile = s->sink->profile;
	if (!sleeper)
		report_add_weight(&profile->report, NOTE_WARN, "sleep without a stack, as it began before the recording",
		                  NULL, 0, s->delay / 1000);
	if (!sleeper || !sleeper->is_asleep)
		return; /* no stack, or this is the second report */
	if (!sleeper->n)
		report_add_weight(&profile->report, NOTE_WARN, "sleep of a thread that left the CPU without frames", NULL,
		                  0, s->delay / 1000);
	uint32_t path = profile_child(profile, PATH_ROOT, sink_frame(s->sink, s->comm.data, s->comm.len));
	for (size_t i = 0; i < sleeper->n; i++)
		path = profile_child(profile, path, sleeper->syms[i]);
	sleeper->is_asleep = false;
	if (s->sink->options->wake_stack) {
		for (size_t i = 0; i < s->frames.n; i++)
			path = profile_child(profile, path, s->frames.syms[i]);
		path = profile_child(profile, path, sink_frame(s->sink, s->waker.data, s->waker.len));
	}
	/* The event comes at the end of the sleep; a sample's time is its beginning. */
	struct sample sample = {
		.weight = carry(s, path, s->delay),
		.time = s->time == NO_TIME || s->time < s->delay ? s->time : s->time - s->delay,
		.task = profile_task(profile, sink_sym(s->sink, s->comm.data, s->comm.len), -1, s->pid),
		.cpu = NO_CPU,
		.series = profile_series(profile, sink_sym(s->sink, "off-cpu", 7), sink_sym(s->sink, "us", 2)),
	};
	if (sample.weight)
		profile_add(profile, s->sink->options->side, path, &sample);
}

static void end_event(struct sched *s)
{
	if (s->event == SWITCH_EVENT)
		remember_stack(s);
	else if (s->event == WAKE_EVENT)
		add_sleep(s);
	s->event = NO_EVENT;
	s->frames.n = 0;
}

/* ---- lines ---- */

/*
 * Takes the field "pid=27301 ..." after a blank: its text up to `until`, or to the end of the word if that is
 * NULL.
 */
static bool take_field(struct slice line, const char *name, const char *until, struct slice *value)
{
	size_t at = slice_find(line, name);
	if (at == SIZE_MAX)
		return false;
	*value = slice_from(line, at + strlen(name));
	size_t end = until ? slice_find(*value, until) : slice_find_byte(*value, ' ');
	if (end != SIZE_MAX)
		*value = slice_head(*value, end);
	return value->n > 0;
}

static bool take_pid(struct slice line, const char *name, int64_t *pid)
{
	struct slice text;
	uint64_t v;
	if (!take_field(line, name, NULL, &text) || !slice_u64(text, &v) || v > INT64_MAX)
		return false;
	*pid = (int64_t)v;
	return true;
}

/* "708189.600078:" -> nanoseconds */
static uint64_t time_of(struct slice line)
{
	struct slice word;
	while ((word = slice_take_word(&line)).n) {
		struct slice fraction, seconds = slice_take_digits(&word);
		uint64_t s, f, scale = 1000000000;
		if (!seconds.n || !slice_take(&word, "."))
			continue;
		fraction = slice_take_digits(&word);
		if (!slice_is(word, ":") || !slice_u64(seconds, &s) || !slice_u64(fraction, &f) || fraction.n > 9 ||
		    s > UINT64_MAX / scale / 2)
			continue;
		for (size_t i = 0; i < fraction.n; i++)
			scale /= 10;
		return s * UINT64_C(1000000000) + f * scale;
	}
	return NO_TIME;
}

/* "swapper     0/0     708189.600078: ...": the name ends before the first number or pair of numbers. */
static void set_waker(struct sched *s, struct slice line)
{
	struct slice rest = line, word = slice_take_word(&rest), id = {0};
	const char *end = word.s + word.n;
	while (rest.n) {
		id = slice_take_word(&rest);
		struct slice tid = id;
		bool is_id = slice_take_digits(&tid).n && (!tid.n || (slice_take(&tid, "/") && slice_is_digits(tid)));
		if (is_id || !id.n)
			break;
		end = id.s + id.n;
	}
	s->waker.len = 0;
	buf_add(&s->waker, word.s, (size_t)(end - word.s));
	if (s->sink->options->tid && id.n) {
		buf_addc(&s->waker, '-');
		buf_add(&s->waker, id.s, id.n);
	}
}

static bool open_wake(struct sched *s, struct slice line)
{
	struct slice comm, delay;
	if (!take_field(line, " comm=", " pid=", &comm) || !take_pid(line, " pid=", &s->pid) ||
	    !take_field(line, " delay=", NULL, &delay) || !slice_u64(delay, &s->delay))
		return false;
	s->comm.len = 0;
	buf_add(&s->comm, comm.s, comm.n);
	if (s->sink->options->tid)
		buf_addf(&s->comm, "-%jd", (intmax_t)s->pid);
	s->time = time_of(line);
	set_waker(s, line);
	s->event = WAKE_EVENT;
	return true;
}

static bool is_wake(struct slice line)
{
	return slice_has(line, "sched:sched_stat_sleep:") || slice_has(line, "sched:sched_stat_blocked:");
}

static bool is_switch(struct slice line)
{
	return slice_has(line, "sched:sched_switch:");
}

/* "a 1/1 [000] 1.000001: sched:sched_waking: ...", "a 1 cycles: ": one of its words ends with a colon. */
static bool is_event(struct slice line)
{
	struct slice word;
	while ((word = slice_take_word(&line)).n) {
		if (slice_ends(word, ":"))
			return true;
	}
	return false;
}

static void event_line(struct sched *s, struct slice line, uint64_t number)
{
	bool is_read = true;
	if (!is_event(line)) {
		sink_skip(s->sink, "neither an event nor a frame (expected 'COMM PID TIME: EVENT:')", number, line.s,
		          line.n);
		return;
	}
	end_event(s);
	s->event = OTHER_EVENT;
	if (is_switch(line)) {
		is_read = take_pid(line, " prev_pid=", &s->pid);
		s->event = is_read ? SWITCH_EVENT : OTHER_EVENT;
	} else if (is_wake(line)) {
		is_read = open_wake(s, line);
		s->sleeps++;
	}
	if (!is_read)
		sink_skip(s->sink, "bad scheduler event (expected prev_pid=N, or comm=NAME pid=N delay=N)", number, line.s,
		          line.n);
}

/* "\tffffffff815ad64d __schedule ([kernel.kallsyms])": takes the text between address and module. */
static void frame_line(struct sched *s, struct slice line, uint64_t number)
{
	struct slice name = line;
	if (s->event != SWITCH_EVENT && s->event != WAKE_EVENT)
		return;
	slice_take_word(&name);
	size_t module = slice_rfind(name, " (");
	if (module == SIZE_MAX || !slice_ends(name, ")")) {
		sink_skip(s->sink, "bad frame (expected 'ADDRESS NAME (MODULE)')", number, line.s, line.n);
		return;
	}
	name = slice_trim(slice_head(name, module));
	frames_push_text(&s->frames, s->sink, name.n ? name : slice_of("[unknown]"));
}

static void sched_line(struct sched *s, struct slice line, uint64_t number)
{
	if (slice_starts(line, "#"))
		return;
	if (!line.n)
		end_event(s);
	else if (is_switch(line) || is_wake(line) || !is_blank_byte(*line.s))
		event_line(s, line, number); /* perf aligns task names to the right, so blanks may come first */
	else
		frame_line(s, line, number);
}

static void sched_end(struct sched *s, bool is_whole)
{
	if (is_whole)
		end_event(s);
	if (is_whole && !s->sleeps)
		sink_warn(s->sink, "no sleeps (expected events sched:sched_stat_sleep or sched:sched_stat_blocked)", 0,
		          NULL, 0);
	forget_sleepers(s);
	frames_deinit(&s->frames);
	buf_deinit(&s->comm);
	buf_deinit(&s->waker);
	free(s->carried);
}

LINE_FORMAT(sched)

/*
 * Wants both halves of a sleep with a stack, and only scheduler events: recordings of these are made to see sleeps,
 * not to count events.
 */
static enum sniff sched_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	bool has_stack = false, has_wake = false, follows_switch = false;
	struct slice line;
	*why = "no events sched:sched_switch with stacks and sched:sched_stat_sleep";
	while (head_line(&p, end, &line.s, &line.n) && !(has_stack && has_wake)) {
		line = slice_rtrim(line);
		bool is_of_sleep = is_switch(line) || is_wake(line);
		bool is_indented = line.n && is_blank_byte(*line.s);
		if (line.n && !is_indented && *line.s != '#' && !slice_has(line, " sched:"))
			return SNIFF_NO;
		has_stack |= follows_switch && is_indented && !is_of_sleep;
		has_wake |= is_wake(line);
		follows_switch = is_switch(line);
	}
	return has_stack && has_wake ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_perf_sched = {
	.name = "perf-sched",
	.help =
		"time off the CPU: perf script of sched:sched_switch, sched:sched_stat_sleep and sched:sched_stat_blocked",
	.sniff = sched_sniff,
	LINE_FORMAT_FUNCTIONS(sched),
	.tells_open_end = true,
	.effects = EFFECT_TID | EFFECT_WAKE_STACK,
};
