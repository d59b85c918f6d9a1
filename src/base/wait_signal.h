/*
 * wait_signal.h - waits for a signal, but not for ever.
 */
#ifndef BASE_WAIT_SIGNAL_H
#define BASE_WAIT_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/*
 * Takes one of these signals, which are blocked; returns its number, or 0 if none comes in that time. is_typed,
 * unless NULL: it came from the terminal, by a key.
 */
int wait_signal(const sigset_t *, const struct timespec *most, bool *is_typed);

/* Has one of these come, which are blocked? It is not taken. */
bool wait_signal_is_there(const sigset_t *);

#endif
