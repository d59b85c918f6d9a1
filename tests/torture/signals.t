#!/bin/sh
# Signals at random moments, on a pseudo terminal. See signals.c. SEED chooses the moments.
. "$(dirname "$0")/../tap.sh"

built=${FLAMETOP_BUILD:-$source/build}/tests/torture
[ -x "$built/signals" ] || skip_all "signals is not built"
has_terminals || skip_all "no pseudo terminal"

i=0
while [ $i -lt 300 ]; do
	echo "main;read_$((i % 17));parse;lex_$((i % 5));deep_$i $((i + 1))"
	i=$((i + 1))
done >a.folded
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "main;f%d;g%d;h%d;i%d %d\n", i % 40, i % 800, i % 5000, i, i % 7 + 1 }' >big.folded

# perf: sends many samples, and keeps running. The command `talk` prints more than a terminal holds.
awk 'BEGIN {
	for (i = 0; i < 300; i++)
		printf "w 1/1 %d.0: 1 cycles:\n\t1 leaf_%d+0x1 (/x)\n\t1 read_%d+0x1 (/x)\n\t1 main+0x1 (/x)\n\n", i, i, i % 17
}' >samples
cat >perf <<'END'
#!/bin/sh
[ "$1" != script ] || exec cat
case "$*" in *talk) seq 40000 >&2 ;; esac
cat samples
exec sleep 60
END
cp /bin/true stay
cp /bin/true talk
chmod +x perf
PERF=$dir/perf
export PERF

trials=2
[ "${TORTURE:-}" = all ] && trials=40
TERM=xterm-256color
EDITOR=true
unset VISUAL
# The sanitizer must not report signals that we send.
not_theirs=handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$not_theirs
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}$not_theirs
export TERM EDITOR ASAN_OPTIONS TSAN_OPTIONS
shim=$built/shim.so
if [ ! -f "$shim" ] || [ -n "${TESTS_SANITIZED:-}" ]; then # sanitizers have to come first themselves
	shim=
fi
exec "$built/signals" "$FLAMETOP" "$dir" "$trials" "${SEED:-$$}" ${shim:+"$shim"}
