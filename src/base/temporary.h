/*
 * temporary.h - names of files that must not outlive the process, however it ends.
 *
 * A file that is registered here is taken away when a signal ends the process, or when memory runs out. While there is
 * one, signals that would end the process have a handler, unless somebody else handles or ignores them; those handlers
 * call temporary_remove_all() before they let go. SIGKILL leaves the file.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

/*
 * The path is copied. Register before the file is made, under a name that nobody else has: a signal may come right
 * after. Returns a slot for temporary_forget(); -1: no room, the file is not looked after. One thread at a time.
 */
int temporary_register(const char *path);
/* It has been removed or has got its final name. -1 does nothing. */
void temporary_forget(int slot);
/* Removes what is registered. Async-signal-safe. */
void temporary_remove_all(void);

#endif
