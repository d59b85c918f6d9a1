/*
 * page_events.h - which events of a profile a page has besides that of the view; private to the page export.
 */
#ifndef EXPORT_PAGE_EVENTS_H
#define EXPORT_PAGE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "export.h"

struct page_events {
	bool *has;         /* owned; by series: the page has it besides that of the view */
	size_t n_all;      /* events with samples, that of the view included */
	size_t n_left_out; /* of them the page lacks so many */
	bool has_parts;    /* each is a profile of its own (model/parts.h) */
};

/*
 * Does the page have more events of the profile than that of the view? Not if the user chose one, and not of a
 * comparison: events are compared only with those of the other side.
 */
bool page_has_all_events(const struct view *, const struct export_options *);

void page_events_init(struct page_events *, const struct view *, const struct export_options *);
void page_events_deinit(struct page_events *);
/* "13,881 of 15,000 events are left out, ..."; nothing if the page has all. */
void page_events_add_words(const struct page_events *, struct buf *);

#endif
