/*
 * Long tags and comments of xctrace: expat before 2.6 scans a whole token again whenever more of it comes, so it
 * must not come in small pieces. Counts calls, not time.
 */
#include <expat.h>

#include "collapse/formats.h"
#include "tests/tap.h"
#include "tests/unit/collapsing.h"

static size_t calls;

#define LONGEST_TOKEN ((size_t)40 << 20)
#define XML_Parse(parser, text, len, is_last) (calls++, (XML_Parse)(parser, text, len, is_last))
#define format_xctrace counted_xctrace
#include "src/collapse/formats/xctrace.c"
#undef XML_Parse

#define BEGIN "<?xml version=\"1.0\"?>\n<trace-query-result><node>"
#define END \
	"<row><backtrace id=\"1\"><frame id=\"2\" name=\"main\"/></backtrace></row></node></trace-query-result>\n"

/* `before` and `after` with n bytes between them, in pieces of a megabyte as they come from a file. */
static bool feed_long(struct profile *p, const char *before, size_t n, const char *after, struct err *err)
{
	static char piece[1 << 20];
	struct collapse_options o = {.jobs = 1};
	struct sink sink = {.profile = p, .options = &o};
	profile_init(p);
	void *state = counted_xctrace.start(&sink, err);
	bool good = feed_piece(&counted_xctrace, state, &sink, before, strlen(before), err);
	memset(piece, 'x', sizeof piece);
	calls = 0;
	for (; good && n; n -= n < sizeof piece ? n : sizeof piece)
		good = feed_piece(&counted_xctrace, state, &sink, piece, n < sizeof piece ? n : sizeof piece, err);
	good = good && feed_piece(&counted_xctrace, state, &sink, after, strlen(after), err);
	return counted_xctrace.finish(state, good, err) && good;
}

static void test_long(const char *name, const char *before, const char *after, size_t most_calls)
{
	struct err err = {""};
	struct profile p;
	bool good = feed_long(&p, before, (size_t)20 << 20, after, &err);
	if (!ok(good && p.log[0].total == 1, "%s is passed over", name))
		diag("%s", err.text);
	ok(calls <= most_calls, "and given to the parser in a few pieces (%zu)", calls);
	profile_deinit(&p);
}

static void test_too_long(const char *name, const char *before, const char *after)
{
	struct err err = {""};
	struct profile p;
	ok(!feed_long(&p, before, LONGEST_TOKEN + 2 * PIECE, after, &err), "%s of more than the most is refused", name);
	is_str(err.text, "line 2: a tag or comment of more than 40 MiB (expected the XML of `xctrace export`)",
	       "and the line is named");
	profile_deinit(&p);
}

int main(void)
{
	test_long("a long comment", BEGIN "<!--", "-->" END, 8);
	test_long("a long attribute", BEGIN "<row a=\"", "\"/>" END, 8);
	test_long("a comment in front of everything", "<?xml version=\"1.0\"?><!--",
	          "-->\n<trace-query-result><node>" END, 8);
	test_long("long text", BEGIN, END, 22);
	test_too_long("a comment", BEGIN "<!--", "-->" END);
	test_too_long("an attribute", BEGIN "<row a=\"", "\"/>" END);
	return done_testing();
}
