#!/bin/sh
# A recording of an aarch64 machine, with a copy of the stack, is read on any other.
. "$(dirname "$0")/../tap.sh"

data=$source/tests/data/aarch64
cp -R "$data" here
run "$FLAMETOP" --to=folded --no-inline --symfs="$data/root" "$data/aarch64.data"
is "$out" "work;_start;upper_function;middle_function;leaf_function 1000000" "the stack is unwound, and functions have names"
run "$FLAMETOP" --to=folded --no-inline --symfs=here/root here/aarch64.data
is "$out" "work;_start;upper_function;middle_function;leaf_function 1000000" "also with a relative path to the files"
run "$FLAMETOP" --to=folded --symfs=here/root here/aarch64.data
case $out in
*inlined*) like "$out" "*upper_function;inlined_function;middle_function*" "and inlined functions" ;;
*) skip 1 "built without libdw" ;;
esac
run "$FLAMETOP" --to=folded here/aarch64.data
exits 0 "without the files the sample is there"
says "*/data/work: functions have no names: *" "and the missing file is named"
done_testing
