/*
 * weave.h - the halves of a sandwich, woven out of the whole tree.
 */
#ifndef TUI_WEAVE_H
#define TUI_WEAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/symtab.h"
#include "model/tree.h"
#include "model/view.h"

enum sandwich_half { HALF_CALLERS, HALF_CALLEES };

/* What they are made of. Tree and search of the view, and symbols, have to stay as they are meanwhile. */
struct weave_recipe {
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
	uint32_t *frames; /* outermost frames of frames_symbol in the tree that it is woven from; UINT32_MAX: of none */
	size_t n_frames, cap_frames;
	uint32_t frames_symbol;
};

void halves_init(struct halves *);
void halves_deinit(struct halves *);
void halves_take_frames(struct halves *to, struct halves *from);
void halves_forget_frames(struct halves *); /* the tree is another one */
/* Makes both anew; what frames it has may be those of the same tree only. false: cancelled, they are worth nothing. */
bool weave(struct halves *, const struct weave_recipe *, struct progress *);

#endif
