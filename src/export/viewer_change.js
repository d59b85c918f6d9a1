// viewer_change.js - comparisons: the change between two weights, its words and its colour. The SVG and the page share it.
//
// `comparison` has the facts (change_json.h), and the weights of all on either side, in the units of the frames: `all` on the
// side of the widths, `allBase` on the other. wholes() tells what is 100 % in the present view, in this order; `most` is its
// greatest change; weightText() writes a weight.

// The change of a weight, and whether it may be chance: src/model/diff.c has the reasons.
function compare(own, base) {
	var d = comparison, swap = d.swapped, c = { before: swap ? own : base, after: swap ? base : own }, all = wholes();
	var before = all[+!swap], after = all[+swap], p, unit, units, x, y;
	var n = d.before * (before / (swap ? d.all : d.allBase) || 0), m = d.after * (after / (swap ? d.allBase : d.all) || 0);
	if (d.of == 'shares') {
		x = before > 0 ? c.before / before : 0;
		y = after > 0 ? c.after / after : 0;
		c.delta = 100 * (y - x);
		p = (x * n + y * m + 1) / (n + m + 2);
		c.error = n > 0 && m > 0 ? 100 * Math.sqrt(p * (1 - p) * (1 / n + 1 / m)) : 0;
		c.before = 100 * x;
		c.after = 100 * y;
	} else {
		units = [n > 0 ? before / n : 0, m > 0 ? after / m : 0];
		unit = Math.max(units[0], units[1]);
		c.delta = c.after - c.before;
		c.error = Math.sqrt(c.before * units[0] + c.after * units[1] + unit * unit);
	}
	c.noise = c.error <= 0 || Math.abs(c.delta) <= 2 * c.error;
	return c;
}

// "+3.10 points", "-1,200 ~"
function gain(c, word) {
	var isShare = comparison.of == 'shares', sign = c.delta > 0 ? '+' : c.delta < 0 ? '-' : '', size = Math.abs(c.delta);
	return sign + (isShare ? percentText(size, 2).replace('%', word || '') : weightText(size)) + (c.noise && size ? ' ~' : '');
}

// a value before, or after
function sideText(v) { return comparison.of == 'shares' ? percentText(v, 2) : weightText(v); }

function ramp(text, part) {
	var k = Math.round(Math.sqrt(Math.min(Math.max(part, 0), 1)) * (text.length / 6 - 1));
	return '#' + text.slice(6 * k, 6 * k + 6);
}

function changeColor(c) {
	var d = comparison;
	if (d.noise && c.noise && c.delta)
		return '#' + d.noise.slice(c.delta > 0 ? 0 : 6, c.delta > 0 ? 6 : 12);
	return ramp(c.delta < 0 ? d.down : d.up, Math.abs(c.delta) / most);
}
