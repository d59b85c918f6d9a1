/*
 * wrap.h - what the wrapped functions (wrap.c) and their relatives record in the call that the thread is in.
 */
#ifndef LIB_ALONE_WRAP_H
#define LIB_ALONE_WRAP_H

#include <stdbool.h>

/* Records what end(thing) gives back. false: out of memory, and it was given back at once. */
bool wrap_hold(void (*end)(void *), void *thing);
/* It is given back, or belongs to somebody else now. */
void wrap_drop(void (*end)(void *), void *thing);

#endif
