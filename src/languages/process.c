/*
 * process.c - the runtimes of one process.
 */
#include "languages/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/proc.h"
#include "languages/functions.h"
#include "languages/prefetch.h"

#define RUNTIMES_MOST 4u
#define BUDGET \
	20000u /* reads for a stack; the deepest one needs some six for each frame, most of them from copies */
#define ATTACH_BUDGET 10000u /* and to attach, which may search variables, while no thread waits */

struct language_process {
	pid_t pid;
	struct runtime {
		const struct language *language;
		void *state;
		uint64_t start, device, inode; /* of the file, as it is mapped */
	} runtimes[RUNTIMES_MOST];
	size_t n;
	struct prefetch *prefetch;
	struct functions functions;
	bool is_inside;     /* in a namespace of its own, which numbers its threads */
	struct idmap inner; /* number of a thread -> its number there */
	time_t second;      /* in which these were asked for; numbers are given anew when threads have ended */
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool language_process_concerns(const char *path)
{
	for (size_t i = 0; languages[i]; i++)
		if (languages[i]->may_be(base_of(path)))
			return true;
	return false;
}

/* ---- rights -------------------------------------------------------------------------------------------------- */

/* May the memory of the process be read? false: err says why not, and what helps; empty: it has ended. */
static bool may_be_read(pid_t pid, struct err *err)
{
	int64_t scope = 0;
	char byte;
	err->text[0] = '\0';
	/* There is nothing at address 0: with the right to read the process, that is the error. */
	if (memory_of_process(&pid, 0, &byte, 1) || errno == EFAULT)
		return true;
	if (errno == ESRCH)
		return false;
	if (errno != EPERM)
		return fail_errno(err, "memory of process %ld", (long)pid);
	proc_number("/proc/sys/kernel/yama/ptrace_scope", &scope);
	return fail(err, "process %ld may not be read; that needs CAP_SYS_PTRACE%s", (long)pid,
	            scope ? " (kernel.yama.ptrace_scope is not 0)" : "");
}

/* ---- finding ------------------------------------------------------------------------------------------------- */

struct finding {
	struct language_process *process;
	struct program_file main;
	char *main_path; /* its path; NULL: not found yet */
	struct idmap *others;
	struct err *err;
};

static bool has_runtime(const struct language_process *p, const struct language *l)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->runtimes[i].language == l)
			return true;
	return false;
}

/* Attaches to what the file exports; if that is no runtime, to all symbols that it has. */
static void *attach(struct finding *f, const struct language *l, struct program *program, struct err *err)
{
	struct memory memory = {.read = memory_of_process, .arg = &f->process->pid, .budget = ATTACH_BUDGET};
	void *state = l->attach(program, &memory, err);
	if (state || err->text[0])
		return state;
	program_find_others(program);
	return l->attach(program, &memory, err);
}

/*
 * A variable of a library that the main program uses by itself is in the main program (a copy relocation), which
 * exports it; the library's own place is never used then.
 */
static void prefer_main(const struct finding *f, const struct language *l, struct program *library)
{
	struct program main;
	struct err ignored;
	if (!f->main_path || !program_open(&main, f->process->pid, &f->main, l->symbols, &ignored))
		return;
	for (size_t i = 0; i < PROGRAM_SYMBOLS; i++)
		if (main.addresses[i])
			library->addresses[i] = main.addresses[i];
	program_close(&main);
}

static void try_language(struct finding *f, const struct language *l, const struct program_file *file)
{
	struct program program;
	struct err err = {""};
	uint32_t unused;
	uint64_t key = hash_keys(file->inode, hash_keys(file->device, language_number(l)));
	if (idmap_find(f->others, key, &unused))
		return;
	if (!program_open(&program, f->process->pid, file, l->symbols, &err)) {
		if (err.text[0] && l->may_be(base_of(file->path)))
			*f->err = err;
		return;
	}
	if (!file->is_main)
		prefer_main(f, l, &program);
	void *state = attach(f, l, &program, &err);
	program_close(&program);
	if (state)
		f->process->runtimes[f->process->n++] = (struct runtime){l, state, file->start, file->device, file->inode};
	else if (err.text[0])
		*f->err = err;
	else
		idmap_add(f->others, key, 0);
}

/* A program that has a runtime linked into it can have any name; libraries have the runtime's. */
static bool take_file(void *arg, pid_t pid, const struct program_file *file)
{
	struct finding *f = arg;
	(void)pid;
	if (file->is_main && !f->main_path) {
		f->main = *file;
		f->main.path = f->main_path = mem_strdup(file->path);
	}
	for (size_t i = 0; languages[i] && f->process->n < RUNTIMES_MOST; i++)
		if (!has_runtime(f->process, languages[i]) && (file->is_main || languages[i]->may_be(base_of(file->path))))
			try_language(f, languages[i], file);
	return f->process->n < RUNTIMES_MOST;
}

static bool is_inside(pid_t pid)
{
	struct stat own, other;
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/ns/pid", (long)pid);
	return stat("/proc/self/ns/pid", &own) != 0 || stat(path, &other) != 0 || own.st_ino != other.st_ino;
}

struct language_process *language_process_new(pid_t pid, struct idmap *others, struct err *err)
{
	struct language_process *p = mem_zalloc(1, sizeof *p);
	struct err right;
	struct finding f = {.process = p, .others = others, .err = err};
	err->text[0] = '\0';
	p->pid = pid;
	p->is_inside = is_inside(pid);
	if (!program_each(pid, take_file, &f) && (errno == EMFILE || errno == ENFILE))
		fail_errno(err, "maps of process %ld", (long)pid);
	free(f.main_path);
	if ((p->n || err->text[0]) && !may_be_read(pid, &right))
		*err = right; /* all else may follow from it */
	else if (p->n) {
		err->text[0] = '\0';
		p->prefetch = prefetch_new(memory_of_process, memory_all_of_process, &p->pid);
		return p;
	}
	language_process_free(p);
	return NULL;
}

struct counting {
	const struct language_process *process;
	size_t n; /* runtimes that are still there */
};

static bool count_runtime(void *arg, pid_t pid, const struct program_file *file)
{
	struct counting *c = arg;
	(void)pid;
	for (size_t i = 0; i < c->process->n; i++) {
		const struct runtime *r = &c->process->runtimes[i];
		c->n += r->start == file->start && r->inode == file->inode && r->device == file->device;
	}
	return c->n < c->process->n;
}

bool language_process_lasts(const struct language_process *p)
{
	struct counting c = {p, 0};
	program_each(p->pid, count_runtime, &c);
	return c.n >= p->n;
}

void language_process_free(struct language_process *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++)
		p->runtimes[i].language->detach(p->runtimes[i].state);
	prefetch_free(p->prefetch);
	functions_deinit(&p->functions);
	idmap_deinit(&p->inner);
	free(p);
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static pid_t inner_tid(struct language_process *p, pid_t tid)
{
	struct timespec now;
	uint32_t inner;
	if (!p->is_inside)
		return tid;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec != p->second)
		idmap_deinit(&p->inner);
	p->second = now.tv_sec;
	if (!idmap_find(&p->inner, (uint64_t)tid, &inner)) {
		inner = (uint32_t)proc_inner_id(p->pid, tid);
		idmap_add(&p->inner, (uint64_t)tid, inner);
	}
	return (pid_t)inner;
}

enum language_walk language_process_walk(struct language_process *p, pid_t tid,
                                         const struct memory_registers *registers,
                                         const struct language_names *names, struct language_stack *stack,
                                         const struct language **language)
{
	struct memory memory = {.read = prefetch_read,
	                        .arg = p->prefetch,
	                        .budget = BUDGET,
	                        .registers = registers,
	                        .renew = prefetch_renew};
	enum language_walk worst = WALK_NO_THREAD;
	const struct language_names numbered = {functions_define, &p->functions};
	pid_t inner = inner_tid(p, tid);
	p->functions.names = names;
	prefetch_begin(p->prefetch, tid);
	for (size_t i = 0; inner && i < p->n; i++) {
		const struct runtime *r = &p->runtimes[i];
		*language = r->language;
		p->functions.language = language_number(r->language);
		enum language_walk how = r->language->walk(r->state, &memory, inner, &numbered, stack);
		if (how == WALK_DONE)
			return how;
		worst = how == WALK_FAILED ? how : worst;
	}
	return worst;
}
