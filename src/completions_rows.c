/*
 * completions_rows.c - completions for PowerShell and Elvish: scripts that hold the table of options as data.
 *
 *	@{ modes = 'view record'; names = '--sort'; value = 'needed'; words = 'name weight input'; help = '...'; }
 *	[&modes='view record' &names='--sort' &value='needed' &words='name weight input' &help='...' ]
 *
 * Each script finds out the command (none is "view"), keeps its rows, and offers their names, or the words of the
 * row whose value is being typed. Both shells complete words with what begins like them, so what follows
 * --name= is offered with that in front. Both double an apostrophe within a text.
 */
#include "completions.h"

#include <stddef.h>

#include "options.h"

/* How a shell writes a row. */
struct row_syntax {
	const char *open, *before, *equals, *behind, *close; /* before and after each field */
};

static void add_quoted(struct buf *out, const char *s)
{
	buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_addc(out, '\'');
		buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

static void add_field(struct buf *out, const struct row_syntax *syntax, const char *name, const char *value)
{
	buf_addf(out, "%s%s%s", syntax->before, name, syntax->equals);
	add_quoted(out, value);
	buf_adds(out, syntax->behind);
}

static void add_taken_field(struct buf *out, const struct row_syntax *syntax, const char *name, struct buf *value)
{
	add_field(out, syntax, name, buf_str(value));
	buf_deinit(value);
}

static void add_modes(struct buf *out, const struct row_syntax *syntax, unsigned modes)
{
	static const struct {
		unsigned mode;
		const char *name;
	} all[] = {{OPTION_MODE_VIEW, "view"},
	           {OPTION_MODE_RECORD, "record"},
	           {OPTION_MODE_SAMPLE, "sample"},
	           {OPTION_MODE_BUNDLE, "bundle"}};
	struct buf names;
	buf_init(&names);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (modes & all[i].mode)
			buf_addf(&names, "%s%s", names.len ? " " : "", all[i].name);
	add_taken_field(out, syntax, "modes", &names);
}

static void add_names(struct buf *out, const struct row_syntax *syntax, const struct option_row *row)
{
	struct buf names;
	buf_init(&names);
	if (row->name)
		buf_addf(&names, "--%s", row->name);
	if (row->letter)
		buf_addf(&names, "%s-%c", names.len ? " " : "", row->letter);
	add_taken_field(out, syntax, "names", &names);
}

static void add_words(struct buf *out, const struct row_syntax *syntax, const struct option_row *row)
{
	struct buf words;
	buf_init(&words);
	if (completions_take_files(row))
		buf_adds(&words, "@files");
	else
		completions_add_words(&words, row);
	add_taken_field(out, syntax, "words", &words);
}

static void add_rows(struct buf *out, const struct row_syntax *syntax)
{
	for (const struct option_row *row = option_table; row->name || row->letter; row++) {
		if (!completions_list(row))
			continue;
		buf_adds(out, syntax->open);
		add_modes(out, syntax, row->modes);
		add_names(out, syntax, row);
		add_field(out, syntax, "value", !row->arg ? "none" : row->arg[0] == '[' ? "optional" : "needed");
		add_words(out, syntax, row);
		add_field(out, syntax, "help", row->help);
		buf_adds(out, syntax->close);
	}
}

static const char powershell_head[] =
	"# PowerShell completion for flametop; made by `flametop --completions=powershell`.\n"
	"Register-ArgumentCompleter -Native -CommandName flametop -ScriptBlock {\n"
	"\tparam($word, $line, $position)\n"
	"\t$rows = @(\n";

static const char powershell_tail[] =
	"\t)\n"
	"\t$commands = [ordered]@{ record = 'profile and show'; sample = 'record as perf does'\n"
	"\t\tbundle = 'pack a recording for another machine' }\n"
	"\t# the whole words before the one that is being typed\n"
	"\t$before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } |\n"
	"\t\tForEach-Object { $_.Extent.Text })\n"
	"\t$mode = if ($before.Count -gt 1 -and $commands.Contains($before[1])) { $before[1] } else { 'view' }\n"
	"\t$rows = @($rows | Where-Object { ($_.modes -split ' ') -ccontains $mode })\n"
	"\tfunction begins($text, $start) { $text.StartsWith($start, [System.StringComparison]::Ordinal) }\n"
	"\tfunction offer($text, $shown, $kind, $help) {\n"
	"\t\t[System.Management.Automation.CompletionResult]::new($text, $shown, $kind, $help)\n"
	"\t}\n"
	"\tfunction files($start, $prefix) {\n"
	"\t\t[System.Management.Automation.CompletionCompleters]::CompleteFilename($start) | ForEach-Object {\n"
	"\t\t\toffer ($prefix + $_.CompletionText) $_.ListItemText $_.ResultType $_.ToolTip\n"
	"\t\t}\n"
	"\t}\n"
	"\t$name, $start, $prefix = $before[-1], $word, ''\n"
	"\tif ($word -match '^(--[^=]+)=(.*)$') {\n"
	"\t\t$name, $start, $prefix = $Matches[1], $Matches[2], ($Matches[1] + '=')\n"
	"\t}\n"
	"\t$row = $rows | Where-Object { ($_.names -split ' ') -ccontains $name -and\n"
	"\t\t($_.value -eq 'needed' -or ($prefix -and $_.value -ne 'none')) } | Select-Object -First 1\n"
	"\tif ($row -and $row.words -eq '@files') {\n"
	"\t\tfiles $start $prefix\n"
	"\t} elseif ($row) {\n"
	"\t\t$row.words -split ' ' | Where-Object { $_ -and (begins $_ $start) } | ForEach-Object {\n"
	"\t\t\toffer ($prefix + $_) $_ 'ParameterValue' $_\n"
	"\t\t}\n"
	"\t} elseif (begins $word '-') {\n"
	"\t\tforeach ($row in $rows) {\n"
	"\t\t\tforeach ($name in $row.names -split ' ') {\n"
	"\t\t\t\t$text = if ($row.value -eq 'needed' -and (begins $name '--')) { $name + '=' } else { $name }\n"
	"\t\t\t\tif (begins $text $word) { offer $text $text 'ParameterName' $row.help }\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t} else {\n"
	"\t\tif ($before.Count -eq 1) {\n"
	"\t\t\t$commands.GetEnumerator() | Where-Object { begins $_.Key $word } | ForEach-Object {\n"
	"\t\t\t\toffer $_.Key $_.Key 'ParameterValue' $_.Value\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t\tif ($mode -in 'record', 'sample') {\n"
	"\t\t\t[System.Management.Automation.CompletionCompleters]::CompleteCommand($word)\n"
	"\t\t}\n"
	"\t\tfiles $word ''\n"
	"\t}\n"
	"}\n";

static const char elvish_head[] = "# Elvish completion for flametop; made by `flametop --completions=elvish`.\n"
								  "use str\n"
								  "set edit:completion:arg-completer[flametop] = {|@all|\n"
								  "\tvar rows = [\n";

static const char elvish_tail[] =
	"\t]\n"
	"\tvar commands = [[record 'profile and show'] [sample 'record as perf does']\n"
	"\t\t[bundle 'pack a recording for another machine']]\n"
	"\tvar word = $all[-1]\n"
	"\tvar before = $all[..-1]\n"
	"\tvar mode = view\n"
	"\tif (and (> (count $before) 1) (has-value [record sample bundle] $before[1])) {\n"
	"\t\tset mode = $before[1]\n"
	"\t}\n"
	"\tset rows = [(each {|r| if (has-value [(str:split ' ' $r[modes])] $mode) { put $r } } $rows)]\n"
	"\tfn offer {|text help &behind=' '|\n"
	"\t\tedit:complex-candidate $text &code-suffix=$behind &display=$text' ('$help')'\n"
	"\t}\n"
	"\tvar name = $before[-1]\n"
	"\tvar start = $word\n"
	"\tvar prefix = ''\n"
	"\tif (and (str:has-prefix $word '--') (str:contains $word '=')) {\n"
	"\t\tset name start = (str:split &max=2 '=' $word)\n"
	"\t\tset prefix = $name'='\n"
	"\t}\n"
	"\tvar found = [(each {|r|\n"
	"\t\tif (and (has-value [(str:split ' ' $r[names])] $name) ^\n"
	"\t\t\t(or (eq $r[value] needed) (and (not-eq $prefix '') (not-eq $r[value] none)))) {\n"
	"\t\t\tput $r\n"
	"\t\t}\n"
	"\t} $rows)]\n"
	"\tif (and (not-eq $found []) (eq $found[0][words] '@files')) {\n"
	"\t\tedit:complete-filename $start | each {|file|\n"
	"\t\t\tedit:complex-candidate $prefix$file[stem] ^\n"
	"\t\t\t\t&code-suffix=$file[code-suffix] &display=$file[display]\n"
	"\t\t}\n"
	"\t} elif (not-eq $found []) {\n"
	"\t\tstr:split ' ' $found[0][words] | each {|w| if (not-eq $w '') { put $prefix$w } }\n"
	"\t} elif (str:has-prefix $word '-') {\n"
	"\t\teach {|r|\n"
	"\t\t\tstr:split ' ' $r[names] | each {|n|\n"
	"\t\t\t\tif (and (eq $r[value] needed) (str:has-prefix $n '--')) {\n"
	"\t\t\t\t\toffer $n'=' $r[help] &behind=''\n"
	"\t\t\t\t} else {\n"
	"\t\t\t\t\toffer $n $r[help]\n"
	"\t\t\t\t}\n"
	"\t\t\t}\n"
	"\t\t} $rows\n"
	"\t} else {\n"
	"\t\tif (== (count $before) 1) {\n"
	"\t\t\teach {|c| offer $c[0] $c[1] } $commands\n"
	"\t\t}\n"
	"\t\tif (has-value [record sample] $mode) {\n"
	"\t\t\tedit:complete-sudo $mode $word\n"
	"\t\t}\n"
	"\t\tedit:complete-filename $word\n"
	"\t}\n"
	"}\n";

void completions_add_powershell(struct buf *out)
{
	static const struct row_syntax syntax = {"\t\t@{ ", "", " = ", "; ", "}\n"};
	buf_adds(out, powershell_head);
	add_rows(out, &syntax);
	buf_adds(out, powershell_tail);
}

void completions_add_elvish(struct buf *out)
{
	static const struct row_syntax syntax = {"\t\t[", "&", "=", " ", "]\n"};
	buf_adds(out, elvish_head);
	add_rows(out, &syntax);
	buf_adds(out, elvish_tail);
}
