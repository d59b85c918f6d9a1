/*
 * manual.c - flametop(1).
 *
 * Options, keys, mouse actions, formats, kinds of output and palettes come from their tables; only what no table
 * knows is written here. `make docs` puts the page into man/flametop.1, and a test compares it with what the
 * program says.
 *
 *	.TP
 *	\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR
 *	write the view to FILE ...
 */
#include "manual.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "collapse/collapse.h"
#include "export/export.h"
#include "model/escape.h"
#include "model/palette.h"
#include "options.h"
#include "tui/command.h"
#include "tui/keys.h"

/* Characters that man(7) takes for something else, or typesets as something that cannot be copied. */
static const char *escape_of(char c)
{
	static const struct {
		char c;
		const char *escape;
	} escapes[] = {
		{'\\', "\\e"}, {'-', "\\-"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"},
	};
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
		if (escapes[i].c == c)
			return escapes[i].escape;
	return NULL;
}

/* Text for man(7): shown as it is, and no control line by accident. */
static void add_text(struct buf *out, const char *s)
{
	if (*s == '.' || *s == '\'')
		buf_adds(out, "\\&");
	for (; *s; s++) {
		const char *escape = escape_of(*s);
		if (escape)
			buf_adds(out, escape);
		else
			buf_addc(out, *s);
	}
}

static void add_font(struct buf *out, char font, const char *s)
{
	buf_addf(out, "\\f%c", font);
	add_text(out, s);
	buf_adds(out, "\\fR");
}

static void add_entry(struct buf *out, const char *name, const char *text)
{
	buf_adds(out, ".TP\n");
	add_font(out, 'B', name);
	buf_addc(out, '\n');
	add_text(out, text);
	buf_addc(out, '\n');
}

/* A paragraph of plain text. */
static void add_paragraph(struct buf *out, const char *text)
{
	buf_adds(out, ".PP\n");
	add_text(out, text);
	buf_addc(out, '\n');
}

static void add_example(struct buf *out, const char *what, const char *command)
{
	add_paragraph(out, what);
	buf_adds(out, ".PP\n.RS 4\n");
	add_font(out, 'B', command);
	buf_adds(out, "\n.RE\n");
}

/* ---- options ------------------------------------------------------------------------------------------------- */

static void add_option(struct buf *out, const struct option_row *row)
{
	bool is_optional = row->arg && row->arg[0] == '[';
	char letter[] = {'-', row->letter, '\0'};
	buf_adds(out, ".TP\n");
	if (row->letter)
		add_font(out, 'B', letter);
	if (row->letter && row->name)
		buf_adds(out, ", ");
	if (row->name) {
		buf_adds(out, "\\fB\\-\\-");
		add_text(out, row->name);
		buf_adds(out, "\\fR");
	}
	if (is_optional) {
		struct buf arg;
		buf_init(&arg);
		buf_add(&arg, row->arg + 1, strlen(row->arg) - 2);
		buf_adds(out, "[=");
		add_font(out, 'I', buf_str(&arg));
		buf_addc(out, ']');
		buf_deinit(&arg);
	} else if (row->arg) {
		buf_addc(out, row->name ? '=' : ' ');
		add_font(out, 'I', row->arg);
	}
	buf_addc(out, '\n');
	add_text(out, row->help);
	buf_adds(out, ".\n");
}

static void add_options(struct buf *out, enum option_group group)
{
	unsigned mode = group == GROUP_RECORD ? OPTION_MODE_RECORD : OPTION_MODE_VIEW;
	buf_addf(out, ".SS %s\n", option_group_title(group));
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (row->group == group && (row->modes & mode))
			add_option(out, row);
}

/* ---- tables -------------------------------------------------------------------------------------------------- */

/* "/foo<C-d>" as people write it: <C-d> is ^D, <Enter> is Enter. */
static void add_key(struct buf *out, const char *key, size_t len)
{
	struct buf name;
	buf_init(&name);
	if (len > 4 && strncmp(key, "<C-", 3) == 0)
		buf_addf(&name, "^%c", key[3] >= 'a' && key[3] <= 'z' ? key[3] - 'a' + 'A' : key[3]);
	else if (len == 4 && strncmp(key, "<lt>", 4) == 0)
		buf_addc(&name, '<');
	else if (len > 2 && key[0] == '<')
		buf_add(&name, key + 1, len - 2);
	else
		buf_add(&name, key, len);
	add_font(out, 'B', buf_str(&name));
	buf_deinit(&name);
}

static void add_keys_of(struct buf *out, const struct command *c)
{
	buf_adds(out, ".TP\n");
	for (const char *p = c->keys; *p;) {
		size_t n = strcspn(p, " ");
		add_key(out, p, n);
		p += n;
		p += strspn(p, " ");
		buf_adds(out, *p ? ", " : "");
	}
	buf_addc(out, '\n');
	add_text(out, c->help);
	buf_addf(out, " (\\fI");
	add_text(out, c->name);
	buf_adds(out, "\\fR)\n");
}

static void add_keys(struct buf *out)
{
	buf_adds(out, ".SH KEYS\n");
	add_text(
		out,
		"In parentheses: the name of the command for bind in the configuration file. A number before a key that "
		"moves repeats it: 8j. As 1 to 4 choose a view, a number that begins with one of them is typed with a 0 "
		"before it: 025j.\n");
	for (unsigned group = 0; group < N_COMMAND_GROUPS; group++) {
		buf_addf(out, ".SS %s\n", command_group_title((enum command_group)group));
		for (const struct command *c = commands; c->name; c++)
			if (c->group == group && *c->keys)
				add_keys_of(out, c);
	}
	buf_adds(out, ".SS Mouse\n");
	for (size_t i = 0; keymap_mouse[i][0]; i++)
		add_entry(out, keymap_mouse[i][0], keymap_mouse[i][1]);
}

static void add_recordings(struct buf *out)
{
	add_paragraph(
		out,
		"A recording of perf has addresses. Their names come from the files on this machine, whose build ids have "
		"to be those recorded, from ~/.debug, from separate debug files, from /proc/kallsyms for the kernel and "
		"from the maps that compilers leave in /tmp/perf-PID.map. Stacks recorded with --call-graph=dwarf are "
		"unwound by the same files, those of x86_64 and aarch64; those of 32-bit x86 and arm if flametop was built "
		"with libdw. Where a stack was larger than its dump, its outer callers are missing, and a message says how "
		"many stacks that are and what to record with (--call-graph=dwarf,16384). Inlined calls "
		"(--inline) come from the debug information of these files, by libdw. perf script is started for --srcline "
		"and for --inline with --context, where all events are the scheduler's, for dumps of other machines, and "
		"for --inline without libdw.");
	add_paragraph(
		out,
		"Otherwise the stacks are those of perf script --no-inline, but that a caller is named by its call, not by "
		"what follows it (they differ where the call is the last instruction of a function), of several names at "
		"one address the global one is taken, without the version of its library, a chain with a damaged value "
		"keeps the frames before it, a sample without a chain has the function at work, chains are as long as "
		"recorded, and processes have their numbers for --pid. Unwound stacks go further: through code without "
		"call frame information by its frame pointers, as that of JIT compilers, and where a stack is cut there "
		"is no frame [unknown]. With --inline a function keeps the name of its symbol, and a part of a function "
		"that is inlined into another part of it comes once.");
}

static void add_tables(struct buf *out)
{
	size_t n;
	const struct collapse_format **formats = options_formats(&n);
	buf_adds(out, ".SH FORMATS\n");
	add_text(out, "The format is detected from the content, by the marks that come first; ");
	buf_adds(
		out,
		"\\fB\\-\\-format\\fR=\\fINAME\\fR forces one.\n"
		"Text whose lines merely end in numbers is not taken for folded stacks, nor are lists of single names "
		"that are called as metrics and counters are.\n"
		"Input compressed with gzip, zstd or xz is recognised, whatever its name. A perf.data file that is "
		"compressed is unpacked first, into a file without a name in TMPDIR, /var/tmp or /tmp. Where more than "
		"256 MiB and more than 200 times its size come out of a compressed pprof, JSON or XML file, that is an "
		"error.\n");
	for (size_t i = 0; i < n; i++)
		add_entry(out, formats[i]->name, formats[i]->help);
	free(formats);
	add_recordings(out);
	add_paragraph(
		out,
		"Some profilers sample threads that wait, too: sample and jstack. Stacks that wait are left out as long "
		"as they are no more than half of the input, and how much that was is said on standard error, in the "
		"header and in all outputs but folded stacks; --idle keeps them. While the input comes in, that is "
		"decided on what there is so far, and again whenever there is more. Where several inputs are compared or "
		"merged, none are left out. In output of sample, read counts as waiting only if other stacks that wait "
		"weigh at least as much. Threads of the Java machine itself are always left out. In a dump of three "
		"other threads, of which one runs, one is asleep and one waits for the network, the two that wait are "
		"left out, though they are more than half. In speedscope files, time in which nothing ran is always left "
		"out, even if it is more than half; with events that is also what startValue and endValue have before "
		"the first and behind the last of them.");
	add_paragraph(
		out,
		"Several inputs are added up as far as they count the same. Events of different names, or of one name "
		"and different units, stay apart, and so do samples of which the input does not say what they are, as "
		"folded stacks: unnamed samples. The first input's event is shown; the others are said on standard error "
		"and in the header, and --event=NAME shows them.");
	buf_adds(out, ".SH KINDS OF OUTPUT\nFor \\fB\\-\\-to\\fR=\\fIKIND\\fR.\n");
	for (size_t i = 0; export_kinds[i]; i++)
		add_entry(out, export_kinds[i]->name, export_kinds[i]->help);
	buf_adds(out, ".SH PALETTES\nFor \\fB\\-\\-colors\\fR=\\fIPALETTE\\fR.\n");
	for (unsigned i = 0; i < N_PALETTES; i++)
		add_entry(out, palette_name((enum palette)i), palette_help((enum palette)i));
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

static void add_head(struct buf *out)
{
	buf_adds(out, ".\\\" Made from the program's tables by `flametop --manual`; do not edit.\n"
	              ".TH FLAMETOP 1 \"" FLAMETOP_DATE "\" \"flametop " FLAMETOP_VERSION "\" \"User Commands\"\n"
	              ".SH NAME\nflametop \\- interactive flame graphs in the terminal\n"
	              ".SH SYNOPSIS\n"
	              ".B flametop\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.br\n"
	              ".B flametop\n\\fB\\-o\\fR \\fIOUT\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.br\n"
	              ".B flametop record\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR] [\\fICMD\\fR [\\fIARG\\fR]...]\n"
	              ".SH DESCRIPTION\n");
	add_text(out,
	         "flametop reads profiles and shows them as flame graphs: every frame is as wide as its share of the "
	         "samples, callees stand on their callers. What is on the screen can be written as an SVG, as folded "
	         "stacks, as text and as a table, and every option of the view has a key and every key an option.\n");
	add_paragraph(
		out, "FILE is a profile in any of the formats below, compressed or not; '-' is standard input, which is "
			 "also read when no FILE is given and it is not a terminal. Several files are merged. Recordings of "
			 "perf (perf.data, or a pipe from perf record -o -) are read without perf; where perf script knows "
			 "more of a file, it is asked (--symbolizer).");
	add_paragraph(out,
	              "If standard output is not a terminal, and neither -o nor --to is given, a text flame graph is "
	              "written there.");
	add_paragraph(
		out,
		"flametop record profiles a command, a process or the system with perf. On a terminal the flame graph "
		"grows while the samples come in, and stays when the command ends; what the command prints is shown "
		"after the viewer is left. With -o the result is only written. Ctrl-C ends the recording, not what "
		"follows. A second Ctrl-C, or five seconds after SIGTERM, kills a command or a perf that does not end; "
		"what was recorded is shown all the same. A recording that is ended takes with it whatever perf and the "
		"command have started, by SIGTERM and then SIGKILL, but for what has left them by itself, as daemons do; "
		"a process that was only watched (-p) goes on.");
	add_paragraph(
		out,
		"While a profile comes in, from perf or through a pipe, the place stays: cursor, zoom and search. The "
		"header says for how long, how many samples there are, how many came in the last second, how many perf "
		"has lost, and how much of a processor perf takes. --window shows the last seconds only, --decay lets "
		"what is older fade, and W picks either of them meanwhile; samples of formats without times have the "
		"time of their arrival then. Of a recording that goes on for hours, what a window has passed is "
		"forgotten, and beyond a million samples older ones of the same stack, thread and processor are added up.");
}

static void add_regex(struct buf *out)
{
	buf_adds(out, ".SH PATTERNS\n");
	add_text(out, "REGEX is a Perl-compatible regular expression, found anywhere in a function's name. Without an "
	              "upper-case letter it ignores case. Filters work in the order in which they are given.\n");
	add_paragraph(
		out, "In place of an expression, (*NAME) and a name stand for the functions of exactly this name, byte by "
			 "byte, which need not be text: --ignore='(*NAME)a\\xff'. \\xHH is a byte there, as in --zoom; "
			 "nothing else has a meaning. The key C writes names that are not UTF-8 in this way.");
	add_paragraph(
		out,
		"--time, --window and ranges of the heat map choose samples by when they begin: at the start of a range "
		"or later, and before its end. The pieces of a trace last for some time; they are not cut at the ends of "
		"a range, but taken whole or left out.");
}

static void add_noise(struct buf *out)
{
	add_paragraph(
		out,
		"A profile is a sample, and shares move without a cause. A change counts as noise if it is at most two "
		"standard errors: of a binomial share, both profiles taken together, or of the difference of two counts "
		"where weights are compared. The footer has that bound behind the sign +-. As among many functions some "
		"exceed it by chance, --fail-above asks for sqrt(2 ln 100n) standard errors with n functions, which a "
		"comparison of a program with itself passes in 99 of 100 cases; on a busy machine shares move by more "
		"than sampling explains, and a limit of a few points is what helps.");
	add_paragraph(
		out,
		"The error rests on the number of samples, not on weights. Where samples have times they are counted, "
		"unequal ones for less than one each. Numbers of a folded profile are taken as counts of samples, unless "
		"all are multiples of 10000 or more, as sampling periods are, or their median is as large; then that is "
		"one sample. Profiles of different units (counts and nanoseconds) are always compared by shares.");
	add_paragraph(
		out,
		"Events, filters, and threads chosen by name apply to both profiles. A thread or process chosen by its "
		"number, and a range of time, are of one run: they apply to the new profile only, which is then compared "
		"with the whole baseline. With --post-process the same holds of every choice of events and threads, and "
		"of --split: the program gets what was chosen.");
	add_paragraph(
		out,
		"The table of --to=top has first what grew by itself, then what shrank, then callers of these, and last "
		"the noise; --to=markdown leaves that out. --to=folded writes two columns, before and after.");
}

static void add_left_out(struct buf *out)
{
	buf_adds(out, ".SH WHAT IS LEFT OUT\n");
	add_text(
		out,
		"How much filters, a thread, or a range of time have taken out of the view is said by the header of the "
		"viewer and of --to=text, below the tables of --to=top and --to=markdown, and in an SVG where it shows "
		"the details of a frame. Folded stacks have no place for it, so it is said on standard error, unless "
		"--quiet is given.\n");
}

static void add_comparing(struct buf *out)
{
	buf_adds(out, ".SH COMPARING\n");
	add_text(
		out,
		"With --diff=BASE, which may be given several times and be of another format, or with folded stacks that "
		"have two columns, before and after, two profiles are compared. Widths are those of the new profile, or "
		"with --widths=before those of the baseline, so that what vanished can be seen. Red frames grew by "
		"themselves, blue ones shrank, the more the deeper; what chance may explain is pale. On the screen, in "
		"text and in an SVG, + and - and the numbers beside the names say the same without colours: the change "
		"of the frame without what it calls. With --reverse a frame shows the change of its whole weight. The "
		"key d lists what grew, shrank, is new or vanished; the call tree has the change of each total.\n");
	add_paragraph(
		out,
		"A comparison is one of shares or of weights, and colours, signs, numbers, words, tables, exports and "
		"the gate all speak of the same; the header names it. With --diff it is of shares of the whole, zoomed "
		"or not, so that a longer recording is no growth, and the weights beside them are those that were "
		"recorded; with --absolute it is of weights. Stacks with two columns are compared by weights, as other "
		"programs draw them, and with --normalize by shares; unless --absolute or --normalize says which is "
		"meant, an SVG gives their changes as those do, in percent of the whole, which --factor does not change. "
		"Folded output holds what was recorded, unless --normalize scales the baseline to the new total: whole "
		"counts that add up to it, none of them 0 that was more as long as there is room. With --diff and "
		"without --factor they are those of difffolded --normalize, which cuts each; what that loses is said on "
		"standard error. The key D goes through the modes: shares, weights, widths from before, and off. A flame "
		"chart shows the new profile alone, as it says in its header; --fail-above then judges the flame graph "
		"of the same samples.");
}

static void add_folded(struct buf *out)
{
	buf_adds(out, ".SH FOLDED STACKS\n");
	add_text(
		out,
		"What --to=folded writes is read again as the same stacks. Some names cannot stand in folded stacks as "
		"they are: those with a ';' or a line break, with a blank or a number at the end, with the beginning of "
		"a comment, and the empty name. Then the first line is\n");
	buf_adds(out, ".PP\n.RS 4\n");
	add_font(out, 'B', FOLDED_ESCAPED);
	buf_adds(out, "\n.RE\n");
	add_paragraph(
		out,
		"and in names \\xHH is the byte HH; \\x alone is the empty name. If the text looks like another format, "
		"the "
		"line '" FOLDED_ANNOUNCED "' comes first. To other programs these lines are comments, or lines without "
		"a count. Of what perf has sampled, names of nothing but blanks stay as they are. Readers of other "
		"formats turn a ';' in a name into ':', as every collapser does.");
	add_paragraph(
		out,
		"Up to six decimals of counts are kept. Where counts end in zeros or have more decimals, they are cut to "
		"integers, with a warning, unless that would lose a tenth of the sum.");
	add_paragraph(out, "Paths of --zoom use the same \\xHH; they need no such line.");
	add_paragraph(
		out,
		"Each line is a whole path. Of n calls inside one another, each with time of its own, that is half the "
		"square of n names, from the roots as well as with --reverse: 40,000 calls are more than a gigabyte.");
}

static void add_attributes(struct buf *out)
{
	buf_adds(out, ".SH ATTRIBUTES\n");
	add_text(
		out,
		"A line of the file of --nameattr is the name of a function and, behind tabs, attributes of its frames "
		"in an SVG: title=TEXT is the tooltip (the frame is labelled and found by its name all the same), "
		"href=LINK makes the frame a link, and id=, class= and target= are what they are in HTML. g_extra= and "
		"a_extra= bring others, separated by blanks, as in g_extra=stroke=\"green\" stroke-width=\"2\".\n");
	add_paragraph(
		out,
		"What could run a script or load something is left out; a warning names its line. Other attributes are "
		"kept only if they change the looks (style and the like, without url() and backslashes) or describe "
		"(rel, hreflang, type, role, tabindex, lang, data-*, aria-*). A link is relative, or begins with http:, "
		"https:, ftp:, file:, mailto: or the word of an editor (vscode:, idea:, emacs:, zed: ...).");
}

/* "sort = ORDER": as --sort. */
static void add_setting(struct buf *out, const struct option_row *row)
{
	struct buf name, text;
	buf_init(&name);
	buf_init(&text);
	buf_addf(&name, "%s = %s", option_setting(row), row->arg ? row->arg : "yes|no");
	buf_addf(&text, "%sas --%s", option_setting(row) == row->name ? "" : "no: ", row->name);
	add_entry(out, buf_str(&name), buf_str(&text));
	buf_deinit(&name);
	buf_deinit(&text);
}

static void add_files(struct buf *out)
{
	buf_adds(out, ".SH FILES\n.TP\n\\fI~/.config/flametop/config\\fR\n");
	add_text(
		out,
		"How the viewer begins, a line for each habit; options of the command line win. Files, and what goes to "
		"a pipe, are written without it. A line that is not understood is an error, whatever is asked for.\n");
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (row->modes & OPTION_IN_CONFIG)
			add_setting(out, row);
	add_entry(out, "bind KEY COMMAND",
	          "this key does what the command does; KEY as for --keys, COMMAND from the list of keys above");
}

static void add_tail(struct buf *out)
{
	buf_adds(out, ".SH EXIT STATUS\n");
	add_entry(out, "0", "done");
	add_entry(out, "1", "the input or the system failed");
	add_entry(out, "2", "wrong usage");
	add_entry(out, "3", "a function grew by more than --fail-above allows");
	add_paragraph(
		out, "flametop record passes on the status of a command that failed; --ignore-status makes it 0. If what "
			 "comes after a recording fails, it stays in the working directory, under a name that is said, for "
			 "--perfdata.");
	buf_adds(out, ".SH ENVIRONMENT\n");
	add_entry(out, "PERF", "the perf to run");
	add_entry(out, "NO_COLOR", "if set and not empty: no colours, unless --color asks for them");
	add_entry(out, "COLORTERM", "truecolor or 24bit: the terminal has all colours");
	add_entry(out, "VISUAL, EDITOR", "opens the source of a frame");
	add_entry(out, "XDG_CONFIG_HOME", "where flametop/config is looked for (default: ~/.config)");
	add_entry(out, "TMPDIR", "where recordings are kept while they are needed (default: /var/tmp, /tmp)");
	add_files(out);
	buf_adds(out, ".SH EXAMPLES\nA few things to begin with.\n");
	add_example(out, "Profile a command and watch:", "flametop record -- make -j4");
	add_example(out, "What the system does now, in a window of ten seconds:", "flametop record -a --window=10");
	add_example(out, "Look at a recording of perf:", "perf record -F 997 -g ./prog && flametop perf.data");
	add_example(out, "From another machine, through a pipe:", "ssh host perf script -i perf.data | flametop");
	add_example(out, "An interactive SVG of what malloc is called from:",
	            "flametop -o malloc.svg --focus=malloc --reverse perf.data");
	add_example(out, "In a build: fail if a function got slower by more than two points:",
	            "flametop --diff=before.folded --fail-above=2 --to=top after.folded");
	add_example(out, "What changed, as a table for a pull request:",
	            "flametop --diff=before.folded -o changes.md after.folded");
	add_example(out, "What vanished, drawn with its old widths:",
	            "flametop --diff=before.folded --widths=before -o vanished.svg after.folded");
	buf_adds(out, ".SH SEE ALSO\n.BR perf (1),\n.BR perf\\-record (1),\n.BR perf\\-script (1)\n");
}

void manual_add(struct buf *out)
{
	static const enum option_group groups[] = {GROUP_INPUT,    GROUP_VIEW,   GROUP_OUTPUT, GROUP_SVG,
	                                           GROUP_TERMINAL, GROUP_RECORD, GROUP_OTHER};
	add_head(out);
	buf_adds(
		out,
		".SH OPTIONS\nLong options may be abbreviated; \\fB\\-\\-\\fR ends them. One that has no effect on the "
		"format of the input, or on the kind of output, is named on standard error and changes nothing.\n");
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		add_options(out, groups[i]);
	add_regex(out);
	add_comparing(out);
	add_noise(out);
	add_left_out(out);
	add_attributes(out);
	add_folded(out);
	add_keys(out);
	add_tables(out);
	add_tail(out);
}

static bool print(struct buf *text, struct err *err)
{
	struct output *out = output_open("-", err);
	bool is_good = out;
	if (is_good) {
		output_flush_buf(out, text);
		is_good = output_commit(out, err);
	}
	buf_deinit(text);
	return is_good;
}

bool manual_print(struct err *err)
{
	struct buf text;
	buf_init(&text);
	manual_add(&text);
	return print(&text, err);
}

bool manual_print_completions(const char *shell, struct err *err)
{
	struct buf text;
	buf_init(&text);
	completions_add(&text, shell);
	return print(&text, err);
}
