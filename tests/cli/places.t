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
if command -v addr2line >/dev/null; then
	"$perf" script -i w.data 2>/dev/null >w.perf
	run "$FLAMETOP" --inline --symfs=root --to=folded w.perf
	exits 0 "inlined calls in text"
	case $err in *"$dir/app/w"*) tap_result 1 "inlined calls in text: the program is found" "$err" ;;
	*) tap_result 0 "inlined calls in text: the program is found" ;; esac
	run "$FLAMETOP" --inline --to=folded w.perf
	exits 0 "inlined calls in text, no file"
	says "*no such program or library here*$dir/app/w*" "inlined calls in text: without it, it is missed"
fi

done_testing
