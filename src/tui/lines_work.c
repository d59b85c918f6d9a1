/*
 * lines_work.c - makes pages of lines in the background, and finds the hottest line of the selected function.
 *
 * There is one work at a time, since all use the same debug information. What all pages of a tree have in common is
 * kept (lines_make.h): from one function to the next, only its own lines are added up.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "tui/lines.h"

static const struct lines_key no_key = {.symbol = NO_SYMBOL};

static bool is_same(const struct lines_key *a, const struct lines_key *b)
{
	return a->symbol == b->symbol && a->tree == b->tree && a->kind == b->kind;
}

static struct lines_key shown(const struct app *app)
{
	const struct lines *l = app->lines;
	return (struct lines_key){l->symbol, app->tree_stamp, l->wants_code ? PAGE_INSTRUCTIONS : PAGE_LINES};
}

bool lines_is_current(const struct app *app, const struct lines_key *k)
{
	struct lines_key key = shown(app);
	return is_same(k, &key);
}

void lines_stop_work(struct lines *l)
{
	work_cancel(l->work);
	l->work = NULL;
	l->wanted = no_key;
	page_source_free(l->source);
	l->source = NULL;
}

/* A screen in a file is for others, too, and a profile may name any file of this machine. */
static bool shows_text(const struct app *app)
{
	return !app->options->is_script || app->options->export_.with_source || isatty(STDOUT_FILENO);
}

/* Work on anything else is stopped; this one begins when that has ended. */
static void start(struct app *app, struct lines_key key)
{
	struct lines *l = app->lines;
	const struct page_order order = {
		.symbol = key.symbol,
		.kind = key.kind,
		.finder = &l->finder,
		.wish = {.places = shows_text(app) ? app->options->export_.sources : NULL,
	             .why_hidden = "--with-source adds the text",
	             .has_callers = true,
	             .context = UINT32_MAX},
	};
	if (l->work && is_same(&l->wanted, &key))
		return;
	if (l->work) {
		work_stop(l->work);
		l->wanted = no_key;
		return;
	}
	if (!l->source)
		l->source = page_source_new(app->profile, &app->view.recipe);
	l->work = work_page(l->source, &order, app->wake_fd);
	l->source = NULL;
	l->wanted = key;
	if (work_wait(l->work, app_patience(app)))
		app->panes[TAB_LINES]->take(app);
}

void lines_make_page(struct app *app)
{
	if (!lines_is_current(app, &app->lines->made))
		start(app, shown(app));
}

/* ---- the hottest line ---------------------------------------------------------------------------------------- */

void lines_forget_hottest(struct lines *l)
{
	for (size_t i = 0; i < l->n_hottest; i++)
		free(l->hottest[i].line.file);
	l->n_hottest = 0;
}

static struct hottest_of *find_hottest(const struct lines *l, uint32_t symbol)
{
	for (size_t i = 0; i < l->n_hottest; i++)
		if (l->hottest[i].symbol == symbol)
			return &l->hottest[i];
	return NULL;
}

/* Takes the line over. */
static void keep_hottest(struct lines *l, const struct lines_key *of, struct hottest line)
{
	struct hottest_of *known = find_hottest(l, of->symbol);
	if (!known) {
		mem_push(l->hottest, l->n_hottest, l->cap_hottest, ((struct hottest_of){.symbol = of->symbol}));
		known = &l->hottest[l->n_hottest - 1];
	}
	free(known->line.file);
	known->line = line;
	known->tree = of->tree;
}

/* Loading a file takes long enough without it. */
void lines_want_hottest(struct app *app)
{
	struct lines *l = app->lines;
	uint32_t symbol = app_symbol(app);
	bool is_late = app_is_loading(app) && !app->load.is_live;
	if (app->tab == TAB_LINES || symbol == NO_SYMBOL || is_late || !lines_are_known(app->profile))
		return;
	const struct hottest_of *known = find_hottest(l, symbol);
	if (!known || known->tree != app->tree_stamp)
		start(app, (struct lines_key){symbol, app->tree_stamp, PAGE_HOTTEST});
}

/* While samples come in, what was found a moment ago stays until there is more. */
void lines_add_hottest(const struct app *app, struct buf *out, size_t room)
{
	const struct hottest_of *h = find_hottest(app->lines, app_symbol(app));
	const struct name_sum *sum = totals_of(&app->totals, app_symbol(app));
	struct buf place, whole;
	if (app->tab == TAB_LINES || !h || !h->line.line || (h->tree != app->tree_stamp && !app_is_loading(app)))
		return;
	buf_init(&place);
	buf_init(&whole);
	if (h->line.file)
		app_add_clean(app, &place, app_base_name(h->line.file));
	buf_addf(&place, h->line.file ? ":%u" : "line %u", h->line.line);
	buf_addf(&whole, "  hottest %s%s, %s ", h->line.file ? "line " : "", buf_str(&place),
	         h->line.self ? "self" : "total");
	number_add_percent(&whole, h->line.self ? h->line.self : h->line.total, view_total(&app->view), 1);
	buf_addc(&whole, '%');
	if (sum && sum->frames > 1)
		buf_addf(&whole, " in %llu frames", (unsigned long long)sum->frames);
	if (utf8_columns(whole.data, whole.len) <= room)
		buf_add(out, whole.data, whole.len);
	else if (utf8_columns(place.data, place.len) + 2 <= room)
		buf_addf(out, "  %s", buf_str(&place));
	buf_deinit(&place);
	buf_deinit(&whole);
}

/* ---- results ------------------------------------------------------------------------------------------------- */

bool lines_take_work(struct app *app, struct line_page *was, bool *is_same_page)
{
	struct lines *l = app->lines;
	struct page_result r;
	if (!l->work || !work_is_done(l->work))
		return false;
	struct lines_key key = l->wanted;
	l->source = work_end_page(l->work, &r);
	l->work = NULL;
	l->wanted = no_key;
	app->dirty |= DIRTY_SCREEN;
	if (key.symbol == NO_SYMBOL)
		free(r.hottest.file);
	else
		keep_hottest(l, &key, r.hottest);
	if (key.symbol == NO_SYMBOL || key.kind == PAGE_HOTTEST) {
		line_page_deinit(&r.page);
		return false;
	}
	*is_same_page = !l->line && l->made.symbol == key.symbol && l->made.kind == key.kind;
	*was = l->page;
	l->page = r.page;
	l->error = r.err;
	l->made = key;
	return true;
}
