/*
 * The interface under keys and clicks that no user would type: every key on top of every overlay, in every view,
 * and long random runs. After each step it checks what always holds: the tree is sound, no weight is lost, the
 * cursor is below the zoom, the lists' cursors are inside, and every cell contains something that a terminal can
 * show.
 *
 *	TUI_RANDOM=100000 build/tests/tui_random.t      that many steps by chance, on each profile
 *	TUI_RANDOM_SEED=7 ...                           others
 */
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewing.h"

#include "tui/lanes.h"

/* ---- every key on top of everything -------------------------------------------------------------------------- */

static const uint32_t special_keys[] = {
	K_TAB,       K_ENTER,  K_ESC,    K_BACKSPACE, K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END,  K_PAGE_UP,
	K_PAGE_DOWN, K_INSERT, K_DELETE, K_BACKTAB,   K_F1, K_F12,  1,      2,       4,      5,      6,
	11,          12,       14,       16,          21,   23,     0xE9,   0x6F22,  0x0301, 0x1F600};
#define N_SPECIAL (sizeof special_keys / sizeof *special_keys)

static const char *const layers[] = {"",          "?",
                                     "T",         "e",
                                     "V",         "L",
                                     "s",         "M",
                                     "m",         "m<Enter>",
                                     "d",         "a",
                                     "/",         "/a",
                                     "&",         "&a",
                                     "H",         "w",
                                     "wx.txt",    "T/w",
                                     "?/zo",      "/m<Enter>",
                                     "kk<Enter>", "xxL",
                                     "kkI",       "t",
                                     "5",         "DDD",
                                     "kkF",       "Fx",
                                     "i",         "kk#",
                                     "++++++++",  "B",
                                     "R",         "p",
                                     "pp",        "/module:l<Enter>",
                                     "/mo<Tab>",  "&file:",
                                     "pkx"};
#define N_LAYERS (sizeof layers / sizeof *layers)

static uint32_t any_key(size_t i)
{
	return i < N_SPECIAL ? special_keys[i] : (uint32_t)(' ' + i - N_SPECIAL);
}
#define N_KEYS (N_SPECIAL + '~' - ' ' + 1)

static void clear_away(struct fixture *f)
{
	type(f, "<Esc><Esc><Esc><Esc>q1r<Esc><Esc>");
	f->app.view.is_inverted = false;
}

static void every_key(enum shape shape)
{
	struct fixture f;
	bool held = true;
	open_it(&f, shape, DEPTH_256, shape == SHAPE_DIFF);
	/* Deep stacks take longer to fold, and add nothing. */
	size_t step = shape == SHAPE_EXTREME ? 13 : shape == SHAPE_PERF ? 3 : 2, at = 0;
	for (unsigned tab = 0; tab < N_TABS && held; tab++)
		for (size_t layer = 0; layer < N_LAYERS && held; layer++)
			for (size_t i = at++ % step; i < N_KEYS && held; i += step) {
				struct event e = {.kind = EVENT_KEY, .key = any_key(i)};
				char view[2] = {(char)('1' + tab), '\0'};
				clear_away(&f);
				type(&f, view);
				type(&f, layers[layer]);
				send(&f, &e, 0);
				held = all_holds(&f, i % 16 == 0);
			}
	if (!ok(held, "every key on top of everything: %s", shape_names[shape]))
		report(&f, shape_names[shape]);
	close_it(&f);
}

/* ---- chance -------------------------------------------------------------------------------------------------- */

static uint32_t key_of_table(struct fixture *f)
{
	return f->app.keymap.rows[chance(&f->seed, (uint32_t)f->app.keymap.n)].key;
}

static void random_mouse(struct fixture *f, struct event *e)
{
	e->kind = EVENT_MOUSE;
	e->button = (enum mouse_button)chance(&f->seed, MOUSE_NONE + 1);
	e->action = (enum mouse_action)chance(&f->seed, 4);
	if (e->action > MOUSE_DRAG)
		e->action = MOUSE_PRESS;
	e->row = (int)chance(&f->seed, (uint32_t)f->app.grid.rows + 2);
	e->col = (int)chance(&f->seed, (uint32_t)f->app.grid.cols + 2);
}

static void random_resize(struct fixture *f)
{
	static const int sizes[][2] = {{80, 24}, {200, 50}, {40, 12}, {500, 20}, {1, 1}, {2, 3}, {10, 4}, {120, 9}};
	uint32_t i = chance(&f->seed, 12);
	int cols = i < 8 ? sizes[i][0] : 1 + (int)chance(&f->seed, 130),
		rows = i < 8 ? sizes[i][1] : 1 + (int)chance(&f->seed, 60);
	char text[32];
	snprintf(text, sizeof text, "{%dx%d}", cols, rows);
	remember(f, text, strlen(text));
	refresh_size(&f->app, cols, rows);
	app_refresh(&f->app);
}

static void random_step(struct fixture *f)
{
	struct event e = {.kind = EVENT_KEY};
	uint32_t kind = chance(&f->seed, 100);
	if (kind < 2) {
		random_resize(f);
		return;
	}
	if (kind < 12)
		random_mouse(f, &e);
	else if (kind < 30)
		e.key = any_key(chance(&f->seed, N_KEYS));
	else if (kind < 33)
		e.key = 'r'; /* filters and zooms would pile up until nothing is left */
	else if (kind < 36)
		e.key = K_ESC;
	else
		e.key = key_of_table(f);
	e.is_pasted = e.kind == EVENT_KEY && chance(&f->seed, 50) == 0;
	send(f, &e, chance(&f->seed, 3) ? f->n_events * 10 : 0);
	prompt_settle(&f->app.prompt, &f->app);
	app_refresh(&f->app);
}

static void by_chance(enum shape shape, size_t steps, uint64_t seed)
{
	static const enum color_depth depths[] = {DEPTH_TRUE, DEPTH_256, DEPTH_16, DEPTH_MONO};
	struct fixture f;
	bool held = true;
	open_it(&f, shape, depths[shape % 4], shape == SHAPE_PERF);
	f.seed = seed * 1000003 + (uint64_t)shape;
	for (size_t i = 0; i < steps && held; i++) {
		if (i % 97 == 96)
			grow(&f, shape);
		else
			random_step(&f);
		held = all_holds(&f, i % 8 == 0);
	}
	if (!ok(held, "%zu keys and clicks by chance: %s", steps, shape_names[shape]))
		report(&f, shape_names[shape]);
	close_it(&f);
}

/* Takes what the background has made, as the loop does once it is woken; the terminal may change its size just then. */
static void take_work(struct fixture *f)
{
	char bytes[64];
	struct app *app = &f->app;
	struct work *any[] = {app->seek, app->top->work, app->writing, app->sandwich->work, app->ending, app->work};
	struct work *w = any[chance(&f->seed, sizeof any / sizeof *any)];
	while (w && read(f->wake[0], bytes, sizeof bytes) > 0)
		;
	if (w && chance(&f->seed, 2))
		work_wait(w, WORK_FOREVER);
	remember(f, "{work}", 6);
	viewer_take_work(app);
	if (chance(&f->seed, 3) == 0)
		random_resize(f);
	app_refresh(app);
}

static void in_the_background(enum shape shape, size_t steps, uint64_t seed)
{
	struct fixture f;
	bool held = true;
	open_it(&f, shape, DEPTH_256, shape == SHAPE_DIFF);
	f.seed = seed * 1000003 + (uint64_t)shape;
	if (pipe2(f.wake, O_CLOEXEC | O_NONBLOCK) != 0)
		bail_out("no pipe");
	f.app.wake_fd = f.wake[1];
	f.app.patience_ms = 0;
	for (size_t i = 0; i < steps && held; i++) {
		if (chance(&f.seed, 8) == 0)
			random_resize(&f);
		else if (chance(&f.seed, 3) == 0)
			take_work(&f);
		else
			random_step(&f);
		held = all_holds(&f, false);
	}
	if (!ok(held, "%zu keys while work goes on in the background: %s", steps, shape_names[shape]))
		report(&f, shape_names[shape]);
	close_it(&f);
	close(f.wake[0]);
	close(f.wake[1]);
}

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);
	return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static void remove_all(const char *dir)
{
	DIR *d = opendir(".");
	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		if (e->d_name[0] != '.' || (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0))
			unlink(e->d_name);
	if (d)
		closedir(d);
	if (chdir("/") != 0 || rmdir(dir) != 0)
		diag("%s is left behind", dir);
}

/* While a profile comes in, the first lane is selected, whichever thread that is. */
static void first_lane_of_a_growing_profile(void)
{
	static const char one[] = "db 1/1 1.0: 5 cycles:\n\ta1 go (/bin/x)\n\n",
					  two[] =
						  "db 1/1 1.0: 5 cycles:\n\ta1 go (/bin/x)\n\nweb 2/2 2.0: 9 cycles:\n\ta1 go (/bin/x)\n\n";
	struct fixture f;
	struct err err = {0};
	struct profile *p[2];
	open_it(&f, SHAPE_EMPTY, DEPTH_TRUE, false);
	shown_options_init(&f.options.shown);
	f.options.recipe.chart = true;
	for (int i = 0; i < 2; i++) {
		p[i] = mem_zalloc(1, sizeof *p[i]);
		if (!load_as(p[i], "perf", i == 1 ? two : one))
			bail_out("the profile was not read");
	}
	refresh_profile(&f.app, p[0], &err);
	app_refresh(&f.app);
	is_int(f.app.lanes->title, 0, "the first lane is selected");
	refresh_profile(&f.app, p[1], &err);
	app_refresh(&f.app);
	is_int(f.app.view.tree.n_lanes, 2, "another thread comes in");
	is_int(f.app.lanes->title, 0, "the first lane still is");
	close_it(&f);
}

/* The halves for one width come in when the screen has another: their boxes must be of this width, and of them. */
static void sandwich_while_resizing(void)
{
	struct fixture f;
	open_it(&f, SHAPE_MODULES, DEPTH_TRUE, false);
	if (pipe2(f.wake, O_CLOEXEC | O_NONBLOCK) != 0)
		bail_out("no pipe");
	f.app.wake_fd = f.wake[1];
	type(&f, "3");
	f.app.patience_ms = 0;
	refresh_size(&f.app, 200, 40);
	app_refresh(&f.app);
	work_wait(f.app.sandwich->work, WORK_FOREVER);
	viewer_take_work(&f.app);
	refresh_size(&f.app, 30, 10);
	app_refresh(&f.app);
	ok(f.app.sandwich->work != NULL && all_holds(&f, false), "a sandwich while the terminal becomes narrow");
	close_it(&f);
	close(f.wake[0]);
	close(f.wake[1]);
}

/* Symbols made by a fold have other numbers once the profile has grown. */
static void sandwich_of_a_growing_profile(void)
{
	struct fixture f;
	open_it(&f, SHAPE_FOLDED, DEPTH_TRUE, false);
	type(&f, "p2g3");
	char *was = mem_strdup(app_raw_name(&f.app, f.app.sandwich->symbol));
	grow(&f, SHAPE_EXTREME);
	ok(all_holds(&f, true), "a sandwich of a growing profile has a function");
	is_str(app_raw_name(&f.app, f.app.sandwich->symbol), was, "the same as before it grew");
	free(was);
	close_it(&f);
}

int main(void)
{
	char dir[] = "/tmp/flametop-test-XXXXXX";
	unsigned long steps = from_environment("TUI_RANDOM", tap_sanitized() ? 500 : 1500),
				  seed = from_environment("TUI_RANDOM_SEED", 1);
	setlocale(LC_CTYPE, "C.UTF-8");
	/* `w` is one of the keys. */
	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		bail_out("no directory to work in");
	for (int shape = 0; shape < N_SHAPES; shape++) {
		every_key((enum shape)shape);
		by_chance((enum shape)shape, shape == SHAPE_EXTREME ? steps / 5 : steps, seed);
		in_the_background((enum shape)shape, shape == SHAPE_EXTREME ? steps / 5 : steps, seed);
	}
	remove_all(dir);
	sandwich_of_a_growing_profile();
	sandwich_while_resizing();
	first_lane_of_a_growing_profile();
	return done_testing();
}
