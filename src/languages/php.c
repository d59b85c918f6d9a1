/*
 * php.c - the stacks of PHP 7.4 to 8.5, built without threads: php, php-fpm, and libphp in a web server.
 *
 *	executor_globals -> frame at work -> frame of its caller ...
 *	                    function: in C, or instructions of PHP; the instruction at work
 *
 * A function of PHP that calls another one does so within the loop of the virtual machine (execute_ex). C that
 * calls one begins a loop of its own, and marks the frame. Functions in C have a frame, but no loop.
 *
 * Some frames are none of a function: those without one, which C puts around some calls, and functions in C without
 * a name, with which fibers begin. Such a frame within a generator stands for those that take their values from
 * another one ("yield from"): only the last of these, which makes the values, is linked to the frames. The others
 * follow from it.
 *
 *	linked    next() -> frame that stands for `outer` -> inner
 *	shown     next() -> outer ... -> inner
 *
 * An exception that is on its way puts an instruction of executor_globals in the place of the one at work, which is
 * kept right before it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "languages/languages.h"
#include "languages/php_code.h"
#include "languages/php_layout.h"

#define VARIABLES_MOST 4096u /* bytes of executor_globals */
#define FRAMES_MOST (2u * LANGUAGE_FRAMES)
#define GENERATOR_MOST 512u /* bytes of a generator up to the frame that stands for it */
#define TYPE_MASK 0xffu
#define TYPE_OBJECT 8u
#define CALL_BY_C 0x20000u
#define OPERAND_CONSTANT 1u /* or less: none */

/* Registers of the virtual machine, as perf_regs.h numbers them: r14 and r15, x27 and x28. */
#if defined(__aarch64__)
enum { REGISTER_FRAME = 27, REGISTER_INSTRUCTION = 28 };
#else
enum { REGISTER_FRAME = 22, REGISTER_INSTRUCTION = 23 };
#endif

struct php {
	struct php_layout layout;
	uint64_t variables, registry; /* addresses of executor_globals and module_registry */
	uint64_t frameless;           /* of the pointer to the table of functions that get no frame; 0: none */
	bool is_known;                /* the build has been found to have the layout */
	pid_t main;
	struct php_codes *codes;
	uint64_t chain[LANGUAGE_FRAMES]; /* frames of generators, the outermost first */
};

/* ---- recognising --------------------------------------------------------------------------------------------- */

static const char *const symbols[] = {"executor_globals", "executor_globals_offset", "module_registry",
                                      "zend_flf_functions", NULL};

/* "php", "php8.2", "php-fpm8.2", "libphp8.2.so", but not "phpspy". */
static bool may_be(const char *file)
{
	if (strncmp(file, "libphp", 6) == 0)
		return strstr(file, ".so");
	return strncmp(file, "php", 3) == 0 && (!file[3] || strchr("0123456789-.", file[3]));
}

static void *attach(const struct program *p, struct memory *m, struct err *err)
{
	struct php_layout layout;
	uint64_t variables = program_symbol(p, "executor_globals"), registry = program_symbol(p, "module_registry");
	if (!registry || (!variables && !program_symbol(p, "executor_globals_offset")))
		return NULL;
	if (!php_layout_find(&layout, p, err))
		return NULL;
	enum php_build build = php_layout_check(&layout, m, registry, err);
	if (build == BUILD_OTHER)
		return NULL;
	struct php *php = mem_zalloc(1, sizeof *php);
	php->layout = layout;
	php->variables = variables;
	php->registry = registry;
	php->frameless = program_symbol(p, "zend_flf_functions");
	php->is_known = build == BUILD_KNOWN;
	php->main = p->main;
	php->codes = php_codes_new(&php->layout);
	return php;
}

static void detach(void *state)
{
	struct php *php = state;
	php_codes_free(php->codes);
	free(php);
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

struct walk {
	struct php *php;
	struct memory *memory;
	const struct language_names *names;
	struct language_stack *stack;
	uint64_t inner, function; /* the frame that was put last, and its function */
	uint64_t innermost, at;   /* the frame at work; its instruction, in a register; 0: unknown */
};

enum step { STEP_ON, STEP_END, STEP_CUT };

#define WORK_SIZE (2 * PHP_INSTRUCTION_SIZE)

/* Reads the instruction at work in a function, and the next one. What is not there is 0. */
static void read_work(const struct walk *w, const struct php_function *f, uint64_t at, unsigned char *work)
{
	memset(work, 0, WORK_SIZE);
	if (at - w->php->variables < VARIABLES_MOST && !memory_pointer(w->memory, at - 8, &at))
		return;
	if (at < f->first || at >= f->last || (at - f->first) % PHP_INSTRUCTION_SIZE)
		return;
	size_t n = f->last - at < WORK_SIZE ? PHP_INSTRUCTION_SIZE : WORK_SIZE;
	if (!memory_read(w->memory, at, work, n))
		memset(work, 0, WORK_SIZE);
}

static enum step push(struct walk *w, uint32_t function, uint32_t line, bool is_entry)
{
	return language_stack_add(w->stack, function, line, is_entry) ? STEP_ON : STEP_CUT;
}

/* Has an operand of an instruction a value? Arguments are freed, and have none, once the call is over. */
static bool has_value(const struct walk *w, uint64_t frame, const unsigned char *instruction, unsigned i)
{
	unsigned char kind = instruction[PHP_INSTRUCTION_TYPES + i], type = 0;
	uint64_t place = frame + memory_u32(instruction, PHP_INSTRUCTION_OPERANDS + 4 * (size_t)i);
	return kind <= OPERAND_CONSTANT || (memory_read(w->memory, place + PHP_VALUE_TYPE, &type, 1) && type);
}

/* Is it a call without a frame, with its arguments? */
static bool is_frameless(const struct walk *w, uint64_t frame, const unsigned char *work)
{
	unsigned n = work[PHP_INSTRUCTION_KIND] - PHP_INSTRUCTION_FRAMELESS;
	if (!w->php->frameless || !w->stack->n || n > 3)
		return false;
	return (n < 1 || has_value(w, frame, work, 0)) && (n < 2 || has_value(w, frame, work, 1)) &&
	       (n < 3 || has_value(w, frame, work + PHP_INSTRUCTION_SIZE, 0));
}

/* Puts a function in C that was called without a frame, and has called the one that was put last. */
static enum step put_frameless(struct walk *w, const unsigned char *work)
{
	struct php_function f;
	uint64_t table, function, place = memory_u32(work, PHP_INSTRUCTION_VALUE);
	if (!memory_pointer(w->memory, w->php->frameless, &table) ||
	    !memory_pointer(w->memory, table + 8 * place, &function) ||
	    !php_codes_function(w->php->codes, w->memory, function, false, w->names, &f))
		return STEP_CUT;
	if (function == w->function || f.number == NO_FUNCTION)
		return STEP_ON; /* with an extension that observes calls it has a frame after all */
	return push(w, f.number, 0, false);
}

/* Puts a function of PHP. One that has not begun is at its first line. */
static enum step put_user(struct walk *w, const struct php_function *f, uint64_t frame, const unsigned char *bytes)
{
	unsigned char work[WORK_SIZE];
	uint64_t at = memory_u64(bytes, PHP_FRAME_INSTRUCTION);
	if (frame == w->innermost && w->at >= f->first && w->at < f->last)
		at = w->at;
	read_work(w, f, at, work);
	if (is_frameless(w, frame, work) && put_frameless(w, work) != STEP_ON)
		return STEP_CUT;
	uint32_t line = at ? memory_u32(work, PHP_INSTRUCTION_LINE) : f->first_line;
	return push(w, f->number, line, memory_u32(bytes, PHP_FRAME_INFO) & CALL_BY_C);
}

/* Puts the function of a frame, unless it has no name. */
static enum step put(struct walk *w, uint64_t frame, const unsigned char *bytes)
{
	struct php_function f;
	uint64_t function = memory_u64(bytes, PHP_FRAME_FUNCTION);
	bool is_outermost = !memory_u64(bytes, PHP_FRAME_CALLER);
	enum step how = STEP_ON;
	if (!php_codes_function(w->php->codes, w->memory, function, is_outermost, w->names, &f))
		return STEP_CUT;
	if (f.number != NO_FUNCTION)
		how = f.is_native ? push(w, f.number, 0, false) : put_user(w, &f, frame, bytes);
	w->inner = frame;
	w->function = function;
	return how;
}

static bool read_frame(const struct walk *w, uint64_t frame, unsigned char *bytes)
{
	return memory_is_place(frame) && memory_read(w->memory, frame, bytes, PHP_FRAME_SIZE);
}

/* Finds the frames from this generator to the one that runs. Returns how many there are; 0: they make no sense. */
static uint32_t find_chain(const struct walk *w, uint64_t generator)
{
	const struct php_layout *l = &w->php->layout;
	uint64_t frame;
	for (uint32_t n = 0; memory_is_place(generator) && n < LANGUAGE_FRAMES; n++) {
		if (!memory_pointer(w->memory, generator + l->generator_frame, &frame))
			return 0;
		if (frame == w->inner || !frame) /* it may have ended just now */
			return n;
		w->php->chain[n] = frame;
		if (!memory_pointer(w->memory, generator + l->generator_parent, &generator))
			return 0;
	}
	return 0;
}

/* Puts generators that wait for the one that was put last. The loop stands for all of them. */
static enum step take_generators(struct walk *w, uint64_t generator)
{
	unsigned char bytes[PHP_FRAME_SIZE];
	struct language_stack *s = w->stack;
	uint32_t n = find_chain(w, generator), running = s->n - 1;
	for (uint32_t i = n; i-- > 0;)
		if (!read_frame(w, w->php->chain[i], bytes) || put(w, w->php->chain[i], bytes) != STEP_ON)
			return STEP_CUT;
	if (!n)
		return STEP_CUT;
	for (uint32_t i = running; i < s->n; i++)
		s->frames[i].is_entry = i == s->n - 1;
	return STEP_ON;
}

/* Takes a frame, and goes on to its caller's. */
static enum step step(struct walk *w, uint64_t *frame)
{
	unsigned char bytes[PHP_FRAME_SIZE];
	enum step how = STEP_ON;
	if (!read_frame(w, *frame, bytes))
		return STEP_CUT;
	uint64_t object = memory_u64(bytes, PHP_FRAME_OBJECT);
	bool has_object = (memory_u32(bytes, PHP_FRAME_INFO) & TYPE_MASK) == TYPE_OBJECT;
	if (memory_u64(bytes, PHP_FRAME_FUNCTION))
		how = put(w, *frame, bytes);
	else if (has_object && *frame - object < GENERATOR_MOST && w->stack->n)
		how = take_generators(w, object);
	*frame = memory_u64(bytes, PHP_FRAME_CALLER);
	return how == STEP_ON && !*frame ? STEP_END : how;
}

/*
 * The virtual machine has the frame and the instruction at work in registers, and writes the instruction to memory
 * only before it does what can call, warn or fail.
 */
static void look_at_registers(struct walk *w, uint64_t frame)
{
	uint64_t at_work, at;
	w->innermost = frame;
	if (memory_register(w->memory, REGISTER_FRAME, &at_work) && at_work == frame &&
	    memory_register(w->memory, REGISTER_INSTRUCTION, &at))
		w->at = at;
}

static enum language_walk walk_frames(struct walk *w, uint64_t frame)
{
	enum step how = STEP_ON;
	for (unsigned i = 0; how == STEP_ON && i < FRAMES_MOST; i++) {
		how = step(w, &frame);
		if (!i && how == STEP_CUT && frame && !php_codes_lack_room(w->php->codes))
			how = STEP_ON; /* it ends: code of a string or file is freed a moment before its frame is */
	}
	w->stack->is_cut = how != STEP_END;
	return w->stack->n ? WALK_DONE : how == STEP_END ? WALK_NO_THREAD : WALK_FAILED;
}

/* Where the process is: its frame at work, and the instruction in it. */
struct moment {
	uint64_t frame, instruction;
};

static bool read_moment(const struct php *php, struct memory *m, struct moment *now)
{
	now->instruction = 0;
	return memory_pointer(m, php->variables + php->layout.at_work, &now->frame) &&
	       (!now->frame || memory_pointer(m, now->frame + PHP_FRAME_INSTRUCTION, &now->instruction));
}

/* Has the build the layout? Modules tell it once PHP has begun. */
static bool check_build(struct php *php, struct memory *m)
{
	struct err ignored;
	if (!php->is_known)
		php->is_known = php_layout_check(&php->layout, m, php->registry, &ignored) == BUILD_KNOWN;
	return php->is_known;
}

static enum language_walk walk(void *arg, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *s)
{
	struct php *php = arg;
	struct walk w = {.php = php, .memory = m, .names = names, .stack = s};
	struct moment before, after;
	language_stack_begin(s);
	if (tid != php->main)
		return WALK_NO_THREAD;
	if (!read_moment(php, m, &before))
		return WALK_FAILED;
	if (!before.frame)
		return WALK_NO_THREAD;
	if (!check_build(php, m))
		return WALK_FAILED;
	php_codes_begin(php->codes);
	look_at_registers(&w, before.frame);
	enum language_walk result = walk_frames(&w, before.frame);
	memory_renew(m);
	s->has_moved =
		result == WALK_DONE && (!read_moment(php, m, &after) || memcmp(&before, &after, sizeof before) != 0);
	return result;
}

static bool is_eval(const char *symbol)
{
	return language_is_symbol(symbol, "execute_ex");
}

const struct language language_php = {
	.name = "PHP",
	.may_be = may_be,
	.symbols = symbols,
	.attach = attach,
	.detach = detach,
	.walk = walk,
	.is_eval = is_eval,
	.compiles = true,
};
