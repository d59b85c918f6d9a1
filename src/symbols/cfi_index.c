/*
 * cfi_index.c - reads all entries of .eh_frame or .debug_frame and sorts them.
 *
 *	entry    length (4 bytes, or 0xffffffff and 8), then
 *	CIE      0 (.debug_frame: all ones), version, augmentation, alignments, return address, first instructions
 *	FDE      place of its CIE (.eh_frame: how far back), address, size, instructions
 *
 * Reading all of a compiler's 60,000 functions takes some milliseconds, once for all processes that ran it; the
 * linker's own table (.eh_frame_hdr) can be missing or incomplete.
 */
#include "symbols/cfi_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "symbols/cfi_cursor.h"
#include "symbols/cfi_row.h"

enum { ENCODE_PLACE = 0x10, ENCODE_BASE = 0x70, ENCODE_INDIRECT = 0x80, ENCODE_NOTHING = 0xff };

static uint64_t value_of(struct cfi_cursor *c, uint8_t format)
{
	static const uint8_t sizes[] = {8, 0, 2, 4, 8};
	switch (format) {
	case 0x00:
	case 0x02:
	case 0x03:
	case 0x04:
		return cfi_fixed(c, sizes[format]);
	case 0x0a:
	case 0x0b:
	case 0x0c:
		return (uint64_t)cfi_signed(c, sizes[format - 8]);
	case 0x01:
		return cfi_uleb(c);
	case 0x09:
		return (uint64_t)cfi_sleb(c);
	default:
		c->is_bad = true;
		return 0;
	}
}

uint64_t cfi_index_address(const struct cfi_index *index, struct cfi_cursor *c, uint8_t encoding)
{
	uint64_t place = index->section->vaddr + (uint64_t)(c->p - index->section->bytes);
	uint64_t v = value_of(c, encoding & 0x0f);
	if ((encoding & ENCODE_INDIRECT) || ((encoding & ENCODE_BASE) && (encoding & ENCODE_BASE) != ENCODE_PLACE))
		c->is_bad = true;
	return (encoding & ENCODE_BASE) == ENCODE_PLACE ? v + place : v;
}

/* ---- CIE ---------------------------------------------------------------------------------------- */

/* "zPLRSB": reads the data after the return address, in the order of the letters. */
static void read_augmentation(const struct cfi_index *index, struct cfi_cursor *c, const char *letters,
                              struct cfi_common *common)
{
	if (*letters == '\0')
		return;
	if (*letters != 'z') {
		c->is_bad = true;
		return;
	}
	uint64_t n = cfi_uleb(c);
	struct cfi_cursor data = {c->p, c->end, false};
	cfi_skip(c, n);
	common->has_augmentation = true;
	for (letters++; *letters && !data.is_bad; letters++) {
		if (*letters == 'R')
			common->encoding = (uint8_t)cfi_fixed(&data, 1);
		else if (*letters == 'L')
			cfi_fixed(&data, 1);
		else if (*letters == 'P')
			cfi_index_address(index, &data, (uint8_t)cfi_fixed(&data, 1) & 0x0f);
		else if (*letters == 'S')
			common->is_signal = true;
	}
}

static void read_common(struct cfi_index *index, struct cfi_cursor c, size_t offset)
{
	struct cfi_common common = {.offset = offset, .program_end = (size_t)(c.end - index->section->bytes)};
	uint64_t version = cfi_fixed(&c, 1);
	const char *letters = (const char *)c.p;
	if (c.is_bad || !memchr(letters, '\0', cfi_left(&c)))
		return;
	cfi_skip(&c, strlen(letters) + 1);
	if (version == 4 && (cfi_fixed(&c, 1) != 8 || cfi_fixed(&c, 1) != 0))
		return;
	common.code_align = cfi_uleb(&c);
	common.data_align = cfi_sleb(&c);
	uint64_t reg = version == 1 ? cfi_fixed(&c, 1) : cfi_uleb(&c);
	read_augmentation(index, &c, letters, &common);
	if (c.is_bad || reg >= CFI_REGISTERS || (version != 1 && version != 3 && version != 4))
		return;
	common.return_register = (uint8_t)reg;
	common.program = (size_t)(c.p - index->section->bytes);
	mem_push(index->commons, index->n_commons, index->cap_commons, common);
}

/* Most functions belong to the CIE that was read last. */
static const struct cfi_common *common_at(const struct cfi_index *index, size_t offset)
{
	size_t low = 0, high = index->n_commons;
	if (high && index->commons[high - 1].offset == offset)
		return &index->commons[high - 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index->commons[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < index->n_commons && index->commons[low].offset == offset ? &index->commons[low] : NULL;
}

/* ---- FDE ---------------------------------------------------------------------------------------- */

static void read_function(struct cfi_index *index, struct cfi_cursor c, size_t common_offset)
{
	const struct cfi_common *common = common_at(index, common_offset);
	if (!common)
		return;
	struct cfi_function f = {.common = (uint32_t)(common - index->commons)};
	f.start = cfi_index_address(index, &c, common->encoding);
	f.end = f.start + value_of(&c, common->encoding & 0x0f);
	if (common->has_augmentation)
		cfi_skip(&c, cfi_uleb(&c));
	if (c.is_bad || f.start >= f.end || !f.start)
		return;
	f.program = (uint32_t)(c.p - index->section->bytes);
	f.program_end = (uint32_t)(c.end - index->section->bytes);
	mem_push(index->functions, index->n_functions, index->cap_functions, f);
}

/* Reads one entry; false: it is the last. */
static bool read_entry(struct cfi_index *index, struct cfi_cursor *all)
{
	const unsigned char *bytes = index->section->bytes;
	size_t offset = (size_t)(all->p - bytes), id_size = 4;
	uint64_t n = cfi_fixed(all, 4);
	if (n == UINT32_MAX) {
		n = cfi_fixed(all, 8);
		id_size = 8;
	}
	if (all->is_bad || n == 0 || n > cfi_left(all))
		return n == 0 && !all->is_bad && index->is_debug_frame;
	struct cfi_cursor entry = {all->p, all->p + n, false};
	all->p += n;
	size_t place = (size_t)(entry.p - bytes);
	uint64_t id = cfi_fixed(&entry, id_size), is_common = 0;
	if (index->is_debug_frame)
		is_common = id_size == 4 ? UINT32_MAX : UINT64_MAX;
	if (entry.is_bad)
		return true;
	if (id == is_common)
		read_common(index, entry, offset);
	else
		read_function(index, entry, index->is_debug_frame ? id : place - id);
	return true;
}

/* Linkers leave most of them in order; of two that begin at one place, the first stays first. */
static void sort_functions(struct cfi_index *index)
{
	size_t n = index->n_functions;
	struct sort_item *items = mem_alloc(n * sizeof *items), *scratch = mem_alloc(n * sizeof *scratch);
	struct cfi_function *sorted = mem_alloc(n * sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){index->functions[i].start, (uint32_t)i, (uint32_t)i};
	sort_items(items, n, scratch);
	for (size_t i = 0; i < n; i++)
		sorted[i] = index->functions[items[i].value];
	free(index->functions);
	index->functions = sorted;
	index->cap_functions = n;
	free(items);
	free(scratch);
}

void cfi_index_init(struct cfi_index *index, const struct cfi_section *section, bool is_debug_frame)
{
	*index = (struct cfi_index){.section = section, .is_debug_frame = is_debug_frame};
	if (!section->bytes)
		return;
	struct cfi_cursor all = {section->bytes, section->bytes + section->n, false};
	while (cfi_left(&all) >= 4 && read_entry(index, &all))
		;
	if (index->n_functions)
		sort_functions(index);
}

void cfi_index_deinit(struct cfi_index *index)
{
	free(index->commons);
	free(index->functions);
}

const struct cfi_function *cfi_index_at(const struct cfi_index *index, uint64_t vaddr)
{
	size_t low = 0, high = index->n_functions;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index->functions[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && vaddr < index->functions[low - 1].end ? &index->functions[low - 1] : NULL;
}
