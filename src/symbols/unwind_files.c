/*
 * unwind_files.c - a hash table of files by path and build id.
 */
#include "symbols/unwind_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

struct file {
	char *key; /* path, a zero, build id */
	size_t n_key;
	struct cfi *cfi; /* NULL: unusable */
};

struct unwind_files {
	struct file *items;
	size_t n, cap;
	struct map map; /* by key */
	struct buf key;
	struct err trouble; /* the first one */
};

struct unwind_files *unwind_files_new(void)
{
	struct unwind_files *files = mem_zalloc(1, sizeof *files);
	map_init(&files->map, 32);
	buf_init(&files->key);
	return files;
}

void unwind_files_free(struct unwind_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		free(files->items[i].key);
		cfi_free(files->items[i].cfi);
	}
	free(files->items);
	map_deinit(&files->map);
	buf_deinit(&files->key);
	free(files);
}

const char *unwind_files_trouble(const struct unwind_files *files)
{
	return *files->trouble.text ? files->trouble.text : NULL;
}

/* Some kernels record build ids shorter than 20 bytes; zeros at the end are not part of an id. */
static bool is_recorded(const struct cfi_image *image, const struct unwind_map *map)
{
	size_t n = map->n_build_id < image->n_build_id ? map->n_build_id : image->n_build_id;
	return n == 0 || memcmp(map->build_id, image->build_id, n) == 0;
}

/* Memory to which the kernel gives the name of a missing file: //anon, [heap], /memfd:NAME, /SYSV0000. */
static bool is_file(const char *path)
{
	static const char *const pseudo[] = {"//", "/memfd:", "/dev/", "/SYSV", "/[", "/anon_hugepage"};
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), tail = sizeof deleted - 1;
	for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++)
		if (strncmp(path, pseudo[i], strlen(pseudo[i])) == 0)
			return false;
	return *path && (len < tail || strcmp(path + len - tail, deleted) != 0);
}

static struct cfi *open_file(struct unwind_files *files, const struct unwind_map *map)
{
	struct err err = {""};
	struct cfi_image image;
	struct cfi *cfi = NULL;
	bool is_vdso = strcmp(map->path, "[vdso]") == 0;
	if (!is_vdso && !is_file(map->path))
		return NULL;
	if (is_vdso ? !cfi_image_open_vdso(&image, &err) : !cfi_image_open(&image, map->path, &err)) {
		if (is_vdso)
			return NULL;
	} else if (!is_recorded(&image, map)) {
		fail(&err, "%s: has changed since the recording", map->path);
		cfi_image_deinit(&image);
	} else {
		cfi = cfi_new(&image);
	}
	if (!cfi && !*files->trouble.text)
		files->trouble = err;
	return cfi;
}

struct cfi *unwind_files_get(struct unwind_files *files, const struct unwind_map *map)
{
	files->key.len = 0;
	buf_add(&files->key, map->path, strlen(map->path) + 1);
	buf_add(&files->key, map->build_id, map->n_build_id);
	uint64_t hash = hash_bytes(files->key.data, files->key.len);
	MAP_EACH(&files->map, hash, i)
	{
		const struct file *file = &files->items[i];
		if (file->n_key == files->key.len && memcmp(file->key, files->key.data, file->n_key) == 0)
			return file->cfi;
	}
	struct file file = {mem_copy(files->key.data, files->key.len, 1), files->key.len, open_file(files, map)};
	mem_push(files->items, files->n, files->cap, file);
	map_add(&files->map, hash, (uint32_t)(files->n - 1));
	return file.cfi;
}

bool unwind_files_bias(const struct cfi *cfi, const struct unwind_map *map, uint64_t *bias)
{
	uint64_t vaddr;
	if (!cfi_image_address(cfi_image(cfi), map->pgoff, &vaddr))
		return false;
	*bias = map->start - vaddr;
	return true;
}
