#!/bin/sh
# flametop record with the real perf, if it is installed and may sample.
. "$(dirname "$0")/../tap.sh"

PERF=$(command -v perf) || skip_all "perf is not installed" # a perf named by PERF is tried despite kernel.perf_event_paranoid
export PERF
perf record -q -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
perf script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"

cat >busy.sh <<'END'
i=0
while [ $i -lt 60000 ]; do i=$((i + 1)); done
END

run "$FLAMETOP" record -o busy.folded -- sh busy.sh
exits 0 "a real recording succeeds"
ok "it has samples of the command" grep -q '^sh;' busy.folded
run "$FLAMETOP" record -F 499 --call-graph=fp -o busy.svg -- sh busy.sh
ok "it can become an SVG" grep -q '<svg' busy.svg
run "$FLAMETOP" record -o seven.folded -- sh -c '. ./busy.sh; exit 7'
exits 7 "the status of the command comes through perf"
ok "and its samples are there" test -s seven.folded

sh -c 'while :; do :; done' &
spinner=$!
run timeout 30 "$FLAMETOP" record -p $spinner --duration=0.5 -o pid.folded
exits 0 "a running process is recorded for a while"
ok "and has samples" test -s pid.folded
kill $spinner
wait $spinner 2>/dev/null

run timeout --foreground -s INT 2 "$FLAMETOP" record -o int.folded -- sh -c 'while :; do :; done'
ok "Ctrl-C ends a recording, and it is written" test -s int.folded

run "$FLAMETOP" record --keep-data -o kept.folded -- sh busy.sh
ok "--keep-data leaves perf.data behind" test -s perf.data
run "$FLAMETOP" --to=folded perf.data
ok "which can be read as a profile" grep -q '^sh;' .out
run "$FLAMETOP" record -e page-faults,cpu-clock -o events.folded -- sh busy.sh
says "*'page-faults' is shown; 1 other event: cpu-clock*" "of several events the one named first is shown"
run perf record -q -e cpu-clock,page-faults -g -o events.data -- sh busy.sh
run "$FLAMETOP" --to=folded events.data
says "*'cpu-clock' is shown; 1 other event: page-faults*" "a perf.data file knows the order of its events"
if perf record -q -e sched:sched_switch -o switches.data -- sh busy.sh 2>/dev/null; then
	run "$FLAMETOP" record -e sched:sched_switch --call-graph=fp -o switches.folded -- sh -c 'sleep 0.1; . ./busy.sh'
	ok "samples of a tracepoint keep their stacks" grep -q ';.*;.*schedule' switches.folded
	run "$FLAMETOP" --symbolizer=perf --to=folded switches.data
	ok "without chains, they have the function that was running" grep -q '^sh;.*schedule' .out
else
	skip 2 "no right to record sched:sched_switch"
fi
run "$FLAMETOP" record -e no_such_event -o none.folded -- true
exits 1 "an event that is not there is a failure"
ok "and nothing is written" test ! -e none.folded

done_testing
