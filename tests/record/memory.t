#!/bin/sh
# --memory: who asks for memory, and touches it, in bytes.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
cat >takes.c <<'END'
#include <stdlib.h>
#include <string.h>
static void *volatile kept;
__attribute__((noinline)) void big(void) { kept = malloc(1 << 20); memset(kept, 1, 1 << 20); }
__attribute__((noinline)) void small(void) { for (int i = 0; i < 500; i++) { kept = malloc(100); if (i % 2) free(kept); } }
__attribute__((noinline)) void table(void) { kept = calloc(1000, 64); }
__attribute__((noinline)) void grow(void) { kept = realloc(kept, 200000); }
__attribute__((noinline)) void begin(void) { void *volatile none = NULL; kept = realloc(none, 3000); }
__attribute__((noinline)) void aligned(void) { void *p; if (posix_memalign(&p, 64, 5000) == 0) kept = p; }
__attribute__((noinline)) void slightly(void) { void *p; if (posix_memalign(&p, 16, 700) == 0) kept = p; kept = aligned_alloc(16, 304); }
int main(void) { for (int i = 0; i < 4; i++) { big(); small(); table(); grow(); begin(); aligned(); slightly(); } return 0; }
END
cc -O0 -g -fno-omit-frame-pointer -o takes takes.c || skip_all "no C compiler"
"$FLAMETOP" sample -q --memory --call-graph=fp -o memory.data -- ./takes 2>why || skip_all "nothing can be sampled here: $(head -1 why)"

of() { # WORD FILE EVENT
	"$FLAMETOP" -q --to=folded --event="$3" "$2" 2>/dev/null | awk -v w="$1" 'index($0, w) { s += $NF } END { printf "%.0f", s }'
}

ok "as many pages are counted as were touched" [ "$(of '' memory.data touched-bytes)" -ge 4194304 ]
if [ "$(of '' memory.data malloc-bytes)" -gt 0 ]; then
	is "$(of ';big;' memory.data malloc-bytes)" 4194304 "malloc is counted to the byte, under its caller"
	is "$(of ';small;' memory.data malloc-bytes)" 200000 "small pieces, too"
	is "$(of ';table;' memory.data malloc-bytes)" 256000 "calloc"
	is "$(of ';grow;' memory.data malloc-bytes)" 800000 "realloc"
	is "$(of ';begin;' memory.data malloc-bytes)" 12000 "realloc of nothing goes on to malloc, and counts once"
	is "$(of ';aligned;' memory.data malloc-bytes)" 20000 "posix_memalign"
	is "$(of ';slightly;' memory.data malloc-bytes)" 4016 "for small alignments it goes on to malloc, and counts once"
	if musl-gcc -O0 -g -static -fno-omit-frame-pointer -fno-builtin -o musl takes.c 2>/dev/null && ./musl; then
		"$FLAMETOP" sample -q --memory --call-graph=fp -o musl.data -- ./musl
		is "$(of ';table;' musl.data malloc-bytes)" 256000 "in musl, calloc calls malloc, and counts once"
		is "$(of ';grow;' musl.data malloc-bytes)" 800000 "so does realloc"
		is "$(of ';aligned;' musl.data malloc-bytes)" 20000 "and posix_memalign"
		is "$(of ';small;' musl.data malloc-bytes)" 200000 "malloc itself counts"
	else
		skip 4 "no musl-gcc"
	fi
	cat >fails.c <<'END'
#include <stdint.h>
#include <stdlib.h>
static void *volatile kept;
static volatile size_t sizes[] = {(size_t)1 << 48, INT64_MAX, (size_t)1 << 63, SIZE_MAX};
__attribute__((noinline)) void fail(void) { for (int i = 0; i < 4; i++) { kept = malloc(sizes[i]); kept = realloc(kept, sizes[i]); kept = calloc(sizes[i], 3); } }
__attribute__((noinline)) void last(void) { free(malloc(((size_t)1 << 48) - 1)); kept = malloc(100); }
int main(void) { fail(); last(); return 0; }
END
	cc -O0 -g -fno-omit-frame-pointer -fno-builtin -w -o fails fails.c
	"$FLAMETOP" sample --memory --call-graph=fp -o fails.data -- ./fails 2>said
	is "$(of ';fail;' fails.data malloc-bytes)" 0 "calls that must fail for their size are left out, whatever it is"
	is "$(of ';last;' fails.data malloc-bytes)" 281474976710755 "others count"
	like "$(cat said)" "*calls for 2^48 bytes or more, which fail, are left out: 12*" "which is told"
	cat >wraps.c <<'END'
#include <stdlib.h>
extern void *__libc_malloc(size_t);
static void *volatile kept;
void *malloc(size_t n) { void *p = __libc_malloc(n); kept = p; return p; }
__attribute__((noinline)) void wrapped(void) { for (int i = 0; i < 100; i++) free(malloc(1000)); }
int main(void) { wrapped(); return 0; }
END
	if cc -O0 -g -rdynamic -fno-omit-frame-pointer -fno-builtin -o wraps wraps.c 2>/dev/null && ./wraps; then
		"$FLAMETOP" sample -q --memory --call-graph=fp -o wraps.data -- ./wraps
		is "$(of ';wrapped;' wraps.data malloc-bytes)" 100000 "a malloc of the program's own, which calls the library's, counts once"
	else
		skip 1 "no __libc_malloc"
	fi
	# Allocators that the command brings: its loader finds them.
	cat >own.c <<'END'
#include <stddef.h>
#include <string.h>
static char heap[1 << 26];
static size_t used;
void *malloc(size_t n) { void *p = heap + used; used += (n + 31) & ~(size_t)15; return p; }
void free(void *p) { (void)p; }
void *calloc(size_t a, size_t b) { return malloc(a * b); }
void *realloc(void *p, size_t n) { void *q = malloc(n); if (p) memmove(q, p, n); return q; }
END
	if mkdir own && cc -O1 -fno-builtin -fPIC -shared -o own/libown.so own.c &&
		cc -O0 -g -fno-omit-frame-pointer -fno-builtin -o linked takes.c -Lown -Wl,--no-as-needed,-rpath,"$PWD/own" -lown 2>/dev/null && ./linked; then
		run "$FLAMETOP" sample --memory --call-graph=fp -o own.data -- ./linked
		is "$err" "" "a library with its own malloc"
		is "$(of ';small;' own.data malloc-bytes)" 200000 "is found as the loader finds it"
		if [ -z "${TESTS_SANITIZED-}" ]; then # sanitizers want to be loaded first themselves
			LD_PRELOAD=$PWD/own/libown.so "$FLAMETOP" sample -q --memory --call-graph=fp -o first.data -- ./takes
			is "$(of ';small;' first.data malloc-bytes)" 200000 "so is one that is loaded before all others"
		else
			skip 1 "under sanitizers"
		fi
		printf '#!/usr/bin/env -S NO=1 %s\n' "$PWD/linked" >script
		chmod +x script
		"$FLAMETOP" sample -q --memory --call-graph=fp -o script.data -- ./script
		is "$(of ';small;' script.data malloc-bytes)" 200000 "and that of a script's interpreter"
		run "$FLAMETOP" sample --memory --call-graph=fp -o child.data -- sh -c ./linked
		says "*calls of malloc are not counted in what was loaded after the beginning: $PWD/own/libown.so" "those of a child are named"
		run "$FLAMETOP" record --memory --call-graph=fp -o own.folded -- sh -c ./linked
		is "$(printf '%s\n' "$err" | grep -c "loaded after the beginning: $PWD/own/libown.so")" 1 "by record, too, once"
	else
		skip 6 "no shared libraries"
	fi
	if cc -O0 -static -s -o bare takes.c 2>/dev/null; then
		run "$FLAMETOP" sample --memory -o bare.data -- ./bare
		says "*malloc-bytes has no sample: no function that is known to allocate was called" "a program whose malloc has no name"
	else
		skip 1 "no static C library"
	fi
	"$FLAMETOP" record -q --memory --call-graph=dwarf,1024 -o dwarf.folded -- ./takes
	like "$(cat dwarf.folded)" "*main;big;*malloc 4194304*" "with copies of the stack, too"
	if cc -O0 -g -static -fno-omit-frame-pointer -o alone takes.c 2>/dev/null; then
		"$FLAMETOP" sample -q --memory --call-graph=fp -o alone.data -- ./alone
		is "$(of ';big;' alone.data malloc-bytes)" 4194304 "a static program has its own malloc"
	else
		skip 1 "no static C library"
	fi
	if command -v perf >/dev/null; then
		ok "perf reads it" sh -c 'perf report -i memory.data --stdio 2>/dev/null | grep -q "big"'
	else
		skip 1 "no perf here"
	fi
else
	skip 21 "no right to probe malloc"
fi
# Pages that are mapped without a fault of their own.
cat >ahead.c <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	size_t n = (size_t)100 << 20;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (argc > 1 ? MAP_POPULATE : 0), -1, 0);
	(void)argv;
	madvise(p, n, MADV_NOHUGEPAGE);
	memset(p, 1, n);
	return 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -o ahead ahead.c
"$FLAMETOP" record --memory --call-graph=fp -o ahead.folded -- ./ahead ahead 2>said
like "$(cat said)" "*touched-bytes has * MB by which its largest process grew:*MAP_POPULATE*" "memory that no fault tells of is told"
"$FLAMETOP" record --memory --call-graph=fp -o plain.folded -- ./ahead 2>said
is "$(grep -c 'touched-bytes has' said)" 0 "and not where all is seen"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 777 other && cp takes other && cp "$(readlink -f "$FLAMETOP")" other/flametop && chmod 755 . other/*
	(cd other && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. \
		./flametop record --memory --call-graph=fp -o user.folded -- ./takes) 2>said
	like "$(cat said)" "*memory: pages are counted when they are touched first*" "an ordinary user reads what is measured"
	ok "and sees that" [ "$(awk '{ s += $NF } END { print s }' other/user.folded)" -ge 4194304 ]
else
	skip 2 "needs root"
fi
# Threads and children that begin during the recording: they do begin, and their calls are counted.
cat >starts.c <<'END'
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void *volatile kept;
__attribute__((noinline)) void *take(void *arg)
{
	for (int i = 0; i < 100; i++) { void *p = malloc(10007); memset(p, 1, 10007); kept = p; free(p); }
	return arg;
}
static int threads(int n)
{
	pthread_t t[4];
	int i, failed = 0;
	for (i = 0; i < n && !failed; i++)
		failed = pthread_create(&t[i], NULL, take, NULL);
	while (i-- > 0)
		pthread_join(t[i], NULL);
	return failed;
}
static int ended(pid_t child)
{
	int status = 1;
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
int main(int argc, char **argv)
{
	char *again[] = {argv[0], "once", NULL};
	pid_t child;
	if (argc == 1) { /* tells that it runs, and waits until it is recorded */
		puts("runs");
		fflush(stdout);
		while (access("go", F_OK) != 0)
			usleep(10000);
	} else if (strcmp(argv[1], "once") == 0) {
		take(NULL);
		return 0;
	}
	if (threads(4))
		return 7;
	child = fork();
	if (child == 0)
		_exit(threads(2));
	if (!ended(child))
		return 8;
	return posix_spawn(&child, argv[0], NULL, NULL, again, environ) != 0 || !ended(child) ? 9 : 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -pthread -o starts starts.c
run "$FLAMETOP" sample --memory --call-graph=fp -o starts.data -- ./starts all
exits 0 "a target starts threads and children as ever"
ok "whose pages are counted" [ "$(of '' starts.data touched-bytes)" -ge 70049 ]

# On one processor, where the kernel lets parents and children swap their counters.
cat >tree.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile kept;
__attribute__((noinline)) void take(void) { for (int i = 0; i < 10; i++) { kept = malloc(10007); free(kept); } }
static void have_child(void)
{
	int ends[2];
	char c;
	if (pipe(ends) != 0)
		_exit(1);
	pid_t child = fork();
	if (child == 0)
		_exit(read(ends[0], &c, 1) == 1 ? (take(), 0) : 1);
	if (write(ends[1], "", 1) != 1 || waitpid(child, NULL, 0) != child)
		_exit(1);
	take();
}
int main(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < 40; i++) {
		pid_t child = fork();
		for (int j = 0; j < 3 && child == 0; j++)
			have_child();
		if (child == 0)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	return 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -o tree tree.c

definitions=
for file in /sys/kernel/tracing/uprobe_events /sys/kernel/debug/tracing/uprobe_events; do
	[ -z "$definitions" ] && [ -w "$file" ] && definitions=$file
done
left() { grep -c "flametop_${1-}" "$definitions"; }
has_none() { [ "$(left "$1")" = 0 ]; }
has_some() { [ "$(left "$1")" != 0 ]; }
others() { grep -v flametop_ "$definitions"; }
if [ "$(of '' memory.data malloc-bytes)" -gt 0 ] && [ -n "$definitions" ]; then
	is "$err" "" "and nothing is missing"
	is "$(of ';take;' starts.data malloc-bytes)" 7004900 "calls of 4 threads, of 2 in a child and of a program are counted"
	./starts >begun & target=$!
	ok "a program runs" until_true test -s begun
	"$FLAMETOP" sample -q --memory --call-graph=fp -o later.data -p "$target" & sampler=$!
	ok "its recording begins" until_true test -s later.data # when its counters are open
	touch go
	wait "$target"
	is $? 0 "and it starts threads and children, too"
	wait "$sampler"
	is "$(of ';take;' later.data malloc-bytes)" 7004900 "which are counted"
	run "$FLAMETOP" sample -q --memory --call-graph=fp -o shell.data -- \
		sh -c './starts once | cat; (./starts once; ./starts all) & wait'
	exits 0 "a shell runs a pipeline"
	is "$(of ';take;' shell.data malloc-bytes)" 9006300 "whose programs are counted"
	run "$FLAMETOP" sample -q --memory --call-graph=fp -o tree.data -- ./tree
	is "$(of ';take;' tree.data malloc-bytes)" 24016800 "children of children are counted after their ends as before"
	mkdir "a b"
	if cc -O0 -g -static -fno-omit-frame-pointer -pthread -o "a b/starts:0x1" starts.c 2>/dev/null; then
		run "$FLAMETOP" sample -q --memory --call-graph=fp -o blank.data -- "./a b/starts:0x1" all
		is "$(of ';take;' blank.data malloc-bytes)" 7004900 "so is a program whose path has a blank"
	else
		skip 1 "no static C library"
	fi

	# Definitions are removed, however the sampler ends.
	before=$(others)
	for signal in INT KILL; do
		"$FLAMETOP" sample -q --memory --call-graph=fp -o killed.data -- sleep 60 2>/dev/null & sampler=$!
		ok "a sampler defines probes" until_true has_some "${sampler}_"
		kill -$signal "$sampler"
		wait "$sampler" 2>/dev/null
		ok "and after SIG$signal none is left" until_true has_none "${sampler}_"
	done
	# As if all processes of a sampler had been killed: there is no process of this number.
	program=$(readlink -f "$FLAMETOP")
	space=$(stat -Lc %i /proc/self/ns/pid)
	for group in "99999999_5_$space" 99999999_5_1 mine; do
		echo "p:flametop_$group/allocator_0 $program:0x1000" >>"$definitions"
	done
	is "$(left "99999999_5_$space")" 1 "a definition is left"
	"$FLAMETOP" sample -q --memory --call-graph=fp -o killed.data -- true
	is "$(left "99999999_5_$space")" 0 "and removed by the next one"
	is "$(left 99999999_5_1) $(left mine)" "1 1" "but none of another namespace, or with another name"
	for group in 99999999_5_1 mine; do
		echo "-:flametop_$group/allocator_0" >>"$definitions"
	done
	is "$(others)" "$before" "nor any other"
else
	skip 18 "no right to probe malloc, or to write to tracefs"
fi

# Where tracefs cannot be written.
cat >covered.sh <<'END'
mount -t tmpfs none /sys/kernel/tracing && mount -t tmpfs none /sys/kernel/debug &&
	exec "$FLAMETOP" sample --memory --call-graph=fp -o covered.data -- ./starts all
END
missing="*of threads and processes that began during the recording, pages are counted, but no calls of malloc*"
if [ "$(of '' memory.data malloc-bytes)" -gt 0 ] && [ "$(id -u)" = 0 ] &&
	unshare -m --propagation=private mount -t tmpfs none /sys/kernel/tracing 2>/dev/null; then
	FLAMETOP=$FLAMETOP run unshare -m --propagation=private sh covered.sh
	exits 0 "without tracefs, threads and children start as well"
	says "$missing" "that their calls are not counted is said"
	run "$FLAMETOP" --to=folded --event=malloc-bytes covered.data
	says "$missing" "and the recording says it"
	is "$("$FLAMETOP" --event=touched-bytes --keys= --screen=100x30 covered.data 2>/dev/null | grep -c "of threads and")" 1 "so does the screen"
else
	skip 4 "malloc cannot be probed here, or tracefs not covered"
fi

# Whose calls are not counted.
if echo 'int pause(void); int main(void) { return pause(); }' | cc -static -s -x c -o paused - 2>/dev/null; then
	./paused &
	paused=$!
	until [ "$(readlink "/proc/$paused/exe")" = "$PWD/paused" ]; do sleep 0.01; done
	run "$FLAMETOP" sample --memory --duration=0.1 -o paused.data -p $paused
	says "*memory: pages are counted when they are touched first, since *" "a program without a known allocator: that is said"
	run "$FLAMETOP" record --memory --duration=0.1 -o paused.folded -p $paused
	is "$(printf '%s\n' "$err" | grep -c 'touched first, since ')" 1 "record says it, too, once"
	sleep 60 &
	asleep=$!
	run "$FLAMETOP" sample --memory --duration=0.1 -o paused.data -p $paused,$asleep
	if [ "$(of '' memory.data malloc-bytes)" -gt 0 ]; then
		says "*process $paused has no allocator that is known: its calls of malloc are not counted*" "one of two without an allocator is named"
	else
		skip 1 "malloc cannot be probed here"
	fi
	kill $paused $asleep
else
	skip 3 "no static C library"
fi

run "$FLAMETOP" record -q --memory -F 100 -- true
exits 2 "every call is counted, and no rate chosen"
run "$FLAMETOP" record -q --memory -e cycles -- true
exits 2 "other events do not go with it"

done_testing
