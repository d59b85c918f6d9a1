#!/bin/sh
# ClickHouse from a stand-in for its HTTP interface: what is asked, what is said of errors, and no secrets.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/cli/fetch.sh"
unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD

fetch() { run "$FLAMETOP" --no-config --to=folded "$@"; }
log=click
: >click.log
python3 "$source/tests/cli/clickhouse_server.py" "$dir/click.log" "$dir/click.port" >click.said 2>&1 &
servers="$servers $!"
until_true test -s click.port || skip_all "there is no server: $(cat click.said)"
http=127.0.0.1:$(cat click.port)
at=clickhouse://$http

fetch "$at"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "an address of ClickHouse is enough"
is "$out" "$(printf 'main;a 3\nmain;b \\ \t c 2')" "rows become stacks"
asked "/[?]wait_end_of_query=1&allow_introspection_functions=1&param_type=CPU&param_from=1*&param_until=1*
*Content-Type: text/plain*SELECT stack, sum*FROM system.trace_log*GROUP BY trace*GROUP BY stack*" \
	"samples of the type CPU of the last hour are asked for, in groups"
is "$(grep -c '^SELECT' click.log)" 1 "one query is asked"
fetch --to=text "$at" | head -1
fetch "$at/path/?type=CPU&from=1000&until=2000&query_id=a%27b%5Cc&event=e&max_threads=2&root=thread_id"
exits 0 "all parameters"
asked "/path/[?]*&param_query_id=a'b%5C%5Cc&*param_event=e&param_from=1000&param_until=2000&max_threads=2
*toString(\`thread_id\`) AS root*" "values are parameters of the query, and others are settings"
is "$(tail -3 click.log | grep -c "a'b")" 0 "and no part of it"
fetch "$at/?type=both&from=5000&until=6000&base_from=1000"
is "$out" "main;a 3 1
main;b 0 2" "two sides"
asked "*&param_from=5000&param_until=6000&param_base_from=1000&param_base_until=5000
*sumIf(*{base_from:DateTime}*sumIf(*{from:DateTime}*" "in one query; the base ends where the other side begins"
fetch "$at/?cluster=all&query_id=q&symbols=0"
asked "/[?]wait_end_of_query=1&param_type=CPU&param_query_id=q
*FROM clusterAllReplicas('all', view(SELECT*concat('0x'*)) GROUP BY stack*" "a cluster names its functions itself; symbols=0"
fetch "$at/?type=Memory&value=live&table=db.copy"
asked "*FROM db.copy*GROUP BY ptr HAVING*" "memory that is not freed, from another table"
fetch "$at/?type=numbers"
is "$out" "a 1000
b 2.5" "numbers of any form"
says "*2 lines skipped, the first at line 5: not a folded stack*c nan" "what is no number, or a negative one, is said"
fetch -q "$at/?type=names"
is "$out" '# folded stacks, \xHH in a name is a byte
\x23 9 samples lost 2
\x23 event=e unit=b 5
worker\x2012 3
worker\x2013 4' "a name may end in a number, or look like a comment"
fetch "$at/?type=lines"
exits 1 "a row with more columns"
fetch --sql="SELECT 1" "$at"
exits 0 "--sql"
asked "*SELECT flametop_stack, sum(flametop_after)*toString(\`stack*)*(SELECT 1
)*" "names of columns are quoted"
fetch --sql="SELECT 1" "$at/?from=7"
asked "/[?]wait_end_of_query=1&*param_from=7&*" "parameters are for the user's query, too, without settings"

# ---- errors ----
refuses() { # TYPE PATTERN NAME
	case $1 in hang | trickle) fetch --timeout=1 "$at/?type=$1" ;; *) fetch "$at/?type=$1" ;; esac
	exits 1 "$3: exit status"
	says "flametop: $at/?type=$1: $2" "$3: the message"
	one_line "$3: one line"
}
refuses forbidden "*error 446,*disabled*(ALTER USER NAME SETTINGS allow_introspection_functions = 1 *symbols=0*" "not allowed"
refuses ungranted "*error 497,*(GRANT INTROSPECTION ON [*].[*] TO NAME; &symbols=0 shows addresses)*" "functions not granted"
refuses unreadable "*error 497,*(GRANT SELECT ON system.trace_log TO NAME)*" "a table not granted"
refuses remote "*error 497,*(GRANT REMOTE ON [*].[*] TO NAME)*" "a cluster not granted"
refuses readonly "*error 164,*(ALTER USER NAME SETTINGS allow_introspection_functions = 1*" "a reader"
refuses missing "*error 60,*does not exist*(it begins with the first sample*<trace_log>*" "no trace_log"
refuses stranger "*status 401*error 516,*(--user, NAME:PASSWORD@ before the host*" "a wrong password"
refuses memory "*error 241,*(&max_bytes_before_external_group_by*" "no memory there"
refuses page "the server answers with status 502" "a gateway"
refuses evil "*error 999, *red*" "control characters"
is "$(printf '%s' "$err" | tr -d '[:print:]' | LC_ALL=C tr -d '\200-\377' | wc -c | tr -d ' ')" 0 "they are shown as marks"
refuses late "ClickHouse's error 241, Memory limit*" "an error behind good rows"
refuses marked "*" "a marked error behind good rows"
refuses inside "ClickHouse's error 241, Memory limit*" "an error within a row"
refuses login "*cannot be read: '<html>*' is no row of a stack and numbers" "a page to log in"
refuses columns "*cannot be read*" "too many columns"
refuses words "*cannot be read*" "a word for a number"
refuses nothing "*no samples of the type nothing at that time*SYSTEM FLUSH LOGS*" "no rows"
refuses hang "the server is silent: no answer for 1 s*" "no answer"
refuses trickle "the server is silent: less than 1 kB came for 1 s*" "an answer byte by byte"
refuses short "*" "an answer shorter than announced"
refuses huge "the answer has more than 2.15 GB" "an answer announced too large"
refuses chunk "*" "a connection that is cut"
refuses row "*a row of more than 64 MiB" "a row without end"
refuses away "*" "a redirect to another host"
fetch --sql="SELECT broken" "$at"
says "*ClickHouse's error 62, Syntax error: broken*" "an error with status 200 in the place of columns"
fetch --sql="SELECT strange" "$at"
says "*it is not of ClickHouse's HTTP interface" "no columns"

# ---- usage ----
printf 'main;a 1\n' >a.folded
for wrong in "$at/?user=me" "$at/?password=geheim" "$at/?query=x" "$at/?param_x=1" "$at/?a-b=1" "$at/?table=a;b" \
	"$at/?cluster=a'b" "$at/?root=a\`b" "$at/?from=x" "$at/?from=9&until=8" "$at/?base_from=9&base_until=8" \
	"$at/?value=some" "$at/?value=live&base_from=1&type=Memory&from=2" "--sql=" "--sql=; $at" "--sql=@none $at" \
	"--sql=x http://$http/"; do
	# shellcheck disable=SC2086 # several words
	fetch $wrong
	exits 2 "$wrong is wrong usage"
	one_line "$wrong: one line"
done
fetch --sql=x a.folded
is "$err" "flametop: --sql has no effect: no profile is fetched" "--sql without an address"
head -c 65536 /dev/zero | tr '\0' ' ' >full
fetch --sql=@full "$at"
says "*expected a query in SQL*" "a file of 64 KiB is read"
echo >>full
fetch --sql=@full "$at"
says "*full: more than 64 KiB*" "a longer one is not"

# ---- secrets ----
secret="clickhouse://me:geheim@$http"
asked_basic() {
	asked "*Authorization: Basic $(printf 'me:geheim' | base64)*" "$1"
}
fetch "$secret/"
asked_basic "user and password of the address"
fetch -u me:geheim "$at"
asked_basic "--user"
CLICKHOUSE_USER=me CLICKHOUSE_PASSWORD=geheim fetch "$at"
asked_basic "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD"
mkdir out
for kind in svg html folded text top markdown json pprof speedscope firefox callgrind; do
	"$FLAMETOP" --no-config --to=$kind --verbose -H 'X-ClickHouse-Key: geheim' "$secret/?type=CPU" >out/$kind 2>&1
done
for type in stranger page late hang nothing; do
	"$FLAMETOP" --no-config --to=text --timeout=1 "$secret/?type=$type" >out/$type 2>&1
done
"$FLAMETOP" --no-config --to=text --save=out/saved "$secret" >/dev/null 2>out/save
"$FLAMETOP" --no-config --to=text "$secret/?password=geheim" >out/usage 2>&1
CLICKHOUSE_USER=me CLICKHOUSE_PASSWORD=geheim "$FLAMETOP" --no-config --screen=120x20 --keys=C "$at" >out/screen 2>&1
printf 'SELECT 1 /* geheim */' >query.sql
"$FLAMETOP" --no-config --screen=120x20 --keys=C --sql=@query.sql "$at" >out/sql 2>&1
is "$(grep -rl geheim out)" "" "no secret is in any output, message or copied command"
ok "the command repeats where the query is" grep -q -e '--sql=@query.sql' out/sql
ok "what is saved is the profile" grep -q '^main;a 3$' out/saved

"$FLAMETOP" --no-config --to=text -H 'X-ClickHouse-Key: geheim' "$secret/?type=hang&x=1" >/dev/null 2>&1 &
pid=$!
until_true grep -q 'param_type=hang.*x=1' click.log
if [ -r /proc/$pid/cmdline ] && [ -r /proc/$pid/limits ]; then
	is "$(tr '\0' '\n' </proc/$pid/cmdline | grep -c geheim)" 0 "no secret is in the list of processes"
	is "$(awk '/^Max core file size/ { print $5 }' /proc/$pid/limits)" 0 "no core of the process is written"
else
	skip 2 "there is no /proc/PID/cmdline"
fi
kill -TERM $pid
wait $pid 2>/dev/null
ok "a signal ends it at once" test $? -gt 128

done_testing
