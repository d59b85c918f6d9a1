/* Samples that are not as their record has them: counters of groups, time off the CPU, callers that come later. */
#include <inttypes.h>

#include "perfdata/perfdata.h"
#include "perfdata_writer.h"

struct seen {
	struct perfdata *p;
	struct buf text, notes;
};

static void see_sample(void *arg, const struct perfdata_sample *s)
{
	struct seen *seen = arg;
	buf_addf(&seen->text, "%u %d/%d %" PRId64 " %" PRIu64 ":", s->event, s->pid, s->tid, (int64_t)s->time,
	         s->period);
	for (size_t i = 0; i < s->n_chain; i++)
		s->chain[i] >= CHAIN_MARKERS ? buf_addf(&seen->text, " (%" PRId64 ")", (int64_t)s->chain[i])
									 : buf_addf(&seen->text, " %" PRIx64, s->chain[i]);
	buf_addc(&seen->text, '\n');
}

static void see_note(void *arg, enum note_level level, const char *kind, uint64_t offset)
{
	(void)level, (void)offset;
	buf_addf(&((struct seen *)arg)->notes, "%s\n", kind);
}

/* Reads what was written, which it ends. */
static void see_all(struct seen *s, struct writer *w, const char *name)
{
	static const struct perfdata_hooks hooks = {.sample = see_sample, .note = see_note};
	struct err err = {""};
	buf_init(&s->text);
	buf_init(&s->notes);
	s->p = perfdata_new(&hooks, s);
	ok(perfdata_feed(s->p, w->out.data, w->out.len, &err) && perfdata_finish(s->p, true, &err), "%s", name);
	writer_end(w);
}

static void seen_end(struct seen *s)
{
	perfdata_free(s->p);
	buf_deinit(&s->text);
	buf_deinit(&s->notes);
}

/* Expects these samples and notes of what was written, which it ends. */
static void gives(struct writer *w, const char *samples, const char *notes, const char *name)
{
	struct seen s;
	see_all(&s, w, name);
	is_str(buf_str(&s.text), samples, "its samples");
	is_str(buf_str(&s.notes), notes, "its notes");
	seen_end(&s);
}

static size_t lines_of(const struct buf *text)
{
	size_t lines = 0;
	for (size_t i = 0; i < text->len; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* --- groups --- */

/* Two samples of event 0, of the period 100, with `n` counters each. */
static struct writer group_of(uint64_t format, size_t n)
{
	struct perfdata_event e = {.sample_type = FIELD_IDENTIFIER | FIELD_TIME | FIELD_PERIOD | FIELD_READ,
	                           .read_format = format};
	struct perfdata_event both[2] = {e, e};
	struct writer w = writer_new(false);
	put_pipe_header(&w, both, 2);
	for (uint64_t i = 1; i <= 2; i++) {
		begin_record(&w, RECORD_SAMPLE, MODE_USER);
		put_u64(&w, id_of(0));
		put_u64(&w, i);
		put_u64(&w, 100);
		if (format & READ_GROUP)
			put_u64(&w, n);
		for (size_t k = 0; k < n; k++) {
			put_u64(&w, (100 - 10 * k) * i);
			if (format & READ_ID)
				put_u64(&w, id_of(k));
		}
		end_record(&w);
	}
	return w;
}

#define UNKNOWN_COUNTER "counts of a group's counter that the recording does not describe are left out\n"

static void test_groups(void)
{
	struct writer w = group_of(READ_GROUP | READ_ID, 3);
	gives(&w, "0 -1/-1 1 100:\n1 -1/-1 1 90:\n0 -1/-1 2 100:\n1 -1/-1 2 90:\n", UNKNOWN_COUNTER UNKNOWN_COUNTER,
	      "a counter of a group that no event has");
	w = group_of(READ_GROUP, 2);
	gives(&w, "0 -1/-1 1 100:\n0 -1/-1 2 100:\n",
	      "the recording does not say whose the counts of a group are: only the event that took the samples is "
	      "counted\n"
	      "the recording does not say whose the counts of a group are: only the event that took the samples is "
	      "counted\n",
	      "a group without ids");
	w = group_of(READ_GROUP, 1);
	gives(&w, "0 -1/-1 1 100:\n0 -1/-1 2 100:\n", "", "a group of one without an id");
	w = group_of(0, 1);
	gives(&w, "0 -1/-1 1 100:\n0 -1/-1 2 100:\n", "", "no group, and no id");
}

/* --- perf record --off-cpu --- */

#define OFF_TYPE (FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_CPU | FIELD_PERIOD)
#define MADE_UP (TIMES_MADE_UP + 3)

static struct writer off_cpu_of(bool is_swapped, uint64_t sample_type, const char *name)
{
	struct perfdata_event e = {
		.type = EVENT_SOFTWARE, .config = 10, .sample_type = sample_type, .flags = EVENT_SAMPLE_ID_ALL};
	struct writer w = writer_new(is_swapped);
	put_pipe_header(&w, &e, 1);
	begin_record(&w, RECORD_EVENT_UPDATE, 0);
	put_u64(&w, 2); /* its name */
	put_u64(&w, id_of(0));
	put_name(&w, name);
	end_record(&w);
	return w;
}

/* The fields up to the period. */
static void put_outer(struct writer *w, uint32_t tid, uint64_t time, uint64_t period)
{
	begin_record(w, RECORD_SAMPLE, MODE_KERNEL);
	put_u64(w, id_of(0));
	put_u64(w, 0);
	put_u32(w, tid);
	put_u32(w, tid);
	put_u64(w, time);
	put_u64(w, 0);
	put_u64(w, period);
}

/* claimed: the number of addresses, of which there are three. */
static void put_wait(struct writer *w, uint64_t time, uint64_t claimed)
{
	put_outer(w, 60, time, 1);
	put_u32(w, 8 * 7 + 4);
	put_u32(w, 50);
	put_u32(w, 51);
	put_u64(w, 700);
	put_u64(w, claimed);
	put_u64(w, CHAIN_USER);
	put_u64(w, 0x11);
	put_u64(w, 0x21);
	put_u64(w, 9);
	put_u32(w, 0);
	put_u64(w, 0);
	end_record(w);
}

static void test_off_cpu(void)
{
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct writer w = off_cpu_of(is_swapped, OFF_TYPE | FIELD_RAW | FIELD_CGROUP, EVENT_OFF_CPU_TIME);
		put_wait(&w, 20, 3);
		put_wait(&w, MADE_UP, 3);
		put_wait(&w, 30, 300);
		gives(&w, "0 50/51 20 700: (-512) 11 21\n0 50/51 -1 700: (-512) 11 21\n",
		      "a sample has other fields than its event says (damaged, or of a newer kernel)\n",
		      is_swapped ? "and in the other byte order" : "waits with their fields in raw data");
	}
	struct writer w = off_cpu_of(false, OFF_TYPE | FIELD_RAW | FIELD_CGROUP, "another");
	put_wait(&w, 20, 3);
	gives(&w, "0 60/60 20 1:\n", "", "another event of a BPF program");
	w = off_cpu_of(false, OFF_TYPE | FIELD_CALLCHAIN, EVENT_OFF_CPU_TIME);
	put_outer(&w, 50, MADE_UP, 700);
	put_u64(&w, 2);
	put_u64(&w, CHAIN_USER);
	put_u64(&w, 0x11);
	end_record(&w);
	gives(&w, "0 50/50 -1 700: (-512) 11\n", "", "waits of an older perf, with a time that it made up");
}

/* --- callers that come later --- */

static const struct perfdata_event with_chain = {
	.sample_type = FIELD_IDENTIFIER | FIELD_TID | FIELD_TIME | FIELD_CALLCHAIN, .flags = EVENT_SAMPLE_ID_ALL};

static struct writer chains_of(bool is_swapped)
{
	struct writer w = writer_new(is_swapped);
	put_pipe_header(&w, &with_chain, 1);
	return w;
}

static void put_chain(struct writer *w, uint64_t address, uint64_t cookie)
{
	put_u64(w, 4);
	put_u64(w, CHAIN_KERNEL);
	put_u64(w, address);
	put_u64(w, CHAIN_USER_DEFERRED);
	put_u64(w, cookie);
	end_record(w);
}

static void put_deferred(struct writer *w, uint32_t tid, uint64_t time, uint64_t address, uint64_t cookie)
{
	begin_record(w, RECORD_SAMPLE, MODE_KERNEL);
	put_u64(w, id_of(0));
	put_u32(w, 50);
	put_u32(w, tid);
	put_u64(w, time);
	put_chain(w, address, cookie);
}

static void put_trailer(struct writer *w, uint32_t tid, uint64_t time)
{
	put_u32(w, 50);
	put_u32(w, tid);
	put_u64(w, time);
	put_u64(w, id_of(0));
	end_record(w);
}

/* Two callers, or as many as are claimed. */
static void put_callers(struct writer *w, uint32_t tid, uint64_t time, uint64_t cookie, uint64_t claimed)
{
	begin_record(w, RECORD_CALLCHAIN_DEFERRED, MODE_USER);
	put_u64(w, cookie);
	put_u64(w, claimed);
	put_u64(w, CHAIN_USER);
	put_u64(w, 0xa0 + cookie);
	put_u64(w, 0xb0 + cookie);
	put_trailer(w, tid, time);
}

static void put_exit(struct writer *w, uint32_t tid, uint64_t time)
{
	begin_record(w, RECORD_EXIT, 0);
	put_u64(w, 0);
	put_u32(w, tid);
	put_u32(w, tid);
	put_u64(w, time);
	put_trailer(w, tid, time);
}

#define MISSING "a sample lacks its callers in user space, which did not come (--call-graph=fp,defer)\n"

static void test_deferred(void)
{
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct writer w = chains_of(is_swapped);
		put_deferred(&w, 7, 10, 0x11, 1);
		put_deferred(&w, 263, 11, 0x12, 2);
		put_deferred(&w, 7, 12, 0x13, 1);
		put_deferred(&w, 8, 13, 0x14, 3);
		put_callers(&w, 7, 14, 1, 3);
		put_callers(&w, 263, 15, 2, 3);
		put_callers(&w, 8, 16, 3, 3);
		gives(&w,
		      "0 50/7 10 1: (-128) 11 (-512) a1 b1\n0 50/7 12 1: (-128) 13 (-512) a1 b1\n"
		      "0 50/263 11 1: (-128) 12 (-512) a2 b2\n0 50/8 13 1: (-128) 14 (-512) a3 b3\n",
		      "", is_swapped ? "and in the other byte order" : "callers come later, for all samples of a thread");
	}
}

static void test_callers_missing(void)
{
	struct writer w = chains_of(false);
	put_deferred(&w, 7, 10, 0x11, 1);
	put_deferred(&w, 7, 11, 0x12, 2);
	put_callers(&w, 8, 12, 2, 3);
	put_callers(&w, 7, 13, 2, 3);
	put_deferred(&w, 8, 14, 0x13, 3);
	put_exit(&w, 8, 15);
	put_callers(&w, 8, 16, 3, 3);
	put_deferred(&w, 9, 17, 0x14, 4);
	gives(&w,
	      "0 50/7 10 1: (-128) 11\n0 50/7 11 1: (-128) 12 (-512) a2 b2\n0 50/8 14 1: (-128) 13\n"
	      "0 50/9 17 1: (-128) 14\n",
	      MISSING MISSING MISSING, "callers of another time, of a thread that ended, and none at the end");
	w = chains_of(false);
	put_deferred(&w, 7, 10, 0x11, 1);
	put_callers(&w, 7, 11, 1, 300);
	begin_record(&w, 23, 0);
	put_trailer(&w, 7, 12);
	begin_record(&w, 200, 0);
	end_record(&w);
	gives(&w, "0 50/7 10 1: (-128) 11\n",
	      "records of an unknown kind are passed over (of a newer kernel?)\n"
	      "records of an unknown kind are passed over (of a newer perf, or another program?)\n"
	      "a record is shorter than what it has to hold (a damaged file?)\n" MISSING,
	      "callers that their record does not hold, and a record that is not known");
}

/* More samples wait than are kept: 90 MB, in threads that never return. */
static void test_callers_of_too_many(void)
{
	const char *note = "a sample lacks its callers in user space: too many samples waited for theirs";
	const size_t n = tap_sanitized() ? 250000 : 300000;
	struct writer w = chains_of(false);
	struct seen s;
	for (size_t i = 0; i < n; i++)
		put_deferred(&w, (uint32_t)i, i + 1, i, i);
	see_all(&s, &w, "many samples wait");
	ok(strncmp(buf_str(&s.text), "0 50/0 1 1: (-128) 0\n0 50/1 2 1: (-128) 1\n", 40) == 0,
	   "the oldest are handed on first");
	ok(strncmp(buf_str(&s.notes), note, strlen(note)) == 0, "which is said");
	is_int((long long)lines_of(&s.text), (long long)n, "none is lost");
	seen_end(&s);
}

#define N_COUNTERS 500u

/* A record is kept once for all its counters: copies for each would be 160 MB, more than may wait. */
static void test_callers_of_groups(void)
{
	static struct perfdata_event events[N_COUNTERS];
	const unsigned n_records = 40;
	struct writer w = writer_new(false);
	struct seen s;
	for (size_t i = 0; i < N_COUNTERS; i++) {
		events[i] = with_chain;
		events[i].sample_type |= FIELD_READ;
		events[i].read_format = READ_GROUP | READ_ID;
	}
	put_pipe_header(&w, events, N_COUNTERS);
	for (uint64_t k = 1; k <= n_records; k++) {
		begin_record(&w, RECORD_SAMPLE, MODE_KERNEL);
		put_u64(&w, id_of(0));
		put_u32(&w, 50);
		put_u32(&w, 7);
		put_u64(&w, k);
		put_u64(&w, N_COUNTERS);
		for (size_t i = 0; i < N_COUNTERS; i++) {
			put_u64(&w, k * (i + 1));
			put_u64(&w, id_of(i));
		}
		put_chain(&w, 0x11, 5);
	}
	put_callers(&w, 7, n_records + 1, 5, 3);
	see_all(&s, &w, "samples of groups wait for their callers");
	const char *first = "0 50/7 1 1: (-128) 11 (-512) a5 b5\n1 50/7 1 2: (-128) 11 (-512) a5 b5\n";
	ok(strncmp(buf_str(&s.text), first, strlen(first)) == 0, "each counter has them");
	is_int((long long)lines_of(&s.text), (long long)n_records * N_COUNTERS, "none is lost");
	is_str(buf_str(&s.notes), "", "none is given up");
	seen_end(&s);
}

int main(void)
{
	test_groups();
	test_off_cpu();
	test_deferred();
	test_callers_missing();
	test_callers_of_too_many();
	test_callers_of_groups();
	return done_testing();
}
