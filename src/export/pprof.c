/*
 * pprof.c - writes the stacks of a view as a profile.proto of pprof, compressed by gzip.
 *
 *	1 sample_type   { 1 type "cpu-clock", 2 unit "nanoseconds" }
 *	2 sample        { 1 location_id, leaf first; 2 value; 3 label { 1 key, 2 str } }
 *	3 mapping       { 1 id, 5 filename, 7 has_functions }
 *	4 location      { 1 id, 2 mapping_id, 4 line { 1 function_id } }
 *	5 function      { 1 id, 2 name, 3 system_name, 4 filename, 5 start_line }
 *	6 string_table
 *	9 time, 10 duration, 11 period_type, 12 period      for stores of profiles (struct export_stamp)
 *	13 comment      what the view leaves out
 *	14 default_sample_type
 *
 * (github.com/google/pprof/blob/main/proto/profile.proto). A view has no addresses, so a function has one location.
 * Stacks are those of calls, whichever way the tree is merged. In a comparison the baseline's samples are negative
 * and have the label pprof::base=true, as in the files that pprof writes with -diff_base. If they are of another
 * unit, they are values of a second type, so that pprof does not subtract samples from nanoseconds.
 *
 * Values are whole numbers (whole.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compress.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/wire.h"
#include "export.h"
#include "model/origin.h"
#include "stacks.h"
#include "top.h"
#include "whole.h"

#define PIECE ((size_t)256 << 10)

enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING };
enum { TIME = 9, DURATION, PERIOD_TYPE, PERIOD, COMMENT, DEFAULT_TYPE };

struct writer {
	const struct view *view;
	const struct export_options *options;
	const struct symtab *symtab;
	struct compressor *out;
	struct buf text;     /* to be written */
	struct buf message;  /* being made */
	struct buf part;     /* of that */
	struct buf stack;    /* locations, the leaf first, packed */
	uint32_t *locations; /* by symbol: its number, from 1; 0: none yet */
	uint32_t *modules;   /* the same of mappings */
	uint32_t n_locations, n_modules;
	struct idmap strings; /* number by symbol */
	uint64_t n_strings;
	struct whole whole; /* values */
	bool has_two_types;
	uint64_t label[2]; /* the strings of the baseline's label; 0: none yet */
};

/* ---- the wire format ----------------------------------------------------------------------------------------- */

static void flush(struct writer *w)
{
	compressor_write(w->out, w->text.data, w->text.len); /* a failure shows when the output is committed */
	w->text.len = 0;
}

/* Ends the message, which may have no members. */
static void end_message(struct writer *w, unsigned field)
{
	wire_add_bytes(&w->text, field, w->message.len ? w->message.data : "", w->message.len);
	w->message.len = 0;
	if (w->text.len > PIECE)
		flush(w);
}

/* Adds a string and returns its number. The table may be anywhere in the file: strings come as they are needed. */
static uint64_t string(struct writer *w, const char *text, size_t n)
{
	wire_add_bytes(&w->text, STRING, text, n);
	return w->n_strings++;
}

static uint64_t symbol_string(struct writer *w, uint32_t sym)
{
	const struct symbol *s = &w->symtab->symbols[sym = symtab_plain(w->symtab, sym)];
	uint32_t number;
	if (s->len == 0)
		return 0;
	if (idmap_find(&w->strings, sym, &number))
		return number;
	uint64_t added = string(w, s->name, s->len);
	idmap_add(&w->strings, sym, (uint32_t)added);
	return added;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

static uint32_t mapping_of(struct writer *w, uint32_t module)
{
	if (!module)
		return 0;
	if (w->modules[module])
		return w->modules[module];
	uint64_t name = symbol_string(w, module);
	w->modules[module] = ++w->n_modules;
	wire_add_number(&w->message, 1, w->n_modules);
	wire_add_number(&w->message, 5, name);
	wire_add_number(&w->message, 7, true);
	end_message(w, MAPPING);
	return w->n_modules;
}

static void add_source(struct writer *w, uint32_t sym, struct buf *out)
{
	uint32_t source = w->symtab->symbols[sym].source;
	const struct symbol *s = &w->symtab->symbols[source];
	uint64_t line;
	size_t n = origin_place(w->symtab, sym, &line);
	wire_add_number(out, 4, n == s->len ? symbol_string(w, source) : string(w, s->name, n));
	wire_add_number(out, 5, line <= INT64_MAX ? line : 0);
}

/* Adds the function and its location, which have the same number, if they are new. */
static uint32_t location_of(struct writer *w, uint32_t sym)
{
	struct origin from = view_origin(w->view, w->symtab, sym);
	if (w->locations[sym])
		return w->locations[sym];
	uint64_t name = symbol_string(w, sym);
	struct buf function;
	buf_init(&function);
	uint32_t number = w->locations[sym] = ++w->n_locations, mapping = mapping_of(w, from.module);
	wire_add_number(&function, 1, number);
	wire_add_number(&function, 2, name);
	wire_add_number(&function, 3, name);
	if (from.source)
		add_source(w, sym, &function);
	wire_add_bytes(&w->text, FUNCTION, function.data, function.len);
	buf_deinit(&function);
	wire_add_number(&w->message, 1, number);
	wire_add_number(&w->message, 2, mapping);
	w->part.len = 0;
	wire_add_number(&w->part, 1, number);
	wire_add_bytes(&w->message, 4, w->part.data, w->part.len);
	end_message(w, LOCATION);
	return number;
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static void add_label(struct writer *w)
{
	if (!w->label[0]) {
		w->label[0] = string(w, "pprof::base", 11);
		w->label[1] = string(w, "true", 4);
	}
	w->part.len = 0;
	wire_add_number(&w->part, 1, w->label[0]);
	wire_add_number(&w->part, 2, w->label[1]);
	wire_add_bytes(&w->message, 3, w->part.data, w->part.len);
}

/* One sample of one side, of the locations in w->stack. */
static void add_sample(struct writer *w, uint64_t weight, unsigned side)
{
	uint64_t value = whole_of(&w->whole, top_scaled(w->options, weight), side);
	if (!value)
		return; /* carried over */
	w->part.len = 0;
	if (w->has_two_types && side)
		wire_add_varint(&w->part, 0);
	wire_add_varint(&w->part, side ? -value : value);
	if (w->has_two_types && !side)
		wire_add_varint(&w->part, 0);
	if (w->stack.len)
		wire_add_bytes(&w->message, 1, w->stack.data, w->stack.len);
	wire_add_bytes(&w->message, 2, w->part.data, w->part.len);
	if (side)
		add_label(w);
	end_message(w, SAMPLE);
}

/* Side 1 is the baseline, wherever the widths come from. */
static void add_stack(void *arg, const uint32_t *syms, size_t n, size_t same, const uint64_t weight[2])
{
	(void)same;
	struct writer *w = arg;
	bool is_diff = view_is_diff(w->view), is_swapped = view_is_swapped(w->view);
	bool is_leaf_first = w->view->tree.is_reversed;
	w->stack.len = 0;
	for (size_t i = 0; i < n; i++)
		location_of(w, syms[i]);
	for (size_t i = 0; i < n; i++)
		wire_add_varint(&w->stack, w->locations[syms[is_leaf_first ? i : n - 1 - i]]);
	for (unsigned side = 0; side < 1u + is_diff; side++)
		if (weight[side ^ is_swapped])
			add_sample(w, weight[side ^ is_swapped], side);
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

static void add_value_type(struct writer *w, unsigned field, uint64_t type, uint64_t unit)
{
	wire_add_number(&w->message, 1, type);
	wire_add_number(&w->message, 2, unit);
	end_message(w, field);
}

/* Two types of one name would be one for pprof. */
static void add_base_type(struct writer *w)
{
	const char *name = whole_type(w->view, true), *unit = whole_unit(w->view, true);
	struct buf type;
	buf_init(&type);
	buf_addf(&type, "%s%s", name, strcmp(name, whole_type(w->view, false)) == 0 ? " before" : "");
	uint64_t number = string(w, type.data, type.len);
	add_value_type(w, SAMPLE_TYPE, number, string(w, unit, strlen(unit)));
	buf_deinit(&type);
}

/* A store gets no default type: there is only one. */
static void add_type(struct writer *w)
{
	const struct export_stamp *stamp = w->options->stamp;
	const char *name = stamp ? stamp->type : whole_type(w->view, false), *unit_name = whole_unit(w->view, false);
	uint64_t type = string(w, name, strlen(name)), unit = string(w, unit_name, strlen(unit_name));
	add_value_type(w, SAMPLE_TYPE, type, unit);
	if (w->has_two_types)
		add_base_type(w);
	if (!stamp) {
		wire_add_number(&w->text, DEFAULT_TYPE, type);
		return;
	}
	add_value_type(w, PERIOD_TYPE, type, unit);
	wire_add_number(&w->text, PERIOD, 1);
	wire_add_number(&w->text, TIME, stamp->time);
	wire_add_number(&w->text, DURATION, stamp->duration);
}

/* pprof shows the first mapping as the name of the file; no location is in this one. */
static void add_input(struct writer *w)
{
	const struct profile *p = w->view->profile;
	const char *name = p->n_files ? p->files[0].name : "";
	wire_add_number(&w->message, 1, ++w->n_modules);
	wire_add_number(&w->message, 5, *name ? string(w, name, strlen(name)) : 0);
	wire_add_number(&w->message, 7, true);
	end_message(w, MAPPING);
}

/* What the view leaves out, a line each: `go tool pprof -comments` prints them. */
static void add_comments(struct writer *w)
{
	struct buf notes;
	buf_init(&notes);
	top_add_notes(&notes, w->view, w->options, "", "\n");
	top_add_idle(&notes, w->view, w->options, "", "\n");
	if (w->whole.is_cut)
		buf_adds(&notes, "values above 2^63 - 1 were cut\n");
	for (const char *line = buf_str(&notes); *line;) {
		size_t n = strcspn(line, "\n");
		wire_add_number(&w->text, COMMENT, string(w, line, n));
		line += n + (line[n] == '\n');
	}
	buf_deinit(&notes);
}

static bool pprof_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct symtab marked;
	const struct symtab *t = view_file_names(v, &marked);
	struct writer w = {.view = v, .options = o, .symtab = t, .out = compressor_new(COMPRESSION_GZIP, out)};
	w.locations = mem_zalloc(t->n + 1, sizeof *w.locations);
	w.modules = mem_zalloc(t->n + 1, sizeof *w.modules);
	string(&w, "", 0);
	add_input(&w);
	w.whole = whole_begin(v);
	w.has_two_types = view_has_two_units(v);
	add_type(&w);
	stacks_each(v, add_stack, &w, o->progress);
	add_comments(&w);
	flush(&w);
	compressor_finish(w.out);
	idmap_deinit(&w.strings);
	buf_deinit(&w.text);
	buf_deinit(&w.message);
	buf_deinit(&w.part);
	buf_deinit(&w.stack);
	free(w.locations);
	free(w.modules);
	symtab_deinit(&marked);
	return whole_end(&w.whole, v, o->loss, err);
}

const struct export_kind export_pprof = {
	.name = "pprof",
	.bit = EXPORT_PPROF,
	.help = "a profile for pprof and what reads its files, compressed by gzip",
	.holds = EXPORT_HOLDS(FLAME),
	.is_binary = true,
	.write = pprof_write,
};
