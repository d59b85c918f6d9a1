/*
 * entity.h - characters as XML and HTML write them: "&amp;", "&ouml;", "&#43;", "&#x2B;".
 *
 * Names are those of HTML, which include XML's (entity_names.h).
 */
#ifndef BASE_ENTITY_H
#define BASE_ENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

#define LONGEST_ENTITY 31u /* bytes between '&' and ';': CounterClockwiseContourIntegral */

/* Which code points a text between '&' and ';' means: one, or two (else codes[1] is 0). false: none. */
bool entity_read(struct slice text, uint32_t codes[2]);

#endif
