#!/bin/sh
# The hot line of programs in Go, JavaScript and Python, recorded here by their own profilers.
. "$(dirname "$0")/../tap.sh"

flametop() { "$FLAMETOP" -q --no-config "$@"; }
share() { # FILE FUNCTION LINE COLUMN: percent of all, 0 if the line has none
	flametop --to=lines "--function=$2" "$1" | awk -v line="$3" -v column="$4" '
		/^ *[0-9.]*% / { n = split(substr($0, 1, 18), part, "%"); self = n > 2 ? part[1] : 0; total = n > 2 ? part[2] : part[1]
			if ($0 ~ "%  *" line "( |$)") { print (column == 1 ? self : total) + 0; found = 1 } }
		END { if (!found) print 0 }'
}
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

if command -v go >/dev/null && go version >/dev/null 2>&1; then
	cat >hot.go <<'END'
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
)

//go:noinline
func hot(table []int, n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += table[i&1023] / (i + 3) * (sum | 1)
	}
	return sum
}

func work(table []int) int {
	sum := 0
	for i := 0; i < 300; i++ {
		sum += hot(table, 1000000)
	}
	return sum
}

func main() {
	f, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(f)
	table := make([]int, 1024)
	for i := range table {
		table[i] = i * 7
	}
	fmt.Println(work(table))
	pprof.StopCPUProfile()
	f.Close()
}
END
	export GOCACHE="$dir/cache" PPROF_TMPDIR="$dir" GOTOOLCHAIN=local
	if go build -o hot hot.go >/dev/null 2>&1 && ./hot go.pb.gz >/dev/null && [ -s go.pb.gz ]; then
		ok "Go: the hot line has most of the time: $(share go.pb.gz main.hot 13 2) %" at_least "$(share go.pb.gz main.hot 13 2)" 60
		# pprof prints times, flametop shares: both of the same total.
		go tool pprof -list '^main\.' -unit=ms go.pb.gz 2>/dev/null >listed
		total=$(sed -n 's/^Total: \([0-9.]*\)ms$/\1/p' listed)
		for function in main.hot main.work main.main; do
			awk -v f="$function" '/^ROUTINE/ { is_it = $3 == f } is_it && $3 ~ /^[0-9]+:/ && ($1 != "." || $2 != ".") {
				sub(":.*", "", $3); print $3, $1 + 0, $2 + 0 }' listed >expected
			flametop --to=lines "--function=$function" go.pb.gz | awk -v total="$total" '/^ *[0-9.]+%/ {
				n = split(substr($0, 1, 18), part, "%"); self = n > 2 ? part[1] : 0; all = n > 2 ? part[2] : part[1]
				rest = substr($0, 19); split(rest, word, " "); printf "%d %.0f %.0f\n", word[1], self * total / 100, all * total / 100 }' >found
			# A share has one decimal.
			ok "each line of $function has the times of go tool pprof -list" awk -v total="$total" '
				NR == FNR { self[$1] = $2; all[$1] = $3; n++; next }
				{ m++; if (($2 - self[$1]) ^ 2 > (total / 1000 + 1) ^ 2 || ($3 - all[$1]) ^ 2 > (total / 1000 + 1) ^ 2) bad = 1 }
				END { exit bad || n != m || !n }' expected found
		done
	else
		skip 4 "Go does not build here"
	fi
else
	skip 4 "no Go here"
fi

if command -v node >/dev/null; then
	cat >hot.js <<'END'
function hot(table, n) {
	let sum = 0;
	for (let i = 0; i < n; i++)
		sum += Math.sqrt(table[i & 1023] / (i + 3)) % 7;
	return sum;
}
function work(table) {
	let sum = 0;
	for (let i = 0; i < 60; i++)
		sum += hot(table, 1000000);
	return sum;
}
console.log(work(Array.from({ length: 1024 }, (_, i) => i * 7)) > 0);
END
	if node --cpu-prof --cpu-prof-interval 500 --cpu-prof-name=hot.cpuprofile hot.js >/dev/null 2>&1 && [ -s hot.cpuprofile ]; then
		ok "JavaScript: the hot line has most of the time: $(share hot.cpuprofile hot 4 1) %" at_least "$(share hot.cpuprofile hot 4 1)" 50
		is "$(flametop --to=lines --function=hot hot.cpuprofile | sed -n '2s/.*self \([0-9.]* m*s\) .*/\1/p')" \
			"$(flametop --to=top --top=1000 hot.cpuprofile | awk '$NF == "hot" { print $1, $2; exit }')" "and the sum of the function is that of the table"
	else
		skip 2 "this node records no CPU profile"
	fi
else
	skip 2 "no node here"
fi

# As py-spy writes them: each frame with the line that runs.
if command -v python3 >/dev/null; then
	cat >hot.py <<'END'
import collections, signal, sys
stacks = collections.Counter()
def sample(_, frame):
    stack = []
    while frame:
        stack.append("%s (%s:%d)" % (frame.f_code.co_name, "hot.py", frame.f_lineno))
        frame = frame.f_back
    stacks[";".join(reversed(stack))] += 1
def cube(i):
    return (i % 7) ** 3
def hot(n):
    total = 0
    for i in range(n):
        total += cube(i) + cube(i + 1) + cube(i + 2) + cube(i + 3)
        total ^= i * 3
    return total
def work():
    for _ in range(60):
        hot(50000)
signal.signal(signal.SIGPROF, sample)
signal.setitimer(signal.ITIMER_PROF, 0.002, 0.002)
work()
signal.setitimer(signal.ITIMER_PROF, 0)
for stack, n in stacks.items():
    print(stack, n)
END
	python3 hot.py >python.folded
	# A signal is handled where a function begins, or a loop begins again: in what the line calls, or in the one below.
	hot='hot (hot.py:14)'
	ok "Python: the hot line has most of the time: $(share python.folded "$hot" 14 2) %" at_least "$(share python.folded "$hot" 14 2)" 50
	is "$(flametop --to=lines "--function=$hot" python.folded | awk '$0 ~ /%  *1[2345]( |$)/ { s += $(NF - 1) } END { print (s > 90) }')" 1 "and all of its lines are there"
else
	skip 2 "no Python here"
fi
done_testing
