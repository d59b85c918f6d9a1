/*
 * perfmap_ask.h - asks one runtime to write its perf map.
 *
 * The target is not trusted: it may answer with garbage, for ever or never, and what is in its file system may be
 * anything. The asker has the target's own rights, follows no links there, and gives up after some seconds.
 */
#ifndef RECORD_SAMPLER_PERFMAP_ASK_H
#define RECORD_SAMPLER_PERFMAP_ASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "symbols/runtimes.h"

struct perfmap_request {
	pid_t pid;
	pid_t asked_by;         /* the asker's parent, with which it ends */
	uint64_t begun;         /* as in struct proc_stat: another process with this number is not asked */
	bool is_first, is_last; /* of the recording, for this process */
	bool is_alone;          /* no other asker runs: it may read a large map */
	bool is_quiet;          /* says nothing */
	bool is_known;          /* success was told */
	bool is_loss_known;     /* and that functions are lost */
};

enum perfmap_result {
	PERFMAP_DONE,
	PERFMAP_FAILED,
	PERFMAP_LATER, /* the runtime has only begun, or the process has ended */
	PERFMAP_LARGE, /* its map is large: ask it alone */
	PERFMAP_LOST,  /* done, but functions that it has dropped are lost */
};

/* Has the process mapped a runtime that can be asked? Names only. */
bool perfmap_concerns(pid_t);
/* Asks, and says on standard error what came of it. Changes the user of the calling process: fork first. */
enum perfmap_result perfmap_ask(const struct perfmap_request *);

/* What a failure means, for the line on it. is_known: success was told before. */
const char *perfmap_failure(bool is_known);
/* Does the process still run? */
bool perfmap_is_alive(pid_t, uint64_t begun);

/* ---- for the runtimes ---------------------------------------------------------------------------------------- */

struct perfmap_target {
	const struct perfmap_request *request;
	pid_t pid, inner; /* inner: as its own namespace numbers it */
	int process;      /* a pidfd; -1: the kernel has none */
	int directory;    /* where its files for others are: /tmp; leads there, but is not open */
	uid_t uid;
	gid_t gid;
	struct buf arguments, environment; /* each ends with NUL */
	double until;                      /* ms of CLOCK_MONOTONIC */
	bool has_made_place;               /* see perfmap_make_place() */
	const char *note;                  /* for the line on success; may be NULL */
	const char *lost;                  /* why functions that it has dropped are lost; NULL: they are not */
};

enum perfmap_result perfmap_ask_java(struct perfmap_target *, struct err *);
enum perfmap_result perfmap_ask_dotnet(struct perfmap_target *, struct err *);

double perfmap_now(void); /* ms of CLOCK_MONOTONIC */
/* The time begins. */
void perfmap_begin(struct perfmap_target *, int ms);
/* Does one of its arguments or variables hold the text? */
bool perfmap_is_told(const struct perfmap_target *, const char *text);
/* Waits for a while. false: the time is over. */
bool perfmap_pause(const struct perfmap_target *, int ms);
/* Does the process run a handler for the signal? */
bool perfmap_catches(const struct perfmap_target *, int sig);
bool perfmap_signal(const struct perfmap_target *, int sig);
/*
 * Connects to the socket of that name in the directory, if the process itself listens there. -1 with err; with an
 * empty err, there is no such socket, or nobody listens.
 */
int perfmap_connect(const struct perfmap_target *, const char *name, struct err *);
/* Sends all bytes. Closes the socket on failure. */
bool perfmap_send(const struct perfmap_target *, int socket, const void *bytes, size_t n, struct err *);
/* Receives until the end or n bytes, and closes the socket. Returns how many came. */
size_t perfmap_receive(const struct perfmap_target *, int socket, void *bytes, size_t n);

/*
 * Makes sure that the target will write its map into a file of its own: creates an empty one unless there is one.
 * In a sticky directory, other users cannot replace that by a link. false with err: the existing file is not the
 * target's own, and the caller must not ask the target.
 */
bool perfmap_make_place(struct perfmap_target *, struct err *);
/* Removes the file that perfmap_make_place() made. */
void perfmap_give_up_place(const struct perfmap_target *);

/* Maps up to this size are read by many askers at once. */
#define PERFMAP_SMALL ((size_t)2 << 20)
/* The size of the map as it is now; 0: there is none. */
uint64_t perfmap_size(const struct perfmap_target *);
/* Appends the map as it is now. false: it is not read, and target->lost may say why. */
bool perfmap_read(struct perfmap_target *, struct buf *);
/*
 * Puts those lines of an earlier map that the present one lacks before it: functions that are gone by now. It takes
 * `earlier` over. target->lost says if they cannot be kept.
 */
bool perfmap_unite(struct perfmap_target *, struct buf *earlier, struct err *);

#endif
