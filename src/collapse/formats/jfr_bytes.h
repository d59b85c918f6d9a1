/*
 * jfr_bytes.h - reads the numbers and texts of a Flight Recorder chunk, never past the end of a record.
 *
 *	number  LEB128: 7 bits a byte, low ones first; the ninth byte has 8. A negative number is a huge one.
 *	text    0 null, 1 empty, 2 NUMBER in a table, or encoded:
 *	        3 LENGTH BYTES in UTF-8, 4 COUNT NUMBER... in UTF-16, 5 LENGTH BYTES in Latin-1
 *
 * A missing number reads as 0 and sets `is_bad` for good.
 */
#ifndef COLLAPSE_FORMATS_JFR_BYTES_H
#define COLLAPSE_FORMATS_JFR_BYTES_H

#include "base/utf8.h"
#include "collapse/text/lines.h"

struct jfr_bytes {
	const unsigned char *at, *end;
	bool is_bad; /* a read went past the end */
};

static inline void jfr_bad(struct jfr_bytes *b)
{
	b->is_bad = true;
	b->at = b->end;
}

static inline void jfr_skip(struct jfr_bytes *b, uint64_t n)
{
	if (n > (size_t)(b->end - b->at))
		jfr_bad(b);
	else
		b->at += n;
}

static inline uint64_t jfr_byte(struct jfr_bytes *b)
{
	if (b->at < b->end)
		return *b->at++;
	jfr_bad(b);
	return 0;
}

static inline uint64_t jfr_number(struct jfr_bytes *b)
{
	uint64_t v = 0;
	if (b->at < b->end && *b->at < 0x80)
		return *b->at++;
	for (unsigned shift = 0; b->at < b->end; shift += 7) {
		uint64_t byte = *b->at++;
		if (shift == 56)
			return v | byte << 56;
		v |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	jfr_bad(b);
	return 0;
}

enum jfr_text_kind { TEXT_NULL, TEXT_EMPTY, TEXT_POOLED, TEXT_UTF8, TEXT_UTF16, TEXT_LATIN1 };

struct jfr_text {
	enum jfr_text_kind kind;
	uint64_t id;        /* of TEXT_POOLED */
	struct slice bytes; /* as they are stored */
};

/* The encoded bytes of the text that begins here. */
static inline struct jfr_text jfr_text(struct jfr_bytes *b)
{
	struct jfr_text t = {(enum jfr_text_kind)jfr_byte(b), 0, {"", 0}};
	if (t.kind == TEXT_POOLED)
		t.id = jfr_number(b);
	if (t.kind < TEXT_UTF8)
		return t;
	uint64_t n = jfr_number(b);
	const unsigned char *from = b->at;
	if (t.kind == TEXT_UTF16)
		while (n-- && !b->is_bad)
			jfr_number(b);
	else if (t.kind <= TEXT_LATIN1)
		jfr_skip(b, n);
	else
		jfr_bad(b);
	if (!b->is_bad)
		t.bytes = (struct slice){(const char *)from, (size_t)(b->at - from)};
	return t;
}

/* The text in UTF-8: its own bytes, or in `scratch`, which is overwritten. */
struct slice jfr_utf8(struct jfr_text, struct buf *scratch);

#endif
