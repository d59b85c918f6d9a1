/*
 * commands.c - takes any bytes as keys and clicks in the viewer, over a few small profiles. After every few events,
 * and at the end, it checks what always holds: see tests/unit/viewing.h.
 *
 * The first byte picks the profile and the colours. The rest comes from the terminal, except 0 and two bytes, which
 * resize the window, and 255, which replaces the profile, as happens while one is loading.
 */
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/viewing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RESIZE 0
#define GROW 255
#define MOST_EVENTS 250
#define EVENTS_BETWEEN_LOOKS 10

static void look(struct fixture *f, bool paint_twice)
{
	if (all_holds(f, paint_twice))
		return;
	report(f, "commands");
	abort();
}

/* Skips events that would write a file. */
static bool would_write(const struct app *app, const struct event *e)
{
	return prompt_is_open(&app->prompt) && app->prompt.kind->id == PROMPT_WRITE && e->key == K_ENTER;
}

static void take(struct fixture *f, const struct event *e)
{
	if (would_write(&f->app, e) || f->n_events >= MOST_EVENTS)
		return;
	send(f, e, f->n_events * 10);
	prompt_settle(&f->app.prompt, &f->app);
	app_refresh(&f->app);
	if (f->n_events % EVENTS_BETWEEN_LOOKS == 0)
		look(f, false);
}

/* Types the bytes up to the next one with another meaning, and returns how many there were. */
static size_t type_bytes(struct fixture *f, struct key_decoder *decoder, const uint8_t *data, size_t size)
{
	struct event e;
	size_t n = 0;
	while (n < size && data[n] != RESIZE && data[n] != GROW)
		n++;
	for (const unsigned char *p = data; key_decode(decoder, &p, data + n, &e);)
		take(f, &e);
	return n;
}

static void act(struct fixture *f, enum shape shape, const uint8_t *data, size_t size)
{
	struct key_decoder decoder = {.n = 0};
	struct event e;
	for (size_t at = 0; at < size && f->n_events < MOST_EVENTS;) {
		if (data[at] == RESIZE && size - at >= 3) {
			refresh_size(&f->app, 1 + data[at + 1] % 200, 1 + data[at + 2] % 60);
			app_refresh(&f->app);
			at += 3;
		} else if (data[at] == RESIZE || data[at] == GROW) {
			if (data[at++] == GROW)
				grow(f, shape);
		} else {
			at += type_bytes(f, &decoder, data + at, size - at);
		}
	}
	while (key_flush(&decoder, &e))
		take(f, &e);
	look(f, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum shape shapes[] = {SHAPE_FOLDED, SHAPE_DIFF, SHAPE_PERF, SHAPE_EMPTY};
	static const enum color_depth depths[] = {DEPTH_TRUE, DEPTH_256, DEPTH_16, DEPTH_MONO};
	struct fixture f;
	if (size < 1)
		return 0;
	setlocale(LC_CTYPE, "C.UTF-8");
	enum shape shape = data[0] & 32 ? SHAPE_MODULES : shapes[data[0] & 3];
	open_it(&f, shape, depths[data[0] >> 2 & 3], data[0] & 16);
	f.seed = data[0];
	act(&f, shape, data + 1, size - 1);
	close_it(&f);
	return 0;
}
