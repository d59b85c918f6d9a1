/*
 * foreign.h - recognises files that flametop cannot read, and says what helps.
 */
#ifndef COLLAPSE_LOAD_FOREIGN_H
#define COLLAPSE_LOAD_FOREIGN_H

#include "collapse/collapse.h"

struct foreign {
	const char *what;    /* "this is WHAT, and cannot be read" */
	const char *instead; /* what to do, an imperative */
};

/* Kinds with marks of their own, numbered from 0; NULL after the last. */
const struct foreign *foreign_kind(size_t number);
/* Does the head have the marks of this kind? A yes is final, as for a sniffer. */
bool foreign_is(size_t number, const struct head *);
/* The kind of a text that no format accepts, found by its words; NULL: none. */
const struct foreign *foreign_by_words(const struct head *);

#endif
