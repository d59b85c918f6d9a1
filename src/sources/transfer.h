/*
 * transfer.h - fetches one address over HTTP: redirects, credentials, limits of time and size.
 */
#ifndef SOURCES_TRANSFER_H
#define SOURCES_TRANSFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "sources/credentials.h"
#include "sources/curl.h"
#include "sources/url.h"

struct hops;
struct secrets;

/* What is asked for at an address; zeroed: GET. Not owned. */
struct request {
	const char *const *headers; /* "Name: value", no secrets: every host gets them. A NULL ends the list */
	const char *body;           /* POST; NULL: GET */
	size_t n_body;
	bool is_kept; /* the body is for this scheme, host and port only: another one is an error */
	/*
	 * Appends what an answer that is an error says, in one line, without secrets; false: its first line will do.
	 * May be NULL.
	 */
	bool (*explain)(struct buf *out, const struct secrets *, const char *said, size_t n);
};

/* Why the library is told to stop. */
enum transfer_fault { FAULT_NONE, FAULT_SILENT, FAULT_SIZE, FAULT_HEADS, FAULT_WRITE, FAULT_SAID, FAULT_LIBRARY };

struct transfer {
	/* set by the caller */
	const struct curl *curl;
	const struct url *url;
	struct request request;
	struct credentials who;
	const struct secrets *secrets; /* what no message may show */
	struct hops *hops;             /* gets where servers redirect to */
	const char *cacert;            /* file; NULL: as the system trusts */
	bool insecure;                 /* any certificate will do */
	unsigned seconds;              /* for which the server takes samples before it answers */
	unsigned patience;             /* seconds of silence, beyond that, after which it is given up */
	uint64_t most;                 /* bytes of an answer */
	int fd;                        /* the answer goes here */
	const atomic_bool *stop;
	/* Of the present answer, for a thread that watches; all is 0 if unknown. */
	atomic_uint_fast64_t done, all;
	/* Of the last answer, also if it is an error. The caller ends heads. */
	long status;
	struct buf heads; /* its headers and trailers, lines as they came */

	/* private, of the present hop */
	void *handle;
	enum transfer_fault fault;
	int fault_errno; /* of FAULT_WRITE */
	struct buf said; /* the beginning of an answer that is an error */
	size_t n_heads;  /* bytes of headers, also of answers before the last one (100 Continue) */
	double since;    /* when the hop began */
	double heard;    /* when enough had come last */
	uint64_t mark;   /* bytes by then */
	char words[CURL_ERROR_BYTES];
};

/* true: the answer is on the descriptor. false: err says why not, in one line, without secrets; or *stop is set. */
bool transfer_run(struct transfer *, struct err *err);

#endif
