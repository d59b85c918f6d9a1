/*
 * origins.c - the modules and files of functions. Functions of one name may come from several modules.
 *
 * A frame of a tree has one origin, mostly. A row of the table and the function of a sandwich stand for all
 * functions of their name: if these are of several modules, that is what the reader is told, rather than one of
 * them.
 */
#include "tui/origins.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/wide.h"

void origins_deinit(struct origins *o)
{
	free(o->of);
	*o = (struct origins){0};
}

#define COLUMNS 26     /* of the table's column, with two blanks before it */
#define LEAST_COLS 100 /* of a table that has room for it */

int origins_columns(const struct app *app)
{
	int cols = wide_area(app, TAB_TOP, (struct rect){.cols = app->grid.cols}).cols;
	bool has_them = cols >= LEAST_COLS && app->view.tree.group == BY_FUNCTION && !view_is_diff(&app->view) &&
	                app->profile->symtab.n_variants > 0;
	return has_them ? COLUMNS : 0;
}

void origins_prepare(struct app *app, struct origins *o)
{
	const struct view *v = &app->view;
	const struct symtab *t = &app->profile->symtab;
	if (!origins_columns(app) || (o->stamp == app->tree_stamp && o->zoom == v->zoom && o->n == t->n))
		return;
	free(o->of);
	o->n = t->n;
	o->stamp = app->tree_stamp;
	o->zoom = v->zoom;
	o->of = name_origins(v, BY_MODULE, NULL);
}

static void add_label(const struct app *app, const struct origins *o, uint32_t sym, struct buf *out)
{
	const struct symtab *t = &app->profile->symtab;
	uint32_t origin = sym < o->n ? o->of[sym] : NO_SYMBOL;
	if (sym == NO_SYMBOL)
		buf_adds(out, "module");
	else if (origin == ORIGIN_SEVERAL)
		buf_adds(out, ORIGIN_MODULES);
	else if (origin != NO_SYMBOL)
		group_add_label(t, origin, BY_MODULE, OF_ORIGIN, out);
}

int origins_paint(struct app *app, const struct origins *o, struct rect area, int row, struct style style,
                  uint32_t sym)
{
	int cols = origins_columns(app);
	struct buf raw, clean;
	if (!cols)
		return 0;
	buf_init(&raw);
	buf_init(&clean);
	add_label(app, o, sym, &raw);
	app_add_clean(app, &clean, buf_str(&raw));
	grid_text_cut(&app->grid, row, area.col + area.cols - cols + 2, cols - 2, style, buf_str(&clean), clean.len,
	              app->theme.ascii);
	buf_deinit(&raw);
	buf_deinit(&clean);
	return cols;
}

uint32_t origins_selected(const struct app *app, enum group_by by)
{
	const struct view *v = &app->view;
	uint32_t node = app_node(app), sym = app_symbol(app);
	if (sym == NO_SYMBOL || v->tree.group != BY_FUNCTION)
		return sym;
	if (node != NO_NODE && node != NODE_ALL && v->tree.sym[node] == sym)
		return name_origin_of_node(v, by, node);
	return name_origin(v, by, sym, app->tab == TAB_TOP ? v->zoom : NODE_ALL);
}

/* " [libc.so.6]"; nothing if the name contains it, as in "libc.so.6`read" or for a frame without a symbol. */
static void add_module(const struct app *app, struct buf *out, const char *name, const char *module)
{
	size_t from = out->len, len = strlen(module);
	bool has_brackets = *module == '[';
	buf_adds(out, has_brackets ? "  " : "  [");
	app_add_clean(app, out, module);
	buf_adds(out, has_brackets ? "" : "]");
	if (strcmp(buf_str(out) + from + 2, name) == 0 || (strncmp(name, module, len) == 0 && name[len] == '`'))
		out->len = from;
}

static void add_place(const struct app *app, struct buf *out, uint32_t origin)
{
	struct buf place;
	buf_init(&place);
	origin_add_place(&app->profile->symtab, origin, &place);
	app_add_clean(app, out, buf_str(&place));
	buf_deinit(&place);
}

static void add_modules(const struct app *app, struct buf *out)
{
	const struct symtab *t = &app->profile->symtab;
	uint32_t origin = origins_selected(app, BY_MODULE);
	if (origin == ORIGIN_SEVERAL)
		buf_adds(out, "  [" ORIGIN_MODULES "]");
	else if (t->symbols[origin].module)
		add_module(app, out, app_name((struct app *)app, app_symbol(app)),
		           app_base_name(t->symbols[t->symbols[origin].module].name));
}

void origins_add_words(const struct app *app, struct buf *out)
{
	uint32_t origin = origins_selected(app, BY_FILE);
	add_modules(app, out);
	if (origin == ORIGIN_SEVERAL) {
		buf_adds(out, "  " ORIGIN_FILES);
	} else if (app->profile->symtab.symbols[origin].source) {
		buf_adds(out, "  ");
		add_place(app, out, origin);
	}
}
