# fetch.sh - a server of profiles on the loopback: `. "$source/tests/cli/fetch.sh"` after tap.sh.
# shellcheck shell=sh
#
#	serve NAME [CERTIFICATE]    starts one; its address is in $at, its requests are in NAME.log; server=FILE: another
#	asked PATTERN NAME          was the last request like this?

command -v python3 >/dev/null || skip_all "python3 is not installed"
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY CURL_CA_BUNDLE SSL_CERT_FILE
HOME=$dir
export HOME
servers=

end_servers() {
	# shellcheck disable=SC2086 # several
	[ -z "$servers" ] || kill $servers 2>/dev/null
}
trap 'end_servers; cd / && rm -rf "$dir"' EXIT

serve() {
	: >"$1.log"
	# shellcheck disable=SC2086 # there may be no certificate
	python3 "$source/tests/cli/${server:-fetch_server.py}" "$dir" "$dir/$1.log" "$dir/$1.port" ${2-} >"$dir/$1.said" 2>&1 &
	servers="$servers $!"
	until_true test -s "$1.port" || skip_all "there is no server: $(cat "$1.said")"
	# shellcheck disable=SC2034 # for the test
	at=http${2:+s}://127.0.0.1:$(cat "$1.port")
}

asked() {
	# shellcheck disable=SC2254 # must not be quoted: it is a pattern
	like "$(awk 'BEGIN { RS = "" } { last = $0 } END { print last }' "$log.log")" "$1" "$2"
}
