// node_server.js - serves its own profiles, made by a real agent: node_server.js PORT_FILE
'use strict';
const fs = require('fs');
const http = require('http');
const pprof = require('@datadog/pprof');

// What the profiles must show.
function busyOnPurpose() {
	let x = 0;
	for (let i = 0; i < 2e6; i++)
		x += Math.sqrt(i);
	return x;
}
const kept = [];
function keepOnPurpose() {
	for (let i = 0; i < 200000; i++)
		kept.push({ number: i, text: 'text ' + i });
}

pprof.heap.start(32 * 1024, 64);
keepOnPurpose();
setInterval(busyOnPurpose, 1);

async function profile(url) {
	if (url.pathname === '/debug/pprof/heap')
		return pprof.heap.profile();
	if (url.pathname !== '/debug/pprof/profile')
		return null;
	const seconds = Number(url.searchParams.get('seconds') || 30);
	return pprof.time.profile({ durationMillis: seconds * 1000 });
}

http.createServer(async (request, response) => {
	try {
		const p = await profile(new URL(request.url, 'http://localhost'));
		response.writeHead(p ? 200 : 404, { 'Content-Type': 'application/octet-stream' });
		response.end(p ? await pprof.encode(p) : 'Unknown profile\n');
	} catch (e) {
		response.writeHead(500);
		response.end(String(e.message) + '\n');
	}
}).listen(0, '127.0.0.1', function () {
	fs.writeFileSync(process.argv[2] + '.new', String(this.address().port));
	fs.renameSync(process.argv[2] + '.new', process.argv[2]);
});
