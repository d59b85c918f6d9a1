#!/bin/sh
# svg.t - the interactive SVG in a real browser: svg.js does the work, driving Chromium through playwright-core.
#
# The driver comes from npm and is installed once into the build directory. Without Chromium, Node.js or the driver,
# the test is skipped with a message.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${FLAMETOP_BUILD:-$here/../../build}/browser

skip() {
	echo "1..0 # SKIP $1"
	[ -z "${TESTS_SKIPPED-}" ] || printf '%s\tall\t%s\n' tests/browser/svg.t "$1" >>"$TESTS_SKIPPED"
	exit 0
}

[ -x "${FLAMETOP:-}" ] || skip "FLAMETOP does not name the program"
command -v node >/dev/null || skip "Node.js is not installed (scripts/check --browser does)"
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
		mkdir -p "$build"
		cp "$here/package.json" "$here/package-lock.json" "$build"
		(cd "$build" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 timeout 120 npm ci --no-audit --no-fund --loglevel=error) \
			>"$build/npm.log" 2>&1 || skip "npm cannot get playwright-core (see $build/npm.log)"
	fi
fi

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
NODE_PATH=$modules CHROMIUM=$CHROMIUM TMP=$tmp timeout 240 node "$here/svg.js"
