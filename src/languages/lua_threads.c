/*
 * lua_threads.c - native stacks: of the main thread, by where the kernel put it; of others, by glibc's lists.
 */
#include "languages/lua_threads.h"

#define GAP ((uint64_t)128 << 20) /* below the beginning of the main stack, nothing else is mapped */
#define WAIT_MOST 64u             /* stacks of a thread without Lua until it is searched again */

void lua_threads_init(struct lua_threads *t, const struct program *p, struct memory *m)
{
	t->main = p->main;
	t->stack = p->stack;
	t->has_threads = threads_describe(&t->threads, p, m);
}

uint64_t lua_threads_stack(struct lua_threads *t, struct memory *m, pid_t tid, struct lua_known *k)
{
	if (tid == t->main)
		return t->stack;
	if (!t->has_threads)
		return 0;
	if (!k->thread || !threads_is(&t->threads, m, k->thread, tid))
		*k = (struct lua_known){.thread = threads_find(&t->threads, m, tid)};
	return k->thread;
}

bool lua_threads_has(struct lua_threads *t, struct memory *m, const struct lua_native *n, uint64_t address)
{
	if (!address || address >= n->stack)
		return false;
	if (n->tid == t->main)
		return n->stack - address < GAP;
	struct lua_owner *o = &t->owners[(address / LUA_PIECE) & (LUA_OWNERS - 1)];
	if (o->page != address / LUA_PIECE || o->tid != n->tid || o->thread != n->stack)
		*o = (struct lua_owner){address / LUA_PIECE, threads_above(&t->threads, m, address), n->tid};
	return o->thread == n->stack;
}

bool lua_known_may_search(struct lua_known *k)
{
	if (k->waited >= k->wait)
		return true;
	k->waited++;
	return false;
}

bool lua_known_searched(struct lua_known *k, bool is_found)
{
	k->waited = 0;
	k->wait = is_found ? 0 : k->wait < WAIT_MOST ? k->wait * 2 + 1 : WAIT_MOST;
	return is_found;
}
