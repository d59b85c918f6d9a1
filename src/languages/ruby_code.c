/*
 * ruby_code.c - reads the code of functions, and keeps what was read.
 *
 *	code    u64 flags, .., pointer to the body
 *	body    u32 type, u32 words, instructions, .., path, base label, label, first line, .., entries with lines, ..,
 *	        how many, index, .., code around it, code of the method around it
 *	method  u64 flags, class, definition, ID, owner
 *
 * Code can be freed, and other code take its place. While a function runs its code lives; so what the body says of
 * itself is compared each time a stack is read, and all is read anew if something has changed.
 *
 * The index tells how many entries begin up to an instruction: for each of the first 54 in 7 bits, 9 of them in
 * a word; then in blocks of 512 {u32 entries before the block, u64: 9 bits of entries before each of its words
 * but the first, 8 words with a bit for each instruction}.
 *
 * From 3.4 on Ruby names a method with its class: "Box#add", "block in Box#add"; the label is that of older
 * versions.
 */
#include "languages/ruby_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "languages/ruby_text.h"
#include "languages/slots.h"

#define RECENT 8u /* lines of a function that are remembered, a power of two */
#define WORDS_MOST (1u << 24)
#define LEVELS_MOST 64u
enum { TYPE_METHOD = 1, TYPE_BLOCK = 2, TYPE_RESCUE = 4, TYPE_ENSURE = 5, TYPE_EVAL = 6, TYPE_PLAIN = 8 };
#define NAMED_CLASSES 304u /* the version from which on names have classes */

#define CODE_BODY 16u
#define INDEX_FIRST 54u
#define INDEX_BLOCK 512u
#define INDEX_BLOCK_SIZE 80u
#define INDEX_FIRST_SIZE 48u

struct code {
	unsigned char body[RUBY_BODY_SIZE];
	uint64_t class;
	uint32_t function, type;
	uint64_t seen; /* the stack in which it was compared last */
	struct {
		uint32_t at, line; /* at: 0 is empty */
	} recent[RECENT];
};

struct ruby_codes {
	const struct ruby_layout *layout;
	uint64_t stack;       /* number of the one being read */
	struct slots codes;   /* by address and class */
	struct idmap methods; /* name and class of one in C -> number of a function */
	char name[LANGUAGE_TEXT], label[LANGUAGE_TEXT], file[LANGUAGE_TEXT];
};

struct ruby_codes *ruby_codes_new(const struct ruby_layout *layout)
{
	struct ruby_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	c->codes = (struct slots){.size = sizeof(struct code), .most = CODES_MOST};
	return c;
}

void ruby_codes_free(struct ruby_codes *c)
{
	if (!c)
		return;
	slots_deinit(&c->codes);
	idmap_deinit(&c->methods);
	free(c);
}

void ruby_codes_begin(struct ruby_codes *c)
{
	c->stack++;
	if (c->methods.n >= CODES_MOST)
		idmap_deinit(&c->methods);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static uint32_t number_of(const struct ruby_codes *c, const struct language_names *names, uint32_t first)
{
	return names->define(names->arg, &(struct language_function){c->name, c->file, first});
}

/* The class of a method; 0: unknown, or its name is not shown. */
static uint64_t class_of(const struct ruby_codes *c, struct memory *m, uint64_t method, char *mark)
{
	uint64_t owner;
	if (c->layout->version < NAMED_CLASSES || !method || !memory_pointer(m, method + RUBY_METHOD_OWNER, &owner))
		return 0;
	return ruby_text_class(m, owner, mark);
}

/* Puts the label after what is in the name already, with its class before it. */
static bool join(struct ruby_codes *c, struct memory *m, uint64_t class, char mark)
{
	size_t at = strlen(c->name);
	if (class && !ruby_text_string(c->layout, m, class, c->name + at, sizeof c->name - at))
		return false;
	at += strlen(c->name + at);
	snprintf(c->name + at, sizeof c->name - at, "%.*s%s", class ? 1 : 0, &mark, c->label);
	return true;
}

/* ---- code ---------------------------------------------------------------------------------------------------- */

static bool read_body(struct memory *m, uint64_t code, unsigned char *body)
{
	unsigned char head[CODE_BODY + 8];
	return memory_is_place(code) && memory_read(m, code, head, sizeof head) &&
	       ruby_is_internal(memory_u64(head, 0), RUBY_INTERNAL_CODE) &&
	       memory_read(m, memory_u64(head, CODE_BODY), body, RUBY_BODY_SIZE);
}

/* Goes from a block to the code of the method around it, and puts how far that is. */
static bool leave_block(struct ruby_codes *c, struct memory *m, uint64_t code, unsigned char *body)
{
	uint64_t local = memory_u64(body, c->layout->local);
	unsigned levels = 0, n = 0;
	size_t at = strlen(c->name);
	for (; code != local && n < LEVELS_MOST; n++) {
		levels += memory_u32(body, 0) == TYPE_BLOCK;
		code = memory_u64(body, c->layout->local - 8u);
		if (!read_body(m, code, body))
			return false;
	}
	snprintf(c->name + at, sizeof c->name - at, levels > 1 ? "block (%u levels) in " : "block in ", levels);
	return n && n < LEVELS_MOST;
}

/* From 3.4 on: goes on to the code that has the name. A part of a function has that of what it is a part of. */
static bool find_named(struct ruby_codes *c, struct memory *m, uint64_t code, unsigned char *body)
{
	for (unsigned i = 0; i < LEVELS_MOST; i++) {
		uint32_t type = memory_u32(body, 0);
		bool is_part = type == TYPE_RESCUE || type == TYPE_ENSURE || type == TYPE_EVAL;
		uint64_t next = memory_u64(body, is_part ? c->layout->local - 8u : c->layout->local);
		if (is_part ? !read_body(m, next, body)
		            : (type == TYPE_BLOCK || type == TYPE_PLAIN) && !leave_block(c, m, code, body))
			return false;
		if (!is_part && type != TYPE_BLOCK && type != TYPE_PLAIN)
			return true;
		code = next;
	}
	return false;
}

/* The path is a string, or the first place of an array. */
static bool read_file(struct ruby_codes *c, struct memory *m, uint64_t path)
{
	uint64_t first;
	if (ruby_text_element(c->layout, m, path, 0, &first))
		path = first;
	return ruby_text_string(c->layout, m, path, c->file, sizeof c->file);
}

static bool read_name(struct ruby_codes *c, struct memory *m, uint64_t address, const struct code *code, char mark)
{
	unsigned char body[RUBY_BODY_SIZE];
	c->name[0] = '\0';
	memcpy(body, code->body, sizeof body);
	if (c->layout->version >= NAMED_CLASSES && !find_named(c, m, address, body))
		return false;
	return ruby_text_string(c->layout, m, memory_u64(body, RUBY_BODY_LABEL), c->label, sizeof c->label) &&
	       join(c, m, memory_u32(body, 0) == TYPE_METHOD ? code->class : 0, mark);
}

/* Up to 3.1 the first line is an object, a small integer. */
static uint32_t first_line(const struct ruby_layout *l, const unsigned char *body)
{
	uint32_t first = memory_u32(body, RUBY_BODY_FIRST);
	return l->version < 302 ? first >> 1 : first;
}

static bool read_code(struct ruby_codes *c, struct memory *m, uint64_t address, struct code *code, char mark,
                      const struct language_names *names)
{
	code->type = memory_u32(code->body, 0);
	if (!read_name(c, m, address, code, mark) || !read_file(c, m, memory_u64(code->body, RUBY_BODY_PATH)))
		return false;
	code->function = number_of(c, names, first_line(c->layout, code->body));
	return code->function != NO_FUNCTION;
}

/* Is it the same body? Up to the index; what follows counts calls, in some versions. */
static bool is_known(const struct ruby_layout *l, const struct code *code, const unsigned char *body)
{
	return code->function && memcmp(code->body, body, 16) == 0 &&
	       memcmp(code->body + RUBY_BODY_PATH, body + RUBY_BODY_PATH, l->lines + 32u - RUBY_BODY_PATH) == 0;
}

/* The code as it is now; NULL: it cannot be read, or makes no sense. */
static struct code *look_up(struct ruby_codes *c, struct memory *m, uint64_t address, uint64_t method,
                            const struct language_names *names)
{
	unsigned char body[RUBY_BODY_SIZE];
	char mark = 0;
	uint64_t class = class_of(c, m, method, &mark);
	uint64_t key = hash_keys(address, class + (unsigned char)mark);
	struct code *code = slots_find(&c->codes, key);
	if (code && code->seen == c->stack && code->function)
		return code;
	if (!read_body(m, address, body))
		return NULL;
	if (!code)
		code = slots_of(&c->codes, key);
	if (!is_known(c->layout, code, body)) {
		*code = (struct code){.class = class};
		memcpy(code->body, body, sizeof body);
		if (!read_code(c, m, address, code, mark, names)) {
			code->function = NO_FUNCTION;
			return NULL;
		}
	}
	code->seen = c->stack;
	return code;
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static unsigned count_bits(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

/* How many entries begin up to that instruction; 0: it cannot be read. */
static uint32_t count_entries(struct memory *m, uint64_t index, uint32_t at)
{
	unsigned char block[INDEX_BLOCK_SIZE];
	uint64_t word;
	if (at < INDEX_FIRST)
		return memory_pointer(m, index + at / 9 * 8, &word) ? (uint32_t)(word >> at % 9 * 7 & 127) : 0;
	at -= INDEX_FIRST;
	index += INDEX_FIRST_SIZE + (uint64_t)(at / INDEX_BLOCK) * INDEX_BLOCK_SIZE;
	if (!memory_read(m, index, block, sizeof block))
		return 0;
	uint32_t i = at % INDEX_BLOCK / 64, n = memory_u32(block, 0);
	n += i ? (uint32_t)(memory_u64(block, 8) >> (i - 1) * 9 & 511) : 0;
	return n + count_bits(memory_u64(block, 16 + 8 * (size_t)i) << (63 - at % 64));
}

static uint32_t read_line(const struct ruby_layout *l, struct memory *m, const unsigned char *body, uint32_t at)
{
	uint32_t n = memory_u32(body, l->lines + 16u), line, i = 1;
	if (n > 1)
		i = count_entries(m, memory_u64(body, l->lines + 24u), at);
	if (!i || i > n)
		return 0;
	return memory_read(m, memory_u64(body, l->lines) + (uint64_t)(i - 1) * l->line_size, &line, sizeof line) ? line
	                                                                                                         : 0;
}

/* What is at work lies before the instruction that comes next. */
static uint32_t line_at(const struct ruby_codes *c, struct memory *m, struct code *code, uint64_t instruction)
{
	uint64_t at = (instruction - memory_u64(code->body, RUBY_BODY_INSTRUCTIONS)) / 8;
	uint32_t words = memory_u32(code->body, 4);
	if (at > words || words > WORDS_MOST)
		return 0;
	uint32_t place = at ? (uint32_t)at - 1 : 0, slot = place % RECENT;
	if (code->recent[slot].at != place + 1) {
		code->recent[slot].line = read_line(c->layout, m, code->body, place);
		code->recent[slot].at = code->recent[slot].line ? place + 1 : 0;
	}
	return code->recent[slot].line;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

bool ruby_codes_find(struct ruby_codes *c, struct memory *m, uint64_t address, uint64_t instruction,
                     uint64_t method, const struct language_names *names, struct language_frame *f, bool *is_part)
{
	struct code *code = look_up(c, m, address, method, names);
	if (!code)
		return false;
	f->function = code->function;
	f->line = line_at(c, m, code, instruction) & INT32_MAX;
	*is_part = c->layout->version >= NAMED_CLASSES && (code->type == TYPE_RESCUE || code->type == TYPE_ENSURE);
	return true;
}

uint32_t ruby_codes_method(struct ruby_codes *c, struct memory *m, uint64_t method, uint64_t all_names,
                           const struct language_names *names)
{
	uint64_t definition, id;
	char mark = 0;
	uint32_t number;
	if (!memory_pointer(m, method + RUBY_METHOD_DEFINITION, &definition) ||
	    !memory_pointer(m, definition + RUBY_DEFINITION_NAME, &id))
		return NO_FUNCTION;
	uint64_t class = class_of(c, m, method, &mark), key = hash_keys(id, class + (unsigned char)mark);
	if (idmap_find(&c->methods, key, &number))
		return number;
	c->name[0] = c->file[0] = '\0';
	if (!ruby_text_name(c->layout, m, all_names, id, c->label, sizeof c->label) || !join(c, m, class, mark))
		return NO_FUNCTION;
	number = number_of(c, names, 0);
	if (number != NO_FUNCTION)
		idmap_add(&c->methods, key, number);
	return number;
}
