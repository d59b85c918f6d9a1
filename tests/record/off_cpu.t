#!/bin/sh
# --off-cpu: time off the CPU, with stacks and without, of flametop and of perf.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
"$FLAMETOP" sample -q --off-cpu --call-graph=fp -o probe.data -- true 2>why || skip_all "nothing can be sampled here: $(head -1 why)"
cat >waits.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long x;
static int ends[2];
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec + (double)t.tv_nsec / 1e9; }
__attribute__((noinline)) void compute(void) { for (int i = 0; i < 8000000; i++) x += (unsigned long)i; }
__attribute__((noinline)) void nap(void) { usleep(40000); x++; }
__attribute__((noinline)) void *take(void *arg) { char c; while (read(ends[0], &c, 1) > 0) x++; return arg; }
__attribute__((noinline)) void *give(void *arg) { for (int i = 0; i < 10; i++) { nap(); if (write(ends[1], "x", 1) < 0) break; } close(ends[1]); return arg; }
__attribute__((noinline)) void *spin(void *arg) { double end = now() + 0.5; while (now() < end) x++; return arg; }
/* Prints the time off the CPU in ns: the lives of the threads less what they used. */
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	double begin = now(), lived;
	pthread_t t[9];
	int n = 0;
	if (strcmp(how, "pipe") == 0 && pipe(ends) == 0) {
		pthread_create(&t[n++], NULL, take, NULL);
		pthread_create(&t[n++], NULL, give, NULL);
	} else if (strcmp(how, "crowd") == 0) {
		for (; n < 6; n++)
			pthread_create(&t[n], NULL, spin, NULL);
	} else if (strcmp(how, "asleep") == 0) {
		sleep(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
	} else {
		for (int i = 0; i < 8; i++) {
			nap();
			compute();
		}
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	lived = (now() - begin) * (n + 1);
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	lived -= (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	fprintf(stderr, "%.0f\n", lived * 1e9);
	return 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -pthread -o waits waits.c || skip_all "no C compiler"

# The weight of the stacks with these words, on or off the CPU, in ns.
of() { # REGEX FILE [OPTION...]
	regex=$1 file=$2
	shift 2
	"$FLAMETOP" -q --to=folded "$@" "$file" | awk -v re="$regex" '$0 ~ re { sum += $NF } END { printf "%.0f", sum }'
}

near() { # VALUE EXPECTED PERCENT
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= b * p / 100) }'
}

# Other work on the machine can hold up the program before and after what it measures itself. So a recording that sets
# $off is made again, up to five times, until that is what the program says.
try() { # PERCENT COMMAND
	for attempt in 1 2 3 4 5; do
		"$2" || return
		! near "$off" "$(cat off)" "$1" || return 0
		sleep "0.$attempt"
	done
}

# A program that sleeps and computes.
naps() {
	"$FLAMETOP" sample -q --off-cpu --call-graph=fp -o naps.data -- ./waits 2>off
	off=$(of '\\[(blocked|runnable)\\] [0-9]+$' naps.data)
}
try 4 naps
ok "time off the CPU is the wall clock less the CPU: $off of $(cat off) ns" near "$off" "$(cat off)" 4
near_all=$(of '.' naps.data --event=off-cpu)
is "$near_all" "$off" "all of the event off-cpu ends in a state"
is "$(of 'compute.*\\[blocked\\]' naps.data)" 0 "what computes is not blocked"
ok "both are shown at first" [ "$(of 'compute [0-9]+$' naps.data)" -gt 0 ]
is "$(of '\\[blocked\\]' naps.data --event=cpu-clock)" 0 "or only the time on the CPU"
run "$FLAMETOP" -q --to=top --event=all naps.data
exits 0 "--event=all names both"
run "$FLAMETOP" --to=folded --off-cpu=10 -o none naps.data
says "*are waits that are shorter than --off-cpu asks for and are left out*" "short times are left out, and counted"
for kind in text top svg markdown; do
	run "$FLAMETOP" -q --to=$kind --off-cpu=10 naps.data
	prints "*are waits that are shorter than --off-cpu asks for and are left out*" "$kind: a picture or table says so, too"
done
is "$(of '\\[blocked\\]' naps.data --off-cpu=10)" 0 "all of them, if all are short"

# What is waited for. By frame pointers, the caller of a function of the C library may be missing.
if [ "$(of 'main.*do_nanosleep.*\\[blocked\\]' naps.data)" -gt 0 ]; then
	ok "sleeping has its stack" near "$(of 'main.*do_nanosleep.*\\[blocked\\]' naps.data)" 320000000 25
	"$FLAMETOP" sample -q --off-cpu --call-graph=fp -o pipe.data -- ./waits pipe 2>off
	ok "so has a pipe" near "$(of 'pipe_read.*\\[blocked\\]' pipe.data)" 400000000 40
	ok "and a thread that is waited for" [ "$(of 'futex.*\\[blocked\\]' pipe.data)" -gt 300000000 ]
else
	skip 3 "the kernel's stacks are hidden here"
fi
crowd() {
	"$FLAMETOP" sample -q --off-cpu --call-graph=fp -o crowd.data -- ./waits crowd 2>off
	off=$(of '\\[(blocked|runnable)\\] [0-9]+$' crowd.data)
}
try 5 crowd
ok "threads that wait for a CPU are runnable" [ "$(of 'spin.*\\[runnable\\]' crowd.data)" -gt 100000000 ]
is "$(of 'spin.*\\[blocked\\]' crowd.data | awk '{ print ($1 > 100000000) }')" 0 "and not blocked"
ok "their times add up: $off of $(cat off) ns" near "$off" "$(cat off)" 5

# Who ends a wait.
wakes() {
	"$FLAMETOP" sample -q --off-cpu --wake-stack --call-graph=fp -o wakes.data -- ./waits pipe 2>off || return
	off=$(of '\\[(blocked|runnable)\\]' wakes.data --wake-stack)
}
if try 4 wakes; then
	ok "the reader of a pipe is woken by its writer" \
		[ "$(of 'pipe_read.*\\[blocked\\];.*;pipe_write|pipe_read.*\\[blocked\\];.*pipe_write' wakes.data --wake-stack)" -gt 200000000 ]
	ok "with wakers the times are the same: $off of $(cat off) ns" near "$off" "$(cat off)" 4
	is "$(of '\\[blocked\\];' wakes.data)" 0 "wakers are shown only if they are asked for"
	# A waker of another program, which runs on.
	if command -v python3 >/dev/null; then
		mkfifo woken
		python3 -c 'import os, time
while True: os.write(1, b"x"), time.sleep(.0001)' >woken 2>/dev/null &
		"$FLAMETOP" record --off-cpu --wake-stack -o woken.folded -- head -c 5000 woken >/dev/null 2>err
		wait
		is "$(grep -c 'too fast' err)" 0 "an interpreter that wakes up the program is none of its samples"
	else
		skip 1 "no python3"
	fi
else
	run "$FLAMETOP" sample -q --off-cpu --wake-stack -o wakes.data -- true
	exits 1 "who may not see wakers is told so"
	skip 3 "no right to record who wakes up threads"
fi
run "$FLAMETOP" record -q --wake-stack -- true
exits 2 "--wake-stack needs --off-cpu"

# A thread that sleeps when the recording begins, and when it ends.
./waits asleep 30 2>/dev/null &
sleeper=$!
sleep 0.2
"$FLAMETOP" sample -q --off-cpu --call-graph=fp --duration=0.6 -o asleep.data -p $sleeper
like "$("$FLAMETOP" -q --to=folded asleep.data)" "*nanosleep*" "a thread that is asleep all the time shows where"
ok "and counts" near "$(of '\\[blocked\\]' asleep.data)" 600000000 15
"$FLAMETOP" sample -q --off-cpu --call-graph=fp --duration=0.6 -o - -p $sleeper | "$FLAMETOP" -q --to=folded - >live
ok "in a pipe, too" near "$(awk '{ s += $NF } END { print s }' live)" 600000000 15
"$FLAMETOP" record -q --off-cpu --duration=0.6 -o live.folded -p $sleeper
like "$(cat live.folded)" "*main;*sleep*blocked*" "with copies of the stack, its callers, too"
ok "record passes the option on" near "$(awk '{ s += $NF } END { print s }' live.folded)" 600000000 15
kill $sleeper

# Without the right to sample the kernel: times, but no stacks.
"$FLAMETOP" sample -q --off-cpu -e cpu-clock:u --call-graph=fp -o user.data -- ./waits 2>off
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	mkdir -m 777 user && cp waits user && cp "$(readlink -f "$FLAMETOP")" user/flametop && chmod 755 . user/*
	of_user() {
		(cd user && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. \
			./flametop sample -q --off-cpu --call-graph=fp -o user.data -- ./waits) 2>off
		off=$(of '\\[(blocked|runnable)\\] [0-9]+$' user/user.data)
	}
	try 4 of_user
	ok "an ordinary user gets the times: $off of $(cat off) ns" near "$off" "$(cat off)" 4
	run "$FLAMETOP" --to=folded -o user.folded user/user.data
	says "*stacks off the CPU are approximate*" "and reads that their stacks are approximate"
	like "$(cat user.folded)" "*off-cpu*(approximate)*" "so is the event called"
else
	skip 3 "needs root, and kernel.perf_event_paranoid at 2"
fi

# The kernel fills in one sample for all who count the switches of a thread.
"$FLAMETOP" sample -q --off-cpu -F max -e context-switches -o own.data -- ./waits 2>off
is "$("$FLAMETOP" -q --split=event --to=folded own.data | sed 's/;.*//' | sort -u | tr '\n' ' ')" "context-switches off-cpu " \
	"switches are an event, and time off the CPU as well"
ok "the time is all there" near "$(of '\\[(blocked|runnable)\\] [0-9]+$' own.data --event=off-cpu)" "$(cat off)" 10
beside() { # OPTION... : what is recorded with another recorder beside it
	rm -f first.data second.data
	./waits asleep 30 2>/dev/null &
	target=$!
	"$FLAMETOP" sample --off-cpu --call-graph=fp -o first.data -p $target 2>first.err &
	first=$!
	until [ -s first.data ]; do sleep 0.1; done
	"$FLAMETOP" sample --off-cpu -o second.data "$@" -p $target 2>second.err &
	second=$!
	until [ -s second.data ]; do sleep 0.1; done
	for wait in 0.1 0.1 0.2; do kill -STOP $target; sleep $wait; kill -CONT $target; sleep $wait; done
	kill $second && wait $second
	kill $first && wait $first
	kill $target
}
beside --call-graph=fp
for which in first second; do
	run "$FLAMETOP" --to=folded --event=off-cpu -o $which.folded $which.data
	is "$(cat $which.err)$err" "" "the $which of two recorders has nothing to say"
	like "$(cat $which.folded)" "*waits;*schedule;[[]blocked]*" "and stacks off the CPU"
done
beside --call-graph=dwarf
if grep -q "lack callers" first.err; then
	like "$(cat first.err)" "*samples lack callers: another recorder counts the same*" "callers that the other did not ask for are told"
else
	skip 1 "this kernel fills in each sample on its own"
fi
run "$FLAMETOP" --to=folded --event=off-cpu -o first.folded first.data
is "$err" "" "and the samples are read without complaint"

# perf's recordings.
of_perf() {
	perf record -q -e cpu-clock -e context-switches/period=1/ --switch-events -g -o perf.data -- ./waits 2>off || return
	off=$(of '\\[(blocked|runnable)\\] [0-9]+$' perf.data --off-cpu)
}
with_perf() {
	"$FLAMETOP" record -q --with=perf --call-graph=fp --off-cpu -o perf.folded -- ./waits 2>off
	off=$(awk '/\[(blocked|runnable)\] [0-9]+$/ { s += $NF } END { printf "%.0f", s }' perf.folded)
}
if command -v perf >/dev/null && try 4 of_perf; then
	ok "a recording of perf has them with --off-cpu: $off of $(cat off) ns" near "$off" "$(cat off)" 4
	is "$(of '\\[blocked\\]' perf.data)" 0 "and counts switches without it"
	try 4 with_perf
	ok "perf records them for flametop: $off of $(cat off) ns" near "$off" "$(cat off)" 4
	ok "perf reads ours" sh -c 'perf script -i naps.data 2>/dev/null | grep -q "off-cpu:"'
else
	skip 4 "no perf here, or it cannot record"
fi

done_testing
