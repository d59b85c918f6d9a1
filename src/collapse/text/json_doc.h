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
 *
 * Elements of lists are often known by their number. So an element of the wrong kind comes as one token, JSON_ODD,
 * for which the reader keeps a place: a list wants the containers that have rules in it, and the scalars that its
 * rule names instead of '['; without any of these it wants nothing.
 *
 *	{TOP, "weights", JSON_NUMBERS, WEIGHTS}
 *
 * A member of an object that a rule names, but that is of another kind, is counted, and json_doc_end() reports it;
 * null stands for nothing. JSON_STRING_MEMBER and JSON_NUMBER_MEMBER are rules for members that are no containers:
 *
 *	{TOP, "unit", JSON_STRING_MEMBER, 0}
 *
 * With tells_members, a container without a rule that is a member of an object comes as JSON_ODD_MEMBER, for
 * readers whose numbers matter: {"weight":[3]}.
 */
#ifndef COLLAPSE_TEXT_JSON_DOC_H
#define COLLAPSE_TEXT_JSON_DOC_H

#include "base/json.h"
#include "collapse/text/lines.h"

#define JSON_OUTSIDE 0     /* around the document; a format's places count from 1 */
#define JSON_PLACES_MAX 32 /* of a format */
#define JSON_RULES_MAX 32

struct json_rule {
	unsigned char around; /* the place of the container around this one */
	const char *key;      /* NULL: any, and elements of arrays */
	char bracket;         /* '{', '[', a list with these scalars, or a member: */
	unsigned char place;
};

#define JSON_NUMBERS '0'
#define JSON_STRINGS '"'
#define JSON_BOTH '*'
#define JSON_STRING_MEMBER 's'
#define JSON_NUMBER_MEMBER 'n'

/* Values of the wrong kind. Zeroed: none. */
struct json_odd {
	uint64_t n, line; /* line: of the first */
	const char *key;  /* of the first, if they are members; else NULL. Not owned */
};

struct json_doc {
	struct slice text;   /* of a string or number; else empty */
	struct slice key;    /* of the value; in an array, that of the last value with a key */
	unsigned char place; /* of the container that begins or ends, else of the one around the value or JSON_ODD */
	struct json json;
	bool tells_members;
	/* private */
	const struct json_rule *rules;
	size_t n_rules;
	unsigned char key_lengths[JSON_RULES_MAX]; /* by rule */
	unsigned char *places;                     /* of the open containers */
	size_t n_places, cap_places;
	struct buf last_key;
	unsigned short wanted[JSON_PLACES_MAX]; /* by place: set of tokens; 0: any */
	bool has_members[JSON_PLACES_MAX];      /* by place: rules name members of it */
	struct json_odd odd_members;
};

void json_doc_init(struct json_doc *, const struct json_rule *, size_t n_rules);
void json_doc_deinit(struct json_doc *);

void json_doc_feed(struct json_doc *, const char *text, size_t len);
/* The next token with a meaning, or JSON_ODD; keys are none. JSON_MORE: the piece is used up. */
enum json_token json_doc_next(struct json_doc *);
/* Counts an element of the wrong kind as skipped. */
void json_doc_skip(const struct json_doc *, struct sink *);
/* After JSON_OBJECT or JSON_ARRAY: skips the rest of that container, including its end. */
void json_doc_leave(struct json_doc *);
/*
 * Ends the document, and reports members of the wrong kind. ok: all was fed. An error, and a document that ends too
 * early, leave what came before; the second is noted. Returns whether the input can be called good.
 */
bool json_doc_end(struct json_doc *, struct sink *, bool ok, struct err *);

static inline void json_odd_add(struct json_odd *odd, struct json_odd more)
{
	odd->line = odd->n ? odd->line : more.line;
	odd->key = odd->n ? odd->key : more.key;
	odd->n += more.n;
}

/* Reports them as skipped; elements of lists are counted first where only the end shows that they matter. */
void json_odd_say(const struct json_odd *, struct sink *);

/* For sniffers: are these keys, a list that ends with NULL, in the outermost object? Others do not count. */
bool json_head_has(const struct head *, const char *const *keys);

#endif
