/* Interning, ranking and showing of names. */
#include "model/symtab.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/hash.h"
#include "stacks.h"
#include "tap.h"

static void test_interning(void)
{
	struct symtab t;
	uint32_t main_sym, read_sym;
	bool same = true;
	char name[32];

	symtab_init(&t);
	is_int(symtab_intern(&t, "", 0), 0, "the empty name is symbol 0");
	main_sym = symtab_intern(&t, "main", 4);
	read_sym = symtab_intern(&t, "read\0x", 6);
	is_int(symtab_intern(&t, "main", 4), main_sym, "the same name is the same symbol");
	ok(read_sym != symtab_intern(&t, "read\0y", 6), "names may hold NUL bytes");
	is_int(symtab_find(&t, "main", 4), main_sym, "a name is found");
	is_int(symtab_find(&t, "main2", 5), UINT32_MAX, "a name that is not there is not found");
	is_str(t.symbols[main_sym].name, "main", "the bytes are kept");
	for (int i = 0; i < 20000; i++) {
		int n = snprintf(name, sizeof name, "f%d", i);
		uint32_t sym = symtab_intern(&t, name, (size_t)n);

		same = same && symtab_intern(&t, name, (size_t)n) == sym && t.symbols[sym].len == (uint32_t)n;
	}
	ok(same, "twenty thousand names keep their numbers while the table grows");
	is_int(t.n, 20000 + 4, "every name is there once");
	symtab_deinit(&t);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All names, and all names + ';', sorted by strcmp(), must be in the order of their ranks. */
static void test_rank(void)
{
	static const char *const names[] = {"a",
	                                    "a-b",
	                                    "a b",
	                                    "ab",
	                                    "a;c",
	                                    "",
	                                    "zz",
	                                    "a-b-c",
	                                    "a.",
	                                    "aaaaaaaa",
	                                    "aaaaaaaab",
	                                    "aaaaaaaa-",
	                                    "std::vector<int>::push_back",
	                                    "std::vector<int>::push",
	                                    "std::vector<int>",
	                                    "b",
	                                    "\xff",
	                                    "aaaaaaa"};
	enum { N = sizeof names / sizeof *names };
	struct symtab t;
	uint32_t *rank, *ends;
	const char *all[2 * N], *by_rank[2 * N] = {0};
	bool agree = true;

	symtab_init(&t);
	for (int i = 0; i < N; i++)
		symtab_intern(&t, names[i], strlen(names[i]));
	is_int(t.n, N, "the table holds the names");
	rank = malloc(t.n * sizeof *rank);
	ends = malloc(t.n * sizeof *ends);
	symtab_rank(&t, rank, ends);
	for (int i = 0; i < N; i++) {
		char *closed = malloc(strlen(t.symbols[i].name) + 2);

		strcat(strcpy(closed, t.symbols[i].name), ";");
		all[2 * i] = t.symbols[i].name;
		all[2 * i + 1] = closed;
		by_rank[rank[i]] = all[2 * i];
		by_rank[ends[i]] = all[2 * i + 1];
	}
	qsort(all, 2 * N, sizeof *all, compare_names);
	for (int i = 0; i < 2 * N; i++)
		agree = agree && by_rank[i] && strcmp(all[i], by_rank[i]) == 0;
	ok(agree, "ranks of names and of names with ';' are one bytewise order");
	for (int i = 0; i < 2 * N; i++)
		if (all[i][0] && all[i][strlen(all[i]) - 1] == ';' && strcmp(all[i], "a;c") != 0)
			free((void *)(uintptr_t)all[i]);
		else if (strcmp(all[i], ";") == 0)
			free((void *)(uintptr_t)all[i]);
	free(rank);
	free(ends);
	symtab_deinit(&t);
}

/*
 * Names made of words of two letters, many of them prefixes of others, and many with equal first eight bytes or
 * more.
 */
static void test_rank_many(void)
{
	enum { N = 3000 };
	struct symtab t;
	uint32_t *rank, *ends;
	const char **by_rank = calloc(2 * N + 2, sizeof *by_rank);
	uint64_t dice = 7;
	bool agree = true;

	symtab_init(&t);
	while (t.n < N) {
		char name[40] = "";

		for (size_t words = 1 + chance(&dice, 5); words; words--)
			strcat(name, chance(&dice, 2) ? "std::" : chance(&dice, 2) ? "vector<" : chance(&dice, 2) ? "a" : "-");
		symtab_intern(&t, name, strlen(name));
		snprintf(name, sizeof name, "std::vector<%d", (int)chance(&dice, 5000));
		symtab_intern(&t, name, strlen(name));
	}
	rank = malloc(t.n * sizeof *rank);
	ends = malloc(t.n * sizeof *ends);
	symtab_rank(&t, rank, ends);
	for (size_t i = 0; i < t.n; i++) {
		by_rank[rank[i]] = t.symbols[i].name;
		for (size_t k = 0; k < 3; k++) {
			size_t other = chance(&dice, (uint32_t)t.n);

			if (rank[i] < rank[other])
				agree = agree && symbol_ends_before(&t.symbols[i], &t.symbols[other]) == (ends[i] < rank[other]);
		}
	}
	ok(agree, "comparing two names agrees with their ranks");
	agree = true;
	for (size_t i = 0, last = 0; i < 2 * t.n; i++) {
		if (!by_rank[i])
			continue;
		agree = agree && (!by_rank[last] || i == last || strcmp(by_rank[last], by_rank[i]) < 0);
		last = i;
	}
	ok(agree, "three thousand names are ranked by their bytes");
	free(by_rank);
	free(rank);
	free(ends);
	symtab_deinit(&t);
}

static void test_display(void)
{
	struct symtab t;
	struct display d;
	uint32_t kernel, mangled, hostile, odd;

	symtab_init(&t);
	kernel = symtab_intern(&t, "do_idle_[k]", 11);
	mangled = symtab_intern(&t, "_ZN3foo3barEi_[j]", 17);
	hostile = symtab_intern(&t, "a\x1b[31m\xff", 7);
	odd = symtab_intern(&t, "x_[z]", 5);
	display_init(&d, &t, UTF8_CLEAN_UTF8, true);
	is_str(display_name(&d, kernel)->text, "do_idle", "an annotation is not shown");
	is_str(display_name(&d, mangled)->text, "foo::bar(int)", "a mangled name is shown demangled");
	is_str(display_name(&d, hostile)->text, "a\xef\xbf\xbd[31m\xef\xbf\xbd", "controls and bad bytes are replaced");
	is_int(display_name(&d, hostile)->columns, 7, "width is counted in columns");
	is_str(display_name(&d, odd)->text, "x_[z]", "other endings are part of the name");
	ok(display_name(&d, kernel) == display_name(&d, kernel), "a name is made once");
	is_int(symtab_kind(&t, kernel), KIND_KERNEL, "_[k] is kernel code");
	is_int(symtab_kind(&t, mangled), KIND_JIT, "_[j] is JIT code");
	is_int(symtab_kind(&t, odd), KIND_UNKNOWN, "no annotation, no kind");
	display_deinit(&d);
	display_init(&d, &t, UTF8_CLEAN_ASCII, false);
	is_str(display_name(&d, mangled)->text, "_ZN3foo3barEi", "--no-demangle leaves names as they are");
	is_str(display_name(&d, hostile)->text, "a?[31m?", "ASCII replaces by question marks");
	display_deinit(&d);
	symtab_deinit(&t);
}

/*
 * Names are added to a copy while others read the original, and appear at once when the original takes the copy
 * over.
 */
static void test_copy(void)
{
	struct symtab t, copy, dropped;
	char name[32];
	bool same = true;

	symtab_init(&t);
	uint32_t first = symtab_intern(&t, "first", 5);
	symtab_copy(&dropped, &t);
	symtab_intern(&dropped, "dropped", 7);
	symtab_deinit(&dropped);
	symtab_copy(&copy, &t);
	const char *text = copy.symbols[first].name;
	for (int i = 0; i < 5000; i++)
		symtab_intern(&copy, name, (size_t)snprintf(name, sizeof name, "made%d", i));
	is_int(t.n, 2, "a copy's names are its own");
	symtab_take(&t, &copy);
	is_int(t.n, 5002, "until the original takes them over");
	ok(t.symbols[first].name == text, "names do not move");
	for (int i = 0; i < 5000; i++) {
		int n = snprintf(name, sizeof name, "made%d", i);
		same = same && symtab_intern(&t, name, (size_t)n) == (uint32_t)i + 2;
	}
	ok(same, "numbers stay");
	is_int(symtab_intern(&t, "later", 5), 5002, "and it grows on");
	symtab_deinit(&t);
}

static long page_faults(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_minflt;
}

static void test_longest(void)
{
	struct symtab t;
	struct display d;
	symtab_init(&t);
	uint32_t ascii = symtab_intern(&t, "0123456789abc", 13), wide = symtab_intern(&t, "0123456789\u2026c", 14),
			 fits = symtab_intern(&t, "0123456789ab", 12), mangled = symtab_intern(&t, "_ZN3foo3bar3bazEv", 17);
	display_init(&d, &t, UTF8_CLEAN_UTF8, true);
	d.longest = 12;
	is_str(display_name(&d, ascii)->text, "0123456789ab\u2026 and 1 more bytes",
	       "of a name that is too long, the beginning is shown");
	is_str(display_name(&d, wide)->text, "0123456789\u2026 and 4 more bytes", "up to a whole character");
	is_str(display_name(&d, fits)->text, "0123456789ab", "one that fits is whole");
	is_str(display_name(&d, mangled)->text, "_ZN3foo3bar3\u2026 and 5 more bytes",
	       "and a cut one is not demangled");
	display_deinit(&d);
	display_init(&d, &t, UTF8_CLEAN_ASCII, true);
	d.longest = 12;
	is_str(display_name(&d, ascii)->text, "0123456789ab... and 1 more bytes", "in ASCII, too");
	display_deinit(&d);
	symtab_deinit(&t);
}

/* Showing one name out of a million must not touch memory for each of them. */
static void test_first_of_many(void)
{
	struct symtab t;
	struct display d;
	char name[32];

	symtab_init(&t);
	for (int i = 0; i < 1000000; i++)
		symtab_intern(&t, name, (size_t)snprintf(name, sizeof name, "f%d", i));
	display_init(&d, &t, UTF8_CLEAN_UTF8, true);
	long before = page_faults();
	is_str(display_name(&d, 777778)->text, "f777777", "one of a million names is shown");
	long faults = page_faults() - before;
	if (tap_sanitized())
		skip("the pages are a sanitizer's, too");
	else
		ok(faults < 700, "and the others cost nothing (%ld pages)", faults);
	display_deinit(&d);
	symtab_deinit(&t);
}

int main(void)
{
	test_longest();
	test_first_of_many();
	test_copy();
	test_interning();
	test_rank();
	test_rank_many();
	test_display();
	is_int(symbol_bare_length("f_[w]", 5), 1, "_[w] is an annotation");
	is_int(symbol_bare_length("_[k]", 4), 0, "a name may be all annotation");
	is_int(symbol_bare_length("f_[]", 4), 4, "brackets alone are none");
	return done_testing();
}
