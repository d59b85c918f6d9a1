/*
 * foreign.h - kinds of files that are no input: known, so that the user learns what helps.
 */
#ifndef COLLAPSE_LOAD_FOREIGN_H
#define COLLAPSE_LOAD_FOREIGN_H

#include "collapse/collapse.h"

struct foreign {
	const char *what;    /* "this is WHAT, and cannot be read" */
	const char *instead; /* what to do, an imperative */
};

/* Kinds with marks of their own, by number from 0; NULL behind the last. */
const struct foreign *foreign_kind(size_t number);
/* Are the marks of this kind there? A yes is for ever, as a sniffer's is. */
bool foreign_is(size_t number, const struct head *);
/* The kind that a text which no format wants is by its words; NULL: none. */
const struct foreign *foreign_by_words(const struct head *);

#endif
