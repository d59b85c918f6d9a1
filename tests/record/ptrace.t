#!/bin/sh
# --ptrace: samples where the kernel counts no events. The program goes on as before, signals and stops included.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
cat >work.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long x;
#define SIGNALS 300
static volatile sig_atomic_t n_heard, n_disordered;
static double cpu(clockid_t c) { struct timespec t; clock_gettime(c, &t); return (double)t.tv_sec + (double)t.tv_nsec / 1e9; }
__attribute__((noinline)) void heavy(void) { for (int i = 0; i < 3000000; i++) x += (unsigned long)i; }
__attribute__((noinline)) void light(void) { for (int i = 0; i < 1000000; i++) x += (unsigned long)i; }
static void *work(void *seconds) { double end = cpu(CLOCK_THREAD_CPUTIME_ID) + *(double *)seconds; while (cpu(CLOCK_THREAD_CPUTIME_ID) < end) { heavy(); light(); } return NULL; }
static void hear(int sig, siginfo_t *i, void *c) { (void)sig; (void)c; n_disordered += i->si_value.sival_int != ++n_heard; }
static void *begin(void *seconds) { work(seconds); execl("./work", "work", "one", "0.3", (char *)NULL); return NULL; }
int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t[3];
	if (strcmp(how, "threads") == 0) {
		for (int i = 0; i < 3; i++)
			pthread_create(&t[i], NULL, work, &seconds);
		for (int i = 0; i < 3; i++)
			pthread_join(t[i], NULL);
	} else if (strcmp(how, "exec") == 0) {
		double first = 0.2;
		pthread_create(&t[0], NULL, begin, &seconds);
		work(&first);
		pthread_join(t[0], NULL);
	} else if (strcmp(how, "children") == 0) {
		for (int i = 0; i < 2; i++)
			if (fork() == 0) {
				work(&seconds);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
	} else if (strcmp(how, "signals") == 0) { /* queued ones: none may get lost, and they keep their order */
		struct sigaction a = {.sa_sigaction = hear, .sa_flags = SA_RESTART | SA_SIGINFO};
		sigaction(SIGRTMIN, &a, NULL);
		pid_t to = getpid();
		if (fork() == 0) {
			for (int i = 1; i <= SIGNALS; i++) {
				sigqueue(to, SIGRTMIN, (union sigval){.sival_int = i});
				usleep(2000);
			}
			_exit(0);
		}
		for (int i = 0; i < 100 && n_heard < SIGNALS; i++) {
			seconds = 0.1;
			work(&seconds);
		}
		while (wait(NULL) > 0)
			;
		printf("%d heard, %d out of order\n", (int)n_heard, (int)n_disordered);
	} else if (strcmp(how, "naps") == 0) {
		for (double end = cpu(CLOCK_PROCESS_CPUTIME_ID) + seconds; cpu(CLOCK_PROCESS_CPUTIME_ID) < end; usleep(1000))
			for (double so_far = cpu(CLOCK_PROCESS_CPUTIME_ID); cpu(CLOCK_PROCESS_CPUTIME_ID) < so_far + 0.0003;)
				x++;
	} else {
		work(&seconds);
	}
	fprintf(stderr, "%.0f\n", (cpu(CLOCK_PROCESS_CPUTIME_ID)) * 1e9);
	return 7;
}
END
cc -O0 -g -pthread -o work work.c || skip_all "no C compiler"
"$FLAMETOP" sample -q --ptrace -o probe.data -- ./work one 0.2 2>why
"$FLAMETOP" -q --to=folded probe.data >probe.folded 2>/dev/null
grep -q heavy probe.folded || skip_all "ptrace is not allowed here, or stacks cannot be unwound"

of() { # WORD FILE
	"$FLAMETOP" -q --to=folded "$2" | awk -v w="$1" 'index($0, w) { s += $NF } END { printf "%.0f", s }'
}
near() { # VALUE EXPECTED PERCENT
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= b * p / 100) }'
}

# On a busy machine the looks come late, and together: such a recording is made again, up to four times.
recorded() { # FILE ARGUMENTS...: the checks of a recording, by is_right(), which sees FILE
	file=$1
	shift
	for _ in 1 2 3 4 5; do
		run "$FLAMETOP" sample -q --ptrace -o "$file" -- ./work "$@"
		! is_right || break
	done
}

is_right() { near "$(of '' one.data)" 1500000000 12 && near "$(of ';heavy' one.data)" 1125000000 20; }
recorded one.data one 1.5
exits 7 "the command's status is passed on"
like "$("$FLAMETOP" -q --to=folded one.data)" "*main;work;heavy *" "stacks are whole"
ok "weights add up to the CPU time" near "$(of '' one.data)" 1500000000 12
ok "shares are those of the program" near "$(of ';heavy' one.data)" 1125000000 20

is_right() { near "$(of '' threads.data)" 1500000000 15; }
recorded threads.data threads 0.5
ok "all threads are seen" near "$(of '' threads.data)" 1500000000 15
is_right() { near "$(of heavy children.data)" 1050000000 30; }
recorded children.data children 0.7
ok "so are children" near "$(of heavy children.data)" 1050000000 30

# A thread that begins another program takes its time along, which counts once.
is_right() { near "$(of '' taken.data)" 1500000000 15; }
recorded taken.data exec 1
ok "what a thread had used before exec counts once" near "$(of '' taken.data)" 1500000000 15

# A process has the name of the program that it runs now.
"$FLAMETOP" sample -q --ptrace -o exec.data -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exec ./work one 0.7' 2>/dev/null
ok "after exec, samples are of the new program" [ "$(of 'work;' exec.data)" -gt 300000000 ]

# A thread that was woken, and waits for a processor, still has the stack of its sleep.
asleep() { "$FLAMETOP" -q --to=folded naps.data | awk '/nanosleep|usleep/ { n += $NF } { s += $NF } END { exit !(s > 0 && n < s / 4) }'; }
is_right() { asleep; }
busy=''
for _ in 1 2 3 4; do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done
recorded naps.data naps 0.3
nice "$FLAMETOP" sample --ptrace -o busy.data -- ./work one 0.5 2>said
for loop in $busy; do kill "$loop"; done
wait
ok "on a busy machine, stacks that only sleep get no CPU time" asleep
is "$(grep -c 'another user' said)" 0 "a thread that stops late is not taken for one that may not be looked at"

# It ends while it is looked at.
n=0 i=0
while [ $((i += 1)) -le 20 ]; do
	timeout 20 "$FLAMETOP" sample -q --ptrace -F 199 -o short.data -- sh -c 'i=0; while [ $i -lt 4000 ]; do i=$((i+1)); done; exit 9' 2>/dev/null
	[ $? -eq 9 ] && n=$((n + 1))
done
is $n 20 "the status of a short command is never lost"

# Signals arrive, all of them and in their order.
"$FLAMETOP" sample -q --ptrace -F 199 -o signals.data -- ./work signals 2>/dev/null >watched
is "$(cat watched)" "300 heard, 0 out of order" "signals arrive while it is watched"

# A running process, until it ends; and it goes on after --duration.
./work one 1.2 2>/dev/null &
worker=$!
"$FLAMETOP" sample -q --ptrace -F 99 -o running.data -p $worker
ok "a running process is looked at until it ends" [ "$(of heavy running.data)" -gt 300000000 ]
wait $worker
is $? 7 "which is not disturbed"
./work one 30 2>/dev/null &
worker=$!
"$FLAMETOP" sample -q --ptrace --duration=0.3 -o some.data -p $worker
ok "a process goes on after the recording" kill -0 $worker
kill -STOP $worker
"$FLAMETOP" sample -q --ptrace --duration=0.3 -o stopped.data -p $worker
is "$(sed 's/.*) //' /proc/$worker/stat | cut -c1)" T "a stopped process stays stopped"
kill -CONT $worker
kill $worker
wait $worker
is $? 143 "and can be ended"

# flametop is a child of the shell that it looks at.
for how in 'sample -o own.data' 'record -o own.folded'; do
	sh -c '"$FLAMETOP" '"$how"' -p $$ --ptrace --duration=0.3 2>said; ./work one 0.1; exit 0' >/dev/null 2>&1
	is "$(grep -c 'another user' said)" 0 "${how%% *}: its own processes are not taken for some that may not be looked at"
done
sh -c './work one 2 & "$FLAMETOP" sample -q -o own.data -p $$ --ptrace --duration=0.5; kill $!' 2>/dev/null
ok "nor looked at, where another child is" [ "$(of heavy own.data)" -gt 100000000 ]
is "$(of 'flametop;' own.data)" 0 "which alone has samples"

# A process that sleeps is not woken up: epoll_wait() would return before its time.
cat >sleeps.c <<'END'
#include <stdio.h>
#include <sys/epoll.h>
int main(void) { struct epoll_event e; return epoll_wait(epoll_create1(0), &e, 1, 2500) == 0 ? 0 : 1; }
END
cc -o sleeps sleeps.c
./sleeps &
sleeper=$!
sleep 0.2
"$FLAMETOP" record -q --ptrace --duration=0.5 -o asleep.folded -p $sleeper 2>/dev/null
wait $sleeper
is $? 0 "a process that sleeps goes on sleeping"

run "$FLAMETOP" record --ptrace -o x.folded -- ./work one 0.3
says "*only user space, and only 49 looks a second*" "what is missing is said"
run "$FLAMETOP" sample --ptrace -p 2147483000 -o x.data
exits 1 "a process that does not exist"
run "$FLAMETOP" record -q --ptrace -a
exits 2 "the whole system is too much"
run "$FLAMETOP" record -q --ptrace -F 5000 -o x.folded -- true
exits 2 "so are 5000 looks a second"
for how in fp lbr; do
	run "$FLAMETOP" sample -q --ptrace --call-graph=$how -o x.data -- true
	exits 2 "--call-graph=$how has no copies of stacks"
done
"$FLAMETOP" sample -q --ptrace -o empty.data -- true
run "$FLAMETOP" --to=text empty.data
ok "a recording that saw nothing, or not much, is whole" sh -c '! grep -q "damaged\|killed" .err'
if command -v perf >/dev/null && perf script -i one.data >script 2>/dev/null; then
	ok "perf reads it" grep -q heavy script
else
	skip 1 "no perf here"
fi

done_testing
