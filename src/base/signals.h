/*
 * signals.h - the numbers of signals.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>

/* One more than the highest signal: POSIX has no name for it. */
#ifdef NSIG
#define SIGNALS_END NSIG
#else
#define SIGNALS_END 65
#endif

#endif
