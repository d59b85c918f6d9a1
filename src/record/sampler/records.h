/*
 * records.h - writes the records that the kernel does not: about what ran before, and about the recording.
 *
 * All are appended to a buffer, in the layout of perf.data (perf.data-file-format.txt of the kernel's sources).
 */
#ifndef RECORD_SAMPLER_RECORDS_H
#define RECORD_SAMPLER_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "record/sampler/counter.h"

/* What every sample has. */
#define RECORDS_SAMPLE_TYPE (FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_CPU | FIELD_PERIOD)

/* Its words after the header: id, ip, pid and tid, time, processor, period; then the chain. */
#define RECORDS_WORD_OF_TIME 3u
#define RECORDS_WORD_OF_PERIOD 5u
#define RECORDS_WORD_OF_CHAIN 6u
#define RECORDS_TRAILER 4u /* words at the end of other records: pid and tid, time, processor, id */

/* Numbers of 32 bits in records of the kernel. */
enum {
	RECORDS_PID = sizeof(struct abi_record), /* of FORK, COMM, MMAP2 */
	RECORDS_PARENT = RECORDS_PID + 4,        /* of FORK: process */
	RECORDS_TID = RECORDS_PID + 8,           /* likewise: thread */
	RECORDS_PID_OF_SAMPLE = RECORDS_PID + 16,
};
/* -1: the record ends before. */
int32_t records_number(const struct abi_record *, size_t offset);
/* The counter of a sample; 0: the record ends before. */
uint64_t records_id(const struct abi_record *);

/* An area of a process's memory. */
struct records_map {
	pid_t pid;
	uint64_t start, length, offset; /* of the file */
	uint32_t major, minor;
	uint64_t inode;
	uint32_t prot;
	const uint8_t *build_id; /* of n_build_id bytes; 0: unknown */
	size_t n_build_id;
	const char *name;
};

void records_add_map(struct buf *, const struct records_map *);
/* An area of the kernel: "[kernel.kallsyms]_text", "[nf_tables]". */
void records_add_kernel_map(struct buf *, uint64_t start, uint64_t length, const char *name);
void records_add_comm(struct buf *, pid_t pid, pid_t tid, const char *name);
/* Registers of a sample, which unwinding needs, in the numbering of the architecture's perf_regs.h. */
#if defined(__x86_64__)
#define RECORDS_REGISTERS 0xff0fffu
#define RECORDS_IP ((uint64_t)1 << 8)
#elif defined(__aarch64__)
#define RECORDS_REGISTERS (((uint64_t)1 << 33) - 1)
#define RECORDS_IP ((uint64_t)1 << 32)
#else
#define RECORDS_REGISTERS 0u
#define RECORDS_IP 0u
#endif

/*
 * A sample with a copy of the stack and no chain; without registers, a chain of one address instead. Registers are
 * in the order of perf_regs.h.
 */
#define RECORDS_STACK_MOST 65000u
struct records_sample {
	uint64_t id, ip, sp, time, period; /* ns */
	pid_t pid, tid;
	uint64_t regs[33];
	size_t n_regs;
	const unsigned char *stack;
	size_t n_stack; /* a multiple of 8 */
};
void records_add_sample(struct buf *, const struct records_sample *);
/* What was read of the stack of a language (languages/items.h), for the sample of the same thread and time. */
struct records_language {
	uint64_t id, time; /* of the event for such records; 0: holds from the beginning on */
	pid_t pid, tid;
	const void *item;
	size_t n; /* bytes, a multiple of 4 */
};
#define RECORDS_ITEM_MOST 65000u
void records_add_language(struct buf *, const struct records_language *); /* a larger one is left out */
/* All records before it are older than those after the next one (perfdata/order.h). */
void records_add_round(struct buf *);
/* The end of a recording through a pipe: ROUNDS_AT_END. */
void records_end_pipe(struct buf *);
/* Are these bytes, the last ones of such a recording, its end? */
bool records_have_ended(const char *bytes, size_t n);
/* All records of this round and of those before are older. Needs CLOCK_MONOTONIC, in nanoseconds. */
void records_add_time(struct buf *, uint64_t time);
/* A thread left the CPU, or had left it before, and is blocked. */
void records_add_blocked(struct buf *, pid_t pid, pid_t tid, uint64_t time);
/* Samples of which only the number is known. */
void records_add_lost(struct buf *, uint64_t n);

/* The beginning of a recording in pipe layout, with its events. An event has room for that many ids there. */
#define RECORDS_PIPE_IDS 8000u
void records_begin_pipe(struct buf *, const struct counter_event *events, size_t n_events);

/*
 * The same of one in file layout: header, ids and events. The recording goes on from *data on. records_end_file()
 * appends what follows the n bytes of records, and makes the header new.
 */
void records_begin_file(struct buf *, const struct counter_event *events, size_t n_events);
/* The first records of a file: a recorder that dies leaves no list of events at the end. */
void records_add_names(struct buf *, const struct counter_event *, size_t n_events);
struct records_facts {
	char *const *command_line; /* of flametop; ends with NULL */
	const struct counter_event *events;
	size_t n_events;
};
void records_end_file(struct buf *header, struct buf *end, uint64_t n, const struct records_facts *);
/* The size of the data, in a header that was written, for a recording that may be cut off at any time. */
#define RECORDS_PLACE_OF_SIZE 48
/* The facts, as records of a pipe. */
void records_add_facts(struct buf *, const struct records_facts *);

#endif
