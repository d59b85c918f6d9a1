// viewer_label.js - the text on a frame: the part of the name that fits, and black or white. The SVG and the page share it.
//
// Names lose the same parts as on the screen, the least informative first: parameters and return type, template
// arguments, leading namespaces, the end. src/model/label.c has the reasons; the functions here have its names.

function charsWidth(s) {
	var sum = 0;
	for (var c of s)
		sum += widths[c] || (widths[c] = canvas.measureText(c).width);
	return sum;
}

function textWidth(s) {
	return charWidth && !/[^\x20-~]/.test(s) ? s.length * charWidth : charsWidth(s);
}

function fits(s, px) { return textWidth(s) < px; }

function fit(s, px) {
	if (fits(s, px))
		return s;
	if (truncate_text_right)
		return begin(s, px, '..');
	return typeof truncate_text_left == 'boolean' ? ending(s, px) : shorten(s, px);
}

// as much of the beginning as fits, and a mark
function begin(s, px, sign) {
	var kept = '';
	px -= textWidth(sign);
	for (var c of s) {
		px -= textWidth(c);
		if (px <= 0)
			break;
		kept += c;
	}
	return kept && kept + sign;
}

function ending(s, px) {
	return Array.from(begin(Array.from(s).reverse(), px, '..')).reverse().join('');
}

function isWord(c) { return c !== undefined && /[\w$\x80-\uffff]/.test(c); }

// the length of "operator<<" and the like at i, 0 if there is none
function operatorAt(s, i) {
	if (s[i] != 'o' || !s.startsWith('operator', i) || i + 8 == s.length || isWord(s[i - 1]) || isWord(s[i + 8]))
		return 0;
	return 8 + s.slice(i + 8).match(/^(\(\)|\[\]|[<>=\-+*\/%^&|~!,]*)/)[0].length;
}

// behind the bracket that closes the one at i
function pastGroup(s, i) {
	for (var depth = 0, op; i < s.length; i++) {
		if ((op = operatorAt(s, i)))
			i += op - 1;
		else if ('<([{'.includes(s[i]))
			depth++;
		else if ('>)]}'.includes(s[i]) && !(s[i] == '>' && '-='.includes(s[i - 1] || ' ')) && --depth == 0)
			return i + 1;
	}
	return s.length;
}

// Calls step(i) for each character outside of brackets and operators, and step(i, end) for each group in brackets.
function walk(s, step) {
	for (var i = 0, op; i < s.length;) {
		var at = i;
		if ((op = operatorAt(s, i))) {
			i += op;
		} else if ('<([{'.includes(s[i])) {
			i = pastGroup(s, i);
			step(at, i);
		} else {
			step(i++);
		}
	}
}

function parametersAt(s) {
	var found = s.length;
	walk(s, function (i, past) {
		if (past && s[i] == '(' && i && found == s.length)
			found = i;
		else if (!past && ':./'.includes(s[i]))
			found = s.length;
	});
	return found;
}

function afterType(s, hadParameters) {
	var found = 0;
	walk(s, function (i, past) {
		if (past || s[i] != ' ')
			return;
		if (!s.slice(0, i).endsWith('operator') && (isWord(s[i + 1]) || s[i + 1] == '('))
			found = i + 1;
		else
			hadParameters = false;
	});
	return hadParameters || /::|[.]/.test(s.slice(found)) ? found : 0;
}

// "<T as Trait>" keeps the type
function dropArguments(s) {
	var out = '', end = 0;
	walk(s, function (i, past) {
		var as, closing = past && s[past - 1] == '>' ? '>' : '';
		if (!past || s[i] != '<')
			return;
		as = i ? -1 : s.slice(0, past).indexOf(' as ');
		out += s.slice(end, i);
		if (as > 0)
			out += s.slice(i, as) + closing;
		else
			out += past - i < 5 ? s.slice(i, past) : '<\u2026' + closing;
		end = past;
	});
	return out + s.slice(end);
}

function hasPackages(s) {
	return !/[\x20:]|[.](?![A-Za-z_$\x80-\uffff])|[.](isra|part|constprop|cold|lto_priv|llvm|so|clone)(?![\w$\x80-\uffff])/.test(s) &&
		s.split('.').length > 2;
}

// where components begin behind "::", "/", "`" and the dots of packages
function components(s) {
	var list = [], dots = hasPackages(s);
	walk(s, function (i, past) {
		if (past)
			return;
		if (s[i] == ':' && s[i - 1] == ':' && i + 1 < s.length)
			list.push(i + 1);
		else if (('`/'.includes(s[i]) || (dots && s[i] == '.')) && i + 1 < s.length)
			list.push(i + 1);
	});
	return list;
}

function shorten(s, px) {
	var all = s.length, list, rest, i;
	s = s.slice(0, parametersAt(s)).trimEnd();
	s = s.slice(afterType(s, s.length < all));
	if (!fits(s, px))
		s = dropArguments(s);
	if (fits(s, px))
		return s;
	list = components(s);
	for (i = 0; i < list.length; i++)
		if (fits(rest = '\u2026' + s.slice(list[i]), px))
			return rest;
	rest = s.slice(list.length ? list[list.length - 1] : 0);
	return list.length && fits(rest, px) ? rest : begin(rest, px, '\u2026');
}

// ---- black or white ----

// "#ff8000" as "255,128,0"
function rgb(color) {
	return [1, 3, 5].map(function (k) { return parseInt(color.slice(k, k + 2), 16); }).join(',');
}

// the luminance of a colour, of which this much covers the dark page
function luminance(color, cover) {
	var sum = 0;
	color.match(/\d+/g).slice(0, 3).forEach(function (v, k) {
		v = (v * cover + 27 * (1 - cover)) / 255;
		sum += [0.2126, 0.7152, 0.0722][k] * (v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
	});
	return sum;
}

// Black text has a contrast of 4.5 to 1 on a luminance of 0.175, where white text has more than that.
function isDark(color, cover) { return luminance(color, cover) < 0.175; }
