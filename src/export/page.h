/*
 * page.h - the parts of the page export; private to it.
 *
 *	page.c         the document: head, style, data, script
 *	page_data.c    what the script draws: names, colours, frames
 *	page_events.c  the events that it has
 *	page.js        the data become trees, and trees are laid out
 *	page_draw.js   frames on a canvas
 *	page_state.js  zoom, search, views, and the address that names them
 *	page_table.js  the table of functions
 *	page_strip.js  the weight over time, to choose a range from
 *	page_ui.js     buttons, menu, help, pointer and keyboard; begins the program
 */
#ifndef EXPORT_PAGE_H
#define EXPORT_PAGE_H

#include "base/buf.h"
#include "export.h"
#include "page_events.h"

/* JSON that is safe within an element of HTML: no text can end that. */
void page_add_data(struct buf *, const struct view *, const struct export_options *, const struct page_events *);

#endif
