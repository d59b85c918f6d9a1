/*
 * luajit_frames.c - reads frames of functions.
 */
#include "languages/luajit_frames.h"

void luajit_frames_begin(struct luajit_frames *f, const struct luajit_state *s)
{
	f->state = *s;
	f->from = f->to = 0;
}

/* A value of the stack; what is around it is read, too. */
static bool read_slot(struct luajit_frames *f, uint64_t address, uint64_t *value)
{
	const struct luajit_state *s = &f->state;
	if (address % LUAJIT_VALUE_SIZE || address < s->stack || address >= s->end)
		return false;
	if (address < f->from || address >= f->to) {
		uint64_t to = address + LUAJIT_VALUE_SIZE, most = LUAJIT_WINDOW * LUAJIT_VALUE_SIZE;
		uint64_t from = to - s->stack > most ? to - most : s->stack;
		f->from = f->to = 0;
		if (!memory_read(f->memory, from, f->values, (size_t)(to - from)))
			return false;
		f->from = from;
		f->to = to;
	}
	*value = f->values[(address - f->from) / LUAJIT_VALUE_SIZE];
	return true;
}

bool luajit_frames_is_bottom(const struct luajit_frames *f, const struct luajit_place *p)
{
	return p->base <= f->state.stack + LUAJIT_FRAME_SIZE;
}

bool luajit_frames_read(struct luajit_frames *f, const struct luajit_place *p, struct luajit_frame *out)
{
	uint64_t function;
	if (luajit_frames_is_bottom(f, p) || !read_slot(f, p->base - 8, &out->link) ||
	    !read_slot(f, p->base - 16, &function))
		return false;
	out->place = *p;
	out->is_dummy = luajit_object(function, LUAJIT_THREAD) == f->state.address;
	out->function = (struct luajit_function){.closure = 0};
	return out->is_dummy || luajit_codes_read(f->codes, f->memory, function, &out->function);
}

/* Does C go on with the frame when it is left? That of a callback by FFI looks like one of a metamethod. */
bool luajit_link_is_of_c(struct luajit_frames *f, const struct luajit_place *p, uint64_t link)
{
	uint64_t continuation, kind = link & LUAJIT_LINK_KIND;
	if (kind == LUAJIT_LINK_CONTINUATION)
		return read_slot(f, p->base - 32, &continuation) && continuation == LUAJIT_CALLBACK;
	return kind == LUAJIT_LINK_C || kind == LUAJIT_LINK_PROTECTED;
}

/* The link is the next instruction of a caller in Lua, whose call says in which register the function was. */
static bool find_lua_caller(struct luajit_frames *f, const struct luajit_place *p, uint64_t link,
                            struct luajit_place *caller)
{
	uint32_t instruction;
	if (link < LUA_PIECE || !memory_read(f->memory, link - 4, &instruction, sizeof instruction))
		return false;
	uint32_t operation = instruction & 0xff, a = instruction >> 8 & 0xff;
	*caller = (struct luajit_place){p->base - LUAJIT_FRAME_SIZE - (uint64_t)a * LUAJIT_VALUE_SIZE, link};
	return operation >= LUAJIT_OP_CALL_FIRST && operation <= LUAJIT_OP_CALL_LAST;
}

bool luajit_frames_caller(struct luajit_frames *f, const struct luajit_place *p, uint64_t link,
                          struct luajit_place *caller)
{
	uint64_t size = link & ~(uint64_t)LUAJIT_LINK_KIND;
	if (!(link & LUAJIT_LINK_IS_TYPED)) {
		if (!find_lua_caller(f, p, link, caller))
			return false;
	} else if (size < LUAJIT_FRAME_SIZE || size > p->base - f->state.stack)
		return false;
	else
		*caller = (struct luajit_place){p->base - size, 0};
	if ((link & LUAJIT_LINK_KIND) == LUAJIT_LINK_CONTINUATION && !luajit_link_is_of_c(f, p, link) &&
	    !read_slot(f, p->base - 24, &caller->at))
		return false;
	return caller->base >= f->state.stack + LUAJIT_FRAME_SIZE && caller->base < p->base;
}

/* Is there a function, and is it at work at this place? */
static bool is_there(struct luajit_frames *f, const struct luajit_place *p, struct luajit_frame *frame)
{
	return luajit_frames_read(f, p, frame) &&
	       (!p->at || frame->function.c || frame->is_dummy || luajit_function_has(&frame->function, p->at));
}

bool luajit_frames_check(struct luajit_frames *f, const struct luajit_place *p)
{
	struct luajit_frame frame, outer;
	struct luajit_place caller;
	if (luajit_frames_is_bottom(f, p))
		return true;
	return is_there(f, p, &frame) && luajit_frames_caller(f, p, frame.link, &caller) &&
	       (luajit_frames_is_bottom(f, &caller) || is_there(f, &caller, &outer));
}
