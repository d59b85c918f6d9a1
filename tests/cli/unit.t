#!/bin/sh
# What counts count: folded stacks in a file keep it, and --unit says it.
. "$(dirname "$0")/../tap.sh"

data=$source/tests/data/collapse

# The header without names of files and other events.
head_of() { # options, file
	"$FLAMETOP" --no-config -q --screen=150x24 "$@" 2>/dev/null | sed -n '1{s/^[^ ]*\( +[0-9]\)*  //;s/ (+[^)]*)//;s/  [0-9.]*% idle, left out//;s/  *rows.*//;p;}'
}

for in in pprof/cpu.in pprof/heap.in speedscope/*.in cpuprofile/*.in vtune/*.in go/*.in perf-data/all.in \
	perf-sched/*.in xctrace/*.in ghcprof/*.in perf/*.in; do
	for file in "$data"/$in; do
		format=${file#"$data"/}
		format=${format%%/*}
		"$FLAMETOP" -q -f "$format" --sort=name -o kept.folded "$file" 2>/dev/null </dev/null || continue
		[ -s kept.folded ] || continue
		"$FLAMETOP" -q -f "$format" --to=folded "$file" >bare.folded 2>/dev/null
		shown=$(head_of -f "$format" "$file")
		grep -q '^# .*unit=' kept.folded || shown=$(head_of kept.folded)
		[ "$(head_of kept.folded)" = "$shown" ] || differ="${differ:-} $format/${file##*/}"
		sed '1{/^# folded stacks$/{N;/\n# an input could not be read to its end$/d;};}' kept.folded |
			grep -v '^# event=[^ ]* unit=[^ ]* 0$\|^# unit=[^ ]* 0$' | cmp -s - bare.folded ||
			more="${more:-} $format/${file##*/}"
		"$FLAMETOP" -q -f folded --to=folded kept.folded 2>/dev/null | cmp -s - bare.folded ||
			lost="${lost:-} $format/${file##*/}"
	done
done
is "${differ:-}" "" "a profile and its folded stacks have the same header: event, unit, total"
is "${more:-}" "" "standard output has the stacks alone"
is "${lost:-}" "" "the stacks read back are the same"

"$FLAMETOP" -q -o cpu.folded "$data/pprof/cpu.in"
is "$(head -1 cpu.folded)" "# event=cpu unit=ns 0" "the first line of a file names event and unit"
is "$(grep -cv ' [0-9][0-9]*$' cpu.folded)" 0 "every line ends in a count, as flamegraph.pl and inferno expect it"
is "$(awk '{ sum += $NF } END { print sum }' cpu.folded)" \
	"$("$FLAMETOP" -q --to=folded "$data/pprof/cpu.in" | awk '{ sum += $NF } END { print sum }')" "the sum is the same"
run "$FLAMETOP" --event=cpu --to=folded cpu.folded
exits 0 "--event chooses by the name in the file"
run "$FLAMETOP" -q --to=top cpu.folded
is "$out" "$("$FLAMETOP" -q --to=top "$data/pprof/cpu.in" | grep -v "^event cpu")" "the table has the same numbers"
"$FLAMETOP" -q --factor=2 -o twice.folded "$data/pprof/cpu.in"
is "$(grep -c '^#' twice.folded)" 0 "counts times a factor are not of that unit"

printf 'a;b 13300000000\na;c 2\n' >bare.folded
"$FLAMETOP" -q -o again.folded bare.folded
ok "counts without a unit stay without a line" cmp -s bare.folded again.folded
is "$(head_of bare.folded)" "13.3 G samples  flame" "counts without a unit are samples"
is "$(head_of --unit=ns bare.folded)" "13.3 s  flame" "--unit=ns makes them times"
is "$(head_of --unit=bytes bare.folded)" "13.3 G bytes  flame" "--unit=bytes makes them bytes"
is "$(head_of --unit=samples bare.folded)" "13.3 G samples  flame" "--unit=samples leaves them as they are"
printf '# unit: us\n' | cat - bare.folded >us.folded
is "$(head_of us.folded)" "3.69 h  flame" "a line written by hand counts, too"
is "$(head_of --unit=ns us.folded)" "3.69 h  flame" "the unit in the file wins"
is "$(head_of - <bare.folded)" "13.3 G samples  flame" "a pipe is samples"
is "$(head_of --unit=ns - <bare.folded)" "13.3 s  flame" "a pipe has the unit of --unit"
printf '@[\n    b\n    a\n]: 13300000000\n' >off.bt
is "$(head_of --unit=ns -f bpftrace off.bt | sed 's/^.*13/13/')" "13.3 s  flame" "--unit works with any format that names none"
printf 'a;b 1\n# unit: s\na;c 2\n' >late.folded
is "$(head_of late.folded)" "3 samples  flame" "below the first stack it is a comment"

# One spelling of units in all formats.
printf '# event=cpu unit=ns 0\na;b 5000000\na;c 2500000\n' >work.folded
"$FLAMETOP" -q -o work.pb.gz work.folded
"$FLAMETOP" -q -o work.callgrind work.folded
for long in nanoseconds nanosecond nsec; do
	sed "1s/ns/$long/" work.folded >$long.folded
done
for other in work.pb.gz work.callgrind nanoseconds.folded nanosecond.folded nsec.folded; do
	run "$FLAMETOP" --no-config -q --to=json work.folded $other
	prints '*"event":"cpu","unit":"ns"*"total":15000000*' "$other: equal times are added up"
	run "$FLAMETOP" --no-config --to=top --absolute --diff=$other work.folded
	is "$err" "" "and compared by weights"
	run "$FLAMETOP" --no-config --to=top --absolute --diff=work.folded $other
	is "$err" "" "on either side"
done
run "$FLAMETOP" --no-config -q --to=json work.pb.gz
prints '*"unit":"ns"*' "JSON has the short name"

run "$FLAMETOP" --unit=parsec --to=top bare.folded
exits 2 "an unknown unit is wrong usage"
says "*--unit: 'parsec' is not one of ns, us, ms, s, bytes*" "the message lists the units"
run "$FLAMETOP" --unit=us --to=top cpu.folded
exits 0 "--unit with a file that says its unit works"
says "*--unit has no effect*" "and is said to have no effect"
run "$FLAMETOP" --no-config --unit=ns --screen=120x24 --keys=C bare.folded
prints "*flametop --no-config --unit=ns bare.folded*" "C repeats --unit"

run "$FLAMETOP" --to=top us.folded bare.folded
says "*unnamed samples are shown; 1 other event: unnamed (samples)*" "unlike units stay apart"
is "$(head_of --unit=us us.folded bare.folded)" "7.39 h  flame" "equal units add up"
is "$(head_of --unit=us bare.folded us.folded)" "7.39 h  flame" "in any order"
run "$FLAMETOP" --to=top --absolute --unit=ns --diff=us.folded bare.folded
is "$err" "" "a comparison of like units has nothing to say"
run "$FLAMETOP" --to=top --absolute --unit=bytes --diff=us.folded bare.folded
says "*different events or units*" "a comparison of unlike units says so"
run "$FLAMETOP" --to=top --absolute --unit=us --diff=us.folded bare.folded
is "$err" "" "a comparison of equal units has nothing to say"
run "$FLAMETOP" --to=top --absolute --unit=us --diff=bare.folded us.folded
is "$err" "" "whichever is the baseline"
run "$FLAMETOP" --to=top --diff=bare.folded us.folded
is "$err" "" "a baseline without a unit has that of the profile"
run "$FLAMETOP" --to=top --diff=us.folded bare.folded
is "$err" "" "and a profile without one that of the baseline"

# Counts of a named event keep its name, too.
printf '# event=page-faults unit=samples 0\nmain;a 3\n' >faults.folded
run "$FLAMETOP" -o again.folded faults.folded
is "$(cat again.folded)" "$(cat faults.folded)" "counts of a named event are written with its name"
run "$FLAMETOP" -o plain.folded bare.folded
ok "those of no event have no such line" sh -c '! grep -q "^#" plain.folded'
printf '# event=wall unit=ns 0\nmain;a 3\n' >wall.folded
run "$FLAMETOP" --to=top --diff=faults.folded wall.folded
says "flametop: the two profiles count different events or units, wall in ns and before page-faults in samples: shares are compared, as by --normalize" "a comparison of two events says that"

# Other formats keep event and unit, too.
says_of() { # KIND, head of folded stacks
	printf '%s\nmain;a 3\nmain;b 4\n' "$2" >counted.folded
	"$FLAMETOP" --no-config -q --to=$1 -o "counted.$1" counted.folded
	"$FLAMETOP" --no-config -q --to=json "counted.$1" |
		sed -n 's/.*"event":"\([^"]*\)","unit":"\([^"]*\)".*/\1 in \2/p; s/^"total":/, total /p' | tr -d '\n'
}
for kind in pprof callgrind speedscope firefox; do
	is "$(says_of $kind '# event=alloc unit=kB 0')" "alloc in kB, total 7," "$kind keeps an event and a unit that is no time"
	is "$(says_of $kind '# event=cycles unit=cycles 0')" "cycles in cycles, total 7," "$kind keeps an event that is its own unit"
	is "$(says_of $kind '# event=cycles unit=samples 0')" "cycles in samples, total 7," "$kind keeps samples of an event"
	is "$(says_of $kind '# event=f(x) unit=f(x) 0')" "f(x) in f(x), total 7," "$kind keeps parentheses"
	is "$(says_of $kind '# event=x unit=bytes 0')" "x in bytes, total 7," "$kind keeps the event of bytes"
	is "$(says_of $kind '# event=wall unit=ns 0')" "wall in ns, total 7," "$kind keeps the event of a time"
	is "$(says_of $kind '# unit=kB 0')" "samples in kB, total 7," "$kind keeps a unit without an event"
done

cat >blank.cg <<'END'
# callgrind format
creator: flametop
event: CPU_time_ns : CPU time(ns)
events: CPU_time_ns
fn=main
1 30
totals: 30
END
"$FLAMETOP" -q -o blank.callgrind --to=callgrind blank.cg
is "$(sed -n 's/^event/event/p' blank.callgrind)" "event: CPU_time_nanoseconds : CPU time(nanoseconds)
events: CPU_time_nanoseconds" "callgrind has a short name without blanks, and the long one"
is "$(head_of blank.callgrind)" "$(head_of blank.cg)" "which is read back"
for kind in pprof speedscope; do
	"$FLAMETOP" -q -o "blank.$kind" --to=$kind blank.cg
	is "$("$FLAMETOP" --to=json --diff=blank.$kind blank.callgrind 2>&1 | grep -c 'different events')" 0 \
		"and is the event of $kind"
done

i=0
while [ $i -lt 60000 ]; do
	echo "main;f$((i * 7919 % 60000));g$((i % 13)) 1000000"
	i=$((i + 1))
done >many
{
	echo '# event=wall unit=ns 0'
	cat many
} >large.folded
for jobs in 1 4; do
	is "$(head_of --jobs=$jobs large.folded)" "wall 60 s  flame" "with $jobs threads"
done

done_testing
