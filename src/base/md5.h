/*
 * md5.h - the MD5 checksum of bytes (RFC 1321), by which compilers tell versions of a source file apart.
 */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

#define MD5_BYTES 16u

void md5(const void *bytes, size_t n, uint8_t sum[MD5_BYTES]);

#endif
