/*
 * chrome_profiles.h - reads CPU profiles in traces from Chrome's developer tools and node --trace-events.
 *
 *	{"args":{"data":{"startTime":100}},"id":"0x1","name":"Profile","ph":"P","pid":7,"tid":1,"ts":100}
 *	{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{...},"id":2,"parent":1}],"samples":[2,2]},
 *	  "timeDeltas":[10,120]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":230}
 *
 * A profile belongs to the thread of its first event; its chunks come from another thread, in any order. Before
 * 2018 a single event of the thread, "CpuProfile", held all of it.
 */
#ifndef COLLAPSE_FORMATS_CHROME_PROFILES_H
#define COLLAPSE_FORMATS_CHROME_PROFILES_H

#include "collapse/text/v8_profile.h"

/* Zeroed, and with chrome_profiles_init(), it is empty. */
struct chrome_profiles {
	struct sink *sink;
	struct v8_reader reader;
	bool has_read;
	struct v8_profile piece; /* of the event being read */
	struct chrome_profile *v;
	size_t n, cap;
	struct idmap ids; /* by process and id */
};

/* An event that has been read. */
struct chrome_profile_event {
	struct slice name, pid, tid, id;
	int64_t time;    /* orders chunks */
	uint32_t thread; /* the caller's number for it */
};

void chrome_profiles_init(struct chrome_profiles *, struct sink *);
void chrome_profiles_deinit(struct chrome_profiles *);
/* Takes one token of args.data of any event; base: number of containers around it. */
void chrome_profiles_read(struct chrome_profiles *, struct json *, enum json_token, uint32_t base);
/* At the end of an event: is it, by its name, a piece of a profile? If not, the data read are dropped. */
bool chrome_profiles_want(struct chrome_profiles *, struct slice name);
/* At the end of a piece: adds the data read to its profile. */
void chrome_profiles_take(struct chrome_profiles *, const struct chrome_profile_event *);

/* The task and the root of a thread's samples. */
typedef struct v8_target chrome_profile_target(void *arg, uint32_t thread);
/*
 * Emits all profiles, thread by thread. Of overlapping profiles of one thread the longest counts; a warning reports
 * the others.
 */
void chrome_profiles_emit(struct chrome_profiles *, chrome_profile_target *, void *arg);

#endif
