/*
 * threads.c - finds threads in the lists of glibc.
 *
 *	list -> next, previous      one list has threads with stacks of glibc's, the other one the main thread
 *	        in each a member of struct pthread: number, blocks[32] -> 32 times {sequence, value}
 *
 * From 2.34 on the lists are in _rtld_global, the dynamic linker's; before, in libpthread. A descriptor is three
 * words: size in bits, number of elements, offset.
 */
#include "languages/threads.h"

#include <string.h>

#include "languages/slots.h"

#define OFFSET_MOST 65536u
#define BLOCKS_MOST 1024u /* of values, or values in one of them */
#define POINTER_BITS 64u

enum {
	SYMBOL_LINKER,
	SYMBOL_LINKER_USED,
	SYMBOL_LINKER_USER,
	SYMBOL_USED,
	SYMBOL_USER,
	SYMBOL_NEXT,
	SYMBOL_MEMBER,
	SYMBOL_NUMBER,
	SYMBOL_BLOCKS,
	SYMBOL_BLOCK,
	SYMBOL_VALUE
};

const char *const threads_symbols[] = {[SYMBOL_LINKER] = "_rtld_global",
                                       [SYMBOL_LINKER_USED] = "_thread_db_rtld_global__dl_stack_used",
                                       [SYMBOL_LINKER_USER] = "_thread_db_rtld_global__dl_stack_user",
                                       [SYMBOL_USED] = "stack_used",
                                       [SYMBOL_USER] = "__stack_user",
                                       [SYMBOL_NEXT] = "_thread_db_list_t_next",
                                       [SYMBOL_MEMBER] = "_thread_db_pthread_list",
                                       [SYMBOL_NUMBER] = "_thread_db_pthread_tid",
                                       [SYMBOL_BLOCKS] = "_thread_db_pthread_specific",
                                       [SYMBOL_BLOCK] = "_thread_db_pthread_key_data_level2_data",
                                       [SYMBOL_VALUE] = "_thread_db_pthread_key_data_data",
                                       NULL};

/* ---- looking up ---------------------------------------------------------------------------------------------- */

static bool is_c_library(const char *path)
{
	static const char *const names[] = {"libc.so", "libc-", "libpthread", "ld-linux", "ld-2"};
	const char *slash = strrchr(path, '/');
	for (size_t i = 0; slash && i < sizeof names / sizeof *names; i++)
		if (strncmp(slash + 1, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool take_file(void *arg, pid_t pid, const struct program_file *file)
{
	struct program *all = arg, one;
	struct err ignored = {""};
	if (!is_c_library(file->path) || !program_open(&one, pid, file, threads_symbols, &ignored))
		return true;
	program_find_others(&one); /* before 2.34 some are not exported */
	for (size_t i = 0; threads_symbols[i]; i++)
		all->addresses[i] = all->addresses[i] ? all->addresses[i] : one.addresses[i];
	program_close(&one);
	return true;
}

/* Looks up the symbols in the files of a process; those that it has not get no address. */
static void look_up(struct program *c_library, pid_t pid)
{
	*c_library = (struct program){.names = threads_symbols};
	program_each(pid, take_file, c_library);
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

struct descriptor {
	uint32_t bits, n, offset;
};

static bool describe(const struct program *p, struct memory *m, unsigned symbol, struct descriptor *d)
{
	return p->addresses[symbol] && memory_read(m, p->addresses[symbol], d, sizeof *d) && d->offset < OFFSET_MOST;
}

/* Finds both lists. */
static bool find_lists(struct threads *t, const struct program *p, struct memory *m)
{
	struct descriptor used, user;
	t->lists[0] = p->addresses[SYMBOL_USED];
	t->lists[1] = p->addresses[SYMBOL_USER];
	if (p->addresses[SYMBOL_LINKER] && describe(p, m, SYMBOL_LINKER_USED, &used) &&
	    describe(p, m, SYMBOL_LINKER_USER, &user)) {
		t->lists[0] = p->addresses[SYMBOL_LINKER] + used.offset;
		t->lists[1] = p->addresses[SYMBOL_LINKER] + user.offset;
	}
	return t->lists[0] && t->lists[1];
}

static bool read_description(struct threads *t, const struct program *p, struct memory *m)
{
	struct descriptor next, member, number, blocks, block, value;
	if (!find_lists(t, p, m) || !describe(p, m, SYMBOL_NEXT, &next) || !describe(p, m, SYMBOL_MEMBER, &member) ||
	    !describe(p, m, SYMBOL_NUMBER, &number) || !describe(p, m, SYMBOL_BLOCKS, &blocks) ||
	    !describe(p, m, SYMBOL_BLOCK, &block) || !describe(p, m, SYMBOL_VALUE, &value))
		return false;
	t->next = next.offset;
	t->member = member.offset;
	t->number = number.offset;
	t->blocks = blocks.offset;
	t->block_size = block.n;
	t->value = block.offset + value.offset;
	t->value_size = block.bits / 8;
	t->n_blocks = blocks.bits == POINTER_BITS ? blocks.n : blocks.bits / POINTER_BITS;
	return t->n_blocks <= BLOCKS_MOST && t->block_size && t->block_size <= BLOCKS_MOST && t->value_size >= 8 &&
	       t->value_size <= 64;
}

bool threads_describe(struct threads *t, const struct program *p, struct memory *m)
{
	struct program own;
	if (p->c_library)
		return read_description(t, p->c_library, m);
	look_up(&own, p->pid);
	return read_description(t, &own, m);
}

bool threads_is(const struct threads *t, struct memory *m, uint64_t thread, pid_t tid)
{
	int32_t number;
	return memory_read(m, thread + t->number, &number, sizeof number) && number == tid;
}

bool threads_has_handle(struct memory *m, uint64_t handle, pid_t tid)
{
	/* Where gettid() is kept after a pthread_t: glibc on x86-64 and on aarch64, musl. */
	static const uint32_t places[] = {720, 208, 48};
	for (size_t i = 0; handle && i < sizeof places / sizeof *places; i++) {
		int32_t found = 0;
		if (memory_read(m, handle + places[i], &found, sizeof found) && found == tid)
			return true;
	}
	return false;
}

static uint64_t find_in(const struct threads *t, struct memory *m, uint64_t list, pid_t tid)
{
	uint64_t at = list;
	for (unsigned i = 0; i < THREADS_MOST; i++) {
		if (!memory_pointer(m, at + t->next, &at) || !at || at == list)
			return 0;
		if (threads_is(t, m, at - t->member, tid))
			return at - t->member;
	}
	return 0;
}

uint64_t threads_find(const struct threads *t, struct memory *m, pid_t tid)
{
	uint64_t thread = find_in(t, m, t->lists[1], tid);
	return thread ? thread : find_in(t, m, t->lists[0], tid);
}

uint64_t threads_above(const struct threads *t, struct memory *m, uint64_t address)
{
	uint64_t above = 0;
	for (size_t k = 0; k < 2; k++) {
		uint64_t at = t->lists[k];
		for (unsigned i = 0; i < THREADS_MOST && memory_pointer(m, at + t->next, &at) && at != t->lists[k]; i++)
			if (at - t->member > address && (!above || at - t->member < above))
				above = at - t->member;
	}
	return above;
}

bool threads_value(const struct threads *t, struct memory *m, uint64_t thread, uint32_t key, uint64_t *value)
{
	uint64_t block;
	*value = 0;
	if (key / t->block_size >= t->n_blocks)
		return false;
	if (!memory_pointer(m, thread + t->blocks + 8 * (uint64_t)(key / t->block_size), &block))
		return false;
	return !block || memory_pointer(m, block + t->value + (uint64_t)(key % t->block_size) * t->value_size, value);
}
