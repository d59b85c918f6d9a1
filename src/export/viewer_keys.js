// viewer_keys.js - keyboard and pointer of an interactive SVG, and its start. Ends the function that viewer.js begins.

// ---- keyboard and pointer ----

function say(i) {
	details.textContent = i < 0 ? idle : nametype + ' ' + title(i);
}

function focus(i, quiet) {
	if (focused >= 0)
		G[focused].removeAttribute('tabindex');
	focused = i;
	G[i].setAttribute('tabindex', 0);
	G[i].setAttribute('role', 'button');
	say(i);
	G[i].scrollIntoView({ block: 'nearest' });
	if (!quiet)
		G[i].focus({ preventScroll: true });
}

// the best visible frame that `fits` accepts
function best(fits, value) {
	var found = -1;
	for (var i = 0; i < n; i++)
		if (shown[i] != 1 && fits(i) && (found < 0 || value(i) > value(found)))
			found = i;
	return found;
}

function move(key) {
	var f = focused, to, up = key == 'ArrowUp', out = up != (inverted != upside), half = f < 0 ? 0 : side[f];
	if (sandwich && f >= 0) {
		half = row[f] ? half : +up;
		out = !row[f] || up == !!half;
	}
	if (f < 0 || shown[f] == 1) {
		to = zoomed >= 0 ? zoomed : best(function (i) { return row[i] == rootRow + timed; }, function (i) { return W[i]; });
	} else if (key == 'ArrowLeft' || key == 'ArrowRight') {
		var d = key == 'ArrowLeft' ? -1 : 1;
		to = best(function (i) {
			return row[i] == row[f] && side[i] == half && L[i] == L[f] && d * (X[i] - X[f]) > 0;
		}, function (i) { return -d * X[i]; });
	} else if (out) {
		to = best(function (i) {
			return row[i] == row[f] + 1 && side[i] == half && L[i] == L[f] && X[i] >= X[f] - tiny &&
				end(i) <= end(f) + tiny;
		}, function (i) { return W[i]; });
	} else {
		to = best(function (i) {
			return row[i] == row[f] - 1 && (!row[i] || side[i] == half) && L[i] == L[f] && X[i] <= X[f] + tiny &&
				end(i) >= end(f) - tiny;
		}, function () { return 0; });
	}
	if (to >= 0)
		focus(to);
}

function copy() {
	var i = hovered >= 0 ? hovered : focused;
	if (i < 0)
		return;
	function no() { details.textContent = 'The clipboard cannot be written from here'; }
	try {
		navigator.clipboard.writeText(name(i)).then(function () {
			details.textContent = 'Copied: ' + name(i);
		}, no);
	} catch (e) {
		no();
	}
}

function escape() {
	if (table)
		toggleTable();
	else if (box)
		stop();
	else if (zoomed >= 0)
		zoom(-1);
}

var keys = {
	'/': ask, 'F3': ask, 'Escape': escape, 't': toggleTable, 'c': copy,
	'n': function () { nextHit(1); },
	'N': function () { nextHit(-1); },
	'i': function () { invert(); remember(false); },
	'?': function () {
		details.textContent = 'arrows: move  Enter: zoom  Esc: back  /: search  n N: matches  ' +
			'i: invert  t: table  c: copy';
	}
};

function onKey(e) {
	var control = e.ctrlKey || e.metaKey, typing = e.target == input, f = keys[e.key];
	if (control && (e.key == 'f' || e.key == 'F'))
		f = ask;
	else if (control && e.key == 'i' && box)
		f = toggleCase;
	else if (control || e.altKey)
		return;
	else if (typing && e.key == 'Enter')
		f = function () {
			take();
			nextHit(e.shiftKey ? -1 : 1);
		};
	else if (typing && e.key != 'Escape' && e.key != 'F3')
		return;
	else if (table && e.key != 'Escape' && e.key != 't')
		return;
	else if (e.key.slice(0, 5) == 'Arrow')
		f = function () { move(e.key); };
	else if (e.key == 'Enter' || e.key == ' ')
		f = e.target == unzoom || e.target == button ? function () {
			e.target.dispatchEvent(new MouseEvent('click'));
		} : e.target == G[focused] && e.target.tagName == 'g' ? function () { zoom(focused); } : null;
	if (!f)
		return;
	e.preventDefault();
	f();
}

function frameOf(target) {
	while (target && target.parentNode != frames)
		target = target.parentNode;
	return target ? target.index : -1;
}

function onClick(e) {
	var i = frameOf(e.target), link = i >= 0 && G[i].tagName == 'a';
	if (i < 0 || (link && !e.ctrlKey && !e.metaKey))
		return;
	e.preventDefault();
	zoom(i);
	focus(i);
}

function listen(target, events) {
	for (var k in events)
		target.addEventListener(k, events[k]);
}

function start() {
	if (svg)
		return;
	svg = doc.documentElement;
	frames = el('frames');
	details = el('details');
	matched = el('matched');
	button = el('search');
	unzoom = el('unzoom');
	idle = details.textContent;
	figure = matched.textContent;
	doc.title = el('title').textContent;
	read();
	// if canvas is forbidden, the option gives the width of characters
	canvas = doc.createElementNS(HTML, 'canvas').getContext('2d') ||
		{ measureText: function () { return { width: fontsize * fontwidth }; } };
	var style = getComputedStyle(label(0));
	canvas.font = style.fontSize + ' ' + style.fontFamily;
	charWidth = Math.abs(charsWidth('!') - charsWidth('W')) < 0.01 ? charsWidth('W') : 0;
	if (fluiddrawing) {
		svg.removeAttribute('width');
		svg.removeAttribute('viewBox');
	}
	svg.setAttribute('aria-labelledby', 'title');
	frames.setAttribute('role', 'group');
	frames.setAttribute('aria-label', 'Frames');
	details.setAttribute('aria-live', 'polite');
	matched.setAttribute('role', 'status');
	[button, unzoom].forEach(function (b) {
		b.setAttribute('role', 'button');
		b.setAttribute('tabindex', 0);
	});
	G[order[0]].setAttribute('tabindex', 0);
	listen(frames, {
		click: onClick,
		mouseover: function (e) { say(hovered = frameOf(e.target)); },
		mouseout: function () { say(hovered = -1); },
		focusin: function (e) {
			var i = frameOf(e.target);
			if (i >= 0)
				say(focused = i);
		},
		focusout: function () { say(-1); }
	});
	unzoom.addEventListener('click', function () { zoom(-1); });
	button.addEventListener('click', function () { term ? stop() : ask(); });
	listen(window, { keydown: onKey, resize: resize, scroll: place, popstate: function () { restore(false); } });
	resize();
	restore(true);
	if (sandwich && zoomed < 0)
		G[order[0]].scrollIntoView({ block: 'center' });
}

init = function () { setTimeout(start, 0); };
window.addEventListener('load', init);
})();
