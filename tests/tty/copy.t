#!/bin/sh
# Where copied text goes: tmux's buffer, the terminal around tmux, or the terminal's clipboard; and what is said of it.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

printf 'main;parse;lex 50\nmain;read 15\n' >a.folded
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%sword%05d", i ? " " : "", i; print ";leaf 1" }' >long.folded
real=$(command -v tmux)

has_buffer() { [ "$(tm show-buffer 2>/dev/null)" = "$1" ]; }
forget_buffers() { while tm delete-buffer 2>/dev/null; do :; done; }

# starts the viewer with the words before it, and copies the name of the second row from below
copy() { # environment, file
	forget_buffers
	type_line "clear; env $1 $FLAMETOP $2"
	shows "*rows 1-*" "the viewer starts: $1"
	keys k y
}

done_with() {
	keys q
	leave
}

term_start 80 24
tm set -s set-clipboard off
copy "A=1" a.folded
shows "*─ The name ─*In tmux's buffer, and sent to the terminal's clipboard (some refuse it).*main *" "inside tmux: says so"
is "$(tm show-buffer)" main "and tmux has the text at once"
done_with
copy "A=1" long.folded
shows "*In tmux's buffer*most take no more than 74,994 bytes*" "a long text: says what terminals take"
is "$(tm show-buffer | wc -c | tr -d ' ')" 99999 "tmux takes it all"
keys G
shows "*word09998 word09999 *" "and all of it can be read"
done_with

# tmux before 3.2 knows no -w.
mkdir old none
cat >old/tmux <<END
#!/bin/sh
[ "\$2" != -w ] || { echo "tmux: unknown option -- w" >&2; exit 1; }
exec $real "\$@"
END
chmod +x old/tmux
copy "PATH=$dir/old:$PATH" a.folded
shows "*In tmux's buffer, and sent*" "an older tmux: likewise"
is "$(tm show-buffer)" main "through its buffer"
done_with

# Without tmux's program, its buffer gets what the escape sequence brings.
tm set -s set-clipboard on
copy "PATH=$dir/none" a.folded
shows "*Sent to the terminal's clipboard (some terminals refuse it).*" "without the program tmux: says what is known"
until_true has_buffer main
is "$(tm show-buffer)" main "the escape sequence does it"
done_with
printf '#!/bin/sh\nexec sleep 5\n' >none/tmux
chmod +x none/tmux
copy "PATH=$dir/none:$PATH" a.folded
shows "*Sent to the terminal's clipboard (some terminals refuse it).*" "a tmux that does not answer is given up"
done_with

# Any other terminal.
copy "-u TMUX" a.folded
shows "*Sent to the terminal's clipboard (some terminals refuse it).*" "a plain terminal: says what is known"
until_true has_buffer main
is "$(tm show-buffer)" main "it gets OSC 52"
done_with
copy "-u TMUX" long.folded
shows "*Only the first 74,994 of 99,999 bytes were sent*" "a long text: says how much was sent"
long_enough() { [ "$(tm show-buffer 2>/dev/null | wc -c | tr -d ' ')" = 74994 ]; }
until_true long_enough
ok "and that much was" long_enough
done_with
copy "-u TMUX TERM=linux" a.folded
shows "*Sent nowhere: this terminal has no clipboard.*" "the console has no clipboard"
ok "and gets nothing" [ -z "$(tm show-buffer 2>/dev/null)" ]
done_with

# A tmux inside another one passes the text on.
type_line "clear; env -u TMUX TERM=tmux-256color tmux -L $tmux_socket-in -f /dev/null new-session $FLAMETOP a.folded"
if until_true matches "*rows 1-*"; then
	forget_buffers
	keys k y
	shows "*In tmux's buffer*" "inside a tmux inside this one: says so"
	until_true has_buffer main
	case $(tmux -V) in
	*\ [012].* | *\ 3.[01]*) skip 1 "this tmux knows no -w" ;;
	*) is "$(tm show-buffer)" main "the terminal around the inner one gets it" ;;
	esac
	done_with
fi
tmux -L "$tmux_socket-in" kill-server 2>/dev/null

done_testing
