#!/bin/sh
# The files of a recording may be elsewhere: --symfs, --sysroot, --path-map, --kallsyms.
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
export LC_ALL
unset DEBUGINFOD_URLS

# Wrong usage, whatever the input.
printf 'a;b 1\n' >some.folded
for map in '' a /a /a=b a=/b; do
	run "$FLAMETOP" --path-map="$map" --to=folded some.folded
	exits 2 "--path-map=$map is refused"
	says "*--path-map*OLD=NEW*" "--path-map=$map: the form"
done
run "$FLAMETOP" --symfs=/x --path-map=/a=/b --kallsyms=/k --to=folded some.folded
exits 0 "folded stacks have no files"
for option in symfs path-map kallsyms; do
	says "*--$option has no effect on this format*" "--$option: folded stacks"
done
printf 'w 1/1 1.0: 1 cycles: \n\t 1 main+0x1 (/bin/w)\n\n' >text.perf
run "$FLAMETOP" --symfs=/x --to=folded text.perf
exits 0 "text has its names"
says "*no effect on text without --inline*" "text has its names: says so"

# A recording of a program that has moved.
perf=${PERF:-perf}
command -v "$perf" >/dev/null || skip_rest "perf is not installed"
command -v cc >/dev/null || skip_rest "there is no compiler"
mkdir -p app copy
cat >w.c <<'END'
static volatile unsigned long x;
__attribute__((noinline)) void burn_it(void) { for (long i = 0; i < 200000000; i++) x += i; }
int main(void) { burn_it(); return 0; }
END
cc -O1 -fno-omit-frame-pointer -o app/w w.c 2>/dev/null || skip_rest "cc cannot link"
"$perf" record -q --no-buildid-cache -F 199 -g -o w.data ./app/w >/dev/null 2>&1 || skip_rest "perf cannot record"
[ -s w.data ] || skip_rest "perf cannot record"
mkdir -p "root$dir/app"
cp app/w "root$dir/app/w"
mv app/w copy/w

named() { # name, options
	name=$1
	shift
	run "$FLAMETOP" --quiet --to=folded "$@" w.data
	exits 0 "$name"
	prints "*w;*burn_it*" "$name: the function has its name"
}
unnamed() {
	name=$1
	shift
	run "$FLAMETOP" --to=folded "$@" w.data
	exits 0 "$name"
	case $out in *burn_it*) tap_result 1 "$name: no name" "$out" ;; *) tap_result 0 "$name: no name" ;; esac
}
unnamed "the program has moved"
says "*/app/w: functions have no names*" "and the warning says so"
named "--symfs" --symfs=root
named "--sysroot" --sysroot="$dir/root"
named "--symfs with a slash at its end" --symfs=root/
named "--path-map" --path-map="$dir/app=$dir/copy"
named "--path-map with slashes" --path-map="$dir/app/=$dir/copy/"
named "--path-map of the file itself" --path-map="$dir/app/w=$dir/copy/w"
named "the first --path-map that fits wins" --path-map=/nowhere=/x --path-map="$dir/app=$dir/copy" --path-map=/=/x
unnamed "one behind another that fits" --path-map=/=/nowhere --path-map="$dir/app=$dir/copy"
unnamed "a map fits whole names" --path-map="$dir/ap=$dir/copy"
named "--path-map goes before --symfs" --symfs=/nowhere --path-map="$dir/app=$dir/copy"
named "through perf" --symbolizer=perf --symfs="$dir/root"
run "$FLAMETOP" --symbolizer=perf --path-map=/a=/b --to=folded w.data
exits 0 "perf has no path map"
says "*perf script has no --path-map*" "perf has no path map: says so"
# Links below DIR lead to where they lead with DIR as the root, not to what this machine has there.
mkdir -p linked/usr/lib/debug "linked$dir/app" "linked$dir/real"
cat >other.c <<'END'
__attribute__((noinline)) void of_this_machine(void) {}
int main(void) { of_this_machine(); return 0; }
END
cc -O0 -Wl,--build-id=none -o other other.c
cc -O1 -fno-omit-frame-pointer -Wl,--build-id=none -o app/w w.c
"$perf" record -q --no-buildid-cache -F 199 -g -o w.data ./app/w >/dev/null 2>&1
mv app/w copy/w
mkdir real
cp other real/w.1
cp other app/v
cp copy/w "linked$dir/real/w.1"
linked() { # target of the link below DIR, name
	ln -sfn "$1" "linked$dir/app/w"
	named "$2" --symfs=linked
	named "$2, --path-map of /" --path-map=/="$dir/linked"
}
linked "$dir/real/w.1" "an absolute link below DIR"
linked ../real/w.1 "a relative one"
linked "../../../../../../../../../../../../..$dir/real/w.1" "one that would lead out of DIR"
rm "linked$dir/app/w"
rmdir "linked$dir/app"
mv "linked$dir/real/w.1" "linked$dir/real/w"
cp other real/w
ln -s "$dir/real" "linked$dir/app"
named "an absolute link to the directory" --symfs=linked
rm "linked$dir/app"
mkdir "linked$dir/app"
ln -s "$dir/app/v" "linked$dir/app/w"
unnamed "a link to what is only on this machine" --symfs=linked
says "*linked$dir/app/v: No such file or directory*" "a link to what is only on this machine: the message names the missing file"
like "$out" "*w;*\[*" "and its names are not shown"
ln -s w "linked$dir/app/v"
unnamed "links in a circle" --symfs=linked
says "*a link that leads to itself*" "links in a circle are told"
if command -v objcopy >/dev/null; then
	rm "linked$dir/app/v" "linked$dir/app/w"
	objcopy --only-keep-debug copy/w w.debug
	objcopy --strip-all --add-gnu-debuglink=w.debug copy/w "linked$dir/app/w"
	mkdir -p "linked/usr/lib/debug$dir/app" "linked/there"
	unnamed "the debug file is missing" --symfs=linked
	cp w.debug "linked/usr/lib/debug$dir/app/w.debug"
	named "a debug file below DIR/usr/lib/debug" --symfs=linked
	mv "linked/usr/lib/debug$dir/app/w.debug" linked/there/w.debug
	ln -s /there/w.debug "linked/usr/lib/debug$dir/app/w.debug"
	named "a debug file behind an absolute link" --symfs=linked
	rm "linked/usr/lib/debug$dir/app/w.debug"
	ln -s /there "linked$dir/app/.debug"
	named "one beside the program, likewise" --symfs=linked
fi
"$perf" record -q --no-buildid-cache -F 199 -g -o w.data ./copy/w >/dev/null 2>&1
mkdir -p "root$dir/copy"
mv copy/w "root$dir/copy/w"
if command -v addr2line >/dev/null; then
	"$perf" script -i w.data 2>/dev/null >w.perf
	run "$FLAMETOP" --inline --symfs=root --to=folded w.perf
	exits 0 "inlined calls in text"
	case $err in *"$dir/copy/w"*) tap_result 1 "inlined calls in text: the program is found" "$err" ;;
	*) tap_result 0 "inlined calls in text: the program is found" ;; esac
	run "$FLAMETOP" --inline --to=folded w.perf
	exits 0 "inlined calls in text, no file"
	says "*no such program or library here*$dir/copy/w*" "inlined calls in text: without it, it is missed"
fi

done_testing
