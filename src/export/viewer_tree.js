// viewer_tree.js - trees of frames, and the views of them: only stacks with a function, stacks without one, a sandwich.
//
// The SVG and the page share it. A tree has a column for each figure of a frame: its name, or the number of that; its
// caller, -1 for the root; the weight that ends in it; and that of the baseline. `lens` is the view: f lists the
// functions that stacks must have, h those that are taken out of them, w is the one in the middle of a sandwich.

function plant(root) { return { name: [root], parent: [-1], self: [0], base: [0], kids: [] }; }

function child(t, parent, s) {
	var kids = t.kids[parent] || (t.kids[parent] = new Map()), c = kids.get(s);
	if (c === undefined) {
		kids.set(s, c = t.name.length);
		t.name.push(s);
		t.parent.push(parent);
		t.self.push(0);
		t.base.push(0);
	}
	return c;
}

function put(t, i, self, base) {
	t.self[i] += self;
	t.base[i] += base;
}

// weights with those of all callees, which come after their callers
function totals(t, column) {
	var sum = (column || t.self).slice(), i;
	for (i = sum.length - 1; i > 0; i--)
		sum[t.parent[i]] += sum[i];
	return sum;
}

function isOther() { return lens.f.length + lens.h.length > 0 || lens.w !== null; }

// the view's filters: every function of f must be in the stack, none of h stays in it
function filtered(t) {
	var out = plant('all'), to = [0], has = [0], i, k, s;
	for (i = 0; i < t.name.length; i++) {
		s = t.name[i];
		if (i) {
			has[i] = has[t.parent[i]];
			to[i] = lens.h.includes(s) ? to[t.parent[i]] : child(out, to[t.parent[i]], s);
			k = lens.f.indexOf(s);
			if (k >= 0)
				has[i] |= 1 << k;
		}
		if (has[i] == (1 << lens.f.length) - 1)
			put(out, to[i], t.self[i], t.base[i]);
	}
	return out;
}

// The callers and the callees of the outermost frames of a function.
function halves(t, s) {
	var callers = plant(s), callees = plant(s), inside = [-1], i, k, p, sum = totals(t), base = totals(t, t.base);
	for (i = 1; i < t.name.length; i++) {
		p = inside[t.parent[i]];
		inside[i] = p >= 0 ? child(callees, p, t.name[i]) : t.name[i] == s ? 0 : -1;
		if (inside[i] >= 0)
			put(callees, inside[i], t.self[i], t.base[i]);
		if (p >= 0 || inside[i] < 0)
			continue;
		for (k = 0, p = t.parent[i]; p > 0; p = t.parent[p])
			k = child(callers, k, t.name[p]);
		put(callers, k, sum[i], base[i]);
	}
	return typeof reversed == 'boolean' ? [callers, callees] : [callees, callers];
}
