#!/bin/sh
# detect.t - detects formats without file names: compressed, through a pipe, and with a byte order mark; refuses
# unknown texts with advice.
: "${FLAMETOP:?path of the program to test}"
cd "$(dirname "$0")/../data/collapse" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

ok() { # STATUS NAME
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $2"
	sed 's/^/# /' "$tmp/out" "$tmp/err" | head -20
}

skip() { # NAME REASON
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
	[ -z "${TESTS_SKIPPED-}" ] || printf '%s\t1\t%s\n' tests/collapse/detect.t "$2" >>"$TESTS_SKIPPED"
}

# The first input of a format that needs no options and causes no messages.
plain_input() { # FORMAT
	for f in "$1"/*.in; do
		if [ -s "${f%.in}.folded" ] && { [ ! -e "${f%.in}.case" ] || ! grep -q 'options=\|detect=no\|status=' "${f%.in}.case"; }; then
			echo "${f%.in}"
			return
		fi
	done
}

same() { # WANTED, of the output in $tmp/out
	diff "$1" "$tmp/out" >"$tmp/diff" 2>&1
}

for format in *; do
	input=$(plain_input "$format")
	[ -n "$input" ] || continue
	"$FLAMETOP" --to=folded "$input.in" >"$tmp/out" 2>"$tmp/err"
	same "$input.folded" || continue # asked for by name only
	# shellcheck disable=SC2002 # a pipe is what is tested
	cat "$input.in" | "$FLAMETOP" --to=folded >"$tmp/out" 2>"$tmp/err"
	same "$input.folded"
	ok $? "$format is recognised through a pipe"
	for tool in gzip zstd xz; do
		if command -v $tool >/dev/null; then
			$tool -c <"$input.in" >"$tmp/packed" 2>/dev/null
			"$FLAMETOP" --to=folded - <"$tmp/packed" >"$tmp/out" 2>"$tmp/err"
			same "$input.folded"
			ok $? "$format is recognised when compressed by $tool"
		else
			skip "$format is recognised when compressed by $tool" "no $tool"
		fi
	done
	case $format in pprof | jfr) continue ;; esac # no text
	mark=$(printf '\357\273\277')
	{ printf '%s' "$mark"; sed "1s/^$mark//" "$input.in"; } >"$tmp/marked"
	"$FLAMETOP" --to=folded "$tmp/marked" >"$tmp/out" 2>"$tmp/err"
	same "$input.folded"
	ok $? "$format is recognised behind a byte order mark"
	if { printf '\377\376' && sed "1s/^$mark//" "$input.in" | iconv -f UTF-8 -t UTF-16LE; } >"$tmp/wide" 2>/dev/null; then
		"$FLAMETOP" --to=folded "$tmp/wide" >"$tmp/out" 2>"$tmp/err"
		same "$input.folded"
		ok $? "$format is recognised in UTF-16"
	fi
done

refused() { # TEXT NAME, of $tmp/in
	"$FLAMETOP" --to=folded "$tmp/in" >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -e "$1" "$tmp/err"
	ok $? "$2"
}

: >"$tmp/in"
refused 'empty' 'an empty file is reported as empty'
printf '\n  \n' >"$tmp/in"
refused 'empty' 'a blank file is reported as empty'
printf 'Total number in stack (recursive counted multiple, when >=5):\nCall graph:\n    2 f  (in a)\n' >"$tmp/in"
refused 'not a profile format' 'a report of sample without its beginning is refused'
printf 'FLR\0\0\1rest' >"$tmp/in"
refused 'JDK Mission Control' 'a Flight Recorder recording of Java 7 is named, with a remedy'
printf 'FLR\0\0\1rest' | gzip -c >"$tmp/in"
refused 'JDK Mission Control' 'the same when it is compressed'
printf 'PERFILE2' | "$FLAMETOP" --to=folded >"$tmp/out" 2>"$tmp/err"
[ $? = 1 ] && grep -q 'ends in its header' "$tmp/err"
ok $? 'a perf.data recording through a pipe is read, and what is wrong with it is said'
printf 'PERFILE2%0100d' 0 >"$tmp/in"
export PERF=true # which has nothing to say
refused 'a recording without samples' 'a perf.data recording without samples is not reported as an empty file'
unset PERF
printf 'PERFFILExxxxxxxxxxxxxxxxxxxx' >"$tmp/in"
refused 'before Linux 2.6.33' 'an old perf.data recording is named'
printf '\n\7\100\1\102\3abc\n\2\120\1\n\4\100\1\120\1' >"$tmp/in"
refused 'traceconv' 'a trace of Perfetto is named, with a remedy'
printf '\n\7\100\1\102\3abc\n\2\10\1\n\4\100\1\120\1' >"$tmp/in"
refused 'not a profile format' 'another message of protocol buffers is not'
printf '\373)\3\372\10<string>\351\1\0\0' >"$tmp/in"
refused 'py-spy' 'a profile of cProfile is named, with a remedy'
printf 'JAVA PROFILE 1.0.2\0\0\0\0\10' >"$tmp/in"
refused "Java's objects" 'a dump of objects is named'
printf 'JAVA PROFILE 1.0.1, created Tue\n' >"$tmp/in"
refused 'old hprof' 'and so is the text that began alike'
printf 'execve("./k", ["./k"], 0x7fff /* 41 vars */) = 0\nbrk(NULL) = 0x5630\n' >"$tmp/in"
refused 'strace -k' 'system calls without stacks are named, with a remedy'
printf '\177ELF\2\1\1' >"$tmp/in"
refused 'flametop record' 'a program is named, and how to profile it'
printf 'PK\3\4' >"$tmp/in"
refused 'zip' 'an archive is named'
printf '\377\376a\0;\0b\0 \0' | gzip >"$tmp/in"
refused 'iconv' 'compressed UTF-16 is named, with a remedy'
printf '\377\376a\0;\0b\0 \0001\0\n\0x' >"$tmp/in"
"$FLAMETOP" --to=folded "$tmp/in" >"$tmp/out" 2>"$tmp/err"
[ $? = 0 ] && [ "$(cat "$tmp/out")" = 'a;b 1' ] && grep -q 'UTF-16 data end early' "$tmp/err"
ok $? 'UTF-16 that ends within a character: what came before is read, and that is said'
printf 'some\0binary' >"$tmp/in"
refused 'binary' 'other binary data are reported as binary'
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n' >"$tmp/in"
refused 'picture' 'an SVG is reported as a picture'
printf '<?xml version="1.0"?><plist/>\n' >"$tmp/in"
refused 'xctrace: XML without <trace-query-result>' 'unknown XML is compared with xctrace'
printf '{"a":1}\n' >"$tmp/in"
refused 'chrome-tracing: JSON without "traceEvents"' 'unknown JSON is compared with traces'
printf 'desc: x\nevents: Ir\nfn=main\n1 2\n' >"$tmp/in"
refused 'cachegrind' 'functions without calls are named'
printf 'Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %%   cumulative   self\n' >"$tmp/in"
refused 'gprof' 'and so is a flat profile'
printf 'fn=main\nand no more\n' >"$tmp/in"
refused "it begins 'fn=main'" 'one of the words alone names nothing'
printf '<!DOCTYPE html>\n<html><head>\n' >"$tmp/in"
refused 'web page' 'a web page is named'
printf 'this\nis none\nof them\n' >"$tmp/in"
refused "it begins 'this'" 'text of no format is quoted'
printf 'a;b 1\nnone\nnot a count\n' >"$tmp/in"
refused 'folded: fewer than' 'the nearest formats are listed with the missing marks'
printf '\n\na;b 1e400\n' >"$tmp/in"
refused ':3: bad count' 'an invalid count is reported with its line'
printf 'a;b \033[31m\n' >"$tmp/in"
refused 'a;b' 'quoted input is cleaned'
! grep -q "$(printf '\033')" "$tmp/err"
ok $? 'no escape sequence of an input reaches the terminal'
! "$FLAMETOP" -f nonsense --to=folded "$tmp/in" >"$tmp/out" 2>"$tmp/err" && grep -q nonsense "$tmp/err"
ok $? 'a format that does not exist is refused'

echo "1..$count"
[ "$failed" = 0 ]
