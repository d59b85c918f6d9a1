/*
 * choosing.c - asks in the viewer what an address leaves to be chosen.
 *
 * The first question is fetched before the viewer opens. What follows from an answer is fetched on a thread, so
 * that the viewer can be left meanwhile.
 */
#include "choosing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/status.h"
#include "base/utf8.h"
#include "fetching.h"
#include "options.h"
#include "session.h"
#include "sources/source.h"

#define BAR 30 /* columns */

struct chooser {
	struct options *options;
	struct session *session;
	struct load_input *input;
	struct source *source;
	struct menu menu; /* the present question, or the next one while the thread runs */
	char **lines;     /* of the present question; owned, as the next one */
	uint64_t *values;
	size_t n;
	/* The thread. */
	pthread_t thread;
	bool is_running; /* or not yet joined */
	atomic_bool is_done, stop;
	bool is_there; /* its result, once it is done */
	struct err err;
	int wake_fd;
};

/* ---- the question -------------------------------------------------------------------------------------------- */

static void forget_lines(struct chooser *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->lines[i]);
	free(c->lines);
	free(c->values);
	c->lines = NULL;
	c->values = NULL;
	c->n = 0;
}

static uint64_t most_of(const struct menu *m)
{
	uint64_t most = 0;
	for (size_t i = 0; i < m->n; i++)
		most = m->v[i].value > most ? m->v[i].value : most;
	return most;
}

static void add_bar(const struct chooser *c, struct buf *out, uint64_t value, uint64_t most)
{
	unsigned n = most ? (unsigned)((double)value / (double)most * BAR + 0.5) : 0;
	buf_adds(out, n ? "  " : "");
	for (unsigned i = 0; i < n; i++)
		buf_adds(out, c->options->ascii ? "#" : "\342\226\207");
}

static char *describe(const struct chooser *c, const struct menu_item *item, uint64_t most)
{
	struct buf text;
	buf_init(&text);
	utf8_clean(&text, item->text, strlen(item->text), c->options->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
	add_bar(c, &text, item->value, most);
	return buf_take(&text);
}

static void offer(struct chooser *c)
{
	struct session *s = c->session;
	const struct menu *m = &c->menu;
	uint64_t most = most_of(m);
	forget_lines(c);
	c->lines = mem_alloc((m->n + 1) * sizeof *c->lines);
	c->values = mem_alloc((m->n + 1) * sizeof *c->values);
	for (; c->n < m->n; c->n++) {
		c->lines[c->n] = describe(c, &m->v[c->n], most);
		c->values[c->n] = m->v[c->n].value;
	}
	s->choices = (const char *const *)c->lines;
	s->choice_values = m->has_values ? c->values : NULL;
	s->n_choices = c->n;
	s->question = m->title;
}

/* ---- what follows from an answer ----------------------------------------------------------------------------- */

static void *fetch_next(void *arg)
{
	struct chooser *c = arg;
	c->is_there = source_list(c->source, &c->stop, &c->menu, &c->err);
	atomic_store(&c->is_done, true);
	if (write(c->wake_fd, "", 1) < 0) {
		/* The pipe is full of wake-ups already. */
	}
	return NULL;
}

static void choose(void *arg, size_t index, int wake_fd)
{
	struct chooser *c = arg;
	source_choose(c->source, c->menu.v[index].address);
	c->input->path = c->options->files[0] = source_name(c->source);
	menu_deinit(&c->menu);
	if (!source_is_menu(c->source)) {
		fetching_connect(c->input, c->options);
		return;
	}
	c->wake_fd = wake_fd;
	c->err.text[0] = '\0';
	c->is_there = false;
	atomic_store(&c->is_done, false);
	c->is_running = pthread_create(&c->thread, NULL, fetch_next, c) == 0;
	if (!c->is_running)
		fetch_next(c);
}

static void join(struct chooser *c)
{
	if (c->is_running)
		pthread_join(c->thread, NULL);
	c->is_running = false;
}

static enum choosing choosing(void *arg, struct err *err)
{
	struct chooser *c = arg;
	if (!source_is_menu(c->source))
		return CHOOSING_DONE;
	if (!atomic_load(&c->is_done))
		return CHOOSING_BUSY;
	join(c);
	if (!c->is_there) {
		*err = c->err;
		return CHOOSING_FAILED;
	}
	offer(c);
	return CHOOSING_ASKS;
}

static void stop_choosing(void *arg)
{
	struct chooser *c = arg;
	atomic_store(&c->stop, true);
	join(c);
	menu_deinit(&c->menu);
	forget_lines(c);
	c->session->n_choices = 0;
}

/* ---- the first question -------------------------------------------------------------------------------------- */

static void connect(struct chooser *c)
{
	struct session *s = c->session;
	s->choose = choose;
	s->choosing = choosing;
	s->stop_choosing = stop_choosing;
	s->chooser = c;
	offer(c);
}

bool choosing_prepare(struct options *o, struct session *s, struct load_input *in, size_t n, struct err *err)
{
	struct source *source = n == 1 ? source_find(&o->sources, in->path) : NULL;
	struct menu menu;
	if (!source || !source_is_menu(source) || o->is_script || options_ask_for_file(o))
		return true;
	if (!o->quiet)
		status_begin();
	bool is_there = source_list(source, NULL, &menu, err);
	status_end();
	if (!is_there)
		return false;
	struct chooser *c = arena_alloc(&o->arena, sizeof *c);
	memset(c, 0, sizeof *c);
	c->options = o;
	c->session = s;
	c->input = in;
	c->source = source;
	c->menu = menu;
	connect(c);
	return true;
}
