/*
 * pprof_wire.h - the fields of a profile.proto.
 */
#ifndef COLLAPSE_FORMATS_PPROF_WIRE_H
#define COLLAPSE_FORMATS_PPROF_WIRE_H

#include "base/wire.h"
#include "collapse/collapse.h"

/* Fields of a profile. */
enum {
	P_SAMPLE_TYPE = 1,
	P_SAMPLE,
	P_MAPPING,
	P_LOCATION,
	P_FUNCTION,
	P_STRING,
	P_DROP_FRAMES,
	P_KEEP_FRAMES,
	P_TIME,
	P_COMMENT = 13,
	P_DEFAULT_TYPE,
	P_LAST
};

enum sniff pprof_sniff(const struct head *, const char **why);

#endif
