/*
 * detect.c - finds the format of an input, or says why it has none.
 *
 * Every format has a sniffer, which looks for its marks in the head of the input. If several find their marks, the
 * one whose marks were complete first is right. A sniffer that says yes keeps saying yes as the head grows, so
 * bisection finds where its marks end; this is done only when several answer. Heads of any length therefore give
 * the same answer, or none yet: detection does not depend on where a pipe pauses.
 *
 * If no format accepts the input, the message says what flametop made of it. It names well-known kinds of
 * unreadable files (foreign.h) together with a remedy; otherwise it lists the formats that came near and what was
 * missing.
 */
#include "base/decompress.h"
#include "collapse/formats.h"
#include "collapse/load/foreign.h"
#include "collapse/text/lines.h"

static bool fail_known(struct err *err, const char *file, const struct foreign *kind)
{
	return fail(err, "%s: this is %s, which cannot be read (%s)", file, kind->what, kind->instead);
}

static enum sniff ask(const struct collapse_format *format, const struct head *head, const char **why)
{
	struct head lines = head_lines(head);
	if (format->is_asked_for || !format->sniff)
		return SNIFF_NO;
	return format->sniff(format->is_text_stream ? head : &lines, why);
}

/* A candidate: a foreign kind, or a format. */
struct answer {
	const struct foreign *foreign;
	size_t number; /* of the foreign kind */
	const struct collapse_format *format;
};

static bool is_answer(const struct answer *a, const struct head *head)
{
	const char *why;
	return a->foreign ? foreign_is(a->number, head) : ask(a->format, head, &why) == SNIFF_YES;
}

/* The length of the shortest head with this answer; head is one. */
static size_t length_of_marks(const struct answer *a, const struct head *head)
{
	size_t no = 0, yes = head->len;
	while (yes - no > 1) {
		struct head part = {head->text, no + (yes - no) / 2, false, true};
		*(is_answer(a, &part) ? &yes : &no) = part.len;
	}
	return yes;
}

/* Makes `other`, whose marks are there too, the first answer if its marks were complete earlier. */
static void compare(struct answer *first, size_t *length, const struct answer *other, const struct head *head)
{
	if (!first->foreign && !first->format) {
		*first = *other;
		return;
	}
	*length = *length ? *length : length_of_marks(first, head);
	size_t n = length_of_marks(other, head);
	if (n < *length) {
		*first = *other;
		*length = n;
	}
}

/* The first answer among the marks in `len` bytes that no later byte can change; empty if there is none yet. */
static struct answer marks_within(const struct head *whole, size_t len)
{
	struct head head = {whole->text, len, false, true};
	struct answer first = {0}, other = {0};
	size_t length = 0; /* length of the first one's marks; 0: not computed */
	for (; (other.foreign = foreign_kind(other.number)); other.number++) {
		if (is_answer(&other, &head))
			compare(&first, &length, &other, &head);
	}
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		other.format = *f;
		if (is_answer(&other, &head))
			compare(&first, &length, &other, &head);
	}
	return first;
}

/*
 * Most marks are near the beginning, and an answer to a short head is the answer to every longer one. So all
 * formats look at a few pages first: eighty of them in a quarter of a megabyte take a millisecond.
 */
#define FIRST_LOOK (16u << 10)

static struct answer first_marks(const struct head *whole)
{
	if (whole->len > FIRST_LOOK) {
		struct answer first = marks_within(whole, FIRST_LOOK);
		if (first.foreign || first.format)
			return first;
	}
	return marks_within(whole, whole->len);
}

static bool is_blank(const struct head *head)
{
	for (size_t i = 0; i < head->len; i++) {
		if (!is_blank_byte(head->text[i]))
			return false;
	}
	return true;
}

/* The first line that is not blank, and its number. */
static struct slice first_line(const struct head *head, unsigned *number)
{
	const char *p = head->text;
	struct slice line = {"", 0};
	for (*number = 1; head_line(&p, head->text + head->len, &line.s, &line.n) && !slice_trim(line).n; ++*number)
		;
	line = slice_trim(line);
	return line.n > 60 ? slice_head(line, 60) : line;
}

/* "a;b 1e400", "a;b -1": folded except for the count. */
static bool has_bad_count(struct slice line)
{
	size_t space = slice_find_last(line, ' ');
	uint64_t whole;
	uint32_t millionths;
	if (space != SIZE_MAX && number_count(line.s + space + 1, line.n - space - 1, &whole, &millionths))
		return false;
	return space != SIZE_MAX && slice_find_byte(slice_head(line, space), ';') != SIZE_MAX && space + 1 < line.n &&
	       strchr("+-.0123456789iInN", line.s[space + 1]);
}

/* "perf: an event line without ...; folded: fewer than nine ..." */
static void list_nearest(const struct head *head, struct buf *out)
{
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		const char *why = "";
		if (ask(*f, head, &why) != SNIFF_MAYBE)
			continue;
		buf_addf(out, "%s%s: %s", out->len ? "; " : "", (*f)->name, why);
	}
}

static void fail_unknown(const struct head *head, const char *file, struct err *err)
{
	unsigned number;
	struct slice line = first_line(head, &number);
	struct buf nearest;
	if (memchr(head->text, '\0', head->len)) {
		fail(err, "%s: binary data of a kind that is not known (expected a format of --format=help)", file);
		return;
	}
	if (has_bad_count(line)) {
		fail(err,
		     "%s:%u: bad count in '%.*s' (expected folded stacks, 'frame;frame;frame count', counts below 2^64)",
		     file, number, (int)line.n, line.s);
		return;
	}
	buf_init(&nearest);
	list_nearest(head, &nearest);
	fail(err,
	     "%s:%u: not a profile format that is known, it begins '%.*s' (%s%sexpected one of --format=help, or -f "
	     "NAME)",
	     file, number, (int)line.n, line.s, buf_str(&nearest), nearest.len ? "; " : "");
	buf_deinit(&nearest);
}

/* The head is whole, and no marks were complete: takes the first format that accepts it. */
static enum detection detect_whole(const struct head *head, const struct collapse_format **format, const char *file,
                                   struct err *err)
{
	const struct foreign *kind;
	const char *why;
	if (is_blank(head)) {
		fail(err,
		     head->is_all ? "%s: the input is empty (expected a profile)"
		                  : "%s: nothing but white space at the beginning (expected a profile)",
		     file);
		return DETECT_REFUSED;
	}
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		if (ask(*f, head, &why) == SNIFF_YES) {
			*format = *f;
			return DETECT_FOUND;
		}
	}
	kind = foreign_by_words(head);
	if (kind)
		fail_known(err, file, kind);
	else
		fail_unknown(head, file, err);
	return DETECT_REFUSED;
}

enum detection collapse_detect(const struct head *head, const struct collapse_format **format, const char *file,
                               struct err *err)
{
	struct answer first = first_marks(head);
	if (first.foreign) {
		fail_known(err, file, first.foreign);
		return DETECT_REFUSED;
	}
	if (!first.format)
		return head->is_growing ? DETECT_MORE : detect_whole(head, format, file, err);
	*format = first.format;
	return DETECT_FOUND;
}

bool collapse_reads_as_folded(const char *text, size_t len, bool is_all)
{
	struct head head = {text, len, is_all, false};
	const struct collapse_format *format;
	bool is_undecided;
	struct err err;
	if (codec_by_magic(text, len, &is_undecided) || (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0))
		return false;
	return collapse_detect(&head, &format, "", &err) == DETECT_FOUND && format == &format_folded;
}
