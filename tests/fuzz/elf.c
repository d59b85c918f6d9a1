/*
 * elf.c - reads any bytes as an ELF file, a text of the kernel's functions, or the map or dump of a JIT compiler.
 * The first byte says which. Any answer is fine.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/elf_symbols.h"
#include "symbols/jit_map.h"
#include "symbols/jitdump.h"
#include "symbols/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(const char *name, bool is_after)
{
	if (strlen(name) == SIZE_MAX || !is_after)
		abort();
}

static void elf(const uint8_t *data, size_t size)
{
	struct elf_file file;
	struct elf_symbol found;
	uint64_t vaddr;
	unsigned char *bytes = mem_alloc(size);
	if (size > 0)
		memcpy(bytes, data, size);
	if (!elf_file_open_bytes(&file, bytes, size, NULL))
		return;
	struct elf_symbols *s = elf_symbols_new(&file, NULL, NULL);
	for (uint64_t a = 0; a < 0x4000; a += 0x77) {
		if (elf_symbols_at(s, a, &found))
			check_name(found.name, a >= found.start);
		elf_symbols_address(s, a, &vaddr);
	}
	elf_symbols_free(s);
	elf_file_close(&file);
}

static void kallsyms(const char *text, size_t size)
{
	struct kallsym found;
	uint64_t address;
	struct kallsyms *k = kallsyms_parse(text, size, NULL);
	for (uint64_t a = 0; k && a < 0x4000; a += 0x77)
		if (kallsyms_find(k, a, &found))
			check_name(found.name, a >= found.start);
	if (k && kallsyms_address(k, "_text", &address))
		kallsyms_move(k, -address);
	kallsyms_free(k);
}

static void jit_map(const char *text, size_t size)
{
	struct jit_function found;
	struct jit_map *m = jit_map_new(mem_strndup(text, size), size);
	for (uint64_t a = 0; a < 0x4000; a += 0x77)
		if (jit_map_find(m, a, &found))
			check_name(found.name, a >= found.start);
	jit_map_free(m);
}

static void jitdump(const uint8_t *data, size_t size)
{
	struct jitdump_function found;
	struct jitdump *d = jitdump_parse(data, size, NULL);
	for (uint64_t a = 0; d && a < 0x4000; a += 0x77)
		if (jitdump_find(d, a, a & 1 ? a : JITDUMP_ANY_TIME, &found))
			check_name(found.name, a >= found.start);
	jitdump_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	switch (data[0] & 3) {
	case 0:
		elf(data + 1, size - 1);
		break;
	case 1:
		kallsyms((const char *)data + 1, size - 1);
		break;
	case 2:
		jit_map((const char *)data + 1, size - 1);
		break;
	default:
		jitdump(data + 1, size - 1);
	}
	return 0;
}
