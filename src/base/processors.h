/*
 * processors.h - how many threads can run at the same time.
 */
#ifndef BASE_PROCESSORS_H
#define BASE_PROCESSORS_H

/* The processors that this process may use; at least 1. */
unsigned processors(void);

#endif
