/*
 * hot.c - leads to the functions with the most self weight.
 *
 *	* heaviest by self: deflate_slow 37.2%, tcp_sendpage 26.2%, ep_poll 11.0%
 *
 * That is where the work is done, and in a graph of thousands of frames no eye finds it: the frames of a function
 * may be spread over many stacks, and its callers are wider. The line is there until the first key.
 */
#include "tui/hot.h"

#include <stdlib.h>

#include "base/number.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"

#define HOT_SHOWN 3u
#define LEAST_NAME 8u    /* columns; with less, fewer names are shown */
#define BEHIND_A_NAME 8u /* columns of " 37.2%, " */
#define LABEL " heaviest by self: "

uint32_t hot_frame(const struct view *v, uint32_t sym, bool by_self)
{
	const struct tree *t = &v->tree;
	uint32_t best = NO_NODE;
	uint64_t best_self = 0;
	for (uint32_t i = v->zoom; i < t->end[v->zoom]; i++) {
		if (t->sym[i] != sym)
			continue;
		uint64_t self = by_self ? tree_own(t, i) : 0;
		if (best != NO_NODE && (self < best_self || (self == best_self && tree_total(t, i) <= tree_total(t, best))))
			continue;
		best = i;
		best_self = self;
	}
	return best;
}

/* ---- the line ------------------------------------------------------------------------------------------------ */

/* The names get at most this many columns each, so that all lines have room; 0: there is too little. */
static size_t fit_names(struct app *app, const struct name_sum *hot, size_t n, size_t room)
{
	for (size_t most = room; most >= LEAST_NAME; most--) {
		size_t used = 0;
		for (size_t i = 0; i < n; i++) {
			size_t columns = display_name(&app->view.display, hot[i].sym)->columns;
			used += (columns < most ? columns : most) + BEHIND_A_NAME;
		}
		if (used <= room)
			return most;
	}
	return 0;
}

static void add_names(struct app *app, struct buf *out, const struct name_sum *hot, size_t n, size_t columns)
{
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ", " : "");
		label_fit(out, display_name(&app->view.display, hot[i].sym), columns, app->theme.ascii);
		buf_addc(out, ' ');
		number_add_percent(out, hot[i].self, view_total(&app->view), 1);
		buf_addc(out, '%');
	}
}

/* Appends as many of them as the room allows. */
static void add_hot(struct app *app, struct buf *out, size_t room)
{
	struct name_sum hot[HOT_SHOWN];
	size_t n = tree_heaviest(&app->profile->symtab, app->totals.sums, app->totals.n_sums, hot, HOT_SHOWN);
	size_t columns = 0;
	while (n > 0 && (columns = fit_names(app, hot, n, room)) == 0)
		n--;
	add_names(app, out, hot, n, columns);
}

bool hot_paint(struct app *app, int row)
{
	struct grid *g = &app->grid;
	struct buf key, text;
	buf_init(&key);
	buf_init(&text);
	if (keymap_add_key(&app->keymap, ON(app->tab), "heaviest", &key)) {
		size_t taken = utf8_columns(key.data, key.len) + sizeof LABEL - 1;
		add_hot(app, &text, taken < (size_t)g->cols ? (size_t)g->cols - taken : 0);
	}
	bool has_any = text.len > 0;
	if (has_any) {
		int col = grid_text(g, row, 0, g->cols, app->theme.bold, key.data, key.len);
		col += grid_str(g, row, col, g->cols - col, app->theme.plain, LABEL);
		grid_text(g, row, col, g->cols - col, app->theme.plain, text.data, text.len);
	}
	buf_deinit(&key);
	buf_deinit(&text);
	return has_any;
}

/* ---- the key ------------------------------------------------------------------------------------------------- */

static const struct name_sum *sum_of(const struct name_sum *sums, size_t n, uint32_t sym)
{
	for (size_t i = 0; i < n; i++)
		if (sums[i].sym == sym)
			return &sums[i];
	return NULL;
}

static void say_hot(struct app *app, const struct name_sum *s)
{
	struct buf text;
	buf_init(&text);
	buf_adds(&text, "self ");
	number_add_percent(&text, s->self, view_total(&app->view), 1);
	buf_addf(&text, "%%%s, in ", words_of_whole(&app->view));
	number_add_commas(&text, s->frames, 0);
	buf_addf(&text, " frame%s ({heaviest} the next one, {view-sandwich} callers)", s->frames == 1 ? "" : "s");
	app_say_keys(app, ON(app->tab), buf_str(&text));
	buf_deinit(&text);
}

static void go_to_hot(struct app *app, const struct name_sum *s)
{
	uint32_t node = hot_frame(&app->view, s->sym, true);
	if (node == NO_NODE)
		return;
	app->hot = s->sym;
	app_go_to(app, node);
	say_hot(app, s);
}

/*
 * The one after this one (NULL: the first of all), and `steps` more; after the last one comes the first again.
 */
static const struct name_sum *steps_after(const struct app *app, const struct name_sum *sums, size_t n,
                                          const struct name_sum *on, size_t steps)
{
	const struct symtab *names = &app->profile->symtab;
	size_t all = tree_sums_count_after(names, sums, n, NULL);
	size_t left = on ? tree_sums_count_after(names, sums, n, on) : all;
	if (all == 0)
		return NULL;
	steps %= all;
	return steps < left ? tree_sums_after(names, sums, n, on, steps)
	                    : tree_sums_after(names, sums, n, NULL, steps - left);
}

void hot_next(struct app *app)
{
	const struct view *v = &app->view;
	size_t n = app->totals.n_sums, steps = app_take_times(app) - 1;
	struct name_sum *below = NULL;
	if (v->zoom != NODE_ALL)
		below = tree_sums(&v->tree, v->zoom, app->profile->symtab.n, &n, NULL);
	const struct name_sum *sums = below ? below : app->totals.sums, *s;
	bool is_on_one = app->hot != NO_SYMBOL && app_symbol(app) == app->hot;
	s = steps_after(app, sums, n, is_on_one ? sum_of(sums, n, app->hot) : NULL, steps);
	if (s)
		go_to_hot(app, s);
	else
		app_say(app, "no function has self weight here");
	free(below);
}
