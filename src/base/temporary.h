/*
 * temporary.h - files and programs that must not outlive the process, however it ends.
 *
 * A file that is registered here is taken away when a signal ends the process, at exit(), or when memory runs out;
 * a program gets a signal, and last come functions. While there is one, signals that would end the process have a handler, unless they are
 * handled or ignored already; those handlers call temporary_remove_all() before they let go. SIGKILL leaves
 * everything as it is.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <sys/types.h>

/*
 * At the start of main(): a file that grows beyond the limit of its size is an error of the write (EFBIG), also
 * where SIGXFSZ was not ignored. The same signal from elsewhere ends the process, also where it was.
 */
void temporary_begin(void);

/*
 * The path is copied. Register before the file is made, under a name that nobody else has: a signal may come right
 * after. Returns a slot for temporary_forget(); -1: no room, the file is not looked after.
 */
int temporary_register(const char *path);
/* A child and the signal that ends it, right after it was started, until it has been waited for. */
int temporary_register_child(pid_t, int signal);
/*
 * Something else that is to be done before the process ends, once: fn may use only what is safe in a handler for
 * signals.
 */
int temporary_register_call(void (*fn)(void *), void *arg);
/* It has been removed, has got its final name, or has ended. -1 does nothing. */
void temporary_forget(int slot);
/* Removes or ends what is registered. Async-signal-safe. */
void temporary_remove_all(void);

#endif
