/*
 * tag_units.c - the table of units.
 */
#include "tag_units.h"

#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

struct tag_unit {
	const char *name;       /* as numbers are written */
	const char *aliases[4]; /* in small letters, without an "s" at the end */
	bool is_time;
	uint64_t factor; /* bytes or nanoseconds */
};

static const struct tag_unit units[] = {
	{"B", {"b", "byte"}, false, 1},
	{"kB", {"kb", "kbyte", "kilobyte"}, false, UINT64_C(1) << 10},
	{"MB", {"mb", "mbyte", "megabyte"}, false, UINT64_C(1) << 20},
	{"GB", {"gb", "gbyte", "gigabyte"}, false, UINT64_C(1) << 30},
	{"TB", {"tb", "tbyte", "terabyte"}, false, UINT64_C(1) << 40},
	{"PB", {"pb", "pbyte", "petabyte"}, false, UINT64_C(1) << 50},
	{"ns", {"ns", "nanosecond"}, true, 1},
	{"us", {"us", "\xce\xbcs", "microsecond"}, true, 1000},
	{"ms", {"ms", "millisecond"}, true, 1000000},
	{"s", {"s", "sec", "second"}, true, 1000000000},
	{"hrs", {"hour", "hr"}, true, UINT64_C(3600000000000)},
};
#define N_UNITS (sizeof units / sizeof *units)

#define LONGEST_ALIAS 15u
#define LONGEST_UNIT 1024u /* that is shown */

const struct tag_unit *tag_unit_find(const char *name, size_t len)
{
	char small[LONGEST_ALIAS + 1];
	if (!len || len > LONGEST_ALIAS)
		return NULL;
	for (size_t i = 0; i < len; i++)
		small[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
	if (len > 2 && small[len - 1] == 's' && small[0] != '\xce')
		len--;
	small[len] = '\0';
	for (size_t i = 0; i < N_UNITS; i++)
		for (size_t k = 0; k < 4 && units[i].aliases[k]; k++)
			if (strcmp(units[i].aliases[k], small) == 0)
				return &units[i];
	return NULL;
}

bool tag_unit_is_like(const struct tag_unit *a, const struct tag_unit *b)
{
	return a && b && a->is_time == b->is_time;
}

double tag_unit_convert(int64_t number, const struct tag_unit *from, const struct tag_unit *to)
{
	return (double)number * (double)from->factor / (double)to->factor;
}

const struct symbol *tag_unit_of(const struct symbol *unit, const struct symbol *key)
{
	static const struct symbol bytes = {.name = "bytes", .len = 5};
	if (unit->len)
		return unit;
	if (strcmp(key->name, "request") == 0 || strcmp(key->name, "alignment") == 0)
		return &bytes;
	return key;
}

/* The number in hundredths of a unit, if that is at least one unit and exact. */
static bool is_exact(uint64_t number, const struct tag_unit *from, const struct tag_unit *to, uint64_t *hundredths)
{
	uint64_t all;
	if (__builtin_mul_overflow(number, from->factor, &all) || all < to->factor ||
	    __builtin_mul_overflow(all, 100, &all) || all % to->factor)
		return false;
	*hundredths = all / to->factor;
	return true;
}

/* Very many numbers may share a long unit. */
static void add_unit(struct buf *out, const struct symbol *unit)
{
	buf_addc(out, ' ');
	buf_add(out, unit->name, utf8_cut(unit->name, unit->len, LONGEST_UNIT));
	if (unit->len > LONGEST_UNIT)
		buf_adds(out, "...");
}

void tag_units_add(struct buf *out, int64_t number, const struct symbol *unit, const struct symbol *key)
{
	uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, hundredths;
	const struct tag_unit *u = tag_unit_find(unit->name, unit->len);
	const char *sign = number < 0 ? "-" : "";
	for (size_t i = N_UNITS; u && i-- > 0;) {
		if (!tag_unit_is_like(u, &units[i]) || !is_exact(size, u, &units[i], &hundredths))
			continue;
		buf_adds(out, sign);
		number_add_fixed(out, hundredths, 2);
		buf_adds(out, units[i].name);
		return;
	}
	buf_addf(out, "%s%llu", sign, (unsigned long long)size);
	bool is_said = unit->len == key->len && memcmp(unit->name, key->name, key->len) == 0;
	if (u)
		buf_adds(out, u->name);
	else if (!is_said && strcmp(unit->name, "count") != 0)
		add_unit(out, unit);
}
