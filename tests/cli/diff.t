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

run "$FLAMETOP" --diff=before.folded --fail-above=5 --to=folded after.folded
exits 3 "--fail-above: growth trips the gate"
says "*1 function grew by more than 5 points*a: self +30.0*" "--fail-above lists what grew"
prints "main;a 400 700*" "--fail-above writes the view all the same"
run "$FLAMETOP" --diff=before.folded --fail-above=1 --to=folded after.folded
exits 3 "--fail-above: a lower bound finds more"
says "*new: self*" "--fail-above lists what is new"
run "$FLAMETOP" --diff=before.folded --fail-above=31 --to=folded after.folded
exits 0 "--fail-above: less growth than allowed passes"
is "$err" "" "--fail-above is silent then"
run "$FLAMETOP" --diff=after.folded --fail-above=0 --to=folded after.folded
exits 0 "--fail-above=0: no change passes"
printf 'main;a 5\nmain;b 5\n' >few1.folded
printf 'main;a 7\nmain;b 3\n' >few2.folded
run "$FLAMETOP" --diff=few1.folded --fail-above=1 --to=folded few2.folded
exits 0 "--fail-above: what chance explains passes"
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
run "$FLAMETOP" --diff=long.folded --normalize --to=folded before.folded
prints "main;a 400 400*" "--normalize scales the baseline"

done_testing
