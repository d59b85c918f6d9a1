/*
 * halves.h - the halves of a sandwich: the callers and the callees of a function, merged from all of its frames in
 * a tree.
 */
#ifndef TUI_HALVES_H
#define TUI_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/symtab.h"
#include "model/tree.h"
#include "model/view.h"

enum sandwich_half { HALF_CALLERS, HALF_CALLEES };

/* What they are made of. Tree and search of the view, and symbols, have to stay as they are meanwhile. */
struct halves_recipe {
	const struct view *view;
	const struct symtab *symtab;
	uint32_t symbol;
	int cols;
	bool is_by_weight; /* order of siblings; else by name */
};

struct halves {
	struct tree trees[2]; /* node 0 is the function itself; what is too narrow to be drawn has no children */
	bool is_cut[2];       /* some rows would have had too many frames: they are left out */
	bool *is_lit[2];      /* by node: the search matches in what was left out beyond it */
	uint32_t *frames;     /* outermost frames of frames_symbol in the tree that they are made from */
	size_t n_frames, cap_frames;
	uint32_t frames_symbol; /* NO_SYMBOL: there are no frames */
};

void halves_init(struct halves *);
void halves_deinit(struct halves *);
void halves_take_frames(struct halves *to, struct halves *from);
void halves_forget_frames(struct halves *); /* the tree is another one */
/*
 * Makes both anew; what frames it has may be those of the same tree only. false: cancelled, they are worth nothing.
 */
bool halves_make(struct halves *, const struct halves_recipe *, struct progress *);

#endif
