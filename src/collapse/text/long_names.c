/*
 * long_names.c - symbols of the long texts in an input's table, each made once.
 */
#include "collapse/text/long_names.h"

#include "base/buf.h"
#include "base/mem.h"

#define NOT_MADE NO_SYMBOL

struct long_name {
	uint32_t sym, frame, module; /* NOT_MADE: not yet known */
	struct origin place;         /* without a line of its own; source NOT_MADE: not yet known */
	size_t base;                 /* SIZE_MAX: not yet known */
	bool is_mended;              /* of the frame's symbol, as it was */
};

void long_names_deinit(struct long_names *l)
{
	idmap_deinit(&l->ids);
	free(l->names);
	*l = (struct long_names){0};
}

static struct long_name *find(struct long_names *l, uint64_t number, enum long_form form)
{
	uint64_t id = number * N_LONG_FORMS + form;
	uint32_t at = (uint32_t)l->n;
	if (idmap_find(&l->ids, id, &at))
		return &l->names[at];
	idmap_add(&l->ids, id, at);
	mem_push(l->names, l->n, l->cap,
	         ((struct long_name){NOT_MADE, NOT_MADE, NOT_MADE, {.source = NOT_MADE}, SIZE_MAX, false}));
	return &l->names[at];
}

static uint32_t make_frame(struct sink *sink, struct slice name, enum long_form form)
{
	struct buf text;
	if (form == FORM_PLAIN)
		return sink_frame(sink, name.s, name.n);
	buf_init(&text);
	buf_adds(&text, form == FORM_BRACKETS ? "[" : "");
	buf_add(&text, name.s, name.n);
	buf_adds(&text, form == FORM_BRACKETS ? "]" : "_[i]");
	uint32_t sym = sink_frame(sink, text.data, text.len);
	buf_deinit(&text);
	return sym;
}

/* A name that another one was made equal to is made again, so that this is told. */
uint32_t long_names_frame(struct long_names *l, struct sink *sink, const struct numbered *t, enum long_form form)
{
	if (t->text.n < SYMBOL_LONG)
		return make_frame(sink, t->text, form);
	struct long_name *name = find(l, t->number, form);
	const struct symtab *symtab = &sink->profile->symtab;
	if (name->frame == NOT_MADE || name->is_mended != symtab->symbols[name->frame].is_mended) {
		name->frame = make_frame(sink, t->text, form);
		name->is_mended = symtab->symbols[name->frame].is_mended;
	}
	return name->frame;
}

uint32_t long_names_file(struct long_names *l, struct sink *sink, const struct numbered *t)
{
	if (t->text.n < SYMBOL_LONG)
		return sink_file(sink, t->text.s, t->text.n);
	struct long_name *name = find(l, t->number, FORM_PLAIN);
	if (name->sym == NOT_MADE)
		name->sym = sink_file(sink, t->text.s, t->text.n);
	return name->sym;
}

static size_t base_of(struct slice path)
{
	size_t slash = slice_find_last(path, '/');
	return slash == SIZE_MAX ? 0 : slash + 1;
}

struct slice long_names_base(struct long_names *l, const struct numbered *t)
{
	if (t->text.n < SYMBOL_LONG)
		return slice_from(t->text, base_of(t->text));
	struct long_name *name = find(l, t->number, FORM_PLAIN);
	if (name->base == SIZE_MAX)
		name->base = base_of(t->text);
	return slice_from(t->text, name->base);
}

static struct origin place_of(struct long_names *l, struct sink *sink, const struct numbered *file, uint64_t line)
{
	if (file->text.n < SYMBOL_LONG)
		return sink_place(sink, file->text.s, file->text.n, line);
	if (line)
		return (struct origin){.source = long_names_file(l, sink, file),
		                       .line = line <= LINE_MOST ? (uint32_t)line : 0};
	struct long_name *name = find(l, file->number, FORM_PLAIN);
	if (name->place.source == NOT_MADE)
		name->place = sink_place(sink, file->text.s, file->text.n, 0);
	return name->place;
}

static uint32_t module_of(struct long_names *l, struct sink *sink, const struct numbered *module)
{
	if (module->text.n < SYMBOL_LONG)
		return sink_module_sym(sink, module->text.s, module->text.n);
	struct long_name *name = find(l, module->number, FORM_PLAIN);
	if (name->module == NOT_MADE)
		name->module = sink_module_sym(sink, module->text.s, module->text.n);
	return name->module;
}

uint32_t long_names_origin(struct long_names *l, struct sink *sink, uint32_t frame, const struct numbered *module,
                           const struct numbered *file, uint64_t line)
{
	struct origin o = place_of(l, sink, file, line);
	o.module = module_of(l, sink, module);
	return o.module || o.source ? symtab_frame(&sink->profile->symtab, frame, o) : frame;
}
