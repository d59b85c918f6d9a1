/*
 * elf_file.c - sections and segments of an ELF file of any class and byte order.
 *
 * Tables are read into memory whole, but only if they lie within the file, so a small file takes little memory.
 * pread() reads the files instead of a mapping: a file that shrinks meanwhile causes an error, not a signal.
 */
#include "symbols/elf_file.h"

#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/regular.h"

/* Upper bounds for the tables of honest files. */
#define SECTIONS_MAX ((uint64_t)256 << 10)
#define SEGMENTS_MAX ((uint64_t)64 << 10)
#define NAMES_MAX ((size_t)16 << 20)
#define NOTES_MAX ((size_t)1 << 20)

#define NOTE_BUILD_ID 3

uint16_t elf_u16(const struct elf_file *elf, const void *at)
{
	const unsigned char *p = at;
	return (uint16_t)(elf->is_big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

uint32_t elf_u32(const struct elf_file *elf, const void *at)
{
	uint32_t v;
	memcpy(&v, at, sizeof v);
	return elf->is_big == MACHINE_IS_BIG ? v : __builtin_bswap32(v);
}

uint64_t elf_u64(const struct elf_file *elf, const void *at)
{
	uint64_t v;
	memcpy(&v, at, sizeof v);
	return elf->is_big == MACHINE_IS_BIG ? v : __builtin_bswap64(v);
}

uint64_t elf_word(const struct elf_file *elf, const void *at)
{
	return elf->is_64 ? elf_u64(elf, at) : elf_u32(elf, at);
}

bool elf_file_read(const struct elf_file *elf, uint64_t offset, void *bytes, size_t n)
{
	if (offset > elf->size || n > elf->size - offset)
		return false;
	if (elf->fd >= 0)
		return regular_read(elf->fd, offset, bytes, n);
	if (n > 0)
		memcpy(bytes, elf->bytes + offset, n);
	return true;
}

/* Reads a table of n entries of `step` bytes, at least `least` each; NULL: it is not there. */
static unsigned char *read_table(const struct elf_file *elf, uint64_t offset, uint64_t n, size_t step, size_t least)
{
	if (offset == 0 || n == 0 || step < least || offset > elf->size || n > (elf->size - offset) / step)
		return NULL;
	unsigned char *table = mem_alloc((size_t)n * step);
	if (elf_file_read(elf, offset, table, (size_t)n * step))
		return table;
	free(table);
	return NULL;
}

static struct elf_section section_at(const struct elf_file *elf, const unsigned char *p)
{
	size_t w = elf_word_size(elf);
	const unsigned char *q = p + 8; /* after sh_name and sh_type */
	return (struct elf_section){
		.name = elf_u32(elf, p),
		.type = elf_u32(elf, p + 4),
		.flags = elf_word(elf, q),
		.address = elf_word(elf, q + w),
		.offset = elf_word(elf, q + 2 * w),
		.size = elf_word(elf, q + 3 * w),
		.link = elf_u32(elf, q + 4 * w),
		.info = elf_u32(elf, q + 4 * w + 4),
		.entry_size = elf_word(elf, q + 5 * w + 8),
	};
}

static struct elf_segment segment_at(const struct elf_file *elf, const unsigned char *p)
{
	struct elf_segment s = {.type = elf_u32(elf, p)};
	size_t w = elf_word_size(elf);
	const unsigned char *q = p + w; /* p_flags stands before the words, or after them */
	s.flags = elf_u32(elf, elf->is_64 ? p + 4 : p + 24);
	s.offset = elf_word(elf, q);
	s.vaddr = elf_word(elf, q + w);
	s.file_size = elf_word(elf, q + 3 * w);
	s.memory_size = elf_word(elf, q + 4 * w);
	return s;
}

static void read_sections(struct elf_file *elf, const unsigned char *header)
{
	size_t w = elf_word_size(elf);
	const unsigned char *counts = header + 24 + 3 * w + 4; /* e_ehsize */
	uint64_t offset = elf_word(elf, header + 24 + 2 * w), n = elf_u16(elf, counts + 8);
	uint32_t names = elf_u16(elf, counts + 10);
	size_t step = elf_u16(elf, counts + 6), least = elf->is_64 ? 64 : 40;
	unsigned char *table = read_table(elf, offset, 1, step, least);
	if (!table)
		return;
	struct elf_section first = section_at(elf, table); /* has the numbers that are too large for the header */
	free(table);
	n = n == 0 ? first.size : n;
	names = names == 0xFFFF ? first.link : names;
	table = n <= SECTIONS_MAX ? read_table(elf, offset, n, step, least) : NULL;
	if (!table)
		return;
	elf->n_sections = (size_t)n;
	elf->sections = mem_alloc(elf->n_sections * sizeof *elf->sections);
	for (size_t i = 0; i < elf->n_sections; i++)
		elf->sections[i] = section_at(elf, table + i * step);
	free(table);
	if (names < n)
		elf->names = (char *)elf_section_bytes(elf, &elf->sections[names], NAMES_MAX, &elf->names_len);
}

static void read_segments(struct elf_file *elf, const unsigned char *header)
{
	size_t w = elf_word_size(elf);
	const unsigned char *counts = header + 24 + 3 * w + 4;
	uint64_t n = elf_u16(elf, counts + 4);
	if (n == 0xFFFF && elf->n_sections > 0)
		n = elf->sections[0].info;
	size_t step = elf_u16(elf, counts + 2);
	unsigned char *table =
		n <= SEGMENTS_MAX ? read_table(elf, elf_word(elf, header + 24 + w), n, step, elf->is_64 ? 56 : 32) : NULL;
	if (!table)
		return;
	elf->n_segments = (size_t)n;
	elf->segments = mem_alloc(elf->n_segments * sizeof *elf->segments);
	for (size_t i = 0; i < elf->n_segments; i++)
		elf->segments[i] = segment_at(elf, table + i * step);
	free(table);
}

static bool read_header(struct elf_file *elf, struct err *err)
{
	unsigned char header[64] = {0};
	size_t n = elf->size < sizeof header ? (size_t)elf->size : sizeof header;
	if (n < 52 || !elf_file_read(elf, 0, header, n) ||
	    memcmp(header,
	           "\x7F"
	           "ELF",
	           4) != 0)
		return fail(err, "not an ELF file");
	if (header[4] < 1 || header[4] > 2 || header[5] < 1 || header[5] > 2 || (header[4] == 2 && n < 64))
		return fail(err, "a damaged ELF file");
	elf->is_64 = header[4] == 2;
	elf->is_big = header[5] == 2;
	elf->type = elf_u16(elf, header + 16);
	elf->machine = elf_u16(elf, header + 18);
	read_sections(elf, header);
	read_segments(elf, header);
	return true;
}

bool elf_file_open(struct elf_file *elf, const char *path, struct err *err)
{
	struct stat st;
	*elf = (struct elf_file){.fd = regular_open(path, &st, err)};
	if (elf->fd < 0)
		return false;
	elf->size = (uint64_t)st.st_size;
	if (read_header(elf, err))
		return true;
	elf_file_close(elf);
	return false;
}

bool elf_file_open_bytes(struct elf_file *elf, unsigned char *bytes, size_t n, struct err *err)
{
	*elf = (struct elf_file){.fd = -1, .bytes = bytes, .size = n};
	if (read_header(elf, err))
		return true;
	elf_file_close(elf);
	return false;
}

void elf_file_close(struct elf_file *elf)
{
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->bytes);
	free(elf->sections);
	free(elf->segments);
	free(elf->names);
	*elf = (struct elf_file){.fd = -1};
}

/* "" if the name is damaged. */
static const char *elf_section_name(const struct elf_file *elf, const struct elf_section *section)
{
	return section->name < elf->names_len ? elf->names + section->name : "";
}

const struct elf_section *elf_section_named(const struct elf_file *elf, const char *name)
{
	for (size_t i = 1; i < elf->n_sections; i++)
		if (strcmp(elf_section_name(elf, &elf->sections[i]), name) == 0)
			return &elf->sections[i];
	return NULL;
}

bool elf_is_debug_section(const char *section, const char *name)
{
	return strcmp(section, name) == 0 || (strncmp(section, ".z", 2) == 0 && strcmp(section + 2, name + 1) == 0);
}

const struct elf_section *elf_debug_section(const struct elf_file *elf, const char *name)
{
	for (size_t i = 1; i < elf->n_sections; i++)
		if (elf_is_debug_section(elf_section_name(elf, &elf->sections[i]), name))
			return &elf->sections[i];
	return NULL;
}

const struct elf_section *elf_section_of_type(const struct elf_file *elf, uint32_t type)
{
	for (size_t i = 1; i < elf->n_sections; i++)
		if (elf->sections[i].type == type)
			return &elf->sections[i];
	return NULL;
}

const struct elf_segment *elf_segment_of_type(const struct elf_file *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->n_segments; i++)
		if (elf->segments[i].type == type)
			return &elf->segments[i];
	return NULL;
}

const struct elf_section *elf_section_linked(const struct elf_file *elf, const struct elf_section *section)
{
	return section->link > 0 && section->link < elf->n_sections ? &elf->sections[section->link] : NULL;
}

unsigned char *elf_section_bytes(const struct elf_file *elf, const struct elf_section *section, size_t most,
                                 size_t *n)
{
	*n = 0;
	if (!section || section->type == ELF_SECTION_NOBITS || section->flags & ELF_SECTION_COMPRESSED ||
	    section->size > most || section->offset > elf->size || section->size > elf->size - section->offset)
		return NULL;
	unsigned char *bytes = mem_alloc((size_t)section->size + 1);
	if (!elf_file_read(elf, section->offset, bytes, (size_t)section->size)) {
		free(bytes);
		return NULL;
	}
	bytes[section->size] = '\0';
	*n = (size_t)section->size;
	return bytes;
}

static size_t padded(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

/* The build id among notes: {u32 name_len, desc_len, type; name; desc}, both padded to 4. */
static size_t build_id_of_notes(const struct elf_file *elf, const unsigned char *notes, size_t n,
                                uint8_t id[BUILD_ID_MAX])
{
	while (n >= 12) {
		uint32_t name_len = elf_u32(elf, notes), len = elf_u32(elf, notes + 4);
		size_t name = padded(name_len), desc = padded(len);
		if (name > n - 12 || len > n - 12 - name)
			return 0;
		if (elf_u32(elf, notes + 8) == NOTE_BUILD_ID && name_len == 4 && memcmp(notes + 12, "GNU", 4) == 0) {
			size_t most = len < BUILD_ID_MAX ? len : BUILD_ID_MAX;
			memcpy(id, notes + 12 + name, most);
			return most;
		}
		if (desc > n - 12 - name)
			return 0;
		notes += 12 + name + desc;
		n -= 12 + name + desc;
	}
	return 0;
}

static size_t build_id_at(const struct elf_file *elf, uint64_t offset, uint64_t size, uint8_t id[BUILD_ID_MAX])
{
	if (size > NOTES_MAX || offset > elf->size || size > elf->size - offset)
		return 0;
	unsigned char *notes = mem_alloc((size_t)size);
	size_t n = 0;
	if (elf_file_read(elf, offset, notes, (size_t)size))
		n = build_id_of_notes(elf, notes, (size_t)size, id);
	free(notes);
	return n;
}

size_t elf_build_id(const struct elf_file *elf, uint8_t id[BUILD_ID_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < elf->n_sections && n == 0; i++)
		if (elf->sections[i].type == ELF_SECTION_NOTE)
			n = build_id_at(elf, elf->sections[i].offset, elf->sections[i].size, id);
	for (size_t i = 0; i < elf->n_segments && n == 0; i++)
		if (elf->segments[i].type == ELF_SEGMENT_NOTE)
			n = build_id_at(elf, elf->segments[i].offset, elf->segments[i].file_size, id);
	return n;
}

static size_t without_zeros(const uint8_t *id, size_t n)
{
	while (n > 0 && id[n - 1] == 0)
		n--;
	return n;
}

bool build_id_is_same(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
	n_a = without_zeros(a, n_a);
	return n_a > 0 && n_a == without_zeros(b, n_b) && memcmp(a, b, n_a) == 0;
}
