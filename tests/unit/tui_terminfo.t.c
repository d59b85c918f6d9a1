/* Descriptions of terminals that the system does not know. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "tests/tap.h"
#include "tui/terminfo.h"

/* Does curses find that it can move the cursor? */
static bool is_understood(const char *name)
{
	int status;
	if (setupterm(name, STDOUT_FILENO, &status) != OK)
		return false;
	const char *cup = tigetstr("cup");
	bool can_move = cup && cup != (char *)-1;
	del_curterm(cur_term);
	return can_move;
}

static void check_described(const char *name)
{
	const char *used = terminfo_use(name), *value = getenv("TERMINFO");
	ok(used && strcmp(used, name) == 0, "%s is described", name);
	/* compiled descriptions begin with 0432 or 01036 */
	ok(value && (strncmp(value, "b64:GgE", 7) == 0 || strncmp(value, "b64:HgI", 7) == 0),
	   "the description is in TERMINFO");
	ok(used && is_understood(used), "and curses can move the cursor");
	terminfo_restore();
}

static void check_likeness(const char *name, const char *as)
{
	const char *used = terminfo_use(name);
	ok(used && strcmp(used, as) == 0, "%s is drawn as on %s", name, as);
	terminfo_restore();
}

int main(void)
{
	static const char *const names[] = {"xterm", "xterm-256color", "screen", "screen-256color",
	                                    "tmux",  "tmux-256color",  "linux",  "vt100",
	                                    "kitty", "alacritty",      "foot"};
	unsetenv("TERMINFO");
	setenv("TERMINFO_DIRS", "/nowhere", 1);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check_described(names[i]);

	check_likeness("xterm-kitty", "kitty");
	check_likeness("xterm-ghostty", "xterm-256color");
	check_likeness("screen.xterm-256color", "screen-256color");
	check_likeness("vt220", "vt100");
	ok(!terminfo_use("teletype"), "of others nothing is known");
	ok(!terminfo_use("dumb"), "not of one without a cursor, either");
	ok(!getenv("TERMINFO"), "then TERMINFO stays as it was");

	setenv("TERMINFO", "/somewhere", 1);
	terminfo_use("xterm");
	terminfo_use("vt100");
	terminfo_restore();
	is_str(getenv("TERMINFO"), "/somewhere", "a TERMINFO of the user comes back");
	terminfo_restore();
	is_str(getenv("TERMINFO"), "/somewhere", "and stays");
	return done_testing();
}
