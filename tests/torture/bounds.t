#!/bin/sh
# Small inputs that demand far too much: depth, expansion, backtracking. Each has limits of time and memory, and a
# stack of 256 KiB. The limits are several times the measured values, so that a slow machine passes; BOMBS_LOG=FILE
# gets the actual ones.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory and time of their own"
bombs=${FLAMETOP_BUILD:-$source/build}/tests/torture/bombs
[ -x "$bombs" ] || skip_all "bombs is not built"
million=1000000
mega=1
[ "${TORTURE:-}" = all ] && mega=4

bounded() { # seconds, MiB, status, name, arguments of flametop...
	seconds=$1
	mib=$2
	expected=$3
	name=$4
	shift 4
	[ -z "${BOMBS_LOG:-}" ] || printf '%s: ' "$name" >>"$BOMBS_LOG"
	# shellcheck disable=SC3045 # if unsupported, the stack keeps its size
	(ulimit -s 256 2>/dev/null; exec "$bombs" within "$seconds" "$mib" "$FLAMETOP" "$@") >said 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	exits "$expected" "$name"
}

"$bombs" deep-folded $million >deep.folded
for kind in folded text top svg; do
	bounded 20 900 0 "a million frames deep, as $kind" --to=$kind deep.folded
done
"$FLAMETOP" --to=folded deep.folded | cmp -s - deep.folded
tap_result $? "and folded again it is the same"
bounded 20 900 0 "a million frames deep, reversed" --reverse --to=folded deep.folded
bounded 20 900 0 "a million frames deep, as a chart" --flamechart --to=text deep.folded
bounded 20 900 0 "a million frames deep, filtered" --hide='^f1' --focus=f99 --ignore=nothing --to=folded deep.folded
bounded 20 900 0 "a million frames deep, recursion merged" --merge-recursion --to=top deep.folded
bounded 20 900 0 "a million frames deep, compared with itself" --diff=deep.folded --to=folded deep.folded
bounded 20 900 0 "a million frames deep, on the screen" --screen=100x30 --keys='/f5<Enter>nnnGgjjkk<Enter>ci' deep.folded
"$bombs" deep-perf $million >deep.perf
bounded 20 900 0 "a perf sample a million frames deep" --to=folded deep.perf
"$bombs" deep-chrome $million >deep.json
bounded 30 1500 0 "a trace a million calls deep" --to=top deep.json
rm -f deep.json

# Folded text of nested spans is as long as all their paths; time per byte is bounded, and output stops once it has no
# reader.
nest() { # depth
	awk -v n="$1" 'BEGIN {
		printf "{\"traceEvents\":["
		for (i = 0; i < 2 * n; i++)
			printf "%s{\"ph\":\"%s\",\"name\":\"f\",\"ts\":%d,\"pid\":1,\"tid\":1}", i ? "," : "", i < n ? "B" : "E", i
		print "]}"
	}'
}
nest 30000 >spans.json
spans() { # status, target, name, arguments of flametop...
	expected=$1
	where=$2
	name=$3
	shift 3
	[ -z "${BOMBS_LOG:-}" ] || printf '%s: ' "$name" >>"$BOMBS_LOG"
	# shellcheck disable=SC3045 # if unsupported, this takes a minute
	(ulimit -t 9 2>/dev/null; exec "$bombs" within 90 "${mib:-100}" "$FLAMETOP" "--to=${kind:-folded}" "$@" spans.json) >"$where" 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	exits "$expected" "$name"
}
spans 0 /dev/null "spans of one name, 30,000 deep, as folded stacks"
spans 0 /dev/null "and callers first" --reverse
[ ! -c /dev/full ] || spans 1 /dev/full "reading stops once the disk is full" --reverse

# A call graph of them has one call: time is that of frames, not of all paths.
nest 100000 >spans.json
kind=callgrind
mib=500
spans 0 x.callgrind "spans of one name, 100,000 deep, as a call graph"
spans 0 y.callgrind "and callers first" --reverse
spans 0 z.callgrind "and in order of time" --flamechart
for file in y z; do
	cmp -s x.callgrind $file.callgrind
	tap_result $? "all of these are equal ($file)"
done
like "$(cat x.callgrind)" '*
calls=1 0
0 199997000
*' "the call costs what all spans do but the outermost"
kind=''
mib=''
rm -f spans.json ./*.callgrind

# Each sample of a baseline looks for its event; that takes the same time for any number of events.
events() { # samples, events
	awk -v n="$1" -v all="$2" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "app 1 [000] %d.%06d: 1 event%d:\n\t10 f%d (/bin/app)\n\t20 main (/bin/app)\n\n",
				i / 1000, i % 1000 * 1000, i % all, i % 97
	}'
}
events 40000 20000 >events.perf
# shellcheck disable=SC3045 # if unsupported, this takes some seconds
(ulimit -t 3 2>/dev/null; exec "$FLAMETOP" -q -j1 --to=top --diff=events.perf events.perf) >said 2>errors </dev/null
status=$?
err=$(head -c 2000 errors)
exits 0 "20,000 events, compared"

"$bombs" nested-json $million >nested.json
bounded 20 300 0 "JSON nested a million deep is passed over" --to=folded nested.json
"$bombs" nested-json $million | head -c 900000 >cut.json
bounded 20 300 1 "JSON nested deep and cut short is an error" --to=folded cut.json
"$bombs" nested-xml $million >nested.xml
bounded 20 600 0 "XML nested a million deep holds no stacks" -f xctrace --to=folded nested.xml
"$bombs" laughing-xml 12 >laughing.xml
bounded 20 300 1 "XML entities that grow a trillion times are an error" -f xctrace --to=folded laughing.xml

long_xml() { # bytes of a comment
	printf '<?xml version="1.0"?>\n<trace-query-result><node><!--'
	head -c "$1" /dev/zero | tr '\0' x
	printf -- '--><row><backtrace id="1"><frame id="2" name="main"/></backtrace></row></node></trace-query-result>\n'
}
long_xml 60000000 >long.xml
bounded 20 600 0 "an XML comment of 60 MB is passed over" --to=folded long.xml
long_xml $((mega * 100000000)) >long.xml
bounded 20 600 1 "a longer one is an error" --to=folded long.xml
says "*long.xml:2: a tag or comment of more than 64 MiB *" "which names the line"
rm -f long.xml

"$bombs" long-line $((300 * 1000 * 1000)) >long.folded
bounded 60 1200 0 "a line of 300 MB is skipped" --to=top -f folded long.folded
says "*long.folded:1: line longer than *" "and a message says so"
bounded 60 1200 1 "one that nothing can be recognised by is an error" --to=top long.folded
"$bombs" long-line $((100 * 1000 * 1000)) >long.folded
bounded 60 1200 0 "a line of 100 MB is a stack" --to=top long.folded
rm -f long.folded
head -c $((mega * 256000000)) /dev/zero | tr '\0' 'x' >line
bounded 60 $((mega * 1400)) 1 "a line of 256 MB that is no stack is an error" --to=folded line
rm -f line

bomb() { # tool, name, arguments to make it
	tool=$1
	shift
	command -v "$tool" >/dev/null || { skip 2 "no $tool"; return; }
	head -c $((mega * 256000000)) /dev/zero | "$tool" -c "$@" >zeros
	bounded 60 $((mega * 1400)) 1 "a $tool bomb of zeros is no profile" --to=folded zeros
	awk 'BEGIN { for (i = 0; i < 4000000; i++) print "main;work 1" }' | "$tool" -c "$@" >lines
	bounded 60 200 0 "a $tool bomb of lines takes no more memory than one of them" --to=folded lines
}
bomb gzip -1
bomb xz -0
bomb zstd -1 -q

# Documents, and lines that are kept until the end: compressed, they are read up to 256 MiB.
kept() { # name, how many times, MiB, status
	"$bombs" "$1" "$2" | gzip >bomb.gz
	bounded 60 "$3" "$4" "a gzip bomb of $1 takes no more than what is read of it" --to=top bomb.gz
	says "*more than 256 MiB, and more than 200 times its size*" "and a message says so"
}
kept html $((24 * million)) 300 1
kept async-profiler-html $((50 * million)) 60 0
kept go $((18 * million)) 700 1
kept papyrus $((8 * million)) 400 1
head -c 600000000 /dev/zero | gzip -1 >zeros
printf 'main;work 1\n' >work.folded
for option in --nameattr --cp; do
	bounded 60 700 1 "$option: a bomb is an error" -o work.svg "$option=zeros" work.folded
	says "*zeros: more than 256 MiB*" "$option: and a message says so"
done

# Samples of one stack are one entry, whatever their number.
yes 'main;work 1' | head -c $((mega * 240000000)) >same.folded
yes 'main;work 1
main;rest 2' | head -c $((mega * 240000000)) >turns.folded
yes 'main;work 1.5
main;rest 2.25' | head -c $((mega * 120000000)) >parts.folded
mkfifo pipe
for kind in same turns parts; do
	bounded 60 60 0 "many lines, few stacks ($kind)" --to=top $kind.folded
	cat $kind.folded >pipe &
	bounded 60 60 0 "the same from a pipe" --to=top pipe
done
bounded 60 60 0 "with a baseline" --diff=turns.folded --to=top same.folded
bounded 60 60 0 "runs of equal samples, as a chart" --flamechart --to=top same.folded
rm -f same.folded parts.folded
if command -v zstd >/dev/null; then
	zstd -q --rm turns.folded
	bounded 60 60 0 "compressed" --to=top turns.folded.zst
	bounded 60 500 0 "compressed, on the screen, where the order may be asked for" --screen=80x24 turns.folded.zst
else
	skip 2 "no zstd"
fi
rm -f turns.folded*

# For pprof, memory grows with the samples, not with the bytes.
"$bombs" pprof $((mega * 25 * million)) >equal.pb
bounded 60 60 0 "many equal samples of pprof" --to=top equal.pb
"$bombs" pprof-inlined 10000 >inlined.pb
bounded 20 100 0 "many inlined calls at every place of a stack of pprof" --to=folded inlined.pb
is "$(sed 's/ .*//' said | tr ';' '\n' | sort | uniq -c | tr -s ' ')" " 10000 main" "each place has its function"
says "flametop: inlined.pb: stacks with too many inlined calls, which are left out" "and that calls are missing is said"
if command -v zstd >/dev/null; then
	zstd -q --rm equal.pb
	bounded 60 60 1 "of something compressed, no more than is likely" --to=top equal.pb.zst
	says "*equal.pb.zst: more than 256 MiB, and more than 200 times its size,*" "and a message says so"
else
	skip 3 "no zstd"
fi
rm -f equal.pb*

"$bombs" deep-folded $((10 * million)) >deeper.folded
for kind in folded top; do
	bounded 60 600 0 "a line of ten million frames, as $kind" --to=$kind deeper.folded
done
rm -f deeper.folded

"$bombs" mangled 200 >mangled.folded
bounded 20 200 0 "names that a demangler would never come back from" --to=folded mangled.folded
bounded 20 200 0 "the same on the screen" --screen=80x24 mangled.folded

"$bombs" backtracking 2000 >backtracking.folded
for option in --search --focus --ignore --hide --show --callers --callees; do
	bounded 20 200 0 "a pattern that backtracks for ever: $option" "$option=(a+)+\$" --to=folded backtracking.folded
done
bounded 20 200 0 "typed at the prompt, too" --screen=80x24 --keys='/(a+)+$<Enter>n' backtracking.folded
for pattern in '(((((a{1,100}){1,100}){1,100}){1,100}){1,100})' '(?R)' '\p{L' '((((((((((' '(?<n>a)(?&n)*' 'a{65536}' '(*NO_JIT)(a|b)*c'; do
	# shellcheck disable=SC3045
	(ulimit -s 256 2>/dev/null; exec "$bombs" within 20 300 "$FLAMETOP" "--search=$pattern" --to=text backtracking.folded) \
		>said 2>errors </dev/null
	status=$?
	ok "the pattern $pattern ends" test "$status" -le 2
done

# The seed of the hash tables is secret and different each time; the output is not.
"$bombs" many-names 50000 >names.folded
"$FLAMETOP" --to=svg --deterministic --minwidth=0 names.folded >one.svg
"$FLAMETOP" --to=svg --deterministic --minwidth=0 names.folded >two.svg
ok "two runs with two seeds draw the same" cmp -s one.svg two.svg
"$FLAMETOP" --to=top --top=100000 -j1 names.folded >one.top
"$FLAMETOP" --to=top --top=100000 -j2 names.folded >two.top
ok "and so do two threads" cmp -s one.top two.top

# Little memory in total: the program ends with a message, never a crash.
for kib in 60000 90000 120000 200000; do
	# shellcheck disable=SC3045
	(ulimit -v $kib 2>/dev/null; exec "$FLAMETOP" --to=svg -o out.svg deep.folded) >said 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	ok "with $kib KiB of address space it ends with 0 or 1" test "$status" -le 1
	[ "$status" -eq 0 ] || says "flametop: *" "and says why"
	[ "$status" -eq 0 ] || ok "and leaves no file" test ! -e out.svg
	rm -f out.svg
done
is "$(find . -name '.flametop-*' | wc -l | tr -d ' ')" 0 "no temporary file is left"

# Keys of bpftrace between stacks, each of which makes the frame of all keys longer.
{
	printf '@[\n    read+18\n'
	yes ',a,' | head -n 100000
	printf '    main+1\n]: 7\n'
} >keys.bpftrace
bounded 10 200 0 "a stack with very many keys" -f bpftrace --to=folded keys.bpftrace
# strace -f: ends of calls without a thread, after very many threads.
awk 'BEGIN {
	n = 200000
	for (i = 1; i <= n; i++) print i " read(3, <unfinished ...>\n" i " <... read resumed>) = 0\n > /bin/app(f+0x1) [0x1]"
	for (i = 1; i <= n; i++) print "7 read(3, <unfinished ...>\n<... read resumed>) = 0\n > /bin/app(f+0x1) [0x1]"
}' >threads.strace
bounded 10 400 0 "the last of very many threads" -f strace --to=folded threads.strace

done_testing
