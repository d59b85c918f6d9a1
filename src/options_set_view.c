/*
 * options_set_view.c - setters for --view and the options that go with it.
 */
#include "options_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define CHART N_SHOWN_VIEWS
#define HEAT (N_SHOWN_VIEWS + 1)
#define INSTRUCTIONS (N_SHOWN_VIEWS + 2) /* of the view of lines */

static const char *keep_text(struct options *o, const char *s, size_t n)
{
	struct buf text;
	buf_init(&text);
	buf_add(&text, s, n);
	buf_str(&text);
	return value_keep(o, &text);
}

bool option_set_no_inverted(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->inverted = false;
	return true;
}

/* Takes ",WORD" off the end; false: it is not there. */
static bool take_off(const char *value, size_t *len, const char *word)
{
	size_t n = strlen(word);
	if (*len <= n + 1 || value[*len - n - 1] != ',' || memcmp(value + *len - n, word, n) != 0)
		return false;
	*len -= n + 1;
	return true;
}

/* What is beside the first view: the graph beside the table, and the reverse. */
static bool read_beside(struct options *o, const char *value, size_t len, struct err *err)
{
	const char *comma = memchr(value, ',', len);
	size_t first = comma ? (size_t)(comma - value) : len, rest = len - first;
	bool is_table = first == 5 && memcmp(value, "table", 5) == 0;
	bool is_graph = first == 5 ? memcmp(value, "flame", 5) == 0 || memcmp(value, "chart", 5) == 0 : false;
	bool is_chart = is_table && rest == 6 && memcmp(comma, ",chart", 6) == 0;
	o->shown.is_beside = comma;
	o->shown.is_chart = is_chart;
	if (!comma || (is_graph && rest == 6 && memcmp(comma, ",table", 6) == 0) || is_chart ||
	    (is_table && rest == 6 && memcmp(comma, ",flame", 6) == 0))
		return true;
	return value_is_bad(err, value, "a view, or flame,table (or chart,table) for both side by side");
}

/* "table", "heat", "table,heat", "flame,table", "table,chart,heat": the first of two has the keys. */
bool option_set_view(struct options *o, const char *value, struct err *err)
{
	struct shown_options *s = &o->shown;
	size_t len = strlen(value);
	bool is_over = take_off(value, &len, "heat");
	if (!read_beside(o, value, len, err))
		return false;
	int view = value_find_word(VIEW_WORDS, keep_text(o, value, strcspn(value, ",")), err);
	s->has_heat = is_over || view == HEAT;
	s->is_chart |= view == CHART;
	s->wants_code = view == INSTRUCTIONS;
	s->view = s->wants_code ? SHOWN_LINES : view < 0 || view >= N_SHOWN_VIEWS ? SHOWN_FLAME : (enum shown_view)view;
	return view >= 0;
}

bool option_set_function(struct options *o, const char *value, struct err *err)
{
	struct shown_options *s = &o->shown;
	struct buf text;
	size_t len = strlen(value);
	s->is_pattern = len > 2 && value[0] == '/' && value[len - 1] == '/';
	s->function = s->is_pattern ? keep_text(o, value + 1, len - 2) : value;
	if (!s->is_pattern)
		return *value || fail(err, "the name is empty");
	if (!value_read_pattern(s->function, &text, &s->mode, err))
		return false;
	buf_str(&text);
	s->function = value_keep(o, &text);
	return true;
}

/* Behind a path: all narrow frames in the place of the frame. */
#define CELL "@cell"

bool option_set_cursor(struct options *o, const char *value, struct err *err)
{
	const char *semicolon = strrchr(value, ';'), *last = semicolon ? semicolon + 1 : value;
	(void)err;
	o->shown.is_on_cell = strcmp(last, CELL) == 0;
	o->shown.cursor =
		o->shown.is_on_cell ? keep_text(o, value, semicolon ? (size_t)(semicolon - value) : 0) : value;
	return true;
}

bool option_set_scroll(struct options *o, const char *value, struct err *err)
{
	const char *comma = strchr(value, ',');
	size_t n = comma ? (size_t)(comma - value) : strlen(value);
	uint64_t rows[2] = {0, 0};
	if (!number_u64(value, n, &rows[0]) || (comma && !number_u64(comma + 1, strlen(comma + 1), &rows[1])))
		return value_is_bad(err, value, "a number of rows (for a sandwich of callers and callees, as 2,3)");
	for (int i = 0; i < 2; i++)
		o->shown.scroll[i] = rows[i] < INT32_MAX ? (size_t)rows[i] : INT32_MAX;
	return true;
}

bool option_set_table_sort(struct options *o, const char *value, struct err *err)
{
	bool is_reversed = *value == '-';
	int column = value_find_word(TABLE_SORT_WORDS, value + is_reversed, err);
	if (column < 0)
		return false;
	o->shown.sort = (enum top_column)column;
	o->shown.is_ascending = is_reversed;
	return true;
}

bool option_set_table_filter(struct options *o, const char *value, struct err *err)
{
	struct match *m = match_new(value, MATCH_REGEX, err);
	match_free(m);
	o->shown.filter = *value ? value : NULL;
	return m;
}

bool option_set_expand(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->shown.expanded = value_add_to_list(o->shown.expanded, value);
	return true;
}

static bool read_seconds(const char *s, size_t n, uint64_t *ns)
{
	double v;
	if (!number_double(s, n, &v) || v < 0 || v > 1e9)
		return false;
	*ns = (uint64_t)(v * 1e9 + 0.5);
	return true;
}

bool option_set_zoom_time(struct options *o, const char *value, struct err *err)
{
	const char *comma = strchr(value, ',');
	struct span s = {0};
	if (!comma || !read_seconds(value, (size_t)(comma - value), &s.from) ||
	    !read_seconds(comma + 1, strlen(comma + 1), &s.to) || s.to <= s.from)
		return value_is_bad(err, value, "FROM,TO in seconds (as 1.5,3)");
	o->shown.span = s;
	return true;
}

bool option_set_fold_lanes(struct options *o, const char *value, struct err *err)
{
	uint64_t lane;
	for (const char *p = value, *end; strcmp(value, "all") != 0; p = end + 1) {
		end = p + strcspn(p, ",");
		if (!number_u64(p, (size_t)(end - p), &lane) || lane == 0 || lane > UINT32_MAX)
			return value_is_bad(err, value, "numbers of lanes (as 2,3) or 'all'");
		if (!*end)
			break;
	}
	o->shown.folded = value;
	return true;
}

bool option_set_heat_at(struct options *o, const char *value, struct err *err)
{
	const char *comma = strchr(value, ',');
	size_t n = comma ? (size_t)(comma - value) : strlen(value);
	if (!read_seconds(value, n, &o->shown.heat_at) ||
	    (comma && !read_seconds(comma + 1, strlen(comma + 1), &o->shown.heat_mark)))
		return value_is_bad(err, value, "a time in seconds, or two (as 1.5 or 1.5,3)");
	return true;
}
