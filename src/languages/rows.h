/*
 * rows.h - the languages, a row each: the file NAME.c ends with `const struct language language_NAME`.
 */
#ifndef LANGUAGES_ROWS_H
#define LANGUAGES_ROWS_H

#include "languages/languages.h"

#define LANGUAGES(ROW) ROW(python)

#define LANGUAGE_DECLARED(name) extern const struct language language_##name;
LANGUAGES(LANGUAGE_DECLARED)

#endif
