/*
 * probes.c - definitions of probes in tracefs.
 *
 *	p:flametop_71_20394_4026531836/allocator_0 /proc/self/fd/5:0x98e50
 *
 * The kernel copies an inherited counter when a thread or a child starts. If the counter names a file and an
 * offset (the PMU "uprobe"), it reads that name anew, at an address of ours, in the memory of the target: fork()
 * fails with EFAULT. A definition in tracefs has a number instead, which can be copied.
 *
 * Definitions are for the whole machine, and outlive who wrote them. So their group names its process: its number,
 * when it began (ticks), and the namespace of its number. A process of our own waits for our end, whatever that is,
 * and removes them. If it was killed, too, the next sampler does so. The kernel refuses to remove what is in use.
 *
 * The kernel puts a probe only into those processes whose threads are counted, and finds them by the thread that a
 * counter was opened or inherited for. But threads with like counters swap them when one follows the other on a
 * processor. When one of two that have swapped ends, the other's process loses the probe, if it is not the same
 * process. So once the targets are several processes, a counter of the whole system is open for each probe. It is
 * never enabled, but all processes have the probe then, and keep it; each call costs them some time.
 *
 * The kernel opens the path at once, in our own namespaces, and keeps the file: a descriptor leads to the very file
 * whose symbols were read.
 */
#include "record/sampler/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/regular.h"
#include "record/sampler/event_names.h"
#include "record/sampler/targets.h"

#define MOST ((size_t)4 << 20) /* bytes of all definitions */
#define TRIES 3000             /* while definitions are in use: a sampler that was killed takes some time to end */
#define NAP 20                 /* milliseconds between them */

/* ---- the file of definitions --------------------------------------------------------------------------------- */

/* Never with O_TRUNC: that removes all definitions of the machine. -1: there is no such file, or no right. */
static int open_definitions(int flags)
{
	static const char *const paths[] = {TRACEFS "/uprobe_events", TRACEFS_OLD "/uprobe_events"};
	struct statfs s;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		int fd = open(paths[i], flags | O_CLOEXEC);
		if (fd >= 0 && fstatfs(fd, &s) == 0 && s.f_type == TRACEFS_MAGIC)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static bool write_line(int fd, const struct buf *line)
{
	return write(fd, line->data, line->len) == (ssize_t)line->len;
}

/* ---- whose definitions --------------------------------------------------------------------------------------- */

struct owner {
	long pid;
	uint64_t begun, space;
};

/* false: /proc does not tell. */
static bool owner_self(struct owner *o)
{
	struct proc_stat s;
	struct stat st;
	if (!proc_stat(getpid(), &s) || stat("/proc/self/ns/pid", &st) != 0)
		return false;
	*o = (struct owner){getpid(), s.begun, st.st_ino};
	return true;
}

static void owner_group(const struct owner *o, char *group, size_t size)
{
	snprintf(group, size, "flametop_%ld_%" PRIu64 "_%" PRIu64, o->pid, o->begun, o->space);
}

/* Is it the group of a process that had a number here, and is gone? */
static bool is_left(const char *group)
{
	struct owner self, o;
	struct proc_stat s;
	char again[sizeof(((struct probes *)NULL)->group)];
	/* NOLINTNEXTLINE(cert-err34-c): what is not a number of ours differs when it is written again */
	if (sscanf(group, "flametop_%ld_%" SCNu64 "_%" SCNu64, &o.pid, &o.begun, &o.space) != 3 || !owner_self(&self))
		return false;
	owner_group(&o, again, sizeof again);
	if (strcmp(group, again) != 0 || o.space != self.space)
		return false;
	return !proc_stat((pid_t)o.pid, &s) || s.begun != o.begun || s.is_over;
}

/* ---- removing ------------------------------------------------------------------------------------------------ */

/* Removes the definition in a line, "p:GROUP/NAME PATH:OFFSET". false: it is in use. */
static bool remove_line(int fd, const char *line, const char *group)
{
	struct buf name, word;
	const char *slash = memchr(line, '/', strcspn(line, " \n"));
	bool is_gone = true;
	if (strncmp(line, "p:flametop_", 11) != 0 || !slash)
		return true;
	buf_init(&name);
	buf_init(&word);
	buf_add(&name, line + 2, (size_t)(slash - line) - 2);
	if (group ? strcmp(buf_str(&name), group) == 0 : is_left(buf_str(&name))) {
		buf_addf(&word, "-:%.*s\n", (int)strcspn(line + 2, " \n"), line + 2);
		is_gone = write_line(fd, &word) || errno == ENOENT;
	}
	buf_deinit(&name);
	buf_deinit(&word);
	return is_gone;
}

/* Those of the group; NULL: of processes that are gone. false: some are in use. */
static bool remove_all(const char *group)
{
	int from = open_definitions(O_RDONLY), to = open_definitions(O_WRONLY | O_APPEND);
	struct buf text;
	struct err unused;
	bool are_gone = true;
	buf_init(&text);
	const char *line = from >= 0 && regular_read_all(from, MOST, &text, &unused) ? buf_str(&text) : "";
	for (; to >= 0 && *line; line += strcspn(line, "\n"), line += *line == '\n')
		are_gone &= remove_line(to, line, group);
	buf_deinit(&text);
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return are_gone;
}

/* The remover lives on its own: in no group of processes that gets signals, and with no other descriptor. */
_Noreturn static void wait_and_remove(int alive, const char *group)
{
	sigset_t all;
	char byte;
	int null = open("/dev/null", O_RDWR);
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (null < 0 || dup2(alive, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	descriptor_close_from(STDERR_FILENO + 1);
	while (read(STDIN_FILENO, &byte, 1) != 0 && errno == EINTR)
		;
	for (int i = 0; i < TRIES && !remove_all(group); i++)
		nanosleep(&(struct timespec){0, NAP * 1000000L}, NULL);
	_exit(0);
}

static bool start_remover(struct probes *p)
{
	int ends[2];
	if (!descriptor_pipe(ends))
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[1]);
		wait_and_remove(ends[0], p->group);
	}
	close(ends[0]);
	p->remover = pid > 0 ? pid : 0;
	p->alive = ends[1];
	if (pid < 0)
		close(ends[1]);
	return pid > 0;
}

void probes_remove(struct probes *p)
{
	int status;
	for (size_t i = 0; i < p->n_holders; i++)
		close(p->holders[i]);
	free(p->holders);
	if (!p->remover)
		return;
	close(p->alive);
	child_has_ended(p->remover, &status, CHILD_PATIENCE); /* if it was stopped, it removes them later */
	*p = (struct probes){0};
}

/* ---- defining ------------------------------------------------------------------------------------------------ */

static bool define(int fd, const char *group, size_t number, struct allocator *a)
{
	struct buf line;
	struct abi_attr attr = {0};
	struct err unused;
	buf_init(&line);
	buf_addf(&line, "p:%s/allocator_%zu %s:0x%" PRIx64 "\n", group, number, a->path, a->offset);
	bool is_good = write_line(fd, &line);
	line.len = 0;
	buf_addf(&line, "%s:allocator_%zu", group, number);
	is_good = is_good && event_named(&attr, buf_str(&line), line.len, &unused);
	a->event = attr.config;
	buf_deinit(&line);
	return is_good;
}

/* Only root and cap_perfmon may. */
static bool hold(struct probes *p, const struct allocator *a)
{
	struct abi_attr attr = {
		.type = ABI_TRACEPOINT, .size = ABI_ATTR_LEAST, .config = a->event, .flags = ABI_DISABLED};
	struct number_list cpus = {0};
	targets_cpus(&cpus);
	int fd = cpus.n ? (int)syscall(SYS_perf_event_open, &attr, -1, cpus.v[0], -1, ABI_CLOEXEC) : -1;
	number_list_deinit(&cpus);
	if (fd >= 0)
		mem_push(p->holders, p->n_holders, p->cap_holders, fd);
	return fd >= 0;
}

bool probes_hold(struct probes *p, const struct allocators *a)
{
	for (size_t i = p->n_holders; a->are_defined && i < a->n; i++)
		if (!hold(p, &a->v[i]))
			return false;
	return true;
}

bool probes_define(struct probes *p, struct allocators *a, bool starts_processes)
{
	struct owner self;
	int fd = a->n ? open_definitions(O_WRONLY | O_APPEND) : -1;
	if (fd < 0)
		return false;
	remove_all(NULL);
	bool is_good = owner_self(&self);
	if (is_good)
		owner_group(&self, p->group, sizeof p->group);
	is_good = is_good && start_remover(p);
	for (size_t i = 0; is_good && i < a->n; i++)
		is_good = define(fd, p->group, i, &a->v[i]);
	close(fd);
	a->are_defined = is_good;
	if (is_good && starts_processes)
		a->are_defined = probes_hold(p, a);
	if (!a->are_defined)
		probes_remove(p);
	return a->are_defined;
}
