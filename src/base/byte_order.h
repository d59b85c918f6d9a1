/*
 * byte_order.h - numbers whose byte order is fixed, on machines of either order.
 *
 * Each function converts in both directions: from the named order to the machine's, and back.
 */
#ifndef BASE_BYTE_ORDER_H
#define BASE_BYTE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint64_t big64(uint64_t v)
{
	return MACHINE_IS_BIG ? v : __builtin_bswap64(v);
}

static inline uint64_t little64(uint64_t v)
{
	return MACHINE_IS_BIG ? __builtin_bswap64(v) : v;
}

static inline uint32_t little32(uint32_t v)
{
	return MACHINE_IS_BIG ? __builtin_bswap32(v) : v;
}

static inline uint16_t little16(uint16_t v)
{
	return MACHINE_IS_BIG ? __builtin_bswap16(v) : v;
}

#endif
