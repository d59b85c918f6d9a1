/*
 * ending.c - asks a program to end, then tells it, then kills it.
 *
 *	Ctrl-C             SIGINT    the recording is written, however long that takes
 *	Ctrl-C again       SIGKILL   for the command, and a second later for perf
 *	SIGTERM, SIGHUP    SIGTERM   and five seconds later as for the second Ctrl-C
 *	a deadline         SIGINT    and five seconds later SIGKILL for the command; a minute later as for SIGTERM
 *
 * perf record waits for its command before it writes the end of its file. A command that ignores signals is
 * therefore killed first: perf may then end normally and leave a complete recording.
 */
#include "record/ending.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "base/child.h"
#include "base/err.h"
#include "base/process.h"
#include "base/wait_signal.h"

#define ASKED_PATIENCE 60.0 /* seconds beyond a deadline: a large recording takes its time to write */

double ending_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool ending_go(struct ending *e, enum ending_step step, double now, double patience)
{
	if (step <= e->step)
		return false;
	if (e->begun <= 0)
		e->begun = e->step == ENDING_RUNS ? now : e->since;
	e->step = step;
	e->since = now;
	e->due = patience > 0 ? now + patience : 0;
	return true;
}

static double patience_after(const struct ending *e, enum ending_step step)
{
	switch (step) {
	case ENDING_TOLD:
		return e->after_term > 0 ? e->after_term : ENDING_AFTER_TERM;
	case ENDING_STRIPPED:
		return ENDING_AFTER_STRIPPED;
	case ENDING_KILLED:
		return ENDING_AFTER_KILL;
	default:
		return 0;
	}
}

static bool go_on(struct ending *e, enum ending_step step, double now)
{
	return ending_go(e, step, now, patience_after(e, step));
}

bool ending_hear(struct ending *e, int sig, double now)
{
	if (sig != SIGINT)
		return go_on(e, ENDING_TOLD, now);
	if (e->step == ENDING_RUNS)
		return go_on(e, ENDING_ASKED, now);
	if (now - e->since < ENDING_SAME_SIGNAL)
		return false;
	return go_on(e, e->step < ENDING_STRIPPED ? ENDING_STRIPPED : ENDING_KILLED, now);
}

bool ending_tick(struct ending *e, double now)
{
	if (e->due <= 0 || now < e->due || e->step == ENDING_LOST)
		return false;
	return go_on(e, (enum ending_step)(e->step + 1), now);
}

bool ending_wants_remark(struct ending *e, double now)
{
	double begun = e->begun > 0 ? e->begun : e->since;
	if (e->is_said || e->step == ENDING_RUNS || e->step >= ENDING_STRIPPED || now - begun < ENDING_REMARK)
		return false;
	e->is_said = true;
	return true;
}

/* ---- waiting ------------------------------------------------------------------------------------------------- */

/* SIGCHLD ends the wait. */
static void heard_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
	if (!child_is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
}

#define FIRST_LOOK 0.01 /* seconds; each look is twice as far from the one before, up to a second */

/* At most a second: SIGCHLD should come, but polling beats waiting forever if it does not. */
static struct timespec nap(struct ending *e, const struct ending_wait *w, double now)
{
	double left = w->look ? (e->nap > 0 ? e->nap : FIRST_LOOK) : 1;
	e->nap = left < 0.5 ? 2 * left : 1;
	if (e->due > 0 && e->due - now < left)
		left = e->due - now;
	if (w->deadline > 0 && e->step == ENDING_RUNS && w->deadline - now < left)
		left = w->deadline - now;
	if (left < 0)
		left = 0;
	return (struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
}

static void take(struct ending *e, const struct ending_wait *w, bool is_typed)
{
	while (!w->take(w->arg, e->step, is_typed) && e->step < ENDING_LOST)
		go_on(e, (enum ending_step)(e->step + 1), ending_now());
}

static void hear(struct ending *e, const struct ending_wait *w, int sig, bool is_typed)
{
	if (sig != SIGCHLD && !(sig == SIGINT && is_typed))
		process_limit_wait(PROCESS_TOLD);
	if (sig != SIGCHLD && ending_hear(e, sig, ending_now()))
		take(e, w, sig == SIGINT && is_typed);
}

/* A deadline has been met, and the program may wait for another one that ignores its end. */
static void release(struct ending *e, const struct ending_wait *w, double now)
{
	if (e->is_released || !w->release || e->step != ENDING_ASKED || e->due <= 0 ||
	    now - e->since < ENDING_AFTER_TERM)
		return;
	e->is_released = true;
	w->release(w->arg);
}

static void look_at_clock(struct ending *e, const struct ending_wait *w)
{
	double now = ending_now();
	bool is_over = w->deadline > 0 && e->step == ENDING_RUNS && now >= w->deadline;
	if (is_over ? ending_go(e, ENDING_ASKED, now, ASKED_PATIENCE) : ending_tick(e, now))
		take(e, w, false);
	release(e, w, now);
	if (ending_wants_remark(e, now))
		err_printf("%s has not ended yet (Ctrl-C kills it now)", w->name);
}

/*
 * The child has ended. If it was by a signal for all of our group, that one waits for us, too: the kernel sends it
 * to all before any can end.
 */
static void hear_first(struct ending *e, const struct ending_wait *w, const sigset_t *signals)
{
	bool is_typed;
	int sig;
	while (e->step == ENDING_RUNS && (sig = wait_signal(signals, &(struct timespec){0, 0}, &is_typed)) > 0)
		hear(e, w, sig, is_typed);
}

static bool wait_for(struct ending *e, pid_t child, int *status, const struct ending_wait *w,
                     const sigset_t *signals)
{
	while (!child_is_over(child)) {
		struct timespec t = nap(e, w, ending_now());
		bool is_typed;
		if (e->step == ENDING_LOST)
			return false;
		int sig = wait_signal(signals, &t, &is_typed);
		if (sig > 0)
			hear(e, w, sig, is_typed);
		else if (w->look)
			w->look(w->arg);
		look_at_clock(e, w);
	}
	hear_first(e, w, signals);
	return child_has_ended(child, status, 0);
}

bool ending_wait(struct ending *e, pid_t child, int *status, const struct ending_wait *w)
{
	sigset_t signals, old;
	*status = 0;
	heard_signals(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, &old);
	bool is_over = wait_for(e, child, status, w, &signals);
	/* One Ctrl-C may arrive twice: through the group and for us alone. */
	while (wait_signal(&signals, &(struct timespec){0, 0}, NULL) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return is_over;
}
