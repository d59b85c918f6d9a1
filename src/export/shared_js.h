/*
 * shared_js.h - the scripts that a drawing (SVG) and a page (HTML) have in common.
 */
#ifndef EXPORT_SHARED_JS_H
#define EXPORT_SHARED_JS_H

#include "base/buf.h"

/* Appends them, after the script that they go on. */
void shared_js_add(struct buf *);

#endif
