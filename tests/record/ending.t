#!/bin/sh
# Recordings that do not end, with a fake perf: a second Ctrl-C ends them, and their samples are shown.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/fake.sh"

fake_perf <<'END'
# perf record writes a recording as text, creates the file `recorded`, and then does what $FAKE says.
samples() { printf 'work 10/10 1.0: 5 cycles: \n\t     1 leaf+0x1 (/bin/work)\n\t     2 main+0x1 (/bin/work)\n\n'; }
if [ "$mode" = script ]; then
	[ "$FAKE" != lingering ] || { cat "$in"; exec >&-; exec sleep 1000; }
	[ "$FAKE" != forked ] || { trap '' TERM; sleep 1000 & echo $! >forked; echo $$ >pid; wait; }
	[ "$FAKE" != stuck ] || { trap '' TERM; echo $$ >pid; exec sleep 1000; }
	[ "$FAKE" != slow ] || { echo $$ >pid; until [ -e go ]; do sleep 0.02; done; }
	exec cat "$in"
fi
echo $$ >pid
case $FAKE in
*empty) ;;
*) samples >"$out" ;;
esac
case $FAKE in
empty) exit 0 ;;
left*empty) # leaves a program of its own
	sleep 1000 &
	echo $! >left
	until [ "$(cat "/proc/$!/comm" 2>/dev/null || echo sleep)" = sleep ]; do sleep 0.01; done # it has its name
	FAKE=${FAKE#left-}
	exit "${FAKE%-empty}" ;;
killed-empty) kill -KILL $$ ;;
deaf*)
	trap '' INT TERM
	echo ready >recorded
	exec sleep 1000 ;;
parent) # runs its command, and ends before it, or never
	[ -e mortal ] || trap '' INT TERM
	"$@" &
	until [ -e started ]; do sleep 0.05; done
	echo ready >recorded
	wait ;;
waiting) # waits for its command, and only then writes the end
	trap '' INT TERM
	"$@" &
	echo ready >recorded
	wait
	samples >>"$out" ;;
*)
	trap 'samples >>"$out"; kill -TERM $child; trap - INT; kill -INT $$' INT TERM
	"$@" &
	child=$!
	echo ready >recorded
	wait $child ;;
esac
END
export FAKE

cat >stubborn <<'END'
#!/bin/sh
trap '' INT TERM
while :; do sleep 0.05; done
END
cat >'command' <<'END'
#!/bin/sh
until [ -e stop ]; do sleep 0.05; done
exit 7
END
chmod +x stubborn command
has_said() { grep -q "$1" .err; }

# A shell without job control starts background programs with SIGINT ignored; a Ctrl-C that is sent must arrive even
# so.
begin() { # FAKE, options of record
	FAKE=$1
	shift
	rm -f recorded stop out.folded .err pid
	"$FLAMETOP" record --symbolizer=perf -o out.folded "$@" >.out 2>.err </dev/null &
	flametop=$!
	until_true test -s recorded
}
ends() {
	wait $flametop
	status=$?
	err=$(cat .err)
}
interrupt_twice() {
	kill -INT $flametop
	until_true has_said "has not ended yet" # a second is not always another
	kill -INT $flametop
}
interrupt_until_over() {
	until_true sh -c "! kill -INT $flametop 2>/dev/null"
}
sampled='work;main;leaf 5'

begin deaf -- true
interrupt_twice
ends
exits 0 "a second Ctrl-C ends a perf record that ignores signals"
says "*perf record has not ended yet (Ctrl-C kills it now)*perf record did not end when it was told to, and was killed" \
	"and both are said"
is "$(stacks_of out.folded)" "$sampled" "and its samples are written"
ok "and it is gone" sh -c "! kill -0 $(cat pid) 2>/dev/null"

begin deaf-empty -- true
interrupt_until_over
ends
exits 1 "one that has left nothing is a failure"
says "*flametop: perf record had to be killed, and left no samples" "and not that of a status 0"
ok "nothing is written" test ! -e out.folded

begin deaf -- true
kill -TERM $flametop
interrupt_until_over
ends
exits 0 "after SIGTERM, too, Ctrl-C ends it at once"
is "$(stacks_of out.folded)" "$sampled" "with what there is"

begin waiting -- ./stubborn
interrupt_twice
ends
exits 0 "a second Ctrl-C ends a command that ignores signals"
says "*flametop: perf record did not end when it was told to, until stubborn, which it had started, was killed" \
	"and the message names the program that was killed"
is "$(stacks_of out.folded)" 'work;main;leaf 10' "and perf can write the rest of the recording"

began=$(date +%s)
begin waiting --duration=0.1 -- ./stubborn
ends
exits 0 "after --duration nobody has to be there to end a command that ignores signals"
ok "it is killed after some seconds" test $(($(date +%s) - began)) -lt 30
says "*until stubborn, which it had started, was killed" "and named"
is "$(stacks_of out.folded)" 'work;main;leaf 10' "and perf writes the rest of the recording"

# ---- orphans

cat >family <<'END'
#!/bin/sh
# Starts programs and logs their numbers in `started`: as a child, in its own session, as an orphan, and as a daemon.
[ ! -e stubborn-too ] || trap '' INT TERM
sleep 1000 &
a=$!
setsid sh -c 'echo $$ >session; exec sleep 1000' &
until [ -s session ]; do sleep 0.05; done
(sh -c 'echo $$ >lost; exec sleep 1000' &)
until [ -s lost ]; do sleep 0.05; done
(setsid sh -c 'echo $$ >daemon; exec sleep 1000' &)
until [ -s daemon ]; do sleep 0.05; done
echo "$$ $a $(cat session) $(cat lost)" >started.new
mv started.new started
wait
END
chmod +x family
runs() { # A zombie counts as ended: in a container there may be no init to wait for it.
	grep -q . "/proc/$1/cmdline" 2>/dev/null
}
all_gone() {
	for p; do
		! runs "$p" || return 1
	done
}
ends_all() { # name
	ends
	exits 0 "$1: a recording"
	# shellcheck disable=SC2046 # several words
	ok "$1: nothing that was started runs on" all_gone $(cat pid started)
	ok "$1: but not a program that detached itself" runs "$(cat daemon)"
	kill -KILL "$(cat daemon)" # it may ignore what its parents did
	is "$(stacks_of out.folded)" "$sampled" "$1: the samples are written"
	rm -f started session lost daemon
}
begin parent -- ./family
interrupt_until_over
ends_all "a perf that ignores signals"
says "*perf record did not end when it was told to, *family*" "and the program that was killed is named"
touch mortal
begin parent -- ./family
kill -INT $flametop
ends_all "a perf that does not take its command with it"
says "*programs that perf record had started did not end with it, and were ended: *sleep*" "and the ended programs are named"
touch stubborn-too
begin parent -- ./family
interrupt_until_over
ends_all "one whose command ignores signals"
rm -f stubborn-too
mv perf perf.real
cat >perf <<'END'
#!/bin/sh
./perf.real "$@" # and no exec: between us and perf is a shell
END
chmod +x perf
begin parent -- ./family
kill -TERM $flametop
ends_all "a perf below a script"
rm -f mortal
begin parent -- ./family
interrupt_until_over
ends_all "one that ignores signals below a script"
mv perf.real perf

# ---- flametop is gone before it could end anything

all_gone_soon() { until_true all_gone "$@"; }
for sig in SEGV ABRT KILL; do
	touch stubborn-too
	begin parent -- ./family
	# shellcheck disable=SC2046 # several words
	set -- $(cat pid started)
	kill -$sig $flametop
	ends
	ok "$sig: nothing that was started runs on, though it ignores signals" all_gone_soon "$@"
	ok "$sig: but what left it by itself" runs "$(cat daemon)"
	kill -KILL "$(cat daemon)"
	rm -f started session lost daemon stubborn-too
done

# It is killed as soon as it has started the recorder, and before it can tell anybody.
cat >early.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *a, const posix_spawnattr_t *attr,
                 char *const argv[], char *const envp[])
{
	int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
	            char *const[]) = (int (*)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	                                      const posix_spawnattr_t *, char *const[], char *const[]))
		dlsym(RTLD_NEXT, "posix_spawnp");
	int error = real(pid, file, a, attr, argv, envp);
	raise(SIGKILL);
	return error;
}
END
if cc -shared -fPIC -o early.so early.c -ldl 2>/dev/null && [ -z "${ASAN_OPTIONS-}" ]; then
	rm -f pid
	FAKE=deaf LD_PRELOAD=$dir/early.so "$FLAMETOP" record --symbolizer=perf -o out.folded true >.out 2>.err </dev/null
	if until_true test -s pid; then
		ok "killed while it starts perf: that does not run on, though it ignores signals" all_gone_soon "$(cat pid)"
	else
		ok "killed while it starts perf: that ends before it begins" true
	fi
else
	skip 1 "no library can be put before the C library"
fi

cat >leaving <<'END'
#!/bin/sh
sleep 1000 &
echo $! >left
until [ -e stop ]; do sleep 0.05; done
END
chmod +x leaving
begin '' -- ./leaving
touch stop
ends
ok "an orphan of a command that ended normally runs on" runs "$(cat left)"
kill "$(cat left)"

for FAKE in left-0-empty left-3-empty; do
	run "$FLAMETOP" record --symbolizer=perf -o out.folded -- true
	exits 1 "$FAKE: a perf that fails is a failure"
	says "*programs that perf record had started did not end with it, and were ended: sleep*" "$FAKE: what it leaves is named"
	ok "$FAKE: and does not run on" all_gone "$(cat left)"
done
rm -f left
begin parent -- ./family
sleep 0.5 # it is looked for at least twice a second
kill -KILL "$(cat pid)"
ends
says "*programs that perf record had started did not end with it, and were ended: *" "a perf that is killed leaves its command"
# shellcheck disable=SC2046 # several words
ok "which does not run on, nor what it has started" all_gone $(cat pid started)
kill -KILL "$(cat daemon)"
rm -f started session lost daemon
rm -f forked
begin forked -- true
until_true test -s pid
kill -TERM $flametop
ends
# shellcheck disable=SC2046 # several words
ok "a perf script that hangs ends with what it has started" all_gone_soon $(cat pid forked)
rm -f perf-*.data forked pid
cat >script <<'END'
#!/bin/sh
sleep 1000 &
echo $! >forked
echo $$ >pid
wait
END
chmod +x script
printf PERFILE2 >perf.data
PERF=$PWD/script "$FLAMETOP" --symbolizer=perf --to=folded perf.data >/dev/null 2>&1 &
flametop=$!
until_true test -s pid
kill -TERM $flametop
wait $flametop
# shellcheck disable=SC2046 # several words
ok "the same when perf.data is read" all_gone_soon $(cat pid forked)
rm -f perf.data

begin deaf -p $$ --duration=0.1
interrupt_until_over
ends
exits 0 "a process that runs already is no different"
ok "and goes on" kill -0 $$

mkdir bin
cat >bin/sudo <<'END'
#!/bin/sh
[ "$1" != -v ] || exit 0
trap : INT TERM # which go on to perf only
"$@"
END
chmod +x bin/sudo
PATH=$dir/bin:$PATH begin deaf --root -- true
interrupt_until_over
ends
says "*perf record did not end when it was told to, and was killed*" "perf record behind sudo is killed"
ok "and not sudo alone" sh -c "! kill -0 $(cat pid) 2>/dev/null"
is "$(stacks_of out.folded)" "$sampled" "with its samples kept"

begin stuck -- true
until_true sh -c 'read -r comm 2>/dev/null <"/proc/$(cat pid)/comm" && [ "$comm" = sleep ]'
kill -TERM $flametop
ends
exits 143 "a perf script that hangs does not keep flametop from ending"
# A zombie counts as ended: in a container there may be no init to wait for it.
ok "and does not stay behind" until_true sh -c "! grep -q . /proc/$(cat pid)/cmdline 2>/dev/null"

# ---- signals after the recording, while it is read

slept() { # perf script hangs
	until_true sh -c 'read -r comm 2>/dev/null <"/proc/$(cat pid)/comm" && [ "$comm" = sleep ]'
}
is_kept() { # name
	says "*flametop: the recording is still there: flametop record --perfdata=*perf-*.data" "$1: the recording is kept, by a name"
	kept=$(printf '%s\n' "$err" | sed -n 's/.*--perfdata=//p')
	# shellcheck disable=SC1007 # PERF is empty for this command
	is "$(cat "${kept:-none}" 2>&1)" "$(PERF= ./perf record -o again -- true >/dev/null 2>&1; cat again)" "$1: all of it"
	ok "$1: and nothing else" test ! -e out.folded
	rm -f perf-*.data again
}
signals='TERM:143 HUP:129 ABRT:134'
if [ -z "${TESTS_SANITIZED:-}" ]; then
	signals="$signals SEGV:139"
else
	skip 4 "sanitizers have a handler of their own for SIGSEGV"
fi
for sig in $signals; do
	begin stuck -- true
	slept
	kill -"${sig%:*}" $flametop
	ends
	exits "${sig#*:}" "${sig%:*} while the recording is read ends it"
	is_kept "${sig%:*}"
done
begin stuck --keep-data -- true
slept
kill -TERM $flametop
ends
says "*the recording is still there: flametop record --perfdata=perf.data" "one that stays anyway is named, too"
rm -f perf.data
if command -v perl >/dev/null; then
	begin_in_front() { # where Ctrl-C is not ignored
		FAKE=$1
		shift
		rm -f recorded out.folded .err pid go
		perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec @ARGV' "$FLAMETOP" record --symbolizer=perf -o out.folded "$@" >.out 2>.err </dev/null &
		flametop=$!
		until_true test -s pid
	}
	for sig in INT:130 QUIT:131; do
		begin_in_front stuck -- true
		slept
		sleep 1.2
		kill -"${sig%:*}" $flametop
		ends
		exits "${sig#*:}" "${sig%:*} while the recording is read ends it"
		is_kept "${sig%:*}"
	done
	tries=0 # a machine that is busy may need more than the second
	while :; do
		begin_in_front slow -- true
		kill -INT $flametop
		touch go
		ends
		tries=$((tries + 1))
		[ $status -ne 0 ] && [ $tries -lt 5 ] || break
	done
	exits 0 "a Ctrl-C that comes as perf ends is for the recording, not for what follows"
	is "$(stacks_of out.folded)" "$sampled" "whose samples are written"
	rm -f perf-*.data
fi

FAKE=lingering
run "$FLAMETOP" record --symbolizer=perf -o out.folded -- true
exits 0 "a perf script that does not end after its last sample is no failure"
says "*perf script did not end after its last sample, and was killed" "but said"
is "$(stacks_of out.folded)" "$sampled" "all samples are there"
printf PERFILE2 >perf.data
cat >script <<'END'
#!/bin/sh
printf 'work 10/10 1.0: 5 cycles: \n\t     1 leaf+0x1 (/bin/work)\n\n'
exec >&-
exec sleep 1000
END
chmod +x script
run env PERF="$dir/script" "$FLAMETOP" --symbolizer=perf --to=folded perf.data
prints "work;leaf 5" "the same when perf.data is read"
says "*perf script did not end after its last line, and was killed*" "and said there, too"

FAKE=empty
run "$FLAMETOP" record --symbolizer=perf -o out.folded -- true
says "*perf record left no samples" "a perf that ends well without samples has not failed with a status"
FAKE=killed-empty
run "$FLAMETOP" record --symbolizer=perf -o out.folded -- true
says "*perf record was ended by signal 9 (*) and left no samples" "one that is killed is reported with its signal"
FAKE=

cat >filter <<'END'
#!/bin/sh
trap '' INT TERM
echo ready >recorded
exec sleep 1000
END
chmod +x filter
begin '' --post-process=./filter -- ./command
touch stop
rm -f recorded
until_true test -s recorded
interrupt_until_over
ends
exits 1 "a filter that ignores signals is ended by a second Ctrl-C"
says "*--post-process: './filter' was killed by signal 9*the recording is still there: *" "and the recording is kept"
rm -f perf-*.data

# ---- signals that were ignored or blocked at the start

begin '' -- ./command
kill -INT $flametop
ends
is "$(stacks_of out.folded)" 'work;main;leaf 10' "an ignored SIGINT ends a recording all the same"

ignoring() { # signal, program...
	sh -c "trap '' $1; shift; exec \"\$@\"" sh "$@"
}
touch stop
run ignoring CHLD "$FLAMETOP" record --symbolizer=perf -o out.folded -- ./command
exits 7 "with SIGCHLD ignored the status of the command is known"
rm -f stop recorded
trap '' HUP
"$FLAMETOP" record --symbolizer=perf -o out.folded -- ./command 2>.err &
flametop=$!
trap 'exit 1' HUP
until_true test -s recorded
kill -HUP $flametop
kill -HUP "$(cat pid)"
touch stop
ends
exits 7 "a program under nohup goes on after SIGHUP, and so does perf"

mkfifo fifo
trap '' XFSZ
"$FLAMETOP" --to=folded fifo 2>.err &
flametop=$!
trap - XFSZ
exec 9>fifo # blocks until the fifo is read
kill -XFSZ $flametop
ends
exec 9>&-
is $((status > 128)) 1 "with SIGXFSZ ignored, one that is sent ends the process"
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "a_function_with_a_long_name_%d 1\n", i }' >large.folded
for how in "" "trap '' XFSZ;"; do
	run sh -c "$how ulimit -f 64; exec \"\$0\" -o small.folded large.folded" "$FLAMETOP"
	exits 1 "${how:-as usual:} a file that must not grow any more is a failure"
	says "flametop: small.folded: cannot write: *" "${how:-as usual:} and it is said"
	ok "${how:-as usual:} nothing is left behind" test ! -e small.folded
done

if command -v perl >/dev/null; then
	perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM, SIGINT, SIGHUP, SIGCHLD)); exec @ARGV' \
		"$FLAMETOP" --to=folded fifo 2>.err &
	flametop=$!
	exec 9>fifo
	kill -TERM $flametop
	ends
	exec 9>&-
	exits 143 "signals that were blocked at the start end it"
fi

done_testing
