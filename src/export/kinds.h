/*
 * kinds.h - every kind of file that a view can become.
 *
 *	ROW(name, its bit, the suffix that means it, how it shows the view) AND ...
 *
 * The row svg, SVG stands for `const struct export_kind export_svg` and EXPORT_SVG. What it shows says which
 * options have an effect on it: DRAWN is frames in rows, TABLE is functions, STACKS is all the data. AND stands
 * between rows; the order is that of --to=help.
 */
#ifndef EXPORT_KINDS_H
#define EXPORT_KINDS_H

/* clang-format off */
#define EXPORT_KINDS(ROW, AND) \
	ROW(svg, SVG, ".svg", DRAWN) AND \
	ROW(folded, FOLDED, ".folded", STACKS) AND \
	ROW(text, TEXT, ".txt", DRAWN) AND \
	ROW(top, TOP, ".top", TABLE) AND \
	ROW(markdown, MARKDOWN, ".md", TABLE)
/* clang-format on */

#endif
