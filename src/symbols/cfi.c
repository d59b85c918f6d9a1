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
	if (!f || !cfi_program_run(index, f, vaddr, &state))
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

uint64_t cfi_cost(const struct cfi *cfi, uint64_t vaddr)
{
	return program_bytes(&cfi->eh_frame, vaddr) + program_bytes(&cfi->debug_frame, vaddr);
}

const struct cfi_row *cfi_at(struct cfi *cfi, uint64_t vaddr)
{
	uint64_t hash = hash_key(vaddr);
	MAP_EACH(&cfi->map, hash, i)
	if (cfi->known[i].vaddr == vaddr)
		return cfi->known[i].row;
	const struct cfi_row *row = make_row(cfi, &cfi->eh_frame, vaddr);
	if (!row)
		row = make_row(cfi, &cfi->debug_frame, vaddr);
	mem_push(cfi->known, cfi->n, cfi->cap, ((struct known_row){vaddr, row}));
	map_add(&cfi->map, hash, (uint32_t)(cfi->n - 1));
	return row;
}
