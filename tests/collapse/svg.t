#!/bin/sh
# A flame graph that flametop draws is read back into the stacks that it shows.
data=$(cd "$(dirname "$0")/../data/collapse" && pwd)
. "$(dirname "$0")/../tap.sh"

# What a picture cannot hold: stacks without weight, and characters that are not shown.
seen() { sed '/ 0$/d; /^#/d' | sort; }

same() { # FILE OPTIONS...: the stacks are the same
	file=$1
	shift
	"$FLAMETOP" -q --to=svg --minwidth=0 "$@" "$file" >drawn.svg 2>/dev/null || return
	"$FLAMETOP" -q --to=folded "$file" 2>/dev/null | seen >expected
	"$FLAMETOP" -q --to=folded drawn.svg 2>errors | seen >got
	cmp -s expected got || diff expected got
}

bad=
count=0
for input in "$data"/folded/*.in "$data"/perf/*.in "$data"/speedscope/*.in; do
	case ${input##*/} in
	*two-columns* | *before* | *bytes* | *escape*) continue ;;
	esac
	bad=$bad$(same "$input")
	count=$((count + 1))
done
is "$bad" "" "folded stacks, perf script and speedscope files are the same, drawn and read back"
ok "all of them were tried" [ "$count" -gt 20 ]

cat >hostile.folded <<'END'
main;operator() (int) (3 samples, 5.00%);a 3
main;a < b && c > d;"it's" 4
main;&lt;&amp;&#65; 5
main;1,234 samples, 100% 6
main;f (2 samples, 100%) 7
main;)( ;( 8
main; blanks  ;x 9
all;all;all 10
main;<title>x</title><rect fg:x="1"/> 11
main;]]></script><svg> 12
main;Ünïcödé→🌊 13
a 14
END
for options in '' --inverted --reverse --pretty-xml --encoding=us-ascii --factor=2.5 '--countname=units(x)' --flamechart \
	--no-javascript --random --search=main --width=300; do
	# shellcheck disable=SC2086 # one option or none
	is "$(same hostile.folded $options)" "" "names that look like markup and figures, ${options:-as usual}"
done

printf 'main;read_[j];x_[k] 4\nmain;read;x_[w] 3\nmain;a<b_[i] 2\nread_[j]_[k] 1\n_[k] 1\n' >kinds.folded
for options in '' --reverse --pretty-xml --inverted; do
	# shellcheck disable=SC2086 # one option or none
	is "$(same kinds.folded $options)" "" "kinds of frames, ${options:-as usual}"
done
printf 'read_[j]\ttitle=T\n' >attributes
is "$(same kinds.folded --nameattr=attributes)" "" "kinds of frames with a tooltip of their own"

printf 'main;a 1000000\nmain;b 1\nmain;b;c 1\n' >narrow.folded
"$FLAMETOP" -q --to=svg narrow.folded >narrow.svg
run "$FLAMETOP" --to=folded narrow.svg
is "$out" 'main 2
main;a 1000000' "the weight of frames that are too narrow to be drawn stays with their callers"
says '*frames too narrow to be drawn are missing*' "which is said"
"$FLAMETOP" --to=svg --minwidth=0 narrow.folded >whole.svg
run "$FLAMETOP" --to=folded whole.svg
is "$err" "" "nothing is said where all frames are drawn"
run "$FLAMETOP" -v --to=folded whole.svg
says '*no threads, times and files*' "but on request, what pictures never have"

awk 'BEGIN { for (i = 0; i < 3000; i++) { s = s (i ? ";f" : "f") i; print s, 1 } }' >deep.folded
"$FLAMETOP" -q --to=svg --reverse --minwidth=1 deep.folded >deep.svg
run "$FLAMETOP" --to=folded deep.svg
says '*read from a picture of a caller tree: deeper rows are missing*' "rows that a caller tree leaves out are told of"
"$FLAMETOP" -q --to=svg --minwidth=1 deep.folded >deep.svg
run "$FLAMETOP" --to=folded deep.svg
ok "and only there" [ "${err#*deeper rows}" = "$err" ]

printf 'main;a 3\nmain;b 4\nidle 1\n' >small.folded
"$FLAMETOP" --to=svg --zoom=main small.folded >zoomed.svg
is "$("$FLAMETOP" --to=folded zoomed.svg)" 'main;a 3
main;b 4' "a zoomed picture has the stacks of its frame"
"$FLAMETOP" --to=svg --total=20 small.folded >total.svg
is "$("$FLAMETOP" --to=folded total.svg)" '[not drawn] 12
idle 1
main;a 3
main;b 4' "what --total leaves empty is named"
"$FLAMETOP" --to=svg --view=sandwich --function=main small.folded >sandwich.svg
run "$FLAMETOP" --to=folded sandwich.svg
exits 1 "a sandwich is refused"
says "*callers and callees*" "by name"
printf '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1}]}' >trace.json
"$FLAMETOP" --to=svg --flamechart trace.json >lanes.svg
run "$FLAMETOP" --to=folded lanes.svg
exits 1 "a chart with a time axis is refused"
says "*time axis*" "as what it is"
"$FLAMETOP" --to=svg trace.json >time.svg
is "$("$FLAMETOP" --to=json time.svg | sed -n 's/.*"unit":"\([a-z]*\)".*/\1/p')" us "the unit of times comes back"
printf 'a 1\n' | "$FLAMETOP" --unit=bytes --to=svg - | "$FLAMETOP" --to=json - >bytes.json
ok "and so does any other" grep -q '"unit":"bytes"' bytes.json

printf 'b 1\na 2\nb 3\n' >chart.folded
is "$("$FLAMETOP" --flamechart --to=svg chart.folded | "$FLAMETOP" --flamechart --to=folded -)" 'b 1
a 2
b 3' "a flame chart keeps its order"

gzip -c whole.svg >whole.svgz
is "$("$FLAMETOP" --to=folded whole.svgz)" "$("$FLAMETOP" --to=folded narrow.folded)" "a compressed picture is read"
{
	echo '<!DOCTYPE html><html><body><p>Report'
	sed 's/^<?xml.*<svg/<svg/' whole.svg
	echo '</body></html>'
} >page.html
is "$("$FLAMETOP" --to=folded page.html)" "$("$FLAMETOP" --to=folded narrow.folded)" "one within a page, too"

done_testing
