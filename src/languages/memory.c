/*
 * memory.c - reads the memory of a process by process_vm_readv(2), which neither stops nor changes it.
 */
#include "languages/memory.h"

#define RANGES_AT_ONCE 256u
#define PIECE 64u /* bytes of a string that are read at once; a power of two */

#ifdef __linux__
#include <sys/uio.h>

bool memory_of_process(void *arg, uint64_t address, void *into, size_t n)
{
	struct iovec here = {into, n}, there = {(void *)(uintptr_t)address, n};
	return process_vm_readv(*(const pid_t *)arg, &here, 1, &there, 1, 0) == (ssize_t)n;
}

static size_t read_some(pid_t pid, const struct memory_range *ranges, size_t n, void *into, size_t *wanted)
{
	struct iovec here = {into, 0}, there[RANGES_AT_ONCE];
	for (size_t i = 0; i < n; i++) {
		there[i] = (struct iovec){(void *)(uintptr_t)ranges[i].address, ranges[i].n};
		here.iov_len += ranges[i].n;
	}
	*wanted = here.iov_len;
	ssize_t got = process_vm_readv(pid, &here, 1, there, n, 0);
	return got > 0 ? (size_t)got : 0;
}

size_t memory_all_of_process(void *arg, const struct memory_range *ranges, size_t n, void *into)
{
	size_t at = 0, got = 0, wanted = 0;
	for (size_t i = 0; i < n && got == wanted; i += RANGES_AT_ONCE) {
		size_t some = n - i < RANGES_AT_ONCE ? n - i : RANGES_AT_ONCE;
		got = read_some(*(const pid_t *)arg, ranges + i, some, (char *)into + at, &wanted);
		at += got;
	}
	return at;
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

size_t memory_all_of_process(void *arg, const struct memory_range *ranges, size_t n, void *into)
{
	(void)arg;
	(void)ranges;
	(void)n;
	(void)into;
	return 0;
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
