/*
 * touched.c - compares the sizes of processes with the pages in samples.
 */
#include "record/sampler/touched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "record/sampler/records.h"

#define LEAST ((uint64_t)16 << 20) /* bytes that are worth a word */
#define SHARE 10                   /* a tenth of the size, likewise */

struct touched_process {
	pid_t pid;
	bool is_watched;      /* it ran before */
	uint64_t seen;        /* bytes in samples */
	uint64_t first, most; /* bytes in memory, if it is watched */
};

static uint64_t largest(int who)
{
	struct rusage r;
	return getrusage(who, &r) == 0 ? (uint64_t)r.ru_maxrss * 1024 : 0;
}

void touched_begin(struct touched *t, const struct counters *c)
{
	t->own = largest(RUSAGE_SELF);
	for (uint32_t i = 0; c->allocators && i < c->n_events; i++) {
		const struct abi_attr *a = &c->events[i].attr;
		if (a->type != ABI_SOFTWARE || a->config != ABI_PAGE_FAULTS)
			continue;
		t->counters = c;
		t->event = i;
	}
}

void touched_deinit(struct touched *t)
{
	free(t->v);
	idmap_deinit(&t->by_pid);
	*t = (struct touched){0};
}

static struct touched_process *process_of(struct touched *t, pid_t pid)
{
	uint32_t at = idmap_value(&t->by_pid, (uint32_t)pid, (uint32_t)t->n);
	if (at == t->n)
		mem_push(t->v, t->n, t->cap, (struct touched_process){.pid = pid});
	return &t->v[at];
}

/* "VmHWM:    1234 kB". 0: it has ended. */
static uint64_t size_of(pid_t pid, const char *which)
{
	char path[64], text[64];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	return proc_line(path, which, text, sizeof text) ? strtoull(text, NULL, 10) * 1024 : 0;
}

void touched_add(struct touched *t, pid_t pid)
{
	if (!t->counters || pid <= 0)
		return;
	struct touched_process *p = process_of(t, pid);
	p->is_watched = true;
	p->first = p->most = size_of(pid, "VmRSS:");
}

void touched_look(struct touched *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct touched_process *p = &t->v[i];
		uint64_t now = p->is_watched ? size_of(p->pid, "VmRSS:") : 0;
		p->most = now > p->most ? now : p->most;
	}
}

void touched_take(struct touched *t, const struct abi_record *sample)
{
	uint32_t event;
	uint64_t period;
	if (!t->counters || sample->size < sizeof *sample + (RECORDS_WORD_OF_PERIOD + 1) * sizeof period ||
	    !idmap_find(&t->counters->owners, records_id(sample), &event) || event != t->event)
		return;
	memcpy(&period, (const char *)(sample + 1) + RECORDS_WORD_OF_PERIOD * sizeof period, sizeof period);
	process_of(t, records_number(sample, RECORDS_PID_OF_SAMPLE))->seen += period * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool is_much(uint64_t seen, uint64_t size)
{
	return size > seen && size - seen > LEAST && size - seen > size / SHARE;
}

static void tell(const char *whose, uint64_t seen, uint64_t size, uint64_t lost)
{
	err_printf(
		"touched-bytes has %.1f of the %.1f MB by which %s grew: a huge page counts as %ld KiB, and pages that "
		"the kernel maps ahead (MAP_POPULATE, files) do not count%s",
		(double)seen / 1e6, (double)size / 1e6, whose, sysconf(_SC_PAGESIZE) / 1024,
		lost ? ", nor do those of lost samples" : "");
}

/*
 * The largest of all processes of a command, whichever it was, has no more pages in samples than this. A child is
 * as large as the sampler until it runs its program, which counts for it.
 */
static void tell_of_command(const struct touched *t, uint64_t lost)
{
	uint64_t seen = 0, size = largest(RUSAGE_CHILDREN);
	for (size_t i = 0; i < t->n; i++)
		seen = t->v[i].seen > seen ? t->v[i].seen : seen;
	if (size > t->own && is_much(seen, size))
		tell("its largest process", seen, size, lost);
}

void touched_tell(struct touched *t, bool has_ended, uint64_t lost)
{
	char whose[48];
	if (!t->counters)
		return;
	touched_look(t);
	if (has_ended)
		tell_of_command(t, lost);
	for (size_t i = 0; i < t->n; i++) {
		const struct touched_process *p = &t->v[i];
		if (!p->is_watched || !is_much(p->seen, p->most - p->first))
			continue;
		snprintf(whose, sizeof whose, "process %ld", (long)p->pid);
		tell(whose, p->seen, p->most - p->first, lost);
	}
}
