#!/bin/sh
# A profile is the same for any number of threads: sorted input is cut between neighbouring stacks, and the parts are
# joined at their edges; each thread takes the unsorted lines whose stacks begin alike.
. "$(dirname "$0")/../tap.sh"

# Below about 24 MB another thread does not pay, so names are long.
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "takes too long with sanitizers"
files="sorted mixed shuffled"
threads="2 3"
[ "${TORTURE:-}" = all ] && files="sorted mixed shuffled twice doubled" && threads="2 3 5 8"

# Long shared prefixes, names that are prefixes of each other, and stacks that end where others go on.
awk 'BEGIN {
	long = "a_rather_long_name_of_a_function_as_templates_have_them_with_all_their_arguments"
	for (i = 0; i < 420000; i++) {
		s = "main;" long ";phase" int(i / 9000) ";" long int(i / 700) % 97 ";work"
		if (i % 3) s = s ";inner" i % 41
		if (i % 5 == 0) s = s ";in"
		if (i % 7) s = s ";leaf_" i
		if (i % 11 == 0) s = s ";" i % 13 ";deeper;and;deeper"
		print s, i % 17 + 1
	}
}' >mixed.folded
"$FLAMETOP" -j1 --to=folded mixed.folded >sorted.folded
# Unsorted, with counts before and after, fractions, and lines that are no stacks.
awk 'BEGIN { srand(1) } { print rand() "\t" $0 (NR % 1000 == 7 ? " " NR : NR % 1000 == 8 ? ".25" : NR % 1000 == 9 ? " x" : "") }' mixed.folded |
	LC_ALL=C sort | cut -f 2- >shuffled.folded
ok "the input is large enough for two threads" test "$(wc -c <sorted.folded)" -gt 60000000
if [ "${TORTURE:-}" = all ]; then
	# Each stack twice, far apart and close together.
	cat sorted.folded mixed.folded >twice.folded
	awk '{ print; if (NR % 4 == 0) print }' sorted.folded >doubled.folded
fi

for f in $files; do
	for kind in folded top; do
		"$FLAMETOP" -j1 --to="$kind" --top=1000000 "$f.folded" >"one.$kind" 2>"one.notes"
		for jobs in $threads; do
			"$FLAMETOP" -j"$jobs" --to="$kind" --top=1000000 "$f.folded" >"many.$kind" 2>"many.notes"
			ok "$f: $kind by $jobs threads is the same as by one" cmp -s "one.$kind" "many.$kind"
			ok "$f: and so are the messages" cmp -s "one.notes" "many.notes"
		done
	done
	"$FLAMETOP" -j1 --flamechart --to=text --minwidth=0 "$f.folded" >one.chart
	"$FLAMETOP" -j2 --flamechart --to=text --minwidth=0 "$f.folded" >many.chart
	ok "$f: so is the chart, in the order of the input" cmp -s one.chart many.chart
	"$FLAMETOP" -j1 --sort=input --to=svg --minwidth=0.01 "$f.folded" >one.svg
	for jobs in $threads; do
		"$FLAMETOP" -j"$jobs" --sort=input --to=svg --minwidth=0.01 "$f.folded" >many.svg
		ok "$f: and siblings in the order of the input, by $jobs threads" cmp -s one.svg many.svg
	done
done
"$FLAMETOP" -j2 --to=folded sorted.folded | cmp -s - sorted.folded
tap_result $? "sorted text comes out as it went in"

done_testing
