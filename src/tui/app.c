/*
 * app.c - the viewer's state: setup and cleanup, messages, and the pane in front.
 */
#include "tui/app.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NAME_LONGEST ((size_t)1 << 20) /* bytes; cleaning a hundred megabytes takes longer than a key may */

enum utf8_clean_mode app_clean_mode(const struct app *app)
{
	return app->theme.ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

void app_add_clean(const struct app *app, struct buf *out, const char *text)
{
	utf8_clean(out, text, strlen(text), app_clean_mode(app));
}

const char *app_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

void app_init(struct app *app, struct options *options, const struct load_input *inputs, size_t n,
              const struct theme *theme, const struct command *commands)
{
	*app = (struct app){.options = options,
	                    .inputs = inputs,
	                    .n_inputs = n,
	                    .theme = *theme,
	                    .wake_fd = -1,
	                    .patience_ms = PATIENCE_MS,
	                    .stamp = 1,
	                    .tree_stamp = 1};
	app->profile = mem_zalloc(1, sizeof *app->profile);
	profile_init(app->profile);
	view_init(&app->view, app->profile, app_clean_mode(app), !options->no_demangle);
	app->view.display.longest = NAME_LONGEST;
	app->view.is_inverted = options->inverted;
	totals_init(&app->totals);
	grid_init(&app->grid);
	list_init(&app->list);
	prompt_init(&app->prompt);
	buf_init(&app->clipboard);
	keymap_init(&app->keymap, commands);
	app->click_row = app->click_col = -1;
	app->dirty = DIRTY_SCREEN;
}

void app_free_profile(struct profile *p)
{
	if (!p)
		return;
	profile_deinit(p);
	free(p);
}

void app_deinit(struct app *app)
{
	search_clear(&app->before);
	recipe_deinit(&app->folded);
	view_deinit(&app->view);
	app_free_profile(app->profile);
	if (app->loader)
		load_free(app->loader);
	totals_deinit(&app->totals);
	grid_deinit(&app->grid);
	list_deinit(&app->list);
	prompt_deinit(&app->prompt);
	buf_deinit(&app->clipboard);
	keymap_deinit(&app->keymap);
	free(app->message);
	free(app->outcome);
	free(app->edit_file);
	free(app->write_over);
	free(app->saved);
	free(app->saved_samples.samples[0]);
	free(app->saved_samples.samples[1]);
	free(app->sought);
	free(app->held);
}

/* ---- messages ------------------------------------------------------------------------------------------------ */

/* Appends a format with {NAME} replaced by keys. Only fmt is scanned: an argument may be any name in a profile. */
static void add_format(const struct app *app, struct buf *out, const char *fmt)
{
	struct buf text;
	buf_init(&text);
	for (const char *p = fmt; *p;) {
		size_t plain = strcspn(p, "{"), n = p[plain] ? strcspn(p + plain, "}") + 1 : 0;
		char *part = mem_strndup(p + plain, n);
		buf_add(out, p, plain);
		text.len = 0;
		keymap_add_text(&app->keymap, ON(app->tab), part, &text);
		for (size_t i = 0; i < text.len; i++)
			buf_adds(out, text.data[i] == '%' ? "%%" : (char[]){text.data[i], '\0'});
		free(part);
		p += plain + n;
	}
	buf_deinit(&text);
}

__attribute__((format(printf, 3, 0))) static void set_message(struct app *app, bool is_error, const char *fmt,
                                                              va_list ap)
{
	struct buf text, clean, format;
	buf_init(&text);
	buf_init(&clean);
	buf_init(&format);
	add_format(app, &format, fmt);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* it is fmt with keys */
	buf_vaddf(&text, buf_str(&format), ap);
#pragma GCC diagnostic pop
	buf_deinit(&format);
	utf8_clean(&clean, text.data, text.len, app_clean_mode(app));
	free(app->message);
	app->message = buf_take(&clean);
	app->is_error = is_error;
	app->dirty |= DIRTY_SCREEN;
	buf_deinit(&text);
	buf_deinit(&clean);
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set_message(app, false, fmt, ap);
	va_end(ap);
}

void app_complain(struct app *app, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set_message(app, true, fmt, ap);
	va_end(ap);
}

void app_say_keys(struct app *app, unsigned where, const char *text)
{
	struct buf out;
	buf_init(&out);
	keymap_add_text(&app->keymap, where, text, &out);
	app_say(app, "%s", buf_str(&out));
	buf_deinit(&out);
}

void app_say_nothing(struct app *app)
{
	free(app->message);
	app->message = NULL;
}

/* ---- what is in front ---------------------------------------------------------------------------------------- */

unsigned app_where(const struct app *app)
{
	if (prompt_is_open(&app->prompt))
		return ON_PROMPT;
	if (app->is_asking)
		return ON_QUESTION;
	return app->is_heat_open ? ON_HEAT : app->list.is_open ? ON_LIST : ON(app->tab);
}

void app_set_tab(struct app *app, enum tab tab)
{
	uint32_t symbol = app_symbol(app), node = app_node(app);
	app->tab = tab;
	app->dirty |= DIRTY_SCREEN | DIRTY_LAYOUT;
	if (app_pane(app)->open)
		app_pane(app)->open(app, symbol, node);
}

unsigned app_take_times(struct app *app)
{
	unsigned times = app->times;
	app->times = 1;
	return times > 0 ? times : 1;
}

void app_go_to(struct app *app, uint32_t node)
{
	if (!tree_is_below(&app->view.tree, node, app->view.zoom))
		app->dirty |= view_zoom(&app->view, NODE_ALL);
	app->dirty |= view_select(&app->view, node);
	app->is_named = true;
	if (app_pane(app)->reveal)
		app_pane(app)->reveal(app, node);
}

void app_tree_changed(struct app *app)
{
	for (int i = 0; i < N_TABS; i++)
		app->panes[i]->forget(app);
	app->is_named = false;
	app->stamp++;
	app->tree_stamp++;
	app->dirty |= DIRTY_LAYOUT | DIRTY_SCREEN;
	list_follow(&app->list, &app->view.tree, app->view.mark, view_total(&app->view));
	list_refill(&app->list, app);
}

bool app_selected(struct app *app, uint32_t *sym)
{
	*sym = app_symbol(app);
	if (*sym == NO_SYMBOL)
		app_say(app, "no function is selected");
	return *sym != NO_SYMBOL;
}

void app_add_keys(const struct app *app, struct buf *out, const char *text)
{
	keymap_add_text(&app->keymap, ON(app->tab), text, out);
}

void app_prompt(struct app *app, const struct prompt_kind *kind, const char *text)
{
	struct buf label;
	buf_init(&label);
	keymap_add_text(&app->keymap, ON_PROMPT, kind->label, &label);
	prompt_open(&app->prompt, kind, buf_str(&label), text);
	buf_deinit(&label);
}

void app_begin_list(struct app *app, const char *title, const char *hint)
{
	struct buf text;
	buf_init(&text);
	keymap_add_text(&app->keymap, ON_LIST, hint, &text);
	list_begin(&app->list, title, buf_str(&text));
	buf_deinit(&text);
}

const char *app_raw_name(const struct app *app, uint32_t sym)
{
	return app->profile->symtab.symbols[sym].name;
}

const char *app_name(struct app *app, uint32_t sym)
{
	return display_name(&app->view.display, sym)->text;
}

unsigned app_patience(const struct app *app)
{
	return app->wake_fd < 0 ? WORK_FOREVER : app->patience_ms;
}

double app_factor(const struct app *app)
{
	double factor = app->options->export_.factor;
	return view_has_room(&app->view, factor) ? factor : 0;
}

uint64_t app_shown(const struct app *app, uint64_t weight)
{
	return weight_times(weight, app_factor(app));
}

bool app_has_nothing(const struct app *app)
{
	const struct tree *t = &app->view.tree;
	return view_total(&app->view) == 0 && (!t->base || tree_base_total(t, NODE_ALL) == 0);
}

/* The pane's background work; NULL: none. */
static const struct work *pane_work(const struct app *app, int tab)
{
	const struct pane *pane = app->panes[tab];
	return pane->work ? pane->work(app) : NULL;
}

bool app_is_busy(const struct app *app)
{
	bool is_busy = app->work || app->ending || app->writing || app->seek || app->listing.work;
	for (int i = 0; i < N_TABS; i++)
		is_busy |= pane_work(app, i) != NULL;
	return is_busy;
}

static bool is_done(const struct work *work)
{
	return work && work_is_done(work);
}

bool app_has_result(const struct app *app)
{
	bool has_result = is_done(app->work) || (app->work && work_has_early(app->work)) || is_done(app->ending) ||
	                  is_done(app->seek) || is_done(app->writing) || is_done(app->listing.work);
	for (int i = 0; i < N_TABS; i++)
		has_result |= is_done(pane_work(app, i));
	return has_result;
}
