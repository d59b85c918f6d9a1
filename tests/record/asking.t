#!/bin/sh
# q asks before it ends a recorded command, or loses a recording or what came through a pipe; with a fake perf.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

cat >perf <<'END'
#!/bin/sh
# perf record sends a sample, and ends as its command does; perf script is cat.
[ "$1" != script ] || exec cat
echo "$$" >recorder
trap 'kill -TERM $child; trap - INT; kill -INT $$' INT
printf 'work 10/10 1.0: 5 cycles: \n\t     1 leaf+0x1 (/bin/work)\n\t     2 main+0x1 (/bin/work)\n\n'
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- sleep 1000
"$@" >&2 &
child=$!
wait $child
status=$?
[ $status -le 128 ] || kill -$((status - 128)) $$
exit $status
END
cat >'command' <<'END'
#!/bin/sh
trap 'echo told >>told; exit 4' TERM
echo $$ >running
while [ ! -e stop ]; do sleep 0.02; done
echo some words
[ "${1-}" != TERM ] || { trap - TERM; kill -TERM $$; }
echo yes >finished
exit 3
END
chmod +x perf 'command'
printf 'main;parse 5\n' >a.folded

record() { # options and command
	rm -f stop finished told running
	type_line "clear; PERF=$dir/perf $FLAMETOP record --symbolizer=perf $*; echo left=\$?"
	shows "*leaf*" "a recording starts: $*"
}
is_there() { [ -s "$1" ]; }
lives() { kill -0 "$1" 2>/dev/null; }
is_gone() { ! lives "$1"; }

term_start 80 24

record -- ./command
keys q
shows "*command is running: q ends it  d leaves it running  w writes first  Esc stays*" "q asks while the command runs"
keys j 2 x
send_raw '\033[<0;10;15M\033[<0;10;15m'
keys Escape
shows_not "*is running*" "Esc stays"
shows "*flame*leaf*" "other keys and clicks did nothing"
keys q
until_true matches "*is running*"
keys q
shows "*left=0*" "the second q leaves"
has_modes 0001 "the terminal is whole"
ok "the command was told to end" until_true is_there told

ln -s command a-command-with-a-long-name
record -- ./a-command-with-a-long-name
keys q
shows "*a-command… is running: q ends it*Esc stays*" "a long name is shortened"
keys q
shows "*left=0*" "and ended all the same"

record -- ./command
command=$(cat running) recorder=$(cat recorder)
keys q
until_true matches "*is running*"
keys d
shows "*flametop: ./command (process $command) runs on; what it prints is dropped*left=0*" "d leaves it running"
has_modes 0001 "the terminal is free"
ok "perf has ended" until_true is_gone "$recorder"
ok "the command runs on" lives "$command"
type_line "clear; echo fr''ee"
shows "*free*" "and so does the shell"
touch stop
until_true is_there finished
is "$(cat finished)" yes "the command can print, and ends on its own"
ok "nobody told it to" [ ! -e told ]

record -- ./command
touch stop
shows "*ended, status 3*" "the header has the status of the command"
shows_not "*recording*" "and the recording is over"
keys q
shows "*The recording is not saved: q drops it  w writes it  Esc stays*" "q asks, as it is stored nowhere"
keys w
type_line out.folded
shows "*written to out.folded*" "w writes it"
keys q
shows "*left=3*" "then q leaves at once"

record -- ./command TERM
touch stop
shows "*killed by SIGTERM*" "the header has the signal that ended the command"
keys z
shows "*nothing is coming in*" "nothing is live any more"
keys C-c
shows "*left=143*" "Ctrl-C never asks"

record -- ./command
keys z
shows "*frozen: samples are still taken*" "z freezes"
keys z
shows "*live again*" "and thaws"
touch stop
shows_not "*live again*" "the message goes with the end of the stream"
leave

sleep 1000 &
process=$!
record -p $process
keys q
shows "*The recording is not saved: q drops it  w writes it  Esc stays*" "a process that ran before is not asked about"
leave
ok "it runs on" lives $process
kill $process

record --no-ask -- ./command
keys q
shows "*left=0*" "--no-ask: q leaves at once"

# Profiles from pipes and files.
type_line "clear; cat a.folded | $FLAMETOP; echo left=\$?"
shows "*stdin*5 samples*" "a profile from a pipe"
keys q
shows "*The profile from the pipe is not saved: q drops it  w writes it  Esc stays*" "q asks"
tm resize-window -x 40 -y 12
shows "*q drops it  w writes it  Esc stays*" "on a narrow screen with the answers alone"
tm resize-window -x 80 -y 24
keys w
type_line out.svg
shows "*written to out.svg*" "w writes it"
keys q
shows "*left=0*" "then q leaves at once"

# What w writes counts only if it has every sample.
partly() { # name, options, keys and a file's name
	type_line "clear; (cat a.folded; echo 'main;lex 2') | $FLAMETOP $2; echo left=\$?"
	shows "*stdin*samples*" "$1: a profile from a pipe"
	rm -f part.*
	keys w
	type_line "$3"
	shows "*written to $3*" "$1: written"
	keys q
	shows "*is not saved*" "$1: q asks all the same"
	keys q
	shows "*left=0*" "$1: and leaves"
}
partly "a table without rows" "--view=table --table-filter=zzz" part.txt
partly "a call tree" "--view=calls --expand=" part.txt
partly "a sandwich" "--view=sandwich --function=main" part.folded
partly "a zoom" "--zoom=main" part.svg
partly "a filter" "--ignore=lex" part.folded
type_line "clear; (cat a.folded; until [ -e more ]; do sleep 0.05; done; cat a.folded; until [ -e end ]; do sleep 0.05; done) | $FLAMETOP -f folded; echo left=\$?"
shows "*5 samples*" "a pipe goes on"
rm -f part.*
keys w
type_line part.folded
shows "*written to part.folded*" "its beginning is written"
touch more
shows "*10 samples*" "more has come"
keys q
shows "*is not saved*" "q asks for what came later"
keys q
touch end
shows "*left=0*" "and leaves"

# A frozen view has not all that came.
rm -f more end part.*
type_line "clear; (until [ -e begin ]; do sleep 0.05; done; cat a.folded; until [ -e more ]; do sleep 0.05; done; cat a.folded; echo yes >sent) | $FLAMETOP -f folded; echo left=\$?"
keys z
shows "*nothing has been read yet*" "nothing cannot be frozen"
touch begin
shows "*5 samples*" "a pipe goes on"
keys z
shows "*frozen*" "a frozen one"
touch more
ok "does not stop the pipe" until_true is_there sent
keys w
type_line part.folded
shows "*written to part.folded*" "which is written"
keys q
shows "*The profile from the pipe is not saved*" "q asks for what came later"
keys Escape
shows_not "*is not saved*" "Esc stays"
keys z
shows "*10 samples*" "z shows it"
keys w
type_line whole.folded
shows "*written to whole.folded*" "it is written"
keys q
shows "*left=0*" "then q leaves at once"

printf 'app 7 [000] 1.0: 10 cycles: \n\tff main+0x1 (/app)\n\napp 7 [000] 2.0: 10 faults: \n\tff main+0x1 (/app)\n\n' >two.perf
type_line "clear; cat two.perf | $FLAMETOP; echo left=\$?"
shows "*cycles*" "a pipe with two events"
keys w
type_line cycles.folded
shows "*written to cycles.folded*" "one is written"
keys q
shows "*Other events are not saved: q drops *" "q asks for the other one"
keys q
shows "*left=0*" "and leaves"

# Samples that the reader leaves out are in no file that w writes.
threads=$source/tests/data/collapse/jstack/dump.in
type_line "clear; cat $threads | $FLAMETOP -; echo left=\$?"
shows "*50.0% idle, left out*" "a pipe with idle samples"
rm -f part.*
keys w
type_line part.folded
shows "*written to part.folded*" "the others are written"
keys q
shows "*Idle samples are not saved: q drops it  Esc stays*" "q asks for the idle ones"
keys q
shows "*left=0*" "and leaves"
type_line "clear; cat $threads | $FLAMETOP --idle -; echo left=\$?"
shows "*4 samples*" "the same with idle ones"
rm -f part.*
keys w
type_line part.folded
shows "*written to part.folded*" "all are written"
keys q
shows "*left=0*" "then q leaves at once"

for part in base both; do
	[ $part = base ] && diff=--no-diff || diff=
	type_line "clear; cat a.folded | $FLAMETOP $diff --diff=- a.folded; echo left=\$?"
	shows "*5 samples*" "$part: a baseline from a pipe"
	rm -f $part.folded
	keys w
	type_line $part.folded
	shows "*written to $part.folded*" "$part: the view is written"
	keys q
	case $part in
	base)
		shows "*is not saved*" "the baseline is in no file"
		keys q
		;;
	esac
	shows "*left=0*" "$part: q leaves"
done

mkfifo pipe
cat a.folded >pipe &
type_line "clear; $FLAMETOP pipe; echo left=\$?"
shows "*pipe*5 samples*" "a named pipe"
keys q
shows "*is not saved*" "asks as well"
keys C-c
shows "*left=0*" "Ctrl-C leaves"

for input in a.folded '<a.folded'; do
	type_line "clear; $FLAMETOP $input; echo left=\$?"
	shows "*5 samples*" "a file: $input"
	keys q
	shows "*left=0*" "never asks"
done

type_line "clear; cat a.folded | $FLAMETOP --keys=q; echo keyed=\$?"
shows "*keyed=0*" "--keys=q waits for no answer"
type_line "clear; cat a.folded | $FLAMETOP --no-ask; echo left=\$?"
shows "*stdin*5 samples*" "a pipe with --no-ask"
keys q
shows "*left=0*" "q leaves at once"
type_line "clear; true | $FLAMETOP -f folded --no-ask --screen=40x10 --keys=q; echo drawn=\$?"
shows "*drawn=[0-9]*" "--screen waits for no answer"

# Other keys.
mkdir -p none/flametop
printf 'bind Q quit\nbind q detach\nbind w escape\nbind <C-w> write\n' >none/flametop/config
record -- ./command
command=$(cat running)
keys Q
shows "*is running: Q ends it  d leaves it running  ^W writes first  Esc stays*" "the question names the keys that are bound"
keys w
shows_not "*is running*" "and takes them"
keys Q q
shows "*runs on*left=0*" "all of them"
touch stop
until_true is_there finished
echo 'ask = no' >none/flametop/config
type_line "clear; cat a.folded | $FLAMETOP; echo left=\$?"
shows "*stdin*5 samples*" "ask = no in the configuration"
keys q
shows "*left=0*" "q leaves at once"

done_testing
