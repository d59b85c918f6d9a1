/*
 * viewer.c - the main loop: reads keys, signals, and events of the loader and background threads; draws frames.
 *
 *	      terminal ---\                                   /--- input_event()
 *	      signals  ----+--- poll() --- what happened? ---+---- a newer profile, a new tree
 *	loader, thread ---/                                   \--- one frame, if the terminal takes it
 *
 * Nothing is drawn before the terminal has taken the previous frame: over a slow line, intermediate states are
 * skipped, not queued. While a profile is loading, snapshots are shown at intervals that grow with their cost, so
 * that they never slow the loading down by much.
 */
#include "tui/viewer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/mem.h"
#include "base/status.h"
#include "tui/command.h"
#include "tui/editor.h"
#include "tui/input.h"
#include "tui/look.h"
#include "tui/paint.h"
#include "tui/panes.h"
#include "tui/pick.h"
#include "tui/quit.h"
#include "tui/refresh.h"
#include "tui/rescue.h"
#include "tui/send.h"
#include "tui/snapshot.h"
#include "tui/term.h"

#define STATUS_FAILED 1
#define STATUS_USAGE 2
#define ESCAPE_MS 40         /* ms of silence after which ESC is the key */
#define SEQUENCE_MS 500      /* ms of silence that end an unfinished sequence: packets of a slow line come late */
#define TICK_MS 100          /* ms between repaints of the progress */
#define FIRST_SNAPSHOT_MS 25 /* what has come by then is drawn quickly */
#define LIVE_SNAPSHOT_MS 60  /* with what comes before it, a sample is on the screen within 100 ms */
#define LIVE_SNAPSHOT_MOST 500
#define LIVE_TICK_MS 500 /* with a silent source: the time advances, and a lost message is noticed */

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void viewer_open(struct app *app, struct options *options, const struct load_input *inputs, size_t n,
                 const struct theme *theme)
{
	options_for_viewer(options);
	app_init(app, options, inputs, n, theme, commands);
	panes_init(app);
}

void viewer_close(struct app *app)
{
	refresh_stop(app);
	panes_deinit(app);
	app_deinit(app);
}

void viewer_take_work(struct app *app)
{
	send_take_write(app);
	refresh_take_work(app);
	input_replay(app);
}

/* ---- without a terminal -------------------------------------------------------------------------------------- */

static enum color_depth script_depth(enum color_when when)
{
	static const enum color_depth depths[] = {
		[COLOR_AUTO] = DEPTH_TRUE, [COLOR_NEVER] = DEPTH_MONO, [COLOR_16] = DEPTH_16,
		[COLOR_256] = DEPTH_256,   [COLOR_TRUE] = DEPTH_TRUE,
	};
	return depths[when];
}

static bool check_keys(const char *keys, struct err *err)
{
	uint32_t key;
	struct err why = {0};
	while (keys && key_parse(&keys, &key, &why))
		;
	return why.text[0] ? fail(err, "--keys: %s", why.text) : true;
}

static void type_keys(struct app *app, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (keys && !app->end && key_parse(&keys, &e.key, NULL))
		input_event(app, &e, 0);
}

static void print_screen(struct app *app, bool ansi)
{
	struct buf out;
	buf_init(&out);
	grid_print(&app->grid, &out, ansi);
	fwrite(out.data, 1, out.len, stdout);
	buf_deinit(&out);
}

static bool load_whole(struct app *app, struct load_input *inputs, size_t n, struct err *err)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	bool ok = load_all(p, inputs, n, &app->options->collapse, err);
	if (ok)
		options_note_idle(app->options, p, &p->report);
	if (!app->options->quiet)
		report_print(&p->report, NOTE_WARN);
	if (!ok) {
		profile_deinit(p);
		free(p);
		return false;
	}
	return refresh_profile(app, p, err);
}

/* The configuration has checked that all of them are valid. */
static void bind_keys(struct keymap *keymap, const struct options *o)
{
	for (size_t i = 0; i < o->n_bindings; i++) {
		bool is_bound = keymap_bind(keymap, o->bindings[i].key, o->bindings[i].command, &(struct err){0});
		assert(is_bound);
		(void)is_bound;
	}
}

static int run_script(struct app *app, struct load_input *inputs, size_t n, struct err *err)
{
	const struct options *o = app->options;
	if (!load_whole(app, inputs, n, err))
		return STATUS_FAILED;
	refresh_size(app, (int)o->columns, (int)o->rows);
	app_refresh(app);
	refresh_loaded(app);
	type_keys(app, o->keys);
	app_refresh(app);
	paint(app);
	print_screen(app, o->color != COLOR_AUTO && o->color != COLOR_NEVER);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fail_errno(err, "standard output");
		return STATUS_FAILED;
	}
	return 0;
}

int viewer_script(struct options *o, struct session *s, struct load_input *inputs, size_t n, struct err *err)
{
	struct app app;
	struct theme theme;
	if (!check_keys(o->keys, err))
		return STATUS_USAGE;
	theme_init(&theme, script_depth(o->color), o->ascii, o->background == BACKGROUND_LIGHT);
	theme.palette = look_palette(o);
	viewer_open(&app, o, inputs, n, &theme);
	app.session = s;
	app.never_asks = true;
	bind_keys(&app.keymap, o);
	int status = run_script(&app, inputs, n, err);
	viewer_close(&app);
	return status;
}

/* ---- with a terminal ----------------------------------------------------------------------------------------- */

struct loop {
	struct app app;
	struct key_decoder decoder;
	uint64_t escape_at;                     /* when the unfinished sequence came */
	int wake[2];                            /* the loader and background threads write here */
	const char *keys;                       /* from --keys, still to be typed */
	struct snapshot *snapshot;              /* in progress; NULL: none */
	uint64_t snapshot_began, snapshot_done; /* done: 0: not yet */
	uint64_t snapshot_at;                   /* next one not before this */
	uint64_t interval;                      /* ms between snapshots */
	uint64_t generation;                    /* of the last snapshot */
	uint64_t painted_at, painted_bytes;
	struct buf detail; /* of what goes on in the background, as on the screen */
	bool has_whole;    /* the whole profile was taken */
	int status;
	struct err err; /* for standard error, at the end */
};

static bool is_loading(const struct loop *l)
{
	return l->app.loader;
}

/* Is a picture due whenever more has arrived? */
static bool shows_parts(const struct loop *l)
{
	return is_loading(l) && !l->app.is_second_pass;
}

static void leave_with(struct loop *l, int status)
{
	l->status = status;
	l->app.end = END_FAILED;
}

static bool awaits_outcome(const struct app *app)
{
	return app->session && app->session->outcome && !app->outcome;
}

/*
 * Starts the first pass. Inlined functions can take longer than all the rest: if the input can be read again, a
 * second pass looks them up, while the user already works with the others.
 */
static void start_loading(struct loop *l)
{
	struct app *app = &l->app;
	struct collapse_options first = app->options->collapse;
	if (first.inlines == INLINES_SHOWN && load_can_again(app->inputs, app->n_inputs))
		first.inlines = INLINES_LATER;
	app->loader = load_start(app->inputs, app->n_inputs, &first, l->wake[1]);
	app->load.state = LOAD_RUNNING;
	for (unsigned side = 0; side < 2; side++)
		app->is_only_copy[side] = quit_is_only_copy(app->inputs, app->n_inputs, side);
	app->is_only_copy[0] |= app->session && app->session->is_only_copy;
	live_init(&app->live, now_ms());
}

/* Loads what was chosen from the list; without it, there is nothing to do. */
static void follow_choice(struct loop *l)
{
	if (pick_follow_source(&l->app, &l->err))
		start_loading(l);
	else if (l->app.end == END_FAILED && l->err.text[0])
		leave_with(l, STATUS_FAILED);
}

/* The profile of the first pass is still without the names that folds make. */
static void start_second_pass(struct loop *l, const struct profile *p)
{
	struct app *app = &l->app;
	app->loader = load_start_again(app->inputs, app->n_inputs, &app->options->collapse, l->wake[1], &p->symtab);
	app->load = (struct load_status){.state = LOAD_RUNNING};
	app->is_second_pass = true;
}

/* Ends the second pass. What failed only now has the first one on the screen. */
static void take_second_pass(struct loop *l)
{
	struct app *app = &l->app;
	struct err err = {0}, ignored = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	if (load_take(app->loader, p, &err)) {
		view_expect_frames(&app->view);
		refresh_profile(app, p, &ignored);
	} else {
		app_complain(app, "inlined functions are not shown: %s", err.text);
		app_free_profile(p);
	}
	load_free(app->loader);
	app->loader = NULL;
	app->load.state = LOAD_DONE;
	app->is_second_pass = false;
	app->dirty |= DIRTY_SCREEN;
}

/* Takes the whole profile: what was read, even if reading failed. */
static void take_profile(struct loop *l)
{
	struct app *app = &l->app;
	struct err err = {0}, why = {0};
	struct loader *first = app->loader;
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	bool ok = load_take(app->loader, p, &err);
	bool is_usable = p->n_paths > 1 || p->log[0].n > 0;
	l->has_whole = true;
	if (!ok && !is_usable) {
		profile_deinit(p);
		free(p);
		l->err = err;
		leave_with(l, STATUS_FAILED);
		return;
	}
	if (ok)
		options_note_idle(app->options, p, &p->report);
	app->loader = NULL; /* a zoom without a frame by now will not get one */
	app->load.state = ok ? LOAD_DONE : LOAD_FAILED;
	if (ok && p->lacks_inlines)
		start_second_pass(l, p);
	load_free(first);
	if (!refresh_profile(app, p, &why)) {
		l->err = why;
		leave_with(l, STATUS_FAILED);
		return;
	}
	if (!ok) {
		app_complain(app, "%s (the part read before is shown)", err.text);
		l->err = err;
		l->status = STATUS_FAILED;
	} else {
		refresh_advice(app);
		refresh_loaded(app);
	}
}

static void start_snapshot(struct loop *l, uint64_t now)
{
	l->snapshot = snapshot_start(l->app.loader, l->wake[1]);
	l->generation = l->app.load.generation;
	l->snapshot_began = now;
	l->snapshot_done = 0;
	if (!l->snapshot) /* no thread: the whole profile will still come */
		l->snapshot_at = now + l->interval;
}

static void take_snapshot(struct loop *l)
{
	struct app *app = &l->app;
	struct err ignored;
	uint64_t taken = now_ms();
	struct profile *p = snapshot_end(l->snapshot);
	l->snapshot = NULL;
	if (p) {
		/* A requested event or thread may still come. */
		refresh_profile(app, p, &ignored);
		app_refresh(app);
		refresh_advice(app);
		/* Without the time that it had to wait for, as while the view was frozen. */
		uint64_t cost = l->snapshot_done - l->snapshot_began + (now_ms() - taken);
		uint64_t least = app->load.is_live ? LIVE_SNAPSHOT_MS : l->interval * 2;
		uint64_t fair = cost * 10;
		/* On a busy machine, which is why one records, most of the cost is waiting for a processor. */
		if (app->load.is_live && fair > LIVE_SNAPSHOT_MOST)
			fair = cost * 2 > LIVE_SNAPSHOT_MOST ? cost * 2 : LIVE_SNAPSHOT_MOST;
		l->interval = least > fair ? least : fair;
	}
	l->snapshot_at = now_ms() + l->interval;
}

static double cost_of_recording(const struct loop *l)
{
	const struct session *s = l->app.session;
	return s && s->cost ? s->cost(s->recording) : LIVE_UNKNOWN;
}

/* Has the recorded program ended? */
static void look_for_outcome(struct app *app)
{
	struct buf text;
	if (!awaits_outcome(app))
		return;
	buf_init(&text);
	if (app->session->outcome(app->session->recording, &text)) {
		app->outcome = mem_strdup(buf_str(&text));
		app->dirty |= DIRTY_SCREEN;
	}
	buf_deinit(&text);
}

/* The stream has ended. */
static void forget_live_message(struct app *app)
{
	const char *m = app->message;
	if (m && (strcmp(m, LIVE_AGAIN) == 0 || strncmp(m, LIVE_FROZEN, strlen(LIVE_FROZEN)) == 0))
		app_say_nothing(app);
}

/* What is looked up meanwhile may change when nothing is read, as while a server is slow. */
static void follow_detail(struct loop *l)
{
	struct buf now = {0};
	status_add_detail(&now);
	if (strcmp(buf_str(&now), buf_str(&l->detail)) != 0)
		l->app.dirty |= DIRTY_SCREEN;
	buf_deinit(&l->detail);
	l->detail = now;
}

static void follow_status(struct loop *l, uint64_t now)
{
	struct app *app = &l->app;
	struct load_status before = app->load;
	load_get_status(app->loader, &app->load);
	double cost = live_wants_cost(&app->live, now) ? cost_of_recording(l) : LIVE_UNKNOWN;
	if (app->load.is_live && live_update(&app->live, &app->load, cost, now))
		app->dirty |= DIRTY_SCREEN;
	if (before.state == LOAD_RUNNING && app->load.state != LOAD_RUNNING)
		forget_live_message(app);
	/* Live, a picture of new samples is due soon and has the new figures, too. */
	bool is_due = !app->load.is_live || now >= l->painted_at + TICK_MS;
	if ((app->load.bytes != l->painted_bytes && is_due) || before.state != app->load.state)
		app->dirty |= DIRTY_SCREEN;
}

static void follow_loader(struct loop *l, uint64_t now)
{
	struct app *app = &l->app;
	look_for_outcome(app);
	follow_detail(l);
	if (!is_loading(l) || (l->has_whole && !app->is_second_pass))
		return;
	follow_status(l, now);
	bool is_done = l->snapshot && snapshot_is_done(l->snapshot);
	if (is_done && !l->snapshot_done)
		l->snapshot_done = now;
	/* Frozen, or written to a file: data still come in, the picture stays. */
	if (app->is_frozen || app->writing || app->work || app->ending)
		return;
	if (is_done)
		take_snapshot(l);
	if (l->snapshot)
		return; /* it still reads from the loader */
	if (app->load.state != LOAD_RUNNING && app->is_second_pass)
		take_second_pass(l);
	else if (app->load.state != LOAD_RUNNING)
		take_profile(l);
	else if (shows_parts(l) && app->load.generation != l->generation && now >= l->snapshot_at)
		start_snapshot(l, now);
}

static void drain(int fd)
{
	char bytes[256];
	while (read(fd, bytes, sizeof bytes) > 0)
		;
}

static void resize(struct loop *l)
{
	int cols, rows;
	term_size(&cols, &rows);
	refresh_size(&l->app, cols, rows);
}

/* The first ^C ends a recording, the next one the program. */
static void interrupt(struct loop *l)
{
	struct session *s = l->app.session;
	if (!s || !s->interrupt || l->app.load.state != LOAD_RUNNING || !is_loading(l)) {
		l->app.end = END_QUIT;
		return;
	}
	rescue_forgive();
	s->interrupt(s->recording);
	s->interrupt = NULL;
	app_say(&l->app, "the recording ends ({interrupt} again or {quit} quits)");
}

static void suspend(struct loop *l)
{
	term_suspend();
	resize(l);
}

static void take_signals(struct loop *l)
{
	unsigned signals = rescue_take_signals();
	if (signals & TERM_END)
		leave_with(l, 128 + rescue_end_signal());
	if (signals & TERM_INTERRUPT)
		interrupt(l);
	if (signals & TERM_SUSPEND)
		suspend(l);
	if (signals & TERM_CONTINUED)
		term_resume();
	if (signals & (TERM_CONTINUED | TERM_RESIZED))
		resize(l);
}

/* Does what commands request from the terminal. */
static void serve(struct loop *l)
{
	struct app *app = &l->app;
	if (app->wants_redraw)
		term_forget();
	if (app->wants_redraw)
		resize(l);
	if (app->wants_suspend)
		suspend(l);
	app->wants_redraw = app->wants_suspend = false;
	if (app->edit_file) {
		editor_open(app);
		resize(l);
	}
}

/* How long to wait for the rest of a sequence. */
static uint64_t patience(const struct loop *l)
{
	return key_is_escape_alone(&l->decoder) ? ESCAPE_MS : SEQUENCE_MS;
}

static void read_keys(struct loop *l, uint64_t now)
{
	unsigned char bytes[4096];
	struct event e;
	ssize_t n = term_read(bytes, sizeof bytes);
	const unsigned char *p = bytes;
	if (n < 0) {
		leave_with(l, 128 + 1); /* as after a hang-up */
		return;
	}
	while (n > 0 && !l->app.end && key_decode(&l->decoder, &p, bytes + n, &e)) {
		if (e.kind == EVENT_BACKGROUND)
			term_answered();
		input_event(&l->app, &e, now);
		serve(l);
	}
	prompt_settle(&l->app.prompt, &l->app);
	if (n > 0)
		l->escape_at = now;
	else if (key_is_pending(&l->decoder) && now - l->escape_at >= patience(l) && key_flush(&l->decoder, &e))
		input_event(&l->app, &e, now);
}

/* --keys wait for the data, so that they always have the same effect. */
static void type_scripted(struct loop *l)
{
	struct event e = {.kind = EVENT_KEY};
	bool never_asks = l->app.never_asks;
	while (l->keys && !is_loading(l) && !app_is_busy(&l->app) && !l->app.end) {
		if (!key_parse(&l->keys, &e.key, NULL)) {
			l->keys = NULL;
			return;
		}
		l->app.never_asks = true; /* there may be no user to answer */
		input_event(&l->app, &e, 0);
		l->app.never_asks = never_asks;
		app_refresh(&l->app);
		serve(l);
	}
}

static void draw(struct loop *l, uint64_t now)
{
	struct app *app = &l->app;
	app_refresh(app);
	if (!(app->dirty & DIRTY_SCREEN) || !term_is_ready())
		return;
	paint(app);
	term_draw(&app->grid);
	app->dirty &= ~(unsigned)DIRTY_SCREEN;
	l->painted_at = now;
	l->painted_bytes = app->load.bytes;
}

/* Thawed after the end of the input: no event will announce the rest. */
static bool has_rest(const struct loop *l)
{
	return is_loading(l) && !l->has_whole && l->app.load.state != LOAD_RUNNING && !l->app.is_frozen &&
	       !l->app.ending && (!l->snapshot || snapshot_is_done(l->snapshot));
}

static int poll_timeout(const struct loop *l, uint64_t now)
{
	if (key_is_pending(&l->decoder))
		return (int)patience(l);
	if (app_is_busy(&l->app))
		return TICK_MS;
	if (shows_parts(l) && l->app.load.state == LOAD_RUNNING && !l->app.is_frozen && !l->snapshot &&
	    l->generation != l->app.load.generation)
		return l->snapshot_at > now ? (int)(l->snapshot_at - now) + 1 : 1;
	if (has_rest(l))
		return 0;
	/* Also where nothing is known of the source yet: if its first message were lost, no other might come. */
	if (is_loading(l) || awaits_outcome(&l->app))
		return LIVE_TICK_MS;
	return -1;
}

/* Milliseconds until progress is repainted, or a snapshot is due. */
static int until_picture(const struct loop *l, uint64_t now)
{
	uint64_t due = l->painted_at + TICK_MS;
	if (app_has_result(&l->app) || (is_loading(l) && !load_is_running(l->app.loader)))
		return 0;
	if (shows_parts(l) && !l->has_whole && !l->app.is_frozen && !l->app.work && !l->app.ending &&
	    l->snapshot_at < due)
		due = l->snapshot_at;
	return due > now ? (int)(due - now) : 0;
}

static void wait_for_something(struct loop *l, uint64_t now)
{
	/* While output waits, poll for a terminal that is ready for it. */
	short events = (short)(l->app.dirty & DIRTY_SCREEN || term_is_behind() ? POLLIN | POLLOUT : POLLIN);
	struct pollfd p[] = {
		{.fd = term_fd(), .events = events},
		{.fd = rescue_signal_fd(), .events = POLLIN},
		{.fd = l->wake[0], .events = POLLIN},
	};
	if (poll(p, 3, poll_timeout(l, now)) < 0)
		return;
	if ((p[0].revents & (POLLHUP | POLLERR | POLLNVAL)) && !(p[0].revents & POLLIN))
		leave_with(l, 128 + 1);
	/* A fast loader sends many wake-ups; not each one needs a picture. */
	if (p[2].revents & POLLIN) {
		drain(l->wake[0]);
		if (!(p[0].revents & POLLIN) && !(p[1].revents & POLLIN))
			poll(p, 3, until_picture(l, now_ms()));
	}
	if (app_is_busy(&l->app))
		l->app.dirty |= DIRTY_SCREEN;
}

static void run(struct loop *l)
{
	while (!l->app.end) {
		uint64_t now = now_ms();
		take_signals(l);
		viewer_take_work(&l->app);
		serve(l);
		follow_loader(l, now);
		read_keys(l, now);
		type_scripted(l);
		follow_choice(l);
		if (l->app.end)
			break;
		draw(l, now);
		wait_for_something(l, now);
	}
}

static bool open_pipe(int ends[2], struct err *err)
{
	return descriptor_pipe_nonblocking(ends) || fail_errno(err, "pipe");
}

static void start(struct loop *l, struct options *o, struct session *s, struct load_input *inputs, size_t n)
{
	struct theme theme;
	look_choose(&theme, o);
	viewer_open(&l->app, o, inputs, n, &theme);
	l->app.session = s;
	l->app.has_terminal = true;
	l->app.never_asks = o->no_ask;
	bind_keys(&l->app.keymap, o);
	l->app.wake_fd = l->wake[1];
	l->keys = o->keys;
	l->interval = FIRST_SNAPSHOT_MS;
	l->snapshot_at = now_ms() + l->interval;
	if (s && s->notes)
		app_say(&l->app, "%s", s->notes);
	resize(l);
}

static int run_on_terminal(struct loop *l, struct options *o, struct session *s, struct load_input *inputs,
                           size_t n)
{
	struct app *app = &l->app;
	start(l, o, s, inputs, n);
	status_watch();
	s && s->n_choices ? pick_source(app) : start_loading(l);
	run(l);
	work_cancel(app->writing); /* before the limit of a signal is lifted: a file system may hang */
	app->writing = NULL;
	term_close();
	if (s && s->stop_choosing)
		s->stop_choosing(s->chooser);
	load_stop(app->loader);
	snapshot_free_later(snapshot_end(l->snapshot));
	if (!app->options->quiet)
		report_print(&app->profile->report, NOTE_WARN);
	viewer_close(app);
	buf_deinit(&l->detail);
	return l->status;
}

int viewer_run(struct options *o, struct session *s, struct load_input *inputs, size_t n, struct err *err)
{
	struct loop l = {0};
	int status = VIEWER_NO_SCREEN;
	if (!check_keys(o->keys, err))
		return STATUS_USAGE;
	if (!open_pipe(l.wake, err))
		return STATUS_FAILED;
	if (term_open(o->color, !o->no_mouse, err)) {
		status = run_on_terminal(&l, o, s, inputs, n);
		if (l.err.text[0])
			*err = l.err;
		/* The pipe stays open: a loader waiting for silent input was left running, and may still write to it. */
	} else {
		close(l.wake[0]);
		close(l.wake[1]);
	}
	return status;
}
