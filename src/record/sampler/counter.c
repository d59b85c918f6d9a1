/*
 * counter.c - opens counters of the kernel.
 *
 * perf_event_open() says no with a number only. Its reasons are told apart by trying:
 *
 *	E2BIG            its structure is smaller than ours: it says how large it is
 *	EINVAL           it does not know one of the newer bits: they are left out one by one, the newest first
 *	EACCES, EPERM    the user may not sample the kernel: only user space then
 *	ENOENT, ENODEV, EOPNOTSUPP   there is no such counter, as in most virtual machines: cpu-clock replaces cycles
 *
 * What works for the first counter is kept for all others of the event.
 */
#include "record/sampler/counter.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/limits.h"

void counter_event_deinit(struct counter_event *e)
{
	free(e->name);
	free(e->filter);
	free(e->ids);
	*e = (struct counter_event){0};
}

static int open_once(struct counter_event *e, const struct counter_target *t)
{
	unsigned long flags = ABI_CLOEXEC | (t->cgroup >= 0 ? ABI_CGROUP : 0);
	pid_t of = t->cgroup >= 0 ? t->cgroup : t->tid;
	return (int)syscall(SYS_perf_event_open, &e->attr, of, t->cpu, -1, flags);
}

/* ---- what the kernel does not know --------------------------------------------------------------------------- */

/* Leaves out the newest bits that are still set. false: there are none. */
static bool leave_out_newest(struct abi_attr *a)
{
	static const uint64_t newest[] = {ABI_BPF | ABI_KSYMBOL, ABI_CONTEXT_SWITCH, ABI_USE_CLOCK,
	                                  ABI_COMM_EXEC | ABI_MMAP2};
	if (a->read_format) { /* 6.0 */
		a->read_format = 0;
		return true;
	}
	for (size_t i = 0; i < sizeof newest / sizeof *newest; i++) {
		if (!(a->flags & newest[i]))
			continue;
		a->flags &= ~newest[i];
		a->clock = a->flags & ABI_USE_CLOCK ? a->clock : 0;
		return true;
	}
	return false;
}

static bool leave_out_unknown(struct counter_event *e, const struct counter_target *t, int *fd)
{
	struct abi_attr before = e->attr;
	while (*fd < 0 && errno == EINVAL && leave_out_newest(&e->attr))
		*fd = open_once(e, t);
	if (*fd < 0 && errno == EINVAL) { /* another reason */
		e->attr = before;
		return false;
	}
	return true;
}

/* The kernel has written its own size. Fields beyond it are not used by us, or are bits that EINVAL is about. */
static bool shrink(struct counter_event *e)
{
	if (e->attr.size >= sizeof e->attr || e->attr.size < ABI_ATTR_LEAST)
		return false;
	memset((char *)&e->attr + e->attr.size, 0, sizeof e->attr - e->attr.size);
	return true;
}

/* ---- what there is none of, and what is forbidden ------------------------------------------------------------ */

static bool replace_by_clock(struct counter_event *e)
{
	if (!e->is_default || e->attr.type != ABI_HARDWARE)
		return false;
	e->attr.type = ABI_SOFTWARE;
	e->attr.config = ABI_CPU_CLOCK;
	e->attr.flags &= ~ABI_PRECISE_MOST;
	free(e->name);
	e->name = mem_strdup("cpu-clock");
	return true;
}

static bool leave_out_kernel(struct counter_event *e)
{
	if (e->attr.flags & ABI_EXCLUDE_KERNEL || e->needs_kernel)
		return false;
	e->attr.flags |= ABI_EXCLUDE_KERNEL | ABI_EXCLUDE_HV;
	e->attr.flags &= ~(ABI_KSYMBOL | ABI_BPF);
	e->lacks_kernel = true;
	return true;
}

/* Takes one p of "cycles:ppp" back. */
static bool leave_out_precision(struct counter_event *e)
{
	bool has_some = e->attr.flags & ABI_PRECISE_MOST;
	e->attr.flags -= has_some ? ABI_PRECISE(1) : 0;
	return has_some;
}

/* Changes the event so that another try may succeed. */
static bool adapt(struct counter_event *e, const struct counter_target *t, int *fd)
{
	switch (errno) {
	case E2BIG:
		return shrink(e);
	case EINVAL:
		return leave_out_unknown(e, t, fd) || replace_by_clock(e);
	case EACCES:
	case EPERM:
		return leave_out_kernel(e);
	case EOPNOTSUPP:
		return leave_out_precision(e) || replace_by_clock(e);
	case ENOENT:
	case ENODEV:
		return replace_by_clock(e);
	default:
		return false;
	}
}

int counter_open(struct counter_event *e, const struct counter_target *t)
{
	int fd = open_once(e, t);
	while (fd < 0 && !e->is_tried && errno != ESRCH && adapt(e, t, &fd))
		if (fd < 0)
			fd = open_once(e, t);
	int error = errno;
	if (fd >= 0)
		e->is_tried = true;
	errno = error;
	return fd;
}

bool counter_learn_id(struct counter_event *e, int fd)
{
	uint64_t id;
	if (ioctl(fd, ABI_IOCTL_ID, &id) != 0)
		return false;
	mem_push(e->ids, e->n_ids, e->cap_ids, id);
	return true;
}

bool counter_shares_samples(const struct counter_event *e)
{
	return e->attr.type == ABI_SOFTWARE && !e->is_written && e->attr.config >= ABI_PAGE_FAULTS &&
	       e->attr.config < ABI_DUMMY;
}

/* ---- why not ------------------------------------------------------------------------------------------------- */

#define RIGHTS                                                                                            \
	"--ptrace does without, at a low rate; --root samples as root; `setcap cap_perfmon+ep` on flametop, " \
	"once, lets everybody sample"

static bool fail_forbidden(const struct counter_target *t, struct err *err)
{
	struct limits l;
	int needed = t->tid == -1 ? 0 : 2;
	limits_read(&l);
	if (t->tid > 0 && kill(t->tid, 0) != 0 && errno == EPERM)
		return fail(err, "thread %ld belongs to another user (only root may sample it)", (long)t->tid);
	if (l.paranoid == LIMITS_UNKNOWN)
		return fail(err, "this kernel counts no events (CONFIG_PERF_EVENTS), or hides /proc");
	if (l.paranoid > needed)
		return fail(err, "%s (" LIMITS_LOWER "; " RIGHTS ")",
		            t->tid == -1 ? "sampling the whole system is for root" : "only root may sample here",
		            l.paranoid, t->tid == -1 ? 0 : 1);
	return fail(err,
	            "the system call perf_event_open is forbidden here, as in most containers (for Docker and Podman: "
	            "--cap-add=PERFMON; or sample from outside, with -p; --ptrace does without, at a low rate)");
}

static bool fail_kernel(const struct counter_target *t, struct err *err)
{
	struct limits l;
	limits_read(&l);
	if (l.paranoid == LIMITS_UNKNOWN || l.paranoid < (t->tid == -1 ? 0 : 2))
		return fail(err, "counting system calls is forbidden here, as in most containers (for Docker and Podman: "
		                 "--cap-add=PERFMON; or record from outside, with -p)");
	return fail(err, "only root may count system calls here (" LIMITS_LOWER "; --root records as root)", l.paranoid,
	            t->tid == -1 ? -1 : 1);
}

static bool fail_cgroup(struct err *err)
{
	return fail(err,
	            "this is no control group whose events are counted (expected one of the unified hierarchy, or of "
	            "perf_event)");
}

bool counter_fail(const struct counter_event *e, const struct counter_target *t, int error, struct err *err)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return e->needs_kernel ? fail_kernel(t, err) : fail_forbidden(t, err);
	case EBADF:
		return fail_cgroup(err);
	case ENOSYS:
		return fail(err,
		            "this kernel has no perf_event_open (a sandbox, or built without CONFIG_PERF_EVENTS; --ptrace "
		            "does without, at a low rate)");
	case EMFILE:
	case ENFILE:
		return fail(err,
		            "there are more threads and processors than files may be open (`ulimit -n` limits them; -a "
		            "needs one for each processor)");
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		if (t->cgroup >= 0 && error != EOPNOTSUPP)
			return fail_cgroup(err);
		return fail(err, "this machine does not count '%s' (cpu-clock works everywhere)", e->name);
	default:
		errno = error;
		return fail_errno(err, "sampling '%s'", e->name);
	}
}
