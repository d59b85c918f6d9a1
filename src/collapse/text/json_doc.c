/*
 * json_doc.c - reads a JSON document by the meaning of its containers.
 */
#include "collapse/text/json_doc.h"

#include <assert.h>

/* What the elements of a list may be: a set; 0: anything. */
static unsigned short wanted_in(const struct json_rule *list, const struct json_rule *rules, size_t n_rules)
{
	unsigned wanted = 0;
	if (list->bracket == JSON_NUMBERS || list->bracket == JSON_BOTH)
		wanted |= JSON_SET(JSON_NUMBER);
	if (list->bracket == JSON_STRINGS || list->bracket == JSON_BOTH)
		wanted |= JSON_SET(JSON_STRING);
	for (size_t i = 0; i < n_rules; i++)
		if (rules[i].around == list->place && rules[i].place)
			wanted |= JSON_SET(rules[i].bracket == '{' ? JSON_OBJECT : JSON_ARRAY);
	return (unsigned short)wanted;
}

static bool is_object(unsigned char place, const struct json_rule *rules, size_t n_rules)
{
	for (size_t i = 0; i < n_rules; i++)
		if (rules[i].place == place && rules[i].bracket == '{')
			return true;
	return false;
}

void json_doc_init(struct json_doc *d, const struct json_rule *rules, size_t n_rules)
{
	*d = (struct json_doc){.rules = rules, .n_rules = n_rules, .key = {"", 0}, .text = {"", 0}};
	assert(n_rules <= JSON_RULES_MAX);
	for (size_t i = 0; i < n_rules; i++) {
		d->key_lengths[i] = rules[i].key ? (unsigned char)strlen(rules[i].key) : 0;
		assert(rules[i].around < JSON_PLACES_MAX && rules[i].place < JSON_PLACES_MAX);
		d->has_members[rules[i].around] |= rules[i].key || is_object(rules[i].around, rules, n_rules);
		if (rules[i].place && rules[i].bracket != '{')
			d->wanted[rules[i].place] = wanted_in(&rules[i], rules, n_rules);
	}
	json_init(&d->json);
	buf_init(&d->last_key);
}

void json_doc_deinit(struct json_doc *d)
{
	json_deinit(&d->json);
	free(d->places);
	buf_deinit(&d->last_key);
}

void json_doc_feed(struct json_doc *d, const char *text, size_t len)
{
	json_feed(&d->json, text, len, false);
}

static unsigned char innermost(const struct json_doc *d)
{
	return d->n_places ? d->places[d->n_places - 1] : JSON_OUTSIDE;
}

static bool is_about(const struct json_doc *d, size_t i, unsigned char around)
{
	const struct json_rule *r = &d->rules[i];
	return r->around == around &&
	       (!r->key || (d->key.n == d->key_lengths[i] && memcmp(d->key.s, r->key, d->key.n) == 0));
}

static enum json_token wanted_by(const struct json_rule *r)
{
	switch (r->bracket) {
	case '{':
		return JSON_OBJECT;
	case JSON_STRING_MEMBER:
		return JSON_STRING;
	case JSON_NUMBER_MEMBER:
		return JSON_NUMBER;
	default:
		return JSON_ARRAY;
	}
}

/* Counts the value of a key for which there are rules, but none for this kind. */
static void check_member(struct json_doc *d, enum json_token t, unsigned char around)
{
	const char *key = NULL;
	for (size_t i = 0; i < d->n_rules; i++) {
		if (!is_about(d, i, around))
			continue;
		if (wanted_by(&d->rules[i]) == t)
			return;
		key = d->rules[i].key ? d->rules[i].key : "";
	}
	if (!key)
		return;
	json_odd_add(&d->odd_members, (struct json_odd){1, d->json.line, key});
}

/* false: it has no meaning, and is skipped. */
static bool open_container(struct json_doc *d, enum json_token t)
{
	unsigned char around = innermost(d);
	for (size_t i = 0; i < d->n_rules; i++) {
		const struct json_rule *r = &d->rules[i];
		if (!is_about(d, i, around) || wanted_by(r) != t)
			continue;
		d->place = r->place;
		mem_push(d->places, d->n_places, d->cap_places, r->place);
		return true;
	}
	if (d->has_members[around])
		check_member(d, t, around);
	json_leave(&d->json);
	return false;
}

void json_doc_leave(struct json_doc *d)
{
	d->n_places--;
	json_leave(&d->json);
}

static void take_key(struct json_doc *d)
{
	d->last_key.len = 0;
	buf_add(&d->last_key, d->json.text, d->json.len);
	d->key = (struct slice){d->last_key.len ? d->last_key.data : "", d->last_key.len};
}

/* Is it an element of the wrong kind? A container of that kind is skipped. */
static bool is_odd(struct json_doc *d, enum json_token t)
{
	unsigned wanted = d->wanted[innermost(d)];
	return wanted && json_is_odd(&d->json, t, wanted);
}

static inline enum json_token take_scalar(struct json_doc *d, enum json_token t)
{
	bool has_text = t == JSON_STRING || t == JSON_NUMBER;
	d->place = innermost(d);
	d->text = has_text ? (struct slice){d->json.text, d->json.len} : (struct slice){"", 0};
	return t;
}

/* The end of a container that is skipped never comes, so each end is that of the innermost place. */
enum json_token json_doc_next(struct json_doc *d)
{
	for (;;) {
		enum json_token t = json_next(&d->json);
		if (t == JSON_KEY) {
			take_key(d);
		} else if (is_odd(d, t)) {
			take_scalar(d, t);
			return JSON_ODD;
		} else if (json_begins_container(t)) {
			if (open_container(d, t))
				return t;
			if (d->tells_members && d->n_places && !d->wanted[innermost(d)])
				return take_scalar(d, JSON_ODD_MEMBER);
		} else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END) {
			d->place = d->places[--d->n_places];
			return t;
		} else {
			take_scalar(d, t);
			if (d->has_members[d->place] && t >= JSON_STRING && t != JSON_NULL)
				check_member(d, t, d->place);
			return t;
		}
	}
}

void json_doc_skip(const struct json_doc *d, struct sink *sink)
{
	sink_skip(sink, ODD_ELEMENT, d->json.line, d->text.s, d->text.n);
}

void json_odd_say(const struct json_odd *odd, struct sink *sink)
{
	const char *what = odd->key ? ODD_MEMBER : ODD_ELEMENT, *key = odd->key ? odd->key : "";
	if (odd->n)
		sink_skip(sink, what, odd->line, key, strlen(key));
	if (odd->n > 1)
		report_add_times(&sink->profile->report, NOTE_SKIP, what, NULL, 0, odd->n - 1);
}

bool json_doc_end(struct json_doc *d, struct sink *sink, bool ok, struct err *err)
{
	json_odd_say(&d->odd_members, sink);
	if (!ok)
		return false;
	json_feed(&d->json, "", 0, true);
	if (json_doc_next(d) == JSON_ERROR)
		return fail(err, "%s", d->json.err.text);
	if (json_is_cut(&d->json)) {
		sink_lacks(sink)->is_cut_off = true;
		sink_warn(sink, "the input ends within the document (what came before is read)", d->json.line, NULL, 0);
	}
	return true;
}

static bool has_words(struct slice text, const char *const *keys)
{
	for (; *keys; keys++) {
		if (!slice_has(text, *keys))
			return false;
	}
	return true;
}

/* Counts keys of the list in the outermost object; JSON may repeat one, but writers do not. */
static bool has_keys(struct json *json, const char *const *keys)
{
	size_t left = 0;
	enum json_token t;
	while (keys[left])
		left++;
	while (left && (t = json_next(json)) > JSON_MORE) {
		if (json->depth > 1 && json_begins_container(t))
			json_leave(json);
		for (size_t i = 0; t == JSON_KEY && keys[i]; i++)
			left -= slice_is((struct slice){json->text, json->len}, keys[i]);
	}
	return !left;
}

bool json_head_has(const struct head *head, const char *const *keys)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	struct json json;
	if (!slice_starts(text, "{") || !has_words(text, keys))
		return false;
	json_init(&json);
	json_feed(&json, text.s, text.n, false);
	bool is_there = has_keys(&json, keys);
	json_deinit(&json);
	return is_there;
}
