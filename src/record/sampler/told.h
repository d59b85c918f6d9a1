/*
 * told.h - the signals that tell the sampler to end, or that its command has ended.
 *
 * They arrive only while the sampler waits for data, or at the end for its reader.
 */
#ifndef RECORD_SAMPLER_TOLD_H
#define RECORD_SAMPLER_TOLD_H

#include <signal.h>
#include <stdbool.h>

/* From now on the signals wait, but where ppoll() gets *open. *old: the mask before. */
void told_begin(sigset_t *old, sigset_t *open);

/* The signal that told us to end, of several the last; 0: none has come. */
int told_signal(void);
/* The same, also of a signal that has been sent and not yet arrived. */
bool told_to_end(void);
/* Has a child ended since the last call? */
bool told_of_child(void);
/* A backlog_patience: the more often we were told to end, the less time a reader has. */
int told_patience(void);

#endif
