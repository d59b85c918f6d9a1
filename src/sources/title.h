/*
 * title.h - what an address is called where there is little room.
 */
#ifndef SOURCES_TITLE_H
#define SOURCES_TITLE_H

#include "base/buf.h"

/*
 * Appends the title of an address, given as source_name() returns it: what is fetched, and from where, such as
 * "profile at host:6060" or "process_cpu:cpu{pod="a"} at host". Like an address, it may not be valid UTF-8.
 */
void title_add(struct buf *out, const char *address);

#endif
