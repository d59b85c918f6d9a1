/*
 * entity.c - characters as XML and HTML write them: "&amp;", "&ouml;", "&#43;", "&#x2B;".
 */
#include "base/entity.h"

#include <stdlib.h>
#include <string.h>

#include "base/entity_names.h"
#include "base/hex.h"

/* "43", "x2B" */
static bool is_number(struct slice digits, uint32_t *code)
{
	uint64_t v = 0;
	unsigned base = digits.n && (*digits.s | 32) == 'x' ? 16 : 10;
	digits = slice_from(digits, base == 16);
	if (!digits.n)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		int d = hex_digit(digits.s[i]);
		if (v > 0x10FFFF || d < 0 || (unsigned)d >= base)
			return false;
		v = v * base + (unsigned)d;
	}
	*code = (uint32_t)v;
	return v > 0 && v <= 0x10FFFF && (v < 0xD800 || v > 0xDFFF);
}

static int compare(const void *name, const void *entry)
{
	const struct slice *s = name;
	const struct entity_name *e = entry;
	int order = strncmp(s->s, e->name, s->n);
	return order ? order : e->name[s->n] ? -1 : 0;
}

static const struct entity_name *find(struct slice name)
{
	const size_t n = sizeof entity_names / sizeof *entity_names;
	const struct entity_name *found = NULL;
	if (name.n <= LONGEST_ENTITY)
		found = bsearch(&name, entity_names, n, sizeof *entity_names, compare);
	return found && strlen(found->name) == name.n ? found : NULL; /* the text may have a NUL */
}

bool entity_read(struct slice text, uint32_t codes[2])
{
	codes[1] = 0;
	if (slice_take(&text, "#"))
		return is_number(text, codes);
	const struct entity_name *found = find(text);
	if (found)
		memcpy(codes, found->codes, sizeof found->codes);
	return found != NULL;
}
