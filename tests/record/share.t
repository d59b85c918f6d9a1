#!/bin/sh
# The real perf records a program with known shares: the profile is right to two percentage points.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

CC=${CC:-cc}
PERF=$(command -v perf) || skip_all "perf is not installed" # a perf named by PERF is tried despite kernel.perf_event_paranoid
export PERF
command -v "$CC" >/dev/null || skip_all "there is no compiler ($CC)"
perf record -q -e cpu-clock:u -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
perf script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"

# Three functions take turns by the program's CPU clock, which stops while other programs run.
cat >split.c <<'END_OF_C'
#include <stdio.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))
#define WORK(name) APART static void name(void) { for (unsigned long i = 0; i < 200000; i++) sink += i * i; sink++; }

static volatile unsigned long sink;
WORK(hot)
WORK(warm)
WORK(cool)

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double keep_on(void (*work)(void), double seconds)
{
	double from = now(), past;
	do
		work();
	while ((past = now() - from) < seconds);
	return past;
}

int main(void)
{
	double hottest = 0, all = 0;
	for (int i = 0; i < 30; i++) {
		double past = keep_on(hot, 0.060);
		hottest += past;
		all += past + keep_on(warm, 0.030) + keep_on(cool, 0.010);
	}
	FILE *f = fopen("truth.new", "w");
	return !f || fprintf(f, "%.2f\n", hottest * 100 / all) < 0 || fclose(f) != 0 || rename("truth.new", "truth") != 0;
}
END_OF_C
program=split-$$ # a unique name
"$CC" -O1 -g -fno-omit-frame-pointer -o "$program" split.c >/dev/null 2>&1 || skip_all "$CC cannot compile here"

# The share of the widest leaf, and its name.
widest() {
	awk '{ weight = $NF; sub(/ [0-9]+$/, ""); n = split($0, frame, ";"); self[frame[n]] += weight; all += weight }
	     END { for (f in self) if (self[f] > self[best]) best = f; printf "%s %.2f\n", best, self[best] * 100 / all }' "$1"
}

near() { # share, name
	truth=$(cat truth)
	awk -v a="$1" -v b="$truth" 'BEGIN { d = a - b; exit !(a != "" && d >= -2 && d <= 2) }'
	tap_result $? "$2" "$1% were recorded, $truth% are true"
}

for way in dwarf fp; do
	run "$FLAMETOP" record -e cpu-clock:u --call-graph=$way -o $way.folded -- "./$program"
	exits 0 "$way: a recording of a known split"
	is "$(widest $way.folded | cut -d' ' -f1)" hot "$way: the widest leaf is the hot function"
	near "$(widest $way.folded | cut -d' ' -f2)" "$way: with its true share"
done

rm -f truth
term_start 110 24
type_line "clear; $FLAMETOP record --no-config -e cpu-clock:u -- ./$program"
shows "*cpu-clock*samples*" "live: samples come in while the program runs"
is "$(cat truth 2>/dev/null)" "" "live: and before it ends"
until_true test -s truth
is_over() { ! pgrep -f -- "-- [.]/$program\$" >/dev/null; }
until_true is_over
keys 2
shows_not "*recording*" "live: the recording ends with the program"
row=$(screen | grep '^ .*hot' | head -n 1)
like "$row" "*hot*" "live: the hot function stands in the table"
near "$(printf '%s\n' "$row" | grep -o '[0-9.]*%' | head -n 1 | tr -d %)" "live: with its true share"
like "$(screen)" "*hot*warm*cool*" "live: above the others"
leave
until_true matches "*ready>*"
ok "live: and nothing of it is left running" is_over

done_testing
