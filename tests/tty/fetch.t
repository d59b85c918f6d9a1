#!/bin/sh
# Fetching on a terminal: progress, the list of profiles, a live view, and an end at once.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
. "$source/tests/cli/fetch.sh"
trap 'end_servers; tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT

serve one
cp "$source/tests/data/collapse/pprof/cpu.in" some.pb
printf 'main;a 1\n' >a.folded
run "$FLAMETOP" --no-config --to=folded "$at/a.folded"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac

term_start 100 14
fetch() { # options and address; status of the last one is shown
	type_line "clear; $FLAMETOP --no-config $*; echo \"status \$?\""
}
asked() { # times, path: so many requests have come
	[ "$(grep -c "^$2" one.log)" -ge "$1" ]
}

# While the server takes samples.
profile=$at/debug/pprof/profile
fetch --to=folded "$profile?seconds=5"
shows "*flametop: fetching from ${at#http://}; sampling, [0-5] of 5 s*" "the line counts the seconds"
keys C-c
shows "*ready>*" "Ctrl-C ends it"
shows_not "*sampling*" "without a rest of the line"
fetch "$profile?seconds=5"
shows "*nothing has arrived yet*sampling, [0-5] of 5 s*" "the viewer counts, too"
keys q
shows "*status 0*ready>*" "q ends it"
has_modes 0001 "the terminal is whole"
fetch "$profile"
shows "*sampling, [0-9]* of 30 s*" "without the parameter, Go takes 30"
keys C-c
shows "*status 0*ready>*" "Ctrl-C ends the viewer"
has_modes 0001 "the terminal is whole"
until_true sh -c "! pgrep -f '^$FLAMETOP --no-config .*$profile' >/dev/null"
tap_result $? "nothing runs on" "still running"
fetch --timeout=1 "$at/hang"
shows "*flametop: $at/hang: the server is silent*status 1*" "the viewer ends with the reason"
has_modes 0001 "the terminal is whole"
fetch "$at/500"
shows "*status 500: *Could not enable*status 1*" "of an error as well"

# Samples of a while that are kept nowhere.
touch go
fetch "$profile"
shows "*profile *cpu *" "the profile is there"
keys q
shows "*The fetched profile is not saved:*" "q asks before it is lost"
keys q
shows "*status 0*" "and ends"
fetch --save=kept "$profile"
shows "*profile *cpu *" "the profile is there, and kept"
keys q
shows "*status 0*" "q ends at once"
ok "it is kept" cmp kept some.pb

# The list.
fetch "$at"
shows "*Profiles of $at/debug/pprof/*heap *(12)*profile *CPU time*goroutine*" "the address of a host lists profiles"
keys j Enter
shows "*profile *cpu *" "one is chosen"
keys q
keys q
shows "*status 0*" "and was the input"
fetch "$at"
shows "*Profiles of *" "the list is there"
keys q
shows "*status 0*" "q ends without a choice"
has_modes 0001 "the terminal is whole"
fetch --to=folded "$at"
shows "*lists several profiles*status 1*" "no list without the viewer"

# A live view.
fetch --every=1 --save=kept "$at/once"
shows "*once at ${at#http://}  1 bytes*" "the first answer can be read"
shows "*trying again:*" "and the next one cannot"
keys q
shows "*status 0*" "q ends it"
is "$(tail -n 1 kept)" "main;a 1" "the one that could be read is kept"
: >one.log
fetch --every=1 "$at/debug/pprof/heap"
shows "*heap at ${at#http://}  1 bytes*" "the first answer, and where it comes from"
shows "*heap at *  3 bytes*" "the third takes its place"
keys q
shows "*status 0*" "q ends it"
asked 3 /debug/pprof/heap
tap_result $? "each was asked for" "$(cat one.log)"
fetch --every=1 "$at/debug/pprof/allocs"
shows "*allocs at * 3 bytes*" "answers of two formats"
keys w
type_line live.json
shows "*written to live.json*" "are written"
ok "with the format of the last one" grep -q '"format":"folded"' live.json
keys q
shows "*status 0*" "q ends it"
: >one.log
fetch --every=1 "$profile"
until_true asked 3 "/debug/pprof/profile?seconds=1"
tap_result $? "a CPU profile is asked for again and again, for so many seconds" "$(cat one.log)"
shows "*profile at *cpu *last 1 s*" "the last window is shown"
mv some.pb gone.pb
shows "*trying again: the server answers with status 404*" "a failure is shown"
mv gone.pb some.pb
shows_not "*trying again*" "and the next answer goes on"
keys C-c
shows "*status 0*" "Ctrl-C ends it"
has_modes 0001 "the terminal is whole"

type_line exit
done_testing
