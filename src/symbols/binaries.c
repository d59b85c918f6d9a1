/*
 * binaries.c - ELF files that recorded processes had mapped, found on this machine and read once each.
 *
 * Containers map one file under many names; device and inode identify it, so each file is read once whatever its
 * names. A process in another mount namespace may have its own file under a name; while the process lives,
 * /proc/PID/root leads there.
 */
#include "symbols/binaries.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/status.h"
#include "symbols/vdso.h"

static const char *const *copy_list(const char *const *list)
{
	const char **copy = NULL;
	size_t n = 0, cap = 0;
	for (; list && *list; list++)
		mem_push(copy, n, cap, mem_strdup(*list));
	if (copy)
		mem_push(copy, n, cap, NULL);
	return copy;
}

void binaries_init(struct binaries *b, const struct file_places *places, const struct debug_paths *paths)
{
	*b = (struct binaries){.paths = paths};
	b->places.root = mem_strdup(places->root ? places->root : "");
	b->places.maps = copy_list(places->maps);
	map_init(&b->map, 32);
}

static void binary_free(struct binary *binary)
{
	if (!binary)
		return;
	elf_symbols_free(binary->symbols);
	free(binary->path);
	free(binary->debug_path);
	free(binary);
}

void binaries_deinit(struct binaries *b)
{
	for (size_t i = 0; i < b->n; i++)
		binary_free(b->items[i]);
	binary_free(b->vdso);
	free(b->items);
	map_deinit(&b->map);
	for (const char *const *map = b->places.maps; map && *map; map++)
		free((char *)(uintptr_t)*map);
	free((void *)(uintptr_t)b->places.maps);
	free((char *)(uintptr_t)b->places.root);
}

static struct binary *read_binary(const struct debug_paths *paths, const char *path, const struct stat *st,
                                  struct err *err)
{
	struct elf_file elf, debug;
	if (!elf_file_open(&elf, path, err))
		return NULL;
	status_detail("symbols of", path);
	struct binary *binary = mem_zalloc(1, sizeof *binary);
	binary->device = st->st_dev;
	binary->inode = st->st_ino;
	binary->n_build_id = elf_build_id(&elf, binary->build_id);
	binary->debug_path = debug_file_open(paths, &elf, path, &debug);
	binary->symbols = elf_symbols_new(&elf, binary->debug_path ? &debug : NULL);
	binary->has_debug = binary->debug_path || elf_section_named(&elf, ".debug_info");
	binary->path = mem_strdup(path);
	if (binary->debug_path)
		elf_file_close(&debug);
	elf_file_close(&elf);
	status_detail(NULL, NULL);
	return binary;
}

static const struct binary *open_path(struct binaries *b, const char *path, struct err *err)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		fail_errno(err, "%s", path);
		return NULL;
	}
	uint64_t hash = hash_mix(st.st_dev ^ hash_seed[0], st.st_ino ^ hash_seed[1]);
	MAP_EACH(&b->map, hash, i)
	if (b->items[i]->device == st.st_dev && b->items[i]->inode == st.st_ino)
		return b->items[i];
	struct binary *binary = read_binary(b->paths, path, &st, err);
	if (!binary)
		return NULL;
	mem_push(b->items, b->n, b->cap, binary);
	map_add(&b->map, hash, (uint32_t)(b->n - 1));
	return binary;
}

static bool is_wanted(const struct binary *b, const struct binary_wanted *wanted)
{
	return wanted->n_build_id == 0 ||
	       build_id_is_same(b->build_id, b->n_build_id, wanted->build_id, wanted->n_build_id);
}

/* Does the process have another mount namespace than ours? */
static bool is_elsewhere(int32_t pid)
{
	char path[64];
	struct stat own, other;
	snprintf(path, sizeof path, "/proc/%" PRId32 "/ns/mnt", pid);
	return pid > 0 && stat("/proc/self/ns/mnt", &own) == 0 && stat(path, &other) == 0 &&
	       (own.st_ino != other.st_ino || own.st_dev != other.st_dev);
}

const struct binary *binaries_open_path(struct binaries *b, const char *path, const struct binary_wanted *wanted,
                                        struct err *err)
{
	const struct binary *binary = open_path(b, path, err);
	if (!binary || is_wanted(binary, wanted))
		return binary;
	fail(err, "%s: not the file that was recorded (its build id differs)", path);
	return NULL;
}

const struct binary *binaries_open_copy(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	char *path = debug_cache_path(b->paths, wanted->build_id, wanted->n_build_id, "elf");
	const struct binary *binary = path ? binaries_open_path(b, path, wanted, err) : NULL;
	if (!path)
		fail(err, "%s: there is no copy of it", wanted->name);
	free(path);
	return binary;
}

static const struct binary *open_named(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	struct buf path;
	const struct binary *binary = NULL;
	buf_init(&path);
	bool is_mapped = file_places_add(&b->places, wanted->name, &path);
	if (!is_mapped && !*b->places.root && is_elsewhere(wanted->pid)) {
		path.len = 0;
		buf_addf(&path, "/proc/%" PRId32 "/root%s", wanted->pid, wanted->name);
		binary = binaries_open_path(b, buf_str(&path), wanted, err);
		path.len = 0;
		buf_adds(&path, wanted->name);
	}
	if (!binary)
		binary = binaries_open_path(b, buf_str(&path), wanted, err);
	/* The build id proves that this machine has the same file. */
	if (!binary && (is_mapped || *b->places.root) && wanted->n_build_id > 0)
		binary = binaries_open_path(b, wanted->name, wanted, NULL);
	buf_deinit(&path);
	return binary;
}

static const struct binary *open_remote(struct binaries *b, const struct binary_wanted *wanted)
{
	struct debuginfod *remote = b->paths->remote;
	char *path =
		remote ? debuginfod_fetch(remote, DEBUGINFOD_PROGRAM, wanted->build_id, wanted->n_build_id, wanted->name)
			   : NULL;
	const struct binary *binary = path ? binaries_open_path(b, path, wanted, NULL) : NULL;
	free(path);
	return binary;
}

const struct binary *binaries_open(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	const struct binary *binary = open_named(b, wanted, err);
	if (!binary)
		binary = binaries_open_copy(b, wanted, NULL);
	return binary ? binary : open_remote(b, wanted);
}

static struct binary *read_vdso(void)
{
	struct elf_file elf;
	if (!vdso_open(&elf))
		return NULL;
	struct binary *binary = mem_zalloc(1, sizeof *binary);
	binary->n_build_id = elf_build_id(&elf, binary->build_id);
	binary->symbols = elf_symbols_new(&elf, NULL);
	elf_file_close(&elf);
	return binary;
}

const struct binary *binaries_open_vdso(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	char *path = debug_cache_path(b->paths, wanted->build_id, wanted->n_build_id, "vdso");
	const struct binary *binary = path ? binaries_open_path(b, path, wanted, NULL) : NULL;
	free(path);
	if (binary)
		return binary;
	if (!b->has_tried_vdso)
		b->vdso = read_vdso();
	b->has_tried_vdso = true;
	if (b->vdso && is_wanted(b->vdso, wanted))
		return b->vdso;
	fail(err, "[vdso]: not that of the recorded kernel");
	return NULL;
}
