// page_state.js - zoom, search and views of a page, and the address that names them.
//
// The part of the address behind "#" has: z, the frame of the zoom, which zs=1 counts among the callers of a sandwich;
// s, the expression of a search, and c, whether case matters; f, h and w, the view (viewer_tree.js), by names; r, a
// range of time; i, if the graph is turned over; t, if the table is open; e, the event, of which the page is loaded anew.

// ---- address ----

function address() {
	var q = new URLSearchParams();
	if (event)
		q.set('e', event);
	lens.f.forEach(function (k) { q.append('f', names[k]); });
	lens.h.forEach(function (k) { q.append('h', names[k]); });
	if (lens.w !== initial.w)
		q.set('w', lens.w === null ? '' : names[lens.w]);
	if (range && range.join() != String(initial.r))
		q.set('r', range.join('-'));
	else if (!range && initial.r && !isOther())
		q.set('r', '');
	if (zoomed !== initial.z || zoomSide)
		q.set('z', zoomed);
	if (zoomSide)
		q.set('zs', 1);
	if (term != (data.search || ''))
		q.set('s', term);
	if (term && matchCase !== null)
		q.set('c', +matchCase);
	if (upside != data.icicle)
		q.set('i', +upside);
	if (isOpen('table'))
		q.set('t', 1);
	return q.toString();
}

var initial = { z: data.zoom || 0, w: null, r: null };

function remember(push) {
	var text = address();
	if ('#' + text == location.hash || (!text && !location.hash))
		return;
	// some addresses cannot be changed, in a data: URL for instance
	try {
		history[push ? 'pushState' : 'replaceState'](null, '', text ? '#' + text : location.pathname + location.search);
	} catch (e) { }
}

function takeNames(list) {
	return list.map(number).filter(function (k) { return k !== null; }).slice(0, 30);
}

// Shows another event: the same functions, search and time, without the zoom.
function seeEvent(k) {
	var q = new URLSearchParams(address());
	q.delete('z');
	q.delete('zs');
	q.delete('e');
	if (k)
		q.set('e', k);
	if (q.toString() == location.hash.slice(1))
		return;
	location.hash = q.toString();
}

function restore() {
	if (eventOf(location.hash) != event) {
		location.reload();
		return;
	}
	var q = new URLSearchParams(location.hash.slice(1)), r = /^(\d+)-(\d+)$/.exec(q.get('r') || ''), w = q.get('w');
	var next = { f: takeNames(q.getAll('f')), h: takeNames(q.getAll('h')), w: w === null ? initial.w : number(w) };
	var was = [lens, range], i;
	lens = next;
	range = !q.has('r') ? initial.r : slices && r && +r[1] < +r[2] ? [+r[1], +r[2]] : null;
	if (!build()) {
		lens = was[0];
		range = was[1];
		if (!sides.length) {
			lens = { f: [], h: [], w: null };
			range = null;
			build();
		}
	}
	upside = q.has('i') ? q.get('i') == '1' : data.icicle;
	zoomSide = sandwich && q.get('zs') == '1' ? 1 : 0;
	i = q.has('z') ? +q.get('z') : isOther() || range ? 0 : initial.z;
	zoomed = i >= 0 && i < sides[zoomSide].n && sides[zoomSide].w[i] > 0 ? i : 0;
	matchCase = q.has('c') ? q.get('c') == '1' : null;
	search(q.has('s') ? q.get('s') : data.search || '');
	showSearch(!!term);
	show('table', q.has('t'));
	refresh();
	reveal(zoomSide, zoomed, true);
	draw();
}

// ---- zoom and views ----

// Draws the present state anew.
function refresh() {
	hovered = focused = null;
	el('unzoom').classList.toggle('hide', !zoomed && !zoomSide && !isOther() && !range);
	el('unzoom').textContent = zoomed || zoomSide ? 'Reset zoom' : 'Show all';
	el('turn').classList.toggle('hide', sandwich || !!timed);
	keepKeys();
	el('turn').setAttribute('aria-pressed', upside);
	el('title').firstChild.data = headline();
	drawStrip();
	resize();
	countLight();
	measure();
	if (isOpen('table'))
		fillTable();
}

function headline() {
	if (sandwich)
		return 'Callers and callees of ' + names[lens.w];
	return data.title || (data.chart && !isOther() ? 'Flame Chart' : upside ? 'Icicle Graph' : 'Flame Graph');
}

// "zoom: main  30.00% of all"
function zoomText() {
	var g = sides[zoomSide];
	return 'zoom: ' + nameOf(g, zoomed) + '  ' + ofWhole(g.total[zoomed]);
}

function zoom(s, i) {
	zoomed = sides[s].w[i] > 0 ? i : 0;
	zoomSide = zoomed ? s : 0;
	refresh();
	focused = { s: s, i: i };
	reveal(s, i);
	draw();
	say(focused);
	remember(true);
}

// Shows another view; one without any stack is refused.
function see(next, nextRange) {
	var was = [lens, range];
	lens = next;
	range = nextRange;
	if (!build()) {
		lens = was[0];
		range = was[1];
		tell('Nothing would be left');
		return;
	}
	search(term);
	refresh();
	reveal(0, 0, true);
	draw();
	remember(true);
}

// A copy of the view, changed by what f does to it.
function change(f) {
	var next = { f: lens.f.slice(), h: lens.h.slice(), w: lens.w };
	f(next);
	see(next, range);
}

function addOnce(list, k) {
	if (!list.includes(k))
		list.push(k);
}

function without(list, k) { return list.filter(function (other) { return other != k; }); }

function focusOn(k) {
	change(function (next) {
		addOnce(next.f, k);
		next.h = without(next.h, k);
		next.w = null;
	});
}

function hideName(k) {
	change(function (next) {
		addOnce(next.h, k);
		next.f = without(next.f, k);
		if (next.w == k)
			next.w = null;
	});
}

function sandwichOf(k) { change(function (next) { next.w = k; }); }

function showAll() { see({ f: [], h: [], w: null }, null); }

function unzoom() {
	if (zoomed || zoomSide) {
		zoomed = zoomSide = 0;
		refresh();
		reveal(0, 0, true);
		draw();
		remember(true);
	} else {
		showAll();
	}
}

function turn() {
	if (sandwich || timed)
		return;
	upside = !upside;
	refresh();
	reveal(zoomSide, zoomed, true);
	draw();
	remember(false);
}

// ---- search ----

// The file has these matches: the expression may be in another dialect. Modules and files are not in it at all.
function isGiven(s) {
	return s && s === data.search && !isOther() && (matchCase === null || /^(module|file|package):/.test(s));
}

// false: not an expression
function search(s) {
	var input = el('term'), re;
	term = s;
	hits = null;
	try {
		re = s && new RegExp(s, ignoresCase(s) ? 'i' : '');
		input.removeAttribute('aria-invalid');
	} catch (e) {
		if (!isGiven(s)) {
			input.setAttribute('aria-invalid', true);
			el('matched').textContent = e.message;
			return false;
		}
	}
	if (isGiven(s))
		hits = given;
	else if (s)
		hits = names.map(function (text) { return re.test(text); });
	el('case').setAttribute('aria-pressed', !!s && !ignoresCase(s));
	if (input.value != s)
		input.value = s;
	return true;
}

// the visible part of a frame
function visible(g, s, i) {
	if (!timed)
		return g.w[i];
	return Math.max(0, Math.min(g.x[i] + g.w[i], spanFrom(s) + spanOf(s)) - Math.max(g.x[i], spanFrom(s)));
}

// The weights of a side that are in sight: of a chart with a time axis those within its visible time.
function inSight(s) {
	var g = sides[s], self, total, i;
	if (!isPartOfTime())
		return { self: g.self, total: g.total };
	self = g.self.map(function (v, i) { return g.w[i] > 0 ? v * visible(g, s, i) / g.w[i] : 0; });
	total = self.slice();
	for (i = g.n - 1; i > 0; i--)
		total[g.parent[i]] += total[i];
	return { self: self, total: total };
}

function isPartOfTime() { return timed && (zoomed > 0 || !!range); }

// What the shares of the search and of the table are of: a weight, and words for it. As on the screen that is the zoom,
// but for a sandwich.
function basis() {
	if (isPartOfTime())
		return { all: inSight(0).total[0], words: ' of the time shown' };
	return isZoomed() && !sandwich ? { all: sides[0].total[zoomed], words: ' of zoom' } : { all: sides.all, words: wholeWords() };
}

// the weight of a side inside matches; nested matches count once
function matchedIn(s) {
	var g = sides[s], zoom = s == zoomSide && !timed ? zoomed : 0, i = zoom, sum = 0, total = inSight(s).total;
	while (i < g.end[zoom]) {
		if (isHit(g, i) && (!timed || i)) {
			sum += total[i];
			i = g.end[i];
		} else {
			i++;
		}
	}
	return sum;
}

// The matches in sight, or all of the view.
function hitList(isAll) {
	var list = [];
	sides.forEach(function (g, s) {
		var zoom = s == zoomSide && !timed && !isAll ? zoomed : 0;
		for (var i = zoom; i < g.end[zoom]; i++)
			if (isHit(g, i) && (isAll ? g.w[i] : visible(g, s, i)) > 0 && (i || !s))
				list.push({ s: s, i: i });
	});
	return list;
}

// how many frames are only on the side without widths, of those for which f is true
function goneIn(f) {
	var n = 0;
	sides.forEach(function (g, s) {
		var zoom = s == zoomSide && !timed ? zoomed : 0;
		for (var i = zoom; i < g.end[zoom]; i++)
			n += !g.w[i] && g.base[i] > 0 && (i || !s) && f(g, i);
	});
	return n;
}

// "2 vanished frames have no width": src/model/words.c
function goneText(n) {
	return commas(n) + (data.diff.swapped ? ' new' : ' vanished') + (n == 1 ? ' frame has no width' : ' frames have no width');
}

// "no match inside the zoom, 3 outside, 1 of them around it"
function noMatch() {
	var all = hitList(true), around = 0, g = sides[zoomSide], gone, p;
	if (!all.length) {
		gone = goneIn(isHit);
		return 'no match' + (gone ? ': ' + goneText(gone) : '');
	}
	for (p = timed ? -1 : g.parent[zoomed]; p >= 0; p = g.parent[p])
		around += isHit(g, p);
	return 'no match inside the ' + (timed ? 'time shown' : 'zoom') + ', ' + commas(all.length) + ' outside' +
		(around ? ', ' + commas(around) + ' of them around it' : '');
}

// "1/2 · 25.0% of zoom"
function matchText(list) {
	var of = basis();
	function share(s) { return shareText(matchedIn(s), of.all); }
	return placeIn(list) + commas(list.length) + ' \u00b7 ' +
		(sandwich ? 'callers ' + share(1) + ', callees ' + share(0) : share(0)) + of.words;
}

function measure() {
	var list;
	if (term && !hits)
		return;
	list = term ? hitList() : [];
	el('matched').textContent = !term ? '' : list.length ? matchText(list) : noMatch();
}

function placeIn(list) {
	var at = list.findIndex(function (h) { return focused && h.s == focused.s && h.i == focused.i; });
	return at < 0 ? '' : commas(at + 1) + '/';
}

function nextHit(by) {
	var list = hitList(), at = list.findIndex(function (h) { return focused && h.s == focused.s && h.i == focused.i; });
	if (!list.length)
		return;
	at = at < 0 && by < 0 ? -1 : at + by;
	choose(list[(at + list.length) % list.length]);
	measure();
}

// Searches for the text of the box; all that is typed makes one entry of the history.
function take() {
	var was = term, s = el('term').value;
	if (s == term)
		return;
	search(s);
	draw();
	measure();
	if (isOpen('table'))
		fillTable();
	remember(!was);
}

function stop() {
	matchCase = null;
	search('');
	showSearch(false);
	keepKeys();
	draw();
	measure();
	if (isOpen('table'))
		fillTable();
	remember(true);
}

function toggleCase() {
	matchCase = ignoresCase(term);
	search(term);
	draw();
	measure();
	remember(false);
}
