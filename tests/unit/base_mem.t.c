/*
 * Allocation, arenas and growable arrays; and how the process ends when memory is exhausted.
 */
#include "tests/tap.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"

/* Sanitizers, libraries, read these; otherwise they would end the process in their own way. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void hook(void)
{
	ssize_t n = write(STDERR_FILENO, "hook\n", 5);
	(void)n;
}

/* Runs `use_up` in a child; returns its exit status and its messages. */
static int status_of(void (*use_up)(void), char *said, size_t size)
{
	int ends[2], status;
	if (pipe(ends) != 0)
		bail_out("no pipe");
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		mem_on_exhausted(hook);
		use_up();
		_exit(0);
	}
	close(ends[1]);
	size_t at = 0;
	ssize_t n;
	while ((n = read(ends[0], said + at, size - 1 - at)) > 0)
		at += (size_t)n;
	said[at] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void use_up_by_alloc(void)
{
	free(mem_alloc(SIZE_MAX / 2));
}
static void use_up_by_zalloc(void)
{
	free(mem_zalloc(SIZE_MAX / 2, 4));
}
static void use_up_by_realloc(void)
{
	free(mem_realloc(NULL, SIZE_MAX / 2, 4));
}
static void use_up_by_grow(void)
{
	size_t cap = 0;
	free(mem_grow(NULL, &cap, SIZE_MAX / 2, 8));
}
static void use_up_by_arena(void)
{
	struct arena a;
	arena_init(&a);
	arena_alloc(&a, SIZE_MAX - 3);
}
static void use_up_by_strndup(void)
{
	free(mem_strndup("", SIZE_MAX));
}

static void test_exhaustion(void)
{
	static const struct {
		const char *name;
		void (*use_up)(void);
	} ways[] = {
		{"mem_alloc", use_up_by_alloc}, {"mem_zalloc", use_up_by_zalloc}, {"mem_realloc", use_up_by_realloc},
		{"mem_grow", use_up_by_grow},   {"arena_alloc", use_up_by_arena}, {"mem_strndup", use_up_by_strndup},
	};
	char said[4096];
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		is_int(status_of(ways[i].use_up, said, sizeof said), 1, "%s exits with 1 when memory is exhausted",
		       ways[i].name);
		ok(strstr(said, "hook\nflametop: out of memory\n") != NULL, "%s calls the hook, then says why",
		   ways[i].name);
	}
}

static void test_alloc(void)
{
	void *p = mem_alloc(0), *q = mem_realloc(NULL, 0, 8);
	ok(p != NULL && q != NULL, "nothing is allocated as something that can be freed");
	free(p);
	free(q);
	uint64_t *z = mem_zalloc(3, sizeof *z);
	ok(z[0] == 0 && z[1] == 0 && z[2] == 0, "mem_zalloc gives zeros");
	free(z);
	ok(mem_strdup(NULL) == NULL, "the copy of no string is no string");
	char *s = mem_strdup("abc"), *t = mem_strndup("abc", 2), *u = mem_strndup(NULL, 0);
	is_str(s, "abc", "mem_strdup copies");
	is_str(t, "ab", "mem_strndup terminates its copy");
	is_str(u, "", "mem_strndup copies nothing from nowhere");
	free(s);
	free(t);
	free(u);
}

static void test_push(void)
{
	size_t n = 0, cap = 0, moves = 0, last = 0, sum = 0;
	uint32_t *a = NULL;
	for (uint32_t i = 0; i < 100000; i++) {
		mem_push(a, n, cap, i);
		moves += cap != last;
		last = cap;
	}
	for (size_t i = 0; i < n; i++)
		sum += a[i];
	is_int(n, 100000, "mem_push counts");
	is_int(sum, 4999950000, "mem_push keeps the elements");
	ok(moves < 20, "an array that grows one by one moves seldom (%zu times)", moves);
	a = mem_grow(a, &cap, 10, sizeof *a);
	is_int(cap, last, "an array that is large enough stays as it is");
	a = mem_grow(a, &cap, 1000000, sizeof *a);
	ok(cap >= 1000000, "an array grows to the needed size if that is more than twice as much");
	free(a);
}

static void test_arena(void)
{
	struct arena a;
	arena_init(&a);
	is_int(a.total, 0, "an empty arena holds nothing");
	char *first = arena_bytes(&a, "one\0two", 7);
	is_mem(first, 8, "one\0two", 8, "arena_bytes copies NUL bytes and ends with one");
	char *none = arena_bytes(&a, NULL, 0);
	is_str(none, "", "arena_bytes of nothing is the empty string");
	bool is_aligned = true, is_kept = true;
	char **kept = mem_alloc(5000 * sizeof *kept);
	for (size_t i = 0; i < 5000; i++) {
		void *p = arena_alloc(&a, i % 100);
		is_aligned &= ((uintptr_t)p & 15) == 0;
		memset(p, 0xEE, i % 100);
		char text[32];
		kept[i] = arena_bytes(&a, text, (size_t)snprintf(text, sizeof text, "name %zu", i));
	}
	for (size_t i = 0; i < 5000; i++) {
		char text[32];
		snprintf(text, sizeof text, "name %zu", i);
		is_kept &= strcmp(kept[i], text) == 0;
	}
	ok(is_aligned, "arena_alloc aligns to 16");
	ok(is_kept, "an arena's allocations never move and never overlap");
	size_t before = a.total;
	char *large = arena_alloc(&a, 10000000);
	memset(large, 1, 10000000);
	ok(a.total >= before + 10000000 && a.total < before + 10100000, "a large piece costs its size");
	size_t left = a.left;
	arena_bytes(&a, "x", 1);
	is_int(a.left, left - 2, "the chunk before a large piece stays in use");
	is_str(first, "one", "old pieces are still there");
	free(kept);
	arena_deinit(&a);
	is_int(a.total, 0, "a freed arena holds nothing");
}

static void test_small_arena(void)
{
	struct arena a;
	arena_init(&a);
	arena_alloc(&a, 1);
	ok(a.total <= 4096, "a small arena takes no more than a page");
	arena_deinit(&a);
	char *large = arena_alloc(&a, 100000);
	ok(((uintptr_t)large & 15) == 0, "a large piece may be the first of an arena");
	arena_deinit(&a);
}

int main(void)
{
	test_alloc();
	test_push();
	test_arena();
	test_small_arena();
	test_exhaustion();
	return done_testing();
}
