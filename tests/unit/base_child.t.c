/* Where the streams of a started program go, and its environment. */
#include "base/child.h"
#include "base/child_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "tests/tap.h"

/* What a shell prints that gets the streams; its status, too. */
static const char *prints(const char *script, struct streams streams, int *status)
{
	static char text[256];
	const char *argv[] = {"sh", "-c", script, NULL};
	pid_t child;
	int fds[2];
	size_t len = 0;
	if (!descriptor_pipe(fds))
		return "no pipe";
	streams.out = streams.out == STREAM_SAME ? fds[1] : streams.out;
	streams.err = streams.err == STREAM_SAME ? fds[1] : streams.err;
	int e = child_start(argv, &streams, &child);
	close(fds[1]);
	if (e != 0)
		return strerror(e);
	for (ssize_t n; (n = read(fds[0], text + len, sizeof text - 1 - len)) > 0;)
		len += (size_t)n;
	text[len] = '\0';
	close(fds[0]);
	child_end(child, status, CHILD_PATIENCE);
	return text;
}

static void test_streams(void)
{
	const struct streams same = {STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL};
	int status;
	is_str(prints("cat; echo out; echo err >&2", same, &status), "out\nerr\n",
	       "nothing to read, two streams to one pipe");
	is_str(prints("echo out; echo err >&2", (struct streams){STREAM_NONE, STREAM_SAME, STREAM_NONE, true, NULL},
	              &status),
	       "out\n", "standard error goes nowhere");
	is_str(prints("echo out; echo err >&2; exit 3",
	              (struct streams){STREAM_NONE, STREAM_NONE, STREAM_SAME, true, NULL}, &status),
	       "err\n", "or standard output");
	is_int(WEXITSTATUS(status), 3, "and the status comes back");
}

static void test_group(void)
{
	int status;
	const char *script = "kill -0 -$$ 2>/dev/null && echo apart || echo same";
	is_str(prints(script, (struct streams){STREAM_NONE, STREAM_SAME, STREAM_NONE, true, NULL}, &status), "apart\n",
	       "in a group of its own");
	is_str(prints(script, (struct streams){STREAM_NONE, STREAM_SAME, STREAM_NONE, false, NULL}, &status), "same\n",
	       "or in ours");
}

static void test_environment(void)
{
	const char *script = "echo ${FLAMETOP_TEST-none} ${FLAMETOP_TEST_2-none}";
	int status;
	setenv("FLAMETOP_TEST", "ours", 1);
	setenv("FLAMETOP_TEST_2", "other", 1);
	struct streams streams = {STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL};
	is_str(prints(script, streams, &status), "ours other\n", "the environment is ours");
	streams.entry = "FLAMETOP_TEST=its";
	is_str(prints(script, streams, &status), "its other\n", "an entry takes the place of ours");
	streams.entry = "FLAMETOP_TEST";
	is_str(prints(script, streams, &status), "none other\n", "a name takes ours away, and no longer one");
}

static void test_missing(void)
{
	const char *argv[] = {"/nonexistent/program", NULL};
	pid_t child;
	is_int(child_start(argv, &(struct streams){STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL}, &child), ENOENT,
	       "a program that is not there");
}

/* What a shell prints within the limits, or what the error says. */
static const char *answer(const char *script, int seconds, size_t most, const atomic_bool *stop)
{
	static struct buf out;
	static struct err err;
	const char *argv[] = {"sh", "-c", script, NULL};
	const struct child_call call = {
		.argv = argv, .in = STREAM_NONE, .seconds = seconds, .most = most, .stop = stop};
	out.len = 0;
	return child_output(&call, &out, &err) ? buf_str(&out) : err.text;
}

static void test_output(void)
{
	static atomic_bool is_stopped = true;
	const char *missing[] = {"/nonexistent/program", NULL};
	struct child_call call = {.argv = missing, .in = STREAM_NONE, .seconds = 9, .most = 9, .missing = "install it"};
	struct buf out;
	struct err err;
	buf_init(&out);
	is_str(answer("echo a; sleep .1; echo b; exit 3", 9, 4, NULL), "a\nb\n",
	       "all that it prints, whatever its status");
	is_str(answer("while :; do echo aaaaaaaa; done", 9, 2048, NULL), "sh printed more than 2 KiB", "too much");
	is_str(answer("exec sleep 60", 0, 9, NULL), "sh took more than 0 seconds", "too long");
	is_str(answer("exec sleep 60", 60, 9, &is_stopped), "cancelled", "cancelled");
	ok(!child_output(&call, &out, &err), "a program that is not there prints nothing");
	is_str(err.text, "install it", "and the error says what to do");
	call.missing = NULL;
	ok(!child_output(&call, &out, &err) && strstr(err.text, "/nonexistent/program: "), "or names it");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no program is left");
	buf_deinit(&out);
}

int main(void)
{
	test_streams();
	test_group();
	test_environment();
	test_missing();
	test_output();
	return done_testing();
}
