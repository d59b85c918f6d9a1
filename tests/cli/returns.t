#!/bin/sh
# What every kind of file keeps when it is read back: names to the last blank, and stacks without frames.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/returns.sh"

# A leaf that moves to the root keeps the blanks that its name begins with.
printf 'a; b 3\na;b 2\nb; c 4\n' >blanks.folded
returns x.folded "folded: names that begin with blanks, merged from the leaves" --reverse blanks.folded
for suffix in html svg pb.gz speedscope.json firefox.json; do
	flametop --reverse -o "x.$suffix" blanks.folded
	is "$(flametop --to=folded "x.$suffix")" "$(flametop --to=folded blanks.folded)" "$suffix: names that begin with blanks, callers first again"
done
is "$(flametop --to=top --reverse blanks.folded | grep -c '^ *[23] .* b$')" 2 "functions that differ in a blank stay two"
is "$(flametop --to=json --search='^ b' --reverse blanks.folded | grep -c '"matched":3,')" 1 "a search finds the one with the blank"
is "$(flametop --to=svg --reverse blanks.folded | grep -o '<title> *[bc] (' | sort -u)" '<title> b (
<title>b (
<title>c (' "a picture shows names that come first without the blanks, unless they would be those of others"
is "$(flametop --to=svg --reverse --minwidth=0 blanks.folded | grep -o 'fg:name="[^"]*"')" 'fg:name=" c"' "and says how the function is called"

# Of two names that differ in a ';' only one is left, which is told, whichever comes first in a table of names.
printf '# folded stacks, \\xHH in a name is a byte\nm;a\\x3bb 5\nm;a:b 6\n' >semicolon-first.folded
printf '# folded stacks, \\xHH in a name is a byte\nm;a:b 5\nm;a\\x3bb 6\n' >colon-first.folded
for order in semicolon-first colon-first; do
	for suffix in html svg pb.gz speedscope.json firefox.json callgrind; do
		"$FLAMETOP" --no-config -q -o "x.$suffix" $order.folded
		run "$FLAMETOP" --no-config --to=folded "x.$suffix"
		is "$out" "m;a:b 11" "$suffix, $order: names with ';' and ':' become one"
		says "*names that differ only in ';' and ':' are one*" "which is told"
	done
done

# A filter may take all frames of a stack, or of all stacks. Its weight stays.
printf 'a;b 3\nx 2\n' >hidden.folded
for suffix in folded html svg speedscope.json firefox.json; do
	returns "e.$suffix" "$suffix: stacks without frames" --hide='^x$' hidden.folded
	returns "e.$suffix" "$suffix: nothing but these" --hide=. hidden.folded
	flametop --reverse --hide='^x$' -o "e.$suffix" hidden.folded
	is "$(flametop --to=folded "e.$suffix" | grep -c '^(empty) 2$')" 1 "$suffix: these, merged from the leaves"
done
flametop --hide='^x$' -o e.pb.gz hidden.folded
is "$(flametop --to=folded e.pb.gz)" "[empty] 2
a;b 3" "pprof has a function for them"
printf 'a;b 3000000\nc 1\n' >narrow.folded
is "$(flametop --to=svg narrow.folded | flametop --to=folded)" "[not drawn] 1
a;b 3000000" "a picture that lacks narrow frames does not take them for such stacks"

# Names and weights, in all files that are read back. The largest counts stay exact where the format has room for them.
most=9223372036854775807
weights="1 9007199254740993 $most 9223372036854775808 18446744073709551615"
for suffix in folded html svg pb.gz speedscope.json firefox.json callgrind; do
	kept='' warned=''
	for name in main _ZN3foo3barEv _RNvC6_123foo3bar '_Z3foov.cold' '漢字' 'a b' '<x&"y">' 'f(int, char)' "it's"; do
		printf '%s 2\n%s;leaf 3\n' "$name" "$name" >names.folded
		flametop --no-demangle --minwidth=0 -o "n.$suffix" names.folded
		flametop --to=folded "n.$suffix" | cmp -s - names.folded || kept="$kept $name"
	done
	is "$kept" "" "$suffix: names are read back as they were"
	kept=''
	for weight in $weights; do
		printf 'main;leaf %s\n' "$weight" >weights.folded
		flametop -o "w.$suffix" weights.folded
		"$FLAMETOP" --no-config --to=folded "w.$suffix" >out 2>err
		[ ! -s err ] || warned="$warned $weight"
		cmp -s out weights.folded || kept="$kept $weight"
	done
	case $suffix in
	pb.gz | callgrind)
		is "$kept" " 9223372036854775808 18446744073709551615" "$suffix: weights up to 2^63 - 1 are read back"
		run "$FLAMETOP" --no-config -o "w.$suffix" weights.folded
		says "*values above 2^63 - 1, the largest of this format, were cut to that" "and larger ones are told"
		;;
	*) is "$kept" "" "$suffix: all weights are read back" ;;
	esac
	is "$warned" "" "without a warning"
done

# SVG and Firefox's format show names as they are in the file, so these are demangled there.
printf 'main;_ZN3foo3barEv 3\n' >mangled.folded
for suffix in folded html pb.gz speedscope.json callgrind; do
	returns "m.$suffix" "$suffix: mangled names stay" mangled.folded
done
for suffix in svg firefox.json; do
	flametop -o "m.$suffix" mangled.folded
	is "$(flametop --to=folded "m.$suffix")" "main;foo::bar() 3" "$suffix: names are those that the view shows"
	returns "m.$suffix" "$suffix: but with --no-demangle" --no-demangle mangled.folded
done

# Events that are added up keep their names.
for event in cpu-clock task-clock; do
	printf 'app 1/1 1.0: 5 %s:\n\t401000 %s+0x1 (/bin/x)\n\n' $event "$event"
done >events.perf
for suffix in folded html svg pb.gz speedscope.json firefox.json callgrind; do
	flametop --event=all -o "v.$suffix" events.perf
	is "$(flametop --to=json "v.$suffix" | grep -o '"event":"[^"]*"')" '"event":"cpu-clock + task-clock"' \
		"$suffix: events that are added up keep their names"
done

done_testing
