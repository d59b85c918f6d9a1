/*
 * Callers first of many stacks: wide frames are shown while the rest is folded, and then all is as without them.
 */
#include <unistd.h>

#include "tests/unit/viewing.h"
#include "tui/early.h"

#define STACKS 140000

static int ends[2]; /* background work wakes this up */

static void open_many(struct fixture *f)
{
	struct buf text;
	struct err err = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	open_it(f, SHAPE_EMPTY, DEPTH_TRUE, false);
	buf_init(&text);
	for (int i = 0; i < STACKS; i++)
		buf_addf(&text, "main;m%d;own%d;leaf%d %d\n", i % 3, i, i % 7 ? i % 5 : i, i % 7 ? 9 : 1);
	profile_init(p);
	stacks_add(p, 0, buf_str(&text));
	buf_deinit(&text);
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	refresh_size(&f->app, 120, 24);
	app_refresh(&f->app);
	f->app.wake_fd = ends[1];
}

static void press(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		input_event(&f->app, &e, 0);
	app_refresh(&f->app);
}

/* The early tree stays to be taken when the fold is done, so this does not depend on which thread is faster. */
static void wait_for_early(struct fixture *f)
{
	while (f->app.work && !work_has_early(f->app.work) && !work_is_done(f->app.work))
		usleep(1000);
	early_take(&f->app);
	app_refresh(&f->app);
}

static void wait_for_all(struct fixture *f)
{
	while (app_is_busy(&f->app)) {
		viewer_take_work(&f->app);
		app_refresh(&f->app);
		usleep(1000);
	}
}

static bool says(struct fixture *f, int row, const char *text)
{
	struct buf line;
	buf_init(&line);
	paint(&f->app);
	grid_add_row(&f->app.grid, row, &line);
	bool does = strstr(buf_str(&line), text) != NULL;
	buf_deinit(&line);
	return does;
}

static bool is_at(const struct view *v, uint32_t node, const char *path)
{
	char *got = path_at(v, node);
	bool is = strcmp(got, path) == 0;
	free(got);
	return is;
}

static void add_screen(struct fixture *f, struct buf *out)
{
	paint(&f->app);
	for (int row = 0; row < f->app.grid.rows; row++) {
		grid_add_row(&f->app.grid, row, out);
		buf_addc(out, '\n');
	}
}

static void same_in_the_end(const char *first, const char *name)
{
	struct fixture f, plain;
	struct buf screens[2];
	buf_init(&screens[0]);
	buf_init(&screens[1]);
	open_many(&f);
	open_many(&plain);
	plain.app.wake_fd = -1;
	press(&f, first);
	wait_for_all(&f);
	press(&plain, first);
	press(&f, "I");
	wait_for_early(&f);
	ok(f.app.early.is_shown && says(&f, 0, "only wide frames so far"), "%s: wide frames come first", name);
	uint32_t n_early = f.app.view.tree.n;
	ok(f.app.view.tree.is_reversed && n_early > 1, "%s: they grow out of the leaves", name);
	wait_for_all(&f);
	press(&plain, "I");
	ok(!f.app.early.is_shown && !says(&f, 0, "so far") && f.app.view.tree.n > 2 * n_early,
	   "%s: then comes the rest", name);
	add_screen(&f, &screens[0]);
	add_screen(&plain, &screens[1]);
	is_str(buf_str(&screens[0]), buf_str(&screens[1]), "%s: in the end all is as without them", name);
	ok(f.app.view.tree.n == plain.app.view.tree.n && f.app.view.zoom == plain.app.view.zoom &&
	       f.app.view.cursor == plain.app.view.cursor && f.app.view.n_back == plain.app.view.n_back,
	   "%s: zoom and cursor, too", name);
	buf_deinit(&screens[0]);
	buf_deinit(&screens[1]);
	close_it(&f);
	close_it(&plain);
}

static void stopped(void)
{
	struct fixture f;
	struct buf screens[2];
	buf_init(&screens[0]);
	buf_init(&screens[1]);
	open_many(&f);
	press(&f, "/own77$<Enter>");
	wait_for_all(&f);
	press(&f, "<Enter>k");
	wait_for_all(&f);
	add_screen(&f, &screens[0]);
	uint32_t zoom = f.app.view.zoom, cursor = f.app.view.cursor;
	press(&f, "I");
	wait_for_early(&f);
	ok(f.app.early.is_shown && f.app.view.tree.is_reversed, "a tree of wide frames is shown");
	press(&f, "kkl");
	press(&f, "<Esc>");
	ok(!f.app.early.is_shown && !f.app.view.tree.is_reversed && !f.app.view.recipe.reverse,
	   "Esc brings the tree before back");
	ok(f.app.view.zoom == zoom && f.app.view.cursor == cursor && zoom != NODE_ALL,
	   "with the zoom and the cursor that it had");
	wait_for_all(&f);
	press(&f, "<Esc>/own77$<Enter>");
	wait_for_all(&f);
	ok(f.app.view.zoom == zoom, "and the view goes on from there");
	buf_deinit(&screens[0]);
	buf_deinit(&screens[1]);
	close_it(&f);
}

static void used_meanwhile(void)
{
	struct fixture f;
	open_many(&f);
	press(&f, "I");
	wait_for_early(&f);
	press(&f, "kl");
	char *path = path_at(&f.app.view, f.app.view.cursor);
	press(&f, "<Enter>/own");
	ok(f.app.early.is_shown && f.app.view.zoom != NODE_ALL && is_at(&f.app.view, f.app.view.zoom, path),
	   "keys work among the wide frames");
	press(&f, "12<Enter>");
	wait_for_all(&f);
	ok(!f.app.early.is_shown && is_at(&f.app.view, f.app.view.zoom, path), "a zoom stays when all is there");
	ok(f.app.view.search.pattern && strcmp(f.app.view.search.pattern, "own12") == 0 &&
	       f.app.view.search.frames > 1000,
	   "and a search goes on, in all frames");
	const struct name_sum *sum = totals_of(&f.app.totals, f.app.view.tree.sym[f.app.view.zoom]);
	ok(sum && sum->self == tree_total(&f.app.view.tree, f.app.view.zoom), "totals are those of the whole tree");
	free(path);
	close_it(&f);
}

static void turned_back(void)
{
	struct fixture f;
	open_many(&f);
	press(&f, "k");
	uint32_t n = f.app.view.tree.n, cursor = f.app.view.cursor;
	press(&f, "I");
	wait_for_early(&f);
	ok(f.app.early.is_shown, "wide frames are there");
	press(&f, "I");
	wait_for_all(&f);
	ok(f.app.view.tree.n == n && !f.app.view.tree.is_reversed && !f.app.early.is_shown &&
	       f.app.view.cursor == cursor,
	   "the key again leads back");
	press(&f, "I");
	wait_for_early(&f);
	press(&f, "o");
	wait_for_early(&f);
	wait_for_all(&f);
	ok(f.app.view.tree.is_reversed && f.app.view.tree.n > STACKS && !f.app.early.is_shown,
	   "another order while wide frames are shown comes, too");
	close_it(&f);
}

static void other_totals(void)
{
	struct fixture f;
	open_many(&f);
	press(&f, "k");
	f.app.view.recipe.reverse = true;
	recipe_add_filter(&f.app.view.recipe, FILTER_IGNORE, MATCH_REGEX, "m0");
	f.app.dirty |= DIRTY_TREE;
	app_refresh(&f.app);
	wait_for_early(&f);
	ok(!f.app.early.is_shown, "wide frames of other stacks than those of the table are not shown");
	wait_for_all(&f);
	ok(f.app.view.tree.is_reversed, "only all of them");
	press(&f, "I");
	wait_for_all(&f);
	press(&f, "I");
	wait_for_early(&f);
	close_it(&f);
	pass("the viewer ends while wide frames are shown");
}

static void written(void)
{
	struct fixture f;
	char path[] = "/tmp/flametop-early-XXXXXX", keys[100];
	if (close(mkstemp(path)) != 0)
		bail_out("no file");
	snprintf(keys, sizeof keys, "w<C-u>%s.folded<Enter>", path);
	open_many(&f);
	press(&f, "I");
	wait_for_early(&f);
	ok(f.app.early.is_shown, "wide frames are there again");
	press(&f, keys);
	ok(f.app.n_held > 0, "a file waits for the rest");
	wait_for_all(&f);
	viewer_take_work(&f.app);
	press(&f, "");
	snprintf(keys, sizeof keys, "%s.folded", path);
	FILE *file = fopen(keys, "r");
	size_t lines = 0;
	char line[200];
	while (file && fgets(line, sizeof line, file))
		lines += strstr(line, ";main ") != NULL;
	is_int((long long)lines, STACKS, "and has all stacks");
	if (file)
		fclose(file);
	unlink(keys);
	unlink(path);
	close_it(&f);
}

int main(void)
{
	if (pipe(ends) != 0)
		bail_out("no pipe");
	same_in_the_end("", "from the start");
	same_in_the_end("kk", "with a frame selected");
	same_in_the_end("kk<Enter>", "zoomed");
	same_in_the_end("/own12345$<Enter>", "with a narrow frame found");
	stopped();
	used_meanwhile();
	turned_back();
	other_totals();
	written();
	close(ends[0]);
	close(ends[1]);
	return done_testing();
}
