#!/bin/sh
# Programs in containers: their files are at paths that lead elsewhere, or to other files, outside.
. "$(dirname "$0")/../tap.sh"

unset PERF
[ "$(id -u)" = 0 ] || skip_all "not root, so no container can be made"
command -v unshare >/dev/null && command -v pivot_root >/dev/null || skip_all "no unshare or pivot_root (util-linux)"
command -v cc >/dev/null || skip_all "no compiler"
"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>/dev/null || skip_all "nothing can be sampled here"

cat >work.c <<'END'
#include <time.h>
#include <unistd.h>
static volatile unsigned long x;
__attribute__((noinline)) void inner(void) { for (int i = 0; i < 1000000; i++) x += (unsigned long)i; }
__attribute__((noinline)) void outer(void) { inner(); inner(); }
int main(void)
{
	time_t end = time(NULL) + 300;
	while (time(NULL) < end && access("/stop", F_OK) != 0)
		outer();
	return 0;
}
END
mkdir -p root/flametop-test
cc -O0 -g -static -fno-omit-frame-pointer -Wl,--build-id -o root/flametop-test/work work.c 2>/dev/null || skip_all "no static C library"
unshare -m -p -f true 2>/dev/null || skip_all "no namespaces can be made here"

contain() { # ROOT: sets $outside and $pid
	rm -f "$1/stop"
	mkdir -p "$1/old"
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -m -p -f --propagation=private sh -c \
		'mount --bind "$1" "$1" && cd "$1" && pivot_root . old && cd / && exec /flametop-test/work' sh "$PWD/$1" &
	outside=$!
	pid=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.1
		read -r pid <"/proc/$outside/task/$outside/children" || true
		[ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = work ] && break
	done
}
contain root
if [ -z "$pid" ] || [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != work ]; then
	skip_all "no container can be made here"
fi

for how in fp dwarf; do
	"$FLAMETOP" sample -q -p "$pid" --call-graph=$how --duration=0.3 -o $how.data
	like "$("$FLAMETOP" -q --to=folded $how.data)" "*main;outer;inner*" "$how: functions of a container have names while it runs"
done
"$FLAMETOP" sample -q -a --duration=0.3 -o all.data
like "$("$FLAMETOP" -q --to=folded all.data)" "*main;outer;inner*" "so they have in a recording of the whole system"
"$FLAMETOP" bundle -q -o one.tar fp.data
touch root/stop
wait $outside

run "$FLAMETOP" --to=folded fp.data
prints "*\[work\]*" "after its end they have none"
says "*/flametop-test/work: functions have no names: No such file*" "and the missing file is named"
like "$("$FLAMETOP" -q --to=folded one.tar)" "*main;outer;inner*" "a bundle made before has them"
run "$FLAMETOP" --symfs=root --to=folded fp.data
prints "*main;outer;inner*" "so does its file system, for --symfs"
run "$FLAMETOP" --symfs=root --to=folded dwarf.data
prints "*main;outer;inner*" "with which stacks are unwound, too"

# Two containers with different programs at one path, which no build id tells apart.
mkdir -p one/flametop-test two/flametop-test
cc -O0 -static -fno-omit-frame-pointer -Wl,--build-id=none -o one/flametop-test/work work.c
sed 's/inner/depth/g; s/outer/level/g' work.c >two.c
cc -O0 -static -fno-omit-frame-pointer -Wl,--build-id=none -o two/flametop-test/work two.c
contain one
first=$pid first_outside=$outside
contain two
"$FLAMETOP" sample -q -p "$first,$pid" --call-graph=fp --duration=0.3 -o both.data
run "$FLAMETOP" -q --to=folded both.data
prints "*main;outer;inner*" "of two containers with a program at one path, the first has its names"
prints "*main;level;depth*" "and the second"
run "$FLAMETOP" bundle -o both.tar both.data
says "*left out, since several files have the name, and no build id tells them apart: /flametop-test/work*" "a bundle tells that it can have neither"
touch one/stop two/stop
wait $first_outside $outside
run "$FLAMETOP" -q --to=folded both.tar
prints "*\[work\]*" "so that functions have no names"
ok "rather than those of the other" sh -c '! grep -q "inner\|depth" .out'

# A program of the same name outside must not lend its names.
sed 's/inner/wrong/g; s/outer/false/g' work.c >other.c
mkdir -p other/flametop-test
cc -O0 -static -Wl,--build-id -o other/flametop-test/work other.c
run "$FLAMETOP" --symfs=other --to=folded fp.data
says "*work: functions have no names*not the file that was recorded*" "another program of that name is told"
prints "*\[work\]*" "and not used"
done_testing
