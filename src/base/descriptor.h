/*
 * descriptor.h - file descriptors that programs started later do not inherit.
 *
 * Where the system cannot open and mark a descriptor in one call, a program that another thread starts in between
 * inherits it.
 */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A pipe: bytes written to ends[1] are read from ends[0]. false: failed, errno set. */
bool descriptor_pipe(int ends[2]);
/* The same; neither end waits. */
bool descriptor_pipe_nonblocking(int ends[2]);
/* A pair of connected local sockets of the type SOCK_STREAM, ... false: failed, errno set. */
bool descriptor_pair(int type, int ends[2]);
/* Sends to such a socket; a lost reader is an error, not a signal. */
ssize_t descriptor_send(int fd, const void *bytes, size_t n);
/* As dup2(), and `to` is not inherited. */
bool descriptor_copy(int from, int to);
/* Shuts this end of a pair of stream sockets down, so that every poll() and read() at the other end returns. */
void descriptor_wake(int fd);
/* Asks for a pipe that holds that many bytes. The system may refuse. */
void descriptor_enlarge(int fd, int bytes);
/* Is it the error (errno) of a process, or a system, that has too many open files? */
bool descriptor_is_lacking(int error);
/* Closes this descriptor and all above. Safe after fork(). */
void descriptor_close_from(int first);

#endif
