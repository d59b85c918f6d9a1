/*
 * state.h - interprets records: applies each one to events, processes and files, and calls the hooks.
 */
#ifndef PERFDATA_STATE_H
#define PERFDATA_STATE_H

#include "perfdata/deferred.h"
#include "perfdata/features.h"
#include "perfdata/hooks.h"
#include "perfdata/records.h"

struct perfdata_state {
	struct perfdata_hooks hooks;
	void *arg;
	struct arena texts;
	struct perfdata_events events;
	struct perfdata_files files;
	struct perfdata_processes processes;
	struct perfdata_features features;
	struct perfdata_deferred deferred;
	uint64_t bad_samples;
	bool has_names;  /* of events, among the records */
	bool has_births; /* threads or processes began during the recording */
	bool has_traces; /* of processors (AUX data), which are not read */
};

void perfdata_state_init(struct perfdata_state *, const struct perfdata_hooks *, void *arg);
void perfdata_state_deinit(struct perfdata_state *);

void perfdata_state_note(struct perfdata_state *, enum note_level, const char *kind, uint64_t offset);
/* Takes a kernel record in its turn. Its body must be at an address divisible by 8; the call changes it. */
void perfdata_state_take(struct perfdata_state *, const struct perfdata_record *);
/* No more records come: hands on the samples that still wait for their callers. */
void perfdata_state_finish(struct perfdata_state *);
/* Takes one of perf's own records that describe something: HEADER_ATTR, HEADER_FEATURE, BUILD_ID ... */
void perfdata_state_describe(struct perfdata_state *, const struct perfdata_record *);

#endif
