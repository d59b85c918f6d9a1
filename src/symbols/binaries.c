/*
 * binaries.c - ELF files that recorded processes had mapped, found on this machine and read once each.
 *
 * Containers map one file under many names; device and inode identify it, so each file is read once whatever its
 * names. A process in another mount namespace may have its own file under a name; while the process lives,
 * /proc/PID/root leads there.
 */
#include "symbols/binaries.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/descriptor.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/regular.h"
#include "base/status.h"
#include "symbols/elf_debugdata.h"
#include "symbols/vdso.h"

struct debug_read {
	dev_t device;
	ino_t inode;
};

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
	b->places.is_bundle = places->is_bundle;
	b->unpacked = ELF_DEBUGDATA_ALL;
	b->again = BINARIES_AGAIN_ALL;
	map_init(&b->map, 32);
	map_init(&b->debug_map, 32);
}

static void binary_free(struct binary *binary)
{
	if (!binary)
		return;
	elf_symbols_free(binary->symbols);
	free(binary->path);
	free(binary->debug_path);
	debug_alt_deinit(&binary->alt);
	free(binary);
}

void binaries_deinit(struct binaries *b)
{
	for (size_t i = 0; i < b->n; i++)
		binary_free(b->items[i]);
	binary_free(b->vdso);
	free(b->items);
	map_deinit(&b->map);
	free(b->debugs);
	map_deinit(&b->debug_map);
	for (const char *const *map = b->places.maps; map && *map; map++)
		free((char *)(uintptr_t)*map);
	free((void *)(uintptr_t)b->places.maps);
	free((char *)(uintptr_t)b->places.root);
}

static void find_debug(struct binary *binary, const struct debug_paths *paths, const struct elf_file *elf,
                       const char *path, struct elf_file *debug)
{
	uint8_t id[BUILD_ID_MAX];
	binary->debug_path = debug_file_open(paths, elf, path, debug);
	binary->has_debug = binary->debug_path || elf_debug_section(elf, ".debug_info");
	binary->debug_has_build_id = binary->debug_path && elf_build_id(debug, id) > 0;
	if (binary->has_debug)
		debug_alt_find(&binary->alt, paths, binary->debug_path ? debug : elf,
		               binary->debug_path ? binary->debug_path : path);
}

/* Debug files are allowed to lack it. */
static bool lacks_segment(const struct elf_file *elf)
{
	for (size_t i = 0; i < elf->n_segments; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type == ELF_SEGMENT_LOAD && (s->offset > elf->size || s->file_size > elf->size - s->offset))
			return true;
	}
	return false;
}

static uint64_t hash_of(const struct stat *st)
{
	return hash_mix(st->st_dev ^ hash_seed[0], st->st_ino ^ hash_seed[1]);
}

/* Was the debug file read for another program? From now on it was. */
static bool was_read(struct binaries *b, const char *path)
{
	struct stat st;
	if (!regular_stat(path, true, &st))
		return true;
	MAP_EACH(&b->debug_map, hash_of(&st), i)
	if (b->debugs[i].device == st.st_dev && b->debugs[i].inode == st.st_ino)
		return true;
	mem_push(b->debugs, b->n_debugs, b->cap_debugs, ((struct debug_read){st.st_dev, st.st_ino}));
	map_add(&b->debug_map, hash_of(&st), (uint32_t)(b->n_debugs - 1));
	return false;
}

/*
 * A debug file of which many small programs have the build id would take its memory for each of them. true: with
 * this one, that is too much.
 */
static bool is_too_often(struct binaries *b, const char *path, const struct elf_file *elf,
                         const struct elf_file *debug)
{
	uint64_t memory = elf_symbols_debug_memory(elf, debug);
	if (!memory || !was_read(b, path))
		return false;
	if (memory > b->again)
		return true;
	b->again -= memory;
	return false;
}

static void read_symbols(struct binaries *b, struct binary *binary, const struct elf_file *elf,
                         const struct elf_file *debug)
{
	bool is_refused = debug && is_too_often(b, binary->debug_path, elf, debug);
	binary->symbols = elf_symbols_new(elf, is_refused ? NULL : debug, &b->unpacked);
	binary->left_out = is_refused ? "its debug file is that of other programs, too: too much for all files"
	                              : elf_symbols_left_out(binary->symbols);
}

static struct binary *read_binary(struct binaries *b, const char *path, const struct stat *st, struct err *err)
{
	struct elf_file elf, debug;
	if (!elf_file_open(&elf, path, err))
		return NULL;
	status_detail("symbols of", path);
	struct binary *binary = mem_zalloc(1, sizeof *binary);
	binary->device = st->st_dev;
	binary->inode = st->st_ino;
	binary->n_build_id = elf_build_id(&elf, binary->build_id);
	binary->is_cut = lacks_segment(&elf);
	find_debug(binary, b->paths, &elf, path, &debug);
	read_symbols(b, binary, &elf, binary->debug_path ? &debug : NULL);
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
	if (!regular_stat(path, true, &st)) {
		fail_errno(err, "%s", path);
		return NULL;
	}
	uint64_t hash = hash_of(&st);
	MAP_EACH(&b->map, hash, i)
	if (b->items[i]->device == st.st_dev && b->items[i]->inode == st.st_ino)
		return b->items[i];
	struct binary *binary = read_binary(b, path, &st, err);
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
	fail(err, "%s: " OTHER_BUILD_ID, path);
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

/* A path into an unpacked bundle is none that the user knows. */
static void name_bundle(const struct binaries *b, const char *path, const char *name, int error, struct err *err)
{
	if (!b->places.is_bundle)
		return;
	char reason[128];
	if (access(path, F_OK) != 0)
		fail(err, "%s: not in the bundle", name);
	else if (descriptor_is_lacking(error))
		fail(err, "%s: %s", name, err_reason(error, reason, sizeof reason));
	else
		fail(err, "%s: the file in the bundle is not the one that was recorded", name);
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
	errno = 0;
	if (!binary)
		binary = binaries_open_path(b, buf_str(&path), wanted, err);
	int error = errno;
	/* The build id proves that this machine has the same file. */
	if (!binary && (is_mapped || *b->places.root) && wanted->n_build_id > 0)
		binary = binaries_open_path(b, wanted->name, wanted, NULL);
	if (!binary && !is_mapped)
		name_bundle(b, buf_str(&path), wanted->name, error, err);
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
	const struct binary *named = open_named(b, wanted, err), *other = NULL;
	if (!named || named->is_cut)
		other = binaries_open_copy(b, wanted, NULL);
	if (!other && (!named || named->is_cut))
		other = open_remote(b, wanted);
	if (named && named->is_cut && !other)
		fail(err, "%s: the file is cut off", wanted->name);
	return other ? other : named;
}

static struct binary *read_vdso(void)
{
	struct elf_file elf;
	if (!vdso_open(&elf))
		return NULL;
	struct binary *binary = mem_zalloc(1, sizeof *binary);
	binary->n_build_id = elf_build_id(&elf, binary->build_id);
	binary->symbols = elf_symbols_new(&elf, NULL, NULL);
	elf_file_close(&elf);
	return binary;
}

static const struct binary *open_vdso_file(struct binaries *b, const struct binary_wanted *wanted)
{
	char *below = below_root(b->places.root, "/[vdso]");
	const struct binary *binary = *b->places.root ? binaries_open_path(b, below, wanted, NULL) : NULL;
	free(below);
	char *path = binary ? NULL : debug_cache_path(b->paths, wanted->build_id, wanted->n_build_id, "vdso");
	if (path)
		binary = binaries_open_path(b, path, wanted, NULL);
	free(path);
	return binary;
}

const struct binary *binaries_open_vdso(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	const struct binary *binary = open_vdso_file(b, wanted);
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

/* A debug file without a build id is looked for in .debug beside its program. */
static void list_debug_by_name(const struct binary *b, const struct binary_wanted *wanted,
                               struct found_files *found)
{
	const char *slash = strrchr(wanted->name, '/'), *name = strrchr(b->debug_path, '/');
	struct buf place;
	buf_init(&place);
	buf_add(&place, wanted->name, slash ? (size_t)(slash - wanted->name) : 0);
	buf_addf(&place, "/.debug/%s", name ? name + 1 : b->debug_path);
	found_files_add(found, FOUND_ELF, buf_str(&place), b->debug_path, NULL, 0);
	buf_deinit(&place);
}

void binary_list(const struct binary *b, const struct binary_wanted *wanted, struct found_files *found)
{
	bool is_recorded = wanted->n_build_id > 0, is_vdso = strcmp(wanted->name, "[vdso]") == 0;
	found_files_add(found, is_vdso ? FOUND_VDSO : FOUND_ELF, wanted->name, b->path,
	                is_recorded ? wanted->build_id : b->build_id, is_recorded ? wanted->n_build_id : b->n_build_id);
	if (b->debug_path && b->debug_has_build_id)
		found_files_add_debug(found, b->debug_path, b->build_id, b->n_build_id);
	else if (b->debug_path)
		list_debug_by_name(b, wanted, found);
	if (b->alt.path)
		found_files_add_debug(found, b->alt.path, b->alt.build_id, b->alt.n_build_id);
	else if (b->alt.name)
		found_files_miss(found, b->alt.name, "it is not here, and debug files refer to it");
}
