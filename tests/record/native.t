#!/bin/sh
# Recordings of the real perf, read without it and through perf script: the same stacks.
. "$(dirname "$0")/../tap.sh"

PERF=$(command -v perf) || skip_all "perf is not installed"
export PERF
command -v cc >/dev/null || skip_all "no compiler"
"$PERF" record -q -e cpu-clock:u -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
"$PERF" script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"

# Names of its own: those of a library may be several at one address.
cat >work.cc <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
namespace deep {
template <class T> __attribute__((noinline)) T spin(T n) { volatile T x = 0; for (T i = 0; i < n; i++) x = x + i; return x; }
struct Worker { __attribute__((noinline)) long run(int times) { long s = 0; for (int i = 0; i < times; i++) s += spin<long>(3000000) & 1; return s; } };
}
__attribute__((noinline)) int again(int n) { int r = n ? again(n - 1) : (int)deep::spin<int>(120000000); asm volatile("" : "+r"(r)); return r + 1; }
static void *thread(void *) { deep::Worker w; w.run(9); return nullptr; }
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, thread, nullptr);
	if (fork() == 0) { again(5); _exit(0); }
	again(2);
	wait(nullptr);
	pthread_join(t, nullptr);
	return 0;
}
END
c++ -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o work work.cc 2>/dev/null || skip_all "no C++ compiler"

same() { # WORDS OPTIONS... INPUT
	words=$1
	shift
	case $* in *--inline*) ;; *) set -- --no-inline "$@" ;; esac # perf script of old takes hours with them
	"$FLAMETOP" --to=folded --symbolizer=native "$@" 2>said.ours | grep -E '(^|;)again|deep::|;spin_o' | sed 's/^.*\(again\|thread\|spin_off\)/\1/' | sort >ours
	"$FLAMETOP" --to=folded --symbolizer=perf "$@" 2>said.theirs | grep -E '(^|;)again|deep::|;spin_o' | sed 's/^.*\(again\|thread\|spin_off\)/\1/' | sort >theirs
	ok "$words: the same stacks" cmp -s ours theirs || diff ours theirs | head -5 >&2
	ok "$words: there are some" test -s ours
}

record() { # WORDS OPTIONS...
	words=$1
	shift
	"$PERF" record -q -F 499 "$@" -- ./work >/dev/null 2>&1 && return
	skip 1 "$words: perf does not record that here"
	return 1
}

record "call chains" -e cpu-clock:u -g -o a.data && same "$words" a.data
record "one event twice" -e cpu-clock:u -e cpu-clock:u -e cpu-clock:uH -g -o t.data && {
	"$FLAMETOP" --to=folded --split=event t.data 2>/dev/null | sed 's/;.*//' | sort -u >ours
	ok "$words: each is one of its own" sh -c 'grep -qx cpu-clock:u ours && grep -qx "cpu-clock:u #2" ours && grep -qx cpu-clock:uH ours'
}
"$PERF" record -q --threads -e cpu-clock:u -g -o threads -- ./work >/dev/null 2>&1 && [ -d threads ] && {
	run "$FLAMETOP" --to=folded threads
	exits 1 "a directory of recordings is refused"
	says "*threads: a directory of perf record --threads (perf script*" "with the command that helps"
}
"$PERF" record -q -e cpu-clock:u -g -o - -- ./work 2>/dev/null >pipe.data && {
	cat pipe.data pipe.data >joined
	run "$FLAMETOP" --to=folded joined
	says "*another recording begins here*" "of joined recordings the second one is not lost silently"
}
gzip -c a.data >a.gz && same "compressed" a.gz
record "packed by perf" -e cpu-clock:u -g -z -o b.data && same "$words" b.data
record "several events" -e page-faults:u,cpu-clock:u -g -o c.data &&
	same "$words, one of them" --event=cpu-clock c.data &&
	same "$words, read alone" --event-filter=cpu-clock c.data
record "all processors" -e cpu-clock:u -a -g -o d.data && same "$words" d.data
record "no call chains" -e cpu-clock:u -o e.data && same "$words" e.data
record "build ids in maps" -e cpu-clock:u -g --buildid-mmap -o f.data && same "$words" f.data
# The kernel that runs here is the recorded one, also if the files of the recording are elsewhere.
mkdir empty
for how in --buildid-all --buildid-mmap; do
	record "the kernel, $how" -e cpu-clock -g $how -o kernel.data || continue
	nameless() { "$FLAMETOP" -q --to=folded --symbolizer=native "$@" kernel.data | grep -c '\[\[kernel.kallsyms\]\]'; }
	is "$(nameless --symfs=empty)" "$(nameless)" "$words: --symfs leaves the kernel its names"
done
record "a fixed period" -e cpu-clock:u -c 1000000 -g -o h.data && same "$words" h.data
same "without callers of a function" --skip-after=again a.data
same "with threads" --tid --all --addrs a.data

"$PERF" record -q -F 499 -e cpu-clock:u -g -o - -- ./work 2>/dev/null >pipe.data
"$FLAMETOP" --to=folded - <pipe.data >ours 2>/dev/null
# shellcheck disable=SC2002 # a pipe is the point
cat pipe.data | "$FLAMETOP" --to=folded - >piped 2>/dev/null
ok "a recording from a pipe is read as from a file" cmp -s ours piped
ok "and has the program's functions" grep -q 'again;again.*;int deep::spin<int>\|again;again.*;deep::spin<int>' piped

record "dumps of stacks" -e cpu-clock:u --call-graph dwarf,4096 -o g.data && {
	same "$words" g.data
	PERF=$dir/nowhere "$FLAMETOP" --to=folded g.data >ours 2>said
	ok "$words are unwound without perf" grep -q ';main;again;again;again;deep::spin<int>' ours
	ok "of which nothing is said" test ! -s said
	# shellcheck disable=SC2002 # a pipe is the point
	cat g.data | "$FLAMETOP" --to=folded - >piped 2>said
	ok "and out of a pipe" cmp -s ours piped
}
record "dumps of stacks, the kernel's part of them" -e cpu-clock --call-graph dwarf,4096 -o h.data && same "$words" h.data
record "dumps that are too small" -e cpu-clock:u --call-graph dwarf,64 -o i.data && {
	"$FLAMETOP" --to=folded i.data >ours 2>said
	ok "$words: stacks are cut, which is said" grep -q 'stacks are cut.*: record with --call-graph dwarf,128' said
	ok "and is the function at work still there" grep -q 'spin' ours
}
# Of C functions, whose names have no parameters.
cat >inlined.c <<'END'
#define INLINE static inline __attribute__((always_inline))
INLINE long twice(long x) { for (volatile int i = 0; i < 40; i++) x += i; return x * 2; }
INLINE long step(long x) { return twice(x) + 1; }
__attribute__((noinline)) long spin_on(long n) { long x = 1; for (long i = 0; i < n; i++) x = step(x); return x; }
__attribute__((noinline)) long spin_off(long n) { return step(n) + spin_on(n) + twice(n); }
int main(void) { return spin_off(3000000) == 7; }
END
cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work inlined.c
has_libdw=
record "inlined calls" -e cpu-clock:u -g -o j.data && {
	"$FLAMETOP" --to=folded --symbolizer=native --inline j.data >ours 2>said
	if grep -q 'built without libdw' said; then
		skip 5 "$words: built without libdw"
	else
		ok "$words are found" grep -q ';main;spin_off;spin_on;step;twice ' ours
		PERF=$dir/nowhere "$FLAMETOP" --to=folded --inline j.data >piped 2>said
		ok "$words are found without perf" cmp -s ours piped
		"$FLAMETOP" --to=folded --skip-after=step --inline j.data >ours 2>said
		ok "$words: one of them may end the stack" grep -q '^step;twice ' ours
		command -v addr2line >/dev/null && same "$words, as perf has them" --inline j.data
		has_libdw=1
	fi
	"$FLAMETOP" --to=folded --no-inline j.data >ours 2>said
	ok "$words can be left out" grep -q ';main;spin_off;spin_on ' ours
	[ "$has_libdw" ] && {
		"$FLAMETOP" --to=folded j.data >ours 2>said
		ok "$words are shown by default" grep -q ';main;spin_off;spin_on;step;twice ' ours
		ok "without a message" test ! -s said
		"$FLAMETOP" --to=folded - <j.data >piped 2>said
		ok "also of standard input" cmp -s ours piped
	}
}
[ "$has_libdw" ] && command -v addr2line >/dev/null &&
	record "inlined calls of unwound stacks" -e cpu-clock:u --call-graph dwarf,4096 -o k.data && same "$words" --inline k.data
run "$FLAMETOP" --to=folded --symbolizer=perf a.data
exits 0 "perf script may be asked for"
PERF=$dir/nowhere run "$FLAMETOP" --to=folded --symbolizer=perf a.data
exits 1 "and is needed then"
PERF=$dir/nowhere run "$FLAMETOP" --to=folded a.data
exits 0 "else it is not"

# flametop record reads the recording itself.
of_record() { # OPTIONS... -> said, stacks
	"$FLAMETOP" record -v -F 499 -e cpu-clock:u -o "$@" -- ./work >said 2>&1
}
same_stacks() {
	grep -v '^#' r.folded | sort >one
	sort again.folded >two
	[ -s one ] && cmp -s one two
}
of_record r.folded --call-graph=dwarf,4096 --keep-data
ok "record needs no perf script" sh -c '! grep -q "perf script" said'
"$FLAMETOP" --to=folded perf.data 2>/dev/null >again.folded
ok "its stacks are those of its file" same_stacks
of_record s.folded --call-graph=fp --symbolizer=perf
ok "--symbolizer=perf: it does" grep -q "perf script" said
of_record s.folded --call-graph=fp --srcline
ok "for source lines, too" grep -q "perf script" said
"$FLAMETOP" record -F 499 -e cpu-clock:u -o r.folded --keep-data --cmd='record -e cpu-clock:u' -- ./work >said 2>&1
"$FLAMETOP" --to=folded perf.data 2>/dev/null >again.folded
ok "samples without call chains count" same_stacks

done_testing
