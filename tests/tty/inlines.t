#!/bin/sh
# The viewer shows a recording at once, and its inlined functions when they are known.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
PERF=$(command -v "${PERF:-perf}") || skip_all "no perf"
"$PERF" record -q -e cpu-clock:u -o - true >/dev/null 2>&1 || skip_all "perf may not record here"

cat >work.c <<'END'
#define INLINE static inline __attribute__((always_inline))
INLINE long twice(long x) { for (volatile int i = 0; i < 40; i++) x += i; return x * 2; }
__attribute__((noinline)) long spin(long n) { long x = 1; for (long i = 0; i < n; i++) x = twice(x) + 1; return x; }
int main(void) { return spin(5000000) == 7; }
END
cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work work.c 2>/dev/null || skip_all "no C compiler"
"$PERF" record -q -e cpu-clock:u -F 999 -g -o w.data -- ./work >/dev/null 2>&1 || skip_all "perf does not record here"
"$FLAMETOP" --to=folded --inline w.data 2>said | grep -q ';spin;twice ' || skip_all "built without libdw"

term_start 80 14
type_line "$FLAMETOP --no-config w.data"
shows "*twice*spin*main*" "inlined functions appear"
keys q
shows "*ready>*" "the viewer ends"
type_line "clear; $FLAMETOP --no-config --keys='wfirst.txt<Enter>q' w.data; echo ended \$?"
shows "*ended 0*" "keys of the command line wait for them"
ok "they are in what is written" grep -q twice first.txt
type_line "clear; $FLAMETOP --no-config --no-inline w.data"
shows "*spin*main*" "without them"
shows_not "*twice*" "there are none"
keys q
shows "*ready>*" "and the viewer ends"
mkfifo pipe
type_line "clear; cat w.data >pipe & $FLAMETOP --no-config pipe"
shows "*twice*spin*main*" "what can be read only once has them, too"
keys q q
shows "*ready>*" "and ends"

done_testing
