/*
 * languages.h - the languages, a row each: the file NAME.c ends with `const struct language language_NAME`.
 *
 * Recordings hold the number of a row, from 0 on: new rows go to the end.
 */
#ifndef LANGUAGES_LANGUAGES_H
#define LANGUAGES_LANGUAGES_H

#include "languages/language.h"

#define LANGUAGES(ROW) ROW(python) ROW(perl) ROW(php) ROW(ruby) ROW(lua)

#define LANGUAGE_DECLARED(name) extern const struct language language_##name;
LANGUAGES(LANGUAGE_DECLARED)

#define LANGUAGE_NUMBERED(name) LANGUAGE_NUMBER_##name,
enum { LANGUAGES(LANGUAGE_NUMBERED) LANGUAGES_N }; /* how many there are */
extern const struct language *const languages[];   /* ends with NULL */

uint32_t language_number(const struct language *); /* of its row */

/* Has the native function this name? Also the parts into which compilers cut it: "name.cold", "name.isra.0". */
bool language_is_symbol(const char *symbol, const char *name);
/* Is it a native function that runs functions of one of them? *number: which. */
bool language_of_eval(const char *symbol, uint32_t *number);

#endif
