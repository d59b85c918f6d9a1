/*
 * pprof_tables.c - the tables of a profile.proto.
 */
#include "collapse/formats/pprof_tables.h"

#include <stdlib.h>

#include "base/mem.h"
#include "collapse/formats/pprof_wire.h"

#define MOST_STRINGS (1u << 27)
#define MOST_TYPES (1u << 16)

void pprof_tables_init(struct pprof_tables *p)
{
	*p = (struct pprof_tables){.strings = NULL};
	symtab_init(&p->names);
}

void pprof_tables_deinit(struct pprof_tables *p)
{
	symtab_deinit(&p->names);
	free(p->strings);
	free(p->types);
	free(p->functions);
	free(p->mappings);
	free(p->locations);
	free(p->lines);
	idmap_deinit(&p->function_ids);
	idmap_deinit(&p->mapping_ids);
	idmap_deinit(&p->location_ids);
}

bool pprof_malformed(struct err *err, const char *what)
{
	return fail(err, "malformed pprof profile: %s", what);
}

bool pprof_find_string(const struct pprof_tables *p, uint64_t index, struct slice *s)
{
	if (index >= p->n_strings)
		return false;
	const struct symbol *name = &p->names.symbols[p->strings[index]];
	*s = (struct slice){name->name, name->len};
	return true;
}

static bool add_id(struct idmap *ids, uint64_t id, size_t index)
{
	return id && index < UINT32_MAX && idmap_add(ids, id, (uint32_t)index);
}

bool pprof_add_function(struct pprof_tables *p, struct slice message, struct err *err)
{
	uint64_t v[6];
	if (!wire_read_numbers(message, v, 5) || !add_id(&p->function_ids, v[1], p->n_functions))
		return pprof_malformed(err, "a function without an id of its own (several profiles in one file?)");
	mem_push(p->functions, p->n_functions, p->cap_functions, ((struct pprof_function){v[2], v[4], v[5], false}));
	return true;
}

bool pprof_add_mapping(struct pprof_tables *p, struct slice message, struct err *err)
{
	uint64_t v[6];
	if (!wire_read_numbers(message, v, 5) || !add_id(&p->mapping_ids, v[1], p->n_mappings))
		return pprof_malformed(err, "a mapping without an id of its own (several profiles in one file?)");
	mem_push(p->mappings, p->n_mappings, p->cap_mappings, ((struct pprof_mapping){v[2], v[3], v[4], v[5]}));
	return true;
}

uint32_t pprof_location_number(struct pprof_tables *p, uint64_t id)
{
	uint32_t index = (uint32_t)p->n_locations;
	if (idmap_find(&p->location_ids, id, &index))
		return index;
	if (index >= UINT32_MAX - 1)
		mem_exhausted();
	idmap_add(&p->location_ids, id, index);
	mem_push(p->locations, p->n_locations, p->cap_locations, ((struct pprof_location){0}));
	return index;
}

/* A damaged line gets function 0, which does not exist. */
static void add_lines(struct pprof_tables *p, struct pprof_location *l, struct slice message)
{
	struct wire_field f;
	uint64_t v[3];
	bool is_bad = false;
	l->first = p->n_lines;
	while (wire_take_field(&message, &f, &is_bad)) {
		if (f.number != 4 || f.wire != WIRE_BYTES)
			continue;
		bool is_good = wire_read_numbers(f.bytes, v, 2);
		mem_push(p->lines, p->n_lines, p->cap_lines,
		         (is_good ? (struct pprof_line){v[1], v[2]} : (struct pprof_line){0, 0}));
	}
	l->n = p->n_lines - l->first;
}

bool pprof_add_location(struct pprof_tables *p, struct slice message, struct err *err)
{
	uint64_t v[4];
	uint32_t index = wire_read_numbers(message, v, 3) && v[1] ? pprof_location_number(p, v[1]) : UINT32_MAX;
	if (index == UINT32_MAX || p->locations[index].is_there)
		return pprof_malformed(err, "a location without an id of its own (several profiles in one file?)");
	struct pprof_location *l = &p->locations[index];
	*l = (struct pprof_location){.mapping = v[2], .address = v[3], .is_there = true};
	add_lines(p, l, message);
	return true;
}

bool pprof_add_type(struct pprof_tables *p, struct slice message, struct err *err)
{
	uint64_t v[3];
	if (!wire_read_numbers(message, v, 2))
		return pprof_malformed(err, "a damaged sample type");
	if (p->n_types == MOST_TYPES)
		return pprof_malformed(err, "more than 65,536 sample types");
	mem_push(p->types, p->n_types, p->cap_types, ((struct pprof_type){v[1], v[2]}));
	return true;
}

bool pprof_add_string(struct pprof_tables *p, struct slice text, struct err *err)
{
	if (p->n_strings == MOST_STRINGS)
		return pprof_malformed(err, "more than 134,217,728 strings");
	mem_push(p->strings, p->n_strings, p->cap_strings, symtab_intern(&p->names, text.s, text.n));
	return true;
}
