#!/bin/sh
# Functions of Python in recordings of running interpreters.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/calls.sh"

unset PERF
tools="$(dirname "$FLAMETOP")/tests/tools"
[ -x "$tools/language_samples" ] || skip_all "no tools of the tests"
command -v python3 >/dev/null || skip_all "no python3"
python3 -c 'import sys; sys.exit(not (3, 6) <= sys.version_info < (3, 15))' || skip_all "an unknown python3"
"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || skip_all "nothing can be sampled here: $(head -1 why)"

# Functions of some microseconds, each with one place from which it may be called.
cat >app.py <<'END'
import faulthandler, signal, sys, threading, time
faulthandler.register(signal.SIGUSR1, file=open(sys.argv[1], "wb", 0), all_threads=False)
end = time.time() + float(sys.argv[2])
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def numbers(n):
    for i in range(n):
        yield leaf(20) # numbers
class Box:
    def add(self):
        return sum(numbers(30)) # Box.add
    def key(self, x):
        return leaf(5) - x # Box.key
def deep(d):
    if not d:
        return leaf(50) # deep
    return deep(d - 1) + 1 # deep
def order(box):
    return sorted(range(100), key=box.key) # order
def other():
    while time.time() < end:
        other_leaf() # other
def other_leaf():
    return sum(range(1000))
def main():
    box = Box()
    while time.time() < end:
        box.add() # main
        deep(30) # main
        order(box) # main
if len(sys.argv) > 3:
    threading.Thread(target=other, daemon=True).start()
main() # <module>
END

# Who calls whom, where the name of the caller stands in the line.
cat >legal <<'END'
leaf numbers
numbers Box.add
Box.add main
leaf Box.key
Box.key order
leaf deep
deep deep
deep main
order main
main <module>
other_leaf other
END

# ---- exact stacks at stops, by what Python itself prints ----

python3 app.py dump 60 & pid=$!
timeout 60 sh -c 'until [ -e dump ]; do sleep 0.1; done; sleep 0.5'
"$tools/language_stacks" "$pid" 60 10 >ours 2>ours.err
if [ ! -s ours ]; then
	kill "$pid"
	skip_all "the memory of processes cannot be read here: $(head -1 ours.err)"
fi
awk -F '\t' '{ line = ""; for (i = 2; i <= NF; i++) { split($i, f, ":"); sub(/\*/, "", f[3]); sub(/.*\./, "", f[1]);
	if (f[1] != "") line = line " " f[1] ":" f[3] } print line }' ours >ours.stacks
awk '/most recent call first/ { if (n++) print line; line = "" } /File "/ { sub(/.*line /, ""); split($0, f, " in ");
	sub(/.*\./, "", f[2]); line = line " " f[2] ":" f[1] } END { print line }' dump | sed 's/ <interpreter trampoline>:[^ ]*//' >python.stacks
same="$(paste -d '|' ours.stacks python.stacks | awk -F '|' '$1 == $2' | wc -l)"
if kill -0 "$pid" 2>/dev/null; then
	ok "all stacks at 60 stops are those that Python prints ($((same + 0)))" [ "$same" = 60 ]
else
	skip 1 "the faulthandler of this python3 has crashed"
fi
kill "$pid" 2>/dev/null
wait "$pid" 2>/dev/null

# ---- recordings ----

python3 app.py dump 6 two >out & pid=$!
sleep 0.5
run "$FLAMETOP" record -q -p "$pid" -F 999 --duration 3 --keep-data -o program.folded
ok "a running interpreter is recorded" [ "$status" = 0 ]
ok "functions of Python follow each other" grep -qE ';main;order;(Box.)?key' program.folded
"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
ok "all has functions of the interpreter between them" grep -qE ';main;order;.+;(Box.)?key' all.folded
ok "loops of the interpreter are replaced" sh -c '[ "$(grep -c "order;_PyEval_EvalFrameDefault" all.folded)" = 0 ]'
"$FLAMETOP" -q -o again.folded perf.data
ok "a saved recording shows the same again" cmp program.folded again.folded
"$FLAMETOP" -q --frames=language --to=folded perf.data >language.folded
ok "language alone has the functions of Python" grep -qE '^[^;]*;<module>;main;deep;deep' language.folded
ok "and no others" sh -c '! grep -q "_PyEval\|_start\|PyObject" language.folded'
"$FLAMETOP" -q --frames=native --to=folded perf.data >native.folded
ok "native alone has the loops" grep -q '_PyEval_EvalFrameDefault' native.folded
ok "and no functions of Python" sh -c '! grep -qE ";(main;order|<module>)" native.folded'
"$FLAMETOP" --screen=100x24 --keys=PP perf.data >screen 2>/dev/null
ok "P twice in the viewer shows the language alone" grep -q 'only functions of the language' screen
weigh() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
is "$(weigh language.folded) $(weigh native.folded) $(weigh all.folded)" "$(weigh program.folded) $(weigh program.folded) $(weigh program.folded)" "no choice loses weight"
"$tools/language_samples" perf.data >samples 2>how
check_calls app.py samples legal "all calls are ones that the source has"
wait "$pid" 2>/dev/null
awk -F '\t' '{ other[$2] += /other_leaf/; own[$2] += /leaf:.*numbers/ }
	END { for (tid in own) { n_other += other[tid] > 0; n_own += own[tid] > 0; n_both += other[tid] && own[tid] }
		print n_own + 0, n_other + 0, n_both + 0 }' samples >threads
is "$(cat threads)" "1 1 0" "each thread has its own functions"
"$FLAMETOP" -q --split=label:gil --to=folded perf.data >gil.folded
ok "samples tell who holds the lock" grep -q 'gil=held' gil.folded

run "$FLAMETOP" record -q --call-graph=fp -o cmd.folded -- python3 app.py dump 1
ok "a command is recorded with its functions" grep -q ';main;deep;deep' cmd.folded
run "$FLAMETOP" record -q --languages=none --call-graph=fp -o none.folded -- python3 app.py dump 1
ok "--languages=none leaves them out" sh -c '! grep -q ";deep;deep" none.folded'
# Readers need files of their own; who may open too few gets the functions of none, or of some processors, and is told.
python3 app.py dump 60 & pid=$!
sleep 0.5
told="" shown=""
for n in 5 6 7 8 9 10 11 12 13 14 15 16; do
	for kind in S S S H; do # on a busy machine, the first recordings may have no samples
		[ "$kind$n" != "$shown" ] || continue
		(
			# shellcheck disable=SC3045 # dash, bash, ksh and busybox have both limits
			ulimit -Sn "$n"
			# shellcheck disable=SC3045
			[ "$kind" = S ] || ulimit -Hn "$n"
			exec timeout 20 "$FLAMETOP" sample --call-graph=fp -F 997 --duration 0.2 -o few.data -p "$pid"
		) 2>few.err
		status="$?"
		"$tools/language_samples" few.data 2>few.how | grep -q '^[SM]' && shown=$kind$n && continue
		[ "$kind" = H ] && grep -q 'functions of interpreters are not shown\|Too many open files\|may be open\|cannot' few.err few.how && continue
		told="$told $kind$n:$status"
	done
	[ "$shown" != "S$n" ] || told=$(printf '%s' "$told" | sed "s/ S$n:[0-9]*//g")
done
kill "$pid"
wait "$pid" 2>/dev/null
is "$told" "" "with few files, functions of Python are there, or it is said that they are not"

# Threads have other numbers in a namespace than outside of it.
if unshare --pid --fork true 2>/dev/null && [ -e "/proc/$$/task/$$/children" ]; then
	unshare --pid --fork python3 app.py inside 60 >/dev/null 2>&1 & outer=$!
	timeout 60 sh -c 'until [ -e inside ]; do sleep 0.1; done'
	read -r inner _ <"/proc/$outer/task/$outer/children"
	run "$FLAMETOP" record -q -p "$inner" -F 999 --duration 1 --call-graph=fp -o inside.folded
	ok "threads in a namespace of their own have them, too" grep -q ";<module>;main;" inside.folded
	kill -KILL "$inner"
	wait "$outer" 2>/dev/null
else
	skip 1 "no namespaces can be made here"
fi

cat >twice.py <<'END'
import os, sys, time
def before():
    end = time.time() + 0.7
    while time.time() < end:
        sum(range(1000))
before()
os.execv(sys.executable, [sys.executable, "app.py", "dump", "1.5"])
END
run "$FLAMETOP" record -q --ptrace -o traced.folded -- python3 twice.py
if [ "$status" = 0 ]; then
	ok "threads that ptrace stops have them, too" grep -q ';<module>;before' traced.folded
	ok "also those of an interpreter that takes the place of another one" awk '
		/;<module>;before/ { before += $NF } /;<module>;main;/ { main += $NF } END { exit main * 2 <= before }' traced.folded
else
	skip 2 "ptrace is not possible here: $(head -1 err)"
fi
# The beginning of a program may be on a processor that has no sample for long. Its records do not wait for one.
late=0
for _ in 1 2 3 4; do
	"$FLAMETOP" sample -q -o late.data -- python3 -c 'sum(range(10**7))'
	run "$FLAMETOP" --no-config --to=folded late.data
	case $err in *"came later"*) late=$((late + 1)) ;; esac
done
is "$late" 0 "records of processors without samples come in time"

done_testing
