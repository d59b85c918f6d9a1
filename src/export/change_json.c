/*
 * change_json.c - the facts of a comparison for the scripts of the page and of the SVG.
 */
#include "change_json.h"

#include "json_text.h"
#include "model/palette.h"

void change_json_color(struct buf *out, struct rgb c)
{
	buf_addf(out, "%02x%02x%02x", c.r, c.g, c.b);
}

static struct rgb color_of(double part, bool is_classic)
{
	return is_classic ? palette_diff((int64_t)(part * 1e6), 1000000) : palette_change(part, false, false);
}

static void add_ramp(struct buf *out, const char *key, double sign, bool is_classic)
{
	json_key(out, key);
	buf_addc(out, '"');
	for (unsigned i = 0; i <= CHANGE_RAMP; i++) {
		double root = (double)i / CHANGE_RAMP;
		change_json_color(out, color_of(sign * root * root, is_classic));
	}
	buf_addc(out, '"');
}

void change_json_begin(struct buf *out, const struct diff_basis *basis, bool is_negated, bool is_classic)
{
	double sign = is_negated ? -1 : 1;
	buf_addc(out, '{');
	json_add_text(out, "of", basis->quantity == DIFF_OF_SHARES ? "shares" : "weights", UTF8_CLEAN_UTF8);
	json_add_bool(out, "swapped", basis->is_swapped);
	json_add_real(out, "before", basis->samples_before, 3);
	json_add_real(out, "after", basis->samples_after, 3);
	add_ramp(out, "up", sign, is_classic);
	add_ramp(out, "down", -sign, is_classic);
	if (is_classic)
		return;
	json_key(out, "noise");
	buf_addc(out, '"');
	change_json_color(out, palette_change(sign, true, false));
	change_json_color(out, palette_change(-sign, true, false));
	buf_addc(out, '"');
}
