/*
 * Copied text: what is in the clipboard, what the overlay shows of it, and how it is scrolled and closed.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/viewing.h"

static struct fixture f;

static void open_text(const char *stacks, int cols, int rows)
{
	struct err err = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	open_it(&f, SHAPE_FOLDED, DEPTH_TRUE, false);
	profile_init(p);
	stacks_add(p, 0, stacks);
	if (!refresh_profile(&f.app, p, &err))
		bail_out("%s", err.text);
	refresh_size(&f.app, cols, rows);
	app_refresh(&f.app);
}

static void resize(int cols, int rows)
{
	refresh_size(&f.app, cols, rows);
	app_refresh(&f.app);
}

static const char *screen(void)
{
	static struct buf text;
	text.len = 0;
	app_refresh(&f.app);
	paint(&f.app);
	grid_print(&f.app.grid, &text, false);
	return buf_str(&text);
}

static void shows(const char *part, const char *name)
{
	const char *s = screen();
	if (!ok(strstr(s, part), "%s", name))
		diag("no '%s' in:\n%s", part, s);
}

static void shows_not(const char *part, const char *name)
{
	const char *s = screen();
	if (!ok(!strstr(s, part), "%s", name))
		diag("'%s' in:\n%s", part, s);
}

static void copies(const char *text, const char *name)
{
	is_str(buf_str(&f.app.clipboard), text, "%s", name);
}

static void short_texts(void)
{
	open_text("main;parse;lex 5\n", 80, 24);
	type(&f, "kkky");
	copies("lex", "y copies the name");
	shows("─ The name ─", "and shows what it is");
	shows("│ lex ", "and all of it");
	shows("Sent nowhere: there is no terminal.", "and where it went");
	shows_not("copied", "which is not called copied");
	type(&f, "qY");
	copies("main;parse;lex", "Y copies the stack");
	shows("│ main;parse;lex ", "and shows it");
	type(&f, "<Esc>C");
	copies("flametop --cursor='main;parse;lex' -", "C copies the command");
	shows("│ flametop ", "and shows it");
	type(&f, "Y");
	copies("main;parse;lex", "another text may follow");
	type(&f, "<Enter>");
	ok(!f.app.list.is_open, "one key closes the overlay");
	close_it(&f);
}

/* A list that was open comes back. */
static void above_a_list(void)
{
	open_text("main;parse;lex 5\nmain;read 1\n", 80, 24);
	type(&f, "kkksjy");
	copies("parse", "in a list, y copies the line");
	shows("─ The line ─", "and shows it");
	type(&f, "q");
	shows("─ Stack, the selected frame first ─", "then the list is back");
	is_str(list_selected(&f.app.list)->text, "parse", "on the same line");
	type(&f, "Y?");
	shows("─ flametop: help ─", "help may take the place of the text");
	type(&f, "q");
	shows("─ Stack, the selected frame first ─", "and gives way to the list, too");
	type(&f, "y");
	struct event right = {.kind = EVENT_MOUSE, .button = MOUSE_RIGHT, .action = MOUSE_PRESS, .row = 5, .col = 5};
	input_event(&f.app, &right, 0);
	shows("─ Stack, the selected frame first ─", "a right click closes only the text");
	grow(&f, SHAPE_EMPTY);
	type(&f, "y");
	grow(&f, SHAPE_FOLDED);
	type(&f, "qq");
	ok(!f.app.list.is_open, "a list below follows a profile that is coming in");
	close_it(&f);
}

static void add_words(struct buf *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_addf(out, "%sword%05u", i ? " " : "", i);
}

static void wheel(enum mouse_button button)
{
	struct event e = {.kind = EVENT_MOUSE, .button = button, .action = MOUSE_PRESS, .row = 12, .col = 40};
	input_event(&f.app, &e, 0);
}

/* A name of 100 KB: 7 words in each line. */
static void long_text(void)
{
	struct buf text;
	buf_init(&text);
	add_words(&text, 10000);
	buf_adds(&text, ";leaf 1\n");
	open_text(buf_str(&text), 80, 24);
	type(&f, "ky");
	is_int((intmax_t)f.app.clipboard.len, 99999, "a long name is copied whole");
	shows("word00000 word00001 word00002 word00003 word00004 word00005 word00006      │",
	      "and its lines are broken at blanks");
	shows("│ word00007", "to go on below");
	type(&f, "j");
	shows_not("Sent nowhere", "j scrolls by a line");
	shows("│ word00000", "and no more");
	type(&f, "j");
	shows_not("│ word00000", "line by line");
	shows("│ word00007", "though it is one text");
	type(&f, "k");
	shows("│ word00000", "and back");
	wheel(MOUSE_WHEEL_DOWN);
	shows_not("│ word00000", "so does the wheel");
	wheel(MOUSE_WHEEL_UP);
	shows("│ word00000", "in both directions");
	type(&f, "G");
	shows("word09999 ", "G shows the end");
	type(&f, "b");
	shows_not("word09999", "b goes back a page");
	type(&f, "f");
	shows("word09999 ", "f goes on");
	resize(40, 12);
	type(&f, "G");
	shows("word09999 ", "on a smaller screen, too");
	resize(160, 45);
	shows("word09999 ", "a larger screen is filled from the end");
	type(&f, "g");
	shows("Sent nowhere", "g shows the beginning");
	type(&f, "q");
	ok(!f.app.list.is_open, "q closes it");
	close_it(&f);
	buf_deinit(&text);
}

/* Nothing is drawn that nobody reads. */
static void huge_text(void)
{
	struct buf text;
	buf_init(&text);
	add_words(&text, 60000);
	buf_adds(&text, " 1\n");
	open_text(buf_str(&text), 80, 24);
	type(&f, "kyG");
	is_int((intmax_t)f.app.clipboard.len, 599999, "a huge name is copied whole");
	shows("... and 337,855 bytes that are not shown", "and shown in part, which is said");
	close_it(&f);
	buf_deinit(&text);
}

static void hostile_text(void)
{
	open_text("main;a\x1b]52\a'b\xff 5\n", 80, 24);
	type(&f, "kk#Ck");
	ok(strstr(buf_str(&f.app.clipboard), "a\\x1b]52\\x07") && strstr(buf_str(&f.app.clipboard), "b\\xff"),
	   "a command names even bytes that are no characters: %s", buf_str(&f.app.clipboard));
	type(&f, "qkky");
	copies("a\uFFFD]52\uFFFD'b\uFFFD", "a name is copied clean");
	ok(all_holds(&f, true), "the overlay shows only characters");
	shows("a�]52", "with a mark in place of others");
	close_it(&f);
}

static void small_screens(void)
{
	open_text("main;parse;lex 5\n", 80, 24);
	type(&f, "kkkC");
	for (int cols = 1; cols < 60; cols += 3)
		for (int rows = 1; rows < 12; rows += 2) {
			resize(cols, rows);
			if (!all_holds(&f, true))
				diag("%dx%d: %s", cols, rows, f.why);
		}
	ok(f.why[0] == '\0', "the overlay is drawn within any screen");
	close_it(&f);
}

static void writes(const char *keys, const char *path, bool is_whole, const char *name)
{
	f.app.saved_samples.n = 0;
	type(&f, keys);
	ok(access(path, R_OK) == 0 && (f.app.saved_samples.n > 0) == is_whole, "%s", name);
	unlink(path);
	type(&f, "r<Esc>");
}

/* q asks as long as no file has all stacks. */
static void whole_files(void)
{
	char home[] = "/tmp/flametop-test-XXXXXX", stacks[64], svg[64], text[64];
	if (!mkdtemp(home) || setenv("HOME", home, 1) != 0)
		bail_out("no directory");
	snprintf(stacks, sizeof stacks, "%s/x.folded", home);
	snprintf(svg, sizeof svg, "%s/x.svg", home);
	snprintf(text, sizeof text, "%s/x.txt", home);
	open_text("main;parse 5\nmain;lex;next 7\n", 80, 24);
	f.takes_paths = true;
	writes("w~/x.folded<Enter>", stacks, true, "folded stacks are whole");
	writes("w~/x.svg<Enter>", svg, true, "an SVG is");
	writes("w~/x.txt<Enter>", text, false, "text is not: it may leave rows out");
	writes("Hlex<Enter>w~/x.folded<Enter>", stacks, false, "nor are stacks with hidden frames");
	writes("&lex<Enter>w~/x.folded<Enter>", stacks, false, "nor those that a filter leaves");
	writes("++++w~/x.svg<Enter>", svg, false, "nor an SVG without narrow frames");
	writes("++++w~/x.folded<Enter>", stacks, true, "which folded stacks have");
	writes("3w~/x.folded<Enter>", stacks, false, "nor a sandwich");
	close_it(&f);
	rmdir(home);
}

static void stack_in_a_sandwich(void)
{
	open_text("main;run;parse;lex 5\nmain;lex;next 7\n", 80, 24);
	type(&f, "/^lex$<Enter>3kY");
	copies("main;lex", "Y in a sandwich copies the way from a caller");
	type(&f, "qjjY");
	copies("lex;next", "and to a callee");
	close_it(&f);
}

/* A name that cannot be written to stays in the prompt; ~ is the user's directory. */
static void names_of_files(void)
{
	char home[] = "/tmp/flametop-test-XXXXXX", path[64];
	if (!mkdtemp(home) || setenv("HOME", home, 1) != 0)
		bail_out("no directory");
	snprintf(path, sizeof path, "%s/x.folded", home);
	open_text("main;parse 5\n", 80, 24);
	f.takes_paths = true;
	type(&f, "w/nowhere/x.folded<Enter>");
	ok(prompt_is_open(&f.app.prompt), "a file that cannot be written: the prompt stays open");
	is_str(buf_str(&f.app.prompt.text), "/nowhere/x.folded", "with its name");
	ok(f.app.message && strstr(f.app.message, "cannot write"), "and the reason");
	type(&f, "<C-u>x.nix<Enter>");
	is_str(buf_str(&f.app.prompt.text), "x.nix", "an unknown suffix, too");
	type(&f, "<C-u>~/x.folded<Enter>");
	ok(!prompt_is_open(&f.app.prompt) && access(path, R_OK) == 0, "~/ is the user's directory");
	type(&f, "4wx.svg<Enter>");
	is_str(buf_str(&f.app.prompt.text), "x.svg", "a kind that cannot hold the view leaves the name, too");
	type(&f, "<Esc>o");
	is_str(f.app.message, "the heaviest first; of equal weight, siblings by name", "whose order stays");
	close_it(&f);
	unlink(path);
	rmdir(home);
}

int main(void)
{
	short_texts();
	above_a_list();
	long_text();
	huge_text();
	hostile_text();
	small_screens();
	names_of_files();
	whole_files();
	stack_in_a_sandwich();
	return done_testing();
}
