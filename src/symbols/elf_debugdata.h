/*
 * elf_debugdata.h - the symbol table that Fedora keeps in its stripped files, as an ELF file compressed by xz.
 */
#ifndef SYMBOLS_ELF_DEBUGDATA_H
#define SYMBOLS_ELF_DEBUGDATA_H

#include <stdint.h>

#include "symbols/elf_file.h"

/* Bytes that all files of a recording may unpack to. */
#define ELF_DEBUGDATA_ALL ((uint64_t)512 << 20)

enum elf_debugdata {
	ELF_DEBUGDATA_OPEN, /* only then: close `inner` */
	ELF_DEBUGDATA_NONE, /* there is none, or it is damaged */
	ELF_DEBUGDATA_LARGE /* it holds more than those of compilers for its size, or than is left */
};

/* Opens the file in .gnu_debugdata. *left: bytes that it may unpack to, from which it takes its own. */
enum elf_debugdata elf_debugdata_open(const struct elf_file *, uint64_t *left, struct elf_file *inner);

#endif
