#!/bin/sh
# formats.t - runs each format on its inputs: tests/data/collapse/FORMAT/NAME.*
#
#	NAME.in        the input
#	NAME.folded    what --to=folded writes; empty or missing: nothing
#	NAME.case      optional, lines KEY=VALUE:
#	    options=--tid     more options
#	    input=OTHER.in    another case's input
#	    status=1          exit status, if not 0
#	    named=0           exit status with the format named, if different
#	    stderr=TEXT       standard error has this text; may be repeated
#	    detect=no         the input alone does not tell its format
#
# Every case runs with the format named and, unless it says otherwise, with the format detected. A successful case
# without stderr= must print no message.
: "${FLAMETOP:?path of the program to test}"
cd "$(dirname "$0")/../data/collapse" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

count=0
failed=0

report() { # OK NAME
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $2"
	sed 's/^/# /' "$tmp/why"
}

# Compares the results of the last run in $tmp with the case.
judge() {
	: >"$tmp/why"
	[ "$got" = "$wanted" ] || echo "exit status $got, expected $wanted" >>"$tmp/why"
	[ "$got" = 0 ] || [ -s "$tmp/err" ] || echo "exit status $got without a word" >>"$tmp/why"
	diff "$folded" "$tmp/out" >>"$tmp/why" 2>&1
	if [ -s "$tmp/texts" ]; then
		while IFS= read -r text; do
			grep -qF -e "$text" "$tmp/err" || echo "standard error lacks: $text" >>"$tmp/why"
		done <"$tmp/texts"
	elif [ -s "$tmp/err" ] && [ "$status" = 0 ]; then
		echo "unexpected messages" >>"$tmp/why"
	fi
	[ -s "$tmp/why" ] || return 0
	sed 's/^/standard error: /' "$tmp/err" >>"$tmp/why"
	return 1
}

run_case() { # FORMAT NAME
	format=$1 name=$2
	input=$name.in options='' status=0 named='' detect=yes
	folded=$format/$name.folded
	[ -e "$folded" ] || folded=/dev/null
	: >"$tmp/texts"
	if [ -e "$format/$name.case" ]; then
		while IFS='=' read -r key value; do
			case $key in
			input) input=$value ;;
			options) options=$value ;;
			status) status=$value ;;
			named) named=$value ;;
			detect) detect=$value ;;
			stderr) printf '%s\n' "$value" >>"$tmp/texts" ;;
			esac
		done <"$format/$name.case"
	fi
	# options are words of our own, without blanks inside
	# shellcheck disable=SC2086
	"$FLAMETOP" -f "$format" --to=folded $options "$format/$input" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	wanted=${named:-$status}
	judge
	report $? "$format: $name"
	[ "$detect" = yes ] || return
	# shellcheck disable=SC2086
	"$FLAMETOP" --to=folded $options "$format/$input" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	wanted=$status
	judge
	report $? "$format: $name (detected)"
}

for format in ${FORMATS:-*}; do
	for file in "$format"/*.in "$format"/*.case; do
		[ -e "$file" ] || continue
		name=${file##*/}
		case $name in
		*.in)
			# a case file may be the only file with this name, or have others
			run_case "$format" "${name%.in}" ;;
		*.case)
			[ -e "$format/${name%.case}.in" ] || run_case "$format" "${name%.case}" ;;
		esac
	done
done
echo "1..$count"
[ "$failed" = 0 ]
