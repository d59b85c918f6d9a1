/*
 * names.c - the names that options accept, out of the tables of the program.
 */
#include <string.h>

#include "collapse/formats.h"
#include "export/export.h"
#include "lib/lib.h"
#include "model/palette.h"

const char *flametop_version(void)
{
	return FLAMETOP_VERSION;
}

const char *flametop_kind(size_t i)
{
	return i < N_EXPORT_KINDS ? export_kinds[i]->name : NULL;
}

const char *flametop_format(size_t i)
{
	for (const struct collapse_format *const *f = collapse_formats; *f; f++)
		if (!(*f)->is_hidden && i-- == 0)
			return (*f)->name;
	return NULL;
}

int flametop_option(size_t i, struct flametop_option *option)
{
	enum flametop_stage stage;
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (!settings_stage(row, &stage) || i-- > 0)
			continue;
		struct flametop_option found = {.name = row->name, .arg = row->arg, .help = row->help, .stage = stage};
		return lib_fill(option, &found, sizeof found) ? FLAMETOP_OK : FLAMETOP_USAGE;
	}
	return FLAMETOP_USAGE;
}

/* ---- words --------------------------------------------------------------------------------------------------- */

/* The first format after this name in the order of names; NULL: there is none. */
static const struct collapse_format *next_format(const char *name)
{
	const struct collapse_format *next = NULL;
	for (const struct collapse_format *const *f = collapse_formats; *f; f++)
		if (!(*f)->is_hidden && strcmp((*f)->name, name) > 0 && (!next || strcmp((*f)->name, next->name) < 0))
			next = *f;
	return next;
}

/* The table is in the order of detection, which tells people nothing. */
static bool format_word(size_t i, struct flametop_word *w)
{
	const struct collapse_format *f = next_format("");
	while (f && i-- > 0)
		f = next_format(f->name);
	if (f)
		*w = (struct flametop_word){.word = f->name, .help = f->help};
	return f;
}

static bool kind_word(size_t i, struct flametop_word *w)
{
	if (i < N_EXPORT_KINDS)
		*w = (struct flametop_word){.word = export_kinds[i]->name, .help = export_kinds[i]->help};
	return i < N_EXPORT_KINDS;
}

static bool palette_word(size_t i, struct flametop_word *w)
{
	if (i < N_PALETTES)
		*w = (struct flametop_word){.word = palette_name((enum palette)i), .help = palette_help((enum palette)i)};
	return i < N_PALETTES;
}

int flametop_word(const char *option, size_t i, struct flametop_word *word)
{
	static const struct {
		const char *option;
		bool (*word)(size_t i, struct flametop_word *);
	} lists[] = {{"format", format_word}, {"to", kind_word}, {"colors", palette_word}};
	struct flametop_word found;
	for (size_t l = 0; option && l < sizeof lists / sizeof *lists; l++)
		if (strcmp(option, lists[l].option) == 0 && lists[l].word(i, &found))
			return lib_fill(word, &found, sizeof found) ? FLAMETOP_OK : FLAMETOP_USAGE;
	return FLAMETOP_USAGE;
}
