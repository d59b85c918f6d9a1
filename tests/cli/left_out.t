#!/bin/sh
# Each output reports what filters, threads, times, events and zooms leave out.
. "$(dirname "$0")/../tap.sh"

cat >both.perf <<'END'
web 7/7 [000] 1.000000: 10 cycles:
	10 read (/bin/web)
	20 main (/bin/web)

web 7/8 [000] 2.000000: 30 cycles:
	11 parse (/bin/web)
	20 main (/bin/web)

db 9/9 [000] 3.000000: 60 cycles:
	12 write (/bin/db)
	20 main (/bin/db)

db 9/9 [000] 3.500000: 5 faults:
	12 write (/bin/db)
	20 main (/bin/db)

END

said_by_all() { # options, words, on standard error with folded stacks
	for kind in top markdown svg; do
		# shellcheck disable=SC2086 # options are words
		run "$FLAMETOP" --to=$kind $1 both.perf
		prints "*$(printf '%s' "$2" | sed 's/  /; /g')*" "$1: --to=$kind says $2"
	done
	# shellcheck disable=SC2086
	run "$FLAMETOP" --to=text $1 both.perf
	prints "*$2*" "$1: the header of --to=text says $2"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --screen=120x20 --keys= $1 both.perf
	prints "*$2*" "$1: the header says $2"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --to=folded $1 both.perf
	says "*flametop: $3*" "$1: with folded stacks a message on standard error says so"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --quiet --to=folded $1 both.perf
	is "$err" "" "$1: unless it is to be quiet"
}
said_by_all --focus=parse "70.0% excluded  only parse" "70.0% of cycles is left out by --focus"
said_by_all --ignore=parse "30.0% excluded  without parse" "30.0% of cycles is left out by --ignore"
said_by_all --callers=parse "70.0% excluded  callers of parse" "70.0% of cycles is left out by --callers"
said_by_all --callees=parse "70.0% excluded  callees of parse" "70.0% of cycles is left out by --callees"
said_by_all --show-from=parse "70.0% excluded  callees of parse" "70.0% of cycles is left out by --callees"
said_by_all --thread=web "web  60.0% excluded" "60.0% of cycles is left out by --thread"
said_by_all --thread=8 "tid 8  70.0% excluded" "70.0% of cycles is left out by --thread"
said_by_all --time=0.5,5 "500 ms to 5 s  10.0% excluded" "10.0% of cycles is left out by --time"
said_by_all --window=1 "last 1 s  40.0% excluded" "40.0% of cycles is left out by --window"
said_by_all "--thread=web --focus=read" "web  90.0% excluded  only read" "90.0% of cycles is left out by --thread, --focus"

for kind in top markdown; do
	run "$FLAMETOP" --to=$kind --event=faults both.perf
	prints "*event faults*" "--to=$kind says which event it is of"
	run "$FLAMETOP" --to=$kind '--zoom=web;main' both.perf
	prints "*zoom: web;main  40.0% of all*" "--to=$kind names the zoomed frame"
done
run "$FLAMETOP" --to=svg '--zoom=web;main' both.perf
prints '*id="details"*>event cycles; zoom: web;main  40.0% of all<*' "so does the details line of an SVG"
run "$FLAMETOP" --to=svg '--zoom=web;main' --focus=read both.perf
prints '*id="details"*>event cycles; 90.0% excluded; only read; zoom: web;main  100.0% of shown<*' "after the filters"
awk 'BEGIN { for (i = 0; i < 40; i++) printf "f%d<x>;", i; print "last 1"; print "other 3" }' >deep.folded
zoom=$(sed -n '1s/ 1$//p' deep.folded)
run "$FLAMETOP" --to=svg "--zoom=$zoom" deep.folded
prints '*id="details"*>zoom: last  25.0% of all<*' "of a long path it has the frame"
run "$FLAMETOP" --to=folded '--zoom=web;main' both.perf
says "*60.0% of cycles is left out by --zoom*" "so does --to=folded, on standard error"

# A sum of different units has no unit, and every output says so.
for kind in folded top markdown svg text; do
	run "$FLAMETOP" --to=$kind --split=event both.perf
	says "*warning: --split=event adds up events of different units: compare frames of one event only*" \
		"--to=$kind: events of different units below one root: a message says so"
	[ $kind = folded ] || prints "*mixed units*" "and so does the output"
done
run "$FLAMETOP" --no-config --screen=120x20 --keys= --split=event both.perf
prints "both.perf  105 mixed units *" "so does the header of the screen"
run "$FLAMETOP" --quiet --to=folded --split=event both.perf
is "$err" "" "unless it is to be quiet"
sed 's/: 10 cycles:/: 1000000 cpu-clock:u:/; s/: .* cycles:/: 3000000 task-clock:k:/; /faults/,$d' both.perf >clocks.perf
run "$FLAMETOP" --to=text --split=event clocks.perf
is "${out%%
*}$err" "clocks.perf  7 ms" "events of one unit are added up in that"
run "$FLAMETOP" --to=text --split=event --event=cycles both.perf
is "${out%%
*}$err" "both.perf  100 cycles (+faults)" "and a single event has its own"

# A view that leaves nothing out reports nothing.
printf 'main;a 1\nmain;b 2\n' >plain.folded
run "$FLAMETOP" --to=folded plain.folded
is "$err" "" "a whole view causes no message"
run "$FLAMETOP" --to=top plain.folded
is "$(printf '%s\n' "$out" | tail -n 1)" "   0    0.00      3   100.00       1  main" "nor does a table end with more than its rows"

# Both sides of a comparison lose something.
printf 'main;a 10\nmain;b 30\n' >before.folded
printf 'main;a 10\nmain;b 10\n' >after.folded
for kind in text top markdown svg; do
	run "$FLAMETOP" --to=$kind '--focus=^a$' --diff=before.folded after.folded
	prints "*50.0% of after and 75.0% of before excluded?*only ^a*" "--to=$kind says it of both sides"
	run "$FLAMETOP" --to=$kind '--focus=^a$' --widths=before --diff=before.folded after.folded
	prints "*75.0% of before and 50.0% of after excluded?*only ^a*" "--to=$kind says it with widths from before"
done

# If filters leave stacks without frames, no row has their weight, but the whole includes and reports it.
printf 'a;b 90\nc;read 10\n' >bare.folded
printf 'a;b 30\nc;read 10\n' >less.folded
in_no_function() { # words, options
	words=$1
	shift
	for kind in text top markdown svg; do
		run "$FLAMETOP" --no-config --width=150 --to=$kind "$@"
		prints "*$words is in no function*" "$*: --to=$kind says that $words is in no function"
	done
	for keys in '' 2 4; do
		run "$FLAMETOP" --no-config --screen=240x20 --keys=$keys "$@"
		prints "*$words is in no function*" "$*: the screen after '$keys' does"
	done
}
in_no_function 90.0% --show=read bare.folded
in_no_function 90.0% --hide='^[ab]$' bare.folded
in_no_function 90.0% --show=read --reverse bare.folded
in_no_function 90.0% --show=read --flamechart bare.folded
in_no_function "90.0% of after and 75.0% of before" --show=read --diff=less.folded bare.folded
in_no_function "75.0% of before and 90.0% of after" --show=read --widths=before --diff=less.folded bare.folded
for kind in text top markdown svg; do
	run "$FLAMETOP" --no-config --to=$kind --show=read --zoom=read bare.folded
	ok "--to=$kind: below a zoom all weight is in functions" test "${out#*no function}" = "$out"
	run "$FLAMETOP" --no-config --to=$kind bare.folded
	ok "--to=$kind: as it is without a filter" test "${out#*no function}" = "$out"
done

# A pattern that is a name is shown as the name, even if it comes from a command written by the viewer.
printf 'main;parse(x);\\Equ 90\nmain;read 10\nidle 1\n' >names.folded
named() { # keys that filter by a name, words; the same from the copied command
	run "$FLAMETOP" --no-config --screen=200x24 --keys="$1C" names.folded
	prints "*  $2 *" "after $1 the header says $2"
	copied=$(printf '%s\n' "$out" | sed -n 's/^.*│ flametop \(.* names.folded\).*/\1/p')
	for options in --screen=200x24\ --keys= --to=text --to=top --to=markdown --to=svg; do
		eval "run \"\$FLAMETOP\" --no-config $options $copied"
		prints "*$2*" "so does $options, made by $copied"
		shown=$(printf '%s\n' "$out" | sed 's:<metadata>.*</metadata>::') # which is the command
		ok "which shows no quotation" test "${shown#*(?-i)}" = "$shown"
	done
	eval "run \"\$FLAMETOP\" --no-config --screen=200x24 --keys=L $copied"
	prints "* ${2#* } *" "and the list of filters has the name"
}
named '/parse<Enter>F' 'only parse(x)'
named '/read<Enter>x<Enter>' 'without read'
eval "run \"\$FLAMETOP\" --no-config --to=top --ignore='(?-i)\A\Qread\E\z' names.folded"
prints "*without read*" "a name in quotation is that name"
run "$FLAMETOP" --no-config --to=top '--ignore=(?-i)\A\Q\E\\E\Qqu\E\z' names.folded
prints "*89.1% excluded; without ?Equ*" "also one with a quotation's end in it"
run "$FLAMETOP" --no-config --to=text '--search=(?-i)\A\Qread\E\z' --width=150 names.folded
prints '*  "read" 9.9% matched*' "so is one that is sought"
run "$FLAMETOP" --no-config --to=top --base=read --base='parse(x)' names.folded
prints "*base read*base parse(x)*" "several that may be the root are names as well"
run "$FLAMETOP" --no-config --screen=120x24 --keys=L --base=read --base='parse(x)' names.folded
prints "*from the last read*from the last parse(x)*" "also in the list of filters"

# If a pattern hits a limit, it is unknown whether the name matches: it counts as no match, and a message says so.
printf 'main;%s::work() 90\nmain;small::work() 10\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >limit.folded
for option in --focus --ignore --hide --show --callers --callees --search; do
	for kind in folded text top markdown svg; do
		run "$FLAMETOP" --no-config --to=$kind "$option=^(\w+)*!|work" limit.folded
		says "*warning: $option=^(?w+)*!|work: took too long on 1 name, which counts as no match*" "$option, --to=$kind: a message says so"
		[ $option = --search ] || [ $kind = folded ] || prints "*work (1 name beyond the limit)*" "and in the output"
	done
done
run "$FLAMETOP" --no-config -q --to=top '--focus=^(\w+)*!|work' limit.folded
is "$err" "" "-q leaves the warning out"
run "$FLAMETOP" --no-config --screen=200x24 --keys= '--focus=^(\w+)*!|work' limit.folded
prints "*only ^(?w+)*!|work (1 name beyond the limit)*" "the header of the screen says it, too"
run "$FLAMETOP" --no-config --screen=200x24 --keys=L '--focus=^(\w+)*!|work' limit.folded
prints "*only stacks with /^(?w+)*!|work/ (1 name beyond the limit)*" "and the list of filters"
run "$FLAMETOP" --no-config --diff=limit.folded --fail-above=1 --to=top '--focus=^(\w+)*!|work' limit.folded
says "*took too long on 1 name*" "and the gate"
# The filter of the table: its rows are unknown.
for kind in "--to=top" "--to=markdown" "--to=json" "--view=table --to=text" "--diff=limit.folded --to=top" "--diff=limit.folded --to=markdown"; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $kind '--table-filter=^(\w+)*!|work' limit.folded
	says "*warning: --table-filter=^(?w+)*!|work: took too long on 1 name, which counts as no match*" "--table-filter, $kind: a message says so"
	prints "*1 of 3 functions matches /*work/*(1 name beyond the limit)*" "and the output"
done
run "$FLAMETOP" --no-config -q --to=top '--table-filter=^(\w+)*!|work' limit.folded
is "$err" "" "-q leaves that out"
run "$FLAMETOP" --no-config --screen=120x24 --keys= --view=table '--table-filter=^(\w+)*!|work' limit.folded
prints "*rows with: ^(?w+)\*!|work (1 name beyond the limit)*" "the screen says it below the table"
run "$FLAMETOP" --no-config --screen=120x24 '--keys=/^(\w+)*!|work' --view=table limit.folded
prints "*rows with: ^(?w+)\*!|work* (1 name beyond the limit)*" "and while the filter is typed"
run "$FLAMETOP" --no-config --screen=120x24 --keys= --view=table '--table-filter=work' limit.folded
ok "but not of other filters" sh -c '! grep -q "beyond the limit" .out'
# --function=/REGEX/
run "$FLAMETOP" --no-config --to=json --view=sandwich '--function=/^(\w+)*!|work/' limit.folded
exits 0 "a function that matches is found"
says "*warning: --function=^(?w+)*!|work: took too long on 1 name, which counts as no match*" "though a heavier one may match"
run "$FLAMETOP" --no-config --to=json --view=sandwich '--function=/^(\w+)*[!?]/' limit.folded
exits 1 "if none is found"
says "flametop: --function: no function is known that matches /*/ (1 name beyond the limit)" "that is not known"
run "$FLAMETOP" --no-config --to=json --view=sandwich '--function=/nope/' limit.folded
says "flametop: --function: no function matches /nope/" "else it is"
run "$FLAMETOP" --no-config --screen=150x24 --keys= --view=sandwich '--function=/^(\w+)*!|work/' limit.folded
prints "*--function=/^(?w+)\*!|work/ (1 name beyond the limit)*" "the screen says it, too"

# If there is room, every filter is named.
filters='--ignore=a1 --ignore=a2 --ignore=a3 --ignore=a4'
for kind in text top markdown svg; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --to=$kind $filters names.folded
	prints "*without a3*without a4*" "--to=$kind names every filter"
done
# shellcheck disable=SC2086
run "$FLAMETOP" --no-config --screen=200x24 --keys= $filters names.folded
prints "*without a3  without a4 *" "so does a wide screen"
# shellcheck disable=SC2086
run "$FLAMETOP" --no-config --screen=98x24 --keys= $filters names.folded
prints "*without a3  +1 filter *" "a narrow one counts the rest"
# shellcheck disable=SC2086
run "$FLAMETOP" --no-config --screen=98x24 --keys= $filters --ignore=a5 names.folded
prints "*without a3  +2 filters *" "which may be several"

# A pattern is foreign text.
run "$FLAMETOP" --to=markdown '--ignore=|<b>`' plain.folded
prints "*without &#124;&#60;b&#62;&#96;*" "a pattern in Markdown is no markup"
run "$FLAMETOP" --to=svg '--ignore=<b>&' plain.folded
prints "*without &lt;b&gt;&amp;*" "nor in an SVG"

printf 'a;b 10\n' >stacks.folded
two=$source/tests/data/collapse/gdb/two-threads.in
for order in "$two stacks.folded" "stacks.folded $two"; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --format=gdb --to=folded $order
	says "*stacks.folded: no stacks found*" "an input that has nothing of the named format is told"
done
cp "$two" x.svg
run "$FLAMETOP" --format=gdb -o x.svg stacks.folded
exits 1 "alone it is a failure"
ok "which writes nothing" cmp -s "$two" x.svg
run "$FLAMETOP" --format=gdb --diff=stacks.folded --fail-above=1 stacks.folded
exits 1 "and passes no gate"

# Input that ends in its middle: standard output has the stacks alone.
seq 30000 | awk '{ print "a;b" $1 " " $1 }' | gzip -c | head -c 30000 >half.gz
perl -e 'print "x 1/1 [0] 1.0: 10 cycles: \n\t1 a+0x1 (/x)\n\nx 1/1 [0] 1.0: 10 cycles: \n\t1 a+0x1 (/x)\n\t2 b"' >half.perf
for half in half.gz half.perf; do
	for kind in folded text top markdown svg; do
		run "$FLAMETOP" -o "cut.$kind" --to=$kind $half
		exits 0 "$half to $kind: the part before is written"
		ok "with a word in the file" grep -q "an input could not be read to its end" "cut.$kind"
	done
	run "$FLAMETOP" --to=folded $half
	ok "$half: not among stacks" sh -c '! grep -q "^#" .out'
done

# Such a file is a part when it is read again, too.
printf '# folded stacks\n# 1.5 of 3 MB read so far\n# event=cpu unit=ns 0\na;b 10\n' >part.folded
"$FLAMETOP" -q -o again.folded half.gz
for part in part.folded again.folded; do
	run "$FLAMETOP" --to=text $part
	prints "*an input could not be read to its end*" "$part: a picture says that it is of a part"
	says "*$part: the stacks are those of a part of an input*" "$part: so does a message"
	"$FLAMETOP" -q -o third.folded $part
	ok "$part: and a copy" grep -q "^# an input could not be read to its end" third.folded
done
for kind in svg html pb.gz speedscope.json firefox.json callgrind; do
	"$FLAMETOP" -q --no-config -o "again.$kind" half.gz
	run "$FLAMETOP" --no-config -o third.folded "again.$kind"
	says "*again.$kind: the stacks are those of a part of an input: an input could not be read to its end*" "$kind: a message says it, too"
	is "$(printf '%s' "$err" | grep -c 'of a part')" 1 "once"
	ok "$kind: so does a copy" grep -q "^# an input could not be read to its end" third.folded
	if [ $kind != pb.gz ]; then # its texts have lengths
		for words in '0.9 of 107 MB read so far' '32 kB read so far'; do
			sed "s/an input could not be read to its end/$words/" "again.$kind" >"early.$kind"
			run "$FLAMETOP" --no-config --to=folded "early.$kind"
			says "*early.$kind: the stacks are those of a part of an input: $words*" "$kind of what came through a pipe so far: $words"
		done
		sed "s/an input could not be read to its end/it was read so far/" "again.$kind" >"other.$kind"
		run "$FLAMETOP" --no-config --to=folded "other.$kind"
		ok "$kind: other words are not taken for that" sh -c '! grep -q "of a part" .err'
	fi
	"$FLAMETOP" -q --no-config --diff=part.folded -o "again.$kind" part.folded
	run "$FLAMETOP" --no-config --to=folded "again.$kind"
	is "$(printf '%s' "$err" | grep -c 'of a part')" 1 "$kind of a comparison: once"
done
"$FLAMETOP" -q --no-config --flamechart -o chart.speedscope.json half.perf
run "$FLAMETOP" --no-config --to=folded chart.speedscope.json
says "*the stacks are those of a part of an input: an input could*" "a speedscope of a chart says it in another place"
is "$("$FLAMETOP" --to=text part.folded | head -n 1)" "part.folded  cpu  10 ns" "the unit is read behind that line"

# A comparison: each side.
printf 'a;b 100\na;c 50\nz;z 30\n' >before.folded
printf 'a;b 200\na;c 10\nx;y 40\n' >after.folded
run "$FLAMETOP" --diff=before.folded --ignore=c --to=folded after.folded
is "$err" "flametop: 4.0% of samples after and 27.8% before is left out by --ignore" "folded stacks: a message tells both sides"
run "$FLAMETOP" --diff=before.folded --widths=before --focus='^z' --to=folded after.folded
says "*flametop: 83.3% of samples before and 100.0% after is left out by --focus*" "of widths from the baseline, too"
for kind in text svg; do
	run "$FLAMETOP" --diff=before.folded --to=$kind after.folded
	prints "*2 vanished frames have no width*" "$kind: vanished frames are no narrow ones"
	run "$FLAMETOP" --diff=before.folded --widths=before --to=$kind after.folded
	prints "*2 new frames have no width*" "$kind: nor are new ones"
	run "$FLAMETOP" --minwidth=30 --to=$kind before.folded
	prints "*3 frames narrower than 30% are left out*" "$kind: all narrow frames are counted"
done
printf 'a;b 100 200\nx;y 0 40\nz;z 30 0\n' >two.folded
for view in --no-diff --flamechart; do
	is "$("$FLAMETOP" -q $view --to=folded two.folded)" "a;b 200
x;y 40" "$view: what is only in the first column is no stack"
done
is "$("$FLAMETOP" -q --to=folded two.folded | tail -n 1)" "z;z 30 0" "in a comparison it is"

# The table beside a graph is the one that is written.
for kind in md top svg folded; do
	rm -f key.$kind
	"$FLAMETOP" --diff=before.folded --sort=weight --view=flame,table --screen=160x20 "--keys=wkey.$kind<Enter>" after.folded >.out
	"$FLAMETOP" -q --diff=before.folded --sort=weight --view=flame,table -o file.$kind after.folded
	ok "--view=flame,table: w and -o write the same $kind" cmp -s key.$kind file.$kind
done
i=0
while [ $i -lt 60 ]; do
	echo "main;f$((i % 6));_ZN1$((i % 9))a$((i * 37 % 60))Ev $((i / 7 + 1))"
	i=$((i + 1))
done >many.folded
sed 's/ \([0-9]*\)$/ 1\1/' many.folded >many-before.folded
for view in flame,table table,flame chart,table; do
	order=--sort=weight
	[ $view != chart,table ] || order=
	for diff in --no-diff --diff=many-before.folded; do
		for kind in md top json; do
			rm -f key.$kind
			"$FLAMETOP" -q $diff $order --view=$view --screen=160x20 "--keys=wkey.$kind<Enter>" many.folded >.out
			"$FLAMETOP" -q $diff $order --view=$view -o file.$kind many.folded
			ok "--view=$view $diff: w and -o write the same $kind, of many functions" cmp -s key.$kind file.$kind
		done
	done
done
"$FLAMETOP" -q --view=flame,table -o graph.top many.folded
"$FLAMETOP" -q --view=table,flame -o table.top many.folded
"$FLAMETOP" -q --view=table -o alone.top many.folded
is "$(wc -l <graph.top)" 42 "a file of graph and table has the heaviest functions"
ok "and all rows if the table has the keys" cmp -s table.top alone.top

run "$FLAMETOP" --diff=before.folded --screen=120x20 --keys='' after.folded
prints "* 2 grew, 2 shrank, 2 new, 1 vanished *" "the header counts all functions"
run "$FLAMETOP" --diff=before.folded --screen=160x20 --zoom=a after.folded
prints "* 2 grew, 2 shrank, 2 new, 1 vanished in all *" "also in a zoom, and says so"

# A comparison by weight: noise looks alike in all outputs.
printf 'main;a;b 50\nmain;a;c 30\nmain;d 15\nmain;e 5\n' >old.folded
printf 'main;a;b 60\nmain;a;c 20\nmain;d 15\nmain;f 25\n' >new.folded
run "$FLAMETOP" --diff=old.folded --absolute --to=svg new.folded
prints '*<title>b (60 samples, 50.00%; before 50, after 60, +10 ~; self +10 ~)</title><rect*fill="rgb(255,230,230)"*' "an SVG pales changes within noise, and marks them"
prints '*<title>f (25 samples, 20.83%; before 0, after 25, +25; self +25)</title><rect*fill="rgb(255,80,80)"*' "and no others"
run "$FLAMETOP" --diff=old.folded --absolute --color=truecolor --screen=100x12 new.folded
prints "*48;2;255;230;230m*" "as the screen does"
run "$FLAMETOP" --diff=old.folded --absolute --screen=120x12 --view=table new.folded
prints "* +0  *+0%  d*" "no change is +0 and +0%"

# Sums below a zoom, and of all.
printf 'main;f;f;f;g 10\nmain;f;g;f 20\nmain;f 5\nmain;h 65\n' >rec.folded
run "$FLAMETOP" '--zoom=main;f;g' --view=table --function=f --screen=100x12 rec.folded
prints "*in    4 frames: self     25  25.0%, total     35  35.0% of all*" "in a zoom, the footer says that its sums are of all"
run "$FLAMETOP" '--zoom=main;f' --to=top rec.folded
prints "*self % of zoom*total % of zoom*" "a table says that its shares are of the zoom"
run "$FLAMETOP" '--zoom=main;f' --to=markdown rec.folded
prints "*| self % of zoom | total | total % of zoom |*" "so does one in Markdown"
run "$FLAMETOP" --to=top rec.folded
prints "*self  self %  total  total %*" "without a zoom they are of all"

# A search in a sandwich: shares of all on both sides, as on the screen.
for kind in svg text; do
	run "$FLAMETOP" --search=g --view=sandwich --function=f --to=$kind rec.folded
	prints "*atched: callers 0.0%, callees 30.0% of all*" "$kind: callers and callees that match"
done
run "$FLAMETOP" --search=g --view=sandwich --function=f --screen=120x12 rec.folded
prints "*/g/ callers 0.0%, callees 30.0% of all*" "the screen says the same"

# Events without a name, and of different units.
printf 'main;a 10\nmain;b 20\n' >bare.folded
printf '# event=cycles unit=cycles 0\nmain;a 100\nmain;b 50\n' >cycles.folded
is "$("$FLAMETOP" -q --split=event --to=folded bare.folded cycles.folded)" "cycles;main;a 100
cycles;main;b 50
unnamed samples;main;a 10
unnamed samples;main;b 20" "--split=event: samples without an event have a name"
"$FLAMETOP" -q --split=event -o mixed.folded bare.folded cycles.folded
is "$("$FLAMETOP" --to=text mixed.folded | head -n 1)" "mixed.folded  180 mixed units" "a file of mixed units is read as such"
run "$FLAMETOP" -q --screen=80x12 --keys=e bare.folded cycles.folded
prints "* unnamed samples  30 *cycles  150 cycles, 2 samples*" "the list of events counts samples as the header does"

# Options that only recordings heed.
run "$FLAMETOP" --no-inline --symbolizer=perf --to=top bare.folded
says "*--no-inline has no effect on this format: folded*--symbolizer has no effect on this format: folded*" \
	"--no-inline and --symbolizer of other input are named"

# By module: some frames of a folded baseline are named like modules, but its functions have none.
for name in g '[unknown]'; do
	printf 'x 1/1 [0] 1.0: 1 cycles:\n\t1 %s (/lib/libx.so)\n\t2 main (/bin/prog)\n\nx 1/1 [0] 2.0: 1 cycles:\n\t1 f (/lib/libx.so)\n\t2 main (/bin/prog)\n\n' \
		"$name" >modules.perf
	"$FLAMETOP" -q --to=folded modules.perf >modules.folded
	for by in module file package; do
		run "$FLAMETOP" --diff=modules.folded --group=$by --fail-above=1 modules.perf
		exits 2 "$name by $by: a profile and its folded stacks cannot be compared"
		says "*--fail-above judges nothing here: *: by $by, frames cannot be compared*" "and that is said"
	done
	run "$FLAMETOP" --diff=modules.perf --group=module --fail-above=1 --to=top modules.perf
	exits 0 "$name: two profiles with modules can"
done

# Unequal samples: those that are left are counted, not their share of the weight.
for share in 1 4; do
	awk -v n=$share 'BEGIN {
		for (i = 0; i < 400; i++)
			printf "A 1/1 [0] %d.0: 1000 cycles:\n\t1 %s (/x)\n\n", i + 1, i % 5 < n ? "fa" : "fb"
		for (i = 0; i < 10; i++)
			printf "B 1/2 [0] %d.5: 1000000 cycles:\n\t1 x (/x)\n\n", i + 1
	}' >unequal$share.perf
done
for choice in --thread=A --ignore=x --focus=^f --reverse\ --ignore=x; do
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" --diff=unequal1.perf $choice --fail-above=5 --to=top unequal4.perf
	exits 3 "$choice: 400 samples of 400 prove a change"
	prints "*400 samples before, 400 after*" "they are counted as such"
done
run "$FLAMETOP" --diff=unequal1.perf --to=top unequal4.perf
prints "*; 11 samples before, 11 after*" "among heavy ones they count less"

# The two sides of a comparison may have another event, or one of them no unit.
printf 'x 1/1 [0] 1.0: 5 page-faults:\n\t1 a (/x)\n\nx 1/1 [0] 2.0: 5 page-faults:\n\t1 b (/x)\n\n' >faults.perf
sed 's/page-faults/cycles/' faults.perf >cycles.perf
for kind in top markdown svg text; do
	run "$FLAMETOP" --diff=faults.perf --to=$kind cycles.perf
	prints "*before: page-faults*" "$kind: the baseline's event is named if it is another one"
done
run "$FLAMETOP" --diff=faults.perf --screen=140x12 cycles.perf
prints "*before: page-faults*" "also in the header"
run "$FLAMETOP" --diff=cycles.perf --to=text cycles.perf
ok "and not if it is the same" sh -c '! grep -q "before:" .out'
run "$FLAMETOP" --diff=bare.folded --absolute --to=text cycles.folded
says "*warning: the baseline names no unit: its numbers are taken as cycles*" "weights without a unit are compared with a warning"
run "$FLAMETOP" --diff=cycles.folded --absolute --to=text bare.folded
says "*warning: the new profile names no unit: its numbers are taken as cycles*" "on either side"
run "$FLAMETOP" --diff=bare.folded --absolute --to=text bare.folded
is "$err" "" "and without one, if both have none"

run "$FLAMETOP" --total=200 '--zoom=main;a' --to=svg old.folded
prints '*>a (80 samples, 40.00%)*' "--total is the whole of titles"
prints '*>zoom: main;a  40.0% of all<*' "and of the zoom"

# Lists of threads are of everything.
run "$FLAMETOP" --time=1,3 --screen=100x20 --keys=T both.perf
prints "*Threads and processes: all stacks and times*" "a list of threads says that it ignores times and filters"
run "$FLAMETOP" --screen=100x20 --keys=T both.perf
prints "*─ Threads and processes ─*" "if there are any"
run "$FLAMETOP" --minwidth=900px --to=text before.folded
says "*--minwidth has no effect on this output: text*" "pixels of an SVG have no effect on text, and are named"
run "$FLAMETOP" --reverse --view=calls --to=text after.folded
prints "*+ has callers that are not shown*" "a call tree from the leaves speaks of callers"

# Samples without length at the beginning of a flame chart.
for i in a b c d; do
	printf 'x 1/1 [0] %d.0: 10 cycles:\n\t1 f%s (/x)\n\t2 main (/x)\n\n' "$([ $i = d ] && echo 2 || echo 1)" $i
done >same.perf
run "$FLAMETOP" --flamechart --minwidth=0 --to=svg same.perf
is "$(grep -o '<title>f[a-d] ' .out | tr -d '\n')" "<title>fa <title>fb <title>fc <title>fd " "an SVG draws samples of one moment"
run "$FLAMETOP" --flamechart --to=svg same.perf
prints "*2 frames narrower than 0.01% are left out*" "or counts them"
run "$FLAMETOP" --flamechart --screen=80x10 same.perf
prints "*┊fc *" "the screen has a dotted column for them"

# What the recording lacks.
printf 'x 1/1 [0] 1.0: 1 cycles:\n\t1 a (/x)\n\nx 1/1 [0] 1.5: PERF_RECORD_LOST lost 12\nx 1/1 [0] 2.0: 1 cycles:\n\t1 b (/x)\n\n' >lost.perf
cp "$source/tests/data/collapse/perf-data/throttled.in" paused.data
cp "$source/tests/data/collapse/perf-data/killed.in" killed.data
for kind in text top markdown svg; do
	run "$FLAMETOP" -q --to=$kind lost.perf
	prints "*12 samples lost*" "$kind: lost samples are counted"
	run "$FLAMETOP" -q --to=$kind paused.data
	prints "*sampling paused for 3 s*" "$kind: so are pauses"
	run "$FLAMETOP" -q -o killed.$kind --to=$kind killed.data
	ok "$kind: a recording that was killed is a part" grep -q "an input could not be read to its end" killed.$kind
done
run "$FLAMETOP" --no-config --to=folded lost.perf
says "*flametop: 12 samples lost" "folded: standard error has their number"
run "$FLAMETOP" --no-config --to=folded paused.data
says "*flametop: sampling paused for 3 s" "and the pause"
run "$FLAMETOP" -q -o lost.folded lost.perf
is "$(sed -n 2p lost.folded)" "# 12 samples lost" "a folded file has it in a comment"
run "$FLAMETOP" -q --to=folded lost.folded
is "$status $out" "0 x;a 1
x;b 1" "which is not read as a stack"
run "$FLAMETOP" -q --to=folded lost.perf
is "$out$err" "x;a 1
x;b 1" "on standard output are stacks alone"
run "$FLAMETOP" --screen=140x8 lost.perf
prints "*  12 samples lost*" "the header counts lost samples"
run "$FLAMETOP" --screen=140x8 paused.data
prints "*  sampling paused for 3 s*" "and pauses"
for kind in folded svg html speedscope firefox callgrind pprof; do
	run "$FLAMETOP" -q --to=$kind -o lost.$kind lost.perf
	run "$FLAMETOP" -q --screen=140x8 lost.$kind
	prints "*12 samples lost*" "$kind: read back, it counts them, too"
	run "$FLAMETOP" -q --to=$kind -o paused.$kind paused.data
	run "$FLAMETOP" -q --to=text paused.$kind
	prints "*sampling paused for 3 s*" "$kind: and says the pauses"
done
printf '# 1,234,567 samples lost\n# 5 samples lost today\n# , samples lost\n# sampling paused for 1.5 h\n# sampling paused for 9 d\nx;a 1\n' >told.folded
run "$FLAMETOP" -q --to=text told.folded
prints "*1,234,567 samples lost*sampling paused for 5400 s*" "numbers have commas, and times units"

# It belongs to a side of a comparison, and a baseline that is not shown lacks nothing.
printf 'x 1/1 [0] 1.0: 1 cycles:\n\t1 a (/x)\n\n' >whole.perf
for kind in text top markdown; do
	run "$FLAMETOP" -q --to=$kind --diff=lost.perf whole.perf
	prints "*before: 12 samples lost*" "$kind: what the baseline lacks is so named"
	run "$FLAMETOP" -q --to=$kind --diff=whole.perf lost.perf
	prints "*after: 12 samples lost*" "$kind: so is what the new profile lacks"
	run "$FLAMETOP" -q --to=$kind --no-diff --diff=lost.perf whole.perf
	ok "$kind: and one that is not compared is not named" sh -c '! grep -q lost .out'
done
run "$FLAMETOP" -q -o x.folded --diff=killed.data whole.perf
ok "a comparison with a part says so" grep -q "an input could not be read to its end" x.folded
run "$FLAMETOP" -q -o x.folded --no-diff --diff=killed.data whole.perf
ok "without the comparison nothing is missing" sh -c '! grep -q "could not be read" x.folded'
run "$FLAMETOP" -q --to=json --no-diff --diff=killed.data whole.perf
prints '*whole.perf"}],"format"*' "and JSON lists the file that is shown"

# The sandwich that was opened when a filter had left nothing.
printf 'main;a 3\nmain;b 1\n' >few.folded
for key in r X; do
	run "$FLAMETOP" --no-config --ascii --screen=90x10 --keys="&zzz<Enter>3$key" few.folded
	prints "*4 samples  sandwich*callees 1-1 of 1*main*a*" "$key: the sandwich has its function again"
done

# There are no functions of an interpreter to choose.
run "$FLAMETOP" --no-config --to=folded --frames=native whole.perf
says "flametop: --frames has no effect without functions of an interpreter's language" "--frames says when it has no effect"

# Only options that took something out are named.
printf 'x;a 1\nx;b 2\n' >options.folded
for option in --hide=a --merge-recursion; do
	run "$FLAMETOP" --no-config --to=folded $option --focus=a --diff=options.folded options.folded
	says "*is left out by --focus" "$option leaves nothing out of a comparison"
done
printf 'x;a 1\n' >less.folded
run "$FLAMETOP" --no-config --to=folded --ignore=b --diff=options.folded less.folded
says "*0.0% of samples after and 66.7% before is left out by --ignore" "what leaves out something of the baseline only is named"

# Weights that fade are rounded once: in a chart as in a flame graph, before a filter takes stacks out or after it.
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "p 1/%d [0] %d.%03d: %d cycles:\n\t1 f%d (/x)\n\t2 %s (/x)\n\n", 1 + i % 2, i / 100, i * 7 % 1000,
		100 + i * 37 % 101, i % 7, i % 3 ? "main" : "taken" }' >fading.perf
whole=$("$FLAMETOP" -q --no-config --to=folded fading.perf | awk '{ sum += $NF } END { print sum }')
sum_of_json() { # options
	"$FLAMETOP" -q --no-config "$@" --to=json fading.perf >fading.json
	sed -n 's/.*"total":\([0-9]*\),.*"excluded":\([0-9]*\).*/\1 \2/p' fading.json | head -n 1
}
for half in 0.3 0.7 2; do
	for options in '' --ignore=taken '--ignore=taken --reverse' '--hide=main --ignore=f[12]' '--ignore=taken --split=tid' '--window=1.5 --ignore=taken'; do
		# shellcheck disable=SC2086 # options are words
		"$FLAMETOP" -q --no-config --decay=$half $options --to=folded fading.perf >merged.folded
		# shellcheck disable=SC2086
		"$FLAMETOP" -q --no-config --decay=$half $options --flamechart --to=folded fading.perf >chart.folded
		"$FLAMETOP" -q --no-config --to=folded chart.folded >charted.folded
		ok "--decay=$half $options: a chart has the stacks of the flame graph" cmp -s merged.folded charted.folded
		sum=$(awk '{ sum += $NF } END { print sum }' merged.folded)
		# shellcheck disable=SC2086
		is "$(sum_of_json --decay=$half $options --flamechart)" "$sum $((whole - sum))" "JSON has the same total, and the rest is excluded"
	done
done

# What is left are whole counts, so that decimals for the factor have room for each of them times it.
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "p 1/%d [0] %d.%03d: 10 cycles:\n\t1 f%d (/x)\n\n", 1 + i % 2, i / 100, i * 7 % 1000, i % 7 }' >tens.perf
for input in fading tens; do
	for options in --factor=0.1 --factor=0.35 '--factor=0.5 --flamechart'; do
		# shellcheck disable=SC2086 # options are words
		"$FLAMETOP" --no-config --decay=0.5 $options --to=folded $input.perf >factor.folded 2>said
		sum=$(awk '{ sum += $NF } END { printf "%.6g", sum }' factor.folded)
		# shellcheck disable=SC2086
		"$FLAMETOP" -q --no-config --decay=0.5 $options --to=json $input.perf >factor.json
		is "$(sed -n 's/^"total":\([0-9.]*\),.*/\1/p' factor.json)" "$sum" "$input, $options: faded counts times a factor add up"
		is "$(grep -c 'are rounded' said)" 0 "without a word"
	done
done

# Fading that is chosen in the viewer has the same decimals as --decay.
cat >late.json <<'END'
{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},{"ph":"X","name":"b","pid":1,"tid":1,"ts":2,"dur":1},
{"ph":"X","name":"c","pid":1,"tid":1,"ts":2000004,"dur":1},{"ph":"X","name":"d","pid":1,"tid":1,"ts":2000006,"dur":5}]}
END
"$FLAMETOP" -q --no-config --factor=0.001 --screen=100x20 --keys='Wjjjjjjjjjjjjj<Enter>wlate.folded<Enter>' late.json >screen
prints_late() { grep -o 'time .*excluded' "$1"; }
"$FLAMETOP" -q --no-config --factor=0.001 --decay=10 --screen=100x20 late.json >as_option
is "$(prints_late screen)" "$(prints_late as_option)" "fading chosen later shows the total of --decay"
"$FLAMETOP" -q --no-config --factor=0.001 --decay=10 --to=folded late.json >option.folded
is "$(cat late.folded)" "$(cat option.folded)" "and writes the same weights"
run "$FLAMETOP" --no-config --factor=2.5 --screen=100x10 --keys=j tens.perf
is "$(echo "$err" | grep -c 'are rounded')" 0 "and says nothing of rounding where nothing is rounded"

# Events that measure the same are no parts of a whole: snapshots, bytes allocated and in use, two clocks of one sample.
overlap='events that count the same are added up'
for kind in text top markdown svg json; do
	run "$FLAMETOP" --no-config --to=$kind --event=all "$source/tests/data/collapse/massif/real.in"
	prints "*$overlap*" "--to=$kind says that snapshots do not add up"
	says "*warning: $overlap*" "so does standard error"
done
run "$FLAMETOP" --no-config --screen=150x8 --event=all "$source/tests/data/collapse/massif/real.in"
prints "*$overlap*" "and the screen"
run "$FLAMETOP" --no-config --to=text "$source/tests/data/collapse/massif/real.in"
is "$(echo "$out$err" | grep -c "$overlap")" 0 "one snapshot is no sum"
clocks() { # samples
	printf '\012\004\010\001\020\002\012\004\010\003\020\002'"$1"'\042\010\010\001\042\004\010\001\020\001\052\004\010\001\020\004'
	printf '\062\000\062\003cpu\062\002ns\062\004wall\062\004main'
}
clocks '\022\007\012\001\001\022\002\005\007' >clocks.pb
run "$FLAMETOP" --no-config --to=text --event=all clocks.pb
prints "*12 ns*$overlap*" "nor do two values of one sample"
clocks '\022\007\012\001\001\022\002\005\000\022\007\012\001\001\022\002\000\007' >clocks.pb
run "$FLAMETOP" --no-config --to=text --event=all clocks.pb
prints "*12 ns*" "values of different samples do"
is "$(echo "$out" | grep -c "$overlap")" 0 "without a word"

# "a" and "b" count the same, or not.
for pair in cpu-clock,task-clock cycles,cycles:u cycles:u,cycles:uk cycles:H,cycles:u cycles:uh,cycles:kh cycles:I,cycles:u \
	cycles:GH,cycles:uG cycles:u,cycles:k cpu-clock:u,task-clock:k cycles:H,cycles:G cycles,cycles:G cycles:ku,cycles:h; do
	for event in $(echo $pair | tr , ' '); do
		printf 'app 7 [000] 1.0: 10 %s: \n\tff main+0x1 (/app)\n\n' "$event"
	done >pair.perf
	run "$FLAMETOP" --no-config --to=text --event=all pair.perf
	wanted=1
	case $pair in *:k | *:G | *:h) wanted=0 ;; esac
	is "$(echo "$out" | grep -c "$overlap")" $wanted "events of perf: $pair"
done

done_testing
