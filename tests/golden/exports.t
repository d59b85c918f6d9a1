#!/bin/sh
# Compares files of each view and kind with stored ones, and what the key `w` writes with what the command of the key
# `C` writes. One case for each line of exports/cases:
#
#	name | kind | options and files (in data/)
#
# UPDATE=1 stores the current files: look at the difference before committing it. Of an SVG everything but the style
# and the script is stored.
. "$(dirname "$0")/../tap.sh"

golden=$source/tests/golden
LC_ALL=C.UTF-8
XDG_CONFIG_HOME=$dir/none
export LC_ALL XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLORFGBG COLUMNS

trim() { printf '%s' "$1" | sed 's/^ *//; s/ *$//'; }

drawing() { sed 's/generator: flametop [^;]*;/generator: flametop;/; /<style/,/<\/script>/d; s/ *$//'; }

while IFS='|' read -r name kind args; do
	name=$(trim "$name") kind=$(trim "$kind")
	case $name in '' | '#'*) continue ;; esac
	[ "$kind" != svg ] || args="--pretty-xml $args"
	(cd "$golden/data" && eval "\"\$FLAMETOP\" --to=$kind $args") >file 2>said </dev/null
	if [ "$kind" = svg ]; then
		ok "$name is well-formed" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("file")'
		drawing <file >shot
	else
		cat said file >shot
	fi
	[ -z "${UPDATE-}" ] || cp shot "$golden/exports/$name"
	if cmp -s shot "$golden/exports/$name"; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name" "$(diff "$golden/exports/$name" shot)"
	fi
done <"$golden/exports/cases"

for f in "$golden"/exports/*; do
	[ "${f##*/}" = cases ] || grep -q "^${f##*/} " "$golden/exports/cases" || tap_result 1 "${f##*/} has a case" "remove $f"
done

# The stacks of a sandwich read back make the same sandwich.
cp "$golden"/data/*.folded .
for options in "" --reverse "--diff=recursive-before.folded"; do
	for function in malloc eval main; do
		run "$FLAMETOP" --view=sandwich --function=$function --to=folded $options recursive.folded
		printf '%s\n' "$out" >part.folded
		run "$FLAMETOP" --view=sandwich --function=$function --to=folded part.folded
		is "$out" "$(cat part.folded)" "folded, the sandwich of $function is the same once read back ($options)"
	done
done
run "$FLAMETOP" --view=sandwich --function=eval --to=text --factor=1 recursive.folded
before=$(printf '%s\n' "$out" | sed '1,2d; s/[0-9.]*%//g; s/─//g; s/  *┤/┤/g')
"$FLAMETOP" --view=sandwich --function=eval --to=folded recursive.folded >part.folded
run "$FLAMETOP" --view=sandwich --function=eval --to=text part.folded
is "$(printf '%s\n' "$out" | sed '1,2d; s/[0-9.]*%//g; s/─//g; s/  *┤/┤/g')" "$before" "and so is its picture"

# What a key writes: keys, suffixes, arguments.
writes_the_same() {
	for suffix in $2; do
		rm -f key.* option.*
		run "$FLAMETOP" --screen=100x30 --keys="${1}wkey.$suffix<Enter>" $3
		prints "*written to key.$suffix*" "w writes .$suffix: $1 $3"
		run "$FLAMETOP" --screen=900x30 --keys="${1}C" $3
		command=$(printf '%s\n' "$out" | sed -n 's/^.*│ flametop \(.*[^ ]\) *│.*$/\1/p')
		case $command in *--flamechart*) order='' ;; *) order=--sort=weight ;; esac # the order of the viewer
		eval "run \"\$FLAMETOP\" $order -o option.$suffix $command"
		ok "-o with the command of C writes the same .$suffix: $1 $3" cmp -s key.$suffix option.$suffix
	done
}
tree='svg folded txt'
table='top md txt'
web='web.folded'
diff='--diff=recursive-before.folded recursive.folded'
for data in "$web" recursive.folded "$diff" hostile.folded; do
	writes_the_same 1 "$tree top md" "$data"
	writes_the_same kkk2 "$table" "$data"
	writes_the_same '2>>' "$table" "$data"
	writes_the_same '2<lt>o' "$table" "$data"
	writes_the_same kkk3 "$tree" "$data"
	writes_the_same 'kkkk3/m<Enter>' "$tree" "$data"
	for keys in 4 kkk4 4jljlkh 4jh; do
		writes_the_same "$keys" txt "$data"
	done
done
writes_the_same '3k<Enter>k<Enter>' "$tree" "$web"
writes_the_same 'R3' "$tree" recursive.folded
writes_the_same 'kkt3' "$tree" "$web"
writes_the_same 'kkk<Enter>2' "$table" "$web"
writes_the_same '4*' txt recursive.folded
writes_the_same '4k*lj' txt "$web"
writes_the_same '2/a<Enter>' "$table" recursive.folded

# Each kind with each view: --view, its key, the kinds that hold it. Any other is refused, and nothing is written; the
# prompt of w offers those that hold it.
cp "$golden/data/tasks.perf" .
while read -r view key held; do
	offer="*write to ($(echo "$held" | sed 's/^/./; s/ /, ./g')):*" refusal='*cannot show the*(expected *(*)*)*' asks=yes
	[ "$held" ] || asks='' offer='*no file can show the heat map*' refusal='*no file can show the heat map*'
	for suffix in svg html folded txt top md speedscope.json firefox.json json pb.gz callgrind; do
		what="$view as .$suffix"
		case $suffix in txt) kind=text ;; md) kind=markdown ;; pb.gz) kind=pprof ;; speedscope.json) kind=speedscope ;; firefox.json) kind=firefox ;; *) kind=$suffix ;; esac
		rm -f key.* out.*
		run "$FLAMETOP" --view=$view -o out.$suffix tasks.perf
		case " $held " in
		*" $suffix "*)
			exits 0 "$what is written"
			like "$err" "flametop: 'cycles' is shown; 1 other event: faults (--event=NAME)*" "and --view has an effect"
			case $view.$suffix in chart.json) idle='flametop: --view has no effect on this output: json' ;; *) idle='' ;; esac
			is "$(printf '%s\n' "$err" | grep 'has no effect')" "$idle" "which is not denied, but for JSON, which has no times"
			ok "and it is there" [ -s out.$suffix ]
			run "$FLAMETOP" --view=$view --to=$kind tasks.perf
			if [ $suffix = pb.gz ]; then
				ok "the same by --to" cmp -s .out out.$suffix
			else
				is "$out" "$(grep -v '^# .*unit=' out.$suffix)" "the same by --to, which says no unit"
			fi
			;;
		*)
			exits 2 "$what is wrong usage"
			says "$refusal" "and says what fits"
			one_line "in one line"
			is "$(echo out.*)" 'out.*' "and nothing is written"
			run "$FLAMETOP" --view=$view --to=$kind tasks.perf
			is "$status $out" "2 " "the same by --to"
			;;
		esac
		[ "$held" ] && answer="*no .$suffix of this view, only .*" || answer=$refusal
		run "$FLAMETOP" --screen=80x30 --keys="${key}w${asks:+key.$suffix<Enter>}" tasks.perf
		case " $held " in
		*" $suffix "*)
			prints "*written to key.$suffix ($kind)*" "w writes $what"
			ok "and it is there" [ -s key.$suffix ]
			;;
		*)
			prints "$answer" "w refuses $what"
			ok "and writes nothing" [ ! -e key.$suffix ]
			;;
		esac
	done
	run "$FLAMETOP" --screen=160x30 --keys="${key}w" tasks.perf
	prints "$offer" "w offers what holds the $view"
done <<-END
	flame 1 svg html folded txt top md speedscope.json firefox.json json pb.gz callgrind
	chart t svg html folded txt top md speedscope.json firefox.json json pb.gz callgrind
	table 2 txt top md json
	flame,table S svg html folded txt top md speedscope.json firefox.json json pb.gz callgrind
	sandwich 3 svg html folded txt json
	calls 4 txt
	heat m
	table,heat 2m
END
echo precious >there.svg
run "$FLAMETOP" --screen=160x20 --keys="2wthere.svg<Enter><Enter>" recursive.folded
is "$(cat there.svg)" precious "a file that is there is left alone"

# A function that is not there.
run "$FLAMETOP" --view=sandwich --function=nowhere -o out.svg recursive.folded
exits 1 "a function that is not there is an error"
says "*nowhere*" "and is named"
ok "nothing is written" [ ! -e out.svg ]
run "$FLAMETOP" --view=sandwich --function=malloc --show-from=lex -o out.svg recursive.folded
exits 1 "neither can one be drawn that filters took out"

done_testing
