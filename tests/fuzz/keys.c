/*
 * keys.c - takes any bytes from a terminal. The decoder must come to an end, with the same events however they are
 * cut.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tui/keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A hash of all events of data, read in pieces of `step` bytes. */
static uint64_t decode(const uint8_t *data, size_t size, size_t step)
{
	struct key_decoder decoder = {.n = 0};
	struct event event;
	uint64_t sum = 0;
	for (size_t at = 0; at < size; at += step) {
		const unsigned char *p = data + at, *end = data + (size - at < step ? size : at + step);
		while (key_decode(&decoder, &p, end, &event))
			sum = sum * 31 + (event.kind == EVENT_KEY ? event.key : (uint64_t)(event.row * 1000 + event.col) + 7);
	}
	while (key_flush(&decoder, &event))
		sum = sum * 31 + event.key;
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (decode(data, size, 1) != decode(data, size, size > 0 ? size : 1))
		abort();
	return 0;
}
