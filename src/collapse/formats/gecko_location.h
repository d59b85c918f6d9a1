/*
 * gecko_location.h - takes apart the location of a frame in raw profiles of Firefox.
 */
#ifndef COLLAPSE_FORMATS_GECKO_LOCATION_H
#define COLLAPSE_FORMATS_GECKO_LOCATION_H

#include "base/slice.h"

/* "file:///a.js:10:3" -> the URL and its line; the column may be missing. false: there is no line. */
bool gecko_take_place(struct slice *text, uint64_t *line);
/* Removes "[12]", the number of a source, from the end. */
struct slice gecko_without_source(struct slice text);

#endif
