# tmux.sh - a real terminal for tests: tmux on its own socket. `. "$source/tests/tty/tmux.sh"` after tap.sh.
#
#	term_start COLS ROWS    a terminal with a plain shell in it
#	type_line TEXT          types a command and Enter
#	keys KEY...             as tmux send-keys
#	screen                  what it shows
#	shows PATTERN NAME      waits until the screen matches the shell pattern; fails after some seconds
#	shows_not PATTERN NAME
#	has_modes MODES NAME    waits for them: as the next
#	modes                   alternate screen, mouse, SGR mouse, cursor, as 0 or 1
#	leave                   q, also where that asks, and waits for the shell
#	until_true CMD...       waits for a command to succeed
#
# Nothing sleeps for a fixed time: a slow machine waits longer, a fast one not at all.

command -v tmux >/dev/null || skip_all "tmux is not installed"
tmux_socket=flametop-$$
LC_ALL=C.UTF-8
HOME=$dir
XDG_CONFIG_HOME=$dir/none
export LC_ALL HOME XDG_CONFIG_HOME
unset TMUX NO_COLOR COLORTERM COLORFGBG

tm() { tmux -L "$tmux_socket" -f /dev/null "$@"; }

trap 'tm kill-server 2>/dev/null; cd / && rm -rf "$dir"' EXIT

screen() { tm capture-pane -p; }

matches() {
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $(screen) in
	$1) return 0 ;;
	esac
	return 1
}

matches_not() { ! matches "$1"; }

shows() {
	until_true matches "$1"
	tap_result $? "$2" "the screen:
$(screen)
expected something like: $1"
}

shows_not() {
	until_true matches_not "$1"
	tap_result $? "$2" "the screen:
$(screen)
still like: $1"
}

keys() { tm send-keys "$@"; }

type_line() {
	tm send-keys -l "$1"
	tm send-keys Enter
}

modes() { tm display -p '#{alternate_on}#{mouse_any_flag}#{mouse_sgr_flag}#{cursor_flag}'; }

modes_are() { [ "$(modes)" = "$1" ]; }

has_modes() { # modes, name: waits for them
	until_true modes_are "$1"
	tap_result $? "$2" "modes $(modes), expected $1"
}

# Types q, again if that asks, and waits for the shell before anything else is typed.
left_or_asked() { modes_are 0001 || matches "*: q *Esc stays*"; }
leave() {
	tm send-keys q
	until_true left_or_asked
	modes_are 0001 || tm send-keys q
	until_true modes_are 0001
}

term_start() {
	tm new-session -d -x "$1" -y "$2" "ENV= PS1='ready> ' sh" || skip_all "tmux does not start here"
	until_true matches "*ready>*" || skip_all "no shell in tmux"
}

# Bytes as a terminal sends them.
send_raw() {
	# shellcheck disable=SC2046 # one argument for each byte
	tm send-keys -H $(printf "$1" | od -An -v -tx1)
}
