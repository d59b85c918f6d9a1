/*
 * Stacks of Perl from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "perl_image.h"

#define BUDGET 20000u
#define MORE(i) (PERL_AT_MORE + (size_t)(i)*PERL_CONTEXT_STEP)
#define FIRST(i) (PERL_AT_CONTEXTS + (size_t)(i)*PERL_CONTEXT_STEP)

enum { CONTEXT_SUB = 9, CONTEXT_EVAL = 11, CONTEXT_BLOCK = 2 };
enum { STACK_MAIN = 1, STACK_SORT = 3, STACK_LOOP = 10 };

static struct image image;
static struct language_stack stack;

static enum language_walk walk_with(void *perl, pid_t tid, uint32_t budget)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = budget};
	const struct language_names names = {image_define, &image};
	return language_perl.walk(perl, &m, tid, &names, &stack);
}

static void *attach(const struct program *p, struct err *err)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = BUDGET};
	err->text[0] = '\0';
	return language_perl.attach(p, &m, err);
}

static void *attach_threaded(struct err *err)
{
	const struct program c_library = perl_c_library(), p = perl_program(&c_library);
	return attach(&p, err);
}

static enum language_walk walk_of(pid_t tid)
{
	struct err err;
	void *perl = attach_threaded(&err);
	stack.n = 0;
	if (!perl)
		return WALK_FAILED;
	enum language_walk how = walk_with(perl, tid, BUDGET);
	language_perl.detach(perl);
	return how;
}

static enum language_walk walk(void)
{
	return walk_of(PERL_TID);
}

static const char *shown(void)
{
	return image_show(&image, &stack, " ");
}

#define E_ACUTE "main::\xc3\xa9"

static void test_stack(void)
{
	perl_make(&image);
	ok(walk() == WALK_DONE, "the stack of a thread is read");
	is_str(shown(), E_ACUTE ":21 main::work:12 (main):7*", "each function has its line; names are UTF-8");
	is_str(image.defined[stack.frames[1].function], "main::work:/srv/app.pl:10",
	       "a sub begins at its first statement");
	is_str(image.defined[stack.frames[2].function], "(main):/srv/app.pl:0", "the program has a file");
	ok(!stack.is_cut && !stack.has_moved && stack.lock == LOCK_UNKNOWN && !stack.interpreter, "it is whole");
	perl_context_code(&image, FIRST(1), 2);
	walk();
	is_str(shown(), "main::__ANON__[app.pl:30]:21 main::work:12 (main):7*", "anonymous subs are told apart");
	perl_make(&image);
	perl_key(&image, PERL_AT_SUBS + 0x80 + 0xc0, "\xc3\xa9", true);
	walk();
	is_str(shown(), E_ACUTE ":21 " E_ACUTE ":12 (main):7*", "names can be UTF-8 already");
	image_put(&image, PERL_AT_SUBS + 0x20 + 0x5c, 0x8000, 4);
	image_point(&image, PERL_AT_SUBS + 0x20 + 0x38, PERL_AT_PACKAGE + 0x80);
	walk();
	is_str(shown(), E_ACUTE ":21 main::main:12 (main):7*", "a sub can have a name without a symbol");
	image_put(&image, PERL_AT_SUBS + 0x20 + 0x5c, 0x18000, 4);
	walk();
	is_str(shown(), E_ACUTE ":21 main:12 (main):7*", "that of a lexical one has no package");
}

static void test_alone(void)
{
	struct err err;
	perl_make(&image);
	const struct program p = perl_program_alone(&image);
	void *perl = attach(&p, &err);
	ok(perl && walk_with(perl, 1, BUDGET) == WALK_DONE, "Perl without threads is read in the main thread");
	is_str(shown(), E_ACUTE ":21 main::work:12 (main):7*", "with the same functions");
	ok(walk_with(perl, PERL_TID, BUDGET) == WALK_NO_THREAD, "and in no other");
	language_perl.detach(perl);
}

static void test_cache(void)
{
	struct err err;
	perl_make(&image);
	void *perl = attach_threaded(&err);
	walk_with(perl, PERL_TID, BUDGET);
	unsigned before = image.n_reads, defined = image.n_defined;
	walk_with(perl, PERL_TID, BUDGET);
	is_int(image.n_defined, defined, "a function is defined once");
	ok(image.n_reads - before < before, "what is known is not read again");
	perl_sub(&image, 3, "\xe9", 3);
	perl_context_code(&image, FIRST(1), 3);
	walk_with(perl, PERL_TID, BUDGET);
	is_int(image.n_defined, defined, "closures of the same sub share its number");
	perl_context_code(&image, FIRST(1), 1);
	perl_sub(&image, 1, "other", 5);
	walk_with(perl, PERL_TID, BUDGET);
	is_str(shown(), "main::other:21 main::work:12 (main):7*", "another sub at the same address is noticed");
	strcpy((char *)image.bytes + PERL_AT_FILE + 0x40, "/srv/b.pl");
	image_point(&image, perl_statement_at(4) + 0x30, PERL_AT_FILE + 0x40);
	walk_with(perl, PERL_TID, BUDGET);
	is_str(shown(), "main::other:0 main::work:12 (main):7*", "a line in another file is none of the sub's");
	language_perl.detach(perl);
}

static void refuses(const char *options, const char *word)
{
	struct err err;
	perl_make(&image);
	perl_options(&image, options);
	ok(!attach_threaded(&err) && strstr(err.text, word), "refused: %s", err.text);
}

static void test_recognition(void)
{
	struct err err;
	static const unsigned char versions[] = {26, 37, 44};
	for (size_t i = 0; i < sizeof versions; i++) {
		perl_make(&image);
		image.bytes[PERL_AT_VERSION] = versions[i];
		ok(!attach_threaded(&err) && strstr(err.text, "layout is not known"), "refused: %s", err.text);
	}
	refuses(" MULTIPLICITY USE_64_BIT_ALL USE_ITHREADS DEBUGGING", "DEBUGGING");
	refuses(" MULTIPLICITY USE_64_BIT_ALL USE_ITHREADS USE_LONG_DOUBLE", "USE_LONG_DOUBLE");
	refuses(" USE_QUADMATH MULTIPLICITY USE_64_BIT_ALL USE_ITHREADS", "USE_QUADMATH");
	refuses(" MULTIPLICITY USE_64_BIT_INT USE_ITHREADS", "USE_64_BIT_ALL");
	refuses(" MULTIPLICITY USE_64_BIT_ALL", "MULTIPLICITY");
	perl_make(&image);
	struct program other = perl_program(NULL);
	memset(other.addresses, 0, sizeof other.addresses);
	ok(!attach(&other, &err) && !err.text[0], "a program without its symbols is another one");
	ok(language_perl.is_eval("Perl_runops_standard") && language_perl.is_eval("Perl_runops_debug.cold") &&
	       !language_perl.is_eval("Perl_runops_standards") && !language_perl.is_eval("Perl_pp_sort"),
	   "the interpreter's loop is known by its names");
	ok(language_perl.may_be("perl") && language_perl.may_be("perl5.36.0") &&
	       language_perl.may_be("libperl.so.5.36") && !language_perl.may_be("libperl.a") &&
	       !language_perl.may_be("perldoc") && !language_perl.may_be("superl"),
	   "programs and libraries of Perl are known by their names");
}

static void test_threads(void)
{
	perl_make(&image);
	ok(walk_of(1) == WALK_NO_THREAD, "a thread that the C library does not know has no stack");
	image_point(&image, PERL_AT_THREAD + 0x10, PERL_AT_THREAD + 0x10);
	image.n_reads = 0;
	ok(walk_of(1) == WALK_NO_THREAD && image.n_reads <= BUDGET + 100,
	   "nor if the list of threads is a circle: %u reads", image.n_reads);
	perl_make(&image);
	image_put(&image, PERL_AT_BLOCK + 2 * 16 + 8, 0, 8);
	ok(walk() == WALK_NO_THREAD, "a thread without an interpreter runs none of its functions");
	image_put(&image, PERL_AT_KEY, UINT32_MAX, 4);
	ok(walk() == WALK_NO_THREAD, "nor with a key that is too large");
	perl_make(&image);
	image_point(&image, PERL_AT_FIRST, PERL_AT_INTERPRETER + 8);
	perl_context(&image, FIRST(0), CONTEXT_SUB, 0, 0);
	perl_context_code(&image, FIRST(0), 0);
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12*", "a thread of Perl's begins with a sub, not with the program");
	struct err err;
	perl_make(&image);
	const struct program p = perl_program(NULL);
	void *perl = attach(&p, &err);
	ok(walk_with(perl, 1, BUDGET) == WALK_DONE && walk_with(perl, 2, BUDGET) == WALK_NO_THREAD,
	   "with an unknown C library, the main thread has the first interpreter");
	language_perl.detach(perl);
}

/* ---- contexts ------------------------------------------------------------------------------------------------ */

/* A sort of main::é with a block that is at line 30, or calls the anonymous sub. */
static void make_sort(bool calls)
{
	perl_make(&image);
	perl_context(&image, MORE(0), 0, 4, 0);
	perl_context(&image, MORE(1), CONTEXT_SUB, 5, 0);
	perl_context_code(&image, MORE(1), 2);
	perl_stack(&image, 1, STACK_SORT, PERL_AT_MORE, calls ? 2 : 1);
	perl_moment(&image, 3, calls ? 6 : 5, 1);
}

static void test_blocks(void)
{
	make_sort(false);
	walk();
	is_str(shown(), "[loop]:0* " E_ACUTE ":30 main::work:12 (main):7*", "the block of a sort is a part of its sub");
	make_sort(true);
	walk();
	is_str(shown(), "main::__ANON__[app.pl:30]:31 [loop]:0* " E_ACUTE ":30 main::work:12 (main):7*",
	       "what it calls runs in the same loop");
	make_sort(false);
	image_put(&image, PERL_AT_INTERPRETER + 8, 0, 8);
	image_point(&image, PERL_AT_INTERPRETER + 0xd0, perl_statement_at(4));
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12 (main):7*", "between two comparisons no loop runs");
	make_sort(true);
	perl_context(&image, MORE(0), CONTEXT_SUB | 0x10, 4, 0);
	perl_context_code(&image, MORE(0), 2);
	perl_stack(&image, 1, STACK_SORT, PERL_AT_MORE, 1);
	walk();
	is_str(shown(), "main::__ANON__[app.pl:30]:31* " E_ACUTE ":21 main::work:12 (main):7*",
	       "a sort can call a sub");
	image_put(&image, PERL_AT_INTERPRETER + 8, 0, 8);
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12 (main):7*", "which rests meanwhile");
	perl_make(&image);
	perl_context(&image, FIRST(2), CONTEXT_SUB | 0x80, 4, 0);
	perl_stack(&image, 0, STACK_MAIN, PERL_AT_CONTEXTS, 3);
	perl_moment(&image, 3, 5, 0);
	walk();
	is_str(shown(), "[loop]:0* " E_ACUTE ":30 main::work:12 (main):7*", "code in a pattern is a part of its sub");
}

static void test_evals(void)
{
	perl_make(&image);
	perl_context(&image, FIRST(2), CONTEXT_EVAL | 0x40, 4, 4);
	perl_context(&image, FIRST(3), CONTEXT_BLOCK, 4, 0);
	perl_stack(&image, 0, STACK_MAIN, PERL_AT_CONTEXTS, 4);
	perl_moment(&image, 3, 5, 0);
	walk();
	is_str(shown(), E_ACUTE ":30 main::work:12 (main):7*", "the block of an eval is a part of its sub");
	image.bytes[FIRST(2)] = CONTEXT_EVAL;
	walk();
	is_str(shown(), "(eval):30 " E_ACUTE ":21 main::work:12 (main):7*", "an eval of a string is none");
	strcpy((char *)image.bytes + PERL_AT_FILE + 0x60, "A/B.pm");
	image_point(&image, FIRST(2) + 0x40, PERL_AT_FILE + 0x20);
	image_point(&image, PERL_AT_FILE + 0x30, PERL_AT_FILE + 0x60);
	walk();
	is_str(shown(), "require A/B.pm:30 " E_ACUTE ":21 main::work:12 (main):7*", "nor is the code of a file");
	perl_context(&image, FIRST(1), CONTEXT_SUB, 2, 0);
	perl_context_code(&image, FIRST(1), 1);
	image.bytes[FIRST(2)] = CONTEXT_EVAL | 0x40;
	walk();
	is_str(shown(), "[loop]:0* " E_ACUTE ":30* main::work:12 (main):7*",
	       "in a sub that C calls, an eval begins a loop of its own");
	perl_context(&image, FIRST(0), CONTEXT_EVAL | 0x40, 0, 0);
	walk();
	is_str(shown(), E_ACUTE ":30* (main):12*", "but not if C catches errors");
}

static void test_phases(void)
{
	perl_make(&image);
	perl_context(&image, FIRST(0), CONTEXT_SUB, 0, 0);
	perl_context_code(&image, FIRST(0), 0);
	image_point(&image, perl_statement_at(0), perl_statement_at(0));
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12* (main):7", "a program that is being compiled runs in no loop");
	perl_make(&image);
	perl_moment(&image, 3, 2, 0);
	image_point(&image, perl_operation_at(3), perl_operation_at(2));
	walk();
	is_str(shown(), E_ACUTE ":20 main::work:12 (main):7*", "a sub that has just begun is at its first line");
	image_point(&image, perl_operation_at(3), perl_operation_at(5));
	walk();
	is_str(shown(), E_ACUTE ":0 main::work:12 (main):7*", "one that ends is at an unknown line");
	image_put(&image, FIRST(1) + 0x48, 0, 8);
	walk();
	is_str(shown(), "main::work:12 (main):7*", "a context without code yet is left out");
	perl_make(&image);
	image_put(&image, PERL_AT_INTERPRETER + 0xe0, 0, 8);
	ok(walk() == WALK_NO_THREAD, "an interpreter that has not begun has no stack");
}

/* if (...) { f() }: the statement that began the block was left out. */
static void test_near_lines(void)
{
	perl_make(&image);
	image_put(&image, perl_statement_at(4) + 0x20, 195 | 0x4000, 2);
	image_point(&image, perl_statement_at(4) + 8, perl_operation_at(4));
	image_put(&image, perl_operation_at(4) + 0x22, 4, 1); /* kids: 5, 6 */
	image_point(&image, perl_operation_at(4) + 0x28, perl_operation_at(5));
	image_put(&image, perl_operation_at(5) + 0x18, 195, 8);
	image_put(&image, perl_operation_at(5) + 0x20, 0x4000, 2);
	image_put(&image, perl_operation_at(5) + 0x24, 25, 4);
	image_point(&image, perl_operation_at(5) + 8, perl_operation_at(6));
	image_put(&image, perl_operation_at(6) + 0x22, 4, 1); /* kid: 3, which is at work */
	image_point(&image, perl_operation_at(6) + 0x28, perl_operation_at(3));
	walk();
	is_str(shown(), E_ACUTE ":25 main::work:12 (main):7*", "a block of one statement keeps its line");
	perl_moment(&image, 7, 4, 0);
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12 (main):7*", "which is not that of other operations");
	image_point(&image, perl_operation_at(6) + 0x28, perl_operation_at(4));
	image.n_reads = 0;
	walk();
	ok(stack.n == 3 && image.n_reads < 1000, "operations in a circle are searched for a while: %u reads",
	   image.n_reads);
}

/* ---- hostile processes --------------------------------------------------------------------------------------- */

static void test_circles(void)
{
	perl_make(&image);
	perl_stack(&image, 0, 2, PERL_AT_CONTEXTS, 2);
	image_point(&image, PERL_AT_STACKS + 0x10, PERL_AT_STACKS);
	walk();
	ok(stack.n == LANGUAGE_FRAMES && stack.is_cut, "stacks in a circle are cut");
	perl_stack(&image, 0, 2, PERL_AT_CONTEXTS, 0);
	image.n_reads = 0;
	walk();
	ok(stack.is_cut && image.n_reads < 3000, "also empty ones: %u reads", image.n_reads);
}

static void test_lies(void)
{
	perl_make(&image);
	image_put(&image, PERL_AT_STACKS + 0x20, INT32_MAX, 4);
	ok(walk() == WALK_FAILED, "a stack with billions of contexts is none");
	image_put(&image, PERL_AT_STACKS + 0x20, (uint32_t)-2, 4);
	ok(walk() == WALK_FAILED, "nor one with less than none");
	perl_make(&image);
	image_put(&image, perl_statement_at(0) + 0x24, UINT32_MAX, 4);
	walk();
	is_str(shown(), E_ACUTE ":21 main::work:12 ..", "behind a statement that makes no sense, the stack is cut");
	static const uint32_t lengths[] = {UINT32_MAX, INT32_MAX, 5000, 4};
	unsigned bad = 0;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		perl_make(&image);
		image_put(&image, PERL_AT_SUBS + 0x80 + 0xc0 + 4, lengths[i], 4);
		walk();
		bad += lengths[i] == 4 ? stack.n != 3 : stack.n != 1 || !stack.is_cut;
	}
	is_int(bad, 0, "wrong lengths are noticed");
	perl_make(&image);
	memset(image.bytes + PERL_AT_FILE, 'x', PERL_SIZE - PERL_AT_FILE);
	walk();
	ok(stack.n == 3 && !stack.is_cut, "a name without an end is cut");
	perl_make(&image);
	image_put(&image, PERL_AT_SUBS + 0xc, 12, 4);
	walk();
	is_str(shown(), E_ACUTE ":21 ..", "an object of another type is no sub");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	unsigned all, whole = 0;
	perl_make(&image);
	walk();
	all = image.n_reads;
	for (unsigned i = 1; i < all; i++) {
		perl_make(&image);
		image.fail_after = i;
		enum language_walk how = walk();
		whole += how == WALK_DONE && stack.n == 3 && !stack.is_cut && !stack.has_moved;
	}
	is_int(whole, 0, "of memory that vanishes no stack looks whole and still");
	is_int(all > 20, 1, "it was tried after each of %u reads", all);
}

/* Bytes at random places change; nothing may crash, or go on without end. */
static void test_noise(void)
{
	uint64_t seed = 88172645463325252u;
	unsigned most = 0;
	for (int round = 0; round < 20000; round++) {
		make_sort(round & 1);
		image_damage(&image, 0, PERL_AT_OPERATIONS + 0x200, 1 + (unsigned)round % 8, &seed);
		walk();
		most = image.n_reads > most ? image.n_reads : most;
	}
	ok(most <= BUDGET + 1000, "with noise in its memory, reads stay bounded: %u at most", most);
}

int main(void)
{
	test_stack();
	test_alone();
	test_cache();
	test_recognition();
	test_threads();
	test_blocks();
	test_evals();
	test_phases();
	test_near_lines();
	test_circles();
	test_lies();
	test_vanishing();
	test_noise();
	return done_testing();
}
