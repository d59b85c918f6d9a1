#!/bin/sh
# A store of profiles on a terminal: one menu leads to the next, down to a part of the time; and an end at once.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
. "$source/tests/cli/fetch.sh"
trap 'end_servers; tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT

server=store_server.py
serve one
host=${at#http://}
cp "$source/tests/data/collapse/pprof/heap.in" all.pb
cp "$source/tests/data/collapse/pprof/cpu.in" 1.pb
run "$FLAMETOP" --no-config --to=folded "pyroscope://$host/?query=a:b:c:d:e"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac

term_start 100 16
fetch() { # options and address; status of the last one is shown
	type_line "clear; $FLAMETOP --no-config $*; echo \"status \$?\""
}
asked_for() { # the last question, name
	until_true like_last "$1"
	tap_result $? "$2" "$(cat one.log)"
}
like_last() {
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $(tail -n 1 one.log) in
	$1) return 0 ;;
	esac
	return 1
}
cpu=process_cpu:cpu:nanoseconds:cpu:nanoseconds

for store in pyroscope parca; do
	fetch "$store://$host"
	shows "*Types of profiles, 20*UTC*memory:inuse_space:bytes:space:bytes*$cpu*" "$store: its types"
	keys j Enter
	shows "*Which part of $cpu*all of it*a part of the time*only one service_name*only one version*" "$store: its labels"
	keys j j j Enter
	shows "*Values of version of $cpu*1*2*" "$store: values of one"
	keys Enter
	shows "*Which part of $cpu*version=\"1\"*all of it*" "$store: the value narrows it"
	keys j Enter
	shows "*From when of $cpu*version=\"1\"*all of it*%*20*to*UTC  *▇▇▇*" "$store: the total over time"
	keys j j Enter
	shows "*Until when of $cpu*▇▇▇*" "$store: until when"
	keys j Enter
	shows "*process_cpu:cpu{version=\"1\"} at $host*" "$store: a profile"
	case $store in
	pyroscope) asked_for '*"SelectMergeProfile", "seconds": 120.0, "selector": "{version=*' "$store: of that part" ;;
	*) asked_for '*"method": "Query", "query": "*{version=*"seconds": 120.0}' "$store: of that part" ;;
	esac
	keys C
	shows "*$store://$host/?*version=*from=*until=*" "$store: the copied command has the choice"
	keys q
	leave
	shows "*status 0*" "$store: and it ends"
done

# Nothing hangs.
fetch "'pyroscope://$host/slow-menu/'"
shows "*Types of profiles*" "the first menu is there"
keys j Enter
shows "*asking the server what there is to choose*" "the next one takes its time, and the viewer says so"
keys q
shows "*status 0*" "q ends it meanwhile"
has_modes 0001 "the terminal is whole"
fetch --timeout=1 "'pyroscope://$host/slow-menu/'"
shows "*Types of profiles*" "the first menu is there"
keys j Enter
shows "*pyroscope://$host/slow-menu/?query=*: the server is silent: no answer for 1 s*status 1*" "a silent server ends it"
has_modes 0001 "the terminal is whole"
fetch "'pyroscope://$host/broken-menu/'"
shows "*Types of profiles*" "the first menu is there"
keys j Enter
shows "*: the server answers with status 500: the labels are broken (internal)*status 1*" "so does an error"
has_modes 0001 "the terminal is whole"
fetch "'pyroscope://$host/401/'"
shows "*pyroscope://$host/401/: the server answers with status 401: no org id*status 1*" "an error of the first menu"
fetch "pyroscope://$host"
shows "*Types of profiles*" "the menu is there"
keys q
shows "*status 0*" "q ends without a choice"
has_modes 0001 "the terminal is whole"
: >one.log
asked_twice() { [ "$(grep -c SelectMergeProfile one.log)" -ge 2 ]; }
fetch --every=1 "'pyroscope://$host/?query=$cpu'"
shows "*process_cpu:cpu at $host*" "a store can be watched"
until_true asked_twice
tap_result $? "and is asked again" "$(cat one.log)"
keys q
shows "*status 0*" "until q"
has_modes 0001 "the terminal is whole"
until_true sh -c "! pgrep -f '^$FLAMETOP --no-config .*$host' >/dev/null"
tap_result $? "nothing runs on" "still running"
ok "each question is as the API has it" test ! -e one.log.faults

type_line exit
done_testing
