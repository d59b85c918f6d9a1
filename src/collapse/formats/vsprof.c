/*
 * vsprof.c - parses call trees of the Visual Studio profiler, exported as CSV.
 *
 *	Level,Function Name,Number of Calls,Elapsed Inclusive Time %,...,Module Name,
 *	0,"demo.exe",0,100.00,0.00,0.00,0.00,"",
 *	1,"Program.Main(string[])",500,99.00,1.00,0.1,0.1,"demo.exe",
 *	2,"Scene.Render(int32)","1,300",80.00,1.00,0.1,0.1,"demo.exe",
 *
 * Instrumentation counts calls. A caller's calls do not include those of its callees, so there is no self value.
 * This parser keeps the customary reading: a row is a stack if the next row is not deeper. On the way back, its
 * calls are subtracted from those of the row above, which is a stack of its own if its remainder differs. The row
 * of the process shares its place with the first function and never appears.
 *
 * Sampling has another heading, `Level,Function Name,Inclusive Samples,Exclusive Samples,...`; each row's exclusive
 * samples are its weight.
 *
 * Numbers have the thousands separators of the machine's locale: comma, point or space.
 */
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/text/branch.h"
#include "collapse/text/line_format.h"

#define CALLS_HEADER                                                                         \
	"Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %," \
	"Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name,"
#define SAMPLES_HEADER "Level,Function Name,Inclusive Samples,Exclusive Samples"

#define MOST_NUMBER 64u /* bytes of one with its separators */

struct vsprof_row {
	uint32_t path;
	uint64_t calls; /* the remaining calls */
};

struct vsprof {
	struct sink *sink;
	bool has_header, is_sampling;
	struct branch branch;
	struct vsprof_row *rows; /* from the root to the last row */
	size_t height, cap_rows;
	uint64_t number; /* of the line */
};

static bool vsprof_fail(const struct vsprof *v, struct err *err, const char *what, struct slice text)
{
	return fail(err, "line %llu: %s: '%.*s'", (unsigned long long)v->number, what,
	            (int)(text.n < 200 ? text.n : 200), text.s);
}

static bool take_header(struct vsprof *v, struct slice line, struct err *err)
{
	v->is_sampling = slice_starts(line, SAMPLES_HEADER);
	v->has_header = v->is_sampling || slice_starts(line, CALLS_HEADER);
	return v->has_header ||
	       vsprof_fail(v, err, "expected first line to be header line 'Level,Function Name,Number of Calls,...'",
	                   line);
}

/* Takes a quoted name, and the comma after it. Bytes after the line can be read. */
static bool take_name(struct slice *rest, struct slice *name)
{
	const char *begin = rest->s + 1, *p = begin, *end = rest->s + rest->n;
	uint32_t mask = 0;
	for (; p < end && !(mask = scan_mask(p, '"')); p += 32)
		;
	p += mask ? __builtin_ctz(mask) : 0;
	if (p >= end)
		return false;
	*name = (struct slice){begin, (size_t)(p - begin)};
	*rest = slice_from(*rest, name->n + 2);
	slice_take(rest, ",");
	return true;
}

/* Takes the field up to the next comma, and the comma; a quoted field without its quotes. */
static bool take_field(struct slice *rest, struct slice *field)
{
	if (!rest->n)
		return false;
	bool is_quoted = *rest->s == '"';
	struct slice body = slice_from(*rest, is_quoted);
	size_t end = slice_find_byte(body, is_quoted ? '"' : ',');
	if (end == SIZE_MAX && is_quoted)
		return false;
	*field = slice_head(body, end == SIZE_MAX ? body.n : end);
	*rest = slice_from(body, end == SIZE_MAX ? body.n : end + is_quoted);
	slice_take(rest, ",");
	return true;
}

/*
 * Takes up to eight digits and the comma after them, as most numbers are. false: it is another one. White space
 * follows the line.
 */
static inline bool take_digits(struct slice *rest, uint64_t *value)
{
	const char *p = rest->s;
	uint64_t v = 0;
	size_t n = 0;
	for (; n < 8 && is_digit_byte(p[n]); n++)
		v = v * 10 + (uint64_t)(p[n] - '0');
	if (!n || p[n] != ',')
		return false;
	*rest = slice_from(*rest, n + 1);
	*value = v;
	return true;
}

/* Blanks that do not break lines separate thousands in some languages: they become plain. false: too long. */
static bool with_plain_blanks(struct slice s, char plain[MOST_NUMBER], size_t *n)
{
	static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
	for (*n = 0; s.n && *n < MOST_NUMBER;) {
		bool is_wide = false;
		for (size_t i = 0; i < sizeof wide / sizeof *wide && !is_wide; i++)
			is_wide = slice_take(&s, wide[i]);
		plain[(*n)++] = is_wide ? ' ' : *s.s;
		s = slice_from(s, !is_wide);
	}
	return !s.n;
}

/* Reads "1,929,216": groups of three after the first separator, and only that separator. */
static bool read_number(struct slice s, uint64_t *v)
{
	uint64_t value = 0;
	char separator = '\0';
	size_t group = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i];
		if (is_digit_byte(c)) {
			group++;
			if (__builtin_mul_overflow(value, 10, &value) ||
			    __builtin_add_overflow(value, (uint64_t)(c - '0'), &value))
				return false;
			continue;
		}
		bool is_first = !separator && group > 0 && group <= 3;
		if ((c != ',' && c != '.' && c != ' ') || (!is_first && (c != separator || group != 3)))
			return false;
		separator = c;
		group = 0;
	}
	*v = value;
	return s.n && (separator ? group == 3 : group > 0);
}

static bool take_number(struct vsprof *v, struct slice *rest, uint64_t *value, struct err *err)
{
	struct slice field = {"", 0};
	if (take_digits(rest, value))
		return true;
	if (!take_field(rest, &field))
		return vsprof_fail(v, err, "missing number in line", *rest);
	char plain[MOST_NUMBER];
	size_t n;
	bool ok = with_plain_blanks(field, plain, &n) && read_number((struct slice){plain, n}, value);
	return ok || vsprof_fail(v, err, "unable to parse integer from", field);
}

static void emit(struct vsprof *v, uint32_t path, uint64_t weight)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};
	if (weight)
		profile_add(v->sink->profile, v->sink->options->side, path, &s);
}

/*
 * Removes the deepest row and subtracts its calls from the row above; a row whose remainder equals its child's
 * calls is no stack.
 */
static void close_row(struct vsprof *v, uint64_t *calls_below)
{
	struct vsprof_row row = v->rows[--v->height];
	if (row.calls != *calls_below)
		emit(v, row.path, row.calls);
	*calls_below = row.calls;
	if (v->height && row.calls < v->rows[v->height - 1].calls)
		v->rows[v->height - 1].calls -= row.calls;
}

static bool count_calls(struct vsprof *v, uint64_t level, struct slice name, uint64_t calls, struct err *err)
{
	if (level > v->height + 1)
		return vsprof_fail(v, err, "skipped a level at", name);
	if (level == v->height && v->height) {
		v->height--;
		emit(v, v->rows[v->height].path, v->rows[v->height].calls);
	}
	uint64_t calls_below = 0;
	for (uint64_t close = v->height > level ? v->height - level + 1 : 0; close && v->height; close--)
		close_row(v, &calls_below);
	uint32_t path = branch_put(&v->branch, v->sink->profile, v->height, sink_frame(v->sink, name.s, name.n));
	mem_push(v->rows, v->height, v->cap_rows, ((struct vsprof_row){path, calls}));
	return true;
}

/* Level 0 is the process, not a function; samples there and in none of its functions are its own. */
static bool count_samples(struct vsprof *v, uint64_t level, struct slice name, struct slice rest, struct err *err)
{
	uint64_t exclusive = 0, above = level ? level - 1 : 0;
	if (!take_number(v, &rest, &exclusive, err))
		return false;
	if (above > v->height)
		return vsprof_fail(v, err, "skipped a level at", name);
	v->height = above;
	if (!level && !exclusive)
		return true;
	uint32_t path = branch_put(&v->branch, v->sink->profile, above, sink_frame(v->sink, name.s, name.n));
	emit(v, path, exclusive);
	if (level)
		mem_push(v->rows, v->height, v->cap_rows, ((struct vsprof_row){path, exclusive}));
	return true;
}

static bool take_row(struct vsprof *v, struct slice line, struct err *err)
{
	struct slice rest = line, name;
	uint64_t level = 0, count = 0;
	if (!take_number(v, &rest, &level, err))
		return false;
	if (!rest.n)
		return vsprof_fail(v, err, "missing function name in line", line);
	if (*rest.s != '"' || !take_name(&rest, &name))
		return vsprof_fail(v, err, "unable to parse function name from line", line);
	if (!take_number(v, &rest, &count, err))
		return false;
	return v->is_sampling ? count_samples(v, level, name, rest, err) : count_calls(v, level, name, count, err);
}

static bool vsprof_line(struct vsprof *v, struct slice line, uint64_t number, struct err *err)
{
	v->number = number;
	if (!v->has_header)
		return take_header(v, slice_ltrim(line), err);
	return !line.n || take_row(v, line, err);
}

static void vsprof_end(struct vsprof *v, bool is_whole)
{
	if (is_whole && !v->has_header)
		sink_warn(v->sink, "file ended before start of call graph (expected 'Level,Function Name,...')", 0, NULL,
		          0);
	if (is_whole && !v->is_sampling && v->height)
		emit(v, v->rows[v->height - 1].path, v->rows[v->height - 1].calls);
	branch_deinit(&v->branch);
	free(v->rows);
}

STRICT_LINE_FORMAT(vsprof)

/* Only the first line may be the heading. */
static enum sniff vsprof_sniff(const struct head *head, const char **why)
{
	const char *p = head->text;
	struct slice line;
	*why = "the first line does not start with 'Level,Function Name,'";
	if (!head_line(&p, head->text + head->len, &line.s, &line.n))
		return SNIFF_NO;
	return slice_starts(slice_trim(line), "Level,Function Name,") ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_vsprof = {
	.name = "vsprof",
	.help = "Visual Studio call tree, CSV (CallTreeSummary)",
	.tells_open_end = true,
	.sniff = vsprof_sniff,
	LINE_FORMAT_FUNCTIONS(vsprof),
};
