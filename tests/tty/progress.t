#!/bin/sh
# Long work outside the viewer shows one line on the terminal, which is gone at the end.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

term_start 80 14

awk 'BEGIN { for (i = 0; i < 100000; i++) print "main;parse 3" }' >some.folded
# As long as the test wants: the line begins after half a second.
cat >slow <<'END'
#!/bin/sh
cat some.folded
until [ -e go ]; do sleep 0.05; done
cat some.folded
END
chmod +x slow

begin() { # options, redirections
	rm -f go out.svg
	type_line "clear; ./slow | ${environment:-} $FLAMETOP --no-config $*"
}

begin -o out.svg -
shows "*flametop: reading stdin: [0-9.]* MB, *B/s*" "a pipe: what is read, how much, and how fast"
touch go
shows_not "*reading stdin*" "the line is gone at the end"
shows "*ready>*" "and the shell is back"
[ -s out.svg ]
tap_result $? "the file is written"

begin --to=folded -
shows "*flametop: reading stdin: *" "a profile for the terminal: the line is there while it is read"
touch go
shows "*main;parse 600000*" "then the profile takes its place"
shows_not "*reading stdin*" "nothing of the line is left"

begin "-o out.svg -; echo status \$?"
shows "*reading stdin: *" "the line is there"
keys C-c
shows "*ready>*" "^C ends at once"
shows_not "*reading stdin*" "without a rest of the line"
touch go
is "$(find . -name "*svg*")" "" "and no file is left beside the target"

# A terminal that takes no output, as after ^S, delays neither the work nor a signal.
alive() { kill -0 "$(cat pid)" 2>/dev/null; }
dead() { ! alive; }
stopped() { # name: begins, and stops the terminal while the line is there
	rm -f go out.svg pid
	type_line "clear; ./slow | sh -c 'echo \$\$ >pid; exec $FLAMETOP --no-config -o out.svg -'"
	shows "*reading stdin: *" "$1: the line is there"
	keys C-s
	sleep 0.7 # the next drawings
}
stopped "^S"
touch go
until_true dead
tap_result $? "^S: the work ends" "still alive"
[ -s out.svg ]
tap_result $? "^S: the file is written" "$(ls)"
keys C-q
shows "*ready>*" "^Q: the shell is back"
stopped "TERM"
kill -TERM "$(cat pid)"
until_true dead
tap_result $? "^S: SIGTERM ends it" "still alive"
kill -KILL "$(cat pid)" 2>/dev/null
is "$(find . -name "*svg*")" "" "^S: SIGTERM leaves no file"
touch go
keys C-q
shows "*ready>*" "^Q: the shell is back after SIGTERM"

# Without a terminal, or with -q, there is no line.
term_silent() { # options, name
	name=$1
	shift
	begin "$@"
	sleep 1
	shows_not "*reading stdin*" "$name: no line"
	touch go
	shows "*ready>*" "$name: it ends"
}
term_silent "-q" -q -o out.svg -
term_silent "standard error is a file" -o out.svg - "2>said"
is "$(cat said)" "" "and nothing in the file"
environment=TERM=dumb
term_silent "TERM=dumb" -o out.svg -
environment=

# Two files, and a message while the line is there.
mkfifo held
(cat some.folded; printf 'no stack\n') >bad.folded
type_line "clear; $FLAMETOP --no-config --diff=held -o out.svg bad.folded"
shows "*reading held*" "the second of two files"
timeout 20 sh -c 'cat some.folded >held'
shows "*flametop: bad.folded:100001: *" "a message stands alone"
shows_not "*reading*" "and the line is gone"

# The viewer says that it writes, and Esc stops it.
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "main;f" i, 1 }' >many.folded
type_line "clear; $FLAMETOP --no-config many.folded"
shows "*total    1 M*" "a graph of many frames"
keys w
shows "*write to (*" "to be written"
type_line "many.top"
shows "*is being written (Esc stops)*" "it says that it writes"
keys Escape
shows "*nothing was written to many.top*" "Esc stops it"
is "$(find . -name "*many.top*" -o -name ".flametop*")" "" "and leaves no file"
keys w
shows "*write to (*" "once more"
type_line "many.txt"
shows "*written to many.txt*" "is written"
leave

done_testing
