#!/bin/sh
# One very deep stack, very many stacks next to each other, and both at once, in every format that can hold them: code
# that walks a stack for each event, or siblings for each name, exceeds its time.
. "$(dirname "$0")/../tap.sh"

[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory and time of their own"
built=${FLAMETOP_BUILD:-$source/build}/tests/torture
[ -x "$built/shapes" ] || skip_all "shapes is not built"
[ -x "$built/bombs" ] || skip_all "bombs is not built"
depth=100000 width=100000 slow=5
level=4000 # for trees with indented lines: 16 MB
if [ "${TORTURE:-}" = all ]; then
	depth=300000 width=3000000 slow=60
fi

# Quadratic work is 5,000,000,000 steps and more, at least some ten seconds; linear work takes a tenth of a second. In
# the long form it is a minute against some seconds. Seconds are processor time, so that other load does not matter.
shape() { # SHAPE FORMAT N SECONDS MIB NAME
	"$built/shapes" "$1" "$2" "$3" >input
	[ -z "${BOMBS_LOG:-}" ] || printf '%s %s: ' "$1" "$2" >>"$BOMBS_LOG"
	# shellcheck disable=SC3045 # if unsupported, this takes a minute
	(ulimit -t "$4" 2>/dev/null; exec "$built/bombs" within $((10 * $4)) "$5" "$FLAMETOP" -q -f "${2%:*}" --to=top --top=1 input) \
		>said 2>errors </dev/null
	status=$?
	err=$(head -c 2000 errors)
	exits 0 "$6"
	rm -f input
}

while read -r format kind; do
	deep=$depth
	[ "$kind" != indented ] || deep=$level
	shape deep "$format" "$deep" $slow 250 "$format: $deep functions on top of each other"
	shape wide "$format" $width $slow 1600 "$format: $width functions next to each other"
	[ "$kind" != comb ] || shape comb "$format" $((2 * depth)) $slow 400 "$format: $depth functions on top of as many"
done <<END
$("$built/shapes" list)
END
"$FLAMETOP" --format=help | sed -n 's/^\([a-z][a-z0-9-]*\)\(  .*\)\{0,1\}$/\1/p' | sort >formats
"$built/shapes" list | sed 's/[: ].*//' | sort -u >shaped
is "$(comm -3 formats shaped)" auto "no format was forgotten"

done_testing
