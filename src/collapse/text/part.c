/*
 * part.c - files of flametop that say that they hold a part of an input.
 *
 * Others may put any words into their comments, so only exactly those of words_add_so_far() count.
 */
#include "part.h"

#include "model/escape.h"

/* "107" or "0.9" */
static bool take_amount(struct slice *rest)
{
	bool is_there = slice_take_digits(rest).n > 0;
	if (is_there && slice_take(rest, "."))
		is_there = slice_take_digits(rest).n > 0;
	return is_there;
}

/* "0.9 of 107 MB read so far", or "18 MB read so far" of a pipe */
static bool is_so_far(struct slice note)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	bool is_known = false;
	if (!take_amount(&note) || (slice_take(&note, " of ") && !take_amount(&note)) || !slice_take(&note, " "))
		return false;
	struct slice unit = slice_take_word(&note);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		is_known |= slice_is(unit, units[i]);
	return is_known && slice_is(slice_ltrim(note), FOLDED_SO_FAR);
}

bool part_note(struct sink *sink, struct slice notes)
{
	while (notes.n) {
		size_t n = slice_find(notes, "; ");
		struct slice note = slice_trim(n == SIZE_MAX ? notes : slice_head(notes, n));
		notes = n == SIZE_MAX ? slice_from(notes, notes.n) : slice_from(notes, n + 2);
		if (!slice_is(note, FOLDED_CUT_OFF) && !is_so_far(note))
			continue;
		sink_lacks(sink)->is_cut_off = true;
		sink_warn(sink, "the stacks are those of a part of an input", 0, note.s, note.n);
		return true;
	}
	return false;
}
