/*
 * features.h - the facts that a recording holds in addition to its records: machine, event names, build ids
 * (HEADER_* in perf.data-file-format.txt).
 */
#ifndef PERFDATA_FEATURES_H
#define PERFDATA_FEATURES_H

#include "base/arena.h"
#include "perfdata/event.h"
#include "perfdata/files.h"

/* Bits of the header's bitmap, and feature numbers in HEADER_FEATURE records. */
enum perfdata_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_DIR_FORMAT = 24,
	FEATURES = 256
};

/* NULL: not recorded. */
struct perfdata_facts {
	const char *hostname, *osrelease;
	const char *version; /* of perf */
	const char *arch;    /* as `uname -m` prints it: "x86_64" */
	const char *cmdline; /* of perf, its arguments separated by blanks */
};

/* Where features are stored. */
struct perfdata_features {
	struct perfdata_facts facts;
	struct arena *texts;
	struct perfdata_events *events;
	struct perfdata_files *files;
};

/* Skips unknown features. false: the feature is damaged; the data before the damage count. */
bool perfdata_feature_parse(struct perfdata_features *, unsigned feature, struct perfdata_bytes);
/* Does perfdata_feature_parse() use it? */
bool perfdata_feature_is_known(unsigned feature);
/* Takes a PERF_RECORD_BUILD_ID without its header. */
bool perfdata_build_id_parse(struct perfdata_features *, uint16_t misc, struct perfdata_bytes body);

#endif
