/*
 * jfr_bytes.c - texts of a Flight Recorder chunk in UTF-8. Most have ASCII only, which all encodings write alike.
 */
#include "collapse/formats/jfr_bytes.h"

struct slice jfr_utf8(struct jfr_text t, struct buf *scratch)
{
	bool is_ascii = true;
	for (size_t i = 0; i < t.bytes.n && is_ascii; i++)
		is_ascii = (unsigned char)t.bytes.s[i] < 0x80;
	if (t.kind < TEXT_UTF16 || is_ascii)
		return t.bytes;
	struct jfr_bytes b = {(const unsigned char *)t.bytes.s, (const unsigned char *)t.bytes.s + t.bytes.n, false};
	uint32_t high = 0;
	scratch->len = 0;
	while (b.at < b.end) {
		uint32_t c = (uint32_t)(t.kind == TEXT_LATIN1 ? jfr_byte(&b) : jfr_number(&b) & 0xffff);
		if (high && (c & 0xfc00) == 0xdc00)
			utf8_add(scratch, 0x10000 + ((high & 0x3ff) << 10 | (c & 0x3ff)));
		else if ((c & 0xf800) != 0xd800)
			utf8_add(scratch, c);
		high = (c & 0xfc00) == 0xd800 ? c : 0;
	}
	return (struct slice){scratch->len ? scratch->data : "", scratch->len};
}
