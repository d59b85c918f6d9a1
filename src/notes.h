/*
 * notes.h - what is said on standard error about a view that is written.
 */
#ifndef NOTES_H
#define NOTES_H

#include <stdint.h>

#include "model/view.h"
#include "options.h"

/* What was skipped while reading, as far as --quiet and --verbose want to know it. */
void notes_say_profile(const struct options *, const struct profile *);
/* What the view does not show, and what of the options has no effect; after the fold. */
void notes_say_view(const struct options *, const struct view *);
/* How much is left out, and by which options: for kinds of files that have no place for it. */
void notes_say_left_out(const struct view *);
/* Too many frames were drawn into the SVG at this path for a browser to be quick. */
void notes_say_many(const char *path, uint32_t frames);

/* Names on which the pattern of an option took too long: they count as no match. None: says nothing. */
void notes_given_up(const char *option, const char *pattern, uint64_t names);

#endif
