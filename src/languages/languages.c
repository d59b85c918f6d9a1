/*
 * languages.c - the list of languages.
 */
#include "languages/languages.h"

#define LANGUAGE_ADDRESS(name) &language_##name,
const struct language *const languages[] = {LANGUAGES(LANGUAGE_ADDRESS) NULL};

uint32_t language_number(const struct language *l)
{
	uint32_t i = 0;
	while (languages[i] && languages[i] != l)
		i++;
	return i;
}

bool language_is_eval(const char *symbol)
{
	for (size_t i = 0; languages[i]; i++)
		if (languages[i]->is_eval(symbol))
			return true;
	return false;
}
