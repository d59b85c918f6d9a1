/*
 * languages.h - the languages, a row each: the file NAME.c ends with `const struct language language_NAME`.
 *
 * Recordings hold the number of a row, from 0 on: new rows go to the end.
 */
#ifndef LANGUAGES_LANGUAGES_H
#define LANGUAGES_LANGUAGES_H

#include "languages/language.h"

#define LANGUAGES(ROW) ROW(python)

#define LANGUAGE_DECLARED(name) extern const struct language language_##name;
LANGUAGES(LANGUAGE_DECLARED)

extern const struct language *const languages[]; /* ends with NULL */

uint32_t language_number(const struct language *); /* of its row */

/* Is it a native function that runs functions of any of them? */
bool language_is_eval(const char *symbol);

#endif
