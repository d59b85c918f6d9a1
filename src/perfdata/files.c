/*
 * files.c - the mapped files.
 *
 * A name can stand for several files: a program that was rebuilt, or those of several containers. Their build ids
 * tell them apart or, without one, device and inode. A table at the end of the recording gives build ids by name,
 * for the maps that have none of their own; it goes to an entry of the name alone, to which the others refer.
 */
#include "perfdata/files.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

void perfdata_files_deinit(struct perfdata_files *files)
{
	perfdata_names_deinit(&files->keys);
	perfdata_names_deinit(&files->names);
	free(files->all);
	buf_deinit(&files->key);
}

/* "name\nbuild id" or, without one, "name\n major:minor:inode", if these are known. */
static uint32_t number_of(struct perfdata_files *files, const char *name, size_t len,
                          const struct perfdata_file *file)
{
	const struct perfdata_build_id *id = &file->build_id;
	files->key.len = 0;
	buf_add(&files->key, name, len);
	buf_addc(&files->key, '\n');
	for (unsigned i = 0; i < id->n; i++)
		buf_addf(&files->key, "%02x", id->bytes[i]);
	if (!id->n && file->inode)
		buf_addf(&files->key, " %x:%x:%" PRIx64, file->major, file->minor, file->inode);
	return perfdata_names_add(&files->keys, files->key.data, files->key.len);
}

/* named: the entry of its name; UINT32_MAX: the file itself. */
static uint32_t add(struct perfdata_files *files, const char *name, size_t len, const struct perfdata_file *seen,
                    uint32_t named)
{
	uint32_t number = number_of(files, name, len, seen);
	if (number < files->n)
		return number;
	struct perfdata_file file = *seen;
	file.name = perfdata_names_keep(&files->names, name, len);
	file.named = named == UINT32_MAX ? number : named;
	mem_push(files->all, files->n, files->cap, file);
	return number;
}

uint32_t perfdata_files_add(struct perfdata_files *files, const char *name, size_t len,
                            const struct perfdata_file *seen)
{
	static const struct perfdata_file unknown;
	len = strnlen(name, len);
	bool is_of_name = !seen->build_id.n && seen->inode;
	return add(files, name, len, seen, is_of_name ? add(files, name, len, &unknown, UINT32_MAX) : UINT32_MAX);
}

const struct perfdata_file *perfdata_files_at(const struct perfdata_files *files, uint32_t number)
{
	struct perfdata_file *file = &files->all[number];
	file->build_id = files->all[file->named].build_id;
	return file;
}

void perfdata_files_learn(struct perfdata_files *files, const char *name, size_t len,
                          const struct perfdata_build_id *id)
{
	static const struct perfdata_file unknown;
	uint32_t number = perfdata_files_add(files, name, len, &unknown);
	files->all[number].build_id = *id;
}
