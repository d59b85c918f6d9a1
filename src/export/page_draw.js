// page_draw.js - frames on a canvas: only those in sight, and of those narrower than a pixel one for each pixel.
//
// The canvas has the size of the window, not of the graph; it stays in place while the element around it scrolls. All
// places are in CSS pixels. `drawn` lists what was drawn, for the pointer.
// fingers need higher rows
var board, scroller, tall, step = data.row || (matchMedia('(pointer: coarse)').matches ? 22 : 17);
var font = data.fontsize || 12, family = data.font || 'monospace';
var width = 0, height = 0, offset = 0, full = 0, drawn = [], labels = new Map(), inks = {}, isPrint = false;
var hovered = null, focused = null, dark = matchMedia('(prefers-color-scheme: dark)');

function isDarkPage() { return dark.matches && !isPrint; }

// ---- colours ----

function isHit(g, i) {
	if (!hits || g.name[i] < 0)
		return false;
	return hits === given ? given.has(g.source[i]) : !!hits[g.name[i]];
}

function colorOf(g, i) {
	if (isHit(g, i))
		return data.searchcolor || '#e600e6';
	if (data.diff)
		return changeColor(changeOf(g, i));
	if (data.shares)
		return ramp(data.shares, g.total[i] / sides[0].total[0]);
	return g.name[i] < 0 ? '#bfbfbf' : fills[g.name[i]];
}

// black or white on this colour, of which this much covers the page
function inkOn(color, cover) {
	var key = color + cover + isDarkPage();
	if (!inks[key])
		inks[key] = isDark(rgb(color), cover) ? '#fff' : '#000';
	return inks[key];
}

// ---- geometry ----

function spanFrom(s) {
	if (timed && range && !zoomed)
		return range[0] * sliceLength;
	return s == zoomSide ? sides[s].x[zoomed] : sides[s].x[0];
}

function spanOf(s) {
	if (timed && range && !zoomed)
		return (range[1] - range[0]) * sliceLength;
	return s == zoomSide ? sides[s].w[zoomed] : sides[s].w[0];
}

function rowsOf() { return sides[0].deepest + 1 + (sandwich ? sides[1].deepest : 0); }

// the top of a row in the whole graph; a sandwich has its callers above
function topOf(s, row) {
	if (sandwich)
		return (sides[1].deepest + (s ? -row : row)) * step;
	return (upside ? row : sides[0].deepest - row) * step;
}

function measureFont() {
	board.font = font + 'px ' + family;
	canvas = board;
	widths = {};
	labels.clear();
	charWidth = Math.abs(charsWidth('!') - charsWidth('W')) < 0.01 ? charsWidth('W') : 0;
}

// Fits the canvas into the window; print: into all of the graph.
function fitBoard(print) {
	var c = el('frames'), ratio = print ? 2 : devicePixelRatio || 1;
	height = print ? rowsOf() * step : scroller.clientHeight;
	// a sheet of paper is 1.6 times as wide as high
	width = print ? Math.max(1400, height * 1.6) : scroller.clientWidth;
	ratio = Math.min(ratio, 16000 / Math.max(width, height, 1));
	full = Math.max(rowsOf() * step, print ? 0 : height);
	tall.style.height = full + 'px';
	c.style.height = height + 'px';
	c.width = Math.round(width * ratio);
	c.height = Math.round(height * ratio);
	board.setTransform(ratio, 0, 0, ratio, 0, 0);
	measureFont();
}

// ---- drawing ----

function labelOf(g, i, px) {
	var key = g.name[i] + ':' + Math.floor(px * 2), text = labels.get(key);
	if (text === undefined)
		labels.set(key, text = fit(nameOf(g, i), px));
	return text;
}

// No change is as light as the page. Of a frame too narrow for a line around it, the left edge must do.
function edge(x, y, w) {
	if (w > 3) {
		board.strokeStyle = '#8888';
		board.lineWidth = 1;
		board.strokeRect(x + 0.5, y + 0.5, w - 1.5, step - 2);
	} else {
		board.fillStyle = '#888c';
		board.fillRect(x, y, Math.max(w / 3, 0.3), step - 1);
	}
}

function box(s, i, x, w, y, isFaded) {
	var g = sides[s], color = colorOf(g, i), cover = isFaded ? isDarkPage() ? 0.4 : 0.5 : isDarkPage() ? 0.87 : 1, text;
	board.globalAlpha = cover;
	board.fillStyle = color;
	board.fillRect(x, y, Math.max(w - (w > 3 ? 0.5 : 0), 0.5), step - 1);
	board.globalAlpha = 1;
	if (data.diff)
		edge(x, y, w);
	drawn.push({ s: s, i: i, x: x, y: y, w: Math.max(w, 1) });
	if (w < 2 * (charWidth || font * 0.59) + 6)
		return;
	text = labelOf(g, i, w - 6);
	if (!text)
		return;
	board.fillStyle = isFaded ? isDarkPage() ? '#fff' : '#000' : inkOn(color, cover);
	board.fillText(text, x + 3, y + step / 2);
}

// The frames around the zoom, over the full width.
function drawAround(s) {
	var g = sides[s], p;
	if (timed)
		return;
	for (p = s == zoomSide ? g.parent[zoomed] : -1; p >= 0; p = g.parent[p]) {
		var y = topOf(s, g.row[p]) - offset;
		if (y < height && y > -step && (p || !s))
			box(s, p, 0, width, y, true);
	}
}

// Passes over the frames of a side that have a place of their own in the window, callers first, and calls f for each
// one with it. Where f returns true, those on it are left out. skip, if any, gets what is too narrow: the frame with
// those on it.
function eachFrame(s, f, skip) {
	var g = sides[s], zoom = s == zoomSide && !timed ? zoomed : 0, from = spanFrom(s), to = from + spanOf(s);
	var scale = width / (to - from), least = leastWeight(), last = [], i, x, w, px, isDrawn;
	// the middle of a sandwich belongs to the callees
	for (i = timed || s ? Math.max(zoom, 1) : zoom; i < g.end[zoom];) {
		x = (Math.max(g.x[i], from) - from) * scale;
		w = (Math.min(g.x[i] + g.w[i], to) - from) * scale - x;
		px = Math.floor(x * 2);
		isDrawn = w > 0 && g.w[i] >= least && w >= (data.pixels || 0) && (g.name[i] >= 0 || !i) &&
			(w >= 0.5 || last[g.row[i]] !== px);
		if (isDrawn)
			last[g.row[i]] = px;
		if (isDrawn && f(g, i, x, w) || !isDrawn || w < 0.5) {
			if (skip && w > 0)
				skip(g, isDrawn ? i + 1 : i, g.end[i]);
			i = g.end[i];
		} else {
			i++;
		}
	}
}

function leastWeight() { return (data.least || 0) / 100 * (timed ? sides[0].w[0] : sides.all); }

function drawSide(s) {
	var ends = sandwich ? s === 0 : upside;
	eachFrame(s, function (g, i, x, w) {
		var y = topOf(s, g.row[i]) - offset;
		if (y > -step && y < height)
			box(s, i, x, w, y, false);
		return ends ? y >= height : y <= -step;
	});
}

// how many frames with a width are too narrow to be drawn
function narrow() {
	var n = 0, s;
	function count(g, from, to) {
		for (var i = from; i < to; i++)
			n += g.w[i] > 0 && g.name[i] >= 0;
	}
	for (s = 0; s < sides.length; s++)
		eachFrame(s, function () { return false; }, count);
	return n;
}

// "1,234 frames narrower than half a pixel are not drawn"
function narrowText(n) {
	var least = [];
	if (data.least)
		least.push(data.least + '%' + (timed ? ' of the time' : wholeWords()));
	least.push(data.pixels > 0.5 ? data.pixels + ' px' : 'half a pixel');
	return commas(n) + (n == 1 ? ' frame' : ' frames') + ' narrower than ' + least.join(' or ') +
		(n == 1 ? ' is not drawn' : ' are not drawn');
}

function outline(at, color) {
	drawn.forEach(function (d) {
		if (!at || d.s != at.s || d.i != at.i)
			return;
		board.strokeStyle = color;
		board.lineWidth = 2;
		board.strokeRect(d.x + 1, d.y, Math.max(d.w - 2, 1), step - 2);
	});
}

// Marks at round times in row 0, and the titles of lanes.
function drawTimes(g) {
	var from = spanFrom(0), span = spanOf(0), least = span / Math.max(width / 110, 1), by = 1, at, start = from + data.whole[0];
	board.fillStyle = getComputedStyle(doc.body).color;
	while (by * 10 < least)
		by *= 10;
	by *= least <= by ? 1 : least <= 2 * by ? 2 : least <= 5 * by ? 5 : 10;
	for (at = Math.ceil(start / by) * by; at < start + span; at += by)
		board.fillText('|' + moment(at, by), (at - start) / span * width, topOf(0, 0) - offset + step / 2);
	g.lanes.forEach(function (l) { board.fillText(l.name, 3, topOf(0, l.row) - offset + step / 2); });
}

// "1.25 s", with as many decimals as marks this far apart need
function moment(at, by) {
	var unit = at <= 1e6 && by < 1e6 ? [1e3, ' us'] : at <= 1e9 && by < 1e9 ? [1e6, ' ms'] : [1e9, ' s'], places = 0, u;
	for (u = unit[0]; u > 1 && by % u; u /= 10)
		places++;
	return (at / unit[0]).toFixed(places) + unit[1];
}

function draw() {
	var s;
	offset = isPrint ? 0 : scroller.scrollTop;
	board.clearRect(0, 0, width, height);
	board.font = font + 'px ' + family;
	board.textBaseline = 'middle';
	drawn = [];
	for (s = 0; s < sides.length; s++) {
		drawAround(s);
		drawSide(s);
	}
	if (timed)
		drawTimes(sides[0]);
	outline(hovered, isDarkPage() ? '#fff' : '#000');
	outline(focused, isDarkPage() ? '#fff' : '#000');
}

// A graph with its root at the bottom stays there.
function resize() {
	var below = full - scroller.scrollTop - height, was = width;
	fitBoard(false);
	if (!upside && !sandwich)
		scroller.scrollTop = full - height - below;
	draw();
	if (width != was)
		countLight();
}

// ---- what is where ----

function frameAt(x, y) {
	for (var k = drawn.length - 1; k >= 0; k--) {
		var d = drawn[k];
		if (y >= d.y && y < d.y + step && x >= d.x && x < d.x + d.w)
			return d;
	}
	return null;
}

// Scrolls as little as makes the row of a frame visible; whole: to where the frame and its callees fill the window.
function reveal(s, i, whole) {
	var y = topOf(s, sides[s].row[i]), top = scroller.scrollTop;
	if (whole && sandwich)
		top = y - height / 2;
	else if (whole)
		top = upside ? y - 2 * step : y + 3 * step - height;
	else
		top = Math.min(Math.max(top, y + step - height), y);
	scroller.scrollTop = top;
}
