/* Reads whole recordings: files, pipes, packed ones, in either byte order, cut anywhere, damaged anywhere. */
#include <inttypes.h>

#include "base/mem.h"
#include "perfdata/perfdata.h"
#include "perfdata_writer.h"

#define TYPE (FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_PERIOD)
#define ALL_FEATURES \
	(1u << FEATURE_OSRELEASE | 1u << FEATURE_CMDLINE | 1u << FEATURE_EVENT_DESC | 1u << FEATURE_BUILD_ID | 1u << 13)

/* Two events with different fields: the second one carries a chain. */
static const struct perfdata_event events[2] = {
	{.type = 1, .config = 0, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL | EVENT_FREQ, .sample_period = 99},
	{.type = 0, .config = 3, .sample_type = TYPE | FIELD_CALLCHAIN | FIELD_CPU, .flags = EVENT_SAMPLE_ID_ALL},
};

/* --- what is read, as text --- */

struct seen {
	struct perfdata *p;
	struct buf text, notes;
	uint64_t samples;
};

static void see_address(struct seen *s, const struct perfdata_sample *sample, uint64_t address)
{
	bool is_kernel = address >> 63;
	const struct perfdata_map *map = perfdata_map_at(is_kernel ? perfdata_kernel(s->p) : sample->process, address);
	if (map)
		buf_addf(&s->text, " %s+%" PRIx64, perfdata_file(s->p, map->file)->name, address - map->start + map->pgoff);
	else
		buf_addf(&s->text, " %" PRIx64, address);
}

static void see_sample(void *arg, const struct perfdata_sample *sample)
{
	struct seen *s = arg;
	const char *name = perfdata_event(s->p, sample->event)->name;
	s->samples++;
	buf_addf(&s->text, "%s %d/%d %" PRIu64 " %" PRIu64 " %s:", sample->comm ? sample->comm : "?", sample->pid,
	         sample->tid, sample->time, sample->period, name ? name : "?");
	see_address(s, sample, sample->ip);
	for (size_t i = 0; i < sample->n_chain; i++)
		see_address(s, sample, sample->chain[i]);
	buf_addc(&s->text, '\n');
}

static void see_lost(void *arg, enum perfdata_loss loss, uint64_t n)
{
	buf_addf(&((struct seen *)arg)->text, "lost %d %" PRIu64 "\n", (int)loss, n);
}

static void see_fork(void *arg, int32_t pid, int32_t parent, uint64_t time)
{
	(void)time;
	buf_addf(&((struct seen *)arg)->text, "fork %d of %d\n", pid, parent);
}

static void see_ksymbol(void *arg, const struct perfdata_ksymbol *symbol)
{
	buf_addf(&((struct seen *)arg)->text, "ksymbol %" PRIx64 " %.*s\n", symbol->address, (int)symbol->name_len,
	         symbol->name);
}

static void see_note(void *arg, enum note_level level, const char *kind, uint64_t offset)
{
	(void)level, (void)offset;
	buf_addf(&((struct seen *)arg)->notes, "%s\n", kind);
}

static const struct perfdata_hooks hooks = {
	.sample = see_sample, .lost = see_lost, .fork = see_fork, .ksymbol = see_ksymbol, .note = see_note};

static void seen_init(struct seen *s)
{
	*s = (struct seen){0};
	buf_init(&s->text);
	buf_init(&s->notes);
	s->p = perfdata_new(&hooks, s);
}

static void seen_end(struct seen *s)
{
	perfdata_free(s->p);
	buf_deinit(&s->text);
	buf_deinit(&s->notes);
}

static bool read_at(void *arg, uint64_t offset, void *into, size_t n)
{
	const struct buf *file = arg;
	if (offset > file->len || n > file->len - offset)
		return false;
	memcpy(into, file->data + offset, n);
	return true;
}

/* Gives each piece its own memory, so that a sanitizer sees reads past its end. */
static bool feed(struct seen *s, const char *bytes, size_t n, size_t step, struct err *err)
{
	bool good = true;
	for (size_t i = 0; good && i < n; i += step) {
		size_t piece = n - i < step ? n - i : step;
		char *copy = mem_copy(bytes + i, piece, 1);
		good = perfdata_feed(s->p, copy, piece, err);
		free(copy);
	}
	return perfdata_finish(s->p, true, good ? err : NULL) && good;
}

static bool read_all(struct seen *s, struct buf *file, size_t step, bool has_features)
{
	struct err err = {""};
	seen_init(s);
	bool good = !has_features || perfdata_read_features(s->p, read_at, file, &err);
	good = feed(s, file->data, file->len, step, &err) && good;
	if (!good)
		buf_adds(&s->notes, err.text);
	return good;
}

/* --- what is written --- */

static void put_map(struct writer *w, const struct perfdata_event *e, uint64_t time, int pid, uint64_t start,
                    const char *name)
{
	begin_record(w, RECORD_MMAP2, pid < 0 ? MODE_KERNEL : MODE_USER);
	put_u32(w, (uint32_t)pid);
	put_u32(w, (uint32_t)pid);
	put_u64(w, start);
	put_u64(w, 0x1000);
	put_u64(w, 0x2000);
	put_zeros(w, 32);
	put_name(w, name);
	end_with_id(w, e, time, time ? id_of(0) : 0);
}

static void put_comm(struct writer *w, uint64_t time, int pid, const char *name)
{
	begin_record(w, RECORD_COMM, 0);
	put_u32(w, (uint32_t)pid);
	put_u32(w, (uint32_t)pid);
	put_name(w, name);
	end_with_id(w, &events[0], time, time ? id_of(0) : 0);
}

static void put_fork(struct writer *w, uint64_t time, int pid, int ppid)
{
	begin_record(w, RECORD_FORK, 0);
	put_u32(w, (uint32_t)pid);
	put_u32(w, (uint32_t)ppid);
	put_u32(w, (uint32_t)pid);
	put_u32(w, (uint32_t)ppid);
	put_u64(w, time);
	end_with_id(w, &events[0], time, id_of(0));
}

/* A sample of the second event has a chain: a marker, a kernel address, a marker, ip. */
static void put_sample(struct writer *w, uint64_t time, int pid, size_t event, uint64_t ip)
{
	begin_record(w, RECORD_SAMPLE, MODE_USER);
	put_u64(w, id_of(event) + time % 2);
	put_u64(w, ip);
	put_u32(w, (uint32_t)pid);
	put_u32(w, (uint32_t)pid);
	put_u64(w, time);
	if (event)
		put_u64(w, 0);
	put_u64(w, 1000 + time);
	if (event) {
		put_u64(w, 4);
		put_u64(w, CHAIN_KERNEL);
		put_u64(w, 0xffffffff81000010);
		put_u64(w, CHAIN_USER);
		put_u64(w, ip);
	}
	end_record(w);
}

static void put_lost(struct writer *w, uint64_t time, uint64_t n)
{
	begin_record(w, RECORD_LOST, 0);
	put_u64(w, 1);
	put_u64(w, n);
	end_with_id(w, &events[0], time, id_of(0));
}

static void put_ksymbol(struct writer *w, uint64_t time)
{
	begin_record(w, RECORD_KSYMBOL, 0);
	put_u64(w, 0xffffffffc0001000);
	put_u32(w, 0x40);
	put_u16(w, 1);
	put_u16(w, 0);
	put_name(w, "bpf_prog_1");
	end_with_id(w, &events[0], time, id_of(0));
}

static void put_records(struct writer *w)
{
	put_map(w, &events[0], 0, -1, 0xffffffff81000000, "[kernel.kallsyms]_text");
	put_map(w, &events[0], 0, 7, 0x400000, "/bin/sh");
	put_comm(w, 0, 7, "sh");
	put_sample(w, 30, 7, 0, 0x400010);
	put_sample(w, 10, 7, 1, 0x400020);
	put_round(w);
	put_fork(w, 40, 8, 7);
	put_sample(w, 45, 8, 1, 0x400030);
	put_comm(w, 50, 8, "cc1");
	put_map(w, &events[0], 55, 8, 0x400000, "/usr/bin/cc1");
	begin_record(w, 79, 0); /* of no interest: TIME_CONV */
	put_zeros(w, 16);
	end_record(w);
	put_round(w);
	put_sample(w, 60, 8, 0, 0x400040);
	put_sample(w, 35, 7, 0, 0x500000);
	put_lost(w, 65, 12);
	put_lost(w, 65, 0); /* of samples that nobody misses: a gap all the same */
	put_ksymbol(w, 66);
	begin_record(w, RECORD_TRACING_DATA, 0);
	put_u32(w, 13);
	put_u32(w, 0);
	end_record(w);
	put_zeros(w, 16);
	put_sample(w, 70, 9, 1, 0x400050);
	put_round(w);
	put_sample(w, 71, 8, 0, 0x400060);
}

#define K " [kernel.kallsyms]_text+2010"
static const char expected[] =
	"sh 7/7 10 1010 cycles: /bin/sh+2020 ffffffffffffff80" K " fffffffffffffe00 /bin/sh+2020\n"
	"sh 7/7 30 1030 cpu-clock: /bin/sh+2010\n"
	"sh 7/7 35 1035 cpu-clock: 500000\n"
	"fork 8 of 7\n"
	"sh 8/8 45 1045 cycles: /bin/sh+2030 ffffffffffffff80" K " fffffffffffffe00 /bin/sh+2030\n"
	"cc1 8/8 60 1060 cpu-clock: /usr/bin/cc1+2040\n"
	"lost 0 12\n"
	"lost 0 0\n"
	"ksymbol ffffffffc0001000 bpf_prog_1\n"
	"? 9/9 70 1070 cycles: 400050 ffffffffffffff80" K " fffffffffffffe00 400050\n"
	"cc1 8/8 71 1071 cpu-clock: /usr/bin/cc1+2060\n";

static void put_event_desc(struct writer *w)
{
	put_u32(w, 2);
	put_u32(w, WRITER_ATTR);
	for (size_t i = 0; i < 2; i++) {
		put_attr(w, &events[i]);
		put_u32(w, i ? 1 : 0); /* the order alone identifies the first one */
		put_text(w, i ? "cycles" : "cpu-clock");
		if (i)
			put_u64(w, id_of(1) + 1);
	}
}

static void put_build_id(struct writer *w)
{
	begin_record(w, RECORD_BUILD_ID, 1u << 15 | MODE_USER);
	put_u32(w, UINT32_MAX);
	for (unsigned i = 1; i <= 20; i++)
		buf_addc(&w->out, (char)i);
	put_zeros(w, 4);
	w->out.data[w->out.len - 4] = 16;
	put_name(w, "/bin/sh");
	end_record(w);
}

static void put_cmdline(struct writer *w)
{
	put_u32(w, 2);
	put_text(w, "perf");
	put_text(w, "record");
}

static struct buf written_features(bool is_swapped, size_t ends[5])
{
	struct writer w = writer_new(is_swapped);
	put_build_id(&w);
	ends[0] = w.out.len;
	put_text(&w, "6.1.0");
	ends[1] = w.out.len;
	put_cmdline(&w);
	ends[2] = w.out.len;
	put_event_desc(&w);
	ends[3] = w.out.len;
	put_zeros(&w, 24); /* unused */
	ends[4] = w.out.len;
	return w.out;
}

static struct buf written_records(bool is_swapped)
{
	struct writer w = writer_new(is_swapped);
	put_records(&w);
	return w.out;
}

static struct buf written_file(bool is_swapped, bool is_complete)
{
	size_t ends[5];
	struct buf records = written_records(is_swapped), features = written_features(is_swapped, ends);
	struct writer w = writer_new(is_swapped);
	put_file_header(&w, events, 2, is_complete ? records.len : 0, ALL_FEATURES);
	buf_add(&w.out, records.data, records.len);
	size_t base = w.out.len + sizeof ends / sizeof *ends * 16;
	for (size_t i = 0; i < 5; i++) {
		put_u64(&w, base + (i ? ends[i - 1] : 0));
		put_u64(&w, ends[i] - (i ? ends[i - 1] : 0));
	}
	buf_add(&w.out, features.data, features.len);
	if (!is_complete)
		w.out.len = base - sizeof ends / sizeof *ends * 16;
	buf_deinit(&records);
	buf_deinit(&features);
	return w.out;
}

static void put_pipe_features(struct writer *w)
{
	begin_record(w, RECORD_HEADER_FEATURE, 0);
	put_u64(w, FEATURE_EVENT_DESC);
	put_event_desc(w);
	end_record(w);
	begin_record(w, RECORD_HEADER_FEATURE, 0);
	put_u64(w, FEATURE_OSRELEASE);
	put_text(w, "6.1.0");
	end_record(w);
}

/* compressed: RECORD_COMPRESSED or RECORD_COMPRESSED2, with pieces that cut records; 0: neither. */
static struct buf written_pipe(bool is_swapped, uint32_t compressed)
{
	struct buf records = written_records(is_swapped);
	struct writer w = writer_new(is_swapped);
	put_pipe_header(&w, events, 2);
	put_pipe_features(&w);
	if (!compressed)
		buf_add(&w.out, records.data, records.len);
	for (size_t i = 0; compressed && i < records.len; i += 37)
		put_compressed(&w, records.data + i, records.len - i < 37 ? records.len - i : 37, compressed);
	buf_deinit(&records);
	ZSTD_freeCCtx(w.zstd);
	return w.out;
}

/* --- tests --- */

static void test_kinds(bool is_swapped)
{
	const char *order = is_swapped ? "other" : "own";
	struct seen s;
	struct buf file = written_file(is_swapped, true);
	ok(read_all(&s, &file, 4096, true), "a file of the %s byte order is read", order);
	is_str(buf_str(&s.text), expected, "its samples come by time, each in the process as it was then");
	is_str(buf_str(&s.notes), "", "and nothing is to be said");
	is_str(perfdata_facts(s.p)->osrelease, "6.1.0", "the system is known");
	is_str(perfdata_facts(s.p)->cmdline, "perf record", "and the command");
	is_int(perfdata_file_named(s.p, "/bin/sh")->build_id.n, 16, "a build id has its length");
	is_int(perfdata_file_named(s.p, "/bin/sh")->build_id.bytes[15], 16, "and its bytes");
	seen_end(&s);
	buf_deinit(&file);
	for (uint32_t kind = 0; kind < 3; kind++) {
		static const uint32_t types[] = {0, RECORD_COMPRESSED, RECORD_COMPRESSED2};
		file = written_pipe(is_swapped, types[kind]);
		ok(read_all(&s, &file, 4096, false), "so is that of a pipe, packed %u", types[kind]);
		is_str(buf_str(&s.text), expected, "it has the same samples");
		is_str(buf_str(&s.notes), "", "and nothing is to be said");
		seen_end(&s);
		buf_deinit(&file);
	}
}

static bool is_same_in_pieces(struct buf *file, bool has_features)
{
	bool good = true;
	for (size_t step = 1; good && step < file->len; step = step < 70 ? step + 1 : step * 2) {
		struct seen s;
		good = read_all(&s, file, step, has_features) && strcmp(buf_str(&s.text), expected) == 0;
		seen_end(&s);
	}
	return good;
}

/* The reader reports a recording that ends early, unless it comes from a pipe and ends with a whole record. */
static bool is_cut_well(struct buf *file, bool has_features, bool is_pipe)
{
	bool good = true;
	size_t len = file->len, unsaid = 0;
	for (file->len = 0; good && file->len < len; file->len++) {
		struct buf exact = {mem_copy(file->data, file->len + 1, 1), file->len, file->len};
		struct seen s;
		bool is_read = read_all(&s, &exact, 64, has_features);
		unsaid += is_read && !s.notes.len && strcmp(buf_str(&s.text), expected) != 0;
		good = unsaid <= (is_pipe ? 50 : 0);
		seen_end(&s);
		free(exact.data);
	}
	file->len = len;
	return good;
}

static void test_pieces(void)
{
	struct buf file = written_file(false, true), pipe = written_pipe(false, 0),
			   packed = written_pipe(true, RECORD_COMPRESSED2);
	ok(is_same_in_pieces(&file, true) && is_same_in_pieces(&pipe, false) && is_same_in_pieces(&packed, false),
	   "cut anywhere, it is the same");
	ok(is_cut_well(&file, true, false), "a file that ends anywhere is said to, or is whole");
	ok(is_cut_well(&pipe, false, true) && is_cut_well(&packed, false, true), "so is a pipe");
	buf_deinit(&file);
	buf_deinit(&pipe);
	buf_deinit(&packed);
}

static void test_killed(void)
{
	struct seen s;
	struct buf file = written_file(false, false);
	ok(read_all(&s, &file, 100, true), "a recorder that was killed has left samples");
	is_int(s.samples, 7, "all of them");
	is_str(buf_str(&s.notes), "perf could not complete the recording (was it killed?)\n", "which is said");
	seen_end(&s);
	buf_deinit(&file);
}

/* flametop's sampler writes the size of the records after each round; what follows it is not lost. */
static void test_killed_sampler(void)
{
	struct writer records = writer_new(false), w = writer_new(false);
	begin_record(&records, RECORD_EVENT_UPDATE, 0);
	put_u64(&records, 2); /* its name */
	put_u64(&records, id_of(0));
	put_name(&records, "cpu-clock");
	end_record(&records);
	put_sample(&records, 10, 7, 0, 0x400010);
	size_t told = records.out.len;
	put_sample(&records, 20, 7, 0, 0x400010);
	put_file_header(&w, events, 2, told, 0);
	buf_add(&w.out, records.out.data, records.out.len);
	for (size_t step = 100; step <= 10000; step *= 100) {
		struct seen s;
		ok(read_all(&s, &w.out, step, true), "a sampler that was killed has left samples");
		is_int(s.samples, 2, "also those after the last size that it wrote");
		is_str(buf_str(&s.notes), "the recording is not complete (was its recorder killed?)\n", "which is said");
		seen_end(&s);
	}
	writer_end(&records);
	writer_end(&w);
}

/* A pipe of flametop's sampler ends with rounds; perf's tells nothing. */
static void test_killed_pipe(void)
{
	static const char *const recorders[] = {"flametop 1.0", "6.1.0"};
	for (size_t rounds = 0; rounds <= ROUNDS_AT_END; rounds++) {
		for (size_t k = 0; k < 2; k++) {
			struct writer w = writer_new(false);
			put_pipe_header(&w, events, 2);
			begin_record(&w, RECORD_HEADER_FEATURE, 0);
			put_u64(&w, FEATURE_VERSION);
			put_text(&w, recorders[k]);
			end_record(&w);
			put_sample(&w, 10, 7, 0, 0x400010);
			for (size_t i = 0; i < rounds; i++) {
				begin_record(&w, RECORD_FINISHED_ROUND, 0);
				end_record(&w);
			}
			struct seen s;
			ok(read_all(&s, &w.out, 100, true) && s.samples == 1, "a pipe of %s with %zu rounds", recorders[k],
			   rounds);
			is_str(buf_str(&s.notes),
			       k || rounds == ROUNDS_AT_END ? "" : "the recording is not complete (was its recorder killed?)\n",
			       "says whether it is whole");
			seen_end(&s);
			writer_end(&w);
		}
	}
}

/* Data of a processor's tracer, which its record does not count in its size. */
static void test_traces(void)
{
	struct writer records = writer_new(false), w = writer_new(false);
	struct seen s;
	put_sample(&records, 10, 7, 0, 0x400010);
	begin_record(&records, RECORD_AUXTRACE, 0);
	put_u64(&records, 64);
	put_zeros(&records, 32);
	end_record(&records);
	put_zeros(&records, 64);
	put_sample(&records, 20, 7, 0, 0x400010);
	put_file_header(&w, events, 2, records.out.len, 0);
	buf_add(&w.out, records.out.data, records.out.len);
	ok(read_all(&s, &w.out, 100, true), "a recording with traces of a processor is read");
	is_int(s.samples, 2, "with its samples");
	ok(strstr(buf_str(&s.notes), "traces of processors (AUX data) are not read"), "and says what is not");
	ok(perfdata_has_traces(s.p), "also for a message if there are no samples");
	seen_end(&s);
	writer_end(&records);
	writer_end(&w);
}

static void fails(struct buf *file, const char *why, const char *name)
{
	struct seen s;
	ok(!read_all(&s, file, 4096, false) && strstr(buf_str(&s.notes), why), "%s", name);
	if (!strstr(buf_str(&s.notes), why))
		diag("got: %s", buf_str(&s.notes));
	seen_end(&s);
}

static void test_refusals(void)
{
	struct buf file = written_file(false, true), pipe = written_pipe(false, 0);
	memcpy(file.data, "PERFFILE", 8);
	fails(&file, "before Linux 2.6.33", "a file of version 1 is refused");
	memcpy(file.data, "PERFILE2", 8);
	file.data[75] |= 1; /* bit 24 of the features */
	fails(&file, "perf script -i DIRECTORY", "a part of a directory is refused with the command that helps");
	file.data[75] ^= 1;
	file.data[40] = 1;
	file.data[41] = 0;
	fails(&file, "the records begin at byte", "records inside the header are damage");
	memcpy(file.data, "PERFILE3", 8);
	fails(&file, "expected PERFILE2", "anything else is no recording");
	memcpy(pipe.data + pipe.len - 42, "\4\0", 2);
	fails(&pipe, "expected 8 or more", "a record without its own header is damage");
	buf_deinit(&file);
	buf_deinit(&pipe);
}

/* The periods of a group's samples are what each of its counters has gained. */
static void test_groups(void)
{
	struct perfdata_event group[2] = {events[0], events[0]};
	struct writer w = writer_new(false);
	struct seen s;
	group[0].sample_type = group[1].sample_type = FIELD_IDENTIFIER | FIELD_TIME | FIELD_READ;
	group[0].read_format = group[1].read_format = READ_GROUP | READ_ID;
	put_pipe_header(&w, group, 2);
	for (uint64_t i = 1; i <= 2; i++) {
		begin_record(&w, RECORD_SAMPLE, MODE_USER);
		put_u64(&w, id_of(0));
		put_u64(&w, i);
		put_u64(&w, 2);
		put_u64(&w, 100 * i * i);
		put_u64(&w, id_of(0));
		put_u64(&w, 7);
		put_u64(&w, id_of(1));
		end_record(&w);
	}
	read_all(&s, &w.out, 4096, false);
	is_str(buf_str(&s.text), "? -1/-1 1 100 ?: 0\n? -1/-1 1 7 ?: 0\n? -1/-1 2 300 ?: 0\n",
	       "each counter of a group has a sample for what was added to it");
	seen_end(&s);
	writer_end(&w);
}

/* The same of a group that threads inherit: each has totals of its own, and its number may be given again. */
static void test_inherited_groups(void)
{
	static const uint64_t totals[][2] = {{1, 100}, {2, 30}, {1, 150}, {2, 90}, {2, 20}, {1, 150}};
	struct perfdata_event group = events[0];
	struct writer w = writer_new(false);
	struct seen s;
	group.sample_type = FIELD_IDENTIFIER | FIELD_TID | FIELD_TIME | FIELD_READ;
	group.read_format = READ_GROUP | READ_ID;
	group.flags |= EVENT_INHERIT;
	put_pipe_header(&w, &group, 1);
	for (uint64_t i = 0; i < sizeof totals / sizeof *totals; i++) {
		begin_record(&w, RECORD_SAMPLE, MODE_USER);
		put_u64(&w, id_of(0));
		put_u64(&w, totals[i][0] << 32 | 7);
		put_u64(&w, i);
		put_u64(&w, 1);
		put_u64(&w, totals[i][1]);
		put_u64(&w, id_of(0));
		end_record(&w);
	}
	read_all(&s, &w.out, 4096, false);
	is_str(buf_str(&s.text),
	       "? 7/1 0 100 ?: 0\n? 7/2 1 30 ?: 0\n? 7/1 2 50 ?: 0\n? 7/2 3 60 ?: 0\n? 7/2 4 20 ?: 0\n",
	       "each thread of a group has totals of its own");
	seen_end(&s);
	writer_end(&w);
}

static void test_strangers(void)
{
	struct perfdata_event odd[2] = {events[0], events[1]};
	struct writer w = writer_new(false);
	struct seen s;
	put_pipe_header(&w, odd, 2);
	begin_record(&w, RECORD_SAMPLE, MODE_USER);
	put_u64(&w, 12345);
	put_zeros(&w, 40);
	end_record(&w);
	begin_record(&w, RECORD_SAMPLE, MODE_USER);
	put_u64(&w, id_of(0));
	put_zeros(&w, 40);
	end_record(&w);
	begin_record(&w, RECORD_COMM, 0);
	end_record(&w);
	ok(read_all(&s, &w.out, 4096, false), "records that make no sense are passed over");
	is_int(perfdata_bad_samples(s.p), 2, "samples among them are counted");
	is_str(buf_str(&s.notes),
	       "a sample of an event that the recording does not describe (another recorder's?)\n"
	       "a sample has other fields than its event says (damaged, or of a newer kernel)\n"
	       "a record is shorter than what it has to hold (a damaged file?)\n",
	       "and each kind is said");
	seen_end(&s);
	writer_end(&w);
	odd[0].sample_type = TYPE & ~(uint64_t)FIELD_IDENTIFIER;
	w = writer_new(false);
	put_pipe_header(&w, odd, 2);
	put_sample(&w, 1, 1, 1, 1);
	fails(&w.out, "cannot be told apart", "events that cannot be told apart are refused");
	writer_end(&w);
}

/* Formats of tracepoints that are not there, and more than are read. */
static void test_formats(void)
{
	static const struct perfdata_event tracepoint = {
		.type = EVENT_TRACEPOINT, .config = 442, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL};
	struct seen s;
	struct writer w = writer_new(false);
	put_pipe_header(&w, &tracepoint, 1);
	begin_record(&w, RECORD_TRACING_DATA, 0);
	put_u64(&w, 0);
	end_record(&w);
	ok(read_all(&s, &w.out, 4096, false), "no formats at all are read");
	is_str(buf_str(&s.notes), "", "and nothing is to be said");
	seen_end(&s);
	begin_record(&w, RECORD_TRACING_DATA, 0);
	put_u64(&w, 0x7fffffff);
	end_record(&w);
	ok(read_all(&s, &w.out, 4096, false), "too many are passed over");
	is_str(buf_str(&s.notes), "the recording ends early (cut off?)\n", "and their end is missed");
	seen_end(&s);
	writer_end(&w);
}

/* A recording of allocations, whose counters of calls and of pages have these flags. */
static void check_births(uint64_t calls, uint64_t pages, bool has_births, const char *notes, const char *name)
{
	struct perfdata_event memory[2] = {events[0], events[0]};
	struct writer w = writer_new(false);
	struct seen s;
	memory[0].type = 8;
	memory[0].flags |= calls;
	memory[1].flags |= pages;
	put_pipe_header(&w, memory, 2);
	begin_record(&w, RECORD_EVENT_UPDATE, 0);
	put_u64(&w, 2); /* its name */
	put_u64(&w, id_of(0));
	put_name(&w, "malloc-bytes");
	end_record(&w);
	put_sample(&w, 10, 7, 0, 0x400010);
	if (has_births)
		put_fork(&w, 20, 8, 7);
	read_all(&s, &w.out, 4096, false);
	is_str(buf_str(&s.notes), notes, "%s", name);
	seen_end(&s);
	writer_end(&w);
}

static void test_births(void)
{
	check_births(0, EVENT_INHERIT, true, EVENT_OF_MALLOC_MISSES "\n",
	             "calls of children that are missing are noted");
	check_births(0, EVENT_INHERIT, false, "", "not without children");
	check_births(EVENT_INHERIT, EVENT_INHERIT, true, "", "nor if children inherit the counters");
	check_births(0, 0, true, "", "nor if all are counted, whoever started them");
}

/* Changing any few bytes does no harm. */
static void test_mutations(void)
{
	struct buf all[] = {written_file(false, true), written_pipe(false, 0), written_pipe(false, RECORD_COMPRESSED),
	                    written_file(true, true)};
	int times = tap_sanitized() ? 4000 : 40000;
	for (int i = 0; i < times; i++) {
		struct buf *original = &all[i % 4];
		struct buf file = {mem_copy(original->data, original->len, 1), original->len, original->len};
		struct seen s;
		for (int n = rand() % 4; n >= 0; n--)
			file.data[(size_t)rand() % file.len] = (char)(rand() % 3 ? rand() : -(rand() % 2));
		read_all(&s, &file, (size_t)(1 + rand() % 700), i % 3 == 0);
		seen_end(&s);
		free(file.data);
	}
	pass("bytes changed anywhere do no harm");
	for (size_t i = 0; i < 4; i++)
		buf_deinit(&all[i]);
}

/* More events than are kept, each before a record that depends on all of them. */
static void test_many_events(void)
{
	static const struct perfdata_event first = {.sample_type = FIELD_IP | FIELD_TID | FIELD_TIME};
	struct writer w = writer_new(false);
	struct seen s;
	put_pipe_header(&w, &first, 1);
	for (size_t i = 0; i < 105000; i++) {
		begin_record(&w, RECORD_HEADER_ATTR, 0);
		put_attr(&w, &first);
		end_record(&w);
		if (i < 65000)
			continue;
		begin_record(&w, RECORD_MMAP2, MODE_USER | 1u << 14);
		put_u32(&w, 7);
		put_u32(&w, 7);
		put_zeros(&w, 56);
		put_name(&w, "//anon");
		end_record(&w);
	}
	double start = tap_seconds();
	ok(read_all(&s, &w.out, 1 << 20, false), "more events than are kept: the recording is read");
	ok(tap_seconds() - start < 1.5, "soon");
	seen_end(&s);
	writer_end(&w);
}

int main(void)
{
	test_kinds(false);
	test_kinds(true);
	test_pieces();
	test_killed();
	test_killed_sampler();
	test_killed_pipe();
	test_traces();
	test_refusals();
	test_groups();
	test_inherited_groups();
	test_strangers();
	test_formats();
	test_births();
	test_mutations();
	test_many_events();
	return done_testing();
}
