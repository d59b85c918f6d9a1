/*
 * perf_data.h - a perf.data recording, read through `perf script`.
 */
#ifndef COLLAPSE_PERF_DATA_H
#define COLLAPSE_PERF_DATA_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* PERF in the environment, else "perf". */
const char *perf_program(void);

/* A running `perf script`. */
struct perf_data {
	pid_t child;
	int slot;     /* see base/temporary.h */
	int messages; /* descriptor of the unnamed file that collects its standard error */
};

/*
 * Starts `perf script -i PATH` (PERF in the environment names another perf) and returns a descriptor its text can
 * be read from, which the caller closes; -1 with err. path "-" is standard input, which has to be a file then. perf
 * itself looks up inlined functions, unless no_inline, and source lines, if with_srcline.
 */
int perf_data_open(const char *path, bool no_inline, bool with_srcline, struct perf_data *, struct err *);

/*
 * Waits for the end of perf script, and kills it if that does not come soon; call it after the descriptor is closed
 * or at its end. false: it failed, and err holds what it said. With is_cut_short the reader had enough, and how
 * perf ended does not matter.
 */
bool perf_data_finish(struct perf_data *, bool is_cut_short, struct err *);

#endif
