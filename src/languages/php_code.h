/*
 * php_code.h - the functions of a PHP process, read once each.
 */
#ifndef LANGUAGES_PHP_CODE_H
#define LANGUAGES_PHP_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/language.h"
#include "languages/php_layout.h"

struct php_codes;

/* The layout must outlive it. */
struct php_codes *php_codes_new(const struct php_layout *);
void php_codes_free(struct php_codes *); /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void php_codes_begin(struct php_codes *);

struct php_function {
	uint32_t number; /* NO_FUNCTION: it has no name, and PHP does not show it either */
	uint32_t first_line;
	uint64_t first, last; /* its instructions; last: of the one after them */
	bool is_native;       /* it is written in C */
};
/*
 * The function at an address. is_outermost: nothing of PHP has called it. false: it cannot be read, or makes no
 * sense.
 */
bool php_codes_function(struct php_codes *, struct memory *, uint64_t address, bool is_outermost,
                        const struct language_names *, struct php_function *);

/* Has a function of this stack got no number, as there is no room? */
bool php_codes_lack_room(const struct php_codes *);

#endif
