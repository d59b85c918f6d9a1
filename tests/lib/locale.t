#!/bin/sh
# libflametop in a program whose locale has a comma in numbers: the same bytes, and the program's locale stays.
. "$(dirname "$0")/../tap.sh"
numbers=$FLAMETOP_BUILD/tests/lib/numbers
[ -x "$numbers" ] || skip_all "the library is not built here"
command -v localedef >/dev/null || skip_all "localedef is not here"

cat >commas.src <<'LOCALE'
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
LOCALE
mkdir locales
localedef -c -i commas.src "$PWD/locales/commas" >localedef.said 2>&1
unset LC_ALL LANG
export LOCPATH="$PWD/locales"
# glibc's newlocale() loses memory of its own where LOCPATH is set.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
printf 'main;read 10\nmain;write 1\n' >new.folded
printf 'main;read 13\nmain;write 21\n' >old.folded

"$numbers" new.folded old.folded >in_c 2>&1
is "$?" 0 "in the C locale all is well"
LC_NUMERIC=commas "$numbers" new.folded old.folded >in_commas 2>&1
is "$?" 0 "as it is in one with commas"
[ "$(head -n 1 in_commas)" = 1,5 ] || skip_rest "this C library does not take the locale"
is "$(sed -n 2p in_commas)" "set_time: 0 " "a time that is not whole is set"
is "$(tail -n 1 in_commas)" 1,5 "the program's numbers have commas again after the calls"
sed '1d;$d' in_c >c
sed '1d;$d' in_commas >commas
ok "and the files are the same" cmp c commas

done_testing
