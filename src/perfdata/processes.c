/*
 * processes.c - processes and threads as they change during a recording.
 *
 * This follows perf, so that both name the same frames:
 *
 *	fork     a new process gets its parent's maps; a new thread gets its name, too
 *	exec     gives the thread a new name. The old maps stay: the kernel's samples between the new name and the
 *	         first new map still have addresses in the old program. New maps replace those they overlap.
 *	exit     changes nothing
 */
#include "perfdata/processes.h"

#include "base/mem.h"

#define UNKNOWN UINT32_MAX

void perfdata_processes_init(struct perfdata_processes *p)
{
	*p = (struct perfdata_processes){0};
	perfdata_set_comm(p, 0, "swapper", 7);
}

void perfdata_processes_deinit(struct perfdata_processes *p)
{
	for (size_t i = 0; i < p->n; i++) {
		perfdata_maps_free(p->all[i]->maps);
		free(p->all[i]);
	}
	free(p->all);
	free(p->comms);
	idmap_deinit(&p->by_pid);
	idmap_deinit(&p->by_tid);
	perfdata_names_deinit(&p->names);
}

/* An idmap keeps neighbouring ids together; 32-bit ids are taken as unsigned. */
static uint32_t find(const struct idmap *ids, int32_t id)
{
	uint32_t number;
	return idmap_find(ids, (uint32_t)id, &number) ? number : UNKNOWN;
}

struct perfdata_process *perfdata_process(struct perfdata_processes *p, int32_t pid)
{
	uint32_t number = find(&p->by_pid, pid);
	if (number != UNKNOWN)
		return p->all[number];
	struct perfdata_process *process = mem_zalloc(1, sizeof *process);
	process->pid = pid;
	idmap_add(&p->by_pid, (uint32_t)pid, (uint32_t)p->n);
	mem_push(p->all, p->n, p->cap, process);
	return process;
}

void perfdata_process_map(struct perfdata_process *process, const struct perfdata_map *map)
{
	process->maps = perfdata_maps_insert(process->maps, map);
	process->generation++;
}

const struct perfdata_map *perfdata_map_at(const struct perfdata_process *process, uint64_t address)
{
	return perfdata_maps_at(process->maps, address);
}

const char *perfdata_comm(const struct perfdata_processes *p, int32_t tid)
{
	uint32_t number = find(&p->by_tid, tid);
	return number == UNKNOWN ? NULL : p->comms[number];
}

static void set_comm(struct perfdata_processes *p, int32_t tid, const char *comm)
{
	uint32_t number = find(&p->by_tid, tid);
	if (number == UNKNOWN) {
		number = (uint32_t)p->n_threads;
		idmap_add(&p->by_tid, (uint32_t)tid, number);
		mem_push(p->comms, p->n_threads, p->cap_threads, NULL);
	}
	p->comms[number] = comm;
}

void perfdata_set_comm(struct perfdata_processes *p, int32_t tid, const char *comm, size_t len)
{
	set_comm(p, tid, perfdata_names_keep(&p->names, comm, len));
}

void perfdata_fork(struct perfdata_processes *p, const struct perfdata_fork *fork)
{
	if (fork->tid != fork->ptid)
		set_comm(p, fork->tid, perfdata_comm(p, fork->ptid));
	if (fork->pid == fork->ppid)
		return;
	struct perfdata_process *parent = perfdata_process(p, fork->ppid), *child = perfdata_process(p, fork->pid);
	struct perfdata_maps *old = child->maps;
	child->maps = fork->keeps_maps ? perfdata_maps_share(parent->maps) : NULL;
	perfdata_maps_free(old);
	child->generation++;
	memcpy(child->namespaces, parent->namespaces, sizeof child->namespaces);
}
