#!/bin/sh
# libflametop writes the same bytes as the program, and says the same: for inputs of several formats, kinds of files, and
# options of views.
. "$(dirname "$0")/../tap.sh"
export_=$FLAMETOP_BUILD/tests/lib/export
[ -x "$export_" ] || skip_all "the library is not built here"

cat >new.folded <<'END'
main;read;copy 10
main;read;copy;_ZNSolsEi 4
main;write 20
main;write;malloc 7
main;_ZN4core3fmt5write17h0123456789abcdefE 2
other;[libc.so] 3
END
cat >old.folded <<'END'
main;read;copy 30
main;write 20
gone;malloc 11
END
data=$source/tests/data/collapse
cp "$data/perf/two-threads.in" threads.perf
cp "$data/pprof/cpu.in" cpu.pprof
cp "$data/speedscope/decimals.in" decimals.json

# Both write one kind; options are words NAME=VALUE, "yes" being a flag.
differ() { # kind, options, files
	kind=$1 options=$2
	shift 2
	words=
	for o in $options; do
		case $o in
		*=yes) words="$words --${o%=yes}" ;;
		*) words="$words --$o" ;;
		esac
	done
	# shellcheck disable=SC2086 # several words
	"$FLAMETOP" --to="$kind" $words ${2:+--diff="$2"} "$1" >by_program 2>program_said </dev/null
	program=$?
	# shellcheck disable=SC2086
	"$export_" "$kind" $options "$@" >by_library 2>library_said </dev/null
	library=$?
	[ $program -eq $library ] || echo "$kind $options $*: status $program, of the library $library"
	cmp -s by_program by_library || echo "$kind $options $*: other bytes"
	cmp -s program_said library_said || diff program_said library_said
}

kinds='svg html folded text top markdown lines speedscope firefox json pprof callgrind'
for file in new.folded threads.perf cpu.pprof decimals.json; do
	is "$(for kind in $kinds; do differ "$kind" '' $file; done)" "" "$file: each kind is the same"
done
is "$(for kind in $kinds; do differ "$kind" '' new.folded old.folded; done)" "" "a comparison: each kind is the same"

for options in reverse=yes inverted=yes 'group=module' 'focus=write' 'ignore=malloc hide=copy' 'zoom=main;write' \
	'search=ma.n' 'sort=weight' 'sort=input' 'flamechart=yes' 'minwidth=20' 'width=60 ascii=yes' 'no-demangle=yes' \
	'split=comm' 'strip-hex=yes' 'view=table' 'view=calls' 'view=sandwich function=main' 'table-sort=total top=2' \
	'factor=0.5' 'factor=3' 'title=T subtitle=S height=20 colors=java' 'hash=yes' 'total=100' 'color=256' \
	'nonsense=1' 'width=x' 'zoom=nobody' 'view=heat' 'callees=nobody' 'time=1,2' 'event=bogus'; do
	is "$(for kind in svg folded text json; do differ $kind "$options" new.folded; done)" "" "$options: the same"
done
for options in '' flamechart=yes 'flamechart=yes axis=samples' 'thread=100' 'time=0,0.5' 'jit=yes kernel=yes' 'tid=yes' \
	'event-filter=cycles' 'split=tid'; do
	is "$(for kind in svg folded speedscope; do differ $kind "$options" threads.perf; done)" "" \
		"a recording with times, $options: the same"
done
for options in 'absolute=yes' 'widths=before' 'negate=yes' 'no-diff=yes' 'reverse=yes' 'table-sort=self-before'; do
	is "$(for kind in svg folded top; do differ $kind "$options" new.folded old.folded; done)" "" \
		"a comparison, $options: the same"
done
is "$(differ svg normalize=yes new.folded)" "" "without a baseline: the same error"

# Bytes in memory have no name that a command could read; all else is as of a file.
is "$(for f in new.folded cpu.pprof decimals.json; do
	"$export_" folded $f >by_file 2>file_said
	MEMORY=1 "$export_" folded $f >by_memory 2>memory_said
	cmp by_file by_memory
	cmp file_said memory_said
done)" "" "bytes in memory are read as files are"
MEMORY=1 "$export_" svg new.folded >memory.svg
ok "and their picture names no command" sh -c "! grep -q 'flametop new' memory.svg"

done_testing
