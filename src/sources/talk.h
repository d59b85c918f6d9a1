/*
 * talk.h - asks a server, once or several times, with the user's credentials and limits.
 */
#ifndef SOURCES_TALK_H
#define SOURCES_TALK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "sources/secrets.h"
#include "sources/source_options.h"
#include "sources/transfer.h"

struct talk {
	/* set by the caller; not owned */
	const struct source_options *options;
	const struct curl *curl;
	struct credentials who; /* for the host of `home` */
	const struct url *home;
	struct hops *hops;       /* gets those of each answer */
	unsigned seconds;        /* for which the server takes samples before it answers */
	const atomic_bool *stop; /* NULL: only a signal does */
	/* of the last answer */
	long status;            /* of HTTP; 0: none came */
	struct buf heads;       /* its headers */
	struct secrets secrets; /* what no message may show; from talk_begin() on */
	/* private */
	struct transfer transfer;
};

/* Once what the caller sets is set. */
void talk_begin(struct talk *);
void talk_end(struct talk *);

#define TALK_MOST_BYTES (UINT64_C(2) << 30)

/*
 * Asks for an address below home's scheme, host and port. Returns a descriptor of the answer, a file without a name
 * that the caller closes. -1: err says why, in one line and without secrets, or *stop is set.
 */
int talk_ask(struct talk *, const char *address, const struct request *, uint64_t most, struct err *err);
#define TALK_MOST_TEXT (UINT64_C(16) << 20)
/* The same for an answer that is short enough for memory, such as TALK_MOST_TEXT: appends it. */
bool talk_read(struct talk *, const char *address, const struct request *, uint64_t most, struct buf *out,
               struct err *err);

/* A file without a name that holds the bytes, at its beginning; -1: err. */
int talk_file_of(const void *bytes, size_t n, struct err *err);

#endif
