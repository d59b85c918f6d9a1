/*
 * options_table.c - every option, and what becomes of its value.
 *
 *	{"width", 0, "N", "columns of text ...", GROUP_OUTPUT, BOTH, NULL, UINT(export_.width, 30, 100000)}
 *
 * A row says how an option is spelled, what it takes, what it is good for, where the value goes and which values
 * are good. The parser, --help, the manual and the completions all read the table, so that none of them can go out
 * of date.
 *
 * `flametop record` is a second command with a few letters of its own (-p, -t, -e, -c); a row's `modes` says where
 * it is known. Rows in GROUP_HIDDEN are the spellings of other flame graph tools, so that habits and scripts carry
 * over.
 */
#include "options.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/match.h"
#include "model/palette.h"
#include "record/perf.h"

/* Values that are words; the first one is number 0. */
#define SPLIT_WORDS "file event comm pid tid cpu"   /* enum split_key */
#define COLOR_WORDS "auto never 16 256 truecolor"   /* enum color_when */
#define IDLE_WORDS "always never"
#define WIDTHS_WORDS "after before"
#define SHELL_WORDS "bash zsh fish"

static struct buf *text_start(struct buf *text)
{
	buf_init(text);
	return text;
}

/* A copy of what was built, living as long as the options; the buffer is freed. */
static const char *keep_text(struct options *o, struct buf *text)
{
	const char *s = arena_bytes(&o->arena, text->data, text->len);
	buf_deinit(text);
	return s;
}

/* "--name: the value 'x' WHAT" without knowing the name: the caller puts it in front. */
static bool bad_value(struct err *err, const char *value, const char *expected)
{
	return fail(err, "'%s' is not %s", value, expected);
}

/* Which of the words, which have blanks between them, it is; below 0: none. */
static int find_word(const char *words, const char *value, struct err *err)
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
		bad_value(err, value, buf_str(&list));
		index = -1;
		break;
	}
	buf_deinit(&list);
	return index;
}

/* ---- lists of names ------------------------------------------------------------------------------------------ */

/* Appends to a NULL-terminated list, which is NULL while empty. The lists are as long as a command line. */
static const char **list_add(const char **list, const char *value)
{
	size_t n = 0;
	while (list && list[n])
		n++;
	list = mem_realloc(list, n + 2, sizeof *list);
	list[n] = value;
	list[n + 1] = NULL;
	return list;
}

/* Numbers with commas between them; each becomes an entry of its own. */
static bool list_add_numbers(struct options *o, const char ***list, const char *value, struct err *err)
{
	for (const char *p = value;; p++) {
		size_t n = strcspn(p, ",");
		uint64_t v;
		if (!number_u64(p, n, &v) || v == 0 || v > INT32_MAX)
			return bad_value(err, value, "a number, or several with commas between them");
		*list = list_add(*list, arena_bytes(&o->arena, p, n));
		p += n;
		if (*p != ',')
			return true;
	}
}

/* ---- setters: input ------------------------------------------------------------------------------------------ */

static bool set_format(struct options *o, const char *value, struct err *err)
{
	if (strcmp(value, "auto") != 0 && !collapse_find(value))
		return fail(err, "unknown format '%s' (--format=help lists them)", value);
	o->collapse.format = value;
	return true;
}

static bool set_all(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.kernel = o->collapse.jit = true;
	return true;
}

static bool set_tid(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.pid = o->collapse.tid = true;
	return true;
}

static bool set_skip_after(struct options *o, const char *value, struct err *err)
{
	(void)err;
	/* The list is ours; only collapsers see it as constant. */
	o->collapse.skip_after = list_add((const char **)(uintptr_t)o->collapse.skip_after, value);
	return true;
}

static bool set_idle(struct options *o, const char *value, struct err *err)
{
	int when = value ? find_word(IDLE_WORDS, value, err) : 0;
	o->collapse.idle = when == 1 ? IDLE_NEVER : IDLE_ALWAYS;
	return when >= 0;
}

static bool set_widths(struct options *o, const char *value, struct err *err)
{
	int side = find_word(WIDTHS_WORDS, value, err);
	o->recipe.swap_sides = side == 1;
	return side >= 0;
}

static bool set_diff(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->diffs = list_add(o->diffs, value);
	o->n_diffs++;
	return true;
}

static bool set_absolute(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->compare_by = COMPARE_WEIGHTS;
	return true;
}

static bool set_normalize(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->compare_by = COMPARE_SHARES;
	return true;
}

static bool set_split(struct options *o, const char *value, struct err *err)
{
	struct recipe *r = &o->recipe;
	int key = find_word(SPLIT_WORDS, value, err);
	for (unsigned k = 0; k < r->n_splits; k++)
		if ((int)r->splits[k] == key)
			return true;
	if (key >= 0)
		r->splits[r->n_splits++] = (enum split_key)key;
	return key >= 0;
}

/* ---- setters: view ------------------------------------------------------------------------------------------- */

static bool is_pattern(const char *value, struct err *err)
{
	struct match *m = match_new(value, MATCH_REGEX, err);
	match_free(m);
	return m != NULL;
}

/* What C writes for a name or a text becomes one again. false: it is no pattern. */
static bool read_pattern(const char *value, struct buf *text, enum match_mode *mode, struct err *err)
{
	buf_init(text);
	*mode = options_read_pattern(text, value);
	if (*mode != MATCH_REGEX || is_pattern(value, err))
		return true;
	buf_deinit(text);
	return false;
}

/* --base names several functions of which any may become the root. Such filters do that if they stand together. */
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

/* A filter without a value has no pattern. */
static bool add_filter(struct options *o, enum filter_kind kind, const char *value, struct err *err)
{
	struct buf text;
	enum match_mode mode = MATCH_REGEX;
	if (kind == FILTER_BASE) {
		add_base(&o->recipe, value);
		return true;
	}
	if (value && !read_pattern(value, &text, &mode, err))
		return false;
	recipe_add_filter(&o->recipe, kind, mode, value ? buf_str(&text) : NULL);
	if (value)
		buf_deinit(&text);
	return true;
}

static bool set_search(struct options *o, const char *value, struct err *err)
{
	struct buf text;
	if (!read_pattern(value, &text, &o->search_mode, err))
		return false;
	buf_str(&text);
	o->search = keep_text(o, &text);
	return true;
}

/* A part of FROM,TO; an empty one leaves that end open. */
static bool is_time(const char *s, size_t n, double *v)
{
	return n == 0 || (number_double(s, n, v) && *v >= 0 && *v < 1e9);
}

static bool set_time(struct options *o, const char *value, struct err *err)
{
	const char *comma = strchr(value, ',');
	double from = 0, to = INFINITY;
	if (!comma || strlen(value) == 1 || !is_time(value, (size_t)(comma - value), &from) ||
	    !is_time(comma + 1, strlen(comma + 1), &to) || from >= to)
		return bad_value(err, value, "FROM,TO in seconds (as 1.5,3)");
	o->time = value;
	return true;
}

static bool set_seconds(uint64_t *ns, const char *value, struct err *err)
{
	double v;
	if (!number_double(value, strlen(value), &v) || v < 0.001 || v > 1e9)
		return bad_value(err, value, "a number of seconds (from 0.001 on)");
	*ns = (uint64_t)(v * 1e9 + 0.5);
	return true;
}

static bool set_window(struct options *o, const char *value, struct err *err)
{
	bool is_good = set_seconds(&o->recipe.last, value, err);
	o->collapse.window = o->recipe.last;
	return is_good;
}

static bool set_decay(struct options *o, const char *value, struct err *err)
{
	bool is_good = set_seconds(&o->recipe.half_life, value, err);
	o->collapse.half_life = o->recipe.half_life;
	return is_good;
}

static bool set_minwidth(struct options *o, const char *value, struct err *err)
{
	size_t n = strlen(value);
	bool is_px = n > 2 && strcmp(value + n - 2, "px") == 0;
	bool has_percent = n > 1 && value[n - 1] == '%';
	double v;
	if (!number_double(value, n - (is_px ? 2 : has_percent ? 1 : 0), &v) || v < 0 || (!is_px && v > 100))
		return bad_value(err, value, "a percentage, or pixels of an SVG (as 0.1 or 0.5px)");
	/* The last one counts, whatever its unit. 0px is 0 percent: as pixels, 0 stands for none given. */
	bool is_share = !is_px || v == 0;
	o->min_share = is_share ? v : 0;
	o->export_.min_width = is_share ? v : -1;
	o->export_.min_width_px = is_share ? 0 : v;
	return true;
}

/* ---- setters: output ----------------------------------------------------------------------------------------- */

static bool set_to(struct options *o, const char *value, struct err *err)
{
	if (!export_find(value))
		return fail(err, "unknown kind of output '%s' (--to=help lists them)", value);
	o->to = value;
	return true;
}

static bool set_colors(struct options *o, const char *value, struct err *err)
{
	int palette = palette_by_name(value);
	if (palette < 0)
		return fail(err, "unknown palette '%s' (--colors=help lists them)", value);
	o->export_.palette = (enum palette)palette;
	o->export_.has_palette = true;
	return true;
}

static bool is_rgb(const char *value)
{
	return value[0] == '#' && strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6;
}

static bool set_bgcolors(struct options *o, const char *value, struct err *err)
{
	static const char *const names[] = {"yellow", "blue", "green", "grey", "gray"};
	bool is_known = is_rgb(value);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		is_known |= strcmp(value, names[i]) == 0;
	if (!is_known)
		return bad_value(err, value, "yellow, blue, green, grey or a colour like #rrggbb");
	o->export_.bg_colors = strcmp(value, "gray") == 0 ? "grey" : value;
	return true;
}

static bool set_stroke(struct options *o, const char *value, struct err *err)
{
	if (strcmp(value, "none") != 0 && !is_rgb(value))
		return bad_value(err, value, "'none' or a colour like #rrggbb");
	o->export_.stroke_color = value;
	return true;
}

static bool set_hash(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.source = COLOR_HASH;
	return true;
}

static bool set_deterministic(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.source = COLOR_DETERMINISTIC;
	return true;
}

static bool set_cp(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->export_.palette_map = value ? value : "palette.map";
	return true;
}

static bool set_encoding(struct options *o, const char *value, struct err *err)
{
	if (!svg_knows_encoding(value))
		return bad_value(err, value, "an encoding that extends ASCII, by its usual name (as UTF-8, ISO-8859-1)");
	o->export_.encoding = value;
	return true;
}

static bool set_total(struct options *o, const char *value, struct err *err)
{
	if (!number_u64(value, strlen(value), &o->export_.total) || o->export_.total == 0)
		return bad_value(err, value, "a whole number above 0");
	return true;
}

static bool set_no_sort(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->export_.no_sort = true;
	o->recipe.sort = SORT_INPUT;
	return true;
}

/* ---- setters: terminal --------------------------------------------------------------------------------------- */

/* flamegraph.pl takes --color=java for --colors=java, so a palette's name is understood here too. */
static bool set_color(struct options *o, const char *value, struct err *err)
{
	if (palette_by_name(value) >= 0)
		return set_colors(o, value, err);
	int when = find_word(COLOR_WORDS, value, err);
	if (when >= 0)
		o->color = (enum color_when)when;
	return when >= 0;
}

#define MOST_CELLS 1000 /* of a row or a column */

static bool set_screen(struct options *o, const char *value, struct err *err)
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

/* ---- setters: record ----------------------------------------------------------------------------------------- */

static bool set_pid(struct options *o, const char *value, struct err *err)
{
	return list_add_numbers(o, &o->record.pids, value, err);
}

static bool set_thread_id(struct options *o, const char *value, struct err *err)
{
	return list_add_numbers(o, &o->record.tids, value, err);
}

static bool set_frequency(struct options *o, const char *value, struct err *err)
{
	uint64_t v;
	if (strcmp(value, "max") != 0 && (!number_u64(value, strlen(value), &v) || v == 0 || v > 1000000))
		return bad_value(err, value, "a frequency in Hz (from 1 to 1000000, or 'max')");
	o->record.frequency = value;
	return true;
}

/* perf takes its events in one word with commas; several -e are joined so. */
static bool set_record_event(struct options *o, const char *value, struct err *err)
{
	if (!*value)
		return bad_value(err, value, "an event (`perf list` shows them)");
	struct buf text, *p = text_start(&text);
	if (o->record.event)
		buf_addf(p, "%s,", o->record.event);
	buf_adds(p, value);
	o->record.event = keep_text(o, p);
	return true;
}

static bool set_call_graph(struct options *o, const char *value, struct err *err)
{
	static const char size_of[] = "dwarf,";
	uint64_t bytes;
	bool is_sized = strncmp(value, size_of, strlen(size_of)) == 0;
	const char *size = value + strlen(size_of);
	bool is_good = strcmp(value, "fp") == 0 || strcmp(value, "dwarf") == 0 || strcmp(value, "lbr") == 0;
	if (is_sized)
		is_good = number_u64(size, strlen(size), &bytes) && bytes >= 8 && bytes <= 65528;
	if (!is_good)
		return bad_value(err, value, "fp, dwarf, dwarf,BYTES (at most 65528) or lbr");
	o->record.call_graph = value;
	return true;
}

static bool set_duration(struct options *o, const char *value, struct err *err)
{
	double v;
	if (!number_double(value, strlen(value), &v) || v <= 0 || v > 1e7)
		return bad_value(err, value, "a number of seconds");
	o->record.duration = value;
	return true;
}

static bool set_compression(struct options *o, const char *value, struct err *err)
{
	uint64_t v;
	if (value && *value == '=') /* -z=9, as flamegraph's users write it */
		value++;
	if (value && (!number_u64(value, strlen(value), &v) || v > 22))
		return bad_value(err, value, "a level of compression (from 1 to 22)");
	o->record.compression = value ? value : "1";
	return true;
}

/* A recording that cannot be made, or written, because of a quotation should not be tried. */
static bool set_cmd(struct options *o, const char *value, struct err *err)
{
	struct words w;
	char *file;
	words_init(&w);
	bool is_good = perf_record_words(&w, &(struct record_options){.record_args = value}, "", false, &file, err);
	words_deinit(&w);
	free(file);
	o->record.record_args = value;
	return is_good;
}

static bool set_post_process(struct options *o, const char *value, struct err *err)
{
	struct words w;
	words_init(&w);
	bool is_good = words_split(&w, value, err) && (w.n > 0 || fail(err, "there is no command"));
	words_deinit(&w);
	o->record.post_process = value;
	return is_good;
}

static bool set_root(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->record.root = true;
	o->record.sudo_flags = value;
	return true;
}

static bool set_inline(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.inline_ = true;
	o->record.no_inline = false;
	return true;
}

static bool set_no_inline(struct options *o, const char *value, struct err *err)
{
	(void)value, (void)err;
	o->collapse.inline_ = false;
	o->record.no_inline = true;
	return true;
}

static bool set_completions(struct options *o, const char *value, struct err *err)
{
	o->completions = value;
	return find_word(SHELL_WORDS, value, err) >= 0;
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

#define VIEW OPTION_MODE_VIEW, EXPORT_ALL
#define RECORD OPTION_MODE_RECORD, EXPORT_ALL
#define BOTH BOTH_ON(EXPORT_ALL)
/* Of no effect on other outputs. */
#define VIEW_ON(kinds) OPTION_MODE_VIEW, kinds
#define RECORD_ON(kinds) OPTION_MODE_RECORD, kinds
#define BOTH_ON(kinds) (OPTION_MODE_VIEW | OPTION_MODE_RECORD), kinds
/* Also in a configuration. */
#define HABIT_ON(kinds) (OPTION_MODES | OPTION_IN_CONFIG), kinds
#define DRAWN EXPORT_DRAWN
#define TABLES EXPORT_TABLES

#define FLAG(field) OPTION_FLAG, offsetof(struct options, field), 0, 0, NULL
#define TEXT(field) OPTION_TEXT, offsetof(struct options, field), 0, 0, NULL
#define COLOR(field) OPTION_COLOR, offsetof(struct options, field), 0, 0, NULL
#define UINT(field, min, max) OPTION_UINT, offsetof(struct options, field), min, max, NULL
#define REAL(field, min, max) OPTION_REAL, offsetof(struct options, field), min, max, NULL
/* An enum in the order of the words. */
#define WORD(field) OPTION_WORD, offsetof(struct options, field), 0, 0, NULL
#define CALL(function) OPTION_CALL, 0, 0, 0, function
/* Handled by the parser itself. */
#define PRINT OPTION_CALL, 0, 0, 0, NULL

/* Rows out of model/filters.h. */
#define FILTER_ROW(group, kind, name, arg, help) {name, 0, arg, help, group, BOTH, NULL, OPTION_FILTER, FILTER_##kind, 0, 0, NULL},
#define INPUT_FILTER(kind, name, arg, help, ...) FILTER_ROW(GROUP_INPUT, kind, name, arg, help)
#define VIEW_FILTER(kind, name, arg, help, ...) FILTER_ROW(GROUP_VIEW, kind, name, arg, help)

#define TINY 1e-9 /* "above 0" */

/* clang-format off */
const struct option_row option_table[] = {
	{"format", 'f', "NAME", "read the input as this format instead of detecting it; 'help' lists the formats",
	 GROUP_INPUT, BOTH, "@formats", CALL(set_format)},
	{"event-filter", 0, "EVENT", "read only samples of this event", GROUP_INPUT, BOTH, NULL,
	 TEXT(collapse.event_filter)},
	{"value", 0, "NAME", "which number to use where a profile has several (as ticks, bytes)", GROUP_INPUT, BOTH,
	 NULL, TEXT(collapse.value)},
	{"pid", 0, NULL, "add -PID to the process frame", GROUP_INPUT, VIEW, NULL, FLAG(collapse.pid)},
	{"tid", 0, NULL, "add -PID/TID to the process frame", GROUP_INPUT, VIEW, NULL, CALL(set_tid)},
	{"kernel", 0, NULL, "mark kernel frames with _[k]", GROUP_INPUT, BOTH, NULL, FLAG(collapse.kernel)},
	{"jit", 0, NULL, "mark frames of just-in-time compiled code with _[j]", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.jit)},
	{"all", 0, NULL, "both --kernel and --jit", GROUP_INPUT, BOTH, NULL, CALL(set_all)},
	{"addrs", 0, NULL, "show the address where there is no symbol", GROUP_INPUT, BOTH, NULL, FLAG(collapse.addrs)},
	{"inline", 0, NULL, "show inlined calls (addr2line looks them up: this can take long)", GROUP_INPUT, BOTH, NULL,
	 CALL(set_inline)},
	{"context", 0, NULL, "with --inline: add :file:line", GROUP_INPUT, BOTH, NULL, FLAG(collapse.context)},
	{"srcline", 0, NULL, "add the source line to each frame of perf.data (perf looks it up: this can take long), or of perf script -F +srcline", GROUP_INPUT,
	 BOTH, NULL, FLAG(collapse.srcline)},
	{"includeoffset", 0, NULL, "keep offsets like +0x1c (DTrace)", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.include_offset)},
	{"no-modules", 0, NULL, "function names without their module (sample, VTune)", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.no_modules)},
	{"skip-after", 0, "FUNC", "drop the callers of FUNC; may be repeated", GROUP_INPUT, BOTH, NULL,
	 CALL(set_skip_after)},
	FILTERS_OF_INPUT(INPUT_FILTER)
	{"idle", 0, "[WHEN]", "keep stacks that wait; by default those of a single input are left out if they are at most half of it; 'never': "
	 "leave them out always",
	 GROUP_INPUT, VIEW, IDLE_WORDS, CALL(set_idle)},
	{"wake-stack", 0, NULL, "add the stack of the waker (perf sched)", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.wake_stack)},
	{"shorten-pkgs", 0, NULL, "Java packages by their initials: c.a.d.Pool.borrow", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.shorten_pkgs)},
	{"no-demangle", 0, NULL, "leave mangled C++ and Rust names as they are", GROUP_INPUT, BOTH_ON(DRAWN | TABLES), NULL,
	 FLAG(no_demangle)},
	{"split", 0, "KEY", "one more root frame for each file, event, comm, pid, tid or cpu; may be repeated",
	 GROUP_INPUT, BOTH, SPLIT_WORDS, CALL(set_split)},
	{"jobs", 'j', "N", "worker threads (default: the processors this process may use)", GROUP_INPUT, BOTH, NULL,
	 UINT(collapse.jobs, 1, 1024)},

	{"inverted", 'i', NULL, "icicle: roots at the top", GROUP_VIEW, HABIT_ON(DRAWN), NULL, FLAG(inverted)},
	{"reverse", 0, NULL,
	 "merge from the leaves: callers grow out of each function (a tree of more than about 4 million frames is cut: "
	 "--zoom shows the deeper rows)",
	 GROUP_VIEW, BOTH, NULL, FLAG(recipe.reverse)},
	{"flamechart", 0, NULL, "the x axis is the order of the input (time): only equal neighbours are joined",
	 GROUP_VIEW, BOTH, NULL, FLAG(recipe.chart)},
	{"sort", 0, "ORDER", "order of siblings: name (default), weight or input", GROUP_VIEW, HABIT_ON(DRAWN),
	 "name weight input", WORD(recipe.sort)},
	{"zoom", 0, "PATH", "start zoomed at this frame, its ancestors separated by ';' (of several in a flame chart the widest)",
	 GROUP_VIEW, BOTH, NULL, TEXT(zoom)},
	{"search", 0, "REGEX", "highlight matches and count their share (an upper-case letter makes case matter)",
	 GROUP_VIEW, BOTH_ON(DRAWN | TABLES), NULL, CALL(set_search)},
	FILTERS_OF_VIEW(VIEW_FILTER)
	{"event", 0, "NAME", "show this event or value (default: the first of the recording; where its order is not known, the one with most samples); what has no name is 'unnamed samples'", GROUP_VIEW, BOTH, NULL, TEXT(event)},
	{"thread", 0, "NAME|TID", "only this thread; PID/ is a whole process", GROUP_VIEW, BOTH, NULL, TEXT(thread)},
	{"time", 0, "FROM,TO", "only samples that begin at FROM or later and before TO, in seconds from the first one", GROUP_VIEW, BOTH, NULL,
	 CALL(set_time)},
	{"window", 0, "SECONDS", "only the last part, in seconds before the last sample; while a profile is coming in, a "
	 "window that slides along", GROUP_VIEW, BOTH, NULL, CALL(set_window)},
	{"decay", 0, "SECONDS", "let samples fade: after this time, counted back from the last one, they have half of "
	 "their weight", GROUP_VIEW, BOTH, NULL, CALL(set_decay)},
	{"minwidth", 0, "PERCENT", "leave out frames narrower than this; for an SVG also pixels, as 0.5px", GROUP_VIEW,
	 HABIT_ON(DRAWN), NULL, CALL(set_minwidth)},
	{"diff", 0, "BASE", "compare with the profile BASE; may be repeated", GROUP_VIEW, BOTH, "@files",
	 CALL(set_diff)},
	{"absolute", 0, NULL, "with --diff: compare weights as they were recorded, not shares", GROUP_VIEW, BOTH_ON(DRAWN | TABLES), NULL,
	 CALL(set_absolute)},
	{"normalize", 0, NULL,
	 "compare shares also where the input has two columns (--diff always does); with --to=folded, scale BASE to the "
	 "new total",
	 GROUP_VIEW, BOTH, NULL, CALL(set_normalize)},
	{"widths", 0, "SIDE", "with --diff: widths from after (default) or before, which shows what vanished",
	 GROUP_VIEW, BOTH_ON(DRAWN), WIDTHS_WORDS, CALL(set_widths)},
	{"strip-hex", 0, NULL, "treat all numbers like 0x1234 in names alike", GROUP_VIEW, BOTH, NULL,
	 FLAG(recipe.strip_hex)},
	{"negate", 0, NULL, "with --diff: swap red and blue", GROUP_VIEW, BOTH_ON(DRAWN), NULL, FLAG(export_.negate)},
	{"fail-above", 0, "PERCENT",
	 "with --diff: exit with status 3 if the share of a function, self or total, grew by more than this many points, "
	 "and by more than chance explains, and list these functions; with --absolute: if its weight grew by more than "
	 "this percentage of BASE's total",
	 GROUP_VIEW, BOTH, NULL,
	 REAL(export_.fail_above, 0, 100)},
	{"factor", 0, "F", "multiply every count that is shown", GROUP_VIEW, BOTH, NULL,
	 REAL(export_.factor, TINY, 1e12)},

	{"output", 'o', "FILE", "write the view to FILE ('-': standard output); the suffix gives the kind",
	 GROUP_OUTPUT, BOTH, "@files", TEXT(output)},
	{"to", 0, "KIND", "the kind of output, whatever the suffix; 'help' lists the kinds", GROUP_OUTPUT, BOTH,
	 "@kinds", CALL(set_to)},
	{"width", 0, "N", "columns of text, pixels of an SVG (default: the terminal; as wide as the browser)",
	 GROUP_OUTPUT, BOTH_ON(DRAWN | EXPORT_TOP), NULL, UINT(export_.width, 30, 100000)},
	{"top", 0, "N", "rows of the table of functions", GROUP_OUTPUT, BOTH_ON(TABLES), NULL, UINT(export_.top, 1, 1000000000)},
	{"colors", 'c', "PALETTE", "palette of the screen and of an SVG; 'help' lists them", GROUP_OUTPUT,
	 OPTION_IN_CONFIG | VIEW_ON(DRAWN), "@palettes", CALL(set_colors)},
	{"colors", 0, "PALETTE", "palette of the screen and of an SVG; 'help' lists them", GROUP_OUTPUT, RECORD_ON(DRAWN),
	 "@palettes", CALL(set_colors)},

	{"title", 0, "TEXT", "heading", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, TEXT(export_.title)},
	{"subtitle", 0, "TEXT", "second heading", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, TEXT(export_.subtitle)},
	{"height", 0, "N", "height of a frame in pixels (default: 16)", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 UINT(export_.height, 4, 1000)},
	{"fonttype", 0, "NAME", "font family (default: monospace)", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, TEXT(export_.font_type)},
	{"fontsize", 0, "N", "size of the font in pixels (default: 12)", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 REAL(export_.font_size, 1, 1000)},
	{"fontwidth", 0, "F", "average width of a letter, as a fraction of the size (default: 0.59)", GROUP_SVG, BOTH_ON(EXPORT_SVG),
	 NULL, REAL(export_.font_width, 0.01, 100)},
	{"bgcolors", 0, "COLOR", "background: yellow, blue, green, grey or #rrggbb (default: by palette)", GROUP_SVG,
	 BOTH_ON(EXPORT_SVG), "yellow blue green grey", CALL(set_bgcolors)},
	{"uicolor", 0, "#rrggbb", "colour of the headings and buttons", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, COLOR(export_.ui_color)},
	{"search-color", 0, "#rrggbb", "colour of matches", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, COLOR(export_.search_color)},
	{"stroke-color", 0, "#rrggbb", "outline of every frame, or 'none' (default)", GROUP_SVG, BOTH_ON(EXPORT_SVG), "none",
	 CALL(set_stroke)},
	{"hash", 0, NULL, "colours by name, similar for names that begin alike", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, CALL(set_hash)},
	{"deterministic", 0, NULL, "colours by name", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, CALL(set_deterministic)},
	{"random", 0, NULL, "other colours in every run", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, FLAG(export_.is_random)},
	{"cp", 0, "[FILE]", "keep colours for the next run in FILE (default: palette.map)", GROUP_SVG, BOTH_ON(EXPORT_SVG), "@files",
	 CALL(set_cp)},
	{"colordiffusion", 0, NULL, "the wider, the redder", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, FLAG(export_.color_diffusion)},
	{"countname", 0, "TEXT", "unit of the counts (default: that of the profile)", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 TEXT(export_.count_name)},
	{"nametype", 0, "TEXT", "text before a name in the line of details (default: Function:)", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 TEXT(export_.name_type)},
	{"notes", 0, "TEXT", "a comment in the file", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, TEXT(export_.notes)},
	{"nameattr", 0, "FILE", "attributes of frames by function name: links, titles, classes, looks (no scripts)", GROUP_SVG, BOTH_ON(EXPORT_SVG),
	 "@files", TEXT(export_.name_attr)},
	{"total", 0, "N", "draw as if the profile had N samples", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, CALL(set_total)},
	{"truncate-text-right", 0, NULL, "shorten labels at their end instead of their beginning", GROUP_SVG, BOTH_ON(EXPORT_SVG),
	 NULL, FLAG(export_.truncate_text_right)},
	{"pretty-xml", 0, NULL, "one element per line", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, FLAG(export_.pretty_xml)},
	{"no-javascript", 0, NULL, "leave the program out: a still picture", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 FLAG(export_.no_javascript)},
	{"no-sort", 0, NULL, "keep the order of the input", GROUP_SVG, BOTH_ON(DRAWN), NULL, CALL(set_no_sort)},
	{"encoding", 0, "NAME", "encoding to declare at the top of the file", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 CALL(set_encoding)},

	{"color", 0, "WHEN", "auto (default), never, 16, 256 or truecolor", GROUP_TERMINAL, HABIT_ON(EXPORT_TEXT),
	 COLOR_WORDS, CALL(set_color)},
	{"background", 0, "WHICH", "the terminal's background: auto (default; asks it), dark or light", GROUP_TERMINAL,
	 HABIT_ON(EXPORT_NONE), "auto dark light", WORD(background)},
	{"ascii", 0, NULL, "no character outside ASCII", GROUP_TERMINAL, HABIT_ON(EXPORT_TEXT | TABLES), NULL, FLAG(ascii)},
	{"no-mouse", 0, NULL, "leave the mouse to the terminal", GROUP_TERMINAL, HABIT_ON(EXPORT_NONE), NULL, FLAG(no_mouse)},
	{"no-config", 0, NULL, "do not read the configuration file", GROUP_TERMINAL, BOTH, NULL, FLAG(no_config)},
	{"keys", 0, "KEYS", "type these keys first, as /foo<Enter>jjl<Esc>", GROUP_TERMINAL, BOTH_ON(EXPORT_NONE), NULL, TEXT(keys)},
	{"screen", 0, "COLSxROWS", "no terminal: load, type --keys, print the screen and exit", GROUP_TERMINAL, BOTH,
	 NULL, CALL(set_screen)},

	{"freq", 'F', "HZ", "samples per second and processor (default: 997)", GROUP_RECORD, RECORD, NULL,
	 CALL(set_frequency)},
	{NULL, 'e', "EVENT", "event to sample (`perf list` shows them); may be repeated", GROUP_RECORD, RECORD, NULL,
	 CALL(set_record_event)},
	{"pid", 'p', "PID", "sample this running process; several with commas", GROUP_RECORD, RECORD, NULL,
	 CALL(set_pid)},
	{"tid", 't', "TID", "sample this thread; several with commas", GROUP_RECORD, RECORD, NULL, CALL(set_thread_id)},
	{"all-cpus", 'a', NULL, "sample the whole system", GROUP_RECORD, RECORD, NULL, FLAG(record.all_cpus)},
	{"call-graph", 0, "HOW",
	 "how stacks are found: dwarf[,BYTES] (default: dwarf,16384), fp (cheap; needs frame pointers; default with "
	 "-a) or lbr", GROUP_RECORD, RECORD, "fp dwarf lbr", CALL(set_call_graph)},
	{"duration", 0, "SECONDS", "stop after this time", GROUP_RECORD, RECORD, NULL, CALL(set_duration)},
	{"no-inline", 0, NULL, "do not look up inlined calls (default; --inline does)", GROUP_RECORD, RECORD, NULL,
	 CALL(set_no_inline)},
	{"root", 0, "[FLAGS]", "run perf through sudo, with FLAGS for sudo", GROUP_RECORD, RECORD, NULL,
	 CALL(set_root)},
	{"cmd", 'c', "'RECORD ARGS'", "arguments for perf record instead of the usual ones", GROUP_RECORD, RECORD, NULL,
	 CALL(set_cmd)},
	{"compression-level", 'z', "[N]", "compress the recording (level 1 to 22; default: 1)", GROUP_RECORD, RECORD,
	 NULL, CALL(set_compression)},
	{"perfdata", 0, "FILE", "record nothing, read this perf.data", GROUP_RECORD, RECORD, "@files",
	 TEXT(record.perfdata)},
	{"keep-data", 0, NULL, "leave the recording behind as perf.data", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.keep_data)},
	{"ignore-status", 0, NULL, "exit with 0 although the command or perf failed", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.ignore_status)},
	{"post-process", 0, "CMD", "send the folded stacks through this program first", GROUP_RECORD, RECORD, NULL,
	 CALL(set_post_process)},
	{"open", 0, NULL, "open the written file with the desktop's program for it", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.open)},
	{"verbose", 'v', NULL, "print each command before it runs, and every note", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.verbose)},

	{"quiet", 'q', NULL, "print errors only, no warnings", GROUP_OTHER, BOTH, NULL, FLAG(quiet)},
	{"verbose", 'v', NULL, "print every note about the input", GROUP_OTHER, VIEW, NULL, FLAG(verbose)},
	{"completions", 0, "SHELL", "print the completions for bash, zsh or fish", GROUP_OTHER, BOTH, SHELL_WORDS,
	 CALL(set_completions)},
	{"help", 'h', NULL, "print this help", GROUP_OTHER, BOTH, NULL, PRINT},
	{"version", 'V', NULL, "print the version", GROUP_OTHER, BOTH, NULL, PRINT},

	{"manual", 0, NULL, "print the source of the manual page", GROUP_HIDDEN, BOTH, NULL, FLAG(is_manual)},
	{"nthreads", 0, "N", "--jobs", GROUP_HIDDEN, BOTH, NULL, UINT(collapse.jobs, 0, 1024)},
	{"min-width", 0, "PERCENT", "--minwidth", GROUP_HIDDEN, BOTH, NULL, CALL(set_minwidth)},
	{"image-width", 0, "N", "--width", GROUP_HIDDEN, BOTH, NULL, UINT(export_.width, 30, 100000)},
	{"palette", 0, "PALETTE", "--colors", GROUP_HIDDEN, BOTH, NULL, CALL(set_colors)},
	{0},
};
/* clang-format on */

/* ---- values -------------------------------------------------------------------------------------------------- */

static bool set_uint(unsigned *target, const struct option_row *row, const char *value, struct err *err)
{
	uint64_t v;
	if (!number_u64(value, strlen(value), &v) || (double)v < row->min || (double)v > row->max)
		return fail(err, "'%s' is not a whole number from %.0f to %.0f", value, row->min, row->max);
	*target = (unsigned)v;
	return true;
}

static bool set_real(double *target, const struct option_row *row, const char *value, struct err *err)
{
	double v;
	if (number_double(value, strlen(value), &v) && v >= row->min && v <= row->max) {
		*target = v;
		return true;
	}
	if (row->min == TINY)
		return bad_value(err, value, "a number above 0");
	return fail(err, "'%s' is not a number from %g to %g", value, row->min, row->max);
}

static bool set_word(unsigned *target, const struct option_row *row, const char *value, struct err *err)
{
	int index = find_word(row->words, value, err);
	if (index >= 0)
		*target = (unsigned)index;
	return index >= 0;
}

static bool set_text(const char **target, const char *value)
{
	*target = value;
	return true;
}

const char *option_setting(const struct option_row *row)
{
	return strncmp(row->name, "no-", 3) == 0 ? row->name + 3 : row->name;
}

static bool set_flag(bool *target, const struct option_row *row, const char *value, struct err *err)
{
	bool is_negative = value && option_setting(row) != row->name;
	bool yes = !value || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "on") == 0;
	if (!yes && strcmp(value, "no") != 0 && strcmp(value, "false") != 0 && strcmp(value, "off") != 0)
		return bad_value(err, value, "yes or no");
	*target = yes != is_negative;
	return true;
}

bool option_set(struct options *o, const struct option_row *row, const char *value, struct err *err)
{
	void *target = (char *)o + (row->kind == OPTION_FILTER ? 0 : row->offset);
	switch (row->kind) {
	case OPTION_FLAG:
		return set_flag(target, row, value, err);
	case OPTION_TEXT:
		return set_text(target, value);
	case OPTION_COLOR:
		return is_rgb(value) ? set_text(target, value) : bad_value(err, value, "a colour like #rrggbb");
	case OPTION_UINT:
		return set_uint(target, row, value, err);
	case OPTION_REAL:
		return set_real(target, row, value, err);
	case OPTION_WORD:
		return set_word(target, row, value, err);
	case OPTION_FILTER:
		return add_filter(o, (enum filter_kind)row->offset, value, err);
	case OPTION_CALL:
		return row->set(o, value, err);
	}
	return false;
}
