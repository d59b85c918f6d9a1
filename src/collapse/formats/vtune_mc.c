/*
 * vtune_mc.c - parses memory consumption by Intel VTune, exported as a top-down tree in CSV.
 *
 *	Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
 *	Total,,,0,[Unknown]
 *	 main,0,0,0,demo
 *	  "load(char const*, int)",4096,4096,3,demo
 *
 *	Total([Unknown]);main(demo);load(char const*, int)(demo) 3
 *
 * The number of leading spaces is the depth. A node has three numbers of its own; all are kept, and the number of
 * allocations is shown first. Names with commas are not always quoted, so a line is parsed from its end, where the
 * numbers are.
 */
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/columns.h"
#include "collapse/text/line_format.h"

#define COLUMNS_MAX 16

enum { ALLOCATIONS, SIZE, DEALLOCATED, N_VALUES, MODULE = N_VALUES, NO_ROLE };

struct vtune_mc {
	struct sink *sink;
	unsigned roles[COLUMNS_MAX]; /* meaning of the columns, without the first (the name) */
	size_t n_columns;            /* number of those; 0: no header yet */
	uint32_t series[N_VALUES];
	struct branch branch;
	struct buf text;
};

static unsigned role_of(struct slice heading)
{
	if (slice_is(heading, "Module"))
		return MODULE;
	if (!slice_ends(heading, ":Self"))
		return NO_ROLE;
	if (slice_starts(heading, "Allocations"))
		return ALLOCATIONS;
	if (slice_starts(heading, "Allocation Size"))
		return SIZE;
	return slice_starts(heading, "Deallocation Size") ? DEALLOCATED : NO_ROLE;
}

static bool is_header(struct slice line)
{
	return slice_starts(line, "Function Stack,") && slice_has(line, "Allocation");
}

static bool take_header(struct vtune_mc *v, struct slice line, uint64_t number, struct err *err)
{
	struct column columns[N_VALUES] = {
		{"allocations", NULL, true}, {"size", "bytes", true}, {"deallocated", "bytes", true}};
	slice_take(&line, "Function Stack,");
	for (bool is_last = false; !is_last;) {
		struct slice heading = slice_before(line, ',');
		is_last = heading.n == line.n;
		if (v->n_columns == COLUMNS_MAX)
			return fail(err, "line %llu: more than %d columns", (unsigned long long)number, COLUMNS_MAX);
		unsigned role = role_of(slice_trim(heading));
		if (role < N_VALUES)
			columns[role].is_absent = false;
		v->roles[v->n_columns++] = role;
		line = slice_from(line, heading.n + !is_last);
	}
	size_t first = 0;
	while (first < N_VALUES && columns[first].is_absent)
		first++;
	if (first == N_VALUES)
		return fail(err, "line %llu: no column with values (expected 'Allocations:Self' or 'Allocation Size:Self')",
		            (unsigned long long)number);
	if (!columns_declare(v->sink, columns, N_VALUES, first, v->series, err))
		return false;
	columns_overlap(v->sink, v->series, N_VALUES);
	return true;
}

/* Takes the last field off the line. A quoted one begins at the second quote from the end. */
static bool take_last(struct slice *line, struct slice *field)
{
	bool is_quoted = line->n > 1 && line->s[line->n - 1] == '"';
	struct slice rest = *line;
	if (is_quoted) {
		size_t open = slice_find_last(slice_head(rest, rest.n - 1), '"');
		if (open == SIZE_MAX || open == 0)
			return false;
		rest = slice_head(rest, open);
		*field = (struct slice){line->s + open + 1, line->n - open - 2};
	}
	size_t comma = slice_find_last(rest, ',');
	if (comma == SIZE_MAX || (is_quoted && comma + 1 != rest.n))
		return false;
	if (!is_quoted)
		*field = slice_from(rest, comma + 1);
	*line = slice_head(rest, comma);
	return true;
}

/* "function(module)", without quotes. */
static uint32_t make_frame(struct vtune_mc *v, struct slice name, struct slice module)
{
	v->text.len = 0;
	for (size_t i = 0; i < name.n; i++) {
		if (name.s[i] != '"')
			buf_addc(&v->text, name.s[i]);
	}
	if (module.n) {
		buf_addc(&v->text, '(');
		buf_add(&v->text, module.s, module.n);
		buf_addc(&v->text, ')');
	}
	uint32_t sym = sink_frame(v->sink, v->text.len ? v->text.data : "", v->text.len);
	return sink_module(v->sink, sym, module.s, module.n);
}

/* Sizes are reported even if nothing is left of them; counts only where something happened. */
static void add_values(struct vtune_mc *v, uint32_t path, const struct slice *fields, const uint64_t *values)
{
	for (unsigned i = 0; i < N_VALUES; i++) {
		struct sample s = {.weight = values[i], .time = NO_TIME, .cpu = NO_CPU, .series = v->series[i]};
		if (fields[i].n && (values[i] || i == SIZE))
			profile_add(v->sink->profile, v->sink->options->side, path, &s);
	}
}

static bool take_line(struct vtune_mc *v, struct slice line, uint64_t number, struct err *err)
{
	struct slice fields[NO_ROLE + 1] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, {"", 0}}, rest = line, name;
	uint64_t values[N_VALUES] = {0};
	bool is_right = true;
	for (size_t i = v->n_columns; i-- > 0 && is_right;)
		is_right = take_last(&rest, &fields[v->roles[i]]);
	for (unsigned i = 0; i < N_VALUES && is_right; i++) {
		fields[i] = slice_trim(fields[i]);
		is_right = !fields[i].n || slice_u64(fields[i], &values[i]);
	}
	if (!is_right)
		return fail(err,
		            "line %llu: unable to parse stack line (expected function, sizes, allocations, module): '%.*s'",
		            (unsigned long long)number, (int)(line.n < 200 ? line.n : 200), line.s);
	name = slice_ltrim(rest);
	size_t depth = rest.n - name.n;
	if (depth > v->branch.height)
		return fail(err, "line %llu: skipped indentation level at line '%.*s'", (unsigned long long)number,
		            (int)(name.n < 200 ? name.n : 200), name.s);
	uint32_t sym = make_frame(v, name, v->sink->options->no_modules ? (struct slice){"", 0} : fields[MODULE]);
	add_values(v, branch_put(&v->branch, v->sink->profile, depth, sym), fields, values);
	return true;
}

static bool vtune_mc_line(struct vtune_mc *v, struct slice line, uint64_t number, struct err *err)
{
	if (!line.n)
		return true;
	if (v->n_columns)
		return take_line(v, line, number, err);
	return !is_header(line) || take_header(v, line, number, err);
}

static void vtune_mc_end(struct vtune_mc *v, bool is_whole)
{
	if (is_whole && !v->n_columns)
		sink_warn(v->sink, "file ended before header (expected 'Function Stack,Allocation Size:Self,...')", 0, NULL,
		          0);
	buf_deinit(&v->text);
	branch_deinit(&v->branch);
}

STRICT_LINE_FORMAT(vtune_mc)

static enum sniff vtune_mc_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_header, "no line starts with 'Function Stack,' and speaks of allocations", why);
}

const struct collapse_format format_vtune_mc = {
	.name = "vtune-mc",
	.help = "Intel VTune memory consumption, CSV (--value=allocations, size or deallocated)",
	.sniff = vtune_mc_sniff,
	LINE_FORMAT_FUNCTIONS(vtune_mc),
	.tells_open_end = true,
	.effects = EFFECT_NO_MODULES | EFFECT_VALUE,
};
