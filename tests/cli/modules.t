#!/bin/sh
# Modules and files as names: every way to ask for them gives the same weight, which awk adds up from the input.
. "$(dirname "$0")/../tap.sh"

data=$source/tests/data/collapse

# ---- perf script: what awk adds up from the text ----
cat >two.perf <<'END'
vim 7/7 [000] 1.000000: 10 cycles: 
	            1000 main+0x1 (/usr/bin/vim)

bash 8/8 [000] 1.100000: 20 cycles: 
	            1004 read+0x1 (/lib/libc.so.6)
	            1000 main+0x1 (/usr/bin/bash)

bash 8/8 [000] 1.200000: 30 cycles: 
	ffffffff81000000 vfs_read+0x1 ([kernel.kallsyms])
	            1004 read+0x1 (/usr/lib/libc.so.6 (deleted))
	            1000 main+0x1 (/usr/bin/bash)

bash 8/8 [000] 1.300000: 40 cycles: 
	            1008 inner+0x1 (inlined)
	            1008 outer+0x1 (/opt/lib/libpython3.11.so.1.0)
	            1004 read+0x1 (/lib/ld.so)
	            1000 [unknown] ([unknown])

bash 8/8 [000] 1.400000: 50 cycles: 
	            1008 lonely+0x1 (inlined)
	            1000 main+0x1 (/usr/bin/bash)

END

# Prints "module self total" of a text of perf script. An inlined function has the module of the function with its address.
cat >sums.awk <<'AWK'
function module_of(line, text) {
	sub(/.* \(/, "", line)
	if (line == "deleted))") {
		line = text
		sub(/ \(deleted\)\)$/, "", line)
		sub(/.* \(/, "", line)
		line = line ")"
	}
	sub(/\)$/, "", line)
	return line
}
function add_stack(i, seen, module, before, m, k) {
	split("", seen)
	module = "[unknown]"
	for (i = n; i; i--) {
		if (modules[i] != "inlined")
			module = modules[i]
		else if (i == n || addresses[i] != addresses[i + 1])
			module = "[unknown]"
		m = module
		sub(/.*\//, "", m)
		if (m == "[unknown]")
			m = "[unknown module]"
		if (!(m in seen))
			total[m] += weight
		seen[m] = 1
	}
	if (n)
		self[m] += weight
	n = 0
}
/^[^ \t]/ { add_stack(); weight = $(NF - 1) }
/^[ \t]/ { modules[++n] = module_of($0, $0); addresses[n] = $1 }
END {
	add_stack()
	for (m in total)
		printf "%s\t%d\t%d\n", m, self[m], total[m]
}
AWK

# Sums of folded stacks: all, by the last frame, or by the first.
all() { awk '{ s += $NF } END { printf "%d\n", s }'; }
by_leaf() { awk '!/^#/ { n = $NF; sub(/ [^ ]*$/, ""); sub(/.*;/, ""); s[$0] += n } END { for (m in s) printf "%s\t%d\n", m, s[m] }' | sort; }
by_root() { awk '!/^#/ { n = $NF; sub(/ [^ ]*$/, ""); sub(/;.*/, ""); s[$0] += n } END { for (m in s) printf "%s\t%d\n", m, s[m] }' | sort; }

agrees() { # FILE
	awk -f sums.awk "$1" | sort >expected
	cut -f 1,2 expected | awk -F '\t' '$2' >self
	"$FLAMETOP" -q --group=module --to=folded -o - "$1" | by_leaf >got
	ok "$1: --group=module gives each module its own weight" cmp self got
	"$FLAMETOP" -q --split=module --to=folded -o - "$1" | by_root >got
	ok "$1: so does --split=module" cmp self got
	"$FLAMETOP" -q --group=module --reverse --to=folded -o - "$1" | by_root >got
	ok "$1: and --reverse, where these are the roots" cmp self got
	cut -f 1 expected | while read -r module; do
		"$FLAMETOP" -q "--focus=module:(*NAME)$module" --to=folded -o - "$1" | all
	done >got
	ok "$1: --focus=module: keeps all stacks of a module" test "$(cut -f 3 expected)" = "$(cat got)"
}
agrees two.perf
awk '/inlined/ { next } { print }' two.perf >plain.perf
agrees plain.perf
if command -v zstd >/dev/null; then
	zstd -dqc "$source/examples/build.perf.zst" >build.perf
	sed 's/ cpu-clock:/ cpu-clock: /' build.perf | head -200000 >part.perf
	sed -i '$!b' part.perf
	awk 'NF == 0 { last = NR } { line[NR] = $0 } END { for (i = 1; i <= last; i++) print line[i] }' part.perf >example.perf
	agrees example.perf
else
	skip 4 "zstd is not installed"
fi

# ---- names merge unless modules are asked for ----
run "$FLAMETOP" -q --to=folded --hide='^(vim|bash)$' two.perf
is "$(echo "$out" | grep -c '^main')" 4 "functions of one name are one frame"
run "$FLAMETOP" -q --group=module --to=folded --hide='^(vim|bash)$' two.perf
prints '*bash;libc.so.6;?kernel.kallsyms? 30*' "by module, neighbours of one module are one frame"
run "$FLAMETOP" -q --group=module --to=folded two.perf
prints '*vim (process);vim 10*' "the frame of a task stays"
run "$FLAMETOP" --search=module:libpython --to=top two.perf
prints '*inner*' "a search for a module runs"
run "$FLAMETOP" --search=module:libpython --to=text --width=80 two.perf
prints '*/module:libpython/ 26.7% matched*' "and counts its stacks"
run "$FLAMETOP" '--search=module:^bash$' --to=text --width=80 two.perf
prints '*matched*' "the expression is about the module alone"
prints '*66.7% matched*' "although another module has functions of that name"

cat >same.perf <<'END'
app 7/7 [000] 1.000000: 1 cycles: 
	            1000 read+0x1 (/lib/libc.so.6)
	            1000 malloc+0x1 (/lib/libc.so.6)

app 7/7 [000] 1.000000: 2 cycles: 
	            1000 malloc+0x1 (/lib/ld.so)

app 7/7 [000] 1.000000: 4 cycles: 
	            1000 read+0x1 (/lib/libc.so.6)
	            1000 malloc+0x1 (/lib/ld.so)

END
run "$FLAMETOP" -q --to=folded --search=module:libc same.perf
is "$out" 'app;malloc 2
app;malloc;read 5' "folded stacks, which show no search, have each stack once"
run "$FLAMETOP" -q --to=folded --zoom='app' --search=module:libc same.perf
is "$out" 'app;malloc 2
app;malloc;read 5' "below a zoom, too"
run "$FLAMETOP" --to=text --width=80 --search=module:libc same.perf
prints '*71.4% matched in 3 frames*' "a picture has them apart"
for from in '' --reverse; do
	run "$FLAMETOP" -q --to=text --width=60 --view=sandwich --function=read --search=module:ld.so $from same.perf
	prints '*├*malloc 57.1%*┤├malloc─*' "and so has a sandwich $from"
	run "$FLAMETOP" -q --to=folded --view=sandwich --function=read --search=module:ld.so $from same.perf
	is "$out" 'app;malloc;read 5' "whose stacks are there once $from"
done
run "$FLAMETOP" --to=markdown --view=table --table-filter=^l --group=module same.perf
prints '*| module |*2 of 3 modules match*' "a table of modules is one as Markdown, too"

# ---- filters ----
view() { # expected, name, options...
	expected=$1
	name=$2
	shift 2
	run "$FLAMETOP" -q --to=folded "$@" two.perf
	is "$out" "$expected" "$name"
}
view 'vim;main 10' "--focus=module:" --focus=module:vim
view 'bash;[unknown];read;outer;inner 40
vim;main 10' "--ignore=module:, which has no functions of other modules" --ignore='module:^bash$'
view 'bash;[unknown];read;outer;inner 40
bash;lonely 50
bash;read 20
bash;read;vfs_read 30
vim;main 10' "--hide=module:" --hide='module:^bash$'
view 'read 50' "--show=module:" --show=module:libc --focus=module:libc
view 'read 20
read;vfs_read 30' "--show-from=module:" --show-from=module:libc
view 'bash;[unknown];read;outer;inner 40
bash;main;lonely 50' "an inlined function alone at its address is of an unknown module" \
	--focus='module:unknown'
run "$FLAMETOP" --to=folded --focus='module:a(b' two.perf
exits 2 "a bad expression is refused"
says "*bad pattern 'a(b'*" "and named"
printf 'module:x;a 1\nb 2\n' >odd.folded
run "$FLAMETOP" --to=folded --focus='^module:x' odd.folded
is "$out" "module:x;a 1" "^module: finds names that begin with it"
run "$FLAMETOP" --to=folded --focus='module:x' odd.folded
says "*matches no function*" "module: does not"

# ---- outputs name the kind of rows ----
run "$FLAMETOP" --group=module --to=top two.perf
prints '*frames  module*' "the table"
run "$FLAMETOP" --group=module --to=markdown --top=2 two.perf
prints '*| frames | module |*more modules not shown*' "the table in Markdown"
run "$FLAMETOP" --group=module --to=text --width=80 two.perf
prints '*by module*' "the picture in text"
run "$FLAMETOP" --group=file --to=svg two.perf
ok "the drawing" grep -q "nametype = .File:" .out
run "$FLAMETOP" --group=module --diff=plain.perf --to=markdown two.perf
prints '*modules changed by no more than*' "the comparison"
run "$FLAMETOP" --group=package --screen=80x12 two.perf
prints '*flame of packages*' "the viewer"
run "$FLAMETOP" --group=nothing two.perf
exits 2 "an unknown kind is refused"

# ---- what had a module in the middle, without modules ----
for keys in 3r 3pp; do
	run "$FLAMETOP" --group=module --view=sandwich --screen=80x12 "--keys=${keys}C" two.perf
	prints '*flametop --view=sandwich --function=[a-z]* two.perf*' "keys $keys: a function takes its place in the sandwich"
	run "$FLAMETOP" --group=module --view=sandwich --screen=80x12 "--keys=$keys" two.perf
	prints '*in    *self *total*' "keys $keys: with its figures"
done
run "$FLAMETOP" --ascii --screen=80x12 --keys=C two.perf
prints '*flametop --ascii two.perf*' "the command has --ascii if the screen has"
run "$FLAMETOP" --to=text '--hide=(*NAME)main' two.perf
prints '*hide main*' "a filter for a name is shown as that name"

# ---- formats ----
group() { # format, file, kind, expected, name
	run "$FLAMETOP" -q -f "$1" "--group=$3" --to=folded "$2"
	is "$out" "$4" "$5"
}
cat >a.dtrace <<'END'
CPU     ID                    FUNCTION:NAME
  0  64091                        :tick-60s


              genunix`syscall_mstate+0x5d
              unix`sys_syscall+0xf7
                3

              libc.so.1`read+0xa
              app`main+0x10
              app`_start+0x6c
                4

END
group dtrace a.dtrace module 'app;libc.so.1 4
unix;genunix 3' "dtrace: the name before the backtick"
cat >a.vtune.csv <<'END'
Function Stack,CPU Time:Self,Module
Total,0.0,[Unknown]
 _start,0.0,[Unknown]
  main,0.001,app
   read,0.002,libc.so.6
END
group vtune a.vtune.csv module '[unknown module];app 1
[unknown module];app;libc.so.6 2' "vtune: the column Module"
cat >a.sample <<'END'
Call graph:
    9 Thread_1
    + 9 main  (in app) + 1  [0x1]
    +   9 memmove  (in libsystem_platform.dylib) + 9  [0x2]

Total number in stack (recursive counted multiple, when >=5):
END
group sample a.sample module '[unknown module];app;libsystem_platform 9' "sample: the word after (in"
run "$FLAMETOP" -q -f sample --no-modules --group=module --to=folded a.sample
is "$out" '[unknown module];app;libsystem_platform 9' "sample: even where names go without it"
cat >a.speedscope.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"/srv/app.py","line":3},{"name":"get","file":"/srv/db.py","line":9},{"name":"get","file":"/srv/web.py"}]},
"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":3,"samples":[[0,1],[0,2],[0]],"weights":[1,2,4]}]}
END
group speedscope a.speedscope.json file '/srv/app.py 4
/srv/app.py;/srv/db.py 1
/srv/app.py;/srv/web.py 2' "speedscope: files, two of which have functions of one name"
group speedscope a.speedscope.json module 'app.py 4
app.py;db.py 1
app.py;web.py 2' "speedscope: a script is a module"
run "$FLAMETOP" -q -f speedscope --focus=file:^db --to=folded a.speedscope.json
is "$out" 'main;get 1' "file: matches the last part of a path alone, too"
cat >a.cpuprofile <<'END'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"run","url":"file:///srv/app.js","lineNumber":4},"children":[3]},
{"id":3,"callFrame":{"functionName":"read","url":"node:fs","lineNumber":9}}],
"startTime":0,"endTime":30,"samples":[2,3,3],"timeDeltas":[10,10,10]}
END
run "$FLAMETOP" -q -f cpuprofile --group=module --to=folded a.cpuprofile
is "$(echo "$out" | sed 's/ [0-9]*$//')" 'app.js
app.js;node:fs' "cpuprofile: scripts"
cat >a.jstack <<'END'
"main" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable [0x3]
   java.lang.Thread.State: RUNNABLE
	at org.acme.db.Pool.borrow(Pool.java:55)
	at org.acme.Main.main(Main.java:5)

END
group jstack a.jstack package '[unknown module];org.acme;org.acme.db 1' "jstack: packages"
run "$FLAMETOP" -q -f jstack --focus='module:^org.acme.db$' --to=folded a.jstack
is "$out" 'main;org.acme.Main.main;org.acme.db.Pool.borrow 1' "jstack: a package is a module"
cat >a.gdb <<'END'
Thread 1 (Thread 0x7f3c1b7fe640 (LWP 4242)):
#0  0x00007f3c1c0d1a17 in epoll_wait () from /lib/libc.so.6
#1  worker (arg=0x0) at src/worker.c:19
END
group gdb a.gdb module '[unknown module];libc.so.6 1' "gdb: from LIBRARY"
group gdb a.gdb file 'src/worker.c;[unknown file] 1' "gdb: at FILE:LINE"
group xctrace "$data/xctrace/basic.in" module '[unknown module] 3
[unknown module];shop 2' "xctrace: the element binary"
cat >a.elfutils <<'END2'
PID 2310 - process
TID 2310:
#0  0x00007f0000000001     read - /lib/libc.so.6
#1  0x0000000000400001 - 1 main - /usr/bin/app
END2
group elfutils a.elfutils module 'app;libc.so.6 1' "elfutils: the file behind the dash"
group pprof "$data/pprof/cpu.in" file '/src/main.go;/src/shop.go 10000000
/src/main.go;/src/shop.go;/src/d.go;/src/mem.s 30000000
/src/main.go;[unknown file] 20000000
[unknown file] 12' "pprof: files of functions"

group pprof "$data/pprof/labels.in" module 'app;libz.so.1 63000' "pprof: mappings"

# ---- C writes what was chosen ----
run "$FLAMETOP" --screen=200x12 --keys='pC' two.perf
prints '*flametop --group=module two.perf*' "C writes the group"
run "$FLAMETOP" --screen=300x12 --keys='p2jxC' two.perf
prints "*--ignore='module:(?NAME)libpython3.11.so.1.0' --group=module*" "and a filter for a module"
run "$FLAMETOP" --screen=200x12 --split=module --keys='C' two.perf
prints '*--split=module two.perf*' "and the split"
# Filters took all frames of a name out but those of one module: a search for modules still tells which one it is.
printf 'x 1/1 [000] 1.0: 19 cycles: \n\t7f00 e+0x1 (/lib/libx.so)\n\t7f01 c+0x1 (/lib/prog)\n\t7f02 e+0x1 (/lib/libc.so.6)\n\n' >twice.perf
for filter in --callees=c --callees=module:prog --hide=module:libc '--show=module:libx|^c$' --skip-after=c; do
	run "$FLAMETOP" "$filter" --search=module:libx --to=text twice.perf
	prints "*100.0% matched in 1 frame*" "$filter: the frame that is left is of its module"
	run "$FLAMETOP" "$filter" --search=module:libc --to=text twice.perf
	prints "*0.0% matched in 0 frames*" "$filter: and of no other"
done

# A path leads to the heaviest of the functions that a search keeps apart, in every output.
for stack in '10 alloc libc.so.6' '20 alloc libx.so' '5 z prog'; do
	# shellcheck disable=SC2086 # three words
	set -- $stack
	printf 'w 1/1 [0] 1.0: %s cycles: \n\t7f %s+0x1 (/l/%s)\n\t7e parse+0x1 (/l/prog)\n\n' "$@"
done >apart.perf
zoomed() { run "$FLAMETOP" --search=module:libc --zoom='w;parse;alloc' "$@" apart.perf; }
zoomed --to=text
prints "*57.1% of all*" "zoom among namesakes: text"
zoomed --screen=100x12
prints "*alloc  ?libx.so?*57.1% of all*" "zoom among namesakes: the screen"
zoomed --to=folded
is "$out" "w;parse;alloc 20" "zoom among namesakes: folded stacks"
says "*42.9% of cycles is left out by --zoom*" "zoom among namesakes: the rest is left out"
run "$FLAMETOP" --search=module:libc --to=folded apart.perf
is "$out" "w;parse;alloc 30
w;parse;z 5" "without a zoom, folded stacks have them as one"
run "$FLAMETOP" --screen=100x12 --keys='/module:libc<Enter>/<C-u><Enter>' apart.perf
prints "*alloc  ?several modules?*" "an empty search puts them together again"

# Only the lighter of two namesakes leads on.
for stack in '10 q p libb' '20 z - liba' '5 r - libb'; do
	# shellcheck disable=SC2086 # four words
	set -- $stack
	printf 'w 1/1 [0] 1.0: %s cycles: \n\t7f %s+0x1 (/x)\n' "$1" "$2"
	[ "$3" = - ] || printf '\t7f %s+0x1 (/x)\n' "$3"
	printf '\t7e e+0x1 (/lib/%s)\n\n' "$4"
done >ways.perf
lead() { run "$FLAMETOP" --search=module:lib "$@" ways.perf; }
lead --zoom='w;e;p' --screen=100x12
prints "*all > w > e > p*" "a path through the lighter one: the screen"
prints "*28.6% of all*" "a path through the lighter one: its weight"
lead --zoom='w;e;p' --to=text
prints "*zoom: w;e;p  28.6% of all*" "a path through the lighter one: text"
lead --cursor='w;e;p' --screen=100x12
prints "*
p  *28.6% of all*" "a path through the lighter one: the cursor"
lead --view=calls --expand='w;e;p' --screen=100x14
prints "* q*" "a path through the lighter one: an open row"
lead --screen=100x12 --keys='<Up><Up><Up>'
lead --zoom='w;e;r' --keys='I' --screen=100x12
prints "*r*14.3%*" "a path through the lighter one: still there when the tree is turned"

# Words, packages and files.
run "$FLAMETOP" --view=table --screen=120x12 apart.perf
prints "*alloc * several modules*" "the table: a frame that several modules share"
prints "*
alloc  ?several modules?*" "and the footer below it"
for pair in 'void foo::bar<int>()=foo' 'std::pair<int, x::y> foo::mk<q::r>(z::w)=foo' 'foo::operator bool() const=foo' \
	'unsigned long std::f<a>(b)=std' 'foo::bar()::{lambda(int)#1}::operator()(int) const=foo' 'tokio::x::y=tokio'; do
	printf 'zz;%s 1\n' "${pair%=*}" >one.folded
	run "$FLAMETOP" --group=package --to=folded one.folded
	prints "*;${pair##*=} 1" "the package of ${pair%=*}"
done
printf 'zz;python.py:foo:12 1\n' >one.folded
run "$FLAMETOP" --group=package --to=folded one.folded
like "$out" "?unknown module?*" "a line of a script is in no package"
cat >files.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a","file":"/src/a.c"},{"name":"b","file":"/src/b.c"}]},
"profiles":[{"type":"sampled","name":"x","unit":"none","startValue":0,"endValue":12,"samples":[[0,1],[0]],"weights":[7,5]}]}
END
for group in function file; do
	run "$FLAMETOP" --group=$group --search='file:^b\.c' --to=text files.json
	prints "*58.3% matched*" "--group=$group: a search for the last part of a path"
done
"$FLAMETOP" --screen=150x24 --keys="wsaved.folded<Enter>pC" - <apart.perf >.piped
out=$(cat .piped)
case $out in *"--group=module"*saved.folded*) tap_result 1 "modules: C does not name folded stacks" "$out" ;; *) tap_result 0 "modules: C does not name folded stacks" ;; esac

# A process named like its program is no part of the module.
sample() { # process, time, weight, function,module...
	printf '%s 1/1 [0] %s.0: %s cycles: \n' "$1" "$2" "$3"
	shift 3
	for frame; do printf '\t7f %s+0x1 (/l/%s)\n' "${frame%,*}" "${frame#*,}"; done
	echo
}
{
	sample prog 1 10 alloc,libc.so.6 main,prog
	sample prog 2 20 alloc,libx.so main,prog
	sample other 3 7 main,prog
	sample prog 4 3 sys,kern
} >process.perf
for group in function module; do
	run "$FLAMETOP" --group=$group --search=module:prog --to=text process.perf
	prints "*92.5% matched*" "--group=$group: a module with the name of a process"
done
run "$FLAMETOP" --group=module --to=top process.perf
prints "*37    92.50 *prog*" "its total is without the process"
run "$FLAMETOP" --group=module --screen=120x12 --keys='kx' process.perf
prints "*cycles 7 *without prog *" "x takes out the process"

# --function with a pattern for modules.
run "$FLAMETOP" --view=sandwich --function=/module:libx/ --to=text apart.perf
exits 0 "--function=/module:.../ finds a function"
prints "*alloc*" "--function=/module:.../: of that module"

# A process and a module of one name.
printf 'bash 1/1 [0] 1.0: 1 cycles:\n\t1 a (/bin/bash)\n\t2 m (/lib/libc.so)\n\nbash 1/1 [0] 2.0: 1 cycles:\n\t1 b (/lib/liby.so)\n\n' >namesakes.perf
is "$("$FLAMETOP" -q --group=module --to=top namesakes.perf | awk 'NR > 1 { sub(/.*  /, ""); print }' | sort | tr '\n' ,)" \
	"bash,bash (process),libc.so,liby.so," "a process is told from the module of its name"
run "$FLAMETOP" --group=module --view=table --screen=80x10 namesakes.perf
prints "*  bash (process)*" "on the screen as well"
is "$("$FLAMETOP" -q --group=module --to=folded namesakes.perf)" "bash (process);libc.so;bash 1
bash (process);liby.so 1" "and in folded stacks"
run "$FLAMETOP" -q --group=module --zoom=bash --to=text namesakes.perf
exits 0 "either is found without the mark"
run "$FLAMETOP" -q --to=top namesakes.perf
ok "by function, nothing is marked" sh -c '! grep -q process .out'

# Files are read back to the same stacks, whichever their format: no process becomes its module.
for process in db db-x dba; do
	for stack in 'm:libc f:%s' 'm:%s' 'm:liby f:%s m:libc'; do
		echo "$process 1/1 [0] 1.0: 1 cycles:"
		# shellcheck disable=SC2059 # the process is part of the format
		printf "$stack\n" $process | tr ' ' '\n' | sed 's,.*:\(.*\),\t1 f (/b/\1),'
		echo
	done
done >marked.perf
for by in module package; do
	for options in '' --sort=name --reverse --flamechart; do
		# shellcheck disable=SC2086 # options are words
		"$FLAMETOP" -q --no-config --group=$by $options --to=folded marked.perf >marked.out
		sed 's/ [0-9]*$//' marked.out | sort >marked.stacks
		is "$(grep -c '(process)' marked.out) $([ "$options" = --flamechart ] || uniq -d marked.stacks)" "9 " "--group=$by $options: each stack is one line"
		[ "$options" = --flamechart ] || ok "in their order" sh -c 'sed "s/ [0-9]*$//" marked.out | LC_ALL=C sort -c'
	done
	"$FLAMETOP" -q --no-config --group=$by --to=folded marked.perf | sort >marked.out
	for kind in folded speedscope.json firefox.json pb.gz html svg; do
		"$FLAMETOP" -q --no-config --group=$by --minwidth=0 -o "marked.$kind" marked.perf
		is "$("$FLAMETOP" -q --no-config --to=folded "marked.$kind" | grep -v '^#' | sort)" "$(cat marked.out)" "--group=$by: $kind returns the same stacks"
	done
	"$FLAMETOP" -q --no-config --group=$by -o marked.callgrind marked.perf
	ok "--group=$by: callgrind names the process and the module" sh -c 'grep -q "fn=([0-9]*) db$" marked.callgrind && grep -q "fn=([0-9]*) db (process)$" marked.callgrind'
done

# A function of the sandwich by its name on the screen, and a process that has a module's name, or none.
cat >process.perf <<'END'
db 1/1 [000] 1.0: 7 cycles:
	401000 main+0x10 (/bin/x)

app 1/2 [000] 2.0: 9 cycles:
	401000 run+0x10 (/bin/app)

END
for name in db 'db (process)'; do
	run "$FLAMETOP" --no-config --view=sandwich --group=module --function="$name" --to=text process.perf
	like "$out" "*db (process): self 0*total 7*" "$name is found among modules"
done
run "$FLAMETOP" --no-config --view=sandwich --group=module --function=app --to=text process.perf
like "$out" "*
app: self 9*" "a module goes before a process of its name"
run "$FLAMETOP" --no-config --view=sandwich --group=module --function='app (process)' --to=text process.perf
like "$out" "*app (process): self 0*total 9*" "which its mark names"

# Profiles of other programs have a function for each module and file, whatever merges the names in the view.
cat >parts.perf <<'END'
prog 10/10 [000] 1.0: 90 cycles:
	406200 fb+0x1 (/usr/bin/prog)
	406100 main+0x1 (/usr/bin/prog)

other 20/20 [000] 2.0: 10 cycles:
	406200 fb+0x1 (/usr/bin/other)
	406100 main+0x1 (/usr/bin/other)

END
sed 's/10 cycles/10 faults/' parts.perf >events.perf
cat >files.callgrind <<'END'
# callgrind format
events: cycles

ob=(1) prog
fl=(1) a.c
fn=(1) main
10 1
cfi=(1)
cfn=(2) fb
calls=1 20
11 5
cfi=(2) b.c
cfn=(3) fb
calls=1 30
12 7

fl=(1)
fn=(2)
20 5

fl=(2)
fn=(3)
30 7
END
cat >parts.speedscope.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main","file":"m.py","line":1},
{"name":"run","file":"a.py","line":10},{"name":"run","file":"b.py","line":20}]},"profiles":[{"type":"sampled","name":"x",
"unit":"milliseconds","startValue":0,"endValue":100,"samples":[[0,1],[0,2]],"weights":[10,90]}],"name":"x"}
END
sums() { "$FLAMETOP" -q --no-config --group="$1" --to=folded "$2" | grep -v '^#' | sort | tr '\n' ,; }
for kind in pb.gz callgrind firefox.json; do
	for with in '' --reverse --search=module:prog; do
		"$FLAMETOP" -q --no-config --base=main $with -o "parts.$kind" parts.perf
		is "$(sums module "parts.$kind")" "other 10,prog 90," "$kind $with: each module keeps its weight"
	done
	for with in '' --reverse; do
		"$FLAMETOP" -q --no-config --base=main --focus=module:prog $with -o "parts.$kind" parts.perf
		is "$(sums module "parts.$kind")" "prog 90," "$kind $with: the module of a filter is the one that is named"
	done
	"$FLAMETOP" -q --no-config --base=main --zoom='main;fb' -o "parts.$kind" parts.perf
	is "$(sums module "parts.$kind")" "[unknown module] 100," "$kind: a zoomed frame of several modules is of none of them"
done
for kind in pb.gz callgrind firefox.json speedscope.json; do
	"$FLAMETOP" -q --no-config -o "parts-out.$kind" parts.speedscope.json
	is "$(sums file "parts-out.$kind")" "m.py;a.py 10000000,m.py;b.py 90000000," "$kind: each file keeps its weight"
done
"$FLAMETOP" -q --no-config --base=main -o parts-out.speedscope.json parts.perf
is "$(grep -o '"name":"fb"' parts-out.speedscope.json | wc -l | tr -d ' ')" 1 "speedscope: frames have no modules, so a name is one frame"


# In JSON a name is one function, whose origin is that of all it stands for, in the words of the screen.
origin_of() { "$FLAMETOP" -q --no-config --to=json "$@" | grep -o "{\"name\":\"$name\",[^{]*\"self\"" | head -n 1; }
name=fb
is "$(origin_of --base=main parts.perf)" '{"name":"fb","module":"several modules","self"' "json: several modules"
is "$(origin_of --focus=module:prog parts.perf)" '{"name":"fb","module":"/usr/bin/prog","self"' "json: the one that a filter leaves"
for with in '' --reverse; do
	is "$(origin_of --base=main --focus=module:prog $with parts.perf)" '{"name":"fb","module":"/usr/bin/prog","self"' \
		"json ${with:-from the root}: also where --base has put stacks of both on one root"
	is "$(origin_of --base=main --event=cycles $with events.perf)" '{"name":"fb","module":"/usr/bin/prog","self"' \
		"json ${with:-from the root}: the one that the event has"
done
screen() { run "$FLAMETOP" --no-config --screen=100x14 "$@"; }
for keys in '' '2' '3' '4'; do
	screen --base=main --cursor='main;fb' --keys="$keys" parts.perf
	prints "*fb  ?several modules?*" "the footer names several modules (view ${keys:-1})"
	screen --base=main --focus=module:prog --cursor='main;fb' --keys="$keys" parts.perf
	prints "*fb  ?prog?*" "but one if a filter leaves one (view ${keys:-1})"
	screen --cursor='main;fb' --keys="$keys" files.callgrind
	prints "*fb  ?prog?  several files*" "it names several files of one module (view ${keys:-1})"
done
screen --cursor='main;fb' --keys=O files.callgrind
prints "*functions called fb are in several files*" "of which O opens none"
is "$(origin_of files.callgrind)" '{"name":"fb","module":"prog","source":"several files","self"' "as JSON does"
is "$(origin_of --focus=file:b.c files.callgrind)" '{"name":"fb","module":"prog","source":"b.c","self"' "one if a filter leaves one"
name=run
is "$(origin_of parts.speedscope.json)" '{"name":"run","module":"several modules","source":"several files","self"' "json: several files, and scripts are modules"

done_testing
