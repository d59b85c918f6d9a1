/*
 * slice.h - slices of text: a pointer and a length, without a NUL.
 */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/find.h"
#include "base/hex.h"
#include "base/number.h"

/* Part of a text that it does not own. */
struct slice {
	const char *s;
	size_t n;
};

static inline bool is_blank_byte(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit_byte(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_hex_byte(char c)
{
	return is_digit_byte(c) || (unsigned char)((c | 32) - 'a') < 6;
}

static inline bool is_control_byte(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static inline bool has_control_byte(const char *s)
{
	while (*s && !is_control_byte(*s))
		s++;
	return *s;
}

/* Letters, digits and '_'. */
static inline bool is_word_byte(char c)
{
	char lower = (char)(c | 32);
	return is_digit_byte(c) || (lower >= 'a' && lower <= 'z') || c == '_';
}

static inline struct slice slice_of(const char *s)
{
	return (struct slice){s, strlen(s)};
}

static inline struct slice slice_from(struct slice t, size_t at)
{
	return (struct slice){t.s + at, t.n - at};
}

static inline struct slice slice_head(struct slice t, size_t n)
{
	return (struct slice){t.s, n};
}

static inline struct slice slice_ltrim(struct slice t)
{
	while (t.n && is_blank_byte(*t.s))
		t = slice_from(t, 1);
	return t;
}

static inline struct slice slice_rtrim(struct slice t)
{
	while (t.n && is_blank_byte(t.s[t.n - 1]))
		t.n--;
	return t;
}

static inline struct slice slice_trim(struct slice t)
{
	return slice_rtrim(slice_ltrim(t));
}

static inline bool slice_is(struct slice t, const char *what)
{
	return t.n == strlen(what) && !memcmp(t.s, what, t.n);
}

static inline bool slice_same(struct slice a, struct slice b)
{
	return a.n == b.n && (!a.n || !memcmp(a.s, b.s, a.n));
}

static inline bool slice_starts(struct slice t, const char *what)
{
	size_t n = strlen(what);
	return n <= t.n && !memcmp(t.s, what, n);
}

static inline bool slice_ends(struct slice t, const char *what)
{
	size_t n = strlen(what);
	return n <= t.n && !memcmp(t.s + t.n - n, what, n);
}

/* Offset of `what`, SIZE_MAX if there is none. */
static inline size_t slice_find(struct slice t, const char *what)
{
	const char *at = t.n ? find_bytes(t.s, t.n, what, strlen(what)) : NULL;
	return at ? (size_t)(at - t.s) : SIZE_MAX;
}

/* The same from the right. */
static inline size_t slice_rfind(struct slice t, const char *what)
{
	size_t n = strlen(what);
	for (size_t i = t.n; n && i >= n;) {
		const char *at = find_last(t.s, what[n - 1], i);
		if (!at || (size_t)(at - t.s) + 1 < n)
			break;
		i = (size_t)(at - t.s);
		if (!memcmp(at + 1 - n, what, n))
			return i + 1 - n;
	}
	return SIZE_MAX;
}

static inline bool slice_has(struct slice t, const char *what)
{
	return slice_find(t, what) != SIZE_MAX;
}

static inline size_t slice_find_byte(struct slice t, char c)
{
	const char *at = t.n ? memchr(t.s, c, t.n) : NULL;
	return at ? (size_t)(at - t.s) : SIZE_MAX;
}

static inline size_t slice_find_last(struct slice t, char c)
{
	const char *at = t.n ? find_last(t.s, c, t.n) : NULL;
	return at ? (size_t)(at - t.s) : SIZE_MAX;
}

/* Offset of the '(' that the ')' at the end closes; SIZE_MAX: there is none. */
static inline size_t slice_opening(struct slice t)
{
	long depth = 0;
	for (size_t i = t.n; slice_ends(t, ")") && i-- > 0;) {
		depth += (t.s[i] == ')') - (t.s[i] == '(');
		if (!depth)
			return i;
	}
	return SIZE_MAX;
}

/*
 * In "f(int) (in /opt/App (x86)/lib.so)": the blank before the last brackets, which may have others within.
 * SIZE_MAX: the text does not end in such brackets.
 */
static inline size_t slice_last_group(struct slice t)
{
	size_t open = slice_opening(t);
	if (open != SIZE_MAX && open && t.s[open - 1] == ' ')
		return open - 1;
	return slice_ends(t, ")") ? slice_rfind(t, " (") : SIZE_MAX; /* "(/opt/a)b.so)" */
}

/* The part before the first c; all of it if there is none. */
static inline struct slice slice_before(struct slice t, char c)
{
	size_t at = slice_find_byte(t, c);
	return at == SIZE_MAX ? t : slice_head(t, at);
}

/* Removes `what` from the start of t, if it is there. */
static inline bool slice_take(struct slice *t, const char *what)
{
	if (!slice_starts(*t, what))
		return false;
	*t = slice_from(*t, strlen(what));
	return true;
}

/* Removes the part before the first c, and c, and returns the part; all of it if there is no c. */
static inline struct slice slice_take_until(struct slice *t, char c)
{
	struct slice part = slice_before(*t, c);
	*t = slice_from(*t, part.n + (part.n < t->n));
	return part;
}

/* Removes leading blanks and the first word, and returns the word; empty at the end. */
static inline struct slice slice_take_word(struct slice *t)
{
	struct slice rest = slice_ltrim(*t);
	size_t n = 0;
	while (n < rest.n && !is_blank_byte(rest.s[n]))
		n++;
	*t = slice_from(rest, n);
	return slice_head(rest, n);
}

/* Removes leading digits and returns them; empty if there are none. */
static inline struct slice slice_take_digits(struct slice *t)
{
	size_t n = 0;
	while (n < t->n && is_digit_byte(t->s[n]))
		n++;
	struct slice digits = slice_head(*t, n);
	*t = slice_from(*t, n);
	return digits;
}

static inline bool slice_is_digits(struct slice t)
{
	slice_take_digits(&t);
	return t.n == 0;
}

static inline bool slice_u64(struct slice t, uint64_t *v)
{
	return number_u64(t.s, t.n, v);
}

/* The number of a process or thread; -1: it is none. */
static inline int64_t slice_id(struct slice digits)
{
	uint64_t n;
	return slice_u64(digits, &n) && n <= INT32_MAX ? (int64_t)n : -1;
}

/* One to 16 hex digits, nothing else. */
static inline bool slice_hex(struct slice t, uint64_t *v)
{
	const char *p = t.s, *end = p + t.n;
	return hex_take(&p, end, v) && p == end;
}

/* "0x" and at least one hex digit, nothing else. */
static inline bool slice_is_address(struct slice t)
{
	if (!slice_take(&t, "0x") || !t.n)
		return false;
	while (t.n && is_hex_byte(*t.s))
		t = slice_from(t, 1);
	return t.n == 0;
}

#endif
