/*
 * languages.c - the list of languages.
 */
#include "languages/languages.h"

#include <string.h>

#define LANGUAGE_ADDRESS(name) &language_##name,
const struct language *const languages[] = {LANGUAGES(LANGUAGE_ADDRESS) NULL};

uint32_t language_number(const struct language *l)
{
	uint32_t i = 0;
	while (languages[i] && languages[i] != l)
		i++;
	return i;
}

bool language_is_symbol(const char *symbol, const char *name)
{
	size_t n = strlen(name);
	return strncmp(symbol, name, n) == 0 && (symbol[n] == '\0' || symbol[n] == '.');
}

bool language_of_eval(const char *symbol, uint32_t *number)
{
	for (*number = 0; languages[*number]; ++*number)
		if (languages[*number]->is_eval(symbol))
			return true;
	return false;
}
