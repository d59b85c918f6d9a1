/*
 * held.h - what the calls on a profile have acquired and not given back: memory, and things that a function ends.
 *
 * All functions may be called by several threads at once. They use the functions of libc behind the wrapped ones
 * (wrap.c), which call them.
 */
#ifndef LIB_ALONE_HELD_H
#define LIB_ALONE_HELD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct held_thing {
	void (*end)(void *); /* NULL: none, the place is free */
	void *thing;
};

struct held {
	pthread_mutex_t lock;
	/* Blocks of memory: a table with open addressing; a power of two, or 0. NULL: free. */
	void **blocks;
	size_t n_blocks, cap_blocks;
	struct held_thing *things; /* in the order of their acquisition */
	size_t n_things, cap_things;
};

bool held_init(struct held *); /* false: out of memory */
void held_deinit(struct held *);

/* Makes room for one more block. false: out of memory. */
bool held_has_room(struct held *);
/* There must be room. */
void held_add(struct held *, void *block);
void held_drop(struct held *, void *block); /* one that is not there is fine */

/* end(thing) gives it back. false: out of memory, and it is not kept. */
bool held_add_thing(struct held *, void (*end)(void *), void *thing);
/* false: it is not there. */
bool held_drop_thing(struct held *, void (*end)(void *), void *thing);

/* Ends those things that `end` ends, while others may still come and go. */
void held_end_all(struct held *, void (*end)(void *));
/* Ends all things, the newest first, then frees all blocks. No other thread may use it any more. */
void held_give_back(struct held *);

#endif
