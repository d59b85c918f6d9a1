/*
 * estimate.c - weight whose paths are estimated, and the words for it.
 */
#include "estimate.h"

#include "base/number.h"

void estimate_add(struct profile *p, unsigned side, uint32_t series, uint64_t weight)
{
	weight_add(&p->series[series].estimated[side], weight);
}

void estimate_append(struct profile *dst, const struct profile *src, const uint32_t *series)
{
	for (size_t i = 0; i < src->n_series; i++)
		for (unsigned side = 0; side < 2; side++)
			weight_add(&dst->series[series[i]].estimated[side],
			           with_decimals(src->series[i].estimated[side], src->decimals, dst->decimals));
}

void estimate_scale(struct profile *p, unsigned to)
{
	for (size_t i = 0; i < p->n_series; i++)
		for (unsigned side = 0; side < 2; side++)
			p->series[i].estimated[side] = with_decimals(p->series[i].estimated[side], p->decimals, to);
}

/* The series, or for -1 the first, with estimated paths; NULL: none. */
static const struct series *find(const struct profile *p, int32_t series, unsigned side)
{
	for (size_t i = series < 0 ? 0 : (size_t)series; i < p->n_series; i++) {
		if (p->series[i].estimated[side])
			return &p->series[i];
		if (series >= 0)
			break;
	}
	return NULL;
}

static void add_certain(const struct series *s, unsigned side, struct buf *out)
{
	uint64_t all = s->total[side], estimated = s->estimated[side];
	number_add_percent(out, all > estimated ? all - estimated : 0, all, 1);
	buf_addc(out, '%');
}

bool estimate_add_words(const struct profile *p, int32_t series, unsigned side, struct buf *out)
{
	const struct series *s = find(p, series, side);
	if (!s)
		return false;
	buf_adds(out, side ? "before: " : "");
	add_certain(s, side, out);
	buf_adds(out, " of all weight");
	if (p->n_series > 1)
		buf_addf(out, " of %s", profile_event_name(p, (size_t)(s - p->series)));
	buf_adds(out, " is on paths that are certain; the others are estimated from a call graph");
	return true;
}

bool estimate_add_share(const struct profile *p, int32_t series, struct buf *out)
{
	const struct series *s = find(p, series, 0);
	if (!s)
		return false;
	buf_adds(out, "paths estimated, ");
	add_certain(s, 0, out);
	buf_adds(out, " of all certain");
	return true;
}
