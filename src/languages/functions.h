/*
 * functions.h - the numbers of the functions of a process, by what is told of them.
 *
 * Code is made again and again: closures, files that a web server compiles at each request, strings that are
 * evaluated. What has the same language, name, file and line is one function, and is defined once.
 */
#ifndef LANGUAGES_FUNCTIONS_H
#define LANGUAGES_FUNCTIONS_H

#include "base/idmap.h"
#include "languages/language.h"

/* Zeroed is empty. */
struct functions {
	struct idmap numbers;               /* hash of what is told -> number */
	const struct language_names *names; /* who gives a number to a new one */
	uint32_t language;                  /* of the present stack */
};

/* For struct language_names; arg is the struct functions. Too many functions: all are forgotten. */
uint32_t functions_define(void *arg, const struct language_function *);
void functions_deinit(struct functions *);

#endif
