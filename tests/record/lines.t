#!/bin/sh
# Lines and instructions of programs that are compiled and recorded here. A known line takes most of the time.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
cat >hot.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	return x * 2654435761u + 12345;
}
__attribute__((noinline)) unsigned hot(volatile unsigned *state, int n)
{
	unsigned sum = 0;
	for (int i = 0; i < n; i++)
		sum += (*state = mix(*state)) / ((*state & 255) + 3) % ((*state & 127) + 5) / ((*state & 63) + 7); /* line 11 */
	return sum;
}
__attribute__((noinline)) int work(volatile unsigned *state)
{
	return (int)hot(state, 30000000) + 1; /* line 16 */
}
int main(int argc, char **argv)
{
	volatile unsigned state = (unsigned)argc;
	int sum = 0;
	(void)argv;
	for (int i = 0; i < 3; i++)
		sum += work(&state);
	printf("%d\n", sum);
	return 0;
}
END

sample() { # NAME OPTION...: compiles hot.c and records it
	name=$1
	shift
	"$@" -o "$name" >cc.err 2>&1 && "$FLAMETOP" sample -q -F 997 -o "$name.data" -- "./$name" >/dev/null 2>&1
}
share() { # NAME FUNCTION LINE COLUMN: percent of all, 0 if the line has none
	"$FLAMETOP" -q --no-config --to=lines --function="$2" "$1.data" 2>/dev/null |
		awk -v l="$3" -v c="$4" '$NF == l { gsub("%", ""); print NF == 3 ? $c : c == 2 ? $1 : 0; found = 1; exit }
			END { if (!found) print 0 }'
}
unlike() { # text, shell pattern, name
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $1 in $2) tap_result 1 "$3" "$1" ;; *) tap_result 0 "$3" ;; esac
}
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

sample plain cc -O1 -g -fno-omit-frame-pointer hot.c || skip_all "programs cannot be recorded here"
"$FLAMETOP" -q --to=lines plain.data >lines 2>why || skip_all "$(cat why)"
grep -q hot.c lines || skip_all "built without libdw"
ok "the hot line has most of the time: $(share plain hot 11 1) %" at_least "$(share plain hot 11 1)" 80
ok "its caller has that as the total of the line of the call: $(share plain work 16 2) %" at_least "$(share plain work 16 2)" 80
run "$FLAMETOP" -q --no-config --to=lines --function=hot --with-source plain.data
like "$out" "*hot: self*$dir/hot.c
*  11 *sum += *" "the source is found where it was compiled"

# Other ways of compiling.
variant() { # NAME COMMAND...
	name=$1
	shift
	if sample "$name" "$@"; then
		found=$(share "$name" "$function" 11 2)
		ok "$name: the line has most of the time: $found %" at_least "$found" 80
	else
		skip "$name: $(head -1 cc.err)"
	fi
}
skip() { tap_result 0 "skipped: $1"; }
function=hot
variant O0 cc -O0 -g -fno-omit-frame-pointer hot.c
variant O2 cc -O2 -g -fno-omit-frame-pointer hot.c
variant dwarf4 cc -O1 -gdwarf-4 -fno-omit-frame-pointer hot.c
variant split cc -O1 -g -gsplit-dwarf -fno-omit-frame-pointer hot.c
function='/^hot/'
variant lto cc -O2 -g -flto -fno-omit-frame-pointer hot.c
function=hot
variant map cc -O1 -g -fno-omit-frame-pointer "-ffile-prefix-map=$dir=/built/there" hot.c
variant clang clang -O1 -g -fno-omit-frame-pointer hot.c
cp hot.c hot.cc
function='/^hot/'
variant cxx c++ -O1 -g -fno-omit-frame-pointer hot.cc
function=hot
if [ -e map.data ]; then
	run "$FLAMETOP" -q --no-config --to=lines --function=hot --with-source --path-map="/built/there=$dir" map.data
	like "$out" "*  11 *sum += *" "a path map leads to the source"
fi

# Rust.
cat >hot.rs <<'END'
#[inline(never)]
fn hot(state: &mut u32, n: u32) -> u32 {
    let mut sum = 0u32;
    for _ in 0..n {
        *state = state.wrapping_mul(2654435761).wrapping_add(12345);
        sum = sum.wrapping_add(*state / ((*state & 255) + 3) % ((*state & 127) + 5) / ((*state & 63) + 7)); // line 6
    }
    sum
}
fn main() {
    let mut state = std::env::args().count() as u32;
    println!("{}", hot(&mut state, 90_000_000));
}
END
if sample rust rustc -C opt-level=1 -C force-frame-pointers=yes -g hot.rs; then
	found=$(share rust hot::hot 6 2)
	ok "rust: the line has most of the time: $found %" at_least "$found" 60
else
	skip "rust: $(head -1 cc.err)"
fi

# Nothing to find lines in.
sample plainer cc -O1 -fno-omit-frame-pointer hot.c
run "$FLAMETOP" -q --no-config --to=lines --function=hot plainer.data
like "$out" "*line *(plainer: no debug information: compile with -g*
*%       -  line unknown*" "why no line is known, in a text"
run "$FLAMETOP" -q --no-config --to=md --view=lines --function=hot plainer.data
like "$out" "*line | *plainer: no debug information*| unknown |*" "in a table"
run "$FLAMETOP" --no-config --screen=110x12 --keys=_ --view=lines --with-source --function=hot plainer.data
like "$out" "*without a line  (plainer: no debug information: compile with -g*" "and on the screen"

# A source that is newer than the program.
touch -d '+1 hour' hot.c
run "$FLAMETOP" --no-config --screen=100x24 --keys=_ --view=lines --with-source --function=hot plain.data
like "$out" "*hot.c*newer than the program*" "a source that is newer is said to be"
run "$FLAMETOP" -q --no-config --to=lines --function=hot --with-source plain.data
like "$out" "*line *hot.c (newer than the program: lines may have moved)*" "in a text, too"
run "$FLAMETOP" -q --no-config --to=md --view=lines --function=hot --with-source plain.data
like "$out" "*line | *hot.c* (*newer than the program: lines may have moved*) |*" "and in a table"
touch -d '-1 hour' hot.c

# DWARF 5 of clang has the checksum of a source, and on request the source itself.
with_source() { # NAME
	run "$FLAMETOP" -q --no-config --to=lines --function=hot --with-source "$1.data"
}
sources() { # NAME CLANG-OPTION...
	sed '1,2s/.*//; s/printf(.*);/;/' hot.c >summed.c # without headers, which are not embedded
	name=$1
	shift
	sample "$name" clang -O1 -gdwarf-5 -fno-omit-frame-pointer "$@" summed.c || return 1
	touch -d '+1 hour' summed.c
	with_source "$name"
	like "$out" "*line  $dir/summed.c
*  11 *sum += *" "$name: a source with the same checksum is that of the program, also if it is newer"
	echo >>summed.c
	touch -d '-1 hour' summed.c
	with_source "$name"
	like "$out" "*summed.c (another version: its checksum differs)
*  11 *sum += *" "$name: with another one it is another version, also if it is older"
	run "$FLAMETOP" --no-config --screen=140x24 --keys=_ --view=lines --with-source --function=hot "$name.data"
	like "$out" "*summed.c*another version: its checksum differs*" "$name: on the screen, too"
	if command -v objdump >/dev/null; then
		run "$FLAMETOP" --no-config --screen=100x60 --keys=_ --view=instructions --with-source --function=hot "$name.data"
		like "$out" "*summed.c:11  sum +=*" "$name: instructions are shown under the lines"
	fi
	rm summed.c
	with_source "$name"
}
if sources clang5; then
	like "$out" "*summed.c (No such file or directory)*" "without a file there is no text"
	sources compressed -gz=zlib || skip "clang5: $(head -1 cc.err)"
else
	skip "clang5: $(head -1 cc.err)"
fi
if sources embedded -gembed-source; then
	like "$out" "*summed.c (from the debug information)
*  11 *sum += *" "a source in the debug information is shown where there is no file"
	run "$FLAMETOP" --no-config --screen=140x24 --keys=_ --view=lines --with-source --function=hot embedded.data
	like "$out" "*$dir/summed.c  (from the debug information)*" "on the screen, too"
	run "$FLAMETOP" -q --no-config --to=lines --function=hot embedded.data
	unlike "$out" "*sum += *" "but not in an export without --with-source"
else
	skip "embedded: $(head -1 cc.err)"
fi

# By module, a process may have the name of one.
run "$FLAMETOP" -q --no-config --group=module --to=lines "--function=plain (process)" plain.data
like "$out" "plain.data*plain (process): self 0 s 0.0%, total*" "the process has no lines of the module of its name"
unlike "$out" "*hot.c*" "not one"

# Instructions.
if command -v objdump >/dev/null; then
	run "$FLAMETOP" --no-config --screen=100x60 --keys=v --view=lines --with-source --function=hot plain.data
	like "$out" "*hot *offset*instruction*hot.c:11  sum +=*div *" "v shows the instructions under their lines"
	ok "with most of the samples at the divisions" at_least "$(printf '%s\n' "$out" | awk '/%.*%.*[+]/ { gsub("%", ""); s += $1 } END { print s + 0 }')" 80
	run "$FLAMETOP" --no-config --screen=100x60 --keys=_ --view=instructions --with-source --function=hot plain.data
	like "$out" "*hot *offset*instruction*hot.c:11  sum +=*div *" "--view=instructions begins with them"
	run "$FLAMETOP" --no-config --view=instructions --function=hot -o out.txt plain.data
	exits 2 "no file can show them"
	says "*no file can show instructions*" "and that is said"
	run "$FLAMETOP" --no-config --screen=100x60 --keys=vv --view=lines --with-source --function=hot plain.data
	like "$out" "*  11*sum += *line 11: *" "v again the lines, the cursor where it was"
	# Numbers of samples, from percentages of known numbers.
	if command -v perf >/dev/null && perf annotate --stdio -s hot -i plain.data >annotated 2>/dev/null; then
		start=$(nm plain | sed -n 's/ [tT] hot$//p')
		n=$(sed -n 's/.*(\([0-9]*\) samples.*/\1/p' annotated | head -1)
		awk -v n="${n:-0}" '/^ +[0-9.]+ +: +[0-9a-f]+:/ && $1 > 0 { sub(":", "", $3); printf "%.0f %s\n", $1 * n / 100, $3 }' annotated |
			while read -r count address; do printf '%x %s\n' $((0x$address - 0x$start)) "$count"; done | sort >perf
		n=$(perf script -i plain.data -F ip,sym 2>/dev/null | awk '/^$/ { s += hot; hot = 0 } / hot$/ { hot = 1 } END { print s + hot }')
		"$FLAMETOP" --no-config --screen=100x200 --keys=v --focus=hot --view=lines --with-source --function=hot plain.data |
			awk -v n="$n" '
				/%.*[+][0-9a-f]+ / { for (i = 2; i <= NF; i++) if ($i ~ /^[+][0-9a-f]+$/) { c = sprintf("%.0f", $1 * n / 100); if (c > 0) print substr($i, 2), c; break } }' |
			sort >ours
		[ -s perf ] && is "$(cat ours)" "$(cat perf)" "every instruction has as many samples as in perf annotate"
	fi
	mkdir none
	run env "PATH=$dir/none" "$FLAMETOP" --no-config --screen=100x24 --keys=v --view=lines --with-source --function=hot plain.data
	like "$out" "*instructions need objdump: install binutils*" "without objdump its package is named"
fi

done_testing
