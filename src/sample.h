/*
 * sample.h - `flametop sample`: takes samples without perf, and writes them as perf record does.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "options.h"

/*
 * Records what the options ask for, and says on standard error what went wrong. Returns the exit status. A signal
 * that ended the command ends us, too, as it does perf record.
 */
int sample_run(const struct options *, char *const *words);

#endif
