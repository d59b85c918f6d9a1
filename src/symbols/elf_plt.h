/*
 * elf_plt.h - the stubs through which an ELF file calls functions of others, which no table of symbols names.
 */
#ifndef SYMBOLS_ELF_PLT_H
#define SYMBOLS_ELF_PLT_H

#include <stdint.h>

#include "symbols/elf_file.h"

struct elf_stub {
	uint64_t start, end; /* addresses of the file */
	const char
		*name; /* the function that is called, valid during the call; NULL: the one at target is asked for it */
	uint64_t target;
};

/* Calls found() for each stub, in any order. */
void elf_plt_each(const struct elf_file *, void (*found)(void *arg, const struct elf_stub *), void *arg);

#endif
