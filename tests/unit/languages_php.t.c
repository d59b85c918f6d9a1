/*
 * Stacks of PHP from a made-up process: what they hold, and that a hostile process does no harm.
 */
#include "tests/tap.h"

#include "php_image.h"

#define BUDGET 20000u
#define CLOSURE "{closure:app.php:20}:21*"
#define REST " array_map:0 Box::work:12 <main>:7*"

static struct image image;
static struct language_stack stack;
static struct memory_registers registers; /* r14, r15 */

static enum language_walk walk_with(void *php, pid_t tid, uint32_t budget)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = budget, .registers = &registers};
	const struct language_names names = {image_define, &image};
	return language_php.walk(php, &m, tid, &names, &stack);
}

static void *attach(const struct program *p, struct err *err)
{
	struct memory m = {.read = image_read, .arg = &image, .budget = BUDGET};
	err->text[0] = '\0';
	return language_php.attach(p, &m, err);
}

static enum language_walk walk(void)
{
	const struct program p = php_program(PHP_CONSTANTS);
	struct err err;
	void *php = attach(&p, &err);
	stack.n = 0;
	if (!php)
		return WALK_FAILED;
	enum language_walk how = walk_with(php, 1, BUDGET);
	language_php.detach(php);
	return how;
}

static const char *shown(void)
{
	return image_show(&image, &stack, " ");
}

static void test_stack(void)
{
	php_make(&image);
	ok(walk() == WALK_DONE, "the stack is read");
	is_str(shown(), CLOSURE REST, "functions have their lines, those in C none");
	is_str(image.defined[stack.frames[2].function], "Box::work:/srv/app.php:10",
	       "a function has a file and a line");
	is_str(image.defined[stack.frames[1].function], "array_map::0", "one in C has neither");
	ok(!stack.is_cut && !stack.has_moved && stack.lock == LOCK_UNKNOWN && !stack.interpreter, "it is whole");
	php_text(&image, 4, "{closure:f():9}", 15);
	walk();
	is_str(shown(), "{closure:f():9}:21*" REST, "closures that PHP tells apart keep their names");
	php_text(&image, 4, "Box@anonymous\0/srv:5", 20);
	walk();
	is_str(shown(), "Box@anonymous:21*" REST, "a name ends at its NUL");
	php_make(&image);
	php_frame(&image, 3, 0, 1, false);
	walk();
	is_str(shown(), "include app.php:6" REST, "code of a file has its name");
	image.bytes[php_function_at(0)] = 4;
	walk();
	is_str(shown(), "eval:6" REST, "code of a string is an eval, but not that with which all begins");
	php_make(&image);
	image_put(&image, PHP_AT_WORK, 0, 8);
	ok(walk() == WALK_NO_THREAD, "while nothing runs there is no stack");
}

static void test_instructions(void)
{
	php_make(&image);
	image_put(&image, php_frame_at(3), 0, 8);
	walk();
	is_str(shown(), "{closure:app.php:20}:20*" REST, "a function that has not begun is at its first line");
	image_point(&image, php_frame_at(3), PHP_AT_THROWN);
	image_point(&image, PHP_AT_THROWN - 8, php_code_at(3, 5));
	walk();
	is_str(shown(), "{closure:app.php:20}:25*" REST, "with an exception, it is where that was thrown");
	image_point(&image, PHP_AT_THROWN - 8, php_code_at(1, 5));
	walk();
	is_str(shown(), "{closure:app.php:20}:0*" REST, "an instruction of another function has no line");
	image_point(&image, php_frame_at(3), php_code_at(3, 8));
	walk();
	is_str(shown(), "{closure:app.php:20}:0*" REST, "nor has one behind the last");
	image_point(&image, php_frame_at(3), php_code_at(3, 1) + 8);
	walk();
	is_str(shown(), "{closure:app.php:20}:0*" REST, "nor has one between two");
	php_make(&image);
	registers = (struct memory_registers){.mask = 0xc00000,
	                                      .values = {IMAGE_BASE + php_frame_at(3), IMAGE_BASE + php_code_at(3, 6)}};
	walk();
	is_str(shown(), "{closure:app.php:20}:26*" REST, "an instruction at work may be in a register alone");
	registers.values[1] = IMAGE_BASE + php_code_at(3, 8);
	walk();
	is_str(shown(), CLOSURE REST, "which has something else outside of the virtual machine");
	registers.values[0] = IMAGE_BASE + php_frame_at(2);
	registers.values[1] = IMAGE_BASE + php_code_at(3, 6);
	walk();
	is_str(shown(), CLOSURE REST, "or that of another frame");
	registers.mask = 0;
	image.bytes[php_code_at(1, 2) + 28] = 206;
	image_put(&image, php_code_at(1, 2) + 20, 1, 4);
	image_point(&image, php_frame_at(3) + 48, php_frame_at(1));
	walk();
	is_str(shown(), CLOSURE " filter:0 Box::work:12 <main>:7*", "a function in C without a frame is there");
	image.bytes[php_code_at(1, 2) + 29] = image.bytes[php_code_at(1, 2) + 30] = 8;
	image_put(&image, php_code_at(1, 2) + 8, 0x50, 4);
	image_put(&image, php_code_at(1, 2) + 12, 0x60, 4);
	image.bytes[php_frame_at(1) + 0x58] = 6;
	walk();
	is_str(shown(), CLOSURE " Box::work:12 <main>:7*", "but not once its arguments are freed");
	image.bytes[php_frame_at(1) + 0x68] = 6;
	walk();
	is_str(shown(), CLOSURE " filter:0 Box::work:12 <main>:7*", "until then it is");
	image_point(&image, php_frame_at(2) + 24, php_function_at(6));
	image_point(&image, php_frame_at(3) + 48, php_frame_at(2));
	walk();
	is_str(shown(), CLOSURE " filter:0 Box::work:12 <main>:7*", "but once, if it has one");
	image_point(&image, PHP_AT_WORK, php_frame_at(1));
	walk();
	is_str(shown(), "Box::work:12 <main>:7*", "and only if it calls");
}

static void test_frames(void)
{
	php_make(&image);
	image_put(&image, php_frame_at(2) + 24, 0, 8);
	walk();
	is_str(shown(), CLOSURE " Box::work:12 <main>:7*", "a frame without a function is left out");
	php_make(&image);
	image_put(&image, php_function_at(2) + 8, 0, 8);
	walk();
	is_str(shown(), CLOSURE " Box::work:12 <main>:7*", "so is a function in C without a name");
	php_make(&image);
	image.bytes[php_function_at(3)] = 0;
	walk();
	is_str(shown(), "array_map:0 Box::work:12 <main>:7*", "so is code that was freed a moment ago");
	image.bytes[php_function_at(2)] = 0;
	ok(walk() == WALK_FAILED, "but not twice");
	php_make(&image);
	image.bytes[php_function_at(1)] = 3;
	walk();
	is_str(shown(), CLOSURE " array_map:0 ..", "behind what is no function, the stack is cut");
	php_make_generators(&image, false);
	walk();
	is_str(shown(), "inner:33 outer:41*" REST, "generators that wait for another one are there; they share a loop");
	image_put(&image, php_generator_at(0) + 56, 0, 8);
	walk();
	is_str(shown(), "inner:33 outer:41*" REST, "also if that has just ended");
	php_make_generators(&image, true);
	walk();
	is_str(shown(), "inner:33* ..", "generators in a circle are no chain");
}

static void test_cache(void)
{
	struct err err;
	const struct program p = php_program(PHP_CONSTANTS);
	php_make(&image);
	void *php = attach(&p, &err);
	walk_with(php, 1, BUDGET);
	unsigned before = image.n_reads, defined = image.n_defined;
	walk_with(php, 1, BUDGET);
	is_int(image.n_defined, defined, "a function is defined once");
	ok(image.n_reads - before < before, "what is known is not read again");
	php_function(&image, 5, 2, 4, 20);
	php_frame(&image, 3, 5, 1, true);
	walk_with(php, 1, BUDGET);
	is_int(image.n_defined, defined, "closures of the same function share its number");
	php_text(&image, 2, "walk", 4);
	walk_with(php, 1, BUDGET);
	is_str(shown(), CLOSURE " array_map:0 Box::walk:12 <main>:7*", "another text at the same address is noticed");
	php_text(&image, 5, "Bag", 3);
	walk_with(php, 1, BUDGET);
	is_str(shown(), CLOSURE " array_map:0 Bag::walk:12 <main>:7*", "also that of a class");
	php_text(&image, 1, "/srv/b.php", 10);
	walk_with(php, 1, BUDGET);
	is_str(image.defined[stack.frames[3].function], "<main>:/srv/b.php:5", "and that of a file");
	php_text(&image, 4, "new", 3);
	image.is_full = true;
	ok(walk_with(php, 1, BUDGET) == WALK_FAILED, "a function that gets no number is not left out");
	ok(walk_with(php, 2, BUDGET) == WALK_NO_THREAD, "other threads run no PHP");
	language_php.detach(php);
}

static void refuses(const char *constants, const char *word)
{
	struct err err;
	const struct program p = php_program(constants);
	ok(!attach(&p, &err) && strstr(err.text, word), "refused: %s", err.text);
}

static void test_recognition(void)
{
	struct err err;
	struct program p = php_program(PHP_CONSTANTS);
	php_make(&image);
	refuses("X-Powered-By: PHP/7.3.33", "layout is not known");
	refuses("X-Powered-By: PHP/8.6.0-dev", "PHP 8.6.0-dev: its layout is not known");
	refuses("X-Powered-By: PHP/8", "layout is not known");
	refuses("", "version is not known");
	refuses("X-Powered-By: PHP/8.3.1", "another interface");
	image.bytes[PHP_AT_REGISTRY + 0x48] = 1;
	refuses(PHP_CONSTANTS, "for debugging");
	image.bytes[PHP_AT_REGISTRY + 0x48] = 0;
	image.bytes[PHP_AT_REGISTRY + 0x49] = 1;
	refuses(PHP_CONSTANTS, "another interface");
	p.addresses[0] = 0;
	p.addresses[3] = IMAGE_BASE;
	ok(!attach(&p, &err) && strstr(err.text, "PHP 8.2.36 is built for threads (ZTS)"), "refused: %s", err.text);
	p.addresses[1] = 0;
	ok(!attach(&p, &err) && !err.text[0], "a program without its symbols is another one");
	ok(language_php.is_eval("execute_ex") && language_php.is_eval("execute_ex.cold") &&
	       !language_php.is_eval("execute_extra") && !language_php.is_eval("zend_execute"),
	   "the interpreter's loop is known by its name");
	ok(language_php.may_be("php") && language_php.may_be("php8.2") && language_php.may_be("php-fpm8.2") &&
	       language_php.may_be("libphp8.2.so") && language_php.may_be("libphp.so.8") &&
	       !language_php.may_be("phpspy") && !language_php.may_be("libphp.a") && !language_php.may_be("ph"),
	   "programs and libraries of PHP are known by their names");
}

/* A process that has just begun tells its build later. */
static void test_beginning(void)
{
	struct err err;
	const struct program p = php_program(PHP_CONSTANTS);
	php_make(&image);
	image_put(&image, PHP_AT_REGISTRY + 24, 0, 4);
	void *php = attach(&p, &err);
	ok(php && walk_with(php, 1, BUDGET) == WALK_FAILED, "before its build is known, no stack is read");
	image_put(&image, PHP_AT_REGISTRY + 24, 1, 4);
	ok(walk_with(php, 1, BUDGET) == WALK_DONE, "then it is");
	language_php.detach(php);
}

/* ---- hostile processes --------------------------------------------------------------------------------------- */

static void test_lies(void)
{
	php_make(&image);
	image_point(&image, php_frame_at(0) + 48, php_frame_at(2));
	walk();
	ok(stack.n == LANGUAGE_FRAMES && stack.is_cut, "frames in a circle are cut");
	php_make(&image);
	image_put(&image, php_frame_at(2) + 24, 0, 8);
	image_point(&image, php_frame_at(2) + 48, php_frame_at(2));
	image.n_reads = 0;
	walk();
	ok(stack.is_cut && image.n_reads < 5000, "also those without a function: %u reads", image.n_reads);
	static const uint64_t lengths[] = {UINT64_MAX, INT64_MAX, (1 << 24) + 1, (uint64_t)1 << 62};
	unsigned bad = 0;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		php_make(&image);
		image_put(&image, php_text_at(2) + 16, lengths[i], 8);
		walk();
		bad += stack.n != 2 || !stack.is_cut;
	}
	is_int(bad, 0, "wrong lengths are noticed");
	php_make(&image);
	memset(image.bytes + PHP_AT_LONG, 'x', PHP_SIZE - PHP_AT_LONG);
	image_put(&image, PHP_AT_LONG + 4, 6, 4);
	image_put(&image, PHP_AT_LONG + 16, 4000, 8);
	image_point(&image, php_function_at(1) + 8, PHP_AT_LONG);
	ok(walk() == WALK_DONE && stack.n == 4, "the longest name fits");
	image_put(&image, PHP_AT_LONG + 16, 4001, 8);
	image_put(&image, PHP_AT_LONG + 4, 6, 4);
	image.ending[0] = '\0';
	ok(walk() == WALK_DONE && stack.n == 4, "of a longer one the beginning is taken");
	php_make(&image);
	image.bytes[php_text_at(2) + 4] = 7;
	walk();
	is_str(shown(), CLOSURE " array_map:0 ..", "a value of another type is no name");
	php_make(&image);
	image_put(&image, php_function_at(1) + 80, UINT32_MAX, 4);
	walk();
	is_str(shown(), CLOSURE " array_map:0 ..", "billions of instructions are none");
}

/* A function in C at the end of what can be read. */
static void test_end(void)
{
	size_t at = PHP_SIZE - 24;
	php_make(&image);
	memcpy(image.bytes + at, image.bytes + php_function_at(2), 24);
	image_point(&image, php_frame_at(2) + 24, at);
	walk();
	is_str(shown(), CLOSURE REST, "a function in C is smaller than one of PHP");
	image.bytes[at] = 2;
	walk();
	is_str(shown(), CLOSURE " ..", "which does not fit there");
}

/* The memory vanishes after each possible read. */
static void test_vanishing(void)
{
	unsigned all, whole = 0;
	php_make_generators(&image, false);
	walk();
	all = image.n_reads;
	for (unsigned i = 1; i < all; i++) {
		php_make_generators(&image, false);
		image.fail_after = i;
		enum language_walk how = walk();
		whole += how == WALK_DONE && !stack.is_cut && !stack.has_moved;
	}
	is_int(whole, 0, "of memory that vanishes no stack looks whole and still");
	is_int(all > 40, 1, "it was tried after each of %u reads", all);
}

/* Bytes at random places change; nothing may crash, or go on without end. */
static void test_noise(void)
{
	uint64_t seed = 88172645463325252u;
	unsigned most = 0;
	for (int round = 0; round < 20000; round++) {
		php_make_generators(&image, round & 2);
		if (round & 1)
			php_make(&image);
		image_damage(&image, 0, PHP_SIZE - 8, 1 + (unsigned)round % 8, &seed);
		walk();
		most = image.n_reads > most ? image.n_reads : most;
	}
	ok(most <= BUDGET + 1000, "with noise in its memory, reads stay bounded: %u at most", most);
}

int main(void)
{
	test_stack();
	test_instructions();
	test_frames();
	test_cache();
	test_recognition();
	test_beginning();
	test_lies();
	test_end();
	test_vanishing();
	test_noise();
	return done_testing();
}
