/*
 * process.h - what /proc says of the programs of a recording.
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <sys/types.h>

#include "base/buf.h"

/*
 * A program that was started by sudo, or not: sudo may stay between us and it. 0: it is gone, or only sudo is
 * there.
 */
pid_t process_below_sudo(pid_t);
/* A program that it has started and that still runs; 0: there is none, or the kernel does not say. */
pid_t process_child(pid_t);
/* Appends the name that the system has for it, or its number. */
void process_add_name(pid_t, struct buf *out);
/*
 * Seconds of processor time that it has taken so far, with sudo's if that stands before it, and without those of
 * the programs that it has started. Below 0: not known.
 */
double process_time(pid_t);

#endif
