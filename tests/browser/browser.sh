# shellcheck shell=sh
# browser.sh - what the tests in this directory share: runs the script of a test, NAME.js. To be sourced by NAME.t.
#
# Chromium is driven through playwright-core, which comes from npm and is installed once into the build directory;
# Firefox (firefox.js) by its own protocol. Without the browser, Node.js or the driver, the test is skipped with a
# message.
set -u
test=$(basename "$0" .t)
here=$(cd "$(dirname "$0")" && pwd)
build=${FLAMETOP_BUILD:-$here/../../build}/browser

skip() {
	echo "1..0 # SKIP $1"
	[ -z "${TESTS_SKIPPED-}" ] || printf '%s\tall\t%s\n' "tests/browser/$test.t" "$1" >>"$TESTS_SKIPPED"
	exit 0
}

[ -x "${FLAMETOP:-}" ] || skip "FLAMETOP does not name the program"
[ -z "${TESTS_SANITIZED:-}" ] || skip "a browser is not built with sanitizers, and other tests write the same kinds of files"
command -v node >/dev/null || skip "Node.js is not installed (scripts/check --browser does)"
find_firefox() {
	for browser in "${FIREFOX:-}" firefox-esr firefox; do
		FIREFOX=$(command -v "${browser:-none}") && break
	done
	[ -n "$FIREFOX" ] || skip "Firefox is not installed"
	modules='' CHROMIUM=''
}

# Tests run side by side: each fetches into a directory of its own, and the first puts it in place.
fetch_driver() {
	mine=$build/$$
	mkdir -p "$mine"
	cp "$here/package.json" "$here/package-lock.json" "$mine"
	(cd "$mine" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 timeout 120 npm ci --no-audit --no-fund --loglevel=error) \
		>"$build/npm.log" 2>&1 || skip "npm cannot get playwright-core (see $build/npm.log)"
	[ -d "$modules" ] || mv "$mine/node_modules" "$modules"
	rm -rf "$mine"
}

find_chromium() {
	for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		CHROMIUM=$(command -v "${browser:-none}") && break
	done
	[ -n "$CHROMIUM" ] || skip "Chromium is not installed (scripts/check --browser does)"

	if [ -d "$here/node_modules/playwright-core" ]; then
		modules=$here/node_modules
	else
		modules=$build/node_modules
		if [ ! -d "$modules/playwright-core" ]; then
			command -v npm >/dev/null || skip "playwright-core is not there, and neither is npm to get it"
			fetch_driver
		fi
	fi
	FIREFOX=''
}

if [ "$test" = firefox ]; then
	find_firefox
else
	find_chromium
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
NODE_PATH=$modules CHROMIUM=$CHROMIUM FIREFOX=$FIREFOX TMP=$tmp timeout 400 node "$here/$test.js"
