/*
 * mapped_names.c - names of functions, from addresses and maps.
 */
#include "collapse/formats/mapped_names.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "symbols/symbols.h"

struct place {
	uint64_t start, end, offset;
	uint32_t file; /* number in `symbols` */
};

struct mapped_names {
	struct symbols *symbols;
	struct place *places;
	size_t n, cap;
	bool is_sorted;
};

struct mapped_names *mapped_names_new(const struct mapped_source *source, struct report *report)
{
	struct mapped_names *m = mem_zalloc(1, sizeof *m);
	const struct symbols_options options = {
		.places = source->places,
		.uses_servers = source->uses_servers,
		.stop = source->stop,
		.found = source->found,
		.period = {1, 0}, /* no process of today is that of the profile */
	};
	m->symbols = symbols_new(&options, source->found ? NULL : report); /* the list says what is missing */
	return m;
}

void mapped_names_free(struct mapped_names *m)
{
	if (!m)
		return;
	symbols_free(m->symbols);
	free(m->places);
	free(m);
}

void mapped_names_add(struct mapped_names *m, const struct mapping *map)
{
	struct place place = {map->start, map->end, map->offset, SYMBOLS_NO_FILE};
	if (*map->path)
		place.file = symbols_file(m->symbols, &(struct symbols_file){.name = map->path}, -1);
	const struct place *last = m->n ? &m->places[m->n - 1] : NULL;
	if (last && last->start == place.start && last->end == place.end && last->offset == place.offset &&
	    last->file == place.file)
		return; /* the same line again takes no memory */
	mem_push(m->places, m->n, m->cap, place);
	m->is_sorted = false;
}

void mapped_names_forget(struct mapped_names *m)
{
	m->n = 0;
	m->is_sorted = false;
}

static int by_start(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static const struct place *place_at(struct mapped_names *m, uint64_t address)
{
	size_t from = 0, to = m->n;
	if (!m->is_sorted && m->n)
		sort_array(m->places, m->n, sizeof *m->places, by_start);
	m->is_sorted = true;
	while (from < to) {
		size_t mid = from + (to - from) / 2;
		if (m->places[mid].start <= address)
			from = mid + 1;
		else
			to = mid;
	}
	return from && address < m->places[from - 1].end ? &m->places[from - 1] : NULL;
}

struct mapped_name mapped_names_at(struct mapped_names *m, uint64_t address)
{
	const struct place *place = place_at(m, address);
	struct symbol found;
	if (!place || place->file == SYMBOLS_NO_FILE)
		return (struct mapped_name){0};
	const struct symbols_query query = {.space = SYMBOLS_USER,
	                                    .pid = -1,
	                                    .file = place->file,
	                                    .map_start = place->start,
	                                    .pgoff = place->offset,
	                                    .address = address};
	symbols_find(m->symbols, &query, &found);
	return (struct mapped_name){found.name, found.module};
}
