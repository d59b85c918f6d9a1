/*
 * debug_sums.c - the checksums of debug files: CRC-32, as zlib and gzip have it.
 *
 * Several programs may name one file, and any program any file: so what was read is kept, and has a limit.
 */
#include "symbols/debug_sums.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

#define PIECE ((size_t)64 << 10)

struct known {
	dev_t device;
	ino_t inode;
	uint64_t size;
	time_t changed;
	uint32_t sum;
};

struct debug_sums {
	struct known *v;
	size_t n, cap;
	struct map map; /* by device and inode */
	uint64_t bytes;
	bool is_full;
	uint32_t table[256];
};

struct debug_sums *debug_sums_new(void)
{
	struct debug_sums *s = mem_zalloc(1, sizeof *s);
	map_init(&s->map, 8);
	for (uint32_t i = 0; i < 256; i++) {
		s->table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			s->table[i] = s->table[i] >> 1 ^ (s->table[i] & 1 ? 0xEDB88320u : 0);
	}
	return s;
}

void debug_sums_free(struct debug_sums *s)
{
	if (!s)
		return;
	map_deinit(&s->map);
	free(s->v);
	free(s);
}

static bool read_sum(const struct debug_sums *s, const struct elf_file *elf, uint32_t *sum)
{
	unsigned char *piece = mem_alloc(PIECE);
	uint64_t at = 0;
	*sum = UINT32_MAX;
	for (uint64_t n; at < elf->size; at += n) {
		n = elf->size - at < PIECE ? elf->size - at : PIECE;
		if (!elf_file_read(elf, at, piece, (size_t)n))
			break;
		for (size_t i = 0; i < n; i++)
			*sum = s->table[(*sum ^ piece[i]) & 0xFF] ^ *sum >> 8;
	}
	free(piece);
	*sum = ~*sum;
	return at >= elf->size;
}

static uint64_t hash_of(const struct stat *st)
{
	return hash_mix((uint64_t)st->st_dev ^ hash_seed[0], (uint64_t)st->st_ino ^ hash_seed[1]);
}

static const struct known *find(const struct debug_sums *s, const struct stat *st)
{
	MAP_EACH(&s->map, hash_of(st), i)
	{
		const struct known *k = &s->v[i];
		if (k->device == st->st_dev && k->inode == st->st_ino && k->size == (uint64_t)st->st_size &&
		    k->changed == st->st_mtime)
			return k;
	}
	return NULL;
}

bool debug_sums_get(struct debug_sums *s, const struct elf_file *elf, uint32_t *sum)
{
	struct stat st;
	if (elf->fd < 0 || fstat(elf->fd, &st) != 0)
		return false;
	const struct known *known = find(s, &st);
	if (known) {
		*sum = known->sum;
		return true;
	}
	if (elf->size > DEBUG_SUMS_MOST - s->bytes) {
		s->is_full = true;
		return false;
	}
	s->bytes += elf->size;
	if (!read_sum(s, elf, sum))
		return false;
	map_add(&s->map, hash_of(&st), (uint32_t)s->n);
	mem_push(s->v, s->n, s->cap, ((struct known){st.st_dev, st.st_ino, (uint64_t)st.st_size, st.st_mtime, *sum}));
	return true;
}

bool debug_sums_are_full(const struct debug_sums *s)
{
	return s->is_full;
}
