/*
 * perl_image.h - the memory of a made-up process with Perl 5.36 and threads, with the structures that
 * src/languages/perl.c and threads.c read.
 *
 *	(main) (app.pl:7) -> main::work (app.pl:12) -> main::é (app.pl:21), the innermost
 *
 * The image is a run of bytes from IMAGE_BASE on; a test can damage it, or let reads fail.
 */
#ifndef TESTS_UNIT_PERL_IMAGE_H
#define TESTS_UNIT_PERL_IMAGE_H

#include "languages/threads.h"

#include "image.h"

#define PERL_SIZE 0x8000u
#define PERL_TID 4711

/* Places in it. */
enum {
	PERL_AT_REVISION = 0x0,
	PERL_AT_VERSION = 0x1,
	PERL_AT_OPTIONS = 0x10,
	PERL_AT_KEY = 0x100,
	PERL_AT_FIRST = 0x108,
	PERL_AT_VARIABLES = 0x110, /* without threads: operation, statement, stack */
	PERL_AT_LINKER = 0x200,    /* heads of the lists of threads at 0x10 and 0x20 */
	PERL_AT_DESCRIPTORS = 0x300,
	PERL_AT_THREAD = 0x400, /* list at 0x10, number at 0x20, two blocks at 0x28 */
	PERL_AT_BLOCK = 0x480,  /* four values */
	PERL_AT_INTERPRETER = 0x600,
	PERL_AT_STACKS = 0x800,    /* of contexts, 0x40 bytes each */
	PERL_AT_CONTEXTS = 0x1000, /* of the first stack */
	PERL_AT_MORE = 0x1800,     /* of the second one */
	PERL_AT_SUBS = 0x2000,     /* code, its body, symbol, its body, what it holds, name */
	PERL_AT_PACKAGE = 0x3000,
	PERL_AT_STATEMENTS = 0x4000,
	PERL_AT_FILE = 0x5000, /* name; and the symbol of it */
	PERL_AT_OPERATIONS = 0x6000,
	PERL_SUB_STEP = 0x200,
	PERL_STATEMENT_STEP = 0x40,
	PERL_OPERATION_STEP = 0x40,
	PERL_CONTEXT_STEP = 0x68
};

/* The key of a hash. */
static void perl_key(struct image *m, size_t at, const char *text, bool is_utf8)
{
	size_t n = strlen(text);
	image_put(m, at + 4, n, 4);
	memcpy(m->bytes + at + 8, text, n + 1);
	m->bytes[at + 8 + n + 1] = is_utf8;
}

static size_t perl_statement_at(unsigned i)
{
	return PERL_AT_STATEMENTS + (size_t)i * PERL_STATEMENT_STEP;
}

static size_t perl_operation_at(unsigned i)
{
	return PERL_AT_OPERATIONS + (size_t)i * PERL_OPERATION_STEP;
}

static void perl_statement(struct image *m, unsigned i, uint32_t line)
{
	size_t at = perl_statement_at(i);
	image_point(m, at, perl_operation_at(0));
	image_put(m, at + 0x20, 195, 2);
	image_put(m, at + 0x24, line, 4);
	image_point(m, at + 0x30, PERL_AT_FILE);
}

/* A symbol of this name, with its body 0x20 bytes and what it holds 0x60 bytes behind it. */
static void perl_symbol(struct image *m, size_t at, const char *name)
{
	image_point(m, at, at + 0x20);
	image_put(m, at + 0xc, 0x8009, 4);
	image_point(m, at + 0x10, at + 0x60);
	image_point(m, at + 0x40, at + 0xc0);
	image_point(m, at + 0x48, PERL_AT_PACKAGE);
	image_point(m, at + 0x60 + 0x38, at);
	perl_key(m, at + 0xc0, name, false);
}

/* A sub that begins with a statement. */
static void perl_sub(struct image *m, unsigned i, const char *name, unsigned first)
{
	size_t at = PERL_AT_SUBS + (size_t)i * PERL_SUB_STEP, body = at + 0x20;
	image_point(m, at, body);
	image_put(m, at + 0xc, 13, 4);
	image_point(m, body + 0x20, PERL_AT_PACKAGE);
	image_point(m, body + 0x28, perl_statement_at(first));
	image_point(m, body + 0x38, at + 0x80);
	image_point(m, body + 0x40, PERL_AT_FILE);
	perl_symbol(m, at + 0x80, name);
}

/* A context in which code runs that a statement has called; retop: operation to return to; 0: none. */
static void perl_context(struct image *m, size_t at, unsigned type, unsigned statement, unsigned retop)
{
	memset(m->bytes + at, 0, PERL_CONTEXT_STEP);
	m->bytes[at] = (unsigned char)type;
	image_point(m, at + 0x10, perl_statement_at(statement));
	if (retop)
		image_point(m, at + 0x30, perl_operation_at(retop));
}

__attribute__((unused)) static void perl_context_code(struct image *m, size_t at, unsigned sub)
{
	image_point(m, at + 0x48, PERL_AT_SUBS + (size_t)sub * PERL_SUB_STEP);
}

/* A stack of n contexts. type 1: the first one, which all others lead to. */
static void perl_stack(struct image *m, unsigned i, unsigned type, size_t contexts, unsigned n)
{
	size_t at = PERL_AT_STACKS + 0x40u * (size_t)i;
	image_point(m, at + 0x8, contexts);
	if (i)
		image_point(m, at + 0x10, at - 0x40);
	image_put(m, at + 0x20, n - 1, 4);
	image_put(m, at + 0x2c, type, 4);
}

static void perl_descriptor(struct image *m, unsigned i, uint32_t bits, uint32_t n, uint32_t offset)
{
	size_t at = PERL_AT_DESCRIPTORS + 16u * (size_t)i;
	image_put(m, at, bits, 4);
	image_put(m, at + 4, n, 4);
	image_put(m, at + 8, offset, 4);
}

static void perl_threads(struct image *m)
{
	static const uint32_t descriptors[][3] = {{0, 0, 0x10}, {0, 0, 0x20},  {0, 0, 0},      {0, 0, 0},   {64, 1, 0},
	                                          {0, 0, 0x10}, {32, 1, 0x20}, {128, 1, 0x28}, {128, 4, 0}, {64, 1, 8}};
	for (unsigned i = 0; i < 10; i++)
		perl_descriptor(m, i, descriptors[i][0], descriptors[i][1], descriptors[i][2]);
	image_point(m, PERL_AT_LINKER + 0x10, PERL_AT_LINKER + 0x10); /* empty */
	image_point(m, PERL_AT_LINKER + 0x20, PERL_AT_THREAD + 0x10);
	image_point(m, PERL_AT_THREAD + 0x10, PERL_AT_LINKER + 0x20);
	image_put(m, PERL_AT_THREAD + 0x20, PERL_TID, 4);
	image_point(m, PERL_AT_THREAD + 0x28, PERL_AT_BLOCK);
	image_put(m, PERL_AT_KEY, 2, 4);
	image_point(m, PERL_AT_BLOCK + 2 * 16 + 8, PERL_AT_INTERPRETER);
}

static void perl_options(struct image *m, const char *options)
{
	strcpy((char *)m->bytes + PERL_AT_OPTIONS, options);
}

/* Where the program is. */
static void perl_moment(struct image *m, unsigned operation, unsigned statement, unsigned stack)
{
	size_t places[2][3] = {{PERL_AT_INTERPRETER + 8, PERL_AT_INTERPRETER + 0xd0, PERL_AT_INTERPRETER + 0xe0},
	                       {PERL_AT_VARIABLES, PERL_AT_VARIABLES + 8, PERL_AT_VARIABLES + 16}};
	for (int i = 0; i < 2; i++) {
		image_point(m, places[i][0], perl_operation_at(operation));
		image_point(m, places[i][1], perl_statement_at(statement));
		image_point(m, places[i][2], PERL_AT_STACKS + 0x40u * (size_t)stack);
	}
}

__attribute__((unused)) static void perl_make(struct image *m)
{
	static const uint32_t lines[] = {7, 10, 12, 20, 21, 30, 31};
	image_begin(m, PERL_SIZE);
	m->bytes[PERL_AT_REVISION] = 5;
	m->bytes[PERL_AT_VERSION] = 36;
	perl_options(m, " MULTIPLICITY USE_64_BIT_ALL USE_ITHREADS");
	perl_threads(m);
	image_point(m, PERL_AT_FIRST, PERL_AT_INTERPRETER);
	strcpy((char *)m->bytes + PERL_AT_FILE, "/srv/app.pl");
	image_point(m, PERL_AT_PACKAGE, PERL_AT_PACKAGE + 0x20);
	image_put(m, PERL_AT_PACKAGE + 0xc, 0x200000c, 4);
	image_point(m, PERL_AT_PACKAGE + 0x40, PERL_AT_PACKAGE + 0x80);
	perl_key(m, PERL_AT_PACKAGE + 0x80, "main", false);
	for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
		perl_statement(m, i, lines[i]);
	for (unsigned i = 0; i < 8; i++)
		image_put(m, perl_operation_at(i) + 0x20, 5, 2);
	perl_sub(m, 0, "work", 1);
	perl_sub(m, 1, "\xe9", 3); /* Latin-1 */
	perl_sub(m, 2, "__ANON__", 5);
	perl_context(m, PERL_AT_CONTEXTS, 9, 0, 1);
	perl_context_code(m, PERL_AT_CONTEXTS, 0);
	perl_context(m, PERL_AT_CONTEXTS + PERL_CONTEXT_STEP, 9, 2, 2);
	perl_context_code(m, PERL_AT_CONTEXTS + PERL_CONTEXT_STEP, 1);
	perl_stack(m, 0, 1, PERL_AT_CONTEXTS, 2);
	perl_moment(m, 3, 4, 0);
}

static const char *const perl_names[] = {"PL_revision", "PL_version",   "PL_bincompat_options",
                                         "PL_thr_key",  "PL_curinterp", NULL};
static const char *const perl_variable_names[] = {
	"PL_revision", "PL_version", "PL_bincompat_options", "PL_op", "PL_curcop", "PL_curstackinfo", NULL};

/* The C library's symbols, in the order of threads.c. */
__attribute__((unused)) static struct program perl_c_library(void)
{
	struct program p = {.names = threads_symbols};
	p.addresses[0] = IMAGE_BASE + PERL_AT_LINKER;
	for (unsigned i = 0; i < 10; i++)
		p.addresses[i + 1] = IMAGE_BASE + PERL_AT_DESCRIPTORS + 16u * (uint64_t)i;
	p.addresses[3] = p.addresses[4] = 0; /* those of older versions */
	return p;
}

__attribute__((unused)) static struct program perl_program(const struct program *c_library)
{
	struct program p = {.path = "/usr/bin/perl", .main = 1, .names = perl_names, .c_library = c_library};
	const uint64_t places[] = {PERL_AT_REVISION, PERL_AT_VERSION, PERL_AT_OPTIONS, PERL_AT_KEY, PERL_AT_FIRST};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		p.addresses[i] = IMAGE_BASE + places[i];
	return p;
}

/* Without threads: what was an interpreter's are variables, and files are symbols. */
__attribute__((unused)) static struct program perl_program_alone(struct image *m)
{
	struct program p = {.path = "/usr/bin/perl", .main = 1, .names = perl_variable_names};
	const uint64_t places[] = {PERL_AT_REVISION,  PERL_AT_VERSION,       PERL_AT_OPTIONS,
	                           PERL_AT_VARIABLES, PERL_AT_VARIABLES + 8, PERL_AT_VARIABLES + 16};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		p.addresses[i] = IMAGE_BASE + places[i];
	perl_options(m, " USE_64_BIT_ALL");
	perl_symbol(m, PERL_AT_FILE + 0x80, "_</srv/app.pl");
	for (unsigned i = 0; i < 7; i++)
		image_point(m, perl_statement_at(i) + 0x30, PERL_AT_FILE + 0x80);
	return p;
}

#endif
