/*
 * settings.h - options of the program's table that a caller of the library has set, by name.
 *
 * Settings are kept as they came; the options (options.h) are made anew from them, so that a setting can end, too.
 */
#ifndef LIB_SETTINGS_H
#define LIB_SETTINGS_H

#include <flametop.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "options.h"

struct setting {
	const struct option_row *row;
	char *value; /* NULL: none */
};

/* Zeroed: there are none. */
struct settings {
	struct setting *v; /* owned, n, with their values */
	size_t n, cap;
};

void settings_deinit(struct settings *);
/* Does the library accept the option, and for what? */
bool settings_stage(const struct option_row *, enum flametop_stage *stage);
/* As flametop_profile_set(). false: err says why, and nothing has changed. */
bool settings_set(struct settings *, enum flametop_stage, const char *name, const char *value, struct err *err);
/*
 * Takes all of them into options, which point into them. false: err names the option whose value is bad.
 */
bool settings_apply(const struct settings *, struct options *, struct err *err);

#endif
