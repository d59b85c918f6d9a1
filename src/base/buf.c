/*
 * buf.c - a growable byte buffer, for building text.
 */
#include "base/buf.h"

#include <stdio.h>

#include "base/mem.h"

void buf_init(struct buf *b)
{
	*b = (struct buf){0};
}

void buf_deinit(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

char *buf_grow(struct buf *b, size_t n)
{
	size_t need;
	if (n > b->cap - b->len || !b->data) {
		/* One spare byte, so that a buf_str() at the end seldom reallocates. */
		if (__builtin_add_overflow(b->len, n, &need) || __builtin_add_overflow(need, 1, &need))
			mem_exhausted();
		b->data = mem_grow(b->data, &b->cap, need, 1);
	}
	return b->data + b->len;
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_pad(struct buf *b, char c, size_t n)
{
	if (n == 0)
		return;
	memset(buf_reserve(b, n), c, n);
	b->len += n;
}

void buf_addu(struct buf *b, uint64_t v)
{
	char digits[20];
	size_t at = sizeof digits;
	do {
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	buf_add(b, digits + at, sizeof digits - at);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	char *at = buf_reserve(b, 64);
	int n = vsnprintf(at, b->cap - b->len, fmt, ap);
	if (n > 0 && (size_t)n >= b->cap - b->len) {
		at = buf_reserve(b, (size_t)n + 1);
		n = vsnprintf(at, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->len += (size_t)n;
}

const char *buf_str(struct buf *b)
{
	*buf_reserve(b, 1) = '\0';
	return b->data;
}

char *buf_take(struct buf *b)
{
	buf_str(b);
	char *text = b->data;
	buf_init(b);
	return text;
}
