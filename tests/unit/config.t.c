/*
 * config.t.c - sets every option that a configuration may have against every option with the same effect: the
 * command line wins. Options and values come from the table; the effects tell which options belong together.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "config.h"
#include "tests/tap.h"

#define MAX_VALUES 16

/* The fields that settings change. */
struct effect {
	bool inverted, ascii, no_mouse, no_ask, has_palette, has_sort;
	enum background background;
	enum color_when color;
	enum palette palette;
	enum sort_order sort;
	double min_share, min_width, min_width_px;
	enum shown_view view;
	bool has_heat, is_chart;
	enum top_column column;
	enum chart_axis axis;
};

static char *path;

static void write_config(const char *text)
{
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

static enum options_result parse(unsigned mode, const char *option, struct effect *e)
{
	char size[] = "--screen=80x24", program[] = "flametop", record[] = "record", end[] = "--", command[] = "true";
	char word[64];
	char *argv[8] = {program};
	int argc = 1;
	struct options o;
	struct err err = {""};
	snprintf(word, sizeof word, "%s", option);
	if (mode == OPTION_MODE_RECORD)
		argv[argc++] = record;
	argv[argc++] = size;
	if (*word)
		argv[argc++] = word;
	argv[argc++] = end;
	argv[argc++] = command;
	enum options_result result = config_parse(&o, argc, argv, &err);
	memset(e, 0, sizeof *e);
	e->inverted = o.inverted;
	e->ascii = o.ascii;
	e->no_mouse = o.no_mouse;
	e->has_sort = o.has_sort;
	e->no_ask = o.no_ask;
	e->has_palette = o.export_.has_palette;
	e->background = o.background;
	e->color = o.color;
	e->palette = o.export_.palette;
	e->sort = o.recipe.sort;
	e->min_share = o.min_share;
	e->min_width = o.export_.min_width;
	e->min_width_px = o.export_.min_width_px;
	e->view = o.shown.view;
	e->has_heat = o.shown.has_heat;
	e->is_chart = o.shown.is_chart;
	e->column = o.shown.sort;
	e->axis = o.recipe.axis;
	options_deinit(&o);
	return result;
}

/* Some valid values of the row as text; "" stands for none. */
static size_t values_of(const struct option_row *row, bool is_setting, char *text, const char **values)
{
	static const char *const flags[] = {"yes", "no"}, *const palettes[] = {"hot", "java", "safe"},
							 *const others[] = {"3", "0.5px", "0", "java"};
	size_t n = 0;
	if (!row->arg && !is_setting)
		values[n++] = "";
	for (size_t i = 0; !row->arg && is_setting && i < 2; i++)
		values[n++] = flags[i];
	for (size_t i = 0; row->words && strcmp(row->words, "@palettes") == 0 && i < 3; i++)
		values[n++] = palettes[i];
	if (n)
		return n;
	snprintf(text, 256, "%s", row->words && *row->words != '@' ? row->words : "");
	for (char *save, *w = strtok_r(text, " ", &save); w && n < MAX_VALUES - 4; w = strtok_r(NULL, " ", &save))
		values[n++] = w;
	/* --color may select a palette, and then has another effect. */
	for (size_t i = 0; i < 4 && (!row->words || (strcmp(row->name, "color") == 0 && !is_setting)); i++)
		values[n++] = others[i];
	return n;
}

/* Finds the bytes that a setting changes, with any of its values. */
static void find_fields(const struct option_row *setting, bool *is_field)
{
	const char *values[MAX_VALUES];
	char text[256], line[128];
	struct effect plain, e;
	unsigned n_fields = 0;
	memset(is_field, 0, sizeof e);
	write_config("");
	parse(OPTION_MODE_VIEW, "", &plain);
	size_t n = values_of(setting, true, text, values);
	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof line, "%s = %s", option_setting(setting), values[i]);
		write_config(line);
		if (parse(OPTION_MODE_VIEW, "", &e) != OPTIONS_GO)
			continue;
		for (size_t k = 0; k < sizeof e; k++)
			is_field[k] |= ((char *)&e)[k] != ((char *)&plain)[k];
	}
	for (size_t k = 0; k < sizeof e; k++)
		n_fields += is_field[k];
	ok(n_fields > 0, "%s is a setting", option_setting(setting));
}

/* Are they the same in a setting's fields, or in all others? */
static bool are_same(const struct effect *a, const struct effect *b, const bool *is_field, bool is_wanted)
{
	bool is_same = true;
	for (size_t k = 0; k < sizeof *a; k++)
		is_same &= is_field[k] != is_wanted || ((const char *)a)[k] == ((const char *)b)[k];
	return is_same;
}

/* Applies the option after every value of the setting. Returns whether they have the same effect. */
static bool wins(const struct option_row *setting, const bool *is_field, const struct option_row *row,
                 const char *value, unsigned mode)
{
	const char *values[MAX_VALUES];
	char text[256], line[128], option[64];
	struct effect plain, alone, both;
	snprintf(option, sizeof option, "--%s%s%s", row->name, *value ? "=" : "", value);
	write_config("");
	parse(mode, "", &plain);
	if (parse(mode, option, &alone) != OPTIONS_GO)
		return false;
	bool is_alias = row->kind == setting->kind && row->set == setting->set && row->offset == setting->offset;
	if (are_same(&plain, &alone, is_field, true) && !(is_alias && are_same(&plain, &alone, is_field, false)))
		return false;
	size_t n = values_of(setting, true, text, values);
	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof line, "%s = %s", option_setting(setting), values[i]);
		write_config(line);
		bool is_good = parse(mode, "", &both) == OPTIONS_GO;
		if (is_good && parse(mode, option, &both) == OPTIONS_GO && !are_same(&alone, &both, is_field, true))
			ok(false, "%s wins over %s", option, line);
	}
	ok(true, "%s wins over %s", option, option_setting(setting));
	return true;
}

static void test_setting(const struct option_row *setting)
{
	const char *values[MAX_VALUES];
	char text[256];
	bool is_field[sizeof(struct effect)];
	unsigned n_deciding = 0;
	find_fields(setting, is_field);
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		bool prints = row->kind == OPTION_CALL && !row->set;
		if (!row->name || prints || strcmp(row->name, "no-config") == 0)
			continue;
		size_t n = values_of(row, false, text, values);
		for (size_t i = 0; i < n; i++)
			for (unsigned mode = OPTION_MODE_VIEW; mode <= OPTION_MODE_RECORD; mode++)
				n_deciding += (row->modes & mode) && wins(setting, is_field, row, values[i], mode);
	}
	ok(n_deciding > 1, "%s is decided by options", option_setting(setting));
}

int main(void)
{
	char dir[] = "/tmp/flametop-test-XXXXXX", folder[64], file[80];
	if (!mkdtemp(dir))
		return 1;
	snprintf(folder, sizeof folder, "%s/flametop", dir);
	snprintf(file, sizeof file, "%s/config", folder);
	path = file;
	if (mkdir(folder, 0700) != 0 || setenv("XDG_CONFIG_HOME", dir, 1) != 0)
		return 1;
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (row->modes & OPTION_IN_CONFIG)
			test_setting(row);
	unlink(file);
	rmdir(folder);
	rmdir(dir);
	return done_testing();
}
