// viewer_table.js - the table of functions of an interactive SVG: of what the graph shows.

// Sums by name: self, total, and in a sandwich what goes through it as a caller; in a comparison `base` has those of the
// baseline. Frames of one name within each other count once for the total. In a caller tree, the frames on "all" were on
// top of their stacks; their callers have no self weight.
function sums() {
	var of = new Map(), path = [], leaves = typeof reversed == 'boolean' && lens.w === null, k, i, d, e, last, key;
	for (k = 0; k < n; k++) {
		i = order[k];
		if (shown[i])
			continue;
		for (d = path.length - 1; d >= row[i]; d--)
			if (path[d])
				path[d].open--;
		path.length = row[i];
		e = of.get(name(i));
		if (!e)
			of.set(name(i), e = { name: name(i), self: 0, total: 0, caller: 0, base: { self: 0, total: 0, caller: 0 }, open: 0 });
		key = side[i] ? 'caller' : 'total';
		if (!e.open++) {
			e[key] += visible(i);
			e.base[key] += comparison ? B[i] : 0;
		}
		last = path[row[i] - 1];
		if (comparison) {
			addSelf(e, i);
		} else if (!side[i] && (!leaves || row[i] < 2)) {
			e.self += visible(i);
			if (last)
				last.self -= visible(i);
		}
		path[row[i]] = e;
	}
	if (knowsGone())
		gone.forEach(function (g) { addGone(of, g[0], g[1], g[2]); });
	return Array.from(of.values());
}

// Are the sums those of the file, whose frames without a width are known?
function knowsGone() { return typeof gone == 'object' && !base && !sandwich && !isZoomed(); }

function addGone(of, name, self, total) {
	var e = of.get(name);
	if (!e)
		of.set(name, e = { name: name, self: 0, total: 0, caller: 0, base: { self: 0, total: 0, caller: 0 }, open: 0 });
	e.base.self += self;
	e.base.total += total;
}

// The middle of a sandwich has the self weight of all frames of its function.
function addSelf(e, i) {
	if (side[i] || (sandwich && row[i] && e.name == name(order.find(function (k) { return !row[k]; }))))
		return;
	e.self += S[i];
	e.base.self += BS[i];
}

// Columns: their key, their title, what shares are of, whether a narrow window has them, the text and the change of a row.
function columnsOf() {
	var of = basis(), list = [], points = comparison && (comparison.of == 'shares' ? ', points' : ' change');
	(sandwich ? ['self', 'total', 'caller'] : ['self', 'total']).forEach(function (key) {
		var words = { self: 'Self', total: 'Total', caller: 'As caller' }[key];
		if (!comparison) {
			list.push({ key: key, title: words, of: of.words, text: function (e) { return percentText(100 * e[key] / of.all, 2); } });
			return;
		}
		list.push({ key: key, title: words + points, text: function (e) { return gain(e.change[key]); },
			change: function (e) { return e.change[key]; } });
		['before', 'after'].forEach(function (when) {
			list.push({ key: key + '.' + when, title: when, wide: true, text: function (e) { return sideText(e.change[key][when]); } });
		});
	});
	return list.concat({ key: 'name', title: 'Function' });
}

function valueOf(e, key) {
	var part = key.split('.');
	if (!comparison)
		return e[key];
	if (part[1])
		return e.change[part[0]][part[1]];
	return Math.abs(key == 'self' && e.change.self.noise ? Math.max(Math.abs(e.change.self.delta), Math.abs(e.change.total.delta)) :
		e.change[key].delta);
}

// as on the screen: what grew, what shrank, what changed only in total, what may be chance
function rank(e) {
	var c = comparison && e.change[sortBy];
	return !c ? 0 : c.noise ? +!e.change.total.noise : c.delta > 0 ? 3 : 2;
}

function rowsOfTable() {
	var list = sums();
	if (comparison)
		list.forEach(function (e) {
			e.change = {};
			for (var key in e.base)
				e.change[key] = compare(e[key], e.base[key]);
		});
	else if (sortBy != 'name')
		list = list.filter(function (e) { return e[sortBy] > tiny; });
	return list.sort(function (a, b) {
		if (sortBy == 'name')
			return a.name < b.name ? -1 : 1;
		return rank(b) - rank(a) || valueOf(b, sortBy) - valueOf(a, sortBy) || b.total - a.total;
	});
}

// What is left out; in a caller tree only callers are missing, and no self weight.
function tableNotes() {
	var said = idle.trim() ? [idle] : [];
	if (said.length && typeof narrow == 'boolean' && typeof reversed != 'boolean' && !comparison)
		said[0] += ' and counted as Self of the callers';
	if (typeof gone == 'object' && !knowsGone())
		said.unshift('frames that have no width do not count here');
	if (comparison && comparison.of == 'shares')
		said.unshift('shares are' + wholeWords());
	return said.join('; ');
}

function toggleTable() {
	if (table) {
		table.remove();
		table = null;
		place();
		return;
	}
	table = panel('table', 'Top functions', toggleTable, fill);
	place();
	table.firstChild.focus({ preventScroll: true });
}

function heading(tr, c, div) {
	var sorted = c.key == 'name' ? 'ascending' : 'descending', th = html(tr, 'th', c.key == sortBy ? { 'aria-sort': sorted } : {}), b;
	if (c.wide)
		th.className = 'wide';
	b = tool(th, c.title, 'Sort', function () {
		sortBy = c.key;
		fill(div);
	});
	if (c.of)
		html(b, 'small', {}, c.of);
}

function cell(tr, e, c) {
	var td = html(tr, 'td', c.wide ? { class: 'wide' } : {}, c.text(e)), color, change = c.change && c.change(e);
	if (!change || !change.delta)
		return;
	color = typeof graded == 'boolean' ? null : changeColor(change);
	if (color)
		td.style.cssText = 'background:' + color + ';color:' + (isDark(rgb(color), 1) ? '#fff' : '#000');
}

function fill(div) {
	var columns = columnsOf(), t, tr;
	div.textContent = '';
	t = html(div, 'table', { class: comparison ? 'changes' : 'shares' });
	if (tableNotes())
		html(t, 'caption', {}, tableNotes());
	tr = html(t, 'tr', {});
	columns.forEach(function (c) { heading(tr, c, div); });
	rowsOfTable().slice(0, 200).forEach(function (e) {
		tr = html(t, 'tr', {});
		columns.slice(0, -1).forEach(function (c) { cell(tr, e, c); });
		tool(html(tr, 'td', {}), e.name, 'Search', function () {
			toggleTable();
			matchCase = true;
			openBox(exactly(e.name));
			search(exactly(e.name));
			remember(true);
		});
	});
}
