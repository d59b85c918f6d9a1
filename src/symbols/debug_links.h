/*
 * debug_links.h - where the links of an ELF file lead that binutils follow by themselves.
 */
#ifndef SYMBOLS_DEBUG_LINKS_H
#define SYMBOLS_DEBUG_LINKS_H

#include <stdbool.h>

#include "base/err.h"

/*
 * May a program of binutils get the file at `path`? It opens separate debug files by their names (.gnu_debuglink),
 * by the build id, and what debug files share (.gnu_debugaltlink). false with err: `path` is no ELF file that can
 * be read, or one of these is a device, a pipe or a file of the kernel, or a .gnu_debuglink leaves its directory.
 */
bool debug_links_are_fine(const char *path, struct err *err);

#endif
