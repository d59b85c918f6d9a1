/*
 * Deep events of speedscope: the cost of an event must not grow with the number of open frames. Counts steps, not
 * time.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "model/profile.h"
#include "tests/tap.h"
#include "tests/unit/collapsing.h"

static size_t steps;

#define frames_push(f, sym) (steps++, (frames_push)(f, sym))
#define profile_child(p, path, sym) (steps++, (profile_child)(p, path, sym))
#define profile_path(p, syms, n) (steps += (n), (profile_path)(p, syms, n))
#define format_speedscope counted_speedscope
#include "src/collapse/formats/speedscope.c"
#undef frames_push
#undef profile_child
#undef profile_path

static void add_event(struct buf *out, char type, unsigned frame, unsigned at)
{
	buf_addf(out, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%u}", at ? "," : "", type, frame, at);
}

/* n frames, each opened within the previous one; all are closed again. */
static char *nested(unsigned n, unsigned names)
{
	struct buf out;
	buf_init(&out);
	buf_adds(&out, "{\"shared\":{\"frames\":[");
	for (unsigned i = 0; i < names; i++)
		buf_addf(&out, "%s{\"name\":\"f%u\"}", i ? "," : "", i);
	buf_adds(&out, "]},\"profiles\":[{\"type\":\"evented\",\"unit\":\"none\",\"events\":[");
	for (unsigned i = 0; i < n; i++)
		add_event(&out, 'O', i % names, i);
	for (unsigned i = 0; i < n; i++)
		add_event(&out, 'C', (n - 1 - i) % names, n + i);
	buf_adds(&out, "]}]}\n");
	return buf_take(&out);
}

static void test_depth(unsigned n, unsigned names)
{
	char *text = nested(n, names);
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	steps = 0;
	ok(collapse_pieces(&p, &counted_speedscope, &o, text, strlen(text), strlen(text)),
	   "events %u deep with %u names are read", n, names);
	ok(p.log[0].total == 2 * (uint64_t)n - 1, "and all of their time");
	ok(steps <= 8 * (size_t)n, "in a few steps for each (got %zu)", steps);
	ok(p.n_paths == n + 1, "and as many paths as there are frames");
	profile_deinit(&p);
	free(text);
}

int main(void)
{
	test_depth(1, 1);
	test_depth(20000, 20000);
	test_depth(20000, 1);
	return done_testing();
}
