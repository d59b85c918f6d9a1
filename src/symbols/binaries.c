/*
 * binaries.c - ELF files that recorded processes had mapped, found on this machine and read once each.
 *
 * Containers map one file under many names and inodes of their own; whatever the names, a file that is there once is
 * read once: files are known by device and inode.
 */
#include "symbols/binaries.h"

#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

#define SLOTS ((size_t)64)

void binaries_init(struct binaries *b, const char *root)
{
	*b = (struct binaries){.root = mem_strdup(root ? root : "")};
	b->n_slots = SLOTS;
	b->slots = mem_zalloc(SLOTS, sizeof *b->slots);
}

void binaries_deinit(struct binaries *b)
{
	for (size_t i = 0; i < b->n; i++) {
		elf_symbols_free(b->items[i]->symbols);
		free(b->items[i]->path);
		free(b->items[i]->debug_path);
		free(b->items[i]);
	}
	free(b->items);
	free(b->slots);
	free(b->root);
}

static uint32_t *slot_of(const struct binaries *b, dev_t device, ino_t inode)
{
	for (size_t i = (size_t)hash_mix(device ^ hash_seed[0], inode ^ hash_seed[1]);; i++) {
		uint32_t *slot = &b->slots[i & (b->n_slots - 1)];
		if (*slot == 0 || (b->items[*slot - 1]->device == device && b->items[*slot - 1]->inode == inode))
			return slot;
	}
}

static void keep(struct binaries *b, struct binary *binary)
{
	mem_push(b->items, b->n, b->cap, binary);
	if (b->n * 2 > b->n_slots) {
		free(b->slots);
		b->n_slots *= 2;
		b->slots = mem_zalloc(b->n_slots, sizeof *b->slots);
		for (size_t i = 0; i < b->n; i++)
			*slot_of(b, b->items[i]->device, b->items[i]->inode) = (uint32_t)(i + 1);
	} else {
		*slot_of(b, binary->device, binary->inode) = (uint32_t)b->n;
	}
}

static struct binary *read_binary(const char *path, const struct stat *st, struct err *err)
{
	struct elf_file elf;
	if (!elf_file_open(&elf, path, err))
		return NULL;
	struct binary *binary = mem_zalloc(1, sizeof *binary);
	binary->device = st->st_dev;
	binary->inode = st->st_ino;
	binary->n_build_id = elf_build_id(&elf, binary->build_id);
	binary->symbols = elf_symbols_new(&elf, NULL);
	binary->path = mem_strdup(path);
	elf_file_close(&elf);
	return binary;
}

static const struct binary *open_path(struct binaries *b, const char *path, struct err *err)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		fail_errno(err, "%s", path);
		return NULL;
	}
	uint32_t known = *slot_of(b, st.st_dev, st.st_ino);
	if (known > 0)
		return b->items[known - 1];
	struct binary *binary = read_binary(path, &st, err);
	if (binary)
		keep(b, binary);
	return binary;
}

const struct binary *binaries_open(struct binaries *b, const struct binary_wanted *wanted, struct err *err)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s", b->root, wanted->name);
	const struct binary *binary = open_path(b, buf_str(&path), err);
	if (binary && wanted->n_build_id > 0 &&
	    !build_id_is_same(binary->build_id, binary->n_build_id, wanted->build_id, wanted->n_build_id)) {
		fail(err, "%s: it is another one than was recorded", wanted->name);
		binary = NULL;
	}
	buf_deinit(&path);
	return binary;
}
