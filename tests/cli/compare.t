#!/bin/sh
# A comparison is of shares or of weights, and all its outputs agree: colour, sign, list, table, words, exports, gate.
. "$(dirname "$0")/../tap.sh"

# f: more weight, but a smaller share; g: more of both; h: like f, with less weight.
cat >before.folded <<'END'
main;run;f 600
main;run;g 200
main;run;h 200
END
cat >after.folded <<'END'
main;run;f 1500
main;run;g 3000
main;run;h 500
END
cat >two.folded <<'END'
main;run;f 600 1500
main;run;g 200 3000
main;run;h 200 500
END

shot() { # options, keys, further options
	# shellcheck disable=SC2086 # options are words
	run "$FLAMETOP" --no-config --ascii --screen=160x30 --keys="$2" ${3-} $1
}
export_as() { # kind, options
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config --to="$1" $2
}
pick() { printf '%s\n' "$out" | sed -n "$1" | head -n 1; }
# "+" for red, "-" for blue.
hue() {
	case $1 in
	255,255,*) echo "none ($1)" ;;
	255,*) echo + ;;
	*,255) echo - ;;
	*) echo "none ($1)" ;;
	esac
}
word() { # sign
	[ "$1" = + ] && echo grew || echo shrank
}

# One function in one mode, in every output.
direction() { # name, sign, quantity, options, mode
	f=$1 sign=$2 options=$4 name="$5: $1"
	shot "$options" '' --color=never
	is "$(pick "s/.*\([-+]\)$f [-+][0-9].*/\1/p")" "$sign" "$name has its sign in the picture"
	is "$(pick "s/.*[-+]$f \([-+]\)[0-9].*/\1/p")" "$sign" "$name has its number in the picture"
	shot "$options" '' --color=truecolor
	is "$(hue "$(pick "s/.*48;2;\([0-9]*\);\([0-9]*\);\([0-9]*\)m[-+]$f [-+].*/\1,\2,\3/p")")" "$sign" "$name has its colour in the picture"
	shot "$options" "d" --color=never
	is "$(pick "s/.*[| >] *\([-+]\)[0-9].* $f  *|.*/\1/p")" "$sign" "$name has its sign in the list"
	shot "$options" "/^$f\$<Enter>" --color=never
	is "$(pick 's/^self  *\([a-z][a-z]*\) .*/\1/p')" "$(word "$sign")" "$name has its word in the footer"
	is "$(pick 's/^total  *\([a-z][a-z]*\) .*/\1/p')" "$(word "$sign")" "$name has its word in the footer, of the total too"
	is "$(pick 's/^self .* \([-+]\)[0-9].*/\1/p')" "$sign" "$name has its number in the footer"
	is "$(pick 's/^in .* \([-+]\)[0-9].*/\1/p')" "$sign" "$name has its number among all frames of the name"
	shot "$options" "/^$f\$<Enter>2" --color=never
	is "$(pick "s/^[^-+]*\([-+]\)[0-9].*  $f\$/\1/p")" "$sign" "$name has its sign in the table"
	shot "$options" "/^$f\$<Enter>3" --color=never
	is "$(pick "s/^[->+]$f \([-+]\)[0-9].*/\1/p")" "$sign" "$name has its sign in the sandwich"
	is "$(pick "s/^\([-+]\)run [-+].*/\1/p")" "$sign" "its caller has it there"
	shot "$options" "/^$f\$<Enter>4" --color=never
	is "$(pick 's/^total  *\([a-z][a-z]*\) .*/\1/p')" "$(word "$sign")" "$name has its word in the call tree"
	is "$(pick "s/^[ >]*[0-9.]*%  *[0-9.]*%  *\([-+]\)[0-9].* $f\$/\1/p")" "$sign" "$name has its sign in the call tree"
	export_as text "$options --width=160"
	is "$(pick "s/.*[^a-z]$f [0-9.]*% \([-+]\)[0-9].*/\1/p")" "$sign" "$name has its sign in the text"
	export_as text "$options --width=160 --color=truecolor"
	is "$(hue "$(pick "s/.*48;2;\([0-9]*\);\([0-9]*\);\([0-9]*\)m[^m]*$f [0-9.]*% [-+].*/\1,\2,\3/p")")" "$sign" "$name has its colour in the text"
	export_as top "$options"
	is "$(pick "s/^ *[0-9,.]* *[0-9,.]* *\([-+]\).*  $f\$/\1/p")" "$sign" "$name has its sign in the table of functions"
	export_as markdown "$options"
	is "$(pick "s/^| [0-9,.]* | [0-9,.]* | [*]*\([-+]\).*\`$f\` |\$/\1/p")" "$sign" "$name has its sign in Markdown"
	export_as svg "$options"
	is "$(pick "s/.*<title>$f ([^)]*[;,] [self]* *\([-+]\)[0-9,.]*[%a-z ]*)<.*/\1/p")" "$sign" "$name has its sign in the SVG"
	is "$(hue "$(pick "s/.*<title>$f ([^<]*<[^<]*<rect [^>]*fill=\"rgb(\([0-9,]*\))\".*/\1/p")")" "$sign" "$name has its colour in the SVG"
	export_as top "$options --fail-above=5"
	case $sign in
	+) says "*  $f: self +*" "$name is found by the gate" ;;
	-) silent_of "  $f: self" "$name is not found by the gate" ;;
	esac
}
silent_of() {
	case $err in
	*"$1"*) tap_result 1 "$2" "$err" ;;
	*) tap_result 0 "$2" ;;
	esac
}

# All outputs name the quantity compared, and none names the other.
quantity() { # quantity, other, options, mode
	shot "$3" d
	prints "*diff of $1*diff of $1: *" "$4: the header and the list say $1"
	unlike "$2" "$4: and not $2"
	for kind in text top markdown; do
		export_as "$kind" "$3"
		prints "*diff of $1*" "$4: --to=$kind says $1"
		unlike "$2" "$4: --to=$kind says nothing of $2"
	done
}
unlike() { # quantity, name
	case $1 in
	shares) not_printed "points" "$2" ;;
	weights) not_printed "weights" "$2" ;;
	esac
}
not_printed() {
	case $out in
	*"$1"*) tap_result 1 "$2" "$out" ;;
	*) tap_result 0 "$2" ;;
	esac
}

mode() { # name, quantity, options
	for place in '' --widths=before '--zoom=main;run' --reverse; do
		case $2 in
		shares)
			direction f - shares "$place $3" "$1 $place"
			direction g + shares "$place $3" "$1 $place"
			direction h - shares "$place $3" "$1 $place"
			quantity shares weights "$place $3" "$1 $place"
			;;
		weights)
			direction f + weights "$place $3" "$1 $place"
			direction g + weights "$place $3" "$1 $place"
			direction h + weights "$place $3" "$1 $place"
			quantity weights shares "$place $3" "$1 $place"
			;;
		esac
	done
}
# The self weight of f shrinks, while its total grows. Pictures show the former, columns of totals the latter.
cat >short.folded <<'END'
main;f 600
main 100
main;f;g 300
END
cat >long.folded <<'END'
main;f 200
main 100
main;f;g 1700
END
cat >pair.folded <<'END'
main;f 600 200
main 100 100
main;f;g 300 1700
END
own() { # change of self, the same in an SVG, change of total, options, mode
	f=f sign=${1%"${1#?}"}
	shot "$4" '' --color=never
	is "$(pick "s/.*[-+]$f \([-+][0-9.]*\).*/\1/p")" "$1" "$5: the screen has the own change of the frame"
	export_as text "$4"
	is "$(pick "s/.*[^a-z]$f [0-9.]*% \([-+][0-9.]*\)[^0-9.~].*/\1/p")" "$1" "$5: the text has the same"
	prints "*+ and - change of *of the frame without what it calls*" "$5: and says which change that is"
	export_as text "$4 --width=160 --color=truecolor"
	is "$(hue "$(pick "s/.*48;2;\([0-9]*\);\([0-9]*\);\([0-9]*\)m[^m]*$f [0-9.]*% [-+].*/\1,\2,\3/p")")" "$sign" "$5: number and bar in the text agree"
	export_as svg "$4"
	is "$(pick "s/.*<title>$f ([^)]*; \(self \)\{0,1\}\([^;)]*\))<.*/\2/p")" "$2" "$5: the SVG has the same in its terms"
	case $2 in
	*%) not_printed '>diff of ' "$5: which are those of other programs" ;;
	*points) prints '*>diff of shares*' "$5: which it names" ;;
	*) prints '*>diff of weights*' "$5: which it names" ;;
	esac
	shot "$4" "/^$f\$<Enter>4" --color=never
	is "$(pick "s/^[ >]*[0-9.]*%  *[0-9.]*%  *\([-+][0-9.]*\).* $f\$/\1/p")" "$3" "$5: the call tree has the change of the total"
}
own -50.0 "-50.00 points" +5.0 "--diff=short.folded long.folded" "--diff"
own -50.0 "-50.00 points" +5.0 "--diff=short.folded long.folded --widths=before" "--diff --widths=before"
own -50.0 "-50.00 points" +5.0 "--normalize pair.folded" "two columns --normalize"
own -400 -400 +1 "--absolute --diff=short.folded long.folded" "--diff --absolute"
own -400 -400 +1 "--absolute --widths=before --diff=short.folded long.folded" "--diff --absolute --widths=before"
own -400 -20.00% +1 pair.folded "two columns"
own -400 -400 +1 "--absolute pair.folded" "two columns --absolute"

# --factor is exact beyond the precision of a double, too.
printf 'm;a 9007199254740993\nm;b 1\nm;a;c 9007199254740995\n' >large.folded
run "$FLAMETOP" --factor=3 --to=folded large.folded
is "$out" "m;a 27021597764222979
m;a;c 27021597764222985
m;b 3" "--factor=3: large counts are exact"
run "$FLAMETOP" --factor=0.5 --to=folded large.folded
is "$out" "m;a 4503599627370496.5
m;a;c 4503599627370497.5
m;b 0.5" "and with decimals"
for kind in top markdown svg; do
	run "$FLAMETOP" --factor=3 --to=$kind large.folded
	prints "*27,021,597,764,222,985*" "as they are in --to=$kind"
done
run "$FLAMETOP" --factor=3 --to=text large.folded
prints "large.folded  54,043,195,528,445,967 samples*" "and their sum in --to=text"
run "$FLAMETOP" --factor=0.000000001 --to=folded large.folded
is "$out" "m;a 9007199.255
m;a;c 9007199.255
m;b 0" "a small factor makes small counts"

# --factor multiplies counts; shares and their changes stay.
for factor in 0.1 1 10 2500; do
	export_as svg "--factor=$factor pair.folded"
	prints "*>f (*; -20.00%)<*" "--factor=$factor: a change in percent of the whole stays so many percent"
	prints "*>g (*; +70.00%)<*" "--factor=$factor: so does another"
	export_as svg "--factor=$factor --normalize pair.folded"
	prints "*>f (*; self -50.00 points)<*" "--factor=$factor: and one in points"
done
# Counts are rounded, shares are those of the widths, which sandwiches, searches and comparisons name in words, too.
printf 'a;b 1\na;c 2\n' >few.folded
printf 'a;b 2\na;c 1\n' >fewer.folded
export_as svg "-q --factor=1.5 few.folded"
prints "*>b (2 samples, 40.00%)<*" "--factor=1.5: shares are those of rounded counts, as in other tools"
prints "*>a (5 samples, 100.00%)<*" "and never above 100 %"
export_as svg "-q --factor=1.5 --search=b few.folded"
prints "*Matched: 33.3% of all*>b (2 samples, 33.33%)<*" "beside the share of a search they are those of the widths"
export_as svg "-q --factor=1.5 --zoom=a few.folded"
prints "*>c (3 samples, 66.67%)<*" "and in a zoom"
export_as svg "-q --factor=1.5 --view=sandwich --function=b few.folded"
prints "*self 2 33.3%, total 2 33.3% of all*>b (2 samples, 33.33%; self 2, 33.33%)<*" "and in a sandwich"
export_as svg "-q --factor=1.5 --diff=fewer.folded few.folded"
prints "*>c (3 samples, 66.67%; before 33.33%, after 66.67%,*" "and in a comparison"
export_as svg "--factor=10 --absolute pair.folded"
prints "*>f (*; self -4,000)<*" "--factor=10: a change of counts is ten times as large"

mode "--diff" shares "--diff=before.folded after.folded"
mode "--diff --absolute" weights "--absolute --diff=before.folded after.folded"
mode "two columns" weights two.folded
mode "two columns --normalize" shares "--normalize two.folded"

# Only one of the two has modules: names are compared, and what is only said by module is not.
stack() { # weight, function of module ..., innermost first
	printf 'w 1/1 [0] %s.0: %s cycles: \n' "$1" "$1"
	shift
	for frame; do printf '\t7f00 %s+0x1 (/lib/%s)\n' "${frame%%,*}" "${frame#*,}"; done
	echo
}
{
	stack 1000 alloc,libx.so main,prog
	stack 2000 alloc,libc.so main,prog
	stack 400 deep,libc.so alloc,libc.so main,prog
	stack 500 only,libx.so main,prog
} >modules.perf
"$FLAMETOP" -q --to=folded modules.perf >names.folded
for search in module:libx 'module:lib(c|x)' file:x; do
	for pair in "names.folded modules.perf" "modules.perf names.folded"; do
		run "$FLAMETOP" --diff=${pair% *} --to=text "--search=$search" ${pair#* }
		exits 0 "a search for $search, $pair"
		prints '*heaviest by self*' "shows a graph"
		is "$(printf '%s\n' "$out" | grep -c '[0-9]% [-+][0-9]')" 0 "in which nothing changed"
	done
done
run "$FLAMETOP" --diff=names.folded --to=text --search=module:libx modules.perf
prints '*38.5% matched in 2 frames*' "frames of the module are counted exactly"
# The baseline is 4000, 3000 of them in alloc; gone was below alloc.
printf 'w;main;alloc 2000\nw;main;alloc;gone 1000\nw;main;only 1000\n' >other.folded
run "$FLAMETOP" --diff=other.folded --widths=before --to=text modules.perf
plain=$out
run "$FLAMETOP" --diff=other.folded --widths=before --to=text --search=module:lib modules.perf
prints '*├gone*' "a function that vanished below namesakes has its place"
is "$(printf '%s\n' "$out" | grep '^heaviest' -A2)" "$(printf '%s\n' "$plain" | grep '^heaviest' -A2)" \
	"and all changes are the same"

uneven() { # expected words, options
	words=$1
	shift
	run "$FLAMETOP" --diff=names.folded --to=text "$@" modules.perf
	exits 0 "$*: compared nevertheless"
	says "*warning: only the new profile has $words*" "with a warning"
	run "$FLAMETOP" --diff=names.folded --to=top --fail-above=2 "$@" modules.perf
	exits 2 "$*: the gate refuses"
	says "*--fail-above judges nothing here: only the new profile has $words*" "and says why"
	is "$out" "" "before it writes anything"
}
uneven "modules: by module, frames cannot be compared" --group=module
uneven "modules: by package, frames cannot be compared" --group=package
uneven "modules: by module, frames cannot be compared" --split=module
uneven "modules: filters by module find nothing in the other" --ignore=module:libx
run "$FLAMETOP" --diff=names.folded --group=module --to=text modules.perf
prints '*diff of shares, only the new profile has modules *' "the heading says it"
run "$FLAMETOP" --diff=modules.perf --group=module --to=text names.folded
says '*only the baseline has modules: by module, frames cannot be compared*' "likewise the other way round"
run "$FLAMETOP" --diff=names.folded --screen=120x12 --keys=p modules.perf
prints '*only the new profile has modules: by module*' "and so does key p"
run "$FLAMETOP" --diff=names.folded --fail-above=2 --to=top --search=module:libx modules.perf
exits 0 "a search is no obstacle to the gate"
run "$FLAMETOP" --diff=modules.perf --fail-above=2 --group=module --to=top modules.perf
exits 0 "two profiles with modules are judged by module"

# A comparison in one file names its unit once, for both sides.
printf '# unit: ns\nb 100 0\na 0 3\n' >sides.folded
run "$FLAMETOP" --to=folded sides.folded
is "$(printf '%s\n' "$out" | grep -v '^#')|$err" "a 0 3
b 100 0|" "weights of both sides stay as they are"
for kind in folded html speedscope; do
	"$FLAMETOP" --to=$kind -o back.$kind sides.folded
	run "$FLAMETOP" --fail-above=5 --to=top back.$kind
	exits 0 "$kind: one sample before and one after may be chance, also when read back"
	prints "*b (vanished)*1 sample before, 1 after*" "$kind: and both are counted as such"
done

# Tables that are cut off have what changed most, also when many functions grew and few shrank.
for n in 1 2 3 4 5 6 7 8 9; do
	echo "main;f$n 1000" >&3
	echo "main;f$n 1${n}00"
done >many.folded 3>few.folded
echo 'main;gone 3000' >>few.folded
names_in_json() { grep -o '^{"name":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' '; }
export_as json '--top=3 --diff=few.folded many.folded'
is "$(printf '%s\n' "$out" | names_in_json)" "gone f9 f8 " "JSON has the greatest changes first, whatever their sign"
export_as top '--top=3 --diff=few.folded many.folded'
is "$(printf '%s\n' "$out" | sed -n '3,5s/.*  //p' | tr '\n' ' ')" "f9 f8 gone (vanished) " \
	"the table has them in its order"
export_as markdown '--top=3 --diff=few.folded many.folded'
prints '*`f9`*`f8`*`gone` (vanished)*5 more changed functions*' "and so has Markdown"

# A flame chart shows no comparison, so its table has no order of one.
for kind in md json; do
	export_as "$([ $kind = md ] && echo markdown || echo json)" '--diff=few.folded many.folded'
	"$FLAMETOP" --no-config --screen=160x30 --keys="tw<C-u>chart.$kind<Enter>" --flamechart --diff=few.folded many.folded >shown
	is "$(cat chart.$kind)" "$out" "$kind: after a flame chart, w writes what the option writes"
done

done_testing
