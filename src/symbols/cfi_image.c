/*
 * cfi_image.c - reads an ELF file's headers and its .eh_frame and .debug_frame.
 *
 * Without section headers (a stripped program, the vDSO of some kernels) the table of ELF_SEGMENT_FRAMES locates
 * .eh_frame, which ends with its segment.
 */
#include "symbols/cfi_image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/platform.h"
#include "base/regular.h"
#include "symbols/elf_compressed.h"
#include "symbols/elf_file.h"
#include "symbols/elf_layout.h"

#if ON_LINUX
#include <sys/auxv.h>
#endif

#define MOST_SECTION ((uint64_t)128 << 20)
#define INDEX_RATIO 4u /* bytes of the index (symbols/cfi_index.h) for each byte of a section */
#define MOST_NAMES ((uint64_t)16 << 20)
#define MOST_HEADERS 65536u
#define MOST_NOTES 65536u
#define PAGE ((uint64_t)4096)
#define BLOCK 512u /* of st_blocks */

/* An image while it is opened. */
struct reading {
	struct cfi_image *image;
	int fd;        /* -1: it is in memory */
	uint64_t used; /* bytes of the file, without holes */
	bool *is_refused;
	struct err *err;
};

static bool read_at(const struct reading *r, uint64_t offset, void *to, size_t n)
{
	if (offset > r->image->size || n > r->image->size - offset)
		return false;
	if (r->image->memory) {
		memcpy(to, r->image->memory + offset, n);
		return true;
	}
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(r->fd, (char *)to + done, n - done, (off_t)(offset + done));
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Reads bytes of the file into new memory; NULL: there are fewer. */
static unsigned char *read_new(const struct reading *r, uint64_t offset, uint64_t n, uint64_t most)
{
	if (n == 0 || n > most || offset > r->image->size || n > r->image->size - offset)
		return NULL;
	unsigned char *bytes = mem_alloc((size_t)n);
	if (read_at(r, offset, bytes, (size_t)n))
		return bytes;
	free(bytes);
	return NULL;
}

/* ---- segments ----------------------------------------------------------------------------------- */

static size_t aligned4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void read_build_id(const struct reading *r, uint64_t offset, uint64_t size)
{
	unsigned char *notes = read_new(r, offset, size, MOST_NOTES);
	struct elf_note note;
	for (size_t at = 0; notes && at + sizeof note <= size;) {
		memcpy(&note, notes + at, sizeof note);
		size_t name = little32(note.namesz), n = little32(note.descsz);
		size_t text = at + sizeof note + aligned4(name);
		if (name > size || n > size || text > size || n > size - text)
			break;
		if (little32(note.type) == ELF_NOTE_BUILD_ID && name == 4 && n <= sizeof r->image->build_id &&
		    memcmp(notes + at + sizeof note, "GNU", 4) == 0) {
			memcpy(r->image->build_id, notes + text, n);
			r->image->n_build_id = n;
		}
		at = text + aligned4(n);
	}
	free(notes);
}

static void add_segment(struct cfi_image *image, const struct elf_segment_header *h)
{
	image->segments[image->n_segments++] = (struct cfi_segment){
		.vaddr = little64(h->vaddr),
		.offset = little64(h->offset),
		.size = little64(h->filesz),
		.is_executable = (little32(h->flags) & ELF_SEGMENT_EXECUTABLE) != 0,
	};
}

/* Returns the offset of the table that ELF_SEGMENT_FRAMES names; 0: there is none. */
static uint64_t read_segments(const struct reading *r, const struct elf_header *header)
{
	uint64_t table = 0, bytes = (uint64_t)little16(header->phnum) * sizeof(struct elf_segment_header);
	size_t n = little16(header->phnum);
	if (little16(header->phentsize) != sizeof(struct elf_segment_header))
		return 0;
	struct elf_segment_header *headers =
		(struct elf_segment_header *)(void *)read_new(r, little64(header->phoff), bytes, bytes);
	r->image->segments = mem_zalloc(n, sizeof *r->image->segments);
	for (size_t i = 0; headers && i < n; i++) {
		if (little32(headers[i].type) == ELF_SEGMENT_LOAD)
			add_segment(r->image, &headers[i]);
		else if (little32(headers[i].type) == ELF_SEGMENT_NOTE && !r->image->n_build_id)
			read_build_id(r, little64(headers[i].offset), little64(headers[i].filesz));
		else if (little32(headers[i].type) == ELF_SEGMENT_FRAMES)
			table = little64(headers[i].vaddr);
	}
	free(headers);
	return table;
}

static const struct cfi_segment *segment_of(const struct cfi_image *image, uint64_t vaddr)
{
	for (size_t i = 0; i < image->n_segments; i++)
		if (vaddr >= image->segments[i].vaddr && vaddr - image->segments[i].vaddr < image->segments[i].size)
			return &image->segments[i];
	return NULL;
}

bool cfi_image_address(const struct cfi_image *image, uint64_t offset, uint64_t *vaddr)
{
	const struct cfi_segment *found = NULL;
	for (size_t i = 0; i < image->n_segments; i++) {
		const struct cfi_segment *s = &image->segments[i];
		if (offset >= (s->offset & ~(PAGE - 1)) && offset < s->offset + s->size && (!found || s->is_executable))
			found = s;
	}
	if (found)
		*vaddr = offset - found->offset + found->vaddr;
	return found != NULL;
}

/* ---- sections ----------------------------------------------------------------------------------- */

/* Counts the bytes that a section holds. false: they are too many, of all files if r->err is set. */
static bool is_fine(const struct reading *r, uint64_t holds)
{
	struct debug_cost *cost = &r->image->cost;
	if (holds > MOST_SECTION || *r->is_refused)
		return false;
	*r->is_refused = !debug_cost_bytes(cost, holds * (1 + INDEX_RATIO), cost->size ? 0 : r->used, r->image->path,
	                                   "its call frame information", r->err);
	return !*r->is_refused;
}

static void take_section(const struct reading *r, const struct elf_section_header *s, const char *name)
{
	struct cfi_section *to = strcmp(name, ".eh_frame") == 0               ? &r->image->eh_frame
	                         : elf_is_debug_section(name, ".debug_frame") ? &r->image->debug_frame
	                                                                      : NULL;
	const struct elf_file kind = {.is_64 = true}; /* others are not read */
	size_t n = (size_t)little64(s->size);
	if (!to || to->bytes || little32(s->type) == ELF_SECTION_NOBITS)
		return;
	bool is_marked = little64(s->flags) & (uint64_t)ELF_SECTION_COMPRESSED;
	unsigned char *bytes = read_new(r, little64(s->offset), n, MOST_SECTION);
	uint64_t holds = bytes ? elf_unpacked_size(&kind, bytes, is_marked, n) : 0;
	if (bytes && !is_fine(r, holds)) {
		free(bytes);
		return;
	}
	if (bytes)
		bytes = elf_unpack_bytes(&kind, bytes, is_marked, (size_t)holds, &n);
	if (bytes)
		*to = (struct cfi_section){bytes, n, little64(s->addr)};
}

static void read_sections(const struct reading *r, const struct elf_header *header)
{
	size_t n = little16(header->shnum), strings = little16(header->shstrndx);
	uint64_t n_names = 0;
	char *names = NULL;
	if (little16(header->shentsize) != sizeof(struct elf_section_header) || n > MOST_HEADERS)
		return;
	struct elf_section_header *s = (struct elf_section_header *)(void *)read_new(
		r, little64(header->shoff), n * sizeof *s, MOST_HEADERS * sizeof *s);
	if (s && strings < n) {
		n_names = little64(s[strings].size);
		names = (char *)read_new(r, little64(s[strings].offset), n_names, MOST_NAMES);
	}
	if (names)
		names[n_names - 1] = '\0';
	for (size_t i = 0; names && i < n; i++)
		if (little32(s[i].name) < n_names)
			take_section(r, &s[i], names + little32(s[i].name));
	free(names);
	free(s);
}

/* Accepts version 1 with a four-byte pointer relative to its place, as every linker writes it. */
static void find_eh_frame(const struct reading *r, uint64_t table)
{
	unsigned char head[8];
	int32_t distance;
	struct cfi_section *to = &r->image->eh_frame;
	const struct cfi_segment *s = segment_of(r->image, table);
	if (!s || !read_at(r, table - s->vaddr + s->offset, head, sizeof head) || head[0] != 1 || head[1] != 0x1b)
		return;
	memcpy(&distance, head + 4, sizeof distance);
	uint64_t vaddr = table + 4 + (uint64_t)(int64_t)(int32_t)little32((uint32_t)distance);
	s = segment_of(r->image, vaddr);
	if (!s)
		return;
	uint64_t n = s->size - (vaddr - s->vaddr);
	if (is_fine(r, n))
		to->bytes = read_new(r, vaddr - s->vaddr + s->offset, n, MOST_SECTION);
	if (to->bytes)
		*to = (struct cfi_section){to->bytes, (size_t)n, vaddr};
}

/* ---- opening ------------------------------------------------------------------------------------ */

static bool read_image(const struct reading *r)
{
	struct elf_header header;
	if (!read_at(r, 0, &header, sizeof header) || memcmp(header.ident, ELF_MAGIC, ELF_MAGIC_SIZE) != 0)
		return fail(r->err, "%s: not an ELF file", r->image->path);
	if (header.ident[ELF_AT_CLASS] != ELF_CLASS_64 || header.ident[ELF_AT_ORDER] != ELF_ORDER_LITTLE)
		return fail(r->err, "%s: not a 64-bit little-endian ELF file", r->image->path);
	r->image->machine = little16(header.machine);
	uint64_t table = read_segments(r, &header);
	read_sections(r, &header);
	if (!r->image->eh_frame.bytes && table)
		find_eh_frame(r, table);
	return !*r->is_refused;
}

bool cfi_image_open(struct cfi_image *image, const char *path, struct err *err)
{
	struct stat st;
	bool is_refused = false;
	struct reading r = {.image = image, .is_refused = &is_refused, .err = err};
	*image = (struct cfi_image){0};
	r.fd = regular_open(path, &st, err);
	if (r.fd < 0)
		return false;
	image->size = (uint64_t)st.st_size;
	r.used = (uint64_t)st.st_blocks * BLOCK < image->size ? (uint64_t)st.st_blocks * BLOCK : image->size;
	image->path = mem_strdup(path);
	bool is_good = read_image(&r);
	close(r.fd);
	if (!is_good)
		cfi_image_deinit(image);
	return is_good;
}

static const void *own_vdso(void)
{
#if ON_LINUX
	return (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
#else
	return NULL;
#endif
}

/* The image extends to the end of its section headers, which come last. */
bool cfi_image_open_vdso(struct cfi_image *image, struct err *err)
{
	bool is_refused = false;
	const struct reading r = {.image = image, .fd = -1, .is_refused = &is_refused, .err = err};
	struct elf_header header;
	*image = (struct cfi_image){0};
	const void *vdso = own_vdso();
	if (!vdso || sizeof(void *) != 8)
		return fail(err, "[vdso]: there is none");
	memcpy(&header, vdso, sizeof header);
	image->memory = vdso;
	image->path = mem_strdup("[vdso]");
	image->size = header.shoff + (uint64_t)header.shnum * header.shentsize;
	if (read_image(&r))
		return true;
	cfi_image_deinit(image);
	return false;
}

void cfi_image_deinit(struct cfi_image *image)
{
	free(image->path);
	free(image->segments);
	free(image->eh_frame.bytes);
	free(image->debug_frame.bytes);
	debug_cost_end(&image->cost);
	*image = (struct cfi_image){0};
}

/* Words are needed so seldom that no descriptor stays open: recordings of a build have thousands of files. */
bool cfi_image_word(const struct cfi_image *image, uint64_t vaddr, uint64_t *word)
{
	const struct cfi_segment *s = segment_of(image, vaddr);
	struct cfi_image copy = *image;
	struct reading r = {.image = &copy, .fd = -1};
	struct stat st;
	uint64_t raw;
	if (!s || s->size - (vaddr - s->vaddr) < sizeof raw)
		return false;
	if (!image->memory && (r.fd = regular_open(image->path, &st, NULL)) < 0)
		return false;
	if (!image->memory)
		copy.size = (uint64_t)st.st_size;
	bool is_read = read_at(&r, vaddr - s->vaddr + s->offset, &raw, sizeof raw);
	if (r.fd >= 0)
		close(r.fd);
	*word = little64(raw);
	return is_read;
}
