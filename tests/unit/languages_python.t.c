/*
 * Stacks of Python from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "languages/process.h"
#include "languages/python_code.h"
#include "languages/python_lines.h"
#include "python_image.h"

#define BUDGET 20000u

static struct image image;
static struct language_stack stack;

/* Reads the stack of the image. */
static enum language_walk walk_with(void *python, uint32_t budget)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = budget};
	const struct language_names names = {image_define, &image};
	return language_python.walk(python, &m, PYTHON_TID, &names, &stack);
}

static void *attach(const char *path, struct err *err)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = BUDGET};
	const struct program p = python_program(path);
	err->text[0] = '\0';
	return language_python.attach(&p, &m, err);
}

static enum language_walk walk(void)
{
	struct err err;
	void *python = attach("/usr/bin/python3.11", &err);
	if (!python)
		return WALK_FAILED;
	enum language_walk how = walk_with(python, BUDGET);
	language_python.detach(python);
	return how;
}

static const char *name_of(unsigned i)
{
	static char text[80];
	const char *defined = image.defined[stack.frames[i].function], *file = strstr(defined, ":/srv");
	snprintf(text, sizeof text, "%.*s%s", (int)(file ? file - defined : 0), defined, strrchr(defined, ':'));
	return text;
}

static void test_stack(void)
{
	python_make(&image);
	ok(walk() == WALK_DONE, "the stack of a thread is read");
	is_int(stack.n, 3, "it has all functions");
	is_str(name_of(0), "\xc3\xa9t\xc3\xa9:25", "names are UTF-8");
	is_str(name_of(1), "work:15", "callers follow");
	is_str(name_of(2), "<module>:5", "the root is last");
	is_int(stack.frames[0].line, 27, "the line of the instruction is that of the table");
	ok(stack.frames[0].is_entry && !stack.frames[1].is_entry && stack.frames[2].is_entry, "entries are told apart");
	ok(!stack.is_cut && !stack.has_moved, "it is whole, and of one moment");
	is_int(stack.lock, LOCK_HELD, "the thread has the lock");
	image_put(&image, AT_RUNTIME + 576, 0, 8);
	walk();
	is_int(stack.lock, LOCK_NOT_HELD, "the lock can be free");
}

static void test_cache(void)
{
	struct err err;
	python_make(&image);
	void *python = attach("/usr/bin/python3.11", &err);
	walk_with(python, BUDGET);
	unsigned first = image.n_reads;
	walk_with(python, BUDGET);
	is_int(image.n_defined, 3, "a function is defined once");
	ok(image.n_reads - first < first, "what is known is not read again");
	python_text(&image, 4, "other");
	python_code(&image, 0, 4, 5);
	walk_with(python, BUDGET);
	is_str(name_of(2), "other:5", "a new code object at the same address is noticed");
	language_python.detach(python);
}

static enum language_walk walk_of(void *python, pid_t tid)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = BUDGET};
	const struct language_names names = {image_define, &image};
	image.n_reads = 0;
	return language_python.walk(python, &m, tid, &names, &stack);
}

/* A thread without a state, among some that have one; then it gets one. */
static void test_without_state(void)
{
	struct err err;
	python_make(&image);
	for (unsigned i = 0; i < 30; i++) { /* behind the newest state, each with the number of its place */
		size_t at = AT_LINES + 0x200 + i * 0x180;
		image_point(&image, i ? at - 0x180 + 8 : AT_THREAD + 8, at);
		image_point(&image, at + 16, AT_INTERPRETER);
		image_put(&image, at + 160, i + 1, 8);
	}
	void *python = attach("/usr/bin/python3.11", &err);
	ok(walk_of(python, 99) == WALK_NO_THREAD && image.n_reads > 30, "a thread is searched among all states");
	ok(walk_of(python, 99) == WALK_NO_THREAD && image.n_reads < 10, "but not again at each sample: %u reads",
	   image.n_reads);
	unsigned searches = 0;
	for (unsigned i = 0; i < 100; i++)
		searches += walk_of(python, 99) == WALK_NO_THREAD && image.n_reads > 30;
	ok(searches == 1 || searches == 2, "it is searched in many samples once");
	image_put(&image, AT_THREAD + 160, 99, 8);
	image_put(&image, AT_THREAD + 152, 4096, 8); /* pthread_t */
	ok(walk_of(python, 99) == WALK_DONE, "a state at the address of one that is gone is noticed by its thread");
	ok(walk_of(python, PYTHON_TID) == WALK_NO_THREAD, "whose own thread has none");
	image_point(&image, AT_INTERPRETER + 16, AT_LINES + 0x200);
	image_put(&image, AT_LINES + 0x200 + 160, PYTHON_TID, 8);
	image_point(&image, AT_LINES + 0x200 + 56, AT_CFRAME);
	ok(walk_of(python, PYTHON_TID) == WALK_DONE, "a new first state is noticed");
	language_python.detach(python);
}

static void test_recognition(void)
{
	struct err err;
	python_make(&image);
	image_put(&image, AT_VERSION, 0x03630000, 4);
	ok(!attach("/usr/bin/python3.99", &err) && strstr(err.text, "3.99"), "an unknown version is refused: %s",
	   err.text);
	image_put(&image, AT_VERSION, 0x030d00f0, 4);
	ok(!attach("/usr/bin/python3.13", &err) && err.text[0], "one that does not describe itself, too: %s", err.text);
	memcpy(image.bytes + AT_RUNTIME, "xdebugpy", 8);
	image_put(&image, AT_RUNTIME + 8, 0x030d00f0, 8);
	image_put(&image, AT_RUNTIME + 40, UINT64_MAX, 8);
	ok(!attach("/usr/bin/python3.13", &err) && strstr(err.text, "_Py_DebugOffsets"),
	   "and one with wild offsets: %s", err.text);
	image_put(&image, AT_RUNTIME + 16, 1, 8);
	ok(!attach("/usr/bin/python3.13", &err) && strstr(err.text, "GIL"), "and one without a GIL: %s", err.text);
	const struct program other = {.path = "/usr/bin/python3", .names = python_names};
	struct memory m = {.read = image_read, .arg = &image, .budget = BUDGET};
	err.text[0] = '\0';
	ok(!language_python.attach(&other, &m, &err) && !err.text[0], "a program without its symbols is another one");
	ok(language_python.is_eval("_PyEval_EvalFrameDefault") &&
	       language_python.is_eval("_PyEval_EvalFrameDefault.cold") &&
	       !language_python.is_eval("_PyEval_EvalFrame") && !language_python.is_eval("_PyEval_EvalFrameDefaults"),
	   "the interpreter's loop is known by its names");
}

/* A loop has begun, but does not say yet what it runs: what stands there is of an earlier call. */
static void test_new_loop(void)
{
	python_make(&image);
	image_point(&image, AT_CFRAME + 16, AT_CFRAME + 0x40);
	image_point(&image, AT_CFRAME + 0x48, AT_FRAMES + 24 + FRAME_STEP); /* runs work */
	walk();
	ok(stack.n == 3 && !stack.is_cut, "a loop whose entry is called from the one below is believed");
	image_point(&image, AT_CFRAME + 0x48, AT_FRAMES + 24);
	walk();
	ok(stack.n == 1 && strcmp(name_of(0), "<module>:5") == 0 && !stack.has_moved,
	   "else the stack is that of the loop below");
	image_put(&image, AT_CFRAME + 8, 2, 8);
	walk();
	ok(stack.n == 1 && !stack.has_moved, "so it is if the new one leads nowhere");
	python_make(&image);
	image_put(&image, AT_FRAMES + 24 + 69, 1, 1);
	walk();
	ok(stack.n == 3 && stack.is_cut, "a generator without a caller is about to return: the stack is cut");
}

/* ---- hostile processes --------------------------------------------------------------------------------------- */

static void test_cycle(void)
{
	python_make(&image);
	image_point(&image, AT_FRAMES + 24 + 48, AT_FRAMES + 24 + 2 * FRAME_STEP);
	walk();
	ok(stack.n == LANGUAGE_FRAMES && stack.is_cut, "frames in a circle are cut");
	ok(image.n_reads < 100, "a circle costs no reads without end: %u", image.n_reads);
	python_make(&image);
	image_point(&image, AT_THREAD + 8, AT_THREAD);
	image_put(&image, AT_THREAD + 160, 1, 8);
	ok(walk() == WALK_NO_THREAD && image.n_reads <= BUDGET + 2, "so do threads: %u reads", image.n_reads);
	python_make(&image);
	image_point(&image, AT_INTERPRETER, AT_INTERPRETER);
	image_put(&image, AT_INTERPRETER + 16, 0, 8);
	ok(walk() == WALK_NO_THREAD, "and interpreters");
}

#define LAST_FRAME (-(uint64_t)112) /* of 3.9: its end is 0 */

static bool is_last_read;

static bool read_and_note(void *arg, uint64_t address, void *into, size_t n)
{
	is_last_read |= address == LAST_FRAME;
	return image_read(arg, address, into, n);
}

static void test_end_of_memory(void)
{
	struct err err;
	struct memory m = {.read = read_and_note, .arg = &image, .budget = BUDGET};
	const struct language_names names = {image_define, &image};
	python_make(&image);
	image_put(&image, AT_VERSION, 0, 4);
	image_point(&image, AT_RUNTIME + 32, AT_INTERPRETER);
	image_point(&image, AT_INTERPRETER + 8, AT_THREAD);
	image_put(&image, AT_THREAD + 24, LAST_FRAME, 8);
	image_point(&image, AT_THREAD + 176, AT_LINES + 0x100); /* pthread_t */
	image_put(&image, AT_LINES + 0x100 + 720, PYTHON_TID, 4);
	void *python = attach("/usr/bin/python3.9", &err);
	ok(language_python.walk(python, &m, PYTHON_TID, &names, &stack) == WALK_FAILED && is_last_read,
	   "a frame at the end of the memory is not taken from a copy of others");
	language_python.detach(python);
}

static void test_lies(void)
{
	static const uint64_t lengths[] = {UINT64_MAX, INT64_MAX, (1 << 24) + 1, 4000, (uint64_t)1 << 62};
	unsigned bad = 0;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		python_make(&image);
		image_put(&image, AT_TEXTS + 3 * TEXT_STEP + 16, lengths[i], 8);
		walk(); /* 4,000 characters are there, all others are a lie */
		bad += lengths[i] != 4000 && stack.n != 0;
		python_make(&image);
		image_put(&image, AT_LINES + 16, lengths[i], 8);
		walk();
		bad += lengths[i] > PYTHON_SIZE && stack.n != 0;
	}
	is_int(bad, 0, "wrong lengths are noticed");
	python_make(&image);
	memcpy(image.bytes + AT_LONG, image.bytes + AT_TEXTS + TEXT_STEP, 48);
	memset(image.bytes + AT_LONG + 48, 'x', 4001);
	image_put(&image, AT_LONG + 16, 4001, 8);
	image_point(&image, AT_CODES + 128, AT_LONG); /* of the outermost frame */
	ok(walk() == WALK_DONE && stack.n == 3 && strcmp(image.ending, "xx...") == 0,
	   "of a very long name the beginning is taken, and marked");
	python_make(&image);
	image_put(&image, AT_CODES + 2 * CODE_STEP + 8, 0, 8);
	ok(walk() == WALK_FAILED, "an object of another type is no function");
	python_make(&image);
	image_put(&image, AT_CODES + CODE_STEP + 8, 0, 8);
	ok(walk() == WALK_DONE && stack.n == 1 && stack.is_cut,
	   "behind a caller that makes no sense, the stack is cut");
	python_make(&image);
	image_put(&image, AT_FRAMES + 24 + 2 * FRAME_STEP + 69, 200, 1);
	ok(walk() == WALK_FAILED, "a frame of an unknown owner is none");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	unsigned all, whole = 0;
	python_make(&image);
	walk();
	all = image.n_reads;
	for (unsigned i = 1; i < all; i++) {
		python_make(&image);
		image.fail_after = i;
		enum language_walk how = walk();
		whole += how == WALK_DONE && stack.n == 3 && !stack.is_cut && !stack.has_moved;
	}
	ok(whole == 0, "of memory that vanishes no stack looks whole and still");
	is_int(all > 10, 1, "it was tried after each of %u reads", all);
}

static void test_moving(void)
{
	struct err err;
	python_make(&image);
	void *python = attach("/usr/bin/python3.11", &err);
	walk_with(python, BUDGET);
	ok(!stack.has_moved, "a thread that stands still is read as such");
	walk_with(python, 8);
	ok(stack.n < 3 || stack.has_moved, "without reads left, it cannot be known to stand still");
	language_python.detach(python);
}

/* Bytes at random places change; nothing may crash, or go on without end. */
static void test_noise(void)
{
	uint64_t seed = 88172645463325252u;
	unsigned most = 0;
	for (int round = 0; round < 20000; round++) {
		python_make(&image);
		image_damage(&image, 0, AT_LINES + 64, 1 + (unsigned)round % 8, &seed);
		walk();
		most = image.n_reads > most ? image.n_reads : most;
	}
	ok(most <= BUDGET + 100, "with noise in its memory, reads stay bounded: %u at most", most);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static uint32_t line(unsigned minor, const char *bytes, size_t n, int64_t offset)
{
	const struct python_lines t = {(const unsigned char *)bytes, n, 10, minor};
	return python_line(&t, offset);
}

static void test_lines(void)
{
	static const char steps[] = {0, 1, 6, 2, 4, -1}, ranges[] = {4, 0, 4, 2, 2, -128, 6, -1};
	static const char entries[] = {(char)(0x80 | 13 << 3 | 1),
	                               2,
	                               (char)(0x80 | 0 << 3 | 3),
	                               0x11,
	                               (char)(0x80 | 15 << 3),
	                               (char)(0x80 | 14 << 3),
	                               3,
	                               0,
	                               1,
	                               2,
	                               (char)(0x80 | 11 << 3),
	                               0,
	                               0};
	is_int(line(9, steps, sizeof steps, 0), 11, "3.6 to 3.9: the first line");
	is_int(line(9, steps, sizeof steps, 6), 13, "a step forward");
	is_int(line(9, steps, sizeof steps, 200), 12, "a step back");
	is_int(line(10, ranges, sizeof ranges, 2), 10, "3.10: a range");
	is_int(line(10, ranges, sizeof ranges, 6), 12, "the next one");
	is_int(line(10, ranges, sizeof ranges, 8), 0, "one without a line");
	is_int(line(10, ranges, sizeof ranges, 10), 11, "and a step back");
	is_int(line(12, entries, sizeof entries, 2), 11, "3.11 and later: a signed number");
	is_int(line(12, entries, sizeof entries, 11), 11, "the same line");
	is_int(line(12, entries, sizeof entries, 12), 0, "no line");
	is_int(line(12, entries, sizeof entries, 14), 10, "a long entry");
	is_int(line(12, entries, sizeof entries, 16), 11, "one line on");
	is_int(line(12, entries, sizeof entries, 18), 0, "behind the end");
	is_int(line(12, entries, sizeof entries, -2), 10, "before the first instruction");
	for (size_t n = 0; n < sizeof entries; n++)
		line(12, entries, n, 1000);
	pass("a table can end anywhere");
}

/* --- code objects that share a large table --- */

enum { CODES = 0x10000000, TEXT = 0x2000000, TABLE = 0x3000000, TYPE = 0x1000000, SHARED = 1 << 20 };

static uint64_t vast_bytes; /* of tables that were read */

static void overlay(uint64_t address, void *into, size_t n, uint64_t at, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (at + i >= address && at + i < address + n)
			((char *)into)[at + i - address] = ((const char *)bytes)[i];
}

static void overlay_u64(uint64_t address, void *into, size_t n, uint64_t at, uint64_t value)
{
	overlay(address, into, n, at, &value, sizeof value);
}

/* Code objects of 3.11 wherever one looks, all of them with the same name, file and table. */
static bool read_vast(void *arg, uint64_t address, void *into, size_t n)
{
	static const unsigned char entry[] = {0x80 | 13 << 3 | 1, 2};
	(void)arg;
	memset(into, 0, n);
	vast_bytes += n >= SHARED ? n : 0;
	if (address >= CODES) {
		overlay_u64(address, into, n, address + 8, TYPE);
		overlay_u64(address, into, n, address + 112, TEXT);
		overlay_u64(address, into, n, address + 128, TEXT);
		overlay_u64(address, into, n, address + 136, TABLE);
		overlay_u64(address, into, n, address + 72, 5);
	}
	overlay_u64(address, into, n, TEXT + 16, 4);
	overlay_u64(address, into, n, TEXT + 32, 1 << 2 | 1 << 5 | 1 << 6);
	overlay(address, into, n, TEXT + 48, "work", 4);
	overlay_u64(address, into, n, TABLE + 16, SHARED);
	overlay(address, into, n, TABLE + 32, entry, sizeof entry);
	return true;
}

static uint32_t define_any(void *arg, const struct language_function *f)
{
	(void)arg;
	(void)f;
	return 1;
}

static void test_shared_table(void)
{
	struct err err;
	struct python_layout layout;
	struct memory m = {.read = read_vast, .budget = UINT32_MAX};
	const struct language_names names = {define_any, NULL};
	struct language_frame f;
	unsigned found = 0, with_line = 0, searched = 0;
	ok(python_layout_find(&layout, 11, 0, &m, &err), "the layout of 3.11");
	struct python_codes *codes = python_codes_new(&layout, TYPE);
	for (uint64_t i = 0; i < 100; i++) {
		python_codes_begin(codes);
		found += python_codes_find(codes, &m, CODES + i * 0x1000, 2, &names, &f) == CODE_FOUND;
		with_line += f.line == 6;
	}
	is_int(found, 100, "all functions are found");
	is_int(with_line, 16, "as many have lines as their tables may take");
	is_int((long long)vast_bytes, 16 * SHARED, "no other tables are read");
	python_codes_begin(codes);
	for (int i = 0; i < 100; i++) {
		python_codes_find(codes, &m, CODES, 2 + 4 * i, &names, &f);
		searched += f.line != 0;
	}
	ok(searched >= 1 && searched < 15, "large tables are not searched for each frame of a stack (%u)", searched);
	python_codes_begin(codes);
	python_codes_find(codes, &m, CODES, 2, &names, &f);
	is_int(f.line, 6, "the next stack has its lines");
	python_codes_free(codes);
}

int main(void)
{
	test_shared_table();
	test_stack();
	test_cache();
	test_without_state();
	test_recognition();
	test_new_loop();
	test_cycle();
	test_end_of_memory();
	test_lies();
	test_vanishing();
	test_moving();
	test_noise();
	test_lines();
	return done_testing();
}
