#!/bin/sh
# `flametop bundle` packs a recording with the files that its names come from; flametop opens the bundle elsewhere.
. "$(dirname "$0")/../tap.sh"

mkdir home tmp
HOME=$dir/home
LC_ALL=C.UTF-8
TMPDIR=$dir/tmp
export HOME LC_ALL TMPDIR
unset DEBUGINFOD_URLS

nothing_left() { is "$(ls -A "$dir/tmp")" "" "$1: nothing is left of temporary files"; }

# A recording whose names come from no file.
cp "$source/tests/data/collapse/perf-data/markers.in" small.data
"$FLAMETOP" -q --to=folded small.data >small.folded
run "$FLAMETOP" bundle small.data
exits 0 "a recording without files is packed"
says "*small.data.tar.zst: the recording and *" "and the message says what is in it"
for suffix in tar tar.gz tgz tar.zst tzst; do
	run "$FLAMETOP" bundle -q -o "x.$suffix" small.data
	exits 0 "-o x.$suffix"
	is "$err" "" "-q: no message"
	run "$FLAMETOP" -q --to=folded "x.$suffix"
	is "$out" "$(cat small.folded)" ".$suffix: the same stacks as those of the recording"
done
run sh -c '"$1" bundle -q -o - small.data | "$1" -q --to=folded' sh "$FLAMETOP"
is "$out" "$(cat small.folded)" "through a pipe"
run sh -c '"$1" -q --to=folded - <x.tar.gz' sh "$FLAMETOP"
is "$out" "$(cat small.folded)" "from standard input"
run "$FLAMETOP" -q --to=folded -f perf-data x.tar
is "$out" "$(cat small.folded)" "the format may be named"
run "$FLAMETOP" --to=folded --symfs=/nowhere x.tar
says "*--symfs has no effect on a bundle*" "--symfs is named as idle"
run "$FLAMETOP" --screen=80x24 x.tar.zst
exits 0 "the viewer shows it"
is "$(tar tf x.tar | head -n 1)" perf.data "tar lists it, perf.data first"
tar xOf x.tar perf.data | cmp -s - small.data
is $? 0 "tar gives the recording back"
"$FLAMETOP" bundle -q -o y.tar.zst small.data
ok "the same bytes each time" cmp x.tar.zst y.tar.zst
gzip -c small.data >small.gz
run "$FLAMETOP" bundle -q -o z.tar small.gz
tar xOf z.tar perf.data | cmp -s - small.data
is $? 0 "a compressed recording is unpacked"
chmod 600 small.data
run "$FLAMETOP" bundle -q -o private.tar small.data
is "$(stat -c %a private.tar)" 600 "a recording that others may not read makes such a bundle"
chmod 644 small.data
run sh -c 'umask 077 && exec "$1" bundle -q -o narrow.tar small.data' sh "$FLAMETOP"
is "$(stat -c %a narrow.tar)" 600 "the umask narrows it"
if [ "$(id -u)" = 0 ]; then
	chmod 640 small.data
	chown 65534:65533 small.data
	run "$FLAMETOP" bundle -q -o given.tar small.data
	is "$(stat -c %u:%g:%a given.tar)" 65534:65533:640 "one of another group is for that group"
	chown 0:0 small.data
	chmod 644 small.data
else
	skip 1 "not root, so no file of another user"
fi
nothing_left "reading"

# A failed write has a reason, whether it fails early or at the end.
cp small.data large.data
head -c 2000000 "$FLAMETOP" >>large.data
for recording in small large; do
	run sh -c '"$1" bundle -q -o - "$2.data" >/dev/full' sh "$FLAMETOP" $recording
	exits 1 "a bundle that cannot be written: $recording"
	says "flametop: standard output: cannot write: No space left on device" "has a message that says why"
	for suffix in tar tar.gz tar.zst; do
		ln -sf /dev/full full.$suffix
		run "$FLAMETOP" bundle -q -o full.$suffix $recording.data
		exits 1 "so does a $suffix"
		says "flametop: full.$suffix: cannot write: No space left on device" "and says why"
	done
	run sh -c '"$1" bundle -q -o - "$2.data" >&-' sh "$FLAMETOP" $recording
	exits 1 "a closed descriptor is an error, too"
	says "flametop: standard output: cannot write: *" "with a reason"
done
run sh -c 'ulimit -f 100 && exec "$1" bundle -q -o limit.tar large.data' sh "$FLAMETOP"
exits 1 "so is a limit of file sizes"
says "flametop: limit.tar: cannot write: File too large" "with a reason"
ok "and leaves nothing" test ! -e limit.tar

# Wrong usage.
for arguments in '-o x.svg small.data' '-o x.tar.xz small.data' 'small.data small.data' '--flamechart small.data'; do
	# shellcheck disable=SC2086 # words
	run "$FLAMETOP" bundle $arguments
	case $status in 1 | 2) tap_result 0 "bundle $arguments is refused" ;; *) tap_result 1 "$arguments" "$status" ;; esac
	one_line "bundle $arguments: one line"
done
run "$FLAMETOP" bundle x.tar
exits 1 "a bundle of a bundle is refused"
says "*x.tar: this is a bundle*" "and the message says so"
run "$FLAMETOP" bundle nothing.data
exits 1 "a missing recording"
run "$FLAMETOP" bundle
exits 1 "the default is perf.data"
says "*perf.data*" "and the message names it"
printf 'a;b 1\n' >some.folded
run "$FLAMETOP" bundle some.folded
exits 1 "a profile of another kind"
is "$(ls some.folded.* 2>/dev/null)" "" "leaves no file"
run "$FLAMETOP" bundle --help
prints "*flametop bundle*--output*" "help"

# Archives that are none of ours.
mkdir other
cp small.data other/perf.data
tar cf other.tar some.folded
run "$FLAMETOP" --to=folded other.tar
exits 1 "another tar archive"
says "*tar archive that does not begin with perf.data*flametop bundle*" "says what can be read"
mkdir -p .build-id/ab/cdef && : >.build-id/ab/cdef/elf
tar cf archive.tar .build-id
run "$FLAMETOP" --to=folded archive.tar
exits 1 "what perf archive packs"
says "*perf archive*tar xf FILE -C ~/.debug*" "says how to use it"
if command -v bzip2 >/dev/null; then
	bzip2 -k archive.tar
	run "$FLAMETOP" --to=folded archive.tar.bz2
	exits 1 "packed as perf archive does"
	says "*perf archive*tar xf FILE -C ~/.debug*" "says how to use it"
else
	skip 2 "bzip2 is not installed"
fi
(cd other && tar cf ../plain.tar ./perf.data)
run "$FLAMETOP" -q --to=folded plain.tar
is "$out" "$(cat small.folded)" "an archive that tar made is read, too"
ln -s /etc/passwd other/root
(cd other && tar cf ../link.tar perf.data root)
run "$FLAMETOP" --to=folded link.tar
exits 0 "one with a link"
says "*links and devices in the bundle are left out*" "leaves it out"
printf 'garbage' >other/perf.data
(cd other && tar cf ../garbage.tar perf.data)
run "$FLAMETOP" --to=folded garbage.tar
exits 1 "one whose perf.data is none"
says "*garbage.tar: its perf.data is no recording*" "says so"
cp x.tar other/perf.data
(cd other && tar cf ../nested.tar perf.data)
run "$FLAMETOP" --to=folded nested.tar
exits 1 "a bundle in a bundle is not read"
nothing_left "refused archives"

# Truncated.
size=$(stat -c %s x.tar)
at=0
good=0
while [ "$at" -lt "$size" ]; do
	head -c "$at" x.tar >cut.tar
	"$FLAMETOP" --to=folded cut.tar >cut.out 2>cut.err
	status=$?
	# A note or an error, and no crash.
	{ [ "$status" -le 1 ] && [ -s cut.err ]; } || break
	at=$((at + 512))
	good=$((good + 1))
done
is "$at" "$(((size + 511) / 512 * 512))" "cut at each block, it says that it is cut"
head -c $((size - 1024)) x.tar >cut.tar
run "$FLAMETOP" --to=folded cut.tar
exits 0 "cut at its end, the rest is shown"
says "*cut.tar: the bundle ends early*" "and the message says so"
is "$out" "$(cat small.folded)" "with all of the recording"
head -c 300 x.tar.zst >cut.zst
run "$FLAMETOP" --to=folded cut.zst
says "*cut.zst*" "cut within compressed data"
nothing_left "cut bundles"

# Many files in directories that lie deep, in turn.
deep=$(printf '/d%.0s' $(seq 97))
mkdir -p "many/root/a$deep" "many/root/b$deep"
cp small.data many/perf.data
for i in 1 2 3 4 5 6 7 8 9; do
	: >"many/root/a$deep/$i"
	: >"many/root/b$deep/$i"
done
(cd many && { echo perf.data && find root -type f | sort -t/ -k 100; } | tar cf ../many.tar -T -)
run "$FLAMETOP" --to=folded many.tar
exits 0 "a bundle of files in deep directories is read"
is "$out" "$(cat small.folded)" "with all of the recording"
is "$err" "" "and all of them are unpacked"
nothing_left "deep directories"

# A program that has gone.
perf=${PERF:-perf}
command -v "$perf" >/dev/null || skip_rest "perf is not installed"
command -v cc >/dev/null || skip_rest "there is no compiler"
mkdir app away
cat >w.c <<'END'
static volatile unsigned long x;
static inline __attribute__((always_inline)) void inlined_step(long i) { x += i; }
__attribute__((noinline)) void burn_it(void) { for (long i = 0; i < 200000000; i++) inlined_step(i); }
int main(void) { burn_it(); return 0; }
END
cc -g -O1 -fno-omit-frame-pointer -o app/w w.c 2>/dev/null || skip_rest "cc cannot link"
"$perf" record -q --no-buildid-cache -F 199 -g -o w.data ./app/w >/dev/null 2>&1 || skip_rest "perf cannot record"
[ -s w.data ] || skip_rest "perf cannot record"
folded() { "$FLAMETOP" -q --to=folded "$@"; }
folded w.data >before.folded
run "$FLAMETOP" bundle w.data
exits 0 "a recording of a program is packed"
tar --zstd -tf w.data.tar.zst >list 2>/dev/null || zstd -dc w.data.tar.zst 2>/dev/null | tar tf - >list
like "$(cat list)" "*root$dir/app/w*" "with the program, under its path"
mv app/w away/w
case $(cat before.folded) in *burn_it*) ;; *) skip_rest "no sample hit the function" ;; esac
run "$FLAMETOP" -q --to=folded w.data
case $out in *burn_it*) tap_result 1 "the program has gone" "$out" ;; *) tap_result 0 "the program has gone" ;; esac
run "$FLAMETOP" --to=folded w.data.tar.zst
exits 0 "the bundle is read"
is "$out" "$(cat before.folded)" "functions and inlined calls are those from before"
nothing_left "a bundle with files"

# Unpacked, by flametop and perf.
mkdir unpacked
"$FLAMETOP" bundle -q --path-map="$dir/app=$dir/away" -o w.tar w.data
tar xf w.tar -C unpacked
is "$(cd unpacked && folded --symfs=root perf.data)" "$(cat before.folded)" "--symfs=root reads it unpacked"
(cd unpacked && "$perf" script --symfs root -i perf.data 2>/dev/null) >script
like "$(cat script)" "*burn_it*" "perf script --symfs root does, too"
if [ -n "$(folded --to=text --srcline w.tar 2>/dev/null)" ]; then
	like "$(folded --srcline w.tar 2>/dev/null)" "*burn_it*" "--srcline: perf script reads a bundle, too"
fi
nothing_left "unpacked"

# A separate debug file.
if command -v objcopy >/dev/null; then
	cp away/w app/w
	objcopy --only-keep-debug app/w app/w.debug
	objcopy --strip-all --add-gnu-debuglink=app/w.debug app/w
	is "$(folded w.data)" "$(cat before.folded)" "a debug file beside the program"
	"$FLAMETOP" bundle -q -o split.tar w.data
	rm app/w app/w.debug
	is "$(folded split.tar)" "$(cat before.folded)" "is in the bundle, too"
	like "$(tar tf split.tar)" "*root/usr/lib/debug/.build-id/*.debug*" "under its build id"
else
	skip 3 "objcopy is not installed"
fi
if command -v dwz >/dev/null && command -v objcopy >/dev/null; then
	cp away/w app/w
	cp away/w app/v
	if dwz -m "$dir/app/shared.debug" app/w app/v 2>/dev/null; then
		is "$(folded w.data)" "$(cat before.folded)" "debug information shared by dwz"
		"$FLAMETOP" bundle -q -o dwz.tar w.data
		rm -f app/*
		is "$(folded dwz.tar)" "$(cat before.folded)" "is in the bundle, too"
	else
		skip 2 "dwz found nothing to share"
	fi
fi

# Code of a JIT compiler, whose map is gone when the bundle is read.
cat >jit.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	static const unsigned char code[] = {0xb9, 0, 0, 0, 0x20, 0xff, 0xc9, 0x75, 0xfc, 0xc3}; /* counts down */
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	void (*run)(void);
	if (p == MAP_FAILED)
		return 1;
	memcpy(p, code, sizeof code);
	memcpy(&run, &p, sizeof p);
	snprintf(name, sizeof name, "/tmp/perf-%d.map", (int)getpid());
	FILE *f = fopen(name, "w");
	fprintf(f, "%lx 40 jit_compiled_loop\n", (unsigned long)p);
	fclose(f);
	printf("%s\n", name);
	run();
	return 0;
}
END
map=
case $(uname -m) in
x86_64)
	cc -o jit jit.c 2>/dev/null &&
		map=$("$perf" record -q --no-buildid-cache -F 499 -g -o jit.data ./jit 2>/dev/null | tail -n 1)
	;;
esac
case $(folded jit.data 2>/dev/null) in
*jit_compiled_loop*)
	folded jit.data >jit.folded
	run "$FLAMETOP" bundle -o jit.tar jit.data
	like "$(tar tf jit.tar)" "*root$map*" "the map of a JIT compiler is packed"
	rm -f "$map"
	is "$(folded jit.tar)" "$(cat jit.folded)" "and its functions have their names"
	run "$FLAMETOP" bundle -o jit2.tar jit.data
	says "*not here, or cannot be read: *$map*" "a map that is gone is named"
	;;
*) skip 3 "no code of a JIT compiler was recorded" ;;
esac
[ -z "$map" ] || rm -f "$map"

# What is missing or differs is named, and nothing else goes in.
rm -f app/*
run "$FLAMETOP" bundle -o missing.tar w.data
exits 0 "a missing program"
says "*of * files * not here, or cannot be read: *$dir/app/w*" "is counted and named"
sed 's/200000000/200000001/' w.c >v.c
cc -g -O1 -o app/w v.c
run "$FLAMETOP" bundle -o missing.tar w.data
exits 0 "a program that was built anew"
says "*of * files * not as recorded (the build id differs)*$dir/app/w*" "is named as another one"
case $(tar tf missing.tar) in
*app/w*) tap_result 1 "and left out" "$(tar tf missing.tar)" ;;
*) tap_result 0 "and left out" ;;
esac
run "$FLAMETOP" --to=folded missing.tar
says "*$dir/app/w: functions have no names: not in the bundle*" "reading it names the file"
rm app/w
echo secret >secret
ln -s "$dir/secret" app/w
run "$FLAMETOP" bundle -o secret.tar w.data
says "*$dir/app/w*" "a text in the place of a program is named"
case $(tar xOf secret.tar 2>/dev/null | grep -c '^secret$') in
0) tap_result 0 "and not packed" ;;
*) tap_result 1 "and not packed" "$(tar tf secret.tar)" ;;
esac
rm app/w
cp away/w app/w
printf '\004' | dd of=app/w bs=1 seek=16 conv=notrunc 2>/dev/null # ET_CORE, with the recorded build id
run "$FLAMETOP" bundle -o core.tar w.data
exits 0 "a core dump in the place of a program"
says "*1 of * files is no program, library or object file (core dumps hold memory), and left out: *$dir/app/w*" "is named"
case $(tar tf core.tar) in
*app/w*) tap_result 1 "and not packed" "$(tar tf core.tar)" ;;
*) tap_result 0 "and not packed" ;;
esac
cp away/w app/w
truncate -s 2G app/w
run "$FLAMETOP" bundle -o hollow.tar w.data
exits 0 "a program that has grown by a hole"
says "*1 of * files is almost all holes, and left out: *$dir/app/w*" "is named"
case $(tar tf hollow.tar) in
*app/w*) tap_result 1 "and not packed" "$(tar tf hollow.tar)" ;;
*) tap_result 0 "and not packed" ;;
esac
rm app/w
mkfifo app/w
run timeout 60 "$FLAMETOP" bundle -o fifo.tar w.data
exits 0 "a pipe in its place does not stop it"
rm app/w

# A file of the machine does not take the place of one in the bundle.
cp away/w app/w
is "$(folded w.tar)" "$(cat before.folded)" "with the program there, the same"
rm app/w
# An interrupt leaves nothing.
head -c 3000000 /dev/zero >big
mkdir -p "slow/root"
cp w.data slow/perf.data
mkfifo pipe
"$FLAMETOP" -q --to=folded - <pipe >/dev/null 2>&1 &
reader=$!
exec 3>pipe
head -c 20000 w.tar >&3
tries=0
while [ -z "$(ls -A tmp)" ] && [ "$tries" -lt 200 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
like "$(ls -A tmp)" "flametop-*" "a bundle through a pipe is being unpacked"
kill -INT "$reader" 2>/dev/null || kill -TERM "$reader"
sleep 0.1
kill -TERM "$reader" 2>/dev/null
exec 3>&-
wait "$reader" 2>/dev/null
nothing_left "after a signal"
done_testing
