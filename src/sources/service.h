/*
 * service.h - a store of profiles with an API of its own, behind addresses such as pyroscope://host:4040/?query=...
 *
 * One service is one file, which ends with a `const struct service`, and one row in schemes.h. Plain HTTP is a
 * service, too, without a row: endpoints.c. What a service wants to know it asks through a talk, which knows the
 * credentials, the limits and when to stop. What an address does not say yet is a menu: each item of it leads to
 * another address, until one leads to a profile.
 */
#ifndef SOURCES_SERVICE_H
#define SOURCES_SERVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "sources/menu.h"
#include "sources/pushed.h"
#include "sources/talk.h"
#include "sources/url.h"

struct service {
	const char *format; /* of its profiles; NULL: any */
	bool takes_sql;     /* --sql */
	/* Where it is and who asks, as the environment says; NULL, or members of NULL: nothing does. */
	const struct service_environment *environment;
	/* Appends the address that a shorter one stands for, or nothing. NULL: no address stands for another. */
	void (*complete)(struct buf *out, const struct url *);
	/* Appends the address with the seconds that the options ask for, or nothing. NULL: addresses have none. */
	void (*add_seconds)(struct buf *out, const struct url *, const struct source_options *);
	/* Can the address lead to a profile? false: err says why not. */
	bool (*check)(const struct url *, struct err *err);
	/* Must something be chosen first? NULL: never. */
	bool (*is_menu)(const struct url *);
	/* Makes the menu, for menu_deinit(). false: err says why not. */
	bool (*list)(const struct url *, struct talk *, struct menu *, struct err *err);
	/*
	 * Returns a descriptor of a profile that a format reads, which the caller closes. -1: err says why, or the talk
	 * was stopped.
	 */
	int (*fetch)(const struct url *, struct talk *, struct err *err);
	/*
	 * Sends a profile under the labels that are the address's parameters, and appends what it is called there.
	 * NULL: it takes none. false: err.
	 */
	bool (*push)(const struct url *, struct talk *, const struct pushed *, struct buf *said, struct err *err);
	/* Returns why the profile may be empty (static), or NULL: there is no special reason. NULL: there never is. */
	const char *(*hint)(const struct url *);
	/* Seconds for which the server takes samples before it answers. NULL: it answers at once. */
	unsigned (*seconds)(const struct url *);
};

/* Names of variables. */
struct service_environment {
	const char *url; /* where addresses without a host lead; the others are for it, if it is set */
	const char *user, *password;
	const char *bearer;         /* token */
	const char *header, *value; /* a header, and the variable for its value */
};

#define SERVICE_DECLARATION(name, port, tls_port) extern const struct service service_##name;
SCHEMES(SERVICE_DECLARATION)
#undef SERVICE_DECLARATION
extern const struct service service_http;

/* The service behind such addresses. */
const struct service *service_of(enum scheme);
/* Appends the schemes of those that take profiles: "pyroscope:// and parca://". */
void service_add_takers(struct buf *out);

#endif
