/*
 * Turns addresses into names: of this process, a kernel, a JIT compiler; and checks which files are not opened.
 */
#include "symbols/symbols.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/elf_writer.h"

/* The map at an address, from /proc/self/maps. */
static bool mapping_of(uint64_t address, struct symbols_query *q, char path[4096])
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[5000];
	bool is_found = false;
	while (maps && !is_found && fgets(line, sizeof line, maps)) {
		uint64_t start, end, offset;
		*path = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end, &offset,
		           path) < 3)
			continue;
		is_found = start <= address && address < end;
		q->map_start = start;
		q->pgoff = offset;
	}
	if (maps)
		fclose(maps);
	q->address = address;
	return is_found;
}

__attribute__((noinline)) int function_with_a_name(int n);
int function_with_a_name(int n)
{
	__asm__ volatile("");
	return n + 1;
}

static void test_self(struct symbols *s)
{
	struct symbols_query q = {.pid = 1};
	struct symbol found, again;
	char path[4096];
	if (!mapping_of((uint64_t)(uintptr_t)function_with_a_name + 1, &q, path)) {
		skip("there is no /proc/self/maps");
		return;
	}
	q.file = symbols_file(s, &(struct symbols_file){.name = path}, 1);
	ok(symbols_find(s, &q, &found), "a function of this process is found");
	is_str(found.name, "function_with_a_name", "by its name");
	is_str(found.module, path, "in the file that is mapped");
	is_str(symbols_path(s, q.file), path, "which is the one that is read");
	is_int(found.offset, 1, "at its offset");
	ok(symbols_find(s, &q, &again) && again.number == found.number && again.offset == 1, "and once more");
	q.address = q.map_start - q.pgoff + ((uint64_t)1 << 60);
	ok(!symbols_find(s, &q, &found), "behind the end of a file there is no name");
	is_str(found.module, path, "but its module");
	is_int(found.kind, SYMBOL_UNKNOWN, "and its kind says so");
}

static void test_unknown(struct symbols *s)
{
	struct symbols_query q = {.pid = 1, .file = SYMBOLS_NO_FILE, .address = 0x1000};
	struct symbol found;
	ok(!symbols_find(s, &q, &found), "nothing mapped, no name");
	is_str(found.module, "[unknown]", "nor a module");
	ok(found.name == NULL, "NULL says so");
	ok(!symbols_path(s, SYMBOLS_NO_FILE) &&
	       !symbols_path(s, symbols_file(s, &(struct symbols_file){.name = "//anon"}, 1)) &&
	       !symbols_path(s, symbols_file(s, &(struct symbols_file){.name = "/nowhere/x"}, 1)),
	   "no file, memory, and a file that is not there have no path");
}

/* Writes a text file to a directory of the test. */
static const char *write_file(const char *directory, const char *name, const char *bytes, size_t n)
{
	static char path[512];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *f = fopen(path, "w");
	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
		bail_out("%s cannot be written", path);
	return path;
}

static struct symbol ask(struct symbols *s, enum symbols_space space, const char *file, uint64_t address)
{
	struct symbols_query q = {.space = space, .pid = 1, .file = SYMBOLS_NO_FILE, .address = address};
	struct symbol found;
	if (file)
		q.file = symbols_file(s, &(struct symbols_file){.name = file}, 1);
	symbols_find(s, &q, &found);
	return found;
}

static void test_kernel(const char *directory)
{
	static const char text[] = "ffffffff81000000 T _text\nffffffff81000100 T do_idle\nffffffff81000200 t last\n"
							   "ffffffffc0000000 t act\t[mod]\n";
	const char *path = write_file(directory, "kallsyms", text, sizeof text - 1);
	struct symbols_options options = {.kallsyms = path};
	struct symbols *s = symbols_new(&options, NULL);
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffff81000110).name, "do_idle", "a function of the kernel");
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffff81000110).module, "[kernel.kallsyms]", "and its module");
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc0000001).module, "[mod]", "a module of the kernel");
	is_str(ask(s, SYMBOLS_KERNEL, "/lib/modules/6.1/net/nf-tables.ko.xz", 0x10).module, "[nf_tables]",
	       "a module without names");
	is_str(ask(s, SYMBOLS_KERNEL, "[kernel.kallsyms]_text", 0x20).module, "[kernel.kallsyms]", "the kernel's map");
	symbols_free(s);
	s = symbols_new(&options, NULL);
	symbols_set_kernel(s, &(struct symbols_kernel){.reference = "_text", .reference_address = 0xffffffff91000000});
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffff91000110).name, "do_idle", "a kernel that was at another place");
	symbols_add_ksymbol(s, 0xffffffffc1000000, 0x100, "bpf_prog_1_x");
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc1000001).name, "bpf_prog_1_x", "a program that was loaded");
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc1000001).module, "bpf_prog_1_x", "and its module");
	symbols_add_ksymbol(s, 0xffffffffc1000000, 0x80, "bpf_prog_2_y");
	is_str(ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc1000001).name, "bpf_prog_2_y", "another in its place");
	symbols_remove_ksymbol(s, 0xffffffffc1000000);
	ok(!ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc1000001).name, "and gone");
	symbols_free(s);
}

static void test_many_ksymbols(void)
{
	struct symbols *s = symbols_new(&(struct symbols_options){.kallsyms = "/nowhere"}, NULL);
	double before = tap_seconds();
	size_t found = 0;
	for (uint64_t i = 0; i < 100000; i++) {
		symbols_add_ksymbol(s, 0xffffffffc0000000 + i * 16, 16, i & 1 ? "odd" : "even");
		struct symbol symbol = ask(s, SYMBOLS_KERNEL, NULL, 0xffffffffc0000000 + i * 8);
		found += symbol.name && symbol.name[0] == ((i / 2) & 1 ? 'o' : 'e');
	}
	is_int(found, 100000, "a hundred thousand programs, asked for in between");
	ok(tap_seconds() - before < 2, "in less than two seconds");
	symbols_free(s);
}

static void test_jit(const char *directory)
{
	static const char text[] = "7f0000001000 100 JS:~main app.js:1\n";
	char tmp[512];
	struct symbols_options options = {.places.root = directory};
	snprintf(tmp, sizeof tmp, "%s/tmp", directory);
	mkdir(tmp, 0700);
	write_file(tmp, "perf-1.map", text, sizeof text - 1);
	struct symbols *s = symbols_new(&options, NULL);
	struct symbol found = ask(s, SYMBOLS_USER, "//anon", 0x7f0000001010);
	is_str(found.name, "JS:~main app.js:1", "a function of a JIT compiler");
	is_str(found.module, "/tmp/perf-1.map", "and its module");
	is_int(found.kind, SYMBOL_JIT, "and its kind");
	is_int(found.offset, 0x10, "and its offset");
	is_str(ask(s, SYMBOLS_USER, "[heap]", 0x10).module, "/tmp/perf-1.map", "memory without a name");
	is_str(ask(s, SYMBOLS_USER, "/memfd:x (deleted)", 0x7f0000001010).name, "JS:~main app.js:1",
	       "memory that looks like a file");
	is_str(ask(s, SYMBOLS_USER, "/memfd:x (deleted)", 0x10).module, "/memfd:x (deleted)",
	       "which keeps its name where nothing is known");
	struct symbols_query q = {.pid = 77, .address = 0x7f0000001010};
	q.file = symbols_file(s, &(struct symbols_file){.name = "//anon"}, 77);
	ok(!symbols_find(s, &q, &found), "another process has no map");
	symbols_add_fork(s, 77, 1, 0);
	ok(symbols_find(s, &q, &found), "a process has the code of its parent");
	is_str(found.module, "/tmp/perf-1.map", "from the parent's map");
	symbols_add_exec(s, 77, 0);
	ok(!symbols_find(s, &q, &found), "a program that takes the place of that copy does not");
	symbols_add_fork(s, 77, 1, 0);
	symbols_add_fork(s, 1, 77, 0);
	q.address = 0x10;
	ok(!symbols_find(s, &q, &found), "a ring of parents comes to an end");
	ok(!ask(s, SYMBOLS_USER, "[vdso]", 0x10).name, "the code of another kernel");
	unlink(write_file(tmp, "perf-1.map", "", 0));
	symbols_add_exec(s, 1, 0);
	ok(!ask(s, SYMBOLS_USER, "//anon", 0x7f0000001010).name, "nor does the map outlive its program");
	symbols_free(s);
	rmdir(tmp);
}

/* A line of the map may be as long as the file: each sample would cost its length. */
static void test_long_name(const char *directory)
{
	char tmp[512];
	struct buf text;
	struct report report;
	buf_init(&text);
	report_init(&report);
	snprintf(tmp, sizeof tmp, "%s/tmp", directory);
	mkdir(tmp, 0700);
	buf_adds(&text, "1000 10 ");
	for (size_t i = 0; i < 50000000; i++)
		buf_addc(&text, 'x');
	write_file(tmp, "perf-1.map", text.data, text.len);
	struct symbols *s = symbols_new(&(struct symbols_options){.places.root = directory}, &report);
	double before = tap_seconds();
	struct symbol found = {0};
	for (int i = 0; i < 1000; i++)
		found = ask(s, SYMBOLS_USER, "//anon", 0x1000);
	is_int(strlen(found.name), 65536, "a very long name is cut");
	ok(tap_seconds() - before < 2, "and asked for a thousand times in less than two seconds");
	is_int(report.n, 1, "with one message");
	is_str(report.n ? report.notes[0].kind : "", "names of functions longer than 64 KiB are cut", "that says so");
	symbols_free(s);
	report_deinit(&report);
	buf_deinit(&text);
	unlink(write_file(tmp, "perf-1.map", "", 0));
	rmdir(tmp);
}

/* The ends of one long text, each of which is a name. */
static void test_overlapping_names(const char *directory)
{
	enum { N = 3000, LONGEST = 20000 };
	struct elf_writer w;
	struct report report;
	struct buf names;
	uint64_t bytes = 0;
	char path[512];
	buf_init(&names);
	for (uint32_t i = 0; i < LONGEST / 4; i++)
		buf_addf(&names, "%04x", i);
	struct writer_symbol first = {buf_str(&names), 0x1000, 4, 1, 1, 2, 0};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE | 4, 0x1000, 0x1000, 4 * N);
	writer_section(&w, ".text",
	               (struct elf_section){.type = ELF_SECTION_NOBITS, .flags = 6, .address = 0x1000, .size = 4 * N});
	writer_symbols(&w, ".symtab", &first, 1);
	for (uint32_t i = 1; i < N; i++) {
		struct buf *table = &w.bodies[3];
		writer_int(&w, table, 1 + i, 4);
		writer_int(&w, table, 0x00010012, 4);
		writer_int(&w, table, 0x1000 + 4 * i, 8);
		writer_int(&w, table, 4, 8);
	}
	struct buf file = writer_finish(&w);
	buf_pad(&file, '\0', 0x1000 + 4 * N);
	snprintf(path, sizeof path, "%s", write_file(directory, "overlapping", file.data, file.len));
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){.cache = ""}, &report);
	struct symbol found = ask(s, SYMBOLS_USER, path, 0x1000);
	is_str(found.name, buf_str(&names), "a name is that of its table");
	for (uint64_t i = 1; i < N; i++) {
		found = ask(s, SYMBOLS_USER, path, 0x1000 + 4 * i);
		bytes += found.name ? strlen(found.name) : 0;
	}
	ok(bytes > LONGEST && bytes < 3 * LONGEST, "names of a file have a limit together: %" PRIu64 " bytes", bytes);
	ok(!found.name && found.module, "then functions have none");
	is_int(report.n, 1, "which is said once");
	is_str(report.n ? report.notes[0].detail : "", "they are longer together than its tables of names explain",
	       "with the reason");
	symbols_free(s);
	report_deinit(&report);
	buf_deinit(&file);
	buf_deinit(&names);
	unlink(path);
}

static void test_refused(const char *directory)
{
	struct report report;
	char path[512];
	snprintf(path, sizeof path, "%s/fifo", directory);
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){.cache = ""}, &report);
	ok(mkfifo(path, 0600) == 0 && !ask(s, SYMBOLS_USER, path, 0x10).name, "a pipe is not opened");
	ask(s, SYMBOLS_USER, path, 0x20);
	is_int(report.n, 1, "and said once");
	is_str(report.n ? report.notes[0].detail : "", "not a regular file", "with the reason");
	for (int i = 0; i < 1000; i++) {
		snprintf(path, sizeof path, "/nowhere/%d", i);
		ask(s, SYMBOLS_USER, path, 0x10);
	}
	ok(report.n < 30, "of a thousand files that are not there a few are named");
	symbols_free(s);
	report_deinit(&report);
	snprintf(path, sizeof path, "%s/fifo", directory);
	unlink(path);
}

/* The kernel names some memory like a deleted file, but there never was one. */
static void test_deleted(void)
{
	static const char *const memory[] = {"/memfd:x (deleted)", "/dev/zero (deleted)", "/dev/shm/x (deleted)",
	                                     "/SYSV00000000 (deleted)"};
	struct report report;
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){.cache = ""}, &report);
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		ask(s, SYMBOLS_USER, memory[i], 0x10);
	is_int(report.n, 0, "of memory, no file is missed");
	ask(s, SYMBOLS_USER, "/opt/app (deleted)", 0x10);
	ask(s, SYMBOLS_USER, "/opt/app (deleted)", 0x20);
	is_int(report.n, 1, "of a program that was deleted it is");
	is_str(report.n ? report.notes[0].file : "", "/opt/app (deleted)", "by its name");
	is_str(report.n ? report.notes[0].detail : "", "there is no copy of it", "with the reason");
	symbols_free(s);
	report_deinit(&report);
}

/* Is a file without a recorded build id that is newer than the recording told? */
static bool tells_newer(int64_t recorded)
{
	char path[4096];
	struct report report;
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	report_init(&report);
	struct symbols *s =
		symbols_new(&(struct symbols_options){.cache = "", .period = {recorded ? 0 : 1, recorded}}, &report);
	ask(s, SYMBOLS_USER, path, 0x10);
	bool tells = report.n && strcmp(report.notes[0].kind, "functions may have wrong names") == 0;
	symbols_free(s);
	report_deinit(&report);
	return tells;
}

static void test_newer(void)
{
	if (access("/proc/self/exe", R_OK) != 0) {
		skip("no /proc here");
		return;
	}
	ok(tells_newer(1000), "a file that is newer than the recording");
	ok(!tells_newer(INT64_MAX), "one that is not");
	ok(!tells_newer(0), "a recording of another machine");
}

/* Sets how many descriptors this process can open from now on; negative: as many as at first. */
static void leave_descriptors(int n)
{
	static rlim_t usual;
	struct rlimit most;
	if (getrlimit(RLIMIT_NOFILE, &most) != 0)
		bail_out("the limit of open files is unknown");
	usual = usual ? usual : most.rlim_cur;
	most.rlim_cur = usual;
	if (n >= 0) {
		int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
		close(next);
		most.rlim_cur = (rlim_t)(next + n);
	}
	setrlimit(RLIMIT_NOFILE, &most);
}

/* Looks this program up, with itself as its debug file. Does the report have a note with this text? */
static bool notes_with(const char *debug, int n_descriptors, bool is_bundle, const char *path, const char *text)
{
	struct symbols_options options = {.debug_directories = (const char *const[]){debug, NULL}, .cache = ""};
	struct report report;
	bool has_text = false;
	options.places.is_bundle = is_bundle;
	report_init(&report);
	struct symbols *s = symbols_new(&options, &report);
	uint32_t file = symbols_file(s, &(struct symbols_file){.name = path}, 1);
	leave_descriptors(n_descriptors);
	symbols_path(s, file);
	leave_descriptors(-1);
	for (size_t i = 0; i < report.n; i++)
		has_text = has_text || strstr(report.notes[i].detail, text);
	symbols_free(s);
	report_deinit(&report);
	return has_text;
}

/* DIRECTORY/.build-id/ab/cdef.debug, a link to this program; false: it has no build id. */
static bool make_debug(const char *directory, const char *program, char path[512])
{
	struct elf_file elf;
	uint8_t id[BUILD_ID_MAX];
	if (!elf_file_open(&elf, program, NULL))
		return false;
	size_t n = elf_build_id(&elf, id);
	elf_file_close(&elf);
	int at = snprintf(path, 512, "%s/.build-id", directory);
	bool is_made = n >= 2 && mkdir(path, 0700) == 0;
	at += snprintf(path + at, 512 - (size_t)at, "/%02x", id[0]);
	is_made = is_made && mkdir(path, 0700) == 0;
	at += snprintf(path + at, 512 - (size_t)at, "/");
	for (size_t i = 1; i < n; i++)
		at += snprintf(path + at, 512 - (size_t)at, "%02x", id[i]);
	snprintf(path + at, 512 - (size_t)at, ".debug");
	return is_made && symlink(program, path) == 0;
}

static void test_descriptors(const char *directory)
{
	char debug[512], program[4096] = "";
	struct symbols_query q;
	if (!mapping_of((uint64_t)(uintptr_t)function_with_a_name, &q, program) ||
	    !make_debug(directory, program, debug)) {
		skip("this program has no build id");
		return;
	}
	ok(!notes_with(directory, 3, false, program, "Too many open files"),
	   "enough descriptors for program and debug file");
	ok(notes_with(directory, 1, false, program, "Too many open files"),
	   "without one for the debug file, a note says so");
	ok(notes_with(directory, 0, true, program, "Too many open files"),
	   "without any, that is the reason in a bundle, too");
	unlink(debug);
	for (int i = 0; i < 2; i++) {
		*strrchr(debug, '/') = '\0';
		rmdir(debug);
	}
}

int main(void)
{
	char directory[] = "/tmp/symbols-XXXXXX";
	if (!mkdtemp(directory))
		bail_out("no directory for files");

	struct report report;
	report_init(&report);
	struct symbols *s = symbols_new(&(struct symbols_options){0}, &report);
	test_self(s);
	test_unknown(s);
	symbols_free(s);
	report_deinit(&report);
	test_kernel(directory);
	test_many_ksymbols();
	test_jit(directory);
	test_long_name(directory);
	test_overlapping_names(directory);
	test_refused(directory);
	test_deleted();
	test_newer();
	test_descriptors(directory);
	unlink(write_file(directory, "kallsyms", "", 0));
	rmdir(directory);
	return done_testing();
}
