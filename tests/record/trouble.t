#!/bin/sh
# Recordings that go wrong, with the real perf: each ends with a clear line, and the terminal is restored.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

PERF=$(command -v perf) || skip_all "perf is not installed" # a perf named by PERF is tried despite kernel.perf_event_paranoid
export PERF
perf record -q -e cpu-clock:u -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
perf script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"
term_start 110 20

cat >busy <<'END_OF_SH'
#!/bin/sh
echo $$ >busy.pid
while :; do :; done
END_OF_SH
chmod +x busy

begin() { # name [options]
	rm -f busy.pid
	type_line "clear; $FLAMETOP record --no-config ${2-} --no-ask -F 99 --call-graph=fp -- ./busy; echo status=\$?"
	shows "*cpu-clock*samples*" "$1: samples come in"
	until_true test -s busy.pid
	busy=$(cat busy.pid)
	recorder=$(ps -o ppid= -p "$busy" | tr -d ' ')
}

# A message may replace "recording", so this checks perf record, too.
over() { # name
	until_true sh -c "! kill -0 $recorder 2>/dev/null"
	shows_not "*recording*" "$1: the recording ends"
}

ended() { # message, name
	shows "*$1*status=*ready>*" "$2: and that is said"
	has_modes 0001 "$2: the terminal is whole"
}

begin "the command is killed"
kill -KILL "$busy"
over "the command is killed"
keys q
ended "ended by signal 9" "the command is killed"

begin "perf record is killed"
kill -KILL "$recorder"
over "perf record is killed"
shows "*busy  cpu-clock* *s *total*" "perf record is killed: the samples are still shown"
keys q
ended "perf record was ended by signal 9" "perf record is killed"
kill -KILL "$busy" 2>/dev/null # an orphan

begin "perf script is killed" --symbolizer=perf
script=$(ps -eo pid=,ppid=,args= | awk -v me="$(ps -o ppid= -p "$recorder" | tr -d ' ')" '$2 == me && / script / { print $1 }')
kill -KILL "$script"
shows_not "*recording*" "perf script is killed: the recording ends"
keys q
ended "perf script was ended by signal 9" "perf script is killed"
until_true sh -c "! kill -0 $busy 2>/dev/null"
ok "perf script is killed: the command goes with it" sh -c "! kill -0 $busy 2>/dev/null"

mkdir empty
type_line "clear; PERF= PATH=$dir/empty $FLAMETOP record --no-config -- ./busy; echo status=\$?"
ended "perf is not installed" "no perf"

# Mounting a file system needs root.
mkdir small
if mount -t tmpfs -o size=200k none small 2>/dev/null; then
	trap 'umount "$dir/small" 2>/dev/null; tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT
	cat >count.sh <<'END_OF_SH'
i=0
while [ $i -lt 400000 ]; do i=$((i + 1)); done
END_OF_SH
	run env TMPDIR="$dir/small" timeout 60 "$FLAMETOP" record --symbolizer=perf -o full.folded -- sh count.sh
	exits 1 "a full disk is a failure"
	says "*flametop: no room is left for the recording*TMPDIR*" "with a message"
	ok "and nothing is written, as perf script cannot read the recording" test ! -e full.folded
	is "$(df --output=used small | tail -n 1 | tr -d ' ')" 0 "nor left behind"
	run env TMPDIR="$dir/small" timeout 60 "$FLAMETOP" record -o full.folded -- sh count.sh
	ok "it is one if flametop reads the recording" test "$status" -ne 0
	says "*flametop: no room is left for the recording*TMPDIR*" "with the same message"
	says "*the samples up to there are written*" "but the part before"
	ok "is written" test -s full.folded
	is "$(df --output=used small | tail -n 1 | tr -d ' ')" 0 "and nothing is left behind"
	head -c 204800 /dev/zero >small/full
	run env TMPDIR="$dir/small" timeout 60 "$FLAMETOP" record -o full.folded -- sh count.sh
	says "*flametop: no room is left for the recording*TMPDIR*" "a disk that was full before gives the same message"
	umount small
else
	skip 10 "only root can mount a small file system"
fi

done_testing
