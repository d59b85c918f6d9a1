/*
 * ghcprof.c - parses time and allocation profiles of Haskell programs (+RTS -p or -P).
 *
 *	                                              individual      inherited
 *	COST CENTRE MODULE SRC         no.  entries  %time %alloc   %time %alloc  ticks  bytes
 *
 *	MAIN        MAIN   <built-in>  120        0    0.7    0.0   100.0  100.0      1    728
 *	 CAF        Main   <entire...  230        0    0.0    0.0    99.3  100.0      0     16
 *	  main      Main   app/Main... 240        1   39.0   50.0    99.3  100.0     39 633823
 *
 *	MAIN.MAIN;Main.CAF;Main.main 390
 *
 * The tree is printed from the root; the number of leading spaces is the depth. The heading tells the column of the
 * module, in characters, since names may be in any script. Costs are the last words of a row: large numbers push
 * everything after them out of its column. The individual cost of a node is its weight: time and alloc in per
 * mille (which keeps the one decimal), and with -P ticks and bytes. An earlier table with the same heading, but
 * without `no.`, is skipped. The tables of joined files add up: no blank line ends a table, so the title of the
 * next file may follow the last row.
 */
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/columns.h"
#include "collapse/text/line_format.h"

enum { TIME, ALLOC, TICKS, BYTES, N_VALUES };
enum ghcprof_state { BEFORE_HEADER, AFTER_HEADER, IN_TABLE, AFTER_TABLE };

#define NO_COLUMN SIZE_MAX
#define N_TAIL 16 /* words of a row from its first cost on, at most */

struct ghcprof {
	struct sink *sink;
	enum ghcprof_state state;
	size_t module_column;     /* in characters */
	size_t columns[N_VALUES]; /* in words, counted back from the last one, which is 0 */
	size_t n_tail;            /* words from the first cost to the end */
	size_t n_front;           /* words before it, at least */
	size_t entries_end;       /* column where the last of these ends */
	uint32_t series[N_VALUES];
	struct branch branch;
	struct buf text;
};

static const char *const header_words[] = {"COST",    "CENTRE", "MODULE", "SRC",   "no.",
                                           "entries", "%time",  "%alloc", "%time", "%alloc"};
#define N_HEADER_WORDS (sizeof header_words / sizeof *header_words)

static bool is_header(struct slice line)
{
	for (size_t i = 0; i < N_HEADER_WORDS; i++) {
		if (!slice_is(slice_take_word(&line), header_words[i]))
			return false;
	}
	return true;
}

/* The heading is plain ASCII, so bytes are characters. */
static bool take_header(struct ghcprof *g, struct slice line, uint64_t number, struct err *err)
{
	size_t at[N_VALUES] = {6, 7, NO_COLUMN, NO_COLUMN}, n = 0;
	struct slice rest = line, word;
	for (; (word = slice_take_word(&rest)).n; n++) {
		if (n == at[TIME] - 1)
			g->entries_end = (size_t)(word.s + word.n - line.s);
		if (n == 2)
			g->module_column = (size_t)(word.s - line.s);
		else if (slice_is(word, "ticks"))
			at[TICKS] = n;
		else if (slice_is(word, "bytes"))
			at[BYTES] = n;
	}
	for (unsigned i = 0; i < N_VALUES; i++)
		g->columns[i] = at[i] == NO_COLUMN ? NO_COLUMN : n - 1 - at[i];
	const struct column columns[N_VALUES] = {{"time", "per mille", false},
	                                         {"alloc", "per mille", false},
	                                         {"ticks", "ticks", at[TICKS] == NO_COLUMN},
	                                         {"bytes", "bytes", at[BYTES] == NO_COLUMN}};
	g->state = AFTER_HEADER;
	g->n_tail = n - at[TIME];
	g->n_front = at[TIME] - 1; /* "COST CENTRE" is one */
	if (g->n_tail > N_TAIL)
		return fail(err, "line %llu: more than %d columns of costs", (unsigned long long)number, N_TAIL);
	return columns_declare(g->sink, columns, N_VALUES, TIME, g->series, err);
}

static struct slice take_last_word(struct slice *line)
{
	struct slice rest = slice_rtrim(*line);
	size_t n = rest.n;
	while (n && !is_blank_byte(rest.s[n - 1]))
		n--;
	*line = slice_head(rest, n);
	return slice_from(rest, n);
}

/* The word that begins at or after a column, counted in characters. */
static struct slice field_at(struct slice line, size_t column)
{
	unsigned char all = 0;
	size_t i = 0;
	for (size_t k = 0; k < line.n && k <= column; k++)
		all |= (unsigned char)line.s[k];
	if (all < 0x80) { /* one byte per character: the usual case, found by a vectorised pass */
		i = column < line.n ? column : line.n;
		column = 0;
	}
	for (; i < line.n && column; column--) {
		i++;
		while (i < line.n && ((unsigned char)line.s[i] & 0xc0) == 0x80)
			i++;
	}
	line = slice_from(line, i);
	return slice_take_word(&line);
}

static bool read_value(struct slice s, unsigned kind, uint64_t *v)
{
	uint64_t whole;
	uint32_t millionths;
	if (kind == TICKS || kind == BYTES)
		return slice_u64(s, v);
	if (!number_count(s.s, s.n, &whole, &millionths) || whole > UINT64_MAX / 10 - 1)
		return false;
	*v = whole * 10 + millionths / 100000;
	return true;
}

static uint32_t row_frame(struct ghcprof *g, struct slice line)
{
	struct slice module = field_at(line, g->module_column), centre = field_at(line, 0);
	g->text.len = 0;
	buf_add(&g->text, module.s, module.n);
	buf_addc(&g->text, '.');
	buf_add(&g->text, centre.s, centre.n);
	uint32_t sym = sink_frame(g->sink, g->text.data, g->text.len);
	return sink_module(g->sink, sym, module.s, module.n);
}

static bool row_fail(struct err *err, uint64_t number, const char *what, struct slice text)
{
	return fail(err, "line %llu: %s: '%.*s'", (unsigned long long)number, what, (int)(text.n < 200 ? text.n : 200),
	            text.s);
}

/* Are there fewer words before the first cost than the heading has? */
static bool lacks_field(const struct ghcprof *g, struct slice front)
{
	for (size_t i = 0; i < g->n_front; i++) {
		if (!take_last_word(&front).n)
			return true;
	}
	return false;
}

/* Rows without cost count, too: they show that the cost centre was there. */
static bool take_row(struct ghcprof *g, struct slice line, uint64_t number, struct err *err)
{
	const struct slice row = line;
	size_t depth = line.n - slice_ltrim(line).n;
	if (depth > g->branch.height)
		return row_fail(err, number, "skipped indentation level at line", line);
	uint32_t path = branch_put(&g->branch, g->sink->profile, depth, row_frame(g, line));
	struct slice words[N_TAIL];
	for (size_t i = 0; i < N_TAIL; i++)
		words[i] = i < g->n_tail ? take_last_word(&line) : (struct slice){"", 0};
	if (slice_rtrim(line).n < g->entries_end && lacks_field(g, line))
		return row_fail(err, number, "a field of the heading is missing", row);
	for (unsigned i = 0; i < N_VALUES; i++) {
		struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .series = g->series[i]};
		if (g->columns[i] == NO_COLUMN)
			continue;
		if (!read_value(words[g->columns[i]], i, &s.weight))
			return row_fail(err, number, "invalid cost field (expected a number)", words[g->columns[i]]);
		profile_add(g->sink->profile, g->sink->options->side, path, &s);
	}
	return true;
}

/* "	Mon May  5 10:00 2025 Time and Allocation Profiling Report  (Final)" */
static bool is_title(struct slice line)
{
	return slice_ends(line, "(Final)") && slice_find(line, " Time and Allocation Profiling Report") != SIZE_MAX;
}

static bool ghcprof_line(struct ghcprof *g, struct slice line, uint64_t number, struct err *err)
{
	if (g->state == BEFORE_HEADER || g->state == AFTER_TABLE)
		return !is_header(line) || take_header(g, line, number, err);
	if (!line.n) {
		g->state = g->state == AFTER_HEADER ? IN_TABLE : AFTER_TABLE;
		return true;
	}
	g->state = is_title(line) ? AFTER_TABLE : IN_TABLE;
	return g->state == AFTER_TABLE || take_row(g, line, number, err);
}

static void ghcprof_end(struct ghcprof *g, bool is_whole)
{
	if (is_whole && g->state == BEFORE_HEADER)
		sink_warn(g->sink,
		          "file ended before start of call graph (expected 'COST CENTRE MODULE SRC no. entries ...')", 0,
		          NULL, 0);
	buf_deinit(&g->text);
	branch_deinit(&g->branch);
}

STRICT_LINE_FORMAT(ghcprof)

static enum sniff ghcprof_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_header, "no line 'COST CENTRE MODULE SRC no. entries %time %alloc ...'", why);
}

const struct collapse_format format_ghcprof = {
	.name = "ghcprof",
	.help = "Haskell cost centres: ghc -prof, +RTS -P (--value=time, alloc, ticks or bytes)",
	.sniff = ghcprof_sniff,
	LINE_FORMAT_FUNCTIONS(ghcprof),
	.tells_open_end = true,
	.effects = EFFECT_VALUE,
};
