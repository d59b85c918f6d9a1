#!/bin/sh
# The program that is one file (`make static`), in a directory tree with nothing else: no /dev, no /proc, no terminfo.
. "$(dirname "$0")/../tap.sh"
static=${FLAMETOP_STATIC:-$source/build/flametop-static}
[ -x "$static" ] || skip_all "make static has not made build/flametop-static"
[ "$(id -u)" = 0 ] || skip_all "only root can change the root directory"
command -v chroot >/dev/null || skip_all "chroot is not installed"
. "$source/tests/tty/tmux.sh"

root=$dir/root
mkdir "$root"
cp "$static" "$root/flametop"
printf 'main;read 3\nmain;parse;lex 5\nmain;write 2\n' >"$root/a.folded"
chroot "$root" /flametop --version >/dev/null 2>&1 || skip_all "the root directory cannot be changed here"
inside() { run chroot "$root" /flametop "$@"; }

# ---- exports -----------------------------------------------------------------------------------

# The C library finds no locale inside: there, characters are ASCII.
for kind in folded text top json svg pprof; do
	LC_ALL=C "$FLAMETOP" --to=$kind - <"$root/a.folded" >expected 2>/dev/null
	LC_ALL=C chroot "$root" /flametop --to=$kind - <"$root/a.folded" >got 2>/dev/null
	ok "an export is the same inside: $kind" cmp -s expected got
done
inside -o /out.svg /a.folded
exits 0 "a file is written"
ok "and complete" grep -q '</svg>' "$root/out.svg"
is "$(ls "$root")" "a.folded
flametop
out.svg" "nothing else is left behind"

stacks=$(grep -v '^#' "$root/a.folded" | LC_ALL=C sort)
for way in gzip xz zstd; do
	command -v $way >/dev/null || { skip 1 "$way is not installed"; continue; }
	$way -c <"$root/a.folded" >"$root/a.packed"
	inside --to=folded /a.packed
	is "$(printf '%s\n' "$out" | grep -v '^#')" "$stacks" "compressed input is read: $way"
done
run sh -c "chroot '$root' /flametop --to=folded - <'$root/a.folded'"
is "$(printf '%s\n' "$out" | grep -v '^#')" "$stacks" "and what comes through a pipe"

# ---- the viewer --------------------------------------------------------------------------------

term_start 80 20
draws() { # TERM, what it draws on
	type_line "clear; TERM=$1 chroot '$root' /flametop --no-config /a.folded"
	shows "*a.folded*10*main*" "TERM=$1: the viewer draws"
	keys Tab
	shows "*self*total*lex*" "TERM=$1: keys work"
	has_modes "$2" "TERM=$1: the terminal's modes are set"
	leave
	shows "*ready>*" "TERM=$1: and the shell is back"
}
for term in xterm xterm-256color screen screen-256color tmux tmux-256color alacritty foot; do
	draws $term 1110
done
for term in linux vt100 kitty; do
	type_line "clear; TERM=$term chroot '$root' /flametop --no-config /a.folded"
	shows "*a.folded*10*main*" "TERM=$term: the viewer draws"
	leave
done
draws xterm-somewhere 1110
shows "*'xterm-somewhere' is not known here*drawn as on x*" "a message says what an unknown one is drawn as"
type_line "clear; TERM=teletype chroot '$root' /flametop --no-config /a.folded"
shows "*'teletype' is not known here*text follows*main*ready>*" "what is not known at all gets text, and a message"
type_line "clear; TERM=teletype TERMINFO=/nowhere chroot '$root' /flametop --no-config --keys=q --screen=40x8 /a.folded"
shows "*main*ready>*" "a screen without a terminal needs no description"

# ---- what is not there -------------------------------------------------------------------------

mkdir "$root/tmp"
inside record --to=top -- /flametop --to=folded /a.folded
says "flametop: there is no /proc, which recording needs*" "record says that it needs /proc"
DEBUGINFOD_URLS=http://127.0.0.1:1
export DEBUGINFOD_URLS
inside sample -o /p.data -- /flametop --to=folded /a.folded
case $err in
*perf_event*) skip 2 "this system lets nobody take samples" ;;
*)
	is "$(printf '%s\n' "$out" | grep -v '^#')" "$stacks" "sample runs its command"
	inside --debuginfod --to=folded /p.data
	says "*linked statically and cannot load libdebuginfod*" "what it cannot load is named"
	;;
esac

done_testing
