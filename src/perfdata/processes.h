/*
 * processes.h - processes and threads as they change during a recording: maps, names, namespaces.
 *
 * Processes that end are kept, since samples of them may follow. When the system reuses a pid, the new process
 * takes the old one's place.
 */
#ifndef PERFDATA_PROCESSES_H
#define PERFDATA_PROCESSES_H

#include <stdbool.h>

#include "perfdata/files.h"
#include "perfdata/maps.h"

#define KERNEL_PID (-1)

/* In the record's order: network, UTS, IPC, pid, user, mount, cgroup. */
enum perfdata_namespace { NAMESPACE_PID = 3, NAMESPACE_MOUNT = 5, NAMESPACES = 7 };

struct perfdata_process {
	int32_t pid;
	uint32_t generation; /* grows with each change of the maps; for caches */
	struct perfdata_maps *maps;
	uint64_t namespaces[NAMESPACES]; /* inode numbers; 0: not recorded */
};

struct perfdata_processes {
	struct idmap by_pid, by_tid;
	struct perfdata_process **all; /* they do not move */
	size_t n, cap;
	const char **comms; /* by number of the thread; NULL: unknown */
	size_t n_threads, cap_threads;
	struct perfdata_names names;
};

/* Empty except for the idle task, "swapper". */
void perfdata_processes_init(struct perfdata_processes *);
void perfdata_processes_deinit(struct perfdata_processes *);

/* Creates the process if it is new. KERNEL_PID has the maps of the kernel and its modules. */
struct perfdata_process *perfdata_process(struct perfdata_processes *, int32_t pid);
void perfdata_process_map(struct perfdata_process *, const struct perfdata_map *);
/* The map that holds the address; NULL: none. Valid until the maps change. */
const struct perfdata_map *perfdata_map_at(const struct perfdata_process *, uint64_t address);

/* Valid as long as the processes; NULL: unknown. */
const char *perfdata_comm(const struct perfdata_processes *, int32_t tid);
void perfdata_set_comm(struct perfdata_processes *, int32_t tid, const char *comm, size_t len);

/* A PERF_RECORD_FORK. keeps_maps: a new process gets its parent's maps, else it has none yet. */
struct perfdata_fork {
	int32_t pid, ppid, tid, ptid;
	bool keeps_maps;
};
void perfdata_fork(struct perfdata_processes *, const struct perfdata_fork *);

#endif
