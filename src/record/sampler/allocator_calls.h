/*
 * allocator_calls.h - finds calls that one allocator makes to another: both ask for the same bytes.
 *
 * In musl, calloc calls malloc; in the GNU C library, memalign jumps to it for small alignments; a program's own
 * malloc may call that of the library.
 */
#ifndef RECORD_SAMPLER_ALLOCATOR_CALLS_H
#define RECORD_SAMPLER_ALLOCATOR_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "record/sampler/allocators.h"

struct allocator_code;
struct allocator_last;

/* Zeroed at first. */
struct allocator_calls {
	struct idmap processes; /* -> code */
	struct allocator_code *code;
	size_t n_code, cap_code;
	struct idmap threads; /* -> last */
	struct allocator_last *last;
	size_t n_last, cap_last;
};

void allocator_calls_deinit(struct allocator_calls *);
/* The process runs another program now. */
void allocator_calls_forget(struct allocator_calls *, pid_t);
/* Calls of a thread come in their order. true: an allocator that has begun before has made this call. */
bool allocator_calls_are_nested(struct allocator_calls *, const struct allocator_call *);

#endif
