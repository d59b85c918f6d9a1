/*
 * allocators.h - the functions by which programs ask for memory, and how much a call asks for.
 */
#ifndef RECORD_SAMPLER_ALLOCATORS_H
#define RECORD_SAMPLER_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/sampler/abi.h"
#include "symbols/elf_file.h"

/* Where the number of bytes is. */
enum allocator_size {
	SIZE_FIRST,   /* the first argument: malloc */
	SIZE_SECOND,  /* realloc */
	SIZE_THIRD,   /* posix_memalign */
	SIZE_PRODUCT, /* of the first and the second: calloc */
	SIZE_RESIZED, /* the second; if the first is NULL, the function goes on to malloc, which counts it */
	SIZE_PAGE,    /* it is no call, but a page */
};

struct allocator {
	char *path;      /* of a descriptor of the file, for as long as the list is there; owned */
	uint64_t offset; /* of the function in it */
	uint64_t event;  /* the number of its probe in tracefs, if they are defined */
	enum allocator_size size;
	uint64_t length; /* of its code; 0: unknown */
	bool is_realloc, is_aligned;
};

/* Zeroed is empty. */
struct allocators {
	struct allocator *v;
	size_t n, cap;
	int *files; /* open, so that a probe gets into the file whose symbols were read, wherever its path leads now */
	size_t n_files, cap_files;
	bool lacks_some;     /* a file has more than an allocator, or there are very many files: those are not probed */
	pid_t lacks_process; /* one of which none is known; 0: of all that were added, one is */
	bool are_defined;    /* in tracefs (probes.h): threads and children can inherit them */
};

void allocators_deinit(struct allocators *);
/* Adds those of an executable or a library. false: the list has none of it, or it is no such file. */
bool allocators_add_file(struct allocators *, const char *path);
void allocators_add_elf(struct allocators *, const struct elf_file *);
/* Are those of one file among them? Of an empty list, they are. */
bool allocators_have(const struct allocators *, const struct allocators *of_file);
/* Those of the files that the process has mapped. */
void allocators_add_process(struct allocators *, pid_t);
/*
 * Those that a command will use: of its file (found in PATH), of its libraries, of the C library, and of what often
 * replaces it.
 */
void allocators_add_command(struct allocators *, const char *name);
/* Those of a command, else those of processes and threads, numbers as text; without any, those of the libraries. */
void allocators_add_targets(struct allocators *, char *const *command, const char *const *pids,
                            const char *const *tids);

/*
 * Asks for what allocator_weigh() needs. By frame pointers, the kernel does not see the caller of a function that
 * has just begun: its return address is copied from the top of the stack.
 */
void allocators_prepare(struct abi_attr *);
/* The event as samples are after allocator_weigh(): that copy is not in them. */
void allocators_hide(struct abi_attr *);
/*
 * The registers that hold arguments, the stack pointer and, where there is one, the return address, as
 * sample_regs_user has them; 0: this processor is not supported.
 */
uint64_t allocators_registers(void);
/* A function begins. */
struct allocator_call {
	const struct allocator *function;
	pid_t pid, tid;
	uint64_t address; /* of the function */
	uint64_t caller;  /* return address; 0: unknown */
	uint64_t sp;      /* stack pointer */
	uint64_t bytes;   /* UINT64_MAX: or more */
};
/* Processes have addresses for fewer bytes, so calls for them fail. */
#define ALLOCATOR_BYTES_MOST ((uint64_t)1 << 48)
/* Reads a call from a sample, before allocator_weigh(). false: the sample has no registers. */
bool allocator_read_call(const struct abi_record *, const struct abi_attr *, const struct allocator *,
                         struct allocator_call *);
/*
 * Makes the period of a sample the bytes that it stands for: those of the call times the calls. The record has the
 * layout of RECORDS_SAMPLE_TYPE with chain and registers. false: another sample counts these bytes.
 */
bool allocator_weigh(struct abi_record *, const struct abi_attr *, enum allocator_size);

#endif
