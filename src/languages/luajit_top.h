/*
 * luajit_top.h - where the innermost function of LuaJIT is at work.
 */
#ifndef LANGUAGES_LUAJIT_TOP_H
#define LANGUAGES_LUAJIT_TOP_H

#include "languages/luajit_frames.h"

/* What is known of the moment. */
struct luajit_moment {
	struct luajit_global global;
	uint64_t frame; /* of the interpreter */
	bool has_registers;
	uint64_t sp, ip, base, at, rbp; /* of the processor; base and at: what the interpreter has there */
};

/* Takes the registers of a thread; those that are of another moment count as unknown. */
void luajit_moment_take(struct luajit_moment *, const struct memory *);
/* Where the code of the interpreter is in memory; zeroed until it is read. */
struct luajit_code_range {
	uint64_t global, first, last;
	uint64_t returns, returns_end; /* of operations that return */
	uint64_t fast;                 /* functions in assembler, after all operations */
};

/* false: it is not known. A place at the bottom: no function is at work. */
bool luajit_top(const struct luajit_moment *, struct luajit_code_range *, struct luajit_frames *,
                struct luajit_place *);

#endif
