/*
 * words.h - argument vectors: lists of words that become a program's argv, and the programs started with them.
 */
#ifndef RECORD_WORDS_H
#define RECORD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"

struct words {
	char **v; /* n words, owned, followed by NULL */
	size_t n, cap;
};

void words_init(struct words *);
void words_deinit(struct words *);
void words_add(struct words *, const char *word);
void words_addf(struct words *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * Splits at blanks as a shell does, with '..', ".." and backslash, but expands nothing. false: a quote is not
 * closed.
 */
bool words_split(struct words *, const char *text, struct err *err);

/* Prints them to standard error as a shell command: "+ perf record -g". */
void words_say(const struct words *);

/* Starts v[0], looked up in PATH, with default signals. false: it could not be started. */
bool words_spawn(const struct words *, const struct streams *, pid_t *child, struct err *err);
/* Is there a program with this name, searched for in PATH, or with this path? */
bool words_is_program(const char *name);
/* The same, and fills in its path: PATH_MAX bytes. */
bool words_find_program(const char *name, char *path);

#endif
