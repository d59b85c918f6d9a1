/*
 * requester.c - who asks.
 */
#include "sources/requester.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/slice.h"
#include "sources/service.h"

/* A variable that is set, and not empty; NULL: none. */
static const char *variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;
	return value && *value ? value : NULL;
}

/* ---- where to ------------------------------------------------------------------------------------------------ */

/* "pyroscope:///?query=x" and "pyroscope://?query=x": returns what follows the host that is not there. */
static const char *hostless(const char *scheme, const char *word)
{
	size_t n = strlen(scheme);
	if (strncasecmp(word, scheme, n) != 0 || strncmp(word + n, "://", 3) != 0)
		return NULL;
	const char *rest = word + n + 3;
	return *rest == '\0' || *rest == '/' || *rest == '?' ? rest : NULL;
}

/* Appends the variable's host and path. Without a port it is that of HTTP, not the service's. */
static void add_host(struct buf *out, const struct url *u, const char *url)
{
	const char *colon = strstr(url, "://"), *from = colon ? colon + 3 : url;
	size_t n = strcspn(from, "/?#"), n_path = u->query - u->path;
	bool has_port = strlen(u->host) > strcspn(u->host, ":") && u->host[strlen(u->host) - 1] != ']';
	buf_add(out, from, n);
	if (!has_port && !url_is_https(u))
		buf_adds(out, ":80");
	while (n_path > 0 && u->request[u->path + n_path - 1] == '/')
		n_path--;
	buf_add(out, u->request + u->path, n_path);
}

static char *with_host(const char *scheme, const struct service_environment *e, const char *rest)
{
	struct buf out;
	struct url u;
	const char *url = e ? variable(e->url) : NULL;
	bool is_known = url && url_read(&u, url, NULL);
	bool is_https = is_known && url_is_https(&u);
	buf_init(&out);
	buf_addf(&out, "%s%s://", scheme, is_https ? "+https" : "");
	if (is_known) {
		add_host(&out, &u, url);
		url_deinit(&u);
	} else if (!url) {
		buf_adds(&out, "localhost");
	}
	buf_adds(&out, rest);
	return buf_take(&out);
}

char *requester_complete(const char *word)
{
	for (unsigned s = SCHEME_HTTP + 1; s < N_SCHEMES; s++) {
		const char *scheme = url_scheme_name((enum scheme)s), *rest = hostless(scheme, word);
		if (rest)
			return with_host(scheme, service_of((enum scheme)s)->environment, rest);
	}
	return NULL;
}

/* ---- credentials --------------------------------------------------------------------------------------------- */

static void take_user(struct requester *r, const struct url *u, const char *given)
{
	const char *colon = given ? strchr(given, ':') : NULL;
	r->user = mem_strdup(u->user);
	r->password = mem_strdup(u->password);
	if (r->user || !given)
		return;
	r->user = colon ? mem_strndup(given, (size_t)(colon - given)) : mem_strdup(given);
	r->password = mem_strdup(colon ? colon + 1 : "");
}

/* A variable with a line break would become a header of its own. */
static bool read_variable(const char *name, char **to, struct err *err)
{
	const char *value = variable(name);
	if (value && has_control_byte(value))
		return fail(err, "%s has a control character", name);
	*to = mem_strdup(value);
	return true;
}

static bool has_header(const char *const *headers, const char *name)
{
	size_t n = strlen(name);
	for (; headers && *headers; headers++)
		if (strncasecmp(*headers, name, n) == 0 && (*headers)[n] == ':')
			return true;
	return false;
}

/* Adds a header to a copy of the list. */
static void add_header(struct requester *r, const char *name, const char *value)
{
	struct buf text;
	size_t n = 0;
	const char *const *old = r->credentials.headers;
	while (old && old[n])
		n++;
	buf_init(&text);
	buf_addf(&text, "%s: %s", name, value);
	r->header = buf_take(&text);
	r->headers = mem_alloc((n + 2) * sizeof *r->headers);
	for (size_t i = 0; i < n; i++)
		r->headers[i] = old[i];
	r->headers[n] = r->header;
	r->headers[n + 1] = NULL;
	r->credentials.headers = r->headers;
}

/* Does the environment speak of the host of this address? */
static bool is_of(const struct service_environment *e, const struct url *u)
{
	struct url named;
	const char *url = variable(e->url);
	if (!url)
		return true;
	if (!url_read(&named, url, NULL))
		return false;
	bool is_same = url_is_same_origin(&named, u);
	url_deinit(&named);
	return is_same;
}

static bool ask_environment(struct requester *r, const struct service_environment *e, struct err *err)
{
	char *value;
	bool is_known = r->user || r->credentials.bearer || r->credentials.netrc ||
	                has_header(r->credentials.headers, "Authorization");
	if (!is_known && !(read_variable(e->bearer, &r->bearer, err) &&
	                   (r->bearer || (read_variable(e->user, &r->user, err) &&
	                                  (!r->user || read_variable(e->password, &r->password, err))))))
		return false;
	if (r->bearer)
		r->credentials.bearer = r->bearer;
	if (!e->header || has_header(r->credentials.headers, e->header))
		return true;
	if (!read_variable(e->value, &value, err))
		return false;
	if (value)
		add_header(r, e->header, value);
	free(value);
	return true;
}

bool requester_init(struct requester *r, const struct url *u, const struct source_options *o, struct err *err)
{
	const struct service_environment *e = service_of(u->scheme)->environment;
	*r = (struct requester){.credentials = {.headers = (const char *const *)o->headers,
	                                        .bearer = o->bearer,
	                                        .cert = o->cert,
	                                        .key = o->key,
	                                        .key_password = o->key_password,
	                                        .netrc = o->netrc}};
	take_user(r, u, o->user);
	known_users_add_proxies(&r->others);
	if (o->netrc && !known_users_add_netrc(&r->others, err))
		return false;
	r->credentials.others = &r->others;
	if (e && is_of(e, u) && !ask_environment(r, e, err))
		return false;
	r->credentials.user = r->user;
	r->credentials.password = r->password;
	return true;
}

void requester_deinit(struct requester *r)
{
	free(r->user);
	free(r->password);
	free(r->bearer);
	free(r->header);
	free((void *)r->headers);
	known_users_deinit(&r->others);
	*r = (struct requester){.user = NULL};
}
