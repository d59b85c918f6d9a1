#!/bin/sh
# Files in the repository that are generated from the tables match the program's output.
. "$(dirname "$0")/../tap.sh"

same() { # option, file, name
	run "$FLAMETOP" "$1"
	exits 0 "$1 succeeds"
	if cmp -s .out "$source/$2"; then
		tap_result 0 "$2 is up to date"
	else
		tap_result 1 "$2 is up to date" "run: make docs
$(diff .out "$source/$2" | head -20)"
	fi
}
same --manual man/flametop.1
same --completions=bash completions/flametop.bash
same --completions=zsh completions/_flametop
same --completions=fish completions/flametop.fish
same --completions=powershell completions/_flametop.ps1
same --completions=elvish completions/flametop.elv

for option in $("$FLAMETOP" --help | grep -o '^ *-[^ ]*.*--[a-z-]*' | grep -o '\-\-[a-z-]*' | sort -u); do
	escaped=$(printf '%s' "$option" | sed 's/-/\\-/g')
	grep -qF -- "$escaped" "$source/man/flametop.1" || echo "$option"
done >missing
is "$(cat missing)" "" "the manual has every option of --help"

if command -v bash >/dev/null; then
	# shellcheck disable=SC2016 # for bash
	complete='. "$0"; COMP_WORDS=(flametop "$@"); COMP_CWORD=$#; compopt() { :; }; _flametop; echo "${COMPREPLY[*]}"'
	is "$(bash -c "$complete" "$source/completions/flametop.bash" --inv)" "--inverted" "bash completes options"
	is "$(bash -c "$complete" "$source/completions/flametop.bash" --sort=w)" "weight" "bash completes values"
	is "$(bash -c "$complete" "$source/completions/flametop.bash" --sort = w)" "weight" "bash completes values after ="
	is "$(bash -c "$complete" "$source/completions/flametop.bash" record --call-g)" "--call-graph=" \
		"bash completes options of record"
	is "$(bash -c "$complete" "$source/completions/flametop.bash" -c wakeu)" "wakeup" "bash completes values of a letter"
	is "$(bash -c "$complete" "$source/completions/flametop.bash" record -c wakeu)" "" "which is another option after record"
else
	skip 6 "no bash"
fi
if command -v zsh >/dev/null; then
	ok "zsh understands its completions" zsh -n "$source/completions/_flametop"
else
	skip 1 "no zsh"
fi
if command -v fish >/dev/null; then
	ok "fish understands its completions" fish -n "$source/completions/flametop.fish"
else
	skip 1 "no fish"
fi

# Options of commands, from their help.
for command in view record sample bundle; do
	[ $command = view ] && word='' || word=$command
	# shellcheck disable=SC2086 # no word for the view
	"$FLAMETOP" $word --help | grep -o '^ *-[^ ]*.*--[a-z-]*' | grep -o '\-\-[a-z-]*' | sort -u >names
	while read -r name; do
		for file in _flametop.ps1 flametop.elv; do
			grep -q "modes *= *'[a-z ]*${command}[a-z ]*'.*names *= *'${name}[ ']" "$source/completions/$file" || echo "$file: $name"
		done
	done <names >missing
	is "$(test -s names && cat missing)" "" "PowerShell and Elvish have all options of $command"
done
# Five texts in a row, without doubled apostrophes and the empty text.
for file in _flametop.ps1 flametop.elv; do
	is "$(grep 'help *= *' "$source/completions/$file" | sed "s/''//g" | tr -dc "'\n" | sort -u)" "''''''''
''''''''''" "$file: an apostrophe does not end a text"
	like "$(cat "$source/completions/$file")" "*a copy of its machine''s files*" "$file: it is doubled"
done
if command -v elvish >/dev/null; then
	# The editor's functions exist on a terminal only.
	# shellcheck disable=SC2016 # for elvish
	{
		echo 'var edit: = (ns [&completion:=(ns [&arg-completer=[&]]) &complete-sudo~={|@a| put COMMAND} ^'
		echo '&complete-filename~={|@a| put [&stem=FILE &code-suffix="" &display=FILE]} ^'
		echo '&complex-candidate~={|stem &code-suffix="" &display=""| put $stem}])'
		cat "$source/completions/flametop.elv"
		echo '$edit:completion:arg-completer[flametop] flametop $@args | each {|c|'
		echo 'if (not-eq (kind-of $c) string) { set c = $c[stem] }; if (str:has-prefix $c $args[-1]) { echo $c } }'
	} >complete.elv
	elvish_offers() {
		list=
		for word; do
			list="$list '$word'"
		done
		{ echo "var args = [$list]" && cat complete.elv; } >run.elv
		elvish -norc run.elv 2>&1
	}
	is "$(elvish_offers --inv)" "--inverted" "Elvish completes options"
	is "$(elvish_offers --sort=w)" "--sort=weight" "Elvish completes values after ="
	is "$(elvish_offers record --call-g)" "--call-graph=" "Elvish completes options of record"
	is "$(elvish_offers -c wakeu)" "wakeup" "Elvish completes values of a letter"
	is "$(elvish_offers record -c wakeu)" "" "which is another option after record"
	is "$(elvish_offers --output=F)" "--output=FILE" "Elvish completes files after ="
	is "$(elvish_offers rec)" "record" "Elvish completes commands"
	is "$(elvish_offers record '')" "COMMAND
FILE" "and programs after them"
else
	skip 8 "no elvish"
fi
if command -v pwsh >/dev/null; then
	pwsh_offers() {
		# shellcheck disable=SC2016 # for PowerShell
		LINE=$1 SCRIPT=$source/completions/_flametop.ps1 pwsh -NoProfile -NonInteractive -Command \
			'. $env:SCRIPT; (TabExpansion2 $env:LINE $env:LINE.Length).CompletionMatches.CompletionText'
	}
	is "$(pwsh_offers 'flametop --inv')" "--inverted" "PowerShell completes options"
	is "$(pwsh_offers 'flametop --sort=w')" "--sort=weight" "PowerShell completes values after ="
	is "$(pwsh_offers 'flametop record --call-g')" "--call-graph=" "PowerShell completes options of record"
	is "$(pwsh_offers 'flametop -c wakeu')" "wakeup" "PowerShell completes values of a letter"
	is "$(pwsh_offers 'flametop rec')" "record" "PowerShell completes commands"
else
	skip 5 "no pwsh"
fi
if command -v mandoc >/dev/null; then
	is "$(mandoc -Tlint -Wwarning "$source/man/flametop.1")" "" "mandoc has nothing to say about the manual"
else
	skip 1 "no mandoc"
fi
if command -v groff >/dev/null; then
	is "$(groff -man -Tutf8 -ww "$source/man/flametop.1" 2>&1 >/dev/null)" "" "groff has nothing to say about the manual"
else
	skip 1 "no groff"
fi

done_testing
