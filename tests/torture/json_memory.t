#!/bin/sh
# JSON of very many elements that say next to nothing. What a format keeps of them, besides names, threads and different
# stacks, takes at most nine bytes for each byte of input.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory and time of their own"
bombs=${FLAMETOP_BUILD:-$source/build}/tests/torture/bombs
[ -x "$bombs" ] || skip_all "bombs is not built"
mega=3
[ "${TORTURE:-}" = all ] && mega=30
most=9       # bytes for each byte of input
overhead=15  # MiB: what a small input takes, twice
HOME=$dir
export HOME

# The element as often as it takes; # becomes a number.
write() { # BEFORE ELEMENT AFTER
	awk -v before="$1" -v element="$2" -v after="$3" -v bytes=$((mega * 1000000)) 'BEGIN {
		printf "%s", before
		split(element, part, "#")
		for (i = 0; bytes > 0; i++) {
			text = (i ? "," : "") (index(element, "#") ? part[1] 1000000 + i part[2] : element)
			printf "%s", text
			bytes -= length(text)
		}
		print after
	}'
}

while IFS='|' read -r format before element after; do
	write "$before" "$element" "$after" >input
	[ -z "${BOMBS_LOG:-}" ] || printf '%s, %s...%s: ' "$format" "$before" "$element" >>"$BOMBS_LOG"
	"$bombs" within 60 $((overhead + most * mega)) "$FLAMETOP" --no-config -q -j1 -f "$format" --to=folded input >said 2>errors </dev/null
	status=$?
	[ $status -gt 1 ] || status=0 # most of these have no samples
	err=$(head -c 2000 errors)
	exits 0 "$format: many times '$(printf %s "$element" | tr '#' N)' after $(printf %s "$before" | tail -c 30)"
done <<'END_OF_SHAPES'
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"tid":1}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"stringArray":[""]}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"samples":{"stack":[0]}}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"stackTable":{"frame":[0]}}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[{"samples":{"weight":[|1|]}}]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[{"stringArray":[|0|]}]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"tid":1}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"stringTable":[""]}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"samples":{"data":[[]]}}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[|{}|],"threads":[]}
END_OF_SHAPES

done_testing
