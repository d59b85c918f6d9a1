// page_table.js - the table of functions of a page: of the zoomed frames, or of the sandwich's function.
var sortBy = data.diff ? 'change' : 'self', MOST_ROWS = 500;

// Sums by name: frames of one name within each other count once for the total.
function sums() {
	var g = sides[0], w = inSight(0), zoom = zoomSide ? 0 : timed ? 0 : zoomed, of = new Map(), open = new Map(), path = [];
	var i, k, r, p;
	for (i = zoom; i < g.end[zoom]; i++) {
		while (path.length && g.end[path[path.length - 1]] <= i)
			leave(open, g.name[path.pop()]);
		k = g.name[i];
		if (k < 0) {
			p = i && of.get(g.name[g.parent[i]]);
			if (p)
				add(p, 'self', w.total[i], g.base[i]);
			continue;
		}
		if (timed && !visible(g, 0, i)) {
			i = g.end[i] - 1;
			continue;
		}
		r = of.get(k);
		if (!r)
			of.set(k, r = { name: k, self: 0, total: 0, baseSelf: 0, baseTotal: 0 });
		if (!data.reversed || sandwich)
			add(r, 'self', w.self[i], g.baseSelf[i]);
		else if (g.parent[i] === 0)
			add(r, 'self', w.total[i], g.base[i]);
		if (!open.get(k))
			add(r, 'total', w.total[i], g.base[i]);
		open.set(k, (open.get(k) || 0) + 1);
		path.push(i);
	}
	return Array.from(of.values());
}

function leave(open, k) { open.set(k, open.get(k) - 1); }

function add(r, what, own, base) {
	r[what] += own;
	r[what == 'self' ? 'baseSelf' : 'baseTotal'] += base;
}

// Columns: what they sort by, their title, whether a narrow window has them, and the text of a row.
function columnsOf() {
	var points, kind = unit == 'samples' ? 'samples' : 'weight', of = basis();
	if (!data.diff)
		return [
			{ key: 'self', title: 'Self', of: of.words, text: function (r) { return percent(r.self, of.all); } },
			{ key: 'selfWeight', title: 'Self ' + kind, wide: true,
				text: function (r) { return weightText(Math.round(r.self)); } },
			{ key: 'total', title: 'Total', of: of.words, text: function (r) { return percent(r.total, of.all); } },
			{ key: 'totalWeight', title: 'Total ' + kind, wide: true,
				text: function (r) { return weightText(Math.round(r.total)); } }
		];
	points = data.diff.of == 'shares' ? ', points' : ' change';
	return [
		{ key: 'change', title: 'Self' + points, text: function (r) { return gain(r.change); }, tone: 'change' },
		{ key: 'before', title: 'before', wide: true, text: function (r) { return sideText(r.change.before); } },
		{ key: 'after', title: 'after', wide: true, text: function (r) { return sideText(r.change.after); } },
		{ key: 'totalChange', title: 'Total' + points, text: function (r) { return gain(r.totalChange); }, tone: 'totalChange' },
		{ key: 'totalBefore', title: 'before', wide: true, text: function (r) { return sideText(r.totalChange.before); } },
		{ key: 'totalAfter', title: 'after', wide: true, text: function (r) { return sideText(r.totalChange.after); } }
	];
}

function valueOf(r, key) {
	var of = { change: r.change, before: r.change, after: r.change }[key] || r.totalChange;
	if (key == 'self' || key == 'selfWeight')
		return r.self;
	if (key == 'total' || key == 'totalWeight')
		return r.total;
	if (key == 'change' && of.noise)
		return Math.max(Math.abs(of.delta), Math.abs(r.totalChange.delta));
	if (/change/i.test(key))
		return Math.abs(of.delta);
	return /before/i.test(key) ? of.before : of.after;
}

// as on the screen: what grew, what shrank, what changed only in total, what may be chance
function rank(r, key) {
	var c = key == 'change' ? r.change : r.totalChange;
	return c.noise ? +!r.totalChange.noise : c.delta > 0 ? 3 : 2;
}

function rowsOfTable() {
	var list = sums();
	if (term && hits && hits !== given)
		list = list.filter(function (r) { return hits[r.name]; });
	if (data.diff)
		list.forEach(function (r) {
			r.change = compare(r.self, r.baseSelf);
			r.totalChange = compare(r.total, r.baseTotal);
		});
	else
		list = list.filter(function (r) { return r.total > 0; });
	return list.sort(function (a, b) {
		var d = 0;
		if (/change/i.test(sortBy))
			d = rank(b, sortBy) - rank(a, sortBy);
		if (!d && sortBy != 'name')
			d = valueOf(b, sortBy) - valueOf(a, sortBy);
		else if (!d)
			d = names[a.name] < names[b.name] ? -1 : 1;
		return d || b.total - a.total || (names[a.name] < names[b.name] ? -1 : 1);
	});
}

function heading(tr, c) {
	var th = make(tr, 'th', { scope: 'col', role: 'columnheader' });
	var button = make(th, 'button', { type: 'button', title: 'Sort by this' }, c.title);
	if (c.wide)
		th.className = 'wide';
	if (c.of)
		make(button, 'small', {}, c.of);
	if (c.key == sortBy)
		th.setAttribute('aria-sort', c.key == 'name' ? 'ascending' : 'descending');
	press(button, function () {
		sortBy = c.key;
		fillTable();
		// the button is a new one
		panels.table.body.querySelector('[aria-sort] button').focus();
	});
}

// Puts a name into an element, to be broken between its words, not within them.
function breakable(e, s) {
	s.replace(/(::|[\/._,;$(<-])(?=[^\/._,;:$-])|[a-z](?=[A-Z])/g, '$&\0').split('\0').forEach(function (part, i) {
		if (i)
			make(e, 'wbr', {});
		e.appendChild(doc.createTextNode(part));
	});
	return e;
}

// " (new)", " (vanished)": on one side only
function sideOnly(r) {
	var swap = data.diff && data.diff.swapped, before = swap ? r.total : r.baseTotal, after = swap ? r.baseTotal : r.total;
	return !data.diff || before && after ? '' : after ? ' (new)' : before ? ' (vanished)' : '';
}

function fillRow(body, r, columns) {
	var tr = make(body, 'tr', { role: 'row' }), td, button;
	columns.forEach(function (c) {
		var cell = make(tr, 'td', { role: 'cell' }, c.text(r)), tone = c.tone && r[c.tone];
		cell.className = (c.wide ? 'wide ' : '') + (!tone ? '' : tone.noise ? 'noise' : tone.delta > 0 ? 'up' : 'down');
	});
	td = make(tr, 'td', { role: 'cell' });
	press(make(td, 'button', { type: 'button', class: 'way', title: 'Callers and callees', 'aria-label': 'Callers and callees of ' +
		names[r.name] }, '\u21c5'), function () {
		toggle('table');
		sandwichOf(r.name);
	});
	td = make(tr, 'td', { role: 'cell' });
	button = breakable(make(td, 'button', { type: 'button', title: 'Search' }), names[r.name]);
	make(button, 'span', { class: 'side' }, sideOnly(r));
	press(button, function () {
		toggle('table');
		matchCase = true;
		search(exactly(names[r.name]));
		showSearch(true);
		refresh();
		nextHit(1);
		remember(true);
	});
}

// what the table is of
function tableNotes(list) {
	var said = [];
	if (list.length > MOST_ROWS)
		said.push('the first ' + MOST_ROWS + ' of ' + commas(list.length) + ' functions');
	if (isZoomed() && !sandwich)
		said.push(zoomText());
	if (data.diff && data.diff.of == 'shares')
		said.push('shares are' + wholeWords());
	if (data.diff)
		said.push('~ within noise');
	return said.concat(data.notes || []).join('; ');
}

function fillTable() {
	var panel = panels.table, list = rowsOfTable(), columns = columnsOf(), table, tr, body, said = tableNotes(list);
	panel.body.textContent = '';
	if (said)
		make(panel.body, 'p', {}, said);
	// narrow windows do not lay it out as a table, which takes its roles away
	table = make(panel.body, 'table', { role: 'table' });
	tr = make(make(table, 'thead', { role: 'rowgroup' }), 'tr', { role: 'row' });
	columns.forEach(function (c) { heading(tr, c); });
	make(tr, 'td', { role: 'cell' });
	heading(tr, { key: 'name', title: 'Function' });
	body = make(table, 'tbody', { role: 'rowgroup' });
	list.slice(0, MOST_ROWS).forEach(function (r) { fillRow(body, r, columns); });
}
