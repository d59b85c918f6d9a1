/*
 * callgrind.c - writes a view as a call graph in the format of Valgrind's callgrind, for KCachegrind and others.
 *
 *	# callgrind format
 *	positions: line
 *	events: cycles
 *	summary: 30
 *
 *	fl=(1) a.c                   the first use of a name gives it a number
 *	fn=(1) main
 *	16 10                        own cost, at the line where the function begins
 *	cfi=(2) b.c
 *	cfn=(2) read
 *	calls=1 7                    the number of calls is unknown
 *	16 20                        cost of the calls, with what they called in turn
 *
 * Costs are exact, as the view has stacks. A stack on which a function calls another several times, in recursion,
 * counts once for this call. A comparison has the costs of the baseline as a second event, "before", with its unit
 * if that is another one: "before(samples)".
 *
 * collapse/formats/callgrind.c reads the long names of events back.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "export.h"
#include "model/origin.h"
#include "stacks.h"
#include "top.h"
#include "whole.h"

#define UNKNOWN "???"
#define NO_CALL UINT32_MAX

struct cost {
	uint64_t v[2]; /* by side; saturate */
};

struct function {
	uint32_t sym; /* 0: stacks without frames */
	uint32_t file, module;
	uint32_t line;
	uint32_t last; /* its last call; NO_CALL: none */
	struct cost self;
};

struct call {
	uint32_t caller, callee;
	uint32_t next;   /* of the same caller */
	uint32_t active; /* how often it is on the current stack */
	struct cost cost;
};

/* A frame of the current stack, in the order of the tree. */
struct active {
	uint32_t function;
	uint32_t call; /* between it and the frame it is on; NO_CALL: it is on none */
	struct cost cost;
};

/* Names by symbol: number, from 1; 0: not yet written. */
struct numbers {
	uint32_t *v;
	uint32_t n;
};

struct writer {
	const struct view *view;
	const struct export_options *options;
	const struct symtab *symtab;
	struct whole whole;
	bool is_diff, has_modules;
	bool is_reversed;      /* stacks come with the leaf first */
	uint32_t *function_of; /* by symbol: its number + 1 */
	struct function *functions;
	size_t n_functions, cap_functions;
	struct call *calls;
	size_t n_calls, cap_calls;
	struct map call_ids;
	struct active *stack;
	size_t height, cap_stack;
	struct cost total;
	struct numbers names, files, modules;
	struct symtab texts; /* files without their lines */
	struct buf text;
	struct output *out;
};

static void add_cost(struct cost *to, const struct cost *more)
{
	weight_add(&to->v[0], more->v[0]);
	weight_add(&to->v[1], more->v[1]);
}

/* ---- functions and calls ------------------------------------------------------------------------------------- */

static void set_source(struct writer *w, struct function *f)
{
	const struct symbol *source = &w->symtab->symbols[w->symtab->symbols[f->sym].source];
	uint64_t line;
	size_t n = origin_place(w->symtab, f->sym, &line);
	f->line = line <= UINT32_MAX ? (uint32_t)line : 0;
	f->file = symtab_intern(&w->texts, source->name, n);
}

static uint32_t function_of(struct writer *w, uint32_t sym)
{
	struct function f = {.sym = sym, .last = NO_CALL};
	if (w->function_of[sym])
		return w->function_of[sym] - 1;
	struct origin from = view_origin(w->view, w->symtab, sym);
	f.module = from.module;
	if (from.source)
		set_source(w, &f);
	w->has_modules |= f.module > 0;
	mem_push(w->functions, w->n_functions, w->cap_functions, f);
	w->function_of[sym] = (uint32_t)w->n_functions;
	return (uint32_t)w->n_functions - 1;
}

static uint32_t call_of(struct writer *w, uint32_t caller, uint32_t callee)
{
	struct call call = {.caller = caller, .callee = callee, .next = w->functions[caller].last};
	uint64_t hash = hash_mix((uint64_t)caller << 32 | callee, hash_seed[0] | 1);
	MAP_EACH(&w->call_ids, hash, i)
	if (w->calls[i].caller == caller && w->calls[i].callee == callee)
		return (uint32_t)i;
	map_add(&w->call_ids, hash, (uint32_t)w->n_calls);
	w->functions[caller].last = (uint32_t)w->n_calls;
	mem_push(w->calls, w->n_calls, w->cap_calls, call);
	return (uint32_t)w->n_calls - 1;
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

/* In a tree merged from the leaves, a frame is on the one that it called. */
static void push(struct writer *w, uint32_t sym)
{
	struct active a = {.function = function_of(w, sym), .call = NO_CALL};
	if (w->height) {
		uint32_t below = w->stack[w->height - 1].function;
		a.call = w->is_reversed ? call_of(w, a.function, below) : call_of(w, below, a.function);
		w->calls[a.call].active++;
	}
	mem_push(w->stack, w->height, w->cap_stack, a);
}

/* Leaves the last frame. Its cost is that of its call, unless that is within itself, and of the frame it is on. */
static void pop(struct writer *w)
{
	const struct active *a = &w->stack[--w->height];
	if (a->call == NO_CALL)
		return;
	if (--w->calls[a->call].active == 0)
		add_cost(&w->calls[a->call].cost, &a->cost);
	add_cost(&w->stack[w->height - 1].cost, &a->cost);
}

/* Begins where the stack differs from the last one: each frame of the tree is pushed and popped once. */
static void take_stack(void *arg, const uint32_t *syms, size_t n, size_t same, const uint64_t weight[2])
{
	static const uint32_t nothing[] = {0};
	struct writer *w = arg;
	bool is_swapped = view_is_swapped(w->view);
	struct cost cost = {{0, 0}};
	syms = n ? syms : nothing;
	n += !n;
	while (w->height > same)
		pop(w);
	while (w->height < n)
		push(w, syms[w->height]);
	for (unsigned side = 0; side < 1u + w->is_diff; side++)
		cost.v[side] = whole_of(&w->whole, top_scaled(w->options, weight[side ^ is_swapped]), side);
	add_cost(&w->functions[w->stack[w->is_reversed ? 0 : n - 1].function].self, &cost);
	add_cost(&w->stack[n - 1].cost, &cost);
	add_cost(&w->total, &cost);
}

/*
 * The order of stacks does not matter here. Of a caller tree that leaves out rows, the tree merged from the root
 * has the same stacks in fewer frames.
 */
static void take_stacks(struct writer *w)
{
	struct view v = *w->view;
	if (v.tree.cut && v.zoom == NODE_ALL)
		v.tree = v.tree.cut->whole;
	w->is_reversed = v.tree.is_reversed;
	stacks_each(&v, take_stack, w, w->options->progress);
	while (w->height)
		pop(w);
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

/*
 * A name ends at the end of the line, readers strip blanks around it, and terminals obey other control characters:
 * such bytes become \xHH, so that names which differ in them stay different.
 */
static void add_text(struct writer *w, const char *text, size_t n)
{
	if (w->options->is_terminal) {
		utf8_clean(&w->text, text, n, UTF8_CLEAN_UTF8);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		bool is_edge = text[i] == ' ' && (i == 0 || i == n - 1);
		if (is_edge || (unsigned char)text[i] < ' ')
			buf_addf(&w->text, "\\x%02x", (unsigned char)text[i]);
		else
			buf_addc(&w->text, text[i]);
	}
}

/* "fn=(1) main", or "fn=(1)" from the second time on. */
static void add_name(struct writer *w, const char *key, struct numbers *numbers, const struct symtab *t,
                     uint32_t sym, const char *if_none)
{
	const struct symbol *s = &t->symbols[sym = symtab_plain(t, sym)];
	bool is_new = !numbers->v[sym];
	if (is_new)
		numbers->v[sym] = ++numbers->n;
	buf_addf(&w->text, "%s=(%u)", key, numbers->v[sym]);
	if (is_new)
		buf_addc(&w->text, ' ');
	if (is_new && sym && s->len)
		add_text(w, s->name, s->len);
	else if (is_new)
		buf_adds(&w->text, if_none);
	buf_addc(&w->text, '\n');
}

static void add_costs(struct writer *w, const struct cost *c)
{
	buf_addc(&w->text, ' ');
	buf_addu(&w->text, c->v[0]);
	if (w->is_diff) {
		buf_addc(&w->text, ' ');
		buf_addu(&w->text, c->v[1]);
	}
	buf_addc(&w->text, '\n');
}

static void add_call(struct writer *w, const struct function *from, const struct call *call)
{
	const struct function *to = &w->functions[call->callee];
	if (to->module != from->module)
		add_name(w, "cob", &w->modules, w->symtab, to->module, UNKNOWN);
	if (to->file != from->file)
		add_name(w, "cfi", &w->files, &w->texts, to->file, UNKNOWN);
	add_name(w, "cfn", &w->names, w->symtab, to->sym, "[empty]");
	buf_addf(&w->text, "calls=1 %u\n%u", to->line, from->line);
	add_costs(w, &call->cost);
}

static void add_function(struct writer *w, const struct function *f)
{
	buf_addc(&w->text, '\n');
	if (w->has_modules)
		add_name(w, "ob", &w->modules, w->symtab, f->module, UNKNOWN);
	add_name(w, "fl", &w->files, &w->texts, f->file, UNKNOWN);
	add_name(w, "fn", &w->names, w->symtab, f->sym, "[empty]");
	buf_addf(&w->text, "%u", f->line);
	add_costs(w, &f->self);
	for (uint32_t i = f->last; i != NO_CALL && export_goes_on(w->options); i = w->calls[i].next)
		add_call(w, f, &w->calls[i]);
	output_flush_buf(w->out, &w->text);
}

/* What the view leaves out, a line each. */
static void add_comments(struct writer *w)
{
	struct buf notes;
	buf_init(&notes);
	top_add_notes(&notes, w->view, w->options, "# ", "\n");
	top_add_idle(&notes, w->view, w->options, "# ", "\n");
	if (w->whole.is_cut)
		buf_adds(&notes, "# values above 2^63 - 1 were cut\n");
	buf_add(&w->text, notes.data, notes.len);
	buf_deinit(&notes);
}

/* "cpu-clock(nanoseconds)", as pprof writes it; unit: NULL if things are counted. */
static void add_event(struct writer *w, const char *event, const char *unit)
{
	add_text(w, event, strlen(event));
	if (unit && (strcmp(unit, event) != 0 || event[strlen(event) - 1] == ')')) {
		buf_addc(&w->text, '(');
		add_text(w, unit, strlen(unit));
		buf_addc(&w->text, ')');
	}
}

static bool has_blank(const struct buf *name)
{
	for (size_t i = 0; i < name->len; i++)
		if ((unsigned char)name->data[i] <= ' ')
			return true;
	return false;
}

/* Letters, digits and "_", of which the first is no digit. */
static void add_short_name(struct writer *w, const struct buf *name)
{
	size_t from = w->text.len;
	for (size_t i = 0; i < name->len; i++) {
		bool is_first = w->text.len == from, is_word = is_word_byte(name->data[i]);
		if (is_first ? !is_word || is_digit_byte(name->data[i])
		             : !is_word && i + 1 < name->len && w->text.data[w->text.len - 1] != '_')
			buf_addc(&w->text, '_');
		if (is_word)
			buf_addc(&w->text, name->data[i]);
	}
}

/*
 * Blanks separate the names of events. One with blanks gets a short name of letters, digits and "_", of which a
 * line before tells the long one: "event: CPU_time_ns : CPU time(ns)".
 */
static void add_event_names(struct writer *w, const char *event, const char *unit, struct buf *names)
{
	size_t from = w->text.len;
	add_event(w, event, unit);
	struct buf name;
	buf_init(&name);
	buf_add(&name, w->text.data + from, w->text.len - from);
	w->text.len = from;
	if (has_blank(&name)) {
		buf_adds(&w->text, "event: ");
		from = w->text.len;
		add_short_name(w, &name);
		buf_add(names, w->text.data + from, w->text.len - from);
		buf_adds(&w->text, " : ");
		buf_add(&w->text, name.data, name.len);
		buf_addc(&w->text, '\n');
	} else {
		buf_add(names, name.data, name.len);
	}
	buf_deinit(&name);
}

static void add_events(struct writer *w)
{
	const char *event = whole_type(w->view, false);
	const char *unit = whole_unit(w->view, false), *unit_before = whole_unit(w->view, true);
	bool is_plain = strcmp(unit, "count") == 0 && strcmp(event, "samples") == 0;
	struct buf names;
	buf_init(&names);
	add_event_names(w, event, is_plain ? NULL : unit, &names);
	if (w->is_diff) {
		if (!view_has_two_units(w->view))
			unit_before = NULL;
		else if (strcmp(unit_before, "count") == 0)
			unit_before = "samples";
		buf_addc(&names, ' ');
		add_event_names(w, "before", unit_before, &names);
	}
	buf_adds(&w->text, "events: ");
	buf_add(&w->text, names.data, names.len);
	buf_deinit(&names);
}

/* Values that fit may have sums that do not. */
static void cap(struct writer *w, struct cost *c)
{
	for (unsigned i = 0; i < 2; i++) {
		w->whole.is_cut |= c->v[i] > INT64_MAX;
		c->v[i] = c->v[i] > INT64_MAX ? INT64_MAX : c->v[i];
	}
}

static void cap_sums(struct writer *w)
{
	cap(w, &w->total);
	for (size_t i = 0; i < w->n_functions; i++)
		cap(w, &w->functions[i].self);
	for (size_t i = 0; i < w->n_calls; i++)
		cap(w, &w->calls[i].cost);
}

static void add_head(struct writer *w)
{
	const struct profile *p = w->view->profile;
	const char *name = p->n_files ? p->files[0].name : "";
	buf_adds(&w->text, "# callgrind format\nversion: 1\ncreator: flametop\n");
	add_comments(w);
	buf_adds(&w->text, "cmd: ");
	add_text(w, name, strlen(name));
	buf_adds(&w->text, "\npositions: line\n");
	add_events(w);
	buf_adds(&w->text, "\nsummary:");
	add_costs(w, &w->total);
}

static void deinit(struct writer *w)
{
	void *const all[] = {w->function_of, w->functions, w->calls, w->stack, w->names.v, w->files.v, w->modules.v};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	map_deinit(&w->call_ids);
	symtab_deinit(&w->texts);
	buf_deinit(&w->text);
}

static bool callgrind_write(const struct view *v, const struct export_options *o, struct output *out,
                            struct err *err)
{
	struct symtab marked;
	const struct symtab *t = view_file_names(v, &marked);
	struct writer w = {.view = v, .options = o, .symtab = t, .whole = whole_begin(v), .out = out};
	w.is_diff = view_is_diff(v);
	w.function_of = mem_zalloc(t->n + 1, sizeof *w.function_of);
	map_init(&w.call_ids, 64);
	symtab_init(&w.texts);
	buf_init(&w.text);
	take_stacks(&w);
	cap_sums(&w);
	w.names.v = mem_zalloc(t->n + 1, sizeof *w.names.v);
	w.modules.v = mem_zalloc(t->n + 1, sizeof *w.modules.v);
	w.files.v = mem_zalloc(w.texts.n + 1, sizeof *w.files.v);
	add_head(&w);
	for (size_t i = 0; i < w.n_functions && export_goes_on(o); i++)
		add_function(&w, &w.functions[i]);
	buf_adds(&w.text, "\ntotals:");
	add_costs(&w, &w.total);
	output_flush_buf(out, &w.text);
	bool has_costs = whole_end(&w.whole, v, o->loss, err);
	deinit(&w);
	symtab_deinit(&marked);
	return has_costs;
}

const struct export_kind export_callgrind = {
	.name = "callgrind",
	.bit = EXPORT_CALLGRIND,
	.help = "functions and the costs of their calls, for KCachegrind and callgrind_annotate",
	.holds = EXPORT_HOLDS(FLAME),
	.write = callgrind_write,
};
