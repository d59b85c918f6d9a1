#!/bin/sh
# Calls that fail, one after the other: memory, files, pipes, processes, threads. faults.c lists the requirements.
# ONLY=live runs the scenarios with that in their names.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers want the allocator for themselves"
built=${FLAMETOP_BUILD:-$source/build}/tests/torture
[ -f "$built/shim.so" ] || skip_all "no shim on this system"

mkdir in
i=0
while [ $i -lt 200 ]; do
	echo "main;read_$((i % 17));parse;lex_$((i % 5)) $((i + 1))"
	echo "main;write $i"
	i=$((i + 1))
done >in/a.folded
sed 's/ 1/ 2/; s/write/flush/' in/a.folded >in/b.folded
gzip -c in/a.folded >in/a.folded.gz
i=0
while [ $i -lt 120 ]; do
	printf 'worker %d %d.%06d: 1000 cycles:\n\t  401%03d lex_%d+0x1 (/bin/worker)\n\t  402000 parse+0x9 (/bin/worker)\n\t  400000 main+0x2 (/bin/worker)\n\n' \
		$((100 + i % 3)) $((i / 50)) $((i * 1000)) $i $((i % 7))
	i=$((i + 1))
done >in/t.perf
printf 'PERFILE2%0100d' 0 >in/perf.data
# perf: prints samples, into the file after -o when it records; with the command `stay` it runs until it is ended.
cat >in/perf <<'END'
#!/bin/sh
mode=$1 last='' from=in/t.perf to=-
for word; do
	case $last in
	-o) to=$word ;;
	-i) [ "$mode" = record ] || from=$word ;;
	esac
	last=$word
done
case $from in */perf.data) from=in/t.perf ;; esac
case $mode:$to in
record:-) cat in/t.perf ;;
record:*) exec cat in/t.perf >"$to" ;;
*) exec cat "$from" 2>/dev/null ;; # its file may be gone if flametop ended
esac
[ "${last##*/}" != stay ] || exec sleep 60
END
cp /bin/true in/stay
chmod +x in/perf
printf '_ZN4core3fmt9Formatter3padE;_ZNSt6vectorIiSaIiEE9push_backERKi 3\n_RNvCs1234_7mycrate3foo;plain 4\n' >in/m.folded
cat >in/c.json <<'END'
{"traceEvents":[{"ph":"X","name":"outer","ts":0,"dur":100,"pid":1,"tid":1},
{"ph":"X","name":"inner","ts":10,"dur":30,"pid":1,"tid":1},{"ph":"X","name":"later","ts":50,"dur":20,"pid":1,"tid":1}]}
END

TERM=xterm-256color
TMPDIR=$dir
export TERM TMPDIR
exec "$built/faults" "$FLAMETOP" "$built/shim.so" "$dir" "${TORTURE:-}" "${ONLY:-}"
