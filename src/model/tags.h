/*
 * tags.h - the labels of samples, which pprof calls tags: keys with a text or a number.
 *
 *	user=alice  bytes=128kB        a request of alice, a block of 128 KiB
 *
 * A program labels what it does, so one stack can have samples of several labels. Each label exists once, and so
 * does each set of labels that a sample has. The log of samples holds numbers of sets (samples.h).
 */
#ifndef MODEL_TAGS_H
#define MODEL_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "symtab.h"

/* All fields are compared byte by byte, so there is no room between them. */
struct tag {
	uint32_t key, text; /* names; a number has no text */
	uint32_t unit;      /* name; 0: none was given */
	uint32_t is_number;
	int64_t number;
};

struct tags {
	struct symtab names;
	struct symtab each; /* tags by number: the name of number i is a struct tag */
	struct symtab sets; /* sets by number: their names are arrays of tag numbers, ascending; set 0 is empty */
};

#define NO_TAGS 0u /* the empty set */

struct tags *tags_new(void);
void tags_free(struct tags *); /* NULL: nothing */
/* Shares the bytes of names: the original must outlive it. NULL: NULL. */
struct tags *tags_snapshot(const struct tags *);

/* The number of a label, added if it is new. A number's unit may be empty. */
uint32_t tags_add_text(struct tags *, struct symbol key, struct symbol text);
/* The same name, added if it is new, with which the functions here take no longer if it is long. */
struct symbol tags_name(struct tags *, struct symbol name);
uint32_t tags_add_number(struct tags *, struct symbol key, int64_t number, struct symbol unit);
/* The number of the set of these labels, added if it is new; sorts them. */
uint32_t tags_add_set(struct tags *, uint32_t *members, size_t n);
/* Adds all sets of src and returns their numbers, by number in src; the caller frees the array. */
uint32_t *tags_append(struct tags *, const struct tags *src);

size_t tags_count(const struct tags *); /* labels are numbered from 1 to this */
size_t tags_count_sets(const struct tags *);
struct tag tags_at(const struct tags *, uint32_t tag);
/* Is there a label of this key? */
bool tags_have_key(const struct tags *, const char *key, size_t len);
/* Appends the keys there are, "bytes, user": the first of many. NULL: none. */
void tags_add_keys(const struct tags *, struct buf *out);
/* Number of labels in a set, and the label in place i. */
size_t tags_size(const struct tags *, uint32_t set);
uint32_t tags_member(const struct tags *, uint32_t set, size_t i);

/* "alice", "128kB", "42": as text, by which labels of one key can be told apart. */
void tags_add_value(const struct tags *, const struct tag *, struct buf *out);
/*
 * "user=alice"; several values of the key as "user=alice,bob", of which "user=alice,b... and 3 more" has the first
 * kilobyte; "user ?": none.
 */
void tags_add_values(const struct tags *, uint32_t set, const char *key, size_t len, struct buf *out);

/*
 * Appends an expression for samples with this label, which tag_match.h reads. A key with '=' or a byte that cannot
 * be typed has it as \xHH.
 */
void tags_add_pattern(const struct tags *, const struct tag *, struct buf *out);
/* Appends the key that was written like this. */
void tags_read_key(struct buf *out, const char *text, size_t len);

#endif
