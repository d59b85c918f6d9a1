/*
 * tracer.c - builds the command lines of dtrace and xctrace.
 *
 *	dtrace -x ustackframes=100 -n 'profile-997 /.../ { @[ustack(100)] = count(); }' -o FILE -c 'CMD ARG...'
 *	xctrace record --template 'Time Profiler' --output FILE.trace --target-stdout - --launch -- CMD ARG...
 *	xctrace export --input FILE.trace --xpath '/trace-toc/...'
 *
 * dtrace adds up the stacks in the kernel and prints them when it ends: with its command, after --duration, or by
 * Ctrl-C. It also samples what the command has started. Its -c takes one text and splits it at blanks, without any
 * quoting. xctrace has a fixed frequency, and takes one process.
 */
#include "record/tracer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "record/perf.h"

static const char *program(enum record_with with)
{
	const char *named = getenv(with == WITH_DTRACE ? "DTRACE" : "XCTRACE");
	return named ? named : with == WITH_DTRACE ? "dtrace" : "xctrace";
}

/* ---- checks -------------------------------------------------------------------------------------------------- */

/* The first option given for which it has nothing; NULL: none. */
static const char *lost_option(const struct record_options *r, bool is_dtrace)
{
	const struct {
		bool is_given;
		const char *name;
	} lost[] = {
		{r->event, "-e"},
		{r->tids, "--tid"},
		{r->cgroup, "--cgroup"},
		{r->call_graph && strcmp(r->call_graph, "fp") != 0, "--call-graph, except fp,"},
		{r->off_cpu, "--off-cpu"},
		{r->memory, "--memory"},
		{r->io, "--io"},
		{r->ptrace, "--ptrace"},
		{r->enable_perfmap, "--enable-perfmap"},
		{r->idle, "--idle"},
		{r->compression, "--compression-level"},
		{r->keep_data, "--keep-data"},
		{r->frequency && (!is_dtrace || strcmp(r->frequency, "max") == 0), is_dtrace ? "-F max" : "--freq"},
		{r->record_args && !is_dtrace, "--cmd"},
		{r->root && !is_dtrace, "--root"},
	};
	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
		if (lost[i].is_given)
			return lost[i].name;
	return NULL;
}

static bool check_command(const struct record_options *r, struct err *err)
{
	for (char **word = r->command; word && *word; word++)
		if (!**word || strpbrk(*word, " \t\n\v\f\r\"'"))
			return fail(
				err,
				"dtrace splits commands at blanks and knows no quotes: it cannot pass on '%s' (a script that "
				"starts the command, or -p, does without)",
				*word);
	return true;
}

bool tracer_check_options(const struct record_options *r, enum record_with with, struct err *err)
{
	bool is_dtrace = with == WITH_DTRACE;
	const char *lost = lost_option(r, is_dtrace);
	if (lost)
		return fail(err, "%s does not go together with %s", lost, is_dtrace ? "dtrace" : "xctrace");
	if (!is_dtrace && r->all_cpus && r->command)
		return fail(err, "xctrace samples a command or the whole system, not both");
	if (!is_dtrace && r->pids && r->pids[1])
		return fail(err, "xctrace samples a single process (-p)");
	return !is_dtrace || check_command(r, err);
}

bool tracer_check_program(const struct record_options *r, enum record_with with, struct buf *notes, struct err *err)
{
	const char *name = program(with);
	bool is_dtrace = with == WITH_DTRACE;
	if (!words_is_program(name))
		return getenv(is_dtrace ? "DTRACE" : "XCTRACE")
		           ? fail(err, "there is no program '%s', which %s names in the environment", name,
		                  is_dtrace ? "DTRACE" : "XCTRACE")
		           : fail(err, "%s is not installed, or not in PATH", name);
	if (is_dtrace && !r->root && geteuid() != 0)
		buf_adds(notes, "dtrace may be refused: mostly only root may use it (--root)");
	return true;
}

/* ---- command lines ------------------------------------------------------------------------------------------- */

/* Of --duration; what is less than one would be none. */
static uint64_t milliseconds(const struct record_options *r)
{
	double seconds = 0;
	number_double(r->duration, strlen(r->duration), &seconds);
	return seconds * 1000 < 1 ? 1 : (uint64_t)(seconds * 1000);
}

/* Which samples count, between slashes; nothing for the whole system. */
static void add_predicate(struct buf *out, const struct record_options *r)
{
	if (r->all_cpus)
		return;
	buf_adds(out, " /");
	if (r->command)
		buf_adds(out, "pid == $target || progenyof($target)");
	for (size_t i = 0; r->pids && r->pids[i]; i++)
		buf_addf(out, "%spid == %s", i ? " || " : "", r->pids[i]);
	buf_addc(out, '/');
}

static void add_script(struct words *w, const struct record_options *r)
{
	struct buf text;
	buf_init(&text);
	if (r->record_args) {
		buf_adds(&text, r->record_args);
	} else {
		buf_addf(&text, "profile-%s", r->frequency ? r->frequency : "997");
		add_predicate(&text, r);
		buf_addf(&text, " { @[%sustack(100)] = count(); }", r->all_cpus ? "stack(100), " : "");
	}
	if (r->duration)
		buf_addf(&text, " tick-%llums { exit(0); }", (unsigned long long)milliseconds(r));
	words_add(w, "-n");
	words_add(w, buf_str(&text));
	buf_deinit(&text);
}

static void add_joined_command(struct words *w, char **command)
{
	struct buf text;
	buf_init(&text);
	for (char **word = command; *word; word++)
		buf_addf(&text, "%s%s", word == command ? "" : " ", *word);
	words_add(w, "-c");
	words_add(w, buf_str(&text));
	buf_deinit(&text);
}

static void add_dtrace(struct words *w, const struct record_options *r, const char *path)
{
	words_add(w, "-x");
	words_add(w, "ustackframes=100");
	add_script(w, r);
	words_add(w, "-o");
	words_add(w, path);
	for (size_t i = 0; r->pids && r->pids[i]; i++) {
		words_add(w, "-p");
		words_add(w, r->pids[i]);
	}
	if (r->command)
		add_joined_command(w, r->command);
}

static void add_xctrace(struct words *w, const struct record_options *r, const char *path)
{
	words_add(w, "record");
	words_add(w, "--template");
	words_add(w, "Time Profiler");
	words_add(w, "--output");
	words_add(w, path);
	if (r->duration) {
		words_add(w, "--time-limit");
		words_addf(w, "%llums", (unsigned long long)milliseconds(r));
	}
	if (r->all_cpus)
		words_add(w, "--all-processes");
	if (r->pids) {
		words_add(w, "--attach");
		words_add(w, r->pids[0]);
	}
	if (!r->command)
		return;
	words_add(w, "--target-stdout");
	words_add(w, "-");
	words_add(w, "--launch");
	words_add(w, "--");
	for (char **word = r->command; *word; word++)
		words_add(w, *word);
}

void tracer_record_words(struct words *w, const struct record_options *r, enum record_with with, const char *path)
{
	perf_add_sudo(w, r);
	words_add(w, program(with));
	if (with == WITH_DTRACE)
		add_dtrace(w, r, path);
	else
		add_xctrace(w, r, path);
}

void tracer_export_words(struct words *w, const char *path)
{
	words_add(w, program(WITH_XCTRACE));
	words_add(w, "export");
	words_add(w, "--input");
	words_add(w, path);
	words_add(w, "--xpath");
	words_add(w, "/trace-toc/*/data/table[@schema=\"time-profile\"]");
}
