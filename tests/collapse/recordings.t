#!/bin/sh
# Recordings that are damaged, joined or cut off; and what is said of events and functions that are not there.
. "$(dirname "$0")/../tap.sh"

cp "$source/tests/data/aarch64/aarch64.data" one.data
for n in 8 12 15 50; do
	head -c $n one.data >cut.data
	for how in file stdin gz; do
		case $how in
		file) run "$FLAMETOP" --to=folded cut.data ;;
		stdin) run sh -c '"$FLAMETOP" --to=folded - <cut.data' ;;
		gz)
			gzip -c cut.data >cut.data.gz
			run "$FLAMETOP" --to=folded cut.data.gz
			;;
		esac
		exits 1 "$how: $n bytes are no recording"
		says "*ends in its header, after *" "$how: $n bytes: the header is what is cut off"
	done
done

for name in killed off-cpu; do
	recording=$source/tests/data/collapse/perf-data/$name.in
	records=$(od -An -tu8 -j40 -N8 "$recording" | tr -d ' ')
	for n in 104 200 $((records - 1)); do
		head -c "$n" "$recording" >cut.data
		run "$FLAMETOP" --to=folded cut.data
		exits 1 "$name: $n bytes hold no records"
		says "*the file ends in its header, after less than $records bytes" "$name: $n bytes: so many would be the header"
		run sh -c 'cat cut.data | "$FLAMETOP" --to=folded -'
		says "*ends in its header, after *" "$name: $n bytes from a pipe: the same words"
	done
done

# Copies of stacks of 64 bytes. `flametop sample` writes only what the kernel has filled.
stack_size() { # bytes, as printf has them
	cp "$source/tests/data/collapse/perf-data/dumps.in" dumps.data
	printf "$1" | dd of=dumps.data bs=1 seek=224 conv=notrunc 2>/dev/null
	run "$FLAMETOP" --to=folded --addrs dumps.data
}
stack_size '\100\0\0\0'
says "*stacks are cut*: record with --call-graph dwarf,128" "a copy as large as was asked for is cut"
stack_size '\0\100\0\0'
ok "one of less is whole" sh -c '! grep -q "stacks are cut" "$1"' sh "$dir/.err"

# The kernel marks a map as one with a build id if another program asked for ids, but not this one.
cp one.data marked.data
printf '\100' | dd of=marked.data bs=1 seek=293 conv=notrunc 2>/dev/null
run "$FLAMETOP" --to=folded --symfs="$source/tests/data/aarch64/root" one.data
plain=$out
run "$FLAMETOP" --to=folded --symfs="$source/tests/data/aarch64/root" marked.data
is "$out" "$plain" "a record's mark of a build id is ignored if the recording asked for none"
ok "it was set" sh -c '! cmp -s one.data marked.data'

cat one.data one.data >two.data
run "$FLAMETOP" --to=folded two.data
exits 0 "two joined recordings"
says "*something else follows the recording*" "the second is not lost without a word"
run sh -c 'cat two.data | "$FLAMETOP" --to=folded -'
says "*something else follows the recording*" "nor from a pipe"
for name in throttled killed packed; do # without features; of unknown length; a stream
	once=$source/tests/data/collapse/perf-data/$name.in
	cat "$once" "$once" >two.data
	run "$FLAMETOP" --to=folded two.data
	says "*joined*only the first is read*" "$name: the second is told"
	run "$FLAMETOP" --to=folded "$once"
	ok "$name: alone it has nothing behind it" sh -c '! grep -q joined "$1"' sh "$dir/.err"
done
run "$FLAMETOP" --to=folded one.data
ok "one recording has nothing behind it" sh -c '! grep -q follows "$1"' sh "$dir/.err"

printf 'x 1/1 [0] 1.0: 1 cycles:\n\t1 leaf+0x1 (/x)\n\t2 main+0x1 (/x)\n\n' >x.perf
run "$FLAMETOP" --to=folded --skip-after=main x.perf
ok "a function that --skip-after finds is no news" sh -c '! [ -s "$1" ]' sh "$dir/.err"
for name in mein module:x 'ma.n'; do
	run "$FLAMETOP" --to=folded --skip-after=$name --skip-after=leaf x.perf
	says "*--skip-after: no function has exactly this name: $name*" "--skip-after=$name, which nothing has, is said"
done

printf 'x 1/1 [0] 1.0: 1 cycles:u:  1 leaf+0x1 (/x)\nx 1/1 [0] 2.0: 1 cycles:  1 main+0x1 (/x)\n' >lines.perf
run "$FLAMETOP" --to=folded --sort=name lines.perf
is "$out" "x;leaf 1
x;main 1" "without stacks, cycles and cycles:u count as one, as in inferno"
printf '# event=a unit=ns 0\nx;y 18446744073709551615\n' >a.folded
printf '# event=b unit=ns 0\nx;y 18446744073709551615\n' >b.folded
run "$FLAMETOP" --to=folded a.folded b.folded
ok "counts of two events are not added up" sh -c '! grep -q "2^64" "$1"' sh "$dir/.err"
run "$FLAMETOP" --to=folded a.folded a.folded
says "*2^64*" "those of one are"
# A ';' in a name ends a frame in folded stacks, so it is ':' everywhere.
like "$("$FLAMETOP" -q --to=top "$source/tests/data/collapse/perf-data/all.in")" "*memfd:lib:so*" "a name is the same in tables and in folded stacks"

done_testing
