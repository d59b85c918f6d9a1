/*
 * debug_ranges.c - libdw reads the pieces of code of entries, except of split DWARF: their addresses and lists are
 * in two files, which it joins only if it has opened both.
 *
 *	DW_AT_low_pc    number of an address in .debug_addr of the program
 *	DW_AT_high_pc   the same, or a number of bytes
 *	DW_AT_ranges    DWARF 5: number or place of a list in .debug_rnglists.dwo; before: place of one in
 *	                .debug_ranges of the program
 */
#include "symbols/debug_ranges.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>

struct debug_ranges debug_ranges_of(Dwarf_Die *die, const struct debug_split *split)
{
	return (struct debug_ranges){.die = die, .split = split && split->die.cu == die->cu ? split : NULL};
}

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static struct cfi_cursor cursor_at(struct debug_section s, uint64_t offset)
{
	if (offset >= s.n)
		return (struct cfi_cursor){NULL, NULL, true};
	return (struct cfi_cursor){s.bytes + offset, s.bytes + s.n, false};
}

/* n is 1 to 8. */
static uint64_t fixed(const struct debug_split *s, struct cfi_cursor *c, size_t n)
{
	uint64_t v = cfi_fixed(c, n);
	return s->is_big ? __builtin_bswap64(v) >> (64 - 8 * n) : v;
}

/* The address of that number; the cursor that told it is bad if there is none. */
static uint64_t address_at(const struct debug_split *s, struct cfi_cursor *c, uint64_t number)
{
	bool is_there = number < s->addresses.n / s->address_size;
	struct cfi_cursor at = cursor_at(s->addresses, is_there ? number * s->address_size : UINT64_MAX);
	c->is_bad = c->is_bad || at.is_bad;
	return fixed(s, &at, s->address_size);
}

/* The bytes of an attribute. */
static struct cfi_cursor bytes_of(const struct debug_split *s, const Dwarf_Attribute *a)
{
	uintptr_t first = (uintptr_t)s->info.bytes, at = (uintptr_t)a->valp;
	return cursor_at(s->info, at >= first ? at - first : UINT64_MAX);
}

static bool number_of(const struct debug_split *s, Dwarf_Attribute *a, unsigned form, uint64_t *number)
{
	struct cfi_cursor c = bytes_of(s, a);
	switch (form) {
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		*number = fixed(s, &c, form - DW_FORM_addrx1 + 1);
		return !c.is_bad;
	case DW_FORM_sec_offset:
		*number = fixed(s, &c, s->offset_size);
		return !c.is_bad;
	default:
		*number = cfi_uleb(&c);
		return !c.is_bad;
	}
}

/* is_size: the value is a number of bytes, not an address. */
static bool address_of(const struct debug_ranges *r, unsigned name, uint64_t *address, bool *is_size)
{
	Dwarf_Attribute a;
	Dwarf_Word size;
	struct cfi_cursor c = {NULL, NULL, false};
	uint64_t number;
	*is_size = false;
	if (!dwarf_attr(r->die, name, &a))
		return false;
	switch (dwarf_whatform(&a)) {
	case DW_FORM_addr:
		return dwarf_formaddr(&a, address) == 0;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		if (!number_of(r->split, &a, dwarf_whatform(&a), &number))
			return false;
		*address = address_at(r->split, &c, number);
		return !c.is_bad;
	default:
		*is_size = true;
		if (dwarf_formudata(&a, &size) != 0)
			return false;
		*address = size;
		return true;
	}
}

/* ---- lists --------------------------------------------------------------------------------------------------- */

#define SHORT_HEADER 12u /* of the lists of a unit: length, version, sizes, how many; then their places */
#define LONG_HEADER 20u  /* with offsets of 8 bytes */

static struct cfi_cursor numbered_list(const struct debug_split *s, uint64_t number)
{
	uint64_t header = s->offset_size == 8 ? LONG_HEADER : SHORT_HEADER;
	if (number >= s->lists.n)
		return cursor_at(s->lists, UINT64_MAX);
	struct cfi_cursor c = cursor_at(s->lists, header + number * s->offset_size);
	uint64_t place = fixed(s, &c, s->offset_size);
	return cursor_at(s->lists, c.is_bad || place > s->lists.n ? UINT64_MAX : header + place);
}

static struct cfi_cursor list_of(const struct debug_ranges *r)
{
	const struct debug_split *s = r->split;
	Dwarf_Attribute a;
	uint64_t number;
	if (!dwarf_attr(r->die, DW_AT_ranges, &a))
		return cursor_at(s->lists, UINT64_MAX);
	unsigned form = dwarf_whatform(&a);
	if ((form != DW_FORM_sec_offset && form != DW_FORM_rnglistx && form != DW_FORM_data4) ||
	    !number_of(s, &a, form == DW_FORM_data4 ? DW_FORM_sec_offset : form, &number))
		return cursor_at(s->lists, UINT64_MAX);
	return form == DW_FORM_rnglistx ? numbered_list(s, number) : cursor_at(s->lists, number);
}

/* Before DWARF 5: pairs of addresses from the base on. */
static bool next_old(struct debug_ranges *r, uint64_t *start, uint64_t *end)
{
	uint64_t highest = r->split->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	*start = fixed(r->split, &r->list, r->split->address_size);
	*end = fixed(r->split, &r->list, r->split->address_size);
	if (r->list.is_bad || (*start == 0 && *end == 0))
		return false;
	if (*start == highest) {
		r->base = *end;
		*start = *end;
		return true;
	}
	*start += r->base;
	*end += r->base;
	return true;
}

static uint64_t numbered(const struct debug_ranges *r, struct cfi_cursor *c)
{
	return address_at(r->split, c, cfi_uleb(c));
}

static bool next_new(struct debug_ranges *r, uint64_t *start, uint64_t *end)
{
	struct cfi_cursor *c = &r->list;
	size_t size = r->split->address_size;
	switch (cfi_fixed(c, 1)) {
	case DW_RLE_base_addressx:
		*start = *end = r->base = numbered(r, c);
		break;
	case DW_RLE_startx_endx:
		*start = numbered(r, c);
		*end = numbered(r, c);
		break;
	case DW_RLE_startx_length:
		*start = numbered(r, c);
		*end = *start + cfi_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*start = r->base + cfi_uleb(c);
		*end = r->base + cfi_uleb(c);
		break;
	case DW_RLE_base_address:
		*start = *end = r->base = fixed(r->split, c, size);
		break;
	case DW_RLE_start_end:
		*start = fixed(r->split, c, size);
		*end = fixed(r->split, c, size);
		break;
	case DW_RLE_start_length:
		*start = fixed(r->split, c, size);
		*end = *start + cfi_uleb(c);
		break;
	default: /* the end */
		return false;
	}
	return !c->is_bad;
}

static bool next_of_split(struct debug_ranges *r, uint64_t *start, uint64_t *end)
{
	bool is_size;
	if (!r->is_begun) {
		r->is_begun = true;
		r->list.is_bad = true;
		if (address_of(r, DW_AT_low_pc, start, &is_size) && !is_size &&
		    address_of(r, DW_AT_high_pc, end, &is_size)) {
			*end += is_size ? *start : 0;
			return true;
		}
		r->base = r->split->base;
		r->list = list_of(r);
	}
	if (r->list.is_bad)
		return false;
	return r->split->version >= 5 ? next_new(r, start, end) : next_old(r, start, end);
}

bool debug_ranges_next(struct debug_ranges *r, uint64_t *start, uint64_t *end)
{
	if (r->split)
		return next_of_split(r, start, end);
	r->next = dwarf_ranges(r->die, r->next, &r->base, start, end);
	return r->next > 0;
}

#endif
