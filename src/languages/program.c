/*
 * program.c - finds the programs of a process, and their symbols, stripped or not: interpreters export what
 * extensions need.
 *
 *	/proc/PID/maps                 55d0c2a00000-55d0c2a4f000 r--p 00000000 08:01 1234   /usr/bin/python3.11
 *	/proc/PID/exe                  the main program, also if it was replaced or deleted
 *	/proc/PID/map_files/START-END  the same for any file; needs CAP_SYS_ADMIN
 *	/proc/PID/root/PATH            the file that has this name now, also if the process lives in a container
 */
#include "languages/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/find.h"
#include "base/mem.h"
#include "base/proc.h"
#include "symbols/elf_file.h"

#define TABLE_MOST ((size_t)64 << 20) /* bytes of symbols, of their names, and of constants */
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
	uint32_t major, minor;
	line[strcspn(line, "\n")] = '\0';
	/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n", &f->start,
	           &f->end, &f->offset, &major, &minor, &f->inode, &end) < 6)
		return false;
	f->device = (uint64_t)major << 32 | minor;
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
	int error = errno;
	read_main(pid, main, sizeof main);
	while (file && goes_on && getline(&line, &cap, file) > 0) {
		struct program_file f;
		if (!take_line(line, &f) || (before && strcmp(before, f.path) == 0))
			continue;
		f.is_main = strcmp(f.path, main) == 0;
		free(before);
		before = mem_strdup(f.path);
		goes_on = take(arg, pid, &f);
	}
	free(before);
	free(line);
	if (file)
		fclose(file);
	errno = error;
	return file;
}

/* ---- symbols ------------------------------------------------------------------------------------------------- */

/* Finds the difference between addresses in the process and in the file. false: no segment is mapped there. */
static bool find_bias(struct program *p, const struct program_file *f)
{
	for (size_t i = 0; i < p->elf->n_segments; i++) {
		const struct elf_segment *s = &p->elf->segments[i];
		if (s->type != ELF_SEGMENT_LOAD || (s->offset & ~PAGE_MASK) != f->offset)
			continue;
		p->bias = f->start - (s->vaddr & ~PAGE_MASK);
		return true;
	}
	return false;
}

/* Takes the addresses of wanted names from one entry of a 64-bit symbol table. */
static void take_symbol(struct program *p, const unsigned char *entry, const char *names, size_t n_names)
{
	uint32_t name = elf_u32(p->elf, entry);
	uint64_t value = elf_u64(p->elf, entry + 8);
	if (name >= n_names || !elf_u16(p->elf, entry + 6) || !value)
		return;
	for (size_t i = 0; i < PROGRAM_SYMBOLS && p->names[i]; i++)
		if (!p->addresses[i] && strcmp(names + name, p->names[i]) == 0)
			p->addresses[i] = value + p->bias;
}

static void search_table(struct program *p, uint32_t type)
{
	const struct elf_section *table = elf_section_of_type(p->elf, type);
	size_t n = 0, n_names = 0;
	if (!table || table->entry_size != 24)
		return;
	unsigned char *symbols = elf_section_bytes(p->elf, table, TABLE_MOST, &n);
	unsigned char *names = elf_section_bytes(p->elf, elf_section_linked(p->elf, table), TABLE_MOST, &n_names);
	for (size_t at = 0; symbols && names && at + 24 <= n; at += 24)
		take_symbol(p, symbols + at, (const char *)names, n_names);
	free(symbols);
	free(names);
}

/* Opens the file of a mapping. false: errno says why; 0: it can be opened, but is no ELF file. */
static bool open_file(struct elf_file *elf, pid_t pid, const struct program_file *f)
{
	char exact[96];
	struct buf named;
	buf_init(&named);
	buf_addf(&named, "/proc/%ld/root%s", (long)pid, f->path);
	if (f->is_main)
		snprintf(exact, sizeof exact, "/proc/%ld/exe", (long)pid);
	else
		snprintf(exact, sizeof exact, "/proc/%ld/map_files/%" PRIx64 "-%" PRIx64, (long)pid, f->start, f->end);
	errno = 0;
	bool is_open = elf_file_open(elf, exact, NULL);
	if (!is_open && errno) {
		errno = 0;
		is_open = elf_file_open(elf, buf_str(&named), NULL);
	}
	int error = errno;
	buf_deinit(&named);
	errno = error;
	return is_open;
}

bool program_open(struct program *p, pid_t pid, const struct program_file *f, const char *const *names,
                  struct err *err)
{
	struct elf_file elf;
	struct proc_stat stat = {0};
	*p = (struct program){.path = f->path, .names = names, .pid = pid, .main = proc_inner_id(pid, pid)};
	if (proc_stat(pid, &stat))
		p->stack = stat.stack;
	if (!open_file(&elf, pid, f))
		return errno && fail_errno(err, "%s", f->path);
	p->elf = mem_copy(&elf, 1, sizeof elf);
	if (!elf.is_64 || !find_bias(p, f)) {
		program_close(p);
		return false;
	}
	search_table(p, ELF_SECTION_DYNSYM);
	return true;
}

void program_find_others(struct program *p)
{
	search_table(p, ELF_SECTION_SYMTAB);
}

/* Copies the text after the mark. */
static bool take_text(const char *bytes, size_t n, const char *mark, char *text, size_t size)
{
	const char *at = find_bytes(bytes, n, mark, strlen(mark));
	size_t len = 0;
	if (!at)
		return false;
	for (at += strlen(mark); at<bytes + n && * at> ' ' && *at <= '~' && len + 1 < size; at++)
		text[len++] = *at;
	text[len] = '\0';
	return true;
}

bool program_text(const struct program *p, const char *mark, char *text, size_t size)
{
	size_t n = 0;
	if (!p->elf)
		return p->constants && take_text(p->constants, strlen(p->constants), mark, text, size);
	const struct elf_section *constants = elf_section_named(p->elf, ".rodata");
	unsigned char *bytes = constants ? elf_section_bytes(p->elf, constants, TABLE_MOST, &n) : NULL;
	bool is_found = bytes && take_text((const char *)bytes, n, mark, text, size);
	free(bytes);
	return is_found;
}

void program_close(struct program *p)
{
	elf_file_close(p->elf);
	free(p->elf);
	p->elf = NULL;
}
