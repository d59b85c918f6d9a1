/*
 * speedscope_values.c - numbers and units of speedscope files.
 */
#include "collapse/formats/speedscope_values.h"

#include "collapse/text/amount.h"

uint32_t speedscope_frame(const struct decimal *d)
{
	decimal_whole v = amount_of(d, 0);
	return v >= 0 && v < UINT32_MAX * AMOUNT_ONE && v % AMOUNT_ONE == 0 ? (uint32_t)(v / AMOUNT_ONE) : UINT32_MAX;
}

uint32_t speedscope_line(const struct decimal *d)
{
	decimal_whole v = decimal_times(d, 0);
	return v > 0 && v < INT32_MAX ? (uint32_t)v : 0;
}

bool speedscope_is_exact(struct slice text)
{
	size_t point = slice_find_byte(text, '.');
	if (point == SIZE_MAX)
		return true;
	struct slice rest = slice_from(text, point + 1), decimals = slice_take_digits(&rest);
	bool is_whole = true;
	for (size_t i = 0; i < decimals.n; i++)
		is_whole = is_whole && decimals.s[i] == '0';
	return is_whole || (decimals.n <= 6 && decimals.s[decimals.n - 1] != '0');
}

char speedscope_unit(struct slice unit, unsigned *places)
{
	static const struct {
		const char *name;
		unsigned places;
		char unit;
	} units[] = {{"nanoseconds", 0, 't'},
	             {"microseconds", 3, 't'},
	             {"milliseconds", 6, 't'},
	             {"seconds", 9, 't'},
	             {"bytes", 0, 'b'}};
	*places = 0;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!slice_is(unit, units[i].name))
			continue;
		*places = units[i].places;
		return units[i].unit;
	}
	return 'n';
}
