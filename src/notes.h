/*
 * notes.h - notes on standard error about an exported view.
 */
#ifndef NOTES_H
#define NOTES_H

#include <stdint.h>

#include "model/view.h"
#include "options.h"

/* Prints the reader's notes, as --quiet and --verbose ask. */
void notes_say_profile(const struct options *, const struct profile *);
/* After the fold: notes what the view does not show, and which options had no effect. */
void notes_say_view(const struct options *, const struct view *);
/*
 * Notes what the profile lacks, how much is left out, and by which options: for kinds of files that cannot say it.
 * part: the weight that is kept of a zoom in time; NULL: there is none.
 */
void notes_say_left_out(const struct view *, const uint64_t *part);
/* Warns if the SVG at this path has too many frames for browsers to be quick. */
void notes_say_many(const char *path, uint32_t frames);

/* Warns of names on which an option's pattern exceeded its limit: they count as not matching. names 0: silent. */
void notes_given_up(const char *option, const char *pattern, uint64_t names);

#endif
