#!/bin/sh
# flametop record with stand-ins for dtrace and xctrace, which log their arguments and print what the real ones do.
. "$(dirname "$0")/../tap.sh"

unset PERF DTRACE XCTRACE
TMPDIR=$dir/temporary
export TMPDIR
mkdir "$TMPDIR"
cat >dtrace <<'END'
#!/bin/sh
# dtrace -o FILE -c CMD: runs the command, and appends the sums of the stacks.
printf '%s|' "$@" >arguments
out='' cmd='' last=''
for word; do
	case $last in
	-o) out=$word ;;
	-c) cmd=$word ;;
	esac
	last=$word
done
finish() {
	cat >>"$out" <<'STACKS'
CPU     ID                    FUNCTION:NAME
  1  64091                        :tick-1000ms 


              prog`leaf+0x5d
              prog`main+0x10e
                5

              prog`other+0x2
              prog`main+0x10e
                7

STACKS
	exit "${FAKE_STATUS-0}"
}
[ -z "${FAKE_EMPTY-}" ] || exit "${FAKE_STATUS-0}"
trap finish INT
$cmd
[ -z "${FAKE_WAITS-}" ] || { echo $$ >waiting; while :; do sleep 0.02; done; }
finish
END
cat >xctrace <<'END'
#!/bin/sh
# xctrace record --output makes a directory, xctrace export prints what is in it.
printf '%s|' "$@" >"arguments.$1"
if [ "$1" = export ]; then
	[ -z "${FAKE_EXPORT-}" ] || { echo "no such table" >&2; exit "$FAKE_EXPORT"; }
	exec cat "$3/Trace1.run/data"
fi
echo "Starting recording with the Time Profiler template."
trap 'exit 54' INT
mkdir -p "$5/Trace1.run"
cat >"$5/Trace1.run/data" <<'SAMPLES'
<?xml version="1.0"?>
<trace-query-result>
<node xpath='//trace-toc[1]/run[1]/data[1]/table[5]'><schema name="time-profile"/>
<row><sample-time id="1">100000000</sample-time><thread id="2" fmt="main  0x10 (shop, pid: 42)"/><backtrace id="10"><frame id="11" name="sell"/><frame id="13" name="main"/></backtrace></row>
<row><sample-time id="5">101000000</sample-time><thread ref="2"/><backtrace ref="10"/></row>
</node>
</trace-query-result>
SAMPLES
[ -z "${FAKE_WAITS-}" ] || { echo $$ >waiting; while :; do sleep 0.02; done; }
while [ "$1" != -- ]; do shift; done
shift
"$@"
END
chmod +x dtrace xctrace
nothing_left() { is "$(ls -A "$TMPDIR")" "" "$1"; }
# The arguments, with the private directory left out.
arguments() { sed "s:$TMPDIR/[^/]*/:DIR/:g" "$1"; }
dtrace() { DTRACE=$dir/dtrace run "$FLAMETOP" record "$@"; }
xctrace() { XCTRACE=$dir/xctrace run "$FLAMETOP" record "$@"; }

dtrace --to=folded -- echo hello
exits 0 "DTRACE in the environment asks for dtrace"
is "$(stacks_of .out)" 'prog`main;prog`leaf 5
prog`main;prog`other 7' "its stacks are shown"
says "*hello*" "the output of the command does not mix with them"
# shellcheck disable=SC2016 # D
is "$(arguments arguments)" '-x|ustackframes=100|-n|profile-997 /pid == $target || progenyof($target)/ { @[ustack(100)] = count(); }|-o|DIR/recording|-c|echo hello|' \
	"dtrace samples the command and what it starts"
nothing_left "nothing is left behind"
sleep 1000 &
other=$!
dtrace -q -F 49 --duration=1.5 -p $$,$other --to=folded
is "$(arguments arguments)" "-x|ustackframes=100|-n|profile-49 /pid == $$ || pid == $other/ { @[ustack(100)] = count(); } tick-1500ms { exit(0); }|-o|DIR/recording|-p|$$|-p|$other|" \
	"-F, --duration and -p become parts of its program"
kill $other
dtrace -q -a --duration=1 --to=folded
is "$(arguments arguments)" "-x|ustackframes=100|-n|profile-997 { @[stack(100), ustack(100)] = count(); } tick-1000ms { exit(0); }|-o|DIR/recording|" \
	"-a samples all processes, and the kernel"
dtrace -q --cmd='profile-9 { @[ustack()] = count(); }' -o x.folded -- true
is "$(arguments arguments)" "-x|ustackframes=100|-n|profile-9 { @[ustack()] = count(); }|-o|DIR/recording|-c|true|" \
	"--cmd is another program of dtrace"
dtrace --screen=80x10 -- true
prints "*leaf*" "the viewer shows the recording"
FAKE_EMPTY=1 dtrace -o x.folded -- true
exits 1 "without stacks it is a failure"
says "*flametop: dtrace left no samples*" "which is said"
FAKE_EMPTY=1 FAKE_STATUS=1 dtrace -o x.folded -- true
says "*flametop: dtrace failed with status 1 and left no samples*" "with the status of a dtrace that failed"
dtrace --zoom=nowhere -o x.folded -- true
says "*the recording is still there: flametop record --perfdata=perf-*.data" "a recording is kept if a later step fails"
run "$FLAMETOP" record --perfdata="$(echo perf-*.data)" --to=folded
is "$(stacks_of .out)" 'prog`main;prog`leaf 5
prog`main;prog`other 7' "and can be read again"
nothing_left "still nothing is left behind"

xctrace --to=folded -- echo hello
exits 0 "XCTRACE in the environment asks for xctrace"
is "$(stacks_of .out)" 'main;sell 2' "its stacks are shown"
says "*Starting recording*hello*" "its messages and the command's do not mix with them"
is "$(arguments arguments.record)" 'record|--template|Time Profiler|--output|DIR/recording.trace|--target-stdout|-|--launch|--|echo|hello|' \
	"xctrace launches the command"
is "$(arguments arguments.export)" 'export|--input|DIR/recording.trace|--xpath|/trace-toc/*/data/table[@schema="time-profile"]|' \
	"and exports its samples"
nothing_left "its directory is gone"
xctrace -o x.folded -- echo 'two words' "it's"
like "$(arguments arguments.record)" "*|echo|two words|it's|" "words of the command stay as they are"
FAKE_EXPORT=3 xctrace -o x.folded -- true
exits 1 "an export that fails is a failure"
says "*no such table
flametop: xctrace export failed with status 3" "which is said, below its own message"
nothing_left "also then"

interrupt() { # VARIABLE PROGRAM OPTIONS...
	name=$1 program=$2
	shift 2
	rm -f waiting x.folded
	env "$name=$program" FAKE_WAITS=1 "$FLAMETOP" record -o x.folded "$@" >.out 2>.err </dev/null &
	flametop=$!
	until_true test -s waiting
	kill -INT $flametop
	wait $flametop
	status=$?
	err=$(cat .err)
}
interrupt DTRACE "$dir/dtrace" -p $$
exits 0 "Ctrl-C ends dtrace"
like "$(cat x.folded)" "*leaf 5*" "and the stacks so far are written"
interrupt XCTRACE "$dir/xctrace" -p $$
exits 0 "Ctrl-C ends xctrace, which tells it by a status of its own"
like "$(cat x.folded)" "*sell 2*" "and its samples are written"
like "$(arguments arguments.record)" "*|--attach|$$|" "-p attaches it"
interrupt XCTRACE "$dir/xctrace" -a --duration=1000
like "$(arguments arguments.record)" "*|--time-limit|1000000ms|--all-processes|" "--duration and -a have their options, too"

refused() { # MESSAGE OPTIONS...
	message=$1
	shift
	run "$FLAMETOP" record "$@"
	is "$status $err" "2 flametop: $message" "refused: $*"
}
# Words that may be none are passed on as they are.
# shellcheck disable=SC2086
while read -r name option; do
	refused "$name does not go together with dtrace" --with=dtrace $option -- true
done <<END
-e -e cycles
--cgroup --cgroup=x
--off-cpu --off-cpu
--memory --memory
--io --io
--ptrace --ptrace
--idle -a --idle
--compression-level -z3
--keep-data --keep-data
END
refused "--tid does not go together with dtrace" --with=dtrace -t 1
refused "--call-graph, except fp, does not go together with dtrace" --with=dtrace --call-graph=dwarf -- true
refused "-F max does not go together with dtrace" --with=dtrace -F max -- true
refused "--freq does not go together with xctrace" --with=xctrace -F 99 -- true
refused "--cmd does not go together with xctrace" --with=xctrace --cmd=x -- true
refused "--root does not go together with xctrace" --with=xctrace --root -- true
refused "xctrace samples a single process (-p)" --with=xctrace -p 1,2
refused "xctrace samples a command or the whole system, not both" --with=xctrace -a -- true
refused "dtrace splits commands at blanks and knows no quotes: it cannot pass on 'a b' (a script that starts the command, or -p, does without)" \
	--with=dtrace -- echo 'a b'

run env PATH="$TMPDIR" "$FLAMETOP" record --with=xctrace -o x.folded -p $$
is "$status $err" "1 flametop: xctrace is not installed, or not in PATH" "a missing xctrace is named"
run env DTRACE="$dir/none" "$FLAMETOP" record -o x.folded -p $$
is "$status $err" "1 flametop: there is no program '$dir/none', which DTRACE names in the environment" \
	"as is one that DTRACE names"
rm -f arguments
run env DTRACE="$dir/dtrace" "$FLAMETOP" record --with=flametop --ptrace -q -o x.folded -- true
ok "--with says otherwise" [ ! -e arguments ]

done_testing
