/*
 * Functions of JIT compilers, from the map and the dump that they write for perf.
 */
#include "symbols/jit_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/regular.h"
#include "symbols/jits.h"
#include "symbols/trust.h"
#include "tests/tap.h"

static void maps(const struct jit_map *m, uint64_t address, const char *name, uint64_t start, const char *what)
{
	struct jit_function found = {0};
	jit_map_find(m, address, &found);
	if (is_str(found.name, name, "%s", what) && name)
		is_int(found.start, start, "%s: its start", what);
}

static void test_map(void)
{
	static const char text[] = "3000 100 LazyCompile:~main /srv/app.js:12\n"
							   "0x1000 0x80 Stub:Add\r\n"
							   "damaged\n"
							   "1000\n"
							   "4000 10 \n"
							   "zz 10 name\n"
							   "fffffffffffffff0 ffff high\n"
							   "3040 20 later\n"
							   "5000 8 unended";
	struct jit_map *m = jit_map_new(mem_strndup(text, sizeof text - 1), sizeof text - 1);
	maps(m, 0x3001, "LazyCompile:~main /srv/app.js:12", 0x3000, "a name with blanks");
	maps(m, 0x107f, "Stub:Add", 0x1000, "numbers with 0x, a line of Windows");
	maps(m, 0x1080, NULL, 0, "nothing behind a function");
	maps(m, 0x3041, "later", 0x3040, "a later line wins");
	maps(m, 0x3061, "LazyCompile:~main /srv/app.js:12", 0x3000, "the older one is still around it");
	maps(m, 0x4001, NULL, 0, "a line without a name is passed over");
	maps(m, 0xfffffffffffffff8, "high", 0xfffffffffffffff0, "a size beyond the end of memory");
	maps(m, 0x5007, "unended", 0x5000, "the last line without newline");
	jit_map_free(m);
	m = jit_map_new(NULL, 0);
	maps(m, 0, NULL, 0, "an empty map");
	jit_map_free(m);
}

/*
 * Reads a map of n functions, each line 11 bytes or more, in a child whose address space has as many more bytes as
 * are counted. *times becomes how often these hold the text.
 */
static bool is_read_as_counted(size_t n, bool is_rising, uint64_t *times)
{
	struct buf text;
	int status = -1;
	buf_init(&text);
	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%zx 1 a\n", 0x1000000 + 16 * (is_rising ? i : n - i));
	size_t len = text.len;
	char *lines = mem_realloc(buf_take(&text), len + 1, 1);
	*times = jit_map_memory(lines, len) / len;
	pid_t child = fork();
	if (child == 0) {
		long pages = 0;
		FILE *f = fopen("/proc/self/statm", "r");
		if (!f || fscanf(f, "%ld", &pages) != 1)
			_exit(2);
		fclose(f);
		rlim_t all = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + jit_map_memory(lines, len);
		setrlimit(RLIMIT_AS, &(struct rlimit){all, all});
		struct jit_map *m = jit_map_new(lines, len);
		struct jit_function found;
		_exit(jit_map_find(m, 0x1000000 + 16 * (n / 2), &found) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	free(lines);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_memory_of_map(void)
{
	enum { LINES = 1000000 };
	if (tap_sanitized() || access("/proc/self/statm", R_OK) != 0) {
		skip("the size of the address space says nothing here");
		return;
	}
	uint64_t times;
	ok(is_read_as_counted(LINES, true, &times), "a map with short lines takes no more memory than was counted");
	ok(is_read_as_counted(LINES, false, &times), "also if its functions are in no order");
	is_int(times, 5, "which is less than six times its size");
}

/* Of the address space. */
static uint64_t pages(void)
{
	unsigned long n = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%lu", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

static bool is_swapped;

static void put(struct buf *b, uint64_t v, int bytes)
{
	bool is_big = is_swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	for (int i = 0; i < bytes; i++)
		buf_addc(b, (char)(v >> 8 * (is_big ? bytes - 1 - i : i)));
}

/* A record with its head. */
static void record(struct buf *out, uint32_t id, uint64_t time, struct buf *body)
{
	put(out, id, 4);
	put(out, body->len + 16, 4);
	put(out, time, 8);
	buf_add(out, body->data, body->len);
	buf_deinit(body);
}

static void load(struct buf *out, uint64_t time, uint64_t address, uint64_t size, uint64_t index, const char *name)
{
	struct buf b;
	buf_init(&b);
	put(&b, 1, 4);
	put(&b, 1, 4);
	put(&b, address, 8);
	put(&b, address, 8);
	put(&b, size, 8);
	put(&b, index, 8);
	buf_add(&b, name, strlen(name) + 1);
	buf_pad(&b, '\x90', (size_t)size);
	record(out, 0, time, &b);
}

static void move(struct buf *out, uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
	struct buf b;
	buf_init(&b);
	put(&b, 1, 4);
	put(&b, 1, 4);
	put(&b, to, 8);
	put(&b, from, 8);
	put(&b, to, 8);
	put(&b, size, 8);
	put(&b, index, 8);
	record(out, 1, time, &b);
}

static void lines(struct buf *out, uint64_t address)
{
	struct buf b;
	buf_init(&b);
	put(&b, address, 8);
	put(&b, 2, 8);
	put(&b, address, 8);
	put(&b, 12, 4);
	put(&b, 0, 4);
	buf_add(&b, "app.js", 7);
	put(&b, address + 8, 8);
	put(&b, 14, 4);
	put(&b, 0, 4);
	buf_add(&b, "\xFF", 2);
	record(out, 2, 1, &b);
}

static void begin_file(struct buf *out)
{
	buf_init(out);
	put(out, 0x4A695444, 4);
	put(out, 1, 4);
	put(out, 40, 4);
	put(out, 62, 4);
	put(out, 0, 4);
	put(out, 1, 4);
	put(out, 0, 8);
	put(out, 0, 8);
}

static struct buf sample(void)
{
	struct buf out, body;
	begin_file(&out);
	buf_init(&body);
	lines(&out, 0x1000);
	load(&out, 10, 0x1000, 0x20, 0, "first");
	load(&out, 20, 0x1010, 0x40, 1, "second");
	load(&out, 30, 0x1000, 0x20, 2, "third");
	move(&out, 40, 0x1010, 0x2000, 0x40, 1);
	move(&out, 50, 0x1010, 0x2000, 0x40, 99);
	record(&out, 3, 60, &body);
	return out;
}

static void dumps(const struct jitdump *d, uint64_t address, uint64_t time, const char *name, const char *what)
{
	struct jitdump_function found = {0};
	jitdump_find(d, address, time, &found);
	is_str(found.name, name, "%s", what);
}

static void test_dump(void)
{
	struct buf file = sample();
	struct jitdump_function found = {0};
	struct jitdump_code code;
	uint32_t line;
	struct jitdump *d = jitdump_parse((const unsigned char *)file.data, file.len, NULL);
	dumps(d, 0x1004, 5, NULL, "nothing before the first load");
	dumps(d, 0x1004, 10, "first", "a function from the time when it was loaded");
	dumps(d, 0x1014, 25, "second", "one that was loaded over it");
	dumps(d, 0x1004, 25, "first", "what is left of the older one");
	dumps(d, 0x1014, 35, "third", "one that came later still");
	dumps(d, 0x2004, 39, NULL, "nothing where code will move to");
	dumps(d, 0x2004, 40, "second", "code that has moved");
	dumps(d, 0x1040, 45, NULL, "and is no longer where it was");
	dumps(d, 0x1014, JITDUMP_ANY_TIME, "third", "without a time what was there last");
	ok(jitdump_find(d, 0x1009, 12, &found) && file.data[found.offset] == '\x90', "the instruction in the dump");
	is_str(jitdump_line(d, found.offset, &line), "app.js", "the file of its line, the same as before");
	is_int(line, 14, "and the line");
	ok(jitdump_code(d, found.offset, &code) && code.start == 0x1000 && code.size == 0x20 &&
	       code.offset == found.offset - 9,
	   "the code that holds it");
	ok(jitdump_find(d, 0x2004, 40, &found) && jitdump_code(d, found.offset, &code) && code.start == 0x1010,
	   "code that has moved has its bytes where it was loaded");
	ok(!jitdump_code(d, 3, &code) && !jitdump_line(d, file.len, &line) && line == 0, "no code elsewhere");
	is_int(jitdump_machine(d), 62, "the processor");
	jitdump_free(d);
	buf_deinit(&file);
}

/* A place where code is compiled over and over. */
static void test_reused(void)
{
	enum { N = 3000 };
	struct err err;
	struct buf file;
	buf_init(&file);
	begin_file(&file);
	load(&file, 1, 0x1000, 0x9000, 1, "around");
	for (uint64_t i = 1; i <= N; i++) {
		char name[20];
		snprintf(name, sizeof name, "f%d", (int)i);
		load(&file, 10 * (i ^ 1), 0x5000, i % 3 ? 0x100 : 0x80, i + 1, name);
	}
	struct jitdump *d = jitdump_parse((unsigned char *)file.data, file.len, &err);
	dumps(d, 0x5010, 25, "f3", "of code that was loaded often at one address, the one of that time is found");
	dumps(d, 0x5010, 20 * N, "f3000", "and the last one");
	dumps(d, 0x5010, JITDUMP_ANY_TIME, "f3000", "without a time, too");
	dumps(d, 0x5010, 5, "around", "and what was there before");
	dumps(d, 0x4ff0, 10 * N, "around", "and what is around it");
	jitdump_free(d);
	buf_deinit(&file);
}

static void test_damaged(void)
{
	struct buf file = sample();
	for (size_t n = 0; n < file.len; n++) {
		unsigned char *exact = mem_alloc(n);
		memcpy(exact, file.data, n);
		jitdump_free(jitdump_parse(exact, n, NULL));
		free(exact);
	}
	pass("cut at every byte");
	for (size_t i = 0; i < file.len; i++)
		for (int v = 0; v < 256; v += 51) {
			char was = file.data[i];
			struct jitdump_function found;
			uint32_t line;
			file.data[i] = (char)v;
			struct jitdump *d = jitdump_parse((const unsigned char *)file.data, file.len, NULL);
			if (d && jitdump_find(d, 0x1014, 35, &found))
				jitdump_line(d, found.offset, &line);
			jitdump_free(d);
			file.data[i] = was;
		}
	pass("every byte changed");
	buf_deinit(&file);
}

/* Each line may end at any of the zeros after it. */
static void test_zeros(void)
{
	struct buf file, body;
	begin_file(&file);
	buf_init(&body);
	put(&body, UINT64_C(1) << 40, 8);
	put(&body, UINT64_C(1) << 40, 8);
	buf_pad(&body, '\0', 2000000);
	buf_pad(&body, '\xff', 16);
	record(&file, 2, 1, &body);
	alarm(20);
	jitdump_free(jitdump_parse((const unsigned char *)file.data, file.len, NULL));
	alarm(0);
	pass("2 MB of zeros in place of lines end soon");
	buf_deinit(&file);
}

/* ---- files of many processes --------------------------------------------------------------------- */

/* Writes the dump to a file without a name. */
static int written(const struct buf *file)
{
	char path[] = "/tmp/flametop-jit-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, file->data, file->len) != (ssize_t)file->len)
		bail_out("no temporary file");
	unlink(path);
	return fd;
}

static void test_shared(void)
{
	struct jit_files files;
	struct buf file = sample(), bytes;
	struct err err = {""};
	int fd = written(&file), other = written(&file);
	buf_init(&bytes);
	jit_files_init(&files, 2 * jitdump_memory((const unsigned char *)file.data, file.len) - 1);
	struct jit_file *first = jit_files_get(&files, fd, true, &bytes, &err);
	const struct jitdump *dump = first ? first->dump : NULL;
	struct jit_file *second = jit_files_get(&files, fd, true, &bytes, &err);
	ok(first && dump && second == first && second->dump == dump, "two processes share what was read of a dump");
	struct jit_file *third = jit_files_get(&files, other, true, &bytes, &err);
	ok(third && third != first && !third->dump && strstr(third->why_not, "too much for all maps and dumps"),
	   "with a second dump it would be too much: %s", third ? third->why_not : err.text);
	jit_file_leave(&files, third);
	jit_file_leave(&files, second);
	ok(first && first->dump == dump, "a dump stays as long as one of them has it");
	jit_file_leave(&files, first);
	third = jit_files_get(&files, other, true, &bytes, &err);
	ok(third && third->dump, "then another one has room");
	jit_file_leave(&files, third);
	jit_files_deinit(&files);
	buf_deinit(&bytes);
	buf_deinit(&file);
	close(fd);
	close(other);
}

/* Maps are counted as well, with dumps. */
static void test_shared_map(void)
{
	static const char lines[] = "1000 20 first\n2000 20 second\n";
	struct jit_files files;
	struct jit_function found;
	struct buf map, dump = sample(), bytes;
	struct err err = {""};
	uint64_t memory = jit_map_memory(lines, sizeof lines - 1);
	buf_init(&map);
	buf_adds(&map, lines);
	int fd = written(&map), other = written(&map), dump_fd = written(&dump);
	buf_init(&bytes);
	jit_files_init(&files, memory + 1);
	struct jit_file *first = jit_files_get(&files, fd, false, &bytes, &err),
					*second = jit_files_get(&files, fd, false, &bytes, &err);
	ok(first && first->map && second == first && files.memory == memory, "two processes share a map");
	struct jit_file *third = jit_files_get(&files, other, false, &bytes, &err);
	ok(third && !third->map && strstr(third->why_not, "too much for all maps and dumps"),
	   "with a second map it would be too much: %s", third ? third->why_not : err.text);
	struct jit_file *fourth = jit_files_get(&files, dump_fd, true, &bytes, &err);
	ok(fourth && !fourth->dump && strstr(fourth->why_not, "too much"), "or with a dump");
	jit_file_leave(&files, third);
	jit_file_leave(&files, second);
	jit_file_leave(&files, first);
	is_int(files.memory, 0, "maps of processes that are not read take no memory");
	third = jit_files_get(&files, other, false, &bytes, &err);
	ok(third && third->map && jit_map_find(third->map, 0x2001, &found), "then another one has room");
	jit_files_deinit(&files);
	buf_deinit(&bytes);
	buf_deinit(&dump);
	buf_deinit(&map);
	close(fd);
	close(other);
	close(dump_fd);
}

/* A file of one block can have any size. */
static void test_holes(void)
{
	char path[] = "/tmp/flametop-jit-XXXXXX";
	struct buf bytes;
	struct err err = {""};
	int fd = mkstemp(path);
	buf_init(&bytes);
	if (fd < 0 || write(fd, "1000 20 first\n", 14) != 14 || ftruncate(fd, 1 << 30) < 0)
		bail_out("a file cannot have holes");
	ok(trust_reopen(path, &err) < 0 && strstr(err.text, "holes"), "a map that is almost all holes is not read: %s",
	   err.text);
	if (ftruncate(fd, (1l << 30) + 1) < 0)
		bail_out("a file cannot have holes");
	ok(!regular_read_all(fd, 1 << 30, &bytes, &err) && strstr(err.text, "larger than 1024 MiB") && bytes.len == 0,
	   "nor is any file that is too large read up to there: %s", err.text);
	unlink(path);
	buf_deinit(&bytes);
	close(fd);
}

static void test_grown(void)
{
	struct jit_files files;
	struct jitdump_function found;
	struct buf file, bytes;
	struct err err = {""};
	begin_file(&file);
	int fd = written(&file);
	buf_init(&bytes);
	jit_files_init(&files, JIT_FILES_ALL);
	struct jit_file *f = jit_files_get(&files, fd, true, &bytes, &err);
	size_t before = file.len;
	load(&file, 10, 0x1000, 0x20, 0, "first");
	if (pwrite(fd, file.data + before, file.len - before, (off_t)before) < 0)
		bail_out("a file cannot grow");
	jit_files_get(&files, fd, true, &bytes, &err);
	ok(f && f->dump && jitdump_find(f->dump, 0x1004, 10, &found), "a dump that has grown is read again, for all");
	jit_files_deinit(&files);
	buf_deinit(&bytes);
	buf_deinit(&file);
	close(fd);
}

/* What is counted before must hold what the dump takes: it has as many functions as bytes allow. */
static void test_memory_of_dump(void)
{
	enum { LOADS = 200000 };
	struct buf file;
	char name[16];
	int status = -1;
	if (tap_sanitized() || access("/proc/self/statm", R_OK) != 0) {
		skip("the size of the address space says nothing here");
		return;
	}
	begin_file(&file);
	for (unsigned i = 0; i < LOADS; i++) {
		snprintf(name, sizeof name, "%x", i);
		load(&file, 10, 0x1000 + i, 0, i, name);
	}
	pid_t child = fork();
	if (child == 0) {
		uint64_t most = jitdump_memory((const unsigned char *)file.data, file.len), before = pages();
		struct jitdump *d = jitdump_parse((const unsigned char *)file.data, file.len, NULL);
		_exit(d && pages() - before <= most / (uint64_t)sysconf(_SC_PAGESIZE) + 512 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a dump takes no more memory than was counted");
	buf_deinit(&file);
}

/* A process has room for 64 dumps; what is beyond is said, and nothing of one that is there already. */
static void test_many_dumps(void)
{
	struct report report;
	struct texts texts;
	struct jits jits;
	char path[64];
	report_init(&report);
	texts_init(&texts);
	jits_init(&jits, NULL, true, &report, &texts);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 64; i++) {
			snprintf(path, sizeof path, "/tmp/jit-%d.dump", i);
			jits_add_dump(&jits, 7, path);
		}
	is_int((long)report.n, 0, "64 dumps of a process, mapped twice, are taken");
	jits_add_dump(&jits, 8, "/tmp/jit-64.dump");
	is_int((long)report.n, 0, "and one of another process");
	jits_add_dump(&jits, 7, "/tmp/jit-64.dump");
	is_int((long)report.n, 1, "one more is not,");
	is_str(report.n ? report.notes[0].detail : NULL, "/tmp/jit-64.dump: one dump too many of a process",
	       "which is said");
	jits_deinit(&jits);
	texts_deinit(&texts);
	report_deinit(&report);
}

int main(void)
{
	test_many_dumps();
	test_shared();
	test_shared_map();
	test_grown();
	test_holes();
	test_memory_of_dump();
	test_map();
	test_memory_of_map();
	test_dump();
	test_reused();
	test_damaged();
	test_zeros();
	is_swapped = true;
	test_dump();
	return done_testing();
}
