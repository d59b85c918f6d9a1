/*
 * child_output.h - what another program prints, within limits of time and size.
 */
#ifndef BASE_CHILD_OUTPUT_H
#define BASE_CHILD_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct child_call {
	const char *const *argv; /* argv[0] is looked up in PATH */
	int in;                  /* a descriptor, or STREAM_NONE */
	const char *entry;       /* see struct streams */
	const char *missing;     /* what the error says if there is no such program; NULL: what the system says */
	int seconds;             /* that it may take */
	size_t most;             /* bytes that it may print */
	const atomic_bool *stop; /* once true, the call is cancelled; NULL: never */
};

/*
 * Appends what the program prints to standard output; its exit status is ignored. false with err (which may be
 * NULL): the program could not be started, or it exceeded a limit and was killed. `out` then has what came before.
 */
bool child_output(const struct child_call *, struct buf *out, struct err *err);

#endif
