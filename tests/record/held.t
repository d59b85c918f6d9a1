#!/bin/sh
# A recorded process that holds back its memory: the recording ends in time, has the others' stacks, and says so.
. "$(dirname "$0")/../tap.sh"

unset PERF
# LeakSanitizer cannot stop a thread that waits for such memory.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
command -v cc >/dev/null || skip_all "no compiler"
cat >held.c <<'END'
/* Holds back a page of its own: whoever reads it waits for ever. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
int hold(void *page)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register r = {.range = {(uintptr_t)page, 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	return fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0 || ioctl(fd, UFFDIO_REGISTER, &r) != 0 ||
	       madvise(page, 4096, MADV_DONTNEED) != 0;
}
static volatile unsigned long x;
__attribute__((noinline)) void spin(void)
{
	for (;;)
		x++;
}
int main(int argc, char **argv)
{
	static ucontext_t back, there;
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	(void)argv;
	if (hold(stack + 65536 - 4096))
		return 1;
	if (argc > 1)
		return 0;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = 65536 - 4096;
	there.uc_link = &back;
	makecontext(&there, spin, 0);
	swapcontext(&back, &there);
	return 0;
}
END
cc -o held held.c 2>/dev/null && cc -shared -fPIC -o held.so held.c || skip_all "no userfaultfd.h"
./held try || skip_all "userfaultfd is not allowed here (vm.unprivileged_userfaultfd)"

start=0
begins() { start=$(date +%s); }
in_time() { # seconds, name
	took=$(($(date +%s) - start))
	ok "$2 (took $took s)" [ "$took" -le "$1" ]
}

# Threads that ptrace stops.
begins
run timeout -s KILL 60 "$FLAMETOP" sample --ptrace --duration=3 -o ptrace.data -- ./held
exits 0 "--ptrace: a process that holds back its stack"
in_time 20 "does not hold up the end"
says "*process [0-9]* holds back its memory (userfaultfd or FUSE), so its stacks lack callers*" "and is named"
run "$FLAMETOP" --to=folded ptrace.data
prints "*held;spin *" "its innermost functions are there"
says "*a process held back its memory (userfaultfd or FUSE), so its stacks lack functions: process [0-9]*" "the recording says so"
begins
run timeout -s KILL 60 "$FLAMETOP" record --languages=none --ptrace --duration=3 -o ptrace.folded -- ./held
exits 0 "the same without languages"
in_time 20 "ends in time"
says "*process [0-9]* holds back its memory*" "and says so"
# shellcheck disable=SC2016 # for the shell inside
run timeout -s KILL 60 "$FLAMETOP" sample -q --ptrace -o end.data -- sh -c 'sampler=$PPID; (sleep 2; kill -TERM $sampler) & exec ./held'
exits 0 "SIGTERM ends it"

# Readers of languages.
python=$(python3 -c 'import sys; print(sys.executable if (3, 8) <= sys.version_info < (3, 15) else "")' 2>/dev/null)
[ -n "$python" ] || skip_rest "no python3 that can be read"
"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || skip_rest "nothing can be sampled here: $(head -1 why)"
cat >held.py <<'END'
import ctypes, mmap, os, sys
lib = ctypes.CDLL(os.path.abspath("held.so"))
def spin():
    i = 0
    while True:
        i += 1
page = mmap.mmap(-1, 8192, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
at = ctypes.addressof(ctypes.c_char.from_buffer(page))
name = spin.__code__.co_name
size = sys.getsizeof(name)
ctypes.memmove(at, id(name), size)
code = id(spin.__code__)
n = sys.getsizeof(spin.__code__) // 8
words = (ctypes.c_uint64 * n).from_address(code)
for i in range(n):
    if words[i] == id(name):
        words[i] = at
if len(sys.argv) > 1:
    lib.hold.argtypes = [ctypes.c_void_p]
    if lib.hold(at): os._exit(1)
print("ready", flush=True)
spin()
END
cat >other.py <<'END'
import os
def other_spin():
    i = 0
    while not os.path.exists("stop"):
        i += 1
other_spin()
END
of() { # function, recording: its total weight
	"$FLAMETOP" -q --to=folded "$2" | awk -v f=";$1(;| )" '$0 ~ f { sum += $NF } END { print int(sum / 1000000) }'
}
run timeout -s KILL 60 "$FLAMETOP" sample --call-graph=fp --duration=2 -o free.data -- "$python" held.py
ok "a process that holds back nothing has its functions" [ "$(of spin free.data)" -gt 0 ]
begins
run timeout -s KILL 60 "$FLAMETOP" sample --call-graph=fp --duration=3 -o python.data -- "$python" held.py held
exits 0 "one whose names are held back"
in_time 20 "does not hold up --duration"
says "*process [0-9]* holds back its memory (userfaultfd or FUSE), so its stacks lack functions of interpreters*" "and is named"
run "$FLAMETOP" --to=folded python.data
says "*a process held back its memory (userfaultfd or FUSE), so its stacks lack functions: process [0-9]*" "the recording says so"
begins
run timeout -s KILL 60 "$FLAMETOP" sample --call-graph=fp --duration=0.5 -o short.data -- "$python" held.py held
exits 0 "a recording that ends before that is noticed"
in_time 20 "ends, too"
"$python" held.py held >ready &
pid=$!
until_true test -s ready
begins
run timeout -s KILL 60 "$FLAMETOP" sample --call-graph=fp --duration=2 -p $pid -o attach.data
exits 0 "so does one of a process that runs"
in_time 20 "in time"
timeout -s KILL 60 "$FLAMETOP" sample -q --call-graph=fp -p $pid -o attach.data &
sampler=$!
sleep 1
kill -INT "$(cat /proc/$sampler/task/$sampler/children)"
wait $sampler
is $? 0 "SIGINT ends it"
kill -KILL $pid
wait $pid 2>/dev/null

# A process that holds back its memory, and one that does not, on the same processor.
cpu=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')
[ -n "$cpu" ] || skip_rest "no taskset"
cat >both <<END
#!/bin/sh
"$python" held.py held &
"$python" other.py &
sleep 8
touch stop
kill -KILL \$(cat /proc/\$\$/task/\$\$/children)
END
chmod +x both
begins
run timeout -s KILL 90 taskset -c "$cpu" "$FLAMETOP" sample --call-graph=fp -o both.data -- ./both
in_time 60 "two on one processor: the recording ends with the command"
is "$(printf '%s\n' "$err" | grep -c "holds back its memory")" 1 "the one is named, once"
shares=$("$FLAMETOP" -q --to=folded both.data | awk '/^python/ { all += $NF } /;other_spin/ { named += $NF } END { print int(100 * named / (all + 1)) }')
ok "the other keeps its functions ($shares % of both)" [ "$shares" -ge 20 ]

done_testing
