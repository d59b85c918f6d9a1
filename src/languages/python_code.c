/*
 * python_code.c - reads code objects, and keeps what was read.
 *
 * A code object can be freed, and another one take its place. While a function runs its code lives; so the
 * pointers to its name, file and table and its first line are compared each time a stack is read, and all is read
 * anew if one of them has changed.
 */
#include "languages/python_code.h"

#include <string.h>

#include "base/mem.h"
#include "languages/python_lines.h"
#include "languages/python_text.h"
#include "languages/slots.h"

#define TABLE_MOST ((int64_t)1 << 20)   /* bytes of a table of lines */
#define TABLES_MOST ((size_t)16 << 20)  /* of all code objects of a process; others have no lines */
#define SEARCHED_MOST ((size_t)8 << 20) /* bytes of tables, for the lines of a stack; frames beyond have none */
#define RECENT 8u                       /* lines of a code object that are remembered, a power of two */

/* A bytes object: references, type, length, hash, data. */
#define BYTES_LENGTH 16u
#define BYTES_DATA 32u
/* Of any object, and of a type. */
#define OBJECT_TYPE 8u
#define TYPE_NAME 24u

struct code {
	uint64_t file, name, lines; /* pointers, by which it is known again */
	uint32_t first, function;
	uint64_t seen;        /* the stack in which it was compared last */
	unsigned char *table; /* NULL: there was no room for it */
	size_t n_table;
	size_t *all_tables; /* the sum that the table is a part of */
	struct {
		int32_t offset;
		uint32_t line; /* of offset; 0 with offset 0: empty */
	} recent[RECENT];
};

struct python_codes {
	const struct python_layout *layout;
	uint64_t type, other_type; /* other_type: a copy of it, in a program that is not position-independent */
	uint64_t stack;            /* number of the one being read */
	struct slots codes;        /* by address */
	size_t tables;             /* bytes of all of them */
	size_t searched;           /* bytes of tables, for this stack */
	char name[LANGUAGE_TEXT], file[LANGUAGE_TEXT];
};

static void empty(void *slot)
{
	struct code *code = slot;
	if (code->table)
		*code->all_tables -= code->n_table;
	free(code->table);
}

struct python_codes *python_codes_new(const struct python_layout *layout, uint64_t type)
{
	struct python_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	c->type = type;
	c->codes = (struct slots){.size = sizeof(struct code), .most = CODES_MOST, .empty = empty};
	return c;
}

void python_codes_free(struct python_codes *c)
{
	if (!c)
		return;
	slots_deinit(&c->codes);
	free(c);
}

void python_codes_begin(struct python_codes *c)
{
	c->stack++;
	c->searched = 0;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* The type of code objects has that name, wherever it is. */
static bool is_code_type(struct python_codes *c, struct memory *m, uint64_t type)
{
	uint64_t name;
	char text[5];
	if (type == c->type || (type && type == c->other_type))
		return true;
	if (!memory_pointer(m, type + TYPE_NAME, &name) || !memory_read(m, name, text, sizeof text) ||
	    memcmp(text, "code", sizeof text) != 0)
		return false;
	c->other_type = type;
	return true;
}

static bool read_table(struct python_codes *c, struct code *code, struct memory *m)
{
	int64_t n;
	if (!memory_read(m, code->lines + BYTES_LENGTH, &n, sizeof n) || n < 0 || n > TABLE_MOST)
		return false;
	if ((size_t)n > TABLES_MOST - c->tables)
		return true;
	code->table = mem_alloc((size_t)n);
	code->n_table = (size_t)n;
	code->all_tables = &c->tables;
	c->tables += code->n_table;
	return !n || memory_read(m, code->lines + BYTES_DATA, code->table, (size_t)n);
}

static bool read_code(struct python_codes *c, struct memory *m, struct code *code,
                      const struct language_names *names)
{
	const struct python_layout *l = c->layout;
	code->function = NO_FUNCTION;
	memset(code->recent, 0, sizeof code->recent);
	if (!read_table(c, code, m) || !python_text(l, m, code->name, c->name, sizeof c->name) ||
	    !python_text(l, m, code->file, c->file, sizeof c->file))
		return false;
	const struct language_function f = {c->name, c->file, code->first};
	code->function = names->define(names->arg, &f);
	return code->function != NO_FUNCTION;
}

/* The code object as it is now. */
static enum python_code_result look_up(struct python_codes *c, struct memory *m, uint64_t address,
                                       const struct language_names *names, struct code **found)
{
	const struct python_layout *l = c->layout;
	unsigned char head[PYTHON_STRUCTURE_MOST];
	struct code *code = *found = slots_find(&c->codes, address);
	if (code && code->seen == c->stack && code->function)
		return CODE_FOUND;
	if (!memory_read(m, address, head, python_layout_code_size(l)))
		return CODE_FAILED;
	if (!is_code_type(c, m, memory_u64(head, OBJECT_TYPE)))
		return CODE_FOREIGN;
	uint64_t file = memory_u64(head, l->code_file), name = memory_u64(head, l->code_name),
			 lines = memory_u64(head, l->code_lines);
	uint32_t first = memory_u32(head, l->code_first);
	if (l->minor >= 12 && file == name) /* one text for both: the helper has no file */
		return CODE_HELPER;
	code = *found = slots_of(&c->codes, address);
	bool is_known =
		code->function && code->file == file && code->name == name && code->lines == lines && code->first == first;
	if (!is_known) {
		empty(code);
		*code = (struct code){.file = file, .name = name, .lines = lines, .first = first};
		if (!read_code(c, m, code, names))
			return CODE_FAILED;
	}
	code->seen = c->stack;
	return CODE_FOUND;
}

static uint32_t line_at(struct python_codes *c, struct code *code, int64_t offset)
{
	const struct python_lines lines = {code->table, code->n_table, code->first, c->layout->minor};
	size_t slot = (size_t)offset >> 1 & (RECENT - 1);
	bool is_usual = offset > 0 && offset <= INT32_MAX;
	if (is_usual && code->recent[slot].offset == (int32_t)offset)
		return code->recent[slot].line;
	if (offset >= 0 && (!code->table || c->searched > SEARCHED_MOST))
		return 0;
	c->searched += code->n_table;
	uint32_t line = python_line(&lines, offset);
	if (is_usual) {
		code->recent[slot].line = line;
		code->recent[slot].offset = (int32_t)offset;
	}
	return line;
}

enum python_code_result python_codes_find(struct python_codes *c, struct memory *m, uint64_t address,
                                          int64_t offset, const struct language_names *names,
                                          struct language_frame *f)
{
	struct code *code;
	enum python_code_result result;
	if (!memory_is_place(address))
		return CODE_FAILED;
	result = look_up(c, m, address, names, &code);
	if (result != CODE_FOUND)
		return result;
	f->function = code->function;
	f->line = line_at(c, code, offset) & INT32_MAX;
	return CODE_FOUND;
}
