/*
 * process.c - the runtimes of one process.
 */
#include "languages/process.h"

#include <assert.h>
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
#define BUDGET 20000u        /* reads for a stack, most of them from copies; a frame needs six or less */
#define ATTACH_BUDGET 10000u /* likewise to attach, which may search variables: no thread waits meanwhile */

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
	char *main_path;                        /* its path; NULL: not found yet */
	const char *names[PROGRAM_SYMBOLS + 1]; /* the symbols of all languages, so that a file is searched once */
	struct idmap *others;
	struct err *err;
};

static void list_names(struct finding *f)
{
	size_t n = 0;
	for (size_t i = 0; languages[i]; i++)
		for (size_t k = 0; languages[i]->symbols[k]; k++) {
			assert(n < PROGRAM_SYMBOLS);
			f->names[n++] = languages[i]->symbols[k];
		}
	f->names[n] = NULL;
}

static bool has_runtime(const struct language_process *p, const struct language *l)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->runtimes[i].language == l)
			return true;
	return false;
}

static uint64_t key_of(const struct program_file *file, const struct language *l)
{
	return hash_keys(file->inode, hash_keys(file->device, language_number(l)));
}

/*
 * May the file be the runtime of a language that the process does not have yet? A program that has a runtime linked
 * into it can have any name; libraries have the runtime's.
 */
static bool is_candidate(const struct finding *f, const struct language *l, const struct program_file *file)
{
	uint32_t unused;
	return f->process->n < RUNTIMES_MOST && !has_runtime(f->process, l) &&
	       (file->is_main || l->may_be(base_of(file->path))) && !idmap_find(f->others, key_of(file, l), &unused);
}

/*
 * A main program that uses a variable of a library can have it itself, and exports it then: the library uses that
 * one, too, and its own is never used (a copy relocation).
 */
static void prefer_main(const struct finding *f, struct program *library)
{
	struct program main;
	struct err ignored;
	if (!f->main_path || !program_open(&main, f->process->pid, &f->main, f->names, &ignored))
		return;
	for (size_t i = 0; i < PROGRAM_SYMBOLS; i++)
		if (main.addresses[i])
			library->addresses[i] = main.addresses[i];
	program_close(&main);
}

/* Tries one language. false: by these symbols it is not the runtime. */
static bool try_language(struct finding *f, const struct language *l, const struct program_file *file,
                         const struct program *program)
{
	struct memory memory = {.read = memory_of_process, .arg = &f->process->pid, .budget = ATTACH_BUDGET};
	struct err err = {""};
	void *state = l->attach(program, &memory, &err);
	if (state)
		f->process->runtimes[f->process->n++] = (struct runtime){l, state, file->start, file->device, file->inode};
	else if (err.text[0])
		*f->err = err;
	return state || err.text[0];
}

/* Tries all languages by what the file exports, and those that are left by all symbols that it has. */
static void try_languages(struct finding *f, const struct program_file *file, struct program *program)
{
	bool is_left[LANGUAGES_N] = {false}, has_left = false;
	for (size_t i = 0; languages[i]; i++) {
		is_left[i] = is_candidate(f, languages[i], file) && !try_language(f, languages[i], file, program);
		has_left |= is_left[i];
	}
	if (!has_left)
		return;
	program_find_others(program);
	for (size_t i = 0; languages[i]; i++)
		if (is_left[i] && f->process->n < RUNTIMES_MOST && !try_language(f, languages[i], file, program))
			idmap_add(f->others, key_of(file, languages[i]), 0);
}

static void try_file(struct finding *f, const struct program_file *file)
{
	struct program program;
	struct err err = {""};
	if (!program_open(&program, f->process->pid, file, f->names, &err)) {
		if (err.text[0] && language_process_concerns(file->path))
			*f->err = err;
		return;
	}
	if (!file->is_main)
		prefer_main(f, &program);
	try_languages(f, file, &program);
	program_close(&program);
}

static bool take_file(void *arg, pid_t pid, const struct program_file *file)
{
	struct finding *f = arg;
	bool is_one = false;
	(void)pid;
	if (file->is_main && !f->main_path) {
		f->main = *file;
		f->main.path = f->main_path = mem_strdup(file->path);
	}
	for (size_t i = 0; languages[i]; i++)
		is_one |= is_candidate(f, languages[i], file);
	if (is_one)
		try_file(f, file);
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
	list_names(&f);
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
