/*
 * Calls that one allocator makes to another, and what calls count.
 */
#include "record/sampler/allocator_calls.h"

#include "record/sampler/records.h"
#include "tests/tap.h"

#define PROGRAM 100000u
#define SP 5000u

static char library[] = "libc", own[] = "own";
static const struct allocator f_malloc = {.path = library, .length = 100, .size = SIZE_FIRST},
							  f_calloc = {.path = library, .length = 100, .size = SIZE_PRODUCT},
							  f_aligned = {.path = library, .length = 8, .size = SIZE_SECOND, .is_aligned = true},
							  f_memalign = {.path = library, .length = 8, .size = SIZE_SECOND, .is_aligned = true},
							  f_realloc = {.path = library, .length = 100, .size = SIZE_RESIZED},
							  f_own = {.path = own, .length = 100, .size = SIZE_FIRST};
static struct allocator_calls calls;

/* Where the functions are. */
enum { MALLOC = 1000, CALLOC = 2000, ALIGNED = 3000, MEMALIGN = 4000, REALLOC = 5000, OWN = 6000 };

static bool is_nested(const struct allocator *f, uint64_t address, uint64_t caller, uint64_t sp, uint64_t bytes)
{
	const struct allocator_call call = {f, 7, 8, address, caller, sp, bytes};
	return allocator_calls_are_nested(&calls, &call);
}

/* What a call counts of which all arguments are `value`. */
static uint64_t weight_of(enum allocator_size size, uint64_t value, uint64_t calls_of_it)
{
	enum { AFTER_CHAIN = RECORDS_WORD_OF_CHAIN + 1, WORDS = AFTER_CHAIN + 1 + 64 };
	struct {
		struct abi_record head;
		uint64_t words[WORDS];
	} r = {.head.size = sizeof r};
	const struct abi_attr a = {.regs_user = allocators_registers()};
	r.words[RECORDS_WORD_OF_PERIOD] = calls_of_it;
	for (size_t i = AFTER_CHAIN; i < WORDS; i++)
		r.words[i] = value;
	return allocator_weigh(&r.head, &a, size) ? r.words[RECORDS_WORD_OF_PERIOD] : 0;
}

static void test_weights(void)
{
	const uint64_t half = UINT64_C(1) << 63;
	if (!allocators_registers()) {
		skip("the registers of this processor are not known");
		return;
	}
	ok(weight_of(SIZE_FIRST, 4096, 3) == 12288, "calls count what they ask for");
	ok(weight_of(SIZE_FIRST, half - 1, 1) == half - 1, "also what no process can have");
	ok(weight_of(SIZE_FIRST, half, 1) == half, "and more than that");
	ok(weight_of(SIZE_FIRST, half, 2) == UINT64_MAX, "more than a number can hold is the largest one");
	ok(weight_of(SIZE_PRODUCT, half, 1) == UINT64_MAX, "so is a product");
}

int main(void)
{
	test_weights();
	ok(!is_nested(&f_malloc, MALLOC, PROGRAM, SP, 10), "a program calls malloc");
	ok(!is_nested(&f_calloc, CALLOC, PROGRAM, SP, 10), "and calloc, from the same place");
	ok(is_nested(&f_malloc, MALLOC, CALLOC + 50, SP - 64, 10), "calloc calls malloc");
	ok(is_nested(&f_malloc, MALLOC, CALLOC + 100, SP - 64, 10), "with its last instruction");
	ok(!is_nested(&f_malloc, MALLOC, PROGRAM + 9, SP, 10), "and the program does again");
	for (int i = 0; i < 3; i++) {
		ok(!is_nested(&f_memalign, MEMALIGN, PROGRAM, SP, 32), "a loop calls memalign");
		ok(is_nested(&f_aligned, ALIGNED, PROGRAM, SP, 32), "which jumps to aligned_alloc");
		ok(is_nested(&f_malloc, MALLOC, PROGRAM, SP, 32), "which jumps to malloc");
	}
	ok(!is_nested(&f_aligned, ALIGNED, PROGRAM, SP, 16), "a pointer calls aligned_alloc");
	ok(!is_nested(&f_malloc, MALLOC, PROGRAM, SP, 17), "then malloc: a jump asks for the same bytes");
	ok(!is_nested(&f_malloc, MALLOC, PROGRAM, SP, 17) && !is_nested(&f_calloc, CALLOC, PROGRAM, SP, 17),
	   "malloc and calloc do not jump to each other");
	ok(!is_nested(&f_own, OWN, PROGRAM + 20, SP, 17) && is_nested(&f_malloc, MALLOC, PROGRAM + 20, SP, 17),
	   "a malloc of the program jumps to that of the library");
	ok(!is_nested(&f_realloc, REALLOC, PROGRAM, SP, 9) && !is_nested(&f_malloc, MALLOC, REALLOC + 9, SP, 9),
	   "a realloc that does not count itself leaves it to malloc");
	allocator_calls_forget(&calls, 7);
	ok(!is_nested(&f_malloc, MALLOC, CALLOC + 50, SP, 10), "another program has other places");
	allocator_calls_deinit(&calls);
	return done_testing();
}
