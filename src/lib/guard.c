/*
 * guard.c - in the program, which ends when memory runs out: nothing is guarded.
 */
#include "lib/guard.h"

#include "base/mem.h"

struct guard {
	bool is_busy;
};

struct guard *guard_new(void)
{
	return mem_zalloc(1, sizeof(struct guard));
}

void guard_free(struct guard *g)
{
	free(g);
}

void *guard_keep(size_t size)
{
	return mem_zalloc(1, size);
}

void guard_release(void *p)
{
	free(p);
}

void guard_on_note(struct guard *g, void (*fn)(void *arg, const char *text), void *arg)
{
	(void)g, (void)fn, (void)arg;
}

enum guard_result guard_run(struct guard *g, void (*body)(void *arg), void *arg)
{
	if (g->is_busy)
		return GUARD_BUSY;
	g->is_busy = true;
	body(arg);
	g->is_busy = false;
	return GUARD_DONE;
}

void guard_block_sigpipe(void) {}

const char *guard_bug(const struct guard *g)
{
	(void)g;
	return NULL;
}

bool guard_is_broken(const struct guard *g)
{
	(void)g;
	return false;
}
