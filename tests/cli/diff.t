#!/bin/sh
# Comparing two profiles, and the gate.
. "$(dirname "$0")/../tap.sh"

cat >before.folded <<'END'
main;a 400
main;b 500
main;gone 100
END
cat >after.folded <<'END'
main;a 700
main;b 250
main;new 50
END

run "$FLAMETOP" --to=folded --diff=before.folded after.folded
is "$out" "main;a 400 700
main;b 500 250
main;gone 100 0
main;new 0 50" "--diff has a column for each side"
run "$FLAMETOP" --to=folded --diff before.folded --diff before.folded after.folded
prints "main;a 800 700*" "--diff may be repeated"
run sh -c "'$FLAMETOP' --to=folded --diff=- after.folded <before.folded"
prints "main;a 400 700*" "--diff reads standard input"

# Counts in seconds, in several files: the fractions of all files are kept, in any order.
printf 'main;parse 0.25\nmain;write 0.75\n' >sec1
printf 'main;parse 0.5\nmain;write 0.5\n' >sec2
printf 'main;int 1000\n' >whole
run "$FLAMETOP" --to=folded sec1 sec2
is "$out$err" "main;parse 0.75
main;write 1.25" "fractions of several files are added up"
run "$FLAMETOP" --to=folded --diff=sec1 sec2
is "$out$err" "main;parse 0.25 0.5
main;write 0.75 0.5" "a baseline has its fractions"
printf 'main;a 4\nmain;b 6\n' >k1
awk 'BEGIN { for (i = 0; i < 30; i++) print "main;a 0.49\nmain;b 0.51" }' >k2
run "$FLAMETOP" --to=top --diff=k1 --fail-above=5 k2
exits 0 "counts with decimals trip no gate by being many"
prints "*; 10 samples before, 30 after*" "they are as many samples as they say"
run "$FLAMETOP" --to=folded whole sec1
is "$out$err" "main;int 1000
main;parse 0.25
main;write 0.75" "and so has a file beside larger counts"
run "$FLAMETOP" --to=folded sec1 whole
is "$out$err" "main;int 1000
main;parse 0.25
main;write 0.75" "in the other order as well"

# --split=file names the files of both sides, however many there are of each.
printf 'x;a 3\nx;b 4\n' >s1
printf 'x;a 5\n' >s2
printf 'x;a 7\n' >s3
printf 'x;a 1 9\n' >s4
run "$FLAMETOP" --to=folded --split=file --diff=s3 s1 s2
is "$out" "s1;x;a 0 3
s1;x;b 0 4
s2;x;a 0 5
s3;x;a 7 0" "--split=file: the baseline has its name behind several files"
run "$FLAMETOP" --to=folded --split=file --diff=s3 --diff=s2 s1
is "$out" "s1;x;a 0 3
s1;x;b 0 4
s2;x;a 5 0
s3;x;a 7 0" "so have several baselines"
run "$FLAMETOP" --to=folded --split=file s1 s4
is "$out" "s1;x;a 0 3
s1;x;b 0 4
s4;x;a 1 9" "and a file of two columns is one on both sides"

run "$FLAMETOP" --diff=before.folded --fail-above=5 --to=folded after.folded
exits 3 "--fail-above: growth trips the gate"
says "*1 function grew by more than 5 points*a: self +30.0*" "--fail-above lists functions that grew"
prints "main;a 400 700*" "--fail-above writes the view all the same"
printf 'm;p;a 100\nm;p;b 300\nm;q;a 600\n' >f1
printf 'm;p;a 300\nm;p;b 300\nm;q;a 400\n' >f2
run "$FLAMETOP" --diff=f1 --factor=0.5 --fail-above=15 --absolute --to=top f2
prints "*   200    300    +100    p*" "--factor multiplies the weights of the table"
says "*p: total +100 (200 -> 300, standard error 16)*" "and those that the gate lists"
for kind in top "text --view=table" markdown; do
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" --no-config --diff=f1 --normalize --factor=2 --to=$kind f2
	says "*--factor has no effect: a table of shares has no counts*" "$kind: --factor has no effect on shares"
done
run "$FLAMETOP" --diff=before.folded --fail-above=1 --to=folded after.folded
exits 3 "--fail-above: a lower bound finds more"
says "*new: self*" "--fail-above lists new functions"
run "$FLAMETOP" --diff=before.folded --fail-above=5 --reverse --to=top after.folded
exits 3 "--fail-above: merged from the leaves it trips, too"
says "*1 function grew by more than 5 points*a: self +30.0*" "and lists the same function"
prints "*40.00  70.00  +30.00*a
*50.00  25.00  -25.00*b
*" "the table has the same changes"
run "$FLAMETOP" --diff=before.folded --fail-above=31 --to=folded after.folded
exits 0 "--fail-above: less growth than allowed passes"
is "$err" "" "--fail-above is silent then"
run "$FLAMETOP" --diff=after.folded --fail-above=0 --to=folded after.folded
exits 0 "--fail-above=0: no change passes"
printf 'main;a 5\nmain;b 5\n' >few1.folded
printf 'main;a 7\nmain;b 3\n' >few2.folded
run "$FLAMETOP" --diff=few1.folded --fail-above=1 --to=folded few2.folded
exits 0 "--fail-above: noise passes"
sed 's/$/00/' before.folded >long.folded
run "$FLAMETOP" --diff=long.folded --fail-above=1 --to=folded before.folded
exits 0 "--fail-above compares shares, not counts"
run "$FLAMETOP" --fail-above=1 --to=folded after.folded
exits 2 "--fail-above without --diff is wrong usage"
run "$FLAMETOP" --diff=nosuch.folded --to=folded after.folded
exits 1 "a missing baseline is a failure"
says "*nosuch.folded*" "a missing baseline is named"

printf 'a;0x12f;b 1\n' >h1.folded
printf 'a;0xfff;b 2\n' >h2.folded
run "$FLAMETOP" --diff=h1.folded --strip-hex --to=folded h2.folded
is "$out" "a;0x...;b 1 2" "--strip-hex treats addresses alike"
printf 'a;0x1;b 1\na;0x2;b 1\na;0x3;b 1\n' >h3.folded
printf 'a;0x9;b 5\n' >h4.folded
run "$FLAMETOP" --diff=h3.folded --normalize --strip-hex --to=folded h4.folded
is "$out" "a;0x...;b 5 5" "--strip-hex --normalize scales the sums"
run "$FLAMETOP" --diff=long.folded --normalize --to=folded before.folded
prints "main;a 400 400*" "--normalize scales the baseline"

# Scaled counts add up to the target, and no count becomes 0 as long as there is room.
scaled() { # lines, what comes out, options
	printf '%b' "$1" >scaled.folded
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" --no-config --to=folded --normalize ${3-} scaled.folded
	is "$out" "$(printf '%b' "$2")" "${3-} $1: the baseline is scaled"
	is "$err" "${4-}" "with the message '${4-}'"
}
scaled 'a 1 3\nb 1 3\nc 1 1\n' 'a 2 3\nb 3 3\nc 2 1\n'
scaled 'a 1 3\nb 1 0\nc 8 1\n' 'a 1 3\nb 1 0\nc 2 1\n'
scaled 'a 1 3\nb 1 3\nc 1 1\n' 'a 23 30\nb 24 30\nc 23 10\n' --factor=10
scaled 'a 1 1\nb 1 0\nc 1 0\nd 1 0\n' 'a 0 1\nb 1 0\nc 0 0\nd 0 0\n' '' \
	'flametop: counts of the baseline are scaled; 3 of them become 0'
scaled 'a 10 1\nb 10 0\nc 1 1\n' 'a 1 1\nb 1 0\nc 0 1\n' '' 'flametop: counts of the baseline are scaled; 1 of them becomes 0'
scaled 'a;x 3 1\na;y 3 3\nb 1 3\n' 'a;x 3 1\na;y 3 3\n' --zoom=a 'flametop: 42.9% of samples after and 14.3% before is left out by --zoom'
scaled 'a 18446744073709551614 1\nb 1 2\n' 'a 2 1\nb 1 2\n'
printf 'a 1\nb 1\nc 1\n' >third.folded
printf 'a 3\nb 3\nc 1\n' >seventh.folded
run "$FLAMETOP" --no-config --to=folded --normalize --diff=third.folded seventh.folded
is "$out" "$(printf 'a 2 3\nb 2 3\nc 2 1')" "--diff --normalize cuts as difffolded does"
is "$err" "flametop: counts of the baseline are scaled and cut, as by difffolded: they add up to 6, not to 7" "and says so"
run "$FLAMETOP" --no-config --quiet --to=folded --normalize --diff=third.folded seventh.folded
is "$err" "" "unless it is to be quiet"
run "$FLAMETOP" --no-config --to=folded --normalize --factor=10 --diff=third.folded seventh.folded
is "$out" "$(printf 'a 23 30\nb 24 30\nc 23 10')" "times --factor, which difffolded has not, they add up"

# A flame chart shows one profile. The output says so, and a regression does not pass because of that.
"$FLAMETOP" --to=folded --diff=before.folded after.folded >both.folded
# shellcheck disable=SC2086 # options are words
for inputs in '--diff=before.folded after.folded' '--normalize both.folded'; do
	for kind in text top markdown svg; do
		run "$FLAMETOP" --flamechart --to=$kind $inputs
		exits 0 "$inputs: a flame chart as $kind is written"
		says "*a flame chart shows one profile: the baseline is left out*" "$inputs: without the baseline, with a message"
		prints "*without the baseline*" "$inputs: and stands in the $kind"
	done
	run "$FLAMETOP" --no-config --screen=100x24 --keys= --flamechart $inputs
	prints "*flame chart  without the baseline*" "$inputs: and on the screen"
	case $out in
	*" vs "*) tap_result 1 "$inputs: which names no baseline" "$out" ;;
	*) tap_result 0 "$inputs: which names no baseline" ;;
	esac
	run "$FLAMETOP" --flamechart --fail-above=5 --to=top $inputs
	exits 3 "$inputs: the gate trips all the same"
	says "*--fail-above judges the flame graph*1 function grew by more than 5 points*a: self +30.0*" "$inputs: and names the quantity judged"
	run "$FLAMETOP" --flamechart --fail-above=5 '--zoom=main;b' --to=top $inputs
	exits 0 "$inputs: below a zoom where nothing grew it does not"
	run "$FLAMETOP" --flamechart --fail-above=5 '--zoom=main;a' --to=top $inputs
	exits 3 "$inputs: and where something did it does"
	run "$FLAMETOP" --flamechart --fail-above=31 --quiet --to=top $inputs
	exits 0 "$inputs: less growth than allowed passes"
	is "$err" "" "$inputs: and --quiet says nothing"
done

# Two-column stacks are a comparison even without --diff.
run "$FLAMETOP" --to=folded --diff=before.folded after.folded
printf '%s\n' "$out" >both.folded
run "$FLAMETOP" --to=folded both.folded
is "$out" "$(cat both.folded)" "two columns come through as they are"
run "$FLAMETOP" --fail-above=5 --to=top both.folded
exits 3 "two columns can be gated"
prints "*400    700    +300 *a*" "and their table shows growth"
run "$FLAMETOP" --to=folded --normalize both.folded
exits 0 "and they can be normalised"
run "$FLAMETOP" --normalize --to=folded after.folded
exits 2 "--normalize without a baseline is wrong usage"

# The table, for users and for pull requests.
run "$FLAMETOP" --to=top --diff=before.folded after.folded
first=$(printf '%s\n' "$out" | sed -n 3p)
like "$first" "*40.00*70.00*+30.00*a" "the largest growth comes first"
prints "*new (new)*" "--to=top names new functions"
prints "*gone (vanished)*" "--to=top names vanished functions"
prints "*2 functions grew and 2 shrank beyond noise, 1 is new, 1 vanished; 1,000 samples before, 1,000 after*" \
	"--to=top counts the changes"
run "$FLAMETOP" --to=top --diff=few1.folded few2.folded
prints "*+20.00 ~*may be chance*" "--to=top marks noise"
run "$FLAMETOP" --to=markdown --diff=before.folded after.folded
prints "*| 40.00 | 70.00 | \*\*+30.00\*\* |*| \`a\` |*" "--to=markdown is a table of the changes"
run "$FLAMETOP" -o table.md after.folded
exits 0 "a table in Markdown has a suffix"
ok "and is a table of functions" grep -q '^| 700 | 70.00 | 700 | 70.00 | 1 | `a` |$' table.md

# A key that changes the comparison, and the command that reproduces it.
again() { # options, keys, name
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys="$2C" $1
	command=$(printf '%s\n' "$out" | sed -n 's/^.*| flametop \([^|]*[^ |]\) *|.*$/\1/p')
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys="$2<Esc>" $1
	first=$(printf '%s\n' "$out" | sed '$d')
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys='<Esc>' $command
	is "$(printf '%s\n' "$out" | sed '$d')" "$first" "$3: C makes '$command', which shows the same"
}
for keys in '' D DD DDD DDDD; do
	again "--diff=before.folded after.folded" "$keys" "after ${keys:-nothing}"
	again "--absolute --diff=before.folded after.folded" "$keys" "weights, after ${keys:-nothing}"
	again "--absolute --widths=before --diff=before.folded after.folded" "$keys" "weights from before, after ${keys:-nothing}"
	again "--normalize --diff=before.folded after.folded" "$keys" "normalised, after ${keys:-nothing}"
done
# With differences off, no view shows anything of the baseline.
run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys=/gone --diff=before.folded after.folded
prints "*1/1 match*" "a vanished function is found in a comparison"
for view in '<Esc>' 2 3 4 /gone; do
	run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys="DDD$view" --diff=before.folded after.folded
	printf '%s\n' "$out" | sed 's/differences off//' | sed '$d' >off
	run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys="$view" after.folded
	is "$(cat off)" "$(printf '%s\n' "$out" | sed '$d')" "differences off: $view is that of the new profile alone"
done
run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys=DDDd --diff=before.folded after.folded
prints "*differences are off (D compares again)*" "and d says so"
for keys in '' D DD DDDD; do # off is no option for stacks with two columns
	again both.folded "$keys" "two columns, after ${keys:-nothing}"
	again "--normalize both.folded" "$keys" "two normalised columns, after ${keys:-nothing}"
done
run "$FLAMETOP" --absolute --to=folded --diff=long.folded before.folded
prints "main;a 40000 400*" "--absolute writes the recorded weights"
run "$FLAMETOP" --to=folded --diff=long.folded before.folded
prints "main;a 40000 400*" "so does a comparison of shares"
sed 's/$/0/' before.folded >longer.folded
run "$FLAMETOP" -v --absolute --fail-above=5 --to=top --diff=before.folded longer.folded
exits 3 "--absolute: a longer recording is growth"
says "*the weight of 4 functions grew by more than 5% of the baseline's total*main: total +9 k (1 k -> 10 k*" "and the gate speaks of weights"
run "$FLAMETOP" --fail-above=5 --to=top --diff=before.folded longer.folded
exits 0 "for shares it is no regression"
run "$FLAMETOP" --absolute --to=folded after.folded
exits 2 "--absolute without a baseline is wrong usage"
for options in '--absolute --normalize' '--normalize --absolute'; do
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" $options --to=top --diff=before.folded after.folded
	exits 2 "$options: of weights and of shares is wrong usage"
	says "*--absolute and --normalize do not go together*" "$options: a message says so"
done

# Without a second profile: the output is as without the options, and options without effect are named.
for option in --absolute --normalize --widths=before --negate; do
	run "$FLAMETOP" --no-config --screen=80x24 --keys= $option after.folded
	exits 0 "$option without a baseline: the screen is shown"
	says "*${option%=*} has no effect without two profiles*" "$option without a baseline: standard error says that it has no effect"
	prints "*${option%=*} has no effect*" "$option without a baseline: so does the screen"
	run "$FLAMETOP" --no-config --screen=80x24 --keys= $option both.folded
	is "$err" "" "$option: two columns are two profiles"
done
run "$FLAMETOP" --negate --to=folded after.folded
exits 0 "--negate without a baseline is no failure"
says "*--negate has no effect without two profiles*" "but a message says that it has no effect"
run "$FLAMETOP" --negate --color=truecolor --to=text --diff=before.folded after.folded
is "$err" "" "with a baseline there is no message"
run "$FLAMETOP" --negate --quiet --to=folded after.folded
is "$err" "" "nor to those who want quiet"
run "$FLAMETOP" --screen=80x24 --fail-above=5 --diff=before.folded after.folded
exits 2 "a screen is no gate"

# Growth that may be noise is reported, but fails no gate.
run "$FLAMETOP" --diff=few1.folded --fail-above=1 --to=folded few2.folded
says "*1 function grew by more than 1 points, but by less than*may be chance*" "the gate reports the growth that it let pass"
run "$FLAMETOP" --quiet --diff=few1.folded --fail-above=1 --to=folded few2.folded
is "$err" "" "unless told to be quiet"

# Which side gives the widths.
run "$FLAMETOP" --widths=before --diff=before.folded -o gone.svg after.folded
exits 0 "--widths=before draws"
ok "what vanished" grep -q '<title>gone (100 samples, 10.00%; before 10.00%, after 0.00%, -10.00 points; self -10.00 points)</title>' gone.svg
ok "with growth in red" grep -q '<title>a (400 samples, 40.00%; before 40.00%, after 70.00%, +30.00 points; self +30.00 points)</title><rect[^>]*fill="rgb(255,80,80)"' gone.svg
run "$FLAMETOP" --widths=before --to=folded --diff=before.folded after.folded
prints "main;a 400 700*" "columns stay before and after"
run "$FLAMETOP" --widths=left --diff=before.folded --to=folded after.folded
exits 2 "there are two sides"
run "$FLAMETOP" --widths=before --to=folded after.folded
exits 2 "--widths without a baseline is wrong usage"

# Nothing is compared: no file then has the weights of the baseline, or of none, whichever gives the widths.
printf 'a;b 3 4\na;c 0 2\n' >two.folded
run "$FLAMETOP" --widths=before --to=folded --flamechart --diff=before.folded after.folded
is "$out" "$(cat after.folded)" "a chart is of the new profile, whichever gives the widths"
run "$FLAMETOP" --widths=before --to=folded --no-diff two.folded
is "$out" "a;b 4
a;c 2" "with two counts and --no-diff, stacks have those after"
printf '%s 7 [000] %d.5: 1 cpu-clock:\n\t10 f (/b)\n\n' p 1 p 2 >times.perf
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	for options in '--no-diff two.folded' '--flamechart --diff=before.folded after.folded' '--no-diff --diff=before.folded times.perf'; do
		# shellcheck disable=SC2086
		"$FLAMETOP" --no-config --to=$kind $options >plain.out 2>err
		# shellcheck disable=SC2086
		"$FLAMETOP" --no-config --to=$kind --widths=before $options >widths.out 2>err
		ok "--to=$kind with $options" test -s plain.out
		case $kind in svg | html) sed 's/ --widths=before//' widths.out >as.out && mv as.out widths.out ;; esac # the command
		ok "is the same with --widths=before" cmp -s plain.out widths.out
	done
done
run "$FLAMETOP" --no-config --screen=80x24 --keys='DDtwx.folded<Enter>' --diff=before.folded after.folded
is "$(cat x.folded)" "$(cat after.folded)" "w in the viewer: a chart after widths from before"

# SVGs in every mode: widths, figures and colours.
frames() { sed 's/<g>/\n<g>/g' "$1" | sed -n 's/.*<title>\([^<]*\)<.*fill="\([^"]*\)".*/\1 \2/p'; }
run "$FLAMETOP" --diff=before.folded -o diff.svg after.folded
is "$(frames diff.svg)" "a (700 samples, 70.00%; before 40.00%, after 70.00%, +30.00 points; self +30.00 points) rgb(255,80,80)
b (250 samples, 25.00%; before 50.00%, after 25.00%, -25.00 points; self -25.00 points) rgb(90,90,255)
all (1,000 samples, 100%) rgb(250,250,250)
main (1,000 samples, 100.00%; before 100.00%, after 100.00%, 0.00 points; self 0.00 points) rgb(250,250,250)
new (50 samples, 5.00%; before 0.00%, after 5.00%, +5.00 points; self +5.00 points) rgb(255,151,151)" "a differential SVG: widths from after, growth in red"
run "$FLAMETOP" --negate --diff=before.folded -o negated.svg after.folded
ok "--negate: growth is blue" grep -q '<title>a (700 samples, 70.00%; before 40.00%, after 70.00%, +30.00 points; self +30.00 points)</title><rect[^>]*fill="rgb(80,80,255)"' negated.svg
for options in '' --absolute '--negate --countname=a,b(;c'; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $options --diff=before.folded -o back.svg after.folded
	run "$FLAMETOP" --no-config --to=folded back.svg
	is "$(printf '%s\n' "$out" | grep -v '^#')" "$(sort after.folded)" "an SVG of a comparison reads back as its widths: $options"
	ok "and its tooltips are understood: $options" sh -c '! grep -q tooltip .err'
done
run "$FLAMETOP" --normalize --diff=long.folded -o normal.svg before.folded
is "$(frames normal.svg | grep -v ', 0.00 points; self 0.00 points\|100%)')" "" "a normalised SVG of the same has no colours"

# Without colours, and in ASCII: marks, signs and words are enough.
screen() { run "$FLAMETOP" --no-config --color=never --ascii --screen=80x24 --keys="$1" --diff=before.folded after.folded; }
screen ''
ok "no escape sequences, nothing beyond ASCII" sh -c '! LC_ALL=C grep -q "[^ -~]" .out'
prints "*+a +30.0*-b -25.0*" "signs and numbers of frames show growth and shrinkage"
screen '/^a$<Enter>'
prints "*self   grew *40.00 -> * 70.00%*+30.00 points +-*400 -> 700*" "the footer says it in words"
screen 'k'
prints "*main  (1 vanished below: gone 10.0%)*" "a caller names its vanished callees"
screen 'd'
prints "*2 grew, 2 shrank, 1 new, 1 vanished*new (new)*gone (vanished)*" "the list names new and vanished functions"
screen '2'
prints "*40.00  70.00  +30.00 *+75%*a*gone*gone*" "so does the table"
screen 'DD/gone<Enter>'
prints "*self   vanished *10.00 -> * 0.00%*" "widths from before show it"

# Formats may differ: shares compare across units.
cat >clock.perf <<'END'
prog 7 [000] 1.000001: 1010101 cpu-clock:
	10 a (/bin/prog)
	20 main (/bin/prog)

prog 7 [000] 1.001001: 1010101 cpu-clock:
	11 b (/bin/prog)
	20 main (/bin/prog)

END
printf 'prog;main;a 500\nprog;main;b 500\n' >counted.folded
run "$FLAMETOP" --diff=counted.folded --to=top clock.perf
says "*different events or units*" "different units are said"
prints "* 50.00  50.00   +0.00 *a*" "and compared by shares"
prints "*1,000 samples before, 2 after*" "nanoseconds are no samples"
run "$FLAMETOP" --absolute --diff=counted.folded --to=top clock.perf
says "*and not weights*" "weights of different units are not compared, with a message"
prints "*diff of shares*" "nor is it claimed that they are"
run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys=D --diff=counted.folded clock.perf
prints "*diff of shares*unchanged*points*widths from before*" "D passes over them"
for kind in text svg; do
	run "$FLAMETOP" --widths=before --to=$kind --diff=counted.folded clock.perf
	prints "*1,000 samples*" "--to=$kind: with widths from before, counts are no nanoseconds"
done
run "$FLAMETOP" --no-config --ascii --screen=100x24 --keys= --widths=before --diff=counted.folded clock.perf
prints "*vs counted.folded  1 k samples*" "nor on the screen"
run "$FLAMETOP" --to=folded --diff=counted.folded clock.perf
is "$out" "prog;main;a 1010101 1010101
prog;main;b 1010101 1010101" "folded stacks of both are in the unit of the new profile"
sed 's/cpu-clock/cycles/' clock.perf >cycles.perf
run "$FLAMETOP" --diff=cycles.perf --to=top clock.perf
prints "* 50.00  50.00   +0.00 *a*" "a baseline of another event is compared"
run "$FLAMETOP" --diff=clock.perf --fail-above=0 --to=top cycles.perf
exits 0 "and trips no gate"

# A thread name selects threads on both sides; ids and times belong to one run, and a message says so.
for run in 1:10 2:40; do
	awk -v period="${run#*:}" 'BEGIN { for (i = 0; i < 3; i++)
		printf "w%d 10/1%d [000] %d.0: %d cycles:\n\t1 %s (/b)\n\t2 main (/b)\n\n", i % 2 + 1, i % 2, i + 1, period, i % 2 ? "g" : "f"
	}' >"threads${run%:*}.perf"
done
run "$FLAMETOP" --to=folded --thread=w1 --diff=threads2.perf threads1.perf
left_out="flametop: 33.3% of cycles after and 33.3% before is left out by --thread"
is "$out$err" "w1;main;f 80 20$left_out" "--thread=NAME chooses in both profiles"
run "$FLAMETOP" --to=top --thread=w1 --diff=threads2.perf threads1.perf
prints "*2 samples before, 2 after*" "samples as well"
run "$FLAMETOP" --to=folded --widths=before --thread=w1 --diff=threads2.perf threads1.perf
is "$out$err" "w1;main;f 80 20flametop: --widths has no effect on this output: folded
flametop: 33.3% of cycles before and 33.3% after is left out by --thread" "whichever gives the widths"
run "$FLAMETOP" --to=folded --thread=10 --diff=threads2.perf threads1.perf
prints "*w1;main;f 80 20*w2;main;g 40 0*" "--thread=TID applies only to the new profile"
says "*--thread*whole baseline*" "that is said"
run "$FLAMETOP" --to=folded --time=0,1 --diff=threads2.perf threads1.perf
says "*--time*whole baseline*" "of ranges of time as well"
# A weight that has faded below one sample is not shown as 0 samples.
cat >faded.perf <<'END'
w1 10/10 [000] 1.0: 100 cycles:
	1 f (/b)

w2 10/11 [000] 1.4: 100 cycles:
	1 g (/b)

END
for kind in top markdown; do
	run "$FLAMETOP" --to=$kind --thread=w1 --decay=0.1 --diff=threads2.perf faded.perf
	prints "*; 2 samples before, less than 1 after*" "--to=$kind: less than one sample is called that"
done
# A range of time ends before its second number.
run "$FLAMETOP" --to=folded --time=0,1 --quiet threads1.perf
is "$out" "w1;main;f 10" "--time=0,1 has no sample of second 1"
run "$FLAMETOP" --to=folded --time=1,2 --quiet threads1.perf
is "$out" "w2;main;g 10" "which is in --time=1,2"
printf 'w1;main;f 8\nw2;main;g 4\n' >threads.folded
run "$FLAMETOP" --to=folded --thread=w1 --diff=threads.folded threads1.perf
prints "*w2;main;g 4 0*" "a baseline without threads is compared whole"
says "*--thread*whole baseline*" "and a message says so"

# Recordings of one program, random with a fixed seed, and of a changed one.
record() { # seed, percent more in parse
	awk -v seed="$1" -v more="$2" 'BEGIN {
		for (i = 0; i < 4000; i++) {
			seed = (seed * 16807) % 2147483647; a = seed / 2147483647
			seed = (seed * 16807) % 2147483647; b = seed / 2147483647
			f = b * 100 < more ? "parse" : a < .3 ? "read" : a < .5 ? "parse" : a < .9 ? "eval;f" int(a * 50) : "gc"
			n["main;" f]++
		}
		for (s in n) print s, n[s]
	}' | LC_ALL=C sort
}
record 1 0 >run1.folded
record 2 0 >run2.folded
record 3 0 >run3.folded
record 4 6 >slow.folded
run "$FLAMETOP" --diff=run1.folded --fail-above=0 --to=markdown run2.folded
exits 0 "two runs of one program trip no gate"
run "$FLAMETOP" --diff=run1.folded --diff=run2.folded --fail-above=0 --to=markdown run3.folded
exits 0 "nor does a third one against both"
run "$FLAMETOP" --diff=run1.folded --diff=run2.folded --fail-above=2 --to=top slow.folded
exits 3 "a function that takes six percent more does"
like "$(printf '%s\n' "$out" | sed -n 3p)" "*parse" "and stands in the first row"
run "$FLAMETOP" --diff=run1.folded --fail-above=20 --to=top slow.folded
exits 0 "unless so much is allowed"

# Weights have all digits and the right sign, up to the largest. A second series makes each one sample of weight 1.
few='x;y 1
x;z 1
x;w 1'
printf '%s\n' 'a;b 3' "$few" >small.folded
for w in 18446744073709551612:18,446,744,073,709,551,609 9223372036854775809:9,223,372,036,854,775,806; do
	printf '%s\n' "a;b ${w%%:*}" "$few" >large.folded
	run "$FLAMETOP" --absolute --to=top --diff=small.folded large.folded
	like "$(printf '%s\n' "$out" | sed -n '/  b$/p' | tr -s ' ')" " 3 * +${w#*:} 3 * +${w#*:} b" "the table has the function that grew to ${w%%:*} in full"
	run "$FLAMETOP" --absolute --to=markdown --diff=large.folded small.folded
	prints "*-${w#*:}*\`b\`*" "Markdown has its loss in full"
done
printf 'a;b 9223372036854775807 3\na;c 3 9223372036854775807\n' >extremes.folded
run "$FLAMETOP" --to=top extremes.folded
like "$(printf '%s\n' "$out" | tr -s ' ')" "* 9,223,372,036,854,775,807 3 -9,223,372,036,854,775,804 *b
* 3 9,223,372,036,854,775,807 +9,223,372,036,854,775,804 *c
*" "shrinkage to almost nothing has a minus, and growth from it a plus"

# Folded counts are counts of samples, also beside a profile that counts nanoseconds, on either side.
frames='{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"m"},{"name":"a"},{"name":"c"}]}'
printf '%s' "$frames" ',"profiles":[{"type":"sampled","name":"x","unit":"nanoseconds","startValue":0,"endValue":3000,' \
	'"samples":[[0,1],[0,2]],"weights":[2000,1000]}]}' >ns.json
printf 'm;a 1000\nm;c 2000\n' >counts.folded
run "$FLAMETOP" --no-config --to=top --diff=counts.folded ns.json
prints "*; 3,000 samples before, 2 after*" "a baseline of counts beside nanoseconds: they stay counts"
run "$FLAMETOP" --no-config --to=top --diff=ns.json counts.folded
prints "*; 2 samples before, 3,000 after*" "so they do the other way round"
run "$FLAMETOP" --no-config --to=top --absolute --diff=counts.folded ns.json
prints "*+1 us*" "and weights can be compared"
printf 'm;a 1\n' >one.folded
run "$FLAMETOP" --no-config --to=top --diff=one.folded one.folded
prints "*; 1 sample before, 1 after*" "one sample is one"
run "$FLAMETOP" --no-config --to=text one.folded
prints "one.folded  1 sample
*" "in the heading, too"

# One count beside lines, or a file, of two: that it counts as new is said.
printf 'm;a 10 20\nm;b 5\nm;c 7 8\n' >gap.folded
printf 'm;a 10 20\nm;b 5 6\n' >pairs.folded
printf 'm;a 1000\nm;c 1000\n' >single.folded
run "$FLAMETOP" --no-config --to=folded gap.folded
is "$out" "$(printf 'm;a 10 20\nm;b 0 5\nm;c 7 8')" "one count among lines of two is that of now"
says "flametop: gap.folded: lines of one count among lines of two (there was nothing before)" "which is said"
run "$FLAMETOP" --no-config --to=folded pairs.folded single.folded
is "$out" "$(printf 'm;a 10 1020\nm;b 5 6\nm;c 0 1000')" "so is a file of one column beside one of two"
says "flametop: single.folded: one column beside a file of two: there was nothing of it before" "which is said, too"
run "$FLAMETOP" --no-config --to=folded --diff=single.folded pairs.folded
says "flametop: pairs.folded: two columns: the first is added to the baseline" "what a file of two columns adds to --diff is said"
run "$FLAMETOP" --no-config --to=folded --diff=pairs.folded single.folded
says "flametop: pairs.folded: 2 times: lines of two counts in a baseline (the last one is taken)" "and what a baseline of two columns is"
run "$FLAMETOP" --no-config --to=folded pairs.folded pairs.folded
is "$err" "" "of files that are alike nothing is said"

# Events are compared by name; only if the profile has none of the baseline's events, with the only one it has.
event() { # WEIGHT EVENT FUNCTION
	printf 'w 1/1 [0] 1.0: %s %s: \n\t7f %s+0x1 (/z)\n\n' "$@"
}
for f in parse parse emit emit; do event 1000 cycles "$f"; done >cycles.txt
{
	cat cycles.txt
	for f in alloc alloc alloc alloc alloc; do event 1 page-faults "$f"; done
} >both.txt
run "$FLAMETOP" --no-config --to=top --fail-above=1 --diff=cycles.txt both.txt
is "$status" 0 "the event that both profiles have is compared, though another one has more samples"
prints "*event cycles" "which is said"
run "$FLAMETOP" --no-config --to=top --diff=cycles.txt --event=page-faults both.txt
prints "*0 samples before, 5 after*" "an event that the baseline lacks is not compared with one that both have"
run "$FLAMETOP" --no-config --to=top --fail-above=1 --event-filter=page-faults --diff=cycles.txt both.txt
is "$status" 1 "a baseline of which --event-filter leaves nothing ends the comparison"
says "flametop: cycles.txt: no sample belongs to the event of --event-filter: page-faults; no stacks found" "with its reason"

# A baseline without the name of an event is compared with the event that is shown, and does not change which one.
{
	printf 'p 1/1 [0] 1.0: 1 faults:\n\t10 g (/bin/p)\n\t20 main (/bin/p)\n\n'
	for i in 1 2 3 4 5 6 7 8 9; do
		printf 'p 1/1 [0] %d.5: 1 cycles:\n\t10 f (/bin/p)\n\t20 main (/bin/p)\n\n' "$i"
	done
} >two.perf
printf 'p;main;f 3\np;main;g 1\n' >nameless.folded
printf '{"name":"p","value":4,"children":[{"name":"f","value":3},{"name":"g","value":1}]}\n' >nameless.json
for base in nameless.folded nameless.json; do
	run "$FLAMETOP" --no-config --diff=$base --absolute --to=json two.perf
	prints '*"event":"cycles"*"total_before":4,"total_after":9,*' "$base is compared with the event that is shown"
	prints '*"notes":\["event cycles; before: unnamed samples; the baseline names no unit: its numbers are taken as cycles"]*' \
		"the notes say so"
	says "*'cycles' is shown; 1 other event: faults*warning: the baseline names no unit: its numbers are taken as cycles" \
		"and the messages"
	run "$FLAMETOP" --no-config --no-diff --diff=$base --to=text two.perf
	prints "two.perf  9 cycles (+faults)*" "without the differences it is the same event"
	run "$FLAMETOP" --no-config --event=faults --diff=$base --to=json two.perf
	prints '*"event":"faults"*"total_before":4,"total_after":1,*event faults; before: unnamed samples*' \
		"another event can be chosen"
	run "$FLAMETOP" --no-config --diff=two.perf --absolute --to=json $base
	prints '*"total_before":9,"total_after":4,*' "and the other way round: that event is compared with it"
	prints '*"notes":\["unnamed samples; before: cycles; the new profile names no unit: its numbers are taken as cycles"]*' \
		"with the same words"
	run "$FLAMETOP" --no-config --diff=two.perf --event=faults --to=json $base
	prints '*"total_before":1,"total_after":4,*unnamed samples; before: faults*' "or the one that is chosen"
	run "$FLAMETOP" --no-config --diff=two.perf --event=faults --screen=160x10 $base
	prints "* 4 faults *before: faults*" "also on the screen"
done
printf 'p;main;f 200\np;main;g 200\n' >half.folded
awk 'BEGIN {
	printf "p 1/1 [0] 0.5: 1 faults:\n\t10 g (/bin/p)\n\t20 main (/bin/p)\n\n"
	for (i = 0; i < 400; i++)
		printf "p 1/1 [0] %d.0: 1 cycles:\n\t10 f (/bin/p)\n\t20 main (/bin/p)\n\n", i + 1
}' >all.perf
run "$FLAMETOP" --no-config --fail-above=5 --diff=half.folded all.perf
is "$status" 3 "--fail-above judges the event that is shown"

# Profiles that name the same event and unit count the same, whatever one sample weighs.
weigh() { # weight
	echo "# event=alloc unit=bytes 0"
	i=0
	while [ $((i += 1)) -le 300 ]; do echo "m;f$i $1"; done
}
weigh 1000 >light.folded
weigh 21000 >heavy.folded
run "$FLAMETOP" --no-config --diff=light.folded --absolute --fail-above=5 -o gate.md heavy.folded
exits 3 "the gate sees weights that grew 21-fold"
ok "which are of one event and unit" sh -c '! grep -q "different events or units" .err'
clock() { # samples, period
	awk -v n="$1" -v period="$2" 'BEGIN { for (i = 0; i < n; i++)
		printf "p 1/1 [000] 1.%06d: %d cpu-clock:\n\t4063 %s+0x1 (/bin/p)\n\n", i, period, i % 3 ? "a" : "b" }'
}
clock 45 20408163 >slow.perf
clock 997 1003009 >fast.perf
run "$FLAMETOP" --no-config --absolute --to=top --diff=slow.perf fast.perf
prints "*diff of weights*" "recordings at different rates are compared by weights"
is "$err" "" "and nothing is said about their units"

# The number of samples of a file does not depend on the other one.
spell=$source/examples/spell.cpuprofile.gz
"$FLAMETOP" -q --no-config -o spell.folded "$spell"
samples_before() {
	run "$FLAMETOP" -q --no-config --to=top --diff="$1" "$2"
	printf '%s\n' "$out" | sed -n 's/.* \([0-9,]*\) samples\{0,1\} before,.*/\1/p'
}
is "$(samples_before spell.folded "$spell")" "$(samples_before spell.folded spell.folded)" \
	"folded stacks with a unit have as many samples beside a recording as beside themselves"
printf 'a;b 10\na;c 20\n' >bare.folded
printf '# unit: ms\nq;z 100\nq;y 50\n' >ms.folded
is "$(samples_before bare.folded ms.folded)" 30 "numbers without a unit are samples, whatever they are compared with"
printf '# unit: samples\na;b 3\n' >samples.folded
run "$FLAMETOP" --no-config --absolute --diff=samples.folded --to=top ms.folded
says "*different events or units, ms and before unnamed (samples): shares are compared*" "samples are a unit"
ok "which is not taken for none" sh -c '! grep -q "names no unit" .err'
run "$FLAMETOP" --no-config --decay=1 --diff="$spell" --to=top "$spell"
says "*--decay applies only to the new profile*" "what does not apply to the baseline is named"

# A line of times may be many samples: eleven lines, of which one has nearly all weight, are hardly more than one.
{
	echo '# unit: ms'
	for i in 1 2 3 4 5 6 7 8 9 10; do echo "a;f$i 3"; done
	echo 'a;g 1000'
} >uneven.folded
run "$FLAMETOP" --no-config -q --to=json --diff=uneven.folded uneven.folded
prints '*"samples_before":1,"samples_after":1*' "lines of unequal weight count as less than one sample each"

# Each side of a comparison keeps its unit, if they cannot be converted (diff_units.t).
printf '# event=mem unit=bytes\na;b 5\na;c 2.5\n' >in-bytes.folded
printf '# event=cpu unit=ns\na;b 5000000\na;c 2500000\n' >in-ns.folded
run "$FLAMETOP" --no-config -q --to=json --diff=in-bytes.folded in-ns.folded
prints '*"unit_before":"bytes","unit_after":"ns"*"total_before":7.5,"total_after":7500000*' "JSON names the units of both"
for widths in before after; do
	run "$FLAMETOP" --no-config -q --to=speedscope --widths=$widths --diff=in-bytes.folded in-ns.folded
	prints '*after*"unit":"nanoseconds"*before*"unit":"bytes"*' "so does speedscope, widths from $widths"
done
run "$FLAMETOP" --no-config -q --to=json --diff=in-ns.folded in-ns.folded
prints '*"unit_of_change":"percentage points","widths"*' "one unit is not named twice"

# Almost all is not all: no number of a comparison rounds up to 100 % but that of the whole.
printf 'a;b 999999\nc 1\n' >nearly.folded
printf 'a;b 999990\nc 10\n' >near.folded
for kind in top json svg text; do
	run "$FLAMETOP" --no-config --to=$kind --diff=near.folded nearly.folded
	[ $kind = svg ] && grep -o '<title>[ab] [^<]*' .out >titles && mv titles .out
	ok "a share below 100 % is not shown as 100 % ($kind)" sh -c '! grep -q "100\.00[^0-9]\|100\.0%" .out && grep -q "99\.9" .out'
done
run "$FLAMETOP" --no-config --to=svg nearly.folded
prints "*<title>a (999,999 samples, 99.99%)*" "as in the drawing of one profile"

# Parts of samples are not rounded where the header shows them.
printf 'a;b 10.5\na;c 3.25\n' >parts.folded
printf 'a;b 19.5\na;c 3\n' >more-parts.folded
run "$FLAMETOP" --no-config --to=top --diff=parts.folded more-parts.folded
prints "*13.75 samples before, 22.5 after*" "samples in words have the decimals of the weights"
run "$FLAMETOP" --no-config --to=json --diff=parts.folded more-parts.folded
prints '*"samples_before":13.75,"samples_after":22.5*' "those of JSON, too"

done_testing
