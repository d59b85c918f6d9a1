#!/bin/sh
# Characters newer than the C library: curses would draw nothing for them, and leave the previous text.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

# U+1FADC (Unicode 16, two columns), and next to it one that every library knows.
printf 'root;new \360\237\253\234 name 60\nroot;old \346\274\242 name 40\n' >a.folded
term_start 80 12

type_line "$FLAMETOP a.folded"
shows "*rows 1-3 of 3*" "a name with a new character is shown"
shows "* name*old 漢 name*" "a character that is known is drawn"
case $(screen) in
*"new 🫜 name"* | *"new �  name"*) new=yes ;;
*) new=no ;;
esac
is "$new" yes "one that may not be is drawn, or a mark in as many columns"
keys C-l # until the first key, the footer names the heaviest functions
shows_not "*heaviest by self*" "the footer names the cursor"
before=$(screen)
keys C-l
until_true matches "*rows 1-3 of 3*"
is "$(screen)" "$before" "drawn anew it looks the same"
keys q
done_testing
