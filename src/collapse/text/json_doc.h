/*
 * json_doc.h - reads a JSON document by the meaning of its containers, which a table of rules gives.
 *
 *	enum { TOP = 1, FRAMES, FRAME };
 *	static const struct json_rule rules[] = {
 *		{JSON_OUTSIDE, NULL, '{', TOP}, {TOP, "frames", '{', FRAMES}, {FRAMES, NULL, '{', FRAME}};
 *
 *	json_doc_feed(&doc, text, len);
 *	while ((t = json_doc_next(&doc)) > JSON_MORE)
 *		if (t == JSON_STRING && doc.place == FRAME && slice_is(doc.key, "name"))
 *			...
 *
 * Containers without a rule are skipped with all that is in them. Rules may lead in circles, so trees of objects
 * may have any depth: an open container takes one byte.
 */
#ifndef COLLAPSE_TEXT_JSON_DOC_H
#define COLLAPSE_TEXT_JSON_DOC_H

#include "base/json.h"
#include "collapse/text/lines.h"

#define JSON_OUTSIDE 0 /* around the document; a format's places count from 1 */

struct json_rule {
	unsigned char around; /* the place of the container around this one */
	const char *key;      /* NULL: any, and elements of arrays */
	char bracket;         /* '{' or '[' */
	unsigned char place;
};

struct json_doc {
	struct slice text;   /* of a string or number; else empty */
	struct slice key;    /* of the value; in an array, that of the last value with a key */
	unsigned char place; /* of the container that begins or ends, else of the one around the value */
	struct json json;
	/* private */
	const struct json_rule *rules;
	size_t n_rules;
	unsigned char *places; /* of the open containers */
	size_t n_places, cap_places;
	struct buf last_key;
};

void json_doc_init(struct json_doc *, const struct json_rule *, size_t n_rules);
void json_doc_deinit(struct json_doc *);

void json_doc_feed(struct json_doc *, const char *text, size_t len);
/* The next token with a meaning; keys are none. JSON_MORE: the piece is used up. */
enum json_token json_doc_next(struct json_doc *);
/* After JSON_OBJECT or JSON_ARRAY: skips the rest of that container, including its end. */
void json_doc_leave(struct json_doc *);
/*
 * Ends the document. ok: all was fed. An error, and a document that ends too early, leave what came before; the
 * second is noted. Returns whether the input can be called good.
 */
bool json_doc_end(struct json_doc *, struct sink *, bool ok, struct err *);

/* For sniffers: are these keys, a list that ends with NULL, in the outermost object? Others do not count. */
bool json_head_has(const struct head *, const char *const *keys);

#endif
