/*
 * work.c - runs a fold, a search, a sort, a sandwich or the writing of a file on its own thread.
 *
 * A large profile takes longer to fold than a user waits for a key. The thread gets a copy of the recipe and reads
 * the profile, which does not change meanwhile; the interface keeps its tree and takes the new one when that is
 * complete. A recipe that makes new names while folding (split keys, stripped addresses) gets a copy of the
 * symbols, which replaces the originals when the interface takes the tree.
 *
 * Millions of names take long to search and to sort, too. The thread reads names, tree and sums; the interface
 * waits some milliseconds, mostly long enough, and then handles keys again.
 */
#include "tui/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/timed_wait.h"

void totals_init(struct totals *f)
{
	*f = (struct totals){0};
}

void totals_deinit(struct totals *f)
{
	free(f->sums);
	free(f->index);
	totals_init(f);
}

void totals_make(struct totals *f, const struct profile *p, const struct recipe *r, const struct tree *t,
                 struct progress *progress)
{
	size_t n_symbols = p->symtab.n;
	totals_deinit(f);
	f->sums = tree_sums(t, NODE_ALL, n_symbols, &f->n_sums, progress);
	f->n_symbols = n_symbols;
	f->index = mem_alloc((n_symbols ? n_symbols : 1) * sizeof *f->index);
	memset(f->index, 0xFF, n_symbols * sizeof *f->index);
	for (size_t i = 0; i < f->n_sums; i++)
		if (f->sums[i].sym < n_symbols)
			f->index[f->sums[i].sym] = (uint32_t)i;
	diff_basis_make(&f->basis, p, r, t);
	f->diff_most = diff_most(&f->basis, t);
	if (t->base)
		diff_count(&f->counts, &f->basis, f->sums, f->n_sums);
}

const struct name_sum *totals_of(const struct totals *f, uint32_t sym)
{
	if (sym >= f->n_symbols || f->index[sym] == NO_SUM)
		return NULL;
	return &f->sums[f->index[sym]];
}

/* Common beginning of all kinds of work. */
struct work {
	pthread_t thread;
	bool has_thread;
	struct progress progress;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool is_done; /* under the mutex */
	int wake_fd;
	void (*run)(struct work *);
	void (*free)(struct work *); /* also frees its result */
};

/* The pipe only wakes a poll(); if it is full, the loop is awake already. */
static void wake(const struct work *w)
{
	ssize_t ignored = w->wake_fd < 0 ? 0 : write(w->wake_fd, "w", 1);
	(void)ignored;
}

static void *run(void *arg)
{
	struct work *w = arg;
	w->run(w);
	pthread_mutex_lock(&w->mutex);
	w->is_done = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	wake(w);
	return NULL;
}

static void init(struct work *w, void (*do_it)(struct work *), void (*drop)(struct work *), int wake_fd)
{
	w->run = do_it;
	w->free = drop;
	w->wake_fd = wake_fd;
	pthread_mutex_init(&w->mutex, NULL);
	timed_wait_init(&w->changed);
}

static bool start(struct work *w)
{
	w->has_thread = w->wake_fd >= 0 && pthread_create(&w->thread, NULL, run, w) == 0;
	return w->has_thread;
}

static void join(struct work *w)
{
	if (w->has_thread)
		pthread_join(w->thread, NULL);
	w->has_thread = false;
}

static void free_work(struct work *w)
{
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->mutex);
	w->free(w);
}

bool work_is_done(const struct work *w)
{
	struct work *locked = (struct work *)w;
	pthread_mutex_lock(&locked->mutex);
	bool is_done = w->is_done;
	pthread_mutex_unlock(&locked->mutex);
	return is_done;
}

double work_share_done(const struct work *w)
{
	return progress_share(&w->progress);
}

bool work_wait(struct work *w, unsigned ms)
{
	int rc = 0;
	if (ms == 0)
		return false;
	struct timespec until = timed_wait_in(ms);
	pthread_mutex_lock(&w->mutex);
	while (!w->is_done && rc == 0)
		rc = ms == WORK_FOREVER ? pthread_cond_wait(&w->changed, &w->mutex)
		                        : pthread_cond_timedwait(&w->changed, &w->mutex, &until);
	bool is_done = w->is_done;
	pthread_mutex_unlock(&w->mutex);
	return is_done;
}

void work_stop(struct work *w)
{
	atomic_store(&w->progress.cancel, true);
}

bool work_is_stopped(const struct work *w)
{
	return atomic_load(&w->progress.cancel);
}

void work_cancel(struct work *w)
{
	if (!w)
		return;
	work_stop(w);
	join(w);
	free_work(w);
}

/* ---- giving memory back -------------------------------------------------------------------------------------- */

/* With fewer rows, names or frames, freeing is faster than starting a thread. */
#define MANY 300000u

struct waste {
	struct table table;
	struct tree tree;
	struct totals totals;
};

static void *run_free(void *arg)
{
	struct waste *w = arg;
	table_deinit(&w->table);
	tree_deinit(&w->tree);
	totals_deinit(&w->totals);
	free(w);
	return NULL;
}

/* Frees the contents now or soon. */
static void throw_away(struct waste w)
{
	pthread_t thread;
	struct waste *own = mem_alloc(sizeof *own);
	*own = w;
	bool is_large = w.table.n_rows > MANY || w.tree.n > MANY || w.totals.n_sums > MANY;
	if (is_large && pthread_create(&thread, NULL, run_free, own) == 0)
		pthread_detach(thread);
	else
		run_free(own);
}

void work_free_table(struct table *table)
{
	throw_away((struct waste){.table = *table});
	*table = (struct table){.rows = NULL};
}

void work_free_tree(struct tree *tree)
{
	throw_away((struct waste){.tree = *tree});
	*tree = (struct tree){.n = 0};
}

static void free_totals(struct totals *totals)
{
	throw_away((struct waste){.totals = *totals});
	totals_init(totals);
}

/* ---- folding ------------------------------------------------------------------------------------------------- */

struct fold_work {
	struct work work;
	struct profile *profile;
	struct recipe recipe;
	struct tree early; /* under the mutex; n is 0: none */
	struct tree tree;
	struct totals totals;
	struct symtab symtab; /* if has_symtab: the profile's and the new ones */
	bool has_symtab;
	struct err err;
	bool ok;
};

static void keep_early(void *arg, struct tree *early)
{
	struct fold_work *f = arg;
	pthread_mutex_lock(&f->work.mutex);
	f->early = *early;
	pthread_mutex_unlock(&f->work.mutex);
	wake(&f->work);
}

/* Names that the fold makes are not there before its end, so that nothing can be shown earlier. */
static void run_fold(struct work *w)
{
	struct fold_work *f = (struct fold_work *)w;
	struct profile p = *f->profile; /* read-only, except for the symbols */
	f->has_symtab = fold_makes_names(&f->recipe);
	if (f->has_symtab)
		symtab_copy(&p.symtab, &f->profile->symtab);
	f->ok = fold_with_early(&p, &f->recipe, &f->tree, &w->progress, &f->err, f->has_symtab ? NULL : keep_early, f);
	if (f->ok && progress_step(&w->progress, 0))
		totals_make(&f->totals, &p, &f->recipe, &f->tree, &w->progress);
	if (f->has_symtab)
		f->symtab = p.symtab;
}

static void free_fold(struct work *w)
{
	struct fold_work *f = (struct fold_work *)w;
	recipe_deinit(&f->recipe);
	work_free_tree(&f->early);
	work_free_tree(&f->tree);
	free_totals(&f->totals);
	if (f->has_symtab)
		symtab_deinit(&f->symtab);
	free(f);
}

struct work *work_fold(struct profile *profile, const struct recipe *recipe, int wake_fd)
{
	struct fold_work *f = mem_zalloc(1, sizeof *f);
	f->profile = profile;
	recipe_copy(&f->recipe, recipe); /* the tree stays zeroed: fold() makes it */
	totals_init(&f->totals);
	init(&f->work, run_fold, free_fold, wake_fd);
	if (start(&f->work))
		return &f->work;
	/* No thread: the caller folds in the foreground. */
	free_work(&f->work);
	return NULL;
}

bool work_take_early(struct work *w, struct tree *early)
{
	struct fold_work *f = (struct fold_work *)w;
	pthread_mutex_lock(&w->mutex);
	*early = f->early;
	f->early = (struct tree){.n = 0};
	pthread_mutex_unlock(&w->mutex);
	return early->n > 0;
}

bool work_has_early(const struct work *w)
{
	struct fold_work *f = (struct fold_work *)w;
	pthread_mutex_lock(&f->work.mutex);
	bool has_early = f->early.n > 0;
	pthread_mutex_unlock(&f->work.mutex);
	return has_early;
}

bool work_end_fold(struct work *w, struct tree *tree, struct totals *totals, struct recipe *recipe, struct err *err)
{
	struct fold_work *f = (struct fold_work *)w;
	join(w);
	bool ok = f->ok;
	*err = f->err;
	if (ok && f->has_symtab)
		symtab_take(&f->profile->symtab, &f->symtab);
	if (ok) {
		*tree = f->tree;
		f->tree = (struct tree){.n = 0};
		free_totals(totals);
		*totals = f->totals;
		totals_init(&f->totals);
		for (size_t i = 0; i < recipe->n_filters && i < f->recipe.n_filters; i++) {
			recipe->filters[i].excluded = f->recipe.filters[i].excluded;
			recipe->filters[i].has_taken = f->recipe.filters[i].has_taken;
			recipe->filters[i].matched_none = f->recipe.filters[i].matched_none;
			recipe->filters[i].given_up = f->recipe.filters[i].given_up;
		}
	}
	free_work(w);
	return ok;
}

/* ---- searching ----------------------------------------------------------------------------------------------- */

struct search_work {
	struct work work;
	struct search search;
	const struct symtab *symtab;
	const struct tree *tree;
	uint32_t zoom;
};

static void run_search(struct work *w)
{
	struct search_work *s = (struct search_work *)w;
	search_run(&s->search, s->symtab, s->tree, s->zoom, &w->progress);
}

static void free_search(struct work *w)
{
	struct search_work *s = (struct search_work *)w;
	search_clear(&s->search);
	free(s);
}

struct work *work_search(struct search *begun, const struct symtab *symtab, const struct tree *tree, uint32_t zoom,
                         int wake_fd)
{
	struct search_work *s = mem_zalloc(1, sizeof *s);
	s->search = *begun;
	*begun = (struct search){.pattern = NULL};
	s->symtab = symtab;
	s->tree = tree;
	s->zoom = zoom;
	init(&s->work, run_search, free_search, wake_fd);
	if (!start(&s->work))
		run(s);
	return &s->work;
}

void work_end_search(struct work *w, struct search *search)
{
	struct search_work *s = (struct search_work *)w;
	join(w);
	*search = s->search;
	s->search = (struct search){.pattern = NULL};
	free_work(w);
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

struct table_work {
	struct work work;
	struct table_recipe recipe;
	struct table table;
};

static void run_table(struct work *w)
{
	struct table_work *t = (struct table_work *)w;
	table_make(&t->table, &t->recipe, &w->progress);
}

static void free_table(struct work *w)
{
	struct table_work *t = (struct table_work *)w;
	table_recipe_deinit(&t->recipe);
	table_deinit(&t->table);
	free(t);
}

struct work *work_table(struct table_recipe *recipe, int wake_fd)
{
	struct table_work *t = mem_zalloc(1, sizeof *t);
	t->recipe = *recipe;
	*recipe = (struct table_recipe){.tree = NULL};
	init(&t->work, run_table, free_table, wake_fd);
	if (!start(&t->work))
		run(t);
	return &t->work;
}

void work_end_table(struct work *w, struct table *table)
{
	struct table_work *t = (struct table_work *)w;
	join(w);
	*table = t->table;
	t->table = (struct table){.rows = NULL};
	free_work(w);
}

/* ---- the sandwich -------------------------------------------------------------------------------------------- */

struct halves_work {
	struct work work;
	struct halves_recipe recipe;
	struct halves halves;
};

static void run_halves(struct work *w)
{
	struct halves_work *s = (struct halves_work *)w;
	halves_make(&s->halves, &s->recipe, &w->progress);
}

static void free_halves(struct work *w)
{
	struct halves_work *s = (struct halves_work *)w;
	halves_deinit(&s->halves);
	free(s);
}

struct work *work_halves(const struct halves_recipe *recipe, struct halves *known, int wake_fd)
{
	struct halves_work *s = mem_zalloc(1, sizeof *s);
	s->recipe = *recipe;
	halves_init(&s->halves);
	halves_take_frames(&s->halves, known);
	init(&s->work, run_halves, free_halves, wake_fd);
	if (!start(&s->work))
		run(s);
	return &s->work;
}

void work_end_halves(struct work *w, struct halves *halves)
{
	struct halves_work *s = (struct halves_work *)w;
	join(w);
	halves_deinit(halves);
	*halves = s->halves;
	halves_init(&s->halves);
	free_work(w);
}

struct light_work {
	struct work work;
	const struct halves *made;
	const struct view *view;
	struct halves lit;
};

static void run_light(struct work *w)
{
	struct light_work *l = (struct light_work *)w;
	halves_light(&l->lit, l->made, l->view, &w->progress);
}

static void free_light(struct work *w)
{
	struct light_work *l = (struct light_work *)w;
	halves_deinit(&l->lit);
	free(l);
}

struct work *work_light(const struct halves *made, const struct view *view, int wake_fd)
{
	struct light_work *l = mem_zalloc(1, sizeof *l);
	l->made = made;
	l->view = view;
	halves_init(&l->lit);
	init(&l->work, run_light, free_light, wake_fd);
	if (!start(&l->work))
		run(l);
	return &l->work;
}

void work_end_light(struct work *w, struct halves *made)
{
	struct light_work *l = (struct light_work *)w;
	join(w);
	halves_take_light(made, &l->lit);
	free_work(w);
}

/* ---- changes ------------------------------------------------------------------------------------------------- */

struct changes_work {
	struct work work;
	struct changes_order order;
	struct diff_leaders leaders;
};

static void run_changes(struct work *w)
{
	struct changes_work *c = (struct changes_work *)w;
	const struct changes_order *o = &c->order;
	diff_leaders_make(&c->leaders, &o->basis, o->symtab, o->tree, o->zoom, &w->progress);
}

static void free_changes(struct work *w)
{
	free(w);
}

struct work *work_changes(const struct changes_order *order, int wake_fd)
{
	struct changes_work *c = mem_zalloc(1, sizeof *c);
	c->order = *order;
	init(&c->work, run_changes, free_changes, wake_fd);
	if (!start(&c->work))
		run(c);
	return &c->work;
}

void work_end_changes(struct work *w, struct diff_leaders *leaders)
{
	struct changes_work *c = (struct changes_work *)w;
	join(w);
	*leaders = c->leaders;
	free_work(w);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

struct pick_work {
	struct work work;
	struct pick_order order;
	struct pick_lines lines;
};

static void run_pick(struct work *w)
{
	struct pick_work *p = (struct pick_work *)w;
	pick_make(&p->lines, &p->order, &w->progress);
}

static void free_pick(struct work *w)
{
	struct pick_work *p = (struct pick_work *)w;
	free(p->order.label);
	pick_lines_deinit(&p->lines);
	free(p);
}

struct work *work_pick(const struct pick_order *order, int wake_fd)
{
	struct pick_work *p = mem_zalloc(1, sizeof *p);
	p->order = *order;
	init(&p->work, run_pick, free_pick, wake_fd);
	if (!start(&p->work))
		run(p);
	return &p->work;
}

void work_end_pick(struct work *w, struct pick_lines *lines)
{
	struct pick_work *p = (struct pick_work *)w;
	join(w);
	*lines = p->lines;
	p->lines = (struct pick_lines){.labels = NULL};
	free_work(w);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

struct page_work {
	struct work work;
	struct page_source *source;
	struct page_order order;
	struct page_result result;
};

static void run_page(struct work *w)
{
	struct page_work *g = (struct page_work *)w;
	struct page_result *r = &g->result;
	r->ok = lines_make(g->source, &g->order, &w->progress, &r->page, &r->hottest, &r->err);
}

static void free_page(struct work *w)
{
	struct page_work *g = (struct page_work *)w;
	page_source_free(g->source);
	line_page_deinit(&g->result.page);
	free(g->result.hottest.file);
	free(g);
}

struct work *work_page(struct page_source *source, const struct page_order *order, int wake_fd)
{
	struct page_work *g = mem_zalloc(1, sizeof *g);
	g->source = source;
	g->order = *order;
	init(&g->work, run_page, free_page, wake_fd);
	if (!start(&g->work))
		run(g);
	return &g->work;
}

struct page_source *work_end_page(struct work *w, struct page_result *result)
{
	struct page_work *g = (struct page_work *)w;
	struct page_source *source = g->source;
	join(w);
	*result = g->result;
	g->result = (struct page_result){.ok = false};
	g->source = NULL;
	free_work(w);
	return source;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

struct write_work {
	struct work work;
	struct write_order *order;
	bool ok;
	struct err err;
};

static void run_write(struct work *w)
{
	struct write_work *f = (struct write_work *)w;
	f->ok = write_order_run(f->order, &w->progress, &f->err);
}

static void free_write(struct work *w)
{
	struct write_work *f = (struct write_work *)w;
	if (f->order)
		write_order_free(f->order);
	free(f);
}

struct work *work_write(struct write_order *order, int wake_fd)
{
	struct write_work *f = mem_zalloc(1, sizeof *f);
	f->order = order;
	init(&f->work, run_write, free_write, wake_fd);
	if (start(&f->work))
		return &f->work;
	f->order = NULL;
	free_work(&f->work);
	return NULL;
}

struct write_order *work_end_write(struct work *w, bool *ok, struct err *err)
{
	struct write_work *f = (struct write_work *)w;
	struct write_order *order = f->order;
	join(w);
	*ok = f->ok;
	*err = f->err;
	f->order = NULL;
	free_work(w);
	return order;
}
