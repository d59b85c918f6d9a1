/*
 * perf.c - builds perf's command lines, and gives advice.
 *
 *	perf record -F 997 --call-graph dwarf,16384 -o FILE -- CMD ARG...
 *	perf script --force --no-inline --show-lost-events -F +pid,+ip,+sym,+dso -i FILE
 *
 * 997 is a prime, so that sampling does not run in step with the program's timers. DWARF finds whole stacks in
 * programs without frame pointers, which is most of what distributions ship, but copies a piece of the stack with
 * every sample; 16 kB are a compromise between truncated stacks and lost data. A whole system would produce too
 * much, so its default is frame pointers. perf looks up inlined calls with addr2line, which can take longer than
 * all the rest together, so they are off unless asked for.
 *
 * perf's own messages about missing rights are long and do not mention flametop's options, so flametop checks
 * beforehand what it can.
 */
#include "perf.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/proc.h"
#include "lib/inside.h"
#include "record/choice.h"
#include "record/sampler/sampler.h"
#include "record/sampler/unprobed.h"

void perf_add_sudo(struct words *w, const struct record_options *r)
{
	if (r->root) {
		words_add(w, "sudo");
		if (r->sudo_flags && *r->sudo_flags)
			words_add(w, r->sudo_flags);
	}
}

const char *perf_call_graph(const struct record_options *r)
{
	if (r->call_graph)
		return r->call_graph;
	if (r->all_cpus || r->cgroup)
		return "fp";
	return r->memory || r->io ? "dwarf,4096" : "dwarf,16384"; /* every call is a sample, not one in a millisecond */
}

static void add_list(struct words *w, const char *option, const char *const *list)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; list[i]; i++)
		buf_addf(&text, "%s%s", i ? "," : "", list[i]);
	words_add(w, option);
	words_add(w, buf_str(&text));
	buf_deinit(&text);
}

static void add_targets(struct words *w, const struct record_options *r)
{
	if (r->pids)
		add_list(w, "-p", r->pids);
	if (r->tids)
		add_list(w, "-t", r->tids);
	if (r->all_cpus || r->cgroup)
		words_add(w, "-a");
}

/* Each context switch with its stack, and records of when the thread leaves and returns. */
static void add_switches(struct words *w, const struct record_options *r)
{
	words_add(w, "-e");
	words_add(w, "context-switches/period=1,name=off-cpu/");
	if (r->cgroup) {
		words_add(w, "-G");
		words_add(w, r->cgroup);
	}
	words_add(w, "--switch-events");
}

static void add_usual(struct words *w, const struct record_options *r, bool is_live)
{
	words_add(w, "record");
	words_add(w, "-F");
	words_add(w, r->frequency ? r->frequency : "997");
	if (r->event || r->cgroup || r->off_cpu) {
		words_add(w, "-e");
		words_add(w, r->event ? r->event : r->off_cpu ? "cpu-clock" : "cycles");
	}
	if (r->cgroup) { /* of the event before it */
		words_add(w, "-G");
		words_add(w, r->cgroup);
	}
	if (r->off_cpu)
		add_switches(w, r);
	words_add(w, "--call-graph");
	words_add(w, perf_call_graph(r));
	if (r->compression && !is_live) /* perf does not compress the output of a pipe */
		words_addf(w, "--compression-level=%s", r->compression);
}

/*
 * Recognizes -o FILE, -oFILE, --output FILE and --output=FILE at word *at: moves *at to its last word and sets
 * *file, NULL if none follows. false: it is none of them.
 */
static bool take_output(const struct words *given, size_t *at, const char **file)
{
	static const char name[] = "--output";
	const char *word = given->v[*at], *rest;
	if (strncmp(word, name, sizeof name - 1) == 0)
		rest = word + sizeof name - 1;
	else if (strncmp(word, "-o", 2) == 0)
		rest = word + 2;
	else
		return false;
	bool is_long = word[1] == '-';
	if (is_long && *rest && *rest != '=')
		return false;
	*file = *rest ? rest + is_long : given->v[++*at];
	return true;
}

/*
 * Adds the words of --cmd='record -e x -c 100'; "record" may be missing. A file named by -o becomes the recording,
 * and is kept.
 */
static bool add_custom(struct words *w, const struct record_options *r, char **file, struct err *err)
{
	struct words given;
	bool is_good = true;
	words_init(&given);
	words_add(w, "record");
	is_good = words_split(&given, r->record_args, err);
	for (size_t i = 0; is_good && i < given.n; i++) {
		const char *word = given.v[i], *name;
		if (i == 0 && strcmp(word, "record") == 0)
			continue;
		if (!take_output(&given, &i, &name)) {
			words_add(w, word);
			continue;
		}
		free(*file);
		*file = name ? mem_strdup(name) : NULL;
		is_good = name || fail(err, "-o needs the name of a file");
	}
	words_deinit(&given);
	return is_good;
}

bool perf_record_words(struct words *w, const struct record_options *r, const char *path, bool is_live, char **file,
                       struct err *err)
{
	*file = NULL;
	perf_add_sudo(w, r);
	words_add(w, perf_program());
	if (!r->record_args)
		add_usual(w, r, is_live);
	else if (!add_custom(w, r, file, err))
		return false;
	add_targets(w, r);
	if (is_live)
		words_add(w, "--no-buffering");
	words_add(w, "-o");
	words_add(w, *file && !is_live ? *file : path);
	if (r->command || r->duration)
		words_add(w, "--");
	for (char **p = r->command; p && *p; p++)
		words_add(w, *p);
	/* A running process is sampled as long as `sleep` runs, which perf starts with the first sample. */
	if (!r->command && r->duration) {
		words_add(w, "sleep");
		words_add(w, r->duration);
	}
	return true;
}

void perf_script_words(struct words *w, const struct options *o, const char *path, bool is_live)
{
	perf_add_sudo(w, &o->record);
	/* A pipe is block-buffered: without this, samples arrive in lumps, many seconds apart. */
	if (is_live && words_is_program("stdbuf")) {
		words_add(w, "stdbuf");
		words_add(w, "-oL");
	}
	words_add(w, perf_program());
	words_add(w, "script");
	words_add(w, "--force");                        /* the recording may belong to root */
	if (o->record.no_inline || o->collapse.context) /* perf prints inlined functions without their source lines */
		words_add(w, "--no-inline");
	words_add(w, "--show-lost-events"); /* between the samples, so that losses appear as they happen */
	words_add(w, "-F");
	words_add(w, o->collapse.srcline ? "+pid,+ip,+sym,+dso,+srcline" : "+pid,+ip,+sym,+dso");
	words_add(w, "-i");
	words_add(w, path);
}

/* How perf was asked to unwind the stack. */
enum stacks { STACKS_NONE, STACKS_BY_POINTERS, STACKS_WHOLE };

static enum stacks stacks_of(const struct record_options *r)
{
	const char *asked = r->record_args;
	if (!asked)
		return strcmp(perf_call_graph(r), "fp") != 0 ? STACKS_WHOLE : STACKS_BY_POINTERS;
	if (strstr(asked, "dwarf") || strstr(asked, "lbr"))
		return STACKS_WHOLE;
	return strstr(asked, "-g") || strstr(asked, "--call-graph") ? STACKS_BY_POINTERS : STACKS_NONE;
}

/* Does perf record the scheduler's events, whose samples may be wanted as time? */
static bool asks_for_scheduler(const struct record_options *r)
{
	return (r->event && strstr(r->event, "sched:")) || (r->record_args && strstr(r->record_args, "sched:"));
}

bool perf_script_is_needed(const struct options *o)
{
	if (o->collapse.symbolizer != SYMBOLIZER_AUTO)
		return o->collapse.symbolizer == SYMBOLIZER_PERF;
	return o->record.root || asks_for_scheduler(&o->record) ||
	       perf_need_of_plan(&o->collapse, stacks_of(&o->record) == STACKS_WHOLE) != NEED_NOTHING;
}

/* ---- what the system allows ---------------------------------------------------------------------------------- */

#define LOWER LIMITS_LOWER ", --root does without"

/* $PERF may have rights of its own, such as file capabilities. */
static bool is_own_perf(void)
{
	return perf_program() == getenv("PERF");
}

static void note_names(const struct perf_limits *l, bool is_privileged, struct buf *notes)
{
	if (l->limits.kptr_restrict >= (is_privileged ? 2 : 1))
		buf_addf(notes,
		         "kernel functions have no names (kernel.kptr_restrict is %d; `sudo sysctl kernel.kptr_restrict=0` "
		         "lowers it%s)",
		         l->limits.kptr_restrict, is_privileged ? "" : ", --root does without");
}

static void note_own_limits(const struct perf_limits *l, struct buf *notes)
{
	if (l->lacks_malloc)
		buf_addf(notes, PAGES_ALONE "%s", l->limits.is_privileged ? NO_ALLOCATOR : ONLY_ROOT_PROBES);
	else if (l->is_ptrace)
		buf_adds(notes, "--ptrace: only user space, and only 49 looks a second, unless -F says otherwise");
	else if (!l->lacks_kernel)
		note_names(l, l->limits.is_privileged, notes);
	else if (l->limits.paranoid >= 2)
		buf_addf(notes, "kernel code is left out (" LOWER ")", l->limits.paranoid, 1);
	else
		buf_adds(notes, "kernel code is left out: the system forbids to sample it (a container, or lockdown?)");
}

bool perf_check_limits(const struct record_options *r, const struct perf_limits *l, struct buf *notes,
                       struct err *err)
{
	bool is_privileged = l->limits.is_privileged || r->root;
	if (l->is_own) {
		note_own_limits(l, notes);
		return true;
	}
	if (!is_privileged && is_own_perf() && l->limits.paranoid >= (r->all_cpus ? 1 : 3)) {
		buf_addf(notes, "perf may be refused (" LOWER ")", l->limits.paranoid, r->all_cpus ? 0 : 1);
		return true;
	}
	if (!is_privileged && l->limits.paranoid >= 3)
		return fail(err, "only root may sample here (" LOWER ")", l->limits.paranoid, 1);
	if (!is_privileged && r->all_cpus && l->limits.paranoid >= 1)
		return fail(err, "sampling the whole system is for root (" LOWER ")", l->limits.paranoid, 0);
	if (!is_privileged && l->limits.paranoid == 2)
		buf_addf(notes, "kernel code is left out (" LOWER ")", 2, 1);
	else
		note_names(l, is_privileged, notes);
	return true;
}

/* Whether the process or thread can be sent a signal: 0, ESRCH or EPERM. */
static int error_of(const char *text)
{
	uint64_t id = 0;
	if (!number_u64(text, strlen(text), &id))
		return ESRCH;
	return kill((pid_t)id, 0) == 0 ? 0 : errno;
}

static bool are_there(const char *const *list, const char *what, struct err *err)
{
	for (size_t i = 0; list && list[i]; i++) {
		if (error_of(list[i]) == ESRCH)
			return fail(err, "there is no %s %s", what, list[i]);
	}
	return true;
}

static bool are_own(const char *const *list, const char *what, struct err *err)
{
	for (size_t i = 0; list && list[i]; i++) {
		if (error_of(list[i]) == EPERM)
			return fail(err, "%s %s belongs to another user (--root samples it all the same)", what, list[i]);
	}
	return true;
}

const char *perf_package_hint(const char *os_release)
{
	static const struct {
		const char *id, *hint;
	} systems[] = {
		{"debian", "apt-get install linux-perf"},
		{"ubuntu", "apt-get install linux-tools-$(uname -r)"},
		{"fedora", "dnf install perf"},
		{"rhel", "dnf install perf"},
		{"arch", "pacman -S perf"},
		{"alpine", "apk add perf"},
		{"suse", "zypper install perf"},
	};
	static const char *const keys[] = {"ID=", "ID_LIKE="}; /* Ubuntu is like Debian, but has its own package */
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		char line[256];
		if (!proc_line(os_release, keys[k], line, sizeof line))
			continue;
		for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
			if (strstr(line, systems[i].id))
				return systems[i].hint;
	}
	return "the package is called perf, linux-perf or linux-tools";
}

bool perf_check_program(struct err *err)
{
	const char *perf = perf_program();
	if (!words_is_program(perf) && !is_own_perf())
		return fail(err, "perf is not installed, or not in PATH (%s)", perf_package_hint("/etc/os-release"));
	return words_is_program(perf) ||
	       fail(err, "there is no program '%s', which PERF names in the environment", perf);
}

/* As a shell tells it: a path may lead to something that does not run. */
static bool fail_command(const char *name, struct err *err)
{
	struct stat st;
	if (!strchr(name, '/') || stat(name, &st) != 0)
		return fail(err, "%s: command not found", name);
	return fail(err, "%s: %s", name, S_ISDIR(st.st_mode) ? strerror(EISDIR) : strerror(EACCES));
}

int perf_command_status(const struct record_options *r)
{
	struct stat st;
	const char *name = r->command ? r->command[0] : NULL;
	if (!name || r->root || words_is_program(name))
		return 0;
	return strchr(name, '/') && stat(name, &st) == 0 ? 126 : 127;
}

bool perf_check_ids(const struct record_options *r, struct err *err)
{
	return are_there(r->pids, "process", err) && are_there(r->tids, "thread", err);
}

bool perf_check_targets(const struct record_options *r, struct err *err)
{
	if (r->root && !words_is_program("sudo"))
		return fail(err, "--root: there is no sudo in PATH");
	/* sudo may use another PATH. */
	if (perf_command_status(r))
		return fail_command(r->command[0], err);
	return perf_check_ids(r, err) &&
	       (r->root || (are_own(r->pids, "process", err) && are_own(r->tids, "thread", err)));
}

/* ---- what came out ------------------------------------------------------------------------------------------- */

const char *perf_advice(const struct record_options *r, const struct profile *p)
{
	uint64_t n_short, n_user;
	enum stacks stacks = stacks_of(r);
	if (stacks == STACKS_WHOLE || choice_of_tracer(r) != WITH_AUTO)
		return "";
	inside_count_shallow(p, &n_user, &n_short);
	if (n_user < 20 || n_short * 2 < n_user)
		return "";
	if (stacks == STACKS_NONE)
		return "stacks are a single function: --cmd asks perf for no more (-g or --call-graph=dwarf in it does)";
	return "most stacks are a single function: the program seems to be built without frame pointers "
		   "(--call-graph=dwarf does without them)";
}
