/*
 * Calls that one allocator makes to another.
 */
#include "record/sampler/allocator_calls.h"

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

int main(void)
{
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
