/*
 * scan.h - finding bytes in text, 32 at a time.
 *
 * Every scanner of the program goes through these few inline functions: SSE2 (part of every x86-64), NEON (part of
 * every little-endian 64-bit ARM), or plain C with equal results, which FLAMETOP_PLAIN selects everywhere. They may
 * read up to 31 bytes past their range, those of 64 bytes up to 63.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/byte_order.h"

#if defined __SSE2__ && !defined FLAMETOP_PLAIN
#include <emmintrin.h>

/* Bit i is set where p[i] == c, for 0 <= i < 32. */
static inline uint32_t scan_mask(const char *p, char c)
{
	__m128i want = _mm_set1_epi8(c);
	__m128i lo = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i hi = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lo, want)) |
	       (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(hi, want)) << 16;
}

/* The bytes that are one of five, as bits. */
static inline uint32_t scan_any_16(__m128i text, char a, char b, char c, char d, char e)
{
	__m128i ab = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(a)), _mm_cmpeq_epi8(text, _mm_set1_epi8(b)));
	__m128i cd = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(c)), _mm_cmpeq_epi8(text, _mm_set1_epi8(d)));

	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(ab, cd), _mm_cmpeq_epi8(text, _mm_set1_epi8(e))));
}

/* Bit i is set where p[i] is one of these bytes, for 0 <= i < 32. */
static inline uint32_t scan_mask_any(const char *p, char a, char b, char c, char d, char e)
{
	return scan_any_16(_mm_loadu_si128((const __m128i *)(const void *)p), a, b, c, d, e) |
	       scan_any_16(_mm_loadu_si128((const __m128i *)(const void *)(p + 16)), a, b, c, d, e) << 16;
}

/* Bit i is set where p[i] is a hexadecimal digit, for 0 <= i < 16. */
static inline uint32_t scan_mask_hex(const char *p)
{
	__m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
	__m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
	__m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
	__m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);

	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
}

/* Bit i is set where a[i] != b[i]. */
static inline uint32_t scan_difference(const char *a, const char *b)
{
	__m128i a_lo = _mm_loadu_si128((const __m128i *)(const void *)a);
	__m128i a_hi = _mm_loadu_si128((const __m128i *)(const void *)(a + 16));
	__m128i b_lo = _mm_loadu_si128((const __m128i *)(const void *)b);
	__m128i b_hi = _mm_loadu_si128((const __m128i *)(const void *)(b + 16));

	return ~((uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a_lo, b_lo)) |
	         (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a_hi, b_hi)) << 16);
}

/* How often c occurs in text[0..n). */
static inline size_t scan_count(const char *text, size_t n, char c)
{
	__m128i want = _mm_set1_epi8(c), zero = _mm_setzero_si128(), sums = zero;
	size_t i = 0, count = 0;
	uint64_t lanes[2];

	while (n - i >= 32) {
		size_t rounds = (n - i) / 32 < 255 ? (n - i) / 32 : 255;
		__m128i lo = zero, hi = zero;

		for (; rounds; rounds--, i += 32) {
			lo = _mm_sub_epi8(lo, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(text + i)), want));
			hi = _mm_sub_epi8(
				hi, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(text + i + 16)), want));
		}
		sums = _mm_add_epi64(sums, _mm_add_epi64(_mm_sad_epu8(lo, zero), _mm_sad_epu8(hi, zero)));
	}
	_mm_storeu_si128((__m128i *)(void *)lanes, sums);
	for (count = (size_t)(lanes[0] + lanes[1]); i < n; i++)
		count += text[i] == c;
	return count;
}

#elif defined __ARM_NEON && defined __AARCH64EL__ && !defined FLAMETOP_PLAIN
#include <arm_neon.h>

static inline uint8x16_t scan_load(const char *p)
{
	return vld1q_u8((const uint8_t *)(const void *)p);
}

static inline uint8x16_t scan_equal(uint8x16_t text, char c)
{
	return vceqq_u8(text, vdupq_n_u8((uint8_t)c));
}

/* Bit i is set where byte i is; bytes are 0 or 255. */
static inline uint32_t scan_bits(uint8x16_t lo, uint8x16_t hi)
{
	const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
	uint8x16_t sums = vpaddq_u8(vandq_u8(lo, bits), vandq_u8(hi, bits));

	sums = vpaddq_u8(sums, sums);
	return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(sums, sums)), 0);
}

static inline uint32_t scan_mask(const char *p, char c)
{
	return scan_bits(scan_equal(scan_load(p), c), scan_equal(scan_load(p + 16), c));
}

static inline uint8x16_t scan_any_16(uint8x16_t text, char a, char b, char c, char d, char e)
{
	uint8x16_t ab = vorrq_u8(scan_equal(text, a), scan_equal(text, b));
	uint8x16_t cd = vorrq_u8(scan_equal(text, c), scan_equal(text, d));

	return vorrq_u8(vorrq_u8(ab, cd), scan_equal(text, e));
}

static inline uint32_t scan_mask_any(const char *p, char a, char b, char c, char d, char e)
{
	return scan_bits(scan_any_16(scan_load(p), a, b, c, d, e), scan_any_16(scan_load(p + 16), a, b, c, d, e));
}

static inline uint32_t scan_mask_hex(const char *p)
{
	uint8x16_t text = scan_load(p);
	uint8x16_t digit = vsubq_u8(text, vdupq_n_u8('0'));
	uint8x16_t letter = vsubq_u8(vorrq_u8(text, vdupq_n_u8(0x20)), vdupq_n_u8('a'));

	return scan_bits(vorrq_u8(vcleq_u8(digit, vdupq_n_u8(9)), vcleq_u8(letter, vdupq_n_u8(5))), vdupq_n_u8(0));
}

static inline uint32_t scan_difference(const char *a, const char *b)
{
	return ~scan_bits(vceqq_u8(scan_load(a), scan_load(b)), vceqq_u8(scan_load(a + 16), scan_load(b + 16)));
}

static inline size_t scan_count(const char *text, size_t n, char c)
{
	size_t i = 0, count = 0;

	while (n - i >= 16) {
		size_t rounds = (n - i) / 16 < 255 ? (n - i) / 16 : 255;
		uint8x16_t sums = vdupq_n_u8(0);

		for (; rounds; rounds--, i += 16)
			sums = vsubq_u8(sums, scan_equal(scan_load(text + i), c));
		count += vaddlvq_u8(sums);
	}
	for (; i < n; i++)
		count += text[i] == c;
	return count;
}

#else

static inline size_t scan_count(const char *text, size_t n, char c)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += text[i] == c;
	return count;
}

#define SCAN_ALL(byte) ((unsigned char)(byte)*UINT64_C(0x0101010101010101))

static inline uint64_t scan_word(const char *p)
{
	uint64_t x;
	memcpy(&x, p, sizeof x);
	return little64(x);
}

/* The top bit of each byte that is zero: the sum has it where another bit is set, and no carry leaves a byte. */
static inline uint64_t scan_zeros(uint64_t x)
{
	return ~(((x & SCAN_ALL(0x7f)) + SCAN_ALL(0x7f)) | x | SCAN_ALL(0x7f));
}

/* The top bit of each byte that is within these, which are below 128: no difference borrows from its neighbour. */
static inline uint64_t scan_range(uint64_t x, char first, char last)
{
	uint64_t top = SCAN_ALL(0x80), low = x & ~top;
	return ((low | top) - SCAN_ALL(first)) & ((SCAN_ALL(last) | top) - low) & ~x & top;
}

/* Bit i is the top bit of byte i: the product brings bit 8i to bit 56 + i. */
static inline uint32_t scan_fold(uint64_t tops)
{
	return (uint32_t)((tops >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

static inline uint32_t scan_mask(const char *p, char c)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < 4; i++)
		mask |= scan_fold(scan_zeros(scan_word(p + 8 * i) ^ SCAN_ALL(c))) << (8 * i);
	return mask;
}

static inline uint32_t scan_mask_any(const char *p, char a, char b, char c, char d, char e)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < 4; i++) {
		uint64_t x = scan_word(p + 8 * i);
		mask |= scan_fold(scan_zeros(x ^ SCAN_ALL(a)) | scan_zeros(x ^ SCAN_ALL(b)) | scan_zeros(x ^ SCAN_ALL(c)) |
		                  scan_zeros(x ^ SCAN_ALL(d)) | scan_zeros(x ^ SCAN_ALL(e)))
		        << (8 * i);
	}
	return mask;
}

static inline uint32_t scan_mask_hex(const char *p)
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t x = scan_word(p + 8 * i);
		mask |= scan_fold(scan_range(x, '0', '9') | scan_range(x | SCAN_ALL(0x20), 'a', 'f')) << (8 * i);
	}
	return mask;
}

static inline uint32_t scan_difference(const char *a, const char *b)
{
	uint32_t same = 0;
	for (unsigned i = 0; i < 4; i++)
		same |= scan_fold(scan_zeros(scan_word(a + 8 * i) ^ scan_word(b + 8 * i))) << (8 * i);
	return ~same;
}

#endif

/* The same for 64 bytes. Texts of varying length mostly need one round, which a processor's guesses get right. */
static inline uint64_t scan_mask64(const char *p, char c)
{
	return scan_mask(p, c) | (uint64_t)scan_mask(p + 32, c) << 32;
}

/* The first c at or after p. The caller guarantees one, and 63 readable bytes after it. */
static inline const char *scan_to64(const char *p, char c)
{
	for (;; p += 64) {
		uint64_t mask = scan_mask64(p, c);
		if (mask)
			return p + __builtin_ctzll(mask);
	}
}

/* The first c at or after p. The caller guarantees one, and 31 readable bytes after it. */
static inline const char *scan_to(const char *p, char c)
{
	for (;; p += 32) {
		uint32_t mask = scan_mask(p, c);
		if (mask)
			return p + __builtin_ctz(mask);
	}
}

/* The first place in [p, end) where c stands twice; NULL: none. 32 bytes after end must be readable. */
static inline const char *scan_to_pair(const char *p, const char *end, char c)
{
	for (; p < end; p += 32) {
		uint32_t mask = scan_mask(p, c) & scan_mask(p + 1, c);
		if (mask) {
			p += __builtin_ctz(mask);
			return p + 1 < end ? p : NULL;
		}
	}
	return NULL;
}

/* Length of the common prefix of a and b, at most n; 31 bytes past n must be readable in both. */
static inline size_t scan_common(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i += 32) {
		uint32_t mask = scan_difference(a + i, b + i);
		if (mask) {
			i += (size_t)__builtin_ctz(mask);
			return i < n ? i : n;
		}
	}
	return n;
}

#endif
