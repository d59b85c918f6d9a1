/*
 * elf_debugdata.h - the symbol table that Fedora keeps in its stripped files, as an ELF file compressed by xz.
 */
#ifndef SYMBOLS_ELF_DEBUGDATA_H
#define SYMBOLS_ELF_DEBUGDATA_H

#include <stdbool.h>

#include "symbols/elf_file.h"

/* Opens the file in .gnu_debugdata; false: there is none that can be read. Close `inner` only after true. */
bool elf_debugdata_open(const struct elf_file *, struct elf_file *inner);

#endif
