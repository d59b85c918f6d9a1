#!/bin/sh
# flametop sample and flametop record without perf.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || skip_all "nothing can be sampled here: $(head -1 why)"

# Works in `heavy` three times as long as in `light`; prints the processor time of all its threads and children, in ns.
cat >work.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long x;
__attribute__((noinline)) void heavy(void) { for (int i = 0; i < 3000000; i++) x += (unsigned long)i; }
__attribute__((noinline)) void light(void) { for (int i = 0; i < 1000000; i++) x += (unsigned long)i; }
__attribute__((noinline)) int work(int times) { for (int i = 0; i < times; i++) { heavy(); light(); } return times; }
static void *thread(void *arg) { work(*(int *)arg); return NULL; }
static double spent(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int times = argc > 2 ? atoi(argv[2]) : 20;
	pthread_t t[64];
	if (strcmp(how, "threads") == 0) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, thread, &times);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	} else if (strcmp(how, "children") == 0) {
		for (int i = 0; i < 3; i++)
			if (fork() == 0) {
				work(times);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
	} else if (strcmp(how, "until") == 0) { /* until the file is there; threads begin and end meanwhile */
		int some = 2;
		while (access(argv[3], F_OK) != 0) {
			for (int i = 0; i < 8; i++)
				pthread_create(&t[i], NULL, thread, &some);
			work(1);
			for (int i = 0; i < 8; i++)
				pthread_join(t[i], NULL);
		}
	} else {
		work(times);
	}
	fprintf(stderr, "%.0f\n", (spent(RUSAGE_SELF) + spent(RUSAGE_CHILDREN)) * 1e9);
	return 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -pthread -o work work.c || skip_all "no C compiler"

total() { "$FLAMETOP" -q --to=folded "$@" | awk '{ sum += $NF } END { print sum + 0 }'; }
# Is a part of the whole, in percent, between two numbers?
share() { awk "BEGIN { s = 100 * $1 / ($2 + 1e-9); print (s >= $3 && s <= $4) ? \"yes\" : \"no: \" s }"; }
of() { # function, recording: its total weight
	"$FLAMETOP" -q --to=folded "$2" | awk -v f=";$1(;| )" '$0 ~ f { sum += $NF } END { print sum + 0 }'
}

for how in fp dwarf,16384; do
	"$FLAMETOP" sample --call-graph=$how -e cpu-clock -o "$how.data" -- ./work one 60 2>spent
	is $? 0 "$how: a command is sampled"
	is "$(share "$(total "$how.data")" "$(cat spent)" 80 110)" yes "$how: the sum is the processor time"
	is "$(share "$(of heavy "$how.data")" "$(of light "$how.data")" 200 450)" yes "$how: the shares are right"
	like "$("$FLAMETOP" -q --to=folded "$how.data")" "*main;work;heavy*" "$how: the stack is whole"
done
ok "copies of the stack are no longer than the stack" sh -c '[ $(wc -c <dwarf,16384.data) -lt 16000000 ]'
for how in threads children; do
	"$FLAMETOP" sample -q -e cpu-clock --call-graph=fp -o $how.data -- ./work $how 20 2>spent
	is "$(share "$(total $how.data)" "$(cat spent)" 80 110)" yes "$how are sampled, too"
done

# The layouts: a file, and a pipe. perf reads both.
"$FLAMETOP" sample -q --call-graph=fp -o - -- ./work one 20 2>/dev/null >pipe.data
run "$FLAMETOP" --to=folded pipe.data
exits 0 "a recording through a pipe is read"
prints "*main;work;heavy*" "and has its stacks"
run sh -c '"$FLAMETOP" sample -q --call-graph=fp -o - -- ./work one 20 | "$FLAMETOP" --to=folded -'
prints "*main;work;heavy*" "as it comes"
ok "what the command prints goes past the pipe" sh -c '"$FLAMETOP" sample -q --call-graph=fp -o - -- echo word 2>said | cat >piped && grep -aq PERFILE2 piped && grep -q word said'
if perf script -i fp.data >/dev/null 2>&1; then
	for file in fp.data pipe.data dwarf,16384.data; do
		perf script --no-inline -F ip,sym -i "$file" 2>/dev/null | grep -c heavy >theirs
		ok "perf reads $file" [ "$(cat theirs)" -gt 20 ]
	done
	perf script --no-inline -F comm,pid,tid,time,period,event,ip -i fp.data 2>/dev/null | grep -c . >theirs
	"$FLAMETOP" -q --to=folded --symbolizer=perf fp.data | LC_ALL=C sort >by.perf
	"$FLAMETOP" -q --to=folded --no-inline fp.data | LC_ALL=C sort >by.us
	is "$(awk '{ s += $NF } END { print s }' by.us)" "$(awk '{ s += $NF } END { print s }' by.perf)" "perf sees the same sum"
	perf report --header-only -i fp.data 2>/dev/null >header
	like "$(cat header)" "*cmdline : *sample*" "the header has the command line"
	like "$(cat header)" "*cpu-clock*" "and names the event"
else
	skip 6 "no perf to read the recordings with"
fi

# Several events.
"$FLAMETOP" sample -q -e cpu-clock:u,page-faults -e context-switches --call-graph=fp -o several.data -- sh -c './work one 10; sleep 0.05' 2>/dev/null
is "$("$FLAMETOP" -q --split=event --to=folded several.data | sed 's/;.*//' | sort -u | tr '\n' ' ')" \
	"context-switches cpu-clock:u page-faults " "several events stay apart"

# The kernel fills in one sample for all events of one kind.
cat >touch.c <<'END'
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 4096000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 4096000, MADV_NOHUGEPAGE);
	for (int i = 0; i < 4096000; i += 4096)
		p[i] = 1;
	return 0;
}
END
cc -o touch touch.c
"$FLAMETOP" sample -q -F max -e page-faults -e page-faults:u,page-faults --call-graph=fp -o kind.data -- ./touch 2>/dev/null
"$FLAMETOP" -q --split=event --to=folded kind.data | awk -F'[; ]' '{ n[$1] += $NF } END { for (e in n) print e, int(n[e] / 1000) }' | sort >kind
is "$(tr '\n' ' ' <kind)" "page-faults 2 page-faults:u 1 " "several events of one kind stay apart, too"

# Threads that end before a clock's first sample.
cat >short.c <<'END'
#include <pthread.h>
static volatile unsigned long x;
static void *shortly(void *arg) { for (int i = 0; i < 20000; i++) x++; return arg; }
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 4000 && pthread_create(&t, NULL, shortly, NULL) == 0; i++)
		pthread_join(t, NULL);
	return 0;
}
END
cc -O0 -pthread -o short short.c
run "$FLAMETOP" sample -e cpu-clock -F 10 -o short.data -- ./short
says "*s of processor time are in no sample: threads that end before their first sample*" "time that no sample shows is told"
run "$FLAMETOP" sample -q -e cpu-clock -F 10 -o short.data -- ./short
is "$err" "" "but not with -q"
run "$FLAMETOP" sample -e cpu-clock --call-graph=fp -o long.data -- ./work one 300
is "${err##*in no sample*}" "$err" "a thread that goes on is seen"

run "$FLAMETOP" sample -e nonsense -o x.data -- true
exits 1 "an unknown event is an error"
says "*no event 'nonsense'*" "and named"
ok "nothing is written then" [ ! -e x.data ]

# Not every output can be written to at any place.
mkfifo pipe
cat pipe >through.data &
run "$FLAMETOP" sample -q --call-graph=fp -o pipe -- ./work one 20
wait
exits 0 "a named pipe takes a recording"
like "$("$FLAMETOP" -q --to=folded through.data)" "*heavy*" "that is whole"
"$FLAMETOP" sample -q --call-graph=fp -o /dev/stdout -- ./work one 20 2>/dev/null | "$FLAMETOP" -q --to=folded - >out
like "$(cat out)" "*heavy*" "and so does /dev/stdout as a pipe"
"$FLAMETOP" sample -q --call-graph=fp -o /dev/stdout -- ./work one 20 >plain.data 2>/dev/null
like "$("$FLAMETOP" -q --to=folded plain.data)" "*heavy*" "or as a file"
run "$FLAMETOP" record -q --idle -- true
exits 2 "--idle is for the whole system"

# The command's status, and why there is none.
run "$FLAMETOP" sample -q --call-graph=fp -o x.data -- sh -c 'exit 7'
exits 7 "the command's status is passed on"
run "$FLAMETOP" record --call-graph=fp -o x.folded -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 7'
says "*sh ended with status 7; the samples up to there are written*" "and said, of the command alone"
run "$FLAMETOP" record -F 1 -o none.folded -- sh -c 'exit 5'
exits 5 "the status is passed on if there are no samples, too"
run "$FLAMETOP" sample -q --call-graph=fp -o x.data -- sh -c 'kill -USR1 $$'
exits 138 "so is a signal"
run "$FLAMETOP" sample -o x.data -- ./no-such-program
exits 127 "a command that does not exist"
says "*no-such-program: command not found*" "is named"
echo data >plain
run "$FLAMETOP" sample -o x.data -- ./plain
exits 126 "a file that is no program"
says "*plain: Permission denied*" "is named, with the reason"
run "$FLAMETOP" record -o x.folded -- ./plain
says "*./plain: Permission denied*" "flametop record says so, too"
run "$FLAMETOP" record -o x.folded -- "$PWD"
says "*Is a directory*" "of a directory as well"
run "$FLAMETOP" sample -o missing/x.data -- true
exits 1 "an output that cannot be written"
says "*missing/x.data: cannot write: No such file or directory*" "is named"
ok "the recording before is kept" sh -c '"$FLAMETOP" sample -q --call-graph=fp -o old.data -- true && "$FLAMETOP" sample -q --call-graph=fp -o old.data -- true && [ -s old.data.old ]'
# A limit for files is like a disk without room; messages go through a pipe, which has none.
echo first >full.data.old
echo second >full.data
said=$({ sh -c 'ulimit -f 0; "$FLAMETOP" sample -o full.data -- touch ran'; echo "status $?"; } 2>&1 | cat)
like "$said" "*full.data: *status 1" "a disk without room is named"
ok "before the command begins" [ ! -e ran ]
is "$(cat full.data full.data.old)" "second
first" "and both former recordings are there again"
rm -f full.data full.data.old
said=$({ sh -c 'ulimit -f 0; "$FLAMETOP" sample -o full.data -- touch ran'; echo "status $?"; } 2>&1 | cat)
is "$(ls -d full* ran 2>/dev/null)" "" "without one before, no file is left"

# Ends.
"$FLAMETOP" sample -q --call-graph=fp -o int.data -- ./work one 100000 2>/dev/null &
pid=$!
sleep 0.5
kill -INT $pid
wait $pid
is $? 0 "SIGINT ends the recording"
ok "and what was sampled is there" [ "$(of heavy int.data)" -gt 0 ]
"$FLAMETOP" sample -q --call-graph=fp -o kill.data -- ./work until 1 "$PWD/stop" 2>/dev/null &
pid=$!
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
touch stop
ok "a sampler that is killed leaves what it had" [ "$(of heavy kill.data)" -gt 0 ]
run "$FLAMETOP" --to=folded kill.data
says "*the recording is not complete (was its recorder killed?)*" "which is told when it is read"
for events in "" --off-cpu; do
	rm -f stop
	# shellcheck disable=SC2086 # no option is no word
	"$FLAMETOP" sample -q --call-graph=fp $events -o - -- ./work until 1 "$PWD/stop" >kill.pipe 2>/dev/null &
	pid=$!
	sleep 1
	kill -KILL $pid
	wait $pid 2>/dev/null
	touch stop
	run "$FLAMETOP" --to=folded kill.pipe
	exits 0 "a pipe whose sampler is killed is read $events"
	says "*the recording is not complete (was its recorder killed?)*" "and that it is not whole is told"
done
rm -f stop
"$FLAMETOP" sample -q --call-graph=fp --off-cpu -o kill.data -- ./work until 1 "$PWD/stop" 2>/dev/null &
pid=$!
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
touch stop
run "$FLAMETOP" --to=folded --event=off-cpu kill.data
exits 0 "its events have their names"
rm -f stop
"$FLAMETOP" record --call-graph=fp -o kill.folded -- ./work until 1 "$PWD/stop" 2>killed &
pid=$!
sleep 1
for child in $(cat /proc/$pid/task/$pid/children); do
	tr '\0' ' ' <"/proc/$child/cmdline" | grep -q ' sample ' && kill -ABRT "$child"
done
wait $pid 2>/dev/null
is $? 134 "record passes on that its sampler crashed"
like "$(cat killed)" "*flametop sample was ended by signal 6*" "and does not say so of the command"
touch stop
is "$("$FLAMETOP" sample -q --call-graph=fp -o - -- ./work one 100000 2>/dev/null | head -c 1000 | wc -c | tr -d ' ')" 1000 \
	"a reader that leaves ends it"
"$FLAMETOP" sample --call-graph=fp -o - -- ./work one 100000 2>said | head -c 1000 >/dev/null
like "$(cat said)" "*the reader of the recording has left, so './work' is ended*" "which is told"

# What it has started ends with it, however it ends; but not what a command leaves behind when it ends normally.
cat >starter <<'END'
#!/bin/sh
[ "$1" != stubborn ] || trap '' INT TERM
sleep 1000 &
(sh -c 'echo $$ >lost; exec sleep 1000' &)
until [ -s lost ]; do sleep 0.05; done
echo "$$ $! $(cat lost)" >started.new
mv started.new started
[ "$1" != leaving ] || exit 3
wait
wait # for a signal has ended the first wait
END
chmod +x starter
begin_starter() { # how
	rm -f started lost
	"$FLAMETOP" sample -q --call-graph=fp -o starter.data -- ./starter "$1" 2>/dev/null &
	pid=$!
	until_true test -s started
}
all_gone() { # A zombie counts as ended: in a container there may be no init to wait for it.
	for p; do
		! grep -q . "/proc/$p/cmdline" 2>/dev/null || return 1
	done
}
signals='KILL ALRM XCPU USR1'
[ -n "${TESTS_SANITIZED:-}" ] || signals="$signals SEGV"
for sig in $signals; do
	how=plain
	[ "$sig" != KILL ] || how=stubborn
	begin_starter "$how"
	kill -"$sig" $pid
	wait $pid 2>/dev/null
	# shellcheck disable=SC2046 # several words
	ok "$sig: a sampler that dies leaves no program behind" until_true all_gone $(cat started)
done
begin_starter plain
kill -INT $pid
wait $pid
# shellcheck disable=SC2046 # several words
ok "nor does one that ends by Ctrl-C" all_gone $(cat started)
begin_starter stubborn
kill -TERM $pid
wait $pid
is $? 0 "SIGTERM ends a command that ignores it"
# shellcheck disable=SC2046 # several words
ok "with all that it has started" all_gone $(cat started)
begin_starter leaving
wait $pid
is $? 3 "a command may leave programs behind"
# shellcheck disable=SC2046 # several words
set -- $(cat started)
ok "which run on" kill -0 "$2" "$3"
kill -KILL "$2" "$3"

# The sampler of flametop record dies: its command ends.
rm -f started lost
"$FLAMETOP" record --call-graph=fp -o starter.folded -- ./starter plain 2>said &
pid=$!
until_true test -s started
read -r command rest <started
sampler=$(awk '/^PPid:/ { print $2 }' "/proc/$command/status")
kill -KILL "$sampler"
wait $pid
is $? 137 "flametop record tells that its sampler died"
# shellcheck disable=SC2086 # several words
ok "and what it had started does not run on" all_gone $command $rest
like "$(cat said)" "*programs that flametop sample had started did not end with it, and were ended: *" "which is said"

# Attaching to what runs.
rm -f stop
./work until 1 "$PWD/stop" 2>spent &
pid=$!
sleep 0.3
"$FLAMETOP" sample -q -e cpu-clock -p $pid --call-graph=fp --duration=1 -o attach.data
is $? 0 "a process is sampled for a while"
is "$("$FLAMETOP" -q --to=folded attach.data | grep -q "main;work;heavy" && echo yes)" yes "its functions have names"
is "$("$FLAMETOP" -q --to=folded attach.data | grep -q "thread;work;heavy" && echo yes)" yes "so have those of threads born meanwhile"
"$FLAMETOP" sample -q -p $pid --call-graph=dwarf --duration=0.3 -o attach.data
is "$("$FLAMETOP" -q --to=folded attach.data | grep -q "main;work;heavy" && echo yes)" yes "with copies of the stack"
"$FLAMETOP" sample -q -p $pid --call-graph=fp -o ended.data &
sampler=$!
sleep 0.3
touch stop
wait $pid
wait $sampler
is $? 0 "the recording ends with the process"
run "$FLAMETOP" sample -p $pid -o x.data
exits 1 "a process that is gone"

# The whole system, as far as it is allowed.
if "$FLAMETOP" sample -q -a --duration=0.1 -o all.data 2>/dev/null; then
	./work one 40 2>spent &
	"$FLAMETOP" sample -q -a --duration=0.5 -o all.data &
	sampler=$!
	wait
	ok "the whole system has the program" [ "$(of heavy all.data)" -gt 0 ]
	is "$("$FLAMETOP" -q --to=folded --tid all.data | grep -c "^swapper")" 0 "but not idle processors"
	# A machine that has no idle processor for a moment is asked again.
	swappers=0 tries=0
	while [ "$swappers" -eq 0 ] && [ $((tries += 1)) -le 40 ]; do
		"$FLAMETOP" sample -q -a --idle --duration 0.3 -o idle.data
		swappers=$("$FLAMETOP" -q --to=folded --tid idle.data | grep -c "^swapper")
	done
	ok "--idle samples them, too" [ "$swappers" -gt 0 ]
	is "$("$FLAMETOP" -q --to=folded --pid all.data | grep -c "^flametop[^;]*$sampler")" 0 "nor the sampler"
else
	skip 3 "the whole system cannot be sampled here"
fi

# Another profiler at the same time must not suffer.
if command -v perf >/dev/null && perf record -q -e cpu-clock:u -g -o theirs.data -- true 2>/dev/null; then
	"$FLAMETOP" sample -q -a --duration=2 -o beside.data 2>/dev/null &
	sleep 0.3
	perf record -q -e cpu-clock:u -g -o theirs.data -- ./work one 5 >/dev/null 2>said
	is $? 0 "perf records while flametop does"
	wait
else
	skip 1 "no perf that may record"
fi

# Without perf: nothing else is needed.
mkdir bin
for tool in sh sleep cat; do ln -s "$(command -v $tool)" bin/$tool; done
PATH=$PWD/bin "$FLAMETOP" record -q -e cpu-clock -o no-perf.folded -- ./work one 20 2>/dev/null
is $? 0 "flametop record works without perf"
like "$(cat no-perf.folded)" "*main;work;heavy*" "and has the stacks"
PATH=$PWD/bin "$FLAMETOP" record -q --with=perf -o x.folded -- ./work one 20 2>said
is $? 1 "--with=perf asks for perf"
like "$(cat said)" "*perf is not installed*" "and says that there is none"
PATH=$PWD/bin "$FLAMETOP" record -q --keep-data -o kept.folded -- ./work one 20 2>/dev/null
ok "--keep-data keeps a recording" [ "$(of heavy perf.data)" -gt 0 ]

# A directory that takes no files must not cost the recording.
mkdir gone
(cd gone && rmdir ../gone && TMPDIR=$dir "$FLAMETOP" record -q --call-graph=fp --post-process=false -o "$dir/x.folded" -- \
	"$dir/work" one 2) 2>said
like "$(cat said)" "*the recording is still there: flametop record --perfdata=*/perf-*.data*" "a recording is kept elsewhere if need be"
ok "and it is whole" sh -c '"$FLAMETOP" --to=folded perf-??????.data 2>/dev/null | grep -q heavy'

# A program file that is damaged after the recording, and a whole copy of it.
cc -O0 -g -fno-omit-frame-pointer -pthread -Wl,--build-id -o damaged work.c
"$FLAMETOP" sample -q --call-graph=fp -o damaged.data -- ./damaged one 10 2>/dev/null
cp damaged whole
head -c 2000 whole >damaged
run env HOME="$dir" "$FLAMETOP" --to=folded damaged.data
says "*damaged: functions have no names: the file is cut off*" "a program that was cut off is named"
id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: //p')
if [ -n "$id" ]; then
	copy=.debug/.build-id/$(printf %.2s "$id")/${id#??}
	mkdir -p "$copy"
	cp whole "$copy/elf"
	run env HOME="$dir" "$FLAMETOP" --to=folded damaged.data
	prints "*main;work;heavy*" "a copy with its build id takes its place"
else
	skip 1 "no readelf"
fi

# The system call is forbidden, as in a container, or not there, as in a sandbox.
cat >deny.c <<'END'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(argv[1])),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
		return 99;
	execvp(argv[2], argv + 2);
	return 98;
}
END
if cc -o deny deny.c 2>/dev/null && ./deny 1 true && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	run ./deny 1 "$FLAMETOP" record -o x.folded -- ./work one 1 # EPERM
	exits 1 "a system call that is forbidden"
	says "*--cap-add=PERFMON*" "what helps in a container is said"
	says "*--ptrace*" "and what does without"
	run ./deny 13 "$FLAMETOP" sample -p $$ -o x.data # EACCES
	says "*perf_event_open is forbidden here*" "for another process, too"
	run ./deny 38 "$FLAMETOP" record -o x.folded -- ./work one 1 # ENOSYS
	says "*this kernel has no perf_event_open*" "a system call that is not there"
else
	skip 5 "no seccomp here"
fi

# A capability on the file: such a process hides its descriptors from all others.
if [ "$(id -u)" = 0 ] && command -v setcap >/dev/null && command -v setpriv >/dev/null && mkdir -m 777 able &&
	cp work able && cp "$(readlink -f "$FLAMETOP")" able/flametop && chmod 755 . able/* &&
	setcap cap_perfmon+ep able/flametop 2>/dev/null; then
	(cd able && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. ./flametop record -q -o able.folded -- ./work one 20) 2>said
	is $? 0 "with cap_perfmon on its file, an ordinary user records"
	like "$(cat able/able.folded)" "*main;work;heavy*" "and has the stacks"
	(cd able && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. ./flametop sample -q -a --duration=0.1 -o all.data) 2>said
	is $? 0 "even of the whole system"
else
	skip 3 "no capability can be set here"
fi

# A control group.
for base in /sys/fs/cgroup/perf_event /sys/fs/cgroup/unified /sys/fs/cgroup; do
	[ ! -e $base/cgroup.procs ] || break
done
group=$base/flametop-test-$$
if [ -e $base/cgroup.procs ] && mkdir "$group" 2>/dev/null; then
	rm -f stop
	(echo 0 >"$group/cgroup.procs" && exec ./work until 1 "$PWD/stop") 2>/dev/null &
	sleep 0.2
	run "$FLAMETOP" sample --cgroup="flametop-test-$$" --call-graph=fp --duration=0.4 -o group.data
	exits 0 "a control group is sampled"
	ok "its functions have names" [ "$(of heavy group.data)" -gt 0 ]
	touch stop
	wait
	rmdir "$group"
	run "$FLAMETOP" record --cgroup=no-such-group --duration=1 -o x.folded
	exits 1 "one that is not there is an error"
	says "*control group no-such-group: No such file or directory*" "which names it"
else
	skip 4 "no control group can be made here"
fi

# An ordinary user, from whom the kernel may be hidden.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 777 other
	cp work other
	cp "$(readlink -f "$FLAMETOP")" other/flametop
	chmod 755 . other/*
	if (cd other && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. ./flametop record -o user.folded -- ./work one 20 2>said); then
		like "$(cat other/user.folded)" "*main;work;heavy*" "an ordinary user records"
		[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 2 ] ||
			like "$(cat other/said)" "*kernel code is left out*" "and hears that the kernel is left out"
	else
		ok "an ordinary user is told why not" grep -q "perf_event_paranoid\|forbidden\|ermission" other/said
	fi
else
	skip 2 "not root, so no other user can be tried"
fi

run "$FLAMETOP" sample -q --call-graph=lbr -o x.data -- true
exits 2 "branch records are for perf"
run "$FLAMETOP" sample -q --off-cpu=3 -o x.data -- true
exits 2 "a recording has all waits; what shows it leaves out short ones"

# A recording keeps to the rules of other files.
mkdir planted
chmod 1777 planted
echo secret >victim
ln -s ../victim planted/perf.data
ln -s ../made planted/dangling.data
if [ "$(id -u)" -eq 0 ] && chown -h 65534 planted/perf.data planted/dangling.data; then
	for name in perf.data dangling.data; do
		run "$FLAMETOP" sample -q -o planted/$name -- true
		exits 1 "what another user has planted in a shared directory is not followed: $name"
		says "flametop: planted/$name: *" "with a message"
	done
	is "$(cat victim)" secret "nothing is written"
	ok "and nothing made" test ! -e made
else
	skip 6 "only root can make files of other users"
fi
mkfifo fifo
run timeout -s TERM 2 "$FLAMETOP" sample -q -o fifo -- sleep 60
is "$status" 124 "a named pipe without a reader ends by a signal"
says "flametop: fifo: *" "with a message"
# A pipe that is full, and whose reader takes nothing. The sampler is told to end again and again, for ten seconds at most.
mkfifo full
exec 8<>full
head -c 1048576 /dev/zero | timeout 2 cat >&8
"$FLAMETOP" sample -q -o full -- touch full-began 2>full-said &
stuck=$!
attempts=0
while [ ! -e full-began ] && [ $attempts -lt 100 ]; do
	sleep 0.1
	attempts=$((attempts + 1))
done
attempts=0
while [ $attempts -lt 100 ] && kill -TERM $stuck 2>/dev/null; do
	sleep 0.1
	attempts=$((attempts + 1))
done
kill -KILL $stuck 2>/dev/null
wait $stuck
is "$? $(cat full-said)" "1 flametop: full: its reader takes nothing, so the end of the recording is missing" \
	"a reader that takes nothing does not keep a sampler that is told to end"
exec 8>&-
# A recording that has no room any more: what is in the file is read.
mkdir scratch
for how in "" "trap '' XFSZ;"; do
	run env TMPDIR="$dir/scratch" sh -c "$how ulimit -f 400; exec \"\$0\" \"\$@\"" "$FLAMETOP" \
		record --call-graph=dwarf -F 997 -o some.folded -- ./work one 200
	exits 1 "${how:-as usual:} a recording that has no room is a failure"
	says "*flametop: $dir/scratch/flametop-*: File too large (ulimit -f is the limit; --call-graph=fp or a lower -F needs less)*" \
		"${how:-as usual:} the place and a remedy are named"
	says "*flametop sample ended with status 1; the samples up to there are written*" \
		"${how:-as usual:} and what is left"
	ok "${how:-as usual:} the samples up to there are written" grep -q ';work;heavy [0-9]' some.folded
	is "$(ls scratch)" "" "${how:-as usual:} and nothing else"
	rm -f some.folded
	run env TMPDIR="$dir/scratch" sh -c "$how ulimit -f 400; exec \"\$0\" \"\$@\"" "$FLAMETOP" \
		record --ignore-status --call-graph=dwarf -F 997 -o some.folded -- ./work one 200
	exits 1 "${how:-as usual:} --ignore-status does not hide it"
	rm -f some.folded
done
run "$FLAMETOP" sample -q -o /dev/full -- true
exits 1 "a recording that cannot be written is an error"
says "*No space left*" "with the reason"
echo old >kept.data
run "$FLAMETOP" sample -q -o kept.data -- /nonexistent/command
is "$(cat kept.data)" old "a command that cannot start leaves the file as it was"
ok "and no other" test ! -e kept.data.old
run "$FLAMETOP" sample -q -o kept.data -- true
exits 0 "a recording replaces a file"
is "$(cat kept.data.old)" old "which is renamed"
is "$(stat -c %a kept.data)" 600 "by one for its owner only"
echo older >kept.data.old
cp kept.data before
run "$FLAMETOP" sample -q -o kept.data -- /nonexistent/command
ok "a command that cannot start leaves both files" cmp kept.data before
is "$(cat kept.data.old)" older "as they were"
# Two at the same time.
mkfifo begun ends
"$FLAMETOP" sample -q -o twice.data -- sh -c 'echo >begun; read -r _ <ends' &
first=$!
read -r _ <begun
run "$FLAMETOP" sample -q -o twice.data -- touch second-ran
exits 1 "a file that another recording is being written to is refused"
says "flametop: twice.data: cannot write: another recording is being written to twice.data" "which is said"
ok "the command does not run" test ! -e second-ran
echo >ends
wait $first
is "$? $(ls twice.data*)" "0 twice.data" "the first one is complete, and alone"
run "$FLAMETOP" sample -q -o twice.data -- true
exits 0 "after its end, the next one can begin"
ok "and renames it" test -s twice.data.old
lost=
for before in none one both; do
	mkdir same
	[ $before = none ] || echo first >same/f
	[ $before != both ] || echo zeroth >same/f.old
	"$FLAMETOP" sample -q -o same/f -- touch same/a 2>/dev/null &
	other=$!
	"$FLAMETOP" sample -q -o same/f -- touch same/b 2>/dev/null
	wait $other
	# Each command that ran has its recording.
	[ "$(ls same/a same/b 2>/dev/null | wc -l)" = "$(grep -lc PERFILE same/f same/f.old 2>/dev/null | wc -l)" ] ||
		lost="$lost $before"
	rm -rf same
done
is "$lost" "" "of two that begin at once, each is recorded, or its command does not run"
mkdir stuck
echo precious >stuck/perf.data
mkdir stuck/perf.data.old
for command in true /nonexistent/command; do
	run sh -c 'cd stuck && exec "$FLAMETOP" sample -q -- "$1"' sh $command
	exits 1 "a recording that cannot be renamed ends it before the command: $command"
	says "flametop: perf.data: cannot write: the file that is there cannot be renamed to perf.data.old: Is a directory" \
		"the message says why"
	is "$(cat stuck/perf.data)" precious "and the recording stays"
done

# Dies at any opening or renaming of a file, by a signal.
shim=${FLAMETOP_BUILD:-$source/build}/tests/torture/shim.so
if [ -f "$shim" ] && [ -z "${TESTS_SANITIZED:-}" ]; then
	dies() { # directory, call, kind, at: what happens in the call; the command writes `ran`
		mkdir -p "$1"
		echo before >"$1/perf.data"
		echo older >"$1/perf.data.old"
		(cd "$1" && exec env LD_PRELOAD="$shim" FAULT_CALL="$2" FAULT_KIND="$3" FAULT_AT="$4" \
			FAULT_ON=once FAULT_COUNT="$dir/count" "$FLAMETOP" sample -q -- sh -c 'echo >ran') 2>&1
	}
	die() { # kind, call...
		rm -rf early early-*
		kind=$1
		shift
		for call; do
			dies early "$call" none 0 >/dev/null
			i=0 n=$(cat count)
			while [ $((i += 1)) -le "$n" ]; do
				dies "early-$call-$i" "$call" "$kind" $i
			done
		done 2>&1 | cat >/dev/null # which ends with the last command
	}
	names() { find "$1" -type f ! -name ran ! -name 'core*' | sed 's/.*\///' | LC_ALL=C sort | tr '\n' ' '; }
	is_as_before() { [ "$(cat "$1/perf.data")$(cat "$1/perf.data.old")" = beforeolder ]; }
	wrong() { # the directories where something is wrong
		for each in early-*; do
			[ "$(names "$each")" = "perf.data perf.data.old " ] && { is_as_before "$each" ||
				{ [ "$(cat "$each/perf.data.old")" = before ] && ! grep -q older "$each/perf.data"; }; } || echo "$each"
		done
	}
	runs_unrecorded() {
		for each in early-open-*; do
			[ ! -e "$each/ran" ] || ! is_as_before "$each" || echo "$each"
		done
	}
	for kind in SEGV QUIT USR1; do
		die $kind open rename linkat
		is "$(wrong)" "" "$kind: the recordings before keep their names, or the new one has its own"
		is "$(runs_unrecorded)" "" "$kind: a command that would not be recorded does not run"
		FAULT_NAMED=1
		export FAULT_NAMED
		die $kind open rename
		is "$(wrong)" "" "$kind: so they do on a file system that cannot exchange names"
		unset FAULT_NAMED
	done
	die KILL open
	is "$(runs_unrecorded)" "" "KILL: a command that would not be recorded does not run"
	die KILL open rename linkat
	lost=''
	for each in early-*; do
		[ "$(cat "$each"/perf.data "$each"/perf.data.old | grep -ac before)" = 1 ] || lost="$lost $each"
	done
	is "$lost" "" "KILL: the recording before is there, by one of the two names"
else
	skip 11 "no shim"
fi

# A bundle has what views of lines and instructions need: the program may be gone.
cp work packed
"$FLAMETOP" sample -q --call-graph=fp -e cpu-clock -o packed.data -- ./packed one 20 2>/dev/null
"$FLAMETOP" bundle -q -o packed.tar packed.data
mv packed elsewhere
mkdir -p private
run env TMPDIR="$dir/private" "$FLAMETOP" --no-config --view=lines --function=heavy --screen=100x12 packed.tar packed.tar
prints "*work.c*" "the lines of a bundled program are shown"
is "$(ls -A private)" "" "and nothing is left of temporary files"
if command -v objdump >/dev/null; then
	run env TMPDIR="$dir/private" "$FLAMETOP" --no-config --view=instructions --function=heavy --screen=100x12 packed.tar
	prints "*offset*instruction*" "and its instructions"
	is "$(ls -A private)" "" "nothing is left of temporary files"
else
	skip 2 "no objdump"
fi
awk 'BEGIN { for (i = 0; i < 20; i++) printf "packed.tar\n" }' >many
# shellcheck disable=SC2046 # words
run env TMPDIR="$dir/private" "$FLAMETOP" --no-config --view=lines --function=heavy --screen=100x12 $(cat many)
is "$(ls -A private)" "" "nor of many bundles"

# The main thread of a process may have ended; the others know what is mapped.
cat >headless.c <<'END'
#include <pthread.h>
static volatile unsigned long x;
__attribute__((noinline)) void burn(void) { for (;;) x++; }
static void *work(void *unused) { burn(); return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_exit(0); }
END
cc -O0 -g -fno-omit-frame-pointer -pthread -o headless headless.c
./headless &
headless=$!
until_true grep -q '^State:.Z' /proc/$headless/status
"$FLAMETOP" sample -q --call-graph=fp -e cpu-clock --duration=0.3 -o headless.data -p $headless 2>/dev/null
like "$("$FLAMETOP" -q --to=folded headless.data)" "*work;burn *" "a process whose main thread has ended has names"
if "$FLAMETOP" sample -q --ptrace --duration=0.1 -o probe.data -- true 2>/dev/null; then
	"$FLAMETOP" sample -q --ptrace --duration=0.3 -o traced.data -p $headless
	like "$("$FLAMETOP" -q --to=folded traced.data)" "*work;burn *" "--ptrace looks at its other threads"
else
	skip 1 "no --ptrace here"
fi
kill $headless

# Programs with another user's rights: the kernel takes their counters away.
cat >rights.c <<'END'
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long x;
int main(void) { while (clock() < CLOCKS_PER_SEC / 2) x++; printf("%d %d\n", (int)getuid(), (int)geteuid()); return 0; }
END
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	mkdir -m 777 rights && cc -O0 -o rights/rights rights.c && cp "$(readlink -f "$FLAMETOP")" rights/flametop
	chmod 755 . rights/flametop && chmod 4755 rights/rights
	with_rights() {
		(cd rights && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. \
			./flametop sample "$@" -o out.data -- sh -c './rights; true') 2>&1
	}
	for options in "-e page-faults" --memory --ptrace; do
		# shellcheck disable=SC2086
		out=$(with_rights $options)
		case $out in
		"65534 0"*) like "$out" "*leave no samples*: 1, the first rights (process *)" "$options: a program with another user's rights is told" ;;
		*) skip 1 "$options: ${out:-nothing} (no program may have another user's rights here)" ;;
		esac
	done
else
	skip 3 "only root can make programs with another user's rights"
fi

done_testing
