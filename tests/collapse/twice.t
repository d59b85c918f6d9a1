#!/bin/sh
# Reading a file twice gives its stacks, each once: in every format, and whichever input comes first or last.
data=$(cd "$(dirname "$0")/../data/collapse" && pwd)
. "$(dirname "$0")/../tap.sh"

# Lines of --to=folded without counts and comments. Keeps waiting threads: whether they are left out depends on the
# number of inputs.
stacks() { "$FLAMETOP" -q --idle --to=folded "$@" 2>/dev/null | sed '/^#/d; s/ [0-9.]*$//; s/ [0-9.]*$//'; }

[ -z "${TESTS_SANITIZED:-}" ] && every=1 || every=4 # of a format's inputs: sanitizers slow programs down tenfold
for folder in "$data"/*; do
	format=${folder##*/}
	bad=
	n=0
	for input in "$folder"/*.in; do
		n=$((n + 1))
		[ $((n % every)) = 0 ] || [ $n = 1 ] || continue
		once=$(stacks -f "$format" "$input")
		[ "$once" ] || continue
		[ "$(stacks -f "$format" "$input" "$input")" = "$once" ] || bad="$bad ${input##*/}"
	done
	is "$bad" "" "$format: a file that is read twice has the stacks that it has"
done

printf 'main;a 1\nmain;b 2\n' >a.folded
for input in "$data"/xdebug/basic.in "$data"/vtune/basic.in "$data"/perf/*.in "$data"/sample/*.in; do
	for order in "a.folded $input a.folded $input" "$input a.folded $input" "a.folded a.folded $input $input"; do
		# shellcheck disable=SC2086 # no blanks in our file names
		[ -z "$(stacks $order | sort | uniq -d)" ] || bad="$bad $order"
	done
done
is "$bad" "" "and so it is among other files, in any order"

done_testing
