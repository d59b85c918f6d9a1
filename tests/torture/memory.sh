# memory.sh - what the tests of memory share: how large inputs are, and what a small one takes. Sourced after tap.sh.
# shellcheck shell=sh disable=SC2034 # for the tests
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory and time of their own"
bombs=${FLAMETOP_BUILD:-$source/build}/tests/torture/bombs
[ -x "$bombs" ] || skip_all "bombs is not built"
mega=6 # bytes of each input, in millions
[ "${TORTURE:-}" = all ] && mega=60
overhead=10 # MiB: what a small input takes, and some
