/*
 * Modules and files of functions: variants of names, labels, and the weight of each module by every way to ask for it, on
 * random stacks in which several modules have functions of the same names. What is expected is added up here, stack by
 * stack.
 */
#include "tests/tap.h"

#include "base/mem.h"
#include "loading.h"
#include "model/group.h"
#include "model/origin.h"
#include "model/search.h"
#include "model/view.h"

/* ---- variants of a name -------------------------------------------------------------------------------------- */

static uint32_t intern(struct symtab *t, const char *name)
{
	return symtab_intern(t, name, strlen(name));
}

static uint32_t frame(struct symtab *t, const char *name, const char *module, const char *source)
{
	struct origin o = {KIND_USER, *module ? intern(t, module) : 0, *source ? intern(t, source) : 0, 0};
	return symtab_frame(t, intern(t, name), o);
}

static void test_variants(void)
{
	struct symtab t, copy;

	symtab_init(&t);
	uint32_t plain = intern(&t, "main"), a = frame(&t, "main", "/bin/a", ""), b = frame(&t, "main", "/bin/b", "");
	ok(a != plain && b != plain && a != b, "functions of two modules are two symbols");
	is_int(symtab_plain(&t, a), plain, "which know the symbol of their name");
	is_int(symtab_plain(&t, plain), plain, "that is its own");
	is_str(t.symbols[a].name, "main", "and have its text");
	is_int(intern(&t, "main"), plain, "a name is still one symbol");
	is_int(symtab_find(&t, "main", 4), plain, "and found as that");
	is_int(frame(&t, "main", "/opt/a", ""), a, "a module is the last part of its path");
	is_int(frame(&t, "main", "", ""), plain, "a function of unknown origin is the plain symbol");
	is_str(t.symbols[t.symbols[plain].module].name, "/bin/a", "that knows the first module by name");
	ok(frame(&t, "main", "/bin/a", "a.c:1") != a, "two files are two symbols");
	is_int(frame(&t, "main", "/bin/a", "a.c:1"), frame(&t, "main", "/bin/a", "a.c:7"),
	       "two lines of one file are not");
	is_int(symtab_frame(&t, a, (struct origin){.source = intern(&t, "a.c:9")}),
	       frame(&t, "main", "/bin/a", "a.c:1"), "a source completes what is known");
	uint32_t lines = frame(&t, "lines", "", "a.c:10");
	frame(&t, "lines", "", "a.c");
	frame(&t, "lines", "", "a.c:9:3");
	frame(&t, "lines", "", "a.c:100");
	is_str(t.symbols[t.symbols[lines].source].name, "a.c:9:3", "of several lines the first one is kept, by number");
	frame(&t, "lines", "", "A.c:200");
	is_str(t.symbols[t.symbols[symtab_find(&t, "lines", 5)].source].name, "A.c:200", "of several files the first");
	uint32_t far = symtab_frame(&t, intern(&t, "far"), (struct origin){.source = intern(&t, "a.c"), .line = 70});
	is_int(frame(&t, "far", "", "a.c:80"), far, "a line beside the file is the same as one in its name");
	is_int(t.symbols[far].line, 70, "the first of both is kept");
	frame(&t, "far", "", "a.c:9");
	is_str(place_of_symbol(&t, far), "a.c:9", "also if the other one is");
	symtab_frame(&t, far, (struct origin){.source = intern(&t, "a.c"), .line = 3});
	is_str(place_of_symbol(&t, far), "a.c:3", "and is written as one text");
	struct symtab clone;
	struct display display;
	symtab_clone(&clone, &t);
	ok(clone.symbols[a].name == clone.symbols[plain].name && clone.symbols[plain].name != t.symbols[plain].name,
	   "a copy of all has the bytes of a name once");
	symtab_deinit(&clone);
	display_init(&display, &t, UTF8_CLEAN_UTF8, true);
	ok(display_name(&display, a) == display_name(&display, b), "and so has what is shown of it");
	display_deinit(&display);
	uint32_t task = symtab_frame(&t, plain, (struct origin){.kind = KIND_PROCESS});
	ok(task != plain, "a task of the same name is no function of an unknown module");

	for (int i = 0; i < 5000; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%d", i % 1000);
		frame(&t, name, (const char *[]){"/bin/a", "/bin/b", "/bin/c", "", "/bin/a"}[i / 1000], "");
	}
	is_int(frame(&t, "main", "/bin/b", ""), b, "a table that grew finds them again");
	symtab_copy(&copy, &t);
	is_int(frame(&copy, "main", "/bin/b", ""), b, "and so does a copy");
	uint32_t made = frame(&copy, "main", "/bin/new", "");
	symtab_take(&t, &copy);
	is_int(frame(&t, "main", "/bin/new", ""), made, "whose new ones can be taken over");
	uint32_t *rank = mem_alloc(2 * t.n * sizeof *rank);
	symtab_rank(&t, rank, rank + t.n);
	ok(rank[a] == rank[plain] && rank[b] == rank[plain], "variants rank as their name");
	free(rank);
	symtab_deinit(&t);
}

/* ---- labels -------------------------------------------------------------------------------------------------- */

static void is_label(const char *name, enum group_by by, const char *expected)
{
	struct symtab t;
	struct buf label;

	symtab_init(&t);
	buf_init(&label);
	group_add_label(&t, intern(&t, name), by, OF_ORIGIN, &label);
	is_str(buf_str(&label), expected, "the %s of %s", group_name(by), name);
	buf_deinit(&label);
	symtab_deinit(&t);
}

static void test_labels(void)
{
	is_label("main", BY_MODULE, "[unknown module]");
	is_label("libc.so.6`read", BY_MODULE, "libc.so.6");
	is_label("[libfoo.so.1]", BY_MODULE, "libfoo.so.1");
	is_label("[unknown]", BY_MODULE, "[unknown module]");
	is_label(FRAME_BLOCKED, BY_MODULE, "");
	is_label(FRAME_RUNNABLE, BY_FILE, "");
	is_label("vfs_read_[k]", BY_MODULE, "[kernel]");
	is_label("org.acme.Pool.get", BY_MODULE, "org.acme");
	is_label("compute (src/model.py:12)", BY_MODULE, "model.py");
	is_label("/srv/app.py:12:compute", BY_MODULE, "app.py");
	is_label("/srv/app.py:12:compute", BY_FILE, "/srv/app.py");
	is_label("main", BY_FILE, "[unknown file]");
	is_label("compute (src/model.py:12)", BY_FILE, "src/model.py");
	is_label("operator new (unsigned long)", BY_FILE, "[unknown file]");
	is_label("org.acme.Pool.get", BY_PACKAGE, "org.acme");
	is_label("org/acme/Pool.get", BY_PACKAGE, "org.acme");
	is_label("Lorg/acme/Pool;::get", BY_PACKAGE, "org.acme");
	is_label("org/acme/Pool$Entry:::get", BY_PACKAGE, "org.acme");
	is_label("Pool.get", BY_PACKAGE, "[unknown module]");
	is_label("github.com/acme/pool.(*Pool).Get", BY_PACKAGE, "github.com/acme/pool");
	is_label("runtime.mallocgc", BY_PACKAGE, "runtime");
	is_label("net/http.(*conn).serve", BY_PACKAGE, "net/http");
	is_label("tokio::runtime::park", BY_PACKAGE, "tokio");
	is_label("<tokio::Handle as Drop>::drop", BY_PACKAGE, "tokio");
	is_label("_ZN4llvm5Value3getEv", BY_PACKAGE, "llvm");
	is_label("foo.part.0", BY_PACKAGE, "[unknown module]");
	is_label("foo.constprop.0.isra.1", BY_PACKAGE, "[unknown module]");
	is_label("malloc", BY_PACKAGE, "[unknown module]");
	is_label("", BY_PACKAGE, "[unknown module]");
}

/* ---- random stacks ------------------------------------------------------------------------------------------- */

enum { STACKS = 300, DEEPEST = 7, N_MODULES = 4 };

static const char *const modules[N_MODULES] = {"[unknown module]", "app", "libc.so.6", "other"};
static const char *const paths[][2] = {{"[unknown]", "[unknown]"},
                                       {"/bin/app", "/opt/app"},
                                       {"/lib/libc.so.6", "/usr/lib/libc.so.6"},
                                       {"/other", "other"}};
static const char *const tasks[] = {"main", "web"};
static const char *const functions[] = {"main", "run", "malloc", "app"};

struct stack {
	unsigned task, n, weight;
	struct {
		unsigned function, module;
		bool is_inlined; /* into the frame before */
	} frames[DEEPEST];   /* root first */
};

static unsigned drawn;

static unsigned draw(unsigned n)
{
	drawn = drawn * 1103515245 + 12345;
	return (drawn >> 16) % n;
}

static void draw_stack(struct stack *s)
{
	*s = (struct stack){.task = draw(2), .n = 1 + draw(DEEPEST), .weight = 1 + draw(9)};
	for (unsigned i = 0; i < s->n; i++) {
		s->frames[i].function = draw(4);
		s->frames[i].is_inlined = i && draw(6) == 0;
		s->frames[i].module = s->frames[i].is_inlined ? s->frames[i - 1].module : draw(N_MODULES);
	}
}

/* As perf script prints it: the leaf first, inlined functions with the address of what they are in. */
static void add_perf(struct buf *out, const struct stack *s, unsigned number)
{
	unsigned address[DEEPEST];
	for (unsigned i = 0; i < s->n; i++)
		address[i] = s->frames[i].is_inlined ? address[i - 1] : 0x1000 + draw(0x1000);
	buf_addf(out, "%s %u/%u [000] %u.000000: %u cycles: \n", tasks[s->task], s->task + 7, s->task + 7, number,
	         s->weight);
	for (unsigned i = s->n; i-- > 0;) {
		const char *module = paths[s->frames[i].module][draw(2)];
		buf_addf(out, "\t%16x %s+0x%x (%s)\n", address[i], functions[s->frames[i].function], draw(99),
		         s->frames[i].is_inlined ? "inlined" : module);
	}
	buf_addc(out, '\n');
}

static void add_folded(struct buf *out, const struct stack *s)
{
	buf_adds(out, tasks[s->task]);
	for (unsigned i = 0; i < s->n; i++)
		buf_addf(out, ";%s", functions[s->frames[i].function]);
	buf_addf(out, " %u\n", s->weight);
}

static bool has_module(const struct stack *s, unsigned module)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->frames[i].module == module)
			return true;
	return false;
}

static uint64_t weight_with(const struct stack *stacks, unsigned module, int task)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < STACKS; i++)
		if (has_module(&stacks[i], module) && (task < 0 || stacks[i].task == (unsigned)task))
			sum += stacks[i].weight;
	return sum;
}

static uint64_t weight_in(const struct stack *stacks, unsigned module)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < STACKS; i++)
		if (stacks[i].frames[stacks[i].n - 1].module == module)
			sum += stacks[i].weight;
	return sum;
}

/* A pattern for exactly this module. */
static const char *pattern_of(unsigned module)
{
	static char pattern[40];
	snprintf(pattern, sizeof pattern, "module:(*NAME)%s", modules[module]);
	return pattern;
}

static void folded_by(struct profile *p, struct recipe *r, struct tree *t)
{
	struct err err = {""};
	char why[100] = "";
	if (!fold(p, r, t, NULL, &err) || !tree_check(t, why, sizeof why))
		not_ok("a good tree: %s%s", err.text, why);
}

/* All own weight of frames of this name. */
static uint64_t self_of(const struct profile *p, const struct tree *t, const char *name)
{
	uint32_t sym = symtab_find(&p->symtab, name, strlen(name));
	uint64_t sum = 0;
	for (uint32_t i = 1; i < t->n; i++)
		sum += t->sym[i] == sym ? tree_own(t, i) : 0;
	return sum;
}

static void test_groups(struct profile *p, const struct stack *stacks)
{
	for (unsigned way = 0; way < 4; way++) {
		struct recipe r;
		struct tree t;
		recipe_init(&r);
		r.group = BY_MODULE;
		r.reverse = way == 1;
		r.chart = way == 2;
		r.apart = way == 3;
		folded_by(p, &r, &t);
		for (unsigned m = 0; m < N_MODULES; m++)
			is_int(self_of(p, &t, modules[m]), weight_in(stacks, m), "by module, %u: the weight of %s", way,
			       modules[m]);
		tree_deinit(&t);
		recipe_deinit(&r);
	}
}

static void test_split(struct profile *p, const struct stack *stacks)
{
	struct recipe r;
	struct tree t;
	recipe_init(&r);
	r.splits[r.n_splits++] = (struct split){.key = SPLIT_MODULE};
	folded_by(p, &r, &t);
	for (unsigned m = 0; m < N_MODULES; m++) {
		uint32_t sym = symtab_find(&p->symtab, modules[m], strlen(modules[m]));
		uint32_t node = sym == NO_SYMBOL ? NO_NODE : tree_find_child(&t, NODE_ALL, sym);
		is_int(node == NO_NODE ? 0 : tree_total(&t, node), weight_in(stacks, m), "split by module: %s", modules[m]);
	}
	tree_deinit(&t);
	recipe_deinit(&r);
}

static void test_filters(struct profile *p, const struct stack *stacks)
{
	static const enum filter_kind kinds[] = {FILTER_FOCUS, FILTER_IGNORE};
	uint64_t all = 0;
	for (unsigned i = 0; i < STACKS; i++)
		all += stacks[i].weight;
	for (unsigned m = 0; m < 2 * N_MODULES; m++) {
		bool keeps = m % 2;
		struct recipe r;
		struct tree t;
		uint64_t with = weight_with(stacks, m / 2, -1);
		recipe_init(&r);
		recipe_add_filter(&r, kinds[!keeps], MATCH_REGEX, pattern_of(m / 2));
		folded_by(p, &r, &t);
		is_int(tree_total(&t, NODE_ALL), keeps ? with : all - with, "%s %s", filter_names[kinds[!keeps]].option,
		       pattern_of(m / 2));
		tree_deinit(&t);
		recipe_deinit(&r);
	}
}

/* Matches of a whole tree, and below each task. */
static void test_search(struct profile *p, const struct stack *stacks, bool is_reversed)
{
	struct view v;
	view_init(&v, p, UTF8_CLEAN_UTF8, true);
	v.recipe.reverse = is_reversed;
	for (unsigned m = 0; m < N_MODULES; m++) {
		struct err err = {""};
		unsigned dirty = view_search(&v, pattern_of(m), MATCH_REGEX, &err);
		view_update(&v, dirty | DIRTY_TREE, NULL, NULL);
		is_int(v.search.matched, weight_with(stacks, m, -1), "a search for %s", pattern_of(m));
		for (int k = 0; k < 2 && !is_reversed; k++) {
			uint32_t node = tree_find_child(&v.tree, NODE_ALL, symtab_find(&p->symtab, tasks[k], strlen(tasks[k])));
			view_zoom(&v, node);
			is_int(v.search.matched, weight_with(stacks, m, k), "and below %s", tasks[k]);
			view_zoom(&v, NODE_ALL);
		}
	}
	ok(v.recipe.apart, "functions of one name are apart");
	view_update(&v, view_search(&v, NULL, MATCH_REGEX, NULL), NULL, NULL);
	ok(!v.recipe.apart, "until the search ends");
	view_deinit(&v);
}

/* Without modules in the question, names merge as if there were none. */
static void test_default(struct profile *p, const char *folded)
{
	struct profile names;
	struct recipe r;

	load_as(&names, "folded", folded);
	for (unsigned way = 0; way < 8; way++) {
		recipe_init(&r);
		r.reverse = way & 1;
		r.sort = way & 2 ? SORT_INPUT : SORT_WEIGHT;
		if (way & 4)
			recipe_add_filter(&r, FILTER_RECURSION, MATCH_REGEX, NULL);
		if (way & 4)
			recipe_add_filter(&r, FILTER_HIDE, MATCH_REGEX, "run");
		char *expected = fold_text(&names, &r, NULL), *got = fold_text(p, &r, NULL);
		is_str(got, expected, "names merge as without modules, %u", way);
		free(expected);
		free(got);
		recipe_deinit(&r);
	}
	profile_deinit(&names);
}

/* Parts that met the modules in another order are joined. */
static void test_joined(const struct buf *halves, const struct stack *stacks)
{
	for (int first = 0; first < 2; first++) {
		struct profile a, b;
		load_as(&a, "perf", buf_str((struct buf *)&halves[first]));
		load_as(&b, "perf", buf_str((struct buf *)&halves[!first]));
		profile_append(&a, &b, NULL, 0);
		test_groups(&a, stacks);
		test_filters(&a, stacks);
		profile_deinit(&a);
		profile_deinit(&b);
	}
}

static void test_random(unsigned seed)
{
	struct stack stacks[STACKS];
	struct buf perf, folded, halves[2];
	struct profile p;

	drawn = seed;
	buf_init(&perf);
	buf_init(&folded);
	buf_init(&halves[0]);
	buf_init(&halves[1]);
	for (unsigned i = 0; i < STACKS; i++) {
		draw_stack(&stacks[i]);
		size_t from = perf.len;
		add_perf(&perf, &stacks[i], i);
		buf_add(&halves[i >= STACKS / 3], perf.data + from, perf.len - from);
		add_folded(&folded, &stacks[i]);
	}
	load_as(&p, "perf", buf_str(&perf));
	test_groups(&p, stacks);
	test_split(&p, stacks);
	test_filters(&p, stacks);
	test_search(&p, stacks, false);
	test_search(&p, stacks, true);
	test_default(&p, buf_str(&folded));
	test_joined(halves, stacks);
	profile_deinit(&p);
	buf_deinit(&perf);
	buf_deinit(&folded);
	buf_deinit(&halves[0]);
	buf_deinit(&halves[1]);
}

/* ---- patterns ------------------------------------------------------------------------------------------------ */

static void test_patterns(void)
{
	const char *rest = NULL;
	is_int(match_subject_of("module:^libc", MATCH_REGEX, &rest), BY_MODULE, "module: asks for modules");
	is_str(rest, "^libc", "the expression follows");
	is_int(match_subject_of("file:a.c", MATCH_REGEX, NULL), BY_FILE, "file: asks for files");
	is_int(match_subject_of("package:org", MATCH_REGEX, NULL), BY_PACKAGE, "package: asks for packages");
	is_int(match_subject_of("^module:", MATCH_REGEX, NULL), BY_FUNCTION, "^module: asks for names again");
	is_int(match_subject_of("module:x", MATCH_TEXT, NULL), BY_FUNCTION, "and a text is a text");
	is_int(match_subject_of("module", MATCH_REGEX, NULL), BY_FUNCTION, "as is the word alone");
	ok(!match_narrows("module:lib", MATCH_REGEX, "lib", MATCH_REGEX), "modules are not found among names");
	ok(match_narrows("module:libc", MATCH_REGEX, "module:lib", MATCH_REGEX), "but among modules");

	struct profile p;
	char *got;
	struct recipe r;
	load_as(&p, "folded", "module:x;a 1\nb 2\n");
	recipe_init(&r);
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "^module:x");
	got = fold_text(&p, &r, NULL);
	is_str(got, "1 module:x 0/1\n2 a 1/1\n", "a name that begins with module: is found");
	free(got);
	recipe_deinit(&r);
	profile_deinit(&p);
}

/* Of very many names not all are looked at, and an answer is found all the same. */
static void test_many(void)
{
	struct symtab t;
	char name[40];
	symtab_init(&t);
	for (int i = 0; i < 200000; i++) {
		int n = snprintf(name, sizeof name, i % 2 ? "f%d" : "package::f%d", i);
		symtab_intern(&t, name, (size_t)n);
	}
	ok(group_is_known(&t, BY_PACKAGE), "packages of many names are known");
	ok(!group_is_known(&t, BY_MODULE) && !group_is_known(&t, BY_FILE), "what none of them has is not");
	symtab_deinit(&t);
}

int main(void)
{
	test_many();
	test_variants();
	test_labels();
	test_patterns();
	for (unsigned seed = 1; seed <= 5; seed++)
		test_random(seed);
	return done_testing();
}
