/*
 * php_image.h - the memory of a made-up process with PHP 8.2, with the structures that src/languages/php.c reads.
 *
 *	<main> (app.php:7) -> Box::work (app.php:12) -> array_map, in C -> {closure} (app.php:21), the innermost
 *
 * The image is a run of bytes from IMAGE_BASE on; a test can damage it, or let reads fail.
 */
#ifndef TESTS_UNIT_PHP_IMAGE_H
#define TESTS_UNIT_PHP_IMAGE_H

#include "image.h"

#define PHP_SIZE 0x8000u

/* Places in it. */
enum {
	PHP_AT_VARIABLES = 0x0, /* executor_globals, and in it what is at work */
	PHP_AT_WORK = 488,
	PHP_AT_THROWN = 888,      /* the instruction of exceptions */
	PHP_AT_REGISTRY = 0x1000, /* a table, its entry, a module */
	PHP_AT_TABLE = 0x1080,    /* of functions without a frame: a pointer to it, and itself */
	PHP_AT_FRAMES = 0x1800,
	PHP_AT_FUNCTIONS = 0x2000,
	PHP_AT_CODE = 0x3000, /* instructions of each function */
	PHP_AT_TEXTS = 0x5000,
	PHP_AT_CLASS = 0x6000,
	PHP_AT_GENERATORS = 0x6800, /* the frame that stands for one is 184 bytes behind it */
	PHP_AT_LONG = 0x7000,       /* for a long text */
	PHP_FRAME_STEP = 0x80,
	PHP_FUNCTION_STEP = 0x100,
	PHP_CODE_STEP = 0x200,
	PHP_TEXT_STEP = 0x80,
	PHP_GENERATOR_STEP = 0x200
};

static size_t php_text_at(unsigned i)
{
	return PHP_AT_TEXTS + (size_t)i * PHP_TEXT_STEP;
}

static size_t php_frame_at(unsigned i)
{
	return PHP_AT_FRAMES + (size_t)i * PHP_FRAME_STEP;
}

static size_t php_function_at(unsigned i)
{
	return PHP_AT_FUNCTIONS + (size_t)i * PHP_FUNCTION_STEP;
}

static size_t php_code_at(unsigned function, unsigned i)
{
	return PHP_AT_CODE + (size_t)function * PHP_CODE_STEP + 32u * (size_t)i;
}

static size_t php_generator_at(unsigned i)
{
	return PHP_AT_GENERATORS + (size_t)i * PHP_GENERATOR_STEP;
}

/* A text, with a hash that follows from it. */
static void php_text(struct image *m, unsigned i, const char *text, size_t n)
{
	size_t at = php_text_at(i);
	uint64_t hash = 5381;
	for (size_t k = 0; k < n; k++)
		hash = hash * 33 + (unsigned char)text[k];
	image_put(m, at + 4, 6, 4);
	image_put(m, at + 8, hash, 8);
	image_put(m, at + 16, n, 8);
	memcpy(m->bytes + at + 24, text, n);
}

/* A function of this type, whose name is a text; name 0: none. It has 8 instructions, at lines from `line` on. */
static void php_function(struct image *m, unsigned i, unsigned type, unsigned name, uint32_t line)
{
	size_t at = php_function_at(i);
	m->bytes[at] = (unsigned char)type;
	if (name)
		image_point(m, at + 8, php_text_at(name));
	if (type == 1)
		return;
	image_put(m, at + 80, 8, 4);
	image_point(m, at + 88, php_code_at(i, 0));
	image_point(m, at + 152, php_text_at(1));
	image_put(m, at + 160, line, 4);
	for (unsigned k = 0; k < 8; k++)
		image_put(m, php_code_at(i, k) + 24, line + k, 4);
}

/* A frame in which a function is at an instruction; caller: a frame; is_entry: C has called it. */
static void php_frame(struct image *m, unsigned i, unsigned function, unsigned instruction, bool is_entry)
{
	size_t at = php_frame_at(i);
	memset(m->bytes + at, 0, PHP_FRAME_STEP);
	image_point(m, at, php_code_at(function, instruction));
	image_point(m, at + 24, php_function_at(function));
	image_put(m, at + 40, is_entry ? 0x20000 : 0, 4);
	if (i)
		image_point(m, at + 48, php_frame_at(i - 1));
}

__attribute__((unused)) static void php_make(struct image *m)
{
	static const char *const texts[] = {"",    "/srv/app.php", "work",  "array_map", "{closure}",
	                                    "Box", "inner",        "outer", "filter"};
	image_begin(m, PHP_SIZE);
	for (unsigned i = 1; i < sizeof texts / sizeof *texts; i++)
		php_text(m, i, texts[i], strlen(texts[i]));
	image_point(m, PHP_AT_CLASS + 8, php_text_at(5));
	image_point(m, PHP_AT_REGISTRY + 16, PHP_AT_REGISTRY + 0x20);
	image_put(m, PHP_AT_REGISTRY + 24, 1, 4);
	image_point(m, PHP_AT_REGISTRY + 0x20, PHP_AT_REGISTRY + 0x40);
	image_put(m, PHP_AT_REGISTRY + 0x44, 20220829, 4);
	image_point(m, PHP_AT_TABLE, PHP_AT_TABLE + 8);
	image_point(m, PHP_AT_TABLE + 16, php_function_at(6));
	php_function(m, 0, 2, 0, 5);
	php_function(m, 1, 2, 2, 10);
	image_point(m, php_function_at(1) + 16, PHP_AT_CLASS);
	php_function(m, 2, 1, 3, 0);
	php_function(m, 3, 2, 4, 20);
	php_function(m, 4, 2, 6, 30);
	php_function(m, 5, 2, 7, 40);
	php_function(m, 6, 1, 8, 0);
	php_frame(m, 0, 0, 2, true);
	php_frame(m, 1, 1, 2, false);
	php_frame(m, 2, 2, 0, false);
	php_frame(m, 3, 3, 1, true);
	image_point(m, PHP_AT_VARIABLES + PHP_AT_WORK, php_frame_at(3));
}

/* The closure is a generator instead, inner(), from which outer() takes its values; a circle: and it from outer(). */
__attribute__((unused)) static void php_make_generators(struct image *m, bool is_circle)
{
	php_make(m);
	php_frame(m, 3, 4, 3, true);
	php_frame(m, 4, 5, 1, true);
	size_t fake = php_generator_at(1) + 184;
	image_point(m, php_frame_at(3) + 48, fake);
	image_point(m, fake + 32, php_generator_at(1));
	image_put(m, fake + 40, 8, 4);
	image_point(m, fake + 48, php_frame_at(2));
	image_point(m, php_generator_at(0) + 56, php_frame_at(3));
	image_point(m, php_generator_at(1) + 56, php_frame_at(4));
	image_point(m, php_generator_at(1) + 152, php_generator_at(is_circle ? 1 : 0));
}

static const char *const php_names[] = {"executor_globals", "module_registry", "zend_flf_functions",
                                        "executor_globals_offset", NULL};

__attribute__((unused)) static struct program php_program(const char *constants)
{
	struct program p = {.path = "/usr/bin/php8.2", .main = 1, .names = php_names, .constants = constants};
	p.addresses[0] = IMAGE_BASE + PHP_AT_VARIABLES;
	p.addresses[1] = IMAGE_BASE + PHP_AT_REGISTRY;
	p.addresses[2] = IMAGE_BASE + PHP_AT_TABLE;
	return p;
}

#define PHP_CONSTANTS "and X-Powered-By: PHP/8.2.36\n"

#endif
