/*
 * Functions of ELF files of either class and byte order; damaged files do no harm.
 */
#include "symbols/elf_symbols.h"

#include <unistd.h>

#include "base/mem.h"
#include "tests/unit/elf_writer.h"
#include "tests/unit/packing.h"

enum { LOCAL, GLOBAL, WEAK };
enum { NONE, OBJECT, FUNC, INDIRECT = 10 };

#define TEXT 1

static const struct writer_symbol symbols[] = {
	{"main", 0x1000, 0x20, TEXT, GLOBAL, FUNC, 0},
	{"__alias", 0x1020, 0x10, TEXT, GLOBAL, FUNC, 0},
	{"alias", 0x1020, 0x10, TEXT, WEAK, FUNC, 0},
	{"_alias_too", 0x1020, 0x10, TEXT, GLOBAL, FUNC, 0},
	{"_alias_is", 0x1020, 0x10, TEXT, GLOBAL, FUNC, 0},
	{"outer", 0x1030, 0x50, TEXT, LOCAL, FUNC, 0},
	{"inner", 0x1040, 0x10, TEXT, LOCAL, FUNC, 0},
	{"label_inside", 0x1060, 0, TEXT, LOCAL, NONE, 0},
	{"without_size", 0x1080, 0, TEXT, GLOBAL, FUNC, 0},
	{"versioned@@VERSION_1", 0x1090, 8, TEXT, GLOBAL, FUNC, 0},
	{"label", 0x10a0, 0, TEXT, GLOBAL, NONE, 0},
	{"hidden", 0x10b0, 0, TEXT, GLOBAL, NONE, 2},
	{"chooses", 0x10c0, 0x10, TEXT, GLOBAL, INDIRECT, 0},
	{"variable", 0x10d0, 8, TEXT, GLOBAL, OBJECT, 0},
	{"imported", 0, 0, 0, GLOBAL, FUNC, 0},
	{"last", 0x10e0, 0, TEXT, GLOBAL, FUNC, 0},
};

static struct buf sample(bool is_64, bool is_big)
{
	struct elf_writer w;
	writer_init(&w, is_64, is_big);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE | 4, 0xd50, 0x1d50, 0x300);
	writer_segment(&w, 4, 0, 0, 0xd50);
	uint32_t text = writer_section(&w, ".text", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	buf_pad(&w.bodies[text], '\x90', 0x100);
	writer_symbols(&w, ".symtab", symbols, sizeof symbols / sizeof *symbols);
	writer_build_id(&w, "\x12\x34\x56\x78\x9a\xbc\xde\xf0", 8);
	return writer_finish(&w);
}

static uint64_t *unpacked; /* for elf_symbols_new() */

/* Takes ownership of the bytes; NULL: not an ELF file. */
static struct elf_symbols *read_elf(struct buf *file, uint8_t id[BUILD_ID_MAX], size_t *n_id)
{
	struct elf_file elf;
	size_t n = file->len;
	unsigned char *bytes = mem_alloc(n);
	if (n > 0)
		memcpy(bytes, file->data, n);
	if (!elf_file_open_bytes(&elf, bytes, n, NULL))
		return NULL;
	*n_id = elf_build_id(&elf, id);
	struct elf_symbols *s = elf_symbols_new(&elf, NULL, unpacked);
	elf_file_close(&elf);
	return s;
}

static void has(const struct elf_symbols *s, uint64_t address, const char *name, uint64_t offset, const char *what)
{
	struct elf_symbol found = {0};
	elf_symbols_at(s, address, &found);
	if (is_str(found.name, name, "%s", what) && name)
		is_int(address - found.start, offset, "%s: at its offset", what);
}

static void test_names(bool is_64, bool is_big)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n_id = 0;
	struct buf file = sample(is_64, is_big);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	diag("%s bits, %s-endian", is_64 ? "64" : "32", is_big ? "big" : "little");
	has(s, 0xfff, NULL, 0, "nothing before the first function");
	has(s, 0x101f, "main", 0x1f, "a function up to its end");
	has(s, 0x1020, "_alias_is", 0, "of aliases a global one with few underscores, then the shorter");
	has(s, 0x103f, "outer", 15, "a function around another");
	has(s, 0x104f, "inner", 15, "the one inside");
	has(s, 0x1050, "outer", 32, "the one around it again, behind it");
	has(s, 0x1068, "outer", 56, "a label inside of a function is a place in it");
	has(s, 0x108f, "without_size", 15, "a function without a size ends at the next");
	has(s, 0x1090, "versioned", 0, "a version is no part of a name");
	has(s, 0x1098, NULL, 0, "nothing between two functions");
	has(s, 0x10a5, "label", 5, "a label where there is nothing else");
	has(s, 0x10c1, "chooses", 1, "a function that chooses others");
	has(s, 0x10d0, NULL, 0, "a variable is no function");
	has(s, 0x10ff, "last", 31, "the last one ends with its section");
	has(s, 0x1100, NULL, 0, "nothing behind the section");
	is_mem(id, n_id, "\x12\x34\x56\x78\x9a\xbc\xde\xf0", 8, "the build id");
	elf_symbols_free(s);
	buf_deinit(&file);
}

static void test_addresses(void)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	uint64_t vaddr = 0;
	struct buf file = sample(true, false);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	ok(elf_symbols_address(s, 0xd60, &vaddr) && vaddr == 0x1d60, "an offset is at the address of its segment");
	ok(elf_symbols_address(s, 0xd10, &vaddr) && vaddr == 0x1d10, "code reaches back to the beginning of its page");
	ok(!elf_symbols_address(s, 0x100000, &vaddr), "an offset in no segment has no address");
	ok(!elf_symbols_address(s, UINT64_MAX, &vaddr), "nor the highest");
	elf_symbols_free(s);
	buf_deinit(&file);
}

static void test_machines(void)
{
	static const struct writer_symbol arm[] = {
		{"$a", 0x1000, 0, TEXT, LOCAL, NONE, 0},
		{"$t.1", 0x1010, 0, TEXT, LOCAL, NONE, 0},
		{"thumb", 0x1011, 8, TEXT, GLOBAL, FUNC, 0},
	};
	static const struct writer_symbol power[] = {{"described", 0x2008, 0x10, 2, GLOBAL, FUNC, 0}};
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	writer_init(&w, false, false);
	w.machine = ELF_MACHINE_ARM;
	buf_pad(&w.bodies[writer_section(&w, ".text", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000})],
	        0, 0x100);
	writer_symbols(&w, ".symtab", arm, 3);
	struct buf file = writer_finish(&w);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	has(s, 0x1010, "thumb", 0, "ARM: the lowest bit of a Thumb function is no part of its address");
	has(s, 0x1004, NULL, 0, "ARM: marks of code and data are no functions");
	elf_symbols_free(s);
	buf_deinit(&file);
	writer_init(&w, true, true);
	w.machine = ELF_MACHINE_PPC64;
	writer_section(&w, ".text", (struct elf_section){.type = ELF_SECTION_NOBITS, .flags = 6, .address = 0x1000});
	uint32_t opd = writer_section(&w, ".opd", (struct elf_section){.type = 1, .flags = 3, .address = 0x2000});
	writer_int(&w, &w.bodies[opd], 0, 8);
	writer_int(&w, &w.bodies[opd], 0x1040, 8);
	writer_symbols(&w, ".symtab", power, 1);
	file = writer_finish(&w);
	s = read_elf(&file, id, &n_id);
	has(s, 0x1044, "described", 4, "PowerPC: a function is where its descriptor says");
	elf_symbols_free(s);
	buf_deinit(&file);
}

static void test_stubs(void)
{
	static const struct writer_symbol called[] = {{"puts", 0, 0, 0, GLOBAL, FUNC, 0}};
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	writer_init(&w, true, false);
	uint32_t plt = writer_section(&w, ".plt", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	buf_pad(&w.bodies[plt], '\x90', 16);
	buf_add(&w.bodies[plt], "\xF3\x0F\x1E\xFA\xFF\x25", 6); /* endbr64; jmp *0x2fe6(%rip): from 101a to 4000 */
	writer_int(&w, &w.bodies[plt], 0x2fe6, 4);
	buf_pad(&w.bodies[plt], '\x90', 6);
	uint32_t rela = writer_section(&w, ".rela.plt", (struct elf_section){.type = ELF_SECTION_RELA});
	writer_int(&w, &w.bodies[rela], 0x4000, 8);
	writer_int(&w, &w.bodies[rela], (uint64_t)1 << 32 | 7, 8);
	writer_int(&w, &w.bodies[rela], 0, 8);
	writer_symbols(&w, ".dynsym", called, 1);
	struct buf file = writer_finish(&w);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	struct elf_symbol found = {0};
	has(s, 0x1018, "puts@plt", 8, "a stub has the name of what it calls");
	ok(elf_symbols_at(s, 0x1018, &found) && found.is_plt, "and is known as a stub");
	has(s, 0x1008, NULL, 0, "the stubs' header calls nothing");
	elf_symbols_free(s);
	buf_deinit(&file);
}

/* Stubs of a static program have eight bytes each, which their section does not tell. */
static void test_short_stubs(void)
{
	static const struct writer_symbol called[] = {{"one", 0, 0, 0, GLOBAL, FUNC, 0},
	                                              {"two", 0, 0, 0, GLOBAL, FUNC, 0}};
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	writer_init(&w, true, false);
	uint32_t plt = writer_section(&w, ".plt", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	uint32_t rela = writer_section(&w, ".rela.plt", (struct elf_section){.type = ELF_SECTION_RELA});
	for (uint64_t i = 0; i < 2; i++) {
		buf_add(&w.bodies[plt], "\xFF\x25", 2);
		writer_int(&w, &w.bodies[plt], 0x2ffa, 4); /* from 1006 to 4000, from 100e to 4008 */
		buf_add(&w.bodies[plt], "\x66\x90", 2);
		writer_int(&w, &w.bodies[rela], 0x4000 + 8 * i, 8);
		writer_int(&w, &w.bodies[rela], (i + 1) << 32 | 7, 8);
		writer_int(&w, &w.bodies[rela], 0, 8);
	}
	writer_symbols(&w, ".dynsym", called, 2);
	struct buf file = writer_finish(&w);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	has(s, 0x1000, "one@plt", 0, "a short stub");
	has(s, 0x1008, "two@plt", 0, "and the next");
	elf_symbols_free(s);
	buf_deinit(&file);
}

/* Asks a file about some addresses: it must not crash, hang or take memory. */
static void survive(struct buf *file)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	struct elf_symbol found;
	struct elf_symbols *s = read_elf(file, id, &n_id);
	for (uint64_t a = 0; s && a < 0x2000; a += 0x111) {
		uint64_t vaddr;
		elf_symbols_at(s, a, &found);
		elf_symbols_address(s, a, &vaddr);
	}
	elf_symbols_free(s);
}

static void test_truncated(bool is_64, bool is_big)
{
	struct buf file = sample(is_64, is_big);
	for (size_t n = file.len; n-- > 0;) {
		file.len = n;
		survive(&file);
	}
	pass("cut at every byte");
	buf_deinit(&file);
}

static void test_damaged(bool is_64, bool is_big)
{
	static const char values[] = {0, 1, 0x7F, (char)0x80, (char)0xFF};
	struct buf file = sample(is_64, is_big);
	for (size_t i = 0; i < file.len; i++) {
		char was = file.data[i];
		for (size_t v = 0; v < sizeof values; v++) {
			file.data[i] = values[v];
			survive(&file);
		}
		file.data[i] = was;
	}
	pass("every byte changed");
	buf_deinit(&file);
}

/* Names that begin at other places of one long text. */
static void test_shared_text(void)
{
	static const struct writer_symbol none;
	const uint32_t n_text = 20000000;
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE | 4, 0xd50, 0x1d50, 0x300);
	uint32_t text = writer_section(&w, ".text", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	buf_pad(&w.bodies[text], '\x90', 0x100);
	writer_symbols(&w, ".symtab", &none, 0);
	buf_pad(&w.bodies[text + 1], 'a', n_text);
	buf_addc(&w.bodies[text + 1], '\0');
	for (uint32_t i = 0; i < 200000; i++) {
		struct buf *b = &w.bodies[text + 2];
		writer_int(&w, b, 1 + i * 7, 4);
		writer_int(&w, b, GLOBAL << 4 | FUNC, 1);
		writer_int(&w, b, 0, 1);
		writer_int(&w, b, text, 2);
		writer_word(&w, b, 0x1000 + i % 0x80);
		writer_word(&w, b, 1);
	}
	struct buf file = writer_finish(&w);
	alarm(20);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	alarm(0);
	struct elf_symbol found = {0};
	elf_symbols_at(s, 0x1000, &found);
	ok(found.name && found.name[0] == 'a', "200,000 names that share their end are read soon");
	elf_symbols_free(s);
	buf_deinit(&file);
}

/* Names of one address that are all long. */
static void test_long_names(void)
{
	static const struct writer_symbol none;
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	writer_init(&w, true, false);
	uint32_t text = writer_section(&w, ".text", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	buf_pad(&w.bodies[text], '\x90', 0x100);
	writer_symbols(&w, ".symtab", &none, 0);
	buf_pad(&w.bodies[text + 1], 'a', 64000);
	buf_addc(&w.bodies[text + 1], '\0');
	for (uint32_t i = 0; i < 1500000; i++) {
		struct buf *b = &w.bodies[text + 2];
		writer_int(&w, b, 1 + i % 2, 4);
		writer_int(&w, b, GLOBAL << 4 | FUNC, 1);
		writer_int(&w, b, 0, 1);
		writer_int(&w, b, text, 2);
		writer_word(&w, b, 0x1000);
		writer_word(&w, b, 1);
	}
	struct buf file = writer_finish(&w);
	double start = tap_seconds();
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	ok(tap_seconds() - start < 2, "1,500,000 long names of one address are read soon");
	struct elf_symbol found = {0};
	elf_symbols_at(s, 0x1000, &found);
	ok(found.name && strlen(found.name) >= 63999, "and one of them stays");
	elf_symbols_free(s);
	buf_deinit(&file);
}

/* Many stubs that call one function with a long name, or very few. */
static void test_long_stubs(size_t n_name, uint32_t n_stubs, const char *left_out)
{
	struct writer_symbol called = {"", 0, 0, 0, GLOBAL, FUNC, 0};
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	char *name = mem_zalloc(n_name + 1, 1);
	called.name = memset(name, 'a', n_name);
	writer_init(&w, true, false);
	uint32_t plt = writer_section(&w, ".plt", (struct elf_section){.type = 1, .flags = 6, .address = 0x1000});
	uint32_t rela = writer_section(&w, ".rela.plt", (struct elf_section){.type = ELF_SECTION_RELA});
	for (uint32_t i = 0; i < n_stubs; i++) {
		buf_add(&w.bodies[plt], "\xFF\x25", 2); /* jmp *x(%rip), to 400000 + 8 * i */
		writer_int(&w, &w.bodies[plt], 0x400000 + 8 * i - (0x1000 + 16 * i + 6), 4);
		buf_pad(&w.bodies[plt], '\x90', 10);
		writer_int(&w, &w.bodies[rela], 0x400000 + 8 * i, 8);
		writer_int(&w, &w.bodies[rela], (uint64_t)1 << 32 | 7, 8);
		writer_int(&w, &w.bodies[rela], 0, 8);
	}
	writer_symbols(&w, ".dynsym", &called, 1);
	struct buf file = writer_finish(&w);
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	struct elf_symbol found = {0};
	ok(elf_symbols_at(s, 0x1000, &found) && strlen(found.name) == n_name + 4, "the first of %u stubs has a name",
	   n_stubs);
	ok(elf_symbols_names_size(s) < 10 * (n_name + 5) + 4200 + 5 * n_stubs, "all names take %zu bytes",
	   elf_symbols_names_size(s));
	is_str(elf_symbols_left_out(s), left_out, "what is left out is said");
	elf_symbols_free(s);
	buf_deinit(&file);
	free(name);
}

/* .gnu_debugdata with a function and n bytes besides. */
static void test_packed(size_t n, uint64_t left, bool is_read)
{
	static const struct writer_symbol one = {"one", 0x1000, 8, TEXT, GLOBAL, FUNC, 0};
	struct elf_writer w;
	uint8_t id[BUILD_ID_MAX];
	size_t n_id;
	struct elf_symbol found;
	writer_init(&w, true, false);
	writer_section(&w, ".text", (struct elf_section){.type = 8, .flags = 6, .address = 0x1000, .size = 0x100});
	writer_symbols(&w, ".symtab", &one, 1);
	struct buf inner = writer_finish(&w);
	buf_pad(&inner, '\0', n);
	writer_init(&w, true, false);
	w.bodies[writer_section(&w, ".gnu_debugdata", (struct elf_section){.type = 1})] =
		xzipped(inner.data, inner.len);
	struct buf file = writer_finish(&w);
	unpacked = &left;
	uint64_t before = left;
	struct elf_symbols *s = read_elf(&file, id, &n_id);
	ok(elf_symbols_at(s, 0x1000, &found) == is_read, "of %zu bytes, functions are%s read", inner.len,
	   is_read ? "" : " not");
	is_int(before - left, is_read ? inner.len : 0, "and counted");
	ok(!elf_symbols_left_out(s) == is_read, "or said to be left out");
	unpacked = NULL;
	elf_symbols_free(s);
	buf_deinit(&inner);
	buf_deinit(&file);
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		test_names(i & 1, i & 2);
		test_truncated(i & 1, i & 2);
		test_damaged(i & 1, i & 2);
	}
	test_addresses();
	test_machines();
	test_stubs();
	test_short_stubs();
	test_shared_text();
	test_long_names();
	test_packed(1000, 2000000, true);
	test_packed(1000000, 2000000, true);
	test_packed(1000000, 900000, false);
	test_packed(4000000, 10000000, false);
	test_long_stubs(60000, 4000, "its stubs have more names than its tables of names explain");
	test_long_stubs(60000, 3, NULL);
	test_long_stubs(10, 400, NULL);
	return done_testing();
}
