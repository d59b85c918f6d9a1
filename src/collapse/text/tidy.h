/*
 * tidy.h - clean-up of names that several formats share.
 */
#ifndef COLLAPSE_TEXT_TIDY_H
#define COLLAPSE_TEXT_TIDY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"

/*
 * Repairs a half-demangled legacy Rust name ("a::b::h0123456789abcdef", "_$LT$..$GT$"): appends the repaired name
 * to out and returns true. Returns false and appends nothing for other names (without 17 trailing bytes 'h' and 16
 * hex digits). Keeps a ';' from $u3b$; callers turn it into ':'.
 */
bool tidy_rust(struct buf *out, const char *name, size_t len);

/*
 * Length of the name without its parameter list: it ends at the first '(' at bracket depth 0 that begins neither a
 * Go method receiver ("pkg.(*T).m") nor "(anonymous namespace)". operator<, operator>>, operator-> and the like are
 * plain text; "operator()" becomes "operator", as in the reference tools.
 */
size_t tidy_parameters(const char *name, size_t len);
/*
 * The same for formats in which those tools cut names differently or not at all: "operator()" stays whole, and a
 * lambda, a closure or a member of an extension is not taken for the function around it: "f(int)::{lambda()#2}::g".
 */
size_t tidy_signature(const char *name, size_t len);

/*
 * Length in bytes of a C++ operator made of brackets or arrows at name + at ("operator<", "operator->*",
 * "operator()"); 0: there is none. Scanners that count brackets or look for "->" skip that many bytes.
 */
size_t tidy_operator(const char *name, size_t len, size_t at);
/* Offset of the first `what` outside the brackets of a C++ name; len: none. */
size_t tidy_find_outside(const char *text, size_t len, const char *what);

/* "com.acme.db.Pool.borrow" -> "c.a.d.Pool.borrow" (--shorten-pkgs of the Java collapsers); '/' separates, too. */
void tidy_java_package(struct buf *out, const char *name, size_t len);

/* In "a->b->c": offset of the next "->", unless it is a part of "operator->" or of a type; the length if none. */
size_t tidy_chain_end(struct slice);

#endif
