/* How far a fold is: its share moves all the way, also while siblings are sorted and paths numbered. */
#include "model/fold.h"

#include <pthread.h>
#include <sched.h>

#include "base/mem.h"
#include "loading.h"
#include "tap.h"

#define PATHS 600000

struct work {
	struct profile p;
	struct recipe r;
	struct progress progress;
	atomic_bool is_done;
};

static void *run(void *arg)
{
	struct work *w = arg;
	struct tree t;
	struct err err;
	if (fold(&w->p, &w->r, &t, &w->progress, &err))
		tree_deinit(&t);
	atomic_store(&w->is_done, true);
	return NULL;
}

/* How many tenths of the second half another thread sees during a fold. */
static unsigned tenths_seen(struct work *w)
{
	unsigned seen = 0, n = 0;
	pthread_t thread;
	w->progress = (struct progress){false};
	atomic_store(&w->is_done, false);
	if (pthread_create(&thread, NULL, run, w) != 0)
		bail_out("no thread");
	while (!atomic_load(&w->is_done)) {
		double share = progress_share(&w->progress);
		if (share < 1)
			seen |= 1u << (unsigned)(share * 10);
		sched_yield();
	}
	pthread_join(thread, NULL);
	for (seen >>= 5; seen; seen &= seen - 1)
		n++;
	return n;
}

static void moves(bool is_scattered, bool is_reversed, const char *name)
{
	struct work *w = mem_zalloc(1, sizeof *w);
	struct buf text;
	unsigned most = 0;
	buf_init(&text);
	for (unsigned i = 0; i < PATHS; i++)
		buf_addf(&text, "main;a%u;b%u 3\n", is_scattered ? i * 7919u % 99991u % 1000u : 0, i);
	load_as(&w->p, "folded", buf_str(&text));
	recipe_init(&w->r);
	w->r.reverse = is_reversed;
	for (int tries = 0; tries < 100 && most < 3; tries++) { /* a busy machine may see too few */
		unsigned n = tenths_seen(w);
		most = n > most ? n : most;
	}
	ok(most >= 3, "%s: three of the last five tenths are seen (%u)", name, most);
	is_int((int)(progress_share(&w->progress) * 100), 100, "%s: in the end all is done", name);
	recipe_deinit(&w->r);
	profile_deinit(&w->p);
	buf_deinit(&text);
	free(w);
}

int main(void)
{
	moves(true, false, "scattered stacks");
	moves(false, false, "stacks next to each other");
	moves(true, true, "callers first");
	return done_testing();
}
