/*
 * options_help.c - prints the table of options in a terminal: --help, and the lists of names for --format=help,
 * --to=help and --colors=help.
 *
 *	  -f, --format=NAME      read the input as this format instead of detecting
 *	                         it; 'help' lists the formats
 *
 * Everything fits 80 columns and is plain ASCII, readable on any terminal.
 */
#include "options.h"

#include <flametop.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define HELP_COLUMNS 79u
#define HELP_INDENT 27u

const char *option_group_title(enum option_group group)
{
	static const char *const titles[] = {
		[GROUP_INPUT] = "Input",   [GROUP_VIEW] = "View",         [GROUP_OUTPUT] = "Output",
		[GROUP_SVG] = "SVG",       [GROUP_TERMINAL] = "Terminal", [GROUP_RECORD] = "Recording",
		[GROUP_BUNDLE] = "Bundle", [GROUP_SAMPLE] = "Sample",     [GROUP_OTHER] = "Other",
		[GROUP_CARGO] = "Cargo",   [GROUP_SOURCE] = "Fetching",   [GROUP_HIDDEN] = "",
	};
	return titles[group];
}

/* Appends text wrapped between words, starting in column `at`; further lines begin at `indent`. */
static void add_wrapped(struct buf *out, const char *text, size_t at, size_t indent)
{
	size_t col = at;
	while (*text) {
		size_t n = strcspn(text, " ");
		bool is_first = col == indent;
		if (!is_first && col + 1 + n > HELP_COLUMNS) {
			buf_addc(out, '\n');
			buf_pad(out, ' ', indent);
			col = indent;
			is_first = true;
		}
		if (!is_first)
			buf_addc(out, ' ');
		buf_add(out, text, n);
		col += n + !is_first;
		text += n;
		text += strspn(text, " ");
	}
	buf_addc(out, '\n');
}

/* A name at column `left` and its text at column `indent`, on the next line if the name is too long. */
static void add_entry(struct buf *out, const char *name, const char *text, size_t left, size_t indent)
{
	size_t n = strlen(name);
	buf_pad(out, ' ', left);
	buf_adds(out, name);
	if (left + n + 2 > indent)
		buf_addc(out, '\n');
	buf_pad(out, ' ', left + n + 2 > indent ? indent : indent - left - n);
	add_wrapped(out, text, indent, indent);
}

static void add_spelling(struct buf *out, const struct option_row *row)
{
	bool is_optional = row->arg && row->arg[0] == '[';
	if (row->letter)
		buf_addf(out, "-%c%s", row->letter, row->name ? ", " : "");
	else
		buf_adds(out, "    ");
	if (row->name)
		buf_addf(out, "--%s", row->name);
	if (!row->arg)
		return;
	if (is_optional)
		buf_addf(out, "[=%s", row->arg + 1);
	else
		buf_addf(out, "%s%s", row->name ? "=" : " ", row->arg);
}

static void add_group(struct buf *out, enum option_group group, unsigned mode)
{
	struct buf name;
	buf_init(&name);
	buf_addf(out, "\n%s:\n", option_group_title(group));
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (row->group != group || !(row->modes & mode))
			continue;
		name.len = 0;
		add_spelling(&name, row);
		add_entry(out, buf_str(&name), row->help, 2, HELP_INDENT);
	}
	buf_deinit(&name);
}

static void add_view_usage(struct buf *out)
{
	buf_adds(out, "Usage: flametop [OPTION]... [FILE]...\n"
	              "       flametop -o OUT [OPTION]... [FILE]...\n"
	              "       flametop record [OPTION]... [-- CMD ARG...]\n"
	              "       flametop sample [OPTION]... [-- CMD ARG...]\n"
	              "       flametop bundle [OPTION]... [PERF.DATA]\n"
	              "       cargo flametop [OPTION]... [-- ARG...]\n\n");
	add_wrapped(
		out,
		"Shows profiles as interactive flame graphs in the terminal. FILE is a profile in any supported format, "
		"compressed or not, its address (http://host:6060/debug/pprof/profile), or '-' for standard input; several "
		"are merged. With -o or --to, or when standard "
		"output is not a terminal, the view is written instead.",
		0, 0);
}

static void add_record_usage(struct buf *out)
{
	buf_adds(out, "Usage: flametop record [OPTION]... [--] CMD [ARG]...\n"
	              "       flametop record [OPTION]... -p PID | -t TID | -a | --cgroup=PATH\n\n");
	add_wrapped(
		out,
		"Profiles a command, a process or the whole system, with nothing else installed. On a terminal the flame "
		"graph grows while the samples come in; with -o it is written when the recording ends. --with=perf lets "
		"perf take the samples; PERF in the environment names another perf, which is then used.",
		0, 0);
}

static void add_cargo_usage(struct buf *out)
{
	buf_adds(out, "Usage: cargo flametop [OPTION]... [-- ARG...]\n\n");
	add_wrapped(
		out,
		"Builds a program with cargo, and profiles it with the arguments ARG. On a terminal the flame graph "
		"grows while the program runs; with -o it is written when the program ends. CARGO in the environment "
		"names another cargo. The options of cargo flamegraph have the same names here.",
		0, 0);
}

static void add_bundle_help(struct buf *out)
{
	buf_adds(out, "Usage: flametop bundle [OPTION]... [PERF.DATA]\n\n");
	add_wrapped(
		out,
		"Packs a recording of perf (default: perf.data) with the files that its names come from, so that "
		"another machine can show it: 'flametop PERF.DATA.tar.zst'. These are programs, libraries and debug "
		"files of the recorded build ids, names of the kernel, and maps of JIT compilers.",
		0, 0);
	add_group(out, GROUP_BUNDLE, OPTION_MODE_BUNDLE);
	add_group(out, GROUP_INPUT, OPTION_MODE_BUNDLE);
	add_group(out, GROUP_OTHER, OPTION_MODE_BUNDLE);
	buf_adds(out, "\nExit status: 0 done; 1 the input or the system failed; 2 wrong usage.\n");
}

static void add_sample_help(struct buf *out)
{
	buf_adds(out, "Usage: flametop sample [OPTION]... [--] CMD [ARG]...\n"
	              "       flametop sample [OPTION]... -p PID | -t TID | -a | --cgroup=PATH\n\n");
	add_wrapped(
		out,
		"Takes samples of a command, of processes or of the whole system, and writes them as perf record does, but "
		"without perf: to perf.data, or with -o - to a pipe: 'ssh HOST flametop sample -a -o - | flametop'. "
		"'flametop record' does the same and shows them.",
		0, 0);
	add_group(out, GROUP_SAMPLE, OPTION_MODE_SAMPLE);
	add_group(out, GROUP_RECORD, OPTION_MODE_SAMPLE);
	add_group(out, GROUP_OTHER, OPTION_MODE_SAMPLE);
	buf_adds(out, "\nExit status: the command's own; 1 the system failed; 2 wrong usage.\n");
}

void options_add_help(struct buf *out, unsigned mode)
{
	static const enum option_group groups[] = {GROUP_INPUT, GROUP_SOURCE,   GROUP_VIEW, GROUP_OUTPUT,
	                                           GROUP_SVG,   GROUP_TERMINAL, GROUP_OTHER};
	if (mode == OPTION_MODE_BUNDLE) {
		add_bundle_help(out);
		return;
	}
	if (mode == OPTION_MODE_SAMPLE) {
		add_sample_help(out);
		return;
	}
	if (mode == OPTION_MODE_CARGO) {
		add_cargo_usage(out);
		add_group(out, GROUP_CARGO, mode);
		add_group(out, GROUP_RECORD, mode);
	} else if (mode == OPTION_MODE_RECORD) {
		add_record_usage(out);
		add_group(out, GROUP_RECORD, mode);
	} else {
		add_view_usage(out);
	}
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		add_group(out, groups[i], mode);
	buf_adds(out, "\nExit status: 0 done; 1 the input or the system failed; 2 wrong usage;\n"
	              "3 a function grew by more than --fail-above allows.\n");
	if (mode == OPTION_MODE_CARGO)
		buf_adds(out, "A build or a program that failed passes its own status on.\n");
	else if (mode == OPTION_MODE_RECORD)
		buf_adds(out, "A command that failed passes its own status on.\n");
	else
		buf_adds(out, "'flametop record --help' says how to record, 'flametop bundle --help' how to\n"
		              "take a recording elsewhere; '?' and the manual list the keys.\n");
}

static void add_words(struct buf *out, const char *option)
{
	struct flametop_word w = {.size = sizeof w};
	for (size_t i = 0; flametop_word(option, i, &w) == FLAMETOP_OK; i++)
		add_entry(out, w.word, w.help, 0, 18);
}

void options_add_formats(struct buf *out)
{
	add_entry(out, "auto", "detect the format (default)", 0, 18);
	add_words(out, "format");
}

void options_add_kinds(struct buf *out)
{
	add_words(out, "to");
}

void options_add_palettes(struct buf *out)
{
	add_words(out, "colors");
}
