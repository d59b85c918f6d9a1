#!/bin/sh
# Compressed perf recordings: perf gets the unpacked recording, in a seekable file.
. "$(dirname "$0")/../tap.sh"

for tool in gzip xz zstd; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
cat >perf <<'END'
#!/bin/sh
for file; do :; done
cmp -s "$file" recording || { echo "got something else" >&2; exit 1; }
tail -c 3 "$file" >/dev/null || exit 1
printf 'app 1/1 1.5: 3 cycles:\n\t a1 main (/bin/x)\n\n'
END
chmod +x perf
PERF=$dir/perf
export PERF
{ printf PERFILE2; head -c 300000 /dev/zero | tr '\0' x; echo end; } >recording

for tool in gzip xz zstd; do
	$tool -c recording >"perf.data.$tool"
	run "$FLAMETOP" --to=folded "perf.data.$tool"
	is "$out$err" "app;main 3" "a recording compressed by $tool is read"
done
mv perf.data.gzip old
run "$FLAMETOP" --to=folded old recording
is "$out$err" "app;main 6" "with any name, and among other inputs"
"$FLAMETOP" --to=folded - <old >said 2>&1
is "$(cat said)" "app;main 3" "standard input may be the file"
# shellcheck disable=SC2002 # a pipe is the point
cat old | "$FLAMETOP" --to=folded - >said 2>&1
exits_with=$?
is "$exits_with" 1 "perf reads no pipe"
is "$(cat said)" "flametop: stdin: a header of 8680820740569200760 bytes (expected 16 or 104)" "if it is damaged"
mkfifo pipe
cat old >pipe &
run "$FLAMETOP" --to=folded pipe
wait
exits 1 "so is a pipe with a name"
says "flametop: pipe: a header of*" "of which nothing is lost on the way to the message"

# A recording of a machine of the other byte order is one, too.
sed '1s/PERFILE2/2ELIFREP/' recording >swapped && mv swapped recording
gzip -c recording >swapped.gz
run "$FLAMETOP" --to=folded swapped.gz
is "$out$err" "app;main 3" "perf gets the unpacked recording of the other byte order as well"
data=$source/tests/data/collapse/perf-data
gzip -c "$data/big-endian.in" >big.gz
run "$FLAMETOP" --kernel --jit --to=folded big.gz
is "$out" "$(cat "$data/big-endian.folded")" "a compressed recording of the other byte order is read"
# shellcheck disable=SC2002 # a pipe is the point
cat big.gz | "$FLAMETOP" -q --kernel --jit --to=folded - >piped
is "$(cat piped)" "$out" "and through a pipe"
head -c 200 old >half
run "$FLAMETOP" --to=folded half
exits 1 "a recording that is cut short is refused"
says "flametop: half: *" "by its name"
TMPDIR=$dir/nowhere
export TMPDIR
run "$FLAMETOP" --to=folded old
exits 1 "without room to unpack it is refused"
says "flametop: old: temporary file in *" "and a message says so"
unset TMPDIR
printf 'a;b 1\n' | gzip -c >folded.gz
run "$FLAMETOP" --to=folded folded.gz
is "$out$err" "a;b 1" "other compressed files are read as ever"
for signal in PIPE KILL; do
	cat >perf-cut <<END
#!/bin/sh
printf 'app 1/1 1.5: 3 cycles:\n\t a1 main (/bin/x)\n\n'
kill -$signal \$\$
END
	chmod +x perf-cut
	PERF=$dir/perf-cut run "$FLAMETOP" --to=folded old
	is "$out" "app;main 3" "what perf printed before SIG$signal ended it is read"
	says "flametop: old: perf script ended with an error: perf script was killed by signal *" "and that it did is said"
done
PERF=$dir/nowhere run "$FLAMETOP" --to=folded old
exits 1 "without perf it is refused"
says "flametop: old: cannot start *install perf*" "with advice"

# A damaged recording of some kilobytes can make perf take all memory there is.
cat >perf-limit <<'END'
#!/bin/sh
limit() { awk '/^Max data size/ { print $4 }' /proc/$$/limits; }
i=0
while [ "$(limit)" = unlimited ] && [ $i -lt 500 ]; do
	i=$((i + 1))
	sleep .01
done
echo "at most $(limit)" >&2
exit 3
END
chmod +x perf-limit
if grep -q '^Max data size *unlimited' /proc/self/limits 2>/dev/null; then
	head -c 1000 /dev/zero >small.data
	printf PERFILE2 | dd of=small.data conv=notrunc 2>/dev/null
	PERF=$dir/perf-limit run "$FLAMETOP" --symbolizer=perf --to=folded small.data
	says "*at most 4294971296*" "perf script gets 4 GiB, and 4 bytes for each of the recording"
else
	skip 1 "no limit to be seen here"
fi

done_testing
