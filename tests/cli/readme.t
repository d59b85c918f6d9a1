#!/bin/sh
# The tour in the README: its commands do what it says about them.
. "$(dirname "$0")/../tap.sh"

ln -s "$source/examples" examples
ln -s "$FLAMETOP" flametop
sed -n '/^## A first question/,/^## Why/s/^    //p' "$source/README.md" >tour

set_up=$(sed -n 1p tour)
lines=$(wc -l <tour | tr -d ' ')
is "$lines" 10 "the tour has ten lines"

# LINE: runs that line of the tour, after the first one.
line() { run sh -c "$set_up; $(sed -n "${1}p" tour)"; }

line 2
prints "*[[]libLLVM-14.so.1]*[[]liblzma*" "now: LLVM and xz"
line 3
prints "*against build-O0.folded.gz*diff of shares*EmitBack*28.8%*+ and - change of*" "the comparison, as text where there is no terminal"
line 4
prints "*+17.97*[[]libLLVM-14.so.1]*" "LLVM itself grew by 18 points"
line 5
prints "* 12.9% matched*" "the backend before"
line 6
prints "* 54.8% matched*" "the backend now"
line 7
prints "*clang::EmitBackendOutput 100%*" "the backend alone"
line 8
prints "*malloc: self 93.2 ms 0.6%, total 388 ms 2.6%; callers above, callees below*operator new 2.2%*malloc 2.6%*_int_malloc 1.9%*" \
	"who calls malloc, and what it calls"
line 9
ok "the table for the pull request is written" grep -q "libLLVM-14.so.1" changes.md
exits 0 "and that is no failure"
line 10
exits 3 "the gate trips"
says "*libLLVM-14.so.1*: self*callers of it*" "and says why"

run sh -c "$set_up; $(sed -n 8p tour | sed 's/ *#.*//') -o who-calls-malloc.svg"
ok "as an SVG it has the callers above, the callees below" grep -q "Callers and callees of malloc" who-calls-malloc.svg

for i in 2 3 4 5 6 7 8 9; do
	line $i
	exits 0 "line $i of the tour works"
done

done_testing
