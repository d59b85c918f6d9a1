/*
 * elf_symbols.h - the functions of an ELF file by their addresses.
 *
 * Addresses are those of the file (vaddr), as nm prints them; elf_symbols_address() makes them from offsets in the
 * file, which is what a mapping tells.
 */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf_file.h"

struct elf_symbols;

/*
 * The functions of `file`, of its table of symbols or, without one, of `debug` (may be NULL), a file made from it
 * by strip --only-keep-debug; else those that are left for the dynamic linker and in .gnu_debugdata. Both files may
 * be closed afterwards. Never NULL: there may be none.
 */
struct elf_symbols *elf_symbols_new(const struct elf_file *file, const struct elf_file *debug);
void elf_symbols_free(struct elf_symbols *); /* NULL is fine */

/* The address that an offset in the file is loaded at; false: it is in no segment. */
bool elf_symbols_address(const struct elf_symbols *, uint64_t offset, uint64_t *vaddr);

struct elf_symbol {
	const char *name; /* as in the file; lives as long as the symbols */
	uint64_t start;
	uint32_t number; /* from 0 on, without gaps */
	bool is_plt;
};

/* false: no function holds the address. */
bool elf_symbols_at(const struct elf_symbols *, uint64_t vaddr, struct elf_symbol *);
/* Looks for a symbol by its name, one after the other; false: there is none. */
bool elf_symbols_named(const struct elf_symbols *, const char *name, uint64_t *vaddr);

#endif
