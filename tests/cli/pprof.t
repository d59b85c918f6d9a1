#!/bin/sh
# --to=pprof: what flametop reads back, and what pprof says of it.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"


printf 'main;parse;read 20\nmain;parse 5\nmain;eval;eval;read 4\nidle 1\n' >a.folded
returns x.pb.gz "stacks, recursion, and a name of its own" a.folded
returns x.pb.gz "a zoom" --zoom=main a.folded
returns x.pb.gz "a filter" --ignore=parse a.folded
returns x.pb.gz "a group" --split=file a.folded
printf 'a\\"b\001\302\240\377 x;<\342\200\250> 1\n' >names.folded
returns x.pb.gz "any bytes in a name" names.folded
printf '[empty] 3\na 2\n' >empty.folded
returns x.pb.gz "a stack without frames" empty.folded
printf '# event=cpu unit=ms\na;b 1.25\na 2.5\n' >fractions.folded
is "$(flametop -o x.pb.gz fractions.folded; flametop --to=folded x.pb.gz)" "a 2500000
a;b 1250000" "times with decimals become nanoseconds"
printf 'main;a 0.000001\nmain;b 1.5\nmain;c 2.25\n' >more.folded
run "$FLAMETOP" --no-config -o x.pb.gz more.folded
says "flametop: values are whole numbers in this format: 3 of 3 are rounded, 1 to 0; they add up to 4, not to 3.750001" "other fractions are told"
is "$(flametop --to=folded x.pb.gz | awk '{ s += $NF } END { print s }')" 4 "the sum is rounded"
printf 'm;a 0.5\nm;b 0.5\nm;c 3\n' >even.folded
printf '# event=cpu unit=ns\nm;a 1.5\nm;b 7.75\nm;c 2\n' >near.folded
for kind in pprof callgrind; do
	run "$FLAMETOP" --no-config --to=$kind -o even.$kind even.folded
	says "flametop: values are whole numbers in this format: 2 of 3 are rounded, 1 to 0" \
		"$kind: fractions are told even if their sum is right"
	run "$FLAMETOP" --no-config --to=$kind -o near.$kind near.folded
	says "flametop: values are whole numbers in this format: 2 of 3 are rounded; they add up to 11 ns, not to 11.25" \
		"$kind: parts of nanoseconds, too, and no word of 0 where nothing became 0"
	one_line "$kind: in one line"
done
printf '# event=cpu unit=ns\nm;a 0.25\nm;b 7.5\n' >tiny.folded
run "$FLAMETOP" --no-config -o x.pb.gz tiny.folded
says "flametop: values are whole numbers in this format: 2 of 2 are rounded, 1 to 0; they add up to 8 ns, not to 7.75" \
	"and times that become 0"
printf 'm;a 0.04\nm;b 0.03\n' >small.folded
run "$FLAMETOP" --no-config -o small.pb.gz small.folded
exits 1 "a file without any weight is no use"
says "*no weight reaches 1*" "which is said"
ok "and there is none" [ ! -e small.pb.gz ]
printf 'a 1.4\nb 1.4\nc 1.4\nd 0.8\n' >halves.folded
is "$(flametop --factor=0.5 -o x.pb.gz halves.folded; flametop --to=folded x.pb.gz | awk '{ s += $NF } END { print s }')" \
	3 "other fractions are carried over: half of 5 is rounded up"
for profile in build.perf.zst build-O0.folded.gz; do
	returns x.pb.gz "$profile" "$source/examples/$profile"
done
plain=$(flametop --to=folded "$source/examples/build.perf.zst")
flametop --reverse -o x.pb.gz "$source/examples/build.perf.zst"
is "$(flametop --to=folded x.pb.gz)" "$plain" "stacks are those of calls, also of a tree that is merged from the leaves"
flametop --flamechart -o x.pb.gz "$source/examples/build.perf.zst"
is "$(flametop --to=folded x.pb.gz)" "$plain" "and of a chart"
awk 'BEGIN { s = ""; for (i = 0; i < 3000; i++) { s = s "f" i; print s, 1; s = s ";" } }' >nested.folded
flametop --reverse -o x.pb.gz nested.folded
is "$(flametop --to=folded x.pb.gz | cksum)" "$(flametop --to=folded nested.folded | cksum)" "and of a tree with rows left out"
returns x.pb.gz "weights near 2^64 that fit" --ignore=nothing a.folded
printf 'a 18446744073709551615\n' >large.folded
is "$(flametop -o x.pb.gz large.folded; flametop --to=folded x.pb.gz)" "a 9223372036854775807" "a larger value than the format has is cut"
run "$FLAMETOP" --no-config -o x.pb.gz large.folded
says "flametop: values above 2^63 - 1*were cut*" "which is said"
like "$(gzip -dc <x.pb.gz | tr -d '\000')" '*values above 2^63 - 1 were cut*' "and a comment says so"
flametop --ignore=read -o x.pb.gz a.folded
like "$(gzip -dc <x.pb.gz | tr -d '\000')" '*80.0% excluded; without read*' "so does what filters took out"
flametop -o y.pb.gz --ignore=read a.folded
ok "the same view makes the same bytes" cmp -s x.pb.gz y.pb.gz

printf 'main;parse;read 40\nmain;new 5\n' >b.folded
flametop -o diff.pb.gz --diff=a.folded b.folded
flametop -o swapped.pb.gz --diff=a.folded --widths=before b.folded
ok "a comparison does not depend on whose widths are shown" cmp -s diff.pb.gz swapped.pb.gz
if ! command -v go >/dev/null || ! go tool pprof -h >/dev/null 2>&1; then
	skip 7 "no pprof of Go"
	done_testing
	exit
fi
pprof() { # ARGUMENTS: without what depends on its version
	HOME=$dir PPROF_TMPDIR=$dir go tool pprof "$@" 2>/dev/null
}
flametop -o x.pb.gz a.folded
like "$(pprof -top x.pb.gz)" '*File: a.folded*Type: samples*24 80.00% 80.00%         24 80.00%  read*0     0%   100%         29 96.67%  main*' "pprof: self and total"
like "$(pprof -traces x.pb.gz)" '*4   read
             eval
             eval
             main*' "stacks"
flametop -o x.pb.gz "$source/examples/build.perf.zst"
is "$(pprof -top -nodecount=1000000 -nodefraction=0 -unit=ns x.pb.gz | awk '$1 ~ /ns$/ { sub("ns", "", $1); s += $1 } END { printf "%.0f", s }')" \
	"$(flametop --to=json "$source/examples/build.perf.zst" | sed -n 's/^"total":\([0-9]*\),$/\1/p')" "the sum of self weights"
like "$(pprof -top -unit=ns x.pb.gz | sed -n '/flat/,$p')" '*3760704263ns 24.79% 24.79% 8501257125ns 56.04%  \[libLLVM-14.so.1\]*' "to the nanosecond"
like "$(pprof -comments x.pb.gz; flametop --ignore=malloc -o y.pb.gz "$source/examples/build.perf.zst"; pprof -comments y.pb.gz)" '*excluded; without malloc*' "its comments"
like "$(pprof -top diff.pb.gz)" '*16 53.33%*read*-5 16.67%*parse*' "a comparison: what changed"
like "$(pprof -tags diff.pb.gz)" '*pprof::base*true*' "with pprof's label of the baseline"
done_testing
