#!/bin/sh
# The same sources give the same bytes in any directory and at any time: some files are compiled twice.
. "$(dirname "$0")/../tap.sh"

for tool in make "${CC:-cc}" pkg-config; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done

objects='build/base/mem.o build/base/decompress.o build/export/page.o build/options.o build/manual.o'
compile() { # directory, variables
	mkdir -p "$1"
	cp -R "$source/Makefile" "$source/include" "$source/src" "$source/scripts" "$1"
	# shellcheck disable=SC2086 # words of a list
	(cd "$1" && shift && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "$@" $objects) >"$dir/log" 2>&1
}

# Assertions name their file, as does debug information.
compile "$dir/here" CFLAGS='-O1 -g'
tap_result $? "the sources are compiled in another directory" "$(tail -3 "$dir/log")"
compile "$dir/some where/quite else" SOURCE_DATE_EPOCH=1 TZ=Asia/Tokyo CFLAGS='-O1 -g'
for o in $objects; do
	ok "$o is the same in two directories" cmp -s "$dir/here/$o" "$dir/some where/quite else/$o"
	ok "it does not name its directory" sh -c "! grep -q '$dir' '$dir/here/$o'"
done

done_testing
