/*
 * files.c - the mapped files.
 *
 * A name can stand for several files in turn, such as a program that was rebuilt; their build ids tell them apart.
 * A table at the end of the recording gives build ids by name, for the maps that have none of their own.
 */
#include "perfdata/files.h"

#include "base/mem.h"

void perfdata_files_deinit(struct perfdata_files *files)
{
	perfdata_names_deinit(&files->keys);
	perfdata_names_deinit(&files->names);
	free(files->all);
	buf_deinit(&files->key);
}

/* "name\nbuild id". */
static uint32_t number_of(struct perfdata_files *files, const char *name, size_t len,
                          const struct perfdata_build_id *id)
{
	files->key.len = 0;
	buf_add(&files->key, name, len);
	buf_addc(&files->key, '\n');
	for (unsigned i = 0; i < id->n; i++)
		buf_addf(&files->key, "%02x", id->bytes[i]);
	return perfdata_names_add(&files->keys, files->key.data, files->key.len);
}

uint32_t perfdata_files_add(struct perfdata_files *files, const char *name, size_t len,
                            const struct perfdata_file *seen)
{
	len = strnlen(name, len);
	uint32_t number = number_of(files, name, len, &seen->build_id);
	if (number < files->n)
		return number;
	struct perfdata_file file = *seen;
	file.name = perfdata_names_keep(&files->names, name, len);
	mem_push(files->all, files->n, files->cap, file);
	return number;
}

void perfdata_files_learn(struct perfdata_files *files, const char *name, size_t len,
                          const struct perfdata_build_id *id)
{
	struct perfdata_file unknown = {0};
	uint32_t number = perfdata_files_add(files, name, len, &unknown);
	files->all[number].build_id = *id;
}
