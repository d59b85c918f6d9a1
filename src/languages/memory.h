/*
 * memory.h - reads the memory of another process, or what stands in for it.
 *
 * The other process is not to be trusted: addresses and lengths in its memory can be anything, and the memory can
 * vanish at any time. So each read can fail, and a budget bounds how many there are.
 */
#ifndef LANGUAGES_MEMORY_H
#define LANGUAGES_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* Reads n bytes from an address. false: some of them cannot be read. */
typedef bool memory_read_fn(void *arg, uint64_t address, void *into, size_t n);

/*
 * Reads n ranges, and puts them one after the other. Returns how many bytes were read: all, or those before what
 * cannot be read.
 */
struct memory_range {
	uint64_t address;
	size_t n;
};
typedef size_t memory_read_all_fn(void *arg, const struct memory_range *, size_t n, void *into);

/* What is read from now on has to be newer than all that was read before. */
typedef void memory_renew_fn(void *arg);

/* What a thread had in its registers, at the moment of which its memory is. */
#define MEMORY_REGISTERS 40u
struct memory_registers {
	uint64_t mask;                     /* bit n: register n of the architecture's perf_regs.h is known */
	uint64_t values[MEMORY_REGISTERS]; /* of these, in their order */
	bool is_late;                      /* the thread may have run since, so that its memory is of a later moment */
};

struct memory {
	memory_read_fn *read;
	void *arg;
	uint32_t budget;                          /* reads that are still allowed */
	const struct memory_registers *registers; /* of the thread that is looked at; NULL: unknown */
	memory_renew_fn *renew;                   /* NULL: there are no copies */
};

/* The memory of a process, by process_vm_readv(2). arg of memory.read points to its pid. */
memory_read_fn memory_of_process;
memory_read_all_fn memory_all_of_process;

/* false: it cannot be read, or the budget is used up; then *into may hold anything. */
static inline bool memory_read(struct memory *m, uint64_t address, void *into, size_t n)
{
	if (!m->budget)
		return false;
	m->budget--;
	return m->read(m->arg, address, into, n);
}

/* From now on, what is read is newer than all that was read before. */
static inline void memory_renew(struct memory *m)
{
	if (m->renew)
		m->renew(m->arg);
}

/* The same memory with a part of its budget, for a search that must not use up all of it. */
static inline struct memory memory_part(const struct memory *m, uint32_t most)
{
	struct memory part = *m;
	part.budget = m->budget < most ? m->budget : most;
	return part;
}

/* Accounts for what was read by memory_part(m, *most). *most: the reads that are left of it. */
static inline void memory_part_end(struct memory *m, const struct memory *part, uint32_t *most)
{
	uint32_t used = (m->budget < *most ? m->budget : *most) - part->budget;
	m->budget -= used;
	*most -= used;
}

/* A pointer of the other process. */
static inline bool memory_pointer(struct memory *m, uint64_t address, uint64_t *value)
{
	return memory_read(m, address, value, sizeof *value);
}

/* May it be the address of a structure, all of which begin at words? */
static inline bool memory_is_place(uint64_t address)
{
	return address >= 4096 && address % 8 == 0;
}

#define MEMORY_CUT_MARK "..." /* behind the beginning of a longer name */
/* Ends a text at `end`, where there is room for the mark and a NUL. */
static inline void memory_end_text(char *end, bool is_cut)
{
	const char *mark = is_cut ? MEMORY_CUT_MARK : "";
	memcpy(end, mark, strlen(mark) + 1);
}

/* Makes n bytes a text: a NUL in them would end it. */
static inline void memory_keep_whole(char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text[i] = text[i] ? text[i] : '?';
}

/* Reads a string up to its NUL, cut to what fits. false: it cannot be read, or is at 0. */
bool memory_string(struct memory *, uint64_t address, char *text, size_t size);

/* false: the register is not known. */
static inline bool memory_register(const struct memory *m, unsigned number, uint64_t *value)
{
	if (!m->registers || !(m->registers->mask >> number & 1))
		return false;
	*value = m->registers->values[__builtin_popcountll(m->registers->mask & ((UINT64_C(1) << number) - 1))];
	return true;
}

/* Numbers in a copy of its memory. */
static inline uint64_t memory_u64(const unsigned char *bytes, size_t offset)
{
	uint64_t v;
	memcpy(&v, bytes + offset, sizeof v);
	return v;
}

static inline uint32_t memory_u32(const unsigned char *bytes, size_t offset)
{
	uint32_t v;
	memcpy(&v, bytes + offset, sizeof v);
	return v;
}

#endif
