// changes.js - the third part of svg.js: comparisons, what shares are of, panels and their buttons.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');

const BEFORE = ['main;a;f;x 10', 'main;b;f;y 300', 'main;f 20', 'other;z 400', 'other;gone 100'];
const AFTER = ['main;a;f;x 210', 'main;b;f;y 230', 'main;f 90', 'other;z 420', 'other;new 30'];
const RATIO = ['main;lex 30', 'main;eval;loop 50', 'main;eval;alloc 20', 'idle 100'];

module.exports = async function (t) {
	const { draw, open, frames, frame, click, settle, ok, same, text, type } = t;

	const compare = (name, ...options) => compareStacks(name, BEFORE, AFTER, ...options);

	// Draws two columns of stacks.
	function compareStacks(name, old, now, ...options) {
		const file = path.join(process.env.TMP, name + '.svg'), before = path.join(process.env.TMP, name + '.before');
		fs.writeFileSync(before, old.join('\n') + '\n');
		fs.writeFileSync(before + '.after', now.join('\n') + '\n');
		execFileSync(process.env.FLAMETOP, ['-f', 'folded', '--no-config', '-o', file, '--diff=' + before, ...options, before + '.after'],
			{ stdio: ['ignore', 'inherit', 'inherit'] });
		return file;
	}

	// Of stacks: the weight of those that hold a function, or that end in it.
	const parse = lines => lines.map(l => ({ frames: l.replace(/ \d+$/, '').split(';'), weight: +l.match(/\d+$/)[0] }));
	const sum = (lines, is) => parse(lines).filter(is).reduce((all, s) => all + s.weight, 0);
	const points = (is, one = false) => {
		const share = lines => 100 * sum(lines, is) / sum(lines, () => true), b = share(BEFORE), a = share(AFTER), d = a - b;
		const by = (d > 0 ? '+' : d < 0 ? '-' : '') + Math.abs(d).toFixed(2);
		return one ? by : [by, b.toFixed(2) + '%', a.toFixed(2) + '%'];
	};
	const holds = name => s => s.frames.includes(name), ends = name => s => s.frames[s.frames.length - 1] == name;
	const table = page => page.evaluate(() => Array.from(document.querySelectorAll('#table tr'))
		.map(r => Array.from(r.children).map(c => c.textContent)));
	// Colours of the script come from a ramp of 121 steps.
	const isNear = (a, b) => a.match(/\d+/g).every((v, k) => Math.abs(v - b.match(/\d+/g)[k]) < 3);
	const caption = page => page.evaluate(() => document.querySelector('#table caption').textContent);

	async function words() {
		const page = await open(compare('changes')), n = sum(AFTER, holds('b'));
		const [by, before, after] = points(holds('b')), share = (100 * n / sum(AFTER, () => true)).toFixed(2) + '%';
		same((await frame(page, 'b')).title, `b (${n} samples, ${share}; before ${before}, after ${after}, ${by} points; self 0.00 points)`,
			'a tooltip names both changes, of the total and of self');
		await click(page, 'y');
		same(await text(page, 'details'), `Function: y (${n} samples, ${share} of all, 100.00% of zoom; before ${before}, after ${after} of all, ` +
			`${by} points; self ${by} points)`, 'so do the details, with what shares are of');
		await page.close();
	}

	async function tables() {
		const page = await open(compare('table')), expected = name => [...points(ends(name)), ...points(holds(name)), name];
		await page.keyboard.press('t');
		let rows = await table(page);
		same(rows[0], ['Self, points', 'before', 'after', 'Total, points', 'before', 'after', 'Function'], 'the table has before, after and change');
		same(rows.slice(1, 4), ['x', 'f', 'new'].map(expected), 'what grew comes first');
		same(rows.find(r => r[6] == 'f'), expected('f'), 'with sums over all frames of a function');
		same(rows.find(r => r[6] == 'other'), expected('other'), 'a vanished callee is not the self weight of its caller');
		same(await caption(page), 'shares are of all; diff of shares; 1 vanished frame has no width', 'it says what shares are of');
		const colors = await page.evaluate(() => Array.from(document.querySelectorAll('#table tr')).slice(1)
			.map(r => [r.lastChild.textContent, r.firstChild.style.backgroundColor.replace(/ /g, '')]));
		const fills = Object.fromEntries((await frames(page)).map(f => [f.name, f.fill]));
		for (const name of ['x', 'new', 'y', 'z'])
			ok(isNear(colors.find(c => c[0] == name)[1], fills[name]), 'a change has the colour of the graph: ' + name);
		await page.click('#table .close');
		ok(await page.evaluate(() => !document.getElementById('table')), 'a button closes the table');
		await page.setViewportSize({ width: 430, height: 700 });
		await settle(page);
		await page.keyboard.press('t');
		same(await page.evaluate(() => Array.from(document.querySelectorAll('#table th')).filter(h => h.offsetWidth).map(h => h.textContent)),
			['Self, points', 'Total, points', 'Function'], 'a narrow window has the changes only');
		await page.close();
		for (const [option, head, first] of [['--absolute', 'Self change', '+200'], ['--negate', 'Self, points', '+20.22']]) {
			const other = await open(compare('table-more', option));
			await other.keyboard.press('t');
			rows = await table(other);
			same([rows[0][0], rows[1][0], rows[1][6]], [head, first, 'x'], option + ': the table has such changes');
			ok(isNear(await other.evaluate(() => document.querySelector('#table td').style.backgroundColor), (await frame(other, 'x')).fill), option + ': in the colour of the graph');
			await other.close();
		}
	}

	// Frames without a width count in the sums of their functions.
	// The table is of the script, tooltips are not.
	async function counts() {
		const page = await open(compareStacks('times', ['a;b 12', 'a;c 2'], ['a;b 7', 'a;c 5'], '-q', '--factor=1.5', '--absolute'));
		same((await frame(page, 'c')).title, 'c (8 samples, 41.67%; before 3, after 8, +5 ~; self +5 ~)', 'counts times --factor are rounded');
		await page.keyboard.press('t');
		same((await table(page)).slice(1, 3).map(r => r.slice(0, 3)), [['-8 ~', '18', '11'], ['+5 ~', '3', '8']], 'in the table, too');
		await page.close();
		const large = await open(compareStacks('large', ['a 1'], ['a 88176906152086511'], '--absolute'));
		await large.keyboard.press('t');
		same((await table(large)).find(r => r[6] == 'a').slice(1, 3), ['1', '\u224888,176,906,152,086,500'], 'those beyond 2^53 are marked, and have the digits that are certain');
		await large.close();
	}

	async function vanished() {
		const page = await open(compareStacks('vanished', ['m;f;f 10', 'g;f;f 30', 'm;z 10'], ['m;f;f 20', 'm;z 20']));
		await page.keyboard.press('t');
		const rows = await table(page);
		same(rows.find(r => r[6] == 'f'), ['-30.00', '80.00%', '50.00%', '-30.00', '80.00%', '50.00%', 'f'], 'a function has the frames that vanished elsewhere');
		same(rows.find(r => r[6] == 'g').slice(3), ['-60.00', '60.00%', '0.00%', 'g'], 'and one that vanished is in the table');
		await page.keyboard.press('t');
		await click(page, 'm');
		await page.keyboard.press('t');
		ok((await caption(page)).includes('frames that have no width do not count here'), 'but not in a zoom, which says so');
		await page.close();
	}

	// What the script makes is what the program draws: figures and colours.
	async function sandwiches() {
		for (const options of [[], ['--absolute'], ['--negate'], ['--widths=before']]) {
			const page = await open(compare('plain', ...options), { query: '?w=f' });
			const other = await open(compare('by-program', '--view=sandwich', '--function=f', ...options));
			const shape = async p => (await frames(p)).map(f => f.title.replace(/; self [^;)]*, [\d.]+%/, '') + ' ' + Math.round(f.width)).sort();
			const fills = async p => (await frames(p)).map(f => f.title.split(' ')[0] + ' ' + f.fill).sort();
			same(await shape(page), await shape(other), 'the sandwich of a comparison has its figures ' + options);
			if (!options.includes('--absolute'))
				ok(isNear((await fills(page)).join(), (await fills(other)).join()), 'and its colours ' + options);
			await page.keyboard.press('t');
			await other.keyboard.press('t');
			same(await table(page), await table(other), 'and its table ' + options);
			await page.close();
			await other.close();
		}
		const page = await open(compare('caller', '--view=sandwich', '--function=f'));
		await page.keyboard.press('t');
		same((await table(page)).find(r => r[9] == 'f').slice(0, 3), points(ends('f')), 'the function has the change of its own self weight');
		same((await table(page)).find(r => r[9] == 'a').slice(6, 9), points(holds('a')), 'a caller that of what goes through it');
		await page.close();
		const hidden = await open(compare('hidden'), { query: '?h=b' });
		same((await frame(hidden, 'x')).title.replace(/.*;/, ''), ` self ${points(ends('x'), true)} points)`, 'other views have changes, too');
		same((await frame(hidden, 'other')).title.replace(/.*;/, ''), ' self 0.00 points)', 'and nothing of what vanished');
		await hidden.close();
	}

	// What shares are of is said wherever they are, and is one thing for the search and the table.
	async function bases() {
		const page = await open(draw('ratio', RATIO)), heads = async () => (await table(page))[0];
		await page.keyboard.press('t');
		same(await heads(), ['Self of all', 'Total of all', 'Function'], 'the table says what its shares are of');
		await page.keyboard.press('t');
		await click(page, 'eval');
		same(await text(page, 'details'), 'Function: eval (70 samples, 35.00% of all, 100.00% of zoom)', 'the details have both shares');
		await page.keyboard.press('t');
		same(await heads(), ['Self of zoom', 'Total of zoom', 'Function'], 'in a zoom those of the table are of that');
		same((await table(page)).find(r => r[2] == 'loop'), ['71.43%', '71.43%', 'loop'], 'which is so');
		await page.keyboard.press('t');
		await page.keyboard.press('/');
		await type(page, 'loop');
		same(await text(page, 'matched'), 'Matched: 71.4% of zoom', 'so is the share of the search');
		same(await page.evaluate(() => document.querySelector('#box span').textContent), '1', 'which stands in one place');
		await type(page, 'main');
		same(await text(page, 'matched'), 'No match inside the zoom, 1 outside, 1 of them around it', 'a match around the zoom is named');
		await type(page, 'lex|idle');
		same(await text(page, 'matched'), 'No match inside the zoom, 2 outside', 'and one beside it');
		await type(page, 'nothing');
		same(await text(page, 'matched'), 'Matched: 0.0% of zoom', 'without any match there is nothing to tell');
		await page.close();

		for (const [pattern, said] of [['loop', 'Matched: 71.4% of zoom'], ['main|idle', 'No match inside the zoom, 2 outside, 1 of them around it']]) {
			const made = await open(draw('ratio-zoomed', RATIO, '--zoom=main;eval', '--search=' + pattern));
			same(await text(made, 'matched'), said, 'a drawing of a zoom says the same: ' + pattern);
			await made.keyboard.press('Escape');
			await made.keyboard.press('t');
			same((await table(made))[0], ['Self of zoom', 'Total of zoom', 'Function'], 'and its table');
			await made.close();
		}
		const shown = await open(draw('ratio-shown', RATIO, '--ignore=idle'));
		await shown.keyboard.press('ArrowUp');
		same(await text(shown, 'details'), 'Function: all (100 samples, 100% of shown)', 'where something is left out, they are of what is shown');
		await shown.goto(shown.url() + '?f=eval');
		await t.ready(shown);
		await shown.keyboard.press('ArrowUp');
		await shown.keyboard.press('ArrowUp');
		same(await text(shown, 'details'), 'Function: main (70 samples, 100.00% of shown)', 'also by the script');
		await shown.close();

		const sandwich = await open(draw('ratio-sandwich', RATIO, '--view=sandwich', '--function=eval', '--search=loop|main'));
		same(await text(sandwich, 'matched'), 'Matched: callers 35.0%, callees 25.0% of all', 'those of a sandwich are of all, as on the screen');
		await sandwich.keyboard.press('Escape');
		await sandwich.keyboard.press('t');
		same(await table(sandwich), [['Self of all', 'Total of all', 'As caller of all', 'Function'], ['25.00%', '25.00%', '0.00%', 'loop'],
			['10.00%', '10.00%', '0.00%', 'alloc']], 'in the table, too');
		await sandwich.close();
	}

	// A box to search in, and panels with a button that closes them.
	async function panels(svg) {
		for (const width of [1200, 900, 700, 430]) {
			const page = await open(svg, { viewport: { width, height: 600 } });
			await page.keyboard.press('/');
			const apart = await page.evaluate(() => {
				const a = document.getElementById('title').getBoundingClientRect(), b = document.getElementById('box').getBoundingClientRect();
				return !a.width || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
			});
			ok(apart, 'the box does not cover the title at ' + width);
			await page.keyboard.press('Escape');
			for (const [key, id] of [['t', 'table'], ['?', 'help']]) {
				await page.keyboard.press(key);
				await page.click('#' + id + ' .close');
				ok(await page.evaluate(i => !document.getElementById(i), id), 'a button closes the ' + id + ' at ' + width);
			}
			await page.close();
		}
	}

	// No change is as light as a light page.
	async function outlines() {
		const stroke = (page, name) => page.evaluate(n => {
			const r = Array.from(document.querySelectorAll('#frames > g')).find(g => g.firstElementChild.textContent.startsWith(n + ' ')).querySelector('rect');
			const s = getComputedStyle(r);
			return s.stroke + ' ' + s.strokeOpacity;
		}, name);
		for (const colorScheme of ['light', 'dark']) {
			const page = await open(compare('outlined'), { colorScheme });
			same(await stroke(page, 'main'), 'rgb(136, 136, 136) 0.53', 'frames of a comparison have an outline, ' + colorScheme);
			await click(page, 'x');
			same(await stroke(page, 'x'), (colorScheme == 'light' ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)') + ' 1', 'the chosen one another, ' + colorScheme);
			await page.close();
		}
		const chosen = await open(compare('outlined', '--stroke-color=#ff0000'));
		same(await stroke(chosen, 'main'), 'rgb(255, 0, 0) 1', '--stroke-color has its own');
		await chosen.close();
		const plain = await open(draw('ratio', RATIO));
		same(await stroke(plain, 'main'), 'none 1', 'other drawings have none');
		await plain.close();
	}

	await words();
	await outlines();
	await tables();
	await counts();
	await vanished();
	await sandwiches();
	await bases();
	await panels(t.svg);
};
