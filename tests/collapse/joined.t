#!/bin/sh
# Joined files: in every format their counts add up, in both orders, or a message tells what is not read.
data=$(cd "$(dirname "$0")/../data/collapse" && pwd)
. "$(dirname "$0")/../tap.sh"

# The sum of all counts; messages are in err.
sum() { # FORMAT FILE
	"$FLAMETOP" -f "$1" --to=folded - <"$2" 2>err | awk '!/^#/ { s += $NF } END { printf "%.3f", s }'
}

# Inputs of a format, those first that have nothing to tell.
candidates() { # FORMAT
	for input in "$data/$1"/*.in; do
		[ -e "${input%.in}.case" ] || echo "$input"
	done
	for input in "$data/$1"/*.in; do
		[ ! -e "${input%.in}.case" ] || echo "$input"
	done
}

# Takes the first three candidates that give a count: lines FILE SUM. Those with something to tell only if there are
# no others; none that is cut off, counts to the limit, or has no line that begins a stack.
choose() { # FORMAT
	n=0
	candidates "$1" >all
	while read -r input; do
		[ -e "${input%.in}.case" ] && kind=telling || kind=silent
		[ "$n" = 0 ] || [ "$kind" = "$first" ] || break
		counts=$(sum "$1" "$input")
		case $input:$counts in
		*joined* | */one-line.in:* | */locks-between-frames.in:* | *: | *:0.000 | *:????????????????????*) continue ;;
		esac
		grep -q "could not be read\|cut off\|the file ends\|without a time" err && continue
		echo "$input $counts" >>inputs
		cat err >>known
		first=$kind
		n=$((n + 1))
		[ "$n" -lt 3 ] || break
	done <all
}

# Has the pair a message that its parts do not have?
tells_more() { grep -vxqFf known err; }

# Adds a pair to `bad` if its parts do not add up, without a word. Times may be rounded.
join() { # FORMAT A SUM-A B SUM-B
	cat "$2" "$4" >pair
	got=$(sum "$1" pair)
	awk -v a="$3" -v b="$5" -v c="${got:-0}" \
		'BEGIN { d = a + b - c; exit !(d * d > (a + b) / 1000 * (a + b) / 1000) }' || return 0
	tells_more || bad="$bad ${2##*/}+${4##*/}: $got instead of $3 + $5;"
}

for folder in "$data"/*/; do
	format=$(basename "$folder")
	bad=
	: >inputs
	: >known
	choose "$format"
	while read -r a counts_a; do
		while read -r b counts_b; do
			join "$format" "$a" "$counts_a" "$b" "$counts_b"
		done <inputs
	done <inputs
	[ -s inputs ] || bad="no input"
	is "$bad" "" "$format: joined files add up, or a message tells what is left out"
done

done_testing
