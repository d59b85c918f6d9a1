/*
 * Stacks of LuaJIT from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "luajit_image.h"

#define BUDGET 20000u
#define CO JIT_AT_COROUTINE
#define SITE (JIT_AT_CODE + 0x700) /* code to which a helper returns */

static struct luajit_image image;
static struct language_stack stack;
static struct memory_registers registers;
static bool has_registers;

static enum language_walk walk_with(void *lua, pid_t tid)
{
	struct memory m = {
		.read = jit_read, .arg = &image, .budget = BUDGET, .registers = has_registers ? &registers : NULL};
	const struct language_names names = {image_define, &image.in};
	image.in.n_reads = 0;
	return language_lua.walk(lua, &m, tid, &names, &stack);
}

static void *attach_to(const struct program *p, struct err *err)
{
	struct memory m = {.read = jit_read, .arg = &image, .budget = BUDGET};
	err->text[0] = '\0';
	return language_lua.attach(p, &m, err);
}

static void *attach(void)
{
	struct err err;
	const struct program p = jit_program();
	return attach_to(&p, &err);
}

static enum language_walk walk(void)
{
	void *lua = attach();
	stack.n = 0;
	stack.is_cut = false;
	if (!lua)
		return WALK_FAILED;
	enum language_walk how = walk_with(lua, JIT_MAIN_TID);
	language_lua.detach(lua);
	return how;
}

static const char *shown(void)
{
	enum language_walk how = walk();
	return how == WALK_FAILED ? "failed" : how == WALK_NO_THREAD ? "none" : image_show(&image.in, &stack, " | ");
}

/* The process as it is made, in the interpreter. */
static void make(void)
{
	jit_make(&image);
	registers = jit_registers();
	has_registers = true;
}

static void set_vm_state(int32_t state)
{
	image_put(&image.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_VM_STATE, (uint32_t)state, 4);
}

static void set_code(size_t at, const char *bytes, size_t n)
{
	memcpy(image.in.bytes + at, bytes, n);
}

/* The thread is in C, which the interpreter has called from this site; `below`: bytes of the native stack. */
static void go_into_c(unsigned below)
{
	registers.values[JIT_SP] = JIT_FRAME - below;
	registers.values[JIT_IP] = 0x500000;
	registers.values[JIT_DX] = registers.values[JIT_BX] = 12345;
	image_point(&image.in, jit_native(JIT_FRAME - 8), SITE);
}

#define PROGRAM "coroutine.resume:0 | work:12 | main chunk </srv/app.lua>:7"
#define INNER "function </srv/app.lua:20>:21"
#define LEAF "function </srv/app.lua:30>"
#define CALLERS INNER " | " PROGRAM

static void test_stack(void)
{
	make();
	ok(walk() == WALK_DONE && !stack.is_cut && !stack.has_moved, "a stack is read in the interpreter");
	is_str(shown(), LEAF ":31 | " CALLERS, "with that of the program that resumes the coroutine");
	is_str(image.in.defined[stack.frames[3].function], "work:/srv/app.lua:11", "a function has its file and line");
	is_str(image.in.defined[stack.frames[2].function], "coroutine.resume::0", "one in C has none");
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(4, 1);
	is_str(shown(), LEAF ":30 | " CALLERS, "the first instruction has the line in which the function begins");
}

/* ---- where the thread is -------------------------------------------------------------------------------------- */

static void test_c(void)
{
	make();
	go_into_c(0x40);
	is_str(shown(), LEAF ":31 | " CALLERS, "a helper in C: the state and the interpreter's frame tell");
	registers.values[JIT_SP] = JIT_FRAME - 8;
	is_str(shown(), LEAF ":31 | " CALLERS, "also one without anything on the native stack");
	registers.values[JIT_IP] = IMAGE_BASE + JIT_AT_FAST + 4;
	is_str(shown(), "failed", "the same in the interpreter's code is a subroutine of it, with its registers");
	make();
	jit_c(&image, 5, false);
	jit_frame(&image, 1, 12, 5, IMAGE_BASE + jit_at(4, 2));
	jit_entry(&image, 3, 1, jit_text(&image, 6, "five"), jit_function_at(5), LUAJIT_FUNCTION);
	image_point(&image.in, CO + LUAJIT_STATE_BASE, jit_slot(1, 12));
	set_vm_state(-2);
	go_into_c(0x80);
	is_str(shown(), "coroutine.five:0 | " LEAF ":31 | " CALLERS, "a function in C");
	has_registers = false;
	is_str(shown(), "coroutine.five:0 | " LEAF ":31 | " CALLERS, "also without registers");
	make();
	has_registers = false;
	is_str(shown(), "failed", "in the interpreter, without registers nothing is known");
	make();
	registers.is_late = true;
	is_str(shown(), "failed", "nor with those of another moment");
}

/* A helper that leaves the base in rbp. */
static void test_kept(void)
{
	make();
	go_into_c(0x40);
	set_code(SITE, "\x48\x8b\xd5", 3);
	image_point(&image.in, CO + LUAJIT_STATE_BASE, jit_slot(1, 4));
	registers.values[JIT_BP] = IMAGE_BASE + jit_slot(1, 9);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(4, 4);
	is_str(shown(), LEAF ":31 | " CALLERS, "a helper that leaves the base and instruction in registers");
	registers.values[JIT_BP] = registers.values[JIT_BX] = 7;
	image_point(&image.in, jit_native(JIT_FRAME - 0x20), jit_slot(1, 9));
	is_str(shown(), LEAF ":0 | " CALLERS, "or has saved the base");
	image_point(&image.in, jit_native(JIT_FRAME - 0x18), jit_at(4, 2));
	image_point(&image.in, jit_native(JIT_FRAME - 0x28), jit_slot(1, 8));
	is_str(shown(), LEAF ":31 | " CALLERS, "and the instruction");
	image_point(&image.in, jit_native(JIT_FRAME - 0x30), jit_slot(1, 4));
	is_str(shown(), "failed", "of two bases none is believed");
	make();
	go_into_c(0x40);
	set_code(SITE, "\x0f\xb6\x4b\xfd\x48\x8b\xd5", 7);
	is_str(shown(), "failed", "without one, there is no stack");
}

static void test_compiled(void)
{
	make();
	set_vm_state(5);
	image_point(&image.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_JIT_BASE, jit_slot(1, 9));
	image_point(&image.in, CO + LUAJIT_STATE_BASE, jit_slot(1, 4));
	registers.values[JIT_SP] = JIT_FRAME - 16;
	is_str(shown(), "trace </srv/app.lua:31>:31 | " LEAF ":0 | " CALLERS,
	       "compiled code is told by where it begins");
	has_registers = false;
	is_str(shown(), "trace </srv/app.lua:31>:31 | " LEAF ":0 | " CALLERS, "also without registers");
	image_put(&image.in, JIT_AT_TRACES + 0x100 + LUAJIT_TRACE_NUMBER, 6, 2);
	is_str(shown(), LEAF ":0 | " CALLERS, "not by a trace of another number");
	set_vm_state(-4);
	image_put(&image.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_JIT_BASE, 0, 8);
	is_str(shown(), "function </srv/app.lua:20>:0 | " PROGRAM, "while it is left, the state has the base");
}

/* ---- calls that begin and end --------------------------------------------------------------------------------- */

static void test_border(void)
{
	make();
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(3, 2);
	is_str(shown(), CALLERS, "at its caller's instruction, a function is about to begin or end");
	make();
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(4, 0);
	is_str(shown(), LEAF ":30 | " CALLERS, "before its first instruction it has begun");
	make();
	image_put(&image.in, jit_slot(1, 7), 0x4000000000000000, 8);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(3, 2);
	is_str(shown(), CALLERS, "a result in the place of a function: it has ended");
	make();
	jit_frame(&image, 1, 9, 1, UINT64_MAX);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(3, 2);
	is_str(shown(), CALLERS, "also if that is a function, and the link is gone");
	make();
	set_code(JIT_AT_CODE + 0x40, "\x48\x89\x5a\xf8", 4);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(3, 2);
	image_put(&image.in, jit_slot(1, 8), 16 | LUAJIT_LINK_C, 8);
	is_str(shown(), CALLERS, "without its link a function has not begun, whatever was there");
	make();
	set_code(JIT_AT_CODE + 0x38, "\x48\x8d\x54\xca\xf0", 5);
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 4);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(3, 2);
	is_str(shown(), CALLERS, "after a return the caller goes on");
	make();
	image_put(&image.in, jit_at(4, 3), 68, 4);
	jit_frame(&image, 1, 9, 1, IMAGE_BASE + jit_at(3, 2));
	is_str(shown(), CALLERS, "in a tail call, the function is another one already");
}

static void test_c_border(void)
{
	make();
	jit_frame(&image, 0, 14, 4, 24 | LUAJIT_LINK_C);
	image_point(&image.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_STATE, JIT_AT_MAIN);
	image_put(&image.in, JIT_AT_MAIN + LUAJIT_STATE_C_FRAME, JIT_FRAME, 8);
	image_point(&image.in, jit_native(JIT_FRAME) + LUAJIT_NATIVE_STATE, JIT_AT_MAIN);
	image_put(&image.in, jit_native(JIT_FRAME) + LUAJIT_NATIVE_PREVIOUS, JIT_FRAME_MAIN, 8);
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(0, 14);
	is_str(shown(), LEAF ":31 | " PROGRAM, "a function that C calls");
	registers.values[JIT_BX] = 24;
	is_str(shown(), PROGRAM, "and that returns to C");
	registers.values[JIT_BX] = IMAGE_BASE + jit_slot(0, 11);
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(0, 15);
	is_str(shown(), PROGRAM, "also when only the caller's base is left");
	registers.values[JIT_BX] = LUAJIT_LINK_PROTECTED;
	registers.values[JIT_DX] = 12345;
	is_str(shown(), PROGRAM, "or when it is about to be called");
}

/* Registers hold something else just before C is called, and after. */
static void test_around_calls(void)
{
	make();
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 11);
	is_str(shown(), "failed", "what is no base is not believed");
	set_code(JIT_AT_CODE + 0x38, "\x48\x89\x55\x20", 4);
	is_str(shown(), LEAF ":31 | " CALLERS, "just before C is called, the state has the base");
	set_code(JIT_AT_CODE + 0x3c, "\xeb\x00", 2);
	is_str(shown(), "failed", "not after a jump");
	make();
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 11);
	image_point(&image.in, jit_native(JIT_FRAME - 8), JIT_AT_CODE + 0x3e);
	is_str(shown(), LEAF ":31 | " CALLERS, "just after, too");
	set_code(JIT_AT_CODE + 0x3e, "\x0f\xb6\x4b\xfd\x48\x8b\xd5", 7);
	image_point(&image.in, CO + LUAJIT_STATE_BASE, jit_slot(1, 4));
	registers.values[JIT_BP] = IMAGE_BASE + jit_slot(1, 9);
	is_str(shown(), LEAF ":31 | " CALLERS, "or rbp");
}

/* A function in assembler, with its code after all operations. */
static void test_fast(void)
{
	make();
	jit_frame(&image, 1, 12, 2, IMAGE_BASE + jit_at(4, 2));
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 12);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(4, 2);
	registers.values[JIT_IP] = IMAGE_BASE + JIT_AT_FAST + 0x30;
	is_str(shown(), "coroutine.resume:0 | " LEAF ":31 | " CALLERS,
	       "a function in assembler is at work in its own code");
	registers.values[JIT_IP] = IMAGE_BASE + JIT_AT_CODE + 0x40;
	is_str(shown(), LEAF ":31 | " CALLERS, "elsewhere it is a result");
}

/* ---- frames --------------------------------------------------------------------------------------------------- */

static void test_links(void)
{
	make();
	jit_frame(&image, 1, 16, 1, 56 | LUAJIT_LINK_CONTINUATION);
	image_point(&image.in, jit_slot(1, 13), jit_at(4, 4));
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 16);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(1, 4);
	is_str(shown(), "work:12 | " LEAF ":31 | " CALLERS, "a metamethod has its caller's instruction before it");
	jit_frame(&image, 1, 16, 1, 56 | LUAJIT_LINK_VARARG);
	jit_frame(&image, 1, 9, 1, IMAGE_BASE + jit_at(3, 2));
	is_str(shown(), "work:12 | " CALLERS, "a function with more arguments has two frames, and is shown once");
	jit_frame(&image, 1, 9, 1, 40 | LUAJIT_LINK_C);
	image_put(&image.in, jit_slot(1, 3), 16 | LUAJIT_LINK_C, 8);
	walk();
	ok(stack.n && stack.is_cut, "with more calls by C than frames of the interpreter it is cut");
	make();
	jit_frame(&image, 1, 14, 1, 40 | 6);
	jit_frame(&image, 1, 9, 2, IMAGE_BASE + jit_at(3, 2));
	registers.values[JIT_DX] = IMAGE_BASE + jit_slot(1, 14);
	registers.values[JIT_BX] = IMAGE_BASE + jit_at(1, 4);
	is_str(shown(), "work:12 | coroutine.resume:0 | " CALLERS, "pcall and its like are functions, too");
	make();
	jit_value(&image, jit_slot(1, 7), CO, LUAJIT_THREAD);
	is_str(shown(), CALLERS, "a frame without a function is none");
}

/* A finalizer, say: C calls it in the middle of a function of Lua. */
static void test_interrupted(void)
{
	make();
	image_put(&image.in, jit_native(JIT_FRAME) + LUAJIT_NATIVE_PREVIOUS, JIT_FRAME + 0x100, 8);
	jit_native_frame(&image, JIT_FRAME + 0x100, CO, jit_at(3, 4));
	image.in.bytes[JIT_AT_LINES + 3 * 0x40 + 2] = 5;
	jit_frame(&image, 1, 9, 4, 40 | LUAJIT_LINK_C);
	image_put(&image.in, jit_native(JIT_FRAME_MAIN) + LUAJIT_NATIVE_STATE, 0, 8);
	image_put(&image.in, JIT_AT_MAIN + LUAJIT_STATE_C_FRAME, JIT_FRAME + 0x180, 8);
	image_point(&image.in, jit_native(JIT_FRAME + 0x180) + LUAJIT_NATIVE_STATE, JIT_AT_MAIN);
	is_str(shown(), LEAF ":31 | function </srv/app.lua:20>:25 | " PROGRAM,
	       "what C has interrupted has its instruction in the frame of the interpreter");
	image_put(&image.in, jit_native(JIT_FRAME) + LUAJIT_NATIVE_PREVIOUS, JIT_FRAME + 0x60, 8);
	image_put(&image.in, jit_native(JIT_FRAME + 0x60) + LUAJIT_NATIVE_RESULTS, (uint32_t)-200, 4);
	image_put(&image.in, jit_native(JIT_FRAME + 0x60) + LUAJIT_NATIVE_PREVIOUS, JIT_FRAME + 0x100, 8);
	is_str(shown(), LEAF ":31 | function </srv/app.lua:20>:25 | " PROGRAM,
	       "one that only protects C from errors runs no function");
}

/* ---- states --------------------------------------------------------------------------------------------------- */

static void test_search(void)
{
	make();
	image_put(&image.in, CO + LUAJIT_STATE_C_FRAME, 0, 8);
	registers.values[JIT_SP] = JIT_FRAME_MAIN - 0x20;
	registers.values[JIT_IP] = 0x500000;
	is_str(shown(), PROGRAM, "a coroutine that has yielded is not at work; the native stack tells who is");
	set_vm_state(-2);
	make();
	image_put(&image.in, JIT_AT_MAIN + LUAJIT_STATE_C_FRAME, 0, 8);
	is_str(shown(), LEAF ":31 | " INNER, "a coroutine that C resumes is found without its program");
	image_put(&image.in, CO + LUAJIT_STATE_C_FRAME, JIT_STACK + 0x1000, 8);
	is_str(shown(), "none", "a state that runs on another stack is none of this thread");
	make();
	image_put(&image.in, JIT_AT_GLOBAL + LUAJIT_GLOBAL_MAIN, 0, 8);
	is_str(shown(), "none", "what does not lead to a program is no state");
	make();
	memset(image.in.bytes + jit_native(JIT_STACK - 0x300), 0, 0x300);
	void *lua = attach();
	unsigned n = 0;
	for (int i = 0; i < 100; i++) {
		walk_with(lua, JIT_MAIN_TID);
		n += image.in.n_reads > 0;
	}
	ok(n > 3 && n < 12, "a thread without Lua is searched ever less: %u of 100 times", n);
	ok(walk_with(lua, 2) == WALK_NO_THREAD, "without a C library that tells, other threads have no stack");
	language_lua.detach(lua);
}

static void test_cache(void)
{
	make();
	void *lua = attach();
	walk_with(lua, JIT_MAIN_TID);
	unsigned before = image.in.n_reads, defined = image.in.n_defined;
	walk_with(lua, JIT_MAIN_TID);
	is_int(image.in.n_defined, defined, "a function is defined once");
	ok(image.in.n_reads < before * 3 / 4, "what is known is not read again: %u after %u reads", image.in.n_reads,
	   before);
	image_put(&image.in, JIT_AT_PROTOS + 3 * JIT_PROTO_STEP + LUAJIT_PROTO_FIRST, 22, 4);
	walk_with(lua, JIT_MAIN_TID);
	is_str(image_show(&image.in, &stack, " | "), LEAF ":31 | function </srv/app.lua:22>:23 | " PROGRAM,
	       "another function at the same address is noticed");
	image_put(&image.in, JIT_AT_PROTOS + 3 * JIT_PROTO_STEP + LUAJIT_PROTO_FIRST, 20, 4);
	defined = image.in.n_defined;
	walk_with(lua, JIT_MAIN_TID);
	is_int(image.in.n_defined, defined, "one that was loaded again keeps its number");
	language_lua.detach(lua);
}

/* ---- recognition ---------------------------------------------------------------------------------------------- */

static void refuses(const struct program *p, const char *word, const char *what)
{
	struct err err;
	ok(!attach_to(p, &err) && strstr(err.text, word), "%s: %s", what, err.text);
}

static void test_recognition(void)
{
	struct program p = jit_program();
	make();
	p.constants = "LuaJIT 2.1.1700000000 ";
	refuses(&p, "LuaJIT 2.1.1700000000: its layout is not known", "another version is refused");
	p.constants = "nothing";
	refuses(&p, "version cannot be read", "so is none");
	p = jit_program();
	image.in.bytes[JIT_AT_API + 0x47] = 7;
	refuses(&p, "LuaJIT 2.1.0-beta3: its layout is not known", "a build with pointers of 32 bits is refused");
	for (unsigned i = 2; i < 5; i++) {
		make();
		image.in.bytes[JIT_AT_API + 0x40 * i + 7] ^= 8;
		refuses(&p, "layout is not known", "so is one with fields elsewhere");
	}
	make();
	image.in.bytes[JIT_AT_API + 0x29] = 0x98;
	refuses(&p, "layout is not known", "one with more fields, as that of OpenResty has");
	make();
	p.addresses[4] = 0;
	refuses(&p, "layout is not known", "and one whose API does not tell");
}

/* ---- lines and names ------------------------------------------------------------------------------------------ */

static void test_lines(void)
{
	size_t proto = JIT_AT_PROTOS + 4 * JIT_PROTO_STEP, lines = JIT_AT_LINES + 0x400;
	make();
	image_point(&image.in, proto + LUAJIT_PROTO_LINES, lines);
	image_put(&image.in, proto + LUAJIT_PROTO_N_LINES, 1000, 4);
	image_put(&image.in, lines + 2 * 2, 700, 2);
	is_str(shown(), LEAF ":730 | " CALLERS, "lines of a long function have 16 bits");
	image_put(&image.in, proto + LUAJIT_PROTO_N_LINES, 100000, 4);
	image_put(&image.in, lines + 4 * 2, 70000, 4);
	is_str(shown(), LEAF ":70030 | " CALLERS, "or 32");
	image_put(&image.in, lines + 4 * 2, 100001, 4);
	is_str(shown(), LEAF ":0 | " CALLERS, "one after its end is none");
	image_put(&image.in, proto + LUAJIT_PROTO_LINES, 0, 8);
	is_str(shown(), LEAF ":0 | " CALLERS, "a function without lines has none");
}

static void name_of_source(const char *source, const char *name, const char *what)
{
	make();
	jit_text(&image, 0, source);
	walk();
	ok(strncmp(image.in.defined[stack.frames[0].function], name, strlen(name)) == 0, "%s: %s", what,
	   image.in.defined[stack.frames[0].function]);
}

static void test_names(void)
{
	name_of_source("=stdin", "function <stdin:30>:stdin:30", "a source that is no file");
	name_of_source("return 1", "function <[string \"return 1\"]", "a text");
	name_of_source("x\nreturn 1", "function <[string \"x...\"]:30>", "its first line");
	make();
	jit_text(&image, 0, "foreach");
	image_put(&image.in, JIT_AT_PROTOS + 4 * JIT_PROTO_STEP + LUAJIT_PROTO_FIRST, UINT32_MAX, 4);
	walk();
	is_str(image.in.defined[stack.frames[0].function], "[builtin:foreach]::0", "a function of the library in Lua");
	jit_entry(&image, 2, 0, jit_text(&image, 6, "each"), jit_function_at(4), LUAJIT_FUNCTION);
	walk();
	is_str(image.in.defined[stack.frames[0].function], "each::0", "the name of a global variable wins");
}

/* ---- hostile processes ---------------------------------------------------------------------------------------- */

static void test_circles(void)
{
	make();
	image_put(&image.in, jit_slot(1, 8), (uint64_t)1 << 40 | LUAJIT_LINK_C, 8);
	is_str(shown(), "failed", "a link out of the stack is none");
	make();
	image_put(&image.in, jit_native(JIT_FRAME) + LUAJIT_NATIVE_PREVIOUS, JIT_FRAME, 8);
	walk();
	ok(stack.is_cut, "frames of the interpreter in a circle are cut: %u reads", image.in.n_reads);
	make();
	image_put(&image.in, JIT_AT_TABLES + JIT_TABLE_STEP + LUAJIT_TABLE_MASK, UINT32_MAX, 4);
	ok(walk() == WALK_DONE && image.in.n_reads < 200, "the size of a table is not believed: %u reads",
	   image.in.n_reads);
	make();
	image_put(&image.in, JIT_AT_PROTOS + LUAJIT_PROTO_N, UINT32_MAX, 4);
	ok(walk() == WALK_DONE && stack.is_cut && stack.n == 4, "nor that of a function");
	make();
	image_put(&image.in, CO + LUAJIT_STATE_STACK, UINT64_MAX - 7, 8);
	is_str(shown(), PROGRAM, "a state whose stack makes no sense is none");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	unsigned all, whole = 0;
	make();
	walk();
	all = image.in.n_reads;
	for (unsigned i = 1; i < all; i++) {
		make();
		void *lua = attach();
		image.in.fail_after = i;
		whole += walk_with(lua, JIT_MAIN_TID) == WALK_DONE && stack.n == 5 && !stack.is_cut && !stack.has_moved &&
		         strcmp(image_show(&image.in, &stack, " | "), LEAF ":31 | " CALLERS) == 0;
		language_lua.detach(lua);
	}
	ok(all > 20 && whole == 0, "of memory that vanishes after any of %u reads no stack looks whole and still", all);
}

/* Bytes at random places change; nothing may crash, or go on without end. */
static void test_noise(void)
{
	uint64_t seed = 88172645463325252u;
	unsigned most = 0;
	for (int round = 0; round < 20000; round++) {
		make();
		if (round % 4 == 1)
			go_into_c(0x100);
		if (round % 4 == 2)
			set_vm_state(5);
		if (round % 8 == 1)
			set_code(SITE, "\x48\x8b\xd5", 3);
		image_damage(&image.in, 0x1000, JIT_SIZE, 1 + (unsigned)round % 8, &seed);
		image_damage(&image.in, JIT_AT_VALUES, 0x7400, 1 + (unsigned)round % 4, &seed);
		walk();
		most = image.in.n_reads > most ? image.in.n_reads : most;
	}
	ok(most <= BUDGET, "with noise in its memory, reads stay bounded: %u at most", most);
}

int main(void)
{
	test_stack();
	test_c();
	test_kept();
	test_compiled();
	test_border();
	test_c_border();
	test_around_calls();
	test_fast();
	test_links();
	test_interrupted();
	test_search();
	test_cache();
	test_recognition();
	test_lines();
	test_names();
	test_circles();
	test_vanishing();
	test_noise();
	return done_testing();
}
