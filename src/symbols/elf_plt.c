/*
 * elf_plt.c - the stubs through which an ELF file calls functions of other files.
 *
 * A stub jumps through a slot of the offset table, and a relocation names the function whose address the dynamic
 * linker puts into the slot:
 *
 *	.plt.sec   1030:  endbr64; jmp *0x2fca(%rip)  ->  slot 4000  ->  .rela.plt: 4000 R_X86_64_JUMP_SLOT puts
 *
 * On x86-64, where linkers arrange stubs in half a dozen ways, the jump itself is decoded. On other machines the
 * stubs have one size and the order of .rela.plt, after a header of known size.
 */
#include "symbols/elf_plt.h"

#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define SECTION_MAX ((size_t)64 << 20)
#define NAMES_MAX ((size_t)512 << 20)

struct relocation {
	uint64_t slot, target;
	uint32_t symbol;
};

struct plt {
	const struct elf_file *elf;
	void (*found)(void *arg, const struct elf_stub *);
	void *arg;
	struct relocation *items; /* those of .rela.plt first, in their order */
	size_t n, cap, n_jumps;
	struct sort_item *by_slot;
	unsigned char *symbols;
	char *names;
	size_t n_symbols, names_len;
};

static bool holds(const struct elf_section *section, uint64_t address)
{
	return section && address >= section->address && address - section->address < section->size;
}

/* Most relocations are of data; stubs jump through slots of the offset tables only. */
static void read_relocations(struct plt *p, const char *with_addends, const char *without, bool is_data_too)
{
	const struct elf_section *got = elf_section_named(p->elf, ".got");
	const struct elf_section *got_plt = elf_section_named(p->elf, ".got.plt");
	const struct elf_file *elf = p->elf;
	const struct elf_section *section = elf_section_named(elf, with_addends);
	size_t w = elf_word_size(elf), n, step = (section ? 3 : 2) * w;
	bool has_addends = section != NULL;
	unsigned char *bytes =
		elf_section_bytes(elf, section ? section : elf_section_named(elf, without), SECTION_MAX, &n);
	for (size_t i = 0; bytes && i + step <= n; i += step) {
		uint64_t info = elf_word(elf, bytes + i + w);
		struct relocation r = {.slot = elf_word(elf, bytes + i),
		                       .symbol = (uint32_t)(elf->is_64 ? info >> 32 : info >> 8)};
		r.target = has_addends ? elf_word(elf, bytes + i + 2 * w) : 0;
		if (is_data_too && !holds(got, r.slot) && !holds(got_plt, r.slot))
			continue;
		mem_push(p->items, p->n, p->cap, r);
	}
	free(bytes);
}

static void sort_relocations(struct plt *p)
{
	struct sort_item *scratch = mem_alloc(p->n * sizeof *scratch);
	p->by_slot = mem_alloc(p->n * sizeof *p->by_slot);
	for (size_t i = 0; i < p->n; i++)
		p->by_slot[i] = (struct sort_item){p->items[i].slot, 0, (uint32_t)i};
	sort_items(p->by_slot, p->n, scratch);
	free(scratch);
}

static const struct relocation *relocation_of(const struct plt *p, uint64_t slot)
{
	size_t low = 0, high = p->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->by_slot[middle].key < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->n && p->by_slot[low].key == slot ? &p->items[p->by_slot[low].value] : NULL;
}

static void read_names(struct plt *p)
{
	const struct elf_section *section = elf_section_of_type(p->elf, ELF_SECTION_DYNSYM);
	if (!section)
		return;
	p->symbols = elf_section_bytes(p->elf, section, NAMES_MAX, &p->n_symbols);
	p->n_symbols /= p->elf->is_64 ? 24 : 16;
	p->names = (char *)elf_section_bytes(p->elf, elf_section_linked(p->elf, section), NAMES_MAX, &p->names_len);
}

/* NULL: it has none. */
static const char *name_of(const struct plt *p, const struct relocation *r)
{
	if (r->symbol == 0 || r->symbol >= p->n_symbols || !p->symbols || !p->names)
		return NULL;
	uint32_t name = elf_u32(p->elf, p->symbols + (size_t)r->symbol * (p->elf->is_64 ? 24 : 16));
	return name > 0 && name < p->names_len ? p->names + name : NULL;
}

static void tell(const struct plt *p, uint64_t start, uint64_t size, const struct relocation *r)
{
	struct elf_stub stub = {start, start + size, name_of(p, r), r->target, p->names_len};
	if ((stub.name || (r->symbol == 0 && r->target != 0)) && stub.end > start)
		p->found(p->arg, &stub);
}

/* The relocation of an x86-64 stub: jmp *x(%rip), or push n; jmp header. NULL: none. */
static const struct relocation *stub_relocation(const struct plt *p, uint64_t address, const unsigned char *b,
                                                size_t n)
{
	for (size_t i = 0; i + 6 <= n && i <= 6; i++)
		if (b[i] == 0xFF && b[i + 1] == 0x25)
			return relocation_of(p, address + i + 6 + (uint64_t)(int64_t)(int32_t)elf_u32(p->elf, b + i + 2));
	size_t push = b[0] == 0xF3 && n >= 9 ? 4 : 0; /* after endbr64 */
	uint32_t i = n >= push + 5 && b[push] == 0x68 ? elf_u32(p->elf, b + push + 1) : UINT32_MAX;
	return i < p->n_jumps ? &p->items[i] : NULL;
}

/* Does the section have stubs of eight bytes? Static programs do not record their size. */
static bool is_short(const struct elf_section *section, const unsigned char *bytes, size_t n)
{
	bool has_two = n >= 10 && memcmp(bytes, "\xFF\x25", 2) == 0 && memcmp(bytes + 8, "\xFF\x25", 2) == 0;
	return section->entry_size == 8 || has_two;
}

static void read_jumps(const struct plt *p, const struct elf_section *section)
{
	size_t n;
	unsigned char *bytes = elf_section_bytes(p->elf, section, SECTION_MAX, &n);
	size_t step = bytes && is_short(section, bytes, n) ? 8 : 16;
	for (size_t i = 0; bytes && i + step <= n; i += step) {
		const struct relocation *r = stub_relocation(p, section->address + i, bytes + i, step);
		if (r)
			tell(p, section->address + i, step, r);
	}
	free(bytes);
}

/* Bytes before the first stub; SIZE_MAX: unknown. */
static size_t header_of(uint16_t machine, const char *name)
{
	if (strcmp(name, ".plt.sec") == 0)
		return 0;
	switch (machine) {
	case ELF_MACHINE_386:
		return 16;
	case ELF_MACHINE_ARM:
		return 20;
	case ELF_MACHINE_AARCH64:
	case ELF_MACHINE_S390:
	case ELF_MACHINE_RISCV:
		return 32;
	default:
		return SIZE_MAX;
	}
}

static void count_stubs(const struct plt *p, const struct elf_section *section, const char *name)
{
	size_t header = header_of(p->elf->machine, name);
	if (p->n_jumps == 0 || header == SIZE_MAX || section->size <= header)
		return;
	uint64_t step = (section->size - header) / p->n_jumps;
	if (step < 8 || step > 64 || step % 4 != 0)
		return;
	for (size_t i = 0; i < p->n_jumps; i++)
		tell(p, section->address + header + i * step, step, &p->items[i]);
}

static void read_stubs(const struct plt *p)
{
	static const char *const names[] = {".plt", ".plt.sec", ".plt.got", ".plt.bnd", ".iplt"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct elf_section *section = elf_section_named(p->elf, names[i]);
		if (!section || !(section->flags & ELF_SECTION_EXECUTABLE))
			continue;
		if (p->elf->machine == ELF_MACHINE_X86_64)
			read_jumps(p, section);
		else if (i < 2)
			count_stubs(p, section, names[i]);
	}
}

void elf_plt_each(const struct elf_file *elf, void (*found)(void *arg, const struct elf_stub *), void *arg)
{
	struct plt p = {.elf = elf, .found = found, .arg = arg};
	read_relocations(&p, ".rela.plt", ".rel.plt", false);
	p.n_jumps = p.n;
	if (elf->machine == ELF_MACHINE_X86_64)
		read_relocations(&p, ".rela.dyn", ".rel.dyn", true);
	if (p.n > 0) {
		sort_relocations(&p);
		read_names(&p);
		read_stubs(&p);
	}
	free(p.items);
	free(p.by_slot);
	free(p.symbols);
	free(p.names);
}
