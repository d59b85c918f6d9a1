/*
 * json.h - a pull parser for JSON that is fed in pieces.
 *
 *	json_feed(&j, text, len, is_last);
 *	while ((t = json_next(&j)) > JSON_MORE)
 *		...
 *
 * It keeps one bit per open container, the token that crosses a piece, and a few keys that may come again: memory
 * does not grow with the input, and depth costs no stack. It accepts two common mistakes of writers: a comma before
 * a closing bracket, and an input that ends inside containers (see json_is_cut()).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

#define JSON_TOKEN_MAX (64u << 20) /* bytes of one string or number */
#define JSON_DEPTH_MAX (1u << 24)  /* open containers */

enum json_token {
	JSON_ERROR, /* see json.err; final */
	JSON_END,   /* the document has ended: only white space may follow */
	JSON_MORE,  /* the piece is used up */
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_KEY,    /* text, len: decoded */
	JSON_STRING, /* text, len: decoded */
	JSON_NUMBER, /* text, len: as written */
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
	JSON_ODD,        /* of json_doc.h alone: an element of the wrong kind, whole, */
	JSON_ODD_MEMBER, /* and a member of an object that is a container without a rule */
};

/* A short key with its quotes and colon, in memory order; `mask` has all bits of its bytes set. */
struct json_key {
	uint64_t text[2], mask[2];
	uint32_t n; /* bytes; 0: none */
};

#define JSON_KEYS 16u  /* keys of an object that are expected again */
#define JSON_LEVELS 8u /* of so many levels of containers */

struct json {
	const char *text; /* of KEY, STRING and NUMBER; good until the next json_next() or json_feed() */
	size_t len;
	uint32_t depth; /* open containers, including one just opened, without one just closed */
	uint64_t line;  /* from 1 */
	struct err err; /* "line 3: ..." */
	/* private */
	const char *p, *end;
	bool is_last;
	unsigned state;
	unsigned partial; /* kind of the token that continues in this piece */
	bool is_escaped, has_escape;
	struct buf raw, decoded;
	uint64_t *kinds; /* one bit per open container: 1 is an object */
	size_t cap_kinds;
	uint32_t leave;                               /* skip tokens until fewer containers are open; 0: off */
	struct json_key keys[JSON_LEVELS][JSON_KEYS]; /* of the objects before, by level and place */
	uint8_t n_keys[JSON_LEVELS];                  /* of the open objects; wraps */
};

void json_init(struct json *);
void json_deinit(struct json *);

/* The previous piece must be used up (JSON_MORE). is_last: nothing follows. */
void json_feed(struct json *, const char *text, size_t len, bool is_last);
enum json_token json_next(struct json *);
/*
 * In a list: takes elements that are whole numbers of at most seven digits, without space around them, as long as
 * they follow each other; at most `most`. Returns how many; 0: see json_next().
 */
size_t json_short_numbers(struct json *, uint32_t *v, size_t most);

/* After JSON_OBJECT or JSON_ARRAY: skips the rest of that container, including its end. */
void json_leave(struct json *);

/* After JSON_END: the input ended before its containers were closed. */
bool json_is_cut(const struct json *);

/* Is it a value that comes as one token, but no number? */
static inline bool json_is_no_number(enum json_token t)
{
	return t == JSON_STRING || t == JSON_TRUE || t == JSON_FALSE || t == JSON_NULL || t == JSON_ODD_MEMBER;
}

static inline bool json_begins_container(enum json_token t)
{
	return t == JSON_OBJECT || t == JSON_ARRAY;
}

/* The containers around the value that begins with this token, the last one. */
static inline uint32_t json_depth_around(const struct json *j, enum json_token t)
{
	return j->depth - json_begins_container(t);
}

/* A set of tokens. */
#define JSON_SET(token) (1u << (token))
#define JSON_SET_VALUES                                                                             \
	(JSON_SET(JSON_OBJECT) | JSON_SET(JSON_ARRAY) | JSON_SET(JSON_STRING) | JSON_SET(JSON_NUMBER) | \
	 JSON_SET(JSON_TRUE) | JSON_SET(JSON_FALSE) | JSON_SET(JSON_NULL))

/* A member that a reader knows, in containers whose meanings are numbered. */
struct json_member {
	unsigned places; /* a set of them, as JSON_SET makes it */
	unsigned wanted; /* the values that it may have, likewise; null, which stands for nothing, may always be */
	const char *key;
};

/* Does a value begin with this token that is not what these members may be? */
bool json_is_odd_member(const struct json_member *, size_t n, unsigned place, struct slice key, enum json_token);

/*
 * Does a value begin with this token that is not of the set? A container is skipped then, including its end. For
 * lists whose elements are numbered: the caller keeps the place of such an element, and counts it.
 */
static inline bool json_is_odd(struct json *j, enum json_token t, unsigned set)
{
	if (!(JSON_SET(t) & JSON_SET_VALUES & ~set))
		return false;
	if (json_begins_container(t))
		json_leave(j);
	return true;
}

/*
 * Are these the first bytes of an object: '{', then '}' or a key, which begins with no control character? '{' alone
 * is not enough, nor is a quote: a message of protocol buffers may begin with the bytes "\n{\n\"\n".
 */
bool json_begins(struct slice text);
/* Is the key this name in camel case, or the same in snake case: "stackIndex" or "stack_index"? */
bool json_is_name(struct slice key, const char *name);

#endif
