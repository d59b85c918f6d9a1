#!/bin/sh
# --to=speedscope: what flametop reads back, and that the file is what speedscope's schema asks for.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"


printf 'main;parse;read 20\nmain;parse 5\nmain;eval;eval;read 4\nidle 1\n' >a.folded
returns x.speedscope.json "stacks, recursion, and a name of its own" a.folded
returns x.speedscope.json "a zoom" --zoom=main a.folded
returns x.speedscope.json "a filter" --ignore=parse a.folded
like "$(cat x.speedscope.json)" '*"name":"samples; 83.3% excluded; without parse"*' "the name of the profile says what is left out"
returns x.speedscope.json "a group" --split=file a.folded
returns x.speedscope.json "functions without files or lines" --group=module a.folded
printf 'a\\"b\001\302\240\t x;<\342\200\250>\177 1\n' >names.folded
returns x.speedscope.json "characters that JSON escapes, and those it does not" names.folded
printf 'a\302\233b\342\200\256c\342\200\213d\342\200\250e\357\277\276f\363\240\200\201g 1\n' >hidden.folded
returns x.speedscope.json "characters that no terminal should get" hidden.folded
like "$(cat x.speedscope.json)" '*"name":"a\\u009bb\\u202ec\\u200bd\\u2028e\\ufffef\\udb40\\udc01g"*' "which are escaped"
printf 'a\377b 1\n' >bad.folded
is "$(flametop -o x.speedscope.json bad.folded; flametop --to=folded x.speedscope.json)" "$(printf 'a\357\277\275b 1')" "bytes that are no UTF-8 become U+FFFD"
printf '[empty] 3\na 2\n' >empty.folded
is "$(flametop -o x.speedscope.json empty.folded; flametop --to=folded --idle x.speedscope.json)" "$(flametop --to=folded --idle empty.folded)" "a stack without frames is idle time"
printf '# event=cpu unit=ms\na;b 1.25\na 2.5\n' >fractions.folded
is "$(flametop -o x.speedscope.json fractions.folded; flametop --to=folded x.speedscope.json)" "a 2500000
a;b 1250000" "times with decimals"
for profile in build.perf.zst build-O0.folded.gz; do
	returns x.speedscope.json "$profile" "$source/examples/$profile"
done
plain=$(flametop --to=folded "$source/examples/build.perf.zst" | cksum)
flametop --reverse -o x.speedscope.json "$source/examples/build.perf.zst"
is "$(flametop --to=folded x.speedscope.json | cksum)" "$plain" "stacks are those of calls, also of a tree that is merged from the leaves"
flametop --flamechart --axis=samples -o x.speedscope.json "$source/examples/build.perf.zst"
is "$(flametop --to=folded x.speedscope.json | cksum)" "$plain" "and of a chart of samples"
awk 'BEGIN { s = ""; for (i = 0; i < 3000; i++) { s = s "f" i; print s, 1; s = s ";" } }' >nested.folded
flametop --reverse -o x.speedscope.json nested.folded
is "$(flametop --to=folded x.speedscope.json | cksum)" "$(flametop --to=folded nested.folded | cksum)" "and of a tree with rows left out"

# Two threads: times in ms, weights in us.
cat >spans.json <<'END'
[{"ph":"X","name":"main","ts":0,"dur":100,"pid":1,"tid":1},{"ph":"X","name":"read","ts":10,"dur":20,"pid":1,"tid":1},
 {"ph":"X","name":"read","ts":60,"dur":40,"pid":1,"tid":1},{"ph":"X","name":"work","ts":30,"dur":50,"pid":1,"tid":2}]
END
flametop --flamechart -o x.speedscope.json spans.json
is "$(flametop --to=folded x.speedscope.json)" "main 40000
main;read 60000
work 50000" "a chart with a time axis: spans of each thread"
is "$(grep -c '"evented"' x.speedscope.json)" 2 "a profile for each thread"
like "$(cat x.speedscope.json)" '*"name":"thread 1"*"startValue":0,"endValue":100000*{"type":"O","frame":0,"at":0},*{"type":"C","frame":1,"at":30000}*' "at their times"
flametop --flamechart --zoom-time=0.00002,0.00007 -o x.speedscope.json spans.json
is "$(flametop --to=folded x.speedscope.json)" "main 30000
main;read 20000
work 40000" "a zoom in time cuts them"
like "$(cat x.speedscope.json)" '*"name":"spans.json; 20 us to 70 us of 100 us",*' "which the name of the file says"

run "$FLAMETOP" --no-config --flamechart -o x.speedscope.json spans.json
is "$err" "" "spans last as long as they weigh: nothing is said"
run "$FLAMETOP" --no-config --flamechart -o x.speedscope.json "$source/examples/build.perf.zst"
says '*on the time axis, stacks last from sample to sample: 16.4 s in all, not the 15.2 s that they weigh*' "samples do not, which is said"
cat >cycles.perf <<'END'
a 1 [000] 1.000000: 7 cycles:
	1 main (a)

a 1 [000] 1.010000: 7 cycles:
	1 main (a)

END
run "$FLAMETOP" --no-config --flamechart -o x.speedscope.json cycles.perf
says '*stacks last from sample to sample; what they weigh is not in such a file*' "nor do counts"

printf 'main;parse;read 40\nmain;new 5\n' >b.folded
returns x.speedscope.json "a comparison" --diff=a.folded b.folded
is "$(grep -o '"name":"samples [a-z]*"' x.speedscope.json)" '"name":"samples after"
"name":"samples before"' "which is two profiles"
is "$(flametop --to=folded --thread=samples x.speedscope.json)" "$(flametop --to=folded --diff=a.folded b.folded)" "of one thread"
returns x.speedscope.json "a comparison with a filter" --ignore=eval --diff=a.folded b.folded
returns x.speedscope.json "a comparison, whosever widths are shown" --widths=before --diff=a.folded b.folded
returns x.speedscope.json "a comparison with recordings" --diff="$source/examples/build-O0.folded.gz" "$source/examples/build.perf.zst"
printf 'main 0 5\nmain;read 0 1\n' >new.folded
returns x.speedscope.json "nothing before" new.folded
printf 'main 5 0\nmain;read 1 0\n' >gone.folded
returns x.speedscope.json "nothing after" gone.folded
flametop -o after.speedscope.json b.folded
flametop -o x.speedscope.json --diff=a.folded b.folded
is "$(flametop --to=folded --diff=x.speedscope.json a.folded)" "$(flametop --to=folded --diff=after.speedscope.json a.folded)" "as a baseline, it is the side after"
sed 's/"exporter":"flametop/"exporter":"other/' x.speedscope.json >other.speedscope.json
is "$(flametop --to=folded other.speedscope.json)" "$(cat a.folded b.folded | flametop --to=folded -)" "profiles of other programs add up, whatever their names are"
if ! command -v python3 >/dev/null; then
	skip 3 "no python3"
	done_testing
	exit
fi
for kind in '' --flamechart --diff=a.folded; do
	flametop $kind -o x.speedscope.json "$source/examples/build.perf.zst"
	ok "JSON, each number of a frame in its table: $kind" python3 - x.speedscope.json <<'END'
import json, sys
file = json.load(open(sys.argv[1]))
n = len(file["shared"]["frames"])
for p in file["profiles"]:
    if p["type"] == "sampled":
        assert len(p["samples"]) == len(p["weights"])
        assert all(0 <= f < n for s in p["samples"] for f in s)
        assert sum(p["weights"]) == p["endValue"]
        continue
    open_frames, at = [], p["startValue"]
    for e in p["events"]:
        assert at <= e["at"] <= p["endValue"]
        at = e["at"]
        if e["type"] == "O":
            open_frames.append(e["frame"])
        else:
            assert open_frames.pop() == e["frame"] < n
    assert not open_frames
END
done
done_testing
