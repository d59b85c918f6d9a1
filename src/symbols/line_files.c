/*
 * line_files.c - what line tables know of source files.
 *
 * .debug_line has a table for each unit of compilation. That of version 5 begins with a header, which describes
 * itself: the members of directories and files, and the form of each.
 *
 *	length, version, sizes, length of the header, constants of the program
 *	members of a directory: {name: line_strp}
 *	directories: "/home/me", "src"
 *	members of a file: {name: line_strp} {directory: udata} {MD5: data16} {source: line_strp}
 *	files: "hot.c" 1 9f1c... "int main..."
 *	program: lines of addresses, which are libdw's work
 *
 * Files may come from anywhere: each read has a bound, and names may be joined and kept only up to a limit, since a
 * few bytes can refer to a long name again and again.
 */
#include "symbols/line_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/find.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/md5.h"
#include "base/mem.h"
#include "symbols/cfi_cursor.h"
#include "symbols/elf_compressed.h"
#include "symbols/elf_file.h"

#define MOST_BYTES ((size_t)256 << 20)       /* of a section */
#define MOST_NAME 4096u                      /* bytes of a directory or a name */
#define MOST_WORK ((size_t)512 << 20)        /* bytes of names that are joined */
#define MOST_KEPT ((size_t)64 << 20)         /* bytes of names that are kept */
#define MOST_DIRECTORIES ((uint64_t)1 << 20) /* of a unit */
#define MOST_MEMBERS 255u                    /* their count is a byte */
#define LONG_UNIT UINT32_MAX                 /* as length: the real one follows, and offsets have 8 bytes */
#define VERSION 5u

enum member { /* DW_LNCT_... */
	          MEMBER_PATH = 1,
	          MEMBER_DIRECTORY = 2,
	          MEMBER_MD5 = 5,
	          MEMBER_SOURCE = 0x2001, /* of LLVM */
};

enum form { /* DW_FORM_... */
	        FORM_BLOCK2 = 0x03,
	        FORM_BLOCK4 = 0x04,
	        FORM_DATA2 = 0x05,
	        FORM_DATA4 = 0x06,
	        FORM_DATA8 = 0x07,
	        FORM_STRING = 0x08,
	        FORM_BLOCK = 0x09,
	        FORM_BLOCK1 = 0x0a,
	        FORM_DATA1 = 0x0b,
	        FORM_STRP = 0x0e,
	        FORM_UDATA = 0x0f,
	        FORM_SEC_OFFSET = 0x17,
	        FORM_STRX = 0x1a,
	        FORM_STRP_SUP = 0x1d,
	        FORM_DATA16 = 0x1e,
	        FORM_LINE_STRP = 0x1f,
	        FORM_STRX1 = 0x25,
	        FORM_STRX2 = 0x26,
	        FORM_STRX3 = 0x27,
	        FORM_STRX4 = 0x28,
};

/* A part of a section; p is NULL: none. */
struct piece {
	const char *p;
	size_t n;
};

struct file {
	const char *name;
	uint8_t md5[MD5_BYTES];
	bool has_md5, is_in_doubt; /* units were compiled from different versions */
	struct piece text;         /* ends at a NUL, or with the piece */
};

struct line_files {
	struct line_sections sections;
	const struct elf_file *elf; /* while the tables are read; NULL: the sections are all there is */
	struct arena names;
	struct file *files;
	size_t n, cap;
	struct map map; /* of files by name */
	struct buf name;
	size_t work;
	bool has_texts;
};

struct value {
	uint64_t number;
	struct piece bytes; /* of texts: up to the end of the section, whose NUL was not looked for */
};

/* A file or a directory. */
struct entry {
	struct piece name, md5, text;
	uint64_t directory;
};

struct unit {
	struct line_files *f;
	struct cfi_cursor c;
	size_t offset_size;
	struct piece *directories;
	size_t n_directories, cap_directories;
};

/* ---- values -------------------------------------------------------------------------------------------------- */

/* n is 1 to 8. */
static uint64_t number(struct unit *u, size_t n)
{
	uint64_t v = cfi_fixed(&u->c, n);
	return u->f->sections.is_big ? __builtin_bswap64(v) >> (64 - 8 * n) : v;
}

static struct piece bytes_of(struct unit *u, uint64_t n)
{
	struct piece piece = {(const char *)u->c.p, (size_t)n};
	cfi_skip(&u->c, n);
	return u->c.is_bad ? (struct piece){NULL, 0} : piece;
}

static struct piece inline_text(struct unit *u)
{
	size_t left = cfi_left(&u->c);
	const unsigned char *nul = left ? memchr(u->c.p, '\0', left) : NULL;
	struct piece text = bytes_of(u, nul ? (uint64_t)(nul - u->c.p) : UINT64_MAX);
	cfi_skip(&u->c, 1);
	return text;
}

/* Few tables refer to .debug_str, which may be large. */
static const struct line_section *texts_of(struct line_files *f, uint64_t form)
{
	struct line_section *str = &f->sections.str;
	if (form == FORM_LINE_STRP)
		return &f->sections.line_str;
	if (!str->bytes && f->elf)
		str->bytes = elf_unpacked_bytes(f->elf, elf_debug_section(f->elf, ".debug_str"), MOST_BYTES, &str->n);
	return str;
}

static struct piece text_at(struct unit *u, uint64_t form)
{
	uint64_t offset = number(u, u->offset_size);
	const struct line_section *texts = texts_of(u->f, form);
	if (u->c.is_bad || !texts->bytes || offset >= texts->n)
		return (struct piece){NULL, 0};
	return (struct piece){(const char *)texts->bytes + offset, texts->n - (size_t)offset};
}

/* The cursor is bad after a form that the standard does not allow here: its size is unknown. */
static struct value value_of(struct unit *u, uint64_t form)
{
	struct value none = {0, {NULL, 0}};
	switch (form) {
	case FORM_STRING:
		return (struct value){.bytes = inline_text(u)};
	case FORM_LINE_STRP:
	case FORM_STRP:
		return (struct value){.bytes = text_at(u, form)};
	case FORM_DATA1:
		return (struct value){.number = number(u, 1)};
	case FORM_DATA2:
		return (struct value){.number = number(u, 2)};
	case FORM_DATA4:
		return (struct value){.number = number(u, 4)};
	case FORM_DATA8:
		return (struct value){.number = number(u, 8)};
	case FORM_UDATA:
		return (struct value){.number = cfi_uleb(&u->c)};
	case FORM_DATA16:
		return (struct value){.bytes = bytes_of(u, MD5_BYTES)};
	case FORM_BLOCK:
		return (struct value){.bytes = bytes_of(u, cfi_uleb(&u->c))};
	case FORM_BLOCK1:
		return (struct value){.bytes = bytes_of(u, number(u, 1))};
	case FORM_BLOCK2:
		return (struct value){.bytes = bytes_of(u, number(u, 2))};
	case FORM_BLOCK4:
		return (struct value){.bytes = bytes_of(u, number(u, 4))};
	case FORM_STRP_SUP: /* in another file */
	case FORM_SEC_OFFSET:
		cfi_skip(&u->c, u->offset_size);
		return none;
	case FORM_STRX: /* through a table of another section */
		cfi_uleb(&u->c);
		return none;
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
		cfi_skip(&u->c, form - FORM_STRX1 + 1);
		return none;
	default:
		u->c.is_bad = true;
		return none;
	}
}

/* ---- files --------------------------------------------------------------------------------------------------- */

/* "/home/me" -> "/home". false: there is nothing to take off. */
static bool drop_last(struct buf *path)
{
	const char *slash = path->len ? find_last(path->data, '/', path->len) : NULL;
	size_t last = slash ? (size_t)(slash - path->data) + 1 : 0;
	if (path->len == 0 || (path->len - last == 2 && memcmp(path->data + last, "..", 2) == 0))
		return false;
	path->len = last > 1 ? last - 1 : last;
	return true;
}

/* Appends the parts of a path, without "." and "x/..": "/a", "./b/../c" -> "/a/c". */
static void add_path(struct buf *path, const char *p, size_t n)
{
	if (path->len == 0 && n && *p == '/')
		buf_addc(path, '/');
	for (const char *end = p + n, *stop; p < end; p = stop + 1) {
		stop = memchr(p, '/', (size_t)(end - p));
		stop = stop ? stop : end;
		size_t len = (size_t)(stop - p);
		if (len == 0 || (len == 1 && *p == '.') || (len == 2 && memcmp(p, "..", 2) == 0 && drop_last(path)))
			continue;
		if (path->len && path->data[path->len - 1] != '/')
			buf_addc(path, '/');
		buf_add(path, p, len);
	}
}

static bool is_absolute(struct piece path)
{
	return path.n && *path.p == '/';
}

/* Relative directories are in the first one, where the compiler ran. */
static void add_directory(const struct unit *u, uint64_t i, struct buf *path)
{
	if (i >= u->n_directories)
		return;
	const struct piece first = u->directories[0], directory = u->directories[i];
	if (i && !is_absolute(directory))
		add_path(path, first.p, first.n);
	add_path(path, directory.p, directory.n);
}

static void join_name(const struct unit *u, const struct entry *e, struct buf *path)
{
	path->len = 0;
	if (!is_absolute(e->name))
		add_directory(u, e->directory, path);
	add_path(path, e->name.p, e->name.n);
}

static struct file *find_file(const struct line_files *f, uint64_t hash, const struct buf *name)
{
	MAP_EACH(&f->map, hash, i)
	if (strncmp(f->files[i].name, name->data, name->len) == 0 && !f->files[i].name[name->len])
		return &f->files[i];
	return NULL;
}

static struct file *known_file(struct line_files *f)
{
	uint64_t hash = hash_bytes(f->name.data, f->name.len);
	struct file *file = find_file(f, hash, &f->name);
	if (file)
		return file;
	map_add(&f->map, hash, (uint32_t)f->n);
	mem_push(f->files, f->n, f->cap, ((struct file){.name = arena_bytes(&f->names, f->name.data, f->name.len)}));
	return &f->files[f->n - 1];
}

/* Compilers write zeros if they could not read the file. */
static bool is_md5(struct piece bytes)
{
	static const uint8_t zeros[MD5_BYTES];
	return bytes.n == MD5_BYTES && memcmp(bytes.p, zeros, MD5_BYTES) != 0;
}

static void add_file(struct unit *u, const struct entry *e)
{
	struct line_files *f = u->f;
	bool has_md5 = is_md5(e->md5);
	if ((!has_md5 && !e->text.n) || f->names.total > MOST_KEPT)
		return;
	join_name(u, e, &f->name);
	f->work += f->name.len;
	if (!e->name.n || !f->name.len)
		return;
	struct file *file = known_file(f);
	if (has_md5 && !file->has_md5)
		memcpy(file->md5, e->md5.p, MD5_BYTES);
	file->is_in_doubt |= has_md5 && memcmp(e->md5.p, file->md5, MD5_BYTES) != 0;
	file->has_md5 |= has_md5;
	if (!file->text.n)
		file->text = e->text;
	f->has_texts |= e->text.n > 0;
}

/* ---- tables -------------------------------------------------------------------------------------------------- */

struct members {
	uint64_t kind[MOST_MEMBERS], form[MOST_MEMBERS];
	size_t n;
};

static void read_members(struct unit *u, struct members *m)
{
	m->n = (size_t)number(u, 1);
	for (size_t i = 0; i < m->n; i++) {
		m->kind[i] = cfi_uleb(&u->c);
		m->form[i] = cfi_uleb(&u->c);
	}
}

/* Up to the NUL; longer names are none. */
static struct piece cut_name(struct piece text)
{
	size_t n = text.n ? strnlen(text.p, text.n < MOST_NAME ? text.n : MOST_NAME) : 0;
	return n < MOST_NAME ? (struct piece){text.p, n} : (struct piece){NULL, 0};
}

static struct entry read_entry(struct unit *u, const struct members *m)
{
	struct entry e = {.directory = 0};
	for (size_t i = 0; i < m->n && !u->c.is_bad; i++) {
		struct value v = value_of(u, m->form[i]);
		if (m->kind[i] == MEMBER_PATH)
			e.name = cut_name(v.bytes);
		else if (m->kind[i] == MEMBER_DIRECTORY)
			e.directory = v.number;
		else if (m->kind[i] == MEMBER_MD5)
			e.md5 = v.bytes;
		else if (m->kind[i] == MEMBER_SOURCE)
			e.text = v.bytes;
	}
	u->f->work += e.name.n + 1;
	return e;
}

/* Does another entry follow? One without bytes would never end. */
static bool goes_on(const struct unit *u, const unsigned char *before)
{
	return !u->c.is_bad && u->c.p > before && u->f->work < MOST_WORK;
}

static void read_files(struct unit *u)
{
	struct members m;
	const unsigned char *before = NULL;
	read_members(u, &m);
	uint64_t n = cfi_uleb(&u->c);
	for (uint64_t i = 0; i < n && i < MOST_DIRECTORIES && goes_on(u, before); i++) {
		before = u->c.p;
		struct entry e = read_entry(u, &m);
		mem_push(u->directories, u->n_directories, u->cap_directories, e.name);
	}
	if (n > u->n_directories)
		return;
	read_members(u, &m);
	n = cfi_uleb(&u->c);
	before = NULL;
	for (uint64_t i = 0; i < n && goes_on(u, before); i++) {
		before = u->c.p;
		struct entry e = read_entry(u, &m);
		if (!u->c.is_bad)
			add_file(u, &e);
	}
}

/* Reads the header of a unit after its version, up to the end of its files. */
static void read_unit(struct unit *u)
{
	cfi_skip(&u->c, 2); /* sizes of addresses and of segments */
	uint64_t header = number(u, u->offset_size);
	if (header < cfi_left(&u->c))
		u->c.end = u->c.p + header;
	cfi_skip(&u->c, 5); /* constants of the program */
	uint64_t opcodes = number(u, 1);
	cfi_skip(&u->c, opcodes ? opcodes - 1 : 0);
	u->n_directories = 0;
	if (!u->c.is_bad)
		read_files(u);
}

static void read_units(struct line_files *f)
{
	const struct line_section *line = &f->sections.line;
	struct unit u = {.f = f, .c = {line->bytes, line->bytes + line->n, false}};
	while (!u.c.is_bad && cfi_left(&u.c) && f->work < MOST_WORK) {
		uint64_t length = number(&u, 4);
		u.offset_size = length == LONG_UNIT ? 8 : 4;
		length = length == LONG_UNIT ? number(&u, 8) : length;
		struct cfi_cursor rest = u.c;
		cfi_skip(&rest, length);
		u.c.end = rest.p;
		if (!rest.is_bad && number(&u, 2) == VERSION)
			read_unit(&u);
		u.c = rest;
	}
	free(u.directories);
}

static void drop_sections(struct line_files *f)
{
	free(f->sections.line.bytes);
	free(f->sections.line_str.bytes);
	free(f->sections.str.bytes);
	f->sections = (struct line_sections){.is_big = f->sections.is_big};
}

static struct line_files *read_tables(const struct line_sections *sections, const struct elf_file *elf)
{
	struct line_files *f = mem_zalloc(1, sizeof *f);
	f->sections = *sections;
	f->elf = elf;
	arena_init(&f->names);
	map_init(&f->map, 64);
	buf_init(&f->name);
	if (sections->line.bytes)
		read_units(f);
	f->elf = NULL;
	if (!f->has_texts)
		drop_sections(f);
	return f;
}

struct line_files *line_files_read(const struct line_sections *sections)
{
	return read_tables(sections, NULL);
}

static struct line_section section_of(const struct elf_file *elf, const char *name)
{
	struct line_section s = {NULL, 0};
	s.bytes = elf_unpacked_bytes(elf, elf_debug_section(elf, name), MOST_BYTES, &s.n);
	return s;
}

struct line_files *line_files_open(const char *path)
{
	struct elf_file elf;
	if (!elf_file_open(&elf, path, NULL))
		return NULL;
	const struct line_sections sections = {.line = section_of(&elf, ".debug_line"),
	                                       .line_str = section_of(&elf, ".debug_line_str"),
	                                       .is_big = elf.is_big};
	struct line_files *f = read_tables(&sections, &elf);
	elf_file_close(&elf);
	return f;
}

void line_files_free(struct line_files *f)
{
	if (!f)
		return;
	drop_sections(f);
	arena_deinit(&f->names);
	map_deinit(&f->map);
	buf_deinit(&f->name);
	free(f->files);
	free(f);
}

void line_files_find(const struct line_files *f, const char *name, struct source_facts *facts)
{
	struct buf path;
	buf_init(&path);
	add_path(&path, name, strlen(name));
	const struct file *file = path.len ? find_file(f, hash_bytes(path.data, path.len), &path) : NULL;
	facts->md5 = file && file->has_md5 && !file->is_in_doubt ? file->md5 : NULL;
	facts->text = file ? file->text.p : NULL;
	facts->len = facts->text ? strnlen(facts->text, file->text.n) : 0;
	buf_deinit(&path);
}
