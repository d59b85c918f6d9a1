/*
 * record_choice.t.c - whether dtrace or xctrace takes the samples.
 */
#include <stdlib.h>

#include "base/platform.h"
#include "record/choice.h"
#include "tests/tap.h"

static void chosen(const struct record_options *r, enum record_with expected, const char *name)
{
	is_int(choice_of_tracer(r), expected, "%s", name);
}

static void test_variables(void)
{
	struct record_options r = {.is_record = true};
	if (ON_LINUX)
		chosen(&r, WITH_AUTO, "on Linux it is neither");
	setenv("DTRACE", "my-dtrace", 1);
	chosen(&r, WITH_DTRACE, "unless DTRACE names one");
	setenv("XCTRACE", "my-xctrace", 1);
	chosen(&r, WITH_XCTRACE, "XCTRACE goes before it");
	setenv("PERF", "my-perf", 1);
	chosen(&r, WITH_AUTO, "PERF before both");
	unsetenv("PERF");
}

static void test_options(void)
{
	chosen(&(struct record_options){.is_record = true, .with = WITH_DTRACE}, WITH_DTRACE,
	       "--with goes before the environment");
	chosen(&(struct record_options){.is_record = true, .with = WITH_FLAMETOP}, WITH_AUTO, "whatever it says");
	chosen(&(struct record_options){.is_record = true, .memory = true}, WITH_AUTO,
	       "what only flametop does is left to it");
	chosen(&(struct record_options){.is_record = true, .ptrace = true}, WITH_AUTO, "so is --ptrace");
	chosen(&(struct record_options){.is_record = true, .perfdata = "perf.data"}, WITH_AUTO,
	       "a recording that is there needs none");
	chosen(&(struct record_options){.is_sample = true}, WITH_AUTO, "flametop sample is always itself");
}

int main(void)
{
	unsetenv("PERF");
	unsetenv("DTRACE");
	unsetenv("XCTRACE");
	test_variables();
	test_options();
	return done_testing();
}
