#!/bin/sh
# A thread that waits is shown while it waits, as the one wait that it is.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
"$FLAMETOP" sample -q --off-cpu -o probe.data -- sleep 0.2 2>/dev/null &&
	"$FLAMETOP" -q --to=folded --event=off-cpu probe.data 2>/dev/null | grep -q '\[blocked\]' ||
	skip_all "no waits can be recorded here"
sleep 1000 &
sleeper=$!

term_start 100 24
type_line "$FLAMETOP record --no-config --off-cpu -p $sleeper"
header() { screen | sed -n 1p | grep -q "off-cpu [0-9.]* s $1"; } # not ms
shows "*heaviest by self: [[]blocked]*" "a wait that goes on is on the screen"
ok "as one sample, even after a second" until_true header '.* 1 sample '
kill $sleeper
ok "the thread ends" until_true header '.* ended'
keys w C-u
type_line "$dir/waits.json"
shows "*waits.json*" "its profile is written"
like "$(tr -d ' \n' <waits.json)" '*"entries":1}*' "and still has one sample"
leave
done_testing
