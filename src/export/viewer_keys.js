// viewer_keys.js - keyboard and pointer of an interactive SVG, and its start. Ends the function that viewer.js begins.

// ---- keyboard and pointer ----

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

var keys = {
	'/': ask, 'F3': ask, 'Escape': escape, 't': toggleTable, 'i': turn, 'c': copyName, 'm': menuByKey, '?': toggleHelp,
	'n': function () { nextHit(1); },
	'N': function () { nextHit(-1); }
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
	else if (menu && e.key.slice(0, 5) == 'Arrow')
		f = function () { moveInMenu(e.key == 'ArrowUp' ? -1 : 1); };
	// in an SVG, Firefox leaves its buttons alone
	else if (menu && menu.contains(e.target) && (e.key == 'Enter' || e.key == ' '))
		f = function () { e.target.click(); };
	else if (e.key != 'Escape' && (menu || (table && e.key != 't') || (help && e.key != '?')))
		return;
	else if (e.key.slice(0, 5) == 'Arrow')
		f = function () { move(e.key); };
	else if (e.key == 'Enter' || e.key == ' ')
		f = head.contains(e.target) ? function () {
			e.target.dispatchEvent(new MouseEvent('click'));
		} : e.target == group(focused) && e.target.tagName == 'g' ? function () { zoom(focused); } : null;
	if (!f)
		return;
	e.preventDefault();
	f();
}

function frameOf(target) {
	while (target && target.parentNode != frames)
		target = target.parentNode;
	return target ? R.indexOf(target.getElementsByTagName('rect')[0]) : -1;
}

// Tells of the frame under the pointer; its tooltip has the same words then.
function point(i) {
	if (hovered >= 0)
		tooltip(hovered).textContent = title(hovered);
	hovered = i;
	if (i >= 0)
		tooltip(i).textContent = wordsOf(i, true);
	say(i);
}

function onClick(e) {
	var i = frameOf(e.target), link = i >= 0 && group(i).tagName == 'a';
	if (wasLong()) {
		e.preventDefault();
		return;
	}
	if (i < 0 || (link && !e.ctrlKey && !e.metaKey))
		return;
	e.preventDefault();
	zoom(i);
	focus(i);
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
	height = +svg.getAttribute('height');
	read();
	// if canvas is forbidden, the option gives the width of characters
	canvas = doc.createElementNS(HTML, 'canvas').getContext('2d') ||
		{ measureText: function () { return { width: fontsize * fontwidth }; } };
	var style = getComputedStyle(details);
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
	furnish();
	stopAt(order[0]);
	listen(frames, {
		click: onClick,
		mouseover: function (e) { point(frameOf(e.target)); },
		mouseout: function () { point(-1); },
		contextmenu: onMenu,
		pointerdown: onPress,
		pointermove: onDrag,
		pointerup: endPress,
		pointercancel: endPress
	});
	// on the frames themselves, these would make the element focusable: an empty stop, to which a click scrolls
	listen(doc, {
		focusin: function (e) {
			var i = frameOf(e.target);
			if (i >= 0)
				say(focused = i);
		},
		focusout: function (e) {
			if (frameOf(e.target) >= 0)
				say(-1);
		},
		pointerdown: function (e) {
			if (menu && !menu.contains(e.target))
				closeMenu();
		}
	});
	listen(window, { keydown: onKey, resize: resize, scroll: place, popstate: function () { restore(false); } });
	takeWidth();
	place();
	restore(true);
}

// Whatever goes wrong, the drawing is to be seen.
init = function () {
	setTimeout(function () {
		try {
			start();
		} finally {
			showFrames();
		}
	}, 0);
};
window.addEventListener('load', init);
})();
