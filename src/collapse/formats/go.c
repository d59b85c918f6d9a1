/*
 * go.c - parses the text of `go tool pprof -raw`.
 *
 *	Samples:
 *	samples/count cpu/nanoseconds
 *	          3   30000000: 1 2 3
 *	Locations
 *	     1: 0x4a3f10 M=1 crypto/sha256.block /usr/lib/go/sha256block.s:47 s=0
 *	     2: 0x4a2e01 M=1 crypto/sha256.(*digest).Write /usr/lib/go/sha256.go:190 s=181
 *	     3: 0x4b0c55 main.(*T).inlined /src/main.go:30 s=29
 *	             main.main /src/main.go:21 s=10
 *	Mappings
 *
 *	main.main;main.(*T).inlined;crypto/sha256.(*digest).Write;crypto/sha256.block 3
 *
 * Samples list their locations by number, leaf first. The numbers are defined only afterwards, so samples are held
 * back until then. A location may be several frames inlined into each other: the first line is the innermost. Each
 * column of numbers is a series; --value=NAME says which one is shown first.
 */
#include "collapse/formats.h"

#include "base/buf.h"
#include "base/idmap.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"
#include "collapse/text/tidy.h"

enum part { BEFORE_SAMPLES, TYPES, SAMPLES, LOCATIONS, AFTER };

/* Equal samples in a row are kept once: a word says how many ids they have, and how many more of them there are. */
#define N_IDS(shape) ((shape)&UINT32_MAX) /* lines are shorter than 4 GiB */
#define REPEATS(shape) ((shape) >> 32)
#define REPEAT (UINT64_C(1) << 32)

struct location {
	size_t first, n; /* its frames are names[first, first + n), innermost first */
};

struct go {
	struct sink *sink;
	enum part part;
	uint32_t *series; /* of each column */
	size_t n_columns, cap_columns;
	uint64_t *samples; /* for each sample: its values, the number of ids and of repeats (N_IDS, REPEATS), the ids */
	size_t n_samples, cap_samples;
	size_t last; /* where the last one begins */
	struct location *locations;
	size_t n_locations, cap_locations;
	struct idmap ids;    /* index into locations */
	struct frames names; /* of all locations */
	struct frames frames;
};

/* ---- columns ---- */

/* Matches "cpu/nanoseconds" by its type or in full. */
static bool is_asked_for(const char *value, struct slice column)
{
	return slice_is(column, value) || slice_is(slice_before(column, '/'), value);
}

static uint32_t column_series(struct go *g, struct slice column)
{
	size_t slash = slice_find_byte(column, '/');
	struct slice type = slice_before(column, '/');
	uint32_t unit = 0;
	if (slash != SIZE_MAX && slash + 1 < column.n)
		unit = sink_sym(g->sink, column.s + slash + 1, column.n - slash - 1);
	return profile_series(g->sink->profile, sink_sym(g->sink, type.s, type.n), unit);
}

/* "alloc_space/bytes inuse_space/bytes[dflt]": takes a column, without the mark */
static struct slice take_column(struct slice *line)
{
	struct slice column = slice_take_word(line);
	if (slice_ends(column, "[dflt]"))
		column.n -= strlen("[dflt]");
	return column;
}

static bool read_types(struct go *g, struct slice line, uint64_t number, struct err *err)
{
	const char *value = g->sink->options->value;
	struct slice rest = line, column;
	while (value && (column = take_column(&rest)).n) {
		if (is_asked_for(value, column)) {
			column_series(g, column); /* the first series is shown first */
			value = NULL;
		}
	}
	if (value)
		return fail(err, "line %ju: there is no value '%s' (expected one of: %.*s)", (uintmax_t)number, value,
		            line.n < 400 ? (int)line.n : 400, line.s);
	for (rest = line; (column = take_column(&rest)).n;) {
		uint32_t series = column_series(g, column);
		mem_push(g->series, g->n_columns, g->cap_columns, series);
	}
	g->part = SAMPLES;
	return true;
}

/* ---- samples ---- */

/* Keeps the sample that begins at `start`, or counts it with the one before. */
static void end_sample(struct go *g, size_t start)
{
	size_t n = g->n_samples - start, shape = g->n_columns;
	uint64_t *last = g->samples + g->last, *now = g->samples + start;
	bool is_same = start - g->last == n && memcmp(last, now, shape * sizeof *now) == 0 &&
	               N_IDS(last[shape]) == now[shape] && REPEATS(last[shape]) < UINT32_MAX &&
	               memcmp(last + shape + 1, now + shape + 1, (n - shape - 1) * sizeof *now) == 0;
	if (is_same) {
		last[shape] += REPEAT;
		g->n_samples = start;
	} else {
		g->last = start;
	}
}

/* Takes "3   30000000: 1 2 3"; other lines are labels of the sample above. */
static bool take_sample(struct go *g, struct slice line)
{
	size_t start = g->n_samples, colon = slice_find_byte(line, ':');
	if (colon == SIZE_MAX)
		return false;
	struct slice values = slice_head(line, colon), ids = slice_from(line, colon + 1), word;
	uint64_t v, n = 0;
	for (size_t i = 0; i < g->n_columns; i++) {
		if (!slice_u64(slice_take_word(&values), &v))
			goto bad;
		mem_push(g->samples, g->n_samples, g->cap_samples, v);
	}
	if (slice_trim(values).n)
		goto bad;
	size_t count_at = g->n_samples;
	mem_push(g->samples, g->n_samples, g->cap_samples, 0);
	while ((word = slice_take_word(&ids)).n) {
		if (!slice_u64(word, &v))
			goto bad;
		mem_push(g->samples, g->n_samples, g->cap_samples, v);
		n++;
	}
	g->samples[count_at] = n;
	end_sample(g, start);
	return true;
bad:
	g->n_samples = start;
	return false;
}

/* "                bytes:[1024]", "thread:[main]" */
static bool is_label(struct slice line)
{
	if (!slice_ends(line, "]"))
		return false;
	size_t colon = slice_find(line, ":[");
	return colon != SIZE_MAX && colon > 0;
}

/* ---- locations ---- */

/* The name ends at the first blank outside brackets: "std::less<int, int>::f(a, b) /src/x.cc:12 s=0". */
static struct slice function_name(struct slice text)
{
	size_t end = tidy_find_outside(text.s, text.n, " ");
	return end < text.n ? slice_head(text, end) : slice_before(text, ' ');
}

/* "FILE:LINE" in "NAME FILE:LINE s=START"; older versions end with the line. */
static struct slice place_in(struct slice text)
{
	size_t name = function_name(text).n, start = slice_rfind(text, " s=");
	struct slice place =
		slice_trim(slice_from(start != SIZE_MAX && start > name ? slice_head(text, start) : text, name));
	size_t colon = slice_find_last(place, ':');
	return colon == SIZE_MAX ? slice_head(text, 0) : place;
}

/* "     2: 0x4a2e01 M=1 [F] NAME FILE:LINE s=START" */
static bool take_location(struct go *g, struct slice line)
{
	struct location location = {.first = g->names.n, .n = 1};
	line = slice_ltrim(line);
	uint64_t id;
	if (!slice_u64(slice_take_digits(&line), &id) || !slice_take(&line, ":"))
		return false;
	struct slice address = slice_take_word(&line);
	if (!slice_is_address(address))
		return false;
	struct slice rest = slice_ltrim(line);
	if (slice_take(&rest, "M=") && slice_take_digits(&rest).n)
		line = slice_ltrim(rest);
	line = slice_ltrim(line);
	if (slice_take(&line, "[F]"))
		line = slice_ltrim(line);
	idmap_add(&g->ids, id, (uint32_t)g->n_locations);
	mem_push(g->locations, g->n_locations, g->cap_locations, location);
	frames_push_at(&g->names, g->sink, line.n ? function_name(line) : address, place_in(line));
	return true;
}

static void location_line(struct go *g, struct slice line, uint64_t number)
{
	struct slice name = slice_ltrim(line);
	if (take_location(g, line))
		return;
	/* indented and without a number: the caller that the line above was inlined into */
	if (g->n_locations && name.n && name.n < line.n && !is_digit_byte(*name.s)) {
		frames_push_at(&g->names, g->sink, function_name(name), place_in(name));
		g->locations[g->n_locations - 1].n++;
	} else if (name.n) {
		sink_skip(g->sink, "bad location (expected 'ID: 0xADDRESS M=N NAME FILE:LINE')", number, line.s, line.n);
	}
}

/* ---- both together ---- */

static void push_location(struct go *g, uint64_t id)
{
	uint32_t index;
	const struct location *l = idmap_find(&g->ids, id, &index) ? &g->locations[index] : NULL;
	for (size_t i = 0; l && i < l->n && profile_walk(g->sink->profile, 1); i++)
		frames_push_of(&g->frames, &g->names, l->first + i);
	if (l)
		return;
	sink_warn(g->sink, "stacks with locations that are not in the list (their numbers are shown)", 0, NULL, 0);
	struct buf number;
	buf_init(&number);
	buf_addu(&number, id);
	frames_push(&g->frames, sink_sym(g->sink, number.data, number.len));
	buf_deinit(&number);
}

static void add_sample(struct go *g, uint32_t path, const struct sample *s, uint64_t repeats)
{
	for (uint64_t i = 0; i <= repeats; i++)
		profile_add(g->sink->profile, g->sink->options->side, path, s);
}

/* Emits one sample and those that repeat it. Returns how many words it takes. */
static size_t emit_sample(struct go *g, const uint64_t *sample)
{
	uint64_t n_ids = N_IDS(sample[g->n_columns]), repeats = REPEATS(sample[g->n_columns]);
	const uint64_t *ids = sample + g->n_columns + 1;
	g->frames.n = 0;
	for (uint64_t i = 0; i < n_ids && !g->sink->profile->bound.is_reached; i++)
		push_location(g, ids[i]);
	frames_finish(&g->frames, g->sink);
	uint32_t path = NO_PATH, site = frames_site(&g->frames, g->sink);
	for (size_t i = 0; i < g->n_columns; i++) {
		struct sample s = {
			.weight = sample[i], .time = NO_TIME, .cpu = NO_CPU, .series = g->series[i], .site = site};
		if (s.weight && path == NO_PATH)
			path = profile_path(g->sink->profile, g->frames.syms, g->frames.n);
		if (s.weight)
			add_sample(g, path, &s, repeats);
	}
	return g->n_columns + 1 + n_ids;
}

/* Looks up the locations of all samples. */
static void emit_all(struct go *g)
{
	for (size_t at = 0; at < g->n_samples;)
		at += emit_sample(g, g->samples + at);
	g->n_samples = g->last = g->n_locations = g->names.n = g->n_columns = 0;
	idmap_deinit(&g->ids);
}

/* ---- lines ---- */

static bool go_line(struct go *g, struct slice line, uint64_t number, struct err *err)
{
	if (slice_starts(line, "#"))
		return true;
	switch (g->part) {
	case BEFORE_SAMPLES:
	case AFTER: /* a file may contain several profiles */
		if (slice_is(line, "Samples:"))
			g->part = TYPES;
		break;
	case TYPES:
		return !line.n || read_types(g, line, number, err);
	case SAMPLES:
		if (slice_starts(line, "Locations"))
			g->part = LOCATIONS;
		else if (line.n && !is_label(line) && !take_sample(g, line))
			sink_skip(g->sink, "bad sample (expected a number for each column, ':' and location ids)", number,
			          line.s, line.n);
		break;
	case LOCATIONS:
		if (slice_starts(line, "Mappings")) {
			emit_all(g);
			g->part = AFTER;
		} else if (line.n) {
			location_line(g, line, number);
		}
		break;
	}
	return true;
}

static void go_end(struct go *g, bool is_whole)
{
	if (is_whole)
		emit_all(g);
	if (is_whole && g->part == BEFORE_SAMPLES)
		sink_warn(g->sink, "the file ends before the samples (expected a line 'Samples:')", 0, NULL, 0);
	if (is_whole && g->part == SAMPLES)
		sink_warn(g->sink, "the file ends before the names (expected a line 'Locations')", 0, NULL, 0);
	if (is_whole && g->part == LOCATIONS)
		sink_warn(g->sink, "the file ends within the names (expected a line 'Mappings')", 0, NULL, 0);
	free(g->series);
	free(g->samples);
	free(g->locations);
	idmap_deinit(&g->ids);
	frames_deinit(&g->names);
	frames_deinit(&g->frames);
}

STRICT_LINE_FORMAT(go)

static bool is_mine(struct slice line)
{
	return slice_is(line, "Samples:");
}

static enum sniff go_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Samples:'", why);
}

const struct collapse_format format_go = {
	.name = "go",
	.help = "text of Go's pprof: go tool pprof -raw PROFILE",
	.tells_open_end = true,
	.waits_for_end = true,
	.sniff = go_sniff,
	LINE_FORMAT_FUNCTIONS(go),
	.effects = EFFECT_VALUE,
};
