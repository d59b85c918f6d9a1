// viewer_text.js - figures as text, and when a search ignores case. The SVG and the page share it.

// "1,234.5"
function commas(v) {
	var parts = String(v % 1 ? Math.round(v * 1e6) / 1e6 : v).split('.');
	parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, ',');
	return parts.join('.');
}

// An integer weight, the value times 10^decimals, times --factor, rounded as everywhere. Scale: of times. Numbers here have
// no more than 15 digits for certain: longer ones end in zeros and are marked.
function weightWords(v, factor, decimals, scale) {
	var w = Math.round(v * factor), isExact = w <= Number.MAX_SAFE_INTEGER;
	if (scale !== undefined)
		return time(w, scale + decimals);
	return (isExact ? '' : '\u2248') + commas((isExact ? w : +w.toPrecision(15)) / Math.pow(10, decimals));
}

// three digits, but not more than the weight has
function time(v, scale) {
	var s = v / Math.pow(10, scale), units = [' s', ' ms', ' us', ' ns'], group = 0, places = scale;
	function rounded() { return +s.toPrecision(3); }
	if (rounded() >= 1e4) {
		s /= 3600;
		places = 2;
		units = [' h'];
	}
	for (; s > 0 && rounded() < 1 && group < 3; group++) {
		s *= 1000;
		places -= 3;
	}
	if (s > 0 && rounded() < 1)
		return '<1 ns';
	places = s > 0 ? Math.max(0, Math.min(places, 2 - Math.floor(Math.log10(rounded())))) : 0;
	return rounded().toFixed(places) + units[group];
}

// as on the screen: an upper-case letter makes case matter
function ignoresCase(s) {
	return matchCase === null ? !/[A-Z]/.test(s.replace(/\\./g, '')) : !matchCase;
}

// The expression that matches one name only.
function exactly(s) { return '^' + s.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$'; }

// "99.99%": 100 only for all of it
function percentText(p, places) { return (p < 100 - 1e-9 ? Math.min(p, 100 - Math.pow(10, -places)) : p).toFixed(places) + '%'; }

// "12.5%", "100%"
function shareText(part, all) { return percentText(100 * part / all, 1).replace('100.0%', '100%'); }
