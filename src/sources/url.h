/*
 * url.h - addresses of profiles: http://user:password@host:6060/debug/pprof/profile?seconds=5
 *
 * Secrets never reach the screen, a file or a message: user and password are cut from an address at once, and its
 * shown form hides the values of parameters that look like keys.
 */
#ifndef SOURCES_URL_H
#define SOURCES_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"
#include "sources/schemes.h"

/* All strings are owned. */
struct url {
	enum scheme scheme;
	char *request;         /* what a server is asked for: http, without user, password and fragment */
	char *shown;           /* for people: as given, but a token=... in it has become token=*** */
	char *host;            /* with the port if the address has one: "localhost:6060" */
	char *user, *password; /* decoded; NULL: none */
	size_t path;           /* of request: where the path begins */
	size_t query;          /* of request: where '?' is, or its end */
};

/* "pyroscope". */
const char *url_scheme_name(enum scheme);
/*
 * Is the word an address? "http://...", "https://...", and "host:6060" with or without a path, which is http. Any
 * other "NAME://..." is one, too, which url_read() refuses. A file of this name is not looked for.
 */
bool url_is(const char *word);
/*
 * Reads an address of HTTP; without a path it gets "/". false: err says why, without secrets; *u needs no deinit.
 */
bool url_read(struct url *u, const char *word, struct err *err);
/*
 * The same for what a user gives: it may also be an address of a service, such as pyroscope://host/?query=... or
 * pyroscope+https://host. Without a port it gets the service's usual one. In its query, a blank and a backslash
 * stand for themselves.
 */
bool url_read_given(struct url *u, const char *word, struct err *err);
void url_deinit(struct url *);

/* Is the server asked over TLS? Also of pyroscope+https://. */
bool url_is_https(const struct url *);
/* The value of a parameter (not decoded), up to *n bytes; NULL: there is none. */
const char *url_parameter(const struct url *, const char *name, size_t *n);
/* The same decoded, "" if there is none; the caller frees it. NULL: it would hold a control character. */
char *url_value(const struct url *, const char *name);
/*
 * The name of the next parameter, up to *n bytes; NULL: there are no more. *at is NULL before the first one.
 */
const char *url_next_name(const struct url *, const char **at, size_t *n);
/* Is the name of each parameter one of these, a list that ends with NULL? false: err names one that is not. */
bool url_has_only(const struct url *, const char *const *names, struct err *err);
/*
 * Appends the address with the parameter set to this value, which must need no encoding; NULL: without it. One of a
 * service stays one, as url_read_given() takes it.
 */
void url_add_with(struct buf *out, const struct url *, const char *name, const char *value);
/* Appends the address up to its path, without a slash at the end: of a service's API, that is below it. */
void url_add_path(struct buf *out, const struct url *);
/* Appends text as a value of a parameter of HTTP. */
void url_add_escaped(struct buf *out, const char *text, size_t n);
/* Appends text as a value of a parameter; what is readable stays so: process_cpu:cpu{job="a%26b"}. */
void url_add_encoded(struct buf *out, const char *text, size_t n);
/* Do both lead to the same scheme, host and port? Then credentials of one are for the other, too. */
bool url_is_same_origin(const struct url *, const struct url *);

/* Where a search for secret values stands: at the separator before the next parameter. */
struct url_search {
	const char *at;     /* first: the path, '?', '#' or "" */
	char part;          /* '?', '#'; 0: the path */
	bool follows_slash; /* '/' is also before *at, in the path */
};

/*
 * Finds the next value of a parameter with a secret name, in path (/x;jsessionid=...), query or fragment, also
 * within another value (?next=/x%3Ftoken%3D...), or of an address with a user in it (?next=http://me:...@host/). A
 * name may begin after ';', which separates parameters for some servers; a value in query or fragment ends at '&'
 * alone. false: there are no more.
 */
bool url_next_secret(struct url_search *, struct slice *value);
/*
 * Overwrites user, password and values of secret parameters in the word itself, such as an argument that others can
 * see.
 */
void url_blot(char *word);

#endif
