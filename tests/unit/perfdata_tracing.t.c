/* tracing - formats of tracepoints: where their fields are, whatever is cut off or makes no sense. */
#include "perfdata/tracing.h"

#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/perfdata_writer.h"

static const char exit_format[] = "name: sys_exit\n"
								  "ID: 442\n"
								  "format:\n"
								  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
								  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
								  "\n"
								  "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
								  "\tfield:unsigned long args[6];\toffset:24;\tsize:48;\tsigned:0;\n"
								  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n"
								  "\n"
								  "print fmt: \"0x%lx\", REC->ret\n";

static void finds(const char *format, const char *name, uint32_t offset, uint32_t size)
{
	struct tracing_field f = {0, 0};
	ok(tracing_find(format, name, &f) && f.offset == offset && f.size == size, "%s is at %u+%u", name, f.offset,
	   f.size);
}

static void finds_none(const char *format, const char *name, const char *why)
{
	struct tracing_field f;
	ok(!tracing_find(format, name, &f), "%s", why);
}

static void test_fields(void)
{
	finds(exit_format, "ret", 16, 8);
	finds(exit_format, "__syscall_nr", 8, 4);
	finds(exit_format, "args", 24, 48);
	finds("\tfield:ret;\toffset:24;\tsize:8;", "ret", 24, 8);
	finds("\tfield:long ret;\toffset:24;\tsize:8;", "ret", 24, 8);
	finds_none(exit_format, "nr", "the end of a name is another name");
	finds_none(exit_format, "type", "likewise");
	finds_none(exit_format, "long", "a type is no name");
	finds_none("", "ret", "there is nothing in an empty format");
	finds_none("\tfield:long ret", "ret", "a line is cut off in its name");
	finds_none("\tfield:long ret;\toffset:16;\n\tsize:8;", "ret", "the size is on another line");
	finds_none("\tfield:long ret;\toffset:;\tsize:8;", "ret", "an offset without digits");
	finds_none("\tfield:long ret;\toffset:99999999999999999999;\tsize:8;", "ret", "an offset beyond all numbers");
	finds_none("\tfield:long ret;\toffset:70000;\tsize:8;", "ret", "an offset beyond all samples");
	finds_none("\tfield:long ret;\toffset:-8;\tsize:8;", "ret", "a negative one");
	finds_none("\tfield:;\toffset:0;\tsize:8;", "ret", "a field without a name");
	finds_none("\tfield:long ret\n\tfield:int nr;\toffset:16;\tsize:8;", "ret", "a line without a semicolon");
	finds_none("offset:16;\tsize:8;\tx;field:ret\n", "ret", "a semicolon before the field");
	finds_none("\tfield:];\toffset:0;\tsize:8;", "ret", "a bracket alone");
}

/* A format of 4 MiB: to search all of it from each line would take minutes. */
static void test_long_format(void)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, "ID: 100\n");
	for (size_t i = 0; i < (size_t)4 << 20; i++)
		buf_addc(&text, '\n');
	buf_adds(&text, "\tfield:long ret;\toffset:16;\tsize:8;\n");
	alarm(20);
	finds(buf_str(&text), "ret", 16, 8);
	alarm(0);
	buf_deinit(&text);
}

static void test_numbers(void)
{
	static const unsigned char raw[] = {0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	struct perfdata_bytes b = {raw, sizeof raw, false, false};
	int64_t n = 0;
	ok(tracing_number(&(struct tracing_field){8, 8}, b, &n) && n == -2, "a number of 8 bytes");
	ok(tracing_number(&(struct tracing_field){8, 4}, b, &n) && n == -2, "one of 4 bytes has a sign, too");
	b.is_swapped = true;
	ok(tracing_number(&(struct tracing_field){8, 4}, b, &n) && n == (int32_t)0xfeffffff, "the other byte order");
	ok(!tracing_number(&(struct tracing_field){12, 8}, b, &n), "a number that is cut off");
	ok(!tracing_number(&(struct tracing_field){16, 4}, b, &n), "one behind the end");
	ok(!tracing_number(&(struct tracing_field){8, 2}, b, &n), "one of another size");
	ok(!tracing_number(&(struct tracing_field){0, 8}, (struct perfdata_bytes){NULL, 0, false, false}, &n),
	   "no raw data");
}

static size_t n_filling; /* bytes at the end of the format */

static void put_formats(struct writer *w)
{
	buf_add(&w->out, "\x17\x08\x44tracing0.6\0\0\x08", 16);
	put_u32(w, 4096);
	buf_add(&w->out, "header_page", 12);
	put_u64(w, 5);
	buf_adds(&w->out, "field");
	buf_add(&w->out, "header_event", 13);
	put_u64(w, 0);
	put_u32(w, 1); /* of ftrace */
	put_u64(w, 3);
	buf_adds(&w->out, "abc");
	put_u32(w, 2);
	buf_add(&w->out, "sched", 6);
	put_u32(w, 1);
	put_u64(w, 30);
	buf_adds(&w->out, "name: a\nID: 4420\nformat:\n\n\n\n\n\n");
	buf_add(&w->out, "raw_syscalls", 13);
	put_u32(w, 1);
	put_u64(w, sizeof exit_format - 1 + n_filling);
	buf_adds(&w->out, exit_format);
	for (size_t i = 0; i < n_filling; i++)
		buf_addc(&w->out, '\n');
}

static bool parses(const struct writer *w, size_t n, bool is_damaged, bool *has_format)
{
	struct perfdata_events events;
	struct arena texts;
	char *copy = malloc(n ? n : 1); /* so that a sanitizer sees where it ends */
	memcpy(copy, w->out.data, n);
	arena_init(&texts);
	perfdata_events_init(&events, &texts);
	perfdata_events_add(&events, &(struct perfdata_event){.type = EVENT_HARDWARE, .config = 442});
	perfdata_events_add(&events, &(struct perfdata_event){.type = EVENT_TRACEPOINT, .config = 442});
	perfdata_events_add(&events, &(struct perfdata_event){.type = EVENT_TRACEPOINT, .config = 443});
	bool is_good =
		tracing_parse(&events, &texts, (struct perfdata_bytes){(unsigned char *)copy, n, w->is_swapped, false});
	*has_format = events.all[1].format != NULL;
	ok(!events.all[0].format && !events.all[2].format, "other events have none");
	if (*has_format && n == w->out.len && !is_damaged)
		is_str(events.all[1].format, exit_format, "the format is whole");
	perfdata_events_deinit(&events);
	arena_deinit(&texts);
	free(copy);
	return is_good;
}

static void test_recording(bool is_swapped)
{
	struct writer w = writer_new(is_swapped);
	bool has_format;
	put_formats(&w);
	ok(parses(&w, w.out.len, false, &has_format) && has_format, "a tracepoint gets its format");
	for (size_t n = 0; n < w.out.len; n += n < 90 ? 1 : 37) {
		ok(!parses(&w, n, false, &has_format), "%zu bytes are cut off", n);
		ok(!has_format, "and half a format is none");
	}
	writer_end(&w);
}

static void test_sizes(void)
{
	struct writer w = writer_new(false);
	bool has_format;
	n_filling = 70000;
	put_formats(&w);
	ok(parses(&w, w.out.len, true, &has_format) && !has_format, "a format longer than all of the kernel is none");
	n_filling = 0;
	writer_end(&w);
}

/* Numbers that promise more than there is. */
static void test_promises(void)
{
	struct writer w = writer_new(false);
	bool has_format;
	put_formats(&w);
	for (size_t at = 16; at + 8 <= w.out.len && at < 120; at++) {
		char kept[8];
		memcpy(kept, w.out.data + at, sizeof kept);
		memset(w.out.data + at, 0xff, sizeof kept);
		parses(&w, w.out.len, true, &has_format);
		memcpy(w.out.data + at, kept, sizeof kept);
	}
	pass("lengths beyond all bytes end");
	writer_end(&w);
}

int main(void)
{
	test_fields();
	test_long_format();
	test_numbers();
	test_recording(false);
	test_recording(true);
	test_sizes();
	test_promises();
	return done_testing();
}
