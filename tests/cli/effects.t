#!/bin/sh
# Tries options that only some formats support with each of them: an option either makes a difference somewhere, or
# the program says that it has no effect and changes nothing. effects_outputs.t and effects_views.t do so
# for outputs.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/effects.sh"

data=$source/tests/data/collapse
unset PERF

cat >all.perf <<'END'
app 10/11 1.000000: 5 cycles:
	            7f01 leaf+0x10 (/bin/app)
  app.c:7
	            7f02 [unknown] (/bin/app)
	            7f03 [unknown] (/tmp/perf-10.map)
	            7f04 spin (inlined)
	            7f05 compiled (/tmp/perf-10.map)
	ffffffff81000000 do_syscall_64+0x1 ([kernel.kallsyms])
	            7f06 main (/bin/app)

app 10/12 2.000000: 7 faults:
	            7f06 main (/bin/app)

END
printf 'a;b 1\na;c 2\n' >all.folded

# Files of a format, those that are read without messages first.
inputs() {
	case $1 in
	perf) echo all.perf ;;
	folded) echo all.folded ;;
	*)
		for f in "$data/$1"/*.in; do
			[ -e "${f%.in}.case" ] || echo "$f"
		done
		for f in "$data/$1"/*.in; do
			[ ! -e "${f%.in}.case" ] || echo "$f"
		done
		;;
	esac
}

changes_something() { # FORMAT OPTION
	for f in $(inputs "$1"); do
		"$FLAMETOP" -q -f "$1" --to=folded "$f" >plain 2>&1
		"$FLAMETOP" -q -f "$1" --to=folded "$2" "$f" >with 2>&1
		cmp -s plain with || return 0
	done
	return 1
}

formats=$("$FLAMETOP" --format=help | awk '/^[a-z]/ && $1 != "auto" { print $1 }')
ok "formats are listed" test "$(echo "$formats" | wc -l)" -ge 25
for format in $formats; do
	first=$(inputs "$format" | head -1)
	"$FLAMETOP" -q -f "$format" --to=folded "$first" >base 2>/dev/null
	silent='' wrong=''
	for option in $(options "$format"); do
		"$FLAMETOP" -f "$format" --to=folded "$option" "$first" >out 2>err
		if grep -q -e "${option%%=*} has no effect on this format: $format" err; then
			cmp -s base out || wrong="$wrong $option"
		elif ! changes_something "$format" "$option"; then
			silent="$silent ${option%%=*}"
		fi
	done
	is "$silent" "" "$format: an option without effect is named"
	is "$wrong" "" "$format: an option that is named changes nothing"
done

# The viewer says so, too.
run "$FLAMETOP" --screen=90x12 --srcline all.folded
is "$(sed -n '$p' .out | grep -c -e '--srcline has no effect on this format: folded')" 1 "the viewer names an option without effect"
run "$FLAMETOP" --to=folded -q --srcline all.folded
is "$err" "" "--quiet: it is not named"
run "$FLAMETOP" --to=folded --tid all.perf
is "$(echo "$err" | grep -c 'no effect')" 0 "an option that has an effect is not named"

# Places that a file does not show need not exist.
run "$FLAMETOP" --cursor=nope --to=folded all.folded
exits 0 "a cursor that has no effect is not looked for"
says "*--cursor has no effect on this output: folded*" "it is named"
run "$FLAMETOP" --expand=nope --to=top all.folded
exits 0 "nor is an open row"
run "$FLAMETOP" --view=calls --cursor=nope --to=text all.folded
exits 1 "a call tree depends on it"
run "$FLAMETOP" --negate --diff=all.folded --to=text all.folded
says "*--negate has no effect on this output: text*" "text without colours cannot swap them"
run "$FLAMETOP" --focus=nope --to=svg all.folded
says "*no sample passes the filters: nothing to draw*" "why there is no picture"

# Options that depend on others, or on the input.
grep -v app.c all.perf >bare.perf
run "$FLAMETOP" --to=folded --srcline bare.perf
says "*--srcline has no effect: no frame has a source line*" "--srcline is named where no frame has a line"
run "$FLAMETOP" --to=folded --context all.perf
says "*--context has no effect without --inline*" "--context is named without --inline"
run "$FLAMETOP" --to=folded --wake-stack "$data/perf-data/calls.in"
says "*--wake-stack has no effect without --off-cpu*" "as is --wake-stack without --off-cpu"
run "$FLAMETOP" --to=folded --event-filter=branches all.perf
exits 1 "an event that no sample has is a failure"
says "*no sample belongs to the event of --event-filter: branches*" "which is named"
for input in "$data/perf-data/off-cpu.in" "--off-cpu $data/perf-data/switches.in"; do
	for event in nope "off-cpu (approximate)"; do
		# shellcheck disable=SC2086 # words
		run "$FLAMETOP" --to=folded --event-filter="$event" $input
		exits 1 "$event: time off the CPU is of another event"
		says "*no sample is of the event that --event-filter asks for: $event*" "which is said"
	done
done
run "$FLAMETOP" --to=folded --value=bytes all.perf
says "*--value has no effect*other event*" "a value that the format lacks changes neither the output nor the messages"

done_testing
