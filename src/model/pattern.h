/*
 * pattern.h - a regular expression or a text of PCRE2, whose work on each name is bounded.
 *
 * Names and patterns come from anywhere, so none may run for ever, nor fail on bytes that are not UTF-8 (these
 * match nothing, but the rest of the name can). PCRE2 limits the steps from one start in the name. A step may look
 * at the whole rest, and each byte may be a start: on a name of n bytes that is n * n times the limit. So in long
 * names PCRE2 calls back before each part of the pattern, and the work is counted: the calls, and how far each is
 * from the one before. That depends on the name and the pattern alone, not on time.
 */
#ifndef MODEL_PATTERN_H
#define MODEL_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"

struct pattern;

enum pattern_result {
	PATTERN_MATCHES,
	PATTERN_DIFFERS,
	PATTERN_EXCEEDED, /* a limit */
	PATTERN_STOPPED,  /* the progress is cancelled */
};

/* Smart case: a letter in upper case makes case count. is_text: no expression. NULL: err says why. */
struct pattern *pattern_new(const char *text, bool is_text, struct err *err);
void pattern_free(struct pattern *); /* NULL: nothing */
/*
 * Limits the work on all names together, too; later names exceed it. A unit takes some nanoseconds. counts_short:
 * of short names, too.
 */
void pattern_limit_all(struct pattern *, uint64_t most, bool counts_short);
/* Does the pattern match anywhere in the name? progress may be NULL. One thread at a time. */
enum pattern_result pattern_match(struct pattern *, const char *name, size_t len, struct progress *);

#endif
