/*
 * base64.c - writes and reads bytes in base64.
 */
#include "base/base64.h"

#include <stdint.h>

void base64_add(struct buf *out, const char *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *s = (const unsigned char *)bytes;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)s[i] << 16 | (i + 1 < n ? (uint32_t)s[i + 1] << 8 : 0) | (i + 2 < n ? s[i + 2] : 0u);
		buf_addc(out, digits[v >> 18]);
		buf_addc(out, digits[v >> 12 & 63]);
		buf_addc(out, i + 1 < n ? digits[v >> 6 & 63] : '=');
		buf_addc(out, i + 2 < n ? digits[v & 63] : '=');
	}
}

static int digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

bool base64_read(struct buf *out, const char *s, size_t n)
{
	uint32_t bits = 0;
	unsigned n_bits = 0;
	while (n > 0 && s[n - 1] == '=')
		n--;
	for (size_t i = 0; i < n; i++) {
		int v = digit(s[i]);
		if (v < 0)
			return false;
		bits = bits << 6 | (uint32_t)v;
		n_bits += 6;
		if (n_bits < 8)
			continue;
		n_bits -= 8;
		buf_addc(out, (char)(bits >> n_bits));
	}
	return true;
}
