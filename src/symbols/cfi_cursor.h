/*
 * cfi_cursor.h - reads values from call frame information in sequence, never past its end.
 */
#ifndef SYMBOLS_CFI_CURSOR_H
#define SYMBOLS_CFI_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* After is_bad all values are 0. */
struct cfi_cursor {
	const unsigned char *p, *end;
	bool is_bad;
};

static inline size_t cfi_left(const struct cfi_cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* n is 1 to 8; little-endian. */
static inline uint64_t cfi_fixed(struct cfi_cursor *c, size_t n)
{
	uint64_t v = 0;
	if (c->is_bad || cfi_left(c) < n) {
		c->is_bad = true;
		return 0;
	}
	for (size_t i = n; i; i--)
		v = v << 8 | c->p[i - 1];
	c->p += n;
	return v;
}

static inline int64_t cfi_signed(struct cfi_cursor *c, size_t n)
{
	uint64_t v = cfi_fixed(c, n);
	unsigned unused = (unsigned)(64 - 8 * n) & 63;
	return (int64_t)(v << unused) >> unused;
}

/* Seven bits a byte; those beyond 64 are dropped. */
static inline uint64_t cfi_leb(struct cfi_cursor *c, bool is_signed)
{
	uint64_t v = 0, byte = 0x80;
	unsigned shift = 0;
	while (byte & 0x80) {
		byte = cfi_fixed(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	}
	if (is_signed && (byte & 0x40) && shift < 64)
		v |= UINT64_MAX << shift;
	return v;
}

static inline uint64_t cfi_uleb(struct cfi_cursor *c)
{
	return cfi_leb(c, false);
}

static inline int64_t cfi_sleb(struct cfi_cursor *c)
{
	return (int64_t)cfi_leb(c, true);
}

static inline void cfi_skip(struct cfi_cursor *c, uint64_t n)
{
	if (c->is_bad || n > cfi_left(c))
		c->is_bad = true;
	else
		c->p += n;
}

#endif
