/*
 * entity.h - characters as XML and HTML write them: "&amp;", "&ouml;", "&#43;", "&#x2B;".
 *
 * Names are those of HTML for ASCII and Latin-1, which include XML's
 * (https://html.spec.whatwg.org/multipage/named-characters.html).
 */
#ifndef BASE_ENTITY_H
#define BASE_ENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

#define LONGEST_ENTITY 10u /* bytes between '&' and ';': #x0010FFFF */

/* Which character a text between '&' and ';' means; false: none. */
bool entity_read(struct slice text, uint32_t *cp);

#endif
