#!/bin/sh
# Colours as they arrive on a terminal, for each number of colours that terminals have.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

command -v tic >/dev/null || skip_all "tic is not installed"
tic -V >/dev/null 2>&1

# Descriptions with 24-bit colours are in a package that is not installed everywhere.
cat >direct.ti <<'END'
xterm-direct|xterm with colours of 24 bits,
	RGB, ccc@, colors#0x1000000, pairs#0x7FFF, initc@,
	setab=\E[%?%p1%{8}%<%t4%p1%d%e48:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m,
	setaf=\E[%?%p1%{8}%<%t3%p1%d%e38:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m,
	use=xterm-256color,
END
tic -x -o terminfo direct.ti 2>/dev/null || skip_all "tic does not know colours of 24 bits"

printf 'main;parse;lex 50\nmain;parse;eval 25\nmain;read 15\nmain;write 10\n' >a.folded
term_start 80 20

# The backgrounds of a screen on standard input, one per line: their SGR codes.
grounds() {
	tr '\033' '\n' | sed -n 's/^\[\([0-9;]*\)m.*/;\1;/p' | grep -Eo ';(48;2;[0-9]+;[0-9]+;[0-9]+|48;5;[0-9]+|4[0-7]|10[0-7]);' |
		sort -u
}
# The same for --screen, which has colours without a terminal.
expected() { "$FLAMETOP" --no-config --screen=80x20 --color="$1" a.folded | grounds; }

shown_grounds() { tm capture-pane -p -e | grounds; }
grounds_are() { [ "$(shown_grounds)" = "$1" ]; }
has_grounds() { # colours, name: waits for them
	until_true grounds_are "$1"
	tap_result $? "$2" "got:
$(shown_grounds)
expected:
$1"
}

# SETTINGS COLOURS NAME: the colours that arrive if the background is known to be dark
looks() {
	type_line "clear; env COLORFGBG='15;0' $1 $FLAMETOP --no-config a.folded"
	shows "*a.folded*100 samples*" "$3: starts"
	has_grounds "$2" "$3: the colours are those that were meant"
	leave
}

true_colours=$(expected truecolor)
ok "the picture has several colours" [ "$(printf '%s\n' "$true_colours" | wc -l)" -ge 4 ]
looks "TERM=xterm-direct TERMINFO=$dir/terminfo" "$true_colours" "a description with 24 bits"
looks "TERM=xterm-256color COLORTERM=truecolor TERMINFO=$dir/terminfo" "$true_colours" "COLORTERM=truecolor"
looks "TERM=xterm-256color" "$(expected 256)" "256 colours"
looks "TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1 TERMINFO=$dir/terminfo" "" "NO_COLOR"
looks "TERM=vt100" "" "a terminal without colours"

# The terminal's answer about its background comes among the keys.
is_ink() { tm capture-pane -p -e | grep "main" | grep -q "38;5;$1m" ; }
type_line "clear; env TERM=xterm-256color $FLAMETOP --no-config --keys=4 a.folded"
shows "*a.folded*100 samples*" "the background: starts"
until_true is_ink 32
ok "behind tmux the signs of the call tree can be read on both kinds of background" is_ink 32
send_raw '\033]11;rgb:ffff/ffff/ffff\033\134'
until_true is_ink 25
ok "on a light background they are dark" is_ink 25
send_raw '\033]11;rgb:0000/0000/0000\007'
until_true is_ink 117
ok "on a dark one they are bright" is_ink 117
leave

# Eight colours are the sixteen without the bright half.
type_line "clear; env TERM=linux $FLAMETOP --no-config a.folded"
shows "*a.folded*100 samples*" "eight colours: starts"
has_few() { shown_grounds | grep -q . && ! shown_grounds | grep -qvE '^;4[1-7];$'; }
until_true has_few
is "$(shown_grounds | grep -vE '^;4[1-7];$')" "" "eight colours: no others are asked for"
leave

done_testing
