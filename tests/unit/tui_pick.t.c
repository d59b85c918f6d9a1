/*
 * The list of threads and labels: which lines are chosen of very many, and what the list says of the others.
 */
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/input.h"
#include "tui/pick_make.h"
#include "tui/refresh.h"
#include "tui/viewer.h"

#define THREADS 12000u

static struct symbol name(const char *text)
{
	return (struct symbol){.name = text, .len = (uint32_t)strlen(text)};
}

/*
 * Thread 100000 - i has the weight i, and is of process i % 3 + 1; its label is KEY=vI, with so many keys. Threads
 * 1 to 9 have equal weights.
 */
static void add_threads(struct profile *p, unsigned keys)
{
	uint32_t sym = symtab_intern(&p->symtab, "main", 4), comm = symtab_intern(&p->symtab, "job", 3);
	profile_series(p, 0, 0);
	p->tags = tags_new();
	for (uint32_t i = 1; i <= THREADS; i++) {
		char key[16], value[16];
		struct sample s = {.weight = i < 10 ? 9 : i, .time = NO_TIME, .cpu = NO_CPU};
		snprintf(key, sizeof key, "key%05u", i % keys);
		snprintf(value, sizeof value, "v%u", i);
		uint32_t tag = tags_add_text(p->tags, name(key), name(value));
		s.tags = tags_add_set(p->tags, &tag, 1);
		s.task = profile_task(p, comm, 1 + i % 3, 100000 - i);
		profile_add(p, 0, profile_path(p, &sym, 1), &s);
	}
}

/* ---- which lines --------------------------------------------------------------------------------------------- */

static void test_groups(void)
{
	struct profile p;
	struct pick_lines l;
	struct pick_order order = {.profile = &p, .series = 0, .most = 100};
	bool is_sorted = true;
	profile_init(&p);
	add_threads(&p, 2);
	pick_make(&l, &order, NULL);
	const struct pick_group *g = &l.groups[PICK_TID];
	ok(g->n == 100 && g->n_lighter == THREADS - 100, "of very many threads the heaviest are chosen");
	for (size_t i = 0; i < g->n; i++)
		is_sorted &=
			g->rows[i].weight == THREADS - i && p.tasks[g->rows[i].task].tid == 100000 - THREADS + (int64_t)i;
	ok(is_sorted, "in the order of weight");
	g = &l.groups[PICK_PID];
	ok(g->n == 3 && g->n_lighter == 0 && g->rows[0].n == THREADS / 3, "threads are joined to processes");
	g = &l.groups[PICK_COMM];
	is_int(g->rows[0].weight, (uint64_t)THREADS * (THREADS + 1) / 2 + 36, "and by name, with their weight");
	ok(l.n_labels == 100 && l.labels[0].is_first && l.labels[50].is_first && !l.labels[49].is_first,
	   "labels of two keys share the lines");
	ok(l.labels[49].n_lighter == THREADS / 2 - 50 && l.labels[99].n_lighter == THREADS / 2 - 50,
	   "and those that are left out are counted");
	pick_lines_deinit(&l);
	order.most = THREADS;
	pick_make(&l, &order, NULL);
	g = &l.groups[PICK_TID];
	ok(g->n == THREADS && g->n_lighter == 0, "with room for all, none is left out");
	is_int(p.tasks[g->rows[THREADS - 1].task].tid, 99999,
	       "those of equal weight are in the order of their numbers");
	pick_lines_deinit(&l);
	profile_deinit(&p);
}

static void test_picked(void)
{
	struct profile p;
	struct pick_lines l;
	struct pick_order order = {.profile = &p, .series = 0, .most = 10, .tid = 99997};
	struct buf pattern;
	profile_init(&p);
	add_threads(&p, 4000);
	buf_init(&pattern);
	struct tag tag = tags_at(p.tags, 3000);
	tags_add_pattern(p.tags, &tag, &pattern);
	order.label = mem_strdup(buf_str(&pattern));
	pick_make(&l, &order, NULL);
	const struct pick_group *g = &l.groups[PICK_TID];
	is_int(g->n, 11, "the thread that is picked is listed, too");
	is_int(p.tasks[g->rows[10].task].tid, 99997, "however light it is");
	is_int(g->n_lighter, THREADS - 11, "and does not count as left out");
	is_int(l.label_now, 3000, "the label that is picked is found");
	ok(l.n_labels == 11 && l.labels[10].number == 3000 && l.labels[10].is_first,
	   "and listed, behind its key, although there are more keys than lines");
	size_t lighter = 0;
	for (size_t i = 0; i < l.n_labels; i++)
		lighter += l.labels[i].n_lighter;
	is_int(l.n_labels + lighter + l.n_others, THREADS, "each label is listed or counted");
	pick_lines_deinit(&l);
	free(order.label);
	buf_deinit(&pattern);
	profile_deinit(&p);
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

struct fixture {
	struct options options;
	struct theme theme;
	struct app app;
	struct load_input input;
};

static void open_it(struct fixture *f)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	struct err err = {0};
	*f = (struct fixture){.input = {.path = "test.perf", .fd = -1}};
	recipe_init(&f->options.recipe);
	theme_init(&f->theme, DEPTH_TRUE, false, false);
	viewer_open(&f->app, &f->options, &f->input, 1, &f->theme);
	profile_init(p);
	add_threads(p, 1);
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	refresh_size(&f->app, 100, 24);
	app_refresh(&f->app);
}

static void type(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		input_event(&f->app, &e, 0);
	app_refresh(&f->app);
}

static void wait_for_list(struct fixture *f)
{
	while (f->app.listing.work) {
		work_wait(f->app.listing.work, WORK_FOREVER);
		viewer_take_work(&f->app);
		app_refresh(&f->app);
	}
}

static bool lists(const struct fixture *f, const char *text)
{
	for (size_t i = 0; i < f->app.list.n; i++)
		if (strcmp(f->app.list.items[i].text, text) == 0)
			return true;
	diag("nothing lists \"%s\"", text);
	return false;
}

static void test_list(void)
{
	struct fixture f;
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_it(&f);
	type(&f, "T");
	ok(f.app.list.is_open && f.app.list.n < 20020, "T lists threads and labels, not all of them");
	ok(lists(&f, "and 2000 lighter ones (--thread=TID shows one)"),
	   "says how many it leaves out, and how to get there");
	ok(lists(&f, "and 2000 lighter ones (--tagfocus=key00000=VALUE shows one)"), "of labels, too");
	ok(!f.app.list.refill, "and does not follow each new tree");
	type(&f, "<Esc>");
	f.app.view.recipe.tid = 99998;
	f.app.wake_fd = ends[1];
	f.app.patience_ms = 0;
	type(&f, "Tjk");
	ok(f.app.listing.work && f.app.n_held == 2, "what takes long is made in the background, and keys wait for it");
	wait_for_list(&f);
	const struct list_item *item = list_selected(&f.app.list);
	is_str(item ? item->text : "", "job (thread 99998, process 3)", "the cursor is on the thread that is picked");
	viewer_close(&f.app);
	recipe_deinit(&f.options.recipe);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	test_groups();
	test_picked();
	test_list();
	return done_testing();
}
