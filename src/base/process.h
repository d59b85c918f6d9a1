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

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Tells the user: "flametop: TEXT\n" on standard error, with control characters and invalid UTF-8 made visible. */
void process_say(const char *text, size_t n);

/* Writes to standard error. false: not all of it; its reader, or its terminal, is gone or was given up. */
bool process_write(const char *bytes, size_t n);

/*
 * The end is near: from now on, standard error is given up once it takes nothing for so many seconds. What follows
 * goes to /dev/null. Without a call, process_say() and process_write() wait, as for a terminal after ^S.
 */
void process_limit_wait(unsigned seconds);
#define PROCESS_TOLD 2   /* seconds, after a signal */
#define PROCESS_ASKED 60 /* the same, after a key: the user may have stopped the output, to read it */

/* The mode that new files do not get. To read it, one has to change it for a moment; a library guesses 077. */
mode_t process_umask(void);

/* From now on, a write to a pipe whose reader has left is an error instead of a signal. */
void process_ignore_broken_pipes(void);

#endif
