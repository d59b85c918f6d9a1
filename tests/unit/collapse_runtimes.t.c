/* runtimes - whose code has no names, and what is advised: only for the program that made it. */
#include "perfdata/perfdata.h"
#include "tests/unit/loading.h"
#include "tests/unit/perfdata_writer.h"

#define TYPE (FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_PERIOD)
#define ANON 0x7f0000000000
#define EXEC (1u << 13)

static const struct perfdata_event event = {
	.type = EVENT_SOFTWARE, .sample_type = TYPE, .flags = EVENT_SAMPLE_ID_ALL | EVENT_FREQ};
static uint64_t now;

static void put_map(struct writer *w, uint32_t pid, uint64_t start, const char *name)
{
	begin_record(w, RECORD_MMAP2, MODE_USER);
	put_u32(w, pid);
	put_u32(w, pid);
	put_u64(w, start);
	put_u64(w, 0x100000);
	put_zeros(w, 32);
	put_u64(w, 5);
	put_name(w, name);
	end_with_id(w, &event, ++now, id_of(0));
}

static void put_fork(struct writer *w, uint32_t pid, uint32_t parent)
{
	begin_record(w, RECORD_FORK, 0);
	put_u32(w, pid);
	put_u32(w, parent);
	put_u32(w, pid);
	put_u32(w, parent);
	put_u64(w, ++now);
	end_with_id(w, &event, now, id_of(0));
}

/* Another program, which makes code, too. */
static void put_exec(struct writer *w, uint32_t pid, const char *path)
{
	begin_record(w, RECORD_COMM, EXEC);
	put_u32(w, pid);
	put_u32(w, pid);
	put_name(w, strrchr(path, '/') + 1);
	end_with_id(w, &event, ++now, id_of(0));
	put_map(w, pid, 0x400000, path);
	put_map(w, pid, ANON, "//anon");
}

static void put_samples(struct writer *w, uint32_t pid, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		begin_record(w, RECORD_SAMPLE, MODE_USER);
		put_u64(w, id_of(0));
		put_u64(w, ANON + 16);
		put_u32(w, pid);
		put_u32(w, pid);
		put_u64(w, ++now);
		put_u64(w, 1);
		end_record(w);
	}
}

/* Ends the recording; its only advice is this one, NULL: it has none. */
static void advises(struct writer *w, const char *expected, const char *name)
{
	struct profile p;
	struct collapse_options o = {.jobs = 1, .symbolizer = SYMBOLIZER_NATIVE};
	struct err err = {""};
	struct buf all;
	buf_init(&all);
	if (!ok(load_bytes(&p, &o, w->out.data, w->out.len, &err), "a recording is read"))
		diag("%s", err.text);
	for (size_t i = 0; i < p.report.n; i++)
		if (p.report.notes[i].file && strstr(p.report.notes[i].file, "This is "))
			buf_adds(&all, p.report.notes[i].file);
	is_str(buf_str(&all), expected ? expected : "", "%s", name);
	buf_deinit(&all);
	profile_deinit(&p);
	writer_end(w);
}

static struct writer begun(void)
{
	struct writer w = writer_new(false);
	now = 0;
	put_pipe_header(&w, &event, 1);
	return w;
}

#define NODE "This is Node without a perf map"

int main(void)
{
	struct writer w = begun();
	put_exec(&w, 2147480000, "/none/node");
	put_samples(&w, 2147480000, 10);
	advises(&w, NODE, "a runtime without names");
	w = begun();
	put_exec(&w, 2147480000, "/none/node");
	put_fork(&w, 2147480001, 2147480000);
	put_samples(&w, 2147480001, 10);
	advises(&w, NODE, "its child goes on with its code");
	w = begun();
	put_exec(&w, 2147480000, "/none/node");
	put_fork(&w, 2147480001, 2147480000);
	put_exec(&w, 2147480001, "/none/qemu");
	put_samples(&w, 2147480001, 10);
	advises(&w, NULL, "another program in the child is no runtime");
	w = begun();
	put_exec(&w, 2147480000, "/none/node");
	put_samples(&w, 2147480000, 10);
	put_exec(&w, 2147480000, "/none/qemu");
	put_samples(&w, 2147480000, 10);
	advises(&w, NODE, "a program before it still is one");
	w = begun();
	put_exec(&w, 2147480000, "/none/node");
	put_exec(&w, 2147480000, "/none/ruby");
	put_fork(&w, 2147480001, 2147480000);
	put_exec(&w, 2147480001, "/none/qemu");
	put_fork(&w, 2147480002, 2147480001);
	put_samples(&w, 2147480002, 10);
	put_samples(&w, 2147480000, 10);
	advises(&w, "This is Ruby without a perf map", "the latest of several counts");
	return done_testing();
}
