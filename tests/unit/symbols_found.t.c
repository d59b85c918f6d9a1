/*
 * The list of files that names come from: places, what is opened for packing, and that a copy of a machine's files
 * (--symfs) is read from these places.
 */
#include "symbols/found_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/symbols.h"
#include "tests/tap.h"

static char dir[] = "/tmp/flametop-found-XXXXXX";
static char own[4096]; /* this program */
static uint8_t own_id[BUILD_ID_MAX];
static size_t n_own;

static const uint8_t id_a[] = {1, 2, 3, 4}, id_b[] = {5, 6, 7, 8};

/* "place=path, ..." of the whole list. */
static char *listed(const struct found_files *f)
{
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < f->n; i++)
		buf_addf(&b, "%s%s=%s", i ? ", " : "", f->items[i].place, f->items[i].path ? f->items[i].path : "-");
	return buf_take(&b);
}

static void is_list(struct found_files *f, const char *want, const char *name)
{
	char *got = listed(f);
	is_str(got, want, "%s", name);
	free(got);
	found_files_deinit(f);
	found_files_init(f);
}

static void test_places(void)
{
	struct found_files f;
	int fds[] = {open("/dev/null", O_RDONLY), open(own, O_RDONLY)};
	found_files_init(&f);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/bin/x", id_a, 4);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/proc/1/root/bin/x", id_a, 4);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/other/x", id_b, 4);
	is_list(&f, "/bin/x=/bin/x, /.debug/.build-id/05/060708/elf=/other/x",
	        "two files of a name: one is in its place, one where perf's copies are");
	found_files_add(&f, FOUND_ELF, "/bin/x", "/bin/x", NULL, 0);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/bin/x", NULL, 0);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/other/x", NULL, 0);
	is_list(&f, "/bin/x=-", "without build ids none of them is known by its name");
	found_files_add(&f, FOUND_ELF, "/bin/x", "/bin/x", id_a, 4);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/other/x", NULL, 0);
	is_list(&f, "/bin/x=-, /.debug/.build-id/01/020304/elf=/bin/x", "one with a build id then has that for a name");
	found_files_deinit(&f);
	found_files_init(&f);
	found_files_add(&f, FOUND_ELF, "/bin/x", own, NULL, 0);
	found_files_add(&f, FOUND_ELF, "/bin/x", "/proc/self/exe", NULL, 0);
	is_int((intmax_t)f.n, 1, "one file at two paths is one");
	is_int(f.items[0].kind, FOUND_ELF, "and stays");
	found_files_deinit(&f);
	found_files_init(&f);
	found_files_add_open(&f, FOUND_DUMP, "/jit-1.dump", fds[0]);
	found_files_add_open(&f, FOUND_DUMP, "/jit-1.dump", fds[0]);
	is_int(f.items[0].kind, FOUND_DUMP, "a dump that two processes have mapped is listed");
	found_files_add_open(&f, FOUND_DUMP, "/jit-1.dump", fds[1]);
	is_list(&f, "/jit-1.dump=-", "dumps of two containers at one path are not");
	close(fds[0]);
	close(fds[1]);
	found_files_add_debug(&f, "/x.debug", id_a, 4);
	found_files_add_debug(&f, "/y.debug", id_a, 4);
	is_list(&f, "/usr/lib/debug/.build-id/01/020304.debug=/x.debug", "debug files have a place by build id");
	found_files_miss(&f, "/bin/x", "gone");
	found_files_miss(&f, "/bin/x", "gone");
	is_list(&f, "/bin/x=-", "a missing file is missing once");
	found_files_add(&f, FOUND_VDSO, "[vdso]", NULL, id_a, 4);
	found_files_add(&f, FOUND_VDSO, "[vdso]", NULL, id_b, 4);
	is_list(&f, "[vdso]=-, /.debug/.build-id/05/060708/vdso=-", "the vDSO of another word size");
	found_files_deinit(&f);
}

static void test_bad_names(void)
{
	static const char *const bad[] = {"/../x", "/a/../x", "/a/..", "/a//x", "/a/./x",
	                                  "/a/.",  "/a/",     "x",     "/",     "//anon"};
	struct found_files f;
	found_files_init(&f);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		found_files_add(&f, FOUND_ELF, bad[i], "/bin/x", NULL, 0);
		ok(f.n == 1 && f.items[0].kind == FOUND_NOT, "'%s' is no place", bad[i]);
		found_files_deinit(&f);
		found_files_init(&f);
		found_files_add(&f, FOUND_ELF, bad[i], "/bin/x", id_a, 4);
		is_list(&f, "/.debug/.build-id/01/020304/elf=/bin/x", "it has one by its build id");
	}
	found_files_deinit(&f);
}

/* Is the file worth packing? */
static bool is_packed(enum found_kind kind, const char *path, const uint8_t *id, size_t n, struct err *err)
{
	struct found_files f;
	struct buf bytes;
	int fd;
	buf_init(&bytes);
	found_files_init(&f);
	err->text[0] = '\0';
	found_files_add(&f, kind, "/x", path, id, n);
	bool is_it = found_file_open(&f.items[0], &fd, &bytes, err);
	if (fd >= 0)
		close(fd);
	found_files_deinit(&f);
	buf_deinit(&bytes);
	return is_it;
}

static void test_opened(void)
{
	struct err err;
	ok(is_packed(FOUND_ELF, own, own_id, n_own, &err), "a program of the build id is packed");
	ok(is_packed(FOUND_ELF, own, NULL, 0, &err), "any program, if the recording has no build id");
	ok(!is_packed(FOUND_ELF, own, id_a, 4, &err), "not one of another: %s", err.text);
	ok(!is_packed(FOUND_ELF, "/etc/passwd", NULL, 0, &err), "nor a text: %s", err.text);
	ok(!is_packed(FOUND_ELF, "/dev/null", NULL, 0, &err), "nor a device: %s", err.text);
	ok(!is_packed(FOUND_ELF, "/nowhere", NULL, 0, &err), "nor what is not there: %s", err.text);
	ok(is_packed(FOUND_MODULE, own, own_id, n_own, &err), "a kernel module of the build id is packed");
	ok(!is_packed(FOUND_MODULE, own, id_a, 4, &err), "not one of another: %s", err.text);
	ok(!is_packed(FOUND_MODULE, "/etc/passwd", NULL, 0, &err), "nor a text: %s", err.text);
}

/* ---- below a root ----------------------------------------------------------------------------------------- */

/* Makes a file below the root, with the directories on the way. */
static void put(const char *place, const char *text)
{
	char path[5000], command[12000];
	snprintf(path, sizeof path, "%s%s", dir, place);
	snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\"", path);
	FILE *f = system(command) == 0 ? fopen(path, "w") : NULL;
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

static void put_own(const char *place)
{
	char command[16000];
	put(place, "");
	snprintf(command, sizeof command, "cp '%s' '%s%s'", own, dir, place);
	if (system(command) != 0)
		bail_out("cannot copy %s", own);
}

static char *place_of_copy(const char *name)
{
	struct buf b;
	buf_init(&b);
	buf_addf(&b, "/.debug/.build-id/%02x/", own_id[0]);
	for (size_t i = 1; i < n_own; i++)
		buf_addf(&b, "%02x", own_id[i]);
	buf_addf(&b, "/%s", name);
	return buf_take(&b);
}

static struct symbols *symbols_below(struct found_files *found)
{
	struct symbols_options o = {.places = {.root = dir}, .cache = "", .found = found};
	return symbols_new(&o, NULL);
}

static const char *path_of(struct symbols *s, const char *name)
{
	struct symbols_file as = {.name = name, .build_id = own_id, .n_build_id = n_own};
	const char *path = symbols_path(s, symbols_file(s, &as, 1));
	return path && strncmp(path, dir, strlen(dir)) == 0 ? path + strlen(dir) : path ? path : "none";
}

static void test_files_below(void)
{
	struct found_files f;
	char *copy = place_of_copy("elf");
	found_files_init(&f);
	put_own(copy);
	put_own("/[vdso]");
	put_own("/usr/bin/x");
	struct symbols *s = symbols_below(&f);
	is_str(path_of(s, "/usr/bin/x"), "/usr/bin/x", "a file below the root");
	is_str(path_of(s, "/tmp/x (deleted)"), copy, "one that was deleted, by its build id");
	is_str(path_of(s, "[vdso]"), "/[vdso]", "the vDSO");
	is_str(path_of(s, "/gone"), copy, "one that is not under its name");
	ok(f.n == 4 && f.items[0].kind == FOUND_ELF, "all of them are listed");
	symbols_free(s);
	found_files_deinit(&f);
	free(copy);
}

static const char *kernel_name(const uint8_t *id, size_t n, struct found_files *f)
{
	static char name[100];
	struct symbols_query q = {.space = SYMBOLS_KERNEL, .file = SYMBOLS_NO_FILE, .address = 0xffffffff81000010};
	struct symbol found;
	struct symbols *s = symbols_below(f);
	symbols_set_kernel(s, &(struct symbols_kernel){.release = "0.0.0-none", .build_id = id, .n_build_id = n});
	snprintf(name, sizeof name, "%s", symbols_find(s, &q, &found) ? found.name : "none");
	symbols_free(s);
	return name;
}

static void test_kernel_below(void)
{
	struct found_files f;
	found_files_init(&f);
	put("/proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000000 T of_the_copy\nffffffff81001000 T next\n");
	is_str(kernel_name(NULL, 0, &f), "of_the_copy", "/proc/kallsyms below the root");
	is_str(f.n == 1 ? f.items[0].place : "", "/proc/kallsyms", "is listed");
	is_str(kernel_name(id_a, 4, NULL), "of_the_copy", "without notes, of any build id");
	put("/sys/kernel/notes", "GNU \x01\x02\x03\x04");
	is_str(kernel_name(id_a, 4, NULL), "of_the_copy", "with notes, of their build id");
	is_str(kernel_name(id_b, 4, NULL), "none", "and of no other");
	found_files_deinit(&f);
}

/* An ELF file of 64 bits that is a header alone. */
static void write_elf(const char *path, unsigned type)
{
	char header[64] = "\177ELF\2\1\1";
	FILE *f = fopen(path, "w");
	header[16] = (char)type;
	if (!f || fwrite(header, 1, sizeof header, f) != sizeof header || fclose(f) != 0)
		bail_out("%s", path);
}

static void packs_type(unsigned type, enum found_kind kind, bool is_packed)
{
	struct found_files f;
	struct buf bytes;
	struct err err = {""};
	char path[100];
	int fd;
	snprintf(path, sizeof path, "%s/typed", dir);
	write_elf(path, type);
	buf_init(&bytes);
	found_files_init(&f);
	found_files_add(&f, kind, "/usr/bin/x", path, NULL, 0);
	bool is_open = found_file_open(&f.items[0], &fd, &bytes, &err);
	ok(is_open == is_packed && (fd >= 0) == is_packed, "an ELF file of type %u, kind %d", type, (int)kind);
	is_str(err.text, is_packed ? "" : NO_PROGRAM, "its reason");
	if (fd >= 0)
		close(fd);
	found_files_deinit(&f);
	buf_deinit(&bytes);
}

/* A core dump holds what was in the memory of its process. */
static void test_types(void)
{
	static const enum found_kind kinds[] = {FOUND_ELF, FOUND_MODULE, FOUND_VDSO};
	enum { TYPE_NONE = 0, TYPE_CORE = 4, TYPE_OTHER = 0x7e };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		packs_type(TYPE_NONE, kinds[i], false);
		packs_type(ELF_FILE_REL, kinds[i], true);
		packs_type(ELF_FILE_EXEC, kinds[i], true);
		packs_type(ELF_FILE_DYN, kinds[i], true);
		packs_type(TYPE_CORE, kinds[i], false);
		packs_type(TYPE_OTHER, kinds[i], false);
	}
}

int main(void)
{
	struct elf_file elf;
	struct err err;
	char command[100];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	if (n <= 0 || !mkdtemp(dir) || !elf_file_open(&elf, own, &err))
		skip_all("this program does not find itself");
	n_own = elf_build_id(&elf, own_id);
	elf_file_close(&elf);
	test_places();
	test_bad_names();
	test_types();
	if (n_own > 0) {
		test_opened();
		test_files_below();
	} else {
		skip("programs here have no build id");
	}
	test_kernel_below();
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command) == 0 ? done_testing() : 1;
}
