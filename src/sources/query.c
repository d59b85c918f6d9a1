/*
 * query.c - the query in an address of a store of profiles.
 */
#include "sources/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sources/url.h"

#define LEAST_COLONS 4u /* name:type:unit:period type:period unit */
#define MOST_COLONS 5u  /* and :delta */

bool query_is_type(const char *type)
{
	unsigned n = 0;
	for (const char *c = type; *c; c++)
		n += *c == ':';
	return n >= LEAST_COLONS && n <= MOST_COLONS && type[0] != ':' && !strpbrk(type, " \"{}");
}

bool query_read(struct query *q, const struct url *u, struct err *err)
{
	char *text = url_value(u, "query");
	size_t n = text ? strlen(text) : 0;
	*q = (struct query){0};
	if (!text)
		return fail(err, "%s: 'query' has a control character", u->shown);
	char *brace = strchr(text, '{');
	if (brace && text[n - 1] != '}') {
		free(text);
		return fail(err, "%s: 'query' does not end with '}'", u->shown);
	}
	q->selector = mem_strdup(brace ? brace : "{}");
	if (brace)
		*brace = '\0';
	q->type = text;
	if (!*text || query_is_type(text))
		return true;
	query_deinit(q);
	return fail(err,
	            "%s: 'query' does not begin with a type of profile, as process_cpu:cpu:nanoseconds:cpu:nanoseconds",
	            u->shown);
}

void query_deinit(struct query *q)
{
	free(q->type);
	free(q->selector);
	*q = (struct query){0};
}

bool query_is_label(const char *name, size_t n)
{
	if (n == 0 || (name[0] >= '0' && name[0] <= '9'))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') ||
		      (name[i] >= '0' && name[i] <= '9') || name[i] == '_' || name[i] == '.'))
			return false;
	return true;
}

static void add_quoted(struct buf *out, const char *value, size_t n)
{
	buf_addc(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (value[i] == '"' || value[i] == '\\')
			buf_addc(out, '\\');
		if (value[i] == '\n')
			buf_adds(out, "\\n");
		else
			buf_addc(out, value[i]);
	}
	buf_addc(out, '"');
}

static bool is_empty(const char *selector)
{
	return selector[1 + strspn(selector + 1, " ,")] == '}';
}

void query_add_selector(struct buf *out, const char *selector, const char *name, const char *value, size_t n_value)
{
	if (!name) {
		buf_adds(out, selector);
		return;
	}
	if (is_empty(selector))
		buf_addc(out, '{');
	else
		buf_add(out, selector, strlen(selector) - 1);
	buf_addf(out, "%s%s=", is_empty(selector) ? "" : ",", name);
	add_quoted(out, value, n_value);
	buf_addc(out, '}');
}

void query_add_with(struct buf *out, const struct query *q, const char *name, const char *value, size_t n_value)
{
	buf_adds(out, q->type);
	query_add_selector(out, q->selector, name, value, n_value);
}
