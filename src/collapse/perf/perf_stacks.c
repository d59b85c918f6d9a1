/*
 * perf_stacks.c - hands stack dumps to the unwinder (symbols/unwind.h), with the maps of the recording and the
 * files that symbols come from.
 *
 * The unwinder reads a dump in place, in the memory of the recording's reader, and keeps nothing of it.
 */
#include "collapse/perf/perf_stacks.h"

#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "symbols/unwind.h"

#define MOST_FRAMES ((size_t)8192) /* a return address each: no dump has more */
#define MOST_DUMP ((size_t)65528)  /* bytes that perf record copies */

struct perf_stacks {
	struct perfdata *recording;
	struct perf_symbols *symbols;
	struct report *report;
	struct unwinder *unwinder; /* NULL: not needed yet */
	uint16_t machine;
	uint64_t addresses[MOST_FRAMES];
};

struct perf_stacks *perf_stacks_new(struct perfdata *recording, struct perf_symbols *symbols, struct report *report)
{
	struct perf_stacks *p = mem_alloc(sizeof *p);
	*p = (struct perf_stacks){.recording = recording, .symbols = symbols, .report = report};
	return p;
}

void perf_stacks_free(struct perf_stacks *p)
{
	if (!p)
		return;
	const char *trouble = p->unwinder ? unwind_trouble(p->unwinder) : NULL;
	if (trouble)
		report_add(p->report, NOTE_WARN, "stacks may miss callers: call frame information was not read", NULL, 0,
		           trouble, strlen(trouble));
	if (p->unwinder && unwind_has_given_up(p->unwinder))
		report_add(p->report, NOTE_WARN,
		           "stacks may miss callers: call frame information takes too much work, or leads to more than "
		           "their dumps can hold",
		           NULL, 0, NULL, 0);
	unwinder_free(p->unwinder);
	free(p);
}

static uint16_t this_machine(void)
{
	struct utsname own;
	return uname(&own) == 0 ? unwind_machine(own.machine) : 0;
}

static uint16_t machine_of(const struct perfdata *recording)
{
	const char *arch = perfdata_facts(recording)->arch;
	return arch ? unwind_machine(arch) : this_machine();
}

bool perf_stacks_can(const struct perfdata *recording)
{
	return unwind_can(machine_of(recording));
}

bool perf_stacks_can_here(void)
{
	return unwind_can(this_machine());
}

static bool map_at(void *arg, const void *process, uint64_t address, struct unwind_map *out)
{
	struct perf_stacks *p = arg;
	const struct perfdata_map *map = perfdata_map_at(process, address);
	const char *path = map ? perf_symbols_path(p->symbols, process, map) : NULL;
	if (!path)
		return false;
	const struct perfdata_file *file = perfdata_file(p->recording, map->file);
	*out = (struct unwind_map){.start = map->start,
	                           .end = map->end,
	                           .pgoff = map->pgoff,
	                           .path = path,
	                           .build_id = file->build_id.bytes,
	                           .n_build_id = file->build_id.n};
	return true;
}

/*
 * Is the dump full? One that is not ends where the stack ends, so nothing was cut. `flametop sample` leaves out
 * what was reserved and not filled, so that as much is reserved as is filled. The kernel reserves less than was
 * asked for only at the end of the largest record.
 */
static bool is_full(const struct perf_stacks *p, const struct perfdata_sample *s)
{
	size_t asked = perfdata_event(p->recording, s->event)->sample_stack_user;
	return s->n_stack >= s->n_reserved && (s->n_reserved >= asked || s->n_reserved >= MOST_DUMP - 4096);
}

static void note_cut(struct perf_stacks *p, const struct perfdata_sample *s)
{
	char advice[80];
	size_t more = s->n_reserved < MOST_DUMP / 2 ? 2 * s->n_reserved : MOST_DUMP;
	if (!is_full(p, s))
		return;
	if (s->n_reserved >= MOST_DUMP - 4096)
		snprintf(advice, sizeof advice, "perf dumps no more than %zu bytes of a stack", MOST_DUMP);
	else
		snprintf(advice, sizeof advice, "record with --call-graph dwarf,%zu", more);
	report_add(p->report, NOTE_WARN, "stacks are cut, because they were larger than their dumps", NULL, 0, advice,
	           strlen(advice));
}

static void note_useless(struct perf_stacks *p)
{
	report_add(p->report, NOTE_WARN,
	           "dumps of stacks are not unwound: of user space there is only the function at work", NULL, 0, NULL,
	           0);
}

size_t perf_stacks_unwind(struct perf_stacks *p, const struct perfdata_sample *s, const uint64_t **addresses)
{
	bool is_cut = false;
	size_t n;
	if (!s->n_stack || !s->regs_abi)
		return 0;
	if (!p->unwinder) {
		p->machine = machine_of(p->recording);
		p->unwinder = unwinder_new(map_at, p);
	}
	n = unwind_stack(p->unwinder,
	                 &(struct unwind_input){.process = s->process,
	                                        .pid = s->process->pid,
	                                        .generation = s->process->generation,
	                                        .machine = p->machine,
	                                        .abi = s->regs_abi,
	                                        .mask = s->regs_mask,
	                                        .regs = s->regs,
	                                        .stack = s->stack,
	                                        .n_stack = s->n_stack},
	                 p->addresses, MOST_FRAMES, &is_cut);
	if (!n)
		note_useless(p);
	if (is_cut)
		note_cut(p, s);
	*addresses = p->addresses;
	return n;
}
