/*
 * chrome_samples.h - reads samples and stack frames of the Trace Event Format, as Hermes writes them.
 *
 *	"samples":[{"ts":"100","pid":1,"tid":"7","weight":"1","sf":2}, ...],
 *	"stackFrames":{"1":{"name":"[root]"},"2":{"name":"f","parent":1}}
 *
 * A sample lasts until the next one of its thread.
 */
#ifndef COLLAPSE_FORMATS_CHROME_SAMPLES_H
#define COLLAPSE_FORMATS_CHROME_SAMPLES_H

#include "base/idmap.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"

/* Zeroed is empty. */
struct chrome_samples {
	struct chrome_sample *samples;
	size_t n, cap;
	struct chrome_frame *frames;
	size_t n_frames, cap_frames;
	struct idmap ids; /* of the frames */
	struct frames stack;
};

/* The task and root that samples belong to. */
struct chrome_owner {
	uint32_t task, root;
};

void chrome_samples_deinit(struct chrome_samples *);
/* Adds a frame by its id; parent is an id, too, or empty. */
void chrome_samples_frame(struct chrome_samples *, struct slice id, struct slice parent, uint32_t name);
void chrome_samples_add(struct chrome_samples *, int64_t time, uint32_t thread, struct slice frame);
/* Emits all samples; owners: by thread. */
void chrome_samples_emit(struct chrome_samples *, struct sink *, const struct chrome_owner *owners,
                         uint32_t series);

#endif
