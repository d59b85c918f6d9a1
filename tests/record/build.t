#!/bin/sh
# flametop record --build: builds first, and records only if that succeeds; with a fake perf.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/fake.sh"

fake_perf <<'END'
# perf record runs the command and writes a recording, which is text already; perf script prints it.
[ "$mode" != script ] || exec cat "$in"
printf 'work 10/10 1.0: 5 cycles: \n\t     1 leaf+0x1 (/bin/work)\n\t     2 main+0x1 (/bin/work)\n\n' >"$out"
"$@"
END
record() { "$FLAMETOP" record --symbolizer=perf "$@"; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }

# shellcheck disable=SC2016 # for the shell of the build
run record --build='echo "making it"; printf "#!/bin/sh\necho it runs >ran\n" >prog && chmod +x prog' \
	--to=folded -- ./prog
exits 0 "a program that does not exist yet is built and recorded"
is "$(stacks_of .out)" "work;main;leaf 5" "standard output has the profile alone"
says "*making it*" "and standard error what the build printed"
is "$(cat ran)" "it runs" "the program has run"
run record -v --build='true # first' -o x.folded -- ./prog
says "*+ sh -c 'true # first'*perf record*" "-v shows the command before it runs"

rm -f ran x.folded
run record --build='echo no rule >&2; exit 3' -o x.folded -- ./prog
exits 3 "a build that fails gives its status"
says "*no rule
flametop: the build failed with status 3; nothing was recorded" "which is said, below its own messages"
ok "and nothing is recorded" [ ! -e ran ] && [ ! -e x.folded ]
# shellcheck disable=SC2016 # for the shell of the build
run record --build='kill -TERM $$' -o x.folded -- ./prog
exits 143 "a build that is ended by a signal gives 128 and its number"
says "flametop: the build was ended by signal 15 (Terminated); nothing was recorded" "which is said as well"
run record --build='no-such-program-here' -q -o x.folded -- ./prog
exits 127 "a build whose program is missing gives the status of the shell"
says "*the build failed with status 127*" "and --quiet does not hide it"
run record --build='cat >input' -o x.folded -- ./prog
is "$status $(cat input)" "0 " "a build has no input"

interrupt() { # SIGNAL CMD: sends the signal once the build has written its number
	rm -f pid
	"$FLAMETOP" record --symbolizer=perf --build="$2" -o x.folded -- ./prog >.out 2>.err </dev/null &
	flametop=$!
	until_true test -s pid
	kill -"$1" $flametop
	wait $flametop
	status=$?
	err=$(cat .err)
}
rm -f ran
# A shell without job control starts background programs with SIGINT ignored: the signal ends the build's children.
# shellcheck disable=SC2016 # for the shell of the build
interrupt INT 'trap "exit 9" INT; sleep 1000 & echo $! >pid; wait'
is "$status" 9 "an interrupt ends the build, which may choose its status"
ok "and what it has started" until_true is_gone "$(cat pid)"
# shellcheck disable=SC2016 # for the shell of the build
interrupt INT 'trap "exit 0" INT; sleep 1000 & echo $! >pid; wait'
exits 130 "a build that was interrupted has not succeeded, though its status is 0"
says "flametop: the build was interrupted; nothing was recorded" "and that is said"
# shellcheck disable=SC2016 # for the shell of the build
interrupt TERM 'sleep 1000 & echo $! >pid; wait'
exits 143 "SIGTERM ends it, too"
ok "with what it has started" until_true is_gone "$(cat pid)"
ok "and nothing is recorded" [ ! -e ran ]

# Nobody could tell the build that flametop is gone, and one that ignores signals would run on.
for signal in SEGV ABRT KILL; do
	# shellcheck disable=SC2016 # for the shell of the build
	interrupt $signal 'trap "" TERM INT; (trap "" TERM INT; while :; do sleep 1; done) & echo "$$ $!" >pid; wait'
	# shellcheck disable=SC2046 # several words
	set -- $(cat pid)
	ok "$signal: without flametop the build does not run on" until_true is_gone "$1"
	ok "$signal: nor what it has started" until_true is_gone "$2"
done

# The same for the filter of a recording.
cat >filter <<'END'
#!/bin/sh
trap '' TERM INT
(trap '' TERM INT; while :; do sleep 1; done) &
echo "$$ $!" >pid.new && mv pid.new pid
wait
END
chmod +x filter
for signal in SEGV KILL; do
	rm -f pid
	"$FLAMETOP" record --symbolizer=perf --post-process=./filter -o x.folded -- true >.out 2>.err </dev/null &
	flametop=$!
	until_true test -s pid
	kill -$signal $flametop
	wait $flametop
	# shellcheck disable=SC2046 # several words
	set -- $(cat pid)
	ok "$signal: without flametop the filter does not run on" until_true is_gone "$1"
	ok "$signal: nor what it has started" until_true is_gone "$2"
done

refused() {
	run "$FLAMETOP" record "$@"
	is "$status $err" "2 flametop: --build: $message" "refused: record $*"
}
message='only a command can be built before it is recorded (give it after --)'
refused --build=make -p 1
refused --build=make -a
refused --build=make --perfdata=perf.data
message='there is no command'
refused --build= -- ./prog
ok "nothing was built for these" [ ! -e perf.data ]

# shellcheck source=../tty/tmux.sh
. "$source/tests/tty/tmux.sh"
cat >slow-build <<'END'
#!/bin/sh
echo $$ >pid
while :; do sleep 0.05; done
END
chmod +x slow-build
rm -f pid
term_start 80 24
type_line "PERF=$PERF $FLAMETOP record --build=./slow-build -- ./prog; echo left=\$?"
until_true test -s pid
keys C-c
shows "*flametop: the build was ended by signal 2 (Interrupt); nothing was recorded*left=130*" \
	"Ctrl-C ends the build, and flametop after it"
ok "and the build is gone" is_gone "$(cat pid)"

done_testing
