# shellcheck shell=sh
# services.sh - what the tests in this directory share: real servers of profiles. To be sourced after tap.sh.
#
#	need_modules            Node.js, and the packages of package.json in $modules
#	start NAME CMD ARG...   starts a server that writes its port to NAME.port; its output is in NAME.said
#
# The packages come from npm, half a gigabyte with the engine of ClickHouse, and are installed once into the build
# directory, but only if FLAMETOP_SERVICES is set, as `scripts/check --services` does.

# How flametop talks to servers is also tested with servers of our own, which are ready at once.
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "building and starting real servers takes long, and no sanitizer looks at them"

here=$source/tests/services
build=${FLAMETOP_BUILD:-$source/build}/services
modules=$build/node_modules
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY CURL_CA_BUNDLE SSL_CERT_FILE
unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD
servers=

end_servers() {
	# shellcheck disable=SC2086 # several
	[ -z "$servers" ] || { kill $servers && wait $servers; } 2>/dev/null
}
trap 'end_servers; cd / && rm -rf "$dir"' EXIT

# Tests run side by side: each fetches into a directory of its own, and the first puts it in place.
fetch_modules() {
	[ -n "${FLAMETOP_SERVICES-}" ] || skip_all "the packages of tests/services are not installed (scripts/check --services)"
	command -v npm >/dev/null || skip_all "there is no npm to get the packages of tests/services"
	mine=$build/$$
	mkdir -p "$mine"
	cp "$here/package.json" "$here/package-lock.json" "$mine"
	# Not `npm ci`: it wants the packages of other systems in the lock file, which a registry may lack.
	(cd "$mine" && timeout 300 npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error) >"$build/npm.log" 2>&1 ||
		skip_all "npm cannot get the packages of tests/services (see $build/npm.log)"
	[ -d "$modules" ] || mv "$mine/node_modules" "$modules" 2>/dev/null
	rm -rf "$mine"
}

need_modules() {
	command -v node >/dev/null || skip_all "Node.js is not installed (scripts/check --services does)"
	[ -d "$modules/$1" ] || fetch_modules
	NODE_PATH=$modules
	export NODE_PATH
}

start() {
	name=$1
	shift
	"$@" >"$name.said" 2>&1 &
	servers="$servers $!"
	until_true test -s "$name.port" || skip_all "$name does not start: $(head -1 "$name.said")"
	port=$(cat "$name.port")
}

flametop() { "$FLAMETOP" --no-config "$@"; }
fetch() { run "$FLAMETOP" --no-config --to=folded "$@"; }
sum_of() { awk '{ sum += $NF } END { printf "%d\n", sum }'; }
