/*
 * options.t.c - the command line as the program parses it, and from a view back to a command line.
 */
#include <unistd.h>

#include "base/mem.h"
#include "base/shell_word.h"
#include "collapse/load/load.h"
#include "fetching.h"
#include "model/view.h"
#include "options.h"
#include "tests/tap.h"

#define MAX_WORDS 24

/* getopt reorders the words, so they are copied into a modifiable array. */
static enum options_result parse(struct options *o, struct err *err, const char *line)
{
	static char text[1024], *argv[MAX_WORDS];
	int argc = 0;
	snprintf(text, sizeof text, "flametop %s", line);
	for (char *save, *w = strtok_r(text, " ", &save); w && argc < MAX_WORDS - 1; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	err->text[0] = '\0';
	return options_parse(o, argc, argv, err);
}

static void command(const char *line, void (*change)(struct view *), const char *expected, const char *name);

static void refused(const char *line, const char *name)
{
	struct options o;
	struct err err;
	is_int(parse(&o, &err, line), OPTIONS_USAGE, "%s", name);
	ok(err.text[0] != '\0', "%s, and it says why", name);
	options_deinit(&o);
}

static void fetches(const char *line, char *push, bool expected, const char *name)
{
	struct options o;
	struct err err;
	bool is_parsed = parse(&o, &err, line) == OPTIONS_GO;
	o.push = push;
	ok(is_parsed && options_take_sources(&o, &err) && options_fetch(&o) == expected, "%s", name);
	fetching_end(&o);
	options_deinit(&o);
}

static void test_fetching(void)
{
	char push[] = "pyroscope://localhost";
	fetches("http://localhost/a", NULL, true, "an address is fetched");
	fetches("a --diff=http://localhost/a", NULL, true, "so is one that is compared with");
	fetches("a", NULL, false, "a file is not");
	fetches("a", push, false, "nor is it where a profile is sent to an address");
}

static void test_values(void)
{
	struct options o;
	struct err err;
	is_int(parse(&o, &err, "a -i --width 100 b --minwidth=0.5 --tid --all -j3 --color=java"), OPTIONS_GO,
	       "it parses");
	is_int((long long)o.n_files, 2, "operands may stand between options");
	is_str(o.files[1], "b", "operands keep their order");
	ok(o.inverted, "a letter sets a flag");
	is_int(o.export_.width, 100, "a value may be the next word");
	ok(o.min_share == 0.5 && o.export_.min_width == 0.5, "--minwidth is for screen and file");
	ok(o.collapse.tid && o.collapse.pid, "--tid implies --pid");
	ok(o.collapse.kernel && o.collapse.jit, "--all is both annotations");
	is_int(o.collapse.jobs, 3, "a letter's value may be attached");
	is_int(o.export_.palette, PALETTE_JAVA, "--color with a palette's name is --colors");
	options_deinit(&o);

	is_int(parse(&o, &err, "--minwidth=2px --cp --colors=js --colors=rust"), OPTIONS_GO, "it parses");
	ok(o.export_.min_width_px == 2 && o.export_.min_width < 0, "pixels are no percentage");
	ok(o.min_share == 0, "nor for the screen");
	is_str(o.export_.palette_map, "palette.map", "--cp has a default");
	is_int(o.export_.palette, PALETTE_RUST, "the last one wins");
	options_deinit(&o);

	is_int(parse(&o, &err, "--minwidth=50px --minwidth=1"), OPTIONS_GO, "it parses");
	ok(o.export_.min_width_px == 0 && o.export_.min_width == 1, "a percentage takes the place of pixels");
	options_deinit(&o);
	is_int(parse(&o, &err, "--minwidth=25 --minwidth=0.5px"), OPTIONS_GO, "it parses");
	ok(o.export_.min_width_px == 0.5 && o.export_.min_width < 0 && o.min_share == 0,
	   "and pixels that of a percentage");
	options_deinit(&o);
	is_int(parse(&o, &err, "--minwidth=1 --minwidth=0px"), OPTIONS_GO, "it parses");
	ok(o.export_.min_width == 0 && o.min_share == 0, "no pixels leave nothing out");
	options_deinit(&o);

	is_int(parse(&o, &err, "--cp=x.map --skip-after=a --skip-after=b --diff=c --diff=d"), OPTIONS_GO, "it parses");
	is_str(o.export_.palette_map, "x.map", "--cp takes a file");
	is_str(o.collapse.skip_after[1], "b", "--skip-after collects");
	ok(o.collapse.skip_after[2] == NULL, "and its list ends");
	is_int((long long)o.n_diffs, 2, "--diff collects");
	options_deinit(&o);

	is_int(parse(&o, &err, "--idle"), OPTIONS_GO, "it parses");
	ok(o.collapse.idle == IDLE_ALWAYS, "--idle keeps stacks that wait");
	options_deinit(&o);
	is_int(parse(&o, &err, "--idle=never"), OPTIONS_GO, "it parses");
	ok(o.collapse.idle == IDLE_NEVER, "--idle=never leaves them out");
	options_deinit(&o);
	is_int(parse(&o, &err, "--idle=no"), OPTIONS_USAGE, "--idle takes no other word");
	options_deinit(&o);
}

static void test_aliases(void)
{
	struct options o;
	struct err err;
	is_int(parse(&o, &err, "--palette=java --image-width=50 --nthreads=0"), OPTIONS_GO, "spellings of other tools");
	is_str(o.given[0].row->name, "colors", "are the option that they stand for");
	is_str(o.given[2].row->name, "nthreads", "unless they take other values");
	is_int(o.export_.width, 50, "with its value");
	options_deinit(&o);
	is_int(parse(&o, &err, "record --palette=java true"), OPTIONS_GO, "also with record");
	ok(o.given[0].row->letter == 0, "where -c is something else");
	options_deinit(&o);
}

static void test_filters(void)
{
	struct options o;
	struct err err;
	is_int(parse(&o, &err, "--hide=a --focus=b --hide=c --merge-recursion"), OPTIONS_GO, "it parses");
	is_int((long long)o.recipe.n_filters, 4, "every filter counts");
	is_int(o.recipe.filters[0].kind, FILTER_HIDE, "filters keep their order (first)");
	is_str(o.recipe.filters[1].pattern, "b", "filters keep their order (second)");
	is_int(o.recipe.filters[3].kind, FILTER_RECURSION, "filters keep their order (last)");
	options_deinit(&o);

	is_int(parse(&o, &err, "--base=f --focus=x --base=(*NAME)g --base=i"), OPTIONS_GO, "it parses");
	is_int((long long)o.recipe.n_filters, 4, "every --base is a filter");
	static const char *const bases[] = {"f", "(*NAME)g", "i"};
	for (size_t i = 0; i < 3; i++) {
		is_int(o.recipe.filters[i].kind, FILTER_BASE,
		       "they stand together, so that any of them may become the root");
		is_int(o.recipe.filters[i].mode, MATCH_LITERAL, "each matches exactly");
		is_str(o.recipe.filters[i].pattern, bases[i], "the name that was given");
	}
	is_str(o.recipe.filters[3].pattern, "x", "the words in between come behind");
	options_deinit(&o);
}

/* Each filter has the option of its name, in both directions. */
static void test_filter_names(void)
{
	struct options o;
	struct err err;
	char line[64], again[80];
	for (unsigned kind = 0; kind < N_FILTER_KINDS; kind++) {
		const struct filter_name *name = &filter_names[kind];
		snprintf(line, sizeof line, "--%s%s a.folded", name->option, kind == FILTER_RECURSION ? "" : "=m.x");
		snprintf(again, sizeof again, "flametop %s", line);
		is_int(parse(&o, &err, line), OPTIONS_GO, "--%s is an option", name->option);
		ok(o.recipe.n_filters == 1 && o.recipe.filters[0].kind == kind, "and makes this filter");
		ok(*name->words && *name->brief, "which has words");
		options_deinit(&o);
		command(line, NULL, again, "and the command has it again");
	}
}

static void test_record(void)
{
	struct options o;
	struct err err;
	is_int(parse(&o, &err, "record -F 99 -e x -e y -p 1,2 --pid=3 -i"), OPTIONS_GO, "record parses");
	ok(o.record.is_record, "it is a recording");
	is_str(o.record.event, "x,y", "events are joined");
	is_str(o.record.pids[2], "3", "processes are collected");
	ok(o.inverted, "options of the view work there too");
	options_deinit(&o);
	is_int(parse(&o, &err, "record -p 1,02,1 -p 2 -t 3,3 -t 3"), OPTIONS_GO, "record parses");
	ok(o.record.pids[1] && !o.record.pids[2], "a process that is named twice is one");
	ok(o.record.tids[0] && !o.record.tids[1], "so is a thread, whose samples would count twice");
	options_deinit(&o);

	is_int(parse(&o, &err, "record -F 99 make -j4 -F 3"), OPTIONS_GO, "record parses");
	is_str(o.record.command[1], "-j4", "options behind the command are the command's");
	is_str(o.record.frequency, "99", "and not ours");
	options_deinit(&o);
	is_int(parse(&o, &err, "record -- -odd"), OPTIONS_GO, "record parses");
	is_str(o.record.command[0], "-odd", "-- comes before a command");
	options_deinit(&o);

	refused("record", "a recording of nothing is refused");
	refused("record -p 1 -- x", "a process and a command are refused");
	refused("record -a -p 1", "the system and a process are refused");
	refused("record -p x", "a process that is no number is refused");
	refused("-p 1", "-p is for record");
	refused("record --pid", "there --pid needs a number");
	refused("record -F 0 x", "a frequency of 0 is refused");
	refused("record --call-graph=dwarf,99999999 x", "a stack that perf cannot copy is refused");
}

static void test_conflicts(void)
{
	refused("--hash --deterministic a", "two ways to colour are refused");
	refused("record --fail-above=1 -- true", "a gate on a recording without a baseline is refused");
	refused("--widths=left a", "widths are from before or after");
	refused("- --diff=-", "standard input can be read once");
	refused("--focus=( a", "a bad pattern is refused");
	refused("-o x.png a", "an unknown suffix is refused");
	refused("--screen=80x25 -o x.svg a", "a screen is no file");
}

static const char *const quotes[][2] = {
	{"plain-1.2/x:y,@%+=", "plain-1.2/x:y,@%+="},
	{"", "''"},
	{"a b", "'a b'"},
	{"it's", "'it'\\''s'"},
	{"$(x)`y`", "'$(x)`y`'"},
	{"a\nb\033", "\"$(printf 'a\\012b\\033')\""},
	{"\t50% of 'a\\b'!", "\"$(printf '\\01150%% of \\047a\\\\b\\047\\041')\""},
	{"-\033\n\n", "\"$(printf '\\055\\033')\"'\n\n'"},
	{"\n", "\"$(printf '')\"'\n'"},
	{"~", "'~'"},
	{"caf\u00e9 \u4e16", "'caf\u00e9 \u4e16'"},
	{"a\xc2\x9b"
     "2J\u00e9",
     "\"$(printf 'a\\302\\2332J\u00e9')\""},                                /* CSI in eight bits */
	{"x\u202ey\u2028", "\"$(printf 'x\\342\\200\\256y\\342\\200\\250')\""}, /* right to left */
	{"latin \xe9 1", "\"$(printf 'latin \\351 1')\""},
};

/* What sh takes the word for. */
static void read_by_shell(struct buf *out, const char *word)
{
	struct buf command;
	buf_init(&command);
	buf_addf(&command, "printf '%%s.' %s", word);
	FILE *f = popen(buf_str(&command), "r");
	for (int c; f && (c = getc(f)) != EOF;)
		buf_addc(out, (char)c);
	if (f)
		pclose(f);
	buf_deinit(&command);
}

static void test_quoting_in_shell(void)
{
	for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
		struct buf read, expected;
		buf_init(&read);
		buf_init(&expected);
		buf_addf(&expected, "%s.", quotes[i][0]);
		read_by_shell(&read, quotes[i][1]);
		is_str(buf_str(&read), buf_str(&expected), "and any POSIX shell reads it (%zu)", i);
		buf_deinit(&read);
		buf_deinit(&expected);
	}
}

static void test_quoting(void)
{
	for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
		struct buf b;
		buf_init(&b);
		shell_word_add(&b, quotes[i][0]);
		is_str(buf_str(&b), quotes[i][1], "a word is quoted where it has to be (%zu)", i);
		buf_deinit(&b);
	}
}

/* A view as made by keys. */
static void command(const char *line, void (*change)(struct view *), const char *expected, const char *name)
{
	struct options o;
	struct err err = {""};
	struct profile p;
	struct view v;
	struct buf b;
	int fds[2];
	static const char data[] = "main;read me;parse 3\nmain;write 4\n";
	is_int(parse(&o, &err, line), OPTIONS_GO, "%s: parses", name);
	is_int(pipe(fds), 0, "%s: pipe", name);
	is_int(write(fds[1], data, sizeof data - 1), (long long)sizeof data - 1, "%s: data", name);
	close(fds[1]);
	profile_init(&p);
	ok(load_all(&p, &(struct load_input){.path = "x", .fd = fds[0]}, 1, &o.collapse, &err), "%s: loads", name);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	options_for_viewer(&o);
	ok(options_apply(&o, &v, &err) && view_update(&v, DIRTY_TREE, NULL, &err) && options_place(&o, &v, &err),
	   "%s: is shown (%s)", name, err.text);
	if (change)
		change(&v);
	buf_init(&b);
	options_add_command(&b, &o, &v, NULL, false);
	is_str(buf_str(&b), expected, "%s", name);
	buf_deinit(&b);
	view_deinit(&v);
	profile_deinit(&p);
	options_deinit(&o);
}

static void change_much(struct view *v)
{
	struct err err;
	recipe_add_filter(&v->recipe, FILTER_IGNORE, MATCH_LITERAL, "write");
	recipe_add_filter(&v->recipe, FILTER_RECURSION, MATCH_REGEX, NULL);
	v->recipe.sort = SORT_NAME;
	v->is_inverted = true;
	v->min_share = 0.25;
	view_update(v, DIRTY_TREE, NULL, &err);
	view_zoom_path(v, "main;read me");
	view_update(v, view_search(v, "par.e", MATCH_REGEX, &err), NULL, &err);
}

/* The name that C writes is read as that name, and headings show no pattern. */
static void test_patterns(void)
{
	static const char *const texts[] = {"main",     "a\\",      "a\\E", "\\E\\E",    "\\Q",
	                                    "a\\\\E)z", "(?-i)\\A", "\\",   "E\\Eb\\Qc", "a\\E\\\\E\\Qb"};
	static const char *const patterns[] = {
		"", "main", "\\Qa", "\\Qa\\Eb", "(?-i)\\A\\Qa\\E", "\\Q\\E", "\\Qa\\E\\z", "(?-i)\\Qa\\E\\z", "a\\Qb\\E"};
	struct buf b, text;
	for (size_t i = 0; i < sizeof texts / sizeof *texts * 2; i++) {
		buf_init(&b);
		buf_init(&text);
		options_add_pattern(&b, texts[i / 2], i % 2);
		is_int(options_read_pattern(&text, buf_str(&b)), i % 2 ? MATCH_LITERAL : MATCH_TEXT, "%s is a text",
		       buf_str(&b));
		is_str(buf_str(&text), texts[i / 2], "and the one that it was");
		buf_deinit(&b);
		buf_deinit(&text);
	}
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		buf_init(&text);
		is_int(options_read_pattern(&text, patterns[i]), MATCH_REGEX, "'%s' is an expression", patterns[i]);
		is_str(buf_str(&text), patterns[i], "and stays as it is");
		buf_deinit(&text);
	}
}

static void exclude_bytes(struct view *v)
{
	recipe_add_filter(&v->recipe, FILTER_IGNORE, MATCH_LITERAL, "a\xff");
}

static void test_command(void)
{
	command("a.folded", NULL, "flametop a.folded", "a plain view needs nothing");
	command("--idle --idle=never a.folded", NULL, "flametop --idle --idle=never a.folded", "so is --idle");
	command("--kernel -f folded -o x.svg --to=svg --keys=j --title=T a.folded", NULL,
	        "flametop --kernel --format=folded --title=T a.folded", "options about the input are repeated");
	command("--base=main --sort=weight --reverse a.folded b.folded", NULL,
	        "flametop --base=main --reverse --sort=weight a.folded b.folded",
	        "options about the view come from the view");
	command("--sort=name a.folded", NULL, "flametop --sort=name a.folded", "an order other than the viewer's, too");
	command("--base=main --base=x a.folded", NULL, "flametop --base=main --base=x a.folded",
	        "several roots come back");
	command("a.folded", change_much,
	        "flametop --ignore='(?-i)\\A\\Qwrite\\E\\z' --merge-recursion --sort=name --inverted --minwidth=0.25 "
	        "--search=par.e --zoom='main;read me' a.folded",
	        "the effects of keys become options");
	command("a.folded", exclude_bytes, "flametop --ignore='(*NAME)a\\xff' a.folded",
	        "also to names that are no text");
	command("-- -odd", NULL, "flametop -- -odd", "a file that looks like an option stays a file");
}

/* What the help says of an option, its row says to libflametop. */
static void test_rows(void)
{
	const char *wrong = NULL;
	size_t n = 0;
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		bool repeats = row->modes & OPTION_REPEATS;
		n += repeats;
		if (strstr(row->help, "may be repeated") && !repeats)
			wrong = row->help;
	}
	is_str(wrong, NULL, "options that may be repeated are marked in the table");
	ok(n >= 10, "and there are some");
}

int main(void)
{
	setenv("PERF", "perf", 1); /* other systems would take dtrace, which has other options */
	test_rows();
	test_values();
	test_fetching();
	test_aliases();
	test_filters();
	test_record();
	test_conflicts();
	test_quoting();
	test_quoting_in_shell();
	test_patterns();
	test_command();
	test_filter_names();
	return done_testing();
}
