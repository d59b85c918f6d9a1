/*
 * names.c - the names that options accept, out of the tables of the program.
 */
#include "collapse/formats.h"
#include "export/export.h"
#include "lib/lib.h"

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
