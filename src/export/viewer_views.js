// viewer_views.js - other views of the same frames in an SVG: only stacks with a function, stacks without one, a sandwich.
//
// The frames of the file become a tree once (viewer_tree.js). A view makes another tree from it, which is drawn by new
// frames in place of those of the file; read() takes them as if they had come with it. The elements of the file are
// kept for the way back. The address names the view: f for each function that stacks must have, h for each that is
// taken out of them, w for the function whose callers and callees are shown.

// The tree of the frames in the file; `all` is its root. In a comparison, what is not drawn becomes frames without a name,
// so that the self weights of others stay what they are; merged from the leaves, only totals matter.
function takeTree() {
	var t = Object.assign(plant('all'), { own: [], ownBase: [] }), path = [0], seen = 0, seenBase = 0, isExact = comparison && typeof reversed != 'boolean';
	order.forEach(function (i) {
		var parent, c, b = comparison ? B[i] : 0;
		if (!row[i])
			return;
		parent = path[row[i] - 1] || 0;
		c = child(t, parent, name(i));
		path[row[i]] = c;
		put(t, c, visible(i), b);
		if (parent)
			put(t, parent, -visible(i), -b);
		else
			seen += visible(i), seenBase += b;
		if (isExact && shown[i] != 2) {
			t.own[c] = (t.own[c] || 0) + S[i];
			t.ownBase[c] = (t.ownBase[c] || 0) + BS[i];
		}
	});
	t.self[0] = timed ? 0 : Math.max(total - seen, 0);
	t.base[0] = comparison ? Math.max(everythingBefore - seenBase, 0) : 0;
	if (isExact)
		t.name.slice().forEach(function (s, c) { setApart(t, c); });
	return t;
}

// Moves the weight of what is not drawn from a frame into one without a name.
function setApart(t, c) {
	var own = t.own[c], base = t.ownBase[c], rest;
	if (own === undefined || (t.self[c] - own <= tiny && t.base[c] - base <= tiny))
		return;
	rest = child(t, c, null);
	put(t, rest, t.self[c] - own, t.base[c] - base);
	t.self[c] = own;
	t.base[c] = base;
}

// ---- drawing ----

// Places of the frames of a tree, callers first; those narrower than 0.01 % are left out, as in the file.
function arrange(t, which, list) {
	var sum = totals(t), base = totals(t, t.base), x = [0], next = [0], depth = [0], deepest = 0, i, p;
	for (i = 0; i < sum.length; i++) {
		if (i) {
			p = t.parent[i];
			x[i] = next[i] = next[p];
			next[p] += sum[i];
			depth[i] = depth[p] + 1;
		}
		if (sum[i] <= 0 || sum[i] < sum[0] * 1e-4 || (which && !i) || t.name[i] === null)
			continue;
		list.push({ name: t.name[i], x: x[i], w: sum[i], row: depth[i], side: which, b: base[i], s: ownOf(t, i, t.self, sum),
			bs: ownOf(t, i, t.base, base) });
		deepest = Math.max(deepest, depth[i]);
	}
	return deepest;
}

// The self weight of a frame; in the middle of a sandwich that of all frames of its function.
function ownOf(t, i, column, sum) {
	if (typeof reversed == 'boolean' && !sandwich)
		return t.parent[i] == 0 ? sum[i] : 0;
	return sandwich && !i ? column.reduce(function (all, v, k) { return t.name[k] === t.name[0] ? all + v : all; }, 0) : column[i];
}

// The change that the colour of a frame shows: diff_of_frame() has the reasons.
function changeOf(f) {
	var isTotal = f.side || (typeof reversed == 'boolean' && !sandwich && f.row);
	return isTotal ? compare(f.w, f.b) : compare(f.s, f.bs);
}

// "; before 36.20%, after 39.30%, +3.10 points; self +1.20 points"
function changeText(f) {
	var c, text;
	if (!comparison || (!f.row && !sandwich))
		return '';
	c = compare(f.w, f.b);
	text = '; before ' + sideText(c.before) + ', after ' + sideText(c.after) + ', ' + gain(c, ' points');
	return text + (f.side || (typeof reversed == 'boolean' && !sandwich) ? '' : '; self ' + gain(compare(f.s, f.bs), ' points'));
}

// The unit of the counts; null if the figures are not the widths: times, scaled counts.
function unitOf() {
	var i = order.find(function (k) { return !shown[k] && W[k] > 0; }), figures;
	if (i === undefined || timed)
		return null;
	figures = title(i).slice(name(i).length).match(/^\x20\(([\d.,]+)\x20([^]*),\x20[\d.]+%/);
	return figures && +figures[1].replace(/,/g, '') == W[i] ? figures[2] : null;
}

// The colour of each name; gray where colours stand for figures, which a sum does not have.
function colors() {
	var of = new Map();
	for (var i = 0; i < n; i++) {
		if (!of.has(name(i)))
			of.set(name(i), typeof graded == 'boolean' ? 'rgb(224,224,224)' : mark[i] ? fills[i] : R[i].getAttribute('fill'));
	}
	return of;
}

// Keeps what the file came with.
function keepFile() {
	base = {
		nodes: Array.from(frames.childNodes), tree: takeTree(), unit: unitOf(), colors: colors(), everything: everything,
		everythingBefore: everythingBefore, most: most, low: low, height: height, below: height - high, step: step, total: total, lanes: timed, title: el('title').textContent, idle: idle
	};
}

function setHeight(h) {
	foot.childNodes.forEach(function (e) {
		e.setAttribute('y', +e.getAttribute('y') + h - height);
	});
	height = h;
	svg.querySelector('rect').setAttribute('height', h);
}

function fillOf(f) {
	var isColored = comparison && typeof graded != 'boolean' && !/^--?$/.test(f.name);
	return isColored ? 'rgb(' + rgb(changeColor(changeOf(f))) + ')' : base.colors.get(f.name);
}

function addFrame(f) {
	var g = make(frames, 'g', f.row || !sandwich ? {} : { class: 'middle' }), at = 100 * f.x / total;
	var count = base.unit === null ? '' : commas(f.w) + ' ' + base.unit + ', ';
	make(g, 'title', {}, f.name + ' (' + count + percentText(100 * f.w / everything, 2) + changeText(f) + ')');
	var r = make(g, 'rect', {
		x: percent(at), width: percent(100 * f.w / total), y: f.y, height: base.step - 1, fill: fillOf(f),
		'fg:x': f.x, 'fg:w': f.w, 'fg:name': f.name
	});
	if (comparison)
		fillIn(r, { 'fg:b': f.b, 'fg:bs': f.bs, 'fg:s': f.s });
}

// Draws the view that `lens` names.
function refold() {
	var t, sides, list = [], up = 0, down, said = [];
	point(-1);
	zoomed = -1;
	draw();
	paint([]);
	if (upside)
		invert();
	frames.textContent = '';
	doc.querySelectorAll('svg > text:not([id]), #ruler').forEach(function (e) { e.classList.toggle('hide', isOther()); });
	sandwich = lens.w !== null;
	timed = base.lanes && !isOther();
	if (isOther()) {
		t = filtered(base.tree);
		everything = totals(t)[0];
		everythingBefore = totals(t, t.base)[0];
		sides = sandwich ? halves(t, lens.w) : [t];
		total = totals(sides[0])[0];
		if (sandwich)
			up = arrange(sides[1], 1, list);
		down = arrange(sides[0], 0, list);
		middleRow = base.low + up * base.step;
		list.forEach(function (f) {
			f.y = sandwich || inverted ? middleRow + (f.side ? -f.row : f.row) * base.step : base.low + (down - f.row) * base.step;
		});
		setHeight(base.low + (up + down) * base.step + base.below);
		if (comparison)
			most = list.reduce(function (top, f) { return Math.max(top, Math.abs(changeOf(f).delta)); }, 0) || 1;
		list.forEach(addFrame);
		if (sandwich)
			said.push('callers and callees of ' + lens.w);
		if (lens.f.length)
			said.push('only stacks with ' + lens.f.join(', '));
		if (lens.h.length)
			said.push('hidden: ' + lens.h.join(', '));
		idle = said.concat(base.idle.trim() || []).join('; ');
	} else {
		total = base.total;
		everything = base.everything;
		everythingBefore = base.everythingBefore;
		most = base.most;
		setHeight(base.height);
		base.nodes.forEach(function (e) { frames.appendChild(e); });
		idle = base.idle;
	}
	frames.setAttribute('total_samples', total);
	doc.title = el('title').textContent = sandwich ? 'Callers and callees of ' + lens.w : base.title;
	focused = hovered = -1;
	read();
	say(-1);
	stopAt(order[0]);
	draw();
	place();
	if (term)
		search(term);
}
