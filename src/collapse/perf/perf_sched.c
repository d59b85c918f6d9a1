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
 * remainder to its next sleep. What is left at the end is cut off, as in stackcollapse-perf-sched.awk. This is said
 * if it is a thousandth of all, or all of a path. If it is a tenth of all, it is added as parts of microseconds.
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

/* What a path has below a microsecond, and its last sleep. */
struct rest {
	uint64_t time;
	uint32_t task;
	uint16_t ns;
	bool has_weight; /* had whole microseconds */
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
	struct rest *rests; /* by path */
	size_t n_rests, cap_rests;
	uint16_t unseen, bare; /* ns below a microsecond that no warning has told */
	uint64_t all;          /* ns of all paths */
	uint64_t sleeps;       /* number of wake events */
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

/* The whole microseconds in the delay and the rest, which keeps what is left. */
static uint64_t whole_us(uint64_t delay, uint16_t *rest)
{
	uint64_t ns = delay % 1000 + *rest;
	*rest = (uint16_t)(ns % 1000);
	return delay / 1000 + ns / 1000;
}

static void add_weight(struct sched *s, uint32_t path, struct sample *sample)
{
	while (s->n_rests <= path)
		mem_push(s->rests, s->n_rests, s->cap_rests, ((struct rest){0}));
	struct rest *rest = &s->rests[path];
	sample->weight = whole_us(s->delay, &rest->ns);
	rest->time = sample->time;
	rest->task = sample->task;
	weight_add(&s->all, s->delay);
	if (!sample->weight)
		return;
	rest->has_weight = true;
	profile_add(s->sink->profile, s->sink->options->side, path, sample);
}

static uint32_t series_of(const struct sched *s)
{
	return profile_series(s->sink->profile, sink_sym(s->sink, "off-cpu", 7), sink_sym(s->sink, "us", 2));
}

static void add_rests(struct sched *s)
{
	for (size_t i = 0; i < s->n_rests; i++) {
		const struct rest *rest = &s->rests[i];
		struct sample sample = {
			.millionths = rest->ns * UINT32_C(1000),
			.time = rest->time,
			.task = rest->task,
			.cpu = NO_CPU,
			.series = series_of(s),
		};
		if (rest->ns)
			profile_add(s->sink->profile, s->sink->options->side, (uint32_t)i, &sample);
	}
}

static void settle_rests(struct sched *s)
{
	uint64_t left = 0;
	bool has_gone = false;
	for (size_t i = 0; i < s->n_rests; i++) {
		left += s->rests[i].ns;
		has_gone |= s->rests[i].ns && !s->rests[i].has_weight;
	}
	if (left && left >= s->all / 10)
		add_rests(s);
	else if (has_gone || (left && left >= s->all / 1000))
		sink_warn(s->sink, "times are cut to microseconds, which loses a thousandth of all, or all of a stack", 0,
		          NULL, 0);
}

static void add_sleep(struct sched *s)
{
	struct sleeper *sleeper = find_sleeper(s, s->pid);
	struct profile *profile = s->sink->profile;
	if (!sleeper)
		report_add_weight(&profile->report, NOTE_WARN, "sleep without a stack, as it began before the recording",
		                  NULL, 0, whole_us(s->delay, &s->unseen));
	if (!sleeper || !sleeper->is_asleep)
		return; /* no stack, or this is the second report */
	if (!sleeper->n)
		report_add_weight(&profile->report, NOTE_WARN, "sleep of a thread that left the CPU without frames", NULL,
		                  0, whole_us(s->delay, &s->bare));
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
		.time = s->time == NO_TIME || s->time < s->delay ? s->time : s->time - s->delay,
		.task = profile_task(profile, sink_sym(s->sink, s->comm.data, s->comm.len), -1, s->pid),
		.cpu = NO_CPU,
		.series = series_of(s),
	};
	add_weight(s, path, &sample);
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
 * Names of threads are up to 15 bytes of anything, also " pid=5 delay=9", " prev_pid=5" or "1/2 [000] 3.0:", and a
 * line has up to three. So what follows a field tells which one is the event's own.
 */

/* The event line, in front of the event's name and after it. */
struct parts {
	struct slice head, fields;
};

static bool cut_event(struct slice line, const char *event, struct parts *parts)
{
	size_t at = slice_find(line, event);
	if (at == SIZE_MAX)
		return false;
	parts->head = slice_head(line, at);
	parts->fields = slice_from(line, at + strlen(event));
	return true;
}

static bool is_wake_line(struct slice line, struct parts *parts)
{
	return cut_event(line, "sched:sched_stat_sleep:", parts) || cut_event(line, "sched:sched_stat_blocked:", parts);
}

static bool is_switch_line(struct slice line, struct parts *parts)
{
	return cut_event(line, "sched:sched_switch:", parts);
}

static bool is_wake(struct slice line)
{
	struct parts ignored;
	return is_wake_line(line, &ignored);
}

static bool is_switch(struct slice line)
{
	struct parts ignored;
	return is_switch_line(line, &ignored);
}

static bool take_number(struct slice *text, uint64_t *v)
{
	return slice_u64(slice_take_digits(text), v);
}

/* "708189.600078:" -> nanoseconds */
static bool is_time(struct slice word, uint64_t *ns)
{
	uint64_t s, f, scale = 1000000000;
	struct slice fraction, seconds = slice_take_digits(&word);
	if (!seconds.n || !slice_take(&word, "."))
		return false;
	fraction = slice_take_digits(&word);
	if (!slice_is(word, ":") || !slice_u64(seconds, &s) || !slice_u64(fraction, &f) || fraction.n > 9 ||
	    s > UINT64_MAX / scale / 2)
		return false;
	for (size_t i = 0; i < fraction.n; i++)
		scale /= 10;
	*ns = s * UINT64_C(1000000000) + f * scale;
	return true;
}

/* The last time in front of the event, which *before then ends at; NO_TIME: there is none. */
static uint64_t time_of(struct slice head, struct slice *before)
{
	uint64_t time = NO_TIME, ns;
	struct slice rest = head, word;
	*before = head;
	while ((word = slice_take_word(&rest)).n) {
		if (!is_time(word, &ns))
			continue;
		time = ns;
		*before = slice_head(head, (size_t)(word.s - head.s));
	}
	return time;
}

/* "27301", "27235/27301" */
static bool is_id(struct slice word)
{
	return slice_take_digits(&word).n && (!word.n || (slice_take(&word, "/") && word.n && slice_is_digits(word)));
}

/*
 * "swapper     0/0     708189.600078: ...": the name ends before the last number or pair of numbers in front of the
 * time. Without a time a period may follow, so that the first one counts.
 */
static void set_waker(struct sched *s, struct slice before)
{
	struct slice rest = before, first = slice_take_word(&rest), name = first, id = {0}, word;
	while ((word = slice_take_word(&rest)).n) {
		if (is_id(word)) {
			name = slice_rtrim((struct slice){first.s, (size_t)(word.s - first.s)});
			id = word;
		}
		if (id.n && s->time == NO_TIME)
			break;
	}
	if (!id.n)
		name = slice_trim(before);
	s->waker.len = 0;
	buf_add(&s->waker, name.s, name.n);
	if (s->sink->options->tid && id.n) {
		buf_addc(&s->waker, '-');
		buf_add(&s->waker, id.s, id.n);
	}
}

/* "comm=memsqld pid=27301 delay=100078421 [ns]": a name may look like more fields, but none follow the last pid. */
static bool take_sleep(struct slice fields, struct slice *comm, int64_t *pid, uint64_t *delay)
{
	uint64_t v;
	size_t from = slice_find(fields, "comm="), at = slice_rfind(fields, " pid=");
	if (from == SIZE_MAX || at == SIZE_MAX || at <= from + 5)
		return false;
	struct slice rest = slice_from(fields, at + 5);
	*comm = slice_from(slice_head(fields, at), from + 5);
	if (!take_number(&rest, &v) || v > INT64_MAX || !slice_take(&rest, " delay=") || !take_number(&rest, delay))
		return false;
	*pid = (int64_t)v;
	return !rest.n || *rest.s == ' ';
}

static bool open_wake(struct sched *s, const struct parts *parts)
{
	struct slice comm, before;
	if (!take_sleep(parts->fields, &comm, &s->pid, &s->delay))
		return false;
	s->comm.len = 0;
	buf_add(&s->comm, comm.s, comm.n);
	if (s->sink->options->tid)
		buf_addf(&s->comm, "-%jd", (intmax_t)s->pid);
	s->time = time_of(parts->head, &before);
	set_waker(s, before);
	s->event = WAKE_EVENT;
	return true;
}

/* The first " prev_pid=N" that is followed by `next`, or ends the line if that is NULL. */
static bool find_left(struct slice fields, const char *next, int64_t *pid)
{
	size_t at;
	uint64_t v;
	while ((at = slice_find(fields, " prev_pid=")) != SIZE_MAX) {
		struct slice rest = fields = slice_from(fields, at + 10);
		if (take_number(&rest, &v) && v <= INT64_MAX && (next ? slice_starts(rest, next) : !rest.n)) {
			*pid = (int64_t)v;
			return true;
		}
	}
	return false;
}

/* "prev_comm=memsqld prev_pid=27301 prev_prio=120 prev_state=S ==> ...": no name has room for pid and prio. */
static bool open_switch(struct sched *s, const struct parts *parts)
{
	static const char *const next[] = {" prev_prio=", " ==> ", NULL, " "};
	for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
		if (find_left(parts->fields, next[i], &s->pid)) {
			s->event = SWITCH_EVENT;
			return true;
		}
	}
	return false;
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
	struct parts parts;
	if (!is_event(line)) {
		sink_skip(s->sink, "neither an event nor a frame (expected 'COMM PID TIME: EVENT:')", number, line.s,
		          line.n);
		return;
	}
	end_event(s);
	s->event = OTHER_EVENT;
	if (is_switch_line(line, &parts)) {
		is_read = open_switch(s, &parts);
	} else if (is_wake_line(line, &parts)) {
		is_read = open_wake(s, &parts);
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
	settle_rests(s);
	if (is_whole && !s->sleeps)
		sink_warn(s->sink, "no sleeps (expected events sched:sched_stat_sleep or sched:sched_stat_blocked)", 0,
		          NULL, 0);
	forget_sleepers(s);
	frames_deinit(&s->frames);
	buf_deinit(&s->comm);
	buf_deinit(&s->waker);
	free(s->rests);
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
