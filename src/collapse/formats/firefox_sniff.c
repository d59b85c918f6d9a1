/*
 * firefox_sniff.c - tells raw and processed profiles of Firefox from each other and from other JSON.
 *
 *	{"meta":{"interval":1,"preprocessedProfileVersion":55,...     processed: a key in meta
 *	{"libs":[{"arch":"","name":"a.out","breakpadId":"..."},...    processed: a library without addresses
 *	{"shared":{"stackTable":{...                                  processed
 *	{"threads":[{...,"stackTable":{"frame":[...                   processed: a table of columns
 *	{"threads":[{"processStartupTime":0,...                       processed: raw threads lack it
 *	{"libs":[{"start":4096,"end":8192,...,"breakpadId":"..."      raw: a library with addresses
 *	{"threads":[{...,"stackTable":{"schema":{...                  raw: a table of rows
 *	{"meta":{"version":34,"startTime":1.7e12,...},"libs":[]       raw if the meta of a profile is all that there is
 *
 * Tables may be longer than the head of a file, so any of the marks is enough. The head is parsed as JSON: the same
 * words in a string prove nothing.
 */
#include "base/json.h"
#include "collapse/formats/firefox_profile.h"

enum place { ELSEWHERE, TOP, META, LIBS, LIB, SHARED, THREADS, THREAD, TABLE };

#define DEEPEST 6

struct look {
	struct json json;
	enum place places[DEEPEST];
	struct buf key;
	bool has_interval, has_version, has_start; /* of meta */
	bool has_breakpad, has_address;            /* of the library */
	bool is_meta_over;
	enum firefox_flavour found;
};

static struct slice key_of(const struct look *l)
{
	return (struct slice){l->key.len ? l->key.data : "", l->key.len};
}

static bool is_one_of(struct slice key, const char *const *words)
{
	for (; *words; words++)
		if (slice_is(key, *words))
			return true;
	return false;
}

static bool is_table(struct slice key)
{
	static const char *const words[] = {"samples", "stackTable", "frameTable", NULL};
	return is_one_of(key, words);
}

static void take_key(struct look *l, enum place place)
{
	static const char *const shared[] = {"stackTable", "frameTable", "funcTable", "stringArray", NULL};
	static const char *const columns[] = {"frame", "prefix", "prefixOffset", "func", "stack", NULL};
	struct slice key = key_of(l);
	if (place == META && slice_is(key, "preprocessedProfileVersion"))
		l->found = FLAVOUR_PROCESSED;
	else if (place == SHARED && is_one_of(key, shared))
		l->found = FLAVOUR_PROCESSED;
	else if (place == TABLE && is_one_of(key, columns))
		l->found = FLAVOUR_PROCESSED;
	else if (place == TABLE && (slice_is(key, "schema") || slice_is(key, "data")))
		l->found = FLAVOUR_RAW;
	else if (place == THREAD && slice_is(key, "processStartupTime"))
		l->found = FLAVOUR_PROCESSED;
	else if (place == META) {
		l->has_interval |= slice_is(key, "interval");
		l->has_version |= slice_is(key, "version");
		l->has_start |= slice_is(key, "startTime");
	} else if (place == LIB) {
		l->has_breakpad |= slice_is(key, "breakpadId");
		l->has_address |= slice_is(key, "start");
	}
}

static enum place place_of(const struct look *l, bool is_object)
{
	uint32_t depth = l->json.depth;
	enum place around = depth > 1 ? l->places[depth - 2] : ELSEWHERE;
	if (depth == 1)
		return is_object ? TOP : ELSEWHERE;
	if (around == TOP && is_object)
		return slice_is(key_of(l), "meta")      ? META
		       : slice_is(key_of(l), "shared")  ? SHARED
		       : slice_is(key_of(l), "profile") ? TOP
		                                        : ELSEWHERE;
	if (around == TOP)
		return slice_is(key_of(l), "libs") ? LIBS : slice_is(key_of(l), "threads") ? THREADS : ELSEWHERE;
	if (around == LIBS || around == THREADS)
		return !is_object ? ELSEWHERE : around == LIBS ? LIB : THREAD;
	return around == THREAD && is_object && is_table(key_of(l)) ? TABLE : ELSEWHERE;
}

static void open_container(struct look *l, bool is_object)
{
	uint32_t depth = l->json.depth;
	enum place place = depth <= DEEPEST ? place_of(l, is_object) : ELSEWHERE;
	if (depth == 1 && place == ELSEWHERE)
		l->found = FLAVOUR_NONE;
	else if (place == ELSEWHERE)
		json_leave(&l->json);
	else
		l->places[depth - 1] = place;
	if (place == LIB)
		l->has_breakpad = l->has_address = false;
}

static void close_container(struct look *l)
{
	uint32_t depth = l->json.depth;
	enum place place = depth < DEEPEST ? l->places[depth] : ELSEWHERE;
	if (place == META)
		l->is_meta_over = true;
	else if (place == LIB && l->has_breakpad)
		l->found = l->has_address ? FLAVOUR_RAW : FLAVOUR_PROCESSED;
}

static void take_token(struct look *l, enum json_token t)
{
	uint32_t depth = l->json.depth;
	if (t == JSON_KEY) {
		l->key.len = 0;
		buf_add(&l->key, l->json.text, l->json.len);
		take_key(l, depth <= DEEPEST ? l->places[depth - 1] : ELSEWHERE);
	} else if (json_begins_container(t)) {
		open_container(l, t == JSON_OBJECT);
	} else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END) {
		close_container(l);
	}
}

enum firefox_flavour firefox_flavour(const struct head *head)
{
	struct look l = {.found = FLAVOUR_UNDECIDED};
	enum json_token t;
	json_init(&l.json);
	buf_init(&l.key);
	json_feed(&l.json, head->text, head->len, false);
	while (l.found == FLAVOUR_UNDECIDED && (t = json_next(&l.json)) > JSON_MORE)
		take_token(&l, t);
	json_deinit(&l.json);
	buf_deinit(&l.key);
	if (l.found == FLAVOUR_UNDECIDED && !head->is_growing && l.is_meta_over && l.has_version && l.has_start &&
	    l.has_interval)
		return FLAVOUR_RAW;
	return l.found;
}
