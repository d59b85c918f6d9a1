/*
 * perf_data.h - reads a perf.data recording through `perf script`.
 */
#ifndef COLLAPSE_PERF_DATA_H
#define COLLAPSE_PERF_DATA_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "collapse/collapse.h"

/* PERF in the environment, else "perf". */
const char *perf_program(void);

/* A running `perf script`. */
struct perf_data {
	pid_t child;
	int slot;     /* see base/temporary.h */
	int messages; /* descriptor of an unnamed file with its standard error */
};

/*
 * Starts `perf script -i PATH` ($PERF names another perf), with what the options ask perf for. Returns a descriptor
 * with its text, which the caller closes; -1 with err. Path "-" is standard input, which must then be a file.
 */
int perf_data_open(const char *path, const struct collapse_options *, struct perf_data *, struct err *err);

enum perf_data_read {
	PERF_DATA_WHOLE,   /* to its end */
	PERF_DATA_FAILED,  /* not to its end, because of an error: perf may have been ended by SIGPIPE */
	PERF_DATA_STOPPED, /* the reader has enough, and perf's status does not matter */
};

/*
 * Waits for the end of perf script, and kills it if it does not end soon; call it after the descriptor is closed or
 * at its end. false: perf failed, and err holds its message.
 */
bool perf_data_finish(struct perf_data *, enum perf_data_read, struct err *);

#endif
