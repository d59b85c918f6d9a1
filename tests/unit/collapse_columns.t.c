/*
 * What samples and frames know beside stack and weight: when it was, and where the source is.
 */
#include "tests/tap.h"

#include "collapsing.h"

static void load_text(struct profile *p, const char *format, const char *text)
{
	if (!load_as(p, format, text))
		bail_out("%s: the text was not read", format);
}

static uint64_t time_of(const struct profile *p, size_t sample)
{
	return p->log[0].time != NULL && sample < p->log[0].n ? p->log[0].time[sample] : NO_TIME;
}

/* "file:line" of a frame's source, "" if it is not known. */
static const char *source_of(const struct profile *p, const char *name)
{
	uint32_t sym = symtab_find(&p->symtab, name, strlen(name));
	if (sym == UINT32_MAX)
		return "no such frame";
	return p->symtab.symbols[p->symtab.symbols[sym].source].name;
}

static void test_xdebug(void)
{
	struct profile p;
	load_text(&p, "xdebug",
	          "TRACE START [x]\n"
	          "1\t0\t0\t0.5\t1\t{main}\t1\t\t/a.php\t0\t0\n"
	          "2\t1\t0\t0.75\t1\tf\t1\t\t/a.php\t3\t0\n"
	          "2\t1\t1\t1.25\t1\n"
	          "1\t0\t1\t1.5\t1\n"
	          "TRACE END [x]\n");
	is_int(time_of(&p, 0), time_of(&p, 1) - 250000000, "a sample of Xdebug begins with the entry or exit before it");
	profile_deinit(&p);
}

static void test_speedscope(void)
{
	struct profile p;
	load_text(&p, "speedscope",
	          "{\"profiles\":[{\"type\":\"sampled\",\"samples\":[[0,1,2]],\"weights\":[1],\"unit\":\"none\"}],"
	          "\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"a.py\",\"line\":3},{\"name\":\"f\",\"line\":0,"
	          "\"file\":\"b.py\"},{\"name\":\"g\"}]},"
	          "\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}");
	is_str(source_of(&p, "main"), "a.py:3", "a frame of speedscope has its file and line");
	is_str(source_of(&p, "f"), "b.py", "or its file alone");
	is_str(source_of(&p, "g"), "", "or nothing");
	profile_deinit(&p);
}

int main(void)
{
	test_xdebug();
	test_speedscope();
	return done_testing();
}
