/*
 * kinds.h - the table of output files.
 *
 *	ROW(name, its bit, the suffix that means it, how it shows the view) AND ...
 *
 * The row svg, SVG stands for `const struct export_kind export_svg` and EXPORT_SVG. How it shows the view decides
 * which options affect it: DRAWN shows frames in rows, TABLE shows functions, LINES shows lines of functions, and
 * STACKS writes all data. AND separates rows; the order is that of --to=help. A suffix comes before its own end.
 */
#ifndef EXPORT_KINDS_H
#define EXPORT_KINDS_H

/* clang-format off */
#define EXPORT_KINDS(ROW, AND) \
	ROW(svg, SVG, ".svg", DRAWN) AND \
	ROW(html, HTML, ".html", DRAWN) AND \
	ROW(folded, FOLDED, ".folded", STACKS) AND \
	ROW(text, TEXT, ".txt", DRAWN) AND \
	ROW(top, TOP, ".top", TABLE) AND \
	ROW(markdown, MARKDOWN, ".md", TABLE) AND \
	ROW(lines, LINES, ".lines", LINES) AND \
	ROW(speedscope, SPEEDSCOPE, ".speedscope.json", STACKS) AND \
	ROW(firefox, FIREFOX, ".firefox.json", STACKS) AND \
	ROW(json, JSON, ".json", TABLE) AND \
	ROW(pprof, PPROF, ".pb.gz", STACKS) AND \
	ROW(callgrind, CALLGRIND, ".callgrind", STACKS)
/* clang-format on */

#endif
