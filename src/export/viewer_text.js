// viewer_text.js - figures as text, and when a search ignores case. The SVG and the page share it.

// "1,234.5"
function commas(v) {
	var parts = String(Math.round(v * 1e6) / 1e6).split('.');
	parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, ',');
	return parts.join('.');
}

// as on the screen: an upper-case letter makes case matter
function ignoresCase(s) {
	return matchCase === null ? !/[A-Z]/.test(s.replace(/\\./g, '')) : !matchCase;
}

// The expression that matches one name only.
function exactly(s) { return '^' + s.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$'; }

// "12.5%", and 100% only for all of it
function shareText(part, all) {
	var p = 100 * part / all;
	return (p > 99.9999 ? 100 : Math.min(p, 99.9).toFixed(1)) + '%';
}
