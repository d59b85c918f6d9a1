/*
 * luajit.c - the stacks of LuaJIT 2.1 on x86-64.
 *
 *	state at work -> its functions, the innermost first -> the state that resumed it -> ...
 *
 * Functions that call each other have frames in a stack of values (luajit_frames.c), and each call by C has a frame
 * of the interpreter on the native stack (luajit_state.c). A coroutine that is resumed is the next one there.
 *
 * Compiled code (a trace) keeps what it calls in registers. Its stack has the functions of the moment in which it
 * began, and then the trace by its place in the source.
 */
#include "languages/luajit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "languages/luajit_code.h"
#include "languages/luajit_frames.h"
#include "languages/luajit_state.h"
#include "languages/luajit_top.h"
#include "languages/slots.h"

#define CALLS_MOST 65536u /* of a state */
#define STATES_MOST 256u  /* that resume each other */
#define NATIVE_MOST 256u  /* frames of the interpreter, of a state */

struct luajit {
	struct luajit_finder finder;
	struct luajit_codes *codes;
	struct luajit_code_range range;
	struct slots known; /* of struct luajit_known */
	struct walk *walk;  /* for the present stack */
};

struct walk {
	struct luajit *luajit;
	struct memory *memory;
	const struct language_names *names;
	struct language_stack *stack;
	struct lua_native native;
	struct luajit_moment moment;
	struct luajit_frames frames;
	uint64_t frame; /* of the interpreter, that runs the present function */
};

enum step { STEP_ON, STEP_CUT };

/* ---- the interpreter's frames on the native stack ------------------------------------------------------------ */

/* Goes on to the previous one. */
static bool leave_native(struct walk *w)
{
	uint64_t previous;
	if (!memory_pointer(w->memory, w->frame + LUAJIT_NATIVE_PREVIOUS, &previous))
		return false;
	previous &= ~(uint64_t)LUAJIT_NATIVE_FLAGS;
	if (previous && previous <= w->frame)
		return false;
	w->frame = previous;
	return true;
}

/* Leaves those that run none of the functions from this one on: they protect C from errors. */
static bool skip_native(struct walk *w, const struct luajit_place *p)
{
	for (unsigned i = 0; w->frame && i < NATIVE_MOST; i++) {
		int32_t results;
		if (!memory_read(w->memory, w->frame + LUAJIT_NATIVE_RESULTS, &results, sizeof results))
			return false;
		if (results >= 0 || p->base - LUAJIT_VALUE_SIZE >= w->frames.state.stack + (uint64_t) - (int64_t)results)
			return true;
		if (!leave_native(w))
			return false;
	}
	return !w->frame;
}

/* The place of a function that C below it has interrupted: the frame of the interpreter has its instruction. */
static void find_instruction(struct walk *w, struct luajit_place *p)
{
	struct luajit_frame frame;
	uint64_t at;
	if (luajit_frames_is_bottom(&w->frames, p) || !w->frame || !luajit_frames_read(&w->frames, p, &frame) ||
	    !memory_pointer(w->memory, w->frame + LUAJIT_NATIVE_AT, &at))
		return;
	if (luajit_function_has(&frame.function, at))
		p->at = at;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

/* No function is an entry: the interpreter is no function of C that would be called for each of them. */
static enum step put(struct walk *w, uint32_t function, uint32_t line)
{
	bool is_put = function != NO_FUNCTION && language_stack_add(w->stack, function, line, false);
	return is_put ? STEP_ON : STEP_CUT;
}

static enum step put_function(struct walk *w, const struct luajit_frame *f)
{
	struct luajit_codes *codes = w->luajit->codes;
	bool has_name;
	uint32_t number =
		luajit_codes_number(codes, w->memory, &f->function, w->frames.state.global, w->names, &has_name);
	if (!has_name)
		return STEP_ON;
	return put(w, number, f->place.at ? luajit_codes_line(codes, w->memory, &f->function, f->place.at) : 0);
}

/* Puts the trace that is at work. */
static enum step put_trace(struct walk *w)
{
	const struct luajit_global *g = &w->moment.global;
	uint32_t line;
	if (g->vm_state <= 0)
		return STEP_ON;
	uint32_t number =
		luajit_codes_trace(w->luajit->codes, w->memory, g->address, (uint32_t)g->vm_state, w->names, &line);
	return number == NO_FUNCTION ? STEP_ON : put(w, number, line);
}

/* Is the function at work where the place says? */
static bool is_there(const struct luajit_frame *f)
{
	return !f->place.at || f->is_dummy || f->function.c || luajit_function_has(&f->function, f->place.at);
}

/* Goes on to the caller of a function. */
static enum step leave(struct walk *w, const struct luajit_frame *f, struct luajit_place *p)
{
	if (!luajit_frames_caller(&w->frames, &f->place, f->link, p))
		return STEP_CUT;
	if (!luajit_link_is_of_c(&w->frames, &f->place, f->link))
		return STEP_ON;
	if (!w->frame || !leave_native(w) || !skip_native(w, p))
		return STEP_CUT;
	find_instruction(w, p);
	return STEP_ON;
}

/* Takes the functions of a state, from this place on. One with more arguments than it names has two frames. */
static enum step take_state(struct walk *w, struct luajit_place p)
{
	struct luajit_frame f;
	bool is_second = false;
	if (!skip_native(w, &p))
		return STEP_CUT;
	for (unsigned i = 0; !luajit_frames_is_bottom(&w->frames, &p); i++) {
		if (i == CALLS_MOST || !luajit_frames_read(&w->frames, &p, &f) || !is_there(&f))
			return STEP_CUT;
		if (!is_second && !f.is_dummy && put_function(w, &f) == STEP_CUT)
			return STEP_CUT;
		is_second = (f.link & LUAJIT_LINK_KIND) == LUAJIT_LINK_VARARG;
		if (leave(w, &f, &p) == STEP_CUT)
			return STEP_CUT;
	}
	return STEP_ON;
}

/* ---- states -------------------------------------------------------------------------------------------------- */

/* Goes on to the state that has resumed the present one. *is_end: there is none. */
static enum step find_resumer(struct walk *w, uint64_t outermost, struct luajit_place *p, bool *is_end)
{
	struct luajit_state s;
	*is_end = w->frames.state.address == w->moment.global.main ||
	          !luajit_find_above(&w->luajit->finder, w->memory, &w->native, outermost + LUAJIT_NATIVE_SIZE,
	                             w->moment.global.address, &s);
	if (*is_end)
		return STEP_ON;
	luajit_frames_begin(&w->frames, &s);
	w->frame = s.frame;
	*p = (struct luajit_place){s.base, 0};
	if (!skip_native(w, p))
		return STEP_CUT;
	find_instruction(w, p);
	return luajit_frames_check(&w->frames, p) ? STEP_ON : STEP_CUT;
}

/* The outermost frame of the interpreter of a state; 0: it makes no sense. */
static uint64_t find_outermost(struct walk *w)
{
	uint64_t last = 0;
	w->frame = w->frames.state.frame;
	for (unsigned i = 0; w->frame && i < NATIVE_MOST; i++) {
		last = w->frame;
		if (!leave_native(w))
			return 0;
	}
	return w->frame ? 0 : last;
}

static enum step take_states(struct walk *w, struct luajit_place p)
{
	bool is_end = false;
	for (unsigned i = 0; !is_end; i++) {
		w->frame = w->frames.state.frame;
		if (i == STATES_MOST || take_state(w, p) == STEP_CUT)
			return STEP_CUT;
		uint64_t outermost = find_outermost(w);
		if (!outermost || find_resumer(w, outermost, &p, &is_end) == STEP_CUT)
			return STEP_CUT;
	}
	return STEP_ON;
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

/* What changes when a thread goes on. */
struct trail {
	struct luajit_global global;
	struct luajit_state state;
	uint64_t at, top[2];
};

static bool read_trail(struct walk *w, const struct luajit_state *s, const struct luajit_place *p, struct trail *t)
{
	memset(t, 0, sizeof *t);
	return luajit_read_global(w->memory, s->global, &t->global) &&
	       luajit_read_state(w->memory, s->address, &t->state) &&
	       memory_pointer(w->memory, s->frame + LUAJIT_NATIVE_AT, &t->at) &&
	       memory_read(w->memory, p->base - sizeof t->top, t->top, sizeof t->top);
}

static bool is_same(const struct trail *a, const struct trail *b)
{
	return a->global.current == b->global.current && a->global.vm_state == b->global.vm_state &&
	       a->global.jit_base == b->global.jit_base && a->state.base == b->state.base &&
	       a->state.frame == b->state.frame && a->at == b->at && memcmp(a->top, b->top, sizeof a->top) == 0;
}

static enum language_walk take_stack(struct walk *w, const struct luajit_state *s)
{
	struct luajit_place p;
	struct trail before, after;
	luajit_frames_begin(&w->frames, s);
	w->moment.frame = s->frame;
	if (!luajit_top(&w->moment, &w->luajit->range, &w->frames, &p) || !read_trail(w, s, &p, &before))
		return WALK_FAILED;
	w->stack->is_cut = put_trace(w) == STEP_CUT || take_states(w, p) == STEP_CUT;
	w->stack->has_moved = !read_trail(w, s, &p, &after) || !is_same(&before, &after);
	return w->stack->n ? WALK_DONE : w->stack->is_cut ? WALK_FAILED : WALK_NO_THREAD;
}

enum language_walk luajit_walk(struct luajit *l, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *stack)
{
	struct walk *w = l->walk;
	struct luajit_known *k = slots_of(&l->known, (uint64_t)tid);
	struct luajit_state s;
	memset(&w->moment, 0, sizeof w->moment);
	w->luajit = l;
	w->memory = w->frames.memory = m;
	w->frames.codes = l->codes;
	w->names = names;
	w->stack = stack;
	w->native = (struct lua_native){tid, lua_threads_stack(&l->finder.threads, m, tid, &k->lua)};
	language_stack_begin(stack);
	luajit_finder_begin(&l->finder);
	luajit_codes_begin(l->codes);
	luajit_moment_take(&w->moment, m);
	if (!w->native.stack || (w->moment.sp && !lua_threads_has(&l->finder.threads, m, &w->native, w->moment.sp)) ||
	    !luajit_find(&l->finder, m, &w->native, k, w->moment.sp, &w->moment.global, &s))
		return WALK_NO_THREAD;
	return take_stack(w, &s);
}

struct luajit *luajit_attach(const struct program *p, struct memory *m, struct err *err)
{
	if (!luajit_layout_check(p, m, err))
		return NULL;
	struct luajit *l = mem_zalloc(1, sizeof *l);
	l->known = (struct slots){.size = sizeof(struct luajit_known), .most = THREADS_MOST};
	lua_threads_init(&l->finder.threads, p, m);
	l->codes = luajit_codes_new();
	l->walk = mem_zalloc(1, sizeof *l->walk);
	return l;
}

void luajit_detach(struct luajit *l)
{
	luajit_codes_free(l->codes);
	slots_deinit(&l->known);
	free(l->walk);
	free(l);
}
