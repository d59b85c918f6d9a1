/*
 * markdown.h - text as Markdown; private to the exports.
 */
#ifndef EXPORT_MARKDOWN_H
#define EXPORT_MARKDOWN_H

#include "base/buf.h"

/* Appends clean text as code, whatever characters it has; also within a cell of a table. */
void markdown_add_code(struct buf *out, const char *s);

#endif
