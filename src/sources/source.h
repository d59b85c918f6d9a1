/*
 * source.h - profiles that are fetched: an address in the place of a file.
 *
 *	sources_init -> source_add for each address -> sources_ready -> source_fetch by the thread that loads
 *
 * Who gave an address or an option keeps no secret of it: source_add() blots the word out, and everything shown is
 * made of the source's name.
 */
#ifndef SOURCES_SOURCE_H
#define SOURCES_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sources/menu.h"
#include "sources/pushed.h"
#include "sources/source_options.h"

struct source;

/* All sources of a run; zeroed: none. */
struct sources {
	struct source **v;
	size_t n, cap;
};

/* Is the word an address, and no file that is here? */
bool source_is(const char *word);
/*
 * Adds the source for an address, and blots its secrets out of the word. The options must outlive it. NULL: err
 * says why.
 */
struct source *source_add(struct sources *, char *word, const struct source_options *, struct err *err);
/* The same for an address to which a profile is sent. */
struct source *source_add_target(struct sources *, char *word, const struct source_options *, struct err *err);
void sources_deinit(struct sources *);
/* Makes what fetching needs. Call it once, before other threads run, if there are sources. false: err. */
bool sources_ready(struct sources *, struct err *err);
/* Does any of them take options.sql? */
bool sources_take_sql(const struct sources *);
/* The source with this name (the same pointer); NULL: none. */
struct source *source_find(const struct sources *, const char *name);

/* Its address without secrets; lives as long as the source, but for source_choose(). */
const char *source_name(const struct source *);
/* Why it may have no stacks, for a message; NULL: unknown. Static. */
const char *source_hint(const struct source *);
/* Seconds for which the server takes samples before it answers; 0: it answers at once. */
unsigned source_seconds(const struct source *);
/* The name of the format that it has for certain; NULL: any. */
const char *source_format(const struct source *);
/* Does the address leave something to be chosen, so that there is nothing to fetch yet? */
bool source_is_menu(const struct source *);

/*
 * Fetches it, unless it is here already (--every: always anew). Returns a descriptor of a regular file at its
 * beginning, which the caller closes; -1: err says why, or *stop was set.
 */
int source_fetch(struct source *, const atomic_bool *stop, struct err *err);
/* Writes the last answer to the file of --save, if there is such an option and the answer is not empty. */
bool source_save(struct source *, struct err *err);
/* Did answers come of which none was worth the file of --save? */
bool source_is_unsaved(const struct source *);

/* Overwrites the secrets of its address and of the options in a part of its answer, for a message. */
void source_hide(const struct source *, char *text, size_t n);

/* Sends a profile to a target, and appends what it is called there. false: err names the address. */
bool source_push(struct source *, const struct pushed *, struct buf *said, struct err *err);

/*
 * If it is a menu: fetches what there is to choose, at least one item, for menu_deinit(). false: err says why not,
 * or *stop was set, which may be NULL.
 */
bool source_list(struct source *, const atomic_bool *stop, struct menu *, struct err *err);
/* Makes it the source of an item's address; source_name() is new. */
void source_choose(struct source *, const char *address);

#endif
