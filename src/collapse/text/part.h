/*
 * part.h - files of flametop that say that they hold only a part of an input.
 *
 * It was still being read, or could not be read to its end:
 *
 *	# 0.9 of 107 MB read so far       in folded stacks, and in the words of other files (model/words.h)
 */
#ifndef COLLAPSE_TEXT_PART_H
#define COLLAPSE_TEXT_PART_H

#include <stdbool.h>

#include "base/slice.h"
#include "collapse/collapse.h"

/*
 * Do these notes, separated by "; ", say so? Then a message tells the user, and the side counts as cut off, so that
 * a copy says it, too.
 */
bool part_note(struct sink *, struct slice notes);

#endif
