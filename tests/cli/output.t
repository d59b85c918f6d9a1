#!/bin/sh
# Where results go, and the errors if they cannot be written.
. "$(dirname "$0")/../tap.sh"

cat >a.folded <<'END'
main;read;parse 10
main;read;lex 5
main;write 7
END
sorted='main;read;lex 5
main;read;parse 10
main;write 7'

run "$FLAMETOP" a.folded
exits 0 "without a terminal the text flame graph is written"
prints "*main 100*%*" "the text flame graph has names and shares"
is "$err" "" "a good profile causes no message"

run "$FLAMETOP" --to=folded a.folded
is "$out" "$sorted" "--to=folded prints sorted stacks"
run "$FLAMETOP" -o - --to=folded a.folded
is "$out" "$sorted" "-o - is standard output"
run sh -c "cat a.folded | '$FLAMETOP' --to=folded"
is "$out" "$sorted" "a pipe is read without a file name"
run sh -c "cat a.folded | '$FLAMETOP' --to=folded -"
is "$out" "$sorted" "- is standard input"
run "$FLAMETOP" --to=folded a.folded a.folded
prints "*parse 20*" "several files are merged"

run "$FLAMETOP" -o out.folded a.folded
exits 0 "-o with the suffix .folded works"
is "$(cat out.folded)" "$sorted" ".folded gives folded stacks"
is "$out" "" "-o prints nothing on standard output"
run "$FLAMETOP" -o out.svg a.folded
is "$(head -c 5 out.svg)" "<?xml" ".svg gives an SVG"
run "$FLAMETOP" -o out.txt a.folded
ok ".txt gives text" grep -q 'main 100' out.txt
is "$(find . -name '.flametop*')" "" "no temporary file is left"

run "$FLAMETOP" --to=top a.folded
prints "*self*total*name*" "--to=top has a heading"

# Readable units of time in output for users.
clock=$source/tests/golden/data/clock.perf
run "$FLAMETOP" --to=top "$clock"
prints "*121 ms *" "the table has times as times"
run "$FLAMETOP" --to=markdown "$clock"
prints "*| 121 ms |*" "and so has the one in Markdown"
run "$FLAMETOP" --to=text "$clock"
prints "clock.perf*cpu-clock  242 ms
*" "and the text flame graph"
run "$FLAMETOP" --to=svg "$clock"
prints "*<title>all (242 ms, 100%)*" "and the SVG"
run "$FLAMETOP" --to=svg --countname=ns "$clock"
prints "*<title>all (242,424,240 ns, 100%)*" "unless the unit is given"
run "$FLAMETOP" --to=folded "$clock"
prints "*sum 121212120*" "folded stacks keep the numbers"

# More frames than a browser handles well.
awk 'BEGIN { for (i = 0; i < 25000; i++) print "main;f" i % 2 ";g 1" }' >many.folded
run "$FLAMETOP" --flamechart --minwidth=0 -o many.svg many.folded
says "*many.svg: browsers are slow with 5000* frames (a greater --minwidth, such as 0.1, draws fewer*" "an SVG of very many frames comes with a warning"
run "$FLAMETOP" -q --flamechart --minwidth=0 -o many.svg many.folded
is "$err" "" "-q leaves that out"
run "$FLAMETOP" --flamechart --minwidth=0.1 -o many.svg many.folded
is "$err" "" "with fewer frames there is nothing to say"

# The least share that is drawn is that of the view: --minwidth begins with it, and the keys - and + change it.
run "$FLAMETOP" --screen=80x20 --minwidth=40 --keys='-wfiner.svg<Enter>' a.folded
prints "*from 10% on*" "the key - goes below --minwidth"
run "$FLAMETOP" --sort=weight --minwidth=10 -o as-finer.svg a.folded
ok "and so does the SVG that is written then" cmp -s finer.svg as-finer.svg

# A drawing names the command that shows it again, as text: options keep their hyphens.
run "$FLAMETOP" --jobs=1 --search='a<b' -o one.svg a.folded
run "$FLAMETOP" --jobs=3 --search='a<b' -o three.svg a.folded
like "$(cat one.svg)" "*<metadata>generator: flametop [0-9]*; command: flametop --sort=name --search=&apos;a&lt;b&apos; a.folded</metadata>*" \
	"an SVG names its origin"
ok "whatever the number of threads" cmp -s one.svg three.svg

run sh -c "'$FLAMETOP' --to=folded a.folded >/dev/full"
exits 1 "a full disk is a failure"
says "flametop: *No space left*" "a full disk is named"
one_line "a full disk is reported in one line"
run sh -c "'$FLAMETOP' --help >/dev/full"
exits 1 "a full disk is a failure for --help too"
run sh -c "'$FLAMETOP' --to=folded a.folded >&-"
exits 1 "a closed standard output is a failure"
run "$FLAMETOP" -o nosuch/out.svg a.folded
exits 1 "a directory that is not there is a failure"
says "flametop: nosuch/out.svg: *" "the file that cannot be written is named"
run "$FLAMETOP" -o /proc/out.svg a.folded
exits 1 "a directory that cannot be written is a failure"
echo before >kept.folded
run "$FLAMETOP" -o kept.folded nosuch.folded
exits 1 "a missing input is a failure"
is "$(cat kept.folded)" before "a failure leaves the old file alone"

awk 'BEGIN { for (i = 0; i < 20000; i++) print "main;function_number_" i " 1" }' >many.folded
run sh -c "'$FLAMETOP' --to=folded many.folded | head -1"
prints "main;function_number_0 1" "a reader that leaves early gets its line"
is "$err" "" "a reader that leaves early causes no message"
run sh -c "trap '' PIPE; '$FLAMETOP' --to=folded many.folded | head -1"
is "$err" "" "not even when SIGPIPE came ignored"

run "$FLAMETOP" nosuch.folded
exits 1 "a missing file is a failure"
says "flametop: nosuch.folded: *No such file*" "a missing file is named"
one_line "a missing file is reported in one line"
run "$FLAMETOP" .
exits 1 "a directory is a failure"
: >empty
run "$FLAMETOP" empty
exits 1 "an empty file is a failure"
says "flametop: empty: *" "an empty file is named"
printf 'main;a 1\nnonsense\nmain;b 2\nmore nonsense\n' >bad.folded
run "$FLAMETOP" -f folded --to=folded bad.folded
exits 0 "lines that are no stacks are skipped"
prints "main;a 1*main;b 2" "the good lines count"
says "flametop: *bad.folded*2*" "skipped lines are reported with file and line"
run "$FLAMETOP" -q -f folded --to=folded bad.folded
is "$err" "" "--quiet says nothing about them"
run "$FLAMETOP" --to=text a.folded nosuch.folded
exits 1 "one missing file of several is a failure"

LC_ALL=C run "$FLAMETOP" --to=text a.folded
is "$(printf '%s' "$out" | LC_ALL=C tr -d '\001-\177')" "" "text is ASCII outside of UTF-8 locales"
run env LC_ALL=C.UTF-8 "$FLAMETOP" --ascii --to=text a.folded
is "$(printf '%s' "$out" | LC_ALL=C tr -d '\001-\177')" "" "--ascii makes it ASCII"
printf 'main;caf\303\251 1\n' >utf8.folded
run env LC_ALL=C "$FLAMETOP" --to=folded utf8.folded
is "$out" "$(cat utf8.folded)" "folded stacks are the same in every locale"
run env LC_ALL=C "$FLAMETOP" -o c.svg utf8.folded
run env LC_ALL=C.UTF-8 "$FLAMETOP" -o u.svg utf8.folded
ok "an SVG is the same in every locale" cmp -s c.svg u.svg
run "$FLAMETOP" -j1 -o 1.svg many.folded
run "$FLAMETOP" -j4 -o 4.svg many.folded
ok "an SVG is the same with every number of threads" cmp -s 1.svg 4.svg

run "$FLAMETOP" --to=text --color=truecolor a.folded
prints "*$(printf '\033')\[*" "--color=truecolor colours text"
run "$FLAMETOP" --to=text a.folded
is "$(printf '%s' "$out" | tr -cd '\033')" "" "text for a file has no colours"

echo old >old.txt
echo two >two.txt
run "$FLAMETOP" --screen=80x12 --keys='wold.txt<Enter>' a.folded
prints "*the file exists; Enter overwrites it, Esc does not: old.txt*" "w asks before it overwrites a file"
run "$FLAMETOP" --screen=80x12 --keys='wold.txt<Enter><C-u>two.txt<Enter>' a.folded
prints "*the file exists; Enter overwrites it, Esc does not: two.txt*" "and again where the answer is another file"
run "$FLAMETOP" --screen=80x12 --keys='wold.txt<Enter><Esc>wold.txt<Enter>' a.folded
prints "*the file exists; Enter overwrites it, Esc does not: old.txt*" "and again after a no"
is "$(cat old.txt two.txt)" "old
two" "nothing was written so far"
run "$FLAMETOP" --screen=80x12 --keys='wold.txt<Enter><C-u>three.txt<Enter>' a.folded
prints "*written to three.txt*" "a new name is no question"
run "$FLAMETOP" --screen=80x12 --keys='wold.txt<Enter><C-u>two.txt<Enter><Enter>' a.folded
prints "*written to two.txt*" "Enter again writes"
is "$(cat old.txt)" old "over this file alone"

# The file of --cp is read and written: what another user has planted is neither.
printf 'a;b 1\n' >private.folded
printf 'a->rgb(1,2,3)\n' >map
mkdir planted
chmod 1777 planted
ln -s ../private.folded planted/link
cp map planted/file
if [ "$(id -u)" -eq 0 ] && chown -h 65534 planted/link && chown 65534 planted/file; then
	for name in link file; do
		run "$FLAMETOP" -o colours.svg --cp=planted/$name private.folded
		exits 1 "another user's $name in a shared directory is no map of colours"
		says "*planted/$name*" "with a message"
		ok "which does not quote it" test "${err#*a;b 1}" = "$err"
	done
	is "$(cat private.folded planted/file)" "a;b 1
a->rgb(1,2,3)" "and nothing is written"
else
	skip 7 "only root can make files of other users"
fi
# A reader that leaves a named pipe.
mkfifo left.folded
for i in 1 2 3 4 5 6 7 8 9; do echo "a;b$i $i"; done | awk '{ for (i = 0; i < 20000; i++) print $1 i, $2 }' >many.folded
head -c 1 left.folded >/dev/null &
run "$FLAMETOP" -o left.folded many.folded
wait
exits 1 "a reader that leaves a named pipe is an error"
says "flametop: left.folded: cannot write: *" "which names the pipe"
is "$("$FLAMETOP" --to=folded many.folded 2>said | head -c 1)$(cat said)" a "standard output ends quietly"

ln -s map own
run "$FLAMETOP" -o colours.svg --cp=own private.folded
exits 0 "a link of the user's is"

# Counts and times up to 2^64 - 1: every picture ends.
{
	echo 'a 18446744073709551000'
	for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do echo "b$i 1"; done
} >most.folded
for option in --no-config --reverse --flamechart --diff=most.folded --minwidth=1px; do
	run timeout 20 "$FLAMETOP" --to=svg "$option" most.folded
	exits 0 "an SVG of counts near 2^64 ends: $option"
done
printf 'x 1 [000] 0.000000001: 1 cycles:\n\t 1 a (x)\n\nx 1 [000] 17446744073.5: 1 cycles:\n\t 1 b (x)\n\n' >ages.perf
run timeout 20 "$FLAMETOP" --no-config --flamechart --to=svg ages.perf
exits 0 "an SVG of times near 2^64 ns ends"
for keys in t tm 'tA' 'tll'; do
	run timeout 20 "$FLAMETOP" --no-config --screen=80x20 --keys="$keys" ages.perf
	exits 0 "and so does a screen: $keys"
done

# Messages name the file, and say what was done with its lines.
printf 'a;b 0\n' >nothing.folded
run "$FLAMETOP" -o nothing.svg nothing.folded
says "flametop: nothing.folded: no stack counts found*" "what cannot be drawn is named"
printf 'a;b 0.0000004\na;c 0.0000003\n' >small.folded
run "$FLAMETOP" --to=folded small.folded
says "*2 lines, the first at line 1: count too small*" "lines that were taken are not called skipped"
printf 'a;b 1000\n' >thousand.folded
run "$FLAMETOP" --to=svg --total=20 thousand.folded
says "*--total is less than the sum*" "a --total without effect is named, however small"
run "$FLAMETOP" --no-config --focus=a --focus=zz --view=table --screen=100x8 thousand.folded
ok "a screen with nothing to show counts no rows" sh -c '! grep -q "rows " .out'

# A terminal gets no bytes that a profile chose, whichever of its names is given.
if command -v script >/dev/null && has_terminals; then
	printf 'a\033]0;x\007b;c\302\233\177 1\n' >escape.folded
	cat >shown.sh <<'END'
[ "$1" != its-own ] || set -- "$(tty)"
"$FLAMETOP" -q --no-config --to="$KIND" -o "$1" escape.folded 3>&1
echo "status $?"
END
	for path in - /dev/stdout /dev/stderr /dev/fd/3 /proc/self/fd/1 /dev/tty its-own; do
		env KIND=folded FLAMETOP="$FLAMETOP" script -qec "sh shown.sh $path" /dev/null </dev/null >shown 2>&1
		like "$(cat shown)" "*a*]0;x*b;c* 1*status 0*" "folded stacks on a terminal: -o $path"
		is "$(tr -d '\n\r -~\200-\377' <shown | wc -c | tr -d ' ')" 0 "are cleaned"
		env KIND=callgrind FLAMETOP="$FLAMETOP" script -qec "sh shown.sh $path" /dev/null </dev/null >shown 2>&1
		is "$(LC_ALL=C tr '\233\177' '\033' <shown | tr -d '\n\r -~\200-\377' | wc -c | tr -d ' ')" 0 "as are those for KCachegrind"
		env KIND=pprof FLAMETOP="$FLAMETOP" script -qec "sh shown.sh $path" /dev/null </dev/null >shown 2>&1
		like "$(cat shown)" "*a terminal shows no file of kind pprof (name a file with -o)*status 2*" "pprof is refused: -o $path"
		is "$(tr -d '\n\r -~' <shown | wc -c | tr -d ' ')" 0 "with nothing but a message"
	done
	# In the C locale, a terminal may take the second bytes of these characters for CSI, OSC and ST.
	printf 'main;\304\2332J\304\23331mred;\304\23552;c;SGk=\304\234 5\n' >escape.folded
	for kind in folded callgrind svg html json speedscope firefox markdown text top; do
		env LC_ALL=C KIND=$kind FLAMETOP="$FLAMETOP" script -qec "sh shown.sh -" /dev/null </dev/null >shown 2>&1
		like "$(cat shown)" "*status 0*" "$kind on a terminal that has no UTF-8"
		is "$(LC_ALL=C tr -d '\000-\177' <shown | wc -c | tr -d ' ')" 0 "has ASCII alone"
	done
	env LC_ALL=C KIND=folded FLAMETOP="$FLAMETOP" script -qec "sh shown.sh -" /dev/null </dev/null >shown 2>&1
	like "$(cat shown)" "main;[?]2J[?]31mred;[?]52;c;SGk=[?] 5*" "each character is one mark"
	LC_ALL=C "$FLAMETOP" -q --no-config --to=folded escape.folded >piped
	ok "a pipe gets the bytes" cmp -s piped escape.folded
	LC_ALL=C.UTF-8 KIND=folded FLAMETOP="$FLAMETOP" script -qec "sh shown.sh -" /dev/null </dev/null >shown 2>&1
	like "$(cat shown)" "main;$(printf '\304\233')2J*" "and so does a terminal with UTF-8"
	script -qec "'$FLAMETOP' --no-config --to=text --save=/dev/tty http://127.0.0.1:1/x" /dev/null </dev/null >shown 2>&1
	like "$(cat shown)" "flametop: a terminal shows no profile that is kept (name a file with --save)*" "nor what --save keeps"
	ln -s /dev/tty terminal.tar
	cp "$source/tests/data/collapse/perf-data/markers.in" some.data
	script -qec "'$FLAMETOP' bundle -o terminal.tar some.data" /dev/null </dev/null >shown 2>&1
	like "$(cat shown)" "*a terminal shows no bundle*" "a bundle is refused, too"
	is "$(tr -d '\n\r -~' <shown | wc -c | tr -d ' ')" 0 "with nothing but a message"
else
	skip 61 "no script(1), or no pseudo terminal"
fi

done_testing
