/*
 * pushed.c - sends a profile to a store of profiles.
 */
#include "sources/pushed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wire.h"
#include "sources/query.h"
#include "sources/url.h"

/* ---- labels -------------------------------------------------------------------------------------------------- */

static void add_label(struct push_labels *l, char *name, char *value)
{
	mem_push(l->v, l->n, l->cap, name);
	mem_push(l->v, l->n, l->cap, value);
}

/* Adds the parameters of the address; false: err. */
static bool add_parameters(struct push_labels *l, const struct url *u, struct err *err)
{
	const char *at = NULL, *name;
	size_t n;
	while ((name = url_next_name(u, &at, &n))) {
		char *copy = mem_strndup(name, n), *value = url_value(u, copy);
		if (!query_is_label(name, n) || strncmp(copy, "__", 2) == 0 || !value || !*value) {
			fail(err, "%s: '%s' is no label with a value", u->shown, copy);
			free(copy);
			free(value);
			return false;
		}
		add_label(l, copy, value);
	}
	return true;
}

static bool has_label(const struct push_labels *l, const char *name)
{
	for (size_t i = 0; i < l->n; i += 2)
		if (strcmp(l->v[i], name) == 0)
			return true;
	return false;
}

static void labels_end(struct push_labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	*l = (struct push_labels){0};
}

/*
 * Labels of the address. Without service_name it is that of the profile. false: err names a parameter that is none.
 */
static bool labels_read(struct push_labels *l, const struct url *u, const char *service, const char *name,
                        struct err *err)
{
	*l = (struct push_labels){0};
	if (!add_parameters(l, u, err)) {
		labels_end(l);
		return false;
	}
	if (!has_label(l, "service_name"))
		add_label(l, mem_strdup("service_name"), mem_strdup(service));
	add_label(l, mem_strdup("__name__"), mem_strdup(name));
	return true;
}

bool push_labels_check(const struct url *u, struct err *err)
{
	struct push_labels l;
	bool is_good = labels_read(&l, u, "", "", err);
	if (is_good)
		labels_end(&l);
	return is_good;
}

/* Appends {service_name="shop"}. */
static void add_selector(struct buf *out, const struct push_labels *l)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, "{}");
	for (size_t i = 0; i < l->n; i += 2) {
		struct buf next;
		if (strncmp(l->v[i], "__", 2) == 0)
			continue;
		buf_init(&next);
		query_add_selector(&next, buf_str(&text), l->v[i], l->v[i + 1], strlen(l->v[i + 1]));
		buf_deinit(&text);
		text = next;
	}
	buf_add(out, text.data, text.len);
	buf_deinit(&text);
}

void push_labels_add_fields(struct buf *out, unsigned field, const struct push_labels *l)
{
	struct buf pair;
	buf_init(&pair);
	for (size_t i = 0; i < l->n; i += 2) {
		pair.len = 0;
		wire_add_bytes(&pair, 1, l->v[i], strlen(l->v[i]));
		wire_add_bytes(&pair, 2, l->v[i + 1], strlen(l->v[i + 1]));
		wire_add_bytes(out, field, pair.data, pair.len);
	}
	buf_deinit(&pair);
}

/* ---- sending ------------------------------------------------------------------------------------------------- */

bool pushed_send(const struct url *u, struct talk *t, const struct pushed *p,
                 void (*add)(struct buf *out, const struct push_labels *, const struct buf *pprof),
                 bool (*send)(const struct url *, struct talk *, const struct buf *message, struct err *err),
                 struct buf *said, struct err *err)
{
	struct buf message;
	struct push_labels l;
	if (!labels_read(&l, u, p->service, p->name, err))
		return false;
	buf_init(&message);
	add(&message, &l, p->pprof);
	bool is_sent = send(u, t, &message, err);
	if (is_sent) {
		buf_adds(said, p->name);
		add_selector(said, &l);
	}
	labels_end(&l);
	buf_deinit(&message);
	return is_sent;
}
