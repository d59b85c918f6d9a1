/*
 * Folded stacks: counts, names, and that neither order nor pieces nor threads change the result.
 */
#include "tests/tap.h"

#include "collapse/formats.h"
#include "collapsing.h"

static void load_text(struct profile *p, const char *text)
{
	static const struct collapse_options none;

	collapse_pieces(p, &format_folded, &none, text, strlen(text), SIZE_MAX);
}

static void gives(const char *text, const char *expected, const char *name)
{
	struct profile p;
	char *got;

	load_text(&p, text);
	got = folded_of(&p);
	is_str(got, expected, "%s", name);
	free(got);
	profile_deinit(&p);
}

/* --- counts --- */

static void test_counts(void)
{
	static const struct {
		const char *count;
		uint64_t weight;
	} good[] = {
		{"0", 0},
		{"1", 1},
		{"007", 7},
		{"999999999999999999", UINT64_C(999999999999999999)},
		{"1000000000000000000", UINT64_C(1000000000000000000)},
		{"18446744073709551615", UINT64_MAX},
		{"00000000000000000000000000012", 12},
		{"6.", 6},
		{"2.00", 2},
		{"12.9", 12},
		{"12.0000001", 12},
	};
	static const char *const bad[] = {"18446744073709551616",
	                                  "99999999999999999999999",
	                                  "-1",
	                                  "+1",
	                                  "1e400",
	                                  "1e3",
	                                  "NaN",
	                                  "nan",
	                                  "inf",
	                                  ".5",
	                                  ".",
	                                  "1.5.2",
	                                  "12V.43",
	                                  "0x10",
	                                  "1,000",
	                                  "12;",
	                                  "12a",
	                                  "\xff"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct buf text;
		struct profile p;
		buf_init(&text);
		buf_addf(&text, "a;b %s\n", good[i].count);
		load_text(&p, buf_str(&text));
		if (is_int(p.log[0].n, 1, "%s is a count", good[i].count))
			ok(p.log[0].weight[0] == good[i].weight, "the count %s is read right", good[i].count);
		is_int(p.report.n, 0, "there is no message about the count %s", good[i].count);
		profile_deinit(&p);
		buf_deinit(&text);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buf text;
		struct profile p;
		buf_init(&text);
		buf_addf(&text, "x 1\n\na;b %s\n", bad[i]);
		load_text(&p, buf_str(&text));
		is_int(p.log[0].n, 1, "%s is no count", bad[i]);
		is_int(first_line_of(&p, "not a folded stack"), 3, "a line with the count %s is reported", bad[i]);
		profile_deinit(&p);
		buf_deinit(&text);
	}
}

static void test_announced(void)
{
	static const char first[] = "# folded stacks, \\xHH in a name is a byte";
	struct profile p;
	struct buf text;

	buf_init(&text);
	buf_addf(&text, "%s\r\na;w\\x201 2\na;w\\x202 3 4\nA\\x3b;\\x 5\na\\x;\\xg;\\x0 6\n\\x61;w\\x201 7\n", first);
	load_as(&p, NULL, buf_str(&text));
	char *got = samples_of(&p);
	is_str(got,
	       "a;w 1 2\na;w 2 4\nA;; 5\na\\x;\\xg;\\x0 6\na;w 1 7\nbase a;w 2 3\n"
	       "lines of one count among lines of two (there was nothing before): line 0, 4 times: \n",
	       "escapes in names are decoded, if announced");
	is_int(p.n_paths, 9, "and equal names are one path");
	free(got);
	profile_deinit(&p);

	text.len = 0;
	buf_addf(&text, "b;\\x41 1\n%s\nb;\\x41 2\n", first);
	load_as(&p, NULL, buf_str(&text));
	got = folded_of(&p);
	is_str(got, "b;\\x41 3\n", "below the first line it is a comment");
	is_int(first_line_of(&p, "escapes are announced below"), 2, "with a message");
	free(got);
	profile_deinit(&p);

	text.len = 0;
	buf_adds(&text,
	         "# event=cpu unit=ns 0\na;b 1\n# event=cpu unit=ns 0\na;b 2\n# event=heap unit=bytes 0\na;c 5\n");
	load_as(&p, NULL, buf_str(&text));
	is_int(first_line_of(&p, "counts of another event"), 5, "joined files of different events are told");
	profile_deinit(&p);

	load_as(&p, NULL, "# folded stacks\n{\"nodes\":[ 1\n\\x41 2\n");
	is_str(p.format, "folded", "folded stacks may say that they are");
	got = folded_of(&p);
	is_str(got, "\\x41 2\n{\"nodes\":[ 1\n", "which announces no escapes");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
}

static void test_empty_baseline(void)
{
	struct profile p;

	load_as(&p, "folded", "a 0 2\nb 0 3\n");
	is_int(p.log[1].n, 1, "a baseline of nothing is one");
	is_int(p.log[1].total, 0, "and weighs nothing");
	profile_deinit(&p);
}

static void test_fractions(void)
{
	struct profile p;

	load_as(&p, "folded", "a 100.5\nb 200.25\nc 300\n");
	is_int(p.decimals, 2, "fractions that are written as we write them are kept");
	is_int(p.log[0].total, 60075, "to the last digit");
	is_int(p.report.n, 0, "and nothing has to be said");
	profile_deinit(&p);
	load_as(&p, "folded", "a 100.5\nb 200.25\nc 300.0\n");
	is_int(p.decimals, 0, "small fractions of other tools are cut off");
	is_int(p.log[0].total, 600, "the results are whole numbers");
	is_int(p.report.n, 1, "one message says that fractions are cut off");
	profile_deinit(&p);

	load_as(&p, "folded", "a 0.25\nb 0.5\n");
	is_int(p.decimals, 2, "fractions that are most of the sum are kept");
	is_int(p.log[0].total, 75, "all weights have the same decimals then");
	profile_deinit(&p);

	load_as(&p, "folded",
	        "a;b 0.0000004\na;c 0.333333333\na;d 0.0010000\na.so1234567;e 0\na;f 0.00000050 0.0000015 \r\n");
	is_int(first_line_of(&p, "count too small for six decimals"), 1,
	       "the truncation of a very small count is reported");
	is_int(first_line_of(&p, "lines of one count among lines of two (there was nothing before)"), 0,
	       "and that lines of one count stand among lines of two");
	is_int(p.report.n, 2, "but not that a count is not exact to the last digit");
	is_int(p.report.notes[0].count, 3, "in each column");
	profile_deinit(&p);
}

static void test_sums(void)
{
	struct profile p;

	load_text(&p, "a 18446744073709551615\nb 1\n");
	ok(p.log[0].total == UINT64_MAX, "a sum beyond 64 bits stays at the largest number");
	ok(p.report.n > 0, "and a message says so");
	profile_deinit(&p);
	gives("a;b 1\na;b 2\na 3\na;b 4\n", "a 3\na;b 7\n", "counts of the same stack are added");
}

/* --- two columns --- */

static void test_two_columns(void)
{
	struct collapse_options base = {.side = 1};
	struct profile p;
	char *got;

	load_text(&p, "a;b 3 5\na;c 0 2\na;d 4 0\n");
	got = samples_of(&p);
	is_str(got, "a;b 5\na;c 2\na;d 0\nbase a;b 3\nbase a;d 4\n", "two counts are before and after");
	free(got);
	profile_deinit(&p);

	load_text(&p, "a;b 1.5 2.5\na 12 x 3\na;7 4\n8 9\n 7 8 9\n");
	got = samples_of(&p);
	ok(strstr(got, "a;b 2\n") && strstr(got, "base a;b 1\n"), "both may have fractions");
	ok(strstr(got, "a 12 x 3\n"), "a number inside of a name is part of it");
	ok(strstr(got, "a;7 4\n"), "a name may be a number");
	ok(strstr(got, "\n8 9\n"), "a stack may be one number");
	ok(strstr(got, "\n7 9\n") && strstr(got, "base 7 8\n"), "three numbers are a stack and two counts");
	free(got);
	profile_deinit(&p);

	collapse_pieces(&p, &format_folded, &base, "a;b 3 5\n", 8, SIZE_MAX);
	got = samples_of(&p);
	is_str(got, "base a;b 5\n", "of a baseline with two columns the later one counts");
	free(got);
	profile_deinit(&p);
}

/* --- lines --- */

static void test_lines(void)
{
	struct profile p;

	gives("", "", "nothing gives nothing");
	gives("\n \n\t\n\r\n", "", "blank lines give nothing");
	gives("a;b 1\r\na;c 2\r\n", "a;b 1\na;c 2\n", "lines may end in CR LF");
	gives("a;b 1\na;c 2", "a;b 1\na;c 2\n", "the last line may lack its newline");
	gives("  a;b   1  \t\n", "a;b 1\n", "blanks around a stack and its count are nothing");
	gives("# main 1\n# \na 2\n", "a 2\n", "lines that begin with a sharp and a blank are comments");
	gives("#include;b 1\n", "#include;b 1\n", "a name may begin with a sharp");
	gives("a b;c d e 1\n", "a b;c d e 1\n", "names may hold blanks");
	gives("a; b;c ;d 1\n", "a; b;c ;d 1\n", "blanks next to a semicolon belong to the name");
	gives("a;;b 1\n;a 2\na; 3\n;; 4\n", ";; 4\n;a 2\na; 3\na;;b 1\n", "names may be empty");
	gives("a\tb 1\n", "a\tb 1\n", "a tab is part of a name");
	gives("f(int, char) const;operator new [] 5\n", "f(int, char) const;operator new [] 5\n",
	      "C++ names are left as they are");
	gives("a\xff\xfe;b\xc3 1\na\xff\xfe;b\xc3 2\n", "a\xff\xfe;b\xc3 3\n", "invalid UTF-8 stays as it is");
	gives("a\x01;\x1b[31m 1\n", "a\x01;\x1b[31m 1\n", "control characters stay as they are");
	gives("\xe4\xb8\xad;\xf0\x9f\x94\xa5 1\n", "\xe4\xb8\xad;\xf0\x9f\x94\xa5 1\n", "names may be in any script");

	load_text(&p, "a;b\nno count here\na 1\n 5\n#\nb 1\n");
	is_int(notes_of(&p, "not a folded stack"), 4, "lines without a count are counted");
	is_int(first_line_of(&p, "not a folded stack"), 1, "the first of them is reported");
	is_int(p.log[0].total, 2, "the others are read");
	profile_deinit(&p);

	load_as(&p, "folded", "a\0b;c 1\n");
	profile_deinit(&p);
}

/* --- order --- */

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each line once, in byte order, with the sum of its counts: n stacks of count i + 1. */
static char *naive_text(char **stacks, size_t n)
{
	struct buf out;
	struct {
		char *stack;
		uint64_t count;
	} *s = mem_alloc(n * sizeof *s);

	for (size_t i = 0; i < n; i++) {
		s[i].stack = stacks[i];
		s[i].count = i + 1;
	}
	qsort(s, n, sizeof *s, by_bytes);
	buf_init(&out);
	for (size_t i = 0; i < n; i++) {
		uint64_t sum = s[i].count;
		while (i + 1 < n && strcmp(s[i].stack, s[i + 1].stack) == 0)
			sum += s[++i].count;
		buf_addf(&out, "%s %llu\n", s[i].stack, (unsigned long long)sum);
	}
	free(s);
	return buf_take(&out);
}

/* A stack of names made of letters around ';' in byte order, so that prefixes abound. */
static char *random_stack(uint64_t *seed, uint32_t most_frames)
{
	static const char letters[] = "ab-<:;~ ";
	struct buf b;
	uint32_t frames = 1 + chance(seed, most_frames);

	buf_init(&b);
	for (uint32_t f = 0; f < frames; f++) {
		if (f)
			buf_addc(&b, ';');
		buf_addc(&b, "ab"[chance(seed, 2)]);
		for (uint32_t n = chance(seed, 4); n; n--) {
			char c = letters[chance(seed, 7)];
			buf_addc(&b, c == ';' ? '!' : c);
		}
	}
	return buf_take(&b);
}

static char *join_lines(char *const *stacks, const size_t *order, size_t n)
{
	struct buf out;

	buf_init(&out);
	for (size_t i = 0; i < n; i++)
		buf_addf(&out, "%s %zu\n", stacks[order[i]], order[i] + 1);
	return buf_take(&out);
}

static char *const *sort_stacks;

static int by_stack(const void *a, const void *b)
{
	return strcmp(sort_stacks[*(const size_t *)a], sort_stacks[*(const size_t *)b]);
}

/* Does the text read as expected, whole and in pieces, with a sound tree? */
static bool reads_as(const char *text, const char *expected, size_t step)
{
	static const struct collapse_options none;
	struct profile p;
	char *got;
	bool good;

	collapse_pieces(&p, &format_folded, &none, text, strlen(text), step);
	got = folded_of(&p);
	good = got && strcmp(got, expected) == 0 && p.report.n == 0;
	for (uint32_t i = 1; i < p.n_paths; i++) {
		good = good && p.parent[i] < i;
		for (uint32_t k = i + 1; k < p.n_paths && p.n_paths < 300; k++)
			good = good && !(p.parent[i] == p.parent[k] && p.sym[i] == p.sym[k]);
	}
	if (!good)
		diag("input:\n%sgot:\n%sexpected:\n%s", text, got, expected);
	free(got);
	profile_deinit(&p);
	return good;
}

static bool test_orders_of(char **stacks, size_t n, uint64_t seed)
{
	size_t *order = mem_alloc(n * sizeof *order);
	char *expected = naive_text(stacks, n), *text;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (int kind = 0; kind < 5 && good; kind++) {
		if (kind == 1 || kind == 3) {
			sort_stacks = stacks;
			qsort(order, n, sizeof *order, by_stack);
		}
		if (kind == 2) /* reversed */
			for (size_t i = 0; i < n / 2; i++) {
				size_t swap = order[i];
				order[i] = order[n - 1 - i];
				order[n - 1 - i] = swap;
			}
		if (kind == 3 && n > 3) { /* sorted except for one line */
			size_t swap = order[n / 2];
			order[n / 2] = order[n - 1];
			order[n - 1] = swap;
		}
		if (kind == 4) /* two sorted halves */
			for (int half = 0; half < 2; half++) {
				sort_stacks = stacks;
				qsort(order + (half ? n / 2 : 0), half ? n - n / 2 : n / 2, sizeof *order, by_stack);
			}
		text = join_lines(stacks, order, n);
		good = reads_as(text, expected, SIZE_MAX) && reads_as(text, expected, 1) &&
		       reads_as(text, expected, 1 + chance(&seed, 40));
		free(text);
	}
	free(expected);
	free(order);
	return good;
}

static void test_random(void)
{
	uint64_t seed = 11;
	bool good = true;

	for (int round = 0; round < 150 && good; round++) {
		size_t n = 1 + chance(&seed, round < 100 ? 12 : 120);
		char **stacks = mem_alloc(n * sizeof *stacks);
		uint32_t most = 1 + chance(&seed, 6);
		for (size_t i = 0; i < n; i++)
			stacks[i] = random_stack(&seed, most);
		for (size_t i = 0; i < n; i++) { /* a blank at the end would belong to the count */
			size_t len = strlen(stacks[i]);
			while (len && stacks[i][len - 1] == ' ')
				stacks[i][--len] = '\0';
		}
		good = test_orders_of(stacks, n, seed);
		for (size_t i = 0; i < n; i++)
			free(stacks[i]);
		free(stacks);
	}
	ok(good, "stacks in any order read as a naive parser reads them");
}

static void test_prefixes(void)
{
	gives("a;b 1\na;b-c 1\na;b;d 1\n", "a;b 1\na;b-c 1\na;b;d 1\n", "a sibling comes back after a longer one");
	gives("a 1\na b 1\na b;x 1\na-b;x 1\na;b 1\na;c 1\n", "a 1\na b 1\na b;x 1\na-b;x 1\na;b 1\na;c 1\n",
	      "several siblings come back");
	gives("a 1\na! 1\na!! 1\na!!;x 1\na!;x 1\na;x 1\n", "a 1\na! 1\na!! 1\na!!;x 1\na!;x 1\na;x 1\n",
	      "siblings come back in turn");
	gives("a;b 1\na;b 1\na;b;c 1\na;b;c 1\n", "a;b 2\na;b;c 2\n", "the same line again is the same stack");
	gives("; 1\n;; 1\n;;a 1\n;a 1\n", "; 1\n;; 1\n;;a 1\n;a 1\n", "empty names are prefixes of all others");
}

/* Is each path's parent on the way to the previous path? */
static bool is_preorder(const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_paths; i++) {
		uint32_t up = i - 1;
		while (up != p->parent[i] && up != PATH_ROOT)
			up = p->parent[up];
		if (up != p->parent[i])
			return false;
	}
	return true;
}

static void test_preorder(void)
{
	struct profile p;

	load_text(&p, "a 1\na;b 1\na;b;c 1\nd 1\n");
	ok(is_preorder(&p), "paths of sorted input stand in depth-first order");
	ok(!profile_has_index(&p), "sorted input needs no index");
	profile_deinit(&p);
	load_text(&p, "b 1\na 1\nb 1\n");
	is_int(p.n_paths, 3, "paths that come back are found");
	ok(profile_has_index(&p), "for that there is an index");
	profile_deinit(&p);
	load_text(&p, "a 1\na;b 1\na-b 1\na;c 1\n");
	ok(!is_preorder(&p), "paths out of order are known to be so");
	is_int(p.n_paths, 5, "and none is there twice");
	profile_deinit(&p);
}

/* --- extremes --- */

static void test_deep(void)
{
	struct buf text;
	struct profile p;
	char *got;

	buf_init(&text);
	for (int line = 0; line < 3; line++) {
		for (unsigned i = 0; i < 1000000; i++)
			buf_addf(&text, "%sf%u", i ? ";" : "", i % 10);
		buf_addf(&text, "%s 1\n", line == 0 ? "" : line == 1 ? ";x" : ";a");
	}
	load_text(&p, buf_str(&text));
	is_int(p.log[0].n, 3, "stacks of a million frames are read");
	is_int(profile_depth(&p, p.log[0].path[0]), 1000000, "all of their frames are there");
	is_int(p.n_paths, 1000003, "their common part is stored once");
	got = folded_of(&p);
	ok(got && strlen(got) == text.len, "they can be written again");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
}

static void test_long_line(void)
{
	struct collapse_options o = {.format = "folded", .jobs = 1};
	struct buf text;
	struct profile p;
	struct err err;

	buf_init(&text);
	buf_adds(&text, "a;");
	buf_pad(&text, 'x', 5u << 20);
	buf_adds(&text, " 1\nb 2\n");
	ok(load_bytes(&p, &o, text.data, text.len, &err), "a line longer than a block is read");
	is_int(p.log[0].n, 2, "and so is the line behind it");
	is_int(p.symtab.symbols[p.sym[p.log[0].path[0]]].len, 5u << 20, "its name is whole");
	profile_deinit(&p);
	buf_deinit(&text);
}

static void add_lines(struct buf *b, size_t most, bool is_sorted)
{
	uint64_t seed = 3;

	for (uint32_t i = 0; b->len < most; i++) {
		if (is_sorted)
			buf_addf(b, "main;group %08u;item %u;leaf %u %u\n", i / 5, i % 5, i % 3, i % 7);
		else
			buf_addf(b, "main;group %u;item %u;leaf with a longer name %u %u\n", chance(&seed, 200),
			         chance(&seed, 200), chance(&seed, 9), i % 7);
	}
}

/* Two threads need 48 MiB to be worth it. */
static void test_threads(bool is_sorted)
{
	const char *what = is_sorted ? "sorted" : "unsorted";
	struct collapse_options one = {.format = "folded", .jobs = 1}, two = {.format = "folded", .jobs = 2};
	struct profile a, b;
	struct err err;
	struct buf text;
	char *x, *y;

	buf_init(&text);
	buf_adds(&text, "\xef\xbb\xbf# a comment\nmain;first 1 1\n");
	add_lines(&text, 49u << 20, is_sorted);
	ok(load_bytes(&a, &one, text.data, text.len, &err), "a large %s file is read by one thread", what);
	ok(load_bytes(&b, &two, text.data, text.len, &err), "a large %s file is read by two threads", what);
	is_int(b.log[0].n, a.log[0].n, "two threads find as many samples (%s)", what);
	is_int(b.n_paths, a.n_paths, "two threads find as many paths (%s)", what);
	is_int(b.report.n, 0, "two threads skip nothing (%s)", what);
	ok(memcmp(a.log[0].weight, b.log[0].weight, a.log[0].n * sizeof *a.log[0].weight) == 0,
	   "two threads keep the order (%s)", what);
	x = folded_of(&a);
	y = folded_of(&b);
	ok(strcmp(x, y) == 0, "two threads find the same stacks (%s)", what);
	free(x);
	free(y);
	profile_deinit(&a);
	profile_deinit(&b);
	buf_deinit(&text);
}

/* --- detection --- */

static enum sniff sniff(const char *text)
{
	struct head head = {.text = text, .len = strlen(text), .is_all = true};
	const char *why;

	return format_folded.sniff(&head, &why);
}

static void test_detection(void)
{
	is_int(sniff("a;b 1\n"), SNIFF_YES, "a stack and a count are folded");
	is_int(sniff("a 1"), SNIFF_YES, "one frame may be all");
	is_int(sniff("# a comment\n\na;b 1\n"), SNIFF_YES, "comments do not count");
	is_int(sniff("a;b 1.5\n"), SNIFF_YES, "a count may have a fraction");
	is_int(sniff("a;b 1\na;c 2\na;d 3\nodd\n"), SNIFF_YES, "an odd line does no harm");
	is_int(sniff("a;b 1\nodd\n"), SNIFF_YES, "half of the lines are enough");
	is_int(sniff("a;b 1\nodd\nodd\nodd\n"), SNIFF_MAYBE, "mostly odd lines are another format");
	is_int(sniff("This is prose\nin two lines.\n"), SNIFF_NO, "prose is not folded");
	is_int(sniff(""), SNIFF_NO, "nothing is not folded");
	is_int(sniff("# only\n# comments\n"), SNIFF_NO, "comments alone are not folded");
}

int main(void)
{
	test_counts();
	test_fractions();
	test_announced();
	test_empty_baseline();
	test_sums();
	test_two_columns();
	test_lines();
	test_prefixes();
	test_preorder();
	test_random();
	test_deep();
	test_long_line();
	test_threads(true);
	test_threads(false);
	test_detection();
	return done_testing();
}
