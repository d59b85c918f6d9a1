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
 * _free(). A view borrows its profile. Layouts, halves, tables and rows of calls are of one tree: they borrow it,
 * or have its numbers of nodes, and are made anew after each fold.
 *
 * Threads. Many may read a profile and a tree. A fold may add names to the profile, or to a copy of its symbols;
 * view_name() fills a cache: both are for one thread at a time.
 *
 * Errors. A function that takes a struct err returns false, and sets it. One that takes a struct progress also
 * returns false if that was cancelled, with an empty reason. If memory runs out, the program ends (base/mem.h).
 */
#ifndef LIB_CELLS_H
#define LIB_CELLS_H

/* What is drawn: a tree, names of its frames, a place in it, hits of a search, and changes. */
#include "model/diff.h"
#include "model/search.h"
#include "model/shown.h"
#include "model/symtab.h"
#include "model/tree.h"
#include "model/view.h"

/* Where: frames in columns and rows, of one tree or of lanes; what a cell or a row leaves out. */
#include "model/cut.h"
#include "model/lane_layout.h"
#include "model/layout.h"

/* Rows: of a table, of calls, of both halves of a sandwich, of lines and instructions; sums for them. */
#include "model/call_rows.h"
#include "model/child_index.h"
#include "model/halves.h"
#include "model/line_page.h"
#include "model/lines.h"
#include "model/table.h"
#include "model/tree_sums.h"

/* How: colours, names in few columns, and words. */
#include "model/estimate.h"
#include "model/group.h"
#include "model/idle.h"
#include "model/label.h"
#include "model/name_origins.h"
#include "model/origin.h"
#include "model/palette.h"
#include "model/words.h"
#include "sources/title.h"

/*
 * What flametop.h does in one call, and the viewer in steps that it can watch, cancel, and leave to another thread:
 * reading inputs, choosing what of them is folded, folding it, finding lines.
 */
#include "lib/inside.h"
#include "model/fold.h"
#include "model/match.h"
#include "model/profile.h"
#include "model/recipe.h"
#include "model/samples.h"
#include "model/selection.h"
#include "model/tags.h"
#include "symbols/code_lines.h"
#include "symbols/disassembly.h"

#endif
