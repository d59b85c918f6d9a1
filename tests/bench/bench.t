#!/bin/sh
# The benchmarks: the inputs are reproducible, the figures plausible, and there is a table for every kind of work.
. "$(dirname "$0")/../tap.sh"

bench=${FLAMETOP_BUILD:-$source/build}/bench
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "measures nothing with sanitizers"
[ -x "$bench/interact" ] || skip_all "not built (make check builds it)"
from=$source/examples/build.perf.zst

for kind in perf folded shuffled dtrace sample vtune; do
	"$bench/generate" $kind 100000 "$from" >one
	"$bench/generate" $kind 100000 "$from" >two
	"$bench/generate" $kind 100000 "$from" 2 >other
	ok "$kind: the same seed gives the same bytes" cmp -s one two
	ok "$kind: another seed gives others" sh -c '! cmp -s one other'
	run "$FLAMETOP" --to=top --top=1 one
	exits 0 "$kind: flametop reads it"
done
run sh -c "'$bench/generate' vtune 5000n '$from' | tail -n +2 | wc -l"
ok "a tree of 5000 frames has hardly more" test "$out" -ge 4999 -a "$out" -lt 5300
run "$bench/generate" perf 5000n "$from"
exits 2 "perf script has no number of frames to ask for"

for kind in perf folded shuffled; do
	"$bench/generate" $kind 3000000/300 "$from" >one 2>told
	run "$FLAMETOP" --to=folded one
	is "$(wc -l <.out | tr -d ' ')" 300 "$kind: as many different stacks as are asked for"
	is "$(cat told)" "300	$(wc -c <one | tr -d ' ')" "$kind: their number, and that of bytes, is told"
	ok "$kind: the size is as asked for, or a little more" test "$(wc -c <one)" -ge 2900000 -a "$(wc -c <one)" -lt 3200000
	"$bench/generate" $kind 1000+300 "$from" 2>told >one
	run "$FLAMETOP" --to=folded one
	is "$(cut -d ';' -f 1 .out | sort -u)" worker_000000 "$kind: more stacks are those of another process"
done
run "$bench/generate" dtrace 1000/5 "$from"
exits 2 "dtrace has no number of stacks to ask for"
run "$bench/stream" --of made sh -c 'echo "a;b 1"' --of read sh -c 'grep -q "a;b 1"'
is "$(printf '%s\n' "$out" | cut -f 1 | tr '\n' ' ')" "made read " "what one program writes is read by the other, and both are measured"
run "$bench/stream" --of made true --of read false
exits 1 "a reader that fails is an error"
run "$bench/stream" --of made true
exits 2 "a writer without a reader is wrong usage"

run "$bench/measure" 2 --of slow sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' --of none nobody-has-this \
	--of broken sh -c 'exit 3' --of fast true
is "$(printf '%s\n' "$out" | cut -f 1 | tr '\n' ' ')" "slow broken fast " "missing tools are left out"
prints "*broken	failed	3*" "failures are explained"
ok "a row has ratios to itself and to the last, and work is seen to take time" \
	awk -F '\t' 'NR == 1 { cpu = $3; bad = NF != 6 || $5 != 1 || $6 <= 0 } END { exit bad || cpu <= $3 }' .out
run "$bench/measure" 2 --of
exits 2 "a label without a command is wrong usage"

"$bench/generate" folded 100000 "$from" >a.folded
interactive() {
	run "$bench/interact" start 1 "start" --of flametop "$FLAMETOP" --no-config a.folded --of none nobody-has-this
	is "$(printf '%s\n' "$out" | awk -F '|' '{ print NF, $3 }')" "12  flametop " "a start is one row"
	ok "the picture comes after the first byte, and before all is complete" \
		awk -F '|' '{ exit !($4 > 0 && $4 <= $5 && $5 <= $7) }' .out
	run "$bench/interact" -s 80x24 keys 1 "$FLAMETOP" --no-config a.folded
	exits 0 "all keys can be measured"
	ok "moving the cursor is answered with some bytes, in some time" \
		awk -F '|' '/^. cursor: table/ { found = $3 == 1 && $4 > 0 && $5 >= $4 && $12 > 0 } END { exit !found }' .out
	prints "*Idle for 2 s: 0 bytes*" "nothing is written when nothing happens"
	run "$bench/interact" cost 1 "$FLAMETOP" --no-config a.folded
	is "$(printf '%s\n' "$out" | awk -F '\t' '{ print NF, ($1 > 0) }')" "3 1" "and their cost alone"
	run "$bench/interact" keys 1 nobody-has-this
	exits 1 "a program that is not there cannot be measured"
}
if has_terminals; then
	interactive
else
	skip 7 "no pseudo terminal"
fi

# A loop that prints a line now and then, with three companions. Sampling and SCHED_FIFO need rights.
slowdown() {
	run "$bench/slowdown" -F 999 -n 1 -s 0.5 "$FLAMETOP" shell sh -c 'while :; do i=0; while [ $i -lt 500 ]; do i=$((i+1)); done; echo; done'
	if [ "$status" -ne 0 ]; then
		skip 1 "nothing can be sampled here: $err"
		return
	fi
	is "$(printf '%s\n' "$out" | awk -F '|' '{ print NF, $3, $4, ($5 > 0.1 && $6 > 0.1 && $7 > 0.1 && $8 >= 0) }' | tr -s ' \n' ' ,')" \
		"9 999 counted 1,9 999 woken 1,9 999 recorded 1," "the slow-down of a program is measured with three companions"
}
if [ -x "$bench/slowdown" ]; then
	slowdown
else
	skip 1 "not Linux"
fi
run "$bench/slowdown" -n 0 "$FLAMETOP" a sh
exits 2 "no rounds are wrong usage"

printf '#!/bin/sh\nexit 4\n' >inferno-flamegraph
printf '#!/bin/sh\nexit 1\n' >perf # recordings take minutes
chmod +x inferno-flamegraph perf
export FLAMETOP
own=$dir/a.folded
[ ! -d /proc/$$/cwd ] || own=/proc/$$/cwd/a.folded # without the blanks that a directory may have
run env PATH="$dir:$PATH" BENCH="$bench" BENCH_DATA="$dir/data" SIZES=1 OTHERS=1 RUNS=1 INPUTS="$own" \
	"$source/bench/run" throughput
exits 0 "a whole run goes through"
prints "*commit *processors*" "it names the error and its place"
is "$(printf '%s\n' "$out" | awk -F '|' '/^. .* . flametop/ && $6 > 0 { n[$2]++ } END { for (k in n) print k n[k] }' |
	LC_ALL=C sort | tr -s ' \n' ' ,')" \
	" dtrace to folded 2, folded to SVG 4, folded to the whole tree 6, perf script to folded 2, perf script to the whole tree 3,\
 sample to folded 2, shuffled to SVG 2, shuffled to the whole tree 3, two folded files compared 2, vtune to folded 2," \
	"there are rows for every kind of work and for an input of one's own"
prints "*| folded to SVG | a.folded | * | inferno | failed: 4 |*" "another program that fails has no figures"

done_testing
