// page.js - the second part of svg.js: scrolling, labels, contrast, buttons, the menu of a frame, other views, print.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const SIZES = [[1200, 800], [390, 844]], SCHEMES = ['light', 'dark'];

// 100 frames deep: taller than both windows.
const TALL = [];
for (let i = 0; i < 6; i++)
	TALL.push(Array.from({ length: 100 }, (_, d) => d < 3 ? 'root' + d : 'f' + i + '_' + d).join(';') + ' 10');

const NAMES = ['[libLLVM-14.so.1]', 'java.util.concurrent.ThreadPoolExecutor.run', 'tcp_sendmsg',
	'std::vector<int, std::allocator<int>>::push_back(int const&)', '<alloc::vec::Vec<T> as core::ops::Drop>::drop',
	'void ns::operator<<(int)', 'run', 'grüße::日本語::höhe'];

module.exports = async function (t) {
	const { draw, open, frames, frame, click, settle, ok, same, near, text, query, hasClass, handle } = t;
	const scroll = page => page.evaluate(() => scrollY);
	const box = (page, id) => page.evaluate(i => {
		const r = document.getElementById(i).getBoundingClientRect();
		return { top: r.top, bottom: r.bottom, left: r.left, right: r.right };
	}, id);
	const press = async (page, key) => {
		await page.keyboard.press(key);
		await settle(page);
	};
	const menu = page => page.evaluate(() => Array.from(document.querySelectorAll('#menu button')).map(b => b.textContent));
	const choose = async (page, words) => {
		await page.click(`#menu button:has-text("${words}")`);
		await settle(page);
	};
	const names = async page => (await frames(page)).map(f => f.name).sort();

	// Places in a window, of a drawing that is taller.
	async function scrolling() {
		const svg = draw('tall', TALL), icicle = draw('tall-icicle', TALL, '--inverted');
		for (const [width, height] of SIZES) {
			const words = ' at ' + width + 'x' + height;
			const page = await open(svg, { viewport: { width, height }, before: () => {} });
			const root = (await frames(page)).find(f => f.name == 'all');
			ok(root.y > height / 2 && root.y < height - 20, 'the page opens at the root' + words, JSON.stringify(root));
			for (const y of [300, 650, 200]) {
				await page.evaluate(to => scrollTo(0, to), y);
				await settle(page);
				for (let i = 0; i < 4; i++) {
					await page.mouse.click(20 + i, 300);
					await settle(page);
					same(await scroll(page), y, 'click ' + i + ' leaves the page at ' + y + words);
				}
				for (const id of ['title', 'search', 'unzoom', 'details'])
					ok((await box(page, id)).top >= 0 && (await box(page, id)).bottom <= height, id + ' is in sight' + words,
						JSON.stringify(await box(page, id)));
			}
			await page.evaluate(() => scrollTo(0, 0));
			await settle(page);
			const where = query(page);
			await page.close();

			const again = await open(svg, { viewport: { width, height }, query: '?x=' + where.x + '&y=' + where.y });
			const zoomed = (await frames(again)).filter(f => !f.parent && !f.hidden).sort((a, b) => b.y - a.y)[0];
			ok(zoomed.y > 36 && zoomed.y < height - 40, 'an address scrolls to its zoom' + words, JSON.stringify(zoomed));
			for (let i = 0; i < 60; i++)
				await again.keyboard.press('ArrowUp');
			await settle(again);
			const at = await again.evaluate(() => document.activeElement.getBoundingClientRect().top);
			ok(at >= 34 && at < height - 40, 'the keyboard scrolls no further than to the frame' + words, at);
			await again.close();

			const down = await open(icicle, { viewport: { width, height } });
			same(await scroll(down), 0, 'an icicle opens at its root, too' + words);
			await down.evaluate(() => scrollTo(0, 500));
			await settle(down);
			await down.mouse.click(20, 400);
			await settle(down);
			same(await scroll(down), 500, 'and stays where it is after a click' + words);
			ok((await box(down, 'details')).top >= 0, 'with the details in sight' + words);
			await down.close();
		}
	}

	// A browser that only takes a picture takes it of the top of the page, however that has scrolled.
	async function photographs() {
		const svg = draw('tall', TALL), png = path.join(process.env.TMP, 'tall.png');
		execFileSync(process.env.CHROMIUM, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--screenshot=' + png,
			'--window-size=1200,800', '--user-data-dir=' + path.join(process.env.TMP, 'photographer'), t.address(svg)], { stdio: 'ignore' });
		const page = await (await t.browser().newContext()).newPage();
		const colors = await page.evaluate(async data => {
			const image = new Image(), canvas = document.createElement('canvas');
			image.src = 'data:image/png;base64,' + data;
			await image.decode();
			canvas.width = image.width;
			canvas.height = image.height;
			canvas.getContext('2d').drawImage(image, 0, 0);
			return new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, image.width, image.height).data.buffer)).size;
		}, fs.readFileSync(png).toString('base64'));
		ok(colors > 50, 'a picture of a tall drawing that a browser takes by itself is not blank', colors);
		await page.context().close();
	}

	async function labels() {
		const lines = NAMES.map((n, i) => 'main;' + n + (i == 6 ? ';' + NAMES[1] : '') + ' 10');
		const page = await open(draw('names', lines), { viewport: { width: 670, height: 600 } });
		const label = async name => (await frame(page, name)).label;
		const is = async (name, pattern, sentence) => ok(pattern.test(await label(name)), sentence, await label(name));
		await is(NAMES[0], /^\[libLL.*\u2026$/, 'a label keeps the beginning of a single name, and marks what is cut');
		same(await label(NAMES[1]), '\u2026run', 'a package goes first');
		await is(NAMES[3], /^\u2026?push_back$/, 'parameters and arguments go before the name');
		await is(NAMES[5], /^\u2026?operator<<$/, 'names of operators stay whole');
		await is(NAMES[7], /^\u2026(日本語::)?höhe$/, 'so it is in any script'); // as wide as the font has it
		await click(page, NAMES[4]);
		await page.setViewportSize({ width: 230, height: 600 });
		await settle(page);
		same(await label(NAMES[4]), '<alloc::vec::Vec<T>>::drop', 'a zoomed frame shows as much as fits');
		await page.close();

		const left = await open(draw('names-left', lines, '--truncate-text-left'), { viewport: { width: 670, height: 600 } });
		ok(/^\.\..*4\.so\.1\]$/.test((await frame(left, NAMES[0])).label), '--truncate-text-left keeps the end');
		await left.close();
		const right = await open(draw('names-right', lines, '--truncate-text-right'), { viewport: { width: 670, height: 600 } });
		ok(/^java\.u.*\.\.$/.test((await frame(right, NAMES[1])).label), '--truncate-text-right keeps the beginning');
		await right.close();
		ok(/>\.\.[A-Za-z.]*run<\/text>/.test(fs.readFileSync(draw('names-still', lines, '--no-javascript'), 'utf8')),
			'labels in the file are shortened in the same way');
	}

	// A drawing that runs no script: its labels must fit where the font is wide.
	async function stillLabels() {
		const lines = [];
		for (let i = 0; i < 20; i++)
			lines.push(`${'n'.repeat(i + 2)};function_with_a_long_name::of_something_${i};f${i};${'m'.repeat(i / 2 + 4)};std::map<int>::find_${i} ${5 + i}`);
		for (const [options, advance] of [[[], 0.61], [['--truncate-text-right'], 0.61], [['--fontwidth=0.8'], 0.8], [['--width=900'], 0.61],
			[['--fontsize=20'], 0.61], [['--fontwidth=0.5'], 0.5]]) {
			const size = options[0] == '--fontsize=20' ? 20 : 12;
			const page = await (await t.browser().newContext({ javaScriptEnabled: false })).newPage();
			await page.setViewportSize({ width: 1200, height: 600 });
			await page.goto(t.address(draw('still-labels', lines, '--no-javascript', ...options)));
			const labels = await page.evaluate(() => Array.from(document.querySelectorAll('#frames text')).map(e =>
				[e.textContent, e.parentNode.querySelector('rect').width.baseVal.value]).filter(l => l[0]));
			const room = ([s, px]) => px - 3 - s.length * advance * size;
			ok(labels.length > 30 && labels.every(l => room(l) >= 0), 'labels fit without a script, too ' + options,
				JSON.stringify([labels.length, labels.filter(l => room(l) < 0).slice(0, 5)]));
			ok(labels.some(l => room(l) < 2 * advance * size && /\u2026|\.\./.test(l[0])), 'and use the room ' + options);
			await page.context().close();
		}
	}

	// While the browser reads a drawing, its frames are hidden; without the script they are not, and afterwards neither.
	async function loading() {
		const svg = draw('tall', TALL), area = page => page.evaluate(() => Array.from(document.querySelectorAll('#frames rect'))
			.reduce((sum, r) => sum + r.getBoundingClientRect().width, 0));
		const context = await t.browser().newContext({ javaScriptEnabled: false }), still = await context.newPage();
		await still.goto(t.address(svg));
		ok(await area(still) > 1000, 'a drawing shows its frames where scripts are forbidden');
		await context.close();
		const page = await open(svg);
		ok(await area(page) > 1000, 'and after the script has begun');
		same(await page.evaluate(() => document.documentElement.getAttribute('class') || ''), '', 'which leaves no trace of hiding them');
		await page.close();
		const failing = await (await t.browser().newContext()).newPage();
		await failing.addInitScript(() => { window.URLSearchParams = null; });
		await failing.goto(t.address(svg));
		await failing.waitForFunction(() => !document.documentElement.classList.contains('loading'));
		ok(await area(failing) > 1000, 'nor do they stay hidden if it fails');
		await failing.context().close();

		// A frame that came too narrow for a label has one when a zoom makes it wide.
		const narrow = await open(draw('narrow-frame', ['main;wide 1000', 'main;tiny_function 5']));
		same(await narrow.evaluate(() => document.querySelectorAll('#frames text').length), 3, 'frames too narrow for a label have none in the file');
		await click(narrow, 'tiny_function');
		same((await frame(narrow, 'tiny_function')).label, 'tiny_function', 'and get one in a zoom');
		await narrow.keyboard.press('i');
		await settle(narrow);
		const at = await narrow.evaluate(() => Array.from(document.querySelectorAll('#frames > g')).filter(g => g.querySelector('text'))
			.map(g => g.querySelector('text').getAttribute('y') - g.querySelector('rect').getAttribute('y')));
		ok(at.length == 4 && at.every(y => y == at[0]), 'in its place, also when the graph is turned over', JSON.stringify(at));
		await narrow.close();
	}

	// The lowest contrast of visible labels, each with the colour of its frame over that of the page.
	function worst(page) {
		return page.evaluate(() => {
			const parse = c => c.match(/[\d.]+/g).map(Number);
			const lum = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
				.reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
			const over = (a, b, o) => a.map((v, k) => v * o + b[k] * (1 - o));
			const contrast = (a, b) => (Math.max(lum(a), lum(b)) + 0.05) / (Math.min(lum(a), lum(b)) + 0.05);
			const pages = Array.from(document.querySelectorAll('#background stop')).map(s => parse(getComputedStyle(s).stopColor));
			let low = [99];
			const note = (c, what) => low = c < low[0] ? [c, what] : low;
			for (const g of document.querySelectorAll('#frames > :not(.hide)')) {
				const label = g.querySelector('text');
				if (!label || !label.textContent)
					continue;
				const r = getComputedStyle(g.querySelector('rect')), fill = parse(r.fill);
				for (const p of pages)
					note(contrast(parse(getComputedStyle(label).fill), over(fill, p, r.fillOpacity * r.opacity)),
						label.textContent + ' ' + r.fill);
			}
			for (const b of document.querySelectorAll('#search, .tool')) {
				const s = getComputedStyle(b);
				for (const p of pages)
					if (s.display != 'none')
						note(contrast(over(parse(s.fill), p, s.opacity), p), b.textContent);
			}
			return low;
		});
	}

	async function contrast(svg) {
		for (const palette of ['hot', 'red', 'blue', 'purple', 'mem', 'java'])
			for (const colorScheme of SCHEMES) {
				const page = await open(draw('ink', TALL, '--colors=' + palette), { colorScheme });
				let low = await worst(page);
				ok(low[0] >= 4.5, palette + ' has contrast, ' + colorScheme, low);
				await page.keyboard.press('/');
				await t.type(page, 'f1');
				low = await worst(page);
				ok(low[0] >= 4.5, 'also where a search matches', low);
				await page.keyboard.press('Escape');
				await click(page, 'f2_20', {});
				low = await worst(page);
				ok(low[0] >= 4.5, 'and in faded callers', low);
				await page.close();
			}
	}

	async function buttons(svg) {
		for (const [width, height] of SIZES) {
			const page = await open(svg, { viewport: { width, height }, hasTouch: true, before: () => {
				Object.defineProperty(navigator, 'clipboard', { value: { writeText: s => (window.copied = s, Promise.resolve()) } });
			} });
			const tap = async words => {
				if (width < 600) {
					await page.tap('#more');
					await page.tap(`#menu button:has-text("${words}")`);
				} else {
					await page.tap(`.tool:has-text("${words}")`);
				}
				await settle(page);
			};
			const shown = await page.evaluate(() => Array.from(document.querySelectorAll('#search, .tool'))
				.filter(b => getComputedStyle(b).display != 'none').map(b => b.getBoundingClientRect())
				.concat(document.getElementById('title').getBoundingClientRect()).map(r => [r.left, r.right]).sort((a, b) => a[0] - b[0]));
			ok(shown.every((r, i) => !i || shown[i - 1][1] <= r[0]), 'buttons are side by side at ' + width, JSON.stringify(shown));
			await tap('Icicle');
			same(query(page), { i: '1' }, 'a button turns the graph over');
			await tap('Icicle');
			await tap('Table');
			ok(await page.evaluate(() => !!document.getElementById('table')), 'one opens the table');
			await press(page, 'Escape');
			await tap(width < 600 ? 'Keys' : '?');
			ok(/menu of the frame/.test(await page.textContent('#help')), 'one lists the keys');
			await press(page, '?');
			ok(await page.evaluate(() => !document.getElementById('help')), 'which ? closes');
			await press(page, '?');
			ok(await page.evaluate(() => !!document.getElementById('help')), 'and opens');
			await press(page, 'Escape');
			await (await (await handle(page, 'eval')).asElement().$('rect')).tap({ force: true });
			await settle(page);
			await tap(width < 600 ? 'Copy name' : 'Copy');
			same(await page.evaluate(() => window.copied), 'eval', 'one copies the name of the frame that was tapped');
			await page.close();
		}
	}

	async function menus(svg) {
		const page = await open(svg, { before: () => {
			Object.defineProperty(navigator, 'clipboard', { value: { writeText: s => (window.copied = s, Promise.resolve()) } });
		} });
		const all = ['Focus: only stacks with it', 'Hide it', 'Sandwich: callers and callees', 'Copy name', 'Copy stack'];
		await click(page, 'loop', { button: 'right' });
		same(await menu(page), all, 'a right click opens the menu of a frame');
		same(query(page), {}, 'and does not zoom');
		await choose(page, 'Copy stack');
		same(await page.evaluate(() => window.copied), 'main;eval;loop', 'it copies the stack');
		await click(page, 'loop', { button: 'right' });
		await press(page, 'Escape');
		same(await menu(page), [], 'Esc closes it');
		await page.keyboard.press('m');
		same(await menu(page), all, 'm opens it for the keyboard');
		await press(page, 'ArrowDown');
		await press(page, 'Enter');
		same(await names(page), ['Parse', 'a_function_with_a_name_that_is_too_long_for_any_narrow_frame_of_this_drawing', 'all', 'alloc',
			'alloc', 'alloc', 'alloc_page', 'eval', 'grow', 'lex', 'main', 'other', 'read'], 'Hide takes a function out of the stacks');
		same(query(page), { h: 'loop' }, 'the address says so');
		near((await frame(page, 'eval')).width, 980 * 95 / 200, 0.6, 'its callers keep their weight');
		ok(/^hidden: loop/.test(await text(page, 'details')) || /Function/.test(await text(page, 'details')), 'so do the details');
		await page.goBack();
		await settle(page);
		ok((await names(page)).includes('loop'), 'Back brings it back');
		await page.goForward();
		await settle(page);
		ok(!(await names(page)).includes('loop'), 'Forward takes it again');

		await click(page, 'alloc_page', { button: 'right' });
		await choose(page, 'Focus');
		same(await names(page), ['all', 'alloc_page', 'eval', 'main'], 'Focus keeps the stacks with a function');
		near((await frame(page, 'alloc_page')).width, 980, 0.6, 'at full width');
		same((await frame(page, 'eval')).title, 'eval (6 samples, 100.00%)', 'its figures are those of the stacks');
		await page.reload();
		await t.ready(page);
		same(await names(page), ['all', 'alloc_page', 'eval', 'main'], 'a new load shows the same');
		await page.keyboard.press('/');
		await t.type(page, 'page');
		same(await text(page, 'matched'), 'Matched: 100% of shown', 'a search works there');
		await press(page, 'Escape');
		await page.click('#unzoom');
		await settle(page);
		same(query(page), {}, 'Show All leaves a bare address');
		near((await frame(page, 'loop')).width, 980 * 55 / 200, 0.6, 'and the frames of the file');
		await page.close();

		const touch = await open(svg, { hasTouch: true }), g = (await handle(touch, 'eval')).asElement();
		await g.evaluate(e => {
			const r = e.querySelector('rect'), b = r.getBoundingClientRect();
			r.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch', clientX: b.x + 9, clientY: b.y + 5 }));
		});
		await touch.waitForFunction(() => !!document.getElementById('menu'));
		await g.evaluate(e => {
			const r = e.querySelector('rect');
			r.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerType: 'touch' }));
			r.dispatchEvent(new MouseEvent('click', { bubbles: true }));
		});
		await settle(touch);
		same(await menu(touch), all, 'a long press opens the menu');
		same(query(touch), {}, 'and does not zoom either');
		await touch.close();
	}

	// What the page makes of a flame graph is what the program draws.
	async function sandwiches(lines) {
		const shape = async page => (await frames(page)).map(f => [f.name, Math.round(f.width), Math.round(f.x)].join(' ')).sort();
		for (const options of [[], ['--reverse'], ['--inverted']]) {
			const page = await open(draw('plain', lines, ...options));
			for (const name of ['alloc', 'eval', 'lex']) {
				const other = await open(draw('by-program', lines, '--view=sandwich', '--function=' + name));
				await page.goto(page.url().split('?')[0] + '?w=' + name);
				await t.ready(page);
				const widths = list => list.map(s => s.replace(/ \d+$/, '')).sort();
				if (!options.includes('--reverse') || name != 'alloc')
					same(widths(await shape(page)), widths(await shape(other)), 'the sandwich of ' + name + ' ' + options);
				const middle = async p => (await frames(p)).find(f => f.name == name && f.width > 979);
				const above = async p => (await frames(p)).filter(f => f.y < 0).length;
				same(await above(page), await above(other), 'with the callers above');
				ok(await middle(page), 'and the function across');
				await other.close();
			}
			await page.click('#unzoom');
			await settle(page);
			same(query(page), {}, 'one returns to the whole');
			await page.close();
		}
		const page = await open(draw('plain', lines), { query: '?w=nothing&f=nothing' });
		ok((await names(page)).includes('main'), 'an address without a match shows the whole');
		await page.keyboard.press('t');
		await page.close();
	}

	async function tabs(svg) {
		const page = await open(svg);
		const stops = [];
		for (let i = 0; i < 9; i++) {
			await page.keyboard.press('Tab');
			stops.push(await page.evaluate(() => {
				const e = document.activeElement;
				return e && e !== document.documentElement ? e.id || (e.tagName == 'g' ? 'frame' : e.firstChild.data) : '';
			}));
		}
		same(stops.slice(0, 6), ['frame', 'Table', 'Icicle', 'Copy', '?', 'search'], 'Tab stops once at the frames and at each button');
		await click(page, 'eval');
		await click(page, 'loop');
		same(await page.evaluate(() => document.querySelectorAll('#frames [tabindex="0"]').length), 1, 'however many were clicked');
		await page.close();
	}

	async function printing() {
		for (const svg of [draw('tall', TALL), draw('tall-fixed', TALL, '--width=2000'), draw('tall-still', TALL, '--no-javascript')]) {
			const context = await t.browser().newContext({ viewport: { width: 1200, height: 800 } }), page = await context.newPage();
			await page.goto(t.address(svg));
			await page.waitForTimeout(50);
			await page.evaluate(() => scrollTo(0, 300));
			const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
			same((pdf.match(/\/Type\s*\/Page\b(?!s)/g) || []).length, 1, 'a drawing prints on one page');
			const size = pdf.match(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/);
			ok(+size[1] > +size[2], 'in landscape', size[0]);
			await context.close();
		}
	}

	await scrolling();
	await photographs();
	await labels();
	await stillLabels();
	await loading();
	await contrast(t.svg);
	await buttons(t.svg);
	await menus(t.svg);
	await sandwiches(t.lines);
	await tabs(t.svg);
	await printing();
};
