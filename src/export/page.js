// page.js - the program of a page: the data become trees, trees become frames with places. It goes on in viewer_text.js,
// viewer_label.js, viewer_tree.js and viewer_change.js, which the SVG has, too, and in page_draw.js, page_state.js,
// page_table.js and page_strip.js; page_ui.js ends it.
//
// The file has one tree, `file`; the view, `lens`, makes one tree or two halves of it. arrange() turns a tree into a
// side: columns in preorder, callers before callees, with the place and the end of each frame, so that drawing and sums
// pass over a hidden subtree in one step. A sandwich has two sides, callees first; any other view has one. In a chart
// with a time axis x and w are times, else weights. Names are numbers, of equal texts the first; -1 is none: the root,
// or the gap that a frame of a chart leaves for its own time. A name is only ever the text of an element or of a canvas.
(function () {
'use strict';
var doc = document, events = Array.from(doc.querySelectorAll('script[data-event]')), event = eventOf(location.hash);
var data = JSON.parse(events[event].textContent), names = data.names;
var file, fills, first, sides = [], lens = { f: [], h: [], w: null }, range = null, timed, sandwich = false;
var zoomed = 0, zoomSide = 0, upside = data.icicle, most = 1;
var term = '', matchCase = null, hits = null, given = new Set(data.hits || []);
var unit = data.countname || data.unit, factor = data.factor || 1;
var nametype = data.nametype || data.rows.charAt(0).toUpperCase() + data.rows.slice(1) + ':';
// for viewer_label.js, viewer_tree.js and viewer_change.js
var widths = {}, canvas, charWidth, truncate_text_right = data.keep == 'beginning', truncate_text_left, reversed, comparison = data.diff;

// what is 100 % on either side of a comparison
function wholes() { return [sides.all, sides.base]; }

// which of the events an address names
function eventOf(hash) {
	var k = +new URLSearchParams(hash.slice(1)).get('e');
	return events[k] ? k : 0;
}

function el(id) { return doc.getElementById(id); }

// ---- reading ----

function read() {
	var f = data.frames, n = f.depth.length, parent = new Int32Array(n), path = [], known = new Map(), t = 0, i;
	first = names.map(function (s, k) {
		if (!known.has(s))
			known.set(s, k);
		return known.get(s);
	});
	for (i = 0; i < n; i++) {
		path[f.depth[i]] = i;
		parent[i] = i ? path[f.depth[i] - 1] : -1;
	}
	file = {
		name: Int32Array.from(f.name, function (k) { return k < 0 ? k : first[k]; }), parent: parent,
		self: Float64Array.from(f.self), base: Float64Array.from(f.base || new Float64Array(n))
	};
	if (f.time) {
		file.from = Float64Array.from(f.time, function (d) { return (t += d) - data.whole[0]; });
		file.lasts = Float64Array.from(f.lasts);
	}
	file.all = file.self.reduce(function (a, b) { return a + b; }, 0);
	fills = names.map(function (s, k) { return '#' + data.colors.slice(6 * k, 6 * k + 6); });
	if (data.reversed)
		reversed = true;
	if (data.keep == 'end')
		truncate_text_left = true;
}

function number(s) {
	var k = names.indexOf(s);
	return k < 0 ? null : first[k];
}

function nameOf(g, i) { return g.name[i] < 0 ? 'all' : names[g.name[i]]; }

// ---- places ----

// the frames of a tree, callers before callees, siblings in the order in which the tree has them
function preorder(t) {
	var n = t.name.length, child = new Int32Array(n).fill(-1), next = new Int32Array(n).fill(-1), order = new Int32Array(n);
	var i, k, p;
	for (i = n - 1; i > 0; i--) {
		p = t.parent[i];
		next[i] = child[p];
		child[p] = i;
	}
	for (i = k = 0; k < n; k++) {
		order[k] = i;
		if (child[i] >= 0) {
			i = child[i];
			continue;
		}
		while (i > 0 && next[i] < 0)
			i = t.parent[i];
		i = next[i];
	}
	return order;
}

function column(from, order) {
	return from.constructor.from(order, function (i) { return from[i]; });
}

// Places the frames of a tree; of_time: by time, for the tree of the file.
function arrange(t, of_time) {
	var order = preorder(t), n = order.length, at = new Int32Array(n), i, p, x;
	var g = {
		n: n, name: Int32Array.from(order, function (k, j) { return j || t.name[0] >= 0 ? t.name[k] : -1; }),
		source: order, parent: new Int32Array(n), depth: new Int32Array(n), end: new Int32Array(n), x: new Float64Array(n),
		self: Float64Array.from(column(t.self, order)), baseSelf: Float64Array.from(column(t.base, order)), deepest: 0
	};
	for (i = 0; i < n; i++)
		at[order[i]] = i;
	for (i = 0, x = 0; i < n; i++) {
		p = g.parent[i] = i ? at[t.parent[order[i]]] : -1;
		g.depth[i] = i ? g.depth[p] + 1 : 0;
		g.x[i] = x;
		x += g.self[i];
	}
	g.total = g.self.slice();
	g.base = g.baseSelf.slice();
	for (i = n - 1; i >= 0; i--) {
		g.end[i] = Math.max(g.end[i], i + 1);
		p = g.parent[i];
		if (i === 0)
			break;
		g.total[p] += g.total[i];
		g.base[p] += g.base[i];
		g.end[p] = Math.max(g.end[p], g.end[i]);
	}
	g.w = g.total;
	g.row = g.depth;
	if (of_time)
		placeInTime(g);
	for (i = 0; i < n; i++)
		if (g.w[i] > 0)
			g.deepest = Math.max(g.deepest, g.row[i]);
	return g;
}

// Lanes are on top of each other, each behind a row for its title; row 0 is the ruler.
function placeInTime(g) {
	var top = 1, deep = 0, lane = -1, i;
	g.x = file.from;
	g.w = file.lasts;
	g.w[0] = data.whole[1] - data.whole[0];
	g.x[0] = 0;
	g.row = new Int32Array(g.n);
	g.lanes = [];
	for (i = 1; i < g.n; i++) {
		while (lane + 1 < data.lanes.length && data.lanes[lane + 1].first <= i) {
			top += lane < 0 ? 0 : deep + 1;
			deep = 0;
			lane++;
			g.lanes.push({ name: data.lanes[lane].name, row: top });
		}
		deep = Math.max(deep, g.depth[i]);
		g.row[i] = top + g.depth[i];
	}
}

// The greatest change of any frame: the scale of colours.
function scaleChanges() {
	most = 0;
	sides.forEach(function (g) {
		for (var i = 0; i < g.n; i++)
			most = Math.max(most, Math.abs(changeOf(g, i).delta));
	});
	most = most || 1;
}

// The tree of the file, or of its range of time.
function source() {
	var self, k, s = data.samples;
	if (!range || !s)
		return file;
	self = new Float64Array(file.self.length);
	for (k = 0; k < s.at.length; k++)
		if (s.at[k] >= range[0] && s.at[k] < range[1])
			self[s.frame[k]] += s.weight[k];
	return { name: file.name, parent: file.parent, self: self, base: file.base };
}

// Makes the sides of the view. false: nothing would be left, and the old ones stay.
function build() {
	var from = source(), t = isOther() ? filtered(from) : from, list = lens.w === null ? [t] : halves(t, lens.w);
	var isTimed = !!data.lanes && !isOther(), made;
	// without samples, only the axis of time has ranges
	if (data.lanes && !isTimed)
		range = null;
	made = list.map(function (t) { return arrange(t, isTimed); });
	if (!(made[0].total[0] > 0))
		return false;
	timed = isTimed;
	sandwich = lens.w !== null;
	sides = made;
	sides.all = sandwich ? totals(t)[0] : made[0].total[0];
	sides.base = sandwich ? totals(t, t.base)[0] : made[0].base[0];
	zoomed = zoomSide = 0;
	if (data.diff)
		scaleChanges();
	return true;
}

// ---- changes ----

// What a frame's colour shows: the change of its own weight; among callers, and of what they call, that of its total.
function changeOf(g, i) {
	var whole = sandwich ? !i || g == sides[1] : data.reversed && i > 0;
	return whole ? compare(g.total[i], g.base[i]) : compare(g.self[i], g.baseSelf[i]);
}

// ---- figures ----

function weightText(v) {
	return weightWords(v, factor, data.decimals, data.scale);
}

function counted(v) { return weightText(v) + (data.scale === undefined ? ' ' + unit : ''); }

function percent(v, all) { return percentText(all > 0 ? 100 * v / all : 0, 2); }

// What shares are of, unless something else is named: as on the screen " of shown" where something is left out.
function wholeWords() { return sides.all < file.all * (1 - 1e-12) ? ' of shown' : ' ' + data.whole_is; }

function ofWhole(v) { return percent(v, sides.all) + wholeWords(); }

// Is the view zoomed to a frame? A zoom of a chart with a time axis is a range of time.
function isZoomed() { return !timed && (zoomed > 0 || zoomSide > 0); }

function ofZoom(g, i) {
	var isIn = isZoomed() && g == sides[zoomSide] && i >= zoomed && i < g.end[zoomed];
	return isIn ? ', ' + percent(g.total[i], g.total[zoomed]) + ' of zoom' : '';
}

// "main (90 samples, 25.64% of all, 50.00% of zoom; self 10, 2.85% of all)"
function figures(g, i) {
	var text = counted(g.total[i]) + ', ' + ofWhole(g.total[i]) + ofZoom(g, i), hasSelf = hasOwn(g), own, c;
	function sum(value) { return ofFunction(g, i, value); }
	if (hasSelf) {
		own = sum(function (k) { return ownOf(g, k); });
		text += '; self ' + weightText(own) + ', ' + ofWhole(own);
	}
	if (data.diff && (i || sandwich)) {
		c = compare(g.total[i], g.base[i]);
		text += '; before ' + sideText(c.before) + ', after ' + sideText(c.after) + (data.diff.of == 'shares' ? wholeWords() : '') +
			', ' + gain(c, ' points');
		c = compare(sum(function (k) { return g.self[k]; }), sum(function (k) { return g.baseSelf[k]; }));
		text += hasSelf ? '; self ' + gain(c, ' points') : '';
	}
	if (timed && i)
		text += '; ' + time(g.w[i], 9) + ' from ' + time(g.x[i] + data.whole[0], 9) + ' on';
	return nameOf(g, i) + ' (' + text + ')';
}

// a sum over the frames that a frame stands for: in the middle of a sandwich all of the function
function ofFunction(g, i, value) {
	var sum = 0, k;
	if (!sandwich || i)
		return value(i);
	for (k = 0; k < g.name.length; k++)
		if (g.name[k] == g.name[0])
			sum += value(k);
	return sum;
}

// Do stacks end in the frames of this side? Callers have no weight of their own.
function hasOwn(g) { return g != sides[1] && (sandwich || !data.reversed); }

// the weight of a frame without others on it, with its gaps
function ownOf(g, i) {
	var sum = g.self[i], k;
	for (k = i + 1; k < g.end[i]; k = g.end[k])
		if (g.name[k] < 0)
			sum += g.total[k];
	return sum;
}
