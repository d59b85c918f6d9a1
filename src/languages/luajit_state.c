/*
 * luajit_state.c - a program of Lua has one current state (cur_L). But while C runs, it can be one that C has just
 * resumed and that has yielded; then the native stack is searched.
 */
#include "languages/luajit_state.h"

#include <string.h>

#define REJECTED_FOR 64u    /* stacks, until words are tried again */
#define FRAMES_MOST 256u    /* of the interpreter, of one state */
#define VALUES_MOST 262144u /* of a stack; LuaJIT allows 65,500 and some */

void luajit_finder_begin(struct luajit_finder *f)
{
	if (f->n_stacks++ % REJECTED_FOR == 0)
		memset(f->rejected, 0, sizeof f->rejected);
}

bool luajit_read_state(struct memory *m, uint64_t address, struct luajit_state *s)
{
	unsigned char b[LUAJIT_STATE_SIZE];
	if (!address || address % 8 || !memory_read(m, address, b, sizeof b) || b[LUAJIT_OBJECT_TYPE] != LUAJIT_THREAD)
		return false;
	*s = (struct luajit_state){.address = address,
	                           .global = memory_u64(b, LUAJIT_STATE_GLOBAL),
	                           .base = memory_u64(b, LUAJIT_STATE_BASE),
	                           .stack = memory_u64(b, LUAJIT_STATE_STACK),
	                           .end = memory_u64(b, LUAJIT_STATE_STACK_END),
	                           .frame = memory_u64(b, LUAJIT_STATE_C_FRAME) & ~(uint64_t)LUAJIT_NATIVE_FLAGS};
	return s->global % 8 == 0 && s->stack % 8 == 0 && s->base % 8 == 0 && s->stack < s->end &&
	       s->end - s->stack < (uint64_t)VALUES_MOST * LUAJIT_VALUE_SIZE && s->base > s->stack && s->base <= s->end;
}

bool luajit_read_global(struct memory *m, uint64_t address, struct luajit_global *g)
{
	unsigned char both[LUAJIT_STATE_SIZE + LUAJIT_GLOBAL_SIZE], *b = both + LUAJIT_STATE_SIZE;
	if (address % 8 || address < LUAJIT_STATE_SIZE ||
	    !memory_read(m, address - LUAJIT_STATE_SIZE, both, sizeof both))
		return false;
	*g = (struct luajit_global){.address = address,
	                            .main = memory_u64(b, LUAJIT_GLOBAL_MAIN),
	                            .current = memory_u64(b, LUAJIT_GLOBAL_STATE),
	                            .jit_base = memory_u64(b, LUAJIT_GLOBAL_JIT_BASE),
	                            .vm_state = (int32_t)memory_u32(b, LUAJIT_GLOBAL_VM_STATE)};
	return g->main == address - LUAJIT_STATE_SIZE && both[LUAJIT_OBJECT_TYPE] == LUAJIT_THREAD &&
	       memory_u64(both, LUAJIT_STATE_GLOBAL) == address &&
	       luajit_object(memory_u64(b, LUAJIT_GLOBAL_REGISTRY), LUAJIT_TABLE);
}

/* ---- words of the native stack ------------------------------------------------------------------------------- */

/* Does the state run in this frame of the interpreter? */
static bool has_frame(struct memory *m, const struct luajit_state *s, uint64_t frame)
{
	uint64_t at = s->frame, next;
	for (unsigned i = 0; at && at != frame && i < FRAMES_MOST; i++) {
		if (!memory_pointer(m, at + LUAJIT_NATIVE_PREVIOUS, &next))
			return false;
		next &= ~(uint64_t)LUAJIT_NATIVE_FLAGS;
		if (next <= at)
			return false;
		at = next;
	}
	return at && at == frame;
}

struct search {
	struct luajit_finder *finder;
	struct memory *memory;
	const struct lua_native *native;
	uint64_t global; /* 0: any */
	bool is_inner;   /* the innermost frame of a state only */
	struct luajit_state *state;
};

/* Tries a word at a place of the native stack. */
static bool try_word(struct search *s, uint64_t word, uint64_t place)
{
	struct luajit_global g;
	uint64_t *rejected = &s->finder->rejected[(word >> 4) & (LUAJIT_REJECTED - 1)];
	uint64_t frame = place - LUAJIT_NATIVE_STATE;
	if (word < LUA_PIECE || word >= LUA_ADDRESS_MOST || word % 8 || word == *rejected ||
	    (word < s->native->stack && s->native->stack - word < LUA_SEARCH_MOST))
		return false;
	if (!luajit_read_state(s->memory, word, s->state)) {
		*rejected = word;
		return false;
	}
	if ((s->global && s->state->global != s->global) || !s->state->frame ||
	    (s->is_inner ? s->state->frame != frame : !has_frame(s->memory, s->state, frame)))
		return false;
	return s->global || luajit_read_global(s->memory, s->state->global, &g);
}

/* Searches from the beginning of the native stack on. */
static bool search_down(struct search *s)
{
	struct memory *m = s->memory;
	uint64_t words[LUA_PIECE / 8], end = s->native->stack & ~(uint64_t)7;
	uint32_t most = m->budget > LUA_TRIES_MOST ? m->budget - LUA_TRIES_MOST : 0;
	for (uint64_t done = 0; done < LUA_SEARCH_MOST && end > LUA_PIECE; done += LUA_PIECE) {
		size_t n = end % LUA_PIECE ? end % LUA_PIECE : LUA_PIECE; /* up to the beginning of a page */
		end -= n;
		if (!memory_read(m, end, words, n))
			return false;
		for (size_t i = n / 8; i-- > 0 && m->budget > most;)
			if (try_word(s, words[i], end + 8 * i))
				return true;
	}
	return false;
}

/* Searches from an address on, towards the beginning. */
static bool search_up(struct search *s, uint64_t address)
{
	struct memory *m = s->memory;
	uint64_t words[LUA_PIECE / 8], at = (address + 7) & ~(uint64_t)7;
	uint32_t most = m->budget > LUA_TRIES_MOST ? m->budget - LUA_TRIES_MOST : 0;
	for (uint64_t done = 0; done < LUA_SEARCH_MOST && at + 8 <= s->native->stack; done += LUA_PIECE) {
		size_t n = LUA_PIECE - at % LUA_PIECE;
		n = n < s->native->stack - at ? n : (size_t)(s->native->stack - at) & ~(size_t)7;
		if (!memory_read(m, at, words, n))
			return false;
		for (size_t i = 0; i < n / 8 && m->budget > most; i++)
			if (try_word(s, words[i], at + 8 * i))
				return true;
		at += n;
	}
	return false;
}

bool luajit_find_above(struct luajit_finder *f, struct memory *m, const struct lua_native *n, uint64_t address,
                       uint64_t global, struct luajit_state *state)
{
	struct search s = {f, m, n, global, true, state};
	return search_up(&s, address + LUAJIT_NATIVE_STATE);
}

/* ---- the state at work --------------------------------------------------------------------------------------- */

/* Finds the program of Lua that the thread runs, if that is not known, or not the one any more. */
static bool find_global(struct luajit_finder *f, struct memory *m, const struct lua_native *n,
                        struct luajit_known *k, struct luajit_global *g)
{
	struct luajit_state state;
	struct search s = {f, m, n, 0, false, &state};
	if (k->global && luajit_read_global(m, k->global, g))
		return true;
	k->global = 0;
	if (!lua_known_may_search(&k->lua) || !lua_known_searched(&k->lua, search_down(&s)))
		return false;
	k->global = state.global;
	return luajit_read_global(m, state.global, g);
}

/* Is the current state the innermost one that runs? While C runs, it may be one that has yielded or ended. */
static bool is_current(struct luajit_finder *f, struct memory *m, const struct lua_native *n,
                       const struct luajit_global *g, uint64_t sp, struct luajit_state *s)
{
	bool is_sure = g->vm_state >= LUAJIT_VM_INTERPRETER || !sp;
	return is_sure && luajit_read_state(m, g->current, s) && s->global == g->address && s->frame >= sp &&
	       lua_threads_has(&f->threads, m, n, s->frame);
}

bool luajit_find(struct luajit_finder *f, struct memory *m, const struct lua_native *n, struct luajit_known *k,
                 uint64_t sp, struct luajit_global *g, struct luajit_state *s)
{
	if (!find_global(f, m, n, k, g))
		return false;
	if (is_current(f, m, n, g, sp, s) || (sp && luajit_find_above(f, m, n, sp, g->address, s)))
		return true;
	k->global = 0; /* the thread may run another one */
	return false;
}
