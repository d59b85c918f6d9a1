#!/bin/sh
# Compares screens with stored ones. One test for each line of `cases`:
#
#	name | COLSxROWS | options and files (in data/) | keys
#
# UPDATE=1 stores the current screens: look at the difference before committing it.
. "$(dirname "$0")/../tap.sh"

golden=$source/tests/golden
LC_ALL=C.UTF-8
XDG_CONFIG_HOME=$dir/none
export LC_ALL XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLORFGBG

trim() { printf '%s' "$1" | sed 's/^ *//; s/ *$//'; }

# shellcheck disable=SC2034 # keys: used behind eval
while IFS='|' read -r name size args keys; do
	name=$(trim "$name")
	case $name in '' | '#'*) continue ;; esac
	(cd "$golden/data" && eval "\"\$FLAMETOP\" --screen=$(trim "$size") --keys=\"\$(trim \"\$keys\")\" $args") >shot 2>&1 </dev/null
	[ -z "${UPDATE-}" ] || cp shot "$golden/screens/$name"
	if cmp -s shot "$golden/screens/$name"; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name" "$(diff "$golden/screens/$name" shot)"
	fi
done <"$golden/cases"

# A screen without a case is a leftover.
for f in "$golden"/screens/*; do
	grep -q "^${f##*/} " "$golden/cases" || tap_result 1 "${f##*/} has a case" "remove $f"
done

done_testing
