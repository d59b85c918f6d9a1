#!/bin/sh
# Stores of profiles: Pyroscope. What is asked, what is made of answers and of errors, and no secrets.
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
	[ $kind = pprof ] && continue # names its input
	flametop -q --to=$kind all.pb 2>&1 | sed "s|all.pb|FILE|g" >from-file
	flametop -q --to=$kind "$py/?query=$cpu" 2>&1 | sed "s|$py/?query=$cpu|FILE|g" >from-address
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
wrong "?query=$cpu&from=yesterday" "'from' is no moment*" "a word that is no moment"
wrong "?query=$cpu&from=20261131x" "'from' is no moment*" "a date with a rest"
wrong "?query=$cpu&from=now&until=now-1h" "'from' is not before 'until'" "time that runs backwards"
wrong "?choose=all" "'choose' is none of labels, label:NAME, time and until" "an unknown question"

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

ok "each question is as the API has it" test ! -e one.log.faults
done_testing
