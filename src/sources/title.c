/*
 * title.c - what an address is called where there is little room.
 *
 *	http://host:6060/debug/pprof/profile?seconds=5                      profile at host:6060
 *	pyroscope://host/?from=1h&query=process_cpu:cpu:nanoseconds:
 *	    cpu:nanoseconds{pod="a"}                                        process_cpu:cpu{pod="a"} at host
 */
#include "sources/title.h"

#include <stdlib.h>
#include <string.h>

#include "sources/url.h"

/* "memory:inuse_space{pod="a"}" of "memory:inuse_space:bytes:space:bytes{pod="a"}" */
static void add_query(struct buf *out, const char *query)
{
	size_t n_type = strcspn(query, "{"), n_name = strcspn(query, ":{");
	if (query[n_name] == ':')
		n_name += 1 + strcspn(query + n_name + 1, ":{");
	buf_add(out, query, n_name);
	if (strlen(query + n_type) > 2) /* not {} */
		buf_adds(out, query + n_type);
}

/* A store's address has its path before that of the API: the query says what is fetched. */
static void add_what(struct buf *out, const struct url *u)
{
	char *query = url_value(u, "query");
	struct slice path = {u->request + u->path, u->query - u->path};
	struct slice name = slice_from(path, slice_find_last(path, '/') + 1); /* a path begins with '/' */
	if (query && *query && (u->scheme || !name.n))
		add_query(out, query);
	else
		buf_add(out, name.s, name.n);
	free(query);
}

/* As it was given: without a port that is usual. */
static void add_host(struct buf *out, const struct url *u)
{
	const char *mark = strstr(u->shown, "://"), *host = mark ? mark + 3 : u->shown;
	buf_add(out, host, strcspn(host, "/?#"));
}

void title_add(struct buf *out, const char *address)
{
	struct url u;
	struct err err;
	size_t start = out->len;
	if (!url_read_given(&u, address, &err)) {
		buf_adds(out, address);
		return;
	}
	add_what(out, &u);
	if (out->len > start)
		buf_adds(out, " at ");
	add_host(out, &u);
	url_deinit(&u);
}
