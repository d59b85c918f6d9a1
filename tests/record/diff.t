#!/bin/sh
# Two real recordings of a small program, before and after a known change; and two of the same program.
. "$(dirname "$0")/../tap.sh"

CC=${CC:-cc}
PERF=$(command -v perf) || skip_all "perf is not installed" # a perf named by PERF is tried despite kernel.perf_event_paranoid
export PERF
command -v "$CC" >/dev/null || skip_all "there is no compiler ($CC)"
perf record -q -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
perf script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"

cat >work.c <<'END'
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned long sink;

/* In registers, so that a step takes the same time in every run: through memory, it takes a cycle or five. */
#define CHURN(n) \
	do { \
		unsigned long x = sink; \
		for (unsigned long i = 0; i < (n); i++) \
			x = (x ^ i) * 0x5851f42d4c957f2d; \
		sink = x; \
	} while (0)

APART static void read_input(void) { CHURN(9000); sink++; }
APART static void parse_input(unsigned long n) { CHURN(n); sink++; }
APART static void write_output(void) { CHURN(6000); sink++; }

int main(int argc, char **argv)
{
	unsigned long size = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	/* A round is far shorter than the time between samples: all of these would meet the same part of a long one. */
	for (int i = 0; i < 15000; i++) {
		read_input();
		parse_input(size);
		write_output();
	}
	return 0;
}
END
"$CC" -O1 -g -fno-omit-frame-pointer -o work work.c >/dev/null 2>&1 || skip_all "$CC cannot compile here"

# Only the program's own time: the kernel's time varies with the machine's load.
record() { # output, size
	"$FLAMETOP" record -e cpu-clock:u -F 999 --call-graph=fp -o "$1" -- ./work "$2" 2>record.err
}
recorded() { # output, size: explains if there is too little to compare
	record "$@"
	awk '{ n += $NF } END { exit n < 200e6 }' "$1"
	tap_result $? "$1 has a fifth of a second" "$(cat record.err "$1")"
}
record before.folded 3000 || skip_all "nothing can be recorded here: $(head -n 1 record.err)"
grep -q 'parse_input' before.folded || skip_all "recordings have no symbols here"
recorded again.folded 3000
recorded after.folded 12000

run "$FLAMETOP" --to=top --diff=before.folded after.folded
exits 0 "two recordings compare"
like "$(printf '%s\n' "$out" | sed -n 3p)" "*parse_input" "the function that changed stands in the first row"
run "$FLAMETOP" --to=markdown --diff=before.folded --fail-above=5 after.folded
exits 3 "the change trips the gate"
says "*parse_input: self +*" "which names it first"
run "$FLAMETOP" --to=top --diff=after.folded before.folded
prints "*parse_input*" "the other way round it shrank"
run "$FLAMETOP" --to=markdown --diff=after.folded --fail-above=0 before.folded
ok "and is not said to have grown" sh -c '! grep -q "parse_input" .err'

# On a busy machine, the shares of two runs differ by more than sampling explains; a gate has a limit for that.
run "$FLAMETOP" --to=markdown --diff=before.folded --fail-above=3 again.folded
exits 0 "two recordings of the same program trip no gate"

# The same without folding: perf's own output, whose weights are nanoseconds or cycles.
perf record -q -e cpu-clock:u -F 999 -g -o a.data -- ./work 3000 >/dev/null 2>&1
perf record -q -e cpu-clock:u -F 999 -g -o b.data -- ./work 3000 >/dev/null 2>&1
perf script -i a.data >a.perf 2>/dev/null
perf script -i b.data >b.perf 2>/dev/null
run "$FLAMETOP" --to=top --diff=a.perf b.perf
counted=$(printf '%s\n' "$out" | sed -n 's/.*; \([0-9,]*\) samples before.*/\1/p' | tr -d ,)
recorded=$(grep -c '^work' a.perf)
ok "samples are counted, not their weights ($counted of $recorded)" \
	test "${counted:-0}" -gt $((recorded / 4)) -a "${counted:-0}" -le "$recorded"
run "$FLAMETOP" --to=top --diff=a.perf --fail-above=3 b.perf
exits 0 "recordings as perf prints them trip no gate either"

done_testing
