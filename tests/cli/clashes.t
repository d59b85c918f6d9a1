#!/bin/sh
# One file for two purposes is wrong usage, whatever its names are. Nothing is fetched, recorded or written then.
. "$(dirname "$0")/../tap.sh"

at=http://127.0.0.1:1/x
printf 'main;read 20\nmain 5\n' >a.folded
cp a.folded b.folded
echo '<svg/>' >there.svg
mkdir d
ln -s d e
ln -s there.svg soft.svg
ln there.svg hard.svg
ln -s missing.svg dangling.svg

clashes() { # SENTENCE ARGUMENT...
	sentence=$1
	shift
	run "$FLAMETOP" --no-config "$@" a.folded
	exits 2 "$sentence: wrong usage"
	one_line "$sentence: one line"
}

run "$FLAMETOP" --no-config --save=same.svg -o same.svg "$at"
exits 2 "what is kept and the picture in one file: wrong usage"
says "flametop: --output and --save write the same file: 'same.svg'" "both are named"
for pair in same.svg,./same.svg same.svg,d/../same.svg d/x.svg,e/x.svg there.svg,there.svg there.svg,soft.svg hard.svg,there.svg \
	soft.svg,hard.svg missing.svg,dangling.svg; do
	run "$FLAMETOP" --no-config --save="${pair#*,}" -o "${pair%,*}" "$at"
	exits 2 "$pair are one file"
done
for pair in same.svg,other.svg d/x.svg,x.svg there.svg,missing.svg /dev/null,/dev/null; do
	run "$FLAMETOP" --no-config -q --to=svg --save="${pair#*,}" -o "${pair%,*}" "$at"
	exits 1 "$pair are two, or lose nothing: it goes on to fetch"
done
"$FLAMETOP" --no-config --to=svg --save=out.svg "$at" >out.svg 2>said
is $? 2 "nor may standard output go to the same file"
"$FLAMETOP" --no-config --screen=80x24 --keys= --save=out.svg "$at" >out.svg 2>said
is $? 2 "nor that of --screen"

clashes "a palette and the picture" --cp=pal.svg -o pal.svg
clashes "a palette and a kept profile" --cp=there.svg --save=soft.svg -o x.svg
clashes "attributes and the picture" --nameattr=there.svg -o hard.svg
clashes "symbols of the kernel and the picture" --kallsyms=there.svg -o soft.svg
clashes "a certificate and what is kept" --cacert=there.svg --save=there.svg
clashes "a palette and the profile" --cp=a.folded -o x.svg
says "flametop: --cp would replace the profile 'a.folded'" "which is named"
clashes "a baseline and what is kept" --diff=b.folded --save=./b.folded
clashes "a baseline and the palette" --diff=b.folded --cp=b.folded -o x.svg
run "$FLAMETOP" record --no-config --keep-data --to=folded -o perf.data -- true
exits 2 "a recording that is kept and the output: wrong usage"
run "$FLAMETOP" record --no-config --keep-data --to=folded -o x.folded --diff=perf.data -- true
exits 2 "or the baseline"
is "$(ls -d x.svg x.folded perf.data pal.svg same.svg 2>/dev/null)" "" "nothing was written"
is "$(cat a.folded):$(cat b.folded):$(cat there.svg)" "main;read 20
main 5:main;read 20
main 5:<svg/>" "nor replaced"

run "$FLAMETOP" --no-config -q -o a.folded --reverse a.folded
exits 0 "the output may replace the profile, which has been read by then"
run "$FLAMETOP" --no-config -q --cp=pal -o x.svg a.folded
exits 0 "a palette is read and written"
done_testing
