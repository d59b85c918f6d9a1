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
lines --top=1 app.json
like "$out" "*work: self 7 s*" "without a function, the heaviest"
unlike "$out" "*main: *" "as many as --top says"
lines --function=main --ignore=work app.json
like "$out" "*main: self 3 s 100.0%, total 3 s 100.0%*" "filters apply"
lines --function=main --zoom='main;work' app.json
like "$out" "*main: self 3 s 30.0%*" "a zoom does not"
run "$FLAMETOP" --no-config --to=lines --function=nothing app.json
exits 1 "a function that is not there is an error"

# Comparison.
sed 's/\[1,2,4,3\]/[4,2,1,3]/' app.json >before.json
lines --function=work --diff=before.json app.json
like "$out" "*   10.0%   -30.0~   10.0%   -30.0~       2
   60.0%   +30.0~   60.0%   +30.0~       3*" "a comparison shows the change of each line"

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

# Which files are opened as sources. A name may lead anywhere.
source_is() { # name in the profile, pattern, name of the test
	sed "s|$dir/src/app.py|$1|g" app.json >named.json
	timeout 10 "$FLAMETOP" --no-config --to=lines --with-source --function=work named.json >.out 2>.err
	like "$? $(tr -d '\000' <.out)" "0 $2" "$3"
}
mkfifo pipe
source_is "$dir/pipe" "*not a regular file*" "a pipe is not opened"
source_is /dev/zero "*not a regular file*" "nor a device"
source_is "$dir/src" "*not a regular file*" "nor a directory"
source_is /proc/self/status "*not a source file*" "nor a file of the kernel"
ln -s /proc/self/status src/link.py
source_is "$dir/src/link.py" "*not a source file*" "nor by a link"
ln -s loop src/loop
source_is "$dir/src/loop" "*src/loop (*" "a link to itself is an error"
truncate -s 100M src/large.py
source_is "$dir/src/large.py" "*larger than 16 MB*" "a large file is not read"
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
lines --with-source --function=work --path-map="/build/x=$dir/moved" named.json
like "$out" "*x = 1*" "and --path-map by its beginning"
sed "s|$dir/src/app.py|../../../../../../../../etc/passwd|g" app.json >named.json
lines --with-source --function=work --source-path=moved named.json
unlike "$out" "*root:*" "no name leads out of a directory"

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
	run "$FLAMETOP" --no-config --screen=90x20 --keys="$keys" "$@"
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

done_testing
