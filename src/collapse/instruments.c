/*
 * instruments.c - call trees copied out of Apple's Instruments (Edit > Deep Copy).
 *
 *	Running Time	Self (ms)		Symbol Name
 *	1.50 s  100.0%	0.0 ms	 	Main Thread  0x1a2b
 *	1.50 s  100.0%	250.0 ms	 	 main
 *	1.25 s   83.3%	1.2 s	 	  render(Scene const&)
 *
 * Columns are separated by tabs; in the last one, leading spaces are the depth. The self column is the weight of
 * every row, in the unit that suits its size, so `1.2 s` and `250.0 ms` stand side by side: times become whole
 * milliseconds and sizes bytes. Other templates of Instruments count bytes, cycles or events and say `Weight` or
 * `Bytes Used`.
 */
#include "collapse/branch.h"
#include "collapse/decimal.h"
#include "collapse/formats.h"
#include "collapse/lines.h"

/* What a number is of; a call tree holds one kind. */
enum quantity { UNDECIDED, TIME, BYTES, COUNT };

struct unit {
	const char *name;
	enum quantity quantity;
	unsigned places; /* the value is the number times factor, divided by 10^places */
	uint64_t factor;
};

static const struct unit units[] = {
	{"ms", TIME, 0, 1},           {"s", TIME, 0, 1000},        {"min", TIME, 0, 60000},
	{"h", TIME, 0, 3600000},      {"us", TIME, 3, 1},          {"\xc2\xb5s", TIME, 3, 1},
	{"\xce\xbcs", TIME, 3, 1},    {"ns", TIME, 6, 1},          {"Bytes", BYTES, 0, 1},
	{"B", BYTES, 0, 1},           {"KB", BYTES, 0, 1000},      {"MB", BYTES, 0, 1000000},
	{"GB", BYTES, 0, 1000000000}, {"KiB", BYTES, 0, 1u << 10}, {"MiB", BYTES, 0, 1u << 20},
	{"GiB", BYTES, 0, 1u << 30},  {"", COUNT, 0, 1},           {"cycles", COUNT, 0, 1},
	{"Kc", COUNT, 0, 1000},       {"Mc", COUNT, 0, 1000000},   {"Gc", COUNT, 0, 1000000000},
};

struct instruments {
	struct sink *sink;
	bool has_header;
	enum quantity quantity;
	struct branch branch;
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

static const struct unit *find_unit(struct slice name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (slice_is(name, units[i].name))
			return &units[i];
	}
	return NULL;
}

/* "250.0 ms", "1.2 s", "12": in whole milliseconds, bytes or pieces. */
static bool read_self(struct slice field, uint64_t *v, enum quantity *quantity)
{
	struct slice rest = slice_trim(field), number = slice_take_word(&rest);
	const struct unit *unit = find_unit(slice_take_word(&rest));
	int64_t millionths;
	if (!unit || !decimal_scaled(number.s, number.n, 6, &millionths) || millionths < 0)
		return false;
	uint64_t scaled;
	if (__builtin_mul_overflow((uint64_t)millionths, unit->factor, &scaled))
		return false;
	uint64_t divisor = 1000000;
	for (unsigned i = 0; i < unit->places; i++)
		divisor *= 10;
	*v = scaled / divisor + (scaled % divisor >= divisor / 2);
	*quantity = unit->quantity;
	return true;
}

static void declare_quantity(struct instruments *in, enum quantity quantity)
{
	static const char *const names[] = {"", "Running Time", "Bytes", "Count"}, *const unit_names[] = {"", "ms",
	                                                                                                  "bytes", ""};
	in->quantity = quantity;
	profile_series(in->sink->profile, sink_sym(in->sink, names[quantity], strlen(names[quantity])),
	               sink_sym(in->sink, unit_names[quantity], strlen(unit_names[quantity])));
}

/* Puts a row below the nearest one above it that is less deep, and returns its path. */
static uint32_t row_path(struct instruments *in, struct slice symbol, uint64_t number)
{
	struct slice name = slice_ltrim(symbol);
	size_t depth = symbol.n - name.n;
	if (depth > in->branch.height) {
		sink_warn(in->sink, "row is deeper than its parent by more than one level (counted right below it)", number,
		          name.s, name.n);
		depth = in->branch.height;
	}
	return branch_put(&in->branch, in->sink->profile, depth, sink_frame(in->sink, name.s, name.n));
}

static void take_row(struct instruments *in, struct slice line, uint64_t number)
{
	size_t tab = slice_find_byte(line, '\t'), last = slice_find_last(line, '\t');
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU};
	enum quantity quantity;
	if (tab == SIZE_MAX || last == tab || last + 1 == line.n ||
	    !read_self(slice_before(slice_from(line, tab + 1), '\t'), &s.weight, &quantity)) {
		sink_skip(in->sink, "not a row (expected 'total<TAB>self and unit<TAB> <TAB>name')", number, line.s,
		          line.n);
		return;
	}
	if (in->quantity == UNDECIDED)
		declare_quantity(in, quantity);
	uint32_t path = row_path(in, slice_from(line, last + 1), number);
	/* A zero is written in any unit. */
	if (quantity != in->quantity && s.weight)
		sink_skip(in->sink, "value of another kind than in the rows before", number, line.s, line.n);
	else
		profile_add(in->sink->profile, in->sink->options->side, path, &s);
}

static bool instruments_feed(void *state, const char *text, size_t len, struct err *err)
{
	(void)err;
	struct instruments *in = state;
	struct lines lines = lines_of(in->sink, text, len);
	while (lines_next(&lines)) {
		if (!lines.line.n)
			continue;
		if (in->has_header && !is_header(lines.line))
			take_row(in, lines.line, lines.number);
		in->has_header = true;
	}
	return true;
}

static void *instruments_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct instruments *in = mem_zalloc(1, sizeof *in);
	in->sink = sink;
	return in;
}

static bool instruments_finish(void *state, bool ok, struct err *err)
{
	(void)err;
	struct instruments *in = state;
	branch_deinit(&in->branch);
	free(in);
	return ok;
}

static enum sniff instruments_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_header, "no line starts with 'Running Time' and a tab", why);
}

const struct collapse_format format_instruments = {
	.name = "instruments",
	.help = "Apple Instruments: Edit > Deep Copy of a call tree, pasted into a file",
	.sniff = instruments_sniff,
	.start = instruments_start,
	.feed = instruments_feed,
	.finish = instruments_finish,
};
