#!/bin/sh
# flametop record on a terminal (tmux): the graph grows while a fake perf sends samples.
. "$(dirname "$0")/../tap.sh"

command -v tmux >/dev/null || skip_all "tmux is not installed"

cat >perf <<'END'
#!/bin/sh
# perf record sends a sample whenever the file `more` appears, a loss for `lose`, lots of data for `flood`, and runs
# the command; perf script is cat, and starts once there is no file `busy`.
echo "$$ $*" >>log
if [ "$1" = script ]; then
	while [ -e busy ]; do sleep 0.02; done
	[ -e deaf ] || exec cat
	trap '' TERM
	cat
	exec sleep 1000
fi
[ ! -e refuse ] || { echo "Access denied by the fake" >&2; exit 255; }
trap 'echo interrupted >>log; kill -TERM $child 2>/dev/null; trap - INT; kill -INT $$' INT
[ ! -e deaf ] || trap '' INT TERM # and perf script goes on, too
while [ "$1" != -- ]; do shift; done
shift
"$@" >&2 &
child=$!
n=0
while kill -0 $child 2>/dev/null; do
	if [ -e more ]; then
		n=$((n + 1))
		rm more # removed before the sample shows, so that the next `more` is a new one
		printf 'work 10/10 %d.0: 5 cycles: \n\t     1 leaf_%d+0x1 (/bin/work)\n\t     2 main+0x1 (/bin/work)\n\n' $n $n
	fi
	if [ -e shallow ] && [ ! -e shown ]; then
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
			printf 'work 10/10 1.%d: 5 cycles: \n\t     1 leaf_%d+0x1 (/bin/work)\n\n' $i $i
		done
		touch shown
	fi
	if [ -e flood ]; then
		head -c 4000000 /dev/zero | tr '\0' '\n'
		mv flood flooded
	fi
	if [ -e lose ]; then
		rm lose
		echo "work 10/10 $n.5: PERF_RECORD_LOST lost 7"
	fi
	sleep 0.02
done
wait $child
status=$?
if [ -e linger ]; then # closes its output some time before it ends, like perf on a busy machine
	exec >&-
	touch closed
	sleep 0.7
fi
touch over
exit $status
END
chmod +x perf
cat >'command' <<'END'
#!/bin/sh
echo "a word from the command"
if [ -e deaf ]; then
	trap '' INT TERM
	sleep 1000 &
	echo "$$ $!" >family
fi
while [ ! -e stop ]; do sleep 0.02; done
exit 6
END
chmod +x command

# A server that was just killed takes a moment to end, so every session has its own.
n_sessions=0
tm() { tmux -L "flametop-test-$$-$n_sessions" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT

screen() { tm capture-pane -p 2>/dev/null; }

shows() { # pattern, name: waits until the screen matches
	tries=0
	until screen | grep -q "$1"; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ]; then
			tap_result 1 "$2" "the screen does not show '$1':
$(screen)"
			return 1
		fi
		sleep 0.05
	done
	tap_result 0 "$2"
}

shows_not() { # pattern, name: waits until the screen no longer matches
	tries=0
	while screen | grep -q "$1"; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ]; then
			tap_result 1 "$2" "the screen still shows '$1':
$(screen)"
			return 1
		fi
		sleep 0.05
	done
	tap_result 0 "$2"
}

until_there() { tries=0; until [ -e "$1" ] || [ $tries -gt 600 ]; do tries=$((tries + 1)); sleep 0.05; done; }

# A message may replace "recording".
over() { # file that perf creates at its end, name
	until_there "$1"
	shows_not recording "$2"
}

start() { # options of record
	rm -f stop more lose ended closed over
	n_sessions=$((n_sessions + 1))
	# shellcheck disable=SC2016 # for the shell inside
	tm new-session -d -x 130 -y 20 "trap : INT; PERF='$dir/perf' '$FLAMETOP' record --symbolizer=perf --no-config --no-ask $* ; echo \"ended with \$?\" | tee ended; sleep 30" && return
	[ $tap_n -gt 0 ] || skip_all "tmux does not start here"
	tap_result 1 "tmux starts" "session $n_sessions"
}

ended() { # status, name
	tries=0
	until [ -s ended ]; do
		tries=$((tries + 1))
		[ $tries -le 600 ] || break
		sleep 0.05
	done
	is "$(cat ended 2>/dev/null)" "ended with $1" "$2"
}

start -- ./command -I/usr/include x.c
shows '^command -I/usr/include x.c  ' "the header names the recorded command"
touch more
shows leaf_1 "the first sample is shown while the command runs"
touch more
shows leaf_2 "the next one follows"
is "$(screen | grep -c 'a word from')" 0 "the command keeps its words for later"
touch stop
over over "the recording ends with its command"
shows leaf_2 "and the graph stays"
tm send-keys q
ended 6 "the status of the command is passed on"
shows 'a word from the command' "its output comes when the viewer ends"
ok "perf record was called for a pipe" grep -q -- '--no-buffering -o - -- ./command' log
tm kill-server

touch linger
start -- ./command
touch more
shows leaf_1 "a perf that takes its time to end"
touch stop
over closed "the recording ends with its output"
tm send-keys q
ended 6 "the status is waited for"
rm linger
tm kill-server

start -- ./command in/some/directory
touch more
shows leaf_1 "a second recording starts"
shows '^command in/some/directory  cycles' "the header has the command as it was typed, without the program's directory"
tm send-keys q
ended 0 "leaving the viewer ends the recording, which is no failure"
ok "perf was interrupted, as by Ctrl-C" grep -q '^interrupted' log
tm kill-server

: >log
start -- ./command
touch more
shows leaf_1 "a third recording starts"
tm send-keys C-c
shows 'recording ends' "Ctrl-C ends the recording"
shows leaf_1 "and the samples are still shown"
tm send-keys q
ended 0 "and that is no failure"
tm kill-server

start --duration=1 -- ./command
touch more
shows leaf_1 "a recording with a duration starts"
tries=0
until grep -q '^interrupted' log || [ $tries -gt 600 ]; do tries=$((tries + 1)); sleep 0.05; done
ok "it ends without a signal" grep -q '^interrupted' log
tm send-keys q
ended 0 "and that is no failure either"
tm kill-server

start -- ./command
touch more
shows 'leaf_1' "a recording to move in starts"
tm send-keys k k
shows '^main ' "the cursor is on a frame"
tm send-keys Enter
shows 'all > work > main' "which is zoomed into"
tm send-keys /leaf_1 Enter
shows '1 match, 100.0%' "and searched"
touch more
shows leaf_2 "another sample comes"
shows 'all > work > main' "the zoom stays"
shows '1 match, 50.0%' "and so does the search, with new numbers"
shows '^leaf_1 ' "and the cursor, which the search has moved"
tm send-keys z
shows ' frozen' "z freezes"
touch more
shows '3 samples' "samples are still taken"
is "$(screen | grep -c leaf_3)" 0 "but the picture stays"
tm send-keys z
shows leaf_3 "z again shows the new samples"
touch lose
shows '7 lost' "the header counts perf's losses"
shows 'sampling [0-9.]*% CPU' "and perf's cost"
tm send-keys q
ended 0 "leaving is fine"
tm kill-server

touch busy flood
start -- ./command
until_there flooded
ok "while perf script reads symbols, perf record goes on" test -e flooded
touch more
rm busy
shows leaf_1 "and nothing of it is lost"
tm send-keys q
ended 0 "leaving is fine then, too"
tm kill-server

start --window=1 -- ./command
touch more
shows leaf_1 "a recording with a window starts"
touch more
shows 'last 1 s' "the header has the window"
shows leaf_2 "two samples are within"
touch more
shows leaf_3 "when a third one comes"
shows '33.3% excluded' "the first one is outside"
is "$(screen | grep -c leaf_1)" 0 "and not shown any more"
tm send-keys q
ended 0 "leaving a window is fine"
tm kill-server

start -- ./command
for i in 1 2 3; do
	touch more
	shows "leaf_$i" "sample $i of a recording without a window is there"
done
tm send-keys W
shows 'the last 1 s' "W lists windows"
tm send-keys j Enter
shows '33.3% excluded' "picking one leaves out older samples"
shows 'last 1 s' "the header has it"
touch more
shows '50.0% excluded' "and it slides along"
tm send-keys r
shows leaf_1 "r shows everything again: nothing was forgotten"
tm send-keys q
ended 0 "leaving is fine after that, too"
tm kill-server

touch shallow
start --call-graph=fp -- ./command
touch more
shows 'built without frame pointers (--call-graph=dwarf' "stacks that are not whole are noticed while they come in"
tm send-keys j M
shows 'Notes' "M shows notes"
shows 'built without frame pointers' "and that one is among them"
tm send-keys q q
ended 0 "leaving is fine"
shows 'flametop: .*built without frame pointers' "and printed again"
tm kill-server
rm shallow

# sudo stays between us and perf, and the command is below both.
mkdir bin
cat >bin/sudo <<'END'
#!/bin/sh
[ "$1" != -v ] || exit 0
"$@"
exit $?
END
chmod +x bin/sudo
PATH=$dir/bin:$PATH start --root -- ./command
touch more
shows leaf_1 "a recording by root starts"
shows 'sampling [0-9.]*% CPU' "perf's cost is known below sudo, too"
touch stop
tm send-keys q
shows 'ended with' "and it ends"
tm kill-server

cat >leaving <<'END'
#!/bin/sh
(until [ -e enough ]; do echo "a word from behind"; sleep 0.02; done; echo yes >well) &
until [ -e stop ]; do sleep 0.02; done
END
chmod +x leaving
start -- ./leaving
touch more
shows leaf_1 "a command that leaves a program behind"
touch stop
over over "the recording ends with it"
tm send-keys q
ended 0 "and leaving waits for nobody"
touch enough
until_there well
is "$(cat well 2>/dev/null)" yes "what it has left can print on"
tm kill-server

touch deaf
: >log
start -- ./command
touch more
shows leaf_1 "a recording by a perf that ignores signals starts"
recorder=$(sed -n '/ record /s/ .*//p' log)
tm send-keys q
shows 'perf record has not ended yet (Ctrl-C kills it now)' "a recording that does not end with the viewer is reported"
kill -INT "$(ps -o ppid= -p "$recorder" | tr -d ' ')"
ended 0 "Ctrl-C ends it"
shows 'until command, which it had started, was killed' "and says what"
ok "nothing runs on" sh -c "! cat $(for p in $recorder $(cat family) $(sed -n '/ script /s/ .*//p' log); do
	printf '/proc/%s/cmdline ' "$p"
done) 2>/dev/null | grep -q ."
tm kill-server

rm -f family
start --duration=1 -- ./command
touch more
shows leaf_1 "one with a duration starts"
until_there over
ok "it ends soon after it, though the command ignores signals" test -e over
tm send-keys q
ended 0 "and the viewer with q"
shows 'until command, which it had started, was killed' "and says what was killed"
tm kill-server

for sig in QUIT SEGV KILL; do
	: >log
	rm -f family
	start -- ./command
	touch more
	shows leaf_1 "$sig: another one starts"
	recorder=$(sed -n '/ record /s/ .*//p' log)
	# shellcheck disable=SC2046 # several words
	set -- $recorder $(cat family) $(sed -n '/ script /s/ .*//p' log)
	kill -$sig "$(ps -o ppid= -p "$recorder" | tr -d ' ')"
	tries=0
	# shellcheck disable=SC2046 # numbers
	while cat $(printf '/proc/%s/cmdline ' "$@") 2>/dev/null | grep -q . && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	ok "$sig ends flametop, and nothing runs on" [ $tries -lt 600 ]
	tm kill-server
done
rm deaf

touch refuse
start -- ./command
ended 1 "a perf that refuses is a failure"
shows 'Access denied by the fake' "and its messages are shown"
tm kill-server

done_testing
