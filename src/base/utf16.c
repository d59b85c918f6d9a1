/*
 * utf16.c - UTF-16 text becomes UTF-8.
 */
#include "base/utf16.h"

#include <string.h>

#include "base/utf8.h"

#define MARK 0xFEFFu
#define REPLACEMENT 0xFFFDu
#define IS_HIGH(unit) ((unit) >= 0xD800 && (unit) < 0xDC00)
#define IS_LOW(unit) ((unit) >= 0xDC00 && (unit) < 0xE000)

static void wait_for_room(struct utf16 *u, uint32_t character)
{
	u->n_waiting += utf8_encode(u->waiting + u->n_waiting, character);
}

/* Adds at most two characters. */
static void take_unit(struct utf16 *u, uint16_t unit)
{
	uint16_t high = u->high;
	u->high = 0;
	if (!u->has_begun) {
		u->has_begun = true;
		if (unit == MARK)
			return;
	}
	if (high && IS_LOW(unit)) {
		wait_for_room(u, 0x10000 + ((uint32_t)(high - 0xD800) << 10) + (unit - 0xDC00u));
		return;
	}
	if (high)
		wait_for_room(u, REPLACEMENT);
	if (IS_HIGH(unit))
		u->high = unit;
	else
		wait_for_room(u, IS_LOW(unit) ? REPLACEMENT : unit);
}

static void take_byte(struct utf16 *u, unsigned char byte)
{
	if (!u->has_odd) {
		u->odd = byte;
		u->has_odd = true;
		return;
	}
	u->has_odd = false;
	take_unit(u, (uint16_t)(u->is_big ? u->odd << 8 | byte : byte << 8 | u->odd));
}

size_t utf16_to_utf8(struct utf16 *u, const unsigned char **in, size_t *n, char *out, size_t room)
{
	size_t made = 0;
	while (made < room) {
		size_t part = u->n_waiting < room - made ? u->n_waiting : room - made;
		memcpy(out + made, u->waiting, part);
		memmove(u->waiting, u->waiting + part, u->n_waiting - part);
		u->n_waiting -= part;
		made += part;
		if (u->n_waiting || !*n)
			break;
		take_byte(u, *(*in)++);
		--*n;
	}
	return made;
}

bool utf16_is_cut(const struct utf16 *u)
{
	return u->has_odd || u->high;
}
