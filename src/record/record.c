/*
 * record.c - runs a recording from start to end.
 *
 * Live, perf and the viewer form a pipeline, and nothing is stored:
 *
 *	[sudo] perf record -o - CMD  |  relay  |  the loader
 *	[sudo] perf record -o - CMD  |  relay  |  [sudo] stdbuf -oL perf script -i -  |  the loader
 *
 * `flametop sample` takes the place of perf record wherever it can (own.h), and behaves like it. dtrace and xctrace
 * do so on other systems, in batch mode (trace.c). The loader reads the recording itself; perf script comes between
 * where only perf can do what is asked for. The viewer owns the screen meanwhile, so the command's output is kept
 * (printed.h) and printed when the viewer ends. In batch mode the command has the terminal, and the recording goes
 * to an unnamed file, which is read afterwards.
 *
 * Ctrl-C reaches the whole foreground group: perf record stops the command, writes the end of its file and kills
 * itself with the same signal. While it runs, flametop blocks signals and takes them one by one, so that Ctrl-C
 * ends the recording and not its evaluation; afterwards a signal keeps the recording (keep.h). A program that does
 * not end is killed (ending.h), by the guard if we cannot (guard.h), and the samples that it left are shown. An
 * exit status other than 0 is usually the command's own, and no reason to discard its profile.
 */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/output.h"
#include "base/scratch.h"
#include "base/temporary.h"
#include "lib/inside.h"
#include "record/ending.h"
#include "record/own.h"
#include "record/perf.h"
#include "record/process.h"
#include "record/tracer.h"
#include "record/words.h"

#define DURATION_PATIENCE 10 /* seconds beyond --duration */
#define LIVE_PATIENCE 2.0    /* seconds between the signals that end a live recording: nothing is left to write */
#define PASSWORD_PATIENCE 60000 /* milliseconds for sudo, which may ask for a password */

static void recording_init(struct recording *r, const struct options *o)
{
	*r = (struct recording){
		.options = o, .data = -1, .script_said = -1, .printed = {.in = -1, .wake = {-1, -1}, .file = -1}};
	r->recorder_slot = r->script_slot = -1;
	r->with = own_choose(o);
	r->is_own = r->with == WITH_FLAMETOP;
	family_choose_mark(&r->family);
	pthread_mutex_init(&r->lock, NULL);
	pthread_mutex_init(&r->family_lock, NULL);
	pthread_cond_init(&r->over, NULL);
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void record_deinit(struct recording *r)
{
	keep_end(&r->keep);
	guard_end(&r->guard);
	record_end_trace(r);
	close_file(&r->data);
	printed_deinit(&r->printed);
	close_file(&r->script_said);
	free(r->data_path);
	free(r->kept);
	pthread_cond_destroy(&r->over);
	pthread_mutex_destroy(&r->lock);
	pthread_mutex_destroy(&r->family_lock);
	family_deinit(&r->family);
	family_deinit(&r->script_family);
	buf_deinit(&r->stripped);
}

bool record_check(const struct options *o, struct buf *notes, struct err *err)
{
	struct perf_limits limits;
	enum record_with with = own_choose(o);
	bool is_own = with == WITH_FLAMETOP;
	struct sampler_lacks lacks = {.kernel = false};
	if (with >= WITH_DTRACE)
		return tracer_check_program(&o->record, with, notes, err) && perf_check_targets(&o->record, err);
	if ((!is_own && !perf_check_program(err)) || !perf_check_targets(&o->record, err) ||
	    (is_own && !own_check(o, &lacks, err)))
		return false;
	limits_read(&limits.limits);
	limits.is_own = is_own;
	limits.lacks_kernel = lacks.kernel;
	limits.lacks_malloc = lacks.malloc;
	limits.is_ptrace = o->record.ptrace;
	return perf_check_limits(&o->record, &limits, notes, err);
}

/* They are the guard's, if there is one: what they have started has to be found before they are told to end. */
static void watch_programs(struct recording *r)
{
	if (r->guard.pid <= 0)
		return;
	guard_watch(&r->guard, r->recorder, r->script);
	temporary_forget(r->recorder_slot);
	temporary_forget(r->script_slot);
	r->recorder_slot = r->script_slot = -1;
}

/* Starts a program that is ended when we die: *slot registers it until gone(). One with a mark is a recorder. */
static bool start(struct recording *r, const struct words *w, const struct streams *s, pid_t *child, int *slot,
                  struct err *err)
{
	if (r->options->verbose)
		words_say(w);
	if (s->entry)
		guard_begin(&r->guard);
	if (!words_spawn(w, s, child, err))
		return false;
	*slot = temporary_register_child(*child, SIGTERM);
	if (s->entry)
		watch_programs(r);
	return true;
}

/* Unregisters a program that has been waited for. */
static void gone(struct recording *r, pid_t *child, int *slot)
{
	temporary_forget(*slot);
	*slot = -1;
	*child = 0;
	guard_watch(&r->guard, r->recorder, r->script);
}

/* ---- ending -------------------------------------------------------------------------------------------------- */

/*
 * Sends a signal. Only root may signal what runs as root (through sudo). While the viewer owns the screen, sudo
 * must not ask for a password.
 */
static void tell(struct recording *r, pid_t child, int sig)
{
	const struct record_options *o = &r->options->record;
	struct words w;
	pid_t messenger;
	int status;
	if (kill(child, sig) == 0 || errno != EPERM || !o->root)
		return;
	words_init(&w);
	words_add(&w, "sudo");
	if (r->has_screen)
		words_add(&w, "-n");
	if (o->sudo_flags && *o->sudo_flags)
		words_add(&w, o->sudo_flags);
	words_add(&w, "kill");
	words_addf(&w, "-%d", sig);
	words_addf(&w, "%ld", (long)child);
	if (words_spawn(&w, &(struct streams){STREAM_NONE, STREAM_SAME, STREAM_SAME, false, NULL}, &messenger, NULL))
		child_has_ended(messenger, &status, r->has_screen ? CHILD_PATIENCE : PASSWORD_PATIENCE);
	words_deinit(&w);
}

/* Called before perf record is told to end: its orphans cannot be found afterwards. */
static void look_at_family(void *arg)
{
	struct recording *r = arg;
	pthread_mutex_lock(&r->family_lock); /* --duration has a thread of its own */
	family_look(&r->family, r->recorder, r->is_interrupted);
	pthread_mutex_unlock(&r->family_lock);
}

void record_interrupt(void *arg)
{
	struct recording *r = arg;
	if (r->recorder <= 0 || r->left_running > 0)
		return;
	look_at_family(r);
	r->is_interrupted = true;
	tell(r, r->recorder, SIGINT);
}

double record_cost(void *arg)
{
	struct recording *r = arg;
	double recorder, script;
	if (r->recorder > 0 && r->left_running == 0) /* perf may fail at any time, and leave its command */
		look_at_family(r);
	if (r->recorder <= 0 || (r->script <= 0 && !r->is_native))
		return -1;
	recorder = process_time(r->recorder);
	script = r->is_native ? 0 : process_time(r->script);
	return recorder < 0 || script < 0 ? -1 : recorder + script;
}

/* Without a command, perf record ends on its own and is told to only if it does not. */
static double patience_of(const struct recording *r)
{
	return r->options->record.command ? 0 : DURATION_PATIENCE;
}

/* Kills the program that perf record waits for: the command, or `sleep`. */
static bool kill_command(struct recording *r)
{
	pid_t perf = process_below_sudo(r->recorder), command = perf > 0 ? process_child(perf) : 0;
	if (command <= 0)
		return false;
	process_add_name(command, &r->stripped);
	buf_str(&r->stripped); /* ends it: messages print it as a text */
	tell(r, command, SIGKILL);
	return true;
}

/* perf record has told the command to end, and waits for it. */
static void release_recorder(void *arg)
{
	struct recording *r = arg;
	look_at_family(r);
	if (kill_command(r))
		r->ended_by = ENDING_STRIPPED;
}

/* Waits until the recording is over, but no longer than that. Called with the lock. */
static void wait_until_over(struct recording *r, double seconds)
{
	struct timespec until;
	int e = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)seconds;
	until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (!r->is_over && e != ETIMEDOUT)
		e = pthread_cond_timedwait(&r->over, &r->lock, &until);
}

/* The thread behind --duration of a live recording. */
static void *watch(void *arg)
{
	struct recording *r = arg;
	const char *text = r->options->record.duration;
	double seconds = 0;
	number_double(text, strlen(text), &seconds);
	pthread_mutex_lock(&r->lock);
	wait_until_over(r, seconds + patience_of(r));
	if (!r->is_over) {
		record_interrupt(r);
		wait_until_over(r, ENDING_AFTER_TERM);
	}
	if (!r->is_over)
		release_recorder(r);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static bool start_watch(struct recording *r, struct err *err)
{
	sigset_t all, old;
	if (!r->options->record.duration)
		return true;
	/* The thread that owns the screen handles signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int e = pthread_create(&r->watch, NULL, watch, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	r->has_watch = e == 0;
	return e == 0 || fail(err, "cannot wait for the end of --duration: %s", strerror(e));
}

static void stop_watch(struct recording *r)
{
	if (!r->has_watch)
		return;
	pthread_mutex_lock(&r->lock);
	r->is_over = true;
	pthread_cond_signal(&r->over);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->watch, NULL);
	r->has_watch = false;
}

/* sudo forwards every signal but SIGKILL, which would kill only sudo. */
static void kill_below_sudo(struct recording *r, pid_t child)
{
	pid_t program = process_below_sudo(child);
	tell(r, program > 0 ? program : child, SIGKILL);
}

static bool end_recorder(void *arg, enum ending_step step, bool is_typed)
{
	struct recording *r = arg;
	r->is_interrupted = true;
	r->ended_by = step;
	look_at_family(r);
	if (step == ENDING_STRIPPED)
		return kill_command(r);
	if (step == ENDING_KILLED)
		kill_below_sudo(r, r->recorder);
	else if (step != ENDING_LOST && !is_typed)
		tell(r, r->recorder, step == ENDING_ASKED ? SIGINT : SIGTERM);
	return true;
}

static bool end_script(void *arg, enum ending_step step, bool is_typed)
{
	struct recording *r = arg;
	(void)is_typed;
	family_look(&r->script_family, r->script, true);
	if (step == ENDING_TOLD)
		tell(r, r->script, SIGTERM);
	else if (step == ENDING_KILLED)
		kill_below_sudo(r, r->script);
	return step != ENDING_STRIPPED;
}

/* ---- the end of both programs -------------------------------------------------------------------------------- */

static void tell_kin(void *arg, pid_t pid, int sig)
{
	tell(arg, pid, sig);
}

/* Runs in the guard's process, where sudo cannot ask. */
static void tell_alone(void *arg, pid_t pid, int sig)
{
	struct recording *r = arg;
	r->has_screen = true;
	tell(r, pid, sig);
}

/* Ends the orphans of a program that was told to end: nothing else would end them. Ctrl-C shortens the wait. */
static void end_family(struct recording *r, struct family *f, const char *whose, bool is_firm)
{
	struct family_ending e = {tell_kin, r, 1000, NULL};
	sigset_t hurry, old;
	struct buf names;
	if (!is_firm)
		e.patience = (unsigned)(1000 * (r->is_live ? LIVE_PATIENCE : ENDING_AFTER_TERM));
	sigemptyset(&hurry);
	sigaddset(&hurry, SIGINT);
	sigaddset(&hurry, SIGTERM);
	e.hurry = &hurry;
	pthread_sigmask(SIG_BLOCK, &hurry, &old);
	buf_init(&names);
	bool is_gone = family_end(f, &e, &names);
	if (names.len && !r->options->quiet)
		err_printf("programs that %s had started did not end with it, and %s: %s", whose,
		           is_gone ? "were ended" : "cannot be ended", buf_str(&names));
	buf_deinit(&names);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/*
 * perf record has ended, or is given up. What the command left behind goes on if both ended by themselves; all ends
 * if perf was told to end, has failed, or has left a program of its own.
 */
static void recorder_is_over(struct recording *r, bool has_failed)
{
	record_say_ending(r);
	if (r->is_interrupted)
		guard_recall(&r->guard, &r->family);
	if (r->left_running == 0 && (r->is_interrupted || has_failed || family_has_child(&r->family)))
		end_family(r, &r->family, record_recorder(r), r->ended_by >= ENDING_STRIPPED);
	gone(r, &r->recorder, &r->recorder_slot);
}

/* Waits for perf record, which ends soon once its output is closed. True if it had to be told. */
static bool finish_recorder(struct recording *r)
{
	bool was_asked = r->is_interrupted;
	bool is_over = child_has_ended(r->recorder, &r->recorder_status, r->relay.is_at_end ? CHILD_PATIENCE : 0);
	if (!is_over) {
		struct ending e = {.after_term = LIVE_PATIENCE};
		double now = ending_now();
		ending_go(&e, was_asked ? ENDING_TOLD : ENDING_ASKED, now, LIVE_PATIENCE);
		end_recorder(r, e.step, false);
		ending_wait(&e, r->recorder, &r->recorder_status,
		            &(struct ending_wait){record_recorder(r), end_recorder, r, .look = look_at_family});
	}
	recorder_is_over(r, !r->relay.has_data);
	return !is_over;
}

/* Waits for perf script, which ends on its own at the end of its input, or when its output has no reader. */
static bool finish_script(struct recording *r, bool is_cut_short, struct err *err)
{
	struct ending e = {.step = ENDING_ASKED, .since = ending_now(), .after_term = LIVE_PATIENCE};
	e.due = e.since + CHILD_PATIENCE / 1000.0;
	ending_wait(&e, r->script, &r->script_status,
	            &(struct ending_wait){"perf script", end_script, r, 0, NULL, NULL});
	if (e.step > ENDING_ASKED && !is_cut_short && !r->options->quiet)
		err_printf("perf script did not end after its last sample, and %s",
		           e.step == ENDING_LOST ? "is left running" : "was killed");
	if (e.step > ENDING_ASKED)
		end_family(r, &r->script_family, "perf script", true);
	gone(r, &r->script, &r->script_slot);
	return record_script_status(r, is_cut_short, e.step > ENDING_ASKED, err);
}

bool record_end(struct recording *r, struct err *err)
{
	bool is_cut_short = r->left_running > 0, is_good = true;
	stop_watch(r);
	r->has_screen = false;
	if (r->recorder > 0)
		is_cut_short |= finish_recorder(r);
	r->is_complete = record_is_complete(r);
	relay_stop(&r->relay); /* data in the relay have no reader any more */
	if (r->script > 0)
		is_good = finish_script(r, is_cut_short, err);
	if (r->is_live) {
		printed_stop(&r->printed);
		printed_show(&r->printed, r->options->quiet);
	}
	record_say_status(r);
	return is_good;
}

/* ---- live ---------------------------------------------------------------------------------------------------- */

/* Asks for sudo's password before the viewer takes the screen; sudo remembers it. */
static bool ask_password(struct recording *r, const struct options *o, struct err *err)
{
	struct words w;
	pid_t child;
	int slot = -1;
	if (!o->record.root)
		return true;
	words_init(&w);
	words_add(&w, "sudo");
	if (o->record.sudo_flags && *o->record.sudo_flags)
		words_add(&w, o->record.sudo_flags);
	words_add(&w, "-v");
	bool is_good =
		start(r, &w, &(struct streams){STREAM_SAME, STREAM_SAME, STREAM_SAME, false, NULL}, &child, &slot, err);
	words_deinit(&w);
	if (!is_good)
		return false;
	int status;
	while (!child_has_ended(child, &status, 1000))
		; /* Ctrl-C ends sudo, and us */
	gone(r, &child, &slot);
	return status == 0 || fail(err, "--root: sudo refuses");
}

static bool recorder_words(const struct recording *r, struct words *w, const char *path, char **file,
                           struct err *err)
{
	*file = NULL;
	if (r->with >= WITH_DTRACE) {
		tracer_record_words(w, &r->options->record, r->with, path);
		return true;
	}
	return r->is_own ? own_words(w, r->options, path, err)
	                 : perf_record_words(w, &r->options->record, path, r->is_live, file, err);
}

static bool start_recorder(struct recording *r, int out, int said, struct err *err)
{
	struct words w;
	char *file;
	words_init(&w);
	bool is_good = recorder_words(r, &w, "-", &file, err) &&
	               start(r, &w, &(struct streams){STREAM_NONE, out, said, false, r->family.mark}, &r->recorder,
	                     &r->recorder_slot, err);
	words_deinit(&w);
	free(file);
	return is_good;
}

static bool start_script(struct recording *r, const char *path, int in, int out, struct err *err)
{
	struct words w;
	/* Ctrl-C ends the recording; perf script must still read the pipe. sudo wants the foreground. */
	struct streams streams = {in, out, r->script_said, !r->options->record.root, NULL};
	words_init(&w);
	perf_script_words(&w, r->options, path, r->is_live);
	bool is_good = start(r, &w, &streams, &r->script, &r->script_slot, err);
	words_deinit(&w);
	if (is_good) { /* it has nothing to lose, and may ignore gentler signals */
		temporary_forget(r->script_slot);
		r->script_slot = temporary_register_child(r->script, SIGKILL);
		watch_programs(r);
	}
	return is_good;
}

static bool open_pipe(int fds[2], struct err *err)
{
	fds[0] = fds[1] = -1;
	return descriptor_pipe(fds) || fail_errno(err, "pipe to perf");
}

/*
 * Starts what turns the relayed recording into input for the loader. Returns where the loader reads; the relay
 * writes to *in.
 */
static int start_reading(struct recording *r, int *in, struct err *err)
{
	int relayed[2], text[2] = {-1, -1};
	if (!open_pipe(relayed, err))
		return -1;
	*in = relayed[1];
	if (r->is_native)
		return relayed[0];
	bool is_good = open_pipe(text, err) && start_script(r, "-", relayed[0], text[1], err);
	close_file(&relayed[0]);
	close_file(&text[1]);
	if (!is_good)
		close_file(&text[0]);
	return text[0];
}

int record_start(struct recording *r, const struct options *o, struct err *err)
{
	int raw[2] = {-1, -1}, relayed = -1, out = -1;
	recording_init(r, o);
	r->is_live = r->has_screen = true;
	r->is_native = !perf_script_is_needed(o) || (r->is_own && !words_is_program(perf_program()));
	int said = printed_start(&r->printed, err);
	guard_start(&r->guard, r->printed.in, &r->family, tell_alone, r);
	r->script_said = said < 0 ? -1 : scratch_open(err);
	bool is_good = r->script_said >= 0 && ask_password(r, o, err) && open_pipe(raw, err) &&
	               (out = start_reading(r, &relayed, err)) >= 0 && start_recorder(r, raw[1], said, err) &&
	               start_watch(r, err);
	close_file(&raw[1]);
	close_file(&said);
	if (is_good) {
		is_good = relay_start(&r->relay, raw[0], relayed, RELAY_LIMIT, err);
	} else {
		close_file(&raw[0]);
		close_file(&relayed);
	}
	if (is_good)
		return out;
	close_file(&out);
	record_end(r, NULL);
	return -1;
}

/* ---- batch --------------------------------------------------------------------------------------------------- */

static bool choose_file(struct recording *r, struct err *err)
{
	struct buf path;
	if (r->with >= WITH_DTRACE)
		return record_begin_trace(r, err);
	if (r->options->record.keep_data) {
		r->data_path = mem_strdup("perf.data");
		r->kept = mem_strdup("perf.data");
		return true;
	}
	r->data = scratch_open(err);
	if (r->data < 0)
		return false;
	buf_init(&path);
	scratch_add_path(&path, r->data);
	r->data_path = buf_take(&path);
	return true;
}

/*
 * Does the recorder inherit the file? With a capability on flametop's file, no other process may look into our
 * directory of descriptors. sudo would close it, but root may look.
 */
static bool is_inherited(const struct recording *r)
{
	return r->is_own && r->data >= 0 && !r->options->record.root;
}

static bool batch_words(const struct recording *r, struct words *w, char **file, struct err *err)
{
	struct buf path;
	buf_init(&path);
	if (is_inherited(r))
		buf_addf(&path, "/dev/fd/%d", r->data);
	else
		buf_adds(&path, r->data_path);
	bool is_good = recorder_words(r, w, buf_str(&path), file, err);
	buf_deinit(&path);
	return is_good;
}

static bool start_batch(struct recording *r, const struct words *w, int out, struct err *err)
{
	if (is_inherited(r))
		fcntl(r->data, F_SETFD, 0);
	bool is_started = start(r, w, &(struct streams){STREAM_SAME, out, STREAM_SAME, false, r->family.mark},
	                        &r->recorder, &r->recorder_slot, err);
	if (is_inherited(r))
		fcntl(r->data, F_SETFD, FD_CLOEXEC);
	return is_started;
}

static bool wait_for_recorder(struct recording *r, const struct stat *before, struct err *err)
{
	const char *duration = r->options->record.duration;
	struct ending e = {0};
	double until = 0;
	if (duration && number_double(duration, strlen(duration), &until))
		until += ending_now() + patience_of(r);
	ending_wait(
		&e, r->recorder, &r->recorder_status,
		&(struct ending_wait){record_recorder(r), end_recorder, r, until, look_at_family, release_recorder});
	bool is_good = record_has_left_samples(r, before, err);
	recorder_is_over(r, !is_good || record_has_failed(r));
	return is_good;
}

bool record_run(struct recording *r, const struct options *o, int out, struct err *err)
{
	struct words w;
	struct stat before = {0};
	sigset_t signals, old;
	char *file = NULL;
	recording_init(r, o);
	words_init(&w);
	bool is_good = choose_file(r, err) && batch_words(r, &w, &file, err);
	if (file) {
		free(r->data_path);
		r->data_path = file;
		free(r->kept);
		r->kept = mem_strdup(file);
	}
	is_good = is_good && (!r->kept || output_check_place(r->kept, err));
	if (is_good)
		stat(r->data_path, &before);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &old);
	if (is_good)
		guard_start(&r->guard, -1, &r->family, tell_alone, r);
	is_good = is_good && start_batch(r, &w, out, err);
	words_deinit(&w);
	is_good = is_good && wait_for_recorder(r, &before, err) && (r->with < WITH_DTRACE || record_take_trace(r, err));
	if (is_good) /* a signal that waits finds it ready to be kept */
		keep_begin(&r->keep, r->data, r->kept);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return is_good;
}

/* perf knows more of recordings that only root may read, and of those that flametop would not read on its own. */
bool record_is_for_script(const struct recording *r)
{
	struct err why = {""};
	enum symbolizer who = r->options->collapse.symbolizer;
	if (r->with >= WITH_DTRACE || (r->is_own && !words_is_program(perf_program())))
		return false;
	if (who != SYMBOLIZER_AUTO || r->options->record.root)
		return who != SYMBOLIZER_NATIVE;
	return perf_need_of_file(r->data_path, &r->options->collapse, &why) != NEED_NOTHING;
}

static int read_by_script(struct recording *r, struct err *err)
{
	int text[2];
	r->script_said = scratch_open(err);
	if (r->script_said < 0 || !open_pipe(text, err))
		return -1;
	bool is_good = start_script(r, r->data_path, STREAM_NONE, text[1], err);
	close_file(&text[1]);
	if (!is_good)
		close_file(&text[0]);
	return text[0];
}

int record_read(struct recording *r, struct err *err)
{
	r->is_native = !record_is_for_script(r);
	if (!r->is_native)
		return read_by_script(r, err);
	int fd = open(r->data_path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail_errno(err, "%s", r->data_path);
	return fd;
}

bool record_keep(struct recording *r, struct err *err)
{
	if (r->kept)
		return true;
	if (!keep_now(&r->keep, err))
		return false;
	r->kept = mem_strdup(r->keep.name);
	return true;
}
