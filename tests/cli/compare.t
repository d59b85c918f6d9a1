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
	is "$(pick "s/.*<title>$f ([^)]*; \([-+]\)[0-9,.]*[%a-z ]*)<.*/\1/p")" "$sign" "$name has its sign in the SVG"
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
	is "$(pick "s/.*<title>$f ([^)]*; \([^)]*\))<.*/\1/p")" "$2" "$5: the SVG has the same in its terms"
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
	prints "*>f (*; -50.00 points)<*" "--factor=$factor: and one in points"
done
export_as svg "--factor=10 --absolute pair.folded"
prints "*>f (*; -4,000)<*" "--factor=10: a change of counts is ten times as large"

mode "--diff" shares "--diff=before.folded after.folded"
mode "--diff --absolute" weights "--absolute --diff=before.folded after.folded"
mode "two columns" weights two.folded
mode "two columns --normalize" shares "--normalize two.folded"

done_testing
