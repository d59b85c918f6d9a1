/*
 * vdso.h - the code that the kernel maps into each process, as an ELF file.
 */
#ifndef SYMBOLS_VDSO_H
#define SYMBOLS_VDSO_H

#include <stdbool.h>

#include "symbols/elf_file.h"

/* Opens this process's vDSO; false: it has none. Close it only after true. */
bool vdso_open(struct elf_file *);

#endif
