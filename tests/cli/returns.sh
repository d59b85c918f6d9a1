# returns.sh - what flametop writes, it reads back: `. "$source/tests/cli/returns.sh"` after tap.sh.
# shellcheck shell=sh
#
#	returns FILE NAME OPTION... INPUT    written to FILE and read back is the same as written as folded at once

flametop() { "$FLAMETOP" -q --no-config "$@"; }
returns() {
	copy=$1 name=$2
	shift 2
	flametop -o "$copy" "$@" || return 1
	is "$(flametop --to=folded "$copy")" "$(flametop --to=folded "$@")" "$name"
}
