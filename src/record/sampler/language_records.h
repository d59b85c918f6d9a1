/*
 * language_records.h - the part of the sampler that records stacks of languages.
 *
 * A NULL stands for a recording without them, and has no effect.
 */
#ifndef RECORD_SAMPLER_LANGUAGE_RECORDS_H
#define RECORD_SAMPLER_LANGUAGE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "record/sampler/counters.h"
#include "record/sampler/peek.h"

struct language_records;

/* Is the command (NULL: none), or one of the processes, an interpreter, as far as can be told before it begins? */
bool language_records_expected(char *const *command, const char *const *pids);
struct language_records *language_records_new(bool is_quiet);
void language_records_free(struct language_records *);

/*
 * Begins to read stacks, once all counters are open: at each sample, or when the peek (NULL: none) stops a thread.
 * is_pipe: it is a recording through a pipe. false with err: it is not possible, and the counters wake up at each
 * sample for nothing.
 */
bool language_records_start(struct language_records *, struct counters *, struct peek *, bool is_pipe,
                            struct err *);
/* All samples have been taken; their stacks can still be asked for. */
void language_records_stop(struct language_records *, struct buf *out);
/*
 * Call it in each round: goes on without a process that holds back its memory. Says so, as language_records_stop().
 */
void language_records_watch(struct language_records *, struct buf *out);

/* Appends what holds for all stacks. */
void language_records_begin(struct language_records *, struct buf *out);
/* Looks for an interpreter in a process, the first time. Appends the reason if one cannot be read. */
void language_records_look(struct language_records *, pid_t, struct buf *out);
/* A process holds back its memory, as others have found: the recording says so. */
void language_records_held(struct language_records *, pid_t, struct buf *out);
/* A process begins, runs another program, or maps a file: RECORD_FORK, RECORD_COMM or RECORD_MMAP2. */
void language_records_program(struct language_records *, const struct abi_record *, struct buf *out);
/* The ring in this place has records that were not looked at. */
void language_records_call(struct language_records *, size_t place);
/* Appends what was read for a sample of the ring in this place. */
void language_records_sample(struct language_records *, size_t place, const struct abi_record *, struct buf *out);

#endif
