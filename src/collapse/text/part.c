/*
 * part.c - files of flametop that say that they hold a part of an input.
 *
 * Others may put any words into their comments, so only exactly those of words_add_so_far() count.
 */
#include "part.h"

#include "base/escape.h"

#define MOST_DIGITS 20
#define MOST_DIGITS_OF_TIME 5

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

/* "1,234 samples lost" */
static bool take_lost(struct slice note, uint64_t *samples)
{
	char digits[MOST_DIGITS];
	size_t n = 0, at = 0;
	for (; at < note.n && n < sizeof digits && (is_digit_byte(note.s[at]) || note.s[at] == ','); at++)
		if (note.s[at] != ',')
			digits[n++] = note.s[at];
	struct slice rest = slice_from(note, at);
	return slice_u64((struct slice){digits, n}, samples) &&
	       (slice_is(rest, " sample lost") || slice_is(rest, " samples lost"));
}

/* "1.25", of which there are few digits */
static bool take_value(struct slice *rest, double *value)
{
	struct slice whole = slice_take_digits(rest), part = {"", 0};
	uint64_t v;
	if (slice_take(rest, "."))
		part = slice_take_digits(rest);
	if (whole.n + part.n > MOST_DIGITS_OF_TIME || !slice_u64(whole, &v))
		return false;
	*value = (double)v;
	for (double scale = 0.1; part.n; scale /= 10, part = slice_from(part, 1))
		*value += scale * (*part.s - '0');
	return true;
}

/* "sampling paused for 1.25 s" */
static bool take_pause(struct slice note, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{" ns", 1}, {" us", 1e3}, {" ms", 1e6}, {" s", 1e9}, {" h", 3.6e12}};
	double value;
	if (!slice_take(&note, "sampling paused for ") || !take_value(&note, &value))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!slice_is(note, units[i].name))
			continue;
		*ns = (uint64_t)(value * units[i].ns + 0.5);
		return *ns > 0;
	}
	return false;
}

static bool take_missing(struct slice note, struct profile_lacks *missing)
{
	uint64_t n = 0;
	if (take_lost(note, &n))
		missing->lost = n > missing->lost ? n : missing->lost;
	else if (take_pause(note, &n))
		missing->paused = n > missing->paused ? n : missing->paused;
	else
		return false;
	return true;
}

/* Gets what is missing; the rest is as for part_note(). */
static bool read_notes(struct sink *sink, struct slice notes, struct profile_lacks *missing)
{
	while (notes.n) {
		size_t n = slice_find(notes, "; ");
		struct slice note = slice_trim(n == SIZE_MAX ? notes : slice_head(notes, n));
		notes = n == SIZE_MAX ? slice_from(notes, notes.n) : slice_from(notes, n + 2);
		if (take_missing(note, missing)) {
			sink_info(sink, "the file says what its recording lacks", 0, note.s, note.n);
			continue;
		}
		if (!slice_is(note, FOLDED_CUT_OFF) && !is_so_far(note))
			continue;
		sink_lacks(sink)->is_cut_off = true;
		sink_warn(sink, "the stacks are those of a part of an input", 0, note.s, note.n);
		return true;
	}
	return false;
}

/* A file can say the same several times, for each of its events. */
bool part_note(struct sink *sink, struct slice notes)
{
	struct profile_lacks *lacks = sink_lacks(sink), missing = {0};
	bool is_part = read_notes(sink, notes, &missing);
	lacks->lost = missing.lost > lacks->lost ? missing.lost : lacks->lost;
	lacks->paused = missing.paused > lacks->paused ? missing.paused : lacks->paused;
	return is_part;
}

bool part_add(struct sink *sink, struct slice notes)
{
	struct profile_lacks missing = {0};
	bool is_part = read_notes(sink, notes, &missing);
	weight_add(&sink_lacks(sink)->lost, missing.lost);
	weight_add(&sink_lacks(sink)->paused, missing.paused);
	return is_part;
}
