/*
 * terminfo.c - since version 6.1, ncurses takes a whole description in TERMINFO: "b64:" and its bytes.
 *
 *	TERM=xterm-ghostty, not in the system's database  ->  TERMINFO=b64:HgIlAB0A... and the name xterm-256color
 */
#include "tui/terminfo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "tui/terminfo_entries.h"

#define N_ENTRIES (sizeof entries / sizeof *entries)

/* How names begin, and our description for them; the first that fits. They understand all that it says. */
static const struct likeness {
	const char *begin, *name;
} likenesses[] = {
	{"xterm-kitty", "kitty"},
	{"xterm-16", "xterm"},
	{"xterm-8", "xterm"},
	{"xterm-mono", "vt100"},
	{"xterm", "xterm-256color"},
	{"screen-256", "screen-256color"},
	{"screen.", "screen-256color"}, /* screen.xterm-256color: screen's own name, inside of that */
	{"screen", "screen"},
	{"tmux", "tmux-256color"},
	{"linux", "linux"},
	{"alacritty", "alacritty"},
	{"kitty", "kitty"},
	{"foot", "foot"},
	{"vt1", "vt100"},
	{"vt2", "vt100"},
	{"vt3", "vt100"},
	{"vte", "xterm-256color"},
	{"gnome", "xterm-256color"},
	{"konsole", "xterm-256color"},
	{"iterm", "xterm-256color"},
	{"iTerm", "xterm-256color"},
	{"nsterm", "xterm-256color"},
	{"putty", "xterm-256color"},
	{"mintty", "xterm-256color"},
	{"wezterm", "xterm-256color"},
	{"ghostty", "xterm-256color"},
	{"contour", "xterm-256color"},
	{"st-", "xterm-256color"},
	{"rxvt-", "xterm-256color"},
};

static char *old_value;  /* of TERMINFO, owned; NULL: it was not set */
static bool is_replaced; /* TERMINFO is ours */

static const struct entry *entry_of(const char *name)
{
	for (size_t i = 0; i < N_ENTRIES; i++)
		if (strcmp(entries[i].name, name) == 0)
			return &entries[i];
	return NULL;
}

static const struct entry *entry_like(const char *term)
{
	const struct entry *same = entry_of(term);
	if (same)
		return same;
	for (size_t i = 0; i < sizeof likenesses / sizeof *likenesses; i++)
		if (strncmp(term, likenesses[i].begin, strlen(likenesses[i].begin)) == 0)
			return entry_of(likenesses[i].name);
	return NULL;
}

const char *terminfo_use(const char *term)
{
	const struct entry *e = entry_like(term);
	const char *old = getenv("TERMINFO");
	if (!e)
		return NULL;
	if (!is_replaced)
		old_value = old ? mem_strdup(old) : NULL;
	is_replaced = true;
	setenv("TERMINFO", e->text, 1);
	if (strcmp(e->name, term) != 0)
		err_printf("the terminal '%s' is not known here (TERM): drawn as on %s", term, e->name);
	return e->name;
}

void terminfo_restore(void)
{
	if (!is_replaced)
		return;
	if (old_value)
		setenv("TERMINFO", old_value, 1);
	else
		unsetenv("TERMINFO");
	free(old_value);
	old_value = NULL;
	is_replaced = false;
}
