/*
 * source_options.h - what the command line says about fetching.
 */
#ifndef SOURCES_SOURCE_OPTIONS_H
#define SOURCES_SOURCE_OPTIONS_H

#include <stdbool.h>

/* From the command line; texts that were not given are NULL. */
struct source_options {
	const char **headers;            /* "Name: value"; a NULL ends the list; owned array */
	const char *user;                /* "NAME:PASSWORD" */
	const char *bearer;              /* token */
	const char *cacert, *cert, *key; /* files */
	const char *key_password;        /* of the key, wherever it is */
	bool netrc, insecure;
	unsigned seconds;  /* to take samples for; 0: as the address says */
	unsigned every;    /* seconds from one answer to the next; 0: there is only one */
	unsigned patience; /* seconds of silence; 0: as usual */
	const char *save;  /* file for what comes */
	const char *sql;   /* what to ask a database for */
};

#endif
