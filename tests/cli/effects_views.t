#!/bin/sh
# Tries options in the views that are not the usual one of their output: one that makes no difference is one of the other
# views, or is named.
. "$(dirname "$0")/../tap.sh"
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "thousands of runs take too long with sanitizers"
. "$source/tests/cli/effects_outputs.sh"

for pair in text,table text,calls text,lines json,lines markdown,lines svg,sandwich text,sandwich \
	folded,sandwich json,sandwich; do
	shown=--view=${pair#*,} skipped=--view
	case $pair in
	*sandwich) shown="$shown --function=main" skipped='--view --function' ;;
	*calls) shown="$shown --expand=main" skipped='--view --function --cursor --expand' ;;
	esac
	try_options "$pair" "${pair%,*}" "$shown" "$skipped"
done
done_testing
