#!/bin/sh
# From any profile that was just opened, few keys lead to the function with the most self weight, to its callers and to its
# source line.
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
XDG_CONFIG_HOME=$dir/none
export LC_ALL XDG_CONFIG_HOME

screen() { # keys, options and files: the screen in $out
	keys=$1
	shift
	run "$FLAMETOP" --quiet --color=never --screen=200x40 --keys="$keys" "$@"
}

footer=36 # the row with the name

# The table's first function: in the order of self weight it is the one with the most; nothing if the next has as much.
hottest() {
	# awk may count bytes
	printf '%s\n' "$out" | sed 'y/█▉▊▋▌▍▎▏·▼/#########v/' | awk '
		NR == 2 { at = index($0, "function"); to = index($0, "module"); end = index($0, "v") }
		NR == 3 && at && !/^> +0[.]0%/ { name = substr($0, at, to ? to - at : 999); self = substr($0, 3, end - 2) }
		NR == 4 && substr($0, 3, end - 2) == self { name = "" }
		END { print name }' | sed 's/…$//; s/ *$//'
}

begins() { # text, beginning
	case $1 in "$2"*) return 0 ;; esac
	return 1
}

few_keys() { # name, options and files
	name=$1
	shift
	screen 2 "$@"
	case $out in "diff of"*) return 0 ;; esac # the table is by change
	hot=$(hottest)
	[ -n "$hot" ] || return 0
	screen '' "$@"
	line=$(printf '%s\n' "$out" | sed -n ${footer}p)
	shown=$hot
	[ ${#hot} -lt 30 ] || shown=
	ok "$name: the footer names $hot" begins "$line" "* heaviest by self: $shown"
	screen '*' "$@"
	ok "$name: one key leads there" begins "$(printf '%s\n' "$out" | sed -n ${footer}p)" "$hot"
	screen '*3' "$@"
	ok "$name: two lead to its callers" begins "$(printf '%s\n' "$out" | sed -n ${footer}p)" "$hot"
	prints "*sandwich*" "$name: in the sandwich"
	screen '2<Enter>' "$@"
	ok "$name: the table leads there, too" begins "$(printf '%s\n' "$out" | sed -n ${footer}p)" "$hot"
}

for file in "$source"/examples/*.zst "$source"/examples/*.gz "$source"/tests/golden/data/*.folded "$source"/tests/golden/data/*.perf; do
	few_keys "${file##*/}" "$file"
done
for format in "$source"/tests/data/collapse/*/; do
	format=${format%/}
	format=${format##*/} n=0
	for file in "$source/tests/data/collapse/$format"/*.in; do
		[ $n -lt 3 ] && "$FLAMETOP" --quiet -f "$format" --to=folded "$file" >out.folded 2>/dev/null && [ -s out.folded ] || continue
		n=$((n + 1))
		few_keys "$format/${file##*/}" -f "$format" "$file"
	done
done

# The source line is next to the name.
line_of() { # line, options and files
	line=$1
	file=$2
	screen '*' "$file"
	prints "*  $line*" "${file##*/}: one key shows the source line $line"
}
line_of 'b.go:1' "$source/tests/data/collapse/pprof/heap.in"
line_of '/src/mem.s:5' "$source/tests/data/collapse/pprof/cpu.in"
line_of 'file:///srv/shop.js:10' "$source/tests/data/collapse/cpuprofile/samples.in"

# Again and again: from function to function in the order of self weight, and after the last one comes the first.
printf 'main;a 5\nmain;b;a 4\nmain;b 8\nmain;c 2\n' >few.folded
order=
for keys in '*' '**' '***' '****'; do
	screen "$keys" few.folded
	order="$order$(printf '%s\n' "$out" | sed -n ${footer}p) "
done
is "$order" "a b c a " "* goes from one to the next, and round"
screen 'kl<Enter>*' few.folded
repeated() { # keys before, key, count: the count shows what as many keys do
	many=$(printf "%$3s" '' | tr ' ' "$2")
	screen "$1$many" few.folded
	one_by_one=$out
	screen "${1}0$3$2" few.folded
	[ "$out" = "$one_by_one" ]
	tap_result $? "$3 times $2 after '$1'" "$out"
}
for count in 1 2 3 4 5 9 26; do
	repeated '' '*' $count
	repeated '*k' '*' $count
	repeated 4 '*' $count
done
screen '**k*' few.folded
is "$(printf '%s\n' "$out" | sed -n ${footer}p)" "a" "after another motion it begins with the first again"
screen '/b<Enter><Esc><Enter>*' few.folded
is "$(printf '%s\n' "$out" | sed -n ${footer}p)" "b" "within a zoom it is the heaviest there"
screen '**' --zoom='main;b' few.folded
is "$(printf '%s\n' "$out" | sed -n ${footer}p)" "a" "and the next one there"

# The line is there until the first key, as wide as the screen allows, and never with half a number.
screen j few.folded
is "$(printf '%s\n' "$out" | sed -n ${footer}p)" "all" "after the first key, the name is there"
for columns in 20 25 30 35 40 50 60 80; do
	run "$FLAMETOP" --quiet --color=never --screen=${columns}x40 "$source/tests/golden/data/long.folded"
	printf '%s\n' "$out" | sed -n ${footer}p >line
	ok "with $columns columns all numbers are whole: $(cat line)" grep -qE '^(all|\* heaviest by self: ([^ ]+ (70|20|10)\.0%(, |$)){1,3})$' line
done
done_testing
