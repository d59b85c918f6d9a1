#!/bin/sh
# Flame charts with a time axis: options, files, and what is left out of files without lanes.
. "$(dirname "$0")/../tap.sh"

XDG_CONFIG_HOME=$dir/none
LC_ALL=C.UTF-8
export XDG_CONFIG_HOME LC_ALL

# Two threads, by turns: one from 0 to 10 ms and from 30 ms to 40, the other from 5 to 15.
awk 'BEGIN {
	for (ms = 0; ms < 40; ms++) {
		if (ms < 10 || ms >= 30)
			printf "a 1/10 [000] 5.%06d: 1000000 cpu-clock:\n\t401000 %s+0x10 (/bin/x)\n\t401000 main+0x10 (/bin/x)\n\n", ms * 1000, ms < 10 ? "read" : "write"
		if (ms >= 5 && ms < 15)
			printf "b 1/11 [001] 5.%06d: 1000000 cpu-clock:\n\t401000 run+0x10 (/bin/x)\n\n", ms * 1000 + 500
	}
}' >two.perf
printf 'main;a 3\nmain;b 4\n' >plain.folded

run "$FLAMETOP" --flamechart -o two.svg two.perf
is "$status $err" "0 " "an SVG has the lanes"
is "$(grep -o 'thread 1[01]  [0-9.]*%' two.svg | tr '\n' ' ')" "thread 10  66.7% thread 11  33.3% " "with their threads and shares"
is "$(grep -o '<title>write ([^)]*)' two.svg)" "<title>write (10 ms, 33.33%; at 30 ms for 10 ms)" "a frame says when it was"
is "$(grep -o 'total_samples="[0-9]*"' two.svg)" 'total_samples="40000000"' "the axis is the time from the first sample to the last"
is "$(grep -o '<title>main' two.svg | wc -l | tr -d ' ')" 2 "idle time parts the frames"

run "$FLAMETOP" --flamechart --axis=samples -o plain.svg two.perf
is "$(grep -c 'id="ruler"' plain.svg)" 0 "--axis=samples draws no lanes"
run "$FLAMETOP" --flamechart --zoom-time=0,0.012 --fold-lanes=2 -o zoomed.svg two.perf
is "$(grep -o '<title>[a-z]*' zoomed.svg | sort | tr '\n' ' ')" "<title>a <title>main <title>read " "an SVG shows the visible time, and open lanes"
is "$(grep -o '0 s to 12 ms of 40 ms\|(folded)' zoomed.svg | tr '\n' ' ')" "0 s to 12 ms of 40 ms (folded) " "and says what it leaves out"

# Options about a time axis that the view does not have, or not so.
idle() { # words, options, file
	words=$1
	shift
	run "$FLAMETOP" -o idle.svg "$@"
	says "*$words*" "$*: named"
}
idle "--axis has no effect: only a flame chart has it" --axis=samples two.perf
idle "--axis has no effect: only a flame chart has it" --axis=time plain.folded
idle "--axis has no effect: the samples have no times" --flamechart --axis=time plain.folded
idle "--axis has no effect: the samples have no times" --flamechart --axis=samples plain.folded
idle "--fold-lanes has no effect: only a flame chart has it" --fold-lanes=1 two.perf
idle "--fold-lanes has no effect: there is no time axis" --flamechart --axis=samples --fold-lanes=1 two.perf
idle "--zoom-time has no effect: there is no time axis" --flamechart --axis=samples --zoom-time=0,0.01 two.perf
idle "--fold-lanes: there is no lane 7, the last is 2" --flamechart --fold-lanes=1,7 two.perf
idle "--zoom-time: the flame chart has nothing then, it goes from 0 s to 40 ms" --flamechart --zoom-time=5,6 two.perf
exits 1 "as a zoom to a frame that is not there"
run "$FLAMETOP" --flamechart --zoom-time=5,6 --screen=80x8 two.perf
prints '*the flame chart has nothing then*' "also on the screen"
run "$FLAMETOP" --flamechart --axis=samples -o idle.svg two.perf
is "$err" "" "what has an effect is not named"

# Pictures without lanes have the samples in the order of the input, as without an axis; tables have the frames of the
# lanes, as on the screen.
for kind in folded text; do
	"$FLAMETOP" --flamechart --to=$kind --width=80 two.perf >timed 2>/dev/null
	"$FLAMETOP" --flamechart --axis=samples --to=$kind --width=80 two.perf >samples 2>/dev/null
	ok "$kind: the samples one after the other" cmp -s timed samples
done
for kind in top markdown; do
	is "$("$FLAMETOP" -q --flamechart --to=$kind two.perf | tr '|' ' ' | awk '/main/ { print $(NF - 1) }')" 2 \
		"$kind: idle time parts the frames"
done
run "$FLAMETOP" --flamechart --view=table --screen=80x10 two.perf
prints "*  2  main*" "as on the screen"
run "$FLAMETOP" -q --flamechart --view=calls --expand=a --to=text two.perf
is "$(grep -c " a$" .out)" 2 "call tree: idle time parts the frames"
"$FLAMETOP" --flamechart --to=folded two.perf >timed
"$FLAMETOP" --flamechart -o file.folded two.perf
is "$(head -n 3 timed | tr '\n' ' ')" "a;main;read 6000000 b;run 1000000 a;main;read 1000000 " "threads take turns there"
run "$FLAMETOP" --screen=120x20 --keys='twall.folded<Enter>' two.perf
prints "*written to all.folded (folded): all samples one after the other; an SVG has the lanes*" "w says that a file has no lanes"
ok "and writes what the program does" cmp -s all.folded file.folded
run "$FLAMETOP" --screen=120x20 --zoom-time=0.03,0.04 --keys='wpart.folded<Enter>' --flamechart two.perf
prints "*the samples of this time one after the other*" "a zoom in time chooses the samples"
is "$(grep -v "^#" part.folded)" "a;main;write 10000000" "and they are those of that time"
for kind in folded md top txt; do
	run "$FLAMETOP" --screen=120x20 --zoom-time=0.03,0.04 --keys="wkey.$kind<Enter>" --flamechart two.perf
	"$FLAMETOP" -q --flamechart --zoom-time=0.03,0.04 -o file.$kind two.perf
	ok "$kind: --zoom-time chooses the same" cmp -s key.$kind file.$kind
done
# Spans that reach into the visible time, and beyond it.
cat >spans.json <<'END'
[{"ph":"X","name":"A","ts":0,"dur":10,"pid":1,"tid":1},
{"ph":"X","name":"B","ts":2,"dur":3,"pid":1,"tid":1},
{"ph":"X","name":"B","ts":6,"dur":3,"pid":1,"tid":1},
{"ph":"X","name":"A","ts":5,"dur":10,"pid":1,"tid":2},
{"ph":"X","name":"C","ts":30,"dur":10,"pid":1,"tid":2},
{"ph":"X","name":"far","ts":5000003,"dur":10,"pid":1,"tid":3}]
END
part() { "$FLAMETOP" -q --flamechart --zoom-time=0.000003,0.000008 "$@" spans.json; }
is "$(part --to=folded | awk '{ sum[$1] += $2 } END { print sum["A"], sum["A;B"], sum["C"] + 0 }')" "4 4 0" "folded: their visible parts"
is "$(part --to=top | awk '$NF == "A" || $NF == "B" { print $1, $NF }' | tr '\n' ' ')" "4 A 4 B " "top: their visible parts"
is "$(part --to=markdown | awk -F'|' '/`[AB]`/ { print $2 $4 $7 }' | tr -d '\n')" " 4 us  8 us  \`A\`  4 us  4 us  \`B\` " "markdown, too"
like "$(part --to=top)" "*self % of visible time*total % of visible time*50.00*8 us*100.00*A*" "the heading names the whole"
like "$(part --to=markdown)" "*% of visible time*" "in Markdown, too"
like "$(part --view=table --screen=100x12)" "*table, 3 us to 8 us of*50.0%*4 us 100.0%*8 us*A*" "and the screen has the same shares"
for base in "" --diff=spans.json; do # the table of a comparison, too
	is "$(part --to=text --view=table $base)" "$(part --to=top --view=table $base)" "text of the table: the same ($base)"
done
part --to=text --width=80 >part.txt
like "$(cat part.txt)" "*8 us  3 us to 8 us*B 25.0%*B 25.0%*A 100%*50.0% A*" "text: as many, and from when to when"
part --search=B -o part.svg
is "$(grep -o 'Matched: [0-9.]*%' part.svg)" "Matched: 50.0%" "an SVG counts matches in the visible time"
like "$(grep -o '3 us to 8 us of[^<]*' part.svg)" "3 us to 8 us of*" "and names it"
part --view=table --screen=100x12 --keys='wtable.txt<Enter>' >screen
is "$(cat table.txt)" "$(part --to=top --view=table)" "and so is the file of the key"
far="--zoom-time=5.000001,5.000008"
"$FLAMETOP" --flamechart $far -o far.svg spans.json
like "$(cat far.svg)" "*5.000001 s to 5.000008 s*" "late times are as exact as their distance needs"
like "$(cat far.svg)" "*far (10 us*at 5.000003 s for 10 us)*" "in titles, too"
like "$("$FLAMETOP" -q --flamechart $far --to=top spans.json)" "*5.000001 s to 5.000008 s*" "in a table"
like "$("$FLAMETOP" --flamechart $far --screen=120x20 spans.json)" "*5.000001 s to 5.000008 s*" "and on the screen"
like "$("$FLAMETOP" -q --time=5.000001,5.000008 --to=top spans.json)" "*5.000001 s to 5.000008 s*" "so is a choice of time"

run "$FLAMETOP" --no-config --flamechart --zoom-time=0.000003,0.000008 --view=sandwich --function=B --to=folded spans.json
says "*left out by --view=sandwich" "a sandwich is of all times, and none is left out by --zoom-time"

# Samples outside of it have no stack with --split. glibc fills new memory with the byte that MALLOC_PERTURB_ names.
for option in --focus=. --ignore=write --hide=read --strip-hex --callees=run; do
	for kind in json top md firefox.json folded svg; do
		for split in comm pid tid cpu; do
			run env MALLOC_PERTURB_=90 "$FLAMETOP" -q --flamechart --zoom-time=0.004,0.012 --split=$split $option -o split.$kind two.perf
			[ "$status$err" = 0 ] || break 3
		done
	done
done
is "$status $err" "0 " "--zoom-time with --split and filters, in every kind"
run env MALLOC_PERTURB_=90 "$FLAMETOP" -q --flamechart --zoom-time=0.004,0.012 --split=tid --ignore=write --to=top two.perf
is "$(printf '%s\n' "$out" | awk '$NF ~ /^(read|run)$/ { print $1, $NF }' | tr '\n' ' ')" "$(
	"$FLAMETOP" -q --flamechart --zoom-time=0.004,0.012 --ignore=write --to=top two.perf |
		awk '$NF ~ /^(read|run)$/ { print $1, $NF }' | tr '\n' ' ')" "--split changes no weight"

# Times of day that go back are those of another day: 106,752 days have 2^63 ns.
awk 'BEGIN {
	for (day = 0; day < 107000; day++)
		printf "1 23:59:59.0 a(1) = 0 <0.1>\n1 0:0:0.0 a(1) = 0 <0.1>\n%s", day ? "" : " > /x(f+0x1) [0x2]\n"
}' >days.strace
run "$FLAMETOP" --flamechart --screen=100x8 days.strace
prints "*flame chart over 2560000 h*" "strace: times of day stay within what 64 bits hold"
run "$FLAMETOP" --to=folded days.strace
says "*midnights after 292 years*left out*" "and days beyond are told"

"$FLAMETOP" --flamechart --zoom-time=0,0.012 --fold-lanes=2 -o zoomed.svg two.perf
run "$FLAMETOP" --screen=120x20 --keys='wkey.svg<Enter>' --flamechart --zoom-time=0,0.012 --fold-lanes=2 two.perf
ok "w writes the lanes into an SVG as the screen shows them" cmp -s key.svg zoomed.svg

run "$FLAMETOP" --flamechart --zoom-time=1,2 -o x.svg plain.folded
exits 1 "--zoom-time needs times"
says "*--zoom-time: there is no time axis*" "and says so"
for bad in 1 2,1 a,b ','; do
	run "$FLAMETOP" --flamechart --zoom-time=$bad two.perf
	exits 2 "--zoom-time=$bad is wrong usage"
done
for bad in 0 x '1,,' 1,x ''; do
	run "$FLAMETOP" --fold-lanes="$bad" two.perf
	exits 2 "--fold-lanes='$bad' is wrong usage"
done
run "$FLAMETOP" --axis=weight two.perf
exits 2 "--axis=weight is wrong usage"

run "$FLAMETOP" --screen=100x20 --flamechart --fold-lanes=7,2 --cursor=@lane2 two.perf
prints "*▸ b  thread 11*" "--fold-lanes folds lanes that are there"
is "$(printf '%s\n' "$out" | tail -n 3 | head -n 1)" "b  thread 11" "--cursor=@lane2 is on a title"
run "$FLAMETOP" --screen=100x20 --keys=tA plain.folded
prints "*the samples of this profile have no times*" "without times there is no time axis"
run "$FLAMETOP" --screen=100x20 --keys=v two.perf
prints "*only a flame chart with a time axis has lanes (t, A)*" "a flame graph has no lanes"

# Widths are times: ten seconds, of which light samples have half.
for i in 0 1 2 3 4 5 6 7 8 9; do
	[ $((i % 2)) = 0 ] && what='1 cycles:' name=light || what='1000000 cycles:' name=heavy
	printf 'x 1/1 [0] %d.000000: %s\n\t1 %s (/x)\n\n' $i "$what" $name
done >even.perf
run "$FLAMETOP" --flamechart --screen=100x8 --minwidth=1 even.perf
prints "* light *heavy *light *" "a frame of a tenth of the time is wider than 1 %"
run "$FLAMETOP" --flamechart --screen=100x8 --minwidth=12 even.perf
ok "and narrower than 12 %" sh -c '! grep -q "light\|heavy" .out'
run "$FLAMETOP" --flamechart --minwidth=1 --to=svg even.perf
ok "so it is in an SVG" sh -c '! grep -q "narrower than" .out'
run "$FLAMETOP" --flamechart --minwidth=12 --to=svg even.perf
prints "*10 frames narrower than 12% are left out*" "which says what it leaves out"

# Nothing is left to show.
run "$FLAMETOP" --flamechart --focus=nothing --screen=120x12 two.perf
prints "*flame chart over 0 s*" "an empty chart has no length"

# A place on the axis is none in a table.
for kind in folded top markdown text; do
	run "$FLAMETOP" --flamechart --cursor=@lane2 --to=$kind two.perf
	exits 0 "--to=$kind has no axis"
	says "*--cursor has no effect on this output*" "and says so"
done

# A zoom in time is one of the table, too: side by side, alone, and in files.
lanes=$source/tests/golden/data/lanes.perf
zoom='parser;main;parse;build'
run "$FLAMETOP" --no-config --view=chart,table --zoom="$zoom" --screen=150x10 "$lanes"
prints "*100.0%     5 ms 100.0%     5 ms  build*" "the table beside a chart adds up the visible time"
ok "and nothing else" sh -c '! grep -q " lex" .out'
run "$FLAMETOP" --no-config --flamechart --zoom="$zoom" --screen=100x10 --keys=2 "$lanes"
prints "*table, 15 ms to 20 ms of 60 ms*100.0%     5 ms*build*" "so does the table alone, and its heading says so"
run "$FLAMETOP" --no-config --flamechart --zoom="$zoom" --screen=100x10 --keys='2<BS>' "$lanes"
prints "*table over 60 ms*20 ms*lex*" "and follows when the zoom is undone"
for view in chart,table table,chart table; do
	run "$FLAMETOP" --no-config --flamechart --view="$view" --zoom="$zoom" --to=top "$lanes"
	prints "*5 ms * 100.00*build*91.5% excluded*" "--view=$view: a file has the table of that time"
	run "$FLAMETOP" --no-config --flamechart --view="$view" --zoom-time=0.035,0.04 --to=top "$lanes"
	is "$err" "" "--view=$view: --zoom-time does the same"
done
for kind in folded text top markdown svg; do
	run "$FLAMETOP" --no-config --flamechart --axis=samples --zoom-time=0.01,0.03 --to=$kind "$lanes"
	is "$err" "flametop: --zoom-time has no effect: there is no time axis" "$kind: without an axis no time is chosen"
done

# A zoom to a frame shows its time in all lanes, so files without lanes have all samples of that time, too.
cat >calls.json <<'END'
{"traceEvents":[{"name":"main","ph":"X","ts":0,"dur":1000,"pid":1,"tid":1},
{"name":"req","ph":"X","ts":100,"dur":50,"pid":1,"tid":1},{"name":"io","ph":"X","ts":110,"dur":20,"pid":1,"tid":1},
{"name":"req","ph":"X","ts":300,"dur":100,"pid":1,"tid":1},{"name":"cpu","ph":"X","ts":310,"dur":60,"pid":1,"tid":1},
{"name":"req","ph":"X","ts":700,"dur":40,"pid":1,"tid":1},{"name":"worker","ph":"X","ts":0,"dur":1000,"pid":1,"tid":2},
{"name":"job","ph":"X","ts":320,"dur":300,"pid":1,"tid":2}]}
END
calls() { "$FLAMETOP" --no-config -q --flamechart "$@" calls.json; }
sum() { "$FLAMETOP" --no-config -q --to=folded "$1" | awk '{ n += $NF } END { print n }'; }
for zoom in 'main;req' 'main;req --cursor=main;req;cpu' 'main;req --search=cpu|job'; do
	for kind in json folded txt pb.gz callgrind top md svg speedscope.json firefox.json; do
		rm -f "option.$kind" "key.$kind"
		# shellcheck disable=SC2086 # several options
		calls --zoom=$zoom -o "option.$kind"
		# shellcheck disable=SC2086
		calls --zoom=$zoom --screen=120x20 --keys="wkey.$kind<Enter>" >screen
		ok "--zoom=$zoom: $kind has what w writes" cmp "option.$kind" "key.$kind"
	done
done
calls --zoom='main;req' -o zoom.folded
calls --zoom='main;req' -o zoom.callgrind
is "$(sum zoom.folded) $(sum zoom.callgrind)" "200 200000" "which is the time of the frame in both lanes"
like "$(calls --zoom='main;req' --to=json)" '*"total":200,*' "in JSON, too"
like "$(calls --zoom='main;req' --search='cpu|job' --to=text)" "*70.0% of visible time matched*" "text counts matches in it"
calls --zoom='main;req' --search='cpu|job' -o zoom.svg
is "$(grep -o 'Matched: [0-9.]*%' zoom.svg)" "Matched: 70.0%" "as an SVG does"

# Files of a chart that is merged from the leaves have whole stacks, from the root on.
printf '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":100},{"ph":"X","name":"b","pid":1,"tid":1,"ts":10,"dur":50},{"ph":"X","name":"c","pid":1,"tid":2,"ts":20,"dur":80}]}' >turned.json
rows() { "$FLAMETOP" --no-config -q --to=top "$@" 2>/dev/null | awk 'NF == 8 && $1 + 0 > 0 { print $NF, $1 }' | sort; }
for view in --reverse --callers=b "--reverse --zoom-time=0.00002,0.00005"; do
	for kind in speedscope firefox; do
		# shellcheck disable=SC2086 # several options
		rows --flamechart $view turned.json >shown
		# shellcheck disable=SC2086
		"$FLAMETOP" --no-config -q --flamechart $view --to=$kind -o turned.$kind turned.json
		rows turned.$kind >back
		ok "$view: $kind has the same self weights" cmp shown back
	done
done
ok "these are not empty" test -s shown

# Samples without a time are of no time: they are not on the axis, and in no range of times.
printf 'x 1/1 1.0: 1000 cycles:\n\t1 f (/x)\n\nx 1/1 2.0: 1000 cycles:\n\t1 g (/x)\n\n' >timed.perf
printf 'x 1/1 1000 cycles:\n\t1 h (/x)\n\nx 1/1 1000 cycles:\n\t1 i (/x)\n\n' >untimed.perf
note="2 samples without a time are left out"
run "$FLAMETOP" --no-config -q --flamechart --screen=160x10 timed.perf untimed.perf
prints "*$note*" "the header counts samples without a time"
run "$FLAMETOP" --no-config -q --flamechart --to=svg timed.perf untimed.perf
prints "*$note*" "so does an SVG"
shows_timed() { # WHAT OPTION...
	what=$1
	shift
	run "$FLAMETOP" --no-config "$@" --screen=160x10 timed.perf untimed.perf
	prints "*  50.0% excluded*" "$what: they are excluded"
	prints "*$note*" "$what: which is said"
	ok "$what: not one is drawn" sh -c '! grep -q " h  *i \| i  *h " .out'
	run "$FLAMETOP" --no-config -q "$@" --to=folded timed.perf untimed.perf
	ok "$what: nor written" sh -c '! grep -q "x;[hi] " .out'
}
# Files without lanes have the same samples as the picture.
for kind in text top markdown json pprof callgrind speedscope firefox lines; do
	for view in "" "--search=f" "--zoom=x" "--view=sandwich --function=x"; do
		case "$kind $view" in
		"lines --"* | speedscope*--view* | firefox*--view* | top*--view* | markdown*--view*) continue ;;
		pprof*--view* | callgrind*--view*) continue ;;
		esac
		# shellcheck disable=SC2086 # several options
		"$FLAMETOP" --no-config -q --flamechart $view --to="$kind" -o chart timed.perf untimed.perf
		# shellcheck disable=SC2086
		"$FLAMETOP" --no-config -q --flamechart --axis=samples $view --to="$kind" -o all timed.perf untimed.perf
		is "$(gzip -cdf chart | grep -ac '\<[hi]\>')" 0 "$kind $view: a chart has none"
		ok "$kind $view: --axis=samples shows them" sh -c 'gzip -cdf all | grep -aq "\<[hi]\>"'
	done
done
run "$FLAMETOP" --no-config --flamechart --to=folded timed.perf untimed.perf
says "*50.0% of cycles is left out by --flamechart*" "folded stacks: which is said"
ok "and nothing else" sh -c '! grep -q "has no effect" .err'
run "$FLAMETOP" --no-config --axis=samples --flamechart --to=folded timed.perf untimed.perf
prints "*x;h 1000*x;i 1000*" "folded stacks of --axis=samples have all"
ok "so the option has an effect" sh -c '! grep -q "has no effect" .err'
run "$FLAMETOP" --no-config --axis=samples --flamechart --to=folded timed.perf
says "*--axis has no effect*" "which it has not if all samples have times"
run "$FLAMETOP" --no-config -q --flamechart --to=json timed.perf untimed.perf
cp .out chart.json
run "$FLAMETOP" --no-config -q --flamechart --screen=100x12 --keys='wsaved.json<Enter>' timed.perf untimed.perf
sort chart.json >one
sort saved.json >two
ok "the viewer writes the same" cmp one two
printf 'x 1/1 1.0: 1000 cycles:\n\t1 h+0x1 (/x)\n\nx 1/1 1000 cycles:\n\t1 h+0x2 (/x)\n\n' >half.perf
run "$FLAMETOP" --no-config -q --flamechart --to=lines half.perf
prints "*h: self 1,000 100.0%*" "lines are of the samples on the axis"
i=0
while [ $i -lt 500 ]; do
	cat timed.perf >&3
	cat untimed.perf
	i=$((i + 1))
done 3>base.perf >many.perf
run "$FLAMETOP" --no-config --flamechart --diff=base.perf --fail-above=1 -o x.svg base.perf many.perf
exits 0 "a gate judges the samples that a chart shows"
run "$FLAMETOP" --no-config --flamechart --axis=samples --diff=base.perf --fail-above=1 -o x.svg base.perf many.perf
exits 3 "all of them if it has no time axis"
run "$FLAMETOP" --no-config -q --flamechart --zoom-time=0,1.5 --to=folded timed.perf untimed.perf
ok "but not one of a visible time" sh -c '! grep -q "x;[hi] " .out'

# The gate judges the time that the file has.
run_of() { # SECOND...: a second of samples each, of the function named
	awk 'BEGIN { for (s = 1; s < ARGC; s++) for (i = 0; i < 100; i++)
		printf "x 1/1 [0] %d.%02d0000: 10000000 cpu-clock:\n\t1 %s (/x)\n\t1 main (/x)\n\n", s, i, ARGV[s] }' "$@"
}
run_of cold cold >cold.perf
run_of cold hot >hot.perf
gate() { # STATUS OPTION...
	expected=$1
	shift
	for kind in json folded svg top firefox; do
		run "$FLAMETOP" --no-config -o "hot.$kind" --to=$kind --flamechart --fail-above=2 --diff=cold.perf "$@" hot.perf
		exits "$expected" "$kind: the gate judges the visible time ($*)"
	done
}
gate 3
gate 0 --zoom-time=0,0.9
says "*--zoom-time applies only to the new profile, which is compared with the whole baseline*" "which is said"
gate 3 --zoom-time=0,1.1
gate 0 --zoom='x;main;cold'
says "*--zoom applies only to the new profile, which is compared with the whole baseline*" "and of a zoom to a frame"
gate 3 --zoom='x;main;hot'
run "$FLAMETOP" --no-config --flamechart --view=sandwich --function=hot --zoom-time=0,0.9 --fail-above=2 --diff=cold.perf \
	--to=svg hot.perf
exits 3 "a sandwich is of all times"
shows_timed "--time" --time=0,10
shows_timed "--window" --window=10
shows_timed "--window, shorter than the profile" --window=2
shows_timed "--decay" --decay=1e9
run "$FLAMETOP" --no-config -q --flamechart --axis=samples --screen=160x10 timed.perf untimed.perf
ok "without a time axis nothing is missing" sh -c '! grep -q "no time" .out'

run "$FLAMETOP" --no-config --view=heat --screen=110x14 timed.perf untimed.perf
prints "*cycles 2 k*heat map  $note*" "the heat map counts them"
ok "and has no other total" sh -c '! grep -q "4 k" .out'

# An event without times beside one that has them: all of it is shown, in the order of the input.
cat >other.speedscope.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json",
"shared":{"frames":[{"name":"main"},{"name":"parse"},{"name":"alloc"}]},"profiles":[
{"type":"evented","name":"t1","unit":"milliseconds","startValue":0,"endValue":100,"events":[
{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10},{"type":"C","frame":1,"at":60},{"type":"C","frame":0,"at":100}]},
{"type":"sampled","name":"heap","unit":"bytes","startValue":0,"endValue":30,
"samples":[[0,2],[0,1],[0,2]],"weights":[4096,512,8]}]}
END
for side in before after; do # enough samples to judge
	awk -v parse="$([ $side = after ] && echo 60 || echo 10)" 'BEGIN {
		for (i = 0; i < 100; i++) {
			stacks = stacks (i ? "," : "") (i < parse ? "[0,1]" : "[0,2]")
			weights = weights (i ? "," : "") 100
		}
		printf "s/\"samples\".*/\"samples\":[%s],\"weights\":[%s]}]}/\n", stacks, weights
	}' >$side.sed
	sed -f $side.sed other.speedscope.json >$side.speedscope.json
done
bytes() { "$FLAMETOP" --no-config --flamechart --event=bytes "$@" other.speedscope.json; }
for kind in folded text json pprof callgrind top markdown svg html speedscope firefox lines; do
	bytes --to=$kind -o chart 2>chart.err
	bytes -q --axis=samples --to=$kind -o all
	for file in chart all; do # but for the command, which is in some
		sed 's/ --axis=samples//; s/ -q//' $file >$file.same
	done
	ok "$kind: a chart of an event without times has all of it" cmp -s chart.same all.same
	ok "$kind: and none is said to be left out" sh -c '! grep -q "left out" chart.err'
	run bytes --axis=samples --to=$kind -o all
	says "*--axis has no effect*" "$kind: --axis has no effect"
	[ $kind = lines ] && continue
	run "$FLAMETOP" --no-config --flamechart --event=bytes --diff=before.speedscope.json --fail-above=5 --to=$kind \
		-o gate after.speedscope.json
	exits 3 "$kind: the gate judges it"
done
is "$(bytes -q --to=folded | tr '\n' ' ')" "main;alloc 4096 main;parse 512 main;alloc 8 " "in the order of the input"
run bytes --screen=120x14 --keys='jwother.folded<Enter>'
ok "w writes it, too" grep -q 'main;parse 512' other.folded
run bytes --screen=120x14 --keys=j
ok "the screen has no ruler, and a frame no time" sh -c '! grep -q "[0-9] s\b" .out'
run bytes --screen=120x14 --keys=A
prints "*the samples of this event have no times*" "there is no time axis"
run "$FLAMETOP" --no-config --flamechart --event=time --axis=samples --to=folded other.speedscope.json
says "*--axis has no effect*" "nor of an event whose samples all have times"
run "$FLAMETOP" --no-config --flamechart --time=0,1 --event=bytes --to=text other.speedscope.json
prints "*3 samples without a time are left out*" "a choice of time leaves them out"
ok "so the axis does not show them" sh -c '! grep -q axis=samples .out'
run "$FLAMETOP" --no-config --flamechart --time=0,1 --event=bytes --to=folded other.speedscope.json
says "*left out by --time" "and is named alone"

# Of two samples of one time in a lane, the first one lasts no time.
printf 'x 1/1 1.0: 4900000 cpu-clock:\n\t1 a (/x)\n\nx 1/1 1.0: 1000000000 cpu-clock:\n\t1 b (/x)\n\nx 1/1 2.0: 1 cpu-clock:\n\t1 b (/x)\n\n' >same.perf
run "$FLAMETOP" --no-config --flamechart --to=speedscope same.perf
says "*stacks last from sample to sample*1 of them no time*" "speedscope: a stack that lasts no time is told"
run "$FLAMETOP" --no-config --flamechart --reverse --to=speedscope same.perf
says "*1 of them no time*" "also in a tree that is merged from the leaves"
run "$FLAMETOP" --no-config --flamechart --to=speedscope timed.perf
ok "if each lasts, none is" sh -c '! grep -q "no time" .err'

done_testing
