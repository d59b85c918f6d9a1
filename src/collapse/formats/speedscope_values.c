/*
 * speedscope_values.c - numbers, lines and units of speedscope files.
 */
#include "collapse/formats/speedscope_values.h"

#include "base/mem.h"
#include "collapse/text/amount.h"

struct small_decimal small_decimal(const struct decimal *d)
{
	enum { MOST = 1000 };
	int32_t exponent = d->exponent > MOST ? MOST : d->exponent < -MOST ? -MOST : d->exponent;
	return (struct small_decimal){(uint32_t)d->digits, (uint32_t)(d->digits >> 32), (int16_t)exponent,
	                              d->is_negative};
}

decimal_whole small_decimal_amount(const struct small_decimal *d, unsigned places)
{
	const struct decimal whole = {(uint64_t)d->high << 32 | d->low, d->exponent, d->is_negative};
	decimal_whole v = amount_of(&whole, places);
	return v || !whole.digits ? v : whole.is_negative ? -1 : 1;
}

bool speedscope_number(struct sink *sink, struct slice text, struct decimal *d)
{
	if (decimal_read(text.s, text.n, d))
		return true;
	sink_warn(sink, "a number that cannot be read (it is left out)", 0, text.s, text.n);
	*d = (struct decimal){.digits = 1, .is_negative = true};
	return false;
}

uint32_t speedscope_frame(const struct decimal *d)
{
	if (!d->exponent && !d->is_negative) /* nearly all */
		return d->digits < UINT32_MAX ? (uint32_t)d->digits : UINT32_MAX;
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

char speedscope_unit(struct slice unit, unsigned char *places)
{
	static const struct {
		const char *name;
		unsigned char places;
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

bool speedscope_are_sides(struct slice after, struct slice before, struct slice *name)
{
	while (after.n && before.n && after.s[after.n - 1] == before.s[before.n - 1]) {
		after.n--;
		before.n--;
	}
	*name = slice_head(after, slice_ends(after, " after") ? after.n - strlen(" after") : 0);
	return slice_ends(after, " after") && slice_ends(before, " before");
}

bool speedscope_has_executed(const struct site *sites, size_t n, size_t n_symbols)
{
	uint32_t *first = mem_zalloc(n_symbols, sizeof *first);
	bool is_known = false;
	for (size_t i = 0; i < n && !is_known; i++) {
		uint32_t *known = &first[sites[i].sym];
		is_known = *known && sites[i].line && *known != sites[i].line;
		*known = sites[i].line ? sites[i].line : *known;
	}
	free(first);
	return is_known;
}

const char *speedscope_weights_note(size_t n_weights, size_t n_samples, char unit)
{
	if (n_weights == n_samples || (!n_weights && unit == 'n'))
		return NULL;
	return n_weights ? "not as many weights as samples (the surplus is left out)"
	                 : "samples of times or bytes without weights count as 1 each";
}
