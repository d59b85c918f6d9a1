/*
 * wait_signal.c - sigtimedwait(), an option of POSIX that macOS and OpenBSD lack; there, naps between looks.
 */
#include "base/wait_signal.h"

#include "base/platform.h"
#include "base/signals.h"

bool wait_signal_is_there(const sigset_t *set)
{
	sigset_t pending;
	if (sigpending(&pending) != 0)
		return false;
	for (int sig = 1; sig < SIGNALS_END; sig++)
		if (sigismember(set, sig) == 1 && sigismember(&pending, sig) == 1)
			return true;
	return false;
}

#if ON_LINUX

int wait_signal(const sigset_t *set, const struct timespec *most, bool *is_typed)
{
	siginfo_t info;
	int sig = sigtimedwait(set, &info, most);
	if (is_typed)
		*is_typed = sig > 0 && info.si_code == SI_KERNEL;
	return sig > 0 ? sig : 0;
}

#else

#define NAP 10 /* milliseconds */

/* Takes one that has come already; 0: none has. */
static int take(const sigset_t *set)
{
	sigset_t pending, one;
	int taken = 0;
	if (sigpending(&pending) != 0)
		return 0;
	for (int sig = 1; sig < SIGNALS_END; sig++) {
		if (sigismember(set, sig) != 1 || sigismember(&pending, sig) != 1)
			continue;
		sigemptyset(&one);
		sigaddset(&one, sig);
		return sigwait(&one, &taken) == 0 ? taken : 0;
	}
	return 0;
}

/* Who sent a signal is not known here; a SIGINT most often comes from a key. */
int wait_signal(const sigset_t *set, const struct timespec *most, bool *is_typed)
{
	const struct timespec nap = {0, NAP * 1000000};
	long left = (long)most->tv_sec * 1000 + most->tv_nsec / 1000000;
	int sig = take(set);
	for (; sig == 0 && left > 0; left -= NAP) {
		nanosleep(&nap, NULL);
		sig = take(set);
	}
	if (is_typed)
		*is_typed = sig == SIGINT;
	return sig;
}

#endif
