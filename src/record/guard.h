/*
 * guard.h - a process that ends the programs of a recording if flametop cannot.
 */
#ifndef RECORD_GUARD_H
#define RECORD_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/family.h"

/* pid 0: there is none. */
struct guard {
	pid_t pid;
	int fd;
	bool reads_on;
};

/*
 * Starts it; of other threads none may hold a lock that it could need, as that of malloc(). tell is called in that
 * process. `printed` is a pipe that it reads on when all is over, for as long as somebody prints into it; -1: none.
 * It may fail, and then the other functions do nothing.
 */
void guard_start(struct guard *, int printed, family_tell *, void *arg);
/* The programs that it is to end; 0: none. */
void guard_watch(struct guard *, pid_t recorder, pid_t script);
/* They have ended, or are left alone. */
void guard_end(struct guard *);

#endif
