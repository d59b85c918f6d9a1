// svg.js - acts like a reader of a drawing in a headless Chromium; TAP on standard output.
//
// Every figure that is compared is computed here from the folded text, never read from the drawing first: the matched
// share, for instance, is the weight of the stacks that hold a match.
'use strict';
const launch = require('./chromium.js');
const { execFileSync } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const { ok, same, near, draw, finish } = require('./tap.js');

const FLAMETOP = process.env.FLAMETOP, TMP = process.env.TMP;
const address = file => pathToFileURL(file).href;

const FOLDED = [
	'main 4',
	'main;Parse;lex 30',
	'main;Parse;lex;alloc 20',
	'main;eval;alloc 25',
	'main;eval;alloc;grow;alloc 15',
	'main;eval;loop 40',
	'main;eval;loop;alloc_page_[k] 6',
	'main;eval;loop;a_function_with_a_name_that_is_too_long_for_any_narrow_frame_of_this_drawing 9',
	'other;read_[k] 51',
];

function stacks(lines) {
	return lines.map(l => ({ frames: l.replace(/ \d+$/, '').split(';').map(f => f.replace(/_\[[kwij]\]$/, '')),
		weight: +l.match(/\d+$/)[0] }));
}
function weight(list) { return list.reduce((sum, s) => sum + s.weight, 0); }
function matched(lines, regex, within) {
	const list = stacks(lines).filter(s => !within || s.frames.slice(0, within.length).join(';') == within.join(';'));
	const from = within ? within.length - 1 : 0;
	const share = 100 * weight(list.filter(s => s.frames.slice(from).some(f => regex.test(f)))) / weight(list);
	return 'Matched: ' + (share == 100 ? share : share.toFixed(1)) + '% of ' + (within ? 'zoom' : 'all');
}

let browser, noise = [];

async function open(svg, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1000, height: 600 }, ...options });
	const page = await context.newPage();
	page.on('pageerror', e => noise.push('error: ' + e));
	page.on('console', m => noise.push('console: ' + m.text()));
	page.on('dialog', d => { noise.push('dialog: ' + d.message()); d.dismiss(); });
	page.on('request', r => {
		if (!/^file:/.test(r.url()) || r.url().split(/[?#]/)[0] != address(svg))
			noise.push('request: ' + r.url());
	});
	if (options.before)
		await page.addInitScript(options.before);
	await page.goto(address(svg) + (options.query || ''));
	await ready(page);
	return page;
}

// The program starts when the event loop comes round after loading.
async function ready(page) {
	await page.waitForFunction(() => document.getElementById('frames').getAttribute('role') == 'group');
	await settle(page);
}
function settle(page) {
	return page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0))));
}

// All frames: name, class, pixels, label, fill.
function frames(page) {
	return page.evaluate(() => Array.from(document.querySelectorAll('#frames > *')).map(g => {
		const r = g.querySelector('rect').getBoundingClientRect(), title = g.querySelector('title').textContent;
		return { title, name: title.replace(/ \([^(]*\)$/, ''), hidden: g.classList.contains('hide'),
			parent: g.classList.contains('parent'), x: r.x, y: r.y, width: r.width,
			label: (g.querySelector('text') || {}).textContent || '', fill: g.querySelector('rect').getAttribute('fill') };
	}));
}
async function frame(page, name) { return (await frames(page)).find(f => f.name == name); }
function handle(page, name) {
	return page.evaluateHandle(n => Array.from(document.querySelectorAll('#frames > *')).find(
		g => g.querySelector('title').textContent.replace(/ \([^(]*\)$/, '') == n), name);
}
async function click(page, name, options) {
	const g = await (await handle(page, name)).asElement().$('rect');
	await g.click({ force: true, ...options });
	await settle(page);
}
function text(page, id) { return page.evaluate(i => document.getElementById(i).textContent, id); }
function query(page) { return Object.fromEntries(new URL(page.url()).searchParams); }
function hasClass(page, id, name) { return page.evaluate(([i, n]) => document.getElementById(i).classList.contains(n), [id, name]); }
async function type(page, words) {
	await page.fill('#box input', words);
	await page.waitForFunction(w => (new URLSearchParams(location.search).get('s') || '') == w, words);
	await settle(page);
}

async function zooming(svg) {
	const total = weight(stacks(FOLDED)), page = await open(svg);
	let f = await frames(page);

	for (const [name, w] of [['all', total], ['main', 149], ['eval', 95], ['loop', 55], ['other', 51], ['read', 51]])
		near(f.find(e => e.name == name).width, 980 * w / total, 0.6, name + ' is as wide as its share');
	same(await text(page, 'details'), ' ', 'the line of details is empty at first');
	ok(await hasClass(page, 'unzoom', 'hide'), 'there is nothing to reset at first');

	await click(page, 'eval');
	f = await frames(page);
	near(f.find(e => e.name == 'eval').width, 980, 0.6, 'a click makes a frame span the drawing');
	near(f.find(e => e.name == 'loop').width, 980 * 55 / 95, 0.6, 'what it calls grows with it');
	same(f.filter(e => e.parent).map(e => e.name).sort(), ['all', 'main'], 'its callers fade');
	near(f.find(e => e.name == 'main').width, 980, 0.6, 'and are as wide as the drawing');
	same(f.filter(e => e.hidden).map(e => e.name).sort(), ['Parse', 'alloc', 'lex', 'other', 'read'], 'the rest is hidden');
	ok(!await hasClass(page, 'unzoom', 'hide'), 'Reset Zoom appears');
	same(query(page), { x: '54', y: query(page).y }, 'the address says where the zoom is');

	await click(page, 'loop');
	near((await frame(page, 'loop')).width, 980, 0.6, 'one zooms on from a zoomed frame');
	await page.goBack();
	await settle(page);
	near((await frame(page, 'eval')).width, 980, 0.6, 'the back button goes back one zoom');
	near((await frame(page, 'loop')).width, 980 * 55 / 95, 0.6, 'and shows its callees again');
	await page.goForward();
	await settle(page);
	near((await frame(page, 'loop')).width, 980, 0.6, 'the forward button goes forward');
	await click(page, 'main');
	near((await frame(page, 'eval')).width, 980 * 95 / 149, 0.6, 'a click on a faded caller zooms to it');
	await page.click('#unzoom');
	await settle(page);
	same((await frames(page)).filter(e => e.hidden || e.parent), [], 'Reset Zoom shows everything');
	near((await frame(page, 'loop')).width, 980 * 55 / total, 0.6, 'in its first size');
	same(query(page), {}, 'and leaves a bare address');
	await click(page, 'eval');
	await click(page, 'all');
	ok(await hasClass(page, 'unzoom', 'hide'), 'a click on the root resets, too');
	await page.close();
}

async function searching(svg) {
	const page = await open(svg), fills = (await frames(page)).map(f => f.fill);
	let f;

	await page.keyboard.press('Control+f');
	ok(await page.evaluate(() => document.activeElement.tagName == 'input'), 'Ctrl-F opens a box to type in');
	await type(page, 'alloc');
	same(await text(page, 'matched'), matched(FOLDED, /alloc/i), 'the matched share counts no weight twice');
	f = await frames(page);
	same(f.filter(e => e.fill == 'rgb(230,0,230)').map(e => e.name).sort(),
		['alloc', 'alloc', 'alloc', 'alloc_page'], 'matches have the search colour');
	same(query(page).s, 'alloc', 'the address says what is searched');
	same(await text(page, 'search'), 'Reset Search', 'the button offers to end the search');

	await type(page, '^(lex|grow)$');
	same(await text(page, 'matched'), matched(FOLDED, /^(lex|grow)$/), 'a regular expression with anchors and choices works');
	await type(page, 'parse');
	same(await text(page, 'matched'), matched(FOLDED, /parse/i), 'lower case matches either case');
	await page.keyboard.press('Control+i');
	await settle(page);
	same(await text(page, 'matched'), 'Matched: 0.0% of all', 'Ctrl-I makes case count');
	same(query(page).c, '1', 'the address says so');
	await page.keyboard.press('Control+i');
	await settle(page);
	same(await text(page, 'matched'), matched(FOLDED, /parse/i), 'Ctrl-I again makes it not count');
	await type(page, 'lex');
	await type(page, '(');
	ok(await page.evaluate(() => document.querySelector('#box input').getAttribute('aria-invalid') == 'true'),
		'a broken expression is shown as such');
	await type(page, 'all');
	same(await text(page, 'matched'), 'Matched: 100% of all', 'a match of the root is everything');
	await type(page, 'samples');
	same(await text(page, 'matched'), 'Matched: 0.0% of all', 'names are searched, not the figures behind them');

	await type(page, 'alloc');
	await page.keyboard.press('Enter');
	await settle(page);
	const first = await page.evaluate(() => document.querySelector('#details').textContent);
	ok(/^Function: alloc/.test(first), 'Enter goes to the first match', first);
	await page.keyboard.press('Enter');
	await settle(page);
	ok(/^2\/4/.test(await page.textContent('#box span')), 'Enter again goes to the second', await page.textContent('#box span'));
	await page.keyboard.press('Shift+Enter');
	await page.keyboard.press('Shift+Enter');
	await settle(page);
	ok(/^4\/4/.test(await page.textContent('#box span')), 'Shift-Enter goes back, and round');

	await click(page, 'eval');
	same(await text(page, 'matched'), matched(FOLDED, /alloc/, ['main', 'eval']), 'the share is that of the zoomed frame');
	await page.click('#unzoom');
	await settle(page);
	same(await text(page, 'matched'), matched(FOLDED, /alloc/), 'and of everything after the reset');
	await page.click('#search');
	await settle(page);
	same((await frames(page)).map(e => e.fill), fills, 'ending the search brings all colours back');
	same([await text(page, 'matched'), query(page)], [' ', {}], 'the share and the address are empty again');
	for (const key of ['F3', '/', 'Control+f']) {
		await page.keyboard.press(key);
		ok(await page.evaluate(() => document.activeElement.tagName == 'input'), key + ' asks for a search');
		await page.keyboard.press('Escape');
		ok(await page.evaluate(() => !document.getElementById('box')), 'Esc takes the box away');
	}
	await page.click('#search');
	await page.keyboard.type('grow');
	await page.keyboard.press('Enter');
	ok(/^Function: grow/.test(await text(page, 'details')), 'a click on Search asks, too, and Enter does not wait',
		await text(page, 'details'));
	same(query(page).s, 'grow', 'for the address either');
	await page.close();
}

async function addresses(svg) {
	let page = await open(svg), y, where;
	await click(page, 'eval');
	y = query(page).y;
	await page.close();

	page = await open(svg, { query: '?x=54&y=' + y + '&s=LOOP%7Cgrow&c=0&other=1' });
	near((await frame(page, 'eval')).width, 980, 0.6, 'an address brings its zoom back');
	same(await text(page, 'matched'), matched(FOLDED, /loop|grow/i, ['main', 'eval']), 'and then its search');
	await page.click('#search');
	await page.click('#unzoom');
	await settle(page);
	same(query(page), { other: '1' }, 'what others wrote into the address stays');
	await page.close();

	page = await open(svg, { query: '?x=1&y=1&s=(' });
	where = (await frames(page)).filter(e => e.hidden || e.parent);
	same(where, [], 'an address that fits no frame and no expression does no harm');
	await page.close();
}

// The table that is open: [self, total, function], what has most self weight first.
async function isTable(page, sentence) {
	const rows = await page.evaluate(() => Array.from(document.querySelectorAll('#table tr')).slice(1)
		.map(r => Array.from(r.children).map(c => c.textContent)));
	const all = stacks(FOLDED), total = weight(all), share = w => (100 * w / total).toFixed(2) + '%', inside = {};
	for (const s of all)
		for (const name of new Set(s.frames))
			inside[name] = (inside[name] || 0) + s.weight;
	same(rows.map(r => r[0]), bySelf().map(f => share(f.weight)), sentence);
	same(rows.find(r => r[2] == 'alloc'), [share(bySelf().find(f => f.name == 'alloc').weight), share(inside.alloc), 'alloc'],
		'a recursive function counts once in its total');
}

function bySelf() {
	const self = {};
	for (const s of stacks(FOLDED)) {
		const leaf = s.frames[s.frames.length - 1];
		self[leaf] = (self[leaf] || 0) + s.weight;
	}
	return Object.keys(self).map(name => ({ name, weight: self[name] })).sort((a, b) => b.weight - a.weight);
}

async function keyboard(svg) {
	const page = await open(svg, { before: () => {
		Object.defineProperty(navigator, 'clipboard', { value: { writeText: t => (window.copied = t, Promise.resolve()) } });
	} });
	let before, after;

	await page.keyboard.press('ArrowUp');
	same((await text(page, 'details')).split(' (')[0], 'Function: all', 'an arrow begins at the root');
	await page.keyboard.press('ArrowUp');
	same((await text(page, 'details')).split(' (')[0], 'Function: main', 'up goes to the widest callee');
	await page.keyboard.press('ArrowRight');
	same((await text(page, 'details')).split(' (')[0], 'Function: other', 'right goes to the neighbour');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	await settle(page);
	near((await frame(page, 'eval')).width, 980, 0.6, 'Enter zooms');
	await page.keyboard.press('ArrowDown');
	same((await text(page, 'details')).split(' (')[0], 'Function: main', 'down goes to the caller');
	same(await page.evaluate(() => document.activeElement.querySelector('title').textContent.split(' ')[0]), 'main',
		'and the focus is there');
	await page.keyboard.press('c');
	await settle(page);
	same(await page.evaluate(() => window.copied), 'main', 'c copies the name');
	await page.keyboard.press('Escape');
	await settle(page);
	ok(await hasClass(page, 'unzoom', 'hide'), 'Esc resets the zoom');

	before = await frames(page);
	await page.keyboard.press('i');
	await settle(page);
	after = await frames(page);
	const bottom = before.find(f => f.name == 'all').y, top = Math.min(...before.map(f => f.y));
	near(after.find(f => f.name == 'all').y, top, 0.5, 'i puts the root at the top');
	near(after.find(f => f.name == 'main').y, top + 16, 0.5, 'with its callees below');
	same(query(page), { i: '1' }, 'the address says so');
	await page.reload();
	await ready(page);
	near((await frame(page, 'all')).y, top, 0.5, 'and brings it back');
	await page.keyboard.press('i');
	await settle(page);
	near((await frame(page, 'all')).y, bottom, 0.5, 'i again puts it to the bottom');

	await page.keyboard.press('t');
	await isTable(page, 't lists the functions by self weight');
	same(await caption(page), null, 'where nothing is left out, it says nothing of that');
	await page.click('#table tr:nth-child(2) td button');
	await settle(page);
	same(await text(page, 'matched'), matched(FOLDED, new RegExp('^' + bySelf()[0].name + '$')), 'a click in the table searches the function');
	ok(await page.evaluate(() => !document.getElementById('table')), 'and closes the table');
	await page.keyboard.press('t');
	await page.keyboard.press('Escape');
	ok(await page.evaluate(() => !document.getElementById('table') && !!document.getElementById('box')),
		'Esc closes the table first, and only that');
	await page.close();
}

// The halves around a function that is also inside itself: what calls its outermost frames, and what they call.
async function sandwich() {
	const svg = draw('sandwich', FOLDED, '--view=sandwich', '--function=alloc'), page = await open(svg);
	const through = stacks(FOLDED).filter(s => s.frames.includes('alloc')), total = weight(through);
	const at = s => s.frames.indexOf('alloc'), of = test => 980 * weight(through.filter(test)) / total;
	const caller = name => of(s => s.frames[at(s) - 1] == name), callee = name => of(s => s.frames[at(s) + 1] == name);
	const middle = f => f.find(e => /; self/.test(e.title)), names = list => list.map(e => e.name).sort();
	let f = await frames(page), m = middle(f);

	same(m.title, 'alloc (' + total + ' samples, ' + (100 * total / weight(stacks(FOLDED))).toFixed(2) + '%; self ' +
		total + ', ' + (100 * total / weight(stacks(FOLDED))).toFixed(2) + '%)', 'the middle tells its total and its self weight');
	near(m.width, 980, 0.6, 'and spans the drawing, however often the function is inside itself');
	for (const name of ['lex', 'eval'])
		near(f.find(e => e.name == name && e.y < m.y).width, caller(name), 0.6, name + ', above, is as wide as what it calls');
	near(f.find(e => e.name == 'grow').width, callee('grow'), 0.6, 'what is called is below');
	near(f.find(e => e.name == 'grow').y, m.y + 16, 0.5, 'right below');
	near(f.find(e => e.name == 'eval').y, m.y - 16, 0.5, 'the nearest callers are right above');
	same(await page.evaluate(() => document.title), 'Callers and callees of alloc', 'the window has the title');
	ok(/^self 60 30.0%, total 60 30.0%/.test(await text(page, 'details')) || total != 60, 'the details begin with the sums',
		await text(page, 'details'));

	await click(page, 'eval');
	f = await frames(page);
	near(f.find(e => e.name == 'eval').width, 980, 0.6, 'a click zooms into the callers');
	same(names(f.filter(e => e.hidden)), ['Parse', 'lex', 'main'], 'the other callers are hidden');
	near(f.find(e => e.name == 'grow').width, callee('grow'), 0.6, 'the callees stay as they are');
	ok(middle(f).parent && !middle(f).hidden, 'the middle fades');
	const where = query(page);
	await click(page, 'grow');
	f = await frames(page);
	near(f.find(e => e.name == 'grow').width, 980, 0.6, 'and one into the callees');
	near(f.find(e => e.name == 'lex').width, caller('lex'), 0.6, 'which brings all callers back');
	same(names(f.filter(e => e.hidden)), [], 'nothing of them is hidden');
	await click(page, 'alloc');
	ok(await hasClass(page, 'unzoom', 'hide'), 'a click on the middle resets');

	await page.keyboard.press('/');
	await type(page, '^(eval|grow)$');
	const ofAll = n => 100 * n / 980 * total / weight(stacks(FOLDED)), share = n => ofAll(n).toFixed(1) + '%';
	same(await text(page, 'matched'), 'Matched: callers ' + share(of(s => s.frames.slice(0, at(s)).includes('eval'))) +
		', callees ' + share(callee('grow')) + ' of all', 'a search tells the share of each half');
	await type(page, 'alloc$');
	same(await text(page, 'matched'), `Matched: callers ${share(980)}, callees ${share(980)} of all`, 'a match of the middle is all of the function');
	await page.keyboard.press('Escape');

	for (const [key, name] of [['Up', 'eval'], ['Left', 'eval'], ['Right', 'lex'], ['Up', 'Parse'], ['Down', 'lex'],
		['Down', 'alloc'], ['Down', 'grow'], ['Down', 'alloc'], ['Up', 'grow']]) {
		await page.keyboard.press('Arrow' + key);
		same((await text(page, 'details')).split(' (')[0], 'Function: ' + name, key + ' goes to ' + name);
	}
	await page.keyboard.press('i');
	await settle(page);
	near(middle(await frames(page)).y, m.y, 0.5, 'i leaves the callers above');

	await page.keyboard.press('t');
	const rows = await page.evaluate(() => Array.from(document.querySelectorAll('#table tr'))
		.map(r => Array.from(r.children).map(c => c.textContent)));
	same(rows, [['Self of all', 'Total of all', 'As caller of all', 'Function'], ['30.00%', '30.00%', '0.00%', 'alloc']],
		'the table lists self weights within the function');
	await page.click('#table th:nth-child(3) button');
	same(await page.evaluate(() => Array.from(document.querySelectorAll('#table tr')).slice(1)
		.map(r => r.children[2].textContent + ' ' + r.lastChild.textContent)),
	[['main', 980], ['eval', caller('eval')], ['lex', caller('lex')], ['Parse', caller('lex')]]
		.map(([name, w]) => ofAll(w).toFixed(2) + '% ' + name), 'and what goes through each caller');
	await page.close();

	const again = await open(svg, { query: '?x=' + where.x + '&y=' + where.y });
	near((await frame(again, 'eval')).width, 980, 0.6, 'an address brings the zoom of a half back');
	await again.close();
}

function caption(page) {
	return page.evaluate(() => document.querySelector('#table caption') && document.querySelector('#table caption').textContent);
}
function selfOf(page, name) {
	return page.evaluate(n => Array.from(document.querySelectorAll('#table tr')).find(r => r.lastChild.textContent == n)
		.firstChild.textContent, name);
}

// What the table lists: function -> [self, total].
function tableOf(page) {
	return page.evaluate(() => Object.fromEntries(Array.from(document.querySelectorAll('#table tr')).slice(1)
		.map(r => Array.from(r.children).map(c => c.textContent)).map(c => [c[2], [c[0], c[1]]])));
}

// Names come from tooltips, in which the unit stands as well.
async function units() {
	const lines = ['main;foo (int) 5', 'main;bar 3', 'bar 2'];
	for (const unit of ['samples (97 Hz)', 'a (b (c', '(', '), 5 (x, 1.00%)']) {
		const page = await open(draw('unit', lines, '--countname=' + unit));
		same((await frames(page)).map(f => f.label).sort(), ['all', 'bar', 'bar', 'foo (int)', 'main'],
			'the unit "' + unit + '" is no part of a label');
		await page.keyboard.press('/');
		await type(page, 'foo \\(int\\)$');
		same(await text(page, 'matched'), 'Matched: 50.0% of all', 'nor of a name that is searched to its end');
		await type(page, 'bar .');
		same(await text(page, 'matched'), 'Matched: 0.0% of all', 'figures and unit are not searched');
		await page.keyboard.press('Escape');
		await page.keyboard.press('t');
		same((await tableOf(page)).bar, ['50.00%', '50.00%'], 'the table has one line for a function');
		await page.close();
	}

	const words = '1 frame narrower than 4% is left out', page = await open(draw('worded', lines, '--hide=' + words));
	ok((await text(page, 'details')).endsWith(words), 'a filter can be worded like a remark', await text(page, 'details'));
	await page.keyboard.press('t');
	same(await caption(page), await text(page, 'details'), 'which the table does not take for one');
	await page.close();
}

async function fromTheLeaves() {
	const page = await open(draw('leaves', FOLDED, '--reverse'));
	await page.keyboard.press('t');
	await isTable(page, 'merged from the leaves, the table lists the same self weights');
	await page.close();
}

// Room for the share and the figures, not for the whole name: the two do not lie on each other.
async function besideMatches(svg) {
	const page = await open(svg);
	await page.keyboard.press('/');
	await type(page, 'run_safely');
	await page.keyboard.press('Enter');
	const told = await text(page, 'details');
	ok(/^.*run_sa.*\u2026 \(9 samples, 90.00% of all\)$/.test(told), 'beside the matched share, a long name is shortened', told);
	ok(await page.evaluate(() => document.getElementById('details').getBoundingClientRect().right <
		document.getElementById('matched').getBoundingClientRect().left), 'and does not reach it');
	await page.close();
}

async function pointing(svg) {
	let page = await open(svg);
	await (await (await handle(page, 'loop')).asElement().$('rect')).hover({ force: true });
	const all = weight(stacks(FOLDED));
	same(await text(page, 'details'), 'Function: loop (55 samples, ' + (5500 / all).toFixed(2) + '% of all)', 'pointing at a frame tells its figures');
	await page.mouse.move(500, 5);
	same(await text(page, 'details'), ' ', 'and leaving it takes them away');
	await besideMatches(draw('narrow', ['main;crash::RecoveryContext::run_safely_for_a_long_while(int) 9', 'main;b 1'], '--width=440'));
	same(await page.evaluate(() => document.title), 'Flame Graph', 'the window has the title');
	await page.close();

	page = await open(svg, { hasTouch: true });
	await (await (await handle(page, 'eval')).asElement().$('rect')).tap({ force: true });
	await settle(page);
	near((await frame(page, 'eval')).width, 980, 0.6, 'a tap zooms');
	await page.close();
}

// By how many pixels the worst label is too wide for its frame.
function overhang(page) {
	return page.evaluate(() => Array.from(document.querySelectorAll('#frames > :not(.hide)'))
		.filter(g => g.querySelector('text') && g.querySelector('text').textContent)
		.map(g => g.querySelector('text').getComputedTextLength() + 3 - g.querySelector('rect').getBoundingClientRect().width)
		.reduce((a, b) => Math.max(a, b), -1e9));
}

async function labels(svg) {
	const page = await open(svg);
	const long = FOLDED[7].split(';')[3].split(' ')[0];
	ok(await overhang(page) <= 0.5, 'no label is wider than its frame');
	same((await frame(page, 'all')).label, 'all', 'the root is labelled');
	await click(page, 'loop');
	let label = (await frame(page, long)).label;
	ok(/.{4,}\u2026$/.test(label) && long.startsWith(label.slice(0, -1)), 'a name that is too long keeps its beginning', label);
	ok(await overhang(page) <= 0.5, 'labels fit after a zoom');
	await page.setViewportSize({ width: 600, height: 500 });
	await settle(page);
	near((await frame(page, 'loop')).width, 580, 0.6, 'the drawing follows the window');
	const narrow = (await frame(page, long)).label;
	ok(narrow.length < label.length && await overhang(page) <= 0.5, 'and so do the labels', narrow);
	await page.close();

	const serif = await open(draw('serif', FOLDED, '--fonttype=serif', '--truncate-text-right'));
	await click(serif, 'loop');
	label = (await frame(serif, long)).label;
	ok(/.{4,}\.\.$/.test(label) && long.startsWith(label.slice(0, -2)), '--truncate-text-right keeps the beginning', label);
	const over = await overhang(serif);
	ok(over <= 1, 'labels in a proportional font fit, too', over);
	await serif.close();

	const fixed = await open(draw('fixed', FOLDED, '--width=700'));
	near((await frame(fixed, 'all')).width, 680, 0.6, '--width fixes the size');
	await click(fixed, 'eval');
	near((await frame(fixed, 'eval')).width, 680, 0.6, 'and zooming stays within it');
	await fixed.close();
}

function luminance(color) {
	const c = color.match(/[\d.]+/g).map(Number);
	return (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255;
}

async function appearance(svg) {
	const look = () => ({
		title: getComputedStyle(document.getElementById('title')).fill,
		page: getComputedStyle(document.querySelector('stop')).stopColor,
		label: getComputedStyle(document.querySelector('#frames text')).fill,
		search: getComputedStyle(document.getElementById('search')).display,
	});
	let page = await open(svg, { colorScheme: 'light' }), seen = await page.evaluate(look);
	ok(luminance(seen.title) < 0.2 && luminance(seen.page) > 0.8, 'a light page has dark text', JSON.stringify(seen));
	await page.emulateMedia({ media: 'print' });
	same((await page.evaluate(look)).search, 'none', 'buttons are not printed');
	await page.close();
	page = await open(svg, { colorScheme: 'dark' });
	seen = await page.evaluate(look);
	ok(luminance(seen.title) > 0.7 && luminance(seen.page) < 0.2, 'a reader who prefers dark gets a dark page', JSON.stringify(seen));
	await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
	ok(luminance((await page.evaluate(look)).page) > 0.8, 'that prints light');
	await page.close();
	page = await open(draw('chosen', FOLDED, '--bgcolors=#ffffff'), { colorScheme: 'dark' });
	same((await page.evaluate(look)).page, 'rgb(255, 255, 255)', 'a background that was asked for stays');
	await page.close();
	page = await open(svg);
	same(await page.evaluate(() => ['search', 'unzoom'].map(i => document.getElementById(i).getAttribute('role'))),
		['button', 'button'], 'buttons say that they are');
	await page.close();
}

const MODULES = Buffer.from(['parse;alloc,libc 10', 'parse;alloc,libx 20', 'z 5'].map(l => {
	const [, stack, weight] = l.match(/^(.*) (.*)$/);
	return `w 1/1 [0] ${weight}.0: ${weight} cycles: \n` + stack.split(';').reverse()
		.map(f => `\t7f ${f.split(',')[0]}+0x1 (/l/${f.split(',')[1] || 'prog'})\n`).join('') + '\n';
}).join(''));

// A search that the file began with, maybe for modules, which the script does not know, comes back with its address.
async function givenSearch() {
	const hits = async page => (await frames(page)).filter(e => e.fill == 'rgb(230,0,230)').length;
	for (const [name, args, start, zoomed, hit] of [
		['module', ['--search=module:libx'], 'Matched: 57.1% of all', 'Matched: 66.7% of zoom', 1],
		['sandwich', ['--search=module:libc', '--view=sandwich', '--function=parse'],
			'Matched: callers 0.0%, callees 28.6% of all', null, 1],
		['names', ['--search=^all'], 'Matched: 85.7% of all', 'Matched: 100% of zoom', 1],
	]) {
		const page = await open(draw('given-' + name, MODULES, '-f', 'perf', ...args));
		same(await text(page, 'matched'), start, name + ': the search is there at the start');
		await click(page, zoomed ? 'parse' : 'alloc');
		if (zoomed)
			same(await text(page, 'matched'), zoomed, name + ': in a zoom its share is of that');
		const inZoom = await text(page, 'matched');
		await page.goBack();
		await settle(page);
		same(await text(page, 'matched'), start, name + ': Back leads to the start');
		same(await hits(page), hit, name + ': with the highlights');
		await page.goForward();
		await settle(page);
		same(await text(page, 'matched'), inZoom, name + ': Forward leads to the zoom');
		await page.reload();
		await settle(page);
		same(await text(page, 'matched'), inZoom, name + ': a new load of the zoom has it');
		same(await hits(page), hit, name + ': with the highlights');
		await page.goto(page.url().replace(/\?.*/, '?s=' + encodeURIComponent(args[0].slice(9))));
		await settle(page);
		same(await text(page, 'matched'), start, name + ': so has an address that names it');
		await page.click('#search');
		await settle(page);
		same(await hits(page), 0, name + ': it can be ended');
		await page.reload();
		await settle(page);
		same(await hits(page), 0, name + ': and stays ended in a new load');
		await page.goBack();
		await settle(page);
		same(await text(page, 'matched'), start, name + ': until Back');
		await page.close();
	}
	const page = await open(draw('given-case', MODULES, '-f', 'perf', '--search=module:LIBX'));
	const said = await text(page, 'matched');
	await page.keyboard.press('Control+i');
	await settle(page);
	same(await text(page, 'matched'), said, 'Match case does not turn modules into names');
	await page.close();
	// Of 10,000 frames of a hundred-thousandth, whose widths are rounded, one has no match.
	const many = Buffer.from(Array.from({ length: 3000 }, (_, i) => `main;a${i} 333\n`).join('') + 'main;b 550\n');
	const wide = await open(draw('given-exact', many, '--search=^a'));
	same(await text(wide, 'matched'), fs.readFileSync(path.join(TMP, 'given-exact.svg'), 'utf8').match(/>(Matched: [^<]*)</)[1],
		'the figure stays that of the file');
	await wide.close();
}

async function exportedViews() {
	let page = await open(draw('searched', FOLDED, '--search=(?i:ALLOC)|\\Qread\\E'));
	same(await text(page, 'matched'), matched(FOLDED, /alloc|read/), 'a search of the view is there at the start');
	same((await frames(page)).filter(e => e.fill == 'rgb(230,0,230)').length, 5, 'whatever dialect its expression is in');
	await page.click('#search');
	await settle(page);
	same((await frames(page)).filter(e => e.fill == 'rgb(230,0,230)').length, 0, 'and can be ended');
	await page.close();

	await givenSearch();

	page = await open(draw('zoomed', FOLDED, '--zoom=main;eval'));
	let f = await frames(page);
	near(f.find(e => e.name == 'eval').width, 980, 0.6, 'the zoomed frame of the view spans the drawing');
	same(f.filter(e => e.parent).map(e => e.name).sort(), ['all', 'main'], 'its callers are faded');
	same(f.filter(e => e.name == 'other').length, 0, 'and the rest is not in the file');
	same(f.find(e => e.name == 'eval').title, 'eval (95 samples, 47.50%)', 'shares are those of the whole');
	await click(page, 'loop');
	near((await frame(page, 'loop')).width, 980, 0.6, 'one can zoom further');
	await click(page, 'main');
	f = await frames(page);
	same(f.filter(e => e.parent).map(e => e.name).sort(), ['all', 'main'], 'a faded caller leads back');
	near(f.find(e => e.name == 'eval').width, 980, 0.6, 'to the zoom of the view');
	await page.close();

	page = await open(draw('pruned', FOLDED, '--minwidth=4'));
	same(await text(page, 'details'), '1 frame narrower than 4% is left out', 'what is left out is said');
	await (await (await handle(page, 'main')).asElement().$('rect')).hover({ force: true });
	await page.mouse.move(500, 5);
	same(await text(page, 'details'), '1 frame narrower than 4% is left out', 'and said again when no frame is pointed at');
	await page.keyboard.press('t');
	same(await caption(page), '1 frame narrower than 4% is left out and counted as Self of the callers', 'the table says whose self it is');
	same(await selfOf(page, 'loop'), (100 * (40 + 6) / weight(stacks(FOLDED))).toFixed(2) + '%', 'which is so');
	await page.close();
	page = await open(draw('pruned-leaves', FOLDED, '--minwidth=4', '--reverse'));
	await page.keyboard.press('t');
	ok(/^\d+ frames? narrower than 4% (is|are) left out$/.test(await caption(page)), 'merged from the leaves, it is nobody\'s', await caption(page));
	await page.close();

	page = await open(draw('icicle', FOLDED, '--inverted'));
	f = await frames(page);
	ok(f.find(e => e.name == 'all').y < f.find(e => e.name == 'main').y, 'an icicle has the root at the top');
	same(await text(page, 'title'), 'Icicle Graph', 'and is called so');
	await click(page, 'eval');
	near((await frame(page, 'loop')).width, 980 * 55 / 95, 0.6, 'it zooms as a flame graph does');
	await page.close();
}

async function links() {
	const attrs = path.join(TMP, 'attrs'), target = path.join(TMP, 'searched.svg');
	fs.writeFileSync(attrs, 'eval\thref=' + address(target) + '\tclass=mine\nloop\thref=java\u0001script:alert(1)\nloop\ttitle=a <b> & "c"\n' +
		'Parse\tg_extra=onload=alert(1) onclick="alert(2)" style="fill:red" OnMouseOver=alert(3)\ta_extra=xlink:href=&#106;avascript:alert(4)\n' +
		'main\tid=" onload="alert(5)\tclass="><script>alert(6)</script>\tg_extra=stroke=\'"onclick="alert(7)\'\n');
	const svg = path.join(TMP, 'links.svg');
	execFileSync(FLAMETOP, ['-f', 'folded', '-o', svg, '--nameattr=' + attrs, path.join(TMP, 'basic.folded')], { stdio: ['ignore', 'inherit', 'ignore'] });
	const page = await open(svg);
	ok(await page.evaluate(() => !document.querySelector('#frames a[*|href^="java"]')), 'a link that would run a script is left out');
	ok(await page.evaluate(() => !document.querySelector('#frames script') &&
		[...document.querySelectorAll('#frames *')].every(e => [...e.attributes].every(a => !/^on/i.test(a.localName)))),
		'nor is there a handler or a script among the frames');
	ok((await frames(page)).some(f => f.title == 'a <b> & "c"'), 'a title from the file is the tooltip');
	await click(page, 'eval', { modifiers: ['Control'] });
	near((await frame(page, 'eval')).width, 980, 0.6, 'Ctrl-click on a link zooms');
	same(noise, [], 'what the file of attributes holds does not run');
	noise = [];
	await click(page, 'eval').catch(() => 0);
	await page.waitForURL(address(target));
	ok(true, 'a click on a link follows it');
	noise = [];
	await page.close();
}

async function titles() {
	const attrs = path.join(TMP, 'titles'), lines = ['main;a<&"b (c) 5', 'main;bar 3', 'bar 2'];
	fs.writeFileSync(attrs, 'a<&"b (c)\ttitle=hello\nbar\ttitle=\nmain\ttitle=bar (7 samples)\n');
	const page = await open(draw('titled', lines, '--nameattr=' + attrs)), f = await frames(page);
	same(f.map(e => e.label).sort(), ['a<&"b (c)', 'all', 'bar', 'bar', 'main'], 'a frame with a title of its own keeps its label');
	same(f.filter(e => e.title == 'hello').length, 1, 'and its tooltip is the title');
	await page.keyboard.press('/');
	await type(page, '^a<&"b \\(c\\)$');
	same(await text(page, 'matched'), 'Matched: 50.0% of all', 'it is found by its name');
	await type(page, 'hello|samples');
	same(await text(page, 'matched'), 'Matched: 0.0% of all', 'and not by its title');
	await page.keyboard.press('Escape');
	await page.keyboard.press('t');
	same((await tableOf(page)).bar, ['50.00%', '50.00%'], 'the table lists names, too');
	await page.keyboard.press('Escape');
	await (await (await handle(page, 'hello')).asElement().$('rect')).hover({ force: true });
	same(await text(page, 'details'), 'Function: hello', 'the line of details shows the title');
	await page.close();
}

async function hostile() {
	const evil = [
		'<script>alert(1)</script>', ']]><script>alert(2)</script>', '"><img src=http://example.org/x onerror=alert(3)>',
		'&lt;b&gt; &#1; &bogus;', '\' onload=\'alert(4)', '--> <x>', '${alert(5)}', '\\u003cscript\\u003e', 'javascript:alert(6)',
		'\u202Etxt.exe', 'zero\u200Bwidth', '\uFFFE\uFFFF', 'tab\there', '\u0001\u0007\u001b[31m', '\u00ad\u2028\u2029', '😀 ünï',
		'x'.repeat(5000),
	];
	const bytes = Buffer.concat([
		...evil.map(e => Buffer.from('root;' + e.replace(/;/g, ':') + ' 10\n')),
		Buffer.from('root;bad\xff\xfe\xed\xa0\x80\xc0\xaf 10\n', 'latin1'),
	]);
	noise = [];
	const words = evil.slice(0, 8).join(' ') + '\n--]]>';
	const svg = draw('hostile', bytes, '--title=' + words, '--subtitle=' + words, '--notes=' + words, '--nametype=' + words + '\\',
		'--countname=' + words, '--fonttype=' + words, '--search=' + '(?#]]>\'\\\\)' + 'root');
	const raw = fs.readFileSync(svg);
	ok(!/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(raw.toString('latin1')), 'no control character gets into the file');
	ok(new TextDecoder('utf-8', { fatal: true }).decode(raw).length > 0, 'the file is valid UTF-8');
	const page = await open(svg);
	const f = await frames(page);
	same(await page.evaluate(() => document.querySelectorAll('parsererror').length), 0, 'hostile names make no parse error');
	same(f.length, evil.length + 3, 'every frame is drawn');
	ok(f.some(e => e.title.startsWith('<script>alert(1)</script> (')), 'markup in a name is text');
	same(await text(page, 'title'), words.replace('\n', '\uFFFD'), 'and so it is in a title');
	await (await (await handle(page, f[0].name)).asElement().$('rect')).hover({ force: true });
	const told = await text(page, 'details');
	ok(told.length > 10 && told.startsWith(f[0].name.slice(0, 10)), 'and in the details, as much as has room', told);
	await page.keyboard.press('t');
	await settle(page);
	same(await page.evaluate(() => document.querySelectorAll('#table script, #table img').length), 0, 'and in the table');
	await page.keyboard.press('Escape');
	await page.keyboard.press('/');
	await page.fill('#box input', 'x{5000}|<script>');
	await page.waitForTimeout(100);
	same(noise, [], 'nothing runs, nothing is fetched, nothing goes wrong');
	await page.close();

	const latin = await open(draw('latin', ['grüße;日本 😀 5'], '--encoding=ISO-8859-1'));
	same((await frames(latin)).map(e => e.name).sort(), ['all', 'grüße', '日本 😀'].sort(), '--encoding declares what is true');
	await latin.close();
}

async function policies(svg) {
	const source = fs.readFileSync(svg, 'utf8');
	const script = source.match(/<script[^>]*>([^]*)<\/script>/)[1].replace(/<!\[CDATA\[|\]\]>/g, '');
	const hash = crypto.createHash('sha256').update(script).digest('base64');
	const context = await browser.newContext({ viewport: { width: 1000, height: 600 } }), page = await context.newPage();
	await page.route('http://flametop.test/**', r => r.fulfill({ contentType: 'image/svg+xml', body: source,
		headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + hash + "'" } }));
	await page.goto('http://flametop.test/x.svg');
	await ready(page);
	await click(page, 'eval');
	near((await frame(page, 'eval')).width, 980, 0.6, 'a policy that forbids inline handlers does no harm');
	await context.close();

	const still = draw('still', FOLDED, '--no-javascript');
	noise = [];
	ok(!fs.readFileSync(still, 'utf8').includes('addEventListener'), '--no-javascript leaves the program out');
	ok(fs.readFileSync(still, 'utf8').includes('>eval</text>'), 'and labels stand in the file');
}

async function size() {
	// 20,000 frames: three levels of a wide tree
	const lines = [];
	for (let a = 0; a < 20; a++)
		for (let b = 0; b < 20; b++)
			for (let c = 0; c < 49; c++)
				lines.push(`main;group_${a};member_number_${b};function_with_a_name_${c % 7}_${c} ${1 + (a * b + c) % 5}`);
	const page = await open(draw('many', lines, '--minwidth=0'), { query: '' });
	const count = (await frames(page)).length, times = {};
	ok(count > 20000, 'a drawing of 20,000 frames', count);
	let from = Date.now();
	await page.reload();
	await ready(page);
	times.load = Date.now() - from;
	for (const [what, act] of [
		['zoom', () => document.querySelectorAll('#frames > g')[2000].dispatchEvent(new MouseEvent('click', { bubbles: true }))],
		['reset', () => document.getElementById('unzoom').dispatchEvent(new MouseEvent('click'))],
	]) {
		from = Date.now();
		await page.evaluate(act);
		await settle(page);
		times[what] = Date.now() - from;
	}
	await page.keyboard.press('/');
	from = Date.now();
	await type(page, 'name_3');
	times.search = Date.now() - from;
	same(await text(page, 'matched'), matched(lines, /name_3/), 'is searched with the right share');
	console.log('# ' + count + ' frames: ' + Object.keys(times).map(k => k + ' ' + times[k] + ' ms').join(', '));
	// far beyond what is seen on an idle machine; a quadratic step would take minutes
	ok(times.load < 20000 && times.zoom < 4000 && times.reset < 4000 && times.search < 4000, 'loads, zooms and searches without a wait',
		JSON.stringify(times));
	await page.close();
}

// One thread works from 0 to 40 ms and from 60 to 100, another from 30 to 70: a lane each, over one axis of time.
async function timeAxis() {
	const perf = path.join(TMP, 'lanes.perf'), svg = path.join(TMP, 'lanes.svg'), lines = [];
	const add = (comm, tid, ms, leaf) => lines.push([ms, `${comm} 9/${tid} [000] 1.${String(ms * 1000).padStart(6, '0')}: ` +
		`1000000 cpu-clock:\n\t401000 ${leaf}+0x10 (/bin/x)\n\t401000 main+0x10 (/bin/x)\n`]);
	for (let ms = 0; ms < 100; ms++) {
		if (ms < 40 || ms >= 60)
			add('one', 10, ms, ms < 40 ? 'early' : 'late');
		if (ms >= 30 && ms < 70)
			add('two', 11, ms, 'middle');
	}
	fs.writeFileSync(perf, lines.map(l => l[1]).join('\n') + '\n');
	execFileSync(FLAMETOP, ['-f', 'perf', '--flamechart', '-o', svg, perf], { stdio: ['ignore', 'inherit', 'inherit'] });
	const page = await open(svg), marks = () => page.evaluate(() =>
		Array.from(document.querySelectorAll('#ruler text')).map(t => t.textContent));
	const shown = async () => (await frames(page)).filter(f => !f.hidden).map(f => f.name).sort().join(' ');
	let early = await frame(page, 'early'), middle = await frame(page, 'middle'), late = await frame(page, 'late');
	near(early.width, 980 * 0.4, 0.6, 'a frame is as wide as its time');
	near(late.x - early.x - early.width, 980 * 0.2, 0.6, 'idle time is empty');
	near(middle.x - early.x, 980 * 0.3, 0.6, 'all threads have the same axis');
	ok(middle.y < early.y, 'each in its own lane');
	same((await marks())[1], '|20 ms', 'the ruler has round times');

	await click(page, 'middle');
	near((await frame(page, 'middle')).width, 980, 0.6, 'a zoom shows the time of a frame');
	near((await frame(page, 'early')).width, 980 * 0.25, 0.6, 'and the part of the others in that time');
	near((await frame(page, 'late')).width, 980 * 0.25, 0.6, 'at both ends');
	ok((await marks()).includes('|50 ms') && !(await marks()).includes('|20 ms'), 'the ruler follows');
	await page.click('#unzoom');
	await settle(page);
	await click(page, 'early');
	same(await shown(), 'early main main middle one two', 'what lies outside of that time is hidden');
	await page.click('#unzoom');
	await settle(page);
	await page.keyboard.press('/');
	await type(page, 'middle');
	same(await text(page, 'matched'), 'Matched: 33.3% of all', 'a match has its share of the busy time');
	await page.close();
}

// --hot-lines: a second line of the tooltip, which is no part of the name.
async function hotLines() {
	const lines = ['main (app.py:6);work (app.py:2) 10', 'main (app.py:6);work (app.py:3) 40', 'main (app.py:7) 50'];
	const page = await open(draw('hot-lines', lines, '--hot-lines'));
	same(await text(page, 'details'), ' ', 'no lines before a frame is chosen');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	same(await text(page, 'details'), 'Function: main (app.py:6) (50 samples, 50.00% of all)\nhottest line: app.py:6 total 50.0% of all',
		'the details name the hottest line');
	await page.keyboard.press('/');
	await type(page, 'work .*3.$|hottest');
	same(await text(page, 'matched'), 'Matched: 40.0% of all', 'the name ends before it');
	await page.close();
}

async function main() {
	browser = await launch();
	const svg = draw('basic', FOLDED);
	await zooming(svg);
	await searching(svg);
	await addresses(svg);
	await keyboard(svg);
	await units();
	await fromTheLeaves();
	await sandwich();
	await pointing(svg);
	await labels(svg);
	await appearance(svg);
	await exportedViews();
	await timeAxis();
	await hotLines();
	const tools = { draw, open, frames, frame, click, settle, ok, same, near, text, query, hasClass, handle, type,
		ready, address, svg, type, lines: FOLDED, browser: () => browser };
	await require('./page.js')(tools);
	await require('./changes.js')(tools);
	same(noise, [], 'so far nothing was fetched, nothing asked, nothing went wrong');
	await links();
	await titles();
	await hostile();
	await policies(svg);
	await size();
	await browser.close();
}

finish(main);
