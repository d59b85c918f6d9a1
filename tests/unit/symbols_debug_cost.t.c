/* Files whose debug information would take gigabytes (symbols/debug_cost.c). */
#ifdef HAVE_LIBDW
#include <elf.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "symbols/cfi_image.h"
#include "symbols/debug_cost.h"
#include "symbols/inlines.h"
#include "tests/tap.h"
#include "tests/unit/compiling.h"

#ifdef HAVE_LIBDW

#define MANY ((size_t)12 << 20) /* rows or units of more than 1 GiB, and more than 100 times their size */

static const char source[] =
	"#include <stdlib.h>\n"
	"static inline int square(int x)\n{\n\treturn x * x + rand();\n}\n"
	"__attribute__((noinline)) int work(int n)\n{\n\treturn square(n) + square(n + 1);\n}\n"
	"int main(int argc, char **argv)\n{\n\t(void)argv;\n\treturn work(argc);\n}\n";

static Elf64_Shdr *section_named(struct buf *file, const char *name)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)file->data;
	if (header->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(file->data + header->e_shoff);
	const char *names = file->data + sections[header->e_shstrndx].sh_offset;
	for (size_t i = 0; i < header->e_shnum; i++)
		if (strcmp(names + sections[i].sh_name, name) == 0)
			return &sections[i];
	return NULL;
}

/* Puts bytes into a section, `before` bytes before its end, and adds to the length of its first unit. */
static bool insert(struct buf *file, const char *name, const struct buf *bytes, size_t before, bool is_in_unit)
{
	Elf64_Shdr *section = section_named(file, name);
	uint32_t length;
	size_t at = file->len;
	if (!section || section->sh_size < before + sizeof length)
		return false;
	size_t from = section->sh_offset, size = section->sh_size;
	section->sh_offset = at;
	section->sh_size = size + bytes->len;
	memcpy(&length, file->data + from, sizeof length);
	if (is_in_unit && length + sizeof length != size)
		return false;
	length += is_in_unit ? (uint32_t)bytes->len : 0;
	buf_reserve(file, size);
	buf_add(file, file->data + from, size - before);
	buf_add(file, bytes->data, bytes->len);
	buf_reserve(file, before);
	buf_add(file, file->data + from + size - before, before);
	memcpy(file->data + at, &length, sizeof length);
	return true;
}

/* Compiles the program, with a section that holds more; NULL: that is not possible here. */
static char *compile_with(const char *name, const struct buf *bytes, size_t before, bool is_in_unit)
{
	struct buf file;
	char *binary = compile("c", source, "-O2 -g");
	if (!binary || !compiled_read(binary, &file))
		return NULL;
	if (insert(&file, name, bytes, before, is_in_unit)) {
		compiled_write(binary, &file);
		buf_deinit(&file);
		return binary;
	}
	buf_deinit(&file);
	remove_compiled(binary);
	return NULL;
}

static struct inlines *open_one(const char *path, struct err *err)
{
	return inlines_open(&(struct inlines_files){.path = path}, err);
}

/* Rows before the end of the sequence ("\0\1\1"). */
static void lines(const char *what, const struct buf *program, bool is_fine)
{
	struct err err = {""};
	const struct inlined_at *frames;
	uint64_t start, size;
	char *binary = compile_with(".debug_line", program, 3, true);
	struct inlines *in = binary && find_function(binary, "work", &start, &size) ? open_one(binary, &err) : NULL;
	if (!in) {
		skip("%s: no compiler that makes such a program %s", what, err.text);
		return;
	}
	size_t n = inlines_at(in, start, &frames);
	ok(n && frames[n - 1].name && strcmp(frames[n - 1].name, "work") == 0, "%s: the function is known", what);
	const char *why = inlines_lines_refused(in);
	if (is_fine)
		ok(n && frames[n - 1].line == 7 && !why, "%s: so is its line", what);
	else
		ok(n && !frames[n - 1].line && why && strncmp(why, binary, strlen(binary)) == 0, "%s: not its line: %s",
		   what, why ? why : "");
	inlines_free(in);
	remove_compiled(binary);
}

static struct buf repeated(const char *first, size_t n_first, size_t n, char c)
{
	struct buf bytes;
	buf_init(&bytes);
	buf_add(&bytes, first, n_first);
	memset(buf_reserve(&bytes, n), c, n);
	bytes.len += n;
	return bytes;
}

static void tables_of_lines(void)
{
	struct buf few = repeated("", 0, 1000, 1), special = repeated("", 0, MANY, 0x20),
			   copies = repeated("", 0, MANY, 1), other = repeated("", 0, MANY, 6);
	/* An address that is as long as the rest: libdw takes eight bytes for it, and then goes on after those. */
	struct buf hidden = repeated("\0\x81\x80\x80\x06\2", 6, MANY, 0x20);
	/* A number of more bytes than libdw reads. */
	struct buf number = repeated("\2\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1", 14, MANY, 0x20);
	lines("some rows", &few, true);
	lines("many special opcodes", &special, false);
	lines("many copies", &copies, false);
	lines("many opcodes that make no row", &other, true);
	lines("rows within an address", &hidden, false);
	lines("rows after a long number", &number, false);
	buf_deinit(&few);
	buf_deinit(&special);
	buf_deinit(&copies);
	buf_deinit(&other);
	buf_deinit(&hidden);
	buf_deinit(&number);
}

/* Empty ones of version 4, of 12 bytes each, with an entry that stands for nothing. */
/* The program with such a section; elf is NULL if that is not possible here. */
struct opened {
	char *path;
	int fd;
	Elf *elf;
};

static struct opened open_with(const char *section, const struct buf *bytes, size_t before, bool is_in_unit)
{
	struct opened o = {.path = compile_with(section, bytes, before, is_in_unit), .fd = -1};
	elf_version(EV_CURRENT);
	if (o.path)
		o.fd = open(o.path, O_RDONLY | O_CLOEXEC);
	if (o.fd >= 0)
		o.elf = elf_begin(o.fd, ELF_C_READ, NULL);
	return o;
}

static void close_opened(struct opened *o)
{
	elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
	if (o->path)
		remove_compiled(o->path);
}

/* Units may have one table, or tables that overlap: what they take together has a limit. */
static void one_table_again_and_again(void)
{
	struct buf program = repeated("", 0, 1 << 20, 6);
	struct debug_cost cost = {0};
	struct err err = {""};
	struct opened o = open_with(".debug_line", &program, 3, true);
	int n = 0;
	while (o.elf && n < 1000 && debug_cost_lines(&cost, o.elf, (struct debug_table){0, 8}, o.path, &err))
		n++;
	if (o.elf)
		ok(n > 10 && n < 30 && strstr(err.text, "overlap"), "a table of 1 MiB is read %d times: %s", n, err.text);
	else
		skip("no compiler that makes such a program");
	close_opened(&o);
	debug_cost_end(&cost);
	buf_deinit(&program);
}

/* An abbreviation before the end of the list. */
static void attributes(size_t n)
{
	struct buf list = repeated("\x64\x24\0", 3, 2 * n, 0x19); /* attributes and forms: DW_FORM_flag_present */
	struct debug_cost cost = {0};
	struct err err = {""};
	buf_add(&list, "\0\0", 2);
	struct opened o = open_with(".debug_abbrev", &list, 1, false);
	if (o.elf && debug_cost_units(&cost, o.elf, o.path, &err))
		ok(cost.attributes >= n && cost.attributes < n + 100, "%zu attributes of an entry are counted", n);
	else
		skip("no compiler that makes such a program %s", err.text);
	close_opened(&o);
	debug_cost_end(&cost);
	buf_deinit(&list);
}

static void units(size_t n, bool is_fine)
{
	static const char unit[12] = {8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0};
	struct err err = {""};
	struct buf bytes;
	buf_init(&bytes);
	for (size_t i = 0; i < n; i++)
		buf_add(&bytes, unit, sizeof unit);
	char *binary = compile_with(".debug_info", &bytes, 0, false);
	buf_deinit(&bytes);
	if (!binary) {
		skip("no compiler that makes such a program");
		return;
	}
	struct inlines *in = open_one(binary, &err);
	if (is_fine)
		ok(in, "%zu units are read %s", n, err.text);
	else
		ok(!in && errno == EFBIG && strncmp(err.text, binary, strlen(binary)) == 0, "%zu units are not: %s", n,
		   err.text);
	inlines_free(in);
	remove_compiled(binary);
}

/* Lets a section say that it is compressed and holds `size` bytes, which is not true, so libdw leaves it out. */
static char *compile_claiming(const char *name, uint64_t size)
{
	struct buf file;
	char *binary = compile("c", source, "-O2 -g");
	if (!binary || !compiled_read(binary, &file))
		return NULL;
	Elf64_Shdr *section = section_named(&file, name);
	if (section && section->sh_size >= sizeof(Elf64_Chdr)) {
		Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = size, .ch_addralign = 1};
		section->sh_flags |= SHF_COMPRESSED;
		memcpy(file.data + section->sh_offset, &header, sizeof header);
	}
	compiled_write(binary, &file);
	buf_deinit(&file);
	return binary;
}

/* Adds empty sections that share one name of `n_name` bytes, and `end` bytes after it. */
static void add_sections(struct buf *file, size_t n, size_t n_name, const char *end, size_t n_end)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)file->data;
	Elf64_Shdr *names = (Elf64_Shdr *)(void *)(file->data + header->e_shoff) + header->e_shstrndx;
	size_t size = names->sh_size;
	const Elf64_Shdr extra = {.sh_name = (Elf64_Word)size, .sh_type = SHT_PROGBITS};
	struct buf all;
	buf_init(&all);
	buf_add(&all, file->data + names->sh_offset, size);
	buf_pad(&all, 'd', n_name);
	buf_add(&all, end, n_end);
	names->sh_offset = file->len;
	names->sh_size = all.len;
	buf_pad(&all, '\0', 8 - (file->len + all.len) % 8);
	buf_add(&all, file->data + header->e_shoff, header->e_shnum * sizeof extra);
	header->e_shoff = file->len + all.len - header->e_shnum * sizeof extra;
	header->e_shnum += (Elf64_Half)n;
	while (n--)
		buf_add(&all, &extra, sizeof extra);
	buf_add(file, all.data, all.len);
	buf_deinit(&all);
}

static void many_sections(size_t n, size_t n_name, const char *end, size_t n_end, bool is_fine)
{
	struct err err = {""};
	struct buf file;
	char *binary = compile("c", source, "-O2 -g");
	if (!binary || !compiled_read(binary, &file) || !section_named(&file, ".debug_info")) {
		skip("no compiler that makes such a program");
		return;
	}
	add_sections(&file, n, n_name, end, n_end);
	compiled_write(binary, &file);
	buf_deinit(&file);
	double start = tap_seconds();
	struct inlines *in = open_one(binary, &err);
	ok(tap_seconds() - start < 3, "%zu sections with a name of %zu bytes take no long time", n, n_name);
	if (is_fine)
		ok(in, "and the program is read %s", err.text);
	else
		ok(!in && errno == EFBIG && strncmp(err.text, binary, strlen(binary)) == 0, "and it is not read: %s",
		   err.text);
	inlines_free(in);
	remove_compiled(binary);
}

static void several_files(void)
{
	struct err err = {""}, refused = {""};
	char *one = compile_claiming(".debug_aranges", (uint64_t)600 << 20);
	char *two = compile_claiming(".debug_aranges", (uint64_t)600 << 20);
	struct inlines *first = one && two ? open_one(one, &err) : NULL;
	if (!first) {
		skip("no compiler that makes such a program %s", err.text);
		return;
	}
	struct inlines *second = open_one(two, &refused);
	ok(!second && errno == EFBIG && strncmp(refused.text, two, strlen(two)) == 0,
	   "two files together that would take more than 1 GiB are not open at a time: %s", refused.text);
	inlines_free(second);
	inlines_free(first);
	second = open_one(two, &err);
	ok(second, "one after the other they are %s", err.text);
	inlines_free(second);
	remove_compiled(one);
	remove_compiled(two);
}

/* What is read without libdw counts, too: 120 MiB, with an index of up to four times as many. */
static void call_frames(void)
{
	struct err err = {""}, refused = {""};
	struct cfi_image first, second;
	char *one = compile_claiming(".eh_frame", (uint64_t)120 << 20);
	char *two = compile_claiming(".eh_frame", (uint64_t)120 << 20);
	if (!one || !two || !cfi_image_open(&first, one, &err)) {
		skip("no compiler that makes such a program %s", err.text);
		return;
	}
	ok(!cfi_image_open(&second, two, &refused) && strncmp(refused.text, two, strlen(two)) == 0 &&
	       strstr(refused.text, "too much for all files"),
	   "call frame information of all files is limited: %s", refused.text);
	struct inlines *in = open_one(two, &err);
	ok(in, "a file that needs less is still read %s", err.text);
	inlines_free(in);
	cfi_image_deinit(&first);
	ok(cfi_image_open(&second, two, &err), "one after the other they are open %s", err.text);
	cfi_image_deinit(&second);
	remove_compiled(one);
	remove_compiled(two);
}

#endif

int main(void)
{
#ifdef HAVE_LIBDW
	tables_of_lines();
	units(1000, true);
	units(MANY / 12, false);
	several_files();
	many_sections(60000, 100, "", 1, true);
	many_sections(3, 16000000, "", 1, true);
	many_sections(60000, 16000000, "", 1, false);
	many_sections(60000, 16000000, "d", 1, false);
	call_frames();
	one_table_again_and_again();
	attributes(0);
	attributes(5000);
#else
	skip("built without libdw");
#endif
	return done_testing();
}
