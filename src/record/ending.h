/*
 * ending.h - ends a program in steps: asks, tells, then kills it, and waits a while before each step.
 */
#ifndef RECORD_ENDING_H
#define RECORD_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

/* How firmly the program has been told to end. Steps are taken once and in this order; some may be skipped. */
enum ending_step {
	ENDING_RUNS,
	ENDING_ASKED,    /* SIGINT */
	ENDING_TOLD,     /* SIGTERM */
	ENDING_STRIPPED, /* SIGKILL for the program it waits for; it can still write what it has */
	ENDING_KILLED,   /* SIGKILL */
	ENDING_LOST      /* nothing ends it: it is left running */
};

struct ending {
	enum ending_step step;
	double begun;      /* when the first step was taken, in seconds of ending_now(); 0: this is the first */
	double since;      /* when this step was taken */
	double due;        /* when the next step is due; 0: at the next signal */
	bool is_said;      /* the remark about the wait was printed */
	bool is_released;  /* see ending_wait */
	double nap;        /* seconds until the next look */
	double after_term; /* seconds between SIGTERM and SIGKILL; 0: ENDING_AFTER_TERM */
};

/* Seconds. */
#define ENDING_AFTER_TERM 5.0     /* between SIGTERM and SIGKILL */
#define ENDING_AFTER_STRIPPED 1.0 /* to write the end of a recording once the command is gone */
#define ENDING_AFTER_KILL 3.0     /* until it is clear that SIGKILL does not help, either */
#define ENDING_SAME_SIGNAL 0.3    /* two SIGINT this close are one, sent to a process and its group */
#define ENDING_REMARK 2.0         /* of silence before a remark about the wait */

/*
 * Takes `step` if it is firmer than the current one. patience: seconds before the next step; 0: until a signal
 * comes.
 */
bool ending_go(struct ending *, enum ending_step step, double now, double patience);
/*
 * Handles a signal that was sent to us: the first SIGINT asks, another one kills; any other signal allows
 * ENDING_AFTER_TERM. Returns whether this took a new step.
 */
bool ending_hear(struct ending *, int sig, double now);
/* Takes the next step if it is due. */
bool ending_tick(struct ending *, double now);
/* True once, when it is time to say that the wait goes on. */
bool ending_wants_remark(struct ending *, double now);

/*
 * Does what a step asks for; arg is the caller's. is_typed: the signal came from the terminal, so the whole
 * foreground group already has it. false: this step does not apply, and the next one follows at once.
 */
typedef bool ending_take(void *arg, enum ending_step step, bool is_typed);

struct ending_wait {
	const char *name; /* of the program, for the remark */
	ending_take *take;
	void *arg;
	double deadline;         /* when to ask it to end, in seconds of ending_now(); 0: never */
	void (*look)(void *arg); /* runs about once a second while the program runs, and more often at first; or NULL */
	/* Runs ENDING_AFTER_TERM after the deadline: ends what the program waits for; or NULL */
	void (*release)(void *arg);
};

/* Seconds of a monotonic clock. */
double ending_now(void);

/*
 * Waits for our child and meanwhile takes SIGINT, SIGTERM and SIGHUP (unless it was ignored when we were started)
 * one by one. Drops further signals that are pending at the end. false: the child was left running.
 */
bool ending_wait(struct ending *, pid_t child, int *status, const struct ending_wait *);

#endif
