#!/bin/sh
# Stores of profiles: Pyroscope and Parca. What is asked, what is made of answers and of errors, and no secrets.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/fetch.sh"
unset PROFILECLI_URL PROFILECLI_USERNAME PROFILECLI_PASSWORD PROFILECLI_TOKEN PROFILECLI_TENANT_ID

flametop() { "$FLAMETOP" --no-config "$@"; }
fetch() { run "$FLAMETOP" --no-config --to=folded "$@"; }
asked_for() { # pattern, name: the last question that came
	like "$(tail -n 1 one.log)" "$1" "$2"
}

log=one
server=store_server.py
serve two
other=${at#http://}
serve one
host=${at#http://}
cp "$source/tests/data/collapse/pprof/heap.in" all.pb
cp "$source/tests/data/collapse/pprof/cpu.in" 1.pb
cp "$source/tests/golden/data/labels.pb" 2.pb
cpu=process_cpu:cpu:nanoseconds:cpu:nanoseconds
py="pyroscope://$host"

fetch "$py/?query=$cpu"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "Pyroscope: a profile"
asked_for '{"method": "SelectMergeProfile", "seconds": 3600.0, "selector": "{}", "type": "process_cpu:cpu:nanoseconds:cpu:nanoseconds"}' \
	"of all, in the last hour"

# ---- the same as from a file ----
mkdir kept
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	for version in 1 2; do
		flametop -q --to=$kind $version.pb >from-file 2>&1
		flametop -q --to=folded --save=kept/$version.pb "$py/?query=$cpu{version=\"$version\"}" >/dev/null 2>&1
		(cd kept && flametop -q --to=$kind $version.pb >../from-kept 2>&1)
		cmp -s from-file from-kept || break
	done
	ok "$kind: what is saved is the file" cmp from-file from-kept
	case $kind in pprof | svg | html) continue ;; esac # name their input, quoted
	flametop -q --to=$kind all.pb 2>&1 | sed "s|all.pb|FILE|g" >from-file
	flametop -q --to=$kind "$py/?query=$cpu" 2>&1 | sed "s|$py/?query=$cpu|FILE|g; s|?query=$cpu|FILE|g" >from-address
	ok "$kind: an address and a file give the same bytes" cmp from-file from-address
done
ok "these are not empty" test -s from-file
flametop -q --to=folded 1.pb >from-file
flametop -q --to=folded "$py/?query=$cpu{version=\"1\"}" >from-address
ok "an address and a file give the same stacks" cmp from-file from-address
flametop -q --to=folded --diff=1.pb 2.pb >from-file 2>&1
flametop -q --to=folded --diff="$py?query=$cpu{version=\"1\"}" "$py?query=$cpu{version=\"2\"}" >from-address 2>&1
ok "--diff: two sets of labels" cmp from-file from-address

# ---- moments ----
spans() { # parameters, seconds, name
	fetch "$py/?query=$cpu&$1"
	asked_for "*\"seconds\": $2,*" "$1: $3"
}
spans 'from=now-3h' 10800.0 "hours"
spans 'from=now-1h30m&until=now-30m' 3600.0 "several units"
spans 'from=2026-11-22T07:00:00Z&until=2026-11-22T09:00:01.5%2B01:00' 3601.5 "dates with times"
spans 'from=20261122&until=20261123' 86400.0 "dates"
spans 'from=2026-11-22&until=2026-11-22T00:01' 60.0 "dates with dashes"
spans 'from=1700000000&until=1700000060000' 60.0 "seconds and milliseconds"
spans 'from=1700000000000000&until=1700000060000000000' 60.0 "microseconds and nanoseconds"

# ---- what is wrong with an address ----
wrong() { # rest of the address, message, name
	fetch "$py/$1"
	exits 2 "$3 is wrong usage"
	says "flametop: $py/$1: $2" "$3: the message"
}
wrong "?query=$cpu&form=now-1h" "unknown parameter 'form'" "an unknown parameter"
wrong "?query=cpu" "'query' does not begin with a type of profile*" "a query without a type"
wrong "?query=$cpu{a=\"1\"" "'query' does not end with '}'" "half a selector"
wrong "?query=$cpu&from=yesterday" "'from' is not a time*" "a word that is no time"
wrong "?query=$cpu&from=20261131x" "'from' is not a time*" "a date with a rest"
wrong "?query=$cpu&from=now&until=now-1h" "'from' is not before 'until'" "time that runs backwards"
wrong "?choose=all" "'choose' has to be labels, label:NAME, time or until" "an unknown question"

# ---- questions, without a viewer ----
fetch "$py"
exits 1 "an address without a query is a question"
says "flametop: $py/ has several types of profiles; add query= and one: memory:inuse_space:bytes:space:bytes, $cpu" \
	"which names the types, and none that cannot be asked for"
fetch "$py?query=$cpu{service_name=\"shop\", version!=\"2\"}&choose=label:version"
says "*asks for a value of version; add {version=\"...\"} with one: 1, 2" "values of a label"
asked_for '*{service_name=??shop??, version!=??2??,__profile_type__=??'$cpu'??}*"LabelValues", "name": "version"*' \
	"only those that occur"
fetch "$py?query=$cpu&choose=labels"
says "*asks which labels; leave choose= out, or choose label:NAME with one: service_name, version" "labels"
fetch "$py?query=$cpu&choose=time"
says "*asks for a time; add from= and until=" "times"
fetch "$py?query=$cpu{version=\"none\"}&from=20261122&until=20261123"
exits 1 "no match is an error"
says "*: nothing matches $cpu{version=\"none\"}, 2026-11-22 00:00:00 to 2026-11-23 00:00:00 UTC" "which says of what"

# ---- trouble ----
misbehaves() { # word, what flametop says, name
	case $1 in hang | trickle) set -- "$@" --timeout=1 ;; *) set -- "$@" --timeout=20 ;; esac
	fetch "$4" "$py/$1?query=$cpu"
	exits 1 "$3: exit status"
	says "flametop: $py/$1?query=$cpu: $2" "$3: the message"
	one_line "$3: one line"
}
misbehaves hang "the server is silent: no answer for 1 s*" "no answer"
misbehaves trickle "the server is silent: less than 1 kB came for 1 s*" "an answer byte by byte"
misbehaves short "*" "an answer shorter than announced"
misbehaves huge "the answer has more than 2.15 GB" "an answer announced too large"
misbehaves 401 "the server answers with status 401: no org id (unauthenticated) (--user*" "401"
misbehaves 429 "the server answers with status 429: slow *down (resource_exhausted)" "429"
is "$(printf '%s' "$err" | tr -d '[:print:]' | LC_ALL=C tr -d '\200-\377' | wc -c | tr -d ' ')" 0 "429: no control characters"
misbehaves inside "the server answers: the store is broken (internal)" "an error with status 200"
misbehaves page "the server sends a page for a browser, no profile*" "a page with status 200"
misbehaves text "the server sends no profile, but 'text/plain'" "text that looks like folded stacks"
misbehaves untyped "the server sends something that has no type" "an answer without a type"
python3 -c 'import gzip
part = b"\x32\x80\x80\x40" + b"a" * (1 << 20)
gzip.open("bomb.gz", "wb", 1).write(b"\x0a\x04\x08\x01\x10\x02\x32\x00" + part * 300)'
misbehaves bomb "*more than 256 MiB*" "a bomb"
misbehaves garbage "*" "garbage"
fetch "$py/moved/?query=$cpu{version=\"1\"}"
is "$out" "$(flametop -q --to=folded 1.pb)" "a redirect is followed, with the question"

# ---- Parca ----
pa="parca://$host"
delta=$cpu:delta
for api in grpc-web json; do
	fetch "$pa?query=$delta{version=\"1\"}&api=$api"
	is "$out" "$(flametop -q --to=folded 1.pb)" "$api: a profile"
	asked_for "{\"api\": \"$api\", \"method\": \"Query\", \"query\": \"$delta{version=??1??}\", \"seconds\": 3600.0}" \
		"$api: the last hour"
	fetch --save=saved "$pa?query=$delta&api=$api"
	gzip -dc <saved >unpacked
	ok "$api: what is saved is the file" cmp unpacked all.pb
	fetch "$pa?api=$api"
	says "*several types of profiles; add query= and one: memory:inuse_space:bytes:space:bytes, $delta" "$api: types"
	fetch "$pa?query=$delta&choose=labels&api=$api"
	says "*choose label:NAME with one: service_name, version" "$api: labels"
	fetch "$pa?query=$delta&choose=label:version&api=$api"
	says "*with one: 1, 2" "$api: values"
	fetch "$pa?query=$delta&choose=time&from=20261122&until=20261123&api=$api"
	says "*asks for a time*" "$api: times"
	asked_for "*\"QueryRange\"*\"seconds\": 86400*" "$api: of the range"
done
fetch "$pa?query=$delta{how=\"old\",version=\"1\"}"
is "$out" "$(flametop -q --to=folded 1.pb)" "a server that knows no gRPC-web is asked in JSON"
fetch "$pa?query=$delta{how=\"old\"}&api=grpc-web"
says "*: the server answers with status 404: 404 page not found" "unless it must not be"
run "$FLAMETOP" --no-config --to=folded "$pa?query=$delta&api=xml"
exits 2 "another API is wrong usage"

goes_wrong() { # word, api, message, name
	fetch "$pa?query=$delta{how=\"$1\"}&api=$2"
	exits 1 "$2, $4: exit status"
	says "flametop: $pa/?query=$delta{how=\"$1\"}&api=$2: $3" "$2, $4: the message"
	one_line "$2, $4: one line"
}
frames="the server's answer cannot be read: its frames of gRPC are wrong"
goes_wrong missing grpc-web "the server answers: could not find profile *31m (not found)" "an error after nothing"
is "$(printf '%s' "$err" | tr -d '[:print:]' | LC_ALL=C tr -d '\200-\377' | wc -c | tr -d ' ')" 0 "no control characters"
goes_wrong late grpc-web "the server answers: broken (internal)" "an error after a message"
goes_wrong headers grpc-web "the server answers: who are you (unauthenticated)" "an error in the headers"
goes_wrong open grpc-web "the server's answer is incomplete: it ends without a status of gRPC" "no status"
goes_wrong twice grpc-web "$frames" "two messages"
goes_wrong after grpc-web "$frames" "a message after the end"
goes_wrong cut grpc-web "$frames" "half a frame"
goes_wrong long grpc-web "$frames" "a frame that is longer than the answer"
goes_wrong packed grpc-web "$frames" "a compressed frame"
goes_wrong flood grpc-web "$frames" "too much of an end"
goes_wrong empty grpc-web "the server's answer is empty" "no message"
goes_wrong nothing grpc-web "the server's answer is incomplete*" "nothing"
goes_wrong other grpc-web "the server's answer has no pprof" "another report"
goes_wrong wild grpc-web "the server's answer has no pprof" "no message of protocol buffers"
goes_wrong status grpc-web "the server answers with a status of gRPC that is no number" "a strange status"
goes_wrong missing json "the server answers: could not find profile (5)" "an error with status 200"
goes_wrong other json "the server's answer has no pprof" "another report"
goes_wrong cut json "the server's answer is cut short or damaged" "half a document"
goes_wrong digits json "the server's answer is cut short or damaged" "no base64"
goes_wrong nothing json "the server's answer is cut short or damaged" "nothing"

# ---- sending ----
perf=$source/tests/data/collapse/perf-data
cp "$perf/off-cpu.in" perf.data
push() { run "$FLAMETOP" record --no-config --perfdata=perf.data "$@"; }
"$FLAMETOP" record --no-config -q --perfdata=perf.data --to=folded 2>/dev/null >from-file
for store in pyroscope parca; do
	push --push="$store://$host/?service_name=shop&env=a%26b"
	exits 0 "$store: a recording is sent"
	is "$out" "" "$store: and not written"
	says "*flametop: sent to $store://$host/?service_name=shop&env=a%26b: *{service_name=\"shop\",env=\"a&b\"}" \
		"$store: with what it is called there"
	asked_for '*"__name__": "cpu_clock_off_cpu", "env": "a&b", "service_name": "shop"*' "$store: its labels"
	asked_for '*"type": "cpu-clock + off-cpu:nanoseconds:*' "$store: time with waits is not called time on the processor"
	flametop -q --to=folded pushed.pb.gz >from-pushed
	ok "$store: what is sent is what was recorded" cmp from-file from-pushed
	rm pushed.pb.gz
	push --push="$store://$host" -o own.folded
	is "$(grep -v '^#' own.folded)" "$(cat from-file)" "$store: a file is written, too"
	ok "$store: and it is sent" test -s pushed.pb.gz
	rm pushed.pb.gz
	push --push="$store://$host" --event=cpu-clock
	asked_for '*"__name__": "process_cpu"*' "$store: time on the processor alone has the name that it has there"
	asked_for '*"type": "cpu:nanoseconds:cpu:nanoseconds"*' "$store: and the type"
	rm pushed.pb.gz
done
cp "$perf/all.in" all.data
run "$FLAMETOP" record --no-config --perfdata=all.data --push="pyroscope://$host"
asked_for '*"__name__": "cycles"*"type": "cycles:cycles:cycles:cycles"*' "another event keeps its name"
push --push="pyroscope://$host/401?a=b"
exits 1 "a store that takes nothing is a failure"
says "*flametop: pyroscope://$host/401?a=b: the server answers with status 401: no org id*" "which says why"
push --push="pyroscope://$host/to-${other#*:}/?a=b"
says "*: the server redirects to $other, which was not asked for" "a profile goes nowhere else"
push --push="parca://$host?how=late"
says "*: the server answers: broken (internal)" "nor is an error after the answer overlooked"
for wrong in http://$host/x "pyroscope://$host?a" "pyroscope://$host?9=a" "pyroscope://$host?__name__=x" nowhere; do
	push --push="$wrong"
	exits 2 "--push=$wrong is wrong usage"
	one_line "--push=$wrong: one line"
done
push --push="http://$host/x"
says "*http://$host/x: only pyroscope:// and parca:// take profiles" "which stores take profiles"
push --push="pyroscope://$host" --diff=all.pb
exits 2 "a comparison cannot be sent"
if "$FLAMETOP" record --no-config -q --duration=0.2 --to=folded true >/dev/null 2>&1 ||
	"$FLAMETOP" record --no-config -q --to=folded -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' 2>/dev/null | grep -q .; then
	run "$FLAMETOP" record --no-config --push="$py?env=dev" -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo out'
	exits 0 "a command is recorded and sent"
	is "$out" "out" "its output stays its own"
	asked_for '*"__name__": *"env": "dev", "service_name": "sh"*' "its name is that of the program"
	run "$FLAMETOP" record --no-config --push="pyroscope://$host/401" -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
	exits 1 "a recording that cannot be sent is a failure"
	says "*: the server answers with status 401*the recording is still there: flametop record --perfdata=*" "and is kept"
	kept=$(printf '%s\n' "$err" | sed -n 's/.*--perfdata=//p' | tail -1)
	run "$FLAMETOP" record --no-config --perfdata="$kept" --push="$py"
	exits 0 "so it can be sent later"
else
	skip 6 "nothing can be recorded here"
fi

# ---- credentials ----
basic() { printf '*"authorization": "Basic %s"*' "$(printf '%s' "$1" | base64)"; }
fetch "pyroscope://me:geheim%21@$host/?query=$cpu"
asked_for "$(basic 'me:geheim!')" "user and password of the address"
fetch -u me:geheim "$pa?query=$delta"
asked_for "$(basic me:geheim)" "--user, for Parca"
fetch --oauth2-bearer=geheim -H 'X-Scope-OrgID: 7' "$py?query=$cpu"
asked_for '*"authorization": "Bearer geheim"*"tenant": "7"*' "--oauth2-bearer and a tenant"
environment() { # variables, options and address
	variables=$1
	shift
	# shellcheck disable=SC2086 # several words
	run env $variables "$FLAMETOP" --no-config --to=folded "$@"
}
all="PROFILECLI_USERNAME=me PROFILECLI_PASSWORD=geheim PROFILECLI_TENANT_ID=team"
environment "$all" "$py?query=$cpu"
asked_for "$(basic me:geheim)\"tenant\": \"team\"*" "user, password and tenant of the environment"
environment "$all PROFILECLI_TOKEN=geheim" "$py?query=$cpu"
asked_for '*"authorization": "Bearer geheim"*' "a token of the environment wins over a user"
environment "$all" -u other:word -H 'x-scope-orgid: 8' "$py?query=$cpu"
asked_for "$(basic other:word)\"tenant\": \"8\"*" "options win over the environment"
environment "PROFILECLI_URL=http://me:geheim@$host/ PROFILECLI_TENANT_ID=team" "pyroscope:///?query=$cpu"
is "$out" "$(flametop -q --to=folded all.pb)" "an address without a host leads to PROFILECLI_URL"
asked_for "$(basic me:geheim)\"tenant\": \"team\"*" "with its user"
environment "PROFILECLI_URL=http://$host PROFILECLI_TOKEN=geheim PROFILECLI_TENANT_ID=team" "pyroscope://$other/?query=$cpu"
is "$(grep -c 'geheim\|team' two.log)" 0 "credentials for PROFILECLI_URL are not for another host"
is "$(wc -l <two.log | tr -d ' ')" 1 "although it was asked"
environment "$all" "$pa?query=$delta"
is "$(tail -n 1 one.log | grep -c geheim)" 0 "and not for Parca"
for given in "-u me:geheim" "--oauth2-bearer geheim" "-H X-Scope-OrgID:geheim"; do
	# shellcheck disable=SC2086 # two words
	fetch $given "$py/to-${other#*:}/?query=$cpu"
	is "$out" "$(flametop -q --to=folded all.pb)" "$given: a redirect to another host is followed"
done
is "$(grep -c geheim two.log)" 0 "without credentials"
environment "PROFILECLI_TOKEN=ge$(printf '\001')heim" "$py?query=$cpu"
exits 2 "a control character in the environment is wrong usage"
says "flametop: PROFILECLI_TOKEN has a control character" "without the secret"

mkdir out
secret="me:geheim@$host"
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	flametop --to=$kind --verbose -H X-Scope-OrgID:geheim "pyroscope://$secret?query=$cpu" >out/$kind 2>out/$kind.err
	flametop --to=$kind --oauth2-bearer=geheim "parca://$host?query=$delta" >>out/$kind 2>>out/$kind.err
done
for address in "pyroscope://$secret" "pyroscope://$secret/401?query=$cpu" "parca://$secret?query=$delta&token=geheim" \
	"pyroscope://me:geheim@127.0.0.1:1?query=$cpu" "pyroscope://me:ge heim@$host" "parca://me:geheim@" \
	"pyroscope://$secret?query=$cpu&from=a x" "pyroscope://$secret/inside?query=$cpu"; do
	flametop --to=folded "$address" >>out/messages 2>&1
	PROFILECLI_URL=http://me:geheim@ PROFILECLI_TOKEN=geheim flametop --to=folded "pyroscope:///?query=$cpu" >>out/messages 2>&1
done
flametop --screen=120x20 --keys=C "pyroscope://$secret?query=$cpu{version=\"1\"}" >out/screen 2>&1
is "$(grep -rl geheim out)" "" "no secret is in any output, message or copied command"
ok "the copied command has the query" grep -q "query=$cpu{version=" out/screen

# While it runs, and if it dies.
# shellcheck disable=SC3045 # where there is such a limit
ulimit -c unlimited 2>/dev/null
find_another_user
PROFILECLI_TENANT_ID=geheim $as_other "$program" --no-config --to=text --timeout=60 -u me:geheim \
	"pyroscope://me:geheim@$host/hang?query=$cpu" >/dev/null 2>&1 &
pid=$!
limit() { awk '/core file size/ { print $5 }' /proc/$pid/limits; }
quiet() { [ "$(limit)" = 0 ]; }
if [ -r /proc/$pid/limits ]; then
	until_true quiet
	is "$(limit)" 0 "while a credential is in memory, there is no core"
	is "$(tr '\0' '\n' </proc/$pid/cmdline | grep -c geheim)" 0 "nor is one in the list of processes"
else
	skip 2 "there is no /proc/PID/limits"
fi
# A core that goes through a pipe heeds no limit. A process that may leave none cannot be looked into, either.
$as_other sleep 1000 &
sleeper=$!
can_look() { $as_other cat "/proc/$1/environ" >/dev/null 2>&1; }
if { [ "$as_other" ] || [ "$(id -u)" != 0 ]; } && [ -e /proc/$pid/environ ] && until_true can_look $sleeper; then
	can_look $pid && looked=yes || looked=no
	is $looked no "nor is there one behind a pipe"
else
	skip 1 "there is no /proc/PID/environ, or root reads all of them"
fi
kill $sleeper
wait $sleeper 2>/dev/null
kill $pid
wait $pid 2>/dev/null
ok "a signal ends it at once" test $? -gt 128

is "$(cat one.log.faults 2>/dev/null)" "" "each question is as the API has it"
done_testing
