/*
 * menu.h - what can be chosen at an address: each item leads to another one.
 */
#ifndef SOURCES_MENU_H
#define SOURCES_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct menu_item {
	char *name;     /* short, for a message that names them all; NULL: that leaves it out */
	char *text;     /* a line for people, as it came: not clean */
	char *address;  /* may be one with secrets */
	uint64_t value; /* weight, if the menu has them */
};

/* Zeroed: empty. Everything is owned. */
struct menu {
	char *title; /* not clean */
	char *what;  /* "several profiles": what there is to choose, for a message */
	struct menu_item *v;
	size_t n, cap;
	bool has_values; /* weights, to be drawn as bars */
};

/* Copies. name may be NULL. Adds nothing once there are very many. */
void menu_add(struct menu *, const char *name, const char *text, const char *address, uint64_t value);
/* Appends "heap (12), goroutine (5)", as many as fit into a message. */
void menu_add_names(struct buf *out, const struct menu *);
void menu_deinit(struct menu *);

#endif
