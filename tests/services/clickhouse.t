#!/bin/sh
# ClickHouse's real engine: a table of the shape of system.trace_log with ten million rows, or ROWS.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/services/services.sh"
need_modules chdb

rows=${ROWS:-10000000} stacks=2000
mkdir engine # its data
server() {
	cd engine && TMPDIR=$dir/engine exec node "$here/clickhouse_server.js" "$dir/engine.port" "$dir/engine.log" $rows $stacks
}
(server) >engine.said 2>&1 &
servers=$!
ready() { [ -s engine.port ] || ! kill -0 $servers 2>/dev/null; }
until_true ready || until_true ready || until_true ready
[ -s engine.port ] || skip_all "the engine does not start: $(head -1 engine.said)"
at=clickhouse://127.0.0.1:$(cat engine.port)
times='from=2026-01-01T00:00:00Z&until=2026-01-03T00:00:00Z&table=prof.trace_log'
[ $rows -le 100000000 ] || skip_all "the times do not cover so many rows"
seconds() { date +%s.%N; }
took() { awk "BEGIN { printf \"%.2f\", $2 - $1 }"; }

# ---- trace_log ----
begin=$(seconds)
fetch "$at/?$times"
end=$(seconds)
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "samples of the type CPU"
is "$err" "" "without a message"
is "$(cat .out | sum_of)" "$((rows / 10 * 9))" "all of them are counted"
ok "they come as different stacks, not as rows" test "$(wc -l <.out)" -le $stacks
cp .out cpu.folded
prints "*::*" "frames have the engine's names of functions"
echo "# $rows rows in the engine: $(took $begin $end) s"
is "$(grep -c 'param_type=CPU' engine.log)" 1 "one query is asked"

# At most a million of them, as text, one line each.
some=$((rows > 1000000 ? 1000000 : rows))
begin=$(seconds)
fetch "$at/?from=1767225600&until=$((1767225600 + some / 1000))&table=prof.trace_log"
end=$(seconds)
echo "# $some rows of them: $(took $begin $end) s"
cp .out some.folded
awk '{ n = $NF; sub(/ [0-9]+$/, ""); for (k = 0; k < n; k++) print $0 " 1" }' some.folded >samples.folded
is "$(wc -l <samples.folded | tr -d ' ')" "$((some / 10 * 9))" "samples of a time"
begin=$(seconds)
flametop --to=folded samples.folded >from-text
end=$(seconds)
ok "the same as from the samples as text" cmp from-text some.folded
echo "# the same samples as text, $(wc -c <samples.folded) bytes: $(took $begin $end) s"
rm samples.folded

fetch "$at/?query_id=query-1&table=prof.trace_log"
is "$(cat .out | sum_of)" "$((rows / 20 * 9))" "samples of one query, without times"
fetch "$at/?from=2026-01-01T00:00:00Z&until=2026-01-01T00:00:10Z&table=prof.trace_log"
is "$(cat .out | sum_of)" 9000 "samples of ten seconds"
fetch "$at/?query_id=query-1&base_query_id=query-2&table=prof.trace_log"
is "$(awk '{ before += $(NF - 1); after += $NF } END { print before, after }' .out)" \
	"$((rows / 20 * 9)) $((rows / 20 * 9))" "both sides of a comparison come from one query"
cp .out both
fetch --diff="$at/?query_id=query-2&table=prof.trace_log" "$at/?query_id=query-1&table=prof.trace_log"
ok "two addresses give the same" cmp .out both
fetch "$at/?from=2026-01-01T00:00:10Z&until=2026-01-01T00:00:20Z&base_until=2026-01-01T00:00:10Z&table=prof.trace_log"
is "$(awk '{ before += $(NF - 1); after += $NF } END { print before, after }' .out)" "9000 9000" \
	"a base before that, of the same length"
fetch "$at/?root=query_id&$times"
is "$(cut -d ';' -f 1 .out | sort -u | tr '\n' ' ')" "query-1 query-2 " "root=COLUMN is one more frame"
fetch "$at/?type=MemorySample&$times"
is "$(cat .out | sum_of)" "$((rows / 20 * 100))" "bytes that were allocated"
fetch "$at/?type=MemorySample&value=live&$times"
is "$(cat .out | sum_of)" "$((rows / 200 * 100))" "bytes that were not freed"
fetch "$at/?type=MemorySample&value=samples&$times"
is "$(cat .out | sum_of)" "$((rows / 10))" "samples of memory"
fetch "$at/?symbols=0&$times"
prints "0x*;0x*" "symbols=0 shows addresses"
is "$(cat .out | sum_of)" "$((rows / 10 * 9))" "and all samples"
fetch "$at/?max_threads=1&$times"
ok "settings of the server" cmp .out cpu.folded
fetch --every=1 "$at/?$times"
exits 2 "--every needs the viewer"

# ---- any table ----
cat >query.sql <<'END'
SELECT arrayMap(x -> demangle(addressToSymbol(x)), arrayReverse(trace)) AS stack, count() AS n
FROM prof.trace_log WHERE trace_type = 'CPU' GROUP BY trace -- all of it
END
fetch --sql=@query.sql "$at"
ok "--sql=@FILE gives the same" cmp .out cpu.folded
fetch --sql="SELECT 'main;a', 1 UNION ALL SELECT 'main;a', 2" "$at"
is "$out" "main;a 3" "equal stacks are added up in the engine"
fetch --sql="SELECT ['main', 'a;b', ''] AS s, toFloat32(1.5) AS n;" "$at"
is "$out" "main;a:b; 1.5" "a list of frames, and a number with decimals"
fetch --sql="SELECT toLowCardinality('main;a') AS s, toNullable(1) AS before, 3 AS after" "$at"
is "$out" "main;a 1 3" "two numbers are before and after"
fetch --sql="SELECT trace_type, count() FROM prof.trace_log GROUP BY trace_type" "$at"
is "$(echo "$out" | sort)" "CPU $((rows / 10 * 9))
MemorySample $((rows / 10))" "names of an Enum"
fetch --sql="SELECT {query_id:String} AS s, toUInt32({from:DateTime}) AS n" "$at/?query_id=it's%20\\me&from=1767225600&until=now"
is "$(echo "$out" | tail -1)" "it's \\me 1767225600" "parameters of the address are those of the query"
fetch --sql="SELECT 'a' AS \`n1 \\\` x\`, 1 AS flametop_after" "$at"
is "$out" "a 1" "any names of columns"
fetch --sql="SELECT '' AS s, 2 AS n" "$at"
is "$out" "[empty] 2" "an empty stack"

# ---- errors ----
refuses() { # PATTERN NAME ARG...
	pattern=$1 why=$2
	shift 2
	fetch "$@"
	exits 1 "$why is an error"
	says "flametop: $at$pattern" "$why: the message"
	one_line "$why: one line"
}
refuses "*error 60,*trace_log*(it begins with the first sample*" "no trace_log" "$at"
refuses "*error 701,*(--sql=*system.clusters*" "an unknown cluster" "$at/?cluster=none&$times"
refuses "*error 115,*" "an unknown setting" "$at/?no_such_setting=1&$times"
refuses "*no samples of the type Real*" "a type without samples" "$at/?type=Real&$times"
refuses "*error 62,*" "no SQL" --sql="SELEC" "$at"
refuses "*--sql has to give a stack*it gives n UInt8" "one column" --sql="SELECT 1 AS n" "$at"
refuses "*it gives a UInt8, b String" "columns in another order" --sql="SELECT 1 AS a, 'x' AS b" "$at"
refuses "*--sql gives no rows" "no rows" --sql="SELECT 'x', 1 WHERE 0" "$at"
refuses "*error *" "another statement" --sql="DROP TABLE prof.trace_log" "$at"
fetch "$at/?$times"
ok "the table is still there" cmp .out cpu.folded

done_testing
