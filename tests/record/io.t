#!/bin/sh
# --io: system calls that read and write, in bytes, time and calls.
. "$(dirname "$0")/../tap.sh"

unset PERF
run "$FLAMETOP" record -q --io -F 100 -- true
exits 2 "every call is counted, and no rate chosen"
says "*--io counts every call: it cannot be combined with --freq*" "and the message says so"
run "$FLAMETOP" record -q --memory -F 100 -- true
says "*--memory counts every call: it cannot be combined with --freq*" "also of --memory"
for way in --io --memory; do
	for other in '-e cycles' --off-cpu --ptrace '--cmd -g' --with=perf; do
		# shellcheck disable=SC2086 # two words
		run "$FLAMETOP" record -q $way $other -- true
		exits 2 "$way does not go together with $other"
		says "*$way cannot be combined with ${other% *}*" "a message names both"
	done
done
run "$FLAMETOP" record -q --io --memory -- true
exits 2 "nor --io with --memory"
says "*--memory cannot be combined with --io*" "a message names both"
run "$FLAMETOP" record -q --io=close -- true
exits 2 "calls that are not there"
says "*read, write or all*" "a message names those that are"

# The right to look up tracepoints is root's.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 777 other && cp "$(readlink -f "$FLAMETOP")" other/flametop && chmod 755 . other/flametop
	(cd other && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. \
		./flametop record --io -o user.folded -- true) 2>said
	ok "an ordinary user reads what is missing: $(head -1 said)" \
		grep -qE '^flametop: .*(--root records as root|mount -t tracefs|^flametop: this kernel )' said
	is "$(grep -c . said)" 1 "in one line"
else
	skip 2 "needs root"
fi

command -v cc >/dev/null || skip_all "no compiler"
cat >moves.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static char bytes[4096];
static long long waited;
static long long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
static void take(int fd, int n) { for (int i = 0; i < n; i++) if (read(fd, bytes, 1000) != 1000) _exit(3); }
static void give(int fd, int n) { for (int i = 0; i < n; i++) if (write(fd, bytes, 300) != 300) _exit(4); }
static void fail(int n) { for (int i = 0; i < n; i++) if (read(-1, bytes, 1) != -1) _exit(5); }
static void wait_for(int fd, int n) { for (int i = 0; i < n; i++) { long long t = now(); if (read(fd, bytes, 1) != 1) _exit(6); waited += now() - t; } }
int main(int argc, char **argv)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), ends[2];
	if (argc > 1) { /* until standard input ends */
		puts("begun"); fflush(stdout);
		char *end = argv[1];
		while (read(0, end, 1) > 0) { take(zero, 100); puts("done"); fflush(stdout); }
		return 0;
	}
	if (pipe(ends)) return 2;
	if (fork() == 0) { for (int i = 0; i < 4; i++) { usleep(50000); if (write(ends[1], "x", 1) != 1) _exit(1); } _exit(0); }
	take(zero, 700); give(null, 50); fail(10); wait_for(ends[0], 4);
	fprintf(stderr, "%lld\n", waited);
	return 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -o moves moves.c || skip_all "no C compiler"
"$FLAMETOP" sample -q --io --call-graph=fp -o probe.data -- true 2>why || skip_all "system calls are not counted here: $(head -1 why)"

# What stacks with these words have in all.
of() { # EVENT WORDS FILE [OPTION]...
	event=$1 words=$2
	shift 2
	"$FLAMETOP" -q --to=folded --event="$event" "$@" 2>/dev/null |
		awk -v w="$words" 'BEGIN { n = split(w, all, " ") }
			{ for (i = 1; i <= n; i++) if (!index($0, all[i])) next; s += $NF } END { printf "%.0f", s }'
}

near() { # GOT EXPECTED PERCENT
	awk -v g="$1" -v e="$2" -v p="$3" 'BEGIN { exit !(g >= e * (1 - p / 100) && g <= e * (1 + p / 100)) }'
}


"$FLAMETOP" sample -q --io -o moves.data -- ./moves 2>waited
is "$(of io-bytes ';take; ;read' moves.data)" 700000 "bytes that were read, under their caller"
is "$(of io-calls ';take; ;read' moves.data)" 700 "and how many calls it took"
is "$(of io-bytes ';give; ;write' moves.data)" 15000 "bytes that were written"
is "$(of io-calls ';fail; ;read;[EBADF]' moves.data)" 10 "calls that failed have their error"
is "$(of io-bytes ';fail;' moves.data)" 0 "and no bytes"
ok "time is that of the calls: $(of io-time ';wait_for;' moves.data) of $(cat waited) ns" \
	near "$(of io-time ';wait_for;' moves.data)" "$(cat waited)" 10
is "$(of io-calls 'moves;' moves.data --io=write)" "$(of io-calls ';write' moves.data)" "--io=write shows those that write"
ok "calls that open files count, too" [ "$(of io-calls ';openat' moves.data)" -ge 2 ]

"$FLAMETOP" sample -q --io=write -o writes.data -- ./moves 2>waited
is "$(of io-bytes ';give;' writes.data)" 15000 "--io=write records what writes"
is "$(of io-calls ';read' writes.data)" 0 "and nothing else"

"$FLAMETOP" record -q --io --event=io-bytes -o live.folded -- ./moves 2>waited
is "$(awk '/;take;/ { s += $NF } END { print s }' live.folded)" 700000 "record counts the same"
"$FLAMETOP" sample -q --io --languages=none -o - -- ./moves 2>waited | "$FLAMETOP" -q --to=folded --event=io-calls - >piped.folded
is "$(awk '/;take;/ { s += $NF } END { print s }' piped.folded)" 700 "and so does a pipe"

# A process that runs: one call is under way when the recording begins.
mkfifo in out
./moves on <in >out &
process=$!
exec 3>in 4<out
read -r _ <&4
"$FLAMETOP" sample -q --io --call-graph=fp -o running.data -p $process 2>why 3>&- 4<&- &
sampler=$!
until_true test -s running.data
for _ in 1 2 3; do
	echo >&3
	read -r _ <&4
done
exec 3>&-
wait $process
wait $sampler
is "$(of io-bytes ';read' running.data)" 300002 "a running process: all but the call that was under way"
run "$FLAMETOP" -v --to=folded --event=io-calls running.data
says "*system calls began before the recording*1 of *" "which is told"

if command -v perf >/dev/null && perf record -q -g -e syscalls:sys_enter_read -e syscalls:sys_exit_read -o perf.data -- ./moves 2>waited; then
	is "$(of io-calls ';read;[EBADF]' perf.data --io)" 10 "recordings of perf have calls with --io"
	is "$(of io-bytes ';read' perf.data --io)" "$(of io-bytes ';read' moves.data)" "and the same bytes"
	is "$(perf script -i moves.data 2>/dev/null | grep -c 'io-exit: NR 0 = 1000$')" 700 "perf reads ours"
	"$FLAMETOP" sample -q --io --call-graph=fp -o - -- ./moves 2>waited | perf script -i - >script 2>/dev/null
	is "$(grep -c 'io-exit: NR 0 = 1000$' script)" 700 "also through a pipe"
else
	skip 4 "no perf here"
fi

cat >reads.py <<'END'
import os
import time
def load(fd):
    return os.read(fd, 1000)
def work():
    fd = os.open("/dev/zero", os.O_RDONLY)
    for _ in range(50):
        load(fd)
        time.sleep(0.005)
work()
END
if command -v python3 >/dev/null && "$FLAMETOP" sample --io --call-graph=fp -o python.data -- python3 reads.py 2>why &&
	! "$FLAMETOP" -v --to=folded -o /dev/null python.data 2>&1 | grep -q 'functions of an interpreter are not shown' && [ ! -s why ]; then
	ok "functions of Python are callers of calls: $(of io-bytes 'work;load; ;read' python.data) bytes" \
		[ "$(of io-bytes 'work;load; ;read' python.data)" -ge 1000 ]
	ok "bytes are counted, with them or without" [ "$(of io-bytes ';read' python.data)" -ge 50000 ]
else
	skip 2 "no Python that can be read: $(head -1 why)"
fi
done_testing
