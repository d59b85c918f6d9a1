/*
 * record.h - profiling with perf, live or into a file first.
 *
 * In both ways the samples come out of a descriptor as the text of `perf script`, ready for the loader:
 *
 *	live     record_start()  -> descriptor, the recording goes on while it is read;  record_end()
 *	batch    record_run()    the recording, from beginning to end;  record_read() -> descriptor;  record_end()
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/family.h"
#include "model/profile.h"
#include "model/view.h"
#include "options.h"
#include "record/ending.h"
#include "record/guard.h"
#include "record/keep.h"
#include "record/printed.h"
#include "record/relay.h"

struct recording {
	const struct options *options;
	pid_t recorder, script;         /* 0: not running, or waited for */
	int recorder_slot, script_slot; /* see base/temporary.h */
	int recorder_status;            /* as waitpid() gives it */
	int script_status;
	int data;         /* unnamed file of the recording; -1: none */
	char *data_path;  /* how perf opens the recording; owned */
	char *kept;       /* name of a recording that stays; owned, NULL: none */
	struct keep keep; /* once it is complete */
	struct printed printed; /* live: what the command and perf record print */
	int script_said;        /* unnamed file with the same of perf script; -1: none */
	bool is_live;
	bool has_screen;           /* the viewer may be on it */
	enum ending_step ended_by; /* how firmly perf record was told to end */
	struct buf stripped;       /* the name of the program that was killed before it */
	struct family family;      /* what perf record has started, as long as it runs */
	pthread_mutex_t family_lock;
	struct family script_family; /* the same of perf script, once it is told to end */
	struct guard guard;          /* of both, should we be gone */
	struct relay relay;          /* live: from perf record to perf script */
	atomic_bool is_interrupted;  /* ended by Ctrl-C, by --duration or with the viewer, not by itself */
	/* live with --duration: a thread that ends it */
	bool has_watch, is_over;
	pthread_t watch;
	pthread_mutex_t lock;
	pthread_cond_t over;
};

/* Can this work? `notes` gets what will be missing, one line; false: err says why not and what to do. */
bool record_check(const struct options *, struct buf *notes, struct err *err);

/* Starts perf record and perf script. The descriptor is the caller's; -1: failed. */
int record_start(struct recording *, const struct options *, struct err *err);

/*
 * Runs perf record to its end: Ctrl-C and --duration end it, SIGTERM too. The command's standard output goes to
 * `out`. false: it could not be started, or left nothing behind.
 */
bool record_run(struct recording *, const struct options *, int out, struct err *err);
/* Starts perf script on the recording. The descriptor is the caller's; -1: failed. */
int record_read(struct recording *, struct err *err);
/*
 * Gives a recording that would be gone a name in the working directory, which is `kept` then. After record_end().
 */
bool record_keep(struct recording *, struct err *err);

/* Ends a live recording as Ctrl-C does: arg is the recording. */
void record_interrupt(void *arg);

/*
 * Seconds of processor time that both perfs have taken so far, without the command's, and with sudo's if it stands
 * before them; below 0: not known.
 */
double record_cost(void *arg);

/*
 * Ends whatever still runs, waits for it, and prints what was held back while the screen was taken. The descriptor
 * is closed by then, or read to its end. false: perf script failed.
 */
bool record_end(struct recording *, struct err *err);
/* The exit status to pass on: the command's own, 0 if it was ended by us. After record_end(). */
int record_status(const struct recording *);
void record_deinit(struct recording *);

/* "gcc -O2 x.c" or "process 123": names the input. */
void record_title(struct buf *out, const struct record_options *);

/* Is there a program as `command` names it? */
bool record_check_filter(const char *command, struct err *err);
/*
 * Sends the view as folded stacks through the program in `command`, and returns a descriptor with what came out;
 * -1: failed. The program has ended by then.
 */
int record_post_process(const char *command, const struct view *, const struct export_options *, struct err *err);

/* Opens a file with the desktop's program for it. */
bool record_open(const char *path, struct err *err);

#endif
