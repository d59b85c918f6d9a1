// html_reach.js - the second part of html.js: thumbs, keys, contrast.
'use strict';
const path = require('path');
const { ok, same, write } = require('./tap.js');

const TMP = process.env.TMP;

module.exports = function ({ SIZES, SCHEMES, TOP, draw, open, text, query, click, press, type, menu, settle }) {
	// What a thumb would miss.
	function small(page) {
		return page.evaluate(() => Array.from(document.querySelectorAll('button, input, select')).map(b => [b.textContent, b.getBoundingClientRect()])
			.filter(([, r]) => r.width && (r.height < 44 || r.width < 44)).map(([s, r]) => [s, r.width, r.height]));
	}

	// Whatever is open: it is not wider than the window, and all of it can be reached.
	async function phones() {
		const long = 'std::vector<std::unique_ptr<Base>>::emplace_back<Derived>', word = 'a'.repeat(90);
		const lines = ['main 4', 'main;eval;SmallPtrSetImplBase_insert 40', 'main;' + long + ' 30', 'main;' + word + ' 30', 'zoo 100'];
		const before = write('phone-before.folded', ['main;eval 50', 'zoo 100', 'gone 10']), file = draw('phone', lines, '--diff=' + before);
		for (const [width, height] of SIZES.slice(1)) {
			const words = ' at ' + width, page = await open(file, { viewport: { width, height }, hasTouch: true });
			const fits = async what => {
				ok(await page.evaluate(() => Array.from(document.querySelectorAll('*')).every(e => !e.getClientRects().length ||
					e.getBoundingClientRect().right <= innerWidth + 0.5)), what + ' is not wider than the window' + words);
				same(await small(page), [], 'nor too small for a thumb' + words);
			};
			await click(page, 0.1, TOP.main - 1);
			await page.tap('#ask');
			await type(page, 'e');
			await fits('the search of a zoom');
			const found = await page.evaluate(() => {
				const of = id => document.getElementById(id).getBoundingClientRect();
				return [of('term').width, of('unzoom').height, of('ask').height];
			});
			ok(found[0] > width - 30, 'the box of the search has the whole width' + words, found[0]);
			same(found[1], found[2], 'each button has one line of text' + words);
			await page.tap('#clear');
			await page.tap('#open-table');
			await fits('the table');
			const broken = await page.evaluate(() => Array.from(document.querySelectorAll('#table tbody td:last-child button'))
				.filter(b => b.getClientRects().length && b.textContent.length < 40)
				.filter(b => Array.from(b.childNodes).some(n => {
					const r = document.createRange();
					r.selectNode(n);
					return n.nodeType == 3 && new Set(Array.from(r.getClientRects()).map(c => Math.round(c.top))).size > 1;
				})).map(b => b.textContent));
			same(broken, [], 'no word of a name is broken' + words);
			same(await page.evaluate(() => Array.from(document.querySelectorAll('#table tbody tr')).map(r => r.querySelectorAll('[role=cell]').length > 3)
				.filter(is => !is)), [], 'it is a table still' + words);
			await page.tap('#open-keys');
			await fits('the help');
			await page.tap('#keys .close');
			await page.evaluate(() => document.getElementById('frames').focus());
			await press(page, 'm');
			await fits('the menu of a frame');
			await page.close();
		}
	}

	// The lowest contrast of the texts around the frames.
	function contrast(page) {
		return page.evaluate(() => {
			const parse = c => c.match(/[\d.]+/g).map(Number);
			const lum = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
				.reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
			let low = [99];
			for (const e of document.querySelectorAll('h1, h2, p, small, button, td, th, #details, #legend span, #matched, input')) {
				let b = e;
				while (b.parentElement && /, 0\)$|transparent/.test(getComputedStyle(b).backgroundColor))
					b = b.parentElement;
				const x = lum(parse(getComputedStyle(e).color)), y = lum(parse(getComputedStyle(b).backgroundColor));
				const c = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
				if (e.getClientRects().length && c < low[0])
					low = [c, e.id + e.textContent];
			}
			return low;
		});
	}

	// Without a mouse: what has the keys is seen, named and in order, and they do not get lost.
	async function access(file) {
		const page = await open(file), at = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent.slice(0, 40));
		const stops = async n => {
			const list = [];
			for (let i = 0; i < n; i++) {
				await press(page, 'Tab');
				list.push(await at());
			}
			return list;
		};
		const nameless = () => page.evaluate(() => Array.from(document.querySelectorAll('button, input, select, [tabindex]'))
			.filter(e => e.getClientRects().length && !(e.getAttribute('aria-label') || e.textContent)).map(e => e.id || e.outerHTML));
		await page.evaluate(() => document.activeElement.blur());
		same(await stops(5), ['open-table', 'turn', 'ask', 'open-keys', 'frames'], 'Tab goes through buttons and frames');
		same(await nameless(), [], 'all of them have names');
		ok(await page.evaluate(() => parseFloat(getComputedStyle(document.getElementById('frames')).outlineWidth)) >= 2, 'what has the keys has a ring');
		await press(page, 'ArrowUp', 'ArrowUp', 'Enter', 'm');
		same((await menu(page)).length, 5, 'a key opens the menu of a frame');
		await press(page, 'Tab');
		same([await menu(page), await at()], [[], 'frames'], 'Tab leaves it');
		await page.focus('#unzoom');
		await press(page, 'Enter');
		same(await at(), 'frames', 'a button that goes away gives the keys to the frames');
		await press(page, '/');
		await type(page, 'l');
		same(await stops(5), ['case', 'previous', 'next', 'clear', 'frames'], 'the search has its buttons behind it');
		same(await nameless(), [], 'with names');
		await page.focus('#clear');
		await press(page, 'Enter');
		same(await at(), 'frames', 'the end of the search gives the keys to the frames');
		await press(page, 't');
		same([await at(), (await stops(1))[0]], ['table', 'close'], 'a panel has the keys');
		await page.focus('#table th:last-child button');
		await press(page, 'Enter');
		ok(/^Function/.test(await at()), 'sorting keeps them', await at());
		same((await stops(2))[1], 'alloc', 'rows are next');
		same(await nameless(), [], 'with names, too');
		same(await page.evaluate(() => [document.getElementById('scroll').inert, document.getElementById('open-table').getAttribute('aria-expanded')]), [true, 'true'],
			'what the table covers has no keys');
		await press(page, 'Enter');
		same([await at(), query(page)], ['frames', { s: '^alloc$', c: '1' }], 'a function that is chosen gives them back');
		ok(await page.evaluate(() => !document.getElementById('scroll').inert), 'to what is no longer covered');
		same(await page.evaluate(() => [document.getAnimations().length, getComputedStyle(document.getElementById('scroll')).scrollBehavior,
			Array.from(document.querySelectorAll('*')).filter(e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length]), [0, 'auto', 0],
			'nothing moves by itself, whatever the reader prefers');
		await page.close();
		for (const colorScheme of SCHEMES) {
			const table = await open(path.join(TMP, 'phone.html'), { colorScheme, hash: '#t=1' }), low = await contrast(table);
			ok(low[0] >= 4.5, 'the table has contrast, ' + colorScheme, low);
			await table.close();
		}
	}

	// The strip of time by keys only.
	async function stripKeys(file) {
		const page = await open(file), strip = name => page.evaluate(n => document.getElementById('strip').getAttribute(n), name);
		const range = () => strip('aria-valuetext');
		for (let i = 0; i < 20 && !await page.evaluate(() => document.activeElement.id == 'strip'); i++)
			await press(page, 'Tab');
		ok(await page.evaluate(() => document.activeElement.id == 'strip'), 'Tab leads to the strip');
		ok(await page.evaluate(() => parseFloat(getComputedStyle(document.getElementById('strip')).outlineWidth) >= 2), 'which has a ring then');
		same([await strip('role'), await strip('aria-label'), await range()], ['slider', 'Weight over time: choose a range', 'all times'], 'and says what it is');
		await press(page, 'ArrowRight');
		same(await range(), '0 s to 900 us of 9.00 ms, Enter shows it', 'an arrow chooses a range');
		await press(page, 'ArrowRight', 'ArrowRight');
		same(await range(), '180 us to 1.08 ms of 9.00 ms, Enter shows it', 'and moves it');
		await press(page, 'Shift+ArrowRight', ']', '[');
		same(await range(), '180 us to 1.17 ms of 9.00 ms, Enter shows it', 'Shift and brackets move its end');
		same(await text(page, 'details'), '30 cycles', 'the frames are as before');
		await press(page, 'Escape');
		same(await range(), 'all times', 'Esc clears it');
		await press(page, 'ArrowLeft', 'Enter');
		same(await text(page, 'details'), '8.10 ms to 9.00 ms; 10 cycles', 'Enter shows it');
		same(query(page), { r: '900-1000' }, 'as the address says');
		await press(page, 'Shift+ArrowLeft', 'Tab');
		same(await range(), '8.10 ms to 9.00 ms of 9.00 ms', 'what was not entered is forgotten');
		await press(page, 'Shift+Tab', 'Escape');
		same([await text(page, 'details'), query(page)], ['30 cycles', {}], 'Esc shows all times');
		await press(page, '?');
		ok(/move its end/.test(await text(page, 'keys')), 'the help names these keys');
		await page.close();
		const plain = await open(path.join(TMP, 'plain.html'));
		ok(!/move its end/.test(await text(plain, 'keys')), 'where there is a strip');
		await plain.close();
	}

	return { small, contrast, phones, access, stripKeys };
};
