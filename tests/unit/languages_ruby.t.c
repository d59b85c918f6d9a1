/*
 * Stacks of Ruby from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "ruby_image.h"

#define BUDGET 20000u

static const unsigned versions[] = {207, 301, 303, 304};
#define N_VERSIONS (sizeof versions / sizeof *versions)

static struct ruby_image image;
static struct language_stack stack;

static enum language_walk walk_with(void *ruby, pid_t tid, uint32_t budget)
{
	struct memory m = {.read = image_read, .arg = &image.in, .budget = budget};
	const struct language_names names = {image_define, &image.in};
	return language_ruby.walk(ruby, &m, tid, &names, &stack);
}

static void *attach(struct err *err)
{
	struct memory m = {.read = image_read, .arg = &image.in, .budget = BUDGET};
	const struct program p = ruby_program(&image);
	err->text[0] = '\0';
	return language_ruby.attach(&p, &m, err);
}

static enum language_walk walk_of(pid_t tid)
{
	struct err err;
	void *ruby = attach(&err);
	stack.n = 0;
	if (!ruby)
		return WALK_FAILED;
	enum language_walk how = walk_with(ruby, tid, BUDGET);
	language_ruby.detach(ruby);
	return how;
}

static enum language_walk walk(void)
{
	return walk_of(RUBY_TID);
}

static const char *shown(void)
{
	return image_show(&image.in, &stack, " ");
}

/* ---- what stacks hold ---------------------------------------------------------------------------------------- */

static void test_versions(void)
{
	for (size_t i = 0; i < N_VERSIONS; i++) {
		ruby_make(&image, versions[i]);
		ok(walk() == WALK_DONE && !stack.is_cut && !stack.has_moved && stack.lock == LOCK_HELD,
		   "%u: the stack of a thread is read, with its lock", versions[i]);
		is_str(shown(),
		       versions[i] < 304 ? "block in work:14* each:0 work:12 <main>:7*"
		                         : "block in Box#work:14* Array#each:0 Box#work:12 <main>:7*",
		       "each function has its line, and entries are marked");
		is_str(image.in.defined[stack.frames[2].function],
		       versions[i] < 304 ? "work:/srv/app.rb:10" : "Box#work:/srv/app.rb:10", "and its file");
	}
}

static void test_names(void)
{
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_METHODS + RUBY_METHOD_STEP + 0x40 + RUBY_DEFINITION_NAME, '+', 8);
	walk();
	is_str(shown(), "block in work:14* +:0 work:12 <main>:7*", "operators have names, too");
	image_put(&image.in, RUBY_AT_METHODS + RUBY_METHOD_STEP + 0x40 + RUBY_DEFINITION_NAME, 5000 << 4, 8);
	walk();
	is_str(shown(), "block in work:14* work:12 <main>:7*", "a method in C without a known name is left out");
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_DATA + 0x20, 0, 8);
	walk();
	is_str(shown(), "block in work:14* work:12 <main>:7*", "and all of them, if names are not found");
	static const unsigned both[] = {301, 303};
	for (size_t i = 0; i < 2; i++) {
		ruby_make(&image, both[i]);
		size_t at = ruby_text(&image, 0, "");
		image_put(&image.in, at, 5 | 0x2000, 8);
		image_put(&image.in, at + 16, 40, 8);
		image_point(&image.in, at + 24, 0x7800);
		memset(image.in.bytes + 0x7800, 'x', 40);
		image.in.bytes[0x7801] = '\0';
		walk();
		ok(strncmp(image.in.defined[stack.frames[3].function], "x?xx", 4) == 0, "%u: a long name is elsewhere",
		   both[i]);
	}
	ruby_make(&image, 301);
	image_point(&image.in, ruby_code_at(0) + 0x40 + RUBY_BODY_PATH, ruby_text(&image, 29, "/srv/other.rb"));
	walk();
	is_str(image.in.defined[stack.frames[3].function], "<main>:/srv/other.rb:6", "a path can be a text alone");
}

/* 3.4: the class is that of the method by which a block runs, too. */
static void test_classes(void)
{
	const size_t class = RUBY_AT_METHODS + 0x80;
	ruby_make(&image, 304);
	ruby_code(&image, 3, 2, "block in work", 13, 1);
	image_point(&image.in, ruby_code_at(2) + 0x40 + image.layout.local - 8, ruby_code_at(3));
	walk();
	is_str(image.in.defined[stack.frames[0].function], "block (2 levels) in Box#work:/srv/app.rb:13",
	       "a block within another one, too");
	ruby_make(&image, 304);
	image_put(&image.in, class, 2 | 0x2000, 8);
	image_point(&image.in, class + 128, RUBY_AT_METHODS + RUBY_METHOD_STEP + 0x80);
	walk();
	is_str(shown(), "block in Array.work:14* Array#each:0 Array.work:12 <main>:7*",
	       "a method of one object is its own");
	image_put(&image.in, class + 128, 0, 8);
	walk();
	is_str(shown(), "block in work:14* Array#each:0 work:12 <main>:7*", "whose name is shown if it is a class");
	ruby_make(&image, 304);
	image.in.bytes[class + 149] = 0;
	walk();
	is_str(shown(), "block in work:14* Array#each:0 work:12 <main>:7*", "a class without a name has none");
	ruby_make(&image, 304);
	ruby_code(&image, 2, 4, "rescue in work", 15, 1);
	ruby_frame(&image, ruby_code_at(2), 4, 0, 0x78880001);
	image.n_frames = 3;
	ruby_frame(&image, ruby_code_at(2), 4, 0, 0x78880001 | RUBY_FINISH);
	walk();
	is_str(shown(), "Box#work:16* <main>:7*", "what catches errors is a part of its function");
}

static void test_lines(void)
{
	unsigned bad = 0;
	ruby_make(&image, 301);
	const size_t body = ruby_code_at(2) + 0x40, index = 0x7800;
	image_put(&image.in, body + 4, 2000, 4);
	image_point(&image.in, body + image.layout.lines + 24, index);
	image_put(&image.in, body + image.layout.lines + 16, 8, 4);
	for (unsigned k = 0; k < 8; k++)
		image_put(&image.in, ruby_code_at(2) + 0xe0 + 12 * (size_t)k, 100 + k, 4);
	image_point(&image.in, body + image.layout.lines, ruby_code_at(2) + 0xe0);
	/* Entries at 0, 54, 54 + 70, 54 + 71, 54 + 511, 54 + 512, 54 + 600: two blocks. */
	static const unsigned begins[] = {0, 54, 124, 125, 565, 566, 654};
	memset(image.in.bytes + index, 0, 256);
	for (unsigned word = 0; word < 6; word++)
		image_put(&image.in, index + 8 * (size_t)word, UINT64_C(0x0102040810204081) & INT64_MAX, 8);
	for (unsigned block = 0; block < 2; block++) {
		size_t at = index + 48 + 80 * (size_t)block;
		unsigned before = 0;
		for (unsigned e = 0; e < 7; e++) {
			before += begins[e] < 54 + 512 * block;
			if (begins[e] >= 54 + 512 * block && begins[e] < 54 + 512 * (block + 1)) {
				unsigned bit = begins[e] - 54 - 512 * block;
				image.in.bytes[at + 16 + bit / 8] |= (unsigned char)(1 << bit % 8);
			}
		}
		uint64_t ranks = 0, in_words = 0;
		image_put(&image.in, at, before, 4);
		for (unsigned word = 1; word < 8; word++) {
			in_words += (uint64_t)__builtin_popcountll(memory_u64(image.in.bytes, at + 16 + 8 * (word - 1)));
			ranks |= in_words << 9 * (word - 1);
		}
		image_put(&image.in, at + 8, ranks, 8);
	}
	struct err err;
	void *ruby = attach(&err);
	for (unsigned at = 0; at < 1000; at++) {
		uint32_t line = 99;
		for (unsigned e = 0; e < 7; e++)
			line += begins[e] <= at;
		image_point(&image.in, ruby_frame_at(&image, 4), ruby_code_at(2) + 0x180 + 8 * ((size_t)at + 1));
		bad += walk_with(ruby, RUBY_TID, BUDGET) != WALK_DONE || stack.frames[0].line != line;
	}
	language_ruby.detach(ruby);
	is_int(bad, 0, "long functions have the line of each instruction");
	image_point(&image.in, ruby_frame_at(&image, 4), 0x10);
	walk();
	is_str(shown(), "block in work:0* each:0 work:12 <main>:7*", "an instruction of other code has none");
	ruby_make(&image, 301);
	image_put(&image.in, body + image.layout.lines + 16, 0, 4);
	walk();
	is_str(shown(), "block in work:0* each:0 work:12 <main>:7*", "code can have no lines");
}

static void test_cache(void)
{
	struct err err;
	ruby_make(&image, 301);
	void *ruby = attach(&err);
	walk_with(ruby, RUBY_TID, BUDGET);
	unsigned before = image.in.n_reads, defined = image.in.n_defined;
	walk_with(ruby, RUBY_TID, BUDGET);
	is_int(image.in.n_defined, defined, "a function is defined once");
	ok(image.in.n_reads - before < before, "what is known is not read again");
	ruby_code(&image, 1, 1, "other", 10, 1);
	image_point(&image.in, ruby_code_at(1) + 0x40 + RUBY_BODY_LABEL, ruby_text(&image, 20, "other"));
	walk_with(ruby, RUBY_TID, BUDGET);
	is_str(shown(), "block in work:14* each:0 other:12 <main>:7*", "other code at the same address is noticed");
	language_ruby.detach(ruby);
}

/* ---- where it is found --------------------------------------------------------------------------------------- */

static void test_recognition(void)
{
	struct err err;
	static const unsigned others[] = {206, 300, 302, 305, 400};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		ruby_make(&image, others[i]);
		ok(!attach(&err) && strstr(err.text, "layout is not known"), "refused: %s", err.text);
	}
	ruby_make(&image, 301);
	struct program p = ruby_program(&image);
	struct memory m = {.read = image_read, .arg = &image.in, .budget = BUDGET};
	image.elf.machine = 183;
	err.text[0] = '\0';
	ok(!language_ruby.attach(&p, &m, &err) && strstr(err.text, "machine"), "refused: %s", err.text);
	p.addresses[0] = 0;
	err.text[0] = '\0';
	ok(!language_ruby.attach(&p, &m, &err) && !err.text[0], "a program without its symbols is another one");
	ok(language_ruby.is_eval("rb_vm_exec") && language_ruby.is_eval("vm_exec.constprop.0") &&
	       !language_ruby.is_eval("vm_exec_core") && !language_ruby.is_eval("rb_vm_execute"),
	   "the interpreter's loop is known by its names");
	ok(language_ruby.may_be("ruby") && language_ruby.may_be("ruby2.7") && language_ruby.may_be("libruby.so.3.3") &&
	       language_ruby.may_be("libruby-3.1.so.3.1.2") && !language_ruby.may_be("rubygems") &&
	       !language_ruby.may_be("libruby-static.a") && !language_ruby.may_be("jruby"),
	   "programs and libraries of Ruby are known by their names");
}

static void test_search(void)
{
	struct err err;
	unsigned i;
	ruby_make(&image, 303);
	image_put(&image.in, RUBY_AT_DATA + 8, 0, 8);
	void *ruby = attach(&err);
	ok(walk_with(ruby, RUBY_TID, BUDGET) == WALK_NO_THREAD, "before Ruby has begun there is no stack");
	image_point(&image.in, RUBY_AT_DATA + 8, RUBY_AT_VM);
	for (i = 0; i < 1000 && walk_with(ruby, RUBY_TID, BUDGET) != WALK_DONE; i++)
		;
	ok(i < 20, "its VM is found soon after: stack %u", i);
	language_ruby.detach(ruby);
	ruby_make(&image, 303);
	image_point(&image.in, RUBY_AT_RACTOR + image.layout.ractor_node + 8, RUBY_AT_VM);
	ok(walk() == WALK_NO_THREAD, "what does not lead back is no VM");
	ruby_make(&image, 303);
	image_put(&image.in, RUBY_AT_CONTEXT + image.layout.context_thread, 0, 8);
	ok(walk() == WALK_NO_THREAD, "nor if its thread does not");
}

/* Many variables that look like pointers to the VM, and last the one that is. Ruby begins after it was attached to. */
static void test_long_search(void)
{
	struct err err;
	unsigned i, most = 0;
	bool is_found = false;
	ruby_make(&image, 303);
	image_put(&image.in, RUBY_AT_DATA + 8, 0, 8);
	image.data = 0x6000;
	image.n_data = 0x1c00;
	void *ruby = attach(&err);
	for (size_t at = 0x6000; at < 0x7b00; at += 8)
		image_point(&image.in, at, RUBY_AT_VM + 8);
	image_point(&image.in, 0x7b00, RUBY_AT_VM);
	for (i = 0; i < 1000 && !is_found; i++) {
		image.in.n_reads = 0;
		is_found = walk_with(ruby, RUBY_TID, BUDGET) == WALK_DONE;
		most = image.in.n_reads > most ? image.in.n_reads : most;
	}
	ok(is_found && i > 5 && i < 50, "among many variables its VM is found after some stacks: %u", i);
	ok(most <= 200, "each of which waits for few reads: %u", most);
	language_ruby.detach(ruby);
	image_put(&image.in, 0x7b00, 0, 8);
	ruby = attach(&err);
	for (i = 0, most = 0; i < 1000; i++) {
		image.in.n_reads = 0;
		walk_with(ruby, RUBY_TID, BUDGET);
		most += image.in.n_reads;
	}
	ok(most < 1000 * 25, "a VM that is not there is searched less and less often: %u reads", most);
	language_ruby.detach(ruby);
}

static void test_threads(void)
{
	for (size_t i = 0; i < N_VERSIONS; i++) {
		ruby_make(&image, versions[i]);
		ok(walk_of(1) == WALK_NO_THREAD, "%u: a thread that Ruby does not know has no stack", versions[i]);
		image_point(&image.in, RUBY_AT_THREAD, RUBY_AT_THREAD);
		image.in.n_reads = 0;
		ok(walk_of(1) == WALK_NO_THREAD && image.in.n_reads <= BUDGET + 100,
		   "nor if the list of threads is a circle: %u reads", image.in.n_reads);
	}
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_THREAD + image.layout.native_number, 1, 4);
	image_put(&image.in, 0x7000 + 720, RUBY_TID, 4);
	ok(walk() == WALK_DONE, "after a fork, the C library's number counts");
	ruby_make(&image, 303);
	image_put(&image.in, RUBY_AT_THREAD + image.layout.thread_native, 0, 8);
	ok(walk() == WALK_NO_THREAD, "a thread that waits for a native one runs nowhere");
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_RACTOR + image.layout.lock, 0, 8);
	ok(walk() == WALK_DONE && stack.lock == LOCK_NOT_HELD, "a thread can be without the lock");
	image_put(&image.in, RUBY_AT_CONTEXT, 0, 8);
	ok(walk() == WALK_NO_THREAD, "one that has not begun has no stack");
}

static void test_frames(void)
{
	ruby_make(&image, 301);
	ruby_frame(&image, 0, 0, 0, 0x66660001);
	walk();
	is_str(shown(), "block in work:14* each:0 work:12 <main>:7*", "blocks in C are no functions");
	image_put(&image.in, ruby_values_at(5) + 16, 4, 8);
	walk();
	is_str(shown(), "block in work:14* each:0 work:12 <main>:7*", "a frame that is not filled yet is left out");
	image_put(&image.in, ruby_values_at(2) + 16, 4, 8);
	walk();
	is_str(shown(), "block in work:14* each:0 ..", "but not further out");
	ruby_make(&image, 301);
	memcpy(image.in.bytes + 0x7900, image.in.bytes + ruby_values_at(1), 24);
	image_point(&image.in, ruby_frame_at(&image, 1) + RUBY_FRAME_VALUES, 0x7910);
	walk();
	is_str(shown(), "block in work:14* each:0 work:12 <main>:7*", "values can be elsewhere");
}

/* ---- hostile processes --------------------------------------------------------------------------------------- */

static void test_lies(void)
{
	unsigned bad = 0;
	static const uint64_t lengths[] = {0, 1, 255, 257, UINT32_MAX, UINT64_MAX, UINT64_MAX / 8};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		ruby_make(&image, 301);
		image_put(&image.in, RUBY_AT_CONTEXT + RUBY_CONTEXT_LENGTH, lengths[i], 8);
		bad += walk() == WALK_DONE && !stack.is_cut;
	}
	is_int(bad, 0, "a stack with a wrong length is none");
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_CONTEXT + RUBY_CONTEXT_LENGTH, UINT64_C(1) << 27, 8);
	image_put(&image.in, RUBY_AT_CONTEXT + RUBY_CONTEXT_FRAME, IMAGE_BASE + RUBY_AT_STACK, 8);
	image.in.n_reads = 0;
	ok(walk() == WALK_FAILED && image.in.n_reads < 3000, "nor a huge one: %u reads", image.in.n_reads);
	ruby_make(&image, 301);
	image_put(&image.in, RUBY_AT_TEXTS + RUBY_TEXT_STEP, 5 | 0x2000, 8);
	image_put(&image.in, RUBY_AT_TEXTS + RUBY_TEXT_STEP + 16, UINT64_MAX, 8);
	image_point(&image.in, RUBY_AT_TEXTS + RUBY_TEXT_STEP + 24, 0x1000);
	walk();
	ok(stack.n == 4, "a name without an end is cut");
	ruby_make(&image, 304);
	image_point(&image.in, ruby_values_at(4) + 8, ruby_values_at(4) + 16);
	image.in.n_reads = 0;
	ok(walk() == WALK_DONE && image.in.n_reads < 3000, "blocks in a circle are left: %u reads", image.in.n_reads);
	image_put(&image.in, ruby_code_at(1) + 0x40, 2, 4);
	ruby_code(&image, 1, 4, "work", 10, 1);
	image.in.n_reads = 0;
	walk();
	ok(stack.is_cut && image.in.n_reads < 3000, "so is code around itself: %u reads", image.in.n_reads);
	ruby_make(&image, 301);
	image_put(&image.in, ruby_code_at(1), 5, 8);
	walk();
	is_str(shown(), "block in work:14* each:0 ..", "an object of another type is no code");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	for (size_t k = 0; k < N_VERSIONS; k++) {
		unsigned all, whole = 0;
		ruby_make(&image, versions[k]);
		walk();
		all = image.in.n_reads;
		for (unsigned i = 1; i < all; i++) {
			ruby_make(&image, versions[k]);
			image.in.fail_after = i;
			enum language_walk how = walk();
			whole += how == WALK_DONE && stack.n == 4 && !stack.is_cut && !stack.has_moved;
		}
		is_int(whole, 0, "of memory that vanishes no stack looks whole and still");
		ok(all > 20, "%u: it was tried after each of %u reads", versions[k], all);
	}
}

/* Bytes at random places change; nothing may crash, or go on without end. */
static void test_noise(void)
{
	uint64_t seed = 88172645463325252u;
	unsigned most = 0;
	for (unsigned round = 0; round < 20000; round++) {
		ruby_make(&image, versions[round % N_VERSIONS]);
		image_damage(&image.in, 0, 0x4200, 1 + (unsigned)round % 8, &seed);
		walk();
		most = image.in.n_reads > most ? image.in.n_reads : most;
	}
	ok(most <= BUDGET + 1000, "with noise in its memory, reads stay bounded: %u at most", most);
}

int main(void)
{
	test_versions();
	test_names();
	test_classes();
	test_lines();
	test_cache();
	test_recognition();
	test_search();
	test_long_search();
	test_threads();
	test_frames();
	test_lies();
	test_vanishing();
	test_noise();
	return done_testing();
}
