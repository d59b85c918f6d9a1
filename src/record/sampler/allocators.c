/*
 * allocators.c - finds malloc and its like in ELF files, and their arguments in samples.
 *
 * A probe is at an offset in a file (uprobe), so the symbols of files tell where to put it. Only functions that a
 * program calls from outside count: those in .dynsym of libraries, and in .symtab of static programs.
 */
#include "record/sampler/allocators.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/paths.h"
#include "perfdata/sample.h"
#include "record/sampler/command_files.h"
#include "record/sampler/records.h"
#include "record/sampler/targets.h"
#include "symbols/elf_file.h"

#define TABLE_MOST ((size_t)64 << 20) /* bytes of symbols or names */
#define OF_FILE_MOST 32u              /* functions; the C library has eight */
#define FUNCTIONS_MOST 256u           /* of all files: each probe takes the kernel some hundredths of a second */
#define NAME_MOST ((size_t)256)       /* longer ones are of no function that is searched for */

static const struct {
	const char *name;
	enum allocator_size size;
} functions[] = {
	{"malloc", SIZE_FIRST},         {"valloc", SIZE_FIRST},    {"pvalloc", SIZE_FIRST},
	{"realloc", SIZE_SECOND},       {"memalign", SIZE_SECOND}, {"aligned_alloc", SIZE_SECOND},
	{"posix_memalign", SIZE_THIRD}, {"calloc", SIZE_PRODUCT},
};
#define N_FUNCTIONS (sizeof functions / sizeof *functions)

void allocators_deinit(struct allocators *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i].path);
	for (size_t i = 0; i < a->n_files; i++)
		close(a->files[i]);
	free(a->v);
	free(a->files);
	*a = (struct allocators){0};
}

/* ---- files --------------------------------------------------------------------------------------------------- */

static bool offset_of(const struct elf_file *elf, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < elf->n_segments; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type != ELF_SEGMENT_LOAD || address < s->vaddr || address - s->vaddr >= s->file_size)
			continue;
		*offset = address - s->vaddr + s->offset;
		return true;
	}
	return false;
}

static bool is_there(const struct allocators *a, const char *path, uint64_t offset)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].offset == offset && strcmp(a->v[i].path, path) == 0)
			return true;
	return false;
}

static void add(struct allocators *a, const char *path, struct allocator new)
{
	if (is_there(a, path, new.offset)) /* two names of one function */
		return;
	bool is_full = a->n >= OF_FILE_MOST && strcmp(a->v[a->n - OF_FILE_MOST].path, path) == 0;
	if (is_full || a->n == FUNCTIONS_MOST) {
		a->lacks_some = true;
		return;
	}
	new.path = mem_strdup(path);
	mem_push(a->v, a->n, a->cap, new);
}

/* One entry of a 64-bit symbol table. */
struct elf_symbol {
	uint32_t name;
	uint8_t info, other;
	uint16_t section;
	uint64_t value, size;
};

/* Symbols of the GNU C library: of a static program, and of the library. Its realloc(NULL) goes on to malloc(). */
static bool is_of_glibc(const char *name)
{
	return strcmp(name, "_int_malloc") == 0 || strcmp(name, "gnu_get_libc_version") == 0;
}

static void take_symbol(struct allocators *a, const struct elf_file *elf, const char *path,
                        const struct elf_symbol *s, const char *name)
{
	uint64_t offset;
	if (!s->section || (s->info & 15) != 2 || !offset_of(elf, s->value, &offset)) /* not here, or no function */
		return;
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		if (strcmp(name, functions[i].name) == 0)
			add(a, path,
			    (struct allocator){.offset = offset,
			                       .size = functions[i].size,
			                       .length = s->size,
			                       .is_realloc = strcmp(name, "realloc") == 0,
			                       .is_aligned = strstr(name, "align") != NULL});
}

static void take_table(struct allocators *a, const struct elf_file *elf, const char *path, uint32_t type)
{
	const struct elf_section *table = elf_section_of_type(elf, type);
	const struct elf_section *names = table ? elf_section_linked(elf, table) : NULL;
	size_t n = 0, n_text = 0;
	unsigned char *bytes = names ? elf_section_bytes(elf, table, TABLE_MOST, &n) : NULL;
	char *text = names ? (char *)elf_section_bytes(elf, names, TABLE_MOST, &n_text) : NULL;
	size_t first = a->n;
	bool is_glibc = false;
	for (size_t i = 0; bytes && text && n_text && i + sizeof(struct elf_symbol) <= n;
	     i += sizeof(struct elf_symbol)) {
		struct elf_symbol s;
		memcpy(&s, bytes + i, sizeof s);
		size_t left = s.name < n_text ? n_text - s.name : 0;
		if (!memchr(text + s.name * (left > 0), '\0', left < NAME_MOST ? left : NAME_MOST))
			continue;
		take_symbol(a, elf, path, &s, text + s.name);
		is_glibc |= is_of_glibc(text + s.name);
	}
	for (size_t i = first; i < a->n && is_glibc; i++)
		if (a->v[i].is_realloc)
			a->v[i].size = SIZE_RESIZED;
	free(bytes);
	free(text);
}

/* Two paths may lead to one file, where two probes would count each call twice. */
static bool is_known(const struct allocators *a, const struct stat *st)
{
	struct stat other;
	for (size_t i = 0; i < a->n_files; i++)
		if (fstat(a->files[i], &other) == 0 && other.st_ino == st->st_ino && other.st_dev == st->st_dev)
			return true;
	return false;
}

static void take_file(struct allocators *a, const struct elf_file *elf)
{
	char path[32];
	int fd = fcntl(elf->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	take_table(a, elf, path,
	           elf_section_of_type(elf, ELF_SECTION_DYNSYM) ? ELF_SECTION_DYNSYM : ELF_SECTION_SYMTAB);
	if (a->n > 0 && strcmp(a->v[a->n - 1].path, path) == 0)
		mem_push(a->files, a->n_files, a->cap_files, fd);
	else
		close(fd);
}

void allocators_add_elf(struct allocators *a, const struct elf_file *elf)
{
	struct stat st;
	if (elf->is_64 && !elf->is_big && fstat(elf->fd, &st) == 0 && !is_known(a, &st))
		take_file(a, elf);
}

bool allocators_have(const struct allocators *a, const struct allocators *of_file)
{
	struct stat st;
	return !of_file->n_files || fstat(of_file->files[0], &st) != 0 || is_known(a, &st);
}

bool allocators_add_file(struct allocators *a, const char *path)
{
	struct elf_file elf;
	struct stat st;
	if (!elf_file_open(&elf, path, NULL))
		return false;
	allocators_add_elf(a, &elf);
	bool is_there = fstat(elf.fd, &st) == 0 && is_known(a, &st);
	elf_file_close(&elf);
	return is_there;
}

static void add_libraries(struct allocators *a);

/* false: none is known in what the process has mapped. */
static bool add_maps(struct allocators *a, pid_t pid)
{
	char path[64], name[4096], rights[8], *line = NULL, last[4096] = "";
	size_t cap = 0;
	bool has_any = false;
	struct buf file;
	buf_init(&file);
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	FILE *f = fopen(path, "re");
	while (f && getline(&line, &cap, f) > 0) {
		/* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
		bool is_file = sscanf(line, "%*s %7s %*s %*s %*s %4095[^\n]", rights, name) == 2 && name[0] == '/';
		if (!is_file || !strchr(rights, 'x') || strcmp(name, last) == 0)
			continue;
		memcpy(last, name, strlen(name) + 1);
		file.len = 0;
		buf_addf(&file, "/proc/%ld/root%s", (long)pid, name);
		has_any |= allocators_add_file(a, buf_str(&file));
	}
	if (f)
		fclose(f);
	free(line);
	buf_deinit(&file);
	return has_any;
}

static void add_path(void *allocators, const char *path)
{
	allocators_add_file(allocators, path);
}

static void add_libraries(struct allocators *a)
{
	static const char *const patterns[] = {
		"/lib/*-linux-gnu/libc.so.6",   "/lib64/libc.so.6",
		"/usr/lib/libc.so.6",           "/lib/ld-musl-*.so.1",
		"/usr/lib/*/libjemalloc.so.2",  "/usr/lib*/libjemalloc.so.2",
		"/usr/lib/*/libtcmalloc*.so.#", "/usr/lib*/libtcmalloc*.so.#",
		"/usr/lib*/libmimalloc.so.#",   "/usr/lib/*/libmimalloc.so.#",
	};
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		paths_fitting(patterns[i], add_path, a);
}

/* Linked with libraries: a process that has just begun may not have mapped them yet. */
static bool has_loader(pid_t pid)
{
	char path[64];
	struct elf_file elf;
	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	if (!elf_file_open(&elf, path, NULL))
		return false;
	bool is_found = elf_segment_of_type(&elf, ELF_SEGMENT_LOADER);
	elf_file_close(&elf);
	return is_found;
}

void allocators_add_process(struct allocators *a, pid_t pid)
{
	if (add_maps(a, pid))
		return;
	if (has_loader(pid))
		add_libraries(a);
	else
		a->lacks_process = pid;
}

void allocators_add_targets(struct allocators *a, char *const *command, const char *const *pids,
                            const char *const *tids)
{
	if (command)
		allocators_add_command(a, command[0]);
	else if (!pids && !tids)
		add_libraries(a);
	for (size_t i = 0; pids && pids[i]; i++)
		allocators_add_process(a, targets_number(pids[i]));
	for (size_t i = 0; tids && tids[i]; i++)
		allocators_add_process(a, targets_process(targets_number(tids[i])));
}

void allocators_add_command(struct allocators *a, const char *name)
{
	command_files(name, add_path, a);
	add_libraries(a);
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

/* Numbers of registers in perf_regs.h. */
#if defined(__x86_64__)
static const unsigned arguments[] = {5, 4, 3}; /* di, si, dx */
#define REGISTER_SP 7u
#define RETURN_REGISTERS UINT64_C(0) /* the return address is on the stack */
#define REGISTER_RETURN 0u
#else
static const unsigned arguments[] = {0, 1, 2};
#define REGISTER_SP 31u
#define RETURN_REGISTERS (UINT64_C(1) << REGISTER_RETURN)
#define REGISTER_RETURN 30u
#endif

uint64_t allocators_registers(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return 1u << arguments[0] | 1u << arguments[1] | 1u << arguments[2] | UINT64_C(1) << REGISTER_SP |
	       RETURN_REGISTERS;
#else
	return 0;
#endif
}

static bool has_chain(const uint64_t *words, size_t n)
{
	return n > RECORDS_WORD_OF_CHAIN && words[RECORDS_WORD_OF_CHAIN] <= n - RECORDS_WORD_OF_CHAIN - 1;
}

/* Registers are in the order of their bits. NULL: the record has none. */
static const uint64_t *register_of(const uint64_t *words, size_t n, const struct abi_attr *a, unsigned bit)
{
	size_t chain = RECORDS_WORD_OF_CHAIN;
	if (!has_chain(words, n))
		return NULL;
	size_t abi = chain + 1 + (size_t)words[chain];
	size_t at = abi + 1 + (size_t)__builtin_popcountll(a->regs_user & (((uint64_t)1 << bit) - 1));
	return at < n && words[abi] ? &words[at] : NULL;
}

static const uint64_t *argument(const uint64_t *words, size_t n, const struct abi_attr *a, unsigned number)
{
	return register_of(words, n, a, arguments[number]);
}

/* The return address of a function that has just begun; 0: unknown. */
static uint64_t caller_of(const uint64_t *words, size_t n, const struct abi_attr *a)
{
	size_t chain = RECORDS_WORD_OF_CHAIN, end = chain + 1 + (size_t)words[chain];
	size_t top = end + 1 + (size_t)__builtin_popcountll(a->regs_user) + 1; /* after the size of the copied stack */
	if (RETURN_REGISTERS) {
		const uint64_t *address = register_of(words, n, a, REGISTER_RETURN);
		return address ? *address : 0;
	}
	if (top + 2 > n || !words[end] || words[top - 1] < sizeof *words || words[top - 1] / 8 > n - top - 1)
		return 0;
	uint64_t is_copied = words[top + (size_t)(words[top - 1] / 8)];
	return is_copied >= sizeof *words ? words[top] : 0;
}

#define TOP_OF_STACK 8u /* bytes */

void allocators_hide(struct abi_attr *a)
{
	if (a->stack_user != TOP_OF_STACK)
		return;
	a->sample_type &= ~(uint64_t)(FIELD_REGS_USER | FIELD_STACK_USER);
	a->regs_user = a->stack_user = 0;
}

void allocators_prepare(struct abi_attr *a)
{
	a->sample_type |= FIELD_REGS_USER | FIELD_STACK_USER;
	a->regs_user |= allocators_registers();
	if (!a->stack_user)
		a->stack_user = TOP_OF_STACK;
}

/* The place for the return address in the chain, after the function; 0: the chain has it, or no user space. */
static size_t place_of_caller(const uint64_t *words, size_t first, size_t end, uint64_t caller)
{
	size_t at = first;
	while (at < end && words[at] != CHAIN_USER)
		at++;
	at += 2;
	return at > end || (at < end && words[at] == caller) ? 0 : at;
}

/* Adds the return address to the chain, and leaves out all after the chain. */
static void take_caller(struct abi_record *r, const struct abi_attr *a, bool is_call)
{
	uint64_t *words = (uint64_t *)(void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8, chain = RECORDS_WORD_OF_CHAIN, end = chain + 1 + (size_t)words[chain];
	uint64_t caller = is_call ? caller_of(words, n, a) : 0;
	size_t at = caller ? place_of_caller(words, chain + 1, end, caller) : 0;
	if (at) {
		memmove(words + at + 1, words + at, (end - at) * sizeof *words);
		words[at] = caller;
		words[chain]++;
		end++;
	}
	r->size = (uint16_t)(sizeof *r + end * sizeof *words);
}

static uint64_t bytes_of(const uint64_t *words, size_t n, const struct abi_attr *a, enum allocator_size size)
{
	unsigned number = size == SIZE_PRODUCT ? 0 : size == SIZE_RESIZED ? 1 : (unsigned)size;
	const uint64_t *first = argument(words, n, a, number);
	const uint64_t *second = argument(words, n, a, 1);
	uint64_t bytes = first ? *first : 0;
	if (size == SIZE_PRODUCT && __builtin_mul_overflow(bytes, second ? *second : 0, &bytes))
		return UINT64_MAX;
	return bytes;
}

bool allocator_read_call(const struct abi_record *r, const struct abi_attr *a, const struct allocator *function,
                         struct allocator_call *call)
{
	const uint64_t *words = (const uint64_t *)(const void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8;
	const uint64_t *sp = register_of(words, n, a, REGISTER_SP);
	if (!sp)
		return false;
	*call = (struct allocator_call){.function = function,
	                                .pid = records_number(r, RECORDS_PID_OF_SAMPLE),
	                                .tid = records_number(r, RECORDS_PID_OF_SAMPLE + 4),
	                                .address = words[1],
	                                .caller = caller_of(words, n, a),
	                                .sp = *sp,
	                                .bytes = bytes_of(words, n, a, function->size)};
	return true;
}

bool allocator_weigh(struct abi_record *r, const struct abi_attr *a, enum allocator_size size)
{
	uint64_t *words = (uint64_t *)(void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8;
	if (!has_chain(words, n))
		return true;
	const uint64_t *resized = size == SIZE_RESIZED ? argument(words, n, a, 0) : NULL;
	if (resized && !*resized)
		return false;
	uint64_t bytes = size == SIZE_PAGE ? (uint64_t)sysconf(_SC_PAGESIZE) : bytes_of(words, n, a, size);
	if (__builtin_mul_overflow(words[RECORDS_WORD_OF_PERIOD], bytes, &words[RECORDS_WORD_OF_PERIOD]))
		words[RECORDS_WORD_OF_PERIOD] = 0;
	if (a->stack_user == TOP_OF_STACK)
		take_caller(r, a, size != SIZE_PAGE);
	return true;
}
