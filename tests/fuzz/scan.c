/*
 * scan.c - scans any bytes with vector instructions and without: the answers must always be equal. The first byte
 * is the one to search for, the second the distance of the text to compare with.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/scan.h"

/* The same code again, in plain C. */
#undef BASE_SCAN_H
#define FLAMETOP_PLAIN
#define scan_mask plain_mask
#define scan_mask64 plain_mask64
#define scan_mask_any plain_mask_any
#define scan_mask_hex plain_mask_hex
#define scan_difference plain_difference
#define scan_count plain_count
#define scan_to plain_to
#define scan_to64 plain_to64
#define scan_word plain_word
#define scan_zero_bytes plain_zero_bytes
#define scan_to_pair plain_to_pair
#define scan_common plain_common
#include "base/scan.h"
#undef scan_mask
#undef scan_mask64
#undef scan_mask_any
#undef scan_mask_hex
#undef scan_difference
#undef scan_count
#undef scan_to
#undef scan_to64
#undef scan_word
#undef scan_zero_bytes
#undef scan_to_pair
#undef scan_common

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAD 64       /* bytes that scanners may read past the end */
#define LONGEST 1024 /* from each byte, all that follow are scanned */

static void check(bool held)
{
	if (!held)
		abort();
}

/* text[0, n) followed by c, then padding. */
static void compare(const char *text, size_t n, char c, size_t distance)
{
	check(scan_count(text, n, c) == plain_count(text, n, c));
	for (size_t i = 0; i <= n; i++) {
		const char *p = text + i, *other = text + (i > distance ? i - distance : 0);
		check(scan_mask(p, c) == plain_mask(p, c));
		check(scan_mask64(p, c) == plain_mask64(p, c));
		check(scan_mask_any(p, c, ' ', '+', 'a', '|') == plain_mask_any(p, c, ' ', '+', 'a', '|'));
		check(scan_mask_hex(p) == plain_mask_hex(p));
		check(scan_to64(p, c) == plain_to64(p, c));
		check(scan_difference(p, other) == plain_difference(p, other));
		check(scan_to(p, c) == plain_to(p, c));
		check(scan_to_pair(p, text + n, c) == plain_to_pair(p, text + n, c));
		check(scan_common(p, other, n - i) == plain_common(p, other, n - i));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > LONGEST)
		return 0;
	size_t n = size - 2;
	char *text = mem_zalloc(n + 1 + PAD, 1), c = (char)data[0];
	memcpy(text, data + 2, n);
	text[n] = c;
	compare(text, n, c, data[1]);
	free(text);
	return 0;
}
