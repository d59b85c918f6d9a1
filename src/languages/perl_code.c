/*
 * perl_code.c - reads functions and statements, and keeps what was read.
 *
 * Both can be freed, and others take their places. So the head of each is compared once for each stack: of a
 * statement its number, its line and the pointer to its file, of a function the pointers to its body, name and
 * first operation.
 */
#include "languages/perl_code.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "languages/perl_text.h"
#include "languages/slots.h"

#define FILES_MOST 200000u
#define FILE_BYTES_MOST ((size_t)16 << 20) /* of their names; all are forgotten then */
#define LINE_MOST 10000000u
#define TYPE_MASK 0x1ffu /* of an operation */
#define FIRST_STEPS 8u   /* operations before the first statement of a function */
#define TYPE_LEAST 180u  /* of statements: 195 in 5.32, 202 in 5.42 */
#define TYPE_MOST 220u
#define CALL_BEFORE 11u /* from the type of a call of a sub to that of a statement */
#define SV_TYPE_MASK 0xffu
#define SV_TYPE_CODE 13u
#define SV_TYPE_FORMAT 14u
/* CvFLAGS */
#define CODE_IS_NATIVE 0x8u
#define CODE_HAS_NAME 0x8000u /* a HEK, rather than a symbol */
#define CODE_IS_LEXICAL 0x10000u
#define NEAR_READS 2000u /* for nearer lines, in one stack */

struct statement {
	uint64_t seen; /* the stack in which it was compared last */
	uint64_t file_at, owner;
	uint32_t type, line, number;
	uint32_t file; /* place in files */
	bool is_compiled;
};

struct function {
	uint64_t seen, body, name, start;
	uint32_t flags;
	struct perl_function is;
};

/* The line of an operation; found for a statement with this line, in the file of this name. */
struct near {
	uint64_t text;
	uint32_t line, near;
	bool is_found;
};

struct perl_codes {
	const struct perl_layout *layout;
	uint64_t stack;                     /* number of the one being read */
	uint32_t type;                      /* of statements, as found; 0: none yet */
	uint32_t near_reads;                /* that are left for this stack */
	struct slots statements, functions; /* by address */
	struct slots nears;                 /* by statement and operation */
	struct idmap file_places;
	struct file {
		char *name;
		uint64_t text;
	} * files;
	size_t n_files, cap_files, file_bytes;
	char name[LANGUAGE_TEXT], file[LANGUAGE_TEXT];
};

struct perl_codes *perl_codes_new(const struct perl_layout *layout)
{
	struct perl_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	c->statements = (struct slots){.size = sizeof(struct statement), .most = CODES_MOST};
	c->functions = (struct slots){.size = sizeof(struct function), .most = CODES_MOST};
	c->nears = (struct slots){.size = sizeof(struct near), .most = CODES_MOST};
	return c;
}

/* Statements and functions lead to names of files. */
static void forget_files(struct perl_codes *c)
{
	for (size_t i = 0; i < c->n_files; i++)
		free(c->files[i].name);
	c->n_files = c->file_bytes = 0;
	idmap_deinit(&c->file_places);
	slots_forget(&c->statements);
	slots_forget(&c->functions);
}

void perl_codes_free(struct perl_codes *c)
{
	if (!c)
		return;
	forget_files(c);
	slots_deinit(&c->statements);
	slots_deinit(&c->functions);
	slots_deinit(&c->nears);
	free(c->files);
	free(c);
}

void perl_codes_begin(struct perl_codes *c)
{
	c->stack++;
	c->near_reads = NEAR_READS;
	if (c->n_files >= FILES_MOST || c->file_bytes > FILE_BYTES_MOST)
		forget_files(c);
}

/* ---- statements ---------------------------------------------------------------------------------------------- */

/* The place of a file's name. */
static uint32_t file_of(struct perl_codes *c, const char *name)
{
	uint64_t text = hash_bytes(name, strlen(name));
	uint32_t at;
	if (idmap_find(&c->file_places, text, &at))
		return at;
	at = (uint32_t)c->n_files;
	mem_push(c->files, c->n_files, c->cap_files, ((struct file){mem_strdup(name), text}));
	idmap_add(&c->file_places, text, at);
	c->file_bytes += strlen(name) + 1;
	return at;
}

/* Reads the name of a file; that of 0 is empty. */
static bool read_file(struct perl_codes *c, struct memory *m, uint64_t at, uint32_t *file)
{
	bool is_read = true;
	c->file[0] = '\0';
	if (at && c->layout->is_threaded)
		is_read = memory_string(m, at, c->file, sizeof c->file);
	else if (at)
		is_read = perl_text_file(m, at, c->file, sizeof c->file);
	if (!is_read)
		return false;
	perl_text_merge_evals(c->file);
	*file = file_of(c, c->file);
	return true;
}

static bool look_at_statement(struct perl_codes *c, struct memory *m, uint64_t address, struct statement *s)
{
	unsigned char bytes[PERL_STATEMENT_SIZE];
	if (!memory_is_place(address) || !memory_read(m, address, bytes, sizeof bytes))
		return false;
	uint64_t file_at = memory_u64(bytes, PERL_STATEMENT_FILE);
	uint32_t number = memory_u32(bytes, PERL_STATEMENT_NUMBER), line = memory_u32(bytes, PERL_STATEMENT_LINE);
	uint32_t type = memory_u32(bytes, PERL_OP_TYPE) & TYPE_MASK;
	if (line >= LINE_MOST || (type && (type < TYPE_LEAST || type > TYPE_MOST)))
		return false;
	bool is_known = s->seen && s->number == number && s->file_at == file_at && s->line == line && type;
	if (!is_known && !read_file(c, m, file_at, &s->file))
		return false;
	s->owner = is_known ? s->owner : 0;
	s->number = number;
	s->file_at = file_at;
	s->line = line;
	s->type = type;
	s->is_compiled = !type || memory_u64(bytes, PERL_OP_NEXT) == address; /* one that leads nowhere yet */
	s->seen = c->stack;
	return true;
}

/* The statement as it is now. NULL: it cannot be read, or makes no sense. */
static const struct statement *find_statement(struct perl_codes *c, struct memory *m, uint64_t address)
{
	struct statement *s = slots_find(&c->statements, address), new = {0};
	if (s && s->seen == c->stack)
		return s;
	if (!look_at_statement(c, m, address, s ? s : &new)) {
		if (s)
			s->seen = 0;
		return NULL;
	}
	if (!s) {
		s = slots_of(&c->statements, address);
		*s = new;
	}
	return s;
}

void perl_codes_own(struct perl_codes *c, const struct perl_statement *s, uint64_t owner)
{
	struct statement *own = slots_find(&c->statements, s->address);
	if (own)
		own->owner = owner;
}

bool perl_codes_operation(const struct perl_codes *c, struct memory *m, uint64_t address,
                          struct perl_operation_head *head)
{
	unsigned char bytes[PERL_OP_FIRST];
	if (!memory_is_place(address) || !memory_read(m, address, bytes, sizeof bytes))
		return false;
	uint32_t type = memory_u32(bytes, PERL_OP_TYPE) & TYPE_MASK;
	head->next = memory_u64(bytes, PERL_OP_NEXT);
	head->is_statement = c->type && (type == c->type || type == c->type + 1);
	head->is_call = c->type && type + CALL_BEFORE == c->type;
	return true;
}

bool perl_codes_statement(struct perl_codes *c, struct memory *m, uint64_t address, struct perl_statement *out)
{
	const struct statement *s = find_statement(c, m, address);
	if (!s)
		return false;
	if (s->type && (!c->type || s->type < c->type))
		c->type = s->type;
	*out = (struct perl_statement){.address = address,
	                               .type = s->type,
	                               .is_compiled = s->is_compiled,
	                               .line = s->line,
	                               .text = c->files[s->file].text,
	                               .file = c->files[s->file].name,
	                               .owner = s->owner};
	return true;
}

static void search(struct perl_codes *c, struct memory *m, const struct perl_statement *s,
                   const struct perl_operation *o, struct near *near)
{
	struct memory few = memory_part(m, c->near_reads);
	uint32_t line = 0;
	near->is_found = perl_line_near(&few, s->address, c->type, o, &line);
	near->near = line ? line : s->line;
	near->line = s->line;
	near->text = s->text;
	memory_part_end(m, &few, &c->near_reads);
}

uint32_t perl_codes_line(struct perl_codes *c, struct memory *m, const struct perl_statement *s,
                         const struct perl_operation *o, bool *is_in_it)
{
	*is_in_it = false;
	if (!o->address || !s->type || !s->line)
		return s->line;
	struct near *near = slots_of(&c->nears, hash_keys(s->address, o->address ^ (o->is_next ? 1 : 0)));
	if (near->line != s->line || near->text != s->text)
		search(c, m, s, o, near);
	*is_in_it = near->is_found;
	return near->near;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

/* The first statement of a function, which comes after few other operations. false: there is none. */
static bool find_first(struct perl_codes *c, struct memory *m, uint64_t start, struct perl_statement *first)
{
	struct perl_operation_head head;
	for (unsigned i = 0; start && i < FIRST_STEPS && perl_codes_operation(c, m, start, &head); i++) {
		if (head.is_statement || !c->type)
			return perl_codes_statement(c, m, start, first);
		start = head.next;
	}
	return false;
}

/* The name, with that of its package. */
static bool read_name(struct perl_codes *c, struct memory *m, const unsigned char *body)
{
	uint32_t flags = memory_u32(body, PERL_CODE_FLAGS);
	uint64_t name = memory_u64(body, PERL_CODE_NAME);
	size_t n = 0;
	if (!(flags & CODE_HAS_NAME))
		return perl_text_symbol(c->layout, m, name, c->name, sizeof c->name);
	if (!(flags & CODE_IS_LEXICAL)) {
		if (!perl_text_package(c->layout, m, memory_u64(body, PERL_CODE_PACKAGE), c->name, sizeof c->name))
			return false;
		n = strlen(c->name);
		n += (size_t)snprintf(c->name + n, sizeof c->name - n, "::");
	}
	return n < sizeof c->name && perl_text_key(m, name, c->name + n, sizeof c->name - n);
}

/* "main::__ANON__" becomes "main::__ANON__[app.pl:12]", as Perl's own debugger writes it. */
static void tell_apart(struct perl_codes *c, const struct perl_statement *first)
{
	static const char mark[] = "::__ANON__";
	const char *slash = strrchr(first->file, '/');
	size_t n = strlen(c->name);
	if (n >= sizeof mark - 1 && strcmp(c->name + n - (sizeof mark - 1), mark) == 0)
		snprintf(c->name + n, sizeof c->name - n, "[%s:%u]", slash ? slash + 1 : first->file, first->line);
}

static bool read_function(struct perl_codes *c, struct memory *m, const unsigned char *body,
                          const struct language_names *names, struct perl_function *f)
{
	struct perl_statement first = {.file = ""};
	*f = (struct perl_function){.is_native = memory_u32(body, PERL_CODE_FLAGS) & CODE_IS_NATIVE};
	if (f->is_native)
		return true;
	if (!read_name(c, m, body))
		return false;
	if (find_first(c, m, memory_u64(body, PERL_CODE_START), &first))
		tell_apart(c, &first);
	else if (memory_string(m, memory_u64(body, PERL_CODE_FILE), c->file, sizeof c->file)) {
		perl_text_merge_evals(c->file); /* a pattern's code has no statement */
		uint32_t place = file_of(c, c->file);
		first.file = c->files[place].name;
		first.text = c->files[place].text;
	}
	f->first_line = first.line;
	f->text = first.text;
	f->number = names->define(names->arg, &(struct language_function){c->name, first.file, first.line});
	return f->number != NO_FUNCTION;
}

static bool look_at_function(struct perl_codes *c, struct memory *m, uint64_t address,
                             const struct language_names *names, struct function *f)
{
	unsigned char head[PERL_SV_SIZE], body[PERL_CODE_SIZE];
	if (!memory_is_place(address) || !memory_read(m, address, head, sizeof head))
		return false;
	uint32_t type = memory_u32(head, PERL_SV_FLAGS) & SV_TYPE_MASK;
	uint64_t body_at = memory_u64(head, PERL_SV_BODY);
	if ((type != SV_TYPE_CODE && type != SV_TYPE_FORMAT) || !memory_read(m, body_at, body, sizeof body))
		return false;
	uint64_t name = memory_u64(body, PERL_CODE_NAME), start = memory_u64(body, PERL_CODE_START);
	uint32_t flags = memory_u32(body, PERL_CODE_FLAGS) & (CODE_IS_NATIVE | CODE_HAS_NAME | CODE_IS_LEXICAL);
	bool is_known = f->seen && f->body == body_at && f->name == name && f->start == start && f->flags == flags;
	if (!is_known && !read_function(c, m, body, names, &f->is))
		return false;
	f->is.start = start;
	*f = (struct function){c->stack, body_at, name, start, flags, f->is};
	return true;
}

bool perl_codes_function(struct perl_codes *c, struct memory *m, uint64_t address,
                         const struct language_names *names, struct perl_function *out)
{
	struct function *f = slots_find(&c->functions, address), new = {0};
	if (!f || f->seen != c->stack) {
		if (!look_at_function(c, m, address, names, f ? f : &new)) {
			if (f)
				f->seen = 0;
			return false;
		}
		if (!f) {
			f = slots_of(&c->functions, address);
			*f = new;
		}
	}
	*out = f->is;
	return true;
}
