#!/bin/sh
# Ten thousand hostile names in every output of the program. names.c makes and judges them.
. "$(dirname "$0")/../tap.sh"

names=${FLAMETOP_BUILD:-$source/build}/tests/torture/names
[ -x "$names" ] || skip_all "names is not built"
TERM=xterm-256color
export TERM
unset COLORTERM NO_COLOR

judged() { # how, name, command...
	how=$1
	name=$2
	shift 2
	"$@" >said 2>errors </dev/null
	status=$?
	[ "$status" -le 1 ] || tap_result 1 "$name" "exit status $status: $(cat errors)" || return
	"$names" "$how" <said 2>why && { [ ! -s errors ] || "$names" text <errors 2>why; }
	tap_result $? "$name" "$(cat why)"
}

total() { LC_ALL=C awk '{ n += $NF } END { print n }'; }

seeds=1 seed=${SEED:-1}
[ "${TORTURE:-}" = all ] && seeds=40 seed=${SEED:-$$}
first=$seed
while [ "$seed" -lt $((first + seeds)) ]; do
	for format in folded json perf; do
		"$names" "$format" "$seed" 4000 >"names.$format"
		f=names.$format
		it="seed $seed, $format"
		judged text "$it: text holds nothing but text" "$FLAMETOP" --to=text --width=200 --minwidth=0 "$f"
		judged colored "$it: nothing but text and colours" "$FLAMETOP" --to=text --color=truecolor --minwidth=0 "$f"
		judged text "$it: the table of functions" "$FLAMETOP" --to=top --top=100000 "$f"
		judged svg "$it: an SVG is well-formed, and nothing in it runs but our script" "$FLAMETOP" --to=svg --minwidth=0 "$f"
		judged svg "$it: a chart with a file's name, a title and notes that are hostile" "$FLAMETOP" --to=svg --flamechart \
			--title="$(printf '\033]0;x\007</text><script>"')" --notes="]]>&#1;" --subtitle="<b a='\"'>" "$f"
		judged colored "$it: the screen" "$FLAMETOP" --screen=180x50 --color=truecolor "$f"
		judged colored "$it: the screen with a search, details and tables" "$FLAMETOP" --screen=180x50 --color=256 \
			--keys='/f[0-9]<Enter>nnjjl<Enter>' "$f"
		judged colored "$it: the table on the screen" "$FLAMETOP" --screen=180x50 --color=16 --keys='<Tab>jjjj' "$f"
		judged colored "$it: the other views" "$FLAMETOP" --screen=180x50 --color=16 --keys='<Tab><Tab>jj' "$f"
		judged text "$it: the table as text" "$FLAMETOP" --view=table --to=text --top=100000 "$f"
		judged text "$it: a sandwich" "$FLAMETOP" --view=sandwich --to=text --width=200 "$f"
		judged text "$it: the call tree" "$FLAMETOP" --view=calls --to=text "$f"
		judged svg "$it: a sandwich as an SVG" "$FLAMETOP" --view=sandwich --to=svg --minwidth=0 "$f"
		judged text "$it: ASCII" "$FLAMETOP" --to=text --ascii --minwidth=0 "$f"
		run "$FLAMETOP" --to=folded "$f"
		exits 0 "$it: folded"
		printf '%s\n' "$out" >again.folded
		# A name of blanks alone cannot be read again; it is skipped with a message.
		"$FLAMETOP" --to=folded again.folded >twice.folded 2>errors
		[ -s errors ] || is "$(total <twice.folded)" "$(total <again.folded)" "$it: folded text read again has the same total"
	done
	seed=$((seed + 1))
done

if has_terminals; then
	"$names" drive "$FLAMETOP" names.folded 'jjjklli/f1~nN?~tt' >said 2>errors
	ok "on a terminal: every sequence is one that we mean" "$names" terminal <said
	"$names" drive "$FLAMETOP" names.perf 'jj/[~c?~' >said 2>errors
	ok "on a terminal, perf: every sequence is one that we mean" "$names" terminal <said
	"$names" drive "$FLAMETOP" names.json '' --to=folded >said 2>errors
	ok "folded text on a terminal is cleaned" "$names" terminal <said
	
	# Messages repeat file names and command-line arguments.
	evil=$(printf 'a\033]0;x\007\342\200\256.folded')
	run "$FLAMETOP" --to=text "$evil"
	exits 1 "a file with a hostile name that is not there is an error"
	printf '%s\n' "$err" >errors
	ok "and the message is harmless" "$names" text <errors
	for option in "--search=$(printf '\033[31m(')" "--zoom=$(printf '\033[35mno')" "--event=$(printf '\033]0;x\007')" \
		"--format=$(printf '\033[2J')" "--colors=$(printf '\233\061')" "--to=$(printf '\033c')" "$(printf -- '--\033[7m')"; do
		"$FLAMETOP" "$option" --to=text again.folded >said 2>errors </dev/null
		ok "a message about $(printf %s "$option" | tr -d '\000-\037\177-\377') is harmless" "$names" text <errors
	done
else
	skip 4 "no pseudo terminal"
fi

done_testing
