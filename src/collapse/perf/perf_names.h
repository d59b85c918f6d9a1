/*
 * perf_names.h - what tasks and events of perf are called, whether they come as text or as a recording.
 */
#ifndef COLLAPSE_PERF_NAMES_H
#define COLLAPSE_PERF_NAMES_H

#include <stdbool.h>

#include "collapse/collapse.h"
#include "collapse/text/lines.h"

/*
 * The frame below all others: "comm", "comm-PID" or "comm-PID/TID", as the options ask for. id is "PID/TID", or the
 * second number alone where the first is not known. Replaces what is in `name`.
 */
void perf_root_name(struct buf *name, const struct collapse_options *, struct slice comm, struct slice id);

/*
 * A function's name as perf prints it: demangled, without parameters, "[unknown]" for NULL. `demangled` has to live
 * as long as what is returned.
 */
struct slice perf_symbol_name(const char *name, struct buf *demangled);

/*
 * The series of an event, made when new; its place is that in `events`, a list as perf record -e takes it (NULL:
 * all events share a place, and the samples decide). has_period: weights are units of the event, not samples.
 */
uint32_t perf_series(struct sink *, struct slice event, bool has_period, const char *events);

#endif
