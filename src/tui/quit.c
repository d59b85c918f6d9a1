/*
 * quit.c - asks before quitting would end a recorded command, or lose samples that are stored nowhere.
 *
 *	make is running: q ends it  d leaves it running  w writes first  Esc stays
 *	The recording is not saved: q drops it  w writes it  Esc stays
 *
 * The question takes the last row, and the key that asked quits at the second press. A profile from a file never
 * asks. Samples count as saved once a whole graph of their event was written, zoomed or filtered by nothing. Idle
 * samples that were left out while reading are in no file that w writes.
 */
#include "tui/quit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/app.h"

static bool is_fleeting(const struct load_input *in)
{
	struct stat st;
	if (in->fetcher)
		return in->fetcher->is_passing;
	if (in->fd >= 0)
		return false; /* a recording: the session knows */
	bool is_there = strcmp(in->path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(in->path, &st) == 0;
	return is_there && !S_ISREG(st.st_mode);
}

bool quit_is_only_copy(const struct load_input *inputs, size_t n, unsigned side)
{
	for (size_t i = 0; i < n; i++)
		if (inputs[i].side == side && is_fleeting(&inputs[i]))
			return true;
	return false;
}

/* The command that would end with us; NULL: none. */
static const char *running_command(const struct app *app)
{
	return app->session && app_is_loading(app) && !app->outcome ? app->session->command : NULL;
}

static uint64_t samples_of(const struct series *s, unsigned side)
{
	return s->is_joined ? 0 : side ? s->base_samples : s->samples;
}

static void note_side(struct app *app, unsigned side)
{
	struct saved_samples *s = &app->saved_samples;
	int32_t shown = app->view.recipe.series;
	for (size_t i = 0; i < s->n; i++)
		if (shown < 0 || i == (size_t)shown)
			s->samples[side][i] = samples_of(&app->profile->series[i], side);
}

void quit_note_saved(struct app *app, bool has_base)
{
	struct saved_samples *s = &app->saved_samples;
	size_t n = app->profile->n_series;
	for (unsigned side = 0; side < 2 && n > s->n; side++) {
		s->samples[side] = mem_realloc(s->samples[side], n, sizeof **s->samples);
		memset(s->samples[side] + s->n, 0, (n - s->n) * sizeof **s->samples);
	}
	s->n = n > s->n ? n : s->n;
	if (!view_is_swapped(&app->view) || has_base)
		note_side(app, 0);
	if (view_is_diff(&app->view) && (view_is_swapped(&app->view) || has_base))
		note_side(app, 1);
}

/* Has it more samples than were saved? */
static bool is_unsaved(const struct app *app, size_t series, unsigned side)
{
	const struct saved_samples *s = &app->saved_samples;
	uint64_t saved = series < s->n ? s->samples[side][series] : 0;
	return app->is_only_copy[side] && samples_of(&app->profile->series[series], side) > saved;
}

/* Is an event unsaved that the view shows, or (false) one that it does not show? */
static bool has_unsaved(const struct app *app, bool is_shown)
{
	int32_t shown = app->view.recipe.series;
	for (size_t i = 0; i < app->profile->n_series; i++) {
		bool is_this = shown < 0 || i == (size_t)shown;
		if (is_this == is_shown && (is_unsaved(app, i, 0) || is_unsaved(app, i, 1)))
			return true;
	}
	return false;
}

/* Has more come than the view has, as it does while it is frozen? */
static bool has_unseen(const struct app *app)
{
	uint64_t seen = 0;
	for (size_t i = 0; i < app->profile->n_series; i++)
		seen += samples_of(&app->profile->series[i], 0);
	return app->is_only_copy[0] && app->loader && !app->is_second_pass && app->load.samples > seen;
}

/* Samples that w can write. */
static bool would_lose_samples(const struct app *app)
{
	return has_unsaved(app, true) || has_unsaved(app, false) || has_unseen(app);
}

/* Samples that the reader left out, so that w cannot write them. */
static bool would_lose_idle(const struct app *app)
{
	for (unsigned side = 0; side < 2; side++)
		if (app->is_only_copy[side] && idle_is_left_out(app->profile, -1, side))
			return true;
	return false;
}

static bool has_reason(const struct app *app)
{
	return running_command(app) || would_lose_samples(app) || would_lose_idle(app);
}

unsigned quit_or_ask(struct app *app)
{
	if (app->is_asking || app->never_asks || !has_reason(app))
		return DIRTY_QUIT;
	app->is_asking = true;
	return DIRTY_SCREEN;
}

unsigned quit_detach(struct app *app)
{
	struct session *s = app->session;
	if (!running_command(app) || !s->detach || !s->detach(s->recording))
		return DIRTY_SCREEN;
	return DIRTY_QUIT;
}

void quit_stay(struct app *app)
{
	app->is_asking = false;
}

/* ---- the question -------------------------------------------------------------------------------------------- */

/* The command's name, shortened to these columns. */
static void add_command(const struct app *app, struct buf *out, size_t columns)
{
	struct buf name;
	buf_init(&name);
	app_add_clean(app, &name, app_base_name(running_command(app)));
	bool is_whole = utf8_columns(name.data, name.len) <= columns;
	buf_add(out, name.data, utf8_fit(name.data, name.len, columns - (is_whole ? 0 : app->theme.ascii ? 2 : 1)));
	if (!is_whole)
		buf_adds(out, app->theme.ascii ? ".." : "…");
	buf_deinit(&name);
}

/* Appends what would be lost; nothing if there is no room for it. */
static void add_subject(const struct app *app, struct buf *out, size_t columns)
{
	static const char running[] = " is running: ", recording[] = "The recording is not saved: ",
					  pipe[] = "The profile from the pipe is not saved: ",
					  fetched[] = "The fetched profile is not saved: ", others[] = "Other events are not saved: ",
					  idle[] = "Idle samples are not saved: ";
	const size_t least = 6; /* columns of a name */
	const char *what = options_fetch(app->options) ? fetched : pipe;
	if (app->session && app->session->is_only_copy)
		what = recording;
	if (!has_unsaved(app, true) && !has_unseen(app))
		what = has_unsaved(app, false) ? others : idle;
	if (running_command(app) && columns >= sizeof running - 1 + least) {
		add_command(app, out, columns - (sizeof running - 1));
		buf_adds(out, running);
	} else if (!running_command(app) && columns >= strlen(what)) {
		buf_adds(out, what);
	}
}

struct answer {
	const char *command, *words;
};

/* The answers that make sense now; returns how many. */
static size_t list_answers(const struct app *app, struct answer v[4])
{
	bool is_running = running_command(app), can_detach = is_running && app->session->detach;
	size_t n = 0;
	v[n++] = (struct answer){"quit", is_running ? "ends it" : "drops it"};
	if (can_detach)
		v[n++] = (struct answer){"detach", "leaves it running"};
	if (would_lose_samples(app))
		v[n++] = (struct answer){"write", is_running ? "writes first" : "writes it"};
	v[n++] = (struct answer){"escape", "stays"};
	return n;
}

/* The columns of the answers, each with its key. */
static size_t columns_of(const struct app *app, const struct answer *v, size_t n)
{
	struct buf key;
	size_t columns = 0;
	buf_init(&key);
	for (size_t i = 0; i < n; i++) {
		key.len = 0;
		if (keymap_add_key(&app->keymap, ON_QUESTION, v[i].command, &key))
			columns += utf8_columns(key.data, key.len) + strlen(v[i].words) + 3;
	}
	buf_deinit(&key);
	return columns > 2 ? columns - 2 : columns; /* no blanks at the end */
}

static int paint_answer(struct app *app, const struct answer *a, int row, int col, int cols)
{
	struct grid *g = &app->grid;
	struct buf key;
	int used = 0;
	buf_init(&key);
	if (keymap_add_key(&app->keymap, ON_QUESTION, a->command, &key)) {
		used = grid_text(g, row, col, cols - col, app->theme.bold, key.data, key.len) + 1;
		used += grid_str(g, row, col + used, cols - col - used, app->theme.plain, a->words) + 2;
	}
	buf_deinit(&key);
	return used;
}

bool quit_paint(struct app *app, int row, int cols)
{
	struct answer answers[4];
	struct buf subject;
	app->is_asking &= has_reason(app);
	if (!app->is_asking)
		return false;
	buf_init(&subject);
	size_t n = list_answers(app, answers), taken = columns_of(app, answers, n);
	add_subject(app, &subject, taken < (size_t)cols ? (size_t)cols - taken : 0);
	int col = grid_text(&app->grid, row, 0, cols, app->theme.bad, subject.data, subject.len);
	for (size_t i = 0; i < n && col < cols; i++)
		col += paint_answer(app, &answers[i], row, col, cols);
	buf_deinit(&subject);
	return true;
}
