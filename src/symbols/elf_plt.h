/*
 * elf_plt.h - the stubs through which an ELF file calls functions of other files; no symbol table names them.
 */
#ifndef SYMBOLS_ELF_PLT_H
#define SYMBOLS_ELF_PLT_H

#include <stdint.h>

#include "symbols/elf_file.h"

struct elf_stub {
	uint64_t start, end; /* addresses of the file */
	const char *name;    /* the called function, valid during the call; NULL: look up the one at target */
	uint64_t target;
	size_t n_names; /* bytes of the table that the name is from */
};

/* Calls found() for each stub, in any order. */
void elf_plt_each(const struct elf_file *, void (*found)(void *arg, const struct elf_stub *), void *arg);

#endif
