/*
 * perf_native.c - reads perf.data recordings without perf.
 *
 *	bytes -> samples (perfdata/perfdata.h) -> addresses -> frames (perf_places.h) -> stack
 *
 * The profile equals the one that perf.c makes from perf script's text of the same recording, but this reader does
 * some things better: a caller gets the name of its own function even if the call is its last instruction; a chain
 * with a value that is neither address nor marker keeps the frames before it, where perf drops all; the stack of a
 * sample without a chain is the function at work; chains are as long as recorded.
 *
 * A call chain is leaf first. Markers, values beyond all addresses, name the space of the addresses that follow:
 *
 *	PERF_CONTEXT_KERNEL  do_idle  cpu_startup  PERF_CONTEXT_USER  read  main
 *
 * The first address in a space is the instruction at work, the others are return addresses. With --call-graph=lbr
 * the processor records the calls of user space: its branches, the latest one first, then replace the user part of
 * the chain. The latest branch leads to the function at work (to); each branch comes from a call (from). With
 * --call-graph=dwarf the functions of user space come from a copy of the stack (perf_stacks.h).
 */
#include "collapse/formats.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/mem.h"
#include "collapse/perf/perf_io.h"
#include "collapse/perf/perf_languages.h"
#include "collapse/perf/perf_names.h"
#include "collapse/perf/perf_native_events.h"
#include "collapse/perf/perf_off_cpu.h"
#include "collapse/perf/perf_places.h"
#include "collapse/perf/perf_runtimes.h"
#include "collapse/perf/perf_spool.h"
#include "collapse/perf/perf_stacks.h"
#include "collapse/perf/perf_throttle.h"
#include "model/origin.h"

#define STACKS 16384u               /* a power of two; they fit into the processor's second-level cache */
#define INEXACT ((uint64_t)1 << 63) /* its functions of a language may have wrong callers */
#define BLOCK ((size_t)256 << 10)
_Static_assert(NO_RECORD_TIME == NO_TIME, "times are handed on as they are");

/* A task with recent samples; the slot depends on the thread. */
struct native_task {
	const char *comm; /* NULL: unknown */
	int32_t pid, tid;
	bool is_used, is_java;
	uint32_t root, task;
};

/* A recent chain and its path. */
struct native_stack {
	uint64_t key;  /* hash of the chain, its process and task, maybe INEXACT; 0: free */
	uint32_t path; /* NO_PATH: --skip-after left no frames */
	uint32_t site; /* node of profile.sites */
};

struct native {
	struct sink *sink;
	struct perfdata *recording;
	const struct perfdata_process *kernel;
	struct perf_frames known;
	struct perf_symbols *symbols;
	struct perf_places *places;
	struct perf_stacks *dumps;
	struct perf_off_cpu *off_cpu; /* NULL: switches are not counted */
	bool has_off_cpu;             /* there are some, which --event-filter may leave out */
	struct perf_io *io;           /* NULL: there are no system calls to count */
	struct perf_languages *languages;
	struct perf_runtimes *runtimes;
	bool has_language;       /* the current sample has a stack of a language, too */
	const uint64_t *unwound; /* functions of user space of the current sample */
	size_t n_unwound;
	struct native_events events;
	struct native_task tasks[PERF_TASKS];
	struct buf text;
	struct perf_native_stack stack; /* of the current sample, leaf first; sites only if they are wanted */
	bool is_cut;                    /* --skip-after names one of them */
	uint64_t inexact;               /* INEXACT, or 0 */
	bool is_passing;                /* another sample of this chain may have other frames */
	uint64_t space;                 /* perf_places_space() of the current addresses */
	struct native_stack *stacks;
	bool has_samples, has_chosen, has_begun;
	struct perf_throttle throttle;
	uint64_t lost[2];
	struct buf beginning;    /* of an input that is no plain file, until its kind is known */
	struct perf_spool spool; /* a recording in file layout, which has its features at the end */
	bool is_direct;          /* input goes to the reader at once */
};

/* --- tasks --- */

static void make_task(struct native *n, struct native_task *t, const struct perfdata_sample *s)
{
	char comm[16], id[32];
	struct slice name = slice_of(s->comm ? s->comm : comm);
	if (!s->comm)
		name.n = (size_t)snprintf(comm, sizeof comm, ":%d", s->tid);
	snprintf(id, sizeof id, "%d/%d", s->pid, s->tid);
	name = slice_trim(name);
	perf_root_name(&n->text, n->sink->options, name, slice_of(id));
	*t = (struct native_task){.comm = s->comm, .pid = s->pid, .tid = s->tid, .is_used = true};
	t->is_java = slice_starts((struct slice){n->text.data, n->text.len}, "java");
	t->root = sink_frame(n->sink, n->text.data ? n->text.data : "", n->text.len);
	t->root = symtab_frame(&n->sink->profile->symtab, t->root, (struct origin){.kind = KIND_PROCESS});
	t->task = profile_task(n->sink->profile, sink_sym(n->sink, name.s, name.n), s->pid, s->tid);
}

static const struct native_task *task_of(struct native *n, const struct perfdata_sample *s)
{
	struct native_task *t = &n->tasks[(uint32_t)s->tid % PERF_TASKS];
	if (!t->is_used || t->tid != s->tid || t->pid != s->pid || t->comm != s->comm)
		make_task(n, t, s);
	return t;
}

/* --- stacks --- */

static void push_sites(struct native *n, const struct perf_frame *frames, size_t n_frames)
{
	const struct perf_code at = perf_places_code(n->places);
	for (size_t i = 0; i < n_frames; i++) {
		struct site s = {.sym = frames[i].sym, .line = frames[i].level, .code = at.code, .address = at.address};
		perf_native_stack_site(&n->stack, at.code ? &s : NULL);
	}
}

static void push(struct native *n, const struct perf_place *place, bool is_java)
{
	if (n->is_cut)
		return;
	struct perf_place_frames m = perf_places_find(n->places, place, n->space, is_java, &n->is_passing);
	for (uint32_t i = 0; i < m.n; i++)
		perf_native_stack_push(&n->stack, n->known.pool[m.first + i].sym);
	if (n->sink->options->wants_sites)
		push_sites(n, &n->known.pool[m.first], m.n);
	n->is_cut = m.is_cut;
}

/* Makes the place one of this space. */
static void change_mode(struct native *n, struct perf_place *place, const struct perfdata_sample *s, unsigned mode,
                        bool is_java)
{
	place->mode = mode;
	place->process = mode == MODE_KERNEL ? n->kernel : s->process;
	place->is_caller = false;
	n->space = perf_places_space(n->places, place, is_java);
}

/* Changes to the space that the marker names. false: it is no marker. */
static bool enter(struct native *n, struct perf_place *place, const struct perfdata_sample *s, uint64_t marker,
                  bool is_java)
{
	static const struct {
		uint64_t marker;
		enum perfdata_cpumode mode;
	} spaces[] = {
		{CHAIN_KERNEL, MODE_KERNEL},         {CHAIN_USER, MODE_USER},
		{CHAIN_HYPERVISOR, MODE_HYPERVISOR}, {CHAIN_GUEST, MODE_GUEST_USER},
		{CHAIN_GUEST_USER, MODE_GUEST_USER}, {CHAIN_GUEST_KERNEL, MODE_GUEST_KERNEL},
	};
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
		if (spaces[i].marker != marker)
			continue;
		change_mode(n, place, s, spaces[i].mode, is_java);
		return true;
	}
	return false;
}

/* Pushes the function at work, for a sample without a chain. */
static void push_leaf(struct native *n, const struct perfdata_sample *s, bool is_java)
{
	struct perf_place place = {.address = s->ip, .time = s->time};
	change_mode(n, &place, s, s->misc & CPUMODE, is_java);
	push(n, &place, is_java);
}

static void push_branches(struct native *n, struct perf_place *place, const struct perfdata_sample *s, bool is_java)
{
	place->is_caller = false; /* these are addresses of calls, not return addresses */
	for (size_t i = 0; i <= s->n_branches; i++) {
		place->address = i ? s->branches[i - 1].from : s->branches[0].to;
		push(n, place, is_java);
	}
}

/* The unwinder gives addresses of calls, not return addresses. */
static void push_unwound(struct native *n, struct perf_place *place, const struct perfdata_sample *s, bool is_java)
{
	change_mode(n, place, s, MODE_USER, is_java);
	for (size_t i = 0; i < n->n_unwound; i++) {
		place->address = n->unwound[i];
		push(n, place, is_java);
	}
}

static void push_chain(struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                       bool is_java)
{
	bool is_call_stack = e->is_call_stack, is_io = e->io.role;
	struct perf_place place = {.time = s->time};
	change_mode(n, &place, s, MODE_USER, is_java);
	for (size_t i = 0; i < s->n_chain; i++) {
		if (s->chain[i] >= CHAIN_MARKERS) {
			if (!enter(n, &place, s, s->chain[i], is_java))
				break;
			if (is_call_stack && s->chain[i] == CHAIN_USER && s->n_branches) {
				push_branches(n, &place, s, is_java);
				break;
			}
			if (n->n_unwound && place.mode == MODE_USER)
				break;
			continue;
		}
		place.address = s->chain[i];
		if (!is_io || place.mode != MODE_KERNEL) /* how the kernel leaves a call */
			push(n, &place, is_java);
		place.is_caller = true;
	}
	push_unwound(n, &place, s, is_java);
}

static uint32_t make_sites(struct native *n)
{
	struct perf_native_stack *s = &n->stack;
	sites_reverse(s->sites, s->n_sites);
	return s->n_sites ? profile_sites(n->sink->profile, s->sites, s->n_sites) : NO_SITE;
}

/* The path of all frames; NO_PATH: --skip-after left none. */
static uint32_t make_path(struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                          const struct native_task *task)
{
	perf_native_stack_clear(&n->stack);
	n->is_cut = n->is_passing = false;
	n->inexact = 0;
	push_chain(n, s, e, task->is_java);
	if (!n->stack.n && !n->is_cut && !e->io.role)
		push_leaf(n, s, task->is_java);
	if (n->has_language)
		n->inexact = perf_languages_merge(n->languages, &n->stack) ? 0 : INEXACT;
	if (!n->is_cut)
		perf_native_stack_push(&n->stack, task->root);
	if (!n->stack.n)
		return NO_PATH;
	perf_native_stack_turn(&n->stack);
	return profile_path(n->sink->profile, n->stack.frames, n->stack.n);
}

/* Hashes everything that determines the stack. 0: the stack is not worth caching. */
static uint64_t key_of(const struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                       const struct native_task *task)
{
	struct perf_place kernel = {.process = n->kernel, .mode = MODE_KERNEL};
	uint64_t maps = (uint64_t)perf_symbols_generation(n->symbols, &kernel) << 32 | s->process->generation;
	uint64_t chain = hash_bytes(s->chain, s->n_chain * sizeof *s->chain);
	if (n->n_unwound)
		chain = hash_mix(chain, hash_bytes(n->unwound, n->n_unwound * sizeof *n->unwound) ^ hash_seed[0]);
	if (n->has_language)
		chain = hash_mix(chain ^ hash_seed[1], perf_languages_hash(n->languages) ^ hash_seed[0]);
	if (!(s->n_chain + n->n_unwound) || (e->is_call_stack && s->n_branches))
		return 0;
	chain = hash_mix(chain ^ maps, (uintptr_t)s->process ^ hash_seed[1]);
	return hash_mix(chain ^ task->root,
	                hash_seed[0] ^ s->ip ^ (uint64_t)e->io.role << 40 ^ (uint64_t)s->misc << 48);
}

/* *site: the node of profile.sites */
static uint32_t path_of(struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                        const struct native_task *task, uint32_t *site)
{
	n->n_unwound = perf_stacks_unwind(n->dumps, s, &n->unwound);
	uint64_t key = key_of(n, s, e, task) & ~INEXACT;
	struct native_stack *slot = &n->stacks[key & (STACKS - 1)];
	if (key && (slot->key & ~INEXACT) == key) {
		*site = slot->site;
		if (slot->key & INEXACT)
			perf_languages_inexact(n->languages);
		return slot->path;
	}
	uint32_t path = make_path(n, s, e, task);
	*site = make_sites(n);
	if (n->inexact)
		perf_languages_inexact(n->languages);
	if (key && !n->is_passing)
		*slot = (struct native_stack){key | n->inexact, path, *site};
	return path;
}

static struct off_cpu_thread thread_of(const struct native_task *task)
{
	return (struct off_cpu_thread){.tid = task->tid, .task = task->task, .root = task->root};
}

/* false: it is a sample of the CPU, and counts as such. */
static bool count_off_cpu(struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                          const struct native_task *task, struct off_cpu_stack stack)
{
	const struct off_cpu_thread thread = thread_of(task);
	if (e->is_waking)
		perf_off_cpu_wakes(n->off_cpu, perf_off_cpu_woken(s), stack.path, s->time);
	else if (e->is_off_cpu)
		perf_off_cpu_leaves(n->off_cpu, &thread, stack, s->time);
	else
		perf_off_cpu_runs(n->off_cpu, &thread, stack, s->time);
	return e->is_off_cpu || e->is_waking;
}

/* Times off the CPU that --event-filter leaves out are not looked at. */
static void begin_off_cpu(struct native *n)
{
	const struct collapse_options *o = n->sink->options;
	n->has_off_cpu = perf_off_cpu_is_in(n->recording, n->sink);
	if (n->has_off_cpu && native_events_want_off_cpu(&n->events))
		n->off_cpu = perf_off_cpu_new(n->sink, o->off_cpu_least);
	else if (!n->has_off_cpu && o->wake_stack)
		sink_warn(n->sink, "--wake-stack has no effect without --off-cpu", 0, NULL, 0);
}

/* The events are known with the first sample or switch. */
static void begin_spans(struct native *n)
{
	if (n->has_begun)
		return;
	begin_off_cpu(n);
	n->io = perf_io_new(n->sink, n->recording);
	n->events.has_off_cpu = n->off_cpu;
	n->events.io = n->io;
	n->has_begun = true;
}

static struct sample_place place_of(struct native *n, const struct perfdata_sample *s, const struct native_event *e,
                                    const struct native_task *task)
{
	struct sample_place place = {.task = task->task};
	n->has_language = perf_languages_begin(n->languages, s);
	place.path = path_of(n, s, e, task, &place.site);
	place.tags = n->has_language ? perf_languages_tags(n->languages) : 0;
	perf_languages_end(n->languages);
	return place;
}

/* Takes one end of a system call. */
static void take_call(struct native *n, const struct perfdata_sample *s, const struct native_event *e)
{
	const struct io_call *call = perf_io_call(n->io, &e->io, s);
	if (call && e->io.role == IO_ENTER) {
		perf_io_enter(n->io, call, s);
	} else if (call) {
		const struct sample_place none = {.path = NO_PATH};
		bool is_wanted = e->is_wanted || perf_io_is_named(n->sink->options);
		const struct sample_place place = is_wanted ? place_of(n, s, e, task_of(n, s)) : none;
		perf_io_exit(n->io, &e->io, call, s, &place);
	}
}

static void take_sample(void *arg, const struct perfdata_sample *s)
{
	struct native *n = arg;
	if (n->sink->profile->bound.is_reached)
		return;
	begin_spans(n);
	struct native_event *e = native_event(&n->events, s->event);
	if (e->is_language) {
		perf_languages_take(n->languages, s);
		return;
	}
	n->has_samples = true;
	n->has_chosen |= e->is_wanted || (e->io.role && perf_io_is_named(n->sink->options));
	if (!e->is_wanted && !e->io.role && !n->off_cpu)
		return;
	if (e->io.role) {
		take_call(n, s, e);
		return;
	}
	perf_runtimes_sample(n->runtimes, s, perf_languages_compile(n->languages, s));
	const struct native_task *task = task_of(n, s);
	const struct sample_place place = place_of(n, s, e, task);
	if (place.path == NO_PATH)
		return;
	if (n->off_cpu && !e->is_off_cpu_time &&
	    count_off_cpu(n, s, e, task, (struct off_cpu_stack){place.path, place.site}))
		return;
	if (!e->is_wanted) /* it only tells that its thread runs, and where */
		return;
	struct sample sample = {
		.weight = s->period, .cpu = s->cpu, .task = place.task, .tags = place.tags, .site = place.site};
	sample.time = perf_begin((struct slice){e->name.data, e->name.len}, s->time, s->period);
	sample.series = native_events_series(&n->events, e, s->event);
	profile_add(n->sink->profile, n->sink->options->side, place.path, &sample);
}

/* --- what else a recording says --- */

/* perf counts one loss in two ways; the larger count is right. */
static void take_lost(void *arg, enum perfdata_loss loss, uint64_t lost)
{
	struct native *n = arg;
	uint64_t before = n->lost[0] > n->lost[1] ? n->lost[0] : n->lost[1], now;
	if (__builtin_add_overflow(n->lost[loss], lost, &n->lost[loss]))
		n->lost[loss] = UINT64_MAX;
	now = n->lost[0] > n->lost[1] ? n->lost[0] : n->lost[1];
	weight_add(&sink_lacks(n->sink)->lost, now - before);
	if (n->io && loss == LOSS_OF_RECORDS)
		perf_io_lost(n->io);
	if (!lost)
		return;
	report_add(&n->sink->profile->report, NOTE_WARN,
	           "the recorder could not keep up and lost samples (a lower -F, or --call-graph=fp, costs less)", NULL,
	           0, NULL, 0);
}

static void take_map(void *arg, const struct perfdata_process *process, const struct perfdata_map *map)
{
	struct native *n = arg;
	perf_symbols_map(n->symbols, process, map);
	perf_runtimes_map(n->runtimes, process, map);
}

static void take_fork(void *arg, int32_t pid, int32_t parent, uint64_t time)
{
	struct native *n = arg;
	perf_symbols_fork(n->symbols, pid, parent, time);
	perf_runtimes_fork(n->runtimes, pid, parent);
}

static void take_exec(void *arg, int32_t pid, uint64_t time)
{
	struct native *n = arg;
	perf_runtimes_exec(n->runtimes, pid); /* before the symbols forget the old program */
	perf_symbols_exec(n->symbols, pid, time);
	if (n->off_cpu)
		perf_off_cpu_execs(n->off_cpu, pid);
}

static void take_switch(void *arg, const struct perfdata_switch *w)
{
	struct native *n = arg;
	begin_spans(n);
	n->has_samples |= n->has_off_cpu;
	if (!n->off_cpu)
		return;
	const struct perfdata_sample s = {.pid = w->pid, .tid = w->tid, .comm = w->comm};
	const struct off_cpu_thread thread = thread_of(task_of(n, &s));
	perf_off_cpu_switch(n->off_cpu, &thread, w);
}

static void begin_thread(void *arg, int32_t tid)
{
	struct native *n = arg;
	if (n->off_cpu)
		perf_off_cpu_begins(n->off_cpu, tid);
	if (n->io)
		perf_io_forget(n->io, tid);
}

static void end_thread(void *arg, int32_t tid)
{
	struct native *n = arg;
	if (n->off_cpu)
		perf_off_cpu_ends(n->off_cpu, tid);
	if (n->io)
		perf_io_forget(n->io, tid);
}

static void take_time(void *arg, uint64_t time)
{
	struct native *n = arg;
	if (n->off_cpu)
		perf_off_cpu_passed(n->off_cpu, time);
}

static void take_throttle(void *arg, uint64_t id, uint64_t time, bool pauses)
{
	perf_throttle_take(&((struct native *)arg)->throttle, id, time, pauses);
}

static void take_ksymbol(void *arg, const struct perfdata_ksymbol *symbol)
{
	perf_symbols_ksymbol(((struct native *)arg)->symbols, symbol);
}

static void take_note(void *arg, enum note_level level, const char *kind, uint64_t offset)
{
	struct native *n = arg;
	char place[40];
	int len = snprintf(place, sizeof place, "byte %llu", (unsigned long long)offset);
	report_add(&n->sink->profile->report, level, kind, NULL, 0, place, offset ? (size_t)len : 0);
}

/* --- the format --- */

static bool read_input(void *arg, uint64_t offset, void *into, size_t n)
{
	const struct sink *sink = arg;
	size_t done = 0;
	ssize_t got = offset > INT64_MAX / 2 ? 0 : 1;
	while (done < n && got > 0) {
		got = input_pread(sink->file, (char *)into + done, n - done, sink->file_first + offset + done, NULL);
		done += got > 0 ? (size_t)got : 0;
	}
	return done == n;
}

static void native_free(struct native *n)
{
	native_events_deinit(&n->events);
	perf_native_stack_deinit(&n->stack);
	perf_languages_free(n->languages);
	free(n->stacks);
	buf_deinit(&n->text);
	buf_deinit(&n->beginning);
	perf_spool_deinit(&n->spool);
	perf_places_free(n->places);
	perf_stacks_free(n->dumps);
	perf_off_cpu_free(n->off_cpu);
	perf_io_free(n->io);
	perf_throttle_deinit(&n->throttle);
	perf_runtimes_free(n->runtimes);
	perf_symbols_free(n->symbols);
	perf_frames_deinit(&n->known);
	perfdata_free(n->recording);
	free(n);
}

static void *native_start(struct sink *sink, struct err *err)
{
	static const struct perfdata_hooks hooks = {.sample = take_sample,
	                                            .lost = take_lost,
	                                            .map = take_map,
	                                            .fork = take_fork,
	                                            .exec = take_exec,
	                                            .ksymbol = take_ksymbol,
	                                            .switched = take_switch,
	                                            .born = begin_thread,
	                                            .ended = end_thread,
	                                            .passed = take_time,
	                                            .throttled = take_throttle,
	                                            .note = take_note};
	struct native *n = mem_zalloc(1, sizeof *n);
	n->sink = sink;
	buf_init(&n->text);
	buf_init(&n->beginning);
	perf_spool_init(&n->spool);
	n->is_direct = sink->file;
	perf_frames_init(&n->known, sink, false);
	n->stacks = mem_zalloc(STACKS, sizeof *n->stacks);
	n->recording = perfdata_new(&hooks, n);
	n->kernel = perfdata_kernel(n->recording);
	native_events_init(&n->events, sink, n->recording);
	const struct collapse_options *o = sink->options;
	n->symbols = perf_symbols_new(n->recording, &sink->profile->report,
	                              &(struct perf_symbols_source){.in = sink->file,
	                                                            .is_unpacked = o->is_unpacked,
	                                                            .places = collapse_places(o),
	                                                            .kallsyms = o->kallsyms,
	                                                            .uses_servers = o->debuginfod,
	                                                            .wants_lines = o->inline_,
	                                                            .stop = sink->stop,
	                                                            .found = o->found});
	n->places = perf_places_new(sink, &n->known, n->symbols);
	n->languages = perf_languages_new(sink);
	n->runtimes = perf_runtimes_new(n->recording, n->symbols, &sink->profile->report);
	n->dumps = perf_stacks_new(n->recording, n->symbols, &sink->profile->report);
	if (!sink->file || perfdata_read_features(n->recording, read_input, sink, err))
		return n;
	native_free(n);
	return NULL;
}

/* Compressed records count with what comes out of them. */
static bool take_bytes(struct native *n, const char *bytes, size_t len, struct err *err)
{
	uint64_t before = perfdata_unpacked(n->recording);
	bool ok = perfdata_feed(n->recording, bytes, len, err);
	profile_bound_grow(n->sink->profile, perfdata_unpacked(n->recording) - before);
	return ok;
}

/*
 * Takes the beginning of an input that is no plain file. A recording in pipe layout is read as it arrives. One in
 * file layout is held back, because its end must be read first. The same bytes always give the same profile.
 */
static bool feed_beginning(struct native *n, const char *bytes, size_t len, struct err *err)
{
	buf_add(&n->beginning, bytes, len);
	if (n->beginning.len < PERFDATA_MAGIC_MAX)
		return true;
	n->is_direct = perfdata_header_size(n->beginning.data, n->beginning.len) == HEADER_PIPE_SIZE;
	bool ok = n->is_direct ? take_bytes(n, n->beginning.data, n->beginning.len, err)
	                       : perf_spool_add(&n->spool, n->beginning.data, n->beginning.len, err);
	n->beginning.len = 0;
	return ok;
}

static bool native_feed(void *state, const char *bytes, size_t len, struct err *err)
{
	struct native *n = state;
	if (n->is_direct)
		return take_bytes(n, bytes, len, err);
	return n->spool.size ? perf_spool_add(&n->spool, bytes, len, err) : feed_beginning(n, bytes, len, err);
}

/* Reads the recording that was held back. */
static bool read_spool(struct native *n, struct err *err)
{
	char *block = mem_alloc(BLOCK);
	bool ok = perf_spool_add(&n->spool, n->beginning.data ? n->beginning.data : "", n->beginning.len, err) &&
	          perfdata_read_features(n->recording, perf_spool_read_at, &n->spool, err);
	for (uint64_t at = 0; ok && at < n->spool.size; at += BLOCK) {
		size_t len = n->spool.size - at < BLOCK ? (size_t)(n->spool.size - at) : BLOCK;
		ok = perf_spool_read_at(&n->spool, at, block, len) || fail(err, "temporary file for the recording");
		ok = ok && take_bytes(n, block, len, err);
	}
	free(block);
	return ok;
}

static bool fail_empty(const struct native *n, struct err *err)
{
	uint64_t lost = sink_lacks(n->sink)->lost;
	if (lost)
		return fail(err, "a recording without samples: all %" PRIu64 " were lost (a lower -F costs less)", lost);
	if (perfdata_has_traces(n->recording))
		return fail(err, "a recording without samples, but with traces of processors (" TRACES_ADVICE ")");
	return fail(err, "a recording without samples (too short, or asleep?)");
}

static void note_filter(const struct native *n)
{
	const struct collapse_options *o = n->sink->options;
	const char *filter = o->event_filter;
	if (filter && n->has_samples && !n->has_chosen)
		sink_warn(n->sink, "no sample is of the event that --event-filter asks for", 0, filter, strlen(filter));
	else if (filter && n->has_off_cpu && !n->off_cpu && (o->off_cpu || o->wake_stack))
		sink_warn(n->sink, "times off the CPU are left out by --event-filter", 0, filter, strlen(filter));
}

static void native_preview(const void *state, struct profile *copy)
{
	const struct native *n = state;
	if (n->off_cpu)
		perf_off_cpu_preview(n->off_cpu, copy);
}

static bool native_finish(void *state, bool ok, struct err *err)
{
	struct native *n = state;
	ok = ok && (n->is_direct || read_spool(n, err));
	ok = perfdata_finish(n->recording, ok, ok ? err : NULL) && ok;
	perf_throttle_report(&n->throttle, n->sink->profile, n->sink->options->side);
	if (n->off_cpu)
		n->has_chosen |= perf_off_cpu_finish(n->off_cpu);
	sink_lacks(n->sink)->is_cut_off |= ok && perfdata_is_cut(n->recording);
	if (ok && !n->has_samples)
		ok = fail_empty(n, err);
	note_filter(n);
	native_free(n);
	return ok;
}

/* No other format begins with these bytes, so the reader reports whatever is wrong after them. */
static enum sniff native_sniff(const struct head *head, const char **why)
{
	static const char *const magics[] = {"PERFILE2", "2ELIFREP", "PERFFILE"};
	*why = "no recording of perf record";
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		if (head->len >= 8 && memcmp(head->text, magics[i], 8) == 0)
			return SNIFF_YES;
	}
	return SNIFF_NO;
}

const struct collapse_format format_perf_data = {
	.name = "perf-data",
	.help = "perf.data: perf record -g ..., also through a pipe (perf record -o - ...)",
	.sniff = native_sniff,
	.start = native_start,
	.feed = native_feed,
	.finish = native_finish,
	.preview = native_preview,
	.is_text_stream = true,
	.names_events = true,
	.effects = EFFECT_EVENT_FILTER | EFFECT_PID | EFFECT_TID | EFFECT_KERNEL | EFFECT_JIT | EFFECT_ADDRS |
               EFFECT_INLINE | EFFECT_SKIP_AFTER | EFFECT_FILES | EFFECT_KALLSYMS | EFFECT_RECORDING |
               EFFECT_DEBUGINFOD | EFFECT_OFF_CPU | EFFECT_WAKE_STACK | EFFECT_IO,
};
