// page_strip.js - the weight over time, above the frames of a page: dragging over it chooses a range of time.
// So do its keys.
//
// A range is in slices of time, of which the data have up to a thousand; the frames are then those of its samples. A
// chart with a time axis has all its frames, and shows the range.
var slices = null, sliceLength = 1, timeZero = data.whole ? data.whole[0] : 0, heaviest = 0, anchor = null, chosenSlices = null;

function hasStrip() { return data.samples ? true : !!data.lanes && !isOther(); }

function sumSamples() {
	var s = data.samples, k;
	slices = new Float64Array(s.slices);
	sliceLength = s.length;
	for (k = 0; k < s.at.length; k++)
		slices[s.at[k]] += s.weight[k];
}

// the time in which threads are busy
function sumLanes() {
	var i, k, from, to;
	slices = new Float64Array(1000);
	sliceLength = (data.whole[1] - data.whole[0]) / slices.length;
	for (i = 1; i < file.name.length; i++) {
		if (file.parent[i] || file.name[i] < 0)
			continue;
		from = file.from[i] / sliceLength;
		to = from + file.lasts[i] / sliceLength;
		for (k = Math.floor(from); k < to && k < slices.length; k++)
			slices[k] += Math.min(to, k + 1) - Math.max(from, k);
	}
}

function sumSlices() {
	if (data.samples)
		sumSamples();
	else if (data.lanes)
		sumLanes();
	else
		return;
	heaviest = slices.reduce(function (a, b) { return Math.max(a, b); }, 0);
}

// "1.25 s to 2.5 s"
function rangeText(r) {
	return time(r[0] * sliceLength + timeZero, 9) + ' to ' + time(r[1] * sliceLength + timeZero, 9);
}

// The weight of a column is that of its slices, or its part of one.
function columnWeight(x, w) {
	var from = x / w * slices.length, to = (x + 1) / w * slices.length, most = 0, k;
	for (k = Math.floor(from); k < to && k < slices.length; k++)
		most = Math.max(most, slices[k]);
	return most;
}

function drawStrip() {
	var c = el('strip'), ctx = c.getContext('2d'), ratio = devicePixelRatio || 1, style = getComputedStyle(doc.body), w, h, x, v, r;
	c.classList.toggle('hide', !hasStrip());
	if (!hasStrip())
		return;
	w = c.clientWidth;
	h = c.clientHeight;
	r = chosenSlices || range;
	c.width = Math.round(w * ratio);
	c.height = Math.round(h * ratio);
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
	for (x = 0; x < w; x++) {
		v = columnWeight(x, w) / heaviest * (h - 20);
		ctx.fillStyle = r && (x < r[0] / slices.length * w || x >= r[1] / slices.length * w) ? '#8886' : '#e07b28';
		ctx.fillRect(x, h - v, 1, v);
	}
	ctx.fillStyle = style.color;
	ctx.font = '12px ' + style.fontFamily;
	ctx.textBaseline = 'top';
	ctx.fillText(r ? stripText(r) : hint(), 4, 3);
	tellStrip(r);
}

function stripText(r) { return rangeText(r) + ' of ' + time(slices.length * sliceLength, 9); }

function hint() { return doc.activeElement == el('strip') ? 'Arrows choose a time' : 'Drag to choose a time'; }

// For who hears it: where the range begins, and its ends in words.
function tellStrip(r) {
	var is = { 'aria-valuemin': 0, 'aria-valuemax': slices.length, 'aria-valuenow': r ? r[0] : 0,
		'aria-valuetext': r ? stripText(r) + (chosenSlices ? ', Enter shows it' : '') : 'all times' };
	for (var k in is)
		el('strip').setAttribute(k, is[k]);
}

// ---- keys ----

// Moves both ends of the range, or the last one. The first key makes a range, of a tenth.
function nudge(by, isEnd) {
	var n = slices.length, step = Math.max(Math.round(n / 100), 1) * by, r = chosenSlices || range, from, to;
	if (!r) {
		chosenSlices = by > 0 ? [0, Math.ceil(n / 10)] : [n - Math.ceil(n / 10), n];
	} else {
		from = isEnd ? r[0] : Math.min(Math.max(r[0] + step, 0), n - (r[1] - r[0]));
		to = isEnd ? Math.min(Math.max(r[1] + step, r[0] + 1), n) : from + r[1] - r[0];
		chosenSlices = [from, to];
	}
	drawStrip();
}

function applyStrip() {
	var next = chosenSlices;
	chosenSlices = null;
	if (next)
		see(lens, next);
	drawStrip();
}

function clearStrip() {
	chosenSlices = null;
	if (range)
		see(lens, null);
	drawStrip();
}

// What a key does on the strip; undefined: nothing.
function stripKey(e) {
	var isRight = e.key == 'ArrowRight', isBy = isRight || e.key == 'ArrowLeft';
	if (isBy || e.key == '[' || e.key == ']')
		return function () { nudge(isRight || e.key == ']' ? 1 : -1, !isBy || e.shiftKey); };
	if (e.key == 'Enter')
		return applyStrip;
	return e.key == 'Escape' && (chosenSlices || range) ? clearStrip : undefined;
}

// ---- pointer ----

function sliceAt(e) {
	var r = el('strip').getBoundingClientRect();
	return Math.min(Math.max((e.clientX - r.left) / r.width, 0), 1) * slices.length;
}

function dragStrip(e) {
	var at = sliceAt(e), from = Math.floor(Math.min(anchor, at)), to = Math.ceil(Math.max(anchor, at));
	chosenSlices = [from, Math.max(to, from + 1)];
	drawStrip();
}

// A click, which is no range, shows all times.
function endStrip(e) {
	var at = sliceAt(e), r = el('strip').getBoundingClientRect(), isClick, next = chosenSlices;
	if (anchor === null)
		return;
	isClick = Math.abs(at - anchor) / slices.length * r.width < 3;
	anchor = chosenSlices = null;
	see(lens, isClick ? null : next);
	drawStrip();
}

function listenToStrip() {
	listen(el('strip'), {
		pointerdown: function (e) {
			anchor = sliceAt(e);
			el('strip').setPointerCapture(e.pointerId);
		},
		pointermove: function (e) {
			if (anchor !== null)
				dragStrip(e);
		},
		pointerup: endStrip,
		pointercancel: function () {
			anchor = chosenSlices = null;
			drawStrip();
		},
		focus: drawStrip,
		// a range that was not entered is none
		blur: function () {
			chosenSlices = null;
			drawStrip();
		}
	});
}
