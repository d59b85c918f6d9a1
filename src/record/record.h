/*
 * record.h - profiling, live or into a file first, by our own sampler, by perf or by a tracer.
 *
 * In both modes the samples arrive from a descriptor, ready for the loader: as perf record writes them or, where
 * only perf knows more, as the text of `perf script`; record_format() tells which.
 *
 *	live     record_start()  -> descriptor, read while the recording goes on;  record_end() at last
 *	batch    record_run()    the whole recording;  record_read() -> descriptor;  record_end() at last
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <flametop.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/family.h"
#include "options.h"
#include "record/ending.h"
#include "record/guard.h"
#include "record/keep.h"
#include "record/printed.h"
#include "record/relay.h"

/*
 * Has the recorder written the end of the recording? Unknown for recordings of perf, and for those that came
 * through a pipe and were not read to their end.
 */
enum record_completeness { RECORD_IS_UNKNOWN, RECORD_IS_CUT, RECORD_IS_COMPLETE };

struct recording {
	const struct options *options;
	pid_t recorder, script;               /* 0: not running, or already waited for */
	int recorder_slot, script_slot;       /* see base/temporary.h */
	int recorder_status, script_status;   /* as waitpid() gives them */
	bool is_read;                         /* by the caller: to the end of what perf script printed */
	bool is_shown;                        /* by the caller: its samples were shown or written */
	enum record_completeness is_complete; /* at the end; see record_is_complete() */
	int data;                             /* unnamed file with the recording; -1: none */
	char *data_path;                      /* how the recorder opens the recording; owned */
	struct temporary_tree *tree;          /* where dtrace and xctrace record; NULL: nowhere */
	char *kept;                           /* name of a recording that is kept; owned, NULL: none */
	struct keep keep;                     /* once the recording is complete */
	struct printed printed;               /* live: output of the command and perf record */
	int script_said;                      /* unnamed file with the messages of perf script; -1: none */
	enum record_with with;                /* who takes the samples, never WITH_AUTO */
	bool is_live, is_own;                 /* is_own: it is our sampler */
	bool is_native;                       /* no perf script: flametop reads the recording */
	bool has_screen;                      /* the viewer may own the terminal */
	enum ending_step ended_by;            /* how firmly perf record was told to end */
	struct buf stripped;                  /* name of the program that was killed before perf record */
	struct family family;                 /* what perf record has started, while it runs */
	pthread_mutex_t family_lock;
	struct family script_family; /* the same for perf script, once it is told to end */
	struct guard guard;          /* ends both if we are gone */
	struct relay relay;          /* live: from perf record to perf script */
	atomic_bool is_interrupted;  /* ended by Ctrl-C, by --duration or with the viewer */
	_Atomic pid_t left_running;  /* the command, which the viewer left running; 0: none */
	/* live with --duration: a thread ends the recording */
	bool has_watch, is_over;
	pthread_t watch;
	pthread_mutex_t lock;
	pthread_cond_t over;
};

/*
 * Checks whether the recording can work. `notes` gets what will be missing, one line; false: err says why and what
 * to do.
 */
bool record_check(const struct options *, struct buf *notes, struct err *err);

/* Runs the command of --build, if there is one. Returns 0, or the status to exit with if it has failed. */
int record_build(const struct options *);

/* Starts perf record, and perf script if need be. The caller owns the descriptor; -1: failed. */
int record_start(struct recording *, const struct options *, struct err *err);

/*
 * Runs perf record to its end, which Ctrl-C, --duration and SIGTERM bring about. The command's standard output goes
 * to `out`. false: perf record could not be started, or left no samples.
 */
bool record_run(struct recording *, const struct options *, int out, struct err *err);
/*
 * Has perf record, which has ended, left samples? before: the state of its file before the start. false: err says
 * why.
 */
bool record_has_left_samples(const struct recording *, const struct stat *before, struct err *err);
/* Has the recorder, which has ended, failed to write all? */
bool record_has_failed(const struct recording *);
/*
 * Recordings by dtrace and xctrace, which have a private directory: makes it; turns the samples into an unnamed
 * file once the recorder has ended; removes the directory, if it is still there.
 */
bool record_begin_trace(struct recording *, struct err *err);
bool record_take_trace(struct recording *, struct err *err);
void record_end_trace(struct recording *);
/* Does perf script read the recording, which has a header? Else flametop does. */
bool record_is_for_script(const struct recording *);
/* Opens the recording, or starts perf script on it. The caller owns the descriptor; -1: failed. */
int record_read(struct recording *, struct err *err);
/* The recorder's name in messages: "perf record", "flametop sample". */
const char *record_recorder(const struct recording *);
/* The name of the descriptor's format. */
const char *record_format(const struct recording *);
/* Saves a recording that would be lost as a file in the working directory, named by `kept`. After record_end(). */
bool record_keep(struct recording *, struct err *err);

/* Ends a live recording as Ctrl-C does: arg is the recording. */
void record_interrupt(void *arg);

/*
 * Seconds of processor time used so far by perf's programs, and by sudo if it is in front, without the command's;
 * below 0: unknown.
 */
double record_cost(void *arg);

/*
 * Ends and waits for all programs that still run, and prints the output that was held back for the viewer. The
 * caller has closed the descriptor or read it to its end. false: perf script failed.
 */
bool record_end(struct recording *, struct err *err);
/* The exit status to pass on: the command's own, 0 if we ended it. After record_end(). */
int record_status(const struct recording *);
/* Of our own sampler, once it has ended. A sampler that dies itself leaves a recording that is cut. */
enum record_completeness record_is_complete(const struct recording *);
/* Says that status if it is a failure, and what became of the samples. */
void record_say_status(const struct recording *);
/* Says how firmly perf record had to be ended, if it had to be. */
void record_say_ending(const struct recording *);
/*
 * Prints what perf script has said. false: it has failed, and err says why. is_cut_short: the recording has no
 * trailer; is_told: perf script had to be told to end.
 */
bool record_script_status(const struct recording *, bool is_cut_short, bool is_told, struct err *err);
void record_deinit(struct recording *);

/* "gcc -O2 x.c" or "process 123": the title of the input. */
void record_title(struct buf *out, const struct record_options *);

/* Checks that the program named in `command` exists. */
bool record_check_filter(const char *command, struct err *err);
/*
 * Pipes a view of the profile as folded stacks through `command`, waits for its end, and returns a descriptor with
 * its output; -1: failed.
 */
int record_post_process(const char *command, struct flametop_profile *, struct flametop_view *, struct err *err);

/* Opens a file with the desktop's program for it. */
bool record_open(const char *path, struct err *err);

#endif
