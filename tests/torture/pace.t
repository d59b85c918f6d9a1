#!/bin/sh
# Keys are answered within a tenth of a second during loading, folding, searching and drawing. pace.c describes the
# measurement. PACE_LOG=FILE gets the results.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take time of their own"
built=${FLAMETOP_BUILD:-$source/build}/tests/torture
[ -f "$built/shim.so" ] || skip_all "no shim on this system"
has_terminals || skip_all "no pseudo terminal"
TERM=xterm-256color
export TERM
many=1
[ "${TORTURE:-}" = all ] && many=2

keeps_pace() { # name, keys, arguments of flametop...
	name=$1
	keys=$2
	shift 2
	took=$("$built/pace" "$FLAMETOP" "$built/shim.so" "$keys" --no-config "$@" 2>&1)
	[ -z "${PACE_LOG:-}" ] || echo "$name: $took" >>"$PACE_LOG"
	case $took in
	'' | *[!0-9]*) tap_result 1 "$name" "$took" ;;
	*)
		[ "$took" -gt 0 ] && [ "$took" -lt 100000 ]
		tap_result $? "$name" "$took microseconds without a look at the keyboard"
		;;
	esac
}

awk -v n=$((many * 150000)) 'BEGIN {
	for (i = 0; i < n; i++)
		printf "main;m%d;q%d;fn_%d;leaf_%d %d\n", i % 40, i % 800, i % 90000, i, i % 7 + 1
}' >big.folded
keeps_pace "a large profile, moving about" 'jjllkhi' big.folded
keeps_pace "the order of time, callers first, other colours" 'tIc' big.folded
keeps_pace "a search as it is typed" '/lea.*7' big.folded
keeps_pace "the sandwich and the call tree" '3j~4j' big.folded
keeps_pace "the smallest share drawn" '++--' big.folded
gzip -1 -c big.folded >big.gz
keeps_pace "the same, compressed" 'jjI' big.gz
rm -f big.folded big.gz

awk 'BEGIN { for (i = 0; i < 150000; i++) print "main;a" i ";x 1" }' >wide.folded
keeps_pace "the call tree of a function that calls very many" '4jlGoR' wide.folded
keeps_pace "a count before the key to the heaviest functions" '09999*' wide.folded
keeps_pace "the same in the call tree" '409999*' wide.folded
rm -f wide.folded

for side in 3 7; do
	awk -v s=$side -v n=$((many * 150000)) 'BEGIN { for (i = 0; i < n; i++) print "main;f" i " " 1 + (i * s) % 1000 }' >side$side.folded
done
keeps_pace "a comparison of very many functions, and what changed" 'djj~d' --diff=side3.folded side7.folded
rm -f side3.folded side7.folded

awk -v n=$((many * 150000)) 'BEGIN { for (i = 1; i <= n; i++) printf "job %d %d.0: 1 cycles:\n\t1 go (/bin/x)\n\n", i, i }' >threads.perf
keeps_pace "the list of very many threads" 'Tj~Tk' -f perf threads.perf
rm -f threads.perf

"$built/bombs" deep-folded 1000000 >deep.folded
keeps_pace "a stack of a million frames" 'jkiI' deep.folded
keeps_pace "a search in it" '/f5~' deep.folded
awk 'BEGIN {
	print "["
	for (i = 0; i < 20000; i++)
		printf "{\"ph\":\"X\",\"name\":\"f%d\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1}%s\n", i, i, 40000 - 2 * i, i < 19999 ? "," : "]"
}' >nested.json
keeps_pace "callers first of nested spans, stopped and begun again" 'I<Esc>I<Esc>Ij' nested.json
keeps_pace "the same as a chart" 'tI<Esc>' nested.json
rm -f nested.json
"$built/bombs" deep-perf 500000 >deep.perf
keeps_pace "a perf sample of half a million frames" 'jk' deep.perf
"$built/bombs" long-line 100000000 >long.folded
keeps_pace "a name of a hundred million bytes" 'jjkk' long.folded
rm -f long.folded
"$built/bombs" backtracking 20000 >backtracking.folded
keeps_pace "a pattern that backtracks for ever" "/(a+)+\$~" backtracking.folded
"$built/bombs" mangled 200 >mangled.folded
keeps_pace "names that a demangler would never come back from" 'jj3' mangled.folded
head -c 100000000 /dev/zero | gzip -1 -c >zeros.gz
keeps_pace "a bomb of zeros" 'jj' zeros.gz
awk 'BEGIN { for (i = 0; i < 2000000; i++) print "main;work 1" }' | gzip -1 -c >lines.gz
keeps_pace "a bomb of lines" 'jjkk' lines.gz

done_testing
