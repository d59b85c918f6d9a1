/*
 * demangle.h - C++ and Rust symbols as their authors wrote them.
 */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/*
 * Appends the plain form of an Itanium C++ (_Z, __Z, ___Z) or Rust (_R, __R, _ZN..17h<hash>E, hash dropped) symbol.
 * Suffixes of the linker and compiler (@plt, .cold) stay readable. false, nothing appended: not a mangled name, or
 * its plain form is too long: more than 4096 bytes, or more than 512 and than 20 for each mangled one. Time and
 * memory are bounded for any name. Safe to call from several threads.
 */
bool demangle(const char *mangled, size_t len, struct buf *out);
/*
 * The same without parameters, return type and what a compiler has put after the name, as perf shows it. If it is
 * false, *is_too_long says why: the name begins as mangled ones do, and it or its plain form is too long.
 */
bool demangle_name(const char *mangled, size_t len, struct buf *out, bool *is_too_long);

#endif
