/*
 * elf_symbols.c - the functions of an ELF file by address.
 *
 * A symbol table may name a function several times, in any order. This file sorts it once and keeps the best name
 * at each address:
 *
 *	one with a size, a function before a label; global before weak before local; fewer underscores in front; shorter
 *
 * A function without a size (from assembler) ends where the next one of its section begins. Where functions
 * overlap, the one that starts last holds the address (symbols/ranges.h).
 */
#include "symbols/elf_symbols.h"

#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/sort.h"
#include "symbols/better_name.h"
#include "symbols/elf_debugdata.h"
#include "symbols/elf_plt.h"
#include "symbols/ranges.h"

#define SYMBOLS_MAX ((size_t)256 << 20)   /* bytes of a table, and of its names */
#define NAMES_MAX ((size_t)1 << 30)       /* of all tables */
#define NAME_MAX_BYTES ((size_t)64 << 10) /* of a function called through a stub */
/*
 * Names of stubs are copies, and a function has up to three stubs. All of them may have some bytes, and a few times
 * as many as the tables that they come from.
 */
#define STUB_NAMES ((size_t)4 << 10)
#define STUB_NAMES_RATIO 4u
#define PAGE 4096u

enum { BIND_LOCAL, BIND_GLOBAL, BIND_WEAK, BIND_UNIQUE = 10 };                   /* of st_info */
enum { KIND_NONE, KIND_FUNCTION = 2, KIND_INDIRECT = 10 };                       /* of st_info */
enum { VISIBILITY_INTERNAL = 1, VISIBILITY_HIDDEN = 2 };                         /* of st_other */
enum { INDEX_UNDEFINED = 0, INDEX_ABSOLUTE = 0xFFF1, INDEX_RESERVED = 0xFF00u }; /* of st_shndx */

struct function {
	uint64_t start, end; /* start == end: the size is unknown */
	uint32_t name;
	uint32_t section; /* 0: unknown */
	uint8_t binding;  /* higher is better */
	bool is_label, is_plt;
};

struct elf_symbols {
	struct elf_segment *loads;
	size_t n_loads;
	struct buf names;
	struct function *functions; /* rising */
	size_t n, cap;
	struct ranges ranges; /* of indices of functions */
	const char *left_out; /* NULL: nothing */
};

/* A symbol table during reading. */
struct table {
	const struct elf_file *elf;
	unsigned char *symbols, *opd;
	size_t n_symbols, step, n_opd;
	uint64_t opd_address;
	uint32_t names_at; /* offset of its names among all names */
	size_t names_len;
};

static const struct elf_section *table_of(const struct elf_file *elf, uint32_t type)
{
	const struct elf_section *section = elf_section_of_type(elf, type);
	size_t least = elf->is_64 ? 24 : 16;
	bool is_there = section && section->type != ELF_SECTION_NOBITS && section->entry_size >= least &&
	                section->entry_size < PAGE && section->size > section->entry_size;
	return is_there ? section : NULL;
}

/* Does the file have a table of all its symbols? */
static bool elf_symbols_has_table(const struct elf_file *elf)
{
	return table_of(elf, ELF_SECTION_SYMTAB) != NULL;
}

/*
 * Function descriptors of old 64-bit PowerPC files: a symbol points at a descriptor, which points at the function.
 */
static void table_read_descriptors(struct table *t)
{
	const struct elf_section *opd = t->elf->machine == ELF_MACHINE_PPC64 ? elf_section_named(t->elf, ".opd") : NULL;
	if (!opd)
		return;
	t->opd = elf_section_bytes(t->elf, opd, SYMBOLS_MAX, &t->n_opd);
	t->opd_address = opd->address;
}

/* Cuts the version that the linker appends: "fmod@@GLIBC_2.38" is fmod. */
static void cut_version(char *name)
{
	char *at = name[0] != '\0' ? strchr(name + 1, '@') : NULL;
	if (at && (at[1] == '@' || (at[1] >= 'A' && at[1] <= 'Z')))
		*at = '\0';
}

/* Names may share their final bytes, and those that do have the same version: each text is looked at once. */
static void cut_versions(char *names, size_t n)
{
	for (char *name = names, *next; name < names + n; name = next) {
		next = name + strlen(name) + 1;
		cut_version(name);
	}
}

static bool table_open(struct table *t, const struct elf_file *elf, uint32_t type, struct buf *names)
{
	const struct elf_section *section = table_of(elf, type);
	size_t bytes = 0;
	*t = (struct table){.elf = elf};
	if (!section)
		return false;
	unsigned char *text = elf_section_bytes(elf, elf_section_linked(elf, section), SYMBOLS_MAX, &t->names_len);
	if (!text)
		return false;
	if (t->names_len + names->len < NAMES_MAX)
		t->symbols = elf_section_bytes(elf, section, SYMBOLS_MAX, &bytes);
	if (t->symbols) {
		t->step = (size_t)section->entry_size;
		t->n_symbols = bytes / t->step;
		t->names_at = (uint32_t)names->len;
		buf_add(names, text, t->names_len + 1);
		cut_versions(names->data + t->names_at, t->names_len);
		table_read_descriptors(t);
	}
	free(text);
	return t->symbols;
}

static void table_close(struct table *t)
{
	free(t->symbols);
	free(t->opd);
}

/* Symbols that tell a disassembler what follows: code or data. */
static bool is_mapping_symbol(uint16_t machine, const char *name)
{
	bool has_them = machine == ELF_MACHINE_ARM || machine == ELF_MACHINE_AARCH64 || machine == ELF_MACHINE_RISCV;
	return has_them && name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) != NULL;
}

/* Labels in assembler do not have the type of a function, but serve as names where there is no better one. */
static bool is_label(const struct elf_file *elf, uint32_t section, unsigned char other)
{
	unsigned visibility = other & 3u;
	return section < elf->n_sections && section < INDEX_RESERVED &&
	       elf->sections[section].flags & ELF_SECTION_EXECUTABLE && visibility != VISIBILITY_INTERNAL &&
	       visibility != VISIBILITY_HIDDEN;
}

static uint64_t address_of(const struct table *t, uint64_t value, unsigned kind)
{
	if (t->elf->machine == ELF_MACHINE_ARM && kind == KIND_FUNCTION)
		return value & ~(uint64_t)1; /* Thumb */
	uint64_t at = value - t->opd_address;
	return t->opd && t->n_opd >= 8 && at <= t->n_opd - 8 ? elf_u64(t->elf, t->opd + at) : value;
}

static uint8_t binding_of(unsigned char info)
{
	unsigned bind = info >> 4;
	return bind == BIND_GLOBAL || bind == BIND_UNIQUE ? 2 : bind == BIND_WEAK ? 1 : 0;
}

/* false: symbol number i is no function. */
static bool table_function(const struct table *t, struct buf *names, size_t i, struct function *f)
{
	const struct elf_file *elf = t->elf;
	const unsigned char *p = t->symbols + i * t->step;
	const unsigned char *kinds = elf->is_64 ? p + 4 : p + 12; /* st_info, st_other, st_shndx */
	uint32_t name = elf_u32(elf, p), section = elf_u16(elf, kinds + 2);
	unsigned kind = kinds[0] & 15u;
	bool is_function = kind == KIND_FUNCTION || kind == KIND_INDIRECT;
	if (section == INDEX_UNDEFINED || name == 0 || name >= t->names_len || (!is_function && kind != KIND_NONE))
		return false;
	char *text = names->data + t->names_at + name;
	if (*text == '\0' || is_mapping_symbol(elf->machine, text))
		return false;
	if (!is_function && !is_label(elf, section, kinds[1]))
		return false;
	uint64_t size = elf->is_64 ? elf_u64(elf, p + 16) : elf_u32(elf, p + 8);
	uint64_t start = address_of(t, elf->is_64 ? elf_u64(elf, p + 8) : elf_u32(elf, p + 4), kind);
	*f = (struct function){.start = start,
	                       .end = size < UINT64_MAX - start ? start + size : start,
	                       .name = t->names_at + name,
	                       .section = section < elf->n_sections && section < INDEX_RESERVED ? section : 0,
	                       .binding = binding_of(kinds[0]),
	                       .is_label = !is_function};
	return true;
}

static void collect(struct elf_symbols *s, const struct elf_file *elf, uint32_t type)
{
	struct table t;
	struct function f;
	if (!table_open(&t, elf, type, &s->names))
		return;
	for (size_t i = 1; i < t.n_symbols; i++)
		if (table_function(&t, &s->names, i, &f))
			mem_push(s->functions, s->n, s->cap, f);
	table_close(&t);
}

static void collect_packed(struct elf_symbols *s, const struct elf_file *file, uint64_t *unpacked)
{
	struct elf_file inner;
	enum elf_debugdata is = elf_debugdata_open(file, unpacked, &inner);
	if (is == ELF_DEBUGDATA_LARGE)
		s->left_out = "its .gnu_debugdata holds more than its size explains, or than is read of all files";
	if (is != ELF_DEBUGDATA_OPEN)
		return;
	collect(s, &inner, ELF_SECTION_SYMTAB);
	elf_file_close(&inner);
}

/* Is a better than b, at the same address? */
static bool is_better(const struct elf_symbols *s, const struct function *a, const struct function *b)
{
	if ((a->end > a->start) != (b->end > b->start))
		return a->end > a->start;
	if (a->is_label != b->is_label)
		return b->is_label;
	if (a->binding != b->binding)
		return a->binding > b->binding;
	return is_better_name(s->names.data + a->name, s->names.data + b->name);
}

static struct sort_item *by_start(const struct elf_symbols *s)
{
	struct sort_item *order = mem_alloc(s->n * sizeof *order), *scratch = mem_alloc(s->n * sizeof *scratch);
	for (size_t i = 0; i < s->n; i++)
		order[i] = (struct sort_item){s->functions[i].start, 0, (uint32_t)i};
	sort_items(order, s->n, scratch);
	free(scratch);
	return order;
}

/* Sorts the functions and keeps one for each address. */
static void sort_unique(struct elf_symbols *s)
{
	struct sort_item *order = by_start(s);
	struct function *sorted = mem_alloc(s->n * sizeof *sorted);
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct function *f = &s->functions[order[i].value];
		if (n == 0 || sorted[n - 1].start != f->start)
			sorted[n++] = *f;
		else if (is_better(s, f, &sorted[n - 1]))
			sorted[n - 1] = *f;
	}
	free(order);
	free(s->functions);
	s->functions = sorted;
	s->n = s->cap = n;
}

static uint64_t end_of_section(const struct elf_file *elf, uint32_t section, uint64_t start)
{
	if (section == 0 || section >= elf->n_sections)
		return start < UINT64_MAX - PAGE ? start + PAGE : UINT64_MAX;
	return elf->sections[section].address + elf->sections[section].size;
}

/* Gives functions without a size one. Drops labels inside a function: they are places in it. */
static void set_ends(struct elf_symbols *s, const struct elf_file *elf)
{
	uint64_t sized = 0; /* where the functions so far end */
	for (size_t i = 0; i < s->n; i++) {
		struct function *f = &s->functions[i];
		if (f->end > f->start) {
			sized = f->end > sized ? f->end : sized;
		} else if (!f->is_label || f->start >= sized) {
			uint64_t end = end_of_section(elf, f->section, f->start);
			f->end = i + 1 < s->n && s->functions[i + 1].start < end ? s->functions[i + 1].start : end;
		}
	}
}

/* Finds the name of the function at an address, as an offset in names; 0: unknown. The functions are sorted. */
static size_t name_at(const struct elf_symbols *s, size_t n_sorted, uint64_t address)
{
	size_t low = 0, high = n_sorted;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->functions[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n_sorted && s->functions[low].start == address ? s->functions[low].name : 0;
}

struct stubs {
	struct elf_symbols *symbols;
	size_t n_sorted; /* functions */
	size_t n_names;  /* bytes of their tables */
	size_t taken;    /* bytes of names of stubs */
};

static bool stubs_take(struct stubs *stubs, const struct elf_stub *stub, size_t len)
{
	if (stubs->taken + len > STUB_NAMES + (uint64_t)STUB_NAMES_RATIO * (stubs->n_names + stub->n_names)) {
		stubs->symbols->left_out = "its stubs have more names than its tables of names explain";
		return false;
	}
	stubs->taken += len;
	return true;
}

static void add_stub(void *arg, const struct elf_stub *stub)
{
	struct stubs *stubs = arg;
	struct elf_symbols *s = stubs->symbols;
	struct function f = {.start = stub->start, .end = stub->end, .is_plt = true};
	size_t known = stub->name ? 0 : name_at(s, stubs->n_sorted, stub->target);
	size_t len = strnlen(stub->name ? stub->name : known > 0 ? s->names.data + known : "", NAME_MAX_BYTES + 1);
	if (len == 0 || len > NAME_MAX_BYTES || s->names.len > NAMES_MAX || !stubs_take(stubs, stub, len))
		return;
	f.name = (uint32_t)s->names.len;
	char *to = buf_reserve(&s->names, len + sizeof "@plt");
	memcpy(to, stub->name ? stub->name : s->names.data + known, len);
	memcpy(to + len, "@plt", sizeof "@plt");
	s->names.len += len + sizeof "@plt";
	mem_push(s->functions, s->n, s->cap, f);
}

static void settle(struct elf_symbols *s, const struct elf_file *file, const struct elf_file *elf)
{
	sort_unique(s);
	struct stubs stubs = {.symbols = s, .n_sorted = s->n, .n_names = s->names.len};
	elf_plt_each(file, add_stub, &stubs);
	if (s->n > stubs.n_sorted)
		sort_unique(s);
	set_ends(s, elf);
	for (size_t i = 0; i < s->n; i++) {
		const struct function *f = &s->functions[i];
		ranges_add(&s->ranges, &(struct range){f->start, f->end, (uint32_t)i, (uint32_t)i});
	}
	ranges_settle(&s->ranges);
}

static void keep_loads(struct elf_symbols *s, const struct elf_file *elf)
{
	s->loads = mem_alloc(elf->n_segments * sizeof *s->loads);
	for (size_t i = 0; i < elf->n_segments; i++)
		if (elf->segments[i].type == ELF_SEGMENT_LOAD)
			s->loads[s->n_loads++] = elf->segments[i];
}

static bool takes_debug(const struct elf_file *file, const struct elf_file *debug)
{
	return debug && !elf_symbols_has_table(file) && elf_symbols_has_table(debug);
}

/* Of each symbol there are a function, a range and two numbers, and arrays may be half empty. */
uint64_t elf_symbols_debug_memory(const struct elf_file *file, const struct elf_file *debug)
{
	if (!takes_debug(file, debug))
		return 0;
	const struct elf_section *table = table_of(debug, ELF_SECTION_SYMTAB),
							 *names = elf_section_linked(debug, table);
	uint64_t functions = table->size / table->entry_size;
	return u64_sum(names ? names->size : 0, functions * 2 * (sizeof(struct function) + sizeof(struct range)));
}

struct elf_symbols *elf_symbols_new(const struct elf_file *file, const struct elf_file *debug, uint64_t *unpacked)
{
	uint64_t own = ELF_DEBUGDATA_ALL;
	struct elf_symbols *s = mem_zalloc(1, sizeof *s);
	bool has_table = elf_symbols_has_table(file);
	const struct elf_file *from = takes_debug(file, debug) ? debug : file;
	buf_init(&s->names);
	ranges_init(&s->ranges);
	keep_loads(s, file);
	if (has_table || from == debug) {
		collect(s, from, ELF_SECTION_SYMTAB);
	} else {
		collect(s, file, ELF_SECTION_DYNSYM);
		collect_packed(s, file, unpacked ? unpacked : &own);
	}
	settle(s, file, from);
	return s;
}

size_t elf_symbols_names_size(const struct elf_symbols *s)
{
	return s->names.len;
}

const char *elf_symbols_left_out(const struct elf_symbols *s)
{
	return s->left_out;
}

void elf_symbols_free(struct elf_symbols *s)
{
	if (!s)
		return;
	free(s->loads);
	free(s->functions);
	buf_deinit(&s->names);
	ranges_deinit(&s->ranges);
	free(s);
}

/*
 * Rates how well a segment fits an offset; 0: not at all. Mappings begin at pages, so file bytes before or after a
 * segment are in memory, too, if they are on the same page.
 */
static unsigned fit(const struct elf_segment *s, uint64_t offset)
{
	bool is_in = offset >= s->offset && offset - s->offset < s->file_size;
	uint64_t page = s->offset & ~(uint64_t)(PAGE - 1), end = s->offset - page + s->file_size;
	bool is_on_page =
		offset >= page && end >= s->file_size && offset - page < ((end + PAGE - 1) & ~(uint64_t)(PAGE - 1));
	bool is_code = s->flags & ELF_SEGMENT_EXECUTABLE;
	return is_in && is_code ? 4 : is_on_page && is_code ? 3 : is_in ? 2 : is_on_page ? 1 : 0;
}

bool elf_symbols_address(const struct elf_symbols *s, uint64_t offset, uint64_t *vaddr)
{
	unsigned best = 0;
	for (size_t i = 0; i < s->n_loads && best < 4; i++) {
		unsigned is = fit(&s->loads[i], offset);
		if (is > best) {
			best = is;
			*vaddr = offset - s->loads[i].offset + s->loads[i].vaddr;
		}
	}
	return best > 0;
}

bool elf_symbols_at(const struct elf_symbols *s, uint64_t vaddr, struct elf_symbol *out)
{
	uint32_t i = ranges_find(&s->ranges, vaddr);
	if (i == RANGES_NONE)
		return false;
	const struct function *f = &s->functions[i];
	*out = (struct elf_symbol){s->names.data + f->name, f->start, f->end, i, f->is_plt};
	return true;
}

bool elf_symbols_named(const struct elf_symbols *s, const char *name, uint64_t *vaddr)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->names.data + s->functions[i].name, name) == 0) {
			*vaddr = s->functions[i].start;
			return true;
		}
	return false;
}

/* An address may have several names, as __random and random, of which one is kept. */
static const char *without_underscores(const char *name)
{
	while (*name == '_')
		name++;
	return name;
}

/* Are they equal but for parameters, or a hash of Rust? */
static bool is_shown_as(const char *name, const char *shown)
{
	size_t n = strlen(name), m = strlen(shown), common = n < m ? n : m;
	const char *rest = n < m ? shown + n : name + m;
	return common > 0 && memcmp(name, shown, common) == 0 &&
	       (!*rest || *rest == '(' || strncmp(rest, "::h", 3) == 0);
}

bool elf_symbols_shown(const struct elf_symbols *s, const char *name, uint64_t mask, uint64_t bits, uint64_t *vaddr)
{
	struct buf demangled;
	bool is_found = false, is_too_long;
	buf_init(&demangled);
	for (size_t i = 0; i < s->n && !is_found; i++) {
		const char *own = s->names.data + s->functions[i].name;
		if ((s->functions[i].start & mask) != bits)
			continue;
		demangled.len = 0;
		is_found = strcmp(without_underscores(own), without_underscores(name)) == 0 ||
		           (own[0] == '_' && demangle_name(own, strlen(own), &demangled, &is_too_long) &&
		            is_shown_as(buf_str(&demangled), name));
		*vaddr = s->functions[i].start;
	}
	buf_deinit(&demangled);
	return is_found;
}
