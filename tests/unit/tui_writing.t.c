/* A file that the viewer writes: keys wait for it, Esc stops it, and nothing changes meanwhile. */
#include "tests/tap.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/mem.h"
#include "tui/input.h"
#include "tui/refresh.h"
#include "tui/viewer.h"

struct fixture {
	struct options options;
	struct theme theme;
	struct app app;
	struct load_input input;
	int wake[2];
};

static atomic_bool is_released;
static struct work *_Atomic writing;

static void nap(void)
{
	nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* The writer asks this before its first bytes. It waits until the test goes on, or the writing is stopped. */
static bool wait_here(const char *text, size_t len, bool is_all)
{
	(void)text;
	(void)len;
	(void)is_all;
	for (;;) {
		struct work *w = atomic_load(&writing);
		if (atomic_load(&is_released) || (w && work_is_stopped(w)))
			return true;
		nap();
	}
}

static struct profile *some_profile(uint32_t n)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	profile_series(p, 0, 0);
	for (uint32_t i = 0; i < n; i++) {
		char name[16];
		int len = snprintf(name, sizeof name, "f%u", i);
		uint32_t sym = symtab_intern(&p->symtab, name, (size_t)len);
		struct sample s = {.weight = i + 1, .time = NO_TIME, .cpu = NO_CPU};
		profile_add(p, 0, profile_path(p, &sym, 1), &s);
	}
	return p;
}

static void open_it(struct fixture *f)
{
	struct err err = {0};
	*f = (struct fixture){.input = {.path = "test.perf", .fd = -1}};
	recipe_init(&f->options.recipe);
	theme_init(&f->theme, DEPTH_TRUE, false, false);
	viewer_open(&f->app, &f->options, &f->input, 1, &f->theme);
	f->options.export_.reads_as_folded = wait_here;
	if (!descriptor_pipe_nonblocking(f->wake) || !refresh_profile(&f->app, some_profile(20), &err))
		bail_out("%s", err.text);
	refresh_size(&f->app, 100, 24);
	app_refresh(&f->app);
	f->app.wake_fd = f->wake[1];
	f->app.patience_ms = 0;
	f->app.never_asks = true;
}

static void close_it(struct fixture *f)
{
	viewer_close(&f->app);
	recipe_deinit(&f->options.recipe);
	close(f->wake[0]);
	close(f->wake[1]);
}

static void type(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		input_event(&f->app, &e, 0);
	app_refresh(&f->app);
}

static void write_it(struct fixture *f, const char *name)
{
	atomic_store(&writing, NULL);
	atomic_store(&is_released, false);
	type(f, "w");
	for (; *name; name++)
		type(f, (char[]){*name, '\0'});
	type(f, "<CR>");
	atomic_store(&writing, f->app.writing);
}

static bool says(const struct fixture *f, const char *text)
{
	return f->app.message && strstr(f->app.message, text);
}

static void finish(struct fixture *f)
{
	atomic_store(&is_released, true);
	while (f->app.writing || f->app.n_held) {
		viewer_take_work(&f->app);
		app_refresh(&f->app);
		nap();
	}
}

static void test_esc(void)
{
	struct fixture f;
	open_it(&f);
	write_it(&f, "out.folded");
	ok(f.app.writing, "the file is written in the background");
	type(&f, "3");
	ok(f.app.tab == TAB_FLAME && f.app.n_held == 1, "a key waits");
	refresh_size(&f.app, 60, 20);
	app_refresh(&f.app);
	ok(f.app.grid.cols == 60 && f.app.writing, "the screen follows its size");
	type(&f, "<Esc>");
	ok(!f.app.writing && f.app.n_held == 0, "Esc stops it, and drops the keys that wait");
	ok(says(&f, "nothing was written to out.folded"), "which is said");
	ok(access("out.folded", F_OK) != 0, "there is no file");
	write_it(&f, "out.folded");
	type(&f, "3");
	finish(&f);
	ok(access("out.folded", F_OK) == 0 && f.app.tab == TAB_SANDWICH,
	   "written again, it is there; then the key counts");
	unlink("out.folded");
	write_it(&f, "out.folded");
	type(&f, "<C-c>");
	ok(!f.app.writing && !f.app.end && says(&f, "nothing was written"), "^C stops it, and does not quit");
	write_it(&f, "out.folded");
	finish(&f);
	ok(says(&f, "written to out.folded (folded)"), "what is written is said");
	unlink("out.folded");
	close_it(&f);
}

static void test_quit(void)
{
	struct fixture f;
	open_it(&f);
	write_it(&f, "out.folded");
	type(&f, "q");
	ok(f.app.writing && f.app.n_held == 1 && !f.app.end, "q waits as any key does");
	finish(&f);
	ok(f.app.end == END_QUIT && access("out.folded", F_OK) == 0, "and quits when the file is written");
	unlink("out.folded");
	close_it(&f);
	open_it(&f);
	write_it(&f, "out.folded");
	type(&f, "/q");
	ok(f.app.writing && f.app.n_held == 2 && !f.app.end, "a q behind other keys waits with them");
	close_it(&f);
	ok(access("out.folded", F_OK) != 0, "the end of the viewer stops it");
}

/* A newer profile is taken when the file is written. */
static void test_fold(void)
{
	struct fixture f;
	struct err err = {0};
	open_it(&f);
	write_it(&f, "out.folded");
	uint32_t n = f.app.view.tree.n;
	refresh_profile(&f.app, some_profile(30), &err);
	app_refresh(&f.app);
	viewer_take_work(&f.app);
	ok(f.app.writing && f.app.view.tree.n == n, "the tree stays until the file is written");
	finish(&f);
	while (f.app.view.tree.n == n) {
		app_refresh(&f.app);
		viewer_take_work(&f.app);
		nap();
	}
	is_int(f.app.view.tree.n, n + 10, "then the new one comes");
	unlink("out.folded");
	close_it(&f);
}

int main(void)
{
	char directory[] = "/tmp/flametop-writing-XXXXXX";
	if (!mkdtemp(directory) || chdir(directory) != 0)
		bail_out("mkdtemp");
	test_esc();
	test_quit();
	test_fold();
	rmdir(directory);
	return done_testing();
}
