#!/bin/sh
# An option either makes a difference, or is named: with each kind of output, in a plain view, a comparison, a flame
# chart, and of stacks with two columns. effects_outputs.t asks only that it does so in one of many views.
. "$(dirname "$0")/../tap.sh"
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "thousands of runs take too long with sanitizers"
. "$source/tests/cli/effects_outputs.sh"

stack() { # TID TIME PERIOD FRAMES...
	printf 'web 1/%s [000] %s: %s cycles:\n' "$1" "$2" "$3"
	shift 3
	for name in "$@"; do
		printf '\t40%d000 %s+0x10 (/bin/x)\n' "${#name}" "$name"
	done
	echo
}
long=$(printf '%0100d' 7)
{
	stack 1 1.0 700 _ZN3foo3barEv main
	stack 1 1.5 700 f0x12 main
	stack 2 1.2 900 gc eval eval main
	stack 2 1.8 300 f0x34 main
	stack 2 4.0 300 "$long" zmain
	stack 2 5.0 300 漢字 main
} >timed.perf
cat >one.folded <<END
main;_ZN3foo3barEv 8000
main;eval;eval;gc 3000
main;eval 5000
main;f0x12 3000
main;f0x34 4000
$long 2000
main;漢字 1000
END
cat >before.folded <<END
main;_ZN3foo3barEv 2000
main;eval;gone 6000
main;f0x12 1000
main;漢字 7000
END
cat >two.folded <<END
main;_ZN3foo3barEv 8000 19000
main;eval;eval;gc 0 3000
main;eval 5000 9000
main;f0x12 3000 7000
main;f0x34 4000 6000
$long 2000 2100
main;漢字 1000 9000
END

# Does the option say what the view is without it, too?
restates() { # OPTION VIEW
	case "$1 $2" in
	"--normalize --diff"* | "--absolute two.folded" | "--flamechart --flamechart"* | "--view=chart --flamechart"*) true ;;
	*) false ;;
	esac
}

silent_options() { # KIND VIEW
	crashed=''
	write "$1" --quiet "$2" || echo "fails: $(cat err)"
	mv out plain
	while read -r option; do
		if ! restates "$option" "$2" && write "$1" "$option" "$2" && cmp -s plain out; then
			grep -q -e "${option%%=*}" err || printf ' %s' "$option"
		fi
	done <options
	printf '%s' "$crashed"
}

outputs >options
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	for view in one.folded '--diff=before.folded one.folded' '--flamechart timed.perf' two.folded; do
		is "$(silent_options $kind "$view")" "" "$kind, $view: an option changes it, or is named"
	done
done

# Lines of programs that are not here.
printf 'app 10/11 1.0: 5 cycles:\n\t7f01 leaf+0x10 (/nowhere/app)\n\t7f06 main+0x20 (/nowhere/app)\n\n' >away.perf
run "$FLAMETOP" --no-config --to=svg --hot-lines away.perf
says "*--hot-lines has no effect: *" "an SVG in which no line is known says so"

# A file of colours is left alone by a picture that takes none from it.
run "$FLAMETOP" --no-config --to=svg --cp=kept --diff=before.folded one.folded
says "flametop: --cp has no effect: the colours of a comparison show its changes" "why an option has no effect"
ok "and no file is written" [ ! -e kept ]
run "$FLAMETOP" --no-config --to=svg --colors=mem --diff=before.folded one.folded
ok "the background of a palette is an effect" sh -c '! grep -q "no effect" .err'
run "$FLAMETOP" --no-config --to=svg --colordiffusion --random one.folded
says "*--random has no effect: --colordiffusion chooses the colours*" "options that exclude each other"

done_testing
