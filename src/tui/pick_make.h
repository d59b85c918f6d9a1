/*
 * pick_make.h - chooses the lines of the list of threads and labels, for a thread in the background.
 */
#ifndef TUI_PICK_MAKE_H
#define TUI_PICK_MAKE_H

#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "lib/cells.h"

/* Tasks are joined by name, by process, or not at all. */
enum pick_kind { PICK_COMM, PICK_PID, PICK_TID, N_PICK_KINDS };

struct pick_row {
	uint64_t weight;
	uint32_t task; /* the first one of the joined tasks */
	uint32_t n;    /* of them */
};

struct pick_group {
	struct pick_row *rows; /* owned; the heaviest first */
	size_t n, n_lighter;   /* listed, and left out */
};

struct pick_label {
	uint64_t weight;
	uint32_t number;
	bool is_first;    /* of its key */
	size_t n_lighter; /* left out behind this one */
};

struct pick_lines {
	struct pick_group groups[N_PICK_KINDS];
	struct pick_label *labels; /* owned; by key, then the heaviest first */
	size_t n_labels;
	size_t n_others;    /* labels of keys of which none is listed: there are too many keys */
	uint32_t label_now; /* the one that is picked now; 0: none */
};

struct pick_order {
	const struct profile *profile;
	int32_t series;
	size_t most;      /* lines of each group, and of the labels of all keys together */
	uint32_t comm;    /* what is picked now is listed, however light it is; 0: nothing */
	int64_t pid, tid; /* the same */
	char *label;      /* owned; pattern of the label that is picked; NULL: none */
};

/* After a cancellation (progress may be NULL) the lines are incomplete. */
void pick_make(struct pick_lines *, const struct pick_order *, struct progress *);
void pick_lines_deinit(struct pick_lines *);

#endif
