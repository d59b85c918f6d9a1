/*
 * elf_file.h - sections and segments of an ELF file of any class and byte order, read piece by piece.
 *
 * It trusts nothing in the file: data that do not fit into the file count as absent, and each read has a bound. The
 * numbers of the format have our own names, since not every system has <elf.h>.
 */
#ifndef SYMBOLS_ELF_FILE_H
#define SYMBOLS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define BUILD_ID_MAX 20

enum { /* e_type */
	   ELF_FILE_REL = 1,
	   ELF_FILE_EXEC = 2,
	   ELF_FILE_DYN = 3,
};

enum { /* e_machine */
	   ELF_MACHINE_386 = 3,
	   ELF_MACHINE_PPC64 = 21,
	   ELF_MACHINE_S390 = 22,
	   ELF_MACHINE_ARM = 40,
	   ELF_MACHINE_X86_64 = 62,
	   ELF_MACHINE_AARCH64 = 183,
	   ELF_MACHINE_RISCV = 243,
};

enum { /* sh_type */
	   ELF_SECTION_SYMTAB = 2,
	   ELF_SECTION_RELA = 4,
	   ELF_SECTION_NOTE = 7,
	   ELF_SECTION_NOBITS = 8,
	   ELF_SECTION_REL = 9,
	   ELF_SECTION_DYNSYM = 11,
};

enum { ELF_SECTION_ALLOCATED = 2, ELF_SECTION_EXECUTABLE = 4, ELF_SECTION_COMPRESSED = 2048 }; /* sh_flags */

enum {
	ELF_SEGMENT_LOAD = 1,
	ELF_SEGMENT_LOADER = 3,
	ELF_SEGMENT_NOTE = 4,
	ELF_SEGMENT_FRAMES = 0x6474e550
}; /* p_type */

enum { ELF_SEGMENT_EXECUTABLE = 1 }; /* p_flags */

struct elf_section {
	uint32_t name, type, link, info;
	uint64_t flags, address, offset, size, entry_size;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, file_size, memory_size;
};

struct elf_file {
	int fd;               /* -1: the file is in memory */
	unsigned char *bytes; /* owned */
	uint64_t size;
	bool is_64, is_big;
	uint16_t type, machine;
	struct elf_section *sections;
	size_t n_sections;
	struct elf_segment *segments;
	size_t n_segments;
	char *names; /* of sections */
	size_t names_len;
};

/*
 * Opens a regular file. false with err: there is none, or it is not an ELF file. Call elf_file_close() only after
 * true.
 */
bool elf_file_open(struct elf_file *, const char *path, struct err *);
/* Takes ownership of n bytes from malloc(), even if it fails. */
bool elf_file_open_bytes(struct elf_file *, unsigned char *bytes, size_t n, struct err *);
void elf_file_close(struct elf_file *);

/* Reads n bytes at an offset of the file; false: it has fewer. */
bool elf_file_read(const struct elf_file *, uint64_t offset, void *bytes, size_t n);

/* Numbers in the file's byte order; a word has 4 or 8 bytes, depending on its class. */
uint16_t elf_u16(const struct elf_file *, const void *);
uint32_t elf_u32(const struct elf_file *, const void *);
uint64_t elf_u64(const struct elf_file *, const void *);
uint64_t elf_word(const struct elf_file *, const void *);
static inline size_t elf_word_size(const struct elf_file *elf)
{
	return elf->is_64 ? 8 : 4;
}

/* NULL: there is none. */
const struct elf_section *elf_section_named(const struct elf_file *, const char *name);
/* ".zdebug_line" is ".debug_line", compressed in an older way (elf_compressed.h). name: with ".debug_". */
bool elf_is_debug_section(const char *section, const char *name);
/* The section of debug information under either name. NULL: there is none. */
const struct elf_section *elf_debug_section(const struct elf_file *, const char *name);
const struct elf_section *elf_section_of_type(const struct elf_file *, uint32_t type);
/* The first of its type. NULL: there is none. */
const struct elf_segment *elf_segment_of_type(const struct elf_file *, uint32_t type);
/* Returns the section that another one's sh_link names. */
const struct elf_section *elf_section_linked(const struct elf_file *, const struct elf_section *);
/*
 * Returns the whole section with a NUL after it; the caller frees it. NULL: the section has no bytes in the file
 * or more than `most`, is compressed, or does not fit into the file.
 */
unsigned char *elf_section_bytes(const struct elf_file *, const struct elf_section *, size_t most, size_t *n);

/* Fills in the build id, at most BUILD_ID_MAX bytes, and returns its length; 0: there is none. */
size_t elf_build_id(const struct elf_file *, uint8_t id[BUILD_ID_MAX]);
/* Compares build ids, ignoring zeros at the end, which recordings add. Two empty ones are not the same. */
bool build_id_is_same(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b);
/* Why a file is of no use whose build id is another one. */
#define OTHER_BUILD_ID "not the file that was recorded (its build id differs)"

#endif
