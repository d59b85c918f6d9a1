# shellcheck shell=sh
# tap.sh - shell tests that speak TAP: `. "$(dirname "$0")/../tap.sh"` at the top, done_testing at the end.
#
#	run CMD ARG...          keeps standard output in $out, standard error in $err, the exit status in $status
#	exits 2 "..."           checks the status
#	says PATTERN "..."      standard error matches the shell pattern
#	prints PATTERN "..."    standard output does
#	is GOT EXPECTED "..."   two strings are equal
#	ok "..." CMD ARG...     the command succeeds
#
# The test runs in its own empty directory ($dir), and $source is the top of the sources. FLAMETOP names the program.
# Names of tests are sentences.

set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
FLAMETOP=${FLAMETOP:-$source/build/flametop}
dir=$(mktemp -d "${TMPDIR:-/tmp}/flametop-test-XXXXXX")
trap 'cd / && rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM # and through EXIT
cd "$dir" || exit 1

# The user's home has copies of programs that perf has recorded, and passwords: no test sees them. What compilers
# and npm keep there is used.
GOCACHE=${GOCACHE:-${HOME-}/.cache/go-build} GOPATH=${GOPATH:-${HOME-}/go}
npm_config_cache=${npm_config_cache:-${HOME-}/.npm}
CARGO_HOME=${CARGO_HOME:-${HOME-}/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-${HOME-}/.rustup}
HOME=$dir/.home
export GOCACHE GOPATH npm_config_cache CARGO_HOME RUSTUP_HOME HOME
mkdir "$HOME" || exit 1

export PYTHONDONTWRITEBYTECODE=1 # the sources may be read-only

tap_program=${0#"$source/"}
tap_n=0
tap_failed=0

# shellcheck disable=SC2034 # for the tests
run() {
	"$@" >"$dir/.out" 2>"$dir/.err" </dev/null
	status=$?
	out=$(cat "$dir/.out")
	err=$(cat "$dir/.err")
}

tap_result() { # 0 or not, name, diagnostics
	tap_n=$((tap_n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_n - $2"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_n - $2"
	printf '%s\n' "$3" | sed 's/^/# /' >&2
	return 1
}

ok() {
	tap_name=$1
	shift
	"$@"
	tap_result $? "$tap_name" "failed: $*"
}

is() {
	[ "$1" = "$2" ]
	tap_result $? "$3" "got:
$1
expected:
$2"
}

like() { # text, shell pattern, name
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	case $1 in
	$2) tap_result 0 "$3" ;;
	*) tap_result 1 "$3" "got:
$1
expected something like:
$2" ;;
	esac
}

exits() {
	[ "$status" -eq "$1" ]
	tap_result $? "$2" "exit status $status, expected $1; it said:
$err"
}

says() { like "$err" "$1" "$2"; }
prints() { like "$out" "$1" "$2"; }

# The stacks in a folded file, without the line that names their event and unit.
stacks_of() { sed '1{/^#/d;}' "$1"; }

one_line() { # the error message is one line
	is "$(printf '%s\n' "$err" | wc -l | tr -d ' ')" 1 "$1"
}

# Waits up to half a minute, which only a failing test needs.
until_true() { # CMD ARG...
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -gt 1000 ] && return 1
		sleep 0.03
	done
}

# Adds what was skipped to the file named by TESTS_SKIPPED: program, number of assertions, reason.
say_skipped() { # how many, why
	[ -z "${TESTS_SKIPPED-}" ] || printf '%s\t%s\t%s\n' "$tap_program" "$1" "$2" >>"$TESTS_SKIPPED"
}

skip() { # how many, reason
	say_skipped "$1" "$2"
	tap_left=$1
	while [ "$tap_left" -gt 0 ]; do
		tap_n=$((tap_n + 1))
		tap_left=$((tap_left - 1))
		echo "ok $tap_n # SKIP $2"
	done
}

# Can we make a terminal?
has_terminals() {
	"${FLAMETOP_BUILD:-$source/build}/tests/torture/signals" can
}

# Sets $as_other, which begins a command that another user than root runs, and $program, flametop for that user. $as_other
# is empty if this user is not root, or there is no setpriv.
find_another_user() {
	as_other=""
	program=$FLAMETOP
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || return 0
	as_other="setpriv --reuid=65534 --regid=65534 --clear-groups"
	program=$dir/copy
	cp "$(readlink -f "$FLAMETOP")" "$program"
	chmod 755 "$dir" "$program"
}

skip_rest() { # reason: some of the program has run
	say_skipped rest "$1"
	echo "# SKIP the rest: $1"
	done_testing
}

skip_all() {
	[ "$tap_n" -eq 0 ] || skip_rest "$1"
	say_skipped all "$1"
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$tap_n"
	[ "$tap_failed" -eq 0 ]
	exit
}
