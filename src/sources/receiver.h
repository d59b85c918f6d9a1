/*
 * receiver.h - takes OpenTelemetry profiles that programs push over HTTP, one at a time.
 *
 *	receiver_open -> receiver_next -> receiver_answer -> receiver_next -> ... -> receiver_free
 *
 * It works only within receiver_next() and receiver_serve(), and needs no thread of its own. While another
 * thread reads a profile, the caller calls receiver_serve(), so that other clients do not wait. The number of
 * connections (a hundred), the bytes of all bodies, and the time that each may take are bounded.
 */
#ifndef SOURCES_RECEIVER_H
#define SOURCES_RECEIVER_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

#define RECEIVER_USUAL "127.0.0.1:4318"

struct receiver;

/*
 * Listens at "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT"; an address alone is one of this machine as a number, or
 * localhost, which is also that of a port alone. Port 0: any. NULL: err says why.
 */
struct receiver *receiver_open(const char *where, struct err *err);
void receiver_free(struct receiver *);
/* Where clients send profiles, as an address of HTTP. Lives as long as the receiver. */
const char *receiver_name(const struct receiver *);
/* "127.0.0.1:4318" */
const char *receiver_place(const struct receiver *);
/* Can only programs of this machine reach it? */
bool receiver_is_local(const struct receiver *);
/* receiver_next() ends so many seconds after receiver_open(); 0: never. */
void receiver_set_end(struct receiver *, double seconds);
/* It ends, too, once this is not 0; a signal handler may set it. */
void receiver_heed(struct receiver *, const volatile sig_atomic_t *is_over);

/*
 * Waits for a profile. Returns a descriptor of a regular file at its beginning, which the caller closes; then
 * receiver_answer() is to be called. -1: *stop is set, or it is over; err is empty. -1 with err: a profile was
 * refused before it was complete, and the caller may go on.
 */
int receiver_next(struct receiver *, const atomic_bool *stop, struct err *err);
/*
 * Lets clients go on while the profile of receiver_next() is read; waits for them for at most a millisecond. false:
 * it is over, and reading is to be given up.
 */
bool receiver_serve(struct receiver *);
/* What became of it, as a status of HTTP: 200, or another one and why. */
void receiver_answer(struct receiver *, int status, const char *why);

#endif
