/*
 * cfi.c - a file's rows, each computed at the first request for its address.
 *
 * A recording has a few thousand different return addresses, however long it is.
 */
#include "symbols/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "symbols/cfi_index.h"
#include "symbols/cfi_program.h"

/*
 * Of the programs of a file, in bytes: at most half a second. A program begins anew for each address, so a small
 * file could cost as many bytes as it has for each of thousands of addresses. In 115 recordings, no file needed
 * more than 140 KB, for 2000 addresses.
 */
#define FREE_WORK ((uint64_t)8 << 20)
#define WORK_PER_BYTE 64u /* of the sections, and more */
#define MOST_WORK ((uint64_t)256 << 20)

struct known_row {
	uint64_t vaddr;
	const struct cfi_row *row; /* NULL: there is none */
};

struct cfi {
	struct cfi_image image;
	struct cfi_index eh_frame, debug_frame;
	struct arena rows;
	struct known_row *known;
	size_t n, cap;
	struct map map; /* of known rows by vaddr */
	uint64_t work, most_work;
};

struct cfi *cfi_new(struct cfi_image *image)
{
	struct cfi *cfi = mem_zalloc(1, sizeof *cfi);
	cfi->image = *image;
	*image = (struct cfi_image){0};
	cfi_index_init(&cfi->eh_frame, &cfi->image.eh_frame, false);
	cfi_index_init(&cfi->debug_frame, &cfi->image.debug_frame, true);
	arena_init(&cfi->rows);
	map_init(&cfi->map, 512);
	cfi->most_work = FREE_WORK + WORK_PER_BYTE * ((uint64_t)cfi->image.eh_frame.n + cfi->image.debug_frame.n);
	cfi->most_work = cfi->most_work < MOST_WORK ? cfi->most_work : MOST_WORK;
	return cfi;
}

void cfi_free(struct cfi *cfi)
{
	if (!cfi)
		return;
	cfi_index_deinit(&cfi->eh_frame);
	cfi_index_deinit(&cfi->debug_frame);
	arena_deinit(&cfi->rows);
	free(cfi->known);
	map_deinit(&cfi->map);
	cfi_image_deinit(&cfi->image);
	free(cfi);
}

const struct cfi_image *cfi_image(const struct cfi *cfi)
{
	return &cfi->image;
}

static const struct cfi_row *keep_row(struct cfi *cfi, const struct cfi_state *s, const struct cfi_common *common)
{
	struct cfi_rule rules[CFI_REGISTERS];
	struct cfi_row *row = arena_alloc(&cfi->rows, sizeof *row);
	size_t n = 0;
	for (size_t i = 0; i < CFI_REGISTERS; i++)
		if (s->rules[i].kind != CFI_SAME)
			rules[n++] = s->rules[i];
	struct cfi_rule *kept = arena_alloc(&cfi->rows, n * sizeof *kept);
	memcpy(kept, rules, n * sizeof *kept);
	*row = (struct cfi_row){
		.frame = s->frame,
		.rules = kept,
		.n_rules = (uint8_t)n,
		.return_register = common->return_register,
		.is_signal = common->is_signal,
		.is_signed = s->is_signed,
	};
	return row;
}

static const struct cfi_row *make_row(struct cfi *cfi, const struct cfi_index *index, uint64_t vaddr)
{
	struct cfi_state state;
	const struct cfi_function *f = cfi_index_at(index, vaddr);
	if (!f || !cfi_program_run(index, f, vaddr, &state, &cfi->work))
		return NULL;
	return keep_row(cfi, &state, &index->commons[f->common]);
}

static uint64_t program_bytes(const struct cfi_index *index, uint64_t vaddr)
{
	const struct cfi_function *f = cfi_index_at(index, vaddr);
	if (!f)
		return 0;
	const struct cfi_common *common = &index->commons[f->common];
	return f->program_end - f->program + (common->program_end - common->program);
}

static const struct known_row *known_at(const struct cfi *cfi, uint64_t vaddr)
{
	MAP_EACH(&cfi->map, hash_key(vaddr), i)
	if (cfi->known[i].vaddr == vaddr)
		return &cfi->known[i];
	return NULL;
}

uint64_t cfi_cost(const struct cfi *cfi, uint64_t vaddr)
{
	if (cfi->work > cfi->most_work && !known_at(cfi, vaddr))
		return UINT64_MAX;
	return program_bytes(&cfi->eh_frame, vaddr) + program_bytes(&cfi->debug_frame, vaddr);
}

const struct cfi_row *cfi_at(struct cfi *cfi, uint64_t vaddr)
{
	const struct known_row *known = known_at(cfi, vaddr);
	if (known)
		return known->row;
	if (cfi->work > cfi->most_work)
		return NULL;
	const struct cfi_row *row = make_row(cfi, &cfi->eh_frame, vaddr);
	if (!row)
		row = make_row(cfi, &cfi->debug_frame, vaddr);
	mem_push(cfi->known, cfi->n, cfi->cap, ((struct known_row){vaddr, row}));
	map_add(&cfi->map, hash_key(vaddr), (uint32_t)(cfi->n - 1));
	return row;
}
