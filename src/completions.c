/*
 * completions.c - completions for `flametop` and its commands in bash, zsh and fish, whose scripts spell out each
 * option in the shell's own terms; completions_rows.c has those of PowerShell and Elvish.
 *
 * A row's `words` describe its values: fixed words, names of formats, kinds or palettes, or files. Profiles can
 * have any name, so operands are files; after `record` they are a command and its arguments. `cargo flametop` has
 * none: shells complete it as they complete cargo.
 */
#include "completions.h"

#include <flametop.h>
#include <string.h>

#include "manual.h"
#include "options.h"

static bool is_listed(const struct option_row *row, unsigned mode)
{
	return (row->modes & mode) && row->group != GROUP_HIDDEN;
}

bool completions_list(const struct option_row *row)
{
	return is_listed(row, OPTION_MODES | OPTION_MODE_SAMPLE | OPTION_MODE_BUNDLE);
}

bool completions_take_files(const struct option_row *row)
{
	return row->words && strcmp(row->words, "@files") == 0;
}

static void add_list(struct buf *out, const char *option)
{
	struct flametop_word w = {.size = sizeof w};
	for (size_t i = 0; flametop_word(option, i, &w) == FLAMETOP_OK; i++)
		buf_addf(out, "%s ", w.word);
	buf_adds(out, "help");
}

void completions_add_words(struct buf *out, const struct option_row *row)
{
	const char *words = row->words ? row->words : "";
	if (strcmp(words, "@formats") == 0) {
		buf_adds(out, "auto ");
		add_list(out, "format");
	} else if (strcmp(words, "@kinds") == 0) {
		add_list(out, "to");
	} else if (strcmp(words, "@palettes") == 0) {
		add_list(out, "colors");
	} else if (*words != '@') {
		buf_adds(out, words);
	}
}

/* Text between single quotes of a shell; people only read it, so a quote inside becomes a typographic one. */
static void add_quoted(struct buf *out, const char *s, const char *escaped)
{
	for (; *s; s++) {
		if (*s == '\'') {
			buf_adds(out, "\"");
			continue;
		}
		if (strchr(escaped, *s))
			buf_addc(out, '\\');
		buf_addc(out, *s);
	}
}

/* ---- bash ---------------------------------------------------------------------------------------------------- */

static void add_bash_names(struct buf *out, unsigned mode)
{
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (!is_listed(row, mode))
			continue;
		if (row->name)
			buf_addf(out, " --%s%s", row->name, row->arg && row->arg[0] != '[' ? "=" : "");
		if (row->letter)
			buf_addf(out, " -%c", row->letter);
	}
}

/* After `record`, a letter can mean another option. */
static void add_bash_values(struct buf *out)
{
	static const char *const modes[] = {
		[OPTION_MODE_VIEW] = "view",
		[OPTION_MODE_RECORD] = "record",
		[OPTION_MODE_VIEW | OPTION_MODE_RECORD] = "*",
	};
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (row->group == GROUP_HIDDEN || !row->arg || !row->words || !row->name || !(row->modes & OPTION_MODES))
			continue; /* those of `bundle` alone have namesakes */
		bool has_letter = row->letter && row->arg[0] != '[';
		buf_addf(out, "\t*:--%s", row->name);
		if (has_letter)
			buf_addf(out, "|%s:-%c", modes[row->modes & OPTION_MODES], row->letter);
		buf_adds(out, ") ");
		if (completions_take_files(row)) {
			buf_adds(out, "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n");
			continue;
		}
		buf_adds(out, "COMPREPLY=($(compgen -W '");
		completions_add_words(out, row);
		buf_adds(out, "' -- \"$cur\")) ;;\n");
	}
}

static void add_bash(struct buf *out)
{
	buf_adds(out, "# bash completion for flametop; made by `flametop --completions=bash`.\n"
	              "_flametop()\n{\n"
	              "\tlocal cur prev words cword split=false names mode=view\n"
	              "\tcur=${COMP_WORDS[COMP_CWORD]}\n"
	              "\tprev=${COMP_WORDS[COMP_CWORD-1]}\n"
	              "\t# '=' is a word of its own unless COMP_WORDBREAKS was changed\n"
	              "\tif [[ $cur == '=' ]]; then\n\t\tcur=\n"
	              "\telif [[ $prev == '=' ]]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	              "\telif [[ $cur == --*=* ]]; then\n\t\tprev=${cur%%=*}\n\t\tcur=${cur#*=}\n\tfi\n"
	              "\t[[ ${COMP_WORDS[1]} == @(record|sample|bundle) ]] && mode=${COMP_WORDS[1]}\n"
	              "\tcase $mode:$prev in\n");
	add_bash_values(out);
	buf_adds(out, "\t*)\n\t\tnames='");
	add_bash_names(out, OPTION_MODE_VIEW);
	buf_adds(out, "'\n\t\t[[ $mode == record ]] && names='");
	add_bash_names(out, OPTION_MODE_RECORD);
	buf_adds(out, "'\n\t\t[[ $mode == sample ]] && names='");
	add_bash_names(out, OPTION_MODE_SAMPLE);
	buf_adds(out, "'\n\t\t[[ $mode == bundle ]] && names='");
	add_bash_names(out, OPTION_MODE_BUNDLE);
	buf_adds(out, "'\n\t\tif [[ $cur == -* ]]; then\n"
	              "\t\t\tCOMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n"
	              "\t\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	              "\t\telif [[ $mode == @(record|sample) && $COMP_CWORD -gt 1 ]]; then\n"
	              "\t\t\tcompopt -o filenames\n\t\t\tCOMPREPLY=($(compgen -c -f -- \"$cur\"))\n"
	              "\t\telse\n"
	              "\t\t\tcompopt -o filenames\n\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	              "\t\t\t[[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W 'record sample bundle' -- \"$cur\"))\n"
	              "\t\tfi ;;\n\tesac\n\treturn 0\n}\n"
	              "complete -F _flametop flametop\n");
}

/* ---- zsh ----------------------------------------------------------------------------------------------------- */

/* :message:action of _arguments */
static void add_zsh_value(struct buf *out, const struct option_row *row)
{
	buf_addc(out, ':');
	add_quoted(out, row->arg[0] == '[' ? "value" : row->arg, ":[]\\");
	buf_addc(out, ':');
	if (completions_take_files(row)) {
		buf_adds(out, "_files");
	} else if (row->words) {
		buf_addc(out, '(');
		completions_add_words(out, row);
		buf_addc(out, ')');
	} else {
		buf_addc(out, ' ');
	}
}

static void add_zsh_spec(struct buf *out, const struct option_row *row, bool is_long)
{
	bool is_optional = row->arg && row->arg[0] == '[';
	buf_adds(out, "\t\t'*");
	if (is_long)
		buf_addf(out, "--%s%s", row->name, !row->arg ? "" : is_optional ? "=-" : "=");
	else
		buf_addf(out, "-%c%s", row->letter, !row->arg ? "" : is_optional ? "-" : "+");
	buf_addc(out, '[');
	add_quoted(out, row->help, ":[]\\");
	buf_addc(out, ']');
	if (is_optional)
		buf_addc(out, ':');
	if (row->arg)
		add_zsh_value(out, row);
	buf_adds(out, "'\n");
}

static void add_zsh_mode(struct buf *out, const char *name, unsigned mode)
{
	buf_addf(out, "\t%s=(\n", name);
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (!is_listed(row, mode))
			continue;
		if (row->letter)
			add_zsh_spec(out, row, false);
		if (row->name)
			add_zsh_spec(out, row, true);
	}
	buf_adds(out, "\t)\n");
}

static void add_zsh(struct buf *out)
{
	buf_adds(out, "#compdef flametop\n# zsh completion for flametop; made by `flametop --completions=zsh`.\n"
	              "_flametop() {\n\tlocal -a view record sample bundle\n");
	add_zsh_mode(out, "view", OPTION_MODE_VIEW);
	add_zsh_mode(out, "record", OPTION_MODE_RECORD);
	add_zsh_mode(out, "sample", OPTION_MODE_SAMPLE);
	add_zsh_mode(out, "bundle", OPTION_MODE_BUNDLE);
	buf_adds(out, "\tif (( CURRENT > 2 )) && [[ $words[2] == record ]]; then\n"
	              "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	              "\t\t_arguments -s -S $record '*:::command:_normal'\n"
	              "\telif (( CURRENT > 2 )) && [[ $words[2] == sample ]]; then\n"
	              "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	              "\t\t_arguments -s -S $sample '*:::command:_normal'\n"
	              "\telif (( CURRENT > 2 )) && [[ $words[2] == bundle ]]; then\n"
	              "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	              "\t\t_arguments -s -S $bundle '*:recording:_files'\n"
	              "\telif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
	              "\t\t_alternative 'commands:command:((record\\:\"profile and show\" "
	              "sample\\:\"record as perf does\" "
	              "bundle\\:\"pack a recording for another machine\"))' 'files:profile:_files'\n"
	              "\telse\n"
	              "\t\t_arguments -s -S $view '*:profile:_files'\n"
	              "\tfi\n}\n_flametop \"$@\"\n");
}

/* ---- fish ---------------------------------------------------------------------------------------------------- */

/* With which commands the option goes. */
static const char *fish_condition(unsigned modes)
{
	switch (modes & (OPTION_MODES | OPTION_MODE_BUNDLE | OPTION_MODE_SAMPLE)) {
	case OPTION_MODE_VIEW:
		return " -n 'not __fish_seen_subcommand_from record sample bundle'";
	case OPTION_MODE_RECORD:
		return " -n '__fish_seen_subcommand_from record'";
	case OPTION_MODE_SAMPLE:
		return " -n '__fish_seen_subcommand_from sample'";
	case OPTION_MODE_RECORD | OPTION_MODE_SAMPLE:
		return " -n '__fish_seen_subcommand_from record sample'";
	case OPTION_MODES | OPTION_MODE_BUNDLE:
		return " -n 'not __fish_seen_subcommand_from sample'";
	case OPTION_MODE_BUNDLE:
		return " -n '__fish_seen_subcommand_from bundle'";
	case OPTION_MODES:
		return " -n 'not __fish_seen_subcommand_from sample bundle'";
	default:
		return "";
	}
}

static void add_fish_row(struct buf *out, const struct option_row *row)
{
	buf_addf(out, "complete -c flametop%s", fish_condition(row->modes));
	if (row->letter)
		buf_addf(out, " -s %c", row->letter);
	if (row->name)
		buf_addf(out, " -l %s", row->name);
	if (row->arg && row->arg[0] != '[')
		buf_adds(out, completions_take_files(row) ? " -r -F" : " -x");
	if (row->arg && row->words && !completions_take_files(row)) {
		buf_adds(out, " -a '");
		completions_add_words(out, row);
		buf_adds(out, "'");
	}
	buf_adds(out, " -d '");
	add_quoted(out, row->help, "\\");
	buf_adds(out, "'\n");
}

static void add_fish(struct buf *out)
{
	buf_adds(out,
	         "# fish completion for flametop; made by `flametop --completions=fish`.\n"
	         "complete -c flametop -n '__fish_is_first_arg' -a record -d 'profile and show'\n"
	         "complete -c flametop -n '__fish_is_first_arg' -a sample -d 'record as perf does'\n"
	         "complete -c flametop -n '__fish_is_first_arg' -a bundle -d 'pack a recording for another machine'\n"
	         "complete -c flametop -n '__fish_seen_subcommand_from record sample' -a "
	         "'(__fish_complete_command)'\n");
	for (const struct option_row *row = option_table; row->name || row->letter; row++)
		if (completions_list(row))
			add_fish_row(out, row);
}

void completions_add(struct buf *out, const char *shell)
{
	if (strcmp(shell, "bash") == 0)
		add_bash(out);
	else if (strcmp(shell, "zsh") == 0)
		add_zsh(out);
	else if (strcmp(shell, "fish") == 0)
		add_fish(out);
	else if (strcmp(shell, "powershell") == 0)
		completions_add_powershell(out);
	else
		completions_add_elvish(out);
}
