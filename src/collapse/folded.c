/*
 * folded.c - folded stacks: one line per stack, frames root first, then the count.
 *
 *	main;parse;read_token 31
 *	main;write 4
 *	main;write 4 7            two counts: before and after (a differential profile)
 *	# anything                a comment
 *
 * Lines are compared with the line before, and only what differs is looked at. As long as the input is sorted (and most
 * is: every collapser sorts), a path that differs is a new one, so nothing is looked up at all and the profile needs no
 * index. The one exception: a name that is a prefix of its neighbour's can come back, because ';' sorts after many
 * characters ("a;b 1", "a;b-c 1", "a;b;d 1"), so each level keeps the last siblings that are prefixes of each other.
 * Names are what is left to look up, so those of a line are asked for together, that their misses of the cache overlap.
 * At the first line out of order the index is built, and from then on the hashes of all prefixes of a line are looked up
 * by binary search: a line whose path is known costs one probe, however deep it is.
 */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "formats.h"
#include "lines.h"

/* A sibling that may be met again; all names of one list are prefixes of the last. */
struct candidate {
	uint32_t len, path;
};

#define PATH_UNKNOWN UINT32_MAX

/* A frame of the present stack. */
struct level {
	size_t end;    /* of its name in the stack's text */
	uint32_t path; /* PATH_UNKNOWN: not looked up; that of a deeper level leads to it */
	uint32_t n;    /* candidates */
	size_t cap;
	struct candidate *candidates;
	struct path_hash hash;
	uint64_t symbol; /* hash of the name */
};

struct folded {
	struct sink *sink;
	struct profile *profile;
	const char *prev; /* text of the stack before; in the piece or in `kept` */
	size_t prev_len;
	char *kept;
	size_t cap_kept;
	struct level *levels; /* [0] is the root */
	size_t depth, cap_levels;
	uint64_t line; /* number of the present one */
	bool is_sorted;
};

static void *folded_start(struct sink *sink, struct err *err)
{
	struct folded *f = mem_zalloc(1, sizeof *f);

	(void)err;
	f->sink = sink;
	f->profile = sink->profile;
	f->kept = mem_zalloc(1, f->cap_kept = 4096);
	f->prev = f->kept;
	f->levels = mem_grow(NULL, &f->cap_levels, 256, sizeof *f->levels);
	memset(f->levels, 0, f->cap_levels * sizeof *f->levels);
	f->levels[0].hash = path_hash_root();
	/* Only an empty profile can be filled without an index. */
	f->is_sorted = f->profile->n_paths == 1 && !f->profile->slots;
	if (!f->is_sorted)
		profile_index(f->profile);
	return f;
}

static struct level *level_at(struct folded *f, size_t depth)
{
	if (depth >= f->cap_levels) {
		size_t old = f->cap_levels;

		f->levels = mem_grow(f->levels, &f->cap_levels, depth + 1, sizeof *f->levels);
		memset(f->levels + old, 0, (f->cap_levels - old) * sizeof *f->levels);
	}
	return &f->levels[depth];
}

/* The deepest level always has its path. */
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

/* The frames that the stack shares with the one before: closes the others. */
static void close_levels(struct folded *f, const char *stack, size_t len, size_t common)
{
	size_t d = f->depth;

	while (d && (f->levels[d].end > common || (f->levels[d].end == common && common < len && stack[common] != ';')))
		d--;
	f->depth = d;
	if (f->levels[d].path == PATH_UNKNOWN)
		f->levels[d].path = path_from_below(f, d);
}

/* From the first line that is out of order on, paths are looked up. */
static void leave_sorted(struct folded *f)
{
	f->is_sorted = false;
	profile_index(f->profile);
	for (size_t d = 1; d <= f->depth; d++)
		f->levels[d].hash = f->profile->hashes[f->levels[d].path];
}

static void set_candidate(struct level *l, uint32_t len, uint32_t path)
{
	l->candidates =
		l->n == l->cap ? mem_grow(l->candidates, &l->cap, l->n + 1u, sizeof *l->candidates) : l->candidates;
	l->candidates[l->n++] = (struct candidate){len, path};
}

/* The path of one more frame in sorted input. `shared`: how many bytes of the name the sibling before has too. */
static uint32_t sorted_child(struct folded *f, struct level *l, uint32_t parent, const char *name, size_t len,
                             size_t shared)
{
	struct symtab *symtab = &f->profile->symtab;
	uint32_t path;

	while (l->n && l->candidates[l->n - 1].len > shared)
		l->n--;
	if (l->n && l->candidates[l->n - 1].len == len)
		return l->candidates[l->n - 1].path;
	path = profile_append_path(f->profile, parent, symtab_intern_hashed(symtab, name, len, l->symbol), NULL);
	set_candidate(l, (uint32_t)len, path);
	return path;
}

/* Splits the frames after those shared with the line before, and hashes their names. Returns how many there are then. */
static size_t split_levels(struct folded *f, const char *stack, size_t len)
{
	size_t d = f->depth, start = d ? f->levels[d].end + 1 : 0;
	const char *block = stack + start, *end = stack + len;
	uint32_t mask = start <= len ? scan_mask(block, ';') : 0;

	while (start <= len) {
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
		l->end = (size_t)(at - stack);
		l->symbol = hash_bytes(stack + start, l->end - start);
		start = l->end + 1;
	}
	return d;
}

/* Asks for all that interning the names of levels first to last will read. */
static void fetch_names(const struct folded *f, size_t first, size_t last)
{
	const struct symtab *symtab = &f->profile->symtab;

	for (size_t d = first; d <= last; d++)
		symtab_fetch_slot(symtab, f->levels[d].symbol);
	for (size_t d = first; d <= last; d++)
		symtab_fetch_symbol(symtab, f->levels[d].symbol);
	for (size_t d = first; d <= last; d++)
		symtab_fetch_name(symtab, f->levels[d].symbol);
}

static void open_sorted(struct folded *f, const char *stack, size_t len, size_t common, size_t prev_depth)
{
	size_t first = f->depth + 1, start = f->depth ? f->levels[f->depth].end + 1 : 0;
	size_t shared = f->depth < prev_depth && common > start ? common - start : 0;
	size_t deepest = split_levels(f, stack, len);

	fetch_names(f, first, deepest);
	for (size_t d = first; d <= deepest; d++) {
		struct level *l = &f->levels[d];

		if (d > first || first > prev_depth)
			l->n = 0; /* no sibling before */
		/* An empty name is the prefix of every other: it is a candidate of length 0 like any. */
		l->path = sorted_child(f, l, f->levels[d - 1].path, stack + start, l->end - start, d > first ? 0 : shared);
		start = l->end + 1;
	}
	f->depth = deepest;
}

/* The hashes of the paths to the frames after those shared with the line before. */
static size_t hash_levels(struct folded *f, const char *stack, size_t len)
{
	size_t deepest = split_levels(f, stack, len);

	for (size_t d = f->depth + 1; d <= deepest; d++) {
		f->levels[d].path = PATH_UNKNOWN;
		f->levels[d].hash = path_hash_next(f->levels[d - 1].hash, f->levels[d].symbol);
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
	path = profile_lookup(p, f->levels[deepest].hash);
	if (path != UINT32_MAX) {
		f->levels[deepest].path = path;
		f->levels[deepest].n = 0;
		known = deepest;
	} else {
		unknown = deepest;
	}
	while (unknown - known > 1) {
		size_t mid = known + (unknown - known) / 2;

		path = profile_lookup(p, f->levels[mid].hash);
		if (path == UINT32_MAX) {
			unknown = mid;
		} else {
			f->levels[mid].path = path;
			known = mid;
		}
	}
	for (size_t d = known + 1; d <= deepest; d++)
		profile_prefetch(p, f->levels[d].hash);
	fetch_names(f, known + 1, deepest);
	for (size_t d = known + 1; d <= deepest; d++) {
		struct level *l = &f->levels[d];
		size_t start = d > 1 ? f->levels[d - 1].end + 1 : 0;
		uint32_t sym = symtab_intern_hashed(&p->symtab, stack + start, l->end - start, l->symbol);

		l->path = profile_append_path(p, f->levels[known].path, sym, &l->hash);
		known = d;
	}
	f->depth = deepest;
}

/* The path of a stack's text. */
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

/* A count at the end of text[0..*len): cuts it and the blanks before it off. false: there is none. */
static bool cut_count(const char *text, size_t *len, uint64_t *whole, uint32_t *millionths)
{
	size_t end = *len, start = end;
	uint64_t v = 0;

	while (start && text[start - 1] >= '0' && text[start - 1] <= '9')
		start--;
	if (start < end && end - start <= 18 && start && text[start - 1] == ' ') { /* the usual case */
		for (size_t i = start; i < end; i++)
			v = v * 10 + (uint64_t)(text[i] - '0');
		*whole = v;
		*millionths = 0;
	} else {
		while (start && ((text[start - 1] >= '0' && text[start - 1] <= '9') || text[start - 1] == '.'))
			start--;
		if (!start || text[start - 1] != ' ' || !number_count(text + start, end - start, whole, millionths))
			return false;
	}
	while (start && (text[start - 1] == ' ' || text[start - 1] == '\t'))
		start--;
	*len = start;
	return true;
}

/* The first `depth` frames of a stack; all if it has no more. */
static size_t prefix_length(const char *stack, size_t len, size_t depth)
{
	const char *at = stack, *end = stack + len;

	for (; depth; depth--) {
		const char *semicolon = memchr(at, ';', (size_t)(end - at));

		if (!semicolon)
			return len;
		at = semicolon + 1;
	}
	return (size_t)(at - stack);
}

static bool is_mine(const struct share *share, const char *stack, size_t len)
{
	return !share || hash_bytes(stack, prefix_length(stack, len, share->depth)) % share->workers == share->worker;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void add_sample(struct folded *f, unsigned side, uint32_t path, uint64_t weight, uint32_t millionths)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};

	if (f->sink->share) {
		struct line_numbers *numbers = &f->sink->share->samples[side];

		mem_push(numbers->line, numbers->n, numbers->cap, f->line);
	}
	profile_add(f->profile, side, path, &s);
	if (millionths)
		profile_add_fraction(f->profile, side, millionths);
}

/* What is no stack is said once. */
static void skip(struct folded *f, const char *kind, const char *text, size_t len)
{
	if (!f->sink->share || f->sink->share->worker == 0)
		sink_skip(f->sink, kind, f->line, text, len);
}

/* Six decimals are kept: of a count below a thousandth, which ends the text, what is cut may be worth telling. */
static void look_at_small(struct folded *f, const char *text, size_t len)
{
	const char *count = memrchr(text, ' ', len), *end = text + len;
	const char *point = count ? memchr(count, '.', (size_t)(end - count)) : NULL;

	for (const char *at = point && end - point > 7 ? point + 7 : end; at < end; at++) {
		if (*at == '0')
			continue;
		sink_warn(f->sink, "count too small for six decimals (the rest of it is cut)", f->line, text, len);
		return;
	}
}

static void folded_line(struct folded *f, const char *text, size_t len)
{
	uint64_t after, before;
	uint32_t after_fraction, before_fraction, path;
	const char *whole = text;
	size_t whole_len = len, all, cut;

	while (len && is_blank(text[len - 1]))
		len--;
	while (len && is_blank(*text)) {
		text++;
		len--;
	}
	if (!len || (len > 1 && text[0] == '#' && text[1] == ' '))
		return;
	all = len;
	if (!cut_count(text, &len, &after, &after_fraction)) {
		skip(f, "not a folded stack (expected 'frame;frame;frame count')", whole, whole_len);
		return;
	}
	cut = len;
	if (len && cut_count(text, &cut, &before, &before_fraction) && cut) {
		if (!is_mine(f->sink->share, text, cut))
			return;
		path = stack_path(f, text, cut);
		add_sample(f, f->sink->options->side, path, after, after_fraction);
		if (f->sink->options->side == 0 && before + before_fraction)
			add_sample(f, 1, path, before, before_fraction);
		if (!after && after_fraction < 1000)
			look_at_small(f, text, all);
		if (!before && before_fraction < 1000)
			look_at_small(f, text, len);
		return;
	}
	if (!len) {
		skip(f, "a count without a stack (expected 'frame;frame;frame count')", whole, whole_len);
		return;
	}
	if (!is_mine(f->sink->share, text, len))
		return;
	path = stack_path(f, text, len);
	add_sample(f, f->sink->options->side, path, after, after_fraction);
	if (!after && after_fraction < 1000)
		look_at_small(f, text, all);
}

/* The line before must survive its piece. */
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

static bool folded_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct folded *f = state;
	const char *end = text + len;

	(void)err;
	f->line = f->sink->line;
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
	for (size_t i = 0; i < f->cap_levels; i++)
		free(f->levels[i].candidates);
	free(f->levels);
	free(f->kept);
	free(f);
	return ok;
}

static size_t folded_cut(const char *text, size_t len)
{
	const char *nl = memrchr(text, '\n', len);

	return nl ? (size_t)(nl - text) + 1 : 0;
}

enum { SHARE_LINES = 512, SHARE_DEPTH = 64 };

/* The stacks of the first lines. Returns how many; 0: they are in order. */
static size_t unordered_stacks(const struct head *head, struct slice *stacks)
{
	const char *p = head->text, *end = p + head->len, *line;
	size_t n = 0, len, falls = 0;
	uint64_t whole;
	uint32_t millionths;

	while (n < SHARE_LINES && head_line(&p, end, &line, &len)) {
		size_t least;
		int order;

		if (!cut_count(line, &len, &whole, &millionths))
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

/* The largest part of n lines that falls together by their first `depth` frames, in lines. */
static size_t largest_group(const struct slice *stacks, size_t n, size_t depth)
{
	size_t counts[SHARE_LINES] = {0}, most = 0;
	uint64_t hashes[SHARE_LINES];

	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		hashes[i] = hash_bytes(stacks[i].s, prefix_length(stacks[i].s, stacks[i].n, depth));
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

	/* As few frames as make groups of a fiftieth; else those that make the smallest groups, if these can be shared at all. */
	for (size_t depth = 1; n && depth <= SHARE_DEPTH && least > n / 50; depth += 1 + depth / 8) {
		size_t largest = largest_group(stacks, n, depth);

		if (largest < least) {
			least = largest;
			best = depth;
		}
	}
	return best;
}

/* Half of the first two hundred lines end in a blank and a number; every other format has been asked before. */
static enum sniff folded_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = p + head->len, *line;
	size_t len, lines = 0, good = 0;

	while (lines < 200 && head_line(&p, end, &line, &len)) {
		uint64_t whole;
		uint32_t millionths;

		if (p >= end && !head->is_all && lines) /* cut off by the end of the head */
			break;
		while (len && is_blank(line[len - 1]))
			len--;
		if (!len || *line == '#')
			continue;
		lines++;
		good += cut_count(line, &len, &whole, &millionths) && len;
	}
	*why = lines ? "fewer than half of the lines end in a blank and a count" : "no line";
	if (!lines || !good)
		return SNIFF_NO;
	return good * 2 >= lines ? SNIFF_YES : SNIFF_MAYBE;
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
