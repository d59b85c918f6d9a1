/*
 * threads.t.c - different profiles in different threads at the same time: each is as it would be alone. `make tsan`
 * runs it, too.
 */
#include <flametop.h>
#include <pthread.h>

#include "tests/tap.h"

#define THREADS 4
#define ROUNDS 6

struct output {
	char *bytes;
	size_t n, cap;
};

static int take(void *arg, const void *bytes, size_t n)
{
	struct output *o = arg;
	if (o->n + n > o->cap) {
		o->cap = (o->n + n) * 2;
		o->bytes = realloc(o->bytes, o->cap);
	}
	memcpy(o->bytes + o->n, bytes, n);
	o->n += n;
	return 0;
}

/* What one thread makes: every kind of file of one input. */
static const char *const inputs[THREADS] = {
	"tests/data/collapse/pprof/cpu.in",
	"tests/data/collapse/perf/two-threads.in",
	"tests/data/collapse/xctrace/basic.in",
	"tests/data/collapse/speedscope/decimals.in",
};

static void ignore(void *arg, const char *text)
{
	*(size_t *)arg += strlen(text);
}

static void write_all(struct output *o, const char *path)
{
	size_t noted = 0;
	struct flametop_profile *p = flametop_profile_new();
	flametop_profile_on_note(p, ignore, &noted);
	flametop_profile_set(p, "jobs", "2");
	flametop_profile_add_file(p, path, FLAMETOP_NEW);
	if (flametop_profile_load(p) != FLAMETOP_OK)
		take(o, flametop_profile_error(p), strlen(flametop_profile_error(p)));
	struct flametop_view *v = flametop_view_new(p);
	flametop_view_set(v, "search", "main|run|Unsafe");
	for (size_t i = 0; flametop_kind(i); i++)
		flametop_view_export(v, flametop_kind(i), take, o);
	flametop_view_set(v, "reverse", "yes");
	flametop_view_export(v, "text", take, o);
	flametop_view_free(v);
	flametop_profile_free(p);
}

struct worker {
	pthread_t thread;
	const char *path;
	const struct output *expected;
	int wrong;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	for (int i = 0; i < ROUNDS; i++) {
		struct output got = {NULL, 0, 0};
		write_all(&got, w->path);
		w->wrong += got.n != w->expected->n || memcmp(got.bytes, w->expected->bytes, got.n) != 0;
		free(got.bytes);
	}
	return NULL;
}

/* Who calls a profile that is in use gets an answer, not a crash. */
struct busy {
	struct flametop_profile *p;
	pthread_barrier_t begun, tried;
	int refused;
};

static void *intrude(void *arg)
{
	struct busy *b = arg;
	pthread_barrier_wait(&b->begun);
	b->refused = flametop_profile_set(b->p, "jobs", "1");
	pthread_barrier_wait(&b->tried);
	return NULL;
}

static ptrdiff_t wait_for_intruder(void *arg, void *bytes, size_t n)
{
	struct busy *b = arg;
	(void)n;
	if (b->refused)
		return 0;
	pthread_barrier_wait(&b->begun);
	pthread_barrier_wait(&b->tried);
	memcpy(bytes, "main 1\n", 7);
	return 7;
}

static void test_busy(void)
{
	struct busy b = {.p = flametop_profile_new()};
	pthread_t thread;
	pthread_barrier_init(&b.begun, NULL, 2);
	pthread_barrier_init(&b.tried, NULL, 2);
	pthread_create(&thread, NULL, intrude, &b);
	flametop_profile_add_callback(b.p, "slow", wait_for_intruder, &b, FLAMETOP_NEW);
	is_int(flametop_profile_load(b.p), FLAMETOP_OK, "a profile is read");
	pthread_join(thread, NULL);
	is_int(b.refused, FLAMETOP_USAGE, "while another thread's call on it is refused");
	flametop_profile_free(b.p);
	pthread_barrier_destroy(&b.begun);
	pthread_barrier_destroy(&b.tried);
}

int main(void)
{
	struct worker workers[THREADS];
	struct output expected[THREADS] = {{NULL, 0, 0}};
	for (int i = 0; i < THREADS; i++) {
		write_all(&expected[i], inputs[i]);
		ok(expected[i].n > 1000, "%s: alone it makes files", inputs[i]);
		workers[i] = (struct worker){.path = inputs[i], .expected = &expected[i]};
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < THREADS; i++) {
		is_int(workers[i].wrong, 0, "%s: beside others it makes the same", inputs[i]);
		free(expected[i].bytes);
	}
	test_busy();
	return done_testing();
}
