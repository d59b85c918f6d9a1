/*
 * match.h - regular expressions over symbol names. The only user of PCRE2.
 *
 * An expression that begins with "module:", "file:" or "package:" is matched with the labels of functions instead
 * of their names (group.h); "^module:" begins an expression for names again.
 *
 * Smart case: a pattern without an upper-case letter (outside escapes) ignores case. Match, depth and heap limits
 * bound the work per name; names that exceed one are counted and skipped.
 */
#ifndef MODEL_MATCH_H
#define MODEL_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "group.h"
#include "symtab.h"

enum match_mode {
	MATCH_REGEX,   /* PCRE2, smart case, anywhere in the name; or MATCH_NAME followed by a name */
	MATCH_LITERAL, /* exactly the whole raw name, byte by byte */
	MATCH_TEXT,    /* a fixed string, anywhere, smart case */
};

/*
 * Introduces a name in place of an expression, since a pattern is text and cannot hold every byte: the whole name
 * as a part of a path, with the escapes of escape_add(). PCRE2 has no verb of this name.
 */
#define MATCH_NAME "(*NAME)"
/* Appends a pattern for MATCH_REGEX that matches this name. */
void match_add_name(struct buf *out, const char *name, size_t len);
/* Appends a pattern for exactly this name and returns its mode; uses MATCH_NAME only if the name contains NUL. */
enum match_mode match_add_exact(struct buf *out, const char *name, size_t len);

struct match;

/* NULL: failed; err has the reason and, for a bad pattern, the offset. */
struct match *match_new(const char *pattern, enum match_mode, struct err *err);
/* A regular expression for texts that are no names: "module:" at its beginning stands for itself. */
struct match *match_new_for_texts(const char *pattern, struct err *err);
void match_free(struct match *);
/*
 * Limits the work on all names together: about a second for a pattern that a file brings, and for a key the time
 * that it may take, where only long names are counted. Later ones exceed the limit.
 */
enum match_limit { MATCH_LIMIT_FILE, MATCH_LIMIT_KEY };
void match_limit_all(struct match *, enum match_limit);
/* What the pattern is matched with: BY_FUNCTION stands for names. */
enum group_by match_subject(const struct match *);
/* The same for a pattern; *rest, if not NULL, becomes the expression after "module:". */
enum group_by match_subject_of(const char *pattern, enum match_mode, const char **rest);
bool match_name(struct match *, const char *name, size_t len); /* one thread at a time */
uint64_t match_exceeded(const struct match *);                 /* number of names that exceeded a limit */

/* A set of symbols, one bit each. */
struct symset {
	uint64_t *bits;
	size_t n; /* symbols covered; later ones are not in the set */
};
void symset_deinit(struct symset *);
static inline bool symset_has(const struct symset *s, uint32_t sym)
{
	return sym < s->n && (s->bits[sym >> 6] >> (sym & 63) & 1);
}

/* Shrinks the set to the first n symbols. */
void symset_cut(struct symset *, size_t n);
/* An independent copy; dst is overwritten, not freed. */
void symset_copy(struct symset *dst, const struct symset *src);

/* The symbols that match_symbols() tests. */
struct match_in {
	const struct symtab *symtab;
	enum group_of of;       /* for labels: what a plain symbol stands for */
	enum group_by named_by; /* its names are labels of this kind already: those of a tree (tree.h) */
};

/*
 * Tests each symbol once (its raw name, and the demangled one if that differs) and extends the set from set->n to
 * all symbols, so a growing profile costs only its new names. Skips symbols that `within` covers but does not
 * contain, see match_narrows(); an empty `within` skips none. Each name is a step of progress (may be NULL). false:
 * cancelled; a later call continues.
 */
bool match_symbols(struct match *, const struct match_in *, struct symset *set, const struct symset *within,
                   struct progress *);
/* Forgets labels, before symbols of another meaning are tested. */
void match_forget(struct match *);

/*
 * Is every match of `pattern` sure to be a match of `before`? true only for plain text that was extended, from
 * "par" to "parse": a longer regular expression need not match less.
 */
bool match_narrows(const char *pattern, enum match_mode, const char *before, enum match_mode before_mode);

#endif
