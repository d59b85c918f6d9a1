#!/bin/sh
# --to=html: what the page says of the view, and that no name can leave its place. tests/browser/html.t opens pages.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"

page() { "$FLAMETOP" -q --no-config --to=html "$@" >x.html; }
data() { sed -n 's/.* id="data">//; /^{"flametop"/,/<.script>$/p' x.html; }
has() { # TEXT SENTENCE
	data >found
	ok "$2" grep -qF -e "$1" found
}

printf 'main;read 20\nmain 5\nidle 1\n' >a.folded
page a.folded
has '"file":"a.folded"' "the file that it is of"
has '"unit":"samples","decimals":0,"rows":"function","reversed":false,"chart":false,"cut":false,' "what is counted, and how it is merged"
has '"names":["idle","main","read"],"exact":{},' "the names"
has '"frames":{"depth":[0,1,1,2],"name":[-1,0,1,2],"self":[0,1,5,20]}}</script>' "the frames, callers first"
is "$(grep -c '://' x.html)" 0 "no address of anything elsewhere"
like "$(cat x.html)" "<!doctype html>*default-src 'none'*<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">*" "a page for any window, which loads nothing"
like "$(cat x.html)" '*<meta name="flametop-command" content="flametop *a.folded">*' "the command that shows the view again"

page --zoom='main;read' a.folded
has '"zoom":3' "a zoom is where the page opens"
has '"self":[0,1,5,20]' "with all frames"
page --search='^r' a.folded
has '"search":"^r","hits":[3]' "a search has its matches"
page --view=sandwich --function=read a.folded
has '"middle":2' "a sandwich has its function"
page --reverse a.folded
has '"reversed":true' "a caller tree says so"
page --inverted --title='T<' --subtitle=S --height=20 --countname=ticks --factor=2 --minwidth=1 --truncate-text-right a.folded
has '"title":"T\u003c","subtitle":"S","row":20,"keep":"beginning","least":1.000000,"icicle":true,' "options for its looks"
has '"countname":"ticks","decimals":0,"factor":2' "and for its figures"
like "$(cat x.html)" '*<title>T&lt;</title>*' "the title is that of the window, too"
has '"colors":"' "colours that only tell names apart"
is "$(data | grep -c '"legend"')" 0 "need no legend"
for palette in java js perl python rust chain kind; do
	page --colors=$palette a.folded
	is "$(data | sed -n 's/.*"legend":\[\[\(.*\)\]\].*/\1/p' | sed 's/\],\[/\n/g; s/"\([^"]*\)","[0-9a-f]\{6\}"/\1/g' | paste -sd, | sed 's/,/, /g')" \
		"$("$FLAMETOP" --colors=help | awk -v name="$palette" '/^[^ ]/ { is = $1 == name; $1 = "" } is { $1 = $1; printf "%s%s", sep, $0; sep = " " }' | sed 's/^ //; s/  */ /g')" "those of $palette have one, in the words of --colors=help"
done
page --ignore=read a.folded
has '"notes":"76.9% excluded; without read"' "what is left out"

printf 'main;read 10\nmain 5\nidle 9\n' >b.folded
page --diff=a.folded b.folded
has '"diff":{"of":"shares","swapped":false,"before":26.000,"after":24.000,' "a comparison"
has '"self":[0,9,5,10],"base":[0,1,5,20]' "with the weights of both"
has '"file":"b.folded against a.folded"' "and the names of both"
has '"legend":[["red grew","ff5050"],["blue shrank","5050ff"]]' "and what its colours mean"
page --diff=a.folded --absolute --widths=before b.folded
has '"diff":{"of":"weights","swapped":true,' "of weights, with the widths of before"

printf 'main;</script><script>x()</script> 1\nmain;<!-- 1\nmain;"\\\302\240&\342\200\250 1\n' >bad.folded
page --notes='"><b>' bad.folded
is "$(grep -c '<script' x.html),$(grep -c '</script>' x.html)" 2,2 "a name begins and ends no script"
is "$(data | grep -c '<!--')" 0 "nor a comment"
like "$(cat x.html)" '*<meta name="description" content="&quot;&gt;&lt;b&gt;">*' "notes end no attribute"
has '\u003c/script\u003e' "its characters are escaped"
printf '_ZN1a1bEv_[j] 1\n' >annotated.folded
page annotated.folded
has '"names":["a::b()"],"exact":{"0":"_ZN1a1bEv_[j]"}' "names are shown as everywhere, and kept as they were"

cat >times.perf <<'END'
a 1/1 [000] 1.000000: 10 cycles:
	401000 main+0x10 (/bin/x)

a 1/1 [000] 1.000999: 5 cycles:
	401000 main+0x10 (/bin/x)

a 1/1 [000] 1.000999: 7 cycles:
	401100 work+0x10 (/bin/x)
	401000 main+0x10 (/bin/x)

END
page times.perf
has '"samples":{"length":1000,"slices":1000,"at":[0,999,999],"frame":[2,2,3],"weight":[10,5,7]}' "samples with times have them"
page --group=module times.perf
has '"frames":' "so has a view by module"
page --flamechart times.perf
has '"lanes":[{"name":"a  thread 1","first":1}],"whole":[0,' "a chart with a time axis has lanes"
has '"time":[' "and times"
is "$(data | grep -c '"samples":{')" 0 "which need no others"

# Events.
cat >events.perf <<'END'
a 1/1 [000] 1.000000: 10 cycles:
	401000 main+0x10 (/bin/x)

a 1/1 [000] 1.000500: 3 faults<">:
	401200 fault+0x10 (/bin/x)
	401000 main+0x10 (/bin/x)

a 1/1 [000] 1.000999: 7 cycles:
	401100 work+0x10 (/bin/x)
	401000 main+0x10 (/bin/x)

END
page events.perf
is "$(grep -o '<script type[^>]*>' x.html)" '<script type="application/json" data-event="cycles" id="data">
<script type="application/json" data-event="faults&lt;&quot;&gt;" id="data-1">' "a page has all events, that of the view first"
is "$(grep -c '"notes":' x.html)" 0 "so nothing is left out"
for event in cycles 'faults<">'; do
	is "$("$FLAMETOP" -q --no-config --to=folded --event="$event" x.html)" "$("$FLAMETOP" -q --no-config --to=folded --event="$event" events.perf)" \
		"which are read back: $event"
done
is "$("$FLAMETOP" -q --no-config --to=folded x.html)" "$("$FLAMETOP" -q --no-config --to=folded events.perf)" "with the same in front"
page --event=cycles events.perf
is "$(grep -c 'data-event=' x.html)" 1 "--event limits it"
page --focus=work events.perf
is "$(grep -o '<script type[^>]*>' x.html)" '<script type="application/json" data-event="cycles" id="data">' "one without a stack that passes the filters is left out"
page --search=fault events.perf
is "$(grep -o '"search":"fault","hits":[^a-z"]*' x.html)" '"search":"fault","hits":[],
"search":"fault","hits":[3],' "each has the search of the view"
page --diff=events.perf events.perf
is "$(grep -o '<script type[^>]*>' x.html)" '<script type="application/json" data-event="cycles" id="data">' "a comparison has one"

# What flametop reads back.
printf 'a;b 18446744073709551614\na;c 1\n' >large.folded
returns x.html "read back: the largest weights" large.folded
returns x.html "read back: stacks" a.folded
returns x.html "read back: names that browsers and terminals should not get as they are" bad.folded
returns x.html "read back: annotated and mangled names" annotated.folded
printf '# event=cpu unit=ms\na;b 1.25\na 2.5\n[empty] 0.001\n' >fractions.folded
returns x.html "read back: fractions, and stacks without frames" --idle fractions.folded
returns x.html "read back: a filter" --ignore=read a.folded
returns x.html "read back: a recording" "$source/examples/build.perf.zst"
for option in '' --widths=before --absolute --ignore=read; do
	# shellcheck disable=SC2086
	returns x.html "read back: a comparison $option" $option --diff=a.folded b.folded
done
page --reverse --diff=a.folded b.folded
is "$("$FLAMETOP" -q --no-config --to=folded x.html | cksum)" "$("$FLAMETOP" -q --no-config --to=folded --diff=a.folded b.folded | cksum)" \
	"and the same of both sides with --reverse"
returns x.html "read back: a comparison with a recording" --diff="$source/examples/build-O0.folded.gz" "$source/examples/build.perf.zst"
printf '# event=cpu unit=ms\na;b 1.25 0\na 2.5 0.125\n' >two.folded
returns x.html "read back: fractions before and after" two.folded
printf 'main 0 5\nmain;read 0 1\n' >new.folded
returns x.html "read back: nothing before" new.folded
printf 'main 5 0\nmain;read 1 0\n' >gone.folded
returns x.html "read back: nothing after" --widths=before gone.folded
for widths in after before; do
	page --widths=$widths --diff=a.folded b.folded
	is "$("$FLAMETOP" -q --no-config --to=folded --diff=x.html a.folded)" "$("$FLAMETOP" -q --no-config --to=folded --diff=b.folded a.folded)" \
		"as a baseline, it is the side after: widths from $widths"
done
plain=$("$FLAMETOP" -q --no-config --to=folded "$source/examples/build.perf.zst" | cksum)
for option in --reverse --flamechart --axis=samples; do
	[ "$option" != --axis=samples ] || option="--flamechart $option"
	# shellcheck disable=SC2086
	page $option "$source/examples/build.perf.zst"
	is "$("$FLAMETOP" -q --no-config --to=folded x.html | cksum)" "$plain" "and the same stacks with $option"
done

run "$FLAMETOP" --no-config --to=html --focus=nope a.folded
exits 1 "an empty view is no page"
says "*no sample passes the filters: nothing to draw*" "and why"
run "$FLAMETOP" --no-config --to=html --width=900 --encoding=ISO-8859-1 a.folded
says "*--width has no effect on this output: html*--encoding has no effect on this output: html*" "options that only a picture has are named"

# Each event of a page has notes of its own, which are read back as such.
for i in 1 2 3 4; do
	printf 'x %d/%d [0] %d.0: 1 cycles:\n\t1 a (/x)\n\n' "$((i < 4 ? 1 : 2))" "$((i < 4 ? 1 : 2))" "$i"
	printf 'x %d/%d [0] %d.5: 1 faults:\n\t1 b (/x)\n\n' "$((i < 3 ? 1 : 2))" "$((i < 3 ? 1 : 2))" "$i"
done >events.perf
page --thread=1 events.perf
run "$FLAMETOP" --no-config --event=faults --to=json x.html
prints '*read from a page that says: cycles: tid 1; 25.0% excluded; faults: tid 1; 50.0% excluded"*' \
	"a page of several events: each has the share that is excluded"
ok "and that is said once" sh -c '! grep -q "times: read from a page" .out .err'
page --search=a --time=0,9 events.perf
run "$FLAMETOP" --no-config --to=json x.html
ok "equal notes are said once" sh -c '! grep -q "cycles: \|faults: " .out'

# A fold for each of very many events would take time for all of them each time.
awk 'BEGIN {
	for (i = 0; i < 9000; i++)
		printf "x 1 %d.%06d: 1 ev%d: \n\t1 a (m)\n\n", i / 1000, i % 1000, i
	for (i = 0; i < 3; i++)
		printf "x 1 9.00000%d: 1 last: \n\t1 a (m)\n\n", i
}' >many.perf
for option in "" --reverse --callees=a --group=module --flamechart --split=tid; do
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --to=html $option many.perf
	n=$(grep -c ' data-event="' .out)
	ok "of very many events a page has some ($option: $n)" test "$n" -gt 64 -a "$n" -lt 5000
	says "*$(printf '%d' $((9001 - n)) | sed 's/...$/,&/') of 9,001 events are not in the page, those of the fewest samples (--event=NAME writes one)*" \
		"it is said how many it lacks"
	ok "and in the page" grep -q '"notes":"[^"]*of 9,001 events are not in the page' .out
	ok "it has that of most samples" grep -q ' data-event="last"' .out
done
head -n 300 many.perf >some.perf
run "$FLAMETOP" --no-config --to=html some.perf
is "$(grep -c ' data-event="' .out),$(grep -c 'not in the page' .out .err)" "100,.out:0
.err:0" "of a hundred it has all"
done_testing
