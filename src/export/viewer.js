// viewer.js - the script of an interactive SVG: zoom, search, state in the address. It goes on in viewer_text.js,
// viewer_label.js, viewer_tree.js, viewer_change.js, viewer_views.js, viewer_table.js and viewer_page.js; viewer_keys.js
// ends it.
//
// Each drawing holds a copy, which works from file:// and loads nothing. Comment lines, and blanks around
// punctuation, are left out of the copy (so a regular expression must write \x20). Options come as variables from
// the script before: nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluiddrawing, truncate_text_right;
// truncate_text_left, if labels lose their beginning; graded, if colours stand for shares; diff, the facts of a comparison
// (change_json.h); whole, what is 100 % of all if that is not the width of the drawing, and wholewords, if that is not
// " of all"; searchterm, if the view had a search; reversed, if it was merged from the leaves; unitparens, the number of
// parentheses in the unit, if any; narrow, if narrow frames are left out; middle, in a sandwich: the y of the function
// that has its callers above and its callees below; and lanes, if the x axis is time: where it begins, in ns, the y of
// the ruler, that of the frames on the root of each lane, and whether it shows a part of the time.
//
// A drawing has tens of thousands of frames, so their data are read once into arrays: start and width in samples
// (integers: no rounding gaps between neighbours), y, row (0 is "all"). `order` has the frames from left to right,
// callers before callees, which turns "outermost matches", "self" and "next" into one pass each. A sandwich has two
// sides, 1 above the middle and 0 below it; each has rows of its own, which begin with the middle, row 0 of both, and
// is zoomed without the other. After any change, draw() computes all frames and writes only the differences. Text is
// never measured in the page: a monospaced label needs a division, any other the widths of its characters, each
// measured once on a canvas.
var init;
(function () {
'use strict';
var HTML = 'http://www.w3.org/1999/xhtml';
var doc = document, svg, frames, details, idle, matched, button, unzoom, head, foot;
var R, T, N, titles, fills, lastInk, inks = {};
var n, X, W, Y, L, row, side, order, dy, low, high, total, tiny, rootRow;
var shown, mark, lastX, lastW, lastLabel, step, height;
var width, charWidth, canvas, widths = {};
var zoomed = -1, focused = -1, hovered = -1, upside = false;
var term = '', matchCase = null, found = [], figure, box, input, count, caseButton, table, sortBy = 'self';
var timer, told = -1, timed = typeof lanes == 'object';
var sandwich = typeof middle == 'number', isFixed = sandwich, middleRow = sandwich && middle;
var base = null, lens = { f: [], h: [], w: null };
// what is 100 % of all; in a comparison also that of the baseline, and for each frame the baseline's total and self, and self
var everything, everythingBefore, comparison = typeof diff == 'object' ? diff : null, most = 1, B, BS, S;

// Frames that are not shown cost nothing: the browser places them once, after the script has set their places and labels,
// and not again and again while it reads the file.
doc.documentElement.classList.add('loading');

function el(id) { return doc.getElementById(id); }
function name(i) {
	return N[i] === undefined ? N[i] = R[i].getAttribute('fg:name') || nameIn(title(i)) : N[i];
}
// drops the figures after the name, " (5 samples, 2.50%)": among them only the unit can contain parentheses; a
// second line has the hottest lines of the function
function nameIn(s) {
	s = s.split('\n', 1)[0];
	var parens = typeof unitparens == 'number' ? unitparens : 0, at = s.length;
	for (; parens >= 0 && at > 0; parens--)
		at = s.lastIndexOf('(', at - 1);
	return at > 0 ? s.slice(0, at - 1) : s;
}
// No frame has an object of its own but its rectangle: at loading, each costs time.
function group(i) { return R[i] && R[i].parentNode; }
function tooltip(i) { return group(i).firstElementChild; }
function title(i) { return titles[i] || (titles[i] = tooltip(i).textContent); }
function wholes() { return [everything, everythingBefore]; }
function weightText(v) {
	var d = comparison.decimals;
	return weightWords(Math.round(v * Math.pow(10, d)), comparison.factor, d, comparison.scale);
}
function label(i) { return T[i] || (T[i] = R[i].nextElementSibling); }
// a frame that came too narrow for a label gets one when it needs it
function ownLabel(i) {
	return label(i) || (T[i] = make(group(i), 'text', { y: (+R[i].getAttribute('y') + dy).toFixed(2) }));
}
function end(i) { return X[i] + W[i]; }
// with lanes a frame can reach beyond the zoom: what is visible of it
function from(i) { return timed && zoomed >= 0 ? Math.max(X[i], X[zoomed]) : X[i]; }
function visible(i) { return timed && zoomed >= 0 ? Math.min(end(i), end(zoomed)) - from(i) : W[i]; }

// ---- reading the drawing ----

// Calls f(i) for the frames of a class.
function eachOf(kind, f) {
	var list = Array.from(frames.getElementsByClassName(kind)), at = list.length && new Map(R.map(function (r, i) { return [r.parentNode, i]; }));
	list.forEach(function (e) {
		if (at.has(e))
			f(at.get(e));
	});
}

function readClasses() {
	// 2: a caller of the frame that the drawing was made zoomed to
	eachOf('parent', function (i) { shown[i] = 2; });
	if (!base)
		eachOf('hit', function (i) { found.push(i); });
}

function weights(attribute) {
	return Float64Array.from(R, function (r) { return +r.getAttribute(attribute); });
}

function read() {
	var i, labelled, lane = 0;
	T = [];
	N = [];
	titles = [];
	fills = [];
	lastInk = [];
	R = Array.from(frames.getElementsByTagName('rect'));
	n = R.length;
	low = Infinity;
	high = -Infinity;
	X = new Float64Array(n);
	W = new Float64Array(n);
	Y = new Float64Array(n);
	L = new Int32Array(n);
	row = new Int32Array(n);
	side = new Uint8Array(n);
	shown = new Uint8Array(n);
	mark = new Uint8Array(n);
	lastX = new Float64Array(n).fill(-1);
	lastW = new Float64Array(n).fill(-1);
	lastLabel = [];
	for (i = 0; i < n; i++) {
		X[i] = R[i].getAttribute('fg:x');
		W[i] = R[i].getAttribute('fg:w');
		Y[i] = R[i].getAttribute('y');
		low = Math.min(low, Y[i]);
		high = Math.max(high, Y[i]);
	}
	readClasses();
	total = +frames.getAttribute('total_samples');
	// narrow frames have no label; most frames are narrow, and skipping them saves a third of the time
	labelled = base ? 0 : 2.9 * fontsize * fontwidth / svg.getAttribute('width') * total;
	for (i = 0; i < n; i++)
		lastLabel[i] = W[i] >= labelled && label(i) ? label(i).textContent : '';
	// counts may be fractions, or too large to be exact
	tiny = total * 1e-12;
	if (!base) {
		everything = typeof whole == 'number' ? whole : total;
		everythingBefore = comparison && comparison.allBase;
		most = comparison && comparison.most || 1;
	}
	if (comparison) {
		B = weights('fg:b');
		BS = weights('fg:bs');
		S = weights('fg:s');
	}
	step = +R[0].getAttribute('height') + 1;
	dy = 3 + (step - 1) / 2;
	rootRow = 0;
	for (i = 0; i < n; i++) {
		row[i] = Math.round((sandwich ? Y[i] - middleRow : inverted ? Y[i] - low : high - Y[i]) / step);
		side[i] = sandwich && row[i] < 0;
		row[i] = Math.abs(row[i]);
		// frames are drawn lane by lane; the root of a lane is row 1
		while (timed && (inverted ? lanes.roots[lane + 1] <= Y[i] : lanes.roots[lane + 1] >= Y[i]))
			lane++;
		L[i] = lane;
		if (timed)
			row[i] = Math.round(Math.abs(Y[i] - lanes.roots[lane]) / step) + 1;
		if (shown[i])
			rootRow = Math.max(rootRow, row[i] + 1);
	}
	order = Array.from(X.keys()).sort(function (a, b) {
		return side[a] - side[b] || L[a] - L[b] || X[a] - X[b] || row[a] - row[b];
	});
}

// ---- drawing ----

function percent(v) { return v.toFixed(4) + '%'; }

// is the frame on the side of a sandwich that is not zoomed?
function apart(i) { return row[i] > 0 && side[i] != side[zoomed]; }

// the weight across the full width of a side
function spanOf(which) { return zoomed >= 0 && side[zoomed] == which ? W[zoomed] : total; }

// the visible time in which threads are busy
function busy() {
	var sum = 0, i;
	for (i = 0; i < n; i++)
		if (row[i] == 1 && !shown[i])
			sum += visible(i);
	return sum;
}

function isZoomed() { return !timed && (zoomed >= 0 || rootRow > 0); }

// What shares are of, unless something else is named: as on the screen " of shown" where something is left out.
function wholeWords() {
	return base && everything < base.everything * (1 - 1e-12) ? ' of shown' : typeof wholewords == 'string' ? wholewords : ' of all';
}

// What the shares of the search and of the table are of: what the graph shows at full width, but for a sandwich.
function basis() {
	if (timed)
		return { all: busy(), words: zoomed >= 0 || lanes.part ? ' of the time shown' : wholeWords() };
	return isZoomed() && !sandwich ? { all: spanOf(0), words: ' of zoom' } : { all: everything, words: wholeWords() };
}

// The figures of a frame with the words of what they are of: "main (90 samples, 25.64% of all, 50.00% of zoom)".
function wordsOf(i, hasZoom) {
	var s = title(i), at = name(i).length, zoom = '';
	if (s.slice(0, at + 2) != name(i) + ' (')
		return s;
	if (hasZoom && isZoomed() && !shown[i] && (!sandwich || !apart(i)))
		zoom = ', ' + percentText(100 * W[i] / spanOf(side[i]), 2) + ' of zoom';
	return s.slice(0, at) + s.slice(at).replace(/(,\x20|after\x20)([\d.]+%)(?=[;),])/g, function (all) {
		all += wholeWords() + zoom;
		zoom = '';
		return all;
	});
}

// 0 drawn, 1 hidden, 2 a caller of the zoomed frame: full width, faded
function state(i) {
	if (row[i] < rootRow)
		return 2;
	if (zoomed < 0 || apart(i))
		return 0;
	var s = X[zoomed], e = end(zoomed);
	if (timed)
		return X[i] < e && end(i) > s ? 0 : 1;
	if (row[i] < row[zoomed])
		return X[i] <= s + tiny && end(i) >= e - tiny ? 2 : 1;
	return X[i] >= s - tiny && end(i) <= e + tiny ? 0 : 1;
}

function draw() {
	var i, s, span, st, x, w, px, text, minimum = 2 * (charWidth || fontsize * fontwidth);
	for (i = 0; i < n; i++) {
		st = state(i);
		if (st != shown[i]) {
			group(i).classList.toggle('hide', st == 1);
			group(i).classList.toggle('parent', st == 2);
			shown[i] = st;
		}
		if (st == 1)
			continue;
		s = zoomed < 0 || apart(i) ? 0 : X[zoomed];
		span = spanOf(side[i]);
		x = st ? 0 : 100 * (from(i) - s) / span;
		w = st ? 100 : 100 * visible(i) / span;
		if (x != lastX[i] || w != lastW[i]) {
			if (lastX[i] >= 0 || zoomed >= 0) {
				R[i].setAttribute('x', percent(x));
				R[i].setAttribute('width', percent(w));
			}
			lastX[i] = x;
			lastW[i] = w;
		}
		px = w * width / 100 - 3;
		text = px < minimum ? '' : fit(name(i), px);
		if (text) {
			ownLabel(i).setAttribute('x', percent(x + 300 / width));
			ink(i);
		}
		if (text != lastLabel[i])
			label(i).textContent = lastLabel[i] = text;
	}
	unzoom.classList.toggle('hide', zoomed < 0 && !isOther());
	unzoom.textContent = zoomed >= 0 ? 'Reset Zoom' : 'Show All';
	if (timed)
		rule(lanes.from + (zoomed < 0 ? 0 : X[zoomed]), spanOf(0));
}

// Chooses black or white for the label of a frame.
function ink(i) {
	var fill = R[i].getAttribute('fill'), style = inks[fill];
	if (style === undefined)
		style = inks[fill] = isDark(fill, 1) ? 'pale' : isDark(fill, 0.87) ? 'dim' : '';
	if (style != (lastInk[i] || ''))
		label(i).setAttribute('class', lastInk[i] = style);
}

// marks at round times, as far apart as in the drawing
function rule(start, span) {
	var ruler = el('ruler'), least = span / Math.max(width / 100, 1), end = start + span, step = 1, places = 0, at, mark, u;
	var unit = end <= 1e6 ? [1e3, ' us'] : end <= 1e9 ? [1e6, ' ms'] : [1e9, ' s'];
	ruler.textContent = '';
	while (step * 10 < least)
		step *= 10;
	step *= least <= step ? 1 : least <= 2 * step ? 2 : least <= 5 * step ? 5 : 10;
	for (u = unit[0]; u > 1 && step % u; u /= 10)
		places++;
	for (at = Math.ceil(start / step) * step; at < end; at += step) {
		mark = make(ruler, 'text', { x: percent(100 * (at - start) / span), y: lanes.ruler });
		mark.textContent = '|' + (at / unit[0]).toFixed(places) + unit[1];
	}
}

function resize() {
	takeWidth();
	place();
	draw();
}

function takeWidth() {
	if (fluiddrawing) {
		var w = svg.getBoundingClientRect().width || 1200;
		width = Math.max(w - 2 * xpad, 1);
		frames.setAttribute('width', width);
		if (timed)
			el('ruler').setAttribute('width', width);
		button.setAttribute('x', w - xpad);
		matched.setAttribute('x', w - xpad);
	} else {
		width = +frames.getAttribute('width');
	}
}

function invert() {
	if (sandwich || timed)
		return;
	upside = !upside;
	for (var i = 0; i < n; i++) {
		var y = upside ? low + high - Y[i] : Y[i];
		R[i].setAttribute('y', y);
		if (label(i))
			label(i).setAttribute('y', (y + dy).toFixed(2));
	}
}

// ---- zoom and address ----

function zoom(i, quiet) {
	// "all", or the frame that the drawing was made zoomed to, shows everything
	zoomed = i >= 0 && row[i] > rootRow && W[i] > 0 ? i : -1;
	draw();
	measure();
	if (!quiet)
		remember(true);
}

function remember(push) {
	var q = new URLSearchParams(location.search), text;
	['s', 'x', 'y', 'c', 'i', 'f', 'h', 'w'].forEach(function (k) { q.delete(k); });
	lens.f.forEach(function (s) { q.append('f', s); });
	lens.h.forEach(function (s) { q.append('h', s); });
	if (lens.w !== null)
		q.set('w', lens.w);
	if (zoomed >= 0) {
		q.set('x', X[zoomed]);
		q.set('y', Y[zoomed]);
	}
	// a search that was ended stays so, too
	if (term != givenTerm())
		q.set('s', term);
	if (term && matchCase !== null)
		q.set('c', +matchCase);
	if (upside)
		q.set('i', 1);
	text = q.toString();
	text = text ? '?' + text : '';
	if (text == location.search)
		return;
	// some addresses cannot be changed, in a data: URL for instance
	try {
		history[push ? 'pushState' : 'replaceState'](null, '', location.pathname + text + location.hash);
	} catch (e) { }
}

function showFrames() { doc.documentElement.classList.remove('loading'); }

// Is the browser there for one picture (chromium --headless --screenshot)? It takes that of the top, and of nothing if the
// page has scrolled away from there. Those that a program drives look where the page is.
function isPhotographed() { return /HeadlessChrome/.test(navigator.userAgent) && !navigator.webdriver; }

function restore(first) {
	var q = new URLSearchParams(location.search), x = q.get('x'), y = q.get('y'), i = -1;
	var s = q.has('s') ? q.get('s') : givenTerm();
	view({ f: q.getAll('f').slice(0, 30), h: q.getAll('h'), w: q.get('w') });
	if (x !== null && y !== null)
		for (i = n - 1; i >= 0 && (X[i] != +x || Y[i] != +y); i--) ;
	if (!!q.get('i') != upside)
		invert();
	zoom(i, true);
	showFrames();
	if (first ? !isPhotographed() && (i >= 0 || !scrollY) : i >= 0)
		bring(i < 0 ? order[0] : i);
	matchCase = q.has('c') ? q.get('c') == '1' : null;
	if (s) {
		openBox(s);
		search(s);
	} else if (term) {
		clear();
	}
}

// ---- search ----

// the search that the drawing was made with
function givenTerm() {
	return typeof searchterm == 'string' ? searchterm : '';
}

// The drawing has these matches: the expression may be in another dialect. Modules and files are not in it at all.
function isGiven(s) {
	return s && s === givenTerm() && !isOther() && (matchCase === null || /^(module|file|package):/.test(s));
}

function paint(list) {
	var i, was = mark;
	mark = new Uint8Array(n);
	list.forEach(function (k) { mark[k] = 1; });
	for (i = 0; i < n; i++) {
		if (mark[i] == was[i])
			continue;
		if (mark[i])
			fills[i] = R[i].getAttribute('fill');
		R[i].setAttribute('fill', mark[i] ? searchcolor : fills[i]);
		group(i).classList.remove('hit');
		if (lastLabel[i])
			ink(i);
	}
}

function search(s) {
	var known = new Map(), re, given = isGiven(s), list = given ? found : [];
	term = s;
	try {
		re = s && !given && new RegExp(s, ignoresCase(s) ? 'i' : '');
		input.removeAttribute('aria-invalid');
	} catch (e) {
		input.setAttribute('aria-invalid', true);
		matched.textContent = e.message;
		return;
	}
	for (var k = 0; re && k < n; k++) {
		var i = order[k], text = name(i), is = known.get(text);
		if (is === undefined)
			known.set(text, is = re.test(text));
		if (is)
			list.push(i);
	}
	paint(list);
	measure();
	caseButton.setAttribute('aria-pressed', !ignoresCase(s));
}

// the weight of a side inside matches; nested matches count once
function matchedIn(which) {
	var sum = 0, last = -1, lane = 0, k, i;
	for (k = 0; k < n; k++) {
		i = order[k];
		if (!mark[i] || (row[i] && side[i] != which) || (L[i] == lane && X[i] < last - tiny))
			continue;
		// the middle is faded for a zoom on either side
		if (shown[i] && (row[i] || !sandwich || side[zoomed] == which))
			continue;
		sum += visible(i);
		last = end(i);
		lane = L[i];
	}
	return sum;
}

// "No match inside the zoom, 3 outside, 1 of them around it"; null: there are matches inside, or none at all
function outside() {
	var all = 0, around = 0, i;
	for (i = 0; i < n; i++) {
		if (mark[i] && (!shown[i] || !isZoomed() && !timed))
			return null;
		all += mark[i];
		around += mark[i] && shown[i] == 2;
	}
	return all && 'No match inside the ' + (timed ? 'time shown' : 'zoom') + ', ' + commas(all) + ' outside' +
		(around ? ', ' + commas(around) + ' of them around it' : '');
}

// "Matched: callers 10.0%, callees 25.0% of all"
function matchText() {
	var of = basis(), sums = sandwich ? [matchedIn(1), matchedIn(0)] : [matchedIn(0)], parts;
	if (!Math.max.apply(null, sums) && outside())
		return outside();
	parts = sums.map(function (w) { return shareText(w, of.all); });
	return 'Matched: ' + (sandwich ? 'callers ' + parts[0] + ', callees ' + parts[1] : parts[0]) + of.words;
}

function measure() {
	if (!term) {
		matched.textContent = ' ';
		return;
	}
	// widths are rounded; the figure that the drawing came with is not
	matched.textContent = isGiven(term) && zoomed < 0 && !timed ? figure : matchText();
	say(told);
	showCount();
}

function visibleHits() {
	return order.filter(function (i) { return mark[i] && !shown[i]; });
}

function showCount() {
	var list = visibleHits(), at = list.indexOf(focused);
	button.textContent = 'Reset Search';
	button.classList.add('show');
	count.textContent = (at < 0 ? '' : commas(at + 1) + '/') + commas(list.length);
	place();
}

function nextHit(step) {
	var list = visibleHits(), at = list.indexOf(focused);
	if (!list.length)
		return;
	at = at < 0 && step < 0 ? -1 : at + step;
	// during typing, the box keeps the keyboard focus
	focus(list[(at + list.length) % list.length], doc.activeElement == input);
	showCount();
}

function clear() {
	term = '';
	matchCase = null;
	paint([]);
	measure();
	button.textContent = 'Search';
	button.classList.remove('show');
	if (box)
		box.remove();
	box = null;
	place();
}

function stop() {
	clear();
	remember(true);
	if (focused >= 0)
		group(focused).focus({ preventScroll: true });
}

// searches for the text of the box; all that is typed makes one entry of the history
function take() {
	var was = term;
	clearTimeout(timer);
	if (!box || input.value == term)
		return;
	search(input.value);
	remember(!was);
}

function openBox(s) {
	if (!box) {
		var o = overlay('box', 'Search', 'search');
		box = o.fo;
		input = html(o.div, 'input', {
			placeholder: 'regular expression', 'aria-label': 'Search functions', spellcheck: false
		});
		count = html(o.div, 'span', { 'aria-live': 'polite' });
		caseButton = tool(o.div, 'Aa', 'Match case (Ctrl-I)', toggleCase);
		tool(o.div, '\u2039', 'Previous match (Shift-Enter)', function () { nextHit(-1); });
		tool(o.div, '\u203a', 'Next match (Enter)', function () { nextHit(1); });
		tool(o.div, '\u00d7', 'Clear (Esc)', stop);
		input.addEventListener('input', function () {
			clearTimeout(timer);
			timer = setTimeout(take, 40);
		});
		place();
	}
	input.value = s;
}

function ask() {
	openBox(term);
	input.focus();
	input.select();
}

function toggleCase() {
	matchCase = ignoresCase(term);
	search(term);
	remember(false);
}
