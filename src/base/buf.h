/*
 * buf.h - a growable byte buffer, for building text.
 *
 * `data` is owned by the buffer and moves when it grows. It is not NUL-terminated unless buf_str() was called.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *data;
	size_t len, cap;
};

void buf_init(struct buf *);
void buf_deinit(struct buf *);

char *buf_grow(struct buf *, size_t n); /* the slow path of buf_reserve(): no room yet */

/* Makes room for n more bytes and returns a pointer to it; the caller advances len. */
static inline char *buf_reserve(struct buf *b, size_t n)
{
	return n < b->cap - b->len ? b->data + b->len : buf_grow(b, n);
}

static inline void buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	memcpy(buf_reserve(b, n), bytes, n);
	b->len += n;
}

static inline void buf_addc(struct buf *b, char c)
{
	*buf_reserve(b, 1) = c;
	b->len++;
}

void buf_adds(struct buf *, const char *s);
void buf_pad(struct buf *, char c, size_t n); /* c, n times */
void buf_addu(struct buf *, uint64_t v);      /* decimal; does not call printf */
void buf_addf(struct buf *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* NUL-terminated view; valid until the next change. */
const char *buf_str(struct buf *);
/* Hands the NUL-terminated text to the caller (free() it) and leaves the buffer empty. */
char *buf_take(struct buf *);

#endif
