/*
 * tag_units.h - units of labels that are numbers: bytes and times, each unit with the names that pprof knows.
 */
#ifndef MODEL_TAG_UNITS_H
#define MODEL_TAG_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "symtab.h"

/* NULL: unknown. Case does not matter, nor does an "s" at the end. */
const struct tag_unit *tag_unit_find(const char *name, size_t len);
/* Are both bytes, or both times? */
bool tag_unit_is_like(const struct tag_unit *, const struct tag_unit *);
/* A number of one unit in another one like it. */
double tag_unit_convert(int64_t number, const struct tag_unit *from, const struct tag_unit *to);

/* The unit of a label: "request" and "alignment" are bytes, and a key may be its unit ("bytes"). */
const struct symbol *tag_unit_of(const struct symbol *unit, const struct symbol *key);
/*
 * Appends a number exactly, as "128kB" or "1.5ms"; "3 pages" of another unit, of which it takes at most a kilobyte;
 * "3" if the key says the unit.
 */
void tag_units_add(struct buf *out, int64_t number, const struct symbol *unit, const struct symbol *key);

#endif
