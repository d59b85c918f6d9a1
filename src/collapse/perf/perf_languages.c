/*
 * perf_languages.c - merges the stacks of interpreters with the native ones.
 *
 * The recorder puts each stack (languages/items.h) right before the sample that it belongs to, with the same thread
 * and time. All frames get into the stack of the profile: those of the language, and also the native ones that they
 * stand for, which have a kind of their own. What is shown is chosen later (recipe.frames).
 */
#include "collapse/perf/perf_languages.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/number.h"
#include "collapse/text/labels.h"
#include "languages/items.h"
#include "languages/languages.h"
#include "languages/merge.h"
#include "model/origin.h"

#define SOFTWARE_BPF_OUTPUT 10u /* PERF_COUNT_SW_BPF_OUTPUT */
#define FUNCTIONS_MOST (1u << 24)

struct function {
	uint32_t sym;  /* 0: none of this number was recorded */
	uint32_t file; /* symbol */
	uint32_t language;
};

/* What a native symbol is; found once for each. From NATIVE_EVAL on: the loop of that language. */
enum native_kind {
	NATIVE_NEW,
	NATIVE_OTHER,
	NATIVE_KERNEL,
	NATIVE_BOTTOM,
	NATIVE_TRAMPOLINE,
	NATIVE_NAMELESS, /* code that a compiler has made in the process, without a name */
	NATIVE_EVAL
};

struct perf_languages {
	struct sink *sink;
	struct function *functions; /* by number */
	size_t n_functions, cap_functions;
	uint8_t *natives; /* enum native_kind by symbol */
	size_t n_natives, cap_natives;
	struct buf bytes; /* of the present stack */
	struct item stack;
	int32_t tid; /* of it; -1: there is none */
	uint64_t time;
	struct labels labels;
	struct buf text;
	/* scratch */
	uint8_t *marks, *entries;
	size_t n_marks, cap_marks, n_entries, cap_entries;
	struct merged *merged;
	size_t cap_merged;
	struct perf_native_stack out;
	/* for notes */
	enum item_how how;
	uint64_t n_stacks, n_moved, n_cut, n_failed, n_skipped, n_wakers, n_inexact;
};

struct perf_languages *perf_languages_new(struct sink *sink)
{
	struct perf_languages *l = mem_zalloc(1, sizeof *l);
	l->sink = sink;
	l->tid = -1;
	buf_init(&l->bytes);
	buf_init(&l->text);
	return l;
}

/* ---- notes --------------------------------------------------------------------------------------------------- */

static uint64_t count_all(const struct perf_languages *l)
{
	return l->n_stacks + l->n_failed + l->n_skipped + l->n_wakers;
}

static void note(struct perf_languages *l, enum note_level level, const char *kind, uint64_t count)
{
	uint64_t all = count_all(l);
	struct buf *text = &l->text;
	if (!count)
		return;
	text->len = 0;
	buf_addf(text, "%llu of %llu (", (unsigned long long)count, (unsigned long long)all);
	number_add_percent(text, count, all, 2);
	buf_adds(text, "%)");
	report_add(&l->sink->profile->report, level, kind, NULL, 0, text->data, text->len);
}

static void add_notes(struct perf_languages *l)
{
	uint64_t all = count_all(l);
	if (!all)
		return;
	note(l, NOTE_WARN, "stacks of interpreters may mix two moments: the thread ran while they were read",
	     l->n_moved);
	note(l, l->n_failed * 1000 > all ? NOTE_WARN : NOTE_INFO, "stacks of interpreters could not be read",
	     l->n_failed);
	note(l, l->n_skipped * 100 > all ? NOTE_WARN : NOTE_INFO,
	     "samples came too fast to read the stacks of their interpreters", l->n_skipped);
	note(l, l->n_wakers * 100 > all ? NOTE_WARN : NOTE_INFO,
	     "wakers lack functions of their interpreters, which ran on before they were read", l->n_wakers);
	note(l, l->n_cut * 100 > all ? NOTE_WARN : NOTE_INFO,
	     "stacks of interpreters lack callers: too many, or they could not be read", l->n_cut);
	note(l, l->n_inexact * 100 > all ? NOTE_WARN : NOTE_INFO,
	     "functions of interpreters may have wrong callers: their loop has more or fewer calls", l->n_inexact);
	if (l->how == HOW_LATE)
		report_add_state(
			&l->sink->profile->report, NOTE_INFO,
			"stacks of interpreters may be some milliseconds late: their readers may not have real-time "
			"priority (CAP_SYS_NICE)");
	if (l->how == HOW_RUNNING)
		report_add_state(&l->sink->profile->report, NOTE_WARN,
		                 "stacks of interpreters were read while their threads ran: about 2 % of them may mix two "
		                 "moments, and more in programs of very short functions");
}

void perf_languages_free(struct perf_languages *l)
{
	if (!l)
		return;
	add_notes(l);
	labels_deinit(&l->labels);
	buf_deinit(&l->bytes);
	buf_deinit(&l->text);
	free(l->functions);
	free(l->natives);
	free(l->marks);
	free(l->entries);
	free(l->merged);
	perf_native_stack_deinit(&l->out);
	free(l);
}

/* ---- items --------------------------------------------------------------------------------------------------- */

bool perf_languages_is_event(const struct perfdata_event *e)
{
	return e->type == EVENT_SOFTWARE && e->config == SOFTWARE_BPF_OUTPUT && e->sample_type & FIELD_RAW && e->name &&
	       strcmp(e->name, ITEMS_EVENT) == 0;
}

/* The symbol of a function in a file, whose source is where it begins. */
static uint32_t symbol_of(struct perf_languages *l, const char *name, const char *file, uint32_t line)
{
	uint32_t frame = sink_frame(l->sink, name, strlen(name));
	struct origin o = sink_place(l->sink, file, strlen(file), line);
	o.kind = KIND_LANGUAGE;
	return symtab_frame(&l->sink->profile->symtab, frame, o);
}

static void take_function(struct perf_languages *l, const struct item *it)
{
	if (it->number >= FUNCTIONS_MOST)
		return;
	while (l->n_functions <= it->number)
		mem_push(l->functions, l->n_functions, l->cap_functions, ((struct function){0}));
	const struct language_function *f = &it->function;
	l->functions[it->number] = (struct function){.sym = symbol_of(l, f->name, f->file, f->first_line),
	                                             .file = sink_sym(l->sink, f->file, strlen(f->file)),
	                                             .language = it->language};
}

static void take_stack(struct perf_languages *l, const struct perfdata_sample *s, const struct item *it)
{
	l->tid = -1;
	l->n_failed += it->lack == LACK_FAILED;
	l->n_skipped += it->lack == LACK_SKIPPED;
	l->n_wakers += it->lack == LACK_WAKER;
	if (it->lack || !it->n)
		return;
	l->n_stacks++;
	l->n_moved += it->has_moved;
	l->n_cut += it->is_cut;
	l->stack = *it;
	l->bytes.len = 0;
	buf_add(&l->bytes, it->frames, (size_t)it->n * 8);
	l->stack.frames = (const unsigned char *)l->bytes.data;
	l->tid = s->tid;
	l->time = s->time;
}

void perf_languages_take(struct perf_languages *l, const struct perfdata_sample *s)
{
	struct item it;
	if (s->raw_is_swapped || !item_parse(&it, s->raw, s->n_raw))
		return;
	if (it.kind == ITEM_FUNCTION)
		take_function(l, &it);
	else if (it.kind == ITEM_STACK)
		take_stack(l, s, &it);
	else if (it.kind == ITEM_HOW)
		l->how = it.how > l->how ? it.how : l->how;
	else
		report_add(&l->sink->profile->report, NOTE_WARN,
		           it.kind == ITEM_HELD
		               ? "a process held back its memory (userfaultfd or FUSE), so its stacks lack functions"
		               : "functions of an interpreter are not shown",
		           NULL, 0, it.trouble, strlen(it.trouble));
}

/* The language of the present stack: that of its outermost function. */
static uint32_t language_of_stack(const struct perf_languages *l)
{
	uint32_t number = item_frame(&l->stack, l->stack.n - 1).function;
	return number < l->n_functions ? l->functions[number].language : 0;
}

/* May its runtime compile functions? */
static bool may_compile(const struct perf_languages *l)
{
	uint32_t language = language_of_stack(l);
	return language < LANGUAGES_N && languages[language]->compiles;
}

bool perf_languages_begin(const struct perf_languages *l, const struct perfdata_sample *s)
{
	return l->tid >= 0 && l->tid == s->tid && l->time == s->time;
}

bool perf_languages_compile(const struct perf_languages *l, const struct perfdata_sample *s)
{
	return perf_languages_begin(l, s) && may_compile(l);
}

void perf_languages_end(struct perf_languages *l)
{
	l->tid = -1;
}

uint64_t perf_languages_hash(const struct perf_languages *l)
{
	return hash_bytes(l->bytes.data, l->bytes.len) ^ (l->stack.interpreter + (l->stack.is_cut ? hash_seed[1] : 0));
}

uint32_t perf_languages_tags(struct perf_languages *l)
{
	if (l->stack.lock == LOCK_UNKNOWN)
		return 0;
	labels_add_text(&l->labels, l->sink, slice_of("gil"),
	                slice_of(l->stack.lock == LOCK_HELD ? "held" : "not held"));
	return labels_end(&l->labels, l->sink);
}

/* ---- merging ------------------------------------------------------------------------------------------------- */

/* Where native stacks of threads begin, in programs and in the C library. */
static bool is_bottom(const char *name)
{
	static const char *const names[] = {"_start",
	                                    "__libc_start_main",
	                                    "__libc_start_call_main",
	                                    "_start_c",
	                                    "main",
	                                    "start_thread",
	                                    "clone",
	                                    "__clone",
	                                    "clone3",
	                                    "__clone3",
	                                    "thread_start"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);
		if (strncmp(name, names[i], n) == 0 && (name[n] == '\0' || name[n] == '@' || name[n] == '.'))
			return true;
	}
	return false;
}

/* Python 3.12 with -X perf calls each function by code of its own, which its perf map calls "py::NAME:FILE". */
static bool is_trampoline(const struct symbol *s)
{
	return s->kind == KIND_JIT && strncmp(s->name, "py::", 4) == 0;
}

static uint8_t find_kind(const struct symbol *s)
{
	uint32_t language;
	if (s->kind == KIND_KERNEL)
		return NATIVE_KERNEL;
	if (language_of_eval(s->name, &language))
		return (uint8_t)(NATIVE_EVAL + language);
	if (is_trampoline(s))
		return NATIVE_TRAMPOLINE;
	if (s->kind == KIND_JIT && s->name[0] == '[')
		return NATIVE_NAMELESS;
	return is_bottom(s->name) ? NATIVE_BOTTOM : NATIVE_OTHER;
}

static uint8_t kind_of(struct perf_languages *l, uint32_t sym)
{
	while (l->n_natives <= sym)
		mem_push(l->natives, l->n_natives, l->cap_natives, NATIVE_NEW);
	if (l->natives[sym] == NATIVE_NEW)
		l->natives[sym] = find_kind(&l->sink->profile->symtab.symbols[sym]);
	return l->natives[sym];
}

static void mark_natives(struct perf_languages *l, const struct perf_native_stack *s)
{
	uint32_t eval = NATIVE_EVAL + language_of_stack(l);
	l->n_marks = 0;
	for (size_t i = 0; i < s->n; i++) {
		uint8_t kind = kind_of(l, s->frames[i]);
		uint8_t mark = kind == NATIVE_KERNEL ? MARK_KERNEL : kind == eval ? MARK_EVAL : MARK_NATIVE;
		mem_push(l->marks, l->n_marks, l->cap_marks, mark);
	}
}

static void mark_entries(struct perf_languages *l)
{
	l->n_entries = 0;
	for (uint32_t i = 0; i < l->stack.n; i++)
		mem_push(l->entries, l->n_entries, l->cap_entries, item_frame(&l->stack, i).is_entry);
}

static void push(struct perf_languages *l, uint32_t sym, const struct site *site)
{
	perf_native_stack_site(&l->out, site);
	perf_native_stack_push(&l->out, sym);
}

static void push_language(struct perf_languages *l, uint32_t index)
{
	struct language_frame f = item_frame(&l->stack, index);
	struct function unknown = {0};
	if (f.function == NO_FUNCTION)
		return;
	if (f.function >= l->n_functions || !l->functions[f.function].sym)
		unknown.sym = symbol_of(l, "[unknown]", "", 0);
	const struct function *of = unknown.sym ? &unknown : &l->functions[f.function];
	struct site site = {.sym = of->sym, .file = of->file, .line = f.line};
	push(l, of->sym, l->sink->options->wants_sites && f.line ? &site : NULL);
}

/* Do functions of the language stand for this native one, wherever it is in the stack? */
static bool is_stood_for(struct perf_languages *l, uint32_t sym)
{
	uint8_t kind = kind_of(l, sym);
	return kind == NATIVE_TRAMPOLINE || (kind == NATIVE_NAMELESS && may_compile(l));
}

static void push_native(struct perf_languages *l, const struct perf_native_stack *s, const struct merged *m)
{
	struct symtab *t = &l->sink->profile->symtab;
	uint32_t sym = s->frames[m->index], place = s->n_places ? s->places[m->index] : 0;
	if (m->is_replaced || is_stood_for(l, sym)) {
		struct origin o = symtab_origin(t, sym);
		o.kind = l->marks[m->index] == MARK_EVAL ? KIND_LOOP : KIND_REPLACED;
		sym = symtab_variant(t, symtab_plain(t, sym), o);
	}
	struct site site = place ? s->sites[place - 1] : (struct site){0};
	site.sym = sym;
	push(l, sym, place ? &site : NULL);
}

/* Several interpreters in one process are apart. */
static void push_interpreter(struct perf_languages *l)
{
	char name[40];
	if (!l->stack.interpreter)
		return;
	snprintf(name, sizeof name, "[interpreter %u]", l->stack.interpreter);
	push(l, symbol_of(l, name, "", 0), NULL);
}

static void swap_stacks(struct perf_native_stack *a, struct perf_native_stack *b)
{
	struct perf_native_stack swap = *a;
	*a = *b;
	*b = swap;
}

bool perf_languages_merge(struct perf_languages *l, struct perf_native_stack *s)
{
	bool is_exact;
	mark_natives(l, s);
	mark_entries(l);
	size_t most = s->n + l->stack.n;
	if (l->cap_merged < most)
		l->merged = mem_grow(l->merged, &l->cap_merged, most, sizeof *l->merged);
	const struct merge_input in = {.marks = l->marks,
	                               .n_native = s->n,
	                               .entries = l->entries,
	                               .n_language = l->stack.n,
	                               .has_bottom = s->n && kind_of(l, s->frames[s->n - 1]) == NATIVE_BOTTOM,
	                               .has_root = !l->stack.is_cut};
	size_t n = merge_stacks(&in, l->merged, &is_exact);
	perf_native_stack_clear(&l->out);
	for (size_t i = 0; i < n; i++) {
		const struct merged *m = &l->merged[i];
		if (!m->is_language) {
			push_native(l, s, m);
			continue;
		}
		push_language(l, m->index);
		if (m->index == l->stack.n - 1)
			push_interpreter(l);
	}
	swap_stacks(&l->out, s);
	return is_exact || !in.has_bottom || !in.has_root; /* without its root, it lacks callers */
}

void perf_languages_inexact(struct perf_languages *l)
{
	l->n_inexact++;
}
