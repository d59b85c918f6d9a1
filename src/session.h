/*
 * session.h - what is known of a recording while it is shown. main() wires it between record/ and tui/, which do
 * not know each other.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>

struct profile;

/* Zeroed: nothing is recorded, and nothing is known. Strings outlive it. */
struct session {
	void *recording; /* for the functions; they are NULL once the recording has ended, or where there is none */
	void (*interrupt)(void *recording); /* ends it, as Ctrl-C would */
	double (*cost)(void *recording); /* seconds of processor time it has taken itself so far; below 0: not known */
	/* What the samples so far suggest to do about the recording; "" for nothing. A static string. */
	const char *(*advice)(void *recording, const struct profile *);
	const char *advised; /* what came of it; NULL: nothing yet */
	const char *notes;   /* what was known to be missing before it began, a line; NULL: nothing */
	bool has_samples;    /* some were read from it, whatever came of them then */
};

#endif
