/*
 * Stacks of Lua from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "languages/lua_names.h"
#include "lua_image.h"

#define BUDGET 20000u
#define MAIN LUA_AT_STATES
#define COROUTINE (LUA_AT_STATES + LUA_STATE_STEP)

static const char *const idents[] = {LUA_IDENT_5_1, LUA_IDENT_5_2, LUA_IDENT_5_3, LUA_IDENT_5_4,
                                     "$LuaVersion: Lua 5.4.2  Copyright"};
#define VERSIONS (sizeof idents / sizeof *idents)

static struct lua_image image;
static struct language_stack stack;
static const struct memory_registers *registers;

static enum language_walk walk_with(void *lua, pid_t tid, uint32_t budget)
{
	struct memory m = {.read = lua_image_read, .arg = &image, .budget = budget, .registers = registers};
	const struct language_names names = {image_define, &image.in};
	return language_lua.walk(lua, &m, tid, &names, &stack);
}

static void *attach(struct err *err)
{
	const struct program p = lua_program();
	struct memory m = {.read = lua_image_read, .arg = &image, .budget = BUDGET};
	err->text[0] = '\0';
	return language_lua.attach(&p, &m, err);
}

static enum language_walk walk(void)
{
	struct err err;
	void *lua = attach(&err);
	stack.n = 0;
	if (!lua)
		return WALK_FAILED;
	image.in.n_reads = 0;
	enum language_walk how = walk_with(lua, LUA_MAIN_TID, BUDGET);
	language_lua.detach(lua);
	return how;
}

static const char *shown(void)
{
	return image_show(&image.in, &stack, " | ");
}

#define PROGRAM "coroutine.resume:0 | work:12 | main chunk </srv/app.lua>:7*"
#define INNER "function </srv/app.lua:20>:21*"
#define LEAF "function </srv/app.lua:30>"

static void test_stack(void)
{
	for (size_t i = 0; i < VERSIONS; i++) {
		lua_make(&image, idents[i]);
		unsigned minor = image.layout.minor;
		ok(walk() == WALK_DONE && !stack.is_cut && !stack.has_moved, "Lua 5.%u: a stack is read", minor);
		is_str(shown(),
		       minor == 2 || minor == 3 ? LEAF ":31 | " INNER " | " PROGRAM : LEAF ":0 | " INNER " | " PROGRAM,
		       "5.%u: with that of the coroutine that runs", minor);
	}
	lua_make(&image, LUA_IDENT_5_4);
	walk();
	is_str(image.in.defined[stack.frames[3].function], "work:/srv/app.lua:11", "a function has its file and line");
	is_str(image.in.defined[stack.frames[2].function], "coroutine.resume::0", "one in C has none");
}

/* What is at the root of a thread's native stack. */
static void test_search(void)
{
	struct err err;
	lua_make(&image, LUA_IDENT_5_4);
	image_put(&image.in, MAIN + image.layout.state_jump, 0, 8);
	ok(walk() == WALK_DONE, "a coroutine that C resumes is found without its program");
	is_str(shown(), LEAF ":0 | " INNER, "its stack is all");
	image_put(&image.in, COROUTINE + image.layout.state_jump, LUA_STACK + 0x1000, 8);
	ok(walk() == WALK_NO_THREAD, "a state that jumps into another stack is none of this thread");
	lua_make(&image, LUA_IDENT_5_4);
	image_put(&image.in, LUA_AT_GLOBAL + image.layout.global_main, 0, 8);
	ok(walk() == WALK_NO_THREAD, "what does not lead to a program is no state");
	lua_make(&image, LUA_IDENT_5_4);
	memset(image.in.bytes + LUA_AT_NATIVE - 0x100, 0, 0x100);
	void *lua = attach(&err);
	unsigned n = 0;
	for (int i = 0; i < 100; i++) {
		image.in.n_reads = 0;
		walk_with(lua, LUA_MAIN_TID, BUDGET);
		n += image.in.n_reads > 0;
	}
	ok(n > 3 && n < 12, "a thread without Lua is searched ever less: %u of 100 times", n);
	image_point(&image.in, LUA_AT_NATIVE - 0x40, MAIN);
	for (int i = 0; i < 64; i++)
		n += walk_with(lua, LUA_MAIN_TID, BUDGET) == WALK_DONE;
	ok(n > 12, "but is found once it runs some");
	ok(walk_with(lua, 2, BUDGET) == WALK_NO_THREAD, "without a C library that tells, other threads have no stack");
	language_lua.detach(lua);
}

static void test_cache(void)
{
	struct err err;
	lua_make(&image, LUA_IDENT_5_4);
	void *lua = attach(&err);
	walk_with(lua, LUA_MAIN_TID, BUDGET);
	unsigned before = image.in.n_reads, defined = image.in.n_defined;
	walk_with(lua, LUA_MAIN_TID, BUDGET);
	is_int(image.in.n_defined, defined, "a function is defined once");
	ok(image.in.n_reads - before < before * 3 / 4, "what is known is not read again: %u after %u reads",
	   image.in.n_reads - before, before);
	image_put(&image.in, LUA_AT_PROTOS + 3 * LUA_PROTO_STEP + image.layout.proto_first, 22, 4);
	walk_with(lua, LUA_MAIN_TID, BUDGET);
	is_str(shown(), LEAF ":0 | function </srv/app.lua:22>:23* | " PROGRAM,
	       "another function at the same address is noticed");
	image_put(&image.in, LUA_AT_PROTOS + 3 * LUA_PROTO_STEP + image.layout.proto_first, 20, 4);
	defined = image.in.n_defined;
	walk_with(lua, LUA_MAIN_TID, BUDGET);
	is_int(image.in.n_defined, defined, "one that was loaded again keeps its number");
	language_lua.detach(lua);
}

static void refuses(const char *ident, const char *word)
{
	struct err err;
	lua_make(&image, ident);
	ok(!attach(&err) && strstr(err.text, word), "refused: %s", err.text);
}

static void test_recognition(void)
{
	struct err err;
	refuses("$LuaVersion: Lua 5.5.0  Copyright", "Lua 5.5.0: its layout is not known");
	refuses("$LuaVersion: Lua 5.4.1  Copyright", "Lua 5.4.1: its layout is not known");
	refuses("$LuaVersion: Lua 5.2.0  Copyright", "not known");
	refuses("$LuaVersion: Lua 4.4.4  Copyright", "not known");
	refuses("$Something", "version cannot be read");
	lua_make(&image, LUA_IDENT_5_4);
	struct program p = lua_program();
	struct memory m = {.read = lua_image_read, .arg = &image, .budget = BUDGET};
	p.addresses[2] = IMAGE_BASE;
	err.text[0] = '\0';
	ok(!language_lua.attach(&p, &m, &err) && strstr(err.text, "LuaJIT"), "refused: %s", err.text);
	memset(p.addresses, 0, sizeof p.addresses);
	err.text[0] = '\0';
	ok(!language_lua.attach(&p, &m, &err) && !err.text[0], "a program without its symbols is another one");
	ok(language_lua.is_eval("luaV_execute") && language_lua.is_eval("luaV_execute.cold") &&
	       !language_lua.is_eval("luaV_executes"),
	   "the interpreter's loop is known by its name");
	ok(language_lua.may_be("lua5.4") && language_lua.may_be("liblua5.1.so.0") && !language_lua.may_be("evaluate"),
	   "programs and libraries of Lua are known by their names");
}

/* ---- calls that begin and end --------------------------------------------------------------------------------- */

static void test_border(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	lua_value(&image, lua_slot_at(1, 6), LUA_AT_CLOSURES + 4 * LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	lua_value(&image, lua_slot_at(1, 3), LUA_AT_CLOSURES + LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	lua_call(&image, 1, 2, 6, lua_at(4, 2), true, false);
	walk();
	is_str(shown(), INNER " | " PROGRAM, "a call of another function than its caller calls is of an earlier one");
	lua_value(&image, lua_slot_at(1, 3), LUA_AT_CLOSURES + 4 * LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	walk();
	is_str(shown(), LEAF ":0 | " INNER " | " PROGRAM, "unless it was copied behind its arguments");
	lua_make(&image, LUA_IDENT_5_4);
	lua_call(&image, 1, 2, 3, lua_at(3, 2), true, false);
	walk();
	is_str(shown(), INNER " | " PROGRAM, "one at an instruction of another function has ended");
	lua_make(&image, LUA_IDENT_5_4);
	image.in.bytes[lua_slot_at(1, 3) + LUA_VALUE_TAG] = 3;
	walk();
	is_str(shown(), INNER " | " PROGRAM, "so has one with a result in the place of its function");
	lua_make(&image, LUA_IDENT_5_4);
	image_point(&image.in, COROUTINE + image.layout.state_call, lua_call_at(&image, 1, 0));
	walk();
	is_str(shown(), PROGRAM, "a coroutine may have none yet");
	lua_make(&image, LUA_IDENT_5_4);
	image_put(&image.in, lua_at(3, 1), 1, 4);
	walk();
	is_str(shown(), INNER " | " PROGRAM, "without a call, only C calls, by a loop of its own");
	lua_call(&image, 1, 2, 3, lua_at(4, 2), true, true);
	image_put(&image.in, COROUTINE + image.layout.state_c_calls, 5, 2);
	walk();
	is_str(shown(), LEAF ":0* | " INNER " | " PROGRAM, "as for a metamethod");
}

static void test_moving_values(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	for (unsigned i = 1; i < 4; i++)
		image_put(&image.in, lua_call_at(&image, 0, i) + image.layout.call_function,
		          lua_slot_at(0, (unsigned[]){0, 1, 4, 8}[i]) - lua_slot_at(0, 0), 8);
	image_put(&image.in, MAIN + LUA_STATE_TOP, lua_slot_at(0, 20) - lua_slot_at(0, 0), 8);
	walk();
	is_str(shown(), LEAF ":0 | " INNER " | " PROGRAM, "calls are found while the stack of values moves");
	lua_make(&image, LUA_IDENT_5_3);
	image_put(&image.in, lua_call_at(&image, 0, 1), 0x500000 + LUA_VALUE_SIZE, 8);
	image_put(&image.in, lua_call_at(&image, 0, 2), 0x500000 + 4 * LUA_VALUE_SIZE, 8);
	image_put(&image.in, MAIN + image.layout.state_base, 0x500000, 8);
	walk();
	is_str(shown(), LEAF ":31 | " INNER " | " PROGRAM, "also outer ones that lead to where it was");
}

static void test_registers(void)
{
	struct memory_registers four = {.mask = 15,
	                                .values = {7, IMAGE_BASE + lua_at(4, 2), IMAGE_BASE + lua_at(3, 2), 0}};
	lua_make(&image, LUA_IDENT_5_4);
	registers = &four;
	walk();
	is_int(stack.frames[0].line, 31, "5.4: a register leads to the instruction at work");
	four.values[0] = IMAGE_BASE + lua_at(4, 1);
	walk();
	is_int(stack.frames[0].line, 31, "another one may have it while it is fetched");
	four.values[0] = IMAGE_BASE + lua_at(4, 4);
	walk();
	is_int(stack.frames[0].line, 0, "of two others none is believed");
	registers = NULL;
}

static void test_tail_call(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	size_t flags = lua_call_at(&image, 1, 1) + image.layout.call_flags;
	image_put(&image.in, flags, image.in.bytes[flags] | image.layout.flags.tail, 2);
	walk();
	is_str(shown(), LEAF ":0 | function </srv/app.lua:20>:21 | (...tail calls...):0* | " PROGRAM,
	       "callers that a tail call has taken away are told");
	lua_make(&image, LUA_IDENT_5_1);
	image_put(&image.in, lua_call_at(&image, 1, 1) + image.layout.call_at + 12, 3, 4);
	walk();
	is_str(shown(), LEAF ":0 | function </srv/app.lua:20>:21 | (...tail calls...):0* | " PROGRAM,
	       "also by 5.1, which counts them");
}

/* A coroutine that has yielded in a call of C: one loop runs all that was there before. */
static void test_resumed(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	image_put(&image.in, lua_at(3, 1), 1, 4);
	lua_call(&image, 1, 2, 3, lua_at(4, 2), true, true);
	image_put(&image.in, COROUTINE + image.layout.state_c_calls, 5, 2);
	walk();
	is_str(shown(), LEAF ":0* | " INNER " | " PROGRAM, "a call of C since the resume has its loop");
	image_put(&image.in, COROUTINE + image.layout.state_c_calls, 4, 2);
	walk();
	is_str(shown(), LEAF ":0 | " INNER " | " PROGRAM, "without one, there is a loop for both");
}

/* ---- lines and names ------------------------------------------------------------------------------------------ */

static void test_lines(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	size_t proto = LUA_AT_PROTOS + LUA_PROTO_STEP, bases = LUA_AT_LINES + 0x800;
	image.in.bytes[LUA_AT_LINES + LUA_CODE_STEP + 1] = 0x80;
	walk();
	ok(stack.frames[3].line == 0, "5.4: a line that is not known by steps");
	image_point(&image.in, proto + image.layout.proto_bases, bases);
	image_put(&image.in, proto + image.layout.proto_n_bases, 1, 4);
	image_put(&image.in, bases, 1, 4);
	image_put(&image.in, bases + 4, 400, 4);
	walk();
	is_int(stack.frames[3].line, 400, "is known as such");
	image_put(&image.in, bases, 0, 4);
	image.in.bytes[LUA_AT_LINES + LUA_CODE_STEP + 1] = (unsigned char)-5;
	walk();
	is_int(stack.frames[3].line, 395, "and others by steps from there");
	image_put(&image.in, proto + image.layout.proto_n_lines, 0, 4);
	walk();
	is_int(stack.frames[3].line, 0, "a function without lines has none");
}

static void name_of_source(const char *source, const char *name, const char *what)
{
	lua_make(&image, LUA_IDENT_5_4);
	lua_text(&image, 0, source);
	walk();
	ok(strncmp(image.in.defined[stack.frames[0].function], name, strlen(name)) == 0, "%s: %s", what,
	   image.in.defined[stack.frames[0].function]);
}

/* The name that a search finds; empty: none. */
static const char *name_of(uint64_t function)
{
	static struct lua_search search;
	struct memory m = {.read = lua_image_read, .arg = &image, .budget = BUDGET};
	search = (struct lua_search){.function = function};
	bool is_found = lua_names_find(&image.layout, &m, IMAGE_BASE + LUA_AT_GLOBAL, &search) == SEARCH_FOUND;
	return is_found ? search.best.text : "";
}

static void test_names(void)
{
	name_of_source("=stdin", "function <stdin:30>:stdin:30", "a source that is no file");
	name_of_source("return 1", "function <[string \"return 1\"]", "a text");
	name_of_source("x\nreturn 1", "function <[string \"x...\"]:30>", "its first line");
	lua_make(&image, LUA_IDENT_5_4);
	lua_entry(&image, 3, 1, lua_text(&image, 6, "a"), LUA_AT_CLOSURES + LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	uint64_t work = IMAGE_BASE + LUA_AT_CLOSURES + LUA_CLOSURE_STEP;
	is_str(name_of(work), "work", "the name of a global variable wins");
	lua_entry(&image, 3, 0, lua_text(&image, 7, "b"), work - IMAGE_BASE, LUA_TAG_FUNCTION);
	lua_entry(&image, 2, 1, lua_text(&image, 4, "work"), LUA_AT_CLOSURES, LUA_TAG_FUNCTION);
	is_str(name_of(work), "coroutine.a", "else the shortest, and first by its letters");
	is_str(name_of(work + 8), "", "others have none");
}

/* So many modules that a search takes thousands of reads. The last one is _G. */
static void test_many_modules(void)
{
	enum { N = 1024, AT = 0x7000 };
	struct err err;
	unsigned most = 0, last = 0, i;
	bool is_named = false, is_other = false;
	lua_make(&image, LUA_IDENT_5_4);
	size_t modules = LUA_AT_TABLES + LUA_TABLE_STEP, nodes = LUA_AT_NODES + LUA_NODES_STEP,
		   size = image.layout.node_size;
	for (i = 0; i < N; i++)
		memcpy(image.in.bytes + AT + i * size, image.in.bytes + nodes + (i < N - 1 ? size : 0), size);
	image_point(&image.in, modules + image.layout.table_nodes, AT);
	image.in.bytes[modules + LUA_TABLE_SIZE] = 10;
	void *lua = attach(&err);
	for (i = 0; i < 60; i++) {
		image.in.n_reads = 0;
		walk_with(lua, LUA_MAIN_TID, BUDGET);
		last = image.in.n_reads;
		most = last > most ? last : most;
		is_named = strstr(shown(), PROGRAM);
		is_other |= strstr(shown(), "function </srv/app.lua:11>:12 | main") != NULL;
	}
	ok(most < 700, "a stack waits for few reads for names: %u", most);
	ok(is_other, "a function whose name is still searched for has its place");
	ok(is_named, "and its name in the end, as the others have: %s", shown());
	ok(last < 100, "then nothing is searched any more: %u reads", last);
	language_lua.detach(lua);
}

/* ---- hostile processes ---------------------------------------------------------------------------------------- */

static void test_circles(void)
{
	lua_make(&image, LUA_IDENT_5_4);
	image_point(&image.in, lua_call_at(&image, 0, 1) + 16, lua_call_at(&image, 0, 2));
	ok(walk() == WALK_DONE && stack.is_cut && image.in.n_reads <= BUDGET, "calls in a circle are cut: %u reads",
	   image.in.n_reads);
	lua_make(&image, LUA_IDENT_5_4);
	lua_value(&image, lua_slot_at(1, 3), LUA_AT_CLOSURES + 2 * LUA_CLOSURE_STEP, 0x26);
	lua_call(&image, 1, 2, 3, 0, false, false);
	image.in.bytes[LUA_AT_CLOSURES + 2 * LUA_CLOSURE_STEP + LUA_OBJECT_TYPE] = 0x26;
	lua_value(&image, lua_slot_at(1, 4), COROUTINE, LUA_TAG_THREAD);
	lua_value(&image, LUA_AT_CLOSURES + 2 * LUA_CLOSURE_STEP + 32, MAIN, LUA_TAG_THREAD);
	walk();
	is_str(shown(), "coroutine.resume:0 | " INNER " | " PROGRAM, "so are coroutines that resume themselves");
	lua_make(&image, LUA_IDENT_5_4);
	image.in.bytes[LUA_AT_TABLES + LUA_TABLE_STEP + LUA_TABLE_SIZE] = 200;
	ok(walk() == WALK_DONE && image.in.n_reads < 200, "the size of a table is not believed: %u reads",
	   image.in.n_reads);
	lua_make(&image, LUA_IDENT_5_4);
	image_put(&image.in, LUA_AT_PROTOS + image.layout.proto_n, UINT32_MAX, 4);
	ok(walk() == WALK_DONE && stack.is_cut && stack.n == 4, "nor that of a function");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	unsigned all, whole = 0;
	lua_make(&image, LUA_IDENT_5_4);
	walk();
	all = image.in.n_reads;
	for (unsigned i = 1; i < all; i++) {
		struct err err;
		lua_make(&image, LUA_IDENT_5_4);
		void *lua = attach(&err);
		image.in.n_reads = 0;
		image.in.fail_after = i;
		whole += walk_with(lua, LUA_MAIN_TID, BUDGET) == WALK_DONE && !stack.is_cut && !stack.has_moved;
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
		lua_make(&image, idents[(size_t)round % VERSIONS]);
		image_damage(&image.in, 0x100, 0x6900, 1 + (unsigned)round % 8, &seed);
		walk();
		most = image.in.n_reads > most ? image.in.n_reads : most;
	}
	ok(most <= BUDGET, "with noise in its memory, reads stay bounded: %u at most", most);
}

int main(void)
{
	test_stack();
	test_search();
	test_cache();
	test_recognition();
	test_border();
	test_moving_values();
	test_registers();
	test_tail_call();
	test_resumed();
	test_lines();
	test_names();
	test_many_modules();
	test_circles();
	test_vanishing();
	test_noise();
	return done_testing();
}
