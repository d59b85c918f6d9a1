/*
 * async_profiler_html.c - reads the flame graph that async-profiler and jfrconv write as a web page.
 *
 *	const palette = [
 *		[0xb2e1b2, 20, 20, 20],
 *		...
 *	const cpool = [
 *	'all',
 *	' java/lang/Thread.run',             ' ' is 32: 0 bytes of the name before, and the rest
 *	'1sleep',                            '1' is 49: its first 17 bytes, java/lang/Thread.sleep
 *	];
 *	unpack(cpool);
 *
 *	n(3,9)                               all
 *	u(9)                                 on it Thread.run, type 1
 *	u(17,4)                              on it Thread.sleep, type 1
 *
 *	java/lang/Thread.run_[j] 5
 *	java/lang/Thread.run_[j];java/lang/Thread.sleep_[j] 4
 *
 * Frames come root first, each in front of those on it. The calls of a frame are f(key, level, left, width), u(key,
 * width) one level up, and n(key, width) next to the frame before. A key is 8 times the name plus the type, left
 * counts from the frame before, and a width not given is that of the frame before. Before version 3 there is one
 * call, f(level, left, width, type, 'name'), and left counts from 0. How much of the width is inlined, of C1 or
 * interpreted may follow.
 *
 * The types were renumbered once, their colours stayed: the palette tells them. They become the suffixes of
 * async-profiler's folded stacks.
 */
#include "collapse/formats.h"

#include "base/hash.h"
#include "base/map.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

#define MOST_TYPES 8u
#define MOST_NUMBERS 7u
#define FIRST_PREFIX ' ' /* stands for a prefix of length 0 */
#define AHEAD 8u         /* frames that are read before the first of them is looked up */

enum place { IN_PAGE, IN_PALETTE, IN_POOL, IN_FRAMES, BEHIND, BEYOND };

/* An open frame. */
struct level {
	uint32_t path;
	uint64_t from, width;
	uint64_t next; /* where the frames on it end so far; from: there are none */
	uint64_t sum;  /* of the widths of these */
};

/* A frame that was read. */
struct box {
	uint64_t level, from, width;
	uint32_t sym;
};

struct async_profiler_html {
	struct sink *sink;
	enum place place;
	const char *suffixes[MOST_TYPES]; /* by type; NULL: unknown */
	unsigned n_types;
	struct buf names; /* of the pool, one after the other, and equal ones once */
	size_t *ends;     /* in names */
	size_t n_names, cap_ends;
	struct map by_text; /* finds names */
	uint32_t *pool;     /* name by its place in the page */
	size_t n_pool, cap_pool;
	uint32_t *syms; /* by name and type, 0: none yet */
	struct level *levels;
	size_t n_levels, cap_levels;
	struct box last, ahead[AHEAD]; /* last: the frame before, as it was read */
	size_t n_read, n_opened;       /* frames */
	struct path_hash *hashes;      /* of the paths to `last`, by level */
	size_t cap_hashes;
	struct buf text, title;
	uint64_t further; /* the line where a further page begins; 0: this is the first */
};

/* A call of the page. */
struct call {
	char function;
	uint64_t numbers[MOST_NUMBERS];
	size_t n;
	struct slice title; /* before version 3; s is NULL: none */
};

/* ---- the tables ---------------------------------------------------------------------------------------------- */

/* "[0x50e150, 30, 30, 30]," */
static void take_color(struct async_profiler_html *h, struct slice line)
{
	static const struct {
		const char *color, *suffix;
	} types[] = {
		{"b2e1b2", "_[0]"}, {"50e150", "_[j]"}, {"50cccc", "_[i]"}, {"50bebe", "_[i]"},
		{"e17d00", "_[k]"}, {"cce880", "_[1]"}, {"e15a5a", ""},     {"c8c83c", ""},
	};
	line = slice_ltrim(line);
	if (!slice_take(&line, "[0x")) {
		h->place = IN_PAGE;
		return;
	}
	for (size_t i = 0; i < sizeof types / sizeof *types && h->n_types < MOST_TYPES; i++)
		if (slice_starts(line, types[i].color))
			h->suffixes[h->n_types] = types[i].suffix;
	h->n_types += h->n_types < MOST_TYPES;
}

/* Appends a string of JavaScript, in which a backslash stands before an apostrophe or another backslash. */
static void add_unescaped(struct buf *out, struct slice text)
{
	size_t at;
	while ((at = slice_find_byte(text, '\\')) != SIZE_MAX && at + 1 < text.n) {
		buf_add(out, text.s, at);
		if (text.s[at + 1] != '\'' && text.s[at + 1] != '\\') /* early versions do not escape it */
			buf_addc(out, '\\');
		buf_addc(out, text.s[at + 1]);
		text = slice_from(text, at + 2);
	}
	buf_add(out, text.s, text.n);
}

static struct slice name_of(const struct async_profiler_html *h, size_t name)
{
	size_t start = name ? h->ends[name - 1] : 0;
	return (struct slice){h->names.data + start, h->ends[name] - start};
}

static bool is_equal(struct slice a, struct slice b)
{
	return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

/* Returns the name that ends the names, from `start` on; drops it for an equal one before it. */
static uint32_t keep_name(struct async_profiler_html *h, size_t start)
{
	struct slice name = {h->names.data + start, h->names.len - start};
	uint64_t hash = hash_bytes(name.s, name.n);
	MAP_EACH(&h->by_text, hash, known)
	if (is_equal(name_of(h, known), name)) {
		h->names.len = start;
		return (uint32_t)known;
	}
	map_add(&h->by_text, hash, (uint32_t)h->n_names);
	mem_push(h->ends, h->n_names, h->cap_ends, h->names.len);
	return (uint32_t)h->n_names - 1;
}

static void add_name(struct async_profiler_html *h, struct slice packed, uint64_t number)
{
	size_t start = h->names.len, keep = 0;
	h->text.len = 0;
	buf_reserve(&h->names, 1);
	add_unescaped(&h->text, packed);
	struct slice rest = {h->text.len ? h->text.data : "", h->text.len};
	if (h->n_pool) {
		struct slice before = name_of(h, h->pool[h->n_pool - 1]);
		keep = rest.n ? (size_t)(unsigned char)*rest.s - FIRST_PREFIX : 0;
		rest = slice_from(rest, rest.n > 0);
		if (keep > before.n) {
			sink_warn(h->sink, "name that begins like the one before, which is shorter", number, packed.s,
			          packed.n);
			keep = before.n;
		}
		buf_reserve(&h->names, keep); /* before it moves */
		buf_add(&h->names, name_of(h, h->pool[h->n_pool - 1]).s, keep);
	}
	buf_add(&h->names, rest.s, rest.n);
	mem_push(h->pool, h->n_pool, h->cap_pool, keep_name(h, start));
}

/* "'1sleep'," */
static void take_name(struct async_profiler_html *h, struct slice line, uint64_t number)
{
	size_t end = slice_find_last(line, '\'');
	if (slice_starts(line, "'") && end > 0) {
		add_name(h, slice_from(slice_head(line, end), 1), number);
		return;
	}
	h->place = IN_FRAMES;
	h->syms = mem_zalloc(h->n_names * MOST_TYPES, sizeof *h->syms);
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static uint32_t frame_of(struct async_profiler_html *h, struct slice name, uint64_t type)
{
	const char *suffix = type < MOST_TYPES && h->suffixes[type] ? h->suffixes[type] : "";
	h->text.len = 0;
	buf_add(&h->text, name.s, name.n);
	buf_adds(&h->text, suffix);
	return sink_frame(h->sink, h->text.len ? h->text.data : "", h->text.len);
}

static uint32_t frame_of_key(struct async_profiler_html *h, uint64_t key)
{
	size_t name = h->pool[key / MOST_TYPES], type = key % MOST_TYPES;
	uint32_t *sym = &h->syms[name * MOST_TYPES + type];
	if (!*sym)
		*sym = frame_of(h, name_of(h, name), type);
	return *sym;
}

static void close_level(struct async_profiler_html *h)
{
	const struct level *l = &h->levels[--h->n_levels];
	struct profile *p = h->sink->profile;
	struct sample s = {.weight = l->width > l->sum ? l->width - l->sum : 0, .time = NO_TIME, .cpu = NO_CPU};
	if (l->sum > l->width)
		sink_warn(h->sink, "frames that are wider together than the one below them", 0, NULL, 0);
	/* own samples come first: there is no room after or between the frames on it */
	if (!sink_lacks(h->sink)->is_cut_off && l->next != l->from && l->next - l->from < l->width)
		report_add_state(&p->report, NOTE_WARN, "frames left out by --minwidth count for their callers");
	if (!s.weight)
		return;
	uint32_t path = l->path;
	if (path == PATH_ROOT)
		path = profile_child(p, path, sink_sym(h->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	profile_add(p, h->sink->options->side, path, &s);
}

/* The frame becomes one of those on the open one. false: it begins before the end of the last one. */
static void put_on(struct async_profiler_html *h, uint64_t from, uint64_t width)
{
	struct level *below = &h->levels[h->n_levels - 1];
	if (below->next != below->from && from > below->next)
		report_add_state(&h->sink->profile->report, NOTE_WARN,
		                 "frames left out by --minwidth count for their callers");
	if (__builtin_add_overflow(from, width, &below->next))
		below->next = UINT64_MAX;
	weight_add(&below->sum, width);
}

static void open_next(struct async_profiler_html *h)
{
	const struct box *b = &h->ahead[h->n_opened++ % AHEAD];
	uint32_t path = PATH_ROOT;
	while (h->n_levels > b->level)
		close_level(h);
	if (b->level) {
		put_on(h, b->from, b->width);
		path = profile_child(h->sink->profile, h->levels[b->level - 1].path, b->sym);
	}
	mem_push(h->levels, h->n_levels, h->cap_levels,
	         ((struct level){.path = path, .from = b->from, .width = b->width, .next = b->from}));
}

/* Almost every frame is a new path: the memory for its look-up is fetched some frames before. */
static void add_box(struct async_profiler_html *h, struct box b)
{
	const struct profile *p = h->sink->profile;
	if (h->n_read - h->n_opened == AHEAD)
		open_next(h);
	h->hashes = mem_grow(h->hashes, &h->cap_hashes, b.level + 1, sizeof *h->hashes);
	h->hashes[b.level] =
		b.level ? path_hash_next(h->hashes[b.level - 1], p->symtab.symbols[b.sym].hash) : path_hash_root();
	if (profile_has_index(p))
		profile_prefetch(p, h->hashes[b.level]);
	h->ahead[h->n_read++ % AHEAD] = h->last = b;
}

/* A frame is at most a level above the one before. */
static bool is_reached(const struct async_profiler_html *h, uint64_t level)
{
	return h->n_read ? level <= h->last.level + 1 : level == 0;
}

/* f(level, left, width, type, 'name') */
static bool take_titled(struct async_profiler_html *h, const struct call *c)
{
	if (c->n < 4 || !is_reached(h, c->numbers[0]))
		return false;
	struct buf *name = &h->title;
	name->len = 0;
	add_unescaped(name, c->title);
	uint32_t sym = frame_of(h, (struct slice){name->len ? name->data : "", name->len}, c->numbers[3]);
	add_box(h, (struct box){c->numbers[0], c->numbers[1], c->numbers[2], sym});
	return true;
}

/* f(key, level, left, width), u(key, width), n(key, width) */
static bool take_packed(struct async_profiler_html *h, const struct call *c)
{
	bool is_far = c->function == 'f';
	size_t at = is_far ? 3 : 1;
	uint64_t level = is_far && c->n > 1 ? c->numbers[1] : h->last.level + (c->function == 'u');
	uint64_t left = is_far ? c->numbers[2] : c->function == 'n' ? h->last.width : 0;
	uint64_t width = c->n > at && c->numbers[at] ? c->numbers[at] : h->last.width;
	if (c->n < at || c->numbers[0] / MOST_TYPES >= h->n_pool || !h->syms || !is_reached(h, level))
		return false;
	add_box(h, (struct box){level, h->last.from + left, width, frame_of_key(h, c->numbers[0])});
	return true;
}

/* ---- pages ------------------------------------------------------------------------------------------------- */

static bool is_page(struct slice line)
{
	return slice_starts(line, "<!DOCTYPE html") || slice_starts(line, "<html");
}

static void end_page(struct async_profiler_html *h)
{
	if (h->n_read && h->place < BEHIND) {
		sink_lacks(h->sink)->is_cut_off = true;
		sink_warn(h->sink, "the file ends within the frames: the rest counts for their callers", 0, NULL, 0);
	}
	if (!h->n_read && h->further)
		sink_warn(h->sink, "a page without frames of async-profiler begins here, and is not read", h->further, NULL,
		          0);
	while (h->n_opened < h->n_read)
		open_next(h);
	while (h->n_levels)
		close_level(h);
}

static void free_tables(struct async_profiler_html *h)
{
	map_deinit(&h->by_text);
	free(h->syms);
}

/* Joined pages add up; each has its own tables. */
static void begin_page(struct async_profiler_html *h, uint64_t number)
{
	end_page(h);
	free_tables(h);
	h->by_text = (struct map){0};
	h->syms = NULL;
	memset(h->suffixes, 0, sizeof h->suffixes);
	h->n_types = 0;
	h->names.len = h->n_names = h->n_pool = h->n_read = h->n_opened = 0;
	h->last = (struct box){0};
	h->place = IN_PAGE;
	h->further = number;
}

/* What follows the frames: the end of the page, and another one. */
static void look_behind(struct async_profiler_html *h, struct slice line, uint64_t number)
{
	static const char end[] = "</html>";
	size_t at = h->place == BEHIND ? slice_find(line, end) : SIZE_MAX;
	if (h->place == BEHIND && at == SIZE_MAX)
		return;
	h->place = BEYOND;
	line = slice_ltrim(at == SIZE_MAX ? line : slice_from(line, at + sizeof end - 1));
	if (is_page(line))
		begin_page(h, number);
	else if (line.n)
		sink_warn(h->sink, "what follows the end of the page is not read", number, line.s, line.n);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* Takes "12" or "'name'" and the comma after it. */
static bool take_argument(struct slice *rest, struct call *c)
{
	struct slice digits = slice_take_digits(rest);
	if (digits.n) {
		if (c->n == MOST_NUMBERS || !slice_u64(digits, &c->numbers[c->n++]))
			return false;
	} else {
		size_t end = slice_find_last(*rest, '\'');
		if (!slice_take(rest, "'") || c->title.s || end == 0)
			return false;
		c->title = slice_head(*rest, end - 1);
		*rest = slice_from(*rest, end);
	}
	return !rest->n || slice_take(rest, ",");
}

static bool read_call(struct slice line, struct call *c)
{
	*c = (struct call){.function = *line.s};
	struct slice rest = slice_from(line, 2);
	if (!slice_ends(rest, ")"))
		return false;
	rest.n--;
	while (rest.n)
		if (!take_argument(&rest, c))
			return false;
	return true;
}

static bool is_call(struct slice line)
{
	return line.n > 2 && line.s[1] == '(' && is_digit_byte(line.s[2]) &&
	       (*line.s == 'f' || *line.s == 'u' || *line.s == 'n');
}

static void take_call(struct async_profiler_html *h, struct slice line, uint64_t number)
{
	struct call c;
	h->place = IN_FRAMES;
	if (!read_call(line, &c) || !(c.title.s ? take_titled(h, &c) : take_packed(h, &c)))
		sink_skip(h->sink, "not a frame (expected one at most a level above the frame before)", number, line.s,
		          line.n);
}

/* Only the first pool counts. */
static void begin_pool(struct async_profiler_html *h)
{
	h->place = h->by_text.slots ? IN_PAGE : IN_POOL;
	if (h->place == IN_POOL)
		map_init(&h->by_text, 64);
}

static void take_page(struct async_profiler_html *h, struct slice line)
{
	line = slice_ltrim(line);
	if (slice_starts(line, "const palette = ["))
		h->place = IN_PALETTE;
	else if (slice_starts(line, "const cpool = ["))
		begin_pool(h);
	else if (slice_ends(line, "inverted = true;") || slice_ends(line, "reverse = true;"))
		sink_warn(h->sink, "drawn upside down: if it was made with --reverse, its stacks begin at their ends", 0,
		          NULL, 0);
}

static void async_profiler_html_line(struct async_profiler_html *h, struct slice line, uint64_t number)
{
	if (h->place != IN_PAGE && is_page(line))
		begin_page(h, number);
	else if (h->place == IN_PALETTE)
		take_color(h, line);
	else if (h->place == IN_POOL)
		take_name(h, line, number);
	else if (h->place >= BEHIND)
		look_behind(h, line, number);
	else if (is_call(line))
		take_call(h, line, number);
	else if (h->place == IN_PAGE)
		take_page(h, line);
	else if (slice_starts(line, "d="))
		report_add_state(&h->sink->profile->report, NOTE_WARN, "of a comparison, only what is compared is read");
	else if (h->n_read && (slice_starts(line, "search(") || slice_starts(line, "render(")))
		h->place = BEHIND;
}

static void async_profiler_html_end(struct async_profiler_html *h, bool is_whole)
{
	if (is_whole)
		end_page(h);
	buf_deinit(&h->names);
	buf_deinit(&h->text);
	buf_deinit(&h->title);
	free_tables(h);
	free(h->ends);
	free(h->pool);
	free(h->levels);
	free(h->hashes);
}
LINE_FORMAT(async_profiler_html)

/* The beginning of the table of names, or of the function that draws a frame. */
static enum sniff async_profiler_html_sniff(const struct head *head, const char **why)
{
	static const char *const marks[] = {"function f(key, level, left, width",
	                                    "function f(level, left, width, type, title", "const cpool = [\n'all'"};
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a flame graph of async-profiler";
	if (!slice_starts(text, "<"))
		return SNIFF_NO;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (slice_has(text, marks[i]))
			return SNIFF_YES;
	return SNIFF_NO;
}

const struct collapse_format format_async_profiler_html = {
	.name = "async-profiler-html",
	.help = "flame graphs as a web page, of async-profiler 2 and later, and its jfrconv",
	.waits_for_end = true,
	.sniff = async_profiler_html_sniff,
	LINE_FORMAT_FUNCTIONS(async_profiler_html),
};
