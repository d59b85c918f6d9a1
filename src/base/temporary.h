/*
 * temporary.h - files and programs that must not outlive the process, however it ends.
 *
 * When a signal ends the process, at exit(), or when memory runs out, a registered file is removed, a registered
 * program gets a signal, and last come registered functions. While any is registered, deadly signals have a handler
 * unless they are handled or ignored already; those other handlers call temporary_remove_all() before they let the
 * process end. SIGKILL leaves everything in place.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <sys/types.h>

/*
 * Call at the start of main(). From then on, a write beyond the file size limit fails with EFBIG, even where
 * SIGXFSZ was not ignored. SIGXFSZ from any other sender ends the process, even where it was ignored.
 */
void temporary_begin(void);

/*
 * Copies the path. Register before creating the file, under a unique name: a signal may arrive right after. See
 * temporary_hold(). Returns a slot for temporary_forget(); -1: no room, and the file is not removed.
 */
int temporary_register(const char *path);
/* Registers a child, or by -pid its process group, and the signal that ends it: from its start until waitpid(). */
int temporary_register_child(pid_t, int signal);
/*
 * Another thing to do before the process ends, once: fn may call only functions that are safe in a signal handler.
 */
int temporary_register_call(void (*fn)(void *), void *arg);
/* The file was removed or has its final name, or the child has ended. -1 does nothing. */
void temporary_forget(int slot);
/* Removes the registered files, signals the registered programs; the process must end then. Async-signal-safe. */
void temporary_remove_all(void);
/*
 * Around registering a file, or adding it to what a registered function removes, and making it: a signal that
 * another thread takes ends the process after temporary_release(). temporary_hold() does not return if the process
 * is ending.
 */
void temporary_hold(void);
void temporary_release(void);

#endif
