#!/bin/sh
# --to=firefox: what flametop reads back, threads and times of a flame chart, and what the file has for the Firefox
# Profiler. Lines of profiles of Firefox.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"

has() { # TEXT NAME: a line of the file has the text
	ok "$2" grep -qF -e "$1" x.firefox.json
}
meta() { head -n 3 x.firefox.json; }

printf 'main;parse;read 20\nmain;parse 5\nmain;eval;eval;read 4\nidle 1\n' >a.folded
returns x.firefox.json "stacks, recursion, and a name of its own" a.folded
has '"preprocessedProfileVersion":55' "the version of the format"
has '"stack":[0,4,5,6],"time":[0,1,2,3],"weight":[1,4,5,20],"weightType":"samples","length":4' "samples, in the order of the graph"
has '"frame":[0,1,2,2,3,4,3],"prefix":[null,null,1,2,3,1,5],"length":7' "parents come before their children"
like "$(meta)" '*"product":"a.folded (flametop, without times: samples follow each other)"*' "invented times are said"
returns x.firefox.json "a zoom" --zoom='main;eval' a.folded
returns x.firefox.json "a filter" --ignore=parse a.folded
like "$(meta)" '*83.3% excluded*without parse*' "what filters took out is said"
returns x.firefox.json "a group" --split=file a.folded
printf 'a\\"b\001\302\240 x;<\342\200\250\360\237\224\245\363\240\200\201> 1\n' >names.folded
returns x.firefox.json "any character in a name" names.folded
is "$(LC_ALL=C tr -d '\n -~' <x.firefox.json)" "$(printf '\302\240\360\237\224\245')" "none that is not safe to show is written"
printf 'a\377b 1\n' >bytes.folded
flametop -o x.firefox.json bytes.folded
is "$(flametop --to=folded x.firefox.json)" "$(printf 'a\357\277\275b 1')" "but bytes that are no UTF-8"
printf '[empty] 3\na 2\n' >empty.folded
flametop -o x.firefox.json empty.folded
is "$(flametop --to=folded --idle x.firefox.json)" "$(flametop --to=folded --idle empty.folded)" "a stack without frames is a sample without a stack"
printf '_ZN3foo3barEv 1\n' >mangled.folded
returns x.firefox.json "mangled names" --no-demangle mangled.folded
flametop -o x.firefox.json mangled.folded
is "$(flametop --to=folded x.firefox.json)" "foo::bar() 1" "are demangled otherwise"
printf '# event=cpu unit=us\na;b 1.25\na 2500\n' >times.folded
is "$(flametop -o x.firefox.json times.folded; flametop --to=folded x.firefox.json)" "a 2500000
a;b 1250" "times are read back as nanoseconds"
has '"weight":[2.5,0.00125],"weightType":"tracing-ms"' "and are milliseconds in the file"
printf '# event=cpu unit=s\na 3\n' >seconds.folded
is "$(flametop -o x.firefox.json seconds.folded; flametop --to=folded x.firefox.json)" "a 3000000000" "so are seconds"
printf '# event=heap unit=bytes\na 3\n' >bytes.folded
returns x.firefox.json "bytes" bytes.folded
has '"weightType":"bytes"' "have their own type"
printf 'a 1.5\nb 0.25\n' >fractions.folded
returns x.firefox.json "other fractions" fractions.folded
returns x.firefox.json "twice as much" --factor=2 fractions.folded
printf 'a 18446744073709551615\n' >large.folded
returns x.firefox.json "the largest weight" large.folded
for profile in build.perf.zst build-O0.folded.gz; do
	returns x.firefox.json "$profile" --no-demangle "$source/examples/$profile"
done
plain=$(flametop --to=folded a.folded)
flametop --reverse -o x.firefox.json a.folded
is "$(flametop --to=folded x.firefox.json)" "$plain" "stacks are those of calls, also of a tree that is merged from the leaves"
awk 'BEGIN { s = ""; for (i = 0; i < 3000; i++) { s = s "f" i; print s, 1; s = s ";" } }' >nested.folded
flametop --reverse -o x.firefox.json nested.folded
is "$(flametop --to=folded x.firefox.json | cksum)" "$(flametop --to=folded nested.folded | cksum)" "and of a tree with rows left out"
flametop -o y.firefox.json --reverse nested.folded
ok "the same view makes the same bytes" cmp -s x.firefox.json y.firefox.json

# Times and threads.
printf 'a 1/1 [000] %s: 7 cycles:\n\t401000 main+0x10 (/bin/x)\n\nb 1/2 [000] %s: 7 cycles:\n\t401000 run+0x10 (/bin/y)\n\n' \
	1.0 1.5 1.001 1.75 2.5 9.5 >timed.perf
flametop --flamechart -o x.firefox.json timed.perf
has '"name":"a","isMainThread":true,"pid":"1","tid":"1"' "a lane is a thread"
has '"name":"b","isMainThread":false,"pid":"1","tid":"2"' "with its name and number"
has '"stack":[1,null,1,null],"time":[500,2249,8500,9999],"weight":[14,0,7,0]' "a sample without a stack says where the thread rests"
is "$(flametop --to=folded --split=tid x.firefox.json)" "$(flametop --to=folded --split=tid timed.perf)" "threads return"
is "$(meta | grep -c 'without times')" 0 "there is no word of invented times"
has '"resourceTable":{"lib":[null],"name":[' "modules are resources"
is "$(flametop --to=folded --focus=module:x x.firefox.json)" "a;main 21" "which return"
flametop --flamechart --zoom-time=0.4,1.1 -o x.firefox.json timed.perf
is "$(flametop --to=folded x.firefox.json)" "$(flametop --flamechart --zoom-time=0.4,1.1 --to=folded timed.perf | awk '{ n[$1] += $2 } END { for (s in n) print s, n[s] }' | sort)" "only the visible time is written"
flametop --flamechart --axis=samples -o x.firefox.json timed.perf
like "$(meta)" "*without times*" "samples one after the other have none"
for file in speedscope/sampled speedscope/evented; do
	flametop --flamechart -o x.firefox.json "$source/tests/data/collapse/$file.in"
	is "$(flametop --flamechart --to=folded x.firefox.json)" "$(flametop --flamechart --to=folded "$source/tests/data/collapse/$file.in")" "a chart of $file"
done
for file in gecko/small firefox/strings-56; do
	flametop --flamechart -o x.firefox.json "$source/tests/data/collapse/$file.in"
	is "$(flametop --to=folded x.firefox.json)" "$(flametop --to=folded "$source/tests/data/collapse/$file.in")" "samples of $file"
done

# A comparison.
printf 'main;parse;read 40\nmain;new 5\n' >b.folded
flametop -o x.firefox.json --diff=a.folded b.folded
has '"weight":[-1,-4,5,-5,40,-20]' "a comparison: the baseline is negative"
flametop -o y.firefox.json --diff=a.folded --widths=before b.folded
ok "it does not depend on whose widths are shown" cmp -s x.firefox.json y.firefox.json
like "$("$FLAMETOP" --to=folded x.firefox.json 2>&1)" "*negative weight (of a comparison?)*" "read back, it is not taken for a profile of its own"

# Lines.
cat >lines.json <<'END'
{"meta":{"preprocessedProfileVersion":55},"threads":[{"name":"t","samples":{"stack":[1,2,2],"length":3},
"stackTable":{"frame":[0,1,2],"prefix":[null,0,0]},"frameTable":{"func":[0,1,1],"line":[3,7,8]},
"funcTable":{"name":[0,1],"fileName":[2,2],"lineNumber":[1,6]},"stringArray":["main","read","a.c"]}]}
END
like "$(flametop --to=lines --function=read lines.json)" "*33.3%   33.3%       7*66.7%   66.7%       8*" "lines of samples"
like "$(flametop --to=lines --function=main lines.json)" "*100.0%       3*" "and of callers"
done_testing
