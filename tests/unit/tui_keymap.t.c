/*
 * Keys and texts about them: with every command on another key, the new keys work everywhere, the old ones do
 * nothing, and no text names them.
 */
#include "tests/unit/viewing.h"

#define FIRST_KEY 0x3B1u /* from α on: no default key is among these */

/* Prompts take text, so their commands move to control keys and function keys. */
static uint32_t new_key(size_t i, size_t in_prompts)
{
	static const char letters[] = "abcdefghjklnopqrstuvwxyz"; /* without Tab and Enter */
	return in_prompts == SIZE_MAX ? FIRST_KEY + (uint32_t)i : K_CTRL(letters[in_prompts]);
}

/* Every command has one key, and it is a new one. */
static void rebind_all(struct fixture *f)
{
	struct keymap *m = &f->app.keymap;
	size_t i = 0, in_prompts = 0;
	m->n = 0;
	for (const struct command *c = m->commands; c->name; c++, i++) {
		struct buf key;
		struct err err = {0};
		buf_init(&key);
		key_add_name(&key, new_key(i, c->where & ON_PROMPT ? in_prompts++ : SIZE_MAX));
		if (!keymap_bind(m, buf_str(&key), c->name, &err))
			bail_out("%s: %s", c->name, err.text);
		buf_deinit(&key);
	}
}

static void press(struct fixture *f, const char *command)
{
	struct event e = {.kind = EVENT_KEY};
	const struct keymap *m = &f->app.keymap;
	for (size_t i = 0; i < m->n && e.key == 0; i++)
		if (strcmp(m->rows[i].command->name, command) == 0)
			e.key = m->rows[i].key;
	input_event(&f->app, &e, 0);
	app_refresh(&f->app);
}

/* The first word of the screen that names an old key, with the text behind it; NULL: none. */
static bool names_old_key(const char *row, char *found, size_t size)
{
	static const char *const words[] = {
		"Enter",       "Esc",        "Bksp",           "Backspace",   "PgUp",     "PgDn",      " q closes",
		" / finds",    "(t makes",   "(? for",         "(D compares", "(M shows", "(m:",       "(T:",
		"(L:",         "(e)",        "r takes back",   " D switches", "(m, then", ", r shows", "x takes one",
		"Y copies it", "j k scroll", "h j k l",        "(table: 2)",  "(2 lists", "(a: ",      "? help",
		"/ search",    "q quit",     "d what changed", "r reset",     "o orders", "t shows",   "by T,",
		"I goes back", "< and >",    "l or ",          "h closes",    "* opens"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at = strstr(row, words[i]);
		if (!at)
			continue;
		snprintf(found, size, "%.40s", at);
		return true;
	}
	return false;
}

static void screen_is_new(struct fixture *f, const char *what)
{
	char found[64] = "";
	bool is_old = false;
	app_refresh(&f->app);
	paint(&f->app);
	for (int row = 0; row < f->app.grid.rows && !is_old; row++) {
		struct buf text;
		buf_init(&text);
		grid_add_row(&f->app.grid, row, &text);
		is_old = names_old_key(buf_str(&text), found, sizeof found);
		buf_deinit(&text);
	}
	ok(!is_old, "%s: no text names an old key%s%s", what, *found ? ": " : "", found);
}

/* No line of a command's overlay has old keys in it, and the new key of `quit` closes it. */
static void overlay_is_new(struct fixture *f, const char *command)
{
	char what[80];
	press(f, command);
	bool was_open = f->app.list.is_open || f->app.is_heat_open;
	snprintf(what, sizeof what, "%s in view %u", command, (unsigned)f->app.tab);
	screen_is_new(f, what);
	if (!was_open) /* it had another effect, or gave a reason why not */
		return;
	for (int i = 0; i < 40 && f->app.list.is_open; i++) {
		press(f, "page-down");
		if (i % 10 == 3)
			screen_is_new(f, what);
	}
	if (f->app.is_heat_open) {
		press(f, "help");
		screen_is_new(f, "help of the heat map");
		press(f, "mark");
		screen_is_new(f, "one end marked");
	}
	type(f, "q");
	ok((f->app.list.is_open || f->app.is_heat_open) == was_open, "%s: q does nothing", what);
	press(f, "quit");
	ok(!f->app.list.is_open && !f->app.is_heat_open && !f->app.end, "%s: the new key closes it", what);
}

static void prompts_are_new(struct fixture *f)
{
	static const char *const prompts[] = {"search", "keep", "hide", "write"};
	for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
		press(f, prompts[i]);
		bool was_open = prompt_is_open(&f->app.prompt);
		screen_is_new(f, prompts[i]);
		type(f, "<Enter><Esc>");
		ok(was_open && prompt_is_open(&f->app.prompt), "%s: Enter and Esc do nothing", prompts[i]);
		press(f, "cancel");
		ok(!prompt_is_open(&f->app.prompt), "%s: the new key closes it", prompts[i]);
	}
}

static void everything_rebound(enum shape shape)
{
	static const char *const overlays[] = {"help",  "threads", "events",  "window", "filters",     "stack",
	                                       "notes", "changes", "list",    "time",   "undo-filter", "sort",
	                                       "next",  "freeze",  "diff",    "diff",   "diff",        "changes",
	                                       "diff",  "chart",   "changes", "sort",   "chart",       "back"};
#define VIEW(name, TAB, key, help) "view-" #name,
	static const char *const tabs[N_TABS] = {PANES(VIEW)};
	struct fixture f;
	open_it(&f, shape, DEPTH_MONO, false);
	refresh_size(&f.app, 120, 30);
	rebind_all(&f);
	for (size_t t = 0; t < N_TABS; t++) {
		press(&f, tabs[t]);
		screen_is_new(&f, tabs[t]);
		press(&f, "down");
		press(&f, "exclude");
		screen_is_new(&f, "after an exclusion");
		for (size_t i = 0; i < sizeof overlays / sizeof *overlays; i++)
			overlay_is_new(&f, overlays[i]);
		press(&f, "reset");
	}
	press(&f, "view-flame");
	prompts_are_new(&f);
	type(&f, "j");
	screen_is_new(&f, "a key without a command");
	press(&f, "interrupt");
	is_int(f.app.end, END_QUIT, "the new key ends the viewer");
	close_it(&f);
}

int main(void)
{
	for (int shape = 0; shape < N_SHAPES; shape++)
		everything_rebound((enum shape)shape);
	return done_testing();
}
