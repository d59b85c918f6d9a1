/*
 * options_basic.c - options without a command line: their defaults, taking one, and which do not go together.
 */
#include "options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "collapse/load/effect.h"

void shown_options_init(struct shown_options *s)
{
	*s = (struct shown_options){.sort = N_TOP_COLUMNS,
	                            .scroll = {SCROLL_AS_USUAL, SCROLL_AS_USUAL},
	                            .heat_at = NO_HEAT_TIME,
	                            .heat_mark = NO_HEAT_TIME};
}

void options_init(struct options *o)
{
	memset(o, 0, sizeof *o);
	recipe_init(&o->recipe);
	arena_init(&o->arena);
	o->export_.min_width = -1;
	o->export_.fail_above = -1;
	o->export_.reads_as_folded = collapse_reads_as_folded;
	o->record.no_inline = true;
	shown_options_init(&o->shown);
}

bool options_ask_for_file(const struct options *o)
{
	return !o->is_script && (o->output || o->to || o->push || o->export_.fail_above >= 0 || !isatty(STDOUT_FILENO));
}

void options_drop_input(struct options *o)
{
	free((void *)(uintptr_t)o->collapse.skip_after);
	free((void *)(uintptr_t)o->collapse.path_maps);
	effect_clear(&o->collapse);
}

void options_deinit(struct options *o)
{
	options_drop_input(o);
	free(o->files);
	free(o->diffs);
	free((void *)(uintptr_t)o->source_paths);
	free(o->shown.expanded);
	free(o->record.pids);
	free(o->record.tids);
	free(o->given);
	free(o->bindings);
	free(o->source.headers);
	recipe_deinit(&o->recipe);
	arena_deinit(&o->arena);
}

bool options_take(struct options *o, const struct option_row *row, const char *value, bool is_foreign,
                  struct err *err)
{
	struct option_given given = {row, value, is_foreign};
	mem_push(o->given, o->n_given, o->cap_given, given);
	return option_set(o, row, value, err);
}

bool options_have(const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->n_given; i++)
		if (o->given[i].row->name && strcmp(o->given[i].row->name, name) == 0)
			return true;
	return false;
}

bool options_fit_together(const struct options *o, struct err *err)
{
	static const char *const conflicts[][2] = {
		{"hash", "deterministic"},    {"hash", "random"},     {"deterministic", "random"},
		{"colordiffusion", "colors"}, {"reverse", "no-sort"}, {"flamechart", "no-sort"},
		{"flamechart", "sort"},       {"perfdata", "pid"},    {"perfdata", "tid"},
		{"perfdata", "all-cpus"},     {"perfdata", "cgroup"}, {"absolute", "normalize"},
		{"no-diff", "fail-above"},
	};
	bool is_record = o->record.is_record;
	for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++)
		if (options_have(o, conflicts[i][0]) && options_have(o, conflicts[i][1]) &&
		    (is_record || strcmp(conflicts[i][0], "perfdata") != 0))
			return fail(err, "--%s and --%s do not go together", conflicts[i][0], conflicts[i][1]);
	if (o->shown.is_chart && (options_have(o, "sort") || options_have(o, "no-sort")))
		return fail(err, "--view=chart and --%s do not go together", options_have(o, "sort") ? "sort" : "no-sort");
	return true;
}
