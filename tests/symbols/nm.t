#!/bin/sh
# Names of functions in programs that are compiled here: those that nm, objdump and the debug files know.
. "$(dirname "$0")/../tap.sh"

symbols=${FLAMETOP_BUILD:-$source/build}/tests/tools/symbols
for tool in cc nm objcopy strip; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

cat >p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) int helper(int n) { return n * 3 + rand(); }
__attribute__((noinline)) int shown(int n) { return helper(n) + 1; }
int main(int argc, char **argv) { printf("%d %s\n", shown(argc), *argv); return 0; }
END

# Each function at its address and in its middle.
# shellcheck disable=SC2317 # ok calls it
as_nm() { # file
	nm -S "$1" | awk '
		function hex(s, n, i) {
			for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return n
		}
		NF == 4 && $3 ~ /^[Tt]$/ && !seen[$1]++ && $2 !~ /^0*1$/ {
			printf "%x %s\n%x %s\n", hex($1), $4, hex($1) + 1, $4
		}' >known
	cut -d' ' -f1 known | "$symbols" "$1" | sed 's/+0x[01]$//' >got
	cut -d' ' -f2 known >expected
	cmp -s got expected && [ -s expected ]
}

build() { # name, options
	out=$1
	shift
	cc -O1 p.c -o "$out" "$@" 2>/dev/null
}

where() { nm p | awk -v name="$1" '$3 == name { print $1 }'; }

build p || skip_all "cc makes no program"
ok "a program" as_nm p
for kind in -static -no-pie -m32 -fuse-ld=lld -fuse-ld=gold; do
	if build q $kind; then
		case $kind in
		-static) # several names for one address there: only that each has one
			nm q | awk '$2 == "T" { print $1 }' | "$symbols" q >got
			ok "a program by cc $kind" test "$(grep -c '^?' got)" -eq 0 ;;
		*) ok "a program by cc $kind" as_nm q ;;
		esac
	else
		skip 1 "cc has no $kind"
	fi
done

# Stubs as objdump names them, but for the header of their table.
if command -v objdump >/dev/null && build q -Wl,-z,lazy && [ "$(uname -m)" = x86_64 ]; then
	objdump -d q | sed -n 's/^0*\([0-9a-f]*\) <\([^>]*@plt\)>:$/\1 \2/p' >known
	cut -d' ' -f1 known | "$symbols" q >got
	is "$(cat got)" "$(sed 's/.* //; s/$/+0x0/' known)" "stubs have the names of what they call"
else
	skip 1 "no objdump, or no stubs"
fi

# Stripped in the ways of distributions.
helper=$(where helper)
cp p stripped
objcopy --only-keep-debug p p.debug
strip stripped
is "$(echo "$helper" | "$symbols" stripped)" '?' "a stripped program has no name"
objcopy --add-gnu-debuglink=p.debug stripped linked
is "$(echo "$helper" | "$symbols" linked)" 'helper+0x0' "a debug file beside it has one"
mkdir .debug
mv p.debug .debug
is "$(echo "$helper" | "$symbols" linked)" 'helper+0x0' "in .debug, too"
if command -v readelf >/dev/null && id=$(readelf -n p | sed -n 's/.*Build ID: //p') && [ -n "$id" ]; then
	rest=${id#??}
	mkdir -p "lib/.build-id/${id%"$rest"}"
	mv .debug/p.debug "lib/.build-id/${id%"$rest"}/$rest.debug"
	is "$(echo "$helper" | SYMBOLS_DEBUG=$dir/lib "$symbols" stripped)" 'helper+0x0' "a debug file of the same build id"
	sed 's/helper/another/' p.c >p2.c && cc -O1 p2.c -o p2 -Wl,--build-id=0x1234567890
	objcopy --only-keep-debug p2 "lib/.build-id/${id%"$rest"}/$rest.debug"
	is "$(echo "$helper" | SYMBOLS_DEBUG=$dir/lib "$symbols" stripped)" '?' "one of another build id is not believed"
	cp "lib/.build-id/${id%"$rest"}/$rest.debug" .debug/p.debug
	is "$(echo "$helper" | "$symbols" linked)" '?' "nor one that a link leads to"
else
	skip 3 "no build ids"
fi
if command -v xz >/dev/null; then
	objcopy --only-keep-debug p mini
	xz -k mini
	objcopy --add-section .gnu_debugdata=mini.xz stripped fedora
	is "$(echo "$helper" | "$symbols" fedora)" 'helper+0x0' "a packed table in the program"
	head -c 200 mini.xz >cut.xz
	objcopy --add-section .gnu_debugdata=cut.xz stripped fedora
	is "$(echo "$helper" | "$symbols" fedora)" '?' "of a packed table that is cut nothing is left"
else
	skip 2 "no xz"
fi
done_testing
