/*
 * options_table.c - the table of options, and the values they take.
 *
 *	{"width", 0, "N", "columns of text ...", GROUP_OUTPUT, BOTH, NULL, UINT(export_.width, 30, 100000)}
 *
 * A row gives the spelling of an option, its argument, its help, the field for its value, and the allowed values.
 * The parser, --help, the manual and the completions all read the table, so none of them can be out of date.
 *
 * `flametop record` is a second command with some letters of its own (-p, -t, -e, -c), and `cargo flametop` a third
 * one (-b, -f, -p, -r); a row's `modes` says which command knows it. Rows in GROUP_HIDDEN are the spellings of
 * other flame graph tools, so that habits and scripts carry over.
 */
#include "options.h"

#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "options_set.h"

#define VIEW OPTION_MODE_VIEW, EXPORT_ALL
#define RECORDERS (OPTION_MODE_RECORD | OPTION_MODE_CARGO)
#define RECORD RECORDERS, EXPORT_ALL
#define RECORD_ALONE OPTION_MODE_RECORD, EXPORT_ALL
#define CARGO OPTION_MODE_CARGO, EXPORT_ALL
#define BOTH BOTH_ON(EXPORT_ALL)
#define BUNDLE OPTION_MODE_BUNDLE, EXPORT_ALL
#define SAMPLE OPTION_MODE_SAMPLE, EXPORT_ALL
#define SAMPLED (RECORDERS | OPTION_MODE_SAMPLE), EXPORT_ALL
#define TARGETS (OPTION_MODE_RECORD | OPTION_MODE_SAMPLE), EXPORT_ALL
#define EVERYWHERE (OPTION_MODES | OPTION_MODE_CARGO | OPTION_MODE_BUNDLE | OPTION_MODE_SAMPLE), EXPORT_ALL
#define READING (OPTION_MODES | OPTION_MODE_CARGO | OPTION_MODE_BUNDLE), EXPORT_ALL
/* Affects only these outputs. */
#define VIEW_ON(kinds) OPTION_MODE_VIEW, kinds
#define RECORD_ON(kinds) RECORDERS, kinds
#define BOTH_ON(kinds) (OPTION_MODES | OPTION_MODE_CARGO), kinds
/* Also a line of the configuration. */
#define HABIT_ON(kinds) (OPTION_MODES | OPTION_MODE_CARGO | OPTION_IN_CONFIG), kinds
#define DRAWN EXPORT_DRAWN
#define PICTURES (EXPORT_SVG | EXPORT_HTML)
#define TABLES (EXPORT_TABLES | EXPORT_LINES)
#define LINES EXPORT_LINES

#define FLAG(field) OPTION_FLAG, offsetof(struct options, field), 0, 0, NULL
#define TEXT(field) OPTION_TEXT, offsetof(struct options, field), 0, 0, NULL
#define COLOR(field) OPTION_COLOR, offsetof(struct options, field), 0, 0, NULL
#define UINT(field, min, max) OPTION_UINT, offsetof(struct options, field), min, max, NULL
#define REAL(field, min, max) OPTION_REAL, offsetof(struct options, field), min, max, NULL
/* An enum in the order of the words. */
#define WORD(field) OPTION_WORD, offsetof(struct options, field), 0, 0, NULL
#define CALL(setter) OPTION_CALL, 0, 0, 0, option_##setter
/* The parser handles these itself. */
#define PRINT OPTION_CALL, 0, 0, 0, NULL

/* Rows made from model/filters.h. */
#define FILTER_ROW(group, kind, name, arg, help) \
	{name, 0, arg, help, group, OPTION_REPEATS | BOTH, NULL, OPTION_FILTER, FILTER_##kind, 0, 0, NULL},
#define INPUT_FILTER(kind, name, arg, help, ...) FILTER_ROW(GROUP_INPUT, kind, name, arg, help)
#define VIEW_FILTER(kind, name, arg, help, ...) FILTER_ROW(GROUP_VIEW, kind, name, arg, help)

#define TINY 1e-9

/* clang-format off */
const struct option_row option_table[] = {
	{"format", 'f', "NAME", "read the input as this format instead of detecting it; 'help' lists the formats",
	 GROUP_INPUT, OPTION_MODES, EXPORT_ALL, "@formats", CALL(set_format)},
	{"format", 0, "NAME", "read the input as this format instead of detecting it; 'help' lists the formats",
	 GROUP_INPUT, CARGO, "@formats", CALL(set_format)},
	{"event-filter", 0, "EVENT", "read only samples of this event; off-cpu is all time off the CPU", GROUP_INPUT,
	 BOTH, NULL, TEXT(collapse.event_filter)},
	{"value", 0, "NAME", "which number to use where a profile has several (as ticks, bytes)", GROUP_INPUT, BOTH,
	 NULL, TEXT(collapse.value)},
	{"unit", 0, "UNIT", "what counts count in inputs that do not say: ns, us, ms, s, bytes, samples, cycles, "
	    "instructions, calls or objects", GROUP_INPUT, BOTH, UNIT_WORDS, CALL(set_unit)},
	{"pid", 0, NULL, "add -PID to the process frame", GROUP_INPUT, VIEW, NULL, FLAG(collapse.pid)},
	{"tid", 0, NULL, "add -PID/TID to the process frame", GROUP_INPUT, VIEW, NULL, CALL(set_tid)},
	{"kernel", 0, NULL, "mark kernel frames with _[k], which tables and text show where names would be equal",
	 GROUP_INPUT, BOTH, NULL, FLAG(collapse.kernel)},
	{"jit", 0, NULL, "mark frames of just-in-time compiled code with _[j]", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.jit)},
	{"all", 0, NULL, "both --kernel and --jit", GROUP_INPUT, BOTH, NULL, CALL(set_all)},
	{"addrs", 0, NULL, "show the address where there is no symbol", GROUP_INPUT, BOTH, NULL, FLAG(collapse.addrs)},
	{"inline", 0, NULL, "show inlined calls in text of perf script, too (by addr2line, which can take long); "
	    "of perf.data they are shown where there is debug information", GROUP_INPUT, BOTH, NULL,
	 CALL(set_inline)},
	{"no-inline", 0, NULL, "leave out inlined calls of perf.data", GROUP_INPUT, BOTH, NULL, CALL(set_no_inline)},
	{"context", 0, NULL, "with --inline: add :file:line", GROUP_INPUT, BOTH, NULL, FLAG(collapse.context)},
	{"srcline", 0, NULL, "add the source line to each frame of perf.data (perf looks it up: this can take long), "
	    "or of perf script -F +srcline", GROUP_INPUT,
	 BOTH, NULL, FLAG(collapse.srcline)},
	{"symbolizer", 0, "WHO", "who reads perf.data: auto (default: the program itself, and perf script for what it "
	    "does not do: --srcline, --context, the scheduler's events), native, or perf",
	 GROUP_INPUT, BOTH, "auto native perf", WORD(collapse.symbolizer)},
	{"symfs", 0, "DIR", "the programs and libraries of a recording are below DIR, a copy of its machine's files",
	 GROUP_INPUT, READING, "@files", TEXT(collapse.symfs)},
	{"sysroot", 0, "DIR", "same as --symfs", GROUP_INPUT, READING, "@files", TEXT(collapse.symfs)},
	{"path-map", 0, "OLD=NEW", "the files of a recording that are below OLD are below NEW here; may be repeated",
	 GROUP_INPUT, OPTION_REPEATS | READING, NULL, CALL(set_path_map)},
	{"kallsyms", 0, "FILE", "the recorded kernel's functions, a copy of its /proc/kallsyms", GROUP_INPUT, READING,
	 "@files", TEXT(collapse.kallsyms)},
	{"debuginfod", 0, NULL, "fetch programs, debug information and sources that are missing here from the "
	    "servers in DEBUGINFOD_URLS", GROUP_INPUT, READING, NULL, FLAG(collapse.debuginfod)},
	{"includeoffset", 0, NULL, "keep offsets like +0x1c (DTrace)", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.include_offset)},
	{"no-modules", 0, NULL, "function names without their module (sample, VTune)", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.no_modules)},
	{"skip-after", 0, "FUNC", "drop the callers of FUNC, a whole name; may be repeated",
	 GROUP_INPUT, OPTION_REPEATS | BOTH, NULL,
	 CALL(set_skip_after)},
	FILTERS_OF_INPUT(INPUT_FILTER)
	{"idle", 0, "[WHEN]", "keep stacks that wait; by default those of a single input are left out if they are at "
	    "most half of it; 'never': "
	 "leave them out always",
	 GROUP_INPUT, VIEW, IDLE_WORDS, CALL(set_idle)},
	{"off-cpu", 0, "[SECONDS]", "show the context switches of a recording as time off the CPU; waits shorter than "
	 "SECONDS are left out", GROUP_INPUT, VIEW, NULL, CALL(set_off_cpu)},
	{"io", 0, "[WHICH]", "show the system calls of a recording that read and write (read, write, all) as bytes, "
	 "time and calls", GROUP_INPUT, VIEW, "read write all", CALL(set_io)},
	{"wake-stack", 0, NULL, "add the stack of the waker (perf sched; --off-cpu)", GROUP_INPUT, VIEW, NULL,
	 FLAG(collapse.wake_stack)},
	{"shorten-pkgs", 0, NULL, "Java packages by their initials: c.a.d.Pool.borrow", GROUP_INPUT, BOTH, NULL,
	 FLAG(collapse.shorten_pkgs)},
	{"no-demangle", 0, NULL, "leave mangled C++ and Rust names as they are", GROUP_INPUT,
	 OPTION_ON_VIEW | BOTH_ON(DRAWN | TABLES | EXPORT_FIREFOX), NULL, FLAG(no_demangle)},
	{"split", 0, "KEY", "one more root frame for each file, event, comm, pid, tid, cpu, module or value of "
	    "label:KEY (of pprof); may be repeated",
	 GROUP_INPUT, OPTION_REPEATS | OPTION_ON_VIEW | BOTH, SPLIT_WORDS, CALL(set_split)},
	{"tagroot", 0, "KEY,...", "--split=label:KEY for each of them, as in pprof",
	 GROUP_INPUT, OPTION_REPEATS | OPTION_ON_VIEW | BOTH, NULL,
	 CALL(set_tagroot)},
	{"jobs", 'j', "N", "worker threads (default: the processors this process may use)", GROUP_INPUT, BOTH, NULL,
	 UINT(collapse.jobs, 1, 1024)},

	{"seconds", 0, "N", "let the server take samples for N seconds (default: as its address says; Go: 30)",
	 GROUP_SOURCE, VIEW, NULL, UINT(source.seconds, 1, 86400)},
	{"every", 0, "N", "fetch again every N seconds, and show the newest: a live view", GROUP_SOURCE, VIEW, NULL,
	 UINT(source.every, 1, 86400)},
	{"sql", 0, "QUERY", "what to ask at an address clickhouse://...: stacks and their values; @FILE: from FILE",
	 GROUP_SOURCE, VIEW, NULL, CALL(set_sql)},
	{"listen", 0, "ADDRESS", "take the OpenTelemetry profiles that programs send to this address, such as "
	    "127.0.0.1:4318 (a port alone: 127.0.0.1), and show them live; with --output or --to, until Ctrl-C or "
	    "--duration", GROUP_SOURCE, VIEW, NULL, TEXT(listen)},
	{"duration", 0, "SECONDS", "with --listen: stop after this time", GROUP_SOURCE, VIEW, NULL,
	 REAL(listen_seconds, 0.001, 1e7)},
	{"save", 0, "FILE", "keep what the server sends in FILE, too", GROUP_SOURCE, VIEW, "@files", CALL(set_save)},
	{"header", 'H', "'NAME: VALUE'", "send this header; may be repeated; @FILE: the lines of FILE", GROUP_SOURCE,
	 OPTION_REPEATS | BOTH, NULL, CALL(set_header)},
	{"user", 'u', "NAME:PASSWORD", "user and password for the server", GROUP_SOURCE, BOTH, NULL, CALL(set_user)},
	{"netrc", 0, NULL, "user and password from ~/.netrc", GROUP_SOURCE, BOTH, NULL, FLAG(source.netrc)},
	{"oauth2-bearer", 0, "TOKEN", "send this token", GROUP_SOURCE, BOTH, NULL, CALL(set_bearer)},
	{"cacert", 0, "FILE", "certificates that the server's has to go back to", GROUP_SOURCE, BOTH, "@files",
	 TEXT(source.cacert)},
	{"cert", 0, "FILE[:PASSWORD]", "certificate to show to the server, and the password of its key", GROUP_SOURCE,
	 BOTH, "@files", CALL(set_cert)},
	{"key", 0, "FILE", "private key of --cert, if it is in another file", GROUP_SOURCE, BOTH, "@files",
	 TEXT(source.key)},
	{"insecure", 0, NULL, "accept any certificate of the server", GROUP_SOURCE, BOTH, NULL, FLAG(source.insecure)},
	{"timeout", 0, "SECONDS", "give up when a server is silent for so long, while it should not be (default: 30)",
	 GROUP_SOURCE, BOTH, NULL, UINT(source.patience, 1, 86400)},

	{"inverted", 'i', NULL, "icicle: roots at the top", GROUP_VIEW, HABIT_ON(DRAWN), NULL, FLAG(inverted)},
	{"no-inverted", 0, NULL, "roots at the bottom, as usual, whatever the configuration says", GROUP_VIEW,
	 BOTH_ON(EXPORT_NONE), NULL, CALL(set_no_inverted)},
	{"reverse", 0, NULL,
	 "merge from the leaves: callers grow out of each function (a tree of more than about 4 million frames is cut: "
	 "--zoom shows the deeper rows)",
	 GROUP_VIEW, BOTH, NULL, FLAG(recipe.reverse)},
	{"flamechart", 0, NULL, "the x axis is time, with a lane for each thread, the heaviest at the root; if "
	    "the event has no times, the order of the input: only equal neighbours are joined", GROUP_VIEW, BOTH, NULL,
	 FLAG(recipe.chart)},
	{"axis", 0, "AXIS", "x axis of a flame chart whose samples have times: time (default; of files, "
	    "SVG, html, speedscope and firefox have it), or samples, one after the other, without gaps and lanes",
	    GROUP_VIEW, HABIT_ON(EXPORT_ALL),
	 AXIS_WORDS, WORD(recipe.axis)},
	{"view", 0, "VIEW", "what to show: flame (graph), chart (as --flamechart), table (of functions), sandwich, "
	    "calls (call tree), lines or instructions (of a function), or heat (map; over another view as "
	    "table,heat); flame,table or chart,table, in either order: side by side, from 140 columns on, the first "
	    "with the keys", GROUP_VIEW,
	 HABIT_ON(EXPORT_ALL),
	 VIEW_WORDS " flame,table", CALL(set_view)},
	{"function", 0, "NAME", "the function in the middle of the sandwich, or whose lines are shown; else the cursor "
	    "goes to its heaviest frame, or its row; /REGEX/: the one of the largest total that matches", GROUP_VIEW,
	 BOTH_ON(DRAWN | EXPORT_FOLDED | EXPORT_JSON | LINES), NULL, CALL(set_function)},
	{"source-path", 0, "DIR", "look for source files in DIR, too: under their names, or as long a part of the end "
	    "of a name as is there; may be repeated",
	 GROUP_VIEW, OPTION_REPEATS | BOTH_ON(LINES), NULL, CALL(set_source_path)},
	{"with-source", 0, NULL, "write the text of the source to a file with lines, too (a profile may name any file "
	    "of this machine)", GROUP_VIEW, BOTH_ON(LINES), NULL, FLAG(export_.with_source)},
	{"hot-lines", 0, NULL, "name the hottest lines of functions in the tooltips of an SVG, and in JSON "
	    "(reads debug information, which takes a while)", GROUP_VIEW, BOTH_ON(EXPORT_SVG | EXPORT_JSON),
	 NULL, FLAG(export_.has_hot_lines)},
	{"cursor", 0, "PATH", "the frame under the cursor, as for --zoom (';@cell' after it: with all narrow frames "
	    "in its place); '@laneN' in a flame chart with a time axis: the title of lane N; sandwich: a path that "
	    "begins with the function leads to its callees, one that ends with it "
	    "to its callers", GROUP_VIEW, BOTH_ON(EXPORT_TEXT), NULL, CALL(set_cursor)},
	{"scroll", 0, "N", "rows above the first one shown; sandwich: of callers, of callees, as 2,3; side by "
	    "side: of the graph, of the table", GROUP_VIEW,
	 BOTH_ON(EXPORT_NONE), NULL, CALL(set_scroll)},
	{"fold-lanes", 0, "N,...", "flame chart with a time axis: fold away the lanes with these numbers, the first is "
	    "1; 'all': every lane", GROUP_VIEW, BOTH_ON(EXPORT_SVG), NULL, CALL(set_fold_lanes)},
	{"table-sort", 0, "COLUMN", "order of the table of functions: self (default), total, frames or name; of a "
	    "comparison also self-before, -after, -change (default) and -percent, and so for total; -COLUMN: the other "
	    "way round", GROUP_VIEW, HABIT_ON(TABLES), TABLE_SORT_WORDS, CALL(set_table_sort)},
	{"table-filter", 0, "REGEX", "only rows of the table that match", GROUP_VIEW, BOTH_ON(TABLES), NULL,
	 CALL(set_table_filter)},
	{"expand", 0, "PATH", "call tree: open this frame and its callers; may be repeated; empty: open none at all",
	 GROUP_VIEW, OPTION_REPEATS | BOTH_ON(EXPORT_TEXT), NULL, CALL(set_expand)},
	{"heat-at", 0, "SECONDS", "heat map: the cell under the cursor; as AT,MARK with the marked end of a range",
	 GROUP_VIEW, BOTH_ON(EXPORT_NONE), NULL, CALL(set_heat_at)},
	{"frames", 0, "WHICH", "of recorded interpreters: program (default: functions of the language and what they "
	    "call), all (also how the interpreter calls them), language, or native", GROUP_VIEW, BOTH, FRAMES_WORDS,
	 WORD(recipe.frames)},
	{"group", 0, "KEY",
	 "sum by function (default), module, file or package: neighbouring frames of one are one frame",
	 GROUP_VIEW, BOTH, GROUP_WORDS, WORD(recipe.group)},
	{"sort", 0, "ORDER", "order of siblings: name (default of files), weight (default of the viewer) or input; "
	    "in the call tree, of those of equal weight",
	 GROUP_VIEW, HABIT_ON(DRAWN | EXPORT_PROFILES), SORT_WORDS, CALL(set_sort)},
	{"zoom", 0, "PATH", "start zoomed at this frame, its ancestors separated by ';' (of several, in a flame "
	    "chart or a search for modules, the widest, or with ';@N' after it the one at N, in units of "
	    "weight)",
	 GROUP_VIEW, BOTH, NULL, TEXT(zoom)},
	{"zoom-time", 0, "FROM,TO", "flame chart with a time axis: show only this time, in seconds from the first "
	    "sample", GROUP_VIEW, BOTH, NULL, CALL(set_zoom_time)},
	{"search", 0, "REGEX", "highlight matches and count their share: of the zoomed frame; in a flame chart, of all "
	    "times, and in its SVG or page, of the time shown (an upper-case letter makes case matter); in any REGEX, "
	    "module:, file: or package: before the expression ask for where functions come from",
	 GROUP_VIEW, BOTH_ON(DRAWN | TABLES), NULL, CALL(set_search)},
	FILTERS_OF_VIEW(VIEW_FILTER)
	{"event", 0, "NAME",
	 "show this event or value (default: the first of the recording; where its order is not known, the one with "
	 "most samples; of pprof its default type, else the last); what has no name is 'unnamed samples'; all: "
	 "together, if their units agree",
	 GROUP_VIEW, BOTH, NULL, TEXT(event)},
	{"thread", 0, "NAME|TID", "only this thread; PID/ is a whole process", GROUP_VIEW, BOTH, NULL, TEXT(thread)},
	{"time", 0, "FROM,TO", "only samples that begin at FROM or later and before TO, in seconds from the first one",
	 GROUP_VIEW, BOTH, NULL,
	 CALL(set_time)},
	{"window", 0, "SECONDS", "only the last part, in seconds before the last sample; while a profile is coming in, "
	    "a "
	 "window that slides along", GROUP_VIEW, BOTH, NULL, CALL(set_window)},
	{"decay", 0, "SECONDS", "let samples fade: after this time, counted back from the last one, they have half of "
	 "their weight", GROUP_VIEW, BOTH, NULL, CALL(set_decay)},
	{"minwidth", 0, "PERCENT", "leave out frames narrower than this; for an SVG and html also pixels, as 0.5px",
	 GROUP_VIEW, HABIT_ON(DRAWN), NULL, CALL(set_minwidth)},
	{"diff", 0, "BASE", "compare with the profile BASE; may be repeated",
	 GROUP_VIEW, OPTION_REPEATS | OPTION_OF_PROGRAM | BOTH, "@files",
	 CALL(set_diff)},
	{"absolute", 0, NULL, "with --diff: compare weights as they were recorded, not shares", GROUP_VIEW,
	 BOTH_ON(DRAWN | TABLES), NULL,
	 CALL(set_absolute)},
	{"normalize", 0, NULL,
	 "compare shares also where the input has two columns (--diff always does); with --to=folded, scale BASE to "
	     "the "
	 "new total",
	 GROUP_VIEW, BOTH_ON(EXPORT_ALL & ~EXPORT_PROFILES), NULL, CALL(set_normalize)},
	{"no-diff", 0, NULL, "show one profile alone, not what changed, although two were read (in the viewer, a key "
	    "compares them)", GROUP_VIEW, BOTH, NULL, FLAG(recipe.leaves_base)},
	{"widths", 0, "SIDE", "with --diff: widths from after (default) or before, which shows what vanished",
	 GROUP_VIEW, BOTH_ON(DRAWN | LINES | EXPORT_JSON), WIDTHS_WORDS, CALL(set_widths)},
	{"strip-hex", 0, NULL, "treat all numbers like 0x1234 in names alike", GROUP_VIEW, BOTH, NULL,
	 FLAG(recipe.strip_hex)},
	{"negate", 0, NULL, "with --diff: swap red and blue; in an SVG of two columns also + and -, as "
	    "flamegraph.pl does", GROUP_VIEW, BOTH_ON(DRAWN), NULL, FLAG(export_.negate)},
	{"fail-above", 0, "PERCENT",
	 "with --diff: exit with status 3 if the share of a function, self or total, grew by more than this many "
	     "points, "
	 "and by more than chance explains, and list these functions; with --absolute: if its weight grew by more than "
	 "this percentage of BASE's total",
	 GROUP_VIEW, OPTION_OF_PROGRAM | BOTH, NULL,
	 REAL(export_.fail_above, 0, 100)},
	{"factor", 0, "F", "multiply every count that is shown (not the numbers of samples of a "
	    "comparison); below 1 that makes up to six decimals, as many as the sum over all events has room for",
	 GROUP_VIEW,
	 OPTION_ON_READING | BOTH, NULL,
	 REAL(export_.factor, TINY, 1e12)},

	{"output", 'o', "FILE", "write the view to FILE ('-': standard output); the suffix gives the kind",
	 GROUP_OUTPUT, OPTION_OF_PROGRAM | BOTH, "@files", TEXT(output)},
	{"to", 0, "KIND", "the kind of output, for any suffix; 'help' lists the kinds",
	 GROUP_OUTPUT, OPTION_OF_PROGRAM | BOTH,
	 "@kinds", CALL(set_to)},
	{"width", 0, "N", "columns of text, pixels of an SVG (default: the terminal; as wide as the browser)",
	 GROUP_OUTPUT, BOTH_ON((DRAWN & ~EXPORT_HTML) | EXPORT_TOP), NULL, UINT(export_.width, 30, 100000)},
	{"top", 0, "N", "rows of the table of functions (default: 40; of --view=table all)", GROUP_OUTPUT,
	 BOTH_ON(TABLES), NULL, UINT(export_.top, 1, 1000000000)},
	{"budget", 0, "N[k|t]", "JSON of at most N bytes, kilobytes or tokens (of 3 bytes): the lightest functions and "
	    "stacks are left out", GROUP_OUTPUT, BOTH_ON(EXPORT_JSON), NULL, CALL(set_budget)},
	{"colors", 'c', "PALETTE", "palette of the screen, of an SVG and of html; 'help' lists them", GROUP_OUTPUT,
	 OPTION_IN_CONFIG | VIEW_ON(DRAWN), "@palettes", CALL(set_colors)},
	{"colors", 0, "PALETTE", "palette of the screen, of an SVG and of html; 'help' lists them", GROUP_OUTPUT,
	 RECORD_ON(DRAWN),
	 "@palettes", CALL(set_colors)},

	{"title", 0, "TEXT", "heading", GROUP_SVG, BOTH_ON(PICTURES), NULL, TEXT(export_.title)},
	{"subtitle", 0, "TEXT", "second heading", GROUP_SVG, BOTH_ON(PICTURES), NULL, TEXT(export_.subtitle)},
	{"height", 0, "N", "height of a frame in pixels (default: 16)", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 UINT(export_.height, 4, 1000)},
	{"fonttype", 0, "NAME", "font family (default: monospace)", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 TEXT(export_.font_type)},
	{"fontsize", 0, "N", "size of the font in pixels (default: 12)", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 REAL(export_.font_size, 1, 1000)},
	{"fontwidth", 0, "F", "average width of a letter, as a fraction of the size (default: 0.61)", GROUP_SVG,
	 BOTH_ON(EXPORT_SVG),
	 NULL, REAL(export_.font_width, 0.01, 100)},
	{"bgcolors", 0, "COLOR", "background: yellow, blue, green, grey or #rrggbb (default: by palette)", GROUP_SVG,
	 BOTH_ON(EXPORT_SVG), "yellow blue green grey", CALL(set_bgcolors)},
	{"uicolor", 0, "#rrggbb", "colour of the headings and buttons", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 COLOR(export_.ui_color)},
	{"search-color", 0, "#rrggbb", "colour of matches", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 COLOR(export_.search_color)},
	{"stroke-color", 0, "#rrggbb", "outline of every frame, or 'none' (default)", GROUP_SVG, BOTH_ON(EXPORT_SVG),
	 "none",
	 CALL(set_stroke)},
	{"hash", 0, NULL, "colours by name, similar for names that begin alike (html has them without)", GROUP_SVG,
	 BOTH_ON(EXPORT_SVG), NULL,
	 CALL(set_hash)},
	{"deterministic", 0, NULL, "colours by name", GROUP_SVG, BOTH_ON(PICTURES), NULL, CALL(set_deterministic)},
	{"random", 0, NULL, "other colours in every run", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 FLAG(export_.is_random)},
	{"cp", 0, "[FILE]", "keep colours for the next run in FILE (default: palette.map)", GROUP_SVG,
	 BOTH_ON(EXPORT_SVG), "@files",
	 CALL(set_cp)},
	{"colordiffusion", 0, NULL, "the wider, the redder", GROUP_SVG, BOTH_ON(PICTURES), NULL,
	 FLAG(export_.color_diffusion)},
	{"countname", 0, "TEXT", "unit of the counts (default: that of the profile)", GROUP_SVG, BOTH_ON(PICTURES),
	 NULL,
	 TEXT(export_.count_name)},
	{"nametype", 0, "TEXT", "text before a name in the line of details (default: Function:)", GROUP_SVG,
	 BOTH_ON(PICTURES), NULL,
	 TEXT(export_.name_type)},
	{"notes", 0, "TEXT", "a comment in the file", GROUP_SVG, BOTH_ON(PICTURES), NULL, TEXT(export_.notes)},
	{"nameattr", 0, "FILE", "attributes of frames by function name: links, titles, classes, looks (no scripts)",
	 GROUP_SVG, BOTH_ON(EXPORT_SVG),
	 "@files", TEXT(export_.name_attr)},
	{"total", 0, "N", "draw as if the profile had N samples", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 CALL(set_total)},
	{"truncate-text-right", 0, NULL, "shorten labels at their end, whatever the name is", GROUP_SVG,
	 BOTH_ON(PICTURES), NULL, FLAG(export_.truncate_text_right)},
	{"truncate-text-left", 0, NULL, "shorten labels at their beginning, as other programs do", GROUP_SVG,
	 BOTH_ON(PICTURES), NULL, FLAG(export_.truncate_text_left)},
	{"pretty-xml", 0, NULL, "one element per line", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL, FLAG(export_.pretty_xml)},
	{"no-javascript", 0, NULL, "leave the program out: a still picture", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 FLAG(export_.no_javascript)},
	{"no-sort", 0, NULL, "keep the order of the input", GROUP_SVG, BOTH_ON(DRAWN | EXPORT_PROFILES), NULL,
	 CALL(set_no_sort)},
	{"encoding", 0, "NAME", "encoding to declare at the top of the file", GROUP_SVG, BOTH_ON(EXPORT_SVG), NULL,
	 CALL(set_encoding)},

	{"color", 0, "WHEN", "auto (default), never, 16, 256 or truecolor",
	 GROUP_TERMINAL, OPTION_ON_VIEW | HABIT_ON(EXPORT_TEXT),
	 COLOR_WORDS, CALL(set_color)},
	{"background", 0, "WHICH", "the terminal's background: auto (default; asks it), dark or light", GROUP_TERMINAL,
	 HABIT_ON(EXPORT_NONE), "auto dark light", WORD(background)},
	{"ascii", 0, NULL, "no character outside ASCII",
	 GROUP_TERMINAL, OPTION_ON_VIEW | HABIT_ON(EXPORT_TEXT | TABLES), NULL,
	 FLAG(ascii)},
	{"no-mouse", 0, NULL, "leave the mouse to the terminal", GROUP_TERMINAL, HABIT_ON(EXPORT_NONE), NULL,
	 FLAG(no_mouse)},
	{"no-ask", 0, NULL, "quit without a question, even if that ends a recorded command, or loses a recording or "
	 "what came through a pipe", GROUP_TERMINAL, HABIT_ON(EXPORT_NONE), NULL, FLAG(no_ask)},
	{"no-config", 0, NULL, "do not read the configuration file", GROUP_TERMINAL, BOTH, NULL, FLAG(no_config)},
	{"keys", 0, "KEYS", "type these keys first, as /foo<Enter>jjl<Esc>", GROUP_TERMINAL, BOTH_ON(EXPORT_NONE), NULL,
	 TEXT(keys)},
	{"screen", 0, "COLSxROWS", "no terminal: load, type --keys, print the screen and exit", GROUP_TERMINAL, BOTH,
	 NULL, CALL(set_screen)},

	{"bin", 'b', "NAME", "record this binary (default: the only one, or the package's default-run)", GROUP_CARGO,
	 CARGO, NULL, TEXT(cargo.bin)},
	{"example", 0, "NAME", "record this example", GROUP_CARGO, CARGO, NULL, TEXT(cargo.example)},
	{"test", 0, "NAME", "record this integration test", GROUP_CARGO, CARGO, NULL, TEXT(cargo.test)},
	{"unit-test", 0, "[NAME]", "record the unit tests of this library or binary (default: the only one)",
	 GROUP_CARGO, CARGO, NULL, CALL(set_unit_test)},
	{"bench", 0, "NAME", "record this benchmark", GROUP_CARGO, CARGO, NULL, TEXT(cargo.bench)},
	{"unit-bench", 0, "[NAME]", "record the benchmarks inside this library or binary (default: the only one)",
	 GROUP_CARGO, CARGO, NULL, CALL(set_unit_bench)},
	{"unit-test-kind", 0, "KIND", "what --unit-test and --unit-bench mean where a library and a binary have one "
	    "name: lib or bin", GROUP_CARGO, CARGO, "any lib bin", WORD(cargo.unit_kind)},
	{"package", 'p', "NAME", "build this package (default: those at and below the nearest Cargo.toml)", GROUP_CARGO,
	 CARGO, NULL, TEXT(cargo.package)},
	{"manifest-path", 0, "FILE", "this Cargo.toml", GROUP_CARGO, CARGO, "@files", TEXT(cargo.manifest_path)},
	{"features", 'f', "LIST", "features to build with; may be repeated", GROUP_CARGO, OPTION_REPEATS | CARGO, NULL,
	 CALL(set_features)},
	{"all-features", 0, NULL, "all features", GROUP_CARGO, CARGO, NULL, FLAG(cargo.all_features)},
	{"no-default-features", 0, NULL, "without the default features", GROUP_CARGO, CARGO, NULL,
	 FLAG(cargo.no_default_features)},
	{"release", 'r', NULL, "build with the release profile, benchmarks with bench (default)", GROUP_CARGO, CARGO,
	 NULL, FLAG(cargo.release)},
	{"dev", 0, NULL, "build with the dev profile", GROUP_CARGO, CARGO, NULL, FLAG(cargo.dev)},
	{"profile", 0, "NAME", "build with this profile", GROUP_CARGO, CARGO, NULL, TEXT(cargo.profile)},
	{"target", 0, "TRIPLE", "build for this target", GROUP_CARGO, CARGO, NULL, TEXT(cargo.target)},

	{"freq", 'F', "HZ", "samples per second and processor (default: 997)", GROUP_RECORD, SAMPLED, NULL,
	 CALL(set_frequency)},
	{NULL, 'e', "EVENT", "event to sample (`perf list` shows them); may be repeated",
	 GROUP_RECORD, OPTION_REPEATS | SAMPLED, NULL,
	 CALL(set_record_event)},
	{"pid", 'p', "PID", "sample this running process; several with commas",
	 GROUP_RECORD, OPTION_REPEATS | TARGETS, NULL,
	 CALL(set_pid)},
	{"tid", 't', "TID", "sample this thread; several with commas", GROUP_RECORD, OPTION_REPEATS | TARGETS, NULL,
	 CALL(set_thread_id)},
	{"all-cpus", 'a', NULL, "sample the whole system", GROUP_RECORD, TARGETS, NULL, FLAG(record.all_cpus)},
	{"idle", 0, NULL, "with -a: sample idle processors, too (flametop's own sampler)", GROUP_RECORD, TARGETS, NULL,
	 FLAG(record.idle)},
	{"cgroup", 0, "PATH", "sample the processes of a control group, such as a container's: its path as in "
	    "/proc/PID/cgroup", GROUP_RECORD, TARGETS, "@files", TEXT(record.cgroup)},
	{"call-graph", 0, "HOW",
	 "how stacks are found: dwarf[,BYTES] (default: dwarf,16384; with --memory and --io dwarf,4096), fp (cheap; "
	 "needs frame pointers; default with -a) or lbr", GROUP_RECORD, SAMPLED, "fp dwarf lbr", CALL(set_call_graph)},
	{"duration", 0, "SECONDS", "stop after this time", GROUP_RECORD, SAMPLED, NULL, CALL(set_duration)},
	{"off-cpu", 0, "[SECONDS]", "the time off the CPU, too: what threads wait for; waits shorter than SECONDS are "
	 "not shown", GROUP_RECORD, SAMPLED, NULL, CALL(set_off_cpu)},
	{"wake-stack", 0, NULL, "with --off-cpu: who ends each wait, too", GROUP_RECORD, SAMPLED, NULL,
	 FLAG(collapse.wake_stack)},
	{"memory", 0, NULL, "who asks for memory, in bytes: calls of malloc and its like, and pages when they are "
	    "touched first", GROUP_RECORD, SAMPLED, NULL, FLAG(record.memory)},
	{"io", 0, "[WHICH]", "who reads and writes files and sockets: bytes, time and number of system calls; read, "
	    "write, or all (default)", GROUP_RECORD, SAMPLED, "read write all", CALL(set_io)},
	{"ptrace", 0, NULL, "without perf events: stop running threads for a moment, 49 times a second, and copy their "
	    "stacks", GROUP_RECORD, SAMPLED, NULL, FLAG(record.ptrace)},
	{"languages", 0, "WHICH", "auto (default; not with -a): read the functions of Python, Perl, PHP, Ruby and Lua "
	    "from running interpreters, too; none", GROUP_RECORD, SAMPLED, "auto none", WORD(record.languages)},
	{"enable-perfmap", 0, NULL, "have Java (17 and newer) and .NET (8 and newer) write the names of their "
	    "functions into /tmp/perf-PID.map, which changes the target", GROUP_RECORD, SAMPLED, NULL,
	 FLAG(record.enable_perfmap)},
	{"with", 0, "WHO", "who samples: auto (default: flametop itself, and perf for what only perf does), flametop, "
	    "perf, dtrace, or xctrace", GROUP_RECORD, RECORD, "auto flametop perf dtrace xctrace", WORD(record.with)},
	{"root", 0, "[FLAGS]", "sample as root, through sudo, with FLAGS for sudo", GROUP_RECORD, RECORD, NULL,
	 CALL(set_root)},
	{"cmd", 'c', "'RECORD ARGS'", "arguments for perf record instead of the usual ones", GROUP_RECORD, RECORD, NULL,
	 CALL(set_cmd)},
	{"compression-level", 'z', "[N]", "compress the recording (level 1 to 22; default: 1)", GROUP_RECORD, RECORD,
	 NULL, CALL(set_compression)},
	{"build", 0, "CMD", "run this shell command first, as 'make -s', and record only if it succeeds", GROUP_RECORD,
	 RECORD_ALONE, NULL, TEXT(record.build)},
	{"perfdata", 0, "FILE", "record nothing, read this perf.data", GROUP_RECORD, RECORD_ALONE, "@files",
	 TEXT(record.perfdata)},
	{"keep-data", 0, NULL, "leave the recording behind as perf.data", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.keep_data)},
	{"push", 0, "URL", "send the recorded profile to a store, pyroscope://HOST/?service_name=NAME or parca://...; "
	    "the address's parameters are its labels", GROUP_RECORD, RECORD, NULL, CALL(set_push)},
	{"ignore-status", 0, NULL, "exit with 0 although the command or perf failed", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.ignore_status)},
	{"post-process", 0, "CMD", "send the folded stacks through this program first", GROUP_RECORD, RECORD, NULL,
	 CALL(set_post_process)},
	{"open", 0, NULL, "open the written file with the desktop's program for it", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.open)},
	{"verbose", 'v', NULL, "print each command before it runs, and every note", GROUP_RECORD, RECORD, NULL,
	 FLAG(record.verbose)},

	{"output", 'o', "FILE", "the bundle (default: FILE.tar.zst, in the recording's directory; '-': standard "
	    "output); the suffix gives the compression: .tar, .tar.gz or .tar.zst",
	 GROUP_BUNDLE, BUNDLE, "@files", TEXT(output)},

	{"output", 'o', "FILE", "the recording (default: perf.data; '-': standard output, for a pipe)", GROUP_SAMPLE,
	 SAMPLE, "@files", TEXT(output)},
	{"viewer", 0, "PID", "the process that shows the samples, and guards the command", GROUP_HIDDEN, SAMPLE, NULL,
	 UINT(record.viewer, 1, INT32_MAX)},

	{"quiet", 'q', NULL, "print errors only: no warnings, no progress", GROUP_OTHER, EVERYWHERE, NULL, FLAG(quiet)},
	{"verbose", 'v', NULL, "print every note about the input, and all functions that --fail-above found",
	 GROUP_OTHER, OPTION_ON_READING | VIEW, NULL, FLAG(verbose)},
	{"completions", 0, "SHELL", "print the completions for bash, zsh, fish, powershell or elvish", GROUP_OTHER,
	 BOTH, SHELL_WORDS, CALL(set_completions)},
	{"help", 'h', NULL, "print this help", GROUP_OTHER, EVERYWHERE, NULL, PRINT},
	{"version", 'V', NULL, "print the version", GROUP_OTHER, EVERYWHERE, NULL, PRINT},

	{"manual", 0, NULL, "print the source of the manual page", GROUP_HIDDEN, BOTH, NULL, FLAG(is_manual)},
	{"nthreads", 0, "N", "--jobs", GROUP_HIDDEN, BOTH, NULL, UINT(collapse.jobs, 0, 1024)},
	{"show-from", 0, "REGEX", "--callees", GROUP_HIDDEN, OPTION_REPEATS | BOTH, NULL, OPTION_FILTER, FILTER_CALLEES,
	 0, 0, NULL},
	{"min-width", 0, "PERCENT", "--minwidth", GROUP_HIDDEN, BOTH, NULL, CALL(set_minwidth)},
	{"image-width", 0, "N", "--width", GROUP_HIDDEN, BOTH, NULL, UINT(export_.width, 30, 100000)},
	{"palette", 0, "PALETTE", "--colors", GROUP_HIDDEN, BOTH, NULL, CALL(set_colors)},
	{0},
};
/* clang-format on */

/* ---- values -------------------------------------------------------------------------------------------------- */

static bool set_uint(unsigned *target, const struct option_row *row, const char *value, struct err *err)
{
	uint64_t v;
	if (!number_u64(value, strlen(value), &v) || (double)v < row->min || (double)v > row->max)
		return fail(err, "'%s' is not a whole number from %.0f to %.0f", value, row->min, row->max);
	*target = (unsigned)v;
	return true;
}

static bool set_real(double *target, const struct option_row *row, const char *value, struct err *err)
{
	double v;
	if (number_double(value, strlen(value), &v) && v >= row->min && v <= row->max) {
		*target = v;
		return true;
	}
	return fail(err, "'%s' is not a number from %g to %g", value, row->min, row->max);
}

static bool set_word(unsigned *target, const struct option_row *row, const char *value, struct err *err)
{
	int index = value_find_word(row->words, value, err);
	if (index >= 0)
		*target = (unsigned)index;
	return index >= 0;
}

static bool set_text(const char **target, const char *value)
{
	*target = value;
	return true;
}

const char *option_setting(const struct option_row *row)
{
	return strncmp(row->name, "no-", 3) == 0 ? row->name + 3 : row->name;
}

static bool set_flag(bool *target, const struct option_row *row, const char *value, struct err *err)
{
	bool is_negative = value && option_setting(row) != row->name;
	bool yes = !value || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "on") == 0;
	if (!yes && strcmp(value, "no") != 0 && strcmp(value, "false") != 0 && strcmp(value, "off") != 0)
		return value_is_bad(err, value, "yes or no");
	*target = yes != is_negative;
	return true;
}

bool option_set(struct options *o, const struct option_row *row, const char *value, struct err *err)
{
	void *target = (char *)o + (row->kind == OPTION_FILTER ? 0 : row->offset);
	switch (row->kind) {
	case OPTION_FLAG:
		return set_flag(target, row, value, err);
	case OPTION_TEXT:
		return set_text(target, value);
	case OPTION_COLOR:
		return value_is_rgb(value) ? set_text(target, value) : value_is_bad(err, value, "a colour like #rrggbb");
	case OPTION_UINT:
		return set_uint(target, row, value, err);
	case OPTION_REAL:
		return set_real(target, row, value, err);
	case OPTION_WORD:
		return set_word(target, row, value, err);
	case OPTION_FILTER:
		return value_add_filter(o, (enum filter_kind)row->offset, value, err);
	case OPTION_CALL:
		return row->set(o, value, err);
	}
	return false;
}
