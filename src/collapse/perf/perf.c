/*
 * perf.c - parses the output of `perf script`.
 *
 *	java 24636/25607 [000] 4794564.109216:   10101010 cpu-clock:
 *		ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])
 *		    7f722d142778 Ljava/io/PrintStream;::print->Ljava/io/Writer;::write+0x18 (/tmp/perf-24636.map)
 *
 *	V8 WorkerThread 913/915 [001]    72.176760:     250000 cpu-clock:
 *		          55d0a1 v8::internal::(anonymous namespace)::Run(int, char const*)+0x41 (/usr/bin/node)
 *
 * A sample is an event line (perf_event.h), its frames leaf first (perf_frames.h), and a blank line. A symbol may
 * contain anything, but its module is in parentheses at the end of the line.
 *
 * An event with only plain frames is parsed as a block: a comparison of text finds what it shares with the previous
 * sample (perf_recent.h), most other lines are cached (perf_lines.h), and only the rest is parsed. Everything else,
 * such as inlined functions and source lines, is parsed line by line. perf_caches.h describes all caches.
 */
#include <string.h>

#include "base/find.h"
#include "base/mem.h"
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/perf/perf_marks.h"
#include "collapse/perf/perf_names.h"
#include "collapse/perf/perf_srcline.h"
#include "collapse/perf/perf_text.h"
#include "languages/items.h"
#include "model/origin.h"

static void *perf_start(struct sink *sink, struct err *err)
{
	struct perf *p = mem_zalloc(1, sizeof *p);
	(void)err;
	p->sink = sink;
	p->profile = sink->profile;
	for (size_t i = 0; i < PERF_TASKS; i++)
		p->tasks[i].comm_len = SIZE_MAX; /* none yet */
	p->task = &p->tasks[0];
	perf_event_init(&p->event);
	perf_order_init(&p->order);
	perf_order_add_list(&p->order, sink->options->events);
	perf_event_want(&p->event, sink->options->event_filter);
	perf_frames_init(&p->known, sink, true);
	buf_init(&p->name);
	buf_init(&p->orphan);
	buf_init(&p->tail);
	p->shares = !sink->options->skip_after && !sink->options->srcline && !sink->options->inline_;
	p->lines = mem_zalloc(PERF_LINES + 1, sizeof *p->lines); /* reads may go past the end of the last one */
	p->sites = perf_sites_new(sink);
	p->line_at = p->sites ? mem_zalloc(PERF_LINES, sizeof *p->line_at) : NULL;
	return p;
}

/* --- frames --- */

static void push_line(struct perf *p, struct perf_site *site, struct slice symbol)
{
	p->has_frames = true;
	perf_frames_prepare(&p->known, site, symbol, p->task->is_java);
	mem_push(p->pending, p->n_pending, p->cap_pending, *site);
}

/* Of an address: enough to tell whether two are equal. */
static uint64_t number_of(struct slice hex)
{
	uint64_t n = 0;
	for (size_t i = 0; i < hex.n; i++)
		n = is_hex_byte(hex.s[i]) ? n * 31 + (unsigned char)hex.s[i] : n;
	return n;
}

/* Looks up the pending lines and appends their frames. */
static void take_pending(struct perf *p)
{
	size_t k;
	for (k = 0; k < p->n_pending && !p->is_cut; k++) {
		struct perf_memo *m = perf_frames_find(&p->known, &p->pending[k]);
		p->last = p->n;
		if (p->n + m->n > p->cap)
			p->frames = mem_grow(p->frames, &p->cap, p->n + m->n, sizeof *p->frames);
		bool is_needed = p->known.has_inlined || p->sites;
		uint64_t address = is_needed ? number_of(p->pending[k].address) : 0;
		for (uint32_t i = 0; i < m->n; i++) {
			p->frames[p->n++] = p->known.pool[m->first + i].sym;
			mem_push(p->addresses, p->n_addresses, p->cap_addresses, address);
			if (p->sites)
				mem_push(p->at, p->n_at, p->cap_at, perf_sites_at(p->sites, m, &p->pending[k]));
		}
		p->is_cut = m->is_cut;
	}
	if (k < p->n_pending)
		p->last = p->n; /* nothing is left of the last line */
	p->n_pending = 0;
}

/* --- events --- */

static void make_task(struct perf *p, struct perf_task *t)
{
	struct slice comm = p->event.comm;
	t->pid = p->event.pid;
	t->tid = p->event.tid;
	t->has_pid = p->event.has_pid;
	t->comm_len = comm.n < sizeof t->comm ? comm.n : SIZE_MAX;
	if (t->comm_len != SIZE_MAX)
		memcpy(t->comm, comm.s, comm.n);
	perf_root_name(&p->name, p->sink->options, comm, p->event.id);
	t->is_java = slice_starts((struct slice){p->name.data, p->name.len}, "java");
	t->root = sink_frame(p->sink, p->name.data ? p->name.data : "", p->name.len);
	t->root = symtab_frame(&p->profile->symtab, t->root, (struct origin){.kind = KIND_PROCESS});
	t->task = profile_task(p->profile, sink_sym(p->sink, comm.s, comm.n), t->pid, t->tid);
}

/* Threads take turns; a task is made once unless another one replaces it. */
static void set_task(struct perf *p)
{
	const struct perf_event *e = &p->event;
	struct perf_task *t = &p->tasks[(uint64_t)e->tid % PERF_TASKS];
	if (t->tid != e->tid || t->pid != e->pid || t->has_pid != e->has_pid || t->comm_len != e->comm.n ||
	    memcmp(t->comm, e->comm.s, e->comm.n) != 0)
		make_task(p, t);
	p->task = t;
}

/* The series of the present event. Samples without a period are not added to those of the event with one. */
static uint32_t find_series(struct perf *p, struct slice event)
{
	const struct profile *profile = p->profile;
	bool has_namesake = profile_has_series(profile, symtab_find(&profile->symtab, event.s, event.n));
	size_t n = profile->n_series;
	uint32_t series = perf_series(p->sink, event, p->event.has_period, &p->order);
	if (has_namesake && profile->n_series > n)
		sink_warn(p->sink, "some samples of an event have a period, others have none (they are kept apart)",
		          p->event_line, event.s, event.n);
	return series;
}

void perf_set_series(struct perf *p)
{
	const struct symbol *known =
		p->has_series ? &p->profile->symtab.symbols[p->profile->series[p->series].name] : NULL;
	struct slice event = {p->event.name.data, p->event.name.len};
	if (!known || p->had_period != p->event.has_period || known->len != event.n ||
	    memcmp(known->name, event.s, event.n) != 0)
		p->series = find_series(p, event);
	p->has_series = true;
	p->had_period = p->event.has_period;
	p->sample.series = p->series;
}

static void skip_line(struct perf *p, const char *line, size_t len, uint64_t number)
{
	p->is_odd = true; /* already reported, in case no frame is left */
	sink_skip(p->sink, "not a stack line (expected 'address symbol (module)')", number, line, len);
}

static void push_orphan(struct perf *p, const char *module)
{
	struct slice symbol = slice_trim((struct slice){p->orphan.data, p->orphan.len});
	struct perf_site site = {.module = slice_of(module), .address = symbol};
	while (symbol.n && !is_blank_byte(*symbol.s))
		symbol = slice_from(symbol, 1);
	site.address.n -= symbol.n;
	push_line(p, &site, slice_ltrim(symbol));
	take_pending(p);
	p->orphan.len = 0; /* its text was needed until here */
}

/* No source line followed: this is no inlined frame, but one without a module, or an odd line. */
static void drop_orphan(struct perf *p)
{
	if (p->orphan.len && perf_frames_is_bare((struct slice){p->orphan.data, p->orphan.len}, p->has_modules))
		push_orphan(p, "[unknown]");
	if (p->orphan.len)
		skip_line(p, p->orphan.data, p->orphan.len, p->orphan_line);
	p->orphan.len = 0;
}

/* Reverses the frames: a profile has the root first. */
static void turn(struct perf *p)
{
	for (size_t i = 0, j = p->n - 1; i < j; i++, j--) {
		uint32_t frame = p->frames[i];
		uint64_t address = p->addresses[i];
		p->frames[i] = p->frames[j];
		p->frames[j] = frame;
		p->addresses[i] = p->addresses[j];
		p->addresses[j] = address;
	}
	for (size_t i = 0, j = p->n - 1; p->sites && i < j; i++, j--) {
		struct perf_at at = p->at[i];
		p->at[i] = p->at[j];
		p->at[j] = at;
	}
}

/*
 * The frame at the end of an event line that begins with a tracepoint's arguments, as perf prints it where there is
 * no chain: "sched:sched_switch: prev_comm=sh ... next_prio=120 ffffffff81a2 __schedule ([kernel])". Empty: none.
 */
static struct slice frame_after_arguments(struct slice rest)
{
	struct perf_site site;
	struct slice symbol, from = rest, found = slice_head(rest, 0), word;
	uint64_t address;
	if (!rest.n || rest.s[rest.n - 1] != ')')
		return found;
	while ((word = slice_take_word(&from)).n) {
		struct slice frame = {word.s, (size_t)(rest.s + rest.n - word.s)};
		if (word.n >= 8 && slice_hex(word, &address) && perf_frames_split(frame, &site, &symbol))
			found = frame;
	}
	return found;
}

/* Nothing but the event line has told of the stack. */
static void take_tail(struct perf *p)
{
	struct perf_site site;
	struct slice symbol;
	if (p->in_event && !p->is_skipped && !p->has_frames &&
	    perf_frames_split((struct slice){p->tail.data, p->tail.len}, &site, &symbol)) {
		if (p->is_lone)
			perf_event_join(&p->event);
		push_line(p, &site, symbol);
		take_pending(p);
	}
	p->tail.len = 0; /* its text was needed until here */
}

static void end_event(struct perf *p)
{
	drop_orphan(p);
	if (p->tail.len)
		take_tail(p);
	p->is_record = false;
	if (!p->in_event)
		return;
	take_pending(p);
	p->in_event = false;
	if (p->is_skipped)
		return;
	if (!p->n) {
		if (!p->is_odd)
			report_add_weight(&p->profile->report, NOTE_WARN, "sample without a stack", NULL, p->event_line,
			                  p->sample.weight);
		return;
	}
	if (!p->is_cut) {
		mem_push(p->frames, p->n, p->cap, p->task->root);
		mem_push(p->addresses, p->n_addresses, p->cap_addresses, UINT64_MAX);
		mem_push(p->at, p->n_at, p->cap_at, ((struct perf_at){0}));
	}
	turn(p);
	perf_frames_join(&p->known, p->frames, p->addresses, p->n);
	if (p->sites)
		p->sample.site = perf_sites_stack(p->sites, p->frames, p->addresses, p->at, p->n);
	perf_set_series(p);
	sink_stack(p->sink, p->frames, p->n, &p->sample);
	p->n = p->n_addresses = p->n_at = 0;
}

/* perf script prints what the recorder has written of interpreters as bytes, whose frames only perf.data tells. */
static bool is_of_interpreters(struct perf *p)
{
	struct slice name = {p->event.name.data, p->event.name.len};
	if (!slice_is(name, ITEMS_EVENT))
		return false;
	sink_warn(
		p->sink,
		"frames of interpreters are missing: this text has them as bytes, the recording itself has their names",
		p->event_line, ITEMS_EVENT, strlen(ITEMS_EVENT));
	return true;
}

static void begin_event(struct perf *p, uint64_t number)
{
	p->in_event = true;
	p->is_cut = p->is_odd = p->known.is_inlined = p->has_frames = p->has_modules = p->is_record = p->is_lone =
		false;
	p->n = p->n_addresses = p->n_at = p->last = 0;
	p->event_line = number;
	set_task(p);
	p->is_skipped = !perf_event_is_wanted(&p->event) || is_of_interpreters(p);
	p->has_chosen = p->has_chosen || !p->is_skipped;
	p->sample = (struct sample){
		.weight = p->event.weight, .time = p->event.time, .cpu = p->event.cpu, .task = p->task->task};
	p->sample.time =
		perf_begin((struct slice){p->event.name.data, p->event.name.len}, p->event.time, p->event.weight);
}

/* A record without a sample: a mapping, a name, a fork, or lost samples. */
static void take_record(struct perf *p, uint64_t lost, struct slice line, uint64_t number)
{
	end_event(p);
	p->is_record = true;
	if (perf_event_has_callers(line)) {
		sink_warn(
			p->sink,
			"samples lack their callers in user space: these are in records of their own (perf script without "
			"--no-merge-callchains joins them)",
			number, line.s, line.n);
		return;
	}
	if (!lost) {
		sink_info(p->sink, "records that are no samples (mappings, names, forks, ...) are left out", number, line.s,
		          line.n);
		return;
	}
	weight_add(&sink_lacks(p->sink)->lost, lost);
	report_add(&p->profile->report, NOTE_WARN,
	           "perf could not keep up and lost samples (a lower -F, or --call-graph=fp, costs less)", NULL, number,
	           line.s, line.n);
}

static bool event_line(struct perf *p, struct slice line, uint64_t number)
{
	struct perf_site site;
	struct slice rest, symbol;
	uint64_t lost;
	if (!perf_event_task(&p->event, line, &rest))
		return false;
	if (perf_event_is_record(rest, &lost)) {
		take_record(p, lost, rest, number);
		return true;
	}
	end_event(p);
	rest = perf_event_parse(&p->event, rest);
	begin_event(p, number);
	if (p->event.is_bad_period && !p->is_skipped)
		sink_warn(p->sink, "a period that is not a number of 64 bits counts as 1", number, line.s, line.n);
	if (p->event.is_bad_time && !p->is_skipped)
		sink_warn(p->sink, "a sample without a time (expected 'SECONDS.FRACTION:')", number, line.s, line.n);
	if (rest.n) {
		struct slice frame = frame_after_arguments(rest);
		p->is_lone = perf_frames_split(rest, &site, &symbol);
		frame = p->is_lone && !frame.n ? rest : frame;
		buf_add(&p->tail, frame.s, frame.n);
	} else {
		perf_event_learn(&p->event, line.s, (size_t)(scan_to(line.s + line.n, '\n') + 1 - line.s));
	}
	return true;
}

/* --- lines --- */

/* The frame of a function at a line of its source, `text`. */
static uint32_t at_place(struct perf *p, uint32_t frame, struct origin place, struct slice text)
{
	struct symtab *t = &p->profile->symtab;
	uint32_t plain = symtab_plain(t, frame);
	struct origin o = symtab_origin(t, frame);
	o.source = place.source;
	o.line = place.line;
	if (p->sink->options->srcline) {
		p->name.len = 0;
		buf_add(&p->name, t->symbols[frame].name, t->symbols[frame].len);
		buf_addc(&p->name, ':');
		sink_add_shared(p->sink, &p->name, text.s, text.n);
		plain = sink_frame(p->sink, p->name.data, p->name.len);
	}
	place.module = o.module == p->known.inlined ? 0 : o.module;
	symtab_learn(t, plain, place);
	return symtab_variant(t, plain, o);
}

/* An orphan becomes a frame if its source line ends in "(inlined)". */
static void source_line(struct perf *p, struct slice text, uint64_t number)
{
	struct slice place;
	if (!perf_srcline(text, &place)) {
		skip_line(p, text.s, text.n, number);
		return;
	}
	if (p->orphan.len)
		push_orphan(p, "inlined");
	take_pending(p);
	p->has_places = p->has_places || place.n;
	struct origin source = sink_place(p->sink, place.s, place.n, 0);
	for (size_t i = p->last; i < p->n && place.n; i++) {
		p->frames[i] = at_place(p, p->frames[i], source, place);
		if (p->sites)
			p->at[i] = perf_sites_source(p->sites, place);
	}
}

static bool starts_with_address(struct slice line)
{
	size_t n = 0;
	line = slice_ltrim(line);
	while (n < line.n && is_hex_byte(line.s[n]))
		n++;
	return n && (n == line.n || is_blank_byte(line.s[n]));
}

static void stack_line(struct perf *p, struct slice line, uint64_t number)
{
	struct perf_site site;
	struct slice symbol;
	/* Checked before frames: a task such as "dd" or "cafe" looks like an address. */
	if (*line.s == ' ' && !p->has_frames && perf_event_has_time(line)) {
		event_line(p, line, number);
		return;
	}
	if (p->is_skipped)
		return;
	if (perf_frames_split(line, &site, &symbol)) {
		p->has_modules = p->had_modules = true;
		drop_orphan(p);
		push_line(p, &site, symbol);
		return;
	}
	if (!starts_with_address(line)) {
		p->has_frames || p->orphan.len ? source_line(p, line, number) : skip_line(p, line.s, line.n, number);
		return;
	}
	drop_orphan(p);
	buf_add(&p->orphan, line.s, line.n);
	p->orphan_line = number;
}

/* A line of the bytes of an event: "      BPF output: 0000: 03 00  ..", and then "                  0010: ...". */
static bool is_dump_line(struct slice line, bool is_first)
{
	uint64_t place;
	struct slice text = slice_ltrim(line);
	if (text.n == line.n || (is_first && !slice_starts(text, "BPF output: ")))
		return false;
	if (is_first)
		text = slice_from(text, sizeof "BPF output: " - 1);
	size_t colon = slice_find_byte(text, ':');
	return colon != SIZE_MAX && slice_hex(slice_head(text, colon), &place);
}

/* Does the line belong to a record? */
static bool continues_record(const struct perf *p, struct slice line)
{
	struct perf_site site;
	struct slice symbol;
	if (!p->is_record || !is_blank_byte(*line.s))
		return false;
	return *line.s == '\t' || (!perf_event_has_time(line) && perf_frames_split(line, &site, &symbol));
}

/* The frame on the event's line was its only one, or the address of data (-F +addr), and a stack follows. */
static void end_lone(struct perf *p, bool has_stack)
{
	if (has_stack)
		p->tail.len = 0;
	else
		end_event(p);
	p->is_lone = false;
}

static void perf_line(struct perf *p, const char *text, size_t len, uint64_t number)
{
	struct slice line = slice_rtrim((struct slice){text, len});
	if (len && *text == '#')
		return;
	p->is_dump = is_dump_line(line, !p->is_dump);
	if (p->is_dump)
		return;
	if (p->is_lone)
		end_lone(p, *text == '\t');
	if (!line.n) {
		end_event(p);
	} else if (p->in_event) {
		if (is_blank_byte(*line.s) || !event_line(p, line, number))
			stack_line(p, line, number);
	} else if (!continues_record(p, line) && !event_line(p, line, number)) {
		sink_skip(p->sink, "not an event line (expected 'comm pid/tid [cpu] time: period event:')", number, line.s,
		          line.n);
	}
}

/* Counts the lines; 0: one of them may begin an event, as a blank line is missing. */
static size_t count_frames(const char *text, const char *end)
{
	size_t n = 0;
	for (; text < end; n++) {
		if (*text != '\t')
			return 0;
		text = scan_to(text, '\n') + 1;
	}
	return n;
}

/*
 * The next blank line, NULL if the piece has none. Each event asks for it, so the answer is cached while it holds.
 */
static const char *next_blank(struct perf *p, const char *text, const char *end)
{
	if (!p->no_blank_from || text < p->no_blank_from || text > p->blank) {
		const char *found = scan_to_pair(text, end, '\n');
		p->no_blank_from = text;
		p->blank = found ? found : end;
	}
	return p->blank < end ? p->blank : NULL;
}

/*
 * Takes the frames of the event that has just begun, if the piece holds them all. Returns the number of lines; 0:
 * none.
 */
static size_t event_block(struct perf *p, const char *text, const char *end, const char **after)
{
	const char *blank = next_blank(p, text, end);
	size_t lines;
	if (!blank || blank == text)
		return 0;
	if (p->is_skipped)
		lines = count_frames(text, blank);
	else if (perf_take_block(p, text, (size_t)(blank - text)))
		lines = p->recent[p->task->task % PERF_TASKS].n_lines;
	else
		return 0;
	if (!lines)
		return 0;
	p->in_event = false;
	p->had_modules |= !p->is_skipped; /* only such lines are taken as a block */
	*after = blank + 2;
	return lines + 1;
}

static bool perf_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct perf *p = state;
	const char *end = text + len;
	uint64_t number = p->sink->line;
	(void)err;
	for (size_t i = 0; i < PERF_TASKS; i++)
		p->recent[i].end = NULL; /* their texts are gone */
	p->no_blank_from = NULL;
	p->last_byte = len ? text[len - 1] : p->last_byte;
	while (text < end) {
		size_t again = p->in_event ? 0 : perf_event_again(&p->event, text);
		number++;
		if (again) {
			begin_event(p, number);
			text += again;
		} else {
			const char *nl = scan_to(text, '\n');
			perf_line(p, text, (size_t)(nl < end ? nl - text : end - text), number);
			text = nl + 1;
		}
		if (p->in_event && p->event_line == number && p->shares && text < end && *text == '\t')
			number += event_block(p, text, end, &text);
	}
	take_pending(p);
	p->sink->line = number;
	return true;
}

/* Warns of options that had no effect on this input. */
static void note_effects(struct perf *p)
{
	const struct collapse_options *o = p->sink->options;
	if (o->event_filter && p->event_line && !p->has_chosen)
		sink_warn(p->sink, "no sample belongs to the event of --event-filter", 0, o->event_filter,
		          strlen(o->event_filter));
	if (o->srcline && p->has_chosen && !p->has_places)
		sink_warn(p->sink,
		          "--srcline has no effect: no frame has a source line (perf script -F +srcline prints them)", 0,
		          NULL, 0);
}

/* A sample ends with a blank line. Text without one may be complete, but not within a line that has no module. */
static void note_cut(struct perf *p)
{
	if (!p->last_byte || p->last_byte == '\n')
		return;
	if (!p->in_event || !p->had_modules || p->last_byte == ')') {
		collapse_note_open_end(p->sink, p->sink->line);
		return;
	}
	sink_lacks(p->sink)->is_cut_off = true;
	sink_warn(p->sink, "the input ends within this sample, whose outer frames are missing", p->event_line, NULL, 0);
}

static bool perf_finish(void *state, bool ok, struct err *err)
{
	struct perf *p = state;
	(void)err;
	note_cut(p);
	end_event(p);
	note_effects(p);
	perf_event_deinit(&p->event);
	perf_order_deinit(&p->order);
	perf_frames_deinit(&p->known);
	buf_deinit(&p->name);
	buf_deinit(&p->orphan);
	buf_deinit(&p->tail);
	for (size_t i = 0; i < PERF_TASKS; i++)
		perf_recent_deinit(&p->recent[i]);
	free(p->lines);
	free(p->pending);
	free(p->frames);
	free(p->addresses);
	free(p->at);
	free(p->line_at);
	perf_sites_free(p->sites);
	free(p->found);
	free(p);
	return ok;
}

/* Cuts after the last blank line. */
static size_t perf_cut(const char *text, size_t len)
{
	for (size_t end = len; end;) {
		const char *nl = find_last(text, '\n', end);
		if (!nl)
			return 0;
		if (nl > text && (nl[-1] == '\n' || (nl[-1] == '\r' && nl - 1 > text && nl[-2] == '\n')))
			return (size_t)(nl - text) + 1;
		end = (size_t)(nl - text);
	}
	return 0;
}

const struct collapse_format format_perf = {
	.name = "perf",
	.help = "perf script: perf record -g ...; perf script --no-inline",
	.sniff = perf_sniff,
	.start = perf_start,
	.feed = perf_feed,
	.finish = perf_finish,
	.cut = perf_cut,
	.names_events = true,
	.effects = EFFECT_EVENT_FILTER | EFFECT_PID | EFFECT_TID | EFFECT_KERNEL | EFFECT_JIT | EFFECT_ADDRS |
               EFFECT_INLINE | EFFECT_CONTEXT | EFFECT_SRCLINE | EFFECT_SKIP_AFTER | EFFECT_FILES,
};
