#!/bin/sh
# Lines of functions: which formats tell them, what the numbers are, and which files are opened as sources.
. "$(dirname "$0")/../tap.sh"

lines() { # arguments
	run "$FLAMETOP" --no-config --to=lines "$@"
}
unlike() { # text, shell pattern, name
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $1 in $2) tap_result 1 "$3" "$1" ;; *) tap_result 0 "$3" ;; esac
}

# py-spy, rbspy and austin write executed lines: a frame for each.
mkdir src
printf 'def work():\n\tx = 1\n    y = 2 # \302\240wide \346\274\242\033[31m\n\ndef main():\n    work()\n    work()\n' >src/app.py
cat >app.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"$dir/src/app.py","line":6},{"name":"main","file":"$dir/src/app.py","line":7},
{"name":"work","file":"$dir/src/app.py","line":2},{"name":"work","file":"$dir/src/app.py","line":3}]},
"profiles":[{"type":"sampled","name":"t","unit":"seconds","startValue":0,"endValue":10,
"samples":[[0,2],[0,3],[1,3],[1]],"weights":[1,2,4,3]}]}
END
lines --function=main app.json
exits 0 "a profile with lines"
like "$out" "*main: self 3 s 30.0%, total 10 s 100.0%*" "the function's sums are above its lines"
like "$out" "*           30.0%       6
   30.0%   70.0%       7*" "self is what a line took itself, total with what it calls"
lines --function=work app.json
like "$out" "*   10.0%   10.0%       2
   60.0%   60.0%       3*" "lines are added up over all callers"
unlike "$out" "*x = 1*" "without --with-source no text of a file is written"
lines --function=work --with-source app.json
like "$out" "*   10.0%   10.0%       2          x = 1
*       3      y = 2 #*" "with it the text follows, tabs as blanks"
unlike "$out" "*$(printf '\033')*" "without what would colour a terminal"
for view in lines instructions; do
	run "$FLAMETOP" --no-config --screen=100x12 --keys=_ --view=$view --function=work app.json
	unlike "$out" "*x = 1*" "nor is it on a screen that goes to a file: --view=$view"
done
run "$FLAMETOP" --no-config --screen=200x12 --keys=_ --view=lines --function=work app.json
like "$out" "*app.py  (--with-source adds the text)*10.0%   10.0%*2*60.0%   60.0%*3*" "which says so"
run "$FLAMETOP" --no-config --screen=100x12 --keys=_ --view=lines --function=work --with-source app.json
like "$out" "*10.0%   10.0%*2 *x = 1*" "--with-source writes it there, too"
is "$err" "" "and has an effect"

# If a pattern hits a limit, it is unknown whether the line matches.
printf 'def slow():\n\taaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaN\n    bcd\n' >src/slow.py
sed -e 's/src.app.py/src\/slow.py/g; s/"work"/"slow"/g' app.json >slow.json
for find in "x(a+)+$=no line of the source matches" "(a+)+$=no line of the source matches (1 line beyond the limit)" \
	"(a+)+$|b=passed over 1 line beyond the limit"; do
	run "$FLAMETOP" --no-config --screen=100x12 "--keys=/${find%%=*}<Enter>" --view=lines --function=slow --with-source slow.json
	prints "*${find#*=}*" "/ with ${find%%=*}: ${find#*=}"
done
lines --top=1 app.json
like "$out" "*work: self 7 s*" "without a function, the heaviest"
unlike "$out" "*main: *" "as many as --top says"
# Folded text of py-spy has a name for each line.
printf '<module> (a.py:9);hot (a.py:14);cube (a.py:2) 5\n<module> (a.py:9);hot (a.py:14);cube (a.py:3) 2\n<module> (a.py:9);hot (a.py:15) 3\n' >spy.folded
lines '--function=hot (a.py:15)' spy.folded
is "$out" "spy.folded  10 samples
hot (a.py): self 3 30.0%, total 10 100.0%
    self   total    line  a.py
           70.0%      14
   30.0%   30.0%      15" "all lines of a function that has a name for each of them"
lines spy.folded
is "$(echo "$out" | grep -c '^cube (a.py): ')" 1 "which is one function"
run "$FLAMETOP" --no-config --screen=80x8 --keys=_ --view=lines '--function=cube (a.py:3)' spy.folded
like "$out" "*cube (a.py)  self 7 70.0%, total 7 70.0%*   50.0%   50.0%*2*   20.0%   20.0%*3*" "on the screen, too"
run "$FLAMETOP" -q --no-config --to=json --view=lines '--function=hot (a.py:15)' spy.folded
like "$out" '*"name":"hot (a.py)","self":3,*"total":10,*"callers":\[{"name":"<module> (a.py)","weight":10}\],"callees":\[{"name":"cube (a.py)","weight":7}\],"lines":\[{"file":"a.py","line":14,"self":0,*,{"file":"a.py","line":15,"self":3,*' \
	"in JSON, too, with its callers and callees"
run "$FLAMETOP" -q --no-config --to=json --view=lines --top=1 spy.folded
like "$out" '*"functions":\[
{"name":"cube (a.py)","self":7,*\],*"omitted":{"functions":2,"self":3,*' "and it is counted once"
run "$FLAMETOP" -q --no-config --to=json --view=lines --diff=spy.folded '--function=hot (a.py:15)' spy.folded
like "$out" '*"name":"hot (a.py)","self":{"before":3,*"after":3,*"total":{"before":10,*"after":10,*' "a comparison has its sums"
lines '--function=hot (a.py)' spy.folded
like "$out" "*hot (a.py): self 3 30.0%, total 10 100.0%*" "the name that is shown can be given"
run "$FLAMETOP" --no-config --to=text --view=sandwich '--function=hot (a.py)' spy.folded
exits 1 "but in views of lines only"
lines --function=main --ignore=work app.json
like "$out" "*main: self 3 s 100.0%, total 3 s 100.0%*" "filters apply"
lines --function=main --zoom='main;work' app.json
like "$out" "*main: self 3 s 30.0%*" "a zoom does not"
run "$FLAMETOP" --no-config --to=lines --function=nothing app.json
exits 1 "a function that is not there is an error"

# Weights that do not fit 64 bits together are cut in lines as in functions.
printf 'a (x.py:1) 18446744073709551615\na (x.py:2) 5\nb (x.py:3) 1\n' >large.folded
run "$FLAMETOP" -q --no-config --to=json --view=lines large.folded
like "$out" '*"name":"a (x.py)","self":18446744073709551614,*"line":1,"self":18446744073709551609,*"line":2,"self":5,*' \
	"lines add up to their function"
run "$FLAMETOP" -q --no-config --to=json --hot-lines large.folded
like "$out" '*"name":"a (x.py:1)","self":18446744073709551609,*"lines":\[{"file":"x.py","line":1,"self":18446744073709551609,*' \
	"and the hottest lines"

# Comparison.
sed 's/\[1,2,4,3\]/[4,2,1,3]/' app.json >before.json
lines --function=work --diff=before.json app.json
like "$out" "*   10.0%   -30.0~   10.0%   -30.0~       2
   60.0%   +30.0~   60.0%   +30.0~       3*" "a comparison shows the change of each line"

# Weights that fade.
spell=$source/examples/spell.cpuprofile.gz
lines --decay=0.3 --function=nearest "$spell"
self=$(echo "$out" | sed -n 's/^nearest: self [^ ]* [a-z]* \([0-9.]*\)%.*/\1/p')
is "${self:-none}" "$("$FLAMETOP" -q --no-config --decay=0.3 --to=top "$spell" | awk '$NF == "nearest" { printf "%.1f", $3 }')" \
	"--decay applies to lines as to functions"

# A line that is the same for all samples of a function may be the one where it begins.
cat >begin.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"a.js","line":6},{"name":"work","file":"a.js","line":2}]},
"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":2,"samples":[[0,1],[0]],"weights":[1,1]}]}
END
lines begin.json
exits 1 "lines where functions begin are not those of samples"
says "*tells functions only*" "and that is said"
printf 'a;b 1\n' >a.folded
lines a.folded
exits 1 "folded stacks tell functions only"
says "*tells functions only*" "and that is said"
is "$out" "" "and nothing is written"

# An open and a close event each have a line, too.
cat >events.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"a.py","line":6},{"name":"work","file":"a.py","line":2},{"name":"work","file":"a.py","line":3}]},
"profiles":[{"type":"evented","name":"t","unit":"seconds","startValue":0,"endValue":4,"events":[
{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":0},{"type":"C","frame":1,"at":1},
{"type":"O","frame":2,"at":1},{"type":"C","frame":2,"at":4},{"type":"C","frame":0,"at":4}]}]}
END
lines --function=work events.json
like "$out" "*25.0%   25.0%       2
   75.0%   75.0%       3*" "events of speedscope have lines"

# V8: lines of a node in sum, or in newer traces of each sample.
cat >x.cpuprofile <<'END'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
{"id":2,"callFrame":{"functionName":"run","scriptId":"1","url":"file:///nowhere/a.js","lineNumber":3,"columnNumber":1},"hitCount":4,
"positionTicks":[{"line":5,"ticks":3},{"line":7,"ticks":1}]}],
"startTime":0,"endTime":400,"samples":[2,2,2,2],"timeDeltas":[0,100,100,100]}
END
lines --function=run x.cpuprofile
like "$out" "*75.0%   75.0%       5
   25.0%   25.0%       7*" "V8: each line has its share of the samples"
sed 's/"startTime.*/"startTime":0,"endTime":400}/' x.cpuprofile >hits.cpuprofile
lines --function=run hits.cpuprofile
like "$out" "*75.0%   75.0%       5
   25.0%   25.0%       7*" "without samples, of the hits"
sed 's/"samples"/"lines":[9,9,9,5],"samples"/' x.cpuprofile >each.cpuprofile
lines --function=run each.cpuprofile
like "$out" "*25.0%   25.0%       5
   75.0%   75.0%       9*" "lines of samples count, if there are some"

# pprof: Line.line is where a sample was, Function.start_line where the function begins.
put() { # TAG: a field of standard input
	cat >put.bytes
	printf "\\$(printf %03o "$1")\\$(printf %03o "$(wc -c <put.bytes)")"
	cat put.bytes
}
pprof() { # line of the second location
	printf '\010\001\020\002' | put 10
	printf '\012\002\001\003\022\001\003' | put 18 # location 1 in 3
	printf '\012\002\002\003\022\001\005' | put 18 # location 2 in 3
	printf '\010\001\042\004\010\001\020\013' | put 34
	printf "\\010\\002\\042\\004\\010\\001\\020\\$1" | put 34
	printf '\010\003\042\004\010\002\020\024' | put 34
	printf '\010\001\020\004\040\005\050\012' | put 42 # f in m.go, from 10 on
	printf '\010\002\020\003\040\005\050\024' | put 42 # main, from 20 on
	for string in '' samples count main f m.go; do printf %s "$string" | put 50; done
}
pprof 014 >x.pb
lines --function=f x.pb
like "$out" "*m.go*37.5%   37.5%      11
   62.5%   62.5%      12*" "pprof: lines of samples"
pprof 013 >one.pb
lines --function=f one.pb
like "$out" "*100.0%  100.0%      11*" "a line that is not where the function begins is one of a sample"
# All samples of f in one line, and nothing about where f begins.
hot() { # ADDRESS in the mapping from 16 to before 32
	printf '\010\001\020\002' | put 10
	printf '\012\001\001\022\001\003' | put 18
	printf '\010\001\020\020\030\040' | put 26
	printf "\\010\\001\\020\\001\\030\\$1\\042\\004\\010\\001\\020\\013" | put 34
	printf '\010\001\020\003\040\004' | put 42
	for string in '' samples count f m.go; do printf %s "$string" | put 50; done
}
hot 021 >hot.pb
lines --function=f hot.pb
like "$out" "*100.0%  100.0%      11*" "the line of machine code was executed, even if its function has no other"
hot 040 >beyond.pb
lines beyond.pb
exits 1 "an address in no mapping is no machine code"

# Which files are opened as sources. A name may lead anywhere.
source_is() { # name in the profile, pattern, name of the test
	sed "s|$dir/src/app.py|$1|g" app.json >named.json
	timeout 10 "$FLAMETOP" --no-config --to=lines --with-source --function=work named.json >.out 2>.err
	like "$? $(tr -d '\000' <.out)" "0 $2" "$3"
}
mkfifo pipe
source_is "$dir/pipe" "*not a regular file*" "a pipe is not opened"
source_is /dev/zero "*not a source file*" "nor a device"
source_is "$dir/src" "*not a regular file*" "nor a directory"
source_is /proc/self/status "*not a source file*" "nor a file of the kernel"
mkdir home
printf 'secret\n\n\n' >away.py
cd home || exit 1
cp ../app.json .
for name in "/proc/self/root$dir/away.py" "//tmp/.././proc/self/root$dir/away.py" /proc/self/cwd/../away.py; do
	source_is "$name" "*not a source file*" "nor what $name leads to"
done
cd .. || exit 1
ln -s /proc/self/status src/link.py
source_is "$dir/src/link.py" "*a file of the kernel, not opened*" "nor by a link"
ln -s loop src/loop
source_is "$dir/src/loop" "*src/loop (*" "a link to itself is an error"
truncate -s 100M src/hollow.py
source_is "$dir/src/hollow.py" "*almost all of it is holes*" "a file of holes is not read"
head -c 17000000 /dev/zero | tr '\0' x >src/large.py
source_is "$dir/src/large.py" "*larger than 16 MiB*" "nor is a large file"
printf 'one line' >src/short.py
source_is "$dir/src/short.py" "*another version: it has fewer lines*" "a file with fewer lines is another version"
printf '\377\376\000\001\nx\000y\n%05000d\n' 7 >src/binary.py
source_is "$dir/src/binary.py" "*   2  x*y*" "bytes that are no text do no harm"
printf 'a\r\nb\r\nc' >src/dos.py
source_is "$dir/src/dos.py" "*   2  b
*   3  c" "lines end as anywhere"
source_is /elsewhere/other.py "*No such file*" "a file that is not there is named"
mkdir -p moved/pkg
cp src/app.py moved/pkg/app.py
sed "s|$dir/src/app.py|/build/x/pkg/app.py|g" app.json >named.json
lines --with-source --function=work --source-path=moved named.json
like "$out" "*x = 1*" "--source-path finds it by the end of its name"
like "$out" "*line  moved/pkg/app.py
*" "the heading names the file that was read"
for kind in --to=markdown --screen=100x12; do
	run "$FLAMETOP" --no-config --view=lines --with-source --function=work --source-path=moved $kind named.json
	like "$out" "*moved/pkg/app.py*x = 1*" "so does $kind"
done
lines --with-source --function=work --path-map="/build/x=$dir/moved" named.json
like "$out" "*x = 1*" "and --path-map by its beginning"
sed "s|$dir/src/app.py|../../../../../../../../etc/passwd|g" app.json >named.json
lines --with-source --function=work --source-path=moved named.json
unlike "$out" "*root:*" "no name leads out of a directory"

# Lines have no frames for --split. Of events it chooses all, on the screen, in a file that is written there, and in others.
cat >events.perf <<END
app 10/10 [000] 1.000000: 100 cycles:
	1000 f+0x1 (/bin/app)
  a.c:1

app 10/10 [000] 1.100000: 7 instructions:
	1000 f+0x2 (/bin/app)
  a.c:2

app 10/10 [000] 1.200000: 30 cycles:
	1000 g+0x2 (/bin/app)
  a.c:9

END
of_f="--view=lines --function=f"
for view in "--to=lines --function=f" "--to=text $of_f" "--to=markdown $of_f"; do
	# shellcheck disable=SC2086 # options
	run "$FLAMETOP" --no-config $view events.perf
	cp .out cycles
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $view --split=module events.perf
	ok "$view: --split=module changes nothing" cmp .out cycles
	says "*--split has no effect on this output*" "$view: as it says"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $view --tagroot=x events.perf
	says "*--tagroot has no effect on this output*" "$view: so does --tagroot"
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $view --split=event --event=cycles events.perf
	says "*--split has no effect on this output*" "$view: and --split=event with an event"
	ok "$view: of that event" cmp .out cycles
	# shellcheck disable=SC2086
	run "$FLAMETOP" --no-config $view --split=event events.perf
	like "$out" "*self 107 78.1%*" "$view: --split=event adds up all"
	unlike "$err" "*no effect*" "$view: and does not say that it has no effect"
	says "*adds up events of different units*or choose one (--event=NAME)*" "$view: but what it adds up"
done
run "$FLAMETOP" --no-config --view=lines --function=f --split=event --screen=80x10 events.perf
like "$out" "*self 107 78.1%*" "the same is on the screen"
run "$FLAMETOP" --no-config --view=lines --function=f --split=event --screen=80x10 --keys='wk.lines<Enter>' events.perf
run "$FLAMETOP" --no-config --to=lines --function=f --split=event events.perf
ok "and in a file that is written there" cmp .out k.lines
run "$FLAMETOP" --no-config --view=lines --function=f --split=event --to=json events.perf
like "$out" '*"total":137,*"mixed units: choose one event"*"self":107,"self_pct":78.10*' "and in JSON"
run "$FLAMETOP" --no-config --view=lines --to=text --split=event app.json
says "*--split has no effect: lines have no frames for it, and there is one event*" "one event is said"

# Views and options.
run "$FLAMETOP" --no-config --view=lines --function=work -o out.txt app.json
exits 0 "as a view, in text"
ok "with the lines" grep -q '60.0%   60.0%       3' out.txt
run "$FLAMETOP" --no-config --view=lines --function=work --with-source --to=markdown app.json
is "$out" "**\`work\`**: self 7 s 70.0%, total 7 s 70.0%

| self % | total % | line | \`$dir/src/app.py\` |
|---:|---:|---:|:---|
| 10.00 | 10.00 | 2 | \`x = 1\` |
| 60.00 | 60.00 | 3 | \`y = 2 # $(printf '\302\240')wide 漢$(printf '\357\277\275')[31m\` |" "as a table for a ticket"
run "$FLAMETOP" --no-config --view=lines --function=work --to=markdown --diff=before.json app.json
like "$out" "*| 60.00 | +30.00 | 60.00 | +30.00 | 3 |  |*" "in a comparison with the change"
run "$FLAMETOP" --no-config -o out.lines app.json
exits 0 "the suffix .lines means them, too"
run "$FLAMETOP" --no-config --view=lines -o out.svg app.json
exits 2 "no picture shows them"
says "*cannot show the lines*" "and that is said"
run "$FLAMETOP" --no-config --with-source --to=top app.json
says "*--with-source has no effect on this output: top*" "an option without effect is named"

# The screen.
shot() { # keys, arguments
	keys=$1
	shift
	run "$FLAMETOP" --no-config --screen=90x20 --with-source --keys="$keys" "$@"
}
shot '/work<Enter>a' app.json
like "$out" "*work  self 7 s 70.0%, total 7 s 70.0%*" "a shows the lines of the function under the cursor"
like "$out" "*line 3: self 6 s 60.0%, total 6 s 60.0%, 2 samples*" "the cursor is on the hottest"
shot '/work<Enter>a]' app.json
like "$out" "*line 2: self 1 s 10.0%, total 1 s 10.0%, 1 sample*2 of 2 lines*" "] goes to the next by weight"
shot '/work<Enter>aG' app.json
like "$out" "*called from*main  app.py:7*main  app.py:6*" "callers have lines, the heaviest first"
shot '/work<Enter>aG<Enter>' app.json
like "$out" "*main  self 3 s 30.0%*line 6: *" "Enter goes there"
shot '/work<Enter>aG<Enter><BS>' app.json
like "$out" "*work  self 7 s*" "and Backspace comes back"
shot '5<Enter>' --function=main --view=lines app.json
like "$out" "*70.0%*7 -     work()*40.0%*work*line 7: *" "Enter on a line shows what it calls"
shot '/work<Enter>a/def m<Enter><Enter>' app.json
like "$out" "*no sample was here*" "/ finds a text in the source"
shot '/work<Enter>a/def <Enter>n<Enter>' app.json
like "$out" "*no sample was here*" "n the next one"
shot '' a.folded --view=lines
like "$out" "*tells functions only*" "a profile without lines says so"

# The footer of the flame graph names the hottest line of the function under the cursor.
shot '/work<Enter>' app.json
like "$out" "*work*hottest line app.py:3, self 60.0%*" "the footer names the hottest line"
shot '/main<Enter>' app.json
like "$out" "*main*hottest line app.py:7, self 30.0%*" "of the function under the cursor"
shot '/main<Enter>' --ignore=work app.json
like "$out" "*main*hottest line app.py:7, self 100.0%*" "as the filters have it"
shot 'p*' app.json
like "$out" "*hottest line app.py:3, self 60.0%*" "and of a module"
shot '' app.json
unlike "$out" "*hottest line*" "before a function is chosen there is none"
shot '/root<Enter>' a.folded
unlike "$out" "*hottest line*" "nor without lines"

# And the tooltips of an SVG, if that is asked for.
run "$FLAMETOP" --no-config --to=svg --hot-lines app.json
like "$out" "*<title>work (7 s, 70.00%)
hottest lines: app.py:3 60.0%, app.py:2 10.0% of all</title>*" "a tooltip names the hottest lines"
run "$FLAMETOP" --no-config --to=svg --hot-lines --ignore=work app.json
like "$out" "*<title>main (3 s, 100.00%)
hottest line: app.py:7 100.0% of shown</title>*" "as the filters have it"
run "$FLAMETOP" --no-config --to=svg app.json
unlike "$out" "*hottest*" "only if it is asked for"
printf 'events: Ir\nfn=worker\n1 6\n2 3\n' >no-file.callgrind
run "$FLAMETOP" --no-config --to=svg --hot-lines no-file.callgrind
like "$out" "*
hottest lines: line 1 66.7%, line 2 33.3% of all</title>*" "lines without a file have their number"
shot '/worker<Enter>' no-file.callgrind
like "$out" "*hottest line 1, self 66.7%*" "in the footer, too"
run "$FLAMETOP" --no-config --to=svg --hot-lines a.folded
exits 0 "a profile without lines is drawn"
says "*--hot-lines has no effect: the profile tells functions only*" "and why it has no lines is said"

# Names that contain lines.
printf 'main (app.py:6);work (app.py:2) 10\nmain (app.py:7);work (app.py:3) 40\nmain (app.py:7) 5\n' >spy.folded
printf 'app.py:6:main;app.py:2:work 10\napp.py:7:main;app.py:3:work 40\napp.py:7:main 5\n' >handler.folded
printf 'app.py:main:6;app.py:work:2 10\napp.py:main:7;app.py:work:3 40\napp.py:main:7 5\n' >austin.folded
printf 'main - app.py:6;work - app.py:2 10\nmain - app.py:7;work - app.py:3 40\nmain - app.py:7 5\n' >rbspy.folded
for f in spy handler austin rbspy; do
	lines --group=file $f.folded
	like "$out" "*app.py: self 55 100.0%*
   18.2%   18.2%       2
   72.7%   72.7%       3
           18.2%       6
    9.1%   81.8%       7" "$f: names of functions that contain a line tell executed ones"
done
lines --function='work (app.py:3)' spy.folded
like "$out" "*   72.7%   72.7%       3" "a function is still called as in the input"
printf 'main (a.js:6:1);work (a.js:2:3) 10\nmain (a.js:6:1);work (a.js:9:3) 40\n' >v8.folded
lines v8.folded
exits 1 "a line with a column is where the function begins"
printf 'main (app.py:6);work (app.py:2) 10\nmain (app.py:6) 40\n' >begin.folded
lines begin.folded
exits 1 "so may be one that is the same in all samples"

# The text of perf script: source lines, or offsets into functions.
cat >srcline.perf <<'END'
app 10/10 1.000000: 5 cpu-clock:
	            7f01 inlined_leaf (inlined)
  leaf.c:3
	            7f01 leaf+0x10 (/bin/app)
  leaf.c:7
	            7f06 main+0x26 (/bin/app)
  main.c:12

app 10/10 2.000000: 5 cpu-clock:
	            7f05 main+0x25 (/bin/app)
  main.c:11

END
lines --function=main srcline.perf
like "$out" "*main.c
   50.0%   50.0%      11
           50.0%      12" "perf script -F +srcline tells lines"
lines --function=inlined_leaf srcline.perf
like "$out" "*leaf.c
   50.0%   50.0%       3" "of inlined functions, too"
printf "app 10/11 1.0: 5 cycles:\n\t7f01 leaf (/bin/app)\n\n" >bare.perf
lines -f perf --function=main bare.perf
exits 1 "without offsets and source lines there are none"
if command -v cc >/dev/null && command -v nm >/dev/null && command -v addr2line >/dev/null; then
	printf 'int leaf(int n)\n{\n\treturn n * n;\n}\nint main(int n, char **v)\n{\n\t(void)v;\n\treturn leaf(n) +\n\t\tleaf(n + 1);\n}\n' >two.c
	cc -g -O0 -fno-pie -no-pie -o two two.c
	leaf=$(nm two | awk '$3 == "leaf" { print $1 }') main=$(nm two | awk '$3 == "main" { print $1 }')
	at() { addr2line -e two "$(printf '%x' $((0x$1 + $2)))" | sed 's/.*://; s/ .*//'; }
	# Loaded 3 pages further up. The caller's address is that behind its call.
	printf 'two 7/7 1.0: 5 cpu-clock:\n\t%16x leaf+0x6 (%s)\n\t%16x main+0x18 (%s)\n\n' \
		$((0x$leaf + 6 + 0x3000)) "$dir/two" $((0x$main + 24 + 0x3000)) "$dir/two" >offsets.perf
	lines --function=leaf offsets.perf
	like "$out" "*two.c
  100.0%  100.0%       $(at "$leaf" 6)" "offsets lead to lines"
	lines --function=main offsets.perf
	like "$out" "*100.0%       $(at "$main" 23)" "of callers, to the line of the call"
	sed 's/\(leaf+0x\)6/\17/' offsets.perf >moved.perf
	lines --function=leaf moved.perf
	like "$out" "*(the program is not here, or has no such function any more)
  100.0%  100.0%       -  line unknown" "a program that was built anew has no lines"
	run "$FLAMETOP" --no-config --screen=90x20 --view=instructions --function=leaf offsets.perf
	if command -v objdump >/dev/null; then
		like "$out" "*offset     instruction*100.0%*+*" "and to instructions"
	fi
else
	skip 4 "no compiler or binutils"
fi

# Formats of stacks with lines.
cat >threads.gdb <<'END'
Thread 1 (Thread 0x7f (LWP 12)):
#0  0x00007f3c1c0d1a17 in leaf (n=5) at leaf.c:30
#1  0x00007f3c1c0d1a17 in run (n=5) at /src/run.c:130
#2  0x00007f3c1c0d1a17 in main () from /lib/x.so

END
lines --function=run threads.gdb
like "$out" "*/src/run.c
*100.0%     130" "gdb"
cat >dump.jstack <<'END'
"worker-7" #41 daemon prio=5 os_prio=0 tid=0x00007f nid=0x1f runnable [0x00007f]
   java.lang.Thread.State: RUNNABLE
	at com.acme.Pool.borrow(Pool.java:55)
	at com.acme.Pool$1.run(Pool.java:15)
	at java.lang.Thread.run(Unknown Source)

"worker-8" #42 daemon prio=5 os_prio=0 tid=0x00007f nid=0x1f waiting on condition [0x00007f]
   java.lang.Thread.State: WAITING (parking)
	at com.acme.Pool.park(Pool.java:99)

END
lines --function=com.acme.Pool.borrow dump.jstack
like "$out" "*com/acme/Pool.java
  100.0%  100.0%      55" "a Java thread dump: the package is the directory"
lines --idle --function=com.acme.Pool.park dump.jstack
like "$out" "*50.0%   50.0%      99" "waiting threads have lines, too"
printf 'java.lang.Exception\n\tat com.acme.Pool.borrow(Pool.java:55)\n\tat com.acme.Main.main(Main.java:5)\n\n' >trace.txt
lines -f java-exceptions --function=com.acme.Main.main trace.txt
like "$out" "*com/acme/Main.java
          100.0%       5" "a Java exception"
cat >raw.go <<'END'
Samples:
samples/count cpu/nanoseconds
3 30: 1 2
2 20: 3 2
Locations
1: 0x1 M=1 main.hot /src/m.go:12 s=10
2: 0x2 M=1 main.main /src/m.go:30 s=25
3: 0x3 M=1 main.inl /src/m.go:5 s=4
             main.hot /src/m.go:13 s=10
Mappings
END
lines --function=main.hot raw.go
like "$out" "*   60.0%   60.0%      12
           40.0%      13" "Go's text, with inlined calls"
{
	printf 'Version: 2.9.6\nFile format: 4\nTRACE START [2024-03-01 10:00:00]\n'
	printf '1\t0\t0\t0.000100\t390000\t{main}\t1\t\t/srv/i.php\t0\t0\n2\t1\t0\t0.000250\t390100\tload\t1\t\t/srv/i.php\t3\t0\n'
	printf '2\t1\t1\t0.000400\t390100\n2\t3\t0\t0.000400\t390100\trequire\t1\t/srv/x.php\t/srv/i.php\t5\t0\n'
	printf '2\t3\t1\t0.000450\t390100\n1\t0\t1\t0.000500\t389000\n\t\t\t0.000500\t320000\nTRACE END   [2024-03-01 10:00:00]\n'
} >trace.xt
lines --function='{main}' trace.xt
like "$out" "*/srv/i.php
           37.5%       3
           12.5%       5*" "Xdebug: the lines of calls"

# Lines of every format in every output; with sanitizers, which are slow, in one of them.
crashed=
kinds='svg html lines'
for input in "$source"/tests/data/collapse/*/*.in; do
	tried=$kinds
	if [ -n "${TESTS_SANITIZED-}" ]; then
		tried=${kinds%% *}
		kinds="${kinds#* } $tried"
	fi
	for kind in $tried; do
		"$FLAMETOP" --no-config -q --to=$kind --hot-lines "$input" >/dev/null 2>&1
		[ $? -lt 128 ] || crashed="$crashed $kind:$input"
	done
done
is "$crashed" "" "no input crashes an output that has its lines"

# Lines under filters that take frames out: of those that are left, and with the callers and callees that are left.
cat >filtered.json <<'EOF'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"m","file":"a.py","line":10},
{"name":"foo","file":"a.py","line":20},{"name":"bar","file":"a.py","line":30},{"name":"m","file":"a.py","line":11}]},
"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":100,"samples":[[0,1,2],[3,2],[0,1,3,2]],"weights":[50,40,10]}]}
EOF
lines_of() { # function, options
	name=$1
	shift
	"$FLAMETOP" -q --no-config --screen=90x14 --keys=_ --view=lines --function="$name" "$@" filtered.json | sed -n '4,9s/  */ /gp'
}
for option in --hide=foo '--show=^(m|bar)$'; do
	like "$(lines_of bar "$option")" '*called from*m a.py:10*m a.py:11*' "$option: the callers of a function are those of the view"
	is "$(lines_of bar "$option" | grep -c foo)" 0 "and no others"
done
like "$(lines_of m --hide=foo --keys='<Enter>')" '*10 -*bar*' "so is what a line calls"
is "$(lines_of foo --callees=foo | grep -c 'called from')" 0 "--callees: the function has no caller"
like "$(lines_of m --callees=foo)" '*11*called from*foo a.py:20*' "and of a function on both sides, the line below it"
is "$(lines_of m --callees=foo | grep -c ' 10 ')" 0 "alone"
like "$(lines_of m --callers=foo)" '* 10 *' "--callers: the line above it"
is "$(lines_of m --callers=foo | grep -c ' 11 ')" 0 "alone"

# Names with lines are one function, in the heading and in the footer.
printf 'main;load (app.py:12) 5\nmain;load (app.py:13) 7\nmain;load (app.py:13);x 2\n' >named.folded
run "$FLAMETOP" --no-config --screen=110x14 '--keys=2a]' named.folded
is "$(echo "$out" | sed -n '2p; 12,13p')" "load (app.py)  self 12 85.7%, total 14 100.0%
load (app.py)
line 12: self 5 35.7%, total 5 35.7%" "names with lines: heading and footer speak of one function"


# A flame chart shows one profile: so do its lines, whichever side the widths are from.
printf 'f (a.c:1);g (a.c:5) 10\nf (a.c:2) 30\n' >after.folded
printf 'f (a.c:1);g (a.c:5) 1\nf (a.c:3) 2\n' >before.folded
for to in lines markdown json; do
	chart() { # options
		"$FLAMETOP" -q --no-config --flamechart "$@" --view=lines --function='f (a.c)' --to=$to after.folded | grep -v generator
	}
	chart --diff=before.folded >without
	chart --diff=before.folded --widths=before >swapped
	ok "--to=$to: the lines of a chart are those of the profile" cmp without swapped
done
run "$FLAMETOP" --no-config --diff=before.folded --keys='DDtk5' --screen=80x12 after.folded
prints "*without the baseline*self 30 75.0%, total 40 100.0%*" "so are those on the screen"
done_testing
