/*
 * settings.c - see settings.h.
 *
 * Which options the library accepts follows from the groups of the table, but for few, whose rows say it: some
 * options for the input act on views, and the other way round.
 */
#include "lib/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void settings_deinit(struct settings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].value);
	free(s->v);
	*s = (struct settings){.v = NULL};
}

static void settings_copy(struct settings *to, const struct settings *from)
{
	*to = (struct settings){.v = NULL};
	for (size_t i = 0; i < from->n; i++)
		mem_push(to->v, to->n, to->cap, ((struct setting){from->v[i].row, mem_strdup(from->v[i].value)}));
}

/* ---- which options ------------------------------------------------------------------------------------------- */

/* What options of its group act on. false: on the screen, on the run of the program, or on where files are. */
static bool stage_of_group(const struct option_row *row, enum flametop_stage *stage)
{
	switch (row->group) {
	case GROUP_INPUT:
		*stage = row->kind == OPTION_FILTER ? FLAMETOP_VIEWING : FLAMETOP_READING;
		return true;
	case GROUP_VIEW:
	case GROUP_OUTPUT:
	case GROUP_SVG:
		*stage = FLAMETOP_VIEWING;
		return true;
	default:
		return false;
	}
}

bool settings_stage(const struct option_row *row, enum flametop_stage *stage)
{
	if (!row->name || !(row->modes & OPTION_MODE_VIEW) || (row->modes & OPTION_OF_PROGRAM))
		return false;
	if (!(row->modes & (OPTION_ON_READING | OPTION_ON_VIEW)))
		return stage_of_group(row, stage);
	*stage = row->modes & OPTION_ON_READING ? FLAMETOP_READING : FLAMETOP_VIEWING;
	return true;
}

/* The row of a name, or of another program's name for the same; NULL: unknown. */
static const struct option_row *find_row(const char *name)
{
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (!row->name || !(row->modes & OPTION_MODE_VIEW) || strcmp(row->name, name) != 0)
			continue;
		bool is_alias = row->group == GROUP_HIDDEN && strncmp(row->help, "--", 2) == 0;
		return is_alias ? find_row(row->help + 2) : row;
	}
	return NULL;
}

static const struct option_row *find_accepted(const char *name, enum flametop_stage wanted, struct err *err)
{
	const struct option_row *row = find_row(name);
	enum flametop_stage stage = wanted;
	if (!row)
		fail(err, "unknown option '--%s' (--help lists them)", name);
	else if (!settings_stage(row, &stage))
		fail(err, "--%s is an option of the program only", name);
	else if (stage != wanted)
		fail(err, "--%s acts on %s", name,
		     stage == FLAMETOP_READING ? "reading, not on a view" : "a view, not on reading");
	else
		return row;
	return NULL;
}

/* ---- values -------------------------------------------------------------------------------------------------- */

static void drop(struct settings *s, const struct option_row *row)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].row == row)
			free(s->v[i].value);
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

/* What the value says to an option that has none, or need not have one: 1 yes, 0 no, -1 something else. */
static int yes_or_no(const char *value)
{
	static const char *const yes[] = {"", "yes", "true", "on", NULL}, *const no[] = {"no", "false", "off", NULL};
	return is_one_of(value, yes) ? 1 : is_one_of(value, no) ? 0 : -1;
}

static bool is_bad(struct err *err, const struct option_row *row, const char *value)
{
	return fail(err, "--%s: '%s' is not yes or no", row->name, value);
}

/*
 * Reduces a value to the one of the command line: *value NULL is none; *ends: the option is as if it were not set.
 */
static bool read_value(const struct option_row *row, const char **value, bool *ends, struct err *err)
{
	int answer = *value ? yes_or_no(*value) : 0;
	*ends = !*value;
	if (!*value || (row->arg && row->arg[0] != '['))
		return true;
	if (!row->arg && answer < 0)
		return is_bad(err, row, *value);
	*ends = answer == 0;
	if (answer >= 0)
		*value = NULL;
	return true;
}

/* Do all values suit? Those that name something of the profile are not looked up. */
static bool is_good(const struct settings *s, struct err *err)
{
	struct options o;
	options_init(&o);
	bool ok = settings_apply(s, &o, err);
	options_deinit(&o);
	return ok;
}

bool settings_set(struct settings *s, enum flametop_stage stage, const char *name, const char *value,
                  struct err *err)
{
	struct settings next;
	bool ends;
	const struct option_row *row = find_accepted(name, stage, err);
	if (!row || !read_value(row, &value, &ends, err))
		return false;
	settings_copy(&next, s);
	if (ends || !(row->modes & OPTION_REPEATS))
		drop(&next, row);
	if (!ends)
		mem_push(next.v, next.n, next.cap, ((struct setting){row, mem_strdup(value)}));
	if (!is_good(&next, err)) {
		settings_deinit(&next);
		return false;
	}
	settings_deinit(s);
	*s = next;
	return true;
}

bool settings_apply(const struct settings *s, struct options *o, struct err *err)
{
	struct err why = {""};
	for (size_t i = 0; i < s->n; i++)
		if (!options_take(o, s->v[i].row, s->v[i].value, false, &why))
			return fail(err, "--%s: %s", s->v[i].row->name, why.text);
	return true;
}
