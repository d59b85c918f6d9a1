/* Call paths, sample logs, joining and copying. */
#include "model/profile.h"

#include "stacks.h"
#include "tap.h"

static uint32_t sym(struct profile *p, const char *name)
{
	return symtab_intern(&p->symtab, name, strlen(name));
}

static uint32_t path(struct profile *p, const char *a, const char *b, const char *c)
{
	uint32_t syms[3];
	size_t n = 0;

	if (a)
		syms[n++] = sym(p, a);
	if (b)
		syms[n++] = sym(p, b);
	if (c)
		syms[n++] = sym(p, c);
	return profile_path(p, syms, n);
}

static void add(struct profile *p, unsigned side, uint32_t at, uint64_t weight)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU};

	profile_add(p, side, at, &s);
}

static void test_paths(void)
{
	struct profile p;
	uint32_t abc, ab, deep[3000];

	profile_init(&p);
	is_int(profile_path(&p, NULL, 0), PATH_ROOT, "no frames are the root");
	abc = path(&p, "a", "b", "c");
	is_int(p.n_paths, 4, "three frames are three paths");
	ab = path(&p, "a", "b", NULL);
	is_int(p.parent[abc], ab, "a prefix is the parent");
	is_int(path(&p, "a", "b", "c"), abc, "a known stack is found");
	is_int(profile_child(&p, ab, sym(&p, "c")), abc, "a child is found by name");
	is_int(profile_find_child(&p, ab, sym(&p, "x")), UINT32_MAX, "a child that is not there is not found");
	is_int(profile_depth(&p, abc), 3, "depth counts frames");
	path(&p, "a", "x", "c");
	is_int(p.n_paths, 6, "only new paths are added");
	for (uint32_t i = 0; i < 3000; i++)
		deep[i] = sym(&p, i % 2 ? "r" : "s");
	is_int(profile_depth(&p, profile_path(&p, deep, 3000)), 3000, "deep stacks work");
	is_int(p.n_paths, 3006, "each level is one path");
	profile_path(&p, deep, 1500);
	is_int(p.n_paths, 3006, "half of a known stack is known");
	profile_deinit(&p);
}

static void test_samples(void)
{
	struct profile p;
	struct sample s = {.weight = 5, .time = 1000, .cpu = 3};
	uint64_t first, last;

	profile_init(&p);
	add(&p, 0, path(&p, "a", NULL, NULL), 7);
	ok(!profile_time_range(&p, &first, &last), "a profile without times has no range");
	s.series = profile_series(&p, sym(&p, "faults"), 0);
	s.task = profile_task(&p, sym(&p, "java"), 10, 11);
	profile_add(&p, 0, path(&p, "a", "b", NULL), &s);
	s.time = 500;
	profile_add(&p, 0, path(&p, "a", "b", NULL), &s);
	add(&p, 1, path(&p, "a", NULL, NULL), 100);
	is_int(p.log[0].n, 3, "samples are logged in order");
	is_int(p.log[0].total, 17, "the total adds up");
	is_int(p.log[1].total, 100, "the baseline has its own");
	is_int(p.series[0].total[0], 7, "events have their own totals");
	is_int(p.series[1].total[0], 10, "each of them");
	ok(p.log[0].time[0] == NO_TIME && p.log[0].time[1] == 1000, "a column that comes late has defaults before");
	is_int(p.log[0].cpu[0], NO_CPU, "also for the processor");
	is_int(p.log[0].task[0], 0, "and the task");
	is_int(profile_task(&p, sym(&p, "java"), 10, 11), s.task, "the same task is the same number");
	ok(profile_task(&p, sym(&p, "java"), 10, 12) != s.task, "another thread is another one");
	is_int(profile_find_series(&p, "faults"), 1, "an event is found by name");
	is_int(profile_find_series(&p, "nothing"), UINT32_MAX, "or not");
	ok(profile_time_range(&p, &first, &last) && first == 500 && last == 1000, "times need not be in order");
	add(&p, 0, PATH_ROOT, UINT64_MAX);
	ok(p.log[0].total == UINT64_MAX && p.report.n == 1, "a sum beyond 64 bits is cut there, and said");
	profile_deinit(&p);
}

static void test_joining(void)
{
	struct profile a, b, copy;
	struct sample s = {.weight = 2, .time = 9, .cpu = NO_CPU};

	profile_init(&a);
	profile_init(&b);
	sym(&b, "other"); /* the numbers differ between the two */
	add(&a, 0, path(&a, "m", "x", NULL), 1);
	s.task = profile_task(&b, sym(&b, "sh"), 1, 2);
	profile_add(&b, 0, path(&b, "m", "y", NULL), &s);
	add(&b, 0, path(&b, "m", "x", NULL), 3);
	report_add(&b.report, NOTE_WARN, "odd", NULL, 4, NULL, 0);
	profile_append(&a, &b, "file", 100);
	is_int(a.n_paths, 4, "joined profiles share paths");
	is_int(a.log[0].n, 3, "samples follow each other");
	is_int(a.log[0].total, 6, "sums add up");
	is_int(a.log[0].path[2], a.log[0].path[0], "the same stack is the same path");
	is_int(a.log[0].time[1], 9, "times come along");
	is_int(a.tasks[a.log[0].task[1]].tid, 2, "tasks come along");
	is_int(a.report.notes[0].line, 104, "line numbers are moved");
	is_str(a.report.notes[0].file, "file", "notes get their file");
	profile_snapshot(&copy, &a);
	path(&a, "n", "z", NULL);
	add(&a, 0, PATH_ROOT, 1);
	is_int(copy.n_paths, 4, "a snapshot stays as it was");
	is_int(copy.log[0].n, 3, "its log too");
	is_int(path(&copy, "m", "x", NULL), copy.log[0].path[0], "paths can be looked up in it");
	is_int(profile_task(&copy, symtab_find(&copy.symtab, "sh", 2), 1, 2), copy.log[0].task[1], "and tasks");
	b.decimals = 3;
	profile_append(&a, &b, NULL, 0);
	is_int(a.decimals, 3, "the finer resolution wins");
	is_int(a.log[0].weight[0], 1000, "weights before are raised to it");
	is_int(a.log[0].weight[a.log[0].n - 1], 3, "the new ones have it");
	profile_deinit(&copy);
	profile_deinit(&a);
	profile_deinit(&b);
}

/* Joining goes through all entries. Where it frees few of them, the log must grow, or each new entry would cost that. */
static void test_joining_seldom(void)
{
	struct profile p;
	unsigned joins = 0;
	uint32_t paths[50];
	struct sample s = {.weight = 1, .time = NO_TIME};

	profile_init(&p);
	p.join = JOIN_ALL;
	for (size_t i = 0; i < 50; i++)
		paths[i] = path(&p, "m", (const char[]){(char)('0' + i), 0}, NULL);
	for (uint32_t i = 0; i < 400000; i++) {
		size_t was = p.log[0].n;
		uint32_t entry = i % 10 ? i : i / 10; /* every tenth is one that was there */
		s.cpu = entry / 50;
		profile_add(&p, 0, paths[entry % 50], &s);
		joins += p.log[0].n < was;
	}
	is_int(p.log[0].total, 400000, "samples of many threads on many processors are added up");
	ok(joins > 0 && joins < 8, "in few rounds: %u", joins);
	profile_deinit(&p);
}

static const char *name_of(const struct profile *p, uint32_t at)
{
	return p->symtab.symbols[p->sym[at]].name;
}

static bool same_paths(const struct profile *a, const struct profile *b)
{
	bool good = a->n_paths == b->n_paths;

	for (uint32_t i = 0; good && i < a->n_paths; i++)
		good = a->parent[i] == b->parent[i] && strcmp(name_of(a, i), name_of(b, i)) == 0;
	return good;
}

static void grow_by_chance(struct profile *p, uint64_t *dice, uint32_t n)
{
	while (p->n_paths < n) {
		uint32_t up = chance(dice, 3) ? p->n_paths - 1 - chance(dice, p->n_paths < 9 ? p->n_paths : 9) : 0;
		char name[2] = {(char)('a' + chance(dice, 26)), 0};

		profile_child(p, up, sym(p, name));
	}
}

/* Copies have no index; joining them gives the same as looking up every path. */
static void test_joining_without_index(void)
{
	uint64_t dice = 3;
	bool good = true, is_unindexed = true;

	for (unsigned round = 0; round < 60; round++) {
		struct profile a, b, first, second;
		uint32_t map[400] = {0};

		profile_init(&a);
		profile_init(&b);
		grow_by_chance(&a, &dice, 1 + chance(&dice, 399));
		grow_by_chance(&b, &dice, 1 + chance(&dice, round % 2 ? 399 : 20));
		profile_snapshot(&first, &a);
		profile_snapshot(&second, &b);
		profile_append(&first, &second, NULL, 0);
		is_unindexed = is_unindexed && (!profile_has_index(&first) || b.n_paths < a.n_paths / 8);
		for (uint32_t i = 1; i < b.n_paths; i++)
			map[i] = profile_child(&a, map[b.parent[i]], sym(&a, name_of(&b, i)));
		good = good && same_paths(&a, &first);
		profile_deinit(&first);
		profile_deinit(&second);
		profile_deinit(&a);
		profile_deinit(&b);
	}
	ok(good, "profiles without an index join as if every path had been looked up");
	ok(is_unindexed, "and need none, unless the second is much smaller");
}

static void test_fractions(void)
{
	struct profile p;

	profile_init(&p);
	add(&p, 0, path(&p, "a", NULL, NULL), 0);
	profile_add_fraction(&p, 0, p.log[0].n - 1, 1, 250000);
	add(&p, 0, path(&p, "b", NULL, NULL), 1);
	profile_settle_fractions(&p);
	is_int(p.decimals, 2, "counts in seconds keep the decimals they need");
	is_int(p.log[0].weight[0], 25, "the fraction is part of the weight");
	is_int(p.log[0].total, 125, "and of the total");
	profile_deinit(&p);
	profile_init(&p);
	add(&p, 0, path(&p, "a", NULL, NULL), 100);
	profile_add_fraction(&p, 0, p.log[0].n - 1, 1, 500000);
	profile_note_foreign_count(&p);
	profile_settle_fractions(&p);
	is_int(p.decimals, 0, "small fractions are cut");
	is_int(p.report.n, 1, "and a message says so");
	profile_deinit(&p);
}

/* Joins two counts that have different decimals; the order does not matter. */
static void join_counts(struct profile *p, uint64_t coarse, uint64_t fine, bool is_coarse_first)
{
	struct profile other;
	struct profile *a = is_coarse_first ? p : &other, *b = is_coarse_first ? &other : p;

	profile_init(p);
	profile_init(&other);
	add(a, 0, path(a, "coarse", NULL, NULL), coarse);
	add(b, 0, path(b, "fine", NULL, NULL), fine);
	b->decimals = 3;
	profile_append(p, &other, NULL, 0);
	profile_deinit(&other);
}

static void test_joining_decimals(void)
{
	struct profile p;

	for (int first = 0; first < 2; first++) {
		join_counts(&p, 10000000000000000, 1234567, first);
		is_int(p.decimals, 3, "weights of different decimals meet at the finer ones (%d)", first);
		ok(p.log[0].total == 10000000000001234567u, "and are added up (%d)", first);
		profile_deinit(&p);
		join_counts(&p, 100000000000000000, 1234567, first);
		is_int(p.decimals, 2, "or where there is room for their sum (%d)", first);
		ok(p.log[0].total == 10000000000000123456u, "which is right except for the truncation (%d)", first);
		ok(p.log[0].total == p.series[0].total[0], "that of the event as well (%d)", first);
		is_int(p.report.n, 1, "a message says so (%d)", first);
		profile_deinit(&p);
		join_counts(&p, UINT64_MAX, 1234567, first);
		is_int(p.decimals, 0, "the largest counts leave no room for decimals (%d)", first);
		ok(p.log[0].weight[!first] == UINT64_MAX && p.log[0].weight[first] == 1234, "weights stay unchanged (%d)",
		   first);
		profile_deinit(&p);
	}
}

/* Sums that have reached the limit of 64 bits stay there, in any conversion. */
static void test_largest_sums(void)
{
	struct profile p, other;

	profile_init(&p);
	add(&p, 0, path(&p, "a", NULL, NULL), UINT64_MAX);
	add(&p, 0, path(&p, "b", NULL, NULL), 3);
	ok(p.log[0].total == UINT64_MAX && p.series[0].total[0] == UINT64_MAX, "sums do not wrap");
	is_int(p.report.n, 1, "and a message says so");
	profile_init(&other);
	add(&other, 0, path(&other, "a", NULL, NULL), 1);
	profile_append(&p, &other, NULL, 0);
	ok(p.log[0].total == UINT64_MAX && p.series[0].total[0] == UINT64_MAX, "nor where profiles join");
	p.series[0].let_go = UINT64_MAX / 2;
	profile_raise_decimals(&p, 3);
	ok(p.log[0].total == UINT64_MAX && p.series[0].total[0] == UINT64_MAX && p.series[0].let_go == UINT64_MAX,
	   "nor with more decimals");
	ok(p.log[0].weight[0] == UINT64_MAX && p.log[0].weight[1] == 3000, "nor do weights");
	profile_deinit(&other);
	profile_deinit(&p);
}

/* Adds a count with its fraction to the current file. */
static void add_count(struct profile *p, unsigned side, uint64_t weight, uint32_t millionths)
{
	add(p, side, path(p, "a", NULL, NULL), weight);
	if (millionths)
		profile_add_fraction(p, side, p->log[side].n - 1, 1, millionths);
}

static void add_file(struct profile *p, unsigned side)
{
	mem_push(
		p->files, p->n_files, p->cap_files,
		((struct profile_file){.name = mem_strdup("file"), .side = side, .first = {p->log[0].n, p->log[1].n}}));
}

/* Each file is judged separately, and all get the decimals that one needs. */
static void test_fractions_of_files(void)
{
	struct profile p;

	profile_init(&p);
	add_file(&p, 0);
	add_count(&p, 0, 1000, 0);
	add_file(&p, 1);
	add_count(&p, 1, 0, 250000);
	add_file(&p, 0);
	add_count(&p, 0, 100, 500000);
	profile_settle_fractions(&p);
	is_int(p.decimals, 2, "a small file's fractions are kept next to large counts in others");
	is_int(p.log[1].total, 25, "in the log where they are");
	is_int(p.log[0].total, 110050, "and then those are kept that would have been cut alone");
	is_int(p.report.n, 0, "so there is nothing to say");
	profile_deinit(&p);

	profile_init(&p);
	add_file(&p, 0);
	add_count(&p, 0, 0, 25);
	add_count(&p, 0, 0, 750001);
	add_file(&p, 0);
	add_count(&p, 0, 20000000000000, 0);
	profile_settle_fractions(&p);
	is_int(p.decimals, 5, "no more decimals than sums have room for");
	is_int(p.log[0].weight[0], 2, "the rest is cut");
	ok(p.log[0].total == 2000000000000075002, "sums are right");
	is_int(p.report.n, 1, "and a message says so");
	profile_deinit(&p);

	profile_init(&p);
	p.decimals = 3;
	add_count(&p, 0, 5000, 250000);
	profile_settle_fractions(&p);
	is_int(p.log[0].total, 5250, "where there are decimals anyway, nothing is cut that they hold");
	profile_deinit(&p);
}

static void test_units(void)
{
	struct profile p;
	profile_init(&p);
	add_file(&p, 1);
	uint32_t alloc = sym(&p, "alloc"), bytes = sym(&p, "bytes"), before = profile_series(&p, alloc, 0);
	add_file(&p, 0);
	uint32_t after = profile_series(&p, alloc, bytes);
	is_int(after, before, "what the baseline counts without a unit is compared with any");
	ok(profile_series(&p, alloc, 0) != after, "but in one file counts and bytes of one name stay apart");
	is_int(profile_series(&p, alloc, bytes), after, "whichever is asked for again");
	is_int(profile_series(&p, alloc, 0), profile_find_series(&p, "alloc (samples)"), "the other one says its unit");
	add_file(&p, 0);
	is_int(profile_series(&p, alloc, bytes), after, "and in files that are merged");
	ok(profile_series(&p, alloc, sym(&p, "ns")) != after, "other units, too");
	ok(profile_series(&p, 0, 0) != profile_series(&p, 0, bytes), "without a name, too");
	is_int(profile_series(&p, 0, bytes), profile_find_series(&p, "unnamed (bytes)"), "which the other one says");
	profile_deinit(&p);
}

/* What is added after samples were forgotten looks as if they had never been there. */
static void test_forgetting(void)
{
	static const enum profile_join joins[] = {JOIN_NONE, JOIN_RUNS, JOIN_ALL};
	for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
		struct profile p, fresh;
		struct sample s = {.weight = 3, .time = 7, .cpu = 1, .millionths = 500000};
		profile_init(&p);
		profile_init(&fresh);
		p.join = fresh.join = joins[i];
		uint32_t ab = path(&p, "a", "b", NULL);
		uint32_t series = profile_series(&p, sym(&p, "bytes"), 0);
		s.series = series;
		profile_add(&p, 0, ab, &s);
		profile_add(&p, 0, ab, &s);
		add(&p, 1, ab, 5);
		profile_seal(&p);
		p.series[series].let_go = 9;
		profile_forget(&p);
		ok(p.log[0].n == 0 && p.log[1].n == 0 && p.log[0].total == 0 && p.log[0].samples == 0, "no sample is left");
		ok(p.series[series].total[0] == 0 && p.series[series].samples == 0 && p.series[series].let_go == 0,
		   "no sum is left");
		is_int(path(&p, "a", "b", NULL), ab, "paths keep their numbers");
		add(&p, 0, ab, 2);
		add(&p, 0, ab, 2);
		path(&fresh, "a", "b", NULL);
		add(&fresh, 0, 2, 2);
		add(&fresh, 0, 2, 2);
		profile_settle_fractions(&p);
		profile_settle_fractions(&fresh);
		is_int((long long)p.log[0].n, (long long)fresh.log[0].n, "new samples join as in a new profile");
		is_int((long long)p.log[0].total, 4, "and count the same");
		is_int((long long)p.log[0].samples, 2, "each once");
		profile_deinit(&p);
		profile_deinit(&fresh);
	}
}

static uint32_t numbered_path(struct profile *p, size_t depth, unsigned root)
{
	uint32_t *syms = mem_alloc(depth * sizeof *syms), made;
	for (size_t i = 0; i < depth; i++)
		syms[i] = symtab_intern(&p->symtab, "f", 1);
	char name[16];
	syms[0] = symtab_intern(&p->symtab, name, (size_t)snprintf(name, sizeof name, "r%u", root));
	made = profile_path(p, syms, depth);
	free(syms);
	return made;
}

static void test_limit_of_frames(void)
{
	enum { DEPTH = 10000, STACKS = FRAMES_FREE / DEPTH, BYTES = 2 * DEPTH / FRAMES_PER_BYTE };
	struct profile p, other;
	unsigned made = 0;
	profile_init(&p);
	profile_init(&other);
	profile_bound_begin(&p);
	profile_bound_grow(&p, BYTES);
	for (unsigned turn = 0; turn < 3; turn++)
		for (made = 0; made < STACKS + 2; made++)
			add(&p, 0, numbered_path(&p, DEPTH, made), 1);
	ok(!p.bound.is_reached && p.n_paths == 1 + FRAMES_FREE + BYTES * FRAMES_PER_BYTE,
	   "a million frames and those for the bytes are made; stacks that come again make none");
	add(&p, 0, numbered_path(&p, DEPTH, made), 1);
	ok(p.bound.is_reached && p.log[0].total == 3 * made, "a stack beyond them is not added");
	is_int(profile_child(&p, profile_lost(&p), 1), profile_lost(&p), "nor one that goes on from there");
	is_int(profile_add_entry(&p, 0, profile_lost(&p), &(struct sample){.weight = 2}, 2, (struct spread){0}) ==
	           SIZE_MAX,
	       1, "nor several at once");
	profile_bound_end(&p);
	profile_bound_begin(&p);
	add(&p, 0, numbered_path(&p, DEPTH, made), 1);
	ok(!p.bound.is_reached && p.log[0].total == 3 * made + 1, "the next input has frames of its own");
	for (unsigned i = 0; i < STACKS; i++)
		add(&other, 0, numbered_path(&other, DEPTH, 1000 + i), 1);
	profile_append(&p, &other, NULL, 0);
	add(&p, 0, numbered_path(&p, DEPTH, made + 1), 1);
	ok(!p.bound.is_reached && p.log[0].total == 3 * made + 2 + STACKS, "those of a joined profile do not count");
	ok(profile_take(&p, FRAMES_FREE - 3 * DEPTH), "frames that are kept elsewhere count, too");
	numbered_path(&p, DEPTH, made + 2);
	ok(!p.bound.is_reached, "up to the last");
	numbered_path(&p, DEPTH, made + 3);
	ok(p.bound.is_reached, "and no further");
	profile_deinit(&p);
	profile_deinit(&other);
}

static void test_limit_of_looking(void)
{
	struct profile p;
	profile_init(&p);
	profile_bound_begin(&p);
	ok(profile_walk(&p, FRAMES_FREE * WALKED_PER_FRAME), "frames that are known may be looked at more often");
	ok(!profile_walk(&p, WALKED_PER_FRAME), "but not without end");
	is_int(path(&p, "a", NULL, NULL), profile_lost(&p), "then no stack is looked up");
	ok(!profile_bound_is_of_tables(&p), "which tables have no part in");
	profile_bound_begin(&p);
	ok(profile_walk_table(&p, FRAMES_FREE * WALKED_PER_FRAME * WALK_BYTES / 2,
	                      FRAMES_FREE * WALKED_PER_FRAME * WALK_TEXT / 2) &&
	       !profile_bound_is_of_tables(&p),
	   "tables and text may be read again");
	ok(!profile_walk_table(&p, WALKED_PER_FRAME * WALK_BYTES, 0) && profile_bound_is_of_tables(&p),
	   "but not without end, and they are the reason");
	profile_deinit(&p);
	profile_init(&p);
	p.bound.room[ROOM_SYMBOLS] = 3;
	profile_bound_begin(&p);
	path(&p, "a", "b", NULL);
	ok(!p.bound.is_reached, "names have room");
	path(&p, "a", "b", "c");
	path(&p, "d", "e", NULL);
	ok(p.bound.is_reached, "until it is used up");
	profile_deinit(&p);
}

int main(void)
{
	test_limit_of_frames();
	test_limit_of_looking();
	test_units();
	test_paths();
	test_samples();
	test_joining();
	test_joining_seldom();
	test_joining_without_index();
	test_joining_decimals();
	test_forgetting();
	test_fractions();
	test_largest_sums();
	test_fractions_of_files();
	return done_testing();
}
