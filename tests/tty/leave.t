#!/bin/sh
# However the viewer ends, the terminal is restored.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

printf 'main;read 3\nmain;parse;lex 5\nmain;write 2\n' >a.folded
term_start 80 20

pid_of() { cat pid 2>/dev/null; }

has_pid() { [ -s pid ]; }

open_viewer() {
	rm -f pid status after
	type_line "clear; stty -g >before; sh -c 'echo \$\$ >pid; exec $FLAMETOP a.folded' 2>said; echo \$? >status; stty -g >after"
	until_true matches "*a.folded*10 *main*"
	until_true has_pid
}

is_whole() { # name
	until_true test -s after
	is "$(cat after)" "$(cat before)" "$1: the terminal's modes are as before"
	has_modes 0001 "$1: no alternate screen, no mouse, and a cursor"
	shows "*ready>*" "$1: the shell is back"
}

open_viewer
has_modes 1110 "the viewer has its own screen, the mouse, and no cursor"
keys q
is_whole "q"
is "$(cat status)" 0 "q: exit status 0"

open_viewer
keys C-c
is_whole "^C"
is "$(cat status)" 0 "^C: exit status 0"

for sig in TERM HUP INT; do
	open_viewer
	kill -s $sig "$(pid_of)"
	is_whole $sig
	case $sig in TERM) code=143 ;; HUP) code=129 ;; INT) code=130 ;; esac
	is "$(cat status)" $code "$sig: the exit status names the signal"
done

for sig in SEGV ABRT KILL; do
	open_viewer
	kill -s $sig "$(pid_of)"
	if [ $sig = KILL ]; then
		# The shell cannot wait for the guardian, so ask again once that is done.
		until_true test -s after
		until_true modes_are 0001
		rm after
		type_line 'clear; stty -g >after'
	fi
	is_whole $sig
	case $sig in SEGV) code=139 ;; ABRT) code=134 ;; KILL) code=137 ;; esac
	is "$(cat status)" $code "$sig: the process dies of the signal"
done

# A paste and a click after the end have no effect: their modes are off.
type_line 'echo "$((6 * 7))"'
shows "*42*" "the shell reads as before"

type_line "TERM=dumb $FLAMETOP a.folded 2>said"
shows "*parse 50.0%*main 100%*" "TERM=dumb: text instead of the viewer"
like "$(cat said)" "*cannot move its cursor*" "TERM=dumb: and why"
type_line "clear; TERM=no-such-thing $FLAMETOP a.folded 2>said"
shows "*parse 50.0%*main 100%*" "an unknown terminal: text instead of the viewer"

type_line "clear; $FLAMETOP missing.folded; echo status=\$?"
shows "*missing.folded*No such file*status=1*" "a file that is not there is an error on the plain screen"
has_modes 0001 "and the terminal is whole"

done_testing
