/*
 * manual.c - flametop(1).
 *
 * Options, keys, mouse actions, formats, kinds of output and palettes come from their tables; only the rest is
 * written here. `make docs` writes the page to man/flametop.1, and a test compares it with the program's output.
 *
 *	.TP
 *	\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR
 *	write the view to FILE ...
 */
#include "manual.h"

#include <flametop.h>
#include <string.h>

#include "base/escape.h"
#include "base/output.h"
#include "manual_texts.h"
#include "options.h"
#include "tui/command.h"
#include "tui/keys.h"

/* Escapes for characters that man(7) would interpret, or typeset so that they cannot be copied. */
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

/* Appends plain text so that man(7) shows it as it is, and no line turns into a request. */
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

/* The names that an option takes. */
static void add_words(struct buf *out, const char *option)
{
	struct flametop_word w = {.size = sizeof w};
	for (size_t i = 0; flametop_word(option, i, &w) == FLAMETOP_OK; i++)
		add_entry(out, w.word, w.help);
}

/* Appends a paragraph of plain text. */
static void add_paragraph(struct buf *out, const char *text)
{
	buf_adds(out, ".PP\n");
	add_text(out, text);
	buf_addc(out, '\n');
}

static void add_section(struct buf *out, const char *const *texts)
{
	buf_addf(out, ".SH %s\n", *texts++);
	add_text(out, *texts++);
	buf_addc(out, '\n');
	while (*texts)
		add_paragraph(out, *texts++);
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
	unsigned alone = OPTION_MODE_RECORD | OPTION_MODE_CARGO;
	unsigned mode = group == GROUP_RECORD || group == GROUP_CARGO ? alone : ~alone;
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
	buf_addf(out,
	         ".SH KEYS\nThe name in parentheses is the command for bind in the configuration file. A number before "
	         "a key that moves repeats it: 8j. Since 1 to %d choose a view, type a 0 before a number that begins "
	         "with one of them: 025j.\n",
	         N_TABS);
	for (unsigned group = 0; group < N_COMMAND_GROUPS; group++) {
		buf_addf(out, ".SS %s\n", command_group_title((enum command_group)group));
		for (const struct command *c = commands; c->name; c++)
			if (c->group == group && *c->keys)
				add_keys_of(out, c);
	}
	buf_adds(out, ".SS Mouse\n");
	for (size_t i = 0; keymap_mouse[i][0]; i++)
		add_entry(out, keymap_mouse[i][0], keymap_mouse[i][1]);
	buf_adds(out, ".SS Leaving\n");
	add_text(
		out,
		"q asks once before it ends a recorded command, or loses samples that are stored nowhere: those of a "
		"recording, or of a pipe, of which w has not written a whole graph of their event since, also those "
		"that came while the view was frozen. Idle samples that were left out are in no file that w writes: "
		"after w, q asks for these. The same key again leaves. "
		"Without --root, d lets the recorded command run on: perf is ended at once, samples of the "
		"last moment may be missing, and what the command prints from then on is dropped. Where flametop is the "
		"first program of its terminal (tmux new-window 'flametop record ...', xterm -e, ssh -t), d is not "
		"offered: the system would hang up on the command. A profile from a file never asks, nor do Ctrl-C, "
		"signals and --keys; --no-ask, or ask = no in the configuration, turns the question off. When a "
		"recorded command ends, the header says how: ended, status 3; or killed by SIGTERM; or stopped, by "
		"Ctrl-C or --duration.\n");
	buf_adds(out, ".SS Copying\n");
	add_text(out,
	         "Inside tmux, text goes into its buffer (tmux load-buffer), and from there to the clipboard of the "
	         "terminal around it. Elsewhere the terminal gets it by the escape sequence OSC 52, also over SSH and "
	         "through screen. A terminal may refuse that and does not answer, and most take no more than 74,994 "
	         "bytes; so the text is also shown as a whole, with the place where it went.\n");
}

static void add_recordings(struct buf *out)
{
	add_paragraph(
		out,
		"A recording of perf contains addresses. Their names come from files on this machine whose build ids "
		"match the recorded ones, from ~/.debug, from separate debug files, from /proc/kallsyms for the "
		"kernel, and from the maps that JIT compilers leave in /tmp/perf-PID.map. Stacks recorded with "
		"--call-graph=dwarf are unwound with the same files on x86_64 and aarch64, and on 32-bit x86 and arm "
		"if flametop was built with libdw. If a stack was larger than its dump, its outer callers are "
		"missing; a message says how many stacks are affected and which size to record with "
		"(--call-graph=dwarf,16384). Inlined functions come from the debug information of these files, through "
		"libdw (--no-inline leaves them out). The viewer looks them up in a second pass over the file, and "
		"shows the other functions meanwhile. flametop calls perf script for --srcline, for --inline with "
		"--context, for recordings that hold only scheduler events, for dumps of other machines, and for "
		"--inline without libdw.");
	add_paragraph(
		out,
		"A recording of another machine, or of files that have moved, needs them: --symfs=DIR looks below DIR, a "
		"copy of that machine's files, and --path-map=OLD=NEW looks below NEW for what was below OLD. The first "
		"path map that fits wins, and goes before --symfs. Links below DIR, absolute ones too, lead to where "
		"they lead with DIR as the root, as do those below NEW of --path-map=/=NEW; links below another NEW are "
		"those of this machine. A file that is not there is taken from its own "
		"place, or from ~/.debug, where perf archive's copies belong, if its build id is the recorded one. "
		"DIR may also hold a copy of /proc/kallsyms; --kallsyms=FILE names one. flametop bundle (below) packs a "
		"recording with all of these files. perf script knows --symfs and "
		"--kallsyms only, and resolves links below DIR as those of this machine. With --debuginfod, the servers in "
		"DEBUGINFOD_URLS are asked for programs and debug "
		"information that are missing, by build id (for a file with a symbol table only with --inline), and for "
		"sources that views of lines show; libdebuginfod keeps them in ~/.cache/debuginfod_client. "
		"Ctrl-C, or q in the viewer, ends a slow transfer. In text of perf script, --inline "
		"finds the programs likewise.");
	add_paragraph(
		out,
		"Otherwise the stacks are those of perf script --no-inline, with these exceptions. A caller is named "
		"by its call instruction, not by the next one (they differ if the call is the last instruction of a "
		"function). Of several names at one address, the global one is used, without the version of its "
		"library. A chain with a damaged value keeps the frames before it. A sample without a chain shows the "
		"function that was running. Chains are as long as recorded. --pid shows the real process numbers. "
		"Unwinding goes on by frame pointers through code without call frame information, such as JIT code, "
		"and a cut stack gets no frame [unknown]. An address in a mapping of data (perf record -d) is "
		"[unknown]. Where functions are inlined, the one around them keeps the name of its symbol, and a part of a "
		"function inlined into another part of it appears once.");
}

static void add_kinds(struct buf *out)
{
	buf_adds(
		out,
		".SH KINDS OF OUTPUT\nFor \\fB\\-\\-to\\fR=\\fIKIND\\fR; the suffix of a file (md, txt) does as well.\n");
	add_words(out, "to");
	add_paragraph(out,
	              "A file shows the view that --view names, or the one in front when w writes it. svg, html, "
	              "folded and text show the flame graph and its relatives; top and markdown the functions in it.");
	add_paragraph(
		out, "The table of functions fits top, markdown and text: all rows that pass its filter, in its order.");
	add_paragraph(
		out,
		"svg, html, text and folded can show the sandwich of a function. A picture has the callers above the "
		"function and the callees below it. In an SVG and a page the reader zooms into each half, and a search "
		"gives the share of matches in each. Folded output has the whole stacks through the function, from "
		"which flametop makes the same sandwich. If a function calls itself, only the outermost call counts.");
	add_paragraph(out,
	              "A flame chart as folded stacks has its samples in their order, so that a stack may have several "
	              "lines; only neighbours are added up.");
	add_paragraph(
		out, "A zoomed view as a file has the zoomed frame and its callees, with its callers below; an SVG "
			 "of it does not zoom further out. In a browser, an SVG zooms with a click or Enter, and goes back "
			 "with Esc or Reset Zoom. / or Ctrl-F searches names (JavaScript's expressions, without module: and "
			 "the like, but for the search that the file began with), n and N go to the next match, Ctrl-I makes "
			 "case count; i inverts, t shows a table, c copies the name, arrows move, ? lists the keys. The "
			 "address keeps zoom and search, for a link.");
	add_paragraph(
		out,
		"The call tree fits text: its rows as they are open. Lines of functions fit lines, text and markdown.");
	add_paragraph(out,
	              "A kind that cannot show the view is refused before anything is written, with the names of those "
	              "that can. No kind can show the heat map.");
}

static void add_progress(struct buf *out)
{
	add_paragraph(
		out,
		"Outside the viewer, work of more than half a second is shown in one line of the terminal, if standard "
		"error is one: the file being read, how much of it, how fast, and the program whose symbols or inlined "
		"functions are looked up. The line is gone at the end; --quiet leaves it out.");
}

static void add_tables(struct buf *out)
{
	buf_adds(out, ".SH FORMATS\n");
	add_text(out, "The format is detected from the content: the format whose marks are complete first wins; ");
	buf_adds(
		out,
		"\\fB\\-\\-format\\fR=\\fINAME\\fR forces one.\nText whose lines merely end in numbers does not count "
		"as folded stacks, nor do lists of single names that look like metrics and counters.\nInput compressed "
		"with gzip, zstd or xz is recognised under any name. A compressed perf.data file is first unpacked "
		"into a nameless file in TMPDIR, /var/tmp or /tmp. A compressed file of pprof, JSON or XML, a web "
		"page, or text of Go's pprof or Papyrus is read no further once it expands to more than 256 MiB and more "
		"than 200 times its size.\n");
	add_words(out, "format");
	add_recordings(out);
	add_paragraph(
		out,
		"Some profilers, sample and jstack, also sample waiting threads. Waiting stacks are left out if they "
		"are at most half of the input; how much that was appears on standard error, in the header and in all "
		"outputs but folded stacks. --idle keeps them. While the input comes in, the decision rests on what "
		"has arrived so far, and is made again whenever there is more. If several inputs are compared or "
		"merged, all stacks stay. In output of sample, read counts as waiting only if other waiting stacks "
		"weigh at least as much. Threads of the Java machine itself, which have no Java stack, are always left "
		"out unless --idle is given. In a dump of three other threads, of which one runs, one sleeps and one "
		"waits for the network, the two waiting ones are left out, though they are more than half. In "
		"speedscope files, time in which nothing ran is always left out, even if it is more than half; in "
		"files with events that includes time after startValue before the first event, and after the last "
		"event before endValue. So are samples of Firefox and samply without a stack.");
	add_paragraph(
		out, "Several inputs are added up if they count the same thing. Events of different names, or of one name "
			 "with different units, stay apart, and so do samples of unknown events, as in folded stacks without "
			 "a unit: unnamed samples. --unit gives a unit to what comes without one, in every format. The "
			 "first input's event is shown; standard error and the header name the others, and --event=NAME "
			 "shows them. --split=event shows all; if their units differ, a warning and every "
			 "output says mixed units: only frames of one event can be compared then. Lines have no such "
			 "frames, so theirs are the sums of all events unless --event chooses one.");
	add_paragraph(
		out, "Files are named without their directories in headers and by --split=file; those of the same name "
			 "keep as much of their paths as tells them apart. A baseline's files are named for themselves, so "
			 "that old/a is compared with new/a.");
	add_progress(out);
	add_kinds(out);
	buf_adds(out, ".SH PALETTES\nFor \\fB\\-\\-colors\\fR=\\fIPALETTE\\fR.\n");
	add_words(out, "colors");
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
	              ".B flametop record\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR] [\\fICMD\\fR [\\fIARG\\fR]...]\n.br\n"
	              ".B flametop sample\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR] [\\fICMD\\fR [\\fIARG\\fR]...]\n.br\n"
	              ".B flametop bundle\n[\\fIOPTION\\fR]... [\\fIPERF.DATA\\fR]\n.br\n"
	              ".B cargo flametop\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR \\fIARG\\fR...]\n"
	              ".SH DESCRIPTION\n");
	add_text(out,
	         "flametop reads profiles and shows them as flame graphs: the width of a frame is its share of the "
	         "samples, and callees stand on their callers. The view on the screen can be written as an SVG, as "
	         "folded stacks, as text and as a table. Every option of the view has a key, and every key an "
	         "option.\n");
	add_paragraph(
		out, "FILE is a profile in any of the formats below, compressed or not; '-' is standard input, which is "
			 "also read if no FILE is given and it is not a terminal. Several files are merged. Recordings of perf "
			 "(perf.data, or a pipe from perf record -o -) are read without perf; flametop calls perf script for "
			 "what only perf can do (--symbolizer). Bundles (below) hold such a recording.");
	add_paragraph(out, "If standard output is not a terminal, and neither -o nor --to is given, flametop writes a "
	                   "text flame graph there. It ends with the three heaviest functions by self weight.");
}

static void add_labels(struct buf *out)
{
	add_paragraph(
		out,
		"--tagfocus and --tagignore choose samples by the labels (tags) that a program gave them, in profiles of "
		"pprof, with pprof's rules: REGEX is matched with key:value; in KEY=REGEX, with the values of this key. "
		"Behind KEY=, any of several texts with commas may match; without a key, all of several must. Options "
		"that are given several times must all match: --tagfocus=user=alice --tagfocus=endpoint=GET. A number or a "
		"range is compared with labels "
		"that are numbers: bytes=128kb, 128kb:2mb, :64kb, 1s:. Units are b to pb and ns to hr; a number without "
		"one is in the label's own. Texts never match a number: id=^7$ finds the text 7, id=7 the number. "
		"KEY=(*NAME)VALUE, which the key C writes, is exactly this value. --split=label:KEY puts each stack on "
		"its value, as KEY=VALUE, or KEY ? without one; ; and = in a key are written as \\x3b and \\x3d. "
		"Samples are chosen before all filters of stacks. The key T lists all labels: of more than 200,000 "
		"different sets the first ones, unless an option names a label.");
}

static void add_regex(struct buf *out)
{
	buf_adds(out, ".SH PATTERNS\n");
	add_text(out, "REGEX is a Perl-compatible regular expression, found anywhere in a function's name. Without an "
	              "upper-case letter it ignores case. Filters apply in the order given.\n");
	add_paragraph(
		out, "In place of an expression, (*NAME) and a name match the functions of exactly this name, byte by "
			 "byte, even if it is not text: --ignore='(*NAME)a\\xff'. \\xHH is a byte there, as in --zoom; all "
			 "other characters stand for themselves. The key C writes names that are not UTF-8 in this way.");
	add_paragraph(
		out,
		"With module:, file: or package: before it, REGEX is matched with where functions come from: "
		"--search=module:libpython, --ignore='file:^parser\\.c$'. Names that begin with one of these words are "
		"found by ^module: and the like. In prompts, Tab completes names, also after these words.");
	add_paragraph(
		out,
		"A module is the program, library or kernel module, without its directory as in perf report --sort dso, "
		"or the script; where the profile does not tell, names may: libc.so.6`read, org.acme.Pool.get. A file "
		"has the path that the profile gives it; an expression is tried with its last part alone, too. A "
		"package is the beginning of a name: org.acme of org.acme.Pool.get, the path of a package in Go, the "
		"outermost namespace in C++ and Rust; a function without one belongs to its module. Functions inlined by "
		"the compiler are of the module that they are inlined into; the text of perf script does not always "
		"tell it. What is not known is in [unknown module] or [unknown file]. Frames for threads and processes "
		"belong to none; those named after a process are marked (process).");
	add_paragraph(
		out,
		"Functions of one name are one frame, whatever modules they come from. While a search is for modules or "
		"files, they are apart, so that exactly the frames of these are counted. --group=module (key p) sums "
		"by module, --split=module puts each stack on the module of its last frame: both give each module the "
		"self weight that perf report --sort dso gives it. Filters come before the grouping.");
	add_labels(out);
	add_paragraph(
		out,
		"--time, --window and ranges of the heat map choose samples by their beginning: at or after the start "
		"of the range, and before its end. The spans of a trace have a duration; a range does not cut them, "
		"but takes or leaves them whole: a stretch between a call and a return, or two of them, is one. So is a "
		"wait off the CPU, which is in no --window that is shorter than the wait.");
}

static void add_noise(struct buf *out)
{
	add_paragraph(
		out,
		"A profile is a sample, so shares move without a cause. A change counts as noise if it is at most two "
		"standard errors: of a binomial share estimated from both profiles or, if weights are compared, of the "
		"difference of two counts. The footer shows that bound after the sign +-. Among many functions some "
		"exceed it by chance, so --fail-above requires sqrt(2 ln 100n) standard errors with n functions, a "
		"limit that 99 of 100 comparisons of a program with itself stay within. Its list begins with the "
		"functions whose self weight grew most; then come those whose total grew though nothing that they call "
		"is in the list. Callers of these grow with them: they are counted, and --verbose lists them. On a "
		"busy machine shares move by more than sampling explains; there, a limit of a few points helps.");
	add_paragraph(
		out,
		"The error depends on the number of samples, not on weights. Samples with times are counted, unequal "
		"ones as less than one each. Numbers of a folded profile count as samples, also beside a profile of "
		"nanoseconds or bytes, unless all are multiples of 10000 or more, as sampling periods are, or their "
		"median is that large; then that number is one sample. The numbers are those that the file has in its "
		"own unit, whatever they are converted to; of callgrind those of its lines of costs. If the file names "
		"a unit that is no count "
		"(# unit: ms), a line may stand for any number of samples: lines then count like samples with "
		"times, unequal ones as less than one each, so that the error is rather too large.");
	add_paragraph(
		out,
		"A baseline in another unit of time (ns, us, ms, s) or size (bytes, kB, MB, GB, TB) is converted to the "
		"profile's unit, or if that would cut off parts of its numbers, the profile to its own. Profiles of "
		"other different units (counts and nanoseconds) are always compared by shares: a message and the "
		"header name both units, and so do files with numbers of both sides, in which each has its own. pprof "
		"then has two types of values, callgrind two units, Firefox a thread for each side, and folded stacks "
		"the baseline in proportion to the profile.");
	add_paragraph(
		out, "Events, filters, and threads chosen by name apply to both profiles. A thread or process chosen by "
			 "number, and a time range, belong to one run: they apply only to the new profile, which is then "
			 "compared with the whole baseline. With --post-process the same holds for every choice of events and "
			 "threads, and for --split: the program gets only the chosen samples.");
	add_paragraph(
		out,
		"If only one of the profiles has modules or files (folded stacks have none), frames are compared by "
		"name, also during a search for modules. By module, nothing can be compared then: headings and a "
		"warning say so, and --fail-above refuses with status 2. It does so, too, if filters leave nothing of one "
		"side, so that no shares can be compared.");
	add_paragraph(
		out,
		"The table of --to=top lists first the functions whose self weight grew, then those whose self weight "
		"shrank, then their callers, and last the noise, which --to=markdown leaves out. Where --top cuts it "
		"off, it has those that changed most, whether they grew or shrank. --to=folded writes "
		"two columns, before and after; in that of --to=pprof samples of BASE are negative and have the label "
		"pprof::base, as with pprof -diff_base; in that of --to=firefox their weights are negative. Values of "
		"pprof and callgrind are whole numbers: times get nanoseconds, other fractions are carried over to the "
		"next sample, and a message says how many are rounded, and to what sum.");
}

static void add_left_out(struct buf *out)
{
	buf_adds(out, ".SH EXCLUDED WEIGHT\n");
	add_text(
		out,
		"The header of the viewer and of --to=text shows how much weight filters, a thread, or a time range "
		"took out of the view; so do the lines below the tables of --to=top and --to=markdown, and the details "
		"line of an SVG. Folded stacks cannot say it, so standard error does, unless --quiet is given; with "
		"--post-process it also says what is left out of the stacks that the program gets.\n");
	add_paragraph(
		out,
		"While the input still comes in, from a file, a pipe or a recording, w writes what has been read "
		"so far. The viewer says how much that is, and so does every kind of file, next to the excluded weight; "
		"folded stacks have it in a comment.");
}

static void add_comparing(struct buf *out)
{
	buf_adds(out, ".SH COMPARING\n");
	add_text(
		out,
		"--diff=BASE compares two profiles. It may be given several times, and BASE may be of another format; "
		"folded stacks with two columns, before and after, are compared without it; a line or file of one "
		"column beside them was not there before, and a warning says so. Widths are those of the new profile, "
		"or with --widths=before those of the baseline, which shows vanished frames. The self weight of red "
		"frames grew, that of blue ones shrank, the deeper the colour the more; changes that chance may "
		"explain are pale. On the screen and in text, + and - and the numbers next to the names give the same "
		"change of self weight without colours, in an SVG the titles of frames do; ~ means noise. With --reverse "
		"and --callers a frame shows the change of its total weight. The key d lists what grew, shrank, is new or "
		"vanished; the call tree shows the change of each total.\n");
	add_paragraph(
		out,
		"A comparison is of shares or of weights. Colours, signs, numbers, words, tables, exports and the gate "
		"all use the same quantity, which the header names. --diff compares shares of the whole, zoomed or "
		"not, so that a longer recording is not growth; the weights next to them are as recorded. --absolute "
		"compares weights. Stacks with two columns are compared by weights, as other programs draw them, and "
		"with --normalize by shares; the table in an SVG (key t) has the new profile's weights; "
		"without --absolute or --normalize an SVG shows their changes as those "
		"programs do, in percent of the whole, which --factor does not change. Folded output has the recorded "
		"weights, unless --normalize scales the baseline to the new total: to integers that add up to it, none "
		"of which becomes 0 as long as there is room. With --diff and without --factor they are those of "
		"difffolded --normalize, which cuts each; standard error reports the loss. The key D steps through the "
		"modes: shares, weights, widths from before, and off. A flame chart shows only the new profile and "
		"says so in its header; --fail-above then judges the flame graph of the same samples, of a chart over time "
		"those of the visible time.");
}

static void add_folded(struct buf *out)
{
	buf_adds(out, ".SH FOLDED STACKS\n");
	add_text(out, manual_escapes);
	buf_adds(out, ".PP\n.RS 4\n");
	add_font(out, 'B', FOLDED_ESCAPED);
	buf_adds(out, "\n.RE\n");
	for (size_t i = 0; manual_folded[i]; i++)
		add_paragraph(out, manual_folded[i]);
}

static void add_attributes(struct buf *out)
{
	buf_adds(out, ".SH ATTRIBUTES\n");
	add_text(
		out,
		"Each line of the file of --nameattr is the name of a function and, after tabs, attributes of its "
		"frames in an SVG: title=TEXT is the tooltip (labels and search still use the name), href=LINK makes "
		"the frame a link, and id=, class= and target= have their meaning from HTML. g_extra= and a_extra= add "
		"others, separated by blanks, as in g_extra=stroke=\"green\" stroke-width=\"2\".\n");
	add_paragraph(
		out,
		"Attributes that could run a script or load something are left out; a warning names their lines. Other "
		"attributes are kept only if they change the appearance (style and the like, without url() and "
		"backslashes) or describe (rel, hreflang, type, role, tabindex, lang, data-*, aria-*). A link must be "
		"relative, or begin with http:, https:, ftp:, file:, mailto: or the scheme of an editor (vscode:, "
		"idea:, emacs:, zed: ...).");
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
	add_text(out,
	         "The viewer's settings, one per line; options of the command line override them. Output to files and "
	         "pipes ignores them. A bad line is an error in any case, except for --help, --version and the like, "
	         "which do not read the file. A file that you may not read counts as empty.\n");
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (row->modes & OPTION_IN_CONFIG)
			add_setting(out, row);
	add_entry(out, "bind KEY COMMAND",
	          "this key runs the command; KEY as for --keys, COMMAND from the list of keys above. <C-c>, <C-z> and "
	          "<C-\\> are signals in a terminal and keep their meaning");
}

static void add_tail(struct buf *out)
{
	buf_adds(out, ".SH EXIT STATUS\n");
	add_entry(out, "0", "done");
	add_entry(out, "1",
	          "the input or the system failed; or there is nothing to draw in an SVG (tables and folded "
	          "stacks may be empty)");
	add_entry(out, "2", "wrong usage");
	add_entry(out, "3", "a function grew by more than --fail-above allows");
	add_paragraph(
		out,
		"flametop record passes on the status of a command that failed, and has 127 or 126, as a shell, for one "
		"that cannot be run; --ignore-status makes it 0, unless flametop's own sampler failed. If a "
		"step after the recording fails, the recording stays in the working directory or, if that takes no "
		"files, in TMPDIR or /var/tmp, under a name that the message gives, for --perfdata.");
	buf_adds(out, ".SH ENVIRONMENT\n");
	add_entry(out, "PERF", "the perf to run; flametop record then lets it take the samples");
	add_entry(out, "DTRACE, XCTRACE", "likewise the dtrace or xctrace to run, on any system");
	add_entry(out, "NO_COLOR", "if set and not empty: no colours, unless --color asks for them");
	add_entry(out, "COLORTERM", "truecolor or 24bit: the terminal has all colours");
	add_entry(out, "VISUAL, EDITOR", "opens the source of a frame");
	add_entry(out, "XDG_CONFIG_HOME", "directory of flametop/config (default: ~/.config)");
	add_entry(out, "TMPDIR", "directory for temporary recordings and unpacked bundles (default: /var/tmp, /tmp)");
	add_files(out);
	buf_adds(out, ".SH EXAMPLES\nA few things to begin with.\n");
	add_example(out, "Profile a command and watch:", "flametop record -- make -j4");
	add_example(out, "Watch another machine that has flametop:", "ssh host flametop sample -a -o - | flametop");
	add_example(out, "Watch the system, in a window of ten seconds:", "flametop record -a --window=10");
	add_example(out, "Look at a recording of perf:", "perf record -F 997 -g ./prog && flametop perf.data");
	add_example(out, "Take it to another machine:", "flametop bundle perf.data && scp perf.data.tar.zst host:");
	add_example(out, "From another machine, through a pipe:", "ssh host perf script -i perf.data | flametop");
	add_example(out, "Draw who calls malloc, above it, and what it calls, below it, as an interactive SVG:",
	            "flametop --view=sandwich --function=malloc -o who-calls-malloc.svg perf.data");
	add_example(out, "Print the hottest lines of a function:", "flametop --to=lines --function=parse perf.data");
	add_example(out, "Name the five hottest functions in a script:",
	            "flametop --to=json perf.data | jq -r '.functions[:5][].name'");
	add_example(out, "Write a recording for pprof:", "flametop -o perf.pb.gz perf.data");
	add_example(out, "Draw a graph of all its callers:", "flametop -o malloc.svg --callers='^malloc$' perf.data");
	add_example(out, "In a build: fail if a function grew by more than two points:",
	            "flametop --diff=before.folded --fail-above=2 --to=top after.folded");
	add_example(out, "Write the changes as a table for a pull request:",
	            "flametop --diff=before.folded -o changes.md after.folded");
	add_example(out, "Draw vanished frames with their old widths:",
	            "flametop --diff=before.folded --widths=before -o vanished.svg after.folded");
	buf_adds(out, ".SH SEE ALSO\n.BR perf (1),\n.BR perf\\-record (1),\n.BR perf\\-script (1)\n");
}

/* The source of flametop(1), for man(7). */
static void add_manual(struct buf *out)
{
	static const enum option_group groups[] = {GROUP_INPUT,  GROUP_SOURCE,   GROUP_VIEW,   GROUP_OUTPUT,
	                                           GROUP_SVG,    GROUP_TERMINAL, GROUP_RECORD, GROUP_CARGO,
	                                           GROUP_SAMPLE, GROUP_BUNDLE,   GROUP_OTHER};
	add_head(out);
	buf_adds(
		out,
		".SH OPTIONS\nLong options may be abbreviated; \\fB\\-\\-\\fR ends them. One that has no effect on the "
		"format of the input, or on the kind of output, is named on standard error and changes nothing.\n");
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		add_options(out, groups[i]);
	add_section(out, manual_fetching);
	add_section(out, manual_recording);
	add_section(out, manual_cargo);
	add_section(out, manual_off_cpu);
	add_section(out, manual_io);
	add_section(out, manual_memory);
	add_section(out, manual_views);
	add_section(out, manual_lines);
	add_section(out, manual_json);
	add_section(out, manual_pages);
	add_section(out, manual_time_axis);
	add_section(out, manual_bundles);
	add_regex(out);
	add_section(out, manual_callers);
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
	if (out)
		output_flush_buf(out, text);
	bool is_good = out && output_commit(out, err);
	buf_deinit(text);
	return is_good;
}

bool manual_print(struct err *err)
{
	struct buf text;
	buf_init(&text);
	add_manual(&text);
	return print(&text, err);
}

bool manual_print_completions(const char *shell, struct err *err)
{
	struct buf text;
	buf_init(&text);
	completions_add(&text, shell);
	return print(&text, err);
}
