/*
 * bytes.h - reads numbers and texts from a run of bytes, never past its end, in the byte order of the recording.
 *
 * A reader takes all fields of a record in sequence and checks once, at the end, whether they were there: a missing
 * field reads as 0 and sets `is_bad` for good.
 */
#ifndef PERFDATA_BYTES_H
#define PERFDATA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/byte_order.h"

struct perfdata_bytes {
	const unsigned char *at;
	size_t n;        /* bytes from `at` on */
	bool is_swapped; /* the byte order is not this machine's */
	bool is_bad;     /* a read went past the end */
};

/* Takes the next n bytes, which stay where they are; NULL if there are fewer, and then nothing is left. */
static inline const unsigned char *bytes_take(struct perfdata_bytes *b, uint64_t n)
{
	if (n > b->n) {
		b->is_bad = true;
		b->n = 0;
		return NULL;
	}
	const unsigned char *taken = b->at;
	b->at += n;
	b->n -= (size_t)n;
	return taken;
}

static inline void bytes_skip(struct perfdata_bytes *b, uint64_t n)
{
	(void)bytes_take(b, n);
}

static inline uint64_t bytes_u64(struct perfdata_bytes *b)
{
	uint64_t v = 0;
	const unsigned char *at = bytes_take(b, sizeof v);
	if (at)
		memcpy(&v, at, sizeof v);
	return b->is_swapped ? __builtin_bswap64(v) : v;
}

static inline uint32_t bytes_u32(struct perfdata_bytes *b)
{
	uint32_t v = 0;
	const unsigned char *at = bytes_take(b, sizeof v);
	if (at)
		memcpy(&v, at, sizeof v);
	return b->is_swapped ? __builtin_bswap32(v) : v;
}

static inline int32_t bytes_s32(struct perfdata_bytes *b)
{
	return (int32_t)bytes_u32(b);
}

static inline uint16_t bytes_u16(struct perfdata_bytes *b)
{
	uint16_t v = 0;
	const unsigned char *at = bytes_take(b, sizeof v);
	if (at)
		memcpy(&v, at, sizeof v);
	return b->is_swapped ? __builtin_bswap16(v) : v;
}

/* Reads a number at an offset from the beginning; 0 if it is not there. */
static inline uint64_t bytes_u64_at(struct perfdata_bytes b, uint64_t place)
{
	bytes_skip(&b, place);
	return bytes_u64(&b);
}

/* A text up to its NUL or the end of the bytes; *len is its length. */
static inline const char *bytes_text(const struct perfdata_bytes *b, size_t *len)
{
	*len = b->n ? strnlen((const char *)b->at, b->n) : 0;
	return b->n ? (const char *)b->at : "";
}

/* Does the recording come from a big-endian machine? Bit fields there begin at the highest bit. */
static inline bool bytes_is_big(const struct perfdata_bytes *b)
{
	return b->is_swapped != MACHINE_IS_BIG;
}

/* A bit field of 64 bits, its first field at bit 0. */
static inline uint64_t bytes_bits(struct perfdata_bytes *b)
{
	uint64_t v = bytes_u64(b), reversed = 0;
	for (unsigned i = 0; bytes_is_big(b) && i < 64; i++)
		reversed |= (v >> i & 1) << (63 - i);
	return bytes_is_big(b) ? reversed : v;
}

/* Converts n numbers at a suitably aligned address from the recording's byte order to this machine's. */
static inline void bytes_swap_all(uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = __builtin_bswap64(v[i]);
}

#endif
