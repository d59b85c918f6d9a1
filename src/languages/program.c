/*
 * program.c - finds the programs of a process, and their symbols, stripped or not: interpreters export what
 * extensions need.
 *
 *	/proc/PID/maps        55d0c2a00000-55d0c2a4f000 r--p 00000000 08:01 1234   /usr/bin/python3.11
 *	/proc/PID/root/PATH   the file, also if the process lives in a container
 *	/proc/PID/map_files/  the same file if it was replaced or deleted
 */
#include "languages/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/proc.h"
#include "symbols/elf_file.h"

#define TABLE_MOST ((size_t)64 << 20) /* bytes of symbols, and of their names */
#define PAGE_MASK UINT64_C(4095)

uint64_t program_symbol(const struct program *p, const char *name)
{
	for (size_t i = 0; i < PROGRAM_SYMBOLS && p->names[i]; i++)
		if (strcmp(p->names[i], name) == 0)
			return p->addresses[i];
	return 0;
}

/* ---- the maps ------------------------------------------------------------------------------------------------ */

/* The path of the main program as the maps name it. */
static void read_main(pid_t pid, char *path, size_t size)
{
	char link[64];
	snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
	ssize_t n = readlink(link, path, size - 1);
	path[n > 0 ? n : 0] = '\0';
}

/* Takes a line of the maps; its path is cut out of the line. false: it maps no file. */
static bool take_line(char *line, struct program_file *f)
{
	int end = 0;
	uint64_t last;
	line[strcspn(line, "\n")] = '\0';
	/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &f->start, &last, &f->offset, &end) < 3)
		return false;
	f->path = line + end;
	return end && line[end] == '/';
}

bool program_each(pid_t pid, program_take *take, void *arg)
{
	char path[64], main[4096], *line = NULL, *before = NULL;
	size_t cap = 0;
	bool goes_on = true;
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	FILE *file = fopen(path, "re");
	read_main(pid, main, sizeof main);
	while (file && goes_on && getline(&line, &cap, file) > 0) {
		struct program_file f;
		if (!take_line(line, &f) || (before && strcmp(before, f.path) == 0))
			continue;
		f.is_main = strcmp(f.path, main) == 0;
		free(before);
		before = strdup(f.path);
		goes_on = take(arg, pid, &f);
	}
	free(before);
	free(line);
	if (file)
		fclose(file);
	return file;
}

/* ---- symbols ------------------------------------------------------------------------------------------------- */

/* The difference between addresses in the process and in the file. false: no segment is mapped there. */
static bool bias_of(const struct elf_file *elf, const struct program_file *f, uint64_t *bias)
{
	for (size_t i = 0; i < elf->n_segments; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type != ELF_SEGMENT_LOAD || (s->offset & ~PAGE_MASK) != f->offset)
			continue;
		*bias = f->start - (s->vaddr & ~PAGE_MASK);
		return true;
	}
	return false;
}

/* Takes the addresses of wanted names from one entry of a 64-bit symbol table. */
static void take_symbol(struct program *p, const struct elf_file *elf, const unsigned char *entry,
                        const char *names, size_t n_names, uint64_t bias)
{
	uint32_t name = elf_u32(elf, entry);
	uint64_t value = elf_u64(elf, entry + 8);
	if (name >= n_names || !elf_u16(elf, entry + 6) || !value)
		return;
	for (size_t i = 0; i < PROGRAM_SYMBOLS && p->names[i]; i++)
		if (!p->addresses[i] && strcmp(names + name, p->names[i]) == 0)
			p->addresses[i] = value + bias;
}

static void search_table(struct program *p, const struct elf_file *elf, uint32_t type, uint64_t bias)
{
	const struct elf_section *table = elf_section_of_type(elf, type);
	size_t n = 0, n_names = 0;
	if (!table || table->entry_size != 24)
		return;
	unsigned char *symbols = elf_section_bytes(elf, table, TABLE_MOST, &n);
	unsigned char *names = elf_section_bytes(elf, elf_section_linked(elf, table), TABLE_MOST, &n_names);
	for (size_t at = 0; symbols && names && at + 24 <= n; at += 24)
		take_symbol(p, elf, symbols + at, (const char *)names, n_names, bias);
	free(symbols);
	free(names);
}

/* Opens the file of a mapping. */
static bool open_file(struct elf_file *elf, pid_t pid, const struct program_file *f)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "/proc/%ld/root%s", (long)pid, f->path);
	bool is_open = elf_file_open(elf, buf_str(&path), NULL);
	path.len = 0;
	buf_addf(&path, "/proc/%ld/exe", (long)pid); /* the file itself, even if it was deleted */
	is_open = is_open || (f->is_main && elf_file_open(elf, buf_str(&path), NULL));
	buf_deinit(&path);
	return is_open;
}

bool program_find(struct program *p, pid_t pid, const struct program_file *f, const char *const *names)
{
	struct elf_file elf;
	uint64_t bias;
	*p = (struct program){.path = f->path, .names = names};
	if (!open_file(&elf, pid, f))
		return false;
	bool is_mapped = elf.is_64 && bias_of(&elf, f, &bias);
	if (is_mapped) {
		search_table(p, &elf, ELF_SECTION_DYNSYM, bias);
		search_table(p, &elf, ELF_SECTION_SYMTAB, bias);
	}
	elf_file_close(&elf);
	return is_mapped;
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

pid_t program_inner_tid(pid_t pid, pid_t tid)
{
	char path[96], ids[256];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/status", (long)pid, (long)tid);
	if (!proc_line(path, "NSpid:", ids, sizeof ids)) /* kernels before 4.1 do not say */
		return access(path, F_OK) == 0 ? tid : 0;
	const char *last = strrchr(ids, '\t');
	return (pid_t)strtol(last ? last + 1 : ids, NULL, 10);
}
