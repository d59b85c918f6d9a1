/* Samples that are not as their record has them: counters of groups. */
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

/* Expects these samples and notes of what was written, which it ends. */
static void gives(struct writer *w, const char *samples, const char *notes, const char *name)
{
	static const struct perfdata_hooks hooks = {.sample = see_sample, .note = see_note};
	struct seen s = {0};
	struct err err = {""};
	buf_init(&s.text);
	buf_init(&s.notes);
	s.p = perfdata_new(&hooks, &s);
	ok(perfdata_feed(s.p, w->out.data, w->out.len, &err) && perfdata_finish(s.p, true, &err), "%s", name);
	is_str(buf_str(&s.text), samples, "its samples");
	is_str(buf_str(&s.notes), notes, "its notes");
	perfdata_free(s.p);
	buf_deinit(&s.text);
	buf_deinit(&s.notes);
	writer_end(w);
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

int main(void)
{
	test_groups();
	return done_testing();
}
