/*
 * folded_marks.c - recognises folded stacks.
 *
 * Many texts have lines that end in a number: tables, metrics, logs. Folded stacks have frames between ';', or a
 * single name and a count in every line, where the names do not look like counters, or a first line that announces
 * them.
 */
#include "collapse/formats/folded_marks.h"

#include <string.h>

#include "base/escape.h"
#include "collapse/formats/folded_count.h"
#include "collapse/text/lines.h"

/* Is the announcement the first line, up to trailing blanks? */
static bool is_announced(const char *text, size_t len, const char *announcement)
{
	size_t n = strlen(announcement);
	if (len < n || memcmp(text, announcement, n) != 0)
		return false;
	while (n < len && is_blank_byte(text[n]) && text[n] != '\n')
		n++;
	return n == len || text[n] == '\n';
}

bool folded_is_escaped(const char *text, size_t len)
{
	return is_announced(text, len, FOLDED_ESCAPED);
}

/* Does it begin with one of the lines by which folded stacks say that they are (base/escape.h)? */
static bool announces_folded(const char *text, size_t len)
{
	return is_announced(text, len, FOLDED_ANNOUNCED) || folded_is_escaped(text, len);
}

enum { SNIFFED = 200, SURE = 8 };

/* Statistics of the first lines. */
struct folded_lines {
	size_t n, good;      /* good: with a count */
	size_t split, named; /* split: frames between ';'; named: one frame, which looks like a name */
	size_t words;        /* named, with a blank in the name */
	size_t snakes;       /* named, like queue_length */
	size_t zeros;        /* of these, those that only count 0 */
	size_t metrics;      /* of these, those named like metrics */
	unsigned kinds;      /* of metrics: one bit for each unit */
};

/* "a;b"; not "int i; i = 0", "Mozilla/5.0 (X11; Linux)". */
static bool has_frames(struct slice stack)
{
	for (size_t at; (at = slice_find_byte(stack, ';')) != SIZE_MAX;) {
		stack = slice_from(stack, at + 1);
		if (stack.n && !is_blank_byte(*stack.s))
			return true;
	}
	return false;
}

/* "queue_length" */
static bool is_snake(struct slice name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];
		if (c != '_' && c != ':' && !is_digit_byte(c) && !(c >= 'a' && c <= 'z'))
			return false;
	}
	return slice_find_byte(name, '_') != SIZE_MAX;
}

/* Counters and metrics are in snake case; many are 0, and metrics end in their units. */
static void look_at_name(struct folded_lines *lines, struct slice name, bool is_zero)
{
	static const char *const units[] = {"_total", "_seconds", "_bytes", "_sum",
	                                    "_count", "_bucket",  "_ratio", "_info"};
	if (!is_snake(name))
		return;
	lines->snakes++;
	lines->zeros += is_zero;
	for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
		if (slice_ends(name, units[i])) {
			lines->metrics++;
			lines->kinds |= 1u << i;
		}
	}
}

/* Does it list counters or metrics, not functions? One sign alone may be chance. */
static bool is_counted(const struct folded_lines *l)
{
	bool has_zeros = l->zeros > 1 && l->zeros * 10 >= l->n && l->snakes * 4 >= l->n * 3;
	return !l->split && (has_zeros || (l->kinds & (l->kinds - 1) && l->metrics * 2 >= l->n));
}

/* Cuts a count off. "0300" is not one, and a count must have text before it. */
static bool cut_likely_count(struct slice *line)
{
	size_t n = line->n, start;
	uint64_t whole;
	uint32_t millionths;
	if (!folded_cut_count(line->s, &n, &whole, &millionths) || !n)
		return false;
	start = slice_find_last(*line, ' ') + 1;
	if (line->s[start] == '0' && start + 1 < line->n && is_digit_byte(line->s[start + 1]))
		return false;
	line->n = n;
	return true;
}

/* Other texts: "key:", "key =", "a, b;", "up{job=\"x\"}", a row of numbers or of columns. */
static bool is_other_text(struct slice name)
{
	return !name.n || (is_digit_byte(*name.s) && !slice_starts(name, "0x")) || *name.s == '"' ||
	       strchr("#:,;", name.s[name.n - 1]) || slice_ends(name, " =") || slice_ends(name, " |") ||
	       slice_has(name, "=\"") || slice_has(name, "\t");
}

/* Counts the blanks outside brackets. false: one follows a punctuation mark, as in "a, b" and "a; b". */
static bool count_blanks(struct slice name, size_t *blanks)
{
	size_t depth = 0;
	*blanks = 0;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];
		if (strchr("([<{", c))
			depth++;
		else if (depth && strchr(")]>}", c))
			depth--;
		if (c != ' ' || depth)
			continue;
		++*blanks;
		if (i && strchr(":,;", name.s[i - 1]))
			return false;
	}
	return true;
}

/*
 * May it be the only frame of a stack? "main", "[unknown]", "f(int, char) const" may; a sentence or a row of
 * numbers may not.
 * *has_blank: outside brackets.
 */
static bool is_single_frame(struct slice name, bool *has_blank)
{
	struct slice rest = name;
	size_t blanks;
	if (is_other_text(name) || !count_blanks(name, &blanks))
		return false;
	*has_blank = blanks && slice_find_byte(name, '(') == SIZE_MAX && !slice_has(name, "::");
	return !cut_likely_count(&rest) && (!*has_blank || blanks == 1);
}

static void look_at_line(struct folded_lines *lines, struct slice line)
{
	struct slice stack, before;
	bool has_blank, is_close;
	line = stack = slice_trim(line);
	if (!line.n || *line.s == '#')
		return;
	lines->n++;
	if (has_zero_byte(line) || !cut_likely_count(&stack))
		return;
	lines->good++;
	if (has_frames(stack)) {
		lines->split++;
		return;
	}
	is_close = line.s[stack.n] == ' ' && !is_blank_byte(line.s[stack.n + 1]); /* table columns are wider apart */
	before = stack;
	if (cut_likely_count(&before))
		stack = before;
	if (is_close && is_single_frame(stack, &has_blank)) {
		lines->named++;
		lines->words += has_blank;
		look_at_name(lines, stack, slice_is(slice_ltrim(slice_from(line, stack.n)), "0"));
	}
}

/* A tenth of the lines have several frames, and few lines are no stacks. */
static bool is_split(const struct folded_lines *l)
{
	size_t bad = l->n - l->good;
	return l->split && l->split * 10 >= l->n && bad < l->n && (bad < 2 || bad * 4 <= l->n);
}

/* All lines are stacks, most with one frame, and few of these have a blank in their name. */
static bool is_named(const struct folded_lines *l)
{
	return l->split + l->named == l->n && l->words * 4 <= l->n && !is_counted(l);
}

/*
 * All other formats were asked first. Many files have numbers at the ends of lines, so the lines must have several
 * frames, or else each must be a name and a count. Before more has come, a few lines with several frames are
 * enough.
 */
enum sniff folded_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = p + head->len;
	struct folded_lines lines = {0};
	struct slice line;
	if (announces_folded(head->text, head->len))
		return SNIFF_YES;
	while (lines.n < SNIFFED && head_line(&p, end, &line.s, &line.n)) {
		look_at_line(&lines, line);
		if (lines.split >= SURE && is_split(&lines))
			return SNIFF_YES;
	}
	if (!head->is_growing && lines.good && (is_split(&lines) || is_named(&lines)))
		return SNIFF_YES;
	*why = !lines.n             ? "no line"
	       : is_counted(&lines) ? "names and numbers without a ';', but they look like metrics or counters"
	       : lines.good * 4 < lines.n * 3
	           ? "fewer than three in four lines end in a blank and a count"
	           : "lines end in numbers, but what stands before is neither 'frame;frame' nor a single name";
	return lines.good ? SNIFF_MAYBE : SNIFF_NO;
}
