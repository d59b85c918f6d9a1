/*
 * cells.h - what the viewer needs of libflametop besides flametop.h, to draw cells. It is not installed.
 *
 * flametop.h hands out one frame, row or function at a time, as a copy with its text. The viewer draws some ten
 * thousand cells after each key, of trees with millions of frames, and makes the next tree meanwhile. So it reads
 * trees, layouts and tables where they are, and decides which thread makes them. This header is all that it knows
 * of the inside of the library: files of src/tui include it, and no other header of the library (scripts/floors).
 *
 * The interface is what the headers below declare, and not what they include in turn. Here belongs what is drawn in
 * place, what makes it, and the words for it that exports have, too. What any caller could want, such as another
 * kind of file, belongs into flametop.h; how something is made stays behind functions. A header of which the viewer
 * uses nothing any more has to go.
 *
 * Units. Weights are integers of the event's unit; view_add_weight() writes them. Times of a chart are ns from the
 * first sample. Columns and rows are cells. A number of a node holds until the tree is folded anew, a number of a
 * symbol, event, thread or path as long as the profile.
 *
 * Ownership. The caller owns what it has initialised, and ends it by _deinit(); what _new() and _start() return, by
 * _free(). A view borrows its profile. Layouts, halves, tables and rows of calls are of one tree: they borrow it, or
 * have its numbers of nodes, and are made anew after each fold.
 *
 * Threads. Many may read a profile and a tree. A fold may add names to the profile, or to a copy of its symbols;
 * view_name() fills a cache: both are for one thread at a time.
 *
 * Errors. A function that takes a struct err returns false, and sets it. One that takes a struct progress also
 * returns false if that was cancelled, with an empty reason. If memory runs out, the program ends (base/mem.h).
 */
#ifndef LIB_CELLS_H
#define LIB_CELLS_H

/* Inputs and how they are read in the background; kinds of files; the options. */
#include "lib/inside.h"

/* What is shown: the samples, a recipe for a tree of them, the tree, and a place in it. */
#include "model/fold.h"
#include "model/profile.h"
#include "model/recipe.h"
#include "model/samples.h"
#include "model/selection.h"
#include "model/shown.h"
#include "model/symtab.h"
#include "model/tags.h"
#include "model/tree.h"
#include "model/view.h"

/* Where it is drawn: frames in columns and rows, and how a name fits into few columns. */
#include "model/cut.h"
#include "model/label.h"
#include "model/lane_layout.h"
#include "model/layout.h"

/* Other shapes of the tree: rows of a table and of calls, halves of a sandwich, lines and instructions. */
#include "model/call_rows.h"
#include "model/halves.h"
#include "model/line_page.h"
#include "model/lines.h"
#include "model/sites.h"
#include "model/table.h"
#include "model/tree_sums.h"
#include "symbols/code_lines.h"
#include "symbols/disassembly.h"

/* What is found and compared in it: patterns, hits, modules and packages, changes. */
#include "model/diff.h"
#include "model/group.h"
#include "model/match.h"
#include "model/origin.h"
#include "model/search.h"

/* How it looks, and what it is called. */
#include "model/estimate.h"
#include "model/idle.h"
#include "model/palette.h"
#include "model/words.h"
#include "sources/title.h"

#endif
