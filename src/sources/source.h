/*
 * source.h - profiles that are fetched: an address in the place of a file.
 *
 *	sources_init -> source_add for each address -> sources_ready -> source_fetch by the thread that loads
 *
 * Who gave an address or an option keeps no secret of it: source_add() blots the word out, and everything shown is
 * made of the source's name.
 */
#ifndef SOURCES_SOURCE_H
#define SOURCES_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sources/endpoints.h"

/* From the command line; texts that were not given are NULL. */
struct source_options {
	const char **headers;            /* "Name: value"; a NULL ends the list; owned array */
	const char *user;                /* "NAME:PASSWORD" */
	const char *bearer;              /* token */
	const char *cacert, *cert, *key; /* files */
	bool netrc, insecure;
	unsigned seconds;  /* to take samples for; 0: as the address says */
	unsigned every;    /* seconds from one answer to the next; 0: there is only one */
	unsigned patience; /* seconds of silence; 0: as usual */
	const char *save;  /* file for what comes */
};

struct source;

/* All sources of a run; zeroed: none. */
struct sources {
	struct source **v;
	size_t n, cap;
};

/* Is the word an address, and no file that is here? */
bool source_is(const char *word);
/*
 * Adds the source for an address, and blots its secrets out of the word. The options must outlive it. NULL: err
 * says why.
 */
struct source *source_add(struct sources *, char *word, const struct source_options *, struct err *err);
void sources_deinit(struct sources *);
/* Makes what fetching needs. Call it once, before other threads run, if there are sources. false: err. */
bool sources_ready(struct sources *, struct err *err);
/* The source with this name (the same pointer); NULL: none. */
struct source *source_find(const struct sources *, const char *name);

/* Its address without secrets; lives as long as the source, but for source_choose(). */
const char *source_name(const struct source *);
enum endpoint_kind source_kind(const struct source *);
/* Seconds for which the server takes samples before it answers; 0: it answers at once. */
unsigned source_seconds(const struct source *);

/*
 * Fetches it, unless it is here already (--every: always anew). Returns a descriptor of a regular file at its
 * beginning, which the caller closes; -1: err says why, or *stop was set.
 */
int source_fetch(struct source *, const atomic_bool *stop, struct err *err);

/* For ENDPOINT_LIST: fetches what it lists, for endpoints_deinit(). false: err says why, or that it is nothing. */
bool source_list(struct source *, struct endpoints *, struct err *err);
/* Makes it the source of an endpoint of the list; source_name() is new. */
void source_choose(struct source *, const char *endpoint);

#endif
