/*
 * The numbers of mapped files: what tells files of one name apart, and whose build ids a table of names gives.
 */
#include "perfdata/files.h"

#include <string.h>

#include "tests/tap.h"

static uint32_t add(struct perfdata_files *f, const char *name, uint64_t inode, uint8_t id)
{
	struct perfdata_file seen = {
		.inode = inode, .major = inode ? 8 : 0, .build_id = {.bytes = {id}, .n = id ? 20 : 0}};
	return perfdata_files_add(f, name, strlen(name), &seen);
}

static int id_of(const struct perfdata_files *f, uint32_t number)
{
	const struct perfdata_file *file = perfdata_files_at(f, number);
	return file->build_id.n ? file->build_id.bytes[0] : 0;
}

static void learn(struct perfdata_files *f, const char *name, uint8_t id)
{
	perfdata_files_learn(f, name, strlen(name), &(struct perfdata_build_id){.bytes = {id}, .n = 20});
}

int main(void)
{
	struct perfdata_files f = {0};
	uint32_t first = add(&f, "/app", 2, 0), second = add(&f, "/app", 3, 0), built = add(&f, "/app", 2, 7);
	ok(first != second, "files of other inodes are others");
	is_int(add(&f, "/app", 2, 0), first, "one of the same inode is the same");
	ok(built != first && built != second, "a build id of its own makes another file");
	is_int(add(&f, "/app", 9, 7), built, "and is enough to know it by");
	is_str(perfdata_files_at(&f, second)->name, "/app", "each has the name");
	is_int((intmax_t)perfdata_files_at(&f, second)->inode, 3, "and its inode");
	is_int(id_of(&f, first), 0, "at first their build id is unknown");
	learn(&f, "/app", 5);
	is_int(id_of(&f, first), 5, "a table gives it to all that have none: the first");
	is_int(id_of(&f, second), 5, "and the second");
	is_int(id_of(&f, add(&f, "/app", 4, 0)), 5, "and one that comes later");
	is_int(id_of(&f, add(&f, "/app", 0, 0)), 5, "and one without an inode");
	is_int(id_of(&f, built), 7, "but not to one that has its own");
	is_int(id_of(&f, add(&f, "/other", 4, 0)), 0, "nor to another name");
	perfdata_files_deinit(&f);
	return done_testing();
}
