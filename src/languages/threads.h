/*
 * threads.h - the threads of a process as its C library knows them, and what it keeps for each of them.
 *
 * glibc describes its own structures for debuggers, in symbols that are exported (_thread_db_*): where its list of
 * threads is, and where a thread has its number and its values of pthread_getspecific(3).
 */
#ifndef LANGUAGES_THREADS_H
#define LANGUAGES_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "languages/memory.h"
#include "languages/program.h"

/* The symbols that threads_describe() needs; they are in libc or libpthread, and in the dynamic linker. */
extern const char *const threads_symbols[];

struct threads {
	uint64_t lists[2]; /* addresses of the heads of both lists */
	uint32_t next, member;
	uint32_t number;            /* of a thread, as gettid() tells */
	uint32_t blocks, n_blocks;  /* pointers to blocks of values */
	uint32_t block_size;        /* values in each */
	uint32_t value, value_size; /* within a block */
};

/* Reads the description, in the files of the program's process. false: there is none, or it makes no sense. */
bool threads_describe(struct threads *, const struct program *, struct memory *);
/* The address of the thread's structure; 0: it is not in the list. */
uint64_t threads_find(const struct threads *, struct memory *, pid_t tid);
/*
 * The structure that is the next one above an address: of the thread that has the address on its stack, since it is
 * at the beginning of that; the one of the main thread is elsewhere. 0: there is none.
 */
uint64_t threads_above(const struct threads *, struct memory *, uint64_t address);
/* Is there a thread of this number at the address? */
bool threads_is(const struct threads *, struct memory *, uint64_t thread, pid_t tid);
/* Is it a pthread_t, of any C library, and the thread's number this one? Needs no description. */
bool threads_has_handle(struct memory *, uint64_t handle, pid_t tid);
/* Reads its value of a key; 0: it has none. false: it cannot be read. */
bool threads_value(const struct threads *, struct memory *, uint64_t thread, uint32_t key, uint64_t *value);

#endif
