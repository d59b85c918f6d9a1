#!/bin/sh
# --debuginfod fetches programs, debug information and sources that are missing. The library here has a directory for a server.
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
export LC_ALL
unset DEBUGINFOD_URLS LD_LIBRARY_PATH

printf 'a;b 1\n' >some.folded
run "$FLAMETOP" --debuginfod --to=folded some.folded
says "*--debuginfod has no effect on this format*" "folded stacks"

perf=${PERF:-perf}
command -v "$perf" >/dev/null || skip_rest "perf is not installed"
command -v cc >/dev/null || skip_rest "there is no compiler"
command -v objcopy >/dev/null || skip_rest "there is no objcopy"
mkdir -p lib served
cat >fake.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef int progress_fn(void *, long, long);
static progress_fn *progress;
static int client;
void *debuginfod_begin(void) { return &client; }
void debuginfod_end(void *c) { (void)c; }
void debuginfod_set_progressfn(void *c, progress_fn *fn) { (void)c; progress = fn; }
static int find(const char *kind, const unsigned char *id, int n, char **path)
{
	char name[300];
	FILE *log = fopen("asked", "a");
	int at = snprintf(name, sizeof name, "served/%s-", kind);
	for (int i = 0; i < n; i++)
		at += snprintf(name + at, 3, "%02x", id[i]);
	fprintf(log, "%s\n", kind);
	fclose(log);
	for (long i = 0; getenv("SLOW") && access("go", F_OK) != 0; i++, usleep(20000))
		if (progress(&client, 1000 + i, 15000000))
			return -EINTR;
	for (long n = 0; getenv("ENDLESS"); n += 1000000) /* of a size that is not announced */
		if (progress(&client, n, 0))
			return -EINTR;
	if (getenv("GREAT") && progress(&client, 0, 17000000))
		return -EINTR;
	if (getenv("HUGE") && progress(&client, 0, 9000000000))
		return -EINTR;
	if (getenv("REFUSES"))
		return -ECONNREFUSED;
	int fd = open(name, O_RDONLY);
	if (fd < 0)
		return -ENOENT;
	*path = strdup(name);
	return fd;
}
int debuginfod_find_debuginfo(void *c, const unsigned char *id, int n, char **p) { return (void)c, find("debug", id, n, p); }
int debuginfod_find_executable(void *c, const unsigned char *id, int n, char **p) { return (void)c, find("program", id, n, p); }
int debuginfod_find_source(void *c, const unsigned char *id, int n, const char *name, char **p)
{
	FILE *log = fopen("sources", "a");
	fprintf(log, "%s\n", name);
	fclose(log);
	return (void)c, find("source", id, n, p);
}
END
cc -shared -fPIC -o lib/libdebuginfod.so.1 fake.c 2>/dev/null || skip_rest "cc makes no libraries"
cat >w.c <<'END'
static volatile unsigned long x;
static inline __attribute__((always_inline)) void inner(void) { for (long i = 0; i < 200000000; i++) x += i; }
__attribute__((noinline)) void burn_it(void) { inner(); }
int main(void) { burn_it(); return 0; }
END
cc -g -O1 -fno-omit-frame-pointer -Wl,--build-id=sha1 -o whole w.c 2>/dev/null || skip_rest "cc makes no build ids"
objcopy --only-keep-debug whole whole.debug
objcopy --strip-all whole w
"$perf" record -q --no-buildid-cache -F 199 -g -o w.data ./w >/dev/null 2>&1 || skip_rest "perf cannot record"
[ -s w.data ] || skip_rest "perf cannot record"
id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: *//p')
[ -n "$id" ] || skip_rest "there is no readelf"

LD_LIBRARY_PATH=$dir/lib
export LD_LIBRARY_PATH
fetch() { # options
	rm -f asked
	run "$FLAMETOP" --to=folded "$@" w.data
}
is_named() { like "$out" "*w;*burn_it*" "$1"; }
unlike() { # text, shell pattern, name
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $1 in $2) tap_result 1 "$3" "$1" ;; *) tap_result 0 "$3" ;; esac
}
is_unnamed() {
	case $out in *burn_it*) tap_result 1 "$1" "$out" ;; *) tap_result 0 "$1" ;; esac
}

fetch
exits 0 "without the option"
is_unnamed "without the option, a stripped program has no names"
[ ! -e asked ]
tap_result $? "and no server is asked"
fetch --debuginfod
exits 0 "no server is named"
says "*no debuginfod server is asked: DEBUGINFOD_URLS names no server*" "no server is named: says so"
DEBUGINFOD_URLS=http://127.0.0.1:1/
export DEBUGINFOD_URLS
fetch --debuginfod
is_unnamed "the server has nothing"
[ -e asked ]
tap_result $? "but it was asked"
unlike "$err" "*debuginfod*" "which is no news"
REFUSES=1
export REFUSES
fetch --debuginfod
exits 0 "a server refuses connections"
says "*names and lines may be missing: the debuginfod server fails: Connection refused*" "a server that fails is told"
unset REFUSES
HUGE=1
export HUGE
fetch --debuginfod
says "*names and lines may be missing: what the debuginfod server sends is larger than 8192 MiB*" "so is a file that is too large"
unset HUGE
cp whole.debug "served/debug-$id"
fetch --debuginfod --quiet
is_named "debug information from the server"
fetch --debuginfod --inline --quiet
like "$out" "*burn_it;inner*" "and inlined calls"
cp whole.debug "served/debug-$id.other"
printf 'no ELF file' >"served/debug-$id"
fetch --debuginfod
exits 0 "what the server sends is no ELF file"
is_unnamed "what the server sends is no ELF file: no names"
cp /bin/sh "served/debug-$id"
fetch --debuginfod
is_unnamed "what the server sends has another build id: no names"

# The program is gone.
rm -f served/*
mv w moved
cp whole "served/program-$id"
fetch
is_unnamed "the program is gone"
fetch --debuginfod --quiet
is_named "the program from the server"
cp /bin/sh "served/program-$id"
fetch --debuginfod
is_unnamed "another program from the server is not used"
fetch --debuginfod --symbolizer=perf
says "*perf script has no --debuginfod*" "through perf it has no effect, and says so"

# Sources, of a program that is here.
rm -f served/*
mkdir compiled
cp w.c compiled/burn.c
(cd compiled && cc -g -O1 -fno-omit-frame-pointer -Wl,--build-id=sha1 -o ../s burn.c)
"$perf" record -q --no-buildid-cache -F 199 -g -o s.data ./s >/dev/null 2>&1
rm compiled/burn.c
of=$(readelf -n s 2>/dev/null | sed -n 's/.*Build ID: *//p')
lines() { # options
	rm -f sources
	run "$FLAMETOP" --no-config --to=lines --function=burn_it --with-source "$@" s.data
}
if "$FLAMETOP" --no-config --to=lines --function=burn_it s.data 2>/dev/null | grep -q burn.c; then
	lines
	like "$out" "*burn.c (No such file or directory)*" "a source is gone"
	[ ! -e sources ]
	tap_result $? "without the option, no server is asked for it"
	lines --debuginfod
	like "$out" "*burn.c (No such file or directory)*" "the server does not have it"
	is "$(cat sources)" "$dir/compiled/burn.c" "it was asked once, for the absolute name"
	cp w.c "served/source-$of"
	lines --debuginfod
	like "$out" "*$dir/compiled/burn.c (from a debuginfod server)
*3  __attribute__*burn_it*" "the source from the server"
	run "$FLAMETOP" --no-config --screen=100x12 --keys=_ --view=lines --with-source --function=burn_it --debuginfod s.data
	like "$out" "*compiled/burn.c  (from a debuginfod server)*3*__attribute__*burn_it*" "on the screen, too"
	run "$FLAMETOP" --no-config --to=lines --function=burn_it --debuginfod s.data
	unlike "$out" "*__attribute__*" "without --with-source it is not in a file"
	REFUSES=1 lines --debuginfod
	like "$out" "*burn.c (the debuginfod server fails: Connection refused)*" "a server that fails is told there, too"
	for case in ENDLESS GREAT; do
		export $case=1
		lines --debuginfod
		unset $case
		like "$out" "*burn.c (what the debuginfod server sends is larger than 16 MiB)*" "$case: a large source is not taken"
	done
	printf 'x\n' >"served/source-$of"
	lines --debuginfod
	like "$out" "*burn.c (another version: it has fewer lines)*" "another version from the server is said to be"
	printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a","file":"/x/a.py","line":2},
{"name":"a","file":"/x/a.py","line":3}]},"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":2,
"samples":[[0],[1]],"weights":[1,1]}]}' >a.json
	rm -f sources
	run "$FLAMETOP" --no-config --to=lines --with-source --debuginfod a.json
	[ ! -e sources ]
	tap_result $? "names from a profile are asked of no server"
	cp w.c "served/source-$of"
else
	echo "# SKIP sources: built without libdw"
fi

# Without the library.
if [ ! -e /usr/lib ] || ! ldconfig -p 2>/dev/null | grep -q libdebuginfod; then
	LD_LIBRARY_PATH=$dir/none fetch --debuginfod
	says "*install libdebuginfod1*" "without the library, its package is named"
fi

# A slow server: progress on the terminal, and ^C ends.
if command -v tmux >/dev/null; then
	cp whole "served/program-$id"
	. "$source/tests/tty/tmux.sh"
	term_start 100 10
	type_line "clear; cd '$dir'; LD_LIBRARY_PATH='$LD_LIBRARY_PATH' DEBUGINFOD_URLS=x SLOW=1 $FLAMETOP --debuginfod --to=svg -o out.svg w.data"
	shows "*reading w.data*; fetching w (*B of 15 MB)*" "a slow server: progress"
	keys C-c
	shows "*ready>*" "^C ends it"
	shows_not "*fetching*" "and the line is gone"
	type_line "clear; LD_LIBRARY_PATH='$LD_LIBRARY_PATH' DEBUGINFOD_URLS=x SLOW=1 $FLAMETOP --no-config --debuginfod w.data"
	shows "*loading*fetching w (*" "the viewer shows it, too"
	keys q
	shows "*ready>*" "q ends it"
	if "$FLAMETOP" --no-config --to=lines --function=burn_it s.data 2>/dev/null | grep -q burn.c; then
		type_line "clear; LD_LIBRARY_PATH='$LD_LIBRARY_PATH' DEBUGINFOD_URLS=x SLOW=1 $FLAMETOP --no-config --debuginfod --view=lines --function=burn_it s.data"
		shows "*fetching burn.c (*B of 15 MB)*" "the viewer shows that it fetches a source"
		keys q
		shows "*ready>*" "q ends that, too"
	fi
fi

done_testing
