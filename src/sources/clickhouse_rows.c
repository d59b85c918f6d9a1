/*
 * clickhouse_rows.c - the rows of an answer of ClickHouse, and what it says instead.
 */
#include "sources/clickhouse_rows.h"

#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scratch.h"
#include "base/write_all.h"
#include "sources/secrets.h"

#define PIECE (256u << 10)
#define MOST_ROW (64u << 20) /* bytes */
#define MOST_OF_ROW 60u      /* bytes of a row in a message */
#define MOST_TOLD 130u       /* bytes of a message, so that there is room for advice */

/* ---- rows ---------------------------------------------------------------------------------------------------- */

void clickhouse_add_value(struct buf *out, struct slice value)
{
	static const char from[] = "bfnrt0", to[] = "\b\f\n\r\t"; /* and a NUL, the end of that text */
	for (size_t i = 0; i < value.n; i++) {
		const char *at = value.s[i] == '\\' && i + 1 < value.n ? strchr(from, value.s[++i]) : NULL;
		buf_addc(out, at && *at ? to[at - from] : value.s[i]);
	}
}

/* Names may have blanks, numbers and line breaks anywhere, so that they are escaped, as the first line says. */
static void add_stack(struct buf *out, struct slice value)
{
	struct buf text;
	buf_init(&text);
	clickhouse_add_value(&text, value);
	struct slice rest = {text.data, text.len};
	if (!rest.n)
		buf_adds(out, "[empty]");
	while (rest.n) {
		struct slice frame = slice_before(rest, ';');
		if (frame.n)
			escape_add(out, frame.s, frame.n, true);
		if (frame.n < rest.n)
			buf_addc(out, ';');
		rest = slice_from(rest, frame.n < rest.n ? frame.n + 1 : frame.n);
	}
	buf_deinit(&text);
}

/*
 * "-12", "12.5", "1e21": folded text has decimals, and no exponents. What is no count, as "inf", is told by its
 * reader. false: no number.
 */
static bool add_number(struct buf *out, struct slice s)
{
	double v;
	struct slice digits = s;
	slice_take(&digits, "-");
	if (digits.n && slice_is_digits(digits)) {
		buf_add(out, s.s, s.n);
		return true;
	}
	if (slice_is(digits, "nan") || slice_is(digits, "inf"))
		return buf_add(out, s.s, s.n), true;
	if (!number_double(s.s, s.n, &v) || v > 1e19 || v < -1e19)
		return false;
	size_t start = out->len;
	buf_addf(out, "%.15f", v);
	while (out->len > start && out->data[out->len - 1] == '0')
		out->len--;
	if (out->data[out->len - 1] == '.')
		out->len--;
	return true;
}

/*
 * Turns a row of a stack and n numbers into a line of folded stacks, without its end. Appends; false: it is no such
 * row.
 */
static bool add_folded(struct buf *out, struct slice row, unsigned n)
{
	struct slice cell = slice_before(row, '\t');
	add_stack(out, cell);
	for (unsigned i = 0; i < n; i++) {
		if (cell.n == row.n)
			return false;
		row = slice_from(row, cell.n + 1);
		cell = slice_before(row, '\t');
		buf_addc(out, ' ');
		if (!add_number(out, cell))
			return false;
	}
	return n > 0 && cell.n == row.n;
}

/* ---- a file of rows ------------------------------------------------------------------------------------------ */

struct folding {
	const struct secrets *secrets;
	unsigned n;
	int to;
	struct buf row;   /* the beginning of one */
	struct buf lines; /* to be written */
	uint64_t rows;
};

static bool flush(struct folding *f, struct err *err)
{
	bool is_good = write_all(f->to, f->lines.data, f->lines.len) == f->lines.len;
	f->lines.len = 0;
	return is_good || fail_errno(err, "the answer cannot be kept");
}

static bool fail_row(const struct folding *f, struct slice row, struct err *err)
{
	struct buf words;
	buf_init(&words);
	if (clickhouse_explain(&words, f->secrets, row.s, row.n)) {
		fail(err, "%s", buf_str(&words));
	} else {
		secrets_add_said(&words, f->secrets, row.s, row.n, MOST_OF_ROW);
		fail(err, "the server's answer cannot be read: '%s' is no row of a stack and numbers", buf_str(&words));
	}
	buf_deinit(&words);
	return false;
}

static bool take_row(struct folding *f, struct slice row, struct err *err)
{
	f->rows++;
	if (!add_folded(&f->lines, row, f->n))
		return fail_row(f, row, err);
	buf_addc(&f->lines, '\n');
	return f->lines.len < PIECE || flush(f, err);
}

/* Takes whole rows; keeps the beginning of the next one. */
static bool take_piece(struct folding *f, const char *bytes, size_t n, struct err *err)
{
	const char *end = bytes + n, *nl;
	for (; (nl = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL; bytes = nl + 1) {
		buf_add(&f->row, bytes, (size_t)(nl - bytes));
		if (!take_row(f, (struct slice){f->row.data, f->row.len}, err))
			return false;
		f->row.len = 0;
	}
	buf_add(&f->row, bytes, (size_t)(end - bytes));
	return f->row.len < MOST_ROW || fail(err, "the server's answer has a row of more than 64 MiB");
}

static bool take_all(struct folding *f, int fd, struct err *err)
{
	char *bytes = mem_alloc(PIECE);
	bool is_good = true;
	off_t at = 0;
	ssize_t n = 0;
	while (is_good && (n = pread(fd, bytes, PIECE, at)) > 0) {
		is_good = take_piece(f, bytes, (size_t)n, err);
		at += n;
	}
	free(bytes);
	if (n < 0)
		return fail_errno(err, "the answer cannot be read again");
	if (is_good && f->row.len)
		return fail_row(f, (struct slice){f->row.data, f->row.len}, err);
	return is_good && flush(f, err);
}

int clickhouse_fold(int fd, unsigned n, const char *head, const struct secrets *secrets, uint64_t *rows,
                    struct err *err)
{
	struct folding f = {.secrets = secrets, .n = n, .to = scratch_open(err)};
	if (f.to < 0)
		return -1;
	buf_init(&f.row);
	buf_init(&f.lines);
	buf_addf(&f.lines, FOLDED_ESCAPED "\n%s\n", head);
	bool is_good = take_all(&f, fd, err);
	*rows = f.rows;
	buf_deinit(&f.row);
	buf_deinit(&f.lines);
	if (is_good && lseek(f.to, 0, SEEK_SET) == 0)
		return f.to;
	close(f.to);
	return -1;
}

/* ---- errors -------------------------------------------------------------------------------------------------- */

/* What helps against an error of this number whose message has this text (NULL: any). The first row that fits. */
static const struct {
	unsigned code;
	const char *text, *advice;
} known[] = {
	{446, NULL, "ALTER USER NAME SETTINGS allow_introspection_functions = 1 allows it; &symbols=0 shows addresses"},
	{497, "INTROSPECTION", "GRANT INTROSPECTION ON *.* TO NAME; &symbols=0 shows addresses"},
	{497, "addressToSymbol", "GRANT INTROSPECTION ON *.* TO NAME; &symbols=0 shows addresses"},
	{497, "demangle", "GRANT INTROSPECTION ON *.* TO NAME; &symbols=0 shows addresses"},
	{497, "REMOTE", "GRANT REMOTE ON *.* TO NAME"},
	{497, "trace_log", "GRANT SELECT ON system.trace_log TO NAME"},
	{164, "allow_introspection",
     "ALTER USER NAME SETTINGS allow_introspection_functions = 1, if a reader may not set it; "
     "&symbols=0 shows addresses"},
	{164, NULL, "ALTER USER NAME SETTINGS readonly = 2 allows settings"},
	{60, "trace_log", "it begins with the first sample, if <trace_log> is in the server's configuration"},
	{47, "trace_log", "a column that this server's version of the table lacks"},
	{516, NULL, "--user, NAME:PASSWORD@ before the host, or CLICKHOUSE_USER and CLICKHOUSE_PASSWORD"},
	{194, NULL, "--user, NAME:PASSWORD@ before the host, or CLICKHOUSE_USER and CLICKHOUSE_PASSWORD"},
	{701, NULL, "--sql='SELECT cluster, 1 FROM system.clusters' lists them"},
	{691, "trace_type", "types are CPU, Real, Memory, MemorySample, MemoryPeak and ProfileEvent"},
	{691, "Enum", "types are CPU, Real, Memory, MemorySample, MemoryPeak and ProfileEvent"},
	{241, NULL, "&max_bytes_before_external_group_by=BYTES lets it use its disk"},
	{159, NULL, "&max_execution_time=SECONDS"},
};

static const char *find_advice(uint64_t code, struct slice message)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].code == code && (!known[i].text || slice_has(message, known[i].text)))
			return known[i].advice;
	return NULL;
}

/* "60. DB::Exception: Unknown table (version 1)": the number and the message. */
static bool read_error(struct slice *s, uint64_t *code)
{
	size_t at = slice_find(*s, "Code: ");
	if (at == SIZE_MAX)
		return false;
	*s = slice_from(*s, at + 6);
	struct slice digits = slice_take_digits(s);
	if (!slice_u64(digits, code) || !slice_take(s, ". "))
		return false;
	*s = slice_before(*s, '\n');
	size_t colon = slice_find(*s, ": ");
	if (slice_starts(*s, "DB::") && colon != SIZE_MAX)
		*s = slice_from(*s, colon + 2);
	return true;
}

bool clickhouse_explain(struct buf *out, const struct secrets *secrets, const char *said, size_t n)
{
	struct slice s = {said, n};
	uint64_t code;
	if (!read_error(&s, &code))
		return false;
	size_t end = slice_find(s, " (version ");
	struct slice message = end == SIZE_MAX ? s : slice_head(s, end);
	const char *advice = find_advice(code, message);
	buf_addf(out, "ClickHouse's error %llu, ", (unsigned long long)code);
	secrets_add_said(out, secrets, message.s, message.n, MOST_TOLD);
	if (message.n > MOST_TOLD)
		buf_adds(out, "...");
	if (advice)
		buf_addf(out, " (%s)", advice);
	return true;
}
