/*
 * ending.h - a program that is asked to end, told to, and made to: who is patient with whom, and for how long.
 */
#ifndef RECORD_ENDING_H
#define RECORD_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

/* How firmly it has been told. Each step is taken once, and in this order; some may be left out. */
enum ending_step {
	ENDING_RUNS,
	ENDING_ASKED,    /* SIGINT */
	ENDING_TOLD,     /* SIGTERM */
	ENDING_STRIPPED, /* SIGKILL for the program that it waits for: what it has to write, it can still write */
	ENDING_KILLED,   /* SIGKILL */
	ENDING_LOST      /* nothing ends it: it is left alone */
};

struct ending {
	enum ending_step step;
	double begun;      /* when the first step was taken, in seconds of ending_now(); 0: with this one */
	double since;      /* when this step was taken */
	double due;        /* when the next one is; 0: when a signal comes */
	bool is_said;      /* that it takes its time */
	double after_term; /* seconds between SIGTERM and SIGKILL; 0: ENDING_AFTER_TERM */
};

/* Seconds. */
#define ENDING_AFTER_TERM 5.0     /* between SIGTERM and SIGKILL */
#define ENDING_AFTER_STRIPPED 1.0 /* to write the end of a recording in, once the command is gone */
#define ENDING_AFTER_KILL 3.0     /* until it is clear that not even SIGKILL helps */
#define ENDING_SAME_SIGNAL 0.3    /* in which two SIGINT are one: a group and one process of it may get one each */
#define ENDING_REMARK 2.0         /* of silence before a word about the wait */

/* Goes to `step`, if that is firmer than before; patience: seconds before the next one, 0: until a signal comes. */
bool ending_go(struct ending *, enum ending_step step, double now, double patience);
/*
 * A signal that was sent to us: the first SIGINT asks, another one kills; everything else gives it
 * ENDING_AFTER_TERM. The return says whether that is a new step.
 */
bool ending_hear(struct ending *, int sig, double now);
/* Takes the next step if it is due. */
bool ending_tick(struct ending *, double now);
/* Is it time, once, to say that the wait goes on? */
bool ending_wants_remark(struct ending *, double now);

/*
 * What happens at a step; arg is the caller's. is_typed: the signal came from the terminal, so the whole foreground
 * group has it already. false: this step is none here, and the next one follows at once.
 */
typedef bool ending_take(void *arg, enum ending_step step, bool is_typed);

struct ending_wait {
	const char *name; /* of the program, for the remark */
	ending_take *take;
	void *arg;
	double deadline;         /* of ending_now(): it is asked to end then; 0: none */
	void (*look)(void *arg); /* now and then, once a second as a rule, while the program runs; or NULL */
};

/* Seconds of a clock that only goes on. */
double ending_now(void);

/*
 * Waits for a child that is ours, while SIGINT, SIGTERM and SIGHUP (unless that was ignored when we were started)
 * are taken one by one. false: it was left alone. Signals of the same kind that come again at once are taken, too.
 */
bool ending_wait(struct ending *, pid_t child, int *status, const struct ending_wait *);

#endif
