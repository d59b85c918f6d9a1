/*
 * instruments.c - parses call trees copied out of Apple's Instruments (Edit > Deep Copy).
 *
 *	Running Time	Self (ms)		Symbol Name
 *	1.50 s  100.0%	0.0 ms	 	Main Thread  0x1a2b
 *	1.50 s  100.0%	250.0 ms	 	 main
 *	1.25 s   83.3%	1.2 s	 	  render(Scene const&)
 *
 * Tabs separate the columns. Versions differ in their number, so only the heading tells what they contain. A row's
 * depth is the number of blanks in the symbol column beyond those of the first row. The self column is the weight
 * of a row, in a unit that suits its size: `1.2 s`, `250.0 ms`, or `-` for nothing. Times become milliseconds with
 * their fractions, since many rows of `400.00 µs` are a time that counts, and sizes whole bytes. Other templates of
 * Instruments count bytes, cycles or events and say `Weight` or `Bytes Used`.
 *
 * Allocations have no self column, but two columns in which every row includes its children: bytes and a count.
 * There the weight of a row is the remainder after its children. Each of the two is a series.
 */
#include "base/buf.h"
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/columns.h"
#include "collapse/text/decimal.h"
#include "collapse/text/line_format.h"

/* What a number measures. */
enum quantity { UNDECIDED, TIME, BYTES, COUNT, CYCLES };

struct unit {
	const char *name;
	enum quantity quantity;
	unsigned places; /* the value is the number times factor / 10^places */
	uint64_t factor;
};

static const struct unit units[] = {
	{"ms", TIME, 0, 1},          {"s", TIME, 0, 1000},        {"min", TIME, 0, 60000},
	{"h", TIME, 0, 3600000},     {"us", TIME, 3, 1},          {"\xc2\xb5s", TIME, 3, 1},
	{"\xce\xbcs", TIME, 3, 1},   {"ns", TIME, 6, 1},          {"Bytes", BYTES, 0, 1},
	{"B", BYTES, 0, 1},          {"KB", BYTES, 0, 1u << 10},  {"MB", BYTES, 0, 1u << 20},
	{"GB", BYTES, 0, 1u << 30},  {"KiB", BYTES, 0, 1u << 10}, {"MiB", BYTES, 0, 1u << 20},
	{"GiB", BYTES, 0, 1u << 30}, {"", COUNT, 0, 1},           {"cycles", CYCLES, 0, 1},
	{"Kc", CYCLES, 0, 1000},     {"Mc", CYCLES, 0, 1000000},  {"Gc", CYCLES, 0, 1000000000},
};

enum { WEIGHT, PIECES, N_VALUES };

#define NO_COLUMN SIZE_MAX
#define MOST_COLUMNS 16

/* Numbers are millionths of milliseconds, bytes or pieces. */
#define ONE 1000000u

/* A row of the current branch. */
struct instruments_row {
	uint32_t path;
	uint64_t left[N_VALUES]; /* its inclusive numbers minus those of its children so far */
};

struct instruments {
	struct sink *sink;
	bool has_header, has_rows, is_inclusive; /* inclusive: there is no self column */
	size_t self, count, symbol;              /* columns */
	struct buf self_unit;                    /* unit of bare numbers: "ms" where the heading says "Self (ms)" */
	size_t margin;                           /* blanks before the name in the first row */
	enum quantity quantity;
	uint32_t series[N_VALUES];                /* UINT32_MAX: the table has no such numbers */
	uint64_t all[N_VALUES], excess[N_VALUES]; /* millionths; excess: of children over their rows */
	struct branch branch;
	struct instruments_row *rows;
	size_t height, cap;
};

/* A row, cell by cell. */
struct cells {
	struct slice v[MOST_COLUMNS];
	size_t n;
};

static const char *const headings[] = {"Running Time\t", "Weight\t", "Bytes Used\t", "Total Bytes\t", "Count\t"};

static bool is_header(struct slice line)
{
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
		if (slice_starts(line, headings[i]))
			return i == 0 || slice_has(line, "\tSymbol Name");
	}
	return false;
}

/* A name may contain tabs: from column `most` on, the rest of the line is one cell. */
static struct cells split_cells(struct slice line, size_t most)
{
	struct cells c = {.n = 0};
	for (;;) {
		size_t tab = c.n < most && c.n + 1 < MOST_COLUMNS ? slice_find_byte(line, '\t') : SIZE_MAX;
		c.v[c.n++] = tab == SIZE_MAX ? line : slice_head(line, tab);
		if (tab == SIZE_MAX)
			return c;
		line = slice_from(line, tab + 1);
	}
}

/* If the heading says nothing else, there are a total, the self column, and the name in the last one. */
static void take_header(struct instruments *in, struct slice line)
{
	struct cells c = split_cells(line, SIZE_MAX);
	in->has_header = true;
	in->has_rows = false;
	in->self = in->count = in->symbol = NO_COLUMN;
	in->self_unit.len = 0;
	for (size_t i = c.n; i-- > 0;) {
		if (slice_starts(c.v[i], "Self"))
			in->self = i;
		else if (slice_starts(c.v[i], "Symbol Name"))
			in->symbol = i;
		else if (slice_is(c.v[i], "Count") && i)
			in->count = i;
	}
	if (in->self != NO_COLUMN && slice_find_byte(c.v[in->self], '(') != SIZE_MAX) {
		struct slice unit = slice_from(c.v[in->self], slice_find_byte(c.v[in->self], '(') + 1);
		unit = slice_before(unit, ')');
		buf_add(&in->self_unit, unit.s, unit.n);
	}
	in->is_inclusive = in->self == NO_COLUMN && in->symbol != NO_COLUMN;
	if (in->self == NO_COLUMN)
		in->self = in->is_inclusive ? 0 : 1;
}

/* ---- numbers ---- */

static const struct unit *find_unit(struct slice name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (slice_is(name, units[i].name))
			return &units[i];
	}
	return NULL;
}

/* Length in bytes of the blank at the start of t; Instruments also writes one as wide as a digit. 0: none. */
static size_t blank_length(struct slice t)
{
	static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\xaf", "\xe2\x80\x89"};
	if (!t.n)
		return 0;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		if (slice_starts(t, wide[i]))
			return strlen(wide[i]);
	}
	return is_blank_byte(*t.s);
}

static struct slice skip_blanks(struct slice t)
{
	for (size_t n; (n = blank_length(t)) != 0;)
		t = slice_from(t, n);
	return t;
}

/*
 * Length in bytes of what separates thousands at the start of t, with three digits and no more behind it. Points
 * and commas are not among them, since they may begin a fraction. 0: nothing does.
 */
static size_t separator_length(struct slice t)
{
	static const char *const marks[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99", "'"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (!slice_starts(t, marks[i]))
			continue;
		struct slice digits = slice_from(t, strlen(marks[i]));
		return slice_take_digits(&digits).n == 3 ? strlen(marks[i]) : 0;
	}
	return 0;
}

/*
 * Takes leading digits, points, commas and other separators of thousands off t. "345 100,0%" may have one and the
 * same blank before its percentage as within numbers.
 */
static struct slice take_figures(struct slice *t)
{
	size_t n = 0, group = 0;
	for (size_t mark = 0; n < t->n; n += mark ? mark : 1) {
		mark = n && is_digit_byte(t->s[n - 1]) ? separator_length(slice_from(*t, n)) : 0;
		if (mark)
			group = n;
		else if (!is_digit_byte(t->s[n]) && t->s[n] != '.' && t->s[n] != ',')
			break;
	}
	if (group && slice_starts(skip_blanks(slice_from(*t, n)), "%"))
		n = group;
	struct slice figures = slice_head(*t, n);
	*t = slice_from(*t, n);
	return figures;
}

/* Where a number has no unit, nothing or a percentage follows: other figures would be a part of the number. */
static bool is_percentage(struct slice t)
{
	return take_figures(&t).n && slice_starts(skip_blanks(t), "%");
}

/* "ms   99.9%" -> "ms"; a percentage alone has no unit. */
static struct slice take_unit(struct slice t)
{
	size_t n = 0;
	t = skip_blanks(t);
	if (is_percentage(t))
		return slice_head(t, 0);
	while (n < t.n && !blank_length(slice_from(t, n)))
		n++;
	return slice_head(t, n);
}

static bool has_separator(struct slice figures)
{
	for (size_t i = 0; i < figures.n; i++) {
		if (!is_digit_byte(figures.s[i]) && figures.s[i] != '.' && figures.s[i] != ',')
			return true;
	}
	return false;
}

/*
 * Start of the fraction: the point of "4.93" and "4,273.0", the comma of "4,93" and "4.273,0". A comma before three
 * digits of a whole quantity separates thousands, as in "1,234 Bytes", unless blanks do. The end of the text:
 * there is no fraction.
 */
static size_t decimal_mark(struct slice figures, const struct unit *unit)
{
	size_t point = slice_find_last(figures, '.'), comma = slice_find_last(figures, ','), last, first;
	if (point == SIZE_MAX && comma == SIZE_MAX)
		return figures.n;
	if (point != SIZE_MAX && comma != SIZE_MAX)
		return point > comma ? point : comma;
	last = point != SIZE_MAX ? point : comma;
	first = slice_find_byte(figures, figures.s[last]);
	bool is_whole = comma != SIZE_MAX && figures.n - last == 4 && unit->quantity != TIME && unit->factor == 1 &&
	                !has_separator(figures);
	return first != last || is_whole ? figures.n : last;
}

static bool read_figures(struct slice figures, const struct unit *unit, int64_t *millionths)
{
	char plain[40];
	size_t n = 0, mark = decimal_mark(figures, unit);
	if (figures.n >= sizeof plain)
		return false;
	for (size_t i = 0; i < figures.n; i++) {
		if (is_digit_byte(figures.s[i]))
			plain[n++] = figures.s[i];
		else if (i == mark)
			plain[n++] = '.';
	}
	return decimal_scaled(plain, n, 6, millionths);
}

/* v / divisor: a time to a millionth of a millisecond, of anything else a whole number. */
static uint64_t in_millionths(uint64_t v, uint64_t divisor, enum quantity quantity)
{
	uint64_t step = quantity == TIME ? 1 : ONE;
	divisor *= step;
	return (v / divisor + (v % divisor >= divisor - divisor / 2)) * step;
}

/* Reads "250.0 ms", "1.2 s  83.3%", "12" as millionths of milliseconds, bytes or pieces. "-" is zero of no kind. */
static bool read_number(struct slice cell, struct slice usual_unit, uint64_t *v, enum quantity *quantity)
{
	struct slice rest = skip_blanks(cell);
	int64_t millionths;
	uint64_t scaled, divisor = 1;
	*v = 0;
	*quantity = UNDECIDED;
	if (slice_is(slice_trim(rest), "-"))
		return true;
	struct slice figures = take_figures(&rest);
	if (!figures.n)
		return false;
	struct slice name = take_unit(rest);
	const struct unit *unit = find_unit(name.n ? name : usual_unit);
	if (!unit || !read_figures(figures, unit, &millionths) ||
	    __builtin_mul_overflow((uint64_t)millionths, unit->factor, &scaled))
		return false;
	for (unsigned i = 0; i < unit->places; i++)
		divisor *= 10;
	*v = in_millionths(scaled, divisor, unit->quantity);
	*quantity = unit->quantity;
	return true;
}

/* ---- rows ---- */

/* The first row tells what the numbers measure: by its total, since its self column may be "-". */
static bool declare_values(struct instruments *in, const struct cells *c, struct err *err)
{
	static const struct column kinds[] = {{"time", "ms", false},
	                                      {"Running Time", "ms", false},
	                                      {"Bytes", "bytes", false},
	                                      {"Count", "", false},
	                                      {"cycles", "cycles", false}};
	uint64_t total;
	if (!read_number(c->v[0], slice_of(""), &total, &in->quantity) || in->quantity == UNDECIDED)
		in->quantity = COUNT;
	struct column columns[N_VALUES] = {kinds[in->quantity], {"count", NULL, in->count == NO_COLUMN}};
	if (in->count != NO_COLUMN && in->quantity == BYTES)
		columns[WEIGHT].name = "bytes";
	in->has_rows = true;
	return columns_declare(in->sink, columns, N_VALUES, WEIGHT, in->series, err);
}

static void add(struct instruments *in, unsigned value, uint32_t path, uint64_t millionths)
{
	struct sample s = {.weight = millionths / ONE,
	                   .millionths = (uint32_t)(millionths % ONE),
	                   .time = NO_TIME,
	                   .cpu = NO_CPU,
	                   .series = in->series[value]};
	weight_add(&in->all[value], millionths);
	profile_add(in->sink->profile, in->sink->options->side, path, &s);
}

/* Ends the rows at `depth` and deeper: the remainder after their children is their own weight. */
static void close_rows(struct instruments *in, size_t depth)
{
	while (in->height > depth) {
		const struct instruments_row *row = &in->rows[--in->height];
		for (unsigned i = 0; i < N_VALUES; i++) {
			if (row->left[i])
				add(in, i, row->path, row->left[i]);
		}
	}
}

/* Subtracts numbers that include the children from the row above. */
static void open_row(struct instruments *in, uint32_t path, const uint64_t *inclusive)
{
	struct instruments_row row = {.path = path};
	struct instruments_row *above = in->height ? &in->rows[in->height - 1] : NULL;
	for (unsigned i = 0; i < N_VALUES; i++) {
		row.left[i] = inclusive[i];
		if (!above)
			continue;
		if (inclusive[i] > above->left[i])
			weight_add(&in->excess[i], inclusive[i] - above->left[i]);
		above->left[i] -= inclusive[i] < above->left[i] ? inclusive[i] : above->left[i];
	}
	mem_push(in->rows, in->height, in->cap, row);
}

/* Indentation of the row relative to the first one, at most one level below the row above. */
static size_t row_depth(struct instruments *in, struct slice symbol, struct slice name, uint64_t number)
{
	size_t blanks = symbol.n - name.n, depth = blanks > in->margin ? blanks - in->margin : 0;
	if (depth <= in->branch.height)
		return depth;
	sink_warn(in->sink, "row is deeper than its parent by more than one level (counted right below it)", number,
	          name.s, name.n);
	return in->branch.height;
}

static bool read_cells(struct instruments *in, const struct cells *c, uint64_t *values, enum quantity *quantity)
{
	enum quantity ignored;
	size_t last = c->n - 1;
	values[PIECES] = 0;
	if (in->symbol == NO_COLUMN ? last < 2 : last != in->symbol)
		return false;
	struct slice self_unit = {buf_str(&in->self_unit), in->self_unit.len};
	return c->v[last].n && read_number(c->v[in->self], self_unit, &values[WEIGHT], quantity) &&
	       (in->count == NO_COLUMN || read_number(c->v[in->count], slice_of(""), &values[PIECES], &ignored));
}

/* Cycles are counted, and a number of them may stand without its unit. */
static enum quantity counted(enum quantity quantity)
{
	return quantity == CYCLES ? COUNT : quantity;
}

static bool take_row(struct instruments *in, struct slice line, uint64_t number, struct err *err)
{
	struct cells c = split_cells(line, in->symbol);
	uint64_t values[N_VALUES], inclusive[N_VALUES] = {0};
	enum quantity quantity;
	if (!read_cells(in, &c, values, &quantity)) {
		sink_skip(in->sink, "not a row (expected 'total<TAB>self and unit<TAB> <TAB>name')", number, line.s,
		          line.n);
		return true;
	}
	struct slice symbol = c.v[c.n - 1], name = slice_ltrim(symbol);
	if (!in->has_rows) {
		in->margin = symbol.n - name.n;
		if (!declare_values(in, &c, err))
			return false;
	}
	size_t depth = row_depth(in, symbol, name, number);
	close_rows(in, depth);
	uint32_t path = branch_put(&in->branch, in->sink->profile, depth, sink_frame(in->sink, name.s, name.n));
	/* A zero may have any unit. */
	bool is_other = values[WEIGHT] && counted(quantity) != counted(in->quantity);
	if (is_other)
		sink_skip(in->sink, "value of another kind than in the rows before", number, line.s, line.n);
	else if (!in->is_inclusive && quantity != UNDECIDED)
		add(in, WEIGHT, path, values[WEIGHT]);
	inclusive[WEIGHT] = in->is_inclusive && !is_other ? values[WEIGHT] : 0;
	inclusive[PIECES] = values[PIECES];
	open_row(in, path, inclusive);
	return true;
}

static bool instruments_line(struct instruments *in, struct slice line, uint64_t number, struct err *err)
{
	if (!line.n)
		return true;
	if (in->has_header && !is_header(line))
		return take_row(in, line, number, err);
	close_rows(in, 0); /* a file may contain several tables */
	take_header(in, line);
	return true;
}

/* Both in millionths; said in whole ones, of which a part counts as one. */
static void say_excess(struct instruments *in, uint64_t excess, uint64_t all)
{
	if (excess)
		report_add_weight(&in->sink->profile->report, excess_level(excess, all),
		                  "rows that weigh less than their children", NULL, 0, (excess - 1) / ONE + 1);
}

static void instruments_end(struct instruments *in, bool is_whole)
{
	if (is_whole)
		close_rows(in, 0);
	for (unsigned i = 0; i < N_VALUES; i++)
		say_excess(in, in->excess[i], in->all[i]);
	branch_deinit(&in->branch);
	buf_deinit(&in->self_unit);
	free(in->rows);
}

STRICT_LINE_FORMAT(instruments)

static enum sniff instruments_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_header, "no line starts with 'Running Time' and a tab", why);
}

const struct collapse_format format_instruments = {
	.name = "instruments",
	.help = "Apple Instruments: Edit > Deep Copy of a call tree, pasted into a file",
	.tells_open_end = true,
	.sniff = instruments_sniff,
	LINE_FORMAT_FUNCTIONS(instruments),
	.effects = EFFECT_VALUE,
};
