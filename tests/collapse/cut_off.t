#!/bin/sh
# Inputs that end in the middle of a line, or before the end that their format promises: it is said.
. "$(dirname "$0")/../tap.sh"

data=$source/tests/data/collapse

# Cuts a sample of a format after its last word.
told() { # FORMAT NAME MESSAGE
	size=$(wc -c <"$data/$1/$2.in")
	head -c $((size - 2)) "$data/$1/$2.in" >part
	run "$FLAMETOP" --no-config -f "$1" --to=folded part
	exits 0 "$1: what is there is read"
	says "$3" "$1: that it may be cut off is said"
}
for sample in aix/callers-first bpftrace/empty-stacks elfutils/two-threads faulthandler/two-threads gdb/two-threads \
	goroutines/one ibmjava/one jstack/one pmc/the-same-path-twice stap/two-stacks strace/one \
	callgrind/file-rule dtrace/two-stacks ghcprof/percent heap-profile/sampled massif/one papyrus/one perf-sched/one-sleep \
	sample/most-of-it-waits vtune/quotes-carriage-returns-and-doubles vtune-mc/basic xdebug/basic; do
	[ -e "$data/$sample.in" ] || sample=$(cd "$data" && set -- "${sample%/*}"/*.in && echo "${1%.in}")
	told "${sample%/*}" "${sample#*/}" "*the last line does not end (is the input cut off?)*"
done

# What is lost is more than a few letters.
head -c 688 "$data/perf-sched/numbers-in-the-waker.in" >part
run "$FLAMETOP" --no-config -f perf-sched --to=folded part
says "*the last line does not end*" "perf-sched: a sleep without its whole delay"
printf 'Function Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n main,2,"lib,od' >part
run "$FLAMETOP" --no-config -f vtune --to=folded part
says "*the last line does not end*" "vtune: a quoted field without its end"

perf='app 1 1.000000: 10 cycles:
	    4005d0 read (/bin/app)
	    4005e0 main (/bin/app)
'
printf '%s' "${perf% *}" >part
run "$FLAMETOP" --no-config --to=folded part
says "*the input ends within this sample, whose outer frames are missing*" "perf: in the middle of a frame"
printf '%s' "${perf%?}" >part
run "$FLAMETOP" --no-config --to=folded part
says "*the last line does not end (is the input cut off?)*" "perf: behind a frame"
printf '%s\n\t   ' "$perf" >part
run "$FLAMETOP" --no-config --to=folded part
says "*the last line does not end (is the input cut off?)*" "perf: in the blanks before a frame"
printf '%s' "$perf" >whole
run "$FLAMETOP" --no-config --to=folded whole
is "$err" "" "perf: a whole line may be the last"

printf 'm;a 6\nm;b 4\n' | "$FLAMETOP" --no-config --to=callgrind -o full.callgrind -
sed '/^totals:/,$d' full.callgrind >part
run "$FLAMETOP" --no-config --to=folded part
says "*the file has no totals (is it cut off?)*" "callgrind: totals are expected of programs that write them"

printf '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":3},' >part
run "$FLAMETOP" --no-config --to=folded part
says "*the input ends within the document: what follows is missing*" "trace events: an object has an end"
printf '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":3},' >part
run "$FLAMETOP" --no-config --to=folded part
is "$err" "" "but an array needs none"

# Blanks in any number: looking at each word anew would take hours.
printf '%2000000s' x >blanks
run timeout 100 "$FLAMETOP" --to=folded blanks
exits 1 "two million blanks are no profile, and no hang"
{
	printf '{"code":[{"type":"JS","name":"'
	printf '%2000000s' : | sed 's/  /a /g'
	printf '"}],"functions":[],"ticks":[{"tm":100,"vm":0,"s":[0,0]}]}'
} >blanks.v8
run timeout 100 "$FLAMETOP" -q --to=folded blanks.v8
exits 0 "nor in a name of V8"

done_testing
