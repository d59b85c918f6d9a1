/*
 * chrome_profiles.h - CPU profiles in traces, as the developer tools of Chrome and node --trace-events write them.
 *
 *	{"args":{"data":{"startTime":100}},"id":"0x1","name":"Profile","ph":"P","pid":7,"tid":1,"ts":100}
 *	{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{...},"id":2,"parent":1}],"samples":[2,2]},
 *	  "timeDeltas":[10,120]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":230}
 *
 * A profile is that of the thread of its first event; its chunks come from another one, and in any order. Before
 * 2018 it was one event of the thread, "CpuProfile", with all of it.
 */
#ifndef COLLAPSE_FORMATS_CHROME_PROFILES_H
#define COLLAPSE_FORMATS_CHROME_PROFILES_H

#include "collapse/text/v8_profile.h"

/* Zeroed, and with chrome_profiles_init(), it is empty. */
struct chrome_profiles {
	struct sink *sink;
	struct v8_reader reader;
	bool has_read;
	struct v8_profile piece; /* of the event that is being read */
	struct chrome_profile *v;
	size_t n, cap;
	struct idmap ids; /* by process and id */
};

/* An event, once it is read. */
struct chrome_profile_event {
	struct slice name, pid, tid, id;
	int64_t time;    /* for the order of chunks */
	uint32_t thread; /* the caller's number of it */
};

void chrome_profiles_init(struct chrome_profiles *, struct sink *);
void chrome_profiles_deinit(struct chrome_profiles *);
/* One token of args.data of any event; base: containers around it. */
void chrome_profiles_read(struct chrome_profiles *, struct json *, enum json_token, uint32_t base);
/* An event of this name is over: is it a piece of a profile? If not, what was read is forgotten. */
bool chrome_profiles_want(struct chrome_profiles *, struct slice name);
/* It is one: what was read belongs to it. */
void chrome_profiles_take(struct chrome_profiles *, const struct chrome_profile_event *);

/* The task and the root of a thread's samples. */
typedef struct v8_target chrome_profile_target(void *arg, uint32_t thread);
/*
 * Emits all profiles, thread by thread. Of those of a thread that overlap the longest one counts, and the others
 * are said to be left out.
 */
void chrome_profiles_emit(struct chrome_profiles *, chrome_profile_target *, void *arg);

#endif
