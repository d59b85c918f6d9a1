#!/bin/sh
# A long name that many functions, addresses or threads share takes memory once, or up to a kilobyte for each name that is
# made of it.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory and time of their own"
tools=${FLAMETOP_BUILD:-$source/build}/tests/torture
[ -x "$tools/bombs" ] && [ -x "$tools/shared" ] || skip_all "bombs or shared is not built"
n=1000
[ "${TORTURE:-}" = all ] && n=20000
bytes=1000000
overhead=10 # MiB: what a small input takes, and some

# The input, the long name three times, and so many bytes for each of those that share it.
bounded() { # KIND BYTES-EACH ARGUMENT...
	kind=$1
	each=$2
	shift 2
	"$tools/shared" "$kind" $n $bytes >input
	most=$((overhead + ($(wc -c <input) + 3 * bytes + n * each) / 1000000))
	[ -z "${BOMBS_LOG:-}" ] || printf '%s %s: ' "$kind" "$*" >>"$BOMBS_LOG"
	"$tools/bombs" within 60 $most "$FLAMETOP" --no-config -q -j1 "$@" input -o out 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	exits 0 "$kind: $n with a name of $bytes bytes, $*"
}

for kind in pprof-files otlp-files firefox-files callgrind-files; do
	for to in top svg pprof firefox; do
		bounded $kind 1000 --to=$to
	done
	bounded $kind 1000 --group=file --to=top
	bounded $kind 1000 --to=json
done
bounded pprof-recursion 20000 --to=json
for kind in pprof-addresses otlp-addresses; do
	bounded $kind 5000 --to=top
	bounded $kind 5000 --to=folded
done
bounded pprof-types 5000 --to=top
bounded pprof-labels 5000 --split=label:main --to=top
bounded pprof-units 5000 --split=label:main --to=top
bounded chrome-processes 5000 --tid --to=top
bounded perf-places 5000 --srcline --to=top

# However many share it, a long name of a table is looked up once.
fast() { # KIND N BYTES ARGUMENT...
	kind=$1
	"$tools/shared" "$kind" "$2" "$3" >input
	shift 3
	# shellcheck disable=SC3045
	(ulimit -t 6; exec "$FLAMETOP" --no-config -q -j1 "$@" input) >out 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	exits 0 "$kind: very many with a very long name, in time, $*"
}
fast otlp-files 5000 60000000 --to=folded
is "$(cat out)" "main 25000" "otlp-files: each is there"
for kind in pprof-files otlp-addresses pprof-addresses firefox-files; do
	fast $kind 20000 15000000 --to=top
done
for to in firefox speedscope callgrind; do
	fast pprof-files 20000 15000000 --to=$to
done
fast pprof-lines 20000 15000000 --view=lines --function=main --to=text
fast pprof-lines 20000 15000000 --view=lines --to=json
fast pprof-lines 20000 15000000 --hot-lines --to=svg
fast callgrind-files 20000 15000000 --to=top
fast gecko-places 20000 15000000 --to=top
fast heaptrack-files 20000 15000000 --to=top
fast otlp-types 20000 15000000 --to=top
fast pprof-types 20000 15000000 --to=top
fast pprof-labels 20000 15000000 --split=label:main --to=top
fast pprof-units 20000 15000000 --split=label:main --to=top

# Each but the first is "the first 94 bytes of the one before", in a table of names of async-profiler.
names=400000
name=$(printf '%094d' 0)
{
	printf "<script>\n\tfunction f(key, level, left, width, inln, c1, int) {\n\t}\nconst cpool = [\n'all',\n' %s',\n" "$name"
	awk -v n=$names 'BEGIN { for (i = 0; i < n; i++) print "\047~\047,"; print "\047~x\047\n];" }'
	printf '\nn(0,3)\nu(8)\nu(%d)\nu(%d)\n\nsearch();\n' $((names * 8)) $(((names + 2) * 8))
} >input
"$tools/bombs" within 60 $((overhead + 6)) "$FLAMETOP" --no-config -q -j1 --to=folded input -o out 2>errors </dev/null
status=$?
err=$(head -c 2000 errors)
exits 0 "$names equal names in a table of prefixes"
is "$(cat out)" "$name;$name;${name}x 3" "frames have the names of their places in it"

"$tools/shared" pprof-addresses 3 5000 >input
run "$FLAMETOP" --no-config --to=folded input
is "$(printf %s "$out" | wc -L)" "$((1024 + 3 + 7 + 2))" "a name made of a long one has its first 1024 bytes and the rest"
says "*a very long name was cut*" "a note says that a name was cut"
"$tools/shared" pprof-labels 3 5000 >input
run "$FLAMETOP" --no-config --to=folded --split=label:main input
is "$out" "main=$(printf '%01024d' 0 | tr 0 A)... and 1 more;main 3" "a frame of several values has their first 1024 bytes"
"$tools/shared" pprof-units 1 5000 >input
run "$FLAMETOP" --no-config --to=folded --split=label:main input
is "$out" "main=1 $(printf '%01024d' 0 | tr 0 A)...;main 1" "so has one of a number with a long unit"
"$tools/shared" pprof-files 3 5000 >input
run "$FLAMETOP" --no-config --to=folded input
is "$err" "" "the name of a file is not cut"
for kind in pprof-files otlp-files firefox-files callgrind-files heaptrack-files gecko-places perf-places; do
	"$tools/shared" $kind 3 20000 >input
	run "$FLAMETOP" --no-config --to=json --srcline input
	says "*the middle of a very long path was cut out: AAAA*" "$kind: unless it is far longer than a path can be, which is told"
done
"$tools/shared" pprof-files 3 20000 >input
run "$FLAMETOP" --no-config -q --to=speedscope input
is "$(printf %s "$out" | sed -n 's/.*"file":"\(A*\.\.\.A*\)".*/\1/p' | head -1 | wc -c)" 16385 "its two ends are kept"
done_testing
