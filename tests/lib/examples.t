#!/bin/sh
# The examples for libflametop: built as a stranger would, with the installed header and pkg-config, shared and static.
. "$(dirname "$0")/../tap.sh"
library=$FLAMETOP_BUILD/library
[ -e "$library/libflametop.a" ] || skip_all "the library is not built here"
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "strangers build without sanitizers"
command -v "${CC:-cc}" >/dev/null && command -v pkg-config >/dev/null || skip_all "needs a C compiler and pkg-config"
export PKG_CONFIG_PATH="$dir/usr/lib/pkgconfig" LD_LIBRARY_PATH="$dir/usr/lib"

run env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$source" BUILD="$FLAMETOP_BUILD" -o "$FLAMETOP_BUILD/flametop" \
	-o "$library/libflametop.a" -o "$library/libflametop.so.1.0.0" install PREFIX="$dir/usr"
exits 0 "the library is installed"
cat >in.folded <<'END'
main;read;copy 10
main;write 20
nonsense
END

build() { # words for pkg-config, then for the compiler
	# shellcheck disable=SC2046 # several words
	"${CC:-cc}" -o top_ten "$source/examples/lib/top_ten.c" $2 $(pkg-config --cflags --libs $1 flametop) $3
}

run build '' '-Wall -Wextra -Wpedantic -std=c99 -Werror' ''
exits 0 "the example in C is built with the shared library"
run ./top_ten in.folded c.svg
exits 0 "and runs"
prints "*20            20  write*10            10  copy*" "it prints functions with their weights"
says "top_ten: in.folded:3: *" "and what was skipped"
ok "it writes the picture" grep -q 'The same as a picture' c.svg
run ./top_ten nowhere c.svg
exits 1 "a profile that is not there is an error"
says "top_ten: nowhere: cannot open: No such file or directory" "in the library's words"
echo 'main 1' >good.folded
run ./top_ten good.folded nowhere/c.svg
exits 1 "so is a picture that cannot be written"
says "nowhere/c.svg: No such file or directory" "in the system's words, and in no others"

cat >by_cxx.cc <<'END'
#include <flametop.h>
int main() { return flametop_version()[0] == 0; }
END
if command -v "${CXX:-c++}" >/dev/null; then
	# shellcheck disable=SC2046
	run "${CXX:-c++}" -Wall -Wextra -Wpedantic -Werror -o by_cxx by_cxx.cc $(pkg-config --cflags --libs flametop)
	exits 0 "C++ reads the header"
	ok "and links" ./by_cxx
else
	skip 2 "there is no C++ compiler"
fi

rm "$dir/usr/lib/libflametop.so"* top_ten
run build --static '' ''
exits 0 "the example is built with the static library"
run ./top_ten in.folded static.svg
exits 0 "and runs"
ok "it writes the same picture" cmp c.svg static.svg

if command -v python3 >/dev/null; then
	cp "$library/libflametop.so.1.0.0" "$dir/usr/lib/libflametop.so.1"
	run "$source/examples/lib/top_ten.py" in.folded python.svg
	exits 0 "the example in Python runs"
	prints "*20            20  write*10            10  copy*" "it prints functions with their weights"
	says "top_ten.py: in.folded:3: *" "and what was skipped"
	ok "it writes the same picture" cmp c.svg python.svg
else
	skip 4 "there is no python3"
fi

done_testing
