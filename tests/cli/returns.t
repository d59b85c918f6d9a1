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

done_testing
