#!/bin/sh
# Call graphs: what a view of them says, --to=callgrind, and what callgrind_annotate says of its files.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"

cp "$source/tests/data/collapse/callgrind/ambiguous.in" graph
words='0.0% of all weight is on paths that are certain; the others are estimated from a call graph'
for kind in text top markdown svg json; do
	like "$(flametop --to=$kind graph)" "*$words*" "--to=$kind says how much is certain"
	is "$(flametop --to=$kind graph | grep -cF "$words")" 1 "and says it once"
done
like "$(flametop --screen=100x8 graph)" '*paths estimated, 0.0% of all certain*' "so does the screen"
like "$(flametop --to=top --diff=graph graph)" "*before: $words*" "and a comparison, of both sides"
flametop -o x.pb.gz graph
like "$(gzip -dc <x.pb.gz | tr -d '\000')" "*$words*" "and a comment of a pprof file"

printf 'main;parse;read 20\nmain;parse 5\nmain;eval;call 4\nidle 1\n' >a.folded
returns x.callgrind "stacks whose functions have one caller come back" a.folded
returns x.callgrind "a zoom" --zoom=main a.folded
returns x.callgrind "a filter" --ignore=parse a.folded
printf '(1) 1\n(below main);a=b 2\nname: x;fn=(2) 3\n' >names.folded
returns x.callgrind "any name" names.folded
printf '{"name":"all","value":6,"children":[{"name":"x\\u0001y","value":1},{"name":"x\\u0002y","value":2},{"name":" xy","value":1},{"name":"xy","value":2}]}' >control.json
flametop -o x.callgrind control.json
is "$(flametop --to=json x.callgrind | grep -o '"name":"[^"]*","self":[0-9]*' | wc -l | tr -d ' ')" 4 "names that differ in control characters and blanks around them stay apart"
printf '# event=cpu unit=ms\na;b 1.25\na 2.5\n' >fractions.folded
flametop -o x.callgrind fractions.folded
is "$(flametop --to=folded x.callgrind)" "a 2500000
a;b 1250000" "times with decimals become nanoseconds"
like "$(cat x.callgrind)" '*events: cpu(nanoseconds)*summary: 3750000*totals: 3750000' "their unit is in the event's name"
plain=$(flametop --to=folded "$source/examples/build.perf.zst" | awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); s[$0] += n } END { for (f in s) printf "%s %.0f\n", f, s[f] }' | sort)
flametop -o x.callgrind "$source/examples/build.perf.zst"
is "$(flametop --to=folded x.callgrind | awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); s[$0] += n } END { for (f in s) printf "%s %.0f\n", f, s[f] }' | sort)" "$plain" "self costs stay as they are"
flametop --reverse -o y.callgrind "$source/examples/build.perf.zst"
is "$(flametop --to=top --top=99999 y.callgrind | awk '{ print $1, $NF }' | sort)" "$(flametop --to=top --top=99999 x.callgrind | awk '{ print $1, $NF }' | sort)" "calls are those of callers, also of a tree that is merged from the leaves"

printf 'f;g;f;g;f 7\nf;h 1\n' >recursion.folded
like "$(flametop --to=callgrind recursion.folded)" '*fn=(1) f
0 7
cfn=(2) h
calls=1 0
0 1
cfn=(3) g
calls=1 0
0 7
*fn=(3)
0 0
cfn=(1)
calls=1 0
0 7
*' "a call counts once on a stack, however often it is there"
printf '[empty] 3\na 2\n' >empty.folded
returns x.callgrind "a stack without frames" empty.folded
printf 'main;parse;read 40\nmain;new 5\n' >b.folded
flametop --diff=a.folded -o x.callgrind b.folded
like "$(cat x.callgrind)" '*events: samples before
summary: 45 30
*0 40 20
*' "a comparison has two events"
flametop --diff=a.folded --widths=before -o y.callgrind b.folded
ok "which do not depend on whose widths are shown" cmp -s x.callgrind y.callgrind
printf 'main 18446744073709551615\n' >large.folded
like "$(flametop --to=callgrind large.folded)" '*# values above 2^63 - 1 were cut*' "a comment says what was cut"
printf 'main;%s 6000000000000000000\n' read write >large.folded
"$FLAMETOP" --no-config -o x.callgrind large.folded 2>err
like "$(cat x.callgrind)" '*# values above 2^63 - 1 were cut*totals: 9223372036854775807' "sums are cut as well"
like "$(cat err)" '*values above 2^63 - 1*' "and a message says so"
printf 'main;%s\n' 'read 9223372036854775809' 'write 3' >large.folded
"$FLAMETOP" --no-config -q -o x.callgrind large.folded
"$FLAMETOP" --no-config --to=folded x.callgrind 2>err >back.folded
is "$(cat back.folded err)" "main;read 9223372036854775807
main;write 3" "and it is read back without a word of totals that do not add up"
flametop --ignore=read -o x.callgrind a.folded
like "$(cat x.callgrind)" '*# 66.7% excluded; without read*' "and what filters took out"

if ! command -v callgrind_annotate >/dev/null; then
	skip 2 "no callgrind_annotate"
	done_testing
	exit
fi
flametop -o x.callgrind a.folded
like "$(callgrind_annotate --threshold=100 --tree=calling x.callgrind)" '*30 (100.0%)  PROGRAM TOTALS*20 (66.67%)*read*25 (83.33%)  >   ???:parse*' "callgrind_annotate reads it"
flametop -o x.callgrind "$source/examples/build.perf.zst"
is "$(callgrind_annotate --threshold=100 --show-percs=no x.callgrind | awk '/:/ && $1 ~ /^[0-9,]+$/ { gsub(",", "", $1); s += $1 } END { printf "%.0f", s }')" \
	"$(flametop --to=json "$source/examples/build.perf.zst" | sed -n 's/^"total":\([0-9]*\),$/\1/p')" "with the sum of self costs"
# With several events, each share of certain paths names its own.
printf 'events: Ir Dr\nfn=main\n1 10 5\ncfn=f\ncalls=2 5\n2 90 20\nfn=f\n5 40 10\ncfn=g\ncalls=2 9\n6 50 10\nfn=g\n9 30 5\ncfn=f\ncalls=1 5\n10 45 8\n+1 20 5\n' >two
run "$FLAMETOP" --no-config --event=Dr --to=text two
prints "*20.0% of all weight of Dr is on paths*" "of the event that is shown"
says "*20.0% of all weight of Dr is on paths*" "on standard error, too"
is "$(echo "$err" | grep -c "on paths that are certain")" 1 "and only that"
# The paths of all events together take bounded time: 20 functions that all call each other, 64 events.
awk 'BEGIN {
	for (e = 0; e < 64; e++) { names = names " E" e; ones = ones " 1" }
	print "events:" names
	for (i = 0; i < 20; i++) {
		printf "fn=f%d\n1%s\n", i, ones
		for (j = 0; j < 20; j++) if (j != i) printf "cfn=f%d\ncalls=1 1\n1%s\n", j, ones
	}
}' >dense
run sh -c 'ulimit -t 10 && exec "$1" --no-config --event=E63 --to=folded dense' sh "$FLAMETOP"
is "$status" 0 "the paths of 64 events take less than 10 s of processor time"
is "$(echo "$out" | awk '{ n += $NF } END { print n }')" 20 "and have all of the weight"
# Lines on many paths: the sums stay exact, in bounded time.
awk 'BEGIN {
	print "events: Ir"
	for (i = 0; i < 250; i++) {
		printf "fl=%d.c\nfn=f%d\n", i, i
		for (line = 1; line < 900; line++) print line, 1000 + line
		for (j = 0; j < 250; j++) if (j != i) printf "cfi=%d.c\ncfn=f%d\ncalls=1 1\n1 9999999\n", j, j
	}
}' >lines
run sh -c 'ulimit -t 10 && exec "$1" --no-config --to=json --view=lines --function=f3 lines' sh "$FLAMETOP"
is "$(echo "$out" | grep -o '"line":[0-9]*,"self":[0-9]*' | awk -F'[:,]' '$4 == 1000 + $2 { n++ } END { print n }')" 899 "lines on many paths keep their costs"

done_testing
