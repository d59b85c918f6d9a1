/*
 * family.c - the descendants of a program, read from /proc.
 *
 *	perf record, or a script that calls it      root: ended by the code that started it
 *	  +- sh                                      found by family_look(), while root runs
 *	      +- sleep 1000                          ended here, if it outlives both
 *
 * When a program ends, init adopts its children, and no link leads from them to us any more. So the caller looks
 * for descendants before it ends the root. Those whose parent ended earlier still have the mark that the root had
 * in its environment. The system may reuse a process number; the start time tells the two programs apart.
 *
 * A daemon keeps running: it has a session of its own, and no parent among the family. The session alone says
 * nothing, since sudo, script and others give one to what they run, and wait for it.
 */
#include "base/family.h"

#include <ctype.h>
#include <dirent.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/proc.h"
#include "base/wait_signal.h"

#define MOST 4096      /* programs: a search among them is linear */
#define NAMES_SHOWN 3  /* the others are counted */
#define NAP 10         /* milliseconds between two checks */
#define LAST_WAIT 3000 /* milliseconds that SIGKILL may take */

struct kin {
	pid_t pid, session;
	uint64_t begun; /* start time, in ticks since the system booted */
	bool is_child;  /* of the root itself */
	char name[16];
};

void family_deinit(struct family *f)
{
	free(f->v);
	*f = (struct family){0};
}

/* false: it has ended. */
static bool describe(pid_t pid, struct kin *kin)
{
	struct proc_stat s;
	if (!proc_stat(pid, &s) || s.is_over)
		return false;
	*kin = (struct kin){.pid = pid, .session = s.session, .begun = s.begun};
	snprintf(kin->name, sizeof kin->name, "%.*s", (int)sizeof kin->name - 1, s.name);
	return true;
}

static bool lives(const struct kin *kin)
{
	struct kin now;
	return describe(kin->pid, &now) && now.begun == kin->begun;
}

static bool is_known(const struct family *f, pid_t pid)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].pid == pid)
			return true;
	return false;
}

static void add(void *arg, pid_t pid)
{
	struct family *f = arg;
	struct kin kin;
	if (pid > 0 && f->n < MOST && !is_known(f, pid) && describe(pid, &kin))
		mem_push(f->v, f->n, f->cap, kin);
}

static void add_children(struct family *f, pid_t of)
{
	char tasks[32];
	snprintf(tasks, sizeof tasks, "/proc/%ld/task", (long)of);
	DIR *dir = opendir(tasks);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (isdigit((unsigned char)e->d_name[0]))
			proc_children(of, (pid_t)strtol(e->d_name, NULL, 10), add, f);
	}
	if (dir)
		closedir(dir);
}

/* ---- orphans ------------------------------------------------------------------------------------------------- */

void family_choose_mark(struct family *f)
{
	static atomic_uint n;
	struct kin own = {0};
	describe(getpid(), &own);
	f->session = getsid(0);
	snprintf(f->mark, sizeof f->mark, "FLAMETOP_FAMILY=%ld-%llu-%u", (long)getpid(), (unsigned long long)own.begun,
	         atomic_fetch_add(&n, 1) + 1);
}

void family_copy_mark(struct family *f, const struct family *from)
{
	memcpy(f->mark, from->mark, sizeof f->mark);
	f->session = from->session;
}

static bool has_mark(const char *pid, const char *mark)
{
	char path[64], *entry = NULL;
	size_t cap = 0;
	bool is_there = false;
	snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
	FILE *file = fopen(path, "re");
	while (file && !is_there && getdelim(&entry, &cap, '\0', file) > 0)
		is_there = strcmp(entry, mark) == 0;
	free(entry);
	if (file)
		fclose(file);
	return is_there;
}

void family_take_orphans(struct family *f)
{
	DIR *dir = *f->mark ? opendir("/proc") : NULL;
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct kin kin;
		pid_t pid = isdigit((unsigned char)e->d_name[0]) ? (pid_t)strtol(e->d_name, NULL, 10) : 0;
		if (pid > 0 && pid != getpid() && !is_known(f, pid) && describe(pid, &kin) && kin.session == f->session &&
		    has_mark(e->d_name, f->mark))
			add(f, pid);
	}
	if (dir)
		closedir(dir);
}

static void forget_ended(struct family *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (lives(&f->v[i]))
			f->v[n++] = f->v[i];
	f->n = n;
}

static void add_descendants(struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		add_children(f, f->v[i].pid);
}

void family_look(struct family *f, pid_t root, bool is_ending)
{
	struct kin kin;
	if (root <= 0 || !describe(root, &kin))
		return;
	if (is_ending)
		forget_ended(f);
	else
		f->n = 0;
	add_children(f, root);
	for (size_t i = 0; !is_ending && i < f->n; i++)
		f->v[i].is_child = true;
	add_descendants(f);
}

bool family_has_child(const struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].is_child && lives(&f->v[i]))
			return true;
	return false;
}

void family_take(struct family *f, pid_t pid)
{
	add(f, pid);
	add_descendants(f);
}

void family_add(struct family *f, const struct family *from)
{
	for (size_t i = 0; i < from->n && f->n < MOST; i++)
		if (!is_known(f, from->v[i].pid))
			mem_push(f->v, f->n, f->cap, from->v[i]);
	forget_ended(f);
	add_descendants(f);
}

/* ---- for another process ------------------------------------------------------------------------------------- */

/* One writes the older one of two lists, and then says that it is the newer one. */
struct family_place {
	atomic_uint turn;
	struct {
		size_t n;
		struct kin v[MOST]; /* memory that is not written is not taken */
	} lists[2];
};

#define READINGS 10 /* the writer would have to write twice during each */

struct family_place *family_place_new(void)
{
	int flags = MAP_SHARED | MAP_ANONYMOUS;
	void *p = mmap(NULL, sizeof(struct family_place), PROT_READ | PROT_WRITE, flags, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void family_place_free(struct family_place *p)
{
	if (p)
		munmap(p, sizeof *p);
}

void family_leave(const struct family *f, struct family_place *p)
{
	if (!p)
		return;
	unsigned turn = atomic_load(&p->turn) + 1;
	p->lists[turn % 2].n = f->n;
	if (f->n)
		memcpy(p->lists[turn % 2].v, f->v, f->n * sizeof *f->v);
	atomic_store(&p->turn, turn);
}

void family_recall(struct family *f, const struct family_place *p)
{
	struct family left = {0};
	bool is_whole = !p;
	for (int i = 0; !is_whole && i < READINGS; i++) {
		unsigned turn = atomic_load(&p->turn);
		size_t n = p->lists[turn % 2].n;
		left.n = 0;
		for (size_t j = 0; j < n && j < MOST; j++)
			mem_push(left.v, left.n, left.cap, p->lists[turn % 2].v[j]);
		is_whole = atomic_load(&p->turn) == turn;
	}
	if (is_whole && left.n)
		family_add(f, &left);
	family_deinit(&left);
}

size_t family_living(struct family *f)
{
	forget_ended(f);
	add_descendants(f);
	return f->n;
}

/* Their names as the system has them: "sh, sleep, and 3 more". */
static void add_names(const struct family *f, struct buf *out)
{
	for (size_t i = 0; i < f->n && i < NAMES_SHOWN; i++)
		buf_addf(out, "%s%s", i ? ", " : "", f->v[i].name);
	if (f->n > NAMES_SHOWN)
		buf_addf(out, ", and %zu more", f->n - NAMES_SHOWN);
}

/* Waits for all to end. true: none is left. */
static bool wait_for(struct family *f, unsigned milliseconds, const sigset_t *hurry)
{
	static const struct timespec nap = {0, NAP * 1000000};
	for (unsigned waited = 0; family_living(f) > 0; waited += NAP) {
		if (waited >= milliseconds)
			return false;
		if (!hurry)
			nanosleep(&nap, NULL);
		else if (wait_signal(hurry, &nap, NULL) > 0)
			return family_living(f) == 0;
	}
	return true;
}

static void tell_all(const struct family *f, const struct family_ending *e, int sig)
{
	for (size_t i = 0; i < f->n; i++) {
		if (e->tell)
			e->tell(e->arg, f->v[i].pid, sig);
		else
			kill(f->v[i].pid, sig);
	}
}

void family_signal(const struct family *f, int sig)
{
	tell_all(f, &(struct family_ending){.tell = NULL}, sig);
}

bool family_end(struct family *f, const struct family_ending *e, struct buf *names)
{
	family_take_orphans(f);
	if (wait_for(f, FAMILY_GRACE, NULL))
		return true;
	if (names)
		add_names(f, names);
	tell_all(f, e, SIGTERM);
	if (wait_for(f, e->patience, e->hurry))
		return true;
	for (int i = 0; i < LAST_WAIT / 100; i++) { /* a program that forks may do so again before it dies */
		family_take_orphans(f);
		tell_all(f, e, SIGKILL);
		if (wait_for(f, 100, NULL))
			return true;
	}
	return false;
}
