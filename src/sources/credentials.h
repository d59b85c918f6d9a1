/*
 * credentials.h - what only the host of the given address gets.
 */
#ifndef SOURCES_CREDENTIALS_H
#define SOURCES_CREDENTIALS_H

#include <stdbool.h>

struct known_users;

/* Not for another scheme, host or port to which that one redirects. NULL, false: none. Not owned. */
struct credentials {
	const char *const *headers; /* "Name: value"; a NULL ends the list */
	const char *user, *password, *bearer;
	const char *cert, *key; /* files */
	const char *key_password;
	bool netrc;                       /* user and password from ~/.netrc */
	const struct known_users *others; /* not given to anybody here, only kept out of messages */
};

#endif
