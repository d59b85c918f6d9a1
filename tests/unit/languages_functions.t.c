/*
 * What has the same name, file and line is one function.
 */
#include "tests/tap.h"

#include "languages/functions.h"

static uint32_t n_defined, room = UINT32_MAX;

static uint32_t define(void *arg, const struct language_function *f)
{
	(void)arg;
	(void)f;
	return n_defined < room ? ++n_defined : NO_FUNCTION;
}

static uint32_t number_of(struct functions *all, const char *name, const char *file, uint32_t line)
{
	return functions_define(all, &(struct language_function){name, file, line});
}

int main(void)
{
	const struct language_names names = {define, NULL};
	struct functions all = {.names = &names};
	char name[] = "work", other[24];
	uint32_t work = number_of(&all, name, "app.rb", 12);
	name[0] = 'f';
	ok(work == 1 && number_of(&all, "work", "app.rb", 12) == work, "code that is made again keeps its number");
	ok(number_of(&all, name, "app.rb", 12) != work, "another name is another function");
	ok(number_of(&all, "work", "lib.rb", 12) != work, "so is another file");
	ok(number_of(&all, "app.rb", "work", 12) != work, "a name is no file");
	ok(number_of(&all, "work", "app.rb", 13) != work, "so is another line");
	all.language = 1;
	ok(number_of(&all, "work", "app.rb", 12) != work, "and another language");
	all.language = 0;
	is_int(number_of(&all, "work", "app.rb", 12), work, "all of them are kept apart");
	room = n_defined;
	is_int(number_of(&all, "late", "app.rb", 1), NO_FUNCTION, "where there is no room there is no number");
	room = UINT32_MAX;
	uint32_t late = number_of(&all, "late", "app.rb", 1);
	is_int(late, n_defined, "which is not kept");
	for (unsigned i = 0; i < 300000; i++) {
		snprintf(other, sizeof other, "f%u", i);
		number_of(&all, other, "", 0);
	}
	ok(all.numbers.n <= 200000, "memory is bounded");
	functions_deinit(&all);
	return done_testing();
}
