/*
 * folded.c - parses folded stacks: one line per stack, frames root first, then the count.
 *
 *	main;parse;read_token 31
 *	main;write 4
 *	main;write 4 7            two counts: before and after (a differential profile)
 *	# anything                a comment
 *	# event=cpu unit=ns 0     what the counts count, before the first stack (model/unit_line.h)
 *	main;odd\x20 4            escaped names, if the first line says so (base/escape.h)
 *
 * Each line is compared with the previous one, and only the difference is parsed. While the input is sorted (most
 * is: every collapser sorts), a path that differs is a new one, so nothing is looked up and the profile needs no
 * index. There is one exception: a name that is a prefix of its neighbour's can come back, because ';' sorts after
 * many characters ("a;b 1", "a;b-c 1", "a;b;d 1"). So each level keeps its last siblings that are prefixes of each
 * other. They all share one array, deeper levels last: nothing is added to a level before the deeper ones are
 * closed. Only names are looked up, all names of a line together, so that their cache misses overlap. The first
 * line out of order builds the index; from then on a binary search over the hashes of all prefixes of a line finds
 * its path: a line with a known path costs one probe, however deep it is.
 *
 * A line may contain millions of frames, so little is kept per frame, and data for look-ups only where they are
 * needed.
 */
#include <string.h>

#include "base/escape.h"
#include "base/find.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/formats/folded_count.h"
#include "collapse/formats/folded_marks.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/part.h"
#include "model/unit_line.h"

/* A sibling that may come again; all names in a list are prefixes of its last one. */
struct candidate {
	uint32_t len, path;
};

#define PATH_UNKNOWN UINT32_MAX

/* A frame of the current stack. */
struct level {
	uint32_t end;   /* end of its name in the stack's text, which is shorter than 2^32 bytes */
	uint32_t path;  /* PATH_UNKNOWN: not looked up; a deeper level's path leads to it */
	uint32_t first; /* its first candidate; its last precedes those of the next level */
};

#define NAMES_AT_ONCE 256u /* for sorted input: more than nearly all stacks have */

struct folded {
	struct sink *sink;
	struct profile *profile;
	const char *prev; /* text of the previous stack; in the piece or in `kept` */
	size_t prev_len;
	char *kept;
	size_t cap_kept;
	struct level *levels; /* [0] is the root */
	size_t depth, cap_levels;
	struct candidate *candidates;
	size_t n_candidates, cap_candidates;
	uint64_t *symbols; /* hashes of the names split off last */
	size_t cap_symbols;
	struct path_hash *hashes; /* hashes of the paths to the levels; NULL: the input is sorted so far */
	uint64_t line;            /* number of the current line */
	uint32_t series;          /* of all samples */
	struct buf event, unit;   /* of the series, as its line has them; empty: there is none */
	bool is_sorted;
	bool is_escaped; /* announced in the first line */
	bool has_stacks; /* so far; what is in front of them is the head */
	bool has_before; /* there is a sample of the baseline */
	struct columns columns;
	struct frames frames; /* frames of a stack with escapes */
	struct buf name;
};

/* Builds the index: from now on paths are looked up. */
static void begin_index(struct folded *f)
{
	f->is_sorted = false;
	profile_index(f->profile);
	f->hashes = mem_alloc(f->cap_levels * sizeof *f->hashes);
	f->hashes[0] = path_hash_root();
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static struct level *level_at(struct folded *f, size_t depth)
{
	if (depth >= f->cap_levels) {
		f->levels = mem_grow(f->levels, &f->cap_levels, depth + 1, sizeof *f->levels);
		if (f->hashes)
			f->hashes = mem_realloc(f->hashes, f->cap_levels, sizeof *f->hashes);
	}
	return &f->levels[depth];
}

/* The path at this depth, found from the deepest level, which always has its path. */
static uint32_t path_from_below(const struct folded *f, size_t depth)
{
	size_t d = depth;
	uint32_t path;
	while (f->levels[d].path == PATH_UNKNOWN)
		d++;
	for (path = f->levels[d].path; d > depth; d--)
		path = f->profile->parent[path];
	return path;
}

/* Keeps the frames shared with the previous stack, and closes the others. */
static void close_levels(struct folded *f, const char *stack, size_t len, size_t common)
{
	size_t d = f->depth;
	while (d && (f->levels[d].end > common || (f->levels[d].end == common && common < len && stack[common] != ';')))
		d--;
	f->depth = d;
	if (f->levels[d].path == PATH_UNKNOWN)
		f->levels[d].path = path_from_below(f, d);
}

/* Looks up paths from the first line that is out of order. */
static void leave_sorted(struct folded *f)
{
	begin_index(f);
	for (size_t d = 1; d <= f->depth; d++)
		f->hashes[d] = f->profile->hashes[f->levels[d].path];
}

/*
 * Adds one frame in sorted input; its level's candidates are the last ones. `shared`: bytes of the name that equal
 * the previous sibling's.
 */
static uint32_t sorted_child(struct folded *f, const struct level *l, uint32_t parent, struct slice name,
                             uint64_t symbol, size_t shared)
{
	struct symtab *symtab = &f->profile->symtab;
	uint32_t path;
	while (f->n_candidates > l->first && f->candidates[f->n_candidates - 1].len > shared)
		f->n_candidates--;
	if (f->n_candidates > l->first && f->candidates[f->n_candidates - 1].len == name.n)
		return f->candidates[f->n_candidates - 1].path;
	path = profile_append_path(f->profile, parent, symtab_intern_hashed(symtab, name.s, name.n, symbol), NULL);
	mem_push(f->candidates, f->n_candidates, f->cap_candidates, ((struct candidate){(uint32_t)name.n, path}));
	return path;
}

/* Offset of the name after the frame at this depth. */
static size_t after_level(const struct folded *f, size_t depth)
{
	return depth ? (size_t)f->levels[depth].end + 1 : 0;
}

/*
 * Splits off at most this many frames after the known ones, and hashes their names: symbols[0] belongs to the
 * first. Returns the new number of frames.
 */
static size_t split_levels(struct folded *f, size_t known, size_t most, const char *stack, size_t len)
{
	size_t d = known, start = after_level(f, known);
	const char *block = stack + start, *end = stack + len;
	uint32_t mask = start <= len ? scan_mask(block, ';') : 0;
	while (start <= len && d - known < most) {
		struct level *l = level_at(f, ++d);
		const char *at;
		while (!mask && block + 32 < end) {
			block += 32;
			mask = scan_mask(block, ';');
		}
		at = mask ? block + __builtin_ctz(mask) : end;
		if (at > end)
			at = end;
		mask &= mask - 1;
		l->end = (uint32_t)(at - stack);
		if (d - known > f->cap_symbols)
			f->symbols = mem_grow(f->symbols, &f->cap_symbols, d - known, sizeof *f->symbols);
		f->symbols[d - known - 1] = hash_bytes(stack + start, l->end - start);
		start = (size_t)l->end + 1;
	}
	return d;
}

/* Prefetches the memory that interning names first to n - 1 of the last split will read. */
static void fetch_names(const struct folded *f, size_t first, size_t n)
{
	const struct symtab *symtab = &f->profile->symtab;
	for (size_t i = first; i < n; i++)
		symtab_fetch_slot(symtab, f->symbols[i]);
	for (size_t i = first; i < n; i++)
		symtab_fetch_symbol(symtab, f->symbols[i]);
	for (size_t i = first; i < n; i++)
		symtab_fetch_name(symtab, f->symbols[i]);
}

/*
 * The level below the present ones keeps its candidates if the previous line was that deep; deeper levels have
 * none.
 */
static void keep_candidates(struct folded *f, size_t prev_depth)
{
	size_t first = f->depth + 1;
	if (first > prev_depth)
		level_at(f, first)->first = (uint32_t)f->n_candidates;
	else if (first < prev_depth)
		f->n_candidates = f->levels[first + 1].first;
}

static void open_sorted(struct folded *f, const char *stack, size_t len, size_t common, size_t prev_depth)
{
	size_t first = f->depth + 1, start = after_level(f, f->depth);
	size_t shared = f->depth < prev_depth && common > start ? common - start : 0;
	if (start > len)
		return;
	keep_candidates(f, prev_depth);
	while (start <= len) {
		size_t known = f->depth, deepest = split_levels(f, known, NAMES_AT_ONCE, stack, len);
		fetch_names(f, 0, deepest - known);
		for (size_t d = known + 1; d <= deepest; d++) {
			struct level *l = &f->levels[d];
			struct slice name = {stack + start, l->end - start};
			if (d > first) /* no previous sibling */
				l->first = (uint32_t)f->n_candidates;
			/* An empty name is a prefix of every other: a candidate of length 0. */
			l->path =
				sorted_child(f, l, f->levels[d - 1].path, name, f->symbols[d - known - 1], d > first ? 0 : shared);
			start = (size_t)l->end + 1;
		}
		f->depth = deepest;
	}
}

/* Hashes the paths to the frames after those shared with the previous line. */
static size_t hash_levels(struct folded *f, const char *stack, size_t len)
{
	size_t deepest = split_levels(f, f->depth, SIZE_MAX, stack, len);
	for (size_t d = f->depth + 1; d <= deepest; d++) {
		f->levels[d].path = PATH_UNKNOWN;
		f->hashes[d] = path_hash_next(f->hashes[d - 1], f->symbols[d - f->depth - 1]);
	}
	return deepest;
}

static void open_indexed(struct folded *f, const char *stack, size_t len)
{
	struct profile *p = f->profile;
	size_t known = f->depth, deepest, unknown;
	uint32_t path;
	if (f->depth && f->levels[f->depth].end >= len)
		return;
	deepest = hash_levels(f, stack, len);
	unknown = deepest + 1;
	path = profile_lookup(p, f->hashes[deepest]);
	if (path != UINT32_MAX) {
		f->levels[deepest].path = path;
		known = deepest;
	} else {
		unknown = deepest;
	}
	while (unknown - known > 1) {
		size_t mid = known + (unknown - known) / 2;
		path = profile_lookup(p, f->hashes[mid]);
		if (path == UINT32_MAX) {
			unknown = mid;
		} else {
			f->levels[mid].path = path;
			known = mid;
		}
	}
	for (size_t d = known + 1; d <= deepest; d++)
		profile_prefetch(p, f->hashes[d]);
	fetch_names(f, known - f->depth, deepest - f->depth);
	for (size_t d = known + 1; d <= deepest; d++) {
		struct level *l = &f->levels[d];
		size_t start = after_level(f, d - 1);
		uint32_t sym =
			symtab_intern_hashed(&p->symtab, stack + start, l->end - start, f->symbols[d - f->depth - 1]);
		l->path = profile_append_path(p, f->levels[known].path, sym, &f->hashes[d]);
		known = d;
	}
	f->depth = deepest;
}

/* The path for a stack's text. */
static uint32_t stack_path(struct folded *f, const char *stack, size_t len)
{
	size_t least = len < f->prev_len ? len : f->prev_len, prev_depth = f->depth;
	size_t common = scan_common(stack, f->prev, least);
	close_levels(f, stack, len, common);
	if (f->is_sorted && common < f->prev_len &&
	    (common == len || (unsigned char)stack[common] < (unsigned char)f->prev[common]))
		leave_sorted(f);
	if (f->is_sorted)
		open_sorted(f, stack, len, f->prev_len ? common : 0, prev_depth);
	else
		open_indexed(f, stack, len);
	f->prev = stack;
	f->prev_len = len;
	return f->levels[f->depth].path;
}

/* The path for a stack with escaped names. */
static uint32_t escaped_path(struct folded *f, const char *stack, size_t len)
{
	f->frames.n = 0;
	for (size_t from = 0, n; from <= len; from += n + 1) {
		const char *semicolon = memchr(stack + from, ';', len - from);
		n = semicolon ? (size_t)(semicolon - stack) - from : len - from;
		f->name.len = 0;
		escape_undo(&f->name, stack + from, n);
		frames_push(&f->frames, symtab_intern(&f->profile->symtab, f->name.data, f->name.len));
	}
	return profile_path(f->profile, f->frames.syms, f->frames.n);
}

static uint32_t path_of(struct folded *f, const char *stack, size_t len)
{
	if (f->is_escaped && escape_is_empty_stack(stack, len))
		return PATH_ROOT;
	if (f->is_escaped && find_bytes(stack, len, "\\x", 2))
		return escaped_path(f, stack, len);
	return stack_path(f, stack, len);
}

/* The length of the first `depth` frames of a stack; of all if it has no more. */
static size_t prefix_length(const char *stack, size_t len, size_t depth)
{
	size_t at = 0, n;
	for (; len - at >= 32; at += 32) {
		n = (size_t)__builtin_popcount(scan_mask(stack + at, ';'));
		if (n >= depth)
			break;
		depth -= n;
	}
	for (; at < len && depth; at++)
		depth -= stack[at] == ';';
	return at;
}

/* A hash of the first `depth` frames, or of the end of their text: enough to deal stacks out by it. */
static uint64_t prefix_hash(const char *stack, size_t len, size_t depth)
{
	size_t n = prefix_length(stack, len, depth), most = 64;
	return n > most ? hash_bytes(stack + n - most, most) : hash_bytes(stack, n);
}

static bool is_mine(const struct share *share, const char *stack, size_t len)
{
	return !share || prefix_hash(stack, len, share->depth) % share->workers == share->worker;
}

/* The count at the end of text[0..len). */
struct count {
	uint64_t whole;
	uint32_t millionths;
	const char *text;
	size_t len;
};

/* Its decimals without the point. */
static struct slice decimals_of(const struct count *c)
{
	struct slice word =
		slice_from((struct slice){c->text, c->len}, slice_find_last((struct slice){c->text, c->len}, ' '));
	size_t point = slice_find_byte(word, '.');
	return point == SIZE_MAX ? (struct slice){"", 0} : slice_from(word, point + 1);
}

/*
 * Is it written as number_add_fixed() writes numbers with at most six decimals? Then fractions may be kept. Other
 * programs truncate counts, so counts in other forms are truncated here, too.
 */
static bool is_exact(const struct count *c)
{
	struct slice decimals = decimals_of(c);
	return decimals.n > 0 && decimals.n <= 6 && decimals.s[decimals.n - 1] != '0';
}

static void add_sample(struct folded *f, unsigned side, uint32_t path, const struct count *c)
{
	struct sample s = {.weight = c->whole,
	                   .time = NO_TIME,
	                   .cpu = NO_CPU,
	                   .series = (uint16_t)f->series,
	                   .millionths = c->millionths == ZERO_WRITTEN_OUT ? 0 : c->millionths};
	if (f->sink->share && f->profile->join == JOIN_NONE) {
		struct line_numbers *numbers = &f->sink->share->samples[side];
		mem_push(numbers->line, numbers->n, numbers->cap, f->line);
	}
	if (c->millionths && !is_exact(c))
		profile_note_foreign_count(f->profile);
	profile_add(f->profile, side, path, &s);
}

/* Reports the first line that is not a stack. */
static void skip(struct folded *f, const char *kind, const char *text, size_t len)
{
	if (!f->sink->share || f->sink->share->worker == 0)
		sink_skip(f->sink, kind, f->line, text, len);
}

/* Six decimals are kept: for a count below a thousandth, the truncated rest is worth a warning. */
static void look_at_small(struct folded *f, const struct count *c)
{
	struct slice decimals;
	if (c->whole || c->millionths >= 1000)
		return;
	decimals = decimals_of(c);
	for (size_t i = 6; i < decimals.n; i++) {
		if (decimals.s[i] == '0')
			continue;
		sink_warn(f->sink, TOO_SMALL, f->line, c->text, c->len);
		return;
	}
}

/* An empty baseline is still a baseline: one sample without weight marks it. */
static void add_before(struct folded *f, uint32_t path, const struct count *before)
{
	if (f->has_before && !before->whole && !before->millionths)
		return;
	f->has_before = true;
	add_sample(f, 1, path, before);
}

/* Of counts of that unit; both may be 0. Those of a baseline say what both count if the profile does not. */
static uint32_t series_of(struct profile *p, uint32_t event, uint32_t unit)
{
	uint32_t i = profile_series(p, event, unit);
	if (!p->series[i].unit)
		p->series[i].unit = profile_spell_unit(p, unit);
	return i;
}

/* Reads the line with the unit, if it is one. */
static bool take_series(struct folded *f, const char *line, size_t len)
{
	struct symtab *t = &f->profile->symtab;
	if (!unit_line_read(line, len, &f->event, &f->unit))
		return false;
	f->series = series_of(f->profile, symtab_intern(t, f->event.data, f->event.len),
	                      symtab_intern(t, f->unit.data, f->unit.len));
	return true;
}

/* In joined files, heads follow further down: what recordings lack adds up, the rest is of some stacks only. */
static void look_at_comment(struct folded *f, const char *text, size_t len)
{
	struct buf event, unit;
	if (f->sink->share && f->sink->share->worker != 0)
		return;
	part_add(f->sink, (struct slice){text + 1, len - 1});
	if (f->line <= 1 || (!f->has_stacks && !f->unit.len && take_series(f, text, len)))
		return;
	buf_init(&event);
	buf_init(&unit);
	if (unit_line_read(text, len, &event, &unit) &&
	    (strcmp(buf_str(&event), buf_str(&f->event)) != 0 || strcmp(buf_str(&unit), buf_str(&f->unit)) != 0))
		sink_warn(f->sink,
		          "counts of another event begin here, and are added to the first one's (of joined files, give "
		          "each by its name)",
		          f->line, text, len);
	buf_deinit(&event);
	buf_deinit(&unit);
	static const char late[] = "escapes are announced below the first line (names stay as they are written)";
	if (!f->is_escaped && folded_is_escaped(text, len))
		sink_warn(f->sink, late, f->line, text, len);
}

static void folded_line(struct folded *f, const char *text, size_t len)
{
	struct count after, before;
	const char *whole = text;
	size_t whole_len = len, cut;
	uint32_t path;
	while (len && is_blank(text[len - 1]))
		len--;
	while (len && is_blank(*text)) {
		text++;
		len--;
	}
	if (!len)
		return;
	if (len > 1 && text[0] == '#' && text[1] == ' ') {
		look_at_comment(f, text, len);
		return;
	}
	f->has_stacks = true;
	after.text = before.text = text;
	after.len = len;
	if (!folded_cut_count(text, &len, &after.whole, &after.millionths)) {
		skip(f, "not a folded stack (expected 'frame;frame;frame count')", whole, whole_len);
		return;
	}
	before.len = cut = len;
	if (len && folded_cut_count(text, &cut, &before.whole, &before.millionths) && cut) {
		if (!is_mine(f->sink->share, text, cut))
			return;
		f->columns.two++;
		path = path_of(f, text, cut);
		add_sample(f, f->sink->options->side, path, &after);
		if (f->sink->options->side == 0)
			add_before(f, path, &before);
		look_at_small(f, &after);
		look_at_small(f, &before);
		return;
	}
	if (!len) {
		skip(f, "a count without a stack (expected 'frame;frame;frame count')", whole, whole_len);
		return;
	}
	if (!is_mine(f->sink->share, text, len))
		return;
	f->columns.one++;
	path = path_of(f, text, len);
	add_sample(f, f->sink->options->side, path, &after);
	look_at_small(f, &after);
}

/* Copies the previous stack before its piece goes away. */
static void keep_previous(struct folded *f)
{
	if (f->prev == f->kept)
		return;
	if (f->prev_len + 64 > f->cap_kept)
		f->kept = mem_grow(f->kept, &f->cap_kept, f->prev_len + 64, 1);
	memcpy(f->kept, f->prev, f->prev_len);
	memset(f->kept + f->prev_len, 0, 64);
	f->prev = f->kept;
}

/* Lines with escapes are looked up frame by frame, which needs the index. */
static void expect_escapes(struct folded *f)
{
	f->is_escaped = true;
	if (f->is_sorted)
		leave_sorted(f);
}

/*
 * Finds the series of the counts: by the line with the unit among the comments before the first stack, or by the
 * unit that the user gave. Others count as the first series if that is known beforehand; those of a baseline have
 * no name.
 */
static void find_series(struct folded *f, const char *text, size_t len)
{
	const char *end = text + len, *line;
	struct profile *p = f->profile;
	unsigned side = f->sink->options->side;
	bool is_there = false;
	size_t n;
	while (!is_there && text < end && *text == '#' && head_line(&text, end, &line, &n))
		is_there = line + n < end && take_series(f, line, n); /* a line may still grow */
	if (!is_there && (p->bare_unit || (p->n_series && (side == 1 || !p->series[0].name))))
		f->series = series_of(p, 0, p->bare_unit);
}

static void *folded_start(struct sink *sink, struct err *err)
{
	struct folded *f = mem_zalloc(1, sizeof *f);
	(void)err;
	f->sink = sink;
	f->profile = sink->profile;
	f->kept = mem_zalloc(1, f->cap_kept = 4096);
	f->prev = f->kept;
	f->levels = mem_grow(NULL, &f->cap_levels, 256, sizeof *f->levels);
	f->levels[0] = (struct level){0, PATH_ROOT, 0};
	/* Only an empty profile can be filled without an index. */
	f->is_sorted = f->profile->is_sorted = f->profile->n_paths == 1 && !profile_has_index(f->profile);
	if (!f->is_sorted)
		begin_index(f);
	buf_init(&f->name);
	buf_init(&f->event);
	buf_init(&f->unit);
	find_series(f, sink->head ? sink->head->text : "", sink->head ? sink->head->len : 0);
	if (sink->head && folded_is_escaped(sink->head->text, sink->head->len))
		expect_escapes(f);
	return f;
}

static bool folded_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct folded *f = state;
	const char *end = text + len;
	(void)err;
	f->line = f->sink->line;
	if (!f->line && !f->is_escaped && folded_is_escaped(text, len))
		expect_escapes(f);
	if (!f->line && !f->sink->head)
		find_series(f, text, len);
	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		nl = nl ? nl : end;
		f->line++;
		folded_line(f, text, (size_t)(nl - text));
		text = nl + 1;
	}
	keep_previous(f);
	f->sink->line = f->line;
	return true;
}

static bool folded_finish(void *state, bool ok, struct err *err)
{
	struct folded *f = state;
	(void)err;
	profile_add_columns(f->profile, f->columns);
	free(f->levels);
	free(f->candidates);
	free(f->symbols);
	free(f->hashes);
	free(f->kept);
	frames_deinit(&f->frames);
	buf_deinit(&f->name);
	buf_deinit(&f->event);
	buf_deinit(&f->unit);
	free(f);
	return ok;
}

static size_t folded_cut(const char *text, size_t len)
{
	const char *nl = find_last(text, '\n', len);
	return nl ? (size_t)(nl - text) + 1 : 0;
}

enum { SHARE_LINES = 512, SHARE_DEPTH = 64 };

/* Collects the stacks of the first lines. Returns how many; 0: they are in order. */
static size_t unordered_stacks(const struct head *head, struct slice *stacks)
{
	const char *p = head->text, *end = p + head->len, *line;
	size_t n = 0, len, falls = 0;
	uint64_t whole;
	uint32_t millionths;
	while (n < SHARE_LINES && head_line(&p, end, &line, &len)) {
		size_t least;
		int order;
		if (!folded_cut_count(line, &len, &whole, &millionths))
			continue;
		stacks[n++] = (struct slice){line, len};
		if (n < 2)
			continue;
		least = len < stacks[n - 2].n ? len : stacks[n - 2].n;
		order = memcmp(stacks[n - 2].s, line, least);
		falls += order > 0 || (order == 0 && len < stacks[n - 2].n);
	}
	return falls * 8 > n ? n : 0;
}

/* Lines in the largest group that shares its first `depth` frames. */
static size_t largest_group(const struct slice *stacks, size_t n, size_t depth)
{
	size_t counts[SHARE_LINES] = {0}, most = 0;
	uint64_t hashes[SHARE_LINES];
	for (size_t i = 0; i < n; i++) {
		size_t at = 0;
		hashes[i] = prefix_hash(stacks[i].s, stacks[i].n, depth);
		while (hashes[at] != hashes[i])
			at++;
		if (++counts[at] > most)
			most = counts[at];
	}
	return most;
}

static size_t folded_share_depth(const struct head *head, unsigned workers)
{
	struct slice stacks[SHARE_LINES];
	size_t n = unordered_stacks(head, stacks), best = 0, least = n / (2 * workers);
	/*
	 * The fewest frames that split the lines into groups of at most a fiftieth; else the depth with the smallest
	 * groups, if these can be shared at all.
	 */
	for (size_t depth = 1; n && depth <= SHARE_DEPTH && least > n / 50; depth += 1 + depth / 8) {
		size_t largest = largest_group(stacks, n, depth);
		if (largest < least) {
			least = largest;
			best = depth;
		}
	}
	return best;
}

const struct collapse_format format_folded = {
	.name = "folded",
	.help =
		"folded stacks, one 'frame;frame;frame count' a line: what collapsers, py-spy, rbspy, async-profiler print",
	.sniff = folded_sniff,
	.start = folded_start,
	.feed = folded_feed,
	.finish = folded_finish,
	.cut = folded_cut,
	.share_depth = folded_share_depth,
};
