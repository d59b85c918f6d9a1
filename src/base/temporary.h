/*
 * temporary.h - files and programs that must not outlive the process, however it ends.
 *
 * A file that is registered here is taken away when a signal ends the process, at exit(), or when memory runs out; a
 * program gets SIGTERM. While there is one, signals that would end the process have a handler, unless somebody else handles or ignores
 * them; those handlers call temporary_remove_all() before they let go. SIGKILL leaves everything as it is.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <sys/types.h>

/*
 * The path is copied. Register before the file is made, under a name that nobody else has: a signal may come right
 * after. Returns a slot for temporary_forget(); -1: no room, the file is not looked after. One thread at a time.
 */
int temporary_register(const char *path);
/* A child, right after it was started, until it has been waited for. */
int temporary_register_child(pid_t);
/* It has been removed, has got its final name, or has ended. -1 does nothing. */
void temporary_forget(int slot);
/* Removes or ends what is registered. Async-signal-safe. */
void temporary_remove_all(void);

#endif
