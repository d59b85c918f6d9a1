/*
 * swap_names.h - two files exchange their names in one step.
 */
#ifndef BASE_SWAP_NAMES_H
#define BASE_SWAP_NAMES_H

#include <stdbool.h>

/*
 * Async-signal-safe. false: errno says why, and nothing has changed (ENOSYS, EINVAL: this system, or this file
 * system, cannot do it).
 */
bool swap_names(const char *a, const char *b);

#endif
