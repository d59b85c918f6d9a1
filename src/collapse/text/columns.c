/*
 * columns.c - handles samples with several numbers: each becomes a series, the requested one first.
 *
 * GHC reports time, ticks and bytes for each cost centre, VTune sizes and counts of allocations, pprof any values
 * that the program measured. All are kept, so that the viewer can switch; --value only decides which one is shown
 * first.
 */
#include "collapse/text/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "model/profile.h"

/* "time, ticks, bytes" */
static void list_names(struct buf *out, const struct column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (columns[i].is_absent)
			continue;
		buf_adds(out, out->len ? ", " : "");
		buf_adds(out, columns[i].name);
	}
}

static bool no_column(const char *asked, bool is_known, const struct column *columns, size_t n, struct err *err)
{
	struct buf names;
	buf_init(&names);
	list_names(&names, columns, n);
	fail(err,
	     is_known ? "expected a '%s' column but it is not present (there are: %s)"
	              : "no values are called '%s' (there are: %s)",
	     asked, buf_str(&names));
	buf_deinit(&names);
	return false;
}

/* Very many columns may share a long name: it is known by its address. */
static uint32_t symbol_of(struct idmap *known, struct sink *sink, const char *name)
{
	uint32_t sym;
	if (idmap_find(known, (uintptr_t)name, &sym))
		return sym;
	sym = sink_sym(sink, name, strlen(name));
	idmap_add(known, (uintptr_t)name, sym);
	return sym;
}

static uint32_t declare(struct idmap *known, struct sink *sink, const struct column *column)
{
	uint32_t unit = column->unit ? symbol_of(known, sink, column->unit) : 0;
	return profile_series(sink->profile, symbol_of(known, sink, column->name), unit);
}

/* Values of one name and unit have one series. */
static void say_joined(struct sink *sink, const uint32_t *series, size_t n)
{
	bool *is_met = mem_zalloc(sink->profile->n_series + 1, sizeof *is_met);
	for (size_t i = 0; i < n; i++) {
		if (series[i] == UINT32_MAX)
			continue;
		if (is_met[series[i]])
			sink_warn(sink, "values of the same name and unit are added up", 0, NULL, 0);
		is_met[series[i]] = true;
	}
	free(is_met);
}

bool columns_declare(struct sink *sink, const struct column *columns, size_t n, size_t first, uint32_t *series,
                     struct err *err)
{
	const char *asked = sink->options->value;
	struct idmap known = {0};
	for (size_t i = 0; asked && i <= n; i++) {
		if (i == n)
			return no_column(asked, false, columns, n, err);
		if (strcmp(columns[i].name, asked) != 0)
			continue;
		if (columns[i].is_absent)
			return no_column(asked, true, columns, n, err);
		first = i;
		break;
	}
	series[first] = declare(&known, sink, &columns[first]);
	for (size_t i = 0; i < n; i++) {
		if (i != first)
			series[i] = columns[i].is_absent ? UINT32_MAX : declare(&known, sink, &columns[i]);
	}
	idmap_deinit(&known);
	say_joined(sink, series, n);
	return true;
}

void columns_overlap(struct sink *sink, const uint32_t *series, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			profile_overlap(sink->profile, series[i], series[k]);
}
