/*
 * kinds.h - the table of output files.
 *
 *	ROW(name, its bit, the suffix that means it, how it shows the view) AND ...
 *
 * The row svg, SVG stands for `const struct export_kind export_svg` and EXPORT_SVG. How it shows the view decides
 * which options affect it: DRAWN shows frames in rows, TABLE shows functions, LINES shows lines of functions, and
 * STACKS writes all data. AND separates rows; the order is that of --to=help.
 */
#ifndef EXPORT_KINDS_H
#define EXPORT_KINDS_H

/* clang-format off */
#define EXPORT_KINDS(ROW, AND) \
	ROW(svg, SVG, ".svg", DRAWN) AND \
	ROW(folded, FOLDED, ".folded", STACKS) AND \
	ROW(text, TEXT, ".txt", DRAWN) AND \
	ROW(top, TOP, ".top", TABLE) AND \
	ROW(markdown, MARKDOWN, ".md", TABLE) AND \
	ROW(lines, LINES, ".lines", LINES)
/* clang-format on */

#endif
