/*
 * symbols.c - names addresses of an ELF file: `symbols FILE <ADDRESSES`, one in hex per line; with --offsets they
 * are offsets in the file. Prints "name+0xoffset" or "?" for each. With --recorded it asks like a reader of
 * recordings: lines are "KERNEL PID START PGOFF ADDRESS FILE", KERNEL 0 or 1, and it prints "name+0xoffset
 * (module)". SYMBOLS_DEBUG replaces /usr/lib/debug.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/debug_file.h"
#include "symbols/elf_symbols.h"
#include "symbols/symbols.h"

static void print_name(const struct elf_symbols *s, uint64_t address, bool is_offset)
{
	struct elf_symbol found;
	if (is_offset && !elf_symbols_address(s, address, &address))
		puts("?");
	else if (elf_symbols_at(s, address, &found))
		printf("%s+0x%" PRIx64 "\n", found.name, address - found.start);
	else
		puts("?");
}

static void print_recorded(struct symbols *s, char *line)
{
	struct symbols_query q = {0};
	struct symbol found;
	int kernel, at;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%d %" SCNd32 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &kernel, &q.pid, &q.map_start,
	           &q.pgoff, &q.address, &at) < 5)
		return;
	q.space = kernel ? SYMBOLS_KERNEL : SYMBOLS_USER;
	q.file = line[at] ? symbols_file(s, &(struct symbols_file){.name = line + at}, q.pid) : SYMBOLS_NO_FILE;
	if (symbols_find(s, &q, &found))
		printf("%s+0x%" PRIx64 " (%s)\n", found.name, found.offset, found.module);
	else
		printf("[unknown] (%s)\n", found.module);
}

static int recorded(void)
{
	struct report report;
	char line[8192];
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){0}, &report);
	while (fgets(line, sizeof line, stdin))
		print_recorded(s, line);
	report_print(&report, NOTE_INFO);
	symbols_free(s);
	report_deinit(&report);
	return 0;
}

int main(int argc, char **argv)
{
	bool is_offset = argc == 3 && strcmp(argv[1], "--offsets") == 0;
	struct elf_file elf, debug;
	struct debug_paths paths;
	struct err err;
	char line[64];
	if (argc == 2 && strcmp(argv[1], "--recorded") == 0)
		return recorded();
	if (argc != 2 + is_offset)
		return 2;
	if (!elf_file_open(&elf, argv[argc - 1], &err)) {
		err_print(err.text);
		return 1;
	}
	const char *directories[] = {getenv("SYMBOLS_DEBUG"), NULL};
	debug_paths_init(&paths, NULL, directories[0] ? directories : NULL, NULL);
	char *path = debug_file_open(&paths, &elf, argv[argc - 1], &debug);
	struct elf_symbols *s = elf_symbols_new(&elf, path ? &debug : NULL, NULL);
	while (fgets(line, sizeof line, stdin))
		print_name(s, strtoull(line, NULL, 16), is_offset);
	elf_symbols_free(s);
	if (path)
		elf_file_close(&debug);
	free(path);
	elf_file_close(&elf);
	debug_paths_deinit(&paths);
	return 0;
}
