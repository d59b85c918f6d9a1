// page_ui.js - what surrounds the frames of a page: buttons, panels, the menu of a frame, pointer and keyboard. Ends the
// function that page.js begins.
var panels = {}, menuFrame = null, pressed = null, wasLong = false, timer, light = { narrow: 0, gone: 0 };

// ---- elements ----

function make(parent, tag, attributes, text) {
	var e = doc.createElement(tag), k;
	for (k in attributes)
		e.setAttribute(k, attributes[k]);
	if (text !== undefined)
		e.textContent = text;
	return parent.appendChild(e);
}

function press(button, f) {
	button.addEventListener('click', f);
	return button;
}

// A sign needs words for those who hear it; a word is its own name.
function tool(parent, id, text, words, f) {
	var b = make(parent, 'button', { id: id, type: 'button', title: words }, text);
	if (text.length < 3)
		b.setAttribute('aria-label', words);
	return press(b, f);
}

// the button that opens a panel, and closes it
function opener(parent, id, text, words) {
	tool(parent, 'open-' + id, text, words, function () { toggle(id); }).setAttribute('aria-controls', id);
}

// Gives the keys to the frames, if what had them went away.
function keepKeys() {
	var e = doc.activeElement;
	if (e && e != doc.body && !e.getClientRects().length)
		el('frames').focus({ preventScroll: true });
}

// ---- panels ----

function isOpen(id) { return !!panels[id] && !panels[id].box.classList.contains('hide'); }

function panel(id, title) {
	var box = make(el('main'), 'section', { id: id, class: 'panel hide', 'aria-label': title, tabindex: -1 });
	panels[id] = { box: box };
	press(make(box, 'button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '\u00d7'), function () { toggle(id); });
	make(box, 'h2', {}, title);
	panels[id].body = make(box, 'div', {});
}

function show(id, is) {
	panels[id].box.classList.toggle('hide', !is);
	el('open-' + id).setAttribute('aria-expanded', is);
	// what a panel covers has no keys
	el('scroll').inert = el('strip').inert = isOpen('table') || isOpen('keys');
	if (is && id == 'table')
		fillTable();
}

function toggle(id) {
	var other = id == 'table' ? 'keys' : 'table', is = !isOpen(id);
	show(other, false);
	show(id, is);
	if (is)
		panels[id].box.focus({ preventScroll: true });
	else
		el('frames').focus({ preventScroll: true });
	remember(false);
}

var STRIP_KEYS = [
	['\u2190\u00a0\u2192', 'move the range'], ['Shift + \u2190\u00a0\u2192, [\u00a0]', 'move its end'], ['Enter', 'show it'],
	['Esc', 'show all times']
];

function fillKeys() {
	var t = make(panels.keys.body, 'table', {});
	fillLines(t, [
		['Click, Enter', 'zoom to the frame'], ['Arrows', 'go to another frame'], ['Esc', 'back'],
		['/  F3  Ctrl-F', 'search'], ['n  N', 'next match, previous match'], ['Ctrl-I', 'match case'],
		['t', 'table of functions'], ['i', 'icicle: turn the graph over'], ['c', 'copy the name of the frame'],
		['s', 'sandwich: callers and callees of the frame'], ['Right click, long press, m', 'menu of the frame'],
		['?', 'these keys']
	]);
	if (!slices)
		return;
	make(make(make(t, 'tr', {}), 'td', { colspan: 2 }), 'strong', {}, 'On the weight over time (Tab leads there)');
	fillLines(t, STRIP_KEYS);
}

function fillLines(t, list) {
	list.forEach(function (line) {
		var tr = make(t, 'tr', {});
		make(tr, 'th', { scope: 'row' }, line[0]);
		make(tr, 'td', {}, line[1]);
	});
}

// ---- line of details ----

// what is not to be seen; a wider window shows more
function countLight() {
	light = { narrow: narrow(), gone: data.diff ? goneIn(function () { return true; }) : 0 };
	say(focused);
}

function tell(text) { el('details').textContent = text; }

function idleText() {
	var said = [], lightly = [];
	if (lens.f.length)
		said.push('only stacks with ' + lens.f.map(function (k) { return names[k]; }).join(', '));
	if (lens.h.length)
		said.push('hidden: ' + lens.h.map(function (k) { return names[k]; }).join(', '));
	if (range)
		said.push(rangeText(range));
	if (isZoomed())
		said.push(zoomText());
	if (data.diff)
		said.push('diff of ' + data.diff.of + (data.diff.swapped ? ', widths from before' : ''));
	if (light.narrow)
		lightly.push(narrowText(light.narrow));
	if (light.gone)
		lightly.push(goneText(light.gone));
	said.push((sandwich ? counted(sides[0].total[0]) + ' of ' : '') + counted(sides.all));
	return said.concat(lightly, data.notes || []).join('; ');
}

function say(at) { tell(at ? nametype + ' ' + figures(sides[at.s], at.i) : idleText()); }

// ---- the frame with the keyboard ----

function choose(at) {
	focused = at;
	reveal(at.s, at.i);
	draw();
	say(at);
}

// the next frame on the same row
function beside(g, i, by) {
	var zoom = timed ? 0 : zoomed, k;
	for (k = i + by; k > 0 && k < g.n; k += by)
		if (g.row[k] == g.row[i] && g.w[k] > 0 && g.name[k] >= 0 && (timed || zoomSide || k < g.end[zoom]) && k >= zoom)
			return k;
	return i;
}

function widest(g, i) {
	var best = -1, k;
	for (k = i + 1; k < g.end[i]; k = g.end[k])
		if (g.name[k] >= 0 && g.w[k] > 0 && (best < 0 || g.w[k] > g.w[best]))
			best = k;
	return best < 0 ? i : best;
}

function move(key) {
	var at = focused || { s: zoomSide, i: zoomed }, s = at.s, g = sides[s], i = at.i, up = key == 'ArrowUp';
	if (!focused && !timed)
		return choose(at);
	if (sandwich && !i && (up || key == 'ArrowDown'))
		return choose({ s: +up, i: widest(sides[+up], 0) || 0 });
	if (key == 'ArrowLeft' || key == 'ArrowRight')
		i = beside(g, i, key == 'ArrowLeft' ? -1 : 1);
	else if (up == (sandwich ? !!s : !upside))
		i = widest(g, i);
	else
		i = g.parent[i] > 0 || (!timed && g.parent[i] === 0) ? g.parent[i] : i;
	choose({ s: i ? s : 0, i: i });
}

// ---- actions ----

function copyText(text) {
	function no() { tell('The clipboard cannot be written from here'); }
	try {
		navigator.clipboard.writeText(text).then(function () { tell('Copied: ' + text); }, no);
	} catch (e) {
		no();
	}
}

function chosen() { return hovered || focused || (zoomed ? { s: zoomSide, i: zoomed } : null); }

function copyName() {
	var at = chosen();
	if (at)
		copyText(nameOf(sides[at.s], at.i));
	else
		tell('Choose a frame first');
}

// The names from the root to the frame; in the callers of a sandwich to its function.
function stackOf(at) {
	var g = sides[at.s], list = [], i;
	for (i = at.i; i > 0 || (i === 0 && sandwich); i = g.parent[i])
		list.unshift(nameOf(g, i));
	return at.s || (data.reversed && !sandwich) ? list.reverse() : list;
}

function showSearch(is) { el('search').classList.toggle('hide', !is); }

function ask() {
	showSearch(true);
	resize();
	el('term').focus();
	el('term').select();
}

function escape() {
	if (el('menu'))
		closeMenu();
	else if (isOpen('keys'))
		toggle('keys');
	else if (isOpen('table'))
		toggle('table');
	else if (term || !el('search').classList.contains('hide'))
		stop();
	else if (zoomed || zoomSide || isOther() || range)
		unzoom();
	resize();
}

// ---- the menu of a frame ----

function closeMenu() {
	if (el('menu'))
		el('menu').remove();
	el('frames').focus({ preventScroll: true });
}

function choices(at) {
	var k = at ? sides[at.s].name[at.i] : -1, list = [];
	if (k >= 0)
		list.push(['Focus: only stacks with it', function () { focusOn(k); }], ['Hide it', function () { hideName(k); }],
			['Sandwich: callers and callees', function () { sandwichOf(k); }]);
	if (at)
		list.push(['Copy name', function () { copyText(nameOf(sides[at.s], at.i)); }],
			['Copy stack', function () { copyText(stackOf(at).join(';')); }]);
	if (isOther() || range)
		list.push(['Show all', showAll]);
	return list;
}

function openMenu(at, x, y) {
	var menu, list = choices(at), r;
	if (el('menu'))
		el('menu').remove();
	if (!list.length)
		return;
	menu = make(doc.body, 'div', { id: 'menu', role: 'menu', 'aria-label': at ? nameOf(sides[at.s], at.i) : 'Menu' });
	if (at)
		make(menu, 'strong', {}, nameOf(sides[at.s], at.i));
	list.forEach(function (c) {
		press(make(menu, 'button', { type: 'button', role: 'menuitem' }, c[0]), function () {
			closeMenu();
			c[1]();
		});
	});
	r = menu.getBoundingClientRect();
	menu.style.left = Math.max(8, Math.min(x, innerWidth - r.width - 8)) + 'px';
	menu.style.top = Math.max(8, Math.min(y, innerHeight - r.height - 8)) + 'px';
	focused = at;
	draw();
	say(at);
	menu.querySelector('button').focus({ preventScroll: true });
}

function menuByKey() {
	var at = focused || { s: zoomSide, i: zoomed }, c = el('frames').getBoundingClientRect(), d;
	choose(at);
	d = drawn.find(function (d) { return d.s == at.s && d.i == at.i; });
	openMenu(at, c.left + (d ? d.x : 0), c.top + (d ? d.y + step : 0));
}

function moveInMenu(by) {
	var all = Array.from(el('menu').querySelectorAll('button')), at = all.indexOf(doc.activeElement);
	all[(at + by + all.length) % all.length].focus({ preventScroll: true });
}

// ---- pointer ----

function frameOf(e) {
	var r = el('frames').getBoundingClientRect();
	return frameAt(e.clientX - r.left, e.clientY - r.top);
}

function isSame(a, b) { return a === b || (!!a && !!b && a.s == b.s && a.i == b.i); }

function onMove(e) {
	var at = frameOf(e);
	if (pressed && Math.abs(e.clientX - pressed.x) + Math.abs(e.clientY - pressed.y) > 10)
		endPress();
	if (e.pointerType == 'touch' || isSame(at, hovered))
		return;
	hovered = at;
	el('frames').style.cursor = at ? 'pointer' : '';
	draw();
	say(at || focused);
}

function onClick(e) {
	var at = frameOf(e);
	if (wasLong || el('menu')) {
		wasLong = false;
		if (el('menu') && !pressed)
			closeMenu();
		return;
	}
	if (at)
		zoom(at.s, at.i);
}

// Half a second of a finger on a frame opens its menu; some browsers send no event for that.
function onPress(e) {
	var at = frameOf(e);
	wasLong = false;
	if (e.pointerType != 'touch' || !at)
		return;
	pressed = { x: e.clientX, y: e.clientY, timer: setTimeout(function () {
		wasLong = true;
		openMenu(at, e.clientX, e.clientY);
	}, 500) };
}

function endPress() {
	clearTimeout(pressed && pressed.timer);
	pressed = null;
}

function onMenu(e) {
	var at = frameOf(e);
	e.preventDefault();
	endPress();
	if (!el('menu') || !wasLong)
		openMenu(at, e.clientX, e.clientY);
}

// ---- keyboard ----

var keys = {
	'/': ask, 'F3': ask, 'Escape': escape, 't': function () { toggle('table'); }, 'i': turn, 'c': copyName, 'm': menuByKey,
	'?': function () { toggle('keys'); }, 'n': function () { nextHit(1); }, 'N': function () { nextHit(-1); },
	's': function () {
		var at = chosen();
		if (at && sides[at.s].name[at.i] >= 0)
			sandwichOf(sides[at.s].name[at.i]);
	}
};

function onKey(e) {
	var control = e.ctrlKey || e.metaKey, typing = e.target == el('term'), f = keys[e.key], isArrow = /^Arrow/.test(e.key);
	if (control && (e.key == 'f' || e.key == 'F'))
		f = ask;
	else if (control && e.key == 'i')
		f = toggleCase;
	else if (control || e.altKey || e.target.tagName == 'SELECT')
		return;
	else if (typing && e.key == 'Enter')
		f = function () {
			take();
			nextHit(e.shiftKey ? -1 : 1);
		};
	else if (typing && e.key != 'Escape' && e.key != 'F3')
		return;
	else if (e.target == el('strip') && stripKey(e))
		f = stripKey(e);
	else if (el('menu') && isArrow)
		f = function () { moveInMenu(e.key == 'ArrowUp' || e.key == 'ArrowLeft' ? -1 : 1); };
	else if (el('menu') && e.key == 'Tab')
		f = closeMenu;
	else if (el('menu') && e.key != 'Escape')
		return;
	else if (isArrow && !isOpen('table') && !isOpen('keys'))
		f = function () { move(e.key); };
	else if ((e.key == 'Enter' || e.key == ' ') && e.target.tagName != 'BUTTON')
		f = focused && function () { zoom(focused.s, focused.i); };
	if (!f)
		return;
	e.preventDefault();
	f();
}

// ---- start ----

function furnish() {
	var header = make(doc.body, 'header', {}), h1 = make(header, 'h1', { id: 'title' }, ' '), nav = make(header, 'nav', {}), box;
	make(h1, 'small', {}, [data.subtitle, events.length < 2 && data.event, data.file].filter(Boolean).join(' \u00b7 '));
	if (events.length > 1)
		fillEvents(make(nav, 'select', { id: 'event', title: 'Event', 'aria-label': 'Event' }));
	tool(nav, 'unzoom', 'Reset zoom', 'Back to all frames (Esc)', unzoom);
	opener(nav, 'table', 'Table', 'Table of functions (t)');
	tool(nav, 'turn', 'Icicle', 'Turn the graph over (i)', turn);
	tool(nav, 'ask', 'Search', 'Search functions (/)', ask);
	opener(nav, 'keys', '?', 'Keys (?)');
	box = make(header, 'div', { id: 'search', role: 'search', class: 'hide' });
	make(box, 'input', {
		id: 'term', placeholder: 'regular expression', 'aria-label': 'Search functions', spellcheck: false, autocomplete: 'off'
	}).addEventListener('input', function () {
		clearTimeout(timer);
		timer = setTimeout(take, 40);
	});
	make(box, 'span', { id: 'matched', role: 'status' });
	tool(box, 'case', 'Aa', 'Match case (Ctrl-I)', toggleCase);
	tool(box, 'previous', '\u2039', 'Previous match (N)', function () { nextHit(-1); });
	tool(box, 'next', '\u203a', 'Next match (n)', function () { nextHit(1); });
	tool(box, 'clear', '\u00d7', 'End the search (Esc)', stop);
	make(doc.body, 'main', { id: 'main' });
	make(el('main'), 'canvas', {
		id: 'strip', class: 'hide', role: 'slider', tabindex: 0, 'aria-label': 'Weight over time: choose a range',
		'aria-describedby': 'strip-keys'
	});
	make(el('main'), 'span', { id: 'strip-keys', class: 'hide' }, STRIP_KEYS.map(function (k) { return k.join(' '); }).join(', '));
	tall = make(make(el('main'), 'div', { id: 'scroll' }), 'div', { id: 'tall' });
	scroller = el('scroll');
	make(tall, 'canvas', {
		id: 'frames', tabindex: 0, role: 'application', 'aria-roledescription': 'flame graph', 'aria-label': 'Frames',
		'aria-describedby': 'details'
	});
	panel('table', 'Functions');
	panel('keys', 'Keys');
	fillKeys();
	box = make(doc.body, 'footer', {});
	make(box, 'span', { id: 'details', 'aria-live': 'polite' });
	fillLegend(make(box, 'span', { id: 'legend' }));
}

function fillEvents(select) {
	events.forEach(function (e, k) { make(select, 'option', { value: k }, e.dataset.event); });
	select.value = event;
	select.addEventListener('change', function () { seeEvent(+select.value); });
}

// what the colours of frames mean
function fillLegend(box) {
	(data.legend || []).forEach(function (entry) {
		var e = make(box, 'span', {});
		make(e, 'i', { 'aria-hidden': true }).style.background = '#' + entry[1];
		e.appendChild(doc.createTextNode(entry[0]));
	});
}

function listen(target, events) {
	for (var k in events)
		target.addEventListener(k, events[k]);
}

function print(is) {
	isPrint = is;
	fitBoard(is);
	draw();
}

function start() {
	read();
	sumSlices();
	if (data.span)
		initial.r = data.span.map(function (at) { return (at - timeZero) / sliceLength; });
	initial.w = data.middle === undefined ? null : first[data.middle];
	if (data.diff) {
		data.diff.all = file.all;
		data.diff.allBase = file.base.reduce(function (a, b) { return a + b; }, 0);
	}
	furnish();
	board = el('frames').getContext('2d');
	restore();
	listen(el('frames'), {
		click: onClick, pointermove: onMove, pointerdown: onPress, pointerup: endPress, pointercancel: endPress, contextmenu: onMenu,
		pointerleave: function () {
			hovered = null;
			draw();
			say(focused);
		}
	});
	listenToStrip();
	scroller.addEventListener('scroll', draw);
	// the line of details may take a row more
	new ResizeObserver(resize).observe(scroller);
	listen(window, {
		resize: function () {
			drawStrip();
			resize();
		}, keydown: onKey, popstate: restore, beforeprint: function () { print(true); },
		afterprint: function () { print(false); },
		pointerdown: function (e) {
			if (el('menu') && !el('menu').contains(e.target) && e.target != el('frames'))
				closeMenu();
		}
	});
	dark.addEventListener('change', refresh);
}

start();
}());
