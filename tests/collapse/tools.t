#!/bin/sh
# Files that profilers make here, read by flametop: its sums are those that each profiler reports itself.
. "$(dirname "$0")/../tap.sh"

sum() { # FILE OPTION...: of all counts, and the format that was recognised
	file=$1
	shift
	"$FLAMETOP" -q --no-config --to=folded "$@" "$file" 2>errors | awk '{ s += $NF } END { printf "%.0f", s }'
}
format() { "$FLAMETOP" -q --no-config --to=json "$1" 2>/dev/null | sed -n 's/.*"format":"\([^"]*\)".*/\1/p'; }
is_here() { command -v "$1" >/dev/null 2>&1; }

# A program that allocates and computes, always the same.
cat >work.c <<'END'
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
static volatile unsigned long sink;
__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) sink += (unsigned long)i * i; }
__attribute__((noinline)) char *keep(size_t n) { char *p = malloc(n); memset(p, 1, n); return p; }
__attribute__((noinline)) void drop(size_t n) { char *p = malloc(n); memset(p, 2, n); free(p); }
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20000;
	char *kept[50];
	for (int i = 0; i < 50; i++) { kept[i] = keep(1000 + (size_t)i); drop(500); hot(n); }
	printf("%d\n", kept[7][3]);
	return 0;
}
END
cc -g -O1 -fno-omit-frame-pointer -o work work.c || skip_all "no C compiler"

if is_here valgrind && valgrind --tool=callgrind --callgrind-out-file=cg.out ./work >/dev/null 2>&1; then
	is "$(format cg.out)" callgrind "callgrind: recognised"
	is "$(sum cg.out)" "$(sed -n 's/^totals: \([0-9]*\).*/\1/p' cg.out)" "the sum is that of its totals"
	valgrind --tool=dhat --dhat-out-file=dhat.out ./work >/dev/null 2>dhat.err
	is "$(format dhat.out) $(sum dhat.out)" "dhat $(sed -n 's/.*Total: *\([0-9,]*\) bytes.*/\1/p' dhat.err | tr -d ,)" "DHAT: all bytes"
	valgrind --tool=massif --massif-out-file=massif.out ./work >/dev/null 2>&1
	is "$(format massif.out) $(sum massif.out)" "massif $(awk -F= '/^mem_heap_B/ { b = $2 } /^heap_tree=peak/ { print b }' massif.out)" "massif: bytes at the peak"
else
	skip 4 "no valgrind that works here"
fi

if is_here heaptrack && heaptrack -o ht ./work >/dev/null 2>&1 && recorded=$(ls ht.* 2>/dev/null | head -1) && [ "$recorded" ]; then
	heaptrack_print -f "$recorded" -F costs --flamegraph-cost-type allocations >/dev/null 2>&1
	is "$(format "$recorded") $(sum "$recorded" --value=allocations)" "heaptrack $(awk '{ s += $NF } END { printf "%.0f", s }' costs)" "heaptrack: allocations"
	heaptrack_print -f "$recorded" -F costs --flamegraph-cost-type leaked >/dev/null 2>&1
	is "$(sum "$recorded" --value=leaked)" "$(awk '{ s += $NF } END { printf "%.0f", s }' costs)" "bytes that leaked"
else
	skip 2 "no heaptrack here"
fi

if is_here node; then
	cat >work.js <<'END'
const kept = [];
function keep(n) { kept.push(new Array(n).fill(7)); }
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
for (let i = 0; i < 300; i++) { keep(1000); hot(100000); }
globalThis.kept = kept; // only what is alive at the end is in the heap profile
END
	node --cpu-prof --cpu-prof-name=w.cpuprofile work.js && node --heap-prof --heap-prof-interval=16384 --heap-prof-name=w.heapprofile work.js
	is "$(format w.heapprofile) $(sum w.heapprofile)" "v8-head $(node -e '
		let s = 0, open = [JSON.parse(require("fs").readFileSync("w.heapprofile")).head];
		while (open.length) { const n = open.pop(); s += n.selfSize; open.push(...n.children); }
		console.log(s);')" "node --heap-prof: bytes"
	is "$(format w.cpuprofile) $(sum w.cpuprofile --idle)" "cpuprofile $(node -e '
		const p = JSON.parse(require("fs").readFileSync("w.cpuprofile"));
		console.log(p.endTime - p.startTime - p.timeDeltas[0]);')" "node --cpu-prof: time from the first sample to the end"
	if node --prof --no-logfile-per-isolate --logfile=v8.log work.js && node --prof-process --preprocess v8.log >v8log.json 2>/dev/null && [ -s v8log.json ]; then
		is "$(format v8log.json) $(sum v8log.json --idle)" "v8log $(node -e '
			const t = JSON.parse(require("fs").readFileSync("v8log.json")).ticks; console.log(t[t.length - 1].tm);')" "node --prof: time of the last tick"
	else
		skip 1 "this node does not preprocess its logs"
	fi
else
	skip 3 "no node here"
fi

if is_here go && go version >/dev/null 2>&1; then
	cat >work.go <<'END'
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var kept [][]byte

//go:noinline
func keep(n int) { kept = append(kept, make([]byte, n)) }

func main() {
	runtime.MemProfileRate = 4096
	for i := 0; i < 3000; i++ {
		keep(1000 + i)
	}
	runtime.GC()
	for _, name := range []string{"heap", "goroutine"} {
		for debug, suffix := range []string{"pb.gz", "txt"} {
			f, _ := os.Create(name + "." + suffix)
			pprof.Lookup(name).WriteTo(f, debug)
			f.Close()
		}
	}
	f, _ := os.Create("goroutines.txt")
	pprof.Lookup("goroutine").WriteTo(f, 2)
	f.Close()
}
END
	export GOCACHE="$dir/cache" GOTOOLCHAIN=local
	if go build -o gowork work.go >/dev/null 2>&1 && ./gowork; then
		is "$(format heap.txt) $(sum heap.txt --value=inuse_space)" "go-text $(sum heap.pb.gz --value=inuse_space)" "Go's heap as text is scaled like the binary one"
		is "$(sum heap.txt --value=alloc_objects)" "$(sum heap.pb.gz --value=alloc_objects)" "objects, too"
		is "$(format goroutine.txt) $(sum goroutine.txt)" "go-text $(sum goroutine.pb.gz)" "goroutines by stack"
		is "$(format goroutines.txt) $(sum goroutines.txt)" "goroutines $(grep -c '^goroutine ' goroutines.txt)" "and one by one"
	else
		skip 4 "Go does not build here"
	fi
else
	skip 4 "no Go here"
fi

if is_here strace && strace -k -T -o st.txt ./work >/dev/null 2>&1 && grep -q '^ > ' st.txt; then
	is "$(format st.txt) $(sum st.txt --value=calls)" "strace $(grep -c '^[a-z_0-9]*(' st.txt)" "strace -k: calls"
else
	skip 1 "no strace with stacks here"
fi

if is_here perf && perf record -q -F 997 -g -o perf.data ./work 4000000 >/dev/null 2>&1; then
	all=$(perf script -i perf.data -F time 2>/dev/null | grep -c '[0-9]')
	perf report -i perf.data --no-children -g folded,0,caller,function,count --stdio >report.txt 2>/dev/null
	is "$(format report.txt) $(sum report.txt)" "perf-report $all" "perf report -g folded: samples"
	if perf data convert --to-json=perf.json -i perf.data >/dev/null 2>&1; then
		is "$(format perf.json) $(sum perf.json)" "perf-json $all" "perf data convert --to-json: samples"
	else
		skip 1 "this perf converts to no JSON"
	fi
else
	skip 2 "no perf that may record here"
fi

if is_here ruby && ruby -e 'require "stackprof"' 2>/dev/null; then
	cat >work.rb <<'END'
require "stackprof"
require "json"
def hot(n) = (0...n).sum { |i| i * i % 7 }
p = StackProf.run(mode: :cpu, interval: 1000, raw: true) { 40.times { hot(100_000) } }
File.write("ruby.json", JSON.generate(p))
puts p[:samples] * 1000
END
	us=$(ruby work.rb)
	is "$(format ruby.json) $(sum ruby.json)" "stackprof $us" "stackprof: CPU time"
else
	skip 1 "no stackprof here"
fi
done_testing
