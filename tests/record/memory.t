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
int main(void) { for (int i = 0; i < 4; i++) { big(); small(); table(); grow(); begin(); aligned(); } return 0; }
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
	skip 8 "no right to probe malloc"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 777 other && cp takes other && cp "$(readlink -f "$FLAMETOP")" other/flametop && chmod 755 . other/*
	(cd other && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=. XDG_CONFIG_HOME=. \
		./flametop record --memory --call-graph=fp -o user.folded -- ./takes) 2>said
	like "$(cat said)" "*memory: pages are counted when they are touched first*" "an ordinary user reads what is measured"
	ok "and sees that" [ "$(awk '{ s += $NF } END { print s }' other/user.folded)" -ge 4194304 ]
else
	skip 2 "needs root"
fi
# Probes must not keep the target from starting threads and children.
cat >starts.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile kept;
static void *touch(void *arg) { kept = malloc(1 << 20); memset(kept, 1, 1 << 20); return arg; }
int main(void)
{
	pthread_t t;
	int status = 0;
	kept = malloc(100);
	if (pthread_create(&t, NULL, touch, NULL) != 0 || pthread_join(t, NULL) != 0)
		return 7;
	pid_t child = fork();
	if (child == 0) {
		touch(NULL);
		_exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status ? 8 : 0;
}
END
cc -O0 -g -fno-omit-frame-pointer -pthread -o starts starts.c
run "$FLAMETOP" sample --memory --call-graph=fp -o starts.data -- ./starts
exits 0 "a target starts threads and children as ever"
ok "whose pages are counted" [ "$(of '' starts.data touched-bytes)" -ge 2097152 ]
if [ "$(of '' memory.data malloc-bytes)" -gt 0 ]; then
	says "*of threads and processes that began while it was recorded, pages are counted, but no calls of malloc*" \
		"that their calls are not is said"
else
	skip 1 "malloc cannot be probed here"
fi

run "$FLAMETOP" record -q --memory -F 100 -- true
exits 2 "every call is counted, and no rate chosen"
run "$FLAMETOP" record -q --memory -e cycles -- true
exits 2 "other events do not go with it"

done_testing
