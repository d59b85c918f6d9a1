/*
 * match.h - regular expressions over symbol names. The only user of PCRE2.
 *
 * Smart case: a pattern without an upper-case letter (outside of escapes) ignores case. Work for each name is
 * bounded (match, depth and heap limits), and names that exceed a limit are counted, never waited for.
 */
#ifndef MODEL_MATCH_H
#define MODEL_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "symtab.h"

enum match_mode {
	MATCH_REGEX,   /* PCRE2, smart case, found anywhere in the name; or MATCH_NAME and a name */
	MATCH_LITERAL, /* the whole name, exactly, as bytes of the raw name */
	MATCH_TEXT,    /* a fixed string found anywhere, smart case */
};

/*
 * In place of an expression, which is text and cannot hold every byte: the whole name as a part of a path, with the
 * escapes of escape_add(). What PCRE2 reads at this place has other words.
 */
#define MATCH_NAME "(*NAME)"
/* Appends a pattern for MATCH_REGEX that matches this name. */
void match_add_name(struct buf *out, const char *name, size_t len);
/* Appends this name as a pattern in the mode that it returns: with MATCH_NAME only if it holds a NUL. */
enum match_mode match_add_exact(struct buf *out, const char *name, size_t len);

struct match;

/* NULL with the reason and, for a bad pattern, the offset in err. */
struct match *match_new(const char *pattern, enum match_mode, struct err *err);
void match_free(struct match *);
bool match_name(struct match *, const char *name, size_t len); /* one thread at a time */
uint64_t match_exceeded(const struct match *);                 /* names on which a limit was hit */

/* A set of symbols, one bit each. */
struct symset {
	uint64_t *bits;
	size_t n; /* symbols covered; those beyond are not in the set */
};
void symset_deinit(struct symset *);
static inline bool symset_has(const struct symset *s, uint32_t sym)
{
	return sym < s->n && (s->bits[sym >> 6] >> (sym & 63) & 1);
}

/* Only the first n symbols are covered any more. */
void symset_cut(struct symset *, size_t n);
/* An independent copy; dst is overwritten, not freed. */
void symset_copy(struct symset *dst, const struct symset *src);

/*
 * Tests every symbol once (its raw name, and the demangled one if that differs) and extends the set from set->n to
 * all symbols, so that a growing profile costs only its new names. With `within`, which is empty otherwise, symbols
 * that it covers and does not have are passed over: see match_narrows(). Each name is a step of the progress, which
 * may be NULL. false: cancelled; it can go on from there.
 */
bool match_symbols(struct match *, const struct symtab *, struct symset *set, const struct symset *within,
                   struct progress *);

/*
 * Is every name that `pattern` finds surely one that `before` found? Only said of plain text that was typed on, as
 * from "par" to "parse": what a longer regular expression finds need not be less.
 */
bool match_narrows(const char *pattern, enum match_mode, const char *before, enum match_mode before_mode);

#endif
