/*
 * lua.c - the stacks of Lua 5.1 to 5.4.
 *
 *	lua_State -> call at work -> call of its caller ... -> base
 *	             each: function -> closure -> Proto, or a function of C
 *
 * Each coroutine is a lua_State, and so is the program; no variable says which of them runs. But C functions that
 * run Lua have their state on the native stack of the thread, and a state that runs has a pointer to such a stack
 * itself: to the place to which errors jump (errorJmp). So the native stack is searched from its beginning for a
 * state that jumps into this same stack. That is the outermost one; from there on, a function of C that resumes a
 * coroutine has it as an argument, a local variable or an upvalue, and the coroutine jumps into the stack as well.
 *
 * A function that Lua calls runs in the loop of its caller (luaV_execute); one that C calls begins a loop. But what
 * was called before a coroutine was resumed last is run by one loop for all of it. Calls of C are counted in the
 * state from the resume on, so it is known which functions these are.
 *
 * The innermost call can be half begun or half ended for some instructions: then it is left out. Its caller's
 * instruction tells which function it calls.
 *
 * 5.1 and 5.4 have the instruction at work in a register until they call something. So the innermost function has a
 * line there only if one register of the thread leads to its instructions; its callers have theirs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "languages/languages.h"
#include "languages/lua_code.h"
#include "languages/lua_layout.h"
#include "languages/lua_threads.h"
#include "languages/luajit.h"
#include "languages/slots.h"

#define STATES_MOST 256u                /* that resume each other; Lua allows 200 */
#define SLOTS 8u                        /* of a C function that are searched for a coroutine */
#define SLOTS_MORE 80u                  /* bytes after the end of a stack that are still of it */
#define OFFSET_MOST ((uint64_t)1 << 16) /* no address of a process is so low */
#define REJECTED 1024u                  /* words that are no states, a power of two */
#define REJECTED_FOR 64u                /* stacks, until they are tried again */
#define CALLS_MOST 65536u               /* of a state */

struct lua {
	struct luajit *jit; /* it is LuaJIT, and all else is unused; or NULL */
	struct lua_layout layout;
	struct lua_codes *codes;
	struct lua_threads threads;
	uint32_t n_stacks;
	struct slots known; /* of struct lua_known */
	uint64_t rejected[REJECTED];
	struct walk *walk; /* for the present stack */
};

/* ---- recognising --------------------------------------------------------------------------------------------- */

static const char *const symbols[] = {"lua_ident", "lua_newstate", LUAJIT_SYMBOLS, NULL};

static bool may_be(const char *file)
{
	return strncmp(file, "lua", 3) == 0 || strncmp(file, "liblua", 6) == 0;
}

/* ---- states -------------------------------------------------------------------------------------------------- */

struct state {
	uint64_t address, global, call, at, base, top, jump;
	uint64_t stack, end, before; /* before: where it was until it moved; else as stack */
	uint32_t n_calls;            /* of C, nested */
	bool is_main;                /* the program, rather than a coroutine */
};

/*
 * An address in the stack of values. While that moves, outer calls still lead to where it was, which the base
 * tells, as it changes last; from 5.4.5 on, all addresses are offsets.
 */
static uint64_t place_of(const struct state *s, uint64_t place)
{
	if (place < OFFSET_MOST)
		return s->stack + place;
	return place < s->stack || place > s->end + SLOTS_MORE ? s->stack + (place - s->before) : place;
}

/* Reads a state that runs on this thread. *is_state: it may be one, but maybe of another thread, or at rest. */
static bool read_state(struct lua *lua, struct memory *m, const struct lua_native *n, uint64_t address,
                       struct state *s, bool *is_state)
{
	const struct lua_layout *l = &lua->layout;
	unsigned char b[LUA_STATE_MOST];
	uint16_t calls;
	*is_state = memory_is_place(address) && memory_read(m, address, b, l->state_size) &&
	            b[LUA_OBJECT_TYPE] == LUA_TAG_THREAD;
	if (!*is_state)
		return false;
	memcpy(&calls, b + l->state_c_calls, sizeof calls);
	*s = (struct state){.address = address,
	                    .global = memory_u64(b, l->state_global),
	                    .call = memory_u64(b, l->state_call),
	                    .top = memory_u64(b, LUA_STATE_TOP),
	                    .end = memory_u64(b, l->state_stack_end),
	                    .jump = memory_u64(b, l->state_jump),
	                    .n_calls = calls};
	s->stack = memory_u64(b, l->state_stack_end + 8u);
	s->before = l->call_flags ? memory_u64(b, l->state_base) : s->stack;
	s->top = place_of(s, s->top);
	s->at = l->call_flags ? 0 : memory_u64(b, l->state_call + 8u);
	s->base = l->call_flags ? address + l->state_base : memory_u64(b, l->state_base);
	return s->call % 8 == 0 && s->global % 8 == 0 && lua_threads_has(&lua->threads, m, n, s->jump);
}

/* Is it a state, rather than what looks like one? Its main state must lead back. */
static bool is_valid(struct lua *lua, struct memory *m, const struct state *s, uint64_t *main)
{
	unsigned char b[LUA_STATE_MOST];
	return memory_pointer(m, s->global + lua->layout.global_main, main) && memory_is_place(*main) &&
	       memory_read(m, *main, b, lua->layout.state_global + 8u) && b[LUA_OBJECT_TYPE] == LUA_TAG_THREAD &&
	       memory_u64(b, lua->layout.state_global) == s->global;
}

/* Tries a word of the native stack. */
static bool try_word(struct lua *lua, struct memory *m, const struct lua_native *n, uint64_t word, struct state *s)
{
	bool is_state;
	uint64_t main, *rejected = &lua->rejected[(word >> 4) & (REJECTED - 1)];
	if (word < LUA_PIECE || word >= LUA_ADDRESS_MOST || word % 8 || word == *rejected ||
	    (word < n->stack && n->stack - word < LUA_SEARCH_MOST))
		return false;
	if (read_state(lua, m, n, word, s, &is_state) && is_valid(lua, m, s, &main)) {
		struct state outer; /* a program that runs, rather than a coroutine of it */
		s->is_main = main == word;
		if (!s->is_main && read_state(lua, m, n, main, &outer, &is_state)) {
			*s = outer;
			s->is_main = true;
		}
		return true;
	}
	if (!is_state)
		*rejected = word;
	return false;
}

/* Searches the native stack, from its beginning on, for a state that runs on it. */
static bool search(struct lua *lua, struct memory *m, const struct lua_native *n, struct state *s)
{
	uint64_t words[LUA_PIECE / 8], end = n->stack & ~(uint64_t)7;
	uint32_t most = m->budget > LUA_TRIES_MOST ? m->budget - LUA_TRIES_MOST : 0;
	for (uint64_t done = 0; done < LUA_SEARCH_MOST && end > LUA_PIECE; done += LUA_PIECE) {
		size_t n_bytes = end % LUA_PIECE ? end % LUA_PIECE : LUA_PIECE; /* up to the beginning of a page */
		end -= n_bytes;
		if (!memory_read(m, end, words, n_bytes))
			return false;
		for (size_t i = n_bytes / 8; i-- > 0 && m->budget > most;)
			if (try_word(lua, m, n, words[i], s))
				return true;
	}
	return false;
}

/* The outermost state that runs on the thread. */
static bool find_outermost(struct lua *lua, struct memory *m, const struct lua_native *n, struct lua_known *k,
                           struct state *s)
{
	return lua_known_may_search(k) && lua_known_searched(k, search(lua, m, n, s));
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

enum kind { KIND_LUA, KIND_C };

struct call {
	uint64_t previous;
	uint64_t slot; /* of the stack of values, in which the function is */
	uint64_t at;   /* the next instruction */
	uint64_t base; /* of the registers */
	struct lua_callee callee;
	uint64_t upvalue; /* the first one of a function of C; 0: it is no coroutine */
	enum kind kind;
	bool is_base; /* no call, but the end of all */
	bool is_fresh, is_tail, is_other;
};

/* Reads a value. *value: what it is or leads to. Returns its tag. */
static unsigned read_value(struct memory *m, uint64_t address, uint64_t *value)
{
	unsigned char b[LUA_VALUE_SIZE];
	if (!memory_is_place(address) || !memory_read(m, address, b, sizeof b))
		return 0;
	*value = memory_u64(b, 0);
	return b[LUA_VALUE_TAG] & LUA_TAG_VARIANT;
}

/* Reads the function of a call. false: there is none. */
static bool read_callee(const struct lua_layout *l, struct memory *m, struct call *c)
{
	unsigned char b[LUA_CLOSURE_MOST];
	unsigned tag = read_value(m, c->slot, &c->callee.closure);
	c->kind = KIND_C;
	c->callee.code = c->callee.closure;
	if (tag == LUA_FUNCTION_LIGHT)
		return true;
	if ((tag & LUA_TAG_MASK) != LUA_TAG_FUNCTION || c->callee.closure % 8 ||
	    !memory_read(m, c->callee.closure, b, l->closure_code + 8u) ||
	    (b[LUA_OBJECT_TYPE] & LUA_TAG_VARIANT) != tag)
		return false;
	c->callee.code = memory_u64(b, l->closure_code);
	if (l->call_flags ? tag != LUA_FUNCTION_C : !b[LUA_CLOSURE_N]) {
		c->kind = KIND_LUA;
		return true;
	}
	if (b[LUA_CLOSURE_N + !l->call_flags] &&
	    read_value(m, c->callee.closure + l->closure_code + 8u, &c->upvalue) != LUA_TAG_THREAD)
		c->upvalue = 0;
	return true;
}

/* Reads a call, without its function. false: it cannot be read. */
static bool read_call(const struct lua_layout *l, struct memory *m, const struct state *s, uint64_t address,
                      struct call *c)
{
	unsigned char b[LUA_CALL_MOST];
	uint16_t flags = 0;
	*c = (struct call){.is_base = address == s->base, .kind = KIND_C};
	if (c->is_base)
		return true;
	if (!memory_is_place(address) || !memory_read(m, address, b, l->call_size))
		return false;
	if (l->call_flags)
		memcpy(&flags, b + l->call_flags, sizeof flags);
	flags ^= l->flags.flips;
	c->previous = l->call_flags ? memory_u64(b, 16) : address - l->call_size;
	c->slot = place_of(s, memory_u64(b, l->call_function));
	c->at = memory_u64(b, l->call_at);
	c->base = l->minor == 4 ? c->slot + LUA_VALUE_SIZE : memory_u64(b, l->call_base);
	c->callee.global = s->global;
	c->kind = flags & l->flags.lua ? KIND_LUA : KIND_C;
	c->is_fresh = flags & l->flags.fresh;
	c->is_other = flags & l->flags.other;
	c->is_tail = l->call_flags ? flags & l->flags.tail : memory_u32(b, l->call_at + 12u) != 0;
	return true;
}

/* Reads a call with its function. false: there is none, or it is not of the kind that the call says. */
static bool read_whole(const struct lua_layout *l, struct memory *m, const struct state *s, uint64_t address,
                       struct call *c)
{
	if (!read_call(l, m, s, address, c))
		return false;
	enum kind kind = c->kind;
	return c->is_base || (read_callee(l, m, c) && (!l->call_flags || c->kind == kind));
}

/* How a function of Lua calls another one. */
enum how { HOW_NOT, HOW_CALL, HOW_TAIL };

/* The kind of the instruction at work. *slot: of the function that it calls. */
static enum how how_it_calls(const struct lua_layout *l, struct memory *m, const struct call *c, uint64_t *slot)
{
	uint32_t instruction;
	if (c->is_base || c->kind != KIND_LUA || c->is_other || c->at % 4 || c->at < 4 ||
	    !memory_read(m, c->at - 4, &instruction, sizeof instruction))
		return HOW_NOT;
	uint32_t op = instruction & ((1u << l->op_bits) - 1);
	*slot = c->base + (uint64_t)(instruction >> l->op_bits & 0xff) * LUA_VALUE_SIZE;
	return op == l->op_call ? HOW_CALL : op == l->op_call + 1u ? HOW_TAIL : HOW_NOT;
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

/* A state whose calls are being taken. */
struct level {
	struct state state;
	struct call call;   /* the next one to take */
	bool has_call;      /* it makes sense */
	uint32_t n_taken;   /* calls, or what looked like some */
	uint32_t n_calls;   /* of C since it was resumed, that are not accounted for yet */
	bool is_resumed;    /* so they count */
	bool is_old;        /* its loop began before that */
	bool is_entry;      /* one loop runs all of these */
	uint32_t outermost; /* place after its last frame; 0: it has none */
};

struct walk {
	struct lua *lua;
	struct memory *memory;
	const struct language_names *names;
	struct language_stack *stack;
	struct lua_native native;
	struct level levels[STATES_MOST];
	uint32_t n_levels;
	uint64_t seen[STATES_MOST]; /* states */
	uint32_t n_seen;
	struct state innermost; /* the one with the innermost call */
	uint64_t at;            /* where that is */
};

enum step { STEP_ON, STEP_CUT };

/* Goes on with a state. The program's own calls have not been resumed. */
static bool enter(struct walk *w, const struct state *s, const struct state *resumer, bool is_resumed)
{
	if (w->n_levels == STATES_MOST || w->n_seen == STATES_MOST)
		return false;
	struct level *v = &w->levels[w->n_levels++];
	uint32_t base = resumer ? resumer->n_calls + 1 : 1;
	w->seen[w->n_seen++] = s->address;
	*v = (struct level){.state = *s, .is_resumed = is_resumed && w->lua->layout.call_flags};
	v->n_calls = s->n_calls > base ? s->n_calls - base : 0;
	v->has_call = read_whole(&w->lua->layout, w->memory, s, s->call, &v->call);
	if (!w->lua->layout.call_flags)
		v->call.at = s->at;
	return true;
}

static bool is_seen(const struct walk *w, uint64_t address)
{
	for (uint32_t i = 0; i < w->n_seen; i++)
		if (w->seen[i] == address)
			return true;
	return false;
}

/* Goes on with the coroutine at this address, if it runs and has not been seen. */
static bool enter_coroutine(struct walk *w, const struct level *v, uint64_t address)
{
	struct state s;
	bool unused;
	if (!address || is_seen(w, address) || !read_state(w->lua, w->memory, &w->native, address, &s, &unused) ||
	    s.global != v->state.global)
		return false;
	return enter(w, &s, &v->state, true);
}

/* Goes on with the coroutine that a function of C resumes. false: it resumes none. */
static bool enter_resumed(struct walk *w, const struct level *v)
{
	unsigned char slots[SLOTS * LUA_VALUE_SIZE];
	uint64_t at = v->call.slot + LUA_VALUE_SIZE, end = v->state.top;
	if (enter_coroutine(w, v, v->call.upvalue))
		return true;
	size_t n = at < end ? (size_t)(end - at) / LUA_VALUE_SIZE : 0;
	n = n < SLOTS ? n : SLOTS;
	if (!n || !memory_read(w->memory, at, slots, n * LUA_VALUE_SIZE))
		return false;
	for (size_t i = 0; i < n; i++) {
		const unsigned char *value = slots + i * LUA_VALUE_SIZE;
		if ((value[LUA_VALUE_TAG] & LUA_TAG_VARIANT) == LUA_TAG_THREAD &&
		    enter_coroutine(w, v, memory_u64(value, 0)))
			return true;
	}
	return false;
}

static enum step put(struct walk *w, struct level *v, uint32_t function, uint32_t line, bool is_entry)
{
	if (function == NO_FUNCTION || !language_stack_add(w->stack, function, line, is_entry))
		return STEP_CUT;
	v->outermost = w->stack->n;
	return STEP_ON;
}

/*
 * Is what looks like the innermost call really one? The structure is linked before it is filled: then it is of an
 * earlier call.
 */
static bool is_begun(struct walk *w, const struct level *v, const struct call *caller, enum how how, uint64_t slot)
{
	const struct lua_layout *l = &w->lua->layout;
	const struct call *c = &v->call;
	uint64_t closure;
	if (c->slot <= caller->slot || c->slot >= v->state.end)
		return false;
	if (how != HOW_NOT) /* the arguments of a vararg function are copied after it, and it with them */
		return c->slot == slot || (l->minor == 4 && c->slot > slot && c->kind == KIND_LUA &&
		                           read_value(w->memory, slot, &closure) && closure == c->callee.closure);
	return c->kind == KIND_C || !l->call_flags || c->is_fresh;
}

/* Accounts for a call of C; without one left, what follows began before the coroutine was resumed. */
static void account(struct level *v, bool is_of_c)
{
	if (!v->is_resumed || v->is_old || !is_of_c)
		return;
	if (v->n_calls)
		v->n_calls--;
	else {
		v->is_old = true;
		v->is_entry = v->call.kind == KIND_LUA;
	}
}

/*
 * The next instruction of a function that is at work, if a register has it; 0: none or several have. While one is
 * fetched, a register may still have it, too.
 */
static uint64_t find_at(const struct memory_registers *registers, const struct lua_code *code)
{
	uint64_t last = 0, first = UINT64_MAX;
	int n = registers ? __builtin_popcountll(registers->mask) : 0;
	for (int i = 0; i < n; i++) {
		uint64_t r = registers->values[i];
		if (r <= code->begin || r > code->end || r % 4)
			continue;
		last = r > last ? r : last;
		first = r < first ? r : first;
	}
	return last && last - first <= 4 ? last : 0;
}

static enum step take_lua(struct walk *w, struct level *v, bool is_entry)
{
	const struct call *c = &v->call;
	struct language_function tails = {"(...tail calls...)", "", 0};
	struct lua_code code;
	bool is_first = v->n_taken == 1;
	if (!lua_codes_find(w->lua->codes, w->memory, &c->callee, w->names, &code))
		return is_first ? STEP_ON : STEP_CUT;
	if (w->lua->layout.call_flags || !is_first) {
		/* in the middle of a tail call, its function is another one already */
		if (c->at < code.begin + (is_first ? 0 : 4) || c->at > code.end)
			return v->n_taken <= 2 ? STEP_ON : STEP_CUT;
	}
	bool has_at = !is_first || w->lua->layout.minor == 2 || w->lua->layout.minor == 3;
	uint64_t at = has_at ? c->at : find_at(w->memory->registers, &code);
	uint32_t line = lua_codes_line(w->lua->codes, w->memory, &code, at);
	if (put(w, v, code.function, line, is_entry && !c->is_tail) == STEP_CUT)
		return STEP_CUT;
	if (!c->is_tail)
		return STEP_ON;
	return put(w, v, w->names->define(w->names->arg, &tails), 0, is_entry);
}

static enum step take_c(struct walk *w, struct level *v)
{
	uint32_t number = lua_codes_native(w->lua->codes, w->memory, &v->call.callee, w->names);
	return number == NO_FUNCTION ? STEP_ON : put(w, v, number, 0, false);
}

/* The calls of a state have all been taken. */
static void leave(struct walk *w, const struct level *v)
{
	if (v->is_old && v->is_entry && v->outermost)
		w->stack->frames[v->outermost - 1].is_entry = true;
	w->n_levels--;
}

/* Takes the call of a level, and goes on to its caller. */
static enum step take_call(struct walk *w, struct level *v)
{
	const struct lua_layout *l = &w->lua->layout;
	struct call caller;
	uint64_t slot = 0;
	bool has_caller = read_whole(l, w->memory, &v->state, v->call.previous, &caller);
	enum step step = has_caller ? STEP_ON : STEP_CUT;
	enum how how = how_it_calls(l, w->memory, &caller, &slot);
	bool is_entry = v->call.kind == KIND_LUA && how == HOW_NOT;
	if (l->minor > 2 && v->n_taken && v->call.kind == KIND_LUA)
		is_entry = v->call.is_fresh;
	if (!v->n_taken++ && !w->at) {
		w->innermost = v->state;
		w->at = v->call.at;
	}
	if (v->has_call && (v->n_taken > 1 || is_begun(w, v, &caller, how, slot))) {
		account(v, v->call.kind == KIND_C ? how == HOW_NOT : is_entry);
		if (v->call.kind == KIND_C)
			step = take_c(w, v) == STEP_CUT ? STEP_CUT : step;
		else if (take_lua(w, v, is_entry && !v->is_old) == STEP_CUT)
			step = STEP_CUT;
	}
	v->call = caller;
	v->has_call = has_caller;
	return step;
}

/* Takes calls from the innermost one on: those of a coroutine come before the function of C that resumes it. */
static enum step take_calls(struct walk *w)
{
	enum step step = STEP_ON;
	for (unsigned i = 0; w->n_levels && step == STEP_ON; i++) {
		struct level *v = &w->levels[w->n_levels - 1];
		if (i == CALLS_MOST)
			step = STEP_CUT;
		else if (v->call.is_base)
			leave(w, v);
		else if (!v->has_call || v->call.kind != KIND_C || !enter_resumed(w, v))
			step = take_call(w, v);
	}
	return step;
}

/* Is the innermost call no longer the one that was read? */
static bool has_moved(const struct walk *w)
{
	struct state now;
	struct call call;
	bool unused;
	const struct state *s = &w->innermost;
	if (!read_state(w->lua, w->memory, &w->native, s->address, &now, &unused) || now.call != s->call ||
	    now.at != s->at || !read_call(&w->lua->layout, w->memory, &now, now.call, &call))
		return true;
	return w->lua->layout.call_flags && call.at != w->at;
}

static enum language_walk walk(void *arg, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *s)
{
	struct lua *lua = arg;
	if (lua->jit)
		return luajit_walk(lua->jit, m, tid, names, s);
	struct walk *w = lua->walk;
	struct lua_known *k = slots_of(&lua->known, (uint64_t)tid);
	struct state first;
	w->memory = m;
	w->names = names;
	w->stack = s;
	w->lua = lua;
	w->n_levels = w->n_seen = 0;
	w->at = 0;
	w->native = (struct lua_native){tid, lua_threads_stack(&lua->threads, m, tid, k)};
	language_stack_begin(s);
	if (lua->n_stacks++ % REJECTED_FOR == 0)
		memset(lua->rejected, 0, sizeof lua->rejected);
	lua_codes_begin(lua->codes);
	if (!w->native.stack || !find_outermost(lua, m, &w->native, k, &first))
		return WALK_NO_THREAD;
	enter(w, &first, NULL, !first.is_main);
	s->is_cut = take_calls(w) == STEP_CUT;
	memory_renew(m);
	s->has_moved = s->n && has_moved(w);
	return s->n ? WALK_DONE : s->is_cut ? WALK_FAILED : WALK_NO_THREAD;
}

static void *attach_luajit(const struct program *p, struct memory *m, struct err *err)
{
	struct luajit *jit = luajit_attach(p, m, err);
	struct lua *lua = jit ? mem_zalloc(1, sizeof *lua) : NULL;
	if (lua)
		lua->jit = jit;
	return lua;
}

static void *attach(const struct program *p, struct memory *m, struct err *err)
{
	struct lua_layout layout;
	uint64_t ident = program_symbol(p, "lua_ident");
	if (program_symbol(p, "luaJIT_setmode"))
		return attach_luajit(p, m, err);
	if (!ident || !program_symbol(p, "lua_newstate") || !lua_layout_find(&layout, m, ident, err))
		return NULL;
	struct lua *lua = mem_zalloc(1, sizeof *lua);
	lua->known = (struct slots){.size = sizeof(struct lua_known), .most = THREADS_MOST};
	lua->layout = layout;
	lua_threads_init(&lua->threads, p, m);
	lua->codes = lua_codes_new(&lua->layout);
	lua->walk = mem_zalloc(1, sizeof *lua->walk);
	return lua;
}

static void detach(void *state)
{
	struct lua *lua = state;
	if (lua->jit)
		luajit_detach(lua->jit);
	lua_codes_free(lua->codes);
	slots_deinit(&lua->known);
	free(lua->walk);
	free(lua);
}

static bool is_eval(const char *symbol)
{
	return language_is_symbol(symbol, "luaV_execute");
}

const struct language language_lua = {
	.name = "Lua",
	.may_be = may_be,
	.symbols = symbols,
	.attach = attach,
	.detach = detach,
	.walk = walk,
	.is_eval = is_eval,
	.compiles = true,
};
