/*
 * Reading perf.data through a fake perf, which is a shell script.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "collapse/perf/perf_data.h"
#include "tests/tap.h"

static char directory[] = "/tmp/flametop-test-XXXXXX";

/* Installs a script in place of perf. */
static void fake_perf(const char *script)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s/perf", directory);
	unlink(buf_str(&path));
	int fd = open(buf_str(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	if (fd < 0 || dprintf(fd, "#!/bin/sh\n%s\n", script) < 0 || close(fd) != 0)
		bail_out("cannot write %s", buf_str(&path));
	setenv("PERF", buf_str(&path), 1);
	buf_deinit(&path);
}

static char *read_all(int fd)
{
	struct buf out;
	buf_init(&out);
	for (ssize_t n = 1; n > 0;) {
		n = read(fd, buf_reserve(&out, 4096), 4096);
		out.len += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return buf_take(&out);
}

static void test_good(void)
{
	struct perf_data pd;
	struct err err = {""};
	fake_perf("for a; do printf '[%s]' \"$a\"; done; cat; echo noise >&2");
	int fd = perf_data_open("a b;c.data", &(struct collapse_options){0}, &pd, &err);
	if (!ok(fd >= 0, "perf script is started"))
		return;
	char *text = read_all(fd);
	is_str(text, "[script][--show-lost-events][--no-inline][-F][+ip,+sym,+dso][-i][a b;c.data]",
	       "the file's name is one argument, and standard input is empty");
	ok(perf_data_finish(&pd, PERF_DATA_WHOLE, &err), "messages alone are no failure");
	free(text);

	fd = perf_data_open("-x", &(struct collapse_options){.inline_ = true}, &pd, &err);
	text = read_all(fd);
	is_str(text, "[script][--show-lost-events][-F][+ip,+sym,+dso][-i][./-x]",
	       "a name that looks like an option is disguised");
	ok(perf_data_finish(&pd, PERF_DATA_WHOLE, &err), "and read");
	free(text);

	fd = perf_data_open("x", &(struct collapse_options){.srcline = true}, &pd, &err);
	text = read_all(fd);
	is_str(text, "[script][--show-lost-events][--no-inline][-F][+ip,+sym,+dso,+srcline][-i][x]",
	       "perf is asked for source lines");
	ok(perf_data_finish(&pd, PERF_DATA_WHOLE, &err), "and ends well");
	free(text);
}

static void test_failures(void)
{
	struct perf_data pd;
	struct err err = {""};
	fake_perf("echo some; printf 'incompatible\\n  file\\tformat\\n' >&2; exit 3");
	int fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
	char *text = read_all(fd);
	is_str(text, "some\n", "perf's output before its failure is there");
	ok(!perf_data_finish(&pd, PERF_DATA_WHOLE, &err), "a failure of perf is one");
	is_str(err.text, "perf script failed with status 3: incompatible file format",
	       "and shows perf's messages, as one line");
	free(text);

	fake_perf("i=0; while [ $i -lt 20000 ]; do echo message number $i >&2; i=$((i + 1)); done; exit 1");
	fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
	free(read_all(fd));
	ok(!perf_data_finish(&pd, PERF_DATA_WHOLE, &err) && strstr(err.text, "message number 0 message number 1"),
	   "a flood of messages neither blocks nor gets long");

	fake_perf("kill -9 $$");
	fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
	free(read_all(fd));
	ok(!perf_data_finish(&pd, PERF_DATA_WHOLE, &err) && strstr(err.text, "killed by signal 9"),
	   "a signal is named");

	fake_perf("yes");
	fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
	close(fd);
	ok(perf_data_finish(&pd, PERF_DATA_STOPPED, &err), "a reader that had enough is no failure");

	for (int i = 0; i < 2; i++) {
		enum perf_data_read how = i ? PERF_DATA_WHOLE : PERF_DATA_FAILED;
		fake_perf("kill -PIPE $$");
		fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
		free(read_all(fd));
		ok(perf_data_finish(&pd, how, &err) == (how == PERF_DATA_FAILED), "SIGPIPE is no failure of perf only if "
		                                                                  "the reader failed");
	}
}

/* A shell's status 127 means a missing program; a program that ran prints more. */
static void test_statuses(void)
{
	static const struct {
		const char *script, *message;
	} cases[] = {
		{"exit 127", "cannot start '"},
		{"echo no such event >&2; exit 127", "perf script failed with status 127: no such event"},
		{"exit 3", "perf script failed with status 3"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct perf_data pd;
		struct err err = {""};
		fake_perf(cases[i].script);
		int fd = perf_data_open("x", &(struct collapse_options){0}, &pd, &err);
		free(read_all(fd));
		ok(!perf_data_finish(&pd, PERF_DATA_WHOLE, &err) &&
		       strncmp(err.text, cases[i].message, strlen(cases[i].message)) == 0,
		   "'%s' is reported: %s", cases[i].script, err.text);
	}
}

/* One free descriptor serves the messages; one is too few for a pipe. */
static void test_no_descriptors(void)
{
	struct perf_data pd;
	struct err err = {""};
	struct rlimit was, few;
	int next = dup(STDOUT_FILENO);
	getrlimit(RLIMIT_NOFILE, &was);
	close(next);
	few = was;
	few.rlim_cur = (rlim_t)next + 2;
	setrlimit(RLIMIT_NOFILE, &few);
	ok(perf_data_open("x", &(struct collapse_options){0}, &pd, &err) < 0,
	   "without descriptors for a pipe perf is not started");
	ok(strstr(err.text, "pipe to perf") != NULL, "with a message: %s", err.text);
	setrlimit(RLIMIT_NOFILE, &was);
}

static void test_missing(void)
{
	struct perf_data pd;
	struct err err = {""};
	setenv("PERF", "/nonexistent/perf", 1);
	ok(perf_data_open("x", &(struct collapse_options){0}, &pd, &err) < 0,
	   "a perf that is not there cannot be started");
	ok(strstr(err.text, "/nonexistent/perf") && strstr(err.text, "PERF"), "the message names it and the variable");

	int fds[2];
	if (pipe(fds) != 0 || dup2(fds[0], STDIN_FILENO) < 0)
		bail_out("no pipe");
	ok(perf_data_open("-", &(struct collapse_options){0}, &pd, &err) < 0 && strstr(err.text, "pipe"),
	   "a pipe is not read as perf.data");
}

int main(void)
{
	struct buf path;
	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	test_good();
	test_failures();
	test_statuses();
	test_no_descriptors();
	test_missing();
	buf_init(&path);
	buf_addf(&path, "%s/perf", directory);
	unlink(buf_str(&path));
	rmdir(directory);
	buf_deinit(&path);
	return done_testing();
}
