/*
 * utf16.h - UTF-16 text becomes UTF-8: what PowerShell's ">" and some tools of Windows write.
 */
#ifndef BASE_UTF16_H
#define BASE_UTF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed but for is_big it is at the beginning, before the byte order mark. */
struct utf16 {
	bool is_big;       /* big-endian */
	bool has_begun;    /* the byte order mark is passed */
	bool has_odd;      /* odd is the first byte of a unit */
	unsigned char odd; /* see has_odd */
	uint16_t high;     /* first half of a pair; 0: none */
	char waiting[8];   /* characters for which there was no room */
	size_t n_waiting;
};

/*
 * Takes bytes from *in, and writes at most `room` > 0 bytes. Returns how many it wrote. Halves of pairs that stand
 * alone become U+FFFD.
 */
size_t utf16_to_utf8(struct utf16 *, const unsigned char **in, size_t *n, char *out, size_t room);
/* After the last byte: did the text end within a character? */
bool utf16_is_cut(const struct utf16 *);

#endif
