// clickhouse_server.js - serves the HTTP interface of ClickHouse around the real engine, for clickhouse.t.
//
//	clickhouse_server.js PORT_FILE LOG ROWS STACKS
//
// It listens on a free port of the loopback, which it writes to PORT_FILE. A database `prof` holds a table of the shape
// of system.trace_log with ROWS samples of STACKS different stacks, whose addresses are those of the engine's own
// functions. Queries are answered one after the other, as the engine in a process does; parameters and settings of
// the address become SET statements before each.
'use strict';
const fs = require('fs');
const http = require('http');
const { Session } = require('chdb');

const [portFile, log, rows, stacks] = [process.argv[2], process.argv[3], Number(process.argv[4]), Number(process.argv[5])];
const session = new Session();
const run = (sql, format) => session.query(sql, format || 'TSVRaw');
const quote = (text) => "'" + text.replace(/\\/g, '\\\\').replace(/'/g, "\\'") + "'";

run('SET allow_introspection_functions = 1');
run('CREATE DATABASE IF NOT EXISTS prof');
run(`CREATE TABLE prof.trace_log (hostname LowCardinality(String), event_date Date, event_time DateTime,
	event_time_microseconds DateTime64(6), timestamp_ns UInt64, revision UInt32,
	trace_type Enum8('Real' = 0, 'CPU' = 1, 'Memory' = 2, 'MemorySample' = 3, 'MemoryPeak' = 4, 'ProfileEvent' = 5),
	thread_id UInt64, query_id String, trace Array(UInt64), size Int64, ptr UInt64, event LowCardinality(String),
	increment Int64) ENGINE = MergeTree ORDER BY (event_date, event_time)`);
// Stack s has 5 to 24 frames, leaf first, of the functions (s * 31 + depth * depth * 17) % 97 that grow with the depth.
run(`CREATE TABLE prof.functions ENGINE = Memory AS SELECT rowNumberInAllBlocks() AS n, address_begin AS address FROM
	(SELECT address_begin FROM system.symbols WHERE address_end > address_begin + 16 AND symbol LIKE '_ZN%' AND length(demangle(symbol)) < 24
	ORDER BY symbol LIMIT 97)`);
run(`CREATE TABLE prof.stacks ENGINE = Memory AS SELECT number AS n, arrayMap(d -> (SELECT groupArray(address) FROM
	(SELECT address FROM prof.functions ORDER BY n))[1 + (number * if(d > 3, 31, 0) + d * d * 17) % 97] + number % 8,
	arrayReverse(range(5 + number % 20))) AS trace FROM numbers(${stacks})`);
// One sample a millisecond, from 2026-01-01 00:00:00 UTC on; the second half belongs to another query. Every tenth is of
// memory: 100 bytes are allocated, and then freed but for one time in ten.
run(`INSERT INTO prof.trace_log SELECT 'host-1', toDate(1767225600 + intDiv(number, 1000), 'UTC'), toDateTime(1767225600 + intDiv(number, 1000)),
	fromUnixTimestamp64Micro(toInt64(1767225600000000 + number * 1000)), number, 54000, if(number % 10 = 9, 'MemorySample', 'CPU'),
	number % 8, if(number < ${rows} / 2, 'query-1', 'query-2'), trace,
	multiIf(number % 20 = 9, 100, number % 20 = 19 AND intDiv(number, 20) % 10 != 0, -100, 0),
	if(number % 10 = 9, intDiv(number, 20) + 1, 0), '', 0
	FROM (SELECT number, cityHash64(number) % ${stacks} AS s FROM numbers(${rows})) AS a INNER JOIN prof.stacks AS b ON a.s = b.n
	SETTINGS max_block_size = 65536, max_threads = 1`);

function prepare(address) {
	for (const [name, value] of address.searchParams) {
		if (name === 'wait_end_of_query')
			continue;
		if (!/^[a-z_0-9]+$/.test(name))
			throw new Error('Code: 115. DB::Exception: Unknown setting ' + name);
		run(`SET ${name} = ${quote(value)}`);
	}
}

const server = http.createServer((request, response) => {
	const parts = [];
	request.on('data', (part) => parts.push(part));
	request.on('end', () => {
		const sql = Buffer.concat(parts).toString();
		fs.appendFileSync(log, `${request.method} ${request.url}\n${sql}\n\n`);
		try {
			prepare(new URL(request.url, 'http://localhost'));
			const answer = run(sql);
			response.writeHead(200, { 'Content-Type': 'text/tab-separated-values; charset=UTF-8' });
			response.end(answer);
		} catch (e) {
			const text = String(e.message).replace(/^Query failed: /, '');
			response.writeHead(/Code: (60|47|701)\b/.test(text) ? 404 : 500, { 'Content-Type': 'text/plain' });
			response.end(text + '\n');
		}
	});
});
server.listen(0, '127.0.0.1', () => {
	fs.writeFileSync(portFile + '.new', String(server.address().port));
	fs.renameSync(portFile + '.new', portFile);
});
