#!/bin/sh
# How recordings of flametop's own sampler end: what is said of the command, of the sampler and of the file.
. "$(dirname "$0")/../tap.sh"

unset PERF
"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || skip_all "nothing can be sampled here: $(head -1 why)"

# A command that fails and leaves no samples.
run "$FLAMETOP" record -F 1 -o none.folded -- sh -c 'kill -KILL $$'
exits 137 "a command that is killed at once"
says "*sh was ended by signal 9 (*" "is named"
says "*a recording without samples*" "and so is the lack of samples"
is "$(printf "%s" "$err" | grep -c "samples up to there")" 0 "which are not said to be written"
run "$FLAMETOP" record -F 1 -o none.folded -- sh -c 'exit 5'
says "*sh ended with status 5*" "the same with a status"
is "$(printf "%s" "$err" | grep -c "samples up to there")" 0 "and there"
# shellcheck disable=SC2016 # for the shell inside
run "$FLAMETOP" record --call-graph=fp -o some.folded -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; kill -KILL $$'
says "*sh was ended by signal 9 (*); the samples up to there are written*" "samples that are there are"

# The command removes, replaces, renames or cuts off the recording.
B='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
sample() { # what the command does to z.data
	rm -f z.data* moved.data
	run "$FLAMETOP" sample --call-graph=fp -o z.data -- sh -c "$B; $1"
}
sample 'rm z.data'
exits 1 "a recording that its command removes"
says "*z.data: the recording was removed while it was made, and is lost*" "is missed"
sample 'rm z.data; echo other >z.data'
exits 1 "one that is replaced"
says "*z.data: the recording was removed while it was made, and is lost*" "is missed, too"
is "$(cat z.data)" other "and what took its place stays"
sample 'mv z.data moved.data'
exits 1 "one that is renamed"
says "*z.data: the recording was renamed while it was made*" "is said to be elsewhere"
ok "and is whole there" sh -c '"$FLAMETOP" --to=folded moved.data 2>&1 | grep -q "^sh"'
sample "ln z.data moved.data; rm z.data"
exits 1 "the same by another name"
sample "ln z.data moved.data; ln -s z.data link; $B"
exits 0 "a second name harms nothing"
sample ": >z.data; $B"
exits 1 "one that is cut off"
says "*z.data: another program cut the file off, so the recording is lost*" "is given up"
sample "trap '' INT TERM; echo other >z.data" # between cutting off and writing, it would be ended
exits 1 "one whose file gets other contents"
is "$(cat z.data)" other "is not written into them"
sample "rm z.data; exit 7"
exits 7 "the command's own status comes first"
# shellcheck disable=SC2016 # for the shell inside
run "$FLAMETOP" record --call-graph=fp --keep-data -o z.folded -- sh -c "$B; echo other >perf.data"
exits 1 "record --keep-data"
says "*perf.data: another program cut the file off*" "says so, too"
is "$(printf "%s" "$err" | grep -c "still there")" 0 "and does not call it a recording"
for kind in folded svg html pb.gz; do
	run "$FLAMETOP" record -q --call-graph=fp -o "z.$kind" -- sh -c "$B; rm -f z.$kind; echo other >z.$kind"
	exits 0 "record -o z.$kind: the command may leave a file there"
	is "$(grep -acx other "z.$kind")" 0 "which the result replaces"
done

# ^C and a closed terminal signal the whole group: the parents of programs with sessions of their own end before
# flametop can look for these programs.
is_gone() { # a zombie counts: in a container there may be no init to wait for it
	! grep -q . "/proc/$1/cmdline" 2>/dev/null
}
cat >left <<'END'
#!/bin/sh
setsid sh -c 'echo $$ >inner.new; mv inner.new inner; exec sleep 1000' &
wait
END
chmod +x left
begin_group() { # command: flametop leads a group, not its session
	rm -f inner
	perl -e 'setpgrp; $SIG{$_} = "DEFAULT" for qw(INT QUIT HUP); exec @ARGV' "$@" >/dev/null 2>&1 &
	group=$!
	until_true test -s inner
}
tell_group() { # signal
	kill -s "$1" -- "-$group"
	wait "$group" 2>/dev/null
	status=$?
	err=""
}
has_ended() { # a child that has exited, and whose parent has not waited for it
	grep -q '^State:.Z' "/proc/$1/status"
}
tell_late() { # signal, command: flametop finds its own signal and the end of the command at once
	kill -STOP "$group"
	kill -s "$1" -- "-$group"
	until_true has_ended "$2"
	kill -CONT "$group"
	wait "$group" 2>/dev/null
	status=$?
	err=""
}
if command -v perl >/dev/null; then
	for how in 'sample -q --call-graph=fp -o group.data' 'record -q --call-graph=fp -o group.folded'; do
		for sig in INT TERM HUP QUIT KILL; do
			# shellcheck disable=SC2086 # several words
			begin_group "$FLAMETOP" $how -- ./left
			sleep 2 # the guardian looks about once a second
			tell_group $sig
			ok "${how%% *}, $sig for the group: nothing that was started runs on" until_true is_gone "$(cat inner)"
			kill -KILL "$(cat inner)" 2>/dev/null
		done
	done
	# shellcheck disable=SC2016 # for the shell inside
	for sig in INT TERM; do
		begin_group "$FLAMETOP" sample -q --call-graph=fp -o group.data -- \
			sh -c 'sleep 1000 & echo $$ $! >inner.new; mv inner.new inner; wait'
		read -r command inner <inner
		tell_late $sig "$command"
		exits 0 "a $sig that is found with the end of the command has ended both"
		ok "$sig: what the command has started ends, too" until_true is_gone "$inner"
		kill -KILL "$inner" 2>/dev/null
		begin_group "$FLAMETOP" record -q -F 1 --call-graph=fp -o group.folded -- \
			sh -c 'sleep 1000 & echo $PPID $! >inner.new; mv inner.new inner; wait'
		read -r sampler inner <inner
		tell_late $sig "$sampler"
		ok "record, $sig: the same" until_true is_gone "$inner"
		kill -KILL "$inner" 2>/dev/null
	done
else
	skip 16 "there is no perl"
fi

# Live: who has crashed?
if command -v tmux >/dev/null; then
	tm() { tmux -L "flametop-test-$$" -f /dev/null "$@"; }
	trap 'tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT
	cat >waits <<'END'
#!/bin/sh
echo $PPID >sampler.new
mv sampler.new sampler
i=0
while [ ! -e stop ]; do i=$((i+1)); done
[ ! -e dies ] || kill -USR1 $$
END
	chmod +x waits
	live() { # begins a recording, and waits until its command runs and samples are shown
		rm -f ended sampler stop
		tm new-session -d -x 130 -y 20 "trap : INT; '$FLAMETOP' record --no-config --no-ask --call-graph=fp -- ./waits 2>said; echo \$? >ended; sleep 30"
		until_true test -s sampler
		until_true shows "100.0% of all"
	}
	shows() { tm capture-pane -p 2>/dev/null | grep -q "$1"; }
	leave() {
		tm send-keys q
		until_true test -s ended
		tm kill-server 2>/dev/null
	}
	live
	kill -ABRT "$(cat sampler)"
	ok "live: the screen says that the sampler crashed" until_true shows "flametop sample killed by SIGABRT"
	touch stop
	leave
	is "$(cat ended)" 134 "its status is passed on"
	like "$(cat said)" "*flametop sample was ended by signal 6*" "and the sampler is named"
	touch dies
	live
	touch stop
	ok "a command that dies is not the sampler" until_true shows "  killed by SIGUSR1"
	leave
	is "$(cat ended)" 138 "its status is passed on, too"
	like "$(cat said)" "*waits was ended by signal *" "and the command is named"
	# As the leader of its session: the system hangs up the command with it, and what that has started is an orphan.
	cat >family <<'END'
#!/bin/sh
setsid sh -c 'trap "" TERM INT HUP; echo $$ >inner.new; mv inner.new inner; while :; do sleep 1; done' &
while :; do sleep 0.1; done
END
	chmod +x family
	tm new-session -d -x 130 -y 20 "exec '$FLAMETOP' record --no-config --no-ask -- ./family"
	until_true test -s inner
	sleep 2 # the guard looks about once a second
	kill -KILL "$(tm list-panes -F '#{pane_pid}')"
	ok "a leader that is killed leaves no program of the command" until_true is_gone "$(cat inner)"
	kill -KILL "$(cat inner)" 2>/dev/null
	tm kill-server 2>/dev/null
	# A terminal that is closed, with flametop below a shell.
	rm -f inner
	tm new-session -d -x 130 -y 20 "trap : INT; '$FLAMETOP' record --no-config --no-ask -- ./left; sleep 30"
	until_true test -s inner
	sleep 2
	tm kill-session
	ok "a terminal that is closed leaves no program of the command" until_true is_gone "$(cat inner)"
	kill -KILL "$(cat inner)" 2>/dev/null
	tm kill-server 2>/dev/null
else
	skip 8 "tmux is not installed"
fi

done_testing
