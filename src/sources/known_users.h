/*
 * known_users.h - the users and passwords that libcurl takes from ~/.netrc and from proxy variables. flametop reads
 * them only to hide them in messages.
 */
#ifndef SOURCES_KNOWN_USERS_H
#define SOURCES_KNOWN_USERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct known_user {
	char *name, *password; /* name: NULL: none */
};

/* Zeroed: none. */
struct known_users {
	struct known_user *v;
	size_t n, cap; /* cap: private */
};

/*
 * Adds all of ~/.netrc, of whatever host, as libcurl finds the file; none if it is not there or must not be read.
 * false: it is no regular file, or larger than 64 KiB, so that they stay unknown.
 */
bool known_users_add_netrc(struct known_users *, struct err *err);
/* Adds those of proxies (http_proxy, HTTPS_PROXY and others): libcurl's messages name an address it cannot read. */
void known_users_add_proxies(struct known_users *);
void known_users_deinit(struct known_users *);

#endif
