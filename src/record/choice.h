/*
 * choice.h - is it dtrace or xctrace that takes the samples?
 */
#ifndef RECORD_CHOICE_H
#define RECORD_CHOICE_H

#include "options.h"

/*
 * WITH_DTRACE or WITH_XCTRACE: as --with says; else as the environment does by XCTRACE or DTRACE, unless PERF or an
 * option names something else; else the usual one of a system without perf events. WITH_AUTO: neither.
 */
enum record_with choice_of_tracer(const struct record_options *);

#endif
