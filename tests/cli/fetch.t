#!/bin/sh
# Profiles by their addresses, from a server on the loopback: what is asked, what is shown of errors, and no secrets.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/fetch.sh"

flametop() { "$FLAMETOP" --no-config "$@"; }
fetch() { run "$FLAMETOP" --no-config --to=folded "$@"; }

log=one
serve other
other=$at
serve one
cp "$source/tests/data/collapse/pprof/heap.in" some.pb
cp "$source/tests/data/collapse/pprof/cpu.in" cpu.pb
cp "$source/tests/golden/data/labels.pb" labels.pb
printf 'main;a 1\nmain;b 2\n' >a.folded
printf 'main;a 3\nmain;b 2\n' >b.folded

fetch "$at/a.folded"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "an address stands in the place of a file"
is "$out" "$(cat a.folded)" "its profile is shown"
asked "*User-Agent: flametop/[0-9]*" "the server learns who asks"

# ---- the same as from a file ----
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	for file in some.pb cpu.pb labels.pb; do
		# Without the command, which names the input.
		flametop -q --to=$kind "$file" 2>&1 | sed "s|$file|FILE|g" >from-file
		flametop -q --to=$kind "$at/$file" 2>&1 | sed "s|$at/$file|FILE|g; s|$file|FILE|g" >from-address
		cmp -s from-file from-address || break
	done
	ok "$kind: an address and a file give the same bytes" cmp from-file from-address
done
ok "these are not empty" test -s from-file
flametop --to=folded --diff=a.folded b.folded >from-file
flametop --to=folded --diff="$at/a.folded" "$at/b.folded" >from-address
ok "--diff: both may be addresses" cmp from-file from-address
flametop --to=folded a.folded b.folded >from-file
flametop --to=folded a.folded "$at/b.folded" >from-address
ok "several are merged, files and addresses" cmp from-file from-address
gzip -k a.folded && fetch "$at/a.folded.gz"
is "$out" "$(cat a.folded)" "a compressed file is unpacked"
perf=$source/tests/data/collapse/perf-data
for f in "$perf"/*.in; do
	[ ! -e "${f%.in}.case" ] && [ -e "${f%.in}.folded" ] && break
done
cp "$f" perf.data
flametop -q --to=folded perf.data >from-file 2>&1
flametop -q --to=folded "$at/perf.data" >from-address 2>&1
ok "a recording of perf can be behind an address" cmp from-file from-address
flametop record --perfdata=perf.data --to=folded >from-record 2>&1
(cd "$dir" && mkdir -p http:/127.0.0.1 && cp a.folded http:/127.0.0.1/a.folded)
fetch http://127.0.0.1/a.folded
is "$out" "$(cat a.folded)" "a file of this name comes first"
fetch "${at#http://}/a.folded"
is "$out" "$(cat a.folded)" "host:port without http:// is an address"

# ---- parameters ----
fetch --seconds=7 "$at/a.folded?x=1&seconds=5"
asked "/a.folded?x=1&seconds=7
*" "--seconds replaces the parameter"
fetch --seconds=7 "$at/a.folded"
asked "/a.folded?seconds=7
*" "or adds it"
fetch --save=kept "$at/a.folded.gz"
ok "--save keeps what came" cmp kept a.folded.gz
: >nothing
gzip -c nothing >nothing.gz
echo 'you sent me Basic bWU6c2VjcmV0' >echoed
for answer in nothing nothing.gz echoed "echoed -f perf" "echoed -f folded"; do
	# shellcheck disable=SC2086 # several words
	fetch --save=kept "$at/"$answer
	exits 1 "an answer of nothing or of other things is an error ($answer)"
	[ "$answer" = nothing ] || says "*flametop: --save keeps nothing: *" "so nothing is kept, which is said"
	ok "which leaves the kept profile as it was" cmp kept a.folded.gz
done
fetch --save=none/kept "$at/a.folded"
exits 1 "a place where nothing can be kept is an error"
one_line "in one line"
is "$(grep -c 'GET\|^/a.folded$' one.log)" "$(grep -c '^/a.folded$' one.log)" "before anything is fetched"

# ---- pprof's list ----
fetch "$at"
exits 1 "the address of a host alone is a list"
says "flametop: $at/debug/pprof/ lists several profiles; add the name of one: heap (12), profile, goroutine" \
	"which names profiles, and no others"
one_line "the list is one line"
asked "/debug/pprof/
*" "it is at its usual place"
fetch "$at/debug/pprof"
says "*lists several profiles*" "/debug/pprof without the slash is a list, too"
fetch "$at/debug/pprof/heap"
prints "main;grow *" "a profile of the list"
fetch "$at/debug/pprof/trace?seconds=1"
exits 2 "an execution trace is refused"
says "*/debug/pprof/trace?seconds=1: this is an execution trace, no profile (curl*go tool trace*" "with advice"
fetch "$at/debug/pprof/cmdline"
exits 2 "so is the command line"
touch go
fetch "$at/debug/pprof/profile"
is "$out" "$(flametop --to=folded some.pb 2>/dev/null)" "a CPU profile"
fetch "$at/debug/pprof/nope"
says "flametop: $at/debug/pprof/nope: the server answers with status 404: Unknown profile" "an unknown one"
fetch "$at/401?x=/debug/pprof/"
exits 1 "a query is no path"

# ---- errors behind status 200 ----
fetch "$at/typed?problem"
exits 1 "an answer that says in its type that it is an error"
says "flametop: $at/typed?problem: the server answers: no such tenant (Forbidden)" "with what it says"
fetch "$at/typed?grpc"
exits 1 "a status of gRPC"
says "flametop: $at/typed?grpc: the server answers: no entry (permission denied)" "with its message"
fetch "$at/typed?good"
is "$out" "main;a 1" "a profile of another type is one"
fetch "$at/typed?login"
exits 1 "a page to log in"
says "*this is a web page, which cannot be read (*a page to log in*" "and what it may be"

# ---- credentials ----
fetch "http://me:geheim%21@${at#http://}/a.folded"
asked "*Authorization: Basic $(printf 'me:geheim!' | base64)*" "user and password of the address"
for bare in "" /; do
	fetch "http://me:geheim%21@${at#http://}$bare"
	asked "/debug/pprof/
*Authorization: Basic $(printf 'me:geheim!' | base64)*" "of an address without a path, which ends with '$bare'"
done
fetch --seconds=7 "http://me:geheim%21@${at#http://}/a.folded"
asked "/a.folded[?]seconds=7
*Authorization: Basic $(printf 'me:geheim!' | base64)*" "and with --seconds"
fetch -u me:x:y "$at/a.folded"
asked "*Authorization: Basic $(printf 'me:x:y' | base64)*" "-u"
fetch --oauth2-bearer=geheim "$at/a.folded"
asked "*Authorization: Bearer geheim*" "--oauth2-bearer"
fetch -H 'X-Scope-OrgID: 7' --header='X-Key:geheim' "$at/a.folded"
asked "*X-Scope-OrgID: 7
X-Key: geheim*" "-H, twice"
printf 'X-One: 1\r\n\nX-Two: 2\n' >headers
fetch -H @headers "$at/a.folded"
asked "*X-One: 1
X-Two: 2*" "-H @FILE"
printf 'machine 127.0.0.1 login me password geheim\n' >.netrc
fetch --netrc "$at/a.folded"
asked "*Authorization: Basic $(printf 'me:geheim' | base64)*" "--netrc"
fetch "$at/a.folded"
is "$(tail -6 one.log | grep -c Authorization)" 0 "without it, ~/.netrc is left alone"
rm .netrc

# Redirects.
fetch -u me:geheim -H 'X-Key: geheim' "$at/to?/a.folded"
is "$out" "$(cat a.folded)" "a redirect is followed"
asked "/a.folded*Authorization: Basic*X-Key*" "and keeps credentials on its host"
log=other
for given in "-u me:geheim" "--oauth2-bearer geheim" "-H X-Key:geheim"; do
	# shellcheck disable=SC2086 # two words
	fetch $given "$at/to?$other/a.folded"
	is "$out" "$(cat a.folded)" "$given: a redirect to another host is followed"
done
printf 'machine 127.0.0.1 login me password geheim\n' >.netrc
fetch --netrc "$at/to?$other/a.folded"
is "$out" "$(cat a.folded)" "--netrc: so is one to another port"
rm .netrc
fetch "http://me:geheim@${at#http://}/to?$other/a.folded"
is "$(grep -ci 'geheim\|authorization\|x-key' other.log)" 0 "no credentials get there"
is "$(grep -c '^/a.folded' other.log)" 5 "although all were asked"
log=one
printf 'machine 127.0.0.1 login me password geheim\n' >.netrc
fetch --netrc "$at/to?/a.folded"
asked "/a.folded*Authorization: Basic $(printf 'me:geheim' | base64)*" "--netrc: a redirect on the host keeps them"
fetch --netrc "$at/to?$other/401"
says "*status 401: who are you[?] (credentials stay behind at a redirect*" "--netrc: a host that would want them"
rm .netrc
fetch -u me:geheim "$at/to?$other/401"
says "*status 401: who are you[?] (credentials stay behind at a redirect to another scheme, host or port)" \
	"a host that would want them: the message says why"
for to in file:///etc/passwd ftp://127.0.0.1/a gopher://127.0.0.1/ 'http:///x'; do
	fetch "$at/to?$to"
	exits 1 "a redirect to $to is not followed"
	one_line "in one line"
done

# ---- secrets ----
secret="http://me:geheim@${at#http://}/some.pb?token=geheim&x=1&api_key=geheim"
given="-H X-Key:geheim"
mkdir -p out
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	# shellcheck disable=SC2086 # two words
	flametop --to=$kind $given --verbose "$secret" >out/$kind 2>out/$kind.err
done
flametop -o out/file.svg --oauth2-bearer=geheim --save=out/saved "$secret" >out/svg.said 2>&1
flametop --screen=120x20 --user=me:geheim --save=once --timeout=7 --cert=my.pem:geheim --keys=C "$secret" >out/screen 2>&1
flametop --to=text "http://me:geheim@127.0.0.1:1/x?sig=geheim" >out/refused 2>&1
flametop --to=text "http://me:geheim@${at#http://}/500?sig=geheim" >out/failed 2>&1
flametop --to=text "ftp://me:geheim@127.0.0.1/x" >out/wrong 2>&1
flametop --to=text "http://me:geheim@/x" >out/hostless 2>&1
flametop --to=text "http://me:ge heim@127.0.0.1/geheim x" >out/blank 2>&1
flametop bundle "http://me:geheim@127.0.0.1/x" >out/bundle 2>&1
flametop record --perfdata="$at/perf.data" --to=folded >recorded 2>&1
ok "record --perfdata takes an address" cmp recorded from-record
flametop record --perfdata="http://me:geheim@${at#http://}/perf.data" --to=folded >out/recorded 2>&1
flametop --to=text -H geheim "$at/a.folded" >out/header 2>&1
flametop --to=text -u geheim "$at/a.folded" >out/user 2>&1
flametop --to=folded --oauth2-bearer=geheim --header='X-Key: geheim' "http://${at#http://}/echo?authToken=geheim;pass=geheim" >out/echo 2>&1
flametop --to=folded "http://me:geheim@${at#http://}/echo?x=1" >out/echo-basic 2>&1
ok "what the server sends back is shown" grep -q 'status 404: no such page: /echo?authToken=\*\{18\} ' out/echo
is "$(grep -l "$(printf me:geheim | base64)" out/echo-basic)" "" "but no encoded password"
fetch -H 'X-Scope-OrgID: 1' -H 'X-Key: sk-1a2b1c3d1' "$at/told-keys"
says "*X-Key=************" "a short value breaks no longer one"
case $err in *X-Key=*[a-z0-9]*) hidden=false ;; *) hidden=true ;; esac
ok "no byte of it is left" $hidden
fetch -H 'X-Scope-OrgID: 4' -H 'X-Key: the' "$at/told-key?4"
says "*: the server answers with status 403: xxxx[*][*][*]" "our own words stay whole"
for n in 283 290 297; do
	fetch -H 'X-Key: geheimgeheim' "$at/told-key?$n"
	printf '%s\n' "$err" >>out/cut
done
is "$(grep -c 'xx[*]*$' out/cut)" 3 "what is longer than a message is hidden before it is cut"
fetch -u me:word "$at/told-token"
says "*status 403: bad token [*][*][*][*][*][*][*][*][*][*][*][*]*" "user and password in base64"
fetch "$at/told-plain?token=ge%68e%2Bi+m&x=1"
says "*no such page: token=[*][*][*][*][*][*][*][*]&x=1*" "a parameter that comes back decoded"
for given in '-u me:geheimnisvöll' '-H X-Api-Key:geheimnisvöll' '-H X-Api-Key:geheim€😀'; do
	# shellcheck disable=SC2086 # two words
	fetch $given "$at/told-json?x=1&token=geh%C3%A4m%F0%9F%98%80"
	says '*status 401: {"error": "invalid: x=1&token=[*]*' "$given: the answer is shown"
	printf '%s\n' "$err" >>out/json
done
is "$(grep -ci 'geh\|\\u\|%' out/json)" 0 "and no secret of characters that JSON escapes"
for n in 0 40 42 44; do
	fetch -H 'X-Key: geheimgeheim' "$at/told-good?$n"
	exits 1 "an answer that is no profile, $n"
	printf '%s\n' "$err" >>out/good
done
is "$(grep -c "told-good?[0-9]*:1: not a profile format that is known, it begins '.*[*][*]'* (" out/good)" 4 \
	"what it begins with is shown without secrets"
is "$(grep -c gehe out/good)" 0 "also where it was cut"
printf 'machine 127.0.0.1\nlogin bob password geheim9\n' >.netrc
for code in 403 200; do
	fetch --netrc "$at/told-login?$code"
	exits 1 "--netrc: an answer with status $code that is no profile"
	says "*denied for bob:[*][*][*][*][*][*][*]*" "is shown without the password of ~/.netrc"
	printf '%s\n' "$err" >>out/netrc
done
rm .netrc
fetch -H 'X-Key: geheim' "$at/told-rest?"
exits 0 "a line that is skipped"
says "*[*][*][*][*][*][*]*" "is named without secrets"
printf '%s\n' "$err" >>out/rest
for code in 403 200; do
	fetch "$at/told-hop?$code"
	says "*$code&token=[*][*][*][*][*][*][*]*" "a token of a redirect is hidden, status $code"
done
for to in http:// ftp:// http://a@b@; do
	fetch -H 'X-Key: geheim' "$at/told-host?$to"
	exits 1 "a redirect to $to with a secret fails"
	printf '%s\n' "$err" >>out/host
done
is "$(grep -rl geheim out)" "" "no secret is in any output, message or copied command"
ok "the copied command has the rest" grep -q 'token=\*\*\*&x=1&api_key=\*\*\*' out/screen
ok "and the other options" grep -q -e '--timeout=7' out/screen
ok "and the certificate" grep -q -e '--cert=my.pem ' out/screen
ok "but does not write over what was saved" test "$(grep -c -e --save out/screen)" = 0
ok "and says that it has no credentials" grep -q 'fetches again, and has no credentials' out/screen
ok "an SVG is there" grep -q '<svg' out/file.svg
ok "messages name the address" grep -q 'http://127.0.0.1:1/x?sig=\*\*\*: ' out/refused

sleeping() { # a request of this path has come
	grep -q "^$1" one.log
}
"$FLAMETOP" --no-config --to=text -u me:geheim --oauth2-bearer=x "$at/hang" 2>/dev/null
is "$?" 2 "--user and --oauth2-bearer together are wrong usage"
"$FLAMETOP" --no-config --to=text -u me:geheim -H 'X-Key: geheim' --header=X-Key:geheim --cert=my.pem:geheim \
	"http://me:geheim@${at#http://}/hang?token=geheim" >/dev/null 2>&1 &
pid=$!
until_true sleeping /hang
if [ -r /proc/$pid/cmdline ]; then
	is "$(tr '\0' '\n' </proc/$pid/cmdline | grep -c geheim)" 0 "no secret is in the list of processes"
	ok "the rest is" grep -q hang /proc/$pid/cmdline
else
	skip 2 "there is no /proc/PID/cmdline"
fi
kill -INT $pid
kill -TERM $pid 2>/dev/null # a background process of a shell ignores SIGINT
for twice in --push=pyroscope://me:geheim@x/?service_name= --listen=127.0.0.1:; do
	run "$FLAMETOP" record --no-config "${twice}1" "${twice}2" -- true
	[ "$twice" = "${twice#--l}" ] || run "$FLAMETOP" --no-config --to=text "${twice}1" "${twice}2"
	exits 2 "${twice%%=*} twice is wrong usage"
	is "$err" "flametop: ${twice%%=*} is given twice (one run $([ "$twice" = "${twice#--l}" ] && echo sends to one store || echo listens at one address))" "and says so"
done
wait $pid 2>/dev/null
ok "a signal ends it at once" test $? -gt 128

# ---- trouble ----
misbehaves() { # path, status of flametop, what it says, name
	case $1 in hang | half | trickle) fetch --timeout=1 "$at/$1" ;; *) fetch "$at/$1" ;; esac
	exits "$2" "$4: exit status"
	says "flametop: $at/$1: $3" "$4: the message"
	one_line "$4: one line"
}
python3 -c 'import gzip
part = b"\x32\x80\x80\x40" + b"a" * (1 << 20)
gzip.open("bomb", "wb", 1).write(b"\x0a\x04\x08\x01\x10\x02\x32\x00" + part * 300)'
misbehaves hang 1 "the server is silent: no answer for 1 s (--timeout=SECONDS waits longer)" "no answer"
misbehaves half 1 "the server is silent: less than 1 kB came for 1 s*" "half an answer"
misbehaves trickle 1 "the server is silent: less than 1 kB came for 1 s*" "an answer byte by byte"
misbehaves short 1 "*" "an answer shorter than announced"
misbehaves huge 1 "the answer has more than 2.15 GB" "an answer announced too large"
misbehaves cut 1 "*" "a connection that is cut"
misbehaves garbage 1 "*" "no HTTP"
misbehaves nothing 1 "*" "a connection that is closed at once"
misbehaves round 1 "the server redirects more than 5 times" "redirects in a circle"
misbehaves 401 1 "the server answers with status 401: who are you[?] (--user, --oauth2-bearer, --header or --netrc give credentials)" "401"
misbehaves 429 1 "the server answers with status 429: slow down" "429"
misbehaves 500 1 "the server answers with status 500: *Could not enable* CPU profiling" "500"
is "$(printf '%s' "$err" | tr -d '[:print:]' | LC_ALL=C tr -d '\200-\377' | wc -c | tr -d ' ')" 0 "500: no control characters"
misbehaves page 1 "the server answers with status 503" "a page for a browser"
misbehaves endless-error 1 "the server answers with status 500: xxx*" "an endless error"
misbehaves bomb 1 "*more than 256 MiB*" "a bomb"
for heads in trailed headed continued; do
	misbehaves "$heads?100000000" 1 "the answer has more than 256 KiB of headers" "$heads: 100 MB"
done
fetch "$at/trailed?200000"
is "$status $out" "0 main;a 1" "trailers below that limit"
fetch "$at/long"
is "$status $out" "0 main;a 1
main;b 2" "an answer longer than announced ends where it should"
fetch http://127.0.0.1:1/x
exits 1 "nobody listens"
says "flametop: http://127.0.0.1:1/x: *" "the address is named"
one_line "in one line"
fetch ftp://127.0.0.1/x
exits 2 "only http and https"
says "flametop: 'ftp://': only http, https, pyroscope, parca* can be fetched" "others are named"
fetch "$at/a.folded" "$at/500"
exits 1 "one of several that fails is a failure"

run env http_proxy=http://u:geheim9@127.0.0.1:99998 "$FLAMETOP" --no-config --to=folded http://127.0.0.1:1/x
exits 1 "a proxy that is none"
is "$(echo "$err" | grep -c geheim)" 0 "is named without its password"
run "$FLAMETOP" --no-config --to=folded http://me:ge/geheim@127.0.0.1/x
exits 2 "a password with a slash is wrong usage"
is "$(echo "$err" | grep -c 'geheim\|me:')" 0 "and is not shown"

# ---- usage ----
for wrong in "--every=1" "--save=x $at/b.folded" "--key=x" "-H bad" "-H a:" "--user=x" "--save=-" "--seconds=0"; do
	# shellcheck disable=SC2086 # several words
	fetch $wrong "$at/a.folded"
	exits 2 "$wrong is wrong usage"
	one_line "$wrong: one line"
done
fetch --netrc --seconds=3 a.folded
is "$err" "flametop: --netrc has no effect: no profile is fetched
flametop: --seconds has no effect: no profile is fetched" "options without effect are named"
fetch -q --netrc a.folded
is "$err" "" "unless --quiet"

# ---- TLS ----
if command -v openssl >/dev/null && openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=127.0.0.1 \
	-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem >/dev/null 2>&1; then
	cat key.pem cert.pem >both.pem
	serve tls "$dir/both.pem"
	fetch "$at/a.folded"
	exits 1 "a certificate that nobody knows is refused"
	one_line "in one line"
	fetch --cacert=cert.pem "$at/a.folded"
	is "$out" "$(cat a.folded)" "--cacert"
	fetch --insecure "$at/a.folded"
	is "$out" "$(cat a.folded)" "--insecure"
	openssl rsa -aes256 -passout pass:gehe:im -in key.pem -out locked.pem 2>/dev/null
	cat cert.pem >>locked.pem
	cp locked.pem 'a:b.pem'
	fetch --insecure --cert=locked.pem:gehe:im "$at/a.folded"
	is "$out" "$(cat a.folded)" "--cert with the password of its key, as curl takes it"
	fetch --insecure '--cert=a\:b.pem:gehe:im' "$at/a.folded"
	is "$out" "$(cat a.folded)" "and a colon in its name"
	fetch --insecure --cert=locked.pem:gehei "$at/a.folded"
	exits 1 "a wrong password is an error"
	is "$(echo "$err" | grep -c gehei)" 0 "which does not show it"
	fetch -u me:geheim --insecure "$at/to?$other/a.folded"
	printf 'machine 127.0.0.1 login me password geheim\n' >.netrc
	fetch --netrc --insecure "$at/to?$other/a.folded"
	rm .netrc
	is "$(grep -ci 'geheim\|authorization' other.log)" 0 "no credentials go from https to http"
else
	skip 9 "openssl cannot make a certificate"
fi

# ---- without the library ----
mkdir none
for name in libcurl.so.4 libcurl-gnutls.so.4 libcurl-nss.so.4; do
	echo none >"none/$name"
done
LD_LIBRARY_PATH=$dir/none run "$FLAMETOP" --no-config --to=folded "$other/a.folded"
exits 1 "without libcurl"
is "$err" "flametop: there is no libcurl.so.4 (install libcurl4)" "the package is named"

done_testing
