/*
 * demangle.h - C++ and Rust symbols as their authors wrote them.
 */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/*
 * Appends the plain form of an Itanium C++ (_Z, __Z, ___Z) or Rust (_R, __R, _ZN..17h<hash>E, hash left out)
 * symbol. Suffixes of the linker and compiler (@plt, .cold) stay readable. false, and nothing appended: it is no
 * mangled name, or one that would grow beyond reason. Time and memory are bounded whatever the name says. Several
 * threads may call it.
 */
bool demangle(const char *mangled, size_t len, struct buf *out);
/* The same without parameters, return type and what a compiler has put behind the name, as perf shows it. */
bool demangle_name(const char *mangled, size_t len, struct buf *out);

#endif
