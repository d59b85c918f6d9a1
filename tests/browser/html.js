// html.js - acts like a reader of a page in a headless Chromium; TAP on standard output.
//
// A page draws on a canvas, so a frame is found where its weight puts it: figures and places come from the folded text.
'use strict';
const launch = require('./chromium.js');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const tap = require('./tap.js'), { ok, same, write } = tap;

const FLAMETOP = process.env.FLAMETOP, TMP = process.env.TMP, ROW = 17;
const SIZES = [[1200, 800], [430, 900], [360, 740]], SCHEMES = ['light', 'dark'];
let browser;

const draw = (name, lines, ...options) => tap.draw(name, lines, '--to=html', ...options);

function dataOf(file) {
	return JSON.parse(fs.readFileSync(file, 'utf8').match(/ id="data">([^]*?)<\/script>/)[1]);
}

// ---- the reader ----

const errors = [], requests = [];

async function open(file, { viewport = { width: 1200, height: 800 }, colorScheme = 'light', hash = '', hasTouch = false } = {}) {
	const context = await browser.newContext({ viewport, colorScheme, hasTouch }), page = await context.newPage();
	page.on('pageerror', e => errors.push(e.message));
	page.on('console', m => m.type() == 'error' && errors.push(m.text()));
	page.on('request', r => requests.push(r.url()));
	await page.addInitScript(() => {
		Object.defineProperty(navigator, 'clipboard', { value: { writeText: s => (window.copied = s, Promise.resolve()) } });
	});
	await page.goto(pathToFileURL(file).href + hash);
	await settle(page);
	page.close = () => context.close();
	return page;
}

const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const text = (page, id) => page.evaluate(i => document.getElementById(i).textContent, id);
const query = page => Object.fromEntries(new URLSearchParams(decodeURI(new URL(page.url()).hash.slice(1))));
const isShown = (page, id) => page.evaluate(i => {
	const e = document.getElementById(i);
	return !!e && e.getClientRects().length > 0;
}, id);

// The point in the window where a share of the width and a row of the graph meet; rows count from the top.
function point(page, share, row) {
	return page.evaluate(([s, y]) => {
		const r = document.getElementById('frames').getBoundingClientRect();
		return [r.left + r.width * s, r.top - document.getElementById('scroll').scrollTop + y];
	}, [share, row * ROW + ROW / 2]);
}

async function details(page, share, row) {
	await page.mouse.move(...await point(page, share, row));
	await settle(page);
	return text(page, 'details');
}

async function click(page, share, row, options) {
	await page.mouse.click(...await point(page, share, row), options);
	await settle(page);
}

async function press(page, ...list) {
	for (const key of list)
		await page.keyboard.press(key);
	await settle(page);
}

async function type(page, s) {
	await page.keyboard.type(s);
	await page.waitForFunction(s => {
		const q = new URLSearchParams(location.hash.slice(1));
		return q.get('s') == s;
	}, s);
	await settle(page);
}

const menu = page => page.evaluate(() => Array.from(document.querySelectorAll('#menu button')).map(b => b.textContent));

async function choose(page, words) {
	await page.click(`#menu button:has-text("${words}")`);
	await settle(page);
}

const rows = page => page.evaluate(() => Array.from(document.querySelectorAll('#table tbody tr'))
	.map(r => Array.from(r.children).filter(c => c.getClientRects().length && c.textContent != '\u21c5').map(c => c.textContent)));

// ---- the tests ----

const FOLDED = ['main 4', 'main;eval;loop 40', 'main;eval;loop;tick 6', 'main;parse;lex 30', 'main;parse;lex;alloc 20', 'zoo 100'];
// rows from the top: tick and alloc, loop and lex, eval and parse, main and zoo, all
const TOP = { all: 4, main: 3, eval: 2, loop: 1, tick: 0 };

const { small, contrast, phones, access, stripKeys } =
	require('./html_reach.js')({ SIZES, SCHEMES, TOP, draw, open, text, query, click, press, type, menu, settle });

function data(file) {
	const d = dataOf(file);
	same(d.frames.depth, [0, 1, 2, 3, 4, 2, 3, 4, 1], 'the data have the frames in preorder');
	same(d.frames.name.map(k => k < 0 ? null : d.names[k]), [null, 'main', 'eval', 'loop', 'tick', 'parse', 'lex', 'alloc', 'zoo'],
		'with their names');
	same(d.frames.self, [0, 4, 0, 40, 6, 0, 30, 20, 100], 'and their own weights');
	const head = fs.readFileSync(file, 'utf8').slice(0, 900);
	ok(/default-src 'none'/.test(head), 'the page forbids itself all requests');
	ok(/<meta name="generator" content="flametop /.test(head), 'it says what made it');
	ok(/<meta name="flametop-command" content="flametop .*plain\.folded">/.test(head), 'and by which command');
	ok(/width=device-width/.test(head), 'it fits phones');
}

async function looks(file) {
	for (const [width, height] of SIZES)
		for (const colorScheme of SCHEMES) {
			const page = await open(file, { viewport: { width, height }, colorScheme }), words = ' at ' + width + ', ' + colorScheme;
			same(await details(page, 0.1, TOP.main), 'Function: main (100 samples, 50.00% of all; self 4, 2.00% of all)', 'a frame is where it belongs' + words);
			same(await details(page, 0.9, TOP.main), 'Function: zoo (100 samples, 50.00% of all; self 100, 50.00% of all)', 'so is its sibling' + words);
			ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the window' + words);
			await press(page, '/');
			await type(page, 'l');
			ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nor with the search' + words);
			if (width < 600)
				same(await small(page), [], 'buttons are large enough for fingers' + words);
			const low = await contrast(page);
			ok(low[0] >= 4.5, 'text has contrast' + words, low);
			await page.close();
		}
}

async function zooms(file) {
	const page = await open(file);
	await click(page, 0.1, TOP.eval);
	same(query(page), { z: '2' }, 'a click zooms, and the address says so');
	same(await details(page, 0.9, TOP.loop), 'Function: loop (46 samples, 23.00% of all, 100.00% of zoom; self 40, 20.00% of all)', 'the frame has the whole width');
	same(await details(page, 0.9, TOP.main), 'Function: main (100 samples, 50.00% of all; self 4, 2.00% of all)', 'below it are its callers');
	await page.reload();
	await settle(page);
	same(await details(page, 0.9, TOP.loop), 'Function: loop (46 samples, 23.00% of all, 100.00% of zoom; self 40, 20.00% of all)', 'a new load shows the same');
	await press(page, 'Escape');
	same(query(page), {}, 'Esc shows all');
	await page.goBack();
	await settle(page);
	same(query(page), { z: '2' }, 'Back is the zoom');
	same(await details(page, 0.9, TOP.loop), 'Function: loop (46 samples, 23.00% of all, 100.00% of zoom; self 40, 20.00% of all)', 'which is drawn');
	await press(page, 'Escape', 'i');
	same(query(page), { i: '1' }, 'i turns the graph over');
	same(await text(page, 'details'), '200 samples', 'and the details are those of all');
	same(await details(page, 0.9, 1), 'Function: zoo (100 samples, 50.00% of all; self 100, 50.00% of all)', 'the root is at the top');
	await press(page, 'i', 'ArrowUp', 'ArrowUp', 'ArrowRight');
	same(await text(page, 'details'), 'Function: zoo (100 samples, 50.00% of all; self 100, 50.00% of all)', 'arrows go from frame to frame');
	await page.mouse.move(5, 5);
	await press(page, 'Enter');
	same(query(page), { z: '8' }, 'Enter zooms');
	await page.close();
}

async function searches(file) {
	const page = await open(file);
	await press(page, '/');
	await type(page, 'lex|alloc');
	same(await text(page, 'matched'), '2 \u00b7 25.0% of all', 'nested matches count once');
	await press(page, 'Enter');
	same(await text(page, 'matched'), '1/2 \u00b7 25.0% of all', 'Enter goes to the first match');
	await press(page, 'Enter');
	same(await text(page, 'details'), 'Function: alloc (20 samples, 10.00% of all; self 20, 10.00% of all)', 'and to the next one');
	await press(page, 'Control+i');
	same(query(page), { s: 'lex|alloc', c: '1' }, 'case can matter');
	await page.reload();
	await settle(page);
	same(await text(page, 'matched'), '2 \u00b7 25.0% of all', 'a new load searches again');
	await page.click('#term');
	await press(page, 'Control+a');
	await page.keyboard.type('(');
	await page.waitForFunction(() => document.getElementById('term').getAttribute('aria-invalid') == 'true');
	ok(/expression/i.test(await text(page, 'matched')), 'what is not an expression is refused');
	await press(page, 'Escape');
	same(query(page), {}, 'Esc ends the search');
	await page.close();
	const found = await open(draw('found', FOLDED, '--search=^l'));
	same(await text(found, 'matched'), '2 \u00b7 48.0% of all', 'a page opens with the search of the view');
	await found.close();
}

// What shares are of is said wherever they are, and is one thing for search and table, as on the screen.
async function bases(file) {
	const page = await open(file), heads = () => page.evaluate(() => Array.from(document.querySelectorAll('#table th')).map(h => h.textContent));
	await press(page, 't');
	same((await heads()).filter(s => / of /.test(s)), ['Self of all', 'Total of all'], 'the table says what its shares are of');
	await press(page, 't');
	await click(page, 0.1, TOP.eval);
	same(await details(page, 0.95, TOP.tick), 'Function: tick (6 samples, 3.00% of all, 13.04% of zoom; self 6, 3.00% of all)',
		'details have shares of all and of the zoom');
	await press(page, '/');
	await type(page, 'tick');
	same(await text(page, 'matched'), '1 \u00b7 13.0% of zoom', 'a search has shares of the zoom');
	await press(page, 'Enter');
	await page.evaluate(() => document.activeElement.blur());
	await press(page, 't');
	same((await heads()).filter(s => / of /.test(s)), ['Self of zoom', 'Total of zoom'], 'so has the table');
	same(await rows(page), [['13.04%', '6', '13.04%', '6', 'tick']], 'with the same figures');
	ok(/^zoom: eval  23\.00% of all/.test(await page.evaluate(() => document.querySelector('#table p').textContent)), 'and it names the zoom');
	await press(page, 't', 'Escape');
	await page.reload();
	await settle(page);
	same(await text(page, 'details'), 'zoom: eval  23.00% of all; 200 samples', 'so do the details');
	for (const [s, words] of [['^main$', 'no match inside the zoom, 1 outside, 1 of them around it'], ['zoo', 'no match inside the zoom, 1 outside'],
		['main|zoo', 'no match inside the zoom, 2 outside, 1 of them around it'], ['nothing', 'no match']]) {
		await press(page, '/');
		await type(page, s);
		same(await text(page, 'matched'), words, 'a search that finds nothing in the zoom says where matches are: ' + s);
		await press(page, 'Escape');
	}
	await page.close();
	const shown = await open(draw('filtered', FOLDED, '--ignore=lex'));
	ok(/ of shown; self/.test(await details(shown, 0.1, 1)), 'shares of a view that leaves something out say so', await details(shown, 0.1, 1));
	await shown.close();
	const sandwich = await open(draw('sandwich', FOLDED, '--view=sandwich', '--function=lex'), { hash: '#s=main%7Calloc' });
	same(await text(sandwich, 'matched'), '2 \u00b7 callers 25.0%, callees 10.0% of all', 'those of a sandwich are of all');
	await press(sandwich, 't');
	same(await rows(sandwich), [['10.00%', '20', '10.00%', '20', 'alloc']], 'in its table, too');
	await sandwich.close();
}

async function tables(file) {
	const page = await open(file);
	await press(page, 't');
	same((await rows(page)).slice(0, 3), [['50.00%', '100', '50.00%', '100', 'zoo'], ['20.00%', '40', '23.00%', '46', 'loop'],
		['15.00%', '30', '25.00%', '50', 'lex']], 'the table has the functions, by self');
	await page.click('#table th:has-text("Total") button');
	same((await rows(page))[0], ['2.00%', '4', '50.00%', '100', 'main'], 'or by total');
	same(query(page), { t: '1' }, 'the address names it');
	await page.click('#table button:has-text("lex")');
	await settle(page);
	same(query(page), { s: '^lex$', c: '1' }, 'a click searches');
	same(await text(page, 'matched'), '1/1 \u00b7 25.0% of all', 'for one function');
	await press(page, 'Escape', 't');
	await page.click('#table [aria-label="Callers and callees of lex"]');
	await settle(page);
	same(query(page), { w: 'lex' }, 'a button shows callers and callees');
	same(await text(page, 'title'), 'Callers and callees of lexplain.folded', 'the title says so');
	same(await details(page, 0.5, 2), 'Function: lex (50 samples, 25.00% of all; self 30, 15.00% of all)', 'the function is between them');
	same(await details(page, 0.5, 0), 'Function: main (50 samples, 25.00% of all)', 'its callers are above');
	same(await details(page, 0.9, 3), 'Function: alloc (20 samples, 10.00% of all; self 20, 10.00% of all)', 'its callees are below');
	await page.reload();
	await settle(page);
	same(await details(page, 0.5, 0), 'Function: main (50 samples, 25.00% of all)', 'a new load shows the same');
	await click(page, 0.5, 1);
	same(query(page), { w: 'lex', z: '1', zs: '1' }, 'its halves can be zoomed');
	await press(page, 'Escape', 'Escape');
	same(query(page), {}, 'Esc leads back');
	await page.close();
	const given = await open(draw('sandwich', FOLDED, '--view=sandwich', '--function=lex'));
	same(await details(given, 0.5, 2), 'Function: lex (50 samples, 25.00% of all; self 30, 15.00% of all)', '--view=sandwich opens there');
	await given.close();
}

async function menus(file) {
	const page = await open(file), all = ['Focus: only stacks with it', 'Hide it', 'Sandwich: callers and callees', 'Copy name', 'Copy stack'];
	await click(page, 0.1, TOP.loop, { button: 'right' });
	same(await menu(page), all, 'a right click opens the menu of a frame');
	await choose(page, 'Copy stack');
	same(await page.evaluate(() => window.copied), 'main;eval;loop', 'which copies the stack');
	await press(page, 'm');
	same(await menu(page), all, 'm opens it, too');
	await press(page, 'ArrowDown', 'Enter');
	same(query(page), { h: 'loop' }, 'Hide takes a function out of the stacks');
	ok(/^hidden: loop; 200 samples/.test(await text(page, 'details')), 'the details say so', await text(page, 'details'));
	same(await details(page, 0.1, 2), 'Function: eval (46 samples, 23.00% of all; self 40, 20.00% of all)', 'its weight is that of its callers');
	await click(page, 0.3, 2, { button: 'right' });
	await choose(page, 'Focus');
	ok(/^Function|^only stacks with parse/.test(await text(page, 'details')), 'Focus keeps the stacks with a function');
	same(await details(page, 0.9, 3), 'Function: main (50 samples, 100.00% of shown; self 0, 0.00% of shown)', 'and their figures are of them');
	await page.close();
	const touch = await open(file, { viewport: { width: 390, height: 844 }, hasTouch: true }), [x, y] = await point(touch, 0.1, TOP.loop);
	await touch.evaluate(([x, y]) => document.getElementById('frames').dispatchEvent(
		new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch', clientX: x, clientY: y })), [x, y]);
	await touch.waitForFunction(() => !!document.getElementById('menu'));
	same(await menu(touch), all, 'a long press opens the menu');
	await choose(touch, 'Copy name');
	same(await touch.evaluate(() => window.copied), 'loop', 'which works');
	await touch.tap('#open-table');
	ok(await isShown(touch, 'table'), 'a tap opens the table');
	await touch.close();
}

// Marks and words of the table.
async function sorted(after, base) {
	const page = await open(draw('sides', after.concat('main;young 1000'), '--diff=' + write('sides-before.folded',
		fs.readFileSync(base, 'utf8').trim().split('\n').concat('main;old 1000'))));
	await press(page, 't');
	const all = (await rows(page)).map(r => r.pop());
	ok(all.includes('young (new)') && all.includes('old (vanished)'), 'the table says which functions are on one side only', all.join());
	same(all.filter(s => /\(/.test(s)).length, 2, 'and only of those');
	const mark = name => page.evaluate(name => {
		const b = Array.from(document.querySelectorAll('#table th button')).find(b => b.textContent.startsWith(name)), s = getComputedStyle(b, '::after');
		return [s.visibility == 'visible', /[\u25b2\u25bc]/.test(s.content), parseInt(s.marginLeft) >= 4];
	}, name);
	same(await mark('Self'), [true, true, true], 'a mark beside its title tells the column by which it is sorted');
	same(await mark('Total'), [false, true, true], 'the others have none');
	await page.click('#table th:has-text("Function") button');
	same([await mark('Function'), await mark('Self')].map(m => m[0]), [true, false], 'a click moves it');
	await page.click('#table button:has-text("old")');
	same(await text(page, 'matched'), 'no match: 1 vanished frame has no width', 'a search for what vanished says why nothing is seen');
	await page.close();
}

// Frames without a change are as light as the page, which they must not vanish on.
async function narrow() {
	const lines = ['wide 100000'].concat(Array.from({ length: 200 }, (_, i) => 'f' + i + ' 100')), base = write('narrow-before.folded', lines);
	for (const colorScheme of SCHEMES) {
		const page = await open(draw('narrow', lines, '--diff=' + base), { colorScheme });
		const contrast = await page.evaluate(() => {
			const c = document.getElementById('frames'), ctx = c.getContext('2d'), p = Array.from(ctx.getImageData(50, 8, 100, 1).data);
			const page = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
			const far = p.filter((v, k) => k % 4 == 0).map((v, k) => Math.abs((v - page[0]) * p[4 * k + 3] / 255));
			return far.reduce((a, b) => a + b, 0) / far.length;
		});
		ok(contrast > 25, 'many narrow frames are seen on a page that is ' + colorScheme, contrast);
		await page.close();
	}
}

async function comparisons() {
	const base = write('before.folded', ['main;eval;loop 4000', 'main;parse 1000', 'zoo 5000']);
	const after = ['main;eval;loop 2000', 'main;parse 3000', 'zoo 15000'], page = await open(draw('after', after, '--diff=' + base));
	same(await details(page, 0.05, 1), 'Function: eval (2,000 samples, 10.00% of all; self 0, 0.00% of all; before 40.00%, after 10.00% of all, -30.00 points; self 0.00 points)',
		'the details of a comparison have both shares');
	await press(page, 't');
	same((await rows(page))[0], ['+25.00', '50.00%', '75.00%', '+25.00', '50.00%', '75.00%', 'zoo'],
		'so does its table, which begins with what grew');
	same((await rows(page)).map(r => r.pop()), ['zoo', 'parse', 'loop', 'eval', 'main'], 'what shrank is next, and then what only its callees changed');
	await press(page, 'Escape');
	const color = (x, y) => page.evaluate(([x, y]) => Array.from(document.getElementById('frames').getContext('2d')
		.getImageData(x, y, 1, 1).data), [x, y]);
	same((await color(100, 8)).slice(0, 3), [80, 80, 255], 'what shrank most is blue');
	same((await color(800, 2 * ROW + 8)).slice(0, 3), [255, 90, 90], 'what grew is red');
	await page.close();
	await sorted(after, base);
	await narrow();
	const nested = ['main;f;f 60', 'main;f 10', 'other;f 10', 'main 20'], inside = write('nested-before.folded', ['main;f 10', 'main 90']);
	const middle = await open(draw('nested', nested, '--diff=' + inside, '--view=sandwich', '--function=f'));
	same(await details(middle, 0.1, 1), 'Function: f (80 samples, 80.00% of all; self 80, 80.00% of all; before 10.00%, after 80.00% of all, +70.00 points; self +70.00 points)',
		'the middle of a sandwich has the self weight of the whole function');
	ok(!/self/.test(await details(middle, 0.1, 0)), 'its callers have none', await details(middle, 0.1, 0));
	await middle.close();
	const plain = await open(draw('absolute', after, '--diff=' + base, '--absolute'));
	same(await details(plain, 0.05, 0), 'Function: loop (2,000 samples, 10.00% of all; self 2,000, 10.00% of all; before 4,000, after 2,000, -2,000; self -2,000)',
		'--absolute compares weights');
	await plain.close();
}

// What is not drawn, and what colours mean.
async function footers() {
	const many = Array.from({ length: 3000 }, (_, i) => 'f' + i + ';g' + i + ' 1').concat('wide 1000000');
	const page = await open(draw('thin', many)), said = await text(page, 'details');
	ok(/^1,003,000 samples; 5,\d\d\d frames narrower than half a pixel are not drawn$/.test(said), 'the page says how many frames are too narrow', said);
	ok(!await isShown(page, 'legend'), 'there is no legend where colours mean nothing');
	await page.setViewportSize({ width: 600, height: 800 });
	await page.waitForFunction(was => document.getElementById('details').textContent != was, said);
	ok(+(await text(page, 'details')).match(/; ([\d,]+) frames/)[1].replace(',', '') > +said.match(/; ([\d,]+) frames/)[1].replace(',', ''),
		'in a narrower window they are more');
	await page.close();
	const least = await open(draw('least', FOLDED, '--minwidth=10'));
	same(await text(least, 'details'), '200 samples; 1 frame narrower than 10% of all or half a pixel is not drawn', 'so it does with --minwidth');
	await least.close();
	const words = p => p.evaluate(() => Array.from(document.querySelectorAll('#legend span')).map(e => [e.textContent, getComputedStyle(e.firstChild).backgroundColor]));
	const base = write('legend-before.folded', FOLDED.slice(0, 3).concat('gone 5')), diff = await open(draw('legend', FOLDED, '--diff=' + base));
	same(await words(diff), [['red grew', 'rgb(255, 80, 80)'], ['blue shrank', 'rgb(80, 80, 255)']], 'a comparison has a legend');
	ok(/; 1 vanished frame has no width$/.test(await text(diff, 'details')), 'and says what vanished', await text(diff, 'details'));
	await diff.close();
	const negated = await open(draw('legend', FOLDED, '--diff=' + base, '--negate'));
	same((await words(negated)).map(w => w[0]), ['blue grew', 'red shrank'], 'turned over with --negate');
	await negated.close();
	const kinds = await open(draw('kinds', ['main;a_[k] 5', 'main;b_[j] 5'], '--colors=kind'));
	same((await words(kinds)).map(w => w[0]), ['kernel orange', 'user yellow', 'JIT green', 'inlined aqua', 'process purple', 'rest red'],
		'so do kinds of frames');
	await kinds.close();
}

// Counts times --factor are rounded as everywhere; those beyond 2^53 have no wrong digits.
async function counts() {
	const stacks = ['a;b 7', 'a;c 5'], base = write('counts-before.folded', ['a;b 12', 'a;c 2']);
	const page = await open(draw('times', stacks, '-q', '--factor=1.5'));
	same(await details(page, 0.9, 0), 'Function: c (8 samples, 41.67% of all; self 8, 41.67% of all)', 'a count times --factor is rounded');
	await press(page, 't');
	same((await rows(page)).map(r => [r[1], r[4]]), [['11', 'b'], ['8', 'c'], ['0', 'a']], 'in the table, too');
	await page.close();
	const diff = await open(draw('times-diff', stacks, '-q', '--factor=1.5', '--absolute', '--diff=' + base));
	await press(diff, 't');
	same((await rows(diff)).slice(0, 2).map(r => r.slice(0, 3)), [['-8 ~', '18', '11'], ['+5 ~', '3', '8']], 'and changes of counts');
	await diff.close();
	const tiny = await open(draw('tiny', ['a 6000000000'], '-q', '--factor=0.0000000015'));
	same(await details(tiny, 0.5, 0), 'Function: a (9 samples, 100.00% of all; self 9, 100.00% of all)', 'a factor keeps all of its digits');
	await tiny.close();
	const large = await open(draw('large', ['a;b 9007199254740993', 'a;c 88176906152086510']));
	same(await details(large, 0.9, 0), 'Function: c (\u224888,176,906,152,086,500 samples, 90.73% of all; self \u224888,176,906,152,086,500, 90.73% of all)',
		'a count beyond 2^53 is marked, and has the digits that are certain');
	await large.close();
}

// Samples at 0, 1 and 9 ms; the strip has their weight over time.
async function ranges() {
	const sample = (at, f) => `x 1/1 [000] ${at}: 10 cycles:\n\t401000 ${f}+0x1 (/bin/x)\n\t401100 main+0x1 (/bin/x)\n`;
	const perf = write('times.perf', [sample('1.000000', 'a'), sample('1.001000', 'a'), sample('1.009000', 'b')]);
	const file = path.join(TMP, 'times.html');
	execFileSync(FLAMETOP, ['--no-config', '-q', '-o', file, perf]);
	for (const [width, height] of SIZES) {
		const page = await open(file, { viewport: { width, height } }), words = ' at ' + width;
		const drag = async (from, to) => {
			const r = await page.evaluate(() => {
				const b = document.getElementById('strip').getBoundingClientRect();
				return [b.left, b.width, b.top + b.height / 2];
			});
			await page.mouse.move(r[0] + r[1] * from, r[2]);
			await page.mouse.down();
			await page.mouse.move(r[0] + r[1] * to, r[2]);
			await page.mouse.up();
			await page.mouse.move(5, 5);
			await settle(page);
		};
		same(await text(page, 'details'), '30 cycles', 'the page opens with all times' + words);
		await drag(0.5, 0.99999);
		ok(/ to .*; 10 cycles$/.test(await text(page, 'details')), 'dragging chooses a range' + words, await text(page, 'details'));
		same(await details(page, 0.5, 0), 'Function: b (10 cycles, 100.00% of shown; self 10, 100.00% of shown)', 'the frames are those of its samples' + words);
		await page.reload();
		await settle(page);
		same(await details(page, 0.5, 0), 'Function: b (10 cycles, 100.00% of shown; self 10, 100.00% of shown)', 'the address keeps it' + words);
		await drag(0.3, 0.5);
		same(await text(page, 'details'), 'Nothing would be left', 'a range without samples is refused' + words);
		await drag(0.5, 0.5);
		same(await text(page, 'details'), '30 cycles', 'a click shows all again' + words);
		await page.close();
	}
	await stripKeys(file);
}

// A page of several events.
async function events() {
	const sample = (at, event, n, f) => `x 1/1 [000] ${at}: ${n} ${event}:\n\t401000 ${f}+0x1 (/bin/x)\n\t401100 main+0x1 (/bin/x)\n`;
	const perf = write('events.perf', [sample('1.000000', 'cycles', 10, 'a'), sample('1.001000', 'faults', 3, 'b'), sample('1.009000', 'cycles', 10, 'a')]);
	const file = path.join(TMP, 'events.html'), options = page => page.evaluate(() => Array.from(document.getElementById('event').options).map(o => o.text));
	execFileSync(FLAMETOP, ['--no-config', '-q', '-o', file, perf]);
	for (const [width, height] of SIZES) {
		const page = await open(file, { viewport: { width, height } }), words = ' at ' + width;
		const chooseEvent = async k => {
			await page.selectOption('#event', k);
			await page.waitForFunction(k => document.getElementById('event') && document.getElementById('event').value == k &&
				new RegExp(k == '1' ? 'faults$' : 'cycles$').test(document.getElementById('details').textContent), k);
			await settle(page);
		};
		same(await options(page), ['cycles', 'faults'], 'a list has the events' + words);
		same(await text(page, 'details'), '20 cycles', 'the page opens with that of the view' + words);
		await press(page, '/');
		await type(page, 'b');
		same(await text(page, 'matched'), 'no match', 'which has not all functions' + words);
		await chooseEvent('1');
		same(query(page), { s: 'b', e: '1' }, 'the address has the event, and keeps the search' + words);
		same(await text(page, 'details'), '3 faults', 'the weights are those of the event' + words);
		same(await text(page, 'matched'), '1 \u00b7 100% of all', 'so are the matches' + words);
		if (width < 600)
			same(await small(page), [], 'the list is large enough for fingers' + words);
		await page.goBack();
		await page.waitForFunction(() => document.getElementById('event') && document.getElementById('event').value == '0');
		await page.waitForFunction(() => document.getElementById('details').textContent == '20 cycles');
		ok(true, 'Back leads back' + words);
		await page.focus('#event');
		await press(page, 't');
		ok(!await isShown(page, 'table'), 'letters choose in the list' + words);
		await page.close();
	}
	const one = await open(path.join(TMP, 'plain.html'));
	ok(!await isShown(one, 'event'), 'one event needs no list');
	await one.close();
}

async function charts() {
	const file = path.join(TMP, 'chart.html');
	execFileSync(FLAMETOP, ['--no-config', '-q', '--flamechart', '-o', file, path.join(TMP, 'times.perf')]);
	const page = await open(file);
	// rows from the top: a and b, main, x, the title of the thread, the ruler
	same(await details(page, 0.9, 0), 'Function: b (10 cycles, 33.33% of all; self 10, 33.33% of all; 8.00 ms from 9.00 ms on)',
		'a chart has its frames where their time is');
	await click(page, 0.01, 0);
	ok(/^Function: a /.test(await details(page, 0.9, 0)), 'a click zooms to the time of a frame', await text(page, 'details'));
	await press(page, '/');
	await type(page, 'a$');
	same(await text(page, 'matched'), '1/1 \u00b7 100% of the time shown', 'a search counts visible time');
	await press(page, 'Escape');
	await press(page, 'Escape');
	const strip = await page.evaluate(() => {
		const b = document.getElementById('strip').getBoundingClientRect();
		return [b.left, b.width, b.top + b.height / 2];
	});
	await page.mouse.move(strip[0] + strip[1] * 0.6, strip[2]);
	await page.mouse.down();
	await page.mouse.move(strip[0] + strip[1] * 0.99999, strip[2]);
	await page.mouse.up();
	ok(/^Function: b /.test(await details(page, 0.01, 0)), 'dragging over the strip shows a range', await text(page, 'details'));
	same(query(page).r, '600-1000', 'which the address keeps');
	await press(page, 't');
	same(await page.evaluate(() => Array.from(document.querySelectorAll('#table th small')).map(e => e.textContent)), [' of the time shown', ' of the time shown'],
		'the table has shares of that time');
	// the range begins within b
	same((await rows(page))[0], ['100.00%', '9', '100.00%', '9', 'b'], 'and the weight within it');
	await press(page, 't');
	await press(page, 'Escape');
	await click(page, 0.01, 0, { button: 'right' });
	await choose(page, 'Focus');
	same(query(page).f, 'a', 'other views merge the frames');
	same(await details(page, 0.9, 0), 'Function: a (20 cycles, 100.00% of shown; self 20, 100.00% of shown)', 'by weight');
	await page.close();
	execFileSync(FLAMETOP, ['--no-config', '-q', '--flamechart', '--zoom-time=0.010,0.012', '-o', file, path.join(TMP, 'times.perf')]);
	const part = await open(file);
	ok(/^Function: b /.test(await details(part, 0.01, 0)), '--zoom-time is where the page opens', await text(part, 'details'));
	await press(part, 'Escape');
	ok(/^Function: a /.test(await details(part, 0.01, 0)), 'Esc shows all times', await text(part, 'details'));
	await part.close();
}

async function hostile() {
	const names = ['<img src=x onerror=window.bad=1>', '</script><script>window.bad=2</script>', '"><svg onload=window.bad=3>', '&amp', '__proto__',
		'<!--', 'a\u2028b', "'+window.bad+'", 'constructor'];
	const file = draw('hostile', names.map(n => 'main;' + n + ' 10'), '--title=</title><script>window.bad=4</script>', '--notes="><script>window.bad=5</script>');
	const page = await open(file, { hash: '#s=<script>&f=<img src=x onerror=window.bad=6>&t=1' });
	await press(page, 'Escape', 'Escape');
	for (let i = 0; i < names.length; i++) {
		await details(page, (i + 0.5) / names.length, 0);
		await click(page, (i + 0.5) / names.length, 0, { button: 'right' });
		await press(page, 'Escape');
	}
	await press(page, 't');
	same((await rows(page)).length, names.length + 1, 'each name has a row', JSON.stringify(await rows(page)));
	same(await page.evaluate(() => [window.bad, document.images.length, document.querySelectorAll('svg').length, document.scripts.length]),
		[undefined, 0, 0, 2], 'no name becomes markup or a program');
	await page.close();
}

async function prints(file) {
	const page = await open(file), pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
	same((pdf.match(/\/Type\s*\/Page\b(?!s)/g) || []).length, 1, 'a page prints on one sheet');
	const size = pdf.match(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/);
	ok(+size[1] > +size[2], 'in landscape', size[0]);
	same(await details(page, 0.9, TOP.main), 'Function: zoo (100 samples, 50.00% of all; self 100, 50.00% of all)', 'and is as before afterwards');
	await page.close();
}

async function many() {
	const lines = [];
	for (let i = 0; i < 6250; i++)
		lines.push(Array.from({ length: 8 }, (_, d) => d == 0 ? 'root' : 'f' + i + '_' + d).join(';') + ' ' + (i % 9 + 1));
	const file = draw('many', lines, '--minwidth=0'), sum = lines.reduce((s, l) => s + +l.match(/\d+$/)[0], 0);
	same(dataOf(file).frames.depth.length, 6250 * 7 + 2, 'a page has all of many frames');
	const began = Date.now(), page = await open(file), took = Date.now() - began;
	console.log('# ' + (6250 * 7 + 1) + ' frames: open in ' + took + ' ms');
	const all = sum.toLocaleString('en-US');
	same(await details(page, 0.5, 7), `Function: root (${all} samples, 100.00% of all; self 0, 0.00% of all)`, 'which are drawn');
	await press(page, '/');
	await type(page, '_7$');
	same(await text(page, 'matched'), '6,250 \u00b7 100% of all', 'and found');
	await page.close();
}

tap.finish(async () => {
	browser = await launch();
	const file = draw('plain', FOLDED);
	data(file);
	await looks(file);
	await phones();
	await access(file);
	await zooms(file);
	await searches(file);
	await bases(file);
	await tables(file);
	await menus(file);
	await comparisons();
	await footers();
	await counts();
	await ranges();
	await events();
	await charts();
	await hostile();
	await prints(file);
	await many();
	same(errors, [], 'no page reports an error');
	same(requests.filter(u => !/^file:.*\.html(#.*)?$/.test(u)), [], 'no page asks for anything but itself');
	await browser.close();
});
