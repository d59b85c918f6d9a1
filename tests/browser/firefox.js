// firefox.js - acts like a reader of drawings in a headless Firefox, where scrolling and focus differ from Chromium.
'use strict';
const path = require('path');
const { pathToFileURL } = require('url');
const marionette = require('./marionette.js');
const tap = require('./tap.js'), { ok, same } = tap;

const SIZES = [[1200, 800], [390, 844]], SCHEMES = ['dark', 'light']; // in the order of the preference's values
const PAGE_ROW = 17; // pixels
const KEYS = { Escape: '\uE00C', Enter: '\uE007', Tab: '\uE004', ArrowUp: '\uE013', ArrowDown: '\uE015' };

const draw = (...what) => pathToFileURL(tap.draw(...what)).href;

// 100 frames deep: taller than both windows.
const TALL = [];
for (let i = 0; i < 6; i++)
	TALL.push(Array.from({ length: 100 }, (_, d) => d < 3 ? 'root' + d : 'f' + i + '_' + d).join(';') + ' 10');

const SMALL = ['main;parse;lex 30', 'main;parse;lex;alloc 20', 'main;eval;alloc 25', 'other;eval 25'];

// ---- what the page shows: these run inside it ----

const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 0)));
const text = id => document.getElementById(id).textContent;
const scrolled = () => scrollY;
const addressed = () => location.search;
const boxOf = id => {
	const r = document.getElementById(id).getBoundingClientRect();
	return [r.top, r.bottom];
};
// the frame of that name which is visible and widest
const frameOf = name => Array.from(document.querySelectorAll('#frames > *')).filter(
	g => !g.classList.contains('hide') && g.querySelector('title').textContent.split(' (')[0] == name).map(g => {
	const r = g.querySelector('rect').getBoundingClientRect();
	return { x: r.x, y: r.y, width: r.width, height: r.height, label: (g.querySelector('text') || {}).textContent || '' };
}).sort((a, b) => b.width - a.width)[0];
const labels = () => Array.from(document.querySelectorAll('#frames text')).map(t => t.textContent).filter(s => s.trim());
const choices = () => Array.from(document.querySelectorAll('#menu button')).map(b => b.textContent);
const has = selector => document.querySelector(selector) !== null;
const stops = () => document.querySelectorAll('#frames [tabindex="0"]').length;
const contrast = id => {
	const light = c => c.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(
		v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const style = e => getComputedStyle(e), e = document.getElementById(id);
	const pair = [light(style(e).fill), light(style(document.querySelector('#head rect')).fill)].sort((a, b) => b - a);
	return (pair[0] + 0.05) / (pair[1] + 0.05) ;
};

// ---- what a reader does ----

async function settle(b) {
	await b.run(settled);
	await b.run(settled);
}

async function open(b, url) {
	await b.go(url);
	for (let i = 0; i < 100 && !(await b.run(() => ['group', 'application'].includes(document.getElementById('frames').getAttribute('role')))); i++)
		await new Promise(done => setTimeout(done, 50));
	await settle(b);
}

async function press(b, ...keys) {
	await b.press(...keys.map(k => KEYS[k] || k));
	await settle(b);
}

async function click(b, name, button) {
	const f = await b.run(frameOf, name);
	await b.click(f.x + f.width / 2, f.y + f.height / 2, button);
	await settle(b);
}

async function choose(b, words) {
	const at = await b.run(w => {
		const r = Array.from(document.querySelectorAll('#menu button')).find(e => e.textContent.includes(w)).getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	}, words);
	await b.click(...at);
	await settle(b);
}

async function scrolling(b, url, height, words) {
	await open(b, url);
	const root = await b.run(frameOf, 'all');
	ok(root.y > height / 2 && root.y + root.height <= height, 'the page opens at the root' + words, JSON.stringify(root));
	for (const y of [300, 650]) {
		await b.run(to => scrollTo(0, to), y);
		await settle(b);
		for (let i = 0; i < 3; i++) {
			await b.click(20 + 2 * i, 300);
			await settle(b);
			same(await b.run(scrolled), y, 'click ' + i + ' leaves the page at ' + y + words);
		}
	}
	for (const id of ['title', 'search', 'unzoom', 'details']) {
		const [top, bottom] = await b.run(boxOf, id);
		ok(top >= 0 && bottom <= height, id + ' is in sight' + words, top + ' to ' + bottom);
	}
	const zoomed = await b.run(text, 'details'), query = await b.run(addressed);
	ok(/[?&]x=/.test(query), 'the address has the place' + words, query);
	await open(b, url + query);
	const again = await b.run(frameOf, zoomed.replace(/^Function: /, '').split(' (')[0]);
	ok(again && again.y >= 0 && again.y + again.height <= height, 'its link shows the frame' + words, JSON.stringify(again));
}

async function searching(b, url, words) {
	await open(b, url);
	await press(b, '/');
	await press(b, ...'alloc');
	await press(b, 'Enter');
	ok((await b.run(text, 'matched')).includes('45.0%'), 'a search tells the share' + words, await b.run(text, 'matched'));
	same(new URLSearchParams(await b.run(addressed)).get('s'), 'alloc', 'which is in the address' + words);
	await press(b, 'Escape');
	await press(b, 'Escape');
	same((await b.run(text, 'matched')).trim(), '', 'Esc ends it' + words);
}

async function zooming(b, url, words) {
	await open(b, url);
	const all = await b.run(frameOf, 'all');
	await click(b, 'parse');
	const zoomed = await b.run(frameOf, 'parse');
	ok(Math.abs(zoomed.width - all.width) < 2, 'a click zooms' + words, zoomed.width + ' of ' + all.width);
	await press(b, 'Escape');
	ok((await b.run(frameOf, 'parse')).width < all.width * 0.6, 'Esc zooms out' + words);
	same(await b.run(stops), 1, 'the frames are one stop of the Tab key' + words);
	for (const id of ['search', 'title'])
		ok(await b.run(contrast, id) >= 4.5, 'the contrast of ' + id + ' is at least 4.5' + words, await b.run(contrast, id));
}

async function choosing(b, url, words) {
	await open(b, url);
	await click(b, 'alloc', 2);
	const menu = await b.run(choices);
	for (const item of ['Focus', 'Hide', 'Sandwich', 'Copy name', 'Copy stack'])
		ok(menu.some(m => m.startsWith(item)), 'the right button offers ' + item + words, menu.join());
	await choose(b, 'Sandwich');
	ok(await b.run(frameOf, 'lex') && await b.run(frameOf, 'eval') && !await b.run(frameOf, 'other'),
		'the sandwich has the callers, and nothing else' + words);
	await press(b, 'Escape');
	ok(await b.run(frameOf, 'other'), 'Esc leaves it' + words);
	await press(b, '?');
	ok(await b.run(has, '#help'), 'a key shows the keys' + words);
	await press(b, 'Escape');
	await press(b, 't');
	ok(await b.run(has, '#table'), 'a key shows the table' + words);
}

async function labelled(b, words) {
	await open(b, draw('labels', ['void std::vector<int, std::allocator<int> >::push_back_of_many(int const&) 1', 'other 4'], '--width=600'));
	const list = await b.run(labels);
	ok(list.every(s => !/\.\./.test(s)) && list.some(s => s.includes('\u2026')), 'labels are shortened as on the screen' + words, list.join('\n'));
}

// The page of HTML: what it shows without a click, its table, a search.
async function paging(b, url, words) {
	await open(b, url);
	ok((await b.run(text, 'details')).startsWith('100'), 'the page tells the whole weight' + words, await b.run(text, 'details'));
	const canvas = await b.run(() => {
		const r = document.getElementById('frames').getBoundingClientRect();
		return [r.x + 0.2 * r.width, r.y - document.getElementById('scroll').scrollTop];
	});
	await b.click(canvas[0], canvas[1] + 3.5 * PAGE_ROW); // rows from the top: alloc, lex, parse, main
	await settle(b);
	ok((await b.run(text, 'details')).includes('main ('), 'a click on a frame tells of it' + words, await b.run(text, 'details'));
	await press(b, 'Escape');
	await press(b, 't');
	const rows = await b.run(() => Array.from(document.querySelectorAll('#table tbody tr')).map(e => e.textContent).join());
	ok(/45.*alloc/.test(rows), 'the table has the functions' + words, rows);
	await press(b, 't');
	await press(b, '/', ...'alloc');
	await press(b, 'Enter');
	ok((await b.run(text, 'matched')).includes('45.0% of all'), 'a search tells the share' + words, await b.run(text, 'matched'));
	same(await b.errors(url.replace(/[^/]*$/, '')), [], 'the console has no error' + words);
}

async function all(scheme) {
	const b = await marionette.start(process.env.FIREFOX, path.join(process.env.TMP, scheme),
		{ 'layout.css.prefers-color-scheme.content-override': SCHEMES.indexOf(scheme) });
	try {
		const tall = draw('tall', TALL), small = draw('small', SMALL), page = draw('small', SMALL, '--to=html');
		for (const [width, height] of SIZES) {
			const words = ' at ' + width + 'x' + height + ', ' + scheme;
			await b.resize(width, height);
			same(await b.run(() => [innerWidth, innerHeight]), [width, height], 'the page has its size' + words);
			await scrolling(b, tall, height, words);
			await zooming(b, small, words);
			await searching(b, small, words);
			await choosing(b, small, words);
			await labelled(b, words);
			await paging(b, page, ' on the page' + words);
		}
	} finally {
		await b.quit();
	}
}

tap.finish(async () => {
	for (const scheme of SCHEMES)
		await all(scheme);
});
