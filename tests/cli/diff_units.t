#!/bin/sh
# Two profiles in different units: like units are converted, unlike ones are named by all that shows numbers of both.
. "$(dirname "$0")/../tap.sh"

# Like units. us: 5 and 2.5 ms, ns: the same times two.
printf '# event=cpu unit=us 0\nm;a 5000\nm;b 2500\n' >us.folded
printf '# event=cpu unit=ns 0\nm;a 10000000\nm;b 5000000\n' >ns.folded
printf '# event=cpu unit=ns 0\nm;a 10000001\nm;b 5000000\n' >odd.folded
printf '# event=cpu unit=s 0\nm;a 0.01\nm;b 0.005\n' >s.folded
for file in us ns s; do
	"$FLAMETOP" -q --no-config -o $file.pb.gz $file.folded
done
compare() { # what is written to standard output, BASE, FILE
	kind=$1
	before=$2
	shift 2
	run "$FLAMETOP" --no-config --absolute --to="$kind" --diff="$before" "$@"
}
for base in us.folded us.pb.gz; do
	for file in ns.folded ns.pb.gz; do
		compare json $base $file
		prints '*"unit":"ns"*"of":"weights","unit_of_change":"ns","widths":"after","total_before":7500000,"total_after":15000000*' \
			"$file against $base: weights are compared in the unit of the profile"
		is "$err" "" "without a message"
	done
done
compare json ns.folded us.folded
prints '*"unit":"us"*"total_before":15000,"total_after":7500*' "finer numbers become coarser if they are whole"
compare json odd.folded us.folded
prints '*"unit":"ns"*"total_before":15000001,"total_after":7500000*' "else coarser ones become finer: nothing is cut off"
compare json s.folded ns.folded
prints '*"unit":"ns"*"total_before":15000000,"total_after":15000000*' "seconds with decimals as well"
compare json ns.folded s.folded
prints '*"unit":"s"*"total_before":0.015,"total_after":0.015*' "in either direction"
compare json odd.folded s.folded
prints '*"unit":"ns"*"total_before":15000001,"total_after":15000000*' "and exactly"
compare json us.folded ns.folded us.folded
prints '*"event":"cpu (us)","unit":"us"*"total_before":7500,"total_after":7500,"samples_before":2,"samples_after":2*' \
	"if the profile has the event in both units, its numbers in that of the baseline are compared"
run "$FLAMETOP" --no-config --absolute --to=json --diff=us.folded --diff=ns.folded ns.folded
prints '*"total_before":22500000,"total_after":15000000*' "baselines in two units are added up"
run "$FLAMETOP" --no-config --screen=100x12 --keys=e --absolute --diff=us.folded ns.folded
prints "*this profile has one event*" "the viewer knows one event"
run "$FLAMETOP" --no-config -q --to=folded --diff=us.folded ns.folded
is "$out" "m;a 5000000 10000000
m;b 2500000 5000000" "folded stacks have both numbers in one unit"
"$FLAMETOP" --no-config -q --absolute -o both.pb.gz --diff=us.folded ns.folded
run "$FLAMETOP" --no-config --event=none both.pb.gz
says "*(it has: cpu)*" "pprof has one type"

# Sizes.
printf '# event=alloc unit=bytes 0\nm;a 4096\n' >bytes.folded
printf '# event=alloc unit=kilobytes 0\nm;a 3\n' >kb.folded
compare json kb.folded bytes.folded
prints '*"unit":"bytes"*"total_before":3072,"total_after":4096*' "sizes are converted like times"
printf '# event=alloc unit=By 0\nm;a 3072\n' >by.folded
compare json by.folded bytes.folded
prints '*"unit":"bytes"*"total_before":3072,"total_after":4096*' "By are bytes"

# Without a name.
printf '# unit: us\nm;a 5000\nm;b 2500\n' >bare-us.folded
compare json bare-us.folded ns.folded
prints '*"unit":"ns"*"total_before":7500000,"total_after":15000000*' "a baseline that names its unit alone is compared with the event"
is "$err" "" "without a message"

# Unlike units.
printf '# event=faults unit=samples 0\nm;a 300\nm;c 100\n' >faults.folded
for widths in after before; do
	for kind in json top text markdown svg html callgrind firefox speedscope; do
		run "$FLAMETOP" --no-config --absolute --to=$kind --widths=$widths --diff=faults.folded ns.folded
		says "*the two profiles count different events or units, cpu in ns and before faults in samples: shares are compared*" \
			"$kind, widths from $widths: a message names both"
		if [ $widths = after ]; then
			like "$out" "*before: faults in samples*" "$kind names the unit of the baseline"
		else
			like "$out" "*after: cpu in ns*" "$kind names the unit of the profile where widths are from before"
		fi
	done
	"$FLAMETOP" --no-config -q --widths=$widths -o two.pb.gz --diff=faults.folded ns.folded
	run "$FLAMETOP" --no-config -q --event=cpu --to=json two.pb.gz
	prints '*"event":"cpu","unit":"ns"*"total":15000000*' "pprof, widths from $widths: the profile has its type"
	run "$FLAMETOP" --no-config --event=none two.pb.gz
	says "*(it has: cpu, faults)*" "and the baseline another one"
	run "$FLAMETOP" --no-config -q --widths=$widths --to=callgrind --diff=faults.folded ns.folded
	prints '*events: cpu(nanoseconds) before(samples)
summary: 15000000 400*' "callgrind, widths from $widths: each cost has its unit"
	run "$FLAMETOP" --no-config -q --widths=$widths --to=firefox --diff=faults.folded ns.folded
	prints '*"name":"after",*"weight":[[]10,5],"weightType":"tracing-ms"*"name":"before",*"weight":[[]300,100],"weightType":"samples"*' \
		"firefox, widths from $widths: each side is a thread in its unit"
	prints '*"label":"Unit","format":"string","value":"ns"*"label":"Unit before","format":"string","value":"samples"*' "which the facts name"
	run "$FLAMETOP" --no-config -q --widths=$widths --to=speedscope --diff=faults.folded ns.folded
	prints '*"name":"cpu after*"unit":"nanoseconds"*"name":"faults before*"unit":"none"*' \
		"speedscope, widths from $widths: each side has its event and unit"
	"$FLAMETOP" --no-config -q --widths=$widths -o two.folded --diff=faults.folded ns.folded
	is "$(sed 1q two.folded)" "# event=cpu unit=ns 0" "folded stacks, widths from $widths, are in the unit of the profile, to which the baseline is scaled"
done
run "$FLAMETOP" --no-config --normalize --to=json --diff=faults.folded ns.folded
says "*cpu in ns and before faults in samples" "who asks for shares is told as well"
run "$FLAMETOP" --no-config --screen=160x12 --diff=faults.folded ns.folded
prints "*before: faults in samples*" "so does the screen"

# The unit is that of the side that names it, whichever that is.
printf '# unit: s\nm;a 1\n' >s.folded
printf 'm;a 100\nm;c 3\n' >bare.folded
run "$FLAMETOP" --no-config --to=text --diff=s.folded bare.folded
says "*samples and before s: shares are compared*" "a profile without a unit against one with it"
prints "bare.folded  against s.folded  103 samples  diff of shares  before: s*" "has samples"
run "$FLAMETOP" --no-config --to=text --diff=bare.folded s.folded
says "*s and before samples: shares are compared*" "and the other way round"
prints "s.folded  against bare.folded  1 s  diff of shares  before: samples*" "so has the baseline"

# The number of samples does not depend on what a file's times are converted to.
lines_of() { # UNIT ZEROS FACTS...: the lines a, b, c
	printf '# unit: %s\n' "$1"
	zeros=$2
	shift 2
	printf "m;a %s$zeros\nm;b %s$zeros\nm;c %s$zeros\n" "$@"
}
counted() { # BASE FILE BEFORE AFTER STATUS NAME
	run "$FLAMETOP" --no-config --to=json --diff="$1" "$2"
	prints "*\"samples_before\":$3,\"samples_after\":$4,*" "$6: $3 samples before, $4 after"
	run "$FLAMETOP" --no-config --to=top --fail-above=5 --diff="$1" "$2"
	exits "$5" "$6: the gate"
}
lines_of ms '' 1001 3003 1000 >few-before.ms
lines_of ms '' 1301 2703 1000 >few.ms
lines_of us 001 1301 2703 1000 >few.us
lines_of ns 000001 1301 2703 1000 >few.ns
lines_of ns 000000 1301 2703 1000 >periods.ns
counted few-before.ms few.ms 2 3 0 "whole milliseconds"
counted few-before.ms few.us 2 3 0 "against parts of them"
counted few-before.ms few.ns 2 3 0 "against nanoseconds, which they become"
counted few.ns few-before.ms 3 2 0 "and the other way round"
counted few-before.ms periods.ns 2 5004 0 "against nanoseconds that look like sampling periods"
counted periods.ns few-before.ms 5004 2 0 "which still do as milliseconds"
lines_of MB '' 13 27 10 >few.mb
lines_of MB '' 10 30 10 >few-before.mb
lines_of bytes 00007 13 27 10 >few.bytes
counted few-before.mb few.bytes 2 3 0 "megabytes that become bytes"
lines_of ns '' 300300300 100100100 700700700 >real-before.ns
lines_of ns '' 500500500 100100100 500500500 >real.ns
counted real-before.ns real.ns 11 11 0 "multiples of a sampling period"
lines_of ns '' 3000000000 1000000000 7010000000 >real-before.ns
lines_of ns '' 5000000000 1000000000 5010000000 >real.ns
counted real-before.ns real.ns 1101 1101 3 "of another one"
speedscope() { # UNIT WEIGHTS
	printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"},'
	printf '{"name":"c"}]},"profiles":[{"type":"sampled","name":"t","unit":"%s","samples":[[0],[1],[2]],"weights":[%s]}]}' \
		"$@"
}
speedscope milliseconds 1001,3003,1000 >few-before.speedscope
speedscope milliseconds 1301,2703,1000 >few.speedscope
counted few-before.speedscope few.speedscope 2 3 0 "speedscope in milliseconds, which are read as nanoseconds"
counted few-before.ms few.speedscope 2 3 0 "against milliseconds"
speedscope seconds 1.301,2.703,1 >few.seconds
counted few-before.speedscope few.seconds 2 3 0 "in seconds"
speedscope nanoseconds 300300300,100100100,700700700 >real.speedscope
counted real.speedscope real.speedscope 11 11 0 "in nanoseconds, multiples of a sampling period"
pyinstrument() { # of a, b, c
	printf '{"start_time":1,"duration":5,"sample_count":3,"root_frame":{"function":"m","file_path":"m.py","time":5.004,'
	printf '"children":[{"function":"a","file_path":"m.py","time":%s,"children":[]},{"function":"b","file_path":"m.py",' "$1"
	printf '"time":%s,"children":[]},{"function":"c","file_path":"m.py","time":%s,"children":[]}]}}\n' "$2" "$3"
}
pyinstrument 1.001 3.003 1 >few-before.json
pyinstrument 1.301 2.703 1 >few.json
counted few-before.json few.json 2 3 0 "pyinstrument, whose seconds are read as nanoseconds"
printf 'read(3) = 0 <%s>\n > a(f+0x1) [0x1]\n' 0.040000 0.090000 >calls.strace
run "$FLAMETOP" --no-config --value=time --to=json --diff=calls.strace calls.strace
prints '*"samples_before":2,"samples_after":2,*' "strace: calls are no more than there are"

# A page is read back as the comparison that it shows.
printf 'a;b 100\na;c 200\n' >page.counts
printf '# unit: ms\na;b 100000\na;c 250000\n' >page.ms
printf '# unit: ms\na;b 100\na;c 250\nd 30\n' >page-before.ms
page() { # NAME OPTION...
	name=$1
	shift
	for widths in after before; do
		"$FLAMETOP" --no-config -q --widths=$widths -o page.html "$@"
		# A page has its own name and notes on top.
		"$FLAMETOP" --no-config -q --to=top --widths=$widths "$@" >direct
		"$FLAMETOP" --no-config -q --to=top --widths=$widths page.html >back
		ok "$name, widths of $widths: a page is read back as what it shows" cmp direct back
		"$FLAMETOP" --no-config -q --widths=$widths -o again.html page.html
		is "$(grep -o '"diff":{.*' again.html)" "$(grep -o '"diff":{.*' page.html)" "and is written again as it was"
	done
}
page "counts against ms" --diff=page.counts page.ms
page "ms against counts" --diff=page.ms page.counts
page "shares of one unit" --diff=page-before.ms page.ms
page "weights of one unit" --absolute --diff=page-before.ms page.ms
"$FLAMETOP" --no-config -q --diff=page.counts -o page.html page.ms
run "$FLAMETOP" --no-config --to=top page.html
says "*the two profiles count different events or units, ms and before samples: shares are compared*" "two units are told"
run "$FLAMETOP" --no-config --fail-above=1 --to=top page.html
exits 0 "and the gate compares shares"

# So is a file of speedscope, its weights as they are.
printf '# event=alloc unit=kB 0\na;b 300\na;c 400\n' >scope.kb
printf '# event=alloc unit=kB 0\na;b 400\na;c 300\n' >scope-before.kb
printf '# event=work unit=cycles 0\na;b 100\na;c 600\n' >scope.cycles
printf '# event=wall unit=ns 0\na;b 100\na;c 600\n' >scope.ns
printf 'a;b 100\na;c 600\n' >scope.counts
for pair in "scope.kb scope-before.kb" "scope.kb scope.cycles" "scope.kb scope.ns" "scope.ns scope.kb" "scope.kb scope.counts" \
	"scope.counts scope.kb"; do
	after=${pair% *}
	before=${pair#* }
	"$FLAMETOP" --no-config -q --to=speedscope --normalize --diff="$before" -o scope.json "$after"
	"$FLAMETOP" --no-config -q --to=folded --diff="$before" --normalize "$after" >direct
	"$FLAMETOP" --no-config -q --to=folded --normalize scope.json >back
	ok "$before -> $after: speedscope's file is read back as the comparison" cmp direct back
done
"$FLAMETOP" --no-config -q --to=speedscope --diff=scope.cycles -o scope.json scope.kb
run "$FLAMETOP" --no-config --to=top scope.json
says "*different events or units, alloc in kB and before alloc (cycles): shares are compared*" "two units are told there"

done_testing
