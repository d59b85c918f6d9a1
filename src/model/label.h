/*
 * label.h - a name in few columns.
 */
#ifndef MODEL_LABEL_H
#define MODEL_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "symtab.h"

/*
 * Appends the name, or as much of it as says most in at most `columns` columns: what tells least goes first
 * (parameters and the type that is returned, template arguments, then leading namespaces, directories and packages,
 * then the end). Where more than parameters and type had to go an ellipsis says so (ascii: ".."). Below 3 columns a
 * name that does not fit gives nothing.
 */
void label_fit(struct buf *out, const struct display_name *, size_t columns, bool ascii);

#endif
