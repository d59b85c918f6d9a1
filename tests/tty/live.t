#!/bin/sh
# Keys, mouse, resize and job control on a real terminal.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

printf 'main;parse;lex 50\nmain;parse;eval 25\nmain;read 15\nmain;write 10\n' >a.folded
term_start 80 20

type_line "cat a.folded | $FLAMETOP; echo left=\$?"
shows "*stdin*100 samples*" "a profile from standard input is shown"
keys k k
shows "*total*75  75.0% of all*" "keys come from the terminal, not from standard input"
keys Enter
shows "*all > main > parse*" "Enter zooms"
keys BSpace
shows_not "*all > main*" "Backspace goes back"
keys j j

tm resize-window -x 60 -y 16
shows "*rows 1-4 of 4*" "another size: the screen is laid out anew"
is "$(screen | sed -n 1p | awk '{print length($0)}')" 60 "the header is as wide as the screen"
tm resize-window -x 80 -y 20
wide() { [ "$(screen | sed -n 1p | wc -m | tr -d ' ')" = 81 ]; }
until_true wide

# Rows count from 1 in the protocol. main is two rows above the footer of three lines.
send_raw '\033[<0;10;16M\033[<0;10;16m'
shows "*total*100 100.0% of all  100.0% of parent*" "a click selects"
send_raw '\033[<0;10;15M\033[<0;10;15m\033[<0;10;15M\033[<0;10;15m'
shows "*all > main > parse*" "two clicks in one packet zoom in"
send_raw '\033[<2;10;15M\033[<2;10;15m'
shows_not "*all > main*" "a right click zooms out"
keys Enter
until_true matches "*all > main > parse*"
send_raw '\033[<0;2;2M\033[<0;2;2m'
shows_not "*all > main*" "a click on the breadcrumb zooms there"
send_raw '\033[<0;76;1'
send_raw '5M\033[<0;76;15m'
shows "*write*total*10  10.0%*" "a report that comes in two pieces is one click"

keys /
send_raw '\033[200~wri\nte\033[201~'
shows "*/wri te*" "a paste into a prompt is text, and its newline is a blank"
keys Escape
shows_not "*/wri te*" "Esc closes the prompt"
send_raw '\033[200~q\033[201~'
keys g
shows "*100 samples*" "a paste outside a prompt does nothing"

has_modes 1110 "before ^Z: own screen, mouse, no cursor"
keys C-z
shows "*Stopped*ready>*" "^Z: the shell is back"
has_modes 0001 "^Z: and the terminal is whole"
type_line fg
has_modes 1110 "fg: screen, mouse and cursor are as before"
shows "*stdin*100 samples*" "fg: the picture is there"
keys G k
shows "*main*" "fg: keys work"

tm set -s set-clipboard off
keys y
shows "*The name*In tmux's buffer*main *" "y shows the name and where it went"
is "$(tm show-buffer)" main "y fills tmux's buffer"
keys q
shows_not "*The name*" "q closes it"

keys O
shows "*does not say where main is*" "O: says so where the profile knows no source"
leave
has_modes 0001 "q leaves after ^Z and fg too"

type_line "clear; $FLAMETOP --keys='kk<Enter>' a.folded"
shows "*all > main > parse*" "--keys are typed once the profile is there"
leave
type_line "clear; $FLAMETOP --no-mouse a.folded"
shows "*a.folded*" "--no-mouse starts"
has_modes 1000 "--no-mouse leaves the mouse to the terminal"
leave

# The editor gets the terminal, and returns it.
cat >b.speedscope.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "main", "file": "+!touch b.c", "line": 12}]},
 "profiles": [{"type": "sampled", "name": "t", "unit": "none", "startValue": 0, "endValue": 3,
  "samples": [[0]], "weights": [3]}]}
END
echo 'int main;' >'+!touch b.c'
printf '#!/bin/sh\ntrap "" INT\nprintf "<%%s>" "$@" >opened\necho; echo editing; read -r line; sleep 2.5\n' >editor
chmod +x editor
type_line "clear; EDITOR='./editor -x' $FLAMETOP b.speedscope.json"
shows "*b.speedscope.json*main*" "a profile that knows its sources"
keys k O
shows "*editing*" "O starts the editor on the plain screen"
has_modes 0001 "with the terminal as it was"
is "$(cat opened)" "<-x><+12><./+!touch b.c>" "for file and line, without a shell in between, with any file name"
keys C-z
shows "*Stopped*ready>*" "^Z there stops both, and the shell is back"
type_line fg
keys C-c
type_line ok
shows "*b.speedscope.json*main*" "and comes back afterwards, long after a ^C that the editor ignored"
has_modes 1110 "with the viewer's modes"
leave

# Slowly arriving data.
type_line "clear; (printf 'a;b 1\n'; until [ -e go ]; do sleep 0.05; done; printf 'a;c 2\n') | $FLAMETOP -f folded"
shows "*reading*" "while a pipe is open, progress is shown"
shows "*stdin  1 sample*" "and the samples so far"
shows "*stdin  1 sample*0:0? *1 stack *" "stacks are counted apart from the sum of their counts"
keys k k
shows "*b*self      1 *" "and keys work"
keys w
type_line so-far.folded
shows "*written to so-far.folded: 6 B read so far*" "w says that the rest is missing"
is "$(cat so-far.folded)" "# folded stacks
# 6 B read so far
a;b 1" "and so does the file"
keys k
touch go
shows "*stdin  3 samples*" "the rest follows"
shows "*self      1  33.3%*" "the cursor stays on its frame"
keys w
type_line whole.folded
shows "*written to whole.folded (folded)*" "w of all of it has nothing to add"
is "$(cat whole.folded)" "a;b 1
a;c 2" "and neither has the file"
leave

# A frozen view can be thawed after the input has ended.
rm go
type_line "clear; (printf 'a;b 1\n'; until [ -e go ]; do sleep 0.05; done; printf 'a;c 2\n') | $FLAMETOP -f folded"
shows "*stdin  1 sample*reading*" "data trickle in"
keys z
shows "*stdin  1 sample* frozen*" "z freezes"
keys k
shows "*help  z go on*" "and goes on, as the footer says"
touch go
shows_not "*reading*" "the input ends"
shows "*stdin  1 sample* frozen*" "while the picture stays"
keys z
shows "*stdin  3 samples*" "z shows the rest all the same"
shows_not "* frozen*" "and nothing is frozen any more"
keys z
shows "*nothing is coming in*" "nor can be"
leave

# Few lines do not tell the format.
rm go
type_line "clear; (printf 'a;b 1\n'; until [ -e go ]; do sleep 0.05; done; printf 'a;c 2\n') | $FLAMETOP"
shows "*6 bytes have arrived, too few to tell the format*" "bytes that do not tell the format are mentioned"
touch go
shows "*stdin  3 samples*" "the end of the input tells it"
leave

# What filters left nothing of says so while more may come.
rm go
type_line "clear; (printf 'a;b 1\n'; until [ -e go ]; do sleep 0.05; done) | $FLAMETOP -f folded --callers=nothing"
shows "*Nothing is left to show*no function matches the filter nothing*1 filter is on*" "filters that leave nothing are named"
touch go
leave

# Samples with times that come after some without: those of arrival are of another clock.
rm go
printf 'x 1/1 1000 cycles:\n\t1 bare (/x)\n\n' >bare.perf
printf 'x 1/1 1.0: 1000 cycles:\n\t1 early (/x)\n\nx 1/1 2.0: 1000 cycles:\n\t1 late (/x)\n\n' >timed.perf
type_line "clear; (cat bare.perf; until [ -e go ]; do sleep 0.05; done; cat timed.perf timed.perf; sleep 60) | $FLAMETOP -f perf --window=5"
shows "*cycles 1 k*last 5 s*" "a window of what comes without times"
touch go
shows "*cycles 4 k*1 sample without a ti*" "when samples have times, these count"
leave

done_testing
