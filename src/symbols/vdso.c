/*
 * vdso.c - the code that the kernel maps into each process, as an ELF file.
 *
 * It is in no file system, but under one kernel it is the same in every process of a word size. /proc/self/maps
 * gives its length:
 *
 *	7ffd5b1f2000-7ffd5b1f4000 r-xp 00000000 00:00 0    [vdso]
 */
#include "symbols/vdso.h"

#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/mem.h"

#define VDSO_MAX ((uint64_t)1 << 20)

/* "START-END ..."; false: it is another line. */
static bool take_range(const char *line, uint64_t *start, uint64_t *end)
{
	const char *p = line, *stop = line + strlen(line);
	return strstr(line, "[vdso]") && hex_take(&p, stop, start) && *p++ == '-' && hex_take(&p, stop, end);
}

bool vdso_open(struct elf_file *elf)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	uint64_t start = 0, end = 0;
	bool is_found = false;
	while (maps && !is_found && fgets(line, sizeof line, maps))
		is_found = take_range(line, &start, &end);
	if (maps)
		fclose(maps);
	if (!is_found || start >= end || end - start > VDSO_MAX)
		return false;
	size_t n = (size_t)(end - start);
	unsigned char *bytes = mem_alloc(n);
	memcpy(bytes, (const void *)(uintptr_t)start, n);
	return elf_file_open_bytes(elf, bytes, n, NULL);
}
