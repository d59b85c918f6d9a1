/*
 * entity.c - characters as XML and HTML write them: "&amp;", "&ouml;", "&#43;", "&#x2B;".
 */
#include "base/entity.h"

#include <stdlib.h>
#include <string.h>

#include "base/entity_names.h"
#include "base/hex.h"

static bool is_code(struct slice digits, unsigned base, uint32_t *cp)
{
	uint64_t v = 0;
	if (!digits.n)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		int d = hex_digit(digits.s[i]);
		if (v > 0x10FFFF || d < 0 || (unsigned)d >= base)
			return false;
		v = v * base + (unsigned)d;
	}
	*cp = (uint32_t)v;
	return v > 0 && v <= 0x10FFFF && (v < 0xD800 || v > 0xDFFF);
}

/* "43", "x2B" */
static bool is_number(struct slice digits, uint32_t *cp)
{
	bool is_hex = digits.n && (*digits.s | 32) == 'x';
	return is_code(slice_from(digits, is_hex), is_hex ? 16 : 10, cp);
}

static int compare(const void *name, const void *entry)
{
	const struct slice *s = name;
	const struct entity_name *e = entry;
	int order = strncmp(s->s, e->name, s->n);
	return order ? order : e->name[s->n] ? -1 : 0;
}

static bool is_name(struct slice name, uint32_t *cp)
{
	const size_t n = sizeof entity_names / sizeof *entity_names;
	const struct entity_name *found = NULL;
	if (name.n <= LONGEST_ENTITY)
		found = bsearch(&name, entity_names, n, sizeof *entity_names, compare);
	if (!found || strlen(found->name) != name.n) /* it may have a NUL */
		return false;
	*cp = found->code;
	return true;
}

bool entity_read(struct slice text, uint32_t *cp)
{
	return slice_take(&text, "#") ? is_number(text, cp) : is_name(text, cp);
}
