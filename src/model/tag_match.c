/*
 * tag_match.c - reads such an expression, and tests sets of labels.
 */
#include "tag_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "match.h"
#include "tag_units.h"

/* One end of a range. */
struct bound {
	bool is_there;
	int64_t number;
	const struct tag_unit *unit; /* NULL: the label's own, or `other` */
	const char *other;           /* text of a unit that is not in the table; NULL: none */
	size_t n_other;
};

struct tag_match {
	char *text;     /* owned; bounds point into it */
	struct buf key; /* if has_key */
	bool has_key;
	bool is_range;
	struct bound least, most;
	struct match **parts; /* regular expressions, or one exact value */
	size_t n, cap;
	bool is_exact;
	struct buf value; /* of the label that is tested */
};

/* --- numbers --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Reads "128kb" at *s, which moves past it. */
static bool read_bound(const char **s, struct bound *b)
{
	const char *p = *s;
	bool is_negative = *p == '-';
	uint64_t v = 0;
	p += *p == '-' || *p == '+';
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v) ||
		    v > INT64_MAX)
			return false;
	const char *unit = p;
	while (is_letter(*p))
		p++;
	size_t n = (size_t)(p - unit);
	*b = (struct bound){.is_there = true, .number = is_negative ? -(int64_t)v : (int64_t)v};
	b->unit = tag_unit_find(unit, n);
	b->other = n && !b->unit ? unit : NULL;
	b->n_other = n;
	*s = p;
	return true;
}

static bool are_alike(const struct bound *a, const struct bound *b)
{
	if (a->unit || b->unit)
		return tag_unit_is_like(a->unit, b->unit);
	if (!a->other || !b->other)
		return a->other == b->other;
	return a->n_other == b->n_other && memcmp(a->other, b->other, a->n_other) == 0;
}

static bool read_range(struct tag_match *m, const char *s)
{
	bool has_least = read_bound(&s, &m->least);
	if (has_least && !*s) {
		m->most = m->least;
		return true;
	}
	if (*s++ != ':')
		return false;
	bool has_most = read_bound(&s, &m->most);
	if (has_least && has_most && !m->most.unit && !m->most.other) { /* 128kb:512 is up to 512kb */
		m->most.unit = m->least.unit;
		m->most.other = m->least.other;
		m->most.n_other = m->least.n_other;
	}
	return !*s && (has_least || has_most) && (!has_least || !has_most || are_alike(&m->least, &m->most));
}

/*
 * -1: below the bound, 1: above it; false: they are of different units. As in pprof, one of no known unit counts
 * as one of the bound's.
 */
static bool compare(const struct bound *b, int64_t number, const struct symbol *unit, int *order)
{
	const struct tag_unit *u = tag_unit_find(unit->name, unit->len);
	if (b->unit && u && !tag_unit_is_like(u, b->unit))
		return false;
	if (b->other && (unit->len != b->n_other || memcmp(unit->name, b->other, b->n_other) != 0))
		return false;
	double x = b->unit && u ? tag_unit_convert(number, u, b->unit) : (double)number;
	*order =
		b->unit ? (x > (double)b->number) - (x < (double)b->number) : (number > b->number) - (number < b->number);
	return true;
}

static bool is_within(const struct tag_match *m, const struct tags *t, const struct tag *tag)
{
	const struct symbol *names = t->names.symbols, *unit = tag_unit_of(&names[tag->unit], &names[tag->key]);
	int order;
	if (!tag->is_number)
		return false;
	if (m->least.is_there && (!compare(&m->least, tag->number, unit, &order) || order < 0))
		return false;
	return !m->most.is_there || (compare(&m->most, tag->number, unit, &order) && order <= 0);
}

/* --- texts --- */

static bool add_part(struct tag_match *m, const char *pattern, size_t len, struct err *err)
{
	char *part = mem_strndup(pattern, len);
	struct match *match = m->is_exact ? match_new(part, MATCH_REGEX, err) : match_new_for_texts(part, err);
	free(part);
	if (match)
		mem_push(m->parts, m->n, m->cap, match);
	return match;
}

static bool add_parts(struct tag_match *m, const char *value, struct err *err)
{
	m->is_exact = m->has_key && strncmp(value, MATCH_NAME, strlen(MATCH_NAME)) == 0;
	if (m->is_exact)
		return add_part(m, value, strlen(value), err);
	for (;;) {
		size_t n = strcspn(value, ",");
		if (!add_part(m, value, n, err))
			return false;
		if (!value[n])
			return true;
		value += n + 1;
	}
}

struct tag_match *tag_match_new(const char *text, struct err *err)
{
	struct tag_match *m = mem_zalloc(1, sizeof *m);
	m->text = mem_strdup(text);
	buf_init(&m->key);
	buf_init(&m->value);
	const char *value = m->text, *equals = strchr(value, '=');
	if (equals) {
		m->has_key = true;
		tags_read_key(&m->key, value, (size_t)(equals - value));
		value = equals + 1;
	}
	m->is_range = read_range(m, value);
	if (m->is_range || add_parts(m, value, err))
		return m;
	tag_match_free(m);
	return NULL;
}

void tag_match_free(struct tag_match *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		match_free(m->parts[i]);
	free(m->parts);
	buf_deinit(&m->key);
	buf_deinit(&m->value);
	free(m->text);
	free(m);
}

uint64_t tag_match_exceeded(const struct tag_match *m)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < m->n; i++)
		sum += match_exceeded(m->parts[i]);
	return sum;
}

static bool has_wanted_key(const struct tag_match *m, const struct tags *t, const struct tag *tag)
{
	const struct symbol *key = &t->names.symbols[tag->key];
	return !m->has_key || (key->len == m->key.len && (!key->len || memcmp(key->name, m->key.data, key->len) == 0));
}

/* Makes the text that patterns are matched with; false: the label has none. */
static bool make_text(struct tag_match *m, const struct tags *t, const struct tag *tag)
{
	const struct symbol *key = &t->names.symbols[tag->key];
	m->value.len = 0;
	if (tag->is_number && !m->is_exact)
		return false;
	if (!m->has_key) {
		buf_add(&m->value, key->name, key->len);
		buf_addc(&m->value, ':');
	}
	tags_add_value(t, tag, &m->value);
	return true;
}

static bool part_matches(struct tag_match *m, size_t part, const struct tags *t, uint32_t set)
{
	for (size_t i = 0; i < tags_size(t, set); i++) {
		struct tag tag = tags_at(t, tags_member(t, set, i));
		if (has_wanted_key(m, t, &tag) && make_text(m, t, &tag) &&
		    match_name(m->parts[part], buf_str(&m->value), m->value.len))
			return true;
	}
	return false;
}

static bool any_is_within(const struct tag_match *m, const struct tags *t, uint32_t set)
{
	for (size_t i = 0; i < tags_size(t, set); i++) {
		struct tag tag = tags_at(t, tags_member(t, set, i));
		if (has_wanted_key(m, t, &tag) && is_within(m, t, &tag))
			return true;
	}
	return false;
}

bool tag_match_set(struct tag_match *m, const struct tags *t, uint32_t set)
{
	if (m->is_range)
		return any_is_within(m, t, set);
	for (size_t i = 0; i < m->n; i++)
		if (part_matches(m, i, t, set) == m->has_key)
			return m->has_key;
	return !m->has_key;
}
