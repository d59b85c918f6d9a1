/*
 * perf.h - how perf is called, what stands in its way, and what helps.
 */
#ifndef RECORD_PERF_H
#define RECORD_PERF_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "model/profile.h"
#include "options.h"
#include "record/words.h"

/*
 * `perf record ...` into path; with is_live to standard output, unbuffered. *file becomes the file that --cmd names
 * by -o itself (owned by the caller), else NULL. false: --cmd makes no sense.
 */
bool perf_record_words(struct words *, const struct record_options *, const char *path, bool is_live, char **file,
                       struct err *err);
/* `perf script ...` of path, or of standard input as it comes with is_live. */
void perf_script_words(struct words *, const struct options *, const char *path, bool is_live);

/* What the system allows. */
#define PERF_UNKNOWN INT_MIN
struct perf_limits {
	int paranoid;       /* kernel.perf_event_paranoid */
	int kptr_restrict;  /* kernel.kptr_restrict */
	bool is_privileged; /* root, or with the capability for perf */
};
void perf_limits_read(struct perf_limits *);

/*
 * false: this recording cannot work, and err says what to do; a perf that PERF names may know better, and is tried.
 * What will be missing goes to `notes`, one line without newline.
 */
bool perf_check_limits(const struct record_options *, const struct perf_limits *, struct buf *notes,
                       struct err *err);
/* The programs, processes and threads that the options name have to be there. */
bool perf_check_targets(const struct record_options *, struct err *err);
/* "Debian: apt-get install linux-perf", for the system described by this os-release file. */
const char *perf_package_hint(const char *os_release);

/* A line of advice about what was recorded: stacks that are not whole. "" if there is nothing to say. */
const char *perf_advice(const struct record_options *, const struct profile *);

#endif
