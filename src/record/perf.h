/*
 * perf.h - perf's command lines, and advice about what limits a recording.
 */
#ifndef RECORD_PERF_H
#define RECORD_PERF_H

#include <stdbool.h>

#include "base/err.h"
#include "options.h"
#include "record/limits.h"
#include "record/words.h"

struct profile;

/*
 * `perf record ...` into path; with is_live to standard output, unbuffered. *file becomes the file that --cmd names
 * with -o (owned by the caller), else NULL. false: --cmd is malformed.
 */
bool perf_record_words(struct words *, const struct record_options *, const char *path, bool is_live, char **file,
                       struct err *err);
/* `perf script ...` on path; with is_live on standard input, as data arrive. */
void perf_script_words(struct words *, const struct options *, const char *path, bool is_live);

/*
 * Is perf script needed for a recording that is still to come? Yes, if the user asks for it or for what only perf
 * does, and with --root: perf then reads files that this process may not.
 */
bool perf_script_is_needed(const struct options *);

/* What the system allows. */
struct perf_limits {
	struct limits limits;
	bool is_own;       /* flametop itself takes the samples, and was allowed to */
	bool lacks_malloc; /* with --memory: its calls cannot be probed */
	bool is_ptrace;    /* without the kernel's help */
	bool lacks_kernel; /* but not those of the kernel */
};

/*
 * false: this recording cannot work, and err says what to do. A perf named by $PERF is tried anyway: it may have
 * rights of its own. `notes` gets what will be missing, one line without newline.
 */
bool perf_check_limits(const struct record_options *, const struct perf_limits *, struct buf *notes,
                       struct err *err);
/* How stacks are found, as --call-graph says it: "dwarf,16384". */
const char *perf_call_graph(const struct record_options *);
/* Is there a perf? false: err says how to get it. */
bool perf_check_program(struct err *err);
/* Adds sudo and its flags, with --root. */
void perf_add_sudo(struct words *, const struct record_options *);
/* The status by which a shell says that there is no such command, or that it is no program; 0: it can be run. */
int perf_command_status(const struct record_options *);
/* Checks that the command, processes and threads named by the options exist, and sudo if it is needed. */
bool perf_check_targets(const struct record_options *, struct err *err);
/* Do the processes and threads that -p and -t name exist? They may be other users'. */
bool perf_check_ids(const struct record_options *, struct err *err);
/* "Debian: apt-get install linux-perf", for the system described by this os-release file. */
const char *perf_package_hint(const char *os_release);

/* A line of advice about truncated stacks in the profile; "" if there is none. */
const char *perf_advice(const struct record_options *, const struct profile *);

#endif
