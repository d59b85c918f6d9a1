/*
 * elf_layout.h - headers of 64-bit ELF files as they are in the file; not every system has <elf.h>.
 *
 * Fields have the file's byte order. The numbers in them are those of elf_file.h.
 */
#ifndef SYMBOLS_ELF_LAYOUT_H
#define SYMBOLS_ELF_LAYOUT_H

#include <stdint.h>

#define ELF_MAGIC "\177ELF"
#define ELF_MAGIC_SIZE 4

enum { ELF_AT_CLASS = 4, ELF_AT_ORDER = 5 };     /* in `ident` */
enum { ELF_CLASS_64 = 2, ELF_ORDER_LITTLE = 1 }; /* their values */
enum { ELF_NOTE_BUILD_ID = 3 };                  /* type of notes by "GNU" */

struct elf_header {
	unsigned char ident[16];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, phoff, shoff;
	uint32_t flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf_segment_header {
	uint32_t type, flags;
	uint64_t offset, vaddr, paddr, filesz, memsz, align;
};

struct elf_section_header {
	uint32_t name, type;
	uint64_t flags, addr, offset, size;
	uint32_t link, info;
	uint64_t addralign, entsize;
};

struct elf_note {
	uint32_t namesz, descsz, type;
};

#endif
