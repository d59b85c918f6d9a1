/*
 * own.c - recordings that flametop takes itself: `flametop sample` in place of `perf record`.
 *
 * The sampler is a process of its own, as perf record is. So a viewer that waits for its terminal, or dies, cannot
 * hold it up; sudo can give it rights that the viewer lacks; and it ends, or lets go of its command, in the same
 * ways (record.c).
 */
#include "record/own.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "lib/inside.h"
#include "perfdata/io_calls.h"
#include "record/choice.h"
#include "record/perf.h"

#define MAXIMUM 1000000u /* a frequency that no kernel allows: the sampler takes the highest */

static uint32_t dump_of(const struct record_options *r)
{
	const char *how = perf_call_graph(r), *comma = strchr(how, ',');
	uint64_t bytes = 16384;
	if (strncmp(how, "dwarf", 5) != 0)
		return 0;
	if (comma)
		number_u64(comma + 1, strlen(comma + 1), &bytes);
	return (uint32_t)bytes & ~7u;
}

static uint64_t frequency_of(const struct record_options *r)
{
	uint64_t frequency = 0;
	if (r->frequency && strcmp(r->frequency, "max") == 0)
		return MAXIMUM;
	return r->frequency && number_u64(r->frequency, strlen(r->frequency), &frequency) ? frequency : 0;
}

void own_options(struct sampler_options *s, const struct options *o)
{
	const struct record_options *r = &o->record;
	*s = (struct sampler_options){.events = r->event,
	                              .frequency = frequency_of(r),
	                              .dump = dump_of(r),
	                              .command = r->command,
	                              .pids = (const char *const *)r->pids,
	                              .tids = (const char *const *)r->tids,
	                              .cgroup = r->cgroup,
	                              .all_cpus = r->all_cpus,
	                              .memory = r->memory,
	                              .ptrace = r->ptrace,
	                              .off_cpu = r->off_cpu,
	                              .io = r->io,
	                              .wakers = r->off_cpu && o->collapse.wake_stack,
	                              .has_idle = r->idle,
	                              .languages = r->languages == LANGUAGES_AUTO && !r->all_cpus && !r->memory,
	                              .perfmap = r->enable_perfmap,
	                              .output = "-",
	                              .viewer = (pid_t)r->viewer,
	                              .is_quiet = o->quiet};
	if (r->duration)
		number_double(r->duration, strlen(r->duration), &s->duration);
}

/* Is there something that only perf can do? */
static bool is_for_perf(const struct options *o)
{
	const struct record_options *r = &o->record;
	if (r->ptrace || r->memory || r->io || r->enable_perfmap)
		return false;
	bool wants_perf = getenv("PERF") || r->record_args || r->compression;
	if (wants_perf || (r->call_graph && strcmp(r->call_graph, "lbr") == 0))
		return true;
	if (r->root) /* perf script reads what this process may not */
		return words_is_program(perf_program());
	return perf_script_is_needed(o) || (r->event && !sampler_knows(r->event, NULL));
}

enum record_with own_choose(const struct options *o)
{
	enum record_with tracer = choice_of_tracer(&o->record);
	if (o->record.with != WITH_AUTO)
		return o->record.with;
	if (tracer != WITH_AUTO)
		return tracer;
	return is_for_perf(o) ? WITH_PERF : WITH_FLAMETOP;
}

bool own_can_be_live(const struct options *o)
{
	const struct record_options *r = &o->record;
	return !o->is_script && !r->post_process && !r->keep_data && own_choose(o) < WITH_DTRACE;
}

bool own_check(const struct options *o, struct sampler_lacks *lacks, struct err *err)
{
	struct sampler_options how;
	*lacks = (struct sampler_lacks){.kernel = false};
	own_options(&how, o);
	return o->record.root || sampler_probe(&how, lacks, err);
}

/* ---- the command line ---------------------------------------------------------------------------------------- */

/* A program that was replaced by a new version can still be started by its link in /proc. */
static bool add_program(struct words *w, bool is_below_sudo, struct err *err)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if (n <= 0 && errno == ENOENT)
		return fail(err, "there is no /proc, which recording needs; `flametop sample` does without");
	bool is_there = n > 0 && access(path, X_OK) == 0;
	words_add(w, is_there ? path : "/proc/self/exe");
	return is_there || !is_below_sudo || fail(err, "%s: the program was replaced; start it anew", path);
}

static void add_list(struct words *w, const char *option, const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++) {
		words_add(w, option);
		words_add(w, list[i]);
	}
}

static void add_value(struct words *w, const char *option, const char *value)
{
	if (value)
		words_addf(w, "%s=%s", option, value);
}

bool own_words(struct words *w, const struct options *o, const char *path, struct err *err)
{
	const struct record_options *r = &o->record;
	perf_add_sudo(w, r);
	if (!add_program(w, r->root, err))
		return false;
	words_add(w, "sample");
	add_value(w, "--freq", r->frequency);
	if (r->event) {
		words_add(w, "-e");
		words_add(w, r->event);
	}
	add_value(w, "--call-graph", r->call_graph);
	add_list(w, "-p", (const char *const *)r->pids);
	add_list(w, "-t", (const char *const *)r->tids);
	add_value(w, "--cgroup", r->cgroup);
	if (r->all_cpus)
		words_add(w, "-a");
	words_addf(w, "--viewer=%ld", (long)getpid());
	if (r->memory)
		words_add(w, "--memory");
	if (r->ptrace)
		words_add(w, "--ptrace");
	if (r->off_cpu)
		words_add(w, "--off-cpu");
	if (r->io)
		words_addf(w, "--io=%s", io_kinds_word(r->io));
	if (o->collapse.wake_stack)
		words_add(w, "--wake-stack");
	if (r->idle)
		words_add(w, "--idle");
	if (r->languages == LANGUAGES_NONE)
		words_add(w, "--languages=none");
	if (r->enable_perfmap)
		words_add(w, "--enable-perfmap");
	if (!r->command)
		add_value(w, "--duration", r->duration);
	if (o->quiet)
		words_add(w, "-q");
	words_add(w, "-o");
	words_add(w, path);
	if (r->command)
		words_add(w, "--");
	for (char **word = r->command; word && *word; word++)
		words_add(w, *word);
	return true;
}
