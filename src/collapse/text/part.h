/*
 * part.h - files of flametop that say that they hold only a part of an input.
 *
 * It was still being read, or could not be read to its end:
 *
 *	# 0.9 of 107 MB read so far       in folded stacks, and in the words of other files (model/words.h)
 *
 * Or its recording lost samples, or paused: "# 12 samples lost", "# sampling paused for 1.25 s".
 */
#ifndef COLLAPSE_TEXT_PART_H
#define COLLAPSE_TEXT_PART_H

#include <stdbool.h>

#include "base/slice.h"
#include "collapse/collapse.h"

/*
 * Do these notes, separated by "; ", say that it is a part? Then a message tells the user, and the side counts as
 * cut off, so that a copy says it, too. Losses and pauses are counted likewise, whatever it returns.
 */
bool part_note(struct sink *, struct slice notes);
/* The same for notes of which each is of another recording: losses and pauses add up. */
bool part_add(struct sink *, struct slice notes);

#endif
