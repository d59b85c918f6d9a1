/*
 * luajit_top.c - finds the innermost function, by where the thread is at the moment:
 *
 *	in C            its state says (base), since all that C can be called for saves it, and the frame of the
 *	                interpreter has the instruction; but see below
 *	in the          registers say: rdx base, rbx next instruction; with rsp as in its frame, which it never moves
 *	interpreter
 *	in compiled     the program says (jit_base) where the function begins that was compiled from; what has been
 *	code            inlined since is nowhere
 *
 * Some helpers in C are called without saving anything, as the interpreter keeps its base in rbp meanwhile: it
 * fetches it from there as soon as they return. So the code at the return address tells. Then the base is in rbp
 * still, or among what the helper has saved on the native stack since; one of these words has to be a base, and
 * only one may.
 *
 * For some instructions registers hold something else, as when a function is called or returns. What is in them
 * must make sense: a base has a function before it, which has the instruction, and a link that leads to the like.
 * A function that is not linked yet, or no longer, is left out. If nothing makes sense, the stack counts as failed.
 */
#include "languages/luajit_top.h"

#include <string.h>

enum { REGISTER_BX = 1, REGISTER_DX = 3, REGISTER_BP = 6, REGISTER_SP = 7, REGISTER_IP = 8 };

#define WORDS_MOST 512u /* of the native stack of a helper */
#define AFTER_CALL 24u  /* bytes of code after a call in which registers may not be what they are */

void luajit_moment_take(struct luajit_moment *t, const struct memory *m)
{
	t->has_registers = m->registers && !m->registers->is_late && memory_register(m, REGISTER_SP, &t->sp) &&
	                   memory_register(m, REGISTER_IP, &t->ip) && memory_register(m, REGISTER_DX, &t->base) &&
	                   memory_register(m, REGISTER_BX, &t->at) && memory_register(m, REGISTER_BP, &t->rbp);
	if (!t->has_registers)
		t->sp = 0;
}

/* Is the thread in compiled code, or about to leave it? */
static bool is_compiled(const struct luajit_moment *t)
{
	return t->global.jit_base || t->global.vm_state >= 0 || t->global.vm_state == LUAJIT_VM_EXIT;
}

/* ---- where the thread is ------------------------------------------------------------------------------------- */

/* Reads where the code of the interpreter is. */
static bool find_code(struct luajit_code_range *r, struct memory *m, uint64_t global)
{
	uint64_t codes[LUAJIT_DISPATCHES];
	const uint64_t *fixed = codes + LUAJIT_DISPATCH_FIXED;
	if (r->global == global)
		return true;
	if (!memory_read(m, global + LUAJIT_GLOBAL_DISPATCH, codes, sizeof codes))
		return false;
	*r = (struct luajit_code_range){.global = global,
	                                .first = fixed[0],
	                                .returns = fixed[LUAJIT_OP_RET_FIRST],
	                                .returns_end = fixed[LUAJIT_OP_RET_LAST + 1],
	                                .fast = UINT64_MAX};
	for (unsigned i = LUAJIT_OPS; i < LUAJIT_DISPATCH_FIXED; i++) {
		r->fast = codes[i] < r->fast ? codes[i] : r->fast;
		r->last = codes[i] > r->last ? codes[i] : r->last;
	}
	r->last += LUAJIT_DISPATCH_REST;
	return true;
}

/* Is it in the interpreter itself, or in one of its own subroutines? */
static bool is_inside(const struct luajit_moment *t, struct luajit_code_range *r, struct memory *m)
{
	return find_code(r, m, t->global.address) &&
	       (t->sp == t->frame || (t->sp == t->frame - 8 && t->ip >= r->first && t->ip < r->last));
}

/* ---- the interpreter ----------------------------------------------------------------------------------------- */

/* The operation before an address; 0: there is none. */
static unsigned operation_of(struct memory *m, uint64_t at)
{
	unsigned char operation;
	return at >= LUA_PIECE && at % 4 == 0 && memory_read(m, at - 4, &operation, 1) ? operation : 0;
}

static bool is_tail_call(struct memory *m, uint64_t at)
{
	unsigned operation = operation_of(m, at);
	return operation == LUAJIT_OP_CALLT || operation == LUAJIT_OP_CALLMT;
}

/* The caller of what has ended, or has not begun, at a base, by its link. */
static bool leave_out(struct luajit_frames *f, uint64_t base, uint64_t link, struct luajit_place *out)
{
	const struct luajit_place p = {base, 0};
	return luajit_frames_caller(f, &p, link, out) && luajit_frames_check(f, out);
}

/*
 * Is a function of C at work, rather than a result in its place? Those in assembler are in their own code, which
 * comes after all operations; others have been called by an operation.
 */
static bool is_c_at_work(const struct luajit_moment *t, const struct luajit_code_range *r, struct luajit_frames *f,
                         const struct luajit_function *c)
{
	if (t->at == c->begin || t->at == c->begin + 4)
		return true; /* just called */
	unsigned operation = operation_of(f->memory, c->begin + 4);
	return operation >= LUAJIT_OPS ? t->ip >= r->fast : t->ip < r->fast;
}

/* Is the instruction one that an operation of the interpreter has changed into what it returns to? */
static bool is_link(uint64_t at, uint64_t link)
{
	bool is_typed = link & LUAJIT_LINK_IS_TYPED;
	return at == link || (is_typed && (at == (link ^ 1) || at == (link & ~(uint64_t)LUAJIT_LINK_KIND)));
}

/* Tries a base with an instruction. */
static bool try_base(const struct luajit_moment *t, const struct luajit_code_range *r, struct luajit_frames *f,
                     uint64_t base, uint64_t at, struct luajit_place *out)
{
	struct luajit_frame frame;
	*out = (struct luajit_place){base, 0};
	if (base % 8 || base < f->state.stack + LUAJIT_FRAME_SIZE || base >= f->state.end)
		return false;
	if (luajit_frames_is_bottom(f, out))
		return true;
	if (!luajit_frames_read(f, out, &frame))
		return leave_out(f, base, at, out);
	if (frame.is_dummy || (frame.function.c && is_c_at_work(t, r, f, &frame.function)))
		return luajit_frames_check(f, out);
	if (is_link(at, frame.link) || is_tail_call(f->memory, at))
		return leave_out(f, base, frame.link, out);
	out->at = at;
	if (luajit_function_has(&frame.function, at))
		return luajit_frames_check(f, out);
	return leave_out(f, base, at, out);
}

/* After a helper in C: does the interpreter have its base in rbp? *n: bytes of code until it has fetched it. */
static bool keeps_base(struct memory *m, uint64_t site, unsigned *n)
{
	static const unsigned char fetch[] = {0x48, 0x8b, 0xd5};                   /* mov rdx, rbp */
	static const unsigned char load[] = {0x48, 0x8b, 0x55, LUAJIT_STATE_BASE}; /* mov rdx, [rbp+32] */
	unsigned char code[AFTER_CALL];
	*n = 0;
	if (!memory_read(m, site, code, sizeof code))
		return false;
	for (unsigned i = 0; i <= 4; i += 4) {
		*n = i + sizeof fetch;
		if (memcmp(code + i, fetch, sizeof fetch) == 0)
			return true;
	}
	for (*n = sizeof load; *n < sizeof code && memcmp(code + *n - sizeof load, load, sizeof load) != 0; ++*n)
		;
	return false;
}

#define BEFORE 48u /* bytes of code */

/* The code around the instruction. */
struct around {
	unsigned char code[BEFORE + 4];
	bool is_saved;     /* the base is in the state, and its register may have something else */
	bool is_back;      /* the base is the one of a caller again */
	bool is_unlinked;  /* the base is the one of a function that has no link yet */
	bool is_returning; /* at the base may be results already */
};

static const unsigned char save_by_rbp[] = {0x48, 0x89, 0x55, LUAJIT_STATE_BASE}; /* mov [rbp+32], rdx */
static const unsigned char save_by_rdi[] = {0x48, 0x89, 0x57, LUAJIT_STATE_BASE}; /* mov [rdi+32], rdx */
static const unsigned char go_back[] = {0x48, 0x8d, 0x54, 0xca, 0xf0};            /* lea rdx, [rdx+rcx*8-16] */
static const unsigned char set_link[] = {0x48, 0x89, 0x5a, 0xf8};                 /* mov [rdx-8], rbx */

/* Is this instruction before a place, with no jump in between? A byte that only looks like a jump does no harm. */
static bool has_done(const unsigned char *code, const unsigned char *instruction, size_t n)
{
	for (size_t i = BEFORE; i-- > 0;) {
		if (code[i] == 0xe9 || code[i] == 0xeb || code[i] == 0xff)
			return false;
		if (i + n <= BEFORE && memcmp(code + i, instruction, n) == 0)
			return true;
	}
	return false;
}

static bool look_around(const struct luajit_moment *t, const struct luajit_code_range *r, struct memory *m,
                        struct around *a)
{
	if (!memory_read(m, t->ip - BEFORE, a->code, sizeof a->code))
		return false;
	a->is_saved =
		has_done(a->code, save_by_rbp, sizeof save_by_rbp) || has_done(a->code, save_by_rdi, sizeof save_by_rdi);
	a->is_back = has_done(a->code, go_back, sizeof go_back);
	a->is_unlinked = memcmp(a->code + BEFORE, set_link, sizeof set_link) == 0;
	a->is_returning = t->ip >= r->returns && t->ip < r->returns_end;
	return true;
}

/* Where the interpreter has its base: not in its register just before it calls C, and just after. */
static uint64_t base_of(const struct luajit_moment *t, struct luajit_frames *f, const struct around *a)
{
	uint64_t site;
	unsigned n;
	if (a->is_saved)
		return f->state.base;
	if (!memory_pointer(f->memory, t->frame - 8, &site) || t->ip - site >= AFTER_CALL)
		return t->base;
	bool is_kept = keeps_base(f->memory, site, &n);
	return t->ip - site >= n ? t->base : is_kept ? t->rbp : f->state.base;
}

static bool find_inside(const struct luajit_moment *t, const struct luajit_code_range *r, struct luajit_frames *f,
                        struct luajit_place *out)
{
	struct around a;
	if (!look_around(t, r, f->memory, &a))
		return false;
	/* what returns to C has the base of its caller where the instruction was */
	bool is_base = t->at > f->state.stack && t->at < f->state.end;
	/* C has just called the interpreter */
	bool is_new = t->at == LUAJIT_LINK_C || t->at == LUAJIT_LINK_PROTECTED;
	if (is_base || is_new || a.is_back) {
		*out = (struct luajit_place){is_base ? t->at : is_new ? f->state.base : t->base, a.is_back ? t->at : 0};
		return luajit_frames_check(f, out);
	}
	unsigned operation = operation_of(f->memory, t->at);
	bool is_own = operation >= LUAJIT_OP_RET_FIRST && operation <= LUAJIT_OP_RET_LAST;
	if (a.is_unlinked || (a.is_returning && !is_own))
		return leave_out(f, t->base, t->at, out);
	return try_base(t, r, f, base_of(t, f, &a), t->at, out);
}

/* ---- C ------------------------------------------------------------------------------------------------------- */

/* Is there a function whose caller makes sense? */
static bool is_inner_base(struct luajit_frames *f, const struct luajit_place *p)
{
	return p->base % 8 == 0 && p->base < f->state.end && !luajit_frames_is_bottom(f, p) &&
	       luajit_frames_check(f, p);
}

/* The base is one of these words, and the instruction as well. false: none is, or several are. */
static bool choose(struct luajit_frames *f, const uint64_t *words, size_t n, struct luajit_place *out)
{
	struct luajit_place p = {0, 0}, at;
	struct luajit_frame frame;
	for (size_t i = 0; i < n; i++) {
		at = (struct luajit_place){words[i], 0};
		if (words[i] == p.base || !is_inner_base(f, &at))
			continue;
		if (p.base)
			return false;
		p.base = words[i];
	}
	if (!p.base || !luajit_frames_read(f, &p, &frame))
		return false;
	*out = p;
	for (size_t i = 0; i < n; i++)
		if (luajit_function_has(&frame.function, words[i]) && words[i] != out->at)
			out->at = out->at ? UINT64_MAX : words[i];
	out->at = out->at == UINT64_MAX ? 0 : out->at;
	return true;
}

/* The base is in rbp, or was saved by the helper. */
static bool find_kept(const struct luajit_moment *t, struct luajit_frames *f, struct luajit_place *out)
{
	uint64_t words[WORDS_MOST + 2], n = (t->frame - 8 - t->sp) / 8;
	if (t->sp % 8 || t->sp > t->frame - 8 || n > WORDS_MOST || (n && !memory_read(f->memory, t->sp, words, n * 8)))
		return false;
	words[n++] = t->rbp;
	words[n++] = t->at;
	return choose(f, words, n, out);
}

/* What was saved before C was called. */
static bool find_saved(const struct luajit_moment *t, struct luajit_frames *f, struct luajit_place *out)
{
	struct luajit_frame frame = {.link = 0};
	*out = (struct luajit_place){f->state.base, 0};
	if (luajit_frames_is_bottom(f, out))
		return true;
	if (!luajit_frames_read(f, out, &frame)) /* it has put its result there already */
		return frame.link && leave_out(f, out->base, frame.link, out);
	if (!memory_pointer(f->memory, t->frame + LUAJIT_NATIVE_AT, &out->at))
		return false;
	if (!luajit_function_has(&frame.function, out->at))
		out->at = 0;
	return luajit_frames_check(f, out);
}

bool luajit_top(const struct luajit_moment *t, struct luajit_code_range *r, struct luajit_frames *f,
                struct luajit_place *out)
{
	bool is_interpreter = t->global.vm_state == LUAJIT_VM_INTERPRETER;
	uint64_t site;
	unsigned n;
	if (is_compiled(t)) {
		*out = (struct luajit_place){t->global.jit_base ? t->global.jit_base : f->state.base, 0};
		return luajit_frames_check(f, out);
	}
	if (!t->has_registers)
		return !is_interpreter && find_saved(t, f, out);
	if (is_inside(t, r, f->memory))
		return find_inside(t, r, f, out);
	if (is_interpreter && memory_pointer(f->memory, t->frame - 8, &site) && keeps_base(f->memory, site, &n))
		return find_kept(t, f, out);
	return find_saved(t, f, out);
}
