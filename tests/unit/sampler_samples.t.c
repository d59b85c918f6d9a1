/* samples - what the sampler does to samples: copies of the stack are cut to what was filled, calls become bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/sample.h"
#include "record/sampler/allocators.h"
#include "record/sampler/dump.h"
#include "record/sampler/records.h"
#include "tests/tap.h"
#include "tests/unit/elf_writer.h"

struct fixture {
	struct abi_record r; /* followed by its words */
	uint64_t w[40];
};

static void begin(struct fixture *f, const uint64_t *words, size_t n)
{
	*f = (struct fixture){.r = {.type = 9, .size = (uint16_t)(sizeof f->r + n * 8)}};
	memcpy(f->w, words, n * 8);
}

static size_t length(const struct fixture *f)
{
	return (f->r.size - sizeof f->r) / 8;
}

#define BEFORE 1, 2, 3, 4, 5, 6 /* id, ip, pid, time, cpu, period */

static void test_dumps(void)
{
	const struct abi_attr a = {.sample_type =
	                               RECORDS_SAMPLE_TYPE | FIELD_CALLCHAIN | FIELD_REGS_USER | FIELD_STACK_USER,
	                           .regs_user = 7,
	                           .stack_user = 32};
	const uint64_t half[] = {BEFORE, 1, 70, 2, 80, 81, 82, 32, 90, 91, 92, 93, 12};
	const uint64_t none[] = {BEFORE, 1, 70, 2, 80, 81, 82, 32, 90, 91, 92, 93, 0};
	const uint64_t kernel[] = {BEFORE, 1, 70, 0, 0};
	struct fixture f;
	begin(&f, half, 18);
	dump_shorten(&f.r, &a);
	ok(length(&f) == 16 && f.w[12] == 16 && f.w[14] == 91 && f.w[15] == 12,
	   "a dump is cut to the words that were filled");
	begin(&f, none, 18);
	dump_shorten(&f.r, &a);
	ok(length(&f) == 13 && f.w[12] == 0, "an empty dump is a size of 0, and nothing follows it");
	begin(&f, kernel, 10);
	dump_shorten(&f.r, &a);
	ok(length(&f) == 10, "a thread of the kernel has no dump");
	begin(&f, half, 15);
	dump_shorten(&f.r, &a);
	ok(length(&f) == 15 && f.w[12] == 32, "a torn record stays as it is");
	const struct abi_attr with_raw = {.sample_type = a.sample_type | FIELD_RAW, .regs_user = 7, .stack_user = 32};
	uint64_t raw[] = {BEFORE, 1, 70, 0, 50, 51, 2, 80, 81, 82, 32, 90, 91, 92, 93, 12};
	const uint32_t sizes[] = {20, 16, 1u << 31, UINT32_MAX};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memcpy(&raw[8], &sizes[i], sizeof *sizes);
		begin(&f, raw, 21);
		dump_shorten(&f.r, &with_raw);
		is_int(length(&f), i ? 21 : 19, "raw data of %u bytes in front of it", sizes[i]);
	}
}

/* The arguments of a call, in the order of perf_regs.h. */
static void set_arguments(uint64_t *regs, uint64_t first, uint64_t second, uint64_t third)
{
	const uint64_t forward[] = {first, second, third}, backward[] = {third, second, first};
	memcpy(regs, allocators_registers() & 1 ? forward : backward, sizeof forward);
}

static void test_sizes(void)
{
	uint64_t call[] = {BEFORE, 2, CHAIN_USER, 70, 2, 0, 0, 0, 0};
	struct abi_attr a = {.stack_user = 4096, .regs_user = allocators_registers()};
	struct fixture f;
	set_arguments(call + 10, 100, 7, 9);
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_FIRST);
	is_int(f.w[5], 600, "malloc: the first argument, for each of the calls");
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_SECOND);
	is_int(f.w[5], 42, "realloc: the second");
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_THIRD);
	is_int(f.w[5], 54, "posix_memalign: the third");
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_PRODUCT);
	is_int(f.w[5], 4200, "calloc: the product");
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_PAGE);
	ok(f.w[5] >= 6 * 4096, "a page that is touched");
	set_arguments(call + 10, UINT64_MAX / 2, 3, 0);
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_PRODUCT);
	is_int(f.w[5], 0, "a product that overflows is a call that fails");
	call[9] = 0;
	begin(&f, call, 14);
	allocator_weigh(&f.r, &a, SIZE_FIRST);
	is_int(f.w[5], 0, "without registers nothing is known");
}

/* A sample by frame pointers, with what allocators_prepare() asks for. The caller is 71. Returns its words. */
static size_t fill_in_call(uint64_t call[24])
{
	const uint64_t begins[] = {BEFORE, 3, CHAIN_USER, 70, 72, 2}, ends[] = {8, 71, 8};
	size_t n = sizeof begins / sizeof *begins, n_regs = (size_t)__builtin_popcountll(allocators_registers());
	memcpy(call, begins, sizeof begins);
	set_arguments(call + n, 100, 7, 9);
	call[n + n_regs - 2] =
		n_regs > 4 ? 71 : call[n + n_regs - 2]; /* the return address, where it is in a register */
	call[n + n_regs - 1] = 5000;                /* the stack pointer */
	memcpy(call + n + n_regs, ends, sizeof ends);
	return n + n_regs + 3;
}

static void test_callers(void)
{
	static const struct allocator function = {.size = SIZE_SECOND};
	struct allocator_call found;
	uint64_t call[24];
	struct abi_attr a = {0};
	struct fixture f;
	size_t n = fill_in_call(call);
	allocators_prepare(&a);
	ok(a.stack_user == 8 && a.regs_user == allocators_registers(),
	   "by frame pointers, the top of the stack is asked for");
	begin(&f, call, n);
	ok(allocator_read_call(&f.r, &a, &function, &found) && found.caller == 71 && found.sp == 5000 &&
	       found.bytes == 7 && found.function == &function,
	   "a call has a caller, a stack pointer and bytes");
	allocator_weigh(&f.r, &a, SIZE_FIRST);
	ok(length(&f) == 11 && f.w[6] == 4 && f.w[8] == 70 && f.w[9] == 71 && f.w[10] == 72,
	   "the return address on it is the caller, which the chain lacks; nothing follows the chain");
	call[9] = 71;
	begin(&f, call, n);
	allocator_weigh(&f.r, &a, SIZE_FIRST);
	ok(length(&f) == 10 && f.w[6] == 3 && f.w[9] == 71, "a chain that has it already stays as it is");
	begin(&f, call, n);
	allocator_weigh(&f.r, &a, SIZE_PAGE);
	ok(length(&f) == 10 && f.w[6] == 3, "a page fault is no call");
	call[6] = 1000;
	begin(&f, call, n);
	ok(!allocator_read_call(&f.r, &a, &function, &found), "a torn record tells no call");
	allocator_weigh(&f.r, &a, SIZE_FIRST);
	ok(length(&f) == n, "a torn record stays as it is");
	a.sample_type |= FIELD_CALLCHAIN;
	allocators_hide(&a);
	ok(a.sample_type == FIELD_CALLCHAIN && !a.stack_user, "the recording describes what is left");
	a.stack_user = 4096;
	allocators_prepare(&a);
	allocators_hide(&a);
	ok(a.sample_type & FIELD_STACK_USER && a.stack_user == 4096, "copies that were asked for stay");
}

static void test_files(void)
{
	struct allocators list = {0};
	size_t n;
	allocators_add_command(&list, "sh");
	n = list.n;
	ok(n >= 3, "the C library has malloc, calloc and realloc: %zu", n);
	allocators_add_command(&list, "sh");
	is_int(list.n, n, "no function is probed twice");
	allocators_add_process(&list, getpid());
	allocators_add_file(&list, "/no/such/file");
	allocators_add_file(&list, "/etc/passwd");
	ok(list.n >= n, "what is no ELF file has none");
	allocators_deinit(&list);
}

/* Adds a program with n functions that are called malloc. */
static void add_odd_file(struct allocators *list, size_t n)
{
	const char *name = "odd.so";
	struct writer_symbol *s = mem_alloc(n * sizeof *s);
	struct elf_writer w;
	for (size_t i = 0; i < n; i++)
		s[i] = (struct writer_symbol){"malloc", i * 16, 8, 1, 1, 2, 0};
	writer_init(&w, true, false);
	writer_segment(&w, ELF_SEGMENT_EXECUTABLE | 4, 0, 0, n * 16);
	writer_section(&w, ".text", (struct elf_section){.type = 1, .flags = 6});
	writer_symbols(&w, ".dynsym", s, n);
	struct buf file = writer_finish(&w);
	FILE *f = fopen(name, "w");
	ok(f && fwrite(file.data, 1, file.len, f) == file.len, "a file of %zu functions", n);
	if (f)
		fclose(f);
	allocators_add_file(list, name);
	unlink(name);
	buf_deinit(&file);
	free(s);
}

static void test_many(void)
{
	struct allocators list = {0};
	char dir[] = "/tmp/allocators.XXXXXX";
	if (!mkdtemp(dir) || chdir(dir) != 0)
		bail_out("no directory");
	add_odd_file(&list, 32);
	is_int(list.n, 32, "all of a large allocator are probed");
	ok(!list.lacks_some, "and none is missing");
	add_odd_file(&list, 5000);
	is_int(list.n, 64, "of what is none, some are");
	ok(list.lacks_some, "which is told");
	for (unsigned i = 0; i < 10; i++)
		add_odd_file(&list, 32);
	is_int(list.n, 256, "of very many files, only the first ones");
	allocators_deinit(&list);
	if (chdir("/") != 0 || rmdir(dir) != 0)
		diag("%s is left", dir);
}

int main(void)
{
	test_dumps();
	if (allocators_registers()) {
		test_sizes();
		test_callers();
		test_files();
		test_many();
	}
	return done_testing();
}
