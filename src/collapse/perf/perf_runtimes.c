/*
 * perf_runtimes.c - counts samples in code that programs made, by process.
 */
#include "collapse/perf/perf_runtimes.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "symbols/runtimes.h"

#define SHARE 20u                 /* one sample in so many is too many */
#define LOOK UINT64_C(2000000000) /* ns from the first sample of a process to the first look; then twice as many */
#define LEAST 64u                 /* samples, for a look */

struct advised {
	const struct perfdata_process *process; /* NULL: it has no sample yet */
	const struct runtime *runtime;          /* NULL: none is known */
	struct perfdata_map map;                /* of its file */
	uint64_t samples, nameless;
	uint64_t first, wait; /* time of the first sample, and until the next look */
};

struct perf_runtimes {
	struct perfdata *recording;
	struct perf_symbols *symbols;
	struct report *report;
	struct advised *all;
	size_t n, cap;
	struct idmap by_pid; /* processes with a runtime */
	bool is_given[N_RUNTIMES];
};

struct perf_runtimes *perf_runtimes_new(struct perfdata *recording, struct perf_symbols *symbols,
                                        struct report *report)
{
	struct perf_runtimes *a = mem_zalloc(1, sizeof *a);
	a->recording = recording;
	a->symbols = symbols;
	a->report = report;
	return a;
}

/* NULL: the process has no runtime. */
static struct advised *find(struct perf_runtimes *a, int32_t pid)
{
	uint32_t at;
	return idmap_find(&a->by_pid, (uint32_t)pid, &at) ? &a->all[at] : NULL;
}

static void add(struct perf_runtimes *a, int32_t pid, const struct advised *fresh)
{
	struct advised *known = find(a, pid);
	if (known) {
		known->runtime = fresh->runtime;
		known->map = fresh->map;
		return;
	}
	mem_push(a->all, a->n, a->cap, *fresh);
	idmap_add(&a->by_pid, (uint32_t)pid, (uint32_t)(a->n - 1));
}

void perf_runtimes_map(struct perf_runtimes *a, const struct perfdata_process *process,
                       const struct perfdata_map *map)
{
	const struct runtime *r = runtime_of(perfdata_file(a->recording, map->file)->name);
	if (r && process->pid != KERNEL_PID)
		add(a, process->pid, &(struct advised){.runtime = r, .map = *map});
}

void perf_runtimes_fork(struct perf_runtimes *a, int32_t pid, int32_t parent)
{
	struct advised *from = find(a, parent);
	if (from && from->runtime)
		add(a, pid, &(struct advised){.runtime = from->runtime, .map = from->map});
}

static void give(struct perf_runtimes *a, const struct advised *one)
{
	struct buf place;
	size_t number = one->runtime ? (size_t)(one->runtime - runtimes) : 0;
	if (!one->runtime || a->is_given[number] || one->nameless * SHARE <= one->samples ||
	    perf_symbols_has_jit(a->symbols, one->process->pid))
		return;
	a->is_given[number] = true;
	buf_init(&place);
	buf_adds(&place, "This is ");
	runtime_add_name(&place, one->runtime, perfdata_file(a->recording, one->map.file)->name,
	                 perf_symbols_path(a->symbols, one->process, &one->map));
	buf_adds(&place, " without a perf map");
	report_add(a->report, NOTE_WARN, one->runtime->how, buf_str(&place), 0, NULL, 0);
	buf_deinit(&place);
}

void perf_runtimes_exec(struct perf_runtimes *a, int32_t pid)
{
	struct advised *one = find(a, pid);
	if (!one)
		return;
	give(a, one);
	one->runtime = NULL;
	one->samples = one->nameless = 0;
}

void perf_runtimes_free(struct perf_runtimes *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n; i++)
		if (a->all[i].process)
			give(a, &a->all[i]);
	free(a->all);
	idmap_deinit(&a->by_pid);
	free(a);
}

static bool is_made(const struct perf_runtimes *a, const struct perfdata_sample *s)
{
	const struct perfdata_map *map = (s->misc & CPUMODE) == MODE_USER ? perfdata_map_at(s->process, s->ip) : NULL;
	return map && runtime_is_memory(perfdata_file(a->recording, map->file)->name);
}

void perf_runtimes_sample(struct perf_runtimes *a, const struct perfdata_sample *s, bool has_functions)
{
	struct advised *one = a->n && s->process ? find(a, s->process->pid) : NULL;
	if (!one || !one->runtime)
		return;
	if (!one->samples++) {
		one->process = s->process;
		one->first = s->time;
		one->wait = LOOK;
	}
	one->nameless += !has_functions && is_made(a, s);
	if ((int64_t)(s->time - one->first) < (int64_t)one->wait || one->samples < LEAST)
		return;
	one->wait *= 2;
	give(a, one);
}
