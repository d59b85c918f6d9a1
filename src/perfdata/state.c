/*
 * state.c - interprets the records of a recording.
 *
 *	MMAP        s32 pid, tid; u64 start, length, offset; name
 *	MMAP2       the same, then {u32 major, minor; u64 inode, generation} or, as misc says, {u8 n, 3 unused,
 *	            20 bytes of a build id}, u32 prot, flags; name
 *	COMM        s32 pid, tid; name
 *	FORK        s32 pid, ppid, tid, ptid; u64 time
 *	LOST        u64 id, lost
 *	LOST_SAMPLES  u64 lost; none: all up to its time have come
 *	EXIT        as FORK
 *	THROTTLE, UNTHROTTLE  u64 time, id, stream id
 *	SWITCH      nothing but the trailer
 *	SWITCH_CPU_WIDE  s32 pid, tid of the other thread
 *	NAMESPACES  s32 pid, tid; u64 n; n times {u64 device, inode}
 *	KSYMBOL     u64 address; u32 length; u16 type, flags; name
 *	CALLCHAIN_DEFERRED  u64 cookie, n; n addresses
 *
 * With sample_id_all, the trailer of event.c follows; a name's NUL separates the two.
 */
#include "perfdata/state.h"

#define MISC_MMAP_DATA (1u << 13)
#define MISC_MMAP_BUILD_ID (1u << 14)
#define MISC_COMM_EXEC (1u << 13)
#define MISC_FORK_MADE_UP (1u << 13) /* of a process already running; its maps follow */
#define MISC_LOST_ON_PURPOSE (1u << 15)
#define MISC_SWITCH_OUT (1u << 13)
#define MISC_SWITCH_PREEMPTED (1u << 14)
#define KSYMBOL_GONE 1u
#define UPDATE_NAME 2u
#define MOST_DEFERRED ((size_t)64 << 20) /* bytes of samples that wait for their callers */

static void take_deferred(void *arg, const struct perfdata_sample *, enum perfdata_callers);

void perfdata_state_init(struct perfdata_state *s, const struct perfdata_hooks *hooks, void *arg)
{
	*s = (struct perfdata_state){.hooks = *hooks, .arg = arg};
	arena_init(&s->texts);
	perfdata_events_init(&s->events, &s->texts);
	perfdata_processes_init(&s->processes);
	perfdata_deferred_init(&s->deferred, MOST_DEFERRED, take_deferred, s);
	s->features = (struct perfdata_features){.texts = &s->texts, .events = &s->events, .files = &s->files};
}

void perfdata_state_deinit(struct perfdata_state *s)
{
	perfdata_events_deinit(&s->events);
	perfdata_files_deinit(&s->files);
	perfdata_processes_deinit(&s->processes);
	perfdata_deferred_deinit(&s->deferred);
	arena_deinit(&s->texts);
}

void perfdata_state_note(struct perfdata_state *s, enum note_level level, const char *kind, uint64_t offset)
{
	if (s->hooks.note)
		s->hooks.note(s->arg, level, kind, offset);
}

static void damaged(struct perfdata_state *s, const struct perfdata_record *r)
{
	perfdata_state_note(s, NOTE_WARN, "a record is shorter than what it has to hold (a damaged file?)", r->offset);
}

/* --- processes --- */

/* Takes the fields that an MMAP2 has beyond an MMAP. */
static void parse_origin(struct perfdata_bytes *b, bool has_build_id, struct perfdata_file *file)
{
	if (!has_build_id) {
		file->major = bytes_u32(b);
		file->minor = bytes_u32(b);
		file->inode = bytes_u64(b);
		bytes_skip(b, 8);
		return;
	}
	const unsigned char *id = bytes_take(b, 4 + BUILD_ID_MAX);
	if (!id)
		return;
	file->build_id.n = id[0] < BUILD_ID_MAX ? id[0] : BUILD_ID_MAX;
	memcpy(file->build_id.bytes, id + 4, file->build_id.n);
}

/* Did an event ask for build ids? If only another program did, the kernel sets the mark without them. */
static bool has_build_ids(const struct perfdata_state *s)
{
	return s->events.flags & EVENT_BUILD_ID;
}

static void take_map(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	struct perfdata_file file = {0};
	struct perfdata_map map = {0};
	unsigned mode = r->misc & CPUMODE;
	int32_t pid = bytes_s32(&b);
	size_t len;
	if (r->misc & MISC_MMAP_DATA || mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER)
		return;
	bytes_skip(&b, 4);
	map.start = bytes_u64(&b);
	uint64_t length = bytes_u64(&b);
	map.end = length > UINT64_MAX - map.start ? UINT64_MAX : map.start + length;
	map.pgoff = bytes_u64(&b);
	if (r->type == RECORD_MMAP2) {
		parse_origin(&b, r->misc & MISC_MMAP_BUILD_ID && has_build_ids(s), &file);
		map.prot = bytes_u32(&b);
		bytes_skip(&b, 4);
	}
	if (b.is_bad) {
		damaged(s, r);
		return;
	}
	const char *name = bytes_text(&b, &len);
	map.file = perfdata_files_add(&s->files, name, len, &file);
	struct perfdata_process *process = perfdata_process(&s->processes, mode == MODE_KERNEL ? KERNEL_PID : pid);
	perfdata_process_map(process, &map);
	if (s->hooks.map)
		s->hooks.map(s->arg, process, &map);
}

static struct perfdata_trailer trailer_of(const struct perfdata_state *s, const struct perfdata_record *r)
{
	uint32_t event = perfdata_events_of(&s->events, r->body, false);
	return event == UINT32_MAX ? (struct perfdata_trailer){-1, -1, NO_RECORD_TIME, UINT32_MAX}
	                           : perfdata_event_trailer(&s->events.all[event], r->body);
}

static void take_comm(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	int32_t pid = bytes_s32(&b), tid = bytes_s32(&b);
	size_t len;
	const char *comm = bytes_text(&b, &len);
	if (b.is_bad) {
		damaged(s, r);
		return;
	}
	perfdata_set_comm(&s->processes, tid, comm, len);
	uint64_t time = r->misc & MISC_COMM_EXEC ? trailer_of(s, r).time : NO_RECORD_TIME;
	if (s->hooks.exec && time != NO_RECORD_TIME)
		s->hooks.exec(s->arg, pid, time);
}

static void take_fork(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	struct perfdata_fork fork = {.pid = bytes_s32(&b)};
	fork.ppid = bytes_s32(&b);
	fork.tid = bytes_s32(&b);
	fork.ptid = bytes_s32(&b);
	fork.keeps_maps = !(r->misc & MISC_FORK_MADE_UP);
	if (b.is_bad) {
		damaged(s, r);
		return;
	}
	uint64_t time = bytes_u64(&b);
	s->has_births |= fork.keeps_maps;
	perfdata_fork(&s->processes, &fork);
	if (s->hooks.born)
		s->hooks.born(s->arg, fork.tid);
	if (s->hooks.fork && fork.keeps_maps && fork.pid != fork.ppid)
		s->hooks.fork(s->arg, fork.pid, fork.ppid, time);
}

static void take_exit(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	bytes_skip(&b, 8);
	int32_t tid = bytes_s32(&b);
	if (b.is_bad) {
		damaged(s, r);
		return;
	}
	perfdata_deferred_end(&s->deferred, tid);
	if (s->hooks.ended)
		s->hooks.ended(s->arg, tid);
}

static void take_namespaces(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	struct perfdata_process *process = perfdata_process(&s->processes, bytes_s32(&b));
	bytes_skip(&b, 4);
	uint64_t n = bytes_u64(&b);
	for (uint64_t i = 0; i < n && i < NAMESPACES; i++) {
		bytes_skip(&b, 8);
		process->namespaces[i] = bytes_u64(&b);
	}
	if (b.is_bad)
		damaged(s, r);
}

/* --- the rest --- */

static void take_switch(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_trailer t = trailer_of(s, r);
	if (!s->hooks.switched || t.tid < 0 || t.time == NO_RECORD_TIME)
		return;
	struct perfdata_switch w = {.pid = t.pid, .tid = t.tid, .time = t.time, .cpu = t.cpu};
	w.comm = perfdata_comm(&s->processes, t.tid);
	w.is_out = r->misc & MISC_SWITCH_OUT;
	w.is_preempted = r->misc & MISC_SWITCH_PREEMPTED;
	s->hooks.switched(s->arg, &w);
}

static void take_ksymbol(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	struct perfdata_ksymbol symbol = {.address = bytes_u64(&b)};
	symbol.length = bytes_u32(&b);
	bytes_skip(&b, 2);
	symbol.is_gone = bytes_u16(&b) & KSYMBOL_GONE;
	symbol.name = bytes_text(&b, &symbol.name_len);
	if (b.is_bad)
		damaged(s, r);
	else if (s->hooks.ksymbol)
		s->hooks.ksymbol(s->arg, &symbol);
}

static void take_lost(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	bool of_records = r->type == RECORD_LOST;
	if (of_records)
		bytes_skip(&b, 8);
	uint64_t n = bytes_u64(&b);
	if (b.is_bad)
		damaged(s, r);
	else if (!n && !of_records && s->hooks.passed)
		s->hooks.passed(s->arg, trailer_of(s, r).time);
	else if (s->hooks.lost && (n || of_records) && !(r->misc & MISC_LOST_ON_PURPOSE))
		s->hooks.lost(s->arg, of_records ? LOSS_OF_RECORDS : LOSS_OF_SAMPLES, n);
}

static void take_throttle(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	uint64_t time = bytes_u64(&b);
	bytes_skip(&b, 8);
	uint64_t stream = bytes_u64(&b); /* one for each counter, where the id may stand for its children, too */
	if (b.is_bad)
		damaged(s, r);
	else if (s->hooks.throttled)
		s->hooks.throttled(s->arg, stream, time, r->type == RECORD_THROTTLE);
}

/* --- samples --- */

static void bad_sample(struct perfdata_state *s, const char *kind, uint64_t offset)
{
	s->bad_samples++;
	perfdata_state_note(s, NOTE_WARN, kind, offset);
}

static void take_deferred(void *arg, const struct perfdata_sample *sample, enum perfdata_callers callers)
{
	struct perfdata_state *s = arg;
	if (callers == CALLERS_TOO_MANY)
		perfdata_state_note(s, NOTE_WARN,
		                    "a sample lacks its callers in user space: too many samples waited for theirs", 0);
	else if (callers == CALLERS_MISSING)
		perfdata_state_note(s, NOTE_WARN,
		                    "a sample lacks its callers in user space, which did not come (--call-graph=fp,defer)",
		                    0);
	if (s->hooks.sample)
		s->hooks.sample(s->arg, sample);
}

static void take_callers(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	uint64_t cookie = bytes_u64(&b), n = bytes_u64(&b);
	int32_t tid = trailer_of(s, r).tid;
	if (b.is_bad || n > b.n / 8) {
		damaged(s, r);
		return;
	}
	b.n = (size_t)n * 8;
	perfdata_deferred_meet(&s->deferred, tid, cookie, b);
}

static void hand_on(struct perfdata_state *s, const struct perfdata_sample *sample, const struct perfdata_record *r)
{
	if (perfdata_sample_is_deferred(sample))
		perfdata_deferred_add(&s->deferred, sample, r->body);
	else if (s->hooks.sample)
		s->hooks.sample(s->arg, sample);
}

void perfdata_state_finish(struct perfdata_state *s)
{
	perfdata_deferred_flush(&s->deferred);
}

/*
 * A reading is its counter's total; the sample stands for the increase since the last reading. If the total became
 * less, a thread began that has the number of an earlier one.
 */
static void hand_on_reading(struct perfdata_state *s, struct perfdata_sample *sample, struct perfdata_reading r,
                            const struct perfdata_record *record)
{
	uint64_t *last = r.id ? perfdata_events_reading(&s->events, r.id, sample->tid) : NULL;
	if (!last && sample->read_format & READ_GROUP) {
		perfdata_state_note(s, NOTE_WARN,
		                    "counts of a group's counter that the recording does not describe are left out",
		                    record->offset);
		return;
	}
	if (last) {
		sample->event = perfdata_events_counter(&s->events, r.id)->event;
		sample->period = r.value < *last ? r.value : r.value - *last;
		sample->has_period = true;
		*last = r.value;
	}
	if (!last || sample->period)
		hand_on(s, sample, record);
}

static void take_sample(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_sample sample;
	uint32_t event = perfdata_events_of(&s->events, r->body, true);
	if (event == UINT32_MAX) {
		bad_sample(s, "a sample of an event that the recording does not describe (another recorder's?)", r->offset);
		return;
	}
	if (!perfdata_sample_parse(&sample, &s->events.all[event], r->misc, r->body)) {
		bad_sample(s, "a sample has other fields than its event says (damaged, or of a newer kernel)", r->offset);
		return;
	}
	sample.event = event;
	sample.comm = perfdata_comm(&s->processes, sample.tid);
	sample.process = perfdata_process(&s->processes, sample.pid);
	bool has_ids = sample.read_format & READ_ID;
	if (sample.n_readings > 1 && !has_ids)
		perfdata_state_note(s, NOTE_WARN,
		                    "the recording does not say whose the counts of a group are: only the event that took "
		                    "the samples is counted",
		                    r->offset);
	perfdata_deferred_new_record(&s->deferred);
	if (!sample.n_readings || !has_ids)
		hand_on(s, &sample, r);
	for (size_t n = has_ids ? sample.n_readings : 0; n; n--)
		hand_on_reading(s, &sample, perfdata_sample_reading(&sample), r);
}

void perfdata_state_take(struct perfdata_state *s, const struct perfdata_record *r)
{
	static void (*const take[])(struct perfdata_state *, const struct perfdata_record *) = {
		[RECORD_MMAP] = take_map,
		[RECORD_LOST] = take_lost,
		[RECORD_COMM] = take_comm,
		[RECORD_FORK] = take_fork,
		[RECORD_SAMPLE] = take_sample,
		[RECORD_MMAP2] = take_map,
		[RECORD_LOST_SAMPLES] = take_lost,
		[RECORD_NAMESPACES] = take_namespaces,
		[RECORD_KSYMBOL] = take_ksymbol,
		[RECORD_EXIT] = take_exit,
		[RECORD_THROTTLE] = take_throttle,
		[RECORD_UNTHROTTLE] = take_throttle,
		[RECORD_SWITCH] = take_switch,
		[RECORD_SWITCH_CPU_WIDE] = take_switch,
		[RECORD_CALLCHAIN_DEFERRED] = take_callers,
	};
	if (r->type < sizeof take / sizeof *take && take[r->type])
		take[r->type](s, r);
}

/* --- descriptions --- */

static void describe_event(struct perfdata_state *s, struct perfdata_bytes b)
{
	struct perfdata_bytes size = b;
	bytes_skip(&size, 4);
	struct perfdata_event event = perfdata_event_parse(&b, bytes_u32(&size));
	uint32_t number = b.is_bad ? UINT32_MAX : perfdata_events_add(&s->events, &event);
	if (number != UINT32_MAX)
		perfdata_events_add_ids(&s->events, number, &b);
}

static void update_event(struct perfdata_state *s, struct perfdata_bytes b)
{
	uint64_t what = bytes_u64(&b), id = bytes_u64(&b);
	struct perfdata_counter *counter = perfdata_events_counter(&s->events, id);
	size_t len;
	const char *text = bytes_text(&b, &len);
	s->has_names |= what == UPDATE_NAME;
	if (what == UPDATE_NAME && counter)
		perfdata_events_name(&s->events, counter->event, text, len);
}

void perfdata_state_describe(struct perfdata_state *s, const struct perfdata_record *r)
{
	struct perfdata_bytes b = r->body;
	s->has_traces |= r->type == RECORD_AUXTRACE;
	if (r->type == RECORD_HEADER_ATTR) {
		describe_event(s, b);
	} else if (r->type == RECORD_EVENT_UPDATE) {
		update_event(s, b);
	} else if (r->type == RECORD_HEADER_FEATURE) {
		uint64_t feature = bytes_u64(&b);
		if (feature < FEATURES && !perfdata_feature_parse(&s->features, (unsigned)feature, b))
			damaged(s, r);
	} else if (r->type == RECORD_TRACING_DATA && !perfdata_feature_parse(&s->features, FEATURE_TRACING_DATA, b)) {
		damaged(s, r);
	} else if (r->type == RECORD_BUILD_ID && !perfdata_build_id_parse(&s->features, r->misc, b)) {
		damaged(s, r);
	}
}
