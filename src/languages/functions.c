/*
 * functions.c - knows functions again.
 */
#include "languages/functions.h"

#include <string.h>

#include "base/hash.h"

#define FUNCTIONS_MOST 200000u /* of a process that makes new ones without end */

static uint64_t key_of(const struct functions *all, const struct language_function *f)
{
	uint64_t texts = hash_keys(hash_bytes(f->name, strlen(f->name)), hash_bytes(f->file, strlen(f->file)));
	return hash_keys(texts, (uint64_t)all->language << 32 | f->first_line);
}

uint32_t functions_define(void *arg, const struct language_function *f)
{
	struct functions *all = arg;
	uint64_t key = key_of(all, f);
	uint32_t number;
	if (idmap_find(&all->numbers, key, &number))
		return number;
	if (all->numbers.n >= FUNCTIONS_MOST)
		functions_deinit(all);
	number = all->names->define(all->names->arg, f);
	if (number != NO_FUNCTION)
		idmap_add(&all->numbers, key, number);
	return number;
}

void functions_deinit(struct functions *all)
{
	idmap_deinit(&all->numbers);
}
