/*
 * The interpreters of a recording: who waits for another reader says so, and ended processes are forgotten. The
 * process is the test itself, and children that are copies of it.
 */
#include "tests/tap.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/proc.h"
#include "languages/items.h"
#include "python_self.h"
#include "record/sampler/interpreters.h"

static struct interpreters *all;

/* A reader that keeps its stack, and waits in the middle of it if it has to. */
struct taker {
	pthread_t thread;
	pid_t tid;
	bool waits;
	sem_t is_waiting, goes_on;
	bool has_moved;
	unsigned n_functions, n_frames;
};

static bool put(void *arg, const struct buf *item)
{
	struct taker *t = arg;
	struct item it;
	if (!item && t->waits) {
		sem_post(&t->is_waiting);
		sem_wait(&t->goes_on);
		t->waits = false;
	}
	if (!item || !item_parse(&it, (const unsigned char *)item->data, item->len))
		return true;
	t->n_functions += it.kind == ITEM_FUNCTION;
	if (it.kind == ITEM_STACK) {
		t->n_frames = it.n;
		t->has_moved = it.has_moved;
	}
	return true;
}

static void *read_main_thread(void *arg)
{
	static _Thread_local struct interpreters_reader reader;
	struct taker *t = arg;
	reader.put = put;
	reader.arg = t;
	buf_init(&reader.item);
	__atomic_store_n(&t->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	interpreters_walk(all, getpid(), getpid(), &reader);
	buf_deinit(&reader.item);
	return NULL;
}

static void wait_until_asleep(const struct taker *t)
{
	pid_t tid;
	while (!(tid = __atomic_load_n(&t->tid, __ATOMIC_ACQUIRE)) || proc_thread_state(getpid(), tid) != 'S')
		nanosleep(&(struct timespec){0, 100000}, NULL);
}

static void test_two_readers(void)
{
	static struct taker one = {.waits = true}, two, three;
	struct buf trouble;
	buf_init(&trouble);
	all = interpreters_new();
	interpreters_look(all, getpid(), &trouble);
	ok(interpreters_has(all, getpid()) && !trouble.len, "a process that is looked at has its interpreter");
	sem_init(&one.is_waiting, 0, 0);
	sem_init(&one.goes_on, 0, 0);
	pthread_create(&one.thread, NULL, read_main_thread, &one);
	sem_wait(&one.is_waiting);
	pthread_create(&two.thread, NULL, read_main_thread, &two);
	wait_until_asleep(&two);
	interpreters_forget(all, getpid());
	ok(!interpreters_has(all, getpid()), "it can be forgotten while it is read");
	sem_post(&one.goes_on);
	pthread_join(one.thread, NULL);
	pthread_join(two.thread, NULL);
	ok(one.n_frames == 3 && one.n_functions == 3 && !one.has_moved, "a reader gets a stack and its functions");
	ok(two.n_frames == 3 && two.n_functions == 0, "another one gets the stack, and no function again");
	ok(two.has_moved, "as it had to sleep first, its thread may have moved");
	interpreters_look(all, getpid(), &trouble);
	read_main_thread(&three);
	ok(three.n_functions == 3 && !three.has_moved, "what was forgotten is found anew");
	interpreters_free(all);
	buf_deinit(&trouble);
}

static pid_t start_copy(void)
{
	pid_t child = fork();
	while (child == 0)
		pause();
	return child;
}

static void test_ended(void)
{
	struct buf trouble;
	pid_t first = 0;
	unsigned found = 0;
	buf_init(&trouble);
	all = interpreters_new();
	for (unsigned i = 0; i < 40; i++) {
		pid_t child = start_copy();
		interpreters_look(all, child, &trouble);
		found += interpreters_has(all, child);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		first = i ? first : child;
	}
	is_int(found, 40, "each of many processes has an interpreter");
	ok(!interpreters_has(all, first), "those that have ended are forgotten");
	interpreters_free(all);
	buf_deinit(&trouble);
}

int main(void)
{
	if (!self_make())
		skip_all("the place of the image is taken");
	test_two_readers();
	test_ended();
	return done_testing();
}
