/*
 * random.h - unpredictable bytes from the system.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Never waits. false: the system has none, as early at boot or in a sandbox; `to` is unchanged or partly filled. */
bool random_bytes(void *to, size_t n);

#endif
