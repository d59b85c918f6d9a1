/*
 * recording.c - writes a recording of tests/data/collapse/perf-data to standard output: `recording NAME >NAME.in`
 *
 *	all          everything that options of the format have an effect on
 *	lbr          calls that the processor recorded
 *	markers      chains of several spaces, and with values that are neither addresses nor markers
 *	packed       the beginning of `all` as perf record -z -o - writes it
 *	killed       `markers`, left behind by a recorder that was killed
 *	big-endian   `all`, of another machine
 *	switches     context switches, and who wakes up threads
 *	off-cpu      the same of flametop, whose event says that they are time
 *	calls        system calls, of a kernel that has more in front of the fields of tracepoints
 *	io           the same of flametop, whose events say that they are I/O
 *	throttled    pauses that the kernel made
 *	lost         nothing but losses
 *	files        as many files as a list has room for before it grows
 *	dumps        copies of the stack, of functions that keep frame pointers
 *
 * Functions have names although no file is there: the kernel made them during the recording.
 */
#include "perfdata/perfdata.h"
#include "tests/unit/perfdata_writer.h"

#define SPIN 0xffffffffc0001000
#define LEAF 0xffffffffc0002000
#define KERNEL 0xffffffff81000000
#define MODULE 0x7f0000000000
#define JIT 0x7e0000000000
#define STACK 0x7ffd00000000
#define PID 2147480000u /* no process has it */
#define MOST ((size_t)8)

#define TYPE (FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_CPU | FIELD_PERIOD | FIELD_CALLCHAIN)

static bool has_dumps, is_ours;
static int64_t call_number, call_result = INT64_MIN; /* of the next sample; INT64_MIN: samples are of wake-ups */
static size_t n_events = 2;

static struct perfdata_event events[3] = {
	{.type = EVENT_HARDWARE, .config = 0, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL | EVENT_FREQ},
	{.type = EVENT_SOFTWARE, .config = 2, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL | EVENT_FREQ},
	{.type = EVENT_TRACEPOINT, .config = 375, .sample_type = TYPE | FIELD_RAW, .flags = EVENT_SAMPLE_ID_ALL},
};

static void put_map(struct writer *w, unsigned mode, uint32_t pid, uint64_t start, const char *name)
{
	begin_record(w, RECORD_MMAP2, mode);
	put_u32(w, pid);
	put_u32(w, pid);
	put_u64(w, start);
	put_u64(w, 0x100000);
	put_u64(w, mode == MODE_KERNEL ? start : 0x1000);
	put_zeros(w, 24);
	put_u64(w, 5);
	put_name(w, name);
	end_with_id(w, &events[0], 0, 0);
}

static void put_ksymbol(struct writer *w, uint64_t address, const char *name)
{
	begin_record(w, RECORD_KSYMBOL, MODE_KERNEL);
	put_u64(w, address);
	put_u32(w, 0x100);
	put_u16(w, 1);
	put_u16(w, 0);
	put_name(w, name);
	end_with_id(w, &events[0], 0, 0);
}

static void put_comm(struct writer *w, uint32_t pid, uint32_t tid, const char *name)
{
	begin_record(w, RECORD_COMM, 0);
	put_u32(w, pid);
	put_u32(w, tid);
	put_name(w, name);
	end_with_id(w, &events[0], 0, 0);
}

/* The chain ends with 0. Branches: a call to and a call from each address. */
static void put_sample(struct writer *w, uint64_t time, size_t event, uint32_t tid, uint64_t period,
                       const uint64_t chain[MOST])
{
	size_t n = 0;
	while (n < MOST && chain[n])
		n++;
	begin_record(w, RECORD_SAMPLE, n && chain[0] == CHAIN_USER ? MODE_USER : MODE_KERNEL);
	put_u64(w, id_of(event));
	put_u64(w, LEAF);
	put_u32(w, PID);
	put_u32(w, tid);
	put_u64(w, time * 1000000000);
	put_u32(w, (uint32_t)event);
	put_u32(w, 0);
	put_u64(w, period);
	put_u64(w, n);
	for (size_t i = 0; i < n; i++)
		put_u64(w, chain[i]);
	if (events[event].sample_type & FIELD_RAW && call_result != INT64_MIN) {
		put_u32(w, 36);
		put_zeros(w, 16);
		put_u64(w, (uint64_t)call_number);
		put_u64(w, (uint64_t)call_result);
		put_u32(w, 0);
	} else if (events[event].sample_type & FIELD_RAW) { /* a wake-up of the main thread */
		put_u32(w, 36);
		put_zeros(w, 24);
		put_u32(w, PID);
		put_zeros(w, 8);
	}
	if (events[event].sample_type & FIELD_BRANCH_STACK) {
		put_u64(w, 2);
		for (uint64_t i = 0; i < 2; i++) {
			put_u64(w, JIT + 0x100 * i);
			put_u64(w, MODULE + 0x100 * i);
			put_u64(w, 0);
		}
	}
	end_record(w);
}

static void put_world(struct writer *w)
{
	put_map(w, MODE_KERNEL, UINT32_MAX, KERNEL, "[kernel.kallsyms]_text");
	put_ksymbol(w, SPIN, "spin");
	put_ksymbol(w, LEAF, "leaf");
	put_comm(w, PID, PID, "app one");
	put_comm(w, PID, PID + 1, "worker");
	put_map(w, MODE_USER, PID, MODULE, "/memfd:lib;so (deleted)");
	put_map(w, MODE_USER, PID, JIT, "//anon");
}

static void put_all(struct writer *w)
{
	put_world(w);
	put_sample(w, 2, 0, PID, 7,
	           (uint64_t[MOST]){CHAIN_KERNEL, LEAF, SPIN + 1, KERNEL + 16, CHAIN_USER, JIT + 1, MODULE + 2});
	put_sample(w, 1, 0, PID + 1, 5, (uint64_t[MOST]){CHAIN_USER, MODULE + 5, 0x1234});
	put_sample(w, 3, 1, PID, 2, (uint64_t[MOST]){CHAIN_KERNEL, SPIN});
	put_sample(w, 4, 0, PID + 2, 3, (uint64_t[MOST]){0});
	put_round(w);
}

static void put_switch(struct writer *w, uint64_t time, unsigned misc, uint32_t tid)
{
	begin_record(w, RECORD_SWITCH, misc);
	put_u32(w, PID);
	put_u32(w, tid);
	put_u64(w, time * 1000000000);
	put_u64(w, 0);
	put_u64(w, id_of(1));
	end_record(w);
}

static void put_name_of(struct writer *w, size_t event, const char *name)
{
	begin_record(w, RECORD_EVENT_UPDATE, 0);
	put_u64(w, 2);
	put_u64(w, id_of(event));
	put_name(w, name);
	end_record(w);
}

static void put_off_cpu(struct writer *w)
{
	const unsigned out = 1u << 13, preempted = out | 1u << 14;
	put_name_of(w, 2, "sched:sched_waking");
	if (is_ours)
		put_name_of(w, 1, "off-cpu");
	put_world(w);
	put_sample(w, 1, 0, PID, 1000000000, (uint64_t[MOST]){CHAIN_USER, MODULE + 5});
	put_sample(w, 2, 1, PID, 1, (uint64_t[MOST]){CHAIN_KERNEL, SPIN, CHAIN_USER, MODULE + 2});
	put_switch(w, 3, out, PID);
	put_sample(w, 6, 2, PID + 1, 1, (uint64_t[MOST]){CHAIN_KERNEL, LEAF, CHAIN_USER, JIT + 1});
	put_switch(w, 7, 0, PID);
	put_sample(w, 8, 1, PID, 1, (uint64_t[MOST]){CHAIN_KERNEL, LEAF});
	put_switch(w, 8, preempted, PID);
	put_switch(w, 10, 0, PID);
	put_sample(w, 12, 1, PID + 1, 1, (uint64_t[MOST]){CHAIN_KERNEL, SPIN});
	put_switch(w, 12, out, PID + 1);
	put_sample(w, 15, 0, PID, 1000000000, (uint64_t[MOST]){CHAIN_USER, MODULE + 5});
	put_round(w);
}

/* One end of a call: its beginning, if the result is 0x7fffffff. */
#define BEGINS INT32_MAX
static void put_end(struct writer *w, uint64_t time, uint32_t tid, int64_t number, int64_t result)
{
	call_number = number;
	call_result = result;
	put_sample(w, time, result == BEGINS, tid, 1, (uint64_t[MOST]){CHAIN_KERNEL, SPIN, CHAIN_USER, MODULE + 2});
}

static void put_format(struct writer *w, int id, const char *name, const char *second)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text,
	         "name: %s\nID: %d\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	         "\n\tfield:long id;\toffset:16;\tsize:8;\tsigned:1;\n%s\nprint fmt: \"\"\n",
	         name, id, second);
	put_u64(w, text.len);
	buf_add(&w->out, text.data, text.len);
	buf_deinit(&text);
}

static void put_formats(struct writer *w)
{
	struct writer data = writer_new(w->is_swapped);
	buf_add(&data.out, "\x17\x08\x44tracing0.6\0\0\x08", 16);
	put_u32(&data, 4096);
	buf_add(&data.out, "header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0", 41);
	put_u32(&data, 0);
	put_u32(&data, 1);
	buf_add(&data.out, "raw_syscalls", 13);
	put_u32(&data, 2);
	put_format(&data, 443, "sys_enter", "\tfield:unsigned long args[6];\toffset:24;\tsize:48;\tsigned:0;\n");
	put_format(&data, 442, "sys_exit", "\tfield:long ret;\toffset:24;\tsize:8;\tsigned:1;\n");
	put_zeros(&data, 16);
	begin_record(w, RECORD_TRACING_DATA, 0);
	put_u32(w, (uint32_t)data.out.len);
	end_record(w);
	buf_add(&w->out, data.out.data, data.out.len);
	put_zeros(w, (8 - data.out.len % 8) % 8);
	writer_end(&data);
}

static void put_calls(struct writer *w)
{
	put_name_of(w, 0, is_ours ? "io-exit" : "raw_syscalls:sys_exit");
	put_name_of(w, 1, is_ours ? "io-enter" : "raw_syscalls:sys_enter");
	put_formats(w);
	begin_record(w, RECORD_HEADER_FEATURE, 0);
	put_u64(w, FEATURE_ARCH);
	put_text(w, "x86_64");
	end_record(w);
	put_world(w);
	put_end(w, 1, PID, 0, 100); /* it began before */
	put_end(w, 2, PID, 0, BEGINS);
	put_end(w, 3, PID + 1, 1, BEGINS);
	put_end(w, 5, PID + 1, 1, 4096);
	put_end(w, 6, PID, 0, 1000);
	put_end(w, 7, PID, 257, BEGINS);
	put_end(w, 8, PID, 257, -2);
	put_end(w, 9, PID + 1, 74, BEGINS); /* it does not return */
	put_end(w, 10, PID, 3, BEGINS);
	put_end(w, 11, PID, 3, 0);
	put_end(w, 12, PID, 0, BEGINS);
	put_end(w, 13, PID, 0, -11);
	put_end(w, 14, PID, 0, BEGINS);
	begin_record(w, RECORD_LOST, 0);
	put_u64(w, id_of(0));
	put_u64(w, 3);
	end_with_id(w, &events[0], 15000000000, id_of(0));
	put_end(w, 16, PID, 0, 7); /* of which call is unknown */
	put_round(w);
}

static void put_throttle(struct writer *w, uint32_t type, uint64_t time, uint64_t stream)
{
	begin_record(w, type, 0);
	put_u64(w, time * 1000000000);
	put_u64(w, id_of(0));
	put_u64(w, stream);
	end_with_id(w, &events[0], time * 1000000000, id_of(0));
}

/* Two counters; the pause of one has no end, and an end has no pause. */
static void put_throttled(struct writer *w)
{
	put_all(w);
	put_throttle(w, RECORD_THROTTLE, 5, 1);
	put_throttle(w, RECORD_THROTTLE, 6, 2);
	put_throttle(w, RECORD_THROTTLE, 7, 1);
	put_throttle(w, RECORD_UNTHROTTLE, 8, 1);
	put_throttle(w, RECORD_UNTHROTTLE, 9, 1);
	put_throttle(w, RECORD_UNTHROTTLE, 9, 3);
	put_round(w);
}

static void put_markers(struct writer *w)
{
	put_world(w);
	put_sample(w, 1, 0, PID, 1, (uint64_t[MOST]){CHAIN_KERNEL, LEAF, CHAIN_USER, MODULE, (uint64_t)-8, JIT});
	put_sample(w, 2, 0, PID, 1, (uint64_t[MOST]){CHAIN_HYPERVISOR, KERNEL, CHAIN_KERNEL, SPIN});
	put_sample(w, 3, 0, PID, 1, (uint64_t[MOST]){MODULE});
	put_sample(w, 4, 0, PID, 1, (uint64_t[MOST]){(uint64_t)-8});
	/* A call at the end of one function returns to the beginning of the next; an interrupt may stop it anywhere. */
	put_sample(w, 5, 0, PID, 1, (uint64_t[MOST]){CHAIN_USER, MODULE, JIT, JIT + 0x100000, MODULE + 0x100000});
}

/* With build ids. The kernel gets its file when the first sample is looked up. */
static void put_files(struct writer *w)
{
	char name[] = "/none/a.so";
	put_comm(w, PID, PID, "app");
	for (unsigned i = 0; i < 16; i++) {
		name[6] = (char)('a' + i);
		begin_record(w, RECORD_MMAP2, MODE_USER | 1u << 14);
		put_u32(w, PID);
		put_u32(w, PID);
		put_u64(w, MODULE + 0x1000000 * i);
		put_u64(w, 0x100000);
		put_u64(w, 0x1000);
		put_u32(w, 20);
		for (unsigned k = 0; k < 5; k++)
			put_u32(w, i);
		put_u64(w, 5);
		put_name(w, name);
		end_with_id(w, &events[0], 0, 0);
	}
	put_sample(w, 1, 0, PID, 1, (uint64_t[MOST]){CHAIN_USER, MODULE + 0x8000010, MODULE + 0x1000010});
}

/* A sample with `words` as the copy of the stack; only the first `real` ones belong to the stack. */
static void put_dump(struct writer *w, uint64_t time, const uint64_t chain[MOST], uint64_t ip, size_t real,
                     const uint64_t words[MOST])
{
	size_t n = 0;
	while (n < MOST && chain[n])
		n++;
	begin_record(w, RECORD_SAMPLE, n ? MODE_KERNEL : MODE_USER);
	put_u64(w, id_of(0));
	put_u64(w, n ? LEAF : ip);
	put_u32(w, PID);
	put_u32(w, PID);
	put_u64(w, time * 1000000000);
	put_u64(w, 0);
	put_u64(w, 1);
	put_u64(w, n);
	for (size_t i = 0; i < n; i++)
		put_u64(w, chain[i]);
	put_u64(w, ip ? 2 : 0); /* a 64-bit process has registers, a kernel thread has none */
	if (ip) {
		put_u64(w, STACK);
		put_u64(w, STACK);
		put_u64(w, ip);
	}
	put_u64(w, ip ? 8 * MOST : 0);
	for (size_t i = 0; ip && i < MOST; i++)
		put_u64(w, words[i]);
	if (ip)
		put_u64(w, 8 * real);
	end_record(w);
}

/* A frame pointer points to a record of two words: the next frame pointer and the return address. */
static void put_dumps(struct writer *w)
{
	const uint64_t system[MOST] = {CHAIN_KERNEL, LEAF, SPIN + 1}, none[MOST] = {0};
	put_world(w);
	put_dump(w, 1, none, JIT + 16, MOST,
	         (uint64_t[MOST]){STACK + 24, MODULE + 0x201, 0, STACK + 48, JIT + 0x301, 0, 0, JIT + 0x401});
	/* The same chain, and another stack. */
	put_dump(w, 2, none, JIT + 16, MOST, (uint64_t[MOST]){STACK + 24, MODULE + 0x201, 0, 0, JIT + 0x501});
	/* Functions of the kernel come first; then a kernel thread, which has no user stack. */
	put_dump(w, 3, system, JIT + 16, MOST, (uint64_t[MOST]){0, MODULE + 0x101});
	put_dump(w, 4, system, 0, 0, none);
	/* The stack goes on beyond a full copy, and seems to go on beyond a copy of all there was. */
	put_dump(w, 5, none, JIT + 16, MOST, (uint64_t[MOST]){STACK + 800, MODULE + 0x201});
	put_dump(w, 6, none, JIT + 16, 4, (uint64_t[MOST]){STACK + 800, MODULE + 0x201});
	/* A call that is the first byte of a map: its return address is in the map, too. */
	put_dump(w, 7, none, JIT + 16, MOST, (uint64_t[MOST]){0, MODULE + 1});
}

static void put_text_of(struct writer *w, uint64_t *place, uint64_t base, const char *text)
{
	size_t before = w->out.len;
	put_text(w, text);
	place[0] = base + before;
	place[1] = w->out.len - before;
}

/* Describes another system than the one that reads this, so that the reader's kernel symbols do not matter. */
static void put_features(struct writer *w, uint64_t base)
{
	struct writer texts = writer_new(w->is_swapped);
	static const char *const words[] = {"0.0.0-recorded", "x86_64"};
	uint64_t place[2];
	size_t n = has_dumps ? 2 : 1;
	for (size_t i = 0; i < n; i++) {
		put_text_of(&texts, place, base + 16 * n, words[i]);
		put_u64(w, place[0]);
		put_u64(w, place[1]);
	}
	buf_add(&w->out, texts.out.data, texts.out.len);
	writer_end(&texts);
}

static void put_lost(struct writer *w)
{
	for (uint64_t i = 0; i < 2; i++) {
		begin_record(w, RECORD_LOST, 0);
		put_u64(w, 1);
		put_u64(w, 6000 + i);
		end_with_id(w, &events[0], 1000000000 + i, 0);
	}
}

static void put_file(struct writer *w, void (*put)(struct writer *), bool is_complete)
{
	struct writer records = writer_new(w->is_swapped);
	put(&records);
	put_file_header(w, events, n_events, is_complete ? records.out.len : 0,
	                1 << FEATURE_OSRELEASE | (has_dumps ? 1 << FEATURE_ARCH : 0));
	buf_add(&w->out, records.out.data, records.out.len);
	if (is_complete)
		put_features(w, w->out.len);
	writer_end(&records);
}

static void put_packed(struct writer *w)
{
	struct writer records = writer_new(false);
	put_all(&records);
	put_pipe_header(w, events, 2);
	begin_record(w, RECORD_HEADER_FEATURE, 0);
	put_u64(w, FEATURE_OSRELEASE);
	put_text(w, "0.0.0-recorded");
	end_record(w);
	for (size_t i = 0; i < records.out.len; i += 100)
		put_compressed(w, records.out.data + i, records.out.len - i < 100 ? records.out.len - i : 100,
		               i % 200 ? RECORD_COMPRESSED : RECORD_COMPRESSED2);
	writer_end(&records);
}

static void (*content_of(const char *name))(struct writer *)
{
	if (strcmp(name, "markers") == 0 || strcmp(name, "killed") == 0)
		return put_markers;
	if (strcmp(name, "files") == 0)
		return put_files;
	if (strcmp(name, "lost") == 0)
		return put_lost;
	return strcmp(name, "throttled") == 0 ? put_throttled : put_all;
}

int main(int argc, char **argv)
{
	const char *name = argc == 2 ? argv[1] : "";
	struct writer w = writer_new(strcmp(name, "big-endian") == 0);
	if (strcmp(name, "lbr") == 0) {
		for (size_t i = 0; i < 2; i++) {
			events[i].sample_type |= FIELD_BRANCH_STACK;
			events[i].branch_sample_type = 1 << 11;
		}
	}
	if (strcmp(name, "files") == 0)
		events[0].flags |= EVENT_BUILD_ID;
	is_ours = strcmp(name, "off-cpu") == 0;
	if (is_ours || strcmp(name, "switches") == 0) {
		n_events = 3;
		events[0].type = EVENT_SOFTWARE; /* cpu-clock */
		events[1].config = 3;
		events[1].sample_period = 1;
		events[1].flags = EVENT_SAMPLE_ID_ALL | EVENT_CONTEXT_SWITCH;
		put_file(&w, put_off_cpu, true);
	} else if (strcmp(name, "calls") == 0 || strcmp(name, "io") == 0) {
		is_ours = strcmp(name, "io") == 0;
		events[0] = events[1] = events[2];
		events[0].config = 442;
		events[1].config = 443;
		put_file(&w, put_calls, true);
	} else if (strcmp(name, "dumps") == 0) {
		has_dumps = true;
		events[0].sample_type |= FIELD_REGS_USER | FIELD_STACK_USER;
		events[0].sample_regs_user = 7 << 6; /* frame pointer, stack pointer, program counter */
		put_file(&w, put_dumps, true);
	} else if (strcmp(name, "packed") == 0)
		put_packed(&w);
	else
		put_file(&w, content_of(name), strcmp(name, "killed") != 0);
	fwrite(w.out.data, 1, w.out.len, stdout);
	writer_end(&w);
	return argc == 2 ? 0 : 2;
}
