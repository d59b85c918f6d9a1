// viewer_page.js - what surrounds the frames: the strips that stay in sight, buttons, panels, the menu of a frame.
//
// A drawing may be taller than the window. The headings above the frames, and the line below them, are moved into two
// strips, which follow the window: `head` and `foot`.
var help, menu, menuEnd, menuFrame, press, long = false, more, tools = [];

// ---- elements ----

function fillIn(e, attributes) {
	for (var k in attributes)
		e.setAttribute(k, attributes[k]);
	return e;
}

function make(parent, tag, attributes, text) {
	var e = fillIn(doc.createElementNS(svg.namespaceURI, tag), attributes);
	if (text)
		e.textContent = text;
	return parent.appendChild(e);
}

function html(parent, tag, attributes, text) {
	var e = fillIn(doc.createElementNS(HTML, tag), attributes);
	if (text)
		e.textContent = text;
	return parent.appendChild(e);
}

function overlay(id, label, role) {
	var fo = make(svg, 'foreignObject', { id: id });
	return { fo: fo, div: html(fo, 'div', { role: role || 'dialog', 'aria-label': label }) };
}

// An overlay with a button that closes it; it has the keyboard focus.
function panel(id, label, close, fill) {
	var o = overlay(id, label), body;
	o.div.tabIndex = 0;
	tool(o.div, '\u00d7', 'Close (Esc)', close).className = 'close';
	body = html(o.div, 'section', {});
	fill(body);
	return o.fo;
}

function tool(parent, text, label, f) {
	var b = html(parent, 'button', { type: 'button', title: label, 'aria-label': label }, text);
	b.addEventListener('click', f);
	return b;
}

function listen(target, events) {
	for (var k in events)
		target.addEventListener(k, events[k]);
}

// ---- strips and buttons ----

function strip(id, elements, y, h, stop) {
	var g = make(svg, 'g', { id: id, class: 'strip' });
	make(g, 'rect', { x: 0, y: y, width: '100%', height: Math.max(h, 0), fill: stop.getAttribute('stop-color') });
	elements.forEach(function (e) {
		if (e)
			g.appendChild(e);
	});
	return g;
}

function act(label, words, f) {
	var b = make(head, 'text', { class: 'tool', y: button.getAttribute('y'), 'aria-label': words }, label);
	if (button.hasAttribute('fill'))
		b.setAttribute('fill', button.getAttribute('fill'));
	make(b, 'title', {}, words);
	b.addEventListener('click', f);
	return b;
}

// Makes the strips and the buttons.
function furnish() {
	var ruler = timed && el('ruler'), top = low, bottom = high + step, stops = doc.querySelectorAll('#background stop');
	var above = [el('title'), el('subtitle'), unzoom, button], below = [matched];
	if (timed && inverted)
		top = lanes.ruler + 4;
	else if (timed)
		bottom = lanes.ruler + 4 - step;
	(timed && inverted ? above : below).push(ruler);
	(inverted ? above : below).push(details);
	head = strip('head', above, 0, top - 1, stops[0]);
	foot = strip('foot', below, bottom, height - bottom, stops[stops.length - 1]);
	tools = [
		act('Table', 'Table of functions (t)', toggleTable),
		!isFixed && !timed && act('Icicle', 'Turn the graph over (i)', turn),
		act('Copy', 'Copy the name of the frame (c)', copyName),
		act('?', 'Keys (?)', toggleHelp)
	].filter(Boolean).reverse();
	more = act('Menu', 'Menu (m)', function () {
		openMenu(focused, width + xpad, +button.getAttribute('y') + 8);
	});
	more.id = 'more';
	head.appendChild(button);
	[button, unzoom, more].concat(tools).forEach(function (b) { fillIn(b, { role: 'button', tabindex: 0 }); });
	button.addEventListener('click', function () { term ? stop() : ask(); });
	unzoom.addEventListener('click', function () { zoomed >= 0 ? zoom(-1) : see({ f: [], h: [], w: null }); });
}

// Puts buttons next to each other, right to left from x; the result is where the last one begins.
function line(buttons, x) {
	buttons.forEach(function (b) {
		b.setAttribute('x', x);
		x -= charsWidth(b.firstChild.data) + 1.5 * fontsize;
	});
	return x + 1.5 * fontsize;
}

function titleEnd() {
	return width / 2 + xpad + charsWidth(el('title').textContent) * (1 + 5 / fontsize) / 2 + fontsize;
}

function isShown(e) { return !e.classList.contains('hide'); }

// Arranges the buttons and the box of the search. Where the title leaves no room for all, one button opens a menu; where it
// leaves none for that, it gives way.
function lineUp() {
	var from = titleEnd(), least = box ? 220 : 0, x = line([button].concat(tools), width + xpad), isNarrow = x - from < least, isFull, isTight;
	head.classList.toggle('narrow', isNarrow);
	if (isNarrow)
		x = line([button, more], width + xpad);
	isFull = x - from < least;
	head.classList.toggle('full', isFull);
	if (isFull)
		from = isShown(unzoom) ? xpad + charsWidth(unzoom.textContent) + fontsize : xpad;
	// the box has a button to end the search
	isTight = isFull && x - from < least;
	head.classList.toggle('tight', isTight);
	if (isTight && box)
		x = line([more], width + xpad);
	x -= fontsize;
	if (box)
		set(box, Math.max(from, x - 340), scrollY + 5, Math.min(x - from, 340), 26);
}

function shift(g, y) {
	g.setAttribute('transform', 'translate(0,' + y + ')');
	g.classList.toggle('afloat', height > innerHeight);
}

// Sets the size of the page, which has room for a panel. The viewBox is of the same size, so it only matters in print.
function stretch() {
	var h = Math.max(height, table || help ? 400 : 0, menu ? menuEnd : 0), view = [0, 0, width + 2 * xpad, h].join(' ');
	if (svg.getAttribute('viewBox') != view)
		fillIn(svg, { height: h, viewBox: view });
}

// Puts everything where the window is.
function place() {
	var top = scrollY;
	lineUp();
	stretch();
	shift(head, top);
	shift(foot, Math.min(top + innerHeight - height, 0));
	if (table)
		table.classList.toggle('slim', width < 900);
	[table, help].forEach(function (e) {
		if (e)
			set(e, xpad, top + 36, width, Math.min(svg.getAttribute('height'), innerHeight) - 46);
	});
}

function set(e, x, y, w, h) {
	fillIn(e, { x: x, y: y, width: Math.max(w, 1), height: Math.max(h, 1) });
}

// ---- scrolling and the keyboard focus ----

// Tells of a frame. Where there is too little room, the kind of name goes, then the share of the zoom; then the name is
// shortened, and the other figures stay.
function say(i) {
	var lead = nametype + ' ', text = i < 0 ? idle : wordsOf(i, true), isBeside = term && details.parentNode == matched.parentNode;
	var room = width - (isBeside ? textWidth(matched.textContent) + fontsize : 0), at, part;
	told = i;
	if (i >= 0 && fits(lead + text, room)) {
		text = lead + text;
	} else if (i >= 0 && !fits(text, room)) {
		text = wordsOf(i, false);
	}
	if (!fits(text, room)) {
		at = i < 0 ? 0 : nameIn(text).length;
		part = at && shorten(text.slice(0, at), room - textWidth(text.slice(at)));
		text = part ? part + text.slice(at) : begin(text, room, '\u2026');
	}
	details.textContent = text;
}

// The height of a strip that covers frames.
function covered(g) {
	return height > innerHeight ? +g.firstChild.getAttribute('height') : 0;
}

// Scrolls as little as makes the frame visible. scrollIntoView() goes to the top of the drawing in some browsers.
function reveal(i) {
	var r = R[i].getBoundingClientRect(), top = covered(head), bottom = innerHeight - covered(foot);
	if (r.top < top)
		scrollBy(0, r.top - top);
	else if (r.bottom > bottom)
		scrollBy(0, r.bottom - bottom);
}

// Scrolls to where the frame and its callees fill the window, with some callers.
function bring(i) {
	var r = R[i].getBoundingClientRect(), top = covered(head), bottom = innerHeight - covered(foot);
	if (sandwich && !row[i])
		scrollBy(0, (r.top + r.bottom - top - bottom) / 2);
	else if (sandwich ? !side[i] : inverted != upside)
		scrollBy(0, r.top - 2 * step - top);
	else
		scrollBy(0, r.bottom + 2 * step - bottom);
}

// Makes the frame the one that Tab stops at.
function stopAt(i) {
	var was = frames.querySelector('[tabindex="0"]');
	if (was)
		was.setAttribute('tabindex', -1);
	fillIn(group(i), { tabindex: 0, role: 'button' });
}

function focus(i, quiet) {
	stopAt(i);
	focused = i;
	say(i);
	reveal(i);
	if (!quiet)
		group(i).focus({ preventScroll: true });
}

// ---- actions ----

function turn() {
	if (sandwich || timed)
		return;
	invert();
	bring(zoomed < 0 ? order[0] : zoomed);
	remember(false);
}

function copyText(text) {
	function no() { details.textContent = 'The clipboard cannot be written from here'; }
	try {
		navigator.clipboard.writeText(text).then(function () {
			details.textContent = 'Copied: ' + text;
		}, no);
	} catch (e) {
		no();
	}
}

function copyName() {
	var i = hovered >= 0 ? hovered : focused >= 0 ? focused : zoomed;
	if (i >= 0)
		copyText(name(i));
	else
		details.textContent = 'Choose a frame first';
}

// The names from the root to the frame; in the callers of a sandwich to its function.
function stackOf(i) {
	var list = order.filter(function (k) {
		return row[k] <= row[i] && (row[k] || sandwich) && (!row[k] || side[k] == side[i]) && L[k] == L[i] &&
			X[k] <= X[i] + tiny && end(k) >= end(i) - tiny;
	}).sort(function (a, b) { return row[a] - row[b]; }).map(name);
	return (sandwich ? side[i] : typeof reversed == 'boolean') ? list.reverse() : list;
}

// Shows another view of the frames; false if it is empty.
function view(next) {
	var was = lens, t, is = true;
	if (isFixed || JSON.stringify(next) == JSON.stringify(lens))
		return true;
	if (!base)
		keepFile();
	lens = next;
	if (isOther()) {
		t = filtered(base.tree);
		is = totals(lens.w === null ? t : halves(t, lens.w)[0])[0] > 0;
	}
	if (!is)
		lens = was;
	else
		refold();
	return is;
}

function see(next) {
	if (!view(next)) {
		details.textContent = 'Nothing would be left';
		return;
	}
	bring(order[0]);
	remember(true);
}

function escape() {
	if (menu)
		closeMenu();
	else if (help)
		toggleHelp();
	else if (table)
		toggleTable();
	else if (box)
		stop();
	else if (zoomed >= 0)
		zoom(-1);
	else if (isOther())
		see({ f: [], h: [], w: null });
}

// ---- help ----

function toggleHelp() {
	if (help) {
		help.remove();
		help = null;
		place();
		return;
	}
	if (table)
		toggleTable();
	help = panel('help', 'Keys', toggleHelp, fillHelp);
	place();
	help.firstChild.focus({ preventScroll: true });
}

function fillHelp(body) {
	var t = html(body, 'table', {});
	[
		['Click, Enter', 'zoom to the frame'], ['Arrows', 'go to another frame'], ['Esc', 'back'],
		['/  F3  Ctrl-F', 'search'], ['n  N', 'next match, previous match'], ['Ctrl-I', 'match case'],
		['t', 'table of functions'], ['i', 'icicle: turn the graph over'], ['c', 'copy the name of the frame'],
		['Right click, long press, m', 'menu of the frame'], ['?', 'these keys']
	].forEach(function (line) {
		var tr = html(t, 'tr', {});
		html(tr, 'th', { scope: 'row' }, line[0]);
		html(tr, 'td', {}, line[1]);
	});
}

// ---- the menu of a frame ----

function closeMenu() {
	if (menu)
		menu.remove();
	menu = null;
	place();
	if (group(menuFrame))
		group(menuFrame).focus({ preventScroll: true });
}

// A copy of the view, changed by what f does to it.
function change(f) {
	var next = { f: lens.f.slice(), h: lens.h.slice(), w: lens.w };
	f(next);
	see(next);
}

function addOnce(list, s) {
	if (!list.includes(s))
		list.push(s);
}

function choices(i) {
	var s = i >= 0 && name(i), list = [];
	if (i < 0 || menuFrame < 0)
		list.push(['Table of functions', toggleTable], ['Keys', toggleHelp]);
	if ((i < 0 || menuFrame < 0) && !isFixed && !timed)
		list.push(['Icicle', turn]);
	if (i >= 0 && !isFixed && (row[i] || sandwich)) {
		list.push(['Focus: only stacks with it', function () {
			change(function (next) {
				addOnce(next.f, s);
				next.h = next.h.filter(function (h) { return h != s; });
				next.w = null;
			});
		}], ['Hide it', function () {
			change(function (next) {
				addOnce(next.h, s);
				next.f = next.f.filter(function (f) { return f != s; });
				if (next.w == s)
					next.w = null;
			});
		}], ['Sandwich: callers and callees', function () {
			change(function (next) { next.w = s; });
		}]);
	}
	if (i >= 0) {
		list.push(['Copy name', function () { copyText(s); }], ['Copy stack', function () {
			copyText(stackOf(i).join(';'));
		}]);
	}
	if (isOther())
		list.push(['Show all', function () { see({ f: [], h: [], w: null }); }]);
	return list;
}

// Opens the menu of frame i at a place in the window; isGeneral: with what belongs to the whole drawing.
function openMenu(i, x, y, isOfFrame) {
	var o, list, w = Math.min(240, width);
	closeMenu();
	menuFrame = isOfFrame ? i : -1;
	list = choices(i);
	o = overlay('menu', i >= 0 ? name(i) : 'Menu', 'menu');
	menu = o.fo;
	list.forEach(function (c) {
		tool(o.div, c[0], c[0], function () {
			closeMenu();
			c[1]();
		}).setAttribute('role', 'menuitem');
	});
	x = Math.max(Math.min(x, width + xpad - w), 0);
	y = Math.max(Math.min(y, innerHeight - list.length * 32 - 10), 0) + scrollY;
	set(menu, x, y, w, list.length * 32 + 10);
	menuEnd = y + list.length * 32 + 10;
	place();
	if (isOfFrame) {
		stopAt(i);
		say(focused = i);
	}
	o.div.firstChild.focus({ preventScroll: true });
}

function moveInMenu(by) {
	var all = Array.from(menu.firstChild.children), at = all.indexOf(doc.activeElement);
	all[(at + by + all.length) % all.length].focus({ preventScroll: true });
}

function menuByKey() {
	var i = focused >= 0 ? focused : zoomed, r;
	if (i < 0) {
		openMenu(-1, xpad, low);
		return;
	}
	reveal(i);
	r = R[i].getBoundingClientRect();
	openMenu(i, r.left, r.bottom, true);
}

function onMenu(e) {
	var i = frameOf(e.target), r;
	if (i < 0)
		return;
	e.preventDefault();
	clearTimeout(press && press.timer);
	if (menu && long)
		return;
	r = R[i].getBoundingClientRect();
	if (e.button == 2 || e.clientX)
		openMenu(i, e.clientX, e.clientY, true);
	else
		openMenu(i, r.left, r.bottom, true);
}

// Half a second of a finger on a frame opens its menu; some browsers send no event for that.
function onPress(e) {
	var i = frameOf(e.target);
	long = false;
	if (e.pointerType != 'touch' || i < 0)
		return;
	press = { x: e.clientX, y: e.clientY, timer: setTimeout(function () {
		long = true;
		openMenu(i, press.x, press.y, true);
	}, 500) };
}

function onDrag(e) {
	if (press && Math.abs(e.clientX - press.x) + Math.abs(e.clientY - press.y) > 10)
		clearTimeout(press.timer);
}

function endPress() {
	clearTimeout(press && press.timer);
	press = null;
}

// Was this click the end of a long press?
function wasLong() {
	var was = long;
	long = false;
	return was;
}
