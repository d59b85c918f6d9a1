// viewer_views.js - other views of the same frames in an SVG: only stacks with a function, stacks without one, a sandwich.
//
// The frames of the file become a tree once (viewer_tree.js). A view makes another tree from it, which is drawn by new
// frames in place of those of the file; read() takes them as if they had come with it. The elements of the file are
// kept for the way back. The address names the view: f for each function that stacks must have, h for each that is
// taken out of them, w for the function whose callers and callees are shown.

// The tree of the frames in the file; `all` is its root.
function takeTree() {
	var t = plant('all'), path = [0], seen = 0;
	order.forEach(function (i) {
		var parent, c;
		if (!row[i])
			return;
		parent = path[row[i] - 1] || 0;
		c = child(t, parent, name(i));
		path[row[i]] = c;
		t.self[c] += visible(i);
		if (parent)
			t.self[parent] -= visible(i);
		else
			seen += visible(i);
	});
	t.self[0] = timed ? 0 : Math.max(total - seen, 0);
	return t;
}

// ---- drawing ----

// Places of the frames of a tree, callers first; those narrower than 0.01 % are left out, as in the file.
function arrange(t, which, list) {
	var sum = totals(t), x = [0], next = [0], depth = [0], deepest = 0, i, p;
	for (i = 0; i < sum.length; i++) {
		if (i) {
			p = t.parent[i];
			x[i] = next[i] = next[p];
			next[p] += sum[i];
			depth[i] = depth[p] + 1;
		}
		if (sum[i] <= 0 || sum[i] < sum[0] * 1e-4 || (which && !i))
			continue;
		list.push({ name: t.name[i], x: x[i], w: sum[i], row: depth[i], side: which });
		deepest = Math.max(deepest, depth[i]);
	}
	return deepest;
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
		nodes: Array.from(frames.childNodes), tree: takeTree(), unit: unitOf(), colors: colors(), low: low, height: height,
		below: height - high, step: step, total: total, lanes: timed, title: el('title').textContent, idle: idle
	};
}

function setHeight(h) {
	foot.childNodes.forEach(function (e) {
		e.setAttribute('y', +e.getAttribute('y') + h - height);
	});
	height = h;
	svg.querySelector('rect').setAttribute('height', h);
}

function addFrame(f, whole) {
	var g = make(frames, 'g', f.row || !sandwich ? {} : { class: 'middle' }), at = 100 * f.x / total;
	var count = base.unit === null ? '' : commas(f.w) + ' ' + base.unit + ', ';
	make(g, 'title', {}, f.name + ' (' + count + (100 * f.w / whole).toFixed(2) + '%)');
	make(g, 'rect', {
		x: percent(at), width: percent(100 * f.w / total), y: f.y, height: base.step - 1, fill: base.colors.get(f.name),
		'fg:x': f.x, 'fg:w': f.w, 'fg:name': f.name
	});
	make(g, 'text', { x: percent(at + 300 / width), y: f.y + dy });
}

// Draws the view that `lens` names.
function refold() {
	var t, sides, list = [], up = 0, down, whole, said = [];
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
		whole = totals(t)[0];
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
		list.forEach(function (f) { addFrame(f, whole); });
		if (sandwich)
			said.push('callers and callees of ' + lens.w);
		if (lens.f.length)
			said.push('only stacks with ' + lens.f.join(', '));
		if (lens.h.length)
			said.push('hidden: ' + lens.h.join(', '));
		idle = said.concat(base.idle.trim() || []).join('; ');
	} else {
		total = base.total;
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
