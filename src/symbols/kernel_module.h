/*
 * kernel_module.h - the file of a kernel module, which may be compressed: nf_tables.ko, nf_tables.ko.xz.
 */
#ifndef SYMBOLS_KERNEL_MODULE_H
#define SYMBOLS_KERNEL_MODULE_H

#include <stdbool.h>

#include "symbols/elf_file.h"

/* Does the name end like that of a module's file? */
bool kernel_module_is_name(const char *name);

/*
 * Opens the module, unpacked, and, if fd is not NULL, the file as it is, at its beginning: the same one, which the
 * caller closes. false with err: there is none, or it is not an ELF file.
 */
bool kernel_module_open(struct elf_file *, const char *path, int *fd, struct err *err);

#endif
