/* Which recordings are given to perf script, by their headers. */
#include "collapse/perf/perf_need.h"

#include <stdlib.h>
#include <unistd.h>

#include "perfdata/features.h"
#include "perfdata_writer.h"

#define FORMAT "name: sched_switch\nID: 375\nformat:\n\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
#define TYPE (FIELD_IP | FIELD_TID | FIELD_TIME)

static const struct perfdata_event tracepoint = {
	.type = EVENT_TRACEPOINT, .config = 375, .sample_type = TYPE | FIELD_RAW};

static void put_formats(struct writer *w)
{
	buf_add(&w->out, "\x17\x08\x44tracing0.6\0\0\x08", 16);
	put_u32(w, 4096);
	buf_add(&w->out, "header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0", 41);
	put_u32(w, 0);
	put_u32(w, 1);
	buf_add(&w->out, "sched", 6);
	put_u32(w, 1);
	put_u64(w, strlen(FORMAT));
	buf_adds(&w->out, FORMAT);
	put_zeros(w, 16);
}

static void put_description(struct writer *w, const struct perfdata_event *e, const char *name)
{
	put_u32(w, 1);
	put_u32(w, WRITER_ATTR);
	put_attr(w, e);
	put_u32(w, 2);
	put_text(w, name);
	put_u64(w, id_of(0));
	put_u64(w, id_of(0) + 1);
}

/* A recording of one record that says nothing: an event of this name, with or without the formats of tracepoints. */
static struct writer recording_of(const struct perfdata_event *e, const char *name, bool has_formats)
{
	struct writer w = writer_new(false), formats = writer_new(false), description = writer_new(false);
	put_formats(&formats);
	put_description(&description, e, name);
	put_file_header(&w, e, 1, RECORD_HEADER,
	                1u << FEATURE_EVENT_DESC | (has_formats ? 1u << FEATURE_TRACING_DATA : 0));
	put_round(&w);
	size_t at = w.out.len + (has_formats ? 32 : 16);
	if (has_formats) {
		put_u64(&w, at);
		put_u64(&w, formats.out.len);
		at += formats.out.len;
	}
	put_u64(&w, at);
	put_u64(&w, description.out.len);
	if (has_formats)
		buf_add(&w.out, formats.out.data, formats.out.len);
	buf_add(&w.out, description.out.data, description.out.len);
	writer_end(&formats);
	writer_end(&description);
	return w;
}

static enum perf_need need_of(const struct buf *bytes, const struct collapse_options *o)
{
	char path[] = "/tmp/flametop-need-XXXXXX";
	struct err err = {""};
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, bytes->data, bytes->len) != (ssize_t)bytes->len)
		bail_out("cannot write %s", path);
	close(fd);
	enum perf_need need = perf_need_of_file(path, o, &err);
	unlink(path);
	return need;
}

static void needs(enum perf_need expected, const struct perfdata_event *e, const char *name, bool has_formats,
                  const char *what)
{
	const struct collapse_options plain = {0};
	struct writer w = recording_of(e, name, has_formats);
	is_int(need_of(&w.out, &plain), expected, "%s", what);
	writer_end(&w);
}

static void test_scheduler(void)
{
	struct perfdata_event clock = {.type = EVENT_SOFTWARE, .sample_type = TYPE | FIELD_RAW}, bare = tracepoint;
	bare.sample_type = TYPE;
	needs(NEED_TEXT, &tracepoint, "sched:sched_switch", true, "the scheduler's tracepoints");
	needs(NEED_NOTHING, &tracepoint, "block:block_rq_issue", true, "other tracepoints");
	needs(NEED_NOTHING, &clock, "sched:sched_switch", true, "an event that only has a tracepoint's name");
	needs(NEED_NOTHING, &bare, "sched:sched_switch", true, "a tracepoint without data");
	needs(NEED_NOTHING, &tracepoint, "sched:sched_switch", false, "a tracepoint without a format");
}

static void test_damaged(void)
{
	const struct collapse_options plain = {0}, lines = {.srcline = true};
	struct writer w = recording_of(&tracepoint, "sched:sched_switch", true);
	is_int(need_of(&w.out, &lines), NEED_TEXT, "source lines");
	memset(w.out.data + 16, 0xff, 8); /* the size of an event */
	is_int(need_of(&w.out, &plain), NEED_OTHER, "a header that cannot be read");
	w.out.len = 40;
	is_int(need_of(&w.out, &plain), NEED_MORE, "a header that is cut off");
	writer_end(&w);
}

int main(void)
{
	test_scheduler();
	test_damaged();
	return done_testing();
}
