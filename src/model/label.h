/*
 * label.h - fits a name into few columns.
 */
#ifndef MODEL_LABEL_H
#define MODEL_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "symtab.h"

/*
 * Appends the name, or its most informative part in at most `columns` columns. The least informative parts go
 * first: parameters and return type; template arguments; leading namespaces, directories and packages; then the
 * end. An ellipsis (ascii: "..") marks all cuts but parameters and type. Below 3 columns, a name that does not fit
 * appends nothing.
 */
void label_fit(struct buf *out, const struct display_name *, size_t columns, bool ascii);

#endif
