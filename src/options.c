/*
 * options.c - parses the command line.
 *
 * getopt_long() reads the words (abbreviations, --name=value, bundled letters); the table says what each option
 * does. Our own messages replace getopt's: in one line they say what would have been right.
 *
 * With `record`, the first word that is not an option begins the command to run, as with perf, time and nice.
 *
 * As `cargo-flametop`, the program is the command `cargo flametop`, and what follows -- goes to the built program.
 */
#include "options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/output.h"
#include "record/sampler/peek.h"

static bool is_row(const struct option_row *row)
{
	return row->name || row->letter;
}

static size_t count_rows(void)
{
	size_t n = 0;
	while (is_row(&option_table[n]))
		n++;
	return n;
}

/* Is a hidden row another spelling of `of`, as its help says, with the same values? */
static bool is_alias(const struct option_row *row, const struct option_row *of)
{
	return of->name && strncmp(row->help, "--", 2) == 0 && strcmp(row->help + 2, of->name) == 0 &&
	       row->set == of->set && row->offset == of->offset && row->min == of->min;
}

/*
 * The row that an alias stands for. To getopt both are the same option, so the alias makes no abbreviation
 * ambiguous.
 */
static size_t row_meant(size_t i, unsigned mode)
{
	const struct option_row *rows = option_table;
	for (size_t k = 0; rows[i].group == GROUP_HIDDEN && is_row(&rows[k]); k++)
		if ((rows[k].modes & mode) && is_alias(&rows[i], &rows[k]))
			return k;
	return i;
}

/* How the user spells the option, for messages. */
static void spell(const struct option_row *row, bool is_letter, struct buf *out)
{
	if (is_letter || !row->name)
		buf_addf(out, "-%c", row->letter);
	else
		buf_addf(out, "--%s", row->name);
}

/* name: the full name as written; NULL: given as a letter. */
static bool apply_row(struct options *o, const struct option_row *row, const char *name, const char *value,
                      struct err *err)
{
	struct err why = {""};
	if (options_take(o, row, value, name && strcmp(name, row->name) != 0, &why))
		return true;
	struct buf text;
	buf_init(&text);
	spell(row, !name, &text);
	fail(err, "%s: %s", buf_str(&text), why.text);
	buf_deinit(&text);
	return false;
}

/* ---- what goes together -------------------------------------------------------------------------------------- */

/* --cmd replaces the options that describe the recording to perf. */
static bool check_custom(const struct record_options *r, struct err *err)
{
	const char *lost = r->frequency     ? "--freq"
	                   : r->event       ? "-e"
	                   : r->call_graph  ? "--call-graph"
	                   : r->off_cpu     ? "--off-cpu"
	                   : r->idle        ? "--idle"
	                   : r->compression ? "--compression-level"
	                                    : NULL;
	return !r->record_args || !lost || fail(err, "--cmd and %s do not go together", lost);
}

static bool check_targets(const struct record_options *r, struct err *err)
{
	bool is_attached = r->pids || r->tids || r->all_cpus || r->cgroup;
	if (r->command && r->perfdata)
		return fail(err, "--perfdata records nothing: it does not go together with a command");
	if (r->command && (r->pids || r->tids))
		return fail(err, "give either a command or --pid and --tid, not both");
	if (r->all_cpus && (r->pids || r->tids))
		return fail(err, "--all-cpus does not go together with --pid and --tid");
	if (r->cgroup && (r->pids || r->tids || r->all_cpus))
		return fail(err, "--cgroup does not go together with --pid, --tid and --all-cpus");
	return r->command || is_attached || r->perfdata ||
	       fail(err, "nothing to record (give a command after --, or -p PID, -t TID, -a, --cgroup=PATH)");
}

static bool check_build(const struct record_options *r, struct err *err)
{
	if (r->build && !*r->build)
		return fail(err, "--build: there is no command");
	return !r->build || (r->command && !r->perfdata) ||
	       fail(err, "--build: only a command can be built before it is recorded (give it after --)");
}

static bool is_for_the_kernel(const struct record_options *r)
{
	return r->all_cpus || r->cgroup || r->event || r->off_cpu || r->record_args || r->with == WITH_PERF;
}

static bool check_peeks(const struct record_options *r, struct err *err)
{
	uint64_t rate = 0;
	if (is_for_the_kernel(r))
		return fail(err, "--ptrace: only processes, threads and commands, on the CPU, at intervals");
	if (r->call_graph && strncmp(r->call_graph, "dwarf", 5) != 0)
		return fail(err, "--ptrace copies stacks: of --call-graph, only dwarf goes together with it");
	bool is_fast = r->frequency && number_u64(r->frequency, strlen(r->frequency), &rate) && rate > PEEK_MOST;
	return !is_fast || fail(err, "--ptrace looks at most %u times a second (-F)", PEEK_MOST);
}

/* The name is "--memory" or "--io": each excludes the other one as well. */
static bool check_counted(const struct record_options *r, const char *name, struct err *err)
{
	const char *other = r->event               ? "-e"
	                    : r->off_cpu           ? "--off-cpu"
	                    : r->memory && r->io   ? (strcmp(name, "--io") == 0 ? "--memory" : "--io")
	                    : r->ptrace            ? "--ptrace"
	                    : r->record_args       ? "--cmd"
	                    : r->with == WITH_PERF ? "--with=perf"
	                                           : NULL;
	if (other)
		return fail(err, "%s cannot be combined with %s", name, other);
	return !r->frequency || fail(err, "%s counts every call: it cannot be combined with --freq", name);
}

/* Options of ways to sample that exclude others. */
static bool check_ways(const struct record_options *r, struct err *err)
{
	bool is_lbr = r->call_graph && strcmp(r->call_graph, "lbr") == 0;
	if ((r->memory && !check_counted(r, "--memory", err)) || (r->io && !check_counted(r, "--io", err)) ||
	    (r->ptrace && !check_peeks(r, err)))
		return false;
	if (r->enable_perfmap && (r->all_cpus || r->cgroup || r->record_args || r->with == WITH_PERF))
		return fail(err,
		            "--enable-perfmap works only for processes, threads and commands that flametop itself samples");
	return !is_lbr || (!r->is_sample && !r->memory && !r->io) ||
	       fail(err, "--call-graph=lbr: only perf can do that (flametop record --with=perf)");
}

/* What reading a recording heeds as well; waits and system calls are looked for in it. */
static bool is_about_reading(const struct option_row *row)
{
	static const char *const names[] = {"perfdata",     "off-cpu", "wake-stack", "io",           "push",
	                                    "post-process", "open",    "verbose",    "ignore-status"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (row->name && strcmp(row->name, names[i]) == 0)
			return true;
	return false;
}

void options_say_idle_recording(const struct options *o)
{
	for (size_t i = 0; i < o->n_given && !o->quiet; i++) {
		const struct option_row *row = o->given[i].row;
		if (row->group == GROUP_RECORD && !is_about_reading(row))
			err_printf("%s%s has no effect: --perfdata records nothing", row->name ? "--" : "-",
			           row->name ? row->name : (char[]){row->letter, '\0'});
	}
}

static bool check_record(const struct options *o, struct err *err)
{
	const struct record_options *r = &o->record;
	if (o->n_diffs == 0 && options_needing_base(o))
		return fail(err, "%s works only with --diff", options_needing_base(o));
	if (o->collapse.wake_stack && !r->off_cpu)
		return fail(err, "--wake-stack: only --off-cpu records who wakes up threads");
	if (r->is_sample && o->collapse.off_cpu_least)
		return fail(err,
		            "--off-cpu=SECONDS: a recording has all waits, flametop --off-cpu=SECONDS shows the long ones");
	if (r->idle && !r->all_cpus)
		return fail(err, "--idle: only -a samples idle processors");
	return options_suit_tracer(r, err) && check_ways(r, err) && check_build(r, err) &&
	       (o->cargo.is_cargo || check_targets(r, err)) && check_custom(r, err);
}

/* One run records one program. */
static bool check_cargo(const struct options *o, struct err *err)
{
	static const char *const programs[] = {"bin", "example", "test", "bench", "unit-test", "unit-bench"};
	const char *first = NULL;
	for (size_t i = 0; i < o->n_given; i++) {
		const char *name = o->given[i].row->name ? o->given[i].row->name : "";
		for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
			if (strcmp(name, programs[k]) != 0)
				continue;
			if (first && strcmp(first, name) == 0)
				return fail(err, "--%s is given twice (one run records one program)", name);
			if (first)
				return fail(err, "--%s and --%s do not go together (one run records one program)", first, name);
			first = name;
		}
	}
	return true;
}

static bool check_output(const struct options *o, struct err *err)
{
	if (o->output && !*o->output)
		return fail(err, "--output: the name is empty");
	if (o->output && strcmp(o->output, "-") != 0 && !o->to && !export_by_suffix(o->output))
		return fail(
			err, "cannot tell the kind of '%s' from its suffix (expected " EXPORT_SUFFIXES ", or --to=KIND%s)",
			o->output,
			o->record.is_record && !o->record.perfdata ? "; flametop sample -o FILE keeps a recording" : "");
	if (o->is_script && (o->output || o->to || o->export_.fail_above >= 0))
		return fail(err, "--screen prints a screen; it does not go together with --output, --to and --fail-above");
	return true;
}

static bool writes(const struct options *o, const struct export_kind *kind)
{
	return o->to ? strcmp(o->to, kind->name) == 0 : o->output && export_by_suffix(o->output) == kind;
}

/* A file with the name of a command is "./record". */
static unsigned mode_of(const char *word)
{
	static const struct {
		const char *word;
		unsigned mode;
	} commands[] = {{"record", OPTION_MODE_RECORD}, {"sample", OPTION_MODE_SAMPLE}, {"bundle", OPTION_MODE_BUNDLE}};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(word, commands[i].word) == 0)
			return commands[i].mode;
	return OPTION_MODE_VIEW;
}

/* A command after options would be read as a file. */
static bool check_misplaced_command(const struct options *o, struct err *err)
{
	const char *first = o->n_files ? o->files[0] : "";
	if (o->record.is_record || o->record.is_sample || o->is_bundle || mode_of(first) == OPTION_MODE_VIEW ||
	    access(first, F_OK) == 0)
		return true;
	return fail(err, "%s: no such file; as a command it comes before its options: flametop %s ...", first, first);
}

static void settle_lines(struct options *o)
{
	if (writes(o, &export_lines) && o->shown.view == SHOWN_FLAME && !o->shown.is_beside && !o->shown.has_heat)
		o->shown.view = SHOWN_LINES;
	if (o->shown.view == SHOWN_LINES && !o->is_script && (o->output || o->to) && !writes(o, &export_json))
		o->recipe.reverse = false; /* no order of lines */
}

/* Of two values the first would go without a word. Addresses may have credentials, and are not named. */
static bool check_one_value(const struct options *o, const char *option, const char *why, bool is_named,
                            struct err *err)
{
	const char *first = NULL;
	for (size_t i = 0; i < o->n_given; i++) {
		const char *name = o->given[i].row->name, *value = o->given[i].value;
		if (!name || !value || strcmp(name, option) != 0)
			continue;
		if (first && strcmp(first, value) != 0)
			return is_named ? fail(err, "--%s is given twice: '%s' and '%s' (%s)", option, first, value, why)
			                : fail(err, "--%s is given twice (%s)", option, why);
		first = value;
	}
	return true;
}

static bool check_each_once(const struct options *o, struct err *err)
{
	return check_one_value(o, "output", "one run writes one file", true, err) &&
	       check_one_value(o, "cgroup", "one run samples one control group", true, err) &&
	       check_one_value(o, "perfdata", "one run reads one recording", false, err) &&
	       check_one_value(o, "push", "one run sends to one store", false, err) &&
	       check_one_value(o, "listen", "one run listens at one address", false, err);
}

static bool check(struct options *o, struct err *err)
{
	if (!check_misplaced_command(o, err) || !check_each_once(o, err))
		return false;
	settle_lines(o);
	unsigned stdins = 0;
	for (size_t i = 0; i < o->n_files; i++)
		stdins += strcmp(o->files[i], "-") == 0;
	for (size_t i = 0; i < o->n_diffs; i++)
		stdins += strcmp(o->diffs[i], "-") == 0;
	if (stdins > 1)
		return fail(err, "standard input ('-') can be read only once");
	if (o->is_bundle)
		return o->n_files < 2 || fail(err, "a bundle has one recording, not %zu", o->n_files);
	if (o->record.is_sample)
		return check_record(o, err);
	if (o->record.is_record && !check_record(o, err))
		return false;
	if (o->cargo.is_cargo && !check_cargo(o, err))
		return false;
	return options_fit_together(o, err) && check_output(o, err) && options_check_sources(o, err);
}

/* ---- printing instead of running ----------------------------------------------------------------------------- */

static enum options_result print(struct buf *text, struct err *err)
{
	struct output *out = output_open("-", err);
	bool is_done = out && output_flush_buf(out, text);
	if (out && !output_commit(out, err))
		is_done = false;
	buf_deinit(text);
	return is_done ? OPTIONS_DONE : OPTIONS_FAILED;
}

/* true: the option prints a text, which is in `text`, and exits. */
static bool wants_text(const struct option_row *row, const char *value, unsigned mode, struct buf *text)
{
	bool is_help = value && strcmp(value, "help") == 0;
	const char *words = row->words ? row->words : "";
	if (strcmp(words, "@formats") == 0 && is_help)
		options_add_formats(text);
	else if (strcmp(words, "@kinds") == 0 && is_help)
		options_add_kinds(text);
	else if (strcmp(words, "@palettes") == 0 && is_help)
		options_add_palettes(text);
	else if (row->letter == 'V')
		buf_adds(text, "flametop " FLAMETOP_VERSION "\n");
	else if (row->letter == 'h')
		options_add_help(text, mode);
	return text->len > 0;
}

/* ---- getopt -------------------------------------------------------------------------------------------------- */

/* getopt returns 256 + row for a long option, and the letter for a short one. */
#define LONG_BASE 256

struct getopt_tables {
	struct option *longs;
	struct buf letters;
};

static int arg_kind(const struct option_row *row)
{
	return !row->arg ? no_argument : row->arg[0] == '[' ? optional_argument : required_argument;
}

static void build_tables(struct getopt_tables *t, unsigned mode)
{
	size_t n = 0, n_rows = count_rows();
	t->longs = mem_zalloc(n_rows + 1, sizeof *t->longs);
	buf_init(&t->letters);
	buf_adds(&t->letters, mode & (OPTION_MODE_RECORD | OPTION_MODE_SAMPLE | OPTION_MODE_CARGO) ? "+:" : ":");
	for (size_t i = 0; i < n_rows; i++) {
		const struct option_row *row = &option_table[i];
		if (!(row->modes & mode))
			continue;
		if (row->name)
			t->longs[n++] = (struct option){row->name, arg_kind(row), NULL, LONG_BASE + (int)row_meant(i, mode)};
		if (row->letter) {
			buf_addc(&t->letters, row->letter);
			buf_pad(&t->letters, ':', (size_t)arg_kind(row));
		}
	}
}

static const struct option_row *row_of(int code, unsigned mode)
{
	if (code >= LONG_BASE)
		return &option_table[code - LONG_BASE];
	for (size_t i = 0; is_row(&option_table[i]); i++)
		if (option_table[i].letter == code && (option_table[i].modes & mode))
			return &option_table[i];
	return NULL;
}

/* For an ambiguous "--so", lists the candidates. false: no option begins like this. */
static bool explain_ambiguous(const char *word, unsigned mode, struct err *err)
{
	struct buf list;
	size_t len = strcspn(word, "=");
	unsigned n = 0;
	buf_init(&list);
	for (size_t i = 0; is_row(&option_table[i]); i++) {
		const struct option_row *row = &option_table[i];
		bool is_candidate = (row->modes & mode) && row->name && row->group != GROUP_HIDDEN && len > 2;
		if (is_candidate && strncmp(word + 2, row->name, len - 2) == 0)
			buf_addf(&list, "%s--%s", n++ ? ", " : "", row->name);
	}
	if (n)
		fail(err, "'%.*s' could be %s", (int)len, word, buf_str(&list));
	buf_deinit(&list);
	return n > 0;
}

/* The command among these words, where options of the viewer stand; NULL: none. */
static const char *misplaced_command(char **argv, unsigned mode)
{
	for (char **word = argv + 1; mode == OPTION_MODE_VIEW && *word; word++)
		if (mode_of(*word) != OPTION_MODE_VIEW)
			return *word;
	return NULL;
}

static void explain_unknown(const char *option, size_t len, char **argv, unsigned mode, struct err *err)
{
	const char *command = misplaced_command(argv, mode);
	if (command)
		fail(err, "unknown option '%.*s'; %s, as a command, comes before its options: flametop %s ...", (int)len,
		     option, command, command);
	else
		fail(err, "unknown option '%.*s' (--help lists them)", (int)len, option);
}

static enum options_result explain(int code, char **argv, unsigned mode, struct err *err)
{
	const char letter[] = {'-', (char)optopt, '\0'};
	const char *word = argv[optind - 1];
	bool is_long = strncmp(word, "--", 2) == 0 && word[2];
	const struct option_row *row = optopt ? row_of(optopt, mode) : NULL;
	if (code == ':' && row && optopt >= LONG_BASE)
		fail(err, "--%s needs a value (%s)", row->name, row->arg);
	else if (code == ':' && row)
		fail(err, "-%c needs a value (%s)", optopt, row->arg);
	else if (row && optopt >= LONG_BASE)
		fail(err, "--%s takes no value", row->name);
	else if (optopt)
		explain_unknown(letter, 2, argv, mode, err);
	else if (!is_long || !explain_ambiguous(word, mode, err))
		explain_unknown(word, strcspn(word, "="), argv, mode, err);
	return OPTIONS_USAGE;
}

/* cargo: its users write "--unit-test NAME", too. No word but an option can stand there. */
static const char *take_optional(const struct option_row *row, int argc, char **argv, unsigned mode)
{
	bool is_open = !optarg && mode == OPTION_MODE_CARGO && row->arg && row->arg[0] == '[';
	return is_open && optind < argc && argv[optind][0] != '-' ? argv[optind++] : optarg;
}

/* false: a word that is neither an option nor after "--". */
static bool take_arguments(struct options *o, int argc, char **argv, struct err *err)
{
	if (optind < argc && strcmp(argv[optind - 1], "--") != 0)
		return fail(err, "unexpected '%s' (arguments for the program come after --)", argv[optind]);
	o->cargo.arguments = optind < argc ? argv + optind : NULL;
	return true;
}

static void take_operands(struct options *o, int argc, char **argv)
{
	if (o->record.is_record || o->record.is_sample) {
		o->record.command = optind < argc ? argv + optind : NULL;
		return;
	}
	o->files = mem_alloc(((size_t)(argc - optind) + 1) * sizeof *o->files);
	for (int i = optind; i < argc; i++)
		o->files[o->n_files++] = argv[i];
}

static enum options_result read_words(struct options *o, int argc, char **argv, unsigned mode,
                                      const struct getopt_tables *t, const char *letters, struct err *err)
{
	int code, at = 0;
	opterr = 0;
	optind = 0; /* glibc: start over */
	while ((code = getopt_long(argc, argv, letters, t->longs, &at)) != -1) {
		const struct option_row *row = code == '?' || code == ':' ? NULL : row_of(code, mode);
		if (!row)
			return explain(code, argv, mode, err);
		struct buf text;
		buf_init(&text);
		if (wants_text(row, optarg, mode, &text))
			return print(&text, err);
		buf_deinit(&text);
		const char *name = code < LONG_BASE ? NULL : t->longs[at].name;
		if (!apply_row(o, row, name, take_optional(row, argc, argv, mode), err))
			return OPTIONS_USAGE;
	}
	if (mode == OPTION_MODE_CARGO)
		return take_arguments(o, argc, argv, err) ? OPTIONS_GO : OPTIONS_USAGE;
	take_operands(o, argc, argv);
	return OPTIONS_GO;
}

bool options_show_lines(const struct options *o)
{
	return !options_ask_for_file(o) || o->shown.view == SHOWN_LINES || o->export_.has_hot_lines;
}

enum options_result options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	options_init(o);
	return options_read(o, argc, argv, err);
}

/* Takes the word that names the command off; cargo calls `cargo-flametop flametop ...`. */
static unsigned take_mode(int *argc, char ***argv)
{
	const char *name = *argc > 0 ? (*argv)[0] : "", *word = *argc > 1 ? (*argv)[1] : "";
	const char *slash = strrchr(name, '/');
	bool is_cargo = strcmp(slash ? slash + 1 : name, "cargo-flametop") == 0;
	unsigned mode = is_cargo ? OPTION_MODE_CARGO : mode_of(word);
	if (is_cargo ? strcmp(word, "flametop") == 0 : mode != OPTION_MODE_VIEW)
		--*argc, ++*argv;
	return mode;
}

enum options_result options_read(struct options *o, int argc, char **argv, struct err *err)
{
	struct getopt_tables t;
	unsigned mode = take_mode(&argc, &argv);
	o->cargo.is_cargo = mode == OPTION_MODE_CARGO;
	o->record.is_record = mode == OPTION_MODE_RECORD || o->cargo.is_cargo;
	o->record.is_sample = mode == OPTION_MODE_SAMPLE;
	o->is_bundle = mode == OPTION_MODE_BUNDLE;
	build_tables(&t, mode);
	enum options_result result = read_words(o, argc, argv, mode, &t, buf_str(&t.letters), err);
	free(t.longs);
	buf_deinit(&t.letters);
	o->verbose |= o->record.verbose;
	if (result != OPTIONS_GO || o->completions || o->is_manual)
		return result;
	return check(o, err) ? OPTIONS_GO : OPTIONS_USAGE;
}
