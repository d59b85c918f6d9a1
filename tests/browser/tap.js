// tap.js - TAP on standard output, and drawings of folded stacks in the directory of the test (TMP).
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

let run = 0, failed = 0;

// why: what is said of a failure; without it, where the assertion stands
function ok(is, sentence, why) {
	run++;
	console.log((is ? 'ok ' : 'not ok ') + run + ' - ' + sentence);
	if (is)
		return;
	failed++;
	console.log('# ' + String(why === undefined ? new Error().stack.split('\n')[2] : why).replace(/\n/g, '\n# '));
}

function same(got, expected, sentence) {
	got = JSON.stringify(got);
	expected = JSON.stringify(expected);
	ok(got === expected, sentence, 'got ' + got + '\nexpected ' + expected);
}

function near(got, expected, slack, sentence) {
	ok(Math.abs(got - expected) <= slack, sentence, 'got ' + got + ', expected about ' + expected);
}

// Writes lines, or bytes, and returns the path.
function write(name, lines) {
	const file = path.join(process.env.TMP, name);
	fs.writeFileSync(file, Buffer.isBuffer(lines) ? lines : lines.join('\n') + '\n');
	return file;
}

// Draws NAME.folded as NAME.svg, or with --to=html as NAME.html, and returns the path.
function draw(name, lines, ...options) {
	const file = path.join(process.env.TMP, name + (options.includes('--to=html') ? '.html' : '.svg'));
	execFileSync(process.env.FLAMETOP, ['-f', 'folded', '--no-config', '-o', file, ...options, write(name + '.folded', lines)],
		{ stdio: ['ignore', 'inherit', 'inherit'] });
	return file;
}

// Runs the test to its end.
function finish(test) {
	test().then(() => {
		console.log('1..' + run);
		process.exit(failed ? 1 : 0);
	}, e => {
		ok(false, 'nothing went wrong', String(e.stack)); // which leaves no plan, as a reader of TAP will notice
		process.exit(1);
	});
}

module.exports = { ok, same, near, write, draw, finish };
