/*
 * record_perf.t.c - perf's argument vectors, splitting of words, and advice.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/perf.h"
#include "tests/tap.h"
#include "tests/unit/loading.h"

static void is_words(const struct words *w, const char *expected, const char *name)
{
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < w->n; i++)
		buf_addf(&b, "%s%s", i ? "|" : "", w->v[i]);
	is_str(buf_str(&b), expected, "%s", name);
	ok(w->v[w->n] == NULL, "%s: the vector ends", name);
	buf_deinit(&b);
}

static void split(const char *text, const char *expected)
{
	struct words w;
	struct err err;
	words_init(&w);
	ok(words_split(&w, text, &err), "'%s' can be split", text);
	is_words(&w, expected, text);
	words_deinit(&w);
}

static void test_split(void)
{
	struct words w;
	struct err err;
	split("", "");
	split("  a  b\tc\n", "a|b|c");
	split("'a b' c", "a b|c");
	split("a'b'\"c\"d", "abcd");
	split("\"a \\\"b\\\" \\c\"", "a \"b\" \\c");
	split("a\\ b ''", "a b|");
	split("$HOME *", "$HOME|*");
	words_init(&w);
	ok(!words_split(&w, "a 'b", &err), "an open quotation is refused");
	words_deinit(&w);
}

static char make[] = "make", target[] = "a;b", *command[] = {make, target, NULL};

static void record(const struct record_options *r, const char *path, bool is_live, const char *expected,
                   const char *name)
{
	struct words w;
	struct err err;
	char *file;
	words_init(&w);
	ok(perf_record_words(&w, r, path, is_live, &file, &err), "%s: makes sense", name);
	is_words(&w, expected, name);
	words_deinit(&w);
	free(file);
}

static void test_record(void)
{
	struct record_options r = {.command = command};
	const char *pids[] = {"1", "2", NULL};
	unsetenv("PERF");
	record(&r, "f", false, "perf|record|-F|997|--call-graph|dwarf,16384|-o|f|--|make|a;b", "batch");
	record(&r, "-", true, "perf|record|-F|997|--call-graph|dwarf,16384|--no-buffering|-o|-|--|make|a;b", "live");
	r = (struct record_options){.pids = pids, .root = true, .sudo_flags = "-E -n", .call_graph = "lbr"};
	record(&r, "f", false, "sudo|-E -n|perf|record|-F|997|--call-graph|lbr|-p|1,2|-o|f",
	       "sudo's flags stay one word");
	r = (struct record_options){.pids = pids, .duration = "2.5"};
	record(&r, "f", false, "perf|record|-F|997|--call-graph|dwarf,16384|-p|1,2|-o|f|--|sleep|2.5",
	       "a duration is that of a command");
	r = (struct record_options){.command = command, .duration = "2.5"};
	record(&r, "f", false, "perf|record|-F|997|--call-graph|dwarf,16384|-o|f|--|make|a;b", "unless there is one");
	r = (struct record_options){.record_args = "-g -o x y", .command = command};
	record(&r, "f", false, "perf|record|-g|y|-o|x|--|make|a;b", "a file of its own");
	record(&r, "-", true, "perf|record|-g|y|--no-buffering|-o|-|--|make|a;b", "live there is no file");
	r.record_args = "-ox -g";
	record(&r, "f", false, "perf|record|-g|-o|x|--|make|a;b", "a file in the word of its option");
	r.record_args = "--output=x -g --output y=z";
	record(&r, "f", false, "perf|record|-g|-o|y=z|--|make|a;b", "the last of several files");
	r.record_args = "--output-more --overwrite";
	record(&r, "f", false, "perf|record|--output-more|--overwrite|-o|f|--|make|a;b", "options that begin alike");
	setenv("PERF", "/opt/perf", 1);
	r = (struct record_options){.command = command, .frequency = "9", .event = "x", .compression = "3"};
	record(&r, "f", false,
	       "/opt/perf|record|-F|9|-e|x|--call-graph|dwarf,16384|--compression-level=3|-o|f|--|make|a;b", "PERF");
	unsetenv("PERF");
}

static void limits(int paranoid, int kptr, bool is_privileged, bool all, const char *error, const char *note,
                   const char *name)
{
	struct perf_limits l = {.limits = {paranoid, kptr, is_privileged}};
	struct record_options r = {.all_cpus = all};
	struct buf notes;
	struct err err = {""};
	buf_init(&notes);
	bool is_possible = perf_check_limits(&r, &l, &notes, &err);
	ok(is_possible == (*error == '\0'), "%s: possible or not", name);
	ok(strstr(err.text, error) != NULL, "%s: the error (%s)", name, err.text);
	ok(*note ? strstr(buf_str(&notes), note) != NULL : notes.len == 0, "%s: the note (%s)", name, buf_str(&notes));
	buf_deinit(&notes);
}

static void test_limits(void)
{
	limits(-1, 0, false, true, "", "", "everything is allowed");
	limits(0, 0, false, true, "", "", "the whole system is allowed");
	limits(1, 0, false, true, "perf_event_paranoid=0", "", "the whole system is not allowed");
	limits(1, 0, false, false, "", "", "own processes with the kernel");
	limits(2, 0, false, false, "", "kernel code is left out", "own processes without the kernel");
	limits(4, 0, false, false, "perf_event_paranoid=1", "", "nothing is allowed");
	limits(4, 1, true, true, "", "", "root may do everything");
	limits(1, 1, false, false, "", "no names", "kernel addresses are hidden");
	limits(1, 2, true, false, "", "no names", "kernel addresses are hidden even from root");
	setenv("PERF", "/opt/perf", 1);
	limits(4, 0, false, false, "", "perf may be refused", "a perf of one's own may be allowed more");
	limits(1, 0, false, true, "", "perf_event_paranoid=0", "also for the whole system");
	limits(2, 0, false, false, "", "kernel code is left out", "or not");
	unsetenv("PERF");
	limits(LIMITS_UNKNOWN, LIMITS_UNKNOWN, false, true, "", "", "nothing is known");
}

static void test_package(void)
{
	static const char *const systems[][2] = {
		{"NAME=x\nID=debian\n", "linux-perf"},
		{"ID=ubuntu\nID_LIKE=debian\n", "linux-tools"},
		{"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf"},
		{"ID=unheard\n", "called perf"},
	};
	char path[] = "/tmp/flametop-os-XXXXXX";
	int fd = mkstemp(path);
	for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
		size_t n = strlen(systems[i][0]);
		bool is_written = ftruncate(fd, 0) == 0 && pwrite(fd, systems[i][0], n, 0) == (ssize_t)n;
		ok(is_written && strstr(perf_package_hint(path), systems[i][1]) != NULL,
		   "the package of system %zu is known", i);
	}
	close(fd);
	unlink(path);
	ok(strstr(perf_package_hint("/nonexistent"), "perf") != NULL, "an unknown system gets a general hint");
}

static void advises(const struct profile *p, const struct record_options *r, const char *expected, const char *name)
{
	const char *text = perf_advice(r, p);
	ok(*expected ? strstr(text, expected) != NULL : !*text, "%s (%s)", name, text);
}

static void test_advice(void)
{
	struct profile shallow, deep;
	struct buf lines[2];
	for (size_t i = 0; i < 2; i++)
		buf_init(&lines[i]);
	for (int i = 0; i < 30; i++) {
		buf_addf(&lines[0], "work;f%d 1\n", i);
		buf_addf(&lines[1], "work;main;f%d 1\n", i);
	}
	load_as(&shallow, "folded", buf_str(&lines[0]));
	load_as(&deep, "folded", buf_str(&lines[1]));
	struct record_options r = {.call_graph = "fp"};
	advises(&shallow, &r, "without frame pointers", "single functions are no stacks");
	advises(&deep, &r, "", "stacks are");
	r = (struct record_options){.all_cpus = true};
	advises(&shallow, &r, "without frame pointers", "the system is sampled by frame pointers");
	r = (struct record_options){0};
	advises(&shallow, &r, "", "DWARF needs none");
	r = (struct record_options){.record_args = "record -e x -g"};
	advises(&shallow, &r, "without frame pointers", "-g in --cmd means frame pointers");
	r = (struct record_options){.record_args = "record -e x"};
	advises(&shallow, &r, "--cmd asks perf for no more", "--cmd may ask for no stacks at all");
	r = (struct record_options){.record_args = "record --call-graph dwarf"};
	advises(&shallow, &r, "", "or for DWARF");
	for (size_t i = 0; i < 2; i++)
		buf_deinit(&lines[i]);
	profile_deinit(&shallow);
	profile_deinit(&deep);
}

static void test_spawn(void)
{
	struct words w;
	struct err err;
	pid_t child;
	words_init(&w);
	words_add(&w, "sh");
	words_add(&w, "-c");
	words_add(&w, "exit 5");
	ok(words_spawn(&w, &(struct streams){STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL}, &child, &err),
	   "a program starts");
	int status = 0;
	waitpid(child, &status, 0);
	is_int(WEXITSTATUS(status), 5, "its status comes back");
	words_deinit(&w);
	words_init(&w);
	words_add(&w, "/nonexistent/program");
	ok(!words_spawn(&w, &(struct streams){STREAM_SAME, STREAM_SAME, STREAM_SAME, false, NULL}, &child, &err),
	   "a program that is not there does not");
	ok(strstr(err.text, "/nonexistent/program") != NULL, "and is named");
	words_deinit(&w);
	ok(words_is_program("sh") && words_is_program("/bin/sh"), "sh is a program");
	ok(!words_is_program("/tmp") && !words_is_program("no-such-program-here"), "a directory is no program");
}

int main(void)
{
	test_split();
	test_record();
	test_limits();
	test_package();
	test_advice();
	test_spawn();
	return done_testing();
}
