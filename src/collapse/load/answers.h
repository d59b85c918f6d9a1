/*
 * answers.h - reads an input that comes as one profile after the other, while a viewer shows the newest of it.
 *
 * Each answer is a whole profile, and is shown when it is complete. What a server measured for a while adds to the
 * profile, with the time at which that began; a state (the heap, the goroutines) takes the place of the one before.
 */
#ifndef COLLAPSE_LOAD_ANSWERS_H
#define COLLAPSE_LOAD_ANSWERS_H

#include "collapse/load/job.h"

/* Reads the answer on the descriptor into job->profile. */
typedef bool load_answer_fn(struct load_job *, const struct load_input *, int fd, struct err *);

/* May a profile that came from others be added to the whole: are names, labels and stacks within limits then? */
bool answers_have_room(const struct profile *whole, const struct profile *more);

/*
 * Goes on until shared->stop is set (true), or several answers in a row cannot be had or read (false). One that
 * fails between good ones becomes a note. A receiver (load_fetcher.judge) says itself when there are no more;
 * any number of profiles sent to it may be bad, and false means that none was good.
 */
bool answers_read(struct load_job *, const struct load_input *, load_answer_fn *, struct err *);

#endif
