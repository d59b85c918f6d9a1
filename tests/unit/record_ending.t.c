/*
 * Ending a program: which step follows which signal, and when.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "record/ending.h"
#include "tests/tap.h"

static void test_interrupts(void)
{
	struct ending e = {0};
	ok(!ending_tick(&e, 1000), "a program that is not asked to end may run for ever");
	ok(ending_hear(&e, SIGINT, 10) && e.step == ENDING_ASKED, "the first Ctrl-C asks");
	ok(!ending_hear(&e, SIGINT, 10.1), "the same Ctrl-C once more, to the process alone, does not count");
	ok(!ending_tick(&e, 10000), "and a large recording may take its time");
	ok(!ending_wants_remark(&e, 11), "a second is no long wait");
	ok(ending_wants_remark(&e, 13), "a longer one gets a word");
	ok(!ending_wants_remark(&e, 20), "one");
	ok(ending_hear(&e, SIGINT, 20) && e.step == ENDING_STRIPPED, "another Ctrl-C kills the command first");
	ok(!ending_tick(&e, 20.5), "perf has a moment to write the rest");
	ok(ending_tick(&e, 21.1) && e.step == ENDING_KILLED, "and is killed then");
	ok(!ending_tick(&e, 22), "which needs a moment, too");
	ok(ending_tick(&e, 30) && e.step == ENDING_LOST, "a program that survives even that is left alone");
	ok(!ending_tick(&e, 10000) && !ending_hear(&e, SIGINT, 10000) && !ending_hear(&e, SIGTERM, 10000), "for ever");
}

static void test_hurry(void)
{
	struct ending e = {0};
	ending_hear(&e, SIGINT, 1);
	ending_hear(&e, SIGINT, 2);
	ok(ending_hear(&e, SIGINT, 2.5) && e.step == ENDING_KILLED, "a third Ctrl-C kills perf at once");
}

static void test_term(void)
{
	struct ending e = {0};
	ok(ending_hear(&e, SIGTERM, 10) && e.step == ENDING_TOLD, "SIGTERM tells");
	ok(!ending_hear(&e, SIGTERM, 12) && !ending_hear(&e, SIGHUP, 13), "again is the same");
	ok(!ending_tick(&e, 14.9), "it has five seconds");
	ok(ending_tick(&e, 15.1) && e.step == ENDING_STRIPPED, "and no more");
	e = (struct ending){0};
	ending_hear(&e, SIGHUP, 10);
	ok(ending_hear(&e, SIGINT, 11) && e.step == ENDING_STRIPPED, "Ctrl-C after it does not wait for them");
	e = (struct ending){0};
	ending_hear(&e, SIGINT, 10);
	ok(ending_hear(&e, SIGTERM, 10.1) && e.step == ENDING_TOLD, "SIGTERM after Ctrl-C tells, too");
	e = (struct ending){0};
	ending_go(&e, ENDING_ASKED, 10, 1.5);
	ending_tick(&e, 11.5);
	ok(ending_wants_remark(&e, 12.1), "a word about the wait counts from its beginning");
	e = (struct ending){.after_term = 2};
	ending_hear(&e, SIGTERM, 10);
	ok(ending_tick(&e, 12.1), "a live recording has less to write, and less time");
}

static void test_deadline(void)
{
	struct ending e = {0};
	ok(ending_go(&e, ENDING_ASKED, 10, 60), "at the end of --duration it is asked");
	ok(!ending_tick(&e, 69), "may take its time");
	ok(ending_tick(&e, 71) && e.step == ENDING_TOLD, "but not for ever");
	ok(!ending_go(&e, ENDING_ASKED, 72, 60), "no step is taken back");
}

/* ---- with a real child --------------------------------------------------------------------------------------- */

static pid_t deaf_child(void)
{
	int ready[2];
	char byte;
	if (pipe(ready) != 0)
		bail_out("no pipe");
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		if (write(ready[1], "", 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	if (pid < 0 || read(ready[0], &byte, 1) != 1)
		bail_out("no child");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static unsigned taken;

static bool take(void *arg, enum ending_step step, bool is_typed)
{
	pid_t *child = arg;
	taken |= 1u << step;
	if (is_typed)
		not_ok("the signal was not typed");
	if (step == ENDING_KILLED)
		kill(*child, SIGKILL);
	return step != ENDING_STRIPPED; /* it waits for no other program */
}

static void test_wait(void)
{
	pid_t child = deaf_child();
	struct ending_wait w = {"the child", take, &child, 0, NULL, NULL};
	struct ending e = {.step = ENDING_TOLD, .since = ending_now(), .due = ending_now() + 0.01};
	int status;
	ok(ending_wait(&e, child, &status, &w), "a child that ignores signals ends");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "by SIGKILL");
	is_int(taken, 1u << ENDING_STRIPPED | 1u << ENDING_KILLED, "a step that does not apply is skipped");
}

static void test_wait_for_good_child(void)
{
	struct ending_wait w = {"the child", take, NULL, 0, NULL, NULL};
	struct ending e = {0};
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(7);
	taken = 0;
	ok(ending_wait(&e, child, &status, &w) && WEXITSTATUS(status) == 7,
	   "a child that ends normally keeps its status");
	is_int(taken, 0, "and gets no signal");
	ok(ending_wait(&e, child, &status, &w) && status == 0, "one that is gone already is no reason to wait");
}

static void test_child_end(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(3);
	ok(child_end(child, &status, 10000) && WEXITSTATUS(status) == 3, "a program that ends in time is not told to");
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	ok(!child_end(child, &status, 0), "one that does not, is");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "by SIGTERM first");
}

int main(void)
{
	test_interrupts();
	test_hurry();
	test_term();
	test_deadline();
	test_wait();
	test_wait_for_good_child();
	test_child_end();
	return done_testing();
}
