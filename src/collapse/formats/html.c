/*
 * html.c - reads the pages that flametop writes (--to=html).
 *
 *	<!doctype html>
 *	<html lang="en"><head><meta charset="utf-8">
 *	...
 *	<meta name="generator" content="flametop 1.0.0">
 *	...
 *	<body>...
 *	<script type="application/json" id="data">{"flametop":1,"format":"page","unit":"samples","decimals":0,...,
 *	"names":["main","read"],"exact":{"1":"_Z4readv"},...,
 *	"frames":{"depth":[0,1,2],"name":[-1,0,1],"self":[0,2,3]}}</script>
 *
 *	main 2
 *	main;_Z4readv 3
 *
 * src/export/page_data.c describes the data, of which lines are parts. A name of -1 is no frame: all stacks, or the
 * weight that its caller has after a call. In a caller tree the outermost caller comes last. A comparison also has
 * "base", the weights of the other side: that before, unless "swapped" says that the widths are those. "diff" has
 * the event and the unit of that side, if they differ, and says whether shares are compared. Further events have
 * elements of their own, "data-1" and so on.
 */
#include <assert.h>

#include "base/json.h"
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/part.h"

#define GENERATOR "<meta name=\"generator\" content=\"flametop "
#define DATA " id=\"data"
#define DATA_END "</script>"
#define MOST_DECIMALS 6u

enum column { DEPTH, NAME, SELF, BASE, N_COLUMNS, NO_COLUMN = N_COLUMNS };

enum member {
	UNIT,
	EVENT,
	DECIMALS,
	REVERSED,
	CUT,
	LANES,
	NOTES,
	NAMES,
	EXACT,
	DIFF,
	FRAMES,
	N_MEMBERS,
	OTHER = N_MEMBERS
};

/* Members of "diff". */
enum fact { OF, SWAPPED, BASE_UNIT, BASE_EVENT, N_FACTS };

struct html {
	struct sink *sink;
	struct json json;
	bool is_open;       /* within data */
	size_t n_done;      /* data that ended, one for each event */
	enum member member; /* of the document */
	enum column column; /* of "frames" */
	uint64_t number;    /* of the exact name that follows */
	uint32_t *names;
	size_t n_names, cap_names;
	struct numbers {
		int64_t *v;
		size_t n, cap;
	} columns[N_COLUMNS];
	size_t n_good; /* frames before the first with a negative weight */
	uint64_t decimals;
	bool is_reversed, is_cut;
	bool has_cut;   /* is_cut of any event */
	enum fact fact; /* of "diff"; N_FACTS: another one */
	bool is_swapped, is_of_shares;
	uint32_t last_path[2]; /* by side: of its last sample; NO_PATH: it has none */
	uint32_t unit, event;
	uint32_t base_unit, base_event; /* NO_SYMBOL: the same */
	struct buf notes;
	struct buf first_notes, all_notes; /* of the first event; of all, each with the event's name */
	bool are_unlike;                   /* the events have different notes */
};

/* ---- the data ------------------------------------------------------------------------------------------------ */

static unsigned find(const char *const *words, unsigned n, const struct json *j)
{
	unsigned i = 0;
	while (i < n && !slice_is((struct slice){j->text, j->len}, words[i]))
		i++;
	return i;
}

static const char *const member_names[] = {"unit",  "event", "decimals", "reversed", "cut",   "lanes",
                                           "notes", "names", "exact",    "diff",     "frames"};

static void take_key(struct html *h)
{
	static const char *const columns[] = {"depth", "name", "self", "base"};
	static const char *const facts[] = {"of", "swapped", "unit", "event"};
	const struct json *j = &h->json;
	if (j->depth == 1)
		h->member = find(member_names, N_MEMBERS, j);
	else if (h->member == FRAMES)
		h->column = find(columns, N_COLUMNS, j);
	else if (h->member == DIFF)
		h->fact = j->depth == 2 ? find(facts, N_FACTS, j) : N_FACTS;
	else if (h->member == EXACT && !number_u64(j->text, j->len, &h->number))
		h->number = UINT64_MAX;
}

/* A value that was not taken: is its key one for another kind? It is skipped then. null stands for nothing. */
static void check_member(struct html *h, enum json_token token)
{
	enum { TEXT = JSON_SET(JSON_STRING), FLAG = JSON_SET(JSON_TRUE) | JSON_SET(JSON_FALSE) };
	enum { LIST = JSON_SET(JSON_ARRAY), OBJECT = JSON_SET(JSON_OBJECT) };
	static const unsigned wanted[] = {
		[UNIT] = TEXT,     [EVENT] = TEXT,    [DECIMALS] = JSON_SET(JSON_NUMBER),
		[REVERSED] = FLAG, [CUT] = FLAG,      [LANES] = JSON_SET_VALUES,
		[NOTES] = TEXT,    [NAMES] = LIST,    [EXACT] = OBJECT,
		[DIFF] = OBJECT,   [FRAMES] = OBJECT, [OTHER] = JSON_SET_VALUES,
	};
	uint32_t around = json_depth_around(&h->json, token);
	unsigned good = JSON_SET_VALUES;
	if (around == 1)
		good = wanted[h->member];
	else if (around == 2 && h->member == EXACT)
		good = TEXT;
	else if (around == 2 && h->member == DIFF && h->fact < N_FACTS)
		good = h->fact == SWAPPED ? FLAG : TEXT;
	else if (around == 2 && h->member == FRAMES && h->column != NO_COLUMN)
		good = LIST;
	if (json_is_odd(&h->json, token, good | JSON_SET(JSON_NULL)))
		sink_skip(h->sink, ODD_MEMBER, 0, member_names[h->member], strlen(member_names[h->member]));
}

/* "samples" stands for no unit. */
static uint32_t unit_sym(struct html *h)
{
	const struct slice unit = {h->json.text, h->json.len};
	return slice_is(unit, "samples") ? 0 : sink_sym(h->sink, unit.s, unit.n);
}

static void take_fact(struct html *h)
{
	const struct json *j = &h->json;
	if (h->fact == OF)
		h->is_of_shares = slice_is((struct slice){j->text, j->len}, "shares");
	else if (h->fact == BASE_UNIT)
		h->base_unit = unit_sym(h);
	else if (h->fact == BASE_EVENT)
		h->base_event = sink_sym(h->sink, j->text, j->len);
	else
		check_member(h, JSON_STRING);
}

static void take_string(struct html *h)
{
	const struct json *j = &h->json;
	if (h->member == NAMES && j->depth == 2)
		mem_push(h->names, h->n_names, h->cap_names, sink_frame(h->sink, j->text, j->len));
	else if (h->member == EXACT && j->depth == 2 && h->number < h->n_names)
		h->names[h->number] = sink_frame(h->sink, j->text, j->len);
	else if (h->member == UNIT)
		h->unit = unit_sym(h);
	else if (h->member == EVENT)
		h->event = sink_sym(h->sink, j->text, j->len);
	else if (h->member == NOTES)
		buf_add(&h->notes, j->text, j->len);
	else if (h->member == DIFF && j->depth == 2)
		take_fact(h);
	else
		check_member(h, JSON_STRING);
}

static bool take_number(struct html *h, struct err *err)
{
	const struct json *j = &h->json;
	bool is_negative = j->len > 1 && j->text[0] == '-';
	bool is_weight = h->member == FRAMES && (h->column == SELF || h->column == BASE);
	uint64_t v = 0;
	if (h->member != DECIMALS && (h->member != FRAMES || j->depth < 3)) {
		check_member(h, JSON_NUMBER);
		return true;
	}
	if (h->member == FRAMES && h->column == NO_COLUMN) /* where a frame stands, and the like */
		return true;
	if (!number_u64(j->text + is_negative, j->len - is_negative, &v) || (is_negative && h->member == DECIMALS) ||
	    (v > INT64_MAX && (is_negative || !is_weight)))
		return fail(err, "bad number '%.*s' in the data of the page", (int)(j->len < 40 ? j->len : 40), j->text);
	if (h->member == DECIMALS) {
		h->decimals = v;
	} else {
		struct numbers *c = &h->columns[h->column];
		if (is_weight && is_negative && c->n < h->n_good)
			h->n_good = c->n;
		mem_push(c->v, c->n, c->cap, is_negative ? -(int64_t)v : (int64_t)v);
	}
	return true;
}

/* Is it a name or a number of a frame of the wrong kind? It is skipped then. */
static bool is_odd(struct html *h, enum json_token token)
{
	uint32_t around = json_depth_around(&h->json, token);
	if (h->member == NAMES)
		return around == 2 && json_is_odd(&h->json, token, JSON_SET(JSON_STRING));
	return h->member == FRAMES && h->column != NO_COLUMN && around == 3 &&
	       json_is_odd(&h->json, token, JSON_SET(JSON_NUMBER));
}

/* The names after it keep their numbers; of a frame, no number may be missing. */
static bool take_odd(struct html *h, struct err *err)
{
	if (h->member != NAMES)
		return fail(err, "the data of the page: line %llu: " ODD_ELEMENT, (unsigned long long)h->json.line);
	sink_skip(h->sink, ODD_ELEMENT, 0, NULL, 0);
	mem_push(h->names, h->n_names, h->cap_names, sink_unknown(h->sink));
	return true;
}

static bool take(struct html *h, enum json_token token, struct err *err)
{
	if (token == JSON_KEY)
		take_key(h);
	else if (token == JSON_STRING)
		take_string(h);
	else if (token == JSON_NUMBER)
		return take_number(h, err);
	else if (token == JSON_TRUE && h->json.depth == 1 && h->member == REVERSED)
		h->is_reversed = true;
	else if (token == JSON_TRUE && h->json.depth == 1 && h->member == CUT)
		h->is_cut = true;
	else if (token == JSON_TRUE && h->member == DIFF && h->fact == SWAPPED)
		h->is_swapped = true;
	else
		check_member(h, token);
	if (json_begins_container(token) && h->json.depth > 1 && (h->member < NAMES || h->member == OTHER))
		json_leave(&h->json);
	return true;
}

static bool feed_data(struct html *h, struct slice text, bool is_last, struct err *err)
{
	enum json_token token;
	json_feed(&h->json, text.s, text.n, is_last);
	while ((token = json_next(&h->json)) > JSON_MORE)
		if (!(is_odd(h, token) ? take_odd(h, err) : take(h, token, err)))
			return false;
	if (token == JSON_ERROR)
		return fail(err, "the data of the page: %s", h->json.err.text);
	return true;
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

/* The frames around, callers first, and the profile's paths to the first n_made of them. */
struct around {
	struct frames frames;
	uint32_t *path;
	size_t n_made, cap;
};

/* The path to the innermost frame: made once, so that deep stacks with weight in each frame take no longer. */
static uint32_t path_of(const struct html *h, struct around *a)
{
	struct profile *p = h->sink->profile;
	const struct frames *f = &a->frames;
	if (!f->n)
		return PATH_ROOT;
	assert(f->syms);
	while (a->n_made < f->n) {
		uint32_t parent = a->n_made ? a->path[a->n_made - 1] : PATH_ROOT;
		uint32_t path = profile_child(p, parent, f->syms[a->n_made]);
		mem_push(a->path, a->n_made, a->cap, path);
	}
	return a->path[f->n - 1];
}

/* In a caller tree the frames are those of the stack from its leaf on. */
static uint32_t reversed_path(const struct html *h, const struct around *a)
{
	struct frames stack = {0};
	if (!a->frames.n)
		return PATH_ROOT;
	for (size_t i = 0; i < a->frames.n; i++)
		frames_push_of(&stack, &a->frames, i);
	frames_finish(&stack, h->sink);
	uint32_t path = profile_path(h->sink->profile, stack.syms, stack.n);
	frames_deinit(&stack);
	return path;
}

static void emit(struct html *h, unsigned side, uint32_t series, struct around *a, uint64_t weight)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = series};
	uint64_t one = with_decimals(1, 0, (unsigned)h->decimals);
	s.weight = weight / one;
	s.millionths = (uint32_t)(weight % one * (1000000 / one));
	h->last_path[side] = h->is_reversed ? reversed_path(h, a) : path_of(h, a);
	profile_add(h->sink->profile, side, h->last_path[side], &s);
}

/* Is the frame on one that is there, with a name that is there? */
static bool is_good(const struct html *h, size_t i, size_t depth)
{
	int64_t d = h->columns[DEPTH].v[i], name = h->columns[NAME].v[i];
	return d >= !!i && d <= (int64_t)depth + !!i && name >= -1 && name < (int64_t)h->n_names && i < h->n_good;
}

/* Goes on to the next frame; the result is its depth, less one if no frame can be on it. */
static size_t enter(const struct html *h, struct around *a, size_t i)
{
	int64_t name = h->columns[NAME].v[i];
	size_t depth = (size_t)h->columns[DEPTH].v[i];
	a->frames.n = depth ? depth - 1 : 0;
	a->n_made = a->n_made < a->frames.n ? a->n_made : a->frames.n;
	if (name >= 0 && depth)
		frames_push(&a->frames, h->names[name]);
	return name < 0 && depth ? depth - 1 : depth;
}

/* The frame's own weights. Of a comparison that is itself a baseline, only the side after counts. */
static void emit_frame(struct html *h, const uint32_t series[2], struct around *a, size_t i)
{
	bool has_both = h->columns[BASE].n, is_baseline = h->sink->options->side == 1;
	const struct numbers *after = &h->columns[has_both && h->is_swapped ? BASE : SELF];
	const struct numbers *before = &h->columns[h->is_swapped ? SELF : BASE];
	if (after->v[i])
		emit(h, is_baseline, series[0], a, (uint64_t)after->v[i]);
	if (has_both && !is_baseline && before->v[i])
		emit(h, 1, series[1], a, (uint64_t)before->v[i]);
}

/* A side without samples is still a side: one of no weight marks it. */
static void mark_sides(const struct html *h, const uint32_t series[2])
{
	for (unsigned side = 0; side < 2; side++) {
		const struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = series[side]};
		if (h->last_path[side] == NO_PATH && h->last_path[!side] != NO_PATH)
			profile_add(h->sink->profile, side, h->last_path[!side], &s);
	}
}

/* By side. The baseline that a page is has only the side after. */
static void make_series(const struct html *h, uint32_t series[2])
{
	struct profile *p = h->sink->profile;
	const uint32_t events[] = {h->event, h->base_event == NO_SYMBOL ? h->event : h->base_event};
	const uint32_t units[] = {h->unit, h->base_unit == NO_SYMBOL ? h->unit : h->base_unit};
	bool is_baseline = h->sink->options->side == 1;
	series[0] = profile_series(p, events[h->is_swapped], units[h->is_swapped]);
	series[1] = series[0];
	if (!is_baseline && h->columns[BASE].n)
		series[1] = profile_series_on(p, 1, events[!h->is_swapped], units[!h->is_swapped]);
}

static bool emit_all(struct html *h, struct err *err)
{
	uint32_t series[2];
	make_series(h, series);
	struct around a = {.n_made = 0};
	size_t depth = 0;
	bool ok = true;
	for (size_t i = 0; i < h->columns[DEPTH].n && ok; i++) {
		ok = is_good(h, i, depth) || fail(err, "frame %zu of the page is on none (expected callers first)", i);
		if (!ok)
			break;
		depth = enter(h, &a, i);
		emit_frame(h, series, &a, i);
	}
	if (ok && h->columns[BASE].n && h->sink->options->side == 0)
		mark_sides(h, series);
	if (h->columns[BASE].n)
		profile_add_columns(h->sink->profile,
		                    (struct columns){.two = h->columns[BASE].n, .are_shares = h->is_of_shares});
	frames_deinit(&a.frames);
	free(a.path);
	return ok;
}

/* Each event of a page has notes of its own, such as the share that a filter left out. */
static void keep_notes(struct html *h)
{
	const char *event = h->event ? h->sink->profile->symtab.symbols[h->event].name : "unnamed samples";
	h->has_cut |= h->is_cut;
	if (!h->n_done)
		buf_add(&h->first_notes, h->notes.data, h->notes.len);
	h->are_unlike |= strcmp(buf_str(&h->first_notes), buf_str(&h->notes)) != 0;
	if (h->notes.len)
		buf_addf(&h->all_notes, "%s%s: %s", h->all_notes.len ? "; " : "", event, buf_str(&h->notes));
}

static void say_what_is_missing(struct html *h)
{
	struct buf *notes = h->are_unlike ? &h->all_notes : &h->first_notes;
	sink_info(h->sink, "read from a page: it has no threads and files", 0, NULL, 0);
	if (h->has_cut)
		sink_warn(h->sink, "read from a page of a caller tree: deeper rows are missing", 0, NULL, 0);
	bool is_part = part_add(h->sink, (struct slice){buf_str(&h->first_notes), h->first_notes.len});
	if (notes->len && !(is_part && !strstr(buf_str(notes), "; ")))
		sink_warn(h->sink, "read from a page that says", 0, notes->data, notes->len);
}

static bool finish_data(struct html *h, struct err *err)
{
	const struct numbers *c = h->columns;
	size_t n = c[DEPTH].n;
	if (!n || c[NAME].n != n || c[SELF].n != n || (c[BASE].n && c[BASE].n != n) || h->decimals > MOST_DECIMALS)
		return fail(err, "the data of the page are not those of a view (a page of a later flametop?)");
	keep_notes(h);
	return emit_all(h, err);
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

static void begin_data(struct html *h)
{
	h->is_open = true;
	h->member = OTHER;
	h->column = NO_COLUMN;
	h->n_names = 0;
	for (size_t i = 0; i < N_COLUMNS; i++)
		h->columns[i].n = 0;
	h->n_good = SIZE_MAX;
	h->decimals = 0;
	h->is_reversed = h->is_cut = h->is_swapped = h->is_of_shares = false;
	h->fact = N_FACTS;
	h->base_unit = h->base_event = NO_SYMBOL;
	h->last_path[0] = h->last_path[1] = NO_PATH;
	h->unit = h->event = 0;
	h->notes.len = 0;
	json_init(&h->json);
}

static bool end_data(struct html *h, struct err *err)
{
	h->is_open = false;
	json_deinit(&h->json);
	if (!finish_data(h, err))
		return false;
	h->n_done++;
	return true;
}

/*
 * Where the data of an event begin: after ' id="data">', that of the first of a page, or ' id="data-1">'.
 * SIZE_MAX: nowhere in the line.
 */
static size_t find_data(struct slice line, bool *is_first)
{
	size_t at = slice_find(line, DATA);
	if (at == SIZE_MAX)
		return SIZE_MAX;
	at += sizeof DATA - 1;
	size_t number = at;
	while (at < line.n && (line.s[at] == '-' || (line.s[at] >= '0' && line.s[at] <= '9')))
		at++;
	*is_first = at == number;
	return slice_starts(slice_from(line, at), "\">") ? at + 2 : SIZE_MAX;
}

/* Joined pages: each has its own notes. */
static void end_page(struct html *h)
{
	say_what_is_missing(h);
	h->first_notes.len = h->all_notes.len = h->n_done = 0;
	h->are_unlike = h->has_cut = false;
}

static bool take_line(struct html *h, struct slice line, struct err *err)
{
	bool is_first = false;
	size_t at = h->is_open ? 0 : find_data(line, &is_first);
	if (at == SIZE_MAX)
		return true;
	if (is_first && h->n_done)
		end_page(h);
	if (!h->is_open)
		begin_data(h);
	line = slice_from(line, at);
	at = slice_find(line, DATA_END);
	bool is_last = at != SIZE_MAX;
	return feed_data(h, is_last ? slice_head(line, at) : line, is_last, err) && (!is_last || end_data(h, err));
}

/* ---- the format ---------------------------------------------------------------------------------------------- */

static void *html_start(struct sink *sink, struct err *err)
{
	struct html *h = mem_zalloc(1, sizeof *h);
	(void)err;
	h->sink = sink;
	buf_init(&h->notes);
	buf_init(&h->first_notes);
	buf_init(&h->all_notes);
	return h;
}

static bool html_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct html *h = state;
	struct lines lines = lines_of(h->sink, text, len);
	bool ok = true;
	while (ok && lines_next(&lines))
		ok = take_line(h, lines.line, err);
	return ok;
}

static bool html_finish(void *state, bool ok, struct err *err)
{
	struct html *h = state;
	ok = ok && ((!h->is_open && h->n_done) || fail(err, "the page ends before its data do"));
	if (h->n_done)
		say_what_is_missing(h);
	for (size_t i = 0; i < N_COLUMNS; i++)
		free(h->columns[i].v);
	free(h->names);
	buf_deinit(&h->notes);
	buf_deinit(&h->first_notes);
	buf_deinit(&h->all_notes);
	if (h->is_open)
		json_deinit(&h->json);
	free(h);
	return ok;
}

static enum sniff html_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a page of flametop";
	return slice_starts(text, "<") && slice_has(text, GENERATOR) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_html = {
	.name = "html",
	.help = "pages that flametop writes (--to=html)",
	.waits_for_end = true,
	.sniff = html_sniff,
	.start = html_start,
	.feed = html_feed,
	.finish = html_finish,
};
