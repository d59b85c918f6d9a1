/*
 * wire.h - reads and writes the wire format of protocol buffers: a message is a sequence of fields, each with a
 * number and, where it varies, its length.
 */
#ifndef BASE_WIRE_H
#define BASE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/slice.h"

enum wire { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };

/* One field of a message. */
struct wire_field {
	uint32_t number;
	unsigned wire;
	uint64_t value;     /* of WIRE_VARINT and the fixed ones */
	struct slice bytes; /* of WIRE_BYTES */
};

#define WIRE_VARINT_MAX 10u /* bytes */

static inline bool wire_take_varint(struct slice *s, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; s->n && shift < 7 * WIRE_VARINT_MAX; shift += 7) {
		unsigned char c = (unsigned char)*s->s;
		*s = slice_from(*s, 1);
		*v |= shift < 64 ? (uint64_t)(c & 0x7f) << shift : 0;
		if (c < 0x80)
			return true;
	}
	return false;
}

static inline bool wire_take_fixed(struct slice *s, size_t n, uint64_t *v)
{
	if (s->n < n)
		return false;
	*v = 0;
	for (size_t i = 0; i < n; i++)
		*v |= (uint64_t)(unsigned char)s->s[i] << (8 * i);
	*s = slice_from(*s, n);
	return true;
}

/* Takes the next field of a message; false at its end, or with *is_bad set where there is no valid field. */
static inline bool wire_take_field(struct slice *s, struct wire_field *f, bool *is_bad)
{
	uint64_t key, n;
	if (!s->n)
		return false;
	*is_bad = true;
	if (!wire_take_varint(s, &key) || key >> 3 == 0 || key >> 3 > 0x1fffffff)
		return false;
	f->number = (uint32_t)(key >> 3);
	f->wire = key & 7;
	f->bytes = (struct slice){"", 0};
	if (f->wire == WIRE_VARINT)
		*is_bad = !wire_take_varint(s, &f->value);
	else if (f->wire == WIRE_FIXED64 || f->wire == WIRE_FIXED32)
		*is_bad = !wire_take_fixed(s, f->wire == WIRE_FIXED64 ? 8 : 4, &f->value);
	else if (f->wire == WIRE_BYTES && wire_take_varint(s, &n) && n <= s->n) {
		f->bytes = slice_head(*s, n);
		*s = slice_from(*s, n);
		*is_bad = false;
	}
	return !*is_bad;
}

/* Reads the number fields 1 to n of a message into v[1..n]; skips others. */
static inline bool wire_read_numbers(struct slice message, uint64_t *v, uint32_t n)
{
	struct wire_field f;
	bool is_bad = false;
	memset(v, 0, (n + 1) * sizeof *v);
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number <= n && f.wire == WIRE_VARINT)
			v[f.number] = f.value;
	}
	return !is_bad;
}

/*
 * The least size in bytes of the field that begins here, where wire_take_field() found none; 0: no further bytes
 * could make it a field.
 */
static inline uint64_t wire_field_size(struct slice s)
{
	struct slice rest = s;
	uint64_t key, n;
	if (!wire_take_varint(&rest, &key))
		return s.n < WIRE_VARINT_MAX ? s.n + 1 : 0;
	unsigned wire = key & 7;
	if (key >> 3 == 0 || key >> 3 > 0x1fffffff || wire == 3 || wire == 4 || wire > WIRE_FIXED32)
		return 0;
	if (wire == WIRE_FIXED64 || wire == WIRE_FIXED32)
		return s.n - rest.n + (wire == WIRE_FIXED64 ? 8 : 4);
	struct slice number = rest;
	if (!wire_take_varint(&rest, &n))
		return number.n < WIRE_VARINT_MAX ? s.n + 1 : 0;
	return wire == WIRE_BYTES && n <= INT64_MAX ? s.n - rest.n + n : 0;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static inline void wire_add_varint(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(out, (char)(v | 0x80));
	buf_addc(out, (char)v);
}

/* Appends what begins a field. */
static inline void wire_add_key(struct buf *out, unsigned field, enum wire wire)
{
	wire_add_varint(out, (uint64_t)field << 3 | wire);
}

static inline void wire_add_fixed64(struct buf *out, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		buf_addc(out, (char)(v >> (8 * i)));
}

/* Appends a field of a number; nothing for 0, the default. */
static inline void wire_add_number(struct buf *out, unsigned field, uint64_t v)
{
	if (!v)
		return;
	wire_add_key(out, field, WIRE_VARINT);
	wire_add_varint(out, v);
}

/* Appends a field of a double. */
static inline void wire_add_double(struct buf *out, unsigned field, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	wire_add_key(out, field, WIRE_FIXED64);
	wire_add_fixed64(out, bits);
}

/* Appends a field of text, bytes or a message. */
static inline void wire_add_bytes(struct buf *out, unsigned field, const char *bytes, size_t n)
{
	wire_add_key(out, field, WIRE_BYTES);
	wire_add_varint(out, n);
	buf_add(out, bytes, n);
}

/* A text; nothing for "", which is what a field that is not there has. */
static inline void wire_add_text(struct buf *out, unsigned field, const char *text)
{
	if (*text)
		wire_add_bytes(out, field, text, strlen(text));
}

#endif
