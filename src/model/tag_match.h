/*
 * tag_match.h - the expressions of --tagfocus and --tagignore, with pprof's rules.
 *
 *	alice              a label of which "key:value" matches the regular expression; with commas, each must
 *	                   match
 *	user=^alice$       a label with this key, whose text matches; with commas, one must match
 *	bytes=128kb        a label with this key that is this number; a number without a unit is in the label's own
 *	bytes=128kb:2mb    within this range, bounds included; 128kb: and :2mb have one bound
 *	128kb:2mb          any label within it
 *	user=(*NAME)alice  a label with this key and exactly this value, as tags_add_value() writes it
 *
 * A number or range never matches a text: "id=7" is about numbers, "id=^7$" about texts. As everywhere in the
 * program, and unlike pprof, case matters only if the expression has a capital.
 */
#ifndef MODEL_TAG_MATCH_H
#define MODEL_TAG_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tags.h"

struct tag_match;

struct tag_match *tag_match_new(const char *text, struct err *); /* NULL: a bad pattern */
void tag_match_free(struct tag_match *);                         /* NULL: nothing */
/* Does a sample with this set of labels match? One thread at a time. */
bool tag_match_set(struct tag_match *, const struct tags *, uint32_t set);
uint64_t tag_match_exceeded(const struct tag_match *); /* number of texts that exceeded a limit of match.h */

#endif
