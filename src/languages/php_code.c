/*
 * php_code.c - reads functions, and keeps what was read.
 *
 *	zend_function    u8 type, name, class ...; of PHP's own code also: instructions, file, first line
 *	zend_string      u32 references, u8 type, u64 hash, u64 length, text
 *
 * A worker of a web server compiles its files anew at each request. Then other functions take the places of those
 * before, and so do their names, maybe at the very same addresses. So the pointers of each function are compared
 * once for each stack, and so are the hashes of its texts.
 */
#include "languages/php_code.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "languages/slots.h"

#define TEXT_MOST 4000u         /* bytes: of a longer name the beginning is taken */
#define TEXT_LONGEST (1u << 24) /* longer ones are damaged */
#define TEXT_TYPE 6u
#define TEXT_TYPE_MASK 0xfu
#define INSTRUCTIONS_MOST (1u << 24)

enum { FUNCTION_NATIVE = 1, FUNCTION_USER = 2, FUNCTION_EVAL = 4 };

/* What a function consists of, by which it is known again. There is no room between the members. */
struct parts {
	uint64_t type, name, class, class_name, file, first;
	uint64_t texts; /* a hash of the hashes of name, name of the class and file */
	uint32_t last, first_line;
};

struct function {
	uint64_t seen; /* the stack in which it was compared last */
	struct parts parts;
	struct php_function is;
};

struct php_codes {
	const struct php_layout *layout;
	uint64_t stack;         /* number of the one being read */
	struct slots functions; /* by address; those of outermost ones are odd */
	bool lacks_room;
	char name[LANGUAGE_TEXT], file[LANGUAGE_TEXT], text[LANGUAGE_TEXT];
};

struct php_codes *php_codes_new(const struct php_layout *layout)
{
	struct php_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	c->functions = (struct slots){.size = sizeof(struct function), .most = CODES_MOST};
	return c;
}

void php_codes_free(struct php_codes *c)
{
	if (!c)
		return;
	slots_deinit(&c->functions);
	free(c);
}

void php_codes_begin(struct php_codes *c)
{
	c->stack++;
	c->lacks_room = false;
}

/* ---- texts --------------------------------------------------------------------------------------------------- */

/* Reads a text; one of a class without a name ends at its NUL. */
static bool read_text(struct memory *m, uint64_t address, char *text)
{
	unsigned char head[PHP_TEXT_BYTES];
	if (!memory_is_place(address) || !memory_read(m, address, head, sizeof head))
		return false;
	uint64_t n = memory_u64(head, PHP_TEXT_LENGTH);
	if ((head[PHP_TEXT_TYPE] & TEXT_TYPE_MASK) != TEXT_TYPE || n > TEXT_LONGEST)
		return false;
	size_t taken = n > TEXT_MOST ? TEXT_MOST : (size_t)n;
	memory_end_text(text + taken, n > taken);
	return !n || memory_read(m, address + PHP_TEXT_BYTES, text, taken);
}

/* Mixes the hash that PHP keeps of a text, and its length, into another one. */
static bool add_text(struct memory *m, uint64_t address, uint64_t *hash)
{
	uint64_t head[2];
	if (!address)
		return true;
	if (!memory_read(m, address + PHP_TEXT_HASH, head, sizeof head))
		return false;
	*hash = hash_keys(*hash ^ head[0], head[1]);
	return true;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "App\{closure}" becomes "App\{closure:app.php:12}", much as PHP 8.4 names it. */
static void tell_apart(struct php_codes *c, uint32_t line)
{
	static const char mark[] = "{closure}";
	size_t n = strlen(c->text);
	if (n >= sizeof mark - 1 && strcmp(c->text + n - (sizeof mark - 1), mark) == 0)
		snprintf(c->text + n - 1, sizeof c->text - n, ":%s:%u}", base_of(c->file), line);
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

/* Takes what only code of PHP has. */
static bool take_code(const struct php_layout *l, const unsigned char *bytes, struct parts *p)
{
	p->last = memory_u32(bytes, l->code_last);
	p->first = memory_u64(bytes, l->code_first);
	p->file = memory_u64(bytes, l->code_file);
	p->first_line = memory_u32(bytes, l->code_file + 8);
	return p->last && p->last <= INSTRUCTIONS_MOST && p->first;
}

/* One in C is smaller than code of PHP, and so may be at the end of what can be read. */
static bool read_parts(const struct php_layout *l, struct memory *m, uint64_t address, struct parts *p)
{
	unsigned char bytes[PHP_CODE_MOST];
	if (!memory_is_place(address))
		return false;
	bool is_whole = memory_read(m, address, bytes, l->code_file + 12);
	if (!is_whole && !memory_read(m, address, bytes, PHP_FUNCTION_SIZE))
		return false;
	*p = (struct parts){.type = bytes[0],
	                    .name = memory_u64(bytes, PHP_FUNCTION_NAME),
	                    .class = memory_u64(bytes, PHP_FUNCTION_CLASS)};
	if (p->type != FUNCTION_NATIVE && p->type != FUNCTION_USER && p->type != FUNCTION_EVAL)
		return false;
	if (p->type != FUNCTION_NATIVE && (!is_whole || !take_code(l, bytes, p)))
		return false;
	if (p->class && !memory_pointer(m, p->class + PHP_CLASS_NAME, &p->class_name))
		return false;
	return add_text(m, p->name, &p->texts) && add_text(m, p->class_name, &p->texts) &&
	       add_text(m, p->file, &p->texts);
}

/* Code outside of functions: of the program, of a file, or of a string. */
static void name_code(struct php_codes *c, const struct parts *p, bool is_outermost)
{
	if (is_outermost)
		snprintf(c->name, sizeof c->name, "<main>");
	else if (p->type == FUNCTION_EVAL)
		snprintf(c->name, sizeof c->name, "eval");
	else
		snprintf(c->name, sizeof c->name, "include %.*s", (int)TEXT_MOST, base_of(c->file));
}

static bool read_name(struct php_codes *c, struct memory *m, const struct parts *p, bool is_outermost)
{
	c->file[0] = c->name[0] = '\0';
	if (p->type != FUNCTION_NATIVE && !read_text(m, p->file, c->file))
		return false;
	if (!p->name) {
		name_code(c, p, is_outermost);
		return true;
	}
	if (!read_text(m, p->name, c->text) || (p->class && !read_text(m, p->class_name, c->name)))
		return false;
	tell_apart(c, p->first_line);
	size_t n = strlen(c->name);
	snprintf(c->name + n, sizeof c->name - n, "%s%.*s", p->class ? "::" : "", (int)(sizeof c->name - n), c->text);
	return true;
}

/* Reads a function anew. One in C without a name is a help of PHP's own. */
static bool read_function(struct php_codes *c, struct memory *m, struct function *f, bool is_outermost,
                          const struct language_names *names)
{
	const struct parts *p = &f->parts;
	f->is = (struct php_function){.is_native = p->type == FUNCTION_NATIVE,
	                              .first_line = p->first_line,
	                              .first = p->first,
	                              .last = p->first + (uint64_t)p->last * PHP_INSTRUCTION_SIZE};
	if (f->is.is_native && !p->name)
		return true;
	if (!read_name(c, m, p, is_outermost))
		return false;
	f->is.number = names->define(names->arg, &(struct language_function){c->name, c->file, p->first_line});
	c->lacks_room = f->is.number == NO_FUNCTION;
	return !c->lacks_room;
}

/* Compares what is known of a function with what it is now. NULL: it cannot be read, or makes no sense. */
static struct function *look_at(struct php_codes *c, struct memory *m, uint64_t address, bool is_outermost,
                                const struct language_names *names)
{
	uint64_t key = address | (is_outermost ? 1 : 0);
	struct function *f = slots_find(&c->functions, key);
	struct parts now;
	if (f && f->seen == c->stack)
		return f;
	bool is_read = read_parts(c->layout, m, address, &now);
	if (!f && is_read)
		f = slots_of(&c->functions, key);
	if (!f)
		return NULL;
	bool is_known = is_read && f->seen && memcmp(&f->parts, &now, sizeof now) == 0;
	if (is_read)
		f->parts = now;
	f->seen = is_known || (is_read && read_function(c, m, f, is_outermost, names)) ? c->stack : 0;
	return f->seen ? f : NULL;
}

bool php_codes_function(struct php_codes *c, struct memory *m, uint64_t address, bool is_outermost,
                        const struct language_names *names, struct php_function *out)
{
	const struct function *f = look_at(c, m, address, is_outermost, names);
	if (f)
		*out = f->is;
	return f;
}

bool php_codes_lack_room(const struct php_codes *c)
{
	return c->lacks_room;
}
