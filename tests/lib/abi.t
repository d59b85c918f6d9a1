#!/bin/sh
# The names that libflametop exports, and those that it needs: none is added or lost by accident, and none ends the
# process, handles signals or prints.
. "$(dirname "$0")/../tap.sh"
library=$FLAMETOP_BUILD/library
[ -e "$library/libflametop.so.1" ] || skip_all "the library is not built here"
command -v nm >/dev/null && command -v readelf >/dev/null || skip_all "needs nm and readelf (binutils)"

# "name@VERSION", of the list that packages have, too
sed -n 's/^ \(.*\) [^ ]*$/\1/p' "$source/debian/libflametop1.symbols" | LC_ALL=C sort >expected
nm -D --defined-only "$library/libflametop.so.1" | awk '{ print $3 }' | sed 's/@@/@/; s/^FLAMETOP_1.0$/&@&/' |
	grep -v '^__\(asan\|tsan\|ubsan\|start\|stop\)' | LC_ALL=C sort >exported
is "$(cat exported)" "$(cat expected)" "the library exports the names in debian/libflametop1.symbols, and no others"

sed -n 's/^FLAMETOP_API .*[ *]\(flametop_[a-z_]*\)(.*/\1/p' "$source/include/flametop.h" | LC_ALL=C sort >declared
sed -n 's/@FLAMETOP.*//; /^flametop_/p' expected >listed
is "$(cat declared)" "$(cat listed)" "flametop.h declares them all"
missing=$(while read -r name; do grep -q "$name" "$source/tests/lib/calls.t.c" || echo "$name"; done <listed)
is "$missing" "" "and tests/lib/calls.t.c calls each of them"
missing=$(while read -r name; do grep -q "$name" "$source/man/libflametop.3" || echo "$name"; done <listed)
is "$missing" "" "and the manual page names each of them"

nm -g --defined-only "$library/libflametop.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >static
is "$(cat static)" "$(cat listed)" "the static library has the same names"

is "$(readelf -d "$library/libflametop.so.1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libflametop.so.1 "its name is libflametop.so.1"
is "$(readelf -d "$library/libflametop.so.1" | grep -c 'ncurses\|tinfo\|libcurl')" 0 "it needs neither curses nor libcurl"
is "$(grep -c 'libcurl' "$library/libflametop.so.1")" 0 "nor does it load libcurl"

if [ -n "${TESTS_SANITIZED:-}" ]; then
	skip 3 "what the library needs: a sanitizer needs more"
else
	nm -D -u "$library/libflametop.so.1" | awk '{ print $2 }' | sed 's/@.*//' >needed
	# Those by which a process ends, by which signals get handlers, and by which text gets to standard error.
	is "$(grep -xE '_?exit|_Exit|quick_exit|abort|raise|(__)?assert(_fail|_perror_fail)?|sigaction|(__sysv_)?signal|bsd_signal|atexit|__cxa_atexit|stderr|stdout|perror|psignal|(v|f|vf|d)?w?printf|puts|fputs|putchar|setlocale|exec.*' needed)" \
		"" "it needs no function that ends the process, handles signals, or prints"
	is "$(grep -xE 'getopt.*|opt(arg|ind|err)|strtok|strerror|localtime|gmtime|ctime|asctime|rand|srand|random|getpwnam|getpwuid|readdir64_r|setenv|putenv|umask|chdir' needed)" \
		"" "nor one whose state is the process's"
	is "$(grep -xE 'socket|bind|listen|accept4?|connect|getaddrinfo' needed)" "" "nor one that talks to other machines"
fi

is "$("$source/scripts/library-manual" "$(sed -n 's/^VERSION = //p' "$source/Makefile")" \
	"$(sed -n 's/^DATE = //p' "$source/Makefile")" | cmp - "$source/man/libflametop.3" 2>&1)" "" "the manual page is that of flametop.h"

# What profiles share: the seed of hashes is written before main(), the memory of open debug files under a mutex, the
# others never in a library, or atomically.
if [ -n "${TESTS_SANITIZED:-}" ] || ! command -v objdump >/dev/null; then
	skip 1 "variables of the library: needs objdump, and no sanitizer"
else
	is "$(objdump -t "$library/libflametop.a" | awk '$4 ~ /^\.(bss|data)(\.[a-z_]*)?$/ && $4 !~ /rel\.ro/ && $NF !~ /^\./ { print $NF }
		$4 == "*COM*" { print $NF }' | sed 's/\.[0-9]*$//; s/.*\.//' | LC_ALL=C sort | tr '\n' ' ')" \
		"all kept mutex n no_code no_node no_site seed " "it has no variables but those known to be harmless"
fi

if command -v abidw >/dev/null && command -v abidiff >/dev/null; then
	abidw --headers-dir "$source/include" "$library/libflametop.so.1" >abi.xml 2>/dev/null
	ok "libabigail reads what it exports" grep -q flametop_view_export abi.xml
fi

done_testing
