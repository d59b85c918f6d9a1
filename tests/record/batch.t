#!/bin/sh
# flametop record into a file, with a fake perf that logs its arguments.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/fake.sh"

LOG=$dir/log
export LOG
fake_perf <<'END'
# perf record: runs the command and writes a recording, which is text already; perf script prints it.
if [ "$mode" = script ]; then
	[ -z "${FAKE_SCRIPT_SIGNAL-}" ] || kill -"$FAKE_SCRIPT_SIGNAL" $$
	[ -z "${FAKE_SCRIPT_FAILS-}" ] || { echo "no symbols today" >&2; exit 9; }
	cat "$in"
	[ -z "${FAKE_SCRIPT_LAST-}" ] || kill -"$FAKE_SCRIPT_LAST" $$
	exit 0
fi
[ -z "${FAKE_RECORD_FAILS-}" ] || { echo "Access denied" >&2; exit 255; }
if [ -z "${FAKE_EMPTY-}" ]; then
	cat >"$out" <<'SAMPLES'
work 10/10 1.000000: 5 cycles: 
	     1 leaf+0x1 (/bin/work)
	     2 main+0x1 (/bin/work)

work 10/10 2.000000: 7 cycles: 
	     1 other+0x1 (/bin/work)
	     2 main+0x1 (/bin/work)

SAMPLES
else
	echo "# nothing" >"$out"
fi
[ -z "${FAKE_SIGNAL-}" ] || kill -"$FAKE_SIGNAL" $$
[ $# -gt 0 ] || exit 0
"$@" &
child=$!
trap 'kill -TERM $child; trap - INT; kill -INT $$' INT
wait $child
END

folded='work;main;leaf 5
work;main;other 7'

run "$FLAMETOP" record -o out.folded -- echo hello
exits 0 "a recording succeeds"
is "$(stacks_of out.folded)" "$folded" "its samples are written"
is "$out" "hello" "the command keeps standard output"
is "$(sed -n 1p log | sed 's|/proc/[0-9]*/fd/[0-9]*|FILE|')" \
	"perf record -F 997 --call-graph dwarf,16384 -o FILE -- echo hello" "perf record is called as it should be"
is "$(sed -n 2p log | sed 's|/proc/[0-9]*/fd/[0-9]*|FILE|')" "perf script --force --no-inline --show-lost-events -F +pid,+ip,+sym,+dso -i FILE" \
	"perf script is called as it should be"
ok "no recording is left behind" test ! -e perf.data

called() { # expected, name, options...
	expected=$1
	name=$2
	shift 2
	: >log
	run "$FLAMETOP" record -o out.folded "$@"
	is "$(sed -n 1p log | sed 's|/proc/[0-9]*/fd/[0-9]*|FILE|')" "perf record $expected" "$name"
}
called "-F 99 --call-graph fp -o FILE -- true" "-F and --call-graph are passed on" -F 99 --call-graph=fp true
called "-F 997 -e cycles,faults --call-graph dwarf,16384 -o FILE -- true" "several -e become one" -e cycles -e faults true
called "-F 997 --call-graph fp -a -o FILE -- sleep 0" "-a uses frame pointers" -a -- sleep 0
called "-F 997 --call-graph dwarf,16384 -p $$,$PPID -o FILE" "several processes become one list" -p $$ --pid=$PPID,$$
called "-F 997 --call-graph dwarf,16384 -p $$ -o FILE -- sleep 0.1" "a running process is sampled for a while" \
	-p $$ --duration=0.1
called "-F 997 --call-graph dwarf,16384 -t $$ -o FILE" "-t samples threads" -t $$
called "-F 997 --call-graph dwarf,16384 --compression-level=1 -o FILE -- true" "-z has a default" -z true
called "-F 997 --call-graph dwarf,16384 --compression-level=9 -o FILE -- true" "-z takes a level" -z9 true
called "-F 997 --call-graph dwarf,16384 --compression-level=9 -o FILE -- true" "with an equals sign, too" -z=9 true
called "-e x -c 100 -g -o FILE -- true" "--cmd takes the place of the usual arguments" --cmd='record -e x -c 100 -g' true
called "-e a b -o FILE -- true" "--cmd understands quotes" -c "-e 'a b'" true
called "-g -o kept.data -- true" "--cmd may name the recording" -c 'record -g -o kept.data' true
ok "which stays then" test -s kept.data
is "$(stacks_of out.folded)" "$folded" "and is read from there"
called "-g -o kept2.data -- true" "also in one word with the option" -c 'record -g --output=kept2.data' true
ok "which stays as well" test -s kept2.data
called "-F 997 --call-graph dwarf,16384 -o perf.data -- true" "--keep-data names the recording" --keep-data true
ok "which stays then, too" test -s perf.data
: >log
run "$FLAMETOP" record --inline -o out.folded true
is "$(sed -n 2p log | grep -c no-inline)" 0 "--inline lets perf look up inlined calls"

run "$FLAMETOP" record -v -o out.folded true
says "*perf* record -F 997*perf* script*" "--verbose shows the commands"
run "$FLAMETOP" record -o out.folded -- "a;b c"
exits 127 "a command that is not there is a failure, as by a shell"
says "flametop: a;b c: command not found*" "it is named"
run "$FLAMETOP" record -q -o none.folded -- /etc/passwd
exits 126 "so is a file that is no program"

cat >seven <<'END'
#!/bin/sh
exit 7
END
chmod +x seven
run "$FLAMETOP" record -o out7.folded ./seven
exits 7 "the status of the command is passed on"
is "$(stacks_of out7.folded)" "$folded" "and its samples are written all the same"
says "*./seven or perf record ended with status 7; *" "and a message says so, whether it is perf's status or the command's"
run "$FLAMETOP" record --ignore-status -o out.folded ./seven
exits 0 "--ignore-status makes it 0"
run env FAKE_SIGNAL=SEGV "$FLAMETOP" record -o out.folded true
exits 139 "death by a signal is passed on as shells do"
says "*true or perf record was ended by signal 11 (*" "and said"
run env FAKE_SCRIPT_SIGNAL=KILL "$FLAMETOP" record -o out.folded true
exits 1 "perf script being killed is a failure"
says "*perf script was ended by signal 9 (*" "with a message"
run env FAKE_SCRIPT_LAST=PIPE "$FLAMETOP" record -o out.folded true
exits 1 "so is its end by SIGPIPE when all that it printed was read"
says "*perf script was ended by signal 13 (*" "with a message as well"
run env FAKE_SIGNAL=INT "$FLAMETOP" record -o int.folded true
exits 130 "a command that was ended by SIGINT, which was not typed, has failed"
says "*true or perf record was ended by signal 2*" "and that is said"
is "$(stacks_of int.folded)" "$folded" "and its samples are written"
run env FAKE_SIGNAL=TERM "$FLAMETOP" record -o out.folded true
exits 143 "the same with SIGTERM"

run env FAKE_RECORD_FAILS=1 "$FLAMETOP" record -o none.folded true
exits 1 "a recording that leaves nothing behind is a failure"
says "*Access denied*perf record failed with status 255*" "perf's message is shown"
ok "and nothing is written" test ! -e none.folded
run env FAKE_RECORD_FAILS=1 "$FLAMETOP" record --keep-data -o none.folded true
exits 1 "an older perf.data is no recording of a perf that fails"
says "*perf record failed with status 255 and left no samples*" "with a message"
run env FAKE_RECORD_FAILS=1 "$FLAMETOP" record -c '-g -o kept.data' -o none.folded true
exits 1 "nor is an older file that --cmd names"
ok "both are still there" test -s perf.data -a -s kept.data
run env FAKE_SCRIPT_FAILS=1 "$FLAMETOP" record -o none.folded true
exits 1 "perf script failing is a failure"
says "*perf script failed*no symbols today*" "its message is shown"
says "*the recording is still there: flametop record --perfdata=perf-*.data*" "the recording is kept"
rm -f perf-*.data
run env FAKE_EMPTY=1 "$FLAMETOP" record -o none.folded true
exits 1 "a recording without samples is a failure"
is "$(echo perf-*.data)" "perf-*.data" "and not kept"
for late in --zoom=nosuch --event=nosuch --thread=nosuch --post-process=false; do
	run "$FLAMETOP" record "$late" --to=folded true
	exits 1 "$late: a problem that cannot be foreseen is a failure"
	says "*the recording is still there: flametop record --perfdata=perf-*.data" "$late: the recording is kept"
	is "$(head -1 perf-*.data)" "work 10/10 1.000000: 5 cycles: " "$late: as it was"
	rm -f perf-*.data
done
echo nonsense >bad.folded
run "$FLAMETOP" record --diff=bad.folded --to=folded true
says "*bad.folded*the recording is still there: flametop record --perfdata=perf-*.data" "so is one with a bad baseline"
rm -f perf-*.data
run "$FLAMETOP" record --keep-data --zoom=nosuch --to=folded true
says "*the recording is still there: flametop record --perfdata=perf.data" "a name that it has stays"
mkdir open
chmod 1777 open
ln -s ../victim.data open/perf.data
if [ "$(id -u)" -eq 0 ] && chown -h 65534 open/perf.data; then
	run sh -c 'cd open && "$FLAMETOP" record --keep-data --to=folded true'
	exits 1 "a recording is not written through another user's link in a shared directory"
	says "flametop: perf.data: cannot write: Permission denied" "with a message"
	ok "and it is not followed" test ! -e victim.data
else
	skip 3 "only root can make links of another user"
fi
run "$FLAMETOP" record --to=folded true
is "$(echo perf-*.data)" "perf-*.data" "a recording that was shown is not kept"
run env PERF="$dir/noperf" "$FLAMETOP" record -o none.folded true
exits 1 "a perf that is not there is a failure"
says "flametop: there is no program '*noperf'*PERF*" "PERF is named"
mkdir bin
run env PATH="$dir/bin" PERF= "$FLAMETOP" record -o none.folded /bin/true
exits 1 "no perf in PATH is a failure"
says "flametop: perf is not installed*" "with a hint at the package"
useless() { # message, name, options...
	expected=$1
	name=$2
	shift 2
	: >log
	run "$FLAMETOP" record "$@" -- true
	exits 1 "$name is a failure"
	says "flametop: $expected" "$name is named"
	is "$(cat log)" "" "$name: nothing is recorded"
}
useless "nosuch/out.folded: cannot write: *" "an output that cannot be written" -o nosuch/out.folded
useless ".: cannot write: *" "a directory as output" -o . --to=svg
useless "nosuch.folded: cannot open: *" "a baseline that is not there" --diff=nosuch.folded --to=text
useless "nosuch.attr: cannot open: *" "a file of attributes that is not there" --nameattr=nosuch.attr --to=svg
useless "--post-process: ./nosuch: command not found" "a filter that is not there" --post-process='./nosuch x' --to=text
printf old >kept.svg
useless "nosuch.folded: cannot open: *" "a baseline, before the output," --diff=nosuch.folded -o kept.svg
is "$(cat kept.svg)" old "which stays"
run env FAKE_RECORD_FAILS=1 "$FLAMETOP" record -o kept.svg true
is "$(cat kept.svg)" old "as it does when perf fails"

run "$FLAMETOP" record
exits 2 "nothing to record is wrong usage"
one_line "said in one line"
run "$FLAMETOP" record -p 1 -- true
exits 2 "a process and a command are wrong usage"
run "$FLAMETOP" record -F 99 --cmd=-g true
exits 2 "--cmd and --freq do not go together"
for lost in -ecycles --call-graph=fp -z; do
	run "$FLAMETOP" record "$lost" --cmd=-g true
	exits 2 "nor do --cmd and $lost"
	one_line "$lost: a message says so"
done
run "$FLAMETOP" record -p abc
exits 2 "a process is a number"
run "$FLAMETOP" record -p 99999999 -o x.folded
exits 1 "a process that is not there is a failure"
says "flametop: there is no process 99999999" "it is named"
for id in "-p 99999999" "-t 99999999"; do
	run sh -c "\"\$0\" record $id -o x.folded" "$FLAMETOP"
	words=$(cat "$dir/.err")
	run sh -c "\"\$0\" sample $id -o x.data" "$FLAMETOP"
	exits 1 "sample $id: the same is a failure"
	is "$(cat "$dir/.err")" "$words" "sample $id: with the words of record"
	ok "sample $id: nothing is written" test ! -e x.data
done
run "$FLAMETOP" record -c 'record -o' -o x.folded true
exits 2 "-o without a value in --cmd is wrong usage"
run "$FLAMETOP" record -c "record 'x" -o x.folded true
exits 2 "an open quotation in --cmd is wrong usage"
run "$FLAMETOP" record --call-graph=guess true
exits 2 "--call-graph is checked"

cat >filter <<'END'
#!/bin/sh
sed 's|work|play|'
END
chmod +x filter
run "$FLAMETOP" record --post-process "'$dir/filter' 'x y'" -o out.folded true
is "$(stacks_of out.folded)" "play;main;leaf 5
play;main;other 7" "--post-process filters the folded stacks"
run "$FLAMETOP" record --post-process ./seven -o none.folded true
exits 1 "a filter that fails is a failure"
says "*--post-process: './seven' failed with status 7*" "it is named"
run "$FLAMETOP" record --post-process ./nosuch -o none.folded true
exits 1 "a filter that is not there is a failure"
run "$FLAMETOP" record --post-process true -o none.folded true
exits 1 "a filter that leaves nothing is a failure"
filtered() { # expected, name, options...
	expected=$1
	name=$2
	shift 2
	run "$FLAMETOP" record --post-process cat --to=folded "$@" -- true
	is "$out" "$expected" "$name"
}
filtered "leaf;main;work 50
other;main;work 70" "views are not turned around, nor counts multiplied, twice" --reverse --factor=10
filtered "true;work;main;leaf 5
true;work;main;other 7" "roots are not split twice" --split=file
filtered "work;main;leaf 5" "a part of the frames is chosen after the filter" --zoom='work;main;leaf'
run "$FLAMETOP" record --post-process ./filter --focus=play --to=folded true
is "$out" "play;main;leaf 5
play;main;other 7" "as are patterns, which see the names that it makes"
filtered "work;main;leaf 5
work;main;other 7" "events are chosen before it" --event=cycles
filtered "work;main;leaf 5
work;main;other 7" "and threads" --thread=work
filtered "work;main;leaf 5" "and times" --time=0,0.5
filtered "work;main;other 7" "a window, too" --window=0.5
filtered "work;main;leaf 3
work;main;other 7" "weights fade only once" --decay=1
for left in "58.3% --time=0,0.5" "58.3% --time=0,0.5 --to=text" "41.7% --window=0.5" "16.7% --decay=1"; do
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" record --post-process cat --to=folded ${left#* } -- true
	option=${left#* }
	says "*${left%% *} of cycles is left out by ${option%%=*}*" "what $option leaves out before the filter is said"
done
run "$FLAMETOP" record --quiet --post-process cat --to=folded --window=0.5 -- true
is "$err" "" "unless it is to be quiet"
cat >both.perf <<'END'
work 10/10 1.000000: 5000000 cpu-clock:u: 
	     1 leaf+0x1 (/bin/work)

work 10/10 2.000000: 7 faults: 
	     1 other+0x1 (/bin/work)

END
for event in cpu-clock faults; do
	for way in --to=text '--no-config --screen=120x10 --keys='; do
		# shellcheck disable=SC2086 # options are words
		run "$FLAMETOP" record $way --event=$event --perfdata both.perf
		with=$(echo "$out" | sed '1s/ (.*)//' | tr -s ' ')
		# shellcheck disable=SC2086
		run "$FLAMETOP" record --post-process cat $way --event=$event --perfdata both.perf
		is "$(echo "$out" | tr -s ' ')" "$with" "with $way, $event that come out of a filter are counted as such"
	done
done
cat >offcpu.perf <<'END'
work 10/10 1.000000: 5000000 cpu-clock:u: 
	     1 leaf+0x1 (/bin/work)

work 10/10 2.000000: 7000000 task-clock:k: 
	     1 other+0x1 (/bin/work)

END
run "$FLAMETOP" record --split=event --to=text --perfdata offcpu.perf
with=$(echo "$out" | sed 's/offcpu.perf.*  //')
run "$FLAMETOP" record --post-process cat --split=event --to=text --perfdata offcpu.perf
is "$(echo "$out" | sed 's/offcpu.perf.*  //')" "$with" "events as frames keep the unit that they have in common"
printf 'b 1\na 1\nb 1\n' >order.folded
run "$FLAMETOP" record --post-process cat --flamechart --perfdata order.folded --to=folded
is "$out" "b 1
a 1
b 1" "and so is the order"
printf 'work;main;other 5\nwork;main;leaf 7\n' >swapped.folded
filtered "work;main;leaf 7 5
work;main;other 5 7" "a baseline does not go through it" --diff=swapped.folded
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "w 1/1 %d.0: 1 cycles: \n\t1 function_%d+0x1 (/x)\n\n", i, i }' >big
cat >bigperf <<'END'
#!/bin/sh
case $1 in
record) for word; do [ "$last" != -o ] || cat big >"$word"; last=$word; done ;;
*) cat big ;;
esac
END
chmod +x bigperf
run env PERF="$dir/bigperf" timeout 60 "$FLAMETOP" record --post-process cat -o out.folded true
is "$(stacks_of out.folded | wc -l | tr -d ' ')" 40000 "a filter that reads while it writes does not block"

printf 'work;a 1\n' >text.folded
run "$FLAMETOP" record --perfdata text.folded -o out.folded
is "$(stacks_of out.folded)" "work;a 1" "--perfdata records nothing"
run "$FLAMETOP" record --perfdata text.folded -p 1
exits 2 "--perfdata and --pid do not go together"
for target in -a --cgroup=/ "-- touch ran"; do
	# shellcheck disable=SC2086 # several words
	run "$FLAMETOP" record --perfdata text.folded $target
	exits 2 "--perfdata and $target do not go together"
done
ok "a command does not run" test ! -e ran
run "$FLAMETOP" record --perfdata text.folded -F 99 -e x --duration=1 --to=folded -v
for option in --freq -e --duration; do
	says "*flametop: $option has no effect: --perfdata records nothing*" "$option: it is told that it has no effect"
done
is "$(printf '%s\n' "$err" | grep -c 'records nothing')" 3 "what acts on reading is not"

mkdir desktop
cat >desktop/xdg-open <<'END'
#!/bin/sh
echo "opened $1" >>"$LOG"
END
chmod +x desktop/xdg-open
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open -o out.svg true
is "$(tail -1 log)" "opened ./out.svg" "--open opens the written file"
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open true
is "$(tail -1 log)" "opened ./flamegraph.svg" "without -o that is an SVG"
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open --to=folded true
is "$(tail -1 log)" "opened ./flamegraph.folded" "or the kind of --to"
for name in --help.svg http:x.svg -v.svg; do
	run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open -o "$name" true
	is "$(tail -1 log)" "opened ./$name" "a file of the name $name is neither an option nor an address"
done
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open -o "$dir/out.svg" true
is "$(tail -1 log)" "opened $dir/out.svg" "a path from the root stays as it is"
is "$(stacks_of flamegraph.folded)" "$folded" "by its own suffix"
printf '#!/bin/sh\nexit 3\n' >desktop/xdg-open
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --open -o out.svg true
exits 1 "a desktop that cannot open it is a failure"
ok "but it was written" test -s out.svg

cat >desktop/sudo <<'END'
#!/bin/sh
echo "sudo $*" >>"$LOG"
while [ "${1#-}" != "$1" ]; do shift; done
exec "$@"
END
chmod +x desktop/sudo
: >log
run env PATH="$dir/desktop:$PATH" "$FLAMETOP" record --root=-E -o out.folded true
is "$(grep -c '^sudo -E .*/perf \(record\|script\) ' log)" 2 "--root runs both perfs through sudo"
is "$(stacks_of out.folded)" "$folded" "and reads their recording"

# A Ctrl-C for flametop alone is passed on.
cat >slow <<'END'
#!/bin/sh
while :; do sleep 0.05; done
END
chmod +x slow
run timeout --foreground -s INT 1 "$FLAMETOP" record -o slow.folded ./slow
is "$(stacks_of slow.folded)" "$folded" "Ctrl-C ends the recording, and the samples are written"
run timeout 20 "$FLAMETOP" record --duration=0.5 -o slow2.folded ./slow
exits 0 "--duration ends a recording"
is "$(stacks_of slow2.folded)" "$folded" "and its samples are written"

done_testing
