/*
 * cargo_messages.c - reads what cargo prints as JSON.
 *
 *	{"packages":[{"name":"one","targets":[{"kind":["bin"],"name":"one"}],"manifest_path":"/ws/one/Cargo.toml",
 *	              "default_run":null}]}
 *
 *	{"reason":"compiler-artifact","package_id":"path+file:///ws/one#0.1.0","target":{"kind":["bin"],"name":"one"},
 *	 "profile":{"debuginfo":0,"test":false},"executable":"/ws/target/release/one"}
 *
 * Members come in any order, so a target is complete only with its package.
 */
#include "record/cargo_messages.h"

#include <string.h>

#include "base/find.h"
#include "base/mem.h"
#include "collapse/text/json_doc.h"

static unsigned kind_of(struct slice text)
{
	static const struct {
		const char *name;
		enum cargo_kind kind;
	} kinds[] = {
		{"bin", CARGO_BIN},       {"example", CARGO_EXAMPLE}, {"test", CARGO_TEST}, {"bench", CARGO_BENCH},
		{"lib", CARGO_LIB},       {"rlib", CARGO_LIB},        {"dylib", CARGO_LIB}, {"cdylib", CARGO_LIB},
		{"staticlib", CARGO_LIB}, {"proc-macro", CARGO_LIB},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (slice_is(text, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

static const char *keep(struct arena *a, struct slice text)
{
	return arena_bytes(a, text.s, text.n);
}

/* ---- packages ------------------------------------------------------------------------------------------------ */

enum { METADATA = 1, PACKAGES, PACKAGE, TARGETS, TARGET, KINDS };

static void take_of_package(struct cargo_target *package, struct arena *a, const struct json_doc *doc)
{
	if (slice_is(doc->key, "name"))
		package->package = keep(a, doc->text);
	else if (slice_is(doc->key, "manifest_path"))
		package->manifest = keep(a, doc->text);
	else if (slice_is(doc->key, "default_run"))
		package->default_run = keep(a, doc->text);
}

/* Tells the targets from number `first` on what is known of their package. */
static void complete(struct cargo_targets *list, size_t first, const struct cargo_target *package)
{
	for (size_t i = first; i < list->n; i++) {
		list->v[i].package = package->package;
		list->v[i].manifest = package->manifest;
		list->v[i].default_run = package->default_run;
	}
}

bool cargo_read_targets(struct cargo_targets *list, struct arena *a, const char *text, size_t len, struct err *err)
{
	static const struct json_rule rules[] = {
		{JSON_OUTSIDE, NULL, '{', METADATA}, {METADATA, "packages", '[', PACKAGES}, {PACKAGES, NULL, '{', PACKAGE},
		{PACKAGE, "targets", '[', TARGETS},  {TARGETS, NULL, '{', TARGET},          {TARGET, "kind", '[', KINDS},
	};
	const struct cargo_target unknown = {"", "", "", NULL, 0};
	struct cargo_target package = unknown, target = unknown;
	struct json_doc doc;
	enum json_token t;
	size_t first = list->n;
	json_doc_init(&doc, rules, sizeof rules / sizeof *rules);
	json_doc_feed(&doc, text, len);
	while ((t = json_doc_next(&doc)) > JSON_MORE) {
		if (t == JSON_STRING && doc.place == KINDS)
			target.kinds |= kind_of(doc.text);
		else if (t == JSON_STRING && doc.place == TARGET && slice_is(doc.key, "name"))
			target.name = keep(a, doc.text);
		else if (t == JSON_STRING && doc.place == PACKAGE)
			take_of_package(&package, a, &doc);
		else if (t == JSON_OBJECT_END && doc.place == TARGET) {
			mem_push(list->v, list->n, list->cap, target);
			target = unknown;
		} else if (t == JSON_OBJECT_END && doc.place == PACKAGE) {
			complete(list, first, &package);
			first = list->n;
			package = unknown;
		}
	}
	bool is_good = t != JSON_ERROR && doc.json.depth == 0;
	if (!is_good)
		fail(err, "cargo metadata: %s", t == JSON_ERROR ? doc.json.err.text : "its output ends too early");
	json_doc_deinit(&doc);
	return is_good;
}

/* ---- a build ------------------------------------------------------------------------------------------------- */

enum { MESSAGE = 1, MESSAGE_TARGET, MESSAGE_KINDS, MESSAGE_PROFILE };

/*
 * The name in "path+file:///ws/dir#name@0.1.0", which is the directory's in "path+file:///ws/name#0.1.0"; older
 * versions write "name 0.1.0 (path+file:///ws/dir)".
 */
static struct slice name_in(struct slice id)
{
	const char *hash = find_last(id.s, '#', id.n), *end = id.s + id.n;
	const char *at = hash ? memchr(hash, '@', (size_t)(end - hash)) : NULL;
	if (at)
		return (struct slice){hash + 1, (size_t)(at - hash) - 1};
	if (!hash) {
		const char *blank = memchr(id.s, ' ', id.n);
		return (struct slice){id.s, blank ? (size_t)(blank - id.s) : id.n};
	}
	const char *slash = find_last(id.s, '/', (size_t)(hash - id.s)), *name = slash ? slash + 1 : id.s;
	return (struct slice){name, (size_t)(hash - name)};
}

static void take_text(struct cargo_artifact *found, struct arena *a, const struct json_doc *doc)
{
	if (doc->place == MESSAGE && slice_is(doc->key, "executable"))
		found->executable = keep(a, doc->text);
	else if (doc->place == MESSAGE && slice_is(doc->key, "package_id"))
		found->package = keep(a, name_in(doc->text));
	else if (doc->place == MESSAGE_TARGET && slice_is(doc->key, "name"))
		found->name = keep(a, doc->text);
	else if (doc->place == MESSAGE_KINDS)
		found->kinds |= kind_of(doc->text);
}

/* "debuginfo" is a number, null, or a word as "line-tables-only". */
static void take_profile(struct cargo_artifact *found, enum json_token t, const struct json_doc *doc)
{
	if (t < JSON_STRING) /* no value */
		return;
	if (slice_is(doc->key, "debuginfo"))
		found->has_debug_info = t == JSON_STRING || (t == JSON_NUMBER && !slice_is(doc->text, "0"));
	else if (slice_is(doc->key, "test"))
		found->has_harness = t == JSON_TRUE;
}

static void read_message(struct cargo_artifacts *list, struct arena *a, const char *line, size_t len)
{
	static const struct json_rule rules[] = {
		{JSON_OUTSIDE, NULL, '{', MESSAGE},
		{MESSAGE, "target", '{', MESSAGE_TARGET},
		{MESSAGE_TARGET, "kind", '[', MESSAGE_KINDS},
		{MESSAGE, "profile", '{', MESSAGE_PROFILE},
	};
	struct cargo_artifact found = {"", "", NULL, 0, false, false};
	struct json_doc doc;
	enum json_token t;
	bool is_artifact = false;
	json_doc_init(&doc, rules, sizeof rules / sizeof *rules);
	json_doc_feed(&doc, line, len);
	while ((t = json_doc_next(&doc)) > JSON_MORE) {
		if (doc.place == MESSAGE_PROFILE)
			take_profile(&found, t, &doc);
		else if (t == JSON_STRING && doc.place == MESSAGE && slice_is(doc.key, "reason"))
			is_artifact = slice_is(doc.text, "compiler-artifact");
		else if (t == JSON_STRING)
			take_text(&found, a, &doc);
	}
	json_doc_deinit(&doc);
	if (is_artifact && t != JSON_ERROR)
		mem_push(list->v, list->n, list->cap, found);
}

void cargo_read_artifacts(struct cargo_artifacts *list, struct arena *a, const char *text, size_t len)
{
	for (size_t at = 0, n; at < len; at += n + 1) {
		const char *newline = memchr(text + at, '\n', len - at);
		n = newline ? (size_t)(newline - text) - at : len - at;
		if (n && text[at] == '{')
			read_message(list, a, text + at, n);
	}
}
