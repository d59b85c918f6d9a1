/*
 * endpoints.h - the profiles that a program offers below /debug/pprof/ (Go's net/http/pprof, and its like).
 */
#ifndef SOURCES_ENDPOINTS_H
#define SOURCES_ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sources/menu.h"
#include "sources/url.h"

#define ENDPOINTS "/debug/pprof/"

/* What a server says to an address, as far as the address tells. */
enum endpoint_kind {
	ENDPOINT_OTHER,  /* anything: no address of pprof */
	ENDPOINT_LIST,   /* the page that lists the profiles */
	ENDPOINT_CPU,    /* takes samples for a while */
	ENDPOINT_STATE,  /* how things are now: heap, goroutine */
	ENDPOINT_REFUSED /* no profile */
};

enum endpoint_kind endpoint_kind(const struct url *);
/* What to do instead, for one that is refused; else NULL. */
const char *endpoint_advice(const struct url *);
/* Seconds for which the server takes samples before it answers: its parameter, else the usual ones. */
unsigned endpoint_seconds(const struct url *);

struct endpoint {
	char *name;     /* as in the address: "heap" */
	uint64_t count; /* records that it has now; 0 for those that only begin when they are asked */
};

struct endpoints {
	struct endpoint *v;
	size_t n, cap;
};

/* Reads the page: the profiles that it links to, without those that are refused. Any bytes will do. */
void endpoints_read(struct endpoints *, const char *html, size_t n);
void endpoints_deinit(struct endpoints *);
/* Makes a menu of the endpoints of the list at this address, whose parameters stay. */
void endpoints_make_menu(struct menu *, const struct url *list, const struct endpoints *);

#endif
