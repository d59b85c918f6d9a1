/*
 * memory.c - reads the memory of a process by process_vm_readv(2), which neither stops nor changes it.
 */
#include "languages/memory.h"

#define PIECE 64u /* bytes of a string that are read at once; a power of two */

#ifdef __linux__
#include <sys/uio.h>

bool memory_of_process(void *arg, uint64_t address, void *into, size_t n)
{
	struct iovec here = {into, n}, there = {(void *)(uintptr_t)address, n};
	return process_vm_readv(*(const pid_t *)arg, &here, 1, &there, 1, 0) == (ssize_t)n;
}

#else

bool memory_of_process(void *arg, uint64_t address, void *into, size_t n)
{
	(void)arg;
	(void)address;
	(void)into;
	(void)n;
	return false;
}

#endif

bool memory_string(struct memory *m, uint64_t address, char *text, size_t size)
{
	size_t at = 0;
	while (address && at + 1 < size) {
		size_t n = PIECE - (address + at) % PIECE; /* a piece never reaches into another page */
		n = n < size - 1 - at ? n : size - 1 - at;
		if (!memory_read(m, address + at, text + at, n))
			return false;
		if (memchr(text + at, '\0', n))
			return true;
		at += n;
	}
	text[at] = '\0';
	return at;
}
