/*
 * halves.h - the halves of a sandwich: the callers and the callees of a function, merged from all its frames in a
 * tree.
 */
#ifndef MODEL_HALVES_H
#define MODEL_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "symtab.h"
#include "tree.h"
#include "tree_sums.h"
#include "view.h"

enum sandwich_half { HALF_CALLERS, HALF_CALLEES };

/* The input for both halves. The view's tree and search, and the symbols, must not change while it is in use. */
struct halves_recipe {
	const struct view *view;
	const struct symtab *symtab;
	uint32_t symbol;
	int cols;          /* frames narrower than an eighth of a column get no children; 0: all frames */
	bool is_by_weight; /* order of siblings: by weight, else by name */
};

/* A frame of the source tree, merged into a node of a half, beyond which nothing was added. */
struct beyond {
	uint32_t node, at;
};

struct halves {
	struct tree trees[2]; /* node 0 is the function; frames too narrow to draw have no children */
	bool is_cut[2];       /* rows with too many frames are left out */
	uint64_t matched[2];  /* weight of the stacks of this half that the search matches, in rows left out, too */
	bool *is_lit[2];      /* by node: the search matches in the part left out beyond it */
	/* By node; NULL: unknown, since the halves are of another tree than the search */
	struct beyond *beyond[2];
	size_t n_beyond[2];
	uint32_t *frames; /* outermost frames of frames_symbol in the source tree */
	size_t n_frames, cap_frames;
	uint32_t frames_symbol; /* NO_SYMBOL: there are no frames */
};

void halves_init(struct halves *);
void halves_deinit(struct halves *);
void halves_take_frames(struct halves *to, struct halves *from);
void halves_forget_frames(struct halves *); /* call when the tree changes */
/*
 * Makes both halves; frames kept from before must belong to the same tree. false: cancelled, the halves are
 * invalid.
 */
bool halves_make(struct halves *, const struct halves_recipe *, struct progress *);
/* Are they of the tree that the view searches, with their frames still known? */
bool halves_can_be_lit(const struct halves *);
/*
 * Finds what another search matches in made halves, which can be `lit` themselves. Sets only is_lit and matched of
 * *lit. false: cancelled.
 */
bool halves_light(struct halves *lit, const struct halves *made, const struct view *, struct progress *);
/* Moves is_lit and matched. */
void halves_take_light(struct halves *to, struct halves *from);

/* The function's sums in the tree that the halves are made from. */
struct name_sum halves_sum(const struct tree *, uint32_t symbol, size_t n_symbols, struct progress *);
/* The deepest frame of a half on a path of symbols that begins next to the function; node 0: there is none. */
uint32_t halves_find_path(const struct halves *, enum sandwich_half, const uint32_t *syms, size_t n);
/* Does the search match a frame [from, to) of a half, or one beyond it? is_lit: that of the half; NULL: none. */
bool halves_have_hit(const struct search *, const struct tree *half, const bool *is_lit, uint32_t from,
                     uint32_t to);

#endif
