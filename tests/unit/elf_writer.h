/*
 * elf_writer.h - small ELF files of either class and byte order, made in memory.
 */
#ifndef TESTS_UNIT_ELF_WRITER_H
#define TESTS_UNIT_ELF_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "symbols/elf_file.h"
#include "tests/tap.h"

#define WRITER_SECTIONS 16
#define WRITER_SEGMENTS 4

struct elf_writer {
	bool is_64, is_big;
	uint16_t type, machine;
	struct elf_section sections[WRITER_SECTIONS]; /* number 0 stays empty */
	struct buf bodies[WRITER_SECTIONS];
	size_t n_sections;
	struct elf_segment segments[WRITER_SEGMENTS];
	size_t n_segments;
	struct buf names;
};

TAP_FN void writer_int(const struct elf_writer *w, struct buf *b, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_addc(b, (char)(v >> 8 * (w->is_big ? bytes - 1 - i : i)));
}

TAP_FN void writer_word(const struct elf_writer *w, struct buf *b, uint64_t v)
{
	writer_int(w, b, v, w->is_64 ? 8 : 4);
}

TAP_FN void writer_init(struct elf_writer *w, bool is_64, bool is_big)
{
	*w = (struct elf_writer){.is_64 = is_64, .is_big = is_big, .type = ELF_FILE_DYN, .n_sections = 1};
	w->machine = ELF_MACHINE_X86_64;
	buf_addc(&w->names, '\0');
}

/* Returns its number; bytes are added to bodies[number]. */
TAP_FN uint32_t writer_section(struct elf_writer *w, const char *name, struct elf_section as)
{
	as.name = (uint32_t)w->names.len;
	buf_add(&w->names, name, strlen(name) + 1);
	w->sections[w->n_sections] = as;
	return (uint32_t)w->n_sections++;
}

TAP_FN void writer_segment(struct elf_writer *w, uint32_t flags, uint64_t offset, uint64_t vaddr, uint64_t size)
{
	w->segments[w->n_segments++] = (struct elf_segment){ELF_SEGMENT_LOAD, flags, offset, vaddr, size, size};
}

struct writer_symbol {
	const char *name;
	uint64_t value, size;
	uint32_t section;
	uint8_t bind, kind, other;
};

/* A table of symbols and its names, ".symtab" or ".dynsym". */
TAP_FN void writer_symbols(struct elf_writer *w, const char *name, const struct writer_symbol *s, size_t n)
{
	bool is_dynamic = strcmp(name, ".dynsym") == 0;
	uint32_t names = writer_section(w, is_dynamic ? ".dynstr" : ".strtab", (struct elf_section){.type = 3});
	uint32_t table = writer_section(w, name, (struct elf_section){.link = names});
	w->sections[table].type = is_dynamic ? ELF_SECTION_DYNSYM : ELF_SECTION_SYMTAB;
	w->sections[table].entry_size = w->is_64 ? 24 : 16;
	buf_pad(&w->bodies[table], '\0', w->is_64 ? 24 : 16);
	buf_addc(&w->bodies[names], '\0');
	for (size_t i = 0; i < n; i++) {
		struct buf *b = &w->bodies[table];
		writer_int(w, b, w->bodies[names].len, 4);
		buf_add(&w->bodies[names], s[i].name, strlen(s[i].name) + 1);
		if (!w->is_64) {
			writer_int(w, b, s[i].value, 4);
			writer_int(w, b, s[i].size, 4);
		}
		buf_addc(b, (char)(s[i].bind << 4 | s[i].kind));
		buf_addc(b, (char)s[i].other);
		writer_int(w, b, s[i].section, 2);
		if (w->is_64) {
			writer_int(w, b, s[i].value, 8);
			writer_int(w, b, s[i].size, 8);
		}
	}
}

TAP_FN void writer_header(const struct elf_writer *w, struct buf *out, uint64_t sections)
{
	buf_add(out,
	        "\x7F"
	        "ELF",
	        4);
	buf_addc(out, w->is_64 ? 2 : 1);
	buf_addc(out, w->is_big ? 2 : 1);
	buf_addc(out, 1);
	buf_pad(out, '\0', 9);
	writer_int(w, out, w->type, 2);
	writer_int(w, out, w->machine, 2);
	writer_int(w, out, 1, 4);
	writer_word(w, out, 0);
	writer_word(w, out, w->is_64 ? 64 : 52);
	writer_word(w, out, sections);
	writer_int(w, out, 0, 4);
	writer_int(w, out, w->is_64 ? 64 : 52, 2);
	writer_int(w, out, w->is_64 ? 56 : 32, 2);
	writer_int(w, out, w->n_segments, 2);
	writer_int(w, out, w->is_64 ? 64 : 40, 2);
	writer_int(w, out, w->n_sections, 2);
	writer_int(w, out, w->n_sections - 1, 2);
}

TAP_FN void writer_put_segment(const struct elf_writer *w, struct buf *out, const struct elf_segment *s)
{
	writer_int(w, out, s->type, 4);
	if (w->is_64)
		writer_int(w, out, s->flags, 4);
	writer_word(w, out, s->offset);
	writer_word(w, out, s->vaddr);
	writer_word(w, out, s->vaddr);
	writer_word(w, out, s->file_size);
	writer_word(w, out, s->memory_size);
	if (!w->is_64)
		writer_int(w, out, s->flags, 4);
	writer_word(w, out, 4096);
}

TAP_FN void writer_put_section(const struct elf_writer *w, struct buf *out, const struct elf_section *s)
{
	writer_int(w, out, s->name, 4);
	writer_int(w, out, s->type, 4);
	writer_word(w, out, s->flags);
	writer_word(w, out, s->address);
	writer_word(w, out, s->offset);
	writer_word(w, out, s->size);
	writer_int(w, out, s->link, 4);
	writer_int(w, out, s->info, 4);
	writer_word(w, out, 1);
	writer_word(w, out, s->entry_size);
}

/* The file; all that the writer had is freed. Sections with a size of their own keep it. */
TAP_FN struct buf writer_finish(struct elf_writer *w)
{
	struct buf out, header;
	uint32_t last = writer_section(w, ".shstrtab", (struct elf_section){.type = 3});
	buf_add(&w->bodies[last], w->names.data, w->names.len);
	buf_init(&out);
	buf_init(&header);
	buf_pad(&out, '\0', w->is_64 ? 64 : 52);
	for (size_t i = 0; i < w->n_segments; i++)
		writer_put_segment(w, &out, &w->segments[i]);
	for (size_t i = 1; i < w->n_sections; i++) {
		w->sections[i].offset = out.len;
		w->sections[i].size = w->sections[i].size ? w->sections[i].size : w->bodies[i].len;
		buf_add(&out, w->bodies[i].data, w->bodies[i].len);
	}
	writer_header(w, &header, out.len);
	memcpy(out.data, header.data, header.len);
	for (size_t i = 0; i < w->n_sections; i++)
		writer_put_section(w, &out, &w->sections[i]);
	for (size_t i = 0; i < w->n_sections; i++)
		buf_deinit(&w->bodies[i]);
	buf_deinit(&w->names);
	buf_deinit(&header);
	return out;
}

/* {name "GNU", build id} as a note. */
TAP_FN void writer_build_id(struct elf_writer *w, const char *id, size_t n)
{
	uint32_t note = writer_section(w, ".note.gnu.build-id", (struct elf_section){.type = ELF_SECTION_NOTE});
	writer_int(w, &w->bodies[note], 4, 4);
	writer_int(w, &w->bodies[note], n, 4);
	writer_int(w, &w->bodies[note], 3, 4);
	buf_add(&w->bodies[note], "GNU", 4);
	buf_add(&w->bodies[note], id, n);
}

#endif
