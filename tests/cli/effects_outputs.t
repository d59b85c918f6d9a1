#!/bin/sh
# Tries options that only some outputs support with each of them, as effects.t does for formats.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/effects.sh"
. "$source/tests/cli/effects_outputs.sh"

# Options about the input, or with an effect on any output.
cat >elsewhere <<END
$(options none | tr ' ' '\n' | sed 's/=.*//')
--all --context --inline --format --frames --jobs --event --thread --time --window --decay --diff --fail-above --output --to --screen --no-config
--no-inline --symbolizer --unit --tagroot --symfs --sysroot --path-map --kallsyms --debuginfod --seconds --every --sql --listen --duration --save
--header --user --netrc --oauth2-bearer --cacert --cert --key --insecure --timeout --quiet --verbose --completions --help --version
END
"$FLAMETOP" --help | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort -u >known
{ sed 's/=.*//' outputs; tr ' ' '\n' <elsewhere; } | sort -u >tried
is "$(comm -3 known tried)" "" "no option was forgotten"

# One kind of each sort will do, as these take long: effects_each.t has all kinds.
kinds='svg folded text lines json pprof'
[ -z "${TESTS_SANITIZED-}" ] || kinds=svg
for kind in $kinds; do
	skipped=''
	[ $kind != lines ] || skipped=--view=lines # as it is
	try_options $kind $kind '' "$skipped"
done

run "$FLAMETOP" --to=text --title=x --title=y one.folded
is "$status $err" "0 flametop: --title has no effect on this output: text" "it is named once, and that is all"
run "$FLAMETOP" --to=text --quiet --title=x one.folded
is "$err" "" "--quiet: it is not"
run "$FLAMETOP" --to=folded --image-width=900 --min-width=1 one.folded
is "$err" "" "nor is one by the name that another program has for it"
run "$FLAMETOP" --screen=80x20 --title=x --top=3 one.folded
is "$err" "" "in the viewer, which may still write it, all have one"
run "$FLAMETOP" --fail-above=50 --absolute --diff=one.folded --to=folded one.folded
is "$err" "" "an option that the gate uses has an effect with any output"
sed 's/$/1/' one.folded >other.folded
for option in --widths=before --absolute --normalize --negate; do
	run "$FLAMETOP" --no-config --to=svg --no-diff --diff=other.folded $option one.folded
	is "$err" "flametop: ${option%=*} has no effect: --no-diff shows one profile alone" "$option: one of two profiles"
	run "$FLAMETOP" --no-config --to=svg --diff=other.folded $option one.folded
	is "$err" "" "$option: both"
done
mkdir -p flametop
printf 'colors = java\nsort = weight\ninverted = yes\nminwidth = 1\n' >flametop/config
XDG_CONFIG_HOME=$dir
export XDG_CONFIG_HOME
run "$FLAMETOP" --to=folded one.folded
is "$err" "" "habits of the configuration are not named"

done_testing
