/*
 * catalog.h - leads from the address of a store of profiles to one profile, menu by menu.
 *
 *	pyroscope://host/                              which type of profile?
 *	pyroscope://host/?query=TYPE{}&choose=labels   whose?
 *	...&choose=label:pod                           which value of the label?
 *	...&choose=time                                when? the total over time
 *	...&choose=until                               from that slot of time until when?
 *	pyroscope://host/?query=TYPE{pod="a"}&from=... a profile
 *
 * All that is chosen is in the address, so any of these can be given on the command line.
 */
#ifndef SOURCES_CATALOG_H
#define SOURCES_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sources/menu.h"
#include "sources/moment.h"
#include "sources/query.h"
#include "sources/talk.h"
#include "sources/url.h"

/* What an address says. */
struct asked {
	const struct url *url;
	struct talk *talk;
	struct query query;
	struct span span;
};

/* Strings that came from a server; zeroed: none. */
struct names {
	char **v;
	size_t n, cap;
};

void names_add(struct names *, const char *s, size_t n);

/* Weights by slots of time. */
struct totals {
	int64_t from, step; /* milliseconds */
	uint64_t *v;
	size_t n;
};

/* Adds to the slot of a moment; does nothing outside of them, or for a number that is no weight. */
void totals_add(struct totals *, int64_t ms, double v);

/* How a service tells what it has; each returns false with err if that fails. */
struct catalog {
	bool (*list_types)(struct asked *, struct names *, struct err *err);
	bool (*list_labels)(struct asked *, struct names *, struct err *err);
	bool (*list_values)(struct asked *, const char *label, struct names *, struct err *err);
	bool (*list_totals)(struct asked *, struct totals *, struct err *err);
};

/* The parameters of such an address are right, and it has no others but these and `more`, which ends with NULL. */
bool catalog_check(const struct url *, const char *const *more, struct err *err);
bool catalog_is_menu(const struct url *);
bool catalog_list(const struct catalog *, const struct url *, struct talk *, struct menu *, struct err *err);
/*
 * The profile that the address selects: `ask` returns a descriptor of it, or -1 with err. An answer without any
 * bytes is an error, too: nothing matches.
 */
int catalog_fetch(const struct url *, struct talk *, int (*ask)(struct asked *, struct err *err), struct err *err);

#endif
