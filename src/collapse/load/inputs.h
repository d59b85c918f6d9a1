/*
 * inputs.h - reads inputs one after the other into one profile, on the calling thread and on worker threads.
 */
#ifndef COLLAPSE_LOAD_INPUTS_H
#define COLLAPSE_LOAD_INPUTS_H

#include "collapse/load/job.h"

/* A copy of the options with the number of threads filled in. */
struct collapse_options inputs_options(const struct collapse_options *);
/* Reads all inputs as load_all() does, or until shared->stop is set. */
bool inputs_read(struct load_job *, const struct load_input *, size_t n, struct err *);
/* Bytes of all inputs before decompression; 0 if one is a pipe, which also sets *is_live. */
uint64_t inputs_bytes(const struct load_input *, size_t n, const struct collapse_options *, bool *is_live);

#endif
