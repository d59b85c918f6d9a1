/*
 * luajit_frames.h - the stack of values of LuaJIT: the frames of its functions, from the innermost one on.
 *
 *	... function, link | base, values ... function, link | base, values ...
 *
 * A link tells how the function was called, and with it where its caller has its base.
 */
#ifndef LANGUAGES_LUAJIT_FRAMES_H
#define LANGUAGES_LUAJIT_FRAMES_H

#include "languages/luajit_code.h"
#include "languages/luajit_state.h"

#define LUAJIT_WINDOW 512u /* values of a stack that are read at once */

/* What reads frames of one state. */
struct luajit_frames {
	struct memory *memory;
	struct luajit_codes *codes;
	struct luajit_state state;
	uint64_t from, to; /* what of the stack is in values */
	uint64_t values[LUAJIT_WINDOW];
};

/* Where a function is at work, or calls. */
struct luajit_place {
	uint64_t base;
	uint64_t at; /* the address after the instruction; 0: unknown, or it is a function of C */
};

struct luajit_frame {
	struct luajit_place place;
	uint64_t link;
	struct luajit_function function;
	bool is_dummy; /* no function */
};

void luajit_frames_begin(struct luajit_frames *, const struct luajit_state *);
/* Is it the base of no function, but of what is below all of them? */
bool luajit_frames_is_bottom(const struct luajit_frames *, const struct luajit_place *);
/* false: there is none, or it makes no sense. */
bool luajit_frames_read(struct luajit_frames *, const struct luajit_place *, struct luajit_frame *);
/* Did C begin to run it? */
bool luajit_link_is_of_c(struct luajit_frames *, const struct luajit_place *, uint64_t link);
/* The caller, by a link. Of one below a function that C began, `at` is unknown. false: it makes no sense. */
bool luajit_frames_caller(struct luajit_frames *, const struct luajit_place *, uint64_t link,
                          struct luajit_place *);
/* Is a function at work there, whose caller makes sense, too? */
bool luajit_frames_check(struct luajit_frames *, const struct luajit_place *);

#endif
