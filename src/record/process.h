/*
 * process.h - what /proc says about the programs of a recording.
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <sys/types.h>

#include "base/buf.h"

/*
 * The program below sudo, which may stay between us and the program; the process itself if it is not sudo. 0: it is
 * gone, or only sudo is there.
 */
pid_t process_below_sudo(pid_t);
/* A child of the process that still runs; 0: there is none, or the kernel does not tell. */
pid_t process_child(pid_t);
/* Appends the process's name, or its number if it has none. */
void process_add_name(pid_t, struct buf *out);
/*
 * Seconds of processor time used so far, including sudo's if sudo is in front, without those of the process's
 * children. Below 0: unknown.
 */
double process_time(pid_t);

#endif
