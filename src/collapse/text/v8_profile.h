/*
 * v8_profile.h - V8's CPU profile, as found in its own files (cpuprofile.c) and in traces (chrome_profiles.h).
 *
 *	"nodes":[
 *	  {"id":1,"callFrame":{"functionName":"(root)",...},"children":[2]},
 *	  {"id":2,"callFrame":{"functionName":"run","url":"file:///a.js","lineNumber":3},"hitCount":5}],
 *	"startTime":1000, "endTime":1500, "samples":[2,2], "timeDeltas":[100,250]
 */
#ifndef COLLAPSE_TEXT_V8_PROFILE_H
#define COLLAPSE_TEXT_V8_PROFILE_H

#include "base/idmap.h"
#include "base/json.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/lines.h"
#include "collapse/text/time_rest.h"

/*
 * The symbol of a function, or of its place in the source if it has none; 0: the root, which is not drawn. of: its
 * URL; line: from 0 on, negative: unknown. scratch is overwritten.
 */
uint32_t v8_frame(struct sink *, struct buf *scratch, const struct buf *name, const struct buf *of, int64_t line);

/* Zeroed is empty. */
struct v8_profile {
	int64_t start_time, end_time; /* ns */
	bool has_start, has_end;
	struct v8_node *nodes;
	size_t n_nodes, cap_nodes;
	struct v8_link *links;
	size_t n_links, cap_links;
	struct idmap ids;  /* index of a node */
	uint64_t *samples; /* ids */
	size_t n_samples, cap_samples;
	int64_t *deltas; /* ns; V8_BAD_DELTA: not a time */
	size_t n_deltas, cap_deltas;
	struct time_rest rest; /* of deltas */
	uint32_t *lines;       /* of samples, from 1; only in traces of newer versions */
	size_t n_lines, cap_lines;
	struct v8_tick *ticks; /* of nodes */
	size_t n_ticks, cap_ticks;
	struct json_odd odd, odd_members;
	bool has_bad_delta, has_bad_time; /* startTime or endTime is not a time */
};

#define V8_BAD_DELTA INT64_MIN

void v8_profile_deinit(struct v8_profile *);
/* Moves all of `piece` to the end of a profile. Skips nodes that are already there. */
void v8_profile_append(struct v8_profile *, struct v8_profile *piece);
/* Nanoseconds from the first sample to the last; saturates. */
uint64_t v8_profile_length(const struct v8_profile *);

struct v8_target {
	struct sink *sink;
	uint32_t task, root; /* of the samples */
	uint32_t series;
	uint64_t unit; /* the weight of a microsecond (its parts become decimals), or of a hit */
};

void v8_profile_emit_samples(struct v8_profile *, const struct v8_target *);
/* Emits hit counts, for files without samples. */
void v8_profile_emit_hits(struct v8_profile *, const struct v8_target *);

/* Depth of nested objects. */
#define V8_DEEPEST 6

/* Reads an object with those members; nodes and samples may be in a "cpuProfile" inside it. */
struct v8_reader {
	struct sink *sink;
	struct v8_profile *into;
	unsigned char places[V8_DEEPEST];
	struct buf key, name, url, text;
	int64_t line;
	struct v8_node *node; /* the node being read */
};

void v8_reader_init(struct v8_reader *, struct sink *, struct v8_profile *into);
void v8_reader_deinit(struct v8_reader *);
/* Takes one token of the object, including its begin and end; base: number of containers around it. */
void v8_reader_take(struct v8_reader *, struct json *, enum json_token, uint32_t base);

#endif
