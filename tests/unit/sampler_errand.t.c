/*
 * Errands: what does not return in time is left to its thread, which frees it if it comes back.
 */
#include "tests/tap.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/sampler/errand.h"

struct job {
	int in, out; /* waits for a byte from `in` if there is one; its end is told to `out` */
	int result;
};

static void run(void *arg)
{
	struct job *j = arg;
	char byte;
	if (j->in >= 0 && read(j->in, &byte, 1) != 1)
		return;
	j->result = 42;
}

static void drop(void *arg)
{
	struct job *j = arg;
	(void)!write(j->out, j->result == 42 ? "d" : "?", 1);
	free(j);
}

static bool says(int fd, char expected)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char byte = 0;
	return poll(&p, 1, 20000) == 1 && read(fd, &byte, 1) == 1 && byte == expected;
}

int main(void)
{
	struct errands e = {0};
	struct job here = {.in = -1};
	int in[2], out[2];
	errands_deinit(&e);
	ok(errand_run(&e, run, drop, &here) && here.result == 42, "an errand is run");
	here.result = 0;
	ok(errand_run(&e, run, drop, &here) && here.result == 42, "and another one");
	ok(e.n_lost == 0, "none is lost");
	struct job *held = calloc(1, sizeof *held);
	if (!held || pipe(in) != 0 || pipe(out) != 0)
		return 1;
	*held = (struct job){.in = in[0], .out = out[1]};
	ok(!errand_run(&e, run, drop, held), "one that does not return is given up");
	ok(e.n_lost == 1, "and counted");
	here.result = 0;
	ok(errand_run(&e, run, drop, &here) && here.result == 42, "others do not wait for it");
	(void)!write(in[1], "x", 1);
	ok(says(out[0], 'd'), "if it returns after all, it is dropped");
	errands_deinit(&e);
	return done_testing();
}
