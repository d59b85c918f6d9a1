/*
 * process.h - what the program does to its process as a whole, and libflametop must not do to that of its caller.
 *
 * Here the program prints on standard error, sets what signals do, and ends when memory runs out. src/lib/alone has
 * the same functions for the library, where they do none of this.
 *
 * Besides those below: mem_exhausted() (mem.h), child_inherit() and its relatives (child.h).
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* Tells the user: "flametop: TEXT\n" on standard error, with control characters and invalid UTF-8 made visible. */
void process_say(const char *text, size_t n);

/* The mode that new files do not get. To read it, one has to change it for a moment; a library guesses 077. */
mode_t process_umask(void);

/* From now on, a write to a pipe whose reader has left is an error instead of a signal. */
void process_ignore_broken_pipes(void);

#endif
