/*
 * elf_symbols.h - the functions of an ELF file by address.
 *
 * Addresses are those of the file (vaddr), as nm prints them; elf_symbols_address() computes them from file
 * offsets, which a mapping gives.
 */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf_file.h"

struct elf_symbols;

/*
 * Takes the functions from the symbol table of `file` or, if it has none, of `debug` (may be NULL), which strip
 * --only-keep-debug made from it; else from the dynamic linker's table and .gnu_debugdata. The caller may close
 * both files afterwards. Never NULL: there may be no functions. *unpacked: bytes to which .gnu_debugdata may still
 * unpack, at first ELF_DEBUGDATA_ALL; NULL: the file is the only one.
 */
struct elf_symbols *elf_symbols_new(const struct elf_file *file, const struct elf_file *debug, uint64_t *unpacked);
void elf_symbols_free(struct elf_symbols *); /* NULL is fine */

/* Bytes of memory that elf_symbols_new() takes at most for what it reads from `debug`; 0: it reads nothing. */
uint64_t elf_symbols_debug_memory(const struct elf_file *file, const struct elf_file *debug);

/* Bytes of the tables that names come from, and of those made of them. */
size_t elf_symbols_names_size(const struct elf_symbols *);
/* What was not read, because a file of this size does not have so much; NULL: nothing. */
const char *elf_symbols_left_out(const struct elf_symbols *);

/* Finds the address at which a file offset is loaded; false: no segment holds it. */
bool elf_symbols_address(const struct elf_symbols *, uint64_t offset, uint64_t *vaddr);

struct elf_symbol {
	const char *name; /* as in the file; lives as long as the symbols */
	uint64_t start, end;
	uint32_t number; /* from 0 on, without gaps */
	bool is_plt;
};

/* false: no function holds the address. */
bool elf_symbols_at(const struct elf_symbols *, uint64_t vaddr, struct elf_symbol *);
/*
 * Finds the start of a function by its name as other programs show it, mangled or not, and with or without its
 * parameters, and by the lowest bits of its address, those in `mask`. false: there is none.
 */
bool elf_symbols_shown(const struct elf_symbols *, const char *name, uint64_t mask, uint64_t bits, uint64_t *vaddr);
/* Finds a symbol by name in a linear search; false: there is none. */
bool elf_symbols_named(const struct elf_symbols *, const char *name, uint64_t *vaddr);

#endif
