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
