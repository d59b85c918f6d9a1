/*
 * requester.h - who asks: the credentials of an address, of the options and of a service's environment.
 */
#ifndef SOURCES_REQUESTER_H
#define SOURCES_REQUESTER_H

#include "base/err.h"
#include "sources/known_users.h"
#include "sources/source_options.h"
#include "sources/transfer.h"
#include "sources/url.h"

/* Zeroed, it has no credentials. Do not move it: `credentials` points into it. */
struct requester {
	struct credentials credentials; /* its strings belong to the options or to what follows */
	/* private; owned */
	char *user, *password, *bearer, *header;
	const char **headers;
	struct known_users others;
};

/*
 * Finds out who asks for this address. What is nearer wins: the address, then the options, then the environment,
 * whose credentials are only for the address that it names, if it names one. false: err, without secrets.
 */
bool requester_init(struct requester *, const struct url *, const struct source_options *, struct err *err);
void requester_deinit(struct requester *);

/*
 * A copy of an address of a service without a host, with the host from the environment, or this machine's; it may
 * hold secrets. NULL: the address has a host, or is of no service.
 */
char *requester_complete(const char *word);

#endif
