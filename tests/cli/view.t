#!/bin/sh
# Options of the view, through the folded export.
. "$(dirname "$0")/../tap.sh"

cat >a.folded <<'END'
main;read;parse 10
main;read;lex 5
main;write 7
main;write;flush;flush 3
END

view() { # expected, name, options...
	expected=$1
	name=$2
	shift 2
	run "$FLAMETOP" --to=folded "$@" a.folded
	is "$out" "$expected" "$name"
}
view 'main;read;lex 5
main;read;parse 10' "--focus keeps stacks that match" --focus=read
view 'main;write 7
main;write;flush;flush 3' "--ignore drops stacks that match" --ignore=read
view 'main;lex 5
main;parse 10
main;write 7
main;write;flush;flush 3' "--hide takes frames out" --hide='^read$'
view 'read;lex 5
read;parse 10' "--callees drops callers, and stacks without a match" --callees=read
view 'read;lex 5
read;parse 10' "--show-from is another name for it" --show-from=read
view 'flush;flush 3' "--callees takes the outermost match: its recursion is on top of it" --callees=flush
view 'flush;write;main 3' "--callers takes it, too: its recursion is merged into it" --callers=flush
view 'read;main 15' "--callers merges what the function calls into it" --callers=read
view 'read;main 15' "--reverse changes nothing about it" --callers=read --reverse
view 'write 10' "the first of two cuts before the second" --callers=write --callees=write
view 'write;main;a.folded 10' "frames of --split are outermost callers" --callers=write --split=file
view 'a.folded;write 7
a.folded;write;flush;flush 3' "and stay below callees" --callees=write --split=file
view '' "but are no functions" --callees=folded --split=file
view 'read;main 15
write;main 10' "in a flame chart callers are in the order of the input" --callers='read|write' --flamechart
view 'lex;read;main 5' "--zoom is below the callers" --callers='lex|write' --zoom=lex
printf 'main;read;old 4\nold 9\n' >b.folded
view 'read;main 4 15' "of a comparison both sides are cut" --callers=read --diff=b.folded
view 'read 15' "--show keeps only matching frames" --show=read --focus=read
view 'main;read;lex 5
main;read;parse 10
main;write 7
main;write;flush 3' "--merge-recursion joins direct recursion" --merge-recursion
view 'read;lex 5
read;parse 10' "--base makes a function the root" --base=read
view 'read;lex 5
read;parse 10
write 7
write;flush;flush 3' "--base twice: either becomes the root" --base=read --base=write
view '' "--base takes whole names" --base=rea
view 'flush;flush;write;main 3
lex;read;main 5
parse;read;main 10
write;main 7' "--reverse merges from the leaves" --reverse
view 'main;read;lex 5
main;read;parse 10' "--zoom takes part of the graph" --zoom='main;read'

run "$FLAMETOP" --to=folded --zoom='main;reed' a.folded
exits 1 "--zoom: a path that is not there is a failure"
says "*'main;reed'*'main'*" "--zoom: the path, and how far it goes, are said"
run "$FLAMETOP" --to=text --search='READ' a.folded
prints "*0.0%*" "--search: an upper-case letter makes case matter"
run "$FLAMETOP" --to=text --search='r.ad' a.folded
prints "*60.0%*" "--search reports the matched share"
run "$FLAMETOP" --to=folded --focus=nothing a.folded
says "*--focus=nothing matches no function*" "a filter that matches nothing is reported"
run "$FLAMETOP" --to=folded --split=file a.folded
prints "a.folded;main;*" "--split=file adds a root for each file"
# The order of the input is that of the stacks as they are shown.
printf 'b;x 1\na;y 2\nb;x;z 3\na 1\nc 1\na;q 4\n' >order.folded
in_order() { # functions of the first row, options, input
	for kind in text svg screen; do
		way=--to=$kind
		[ $kind != screen ] || way='--no-config --screen=80x20 --keys='
		# shellcheck disable=SC2086 # options are words
		run "$FLAMETOP" --ascii $way --minwidth=0 --sort=input $2 "$3"
		case $kind in
		text) row=$(printf '%s\n' "$out" | sed '/^heaviest by self/,$d' | sed '$d' | sed -n '$p' | sed 's/ [0-9.]*%//g; s/[^a-z]//g') ;;
		svg)
			row=$(printf '%s\n' "$out" | grep -o '<title>[^<]*</title><rect x="[0-9.]*%" y="[0-9]*"' |
				sed 's/<title>\(.*\) (.*rect x="\(.*\)%" y="\(.*\)"/\3 \2 \1/' | sort -k1,1nr -k2,2n |
				awk '$1 != y { y = $1; k++ } k == 2 { printf "%s", $3 }')
			;;
		screen) row=$(printf '%s\n' "$out" | sed '/^ *all *$/,$d' | sed -n '$p' | tr -d ' ') ;;
		esac
		is "$row" "$1" "$2: $way has the order of the input"
	done
}
in_order xyzacq --reverse order.folded
in_order bac '' order.folded
printf 'b;a;x 1\nk;y 1\nb;a 1\n' >later.folded
in_order xya '--base=a --base=x --base=y' later.folded
printf 'a;bad 1\nc 1\na;good 1\n' >left.folded
in_order ca '--ignore=^bad$' left.folded
mkdir -p 1/x 2/x
printf 'm 1\n' | tee 1/x/perf.folded >2/x/perf.folded
cp 1/x/perf.folded perf.folded
cp 1/x/perf.folded !perf.folded
split() { # roots, name, files...
	roots=$1
	name=$2
	shift 2
	run "$FLAMETOP" --to=folded --split=file "$@"
	is "$(printf '%s\n' "$out" | sed 's/;m [ 1]*$//' | tr '\n' ' ')" "$roots " "--split=file: $name"
}
split "perf.folded" "a single file has its base name" 1/x/perf.folded
split "1/x/perf.folded 2/x/perf.folded" "files of one name have as much of the paths as tells them apart" 1/x/perf.folded \
	"$dir/2/x/perf.folded"
split "!perf.folded perf.folded x/perf.folded" "a name may be the end of another" 1/x/perf.folded !perf.folded perf.folded
split "x//perf.folded x/perf.folded" "they differ, however they are written" 1/x//perf.folded 1/x/perf.folded
run "$FLAMETOP" --to=folded --split=file 1/x/perf.folded 1/x/perf.folded
is "$out" "perf.folded;m 2" "the same file is one twice"
split "perf.folded" "a file is compared with a baseline of its name" --diff=1/x/perf.folded 2/x/perf.folded
split "1/x/perf.folded 2/x/perf.folded" "as are several" --diff="$dir/1/x/perf.folded" --diff=2/x/perf.folded \
	"$dir/2/x/perf.folded" 1/x/perf.folded
run "$FLAMETOP" --to=text 1/x/perf.folded 2/x/perf.folded
prints "1/x/perf.folded, 2/x/perf.folded  2 samples*" "the header has these names, too"
run "$FLAMETOP" --to=folded --event=cycles a.folded
exits 1 "an event that is not there is a failure"
run "$FLAMETOP" --to=folded --thread=worker a.folded
exits 1 "a thread that is not there is a failure"
run "$FLAMETOP" --to=folded --time=1,2 a.folded
exits 1 "a time range in a profile without times is a failure"

# two events and two threads, in the text of perf script
cat >perf.txt <<'END'
work 10/11 1.000000: 5 cycles: 
	     1 leaf+0x1 (/bin/work)
	     2 main+0x1 (/bin/work)

work 10/12 2.000000: 7 cycles: 
	     1 other+0x1 (/bin/work)
	     2 main+0x1 (/bin/work)

idle 20/20 3.000000: 1 faults: 
	     1 fault+0x1 (/bin/idle)

END
run "$FLAMETOP" --to=folded perf.txt
is "$out" "work;main;leaf 5
work;main;other 7" "the event with most samples is shown"
says "*'cycles' is shown; 1 other event: faults*" "other events are named"
run "$FLAMETOP" --to=folded -q perf.txt
is "$err" "" "--quiet: they are not"
run "$FLAMETOP" --to=folded --event=faults perf.txt
is "$out" "idle;fault 1" "--event shows another"
is "$err" "" "an event that was asked for needs no remark"
run "$FLAMETOP" --to=folded --event-filter=faults perf.txt
is "$out" "idle;fault 1" "--event-filter reads only one"
run "$FLAMETOP" --to=folded --thread=12 perf.txt
is "$out" "work;main;other 7" "--thread takes a thread's number"
run "$FLAMETOP" --to=folded --thread=10/ perf.txt
is "$out" "work;main;leaf 5
work;main;other 7" "--thread takes a process with a slash"
run "$FLAMETOP" --to=folded --thread=10/11 perf.txt
is "$out" "work;main;leaf 5" "--thread takes both"
run "$FLAMETOP" --to=folded --thread=work perf.txt
is "$out" "work;main;leaf 5
work;main;other 7" "--thread takes a name"
run "$FLAMETOP" --to=folded --time=0.5,1.5 perf.txt
is "$out" "work;main;other 7" "--time takes seconds from the first sample"
run "$FLAMETOP" --to=folded --time=,0.5 perf.txt
is "$out" "work;main;leaf 5" "--time may be open at one end"
cat >spans.json <<'END'
[{"ph":"X","name":"long","pid":1,"tid":2,"ts":0,"dur":5000000},
{"ph":"X","name":"short","pid":1,"tid":2,"ts":6000000,"dur":1000000},
{"ph":"X","name":"late","pid":1,"tid":2,"ts":8000000,"dur":1000000}]
END
run "$FLAMETOP" --to=folded --time=1,7 spans.json
is "$out" "short 1000000" "--time chooses spans by where they begin"
says "*--time does not cut spans*" "with a message where one reaches over an end"
run "$FLAMETOP" --to=folded --time=8.5, spans.json
says "*--time does not cut spans*" "at the beginning"
run "$FLAMETOP" --to=folded --time=0,2 spans.json
says "*--time does not cut spans*" "or the end"
run "$FLAMETOP" --to=folded --time=5,8 spans.json
is "$out$err" "short 1000000flametop: 85.7% of time is left out by --time" "and not where none does"

run "$FLAMETOP" --to=folded --split=event perf.txt
is "$out" "cycles;work;main;leaf 5
cycles;work;main;other 7
faults;idle;fault 1" "--split=event shows all events"
run "$FLAMETOP" --to=folded --tid --thread=11 perf.txt
is "$out" "work-10/11;main;leaf 5" "--tid names process and thread"

printf 'main;a;x 5\nmain;b 5\nmain;a;z 50\n' >chart.folded
run "$FLAMETOP" --flamechart --screen=120x12 --keys='kk<Enter>C' chart.folded
prints "*│ flametop --flamechart --zoom='main;a' chart.folded *" "C: the path of a chart's widest frame leads back to it"
printf 'm;a;b 50\nm;x 1\nm;a;c 60\nm;x 1\n' >twins.folded
run "$FLAMETOP" --no-config --flamechart --to=folded --zoom='m;a;b' twins.folded
is "$out" "m;a;b 50" "the path of a chart leads through every frame of a name, not only through the widest"
run "$FLAMETOP" --no-config --flamechart --screen=80x9 --cursor='m;a;b' twins.folded
is "$err" "" "and finds the cursor"
run "$FLAMETOP" --no-config --screen=80x9 --keys='/^b$<Enter>n<Enter>t' twins.folded
prints "*all > m > a > b*" "a zoom stays on its frame when the order of time comes"
run "$FLAMETOP" --flamechart --screen=120x12 --keys='kk^<Enter>C' chart.folded
prints "*│ flametop --flamechart --zoom='main;a;@*' *chart.folded *" "C: that of another one has its place"

# A name that is not text, one with NUL, and one that looks like an escape: options can do what keys do to them.
for name in 'a\xff' 'a\x00c' 'a\x5cx41'; do
	printf '# folded stacks, \\xHH in a name is a byte\nmain;%s;%s;f 3\nmain;b 2\n' "$name" "$name" >bytes.folded
	for keys in x F 'H<Enter>' B '<Enter>'; do
		run "$FLAMETOP" --screen=200x12 --keys="ggj${keys}wkeys.folded<Enter><Enter>C" bytes.folded
		command=$(printf '%s\n' "$out" | sed -n 's/.*│ flametop \(.*folded\) .*/\1/p')
		ok "$name: $keys changes the view" sh -c '! cmp -s bytes.folded keys.folded'
		run sh -c "'$FLAMETOP' --to=folded $command"
		exits 0 "options can reproduce keys: $command"
		is "$out" "$(cat keys.folded)" "and gives the same"
	done
	run "$FLAMETOP" --screen=200x12 --keys='ggj#C' bytes.folded
	prints '*2 matches, 60.0%*' "$name: # finds the selected name"
	command=$(printf '%s\n' "$out" | sed -n 's/.*│ flametop \(.*folded\) .*/\1/p')
	run sh -c "'$FLAMETOP' --screen=200x12 $command"
	prints '*2 matches, 60.0%*' "and so does $command"
done
printf '# folded stacks, \\xHH in a name is a byte\nmain;a\\xff;b 3\nmain;b 4\n' >bytes.folded
view_of() { # expected, name, options...
	expected=$1
	name=$2
	shift 2
	run "$FLAMETOP" --to=folded "$@" bytes.folded
	is "$out" "$expected" "$name"
}
view_of 'main;b 4' "--ignore takes a name" --ignore='(*NAME)a\xff'
byte=$(printf 'a\377')
view_of "$byte;b 3
main;b 4" "--base takes bytes, several times as well" --base="$byte" --focus=b --base=main

printf '# folded stacks, \\xHH in a name is a byte\na;\\x 10\n\\x;a 20\nb 30\n\\x;\\x 5\n\\x 7\n' >nameless.folded
run "$FLAMETOP" --to=folded --flamechart nameless.folded
is "$out" "$(cat nameless.folded)" "a flame chart has frames without a name"
run "$FLAMETOP" --to=top nameless.folded
sums() { printf '%s\n' "$out" | awk '{print $1, $2, $3, $4, $6}'; } # in a chart, a name has more frames
graph=$(sums)
run "$FLAMETOP" --to=top --flamechart nameless.folded
is "$(sums)" "$graph" "the table of a flame chart is that of the flame graph"
run "$FLAMETOP" --to=svg --flamechart nameless.folded
is "$(printf '%s\n' "$out" | grep -o '<title> (' | wc -l | tr -d ' ')" 4 "its picture has them, too"

printf 'a;b 10000000000000000000\nc 2\n' >large.folded
for kind in folded text top svg markdown; do
	run "$FLAMETOP" --to=$kind --factor=2 large.folded
	exits 1 "--to=$kind: counts that --factor makes too large are an error"
	says "*--factor=2: times that, counts pass 2^64 - 1*" "--to=$kind: a message says so"
	is "$out" "" "--to=$kind: and nothing is written"
	run "$FLAMETOP" --to=$kind --factor=1.5 large.folded
	is "$status$err" 0 "--to=$kind: those that fit are shown"
done
run "$FLAMETOP" --to=folded --factor=2 --diff=large.folded chart.folded
exits 1 "a baseline that is too large is one, too"
run "$FLAMETOP" --to=folded --factor=2 --focus=c large.folded
exits 1 "and left-out weight counts, as outputs report it"
run "$FLAMETOP" --screen=120x12 --factor=2 large.folded
prints "*10 E*--factor=2 is left out: times that, counts pass 2^64 - 1*" "the screen shows the unscaled counts, and says so"
run "$FLAMETOP" --screen=120x12 --factor=1.5 large.folded
prints "*15 E*" "and counts that fit are multiplied there"
run "$FLAMETOP" --screen=120x12 --factor=2 --keys='wout.svg<Enter>' large.folded
prints "*--factor=2: times that, counts pass 2^64 - 1*" "nor does the viewer write it"
ok "and there is no file" test ! -e out.svg

run "$FLAMETOP" --to=folded --factor=0.25 large.folded
is "$status$err" "0flametop: counts times --factor are rounded: their sum has no room for more decimals" \
	"where decimals would not fit, it is said"

# All events have the same decimals: one that has no room for more is named, since it may not be the one shown.
printf 'x 1\ny 1\nz 1\n' >small.folded
printf '# event=cpu unit=ns 0\na;b 9000000000000000000\n' >large-event.folded
run "$FLAMETOP" --event='unnamed samples' --factor=0.5 --to=folded small.folded large-event.folded
says "*counts times --factor are rounded: the sum over all events has no room*; the largest event: cpu*" \
	"of several events the largest is named"

# A factor that makes parts of counts: they are shown, and add up to the same sum everywhere.
printf 'm;a 60\nm;b 30\nm;c;d 9\nm;e 1\n' >parts.folded
run "$FLAMETOP" --to=folded --factor=0.001 parts.folded
is "$status$out$err" "0$(printf 'm;a 0.06\nm;b 0.03\nm;c;d 0.009\nm;e 0.001')" "--factor below 1: counts get decimals"
run "$FLAMETOP" --to=folded --factor=0.37 parts.folded
is "$out" "$(printf 'm;a 22.2\nm;b 11.1\nm;c;d 3.33\nm;e 0.37')" "they add up to the product of the sum"
run "$FLAMETOP" --to=top --factor=0.37 parts.folded
prints "*22.2*60.00*22.2*60.00*1*a*" "the table shows the same"
run "$FLAMETOP" --to=text --factor=0.37 parts.folded
prints "*37 samples*60.0%*" "so does text"
run "$FLAMETOP" --to=svg --factor=0.37 parts.folded
prints "*>a (22.2 samples, 60.00%)<*" "and a picture"
prints "*>e (0.37 samples, 1.00%)<*" "with shares of what was counted"
run "$FLAMETOP" --screen=100x12 --factor=0.37 --search=e parts.folded
prints "*37 samples*" "and the screen"
printf 'a 1.5\nb 2.25\n' >halves.folded
run "$FLAMETOP" --to=folded --factor=0.5 halves.folded
is "$out" "$(printf 'a 0.75\nb 1.125')" "fractional counts get more decimals"
printf 'b;x 3 6\na 1 2\n' >columns.folded
run "$FLAMETOP" --to=folded --factor=0.1 columns.folded
is "$out" "$(printf 'a 0.1 0.2\nb;x 0.3 0.6')" "both columns are multiplied"
run "$FLAMETOP" --to=top --factor=0.5 columns.folded
prints "*1.5*3*+1.5*x*" "and changes"
run "$FLAMETOP" --to=folded --factor=1.5 parts.folded
is "$out" "$(printf 'm;a 90\nm;b 45\nm;c;d 14\nm;e 2')" "above 1, counts stay whole numbers, as in other programs"
says "*counts times --factor are rounded, each to a whole number*" "which is said"
run "$FLAMETOP" --to=folded --factor=0.3333333 parts.folded
says "*counts times --factor are rounded to six decimals*" "counts have at most six decimals, which is said"

# Files are by name, the viewer is by weight; --sort holds for both.
printf 'light 1\nmiddle 4\nheavy;z 9\n' >order.folded
for kind in svg txt; do
	run "$FLAMETOP" --no-config -o usual.$kind order.folded
	run "$FLAMETOP" --no-config --sort=name -o named.$kind order.folded
	ok "$kind: siblings by name" cmp usual.$kind named.$kind
done
run "$FLAMETOP" --no-config --screen=60x10 --sort=name order.folded
prints "*flame by name*" "the viewer takes --sort=name"
run "$FLAMETOP" --no-config --screen=60x10 --sort=weight order.folded
usual=$out
run "$FLAMETOP" --no-config --screen=60x10 order.folded
is "$out" "$usual" "without it, it is by weight"

# Stacks without a frame get a name when read again, in the same order.
printf 'a;b 90\nc;read 10\n!x 3\n(;q 2\n(emptz 1\n(empty);x 2\n(empty 9\n(empty;z 7\n' >holes.folded
for filter in '--hide=^a|b$' '--show=read|x|q' '--hide=.'; do
	for sort in name weight input; do
		run "$FLAMETOP" --no-config --to=folded --sort=$sort "$filter" -o once.folded holes.folded
		run "$FLAMETOP" --no-config --to=folded -f folded once.folded
		is "$out" "$(cat once.folded)" "$filter --sort=$sort: the output is read again in the same order"
		prints "*(empty) *" "and has the stacks without a frame"
	done
done

# They are stacks without a frame again, and no function of that name: every output shows the same.
printf '(empty) 5\nfoo 3\nbar 2\n' >called.folded
for filter in '--show=empty|bar' '--hide=empty' '--hide=.'; do
	run "$FLAMETOP" --no-config --to=folded "$filter" -o once.folded called.folded
	for kind in top text; do
		run "$FLAMETOP" --no-config --to=$kind "$filter" called.folded
		direct=$(printf '%s\n' "$out" | sed 's/;.*//; /folded/d')
		run "$FLAMETOP" --no-config --to=$kind once.folded
		is "$(printf '%s\n' "$out" | sed '/folded/d')" "$direct" "$filter: --to=$kind is the same of what was written"
	done
done
run "$FLAMETOP" --no-config --to=folded --show='empty|bar' called.folded
is "$out" "$(printf '# folded stacks, \\xHH in a name is a byte\n(empty) 3\n\\x28empty) 5\nbar 2')" "a function of that name is escaped beside them"
run "$FLAMETOP" --no-config --to=folded called.folded
is "$out" "$(printf '(empty) 5\nbar 2\nfoo 3')" "and stays as it is without them"
printf '[{"ph":"X","name":"a","ts":0,"dur":1,"pid":1,"tid":1},{"ph":"X","name":"b","ts":3,"dur":1,"pid":1,"tid":1}]' >gaps.json
run "$FLAMETOP" --no-config --to=folded --flamechart --hide='^b$' -o once.folded gaps.json
run "$FLAMETOP" --no-config --to=folded --flamechart once.folded
is "$out" "$(grep -v ' unit=' once.folded)" "gaps of a chart are stacks without a frame, too"

# A window takes the sample at its very start, as --time does.
for at in 1.0 2.0 3.0 4.0; do
	printf 'c 1/1 [000] %s: 1 cycles: \n\t7f f%s+0x1 (/a)\n\n' $at $at
done >clock.perf
run "$FLAMETOP" --no-config --to=folded --window=1 clock.perf
is "$out" "$(printf 'c;f3.0 1\nc;f4.0 1')" "--window: a sample at the start of the range is in it"
run "$FLAMETOP" --no-config --to=folded --time=2,3.1 clock.perf
is "$out" "$(printf 'c;f3.0 1\nc;f4.0 1')" "--time: so it is"
run "$FLAMETOP" --no-config --to=folded --window=3 clock.perf
is "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 4 "a window as long as all has all"
run "$FLAMETOP" --no-config --to=folded --window=0.999999 clock.perf
is "$out" "c;f4.0 1" "and what is before it is not in it"

# Functions of one name and different kinds are told apart wherever names are read.
printf 'e_[k] 5\ne 3\ne_[j] 1\ne_[i] 2\nf_[k] 1\n' >kinds.folded
for kind in top markdown text; do
	run "$FLAMETOP" --no-config --to=$kind kinds.folded
	for name in 'e_[k]' 'e_[j]' 'e_[i]'; do
		ok "--to=$kind: $name is one of several e" test "$(printf '%s' "$out" | grep -cF "$name")" -ge 1
	done
	ok "--to=$kind: the only f needs no kind" test "$(printf '%s' "$out" | grep -cF 'f_[k]')" -eq 0
done
run "$FLAMETOP" --no-config --screen=100x12 --keys=2 kinds.folded
prints "*5*1  e_*k]
*3*1  e
*" "so does the screen"
run "$FLAMETOP" --no-config --to=svg kinds.folded
prints "*<title>e (5 samples, 41.67%)<*" "in a picture colours do, as in those of other programs"

# A page has bare names as well, which are no frames; nor is an event of that name one.
printf 'f_[j];e_[k] 3\n' >kinds.folded
run "$FLAMETOP" --no-config --to=html -o kinds.html kinds.folded
printf 'x 1/1 1.0: 3 e:\n\tffffffff81000000 e ([kernel.kallsyms])\n\n' >kinds.perf
for file in kinds.html kinds.perf; do
	run "$FLAMETOP" --no-config --to=top "$file"
	ok "$file: a name that only one frame has needs no kind" sh -c '! grep -qF "e_[k]" .out'
	run "$FLAMETOP" --no-config --to=text --view=sandwich --function=e "$file"
	prints "*100.0%*" "$file: and is found without one"
done

# Inputs that count different things: they are kept apart in any order, and each can be shown.
printf 'x;y 1000\n' >plain.folded
cat >cycles.perf <<'END'
web 7/7 [000] 1.000000: 100 cycles:
	10 read (/bin/web)

END
frames='{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":['
printf '%s' "$frames" '{"type":"sampled","name":"x","unit":"seconds","startValue":0,"endValue":2,"samples":[[0]],"weights":[2]}]}' >ns.json
printf '[{"name":"g","ph":"X","ts":0,"dur":5000000,"pid":1,"tid":1}]' >us.json
apart() { # two inputs, name and total of the first, the same of the second
	for inputs in "$1 $2" "$2 $1"; do
		# shellcheck disable=SC2086 # two names
		run "$FLAMETOP" --no-config --to=text $inputs
		case $inputs in
		"$1 "*) name=$3 total=$4 ;;
		*) name=$5 total=$6 ;;
		esac
		prints "*  $total (+*)*" "$inputs: the first is shown as it is: $total"
		says "*$name* shown; 1 other event: *(--event=NAME)*" "$inputs: and a message calls $name one of two"
		for event in "$3" "$5"; do
			# shellcheck disable=SC2086
			run "$FLAMETOP" --no-config --to=text --event="$event" $inputs
			exits 0 "$inputs: --event=$event is known"
		done
	done
}
apart plain.folded cycles.perf 'unnamed samples' '1,000 samples' cycles '100 cycles'
apart plain.folded ns.json 'unnamed samples' '1,000 samples' time 'time  2 s'
apart cycles.perf ns.json cycles '100 cycles' time 'time  2 s'
node='{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}'
leaf='{"id":2,"callFrame":{"functionName":"g","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":1}'
printf '%s' '{"nodes":[' "${node%?}" ',"children":[2]},' "$leaf" '],"startTime":0,"endTime":3000000,"samples":[2,2],' \
	'"timeDeltas":[0,3000000]}' >v8.cpuprofile
printf 'war:Column filter is ON.\nFunction Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n f,4.0,shop\n' >vtune.csv
apart plain.folded v8.cpuprofile 'unnamed samples' '1,000 samples' time 'time  3 s'
apart plain.folded vtune.csv 'unnamed samples' '1,000 samples' 'CPU Time' 'CPU Time  4 s'
apart v8.cpuprofile vtune.csv time 'time  3 s' 'CPU Time' 'CPU Time  4 s'
apart us.json ns.json time 'time  5 s' time 'time  2 s'
for inputs in 'plain.folded cycles.perf ns.json' 'ns.json cycles.perf plain.folded'; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --to=top --event='unnamed samples' $inputs
	prints "*1,000  100.00  1,000*y*" "$inputs: unnamed samples are those of the folded stacks"
	prints "*
unnamed samples*" "$inputs: as the table says"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --screen=100x20 --keys=e $inputs
	prints "*time  2 s, 1 sample *" "$inputs: the list of events has time as time"
	prints "*unnamed samples  1 k *" "$inputs: and a name for the nameless one"
done
run "$FLAMETOP" --no-config --screen=100x20 --keys='ejj<Enter>C' ns.json cycles.perf plain.folded
prints "*│ flametop *--event='unnamed samples' ns.json cycles.perf plain.folded *" "which the copied command has, too"
run "$FLAMETOP" --no-config --event=nix --to=text plain.folded cycles.perf
says "*it has: unnamed samples, cycles*" "and the message about an event that is not there"
run "$FLAMETOP" --no-config --to=text plain.folded plain.folded
prints "*2,000 samples*" "inputs that count the same are added up"
is "$err" "" "without a message"
run "$FLAMETOP" --no-config --to=top --diff=plain.folded --diff=v8.cpuprofile plain.folded
prints "* 100.00 100.00   +0.00 *y*1,000 samples before, 1,000 after*" "nor are baselines that count different things"
says "*'time' is in the baseline only, and not compared*" "which is said"
run "$FLAMETOP" --no-config --to=top --diff=v8.cpuprofile --diff=plain.folded v8.cpuprofile
prints "*100.00 100.00   +0.00 *g*" "in either order"

printf 'main;a;b 2\nmain;a 1\nmain;c 2\n' >left.folded
run "$FLAMETOP" --to=folded --view=sandwich --function=b left.folded
is "$out" "main;a;b 2" "a sandwich as folded stacks: those through the function"
is "$err" "flametop: 60.0% of samples is left out by --view=sandwich" "and what is left out is said"
for names in md=markdown txt=text; do
	is "$("$FLAMETOP" --to="${names%=*}" left.folded)" "$("$FLAMETOP" --to="${names#*=}" left.folded)" "--to=$names"
done

printf '# event=cycles unit=cycles 0\nmain;a 3\n' >cycles.folded
printf '# event=wall unit=ns 0\nmain;b 4\n' >wall.folded
run "$FLAMETOP" --to=folded --event=all cycles.folded wall.folded
exits 1 "--event=all: events of different units are not added up"
says "*--event=all: the events have different units, so they cannot be added up (cycles in cycles, wall in ns)" \
	"--event=all: the units are the reason"
run "$FLAMETOP" --to=folded --event=none cycles.folded wall.folded
says "*--event: the profile has no event 'none' (it has: cycles, wall)" "an event that is not there is"

done_testing
