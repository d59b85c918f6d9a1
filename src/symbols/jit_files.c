/*
 * jit_files.c - maps and dumps of JIT compilers, each read once for all its paths and processes.
 *
 * A process can map its dump under any number of names (hard links, "/tmp/./jit-1.dump"), and forked processes have
 * those of their parents. Device and inode tell files apart.
 */
#include "symbols/jit_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/regular.h"

#define FILE_MAX ((size_t)1 << 30)

void jit_files_init(struct jit_files *files, uint64_t most)
{
	*files = (struct jit_files){.most = most};
	map_init(&files->map, 32);
}

/* Frees what was read. */
static void clear(struct jit_files *files, struct jit_file *f)
{
	jit_map_free(f->map);
	jitdump_free(f->dump);
	files->memory -= f->memory;
	f->map = NULL;
	f->dump = NULL;
	f->memory = 0;
}

void jit_files_deinit(struct jit_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		clear(files, files->items[i]);
		free(files->items[i]);
	}
	free(files->items);
	map_deinit(&files->map);
}

static struct jit_file *file_of(struct jit_files *files, const struct stat *st, bool is_dump)
{
	uint64_t hash = hash_mix(st->st_dev ^ hash_seed[0], (uint64_t)st->st_ino ^ hash_seed[1] ^ is_dump);
	MAP_EACH(&files->map, hash, i)
	{
		struct jit_file *f = files->items[i];
		if (f->device == st->st_dev && f->inode == st->st_ino && f->is_dump == is_dump)
			return f;
	}
	struct jit_file *f = mem_zalloc(1, sizeof *f);
	f->device = st->st_dev;
	f->inode = st->st_ino;
	f->is_dump = is_dump;
	mem_push(files->items, files->n, files->cap, f);
	map_add(&files->map, hash, (uint32_t)(files->n - 1));
	return f;
}

/* Takes from the memory for all files; false: it would be too much. */
static bool has_room(struct jit_files *files, struct jit_file *f, uint64_t memory)
{
	if (memory > files->most - files->memory) {
		snprintf(f->why_not, sizeof f->why_not, "it would take %" PRIu64 " MiB: too much for all maps and dumps",
		         memory >> 20);
		return false;
	}
	f->memory = memory;
	files->memory += memory;
	return true;
}

static void take_dump(struct jit_files *files, struct jit_file *f, const struct buf *bytes)
{
	const unsigned char *p = (const unsigned char *)bytes->data;
	if (!has_room(files, f, jitdump_memory(p, bytes->len)))
		return;
	f->dump = jitdump_parse(p, bytes->len, NULL);
	if (f->dump)
		return;
	clear(files, f);
	snprintf(f->why_not, sizeof f->why_not, "not a dump of a JIT compiler");
}

static void take_map(struct jit_files *files, struct jit_file *f, struct buf *bytes)
{
	size_t n = bytes->len;
	if (has_room(files, f, jit_map_memory(bytes->data, n)))
		f->map = jit_map_new(buf_take(bytes), n);
}

static bool is_as_read(const struct jit_file *f, const struct stat *st)
{
	return f->users > 0 && f->size == st->st_size && f->changed == st->st_mtime;
}

static bool read_file(struct jit_files *files, struct jit_file *f, int fd, struct buf *bytes, struct err *err)
{
	bytes->len = 0;
	if (lseek(fd, 0, SEEK_SET) != 0)
		return fail_errno(err, "cannot be read");
	if (!regular_read_all(fd, FILE_MAX, bytes, err))
		return false;
	clear(files, f);
	if (f->is_dump)
		take_dump(files, f, bytes);
	else
		take_map(files, f, bytes);
	return true;
}

struct jit_file *jit_files_get(struct jit_files *files, int fd, bool is_dump, struct buf *bytes, struct err *err)
{
	struct stat st;
	if (fstat(fd, &st) != 0) {
		fail_errno(err, "cannot be read");
		return NULL;
	}
	struct jit_file *f = file_of(files, &st, is_dump);
	if (!is_as_read(f, &st)) {
		if (!read_file(files, f, fd, bytes, err))
			return NULL;
		f->size = st.st_size;
		f->changed = st.st_mtime;
	}
	f->users++;
	return f;
}

void jit_file_leave(struct jit_files *files, struct jit_file *f)
{
	if (f && --f->users == 0)
		clear(files, f);
}
