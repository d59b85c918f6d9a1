/*
 * options_set.c - setters for values that need more than their row of the table: lists, patterns, times, special
 * words. options_set_record.c has those of `flametop record`.
 */
#include "options_set.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_places.h"
#include "base/mem.h"
#include "base/number.h"
#include "model/match.h"
#include "model/palette.h"
#include "model/tag_match.h"
#include "perfdata/io_calls.h"

/* Frees the buffer and returns a copy of its text that lives as long as the options. */
const char *value_keep(struct options *o, struct buf *text)
{
	const char *s = arena_bytes(&o->arena, text->data, text->len);
	buf_deinit(text);
	return s;
}

/* Makes "'x' is not WHAT"; the caller puts the option's name in front. */
bool value_is_bad(struct err *err, const char *value, const char *expected)
{
	return fail(err, "'%s' is not %s", value, expected);
}

/* Index of the value among words separated by blanks; below 0: none. */
int value_find_word(const char *words, const char *value, struct err *err)
{
	struct buf list;
	size_t len = strlen(value);
	int index = 0;
	buf_init(&list);
	for (const char *p = words;; p++, index++) {
		size_t n = strcspn(p, " ");
		if (n == len && memcmp(p, value, n) == 0)
			break;
		buf_addf(&list, "%s%.*s", index ? ", " : "one of ", (int)n, p);
		p += n;
		if (*p)
			continue;
		value_is_bad(err, value, buf_str(&list));
		index = -1;
		break;
	}
	buf_deinit(&list);
	return index;
}

/* ---- lists of names ------------------------------------------------------------------------------------------ */

/* Appends to a NULL-terminated list (NULL if empty); lists are no longer than a command line. */
const char **value_add_to_list(const char **list, const char *value)
{
	size_t n = 0;
	while (list && list[n])
		n++;
	list = mem_realloc(list, n + 2, sizeof *list);
	list[n] = value;
	list[n + 1] = NULL;
	return list;
}

/* ---- setters: input ------------------------------------------------------------------------------------------ */

bool option_set_format(struct options *o, const char *value, struct err *err)
{
	if (strcmp(value, "auto") != 0 && !collapse_find(value))
		return fail(err, "unknown format '%s' (--format=help lists them)", value);
	o->collapse.format = value;
	return true;
}

bool option_set_unit(struct options *o, const char *value, struct err *err)
{
	o->collapse.unit = value;
	return value_find_word(UNIT_WORDS, value, err) >= 0;
}

bool option_set_all(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.kernel = o->collapse.jit = true;
	return true;
}

bool option_set_inline(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.inline_ = true;
	o->collapse.inlines = INLINES_SHOWN;
	o->record.no_inline = false;
	return true;
}

bool option_set_no_inline(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.inline_ = false;
	o->collapse.inlines = INLINES_HIDDEN;
	o->record.no_inline = true;
	return true;
}

bool option_set_tid(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.pid = o->collapse.tid = true;
	return true;
}

bool option_set_skip_after(struct options *o, const char *value, struct err *err)
{
	(void)err;
	/* We own the list; only collapsers see it as constant. */
	o->collapse.skip_after = value_add_to_list((const char **)(uintptr_t)o->collapse.skip_after, value);
	return true;
}

bool option_set_source_path(struct options *o, const char *value, struct err *err)
{
	if (!*value)
		return value_is_bad(err, value, "a directory");
	o->source_paths = value_add_to_list((const char **)(uintptr_t)o->source_paths, value);
	return true;
}

bool option_set_path_map(struct options *o, const char *value, struct err *err)
{
	if (!file_places_is_map(value))
		return fail(err, "expected OLD=NEW, two directories that begin with '/', not '%s'", value);
	o->collapse.path_maps = value_add_to_list((const char **)(uintptr_t)o->collapse.path_maps, value);
	return true;
}

bool option_set_idle(struct options *o, const char *value, struct err *err)
{
	int when = value ? value_find_word(IDLE_WORDS, value, err) : 0;
	o->collapse.idle = when == 1 ? IDLE_NEVER : IDLE_ALWAYS;
	return when >= 0;
}

bool option_set_widths(struct options *o, const char *value, struct err *err)
{
	int side = value_find_word(WIDTHS_WORDS, value, err);
	o->recipe.swap_sides = side == 1;
	return side >= 0;
}

bool option_set_diff(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->diffs = value_add_to_list(o->diffs, value);
	o->n_diffs++;
	return true;
}

bool option_set_absolute(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->compare_by = COMPARE_WEIGHTS;
	return true;
}

bool option_set_normalize(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->compare_by = COMPARE_SHARES;
	return true;
}

bool option_set_split(struct options *o, const char *value, struct err *err)
{
	static const char label[] = "label:";
	bool is_label = strncmp(value, label, strlen(label)) == 0;
	int key = is_label ? SPLIT_LABEL : value_find_word(SPLIT_WORDS, value, err);
	if (key < 0 || (is_label && !value[strlen(label)]))
		return key >= 0 && value_is_bad(err, value, "label:KEY");
	return recipe_add_split(&o->recipe, (enum split_key)key, is_label ? value + strlen(label) : NULL) ||
	       fail(err, "--split: more than %u of them", RECIPE_SPLITS);
}

/* As pprof has it: the first key is next to the root. */
bool option_set_tagroot(struct options *o, const char *value, struct err *err)
{
	struct buf key;
	bool is_good = true;
	for (size_t n; is_good; value += n + 1) {
		n = strcspn(value, ",");
		buf_init(&key);
		buf_adds(&key, "label:");
		buf_add(&key, value, n);
		is_good = n > 0 ? option_set_split(o, buf_str(&key), err) : value_is_bad(err, value, "KEY or KEY,KEY");
		buf_deinit(&key);
		if (!value[n])
			break;
	}
	return is_good;
}

/* ---- setters: view ------------------------------------------------------------------------------------------- */

static bool is_pattern(const char *value, struct err *err)
{
	struct match *m = match_new(value, MATCH_REGEX, err);
	match_free(m);
	return m;
}

bool value_read_pattern(const char *value, struct buf *text, enum match_mode *mode, struct err *err)
{
	buf_init(text);
	*mode = options_read_pattern(text, value);
	if (*mode != MATCH_REGEX || is_pattern(value, err))
		return true;
	buf_deinit(text);
	return false;
}

/*
 * --base may name several functions, each of which may become the root. Such filters must be adjacent to act as
 * one.
 */
static void add_base(struct recipe *r, const char *value)
{
	size_t at = 0;
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].kind == FILTER_BASE)
			at = i + 1;
	recipe_add_filter(r, FILTER_BASE, MATCH_LITERAL, value);
	struct filter added = r->filters[r->n_filters - 1];
	for (size_t i = r->n_filters - 1; at > 0 && i > at; i--)
		r->filters[i] = r->filters[i - 1];
	if (at > 0)
		r->filters[at] = added;
}

/* Without a value, the filter has no pattern. */
bool value_add_filter(struct options *o, enum filter_kind kind, const char *value, struct err *err)
{
	struct buf text;
	enum match_mode mode = MATCH_REGEX;
	if (kind == FILTER_BASE) {
		add_base(&o->recipe, value);
		return true;
	}
	if (filter_is_of_tags(kind)) {
		struct tag_match *m = tag_match_new(value, err);
		if (m)
			recipe_add_filter(&o->recipe, kind, MATCH_REGEX, value);
		tag_match_free(m);
		return m;
	}
	if (value && !value_read_pattern(value, &text, &mode, err))
		return false;
	recipe_add_filter(&o->recipe, kind, mode, value ? buf_str(&text) : NULL);
	if (value)
		buf_deinit(&text);
	return true;
}

bool option_set_search(struct options *o, const char *value, struct err *err)
{
	struct buf text;
	if (!value_read_pattern(value, &text, &o->search_mode, err))
		return false;
	bool is_none = !*buf_str(&text); /* as Enter without a pattern in the viewer */
	o->search = value_keep(o, &text);
	if (is_none)
		o->search = NULL;
	return true;
}

/* A part of FROM,TO; an empty one leaves that end open. */
static bool is_time(const char *s, size_t n, double *v)
{
	return n == 0 || (number_double(s, n, v) && *v >= 0 && *v < 1e9);
}

bool option_set_time(struct options *o, const char *value, struct err *err)
{
	const char *comma = strchr(value, ',');
	double from = 0, to = INFINITY;
	if (!comma || strlen(value) == 1 || !is_time(value, (size_t)(comma - value), &from) ||
	    !is_time(comma + 1, strlen(comma + 1), &to) || from >= to)
		return value_is_bad(err, value, "FROM,TO in seconds (as 1.5,3)");
	o->time = value;
	return true;
}

static bool set_seconds(uint64_t *ns, const char *value, struct err *err)
{
	double v;
	if (!number_double(value, strlen(value), &v) || v < 0.001 || v > 1e9)
		return value_is_bad(err, value, "a number of seconds (from 0.001 on)");
	*ns = (uint64_t)(v * 1e9 + 0.5);
	return true;
}

bool option_set_off_cpu(struct options *o, const char *value, struct err *err)
{
	o->record.off_cpu = o->collapse.off_cpu = true;
	return !value || set_seconds(&o->collapse.off_cpu_least, value, err);
}

bool option_set_io(struct options *o, const char *value, struct err *err)
{
	o->record.io = o->collapse.io = io_kinds(value ? value : "all");
	return o->record.io || value_is_bad(err, value, "read, write or all");
}

bool option_set_window(struct options *o, const char *value, struct err *err)
{
	bool is_good = set_seconds(&o->recipe.last, value, err);
	o->collapse.window = o->recipe.last;
	return is_good;
}

bool option_set_decay(struct options *o, const char *value, struct err *err)
{
	bool is_good = set_seconds(&o->recipe.half_life, value, err);
	o->collapse.half_life = o->recipe.half_life;
	return is_good;
}

bool option_set_minwidth(struct options *o, const char *value, struct err *err)
{
	size_t n = strlen(value);
	bool is_px = n > 2 && strcmp(value + n - 2, "px") == 0;
	bool has_percent = n > 1 && value[n - 1] == '%';
	double v;
	if (!number_double(value, n - (is_px ? 2 : has_percent ? 1 : 0), &v) || v < 0 || (!is_px && v > 100))
		return value_is_bad(err, value, "a percentage, or pixels of an SVG (as 0.1 or 0.5px)");
	/* The last --minwidth counts, in either unit. 0px is stored as 0 percent: 0 pixels means none given. */
	bool is_share = !is_px || v == 0;
	o->min_share = is_share ? v : 0;
	o->export_.min_width = is_share ? v : -1;
	o->export_.min_width_px = is_share ? 0 : v;
	return true;
}

/* ---- setters: output ----------------------------------------------------------------------------------------- */

bool option_set_to(struct options *o, const char *value, struct err *err)
{
	if (!export_find(value))
		return fail(err, "unknown kind of output '%s' (--to=help lists them)", value);
	o->to = value;
	return true;
}

bool option_set_colors(struct options *o, const char *value, struct err *err)
{
	int palette = palette_by_name(value);
	if (palette < 0)
		return fail(err, "unknown palette '%s' (--colors=help lists them)", value);
	o->export_.palette = (enum palette)palette;
	o->export_.has_palette = true;
	return true;
}

bool value_is_rgb(const char *value)
{
	return value[0] == '#' && strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6;
}

bool option_set_bgcolors(struct options *o, const char *value, struct err *err)
{
	static const char *const names[] = {"yellow", "blue", "green", "grey", "gray"};
	bool is_known = value_is_rgb(value);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		is_known |= strcmp(value, names[i]) == 0;
	if (!is_known)
		return value_is_bad(err, value, "yellow, blue, green, grey or a colour like #rrggbb");
	o->export_.bg_colors = strcmp(value, "gray") == 0 ? "grey" : value;
	return true;
}

bool option_set_stroke(struct options *o, const char *value, struct err *err)
{
	if (strcmp(value, "none") != 0 && !value_is_rgb(value))
		return value_is_bad(err, value, "'none' or a colour like #rrggbb");
	o->export_.stroke_color = value;
	return true;
}

bool option_set_hash(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.source = COLOR_HASH;
	return true;
}

bool option_set_deterministic(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.source = COLOR_DETERMINISTIC;
	return true;
}

bool option_set_cp(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->export_.palette_map = value ? value : "palette.map";
	return true;
}

bool option_set_encoding(struct options *o, const char *value, struct err *err)
{
	if (!svg_knows_encoding(value))
		return value_is_bad(err, value, "an encoding that extends ASCII, by its usual name (as UTF-8, ISO-8859-1)");
	o->export_.encoding = value;
	return true;
}

bool option_set_budget(struct options *o, const char *value, struct err *err)
{
	static const struct {
		char unit;
		uint64_t bytes;
	} units[] = {{'k', 1000}, {'t', 3}};
	size_t n = strlen(value);
	uint64_t each = 1, most;
	for (size_t i = 0; i < sizeof units / sizeof *units && n > 1; i++)
		if (value[n - 1] == units[i].unit)
			each = units[i].bytes;
	if (!number_u64(value, n - (each > 1), &most) || most == 0 || most > UINT64_MAX / each)
		return value_is_bad(err, value, "a size in bytes, kilobytes (20k) or tokens (5000t)");
	o->export_.budget = most * each;
	return true;
}

bool option_set_total(struct options *o, const char *value, struct err *err)
{
	if (!number_u64(value, strlen(value), &o->export_.total) || o->export_.total == 0)
		return value_is_bad(err, value, "a whole number above 0");
	return true;
}

bool option_set_sort(struct options *o, const char *value, struct err *err)
{
	int order = value_find_word(SORT_WORDS, value, err);
	if (order < 0)
		return false;
	o->recipe.sort = (enum sort_order)order;
	o->has_sort = true;
	return true;
}

bool option_set_no_sort(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.no_sort = true;
	o->recipe.sort = SORT_INPUT;
	o->has_sort = true;
	return true;
}

/* ---- setters: terminal --------------------------------------------------------------------------------------- */

/* flamegraph.pl takes --color=java for --colors=java, so a palette's name works here, too. */
bool option_set_color(struct options *o, const char *value, struct err *err)
{
	if (palette_by_name(value) >= 0)
		return option_set_colors(o, value, err);
	int when = value_find_word(COLOR_WORDS, value, err);
	if (when >= 0)
		o->color = (enum color_when)when;
	return when >= 0;
}

#define MOST_CELLS 1000 /* in a row or a column */

bool option_set_screen(struct options *o, const char *value, struct err *err)
{
	const char *x = strchr(value, 'x');
	uint64_t cols, rows;
	if (!x || !number_u64(value, (size_t)(x - value), &cols) || !number_u64(x + 1, strlen(x + 1), &rows) ||
	    cols == 0 || rows == 0 || cols > MOST_CELLS || rows > MOST_CELLS)
		return fail(err, "'%s' is not COLSxROWS (as 80x24, each from 1 to %d)", value, MOST_CELLS);
	o->is_script = true;
	o->columns = (unsigned)cols;
	o->rows = (unsigned)rows;
	return true;
}

/* ---- setters: other ------------------------------------------------------------------------------------------ */

bool option_set_completions(struct options *o, const char *value, struct err *err)
{
	o->completions = value;
	return value_find_word(SHELL_WORDS, value, err) >= 0;
}
