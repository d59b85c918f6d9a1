/*
 * folded_head.c - comments at the beginning of folded stacks.
 *
 * Files say what their counts count. Standard output has stacks alone, as that of every collapser.
 */
#include "folded_head.h"

#include <string.h>

#include "base/escape.h"
#include "model/unit_line.h"
#include "model/words.h"

static void add_comment(struct buf *out, const char *text, bool *is_clear)
{
	if (!*is_clear)
		buf_adds(out, FOLDED_ANNOUNCED "\n");
	*is_clear = true;
	buf_addf(out, "# %s\n", text);
}

void folded_head_add_so_far(struct buf *out, const struct view *v, bool *is_clear)
{
	struct buf text;
	if (!v->profile->so_far.is_part && !words_are_cut_off(v))
		return;
	buf_init(&text);
	words_add_so_far(&text, v);
	add_comment(out, buf_str(&text), is_clear);
	buf_deinit(&text);
}

void folded_head_add_missing(struct buf *out, const struct view *v, bool *is_clear)
{
	static const char between[] = "; ";
	struct buf text;
	buf_init(&text);
	words_add_missing(&text, v, between);
	if (text.len)
		add_comment(out, buf_str(&text) + strlen(between), is_clear);
	buf_deinit(&text);
}

/* Counts times a factor have another unit. Samples of no named event are what a file without the line has. */
void folded_head_add_unit(struct buf *out, const struct view *v, double factor)
{
	/* Those of the profile, to which a baseline of another unit is scaled. */
	const char *unit = view_unit_on(v, false), *event = view_event_on(v, false);
	bool is_default = strcmp(unit, "samples") == 0 && (!*event || strcmp(event, unit) == 0);
	if (view_has_mixed_units(v))
		unit_line_add(out, "", unit);
	else if (factor == 1 && !is_default)
		unit_line_add(out, event, unit);
}
