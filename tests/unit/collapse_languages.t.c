/*
 * Stacks of a language among native ones, as perf_languages.c merges them.
 */
#include "collapse/perf/perf_languages.h"

#include "collapsing.h"
#include "languages/items.h"
#include "languages/languages.h"
#include "model/origin.h"
#include "tests/tap.h"

static struct profile profile;
static struct collapse_options options;
static struct sink sink = {.profile = &profile, .options = &options};

static void take(struct perf_languages *l, struct buf *item)
{
	perf_languages_take(l, &(struct perfdata_sample){
							   .tid = 7, .time = 1, .raw = (const unsigned char *)item->data, .n_raw = item->len});
	item->len = 0;
}

/* main calls leaf. */
static void take_stack(struct perf_languages *l, const struct language *language)
{
	static struct language_stack stack = {.n = 2};
	struct buf item;
	buf_init(&item);
	item_add_function(&item, 1, language_number(language), &(struct language_function){"main", "app.py", 1});
	take(l, &item);
	item_add_function(&item, 2, language_number(language), &(struct language_function){"leaf", "app.py", 2});
	take(l, &item);
	stack.frames[0] = (struct language_frame){.function = 2, .line = 2, .is_entry = 1};
	stack.frames[1] = (struct language_frame){.function = 1, .line = 1, .is_entry = 1};
	item_add_stack(&item, &stack);
	take(l, &item);
	buf_deinit(&item);
}

static void push(struct perf_native_stack *s, const char *name, enum frame_kind kind)
{
	uint32_t frame = sink_frame(&sink, name, strlen(name));
	perf_native_stack_push(s, symtab_frame(&profile.symtab, frame, (struct origin){.kind = kind}));
}

/* Merges, and shows the names, root first, without what is shown as native only. */
static void shows(struct perf_languages *l, struct perf_native_stack *s, const char *expected, const char *what)
{
	struct buf seen;
	ok(perf_languages_begin(l, &(struct perfdata_sample){.tid = 7, .time = 1}), "the sample has a stack");
	perf_languages_merge(l, s);
	perf_native_stack_turn(s);
	buf_init(&seen);
	for (size_t i = 0; i < s->n; i++) {
		const struct symbol *f = &profile.symtab.symbols[s->frames[i]];
		size_t n;
		const char *name = origin_base(f->name, f->len, &n);
		if (f->kind == KIND_LOOP || f->kind == KIND_REPLACED)
			continue;
		buf_adds(&seen, seen.len ? ";" : "");
		buf_add(&seen, name, n);
	}
	is_str(buf_str(&seen), expected, "%s", what);
	buf_deinit(&seen);
	perf_native_stack_deinit(s);
	perf_languages_free(l);
}

/* Both functions have a loop and a trampoline. */
static void test_trampolines(void)
{
	struct perf_languages *l = perf_languages_new(&sink);
	struct perf_native_stack s = {0};
	take_stack(l, &language_python);
	push(&s, "strlen", KIND_USER);
	push(&s, "_PyEval_EvalFrameDefault", KIND_USER);
	push(&s, "py::leaf:app.py", KIND_JIT);
	push(&s, "_PyEval_EvalFrameDefault", KIND_USER);
	push(&s, "py::main:app.py", KIND_JIT);
	push(&s, "py::name_of_c++", KIND_USER);
	push(&s, "_start", KIND_USER);
	shows(l, &s, "_start;py::name_of_c++;main;leaf;strlen",
	      "code by which Python calls a function for perf's sake is replaced by the function, as loops are");
}

static void push_compiled(struct perf_native_stack *s, const char *loop)
{
	push(s, "strlen", KIND_USER);
	push(s, "[perf-7.map]", KIND_JIT);
	push(s, loop, KIND_USER);
	push(s, loop, KIND_USER);
	push(s, "_start", KIND_USER);
}

static void test_compiled(void)
{
	struct perf_languages *l = perf_languages_new(&sink);
	struct perf_native_stack s = {0};
	take_stack(l, &language_lua);
	push_compiled(&s, "luaV_execute");
	shows(l, &s, "_start;main;leaf;strlen", "code that LuaJIT has compiled is that of its functions");
	l = perf_languages_new(&sink);
	s = (struct perf_native_stack){0};
	take_stack(l, &language_perl);
	push_compiled(&s, "Perl_runops_standard");
	shows(l, &s, "_start;main;leaf;[perf-7.map];strlen", "in a program of Perl, something else has made it");
}

/* Adds the notes that an input with the stack of one program, and `n` that are lacking, leaves. */
static void add_notes(enum item_lack lack, int n, struct buf *text)
{
	struct perf_languages *l = perf_languages_new(&sink);
	size_t before = profile.report.n;
	struct buf item;
	buf_init(&item);
	for (int i = 0; i < n; i++) {
		item_add_lack(&item, lack);
		take(l, &item);
	}
	take_stack(l, &language_lua);
	perf_languages_free(l);
	for (size_t i = before; i < profile.report.n; i++)
		note_add(&profile.report.notes[i], text);
	buf_deinit(&item);
}

/* The level of the note about `count` stacks out of 1000, which are cut or inexact. */
static int level_of(bool is_cut, int count, const char *kind)
{
	struct perf_languages *l = perf_languages_new(&sink);
	static struct language_stack stack = {.n = 1};
	size_t before = profile.report.n;
	struct buf item;
	int level = -1;
	buf_init(&item);
	for (int i = 0; i < 1000; i++) {
		stack.is_cut = is_cut && i < count;
		item_add_stack(&item, &stack);
		take(l, &item);
		if (!is_cut && i < count)
			perf_languages_inexact(l);
	}
	perf_languages_free(l);
	for (size_t i = before; i < profile.report.n; i++)
		if (strstr(profile.report.notes[i].kind, kind))
			level = profile.report.notes[i].level;
	buf_deinit(&item);
	return level;
}

static void test_levels(void)
{
	static const char cut[] = "stacks of interpreters lack callers", inexact[] = "may have wrong callers";
	report_deinit(&profile.report);
	is_int(level_of(true, 10, cut), NOTE_INFO, "a hundredth without callers is told with -v");
	is_int(level_of(false, 10, inexact), NOTE_INFO, "so is a hundredth with wrong ones");
	report_deinit(&profile.report);
	is_int(level_of(true, 11, cut), NOTE_WARN, "more is told always");
	is_int(level_of(false, 11, inexact), NOTE_WARN, "so is more with wrong ones");
}

static void test_shares(void)
{
	struct buf text;
	buf_init(&text);
	add_notes(LACK_FAILED, 6, &text);
	ok(strstr(buf_str(&text), "6 of 7 (85.71%)") != NULL, "a note says that it is of all stacks: %s",
	   buf_str(&text));
	text.len = 0;
	add_notes(LACK_WAKER, 3, &text);
	ok(strstr(buf_str(&text), "wakers lack functions") && strstr(buf_str(&text), "3 of 4 (75.00%)"),
	   "stacks of wakers are counted: %s", buf_str(&text));
	ok(!strstr(buf_str(&text), "too fast"), "and not among those that came too fast");
	buf_deinit(&text);
}

int main(void)
{
	profile_init(&profile);
	test_trampolines();
	test_compiled();
	test_shares();
	test_levels();
	profile_deinit(&profile);
	return done_testing();
}
