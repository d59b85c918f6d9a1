/* Compares symbols/inlines.c with addr2line on programs that the test compiles. */
#include "symbols/inlines.h"

#ifdef HAVE_LIBDW
#include <elf.h>
#endif
#include <errno.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "tests/tap.h"
#include "tests/unit/compiling.h"

static const char c_source[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"static inline int square(int x)\n{\n\treturn x * x + rand();\n}\n"
	"static inline int twice(int x)\n{\n"
	"\tint sum = 0;\n"
	"\tfor (int i = 0; i < x; i++) {\n\t\tint y = square(i);\n\t\tif (y > 7)\n\t\t\tsum += square(y) / x;\n\t}\n"
	"\treturn sum + square(x);\n}\n"
	"__attribute__((noinline)) int work(int n)\n{\n"
	"\tif (n < 0)\n\t\tabort();\n"
	"\treturn twice(n) + twice(n + 1);\n}\n"
	"int main(int argc, char **argv)\n{\n"
	"\tprintf(\"%d %s\\n\", work(argc) + square(argc), argv[0]);\n"
	"\treturn 0;\n}\n";

static const char cxx_source[] =
	"extern \"C\" int rand();\n"
	"namespace outer {\n"
	"static inline int hidden(int x) { return x * rand(); }\n"
	"namespace { inline int deep(int x) { return hidden(x) + rand(); } }\n"
	"struct box {\n"
	"\tint value;\n"
	"\t__attribute__((always_inline)) int get(int x) const { return deep(x) + value; }\n"
	"};\n"
	"template <class F> __attribute__((noinline)) int apply(F f) { return f(3) + rand(); }\n"
	"__attribute__((noinline)) static int file_local(int x) { return deep(x) - rand(); }\n"
	"}\n"
	"int main(int argc, char **)\n{\n"
	"\touter::box b = {argc};\n"
	"\treturn outer::apply([&](int x) { return b.get(x) + rand(); }) + outer::file_local(argc);\n}\n";

static const char types_source[] =
	"extern \"C\" int rand();\n"
	"struct box {\n\tint value;\n\tint get() const;\n};\n"
	"int box::get() const { return value; }\n"
	"static inline int square(int x) { return x * x + rand(); }\n"
	"extern \"C\" __attribute__((noinline)) int work(box *b) { return square(b->get()); }\n"
	"int main(int argc, char **)\n{\n\tbox b = {argc};\n\treturn work(&b);\n}\n";

static struct inlines *open_one(const char *path, const char *alt, struct err *err)
{
	return inlines_open(&(struct inlines_files){.path = path, .alt_path = alt}, err);
}

static void add_frames(struct buf *out, struct inlines *in, uint64_t vaddr)
{
	const struct inlined_at *frames;
	size_t n = inlines_at(in, vaddr, &frames);
	buf_addf(out, "0x%016" PRIx64 "\n", vaddr);
	for (size_t i = 0; i < n; i++) {
		const char *slash = frames[i].file ? strrchr(frames[i].file, '/') : NULL;
		buf_addf(out, "%s\n%s:%" PRIu32 "\n", frames[i].name, slash ? slash + 1 : "??", frames[i].line);
	}
}

/* All addresses of a function. */
static struct buf frames_of(const char *binary, const char *function)
{
	struct err err = {""};
	struct buf out;
	uint64_t start, size;
	struct inlines *in = open_one(binary, NULL, &err);
	buf_init(&out);
	if (ok(in && find_function(binary, function, &start, &size), "%s() can be looked up %s", function, err.text))
		for (uint64_t i = 0; i < size; i++)
			add_frames(&out, in, start + i);
	inlines_free(in);
	return out;
}

/* The output of addr2line, without directories and discriminators. */
static struct buf addr2line(const char *binary, const char *function)
{
	struct buf out, command;
	uint64_t start = 0, size = 0;
	char line[4096];
	buf_init(&out);
	buf_init(&command);
	buf_addf(&command, "addr2line -a -i -f -e '%s'", binary);
	find_function(binary, function, &start, &size);
	for (uint64_t i = 0; i < size; i++)
		buf_addf(&command, " 0x%" PRIx64, start + i);
	FILE *f = popen(buf_str(&command), "r");
	while (f && fgets(line, sizeof line, f)) {
		char *slash = strrchr(line, '/'), *remark = strstr(line, " (discriminator");
		if (remark)
			strcpy(remark, "\n");
		buf_adds(&out, slash ? slash + 1 : line);
	}
	if (f)
		pclose(f);
	buf_deinit(&command);
	return out;
}

static void compare(const char *function, const char *what, struct buf ours, struct buf theirs)
{
	is_mem(ours.data, ours.len, theirs.data, theirs.len, "%s: %s() is inlined as it should", what, function);
	buf_deinit(&ours);
	buf_deinit(&theirs);
}

static bool has_binutils(void)
{
	return system("addr2line --version >/dev/null 2>&1") == 0 && system("nm --version >/dev/null 2>&1") == 0;
}

static void as_addr2line(const char *flags)
{
	char *binary = has_binutils() ? compile("c", c_source, flags) : NULL;
	if (!binary) {
		skip("no compiler that takes %s, or no binutils", flags);
		return;
	}
	compare("work", flags, frames_of(binary, "work"), addr2line(binary, "work"));
	compare("main", flags, frames_of(binary, "main"), addr2line(binary, "main"));
	remove_compiled(binary);
}

/* The same code described in another way, which addr2line does not read. */
static void as_plain(const char *flags)
{
	char *plain = has_binutils() ? compile("c", c_source, "-O2 -g") : NULL;
	char *binary = plain ? compile("c", c_source, flags) : NULL;
	if (!binary) {
		skip("no compiler that takes %s, or no binutils", flags);
		free(plain);
		return;
	}
	compare("work", flags, frames_of(binary, "work"), frames_of(plain, "work"));
	compare("main", flags, frames_of(binary, "main"), frames_of(plain, "main"));
	remove_compiled(binary);
	remove_compiled(plain);
}

/* The frames of every address of a function, names only, each stack once. */
static void add_stacks(struct buf *out, const char *binary, const char *function)
{
	struct err err;
	uint64_t start, size;
	struct inlines *in = open_one(binary, NULL, &err);
	if (!in || !find_function(binary, function, &start, &size))
		bail_out("no %s in %s", function, binary);
	for (uint64_t i = 0; i < size; i++) {
		const struct inlined_at *frames;
		size_t n = inlines_at(in, start + i, &frames);
		struct buf stack;
		buf_init(&stack);
		for (size_t j = 0; j < n; j++)
			buf_addf(&stack, "%s%s;", frames[j].name, frames[j].is_inlined ? "*" : "");
		buf_addc(&stack, '\n');
		if (!strstr(buf_str(out), buf_str(&stack)))
			buf_adds(out, buf_str(&stack));
		buf_deinit(&stack);
	}
	inlines_free(in);
}

static void names_of_cxx(const char *flags)
{
	char *binary = compile("c++", cxx_source, flags);
	struct buf stacks;
	if (!binary) {
		skip("no C++ compiler that takes %s", flags);
		return;
	}
	buf_init(&stacks);
	buf_str(&stacks);
	add_stacks(&stacks, binary, "_ZN5outerL10file_localEi");
	ok(strstr(stacks.data, "outer::hidden*;"), "%s: a static function is named with its namespace: %s", flags,
	   stacks.data);
	ok(strstr(stacks.data, "outer::(anonymous namespace)::deep*;"), "and with one that has no name");
	buf_deinit(&stacks);
	remove_compiled(binary);
}

static void lto(void)
{
	char *binary = has_binutils() ? compile("c", c_source, "-O2 -g -flto") : NULL;
	struct buf stacks;
	if (!binary) {
		skip("no compiler that takes -flto");
		return;
	}
	buf_init(&stacks);
	buf_str(&stacks);
	add_stacks(&stacks, binary, "twice");
	ok(strstr(stacks.data, "square*;twice;"), "link time optimisation: %s", stacks.data);
	buf_deinit(&stacks);
	remove_compiled(binary);
}

/* Two programs that share names in a third file, as packages of distributions have them. NULL: there is no dwz. */
static char *compile_shared(char **alt)
{
	char *binary = compile("c", c_source, "-O2 -g"), *other = binary ? compiled_beside(binary, "other") : NULL;
	struct buf bytes, command;
	if (!binary || !compiled_read(binary, &bytes))
		return NULL;
	compiled_write(other, &bytes);
	*alt = compiled_beside(binary, "alt");
	buf_init(&command);
	buf_addf(&command, "dwz -m '%s' '%s' '%s' >/dev/null 2>&1", *alt, binary, other);
	bool ok = system(buf_str(&command)) == 0 && access(*alt, R_OK) == 0;
	buf_deinit(&command);
	buf_deinit(&bytes);
	free(other);
	if (ok)
		return binary;
	free(*alt);
	remove_compiled(binary);
	return NULL;
}

static bool has_name(struct inlines *in, const char *binary, const char *name)
{
	const struct inlined_at *frames;
	uint64_t start, size;
	bool has = false;
	if (!find_function(binary, "work", &start, &size))
		bail_out("no work()");
	for (uint64_t i = 0; i < size; i++)
		for (size_t j = inlines_at(in, start + i, &frames); j; j--)
			has |= frames[j - 1].name && strcmp(frames[j - 1].name, name) == 0;
	return has;
}

/* What others share may be a file of any kind: the caller looks at it, and libdw must not open it by itself. */
static void shared(void)
{
	char *alt = NULL, *binary = compile_shared(&alt);
	struct err err = {""}, missing = {""};
	if (!binary) {
		skip("no dwz");
		return;
	}
	struct inlines *in = open_one(binary, alt, &err);
	ok(in && !err.text[0] && has_name(in, binary, "square"), "names that files share are found %s", err.text);
	inlines_free(in);
	in = open_one(binary, NULL, &missing);
	ok(in && !has_name(in, binary, "square"), "a file that was refused is not opened");
	ok(strstr(missing.text, alt), "which is said: %s", missing.text);
	inlines_free(in);
	free(alt);
	remove_compiled(binary);
}

/* The file with the functions of a program that was compiled by -gsplit-dwarf; free() it. NULL: there is none. */
static char *split_file(const char *binary)
{
	char *pattern = compiled_beside(binary, "*.dwo"), *path = NULL;
	glob_t found;
	if (glob(pattern, 0, NULL, &found) == 0)
		path = strdup(found.gl_pathv[0]);
	globfree(&found);
	free(pattern);
	return path;
}

static void refuse_split(const char *binary, const char *path, const char *what, const char *why)
{
	struct err err = {""};
	struct inlines *in = open_one(binary, NULL, &err);
	bool has = has_name(in, binary, "square");
	const char *refused = inlines_refused(in);
	ok(!has && refused && strncmp(refused, path, strlen(path)) == 0 && strstr(refused, why), "%s is refused: %s",
	   what, refused ? refused : "nothing");
	inlines_free(in);
}

/* The path of the functions comes from the program, so it may lead to anything. */
static void split(void)
{
	char *binary = compile("c", c_source, "-O2 -g -gsplit-dwarf"), *path = binary ? split_file(binary) : NULL;
	char *other = compile("c", c_source, "-O1 -g -gsplit-dwarf"), *others = other ? split_file(other) : NULL;
	struct buf bytes;
	struct err err = {""};
	if (!path || !others || !compiled_read(others, &bytes)) {
		skip("no compiler that takes -gsplit-dwarf");
		return;
	}
	unlink(path);
	struct inlines *in = open_one(binary, NULL, &err);
	ok(!has_name(in, binary, "square") && !inlines_refused(in), "functions that are not here are no error");
	inlines_free(in);
	char *package = compiled_beside(path, "program.dwp");
	compiled_write(package, &bytes);
	refuse_split(binary, package, "what dwp has packed", ".dwp: such files are not read");
	unlink(package);
	free(package);
	if (mkfifo(path, 0600) == 0)
		refuse_split(binary, path, "a pipe in the place of the functions", "not a regular file");
	unlink(path);
	compiled_write(path, &bytes);
	refuse_split(binary, path, "a file with the functions of another build",
	             ": libdw finds no unit of this build in it");
	bytes.len = 0;
	buf_adds(&bytes, "functions");
	compiled_write(path, &bytes);
	refuse_split(binary, path, "a text in the place of the functions", ": not an ELF file");
	buf_deinit(&bytes);
	free(path);
	free(others);
	remove_compiled(binary);
	remove_compiled(other);
}

/* Types have a section of their own, of the same name as that of the functions, and libdw reads only the first one. */
static void split_types(void)
{
	char *binary = compile("c++", types_source, "-O2 -gdwarf-5 -gsplit-dwarf -fdebug-types-section");
	char *path = binary ? split_file(binary) : NULL;
	if (path)
		refuse_split(binary, path, "a file with types before the functions", "(-fdebug-types-section is not read)");
	else
		skip("no compiler that takes -fdebug-types-section");
	free(path);
	if (binary)
		remove_compiled(binary);
}

/* Moves a file to another name in its directory, or in the one that is named. Returns its path; free() it. */
static char *moved(const char *path, const char *directory, const char *name)
{
	char *to = compiled_beside(path, directory), *whole;
	struct buf b;
	mkdir(to, 0700);
	buf_init(&b);
	buf_addf(&b, "%s/%s", to, name);
	whole = buf_take(&b);
	if (rename(path, whole) != 0)
		bail_out("cannot move %s", path);
	free(to);
	return whole;
}

static bool finds_split(const char *binary, const char *root, const char *map)
{
	struct err err;
	const struct file_places places = {.maps = map ? (const char *const[]){map, NULL} : NULL};
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s", root, binary);
	struct inlines *in = inlines_open(&(struct inlines_files){.path = buf_str(&path), .places = &places}, &err);
	bool has = in && has_name(in, binary, "square");
	inlines_free(in);
	buf_deinit(&path);
	return has;
}

/* The program and the functions have been moved away from each other. */
static void split_places(void)
{
	char *binary = compile("c", c_source, "-O2 -g -gsplit-dwarf"), *path = binary ? split_file(binary) : NULL;
	if (!path) {
		skip("no compiler that takes -gsplit-dwarf");
		return;
	}
	char *program = moved(binary, "bin", "program"), root[64];
	ok(finds_split(program, "", NULL), "functions are found where the compiler wrote them");
	snprintf(root, sizeof root, "/proc/%ld/root", (long)getpid());
	if (access(root, F_OK) == 0)
		ok(finds_split(program, root, NULL), "and there below the root of a process");
	else
		skip("no /proc");
	char *away = moved(path, "away", strrchr(path, '/') + 1);
	struct buf map;
	buf_init(&map);
	buf_add(&map, path, (size_t)(strrchr(path, '/') - path));
	buf_addf(&map, "=%.*s", (int)(strrchr(away, '/') - away), away);
	ok(!finds_split(program, "", NULL) && finds_split(program, "", buf_str(&map)), "and where a path map leads to");
	buf_deinit(&map);
	free(program);
	free(path);
	free(away);
	remove_compiled(binary);
}

#ifdef HAVE_LIBDW
/* Changes what the compressed sections of a 64-bit file say that they hold; returns how many there are. */
static size_t claim_sizes(struct buf *bytes, uint64_t size)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)bytes->data;
	Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(bytes->data + header->e_shoff);
	size_t n = 0;
	for (size_t i = 0; header->e_ident[EI_CLASS] == ELFCLASS64 && i < header->e_shnum; i++)
		if (sections[i].sh_flags & SHF_COMPRESSED) {
			memcpy(bytes->data + sections[i].sh_offset + offsetof(Elf64_Chdr, ch_size), &size, sizeof size);
			n++;
		}
	return n;
}

/* libdw allocates what a compressed section claims to hold. */
static void too_large(void)
{
	struct err err = {""};
	struct buf bytes;
	char *binary = compile("c", c_source, "-O2 -g -gz=zlib");
	if (!binary || !compiled_read(binary, &bytes) || !claim_sizes(&bytes, (uint64_t)3 << 30)) {
		skip("no compiler that takes -gz");
		return;
	}
	compiled_write(binary, &bytes);
	ok(!open_one(binary, NULL, &err) && errno == EFBIG, "sections that would take gigabytes are not unpacked: %s",
	   err.text);
	buf_deinit(&bytes);
	remove_compiled(binary);
}
#endif

static void nothing_there(void)
{
	struct err err = {""};
	ok(open_one("/nowhere/file", NULL, &err) == NULL && strstr(err.text, "/nowhere/file"),
	   "a file that is not there is named: %s", err.text);
	ok(open_one("/dev/null", NULL, &err) == NULL, "a device is not read: %s", err.text);
	ok(open_one("Makefile", NULL, &err) == NULL, "a text is no ELF file: %s", err.text);
	inlines_free(NULL);
}

static void damage(struct buf *copy, const struct buf *whole, int i)
{
	static uint64_t random = 1;
	buf_add(copy, whole->data, i % 3 ? whole->len : whole->len * (size_t)i / 300);
	for (int j = 0; j < 40 && i % 3; j++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		copy->data[(random >> 33) % copy->len] = (char)(random >> 20);
	}
}

/* Files cut short or with wrong bytes: any answer is fine, but nothing may go wrong. */
static void damaged(const char *flags)
{
	char *binary = compile("c", c_source, flags), *path = binary ? split_file(binary) : NULL;
	struct buf whole;
	path = binary && !path ? strdup(binary) : path;
	if (!binary || !compiled_read(path, &whole)) {
		skip("no compiler that takes %s", flags);
		return;
	}
	uint64_t start, size;
	if (!find_function(binary, "work", &start, &size))
		bail_out("no work()");
	for (int i = 0; i < 300; i++) {
		struct buf copy;
		struct err err;
		const struct inlined_at *frames;
		buf_init(&copy);
		damage(&copy, &whole, i);
		compiled_write(path, &copy);
		struct inlines *in = open_one(binary, NULL, &err);
		for (uint64_t at = 0; in && at < size; at += 3)
			inlines_at(in, start + at, &frames);
		inlines_free(in);
		buf_deinit(&copy);
	}
	pass("%s: files with damage do no harm", flags);
	buf_deinit(&whole);
	free(path);
	remove_compiled(binary);
}

int main(void)
{
	nothing_there();
#ifdef HAVE_LIBDW
	as_addr2line("-O2 -g");
	as_addr2line("-O2 -g -gdwarf-4");
	as_addr2line("-O0 -g");
	as_plain("-O2 -g -gsplit-dwarf");
	as_plain("-O2 -g -gsplit-dwarf -gdwarf-4");
	as_plain("-O2 -g -gsplit-dwarf -gz");
	as_plain("-O2 -g -gsplit-dwarf -gz=zlib-gnu");
	as_plain("-O2 -g -gsplit-dwarf -gdwarf-4 -gz=zlib-gnu");
	as_plain("-O2 -g -gz");
	lto();
	names_of_cxx("-O2 -g");
	names_of_cxx("-O2 -g -gsplit-dwarf");
	shared();
	split();
	split_types();
	split_places();
	too_large();
	damaged("-O2 -g");
	damaged("-O2 -g -gsplit-dwarf");
	damaged("-O2 -g -gsplit-dwarf -gdwarf-4");
#else
	(void)as_addr2line;
	(void)as_plain;
	(void)lto;
	(void)names_of_cxx;
	(void)shared;
	(void)split;
	(void)split_types;
	(void)split_places;
	(void)damaged;
	skip("built without libdw");
#endif
	return done_testing();
}
